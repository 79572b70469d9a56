/* Corners of cells move to the surface that these fill (closed_cells.h). What lies on the surface of the cells goes to the nearest point of the closed one, and
 * then along it to the middle of its neighbours there; what lies near goes to the middle of its neighbours. Of such moves those are made which leave every cell
 * around as good as it was, or good: smoothing that cannot turn a cell inside out (Field 1988, with the test of Freitag 1997). */
#include "scene/closed_cells.h"

#include <string.h>

enum { SWEEPS = 40, NEAR = 2 };
static const double GOOD = 0.15;  /* quality of a cell that need not be better */
static const double STILL = 1e-9; /* of the spacing: what is as near to the surface is on it */

/* ---- quality -------------------------------------------------------------------------------------------------------- */

double tl_cell_quality(const tl_cells *c, int cell)
{
    static const double G = 0.57735026918962576451;
    int corner[8] = {0};
    const int corners = tl_corners_of_cell(c, cell, corner);
    double least = (double)INFINITY, whole = 1;
    for (int k = 0; k < c->dimension; k++) whole *= c->step[k];
    for (int p = 0; p < corners; p++) {
        tl_mat3 J = {{{0}}};
        double f[3][2];
        for (int k = 0; k < 3; k++) f[k][1] = 0.5 * (1 + (p >> k & 1 ? G : -G)), f[k][0] = 1 - f[k][1];
        for (int b = 0; b < corners; b++)
            for (int k = 0; k < c->dimension; k++) {
                double slope = b >> k & 1 ? 1 : -1;
                for (int m = 0; m < c->dimension; m++)
                    if (m != k) slope *= f[m][b >> m & 1];
                for (int i = 0; i < c->dimension; i++) J.m[i][k] += slope * c->x[corner[b]][i];
            }
        if (c->dimension == 2) J.m[2][2] = 1;
        least = tl_smaller(least, tl_mat3_determinant(&J));
    }
    return least / whole;
}

/* Of the worst kept cell around a corner. */
static double quality_around(const tl_cells *c, int corner)
{
    int cell[8];
    const int cells = tl_cells_of_corner(c, corner, cell);
    double least = (double)INFINITY;
    for (int b = 0; b < cells; b++)
        if (cell[b] >= 0 && c->kept[cell[b]]) least = tl_smaller(least, tl_cell_quality(c, cell[b]));
    return least;
}

/* ---- who is where --------------------------------------------------------------------------------------------------- */

/* The corners at sites, and which of them are on the surface of the kept cells. */
static void place_corners(tl_cells *c)
{
    int cell[8], at[3];
    for (int v = 0; v < tl_corners_all(c); v++) {
        const int cells = tl_cells_of_corner(c, v, cell);
        int kept = 0;
        tl_place_of_corner(c, v, at);
        for (int k = 0; k < 3; k++) c->x[v][k] = k < c->dimension ? c->low[k] + at[k] * c->step[k] : 0;
        for (int b = 0; b < cells; b++) kept += cell[b] >= 0 && c->kept[cell[b]];
        c->outer[v] = kept > 0 && kept < cells;
        c->moved[v] = c->active[v] = false, c->held[v] = TL_ON_FACE;
    }
}

/* The corner beside one along an axis, of an edge that kept cells have, and where both are on the surface one of faces there; −1: there is none. */
static int beside(const tl_cells *c, int corner, int axis, int way)
{
    const int stride[3] = {1, c->count[0] + 1, (c->count[0] + 1) * (c->count[1] + 1)}, side = way > 0;
    int cell[8], kept = 0, around = 0, at[3];
    tl_place_of_corner(c, corner, at);
    if (at[axis] + way < 0 || at[axis] + way > c->count[axis]) return -1;
    const int cells = tl_cells_of_corner(c, corner, cell);
    for (int b = 0; b < cells; b++)
        if ((b >> axis & 1) == side) around++, kept += cell[b] >= 0 && c->kept[cell[b]];
    if (kept == 0 || (c->outer[corner] && kept == around)) return -1;
    return corner + way * stride[axis];
}

/* ---- moves ---------------------------------------------------------------------------------------------------------- */

