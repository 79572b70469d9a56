/* The kernels of packs give the same bits, whatever the instruction set: what the machine's own does is compared with plain C. */
#include "property/packs.h"
#include "solve/packs3.h"

typedef struct state {
    tl_row3 row[ROWS + PACKS * TL_LANES]; /* of grains, then of ends at rest */
    tl_pack3 pack[PACKS];
    tl_balls3 ball[PACKS];
    tl_lanes3 before[PACKS];
    tl_lanes goal[PACKS], drift[PACKS], give[PACKS];
    bool gives; /* else they are rigid */
    double reversal[PACKS];
    tl_errors error[PACKS];
    tl_lanes3 u[PACKS];
} state;

static void fill3(tl_lanes3 *v, double low, double high) { fill(&v->x, low, high), fill(&v->y, low, high), fill(&v->z, low, high); }

/* What does not move has a row of its own. */
static void random_ends(uint32_t a[TL_LANES], uint32_t b[TL_LANES], int pack)
{
    random_rows(a, b, sizeof(tl_row3));
    for (int lane = 0; lane < TL_LANES; lane++)
        if (b[lane] == a[lane]) b[lane] = (uint32_t)(ROWS + pack * TL_LANES + lane) * (uint32_t)sizeof(tl_row3);
}

static void random_pack(tl_pack3 *p, int at)
{
    const double most = uniform(0, 1) < 0.3 ? 0.01 : 1; /* nearly at rest: stick */
    fill3(&p->n, -1, 1), fill3(&p->t, -1, 1), fill3(&p->shift, -most, most), fill3(&p->I, -1, 1);
    fill(&p->inverse_nn, 0.2, 1), fill(&p->nn, 1, 5), fill(&p->s1, 0.2, 2), fill(&p->s2, 0.2, 2), fill(&p->friction, 0.1, 1), fill(&p->third, 0.2, 2);
    fill(&p->w1, -0.3, 0.3), fill(&p->w2, -0.3, 0.3);
    fill3(&p->an, -1, 1), fill3(&p->at, -1, 1), fill3(&p->as, -1, 1), fill3(&p->bn, -1, 1), fill3(&p->bt, -1, 1), fill3(&p->bs, -1, 1);
    random_ends(p->a, p->b, at);
    fill(&p->I.x, 0, 1);
}

static void random_balls(tl_balls3 *p, const tl_row3 *row, const tl_lanes *give, int at)
{
    fill3(&p->n, -1, 1), fill3(&p->I, -0.1, 0.1), fill(&p->shift, -0.1, 0.1), fill(&p->friction, 0, 1);
    for (int lane = 0; lane < TL_LANES; lane++) {
        const tl_vec3 n = tl_normalize(tl_lane3(&p->n, lane));
        tl_set_lane3(&p->n, lane, n);
        tl_set_lane3(&p->I, lane, tl_add(tl_lane3(&p->I, lane), tl_scale(0.2, n)));
    }
    random_ends(p->a, p->b, at);
    for (int lane = 0; lane < TL_LANES; lane++) {
        const tl_row3 *a = &row[p->a[lane] / sizeof(tl_row3)], *b = &row[p->b[lane] / sizeof(tl_row3)];
        const double nn = a->s * a->s + b->s * b->s, tt = nn + a->k * a->k + b->k * b->k;
        p->inverse_nn[lane] = 1 / (nn + (*give)[lane]), p->inverse_tt[lane] = 1 / tt, p->tt[lane] = tt;
    }
}

static void random_state(state *s, bool gives)
{
    memset(s, 0, sizeof *s);
    s->gives = gives;
    for (int i = 0; i < ROWS; i++) {
        for (int k = 0; k < 3; k++) s->row[i].v[k] = uniform(-1, 1), s->row[i].w[k] = uniform(-1, 1);
        s->row[i].s = uniform(0.1, 1), s->row[i].k = uniform(0.1, 1);
    }
    for (int i = 0; i < PACKS; i++) {
        random_pack(&s->pack[i], i);
        if (gives) fill(&s->give[i], 0, 2);
        random_balls(&s->ball[i], s->row, &s->give[i], i);
        fill3(&s->before[i], 0, 1);
        fill(&s->goal[i], -1, 1);
    }
}

