/* From joints, contacts and drives to the rows of a cluster, and C (cluster.h). */
#include "solve/cluster_internal.h"

#include <math.h>
#include <string.h>

#include "base/products.h"

enum { MOST = 4500 }; /* rows of joints, contacts and drives together: 162 MB */

/* ---- members ---------------------------------------------------------------------------------------------------------------- */

static void add_member(tl_cluster *c, const tl_constraint *of, tl_member m)
{
    m.block = (tl_block){.of = of, .rows = of->rows};
    m.number = m.joint ? c->held : c->rows;
    *(m.joint ? &c->held : &c->rows) += of->rows;
    c->member[c->count++] = m;
}

/* The end of a coupled contact as a constraint, whose rows are the contact's axes. */
static const tl_constraint *end_of(const tl_problem *p, const tl_coupled *k, int side, tl_constraint *out, tl_grip *grip)
{
    const tl_contact *c = &p->contact[k->contact];
    const tl_place end = side ? c->b : c->a;
    *grip = (tl_grip){.matter = end.matter, .item = end.item, .at = tl_contact_at(c, side, p->cell), .arm = c->arm[side]};
    for (int r = 0; r < p->ops->axes; r++) grip->row[r].force = k->axis[r];
    *out = (tl_constraint){.rows = p->ops->axes, .grips = 1, .grip = grip, .set = &TL_FRICTION_CONE};
    return out;
}

/* Constraints before ends of contacts, the joints last: so rows of constraints lie at the beginning of those that sweeps see. */
static talus_status list_members(tl_problem *p, tl_cluster *c, tl_step *step)
{
    const tl_grain_rows *grains = &p->blocks->grains;
    int ends = 0, count = 0;
    c->member_of = tl_arena_zero(step->arena, (size_t)p->every_count + 1, sizeof *c->member_of);
    for (int i = 0; i < p->coupleds; i++)
        for (int side = 0; side < 2; side++) ends += p->coupled[i].in_cluster[side] && p->coupled[i].matter[side] == c->lead;
    c->member = tl_arena_zero(step->arena, (size_t)(p->every_count + ends) + 1, sizeof *c->member);
    c->end = tl_arena_zero(step->arena, (size_t)ends + 1, sizeof *c->end);
    tl_grip *grip = tl_arena_zero(step->arena, (size_t)ends + 1, sizeof *grip);
    if (!c->member_of || !c->member || !c->end || !grip) return tl_cluster_no_memory(step);
    for (int joints = 0; joints < 2; joints++) {
        for (int i = 0; i < p->every_count; i++) {
            const tl_constraint *k = &p->every[i];
            bool here = false;
            for (int g = 0; g < k->grips; g++) here |= tl_clusters_lead(p->clusters, grains, (tl_place){k->grip[g].matter, k->grip[g].item}) == c->lead;
            if (!here || (k->set == &TL_WHOLE_SPACE) != (joints == 1)) continue;
            add_member(c, k, (tl_member){.joint = joints == 1, .at = i});
            c->member_of[i] = c->count;
        }
        for (int i = 0; joints == 0 && i < p->coupleds; i++)
            for (int side = 0; side < 2; side++) {
                if (!p->coupled[i].in_cluster[side] || p->coupled[i].matter[side] != c->lead) continue;
                add_member(c, end_of(p, &p->coupled[i], side, &c->end[count], &grip[count]), (tl_member){.of_contact = true, .at = i, .side = side});
                count++;
            }
    }
    return TALUS_OK;
}

