/* From contacts to the planar problem: ports, colours, packs. */
#include "solve/bind2.h"
#include "solve/packs2.h"

#include <string.h>

static bool is_spoke(const tl_problem2 *p, const tl_contact *c)
{
    const bool grains = !c->block && c->a.matter == 0 && c->b.matter == 0;
    return p->is_hub && grains && tl_moves2(p, c->a) && tl_moves2(p, c->b) && (p->is_hub[c->a.item] || p->is_hub[c->b.item]);
}

/* Swept one after the other: what touches other matter, and the spokes of hubs. */
static bool is_coupled(const tl_problem2 *p, const tl_contact *c) { return !c->block && (c->a.matter != 0 || c->b.matter != 0 || is_spoke(p, c)); }

/* What the law says: what it adds to u_n, friction, offset. */
static void bind_law(const tl_problem2 *p, tl_contact *c, double normal_velocity_before)
{
    const double share = c->points > 1 ? 1.0 / c->points : 1;
    const tl_law_bound bound = tl_law_bind(c->law, &(tl_law_view){c->gap, p->h, c->struck, normal_velocity_before, share, c->weight, c->state});
    c->shift = bound.shift;
    c->friction = bound.friction;
    c->offset = bound.offset;
}

/* Velocity of a boundary or grain where it is met, along n and t. */
static void point_velocity(const tl_contact *c, bool candidate, const tl_twist2 *v, double V[2])
{
    const tl_vec3 r = c->arm[candidate];
    const tl_twist2 *u = &v[candidate ? c->b.item : c->a.item];
    const double vx = u->x - u->w * r.y, vy = u->y + u->w * r.x;
    V[0] = c->n.x * vx + c->n.y * vy;
    V[1] = c->n.x * vy - c->n.y * vx;
}

void tl_problem2_slide(const tl_problem2 *p, const tl_contact *c, bool before, double V[2])
{
    const double x = tl_slide_of(&p->slide, c->image, 0, before), y = tl_slide_of(&p->slide, c->image, 1, before);
    V[0] = c->n.x * x + c->n.y * y;
    V[1] = c->n.x * y - c->n.y * x;
}

void tl_problem2_before(const tl_problem2 *p, const tl_contact *c, double V[2])
{
    double A[2], B[2], slide[2];
    point_velocity(c, false, p->v_before, A);
    point_velocity(c, true, p->v_before, B);
    tl_problem2_slide(p, c, true, slide);
    V[0] = B[0] - A[0] + slide[0];
    V[1] = B[1] - A[1] + slide[1];
}

/* ---- contacts with other matter ----------------------------------------------------------------------------------- */

static tl_port make_port(const tl_contact *c, bool candidate)
{
    const tl_vec3 x = c->at[candidate];
    return (tl_port){.item = candidate ? c->b.item : c->a.item, .x = {x.x, x.y, 0}, .axes = {{c->n.x, c->n.y, 0}, {-c->n.y, c->n.x, 0}, {0, 0, 1}}};
}

static void bind_row_end(const tl_problem2 *p, const tl_contact *c, tl_place end, tl_coupled2 *k, int side)
{
    k->row[side] = tl_moves2(p, end) ? end.item : -1;
    if (k->row[side] < 0) return;
    const tl_vec3 r = c->arm[side];
    k->s[side] = p->s[end.item];
    k->cn[side] = p->j[end.item] * (r.x * c->n.y - r.y * c->n.x);
    k->ct[side] = p->j[end.item] * (r.x * c->n.x + r.y * c->n.y);
}

void tl_coupled2_velocity(const tl_problem2 *p, const tl_coupled2 *k, const tl_row2 *rows, double *const *v, double V[2])
{
    const tl_contact *c = &p->contact[k->contact];
    V[0] = V[1] = 0;
    for (int side = 0; side < 2; side++) {
        const double sign = side == 0 ? -1 : 1;
        double U[3] = {0, 0, 0};
        if (k->matter[side] != 0) {
            const tl_matter *m = p->matter[k->matter[side]];
            const double *x = v[k->matter[side]], *H = k->H[side];
            if (!H) m->ops->velocity(m, &k->port[side], x, false, U);
            for (int j = 0; H && j < k->nv[side]; j++) U[0] += H[j] * x[j], U[1] += H[k->nv[side] + j] * x[j];
        } else if (k->row[side] >= 0) {
            const tl_row2 *r = &rows[k->row[side]];
            U[0] = k->s[side] * (c->n.x * r->x + c->n.y * r->y) + k->cn[side] * r->w;
            U[1] = k->s[side] * (c->n.x * r->y - c->n.y * r->x) + k->ct[side] * r->w;
        }
        V[0] += sign * U[0];
        V[1] += sign * U[1];
    }
}

