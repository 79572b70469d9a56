#!/bin/sh
# The house (docs/architecture.md): a room includes only the rooms below it, the library exports only what its headers declare, and no variable of
# file scope can change.   scripts/check-layers.sh BUILD_DIR
set -eu
build=${1:?build directory}
fail=0
allowed() {
    case $1 in
    base) echo "base" ;;
    shape | law) echo "base $1" ;;
    detect) echo "base shape detect" ;;
    matter) echo "base shape matter" ;;
    solve) echo "base law matter solve" ;;
    step) echo "base shape detect law matter solve step" ;;
    world) echo "base shape detect law matter solve step world" ;;
    scene | record) echo "base $1" ;;
    study) echo "base scene record study" ;;
    cli) echo "base study cli" ;;
    esac
}
for room in base shape detect law matter solve step world scene record study cli; do
    may=" $(allowed $room) talus "
    for file in src/$room/*.[ch]; do
        [ -e "$file" ] || continue
        for other in $(sed -n 's/^#include "\([a-z]*\)\/.*/\1/p' "$file"); do
            case $may in *" $other "*) ;; *) echo "$file includes $other/, which its room may not"; fail=1 ;; esac
        done
    done
done
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
