/* A band of lumps on springs, a kind of matter that is made for tests only: one file, no word of it in src.
 *
 * n lumps of mass m, neighbours joined by springs of stiffness k and no length of their own, the ends tied to anchors where these are given. So the forces are
 * linear and the same along and across: a loaded string as well as an elastic rod. Its modes have
 *
 *     ω_j = 2 √(k/m) sin(j π / (2 (n + 1)))   with both ends held,      2 √(k/m) sin(j π / (2 n))   with none.
 *
 * Stiffness is taken implicitly: with forces at the mean of q_n and q_{n+1}, M̃ = M + (θ h)² K, and Moreau's step is the midpoint rule, which keeps the energy
 * to rounding. M̃ is factored once a step, and M̃⁻¹ is applied in O(n). A lump does not turn. */
#ifndef TALUS_TEST_BAND_H
#define TALUS_TEST_BAND_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "matter/matter.h"
#include "talus/body.h"

enum { BAND_LOADS = 8 };

typedef struct band {
    tl_matter matter; /* first */
    int n, dimension; /* lumps; 2 or 3 numbers each */
    double mass, stiffness;
    bool held[2];
    double anchor[2][3];
    struct {
        int item;
        talus_load_def def;
    } load[BAND_LOADS];
    int loads;
    bool in_step;
    double *q, *v, *q_m, *q_next, *v_free; /* [n × dimension] */
    double *v_kept;                        /* while a step starts from other velocities: v of the state */
    double give;                           /* (θ h)² of M̃ */
    double *pivot, *factor, *work;         /* [n] LDLᵀ of M̃, of which all directions have the same; [n × dimension] */
    double **rows;                         /* [ports] of the kind that says rows: H [3 × nv], then M̃⁻¹ H, in the step's arena */
    int ports;
    long *solves; /* how often M̃⁻¹ was applied, in O(n) */
} band;

static double band_spring_count(const band *b, int i) { return (i > 0 || b->held[0]) + (i + 1 < b->n || b->held[1]); }

/* x ← M̃⁻¹ x */
static void band_solve(const band *b, double *x)
{
    const int d = b->dimension;
    ++*b->solves;
    for (int i = 1; i < b->n; i++)
        for (int k = 0; k < d; k++) x[i * d + k] -= b->factor[i] * x[(i - 1) * d + k];
    for (int i = b->n - 1; i >= 0; i--)
        for (int k = 0; k < d; k++) x[i * d + k] = x[i * d + k] / b->pivot[i] - (i + 1 < b->n ? b->factor[i + 1] * x[(i + 1) * d + k] : 0);
}

static void band_factor(band *b, double give)
{
    const double c = give * b->stiffness;
    b->give = give;
    for (int i = 0; i < b->n; i++) {
        b->factor[i] = i > 0 ? -c / b->pivot[i - 1] : 0;
        b->pivot[i] = b->mass + c * band_spring_count(b, i) - (i > 0 ? b->factor[i] * b->factor[i] * b->pivot[i - 1] : 0);
    }
}

static const double *band_place(const band *b, const double *q, int i) { return i < 0 ? b->anchor[0] : i == b->n ? b->anchor[1] : q + i * b->dimension; }

/* Springs, weight and loads at a configuration. */
static void band_forces(const band *b, const double *q, double t, const double gravity[3], double *f)
{
    const int d = b->dimension;
    for (int i = 0; i < b->n; i++)
        for (int k = 0; k < d; k++) f[i * d + k] = b->mass * gravity[k];
    for (int i = b->held[0] ? -1 : 0; i < b->n - (b->held[1] ? 0 : 1); i++)
        for (int k = 0; k < d; k++) {
            const double pull = b->stiffness * (band_place(b, q, i + 1)[k] - band_place(b, q, i)[k]);
            if (i >= 0) f[i * d + k] += pull;
            if (i + 1 < b->n) f[(i + 1) * d + k] -= pull;
        }
    for (int i = 0; i < b->loads; i++)
        for (int k = 0; k < d; k++) f[b->load[i].item * d + k] += tl_motion_value(&b->load[i].def.force[k], t);
}

