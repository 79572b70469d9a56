/* Groups of grains in space: balls and stones on a lattice, dropped into a region, or in given places. Random numbers come from the group's own seed. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/math.h"
#include "scene/build.h"
#include "scene/stone.h"

typedef struct solid_kind {
    const tl_node *node;
    double classes[64], low, high, largest; /* radii: classes, or uniform between low and high; the largest reach of a grain */
    int class_count;
    bool stones;
    tl_stone stone;
    const tl_sieve *sieve; /* sizes instead of radii */
    talus_material_id material;
    double velocity[3];
    tl_random random;
} solid_kind;

/* Reach of a grain about its origin, in terms of the mesh that a stone passes: its longest axis is at most this many meshes. */
static double most_reach(const tl_stone *s) { return 0.75 / (s->elongation[0] * fmin(1, s->flatness[0] + 0.3)); }

static void read_range(tl_builder *b, const tl_node *node, const char *key, double out[2])
{
    const tl_node *list = tl_node_get(node, key);
    for (int i = 0; list && list->kind == NODE_LIST && i < list->count && i < 2; i++) out[i] = tl_quantity(b->r, list->item[i], "", out[i], false);
}

static bool read_sizes(tl_builder *b, solid_kind *k)
{
    const tl_node *radius = tl_node_get(k->node, "radius"), *classes = tl_node_get(radius, "classes"), *uniform = tl_node_get(radius, "uniform");
    const char *sieve = tl_word(k->node, "sieve", NULL);
    if (sieve) {
        k->sieve = tl_sieve_named(sieve);
        if (!k->sieve || !k->stones) {
            tl_mistake(&b->scene->mistakes, TALUS_INPUT, tl_node_get(k->node, "sieve"), "there is no sieve curve '%.60s' for stones; expected EN13450-31.5/50",
                       sieve);
            return false;
        }
        k->largest = k->sieve->size[k->sieve->count - 1] * most_reach(&k->stone);
        return true;
    }
    if (radius && radius->kind == NODE_SCALAR) k->classes[k->class_count++] = tl_quantity(b->r, radius, "m", 0, false);
    for (int i = 0; classes && classes->kind == NODE_LIST && i < classes->count && i < 64; i++)
        k->classes[k->class_count++] = tl_quantity(b->r, classes->item[i], "m", 0, false);
    if (uniform && uniform->kind == NODE_LIST && uniform->count == 2) {
        k->low = tl_quantity(b->r, uniform->item[0], "m", 0, false);
        k->high = tl_quantity(b->r, uniform->item[1], "m", 0, false);
    }
    for (int i = 0; i < k->class_count; i++) k->high = fmax(k->high, k->classes[i]);
    k->largest = k->stones ? 2 * k->high * most_reach(&k->stone) : k->high;
    if (k->high > 0 && (k->class_count > 0 || k->low <= k->high)) return true;
    tl_mistake_key(&b->scene->mistakes, TALUS_INPUT, radius ? radius : k->node,
                   "a radius is a length, {classes: [6 mm, 7 mm]} or {uniform: [6 mm, 10 mm]}; stones may have a sieve instead");
    return false;
}

static bool read_kind(tl_builder *b, const tl_node *node, solid_kind *k)
{
    const char *shape = tl_word(node, "shape", "sphere");
    *k = (solid_kind){.node = node, .material = tl_build_material(b, tl_node_get(node, "material")), .stones = strcmp(shape, "stone") == 0};
    k->random = tl_random_seed((uint64_t)tl_quantity(b->r, tl_node_get(node, "seed"), "", 1, false));
    tl_vector(b, tl_node_get(node, "velocity"), "m/s", k->velocity);
    k->stone = (tl_stone){.corners = (int)tl_quantity(b->r, tl_node_get(node, "corners"), "", 25, false),
                          .angularity = tl_quantity(b->r, tl_node_get(node, "angularity"), "", 0.5, false),
                          .elongation = {0.7, 1},
                          .flatness = {0.7, 1}};
    read_range(b, node, "elongation", k->stone.elongation);
    read_range(b, node, "flatness", k->stone.flatness);
    return read_sizes(b, k);
}

/* A grain of random size; its corners, and how far they reach. */
typedef struct solid {
    double corner[TL_STONE_CORNERS][3], radius, reach;
    int corners;
} solid;

