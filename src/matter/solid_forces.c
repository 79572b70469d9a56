/* Stiffness, mass and forces of solids (solid_internal.h). */
#include <string.h>

#include "base/integers.h"
#include "matter/solid_internal.h"

static const double CLOSE = 1e-10, ABOUT = 0.03, PART = 1e-3; /* solves of what has no factor: relative; of what counts as the same velocity */

/* ---- matrices ------------------------------------------------------------------------------------------------------------------- */

int tl_solid_block_at(const tl_solid *s, int node, int neighbour)
{
    const tl_pattern *p = &s->mesh.pattern;
    const int begin = p->begin[node];
    return begin + tl_first_not_below(p->neighbour + begin, sizeof *p->neighbour, p->begin[node + 1] - begin, neighbour);
}

void tl_solid_add_blocks(tl_solid *s, int e, const double *K)
{
    const int d = tl_solid_axes(s), *node = s->mesh.node + s->mesh.begin[e], nodes = s->element[e].kind->nodes, n = d * nodes;
    for (int a = 0; a < nodes; a++)
        for (int b = 0; b < nodes; b++) {
            const int at = tl_solid_block_at(s, node[a], node[b]);
            for (int i = 0; i < d; i++)
                for (int k = 0; k < d; k++) s->K[(at * d + i) * d + k] += K[(d * a + i) * n + d * b + k];
        }
}

bool tl_solid_add_element(tl_solid *s, int e)
{
    const int *node = s->mesh.node + s->mesh.begin[e], nodes = s->element[e].kind->nodes;
    double x[TL_ELEMENT_NODES][3], K[TL_ELEMENT_UNKNOWNS * TL_ELEMENT_UNKNOWNS], M[TL_ELEMENT_NODES * TL_ELEMENT_NODES], none[TL_ELEMENT_UNKNOWNS] = {0};
    const tl_material *given = s->element[e].material;
    tl_material elastic = {&TL_ELASTIC, {given->parameter[0], given->parameter[1]}};
    tl_element element = s->element[e];
    element.material = &elastic, element.turns = false; /* the stiffness at rest */
    tl_element_mesh_places(&s->mesh, e, x);
    if (!tl_element_response(&element, (const double(*)[3])x, none, (tl_element_history){0}, NULL, K)) return false;
    if (!tl_element_mass(&element, (const double(*)[3])x, !s->consistent, M)) return false;
    if (s->large && !tl_solid_know_element(s, e, K, M)) return false;
    for (int a = 0; a < nodes; a++)
        for (int b = 0; b < nodes; b++) {
            const int at = tl_solid_block_at(s, node[a], node[b]);
            s->M[at] += M[a * nodes + b];
            s->node_mass[node[a]] += M[a * nodes + b];
        }
    tl_solid_add_blocks(s, e, K);
    return true;
}

/* A product with K, rows of nodes shared by threads. */
typedef struct stiffness_job {
    const tl_solid *s;
    double scale;
    const double *x;
    double *y;
} stiffness_job;

static inline __attribute__((always_inline)) void add_stiffness_rows(const stiffness_job *j, int begin, int end, int d)
{
    const tl_pattern *p = &j->s->mesh.pattern;
    for (int i = begin; i < end; i++) {
        double sum[3] = {0, 0, 0};
        for (int k = p->begin[i]; k < p->begin[i + 1]; k++) {
            const double *block = j->s->K + (size_t)k * (size_t)(d * d), *from = j->x + d * p->neighbour[k];
            for (int a = 0; a < d; a++)
                for (int b = 0; b < d; b++) sum[a] += block[a * d + b] * from[b];
        }
        for (int a = 0; a < d; a++) j->y[d * i + a] += j->scale * sum[a];
    }
}

static void add_stiffness_range(void *context, int begin, int end, int worker)
{
    const stiffness_job *j = context;
    (void)worker;
    if (tl_solid_axes(j->s) == 3) add_stiffness_rows(j, begin, end, 3);
    else add_stiffness_rows(j, begin, end, 2);
}

