/* Fixed: two bodies are one; for what is to be measured between them. */
#include "law/joint.h"

static void lock(const tl_frame *a, const tl_frame *b, double length, tl_joint_row *rows)
{
    (void)length;
    for (int k = 0; k < 3; k++) rows[k] = tl_shift_row(a, b, k);
    rows[3] = tl_square_row(a, b, 0, 1);
    rows[4] = tl_square_row(a, b, 0, 2);
    rows[5] = tl_square_row(a, b, 1, 2);
}

const tl_joint_kind TL_JOINT_FIXED = {
    .name = "fixed",
    .text = "the two are one body",
    .in_plane = true,
    .axis_in_plane = false,
    .rows = 6,
    .coordinates = 0,
    .lock = lock,
};
