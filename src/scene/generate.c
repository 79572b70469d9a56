/* Groups of grains: where each one begins, how large it is. Random numbers come from the group's own seed: the same everywhere. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scene/build.h"

typedef struct grain_kind {
    const tl_node *node;
    double classes[64], low, high; /* radii: classes, or uniform between low and high */
    int class_count, sides;
    const char *shape;
    talus_material_id material;
    double velocity[3];
    tl_random random;
} grain_kind;

static double draw_radius(grain_kind *k)
{
    if (k->class_count > 0) return k->classes[tl_random_int(&k->random, k->class_count)];
    return tl_random_uniform(&k->random, k->low, k->high);
}

static bool read_kind(tl_builder *b, const tl_node *node, grain_kind *k)
{
    const tl_node *radius = tl_node_get(node, "radius"), *classes = tl_node_get(radius, "classes"), *uniform = tl_node_get(radius, "uniform");
    *k = (grain_kind){.node = node, .shape = tl_word(node, "shape", "disk"), .material = tl_build_material(b, tl_node_get(node, "material"))};
    k->sides = (int)tl_quantity(b->r, tl_node_get(node, "sides"), "", 5, false);
    k->random = tl_random_seed((uint64_t)tl_quantity(b->r, tl_node_get(node, "seed"), "", 1, false));
    tl_vector(b, tl_node_get(node, "velocity"), "m/s", k->velocity);
    if (radius && radius->kind == NODE_SCALAR) k->classes[k->class_count++] = tl_quantity(b->r, radius, "m", 0, false);
    for (int i = 0; classes && classes->kind == NODE_LIST && i < classes->count && i < 64; i++)
        k->classes[k->class_count++] = tl_quantity(b->r, classes->item[i], "m", 0, false);
    if (uniform && uniform->kind == NODE_LIST && uniform->count == 2) {
        k->low = tl_quantity(b->r, uniform->item[0], "m", 0, false);
        k->high = tl_quantity(b->r, uniform->item[1], "m", 0, false);
    }
    if (uniform && !(uniform->kind == NODE_LIST && uniform->count == 2 && k->low <= k->high)) {
        tl_mistake_key(&b->scene->mistakes, TALUS_INPUT, radius, "'uniform' wants the smallest and the largest radius: [6 mm, 10 mm]");
        return false;
    }
    k->high = k->class_count ? 0 : k->high;
    for (int i = 0; i < k->class_count; i++) k->high = fmax(k->high, k->classes[i]);
    if (k->high > 0) return true;
    tl_mistake_key(&b->scene->mistakes, TALUS_INPUT, radius ? radius : node, "a radius is a length, {classes: [6 mm, 7 mm]} or {uniform: [6 mm, 10 mm]}");
    return false;
}

/* A grain of bounding radius r. */
static talus_status add_grain(tl_builder *b, grain_kind *k, double x, double y, double r)
{
    talus_body_def body = talus_body_def_default();
    talus_shape_def shape = talus_shape_def_default();
    talus_body_id id;
    const bool disk = strcmp(k->shape, "disk") == 0;
    body.position[0] = x, body.position[1] = y;
    body.velocity[0] = k->velocity[0], body.velocity[1] = k->velocity[1];
    if (!disk) body.angle = tl_random_uniform(&k->random, 0, 6.283185307179586);
    TL_TRY(tl_build_check(b, talus_body_create(b->world, &body, &id), k->node));
    shape.material = k->material;
    shape.radius = r;
    if (strcmp(k->shape, "polygon") == 0) {
        shape.kind = TALUS_SHAPE_POLYGON;
        shape.radius = 0;
        shape.count = k->sides;
        for (int i = 0; i < k->sides; i++) {
            const double angle = 6.283185307179586 * i / k->sides;
            shape.points[i][0] = r * cos(angle), shape.points[i][1] = r * sin(angle);
        }
    } else if (!disk) { /* two disks that overlap by a third of their radius */
        shape.radius = 0.6 * r;
        shape.points[0][0] = -0.4 * r;
        TL_TRY(tl_build_check(b, talus_body_add_shape(b->world, id, &shape), k->node));
        shape.points[0][0] = 0.4 * r;
    }
    return tl_build_check(b, talus_body_add_shape(b->world, id, &shape), k->node);
}

/* ---- obstacles ---------------------------------------------------------------------------------------------------- */