void tl_solid_add_stiffness(const tl_solid *s, double scale, const double *x, double *y)
{
    enum { WORTH = 500 }; /* nodes: some ten microseconds */
    stiffness_job j = {s, scale, x, y};
    tl_parallel_for(s->threads, s->mesh.nodes, WORTH, add_stiffness_range, &j);
}

void tl_solid_add_mass(const tl_solid *s, double scale, const double *x, double *y)
{
    const int d = tl_solid_axes(s);
    const tl_pattern *p = &s->mesh.pattern;
    for (int i = 0; i < p->nodes; i++)
        for (int k = p->begin[i]; k < p->begin[i + 1]; k++)
            for (int a = 0; a < d && s->M[k] != 0; a++) y[d * i + a] += scale * s->M[k] * x[d * p->neighbour[k] + a];
}

talus_status tl_solid_open_factor(tl_solid *s, tl_error *error)
{
    const tl_factor_def def = {&s->mesh.pattern, (const double(*)[3])s->mesh.x, s->expects > 0 ? s->expected : NULL, s->dimension, false, 0};
    tl_kept_factor *kept = &s->kept_factor[s->factors];
    TL_TRY(tl_factor_create(s->matter.memory, &def, &kept->factor, error));
    s->factors++;
    kept->scales.mass = -1;
    s->factor = kept->factor, s->scales.mass = -1;
    return TALUS_OK;
}

void tl_solid_forget_factors(tl_solid *s, bool masses)
{
    s->scales.mass = -1;
    tl_solid_forget_response(s);
    for (int k = 0; k < s->factors; k++)
        if (masses || s->kept_factor[k].scales.stiffness != 0) s->kept_factor[k].scales.mass = -1;
}

/* Has M̃ of these scales a factor? */
static bool recall_factor(tl_solid *s, const tl_solid_scales *scales)
{
    int k = 0;
    while (k < s->factors && !tl_solid_are_same(&s->kept_factor[k].scales, scales)) k++;
    if (k == s->factors) return false;
    s->factor = s->kept_factor[k].factor;
    s->scales = *scales;
    return true;
}

/* One that holds nothing, or else the oldest. */
static tl_kept_factor *slot_for_next(tl_solid *s)
{
    for (int k = 0; k < s->factors; k++)
        if (s->kept_factor[k].scales.mass < 0) return &s->kept_factor[k];
    const int oldest = s->oldest_factor;
    s->oldest_factor = (oldest + 1) % s->factors;
    return &s->kept_factor[oldest];
}

/* s->mixed is M̃ from now on: that of these scales; of a tangent NULL, for another tangent has none that differ. */
static talus_status factor_mixed(tl_solid *s, const tl_solid_scales *scales, tl_step *step)
{
    const bool tangent = scales == NULL;
    s->scales.mass = -1;
    if (tangent) tl_solid_forget_response(s);
    if (s->particles && !tangent) tl_particles_close_tangents(s);
    if (s->particles) TL_TRY(tl_particles_prepare(s, tangent, step->error));
    else {
        tl_kept_factor *kept = slot_for_next(s);
        kept->scales.mass = -1;
        s->factor = kept->factor;
        TL_TRY(tl_factor_numbers(kept->factor, &s->mesh.pattern, s->mixed, step->threads, step->error));
        if (!tangent) kept->scales = *scales;
    }
    if (!tangent) s->scales = *scales;
    return TALUS_OK;
}

/* M̃, with rows and columns of what is held replaced by those of the unit matrix, in the scale of the others: that of M's diagonal. Sums of its rows, the
 * nodes' masses, may be negative of quadratic elements. */
