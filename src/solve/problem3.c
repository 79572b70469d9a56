/* From contacts to the spatial problem: ports, colours, packs. */
#include "solve/packs3.h"

#include <string.h>

static bool moves(const tl_problem3 *p, tl_end3 end)
{
    const tl_vec3 *j = &p->inverse_inertia[end.item];
    return end.matter != 0 || p->inverse_mass[end.item] > 0 || j->x > 0 || j->y > 0 || j->z > 0;
}

static bool is_coupled(const tl_contact3 *c) { return c->a.matter != 0 || c->b.matter != 0; }

/* The numbers that enter the law beside V: restitution (on approach only), the anticipated gap. */
static double law_shift(const tl_problem3 *p, const tl_contact3 *c, double normal_velocity_before)
{
    double shift = c->anticipated && c->gap > 0 ? c->gap / p->h : 0;
    if (c->restitution > 0 && normal_velocity_before < 0) shift += c->restitution * normal_velocity_before;
    return shift;
}

/* Velocity of a boundary or grain at the contact point, world axes. */
static tl_vec3 point_velocity(const tl_problem3 *p, const tl_contact3 *c, int item, const tl_twist3 *v)
{
    const tl_vec3 spin = tl_mat3_apply(&p->frame[item].R, v->w);
    return tl_add(v->v, tl_cross(spin, tl_sub(c->x, p->frame[item].p)));
}

/* ---- rows --------------------------------------------------------------------------------------------------------- */

/* Where the moments of inertia are equal all axes are principal, and the world's need no turning. */
static bool is_round(const tl_problem3 *p, int body)
{
    const tl_vec3 *j = &p->inverse_inertia[body];
    return j->x == j->y && j->y == j->z;
}

static tl_vec3 times(tl_vec3 a, tl_vec3 b) { return tl_v3(a.x * b.x, a.y * b.y, a.z * b.z); }

/* J^{-1/2} Rᵀ (r × axis): what an impulse along the axis at x does to the angular part of a row. */
static tl_vec3 angular_row(const tl_problem3 *p, int body, tl_vec3 x, tl_vec3 axis)
{
    const tl_vec3 moment = tl_cross(tl_sub(x, p->frame[body].p), axis);
    return times(p->j[body], is_round(p, body) ? moment : tl_mat3_apply_t(&p->frame[body].R, moment));
}

static double reciprocal(double x) { return x > 0 ? 1 / x : 0; }

static void make_row(const tl_problem3 *p, int body, tl_row3 *row)
{
    const tl_twist3 *v = &p->v_free[body];
    const tl_vec3 j = p->j[body], w = is_round(p, body) ? tl_mat3_apply(&p->frame[body].R, v->w) : v->w;
    const double root = reciprocal(p->s[body]);
    *row = (tl_row3){{root * v->v.x, root * v->v.y, root * v->v.z, 0}, {reciprocal(j.x) * w.x, reciprocal(j.y) * w.y, reciprocal(j.z) * w.z, 0}};
}

tl_twist3 tl_row3_twist(const tl_problem3 *p, int body, const tl_row3 *row)
{
    const tl_vec3 w = times(p->j[body], tl_load3(row->w));
    return (tl_twist3){tl_scale(p->s[body], tl_load3(row->v)), is_round(p, body) ? tl_mat3_apply_t(&p->frame[body].R, w) : w};
}

tl_twist3 tl_problem3_velocity(const tl_problem3 *p, int body)
{
    return moves(p, (tl_end3){0, body}) ? tl_row3_twist(p, body, &p->row[body]) : p->v_free[body];
}

/* ---- parts -------------------------------------------------------------------------------------------------------- */

enum { SHARE = 32 }; /* contacts of a part: half of the colours, the others are for what its neighbours have taken */