void tl_coupled2_impulse(const tl_problem2 *p, const tl_coupled2 *k, tl_row2 *rows, double *const *v, double n, double t)
{
    const tl_contact *c = &p->contact[k->contact];
    for (int side = 0; side < 2; side++) {
        const double sign = side == 0 ? -1 : 1, in = sign * n, it = sign * t;
        if (k->matter[side] != 0) {
            const tl_matter *m = p->matter[k->matter[side]];
            double *x = v[k->matter[side]];
            const double *Y = k->Y[side];
            if (!Y) m->ops->impulse(m, &k->port[side], (double[3]){in, it, 0}, x);
            for (int j = 0; Y && j < k->nv[side]; j++) x[j] += Y[j] * in + Y[k->nv[side] + j] * it;
        } else if (k->row[side] >= 0) {
            tl_row2 *r = &rows[k->row[side]];
            r->x += k->s[side] * (c->n.x * in - c->n.y * it);
            r->y += k->s[side] * (c->n.y * in + c->n.x * it);
            r->w += k->cn[side] * in + k->ct[side] * it;
        }
    }
}

/* W = Hᵀ M̃⁻¹ H by what unit impulses do, on velocities that are otherwise zero: right also when both ends belong to one mechanism. */
static void measure_delassus(tl_problem2 *p, tl_coupled2 *k, tl_row2 *rows, double *const *zero)
{
    double column[2][2];
    for (int axis = 0; axis < 2; axis++) {
        tl_coupled2_impulse(p, k, rows, zero, axis == 0, axis == 1);
        tl_coupled2_velocity(p, k, rows, zero, column[axis]);
        tl_stand_ins_settle(&p->given);
        for (int side = 0; side < 2; side++) {
            if (k->matter[side] != 0) memset(zero[k->matter[side]], 0, (size_t)p->matter[k->matter[side]]->nv * sizeof(double));
            else if (k->row[side] >= 0) rows[k->row[side]] = (tl_row2){0, 0, 0, 0};
        }
    }
    k->W = (tl_delassus2){column[0][0], 0.5 * (column[0][1] + column[1][0]), column[1][1]};
}

static void bind_shift(const tl_problem2 *p, tl_contact *c, tl_coupled2 *k)
{
    const tl_place end[2] = {c->a, c->b};
    double imposed[2] = {0, 0}, before[2] = {0, 0};
    if (p->slide.sheared) tl_problem2_slide(p, c, false, imposed), tl_problem2_slide(p, c, true, before);
    for (int side = 0; side < 2; side++) {
        const double sign = side == 0 ? -1 : 1;
        double U[3] = {0, 0, 0}, U_before[3];
        if (end[side].matter != 0) {
            const tl_matter *m = p->given.of[end[side].matter];
            double homogeneous[3];
            m->ops->velocity(m, &k->port[side], p->given.v_of[end[side].matter], true, U);
            m->ops->velocity(m, &k->port[side], p->given.v_of[end[side].matter], false, homogeneous);
            U[0] -= homogeneous[0], U[1] -= homogeneous[1];
            m->ops->velocity_before(m, &k->port[side], U_before);
        } else {
            if (k->row[side] < 0) point_velocity(c, side == 1, p->v_free, U);
            point_velocity(c, side == 1, p->v_before, U_before);
        }
        for (int axis = 0; axis < 2; axis++) {
            imposed[axis] += sign * U[axis];
            before[axis] += sign * U_before[axis];
        }
    }
    memcpy(k->before, before, sizeof k->before);
    bind_law(p, c, before[0]);
    k->shift[0] = imposed[0] + c->shift;
    k->shift[1] = imposed[1];
}

