/* The granular temperature of grains in a region: how much they move beside their mean. */
#include "base/math.h"
#include "scene/build.h"

/* Σ m v and Σ m ‖v − u‖² of the origins of the grains that count; their mass. */
typedef struct motion {
    double mass, square;
    tl_vec3 momentum;
} motion;

static motion beside(const talus_world *w, const tl_group *g, const tl_probe *p, tl_vec3 u)
{
    static const double ORIGIN[3] = {0, 0, 0};
    const tl_frame axes = tl_probe_axes(w, p);
    motion sum = {0, 0, {0, 0, 0}};
    for (int i = g->first; i < g->first + g->count; i++) {
        const talus_body_id body = talus_body_at(w, i);
        tl_vec3 faster;
        if (!tl_probe_counts_copy(w, &axes, p, body, &faster)) continue;
        double velocity[3], spin[3];
        talus_body_velocity(w, body, ORIGIN, velocity, spin);
        const double m = talus_body_mass(w, body);
        const tl_vec3 v = tl_add(tl_load3(velocity), faster), rest = tl_sub(v, u);
        sum.mass += m;
        sum.momentum = tl_add(sum.momentum, tl_scale(m, v));
        sum.square += m * tl_dot(rest, rest);
    }
    return sum;
}

/* In two passes: of grains that are fast together a difference of squares would leave nothing. */
double tl_probe_temperature(const talus_world *w, const tl_group *g, const tl_probe *p)
{
    const motion all = beside(w, g, p, tl_v3(0, 0, 0));
    if (!(all.mass > 0)) return 0;
    return beside(w, g, p, tl_scale(1 / all.mass, all.momentum)).square / (all.mass * talus_world_dimension(w));
}