static talus_status draw(tl_builder *b, solid_kind *k, solid *s)
{
    const double r = k->sieve             ? 0.5 * tl_sieve_draw(&k->random, k->sieve)
                     : k->class_count > 0 ? k->classes[tl_random_int(&k->random, k->class_count)]
                                          : tl_random_uniform(&k->random, k->low, k->high);
    *s = (solid){.radius = r, .reach = r, .corners = 1};
    if (!k->stones) return TALUS_OK;
    tl_vec3 points[TL_STONE_CORNERS];
    tl_error error = {0};
    if (tl_stone_points(&k->random, &k->stone, points, &error) != TALUS_OK) {
        tl_mistake_key(&b->scene->mistakes, TALUS_INPUT, k->node, "%s", error.text);
        return TALUS_INPUT;
    }
    s->corners = k->stone.corners;
    s->radius = s->reach = 0;
    for (int i = 0; i < s->corners; i++) { /* of size 1 by its mesh: its size is the mesh that it passes */
        tl_store3(s->corner[i], tl_scale(2 * r, points[i]));
        s->reach = fmax(s->reach, 2 * r * tl_norm(points[i]));
    }
    return TALUS_OK;
}

static talus_status add(tl_builder *b, solid_kind *k, const solid *s, double x, double y, double z)
{
    talus_body_def body = talus_body_def_default();
    talus_shape_def shape = talus_shape_def_default();
    talus_body_id id;
    body.position[0] = x, body.position[1] = y, body.position[2] = z;
    memcpy(body.velocity, k->velocity, sizeof body.velocity);
    if (k->stones) { /* a random rotation: a random point of the unit sphere in four dimensions */
        double size = 2;
        while (size > 1 || size < 1e-4) {
            size = 0;
            for (int i = 0; i < 4; i++) body.quaternion[i] = tl_random_uniform(&k->random, -1, 1), size += body.quaternion[i] * body.quaternion[i];
        }
    }
    TL_TRY(tl_build_check(b, talus_body_create(b->world, &body, &id), k->node));
    shape.kind = k->stones ? TALUS_SHAPE_POLYHEDRON : TALUS_SHAPE_SPHERE;
    shape.material = k->material;
    shape.corners = s->corner;
    shape.count = s->corners;
    shape.radius = s->radius;
    return tl_build_check(b, talus_body_add_shape(b->world, id, &shape), k->node);
}

/* ---- generators ------------------------------------------------------------------------------------------------------- */

static talus_status lattice(tl_builder *b, solid_kind *k)
{
    const tl_node *node = k->node;
    const int rows = (int)tl_quantity(b->r, tl_node_get(node, "rows"), "", 0, false),
              columns = (int)tl_quantity(b->r, tl_node_get(node, "columns"), "", 0, false);
    const int layers = (int)tl_quantity(b->r, tl_node_get(node, "layers"), "", 1, false);
    const double spacing = tl_quantity(b->r, tl_node_get(node, "spacing"), "m", 0, false),
                 jitter = tl_quantity(b->r, tl_node_get(node, "jitter"), "m", 0, false);
    double origin[3] = {0};
    tl_vector(b, tl_node_get(node, "origin"), "m", origin);
    if (rows < 1 || columns < 1 || !(spacing > 0) || (double)rows * columns * layers > 1e8) {
        tl_mistake_key(&b->scene->mistakes, TALUS_INPUT, node, "a lattice needs rows, columns, layers and spacing");
        return TALUS_INPUT;
    }
    for (int l = 0; l < layers; l++)
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < columns; j++) {
                solid s;
                const int cell[3] = {j, i, l};
                double x[3];
                for (int c = 0; c < 3; c++) x[c] = origin[c] + spacing * cell[c] + tl_random_uniform(&k->random, -jitter, jitter);
                TL_TRY(draw(b, k, &s));
                TL_TRY(add(b, k, &s, x[0], x[1], x[2]));
            }
    return TALUS_OK;
}

static talus_status listed(tl_builder *b, solid_kind *k)
{
    const tl_node *positions = tl_node_get(k->node, "positions");
    if (!positions || positions->kind != NODE_LIST) {
        tl_mistake_key(&b->scene->mistakes, TALUS_INPUT, k->node, "'positions' is missing here: [[x, y, z], …]");
        return TALUS_INPUT;
    }
    for (int i = 0; i < positions->count; i++) {
        double p[3] = {0};
        solid s;
        tl_vector(b, positions->item[i], "m", p);
        TL_TRY(draw(b, k, &s));
        TL_TRY(add(b, k, &s, p[0], p[1], p[2]));
    }
    return TALUS_OK;
}

