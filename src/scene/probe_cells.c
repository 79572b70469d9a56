/* A box whose cells are a probe each. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "scene/build.h"

enum { MOST_CELLS = 4096 };

int tl_probe_read_cells(tl_builder *b, const tl_node *node, int cells[3])
{
    const tl_node *list = tl_node_get(node, "cells");
    const int dimension = talus_world_dimension(b->world);
    double count = 1;
    for (int k = 0; k < 3; k++) cells[k] = 1;
    if (!list) return 1;
    bool fits = list->kind == NODE_LIST && list->count == dimension;
    for (int k = 0; fits && k < dimension; k++) {
        const double n = tl_quantity(b->r, list->item[k], "", 0, false);
        fits = n >= 1 && n <= MOST_CELLS && n == floor(n);
        cells[k] = fits ? (int)n : 1;
        count *= n;
    }
    fits = fits && count <= MOST_CELLS;
    if (!fits)
        tl_mistake_key(&b->scene->mistakes, TALUS_INPUT, list, "cells are %d whole numbers, how many along each axis, %d together at most", dimension,
                       MOST_CELLS);
    return fits ? (int)count : 0;
}

/* Cell i of a box: its part of the region, and a name of its own, NAME.2 or NAME.2.5 by the axes that are cut. */
static talus_status make_cell(tl_builder *b, const tl_probe *whole, const int cells[3], int i, tl_probe *out)
{
    char name[512];
    int at = snprintf(name, sizeof name, "%.400s", whole->name);
    *out = *whole;
    for (int k = 0; k < 3; k++) {
        const int c = i % cells[k];
        const double low = whole->zone.box.low[k], width = (whole->zone.box.high[k] - low) / cells[k];
        i /= cells[k];
        out->zone.box.low[k] = low + c * width;
        out->zone.next[k] = out->zone.next[k] || c + 1 < cells[k];
        if (c + 1 < cells[k]) out->zone.box.high[k] = low + (c + 1) * width;
        if (cells[k] > 1) at += snprintf(name + at, sizeof name - (size_t)at, ".%d", c + 1);
    }
    char *copy = tl_arena_alloc(b->scene->arena, strlen(name) + 1, 1);
    if (!copy) return TALUS_MEMORY;
    out->name = strcpy(copy, name);
    return TALUS_OK;
}

/* A box as long as the periodic cell is its own next one: what lies in its upper face is in the lower one. */
static void meet_itself(const talus_world *w, tl_zone *z)
{
    double low, high;
    for (int k = 0; z->kind == TL_ZONE_BOX && k < 3; k++)
        z->next[k] = talus_world_periodic(w, k, &low, &high) && fabs(z->box.high[k] - z->box.low[k] - (high - low)) <= 1e-9 * (high - low);
}

static bool keeps_sums(const tl_probe *p) { return strcmp(p->kind->key, "flow") == 0 || strcmp(p->kind->key, "dissipation") == 0; }

talus_status tl_probe_build_cells(tl_builder *b, const tl_node *node, tl_probe *p, const int cells[3], int count)
{
    const bool cut = count > 1;
    meet_itself(b->world, &p->zone);
    const tl_probe whole = *p;
    if (tl_node_get(node, "cells") && (whole.zone.kind != TL_ZONE_BOX || keeps_sums(&whole))) {
        tl_mistake_key(&b->scene->mistakes, TALUS_INPUT, tl_node_get(node, "cells"),
                       "only the box of a probe of grains is cut into cells, and no flow or dissipation");
        return TALUS_INPUT;
    }
    if (cut && whole.over > 0) {
        tl_mistake_key(&b->scene->mistakes, TALUS_UNSUPPORTED, tl_node_get(node, "over"), "a probe of cells has no means over time");
        return TALUS_UNSUPPORTED;
    }
    for (int i = 0; cut && i < count; i++) TL_TRY(make_cell(b, &whole, cells, i, &p[i]));
    return TALUS_OK;
}
