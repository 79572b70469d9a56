/* Coupled contacts, in the plane and in space (problem.h). */
#include "solve/problem.h"
#include "base/integers.h"
#include "solve/drift.h"

#include <string.h>

void tl_problem_axes(const tl_problem *p, const tl_contact *c, tl_vec3 axis[3])
{
    axis[0] = c->n;
    if (p->ops->axes == 3) tl_tangents(c->n, &axis[1], &axis[2]);
    else axis[1] = tl_v3(-c->n.y, c->n.x, 0), axis[2] = tl_v3(0, 0, 1);
}

int tl_problem_group_of_grip(const void *problem, const tl_grip *g) { return tl_group_of(problem, (tl_place){.matter = g->matter, .item = g->item}); }

void tl_problem_join_held(const tl_problem *p, int *root, bool *held)
{
    const int groups = p->bodies + p->matters;
    for (int g = 0; g < groups; g++) root[g] = g;
    for (int i = 0; i < p->constraints; i++)
        if (p->constraint[i].set == &TL_WHOLE_SPACE) tl_constraint_join(&p->constraint[i], tl_problem_group_of_grip, p, root, held);
    tl_find_roots(root, groups);
}

/* ---- packs ------------------------------------------------------------------------------------------------------------------ */

talus_status tl_problem_find_give(tl_problem *p, tl_step *step)
{
    bool some = false;
    p->give = NULL;
    if (p->holding != TL_HOLD_GAPS) return TALUS_OK;
    for (int i = 0; i < p->contacts && !some; i++) some = tl_is_packed(p, &p->contact[i]) && tl_give_of(p, &p->contact[i]) > 0;
    if (!some) return TALUS_OK;
    p->give = tl_arena_zero(step->arena, (size_t)p->lanes / TL_LANES + 1, sizeof *p->give);
    if (!p->give) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d contacts", p->contacts);
    for (int i = 0; i < p->lanes; i++)
        if (p->lane[i] >= 0) p->give[i / TL_LANES][i % TL_LANES] = tl_give_of(p, &p->contact[p->lane[i]]);
    return TALUS_OK;
}

/* ---- bind ------------------------------------------------------------------------------------------------------------------- */

static tl_port make_port(const tl_problem *p, const tl_coupled *k, int item, int side)
{
    tl_port port = {.item = item};
    tl_store3(port.x, tl_contact_at(&p->contact[k->contact], side, p->cell));
    for (int axis = 0; axis < 3; axis++) tl_store3(port.axes[axis], k->axis[axis]);
    return port;
}

/* W = Hᵀ M̃⁻¹ H by what unit impulses do, on velocities that are otherwise zero: right also when both ends belong to one mechanism. */
static void measure_delassus(tl_problem *p, const tl_coupled *k, const tl_velocities *zero, double W[3][3])
{
    const int stride = p->ops->grain.stride;
    for (int axis = 0; axis < p->ops->axes; axis++) {
        p->ops->impulse(p, k, zero, (double[3]){axis == 0, axis == 1, axis == 2});
        p->ops->velocity(p, k, zero, W[axis]);
        p->ops->impulse(p, k, zero, (double[3]){-(axis == 0), -(axis == 1), -(axis == 2)}); /* stand-ins are at zero again, the others but for rounding */
        for (int side = 0; side < 2; side++) {
            const int m = k->matter[side];
            if (tl_stands_in(&p->given, m)) continue;
            if (m != 0) memset(zero->matter[m], 0, (size_t)p->matter[m]->nv * sizeof(double));
            else if (k->row[side] >= 0) memset(&zero->grain[k->row[side] * stride], 0, (size_t)stride * sizeof(double));
        }
    }
}

static void along_axes(const tl_coupled *k, tl_vec3 world, double out[3])
{
    for (int axis = 0; axis < 3; axis++) out[axis] = tl_dot(k->axis[axis], world);
}

/* Of an end: what it is moved by whatever the contact does, and V⁻. */
static void end_velocities(const tl_problem *p, const tl_contact *c, const tl_coupled *k, int side, double imposed[3], double before[3])
{
    const tl_place end = side ? c->b : c->a;
    if (end.matter != 0) {
        const tl_matter *m = p->given.of[end.matter];
        double homogeneous[3] = {0, 0, 0};
        m->ops->velocity(m, &k->port[side], p->given.v_of[end.matter], true, imposed);
        m->ops->velocity(m, &k->port[side], p->given.v_of[end.matter], false, homogeneous);
        for (int axis = 0; axis < 3; axis++) imposed[axis] -= homogeneous[axis];
        m->ops->velocity_before(m, &k->port[side], before);
        return;
    }
    tl_vec3 v, w;
    p->ops->grain.twist(p, end.item, c->arm[side], false, &v, &w);
    if (!tl_moves(p, end)) along_axes(k, v, imposed);
    p->ops->grain.twist(p, end.item, c->arm[side], true, &v, &w);
    along_axes(k, v, before);
}

