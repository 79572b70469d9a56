/* Third differences along the rows of a lattice (particle_stabilisation.h). */
#include "solid/particle_stabilisation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "solid/turning.h"

enum { AXES = 3, FAR = 3 };

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

const double TL_ROW_WEIGHT[2][4] = {{1, -2, 1, 0}, {1, -3, 3, -1}};
const double TL_ROW_MOST[2] = {4, 8}; /* sums of their sizes */

static bool is_long(const tl_particle_row *r) { return r->particle[3] >= 0; }

static void add_row(tl_stabilisation *s, const double *volume, int axis, const placed *place, int points)
{
    tl_particle_row *r = &s->row[s->rows++];
    double mean = 0;
    *r = (tl_particle_row){.particle = {-1, -1, -1, -1}, .rest = TL_ROW_REST * place[0].particle + 3 * axis};
    for (int k = 0; k < points; k++) mean += volume[place[k].particle] / points, r->particle[k] = place[k].particle;
    r->weight = mean / (TL_ROW_MOST[points - 3] * TL_ROW_MOST[points - 3] * s->spacing * s->spacing);
}

/* All rows along an axis: runs of neighbours. */
static void add_axis(tl_stabilisation *s, int axis, placed *place, const tl_least_squares_def *lattice, const double *volume)
{
    const int n = s->particles;
    for (int i = 0; i < n; i++) {
        const int *site = lattice->site[i];
        place[i] = (placed){{site[(axis + 1) % 3], site[(axis + 2) % 3], site[axis]}, i};
    }
    qsort(place, (size_t)n, sizeof *place, compare);
    for (int begin = 0, end; begin < n; begin = end) {
        for (end = begin + 1; end < n; end++) {
            const int *last = place[end - 1].key, *next = place[end].key;
            if (last[0] != next[0] || last[1] != next[1] || last[2] + 1 != next[2]) break;
        }
        if (end - begin == FAR) add_row(s, volume, axis, place + begin, FAR);
        for (int k = begin; k + FAR < end; k++) add_row(s, volume, axis, place + k, FAR + 1);
    }
}

/* Particle and factor of what a row has at k; false: no more. */
static bool entry_of(const tl_stabilisation *s, const tl_particle_row *r, int k, int *particle, double *factor)
{
    const bool bent = r->end > r->begin;
    if (k >= (bent ? r->end - r->begin : 3 + is_long(r))) return false;
    *particle = bent ? s->point[r->begin + k] : r->particle[k];
    *factor = bent ? s->factor[r->begin + k] : TL_ROW_WEIGHT[is_long(r)][k];
    return true;
}

/* Which rows each particle is in. */
static talus_status make_lists(tl_stabilisation *s)
{
    const size_t n = (size_t)s->particles;
    int entries = 0, i = 0;
    double w = 0;
    tl_free(s->memory, s->begin), tl_free(s->memory, s->of), tl_free(s->memory, s->share), tl_free(s->memory, s->own);
    for (int k = 0; k < s->rows; k++) entries += s->row[k].end > s->row[k].begin ? s->row[k].end - s->row[k].begin : 3 + is_long(&s->row[k]);
    s->begin = tl_alloc(s->memory, n + 2, sizeof *s->begin);
    s->of = tl_alloc(s->memory, (size_t)entries + 1, sizeof *s->of);
    s->share = tl_alloc(s->memory, (size_t)entries + 1, sizeof *s->share);
    s->own = tl_alloc(s->memory, n + 1, sizeof *s->own);
    if (!s->begin || !s->of || !s->share || !s->own) return TALUS_MEMORY;
    for (int k = 0; k < s->rows; k++)
        for (int a = 0; entry_of(s, &s->row[k], a, &i, &w); a++) s->begin[i + 2]++;
    for (int j = 0; j < s->particles; j++) s->begin[j + 2] += s->begin[j + 1];
    for (int k = 0; k < s->rows; k++)
        for (int a = 0; entry_of(s, &s->row[k], a, &i, &w); a++) {
            const int at = s->begin[i + 1]++;
            s->of[at] = k, s->share[at] = s->row[k].weight * w;
            s->own[i] += s->row[k].weight * w * w;
        }
    return TALUS_OK;
}

