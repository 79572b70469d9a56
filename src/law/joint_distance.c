/* Distance: a rod without mass between the points, as long as at the start or as it is given. */
#include "law/joint.h"

static void lock(const tl_frame *a, const tl_frame *b, double length, tl_joint_row *rows)
{
    const tl_vec3 d = tl_sub(b->p, a->p);
    const double size = tl_norm(d);
    rows[0] = (tl_joint_row){.force = size > 0 ? tl_scale(1 / size, d) : tl_axis(a, 0), .value = size - length};
}

const tl_joint_kind TL_JOINT_DISTANCE = {
    .name = "distance",
    .text = "a rod without mass between the two points",
    .in_plane = true,
    .axis_in_plane = false,
    .measured = true,
    .rows = 1,
    .coordinates = 0,
    .lock = lock,
};
