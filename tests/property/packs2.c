/* The planar kernels of packs give the same bits, whatever the instruction set: what the machine's own does is compared with plain C. */
#include "property/packs.h"
#include "solve/packs2.h"

typedef struct state {
    tl_row2 row[ROWS];
    tl_pack2 pack[PACKS];
    tl_lanes before[PACKS][2], goal[PACKS], drift[PACKS], u_n[PACKS], u_t[PACKS], give[PACKS];
    bool gives; /* else they are rigid */
    double reversal[PACKS];
    tl_errors error[PACKS];
} state;

static void random_state(state *s)
{
    memset(s, 0, sizeof *s);
    for (int i = 0; i < ROWS; i++) s->row[i] = (tl_row2){uniform(-1, 1), uniform(-1, 1), uniform(-1, 1), uniform(0.1, 1)};
    for (int i = 0; i < PACKS; i++) {
        tl_pack2 *p = &s->pack[i];
        fill(&p->nx, -1, 1), fill(&p->ny, -1, 1), fill(&p->cna, -1, 1), fill(&p->cta, -1, 1), fill(&p->cnb, -1, 1), fill(&p->ctb, -1, 1);
        fill(&p->inverse_nn, 0.2, 1), fill(&p->inverse_s, 0.2, 1), fill(&p->high, 0, 1), fill(&p->low, -1, 0), fill(&p->inverse_rho, 1, 5);
        fill(&p->shift_n, -1, 1), fill(&p->shift_t, -1, 1), fill(&p->friction, 0, 1), fill(&p->In, 0, 1), fill(&p->It, -1, 1);
        random_rows(p->a, p->b, sizeof(tl_row2));
        if (i % 7 == 0) p->high[i % TL_LANES] = (double)INFINITY, p->low[i % TL_LANES] = -(double)INFINITY; /* friction that jams */
        for (int lane = 0; lane < TL_LANES; lane++)
            if (p->a[lane] == p->b[lane]) p->cnb[lane] = p->ctb[lane] = 0;
        fill(&s->before[i][0], 0, 1), fill(&s->before[i][1], -1, 1);
        fill(&s->goal[i], -1, 1);
        fill(&s->give[i], 0, 2);
    }
}

static void work(const tl_packs2 *k, state *s)
{
    k->start(s->row, s->pack, 0, PACKS);
    for (int i = 0; i < PACKS; i++) /* one by one, as they share rows */
        k->sweep(s->row, s->pack, &(tl_momentum2){s->before, 0.4, s->reversal, s->gives ? s->give : NULL}, i, i + 1);
    k->extrapolate(&s->row[0].x, &s->row[1].x, 0.3, 0, 3);
    k->residual(s->row, s->pack, s->gives ? s->give : NULL, 0, PACKS, s->error);
    k->drift(s->row, s->pack, s->goal, s->drift, 0, PACKS);
    for (int i = 0; i < PACKS; i++) k->velocity(s->row, &s->pack[i], &s->u_n[i], &s->u_t[i]);
}

static void same_bits(const tl_packs2 *k, bool gives)
{
    static state plain, fast;
    random_state(&plain);
    plain.gives = gives;
    fast = plain;
    work(&tl_packs2_any, &plain);
    work(k, &fast);
    int closed = 0;
    for (int i = 0; i < PACKS; i++) closed += plain.pack[i].In[3] > 0;
    CHECK(closed > PACKS / 10 && closed < PACKS); /* neither all open nor all closed */
    CHECK(memcmp(plain.row, fast.row, sizeof plain.row) == 0);
    CHECK(memcmp(plain.pack, fast.pack, sizeof plain.pack) == 0);
    CHECK(memcmp(plain.before, fast.before, sizeof plain.before) == 0);
    CHECK(memcmp(plain.reversal, fast.reversal, sizeof plain.reversal) == 0);
    CHECK(memcmp(plain.drift, fast.drift, sizeof plain.drift) == 0);
    CHECK(memcmp(plain.u_n, fast.u_n, sizeof plain.u_n) == 0 && memcmp(plain.u_t, fast.u_t, sizeof plain.u_t) == 0);
    for (int i = 0; i < PACKS; i++) {
        CHECK(plain.error[i].largest == fast.error[i].largest && plain.error[i].sum == fast.error[i].sum);
        CHECK(plain.error[i].pressing == fast.error[i].pressing && plain.error[i].impulse == fast.error[i].impulse);
    }
}

TEST(instruction_sets)
{
    rnd = tl_random_seed(5);
    for (int round = 0; round < 20; round++) {
        same_bits(tl_packs2_of_this_machine(), round % 2);
#if defined(__x86_64__)
        if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) same_bits(&tl_packs2_fma, round % 2);
#endif
    }
}

/* A velocity that is not finite shows in the error of its pack. */
TEST(what_is_not_finite_shows)
{
    static state s;
    const tl_packs2 *const SET[] = {&tl_packs2_any, tl_packs2_of_this_machine()};
    rnd = tl_random_seed(6);
    for (int i = 0; i < 8; i++) {
        random_state(&s);
        const double bad = i & 1 ? (double)NAN : -(double)INFINITY;
        tl_row2 *row = &s.row[s.pack[0].a[3] / sizeof(tl_row2)];
        *(i & 2 ? &row->w : &row->x) = bad;
        SET[i / 4]->residual(s.row, s.pack, NULL, 0, 1, s.error);
        CHECK(isnan(s.error[0].largest));
    }
}

int main(int argc, char **argv)
{
    RUN(instruction_sets);
    RUN(what_is_not_finite_shows);
    return TEST_RESULT;
}