talus_status tl_stabilisation_create(tl_memory memory, const tl_least_squares_def *lattice, const double *volume, tl_stabilisation *out, tl_error *error)
{
    const int particles = lattice->particles;
    const size_t n = (size_t)particles, rows = AXES * n;
    placed *place = tl_alloc(memory, n + 1, sizeof *place);
    *out = (tl_stabilisation){.memory = memory, .particles = particles, .spacing = lattice->spacing};
    out->row = tl_alloc(memory, rows + 1, sizeof *out->row);
    out->pull = tl_alloc(memory, rows + 1, sizeof *out->pull);
    out->given = tl_alloc(memory, rows + 1, sizeof *out->given);
    out->turning = tl_alloc(memory, n + 1, sizeof *out->turning);
    bool room = place && out->row && out->pull && out->given && out->turning;
    for (int axis = 0; room && axis < AXES; axis++) add_axis(out, axis, place, lattice, volume);
    room = room && make_lists(out) == TALUS_OK;
    tl_free(memory, place);
    return room ? TALUS_OK : tl_fail(error, TALUS_MEMORY, "no memory for the rows of %d particles", particles);
}

void tl_stabilisation_free(tl_stabilisation *s)
{
    void *const all[] = {s->row, s->begin, s->of, s->share, s->own, s->pull, s->given, s->turning, s->point, s->factor};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) tl_free(s->memory, all[i]);
    *s = (tl_stabilisation){.memory = s->memory};
}

/* ---- bent rows ------------------------------------------------------------------------------------------------------------------- */

static const double STRAIGHT = 1e-9; /* of the spacing */

/* X of a row; false: its particles are where the lattice has them. */
static bool find_bend(const tl_stabilisation *s, const tl_particle_row *r, const double (*x)[3], double X[3])
{
    double squares = 0;
    for (int a = 0; a < 3; a++) {
        X[a] = 0;
        for (int k = 0; k < 3 + is_long(r); k++) X[a] += TL_ROW_WEIGHT[is_long(r)][k] * x[r->particle[k]][a];
        squares += X[a] * X[a];
    }
    return squares > STRAIGHT * STRAIGHT * s->spacing * s->spacing;
}

/* What is gathered of a bent row: factors of all particles, of which `seen` lists those that it has. */
typedef struct gathering {
    double *factor;
    int *seen, count;
    bool *is_seen;
    int points, factors; /* that there is room for in the rows */
} gathering;

static void gather(gathering *g, int particle, double factor)
{
    if (!g->is_seen[particle]) g->seen[g->count++] = particle, g->is_seen[particle] = true;
    g->factor[particle] += factor;
}

static talus_status bend_row(tl_stabilisation *s, tl_particle_row *r, const double X[3], const tl_least_squares *fit, gathering *g)
{
    const int points = 3 + is_long(r);
    g->count = 0;
    for (int k = 0; k < points; k++) {
        const int i = r->particle[k];
        gather(g, i, TL_ROW_WEIGHT[is_long(r)][k]);
        for (int at = fit->begin[i]; at < fit->begin[i + 1]; at++) {
            const double *slope = fit->gradient[at];
            gather(g, fit->neighbour[at], -(slope[0] * X[0] + slope[1] * X[1] + slope[2] * X[2]) / points);
        }
    }
    TL_TRY(tl_grow(s->memory, &s->point, &g->points, r->begin + g->count, sizeof *s->point));
    TL_TRY(tl_grow(s->memory, &s->factor, &g->factors, r->begin + g->count, sizeof *s->factor));
    for (int k = 0; k < g->count; k++) {
        s->point[r->begin + k] = g->seen[k], s->factor[r->begin + k] = g->factor[g->seen[k]];
        g->factor[g->seen[k]] = 0, g->is_seen[g->seen[k]] = false;
    }
    r->end = r->begin + g->count;
    return TALUS_OK;
}