/* ---- operations ----------------------------------------------------------------------------------------------------- */

static talus_status band_assemble(tl_matter *matter, double time, const char **warnings, tl_error *error)
{
    band *b = (band *)matter;
    (void)time;
    *warnings = b->held[0] || b->held[1] ? "" : "the band hangs on nothing";
    if (!(b->mass > 0) || !(b->stiffness >= 0))
        return tl_fail(error, TALUS_INPUT, "%s '%s': mass %g kg, stiffness %g N/m", "band", matter->name, b->mass, b->stiffness);
    return TALUS_OK;
}

static void band_start_velocity(const tl_matter *matter, double *v) { memcpy(v, ((const band *)matter)->v, (size_t)matter->nv * sizeof *v); }

static talus_status band_start_from(tl_matter *matter, tl_step *step, const double *v)
{
    band *b = (band *)matter;
    if (b->v_kept) b->v = b->v_kept, b->v_kept = NULL;
    if (!v) return TALUS_OK;
    double *other = tl_arena_alloc(step->arena, (size_t)matter->nv, sizeof *other);
    if (!other) return TALUS_MEMORY;
    memcpy(other, v, (size_t)matter->nv * sizeof *v);
    memcpy(b->v_free, v, (size_t)matter->nv * sizeof *v);
    b->v_kept = b->v, b->v = other;
    return TALUS_OK;
}

static talus_status band_place_at(tl_matter *matter, tl_step *step, const tl_move *move)
{
    band *b = (band *)matter;
    const double *v = move->v ? move->v : b->v;
    (void)step;
    for (int i = 0; i < matter->nv; i++) b->q_m[i] = b->q[i] + move->span * v[i];
    b->in_step = true;
    b->ports = 0;
    return TALUS_OK;
}

static talus_status band_inertia(tl_matter *matter, tl_step *step, double theta, double span)
{
    (void)step;
    band_factor((band *)matter, theta * theta * span * span);
    return TALUS_OK;
}

/* The mean of q_n and q_{n+1} as θ weighs them is q_m + h (2θ − 1) v_n + θ² h Δv. */
static talus_status band_free_velocity(tl_matter *matter, tl_step *step, double theta)
{
    band *b = (band *)matter;
    const double h = step->h, on = b->give > 0 ? h * (2 * theta - 1) : 0;
    for (int i = 0; i < matter->nv; i++) b->q_next[i] = b->q_m[i] + on * b->v[i];
    band_forces(b, b->q_next, step->t + (1 - theta) * h, step->gravity, b->work);
    band_solve(b, b->work);
    for (int i = 0; i < matter->nv; i++) b->v_free[i] = b->v[i] + h * b->work[i];
    return TALUS_OK;
}

static talus_status band_acceleration(tl_matter *matter, tl_step *step, double t, const double *v, double *a)
{
    band *b = (band *)matter;
    band_forces(b, b->q_m, t, step->gravity, a);
    band_solve(b, a);
    memcpy(b->v_free, v, (size_t)matter->nv * sizeof *v);
    return TALUS_OK;
}

static void band_impulse(const tl_matter *matter, const tl_port *port, const double I[3], double *v)
{
    const band *b = (const band *)matter;
    const int d = b->dimension;
    memset(b->work, 0, (size_t)matter->nv * sizeof *b->work);
    for (int k = 0; k < d; k++)
        for (int axis = 0; axis < 3; axis++) b->work[port->item * d + k] += port->axes[axis][k] * I[axis];
    band_solve(b, b->work);
    for (int i = 0; i < matter->nv; i++) v[i] += b->work[i];
}

static talus_status band_bind(tl_matter *matter, tl_step *step, tl_port *ports, int n)
{
    (void)matter, (void)step, (void)ports, (void)n; /* a row of H has as many numbers as there are directions */
    return TALUS_OK;
}

