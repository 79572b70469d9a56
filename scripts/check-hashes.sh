#!/bin/sh
# One state, whatever the compiler, the build or the number of threads: the state hashes of a short run must agree.
#   scripts/check-hashes.sh COMMAND...      (talus commands of different builds)
set -eu
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
for scene in "examples/four-bar-in-disks/config1.yaml -u 0.3 --set vibration.frequency=12 --set start=0" "examples/slider-crank/loop-y.yaml -u 0.01" "examples/stones/heap.yaml -u 0.3 --set solver.max_iterations=30" "examples/stones/heap.yaml -u 0.2 --set solver.max_iterations=30 --set integrator.scheme=spook" "examples/soil/roller.yaml -u 0.08 --set solids.ditch.box.elements=[20,8,3]" "examples/ballast-column/stamping.yaml -u 0.2 --set grains.ballast.count=25 --set solids.soil.box.elements=6"; do
    first=""
    for command in "$@"; do
        for threads in 1 2 3 8; do
            # shellcheck disable=SC2086
            "$command" run $scene -o "$out/run" -t $threads --quiet --force
            hash=$(sed -n 's/.*"state_hash": "\([0-9a-f]*\)".*/\1/p' "$out/run/summary.json")
            [ -n "$first" ] || first=$hash
            echo "$hash  $threads threads  $command"
            [ "$hash" = "$first" ] || { echo "the state differs: $hash is not $first ($scene)" >&2; exit 1; }
        done
    done
done
