/* Pairs that move a little from step to step: what is kept of them (rivals3.c) must not show in what is found. */
#include "random3.h"

enum { WALKS = 1500, STEPS = 60, SHAPES = 12 };

static tl_shape3 shape[SHAPES];

static void make_shapes(void)
{
    for (int i = 0; i < 4; i++) shape[i] = random_polyhedron(i, 1);
    shape[4] = make_stone(25, 1), shape[5] = make_stone(60, 1), shape[6] = make_stone(12, 1);
    shape[7] = make_box(0.7, 0.5, 0.3), shape[8] = make_capsule(0.7, 0.2), shape[9] = make_ball(0.5);
    tl_vec3 column[16], aside[8]; /* faces of eight corners; a body far from its origin */
    for (int i = 0; i < 16; i++) column[i] = tl_v3(0.6 * cos(i / 2 * TL_PI / 4), 0.6 * sin(i / 2 * TL_PI / 4), i % 2 ? 0.5 : -0.5);
    for (int i = 0; i < 8; i++) aside[i] = tl_v3(i & 1 ? 20.5 : 19.5, i & 2 ? 0.4 : -0.4, i & 4 ? 10.6 : 9.4);
    shape[10] = make_hull(column, 16, 0), shape[11] = make_hull(aside, 8, 0);
}

/* Both shapes by steps of about this share of the size; now and then all back to where they touch. */
static void move(tl_frame *f, double by)
{
    f->p = tl_add(f->p, tl_scale(by, random_direction()));
    const tl_mat3 turn = tl_mat3_rotation(random_direction(), by);
    f->R = tl_mat3_mul(&turn, &f->R);
}

static bool same(const tl_touch *t, const tl_touch *u)
{
    const double d[7] = {t->point.x - u->point.x,   t->point.y - u->point.y,   t->point.z - u->point.z, t->normal.x - u->normal.x,
                         t->normal.y - u->normal.y, t->normal.z - u->normal.z, t->gap - u->gap};
    for (int i = 0; i < 7; i++)
        if (d[i] != 0) return false;
    return t->feature == u->feature;
}

/* Returns how often the list held. */
static int walk(const tl_shape3 *a, const tl_shape3 *b, double by, int *touching)
{
    const double alert = chance(0.5) ? 0.05 : 5e-324;
    tl_known3 known = {0};
    tl_vec3 hint = {0, 0, 0};
    tl_frame fa, fb; /* one draw a statement: compilers differ in the order of arguments */
    fa.p = random_direction();
    fa.R = random_rotation();
    fb.R = random_rotation();
    const double far = uniform(0.6, 1.6);
    const tl_vec3 middle = tl_sub(tl_mat3_apply(&fa.R, a->centre), tl_mat3_apply(&fb.R, b->centre));
    fb.p = tl_add(tl_add(fa.p, middle), tl_scale(far, random_direction()));
    int held = 0;
    for (int k = 0; k < STEPS; k++) {
        tl_touch t[TL_TOUCHES3], u[TL_TOUCHES3];
        tl_vec3 none = {0, 0, 0};
        const float level = known.level;
        const bool had = known.holds;
        const int n = tl_touch3_find((tl_placed3){a, &fa}, (tl_placed3){b, &fb}, alert, &hint, &known, t),
                  m = tl_touch3_find((tl_placed3){a, &fa}, (tl_placed3){b, &fb}, alert, &none, NULL, u);
        CHECK(n == m);
        for (int i = 0; i < n && n == m; i++) CHECK(same(&t[i], &u[i]));
        held += had && known.level == level;
        *touching += n > 0;
        move(&fa, by * (double)uniform(0, 1));
        move(&fb, by * (double)uniform(0, 1));
        if (chance(0.1)) move(&fb, 0.05);
    }
    return held;
}

TEST(kept_lists_do_not_show)
{
    rnd = tl_random_seed(11);
    make_shapes();
    int held = 0, touching = 0;
    for (int k = 0; k < WALKS; k++) {
        const int i = tl_random_int(&rnd, SHAPES), j = tl_random_int(&rnd, SHAPES);
        const double by = pow(10, uniform(-6, -1));
        held += walk(&shape[i], &shape[j], by, &touching);
    }
    printf("of %d searches %d touch, in %d the list held\n", WALKS * STEPS, touching, held);
    CHECK(touching > WALKS * STEPS / 5 && held > WALKS * STEPS / 5);
    for (int i = 0; i < SHAPES; i++) free_shape(&shape[i]);
}

int main(int argc, char **argv)
{
    RUN(kept_lists_do_not_show);
    return TEST_RESULT;
}