/* The ports of one matter lie in one array for bind(), then go back to their contacts with their slots. */
static talus_status bind_ports(tl_problem2 *p, tl_step *step, int m)
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
    TL_TRY(tl_condense(&p->given, m, 2, ports, n, step));
    n = 0;
    for (int i = 0; i < p->coupleds; i++)
        for (int side = 0; side < 2; side++) {
            tl_coupled2 *k = &p->coupled[i];
            if (k->matter[side] != m) continue;
            k->port[side] = ports[n++];
            k->nv[side] = p->matter[m]->nv;
            if (p->matter[m]->ops->rows) p->matter[m]->ops->rows(p->matter[m], &k->port[side], &k->H[side], &k->Y[side]);
        }
    return TALUS_OK;
}

static talus_status prepare_coupled(tl_problem2 *p, tl_step *step)
{
    tl_row2 *rows = tl_arena_zero(step->arena, (size_t)p->bodies + 1, sizeof *rows);
    double **zero = tl_arena_zero(step->arena, (size_t)p->matters, sizeof *zero);
    if (!rows || !zero) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d contacts", p->coupleds);
    for (int m = 1; m < p->matters; m++) {
        zero[m] = tl_arena_zero(step->arena, (size_t)p->matter[m]->nv + 1, sizeof **zero);
        if (!zero[m]) return tl_fail(step->error, TALUS_MEMORY, "no memory for a mechanism");
    }
    int kept = 0;
    for (int i = 0; i < p->coupleds; i++) {
        tl_coupled2 k = p->coupled[i];
        tl_contact *c = &p->contact[k.contact];
        measure_delassus(p, &k, rows, zero);
        if (!(k.W.nn > 0)) continue; /* neither end can move along n: no impulse changes anything */
        bind_shift(p, c, &k);
        k.friction = c->friction;
        k.law = tl_coulomb2_prepare(k.W, c->friction);
        c->I[0] += c->offset;
        k.I[0] = c->I[0], k.I[1] = c->I[1];
        p->coupled[kept++] = k;
    }
    p->coupleds = kept;
    return TALUS_OK;
}

static talus_status find_hubs(tl_problem2 *p, tl_step *step)
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
            if (tl_moves2(p, end[1 - side])) own->moving += 1 / points, own->mass += inverse_mass > 0 ? 1 / (points * inverse_mass) : 0;
            else own->unmoving++;
        }
    }
    for (int i = 0; i < p->bodies; i++) any |= is_hub[i] = tl_is_hub(&count[i], TL_COLORS, p->inverse_mass[i]);
    p->is_hub = any ? is_hub : NULL;
    return TALUS_OK;
}

static talus_status bind_coupled(tl_problem2 *p, tl_step *step)
{
    TL_TRY(find_hubs(p, step));
    p->coupleds = 0;
    for (int i = 0; i < p->contacts; i++) p->coupleds += is_coupled(p, &p->contact[i]);
    if (p->coupleds == 0) return TALUS_OK;
    p->coupled = tl_arena_zero(step->arena, (size_t)p->coupleds, sizeof *p->coupled);
    if (!p->coupled) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d contacts", p->coupleds);
    int n = 0;
    for (int i = 0; i < p->contacts; i++) {
        const tl_contact *c = &p->contact[i];
        if (!is_coupled(p, c)) continue;
        tl_coupled2 *k = &p->coupled[n++];
        const tl_place end[2] = {c->a, c->b};
        k->contact = i;
        for (int side = 0; side < 2; side++) {
            k->matter[side] = end[side].matter;
            k->row[side] = -1;
            if (end[side].matter == 0) bind_row_end(p, c, end[side], k, side);
            else k->port[side] = make_port(c, side == 1);
        }
    }
    for (int m = 1; m < p->matters; m++) TL_TRY(bind_ports(p, step, m));
    if (p->given.matter) p->matter = p->given.matter, p->v = p->given.v;
    return prepare_coupled(p, step);
}

/* The entry of a contact; NULL: it has none. */
static const tl_coupled2 *coupled_of(const tl_problem2 *p, int contact)
{
    int low = 0, high = p->coupleds;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (p->coupled[middle].contact < contact) low = middle + 1;
        else high = middle;
    }
    return low < p->coupleds && p->coupled[low].contact == contact ? &p->coupled[low] : NULL;
}

