/* The problem of a step as a value, against the step: solved once more from nothing by other means, it has the velocities that the step found.
 * Included after planar.h or spatial.h, whose run it calls. */
#ifndef TALUS_TEST_STEP_PROBLEM_H
#define TALUS_TEST_STEP_PROBLEM_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/math.h"
#include "talus/talus.h"
#include "test.h"

/* x ← M⁻¹ x for the columns of x [n][columns]; M is lost. */
static inline void divide(double *M, int n, double *x, int columns)
{
    int *pivot = calloc((size_t)n, sizeof *pivot);
    double *column = calloc((size_t)n, sizeof *column);
    CHECK(tl_lu(M, n, pivot));
    for (int j = 0; j < columns; j++) {
        for (int i = 0; i < n; i++) column[i] = x[i * columns + j];
        tl_lu_solve(M, pivot, n, column);
        for (int i = 0; i < n; i++) x[i * columns + j] = column[i];
    }
    free(pivot);
    free(column);
}

/* The problem with the bodies' velocities is the one that is condensed: M v = H I + f, W = Hᵀ M⁻¹ H, q = Hᵀ M⁻¹ f + w. Returns the number of velocities. */
static inline int check_global(talus_world *w, talus_problem *p)
{
    char message[500];
    talus_global_problem g;
    CHECK_OK(talus_world_global_problem(w, &g, message, sizeof message), message);
    const talus_problem_def d = talus_problem_get(p);
    const int n = g.velocities, m = g.contacts * g.dimension, columns = m + 1, size = d.dimension;
    CHECK(g.dimension == d.dimension && g.contacts == d.contacts && g.begin[0] == 0 && g.mass_begin[0] == 0);
    double *M = calloc((size_t)(n * n), sizeof *M), *x = calloc((size_t)(n * columns), sizeof *x), *W = calloc((size_t)(m * m), sizeof *W);
    for (int j = 0; j < n; j++)
        for (int k = g.mass_begin[j]; k < g.mass_begin[j + 1]; k++) M[g.mass_row[k] * n + j] += g.mass[k];
    for (int c = 0; c < m; c++)
        for (int k = g.begin[c]; k < g.begin[c + 1]; k++) {
            x[g.row[k] * columns + c] += g.direction[k];
            for (int l = g.begin[c]; l < k; l++) CHECK(g.row[l] != g.row[k]); /* one entry of a place */
        }
    for (int i = 0; i < n; i++) {
        double impulse = g.f[i], momentum = 0;
        for (int c = 0; c < m; c++) impulse += x[i * columns + c] * g.impulse[c];
        for (int j = 0; j < n; j++) momentum += M[i * n + j] * g.v[j];
        CHECK_NEAR(momentum, impulse, 1e-12 * (1 + fabs(momentum)));
        x[i * columns + m] = g.f[i];
    }
    divide(M, n, x, columns);
    for (int i = 0; i < d.contacts; i++) {
        CHECK(g.friction[i] == d.friction[i]);
        for (int k = d.row[i]; k < d.row[i + 1]; k++)
            for (int e = 0; e < size * size; e++) W[(i * size + e / size) * m + d.column[k] * size + e % size] += d.block[k * size * size + e];
    }
    const double *u = talus_problem_velocities(p);
    for (int c = 0; c < m; c++) {
        double q = g.w[c], now = g.w[c];
        for (int k = g.begin[c]; k < g.begin[c + 1]; k++) q += g.direction[k] * x[g.row[k] * columns + m], now += g.direction[k] * g.v[g.row[k]];
        CHECK_NEAR(q, d.q[c], 1e-12 * (1 + fabs(q)));
        CHECK_NEAR(now, u[c], 1e-11 * (1 + fabs(now)));
        CHECK(g.impulse[c] == d.impulse[c]);
        for (int b = 0; b < m; b++) {
            double sum = 0;
            for (int k = g.begin[c]; k < g.begin[c + 1]; k++) sum += g.direction[k] * x[g.row[k] * columns + b];
            CHECK_NEAR(sum, W[c * m + b], 1e-12 * (1 + fabs(sum)));
        }
    }
    free(M);
    free(x);
    free(W);
    return n;
}

/* Velocities of the law of the last step; solved anew to `tolerance`, they are the same to `same` [m/s] where they are unique: without friction, or with so few
 * contacts that the normal impulses are. Returns the number of contacts compared. */
static inline int check_problem(talus_world *w, bool rough, double tolerance, double same, int *hard)
{
    char message[500];
    talus_problem *p = NULL, *fresh = NULL;
    CHECK_OK(talus_world_problem(w, &p, message, sizeof message), message);
    if (!p) return 0;
    CHECK(check_global(w, p) > 0);
    talus_problem_def d = talus_problem_get(p);
    const size_t numbers = (size_t)(d.contacts * d.dimension);
    CHECK(d.contacts <= talus_contact_count(w)); /* without what no impulse can part */
    const double left = talus_problem_error(p);  /* the step solved the same problem; with friction sweeps may end before */
    if (!rough) CHECK(left < tolerance);
    d.impulse = NULL;
    CHECK_OK(talus_problem_create(&d, &fresh, message, sizeof message), message);
    talus_problem_settings s = talus_problem_settings_default();
    talus_problem_report r;
    s.tolerance = tolerance;
    CHECK_OK(talus_problem_solve(fresh, &s, &r, message, sizeof message), message);

    *hard += !r.converged || left > 1e-5;
    CHECK(r.converged || (rough && r.error < 100 * tolerance));
    const double *u = talus_problem_velocities(p), *v = talus_problem_velocities(fresh);
    const bool unique = (!rough || d.contacts <= 2) && left <= 1e-5;
    for (size_t i = 0; unique && i < numbers; i++) CHECK_NEAR(v[i], u[i], same);
    talus_problem_destroy(fresh);
    talus_problem_destroy(p);
    return unique ? d.contacts : 0;
}

/* 150 steps, with friction after each, else after every fifth. Returns the number of contacts compared. Of the steps with friction a few may be hard, such as a
 * box wedged between others under the ram: sweeps end early there, and the guard takes impulses back. */
static inline int check_steps(talus_world *w, bool rough)
{
    int contacts = 0, hard = 0;
    for (int k = 0; k < 150; k++) {
        run(w, 1);
        if (rough || k % 5 == 0) contacts += check_problem(w, rough, 1e-8, 1e-6, &hard);
    }
    CHECK(hard <= 5);
    return contacts;
}

/* The law of all pairs under SPOOK, whose contacts give. */
static inline void give_way(talus_world *w, double friction, double stiffness)
{
    const talus_material_id all = {0};
    talus_interaction_def i = talus_interaction_def_default();
    i.friction = friction, i.stiffness = stiffness;
    CHECK_OK(talus_interaction_set(w, all, all, &i), talus_world_error(w));
}

/* Steps of bodies with so many velocities in all: contacts that give are in W, and velocities of their own in the global problem. Destroys the world. */
static inline void check_springs(talus_world *w, double friction, int velocities)
{
    const int compared = check_steps(w, friction > 0);
    CHECK(friction > 0 || compared > 50);
    char message[500];
    talus_global_problem g;
    CHECK_OK(talus_world_global_problem(w, &g, message, sizeof message), message);
    CHECK(g.contacts > 3 && g.velocities == velocities + g.contacts);
    talus_world_destroy(w);
}

#endif