talus_status tl_stabilisation_bend(tl_stabilisation *s, const double (*x)[3], const tl_least_squares *fit, tl_error *error)
{
    const size_t n = (size_t)s->particles + 1;
    gathering g = {tl_alloc(s->memory, n, sizeof *g.factor), tl_alloc(s->memory, n, sizeof *g.seen), 0, tl_alloc(s->memory, n, sizeof *g.is_seen), 0, 0};
    talus_status status = g.factor && g.seen && g.is_seen ? TALUS_OK : TALUS_MEMORY;
    double X[3];
    int end = 0;
    for (int k = 0; k < s->rows && status == TALUS_OK; k++) {
        s->row[k].begin = s->row[k].end = end;
        if (find_bend(s, &s->row[k], x, X)) status = bend_row(s, &s->row[k], X, fit, &g);
        end = s->row[k].end;
    }
    if (status == TALUS_OK) status = make_lists(s);
    tl_free(s->memory, g.factor), tl_free(s->memory, g.seen), tl_free(s->memory, g.is_seen);
    return status == TALUS_OK ? status : tl_fail(error, status, "no memory for the rows of %d particles", s->particles);
}

/* ---- the operator ---------------------------------------------------------------------------------------------------------------- */

static inline __attribute__((always_inline)) void find_pull(const tl_stabilisation *s, const tl_particle_row *r, int dimension, const double *u, double pull[3])
{
    const double *w = TL_ROW_WEIGHT[is_long(r)];
    const bool bent = r->end > r->begin;
    for (int a = 0; a < dimension; a++) {
        pull[a] = 0;
        for (int k = 0; !bent && k < 3 + is_long(r); k++) pull[a] += w[k] * u[dimension * r->particle[k] + a];
        for (int k = r->begin; k < r->end; k++) pull[a] += s->factor[k] * u[dimension * s->point[k] + a];
    }
}

typedef struct stabilisation_job {
    tl_stabilisation *s;
    double c;
    const double *u;
    double *y;
} stabilisation_job;

static inline __attribute__((always_inline)) void find_pulls(const stabilisation_job *j, int begin, int end, int d)
{
    for (int k = begin; k < end; k++) find_pull(j->s, &j->s->row[k], d, j->u, j->s->pull[k]);
}

static inline __attribute__((always_inline)) void add_pulls(const stabilisation_job *j, int begin, int end, int d)
{
    const tl_stabilisation *s = j->s;
    for (int i = begin; i < end; i++) {
        double sum[3] = {0, 0, 0};
        for (int k = s->begin[i]; k < s->begin[i + 1]; k++)
            for (int a = 0; a < d; a++) sum[a] += s->share[k] * s->pull[s->of[k]][a];
        for (int a = 0; a < d; a++) j->y[d * i + a] += j->c * sum[a];
    }
}

static void find_planar(void *job, int begin, int end, int worker) { (void)worker, find_pulls(job, begin, end, 2); }
static void find_spatial(void *job, int begin, int end, int worker) { (void)worker, find_pulls(job, begin, end, 3); }
static void add_planar(void *job, int begin, int end, int worker) { (void)worker, add_pulls(job, begin, end, 2); }
static void add_spatial(void *job, int begin, int end, int worker) { (void)worker, add_pulls(job, begin, end, 3); }

void tl_stabilisation_add(tl_stabilisation *s, int dimension, tl_threads *threads, double c, const double *u, double *y)
{
    enum { WORTH = 1000 }; /* rows, or particles: some ten microseconds */
    stabilisation_job j = {s, c, u, y};
    if (c == 0) return;
    tl_parallel_for(threads, s->rows, WORTH, dimension == 3 ? find_spatial : find_planar, &j);
    tl_parallel_for(threads, s->particles, WORTH, dimension == 3 ? add_spatial : add_planar, &j);
}

