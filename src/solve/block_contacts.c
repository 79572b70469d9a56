/* Which contacts are constraints, and their rows (block_contacts.h). */
#include "solve/block_contacts.h"
#include "solve/body_rows.h"

#include "law/spook.h"

#include <math.h>
#include <string.h>

/* ---- which ------------------------------------------------------------------------------------------------------------------ */

/* Bodies that hang together by joints: the numbers of their velocities, and contacts of them, at their root. */
typedef struct chains {
    int *root;
    double *numbers, *contacts; /* [groups] 0: no joint holds it */
} chains;

static talus_status find_chains(const tl_problem *p, tl_step *step, chains *c)
{
    const int groups = p->bodies + p->matters;
    c->root = tl_arena_alloc(step->arena, (size_t)groups + 1, sizeof *c->root);
    c->numbers = tl_arena_zero(step->arena, (size_t)groups + 1, sizeof *c->numbers);
    c->contacts = tl_arena_zero(step->arena, (size_t)groups + 1, sizeof *c->contacts);
    bool *held = tl_arena_zero(step->arena, (size_t)groups + 1, sizeof *held);
    if (!c->root || !c->numbers || !c->contacts || !held) return tl_fail(step->error, TALUS_MEMORY, "no memory for the constraints of a step");
    tl_problem_join_held(p, c->root, held);
    for (int g = 0; g < groups; g++)
        if (held[g]) c->numbers[c->root[g]] += g < p->bodies ? p->ops->grain.size : p->matter[g - p->bodies]->nv;
    return TALUS_OK;
}

static void count_contacts(const tl_problem *p, chains *c)
{
    for (int i = 0; i < p->contacts; i++)
        for (int side = 0; side < 2; side++) {
            const int group = tl_group_of(p, side ? p->contact[i].b : p->contact[i].a);
            if (group >= 0) c->contacts[c->root[group]]++;
        }
}

/* Large matter that no joint holds says no rows: its contacts stay contacts, and meet the joints of what touches it once a sweep. */
static bool is_at_large(const tl_problem *p, const tl_contact *c)
{
    for (int side = 0; side < 2; side++) {
        const tl_place end = side ? c->b : c->a;
        if (end.matter > 0 && !p->given.of[end.matter]->ops->rows && tl_lead_of(p, end) == 0) return true;
    }
    return false;
}

/* Do joints hold one of its ends, of a chain whose contacts are not too many? */
static bool is_held(const tl_problem *p, const chains *c, const tl_contact *contact)
{
    static const double MOST = 1 << 20; /* numbers of the contacts of a chain, each by the chain */
    if (is_at_large(p, contact)) return false;
    for (int side = 0; side < 2; side++) {
        const int group = tl_group_of(p, side ? contact->b : contact->a), root = group < 0 ? -1 : c->root[group];
        if (tl_lead_of(p, side ? contact->b : contact->a) > 0) continue; /* a cluster knows what it weighs */
        if (root >= 0 && c->numbers[root] > 0 && 3 * c->numbers[root] * c->contacts[root] <= MOST) return true;
    }
    return false;
}

/* Is its law more than that of a pack, or of a coupled contact? One of springs lies in a pack between grains alone. */
static bool is_law_of_constraints(const tl_problem *p, const tl_contact *c) { return c->law->resists || (tl_give_of(p, c) > 0 && !tl_is_among_grains(p, c)); }

talus_status tl_block_contacts_choose(tl_problem *p, tl_step *step)
{
    chains c = {NULL, NULL, NULL};
    int joints = 0;
    p->block_contacts = 0;
    if (!p->blocks) return TALUS_OK; /* contacts are made as none */
    p->blocks->grains = p->ops->grain;
    p->blocks->grains.problem = p, p->blocks->grains.bodies = p->bodies, p->blocks->grains.moves = p->moves;
    TL_TRY(tl_clusters_find(p, step));
    for (int i = 0; i < p->constraints; i++) joints += p->constraint[i].set == &TL_WHOLE_SPACE;
    if (joints > 0) {
        TL_TRY(find_chains(p, step, &c));
        count_contacts(p, &c);
    }
    for (int i = 0; i < p->contacts; i++) {
        tl_contact *k = &p->contact[i];
        k->block = (is_law_of_constraints(p, k) && (tl_moves(p, k->a) || tl_moves(p, k->b))) || (joints > 0 && is_held(p, &c, k));
        p->block_contacts += k->block;
    }
    p->block_contact = tl_arena_alloc(step->arena, (size_t)p->block_contacts + 1, sizeof *p->block_contact);
    if (!p->block_contact) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d contacts", p->block_contacts);
    for (int i = 0, n = 0; n < p->block_contacts; i++)
        if (p->contact[i].block) p->block_contact[n++] = i;
    return TALUS_OK;
}

/* ---- rows ------------------------------------------------------------------------------------------------------------------- */

