/* From contacts to the planar problem: ports, colours, packs. */
#include "solve/bind2.h"
#include "solve/block_contacts.h"
#include "solve/packs2.h"

#include <string.h>

/* Velocity of a boundary or grain where it is met, along n and t. */
static void point_velocity(const tl_contact *c, bool candidate, const tl_twist2 *v, double V[2])
{
    const tl_vec3 r = c->arm[candidate];
    const tl_twist2 *u = &v[candidate ? c->b.item : c->a.item];
    const double vx = u->x - u->w * r.y, vy = u->y + u->w * r.x;
    V[0] = c->n.x * vx + c->n.y * vy;
    V[1] = c->n.x * vy - c->n.y * vx;
}

/* Along n and t: how much faster than b its copy is, at the start of the step or at its end. */
static void slide_along(const tl_problem2 *p, const tl_contact *c, bool before, double V[2])
{
    const tl_vec3 v = tl_slide_at(&p->base, c, before);
    V[0] = c->n.x * v.x + c->n.y * v.y;
    V[1] = c->n.x * v.y - c->n.y * v.x;
}

void tl_problem2_before(const tl_problem2 *p, const tl_contact *c, double V[2])
{
    double A[2], B[2], slide[2];
    point_velocity(c, false, p->v_before, A);
    point_velocity(c, true, p->v_before, B);
    slide_along(p, c, true, slide);
    V[0] = B[0] - A[0] + slide[0];
    V[1] = B[1] - A[1] + slide[1];
}

/* ---- contacts with other matter ----------------------------------------------------------------------------------- */

static void bind_end(const tl_problem *base, tl_coupled *k, int side)
{
    const tl_problem2 *p = (const tl_problem2 *)base;
    const tl_contact *c = &base->contact[k->contact];
    const int body = k->row[side];
    const tl_vec3 r = c->arm[side];
    k->plane.s[side] = p->s[body];
    k->plane.cn[side] = p->j[body] * (r.x * c->n.y - r.y * c->n.x);
    k->plane.ct[side] = p->j[body] * (r.x * c->n.x + r.y * c->n.y);
}

static void bind_law(tl_coupled *k, double W[3][3])
{
    k->plane.W = (tl_delassus2){W[0][0], 0.5 * (W[0][1] + W[1][0]), W[1][1]};
    k->plane.law = tl_coulomb2_prepare(k->plane.W, k->friction);
}

void tl_coupled2_velocity(const tl_problem2 *p, const tl_coupled *k, const tl_row2 *rows, double *const *v, double V[2])
{
    const tl_vec3 n = k->axis[0];
    V[0] = V[1] = 0;
    for (int side = 0; side < 2; side++) {
        const double sign = side == 0 ? -1 : 1;
        double U[3] = {0, 0, 0};
        if (k->matter[side] != 0) {
            const tl_matter *m = p->base.matter[k->matter[side]];
            const double *x = v[k->matter[side]], *H = k->H[side];
            if (!H) m->ops->velocity(m, &k->port[side], x, false, U);
            for (int j = 0; H && j < k->nv[side]; j++) U[0] += H[j] * x[j], U[1] += H[k->nv[side] + j] * x[j];
        } else if (k->row[side] >= 0) {
            const tl_row2 *r = &rows[k->row[side]];
            U[0] = k->plane.s[side] * (n.x * r->x + n.y * r->y) + k->plane.cn[side] * r->w;
            U[1] = k->plane.s[side] * (n.x * r->y - n.y * r->x) + k->plane.ct[side] * r->w;
        }
        V[0] += sign * U[0];
        V[1] += sign * U[1];
    }
}

void tl_coupled2_impulse(const tl_problem2 *p, const tl_coupled *k, tl_row2 *rows, double *const *v, double In, double It)
{
    const tl_vec3 n = k->axis[0];
    for (int side = 0; side < 2; side++) {
        const double sign = side == 0 ? -1 : 1, in = sign * In, it = sign * It;
        if (k->matter[side] != 0) {
            const tl_matter *m = p->base.matter[k->matter[side]];
            double *x = v[k->matter[side]];
            const double *Y = k->Y[side];
            if (!Y) m->ops->impulse(m, &k->port[side], (double[3]){in, it, 0}, x);
            for (int j = 0; Y && j < k->nv[side]; j++) x[j] += Y[j] * in + Y[k->nv[side] + j] * it;
        } else if (k->row[side] >= 0) {
            tl_row2 *r = &rows[k->row[side]];
            r->x += k->plane.s[side] * (n.x * in - n.y * it);
            r->y += k->plane.s[side] * (n.y * in + n.x * it);
            r->w += k->plane.cn[side] * in + k->plane.ct[side] * it;
        }
    }
}

