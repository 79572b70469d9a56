/* A run far from the world's origin, as on a map, as those who draw it see it: about a point near by, and each body about a point near its shapes. What draws
 * goes on in single precision or in steps of the picture's size, which have too few digits for five thousand kilometres. */
#include <stdlib.h>
#include <string.h>

#include "record/replay.h"

static const double FAR = 1000; /* times its own size: what is further away is drawn about another point */

typedef struct box {
    double low[3], high[3];
} box;

static box empty(void)
{
    const double none = (double)INFINITY;
    return (box){{none, none, none}, {-none, -none, -none}};
}

static bool is_empty(const box *b) { return !(b->high[0] >= b->low[0]); }

static void include(box *b, const double x[3], double radius)
{
    for (int c = 0; c < 3; c++) b->low[c] = fmin(b->low[c], x[c] - radius), b->high[c] = fmax(b->high[c], x[c] + radius);
}

static void middle_of(const box *b, double x[3])
{
    for (int c = 0; c < 3; c++) x[c] = 0.5 * (b->low[c] + b->high[c]);
}

/* A point within the box, in round numbers; 0: the origin is no further away than FAR times its size. */
static void point_near(const box *b, double x[3])
{
    const double size = tl_norm(tl_sub(tl_load3(b->high), tl_load3(b->low)));
    middle_of(b, x);
    const double round = size > 0 ? pow(10, floor(log10(size))) : 1;
    const bool near = is_empty(b) || !(tl_norm(tl_load3(x)) > FAR * size);
    for (int c = 0; c < 3; c++) x[c] = near ? 0 : round * nearbyint(x[c] / round);
}

static bool is_endless(const tl_replay_shape *s) { return s->kind == REPLAY_HALF_PLANE || s->kind == REPLAY_HALF_SPACE; }

/* Of shapes that have an end, and of joints, in the axes of each body. */
static void measure_bodies(const tl_replay *r, box *of)
{
    for (int i = 0; i < r->own; i++) of[i] = empty();
    for (int i = 0; i < r->shapes; i++)
        for (int k = 0; !is_endless(&r->shape[i]) && k < r->shape[i].points; k++)
            include(&of[r->shape[i].body], r->point[r->shape[i].first_point + k], r->shape[i].radius);
    for (int i = 0; i < r->joints; i++)
        for (int side = 0; side < 2; side++)
            if (r->joint[i].body[side] >= 0) include(&of[r->joint[i].body[side]], r->joint[i].point[side], 0);
}

/* Of all that is drawn, world axes: of what has shapes, joints, solids. Points of the ground count where nothing else does: a joint that lets a machine go
 * anywhere counts its way from one. */
static void measure_run(const tl_replay *r, const tl_replay_frame *f, const box *of, box *out)
{
    box all = *out;
    double x[3];
    for (int i = 0; i < r->own; i++) {
        if (is_empty(&of[i]) || !tl_replay_is_there(f, i)) continue;
        middle_of(&of[i], x);
        const double reach = 0.5 * tl_norm(tl_sub(tl_load3(of[i].high), tl_load3(of[i].low)));
        tl_replay_to_world(f, i, x, x);
        include(&all, x, reach);
    }
    for (int i = 0; i < r->solids; i++)
        for (int k = 0; k < r->solid[i].nodes; k++) include(&all, r->solid[i].position[k], 0);
    const box bodies = all;
    for (int i = 0; i < r->joints; i++)
        for (int side = 0; is_empty(&bodies) && side < 2; side++)
            if (r->joint[i].body[side] < 0) include(&all, r->joint[i].point[side], 0);
    *out = all;
}

static void move(double x[3], const double by[3])
{
    for (int c = 0; c < 3; c++) x[c] -= by[c];
}

/* A body that nothing with an end is drawn of stands where the others are. */
static void choose_asides(tl_replay *r, const tl_replay_frame *f, const box *of)
{
    for (int i = 0; i < r->own; i++) {
        double *aside = r->aside[i];
        const tl_mat3 R = tl_mat3_from_quat((tl_quat){f->pose[i][3], f->pose[i][4], f->pose[i][5], f->pose[i][6]});
        if (is_empty(&of[i])) tl_store3(aside, tl_mat3_apply_t(&R, tl_sub(tl_load3(r->origin), tl_load3(f->pose[i]))));
        else point_near(&of[i], aside);
    }
}

static void move_shape(const tl_replay *r, const tl_replay_shape *s)
{
    double(*point)[3] = r->point + s->first_point;
    for (int k = 0; k < (is_endless(s) ? 1 : s->points); k++) move(point[k], r->aside[s->body]);
    if (is_endless(s)) tl_store3(point[0], tl_scale(tl_dot(tl_load3(point[0]), tl_load3(point[1])), tl_load3(point[1]))); /* the nearest of its plane */
}

static void move_all(tl_replay *r)
{
    for (int i = 0; i < r->shapes; i++) move_shape(r, &r->shape[i]);
    for (int i = 0; i < r->own; i++) move(r->body[i].centre, r->aside[i]);
    for (int i = 0; i < r->joints; i++)
        for (int side = 0; side < 2; side++) move(r->joint[i].point[side], r->joint[i].body[side] >= 0 ? r->aside[r->joint[i].body[side]] : r->origin);
    for (int i = 0; i < r->solids; i++)
        for (int k = 0; k < r->solid[i].nodes; k++) move(r->solid[i].position[k], r->origin);
    for (int c = 0; c < 3; c++) r->cell[c][0] -= r->origin[c], r->cell[c][1] -= r->origin[c];
}

talus_status tl_replay_come_near(tl_replay *r, tl_error *error)
{
    tl_replay_frame frame = {0};
    box *of = calloc((size_t)r->own + 1, sizeof *of), all = empty();
    talus_status status = of ? TALUS_OK : tl_fail(error, TALUS_MEMORY, "memory ran out");
    if (of) measure_bodies(r, of);
    for (int k = 0; k < 2 && status == TALUS_OK; k++) { /* at first and in the end */
        status = tl_replay_read(r, k * (r->frames - 1), &frame, error);
        if (status == TALUS_OK) measure_run(r, &frame, of, &all);
    }
    point_near(&all, r->origin);
    if (status == TALUS_OK && tl_norm(tl_load3(r->origin)) > 0) {
        r->aside = calloc((size_t)r->own + 1, sizeof *r->aside);
        if (!r->aside) status = tl_fail(error, TALUS_MEMORY, "memory ran out");
        else choose_asides(r, &frame, of), move_all(r);
    }
    tl_replay_frame_free(&frame);
    free(of);
    return status;
}

void tl_replay_see_near(const tl_replay *r, tl_replay_frame *f)
{
    if (!r->aside) return;
    for (int i = 0; i < r->own; i++) {
        double arm[3];
        tl_replay_turn(f, i, r->aside[i], arm);
        const tl_vec3 faster = tl_cross(tl_load3(f->velocity[i] + 3), tl_load3(arm));
        for (int c = 0; c < 3; c++) f->pose[i][c] += arm[c] - r->origin[c];
        tl_store3(f->velocity[i], tl_add(tl_load3(f->velocity[i]), faster));
    }
    for (int i = 0; i < f->contacts; i++) move(f->point[i], r->origin);
}