/* The nearest point, unless x is there to rounding. */
static tl_vec3 nearest(const tl_cells *c, const tl_closed *s, tl_vec3 x)
{
    const tl_vec3 there = tl_closed_nearest(s, x);
    return tl_norm(tl_sub(there, x)) <= STILL * c->spacing ? x : there;
}

/* Corners that are near those which have moved. */
static void find_active(tl_cells *c)
{
    int at[3];
    for (int v = 0; v < tl_corners_all(c); v++) {
        if (!c->moved[v]) continue;
        tl_place_of_corner(c, v, at);
        for (int k = c->dimension == 3 ? at[2] - NEAR : 0; k <= (c->dimension == 3 ? at[2] + NEAR : 0); k++)
            for (int j = at[1] - NEAR; j <= at[1] + NEAR; j++)
                for (int i = at[0] - NEAR; i <= at[0] + NEAR; i++)
                    if (i >= 0 && j >= 0 && k >= 0 && i <= c->count[0] && j <= c->count[1] && (c->dimension == 2 || k <= c->count[2]))
                        c->active[tl_corner_at(c, i, j, k)] = true;
    }
}

/* What is sharp holds corners that are there. */
static void hold(tl_cells *c, const tl_sharp *sharp, int corner)
{
    const tl_vec3 x = tl_load3(c->x[corner]);
    c->held[corner] = TL_ON_FACE;
    if (sharp->edges.pieces > 0 && tl_norm(tl_sub(tl_closed_nearest(&sharp->edges, x), x)) <= STILL * c->spacing) c->held[corner] = TL_ON_EDGE;
    if (sharp->corners.pieces > 0 && tl_norm(tl_sub(tl_closed_nearest(&sharp->corners, x), x)) <= STILL * c->spacing) c->held[corner] = TL_ON_CORNER;
}

/* The middle of its neighbours, of one on a sharp edge of those that are there, too; false: there are none. */
static bool middle_of(const tl_cells *c, int corner, tl_vec3 *out)
{
    tl_vec3 sum = {0, 0, 0};
    int count = 0;
    for (int axis = 0; axis < c->dimension; axis++)
        for (int way = -1; way <= 1; way += 2) {
            const int other = beside(c, corner, axis, way);
            if (other < 0 || c->held[other] < c->held[corner]) continue;
            sum = tl_add(sum, tl_load3(c->x[other])), count++;
        }
    if (count == 0 || (c->held[corner] == TL_ON_EDGE && count != 2)) return false;
    *out = tl_scale(1.0 / count, sum);
    return true;
}

/* Moves a corner to x if the cells around it, whose quality is given and told, stay as good as they are, or good. */
static bool try(tl_cells *c, int corner, tl_vec3 x, double good, double *quality)
{
    const tl_vec3 here = tl_load3(c->x[corner]);
    tl_store3(c->x[corner], x);
    const double after = quality_around(c, corner);
    const bool taken = after >= *quality || after >= good;
    if (taken) *quality = after;
    else tl_store3(c->x[corner], here);
    return taken;
}

/* To the middle of its neighbours, or part of the way; says how far [m]. */
static double relax(tl_cells *c, const tl_sharp *sharp, int corner, double *quality)
{
    const tl_vec3 here = tl_load3(c->x[corner]);
    tl_vec3 middle;
    if (c->held[corner] == TL_ON_CORNER || !middle_of(c, corner, &middle)) return 0;
    for (double share = 1; share > 0.2; share *= 0.5) {
        tl_vec3 there = tl_add(here, tl_scale(share, tl_sub(middle, here)));
        if (c->outer[corner]) there = nearest(c, c->held[corner] == TL_ON_EDGE ? &sharp->edges : c->surface, there);
        if (try(c, corner, there, GOOD, quality)) return tl_norm(tl_sub(there, here));
    }
    return 0;
}

