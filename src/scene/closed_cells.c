/* Which cells of a lattice fill a closed surface (closed_cells.h). */
#include "scene/closed_cells.h"

#include <stdlib.h>
#include <string.h>

#include "base/integers.h"
#include "scene/grid.h"

enum { LINES = 4, PASSES = 50 }; /* lines through a cell along each axis across x, by which its share is measured */

int tl_corners_of_cell(const tl_cells *c, int cell, int corner[8])
{
    int at[3];
    const int corners = 1 << c->dimension;
    tl_place_of_cell(c, cell, at);
    for (int b = 0; b < corners; b++) corner[b] = tl_corner_at(c, at[0] + (b & 1), at[1] + (b >> 1 & 1), c->dimension == 3 ? at[2] + (b >> 2 & 1) : 0);
    return corners;
}

int tl_cells_of_corner(const tl_cells *c, int corner, int cell[8])
{
    int at[3];
    const int cells = 1 << c->dimension;
    tl_place_of_corner(c, corner, at);
    for (int b = 0; b < cells; b++) {
        const int i[3] = {at[0] - 1 + (b & 1), at[1] - 1 + (b >> 1 & 1), c->dimension == 3 ? at[2] - 1 + (b >> 2 & 1) : 0};
        bool there = true;
        for (int k = 0; k < c->dimension; k++) there = there && i[k] >= 0 && i[k] < c->count[k];
        cell[b] = there ? tl_cell_at(c, i[0], i[1], i[2]) : -1;
    }
    return cells;
}

/* ---- the lattice ---------------------------------------------------------------------------------------------------- */

/* Adds what a line through row (j, k) of cells has inside each of them, as a share `weight` of the cell. */
static void add_line(tl_cells *c, const tl_crossings *line, int j, int k, double weight)
{
    for (int n = 0; n + 1 < line->count; n += 2) {
        const double from = (line->x[n] - c->low[0]) / c->step[0], to = (line->x[n + 1] - c->low[0]) / c->step[0];
        for (int i = (int)fmax(0, floor(from)); i < c->count[0] && i < to; i++)
            c->share[tl_cell_at(c, i, j, k)] += weight * fmax(0, fmin(to, i + 1) - fmax(from, i));
    }
}

static talus_status measure(tl_cells *c)
{
    const int deep = c->dimension == 3 ? LINES : 1;
    tl_crossings line = {NULL, 0, 0};
    talus_status status = TALUS_OK;
    for (int k = 0; k < c->count[2]; k++)
        for (int j = 0; j < c->count[1]; j++)
            for (int n = 0; n < LINES * deep && status == TALUS_OK; n++) {
                const int above = n / LINES; /* of lines, one over the other */
                const double y = c->low[1] + (j + (n % LINES + 0.5) / LINES) * c->step[1], z = c->low[2] + (k + (above + 0.5) / deep) * c->step[2];
                status = tl_closed_cross(c->surface, y, z, &line);
                add_line(c, &line, j, k, 1.0 / (LINES * deep));
            }
    tl_free(tl_memory_default(), line.x);
    return status;
}

static talus_status make_lattice(const tl_closed *s, double spacing, tl_cells *c, tl_error *error)
{
    double cells = 1, product = 1;
    for (int k = 0; k < s->dimension; k++) {
        const double side = s->high[k] - s->low[k], wanted = fmax(1, round(side / spacing));
        if (side < 0.5 * spacing)
            return tl_fail(error, TALUS_INPUT, "it is %.4g m thick along %c, at [%.4g, %.4g, %.4g] m: the spacing is too coarse", side, "xyz"[k], s -> low[0],
                           s -> low[1], s -> low[2]);
        cells *= wanted + 2;
        if (!(cells <= TL_GRID_NODES))
            return tl_fail(error, TALUS_INPUT, "its box would have more than %d cells of %.4g m; its sides are %.4g, %.4g and %.4g m", TL_GRID_NODES, spacing,
                           s->high[0] - s->low[0], s->high[1] - s->low[1], s->high[2] - s->low[2]);
        c->step[k] = side / wanted, c->low[k] = s->low[k] - c->step[k], c->count[k] = (int)wanted + 2;
        product *= c->step[k];
    }
    if (s->dimension == 2) c->step[2] = 1, c->low[2] = 0, c->count[2] = 1;
    c->spacing = s->dimension == 3 ? cbrt(product) : sqrt(product);
    const size_t all = (size_t)tl_cells_all(c), corners = (size_t)tl_corners_all(c);
    c->share = calloc(all, sizeof *c->share);
    c->kept = calloc(all, sizeof *c->kept);
    c->turned = calloc(all, sizeof *c->turned);
    c->x = calloc(corners, sizeof *c->x);
    c->outer = calloc(corners, sizeof *c->outer);
    c->moved = calloc(corners, sizeof *c->moved);
    c->active = calloc(corners, sizeof *c->active);
    c->held = calloc(corners, sizeof *c->held);
    return c->share && c->kept && c->turned && c->x && c->outer && c->moved && c->active && c->held ? TALUS_OK : TALUS_MEMORY;
}

