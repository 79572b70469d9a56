#!/bin/sh
# All models at several steps: what the README's table shows.   study.sh TALUS OUT
set -eu
talus=$1 out=$2
here=$(dirname "$0")
mkdir -p "$out"
printf '%-18s %6s %14s %14s %18s %18s\n' model 'h [s]' '|y| - 1 mm [um]' 'slider_y [um]' 'crank_angle [mrad]' 'hinges apart [um]'
run() {
    "$talus" run "$here/$1.yaml" -o "$out/$1-$2" --set time.step="$2" --set output.series.every=1e-4 --force --quiet
    awk -F, -v model="$1" -v step="$2" '
        function magnitude(x) { return x < 0 ? -x : x }
        function most(a, b) { return a > b ? a : b }
        FNR == 1 { for (i = 1; i <= NF; i++) { sub(/ .*/, "", $i); column[NR == FNR ? "events " $i : $i] = i }; next }
        { key = sprintf("%.5f", $1) }
        NR == FNR { y[key] = $column["events y"]; angle[key] = $column["events crank"]; next }
        key in y { v = $column["slider_y"]; a = $column["crank_angle"]; over = most(over, magnitude(v) - 1e-3)
                   dy = most(dy, magnitude(v - y[key])); dc = most(dc, magnitude(a - angle[key]))
                   apart = most(apart, magnitude(v - 0.153 * sin(a) - 0.306 * sin($column["rod_angle"]))) }
        END { printf "%-18s %6s %14.3f %14.2f %18.3f %18.3f\n", model, step, over * 1e6, dy * 1e6, dc * 1e3, apart * 1e6 }' \
        "$here/../../verify/slider-crank/reference.csv" "$out/$1-$2/series.csv"
}
for model in chain loop-xy loop-y; do for step in 1e-4 1e-5 1e-6; do run $model $step; done; done
for step in 1e-5 5e-6 2e-6 1e-6; do run bodies $step; done
for step in 1e-4 1e-5; do run bodies-held $step; done
for step in 1e-4 1e-5 1e-6; do run generalized-alpha $step; done