/* Where a cell is not good, a corner tries ways along the axes, each half as far as the one before. */
static void improve(tl_cells *c, const tl_sharp *sharp, int corner, double quality)
{
    if (c->held[corner] == TL_ON_CORNER) return;
    for (double step = 0.2; step > 0.04; step *= 0.5)
        for (int n = 0; n < 2 * c->dimension && quality < GOOD; n++) {
            double x[3];
            memcpy(x, c->x[corner], sizeof x);
            x[n / 2] += (n % 2 ? -step : step) * c->spacing;
            tl_vec3 there = tl_load3(x);
            if (c->outer[corner]) there = nearest(c, c->held[corner] == TL_ON_EDGE ? &sharp->edges : c->surface, there);
            (void)try(c, corner, there, GOOD, &quality);
        }
}

static void sweep(tl_cells *c, const tl_sharp *sharp, int times)
{
    static const double SETTLED = 0.01; /* of the spacing: moves that are no more change nothing */
    double most = (double)INFINITY;
    for (int n = 0; n < times && most > SETTLED * c->spacing; n++) {
        most = 0;
        for (int v = 0; v < tl_corners_all(c); v++) {
            if (!c->active[v]) continue;
            double quality = quality_around(c, v);
            if (!isfinite(quality)) continue; /* of a corner that no kept cell has */
            most = tl_larger(most, relax(c, sharp, v, &quality));
            if (quality < GOOD) improve(c, sharp, v, quality), most = (double)INFINITY;
        }
    }
}

/* Does a neighbour on the surface lie so near to x that the edge between them would be next to nothing? */
static bool is_taken(const tl_cells *c, int corner, tl_vec3 x)
{
    static const double NEXT = 0.3;
    for (int axis = 0; axis < c->dimension; axis++)
        for (int way = -1; way <= 1; way += 2) {
            const int other = beside(c, corner, axis, way);
            if (other >= 0 && tl_norm(tl_sub(tl_load3(c->x[other]), x)) < NEXT * c->spacing) return true;
        }
    return false;
}

/* Corners of the surface that are near what is sharp go there, as far as cells stay good. */
static void snap(tl_cells *c, const tl_sharp *sharp, const tl_closed *to, double reach, uint8_t held)
{
    static const double FAIR = 0.15;
    for (int v = 0; to->pieces > 0 && v < tl_corners_all(c); v++) {
        if (!c->active[v] || !c->outer[v] || c->held[v] >= held) continue;
        const tl_vec3 there = tl_closed_nearest(to, tl_load3(c->x[v]));
        double quality = quality_around(c, v);
        if (tl_norm(tl_sub(there, tl_load3(c->x[v]))) <= reach * c->spacing && !is_taken(c, v, there) && try(c, v, there, FAIR, &quality)) hold(c, sharp, v);
    }
}

/* Where cells are too blunt for a sharp edge single corners of them would reach it, as spikes: corners without two neighbours on the edge that stand out
 * farther from the middle of all their neighbours than the corner of a cube does, by 1/√3, let go of it. Says how many. */
static int let_go(tl_cells *c)
{
    static const double OUT = 0.6;
    int count = 0;
    for (int v = 0; v < tl_corners_all(c); v++) {
        tl_vec3 middle;
        if (!c->active[v] || c->held[v] != TL_ON_EDGE || middle_of(c, v, &middle)) continue;
        c->held[v] = TL_ON_FACE;
        if (middle_of(c, v, &middle) && tl_norm(tl_sub(tl_load3(c->x[v]), middle)) > OUT * c->spacing) count++;
        else c->held[v] = TL_ON_EDGE;
    }
    return count;
}

void tl_cells_fit(tl_cells *c, const tl_sharp *sharp)
{
    place_corners(c);
    for (int v = 0; v < tl_corners_all(c); v++) {
        if (!c->outer[v]) continue;
        const tl_vec3 here = tl_load3(c->x[v]), there = nearest(c, c->surface, here);
        c->moved[v] = tl_norm(tl_sub(there, here)) > 0;
        tl_store3(c->x[v], there);
        hold(c, sharp, v);
    }
    find_active(c);
    sweep(c, sharp, SWEEPS / 4);
    snap(c, sharp, &sharp->corners, 0.7, TL_ON_CORNER);
    snap(c, sharp, &sharp->edges, 0.4, TL_ON_EDGE);
    sweep(c, sharp, SWEEPS);
    while (let_go(c) > 0) sweep(c, sharp, SWEEPS);
}