/* What stands in the region already: balls about the shapes, and half-spaces. A pessimist's test, and quick. */
static double clearance(const talus_world *settled, const double x[3])
{
    double least = (double)INFINITY;
    for (int i = 0; settled && i < talus_body_count(settled); i++) {
        const talus_body_id body = talus_body_at(settled, i);
        double p[3], q[4];
        talus_body_pose(settled, body, p, q);
        const tl_mat3 R = tl_mat3_from_quat((tl_quat){q[0], q[1], q[2], q[3]});
        const tl_vec3 local = tl_mat3_apply_t(&R, tl_sub(tl_load3(x), tl_load3(p)));
        for (int k = 0; k < talus_body_shape_count(settled, body); k++) {
            talus_shape_def d;
            double corner[TALUS_HULL_POINTS][3];
            talus_body_shape(settled, body, k, &d);
            const int n = talus_body_corners(settled, body, k, corner, TALUS_HULL_POINTS);
            if (d.kind == TALUS_SHAPE_MESH) continue; /* the region is in front of it: docs/scene.md */
            if (d.kind == TALUS_SHAPE_HALF_SPACE) {
                least = fmin(least, tl_dot(tl_sub(local, tl_load3(corner[0])), tl_load3(corner[1])));
                continue;
            }
            double box = 0; /* distance from the bounding box in the body's axes: exact for a cuboid */
            for (int c = 0; c < 3; c++) {
                double low = corner[0][c], high = low;
                for (int j = 1; j < n; j++) low = fmin(low, corner[j][c]), high = fmax(high, corner[j][c]);
                const double y = c == 0 ? local.x : c == 1 ? local.y : local.z, beyond = fmax(fmax(low - y, y - high), 0);
                box += beyond * beyond;
            }
            least = fmin(least, sqrt(box) - d.radius);
        }
    }
    return least;
}

/* Layer upon layer of a lattice as wide as the largest grain, each grain anywhere in its cell where it fits: nothing overlaps, all falls a little. */
static talus_status drop(tl_builder *b, solid_kind *k, const talus_world *settled)
{
    const tl_node *points = tl_node_get(k->node, "region"), *count_node = tl_node_get(k->node, "count");
    const int wanted = (int)tl_quantity(b->r, count_node, "", 0, false);
    double a[3] = {0}, c[3] = {0}, low[3], pitch[3], radius;
    int cells[3], placed = 0;
    if (!points || points->kind != NODE_LIST || points->count != 2 || wanted < 1) {
        tl_mistake_key(&b->scene->mistakes, TALUS_INPUT, points ? points : k->node,
                       "to drop grains takes a count, and a region of two corners: [[x, y, z], [x, y, z]]");
        return TALUS_INPUT;
    }
    tl_vector(b, points->item[0], "m", a);
    tl_vector(b, points->item[1], "m", c);
    /* the largest of a sample, not of all that could be: cells are not wider than the stones need */
    solid_kind sample = *k;
    radius = 0;
    for (int i = 0; i < 400; i++) {
        solid s;
        TL_TRY(draw(b, &sample, &s));
        radius = fmax(radius, 1.05 * s.reach);
    }
    for (int i = 0; i < 3; i++) {
        low[i] = fmin(a[i], c[i]);
        const double extent = fabs(a[i] - c[i]), n = floor(extent / (2 * radius));
        cells[i] = n >= 1e6 ? 1000000 : (int)n;
        pitch[i] = i < 2 && cells[i] > 0 ? extent / cells[i] : 2 * radius;
    }
    int64_t tries = 20000 + 100 * (int64_t)wanted; /* a region may be endless, and all of it taken */
    for (int l = 0; l < cells[2] && placed < wanted && tries > 0; l++)
        for (int i = 0; i < cells[1] && placed < wanted && tries > 0; i++)
            for (int j = 0; j < cells[0] && placed < wanted && tries > 0; j++, tries--) {
                const int cell[3] = {j, i, l};
                solid s;
                double x[3];
                for (int d = 0; d < 3; d++) x[d] = low[d] + (cell[d] + 0.5) * pitch[d];
                if (clearance(settled, x) < -0.5 * sqrt(pitch[0] * pitch[0] + pitch[1] * pitch[1] + pitch[2] * pitch[2])) continue; /* behind a wall */
                TL_TRY(draw(b, k, &s));
                if (s.reach > 0.5 * pitch[2]) s.reach = 0.5 * pitch[2]; /* beyond the sample: rare, and contacts part what overlaps a little */
                for (int d = 0; d < 3; d++) {
                    const double room = fmax(0, 0.5 * pitch[d] - s.reach);
                    x[d] = low[d] + (cell[d] + 0.5) * pitch[d] + tl_random_uniform(&k->random, -room, room);
                }
                if (clearance(settled, x) < s.reach) continue;
                TL_TRY(add(b, k, &s, x[0], x[1], x[2]));
                placed++;
            }
    if (placed == wanted) return TALUS_OK;
    tl_mistake_key(&b->scene->mistakes, TALUS_INPUT, count_node, "only %d of the %d grains fit into the region; enlarge it, or ask for fewer", placed, wanted);
    return TALUS_INPUT;
}

talus_status tl_build_group_space(tl_builder *b, const tl_node *node, const talus_world *settled)
{
    const char *generator = tl_word(node, "generator", "");
    solid_kind kind;
    if (!read_kind(b, node, &kind)) return TALUS_INPUT;
    if (strcmp(generator, "drop") == 0) return drop(b, &kind, settled);
    return strcmp(generator, "lattice") == 0 ? lattice(b, &kind) : listed(b, &kind);
}
