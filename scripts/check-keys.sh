#!/bin/sh
# Every key and word of the scene language is in a test of physics, in plane and space. Run after the tests, which note what they use; keys without a test are
# listed with what excuses them in tests/keys-without-physics.txt, and the list may only become shorter.
#   scripts/check-keys.sh build/release
set -eu
build=$1
list=$(dirname "$0")/../tests/keys-without-physics.txt
all=$(mktemp) && used=$(mktemp) && excused=$(mktemp) && missing=$(mktemp)
trap 'rm -f "$all" "$used" "$excused" "$missing"' EXIT
"$build/bin/talus" schema --keys | LC_ALL=C sort -u >"$all"
LC_ALL=C sort -u "$build/keys.used" >"$used"
grep -v '^#' "$list" | LC_ALL=C sort -u >"$excused"
LC_ALL=C comm -23 "$all" "$used" >"$missing"
new=$(LC_ALL=C comm -23 "$missing" "$excused")
stale=$(LC_ALL=C comm -13 "$missing" "$excused")
[ -z "$new" ] || { echo "no test of physics uses (dimension, key):" >&2; echo "$new" >&2; exit 1; }
[ -z "$stale" ] || { echo "a test uses these now, or they are no keys; take them from tests/keys-without-physics.txt:" >&2; echo "$stale" >&2; exit 1; }
echo "$(wc -l <"$all") keys and words, $(wc -l <"$missing") of them not in a test of physics"
