/* From contacts to the spatial problem: rows of grains, ports of other matter. */
#include <string.h>

#include "solve/bind3.h"
#include "solve/block_contacts.h"
#include "solve/packs3.h"

/* ---- rows --------------------------------------------------------------------------------------------------------- */

/* Where the moments of inertia are equal all axes are principal, and the world's need no turning. */
static bool is_round(const tl_problem3 *p, int body)
{
    const tl_vec3 *j = &p->inverse_inertia[body];
    return j->x == j->y && j->y == j->z;
}

static tl_vec3 times(tl_vec3 a, tl_vec3 b) { return tl_v3(a.x * b.x, a.y * b.y, a.z * b.z); }

tl_vec3 tl_angular_row3(const tl_problem3 *p, int body, tl_vec3 arm, tl_vec3 axis)
{
    const tl_vec3 moment = tl_cross(arm, axis);
    return times(p->j[body], is_round(p, body) ? moment : tl_mat3_apply_t(&p->frame[body].R, moment));
}

static double reciprocal(double x) { return x > 0 ? 1 / x : 0; }

static void make_row(const tl_problem3 *p, int body, tl_row3 *row)
{
    const tl_twist3 *v = &p->v_free[body];
    const tl_vec3 j = p->j[body], w = is_round(p, body) ? tl_mat3_apply(&p->frame[body].R, v->w) : v->w;
    const double root = reciprocal(p->s[body]);
    *row = (tl_row3){.v = {root * v->v.x, root * v->v.y, root * v->v.z},
                     .s = p->s[body],
                     .w = {reciprocal(j.x) * w.x, reciprocal(j.y) * w.y, reciprocal(j.z) * w.z},
                     .k = p->radius ? p->radius[body] * j.x : 0};
}

tl_twist3 tl_row3_twist(const tl_problem3 *p, int body, const tl_row3 *row)
{
    const tl_vec3 w = times(p->j[body], tl_load3(row->w));
    return (tl_twist3){tl_scale(p->s[body], tl_load3(row->v)), is_round(p, body) ? tl_mat3_apply_t(&p->frame[body].R, w) : w};
}

tl_twist3 tl_problem3_velocity(const tl_problem3 *p, int body)
{
    return tl_moves3(p, (tl_place){0, body}) ? tl_row3_twist(p, body, &p->row[body]) : p->v_free[body];
}

/* ---- parts -------------------------------------------------------------------------------------------------------- */

enum { SHARE = 32 }; /* contacts of a part: half of the colours, the others are for what its neighbours have taken */

static talus_status find_hubs(tl_problem3 *p, tl_step *step)
{
    tl_hub_count *count = tl_arena_zero(step->arena, (size_t)p->bodies + 1, sizeof *count);
    bool *is_hub = tl_arena_alloc(step->arena, (size_t)p->bodies + 1, sizeof *is_hub), any = false;
    if (!count || !is_hub) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d bodies", p->bodies);
    for (int i = 0; i < p->contacts; i++) {
        const tl_contact *c = &p->contact[i];
        const tl_place end[2] = {c->a, c->b};
        for (int side = 0; side < 2 && !c->block && end[0].matter == 0 && end[1].matter == 0; side++) {
            const double inverse_mass = p->inverse_mass[end[1 - side].item], points = c->points > 1 ? c->points : 1;
            tl_hub_count *own = &count[end[side].item];
            if (tl_moves3(p, end[1 - side])) own->moving += 1 / points, own->mass += inverse_mass > 0 ? 1 / (points * inverse_mass) : 0;
            else own->unmoving++;
        }
    }
    for (int i = 0; i < p->bodies; i++) any |= is_hub[i] = tl_is_hub(&count[i], TL_COLORS3, p->inverse_mass[i]);
    p->is_hub = any ? is_hub : NULL;
    return TALUS_OK;
}

