/* Periodic directions: a cell of a given length along each, and every body again in each cell (an image).
 *
 * Positions are kept as bodies have gone, not wrapped into the cell: nothing happens to a body that crosses the seam, and neither its contacts nor its
 * displacement know where the seam is. A pair has an image: so many cells lie between b and the copy of b that a meets.
 *
 * In a sheared cell (Lees & Edwards 1972, J. Phys. C 5, 1921) copies that lie further by k cells across also lie k times `offset` further along, and move
 * along with k times `velocity`. The offset is that of t_m and grows without bound, so an image that is met stays the same one. */
#ifndef TL_CELL_H
#define TL_CELL_H

#include <stdint.h>

#include "base/math.h"

typedef struct tl_cell {
    double low[3], length[3]; /* length 0: this direction is not periodic [m] */
    bool periodic;            /* some direction is */
    bool sheared;
    int along, across;       /* sheared: the direction in which copies slide, and the one in which they lie then */
    double offset;           /* at q_m [m] */
    double before, velocity; /* how fast the offset grows, at the start and at the end of the step [m/s] */
} tl_cell;

/* The images of a pair that can be met at one time are neighbours, so that whether each number is odd tells them apart: in a contact's key. */
static inline unsigned tl_image_code(const int *image, int dimension)
{
    unsigned code = 0;
    for (int i = 0; i < dimension; i++) code |= (unsigned)(image[i] & 1) << i;
    return code;
}

static inline bool tl_is_image(const int *image, int dimension)
{
    int any = 0;
    for (int i = 0; i < dimension; i++) any |= image[i];
    return any != 0;
}

/* A contactor and its image as one number, in order of both; without periodic directions the contactor's own. */
static inline uint64_t tl_key_candidate(const tl_cell *c, int contactor, const int *image, int dimension)
{
    return c->periodic ? (uint64_t)contactor << dimension | tl_image_code(image, dimension) : (uint64_t)contactor;
}

/* How many cells across a copy lies, if it slides along this direction. */
static inline int tl_image_slides(const tl_cell *c, const int *image, int direction) { return c->sheared && direction == c->along ? image[c->across] : 0; }

/* How far b's copy is from b. */
static inline double tl_image_shift(const tl_cell *c, const int *image, int direction)
{
    const int slides = tl_image_slides(c, image, direction);
    return slides == 0 ? image[direction] * c->length[direction] : image[direction] * c->length[direction] + slides * c->offset;
}

/* How much faster than b its copy is, at the end of the step. */
static inline double tl_image_velocity(const tl_cell *c, const int *image, int direction) { return tl_image_slides(c, image, direction) * c->velocity; }

/* In all directions, at the start of the step or at its end. */
static inline tl_vec3 tl_cell_slide(const tl_cell *c, const int *image, bool before)
{
    const double v = before ? c->before : c->velocity;
    return tl_v3(tl_image_slides(c, image, 0) * v, tl_image_slides(c, image, 1) * v, tl_image_slides(c, image, 2) * v);
}

/* In all directions. */
static inline tl_vec3 tl_cell_shift(const tl_cell *c, const int *image)
{
    return tl_v3(tl_image_shift(c, image, 0), tl_image_shift(c, image, 1), tl_image_shift(c, image, 2));
}

/* The list of near pairs is made in slanted axes, where copies stand still: x − slope y for x along, y across. The slope is that of the offset less whole
 * cells along, `turns`, so that boxes stay short. */
static inline double tl_cell_turns(const tl_cell *c) { return c->sheared ? nearbyint(c->offset / c->length[c->along]) : 0; }

static inline double tl_cell_slope(const tl_cell *c) { return c->sheared ? (c->offset - tl_cell_turns(c) * c->length[c->along]) / c->length[c->across] : 0; }

/* How fast what lies so far across goes along, if it goes with the cell [m/s]. */
static inline double tl_cell_flow(const tl_cell *c, double across) { return c->sheared ? c->velocity / c->length[c->across] * across : 0; }

/* A box, swept within the step h by the way that its body has beyond the flow at the box's middle, in slanted axes: two such boxes, one of them moved by whole
 * cells, overlap where the bodies may meet. */
static inline void tl_cell_slant(const tl_cell *c, double h, double *low, double *high)
{
    if (!c->sheared) return;
    const double below = tl_cell_slope(c) * low[c->across], above = tl_cell_slope(c) * high[c->across];
    const double rim = h * fabs(tl_cell_flow(c, 0.5 * (high[c->across] - low[c->across])));
    low[c->along] -= fmax(below, above) + rim;
    high[c->along] -= fmin(below, above) - rim;
}

#endif