/* Distance from a shape to a point in its body's axes; negative inside. */
static double clearance(const talus_shape_def *s, double x, double y)
{
    if (s->kind == TALUS_SHAPE_DISK) return hypot(x - s->points[0][0], y - s->points[0][1]) - s->radius;
    if (s->kind == TALUS_SHAPE_HALF_PLANE) return (x - s->points[0][0]) * s->points[1][0] + (y - s->points[0][1]) * s->points[1][1];
    double nearest = (double)INFINITY;
    bool inside = s->kind == TALUS_SHAPE_POLYGON;
    for (int i = 0; i < s->count; i++) {
        const double *p = s->points[i], *q = s->points[(i + 1) % s->count];
        const double ex = q[0] - p[0], ey = q[1] - p[1];
        const double f = fmin(1, fmax(0, ((x - p[0]) * ex + (y - p[1]) * ey) / (ex * ex + ey * ey)));
        nearest = fmin(nearest, hypot(x - p[0] - f * ex, y - p[1] - f * ey));
        inside = inside && ex * (y - p[1]) - ey * (x - p[0]) >= 0;
    }
    return (inside ? -nearest : nearest) - s->radius;
}

static bool is_clear(const talus_world *settled, double x, double y, double r)
{
    for (int i = 0; settled && i < talus_body_count(settled); i++) {
        const talus_body_id body = talus_body_at(settled, i);
        const int shapes = talus_body_shape_count(settled, body);
        if (shapes == 0) continue;
        double position[3], quat[4];
        talus_body_pose(settled, body, position, quat);
        const double c = 1 - 2 * quat[3] * quat[3], s = 2 * quat[0] * quat[3];
        const double dx = x - position[0], dy = y - position[1];
        for (int k = 0; k < shapes; k++) {
            talus_shape_def shape;
            talus_body_shape(settled, body, k, &shape);
            if (clearance(&shape, c * dx + s * dy, c * dy - s * dx) < r) return false;
        }
    }
    return true;
}

/* ---- generators --------------------------------------------------------------------------------------------------- */

static bool two_corners(tl_builder *b, const tl_node *node, double region[4])
{
    const tl_node *points = tl_node_get(node, "region");
    double a[3] = {0}, c[3] = {0};
    if (!points || points->kind != NODE_LIST || points->count != 2) {
        tl_mistake_key(&b->scene->mistakes, TALUS_INPUT, points ? points : node, "a region has two corners: region: [[x0, y0], [x1, y1]]");
        return false;
    }
    tl_vector(b, points->item[0], "m", a);
    tl_vector(b, points->item[1], "m", c);
    region[0] = fmin(a[0], c[0]), region[1] = fmin(a[1], c[1]), region[2] = fmax(a[0], c[0]), region[3] = fmax(a[1], c[1]);
    return true;
}

/* Rows from the bottom up, each filled from a random start; nothing overlaps, everything is near to falling into place. */
static talus_status drop(tl_builder *b, grain_kind *k, const talus_world *settled)
{
    double region[4];
    if (!two_corners(b, k->node, region)) return TALUS_INPUT;
    const tl_node *count_node = tl_node_get(k->node, "count");
    const int wanted = (int)tl_quantity(b->r, count_node, "", 0, false);
    const double slack = 0.02 * k->high, pitch = 2 * k->high + slack;
    const double far = fmax(fmax(fabs(region[0]), fabs(region[2])), fmax(fabs(region[1]), fabs(region[3])));
    int placed = 0;
    int64_t tries = 10000000 + 1000 * (int64_t)wanted; /* a region may be endless, and all of it taken */
    if (far > 1e9 * k->high) {
        tl_mistake_key(&b->scene->mistakes, TALUS_INPUT, count_node ? count_node : k->node,
                       "grains of %g m do not fit into numbers as large as this region's %g m; move it nearer to the origin", k->high, far);
        return TALUS_INPUT;
    }
    if (wanted < 1) {
        tl_mistake_key(&b->scene->mistakes, TALUS_INPUT, k->node, "'count' is missing here: how many grains to drop");
        return TALUS_INPUT;
    }
    for (double y = region[1] + k->high; y + k->high <= region[3] && placed < wanted && tries > 0; y += pitch) {
        double x = region[0] + tl_random_uniform(&k->random, 0, k->high);
        while (placed < wanted && tries-- > 0) {
            const double r = draw_radius(k), lift = tl_random_uniform(&k->random, 0, k->high - r);
            if (x + 2 * r > region[2]) break;
            if (is_clear(settled, x + r, y - k->high + r + lift, r + slack)) {
                TL_TRY(add_grain(b, k, x + r, y - k->high + r + lift, r));
                placed++;
                x += 2 * r + slack;
            } else x += 0.25 * r;
        }
    }
    if (placed == wanted) return TALUS_OK;
    tl_mistake_key(&b->scene->mistakes, TALUS_INPUT, count_node, "only %d of the %d grains fit into the region; enlarge it, or ask for fewer", placed, wanted);
    return TALUS_INPUT;
}

