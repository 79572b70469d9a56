/* Forces that are not linear in the end velocity (theory §7.7): R(v) + p = 0, with the residual R of a step, p = M̃ w of impulses, and M̃ for the derivative of
 * −R. Passes v ← v + f, f = M̃⁻¹ R(v) + w, contract as well as M̃ is true; where a material flows it is far too stiff. So they are mixed (base/mixing.h).
 *
 * The first passes of a step keep the impulses of the step before, which is quick where loads are given. Where a tool's motion is given, impulses must follow
 * what gives way, and what is stiff by M̃ and soft by R would drive the two apart: later passes change v_free by f, and contacts are solved between them. */
#include <math.h>
#include <string.h>

#include "base/mixing.h"
#include "matter/solid_internal.h"

enum { PASSES = 60, HALVINGS = 10 };
static const double LEFT = 0.3; /* of what the impulses of the step before changed: passes that keep these need come no closer */

struct tl_following {
    tl_mixing *mixing;
    bool met;                    /* contacts have been solved in this step */
    double *seen, *missed, size; /* [nv] the velocities that were last looked at, what they missed, and the largest of it; no number: none */
};
typedef struct tl_following following;

/* Products are weighed by mass: of momentum and not of nodes. */
talus_status tl_solid_open_following(tl_solid *s, tl_step *step)
{
    const int nv = s->matter.nv;
    if (s->following) return TALUS_OK;
    following *f = tl_arena_alloc(step->arena, 1, sizeof *f);
    double *room = tl_arena_alloc(step->arena, 2 * (size_t)nv + 1, sizeof *room);
    tl_mixing *mixing = tl_mixing_open(step->arena, nv, s->node_mass, tl_solid_axes(s));
    if (!f || !room || !mixing) return tl_fail(step->error, TALUS_MEMORY, "no memory for the velocities of solid '%s'", s->matter.name);
    *f = (following){.mixing = mixing, .seen = room, .missed = room + nv, .size = (double)NAN};
    s->following = f;
    return TALUS_OK;
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
    following *m = s->following;
    double size = (double)INFINITY;
    tl_mixing_forget(m->mixing);
    m->size = (double)NAN; /* what is torn on the way changes what was seen */
    for (int pass = 0; pass < PASSES && size > enough; pass++) {
        size = residual_nearby(s, &span, theta, pass > 0 ? tl_mixing_before(m->mixing) : s->v, v) ? look(s, w) : (double)INFINITY;
        if (!isfinite(size)) break;
        tl_mixing_mix(m->mixing, s->work, v);
    }
    tl_mixing_forget(m->mixing); /* those that follow move v_free */
    return size;
}

/* f at v, to s->work; returns its largest. Where v is that of the last look nothing is reckoned again: a step looks, and if it is not content moves by that. */
static double look_again(tl_solid *s, tl_step *step, double theta, const double *w, const double *v)
{
    const tl_solid_span span = tl_solid_span_of(s, step);
    const size_t size = (size_t)s->matter.nv * sizeof *v;
    following *m = s->following;
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
    if (!s->following->met) s->following->met = true, s->missed_next = size;
    if (!apply || !isfinite(size)) return fmax(0, size - tl_solid_rounding(s, theta * step->h));
    tl_mixing_mix(s->following->mixing, s->work, s->v_free);
    s->following->size = (double)NAN; /* the same velocities with other impulses are something else */
    return size;
}
