/* Kinds of grains, of the plane and of space. */
#include "scene/grain_kind.h"

#include <math.h>
#include <string.h>

#include "base/math.h"
#include "scene/copies.h"

static const char *const NAMES[] = {"disk", "polygon", "cluster", "sphere", "stone", "coin", "ellipsoid"};

/* ---- reading ------------------------------------------------------------------------------------------------------ */

/* A key of the part of a mixture, else of its group. */
static const tl_node *get(const tl_node *node, const tl_node *group, const char *key)
{
    const tl_node *own = tl_node_get(node, key);
    return own || !group ? own : tl_node_get(group, key);
}

static talus_status wrong(tl_builder *b, const tl_node *node, const char *text)
{
    tl_mistake_key(&b->scene->mistakes, TALUS_INPUT, node, "%s", text);
    return TALUS_INPUT;
}

/* {sizes: […], passing: […]} */
static talus_status read_grading(tl_builder *b, const tl_node *node, tl_sieve *out)
{
    const tl_node *sizes = tl_node_get(node, "sizes"), *passing = tl_node_get(node, "passing");
    tl_error error = {0};
    *out = (tl_sieve){0};
    if (sizes->kind != NODE_LIST || passing->kind != NODE_LIST || sizes->count != passing->count || sizes->count > TL_SIEVES)
        return wrong(b, node, "a grading has as many sizes as numbers of what passes them, 24 at most: {sizes: [2 mm, 4 mm], passing: [0, 1]}");
    out->count = sizes->count;
    for (int i = 0; i < sizes->count; i++) {
        out->size[i] = tl_quantity(b->r, sizes->item[i], "m", 0, false);
        out->passing[i] = tl_quantity(b->r, passing->item[i], "", 0, false);
    }
    return tl_sieve_check(out, &error) == TALUS_OK ? TALUS_OK : wrong(b, node, error.text);
}

/* A curve of sizes, if there is any. */
static talus_status read_curve(tl_builder *b, const tl_node *node, const tl_node *group, tl_grain_kind *k)
{
    const tl_node *grading = get(node, group, "grading"), *sieve = get(node, group, "sieve");
    if (tl_node_get(node, "radius")) return TALUS_OK;
    if (grading) return read_grading(b, grading, &k->sieve);
    if (!sieve) return TALUS_OK;
    const tl_sieve *named = sieve->kind == NODE_SCALAR ? tl_sieve_named(sieve->text) : NULL;
    if (!named || k->shape != GRAIN_STONE) {
        tl_mistake(&b->scene->mistakes, TALUS_INPUT, sieve, "there is no sieve curve '%.60s' for stones; expected EN13450-31.5/50, or a grading of your own",
                   sieve->kind == NODE_SCALAR ? sieve->text : "");
        return TALUS_INPUT;
    }
    k->sieve = *named;
    return TALUS_OK;
}

static talus_status read_sizes(tl_builder *b, const tl_node *node, const tl_node *group, tl_grain_kind *k)
{
    const tl_node *radius = get(node, group, "radius"), *classes = tl_node_get(radius, "classes"), *uniform = tl_node_get(radius, "uniform");
    TL_TRY(read_curve(b, node, group, k));
    if (k->sieve.count > 0) {
        k->high = 0.5 * k->sieve.size[k->sieve.count - 1];
        return TALUS_OK;
    }
    if (radius && radius->kind == NODE_SCALAR) k->classes[k->class_count++] = tl_quantity(b->r, radius, "m", 0, false);
    for (int i = 0; classes && classes->kind == NODE_LIST && i < classes->count && i < TL_RADIUS_CLASSES; i++)
        k->classes[k->class_count++] = tl_quantity(b->r, classes->item[i], "m", 0, false);
    if (uniform && uniform->kind == NODE_LIST && uniform->count == 2) {
        k->low = tl_quantity(b->r, uniform->item[0], "m", 0, false);
        k->high = tl_quantity(b->r, uniform->item[1], "m", 0, false);
    }
    if (uniform && !(uniform->kind == NODE_LIST && uniform->count == 2 && k->low <= k->high))
        return wrong(b, radius, "'uniform' wants the smallest and the largest radius: [6 mm, 10 mm]");
    k->high = k->class_count ? 0 : k->high;
    for (int i = 0; i < k->class_count; i++) k->high = fmax(k->high, k->classes[i]);
    if (k->high > 0) return TALUS_OK;
    return wrong(b, radius ? radius : node, "a radius is a length, {classes: [6 mm, 7 mm]} or {uniform: [6 mm, 10 mm]}; or give a grading");
}

static void read_range(tl_builder *b, const tl_node *list, double out[2])
{
    for (int i = 0; list && list->kind == NODE_LIST && i < list->count && i < 2; i++) out[i] = tl_quantity(b->r, list->item[i], "", out[i], false);
}

