#!/bin/sh
# Installs a build into a folder of its own, moves it, and builds and runs a program of someone else against it: by pkg-config and by find_package, in
# C and, where there is a compiler, in C++. What is installed finds its cases, and knows nothing of where it was built.
#   install.sh BUILD SOURCE
set -eu
build=$1 source=$2
home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
fail() { echo "FAILED: $*" >&2; exit 1; }
cmake --install "$build" --prefix "$home/first" >/dev/null
mv "$home/first" "$home/moved" # nothing may depend on where it was installed to
prefix=$home/moved
cat >"$home/scene.yaml" <<'SCENE'
gravity: [0, -9.81]
time: {end: 20 ms, step: 1 ms}
materials: {stone: {density: 2000 kg/m^3}}
bodies: {ball: {position: [0, 1], shapes: [{disk: {radius: 0.1, material: stone}}]}}
SCENE
pc=$(find "$prefix" -name talus_io.pc)
[ -n "$pc" ] || fail "there is no talus_io.pc"
export PKG_CONFIG_PATH="$(dirname "$pc")"
libraries=$(pkg-config --variable=libdir talus_io)
flags=$(pkg-config --cflags --libs talus_io)
run() { # PROGRAM: runs it, and reads what it recorded
    rm -rf "$home/out"
    LD_LIBRARY_PATH=$libraries "$1" "$home/scene.yaml" "$home/out" || fail "$1"
    grep -q '"status": "done"' "$home/out/summary.json" || fail "$1 left no summary"
}
# shellcheck disable=SC2086
cc -std=c17 -Wall -Wextra -Wpedantic -Werror "$source/tests/consumer/consumer.c" $flags -lm -o "$home/by_pkg_config"
run "$home/by_pkg_config"
if command -v c++ >/dev/null 2>&1; then
    # shellcheck disable=SC2086
    c++ -std=c++17 -Wall -Wextra -Wpedantic -Werror -x c++ "$source/tests/consumer/consumer.c" -x none $flags -o "$home/by_pkg_config_cpp"
    run "$home/by_pkg_config_cpp"
    cmake -S "$source/tests/consumer" -B "$home/build" -DCMAKE_PREFIX_PATH="$prefix" >/dev/null
    cmake --build "$home/build" >/dev/null
    run "$home/build/consumer_c"
    run "$home/build/consumer_cpp"
else
    echo "no C++ compiler: only C by pkg-config was tried"
fi
# The command alone, from another folder: it finds its cases.
cd /
env -u TALUS_VERIFY "$prefix/bin/talus" verify --list | grep -q bouncing-ball || fail "the installed command does not find its cases"
env -u TALUS_VERIFY "$prefix/bin/talus" verify bouncing-ball --quick >/dev/null || fail "a case of the installed table does not hold"
env -u TALUS_VERIFY "$build/bin/talus" verify --list | grep -q bouncing-ball || fail "the command in its build folder does not find its cases"
for file in "$prefix/bin/talus" "$libraries"/libtalus*.so; do
    for path in "$source" "$build"; do
        if strings -a "$file" | grep -qF "$path"; then fail "$(basename "$file") names $path"; fi
    done
done
find "$prefix" -type f \( -name '*.pc' -o -name '*.cmake' \) -exec grep -lF -e "$source" -e "$build" -e "$home/first" {} + && fail "a package file names where it was built"
echo "installed, moved, linked and run"
