/* The kinds of joints between bodies: a kind is a line here and a file of its own (joint.h). Their numbers are written into trajectory.h5
 * (talus_connection_kind): new kinds come at the end. */
#include "law/joint.h"

#include <string.h>

static const tl_joint_kind *const KINDS[] = {
    &TL_JOINT_REVOLUTE, &TL_JOINT_PRISMATIC, &TL_JOINT_CYLINDRICAL, &TL_JOINT_SPHERICAL, &TL_JOINT_UNIVERSAL,
    &TL_JOINT_PLANAR,   &TL_JOINT_FIXED,     &TL_JOINT_DISTANCE,    &TL_JOINT_SCREW,     &TL_JOINT_SLOT,
};

int tl_joint_kinds(void) { return (int)(sizeof KINDS / sizeof *KINDS); }

const tl_joint_kind *tl_joint_kind_at(int index) { return index >= 0 && index < tl_joint_kinds() ? KINDS[index] : NULL; }

const tl_joint_kind *tl_joint_kind_named(const char *name)
{
    for (int i = 0; i < tl_joint_kinds(); i++)
        if (strcmp(KINDS[i]->name, name) == 0) return KINDS[i];
    return NULL;
}

void tl_joint_lock(const tl_joint_kind *kind, const tl_frame *a, const tl_frame *b, double length, tl_joint_row *rows)
{
    static const int SQUARE[3][2] = {{0, 1}, {0, 2}, {1, 2}};
    for (int k = 0; k < 3; k++)
        if (kind->holds & (unsigned)TL_HOLD_0 << k) *rows++ = tl_shift_row(a, b, k);
    for (int k = 0; k < 3; k++)
        if (kind->holds & (unsigned)TL_HOLD_0_ACROSS_1 << k) *rows++ = tl_square_row(a, b, SQUARE[k][0], SQUARE[k][1]);
    if (kind->lock) kind->lock(a, b, length, rows);
}

tl_joint_row tl_joint_slide(const tl_frame *a, const tl_frame *b, int k)
{
    (void)k;
    return tl_shift_row(a, b, 0);
}

tl_joint_row tl_joint_turn(const tl_frame *a, const tl_frame *b, int k)
{
    (void)k;
    return tl_angle_row(a, b);
}
