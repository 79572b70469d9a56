/* Forces that are not linear in the end velocity (theory §7.7): R(v) + p = 0, with the residual R of a step, p = M̃ w of impulses, and M̃ for the derivative of
 * −R. Passes v ← v + f, f = M̃⁻¹ R(v) + w, contract as well as M̃ is true; where a material flows it is far too stiff. Passes before tell how f changes with v
 * (Anderson 1965; Walker & Ni 2011): the next start is where f would be least, were it linear between them.
 *
 * The first passes of a step keep the impulses of the step before, which is quick where loads are given. Where a tool's motion is given, impulses must follow
 * what gives way, and what is stiff by M̃ and soft by R would drive the two apart: later passes change v_free by f, and contacts are solved between them. */
#include <math.h>
#include <string.h>

#include "matter/solid_internal.h"

enum { DEPTH = 5, PASSES = 60, HALVINGS = 10 };
static const double LEFT = 0.3;         /* of what the impulses of the step before changed: passes that keep these need come no closer */
static const double NEGLIGIBLE = 1e-10; /* of the sum of squares: differences that are within those of other passes say nothing more */

struct tl_mixing {
    int passes, held, next;
    bool met;                    /* contacts have been solved in this step */
    double *v, *f;               /* [nv] of the pass before; v before it was mixed */
    double *seen, *missed, size; /* [nv] the velocities that were last looked at, what they missed, and the largest of it; no number: none */
    double *dv[DEPTH], *df[DEPTH];
    double products[DEPTH][DEPTH]; /* of df, in the lower triangle */
};
typedef struct tl_mixing mixing;

talus_status tl_solid_open_mixing(tl_solid *s, tl_step *step)
{
    const int nv = s->matter.nv;
    if (s->mixing) return TALUS_OK;
    mixing *m = tl_arena_alloc(step->arena, 1, sizeof *m);
    double *room = tl_arena_alloc(step->arena, (size_t)(2 * DEPTH + 4) * (size_t)nv + 1, sizeof *room);
    if (!m || !room) return tl_fail(step->error, TALUS_MEMORY, "no memory for the velocities of solid '%s'", s->matter.name);
    *m = (mixing){.v = room, .f = room + nv, .seen = room + 2 * nv, .missed = room + 3 * nv, .size = (double)NAN};
    for (int k = 0; k < DEPTH; k++) m->dv[k] = room + (4 + 2 * k) * nv, m->df[k] = m->dv[k] + nv;
    s->mixing = m;
    return TALUS_OK;
}

static void forget_passes(mixing *m) { m->passes = m->held = m->next = 0; }

/* Sums of products by mass, of momentum and not of nodes. */
static double product(const tl_solid *s, const double *a, const double *b)
{
    const int d = tl_solid_axes(s);
    double sum = 0;
    for (int i = 0; i < s->mesh.nodes; i++)
        for (int k = d * i; k < d * i + d; k++) sum += fabs(s->node_mass[i]) * a[k] * b[k]; /* those of corners may be negative */
    return sum;
}

/* Shares γ of the differences: least |f − Σ γ_k df_k|², by Cholesky of their products, without those that say nothing. */
static void find_shares(const tl_solid *s, const mixing *m, const double *f, double share[DEPTH])
{
    double A[DEPTH][DEPTH] = {{0}}, b[DEPTH] = {0}, root[DEPTH] = {0};
    for (int i = 0; i < m->held; i++) {
        b[i] = product(s, m->df[i], f);
        for (int k = 0; k <= i; k++) A[i][k] = m->products[i][k];
        root[i] = NEGLIGIBLE * A[i][i];
    }
    for (int i = 0; i < m->held; i++) {
        for (int k = 0; k < i; k++) {
            for (int j = 0; j < k; j++) A[i][k] -= A[i][j] * A[k][j];
            A[i][k] = A[k][k] > 0 ? A[i][k] / A[k][k] : 0;
        }
        for (int j = 0; j < i; j++) A[i][i] -= A[i][j] * A[i][j];
        A[i][i] = A[i][i] > root[i] ? sqrt(A[i][i]) : 0;
        for (int j = 0; j < i; j++) b[i] -= A[i][j] * b[j];
        b[i] = A[i][i] > 0 ? b[i] / A[i][i] : 0;
    }
    for (int i = m->held - 1; i >= 0; i--) {
        share[i] = b[i];
        for (int j = i + 1; j < m->held; j++) share[i] -= A[j][i] * share[j];
        share[i] = A[i][i] > 0 ? share[i] / A[i][i] : 0;
    }
}

