/* Planar: b stays in the plane through the point of a across its axis, and turns about that axis only. Coordinates: the two slides in the axes of a, and
 * the angle. */
#include "law/joint.h"

static tl_joint_row coordinate(const tl_frame *a, const tl_frame *b, int k) { return k < 2 ? tl_shift_row(a, b, 1 + k) : tl_angle_row(a, b); }

const tl_joint_kind TL_JOINT_PLANAR = {
    .name = "planar",
    .text = "the point of b stays in the plane across the axis, which both keep: slide_1 along axis2, slide_2 across it, angle",
    .in_plane = false,
    .axis_in_plane = false,
    .rows = 3,
    .coordinates = 3,
    .holds = TL_HOLD_0 | TL_HOLD_AXIS,
    .coordinate = coordinate,
    .coordinate_name = {"slide_1", "slide_2", "angle"},
};