static talus_status count_parts(tl_problem3 *p, tl_step *step, int *count)
{
    for (int i = 0; i < p->contacts; i++) {
        const tl_contact *c = &p->contact[i];
        if (!tl_is_packed3(p, c)) continue;
        count[c->a.item]++;
        count[c->b.item]++;
    }
    p->rows = p->bodies + TL_NOBODY3;
    p->splits = 0;
    for (int i = 0; i < p->bodies; i++) {
        const bool many = count[i] > TL_COLORS3 && tl_moves3(p, (tl_place){0, i});
        p->parts[i] = many ? (count[i] + SHARE - 1) / SHARE : 1;
        p->splits += many;
    }
    p->split = tl_arena_alloc(step->arena, (size_t)p->splits + 1, sizeof *p->split);
    if (!p->split) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d bodies", p->bodies);
    p->splits = 0;
    for (int i = 0; i < p->bodies; i++) {
        if (p->parts[i] == 1) continue;
        p->split[p->splits++] = (tl_split3){.body = i, .first = p->rows, .parts = p->parts[i]};
        p->rows += p->parts[i] - 1;
    }
    p->rests = p->rows;
    return TALUS_OK;
}

/* Each contact's rows: of a split grain one after the other, so that what touches it at several points stays at one part. An end at rest has a row of its own:
 * with factors of zero, so that nothing moves it. */
static talus_status share_contacts(tl_problem3 *p, tl_step *step)
{
    int *count = tl_arena_zero(step->arena, (size_t)p->bodies + 1, sizeof *count);
    int *split_of = tl_arena_zero(step->arena, (size_t)p->bodies + 1, sizeof *split_of);
    p->parts = tl_arena_alloc(step->arena, (size_t)p->bodies + 1, sizeof *p->parts);
    p->end_row = tl_arena_alloc(step->arena, (size_t)p->contacts + 1, sizeof *p->end_row);
    if (!count || !split_of || !p->parts || !p->end_row) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d contacts", p->contacts);
    TL_TRY(count_parts(p, step, count));
    for (int k = 0; k < p->splits; k++) split_of[p->split[k].body] = k;
    for (int i = 0; i < p->bodies; i++) count[i] = 0;
    for (int i = 0; i < p->contacts; i++) {
        const tl_place end[2] = {p->contact[i].a, p->contact[i].b};
        for (int side = 0; side < 2; side++) {
            const int body = end[side].item;
            p->end_row[i][side] = body;
            if (!tl_is_packed3(p, &p->contact[i])) continue;
            if (!tl_moves3(p, end[side])) p->end_row[i][side] = p->rows++;
            if (p->parts[body] == 1) continue;
            const int part = count[body]++ / SHARE;
            if (part > 0) p->end_row[i][side] = p->split[split_of[body]].first + part - 1;
        }
    }
    return TALUS_OK;
}

void tl_problem3_join(const tl_problem3 *p, tl_row3 *rows)
{
    for (int k = 0; k < p->splits; k++) {
        const tl_split3 *s = &p->split[k];
        tl_row3 *whole = &rows[s->body], *part = &rows[s->first];
        for (int i = 0; i < s->parts - 1; i++)
            for (int axis = 0; axis < 3; axis++) whole->v[axis] += part[i].v[axis], whole->w[axis] += part[i].w[axis];
        for (int axis = 0; axis < 3; axis++) whole->v[axis] /= s->parts, whole->w[axis] /= s->parts;
        for (int i = 0; i < s->parts - 1; i++) part[i] = *whole;
    }
}

void tl_problem3_spread(const tl_problem3 *p, tl_row3 *rows)
{
    for (int k = 0; k < p->splits; k++)
        for (int i = 0; i < p->split[k].parts - 1; i++) rows[p->split[k].first + i] = rows[p->split[k].body];
}

/* ---- contacts with other matter ----------------------------------------------------------------------------------- */

static tl_vec3 axis_of(const tl_problem3 *p, const tl_coupled3 *k, int axis) { return axis == 0 ? p->contact[k->contact].n : (axis == 1 ? k->t : k->s); }

static tl_port make_port(const tl_problem3 *p, const tl_coupled3 *k, int item, int side)
{
    tl_port port = {.item = item};
    tl_store3(port.x, p->contact[k->contact].at[side]);
    for (int axis = 0; axis < 3; axis++) tl_store3(port.axes[axis], axis_of(p, k, axis));
    return port;
}

static void bind_row_end(const tl_problem3 *p, tl_place end, tl_coupled3 *k, int side)
{
    k->row[side] = tl_moves3(p, end) ? end.item : -1;
    if (k->row[side] < 0) return;
    k->m[side] = p->s[end.item];
    for (int axis = 0; axis < 3; axis++) k->angular_row[side][axis] = tl_angular_row3(p, end.item, p->contact[k->contact].arm[side], axis_of(p, k, axis));
}

