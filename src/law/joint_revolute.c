/* Revolute: the points stay together, and the axes. In the plane the axis is z. */
#include "law/joint.h"

const tl_joint_kind TL_JOINT_REVOLUTE = {
    .name = "revolute",
    .text = "b turns about the axis: angle",
    .in_plane = true,
    .axis_in_plane = false,
    .rows = 5,
    .coordinates = 1,
    .holds = TL_HOLD_POINT | TL_HOLD_AXIS,
    .coordinate = tl_joint_turn,
    .coordinate_name = {"angle"},
};
