/* Large matter among velocities of bodies (body_making.h; theory §5.8).
 *
 * It is met at patches, at the sites that contacts of one body press on, or may: nodes, where the matter says what these do to one another, else its ports.
 * Between sites of a patch it gives as it does, C; what patches do to one another is looked at between solves. Bodies that joints hold together without a
 * mechanism between them, as a chain's, share patches: so the chains of a vehicle stay parts of the matrix that are apart. Where that does not do, patches
 * are as large as a group can be, and all bodies that nothing holds share them. */
#include "solve/body_making.h"

#include <math.h>
#include <stdlib.h>

#include "base/integers.h"
#include "base/math.h"

enum {
    NODES = 96,
    PORTS = 8,
    MOST_SITES = 160
};                               /* of a patch: nodes each of which has contacts of its own; ports, which share what moves; where these do not do */
enum { ALONE = -1, FIXED = -1 }; /* its island: nothing holds it; at the other end: what does not move */

struct tl_body_patch {
    int matter, other, sites, group; /* other: group of the step at its other end, or its island, or FIXED */
    int *node;                       /* [sites]; NULL: they are ports */
    const tl_port **port;            /* [sites] */
    tl_vec3 x;                       /* of one of them */
    double *mass;                    /* C⁻¹ of its sites, three numbers each */
    bool regular;                    /* there is one */
};

_Static_assert(3 * MOST_SITES <= (int)TL_BODY_WIDEST, "a patch is a group");

static talus_status no_memory(const tl_body_making *m) { return tl_fail(m->step->error, TALUS_MEMORY, "no memory for the bodies of a step"); }

/* Bodies are joined by what holds two of them for good. */
static talus_status find_islands(tl_body_making *m)
{
    const tl_problem *p = m->p;
    const tl_blocks *b = p->blocks;
    int *island = m->island = tl_arena_alloc(m->step->arena, (size_t)p->bodies + 1, sizeof *island);
    bool *held = tl_arena_zero(m->step->arena, (size_t)p->bodies + 1, sizeof *held);
    if (!island || !held) return no_memory(m);
    for (int i = 0; i < p->bodies; i++) island[i] = i;
    for (int i = 0; b && i < b->count; i++) {
        const tl_block *k = &b->block[i];
        for (int e = k->first; k->direct && e < k->first + k->ends; e++) {
            const int own = b->end[e].group, first = b->end[k->first].group;
            if (own >= p->bodies) continue;
            held[own] = true;
            if (first < p->bodies) (void)tl_join(island, own, first);
        }
    }
    tl_find_roots(island, p->bodies);
    for (int i = 0; i < p->bodies; i++) island[i] = held[i] ? island[i] : ALONE;
    return TALUS_OK;
}

/* Which contacts of a matter share patches, by the group at the other end. */
static int sharing(const tl_body_making *m, int other)
{
    if (other < 0) return FIXED;
    if (other >= m->p->bodies) return other;
    return m->large || m->island[other] != ALONE ? m->island[other] : other;
}

/* The sites that carry a port, of a patch. */
static int sites_of(const tl_body_making *m, int matter, const tl_port *port, int *node, double *weight)
{
    const tl_matter *of = m->p->given.of[matter];
    return tl_stand_ins_say(&m->p->given, matter) ? of->ops->carriers(of, port, node, weight) : 0;
}

static int find_site(const tl_body_patch *a, int node)
{
    int at = 0;
    while (at < a->sites && a->node[at] != node) at++;
    return at;
}

/* Sites of a port that a patch has not yet. */
static int count_new(const tl_body_patch *a, const int *node, int nodes)
{
    int count = nodes == 0;
    for (int k = 0; k < nodes; k++) count += find_site(a, node[k]) == a->sites;
    return count;
}

static int most_of(const tl_body_making *m, int nodes) { return m->large ? MOST_SITES : nodes > 0 ? NODES : PORTS; }

static talus_status make_patch(tl_body_making *m, int nodes, const tl_body_patch *as)
{
    const size_t most = (size_t)most_of(m, nodes);
    tl_body_patch *a = &m->patch[m->patches++];
    *a = *as;
    if (nodes > 0) a->node = tl_arena_alloc(m->step->arena, most, sizeof *a->node);
    else a->port = tl_arena_alloc(m->step->arena, most, sizeof *a->port);
    return a->node || a->port ? TALUS_OK : no_memory(m);
}