/* Rows at matter that says none: those with a force, in the plane one along it. */
static talus_status list_port(const tl_problem *p, tl_cluster *c, int at, const tl_grip *g, const tl_step *step)
{
    const tl_block *k = &c->member[at].block;
    const tl_matter *m = p->given.of[g->matter];
    const bool planar = p->ops->axes == 2;
    tl_large_port *port = NULL;
    for (int r = 0; r < k->rows; r++) {
        const tl_wrench *w = &g->row[r];
        if (planar ? w->moment.z != 0 : tl_dot(w->moment, w->moment) > 0)
            return tl_fail(step->error, TALUS_UNSUPPORTED, "matter '%s' takes no moments of joints, drives and contacts: its points do not turn", m->ops->kind);
        if (w->force.x == 0 && w->force.y == 0 && (planar || w->force.z == 0)) continue;
        if (!port || port->rows == p->ops->axes) {
            port = &c->port[c->ports++];
            *port = (tl_large_port){.block = at, .matter = g->matter, .port = {.item = g->item}};
            tl_store3(port->port.x, g->at);
        }
        tl_store3(port->port.axes[port->rows], w->force);
        port->row[port->rows++] = r;
    }
    return TALUS_OK;
}

static talus_status bind_members(tl_problem *p, tl_cluster *c, tl_step *step)
{
    const tl_velocities v = {p->grain, p->given.v_of};
    tl_blocks *own = &c->own;
    int grips = 0;
    for (int i = 0; i < c->count; i++) grips += c->member[i].block.of->grips;
    *own = (tl_blocks){.grains = p->blocks->grains, .matter = p->given.of, .matters = p->matters, .h = p->h};
    own->block = tl_arena_zero(step->arena, (size_t)c->count + 1, sizeof *own->block);
    own->end = tl_arena_zero(step->arena, (size_t)grips + 1, sizeof *own->end); /* room for all: none of them grows */
    own->port = tl_arena_zero(step->arena, 2 * (size_t)grips + 1, sizeof *own->port);
    c->port = tl_arena_zero(step->arena, TL_CLUSTER_PORT_ROWS * (size_t)grips + 1, sizeof *c->port);
    if (!own->block || !own->end || !own->port || !c->port) return tl_cluster_no_memory(step);
    for (int i = 0; i < c->count; i++) {
        tl_member *m = &c->member[i];
        tl_block *k = &own->block[i];
        *k = m->block;
        k->first = own->ends;
        own->count++;
        for (int e = 0; e < k->of->grips; e++) {
            const tl_grip *g = &k->of->grip[e];
            if (!m->joint && tl_clusters_lead(p->clusters, &own->grains, (tl_place){g->matter, g->item}) != c->lead) continue;
            if (g->matter == 0) TL_TRY(tl_block_bind_grain(own, k, g, &m->binding, step));
            else if (p->given.of[g->matter]->ops->rows) TL_TRY(tl_block_bind_matter(own, k, g, &v, &m->binding, step));
            else TL_TRY(list_port(p, c, i, g, step));
        }
    }
    for (int i = 0; i < own->ports; i++) { /* what reads a contact's own port finds its rows */
        const tl_member *m = &c->member[own->port[i].block];
        if (m->of_contact) p->coupled[m->at].port[m->side] = own->port[i].port;
    }
    for (int i = 0; i < c->count; i++)
        if (c->member[i].of_contact) p->coupled[c->member[i].at].port[c->member[i].side].number = c->member[i].number;
    return TALUS_OK;
}

/* ---- the operator ----------------------------------------------------------------------------------------------------------- */

/* Of all rows of a cluster, the joints' first: [held + rows]², of which what is on and below the diagonal counts. */
typedef struct square {
    int n;
    double *a;
} square;

static int place_of(const tl_cluster *c, const tl_member *m) { return m->joint ? m->number : c->held + m->number; }

/* H_aᵀ Y_b of two ends at one body. */
static void add_product(const tl_cluster *c, int a, int b, const tl_block_end *at, const tl_block_end *by, square *s)
{
    const int row = place_of(c, &c->member[a]), column = place_of(c, &c->member[b]);
    for (int r = 0; r < c->member[a].block.rows; r++)
        for (int q = 0; q < c->member[b].block.rows; q++) {
            double sum = 0;
            if (column + q > row + r) continue;
            for (int i = 0; i < at->size; i++) sum += at->H[r * at->size + i] * by->Y[q * by->size + i];
            s->a[(size_t)(row + r) * (size_t)s->n + (size_t)(column + q)] += sum;
        }
}