static const tl_lanes *give_of(const state *s) { return s->gives ? s->give : NULL; }

/* Packs one by one where they change rows: these are shared between packs. */
static void work(const tl_packs3 *k, state *s, bool balls)
{
    int list[PACKS];
    for (int i = 0; i < PACKS; i++) list[i] = i;
    if (balls) k->start_balls(s->row, s->ball, 0, PACKS);
    else k->start(s->row, s->pack, 0, PACKS);
    for (int i = 0; i < PACKS; i++) {
        if (balls) k->sweep_balls(s->row, s->ball, &(tl_momentum3){s->before, 0.4, s->reversal, give_of(s)}, &list[i], 1);
        else k->sweep(s->row, s->pack, &(tl_momentum3){s->before, 0.4, s->reversal, give_of(s)}, &list[i], 1);
    }
    k->extrapolate(s->row[0].v, s->row[1].v, 0.3, 0, 6);
    if (balls) {
        k->residual_balls(s->row, s->ball, give_of(s), 0, PACKS, s->error);
        k->drift_balls(s->row, s->ball, s->goal, s->drift, 0, PACKS);
        for (int i = 0; i < PACKS; i++) k->velocity_balls(s->row, &s->ball[i], &s->u[i]);
    } else {
        k->residual(s->row, s->pack, give_of(s), 0, PACKS, s->error);
        k->drift(s->row, s->pack, s->goal, s->drift, 0, PACKS);
        for (int i = 0; i < PACKS; i++) k->velocity(s->row, &s->pack[i], &s->u[i]);
    }
}

static void same_bits(const tl_packs3 *k, bool balls, bool gives)
{
    static state plain, fast;
    random_state(&plain, gives);
    fast = plain;
    work(&tl_packs3_any, &plain, balls);
    work(k, &fast, balls);
    int changed = 0;
    for (int i = 0; i < PACKS; i++) changed += (balls ? &plain.ball[i].I : &plain.pack[i].I)->x[3] != 0;
    CHECK(changed > PACKS / 10 && changed < PACKS); /* neither all open nor all closed */
    CHECK(memcmp(plain.row, fast.row, sizeof plain.row) == 0);
    CHECK(memcmp(plain.pack, fast.pack, sizeof plain.pack) == 0);
    CHECK(memcmp(plain.ball, fast.ball, sizeof plain.ball) == 0);
    CHECK(memcmp(plain.before, fast.before, sizeof plain.before) == 0);
    CHECK(memcmp(plain.drift, fast.drift, sizeof plain.drift) == 0);
    CHECK(memcmp(plain.reversal, fast.reversal, sizeof plain.reversal) == 0);
    CHECK(memcmp(plain.u, fast.u, sizeof plain.u) == 0);
    for (int i = 0; i < PACKS; i++) {
        CHECK(plain.error[i].largest == fast.error[i].largest && plain.error[i].sum == fast.error[i].sum);
        CHECK(plain.error[i].pressing == fast.error[i].pressing);
    }
}

static void all_kinds(const tl_packs3 *k)
{
    for (int round = 0; round < 20; round++) {
        same_bits(k, false, round % 2);
        same_bits(k, true, round % 2);
    }
}

TEST(instruction_sets)
{
    rnd = tl_random_seed(5);
    all_kinds(tl_packs3_of_this_machine());
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) all_kinds(&tl_packs3_fma);
#endif
}

