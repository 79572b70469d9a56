#!/bin/sh
# Installs the Debian packages that talus needs and that are missing; does nothing, and needs no network, when none is.
#   scripts/dependencies.sh [build] [viewer] [lint] [look]
# build: what every build needs; viewer: Node.js for the page of `talus view`, without which the rest is built all the same;
# lint: what continuous integration needs; look: what tests of pages and results use, where it is there.
set -eu
missing() { # the packages of a list that are not installed
    for package in "$@"; do
        case $(dpkg-query -W -f='${Status}' "$package" 2>/dev/null || true) in
        "install ok installed") ;;
        *) printf ' %s' "$package" ;;
        esac
    done
}
install() {
    echo "talus needs these Debian packages:$*"
    if [ "$(id -u)" -eq 0 ]; then root=""; elif command -v sudo >/dev/null 2>&1; then root="sudo"; else
        echo "Neither root nor sudo here: install them by hand, then try again." >&2
        return 1
    fi
    export DEBIAN_FRONTEND=noninteractive
    $root apt-get update -qq
    # shellcheck disable=SC2068
    $root apt-get install -y -qq --no-install-recommends $@ >/dev/null
}
need="gcc cmake ninja-build pkg-config make libc6-dev libqhull-dev libyaml-dev libexpat1-dev libhdf5-dev zlib1g-dev libcairo2-dev fonts-dejavu-core"
viewer=""
for group in "$@"; do
    case $group in
    build) ;;
    viewer) command -v node >/dev/null 2>&1 && command -v npm >/dev/null 2>&1 || viewer="nodejs npm" ;;
    lint) need="$need clang clang-format clang-tidy libclang-rt-14-dev lld g++ binutils git groff-base" ;;
    look) need="$need chromium python3-h5py" ;;
    *) echo "dependencies.sh: there is no group '$group'" >&2; exit 2 ;;
    esac
done
# shellcheck disable=SC2086
missing=$(missing $need)
# shellcheck disable=SC2086
[ -z "$missing" ] || install $missing
# shellcheck disable=SC2086
missing=$(missing $viewer)
# shellcheck disable=SC2086
[ -z "$missing" ] || install $missing || echo "Without Node.js there is no 'talus view'; all else works."
