#!/bin/sh
# Proves that a clone works on a fresh Debian 12: debootstrap, clone, make demo, make test (twice: the second time without network).
#   prove-chroot.sh [DIRECTORY]      needs root and debootstrap; the mirror and apt settings are those of this system
set -eu
root=${1:-/var/tmp/talus-chroot}
here=$(cd "$(dirname "$0")/.." && pwd)
mirror=$(sed -n 's/^URIs: *\([^ ]*\).*/\1/p; s/^deb \(\[[^]]*\] \)\{0,1\}\([^ ]*\) bookworm main.*/\2/p' /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null | grep -v security | head -n 1)
[ -x "$root/usr/bin/apt-get" ] || debootstrap --variant=minbase bookworm "$root" "${mirror:-http://deb.debian.org/debian}"
cp -f /etc/resolv.conf "$root/etc/resolv.conf" 2>/dev/null || true
cp -a /etc/apt/. "$root/etc/apt/"
[ -d /usr/local/share/ca-certificates ] && cp -a /etc/ssl "$root/etc/" 2>/dev/null || true
mountpoint -q "$root/proc" || mount -t proc proc "$root/proc"
mountpoint -q "$root/dev" || mount --bind /dev "$root/dev"
trap 'umount "$root/proc" "$root/dev" 2>/dev/null || true' EXIT
rm -rf "$root/root/talus"
git clone -q "$here" "$root/root/talus"
for target in demo test; do
    chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root http_proxy="${http_proxy:-}" https_proxy="${https_proxy:-}" \
        sh -c "command -v make >/dev/null || { apt-get update -qq && apt-get install -y -qq --no-install-recommends make >/dev/null; }; cd /root/talus && make $target"
done
chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root http_proxy=http://127.0.0.1:9 https_proxy=http://127.0.0.1:9 sh -c "cd /root/talus && make demo && make test"
echo "a clone works on a fresh Debian 12"
