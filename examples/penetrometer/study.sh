#!/bin/sh
# N18 Fig. 12: ground that yields and elastic ground, without and with a rock in it: a table of the blows, and a plot.   study.sh TALUS OUT [THREADS]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
talus=$(command -v "$1" || true)
[ -n "$talus" ] || { echo "study.sh: there is no program '$1'" >&2; exit 2; }
case $talus in /*) ;; *) talus=$PWD/$talus ;; esac
out=$2 threads=${3:-1}
mkdir -p "$out"
cd "$out"
run() { # NAME SCENE SETTINGS…
    name=$1 scene=$2
    shift 2
    { [ -f "$name/summary.json" ] && grep -q '"status": "done"' "$name/summary.json"; } ||
        "$talus" run "$here/$scene.yaml" -o "$name" -t "$threads" --force --quiet "$@"
}
run soil penetrometer
run soil-rock rock
# In elastic ground the rod jumps, and has twice the time to come to rest.
run elastic penetrometer --set strength=1000 --set period=1.2 --until 3.12
run elastic-rock rock --set strength=1000 --set period=1.2 --until 3.12
# The weight meets the rod at 0.737 s, and each period later. The tip before a blow is its mean over 40 ms until 17 ms before that.
for name in soil soil-rock elastic elastic-rock; do
    case $name in elastic*) period=1.2 ;; *) period=0.6 ;; esac
    awk -F, -v name=$name -v period=$period '
        NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
        { n = int(($1 - 0.68) / period + 1e-6); tip = $c["tip"] }
        $1 < 0.68 { next }
        $1 - period * n < 0.72 { sum[n] += tip; count[n]++; rock[n] = "rock" in c ? $c["rock"] : 0; next }
        { if (!(n in low) || tip < low[n]) low[n] = tip; if ($c["force"] > force[n]) force[n] = $c["force"] }
        "touch" in c && $c["touch"] > touch { touch = $c["touch"] }
        END {
            for (n = 0; n + 1 in sum; n++) {
                before = sum[n] / count[n]; after = sum[n + 1] / count[n + 1]
                printf "%-12s blow %d  tip at %5.1f mm", name, n + 1, -1e3 * before
                if ("rock" in c) printf ", %5.1f mm above the rock", 1e3 * (before - rock[n] - 0.15)
                printf "  deepest %5.1f mm  goes %5.1f mm on  peak %4.0f N\n", -1e3 * low[n], 1e3 * (before - after), force[n]
            }
            if ("touch" in c) printf "%-12s force between cone and rock: %.0f N at most\n", name, touch
        }' "$name/series.csv"
done | tee table.txt
command -v gnuplot >/dev/null || exit 0
gnuplot <<EOF
set datafile separator ","
set terminal svg size 760,900 font "sans,13" background "white"
set output "penetrometer.svg"
set multiplot layout 3,1
set grid lc rgb "#e4e4e4"
set key samplen 2
set lmargin 10
set xrange [0:4.92]
set xlabel "time, s"
set ylabel "tip of the cone, mm"
set yrange [-125:5]
set arrow from graph 0, first -100 to graph 1, first -100 nohead lc rgb "#777777" dt 2
set label "here the rock begins" at 0.1, -110 tc rgb "#777777"
plot 'soil/series.csv' using (column('time')):(1e3*column('tip')) with lines lw 1.8 lc rgb '#8fb0d6' title 'soil', \
     'soil-rock/series.csv' using (column('time')):(1e3*column('tip')) with lines lw 1.8 lc rgb '#12294a' title 'soil with a rock'
unset arrow
unset label
set ylabel "force on the cone, kN"
set yrange [0:5]
set key top left
plot 'soil/series.csv' using (column('time')):(1e-3*column('force')) with lines lw 1.8 lc rgb '#8fb0d6' title 'soil', \
     'soil-rock/series.csv' using (column('time')):(1e-3*column('force')) with lines lw 1.2 lc rgb '#12294a' title 'soil with a rock'
first(t, x) = t > 0.73 && t < 0.8 ? x : 1/0
set xlabel "depth of the tip, mm"
set xrange [0:20]
set yrange [0:3.2]
plot 'elastic/series.csv' using (-1e3*column('tip')):(first(column('time'), 1e-3*column('force'))) with linespoints pt 7 ps 0.4 lw 1.8 lc rgb '#eeb68a' \
         title 'elastic, first blow', \
     'elastic-rock/series.csv' using (-1e3*column('tip')):(first(column('time'), 1e-3*column('force'))) with linespoints pt 7 ps 0.4 lw 1.8 lc rgb '#b0480e' \
         title 'elastic with a rock'
unset multiplot
EOF