/* The differences of this pass from the one before, in place of the oldest. */
static void take_pass(const tl_solid *s, mixing *m, const double *f, const double *v)
{
    const int at = m->next;
    for (int i = 0; i < s->matter.nv; i++) m->dv[at][i] = v[i] - m->v[i], m->df[at][i] = f[i] - m->f[i];
    m->next = (at + 1) % DEPTH;
    m->held += m->held < DEPTH;
    for (int k = 0; k <= at; k++) m->products[at][k] = product(s, m->df[at], m->df[k]);
    for (int i = at + 1; i < m->held; i++) m->products[i][at] = product(s, m->df[i], m->df[at]);
}

/* v ← v + f, less what the passes before tell. */
static void mix(const tl_solid *s, mixing *m, const double *f, double *v)
{
    const int nv = s->matter.nv;
    double share[DEPTH] = {0};
    if (m->passes++ > 0) {
        take_pass(s, m, f, v);
        find_shares(s, m, f, share);
    }
    memcpy(m->v, v, (size_t)nv * sizeof *v), memcpy(m->f, f, (size_t)nv * sizeof *f);
    for (int i = 0; i < nv; i++) v[i] += f[i];
    for (int k = 0; k < m->held; k++)
        for (int i = 0; share[k] != 0 && i < nv; i++) v[i] -= share[k] * (m->dv[k][i] + m->df[k][i]);
}

/* R(v) to s->work; where it has turned something inside out, v goes half of its way back, again and again. */
static bool residual_nearby(tl_solid *s, const tl_solid_span *span, double theta, const double *before, double *v)
{
    for (int halving = 0; !tl_solid_residual(s, span, theta, v, s->work); halving++) {
        if (halving >= HALVINGS && !tl_particles_let_go(s)) return false;
        for (int i = 0; i < s->matter.nv; i++) v[i] = 0.5 * (v[i] + before[i]);
    }
    return true;
}

/* f of R in s->work, in its place; returns its largest. Without a factor R + p is formed first, which is small where R and p are not, and then solved about. */
static double look(tl_solid *s, const double *w)
{
    double size = 0, sum = 0;
    if (s->particles) tl_particles_add_impulses(s, w, s->work);
    tl_solid_solve_about(s, s->work);
    for (int i = 0; i < s->matter.nv; i++) {
        if (!s->is_held[i] && !s->particles) s->work[i] += w[i];
        size = tl_larger(size, fabs(s->work[i])), sum += fabs(s->work[i]);
    }
    return isfinite(sum) ? size : (double)INFINITY;
}

double tl_solid_follow(tl_solid *s, tl_step *step, double theta, const double *w, double close, double *v)
{
    const tl_solid_span span = tl_solid_span_of(s, step);
    const double enough = fmax(fmax(close, LEFT * s->missed), tl_solid_rounding(s, theta * step->h));
    mixing *m = s->mixing;
    double size = (double)INFINITY;
    forget_passes(m);
    m->size = (double)NAN; /* what is torn on the way changes what was seen */
    for (int pass = 0; pass < PASSES && size > enough; pass++) {
        size = residual_nearby(s, &span, theta, pass > 0 ? m->v : s->v, v) ? look(s, w) : (double)INFINITY;
        if (!isfinite(size)) break;
        mix(s, m, s->work, v);
    }
    forget_passes(m); /* those that follow move v_free */
    return size;
}

/* f at v, to s->work; returns its largest. Where v is that of the last look nothing is reckoned again: a step looks, and if it is not content moves by that. */
static double look_again(tl_solid *s, tl_step *step, double theta, const double *w, const double *v)
{
    const tl_solid_span span = tl_solid_span_of(s, step);
    const size_t size = (size_t)s->matter.nv * sizeof *v;
    mixing *m = s->mixing;
    if (!isnan(m->size) && memcmp(m->seen, v, size) == 0) {
        memcpy(s->work, m->missed, size);
        return m->size;
    }
    bool found = tl_solid_residual(s, &span, theta, v, s->work);
    while (!found && tl_particles_let_go(s)) found = tl_solid_residual(s, &span, theta, v, s->work);
    m->size = found ? look(s, w) : (double)INFINITY;
    memcpy(m->seen, v, size), memcpy(m->missed, s->work, size);
    return m->size;
}

double tl_solid_off(tl_solid *s, tl_step *step, double theta, const double *w, const double *v, bool apply)
{
    const double size = look_again(s, step, theta, w, v);
    if (!isfinite(size)) (void)!tl_solid_lost(s, step);
    if (!s->mixing->met) s->mixing->met = true, s->missed_next = size;
    if (!apply || !isfinite(size)) return fmax(0, size - tl_solid_rounding(s, theta * step->h));
    mix(s, s->mixing, s->work, s->v_free);
    s->mixing->size = (double)NAN; /* the same velocities with other impulses are something else */
    return size;
}
