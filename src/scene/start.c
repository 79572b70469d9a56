/* What a scene says of its start, and what became of it: bodies in one another. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/math.h"
#include "scene/build.h"

enum { NAMED = 5 }; /* of many pairs as many are named */

/* "body 'lid'", "grain 17 of 'ballast'", "body 3". */
static void describe(const tl_builder *b, talus_body_id id, char text[160])
{
    const char *name = talus_body_name(b->world, id);
    snprintf(text, 160, "body %u", (unsigned)id.index1 - 1);
    if (*name) snprintf(text, 160, "body '%.100s'", name);
    for (int i = 0; i < b->scene->group_count; i++) {
        const tl_group *g = &b->scene->groups[i];
        const int member = (int)id.index1 - g->first;
        if (member >= 1 && member <= g->count) snprintf(text, 160, "grain %d of '%.100s'", member, g->name);
    }
}

/* Where the scene speaks of a body: its own key, or that of its group. */
static const tl_node *node_of(const tl_builder *b, talus_body_id id)
{
    const tl_node *root = b->scene->root, *mechanisms = tl_node_get(root, "mechanisms"), *node;
    const char *name = talus_body_name(b->world, id);
    for (int i = 0; i < b->scene->group_count; i++) {
        const tl_group *g = &b->scene->groups[i];
        if ((int)id.index1 > g->first && (int)id.index1 <= g->first + g->count) return tl_node_get(tl_node_get(root, "grains"), g->name);
    }
    if ((node = tl_node_get(tl_node_get(root, "bodies"), name))) return node;
    for (int i = 0; mechanisms && mechanisms->kind == NODE_MAP && i < mechanisms->count; i++)
        if ((node = tl_node_get(tl_node_get(mechanisms->item[i], "bodies"), name))) return node;
    return root;
}

static void overlap_text(const tl_builder *b, const talus_overlap *o, char *text, size_t size)
{
    char one[160], other[160], z[32] = "";
    describe(b, o->a, one);
    describe(b, o->b, other);
    if (talus_world_dimension(b->world) == 3) snprintf(z, sizeof z, ", %.4g", o->point[2]);
    snprintf(text, size, "%s and %s overlap by %.3g m at [%.4g, %.4g%s]", one, other, o->depth, o->point[0], o->point[1], z);
}

/* The later of the two is what was put into the other. */
static const tl_node *place_of(const tl_builder *b, const talus_overlap *o)
{
    const tl_node *node = node_of(b, o->b);
    return node != b->scene->root ? node : node_of(b, o->a);
}

/* ---- sizes ---------------------------------------------------------------------------------------------------------- */

/* The diagonal of what has an end of a body's shapes in the axes of the body; 0: nothing has. */
static double size_of(const talus_world *w, talus_body_id id, bool *mesh)
{
    tl_vec3 low = {(double)INFINITY, (double)INFINITY, (double)INFINITY}, high = {-(double)INFINITY, -(double)INFINITY, -(double)INFINITY};
    double round = 0;
    *mesh = false;
    for (int k = 0; k < talus_body_shape_count(w, id); k++) {
        talus_shape_def shape;
        talus_body_shape(w, id, k, &shape);
        if (shape.kind == TALUS_SHAPE_HALF_PLANE || shape.kind == TALUS_SHAPE_HALF_SPACE) continue;
        *mesh = *mesh || shape.kind == TALUS_SHAPE_MESH;
        const int n = talus_world_dimension(w) == 3 ? shape.count : 0;
        double(*corner)[3] = n > 0 ? calloc((size_t)n, sizeof *corner) : NULL;
        if (corner) talus_body_corners(w, id, k, corner, n);
        for (int i = 0; corner && i < n; i++) {
            low = tl_v3(fmin(low.x, corner[i][0]), fmin(low.y, corner[i][1]), fmin(low.z, corner[i][2]));
            high = tl_v3(fmax(high.x, corner[i][0]), fmax(high.y, corner[i][1]), fmax(high.z, corner[i][2]));
        }
        free(corner);
        round = fmax(round, 2 * shape.radius);
    }
    return (high.x >= low.x ? tl_norm(tl_sub(high, low)) : 0) + round;
}

static const double OTHER_UNIT = 1000;