static talus_status count_parts(tl_problem3 *p, tl_step *step, int *count)
{
    for (int i = 0; i < p->contacts; i++) {
        const tl_contact3 *c = &p->contact[i];
        if (is_coupled(c)) continue;
        count[c->a.item]++;
        count[c->b.item]++;
    }
    p->rows = p->bodies + TL_NOBODY3;
    p->splits = 0;
    for (int i = 0; i < p->bodies; i++) {
        const bool many = count[i] > TL_COLORS3 && moves(p, (tl_end3){0, i});
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
    return TALUS_OK;
}

/* Each contact's rows: of a split grain one after the other, so that what touches it at several points stays at one part. */
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
        const tl_end3 end[2] = {p->contact[i].a, p->contact[i].b};
        for (int side = 0; side < 2; side++) {
            const int body = end[side].item;
            p->end_row[i][side] = body;
            if (is_coupled(&p->contact[i]) || p->parts[body] == 1) continue;
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

/* ---- contacts with other matter ----------------------------------------------------------------------------------- */

static tl_vec3 axis_of(const tl_problem3 *p, const tl_coupled3 *k, int axis) { return axis == 0 ? p->contact[k->contact].n : (axis == 1 ? k->t : k->s); }

static tl_port make_port(const tl_problem3 *p, const tl_coupled3 *k, int item)
{
    tl_port port = {.item = item};
    tl_store3(port.x, p->contact[k->contact].x);
    for (int axis = 0; axis < 3; axis++) tl_store3(port.axes[axis], axis_of(p, k, axis));
    return port;
}

static void bind_row_end(const tl_problem3 *p, tl_end3 end, tl_coupled3 *k, int side)
{
    k->row[side] = moves(p, end) ? end.item : -1;
    if (k->row[side] < 0) return;
    k->m[side] = p->s[end.item];
    for (int axis = 0; axis < 3; axis++) k->turn[side][axis] = angular_row(p, end.item, p->contact[k->contact].x, axis_of(p, k, axis));
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
            for (int axis = 0; axis < 3; axis++) U[axis] = k->m[side] * tl_dot(axis_of(p, k, axis), linear) + tl_dot(k->turn[side][axis], angular);
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
                angular = tl_add(angular, tl_scale(J[axis], k->turn[side][axis]));
            }
            tl_store3(r->v, linear);
            tl_store3(r->w, angular);
        }
    }
}

