#!/bin/sh
# What the source, the tests and the pages cite is there: sections of pages in docs/ ("theory §4.1"), and files and functions that the pages name.
#   scripts/check-citations.sh [ROOT]      ROOT: the repository, unless told the one that the script is in
set -eu
cd "${1:-$(dirname "$0")/..}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail=0

# "theory 4.1": every numbered heading of docs/theory.md and its like.
for page in docs/*.md; do
    sed -n 's/^##* \([0-9][0-9.]*\) .*/\1/p' "$page" | sed "s/\.\$//; s/^/$(basename "$page" .md) /"
done >"$work/headings"
sort "$work/headings" | uniq -d | while read -r twice; do echo "docs: two headings are $twice"; done | tee "$work/twice"
[ ! -s "$work/twice" ] || fail=1

find src include tests verify docs examples scripts .ci CMakeLists.txt README.md CONTRIBUTING.md -type f \
    \( -name '*.[ch]' -o -name '*.md' -o -name '*.yaml' -o -name '*.py' -o -name '*.sh' -o -name '*.js' -o -name '*.mjs' -o -name '*.txt' -o -name run \) \
    ! -name '*citations.sh' | sort >"$work/files"

# Sections. A paper's are left alone, and a book's after its year; "§2, §5" is of one page; a page may cite itself by § alone.
cat >"$work/sections.awk" <<'AWK'
BEGIN {
    split("D20 L17 Y19 N18 T15 Azéma", list, " ")
    for (i in list) paper[list[i]] = 1
    while ((getline line < headings) > 0) { heading[line] = 1; sub(/ .*/, "", line); page[line] = 1 }
}
function complain(text) { print FILENAME ":" FNR ": " text; bad = 1 }
FNR == 1 { last = ""; own = FILENAME ~ /^docs\// ? FILENAME : ""; sub(/^.*\//, "", own); sub(/\.md$/, "", own) }
{
    rest = $0; name = ""; first = 1
    while (match(rest, /§[0-9]+(\.[0-9]+)*/)) {
        before = substr(rest, 1, RSTART - 1); number = substr(rest, RSTART + 2, RLENGTH - 2) # § is two bytes
        rest = substr(rest, RSTART + RLENGTH)
        if (first && before ~ /^[ *#\/`]*$/) before = last " " # the name ends the line above
        if (first || before !~ /^(, | and | or |-|–| to )$/) {
            name = before ~ / $/ ? before : ""
            sub(/ $/, "", name); sub(/^.*[ (`*"]/, "", name)
        }
        first = 0
        if (name in paper || name ~ /^[12][0-9][0-9][0-9],$/) continue # "Contact mechanics, 1985, §11.5"
        of = name in page ? name : (own in page && name !~ /[A-Z0-9][A-Z0-9]/ ? own : "")
        if (of == "") complain("§" number " is of " (name == "" ? "a page without a name" : "\"" name "\", no page of docs/ with numbered headings"))
        else if (!((of " " number) in heading)) complain(of " §" number " is no heading of docs/" of ".md")
    }
    if ($0 ~ /MECHANICS|DESIGN[ :.]|(^|[^A-Za-z])[Ii]ssue #?[0-9]/) complain("cites what is not in the repository")
    last = $0; sub(/[ \t]*$/, "", last); sub(/^.*[ (`*]/, "", last)
}
END { exit bad }
AWK
xargs awk -v headings="$work/headings" -f "$work/sections.awk" <"$work/files" || fail=1

# Files and functions. `name.c` after `src/room/…` in a line lies in that room, elsewhere in any; in a table, `word` after a file occurs in it.
for page in docs/*.md README.md CONTRIBUTING.md; do
    awk '{ table = /^\|/; n = split($0, part, "`"); for (i = 2; i <= n; i += 2) print FNR, table, part[i]; print FNR, 0, "" }' "$page" |
        while read -r line table text; do
            case $text in
            '') dir= file= ;;
            *' '* | *NAME*) ;; # NAME: of what is to be added
            src/*/ | viewer/ | tests/*/) [ -d "$text" ] || echo "$page:$line: there is no $text"; dir=${text%/} ;;
            src/*.[ch] | tests/*.[ch] | scripts/*.sh | include/*.h)
                ls $text >/dev/null 2>&1 || echo "$page:$line: there is no $text"
                dir=$(dirname "$text") file=$text ;;
            */*.[ch]) [ -e "include/$text" ] || [ -e "src/$text" ] || echo "$page:$line: there is no $text" ;;
            *.[ch])
                if [ "$table" = 1 ] && [ -n "$dir" ]; then file=$dir/$text; else file=$(find src include tests -name "$text" | head -n 1); fi
                [ -n "$file" ] && ls $file >/dev/null 2>&1 || { echo "$page:$line: there is no $text${dir:+ in $dir}"; file=; } ;;
            *[!a-zA-Z0-9_]*) ;;
            *) [ "$table" = 0 ] || [ -z "$file" ] || grep -qw -- "$text" $file || echo "$page:$line: $file has no $text" ;;
            esac
        done
done >"$work/missing"
# A test is named as ctest does.
grep -ohE '\b(unit|physics|property|conformance|fault|fuzz|cli)\.[a-z][a-z0-9_]+\b' docs/*.md README.md CONTRIBUTING.md verify/README.md | sort -u |
    while read -r name; do
        case $name in *.c | *.h) continue ;; esac
        ls tests/"${name%%.*}/${name#*.}".* >/dev/null 2>&1 || echo "the test $name is named in the pages and not there"
    done >>"$work/missing"
grep -ohE '\bdocs/[a-z-]+\.md' $(cat "$work/files") | sort -u | while read -r page; do [ -e "$page" ] || echo "$page is cited and not there"; done >>"$work/missing"
cat "$work/missing"
[ ! -s "$work/missing" ] || fail=1
[ $fail = 0 ] && echo "citations are in order"
exit $fail
