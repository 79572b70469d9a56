/* What contacts see of a solid: M̃⁻¹ in the nodes where contacts are expected, column by column as they are touched first (theory §10.3).
 *
 * Where all columns would find room they are kept whole. Else only what is felt is kept of each, those that are asked for have to find room and the others
 * make it for them: what a node's columns are depends on M̃ alone, whenever they are made. */
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/integers.h"
#include "base/lanes.h"
#include "base/products.h"
#include "matter/solid_internal.h"

/* Memory for columns of particles, and of what has a factor, at most [bytes]; where those of the nodes that a step touches take more, contacts are condensed by
 * a solve each. Of particles what is felt is short, and a solve is cheap. */
static const double MOST = 5e8, MOST_OF_FACTOR = 2e9;

static const double CLOSE = 1e-9; /* columns of what has no factor, and what is left out of them */

/* ---- nodes where contacts are expected ------------------------------------------------------------------------------------------- */

/* In the order of nodes; those of many along their longest side, so that what is near in space is near in columns. A factor has an order of its own. */
static talus_status order_nodes(tl_solid *s, tl_error *error)
{
    double low[3] = {(double)INFINITY, (double)INFINITY, (double)INFINITY}, high[3] = {-(double)INFINITY, -(double)INFINITY, -(double)INFINITY};
    int axis = 0;
    tl_keyed *order = tl_alloc(s->matter.memory, (size_t)s->expects + 1, sizeof *order);
    if (!order) return tl_fail(error, TALUS_MEMORY, "no memory for solid '%s'", s->matter.name);
    for (int k = 0; k < s->expects; k++)
        for (int a = 0; a < 3; a++) low[a] = fmin(low[a], s->mesh.x[s->expected_node[k]][a]), high[a] = fmax(high[a], s->mesh.x[s->expected_node[k]][a]);
    for (int a = 1; a < 3; a++)
        if (high[a] - low[a] > high[axis] - low[axis]) axis = a;
    for (int k = 0; k < s->expects; k++) {
        const int node = s->expected_node[k];
        order[k] = (tl_keyed){(uint64_t)(1e9 * ((s->mesh.x[node][axis] - low[axis]) / fmax(high[axis] - low[axis], DBL_MIN))), node};
    }
    qsort(order, (size_t)s->expects, sizeof *order, tl_by_key);
    for (int k = 0; k < s->expects; k++) s->expected_node[k] = order[k].number;
    tl_free(s->matter.memory, order);
    return TALUS_OK;
}

/* ---- columns that are alike ------------------------------------------------------------------------------------------------------ */

/* In a wide box of particles what an impulse does at a node of a layer is what it does in the layer's middle, moved, but for what sides and turned particles
 * make of that: a solve that begins there ends soon. In the middle it is known whoever asks first, so that all columns depend on M̃ alone. */

enum { WIDE = 24 }; /* particles: of fewer the sides are near everywhere */

static void site_of(const tl_particle_box *b, int particle, int site[3])
{
    const int row = b->slot[particle] / b->lanes;
    site[0] = b->slot[particle] % b->lanes, site[1] = row % b->count[1], site[2] = row / b->count[1];
}

/* 1 + the node in the middle of those where contacts are expected, if they are a wide layer; else 0. */
static int find_middle(const tl_solid *s)
{
    const tl_particle_box *b = &s->particles->fields.box;
    int low[3] = {INT_MAX, INT_MAX, INT_MAX}, high[3] = {INT_MIN, INT_MIN, INT_MIN}, flat = 0, wide = 0, middle1 = 0;
    double least = (double)INFINITY;
    if (b->particles == 0) return 0;
    for (int k = 0; k < s->expects; k++) {
        int site[3];
        site_of(b, s->expected_node[k], site);
        for (int a = 0; a < 3; a++) low[a] = site[a] < low[a] ? site[a] : low[a], high[a] = site[a] > high[a] ? site[a] : high[a];
    }
    for (int a = 0; a < 3 && s->expects > 0; a++) flat += high[a] == low[a], wide += high[a] - low[a] + 1 >= WIDE;
    for (int k = 0; k < s->expects && flat == 1 && wide == 2; k++) {
        int site[3];
        double far = 0;
        site_of(b, s->expected_node[k], site);
        for (int a = 0; a < 3; a++) far += (site[a] - 0.5 * (low[a] + high[a])) * (site[a] - 0.5 * (low[a] + high[a]));
        if (far < least) least = far, middle1 = 1 + s->expected_node[k];
    }
    return middle1;
}

