#!/bin/sh
# The machine with laws, with hydraulics, and the asynchronous one, at 35 Hz in the same stones: small ones in two packings, or more than 5000. The README's
# tables and plot.
#   hydraulics.sh TALUS OUT [small|full] [THREADS]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
talus=$(command -v "$1" || true)
[ -n "$talus" ] || { echo "hydraulics.sh: there is no program '$1'" >&2; exit 2; }
case $talus in /*) ;; *) talus=$PWD/$talus ;; esac
out=$2 size=${3:-small} threads=${4:-1}
case $size in
small) packings="1 2" scenes="small hydraulic-small eccentric-small" ;;
full) packings=1 scenes="dynamic hydraulic eccentric" ;;
*) echo "hydraulics.sh: small or full, not '$size'" >&2; exit 2 ;;
esac
mkdir -p "$out"
cd "$out"
finished() { [ -f "out/$1/summary.json" ] && grep -q '"status": "done"' "out/$1/summary.json"; }
run() { # NAME SCENE SETTINGS…
    name=$1 scene=$2
    shift 2
    finished "$name" || "$talus" run "$here/$scene.yaml" -o "out/$name" -t "$threads" --force --quiet "$@"
}
for packing in $packings; do
    from=pour-$packing
    if [ "$size" = small ]; then run "$from" small-pour --set "grains.ballast.seed=$packing"
    else
        run full-pour pour
        from=full-prepared
        run $from prepare --set grains.ballast.from=out/full-pour
    fi
    for scene in $scenes; do
        run "$scene-$packing" "$scene" --set flywheel.frequency=35 --set "grains.ballast.from=out/$from"
    done
done
# Depth of the chassis since the diving began; over the last half second force of the cylinders, speed, moment and power of the shaft, swing of a tine
# against the chassis (√2 times its deviation from its mean over a turn); how far the tines came in, each, since 1.3 s; compactness under the sleeper.
printf '%-18s %6s %6s %7s %7s %7s %7s %7s %7s %7s %7s %7s %7s %7s\n' '' 0.3s 0.8s force most shaft least moment power swing tine filled wall residual
printf '%-18s %6s %6s %7s %7s %7s %7s %7s %7s %7s %7s %7s %7s %7s\n' '' mm mm kN kN rad/s rad/s 'N m' kW mm mm '' s m/s
for packing in $packings; do for scene in $scenes; do
    name=$scene-$packing
    number() { sed -n "s/.*\"$1\": \\([0-9.e+-]*\\).*/\\1/p" "out/$name/summary.json"; }
    awk -F, -v name=$name -v wall="$(number wall_seconds)" -v mean="$(number residual_mean)" '
        NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; force = "actuator_force" in c ? "actuator_force" : "left_squeeze"; next }
        $1 < 0.4 { top = $c["chassis_height"] }
        $1 < 0.7 { soon = top - $c["chassis_height"] }
        $1 < 1.2 { depth = top - $c["chassis_height"] }
        { x = $c["tine_x"]; if ("right_tine_x" in c) x = (x - $c["right_tine_x"]) / 2 } # tied arms move alike
        $1 >= 1.24 && $1 < 1.3 { open += x; o++ }
        $1 >= 1.94 { shut += x; s++ }
        $1 >= 0.5 { if (!least || $c["shaft_speed"] < least) least = $c["shaft_speed"] }
        $1 >= 1.5 { n++; f += $c[force]; if ($c[force] > most) most = $c[force]; w += $c["shaft_speed"]; m += $c["shaft_moment"]
                    p += $c["shaft_speed"] * $c["shaft_moment"]; filled = $c["filled"]
                    a += $c["arm_angle"]; aa += $c["arm_angle"] ^ 2
                    if (++k == 57) { v += aa / k - (a / k) ^ 2; turns++; a = aa = k = 0 } }
        END { printf "%-18s %6.0f %6.0f %7.1f %7.1f %7.1f %7.1f %7.1f %7.2f %7.2f %7.1f %7.3f %7.0f %7.1e\n", name, 1e3 * soon, 1e3 * depth, f / n / 1e3, most / 1e3,
                     w / n, least, m / n, p / n / 1e3, 750 * sqrt(2 * v / turns), 1e3 * (shut / s - open / o), filled, wall, mean }' "out/$name/series.csv"
done; done | tee "hydraulics-$size.txt"
[ "$size" = small ] || exit 0
command -v gnuplot >/dev/null || exit 0
curves() { # COLUMN FACTOR TITLE RUN …
    while [ $# -gt 3 ]; do
        printf "'out/%s/series.csv' every 4 using (column('time')):(column('%s')*%s) with lines lw 1.2 title '%s', " "$4" "$1" "$2" "$3"
        shift 4
    done
}
gnuplot <<EOF
set datafile separator ","
set terminal svg size 760,1100 font "sans,12" background "white"
set output "hydraulics.svg"
set multiplot layout 5,1
set grid
set xrange [0:2]
set key outside right samplen 2 width -2
set ylabel "chassis, m"
plot $(curves chassis_height 1 laws small-1 chassis_height 1 hydraulics hydraulic-small-1 chassis_height 1 asynchronous eccentric-small-1)
set ylabel "shaft, rad/s"
set yrange [190:240]
plot $(curves shaft_speed 1 laws small-1 shaft_speed 1 hydraulics hydraulic-small-1 shaft_speed 1 asynchronous eccentric-small-1)
set autoscale y
set ylabel "squeezing, kN"
plot $(curves actuator_force 1e-3 laws small-1 actuator_force 1e-3 hydraulics hydraulic-small-1)
set ylabel "hydraulics, MPa"
plot $(curves v 1e-6 shaft hydraulic-small-1 lift_cap 1e-6 'lift, cap' hydraulic-small-1 squeeze_cap 1e-6 'squeeze, cap' hydraulic-small-1)
set ylabel "asynchronous, MPa"
set xlabel "time, s"
plot $(curves left_cap 1e-6 'left, cap' eccentric-small-1 right_cap 1e-6 'right, cap' eccentric-small-1 v 1e-6 shaft eccentric-small-1 lift_cap 1e-6 'lift, cap' eccentric-small-1)
unset multiplot
EOF
