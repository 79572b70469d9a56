/* Prismatic: b slides along the axis of a and does not turn. */
#include "law/joint.h"

static void lock(const tl_frame *a, const tl_frame *b, double length, tl_joint_row *rows)
{
    (void)length;
    rows[0] = tl_shift_row(a, b, 1);
    rows[1] = tl_shift_row(a, b, 2);
    rows[2] = tl_square_row(a, b, 0, 1);
    rows[3] = tl_square_row(a, b, 0, 2);
    rows[4] = tl_square_row(a, b, 1, 2);
}

static tl_joint_row coordinate(const tl_frame *a, const tl_frame *b, int k)
{
    (void)k;
    return tl_shift_row(a, b, 0);
}

const tl_joint_kind TL_JOINT_PRISMATIC = {
    .name = "prismatic",
    .text = "b slides along the axis and does not turn: slide",
    .in_plane = true,
    .axis_in_plane = true,
    .rows = 5,
    .coordinates = 1,
    .lock = lock,
    .coordinate = coordinate,
    .coordinate_name = {"slide"},
};
