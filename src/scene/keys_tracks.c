/* Keys of tracks (tracks.c). */
#include "scene/schema.h"

/* clang-format off */
#define END {.name = NULL}

static const tl_key TRACK_TENSION[] = {
    {.name = "force", .type = KEY_QUANTITY, .unit = "N", .low = 0, .high = 1e300, .fallback = "0", .text = "with which the wheel is pulled outwards, away from the middle of the others, at the start: twice the pull in the chain, where this comes and goes along x"},
    {.name = "stiffness", .type = KEY_QUANTITY, .unit = "N/m", .low = 0, .high = 1e300, .fallback = "0", .text = "of the spring behind it"},
    {.name = "damping", .type = KEY_QUANTITY, .unit = "N s/m", .low = 0, .high = 1e300, .fallback = "0", .text = ""},
    END};

static const tl_key TRACK_TEETH[] = {
    {.name = "count", .type = KEY_COUNT, .low = 5, .high = 200, .required = true, .text = "of a whole turn, a tooth for each shoe"},
    {.name = "height", .type = KEY_QUANTITY, .unit = "m", .positive = true, .fallback = "half the shoes' thickness", .text = "above the line between two pins"},
    {.name = "width", .type = KEY_QUANTITY, .unit = "m", .positive = true, .dimension = 3, .fallback = "half the wheel's", .text = ""},
    {.name = "play", .type = KEY_QUANTITY, .unit = "m", .low = 0, .high = 1e300, .fallback = "0.02 pitch", .text = "between a flank and a pin in the middle of its gap"},
    {.name = "material", .type = KEY_REFERENCE, .choices = "material", .fallback = "the wheel's", .text = "one that touches pins, and not plates"},
    END};

static const tl_key TRACK_WHEEL[] = {
    {.name = "at", .type = KEY_VECTOR, .unit = "m", .required = true, .text = "of its axis, from the middle of the track, in the carrier's axes; the one with a tension moves along x to where the chain closes"},
    {.name = "radius", .type = KEY_QUANTITY, .unit = "m", .positive = true, .text = "needed, but of a wheel with teeth, whose plates lie on a drum of p/(2 tan(π/count)) - thickness/2"},
    {.name = "width", .type = KEY_QUANTITY, .unit = "m", .positive = true, .dimension = 3, .text = "needed"},
    {.name = "mass", .type = KEY_QUANTITY, .unit = "kg", .positive = true, .required = true, .text = ""},
    {.name = "inertia", .type = KEY_QUANTITY, .unit = "kg m^2", .positive = true, .fallback = "½ m r²", .text = "about its axis"},
    {.name = "teeth", .type = KEY_OBJECT, .sub = TRACK_TEETH, .fallback = "none: it drives by friction", .text = "a sprocket, whose teeth stand between the pins of the chain"},
    {.name = "tension", .type = KEY_OBJECT, .sub = TRACK_TENSION, .text = "of one wheel, which slides along the carrier's x: joint TRACK_WHEEL_slide"},
    {.name = "material", .type = KEY_REFERENCE, .choices = "material", .required = true, .text = "of its drum"},
    END};

static const tl_key TRACK_PINS[] = {
    {.name = "radius", .type = KEY_QUANTITY, .unit = "m", .positive = true, .required = true, .text = "at most half the thickness"},
    {.name = "material", .type = KEY_REFERENCE, .choices = "material", .fallback = "the shoes'", .text = "one that touches teeth, and nothing else"},
    END};

static const tl_key TRACK_SHOES[] = {
    {.name = "count", .type = KEY_COUNT, .low = 3, .high = 1000, .required = true, .text = ""},
    {.name = "pitch", .type = KEY_QUANTITY, .unit = "m", .positive = true, .required = true, .text = "from pin to pin"},
    {.name = "width", .type = KEY_QUANTITY, .unit = "m", .positive = true, .dimension = 3, .text = "needed"},
    {.name = "thickness", .type = KEY_QUANTITY, .unit = "m", .positive = true, .required = true, .text = "of the plate, in whose middle the pins are"},
    {.name = "mass", .type = KEY_QUANTITY, .unit = "kg", .positive = true, .required = true, .text = "of a shoe"},
    {.name = "grouser", .type = KEY_QUANTITY, .unit = "m", .low = 0, .high = 1e300, .fallback = "0", .text = "height of the bar across its outside"},
    {.name = "horns", .type = KEY_QUANTITY, .unit = "m", .low = 0, .high = 1e300, .fallback = "0", .dimension = 3, .text = "height of the two guides beside the wheels"},
    {.name = "pins", .type = KEY_OBJECT, .sub = TRACK_PINS, .fallback = "none: teeth find nothing", .text = "shapes that teeth hold on to"},
    {.name = "material", .type = KEY_REFERENCE, .choices = "material", .required = true, .text = "of the plates, grousers and horns"},
    END};

const tl_key TL_TRACK_KEYS[] = {
    {.name = "on", .type = KEY_REFERENCES, .choices = "body", .required = true, .text = "the carrier: a body of a mechanism, which stands in the scene's axes at the start; of a list [left, right] each gets such a track, TRACK_left and TRACK_right"},
    {.name = "at", .type = KEY_VECTOR, .unit = "m", .fallback = "[0, 0]", .text = "the middle of the track, in its axes; the chain runs in the plane of x and z there, in the plane of x and y"},
    {.name = "wheels", .type = KEY_NAMED, .sub = TRACK_WHEEL, .required = true, .text = "as the chain passes them, counter-clockwise: links TRACK_WHEEL and joints of the same names. In space a wheel that turns forwards has a positive rate, in the plane a negative one"},
    {.name = "shoes", .type = KEY_OBJECT, .sub = TRACK_SHOES, .required = true, .text = "bodies TRACK_1 … and the joints before them, TRACK_pin_1 …"},
    END};