void tl_coupled3_velocity(const tl_problem3 *p, const tl_coupled3 *k, const tl_row3 *rows, double *const *v, double V[3])
{
    V[0] = V[1] = V[2] = 0;
    for (int side = 0; side < 2; side++) {
        const double sign = side == 0 ? -1 : 1;
        double U[3] = {0, 0, 0};
        if (k->matter[side] != 0) {
            const tl_matter *m = p->matter[k->matter[side]];
            const double *x = v[k->matter[side]], *H = k->H[side];
            const int nv = k->nv[side];
            if (!H) m->ops->velocity(m, &k->port[side], x, false, U);
            for (int j = 0; H && j < nv; j++) U[0] += H[j] * x[j], U[1] += H[nv + j] * x[j], U[2] += H[2 * nv + j] * x[j];
        } else if (k->row[side] >= 0) {
            const tl_row3 *r = &rows[k->row[side]];
            const tl_vec3 linear = tl_load3(r->v), angular = tl_load3(r->w);
            for (int axis = 0; axis < 3; axis++) U[axis] = k->m[side] * tl_dot(axis_of(p, k, axis), linear) + tl_dot(k->angular_row[side][axis], angular);
        }
        for (int axis = 0; axis < 3; axis++) V[axis] += sign * U[axis];
    }
}

void tl_coupled3_impulse(const tl_problem3 *p, const tl_coupled3 *k, tl_row3 *rows, double *const *v, const double I[3])
{
    for (int side = 0; side < 2; side++) {
        const double sign = side == 0 ? -1 : 1, J[3] = {sign * I[0], sign * I[1], sign * I[2]};
        if (k->matter[side] != 0) {
            const tl_matter *m = p->matter[k->matter[side]];
            double *x = v[k->matter[side]];
            const double *Y = k->Y[side];
            const int nv = k->nv[side];
            if (!Y) m->ops->impulse(m, &k->port[side], J, x);
            for (int j = 0; Y && j < nv; j++) x[j] += Y[j] * J[0] + Y[nv + j] * J[1] + Y[2 * nv + j] * J[2];
        } else if (k->row[side] >= 0) {
            tl_row3 *r = &rows[k->row[side]];
            tl_vec3 linear = tl_load3(r->v), angular = tl_load3(r->w);
            for (int axis = 0; axis < 3; axis++) {
                linear = tl_add(linear, tl_scale(k->m[side] * J[axis], axis_of(p, k, axis)));
                angular = tl_add(angular, tl_scale(J[axis], k->angular_row[side][axis]));
            }
            tl_store3(r->v, linear);
            tl_store3(r->w, angular);
        }
    }
}

/* W = Hᵀ M̃⁻¹ H by what unit impulses do, on velocities that are otherwise zero: right also when both ends belong to one mechanism. */
static void measure_delassus(tl_problem3 *p, tl_coupled3 *k, tl_row3 *rows, double *const *zero)
{
    double column[3][3];
    for (int axis = 0; axis < 3; axis++) {
        tl_coupled3_impulse(p, k, rows, zero, (double[3]){axis == 0, axis == 1, axis == 2});
        tl_coupled3_velocity(p, k, rows, zero, column[axis]);
        tl_stand_ins_settle(&p->given);
        for (int side = 0; side < 2; side++) {
            if (k->matter[side] != 0) memset(zero[k->matter[side]], 0, (size_t)p->matter[k->matter[side]]->nv * sizeof(double));
            else if (k->row[side] >= 0) rows[k->row[side]] = (tl_row3){0};
        }
    }
    k->W = (tl_delassus3){.nn = column[0][0],
                          .nt = 0.5 * (column[0][1] + column[1][0]),
                          .ns = 0.5 * (column[0][2] + column[2][0]),
                          .tt = column[1][1],
                          .ts = 0.5 * (column[1][2] + column[2][1]),
                          .ss = column[2][2]};
}

static void along_axes(const tl_problem3 *p, const tl_coupled3 *k, tl_vec3 world, double out[3])
{
    for (int axis = 0; axis < 3; axis++) out[axis] = tl_dot(axis_of(p, k, axis), world);
}

