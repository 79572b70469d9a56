/* Pin in a slot: a point of b stays on the axis of a, along which it slides, and turns as it likes. Coordinate: the way along the slot. */
#include "law/joint.h"

static void lock(const tl_frame *a, const tl_frame *b, double length, tl_joint_row *rows)
{
    (void)length;
    rows[0] = tl_shift_row(a, b, 1);
    rows[1] = tl_shift_row(a, b, 2);
}

static tl_joint_row coordinate(const tl_frame *a, const tl_frame *b, int k)
{
    (void)k;
    return tl_shift_row(a, b, 0);
}

const tl_joint_kind TL_JOINT_SLOT = {
    .name = "slot",
    .text = "a pin: a point of b slides along the axis of a, and b turns as it likes: slide",
    .in_plane = true,
    .axis_in_plane = true,
    .rows = 2,
    .coordinates = 1,
    .lock = lock,
    .coordinate = coordinate,
    .coordinate_name = {"slide"},
};