static talus_status lattice(tl_builder *b, grain_kind *k)
{
    const int rows = (int)tl_quantity(b->r, tl_node_get(k->node, "rows"), "", 0, false);
    const int columns = (int)tl_quantity(b->r, tl_node_get(k->node, "columns"), "", 0, false);
    const double spacing = tl_quantity(b->r, tl_node_get(k->node, "spacing"), "m", 0, false);
    const double jitter = tl_quantity(b->r, tl_node_get(k->node, "jitter"), "m", 0, false);
    const bool hexagonal = strcmp(tl_word(k->node, "pattern", "square"), "hexagonal") == 0;
    double origin[3] = {0};
    tl_vector(b, tl_node_get(k->node, "origin"), "m", origin);
    if (rows < 1 || columns < 1 || !(spacing > 0) || (int64_t)rows * columns > 100000000) {
        tl_mistake_key(&b->scene->mistakes, TALUS_INPUT, k->node, "a lattice needs rows, columns and spacing");
        return TALUS_INPUT;
    }
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) {
            const double x = origin[0] + spacing * (j + (hexagonal && i % 2 ? 0.5 : 0)), y = origin[1] + spacing * i * (hexagonal ? sqrt(0.75) : 1);
            const double dx = tl_random_uniform(&k->random, -jitter, jitter), dy = tl_random_uniform(&k->random, -jitter, jitter);
            TL_TRY(add_grain(b, k, x + dx, y + dy, draw_radius(k)));
        }
    return TALUS_OK;
}

static talus_status listed(tl_builder *b, grain_kind *k)
{
    const tl_node *positions = tl_node_get(k->node, "positions");
    if (!positions || positions->kind != NODE_LIST) {
        tl_mistake_key(&b->scene->mistakes, TALUS_INPUT, k->node, "'positions' is missing here: [[x, y], …]");
        return TALUS_INPUT;
    }
    for (int i = 0; i < positions->count; i++) {
        double p[3] = {0};
        tl_vector(b, positions->item[i], "m", p);
        TL_TRY(add_grain(b, k, p[0], p[1], draw_radius(k)));
    }
    return TALUS_OK;
}

static talus_status plane_group(tl_builder *b, const tl_node *node, const char *generator, const talus_world *settled)
{
    grain_kind kind;
    if (!read_kind(b, node, &kind)) return TALUS_INPUT;
    if (strcmp(generator, "drop") == 0) return drop(b, &kind, settled);
    return strcmp(generator, "lattice") == 0 ? lattice(b, &kind) : listed(b, &kind);
}

talus_status tl_build_grains(tl_builder *b, const talus_world *settled)
{
    const tl_node *grains = tl_node_get(b->scene->root, "grains");
    const int groups = grains && grains->kind == NODE_MAP ? grains->count : 0;
    b->scene->groups = tl_arena_zero(b->scene->arena, (size_t)groups + 1, sizeof *b->scene->groups);
    if (!b->scene->groups) return TALUS_MEMORY;
    b->scene->group_count = groups;
    for (int i = 0; i < groups; i++) {
        const tl_node *node = grains->item[i];
        const char *generator = tl_word(node, "generator", "");
        const int first = talus_body_count(b->world);
        if (strcmp(generator, "settled") == 0) TL_TRY(tl_build_settled(b, node, settled));
        else if (talus_world_dimension(b->world) == 3) TL_TRY(tl_build_group_space(b, node, settled));
        else TL_TRY(plane_group(b, node, generator, settled));
        b->scene->groups[i] = (tl_group){node->key, first, talus_body_count(b->world) - first};
    }
    return TALUS_OK;
}
