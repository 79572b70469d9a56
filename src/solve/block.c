/* Constraints besides contacts: sweeps, and what holds for good at once (block.h). */
#include "solve/block.h"

#include <math.h>
#include <string.h>

#include "base/integers.h"
#include "solve/drift.h"

enum { PORT_ROWS = 3 };

/* ---- velocities ------------------------------------------------------------------------------------------------------------- */

double *tl_block_numbers(const tl_blocks *b, const tl_velocities *v, int group)
{
    return group < b->grains.bodies ? v->grain + (size_t)group * (size_t)b->grains.stride : v->matter[group - b->grains.bodies];
}

/* Of one row, summed end by end. */
static double read_row(const tl_blocks *b, const tl_block *k, const tl_velocities *v, int row)
{
    double sum = 0;
    for (int e = k->first; e < k->first + k->ends; e++) {
        const tl_block_end *end = &b->end[e];
        const double *x = tl_block_numbers(b, v, end->group), *H = &end->H[row * end->size];
        for (int i = 0; i < end->size; i++) sum += H[i] * x[i];
    }
    return sum;
}

void tl_block_read(const tl_blocks *b, const tl_block *k, const tl_velocities *v, double *V)
{
    for (int r = 0; r < k->rows; r++) V[r] = read_row(b, k, v, r);
}

void tl_block_push_ends(const tl_blocks *b, const tl_block *k, int first, int ends, const tl_velocities *v, const double *I)
{
    for (int e = first; e < first + ends; e++) {
        const tl_block_end *end = &b->end[e];
        double *x = tl_block_numbers(b, v, end->group);
        for (int r = 0; r < k->rows; r++)
            for (int i = 0; i < end->size; i++) x[i] += end->Y[r * end->size + i] * I[r];
    }
}

void tl_block_push(const tl_blocks *b, const tl_block *k, const tl_velocities *v, const double *I)
{
    if (k->pushed > 0) tl_block_push_ends(b, k, k->first + k->ends, k->pushed, v, I);
    else tl_block_push_ends(b, k, k->first, k->ends, v, I);
}

/* Of a constraint that is condensed over joints: impulses by which they answer to its own, to their I or drift. */
static void answer_also(tl_blocks *b, const tl_block *k, const double *I, bool drift)
{
    for (int a = k->answer; a < k->answer + k->answers; a++) {
        tl_block *joint = &b->block[b->answer[a].block];
        double *to = drift ? joint->drift : joint->I;
        for (int r = 0; r < k->rows; r++)
            for (int c = 0; c < joint->rows; c++) to[c] += b->answer[a].I[r * joint->rows + c] * I[r];
    }
}

/* ---- joints, at once ---------------------------------------------------------------------------------------------------- */

/* Rows of a joint that nothing moves have 1 on the diagonal and no right side. Every row is measured by its own W: A has a diagonal of ones. */
double tl_block_scale(const tl_block *k, int row)
{
    const double own = row < k->rows && !k->repeated[row] ? k->W[row * k->rows + row] : 0;
    return own > 0 ? 1 / sqrt(own) : 0;
}

/* x ← (A (A + ε)⁻¹)³ x, ε of the factor, where rows are redundant: what A has next to nothing of goes, and all else stays. */
static void filter(tl_blocks *b)
{
    enum { PASSES = 3 };
    for (int i = 0; i < PASSES && b->redundant > 0; i++) {
        for (int u = 0; u < b->unknowns; u++)
            for (int r = 0; r < 3; r++) b->y[u][r] = b->redundant * b->x[u][r];
        tl_sparse3_solve(b->factor, b->y);
        for (int u = 0; u < b->unknowns; u++)
            for (int r = 0; r < 3; r++) b->x[u][r] -= b->y[u][r];
    }
}

/* Of impulses x the least ones that do the same: without what rows that say the same have against each other. */
static void share_out(tl_blocks *b)
{
    if (!b->rank) return;
    for (int i = 0; i < b->count; i++) {
        const tl_block *k = &b->block[i];
        for (int r = 0; k->direct && r < 3 * ((k->rows + 2) / 3); r++)
            b->y[k->unknown + r / 3][r % 3] = r < k->rows && k->measure[r] > 0 ? b->x[k->unknown + r / 3][r % 3] / k->measure[r] : 0;
    }
    tl_blocks_keep_null(b, b->rank, b->rank_damping, b->y);
    for (int i = 0; i < b->count; i++) {
        const tl_block *k = &b->block[i];
        for (int r = 0; k->direct && r < k->rows; r++) b->x[k->unknown + r / 3][r % 3] -= k->measure[r] * b->y[k->unknown + r / 3][r % 3];
    }
}