static void velocity(const tl_problem *base, const tl_coupled *k, const tl_velocities *v, double V[3])
{
    tl_coupled2_velocity((const tl_problem2 *)base, k, (const tl_row2 *)v->grain, v->matter, V);
    V[2] = 0;
}

static void impulse(const tl_problem *base, const tl_coupled *k, const tl_velocities *v, const double I[3])
{
    tl_coupled2_impulse((const tl_problem2 *)base, k, (tl_row2 *)v->grain, v->matter, I[0], I[1]);
}

static tl_errors error(const tl_coupled *k, const double u[3])
{
    return tl_error_of(tl_coulomb2_residual(k->plane.W, k->friction, u, k->I), 0.5 * (k->plane.W.nn + k->plane.W.tt) * k->I[0]);
}

static double gain(const tl_problem *base, int body, tl_vec3 push, tl_vec3 moment)
{
    return base->inverse_mass[body] * (push.x * push.x + push.y * push.y) + ((const tl_problem2 *)base)->inverse_inertia[body] * moment.z * moment.z;
}

static const tl_problem_ops OPS = {.axes = 2,
                                   .grain = {.stride = sizeof(tl_row2) / sizeof(double), .size = 3, .row = tl_grain_row2, .twist = tl_grain_twist2},
                                   .bind_end = bind_end,
                                   .bind_law = bind_law,
                                   .velocity = velocity,
                                   .impulse = impulse,
                                   .error = error,
                                   .gain = gain,
                                   .packs = &TL_PACK_OPS2};

/* ---- rows ------------------------------------------------------------------------------------------------------------------- */

void tl_problem2_set_rows(tl_problem2 *p)
{
    for (int i = 0; i < p->base.bodies; i++) {
        const double s = p->s[i], root = s > 0 ? 1 / s : 0, root_j = p->j[i] > 0 ? 1 / p->j[i] : 0;
        p->row[i] = (tl_row2){root * p->v_free[i].x, root * p->v_free[i].y, root_j * p->v_free[i].w, s};
    }
}

static talus_status bind_rows(tl_problem2 *p, tl_step *step)
{
    tl_problem *all = &p->base;
    const int bodies = all->bodies;
    TL_TRY(tl_hubs_find(all, step, TL_COLORS));
    TL_TRY(tl_domains_find(all, step, &all->domains));
    all->rows = bodies + all->domains.count + 1;
    if ((size_t)all->rows > UINT32_MAX / sizeof *p->row) return tl_fail(step->error, TALUS_MEMORY, "%d bodies are too many for one problem", bodies);
    p->row = tl_arena_zero(step->arena, (size_t)all->rows, sizeof *p->row);
    p->s = tl_arena_alloc(step->arena, (size_t)bodies + 1, sizeof *p->s);
    p->j = tl_arena_alloc(step->arena, (size_t)bodies + 1, sizeof *p->j);
    if (!p->row || !p->s || !p->j) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d bodies", bodies);
    all->grain = &p->row->x;
    for (int i = 0; i < bodies; i++) {
        p->s[i] = sqrt(all->inverse_mass[i]);
        p->j[i] = sqrt(p->inverse_inertia[i]);
    }
    tl_problem2_set_rows(p);
    return TALUS_OK;
}

talus_status tl_problem2_bind(tl_problem2 *p, tl_step *step)
{
    tl_problem *all = &p->base;
    all->ops = &OPS;
    all->given = (tl_stand_ins){.matters = all->matters, .of = all->matter, .v_of = all->v};
    p->kernels = tl_packs2_of_this_machine();
    all->moves = tl_arena_alloc(step->arena, (size_t)all->bodies + 1, sizeof *all->moves);
    if (!all->moves) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d bodies", all->bodies);
    for (int i = 0; i < all->bodies; i++) all->moves[i] = all->inverse_mass[i] > 0 || p->inverse_inertia[i] > 0;
    TL_TRY(tl_block_contacts_choose(all, step));
    TL_TRY(tl_block_contacts_make(all, step));
    TL_TRY(bind_rows(p, step));
    TL_TRY(tl_problem_bind_coupled(all, step));
    return tl_block_contacts_bind(all, step);
}

tl_twist2 tl_problem2_velocity(const tl_problem2 *p, int body)
{
    if (!p->base.moves[body]) return p->v_free[body];
    const tl_row2 *row = &p->row[body];
    const double s = p->s[body], j = p->j[body];
    return (tl_twist2){s * row->x, s * row->y, j > 0 ? j * row->w : p->v_free[body].w}; /* without inertia nothing changes its turning */
}

