#!/bin/sh
# The house (docs/architecture.md): a room includes only the rooms below it, the library exports only what its headers declare, and no variable of
# file scope can change.   scripts/check-layers.sh BUILD_DIR
set -eu
build=${1:?build directory}
fail=0
allowed() {
    case $1 in
    base) echo "base" ;;
    solid) echo "base solid" ;;
    shape | law) echo "base $1" ;;
    detect) echo "base shape detect" ;;
    matter) echo "base shape solid matter" ;;
    solve) echo "base law matter solve" ;;
    step) echo "base shape detect law matter solve step" ;;
    world) echo "base shape detect law matter solve step world" ;;
    scene | record) echo "base $1" ;;
    study) echo "base scene record study" ;;
    import) echo "base scene import" ;;
    cli) echo "base study import cli" ;;
    esac
}
for room in base solid shape detect law matter solve step world scene record study import cli; do
    may=" $(allowed $room) talus "
    for file in src/$room/*.[ch]; do
        [ -e "$file" ] || continue
        for other in $(sed -n 's/^#include "\([a-z]*\)\/.*/\1/p' "$file"); do
            case $may in *" $other "*) ;; *) echo "$file includes $other/, which its room may not"; fail=1 ;; esac
        done
    done
done
# A matter's type is its own: its files know it and no other, all else goes through the table of operations. Only what defines mechanisms knows theirs.
for header in src/matter/*.h; do
    kind=$(basename "$header" .h)
    case $kind in matter | *_internal) continue ;; esac
    for file in src/*/*.[ch]; do
        case $file in src/matter/*) may=$(grep -cE "^#include \"matter/$kind(_internal)?\.h\"" "$file" || true) ;; *) may=0 ;; esac
        [ "$may" -gt 0 ] || [ "$file" = "$header" ] || ! grep -nE "\((const )?tl_$kind \*+\)" "$file" || { echo "$file casts a matter to tl_$kind, which only the files of that kind may"; fail=1; }
    done
done
for file in src/matter/*.c; do
    kinds=$(sed -nE 's/^#include "matter\/([a-z0-9]+)(_internal)?\.h".*/\1/p' "$file" | grep -vx matter | sort -u | wc -l)
    [ "$kinds" -le 1 ] || { echo "$file knows more than one kind of matter"; fail=1; }
done
knows=$(grep -lE '^#include "matter/mechanism(_internal)?\.h"' src/*/*.[ch] | grep -v '^src/matter/' || true)
[ "$knows" = src/world/mechanisms.c ] || { echo "tl_mechanism is known outside src/matter by: $knows"; fail=1; }
grep -rhoE 'talus_[a-z0-9_]+\(' include/talus/*.h | tr -d '(' | sort -u >"$build/declared.txt"
for library in libtalus.so libtalus_io.so; do
    [ -e "$build/$library" ] || continue
    for symbol in $(nm -D --defined-only "$build/$library" | awk '$2 ~ /[TDBRVW]/ {print $3}'); do
        case $symbol in _init | _fini) continue ;; esac
        grep -qx "$symbol" "$build/declared.txt" || { echo "$library exports $symbol, which no public header declares"; fail=1; }
    done
done
for library in libtalus_core.a libtalus_io_core.a; do
    # objects in .data and .bss; constant tables of pointers are in .data.rel.ro
    objdump -t "$build/$library" 2>/dev/null | awk '/ O / && /[ \t]\.(data|bss)[ \t]/ {print $NF}' >"$build/mutable.txt"
    if [ -s "$build/mutable.txt" ]; then
        echo "$library has variables of file scope that can change: $(tr '\n' ' ' <"$build/mutable.txt")"
        fail=1
    fi
done
[ $fail -eq 0 ] && echo "layers, symbols and globals are in order"
exit $fail