/* The joints' answer to the velocities v: impulses that make their rows zero, onto v; of redundant rows the least ones (block.h). */
void tl_blocks_answer(tl_blocks *b, const tl_velocities *v)
{
    tl_sparse3_solve(b->factor, b->x);
    filter(b);
    for (int i = 0; i < b->count; i++)
        for (int r = 0; b->block[i].direct && r < b->block[i].rows; r++) b->x[b->block[i].unknown + r / 3][r % 3] *= tl_block_scale(&b->block[i], r);
    share_out(b);
    for (int i = 0; i < b->count; i++) {
        const tl_block *k = &b->block[i];
        double I[TL_ROWS];
        if (!k->direct) continue;
        for (int r = 0; r < k->rows; r++) I[r] = b->x[k->unknown + r / 3][r % 3];
        tl_block_push_ends(b, k, k->first, k->ends, v, I);
    }
}

/* x = −s V of every joint, V as `rows` says. */
void tl_blocks_ask(tl_blocks *b, const tl_velocities *v, void (*rows)(const tl_blocks *, const tl_block *, const tl_velocities *, double *V))
{
    memset(b->x, 0, (size_t)b->unknowns * sizeof *b->x);
    for (int i = 0; i < b->count; i++) {
        const tl_block *k = &b->block[i];
        double V[TL_ROWS] = {0};
        if (!k->direct) continue;
        rows(b, k, v, V);
        for (int r = 0; r < k->rows; r++) b->x[k->unknown + r / 3][r % 3] = -tl_block_scale(k, r) * V[r];
    }
}

/* ---- sweeps ----------------------------------------------------------------------------------------------------------------- */

/* u = V + Σ I + shift. */
static void read_shifted(const tl_blocks *b, const tl_block *k, const tl_velocities *v, double *u)
{
    tl_block_read(b, k, v, u);
    for (int r = 0; r < k->rows; r++) u[r] += k->shift[r] + k->give[r] * k->I[r];
}

static tl_own_problem own_problem(const tl_block *k)
{
    return (tl_own_problem){k->rows, k->W, k->of->low, k->of->high, k->bound.friction, k->bound.rolling, k->bound.spinning};
}

/* Its own law at its turn, from impulses extrapolated by β. */
static double visit(tl_blocks *b, tl_block *k, const tl_velocities *v, double beta, bool keeps)
{
    const tl_own_problem p = own_problem(k);
    double u[TL_ROWS] = {0}, I[TL_ROWS], change[TL_ROWS], reversal = 0;
    double last[TL_ROWS];
    memcpy(last, k->I, sizeof last);
    for (int r = 0; r < k->rows; r++) k->I[r] += beta * (k->I[r] - k->last[r]);
    read_shifted(b, k, v, u);
    for (int r = 0; r < k->rows; r++)
        for (int c = 0; c < k->rows; c++) u[r] -= k->W[r * k->rows + c] * k->I[c];
    memcpy(I, k->I, sizeof I);
    k->of->set->solve(&p, u, I);
    for (int r = 0; r < k->rows; r++) {
        change[r] = I[r] - k->I[r];
        reversal -= k->W[r * k->rows + r] * change[r] * (I[r] - last[r]);
        k->I[r] = I[r];
    }
    if (keeps) memcpy(k->last, last, sizeof last);
    tl_block_push(b, k, v, change);
    answer_also(b, k, change, false);
    return reversal;
}

/* What joints hold, at once; impulses as they are. Returns how far it turned back. */
static double hold(tl_blocks *b, const tl_velocities *v)
{
    double reversal = 0;
    if (b->unknowns == 0) return 0;
    tl_blocks_ask(b, v, read_shifted);
    tl_blocks_answer(b, v);
    for (int i = 0; i < b->count; i++) {
        tl_block *k = &b->block[i];
        for (int r = 0; k->direct && r < k->rows; r++) {
            const double change = b->x[k->unknown + r / 3][r % 3];
            k->I[r] += change;
            reversal -= k->W[r * k->rows + r] * change * (k->I[r] - k->last[r]);
        }
    }
    return reversal;
}

void tl_block_real_impulses(const tl_block *k, double I[TL_ROWS])
{
    memcpy(I, k->I, sizeof k->I);
    I[0] -= k->bound.offset;
}

/* All of them act on their own ends: what joints answer to them is in the joints' first guesses, as the last step left them. */
static void start(tl_blocks *b, const tl_velocities *v, bool contacts)
{
    for (int i = 0; i < b->count; i++) {
        double I[TL_ROWS];
        if (b->block[i].of->law && !contacts) continue;
        tl_block_real_impulses(&b->block[i], I);
        tl_block_push_ends(b, &b->block[i], b->block[i].first, b->block[i].ends, v, I);
    }
    tl_blocks_hold(b, v);
}

void tl_blocks_start(tl_blocks *b, const tl_velocities *v) { start(b, v, true); }