/* ---- colours and packs -------------------------------------------------------------------------------------------- */

/* Rows of the ends of contacts, and where they belong. */
static talus_status sort_contacts(const tl_problem2 *p, tl_step *step, int32_t (**row)[2], tl_colored **out)
{
    tl_colored *of = tl_arena_alloc(step->arena, (size_t)p->base.contacts + 1, sizeof *of);
    *row = tl_arena_alloc(step->arena, (size_t)p->base.contacts + 1, sizeof **row);
    *out = of;
    if (!of || !*row) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d contacts", p->base.contacts);
    for (int i = 0; i < p->base.contacts; i++) {
        const tl_contact *c = &p->base.contact[i];
        of[i] = (tl_colored){.group = -1};
        if (!tl_is_packed(&p->base, c)) continue;
        const bool a = tl_moves(&p->base, c->a), b = tl_moves(&p->base, c->b);
        (*row)[i][0] = a ? c->a.item : -1, (*row)[i][1] = b ? c->b.item : -1;
        if (a || b) of[i].group = tl_domain_of(&p->base.domains, c->a.item, c->b.item);
    }
    return TALUS_OK;
}

static uint32_t place_of(int row) { return (uint32_t)row * (uint32_t)sizeof(tl_row2); }

static void fill_lane(const tl_problem2 *p, tl_pack2 *pack, int lane, tl_contact *c)
{
    const bool swap = !tl_moves(&p->base, c->a); /* the moving end first; n and t turn round with the ends, their components do not change */
    const int a = swap ? c->b.item : c->a.item, b = swap ? c->a.item : c->b.item;
    const bool b_moves = !swap && tl_moves(&p->base, c->b);
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
    if (tl_is_sheared(&p->base)) {
        double slide[2];
        slide_along(p, c, false, slide);
        shift_n += slide[0], shift_t += slide[1];
    }
    double before[2] = {0, 0};
    if (tl_recalls(&p->base, c)) tl_problem2_before(p, c, before);
    tl_bind_law(&p->base, c, before[0]);
    shift_n += c->shift;
    const tl_delassus2 W = {sa * sa + sb * sb + cna * cna + cnb * cnb + tl_give_of(&p->base, c), cna * cta + cnb * ctb,
                            sa * sa + sb * sb + cta * cta + ctb * ctb};
    const tl_coulomb2 law = tl_coulomb2_prepare(W, c->friction);
    pack->a[lane] = place_of(a);
    pack->b[lane] = place_of(b_moves ? b : a);
    pack->nx[lane] = nx, pack->ny[lane] = ny;
    pack->cna[lane] = cna, pack->cta[lane] = cta, pack->cnb[lane] = cnb, pack->ctb[lane] = ctb;
    pack->inverse_nn[lane] = law.inverse_nn, pack->inverse_s[lane] = law.inverse_s, pack->inverse_rho[lane] = 0.5 * (W.nn + W.tt);
    pack->high[lane] = law.k_plus * W.nn, pack->low[lane] = -law.k_minus * W.nn;
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
        const tl_contact *first = &p->base.contact[p->base.lane[i * TL_LANES]];
        const int group = tl_domain_of(&p->base.domains, first->a.item, first->b.item);
        memset(pack, 0, sizeof *pack);
        for (int lane = 0; lane < TL_LANES; lane++) {
            const int contact = p->base.lane[i * TL_LANES + lane];
            tl_problem_expect(&p->base, i * TL_LANES + lane);
            pack->a[lane] = pack->b[lane] = place_of(p->base.bodies + group);
            if (contact >= 0) fill_lane(p, pack, lane, &p->base.contact[contact]);
            else pack->inverse_nn[lane] = pack->inverse_s[lane] = pack->inverse_rho[lane] = 1; /* empty: no coefficients, no impulse, no error */
        }
    }
}

talus_status tl_problem2_color(tl_problem2 *p, tl_step *step)
{
    int32_t(*row)[2];
    tl_colored *of;
    TL_TRY(sort_contacts(p, step, &row, &of));
    TL_TRY(tl_colors_make(&p->base, (const int32_t(*)[2])row, of, step, &p->color));
    p->packs = tl_colors_packs(&p->color, 0);
    p->pack = tl_arena_reuse(step->arena, &step->packs, (size_t)p->packs * sizeof *p->pack);
    p->error = tl_arena_alloc(step->arena, (size_t)p->packs + 1, sizeof *p->error);
    if (!p->pack || !p->error) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d contacts", p->base.contacts);
    TL_TRY(tl_problem_find_give(&p->base, step));
    tl_parallel_for(step->threads, p->packs, 128, fill_range, p);
    return TALUS_OK;
}
