/* Large matter with all that joints hold to it: which bodies, and what sweeps ask (cluster.h). */
#include "solve/cluster_internal.h"

#include <math.h>
#include <string.h>

enum { NOWHERE = -1 };

/* ---- which bodies ----------------------------------------------------------------------------------------------------------- */

int tl_clusters_lead(const tl_clusters *c, const tl_grain_rows *grains, tl_place end)
{
    if (!c) return 0;
    if (end.matter != 0) return c->lead[grains->bodies + end.matter];
    return grains->moves[end.item] ? c->lead[end.item] : 0;
}

bool tl_clusters_hold(const tl_clusters *c, const tl_grain_rows *grains, const tl_constraint *k)
{
    for (int g = 0; c && g < k->grips; g++)
        if (tl_clusters_lead(c, grains, (tl_place){k->grip[g].matter, k->grip[g].item}) > 0) return true;
    return false;
}

bool tl_clusters_say(const tl_clusters *all, int c, int constraint, tl_cluster_rows *out)
{
    if (!all || c >= all->count) return false;
    const tl_cluster *k = &all->cluster[c];
    const int at = k->member_of[constraint] - 1;
    *out = (tl_cluster_rows){k->lead, k->rows, at < 0 ? NOWHERE : k->member[at].number, k->C, at < 0 ? NULL : &k->member[at].binding};
    return true;
}

const tl_block *tl_clusters_block(const tl_clusters *all, int constraint)
{
    for (int i = 0; all && i < all->count; i++) {
        const int at = all->cluster[i].member_of[constraint] - 1;
        if (at >= 0 && all->cluster[i].member[at].joint) return &all->cluster[i].own.block[at];
    }
    return NULL;
}

void tl_clusters_column(const tl_clusters *all, const int *constraint, int n, int k, double *out)
{
    for (int i = 0; all && i < all->count; i++) {
        const tl_cluster *c = &all->cluster[i];
        const int at = c->member_of[constraint[k]] - 1;
        double *x = c->ask; /* free between solves */
        if (at < 0 || !c->member[at].joint) continue;
        memset(x, 0, (size_t)c->held * sizeof *x);
        x[c->member[at].number] = c->scale[c->member[at].number];
        tl_cluster_substitute(c->factor->L, c->held, c->held, x);
        tl_cluster_substitute_back(c->factor->L, c->held, x);
        for (int j = 0; j < n; j++) {
            const int other = c->member_of[constraint[j]] - 1;
            if (other >= 0 && c->member[other].joint) out[j] = c->scale[c->member[other].number] * x[c->member[other].number];
        }
    }
}

static bool is_large(const tl_problem *p, int group) { return group > p->bodies && !p->given.of[group - p->bodies]->ops->rows; }

talus_status tl_clusters_find(tl_problem *p, tl_step *step)
{
    const int groups = p->bodies + p->matters;
    bool any = false;
    p->clusters = NULL;
    for (int m = 1; m < p->matters; m++) any |= is_large(p, p->bodies + m);
    if (!any || !p->blocks || p->constraints == 0) return TALUS_OK;
    int *root = tl_arena_alloc(step->arena, (size_t)groups + 1, sizeof *root), *lead = tl_arena_zero(step->arena, (size_t)groups + 1, sizeof *lead),
        *of_root = tl_arena_zero(step->arena, (size_t)groups + 1, sizeof *of_root);
    bool *held = tl_arena_zero(step->arena, (size_t)groups + 1, sizeof *held);
    tl_clusters *all = tl_arena_zero(step->arena, 1, sizeof *all);
    if (!root || !lead || !of_root || !held || !all) return tl_cluster_no_memory(step);
    tl_problem_join_held(p, root, held);
    for (int g = groups - 1; g > p->bodies; g--) /* of several solids that with the least number leads */
        if (held[g] && is_large(p, g)) of_root[root[g]] = g - p->bodies;
    for (int g = 0; g < groups; g++) lead[g] = held[g] ? of_root[root[g]] : 0;
    for (int m = 1; m < p->matters; m++) all->count += lead[p->bodies + m] == m;
    if (all->count == 0) return TALUS_OK;
    all->cluster = tl_arena_zero(step->arena, (size_t)all->count, sizeof *all->cluster);
    if (!all->cluster) return tl_cluster_no_memory(step);
    all->lead = lead;
    for (int m = 1, c = 0; m < p->matters; m++)
        if (lead[p->bodies + m] == m) all->cluster[c++].lead = m;
    p->clusters = all;
    return TALUS_OK;
}

/* ---- in the solve ----------------------------------------------------------------------------------------------------------- */

