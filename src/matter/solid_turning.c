/* Solids whose rotations are large (theory §10.7): what elements know of themselves, M̃ with a stiffness that turns with them, and the free motion of a step.
 *
 * M̃ only has to be near the derivative of what a step solves, and symmetric and positive for contacts. Its K is kept while no element has turned far since;
 * displacements `held` at which that was taken are part of the state, so that a restart goes on with the same. Within a step that finds its motion slowly K is
 * taken anew, with what stresses do to it where that leaves M̃ positive. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "matter/solid_internal.h"

enum { PASSES = 60, RENEWALS = 6, HALVINGS = 10 };
static const double TURNED = 0.25; /* of φ hθ ω: an element that has turned by φ meets its old stiffness as a strain of the size φ */
static const double SLOW = 0.3;    /* what is left after a pass, of what was before: beyond, K is taken anew */
static const double CLOSE = 1e-10, FAR = 0.1;

/* ---- what elements know ---------------------------------------------------------------------------------------------------------- */

talus_status tl_solid_make_turns(tl_solid *s, tl_error *error)
{
    const tl_memory memory = s->matter.memory;
    const size_t elements = (size_t)s->mesh.elements, nv = (size_t)s->matter.nv;
    tl_solid_turns *t = &s->turns;
    t->begin = tl_alloc(memory, elements + 1, sizeof *t->begin);
    for (size_t e = 0; e < elements && t->begin; e++) {
        const size_t n = (size_t)(s->dimension * s->element[e].kind->nodes);
        t->begin[e + 1] = t->begin[e] + n * n;
    }
    t->stiffness = t->begin ? tl_alloc(memory, t->begin[elements] + 1, sizeof *t->stiffness) : NULL;
    t->mean = tl_alloc(memory, (size_t)s->mesh.begin[elements] + 1, sizeof *t->mean);
    t->fastest = tl_alloc(memory, elements + 1, sizeof *t->fastest);
    t->R = tl_alloc(memory, elements + 1, sizeof *t->R);
    t->at = tl_alloc(memory, nv + 1, sizeof *t->at);
    t->held = tl_alloc(memory, nv + 1, sizeof *t->held);
    if (t->begin && t->stiffness && t->mean && t->fastest && t->R && t->at && t->held) return TALUS_OK;
    return tl_fail(error, TALUS_MEMORY, "no memory for the stiffness of the elements of solid '%s'", s->matter.name);
}

void tl_solid_free_turns(tl_solid *s)
{
    const tl_solid_turns *t = &s->turns;
    void *const blocks[] = {t->begin, t->stiffness, t->mean, t->fastest, t->R, t->at, t->held};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) tl_free(s->matter.memory, blocks[i]);
}

/* No frequency is above that of Gershgorin's circles of M⁻¹ K, M taken by its diagonal. */
bool tl_solid_know_element(tl_solid *s, int e, const double *K, const double *M)
{
    tl_element *element = &s->element[e];
    const int d = tl_solid_axes(s), nodes = element->kind->nodes, n = d * nodes;
    double x[TL_ELEMENT_NODES][3], *own = s->turns.stiffness + s->turns.begin[e], (*mean)[3] = s->turns.mean + s->mesh.begin[e], most = 0;
    tl_element_mesh_places(&s->mesh, e, x);
    if (!tl_element_mean_gradients(element, (const double(*)[3])x, mean)) return false;
    memcpy(own, K, (size_t)(n * n) * sizeof *own);
    for (int i = 0; i < n; i++) {
        double row = 0;
        for (int k = 0; k < n; k++) row += fabs(K[i * n + k]);
        most = fmax(most, row / M[i / d * nodes + i / d]);
    }
    s->turns.fastest[e] = sqrt(most);
    element->mean = (const double(*)[3])mean;
    if (element->material->kind == &TL_ELASTIC) element->stiffness = own;
    return true;
}

