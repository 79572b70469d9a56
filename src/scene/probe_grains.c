/* Values of the probes of grains: compactness, coordination number and mean motion, in the plane and in space. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/math.h"
#include "scene/build.h"
#include "scene/copies.h"

/* ---- compactness -------------------------------------------------------------------------------------------------- */

static tl_frame frame_of(const talus_world *w, talus_body_id body)
{
    double position[3], q[4];
    talus_body_pose(w, body, position, q);
    return (tl_frame){tl_load3(position), tl_mat3_from_quat((tl_quat){q[0], q[1], q[2], q[3]})};
}

/* Of the box, which may be turned against what it moves with. */
static tl_frame region_axes(const talus_world *w, const tl_probe *p)
{
    const tl_frame body = tl_probe_axes(w, p);
    return (tl_frame){tl_add(body.p, tl_mat3_apply(&body.R, p->zone.at.p)), tl_mat3_mul(&body.R, &p->zone.at.R)};
}

/* What a body whose origin stands at x fills of the box. */
static double body_area(const talus_world *w, talus_body_id body, tl_vec3 position, const tl_frame *axes, const tl_region *box)
{
    const double c = axes->R.m[0][0], s = axes->R.m[1][0], angle = talus_body_angle(w, body), bc = cos(angle), bs = sin(angle);
    double area = 0;
    for (int k = 0; k < talus_body_shape_count(w, body); k++) {
        talus_shape_def shape;
        double corner[TL_FILL_POLYGON][3], local[TL_FILL_POLYGON][2] = {{0}};
        int outline;
        talus_body_shape(w, body, k, &shape);
        const int count = talus_body_corners(w, body, k, corner, TL_FILL_POLYGON);
        (void)talus_body_faces(w, body, k, NULL, NULL, &outline);
        const int first = outline > 0 ? count - outline : 0; /* what defines it is before its outline */
        for (int j = first; j < count; j++) {                /* into the region's axes */
            const double x = position.x + bc * corner[j][0] - bs * corner[j][1] - axes->p.x;
            const double y = position.y + bs * corner[j][0] + bc * corner[j][1] - axes->p.y;
            local[j - first][0] = c * x + s * y, local[j - first][1] = c * y - s * x;
        }
        area += shape.kind == TALUS_SHAPE_DISK ? tl_fill_disk(shape.radius, local[0][0], local[0][1], box) : tl_fill_polygon(local, count - first, box);
    }
    return area;
}

/* A shape whose body stands at `at` in the region's axes. */
static double shape_volume(const talus_world *w, talus_body_id body, int index, const tl_frame *at, const tl_region *region)
{
    double corner[TALUS_HULL_POINTS][3];
    int32_t size[2 * TALUS_HULL_POINTS], around[6 * TALUS_HULL_POINTS];
    talus_shape_def shape;
    talus_body_shape(w, body, index, &shape);
    if (shape.kind == TALUS_SHAPE_HALF_SPACE) return 0; /* never of a grain */
    const int count = talus_body_corners(w, body, index, corner, TALUS_HULL_POINTS);
    for (int i = 0; i < count; i++) tl_store3(corner[i], tl_add(tl_mat3_apply(&at->R, tl_load3(corner[i])), at->p));
    if (shape.kind == TALUS_SHAPE_CYLINDER) return tl_fill_cylinder(corner[0], corner[1], shape.radius, shape.rounding, region);
    if (shape.kind == TALUS_SHAPE_SPHERE || shape.kind == TALUS_SHAPE_CAPSULE) return tl_fill_capsule(corner[0], corner[count - 1], shape.radius, region);
    if (tl_fill_misses((const double(*)[3])corner, count, region)) return 0;
    int around_count;
    const int faces = talus_body_faces(w, body, index, size, around, &around_count);
    return tl_fill_polyhedron((const double(*)[3])corner, count, size, around, faces, region);
}

static double body_volume(const talus_world *w, talus_body_id body, const tl_frame *grain, const tl_frame *axes, const tl_region *box)
{
    const tl_mat3 inverse = tl_mat3_transpose(&axes->R);
    const tl_frame at = {tl_mat3_apply(&inverse, tl_sub(grain->p, axes->p)), tl_mat3_mul(&inverse, &grain->R)};
    double volume = 0;
    for (int k = 0; k < talus_body_shape_count(w, body); k++) volume += shape_volume(w, body, k, &at, box);
    return volume;
}

