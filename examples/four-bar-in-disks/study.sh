#!/bin/sh
# 20 s of motion in each configuration at 0, 5, 8, 12 and 25 Hz, solved to the tolerance: the table and the plot of the README.   study.sh TALUS OUT
set -eu
talus=$1 out=$2
here=$(dirname "$0")
mkdir -p "$out"
for config in config1 config2; do
    for frequency in 0 5 8 12 25; do
        dir="$out/$config-$frequency"
        [ -f "$dir/summary.json" ] && grep -q '"status": "done"' "$dir/summary.json" && continue
        "$talus" run "$here/$config.yaml" -o "$dir" --set vibration.frequency=$frequency --set solver.max_iterations=1000 --force --quiet
    done
done
# Peak of |bar_elongation| in each revolution of the crank (4 s), its mean and spread over the five; compactness and how the solver fared.
for config in config1 config2; do
    for frequency in 0 5 8 12 25; do
        dir="$out/$config-$frequency"
        awk -F, -v config=$config -v frequency=$frequency '
            NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
            $1 < 1.5 { next }
            { r = int(($1 - 1.5) / 4); e = $column["bar_elongation"]; if (e < 0) e = -e; if (e > peak[r]) peak[r] = e
              if ($column["penetration"] > pen) pen = $column["penetration"]; c += $column["compactness"]; n++ }
            END { for (r = 0; r < 5; r++) { m += peak[r] / 5; q += peak[r] * peak[r] / 5; list = list sprintf(" %6.2f", 1e3 * peak[r]) }
                  printf "%s %4s Hz  peaks [mm]%s  mean %6.2f  spread %5.2f  compactness %.3f  penetration %.1f um\n",
                         config, frequency, list, 1e3 * m, 1e3 * sqrt(q > m * m ? q - m * m : 0), c / n, 1e6 * pen }' "$dir/series.csv"
    done
done | tee "$out/table.txt"
for config in config1 config2; do
    for frequency in 0 5 8 12 25; do
        printf '%s %2s Hz: ' $config $frequency
        tr -d '\n' <"$out/$config-$frequency/summary.json" | sed 's/.*"wall_seconds": \([0-9.]*\).*"iterations_mean": \([0-9.]*\).*"unconverged_steps": \([0-9]*\).*"residual_max": \([0-9.e-]*\).*"penetration_max": \([0-9.e-]*\).*/wall \1 s, sweeps \2, unconverged \3, residual \4, penetration \5/'
        echo
    done
done
# The plot of the README, where gnuplot is installed.
command -v gnuplot >/dev/null || exit 0
for config in config1 config2; do # frequency, then the five peaks in mm
    awk -v config=$config '$1 == config { print $2, $6, $7, $8, $9, $10 }' "$out/table.txt" >"$out/$config.dat"
done
gnuplot <<EOF
set terminal svg size 640,360 font "sans,12" background "white"
set output "$out/peaks.svg"
set xlabel "vibration of the box, Hz"
set ylabel "peak elongation of the bar per revolution, mm"
set xrange [-1.5:27]
set yrange [0:*]
set grid ytics
set key top right
mean(i) = (column(2) + column(3) + column(4) + column(5) + column(6)) / 5
plot for [k = 2:6] "$out/config1.dat" using (\$1 - 0.25):k with points pt 7 ps 0.45 lc rgb "#9db8d9" notitle, \
     for [k = 2:6] "$out/config2.dat" using (\$1 + 0.25):k with points pt 7 ps 0.45 lc rgb "#e8b79b" notitle, \
     "$out/config1.dat" using (\$1 - 0.25):(mean(0)) with linespoints pt 7 lw 2 lc rgb "#2b5c99" title "configuration 1: bar BC, mean of five", \
     "$out/config2.dat" using (\$1 + 0.25):(mean(0)) with linespoints pt 7 lw 2 lc rgb "#c05a1f" title "configuration 2: bar AB, mean of five"
EOF