/* A mesh a thousand times larger or smaller than everything else was drawn in another unit. */
void tl_build_check_sizes(tl_builder *b)
{
    const talus_world *w = b->world;
    double smallest = (double)INFINITY, largest = 0;
    char line[2048], name[160];
    bool mesh;
    if (talus_world_dimension(w) != 3) return;
    for (int i = 0; i < talus_body_count(w); i++) {
        const double size = size_of(w, talus_body_at(w, i), &mesh);
        if (!mesh && size > 0) smallest = fmin(smallest, size), largest = fmax(largest, size);
    }
    for (int i = 0; largest > 0 && i < talus_body_count(w); i++) {
        const talus_body_id id = talus_body_at(w, i);
        const double size = size_of(w, id, &mesh);
        if (!mesh || (size < OTHER_UNIT * largest && OTHER_UNIT * size > smallest)) continue;
        const tl_node *node = node_of(b, id);
        describe(b, id, name);
        snprintf(line, sizeof line,
                 "%.800s:%d:%d: warning: the mesh of %s is %.3g m across, all other shapes %.3g to %.3g m; was it drawn in mm? 'scale: 1 mm'", node->file,
                 node->key_line, node->key_column, name, size, smallest, largest);
        talus_world_warn(b->world, line);
    }
}

/* A lattice may be narrower than its stones are wide, to be pushed apart into a dense packing: that is said, not refused. */
static bool is_of_lattice(const tl_builder *b, const talus_overlap *o)
{
    const tl_node *node = node_of(b, o->a), *generator = tl_node_get(node, "generator");
    return node == node_of(b, o->b) && generator && strcmp(generator->text, "lattice") == 0;
}

/* The first step looks for contacts where all is half a step later: what is then past each other never meets. */
static void check_first_half_step(tl_builder *b)
{
    const double half = 0.5 * talus_world_step_size(b->world);
    talus_overlap list[NAMED];
    int count;
    char one[160], other[160], line[2048];
    if (talus_world_overlaps(b->world, half, list, NAMED, &count) != TALUS_OK) return;
    for (int i = 0; i < count && i < NAMED && list[i].share > 1; i++) {
        const tl_node *node = place_of(b, &list[i]);
        describe(b, list[i].a, one);
        describe(b, list[i].b, other);
        snprintf(line, sizeof line,
                 "%.800s:%d:%d: warning: %s and %s pass through each other in the first half step (%.3g s), before contacts are looked for; start them farther "
                 "apart, or with a smaller time.step",
                 node->file, node->key_line, node->key_column, one, other, half);
        talus_world_warn(b->world, line);
    }
}

/* ---- ropes -------------------------------------------------------------------------------------------------------------- */

static tl_vec3 end_of(const talus_world *w, const talus_connection *c, int end)
{
    double at[3], q[4];
    if (c->body[end].index1 == 0) return tl_load3(c->point[end]);
    talus_body_pose(w, c->body[end], at, q);
    const tl_mat3 R = tl_mat3_from_quat((tl_quat){q[0], q[1], q[2], q[3]});
    return tl_add(tl_load3(at), tl_mat3_apply(&R, tl_load3(c->point[end])));
}

/* How long the next rope is as it is tied, over its pulleys; *i: among connections, goes on behind it. */
static double length_from(const talus_world *w, int *i)
{
    double length = 0;
    talus_connection c;
    while (talus_connection_get(w, *i, &c)) {
        const bool goes_on = c.kind == TALUS_CONNECTION_SPAN, is_tied = goes_on || c.kind == TALUS_CONNECTION_ROPE || c.kind == TALUS_CONNECTION_STRUT;
        if (is_tied) length += tl_norm(tl_sub(end_of(w, &c, 1), end_of(w, &c, 0)));
        (*i)++;
        if (is_tied && !goes_on) break;
    }
    return length;
}

static void warn_of_length(const tl_builder *b, const tl_node *node, const tl_rope_group *g, double length, double given)
{
    char line[2048];
    snprintf(line, sizeof line, "%.800s:%d:%d: warning: the ends of '%.100s' are %.4g m apart at the start, and its length is %.4g m; the first steps %s them",
             node->file, node->key_line, node->key_column, g->name, length, given, length > given ? "pull" : "push");
    talus_world_warn(b->world, line);
}