talus_status tl_cells_create(const tl_closed *s, double spacing, tl_cells *c, tl_error *error)
{
    static const double HALF = 0.5 - 1e-9; /* what is half inside to rounding counts as such on all sides */
    int kept = 0;
    *c = (tl_cells){.surface = s, .dimension = s->dimension};
    talus_status status = make_lattice(s, spacing, c, error);
    if (status == TALUS_OK) status = measure(c);
    if (status == TALUS_MEMORY) return tl_fail(error, status, "no memory for the cells of a closed surface");
    TL_TRY(status);
    for (int i = 0; i < tl_cells_all(c); i++) c->kept[i] = c->share[i] >= HALF, kept += c->kept[i];
    if (kept > 0) return TALUS_OK;
    return tl_fail(error, TALUS_INPUT, "no cell of %.4g m has half of it inside, at [%.4g, %.4g, %.4g] m to [%.4g, %.4g, %.4g] m: the spacing is too coarse",
                   spacing, s->low[0], s->low[1], s->low[2], s->high[0], s->high[1], s->high[2]);
}

void tl_cells_free(tl_cells *c)
{
    free(c->share), free(c->kept), free(c->turned), free(c->x), free(c->outer), free(c->moved), free(c->active), free(c->held);
    *c = (tl_cells){.dimension = c->dimension};
}

/* ---- how cells meet ------------------------------------------------------------------------------------------------- */

/* Do those of the cells around a corner that are in a set hang together by faces? */
static bool hangs_together(unsigned set, int dimension)
{
    unsigned reached = set & -set;
    for (unsigned before = 0; before != reached;) {
        before = reached;
        for (int b = 0; b < 1 << dimension; b++)
            for (int k = 0; reached >> b & 1 && k < dimension; k++) reached |= set & 1u << (b ^ 1 << k);
    }
    return reached == set;
}

static bool is_good(unsigned set, int dimension)
{
    const unsigned all = (1u << (1 << dimension)) - 1;
    return hangs_together(set, dimension) && hangs_together(all & ~set, dimension);
}

static unsigned set_around(const tl_cells *c, int corner, int cell[8])
{
    unsigned set = 0;
    const int cells = tl_cells_of_corner(c, corner, cell);
    for (int b = 0; b < cells; b++)
        if (cell[b] >= 0 && c->kept[cell[b]]) set |= 1u << b;
    return set;
}

/* The layer around is empty, whatever happens: who looks at a cell's neighbours relies on it. */
static bool is_outermost(const tl_cells *c, int cell)
{
    int at[3];
    bool out = false;
    tl_place_of_cell(c, cell, at);
    for (int k = 0; k < c->dimension; k++) out = out || at[k] == 0 || at[k] == c->count[k] - 1;
    return out;
}

/* The cell that is taken or left with the least error, if that alone mends the corner; else the fullest that is not kept. −1: all have been changed before. */
static int choose(const tl_cells *c, unsigned set, const int cell[8])
{
    int best = -1, fullest = -1;
    for (int b = 0; b < 1 << c->dimension; b++) {
        if (cell[b] < 0 || c->turned[cell[b]] || is_outermost(c, cell[b])) continue;
        const double share = c->share[cell[b]];
        if (is_good(set ^ 1u << b, c->dimension) && (best < 0 || fabs(share - 0.5) < fabs(c->share[best] - 0.5))) best = cell[b];
        if (!(set >> b & 1) && (fullest < 0 || share > c->share[fullest])) fullest = cell[b];
    }
    return best >= 0 ? best : fullest;
}

talus_status tl_cells_mend(tl_cells *c, tl_error *error)
{
    int cell[8] = {0}, bad = 0;
    for (int pass = 0, changed = 1; pass < PASSES && changed > 0; pass++) {
        changed = 0, bad = -1;
        for (int v = 0; v < tl_corners_all(c); v++) {
            const unsigned set = set_around(c, v, cell);
            if (is_good(set, c->dimension)) continue;
            const int turn = choose(c, set, cell);
            bad = v;
            if (turn < 0) continue;
            c->kept[turn] = !c->kept[turn], c->turned[turn] = true, changed++;
        }
    }
    if (bad < 0) return TALUS_OK;
    int at[3];
    tl_place_of_corner(c, bad, at);
    return tl_fail(
        error, TALUS_INPUT,
        "parts of it come nearer to one another than a cell of %.4g m at [%.4g, %.4g, %.4g] m, where they would meet by an edge or a corner alone: the "
        "spacing is too coarse there",
        c->spacing, c->low[0] + at[0] * c->step[0], c->low[1] + at[1] * c->step[1], c->dimension == 3 ? c->low[2] + at[2] * c->step[2] : 0);
}

/* ---- what is lost --------------------------------------------------------------------------------------------------- */