/* All rows at these velocities: of joints to `held`, of the others to `rows`; each may be NULL. */
static void read_rows(const tl_problem *p, const tl_cluster *c, const tl_velocities *v, double *held, double *rows)
{
    for (int i = 0; i < c->count; i++) {
        const tl_member *m = &c->member[i];
        double V[TL_ROWS] = {0}, *out = m->joint ? held : rows;
        tl_block_read(&c->own, &c->own.block[i], v, V);
        for (int r = 0; out && r < m->block.rows; r++) out[m->number + r] = V[r];
    }
    for (int i = 0; i < c->ports; i++) {
        const tl_large_port *q = &c->port[i];
        const tl_member *m = &c->member[q->block];
        const tl_matter *matter = p->given.of[q->matter];
        double V[3], *out = m->joint ? held : rows;
        if (!out) continue;
        matter->ops->velocity(matter, &q->port, v->matter[q->matter], false, V);
        for (int k = 0; k < q->rows; k++) out[m->number + q->row[k]] += V[k];
    }
}

/* base = L⁻¹ s of what the joints ask for, and what that does to the other rows. */
static void hold(const tl_cluster *c, double *rows)
{
    for (int i = 0; i < c->held; i++) c->base[i] = c->scale[i] * c->ask[i];
    tl_cluster_substitute(c->factor->L, c->held, c->held, c->base);
    for (int r = 0; r < c->rows; r++) {
        const double *x = c->X + (size_t)r * (size_t)c->held;
        double sum = 0;
        for (int i = 0; i < c->held; i++) sum += x[i] * c->base[i];
        rows[r] -= sum;
    }
}

/* The joints' answer to the impulses I, to `answer`: twice, so that what rounding and redundant joints leave is of second order. */
static void answer(const tl_cluster *c)
{
    const struct tl_cluster_factor *f = c->factor;
    const int n = c->held;
    double *t = c->ask, *x = c->answer;
    memcpy(t, c->base, (size_t)n * sizeof *t);
    for (int r = 0; r < c->rows; r++) {
        const double *own = c->X + (size_t)r * (size_t)n;
        for (int i = 0; c->I[r] != 0 && i < n; i++) t[i] += own[i] * c->I[r];
    }
    for (int i = 0; i < n; i++) x[i] = -t[i];
    tl_cluster_substitute_back(f->L, n, x);
    for (int i = n - 1; i >= 0; i--) { /* t ← L t + A x: what is left */
        const double *L = f->L + (size_t)i * (size_t)n, *A = f->A + (size_t)i * (size_t)n;
        double sum = 0;
        for (int j = 0; j <= i; j++) sum += L[j] * t[j];
        for (int j = 0; j < n; j++) sum += A[j] * x[j];
        t[i] = sum;
    }
    tl_cluster_substitute(f->L, n, n, t);
    tl_cluster_substitute_back(f->L, n, t);
    for (int i = 0; i < n; i++) x[i] = c->scale[i] * (x[i] - t[i]);
}

/* Impulses of all members onto the velocities of bodies; `unsteady`: only of matter that is not steady. */
static void push_all(const tl_problem *p, tl_cluster *c, const tl_velocities *v, bool unsteady)
{
    const tl_blocks *own = &c->own;
    memset(c->impulse, 0, (size_t)c->ports * sizeof *c->impulse);
    for (int i = 0; i < c->count; i++) {
        const tl_member *m = &c->member[i];
        const double *I = (m->joint ? c->answer : c->I) + m->number;
        for (int e = own->block[i].first; e < own->block[i].first + own->block[i].ends; e++) {
            const int matter = own->end[e].group - p->bodies;
            if (unsteady && (matter < 0 || p->given.of[matter]->steady)) continue;
            tl_block_push_ends(own, &own->block[i], e, 1, v, I);
        }
    }
    for (int m = 1; m < p->matters; m++) {
        const tl_matter *matter = p->given.of[m];
        if (p->clusters->lead[p->bodies + m] != c->lead || matter->ops->rows || (unsteady && matter->steady)) continue;
        int n = 0;
        for (int i = 0; i < c->ports; i++) {
            const tl_large_port *q = &c->port[i];
            const tl_member *of = &c->member[q->block];
            const double *I = (of->joint ? c->answer : c->I) + of->number;
            if (q->matter != m) continue;
            double along[3] = {0, 0, 0};
            for (int k = 0; k < q->rows; k++) along[k] = I[q->row[k]];
            memcpy(c->impulse[n], along, sizeof along);
            c->together[n++] = q->port;
        }
        if (matter->ops->impulses) matter->ops->impulses(matter, &(tl_ports){c->together, n, p->ops->axes}, (const double(*)[3])c->impulse, v->matter[m]);
        else
            for (int i = 0; i < n; i++) matter->ops->impulse(matter, &c->together[i], c->impulse[i], v->matter[m]);
    }
}

static void keep(const tl_problem *p, const tl_cluster *c, bool restore)
{
    for (int g = 0; g < p->bodies + p->matters; g++) {
        if (!c->given[g]) continue;
        const int size = g < p->bodies ? p->ops->grain.stride : p->given.of[g - p->bodies]->nv;
        double *v = g < p->bodies ? p->grain + (size_t)g * (size_t)size : p->given.v_of[g - p->bodies];
        memcpy(restore ? v : c->given[g], restore ? c->given[g] : v, (size_t)size * sizeof *v);
    }
}