static void bind_shift(const tl_problem *p, tl_contact *c, tl_coupled *k)
{
    double imposed[3] = {0, 0, 0}, before[3] = {0, 0, 0};
    if (tl_is_sheared(p)) along_axes(k, tl_slide_at(p, c, false), imposed), along_axes(k, tl_slide_at(p, c, true), before);
    for (int side = 0; side < 2; side++) {
        const double sign = side == 0 ? -1 : 1;
        double U[3] = {0, 0, 0}, U_before[3] = {0, 0, 0};
        end_velocities(p, c, k, side, U, U_before);
        for (int axis = 0; axis < tl_axes_of(p); axis++) {
            imposed[axis] += sign * U[axis];
            before[axis] += sign * U_before[axis];
        }
    }
    memcpy(k->before, before, sizeof k->before);
    tl_bind_law(p, c, before[0]);
    memcpy(k->shift, imposed, sizeof k->shift);
    k->shift[0] += c->shift;
}

/* The ports of one matter lie in one array for bind(), then go back to their contacts with their slots. */
static talus_status bind_ports(tl_problem *p, tl_step *step, int m)
{
    int n = 0;
    for (int i = 0; i < p->coupleds; i++)
        for (int side = 0; side < 2; side++) n += p->coupled[i].matter[side] == m && !p->coupled[i].in_cluster[side];
    if (n == 0) return TALUS_OK;
    tl_port *ports = tl_arena_alloc(step->arena, (size_t)n, sizeof *ports);
    bool *pressed = tl_arena_alloc(step->arena, (size_t)n, sizeof *pressed);
    if (!ports || !pressed) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d contacts", n);
    n = 0;
    for (int i = 0; i < p->coupleds; i++)
        for (int side = 0; side < 2; side++)
            if (p->coupled[i].matter[side] == m && !p->coupled[i].in_cluster[side]) {
                pressed[n] = p->contact[p->coupled[i].contact].I[0] > 0;
                ports[n++] = p->coupled[i].port[side];
            }
    const tl_port_list list = {ports, pressed, n, p->ops->axes};
    if (!tl_condense_again(&p->given, m, &list, step)) {
        TL_TRY(p->matter[m]->ops->bind(p->matter[m], step, ports, n));
        TL_TRY(tl_condense(&p->given, m, &list, step));
    }
    n = 0;
    for (int i = 0; i < p->coupleds; i++)
        for (int side = 0; side < 2; side++) {
            tl_coupled *k = &p->coupled[i];
            if (k->matter[side] != m || k->in_cluster[side]) continue;
            k->port[side] = ports[n++];
            k->nv[side] = p->matter[m]->nv;
            if (p->matter[m]->ops->rows) p->matter[m]->ops->rows(p->matter[m], &k->port[side], &k->H[side], &k->Y[side]);
        }
    return TALUS_OK;
}

static talus_status prepare_coupled(tl_problem *p, tl_step *step)
{
    const size_t numbers = (size_t)(p->bodies + 1) * (size_t)p->ops->grain.stride;
    double **v = tl_arena_zero(step->arena, (size_t)p->matters, sizeof *v);
    const tl_velocities zero = {tl_arena_zero(step->arena, numbers, sizeof(double)), v};
    if (!v || !zero.grain) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d contacts", p->coupleds);
    for (int m = 1; m < p->matters; m++) {
        v[m] = tl_arena_zero(step->arena, (size_t)p->matter[m]->nv + 1, sizeof **v);
        if (!v[m]) return tl_fail(step->error, TALUS_MEMORY, "no memory for a mechanism");
    }
    int kept = 0;
    for (int i = 0; i < p->coupleds; i++) {
        tl_coupled k = p->coupled[i];
        tl_contact *c = &p->contact[k.contact];
        double W[3][3] = {{0}};
        TL_TRY(tl_step_go_on(step));
        measure_delassus(p, &k, &zero, W);
        tl_stand_ins_forget(&p->given);
        if (!(W[0][0] > 0)) continue; /* neither end can move along n: no impulse changes anything */
        bind_shift(p, c, &k);
        k.friction = c->friction;
        k.nn = W[0][0];
        p->ops->bind_law(&k, W);
        c->I[0] += c->offset;
        memcpy(k.I, c->I, (size_t)p->ops->axes * sizeof *k.I);
        p->spokes += tl_is_spoke(p, c);
        p->coupled[kept++] = k;
    }
    p->coupleds = kept;
    return TALUS_OK;
}

