/* The drawn part of half-spaces: as wide as what lies on them, and ending where they meet each other. */
#include <math.h>

#include "record/picture_space.h"

static bool plane_of(const tl_picture *p, const tl_replay_shape *s, tl_vec3 *x, tl_vec3 *n)
{
    double at[3], normal[3];
    tl_replay_to_world(p->frame, s->body, tl_picture_corner(p, s, 0), at);
    tl_replay_turn(p->frame, s->body, tl_picture_corner(p, s, 1), normal);
    *x = tl_load3(at), *n = tl_normalize(tl_load3(normal));
    return tl_norm(*n) > 0.5 && isfinite(tl_dot(*x, *n));
}

/* Keeps what lies on the side of n (Sutherland and Hodgman). */
static void cut(tl_plate *f, tl_vec3 x, tl_vec3 n)
{
    tl_vec3 kept[TL_PLATE_CORNERS];
    int m = 0;
    for (int k = 0; k < f->corners && m < TL_PLATE_CORNERS - 2; k++) {
        const tl_vec3 a = f->corner[k], b = f->corner[(k + 1) % f->corners];
        const double da = tl_dot(n, tl_sub(a, x)), db = tl_dot(n, tl_sub(b, x));
        if (da >= 0) kept[m++] = a;
        if ((da < 0) != (db < 0)) kept[m++] = tl_add(a, tl_scale(da / (da - db), tl_sub(b, a)));
    }
    for (int k = 0; k < m; k++) f->corner[k] = kept[k];
    f->corners = m;
}

/* The edges follow the world's axes where the plane does. */
static void plate_axes(tl_plate *f)
{
    const tl_vec3 n = f->normal, helper = fabs(n.x) < 0.9 ? tl_v3(1, 0, 0) : tl_v3(0, 1, 0);
    f->t = tl_normalize(tl_sub(helper, tl_scale(tl_dot(helper, n), n)));
    f->u = tl_cross(n, f->t);
}

bool tl_picture_plate(const tl_picture *p, int shape, tl_plate *f)
{
    tl_vec3 x, n;
    *f = (tl_plate){0};
    if (!plane_of(p, &p->run->shape[shape], &f->origin, &f->normal)) return false;
    plate_axes(f);
    for (int k = 0; k < 2; k++) f->low[k] = (double)INFINITY, f->high[k] = -(double)INFINITY;
    for (int c = 0; c < 8; c++) {
        const tl_vec3 at = tl_v3(c & 1 ? p->far[0] : p->corner[0], c & 2 ? p->far[1] : p->corner[1], c & 4 ? p->far[2] : p->corner[2]);
        const double along[2] = {tl_dot(f->t, tl_sub(at, f->origin)), tl_dot(f->u, tl_sub(at, f->origin))};
        for (int k = 0; k < 2; k++) f->low[k] = fmin(f->low[k], along[k]), f->high[k] = fmax(f->high[k], along[k]);
    }
    const double rim = 0.06 * fmax(f->high[0] - f->low[0], f->high[1] - f->low[1]);
    for (int k = 0; k < 2; k++) f->low[k] -= rim, f->high[k] += rim;
    static const int SIDE[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    for (int k = 0; k < 4; k++) {
        const double a = SIDE[k][0] ? f->high[0] : f->low[0], b = SIDE[k][1] ? f->high[1] : f->low[1];
        f->corner[f->corners++] = tl_add(f->origin, tl_add(tl_scale(a, f->t), tl_scale(b, f->u)));
    }
    for (int i = 0; i < p->run->shapes; i++)
        if (i != shape && p->run->shape[i].kind == REPLAY_HALF_SPACE && tl_picture_shows(p, p->run->shape[i].body) && plane_of(p, &p->run->shape[i], &x, &n) &&
            fabs(tl_dot(n, f->normal)) < 1 - 1e-9)
            cut(f, x, n);
    return f->corners >= 3;
}

void tl_picture_include_floors(tl_picture *p)
{
    tl_plate f;
    const tl_picture before = *p; /* a floor must not make the next one larger */
    for (int i = 0; i < p->run->shapes; i++)
        if (p->run->shape[i].kind == REPLAY_HALF_SPACE && tl_picture_shows(p, p->run->shape[i].body) && tl_picture_plate(&before, i, &f))
            for (int k = 0; k < f.corners; k++) {
                double x[3];
                tl_store3(x, f.corner[k]);
                tl_picture_include(p, x, 0);
            }
    for (int k = 0; k < 3; k++) p->corner[k] = before.corner[k], p->far[k] = before.far[k];
}

/* A line in the axes of the plate, cut to its outline. */
bool tl_plate_clip(const tl_plate *f, const double from[2], const double to[2], tl_vec3 out[2])
{
    double begin = 0, end = 1;
    const tl_vec3 a = tl_add(f->origin, tl_add(tl_scale(from[0], f->t), tl_scale(from[1], f->u)));
    const tl_vec3 b = tl_add(f->origin, tl_add(tl_scale(to[0], f->t), tl_scale(to[1], f->u))), way = tl_sub(b, a);
    for (int k = 0; k < f->corners; k++) {
        const tl_vec3 corner = f->corner[k], inward = tl_cross(f->normal, tl_sub(f->corner[(k + 1) % f->corners], corner));
        const double at = tl_dot(inward, tl_sub(a, corner)), slope = tl_dot(inward, way);
        if (slope > 0) begin = fmax(begin, -at / slope);
        else if (slope < 0) end = fmin(end, -at / slope);
        else if (at < 0) return false;
    }
    out[0] = tl_add(a, tl_scale(begin, way)), out[1] = tl_add(a, tl_scale(end, way));
    return begin < end;
}