/* The same for the kind that says rows. */
static talus_status band_bind_rows(tl_matter *matter, tl_step *step, tl_port *ports, int n)
{
    band *b = (band *)matter;
    const int d = b->dimension, nv = matter->nv;
    for (int i = 0; i < n; i++) {
        double *H = tl_arena_zero(step->arena, 6 * (size_t)nv, sizeof *H), **rows = realloc(b->rows, (size_t)(b->ports + 1) * sizeof *rows);
        if (rows) b->rows = rows;
        if (!H || !rows) return tl_fail(step->error, TALUS_MEMORY, "no memory for the contacts of a band");
        for (int axis = 0; axis < 3; axis++) { /* of joints the first axis may be that of the plane */
            const double unit[3] = {axis == 0, axis == 1, axis == 2};
            for (int k = 0; k < d; k++) H[axis * nv + ports[i].item * d + k] = ports[i].axes[axis][k];
            band_impulse(matter, &ports[i], unit, H + (3 + axis) * nv);
        }
        ports[i].slot = b->ports;
        b->rows[b->ports++] = H;
    }
    return TALUS_OK;
}

static void band_say_rows(const tl_matter *matter, const tl_port *port, const double **H, const double **Y)
{
    *H = ((const band *)matter)->rows[port->slot];
    *Y = *H + 3 * matter->nv;
}

static void band_read(const band *b, const tl_port *port, const double *v, double V[3])
{
    const int d = b->dimension;
    V[0] = V[1] = V[2] = 0;
    for (int axis = 0; axis < 3; axis++)
        for (int k = 0; k < d; k++) V[axis] += port->axes[axis][k] * v[port->item * d + k];
}

static void band_velocity(const tl_matter *matter, const tl_port *port, const double *v, bool imposed, double V[3])
{
    (void)imposed;
    band_read((const band *)matter, port, v, V);
}

static void band_velocity_before(const tl_matter *matter, const tl_port *port, double V[3])
{
    band_read((const band *)matter, port, ((const band *)matter)->v, V);
}

static void band_accumulate(tl_matter *matter, const tl_port *port, const double I[3]) { (void)matter, (void)port, (void)I; }

static talus_status band_arrive(tl_matter *matter, tl_step *step, double theta, const double *v, const double *w)
{
    band *b = (band *)matter;
    for (int i = 0; i < matter->nv; i++) {
        b->v_free[i] = v[i];
        b->q_next[i] = b->q_m[i] + step->h * (theta * v[i] + (w ? w[i] : 0));
        if (!isfinite(b->q_next[i] + v[i])) return tl_fail(step->error, TALUS_DIVERGED, "the band left the representable numbers");
    }
    return TALUS_OK;
}

static void band_commit(tl_matter *matter, const tl_step *step)
{
    band *b = (band *)matter;
    (void)step;
    memcpy(b->q, b->q_next, (size_t)matter->nv * sizeof *b->q); /* not exchanged: whoever holds their addresses keeps them */
    memcpy(b->v, b->v_free, (size_t)matter->nv * sizeof *b->v);
    b->in_step = false;
}

static tl_frame band_frame(const tl_matter *matter, int item)
{
    const band *b = (const band *)matter;
    const double *x = (b->in_step ? b->q_m : b->q) + item * b->dimension;
    return (tl_frame){tl_v3(x[0], x[1], b->dimension == 3 ? x[2] : 0), tl_mat3_identity()};
}

static tl_mass band_mass(const tl_matter *matter, int item)
{
    (void)item;
    return (tl_mass){.mass = ((const band *)matter)->mass};
}

static void band_motion(const tl_matter *matter, int item, tl_vec3 point, tl_vec3 *velocity, tl_vec3 *spin)
{
    const band *b = (const band *)matter;
    const double *v = b->v + item * b->dimension;
    (void)point;
    *velocity = tl_v3(v[0], v[1], b->dimension == 3 ? v[2] : 0);
    *spin = tl_v3(0, 0, 0);
}

static talus_status band_add_load(tl_matter *matter, int item, const struct talus_load_def *def, tl_error *error)
{
    band *b = (band *)matter;
    if (b->loads == BAND_LOADS) return tl_fail(error, TALUS_UNSUPPORTED, "a band carries %d loads", BAND_LOADS);
    b->load[b->loads].item = item;
    b->load[b->loads++].def = *def;
    return TALUS_OK;
}