bool tl_solid_damp_strain(const tl_solid *s, const double *u, const double *v, double scale, double *f)
{
    const int d = tl_solid_axes(s);
    for (int e = 0; e < s->mesh.elements; e++) {
        const int *node = s->mesh.node + s->mesh.begin[e], nodes = s->element[e].kind->nodes;
        double x[TL_ELEMENT_NODES][3], own[TL_ELEMENT_UNKNOWNS], rate[TL_ELEMENT_UNKNOWNS], force[TL_ELEMENT_UNKNOWNS] = {0};
        tl_element element = s->element[e];
        element.stiffness = s->turns.stiffness + s->turns.begin[e];
        tl_solid_element_at(s, e, v, x, rate);
        tl_solid_element_at(s, e, u, x, own);
        if (!tl_element_damp(&element, (const double(*)[3])x, own, rate, scale, force)) return false;
        for (int a = 0; a < nodes; a++)
            for (int i = 0; i < d; i++) f[d * node[a] + i] += force[d * a + i];
    }
    return true;
}

/* ---- K and M̃ --------------------------------------------------------------------------------------------------------------------- */

/* K where displacements are s->turns.at; `softened`: with what stresses of elastic elements do to it. */
static bool take_stiffness(tl_solid *s, bool softened)
{
    const int d = tl_solid_axes(s);
    tl_solid_turns *turns = &s->turns;
    turns->made = false, turns->softened = softened;
    tl_solid_forget_factors(s, false);
    memset(s->K, 0, (size_t)s->mesh.pattern.begin[s->mesh.nodes] * (size_t)(d * d) * sizeof *s->K);
    for (int e = 0; e < s->mesh.elements; e++) {
        const tl_element *element = &s->element[e];
        const int n = d * element->kind->nodes;
        const double *own = turns->stiffness + turns->begin[e];
        double x[TL_ELEMENT_NODES][3], u[TL_ELEMENT_UNKNOWNS], f[TL_ELEMENT_UNKNOWNS], K[TL_ELEMENT_UNKNOWNS * TL_ELEMENT_UNKNOWNS];
        tl_turning t;
        tl_solid_element_at(s, e, turns->at, x, u);
        if (!tl_element_turning(element, (const double(*)[3])x, u, NULL, &t)) {
            s->lost1 = e + 1;
            return false;
        }
        memcpy(K, own, (size_t)(n * n) * sizeof *K);
        for (int i = 0; i < n; i++) {
            f[i] = 0;
            for (int k = 0; k < n; k++) f[i] += own[i * n + k] * t.u[k];
        }
        tl_turning_stiffness(&t, softened && element->stiffness ? f : NULL, K);
        tl_solid_add_blocks(s, e, K);
        turns->R[e] = t.R;
    }
    turns->made = true;
    return true;
}

/* M̃ with K at displacements u. What stresses do to it may leave M̃ not positive; without, it always is. */
static talus_status renew(tl_solid *s, const tl_solid_scales *scales, const double *u, bool softened, tl_step *step)
{
    memcpy(s->turns.at, u, (size_t)s->matter.nv * sizeof *u);
    if (!take_stiffness(s, softened)) return tl_solid_lost(s, step);
    const talus_status status = tl_solid_factor(s, scales, step);
    if (status != TALUS_SINGULAR || !softened) return status;
    return take_stiffness(s, false) ? tl_solid_factor(s, scales, step) : tl_solid_lost(s, step);
}

talus_status tl_solid_factor_rest(tl_solid *s, tl_step *step)
{
    memcpy(s->turns.at, s->u, (size_t)s->matter.nv * sizeof *s->u);
    return take_stiffness(s, false) ? tl_solid_factor(s, &(tl_solid_scales){0, 1, 0}, step) : tl_solid_lost(s, step);
}

