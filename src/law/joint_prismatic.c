/* Prismatic: b slides along the axis of a and does not turn. */
#include "law/joint.h"

const tl_joint_kind TL_JOINT_PRISMATIC = {
    .name = "prismatic",
    .text = "b slides along the axis and does not turn: slide",
    .in_plane = true,
    .axis_in_plane = true,
    .rows = 5,
    .coordinates = 1,
    .holds = TL_HOLD_LINE | TL_HOLD_AXIS | TL_HOLD_TURN,
    .coordinate = tl_joint_slide,
    .coordinate_name = {"slide"},
};