talus_status tl_solid_open_response(tl_solid *s, tl_error *error)
{
    const tl_memory memory = s->matter.memory;
    s->expected_node = tl_alloc(memory, (size_t)s->mesh.nodes + 1, sizeof *s->expected_node);
    for (int i = 0; i < s->mesh.nodes && s->expected_node; i++)
        if (s->expected[i]) s->expected_node[s->expects++] = i;
    const double unknowns = s->dimension * (double)s->expects;
    s->column = tl_alloc(memory, (size_t)s->expects + 1, sizeof *s->column);
    s->answer = tl_alloc(memory, (size_t)(s->dimension * s->expects) + 1, sizeof *s->answer);
    s->pushed = tl_alloc(memory, (size_t)(s->dimension * s->expects) + 1, sizeof *s->pushed);
    if (!s->expected_node || !s->column || !s->answer || !s->pushed) return tl_fail(error, TALUS_MEMORY, "no memory for solid '%s'", s->matter.name);
    if (s->most_kept == 0) s->most_kept = s->particles ? MOST : MOST_OF_FACTOR;
    s->whole = (double)sizeof(double) * unknowns * unknowns <= s->most_kept;
    if (s->particles && !s->whole) TL_TRY(order_nodes(s, error));
    s->middle1 = s->particles ? find_middle(s) : 0;
    s->alike = tl_alloc(memory, (s->middle1 > 0 ? 3 * (size_t)s->matter.nv : 0) + 1, sizeof *s->alike);
    if (!s->alike) return tl_fail(error, TALUS_MEMORY, "no memory for solid '%s'", s->matter.name);
    for (int i = 0; i < s->mesh.nodes; i++) s->expected_at[i] = -1;
    for (int k = 0; k < s->expects; k++) s->expected_at[s->expected_node[k]] = k;
    return TALUS_OK;
}

void tl_solid_limit_response(tl_matter *matter, double bytes) { ((tl_solid *)matter)->most_kept = bytes; }

/* A field moved by the way from one particle to another; 0 where it comes from outside, and where particles are held. */
static void move_field(const tl_solid *s, int from, int to, const double *u, double *out)
{
    const tl_particle_box *b = &s->particles->fields.box;
    int first[3], last[3];
    site_of(b, from, first), site_of(b, to, last);
    for (int i = 0; i < b->particles; i++) {
        int site[3];
        bool inside = true;
        site_of(b, i, site);
        for (int a = 0; a < 3; a++) site[a] += first[a] - last[a], inside = inside && site[a] >= 0 && site[a] < b->count[a];
        const int source = inside ? b->particle[(site[2] * b->count[1] + site[1]) * b->count[0] + site[0]] : 0;
        for (int a = 0; a < 3; a++) out[3 * i + a] = inside && !s->is_held[3 * i + a] ? u[3 * source + a] : 0;
    }
}

/* How a node by itself would answer to a unit impulse along an axis, at most. */
static double own_answer(const tl_solid *s, int node, int axis)
{
    double L[9], x[3] = {axis == 0, axis == 1, axis == 2};
    memcpy(L, s->mixed + 9 * (size_t)node, sizeof L);
    (void)tl_cholesky(L, 3); /* it was positive definite when M̃ was formed */
    tl_cholesky_solve(L, 3, x);
    return fmax(fabs(x[0]), fmax(fabs(x[1]), fabs(x[2])));
}

/* x ← what a unit impulse does, from where x is near that already. */
static void solve_on(const tl_solid *s, int node, int axis, double *x)
{
    const int nv = s->matter.nv, at = 3 * node + axis;
    double *left = s->work, most = 0;
    memset(left, 0, (size_t)nv * sizeof *left);
    tl_particles_add_product(s, x, left);
    for (int i = 0; i < nv; i++) left[i] = (i == at) - left[i], most = fmax(most, fabs(left[i]));
    if (!(most < 1)) {
        memset(x, 0, (size_t)nv * sizeof *x), memset(left, 0, (size_t)nv * sizeof *left);
        left[at] = 1;
    }
    tl_particles_solve(s, 0, CLOSE * own_answer(s, node, axis), left);
    for (int i = 0; i < nv; i++) x[i] += left[i];
}

