#!/bin/sh
# D20 Fig. 10 and 11: 15, 30 and 45 Hz with the machine's dynamics, 15 Hz with the shaking imposed, each in several packings: means in a table and a plot.
#   study.sh TALUS OUT [small|full] [rigid|gives] [PACKINGS] [THREADS]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
talus=$(command -v "$1" || true)
[ -n "$talus" ] || { echo "study.sh: there is no program '$1'" >&2; exit 2; }
case $talus in /*) ;; *) talus=$PWD/$talus ;; esac
out=$2 size=${3:-small} law=${4:-rigid} packings=$(seq "${5:-1}") threads=${6:-1}
case $size in
small) pour=small-pour prepare='' dynamic=small imposed=small-imposed ;;
full) pour=pour prepare=prepare dynamic=dynamic imposed=imposed ;;
*) echo "study.sh: small or full, not '$size'" >&2; exit 2 ;;
esac
case $law in
rigid) settings='' ;;
gives) settings='--set integrator.scheme=spook --set interactions.0.stiffness=1e7 --set solver.method=auto' ;; # as small-gives.yaml
*) echo "study.sh: rigid or gives, not '$law'" >&2; exit 2 ;;
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
    from=$pour-$packing
    run "$from" "$pour" --set "grains.ballast.seed=$packing"
    [ -z "$prepare" ] || run "$prepare-$packing" "$prepare" --set "grains.ballast.from=out/$from"
    [ -z "$prepare" ] || from=$prepare-$packing
    for frequency in 15 30 45; do
        run "$size-$law-$frequency-$packing" "$dynamic" $settings --set "flywheel.frequency=$frequency Hz" --set "grains.ballast.from=out/$from"
    done
    run "$size-$law-imposed-$packing" "$imposed" $settings --set "grains.ballast.from=out/$from"
done
# The README's table, means ± standard errors: how deep the chassis has come since diving began; elongation and force over the last 50 ms, and compactness
# under the sleeper; since the diving contacts, sweeps, steps above 1 mm/s, and the error that 95 % of the steps are below.
measure() { # NAME: a line of numbers of each packing
    for packing in $packings; do
        series=out/$size-$law-$1-$packing/series.csv
        awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next } $1 > 0.4 { print $c["residual"] }' "$series" | sort -g |
            awk '{ e[NR] = $1 } END { printf "%g ", 1e3 * e[int(0.95 * NR)] }'
        awk -F, '
            NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
            NR == 2 { open = $c["actuator_elongation"] }
            $1 < 0.4 { top = $c["chassis_height"]; next }
            $1 < 0.7 { soon = top - $c["chassis_height"] }
            $1 < 1.2 { depth = top - $c["chassis_height"] }
            { n++; it += $c["iterations"]; con += $c["contacts"]; above += $c["residual"] > 1.0001e-3 }
            $1 > 1.95 { s += $c["actuator_elongation"] - open; f += $c["actuator_force"]; h += $c["filled"]; k++ }
            END { print 1e3 * soon, 1e3 * depth, 1e3 * s / k, 1e-3 * f / k, 1e2 * h / k, con / n, it / n, 1e2 * above / n }' "$series"
    done
}
for name in 15 imposed 30 45; do
    measure $name | awk -v name=$name '
        { for (i = 1; i <= NF; i++) { sum[i] += $i; square[i] += $i * $i } }
        END {
            for (i = 1; i <= 9; i++) { m[i] = sum[i] / NR; d = square[i] / NR - m[i] * m[i]; b[i] = NR > 1 && d > 0 ? sqrt(d / (NR - 1)) : 0 }
            printf "%-8s dived %4.0f ± %2.0f mm in 0.3 s, %4.0f ± %2.0f mm in 0.8 s  squeezed %5.1f ± %3.1f mm", name, m[2], b[2], m[3], b[3], m[4], b[4]
            printf " with %5.1f ± %.1f kN  filled %.1f ± %.1f %%  contacts %.0f  sweeps %.0f", m[5], b[5], m[6], b[6], m[7], m[8]
            printf "  above 1 mm/s %.1f ± %.1f %% of steps, 95 %% below %.2f mm/s\n", m[9], b[9], m[1]
        }'
done | tee "$size-$law-table.txt"
command -v gnuplot >/dev/null || exit 0
for name in 15 30 45 imposed; do # means over packings and their standard errors, every 50 ms; the force is that of the 50 ms
    for packing in $packings; do
        awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
                 NR == 2 { open = $c["actuator_elongation"] }
                 $1 > 0 { s += $c["actuator_force"]; k++ }
                 k == 100 { print $1, $c["chassis_height"], $c["actuator_elongation"] - open, s / k; s = k = 0 }' "out/$size-$law-$name-$packing/series.csv"
    done | awk '
        { t = sprintf("%.2f", $1); n[t]++; for (i = 2; i <= 4; i++) { m[t, i] += $i; q[t, i] += $i * $i } }
        END {
            for (t in n) {
                printf "%s", t
                for (i = 2; i <= 4; i++) {
                    a = m[t, i] / n[t]
                    d = q[t, i] / n[t] - a * a
                    bar = n[t] > 1 && d > 0 ? sqrt(d / (n[t] - 1)) : 0
                    printf " %g %g", a, bar
                }
                print ""
            }
        }' | sort -n >"$size-$law-$name.dat"
done
curves() { # COLUMN SCALE TITLES
    by=-6 # side by side, so that bars are told apart [ms]
    for k in "15 #8fb0d6 1" "30 #2b5c99 1" "45 #12294a 1" "imposed #c05a1f 2"; do
        set -- "$1" "$2" "$3" $k
        title=notitle
        [ "$3" = no ] || title="title '$4 Hz'"
        [ "$3" = no ] || [ "$4" != imposed ] || title="title '15 Hz, imposed'"
        printf "'%s-%s-%s.dat' using (column(1)+%d*1e-3):(column(%d)*%s):(column(%d)*%s) with yerrorlines lw 1.3 pt 7 ps 0.2 lc rgb '%s' dt %s %s," \
            "$size" "$law" "$4" $by "$1" "$2" $(($1 + 1)) "$2" "$5" "$6" "$title"
        by=$((by + 4))
    done
}
gnuplot <<EOF
set terminal svg size 640,720 font "sans,12" background "white"
set output "$size-$law-tamping.svg"
set multiplot layout 3,1
set grid
set xrange [0:2]
set key top right samplen 2
set ylabel "height of the chassis, m"
plot $(curves 2 1 titles)
set ylabel "elongation of the actuator, mm"
plot $(curves 4 1e3 no)
set ylabel "force of the actuator, kN"
set xlabel "time, s"
plot $(curves 6 1e-3 no)
unset multiplot
EOF