talus_status tl_problem_bind_coupled(tl_problem *p, tl_step *step)
{
    p->coupleds = p->spokes = 0;
    if (p->matters <= 1 && !p->is_hub) return TALUS_OK;
    for (int i = 0; i < p->contacts; i++) p->coupleds += tl_is_coupled(p, &p->contact[i]);
    if (p->coupleds == 0 && !p->clusters) return TALUS_OK;
    p->coupled = tl_arena_zero(step->arena, (size_t)p->coupleds + 1, sizeof *p->coupled);
    if (!p->coupled) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d contacts", p->coupleds);
    int n = 0;
    for (int i = 0; i < p->contacts; i++) {
        const tl_contact *c = &p->contact[i];
        if (!tl_is_coupled(p, c)) continue;
        tl_coupled *k = &p->coupled[n++];
        const tl_place end[2] = {c->a, c->b};
        k->contact = i;
        tl_problem_axes(p, c, k->axis);
        for (int side = 0; side < 2; side++) {
            k->in_cluster[side] = tl_lead_of(p, end[side]) > 0;
            k->matter[side] = k->in_cluster[side] ? tl_lead_of(p, end[side]) : end[side].matter;
            k->row[side] = k->matter[side] == 0 && tl_moves(p, end[side]) ? end[side].item : -1;
            if (k->row[side] >= 0) p->ops->bind_end(p, k, side);
            if (end[side].matter != 0) k->port[side] = make_port(p, k, end[side].item, side);
        }
    }
    for (int m = 1; m < p->matters; m++) TL_TRY(bind_ports(p, step, m));
    TL_TRY(tl_clusters_bind(p, step));
    if (p->given.matter) p->matter = p->given.matter, p->v = p->given.v;
    return prepare_coupled(p, step);
}

/* ---- mobility --------------------------------------------------------------------------------------------------------------- */

/* The port of a contact's end at other matter; NULL: nothing there moves along the normal. Of a constraint, the ports of its first end come first, and those
 * of its first rows first; there the normal points away from end a, which is the same for what a push gives back. */
static const tl_port *port_of(const tl_problem *p, int contact, int side)
{
    if (!p->contact[contact].block) {
        const int i = tl_first_not_below(&p->coupled->contact, sizeof *p->coupled, p->coupleds, contact);
        return i < p->coupleds && p->coupled[i].contact == contact ? &p->coupled[i].port[side] : NULL;
    }
    const tl_blocks *b = p->blocks;
    const int block = p->constraints + tl_first_not_below(p->block_contact, sizeof *p->block_contact, p->block_contacts, contact);
    int left = side == 1 && p->contact[contact].a.matter != 0; /* ports of the first end to pass by */
    for (int i = tl_first_not_below(&b->port->block, sizeof *b->port, b->ports, block); i < b->ports && b->port[i].block == block; i++)
        if (b->port[i].first == 0 && left-- == 0) return &b->port[i].port;
    return NULL;
}

/* By what ports do to one another, where the matter says that. */
static void mobility_of_ports(const tl_problem *p, const tl_matter *m, tl_contacts_of_pair of, int side, double *out)
{
    for (int i = 0; i < of.count; i++)
        for (int j = 0; j < of.count; j++) {
            const double weights[2] = {p->contact[of.contact[i]].weight, p->contact[of.contact[j]].weight};
            double B[3][3];
            if (weights[0] == 0 || weights[1] == 0) continue;
            m->ops->response(m, port_of(p, of.contact[i], side), port_of(p, of.contact[j], side), B);
            *out += weights[0] * weights[1] * B[0][0];
        }
}

