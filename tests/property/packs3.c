/* The kernels of packs give the same bits, whatever the instruction set: what the machine's own does is compared with plain C. */
#include "solve/packs3.h"
#include "test.h"

enum { PACKS = 400, ROWS = 64 };

static tl_random rnd;

static double uniform(double low, double high) { return tl_random_uniform(&rnd, low, high); }

typedef struct state {
    tl_row3 row[ROWS];
    tl_pack3 pack[PACKS];
    tl_lanes3 before[PACKS];
    tl_lanes goal[PACKS], drift[PACKS];
    double turn[PACKS];
    tl_errors error[PACKS];
    tl_lanes3 u[PACKS];
} state;

static void fill(tl_lanes *v, double low, double high)
{
    for (int i = 0; i < TL_LANES; i++) (*v)[i] = uniform(low, high);
}

static void fill3(tl_lanes3 *v, double low, double high) { fill(&v->x, low, high), fill(&v->y, low, high), fill(&v->z, low, high); }

/* No two ends of a pack are the same row; some contacts are with what does not move. */
static void random_rows(tl_pack3 *p)
{
    int row[ROWS];
    for (int i = 0; i < ROWS; i++) row[i] = i;
    for (int i = 0; i < 2 * TL_LANES; i++) {
        const int j = i + tl_random_int(&rnd, ROWS - i), at = row[j];
        row[j] = row[i], row[i] = at;
    }
    for (int i = 0; i < TL_LANES; i++) {
        p->a[i] = (uint32_t)row[2 * i] * (uint32_t)sizeof(tl_row3);
        p->b[i] = (uint32_t)row[2 * i + 1] * (uint32_t)sizeof(tl_row3);
        if (uniform(0, 1) < 0.1) p->b[i] = p->a[i], p->sb[i] = p->kb[i] = 0;
    }
}

static void random_state(state *s, bool spheres)
{
    memset(s, 0, sizeof *s);
    for (int i = 0; i < ROWS; i++)
        for (int k = 0; k < 3; k++) s->row[i].v[k] = uniform(-1, 1), s->row[i].w[k] = uniform(-1, 1);
    for (int i = 0; i < PACKS; i++) {
        tl_pack3 *p = &s->pack[i];
        const double most = uniform(0, 1) < 0.3 ? 0.01 : 1; /* nearly at rest: stick */
        fill3(&p->n, -1, 1), fill3(&p->t, -1, 1), fill3(&p->shift, -most, most), fill3(&p->I, -1, 1);
        fill(&p->sa, 0.1, 1), fill(&p->sb, 0.1, 1), fill(&p->ka, 0.1, 1), fill(&p->kb, 0.1, 1);
        fill(&p->inverse_nn, 0.2, 1), fill(&p->nn, 1, 5), fill(&p->s1, 0.2, 2), fill(&p->s2, 0.2, 2), fill(&p->friction, 0.1, 1), fill(&p->third, 0.2, 2);
        fill(&p->w1, -0.3, 0.3), fill(&p->w2, -0.3, 0.3);
        fill3(&p->an, -1, 1), fill3(&p->at, -1, 1), fill3(&p->as, -1, 1), fill3(&p->bn, -1, 1), fill3(&p->bt, -1, 1), fill3(&p->bs, -1, 1);
        if (spheres) p->s2 = p->s1, p->w1 = p->w2 = (tl_lanes){0};
        random_rows(p);
        fill(&p->I.x, 0, 1);
        fill3(&s->before[i], 0, 1);
        fill(&s->goal[i], -1, 1);
    }
}

static void work(const tl_packs3 *k, state *s, bool spheres)
{
    int list[PACKS];
    for (int i = 0; i < PACKS; i++) list[i] = i;
    k->start(s->row, s->pack, 0, PACKS);
    for (int i = 0; i < PACKS; i++) /* one by one: rows are shared between packs */
        (spheres ? k->sweep_spheres : k->sweep)(s->row, s->pack, s->before, 0.4, &list[i], 1, s->turn);
    k->extrapolate(s->row[0].v, s->row[1].v, 0.3, 0, 6);
    (spheres ? k->residual_spheres : k->residual)(s->row, s->pack, 0, PACKS, s->error);
    (spheres ? k->drift_spheres : k->drift)(s->row, s->pack, s->goal, s->drift, 0, PACKS);
    for (int i = 0; i < PACKS; i++) k->velocity(s->row, &s->pack[i], &s->u[i]);
}

static void same_bits(const tl_packs3 *k, bool spheres)
{
    static state plain, fast;
    random_state(&plain, spheres);
    fast = plain;
    work(&tl_packs3_any, &plain, spheres);
    work(k, &fast, spheres);
    double changed = 0;
    for (int i = 0; i < PACKS; i++) changed += plain.pack[i].I.x[3] > 0;
    CHECK(changed > 0.1 * PACKS && changed < PACKS); /* neither all open nor all closed */
    CHECK(memcmp(plain.row, fast.row, sizeof plain.row) == 0);
    CHECK(memcmp(plain.pack, fast.pack, sizeof plain.pack) == 0);
    CHECK(memcmp(plain.before, fast.before, sizeof plain.before) == 0);
    CHECK(memcmp(plain.drift, fast.drift, sizeof plain.drift) == 0);
    CHECK(memcmp(plain.turn, fast.turn, sizeof plain.turn) == 0);
    CHECK(memcmp(plain.u, fast.u, sizeof plain.u) == 0);
    for (int i = 0; i < PACKS; i++) {
        CHECK(plain.error[i].largest == fast.error[i].largest && plain.error[i].sum == fast.error[i].sum);
        CHECK(plain.error[i].pressing == fast.error[i].pressing);
    }
}

static void all_kinds(const tl_packs3 *k)
{
    for (int round = 0; round < 20; round++) {
        same_bits(k, false);
        same_bits(k, true);
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

int main(int argc, char **argv)
{
    RUN(instruction_sets);
    return TEST_RESULT;
}
