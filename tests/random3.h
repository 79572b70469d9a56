/* Random spatial shapes and placements for the tests of pair functions. */
#ifndef TL_RANDOM3_H
#define TL_RANDOM3_H

#include "detect/narrow3.h"
#include "test.h"

static tl_random rnd;

static inline double uniform(double low, double high) { return tl_random_uniform(&rnd, low, high); }
static inline bool chance(double p) { return uniform(0, 1) < p; }

static inline tl_vec3 random_direction(void)
{
    for (;;) {
        const tl_vec3 v = {uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)};
        const double d = tl_norm(v);
        if (d > 0.1 && d < 1) return tl_scale(1 / d, v);
    }
}

/* Draws stand in statements of their own, here and in what uses them: compilers differ in the order of arguments. */
static inline tl_mat3 random_rotation(void)
{
    const tl_vec3 axis = random_direction();
    return tl_mat3_rotation(axis, uniform(-4, 4));
}

static inline tl_shape3 make_hull(const tl_vec3 *points, int count, double radius)
{
    tl_shape3 s;
    tl_error why;
    CHECK_OK(tl_shape3_hull(&s, tl_memory_default(), points, count, radius, &why), why.text);
    return s;
}

static inline tl_shape3 make_box(double x, double y, double z) /* half sides */
{
    tl_vec3 p[8];
    for (int i = 0; i < 8; i++) p[i] = tl_v3(i & 1 ? x : -x, i & 2 ? y : -y, i & 4 ? z : -z);
    return make_hull(p, 8, 0);
}

static inline tl_shape3 make_ball(double radius) { return make_hull(&(tl_vec3){0, 0, 0}, 1, radius); }

static inline tl_shape3 make_capsule(double half, double radius)
{
    const tl_vec3 p[2] = {{-half, 0, 0}, {half, 0, 0}};
    return make_hull(p, 2, radius);
}

/* `count` corners near a sphere of radius `size`. */
static inline tl_shape3 make_stone(int count, double size)
{
    tl_vec3 p[TL_HULL_POINTS];
    for (int i = 0; i < count; i++) {
        const double far = size * uniform(0.9, 1);
        p[i] = tl_scale(far, random_direction());
    }
    return make_hull(p, count, 0);
}

enum { BOX, TETRAHEDRON, STONE, PRISM, SLIVER, POLYHEDRA };

/* A polyhedron of about `size`; slivers are a hundred times thinner than long. */
static inline tl_shape3 random_polyhedron(int kind, double size)
{
    tl_vec3 p[TL_HULL_POINTS];
    int count = 0;
    if (kind == BOX) {
        const double x = size * uniform(0.2, 1), y = size * uniform(0.2, 1), z = size * uniform(0.2, 1);
        return make_box(x, y, z);
    }
    if (kind == PRISM) {
        const int sides = 3 + tl_random_int(&rnd, 6);
        const double height = size * uniform(0.2, 1), turn = uniform(0, 7);
        for (int i = 0; i < 2 * sides; i++) {
            const double angle = turn + (i / 2) * 2 * TL_PI / sides;
            p[count++] = tl_v3(size * cos(angle), size * sin(angle), i % 2 ? height : -height);
        }
        return make_hull(p, count, 0);
    }
    const int want = kind == TETRAHEDRON ? 4 : 4 + tl_random_int(&rnd, 9);
    const double thin = kind == SLIVER ? 0.01 : 1, thin_too = kind == SLIVER && chance(0.5) ? 0.01 : 1;
    for (;;) {
        tl_shape3 s;
        tl_error why;
        for (int i = 0; i < want; i++) {
            const tl_vec3 d = random_direction();
            p[i] = tl_v3(size * d.x, size * thin_too * d.y, size * thin * d.z);
        }
        if (tl_shape3_hull(&s, tl_memory_default(), p, want, 0, &why) != TALUS_OK) continue;
        const tl_volume3 v = tl_shape3_volume(&s);
        if (v.volume > 0.02 * thin * thin_too * size * size * size) return s; /* no thinner than meant */
        tl_shape3_free(&s, tl_memory_default());
    }
}

static inline void free_shape(tl_shape3 *s) { tl_shape3_free(s, tl_memory_default()); }

/* Sine of half the sharpest corner of all faces: what is within ε of two rims may be ε over this from where they meet. */
static inline double sharpest(const tl_shape3 *s)
{
    double least = 1;
    for (int f = 0; f < s->faces; f++)
        for (int k = 0, n = s->face_begin[f + 1] - s->face_begin[f]; k < n; k++) {
            const uint8_t *c = s->corner + s->face_begin[f];
            const tl_vec3 x = s->point[c[k]], e = tl_sub(s->point[c[(k + 1) % n]], x), d = tl_sub(s->point[c[(k + n - 1) % n]], x);
            least = fmin(least, sqrt(fmax(0, 0.5 - 0.5 * tl_dot(e, d) / (tl_norm(e) * tl_norm(d)))));
        }
    return least;
}

static inline tl_vec3 in_world(const tl_frame *f, tl_vec3 x) { return tl_add(tl_mat3_apply(&f->R, x), f->p); }

#endif
