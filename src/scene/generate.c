/* Groups of grains: where each one begins. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/math.h"
#include "scene/grain_kind.h"

/* ---- generators --------------------------------------------------------------------------------------------------- */

static bool two_corners(tl_builder *b, const tl_node *node, double region[4])
{
    const tl_node *points = tl_node_get(node, "region");
    double a[3] = {0}, c[3] = {0};
    if (!points || points->kind != NODE_LIST || points->count != 2) {
        tl_mistake_key(&b->scene->mistakes, TALUS_INPUT, points ? points : node, "a region has two corners: region: [[x0, y0], [x1, y1]]");
        return false;
    }
    tl_vector(b, points->item[0], "m", a);
    tl_vector(b, points->item[1], "m", c);
    region[0] = fmin(a[0], c[0]), region[1] = fmin(a[1], c[1]), region[2] = fmax(a[0], c[0]), region[3] = fmax(a[1], c[1]);
    return true;
}

/* Rows from the bottom up, each filled from a random start; nothing overlaps, everything is near to falling into place. */
static talus_status drop_plane(tl_builder *b, tl_grain_kind *k, const talus_world *settled)
{
    double region[4];
    if (!two_corners(b, k->node, region)) return TALUS_INPUT;
    const tl_node *count_node = tl_node_get(k->node, "count");
    const int wanted = (int)tl_quantity(b->r, count_node, "", 0, false);
    const double slack = 0.02 * k->high, pitch = 2 * k->high + slack;
    const double far = fmax(fmax(fabs(region[0]), fabs(region[2])), fmax(fabs(region[1]), fabs(region[3])));
    int placed = 0;
    int64_t tries = 10000000 + 1000 * (int64_t)wanted; /* a region may be endless, and all of it taken */
    if (far > 1e9 * k->high) {
        tl_mistake_key(&b->scene->mistakes, TALUS_INPUT, count_node ? count_node : k->node,
                       "grains of %g m do not fit into numbers as large as this region's %g m; move it nearer to the origin", k->high, far);
        return TALUS_INPUT;
    }
    if (wanted < 1) {
        tl_mistake_key(&b->scene->mistakes, TALUS_INPUT, k->node, "'count' is missing here: how many grains to drop");
        return TALUS_INPUT;
    }
    for (double y = region[1] + k->high; y + k->high <= region[3] && placed < wanted && tries > 0; y += pitch) {
        double x = region[0] + tl_random_uniform(&k->random, 0, k->high);
        while (placed < wanted && tries-- > 0) {
            TL_TRY(tl_grain_draw(b, k, 0));
            const double r = k->radius, lift = tl_random_uniform(&k->random, 0, k->high - r), at[3] = {x + r, y - k->high + r + lift, 0};
            if (x + 2 * r > region[2]) break;
            if (tl_clearance(settled, at, r + slack) >= r + slack) {
                TL_TRY(tl_grain_add(b, k, at));
                placed++;
                x += 2 * r + slack;
            } else x += 0.25 * r;
        }
    }
    if (placed == wanted) return TALUS_OK;
    tl_mistake_key(&b->scene->mistakes, TALUS_INPUT, count_node, "only %d of the %d grains fit into the region; enlarge it, or ask for fewer", placed, wanted);
    return TALUS_INPUT;
}

static talus_status lattice(tl_builder *b, tl_grain_kind *k)
{
    const tl_node *node = k->node;
    const int rows = (int)tl_quantity(b->r, tl_node_get(node, "rows"), "", 0, false),
              columns = (int)tl_quantity(b->r, tl_node_get(node, "columns"), "", 0, false);
    const int layers = k->planar ? 1 : (int)tl_quantity(b->r, tl_node_get(node, "layers"), "", 1, false), dimension = k->planar ? 2 : 3;
    const double spacing = tl_quantity(b->r, tl_node_get(node, "spacing"), "m", 0, false),
                 jitter = tl_quantity(b->r, tl_node_get(node, "jitter"), "m", 0, false);
    const bool hexagonal = strcmp(tl_word(node, "pattern", "square"), "hexagonal") == 0;
    double origin[3] = {0};
    tl_vector(b, tl_node_get(node, "origin"), "m", origin);
    if (rows < 1 || columns < 1 || !(spacing > 0) || (double)rows * columns * layers > 1e8) {
        tl_mistake_key(&b->scene->mistakes, TALUS_INPUT, node, "a lattice needs rows, columns%s and spacing", k->planar ? "" : ", layers");
        return TALUS_INPUT;
    }
    for (int l = 0; l < layers; l++)
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < columns; j++) {
                const double cell[3] = {j + (hexagonal && i % 2 ? 0.5 : 0), i, l};
                double x[3] = {0};
                for (int c = 0; c < dimension; c++) {
                    const double along = hexagonal && c == 1 ? spacing * cell[c] * sqrt(0.75) : spacing * cell[c];
                    x[c] = origin[c] + along + tl_random_uniform(&k->random, -jitter, jitter);
                }
                TL_TRY(tl_grain_draw(b, k, 0));
                TL_TRY(tl_grain_add(b, k, x));
            }
    return TALUS_OK;
}

