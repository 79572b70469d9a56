/* The part of the scene language's table that describes drivelines of mechanisms: shafts, engines, converters. */
#include "scene/schema.h"

/* one key a line: */
/* clang-format off */
#define END {.name = NULL}
#define SPEEDS {.name = "speed", .type = KEY_QUANTITIES, .unit = "rad/s", .required = true, .text = "ascending: 1500 rpm"}

const tl_key TL_SHAFT_KEYS[] = {
    {.name = "on", .type = KEY_REFERENCE, .choices = "body", .fallback = "ground", .text = "the body that it turns on: one of the mechanism, or ground"},
    {.name = "at", .type = KEY_VECTOR, .unit = "m", .fallback = "[0, 0]", .text = "a point of its axis, in the axes of that body"},
    {.name = "axis", .type = KEY_VECTOR, .unit = "", .numbers = 3, .fallback = "z", .dimension = 3, .text = "in the axes of that body"},
    {.name = "inertia", .type = KEY_QUANTITY, .unit = "kg m^2", .low = 0, .high = 1e300, .required = true, .text = "J about the axis; across it J/2"},
    {.name = "angle", .type = KEY_QUANTITY, .unit = "rad", .fallback = "0", .text = "at the start"},
    {.name = "speed", .type = KEY_QUANTITY, .unit = "rad/s", .fallback = "least", .text = "at the start; where it is not given, the least that closes the loops"},
    END};

static const tl_key TORQUE[] = {
    SPEEDS,
    {.name = "torque", .type = KEY_QUANTITIES, .unit = "N m", .required = true, .text = "one for each speed; straight between them, 0 beyond the last"},
    END};

static const tl_key DRAG[] = {
    SPEEDS,
    {.name = "torque", .type = KEY_QUANTITIES, .unit = "N m", .required = true, .text = "one for each speed; straight between them, as there beyond them"},
    END};

static const tl_key CONSUMPTION[] = {
    SPEEDS,
    {.name = "consumption", .type = KEY_QUANTITIES, .unit = "kg/J", .required = true, .text = "one for each speed"},
    END};

static const tl_key GOVERNOR[] = {
    {.name = "type", .type = KEY_WORD, .choices = "all_speed limits", .fallback = "all_speed",
     .text = "all_speed: the throttle sets a speed s from idle to high, rack = r(s) = clamp((s - ω)/(droop s), 0, 1); limits: the throttle is the rack, at least r(idle), at most r(high)"},
    {.name = "idle", .type = KEY_QUANTITY, .unit = "rad/s", .positive = true, .required = true, .text = "where the rack is 0 without throttle: the engine idles a little below"},
    {.name = "high", .type = KEY_QUANTITY, .unit = "rad/s", .positive = true, .fallback = "limits: none", .text = "where the rack is 0 with full throttle; all_speed needs it"},
    {.name = "droop", .type = KEY_QUANTITY, .unit = "", .low = 0, .high = 1, .fallback = "0.05", .text = "share of the speed in which the rack goes from 1 to 0; above 0"},
    END};

static const tl_key FUEL[] = {
    {.name = "consumption", .type = KEY_OBJECT, .sub = CONSUMPTION, .unit = "kg/J", .required = true, .text = "specific consumption b at full load, 210 g/kWh, or a table over speed: fuel per time is rack × b T ω"},
    {.name = "heating_value", .type = KEY_QUANTITY, .unit = "J/kg", .positive = true, .fallback = "42.7 MJ/kg", .text = "of the fuel"},
    END};

const tl_key TL_ENGINE_KEYS[] = {
    {.name = "joint", .type = KEY_REFERENCE, .choices = "coordinate", .required = true, .text = "its crankshaft: a shaft, or a joint that turns; the engine runs forward"},
    {.name = "torque", .type = KEY_OBJECT, .sub = TORQUE, .required = true, .text = "T at full load: torque = rack × (T + drag) - drag"},
    {.name = "drag", .type = KEY_OBJECT, .sub = DRAG, .unit = "N m", .fallback = "0", .text = "motoring torque: a number, or a table over speed; at rest it is dry friction"},
    {.name = "throttle", .type = KEY_FUNCTION, .unit = "", .fallback = "0", .text = "0 to 1"},
    {.name = "governor", .type = KEY_OBJECT, .sub = GOVERNOR, .fallback = "none: the throttle is the rack", .text = "what makes a rack of the throttle"},
    {.name = "stall", .type = KEY_QUANTITY, .unit = "rad/s", .low = 0, .high = 1e300, .fallback = "half of idle; 0 without a governor", .text = "below it nothing burns, and drag is all there is"},
    {.name = "fuel", .type = KEY_OBJECT, .sub = FUEL, .fallback = "not counted", .text = "what it burns; only with moreau"},
    END};

static const tl_key CAPACITY[] = {
    {.name = "speed_ratio", .type = KEY_QUANTITIES, .unit = "", .required = true, .text = "ν from 0 to 1, ascending"},
    {.name = "capacity", .type = KEY_QUANTITIES, .unit = "kg m^2", .required = true, .text = "C: torque of the pump over the square of its speed, N m s²/rad² = kg m²; 0 at ν = 1"},
    END};

static const tl_key RATIO[] = {
    {.name = "speed_ratio", .type = KEY_QUANTITIES, .unit = "", .required = true, .text = "ν, ascending"},
    {.name = "torque_ratio", .type = KEY_QUANTITIES, .unit = "", .required = true, .text = "μ: torque of the turbine over that of the pump; μ ν is the efficiency, at most 1"},
    END};

const tl_key TL_CONVERTER_KEYS[] = {
    {.name = "joints", .type = KEY_REFERENCES, .choices = "coordinate", .required = true, .text = "two, pump and turbine, that turn on one body, which holds the stator"},
    {.name = "capacity", .type = KEY_OBJECT, .sub = CAPACITY, .required = true, .text = "of the speed ratio ν of turbine over pump; straight between rows"},
    {.name = "ratio", .type = KEY_OBJECT, .sub = RATIO, .required = true, .text = "of the same; straight between rows, beyond them as there"},
    END};
/* clang-format on */
