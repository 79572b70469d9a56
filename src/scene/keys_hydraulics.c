/* Keys of hydraulic circuits (talus/hydraulics.h). */
#include <stddef.h>

#include "scene/schema.h"

/* clang-format off */
#define END {.name = NULL}

static const tl_key OIL[] = {
    {.name = "bulk_modulus", .type = KEY_QUANTITY, .unit = "Pa", .positive = true, .fallback = "1.4 GPa", .text = "of oil without air"},
    {.name = "air", .type = KEY_QUANTITY, .unit = "", .low = 0, .high = 0.5, .fallback = "0.005", .text = "share of the volume at atmospheric pressure that is air; it keeps the pressure above −1 atmosphere. 0: nothing pulls the oil apart"},
    {.name = "exponent", .type = KEY_QUANTITY, .unit = "", .low = 1, .high = 2, .fallback = "1.4", .text = "n of the air, whose p V^n stays; 1: isothermal"},
    END};

static const tl_key LINE[] = {
    {.name = "volume", .type = KEY_QUANTITY, .unit = "m^3", .positive = true, .required = true, .text = ""},
    {.name = "pressure", .type = KEY_QUANTITY, .unit = "Pa", .fallback = "0", .text = "at the start, relative to the atmosphere"},
    END};

static const tl_key ACCUMULATOR[] = {
    {.name = "line", .type = KEY_TEXT, .required = true, .text = "at which it is, one at most"},
    {.name = "volume", .type = KEY_QUANTITY, .unit = "m^3", .positive = true, .required = true, .text = "of its gas, without oil"},
    {.name = "precharge", .type = KEY_QUANTITY, .unit = "Pa", .positive = true, .low = 0, .high = 1e8, .required = true, .text = "pressure of the gas then, at most 100 MPa"},
    {.name = "exponent", .type = KEY_QUANTITY, .unit = "", .low = 1, .high = 2, .fallback = "1.4", .text = "n of the gas, whose p V^n stays; 1: isothermal"},
    END};

static const tl_key CYLINDER[] = {
    {.name = "joint", .type = KEY_REFERENCE, .choices = "coordinate", .text = "coordinate of a mechanism that it is on: it grows as the rod comes out"},
    {.name = "body_joint", .type = KEY_REFERENCE, .choices = "joint between bodies", .text = "or one of a joint between bodies: guide.slide"},
    {.name = "bodies", .type = KEY_REFERENCES, .choices = "grain", .text = "or two bodies, whose points `at` it pushes apart; barrel and rod have no inertia of their own"},
    {.name = "at", .type = KEY_POINTS, .unit = "m", .fallback = "[0, 0] of each", .text = "a point in each body's axes"},
    {.name = "bore", .type = KEY_QUANTITY, .unit = "m", .positive = true, .required = true, .text = "diameter"},
    {.name = "rod", .type = KEY_QUANTITY, .unit = "m", .low = 0, .high = 1e300, .fallback = "0", .text = "diameter, less than the bore"},
    {.name = "stroke", .type = KEY_QUANTITIES, .unit = "m", .required = true, .text = "[low, high]: the coordinate, or the distance of the points, at both ends, which are stops"},
    {.name = "restitution", .type = KEY_QUANTITY, .unit = "", .low = 0, .high = 1, .fallback = "0", .text = "of the stops"},
    {.name = "dead_volume", .type = KEY_QUANTITY, .unit = "m^3", .positive = true, .required = true, .text = "of each chamber at its end of the stroke, with its pipe"},
    {.name = "pressure", .type = KEY_QUANTITIES, .unit = "Pa", .fallback = "[0, 0]", .text = "at the start, of cap and rod side"},
    {.name = "single_acting", .type = KEY_FLAG, .fallback = "false", .text = "the rod side is open to the tank"},
    {.name = "friction", .type = KEY_QUANTITY, .unit = "N", .low = 0, .high = 1e300, .fallback = "0", .text = "dry, which sticks"},
    {.name = "leakage", .type = KEY_QUANTITY, .unit = "m^3/s/Pa", .low = 0, .high = 1e300, .fallback = "0", .text = "past the piston"},
    END};