static void solve_alike(tl_solid *s, int node, int axis, double *x)
{
    const int middle = s->middle1 - 1;
    double *known = s->alike + (size_t)axis * (size_t)s->matter.nv;
    if (!s->alike_known[axis]) {
        memset(known, 0, (size_t)s->matter.nv * sizeof *known);
        known[3 * middle + axis] = 1;
        tl_particles_solve(s, CLOSE, 0, known);
        s->alike_known[axis] = true;
    }
    move_field(s, middle, node, known, x);
    if (node != middle) solve_on(s, node, axis, x);
}

/* ---- columns --------------------------------------------------------------------------------------------------------------------- */

/* Of all axes of a node. */
static size_t size_of(const tl_solid *s, int begin, int end) { return (size_t)s->dimension * (size_t)(end - begin + TL_LANES); }

static double bytes_of(const tl_solid *s, const tl_solid_columns *c) { return (double)(size_of(s, c->begin, c->end) * sizeof *c->b); }

static void forget(tl_solid *s, tl_solid_columns *c)
{
    if (!c->b) return;
    s->kept -= bytes_of(s, c);
    tl_free(s->matter.memory, c->b);
    c->b = NULL;
}

void tl_solid_forget_response(tl_solid *s)
{
    for (int k = 0; k < s->expects; k++) forget(s, &s->column[k]);
    s->kept = 0;
    memset(s->alike_known, 0, sizeof s->alike_known);
}

/* That of an axis, from where unknowns are at `begin`. */
static inline double *along(const tl_solid_columns *c, int axis) { return c->b + (size_t)axis * (size_t)(c->end - c->begin + TL_LANES); }

static void find_column_of_particles(tl_solid *s, int node, int axis, double *b)
{
    const int d = tl_solid_axes(s);
    double *all = s->particles->unit;
    if (s->middle1 > 0 && !s->is_held[d * (s->middle1 - 1) + axis]) solve_alike(s, node, axis, all);
    else {
        memset(all, 0, (size_t)s->matter.nv * sizeof *all);
        all[d * node + axis] = 1;
        tl_particles_solve(s, CLOSE, 0, all);
    }
    for (int k = 0; k < s->expects; k++)
        for (int a = 0; a < d; a++) b[d * k + a] = all[d * s->expected_node[k] + a];
}

enum { AT_ONCE = 8 }; /* nodes whose columns are found by one passage through the factor */

typedef struct columns_job {
    tl_solid *s;
    const int *at; /* expected nodes */
    int count;
    double (*room)[TL_FACTOR_FOUR]; /* [workers][AT_ONCE][unknowns] columns of a node side by side */
} columns_job;

/* Of some nodes of a solid with a factor, whose room is there. */
static void find_columns_range(void *context, int begin, int end, int worker)
{
    const columns_job *j = context;
    const tl_solid *s = j->s;
    const int d = tl_solid_axes(s), unknowns = d * s->expects;
    double(*b)[TL_FACTOR_FOUR] = j->room + (size_t)worker * AT_ONCE * (size_t)unknowns;
    for (int first = AT_ONCE * begin; first < AT_ONCE * end && first < j->count; first += AT_ONCE) {
        const int nodes = j->count - first < AT_ONCE ? j->count - first : AT_ONCE;
        memset(b, 0, (size_t)nodes * (size_t)unknowns * sizeof *b);
        for (int i = 0; i < nodes; i++)
            for (int a = 0; a < d; a++) {
                const int own = d * j->at[first + i] + a;
                if (!s->is_held[d * s->expected_node[j->at[first + i]] + a]) b[(size_t)i * (size_t)unknowns + (size_t)own][a] = 1;
            }
        tl_factor_solve_last(s->factor, b, nodes);
        for (int i = 0; i < nodes; i++)
            for (int a = 0; a < d; a++) {
                double *out = along(&s->column[j->at[first + i]], a);
                for (int k = 0; k < unknowns; k++) out[k] = b[(size_t)i * (size_t)unknowns + (size_t)k][a];
            }
    }
}

static double apart(const tl_solid *s, int node, int other) { return tl_norm(tl_sub(tl_load3(s->mesh.x[other]), tl_load3(s->mesh.x[node]))); }

/* What impulses along all axes of a node do at another, that are whole yet. */
static double effect(const tl_solid *s, int at, int place)
{
    const int d = tl_solid_axes(s);
    double size = 0;
    for (int a = 0; a < d; a++)
        for (int b = 0; b < d; b++) size += fabs(along(&s->column[at], a)[d * place + b]);
    return size;
}

enum { RINGS = 256 };