double tl_probe_compactness(const talus_world *w, const tl_group *g, const tl_probe *p)
{
    const bool planar = talus_world_dimension(w) == 2;
    const tl_frame body_axes = tl_probe_axes(w, p), axes = region_axes(w, p);
    const double reach = tl_copies_reach(w);
    double sum = 0;
    for (int i = g->first; i < g->first + g->count; i++) {
        const talus_body_id body = talus_body_at(w, i);
        if (talus_body_get_kind(w, body) == TALUS_BODY_ABSENT) continue;
        const tl_frame own = frame_of(w, body);
        tl_frame at = own;
        tl_vec3 shift;
        for (tl_copies c = tl_copies_of(w, &p->zone, &body_axes, own.p, reach); tl_next_copy(&c, &shift, NULL);) {
            at.p = tl_add(own.p, shift);
            sum += planar ? body_area(w, body, at.p, &axes, &p->zone.box) : body_volume(w, body, &at, &axes, &p->zone.box);
        }
    }
    return sum / tl_zone_size(&p->zone);
}

/* ---- coordination number ------------------------------------------------------------------------------------------ */

static int by_value(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* The pairs (grain of the group, other body), each contact seen from its both sides; sorted. Returns their number. */
static int pressing_pairs(const talus_world *w, const tl_group *g, uint64_t *pair)
{
    int count = 0;
    for (int i = 0; i < talus_contact_count(w) - talus_rope_count(w); i++) {
        talus_contact c;
        talus_contact_get(w, i, &c);
        if (!(c.impulse[0] > 0)) continue;
        const uint32_t side[2] = {c.candidate.index1, c.antagonist.index1};
        for (int k = 0; k < 2; k++)
            if (side[k] > (uint32_t)g->first && side[k] <= (uint32_t)(g->first + g->count)) pair[count++] = (uint64_t)side[k] << 32 | side[1 - k];
    }
    qsort(pair, (size_t)count, sizeof *pair, by_value);
    return count;
}

double tl_probe_coordination(const talus_world *w, const tl_group *g, const tl_probe *p)
{
    const tl_frame axes = tl_probe_axes(w, p);
    const int least = strcmp(p->quantity, "without_rattlers") == 0 ? 2 : 0;
    uint64_t *pair = malloc((2 * (size_t)talus_contact_count(w) + 1) * sizeof *pair);
    if (!pair) return (double)NAN;
    const int count = pressing_pairs(w, g, pair);
    int next = 0, grains = 0, neighbours = 0;
    for (int i = g->first; i < g->first + g->count; i++) {
        const talus_body_id grain = talus_body_at(w, i);
        int own = 0;
        for (; next < count && pair[next] >> 32 == grain.index1; next++) own += next == 0 || pair[next] != pair[next - 1];
        if (own < least || !tl_probe_counts(w, &axes, p, grain)) continue;
        grains++;
        neighbours += own;
    }
    free(pair);
    return grains > 0 ? (double)neighbours / grains : 0;
}

/* ---- mean motion -------------------------------------------------------------------------------------------------- */

double tl_probe_mean(const talus_world *w, const tl_group *g, const tl_probe *p)
{
    static const double ORIGIN[3] = {0, 0, 0};
    const int axis = p->quantity[strlen(p->quantity) - 1] - 'x';
    const tl_frame axes = tl_probe_axes(w, p);
    double sum = 0, mass = 0;
    for (int i = g->first; i < g->first + g->count; i++) {
        const talus_body_id body = talus_body_at(w, i);
        const double m = talus_body_mass(w, body);
        tl_vec3 faster;
        if (!tl_probe_counts_copy(w, &axes, p, body, &faster)) continue;
        double x[3], turn[4];
        if (p->quantity[0] == 'v') talus_body_velocity(w, body, ORIGIN, x, turn), x[axis] += (&faster.x)[axis];
        else talus_body_pose(w, body, x, turn);
        sum += m * x[axis];
        mass += m;
    }
    return mass > 0 ? sum / mass : 0;
}