/* Of stones, stone.c asks. */
static talus_status check_axes(tl_builder *b, const tl_node *node, const tl_grain_kind *k)
{
    const double *e = k->stone.elongation, *f = k->stone.flatness;
    const bool ordered = e[0] > 0 && e[0] <= e[1] && f[0] > 0 && f[0] <= f[1];
    if (!ordered || (k->shape == GRAIN_ELLIPSOID && (e[1] > 1 || f[1] > 1)))
        return wrong(b, node, "elongation and flatness are ranges of ratios of axes, [0.7, 1]: above 0, the smaller first, and not above 1 but for coins");
    return TALUS_OK;
}

/* Shapes that a key goes with, in words. */
static void list_shapes(const tl_key *key, char text[100])
{
    int all = 0, said = 0;
    for (int i = 0; i < GRAIN_SHAPES; i++) all += tl_key_goes(key, "shape", NAMES[i]);
    text[0] = '\0';
    for (int i = 0; i < GRAIN_SHAPES; i++) {
        if (!tl_key_goes(key, "shape", NAMES[i])) continue;
        const size_t n = strlen(text);
        snprintf(text + n, 100 - n, "%s%ss", said == 0 ? "" : said == all - 1 ? " and " : ", ", NAMES[i]);
        said++;
    }
}

/* Keys that say nothing of the shape where that is the default, or the group's; in a group they may be of parts of its mixture. */
static talus_status check_looks(tl_builder *b, const tl_node *node, const tl_grain_kind *k)
{
    char shapes[100];
    for (int i = 0; i < node->count && !tl_node_get(node, "mixture"); i++) {
        tl_key room;
        const tl_key *key = tl_schema_find(TL_GRAIN_KEYS, node->item[i]->key, &room);
        if (!key || tl_key_goes(key, "shape", NAMES[k->shape])) continue;
        list_shapes(key, shapes);
        tl_mistake_key(&b->scene->mistakes, TALUS_INPUT, node->item[i], "'%s' is of %s; the shape here is '%s'", key->name, shapes, NAMES[k->shape]);
        return TALUS_INPUT;
    }
    return TALUS_OK;
}

talus_status tl_grain_read(tl_builder *b, const tl_node *node, const tl_node *group, tl_grain_kind *k)
{
    const tl_node *shape = get(node, group, "shape");
    const bool planar = talus_world_dimension(b->world) == 2;
    const char *name = shape && shape->kind == NODE_SCALAR ? shape->text : planar ? "disk" : "sphere";
    *k = (tl_grain_kind){.node = node, .planar = planar, .material = tl_build_material(b, get(node, group, "material"))};
    while (k->shape < GRAIN_SHAPES - 1 && strcmp(name, NAMES[k->shape]) != 0) k->shape++;
    k->sides = (int)tl_quantity(b->r, get(node, group, "sides"), "", 5, false);
    k->random = tl_random_seed((uint64_t)tl_quantity(b->r, get(node, group, "seed"), "", 1, false));
    tl_vector(b, get(node, group, "velocity"), "m/s", k->velocity);
    k->stone = (tl_stone){.corners = (int)tl_quantity(b->r, get(node, group, "corners"), "", 25, false),
                          .angularity = tl_quantity(b->r, get(node, group, "angularity"), "", 0.5, false),
                          .elongation = {0.7, 1},
                          .flatness = {0.7, 1}};
    if (k->shape == GRAIN_COIN) k->stone.flatness[0] = k->stone.flatness[1] = 0.15;
    k->rounding = tl_quantity(b->r, get(node, group, "rounding"), "", 0.25, false);
    read_range(b, get(node, group, "elongation"), k->stone.elongation);
    read_range(b, get(node, group, "flatness"), k->stone.flatness);
    TL_TRY(check_looks(b, node, k));
    TL_TRY(read_sizes(b, node, group, k));
    return k->shape == GRAIN_COIN || k->shape == GRAIN_ELLIPSOID ? check_axes(b, node, k) : TALUS_OK;
}

/* ---- drawing ------------------------------------------------------------------------------------------------------- */

static double draw_radius(tl_grain_kind *k)
{
    if (k->sieve.count > 0) return 0.5 * tl_sieve_draw(&k->random, &k->sieve, k->planar ? 2 : 3);
    return k->class_count > 0 ? k->classes[tl_random_int(&k->random, k->class_count)] : tl_random_uniform(&k->random, k->low, k->high);
}

/* Half its thickness along z, to both sides. */
static void draw_coin(tl_grain_kind *k, double r)
{
    const double half = r * tl_random_uniform(&k->random, k->stone.flatness[0], k->stone.flatness[1]);
    k->rim = fmin(2 * half * k->rounding, r);
    k->corners = 2;
    k->corner[0][2] = -half, k->corner[1][2] = half;
    k->reach = sqrt((r - k->rim) * (r - k->rim) + (half - k->rim) * (half - k->rim)) + k->rim;
}

/* Its centre and the tips of its half axes, of which the second is r: it passes the meshes that a stone passes. */
static void draw_ellipsoid(tl_grain_kind *k, double r)
{
    const double long_axis = r / tl_random_uniform(&k->random, k->stone.elongation[0], k->stone.elongation[1]);
    const double short_axis = r * tl_random_uniform(&k->random, k->stone.flatness[0], k->stone.flatness[1]);
    k->radius = 0;
    k->corners = 4;
    memset(k->corner, 0, 4 * sizeof k->corner[0]);
    k->corner[1][0] = long_axis, k->corner[2][1] = r, k->corner[3][2] = short_axis;
    k->reach = long_axis;
}