static void bind_shift(const tl_problem3 *p, tl_contact *c, tl_coupled3 *k)
{
    const tl_place end[2] = {c->a, c->b};
    double imposed[3] = {0, 0, 0}, before[3] = {0, 0, 0};
    if (p->slide.sheared) along_axes(p, k, tl_slide3(p, c, false), imposed), along_axes(p, k, tl_slide3(p, c, true), before);
    for (int side = 0; side < 2; side++) {
        const double sign = side == 0 ? -1 : 1;
        double U[3] = {0, 0, 0}, U_before[3];
        if (end[side].matter != 0) {
            const tl_matter *m = p->given.of[end[side].matter];
            double homogeneous[3];
            m->ops->velocity(m, &k->port[side], p->given.v_of[end[side].matter], true, U);
            m->ops->velocity(m, &k->port[side], p->given.v_of[end[side].matter], false, homogeneous);
            for (int axis = 0; axis < 3; axis++) U[axis] -= homogeneous[axis];
            m->ops->velocity_before(m, &k->port[side], U_before);
        } else {
            const int item = end[side].item;
            if (k->row[side] < 0) along_axes(p, k, tl_point_velocity3(p, c, side, &p->v_free[item]), U);
            along_axes(p, k, tl_point_velocity3(p, c, side, &p->v_before[item]), U_before);
        }
        for (int axis = 0; axis < 3; axis++) {
            imposed[axis] += sign * U[axis];
            before[axis] += sign * U_before[axis];
        }
    }
    memcpy(k->before, before, sizeof k->before);
    tl_bind_law3(p, c, before[0]);
    for (int axis = 0; axis < 3; axis++) k->shift[axis] = imposed[axis];
    k->shift[0] += c->shift;
}

/* The ports of one matter lie in one array for bind(), then go back to their contacts with their slots. */
static talus_status bind_ports(tl_problem3 *p, tl_step *step, int m)
{
    int n = 0;
    for (int i = 0; i < p->coupleds; i++) n += (p->coupled[i].matter[0] == m) + (p->coupled[i].matter[1] == m);
    if (n == 0) return TALUS_OK;
    tl_port *ports = tl_arena_alloc(step->arena, (size_t)n, sizeof *ports);
    if (!ports) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d contacts", n);
    n = 0;
    for (int i = 0; i < p->coupleds; i++)
        for (int side = 0; side < 2; side++)
            if (p->coupled[i].matter[side] == m) ports[n++] = p->coupled[i].port[side];
    TL_TRY(p->matter[m]->ops->bind(p->matter[m], step, ports, n));
    TL_TRY(tl_condense(&p->given, m, 3, ports, n, step));
    n = 0;
    for (int i = 0; i < p->coupleds; i++)
        for (int side = 0; side < 2; side++) {
            tl_coupled3 *k = &p->coupled[i];
            if (k->matter[side] != m) continue;
            k->port[side] = ports[n++];
            k->nv[side] = p->matter[m]->nv;
            if (p->matter[m]->ops->rows) p->matter[m]->ops->rows(p->matter[m], &k->port[side], &k->H[side], &k->Y[side]);
        }
    return TALUS_OK;
}

static talus_status prepare_coupled(tl_problem3 *p, tl_step *step)
{
    tl_row3 *rows = tl_arena_zero(step->arena, (size_t)p->rows, sizeof *rows);
    double **zero = tl_arena_zero(step->arena, (size_t)p->matters, sizeof *zero);
    if (!rows || !zero) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d contacts", p->coupleds);
    for (int m = 1; m < p->matters; m++) {
        zero[m] = tl_arena_zero(step->arena, (size_t)p->matter[m]->nv + 1, sizeof **zero);
        if (!zero[m]) return tl_fail(step->error, TALUS_MEMORY, "no memory for a mechanism");
    }
    int kept = 0;
    for (int i = 0; i < p->coupleds; i++) {
        tl_coupled3 k = p->coupled[i];
        tl_contact *c = &p->contact[k.contact];
        measure_delassus(p, &k, rows, zero);
        if (!(k.W.nn > 0)) continue; /* neither end can move along n: no impulse changes anything */
        bind_shift(p, c, &k);
        k.law = tl_coulomb3_prepare(&k.W, c->friction);
        c->I[0] += c->offset;
        memcpy(k.I, c->I, sizeof k.I);
        p->spokes += tl_is_spoke3(p, c);
        p->coupled[kept++] = k;
    }
    p->coupleds = kept;
    return TALUS_OK;
}