/* What a pack of balls does is what a pack of any grains does that has the rows of spheres. */
static void as_stones(const state *s, const tl_balls3 *p, tl_pack3 *out, tl_lanes3 *before)
{
    memset(out, 0, sizeof *out);
    out->inverse_nn = out->nn = out->s1 = out->s2 = out->third = out->shift.x;
    for (int lane = 0; lane < TL_LANES; lane++) {
        const tl_row3 *a = &s->row[p->a[lane] / sizeof(tl_row3)], *b = &s->row[p->b[lane] / sizeof(tl_row3)];
        const double nn = a->s * a->s + b->s * b->s, kk = a->k * a->k + b->k * b->k;
        const tl_vec3 n = tl_lane3(&p->n, lane), I = tl_lane3(&p->I, lane), last = tl_lane3(&s->before[0], lane);
        tl_vec3 t, s0;
        tl_tangents(n, &t, &s0);
        out->a[lane] = p->a[lane], out->b[lane] = p->b[lane];
        tl_set_lane3(&out->n, lane, n);
        tl_set_lane3(&out->t, lane, t);
        tl_set_lane3(&out->at, lane, tl_scale(a->k, tl_cross(n, t)));
        tl_set_lane3(&out->as, lane, tl_scale(a->k, tl_cross(n, s0)));
        tl_set_lane3(&out->bt, lane, tl_scale(-b->k, tl_cross(n, t)));
        tl_set_lane3(&out->bs, lane, tl_scale(-b->k, tl_cross(n, s0)));
        tl_set_lane3(&out->I, lane, tl_v3(tl_dot(n, I), tl_dot(t, I), tl_dot(s0, I)));
        tl_set_lane3(before, lane, tl_v3(tl_dot(n, last), tl_dot(t, last), tl_dot(s0, last)));
        out->shift.x[lane] = p->shift[lane], out->friction[lane] = p->friction[lane];
        out->nn[lane] = nn + s->give[0][lane], out->inverse_nn[lane] = p->inverse_nn[lane], out->s1[lane] = out->s2[lane] = nn + kk;
        out->third[lane] = nn + (kk * 2 + s->give[0][lane]) / 3;
    }
}

static tl_vec3 in_world(const tl_pack3 *p, const tl_lanes3 *along, int lane)
{
    const tl_vec3 n = tl_lane3(&p->n, lane), t = tl_lane3(&p->t, lane), x = tl_lane3(along, lane);
    return tl_add(tl_add(tl_scale(x.x, n), tl_scale(x.y, t)), tl_scale(x.z, tl_cross(n, t)));
}

/* ⟨I⁺ − y, I⁺ − I⟩ of one contact, all by W along its tangents, from what its pack of stones became. */
static double turn_of(const state *start, const tl_pack3 *after, int lane)
{
    const tl_row3 *a = &start->row[after->a[lane] / sizeof(tl_row3)], *b = &start->row[after->b[lane] / sizeof(tl_row3)];
    const tl_vec3 I = tl_lane3(&start->ball[0].I, lane), y = tl_add(I, tl_scale(0.4, tl_sub(I, tl_lane3(&start->before[0], lane))));
    const tl_vec3 next = in_world(after, &after->I, lane);
    const tl_vec3 n = tl_lane3(&after->n, lane), d = tl_sub(next, y), moved = tl_sub(next, I);
    const double across = a->s * a->s + b->s * b->s + a->k * a->k + b->k * b->k;
    return across * tl_dot(d, moved) + start->give[0][lane] * tl_dot(n, d) * tl_dot(n, moved);
}

