#!/bin/sh
# The force of a tyre over its slip, and that of the brush model: a table and a plot.   study.sh TALUS OUT [THREADS]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
talus=$(command -v "$1" || true)
[ -n "$talus" ] || { echo "study.sh: there is no program '$1'" >&2; exit 2; }
case $talus in /*) ;; *) talus=$PWD/$talus ;; esac
out=$2 threads=${3:-1}
mkdir -p "$out"
cd "$out"
{ [ -f slip/summary.json ] && grep -q '"status": "done"' slip/summary.json; } || "$talus" run "$here/slip.yaml" -o slip -t "$threads" --force --quiet
# Means over two pitches of the tread, 0.0618 m each, 0.0618 s; the slip is that of half a patch before, 0.1 s. brush: F = mu Fz (1 - l^3), l = 1 - C s/(3 mu Fz).
awk -F, '
    NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
    $1 < 1 { next }
    {
        n = int(($1 - 1) / 0.0618 + 1e-9)
        force[n] += -$c["force"]; load[n] += 94 * 9.81 - $c["load"]; kappa[n] += 0.02 * ($1 - 1.1); count[n]++
    }
    END {
        for (n = 2; n in count && count[n] > 11; n++) {
            k = kappa[n] / count[n]; s = k / (1 + k); F = load[n] / count[n]
            l = 1 - 200e3 * s / (3 * 0.8 * F); if (l < 0) l = 0
            printf "%.5f %.1f %.1f %.1f\n", k, force[n] / count[n], 0.8 * F * (1 - l ^ 3), F
        }
    }' slip/series.csv >slip.txt
awk 'NR % 16 == 1 { printf "slip %5.3f: %6.0f N, brush model %6.0f N, load %6.0f N\n", $1, $2, $3, $4 }' slip.txt
command -v gnuplot >/dev/null || exit 0
gnuplot <<EOF
set terminal svg size 640,400 font "sans,13" background "white"
set output "slip.svg"
set grid lc rgb "#e4e4e4"
set key bottom right samplen 2
set xlabel "slip, %"
set ylabel "longitudinal force, kN"
set xrange [0:20]
set yrange [0:18]
plot 'slip.txt' using (100*\$1):(1e-3*\$3) with lines lw 5 lc rgb '#eeb68a' title 'brush model, its closed form', \
     'slip.txt' using (100*\$1):(1e-3*\$2) with points pt 7 ps 0.35 lc rgb '#12294a' title '60 segments that stick and slip'
EOF