void tl_problem3_set_rows(tl_problem3 *p)
{
    for (int i = 0; i < p->bodies; i++) make_row(p, i, &p->row[i]);
    tl_problem3_spread(p, p->row);
}

static talus_status bind_rows(tl_problem3 *p, tl_step *step)
{
    TL_TRY(find_hubs(p, step));
    TL_TRY(share_contacts(p, step));
    if ((size_t)p->rows > UINT32_MAX / sizeof *p->row)
        return tl_fail(step->error, TALUS_MEMORY, "%d bodies with %d contacts are too many for one problem", p->bodies, p->contacts);
    p->row = tl_arena_zero(step->arena, (size_t)p->rows, sizeof *p->row);
    p->s = tl_arena_alloc(step->arena, (size_t)p->bodies + 1, sizeof *p->s);
    p->j = tl_arena_alloc(step->arena, (size_t)p->bodies + 1, sizeof *p->j);
    if (!p->row || !p->s || !p->j) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d bodies", p->bodies);
    for (int i = 0; i < p->bodies; i++) {
        const tl_vec3 *j = &p->inverse_inertia[i];
        p->s[i] = sqrt(p->parts[i] * p->inverse_mass[i]);
        p->j[i] = tl_v3(sqrt(p->parts[i] * j->x), sqrt(p->parts[i] * j->y), sqrt(p->parts[i] * j->z));
    }
    tl_problem3_set_rows(p);
    return TALUS_OK;
}

static talus_status bind_coupled(tl_problem3 *p, tl_step *step)
{
    p->coupleds = p->spokes = 0;
    for (int i = 0; i < p->contacts; i++) p->coupleds += tl_is_coupled3(p, &p->contact[i]);
    if (p->coupleds == 0) return TALUS_OK;
    p->coupled = tl_arena_zero(step->arena, (size_t)p->coupleds, sizeof *p->coupled);
    if (!p->coupled) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d contacts", p->coupleds);
    int n = 0;
    for (int i = 0; i < p->contacts; i++) {
        const tl_contact *c = &p->contact[i];
        if (!tl_is_coupled3(p, c)) continue;
        tl_coupled3 *k = &p->coupled[n++];
        const tl_place end[2] = {c->a, c->b};
        k->contact = i;
        tl_tangents(c->n, &k->t, &k->s);
        for (int side = 0; side < 2; side++) {
            k->matter[side] = end[side].matter;
            k->row[side] = -1;
            if (end[side].matter == 0) bind_row_end(p, end[side], k, side);
            else k->port[side] = make_port(p, k, end[side].item, side);
        }
    }
    for (int m = 1; m < p->matters; m++) TL_TRY(bind_ports(p, step, m));
    if (p->given.matter) p->matter = p->given.matter, p->v = p->given.v;
    return prepare_coupled(p, step);
}

/* The entry of a contact; NULL: it has none. */
static const tl_coupled3 *coupled_of(const tl_problem3 *p, int contact)
{
    int low = 0, high = p->coupleds;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (p->coupled[middle].contact < contact) low = middle + 1;
        else high = middle;
    }
    return low < p->coupleds && p->coupled[low].contact == contact ? &p->coupled[low] : NULL;
}

static talus_status matter_mobility(const tl_problem3 *p, tl_step *step, const int range[2], const double *weight, int side, double *out)
{
    const tl_place end = side ? p->contact[range[0]].b : p->contact[range[0]].a;
    const tl_matter *m = p->given.of[end.matter];
    double *v = tl_arena_zero(step->arena, (size_t)m->nv + 1, sizeof *v);
    if (!v) return tl_fail(step->error, TALUS_MEMORY, "no memory for a mechanism");
    for (int i = range[0]; i < range[1]; i++) {
        const tl_coupled3 *k = coupled_of(p, i);
        if (k) m->ops->impulse(m, &k->port[side], (double[3]){weight[i - range[0]], 0, 0}, v);
    }
    for (int i = range[0]; i < range[1]; i++) {
        const tl_coupled3 *k = coupled_of(p, i);
        double U[3] = {0, 0, 0};
        if (k) m->ops->velocity(m, &k->port[side], v, false, U);
        *out += weight[i - range[0]] * U[0];
    }
    return TALUS_OK;
}

