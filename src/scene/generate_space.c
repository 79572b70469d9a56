/* Grains of space dropped into a region. */
#include <math.h>
#include <stdlib.h>

#include "base/math.h"
#include "scene/grain_kind.h"

/* Layer upon layer of a lattice as wide as the largest grain, each grain anywhere in its cell where it fits: nothing overlaps, all falls a little. */
talus_status tl_drop_space(tl_builder *b, tl_grain_kind *k, const talus_world *settled)
{
    const tl_node *points = tl_node_get(k->node, "region"), *count_node = tl_node_get(k->node, "count");
    const int wanted = (int)tl_quantity(b->r, count_node, "", 0, false);
    double a[3] = {0}, c[3] = {0}, low[3], pitch[3], radius, least;
    int cells[3], placed = 0;
    if (!points || points->kind != NODE_LIST || points->count != 2 || wanted < 1) {
        tl_mistake_key(&b->scene->mistakes, TALUS_INPUT, points ? points : k->node,
                       "to drop grains takes a count, and a region of two corners: [[x, y, z], [x, y, z]]");
        return TALUS_INPUT;
    }
    tl_vector(b, points->item[0], "m", a);
    tl_vector(b, points->item[1], "m", c);
    /* the largest of a sample, not of all that could be: cells are not wider than the stones need */
    TL_TRY(tl_grain_sample(b, k, &least, &radius));
    radius *= 1.05;
    for (int i = 0; i < 3; i++) {
        low[i] = fmin(a[i], c[i]);
        const double extent = fabs(a[i] - c[i]), n = floor(extent / (2 * radius));
        cells[i] = n >= 1e6 ? 1000000 : (int)n;
        pitch[i] = i < 2 && cells[i] > 0 ? extent / cells[i] : 2 * radius;
    }
    const double diagonal = 0.5 * sqrt(pitch[0] * pitch[0] + pitch[1] * pitch[1] + pitch[2] * pitch[2]);
    int64_t tries = 20000 + 100 * (int64_t)wanted; /* a region may be endless, and all of it taken */
    for (int l = 0; l < cells[2] && placed < wanted && tries > 0; l++)
        for (int i = 0; i < cells[1] && placed < wanted && tries > 0; i++)
            for (int j = 0; j < cells[0] && placed < wanted && tries > 0; j++, tries--) {
                const int cell[3] = {j, i, l};
                double x[3];
                for (int d = 0; d < 3; d++) x[d] = low[d] + (cell[d] + 0.5) * pitch[d];
                if (tl_clearance(settled, x, 0) < -diagonal) continue; /* behind a wall */
                TL_TRY(tl_grain_draw(b, k, 0));
                if (k->reach > 0.5 * pitch[2]) k->reach = 0.5 * pitch[2]; /* beyond the sample: rare, and contacts part what overlaps a little */
                for (int d = 0; d < 3; d++) {
                    const double room = fmax(0, 0.5 * pitch[d] - k->reach);
                    x[d] = low[d] + (cell[d] + 0.5) * pitch[d] + tl_random_uniform(&k->random, -room, room);
                }
                if (tl_clearance(settled, x, k->reach) < k->reach) continue;
                TL_TRY(tl_grain_add(b, k, x));
                placed++;
            }
    if (placed == wanted) return TALUS_OK;
    tl_mistake_key(&b->scene->mistakes, TALUS_INPUT, count_node, "only %d of the %d grains fit into the region; enlarge it, or ask for fewer", placed, wanted);
    return TALUS_INPUT;
}
