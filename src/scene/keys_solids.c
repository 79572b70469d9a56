/* The part of the scene language's table that describes ellipses and frustums, shapes made of many convex parts, and arrays of shapes and bodies. */
#include "scene/schema.h"

/* one key a line: */
/* clang-format off */
#define END {.name = NULL}
#define MATERIAL {.name = "material", .type = KEY_REFERENCE, .choices = "material", .fallback = "the body's", .text = ""}
#define TOLERANCE(share) {.name = "tolerance", .type = KEY_QUANTITY, .unit = "m", .positive = true, .fallback = share, \
     .text = "how far its plane facets may lie from the round surface; area and volume are exact at any"}

const tl_key TL_ELLIPSE_KEYS[] = {
    {.name = "radii", .type = KEY_VECTOR, .unit = "m", .required = true, .text = "half axes along x, y of its own axes"},
    {.name = "centre", .type = KEY_VECTOR, .unit = "m", .fallback = "[0, 0]", .text = "in the body's axes"},
    {.name = "angle", .type = KEY_QUANTITY, .unit = "rad", .fallback = "0", .text = "of its own axes"},
    MATERIAL,
    END};

const tl_key TL_FRUSTUM_KEYS[] = {
    {.name = "from", .type = KEY_VECTOR, .unit = "m", .required = true, .text = "centre of one end"},
    {.name = "to", .type = KEY_VECTOR, .unit = "m", .required = true, .text = "of the other"},
    {.name = "radius", .type = KEY_QUANTITY, .unit = "m", .low = 0, .high = 1e300, .required = true, .text = "there: at `from`"},
    {.name = "radius_to", .type = KEY_QUANTITY, .unit = "m", .low = 0, .high = 1e300, .fallback = "0", .text = "at `to`; 0: the tip of a cone"},
    MATERIAL,
    END};

const tl_key TL_RING_KEYS[] = {
    {.name = "centre", .type = KEY_VECTOR, .unit = "m", .fallback = "[0, 0]", .text = "in the body's axes"},
    {.name = "radius", .type = KEY_QUANTITY, .unit = "m", .positive = true, .required = true, .text = "outer"},
    {.name = "thickness", .type = KEY_QUANTITY, .unit = "m", .positive = true, .required = true, .text = "of the wall, inwards"},
    {.name = "from", .type = KEY_QUANTITY, .unit = "rad", .fallback = "0", .text = "angle at which it begins"},
    {.name = "to", .type = KEY_QUANTITY, .unit = "rad", .fallback = "a full turn on", .text = "and ends, counter-clockwise"},
    TOLERANCE("radius/200"),
    MATERIAL,
    END};

const tl_key TL_OUTLINE_KEYS[] = {
    {.name = "points", .type = KEY_POINTS, .unit = "m", .required = true, .text = "around it, either way; sides must not cross"},
    MATERIAL,
    END};

const tl_key TL_CONE_KEYS[] = {
    {.name = "from", .type = KEY_VECTOR, .unit = "m", .required = true, .text = "centre of one end"},
    {.name = "to", .type = KEY_VECTOR, .unit = "m", .required = true, .text = "of the other"},
    {.name = "radius", .type = KEY_QUANTITY, .unit = "m", .low = 0, .high = 1e300, .required = true, .text = "there: at `from`"},
    {.name = "radius_to", .type = KEY_QUANTITY, .unit = "m", .low = 0, .high = 1e300, .fallback = "0", .text = "at `to`; 0: a tip"},
    TOLERANCE("larger radius/200"),
    MATERIAL,
    END};

const tl_key TL_TUBE_KEYS[] = {
    {.name = "from", .type = KEY_VECTOR, .unit = "m", .required = true, .text = "centre of one end"},
    {.name = "to", .type = KEY_VECTOR, .unit = "m", .required = true, .text = "of the other"},
    {.name = "radius", .type = KEY_QUANTITY, .unit = "m", .positive = true, .required = true, .text = "inner, at `from`"},
    {.name = "radius_to", .type = KEY_QUANTITY, .unit = "m", .positive = true, .fallback = "radius", .text = "inner, at `to`: a hollow cone"},
    {.name = "thickness", .type = KEY_QUANTITY, .unit = "m", .positive = true, .required = true, .text = "of the wall, outwards, across the axis"},
    {.name = "closed", .type = KEY_WORD, .choices = "none from to both", .fallback = "none", .text = "ends with a plate, of the wall's thickness, outside of `from` and `to`"},
    TOLERANCE("larger radius/200"),
    MATERIAL,
    END};