talus_status tl_problem3_mobility(const tl_problem3 *p, tl_step *step, int first, int end, const double *weight, double *mobility)
{
    *mobility = 0;
    for (int side = 0; side < 2; side++) {
        const tl_place of = side ? p->contact[first].b : p->contact[first].a;
        tl_vec3 push = {0, 0, 0}, moment = {0, 0, 0};
        if (of.matter != 0) {
            TL_TRY(matter_mobility(p, step, (int[2]){first, end}, weight, side, mobility));
            continue;
        }
        for (int i = first; i < end; i++) {
            const tl_contact *c = &p->contact[i];
            push = tl_add(push, tl_scale(weight[i - first], c->n));
            moment = tl_add(moment, tl_scale(weight[i - first], tl_cross(c->arm[side], c->n)));
        }
        const tl_vec3 own = tl_mat3_apply_t(&p->frame[of.item].R, moment);
        *mobility += p->inverse_mass[of.item] * tl_dot(push, push) + tl_dot(own, times(p->inverse_inertia[of.item], own));
    }
    return TALUS_OK;
}

/* ---- other constraints -------------------------------------------------------------------------------------------- */

static bool grain_moves(const void *problem, int body) { return tl_moves3(problem, (tl_place){0, body}); }

/* Where the scaling of a row lies between linear and angular part, nothing is read and nothing written. */
static void grain_row(const void *problem, int body, tl_vec3 arm, const tl_wrench *w, double *H, double *share)
{
    const tl_problem3 *p = problem;
    const tl_vec3 moment = tl_add(tl_cross(arm, w->force), w->moment);
    *share = 1.0 / p->parts[body]; /* of a split grain the row is a part's, that stands for the whole (tl_problem3_spread) */
    tl_store3(&H[0], tl_scale(p->s[body], w->force));
    H[3] = 0;
    tl_store3(&H[4], times(p->j[body], is_round(p, body) ? moment : tl_mat3_apply_t(&p->frame[body].R, moment)));
}

static void grain_twist(const void *problem, int body, tl_vec3 arm, bool before, tl_vec3 *v, tl_vec3 *w)
{
    const tl_problem3 *p = problem;
    const tl_twist3 *u = before ? &p->v_before[body] : &p->v_free[body];
    *w = tl_mat3_apply(&p->frame[body].R, u->w);
    *v = tl_add(u->v, tl_cross(*w, arm));
}

static void groups_of(const void *problem, int contact, int group[2])
{
    const tl_problem3 *p = problem;
    const tl_place end[2] = {p->contact[contact].a, p->contact[contact].b};
    for (int side = 0; side < 2; side++) {
        group[side] = -1;
        if (tl_moves3(p, end[side])) group[side] = end[side].matter != 0 ? p->bodies + end[side].matter : end[side].item;
    }
}

static const tl_interaction *law_of(const void *problem, int contact) { return ((const tl_problem3 *)problem)->contact[contact].law; }

static talus_status choose_blocks(tl_problem3 *p, tl_step *step)
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
                                      .numbers = 6,
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

static tl_block_contact block_contact(const tl_problem3 *p, const tl_contact *c)
{
    tl_block_contact out = {
        .matter = {c->a.matter, c->b.matter},
        .item = {c->a.item, c->b.item},
        .at = {c->at[0], c->at[1]},
        .arm = {c->arm[0], c->arm[1]},
        .axis = {c->n},
        .loose = c->contactor_a >= 0,
        .law = c->law,
        .view = {.gap = c->gap, .h = p->h, .struck = c->struck, .share = c->points > 1 ? 1.0 / c->points : 1, .weight = c->weight, .state = c->state},
        .gap = tl_law_gap(c->law, c->state, c->gap),
        .I = c->I,
        .moment = c->law->resists && p->moments ? tl_moment_of(p->moments, c->key) : NULL};
    for (int side = 0; side < 2; side++) { /* spheres are met at their surfaces, as in packs */
        const double radius = out.matter[side] == 0 && p->radius && grain_moves(p, out.item[side]) ? p->radius[out.item[side]] : 0;
        if (radius > 0) out.arm[side] = tl_scale(side == 0 ? radius : -radius, c->n);
    }
    tl_tangents(c->n, &out.axis[1], &out.axis[2]);
    if (p->slide.sheared) {
        const tl_vec3 now = tl_slide3(p, c, false);
        for (int axis = 0; axis < 3; axis++) out.imposed[axis] = tl_dot(now, out.axis[axis]);
        out.view.before = tl_dot(tl_slide3(p, c, true), c->n);
    }
    return out;
}