talus_status tl_grain_draw(tl_builder *b, tl_grain_kind *k, double radius)
{
    const double r = radius > 0 ? radius : draw_radius(k);
    tl_vec3 points[TL_STONE_CORNERS];
    tl_error error = {0};
    k->radius = k->reach = r, k->rim = 0;
    k->corners = 1;
    memset(k->corner, 0, 2 * sizeof k->corner[0]);
    if (k->shape == GRAIN_COIN) draw_coin(k, r);
    if (k->shape == GRAIN_ELLIPSOID) draw_ellipsoid(k, r);
    if (k->shape != GRAIN_STONE) return TALUS_OK;
    if (tl_stone_points(&k->random, &k->stone, points, &error) != TALUS_OK) return wrong(b, k->node, error.text);
    k->corners = k->stone.corners;
    k->radius = k->reach = 0;
    for (int i = 0; i < k->corners; i++) { /* of size 1 by its mesh: its size is the mesh that it passes */
        tl_store3(k->corner[i], tl_scale(2 * r, points[i]));
        k->reach = fmax(k->reach, 2 * r * tl_norm(points[i]));
    }
    return TALUS_OK;
}

talus_status tl_grain_sample(tl_builder *b, const tl_grain_kind *k, double *least, double *most)
{
    tl_grain_kind sample = *k;
    *least = (double)INFINITY, *most = 0;
    for (int i = 0; i < 400; i++) {
        TL_TRY(tl_grain_draw(b, &sample, 0));
        *least = fmin(*least, sample.reach), *most = fmax(*most, sample.reach);
    }
    return TALUS_OK;
}

static talus_status add_shape(tl_builder *b, const tl_grain_kind *k, talus_body_id id, talus_shape_def *shape)
{
    shape->material = k->material;
    return tl_build_check(b, talus_body_add_shape(b->world, id, shape), k->node);
}

static talus_status add_planar_shapes(tl_builder *b, const tl_grain_kind *k, talus_body_id id)
{
    talus_shape_def shape = talus_shape_def_default();
    const double r = k->radius;
    shape.radius = r;
    if (k->shape == GRAIN_POLYGON) {
        shape.kind = TALUS_SHAPE_POLYGON;
        shape.radius = 0;
        shape.count = k->sides;
        for (int i = 0; i < k->sides; i++) {
            const double angle = 6.283185307179586 * i / k->sides;
            shape.points[i][0] = r * cos(angle), shape.points[i][1] = r * sin(angle);
        }
    } else if (k->shape == GRAIN_CLUSTER) { /* two disks that overlap by a third of their radius */
        shape.radius = 0.6 * r;
        shape.points[0][0] = -0.4 * r;
        TL_TRY(add_shape(b, k, id, &shape));
        shape.points[0][0] = 0.4 * r;
    }
    return add_shape(b, k, id, &shape);
}

talus_status tl_grain_add(tl_builder *b, tl_grain_kind *k, const double x[3])
{
    talus_body_def body = tl_build_grain_def(b);
    talus_shape_def shape = talus_shape_def_default();
    talus_body_id id;
    memcpy(body.position, x, sizeof body.position);
    memcpy(body.velocity, k->velocity, sizeof body.velocity);
    tl_add_flow(b->world, x, body.velocity);
    if (k->planar) body.position[2] = body.velocity[2] = 0;
    if (k->planar && k->shape != GRAIN_DISK) body.angle = tl_random_uniform(&k->random, 0, 6.283185307179586);
    if (k->shape > GRAIN_SPHERE) { /* a random rotation: a random point of the unit sphere in four dimensions */
        double size = 2;
        while (size > 1 || size < 1e-4) {
            size = 0;
            for (int i = 0; i < 4; i++) body.quaternion[i] = tl_random_uniform(&k->random, -1, 1), size += body.quaternion[i] * body.quaternion[i];
        }
    }
    TL_TRY(tl_build_check(b, talus_body_create(b->world, &body, &id), k->node));
    if (k->planar) return add_planar_shapes(b, k, id);
    static const talus_shape_kind KIND[GRAIN_SHAPES] = {[GRAIN_SPHERE] = TALUS_SHAPE_SPHERE,
                                                        [GRAIN_STONE] = TALUS_SHAPE_POLYHEDRON,
                                                        [GRAIN_COIN] = TALUS_SHAPE_CYLINDER,
                                                        [GRAIN_ELLIPSOID] = TALUS_SHAPE_ELLIPSOID};
    shape.kind = KIND[k->shape];
    shape.rounding = k->rim;
    shape.corners = (const double(*)[3])k->corner;
    shape.count = k->corners;
    shape.radius = k->radius;
    return add_shape(b, k, id, &shape);
}

double tl_clearance(const talus_world *w, const double x[3], double within)
{
    for (int i = 0; w && i < talus_body_count(w); i++) within = talus_body_distance(w, talus_body_at(w, i), x, within);
    return within;
}