void tl_blocks_start_joints(tl_blocks *b, const tl_velocities *v) { start(b, v, false); }

/* Twice: the second takes what rounding and redundant joints left; again where the factor has few digits. */
void tl_blocks_hold(tl_blocks *b, const tl_velocities *v)
{
    for (int i = 0; i < (b->delicate ? 4 : 2); i++) (void)hold(b, v);
}

void tl_blocks_settle(tl_blocks *b, const tl_velocities *v)
{
    if (b->unknowns == 0) return;
    tl_blocks_ask(b, v, read_shifted);
    tl_blocks_answer(b, v);
}

void tl_block_change(tl_blocks *b, tl_block *k, const tl_velocities *v, const double *I)
{
    double change[TL_ROWS];
    for (int r = 0; r < k->rows; r++) change[r] = I[r] - k->I[r], k->I[r] = k->last[r] = I[r];
    tl_block_push(b, k, v, change);
    answer_also(b, k, change, false);
}

void tl_block_keep(tl_blocks *b, tl_block *k, const tl_velocities *v, double share)
{
    double I[TL_ROWS];
    for (int r = 0; r < k->rows; r++) I[r] = share * k->I[r];
    tl_block_change(b, k, v, I);
}

double tl_blocks_sweep(tl_blocks *b, const tl_velocities *v, double beta, bool keeps)
{
    double reversal = 0;
    for (int i = 0; i < b->count; i++) {
        tl_block *k = &b->block[i];
        for (int r = 0; k->direct && r < k->rows; r++) {
            const double now = k->I[r];
            k->I[r] += beta * (now - k->last[r]);
            if (keeps) k->last[r] = now;
        }
    }
    for (int i = 0; i < b->count; i++)
        if (!b->block[i].direct && !b->block[i].elsewhere) reversal += visit(b, &b->block[i], v, beta, keeps);
    return reversal + hold(b, v);
}

/* Rows that are not moments, of a contact; 0: another constraint. */
static int axes_of_contact(const tl_block *k)
{
    if (k->of->set == &TL_FRICTION_CONE) return k->rows;
    return k->of->set != &TL_ROLLING_CONE ? 0 : k->rows == TL_ROWS ? 3 : 2;
}

/* Where joints contradict each other, no impulses would make all rows zero: it counts what some would. */
void tl_blocks_errors(tl_blocks *b, const tl_velocities *v, tl_errors *all)
{
    if (b->redundant > 0) {
        tl_blocks_ask(b, v, read_shifted);
        filter(b);
    }
    for (int i = 0; i < b->count; i++) {
        const tl_block *k = &b->block[i];
        const tl_own_problem p = own_problem(k);
        double u[TL_ROWS] = {0}, pressing = 0;
        read_shifted(b, k, v, u);
        for (int r = 0; r < k->rows; r++)
            if (k->repeated[r]) u[r] = 0; /* others say it */
        for (int r = 0; r < k->rows && k->direct && b->redundant > 0; r++) {
            const double scale = tl_block_scale(k, r);
            if (scale > 0) u[r] = -b->x[k->unknown + r / 3][r % 3] / scale;
        }
        for (int r = 0; r < k->rows; r++) pressing += fabs(k->I[r]);
        const double e = k->of->set->residual(&p, u, k->I);
        const int axes = axes_of_contact(k);
        double trace = 0;
        for (int r = 0; r < axes; r++) trace += p.W[r * k->rows + r];
        const bool touches = axes > 0 && k->I[0] > 0;
        tl_errors_add(all, &(tl_errors){e, e, touches ? trace / axes * k->I[0] : 0, pressing > 0, touches});
    }
}

/* ---- what others ask -------------------------------------------------------------------------------------------------------- */

void tl_blocks_push(const tl_blocks *b, double *const *v)
{
    const tl_velocities to = {NULL, v};
    for (int i = 0; i < b->count; i++) {
        const tl_block *k = &b->block[i];
        double I[TL_ROWS];
        tl_block_real_impulses(k, I);
        for (int e = k->first; e < k->first + k->ends; e++)
            if (b->end[e].group >= b->grains.bodies && !b->end[e].in_cluster) tl_block_push_ends(b, k, e, 1, &to, I);
    }
}

static void write_moment(const tl_block *k)
{
    const int moments = k->rows < TL_ROWS ? 1 : 3;
    for (int r = 0; r < moments; r++) k->of->moment[tl_moment_axis(moments, r)] = k->of->length * k->I[k->rows - moments + r];
}

void tl_blocks_write_back(const tl_blocks *b, const tl_velocities *v)
{
    for (int i = 0; i < b->count; i++) {
        const tl_block *k = &b->block[i];
        if (k->elsewhere) continue;
        memcpy(k->of->I, k->I, (size_t)k->rows * sizeof *k->I);
        if (k->of->moment) write_moment(k);
        if (k->of->V) tl_block_read(b, k, v, k->of->V);
        for (int r = 0; k->of->V && r < k->rows; r++) k->of->V[r] += k->imposed[r];
    }
}