/* How far from a node its columns, without those of its own rows, add up to `share` of these: in rings about it. */
static double reach_of(const tl_solid *s, int at, double share)
{
    const int node = s->expected_node[at];
    double ring[RINGS] = {0}, farthest = 0, beyond = 0;
    for (int k = 0; k < s->expects; k++) farthest = tl_larger(farthest, apart(s, node, s->expected_node[k]));
    for (int k = 0; k < s->expects; k++)
        if (k != at) ring[(int)tl_smaller(RINGS - 1, RINGS * (apart(s, node, s->expected_node[k]) / farthest))] += effect(s, at, k);
    int k = RINGS;
    while (k > 0 && beyond + ring[k - 1] <= share * effect(s, at, at)) beyond += ring[--k];
    return k == RINGS ? (double)INFINITY : k * farthest / RINGS;
}

/* Both ends of a node's columns go where all that they tell adds up to less than what a solve leaves. */
static talus_status cut_ends(tl_solid *s, int at, tl_error *error)
{
    const int d = tl_solid_axes(s);
    tl_solid_columns *c = &s->column[at], cut = *c;
    const double least = 0.5 * CLOSE * effect(s, at, at);
    int first = 0, past = s->expects;
    for (double sum = 0; first < at && (sum += effect(s, at, first)) <= least;) first++;
    for (double sum = 0; past > at + 1 && (sum += effect(s, at, past - 1)) <= least;) past--;
    cut.begin = d * first, cut.end = d * past;
    cut.b = tl_alloc(s->matter.memory, size_of(s, cut.begin, cut.end), sizeof *cut.b);
    if (!cut.b) return tl_fail(error, TALUS_MEMORY, "no memory for what contacts see of solid '%s'", s->matter.name);
    for (int a = 0; a < d; a++) memcpy(along(&cut, a), along(c, a) + cut.begin, (size_t)(cut.end - cut.begin) * sizeof *cut.b);
    tl_free(s->matter.memory, c->b);
    *c = cut;
    return TALUS_OK;
}

/* Is there room for columns of a node that this step has not asked for yet? It hangs on those that it has, whether any were there before or not, so that a
 * restart finds the same. Others make room if they must: those that the step does not want, then those that it has not come to. */
static bool find_room(tl_solid *s, int at)
{
    const double next = (double)(size_of(s, 0, s->dimension * s->expects) * sizeof(double));
    if (s->whole) return true;
    if (s->asked_kept + next > s->most_kept) return false;
    for (int turn = 0; turn < 2 && !s->column[at].b && s->kept + next > s->most_kept; turn++)
        for (int k = 0; k < s->expects; k++)
            if ((turn == 0 ? s->column[k].wanted : s->column[k].asked) != s->steps) forget(s, &s->column[k]);
    return true;
}

static talus_status make_columns(tl_solid *s, tl_step *step, const int *at, int count, double share)
{
    const int d = tl_solid_axes(s), unknowns = d * s->expects, parts = (count + AT_ONCE - 1) / AT_ONCE;
    const size_t workers = step->threads ? (size_t)tl_threads_count(step->threads) : 1;
    const tl_arena_place mark = tl_arena_mark(step->arena);
    columns_job job = {s, at, count, tl_arena_alloc(step->arena, s->particles ? 1 : workers * AT_ONCE * (size_t)unknowns, sizeof *job.room)};
    bool room = job.room;
    for (int i = 0; room && i < count; i++) {
        tl_solid_columns *c = &s->column[at[i]];
        *c = (tl_solid_columns){.end = unknowns, .wanted = c->wanted, .asked = c->asked};
        c->b = tl_alloc(s->matter.memory, size_of(s, c->begin, c->end), sizeof *c->b);
        room = c->b;
    }
    if (!room) return tl_fail(step->error, TALUS_MEMORY, "no memory for what contacts see of solid '%s'", s->matter.name);
    for (int i = 0; s->particles && i < count; i++)
        for (int a = 0; a < d; a++)
            if (!s->is_held[d * s->expected_node[at[i]] + a]) find_column_of_particles(s, s->expected_node[at[i]], a, along(&s->column[at[i]], a));
    if (!s->particles) tl_parallel_for(step->threads, parts, 1, find_columns_range, &job);
    tl_arena_release(step->arena, mark);
    for (int i = 0; i < count; i++) {
        s->column[at[i]].reach = reach_of(s, at[i], share);
        if (!s->whole) TL_TRY(cut_ends(s, at[i], step->error));
        s->kept += bytes_of(s, &s->column[at[i]]);
    }
    return TALUS_OK;
}

