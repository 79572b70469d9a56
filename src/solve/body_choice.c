/* When velocities of bodies are tried, and of what (body_rows.h). */
#include "solve/body_rows.h"

#include "base/integers.h"

#include "solve/coupled_groups.h"

/* Of more contacts a factor takes too long. */
enum { MOST = 10000 };

/* Grains, matter that says rows and its mass, and what stands in for large matter. */
static bool suits(const tl_problem *p, int m)
{
    if (m == 0 || tl_stands_in(&p->given, m)) return true;
    return p->matter[m]->ops->rows && p->matter[m]->ops->mass && p->matter[m]->nv <= TL_BODY_WIDEST - 2;
}

/* The first matter that cannot be among velocities of bodies; 0: none. */
static int find_unsuited(const tl_problem *p)
{
    for (int i = 0; i < p->coupleds; i++)
        for (int side = 0; side < 2; side++)
            if (!suits(p, p->coupled[i].matter[side])) return p->coupled[i].matter[side];
    for (int i = 0; i < p->every_count; i++)
        for (int k = 0; k < p->every[i].grips; k++) {
            const int m = p->every[i].grip[k].matter;
            if (tl_stands_in(&p->given, m) || !suits(p, m)) return m;
        }
    return 0;
}

/* What contacts press, and how much of it at constraints and matter; do joints hold for good, between bodies, what contacts press, or between parts of a
 * mechanism? */
typedef struct tally {
    int contacts, held;
    bool joined;
} tally;

/* Two points in the plane, and three in space, bear a machine in one way only. More bear it in many, of which sweeps find any: where wheels are at the limit of
 * their traction, it would decide how the machine moves. Velocities of bodies come to impulses of little norm. */
static bool is_worth(const tl_problem *p, const tally *t) { return t->joined && t->held > tl_axes_of(p) && t->contacts <= 2 * t->held && t->contacts <= MOST; }

/* Does a mechanism stand on something there, and is not among grains? */
static bool stands_there(const tl_problem *p, const tl_contact *c)
{
    const bool moves[2] = {tl_moves(p, c->a), tl_moves(p, c->b)};
    return !c->gives && (c->a.matter != 0 || c->b.matter != 0) && !(c->a.matter == 0 && moves[0]) && !(c->b.matter == 0 && moves[1]);
}

/* Of each mechanism: do several of its parts stand on something, in more ways than one? What has far more velocities than contacts has parts that give, as
 * segments of a tyre on their springs do. [matters] */
static talus_status find_spread(const tl_problem *p, bool **spread, tl_step *step)
{
    enum { NONE = -1, FAR_MORE = 4 };
    bool *many = *spread = tl_arena_zero(step->arena, (size_t)p->matters + 1, sizeof *many);
    int *part = tl_arena_alloc(step->arena, 2 * (size_t)p->matters + 1, sizeof *part), *contacts = part + p->matters;
    if (!many || !part) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d mechanisms", p->matters);
    for (int m = 0; m < p->matters; m++) part[m] = NONE, contacts[m] = 0;
    for (int i = 0; i < p->coupleds; i++) {
        const tl_contact *c = &p->contact[p->coupled[i].contact];
        if (!stands_there(p, c)) continue;
        for (int side = 0; side < 2; side++) {
            const tl_place end = side ? c->b : c->a;
            if (end.matter == 0) continue;
            if (part[end.matter] == NONE) part[end.matter] = end.item;
            many[end.matter] |= part[end.matter] != end.item;
            contacts[end.matter]++;
        }
    }
    for (int m = 0; m < p->matters; m++) many[m] = many[m] && FAR_MORE * tl_axes_of(p) * contacts[m] >= p->matter[m]->nv;
    return TALUS_OK;
}

static bool is_of_spread(const tl_problem *p, const tl_contact *c, const bool *spread)
{
    return stands_there(p, c) && (spread[c->a.matter] || spread[c->b.matter]);
}