/* Has an element turned too far since K was taken? ‖R − R'‖² is 2 φ² of small angles. */
static talus_status look_at_turns(tl_solid *s, const tl_solid_scales *scales, const double *u, tl_step *step, bool *far)
{
    const double span = sqrt(scales->stiffness / scales->mass);
    *far = false;
    for (int e = 0; e < s->mesh.elements && !*far; e++) {
        double x[TL_ELEMENT_NODES][3], own[TL_ELEMENT_UNKNOWNS], square = 0;
        tl_turning t;
        tl_solid_element_at(s, e, u, x, own);
        if (!tl_element_turning(&s->element[e], (const double(*)[3])x, own, NULL, &t)) {
            s->lost1 = e + 1;
            return tl_solid_lost(s, step);
        }
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++) square += (t.R.m[i][k] - s->turns.R[e].m[i][k]) * (t.R.m[i][k] - s->turns.R[e].m[i][k]);
        *far = sqrt(0.5 * square) * span * s->turns.fastest[e] > TURNED;
    }
    return TALUS_OK;
}

talus_status tl_solid_turn_factor(tl_solid *s, const tl_solid_scales *scales, const double *u, tl_step *step)
{
    tl_solid_turns *t = &s->turns;
    bool far = false;
    if (scales->stiffness == 0) return tl_solid_factor(s, scales, step);
    if (!t->made || t->softened || memcmp(t->at, t->held, (size_t)s->matter.nv * sizeof *u) != 0) {
        memcpy(t->at, t->held, (size_t)s->matter.nv * sizeof *u);
        if (!take_stiffness(s, false)) return tl_solid_lost(s, step);
    }
    TL_TRY(look_at_turns(s, scales, u, step, &far));
    return far ? renew(s, scales, u, false, step) : tl_solid_factor(s, scales, step);
}

/* ---- a step ---------------------------------------------------------------------------------------------------------------------- */

double tl_solid_rounding(const tl_solid *s, double span)
{
    const int d = tl_solid_axes(s);
    double size = 0;
    for (int i = 0; i < s->mesh.nodes; i++)
        for (int a = 0; a < d; a++) size = fmax(size, fabs(s->mesh.x[i][a]) + fabs(s->u[d * i + a]));
    return 4 * DBL_EPSILON * size / span;
}

/* Half of the last step is taken back, in s->force, where it has turned an element inside out. */
static bool residual_nearby(tl_solid *s, const tl_solid_span *span, double theta, int pass)
{
    for (int halving = 0; !tl_solid_residual(s, span, theta, s->v_free, s->work); halving++) {
        if (pass == 0 || halving == HALVINGS) return false;
        for (int i = 0; i < s->matter.nv; i++) s->force[i] *= 0.5, s->v_free[i] -= s->force[i];
        tl_solid_rate_held(s, span->t + span->h, s->v_free);
    }
    return true;
}

talus_status tl_solid_turn_freely(tl_solid *s, tl_step *step, double theta)
{
    const int nv = s->matter.nv;
    const tl_solid_scales scales = s->scales;
    const tl_solid_span span = tl_solid_span_of(s, step);
    const double least = tl_solid_rounding(s, theta * step->h);
    double first = 0, before = 0, change = 0, sum = 0;
    bool slow = false, grows = false;
    for (int pass = 0, renewals = 0; pass < PASSES; pass++) {
        tl_solid_rate_held(s, tl_step_end(step), s->v_free);
        if (!residual_nearby(s, &span, theta, pass)) return tl_solid_lost(s, step);
        if (slow && renewals < RENEWALS && s->states == 0) {
            TL_TRY(renew(s, &scales, s->u_next, !grows, step)); /* stresses far from those of the motion mislead */
            renewals++;
        }
        tl_solid_solve(s, s->work);
        change = sum = 0;
        for (int i = 0; i < nv; i++) {
            s->force[i] = s->work[i];
            s->v_free[i] += s->work[i];
            change = fmax(change, fabs(s->work[i])), sum += fabs(s->work[i]);
        }
        if (pass == 0) first = change;
        if (!isfinite(sum)) break;
        if (!(change > CLOSE * first) || change <= least) break;
        slow = pass > 0 && change > SLOW * before, grows = pass > 0 && change > before;
        before = change;
    }
    if (isfinite(sum) && (change <= FAR * first || change <= least)) return TALUS_OK;
    return tl_fail(step->error, TALUS_DIVERGED,
                   "solid '%s': the step's motion is not found at t = %.6g s: it turns or bends too far in it; a smaller step may do", s->matter.name, step->t);
}
