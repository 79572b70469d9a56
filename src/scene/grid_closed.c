/* The mesh of what a closed surface encloses (grid.h): cells of a lattice, moved to it. Where that leaves a cell no form, for all of its corners would lie on
 * the surface, it is left out and what is left is moved anew. */
#include <stdlib.h>
#include <string.h>

#include "scene/closed_cells.h"
#include "scene/grid.h"

enum { ROUNDS = 12 };
static const double FORM = 0.08; /* of a cell that has one: quality */

/* Leaves out cells without form. How many have been left, the last of them, and the first that must stay, for it has no face on the surface; −1: there is none.
 */
static int leave_out(tl_cells *c, int *stays, int *last)
{
    const int stride[3] = {1, c->count[0], c->count[0] * c->count[1]}, all = tl_cells_all(c);
    int count = 0;
    *stays = -1;
    for (int i = 0; i < all; i++) {
        bool free = false;
        if (!c->kept[i] || tl_cell_quality(c, i) >= FORM) continue;
        for (int k = 0; k < c->dimension; k++) free = free || !c->kept[i + stride[k]] || !c->kept[i - stride[k]];
        if (free) c->kept[i] = false, c->turned[i] = true, *last = i, count++;
        else if (*stays < 0) *stays = i;
    }
    return count;
}

static talus_status no_form(const tl_cells *c, int cell, tl_error *error)
{
    int at[3];
    tl_place_of_cell(c, cell, at);
    return tl_fail(error, TALUS_INPUT,
                   "cells of %.4g m cannot follow it at [%.4g, %.4g, %.4g] m without being turned inside out: the spacing is too coarse for its form there",
                   c->spacing, c->low[0] + (at[0] + 0.5) * c->step[0], c->low[1] + (at[1] + 0.5) * c->step[1],
                   c->dimension == 3 ? c->low[2] + (at[2] + 0.5) * c->step[2] : 0);
}

static talus_status shape(tl_cells *c, const tl_sharp *sharp, tl_error *error)
{
    int stays = -1, left = 1, last = 0;
    for (int round = 0; round < ROUNDS && left > 0; round++) {
        TL_TRY(tl_cells_mend(c, error));
        TL_TRY(tl_cells_check(c, error));
        tl_cells_fit(c, sharp);
        left = leave_out(c, &stays, &last);
        if (left == 0 && stays >= 0) return no_form(c, stays, error);
    }
    return left == 0 ? TALUS_OK : no_form(c, last, error);
}

/* ---- into a mesh ---------------------------------------------------------------------------------------------------- */

/* Numbers of corners that kept cells have, in their order, and how many cells there are. */
static int number(const tl_cells *c, int *number_of, int *cells)
{
    int corner[8] = {0}, nodes = 0;
    *cells = 0;
    for (int v = 0; v < tl_corners_all(c); v++) number_of[v] = -1;
    for (int i = 0; i < tl_cells_all(c); i++) {
        const int corners = c->kept[i] ? tl_corners_of_cell(c, i, corner) : 0;
        *cells += c->kept[i];
        for (int b = 0; b < corners; b++) number_of[corner[b]] = 0;
    }
    for (int v = 0; v < tl_corners_all(c); v++)
        if (number_of[v] == 0) number_of[v] = nodes++;
    return nodes;
}

static talus_status put(const tl_cells *c, const int *number_of, tl_arena *arena, tl_grid *g)
{
    static const int ROUND[8] = {0, 1, 3, 2, 4, 5, 7, 6}; /* corners by bits, as elements have them */
    const int nodes = 1 << c->dimension, kind = talus_element_find(c->dimension == 3 ? "hexahedron8" : "quadrilateral4");
    int corner[8] = {0}, count = 0;
    g->x = tl_arena_alloc(arena, (size_t)g->nodes, sizeof *g->x);
    g->site = tl_arena_alloc(arena, (size_t)g->nodes, sizeof *g->site);
    g->kind = tl_arena_alloc(arena, (size_t)g->elements, sizeof *g->kind);
    g->begin = tl_arena_alloc(arena, (size_t)g->elements + 1, sizeof *g->begin);
    g->node = tl_arena_alloc(arena, (size_t)nodes * (size_t)g->elements, sizeof *g->node);
    if (!g->x || !g->site || !g->kind || !g->begin || !g->node) return TALUS_MEMORY;
    for (int v = 0; v < tl_corners_all(c); v++) {
        if (number_of[v] < 0) continue;
        memcpy(g->x[number_of[v]], c->x[v], sizeof *g->x);
        tl_place_of_corner(c, v, g->site[number_of[v]]);
    }
    for (int i = 0; i < tl_cells_all(c); i++) {
        if (!c->kept[i]) continue;
        (void)tl_corners_of_cell(c, i, corner);
        for (int b = 0; b < nodes; b++) g->node[nodes * count + b] = number_of[corner[ROUND[b]]];
        g->begin[count] = nodes * count, g->kind[count++] = (uint8_t)kind;
    }
    g->begin[count] = nodes * count, g->spacing = c->spacing;
    return TALUS_OK;
}

static talus_status make(tl_cells *c, tl_arena *arena, tl_grid *out, tl_error *error)
{
    int *number_of = malloc((size_t)tl_corners_all(c) * sizeof *number_of);
    talus_status status = number_of ? TALUS_OK : TALUS_MEMORY;
    if (status == TALUS_OK) out->nodes = number(c, number_of, &out->elements), status = put(c, number_of, arena, out);
    free(number_of);
    return status == TALUS_OK ? tl_grid_finish(out, arena, error) : tl_fail(error, status, "no memory for a mesh");
}

talus_status tl_grid_closed(const tl_closed *s, double spacing, tl_arena *arena, tl_grid *out, tl_error *error)
{
    tl_cells c;
    tl_sharp sharp;
    *out = (tl_grid){.dimension = s->dimension};
    talus_status status = tl_sharp_create(s, &sharp);
    if (status != TALUS_OK) {
        tl_sharp_free(&sharp);
        return tl_fail(error, status, "no memory for what is sharp of a closed surface");
    }
    status = tl_cells_create(s, spacing, &c, error);
    if (status == TALUS_OK) status = shape(&c, &sharp, error);
    if (status == TALUS_OK) status = make(&c, arena, out, error);
    tl_cells_free(&c);
    tl_sharp_free(&sharp);
    return status;
}
