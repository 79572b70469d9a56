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
# In elastic ground one blow is as another: three.
run elastic penetrometer --set strength=1000 --until 2.52
run elastic-rock rock --set strength=1000 --until 2.52
# The weight meets the rod 37 ms after 0.7 s and each 0.6 s later. The tip before a blow is its mean over 40 ms until 17 ms before that.
for name in soil soil-rock elastic elastic-rock; do
    awk -F, -v name=$name '
        NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
        { n = int(($1 - 0.68) / 0.6 + 1e-6); tip = $c["tip"] }
        $1 < 0.68 { next }
        $1 - 0.6 * n < 0.72 { sum[n] += tip; count[n]++; rock[n] = "rock" in c ? $c["rock"] : 0; next }
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
set terminal svg size 840,640 font "sans,13" background "white"
set output "penetrometer.svg"
set multiplot layout 2,1
set grid lc rgb "#e4e4e4"
set xrange [0:4.92]
set ylabel "tip of the cone, mm"
set yrange [-110:5]
set key top right samplen 2
set arrow from graph 0, first -100 to graph 1, first -100 nohead lc rgb "#777777" dt 2
set label "the rock begins" at 0.08, -104.5 tc rgb "#777777"
plot 'soil/series.csv' using (column('time')):(1e3*column('tip')) with lines lw 1.6 lc rgb '#8fb0d6' title 'soil', \
     'soil-rock/series.csv' using (column('time')):(1e3*column('tip')) with lines lw 1.6 lc rgb '#12294a' title 'soil, rock', \
     'elastic/series.csv' using (column('time')):(1e3*column('tip')) with lines lw 1.2 lc rgb '#eeb68a' title 'elastic', \
     'elastic-rock/series.csv' using (column('time')):(1e3*column('tip')) with lines lw 1.2 lc rgb '#b0480e' title 'elastic, rock'
unset arrow
unset label
unset key
set ylabel "force of the ground on the cone, kN"
set yrange [0:*]
set xlabel "time, s"
plot 'elastic-rock/series.csv' using (column('time')):(1e-3*column('force')) with lines lw 1.2 lc rgb '#b0480e', \
     'elastic/series.csv' using (column('time')):(1e-3*column('force')) with lines lw 1.2 lc rgb '#eeb68a', \
     'soil-rock/series.csv' using (column('time')):(1e-3*column('force')) with lines lw 1.6 lc rgb '#12294a', \
     'soil/series.csv' using (column('time')):(1e-3*column('force')) with lines lw 1.6 lc rgb '#8fb0d6'
unset multiplot
EOF