static const tl_key MOTOR[] = {
    {.name = "joint", .type = KEY_REFERENCE, .choices = "coordinate", .text = "coordinate of a mechanism: the shaft"},
    {.name = "body_joint", .type = KEY_REFERENCE, .choices = "joint between bodies", .text = "or one of a joint between bodies: hinge.angle"},
    {.name = "from", .type = KEY_TEXT, .required = true, .text = "line or tank that it takes from while share and rate are positive"},
    {.name = "to", .type = KEY_TEXT, .required = true, .text = "and gives to"},
    {.name = "displacement", .type = KEY_QUANTITY, .unit = "?", .positive = true, .required = true, .text = "m^3/rad: 50 cm^3/turn; on a coordinate that is a length m^2, an area"},
    {.name = "share", .type = KEY_FUNCTION, .unit = "?", .fallback = "1", .text = "a number, of the displacement, from −1 to 1, beyond which it stays at its end; it may name inputs, and probes of the step before: input.NAME, probe.NAME"},
    {.name = "leakage", .type = KEY_QUANTITY, .unit = "m^3/s/Pa", .low = 0, .high = 1e300, .fallback = "0", .text = "from one side to the other"},
    END};

static const tl_key PUMP[] = {
    {.name = "from", .type = KEY_TEXT, .fallback = "tank", .text = ""},
    {.name = "to", .type = KEY_TEXT, .required = true, .text = "line or chamber"},
    {.name = "flow", .type = KEY_FUNCTION, .unit = "?", .required = true, .text = "m^3/s; it may name inputs and probes: input.NAME, probe.NAME; whatever the pressure is: where nothing takes it, a relief valve must"},
    END};

static const tl_key VALVE[] = {
    {.name = "type", .type = KEY_WORD, .choices = "orifice laminar check relief four_way", .required = true,
     .text = "Q by the drop Δ. orifice: flow × opening × √(Δ/drop); laminar: flow × opening × Δ/drop; check, relief: flow × (Δ − opens)/drop, one way; four_way: orifices pressure → a, b → tank where the opening is positive, pressure → b, a → tank where it is negative"},
    {.name = "from", .type = KEY_TEXT, .text = "a line, a chamber CYLINDER.cap or CYLINDER.rod, or tank; not of four_way"},
    {.name = "to", .type = KEY_TEXT, .fallback = "tank", .text = ""},
    {.name = "pressure", .type = KEY_TEXT, .text = "ports of four_way"},
    {.name = "tank", .type = KEY_TEXT, .fallback = "tank", .text = ""},
    {.name = "a", .type = KEY_TEXT, .text = ""},
    {.name = "b", .type = KEY_TEXT, .text = ""},
    {.name = "flow", .type = KEY_QUANTITY, .unit = "m^3/s", .positive = true, .required = true, .text = "nominal, of four_way that of an edge"},
    {.name = "drop", .type = KEY_QUANTITY, .unit = "Pa", .positive = true, .required = true, .text = "at which it is"},
    {.name = "opening", .type = KEY_FUNCTION, .unit = "?", .fallback = "1", .text = "a number from 0 to 1, of four_way from −1 to 1, beyond which it stays at its end; it may name inputs, and probes of the step before, so that a valve controls: input.NAME, probe.NAME"},
    {.name = "opens", .type = KEY_QUANTITY, .unit = "Pa", .low = 0, .high = 1e300, .fallback = "0", .text = "check, relief: from this drop on"},
    {.name = "laminar", .type = KEY_QUANTITY, .unit = "Pa", .positive = true, .fallback = "drop/100", .text = "orifice, four_way: below this drop the flow goes with it"},
    {.name = "leakage", .type = KEY_QUANTITY, .unit = "m^3/s/Pa", .low = 0, .high = 1e300, .fallback = "0", .text = "besides, of every edge, both ways"},
    END};

const tl_key TL_HYDRAULICS_KEYS[] = {
    {.name = "oil", .type = KEY_OBJECT, .sub = OIL, .text = ""},
    {.name = "lines", .type = KEY_NAMED, .sub = LINE, .text = "volumes of one pressure"},
    {.name = "accumulators", .type = KEY_NAMED, .sub = ACCUMULATOR, .text = "gas behind a bladder"},
    {.name = "cylinders", .type = KEY_NAMED, .sub = CYLINDER, .text = "each has two chambers, CYLINDER.cap and CYLINDER.rod"},
    {.name = "motors", .type = KEY_NAMED, .sub = MOTOR, .text = "pumps and motors on a shaft"},
    {.name = "pumps", .type = KEY_NAMED, .sub = PUMP, .text = "given flows"},
    {.name = "valves", .type = KEY_NAMED, .sub = VALVE, .text = ""},
    END};
/* clang-format on */
