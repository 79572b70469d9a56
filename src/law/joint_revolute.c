/* Revolute: the points stay together, and the axes. In the plane the axis is z. */
#include "law/joint.h"

static void lock(const tl_frame *a, const tl_frame *b, double length, tl_joint_row *rows)
{
    (void)length;
    for (int k = 0; k < 3; k++) rows[k] = tl_shift_row(a, b, k);
    rows[3] = tl_square_row(a, b, 0, 1);
    rows[4] = tl_square_row(a, b, 0, 2);
}

static tl_joint_row coordinate(const tl_frame *a, const tl_frame *b, int k)
{
    (void)k;
    return tl_angle_row(a, b);
}

const tl_joint_kind TL_JOINT_REVOLUTE = {
    .name = "revolute",
    .text = "b turns about the axis: angle",
    .in_plane = true,
    .axis_in_plane = false,
    .rows = 5,
    .coordinates = 1,
    .lock = lock,
    .coordinate = coordinate,
    .coordinate_name = {"angle"},
};
