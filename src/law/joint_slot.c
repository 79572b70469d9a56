/* Pin in a slot: a point of b stays on the axis of a, along which it slides, and turns as it likes. Coordinate: the way along the slot. */
#include "law/joint.h"

const tl_joint_kind TL_JOINT_SLOT = {
    .name = "slot",
    .text = "a pin: a point of b slides along the axis of a, and b turns as it likes: slide",
    .in_plane = true,
    .axis_in_plane = true,
    .rows = 2,
    .coordinates = 1,
    .holds = TL_HOLD_LINE,
    .coordinate = tl_joint_slide,
    .coordinate_name = {"slide"},
};