static talus_status matter_mobility(const tl_problem2 *p, tl_step *step, const int range[2], const double *weight, int side, double *out)
{
    const tl_place end = side ? p->contact[range[0]].b : p->contact[range[0]].a;
    const tl_matter *m = p->given.of[end.matter];
    double *v = tl_arena_zero(step->arena, (size_t)m->nv + 1, sizeof *v);
    if (!v) return tl_fail(step->error, TALUS_MEMORY, "no memory for a mechanism");
    for (int i = range[0]; i < range[1]; i++) {
        const tl_coupled2 *k = coupled_of(p, i);
        if (k) m->ops->impulse(m, &k->port[side], (double[3]){weight[i - range[0]], 0, 0}, v);
    }
    for (int i = range[0]; i < range[1]; i++) {
        const tl_coupled2 *k = coupled_of(p, i);
        double U[3] = {0, 0, 0};
        if (k) m->ops->velocity(m, &k->port[side], v, false, U);
        *out += weight[i - range[0]] * U[0];
    }
    return TALUS_OK;
}

talus_status tl_problem2_mobility(const tl_problem2 *p, tl_step *step, int first, int end, const double *weight, double *mobility)
{
    *mobility = 0;
    for (int side = 0; side < 2; side++) {
        const tl_place of = side ? p->contact[first].b : p->contact[first].a;
        double x = 0, y = 0, moment = 0;
        if (of.matter != 0) {
            TL_TRY(matter_mobility(p, step, (int[2]){first, end}, weight, side, mobility));
            continue;
        }
        for (int i = first; i < end; i++) {
            const tl_contact *c = &p->contact[i];
            const double w = weight[i - first];
            x += w * c->n.x, y += w * c->n.y;
            moment += w * (c->arm[side].x * c->n.y - c->arm[side].y * c->n.x);
        }
        *mobility += p->inverse_mass[of.item] * (x * x + y * y) + p->inverse_inertia[of.item] * moment * moment;
    }
    return TALUS_OK;
}

void tl_problem2_set_rows(tl_problem2 *p)
{
    for (int i = 0; i < p->bodies; i++) {
        if (!(p->s[i] > 0)) continue;
        const double root = 1 / p->s[i], root_j = p->j[i] > 0 ? 1 / p->j[i] : 0;
        p->row[i] = (tl_row2){root * p->v_free[i].x, root * p->v_free[i].y, root_j * p->v_free[i].w, 0};
    }
}

talus_status tl_problem2_bind(tl_problem2 *p, tl_step *step)
{
    p->given = (tl_stand_ins){.matters = p->matters, .of = p->matter, .v_of = p->v};
    p->kernels = tl_packs2_of_this_machine();
    if ((size_t)p->bodies >= UINT32_MAX / sizeof *p->row) return tl_fail(step->error, TALUS_MEMORY, "%d bodies are too many for one problem", p->bodies);
    p->row = tl_arena_zero(step->arena, (size_t)p->bodies + 1, sizeof *p->row);
    p->s = tl_arena_alloc(step->arena, (size_t)p->bodies + 1, sizeof *p->s);
    p->j = tl_arena_alloc(step->arena, (size_t)p->bodies + 1, sizeof *p->j);
    if (!p->row || !p->s || !p->j) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d bodies", p->bodies);
    for (int i = 0; i < p->bodies; i++) {
        p->s[i] = sqrt(p->inverse_mass[i]);
        p->j[i] = sqrt(p->inverse_inertia[i]);
    }
    tl_problem2_set_rows(p);
    TL_TRY(tl_problem2_choose_blocks(p, step));
    TL_TRY(bind_coupled(p, step));
    return tl_problem2_bind_blocks(p, step);
}
tl_twist2 tl_problem2_velocity(const tl_problem2 *p, int body)
{
    if (!tl_moves2(p, (tl_place){0, body})) return p->v_free[body];
    const tl_row2 *row = &p->row[body];
    const double s = p->s[body], j = p->j[body];
    return (tl_twist2){s * row->x, s * row->y, j > 0 ? j * row->w : p->v_free[body].w}; /* without inertia nothing changes its turning */
}

/* Impulses of the contacts onto given velocities: of all other matter, or of that which has a stand-in. */
static void push(const tl_problem2 *p, bool condensed, double *const *v)
{
    for (int i = 0; i < p->coupleds; i++) {
        const tl_coupled2 *k = &p->coupled[i];
        for (int side = 0; side < 2; side++) {
            const double sign = side == 0 ? -1 : 1;
            const int g = k->matter[side];
            if (g == 0 || (condensed && !tl_stands_in(&p->given, g))) continue;
            p->given.of[g]->ops->impulse(p->given.of[g], &k->port[side], (double[3]){sign * (k->I[0] - p->contact[k->contact].offset), sign * k->I[1], 0},
                                         v[g]);
        }
    }
}

