/* Solids cut by a plane: bodies that move freely are there or not, others end at it, with a face where they were cut. */
#include <math.h>
#include <stdlib.h>

#include "record/picture_space.h"

/* In the axes of the camera; what lies beyond is left out. */
typedef struct plane {
    tl_vec3 normal; /* towards the camera */
    double at;
} plane;

static double beyond(const plane *p, tl_vec3 x) { return tl_dot(p->normal, x) - p->at; }

static plane plane_of(const tl_picture *p)
{
    const double size = tl_norm(tl_load3(p->def->cut));
    plane out = {tl_scale(1 / size, tl_to_camera(p, tl_load3(p->def->cut))), p->def->cut_at / size};
    if (out.normal.z < 0) out = (plane){tl_scale(-1, out.normal), -out.at};
    return out;
}

/* What polygons are cut from and into. */
typedef struct cutter {
    const plane *plane;
    tl_vec3 *in, *out, *rim;
    int room, rims;
} cutter;

/* The part of the polygon `in` before the plane, into `out`; where it was cut goes to the rim, too (Sutherland and Hodgman). */
static int cut_polygon(cutter *c, int n)
{
    int m = 0;
    for (int k = 0; k < n; k++) {
        const tl_vec3 a = c->in[k], b = c->in[k + 1 < n ? k + 1 : 0];
        const double da = beyond(c->plane, a), db = beyond(c->plane, b);
        if (da <= 0) c->out[m++] = a;
        if ((da > 0) != (db > 0)) c->out[m++] = c->rim[c->rims++] = tl_add(a, tl_scale(da / (da - db), tl_sub(b, a)));
    }
    return m;
}

typedef struct around {
    double angle;
    tl_vec3 x;
} around;

static int by_angle(const void *a, const void *b)
{
    const double x = ((const around *)a)->angle, y = ((const around *)b)->angle;
    return (x > y) - (x < y);
}

/* Corners of a convex polygon in their order around it. */
static bool go_round(tl_vec3 *corner, int n, tl_vec3 normal)
{
    tl_vec3 middle = {0}, t, u;
    around *all = calloc((size_t)n, sizeof *all);
    if (!all) return false;
    tl_tangents(normal, &t, &u);
    for (int k = 0; k < n; k++) middle = tl_add(middle, tl_scale(1.0 / n, corner[k]));
    for (int k = 0; k < n; k++) {
        const tl_vec3 arm = tl_sub(corner[k], middle);
        all[k] = (around){atan2(tl_dot(arm, u), tl_dot(arm, t)), corner[k]};
    }
    qsort(all, (size_t)n, sizeof *all, by_angle);
    for (int k = 0; k < n; k++) corner[k] = all[k].x;
    free(all);
    return true;
}

/* A face with points of its own, at the end of all. */
static bool put_polygon(tl_solids *s, const tl_vec3 *corner, int n, tl_vec3 normal)
{
    const tl_memory memory = tl_memory_default();
    if (tl_grow(memory, &s->point, &s->point_room, s->points + n, sizeof *s->point) != TALUS_OK ||
        tl_grow(memory, &s->corner, &s->corner_room, s->corners + n, sizeof *s->corner) != TALUS_OK ||
        tl_grow(memory, &s->face_end, &s->face_room, s->faces + 1, sizeof *s->face_end) != TALUS_OK ||
        tl_grow(memory, &s->normal, &s->normal_room, s->faces + 1, sizeof *s->normal) != TALUS_OK)
        return false;
    for (int k = 0; k < n; k++) s->corner[s->corners++] = s->points, s->point[s->points++] = corner[k];
    s->normal[s->faces] = normal;
    s->face_end[s->faces++] = s->corners;
    return true;
}

/* The box around what is left. */
static void measure(const tl_solids *s, tl_solid *d)
{
    d->centre = (tl_vec3){0};
    for (int k = 0; k < 3; k++) d->low[k] = (double)INFINITY, d->high[k] = -(double)INFINITY;
    for (int i = d->first_point; i < d->first_point + d->points; i++) {
        double x[3];
        tl_store3(x, s->point[i]);
        for (int k = 0; k < 3; k++) d->low[k] = fmin(d->low[k], x[k] - d->radius), d->high[k] = fmax(d->high[k], x[k] + d->radius);
        d->centre = tl_add(d->centre, tl_scale(1.0 / d->points, s->point[i]));
    }
}

/* Gives the solid new faces, those that are left of the old ones and one where it was cut; the old ones stay behind unused. */
static bool cut_faces(tl_solids *s, tl_solid *d, cutter *c)
{
    const int first_point = s->points, first_face = s->faces;
    int round = 0;
    c->rims = 0;
    for (int f = d->first_face; f < d->first_face + d->faces; f++) {
        const int from = tl_face_begin(s, f), n = s->face_end[f] - from;
        for (int k = 0; k < n; k++) c->in[k] = s->point[s->corner[from + k]];
        const int left = cut_polygon(c, n);
        if (left < 3) continue;
        if (!put_polygon(s, c->out, left, s->normal[f])) return false;
        round += f < d->first_face + d->round;
    }
    if (d->faces > 1 && c->rims >= 3) /* a triangle of a mesh has no inside */
        if (!go_round(c->rim, c->rims, c->plane->normal) || !put_polygon(s, c->rim, c->rims, c->plane->normal)) return false;
    d->first_point = first_point, d->points = s->points - first_point;
    d->first_face = first_face, d->faces = s->faces - first_face, d->round = round;
    d->cut = true;
    measure(s, d);
    return true;
}

/* A grain by the origin of its body, so that its parts stay together; a rod or a ball of something else by its middle. */
static bool is_gone(const tl_picture *p, const tl_solid *d, const plane *cut)
{
    if (tl_replay_is_grain(p->run, d->body)) return tl_picture_is_cut(p, p->frame->pose[d->body]);
    return d->kind != SOLID_FACES && beyond(cut, d->centre) > 0;
}

bool tl_solids_cut(const tl_picture *p, tl_solids *s)
{
    if (p->def->cut[0] == 0 && p->def->cut[1] == 0 && p->def->cut[2] == 0) return true;
    const plane cut = plane_of(p);
    int most = 0, kept = 0;
    for (int f = 0; f < s->faces; f++) most = s->face_end[f] - tl_face_begin(s, f) > most ? s->face_end[f] - tl_face_begin(s, f) : most;
    cutter c = {.plane = &cut,
                .in = calloc((size_t)most + 1, sizeof *c.in),
                .out = calloc(2 * (size_t)most + 2, sizeof *c.out),
                .rim = calloc(2 * (size_t)s->corners + 2, sizeof *c.rim)};
    bool done = c.in && c.out && c.rim;
    for (int i = 0; done && i < s->count; i++) {
        tl_solid d = s->solid[i];
        if (is_gone(p, &d, &cut)) continue;
        if (d.kind == SOLID_FACES && !tl_replay_is_grain(p->run, d.body)) done = cut_faces(s, &d, &c);
        if (d.kind == SOLID_FACES && d.faces == 0) continue;
        s->solid[kept++] = d;
    }
    s->count = kept;
    free(c.in), free(c.out), free(c.rim);
    return done;
}