talus_status tl_solid_factor(tl_solid *s, const tl_solid_scales *scales, tl_step *step)
{
    const int d = tl_solid_axes(s);
    const tl_pattern *p = &s->mesh.pattern;
    if (tl_solid_are_same(scales, &s->scales) || recall_factor(s, scales)) return TALUS_OK;
    for (int i = 0; i < p->nodes; i++)
        for (int k = p->begin[i]; k < p->begin[i + 1]; k++)
            for (int a = 0; a < d; a++)
                for (int b = 0; b < d; b++) {
                    const int down = d * i + a, across = d * p->neighbour[k] + b;
                    const size_t at = ((size_t)k * (size_t)d + (size_t)a) * (size_t)d + (size_t)b;
                    double value = scales->stiffness * s->K[at] + (a == b ? scales->mass * s->M[k] : 0);
                    if (s->damper && p->neighbour[k] == i) value += scales->damper * s->damper[(d * i + a) * d + b];
                    s->mixed[at] = s->is_held[down] || s->is_held[across] ? (down == across ? s->M[k] : 0) : value;
                }
    return factor_mixed(s, scales, step);
}

/* The element's tangent into s->mixed, its symmetric part, without what is held. */
static bool add_tangent(tl_solid *s, int e)
{
    const int d = tl_solid_axes(s), *node = s->mesh.node + s->mesh.begin[e], nodes = s->element[e].kind->nodes, n = d * nodes;
    double x[TL_ELEMENT_NODES][3], u[TL_ELEMENT_UNKNOWNS], K[TL_ELEMENT_UNKNOWNS * TL_ELEMENT_UNKNOWNS];
    tl_solid_element_at(s, e, s->u, x, u);
    const tl_element_history history = {s->before + s->state_begin[e], s->after + s->state_begin[e]};
    if (!tl_element_response(&s->element[e], (const double(*)[3])x, u, history, NULL, K)) return false;
    for (int a = 0; a < nodes; a++)
        for (int b = 0; b < nodes; b++) {
            const int at = tl_solid_block_at(s, node[a], node[b]);
            for (int i = 0; i < d; i++)
                for (int k = 0; k < d; k++) {
                    const int row = d * a + i, column = d * b + k;
                    if (s->is_held[d * node[a] + i] || s->is_held[d * node[b] + k]) continue;
                    s->mixed[(at * d + i) * d + k] += 0.5 * (K[row * n + column] + K[column * n + row]);
                }
        }
    return true;
}

/* s->mixed without rows and columns of what is held. */
static void let_go_of_held(tl_solid *s)
{
    const int d = tl_solid_axes(s);
    const tl_pattern *p = &s->mesh.pattern;
    for (int i = 0; i < p->nodes; i++)
        for (int k = p->begin[i]; k < p->begin[i + 1]; k++)
            for (int a = 0; a < d; a++)
                for (int b = 0; b < d; b++)
                    if (s->is_held[d * i + a] || s->is_held[d * p->neighbour[k] + b]) s->mixed[(k * d + a) * d + b] = 0;
}

talus_status tl_solid_factor_tangent(tl_solid *s, double share, tl_step *step, bool *found)
{
    const int d = tl_solid_axes(s);
    const tl_pattern *p = &s->mesh.pattern;
    memset(s->mixed, 0, (size_t)p->begin[p->nodes] * (size_t)(d * d) * sizeof *s->mixed);
    if (s->particles) TL_TRY(tl_particles_open_tangents(s, step->error));
    if (s->particles && !(*found = tl_particles_add_tangent(s, s->mixed))) return TALUS_OK;
    for (int e = 0; !s->particles && e < s->mesh.elements; e++)
        if (!(*found = add_tangent(s, e))) return TALUS_OK;
    if (s->particles) let_go_of_held(s);
    tl_solid_take_pressures(s, step->t, share);
    for (int i = 0; i < p->nodes; i++) {
        const int at = tl_solid_block_at(s, i, i);
        for (int a = 0; a < d; a++)
            if (s->is_held[d * i + a]) s->mixed[(at * d + a) * d + a] = s->M[at];
    }
    const talus_status status = factor_mixed(s, NULL, step);
    if (status != TALUS_SINGULAR) return status;
    return s->large ? tl_solid_factor_rest(s, step) : tl_solid_factor(s, &(tl_solid_scales){0, 1, 0}, step);
}

