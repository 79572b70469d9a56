/* Machines that drive as benchmarks: scenes of examples/, under names. Whether a vehicle runs as fast as the clock is said by the same numbers as of any
 * scene: how many times real time, its steps by what they took, and the longest one. */
#include <stdio.h>

#include "cli/bench.h"
#include "cli/cli.h"

static const bench_vehicle VEHICLES[] = {
    {"vehicle-bogie", "bogie/ground.yaml"}, {"vehicle-forest", "forest-machine/ground.yaml"}, {"vehicle-ditch", "forest-machine/ditch.yaml"}};

const bench_vehicle *bench_vehicles(int *count)
{
    *count = sizeof VEHICLES / sizeof *VEHICLES;
    return VEHICLES;
}

talus_status bench_measure_vehicle(const bench_vehicle *v, int threads, bench_extent to, bench_scene_result *out, char *message, size_t size)
{
    char folder[4096], path[4200];
    tl_shared_folder(folder, sizeof folder, "examples");
    snprintf(path, sizeof path, "%s/%s", folder, v->file);
    const talus_status status = bench_measure_scene(path, threads, to, out, message, size);
    out->name = v->name;
    return status;
}
