/* Cubes of a lattice, in the plane squares, that fill a closed surface, and their corners on the way to it. */
#ifndef TL_CLOSED_CELLS_H
#define TL_CLOSED_CELLS_H

#include "scene/closed.h"

typedef struct tl_cells {
    const tl_closed *surface;
    int dimension;
    int count[3]; /* of cells along each axis, with a layer of empty ones around; in the plane one along z */
    double low[3], step[3], spacing;
    double *share;  /* [cells] of each that lies inside              */
    bool *kept;     /* [cells] it is part of the body                */
    bool *turned;   /* [cells] which was changed, once and for good  */
    double (*x)[3]; /* [corners] where they are                     */
    bool *outer;    /* [corners] on the surface of the body         */
    bool *moved;    /* [corners] from their sites to the closed one */
    bool *active;   /* [corners] they are near such                 */
    uint8_t *held;  /* [corners] TL_ON_EDGE … of what is sharp      */
} tl_cells;

enum { TL_ON_FACE, TL_ON_EDGE, TL_ON_CORNER };

static inline int tl_cell_at(const tl_cells *c, int i, int j, int k) { return i + c->count[0] * (j + c->count[1] * k); }
static inline int tl_corner_at(const tl_cells *c, int i, int j, int k) { return i + (c->count[0] + 1) * (j + (c->count[1] + 1) * k); }
static inline int tl_cells_all(const tl_cells *c) { return c->count[0] * c->count[1] * c->count[2]; }
/* In the plane those at z = 0 only. */
static inline int tl_corners_all(const tl_cells *c) { return (c->count[0] + 1) * (c->count[1] + 1) * (c->dimension == 3 ? c->count[2] + 1 : 1); }

static inline void tl_place_of_cell(const tl_cells *c, int cell, int at[3])
{
    at[0] = cell % c->count[0], at[1] = cell / c->count[0] % c->count[1], at[2] = cell / c->count[0] / c->count[1];
}
static inline void tl_place_of_corner(const tl_cells *c, int corner, int at[3])
{
    at[0] = corner % (c->count[0] + 1), at[1] = corner / (c->count[0] + 1) % (c->count[1] + 1), at[2] = corner / (c->count[0] + 1) / (c->count[1] + 1);
}
/* Corners of a cell: of bits x, y, z, set at its far side; returns how many. */
int tl_corners_of_cell(const tl_cells *, int cell, int corner[8]);
/* Cells around a corner, by the same bits, −1 where there is none; returns how many they would be. */
int tl_cells_of_corner(const tl_cells *, int corner, int cell[8]);

/* The lattice over the surface, of a length near `spacing` along each axis with which it ends at the box around the surface; cells of which half or more lies
 * inside are kept. INPUT: too many; none. MEMORY. To be freed, also on failure. */
TALUS_NODISCARD talus_status tl_cells_create(const tl_closed *, double spacing, tl_cells *out, tl_error *);
void tl_cells_free(tl_cells *);
/* Takes cells and leaves others so that those kept meet by faces, and so do the others: around every corner. INPUT, with the place: there is no such choice. */
TALUS_NODISCARD talus_status tl_cells_mend(tl_cells *, tl_error *);
/* INPUT, with the place: a part of the surface has no cell near it; the body is cut in two where it is thin. */
TALUS_NODISCARD talus_status tl_cells_check(const tl_cells *, tl_error *);

/* closed_fit.c. Moves corners of the kept cells' surface to the closed one, and to what is sharp of it, and those near it so that cells keep their form. */
void tl_cells_fit(tl_cells *, const tl_sharp *);
/* The least volume by which a cell's corners stand for it, at the points of its quadrature, over that of a cell of the lattice; negative: it is inside out. */
double tl_cell_quality(const tl_cells *, int cell);

#endif
