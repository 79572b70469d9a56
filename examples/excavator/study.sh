#!/bin/sh
# The excavator in relative and in maximal coordinates, under moreau and under spook: in the air (at several steps), and in stones.
#   study.sh TALUS OUT [small|full] [THREADS]
# full: relative coordinates under moreau, and with ALL=1 in the environment the other three as well.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
talus=$1 out=$2 size=${3:-small} threads=${4:-1}
case $size in
small) scene=small ;;
full) scene=excavator ;;
*) echo "study.sh: small or full, not '$size'" >&2; exit 2 ;;
esac
mkdir -p "$out"
finished() { [ -f "$out/$1/summary.json" ] && grep -q '"status": "done"' "$out/$1/summary.json"; }
run() { # NAME SCENE COORDINATES SCHEME SETTINGS…
    name=$1 of=$2 coordinates=$3 scheme=$4
    shift 4
    finished "$name" || "$talus" run "$here/$of.yaml" -o "$out/$name" -t "$threads" --force --quiet \
        --set "mechanisms.excavator.coordinates=$coordinates" --set "integrator.scheme=$scheme" "$@"
}
# The columns of a series by their names, and the sum of what valves and pumps have taken.
columns='
    FNR == 1 { for (i = 1; i <= NF; i++) { sub(/ .*/, "", $i); c[$i] = i; if ($i ~ /^w_/) w[$i] = i }; next }
    function lost(  k, sum) { sum = 0; for (k in w) sum += $(w[k]); return sum }
    function most(a, b) { return a > b ? a : b }'
echo "In the air"
printf '%-9s %-7s %6s %12s %12s %12s %12s %16s\n' coordinates scheme h 'teeth z [m]' 'boom [bar]' 'stick [bar]' 'pin 4 [N]' 'balance [J]'
for step in 4 2 1; do
    for coordinates in relative maximal; do for scheme in moreau spook; do
        name=air-$coordinates-$scheme-$step
        run $name machine $coordinates $scheme --set "time.step=$step ms" --set output.frames.every=0.5
        awk -F, -v coordinates=$coordinates -v scheme=$scheme -v step=$step "$columns"'
            FNR == 2 { first = $c["energy"] + $c["damped"] + lost() }
            $1 <= 3.2 + 1e-9 { z = $c["teeth"]; boom = $c["boom_cap"]; stick = $c["stick_cap"]; pin = $c["pin4"] }
            { last = $c["energy"] + $c["damped"] + lost() }
            END { printf "%-9s %-7s %4d ms %12.6f %12.3f %12.3f %12.2f %16.4f\n", coordinates, scheme, step, z, boom / 1e5, stick / 1e5, pin, last - first }' \
            "$out/$name/series.csv"
    done; done
done
echo "In stones"
printf '%-9s %-7s %8s %8s %8s %8s %8s %8s %8s %8s %8s %8s %9s\n' coordinates scheme 'boom' 'stick' 'bucket' 'pin1' 'pin2' 'pin4' 'dug' 'load' 'pumps' 'valves' 'time'
printf '%-9s %-7s %8s %8s %8s %8s %8s %8s %8s %8s %8s %8s %9s\n' '' '' MPa MPa MPa kN kN kN kg kg kJ kJ s
for coordinates in relative maximal; do for scheme in moreau spook; do
    name=$size-$coordinates-$scheme
    [ "$size" = small ] || finished "$name" || [ -n "${ALL:-}" ] || [ "$coordinates-$scheme" = relative-moreau ] || continue
    run $name $scene $coordinates $scheme
    wall=$(sed -n 's/.*"wall_seconds": \([0-9.]*\).*/\1/p' "$out/$name/summary.json")
    awk -F, -v coordinates=$coordinates -v scheme=$scheme -v wall="$wall" "$columns"'
        $1 < 0.6 { next }
        { boom = most(boom, most($c["boom_cap"], $c["boom_rod"])); stick = most(stick, most($c["stick_cap"], $c["stick_rod"]))
          bucket = most(bucket, most($c["bucket_cap"], $c["bucket_rod"]))
          a = most(a, $c["pin1"]); b = most(b, $c["pin2"]); d = most(d, $c["pin4"]); dug = most(dug, $c["load"]); load = $c["load"]
          pumps = -$c["w_pump1"] - $c["w_pump2"]; valves = lost() + pumps }
        END { printf "%-9s %-7s %8.1f %8.1f %8.1f %8.1f %8.1f %8.1f %8.1f %8.1f %8.1f %8.1f %9.0f\n", coordinates, scheme, boom / 1e6, stick / 1e6, bucket / 1e6,
                     a / 1e3, b / 1e3, d / 1e3, dug, load, pumps / 1e3, valves / 1e3, wall }' "$out/$name/series.csv"
done; done
command -v gnuplot >/dev/null || exit 0
cd "$out"
curves() { # COLUMN FACTOR TITLE …, of the run in relative coordinates under moreau
    while [ $# -gt 2 ]; do
        printf "'%s-relative-moreau/series.csv' using (column('time')):(column('%s')*%s) with lines lw 1.5 title '%s', " "$size" "$1" "$2" "$3"
        shift 3
    done
}
gnuplot <<EOF
set datafile separator ","
set terminal svg size 720,960 font "sans,12" background "white"
set output "$size.svg"
set multiplot layout 4,1
set grid
set xrange [0:6]
set key outside right samplen 2 width -2
set ylabel "pressure, MPa"
plot $(curves p1 1e-6 'pump 1' boom_cap 1e-6 'boom, cap' boom_rod 1e-6 'boom, rod' bucket_cap 1e-6 'bucket, cap')
plot $(curves p2 1e-6 'pump 2' stick_cap 1e-6 'stick, cap' stick_rod 1e-6 'stick, rod')
set ylabel "force in pins, kN"
plot $(curves pin1 1e-3 'pin 1' pin2 1e-3 'pin 2' pin3 1e-3 'pin 3' pin4 1e-3 'pin 4')
set ylabel "in the bucket, kg"
set xlabel "time, s"
plot $(curves load 1 'load')
unset multiplot
EOF
