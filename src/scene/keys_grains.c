/* Keys of groups of grains (generate.c). */
#include "scene/schema.h"

/* clang-format off */
#define END {.name = NULL}

static const tl_key RADIUS[] = {
    {.name = "classes", .type = KEY_QUANTITIES, .unit = "m", .positive = true, .text = "equally likely values"},
    {.name = "uniform", .type = KEY_QUANTITIES, .unit = "m", .positive = true, .text = "[smallest, largest]"},
    END};

static const tl_key GRADING[] = {
    {.name = "sizes", .type = KEY_QUANTITIES, .unit = "m", .positive = true, .required = true, .text = "of the sieves, increasing: diameters; of stones the meshes that they pass"},
    {.name = "passing", .type = KEY_QUANTITIES, .unit = "", .low = 0, .high = 1, .required = true, .text = "share by mass that is smaller: 0 first, 1 last; straight between them over the size's logarithm"},
    END};

/* Which generators draw grains; another takes those of a run. */
#define DRAWN "generator: lattice drop list fill table source"
#define SIZES "radius grading sieve"
#define LOOKS \
    {.name = "radius", .when = DRAWN, .instead = SIZES, .type = KEY_OBJECT, .unit = "m", .sub = RADIUS, .text = "one value, {classes: […]} or {uniform: […]}"}, \
    {.name = "grading", .when = DRAWN, .instead = SIZES, .type = KEY_OBJECT, .sub = GRADING, .text = "instead of a radius: a curve of sizes by mass"}, \
    {.name = "shape", .when = DRAWN, .type = KEY_WORD, .choices = "disk:2 polygon:2 cluster:2 sphere:3 stone:3 coin:3 ellipsoid:3", .fallback = "disk; sphere", .text = "cluster: two overlapping disks, whose shared part counts twice, in mass and compactness; stone: a convex polyhedron; coin: a round cylinder with rounded edges; ellipsoid: its radius is the middle half axis"}, \
    {.name = "corners", .when = DRAWN "; shape: stone", .type = KEY_COUNT, .low = 4, .high = 60, .fallback = "25", .dimension = 3, .text = "of a stone"}, \
    {.name = "angularity", .when = DRAWN "; shape: stone", .type = KEY_QUANTITY, .unit = "", .low = 0, .high = 1, .fallback = "0.5", .dimension = 3, .text = "of stones: 0 nearly round, 1 crushed rock"}, \
    {.name = "sides", .when = DRAWN "; shape: polygon", .type = KEY_COUNT, .low = 3, .high = 16, .fallback = "5", .dimension = 2, .text = "of a polygon"}, \
    {.name = "elongation", .when = DRAWN "; shape: stone ellipsoid", .type = KEY_QUANTITIES, .unit = "", .positive = true, .fallback = "[0.7, 1]", .dimension = 3, .text = "of stones and ellipsoids: range of middle over longest axis"}, \
    {.name = "flatness", .when = DRAWN "; shape: stone ellipsoid coin", .type = KEY_QUANTITIES, .unit = "", .positive = true, .fallback = "[0.7, 1]; coins [0.15, 0.15]", .dimension = 3, .text = "of stones and ellipsoids: range of shortest over middle axis; of coins: of thickness over diameter"}, \
    {.name = "rounding", .when = DRAWN "; shape: coin", .type = KEY_QUANTITY, .unit = "", .low = 0, .high = 0.5, .fallback = "0.25", .dimension = 3, .text = "of the edges of coins: share of the thickness"}, \
    {.name = "sieve", .when = DRAWN "; shape: stone", .instead = SIZES, .type = KEY_TEXT, .dimension = 3, .text = "of stones, instead of a radius (half the mesh that they pass): EN13450-31.5/50"}

static const tl_key MIXTURE[] = {
    {.name = "share", .type = KEY_QUANTITY, .unit = "", .positive = true, .required = true, .text = "of the mass; they need not add up to 1"},
    LOOKS,
    {.name = "material", .type = KEY_REFERENCE, .choices = "material", .fallback = "the group's", .text = ""},
    END};

