/* From contacts between grains to packs of eight (colors.h): by families (spheres or not) and by ranks (near other matter, with a first guess of the impulse,
 * without). */
#include <string.h>

#include "solve/bind3.h"

/* Does the end of a contact need no more than the row of a sphere? It lies straight out from the centre, but for the rounding of a detected one: where a rope
 * is tied it need not. */
static bool is_ball(const tl_problem3 *p, const tl_contact *c, int side)
{
    const tl_place end = side ? c->b : c->a;
    if (tl_moves(&p->base, end)) {
        const tl_vec3 r = c->arm[side], moment = tl_cross(r, c->n);
        return p->base.radius[end.item] > 0 && p->base.inverse_mass[end.item] > 0 && p->parts[end.item] == 1 && tl_dot(moment, moment) <= 1e-22 * tl_dot(r, r);
    }
    const tl_twist3 *v = &p->v_free[end.item];
    return !(tl_dot(v->v, v->v) + tl_dot(v->w, v->w) > 0); /* the pack has no room for an imposed velocity across */
}

/* In a sheared cell no contact is one of balls, whose packs have no room for copies that slide: all are solved alike, wherever the seam is. */
static int family_of(const tl_problem3 *p, const tl_contact *c)
{
    return !tl_is_sheared(&p->base) && p->base.radius && is_ball(p, c, 0) && is_ball(p, c, 1) ? TL_BALLS3 : TL_STONES3;
}

/* Grains that touch other matter, and those pressed against them: a heavy machine on light grains is what sweeps are slow to settle, and more sweeps
 * of its neighbourhood cost little. */
static talus_status mark_near(tl_problem3 *p, tl_step *step)
{
    p->near = tl_arena_zero(step->arena, (size_t)p->base.bodies + 1, sizeof *p->near);
    bool *touching = tl_arena_zero(step->arena, (size_t)p->base.bodies + 1, sizeof *touching);
    if (!p->near || !touching) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d bodies", p->base.bodies);
    for (int i = 0; i < p->base.coupleds; i++)
        for (int side = 0; side < 2; side++)
            if (p->base.coupled[i].row[side] >= 0 && p->base.coupled[i].row[1 - side] < 0)
                p->near[p->base.coupled[i].row[side]] = touching[p->base.coupled[i].row[side]] = true;
    for (int i = 0; p->base.coupleds > p->base.spokes && i < p->base.contacts; i++) {
        const tl_contact *c = &p->base.contact[i];
        if (!tl_is_packed(&p->base, c) || !(c->I[0] > 0) || !tl_moves(&p->base, c->a) || !tl_moves(&p->base, c->b)) continue;
        if (touching[c->a.item]) p->near[c->b.item] = true;
        if (touching[c->b.item]) p->near[c->a.item] = true;
    }
    return TALUS_OK;
}

static int rank_of(const tl_problem3 *p, const tl_contact *c)
{
    if (p->near[c->a.item] || p->near[c->b.item]) return TL_NEAR3;
    return c->I[0] > 0 ? TL_PRESSED3 : TL_OPEN3; /* sweeps pass packs of open ones by */
}

typedef struct sort_task {
    const tl_problem3 *p;
    tl_colored *of; /* [contacts] */
} sort_task;

static void sort_range(void *context, int begin, int end, int worker)
{
    const sort_task *task = context;
    const tl_problem3 *p = task->p;
    (void)worker;
    for (int i = begin; i < end; i++) {
        const tl_contact *c = &p->base.contact[i];
        const bool packed = tl_is_packed(&p->base, c) && (tl_moves(&p->base, c->a) || tl_moves(&p->base, c->b));
        task->of[i] = (tl_colored){.group = -1};
        if (packed) task->of[i] = (tl_colored){tl_domain_of(&p->base.domains, c->a.item, c->b.item), 0, (uint8_t)family_of(p, c), (uint8_t)rank_of(p, c)};
    }
}

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

/* What the law adds to u_n, and the velocity of the end that does not move and of copies that slide; world axes, candidate
 * less antagonist. */
static tl_vec3 bind_lane_shift(const tl_problem3 *p, tl_contact *c)
{
    tl_vec3 imposed = tl_v3(0, 0, 0);
    if (!tl_moves(&p->base, c->a)) imposed = tl_scale(-1, tl_point_velocity3(p, c, 0, &p->v_free[c->a.item]));
    if (!tl_moves(&p->base, c->b)) imposed = tl_point_velocity3(p, c, 1, &p->v_free[c->b.item]);
    if (tl_is_sheared(&p->base)) imposed = tl_add(imposed, tl_slide_at(&p->base, c, false));
    tl_bind_law(&p->base, c, tl_recalls(&p->base, c) ? tl_dot(c->n, tl_velocity_before3(p, c)) : 0);
    return tl_add(imposed, tl_scale(c->shift, c->n));
}

