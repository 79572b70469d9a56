/* Spherical: the points stay together. Its coordinate is the swing, the angle between the axes of a and b. */
#include "law/joint.h"

static tl_joint_row coordinate(const tl_frame *a, const tl_frame *b, int k)
{
    const tl_vec3 u = tl_axis(a, 0), w = tl_axis(b, 0), across = tl_cross(u, w);
    (void)k;
    return (tl_joint_row){.moment = tl_normalize(across), .value = atan2(tl_norm(across), tl_dot(u, w)), .is_angle = true, .folded = true};
}

const tl_joint_kind TL_JOINT_SPHERICAL = {
    .name = "spherical",
    .text = "the points stay together; swing is the angle between the axes of a and b",
    .in_plane = false,
    .axis_in_plane = false,
    .rows = 3,
    .coordinates = 1,
    .holds = TL_HOLD_POINT,
    .coordinate = coordinate,
    .coordinate_name = {"swing"},
};
