/* Keys of tyres (tyres.c). */
#include "scene/schema.h"

/* clang-format off */
#define END {.name = NULL}

const tl_key TL_TYRE_KEYS[] = {
    {.name = "on", .type = KEY_REFERENCES, .choices = "body", .required = true, .text = "the wheel: a body of a mechanism, with the mass of the rim; its axle is its y axis, in the plane z; of a list [left, right] each gets such a tyre, TYRE_left and TYRE_right"},
    {.name = "at", .type = KEY_VECTOR, .unit = "m", .fallback = "[0, 0]", .text = "middle of the tyre, in the wheel's axes"},
    {.name = "radius", .type = KEY_QUANTITY, .unit = "m", .positive = true, .required = true, .text = "without load"},
    {.name = "width", .type = KEY_QUANTITY, .unit = "m", .positive = true, .dimension = 3, .text = "needed"},
    {.name = "mass", .type = KEY_QUANTITY, .unit = "kg", .positive = true, .required = true, .text = "of all segments"},
    {.name = "load", .type = KEY_QUANTITY, .unit = "N", .positive = true, .required = true, .text = "at which the tyre is known"},
    {.name = "deflection", .type = KEY_QUANTITY, .unit = "m", .positive = true, .required = true, .text = "under this load on a plane"},
    {.name = "slip_stiffness", .type = KEY_QUANTITY, .unit = "N", .positive = true, .required = true, .text = "C_κ under this load: longitudinal force over slip where slip is small"},
    {.name = "cornering_stiffness", .type = KEY_QUANTITY, .unit = "N/rad", .positive = true, .fallback = "slip_stiffness", .dimension = 3, .text = "C_α under this load: lateral force over the slip angle where that is small"},
    {.name = "damping", .type = KEY_QUANTITY, .unit = "s", .low = 0, .high = 1e300, .fallback = "1 ms", .text = "damper over spring; a wheel that turns with ω has a rolling resistance of nearly damping × ω"},
    {.name = "segments", .type = KEY_COUNT, .low = 6, .high = 400, .fallback = "60", .text = "around the wheel; at its load it must stand on three"},
    {.name = "rounding", .type = KEY_QUANTITY, .unit = "m", .positive = true, .fallback = "0.6 of the pitch", .text = "radius of the edge of a segment: the smallest stone that does not pass between two"},
    {.name = "material", .type = KEY_REFERENCE, .choices = "material", .required = true, .text = "of the tread"},
    END};