/* Ends by their groups: next[end] is the one before of the same group, last[group] the first to look at. */
static talus_status add_small(const tl_problem *p, const tl_cluster *c, square *s, tl_step *step)
{
    const tl_blocks *own = &c->own;
    const int groups = p->bodies + p->matters;
    int *last = tl_arena_alloc(step->arena, (size_t)groups + 1, sizeof *last), *next = tl_arena_alloc(step->arena, (size_t)own->ends + 1, sizeof *next),
        *owner = tl_arena_alloc(step->arena, (size_t)own->ends + 1, sizeof *owner);
    if (!last || !next || !owner) return tl_cluster_no_memory(step);
    for (int g = 0; g < groups; g++) last[g] = -1;
    for (int i = 0; i < c->count; i++)
        for (int e = own->block[i].first; e < own->block[i].first + own->block[i].ends; e++) {
            owner[e] = i;
            next[e] = last[own->end[e].group];
            last[own->end[e].group] = e;
            for (int f = e; f >= 0; f = next[f]) {
                add_product(c, owner[e], owner[f], &own->end[e], &own->end[f], s);
                if (owner[f] != owner[e]) add_product(c, owner[f], owner[e], &own->end[f], &own->end[e], s);
            }
        }
    return TALUS_OK;
}

/* Ports of one solid are bound together, and what they do to each other added. */
static talus_status add_large(tl_problem *p, tl_cluster *c, int matter, square *s, tl_step *step)
{
    tl_matter *m = p->given.of[matter];
    const int axes = p->ops->axes;
    int n = 0;
    tl_port *port = tl_arena_alloc(step->arena, (size_t)c->ports + 1, sizeof *port);
    int *number = tl_arena_alloc(step->arena, (size_t)c->ports + 1, sizeof *number);
    if (!port || !number) return tl_cluster_no_memory(step);
    for (int i = 0; i < c->ports; i++)
        if (c->port[i].matter == matter) number[n] = i, port[n++] = c->port[i].port;
    if (n == 0) return TALUS_OK;
    TL_TRY(m->ops->bind(m, step, port, n));
    for (int i = 0; i < n; i++) {
        tl_large_port *own = &c->port[number[i]];
        tl_member *of = &c->member[own->block];
        double moving[3] = {0}, still[3] = {0}, before[3] = {0};
        own->port = port[i];
        if (of->of_contact) own->port.number = of->number, p->coupled[of->at].port[of->side] = own->port;
        m->ops->velocity(m, &port[i], p->given.v_of[matter], true, moving);
        m->ops->velocity(m, &port[i], p->given.v_of[matter], false, still);
        m->ops->velocity_before(m, &port[i], before);
        for (int k = 0; k < own->rows; k++) of->binding.imposed[own->row[k]] += moving[k] - still[k], of->binding.before[own->row[k]] += before[k];
    }
    const tl_arena_place mark = tl_arena_mark(step->arena);
    const size_t numbers = (size_t)axes * (size_t)n;
    double *C = tl_arena_alloc(step->arena, numbers * numbers, sizeof *C);
    if (!C) return tl_cluster_no_memory(step);
    TL_TRY(tl_matter_response(m, &(tl_ports){port, n, axes}, C, step));
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            const tl_large_port *a = &c->port[number[i]], *b = &c->port[number[j]];
            const int row = place_of(c, &c->member[a->block]), column = place_of(c, &c->member[b->block]);
            for (int k = 0; k < a->rows; k++)
                for (int q = 0; q < b->rows; q++)
                    if (column + b->row[q] <= row + a->row[k])
                        s->a[(size_t)(row + a->row[k]) * (size_t)s->n + (size_t)(column + b->row[q])] +=
                            C[(size_t)(axes * i + k) * numbers + (size_t)(axes * j + q)];
        }
    tl_arena_release(step->arena, mark);
    return TALUS_OK;
}

