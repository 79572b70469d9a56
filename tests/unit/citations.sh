#!/bin/sh
# scripts/check-citations.sh passes a small tree that is in order, and names file and line of every mistake that is put into it; in SOURCE_DIR it
# finds none.
#   citations.sh SOURCE_DIR
set -eu
script=$1/scripts/check-citations.sh
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
cd "$tree"
mkdir -p src/law src/step include/talus tests/physics verify docs examples scripts .ci
touch CMakeLists.txt CONTRIBUTING.md README.md verify/README.md tests/physics/slide.c
echo 'int tl_slide(void);' >src/law/slide.h
cat >docs/theory.md <<'PAGE'
# The theory
## 2. Laws
### 2.1 Sliding
As in §2, D20 §7 and D20 eq. 32; see physics.slide.

| | file |
|---|---|
| what slides | `src/law/slide.h`, `tl_slide` |
PAGE
cat >src/step/step.c <<'PAGE'
/* A step (theory §2.1, §2 and D20 §3.4, eq. 5; docs/theory.md). Sources of the equation are cited as theory
 * §2.1, also over the end of a line. */
PAGE
sh "$script" . >report || { cat report; echo "a tree that is in order is refused"; exit 1; }

failures=0
# expect FILE LINE TEXT: with LINE added to FILE, the check fails, and says TEXT
expect() {
    cp "$1" kept
    echo "$2" >>"$1"
    if sh "$script" . >report; then
        echo "passed: '$2' in $1"; failures=1
    elif ! grep -qF -- "$3" report; then
        echo "'$2' in $1: expected '$3', obtained:"; cat report; failures=1
    fi
    cp kept "$1"
}
expect src/step/step.c '/* theory §2.2 */' 'src/step/step.c:3: theory §2.2 is no heading'
expect src/step/step.c '/* theory §2, §3 */' 'src/step/step.c:3: theory §3 is no heading'
expect src/step/step.c '/* D20 eq. 4, theory §2 and §9 */' 'theory §9 is no heading'
expect src/step/step.c '/* HANDBOOK §2 */' '"HANDBOOK", no page'
expect src/step/step.c '/* (§2) */' 'a page without a name'
expect src/step/step.c '/* the MECHANICS page */' 'src/step/step.c:3: cites what is not in the repository'
expect src/step/step.c '/* as issue 7 asks */' 'cites what is not in the repository'
expect src/step/step.c '/* docs/practice.md */' 'docs/practice.md is cited'
expect docs/theory.md 'By §4.' 'docs/theory.md:9: theory §4 is no heading'
expect docs/theory.md '### 2.1 Again' 'two headings are theory 2.1'
expect docs/theory.md 'In `src/law/roll.h`.' 'docs/theory.md:9: there is no src/law/roll.h'
expect docs/theory.md '| what rolls | `src/law/slide.h`, `tl_roll` |' 'src/law/slide.h has no tl_roll'
expect docs/theory.md '| what rolls | `src/law/slide.h`, `step.c` |' 'there is no step.c in src/law'
expect docs/theory.md 'The room `src/roll/`.' 'there is no src/roll/'
expect docs/theory.md 'Shown by physics.roll.' 'physics.roll is named'
expect verify/README.md 'See theory §5.' 'theory §5 is no heading'
sh "$script" "$1" || failures=1
exit $failures