static double trace_of_end(double s, const tl_vec3 rows[3])
{
    return 3 * s * s + tl_dot(rows[0], rows[0]) + tl_dot(rows[1], rows[1]) + tl_dot(rows[2], rows[2]);
}

static uint32_t place_of(int row) { return (uint32_t)row * (uint32_t)sizeof(tl_row3); }

/* A lane's ends: the moving one is first, and vectors turn round with them. */
typedef struct lane_ends {
    bool swap, b_moves;
    int a, b; /* bodies */
    uint32_t at_a, at_b;
    double sign;
} lane_ends;

static lane_ends ends_of(const tl_problem3 *p, const tl_contact *c)
{
    const int32_t *row = p->end_row[c - p->base.contact];
    const bool swap = !tl_moves(&p->base, c->a);
    return (lane_ends){.swap = swap,
                       .b_moves = !swap && tl_moves(&p->base, c->b),
                       .a = swap ? c->b.item : c->a.item,
                       .b = swap ? c->a.item : c->b.item,
                       .at_a = place_of(row[swap]),
                       .at_b = place_of(row[!swap]),
                       .sign = swap ? -1 : 1};
}

static void fill_lane(const tl_problem3 *p, tl_pack3 *pack, int lane, tl_contact *c)
{
    const lane_ends e = ends_of(p, c);
    const double sa = p->s[e.a], sb = e.b_moves ? p->s[e.b] : 0;
    tl_vec3 t0, s0, t, s, rows_a[3], rows_b[3] = {{0, 0, 0}};
    tl_tangents(c->n, &t0, &s0);
    const tl_vec3 n = tl_scale(e.sign, c->n), axes[3] = {n, t0, tl_scale(e.sign, s0)}; /* right-handed again */
    for (int k = 0; k < 3; k++) {
        rows_a[k] = tl_angular_row3(p, e.a, c->arm[e.swap], axes[k]);
        if (e.b_moves) rows_b[k] = tl_angular_row3(p, e.b, c->arm[!e.swap], axes[k]);
    }
    tl_delassus3 W = delassus(sa * sa + sb * sb, rows_a, rows_b);
    const double give = tl_give_of(&p->base, c);
    W.nn += give;
    const tl_vec3 shift = tl_scale(e.sign, bind_lane_shift(p, c));
    const tl_coulomb3 law = tl_coulomb3_prepare(&W, c->friction);
    t = turned(law.cos, axes[1], law.sin, axes[2]);
    s = tl_cross(n, t);
    c->I[0] += c->offset;
    const tl_vec3 I = tl_add(tl_scale(c->I[0], n), tl_scale(e.sign, turned(c->I[1], t0, c->I[2], s0)));
    pack->a[lane] = e.at_a, pack->b[lane] = e.at_b;
    pack->third[lane] = (trace_of_end(sa, rows_a) / p->parts[e.a] + trace_of_end(sb, rows_b) / p->parts[e.b] + give) / 3;
    tl_set_lane3(&pack->n, lane, n);
    tl_set_lane3(&pack->t, lane, t);
    tl_set_lane3(&pack->an, lane, rows_a[0]);
    tl_set_lane3(&pack->at, lane, turned(law.cos, rows_a[1], law.sin, rows_a[2]));
    tl_set_lane3(&pack->as, lane, turned(-law.sin, rows_a[1], law.cos, rows_a[2]));
    tl_set_lane3(&pack->bn, lane, rows_b[0]);
    tl_set_lane3(&pack->bt, lane, turned(law.cos, rows_b[1], law.sin, rows_b[2]));
    tl_set_lane3(&pack->bs, lane, turned(-law.sin, rows_b[1], law.cos, rows_b[2]));
    pack->nn[lane] = law.nn, pack->inverse_nn[lane] = law.inverse_nn, pack->friction[lane] = law.friction;
    pack->w1[lane] = law.w1, pack->w2[lane] = law.w2, pack->s1[lane] = law.s1, pack->s2[lane] = law.s2;
    tl_set_lane3(&pack->shift, lane, tl_v3(tl_dot(n, shift), tl_dot(t, shift), tl_dot(s, shift)));
    tl_set_lane3(&pack->I, lane, tl_v3(c->I[0], tl_dot(t, I), tl_dot(s, I)));
}