static void solve(const tl_solid *s, double relative, double absolute, double *b)
{
    for (int i = 0; i < s->matter.nv; i++)
        if (s->is_held[i]) b[i] = 0;
    if (s->particles) tl_particles_solve(s, relative, absolute, b);
    else tl_factor_solve(s->factor, b, s->threads);
}

void tl_solid_solve(const tl_solid *s, double *b) { solve(s, CLOSE, PART * s->close, b); }
void tl_solid_solve_about(const tl_solid *s, double *b) { solve(s, ABOUT, PART * s->close, b); }
void tl_solid_solve_unit(const tl_solid *s, double *b) { solve(s, CLOSE, 0, b); }

/* ---- forces --------------------------------------------------------------------------------------------------------------------- */

void tl_solid_element_at(const tl_solid *s, int e, const double *u, double (*x)[3], double *own)
{
    const int d = tl_solid_axes(s), *node = s->mesh.node + s->mesh.begin[e];
    tl_element_mesh_places(&s->mesh, e, x);
    for (int a = 0; a < s->element[e].kind->nodes; a++)
        for (int i = 0; i < d; i++) own[d * a + i] = u[d * node[a] + i];
}

bool tl_solid_resist(tl_solid *s, const double *memory, const double *u, double *y)
{
    const int d = tl_solid_axes(s);
    if (s->linear) {
        tl_solid_add_stiffness(s, -1, u, y);
        return true;
    }
    if (s->particles) return tl_particles_resist(s, memory, u, 0, NULL, y);
    for (int e = 0; e < s->mesh.elements; e++) {
        const int *node = s->mesh.node + s->mesh.begin[e], nodes = s->element[e].kind->nodes;
        double x[TL_ELEMENT_NODES][3], own[TL_ELEMENT_UNKNOWNS], f[TL_ELEMENT_UNKNOWNS];
        tl_solid_element_at(s, e, u, x, own);
        const tl_element_history history = {memory + s->state_begin[e], s->after + s->state_begin[e]};
        if (!tl_element_response(&s->element[e], (const double(*)[3])x, own, history, f, NULL)) {
            s->lost1 = e + 1;
            return false;
        }
        for (int a = 0; a < nodes; a++)
            for (int i = 0; i < d; i++) y[d * node[a] + i] -= f[d * a + i];
    }
    return true;
}

tl_vec3 tl_solid_place_of(const tl_solid *s, int i)
{
    const int d = tl_solid_axes(s), nodes = s->particles ? 1 : s->element[i].kind->nodes, *node = s->particles ? &i : s->mesh.node + s->mesh.begin[i];
    tl_vec3 sum = {0, 0, 0};
    for (int k = 0; k < nodes; k++) {
        const double *u = s->u + d * node[k];
        sum = tl_add(sum, tl_add(tl_load3(s->mesh.x[node[k]]), tl_v3(u[0], u[1], d == 3 ? u[2] : 0)));
    }
    return tl_scale(1.0 / nodes, sum);
}

talus_status tl_solid_lost(const tl_solid *s, const tl_step *step)
{
    if (s->lost1 == 0)
        return tl_fail(step->error, TALUS_DIVERGED, "solid '%s': an element is turned inside out, or a force is no number, at t = %.6g s", s->matter.name,
                       step->t);
    const tl_vec3 at = tl_solid_place_of(s, s->lost1 - 1);
    return tl_fail(step->error, TALUS_DIVERGED,
                   "solid '%s': %s %d, at (%.4g, %.4g, %.4g) m, is %sturned inside out, or its material finds no stress, at t = %.6g s", s->matter.name,
                   s->particles ? "particle" : "element", s->lost1, at.x, at.y, at.z, s->particles ? "strained beyond its model, " : "", step->t);
}