/* ---- what has given way ---------------------------------------------------------------------------------------------------------- */

static double *rest_of(const tl_particle_row *r, tl_row_rests rests)
{
    return rests.number + (size_t)(r->rest / TL_ROW_REST) * (size_t)rests.stride + r->rest % TL_ROW_REST;
}

static bool is_torn(tl_row_rests rests, int particle) { return rests.torn && rests.torn[(size_t)particle * (size_t)rests.stride] != 0; }

static bool has_torn(const tl_particle_row *r, tl_row_rests rests)
{
    bool torn = false;
    for (int k = 0; k < 3 + is_long(r); k++) torn = torn || is_torn(rests, r->particle[k]);
    return torn;
}

/* The mean of F at the particles of a row. */
static tl_mat3 mean_deformation(const tl_particle_row *r, const tl_columns *G)
{
    tl_mat3 F = tl_mat3_identity();
    const int points = 3 + is_long(r);
    for (int k = 0; k < points; k++)
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++) F.m[a][b] += G[r->particle[k]][b][a] / points;
    return F;
}

/* Rows that have given way, with what each has given way by, until it is turned. */
static void list_given(tl_stabilisation *s, tl_row_rests rests)
{
    bool any_torn = false;
    s->given_rows = 0;
    for (int i = 0; i < s->particles && !any_torn; i++) any_torn = is_torn(rests, i);
    for (int k = 0; k < s->rows; k++) {
        const tl_particle_row *r = &s->row[k];
        const double *rest = rest_of(r, rests);
        const bool torn = any_torn && has_torn(r, rests);
        if (!torn && rest[0] == 0 && rest[1] == 0 && rest[2] == 0) continue;
        s->given[s->given_rows++] = (tl_given_row){.row = k, .torn = torn, .way = {rest[0], rest[1], rest[2]}};
    }
}

typedef struct turning_job {
    tl_stabilisation *s;
    const tl_particle_field *at;
} turning_job;

/* A row gives way by r, turned as its particles are, and each of these has a stress of it: −w R [m]× by its share of the volume, m = S⁻¹ Rᵀ (R r × d). A row
 * that is torn, or whose particles have no rotation, gives way by all of d and pulls on none. */
static void turn_row(const turning_job *j, tl_given_row *given)
{
    const tl_particle_row *r = &j->s->row[given->row];
    const tl_vec3 rest = tl_load3(given->way);
    tl_mat3 R;
    for (int a = 0; a < 3; a++) given->way[a] = 0;
    find_pull(j->s, r, j->at->dimension, j->at->u, given->way);
    given->turns = false;
    if (given->torn) return;
    const tl_mat3 F = mean_deformation(r, j->at->G);
    if (!tl_mat3_polar(&F, &R)) return;
    const tl_mat3 back = tl_mat3_transpose(&R), U = tl_mat3_mul(&back, &F), swing = tl_inverse_swing(&U);
    const tl_vec3 turned = tl_mat3_apply(&R, rest), m = tl_mat3_apply(&swing, tl_mat3_apply_t(&R, tl_cross(turned, tl_load3(given->way))));
    const tl_mat3 cross = {{{0, -m.z, m.y}, {m.z, 0, -m.x}, {-m.y, m.x, 0}}};
    given->stress = tl_mat3_mul(&R, &cross);
    given->turns = true;
    tl_store3(given->way, turned);
}

static void turn_rows(void *context, int begin, int end, int worker)
{
    const turning_job *j = context;
    (void)worker;
    for (int k = begin; k < end; k++) turn_row(j, &j->s->given[k]);
}

