/* Grains as they lay at the end of a finished run; those that stand where this scene has bodies are left out. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/box_tree.h"
#include "base/math.h"
#include "scene/build.h"
#include "scene/copies.h"
#include "scene/filling.h"
#include "scene/solids.h"
#include "talus/record.h"

/* The bounding box of a shape in the axes of its body. */
typedef struct box_of_shape {
    tl_vec3 p; /* of the body */
    tl_mat3 R;
    double low[3], high[3];
} box_of_shape;

/* What may stand in the way of a grain. */
typedef struct taken {
    int dimension, boxes;
    box_of_shape *box;
    tl_box_tree tree; /* of boxes around them, in the axes of the world */
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

/* In the axes of the world, wider by what rounding may add. */
static tl_box3 box_around(const taken *t, const box_of_shape *b)
{
    double low[3] = {0}, high[3] = {0}, p[3];
    tl_store3(p, b->p);
    for (int c = 0; c < t->dimension; c++) {
        double middle = p[c], half = 0;
        for (int k = 0; k < 3; k++) {
            middle += b->R.m[c][k] * 0.5 * (b->low[k] + b->high[k]);
            half += fabs(b->R.m[c][k]) * 0.5 * (b->high[k] - b->low[k]);
        }
        half += 1e-9 * (half + fabs(middle));
        low[c] = middle - half, high[c] = middle + half;
    }
    return (tl_box3){tl_load3(low), tl_load3(high)};
}

/* False: no memory. */
static bool plant(taken *t)
{
    tl_vec3 *middle = malloc(((size_t)t->boxes + 1) * sizeof *middle);
    const bool room = middle && tl_box_tree_reserve(&t->tree, tl_memory_default(), t->boxes) == TALUS_OK;
    for (int i = 0; room && i < t->boxes; i++) {
        t->tree.box[i] = box_around(t, &t->box[i]);
        middle[i] = tl_scale(0.5, tl_add(t->tree.box[i].low, t->tree.box[i].high));
    }
    if (room && t->boxes > 0) tl_box_tree_build(&t->tree, middle, t->boxes);
    free(middle);
    return room;
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
            t->boxes += read_box(w, body, k, b);
        }
    }
    return plant(t);
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
    const double z = t->dimension == 3 ? reach : 0;
    const tl_vec3 middle = tl_v3(p[0], p[1], t->dimension == 3 ? p[2] : 0), far = tl_v3(reach, reach, z);
    tl_box_walk walk = tl_box_walk_through(&t->tree, tl_sub(middle, far), tl_add(middle, far));
    for (int n = t->boxes > 0 ? tl_box_next(&walk) : -1; n >= 0; n = tl_box_next(&walk))
        for (int i = 0; i < d->count; i++) {
            const tl_vec3 at = tl_add(tl_load3(p), tl_mat3_apply(&R, tl_load3(d->corners[i])));
            if (is_corner_inside(t, &t->box[n], at, d->radius, 0.05 * reach)) return true;
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

static void say_left_out(const placing *p, int all)
{
    char line[2048];
    if (p->left_out == 0) return;
    snprintf(line, sizeof line, "%.800s:%d:%d: warning: %d of the %d grains of that run stand where this scene has bodies, and are left out", p->node->file,
             p->node->key_line, p->node->key_column, p->left_out, all);
    talus_world_warn(p->b->world, line);
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
    if (p->left_out < all) {
        say_left_out(p, all);
        return TALUS_OK;
    }
    tl_mistake_key(&b->scene->mistakes, TALUS_INPUT, node, "all %d grains of that run stand where this scene has bodies", all);
    return TALUS_INPUT;
}

/* Those that stand where the bodies of a world do are left out. */
static talus_status place_beside(placing *p, const talus_world *bodies)
{
    taken t;
    const bool found = find_taken(bodies, &t);
    p->taken = &t;
    if (!found) tl_mistake(&p->b->scene->mistakes, TALUS_MEMORY, p->node, "memory ran out");
    const talus_status status = found ? place(p) : TALUS_MEMORY;
    tl_box_tree_free(&t.tree, tl_memory_default());
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
