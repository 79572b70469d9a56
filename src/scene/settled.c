/* Grains as they lay at the end of a finished run; those that stand where this scene has bodies are left out. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/math.h"
#include "scene/build.h"
#include "scene/copies.h"
#include "scene/filling.h"
#include "scene/solids.h"
#include "talus/record.h"

/* The bounding box of a shape in the axes of its body, and around that one in the axes of the world. */
typedef struct box_of_shape {
    tl_vec3 p; /* of the body */
    tl_mat3 R;
    double low[3], high[3], world_low[3], world_high[3];
} box_of_shape;

/* What may stand in the way of a grain: by the lower end along x, so that a grain asks only boxes that begin before it ends. */
typedef struct taken {
    int dimension, boxes;
    double widest; /* along x [m] */
    box_of_shape *box;
} taken;

/* Walls and terrain have no box. */
static bool read_box(const talus_world *w, talus_body_id body, int shape, box_of_shape *out)
{
    talus_shape_def d;
    double corner[TALUS_HULL_POINTS][3] = {{0}}, rim[3];
    talus_body_shape(w, body, shape, &d);
    if (d.kind == TALUS_SHAPE_HALF_PLANE || d.kind == TALUS_SHAPE_HALF_SPACE || d.kind == TALUS_SHAPE_MESH) return false;
    const int n = talus_body_corners(w, body, shape, corner, TALUS_HULL_POINTS);
    tl_rims(&d, (const double(*)[3])corner, rim);
    for (int c = 0; c < 3; c++) {
        double low = corner[0][c], high = low;
        for (int i = 1; i < n; i++) low = fmin(low, corner[i][c]), high = fmax(high, corner[i][c]);
        out->low[c] = low - rim[c], out->high[c] = high + rim[c];
    }
    return true;
}

/* Wider by what rounding may add. */
static void find_world_box(box_of_shape *b, const double p[3])
{
    for (int c = 0; c < 3; c++) {
        double middle = p[c], half = 0;
        for (int k = 0; k < 3; k++) {
            middle += b->R.m[c][k] * 0.5 * (b->low[k] + b->high[k]);
            half += fabs(b->R.m[c][k]) * 0.5 * (b->high[k] - b->low[k]);
        }
        half += 1e-9 * (half + fabs(middle));
        b->world_low[c] = middle - half, b->world_high[c] = middle + half;
    }
}

static int by_lower_end(const void *a, const void *b)
{
    const double x = ((const box_of_shape *)a)->world_low[0], y = ((const box_of_shape *)b)->world_low[0];
    return (x > y) - (x < y);
}

/* Of all bodies of a world, which may be NULL. False: no memory. */
static bool find_taken(const talus_world *w, taken *t)
{
    int room = 0;
    *t = (taken){.dimension = w && talus_world_dimension(w) == 2 ? 2 : 3};
    for (int i = 0; w && i < talus_body_count(w); i++) room += talus_body_shape_count(w, talus_body_at(w, i));
    t->box = malloc(((size_t)room + 1) * sizeof *t->box);
    if (!t->box) return false;
    for (int i = 0; w && i < talus_body_count(w); i++) {
        const talus_body_id body = talus_body_at(w, i);
        double p[3], q[4];
        talus_body_pose(w, body, p, q);
        for (int k = 0; k < talus_body_shape_count(w, body); k++) {
            box_of_shape *b = &t->box[t->boxes];
            *b = (box_of_shape){.p = tl_load3(p), .R = tl_mat3_from_quat((tl_quat){q[0], q[1], q[2], q[3]})};
            if (!read_box(w, body, k, b)) continue;
            find_world_box(b, p);
            t->widest = fmax(t->widest, b->world_high[0] - b->world_low[0]);
            t->boxes++;
        }
    }
    qsort(t->box, (size_t)t->boxes, sizeof *t->box, by_lower_end);
    return true;
}

/* The first box that begins at x or later. */
static int first_from(const taken *t, double x)
{
    int low = 0, high = t->boxes;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (t->box[middle].world_low[0] < x) low = middle + 1;
        else high = middle;
    }
    return low;
}

/* Whether a point of the world is inside a box, deeper than `margin`. */
static bool is_inside(const taken *t, const box_of_shape *b, tl_vec3 at, double margin)
{
    double x[3];
    tl_store3(x, tl_mat3_apply_t(&b->R, tl_sub(at, b->p)));
    for (int c = 0; c < t->dimension; c++)
        if (x[c] < b->low[c] + margin || x[c] > b->high[c] - margin) return false;
    return true;
}

/* Is a corner in a box or, of what is round, one of the ends along the axes? */
static bool is_corner_inside(const taken *t, const box_of_shape *b, tl_vec3 at, double radius, double margin)
{
    if (is_inside(t, b, at, margin)) return true;
    for (int a = 0; radius > 0 && a < 2 * t->dimension; a++) {
        double x[3];
        tl_store3(x, at);
        x[a / 2] += a % 2 ? radius : -radius;
        if (is_inside(t, b, tl_load3(x), margin)) return true;
    }
    return false;
}

