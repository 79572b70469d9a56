/* What a planar problem says of its constraints, and which contacts are such (block_contacts.h). */
#include "solve/bind2.h"
#include "solve/block_contacts.h"

static bool grain_moves(const void *problem, int body) { return tl_moves2(problem, (tl_place){0, body}); }

static void grain_row(const void *problem, int body, tl_vec3 arm, const tl_wrench *w, double *H, double *share)
{
    const tl_problem2 *p = problem;
    *share = 1;
    H[0] = p->s[body] * w->force.x, H[1] = p->s[body] * w->force.y;
    H[2] = p->j[body] * (arm.x * w->force.y - arm.y * w->force.x + w->moment.z);
}

static void grain_twist(const void *problem, int body, tl_vec3 arm, bool before, tl_vec3 *v, tl_vec3 *w)
{
    const tl_problem2 *p = problem;
    const tl_twist2 *u = before ? &p->v_before[body] : &p->v_free[body];
    *v = tl_v3(u->x - u->w * arm.y, u->y + u->w * arm.x, 0);
    *w = tl_v3(0, 0, u->w);
}

static void groups_of(const void *problem, int contact, int group[2])
{
    const tl_problem2 *p = problem;
    const tl_place end[2] = {p->contact[contact].a, p->contact[contact].b};
    for (int side = 0; side < 2; side++) {
        group[side] = -1;
        if (tl_moves2(p, end[side])) group[side] = end[side].matter != 0 ? p->bodies + end[side].matter : end[side].item;
    }
}

static const tl_interaction *law_of(const void *problem, int contact) { return ((const tl_problem2 *)problem)->contact[contact].law; }

talus_status tl_problem2_choose_blocks(tl_problem2 *p, tl_step *step)
{
    bool *chosen = tl_arena_alloc(step->arena, (size_t)p->contacts + 1, sizeof *chosen);
    p->block_contacts = 0;
    for (int i = 0; i < p->contacts; i++) p->contact[i].block = false;
    if (!p->blocks) return TALUS_OK;
    if (!chosen) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d contacts", p->contacts);
    const tl_contact_source source = {.problem = p,
                                      .contacts = p->contacts,
                                      .bodies = p->bodies,
                                      .matters = p->matters,
                                      .numbers = 3,
                                      .matter = p->matter,
                                      .constraint = p->constraint,
                                      .constraints = p->constraints,
                                      .moves = grain_moves,
                                      .groups = groups_of,
                                      .law = law_of};
    TL_TRY(tl_block_contacts_choose(&source, step, chosen, &p->block_contacts));
    p->block_contact = tl_arena_alloc(step->arena, (size_t)p->block_contacts + 1, sizeof *p->block_contact);
    if (!p->block_contact) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d contacts", p->block_contacts);
    p->block_contacts = 0;
    for (int i = 0; i < p->contacts; i++) {
        p->contact[i].block = chosen[i];
        if (chosen[i]) p->block_contact[p->block_contacts++] = i;
    }
    return TALUS_OK;
}

static tl_block_contact block_contact(const tl_problem2 *p, const tl_contact *c)
{
    tl_block_contact out = {
        .matter = {c->a.matter, c->b.matter},
        .item = {c->a.item, c->b.item},
        .at = {c->at[0], c->at[1]},
        .arm = {c->arm[0], c->arm[1]},
        .axis = {c->n, {-c->n.y, c->n.x, 0}},
        .planar = true,
        .loose = c->contactor_a >= 0,
        .law = c->law,
        .view = {.gap = c->gap, .h = p->h, .struck = c->struck, .share = c->points > 1 ? 1.0 / c->points : 1, .weight = c->weight, .state = c->state},
        .gap = tl_law_gap(c->law, c->state, c->gap),
        .I = c->I,
        .moment = c->law->resists && p->moments ? tl_moment_of(p->moments, c->key) : NULL};
    if (p->slide.sheared) {
        double before[2];
        tl_problem2_slide(p, c, false, out.imposed);
        tl_problem2_slide(p, c, true, before);
        out.view.before = before[0];
    }
    return out;
}

talus_status tl_problem2_bind_blocks(tl_problem2 *p, tl_step *step)
{
    const tl_velocities v = tl_problem2_velocities(p);
    if (!p->blocks) return TALUS_OK;
    const int all = p->constraints + p->block_contacts;
    tl_constraint *constraint = tl_arena_alloc(step->arena, (size_t)all + 1, sizeof *constraint);
    if (!constraint) return tl_fail(step->error, TALUS_MEMORY, "no memory for the constraints of a step");
    for (int i = 0; i < p->constraints; i++) constraint[i] = p->constraint[i];
    for (int i = 0; i < p->block_contacts; i++) {
        const tl_block_contact c = block_contact(p, &p->contact[p->block_contact[i]]);
        TL_TRY(tl_block_contact_make(&c, step, &constraint[p->constraints + i]));
    }
    p->blocks->grains = (tl_grain_rows){p, p->bodies, sizeof(tl_row2) / sizeof(double), 3, grain_moves, grain_row, grain_twist};
    p->blocks->matter = p->given.of, p->blocks->matters = p->matters, p->blocks->slop = p->slop;
    TL_TRY(tl_blocks_bind(p->blocks, constraint, all, &v, step));
    for (int i = 0; i < p->block_contacts; i++) {
        const tl_block *k = &p->blocks->block[p->constraints + i];
        tl_contact *c = &p->contact[p->block_contact[i]];
        c->shift = k->bound.shift, c->friction = k->bound.friction, c->offset = k->bound.offset;
    }
    return TALUS_OK;
}