/* Where there is room for all, those that the step wants and that are not there are made together. */
static talus_status make_wanted(tl_solid *s, tl_step *step, double share)
{
    int *missing = tl_arena_alloc(step->arena, (size_t)s->expects + 1, sizeof *missing), count = 0;
    if (!missing) return tl_fail(step->error, TALUS_MEMORY, "no memory for what contacts see of solid '%s'", s->matter.name);
    for (int k = 0; k < s->expects; k++)
        if (s->column[k].wanted == s->steps && !s->column[k].b) missing[count++] = k;
    return count > 0 ? make_columns(s, step, missing, count, share) : TALUS_OK;
}

talus_status tl_solid_reach(tl_matter *matter, tl_step *step, const tl_ports *ports, double share, double *reach)
{
    tl_solid *s = (tl_solid *)matter;
    double most = 0;
    *reach = -1;
    if (!tl_solid_are_same(&s->scales, &s->responded)) tl_solid_forget_response(s);
    s->responded = s->scales;
    for (int i = 0; i < ports->count; i++)
        for (int k = 0; k < s->rows[ports->port[i].slot].nodes; k++) {
            const int at = s->expected_at[s->rows[ports->port[i].slot].node[k]];
            if (at < 0) return TALUS_OK;
            s->column[at].wanted = s->steps;
        }
    if (s->whole) TL_TRY(make_wanted(s, step, share));
    for (int i = 0; i < ports->count; i++) {
        const tl_solid_row *r = &s->rows[ports->port[i].slot];
        for (int k = 0; k < r->nodes; k++) {
            const int at = s->expected_at[r->node[k]];
            tl_solid_columns *c = &s->column[at];
            if (c->asked != s->steps && !find_room(s, at)) return TALUS_OK;
            if (!c->b) TL_TRY(make_columns(s, step, &at, 1, share));
            if (c->asked != s->steps) s->asked_kept += bytes_of(s, c);
            c->asked = s->steps;
            most = tl_larger(most, c->reach);
        }
    }
    *reach = most;
    return TALUS_OK;
}

/* ---- what ports see -------------------------------------------------------------------------------------------------------------- */

/* What impulses along the world's axes a at one port do along the world's axes at another, B[a]: nodes by nodes. A column is read by lanes, of which the
 * last belong to the next node or to no one. */
static void between(const tl_solid *s, const tl_solid_row *from, const tl_solid_row *to, tl_lanes B[3])
{
    const int d = tl_solid_axes(s);
    for (int a = 0; a < d; a++) B[a] = (tl_lanes){0, 0, 0, 0};
    for (int k = 0; k < from->nodes; k++) {
        const tl_solid_columns *c = &s->column[s->expected_at[from->node[k]]];
        for (int l = 0; l < to->nodes; l++) {
            const double weight = from->weight[k] * to->weight[l];
            const int at = d * s->expected_at[to->node[l]];
            if (at < c->begin || at >= c->end) continue;
            for (int a = 0; a < d; a++) {
                tl_lanes b;
                memcpy(&b, along(c, a) + (at - c->begin), sizeof b);
                B[a] += weight * b;
            }
        }
    }
}

void tl_solid_response(const tl_matter *matter, const tl_port *from, const tl_port *to, double C[3][3])
{
    const tl_solid *s = (const tl_solid *)matter;
    const int d = tl_solid_axes(s);
    tl_lanes B[3];
    between(s, &s->rows[from->slot], &s->rows[to->slot], B);
    for (int axis = 0; axis < d; axis++) {
        tl_lanes V = from->axes[axis][0] * B[0] + from->axes[axis][1] * B[1];
        if (d == 3) V += from->axes[axis][2] * B[2];
        for (int i = 0; i < d; i++) {
            C[i][axis] = to->axes[i][0] * V[0] + to->axes[i][1] * V[1];
            if (d == 3) C[i][axis] += to->axes[i][2] * V[2];
        }
    }
}

int tl_solid_carriers(const tl_matter *matter, const tl_port *port, int *node, double *weight)
{
    const tl_solid_row *r = &((const tl_solid *)matter)->rows[port->slot];
    memcpy(node, r->node, (size_t)r->nodes * sizeof *node);
    memcpy(weight, r->weight, (size_t)r->nodes * sizeof *weight);
    return r->nodes;
}

void tl_solid_node_response(const tl_matter *matter, int from, int to, double C[3][3])
{
    const tl_solid *s = (const tl_solid *)matter;
    const tl_solid_columns *c = &s->column[s->expected_at[from]];
    const int d = tl_solid_axes(s), at = d * s->expected_at[to];
    for (int axis = 0; axis < d; axis++)
        for (int i = 0; i < d; i++) C[i][axis] = at < c->begin || at >= c->end ? 0 : along(c, axis)[at - c->begin + i];
}

