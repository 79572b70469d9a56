/* Random stones: the corners of a convex stone, and sizes by sieve.
 *
 * A stone's size is the smallest square mesh that it passes end on: the side of the smallest square around its shadow along its longest axis.
 * A stone that tilts may pass a slightly smaller one; sieving standards do not ask it to. */
#ifndef TL_STONE_H
#define TL_STONE_H

#include "base/base.h"
#include "base/math.h"

enum { TL_STONE_CORNERS = 128, TL_SIEVES = 24 };

/* Angularity says how far the stone's surface is from an ellipsoid with evenly spread corners (0: river gravel) on the way to a block
 * cut by few planes (1: freshly crushed rock; ballast 0.8 … 1). The block has as few faces as its corners allow, 10 at most; corners
 * beyond its own lie along its edges, which they chip. At 1 and with an even number of 4 … 16 corners its faces are flat polygons;
 * else the corners lie on a slightly bulging body, so that each is one, and faces are made of triangles. With 4 corners it
 * says nothing (all are tetrahedra), below 8 little.
 * Axis ratios are those of the box along the stone's axes: elongation = middle / longest, flatness = shortest / middle (Zingg's ratios).
 * Both are drawn evenly from their ranges; crushed rock: 0.5 … 1 each; a stone is called elongated or flat below 2/3. */
typedef struct tl_stone {
    int corners;                       /* 4 … TL_STONE_CORNERS */
    double angularity;                 /* 0 … 1                */
    double elongation[2], flatness[2]; /* least, most: in [0.1, 1] */
} tl_stone;

/* The corners of a random stone of size 1, its box's longest axis along x, its shortest along z, the mean of its corners at the origin.
 * All of them are corners of the hull. INPUT: values out of range. The same on every machine. */
TALUS_NODISCARD talus_status tl_stone_points(tl_random *, const tl_stone *, tl_vec3 *points, tl_error *);
/* The smallest square mesh that points pass along x. */
double tl_stone_mesh(const tl_vec3 *points, int count);

/* A sieve curve: the fraction by mass that passes each size; straight between them over the logarithm of the size. */
typedef struct tl_sieve {
    int count;
    double size[TL_SIEVES];    /* increasing               [m] */
    double passing[TL_SIEVES]; /* 0 first, 1 last, never falling */
} tl_sieve;

/* A named curve (NULL: there is none): "EN13450-31.5/50". */
const tl_sieve *tl_sieve_named(const char *name);
/* INPUT: what is wrong with a curve. */
TALUS_NODISCARD talus_status tl_sieve_check(const tl_sieve *, tl_error *);
/* Fraction by mass that is smaller than a size. */
double tl_sieve_passing(const tl_sieve *, double size);
/* A size, such that the masses of many (∝ size³, in dimension 2 ∝ size²) follow the curve, which has been checked. */
double tl_sieve_draw(tl_random *, const tl_sieve *, int dimension);

#endif
