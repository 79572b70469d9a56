#!/bin/sh
# Files to 600 lines, functions to 60 lines and six parameters: beyond, a comment "long: reason" stands above them.
set -eu
awk '
FNR == 1 { if (lines > 600) { print file ": " lines " lines"; bad = 1 } file = FILENAME }
{ lines = FNR }
/long:/ { excused = FNR }
/^[a-zA-Z].*[^;]$/ && !/^(typedef|struct|enum|static const|const)/ { head = $0 }
/^\{$/ { start = FNR; name = head }
/^\}$/ { if (start && FNR - start - 1 > 60 && !(excused && excused > start - 8 && excused <= FNR)) { print FILENAME ":" start ": " FNR - start - 1 " lines: " name; bad = 1 } start = 0 }
END { if (lines > 600) { print file ": " lines " lines"; bad = 1 } exit bad }' src/*/*.c

# Parameters of functions.
awk '
function count(text,    i, c, depth, commas) { # at the depth of the parameters
    for (i = index(text, "("); i <= length(text); i++) {
        c = substr(text, i, 1)
        if (c == "(") depth++
        else if (c == ")") { if (--depth == 0) return commas + 1 }
        else if (c == "," && depth == 1) commas++
    }
    return 0
}
FNR == 1 { text = "" }
/^[a-zA-Z].*\(/ && !/^(typedef|struct|enum|extern)/ { text = $0; gsub(/__attribute__\(\([a-z_]+(\([^)]*\))?\)\) ?/, "", text) }
/^ / && text != "" { text = text $0 }
text != "" && count(text) > 0 {
    if (count(text) > 6) {
        name = text; sub(/\(.*/, "", name); sub(/.*[ *]/, "", name)
        print FILENAME ":" FNR ": " name " has " count(text) " parameters"; bad = 1
    }
    text = ""
}
END { exit bad }' src/*/*.[ch] include/talus/*.h
echo "sizes are in order"