/* The patch of a contact's side; it gets the sites that it has not yet. */
static talus_status enter_patch(tl_body_making *m, int coupled, int side, int share)
{
    const tl_coupled *k = &m->p->coupled[coupled];
    int node[TL_PORT_NODES], at = 0;
    double weight[TL_PORT_NODES];
    const int nodes = sites_of(m, k->matter[side], &k->port[side], node, weight);
    for (; at < m->patches; at++) {
        const tl_body_patch *a = &m->patch[at];
        if (a->matter == k->matter[side] && a->other == share && a->sites + count_new(a, node, nodes) <= most_of(m, nodes)) break;
    }
    if (at == m->patches)
        TL_TRY(make_patch(m, nodes, &(tl_body_patch){.matter = k->matter[side], .other = share, .group = -1, .x = m->p->contact[k->contact].point}));
    tl_body_patch *a = &m->patch[at];
    for (int i = 0; i < nodes; i++)
        if (find_site(a, node[i]) == a->sites) a->node[a->sites++] = node[i];
    if (nodes == 0) a->port[a->sites++] = &k->port[side];
    m->patch_of[coupled][side] = at;
    return TALUS_OK;
}

/* May a contact's side be in a patch? It presses, or opens slowly. */
static bool is_met(const tl_body_making *m, const tl_coupled *k, int side)
{
    const int row = m->rows->number[k->contact]; /* −1: it is not of the islands that this is about */
    return row >= 0 && tl_stands_in(&m->p->given, k->matter[side]) && tl_body_is_slow(k->I[0], m->rows->q[row][0]);
}

static bool is_fixed(const tl_coupled *k, int side) { return k->matter[side] == 0 && k->row[side] < 0; }

/* What lies on the ground with a whole face is left to sweeps, which are quick there; a few contacts with what does not move are met at patches. */
static bool are_few_fixed(const tl_body_making *m)
{
    enum { FEW = 12 };
    int count = 0;
    for (int i = 0; i < m->p->coupleds; i++)
        for (int side = 0; side < 2; side++) count += is_fixed(&m->p->coupled[i], 1 - side) && is_met(m, &m->p->coupled[i], side);
    return count <= FEW;
}

/* Which contacts are in a patch. */
static talus_status find_patches(tl_body_making *m)
{
    const tl_problem *p = m->p;
    m->patch = tl_arena_alloc(m->step->arena, 2 * (size_t)p->coupleds + 1, sizeof *m->patch);
    m->patch_of = tl_arena_alloc(m->step->arena, (size_t)p->coupleds + 1, sizeof *m->patch_of);
    if (!m->patch || !m->patch_of) return no_memory(m);
    if (p->given.first) TL_TRY(find_islands(m));
    const bool fixed = are_few_fixed(m);
    for (int i = 0; i < p->coupleds; i++) {
        const tl_coupled *k = &p->coupled[i];
        for (int side = 0; side < 2; side++) {
            m->patch_of[i][side] = -1;
            const int other = k->matter[1 - side] ? p->bodies + k->matter[1 - side] : k->row[1 - side];
            if (is_met(m, k, side) && (fixed || other >= 0)) TL_TRY(enter_patch(m, i, side, sharing(m, other)));
        }
    }
    for (int i = 0; i < m->patches; i++) /* neighbours are neighbours in the group: runs of blocks are longer */
        if (m->patch[i].node) qsort(m->patch[i].node, (size_t)m->patch[i].sites, sizeof *m->patch[i].node, tl_ascending);
    return TALUS_OK;
}

/* What unit impulses at a site do at another, B[a of it][a of from]: along the world's axes of nodes, their own of ports. */
static void answer_of(const tl_body_making *m, const tl_body_patch *a, int from, int to, double B[3][3])
{
    const tl_matter *of = m->p->given.of[a->matter];
    if (a->node) of->ops->node_response(of, a->node[from], a->node[to], B);
    else tl_stand_in_response(&m->p->given, a->matter, a->port[from], a->port[to], B);
}

