/* Universal (Cardan, Hooke): the points stay together; the first axis of a and the second of b, the bars of the cross, stay square. Coordinates: the angles
 * about the two bars. */
#include "law/joint.h"

static void lock(const tl_frame *a, const tl_frame *b, double length, tl_joint_row *rows)
{
    (void)length;
    rows[0] = tl_square_row(a, b, 1, 0);
}

/* With e the bar of a, d that of b, square to it:  ω_b − ω_a = α̇ e + β̇ d. */
static tl_joint_row coordinate(const tl_frame *a, const tl_frame *b, int k)
{
    const tl_vec3 e = tl_axis(a, 0), d = tl_axis(b, 1), x = tl_axis(b, 0);
    if (k == 0) return tl_angle_row(a, b);
    return (tl_joint_row){.moment = d, .value = atan2(tl_dot(x, tl_cross(d, e)), tl_dot(x, e)), .is_angle = true};
}

const tl_joint_kind TL_JOINT_UNIVERSAL = {
    .name = "universal",
    .text = "a cross, whose bars stay square: axis is that of a, axis2 that of b. first and second are the angles about them",
    .in_plane = false,
    .axis_in_plane = false,
    .rows = 4,
    .coordinates = 2,
    .holds = TL_HOLD_POINT,
    .lock = lock,
    .coordinate = coordinate,
    .coordinate_name = {"first", "second"},
};