typedef struct condense_job {
    const tl_cluster *c;
    const square *s;
} condense_job;

/* Rows that sweeps see, by what joints answer to them. */
static void answer_rows(void *context, int begin, int end, int worker)
{
    const condense_job *j = context;
    const tl_cluster *c = j->c;
    (void)worker;
    for (int r = begin; r < end; r++) {
        const double *from = j->s->a + (size_t)(c->held + r) * (size_t)j->s->n;
        double *x = c->X + (size_t)r * (size_t)c->held;
        for (int i = 0; i < c->held; i++) x[i] = c->scale[i] * from[i];
        tl_cluster_substitute(c->factor->L, c->held, c->held, x);
    }
}

static void subtract_answers(void *context, int begin, int end, int worker)
{
    const condense_job *j = context;
    const tl_cluster *c = j->c;
    (void)worker;
    for (int r = begin; r < end; r++) {
        const double *own = c->X + (size_t)r * (size_t)c->held, *from = j->s->a + (size_t)(c->held + r) * (size_t)j->s->n + c->held;
        double *out = c->C + (size_t)r * (size_t)c->rows;
        for (int q = 0; q <= r; q += 4) {
            double sum[4] = {0, 0, 0, 0};
            const double *row[4];
            for (int k = 0; k < 4; k++) row[k] = c->X + (size_t)(q + k <= r ? q + k : q) * (size_t)c->held;
            tl_add_products(row, own, c->held, sum);
            for (int k = 0; k < 4 && q + k <= r; k++) out[q + k] = from[q + k] - sum[k];
        }
    }
}

static talus_status reduce(tl_problem *p, tl_cluster *c, const square *s, tl_step *step)
{
    const size_t held = (size_t)c->held, rows = (size_t)c->rows;
    const tl_arena_place mark = tl_arena_mark(step->arena);
    double *A = tl_arena_alloc(step->arena, held * held + 1, sizeof *A);
    if (!A) return tl_cluster_no_memory(step);
    for (int i = 0; i < c->held; i++) {
        const double own = s->a[(size_t)i * (size_t)s->n + (size_t)i];
        c->scale[i] = own > 0 ? 1 / sqrt(own) : 0;
    }
    for (size_t i = 0; i < held; i++)
        for (size_t j = 0; j < held; j++) {
            const double own = s->a[(i > j ? i : j) * (size_t)s->n + (i > j ? j : i)];
            A[i * held + j] = i == j ? 1 : c->scale[i] * own * c->scale[j];
        }
    TL_TRY(tl_cluster_find_factor(p, c, A, step));
    tl_arena_release(step->arena, mark);
    condense_job j = {c, s};
    tl_parallel_for(step->threads, c->rows, 4, answer_rows, &j);
    tl_parallel_for(step->threads, c->rows, 4, subtract_answers, &j);
    for (size_t r = 0; r < rows; r++)
        for (size_t q = r + 1; q < rows; q++) c->C[r * rows + q] = c->C[q * rows + r];
    return TALUS_OK;
}