void tl_constraint_join(const tl_constraint *c, tl_group_of_grip *group, const void *context, int *root, bool *held)
{
    int first = -1;
    for (int e = 0; e < c->grips; e++) {
        const int own = group(context, &c->grip[e]);
        if (own < 0) continue;
        if (held) held[own] = true;
        if (first >= 0) (void)tl_join(root, own, first);
        first = own;
    }
}

talus_status tl_blocks_refuse(const tl_blocks *b, tl_step *step)
{
    if (!b || b->count == 0) return TALUS_OK;
    return tl_fail(step->error, TALUS_UNSUPPORTED,
                   "joints between bodies, stops, dry friction in joints, drives, pulleys, the law 'rolling' and a stiffness where mechanisms or solids touch "
                   "are solved by "
                   "sweeps or in velocities of bodies: "
                   "solver.method " TALUS_SOLVER_SWEEPS " or " TALUS_SOLVER_BODIES ", without least_norm, and no contact "
                   "problems as files");
}

void tl_blocks_accumulate(const tl_blocks *b)
{
    for (int i = 0; i < b->ports; i++) {
        const tl_block_port *p = &b->port[i];
        const tl_block *k = &b->block[p->block];
        double all[TL_ROWS], I[PORT_ROWS] = {0};
        tl_block_real_impulses(k, all);
        for (int r = 0; r < PORT_ROWS && p->first + r < k->rows; r++) I[r] = all[p->first + r];
        b->matter[p->matter]->ops->accumulate(b->matter[p->matter], &p->port, I);
    }
}

/* ---- positions (drift.h) ---------------------------------------------------------------------------------------------------- */

static double slop_of(const tl_blocks *b, const tl_constraint *c) { return c->loose ? b->slop : tl_drift_slop(true, b->slop); }

/* What a row closes: of contacts with the state that their law has come to. */
static double gap_of(const tl_constraint *c, int row) { return c->law ? tl_law_gap(c->law, c->view.state, c->view.gap) : c->gap[row]; }

/* Velocity of a row at the end of the step: stops and ropes that press are shifted by how their rows turn on the way there. */
static double end_velocity(const tl_constraint *c, int row) { return (c->V ? c->V[row] : 0) + (tl_is_one_sided(c) && !c->law ? c->shift[row] : 0); }

/* Joints are put right at once, every step: what a step leaves is of second order in h. */
static double goal_of(const tl_blocks *b, const tl_block *k, int row)
{
    const tl_constraint *c = k->of;
    if (!c->corrected) return 0;
    return k->direct ? c->gap[row] / b->h : tl_drift_goal(gap_of(c, row), end_velocity(c, row), b->h, slop_of(b, c), b->drift_whole);
}

bool tl_blocks_are_off(const tl_blocks *b)
{
    for (int i = 0; i < b->count; i++) {
        const tl_constraint *c = b->block[i].of;
        const bool direct = b->block[i].direct || b->block[i].elsewhere;
        for (int r = 0; c->corrected && r < (direct ? c->rows : 1); r++)
            if (direct ? c->gap[r] != 0 : gap_of(c, r) + b->h * end_velocity(c, r) < -slop_of(b, c)) return true;
    }
    return false;
}

static void read_positions(const tl_blocks *b, const tl_block *k, const tl_velocities *w, double *V)
{
    tl_block_read(b, k, w, V);
    for (int r = 0; r < k->rows; r++) V[r] += goal_of(b, k, r) + k->give[r] * k->drift[r];
}

void tl_blocks_drift(tl_blocks *b, const tl_velocities *w, bool first)
{
    for (int i = 0; i < b->count; i++) {
        tl_block *k = &b->block[i];
        if (first) memset(k->drift, 0, sizeof k->drift);
        if (k->direct || k->elsewhere || !k->of->corrected || !(k->W[0] > 0)) continue;
        const double I = fmax(0, k->drift[0] - (read_row(b, k, w, 0) + goal_of(b, k, 0)) / k->W[0]), change[TL_ROWS] = {I - k->drift[0]};
        if (change[0] == 0) continue; /* most candidates stay open */
        tl_block_push(b, k, w, change);
        answer_also(b, k, change, true);
        k->drift[0] = I;
    }
    if (b->unknowns == 0) return;
    tl_blocks_ask(b, w, read_positions);
    tl_blocks_answer(b, w);
    for (int i = 0; i < b->count; i++)
        for (int r = 0; b->block[i].direct && r < b->block[i].rows; r++) b->block[i].drift[r] += b->x[b->block[i].unknown + r / 3][r % 3];
}
