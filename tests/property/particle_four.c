/* Four particles at once (solid/particle_four.h) against particles one by one: elastic and yielding, with references and without, at rest, flowing on the cone
 * and on both caps, torn, inside out, without numbers; the same whoever is beside them. */
#include "property/particle.h"
#include "solid/particle_four.h"
#include "solid/particle_renewal.h"

enum { ROOM = TL_MATERIAL_STATES + TL_RENEWAL_STATES, KINDS = 4 };

typedef struct four {
    tl_columns G[4], rate[4];
    double memory[4][ROOM];
} four;

static double uniform(double low, double high) { return tl_random_uniform(&rnd, low, high); }

/* Strained as much as between renewals, seen from references that are far from the first; compacted, and flowed before. */
static void make(four *f, const tl_material *m, double size, bool renewed)
{
    memset(f, 0, sizeof *f);
    for (int l = 0; l < 4; l++) {
        const tl_mat3 seen = random_deformation(size * uniform(0, 1)), rate = less_one(random_deformation(size));
        const tl_mat3 B = renewed ? random_deformation(0.2) : tl_mat3_identity(), reference = tl_mat3_inverse(&B, tl_mat3_determinant(&B));
        const tl_mat3 G = less_one(tl_mat3_mul(&seen, &reference));
        tl_columns_of_mat3(&G, f->G[l]), tl_columns_of_mat3(&rate, f->rate[l]);
        for (int k = 0; k < m->kind->states; k++) f->memory[l][k] = k < 6 ? size * uniform(-0.2, 0.2) : uniform(0, 0.5);
        for (int k = 0; k < 9; k++) f->memory[l][m->kind->states + k] = less_one(B).m[k / 3][k % 3];
    }
}

static bool one(const tl_material *m, const four *f, int l, bool renewed, double damping, tl_mat3 *P)
{
    tl_columns own[2];
    memcpy(own, (const tl_columns[2]){{{0}}}, sizeof own);
    memcpy(own[0], f->G[l], sizeof own[0]), memcpy(own[1], f->rate[l], sizeof own[1]);
    const tl_mat3 G = tl_mat3_of_columns(own[0]), rate = tl_mat3_of_columns(own[1]);
    const tl_particle_motion motion = {&G, damping != 0 ? &rate : NULL, damping};
    double after[ROOM];
    return renewed ? tl_particle_stress_renewed(m, &motion, f->memory[l], after, P, NULL) : tl_particle_stress(m, &motion, f->memory[l], after, P, NULL);
}

static int all(const tl_material *m, four *f, bool renewed, double damping)
{
    return tl_particle_stress_of_four(m, &(tl_particle_four){damping != 0 ? (const tl_columns *)f->rate : NULL, damping, f->memory[0], ROOM, renewed}, f->G);
}

TEST(one_by_one)
{
    int found[2][2] = {{0}}, left = 0, flow = 0;
    rnd = tl_random_seed(8);
    for (int trial = 0; trial < 4000; trial++) {
        const tl_material m = trial % 2 ? soil() : (tl_material){&TL_ELASTIC, {1e6, 0.3}};
        const bool renewed = trial / 2 % 2;
        const double damping = trial / 4 % 2 ? 0.02 : 0;
        four f, at_once;
        make(&f, &m, trial % 2 ? pow(10, uniform(-4.5, -2)) : 0.1, renewed);
        if (trial % 16 == 14 && renewed) f.memory[trial / 16 % 4][m.kind->states + TL_RENEWAL_TORN] = 1;
        at_once = f;
        const int bits = all(&m, &at_once, renewed, damping);
        for (int l = 0; l < 4; l++) {
            tl_mat3 want, got = tl_mat3_of_columns(at_once.G[l]);
            CHECK(one(&m, &f, l, renewed, damping, &want));
            if (renewed && f.memory[l][m.kind->states + TL_RENEWAL_TORN] != 0) CHECK(!(bits >> l & 1));
            if (!(bits >> l & 1)) {
                left++;
                CHECK(memcmp(at_once.G[l], f.G[l], sizeof f.G[l]) == 0); /* as they were */
                continue;
            }
            found[trial % 2][renewed]++;
            for (int k = 0; k < 9; k++) CHECK_NEAR(got.m[k / 3][k % 3], want.m[k / 3][k % 3], 1e-12 * m.parameter[0]);
            double after[ROOM];
            tl_mat3 P, G = tl_mat3_of_columns(f.G[l]);
            if (!renewed && damping == 0 && tl_particle_stress(&m, &(tl_particle_motion){.G = &G}, f.memory[l], after, &P, NULL))
                flow += m.kind->states > 0 && memcmp(after, f.memory[l], (size_t)m.kind->states * sizeof *after) != 0;
        }
    }
    CHECK(found[0][0] == 4000 && found[0][1] > 3000); /* elastic ones, but for those that are torn */
    CHECK(found[1][0] > 1500 && found[1][1] > 1500 && flow > 200 && left > 2000);
}

/* What turns inside out, or is no number, is left to who can say so. */
TEST(nothing_to_find)
{
    rnd = tl_random_seed(9);
    for (int kind = 0; kind < 2; kind++) {
        const tl_material m = kind ? soil() : (tl_material){&TL_ELASTIC, {1e6, 0.3}};
        four f, at_once;
        make(&f, &m, 1e-5, false);
        memset(f.memory, 0, sizeof f.memory);
        f.G[1][0][0] = -1.5;
        f.G[2][1][2] = (double)NAN;
        at_once = f;
        CHECK(all(&m, &at_once, false, 0) == (1 | 8));
        CHECK(memcmp(at_once.G[1], f.G[1], sizeof f.G[1]) == 0);
    }
}

/* The same bits, wherever among the four and whoever the others are. */
TEST(neighbours)
{
    rnd = tl_random_seed(10);
    for (int trial = 0; trial < 500; trial++) {
        const tl_material m = soil();
        four f, other;
        make(&f, &m, 0.001, true), make(&other, &m, 0.001, true);
        const int from = trial % 4, to = trial / 4 % 4;
        memcpy(other.G[to], f.G[from], sizeof f.G[from]), memcpy(other.rate[to], f.rate[from], sizeof f.rate[from]);
        memcpy(other.memory[to], f.memory[from], sizeof f.memory[from]);
        const int a = all(&m, &f, true, 0.02), b = all(&m, &other, true, 0.02);
        CHECK((a >> from & 1) == (b >> to & 1));
        for (int c = 0; c < 3; c++) CHECK(memcmp(f.G[from][c], other.G[to][c], 3 * sizeof(double)) == 0);
    }
}

int main(int argc, char **argv)
{
    RUN(one_by_one);
    RUN(nothing_to_find);
    RUN(neighbours);
    return TEST_RESULT;
}
