/* Grains as they lay at the end of a finished run; those that stand where this scene has bodies are left out. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/math.h"
#include "scene/build.h"
#include "scene/copies.h"
#include "scene/filling.h"
#include "scene/solids.h"
#include "talus/record.h"

/* Whether a point in the axes of a body is inside the bounding box of its shape k, deeper than `margin`. Walls and terrain have none. */
static bool is_in_box(const talus_world *w, talus_body_id body, int k, tl_vec3 local, double margin)
{
    talus_shape_def d;
    double corner[TALUS_HULL_POINTS][3] = {{0}}, x[3];
    tl_store3(x, local);
    talus_body_shape(w, body, k, &d);
    if (d.kind == TALUS_SHAPE_HALF_PLANE || d.kind == TALUS_SHAPE_HALF_SPACE || d.kind == TALUS_SHAPE_MESH) return false;
    const int dimension = talus_world_dimension(w) == 2 ? 2 : 3;
    const int n = talus_body_corners(w, body, k, corner, TALUS_HULL_POINTS);
    double rim[3];
    tl_rims(&d, (const double(*)[3])corner, rim);
    for (int c = 0; c < dimension; c++) {
        double low = corner[0][c], high = low;
        for (int i = 1; i < n; i++) low = fmin(low, corner[i][c]), high = fmax(high, corner[i][c]);
        if (x[c] < low - rim[c] + margin || x[c] > high + rim[c] - margin) return false;
    }
    return true;
}

static bool is_taken(const talus_world *w, tl_vec3 x, double margin)
{
    for (int i = 0; w && i < talus_body_count(w); i++) {
        const talus_body_id body = talus_body_at(w, i);
        const int shapes = talus_body_shape_count(w, body);
        double p[3], q[4];
        if (shapes == 0) continue;
        talus_body_pose(w, body, p, q);
        const tl_mat3 R = tl_mat3_from_quat((tl_quat){q[0], q[1], q[2], q[3]});
        const tl_vec3 local = tl_mat3_apply_t(&R, tl_sub(x, tl_load3(p)));
        for (int k = 0; k < shapes; k++)
            if (is_in_box(w, body, k, local, margin)) return true;
    }
    return false;
}

/* Every corner counts, and of what is round the ends along the axes; deeper by a twentieth of the grain than what touching would explain. */
static bool is_in_the_way(const talus_world *w, const talus_settled *s, int grain, const talus_body_def *body)
{
    const tl_mat3 R = tl_mat3_from_quat((tl_quat){body->quaternion[0], body->quaternion[1], body->quaternion[2], body->quaternion[3]});
    for (int k = 0; k < talus_settled_shape_count(s, grain); k++) {
        talus_shape_def d;
        double reach = 0;
        talus_settled_shape(s, grain, k, &d);
        for (int i = 0; i < d.count; i++) reach = fmax(reach, tl_norm(tl_load3(d.corners[i])) + d.radius);
        for (int i = 0; i < d.count; i++) {
            const tl_vec3 at = tl_add(tl_load3(body->position), tl_mat3_apply(&R, tl_load3(d.corners[i])));
            const int axes = d.radius > 0 ? 2 * talus_settled_dimension(s) : 0;
            if (is_taken(w, at, 0.05 * reach)) return true;
            for (int a = 0; a < axes; a++) {
                double x[3];
                tl_store3(x, at);
                x[a / 2] += a % 2 ? d.radius : -d.radius;
                if (is_taken(w, tl_load3(x), 0.05 * reach)) return true;
            }
        }
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
    const talus_world *taken;
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

talus_status tl_build_settled(tl_builder *b, const tl_node *node, const talus_world *taken)
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
    if (talus_settled_dimension(s) == talus_world_dimension(b->world)) status = place(&(placing){.b = b, .node = node, .s = s, .taken = taken});
    else {
        tl_mistake(&b->scene->mistakes, TALUS_INPUT, from, "the run in '%s' is one in %s", directory, talus_settled_dimension(s) == 2 ? "the plane" : "space");
        status = TALUS_INPUT;
    }
    talus_settled_close(s);
    return status;
}
