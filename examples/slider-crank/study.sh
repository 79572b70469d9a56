#!/bin/sh
# The three models at three steps: what the README's table shows.   study.sh TALUS OUT
set -eu
talus=$1 out=$2
here=$(dirname "$0")
mkdir -p "$out"
for model in chain loop-xy loop-y; do
    for step in 1e-4 1e-5 1e-6; do
        "$talus" run "$here/$model.yaml" -o "$out/$model-$step" --set time.step=$step --set output.series.every=1e-4 --force --quiet
    done
done
# Drift: how far slider_y passes the clearance of 1 mm; and the difference from the same model at 1e-6.
printf '%-8s %8s %16s %16s %18s\n' model step '|y| - 1 mm [um]' 'dy [um]' 'dcrank [mrad]'
for model in chain loop-xy loop-y; do
    for step in 1e-4 1e-5 1e-6; do
        awk -F, -v model=$model -v step=$step -v um=1e6 '
            FNR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
            { key = sprintf("%.5f", $1) }
            NR == FNR { y[key] = $column["slider_y"]; angle[key] = $column["crank_angle"]; next }
            { v = $column["slider_y"]; a = v < 0 ? -v : v; if (a - 1e-3 > drift) drift = a - 1e-3
              if (key in y) { d = v - y[key]; if (d < 0) d = -d; if (d > dy) dy = d
                              c = $column["crank_angle"] - angle[key]; if (c < 0) c = -c; if (c > dc) dc = c } }
            END { printf "%-8s %8s %16.3f %16.3f %18.4f\n", model, step, drift * um, dy * um, dc * 1e3 }' \
            "$out/$model-1e-6/series.csv" "$out/$model-$step/series.csv"
    done
done