static talus_status listed(tl_builder *b, tl_grain_kind *k)
{
    const tl_node *positions = tl_node_get(k->node, "positions");
    if (!positions || positions->kind != NODE_LIST) {
        tl_mistake_key(&b->scene->mistakes, TALUS_INPUT, k->node, "'positions' is missing here: [%s, …]", k->planar ? "[x, y]" : "[x, y, z]");
        return TALUS_INPUT;
    }
    for (int i = 0; i < positions->count; i++) {
        double p[3] = {0};
        tl_vector(b, positions->item[i], "m", p);
        TL_TRY(tl_grain_draw(b, k, 0));
        TL_TRY(tl_grain_add(b, k, p));
    }
    return TALUS_OK;
}

/* All in one place: they are absent until they are put elsewhere. */
static talus_status source(tl_builder *b, tl_grain_kind *k)
{
    double at[3];
    int count;
    TL_TRY(tl_build_source_place(b, k->node, at, &count));
    for (int i = 0; i < count; i++) {
        TL_TRY(tl_grain_draw(b, k, 0));
        TL_TRY(tl_grain_add(b, k, at));
    }
    return TALUS_OK;
}

static talus_status build_group(tl_builder *b, const tl_node *node, const talus_world *settled)
{
    const char *generator = tl_word(node, "generator", "");
    tl_grain_kind kind;
    if (strcmp(generator, "settled") == 0) return tl_build_settled(b, node, settled);
    if (tl_node_get(node, "repeat")) {
        tl_mistake_key(&b->scene->mistakes, TALUS_INPUT, tl_node_get(node, "repeat"), "the generator '%s' has no 'repeat'; 'settled' has", generator);
        return TALUS_INPUT;
    }
    if (strcmp(generator, "fill") == 0) return tl_build_filling(b, node, settled);
    if (strcmp(generator, "table") == 0) return tl_build_table(b, node);
    TL_TRY(tl_grain_read(b, node, NULL, &kind));
    if (b->parks) return source(b, &kind);
    if (strcmp(generator, "drop") == 0) return kind.planar ? drop_plane(b, &kind, settled) : tl_drop_space(b, &kind, settled);
    return strcmp(generator, "lattice") == 0 ? lattice(b, &kind) : listed(b, &kind);
}

talus_status tl_build_grains(tl_builder *b, const talus_world *settled)
{
    const tl_node *grains = tl_node_get(b->scene->root, "grains");
    const int groups = grains && grains->kind == NODE_MAP ? grains->count : 0;
    b->scene->groups = tl_arena_zero(b->scene->arena, (size_t)groups + 1, sizeof *b->scene->groups);
    if (!b->scene->groups) return TALUS_MEMORY;
    b->scene->group_count = groups;
    for (int i = 0; i < groups; i++) {
        const tl_node *node = grains->item[i];
        const int first = talus_body_count(b->world);
        b->parks = strcmp(tl_word(node, "generator", ""), "source") == 0;
        b->changes = tl_exchange_changes(b, node->key);
        TL_TRY(build_group(b, node, settled));
        b->scene->groups[i] = (tl_group){node->key, first, talus_body_count(b->world) - first};
        TL_TRY(talus_world_name_group(b->world, node->key, b->scene->groups[i].count));
    }
    return TALUS_OK;
}
