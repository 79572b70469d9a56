#!/bin/sh
# Installs the Debian packages that talus needs and that are missing; does nothing, and needs no network, when none is.
#   scripts/dependencies.sh [build] [lint]
set -eu
need="gcc cmake ninja-build pkg-config make libc6-dev libyaml-dev libhdf5-dev zlib1g-dev libcairo2-dev fonts-dejavu-core"
for group in "$@"; do
    case $group in
    build) ;;
    lint) need="$need clang clang-format clang-tidy libclang-rt-14-dev g++ binutils git" ;;
    *) echo "dependencies.sh: there is no group '$group'" >&2; exit 2 ;;
    esac
done
missing=""
for package in $need; do
    case $(dpkg-query -W -f='${Status}' "$package" 2>/dev/null || true) in
    "install ok installed") ;;
    *) missing="$missing $package" ;;
    esac
done
[ -n "$missing" ] || exit 0
echo "talus needs these Debian packages:$missing"
if [ "$(id -u)" -eq 0 ]; then root=""; elif command -v sudo >/dev/null 2>&1; then root="sudo"; else
    echo "Neither root nor sudo here: install them by hand, then try again." >&2
    exit 1
fi
export DEBIAN_FRONTEND=noninteractive
$root apt-get update -qq
# shellcheck disable=SC2086
$root apt-get install -y -qq --no-install-recommends $missing >/dev/null