const tl_key TL_GRAIN_KEYS[] = {
    {.name = "generator", .type = KEY_WORD, .choices = "lattice drop list fill table settled source", .required = true,
     .text = "lattice: rows and columns (and layers); drop: random, bottom up in a region, clear of everything; fill: as dense as they fit without settling, in a region, shape or vessel, until it is full or there are enough; list: given positions; table: those of a file; settled: as another run left them; source: they come one by one while it runs"},
    {.name = "region", .when = "generator: drop fill source", .type = KEY_REGION, .sub = TL_REGION_KEYS, .unit = "m", .text = "drop, fill: two corners; source: these or a shape"},
    {.name = "count", .when = "generator: drop fill source", .type = KEY_COUNT, .low = 1, .high = 1e8, .text = "drop: how many; fill: this many; source: at a time, those that a sink takes come again"},
    {.name = "rate", .when = "generator: source", .type = KEY_QUANTITY, .unit = "Hz", .positive = true, .text = "source: how many come per time, each somewhere in the region where it has room: beside grains, free bodies and links, not beside walls and solids; fewer where there is none. Keep walls out of the region"},
    {.name = "mass_rate", .when = "generator: source", .type = KEY_QUANTITY, .unit = "kg/s", .positive = true, .text = "source: or what they weigh"},
    {.name = "begin", .when = "generator: source", .type = KEY_QUANTITY, .unit = "s", .low = 0, .high = 1e30, .fallback = "0 s", .text = "source"},
    {.name = "end", .when = "generator: source", .type = KEY_QUANTITY, .unit = "s", .positive = true, .fallback = "never", .text = "source"},
    {.name = "mass", .when = "generator: fill", .type = KEY_QUANTITY, .unit = "kg", .positive = true, .text = "fill: until they weigh this; without count and mass until all is full"},
    {.name = "level", .when = "generator: fill", .type = KEY_QUANTITY, .unit = "m", .text = "fill: up to this height, the coordinate against gravity"},
    {.name = "inside", .when = "generator: fill", .type = KEY_OBJECTS, .sub = TL_SHAPE_KEYS, .text = "fill: shapes, in the scene's axes, in one of which each grain lies whole; their material does not matter; a mesh is closed, its triangles counter-clockwise from outside"},
    {.name = "vessel", .when = "generator: fill", .type = KEY_REFERENCES, .choices = "body", .text = "fill: bodies; where water would stand in them that runs out where the smallest grain can"},
    {.name = "mixture", .when = "generator: fill", .type = KEY_OBJECTS, .sub = MIXTURE, .text = "fill: parts, by mass; what a part leaves out is the group's"},
    {.name = "file", .when = "generator: table", .type = KEY_TEXT, .text = "table: numbers in lines, SI units, separated by commas or spaces, under a line of names: x, y, in space z, and radius where the group has none; of stones half of their mesh"},
    {.name = "from", .when = "generator: settled", .type = KEY_TEXT, .text = "settled: directory of a finished run, beside the scene or where talus is started; at rest, without those that stand in bodies of this scene"},
    {.name = "time", .when = "generator: settled", .type = KEY_QUANTITY, .unit = "s", .low = 0, .high = 1e300, .fallback = "the end", .text = "settled: when, in that run"},
    {.name = "origin", .when = "generator: lattice settled", .type = KEY_VECTOR, .unit = "m", .fallback = "[0, 0]", .text = "lattice: centre of the first grain; settled: shift of all"},
    {.name = "repeat", .type = KEY_OBJECT, .sub = TL_REPEAT_KEYS, .text = "settled: all of them again and again, along a line or around an axis: a periodic piece of track becomes a track"},
    {.name = "rows", .when = "generator: lattice", .type = KEY_COUNT, .low = 1, .high = 1e8, .text = "lattice"},
    {.name = "columns", .when = "generator: lattice", .type = KEY_COUNT, .low = 1, .high = 1e8, .text = "lattice"},
    {.name = "layers", .when = "generator: lattice", .type = KEY_COUNT, .low = 1, .high = 1e8, .dimension = 3, .text = "lattice: along z; columns are along x, rows along y"},
    {.name = "spacing", .when = "generator: lattice", .type = KEY_QUANTITY, .unit = "m", .positive = true, .text = "lattice: between centres"},
    {.name = "pattern", .when = "generator: lattice", .type = KEY_WORD, .choices = "square hexagonal:2", .fallback = "square", .text = "lattice"},
    {.name = "jitter", .when = "generator: lattice", .type = KEY_QUANTITY, .unit = "m", .low = 0, .high = 1e300, .fallback = "0", .text = "lattice: random displacement"},
    {.name = "positions", .when = "generator: list", .type = KEY_POINTS, .unit = "m", .text = "list: centres"},
    LOOKS,
    {.name = "seed", .type = KEY_COUNT, .low = 0, .high = 1e15, .fallback = "1", .text = "of the random numbers"},
    {.name = "velocity", .type = KEY_VECTOR, .unit = "m/s", .fallback = "[0, 0]", .text = "at the start"},
    {.name = "material", .type = KEY_REFERENCE, .choices = "material", .required = true, .text = ""},
    END};
