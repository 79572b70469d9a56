/* Which contacts are constraints, and their rows (block_contacts.h). */
#include "solve/block_contacts.h"

#include <math.h>
#include <string.h>

/* ---- which ------------------------------------------------------------------------------------------------------------------ */

static int root_of(int *parent, int i)
{
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
}

static int group_of(const tl_contact_source *s, const tl_grip *g)
{
    if (g->matter != 0) return s->bodies + g->matter;
    return s->moves(s->problem, g->item) ? g->item : -1;
}

/* Bodies that hang together by joints: the numbers of their velocities, and contacts of them, at their root. */
typedef struct chains {
    int *root;
    double *numbers, *contacts; /* [groups] 0: no joint holds it */
} chains;

static talus_status find_chains(const tl_contact_source *s, tl_step *step, chains *c)
{
    const int groups = s->bodies + s->matters;
    c->root = tl_arena_alloc(step->arena, (size_t)groups + 1, sizeof *c->root);
    c->numbers = tl_arena_zero(step->arena, (size_t)groups + 1, sizeof *c->numbers);
    c->contacts = tl_arena_zero(step->arena, (size_t)groups + 1, sizeof *c->contacts);
    bool *held = tl_arena_zero(step->arena, (size_t)groups + 1, sizeof *held);
    if (!c->root || !c->numbers || !c->contacts || !held) return tl_fail(step->error, TALUS_MEMORY, "no memory for the constraints of a step");
    for (int g = 0; g < groups; g++) c->root[g] = g;
    for (int i = 0; i < s->constraints; i++) {
        const tl_constraint *k = &s->constraint[i];
        int first = -1;
        for (int e = 0; k->set == &TL_WHOLE_SPACE && e < k->grips; e++) {
            const int group = group_of(s, &k->grip[e]);
            if (group < 0) continue;
            held[group] = true;
            if (first >= 0) c->root[root_of(c->root, group)] = root_of(c->root, first);
            first = group;
        }
    }
    for (int g = 0; g < groups; g++) {
        c->root[g] = root_of(c->root, g);
        if (held[g]) c->numbers[c->root[g]] += g < s->bodies ? s->numbers : s->matter[g - s->bodies]->nv;
    }
    return TALUS_OK;
}

talus_status tl_block_contacts_choose(const tl_contact_source *s, tl_step *step, bool *chosen, int *count)
{
    static const double MOST = 1 << 20; /* numbers of the contacts of a chain, each by the chain */
    chains c = {NULL, NULL, NULL};
    int joints = 0;
    *count = 0;
    for (int i = 0; i < s->constraints; i++) joints += s->constraint[i].set == &TL_WHOLE_SPACE;
    if (joints > 0) {
        TL_TRY(find_chains(s, step, &c));
        for (int i = 0; i < s->contacts; i++) {
            int group[2];
            s->groups(s->problem, i, group);
            for (int side = 0; side < 2; side++)
                if (group[side] >= 0) c.contacts[c.root[group[side]]]++;
        }
    }
    for (int i = 0; i < s->contacts; i++) {
        int group[2];
        s->groups(s->problem, i, group);
        chosen[i] = s->law(s->problem, i)->resists && (group[0] >= 0 || group[1] >= 0);
        for (int side = 0; joints > 0 && side < 2; side++) {
            const int root = group[side] < 0 ? -1 : c.root[group[side]];
            chosen[i] |= root >= 0 && c.numbers[root] > 0 && 3 * c.numbers[root] * c.contacts[root] <= MOST;
        }
        *count += chosen[i];
    }
    return TALUS_OK;
}

/* ---- rows ------------------------------------------------------------------------------------------------------------------- */

/* Row r: a force along an axis, then moments about the tangents and the normal; in the plane about its normal. */
static tl_wrench row_of(const tl_block_contact *c, int r, double sign, double length)
{
    const tl_vec3 none = {0, 0, 0};
    const int tangents = c->planar ? 1 : 2;
    if (r <= tangents) return (tl_wrench){tl_scale(sign, c->axis[r]), none};
    if (c->planar) return (tl_wrench){none, tl_v3(0, 0, sign * length)};
    return (tl_wrench){none, tl_scale(sign * length, c->axis[r == 5 ? 0 : r - 2])};
}

talus_status tl_block_contact_make(const tl_block_contact *c, tl_step *step, tl_constraint *out)
{
    const int across = c->planar ? 1 : 2, moments = c->law->resists ? (c->planar ? 1 : 3) : 0;
    const double arm = fmax(tl_norm(c->arm[0]), tl_norm(c->arm[1])), length = arm > 0 ? arm : 1;
    tl_grip *grip = tl_arena_zero(step->arena, 2, sizeof *grip);
    double *room = tl_arena_zero(step->arena, (size_t)2 * TL_ROWS, sizeof *room);
    if (!grip || !room) return tl_fail(step->error, TALUS_MEMORY, "no memory for the constraints of a step");
    *out = (tl_constraint){.rows = 1 + across + moments,
                           .grips = 2,
                           .grip = grip,
                           .set = moments > 0 ? &TL_ROLLING_CONE : &TL_FRICTION_CONE,
                           .gap = {c->gap},
                           .corrected = true,
                           .loose = c->loose,
                           .law = c->law,
                           .view = c->view,
                           .length = length,
                           .moment = moments > 0 ? c->moment : NULL,
                           .I = room,
                           .V = room + TL_ROWS};
    memcpy(out->I, c->I, (size_t)(1 + across) * sizeof *out->I);
    for (int r = 0; out->moment && r < moments; r++) out->I[1 + across + r] = out->moment[tl_moment_axis(moments, r)] / length;
    memcpy(out->shift, c->imposed, (size_t)(1 + across) * sizeof *out->shift);
    for (int side = 0; side < 2; side++) {
        grip[side] = (tl_grip){.matter = c->matter[side], .item = c->item[side], .at = c->at[side], .arm = c->arm[side]};
        for (int r = 0; r < out->rows; r++) grip[side].row[r] = row_of(c, r, side == 0 ? -1 : 1, length);
    }
    return TALUS_OK;
}