static void find_mass(const tl_body_making *m, tl_body_patch *a)
{
    static const double RIDGE = 1e-6; /* of the diagonal: ports that move alike, nodes that are held along an axis */
    const int axes = m->p->ops->axes, n = 3 * a->sites;
    double *C = a->mass, B[3][3], most = 0;
    for (int i = 0; i < a->sites; i++)
        for (int j = i; j < a->sites; j++) {
            answer_of(m, a, i, j, B);
            for (int x = 0; x < axes; x++)
                for (int y = 0; y < axes; y++) C[(3 * j + y) * n + 3 * i + x] = C[(3 * i + x) * n + 3 * j + y] = B[y][x];
        }
    for (int i = 0; i < n; i++) most = fmax(most, C[i * n + i]);
    for (int i = 0; i < n; i++) C[i * n + i] = i % 3 < axes ? fmax((1 + RIDGE) * C[i * n + i], RIDGE * most) : 1;
    a->regular = tl_invert_positive(C, n);
}

static void masses_range(void *context, int begin, int end, int worker)
{
    const tl_body_making *m = context;
    (void)worker;
    for (int i = begin; i < end; i++) find_mass(m, &m->patch[i]);
}

/* Groups of patches: velocities of their sites. */
static talus_status add_groups(tl_body_making *m)
{
    tl_body_problem *b = m->out;
    for (int i = 0; i < m->patches; i++) {
        const size_t n = (size_t)(3 * m->patch[i].sites);
        m->patch[i].mass = tl_arena_zero(m->step->arena, n * n, sizeof(double));
        if (!m->patch[i].mass) return no_memory(m);
    }
    tl_parallel_uneven(m->step->threads, m->patches, 2, masses_range, m);
    for (int i = 0; i < m->patches; i++) {
        tl_body_patch *a = &m->patch[i];
        if (!a->regular) continue;
        a->group = b->groups;
        b->group[b->groups++] = (tl_body_group){3 * a->sites, a->sites, b->blocks, {a->x.x, a->x.y, a->x.z}, a->mass};
        b->blocks += a->sites;
    }
    return TALUS_OK;
}

talus_status tl_body_make_patches(tl_body_making *m)
{
    TL_TRY(find_patches(m));
    return add_groups(m);
}

/* Sites that carry a port, and their weights, ascending; a port that is a site carries itself. */
static int sorted_sites(const tl_body_making *m, const tl_body_patch *a, const tl_port *port, int *site, double *weight)
{
    int node[TL_PORT_NODES];
    double given[TL_PORT_NODES];
    tl_keyed order[TL_PORT_NODES];
    const int count = sites_of(m, a->matter, port, node, given);
    if (count == 0) {
        site[0] = 0, weight[0] = 1;
        while (a->port[site[0]] != port) site[0]++;
        return 1;
    }
    for (int i = 0; i < count; i++) order[i] = (tl_keyed){(uint64_t)find_site(a, node[i]), i};
    qsort(order, (size_t)count, sizeof *order, tl_by_key);
    for (int i = 0; i < count; i++) site[i] = (int)order[i].key, weight[i] = given[order[i].number];
    return count;
}

talus_status tl_body_add_patch_end(tl_body_making *m, tl_body_hold *k, int coupled, int side)
{
    const tl_coupled *c = &m->p->coupled[coupled];
    const tl_port *port = &c->port[side];
    const tl_body_patch *a = m->patch_of[coupled][side] < 0 ? NULL : &m->patch[m->patch_of[coupled][side]];
    if (!a || a->group < 0) return TALUS_OK;
    const int axes = m->p->ops->axes, first = m->out->group[a->group].first;
    int site[TL_PORT_NODES];
    double weight[TL_PORT_NODES], B[3][3];
    const int count = sorted_sites(m, a, port, site, weight);
    for (int begin = 0, end = 0; begin < count; begin = end) { /* an end for every run of sites that follow one another */
        for (end = begin + 1; end < count && site[end] == site[end - 1] + 1; end++) continue;
        const int width = 3 * (end - begin);
        double *H = tl_arena_zero(m->step->arena, (size_t)(width * k->rows), sizeof *H);
        if (!H) return no_memory(m);
        for (int i = begin; i < end; i++)
            for (int r = 0; r < axes; r++)
                for (int x = 0; x < axes; x++) {
                    const double axis = a->node ? port->axes[r][x] : r == x;
                    H[r * width + 3 * (i - begin) + x] = (side ? 1 : -1) * weight[i] * axis;
                }
        TL_TRY(tl_body_put_end(m, k, (tl_body_end){first + site[begin], end - begin, H}));
    }
    tl_stand_in_response(&m->p->given, a->matter, port, port, B);
    for (int r = 0; r < axes; r++) k->own[r] += B[r][r];
    return TALUS_OK;
}