/* Is a cell kept, or empty, that has x in it, or is one of the two next to that? Beyond the lattice all is empty. */
static bool is_near(const tl_cells *c, tl_vec3 x, bool kept)
{
    const double place[3] = {x.x, x.y, x.z};
    int at[3] = {0, 0, 0};
    for (int k = 0; k < c->dimension; k++) at[k] = (int)floor((place[k] - c->low[k]) / c->step[k]);
    for (int n = 0; n < (c->dimension == 3 ? 125 : 25); n++) {
        const int i[3] = {at[0] + n % 5 - 2, at[1] + n / 5 % 5 - 2, c->dimension == 3 ? at[2] + n / 25 - 2 : 0};
        bool there = true;
        for (int k = 0; k < 3; k++) there = there && i[k] >= 0 && i[k] < c->count[k];
        if ((there && c->kept[tl_cell_at(c, i[0], i[1], i[2])]) == kept) return true;
    }
    return false;
}

/* Points of a piece as dense as cells: all of them have a kept cell and an empty one near them, else *lost has not, and *kept says which. */
static bool is_held(const tl_cells *c, int piece, tl_vec3 *lost, bool *kept)
{
    enum { DENSE = 1000 };
    const tl_closed *s = c->surface;
    const int32_t *corner = s->corner[piece];
    const tl_vec3 a = tl_load3(s->point[corner[0]]), b = tl_sub(tl_load3(s->point[corner[1]]), a);
    const tl_vec3 d = s->dimension == 3 ? tl_sub(tl_load3(s->point[corner[2]]), a) : tl_v3(0, 0, 0);
    const double longest = fmax(tl_norm(b), fmax(tl_norm(d), tl_norm(tl_sub(b, d))));
    const int parts = (int)fmin(DENSE, ceil(2 * longest / c->spacing)) + 1;
    for (int i = 0; i <= parts; i++)
        for (int j = 0; j <= (s->dimension == 3 ? parts - i : 0); j++) {
            *lost = tl_add(a, tl_add(tl_scale((double)i / parts, b), tl_scale((double)j / parts, d)));
            for (int side = 0; side < 2; side++)
                if (!is_near(c, *lost, *kept = side == 0)) return false;
        }
    return true;
}

/* How many parts the kept cells are of, and a cell of the smallest. */
static int count_parts(const tl_cells *c, int *smallest, tl_error *error)
{
    const int all = tl_cells_all(c), stride[3] = {1, c->count[0], c->count[0] * c->count[1]};
    int *parent = malloc((size_t)all * sizeof *parent), *size = calloc((size_t)all, sizeof *size), parts = 0;
    if (parent && size) {
        for (int i = 0; i < all; i++) parent[i] = i;
        for (int i = 0; i < all; i++)
            for (int k = 0; k < c->dimension && c->kept[i]; k++) /* the layer around is empty, so that there is a next one */
                if (c->kept[i + stride[k]]) (void)tl_join(parent, i, i + stride[k]);
        for (int i = 0; i < all; i++)
            if (c->kept[i]) size[tl_root_of(parent, i)]++;
        for (int i = 0; i < all; i++)
            if (size[i] > 0 && (parts++ == 0 || size[i] < size[*smallest])) *smallest = i;
    } else (void)tl_fail(error, TALUS_MEMORY, "no memory for the cells of a closed surface");
    free(parent), free(size);
    return parts;
}

talus_status tl_cells_check(const tl_cells *c, tl_error *error)
{
    tl_vec3 lost = {0, 0, 0};
    bool kept = true;
    int smallest = 0, at[3];
    for (int i = 0; i < c->surface->pieces; i++)
        if (!is_held(c, i, &lost, &kept))
            return tl_fail(
                error, TALUS_INPUT,
                kept
                    ? "it is too thin for a spacing of %.4g m at [%.4g, %.4g, %.4g] m: no cell near there has half of it inside, so that this part would be "
                      "lost; a spacing of half its thickness or less keeps it"
                    : "a gap of it is too narrow for a spacing of %.4g m at [%.4g, %.4g, %.4g] m: all cells near there are filled, so that it would be closed; "
                      "a spacing of half its width or less keeps it",
                c->spacing, lost.x, lost.y, lost.z);
    const int parts = count_parts(c, &smallest, error);
    if (parts == 0) return TALUS_MEMORY;
    if (parts <= c->surface->parts) return TALUS_OK;
    tl_place_of_cell(c, smallest, at);
    return tl_fail(
        error, TALUS_INPUT,
        "cells of %.4g m cut it into %d parts, of which one is at [%.4g, %.4g, %.4g] m; the surface has %d: it is too thin between them for this spacing",
        c->spacing, parts, c->low[0] + (at[0] + 0.5) * c->step[0], c->low[1] + (at[1] + 0.5) * c->step[1],
        c->dimension == 3 ? c->low[2] + (at[2] + 0.5) * c->step[2] : 0, c->surface->parts);
}
