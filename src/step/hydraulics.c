/* Pressures and what they move, as constraints of a step (matter/fluid.h): of every node  u = Σ f q̇⁺ + y = 0. */
#include <math.h>
#include <string.h>

#include "step/joint_list.h"

enum { ROOM = 4 }; /* numbers of a node besides its row of W: what is seen, two of scratch, the number of its constraint */

static int grip_points(const tl_system *s, const tl_actuator *a, tl_grip *grip, double *position)
{
    const tl_vec3 at[2] = {tl_joint_point(s, &a->end[0]), tl_joint_point(s, &a->end[1])}, way = tl_sub(at[1], at[0]), e = tl_normalize(way);
    *position = tl_norm(way);
    for (int k = 0; k < 2; k++) {
        const tl_matter *m = s->matter[a->end[k].matter];
        const tl_vec3 arm = tl_sub(at[k], m->ops->frame(m, a->end[k].item).p);
        grip[k] = (tl_grip){.matter = a->end[k].matter, .item = a->end[k].item, .at = at[k], .arm = arm};
        grip[k].row[0].force = tl_scale(k ? 1 : -1, e);
    }
    return 2;
}

int tl_actuator_grips(const tl_system *s, const tl_actuator *a, tl_grip *grip, double *position)
{
    if (a->at == TL_AT_POINTS) return grip_points(s, a, grip, position);
    if (a->at == TL_AT_COORDINATE) {
        const tl_matter *m = s->matter[a->term.matter];
        grip[0] = (tl_grip){.matter = a->term.matter, .rate1 = 1 + a->term.rate, .row = {{.force = {1, 0, 0}}}};
        *position = m->ops->coordinate(m, a->term.position);
        return 1;
    }
    const tl_body_joint *j = &s->joints.joint[a->joint];
    tl_frame f[2];
    tl_joint_frames(s, j, &f[0], &f[1]);
    const tl_joint_row row = j->kind->coordinate(&f[0], &f[1], a->coordinate);
    tl_joint_grip(s, j, f[1].p, grip);
    tl_joint_set_row(grip, 0, &row, 1);
    *position = row.value + j->def.start[a->coordinate];
    return 2;
}

double tl_actuator_share(const tl_actuator *a, double t)
{
    const double share = a->share.value ? tl_motion_value(&a->share, t) : 1;
    return isfinite(share) ? fmin(1, fmax(-1, share)) : share;
}

double tl_hydraulics_volume(const tl_system *s, int circuit, int node)
{
    double V = 0;
    for (int i = 0; i < s->joints.hydraulics.actuators; i++) {
        const tl_actuator *a = &s->joints.hydraulics.actuator[i];
        tl_grip grip[2];
        double x;
        for (int k = 0; k < 2; k++) {
            if (a->machine || a->circuit != circuit || a->node[k] != node) continue;
            (void)tl_actuator_grips(s, a, grip, &x);
            V += a->base[k] + a->factor[k] * x;
        }
    }
    return V;
}

static size_t count_nodes(const tl_hydraulics *all)
{
    size_t nodes = 0;
    for (int i = 0; i < all->circuits; i++) nodes += (size_t)tl_fluid_nodes(all->circuit[i].fluid);
    return nodes;
}

void tl_hydraulics_room(const tl_hydraulics *all, size_t *constraints, size_t *grips)
{
    enum { ACTING = 5, ENDS = 4 };
    const size_t nodes = count_nodes(all);
    *constraints += nodes + ACTING * (size_t)all->actuators;
    *grips += nodes + (ENDS + 2 * ACTING) * (size_t)all->actuators;
}

/* Actuators as they are at q_m. */
typedef struct tl_actuator_now {
    tl_grip grip[2];
    int grips;
    double position, share;
} tl_actuator_now;

