/* Third differences along the rows of a lattice (particle_stabilisation.h). */
#include "solid/particle_stabilisation.h"

#include <stdlib.h>

enum { AXES = 3, FAR = 3, ROW = 2 * FAR + 1, MOST = AXES * ROW };

/* ---- rows ------------------------------------------------------------------------------------------------------------------------ */

/* A particle by its place: that along the row last. */
typedef struct placed {
    int key[3], particle;
} placed;

static int compare(const void *a, const void *b)
{
    const placed *p = a, *q = b;
    for (int k = 0; k < 3; k++)
        if (p->key[k] != q->key[k]) return p->key[k] < q->key[k] ? -1 : 1;
    return 0;
}

/* Weights of a particle by what is so many places farther along an axis. */
typedef struct table {
    const double *volume;
    int (*other)[MOST];
    double (*weight)[MOST];
} table;

static void add_stencil(table *t, int axis, const placed *row, int points)
{
    static const double WEIGHT[2][4] = {{1, -2, 1, 0}, {1, -3, 3, -1}};
    const double *w = WEIGHT[points - 3];
    double volume = 0, most = 0;
    for (int k = 0; k < points; k++) volume += t->volume[row[k].particle] / points, most += w[k] < 0 ? -w[k] : w[k];
    for (int a = 0; a < points; a++)
        for (int b = 0; b < points; b++) {
            const int place = ROW * axis + FAR + b - a;
            t->other[row[a].particle][place] = row[b].particle;
            t->weight[row[a].particle][place] += volume / (most * most) * w[a] * w[b];
        }
}

/* All rows along an axis: runs of neighbours. */
static void add_axis(table *t, int axis, placed *place, int n, const int (*site)[3])
{
    for (int i = 0; i < n; i++) place[i] = (placed){{site[i][(axis + 1) % 3], site[i][(axis + 2) % 3], site[i][axis]}, i};
    qsort(place, (size_t)n, sizeof *place, compare);
    for (int begin = 0, end; begin < n; begin = end) {
        for (end = begin + 1; end < n; end++) {
            const int *last = place[end - 1].key, *next = place[end].key;
            if (last[0] != next[0] || last[1] != next[1] || last[2] + 1 != next[2]) break;
        }
        if (end - begin == FAR) add_stencil(t, axis, place + begin, FAR);
        for (int k = begin; k + FAR < end; k++) add_stencil(t, axis, place + k, FAR + 1);
    }
}

/* ---- the operator ---------------------------------------------------------------------------------------------------------------- */

static void compress(const table *t, double spacing, tl_stabilisation *out)
{
    int count = 0;
    for (int i = 0; i < out->particles; i++) {
        const int own = count++;
        out->neighbour[own] = i;
        for (int k = 0; k < MOST; k++) {
            const double weight = t->weight[i][k] / (spacing * spacing);
            if (k % ROW == FAR) out->weight[own] += weight;
            else if (weight != 0) out->neighbour[count] = t->other[i][k], out->weight[count++] = weight;
        }
        out->begin[i + 1] = count;
    }
}

talus_status tl_stabilisation_create(tl_memory memory, const tl_least_squares_def *lattice, const double *volume, tl_stabilisation *out, tl_error *error)
{
    const int particles = lattice->particles;
    const size_t n = (size_t)particles + 1;
    table t = {volume, tl_alloc(memory, n, sizeof *t.other), tl_alloc(memory, n, sizeof *t.weight)};
    placed *place = tl_alloc(memory, n, sizeof *place);
    *out = (tl_stabilisation){.memory = memory, .particles = particles};
    out->begin = tl_alloc(memory, n, sizeof *out->begin);
    out->neighbour = tl_alloc(memory, MOST * n, sizeof *out->neighbour);
    out->weight = tl_alloc(memory, MOST * n, sizeof *out->weight);
    const bool room = t.other && t.weight && place && out->begin && out->neighbour && out->weight;
    for (int axis = 0; room && axis < AXES; axis++) add_axis(&t, axis, place, particles, lattice->site);
    if (room) compress(&t, lattice->spacing, out);
    tl_free(memory, t.other), tl_free(memory, t.weight), tl_free(memory, place);
    return room ? TALUS_OK : tl_fail(error, TALUS_MEMORY, "no memory for the rows of %d particles", particles);
}

void tl_stabilisation_free(tl_stabilisation *s)
{
    tl_free(s->memory, s->begin), tl_free(s->memory, s->neighbour), tl_free(s->memory, s->weight);
    *s = (tl_stabilisation){.memory = s->memory};
}

double tl_stabilisation_own(const tl_stabilisation *s, int particle) { return s->weight[s->begin[particle]]; }

typedef struct stabilisation_job {
    const tl_stabilisation *s;
    double c;
    const double *u;
    double *y;
} stabilisation_job;

static inline __attribute__((always_inline)) void add_rows(const stabilisation_job *j, int begin, int end, int d)
{
    const tl_stabilisation *s = j->s;
    for (int i = begin; i < end; i++) {
        double sum[3] = {0, 0, 0};
        for (int k = s->begin[i]; k < s->begin[i + 1]; k++)
            for (int a = 0; a < d; a++) sum[a] += s->weight[k] * j->u[d * s->neighbour[k] + a];
        for (int a = 0; a < d; a++) j->y[d * i + a] += j->c * sum[a];
    }
}

static void add_planar(void *job, int begin, int end, int worker) { (void)worker, add_rows(job, begin, end, 2); }
static void add_spatial(void *job, int begin, int end, int worker) { (void)worker, add_rows(job, begin, end, 3); }

void tl_stabilisation_add(const tl_stabilisation *s, int dimension, tl_threads *threads, double c, const double *u, double *y)
{
    enum { WORTH = 500 }; /* particles: some ten microseconds */
    stabilisation_job j = {s, c, u, y};
    if (c != 0) tl_parallel_for(threads, s->particles, WORTH, dimension == 3 ? add_spatial : add_planar, &j);
}
