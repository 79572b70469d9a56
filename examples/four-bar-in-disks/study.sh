#!/bin/sh
# 20 s of motion in each configuration at 0, 5, 8, 12 and 25 Hz: the table and the plot of the README.   study.sh TALUS OUT
set -eu
talus=$1 out=$2
here=$(dirname "$0")
mkdir -p "$out"
for config in config1 config2; do
    for frequency in 0 5 8 12 25; do
        dir="$out/$config-$frequency"
        [ -f "$dir/summary.json" ] && grep -q '"status": "done"' "$dir/summary.json" && continue
        "$talus" run "$here/$config.yaml" -o "$dir" --set vibration.frequency=$frequency --quiet
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