static void add_row(tl_constraint_list *l, const tl_hydraulics *all, const tl_circuit *c, int node, const tl_actuator_now *now)
{
    const double per = 1 / tl_fluid_node_at(c->fluid, node)->reference;
    int grips = 1;
    for (int i = 0; i < all->actuators; i++)
        for (int k = 0; k < 2; k++)
            if (&all->circuit[all->actuator[i].circuit] == c && all->actuator[i].node[k] == node) grips += now[i].grips;
    tl_constraint *row = tl_constraint_list_add(l, 1, grips, tl_fluid_impulses(c->fluid) + node);
    row->fluid = true;
    row->recall[0] = tl_fluid_recall(c->fluid);
    row->grip[0] = (tl_grip){.matter = c->matter, .rate1 = 1 + node, .row = {{.force = {per, 0, 0}}}};
    grips = 1;
    for (int i = 0; i < all->actuators; i++) {
        const tl_actuator *a = &all->actuator[i];
        for (int k = 0; k < 2; k++) {
            if (&all->circuit[a->circuit] != c || a->node[k] != node) continue;
            const double factor = per * a->factor[k] * now[i].share;
            for (int g = 0; g < now[i].grips; g++) {
                tl_grip *to = &row->grip[grips++];
                *to = now[i].grip[g];
                to->row[0].force = tl_scale(factor, to->row[0].force);
                to->row[0].moment = tl_scale(factor, to->row[0].moment);
            }
        }
    }
}

/* A motion that is imposed may leave the stroke: no stop holds it. */
static talus_status check_stroke(const tl_system *s, const tl_hydraulics *all, const tl_actuator *a, const tl_actuator_now *now)
{
    const double low = a->freedom.low, high = a->freedom.high;
    const tl_coordinate_at at = {.grip = now->grip, .grips = now->grips, .position = now->position};
    if (!tl_freedom_lost(s, &a->freedom, &at)) return TALUS_OK;
    return tl_fail(
        s->step.error, TALUS_DIVERGED,
        "circuit '%s': cylinder '%s' is at %.6g m at t = %.9g s, beyond its stroke from %g to %g m: its motion is imposed, and no stop can hold it; change "
        "what drives it, or the stroke",
        all->circuit[a->circuit].name, a->name, now->position, s->step.t + s->step.h, low, high);
}

/* In the search for equilibrium no time passes: a pump on a shaft that turns from the start gives no oil, and bears on nothing. */
static bool waits(const tl_system *s, const tl_actuator *a)
{
    if (!(s->step.still > 0) || !a->machine || a->at != TL_AT_COORDINATE) return false;
    const tl_matter *m = s->matter[a->term.matter];
    return fabs(m->ops->rate(m, a->term.rate)) > TL_AT_REST;
}

static talus_status find_actuator(const tl_system *s, const tl_hydraulics *all, const tl_actuator *a, tl_actuator_now *now)
{
    const double middle = tl_step_middle(&s->step);
    now->grips = tl_actuator_grips(s, a, now->grip, &now->position);
    now->share = waits(s, a) ? 0 : tl_actuator_share(a, middle);
    if (!a->machine) return check_stroke(s, all, a, now);
    if (isfinite(now->share)) return TALUS_OK;
    return tl_fail(s->step.error, TALUS_DIVERGED, "circuit '%s': the share of '%s' is not a number at t = %.9g s", all->circuit[a->circuit].name, a->name,
                   middle);
}