/* What is too short, or a strut that is too long, moves its bodies at once, unless it is elastic. Of a chain the worst is named. */
static void check_ropes(tl_builder *b)
{
    static const double ROUNDED = 1e-3; /* of a length */
    const int all = talus_rope_count(b->world) + talus_tackle_count(b->world);
    double *length = tl_arena_zero(b->scene->arena, (size_t)all + 1, sizeof *length);
    for (int k = 0, i = 0; length && k < all; k++) length[k] = length_from(b->world, &i);
    for (int i = 0; length && i < b->scene->rope_count; i++) {
        const tl_rope_group *g = &b->scene->ropes[i];
        const tl_node *node = tl_node_get(tl_node_get(b->scene->root, "ropes"), g->name), *key = tl_node_get(node, "length");
        const double given = key && !tl_node_get(node, "stiffness") ? tl_quantity(b->r, key, "m", 0, false) : 0;
        const int stride = g->pulls && g->pushes ? 2 : 1, first = g->tackle1 ? talus_rope_count(b->world) + g->tackle1 - 1 : g->first;
        double worst = ROUNDED * given, of = 0;
        for (int k = 0; given > 0 && k < g->count; k++) {
            const double off = length[first + k * stride] - given;
            if ((g->pulls && off > worst) || (g->pushes && -off > worst)) worst = fabs(off), of = length[first + k * stride];
        }
        if (worst > ROUNDED * given) warn_of_length(b, key, g, of, given);
    }
}

/* ---- overlaps ----------------------------------------------------------------------------------------------------------- */

static bool wants_equilibrium(const tl_builder *b)
{
    const tl_node *asked = tl_node_get(tl_node_get(b->scene->root, "start"), "equilibrium");
    return asked && strcmp(asked->text, "true") == 0;
}

talus_status tl_build_check_overlaps(tl_builder *b)
{
    const char *then =
        wants_equilibrium(b) ? "the search for a start in equilibrium pushes them apart, or loads what is between them" : "the first steps push them apart";
    talus_overlap list[NAMED];
    int count;
    char text[512], line[2048];
    if (talus_world_overlaps(b->world, 0, list, NAMED, &count) != TALUS_OK) return TALUS_OK; /* what is wrong, the first step says with its time */
    talus_status status = TALUS_OK;
    for (int i = 0; i < count && i < NAMED; i++) {
        const tl_node *node = place_of(b, &list[i]);
        overlap_text(b, &list[i], text, sizeof text);
        if (list[i].share > 1 && !is_of_lattice(b, &list[i])) {
            tl_mistake_key(&b->scene->mistakes, TALUS_INPUT, node, "%s at the start: the middle of the thinner one lies in the other; move them apart", text);
            status = TALUS_INPUT;
        } else {
            snprintf(line, sizeof line, "%.800s:%d:%d: warning: %s at the start; %s", node->file, node->key_line, node->key_column, text, then);
            talus_world_warn(b->world, line);
        }
    }
    if (status == TALUS_OK) check_first_half_step(b);
    if (!wants_equilibrium(b)) check_ropes(b);
    if (count <= NAMED) return status;
    snprintf(line, sizeof line, "%.800s: warning: %d pairs of bodies overlap at the start; the worst %d are named", b->scene->path, count, NAMED);
    if (status == TALUS_OK) talus_world_warn(b->world, line);
    else tl_mistake(&b->scene->mistakes, status, b->scene->root, "%d pairs of bodies overlap at the start; the worst %d are named", count, NAMED);
    return status;
}

/* ---- equilibrium ------------------------------------------------------------------------------------------------------- */

/* Laws that read probes. */
static void look(void *scene, const talus_world *w) { tl_laws_look(scene, w); }

talus_status tl_build_equilibrium(tl_builder *b)
{
    const tl_node *start = tl_node_get(b->scene->root, "start"), *asked = tl_node_get(start, "equilibrium");
    const tl_node *tolerance = tl_node_get(start, "tolerance"), *passes = tl_node_get(start, "passes");
    if (!wants_equilibrium(b)) {
        const tl_node *idle = tolerance ? tolerance : passes;
        if (idle) tl_mistake_key(&b->scene->mistakes, TALUS_INPUT, idle, "'%s' is of a start in equilibrium; 'equilibrium: true' asks for one", idle->key);
        return idle ? TALUS_INPUT : TALUS_OK;
    }
    talus_equilibrium_def d = talus_equilibrium_def_default();
    d.tolerance = tl_quantity(b->r, tolerance, "m/s^2", d.tolerance, false);
    d.max_passes = (int)tl_quantity(b->r, passes, "", d.max_passes, false);
    if (b->scene->law_probe_count > 0) d.look = look, d.user = b->scene;
    const talus_status status = talus_world_find_equilibrium(b->world, &d, NULL);
    if (status != TALUS_OK) tl_mistake_key(&b->scene->mistakes, status, asked, "%s", talus_world_error(b->world));
    return status;
}