static void fill_ball_lane(const tl_problem3 *p, tl_balls3 *pack, int lane, tl_contact *c)
{
    const lane_ends e = ends_of(p, c);
    const tl_vec3 n = tl_scale(e.sign, c->n);
    tl_vec3 t, s;
    tl_tangents(c->n, &t, &s);
    pack->a[lane] = e.at_a, pack->b[lane] = e.at_b;
    const tl_row3 *a = &p->row[e.at_a / sizeof *a], *b = &p->row[e.at_b / sizeof *b];
    const double nn = a->s * a->s + b->s * b->s, tt = nn + a->k * a->k + b->k * b->k;
    pack->inverse_nn[lane] = 1 / (nn + tl_give_of(&p->base, c)), pack->inverse_tt[lane] = 1 / tt, pack->tt[lane] = tt;
    pack->shift[lane] = tl_dot(n, tl_scale(e.sign, bind_lane_shift(p, c)));
    pack->friction[lane] = c->friction;
    tl_set_lane3(&pack->n, lane, n);
    c->I[0] += c->offset;
    tl_set_lane3(&pack->I, lane, tl_add(tl_scale(c->I[0], n), tl_scale(e.sign, turned(c->I[1], t, c->I[2], s))));
}

/* Empty lanes have no coefficients, no impulse, no error. colors.h says which packs have any. */
static void fill_pack(const tl_problem3 *p, tl_pack3 *pack, const int *contact, uint32_t nobody)
{
    memset(pack, 0, sizeof *pack);
    for (int lane = 0; lane < TL_LANES; lane++) {
        pack->a[lane] = pack->b[lane] = nobody;
        if (contact[lane] >= 0) fill_lane(p, pack, lane, &p->base.contact[contact[lane]]);
        else pack->nn[lane] = pack->inverse_nn[lane] = pack->s1[lane] = pack->s2[lane] = pack->third[lane] = 1;
    }
}

static void fill_balls(const tl_problem3 *p, tl_balls3 *pack, const int *contact, uint32_t nobody)
{
    memset(pack, 0, sizeof *pack);
    for (int lane = 0; lane < TL_LANES; lane++) {
        pack->a[lane] = pack->b[lane] = nobody;
        if (contact[lane] >= 0) fill_ball_lane(p, pack, lane, &p->base.contact[contact[lane]]);
        else pack->inverse_nn[lane] = pack->inverse_tt[lane] = pack->tt[lane] = 1;
    }
}

/* The row of empty lanes of a pack: of its domain, family and rank. */
static uint32_t nobody_of(const tl_problem3 *p, const tl_contact *c, int family, int rank)
{
    const int group = tl_domain_of(&p->base.domains, c->a.item, c->b.item);
    return place_of(p->base.bodies + (group * TL_FAMILIES + family) * TL_RANKS + rank);
}

static void fill_range(void *context, int begin, int end, int worker)
{
    tl_problem3 *p = context;
    (void)worker;
    for (int i = begin; i < end; i++) {
        const int *contact = &p->base.lane[i * TL_LANES], balls = p->packs[TL_BALLS3];
        const tl_contact *first = &p->base.contact[contact[0]];
        const int rank = rank_of(p, first);
        p->rank[i] = (uint8_t)rank;
        for (int lane = 0; lane < TL_LANES; lane++) tl_problem_expect(&p->base, i * TL_LANES + lane);
        if (i < balls) fill_balls(p, &p->ball[i], contact, nobody_of(p, first, TL_BALLS3, rank));
        else fill_pack(p, &p->pack[i - balls], contact, nobody_of(p, first, TL_STONES3, rank));
    }
}

talus_status tl_problem3_color(tl_problem3 *p, tl_step *step)
{
    sort_task sort = {p, tl_arena_alloc(step->arena, (size_t)p->base.contacts + 1, sizeof *sort.of)};
    if (!sort.of) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d contacts", p->base.contacts);
    TL_TRY(mark_near(p, step));
    tl_parallel_for(step->threads, p->base.contacts, 1024, sort_range, &sort);
    TL_TRY(tl_colors_make(&p->base, (const int32_t(*)[2])p->end_row, sort.of, step, &p->color));
    for (int family = 0; family < TL_FAMILIES; family++) p->packs[family] = tl_colors_packs(&p->color, family);
    p->all_packs = p->packs[TL_BALLS3] + p->packs[TL_STONES3];
    const size_t balls = (size_t)p->packs[TL_BALLS3], stones = (size_t)p->packs[TL_STONES3];
    p->ball = tl_arena_reuse(step->arena, &step->packs, balls * sizeof *p->ball + stones * sizeof *p->pack);
    p->pack = (tl_pack3 *)(p->ball + balls);
    p->rank = tl_arena_alloc(step->arena, (size_t)p->all_packs, sizeof *p->rank);
    p->error = tl_arena_alloc(step->arena, (size_t)p->all_packs + 1, sizeof *p->error);
    if (!p->ball || !p->pack || !p->rank || !p->error) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d contacts", p->base.contacts);
    TL_TRY(tl_problem_find_give(&p->base, step));
    tl_parallel_for(step->threads, p->all_packs, 128, fill_range, p);
    return TALUS_OK;
}