talus_status tl_hydraulics_make(tl_constraint_list *l, tl_hydraulics *all)
{
    const tl_system *s = l->s;
    if (all->circuits == 0) return TALUS_OK;
    tl_actuator_now *now = tl_arena_alloc(s->step.arena, (size_t)all->actuators + 1, sizeof *now);
    if (!now) return tl_fail(s->step.error, TALUS_MEMORY, "no memory for %d cylinders", all->actuators);
    for (int i = 0; i < all->actuators; i++) {
        const tl_actuator *a = &all->actuator[i];
        TL_TRY(find_actuator(s, all, a, &now[i]));
        tl_coordinate_at at = {.grip = now[i].grip, .grips = now[i].grips, .position = now[i].position, .arm = 1};
        if (!a->machine && tl_freedom_bends(l, &a->freedom, &all->next[i])) {
            const tl_body_joint *j = a->at == TL_AT_POINTS ? NULL : &s->joints.joint[a->joint];
            if (a->at == TL_AT_COORDINATE) TL_TRY(tl_term_bend(l, &a->term, &at.bend));
            else TL_TRY(tl_coordinate_bend(l, j, a->coordinate, j ? j->end : a->end, &at.bend));
        }
        if (!a->machine) tl_constraint_list_freedom(l, &at, &a->freedom, &all->next[i]);
    }
    const size_t nodes = count_nodes(all);
    all->seen = tl_arena_alloc(s->step.arena, nodes * (nodes + ROOM) + 1, sizeof *all->seen);
    if (!all->seen) return tl_fail(s->step.error, TALUS_MEMORY, "no memory for %d chambers and lines", (int)nodes);
    for (int c = 0; c < all->circuits; c++) {
        all->circuit[c].row = l->count;
        for (int i = 0; i < tl_fluid_nodes(all->circuit[c].fluid); i++) add_row(l, all, &all->circuit[c], i, now);
    }
    return TALUS_OK;
}

/* W of the rows of all nodes, in order, with joints holding: an arm on its hinge answers with its moment of inertia, not with its mass. NULL: no joint says
 * more than the rows themselves. */
static const double *look_through_joints(tl_system *s)
{
    const tl_hydraulics *all = &s->joints.hydraulics;
    const int nodes = (int)count_nodes(all);
    double *seen = all->seen, *scratch = seen + nodes;
    int *row = (int *)(void *)(scratch + nodes * (nodes + 2)), k = 0;
    if (nodes == 0) return NULL;
    for (int c = 0; c < all->circuits; c++)
        for (int i = 0; i < tl_fluid_nodes(all->circuit[c].fluid); i++) row[k++] = all->circuit[c].row + i;
    return tl_blocks_seen(&s->joints.blocks, row, nodes, scratch, seen) ? seen : NULL;
}

/* What the step has shown of every node: how what it moves answers, and how its volume has changed. */
void tl_hydraulics_commit(tl_system *s)
{
    tl_hydraulics *all = &s->joints.hydraulics;
    tl_freedom_memory *const memory = all->memory;
    const double *seen = look_through_joints(s);
    int k = 0;
    for (int c = 0; c < all->circuits; c++) {
        tl_fluid *f = all->circuit[c].fluid;
        for (int i = 0; i < tl_fluid_nodes(f); i++) {
            const tl_block *row = tl_blocks_at(&s->joints.blocks, all->circuit[c].row + i);
            const double reference = tl_fluid_node_at(f, i)->reference, before = reference * row->before[0];
            const double after = tl_fluid_recall(f) * before - s->v[all->circuit[c].matter][i];
            const bool moved = tl_fluid_node_at(f, i)->moved;
            const double W = seen ? seen[k++] : row->W[0];
            tl_fluid_end(f, i,
                         &(tl_fluid_note){.mobility = moved ? fmax(0, W - tl_fluid_response(f, i)) * reference * reference : 0,
                                          .rate = moved ? 0.5 * (before + after) : 0,
                                          .volume = tl_hydraulics_volume(s, c, i)});
        }
    }
    all->memory = all->next;
    all->next = memory;
}

void tl_hydraulics_free(tl_hydraulics *all, tl_memory memory)
{
    for (int i = 0; i < all->circuits; i++) tl_free(memory, all->circuit[i].name);
    for (int i = 0; i < all->actuators; i++) tl_free(memory, all->actuator[i].name);
    for (int i = 0; i < all->components; i++) tl_free(memory, all->component[i].name);
    void *const parts[] = {all->circuit, all->actuator, all->component, all->memory, all->next};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) tl_free(memory, parts[i]);
}