/* W = Hᵀ M̃⁻¹ H by what unit impulses do, on velocities that are otherwise zero: right also when both ends belong to one mechanism. */
static void measure_delassus(const tl_problem3 *p, tl_coupled3 *k, tl_row3 *rows, double *const *zero)
{
    double column[3][3];
    for (int axis = 0; axis < 3; axis++) {
        tl_coupled3_impulse(p, k, rows, zero, (double[3]){axis == 0, axis == 1, axis == 2});
        tl_coupled3_velocity(p, k, rows, zero, column[axis]);
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

static void bind_shift(const tl_problem3 *p, tl_contact3 *c, tl_coupled3 *k)
{
    const tl_end3 end[2] = {c->a, c->b};
    double imposed[3] = {0, 0, 0}, before[3] = {0, 0, 0};
    for (int side = 0; side < 2; side++) {
        const double sign = side == 0 ? -1 : 1;
        double U[3] = {0, 0, 0}, U_before[3];
        if (end[side].matter != 0) {
            const tl_matter *m = p->matter[end[side].matter];
            double homogeneous[3];
            m->ops->velocity(m, &k->port[side], p->v[end[side].matter], true, U);
            m->ops->velocity(m, &k->port[side], p->v[end[side].matter], false, homogeneous);
            for (int axis = 0; axis < 3; axis++) U[axis] -= homogeneous[axis];
            m->ops->velocity_before(m, &k->port[side], U_before);
        } else {
            const int item = end[side].item;
            if (k->row[side] < 0) along_axes(p, k, point_velocity(p, c, item, &p->v_free[item]), U);
            along_axes(p, k, point_velocity(p, c, item, &p->v_before[item]), U_before);
        }
        for (int axis = 0; axis < 3; axis++) {
            imposed[axis] += sign * U[axis];
            before[axis] += sign * U_before[axis];
        }
    }
    c->V[0] = law_shift(p, c, before[0]);
    for (int axis = 0; axis < 3; axis++) k->shift[axis] = imposed[axis];
    k->shift[0] += c->V[0];
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
        tl_contact3 *c = &p->contact[k.contact];
        measure_delassus(p, &k, rows, zero);
        if (!(k.W.nn > 0)) continue; /* neither end can move along n: no impulse changes anything */
        bind_shift(p, c, &k);
        k.law = tl_coulomb3_prepare(&k.W, c->friction);
        memcpy(k.I, c->I, sizeof k.I);
        p->coupled[kept++] = k;
    }
    p->coupleds = kept;
    return TALUS_OK;
}

static talus_status bind_rows(tl_problem3 *p, tl_step *step)
{
    TL_TRY(share_contacts(p, step));
    if ((size_t)p->rows > UINT32_MAX / sizeof *p->row) return tl_fail(step->error, TALUS_MEMORY, "%d bodies are too many for one problem", p->bodies);
    p->row = tl_arena_zero(step->arena, (size_t)p->rows, sizeof *p->row);
    p->s = tl_arena_alloc(step->arena, (size_t)p->bodies + TL_NOBODY3, sizeof *p->s);
    p->j = tl_arena_alloc(step->arena, (size_t)p->bodies + TL_NOBODY3, sizeof *p->j);
    if (!p->row || !p->s || !p->j) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d bodies", p->bodies);
    for (int i = 0; i < p->bodies; i++) {
        const tl_vec3 *j = &p->inverse_inertia[i];
        p->s[i] = sqrt(p->parts[i] * p->inverse_mass[i]);
        p->j[i] = tl_v3(sqrt(p->parts[i] * j->x), sqrt(p->parts[i] * j->y), sqrt(p->parts[i] * j->z));
        make_row(p, i, &p->row[i]);
    }
    for (int k = 0; k < p->splits; k++)
        for (int i = 0; i < p->split[k].parts - 1; i++) p->row[p->split[k].first + i] = p->row[p->split[k].body];
    return TALUS_OK;
}

talus_status tl_problem3_bind(tl_problem3 *p, tl_step *step)
{
    p->kernels = tl_packs3_of_this_machine();
    TL_TRY(bind_rows(p, step));
    p->coupleds = 0;
    for (int i = 0; i < p->contacts; i++) p->coupleds += is_coupled(&p->contact[i]);
    if (p->coupleds == 0) return TALUS_OK;
    p->coupled = tl_arena_zero(step->arena, (size_t)p->coupleds, sizeof *p->coupled);
    if (!p->coupled) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d contacts", p->coupleds);
    int n = 0;
    for (int i = 0; i < p->contacts; i++) {
        const tl_contact3 *c = &p->contact[i];
        if (!is_coupled(c)) continue;
        tl_coupled3 *k = &p->coupled[n++];
        const tl_end3 end[2] = {c->a, c->b};
        k->contact = i;
        tl_tangents(c->n, &k->t, &k->s);
        for (int side = 0; side < 2; side++) {
            k->matter[side] = end[side].matter;
            k->row[side] = -1;
            if (end[side].matter == 0) bind_row_end(p, end[side], k, side);
            else k->port[side] = make_port(p, k, end[side].item);
        }
    }
    for (int m = 1; m < p->matters; m++) TL_TRY(bind_ports(p, step, m));
    return prepare_coupled(p, step);
}

void tl_problem3_accumulate(const tl_problem3 *p)
{
    for (int i = 0; i < p->coupleds; i++) {
        const tl_coupled3 *k = &p->coupled[i];
        for (int side = 0; side < 2; side++) {
            const double sign = side == 0 ? -1 : 1;
            if (k->matter[side] == 0) continue;
            tl_matter *m = p->matter[k->matter[side]];
            m->ops->accumulate(m, &k->port[side], (double[3]){sign * k->I[0], sign * k->I[1], sign * k->I[2]});
        }
    }
}

/* ---- colours and packs -------------------------------------------------------------------------------------------- */

/* The lowest colour that neither grain has; where both together have them all, the serial tail. */
static int first_free(uint64_t used) { return ~used ? __builtin_ctzll(~used) : TL_COLORS3; }

/* Do spheres meet: moments of inertia equal, the contact straight out from the centre? The points of a detected one are off by rounding. */
static bool sphere_end(const tl_problem3 *p, const tl_contact3 *c, int item)
{
    const tl_vec3 r = tl_sub(c->x, p->frame[item].p), moment = tl_cross(r, c->n);
    return is_round(p, item) && tl_dot(moment, moment) <= 1e-22 * tl_dot(r, r);
}

static bool of_spheres(const tl_problem3 *p, const tl_contact3 *c)
{
    return (!moves(p, c->a) || sphere_end(p, c, c->a.item)) && (!moves(p, c->b) || sphere_end(p, c, c->b.item));
}

/* Grains that touch other matter, and those pressed against them: a heavy machine on light grains is what sweeps are slow to settle, and more sweeps
 * of its neighbourhood cost little. */
static talus_status mark_near(tl_problem3 *p, tl_step *step)
{
    p->near = tl_arena_zero(step->arena, (size_t)p->bodies + 1, sizeof *p->near);
    bool *touching = tl_arena_zero(step->arena, (size_t)p->bodies + 1, sizeof *touching);
    if (!p->near || !touching) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d bodies", p->bodies);
    for (int i = 0; i < p->coupleds; i++)
        for (int side = 0; side < 2; side++)
            if (p->coupled[i].row[side] >= 0) p->near[p->coupled[i].row[side]] = touching[p->coupled[i].row[side]] = true;
    for (int i = 0; p->coupleds > 0 && i < p->contacts; i++) {
        const tl_contact3 *c = &p->contact[i];
        if (is_coupled(c) || !(c->I[0] > 0) || !moves(p, c->a) || !moves(p, c->b)) continue;
        if (touching[c->a.item]) p->near[c->b.item] = true;
        if (touching[c->b.item]) p->near[c->a.item] = true;
    }
    return TALUS_OK;
}

static int rank_of(const tl_problem3 *p, const tl_contact3 *c)
{
    if (p->near[c->a.item] || p->near[c->b.item]) return TL_NEAR3;
    return c->I[0] > 0 ? TL_PRESSED3 : TL_OPEN3; /* sweeps pass packs of open ones by */
}

static int class_of(const tl_problem3 *p, const tl_contact3 *c) { return (of_spheres(p, c) ? 0 : TL_RANKS3) + rank_of(p, c); }

/* color[i]: −1 for none; `count`: of each class. By rank: the first get the fewest colours, and the fullest packs. */
static talus_status assign_colors(tl_problem3 *p, tl_step *step, int8_t *color, int count[TL_COLORS3 + 1][TL_NOBODY3])
{
    uint64_t *used = tl_arena_zero(step->arena, (size_t)p->rows, sizeof *used);
    if (!used) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d colours", p->bodies);
    const uint64_t reserved = (uint64_t)1 << TL_COLORS3; /* never a free colour */
    for (int i = 0; i < TL_RANKS3 * p->contacts; i++) {
        const int at = i % p->contacts;
        const tl_contact3 *c = &p->contact[at];
        if (i < p->contacts) color[at] = -1;
        if (is_coupled(c) || rank_of(p, c) != i / p->contacts) continue;
        const bool a = moves(p, c->a), b = moves(p, c->b);
        const int row_a = p->end_row[at][0], row_b = p->end_row[at][1];
        if (!a && !b) continue;
        const uint64_t taken = reserved | (a ? used[row_a] : 0) | (b ? used[row_b] : 0);
        const int k = first_free(taken);
        color[at] = (int8_t)k;
        count[k][class_of(p, c)]++;
        if (k == TL_COLORS3) continue;
        if (a) used[row_a] |= (uint64_t)1 << k;
        if (b) used[row_b] |= (uint64_t)1 << k;
    }
    return TALUS_OK;
}

static void put(tl_lanes3 *to, int lane, tl_vec3 v) { to->x[lane] = v.x, to->y[lane] = v.y, to->z[lane] = v.z; }

static tl_vec3 turned(double c, tl_vec3 t, double s, tl_vec3 other) { return tl_add(tl_scale(c, t), tl_scale(s, other)); }

/* W of two grains from their rows along n, t, s. */
static tl_delassus3 delassus(double linear, tl_vec3 const a[3], tl_vec3 const b[3])
{
    return (tl_delassus3){.nn = linear + tl_dot(a[0], a[0]) + tl_dot(b[0], b[0]),
                          .nt = tl_dot(a[0], a[1]) + tl_dot(b[0], b[1]),
                          .ns = tl_dot(a[0], a[2]) + tl_dot(b[0], b[2]),
                          .tt = linear + tl_dot(a[1], a[1]) + tl_dot(b[1], b[1]),
                          .ts = tl_dot(a[1], a[2]) + tl_dot(b[1], b[2]),
                          .ss = linear + tl_dot(a[2], a[2]) + tl_dot(b[2], b[2])};
}

/* What the law adds to u_n, left in V for the write-back, and the velocity of the end that does not move, world axes, candidate less antagonist. */
static tl_vec3 bind_lane_shift(const tl_problem3 *p, tl_contact3 *c)
{
    tl_vec3 imposed = tl_v3(0, 0, 0);
    if (!moves(p, c->a)) imposed = tl_scale(-1, point_velocity(p, c, c->a.item, &p->v_free[c->a.item]));
    if (!moves(p, c->b)) imposed = point_velocity(p, c, c->b.item, &p->v_free[c->b.item]);
    double before = 0;
    if (c->restitution > 0) {
        const tl_vec3 a = point_velocity(p, c, c->a.item, &p->v_before[c->a.item]), b = point_velocity(p, c, c->b.item, &p->v_before[c->b.item]);
        before = tl_dot(c->n, tl_sub(b, a));
    }
    c->V[0] = law_shift(p, c, before);
    return tl_add(imposed, tl_scale(c->V[0], c->n));
}

/* Makes the rows of a sphere exactly what its pack says, 0, k s, −k t. */
static double sphere_rows(const tl_vec3 axis[3], tl_vec3 rows[3])
{
    const double k = tl_dot(rows[1], axis[2]);
    rows[0] = tl_v3(0, 0, 0);
    rows[1] = tl_scale(k, axis[2]);
    rows[2] = tl_scale(-k, axis[1]);
    return k;
}

static double trace_of_end(double s, const tl_vec3 rows[3])
{
    return 3 * s * s + tl_dot(rows[0], rows[0]) + tl_dot(rows[1], rows[1]) + tl_dot(rows[2], rows[2]);
}

static uint32_t place_of(int row) { return (uint32_t)row * (uint32_t)sizeof(tl_row3); }

/* Vectors turn round with the ends: the moving one is first. */
static void fill_lane(const tl_problem3 *p, tl_pack3 *pack, int lane, tl_contact3 *c)
{
    const int32_t *row = p->end_row[c - p->contact];
    const bool swap = !moves(p, c->a), b_moves = !swap && moves(p, c->b);
    const int a = swap ? c->b.item : c->a.item, b = swap ? c->a.item : c->b.item;
    const double sign = swap ? -1 : 1, sa = p->s[a], sb = b_moves ? p->s[b] : 0;
    tl_vec3 t0, s0, t, s, rows_a[3], rows_b[3] = {{0, 0, 0}};
    tl_tangents(c->n, &t0, &s0);
    const tl_vec3 n = tl_scale(sign, c->n), axes[3] = {n, t0, tl_scale(sign, s0)}; /* right-handed again */
    for (int k = 0; k < 3; k++) {
        rows_a[k] = angular_row(p, a, c->x, axes[k]);
        if (b_moves) rows_b[k] = angular_row(p, b, c->x, axes[k]);
    }
    const bool spheres = of_spheres(p, c);
    pack->ka[lane] = spheres ? sphere_rows(axes, rows_a) : 0;
    pack->kb[lane] = spheres ? sphere_rows(axes, rows_b) : 0;
    const tl_delassus3 W = delassus(sa * sa + sb * sb, rows_a, rows_b);
    const tl_coulomb3 law = tl_coulomb3_prepare(&W, c->friction);
    t = turned(law.cos, axes[1], law.sin, axes[2]);
    s = tl_cross(n, t);
    const tl_vec3 shift = tl_scale(sign, bind_lane_shift(p, c));
    const tl_vec3 I = tl_add(tl_scale(c->I[0], n), tl_scale(sign, turned(c->I[1], t0, c->I[2], s0)));
    pack->a[lane] = place_of(row[swap]);
    pack->b[lane] = b_moves ? place_of(row[1]) : pack->a[lane];
    pack->third[lane] = (trace_of_end(sa, rows_a) / p->parts[a] + trace_of_end(sb, rows_b) / p->parts[b]) / 3;
    pack->sa[lane] = sa, pack->sb[lane] = sb;
    put(&pack->n, lane, n);
    put(&pack->t, lane, t);
    put(&pack->an, lane, rows_a[0]);
    put(&pack->at, lane, turned(law.cos, rows_a[1], law.sin, rows_a[2]));
    put(&pack->as, lane, turned(-law.sin, rows_a[1], law.cos, rows_a[2]));
    put(&pack->bn, lane, rows_b[0]);
    put(&pack->bt, lane, turned(law.cos, rows_b[1], law.sin, rows_b[2]));
    put(&pack->bs, lane, turned(-law.sin, rows_b[1], law.cos, rows_b[2]));
    pack->nn[lane] = law.nn, pack->inverse_nn[lane] = law.inverse_nn, pack->friction[lane] = law.friction;
    pack->w1[lane] = law.w1, pack->w2[lane] = law.w2, pack->s1[lane] = law.s1, pack->s2[lane] = law.s2;
    put(&pack->shift, lane, tl_v3(tl_dot(n, shift), tl_dot(t, shift), tl_dot(s, shift)));
    put(&pack->I, lane, tl_v3(c->I[0], tl_dot(t, I), tl_dot(s, I)));
}

static void fill_range(void *context, int begin, int end, int worker)
{
    tl_problem3 *p = context;
    (void)worker;
    for (int i = begin; i < end; i++) {
        tl_pack3 *pack = &p->pack[i];
        memset(pack, 0, sizeof *pack);
        const tl_contact3 *first = &p->contact[p->lane[i * TL_LANES]];
        const int nobody = p->bodies + class_of(p, first); /* only the last pack of a class has empty lanes */
        p->rank[i] = (uint8_t)rank_of(p, first);
        for (int lane = 0; lane < TL_LANES; lane++) {
            const int contact = p->lane[i * TL_LANES + lane];
            pack->a[lane] = pack->b[lane] = place_of(nobody);
            if (contact >= 0) fill_lane(p, pack, lane, &p->contact[contact]);
            else
                pack->nn[lane] = pack->inverse_nn[lane] = pack->s1[lane] = pack->s2[lane] = pack->third[lane] =
                    1; /* empty: no coefficients, no impulse, no error */
        }
    }
}

talus_status tl_problem3_color(tl_problem3 *p, tl_step *step)
{
    int count[TL_COLORS3 + 1][TL_NOBODY3] = {{0}}, next[TL_COLORS3 + 1][TL_NOBODY3];
    int8_t *color = tl_arena_alloc(step->arena, (size_t)p->contacts, sizeof *color);
    if (!color) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d contacts", p->contacts);
    TL_TRY(mark_near(p, step));
    TL_TRY(assign_colors(p, step, color, count));
    p->packs = p->colors = 0;
    for (int k = 0; k <= TL_COLORS3; k++) {
        p->color_begin[k] = p->packs;
        for (int class = 0; class < TL_NOBODY3; class ++) {
            if (class == TL_RANKS3) p->spheres_end[k] = p->packs;
            next[k][class] = p->packs * TL_LANES;
            p->packs += k == TL_COLORS3 ? count[k][class] : (count[k][class] + TL_LANES - 1) / TL_LANES;
            if (count[k][class] > 0 && k < TL_COLORS3) p->colors = k + 1;
        }
    }
    p->color_begin[TL_COLORS3 + 1] = p->packs;
    const size_t lanes = (size_t)p->packs * TL_LANES;
    p->pack = tl_arena_alloc(step->arena, (size_t)p->packs, sizeof *p->pack);
    p->lane = tl_arena_alloc(step->arena, lanes, sizeof *p->lane);
    p->rank = tl_arena_alloc(step->arena, (size_t)p->packs, sizeof *p->rank);
    if (!p->pack || !p->lane || !p->rank) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d contacts", p->contacts);
    for (size_t i = 0; i < lanes; i++) p->lane[i] = -1;
    for (int i = 0; i < p->contacts; i++) {
        if (color[i] < 0) continue;
        const bool tail = color[i] == TL_COLORS3;
        int *at = &next[color[i]][class_of(p, &p->contact[i])];
        p->lane[*at] = i;
        *at += tail ? TL_LANES : 1; /* the serial tail: one contact a pack */
    }
    tl_parallel_for(step->threads, p->packs, 128, fill_range, p);
    return TALUS_OK;
}
