/* Closed surfaces of triangles for tests of what fills them: balls, prisms that are turned, heaps; as arrays, and as files of STL. */
#ifndef TEST_CLOSED_SHAPES_H
#define TEST_CLOSED_SHAPES_H

#include <math.h>
#include <stdint.h>
#include <stdio.h>

#include "base/math.h"

enum { SHAPE_MOST = 40000 };

typedef struct shape {
    int points, triangles;
    double point[3 * SHAPE_MOST][3];
    int32_t triangle[SHAPE_MOST][3];
} shape;

static inline void shape_add(shape *s, tl_vec3 a, tl_vec3 b, tl_vec3 c)
{
    const tl_vec3 corner[3] = {a, b, c};
    for (int k = 0; k < 3; k++) s->triangle[s->triangles][k] = s->points, tl_store3(s->point[s->points++], corner[k]);
    s->triangles++;
}

/* One of the eight faces of an octahedron, divided into n² and put onto the sphere. */
static inline void shape_patch(shape *s, int octant, double radius, int n)
{
    const double sx = octant & 1 ? -1 : 1, sy = octant & 2 ? -1 : 1, sz = octant & 4 ? -1 : 1;
    for (int i = 0; i < n; i++)
        for (int j = 0; i + j < n; j++)
            for (int up = 0; up < 2 && i + j + up < n; up++) {
                tl_vec3 at[3];
                const int u[3] = {i + up, i + 1, i}, v[3] = {j + up, j, j + 1};
                for (int k = 0; k < 3; k++) {
                    const tl_vec3 x = tl_normalize(tl_v3(u[k], v[k], n - u[k] - v[k]));
                    at[k] = tl_v3(sx * radius * x.x, sy * radius * x.y, sz * radius * x.z);
                }
                const bool flip = (sx * sy * sz < 0) != (up == 1);
                shape_add(s, at[0], at[flip ? 2 : 1], at[flip ? 1 : 2]);
            }
}

static inline void shape_ball(shape *s, double radius, int n)
{
    s->points = s->triangles = 0;
    for (int octant = 0; octant < 8; octant++) shape_patch(s, octant, radius, n);
}

/* The eighth of a ball where no coordinate is negative. */
static inline void shape_eighth(shape *s, double radius, int n)
{
    s->points = s->triangles = 0;
    shape_patch(s, 0, radius, n);
    for (int axis = 0; axis < 3; axis++)
        for (int i = 0; i < n; i++) {
            double a[3] = {0, 0, 0}, b[3] = {0, 0, 0};
            const int u = (axis + 1) % 3, v = (axis + 2) % 3;
            a[u] = n - i, a[v] = i, b[u] = n - i - 1, b[v] = i + 1;
            shape_add(s, tl_v3(0, 0, 0), tl_scale(radius, tl_normalize(tl_load3(b))), tl_scale(radius, tl_normalize(tl_load3(a))));
        }
}

/* A prism over a convex or star-shaped outline about its first point, counter-clockwise, from z0 to z1. */
static inline void shape_prism(shape *s, const double (*outline)[2], int n, double z0, double z1)
{
    s->points = s->triangles = 0;
    for (int i = 0; i < n; i++) {
        const double *a = outline[i], *b = outline[(i + 1) % n], *o = outline[0];
        shape_add(s, tl_v3(a[0], a[1], z0), tl_v3(b[0], b[1], z0), tl_v3(b[0], b[1], z1));
        shape_add(s, tl_v3(a[0], a[1], z0), tl_v3(b[0], b[1], z1), tl_v3(a[0], a[1], z1));
        if (i == 0 || i == n - 1) continue;
        shape_add(s, tl_v3(o[0], o[1], z1), tl_v3(a[0], a[1], z1), tl_v3(b[0], b[1], z1));
        shape_add(s, tl_v3(o[0], o[1], z0), tl_v3(b[0], b[1], z0), tl_v3(a[0], a[1], z0));
    }
}

static inline void shape_box(shape *s, double x, double y, double z)
{
    const double outline[4][2] = {{-x / 2, -y / 2}, {x / 2, -y / 2}, {x / 2, y / 2}, {-x / 2, y / 2}};
    shape_prism(s, outline, 4, -z / 2, z / 2);
}

static inline void shape_ell(shape *s) /* of 2 m, arms 1 m wide; seen from its inner corner */
{
    static const double OUTLINE[6][2] = {{1, 1}, {1, 2}, {0, 2}, {0, 0}, {2, 0}, {2, 1}};
    shape_prism(s, OUTLINE, 6, 0, 1);
}

/* A frustum of a cone that stands on z = 0. */
static inline void shape_heap(shape *s, double radius, double top, double height, int n)
{
    const tl_vec3 low = tl_v3(0, 0, 0), high = tl_v3(0, 0, height);
    s->points = s->triangles = 0;
    for (int i = 0; i < n; i++) {
        const double p = 2 * TL_PI * i / n, q = 2 * TL_PI * ((i + 1) % n) / n;
        const tl_vec3 a = tl_v3(radius * cos(p), radius * sin(p), 0), b = tl_v3(radius * cos(q), radius * sin(q), 0);
        const tl_vec3 c = tl_v3(top * cos(p), top * sin(p), height), d = tl_v3(top * cos(q), top * sin(q), height);
        shape_add(s, low, b, a), shape_add(s, a, b, d), shape_add(s, a, d, c), shape_add(s, high, c, d);
    }
}

static inline void shape_turn(shape *s, tl_vec3 axis, double angle)
{
    const tl_mat3 R = tl_mat3_rotation(tl_normalize(axis), angle);
    for (int i = 0; i < s->points; i++) tl_store3(s->point[i], tl_mat3_apply(&R, tl_load3(s->point[i])));
}

/* As a text of STL; the first triangles are left out. */
static inline bool shape_write(const shape *s, const char *path, int without)
{
    FILE *f = fopen(path, "w");
    if (!f) return false;
    fprintf(f, "solid shape\n");
    for (int t = without; t < s->triangles; t++) {
        fprintf(f, "facet normal 0 0 0\nouter loop\n");
        for (int k = 0; k < 3; k++) {
            const double *x = s->point[s->triangle[t][k]];
            fprintf(f, "vertex %.12g %.12g %.12g\n", x[0] + 0.0, x[1] + 0.0, x[2] + 0.0);
        }
        fprintf(f, "endloop\nendfacet\n");
    }
    fprintf(f, "endsolid shape\n");
    return fclose(f) == 0;
}

#endif