static void band_energy(const tl_matter *matter, const double gravity[3], double *kinetic, double *potential)
{
    const band *b = (const band *)matter;
    const int d = b->dimension;
    *kinetic = *potential = 0;
    for (int i = 0; i < matter->nv; i++) {
        *kinetic += 0.5 * b->mass * b->v[i] * b->v[i];
        *potential -= b->mass * gravity[i % d] * b->q[i];
    }
    for (int i = b->held[0] ? -1 : 0; i < b->n - (b->held[1] ? 0 : 1); i++)
        for (int k = 0; k < d; k++) {
            const double stretch = band_place(b, b->q, i + 1)[k] - band_place(b, b->q, i)[k];
            *potential += 0.5 * b->stiffness * stretch * stretch;
        }
}

static int band_fields(const tl_matter *matter, tl_field *out, int capacity)
{
    const band *b = (const band *)matter;
    const tl_field list[] = {{"q", "m", "places of lumps", false, b->n, b->dimension, b->q}, {"v", "m/s", "their rates", false, b->n, b->dimension, b->v}};
    for (int i = 0; i < 2 && i < capacity; i++) out[i] = list[i];
    return 2;
}

static talus_status band_restored(tl_matter *matter, tl_error *error)
{
    (void)error;
    ((band *)matter)->in_step = false;
    return TALUS_OK;
}

static void band_destroy(tl_matter *matter)
{
    band *b = (band *)matter;
    double *const arrays[] = {b->q, b->v, b->q_m, b->q_next, b->v_free, b->pivot, b->factor, b->work};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) free(arrays[i]);
    free(b->rows);
    free(b->solves);
    free(b);
}

/* The table; the kind that says rows has two lines more. */
#define BAND_COMMON                                                                                                                                            \
    .kind = "band", .part = "lump", .assemble = band_assemble, .start_velocity = band_start_velocity, .start_from = band_start_from, .place = band_place_at,   \
    .inertia = band_inertia, .free_velocity = band_free_velocity, .acceleration = band_acceleration, .velocity = band_velocity, .impulse = band_impulse,       \
    .velocity_before = band_velocity_before, .accumulate = band_accumulate, .arrive = band_arrive, .commit = band_commit, .frame = band_frame,                 \
    .body_mass = band_mass, .body_motion = band_motion, .add_load = band_add_load, .energy = band_energy, .fields = band_fields, .restored = band_restored,    \
    .destroy = band_destroy

static const tl_matter_ops BAND = {BAND_COMMON, .bind = band_bind};
static const tl_matter_ops BAND_WITH_ROWS = {BAND_COMMON, .bind = band_bind_rows, .rows = band_say_rows};

/* A band along x from 0 with lumps at multiples of `spacing`, at rest; `held`: its ends are tied one spacing before the first lump and after the last. */
static inline band *new_band(const tl_matter_ops *ops, int n, int dimension, double spacing, bool held)
{
    band *b = calloc(1, sizeof *b);
    const size_t nv = (size_t)(n * dimension);
    if (!b) exit(1);
    *b = (band){.matter = {.ops = ops, .name = "band", .nv = (int)nv, .memory = tl_memory_default()}, .n = n, .dimension = dimension};
    b->mass = b->stiffness = 1;
    double **const arrays[] = {&b->q, &b->v, &b->q_m, &b->q_next, &b->v_free, &b->pivot, &b->factor, &b->work};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        if (!(*arrays[i] = calloc(nv, sizeof(double)))) exit(1);
    if (!(b->solves = calloc(1, sizeof *b->solves))) exit(1);
    for (int i = 0; i < n; i++) b->q[i * dimension] = spacing * i;
    b->held[0] = b->held[1] = held;
    b->anchor[0][0] = -spacing, b->anchor[1][0] = spacing * n;
    b->matter.v_free = b->v_free;
    return b;
}

#endif