void tl_solid_add_given(const tl_solid *s, double t, const double gravity[3], double *f)
{
    const int d = tl_solid_axes(s);
    for (int i = 0; i < s->mesh.nodes; i++)
        for (int a = 0; a < d; a++) f[d * i + a] += s->node_mass[i] * gravity[a];
    for (int k = 0; k < s->pushes; k++) {
        const tl_push *p = &s->push[k];
        double value[3];
        for (int a = 0; a < d; a++) value[a] = tl_motion_value(&p->motion[a], t);
        for (int i = 0; i < p->count; i++)
            for (int a = 0; a < d; a++) f[d * p->node[i] + a] += p->weight[i][a] * value[a];
    }
}

void tl_solid_place_held(const tl_solid *s, double t, double *u)
{
    for (int k = 0; k < s->helds; k++) u[s->held[k].unknown] = s->held[k].moves ? tl_motion_value(&s->held[k].motion, t) : 0;
}

void tl_solid_rate_held(const tl_solid *s, double t, double *v)
{
    for (int k = 0; k < s->helds; k++) {
        double rate = 0;
        if (s->held[k].moves) (void)tl_motion_at(&s->held[k].motion, t, &rate);
        v[s->held[k].unknown] = rate;
    }
}

bool tl_solid_add_forces(tl_solid *s, const tl_solid_moment *at, double *f)
{
    tl_solid_add_given(s, at->t, at->gravity, f);
    tl_solid_add_pressures(s, at->t, at->u, 1, f);
    const double damping = s->damping_stiffness;
    if (s->linear) { /* K (u + b v): K is read once */
        for (int i = 0; i < s->matter.nv; i++) s->strained[i] = at->u[i] + damping * at->v[i];
        tl_solid_add_stiffness(s, -1, s->strained, f);
    } else if (s->particles) {
        if (!tl_particles_resist(s, at->memory, at->u, damping, at->v, f)) return false;
    } else {
        if (!tl_solid_resist(s, at->memory, at->u, f)) return false;
        if (damping != 0 && !s->large) tl_solid_add_stiffness(s, -damping, at->v, f);
        if (damping != 0 && s->large && !tl_solid_damp_strain(s, at->u, at->v, -damping, f)) return false;
    }
    if (s->damping_mass != 0) tl_solid_add_mass(s, -s->damping_mass, at->v, f);
    tl_solid_add_dampers(s, -1, at->v, f);
    return true;
}

tl_solid_span tl_solid_span_of(const tl_solid *s, const tl_step *step)
{
    return (tl_solid_span){step->t, step->h, {step->gravity[0], step->gravity[1], step->gravity[2]}, s->u, s->v, s->before, step->staggered};
}

bool tl_solid_residual(tl_solid *s, const tl_solid_span *span, double theta, const double *v, double *out)
{
    const double h = span->h, on = h * theta, when = span->staggered ? span->t : span->t + on;
    const int nv = s->matter.nv;
    double *rate = s->v_next, *u = s->u_next;
    memset(out, 0, (size_t)nv * sizeof *out);
    for (int i = 0; i < nv; i++) rate[i] = theta * v[i] + (1 - theta) * span->v[i]; /* of what is held, below */
    for (int i = 0; i < nv; i++) u[i] = span->u[i] + (span->staggered ? 0.25 * h * (v[i] - span->v[i]) : on * rate[i]);
    tl_solid_place_held(s, when, u);
    tl_solid_rate_held(s, span->t + on, rate);
    if (!tl_solid_add_forces(s, &(tl_solid_moment){when, span->gravity, u, rate, span->memory}, out)) return false;
    for (int i = 0; i < nv; i++) out[i] *= h;
    for (int i = 0; i < nv; i++) rate[i] = v[i] - span->v[i]; /* v of what is held: as given, that of the start has its rate at t_n */
    tl_solid_add_mass(s, -1, rate, out);
    return true;
}