void tl_problem2_push(const tl_problem2 *p, double *const *v)
{
    push(p, false, v);
    if (p->blocks) tl_blocks_push(p->blocks, v);
}

void tl_problem2_recover(tl_problem2 *p)
{
    tl_stand_ins_restore(&p->given);
    if (p->given.first) push(p, true, p->given.v_of);
}

void tl_problem2_recover_drift(const tl_problem2 *p, double *const *w)
{
    for (int i = 0; p->given.first && i < p->coupleds; i++) {
        const tl_coupled2 *k = &p->coupled[i];
        for (int side = 0; side < 2; side++) {
            const int g = k->matter[side];
            if (tl_stands_in(&p->given, g))
                p->given.of[g]->ops->impulse(p->given.of[g], &k->port[side], (double[3]){side == 0 ? -k->drift : k->drift, 0, 0}, w[g]);
        }
    }
}

void tl_problem2_accumulate(const tl_problem2 *p)
{
    for (int i = 0; i < p->coupleds; i++) {
        const tl_coupled2 *k = &p->coupled[i];
        for (int side = 0; side < 2; side++) {
            const double sign = side == 0 ? -1 : 1;
            if (k->matter[side] == 0) continue;
            tl_matter *m = p->given.of[k->matter[side]];
            m->ops->accumulate(m, &k->port[side], (double[3]){sign * (k->I[0] - p->contact[k->contact].offset), sign * k->I[1], 0});
        }
    }
    if (p->blocks) tl_blocks_accumulate(p->blocks);
}

/* ---- colours and packs -------------------------------------------------------------------------------------------- */

/* The lowest colour that neither grain has; beyond TL_COLORS contacts on one grain, the serial tail. */
static int first_free(uint64_t used) { return ~used ? __builtin_ctzll(~used) : TL_COLORS; }

static talus_status assign_colors(tl_problem2 *p, tl_step *step, int8_t *color, int count[TL_COLORS + 1])
{
    uint64_t *used = tl_arena_zero(step->arena, (size_t)p->bodies + 1, sizeof *used);
    if (!used) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d colours", p->bodies);
    const uint64_t reserved = (uint64_t)1 << TL_COLORS; /* never a free colour */
    for (int i = 0; i < p->contacts; i++) {
        const tl_contact *c = &p->contact[i];
        color[i] = -1;
        if (c->block || is_coupled(p, c)) continue; /* it is in no pack */
        const bool a = tl_moves2(p, c->a), b = tl_moves2(p, c->b);
        if (!a && !b) continue;
        const uint64_t taken = reserved | (a ? used[c->a.item] : 0) | (b ? used[c->b.item] : 0);
        const int k = first_free(taken);
        color[i] = (int8_t)k;
        count[k]++;
        if (k == TL_COLORS) continue;
        if (a) used[c->a.item] |= (uint64_t)1 << k;
        if (b) used[c->b.item] |= (uint64_t)1 << k;
    }
    return TALUS_OK;
}

static uint32_t place_of(int row) { return (uint32_t)row * (uint32_t)sizeof(tl_row2); }