void tl_clusters_start(tl_problem *p)
{
    const tl_velocities v = {p->grain, p->given.v_of};
    for (int i = 0; p->clusters && i < p->clusters->count; i++) {
        tl_cluster *c = &p->clusters->cluster[i];
        double *free = p->given.v[c->lead] + c->rows;
        keep(p, c, false);
        read_rows(p, c, &v, c->ask, free);
        for (int k = 0; k < c->count; k++)
            for (int r = 0; c->member[k].joint && r < c->member[k].block.rows; r++) c->ask[c->member[k].number + r] += c->own.block[k].shift[r];
        hold(c, free);
    }
}

/* What sweeps came to, as impulses of rows; of positions: as drift has it. */
static void gather(const tl_problem *p, tl_cluster *c, bool drift)
{
    double all[TL_ROWS] = {0};
    memset(c->I, 0, (size_t)c->rows * sizeof *c->I);
    for (int i = 0; i < p->coupleds; i++)
        for (int side = 0; side < 2; side++) {
            const tl_coupled *k = &p->coupled[i];
            if (!k->in_cluster[side] || k->matter[side] != c->lead) continue;
            tl_coupled_on_end(p, k, side, drift, all);
            memcpy(c->I + k->port[side].number, all, (size_t)p->ops->axes * sizeof *c->I);
        }
    for (int i = 0; i < c->count && !c->member[i].joint && !c->member[i].of_contact; i++) {
        const tl_member *m = &c->member[i];
        const tl_block *k = &p->blocks->block[m->at];
        if (drift) memcpy(all, k->drift, sizeof all);
        else tl_block_real_impulses(k, all);
        memcpy(c->I + m->number, all, (size_t)m->block.rows * sizeof *c->I);
    }
    answer(c);
}

void tl_clusters_recover(tl_problem *p)
{
    const tl_velocities v = {p->grain, p->given.v_of};
    for (int i = 0; p->clusters && i < p->clusters->count; i++) {
        tl_cluster *c = &p->clusters->cluster[i];
        keep(p, c, true);
        gather(p, c, false);
        push_all(p, c, &v, false);
        read_rows(p, c, &v, c->ask, NULL);
        for (int k = 0; k < c->count; k++) {
            const tl_member *m = &c->member[k];
            const tl_constraint *of = m->block.of;
            if (!m->joint) continue;
            for (int r = 0; r < of->rows; r++) {
                of->I[r] = c->answer[m->number + r];
                if (of->V) of->V[r] = c->ask[m->number + r] + c->own.block[k].imposed[r];
            }
        }
    }
}

void tl_clusters_push(tl_problem *p, double *const *v)
{
    const tl_velocities to = {NULL, v};
    for (int i = 0; p->clusters && i < p->clusters->count; i++) {
        tl_cluster *c = &p->clusters->cluster[i];
        gather(p, c, false);
        push_all(p, c, &to, true);
    }
}

void tl_clusters_accumulate(const tl_problem *p)
{
    for (int i = 0; p->clusters && i < p->clusters->count; i++) {
        const tl_cluster *c = &p->clusters->cluster[i];
        for (int k = 0; k < c->own.ports; k++) {
            const tl_block_port *q = &c->own.port[k];
            const tl_member *m = &c->member[q->block];
            double I[TL_CLUSTER_PORT_ROWS] = {0};
            if (m->of_contact) continue; /* as all contacts */
            for (int r = 0; r < TL_CLUSTER_PORT_ROWS && q->first + r < m->block.rows; r++) I[r] = ((m->joint ? c->answer : c->I) + m->number)[q->first + r];
            p->given.of[q->matter]->ops->accumulate(p->given.of[q->matter], &q->port, I);
        }
    }
}

/* ---- positions (drift.h) ---------------------------------------------------------------------------------------------------- */

void tl_clusters_start_drift(tl_problem *p, double *const *w)
{
    for (int i = 0; p->clusters && i < p->clusters->count; i++) {
        tl_cluster *c = &p->clusters->cluster[i];
        for (int k = 0; k < c->count; k++) {
            const tl_constraint *of = c->member[k].block.of;
            for (int r = 0; c->member[k].joint && r < of->rows; r++) c->ask[c->member[k].number + r] = of->corrected ? of->gap[r] / p->h : 0;
        }
        hold(c, w[c->lead] + c->rows);
    }
}

void tl_clusters_recover_drift(tl_problem *p, const tl_velocities *w)
{
    for (int i = 0; p->clusters && i < p->clusters->count; i++) {
        tl_cluster *c = &p->clusters->cluster[i];
        gather(p, c, true);
        push_all(p, c, w, false);
    }
}
