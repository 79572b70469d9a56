#!/bin/sh
# D20 Fig. 10 and 11: 15, 30 and 45 Hz with the machine's dynamics, 15 Hz with the shaking imposed.   study.sh TALUS OUT [THREADS]
set -eu
talus=$1 out=$2 threads=${3:-1}
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$out"
cd "$out" # prepare.yaml and dynamic.yaml find the runs before them in out/
finished() { [ -f "out/$1/summary.json" ] && grep -q '"status": "done"' "out/$1/summary.json"; }
run() { # NAME SCENE SETTINGS…
    name=$1 scene=$2
    shift 2
    finished "$name" || "$talus" run "$here/$scene.yaml" -o "out/$name" -t "$threads" --quiet "$@"
}
run pour pour
run prepare prepare
for frequency in 15 30 45; do run "dynamic-$frequency" dynamic --set "flywheel.frequency=$frequency"; done
run imposed imposed
# What the README's table says: of each run, over its last 50 ms; contacts and how well they were solved.
for name in dynamic-15 dynamic-30 dynamic-45 imposed; do
    finished "$name" || continue
    awk -F, -v name=$name '
        NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
        NR == 2 { top = $c["support_height"]; open = $c["actuator_elongation"] }
        $1 < 1.2 { depth = top - $c["support_height"] }
        { r += $c["residual"]; n++; if ($c["residual"] > worst) worst = $c["residual"]; it += $c["iterations"]; con += $c["contacts"] }
        $1 > 1.95 { s += $c["actuator_elongation"] - open; f += $c["actuator_force"]; h += $c["chassis_height"]; k++ }
        END { printf "%-11s dived %4.0f mm  squeezed %5.1f mm  force %7.0f N  chassis %6.1f mm  contacts %6.0f  sweeps %4.0f  residual %.1e (worst %.1e) m/s\n",
                     name, 1e3 * depth, 1e3 * s / k, f / k, 1e3 * h / k, con / n, it / n, r / n, worst }' "out/$name/series.csv"
done | tee table.txt
command -v gnuplot >/dev/null || exit 0
gnuplot <<EOF
set datafile separator ","
set terminal svg size 640,640 font "sans,12" background "white"
set output "tamping.svg"
set multiplot layout 3,1
set grid
set key top right samplen 2
set xrange [0:2]
colour(k) = word("#8fb0d6 #2b5c99 #12294a #c05a1f", k)
files = "out/dynamic-15 out/dynamic-30 out/dynamic-45 out/imposed"
names = "15~Hz 30~Hz 45~Hz 15~Hz,~imposed"
label(k) = word(names, k)
set ylabel "height of the chassis, m"
plot for [k = 1:4] word(files, k)."/series.csv" using "time":"chassis_height" with lines lw 1.5 lc rgb colour(k) dt (k == 4 ? 2 : 1) title label(k)
set ylabel "elongation of the actuator, m"
set key bottom right
plot for [k = 1:4] word(files, k)."/series.csv" using "time":"actuator_elongation" with lines lw 1.5 lc rgb colour(k) dt (k == 4 ? 2 : 1) notitle
set ylabel "force of the actuator, kN"
set xlabel "time, s"
plot for [k = 1:4] word(files, k)."/series.csv" using "time":(column("actuator_force") / 1e3) smooth sbezier with lines lw 1.5 lc rgb colour(k) dt (k == 4 ? 2 : 1) notitle
unset multiplot
EOF