static talus_status matter_mobility(const tl_problem *p, tl_step *step, tl_contacts_of_pair of, int side, double *out)
{
    const tl_contact *first = &p->contact[of.contact[0]];
    const tl_place end = side ? first->b : first->a;
    const tl_matter *m = p->given.of[end.matter];
    const tl_arena_place mark = tl_arena_mark(step->arena);
    if (!first->block && tl_stand_ins_say(&p->given, end.matter)) {
        mobility_of_ports(p, m, of, side, out);
        return TALUS_OK;
    }
    double *v = tl_arena_zero(step->arena, (size_t)m->nv + 1, sizeof *v);
    if (!v) return tl_fail(step->error, TALUS_MEMORY, "no memory for a mechanism");
    for (int i = 0; i < of.count; i++) {
        const tl_port *port = port_of(p, of.contact[i], side);
        if (port) m->ops->impulse(m, port, (double[3]){p->contact[of.contact[i]].weight, 0, 0}, v);
    }
    for (int i = 0; i < of.count; i++) {
        const tl_port *port = port_of(p, of.contact[i], side);
        double U[3] = {0, 0, 0};
        if (port) m->ops->velocity(m, port, v, false, U);
        *out += p->contact[of.contact[i]].weight * U[0];
    }
    tl_arena_release(step->arena, mark);
    return TALUS_OK;
}

talus_status tl_problem_mobility(const tl_problem *p, tl_step *step, tl_contacts_of_pair of, double *mobility)
{
    const tl_contact *first = &p->contact[of.contact[0]];
    *mobility = 0;
    for (int side = 0; side < 2; side++) {
        const tl_place end = side ? first->b : first->a;
        tl_vec3 push = {0, 0, 0}, moment = {0, 0, 0};
        if (end.matter != 0) {
            TL_TRY(matter_mobility(p, step, of, side, mobility));
            continue;
        }
        for (int i = 0; i < of.count; i++) {
            const tl_contact *c = &p->contact[of.contact[i]];
            push = tl_add(push, tl_scale(c->weight, c->n));
            moment = tl_add(moment, tl_scale(c->weight, tl_cross(c->arm[side], c->n)));
        }
        *mobility += p->ops->gain(p, end.item, push, moment);
    }
    return TALUS_OK;
}

/* ---- positions -------------------------------------------------------------------------------------------------------------- */

/* What a contact's velocity along n is measured from. */
static double drift_goal(const tl_problem *p, const tl_contact *c)
{
    return tl_drift_goal(tl_law_gap(c->law, c->state, c->gap), c->V[0], p->h, tl_drift_slop(c->rope, p->slop), p->drift_whole);
}

talus_status tl_problem_drift_begin(tl_problem *p, double *const *w, tl_step *step, tl_drift *out)
{
    const size_t packs = (size_t)p->lanes / TL_LANES;
    *out = (tl_drift){tl_arena_alloc(step->arena, packs, sizeof *out->goal), tl_arena_zero(step->arena, packs, sizeof *out->I), w};
    if (!out->goal || !out->I) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d contacts", p->contacts);
    for (int i = 0; i < p->lanes; i++) out->goal[i / TL_LANES][i % TL_LANES] = p->lane[i] < 0 ? 0 : drift_goal(p, &p->contact[p->lane[i]]);
    for (int i = 0; i < p->coupleds; i++) p->coupled[i].drift = 0, p->coupled[i].goal = drift_goal(p, &p->contact[p->coupled[i].contact]);
    if (p->blocks) p->blocks->slop = p->slop, p->blocks->drift_whole = p->drift_whole;
    TL_TRY(tl_stand_ins_zero(&p->given, p->matters, w, step, &out->w));
    tl_clusters_start_drift(p, out->w);
    return TALUS_OK;
}

void tl_problem_drift_coupled(tl_problem *p, const tl_velocities *w)
{
    for (int i = 0; i < p->coupleds; i++) {
        tl_coupled *k = &p->coupled[i];
        double V[3];
        if (p->contact[k->contact].gives) continue;
        p->ops->velocity(p, k, w, V);
        const double wanted = k->drift - (V[0] + k->goal) / k->nn;
        const double I = wanted > 0 ? wanted : 0;
        p->ops->impulse(p, k, w, (double[3]){I - k->drift, 0, 0});
        k->drift = I;
    }
}

/* ---- the result ------------------------------------------------------------------------------------------------------------- */

double tl_problem_errors(tl_problem *p, tl_errors *all)
{
    const tl_velocities v = tl_problem_velocities(p);
    for (int i = 0; i < p->coupleds; i++) {
        const tl_coupled *k = &p->coupled[i];
        double u[3];
        p->ops->velocity(p, k, &v, u);
        for (int axis = 0; axis < 3; axis++) u[axis] += k->shift[axis];
        const tl_errors e = p->ops->error(k, u);
        tl_errors_add(all, &e);
    }
    if (p->blocks) tl_blocks_errors(p->blocks, &v, all);
    p->residual_mean = tl_errors_mean(all);
    p->impulse_mean = tl_errors_mean_impulse(all);
    return all->largest;
}

