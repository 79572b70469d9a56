#!/bin/sh
# Files to 600 lines, functions to 60: beyond, a comment "long: reason" stands above them.
set -eu
awk '
FNR == 1 { if (lines > 600) { print file ": " lines " lines"; bad = 1 } file = FILENAME }
{ lines = FNR }
/long:/ { excused = FNR }
/^[a-zA-Z].*[^;]$/ && !/^(typedef|struct|enum|static const|const)/ { head = $0 }
/^\{$/ { start = FNR; name = head }
/^\}$/ { if (start && FNR - start - 1 > 60 && !(excused && excused > start - 8 && excused <= FNR)) { print FILENAME ":" start ": " FNR - start - 1 " lines: " name; bad = 1 } start = 0 }
END { if (lines > 600) { print file ": " lines " lines"; bad = 1 } exit bad }' src/*/*.c
echo "sizes are in order"