/* Joints' shifts, and what they give (block.h). */
static talus_status bind_joints(tl_cluster *c, const square *s, tl_step *step)
{
    const tl_velocities none = {NULL, NULL};
    for (int i = 0; i < c->count; i++) {
        const tl_member *m = &c->member[i];
        tl_block *k = &c->own.block[i];
        if (!m->joint) continue;
        tl_constraint quiet = *k->of; /* velocities of rows are read when bodies have them */
        quiet.V = NULL;
        k->W = tl_arena_zero(step->arena, (size_t)(k->rows * k->rows) + 1, sizeof *k->W);
        if (!k->W) return tl_cluster_no_memory(step);
        for (int r = 0; r < k->rows; r++) k->W[r * k->rows + r] = s->a[(size_t)(m->number + r) * (size_t)(s->n + 1)];
        const tl_constraint *of = k->of;
        const int ends = k->ends;
        k->of = &quiet, k->ends = 0;
        tl_block_bind_law(&c->own, k, &m->binding, &none, step);
        k->of = of, k->ends = ends;
        for (int r = 0; r < k->rows; r++) s->a[(size_t)(m->number + r) * (size_t)(s->n + 1)] = k->W[r * k->rows + r];
    }
    return TALUS_OK;
}

static talus_status make_room(const tl_problem *p, tl_cluster *c, tl_step *step)
{
    const size_t held = (size_t)c->held + 1, rows = (size_t)c->rows + 1, groups = (size_t)(p->bodies + p->matters);
    double **const arrays[] = {&c->scale, &c->ask, &c->answer, &c->base};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        if (!(*arrays[i] = tl_arena_zero(step->arena, held, sizeof(double)))) return tl_cluster_no_memory(step);
    c->X = tl_arena_alloc(step->arena, held * rows, sizeof *c->X);
    c->C = tl_arena_alloc(step->arena, rows * rows, sizeof *c->C);
    c->I = tl_arena_zero(step->arena, rows, sizeof *c->I);
    c->given = tl_arena_zero(step->arena, groups, sizeof *c->given);
    c->impulse = tl_arena_zero(step->arena, (size_t)c->ports + 1, sizeof *c->impulse);
    c->together = tl_arena_alloc(step->arena, (size_t)c->ports + 1, sizeof *c->together);
    if (!c->X || !c->C || !c->I || !c->given || !c->impulse || !c->together) return tl_cluster_no_memory(step);
    for (int g = 0; g < p->bodies + p->matters; g++) {
        if (p->clusters->lead[g] != c->lead) continue;
        const int size = g < p->bodies ? p->ops->grain.stride : p->given.of[g - p->bodies]->nv;
        if (!(c->given[g] = tl_arena_alloc(step->arena, (size_t)size + 1, sizeof **c->given))) return tl_cluster_no_memory(step);
    }
    return TALUS_OK;
}

static talus_status bind_cluster(tl_problem *p, tl_cluster *c, tl_step *step)
{
    TL_TRY(list_members(p, c, step));
    const int n = c->held + c->rows;
    if (n > MOST)
        return tl_fail(step->error, TALUS_UNSUPPORTED, "solid '%s' and what is joined to it have %d rows of joints and contacts; at most %d can be solved for",
                       p->given.of[c->lead]->name, n, MOST);
    TL_TRY(bind_members(p, c, step));
    TL_TRY(make_room(p, c, step));
    square s = {n, tl_arena_zero(step->arena, (size_t)n * (size_t)n + 1, sizeof(double))};
    if (!s.a) return tl_cluster_no_memory(step);
    for (int m = 1; m < p->matters; m++) TL_TRY(add_large(p, c, m, &s, step));
    TL_TRY(add_small(p, c, &s, step));
    TL_TRY(bind_joints(c, &s, step));
    TL_TRY(reduce(p, c, &s, step));
    int constraints = 0;
    while (constraints < c->count && !c->member[constraints].joint && !c->member[constraints].of_contact) constraints++;
    const int always = constraints > 0 ? c->member[constraints - 1].number + c->member[constraints - 1].block.rows : 0;
    return tl_condense_rows(&p->given, c->lead, &(tl_condensed_rows){c->C, c->rows, p->ops->axes, always}, step);
}

talus_status tl_clusters_bind(tl_problem *p, tl_step *step)
{
    for (int i = 0; p->clusters && i < p->clusters->count; i++) TL_TRY(bind_cluster(p, &p->clusters->cluster[i], step));
    return TALUS_OK;
}
