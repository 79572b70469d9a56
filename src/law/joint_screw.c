/* Screw: b turns about the axis of a and moves on by its length with every turn, as a right-handed thread does; a left-handed one has a
 * negative length. Coordinate: the angle. */
#include "law/joint.h"

static void lock(const tl_frame *a, const tl_frame *b, double length, tl_joint_row *rows)
{
    const double pitch = length / (2 * TL_PI);
    const tl_joint_row slide = tl_shift_row(a, b, 0), angle = tl_angle_row(a, b);
    /* one turn on, the thread is the same again */
    rows[0] = (tl_joint_row){.force = slide.force, .moment = tl_scale(-pitch, angle.moment), .value = remainder(slide.value - pitch * angle.value, length)};
}

const tl_joint_kind TL_JOINT_SCREW = {
    .name = "screw",
    .text = "b turns about the axis and moves on by length with every turn, of a left-handed thread a negative one: angle",
    .measured = true,
    .handed = true,
    .rows = 5,
    .coordinates = 1,
    .holds = TL_HOLD_LINE | TL_HOLD_AXIS,
    .lock = lock,
    .coordinate = tl_joint_turn,
    .coordinate_name = {"angle"},
};