const tl_key TL_HOPPER_KEYS[] = {
    {.name = "outlet", .type = KEY_QUANTITIES, .unit = "m", .positive = true, .required = true, .text = "plane: width; space: diameter, or [along x, along y]"},
    {.name = "inlet", .type = KEY_QUANTITIES, .unit = "m", .positive = true, .required = true, .text = "the same, of the funnel's upper end"},
    {.name = "height", .type = KEY_QUANTITY, .unit = "m", .positive = true, .required = true, .text = "of the funnel"},
    {.name = "bin", .type = KEY_QUANTITY, .unit = "m", .low = 0, .high = 1e300, .fallback = "0", .text = "height of upright walls above it"},
    {.name = "thickness", .type = KEY_QUANTITY, .unit = "m", .positive = true, .required = true, .text = "of the walls, outwards, level"},
    {.name = "at", .type = KEY_VECTOR, .unit = "m", .fallback = "[0, 0]", .text = "centre of the outlet; the funnel rises along y, in space along z"},
    {.name = "tolerance", .type = KEY_QUANTITY, .unit = "m", .positive = true, .fallback = "(inlet/2 + thickness)/200", .dimension = 3,
     .text = "of a round one: how far its plane facets may lie from the round surface; volume is exact at any"},
    MATERIAL,
    END};

const tl_key TL_SPIRAL_KEYS[] = {
    {.name = "from", .type = KEY_VECTOR, .unit = "m", .required = true, .text = "on its axis, where the middle of the sheet begins"},
    {.name = "to", .type = KEY_VECTOR, .unit = "m", .required = true, .text = "and ends"},
    {.name = "radius", .type = KEY_QUANTITY, .unit = "m", .positive = true, .required = true, .text = "outer"},
    {.name = "inner_radius", .type = KEY_QUANTITY, .unit = "m", .positive = true, .required = true, .text = "that of the shaft, which is a shape of its own"},
    {.name = "pitch", .type = KEY_QUANTITY, .unit = "m", .positive = true, .required = true, .text = "along the axis, for a turn"},
    {.name = "thickness", .type = KEY_QUANTITY, .unit = "m", .positive = true, .required = true, .text = "of the sheet, along the axis"},
    {.name = "hand", .type = KEY_WORD, .choices = "right left", .fallback = "right", .text = "right: it turns counter-clockwise on its way, seen against it"},
    {.name = "begin", .type = KEY_QUANTITY, .unit = "rad", .fallback = "0", .text = "angle about the axis at which it begins, from e × axis with e the first of x, y, z that has less than 0.57 of the axis' length along it: from -y for an axis along z"},
    TOLERANCE("radius/100"),
    MATERIAL,
    END};

const tl_key TL_REVOLUTION_KEYS[] = {
    {.name = "profile", .type = KEY_POINTS, .unit = "m", .numbers = 2, .required = true, .text = "[radius, height] of each point: around a solid, either way; with `thickness` along a wall"},
    {.name = "thickness", .type = KEY_QUANTITY, .unit = "m", .positive = true, .fallback = "solid", .text = "of the wall, to the right of the way along the profile: up the inside of a bowl"},
    {.name = "at", .type = KEY_VECTOR, .unit = "m", .fallback = "[0, 0, 0]", .text = "where the axis has height 0"},
    {.name = "axis", .type = KEY_VECTOR, .unit = "", .fallback = "[0, 0, 1]", .text = "of the turn, upwards"},
    TOLERANCE("largest radius/200"),
    MATERIAL,
    END};

#define REPEAT \
    {.name = "count", .type = KEY_COUNT, .low = 1, .high = 100000, .required = true, .text = "of all, the first of which is as written"}, \
    {.name = "shift", .type = KEY_VECTOR, .unit = "m", .fallback = "none", .text = "from each to the next"}, \
    {.name = "about", .type = KEY_VECTOR, .unit = "m", .fallback = "[0, 0]", .text = "a point of the axis of `turn`"}, \
    {.name = "axis", .type = KEY_VECTOR, .unit = "", .fallback = "[0, 0, 1]", .dimension = 3, .text = "its direction"}, \
    {.name = "turn", .type = KEY_QUANTITY, .unit = "rad", .fallback = "a full turn/count where `about` or `axis` is given, else 0", .text = "from each to the next"}

const tl_key TL_REPEAT_SHAPES_KEYS[] = {
    REPEAT,
    {.name = "shapes", .type = KEY_OBJECTS, .sub = TL_SHAPE_KEYS, .required = true, .text = "any, also repeat: those of a body"},
    END};

const tl_key TL_REPEAT_KEYS[] = {REPEAT, END};
/* clang-format on */
