/* Gradients and their transpose, a column of a tensor at a time (particle_fields.h). The wider registers of a machine hold the same numbers. */
#include "solid/particle_fields.h"

#include <string.h>

#include "base/lanes.h"

enum { WORTH = 250 }; /* particles: some ten microseconds */

/* ---- lists ----------------------------------------------------------------------------------------------------------------------- */

talus_status tl_particle_fields_create(tl_memory memory, int dimension, const tl_least_squares *fit, tl_particle_fields *out, tl_error *error)
{
    const int n = fit->particles, pairs = fit->begin[n];
    *out = (tl_particle_fields){.memory = memory, .dimension = dimension, .fit = fit};
    TL_TRY(tl_particle_box_create(memory, fit, &out->box, error));
    if (out->box.particles > 0) return TALUS_OK;
    out->begin = tl_alloc(memory, (size_t)n + 2, sizeof *out->begin);
    out->particle = tl_alloc(memory, (size_t)pairs + 1, sizeof *out->particle);
    out->push = tl_alloc(memory, (size_t)pairs + 1, sizeof *out->push);
    out->field = tl_alloc(memory, (size_t)TL_COLUMN * (size_t)n + 1, sizeof *out->field);
    if (!out->begin || !out->particle || !out->push || !out->field) return tl_fail(error, TALUS_MEMORY, "no memory for the neighbours of %d particles", n);
    for (int k = 0; k < pairs; k++) out->begin[fit->neighbour[k] + 2]++;
    for (int j = 0; j < n; j++) out->begin[j + 2] += out->begin[j + 1];
    for (int i = 0; i < n; i++)
        for (int k = fit->begin[i]; k < fit->begin[i + 1]; k++) {
            const int at = out->begin[fit->neighbour[k] + 1]++;
            out->particle[at] = i;
            for (int a = 0; a < 3; a++) out->push[at][a] = fit->volume[i] * fit->gradient[k][a];
        }
    return TALUS_OK;
}

void tl_particle_fields_free(tl_particle_fields *f)
{
    void *const all[] = {f->begin, f->particle, f->push, f->field};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) tl_free(f->memory, all[i]);
    tl_particle_box_free(&f->box);
    *f = (tl_particle_fields){.memory = f->memory};
}

/* ---- kernels --------------------------------------------------------------------------------------------------------------------- */

typedef struct fields_job {
    const tl_particle_fields *f;
    const double *u;
    tl_columns *G;
    const tl_columns *P;
    double scale, *y;
} fields_job;

TL_INLINE void find_gradients(const fields_job *j, int begin, int end)
{
    const tl_least_squares *fit = j->f->fit;
    for (int i = begin; i < end; i++) {
        tl_lanes x = {0}, y = {0}, z = {0};
        for (int k = fit->begin[i]; k < fit->begin[i + 1]; k++) {
            const tl_lanes u = tl_load4(j->f->field + TL_COLUMN * fit->neighbour[k]);
            const double *g = fit->gradient[k];
            x += g[0] * u, y += g[1] * u, z += g[2] * u;
        }
        memcpy(j->G[i][0], &x, sizeof x), memcpy(j->G[i][1], &y, sizeof y), memcpy(j->G[i][2], &z, sizeof z);
    }
}

TL_INLINE void find_pushes(const fields_job *j, int begin, int end)
{
    const tl_particle_fields *f = j->f;
    const int d = f->dimension;
    for (int node = begin; node < end; node++) {
        tl_lanes sum = {0};
        for (int k = f->begin[node]; k < f->begin[node + 1]; k++) {
            const tl_columns *P = &j->P[f->particle[k]];
            const double *g = f->push[k];
            sum += g[0] * tl_load4((*P)[0]) + g[1] * tl_load4((*P)[1]) + g[2] * tl_load4((*P)[2]);
        }
        double *y = j->y + d * node;
        y[0] += j->scale * sum[0], y[1] += j->scale * sum[1];
        if (d == 3) y[2] += j->scale * sum[2];
    }
}

typedef struct kernels {
    tl_range_fn *gradients, *pushes;
} kernels;

#define KERNELS(name, set)                                                                                                                                     \
    static set void gradients_##name(void *job, int begin, int end, int worker) { (void)worker, find_gradients(job, begin, end); }                             \
    static set void pushes_##name(void *job, int begin, int end, int worker) { (void)worker, find_pushes(job, begin, end); }                                   \
    static const kernels name##_kernels = {gradients_##name, pushes_##name};

TL_FOR_EVERY_SET(KERNELS)

void tl_particle_gradients(tl_particle_fields *f, tl_threads *threads, const double *u, tl_columns *G)
{
    const int d = f->dimension, n = f->fit->particles;
    if (f->box.particles > 0) {
        tl_box_gradients(&f->box, threads, u, G);
        return;
    }
    fields_job j = {.f = f, .u = u, .G = G};
    for (int i = 0; i < n; i++)
        for (int a = 0; a < d; a++) f->field[TL_COLUMN * i + a] = u[d * i + a];
    tl_parallel_for(threads, n, WORTH, TL_BEST_KERNELS->gradients, &j);
}

void tl_particle_pushes(tl_particle_fields *f, tl_threads *threads, const tl_columns *P, double scale, double *y)
{
    if (f->box.particles > 0) {
        tl_box_pushes(&f->box, threads, P, scale, y);
        return;
    }
    fields_job j = {.f = f, .P = P, .scale = scale, .y = y};
    tl_parallel_for(threads, f->fit->particles, WORTH, TL_BEST_KERNELS->pushes, &j);
}
