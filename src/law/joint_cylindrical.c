/* Cylindrical: b slides along the axis of a and turns about it. */
#include "law/joint.h"

static tl_joint_row coordinate(const tl_frame *a, const tl_frame *b, int k) { return k == 0 ? tl_shift_row(a, b, 0) : tl_angle_row(a, b); }

const tl_joint_kind TL_JOINT_CYLINDRICAL = {
    .name = "cylindrical",
    .text = "b slides along the axis of a and turns about it: slide, angle",
    .in_plane = false,
    .axis_in_plane = false,
    .rows = 4,
    .coordinates = 2,
    .holds = TL_HOLD_LINE | TL_HOLD_AXIS,
    .coordinate = coordinate,
    .coordinate_name = {"slide", "angle"},
};