/* Row r: a force along an axis, then moments about the tangents and the normal; in the plane about its normal. */
static tl_wrench row_of(const tl_vec3 axis[3], bool planar, int r, double sign, double length)
{
    const tl_vec3 none = {0, 0, 0};
    const int tangents = planar ? 1 : 2;
    if (r <= tangents) return (tl_wrench){tl_scale(sign, axis[r]), none};
    if (planar) return (tl_wrench){none, tl_v3(0, 0, sign * length)};
    return (tl_wrench){none, tl_scale(sign * length, axis[r == 5 ? 0 : r - 2])};
}

static talus_status make(const tl_problem *p, const tl_contact *c, tl_step *step, tl_constraint *out)
{
    const bool planar = p->ops->axes == 2;
    const int forces = p->ops->axes, moments = c->law->resists ? (planar ? 1 : 3) : 0;
    const double arm = fmax(tl_norm(c->arm[0]), tl_norm(c->arm[1])), length = arm > 0 ? arm : 1;
    tl_vec3 axis[3];
    tl_grip *grip = tl_arena_zero(step->arena, 2, sizeof *grip);
    double *room = tl_arena_zero(step->arena, (size_t)2 * TL_ROWS, sizeof *room);
    if (!grip || !room) return tl_fail(step->error, TALUS_MEMORY, "no memory for the constraints of a step");
    tl_problem_axes(p, c, axis);
    *out = (tl_constraint){.rows = forces + moments,
                           .grips = 2,
                           .grip = grip,
                           .set = moments > 0 ? &TL_ROLLING_CONE : &TL_FRICTION_CONE,
                           .corrected = true,
                           .loose = !c->rope,
                           .law = c->law,
                           .view = {.gap = c->gap,
                                    .h = p->h,
                                    .struck = c->struck,
                                    .share = tl_contact_share(c),
                                    .weight = c->weight,
                                    .state = c->state,
                                    .holding = tl_holding_of(p, c),
                                    .relaxation = p->relaxation,
                                    .back = tl_back_of(p, c)},
                           .length = length,
                           .compliance = {tl_give_of(p, c)},
                           .moment = moments > 0 && p->moments ? tl_moment_of(p->moments, c->key) : NULL,
                           .I = room,
                           .V = room + TL_ROWS};
    memcpy(out->I, c->I, (size_t)forces * sizeof *out->I);
    for (int r = 0; out->moment && r < moments; r++) out->I[forces + r] = out->moment[tl_moment_axis(moments, r)] / length;
    for (int r = 0; tl_is_sheared(p) && r < forces; r++) out->shift[r] = tl_dot(tl_slide_at(p, c, false), axis[r]);
    if (tl_is_sheared(p)) out->view.before = tl_dot(tl_slide_at(p, c, true), c->n);
    for (int side = 0; side < 2; side++) {
        const tl_place end = side ? c->b : c->a;
        grip[side] = (tl_grip){.matter = end.matter, .item = end.item, .at = tl_contact_at(c, side, p->cell), .arm = c->arm[side]};
        for (int r = 0; r < out->rows; r++) grip[side].row[r] = row_of(axis, planar, r, side == 0 ? -1 : 1, length);
    }
    return TALUS_OK;
}

talus_status tl_block_contacts_make(tl_problem *p, tl_step *step)
{
    p->every = NULL, p->every_count = 0;
    if (!p->blocks) return TALUS_OK;
    tl_constraint *every = tl_arena_alloc(step->arena, (size_t)(p->constraints + p->block_contacts) + 1, sizeof *every);
    if (!every) return tl_fail(step->error, TALUS_MEMORY, "no memory for the constraints of a step");
    for (int i = 0; i < p->constraints; i++) every[i] = p->constraint[i];
    for (int i = 0; i < p->block_contacts; i++) TL_TRY(make(p, &p->contact[p->block_contact[i]], step, &every[p->constraints + i]));
    p->every = every, p->every_count = p->constraints + p->block_contacts;
    return TALUS_OK;
}

talus_status tl_block_contacts_bind(tl_problem *p, tl_step *step)
{
    p->chosen_groups = NULL;
    if (!p->blocks) return TALUS_OK;
    if (p->clusters) tl_problem_start_stand_ins(p);
    const tl_velocities v = tl_problem_velocities(p);
    p->blocks->matter = p->matter;
    p->blocks->matters = p->matters, p->blocks->slop = p->slop, p->blocks->drift_whole = p->drift_whole, p->blocks->clusters = p->clusters;
    TL_TRY(tl_bodies_choose(p, step));
    TL_TRY(tl_blocks_bind(p->blocks, p->every, p->every_count, &v, step));
    for (int i = 0; i < p->block_contacts; i++) {
        const tl_block *k = &p->blocks->block[p->constraints + i];
        tl_contact *c = &p->contact[p->block_contact[i]];
        c->shift = k->bound.shift, c->friction = k->bound.friction, c->offset = k->bound.offset;
    }
    return TALUS_OK;
}