TEST(balls_are_stones)
{
    static state balls, stones, start;
    const tl_packs3 *k = tl_packs3_of_this_machine();
    const int list[1] = {0};
    int open = 0, stick = 0, slip = 0;
    rnd = tl_random_seed(6);
    for (int round = 0; round < 2000; round++) {
        random_state(&balls, round % 2);
        stones = balls;
        as_stones(&balls, &balls.ball[0], &stones.pack[0], &stones.before[0]);
        start = balls;
        k->sweep_balls(balls.row, balls.ball, &(tl_momentum3){balls.before, 0.4, balls.reversal, give_of(&balls)}, list, 1);
        k->sweep(stones.row, stones.pack, &(tl_momentum3){stones.before, 0.4, stones.reversal, give_of(&stones)}, list, 1);
        k->residual_balls(balls.row, balls.ball, give_of(&balls), 0, 1, balls.error);
        k->residual(stones.row, stones.pack, give_of(&stones), 0, 1, stones.error);
        k->velocity_balls(balls.row, &balls.ball[0], &balls.u[0]);
        k->velocity(stones.row, &stones.pack[0], &stones.u[0]);
        double reversal = 0;
        for (int lane = 0; lane < TL_LANES; lane++) {
            reversal -= turn_of(&start, &stones.pack[0], lane);
            const tl_vec3 I = tl_lane3(&balls.ball[0].I, lane), u = tl_lane3(&balls.u[0], lane), n = tl_lane3(&balls.ball[0].n, lane);
            CHECK_NEAR(tl_norm(tl_sub(I, in_world(&stones.pack[0], &stones.pack[0].I, lane))), 0, 1e-13 * (1 + tl_norm(I)));
            CHECK_NEAR(tl_norm(tl_sub(u, in_world(&stones.pack[0], &stones.u[0], lane))), 0, 1e-13 * (1 + tl_norm(I)));
            const bool closed = tl_norm(I) > 0;
            open += !closed, slip += closed && tl_norm(tl_sub(u, tl_scale(tl_dot(u, n), n))) > 1e-9;
            stick += closed && !(tl_norm(tl_sub(u, tl_scale(tl_dot(u, n), n))) > 1e-9);
        }
        for (int i = 0; i < ROWS; i++)
            for (int axis = 0; axis < 3; axis++) {
                CHECK_NEAR(balls.row[i].v[axis], stones.row[i].v[axis], 1e-12);
                CHECK_NEAR(balls.row[i].w[axis], stones.row[i].w[axis], 1e-12);
            }
        for (int i = 0; i < ROWS; i++) CHECK(balls.row[i].s == stones.row[i].s && balls.row[i].k == stones.row[i].k);
        CHECK_NEAR(balls.reversal[0], reversal, 1e-12 * (1 + fabs(reversal)));
        CHECK_NEAR(balls.error[0].sum, stones.error[0].sum, 1e-11);
        CHECK(balls.error[0].pressing == stones.error[0].pressing);
        CHECK_NEAR(balls.error[0].largest, 0, 1e-12); /* each contact obeys its law after its sweep */
    }
    CHECK(open > 1000 && stick > 1000 && slip > 1000);
}

/* What is open has no impulse at all, however small the velocity across: its square may vanish. */
TEST(open_balls)
{
    static state s;
    const int list[1] = {0};
    rnd = tl_random_seed(7);
    random_state(&s, false);
    for (int i = 0; i < ROWS; i++)
        for (int k = 0; k < 3; k++) s.row[i].v[k] *= 1e-165, s.row[i].w[k] *= 1e-165;
    s.ball[0].I = s.before[0] = (tl_lanes3){0};
    for (int lane = 0; lane < TL_LANES; lane++) s.ball[0].shift[lane] = 1;
    tl_packs3_of_this_machine()->sweep_balls(s.row, s.ball, &(tl_momentum3){s.before, 0.4, s.reversal, NULL}, list, 1);
    for (int lane = 0; lane < TL_LANES; lane++) CHECK(s.ball[0].I.x[lane] == 0 && s.ball[0].I.y[lane] == 0 && s.ball[0].I.z[lane] == 0);
}

int main(int argc, char **argv)
{
    RUN(instruction_sets);
    RUN(balls_are_stones);
    RUN(open_balls);
    return TEST_RESULT;
}