typedef struct answer_job {
    const tl_solid *s;
    const double *b; /* [dimension × expects] */
} answer_job;

/* M̃⁻¹ b in unknowns of the nodes where contacts are expected, from begin to end: the columns of those that are pushed. */
static void answer_range(void *context, int begin, int end, int worker)
{
    enum { TOGETHER = 4 };
    const answer_job *j = context;
    const int d = tl_solid_axes(j->s), n = d * j->s->expects;
    const double *a[TOGETHER];
    double x[TOGETHER], *out = j->s->answer + begin;
    int count = 0;
    (void)worker;
    memset(out, 0, (size_t)(end - begin) * sizeof *out);
    for (int k = 0; k < n; k++) {
        if (j->b[k] != 0) a[count] = along(&j->s->column[k / d], k % d) + begin, x[count++] = j->b[k];
        if (count == 0 || (count < TOGETHER && k < n - 1)) continue;
        for (; count < TOGETHER; count++) a[count] = a[0], x[count] = 0;
        tl_add_rows(a, x, end - begin, out);
        count = 0;
    }
}

/* The same at nodes of ports alone. */
static void answer_ports(const tl_solid *s, const tl_ports *ports, const double *b)
{
    const int d = tl_solid_axes(s);
    double *out = s->answer;
    int pushes = 0;
    for (int k = 0; k < d * s->expects; k++) {
        out[k] = (double)NAN; /* not known yet */
        if (b[k] != 0) s->pushed[pushes++] = k;
    }
    for (int i = 0; i < ports->count; i++) {
        const tl_solid_row *r = &s->rows[ports->port[i].slot];
        for (int k = 0; k < r->nodes; k++) {
            const int at = d * s->expected_at[r->node[k]];
            double sum[3] = {0, 0, 0};
            if (!isnan(out[at])) continue;
            for (int p = 0; p < pushes; p++) {
                const tl_solid_columns *c = &s->column[s->pushed[p] / d];
                if (at < c->begin || at >= c->end) continue;
                const double *from = along(c, s->pushed[p] % d) + (at - c->begin);
                for (int a = 0; a < d; a++) sum[a] += from[a] * b[s->pushed[p]];
            }
            memcpy(out + at, sum, (size_t)d * sizeof *out);
        }
    }
}

static const double *answer(const tl_solid *s, const tl_ports *ports, const double *b)
{
    enum { WORTH = 256 }; /* unknowns: their columns are some tens of microseconds */
    answer_job j = {s, b};
    if (s->whole) tl_parallel_for(s->threads, tl_solid_axes(s) * s->expects, WORTH, answer_range, &j);
    else answer_ports(s, ports, b);
    return s->answer;
}

void tl_solid_exchange(const tl_matter *matter, const tl_ports *ports, const double (*I)[3], double (*V)[3])
{
    const tl_solid *s = (const tl_solid *)matter;
    const int d = tl_solid_axes(s);
    double *b = s->work;
    memset(b, 0, (size_t)(d * s->expects) * sizeof *b);
    for (int i = 0; i < ports->count; i++) {
        const tl_port *port = &ports->port[i];
        const tl_solid_row *r = &s->rows[port->slot];
        if (!(I[i][0] != 0 || I[i][1] != 0 || I[i][2] != 0)) continue;
        for (int a = 0; a < d; a++) {
            double push = 0;
            for (int axis = 0; axis < d; axis++) push += port->axes[axis][a] * I[i][axis];
            for (int k = 0; k < r->nodes; k++)
                if (!s->is_held[d * r->node[k] + a]) b[d * s->expected_at[r->node[k]] + a] += r->weight[k] * push;
        }
    }
    const double *u = answer(s, ports, b);
    for (int i = 0; i < ports->count; i++) {
        const tl_port *port = &ports->port[i];
        const tl_solid_row *r = &s->rows[port->slot];
        double sum[3] = {0, 0, 0};
        for (int k = 0; k < r->nodes; k++)
            for (int a = 0; a < d; a++) sum[a] += r->weight[k] * u[d * s->expected_at[r->node[k]] + a];
        for (int axis = 0; axis < d; axis++) V[i][axis] = port->axes[axis][0] * sum[0] + port->axes[axis][1] * sum[1] + port->axes[axis][2] * sum[2];
    }
}