/* Does any corner of a shape stand in one of the boxes, deeper by a twentieth of the grain than what touching would explain? */
static bool is_shape_in_the_way(const taken *t, const talus_shape_def *d, const talus_body_def *body)
{
    const tl_mat3 R = tl_mat3_from_quat((tl_quat){body->quaternion[0], body->quaternion[1], body->quaternion[2], body->quaternion[3]});
    const double *p = body->position;
    double reach = 0;
    for (int i = 0; i < d->count; i++) reach = fmax(reach, tl_norm(tl_load3(d->corners[i])) + d->radius);
    for (int n = first_from(t, p[0] - reach - t->widest); n < t->boxes && t->box[n].world_low[0] <= p[0] + reach; n++) {
        const box_of_shape *b = &t->box[n];
        bool near = true;
        for (int c = 0; c < t->dimension; c++) near &= p[c] + reach >= b->world_low[c] && p[c] - reach <= b->world_high[c];
        for (int i = 0; near && i < d->count; i++) {
            const tl_vec3 at = tl_add(tl_load3(p), tl_mat3_apply(&R, tl_load3(d->corners[i])));
            if (is_corner_inside(t, b, at, d->radius, 0.05 * reach)) return true;
        }
    }
    return false;
}

static bool is_in_the_way(const taken *t, const talus_settled *s, int grain, const talus_body_def *body)
{
    for (int k = 0; k < talus_settled_shape_count(s, grain); k++) {
        talus_shape_def d;
        talus_settled_shape(s, grain, k, &d);
        if (is_shape_in_the_way(t, &d, body)) return true;
    }
    return false;
}

/* Beside the scene when there is such a run, else from where talus was started, as for its results. */
static const char *directory_of(const tl_node *from, char path[4096])
{
    struct stat s;
    const char *slash = strrchr(from->file, '/');
    snprintf(path, 4096, "%.*s%s", slash && from->text[0] != '/' ? (int)(slash - from->file) + 1 : 0, from->file, from->text);
    return stat(path, &s) == 0 ? path : from->text;
}

typedef struct placing {
    tl_builder *b;
    const tl_node *node;
    const talus_settled *s;
    const taken *taken;
    int left_out; /* for a body of this scene stands in their way */
} placing;

static talus_status place_grain(placing *p, int i, talus_body_def *body)
{
    tl_builder *b = p->b;
    talus_body_id id;
    tl_add_flow(b->world, body->position, body->velocity);
    body->changes_kind = b->changes;
    if (is_in_the_way(p->taken, p->s, i, body)) {
        p->left_out++;
        return TALUS_OK;
    }
    TL_TRY(tl_build_check(b, talus_body_create(b->world, body, &id), p->node));
    for (int k = 0; k < talus_settled_shape_count(p->s, i); k++) {
        talus_shape_def shape;
        talus_settled_shape(p->s, i, k, &shape);
        shape.material = tl_build_material(b, tl_node_get(p->node, "material"));
        TL_TRY(tl_build_check(b, talus_body_add_shape(b->world, id, &shape), p->node));
    }
    return TALUS_OK;
}

static talus_status place(placing *p)
{
    tl_builder *b = p->b;
    const tl_node *node = p->node, *repeat = tl_node_get(node, "repeat");
    tl_repeat array = {.count = 1};
    double shift[3] = {0}, velocity[3] = {0};
    tl_vector(b, tl_node_get(node, "origin"), "m", shift);
    tl_vector(b, tl_node_get(node, "velocity"), "m/s", velocity);
    if (repeat) TL_TRY(tl_read_repeat(b, repeat, &array));
    for (int copy = 0; copy < array.count; copy++)
        for (int i = 0; i < talus_settled_count(p->s); i++) {
            talus_body_def body;
            talus_settled_body(p->s, i, &body);
            for (int c = 0; c < 3; c++) body.position[c] += shift[c], body.velocity[c] = velocity[c];
            if (copy > 0) tl_repeat_place(&array, copy, &body);
            TL_TRY(place_grain(p, i, &body));
        }
    const int all = array.count * talus_settled_count(p->s);
    if (p->left_out < all) return TALUS_OK;
    tl_mistake_key(&b->scene->mistakes, TALUS_INPUT, node, "all %d grains of that run stand where this scene has bodies", all);
    return TALUS_INPUT;
}

/* Those that stand where the bodies of a world do are left out. */
static talus_status place_beside(placing *p, const talus_world *bodies)
{
    taken t;
    if (!find_taken(bodies, &t)) {
        tl_mistake(&p->b->scene->mistakes, TALUS_MEMORY, p->node, "memory ran out");
        return TALUS_MEMORY;
    }
    p->taken = &t;
    const talus_status status = place(p);
    free(t.box);
    return status;
}

talus_status tl_build_settled(tl_builder *b, const tl_node *node, const talus_world *bodies)
{
    const tl_node *from = tl_node_get(node, "from"), *time = tl_node_get(node, "time");
    char path[4096], message[2048];
    talus_settled *s;
    if (!from || from->kind != NODE_SCALAR) {
        tl_mistake_key(&b->scene->mistakes, TALUS_INPUT, node, "'from' is missing here: the directory of a finished run");
        return TALUS_INPUT;
    }
    const char *directory = directory_of(from, path);
    talus_status status = talus_settled_open(directory, tl_quantity(b->r, time, "s", (double)INFINITY, false), &s, message, sizeof message);
    if (status != TALUS_OK) {
        tl_mistake(&b->scene->mistakes, TALUS_INPUT, from, "%s; run the scene that leaves it first (talus run SCENE -o %s)", message, from->text);
        return TALUS_INPUT;
    }
    if (talus_settled_dimension(s) == talus_world_dimension(b->world)) status = place_beside(&(placing){.b = b, .node = node, .s = s}, bodies);
    else {
        tl_mistake(&b->scene->mistakes, TALUS_INPUT, from, "the run in '%s' is one in %s", directory, talus_settled_dimension(s) == 2 ? "the plane" : "space");
        status = TALUS_INPUT;
    }
    talus_settled_close(s);
    return status;
}
