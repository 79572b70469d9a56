/* Fixed: two bodies are one; for what is to be measured between them. */
#include "law/joint.h"

const tl_joint_kind TL_JOINT_FIXED = {
    .name = "fixed",
    .text = "the two are one body",
    .in_plane = true,
    .axis_in_plane = false,
    .rows = 6,
    .coordinates = 0,
    .holds = TL_HOLD_POINT | TL_HOLD_AXIS | TL_HOLD_TURN,
};
