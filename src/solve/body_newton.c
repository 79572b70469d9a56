/* Newton's method in velocities of bodies, around impulses that are renewed (body_system.h; theory §5.8).
 *
 * Every hold answers to its velocities u by the impulses of its set that are nearest to I° − ρ u: rows with bounds one by one,
 * tangential ones in the disk that the normal impulse of the answer makes. What is left are equations in the velocities alone,
 *
 *     F(v) = M (v − v_free) − Σ H I(u) = 0,     A dv = −F,     A = M + Σ H D Hᵀ,     D = −∂I/∂u,
 *
 * whose solution obeys all laws when I = I°. So rounds of Newton's method are taken, each around the impulses of the one before
 * (proximal points: Rockafellar 1976). A hold is as stiff as ρ; the stiffer it is, the fewer rounds are needed, and the harder
 * they are. ρ grows after a round that ends and falls after one that does not.
 *
 * What the last round left of u, times a large ρ, would open or slide whatever carries little. So the first step of a round sees the sets at I° − ρ' u with a
 * moderate ρ', and I from there on linear in u.
 *
 * A knows how friction follows the normal impulse and is therefore not symmetric. The obvious alternative, disks by the normal
 * impulses of the last round, leaves A symmetric and every round convex; but under a heavy wheel that rests on light shoes these
 * rounds run in circles. Nothing has to be regular: of impulses that velocities leave open, those near the first guess are found. */
#include <math.h>
#include <string.h>

#include "solve/body_system.h"

/* ρ in units of 1/W of a row by itself: of what has bounds after nothing, its least and largest. */
static const double FIRST = 10, LEAST = 1.5, LARGEST = 1e7;
static const double SEEN = 3;     /* ρ' of the first step of a round, at most                                                */
static const double PART = 0.5;   /* of the error that a round leaves: so far may impulses and velocities disagree at its end */
static const double ENOUGH = 0.9; /* of the disagreement: a step that leaves no more is not shortened */
enum { ROUNDS = 24, TURNS = 8 };  /* turns: steps of a round; after so many rounds it is better to begin anew */

/* By which ρ grows after a round of so many steps. */
static double growth_after(int turns) { return turns <= 2 ? 3 : turns <= 5 ? 2 : 1.5; }

static const double DOWN = 3; /* by which it falls after one that does not end */

typedef struct newton {
    tl_body_system *s;
    tl_hold_rows *I0, *rho; /* [holds] */
    double stiff, t;        /* the latter: share of the step at which F is asked */
    double about;           /* ρ'/ρ: the share of u at which the sets are seen; 1 after the first step of a round */
} newton;

/* I and D of a hold; false: it is open. No D is found where it is NULL, but then all of u is seen. */
static bool answer(const newton *w, int hold, double t, double *I, double *D)
{
    const tl_body_hold *k = &w->s->p->hold[hold];
    tl_hold_rows u = {0}, seen = {0};
    for (int r = 0; r < k->rows; r++) u[r] = w->s->u[hold][r] + t * w->s->du[hold][r], seen[r] = w->about * u[r];
    if (tl_hold_is_open(k, w->I0[hold], seen)) return false;
    tl_hold_answer(k, &(tl_hold_query){w->I0[hold], seen, w->rho[hold], NULL}, I, D);
    for (int m = 0; w->about < 1 && m < k->rows; m++)
        for (int r = 0; r < k->rows; r++) I[r] -= D[r * k->rows + m] * (u[m] - seen[m]);
    return true;
}

/* I of the present round, where a share of the step has been taken. */
static bool impulses(void *solver, int hold, double *I)
{
    const newton *w = solver;
    double D[TL_BODY_ROWS * TL_BODY_ROWS];
    return answer(w, hold, w->t, I, w->about < 1 ? D : NULL);
}

static bool stiffness(void *solver, int hold, double *D)
{
    tl_hold_rows I;
    return answer(solver, hold, 0, I, D);
}

static double disagreement(newton *w, double t)
{
    w->t = t;
    return tl_body_disagreement(w->s, t, impulses, w);
}

/* The first of a round: whole, or not at all. Returns the disagreement after it. */
static double take_first_step(newton *w, double before)
{
    w->about = 1;
    const double after = disagreement(w, 1);
    if (after < before) {
        tl_body_take(w->s, 1);
        return after;
    }
    tl_body_refuse(w->s);
    return disagreement(w, 0);
}

/* Takes of the step the share after which impulses and velocities disagree least; returns by how much they still do. */
static double take_step(newton *w, double before)
{
    static const double SHARES[] = {1, 0.5, 0.25, 0.1, 0.03, 0.01};
    double best = (double)INFINITY, t = 1, last = 0;
    for (size_t i = 0; i < sizeof SHARES / sizeof *SHARES && !(best <= ENOUGH * before); i++) {
        last = SHARES[i];
        const double now = disagreement(w, last);
        if (now < best) best = now, t = last;
    }
    if (!(best < (double)INFINITY)) return best; /* no share of it gives numbers */
    tl_body_take(w->s, t);
    return last == t ? best : disagreement(w, 0);
}

/* ---- rounds ------------------------------------------------------------------------------------------------------------------- */

/* Of the next round. */
static void set_stiffness(newton *w, double stiff)
{
    w->stiff = fmax(LEAST, fmin(stiff, LARGEST));
    for (int i = 0; i < w->s->p->holds; i++) tl_hold_rho(&w->s->p->hold[i], w->stiff, w->rho[i]);
}

/* Newton's method around I°. False: the matrix has no factor, or a step no numbers. */
static bool take_round(newton *w)
{
    tl_body_problem *p = w->s->p;
    int turn = 0;
    bool ended = false;
    w->about = 1;
    double off = disagreement(w, 0), lag;
    w->about = fmin(1, SEEN / w->stiff);
    if (w->about < 1) (void)disagreement(w, 0);
    for (; turn < TURNS && !ended && !tl_body_is_over(p); turn++) {
        if (!tl_body_factor(w->s, stiffness, w)) return false;
        tl_body_step(w->s, NULL, NULL);
        p->iterations++;
        off = w->about < 1 ? take_first_step(w, off) : take_step(w, off);
        if (!(off < (double)INFINITY)) return false;
        w->t = 0;
        const double error = tl_body_measure(w->s, impulses, w, &lag);
        ended = lag <= PART * fmax(error, p->tolerance);
    }
    set_stiffness(w, ended ? growth_after(turn) * w->stiff : w->stiff / DOWN);
    for (int i = 0; i < p->holds; i++) memcpy(w->I0[i], p->hold[i].I, sizeof w->I0[i]);
    return true;
}

talus_status tl_body_newton(tl_body_system *s, double stiff, tl_step *step)
{
    const tl_body_problem *p = s->p;
    const size_t holds = (size_t)p->holds + 1;
    tl_hold_rows *rows = tl_arena_zero(step->arena, 2 * holds, sizeof *rows);
    if (!rows) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d constraints", p->holds);
    newton w = {.s = s, .I0 = rows, .rho = rows + holds};
    for (int i = 0; i < p->holds; i++) memcpy(w.I0[i], s->best[i], sizeof w.I0[i]);
    set_stiffness(&w, stiff > 0 ? stiff : FIRST);
    for (int round = 0; round < ROUNDS && !tl_body_is_over(p) && take_round(&w); round++) continue;
    return TALUS_OK;
}
