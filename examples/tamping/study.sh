#!/bin/sh
# D20 Fig. 10 and 11: 15, 30 and 45 Hz with the machine's dynamics, 15 Hz with the shaking imposed.   study.sh TALUS OUT [small|full] [THREADS]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
talus=$(command -v "$1" || true)
[ -n "$talus" ] || { echo "study.sh: there is no program '$1'" >&2; exit 2; }
case $talus in /*) ;; *) talus=$PWD/$talus ;; esac
out=$2 size=${3:-small} threads=${4:-1}
case $size in
small) pour=small-pour prepare='' dynamic=small imposed=small-imposed prefix=small- ;;
full) pour=pour prepare=prepare dynamic=dynamic imposed=imposed prefix=full- ;;
*) echo "study.sh: small or full, not '$size'" >&2; exit 2 ;;
esac
mkdir -p "$out"
cd "$out" # the scenes find the runs before them in out/
finished() { [ -f "out/$1/summary.json" ] && grep -q '"status": "done"' "out/$1/summary.json"; }
run() { # NAME SCENE SETTINGS…
    name=$1 scene=$2
    shift 2
    finished "$name" || "$talus" run "$here/$scene.yaml" -o "out/$name" -t "$threads" --force --quiet "$@"
}
run "$pour" "$pour"
[ -z "$prepare" ] || run "$prepare" "$prepare"
for frequency in 15 30 45; do run "$prefix$frequency" "$dynamic" --set "flywheel.frequency=$frequency Hz"; done
run "${prefix}imposed" "$imposed"
# The README's table: how deep the chassis has come when the diving ends; the rest over the last 50 ms; contacts and how well they were solved.
for name in 15 30 45 imposed; do
    mean=$(sed -n 's/.*"residual_mean": \([0-9.e+-]*\).*/\1/p' "out/$prefix$name/summary.json")
    awk -F, -v name=$name -v mean="$mean" '
        NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
        NR == 2 { open = $c["actuator_elongation"] }
        $1 < 0.4 { top = $c["chassis_height"] }
        $1 < 0.7 { soon = top - $c["chassis_height"] }
        $1 < 1.2 { depth = top - $c["chassis_height"] }
        { if ($c["residual"] > worst) worst = $c["residual"]; r += $c["residual"]; n++; it += $c["iterations"]; con += $c["contacts"] }
        $1 > 1.95 { s += $c["actuator_elongation"] - open; f += $c["actuator_force"]; h += $c["filled"]; k++ }
        END { printf "%-8s dived %4.0f mm in 0.3 s, %4.0f mm in 0.8 s  squeezed %5.1f mm with %5.1f kN  filled %.3f  contacts %6.0f  sweeps %4.0f  residual %.1e m/s (largest of a step: mean %.1e, worst %.1e)\n",
                     name, 1e3 * soon, 1e3 * depth, 1e3 * s / k, 1e-3 * f / k, h / k, con / n, it / n, mean, r / n, worst }' "out/$prefix$name/series.csv"
done | tee "${prefix}table.txt"
command -v gnuplot >/dev/null || exit 0
curves() { # COLUMN SCALE TITLES
    for k in "15 #8fb0d6 1" "30 #2b5c99 1" "45 #12294a 1" "imposed #c05a1f 2"; do
        set -- "$1" "$2" "$3" $k
        title=notitle
        [ "$3" = no ] || title="title '$4 Hz'"
        [ "$3" = no ] || [ "$4" != imposed ] || title="title '15 Hz, imposed'"
        printf "'out/%s%s/series.csv' every 4 using (column('time')):(column('%s')*%s) with lines lw 1.5 lc rgb '%s' dt %s %s," "$prefix" "$4" "$1" "$2" "$5" "$6" "$title"
    done
}
gnuplot <<EOF
set datafile separator ","
set terminal svg size 640,720 font "sans,12" background "white"
set output "${prefix}tamping.svg"
set multiplot layout 3,1
set grid
set xrange [0:2]
set key top right samplen 2
set ylabel "height of the chassis, m"
plot $(curves chassis_height 1 titles)
set ylabel "elongation of the actuator, mm"
plot $(curves actuator_elongation 1e3 no)
set ylabel "force of the actuator, kN"
set xlabel "time, s"
plot $(curves actuator_force 1e-3 no)
unset multiplot
EOF