/* Stresses of particles, of row after row. */
static void add_turning(tl_stabilisation *s, const double *volume)
{
    memset(s->turning, 0, (size_t)s->particles * sizeof *s->turning);
    for (int k = 0; k < s->given_rows; k++) {
        const tl_given_row *given = &s->given[k];
        const tl_particle_row *r = &s->row[given->row];
        const int points = 3 + is_long(r);
        for (int i = 0; given->turns && i < points; i++) {
            const double share = r->weight / (points * volume[r->particle[i]]);
            for (int n = 0; n < 9; n++) s->turning[r->particle[i]].m[n / 3][n % 3] -= share * given->stress.m[n / 3][n % 3];
        }
    }
}

void tl_stabilisation_carry(tl_stabilisation *s, tl_threads *threads, const tl_particle_field *at, const double *volume, tl_row_rests rests)
{
    enum { WORTH = 50 }; /* rows: some ten microseconds */
    s->given_rows = 0;
    if (!rests.number) return;
    list_given(s, rests);
    tl_parallel_for(threads, s->given_rows, WORTH, turn_rows, &(turning_job){s, at});
    add_turning(s, volume);
}

void tl_stabilisation_give_way(const tl_stabilisation *s, int dimension, const tl_given_way *g, double *y, tl_columns *P)
{
    for (int k = 0; k < s->given_rows && g->c != 0; k++) {
        const tl_given_row *given = &s->given[k];
        const tl_particle_row *r = &s->row[given->row];
        const bool bent = r->end > r->begin;
        const int *particle = bent ? s->point + r->begin : r->particle, points = bent ? r->end - r->begin : 3 + is_long(r);
        const double *factor = bent ? s->factor + r->begin : TL_ROW_WEIGHT[is_long(r)];
        double rate[3] = {0, 0, 0};
        if (g->damping != 0) find_pull(s, r, dimension, g->v, rate);
        for (int i = 0; i < points; i++)
            for (int a = 0; a < dimension; a++) y[dimension * particle[i] + a] += g->c * r->weight * factor[i] * (given->way[a] + g->damping * rate[a]);
    }
    for (int i = 0; i < s->particles && s->given_rows > 0; i++)
        for (int b = 0; b < 3; b++)
            for (int a = 0; a < 3; a++) P[i][b][a] += g->c * s->turning[i].m[a][b];
}

double tl_stabilisation_energy(const tl_stabilisation *s, int dimension, const double *u)
{
    double sum = 0, pull[3];
    for (int k = 0, next = 0; k < s->rows; k++) {
        const tl_given_row *given = next < s->given_rows && s->given[next].row == k ? &s->given[next++] : NULL;
        find_pull(s, &s->row[k], dimension, u, pull);
        for (int a = 0; a < dimension; a++) {
            const double left = pull[a] - (given ? given->way[a] : 0);
            sum += 0.5 * s->row[k].weight * left * left;
        }
    }
    return sum;
}

static void yield_row(const tl_stabilisation *s, const tl_particle_row *r, const tl_particle_field *at, double strain, double *rest)
{
    const tl_mat3 F = mean_deformation(r, at->G);
    const double most = strain * TL_ROW_MOST[is_long(r)] * s->spacing;
    double pull[3] = {0, 0, 0};
    tl_mat3 R;
    find_pull(s, r, at->dimension, at->u, pull);
    if (!tl_mat3_polar(&F, &R)) return;
    const tl_vec3 left = tl_sub(tl_mat3_apply_t(&R, tl_load3(pull)), tl_load3(rest));
    const double size = tl_norm(left);
    if (size > most) tl_store3(rest, tl_add(tl_load3(rest), tl_scale(1 - most / size, left)));
}

void tl_stabilisation_yield(const tl_stabilisation *s, const tl_particle_field *at, const tl_row_limits *limits, tl_row_rests rests)
{
    for (int k = 0; k < s->rows; k++) {
        const tl_particle_row *r = &s->row[k];
        double least = (double)INFINITY;
        for (int a = 0; a < 3 + is_long(r); a++) least = fmin(least, limits->strain[(size_t)r->particle[a] * (size_t)limits->stride]);
        if (isfinite(least) && !has_torn(r, rests)) yield_row(s, r, at, least, rest_of(r, rests));
    }
}