/* Those that are given, then contacts. */
static talus_status bind_blocks(tl_problem3 *p, tl_step *step)
{
    const tl_velocities v = tl_problem3_velocities(p);
    if (!p->blocks) return TALUS_OK;
    const int all = p->constraints + p->block_contacts;
    tl_constraint *constraint = tl_arena_alloc(step->arena, (size_t)all + 1, sizeof *constraint);
    if (!constraint) return tl_fail(step->error, TALUS_MEMORY, "no memory for the constraints of a step");
    for (int i = 0; i < p->constraints; i++) constraint[i] = p->constraint[i];
    for (int i = 0; i < p->block_contacts; i++) {
        const tl_block_contact c = block_contact(p, &p->contact[p->block_contact[i]]);
        TL_TRY(tl_block_contact_make(&c, step, &constraint[p->constraints + i]));
    }
    p->blocks->grains = (tl_grain_rows){p, p->bodies, sizeof(tl_row3) / sizeof(double), 7, grain_moves, grain_row, grain_twist};
    p->blocks->matter = p->given.of, p->blocks->matters = p->matters, p->blocks->slop = p->slop;
    TL_TRY(tl_blocks_bind(p->blocks, constraint, all, &v, step));
    for (int i = 0; i < p->block_contacts; i++) {
        const tl_block *k = &p->blocks->block[p->constraints + i];
        tl_contact *c = &p->contact[p->block_contact[i]];
        c->shift = k->bound.shift, c->friction = k->bound.friction, c->offset = k->bound.offset;
    }
    return TALUS_OK;
}

talus_status tl_problem3_bind(tl_problem3 *p, tl_step *step)
{
    p->given = (tl_stand_ins){.matters = p->matters, .of = p->matter, .v_of = p->v};
    p->kernels = tl_packs3_of_this_machine();
    TL_TRY(choose_blocks(p, step));
    TL_TRY(bind_rows(p, step));
    TL_TRY(bind_coupled(p, step));
    return bind_blocks(p, step);
}
/* Impulses of the contacts onto given velocities: of all other matter, or of that which has a stand-in. */
static void push(const tl_problem3 *p, bool condensed, double *const *v)
{
    for (int i = 0; i < p->coupleds; i++) {
        const tl_coupled3 *k = &p->coupled[i];
        for (int side = 0; side < 2; side++) {
            const double sign = side == 0 ? -1 : 1;
            const int g = k->matter[side];
            if (g == 0 || (condensed && !tl_stands_in(&p->given, g))) continue;
            p->given.of[g]->ops->impulse(p->given.of[g], &k->port[side],
                                         (double[3]){sign * (k->I[0] - p->contact[k->contact].offset), sign * k->I[1], sign * k->I[2]}, v[g]);
        }
    }
}

void tl_problem3_push(const tl_problem3 *p, double *const *v)
{
    push(p, false, v);
    if (p->blocks) tl_blocks_push(p->blocks, v);
}

void tl_problem3_recover(tl_problem3 *p)
{
    tl_stand_ins_restore(&p->given);
    if (p->given.first) push(p, true, p->given.v_of);
}

void tl_problem3_recover_drift(const tl_problem3 *p, double *const *w)
{
    for (int i = 0; p->given.first && i < p->coupleds; i++) {
        const tl_coupled3 *k = &p->coupled[i];
        for (int side = 0; side < 2; side++) {
            const int g = k->matter[side];
            if (tl_stands_in(&p->given, g))
                p->given.of[g]->ops->impulse(p->given.of[g], &k->port[side], (double[3]){side == 0 ? -k->drift : k->drift, 0, 0}, w[g]);
        }
    }
}

void tl_problem3_accumulate(const tl_problem3 *p)
{
    for (int i = 0; i < p->coupleds; i++) {
        const tl_coupled3 *k = &p->coupled[i];
        for (int side = 0; side < 2; side++) {
            const double sign = side == 0 ? -1 : 1;
            if (k->matter[side] == 0) continue;
            tl_matter *m = p->given.of[k->matter[side]];
            m->ops->accumulate(m, &k->port[side], (double[3]){sign * (k->I[0] - p->contact[k->contact].offset), sign * k->I[1], sign * k->I[2]});
        }
    }
    if (p->blocks) tl_blocks_accumulate(p->blocks);
}
