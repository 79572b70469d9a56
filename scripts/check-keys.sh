#!/bin/sh
# Every key and word of the scene language is in a test of physics, in plane and space. Run after the tests, which note what they use.
#   scripts/check-keys.sh build/release
set -eu
build=$1
all=$(mktemp) && used=$(mktemp)
trap 'rm -f "$all" "$used"' EXIT
"$build/bin/talus" schema --keys | LC_ALL=C sort -u >"$all"
LC_ALL=C sort -u "$build/keys.used" >"$used"
missing=$(LC_ALL=C comm -23 "$all" "$used")
[ -z "$missing" ] || { echo "no test of physics uses (dimension, key):" >&2; echo "$missing" >&2; exit 1; }
echo "all $(wc -l <"$all") keys and words are in a test of physics"