/* V⁺ is the shifted velocity less what the law added to it. */
void tl_problem_write_back_coupled(tl_problem *p)
{
    const tl_velocities swept = tl_problem_velocities(p);
    for (int i = 0; i < p->coupleds; i++) {
        const tl_coupled *k = &p->coupled[i];
        tl_contact *c = &p->contact[k->contact];
        const double law[3] = {c->shift, 0, 0};
        double V[3];
        p->ops->velocity(p, k, &swept, V);
        for (int axis = 0; axis < tl_axes_of(p); axis++) c->I[axis] = k->I[axis], c->V[axis] = V[axis] + k->shift[axis] - law[axis];
    }
    tl_problem_recover(p);
    const tl_velocities v = tl_problem_velocities(p);
    if (!p->blocks) return;
    tl_blocks_write_back(p->blocks, &v);
    for (int i = 0; i < p->block_contacts; i++) {
        const tl_constraint *k = p->blocks->block[p->constraints + i].of;
        tl_contact *c = &p->contact[p->block_contact[i]];
        memcpy(c->I, k->I, sizeof c->I);
        memcpy(c->V, k->V, sizeof c->V);
    }
}

void tl_coupled_on_end(const tl_problem *p, const tl_coupled *k, int side, bool drift, double out[3])
{
    const double sign = side == 0 ? -1 : 1;
    out[0] = sign * (drift ? k->drift : k->I[0] - p->contact[k->contact].offset);
    out[1] = drift ? 0 : sign * k->I[1];
    out[2] = drift ? 0 : sign * k->I[2];
}

/* Impulses of the contacts onto given velocities of matter g; of large matter all together, which costs it one solve. */
static void push_onto(const tl_problem *p, int g, bool drift, double *v)
{
    const tl_matter *m = p->given.of[g];
    double(*together)[3] = m->ops->impulses ? tl_stand_ins_impulses(&p->given, g) : NULL;
    for (int i = 0; i < p->coupleds; i++)
        for (int side = 0; side < 2; side++) {
            const tl_coupled *k = &p->coupled[i];
            double I[3];
            if (k->matter[side] != g || k->in_cluster[side]) continue;
            tl_coupled_on_end(p, k, side, drift, I);
            if (together) memcpy(together[k->port[side].number / p->ops->axes], I, sizeof I);
            else m->ops->impulse(m, &k->port[side], I, v);
        }
    if (together) tl_stand_ins_give(&p->given, g, v);
}

void tl_problem_push(tl_problem *p, double *const *v)
{
    for (int g = 1; g < p->matters; g++)
        if (!p->given.of[g]->steady) push_onto(p, g, false, v[g]);
    tl_clusters_push(p, v);
    if (p->blocks) tl_blocks_push(p->blocks, v);
}

void tl_problem_recover(tl_problem *p)
{
    tl_stand_ins_restore(&p->given);
    for (int g = 1; g < p->matters; g++)
        if (tl_stands_in(&p->given, g)) push_onto(p, g, false, p->given.v_of[g]);
    tl_clusters_recover(p);
}

void tl_problem_recover_drift(tl_problem *p, const tl_velocities *w)
{
    for (int g = 1; g < p->matters; g++)
        if (tl_stands_in(&p->given, g)) push_onto(p, g, true, w->matter[g]);
    tl_clusters_recover_drift(p, w);
}

void tl_problem_start_stand_ins(tl_problem *p)
{
    tl_stand_ins_start(&p->given);
    tl_clusters_start(p);
}

void tl_problem_accumulate(const tl_problem *p)
{
    for (int i = 0; i < p->coupleds; i++) {
        const tl_coupled *k = &p->coupled[i];
        for (int side = 0; side < 2; side++) {
            const int matter = side ? p->contact[k->contact].b.matter : p->contact[k->contact].a.matter;
            double I[3];
            if (matter == 0) continue;
            tl_coupled_on_end(p, k, side, false, I);
            tl_matter *m = p->given.of[matter];
            m->ops->accumulate(m, &k->port[side], I);
        }
    }
    tl_clusters_accumulate(p);
    if (p->blocks) tl_blocks_accumulate(p->blocks);
}