static tally of_all(const tl_problem *p, const bool *spread)
{
    tally t = {p->contacts, p->block_contacts + p->coupleds - p->spokes, false};
    for (int i = 0; i < p->constraints && !t.joined; i++) t.joined = p->constraint[i].set == &TL_WHOLE_SPACE;
    for (int i = 0; i < p->coupleds && !t.joined; i++) t.joined = is_of_spread(p, &p->contact[p->coupled[i].contact], spread);
    return t;
}

/* Bodies and matter are joined by constraints and by contacts, whether these press or not: what goes apart is not in a problem. */
static void find_islands(const tl_problem *p, int *root, int groups)
{
    for (int g = 0; g < groups; g++) root[g] = g;
    for (int i = 0; i < p->constraints; i++) tl_constraint_join(&p->constraint[i], tl_problem_group_of_grip, p, root, NULL);
    for (int i = 0; i < p->contacts; i++) {
        const int a = tl_group_of(p, p->contact[i].a), b = tl_group_of(p, p->contact[i].b);
        if (a >= 0 && b >= 0) (void)tl_join(root, a, b);
    }
    tl_find_roots(root, groups);
}

static void count_islands(const tl_problem *p, const bool *spread, const int *root, tally *of)
{
    for (int i = 0; i < p->constraints; i++)
        for (int k = 0; p->constraint[i].set == &TL_WHOLE_SPACE && k < p->constraint[i].grips; k++) {
            const int group = tl_problem_group_of_grip(p, &p->constraint[i].grip[k]);
            if (group >= 0) of[root[group]].joined = true;
        }
    for (int i = 0; i < p->contacts; i++) {
        const tl_contact *c = &p->contact[i];
        const int group = tl_group_of_contact(p, c);
        if (group < 0) continue;
        of[root[group]].contacts++;
        of[root[group]].joined |= is_of_spread(p, c, spread);
        of[root[group]].held += c->block || (tl_is_coupled(p, c) && !tl_is_spoke(p, c));
    }
}

/* Which islands are worth it; the others are left to sweeps. */
static talus_status choose_islands(tl_problem *p, const bool *spread, tl_step *step)
{
    const int groups = p->bodies + p->matters;
    bool *chosen = tl_arena_alloc(step->arena, (size_t)groups + 1, sizeof *chosen);
    const tl_arena_place mark = tl_arena_mark(step->arena);
    int *root = tl_arena_alloc(step->arena, (size_t)groups + 1, sizeof *root);
    tally *of = tl_arena_zero(step->arena, (size_t)groups + 1, sizeof *of);
    if (!chosen || !root || !of) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d bodies", groups);
    find_islands(p, root, groups);
    count_islands(p, spread, root, of);
    for (int g = 0; g < groups; g++) {
        chosen[g] = is_worth(p, &of[root[g]]);
        p->blocks->late |= chosen[g];
    }
    tl_arena_release(step->arena, mark);
    p->chosen_groups = p->blocks->late ? chosen : NULL;
    return TALUS_OK;
}

talus_status tl_bodies_choose(tl_problem *p, tl_step *step)
{
    const tl_solver_row *method = tl_solver_find(p->solver->method);
    bool *spread;
    p->blocks->late = false;
    if (p->clusters || find_unsuited(p) != 0) return TALUS_OK;
    TL_TRY(find_spread(p, &spread, step));
    const tally all = of_all(p, spread);
    p->blocks->late = (method && method->bodies) || is_worth(p, &all);
    return p->blocks->late || method || !all.joined ? TALUS_OK : choose_islands(p, spread, step);
}

bool tl_bodies_can(const tl_problem *p) { return !p->clusters && find_unsuited(p) == 0; }

talus_status tl_bodies_refuse(const tl_problem *p, tl_step *step)
{
    const int m = find_unsuited(p);
    if (tl_bodies_can(p)) return TALUS_OK;
    if (m == 0) return tl_fail(step->error, TALUS_UNSUPPORTED, "solver '%s' does not take joints to matter that deforms", TALUS_SOLVER_BODIES);
    return tl_fail(step->error, TALUS_UNSUPPORTED,
                   "solver '%s' takes grains, joints, mechanisms and contacts with solids, but not matter '%s' of so many "
                   "velocities, nor joints to it",
                   TALUS_SOLVER_BODIES, p->matter[m]->ops->kind);
}