static void fill_lane(const tl_problem2 *p, tl_pack2 *pack, int lane, tl_contact *c)
{
    const bool swap = !tl_moves2(p, c->a); /* the moving end first; n and t turn round with the ends, their components do not change */
    const int a = swap ? c->b.item : c->a.item, b = swap ? c->a.item : c->b.item;
    const bool b_moves = !swap && tl_moves2(p, c->b);
    const double nx = swap ? -c->n.x : c->n.x, ny = swap ? -c->n.y : c->n.y;
    const tl_vec3 ra = c->arm[swap], rb = c->arm[!swap];
    const double sa = p->s[a], cna = p->j[a] * (ra.x * ny - ra.y * nx), cta = p->j[a] * (ra.x * nx + ra.y * ny);
    double sb = 0, cnb = 0, ctb = 0, shift_n = 0, shift_t = 0;
    if (b_moves) {
        sb = p->s[b], cnb = p->j[b] * (rb.x * ny - rb.y * nx), ctb = p->j[b] * (rb.x * nx + rb.y * ny);
    } else {
        double V[2]; /* of the boundary, in the frame of the contact as detected */
        point_velocity(c, !swap, p->v_free, V);
        shift_n = swap ? -V[0] : V[0];
        shift_t = swap ? -V[1] : V[1];
    }
    if (p->slide.sheared) {
        double slide[2];
        tl_problem2_slide(p, c, false, slide);
        shift_n += slide[0], shift_t += slide[1];
    }
    double before[2] = {0, 0};
    if (c->struck || c->law->recalls) tl_problem2_before(p, c, before);
    bind_law(p, c, before[0]);
    shift_n += c->shift;
    const tl_delassus2 W = {sa * sa + sb * sb + cna * cna + cnb * cnb, cna * cta + cnb * ctb, sa * sa + sb * sb + cta * cta + ctb * ctb};
    const tl_coulomb2 law = tl_coulomb2_prepare(W, c->friction);
    pack->a[lane] = place_of(a);
    pack->b[lane] = place_of(b_moves ? b : a);
    pack->nx[lane] = nx, pack->ny[lane] = ny, pack->sa[lane] = sa, pack->sb[lane] = sb;
    pack->cna[lane] = cna, pack->cta[lane] = cta, pack->cnb[lane] = cnb, pack->ctb[lane] = ctb;
    pack->nn[lane] = W.nn, pack->nt[lane] = W.nt, pack->tt[lane] = W.tt;
    pack->inverse_nn[lane] = law.inverse_nn, pack->inverse_s[lane] = law.inverse_s;
    pack->k_plus[lane] = law.k_plus, pack->k_minus[lane] = law.k_minus;
    pack->shift_n[lane] = shift_n, pack->shift_t[lane] = shift_t, pack->friction[lane] = c->friction;
    c->I[0] += c->offset;
    pack->In[lane] = c->I[0], pack->It[lane] = c->I[1];
}

static void fill_range(void *context, int begin, int end, int worker)
{
    tl_problem2 *p = context;
    (void)worker;
    for (int i = begin; i < end; i++) {
        tl_pack2 *pack = &p->pack[i];
        memset(pack, 0, sizeof *pack);
        for (int lane = 0; lane < TL_LANES; lane++) {
            const int contact = p->lane[i * TL_LANES + lane];
            pack->a[lane] = pack->b[lane] = place_of(p->bodies);
            if (contact >= 0) fill_lane(p, pack, lane, &p->contact[contact]);
            else pack->nn[lane] = pack->tt[lane] = 1; /* an empty lane: no coefficients, no impulse, no error */
        }
    }
}

talus_status tl_problem2_color(tl_problem2 *p, tl_step *step)
{
    int count[TL_COLORS + 1] = {0}, next[TL_COLORS + 1];
    int8_t *color = tl_arena_alloc(step->arena, (size_t)p->contacts, sizeof *color);
    if (!color) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d contacts", p->contacts);
    TL_TRY(assign_colors(p, step, color, count));
    p->packs = p->colors = 0;
    for (int k = 0; k <= TL_COLORS; k++) {
        p->color_begin[k] = p->packs;
        next[k] = p->packs * TL_LANES;
        p->packs += k == TL_COLORS ? count[k] : (count[k] + TL_LANES - 1) / TL_LANES;
        if (count[k] > 0 && k < TL_COLORS) p->colors = k + 1;
    }
    p->color_begin[TL_COLORS + 1] = p->packs;
    const size_t lanes = (size_t)p->packs * TL_LANES;
    p->pack = tl_arena_alloc(step->arena, (size_t)p->packs, sizeof *p->pack);
    p->lane = tl_arena_alloc(step->arena, lanes, sizeof *p->lane);
    if (!p->pack || !p->lane) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d contacts", p->contacts);
    for (size_t i = 0; i < lanes; i++) p->lane[i] = -1;
    for (int i = 0; i < p->contacts; i++) {
        if (color[i] < 0) continue;
        p->lane[next[color[i]]] = i;
        next[color[i]] += color[i] == TL_COLORS ? TL_LANES : 1; /* the serial tail: one contact a pack */
    }
    tl_parallel_for(step->threads, p->packs, 128, fill_range, p);
    return TALUS_OK;
}
