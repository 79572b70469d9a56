/* Restitution that depends on speed (theory §2.8): a ball that bounces against its recursion, a gas that cools, and what the law may not be told. */
#include "physics/planar.h"

static const double SPEEDS[] = {0.5, 1, 4}, RATIOS[] = {0.9, 0.6, 0.2};

static talus_interaction_def table_law(talus_law_value value[2])
{
    talus_interaction_def d = talus_interaction_def_default();
    value[0] = (talus_law_value){.key = "speeds", .number = SPEEDS, .numbers = 3};
    value[1] = (talus_law_value){.key = "restitutions", .number = RATIOS, .numbers = 3};
    d.law = "impact", d.value = value, d.values = 2;
    return d;
}

static talus_interaction_def yield_law(talus_law_value *value, const double *speed)
{
    talus_interaction_def d = talus_interaction_def_default();
    *value = (talus_law_value){.key = "yield_speed", .number = speed, .numbers = 1};
    d.restitution = 0.8;
    d.law = "impact", d.value = value, d.values = 1;
    return d;
}

static double by_table(double v) { return v <= 0.5 ? 0.9 : v <= 1 ? 0.9 - 0.6 * (v - 0.5) : v <= 4 ? 0.6 - 0.4 / 3 * (v - 1) : 0.2; }

static double by_yield(double v) { return v <= 0.1 ? 0.8 : 0.8 * pow(v / 0.1, -0.25); }

static void set_law(talus_world *w, const talus_interaction_def *d)
{
    const talus_material_id none = {0};
    CHECK_OK(talus_interaction_set(w, none, none, d), talus_world_error(w));
}

/* To and fro between two walls without gravity: every impact is one of the law alone, v ← e(v) v. */
static void shuttle(const talus_interaction_def *holds, double (*e)(double), double begin)
{
    talus_world_def def = lab(1e-3);
    def.gravity[1] = 0;
    talus_world *w = open_world(&def);
    const talus_material_id m = material(w, "m", 1000);
    set_law(w, holds);
    (void)wall(w, m, 0, 0, 0, 1), (void)wall(w, m, 0, 1, 0, -1);
    const talus_body_id ball = moving(w, 0, 0.5, 0, begin, 0);
    add_disk(w, ball, m, 0, 0, 0.05);
    double expected = begin, before = begin;
    int impacts = 0;
    for (int i = 0; i < 100000 && impacts < 6; i++) {
        run(w, 1);
        const double now = speed(w, ball, 1);
        if (before * now < 0) {
            expected *= e(expected);
            impacts++;
            CHECK_NEAR(fabs(now), expected, 1e-9);
        } else CHECK_NEAR(now, before, 1e-12);
        before = now;
    }
    CHECK(impacts == 6);
    talus_world_destroy(w);
}

TEST(recursion)
{
    const double yield = 0.1;
    talus_law_value value[2];
    const talus_interaction_def table = table_law(value);
    const double begin[] = {0.3, 0.8, 2.5, 7};
    for (int i = 0; i < 4; i++) shuttle(&table, by_table, begin[i]);
    const talus_interaction_def power = yield_law(value, &yield);
    for (int i = 0; i < 4; i++) shuttle(&power, by_yield, begin[i]);
}

/* The height of bounces under gravity, v² = 2 g y between two impacts. Each of the four comes at most a step and a half early (theory §2.1). */
TEST(bounces)
{
    for (int fine = 0; fine < 2; fine++) {
        const double h = fine ? 2.5e-5 : 2e-4;
        const talus_world_def def = lab(h);
        talus_world *w = open_world(&def);
        const talus_material_id m = material(w, "m", 1000);
        talus_law_value value[2];
        const talus_interaction_def table = table_law(value);
        set_law(w, &table);
        (void)wall(w, m, 0, 0, 0, 1);
        const talus_body_id ball = free_disk(w, m, 0, 1.05, 0.05);
        double v = sqrt(2 * G), top = 0, worst = 0;
        int impacts = 0;
        for (double before = 0; impacts < 4;) {
            run(w, 1);
            const double now = speed(w, ball, 1);
            if (before > 0 && now <= 0 && impacts > 0) worst = fmax(worst, fabs(top - v * v / (2 * G)));
            if (before < 0 && now > 0) v *= by_table(v), impacts++, top = 0;
            top = fmax(top, at(w, ball, 1) - 0.05);
            before = now;
        }
        CHECK(worst < 4 * 1.5 * h * sqrt(2 * G));
        talus_world_destroy(w);
    }
}

/* A gas of disks in a box, with friction and spin: its energy never grows, in no step and for either law. */
TEST(gas_cools)
{
    const double yield = 0.05;
    for (int k = 0; k < 2; k++) {
        talus_world_def def = lab(1e-3);
        def.gravity[1] = 0;
        talus_world *w = open_world(&def);
        const talus_material_id m = material(w, "m", 1000);
        talus_law_value value[2];
        talus_interaction_def holds = k ? yield_law(value, &yield) : table_law(value);
        holds.friction = 0.3;
        set_law(w, &holds);
        (void)wall(w, m, 0, 0, 0, 1), (void)wall(w, m, 0, 1, 0, -1), (void)wall(w, m, 0, 0, 1, 0), (void)wall(w, m, 1, 0, -1, 0);
        for (int i = 0; i < 36; i++) {
            const talus_body_id b = moving(w, 0.1 + 0.16 * (i % 6), 0.1 + 0.16 * (i / 6), cos(7.0 * i), sin(5.0 * i * i), 10 * sin(i));
            add_disk(w, b, m, 0, 0, 0.05);
        }
        double before, potential, now, first;
        step(w);
        talus_world_energy(w, &before, &potential);
        first = before;
        for (int i = 0; i < 3000; i++) {
            run(w, 1);
            talus_world_energy(w, &now, &potential);
            if (!(now <= before * (1 + 1e-9))) TEST_FAIL("law %d, step %d: energy %.12g after %.12g J", k, i, now, before);
            before = now;
        }
        CHECK(before < 0.5 * first && before > 0);
        talus_world_destroy(w);
    }
}

static void refuse(const talus_interaction_def *d, const char *why)
{
    const talus_world_def def = lab(1e-3);
    talus_world *w = open_world(&def);
    const talus_material_id none = {0};
    CHECK(talus_interaction_set(w, none, none, d) == TALUS_INPUT);
    if (!strstr(talus_world_error(w), why)) TEST_FAIL("'%s' does not say '%s'", talus_world_error(w), why);
    talus_world_destroy(w);
}

TEST(nonsense)
{
    static const double TOO_MUCH = 1.1, NOTHING = 0, FALLING[] = {1, 0.5, 4};
    talus_law_value value[2];
    talus_interaction_def d = table_law(value);
    value[1].number = &TOO_MUCH, value[1].numbers = 1;
    refuse(&d, "'restitutions' of the law 'impact' is 1.1; it must be between 0 and 1");
    d = table_law(value);
    value[1].numbers = 2;
    refuse(&d, "3 'speeds' and 2 'restitutions'");
    d = table_law(value);
    value[0].number = FALLING;
    refuse(&d, "must increase");
    d = yield_law(value, &NOTHING);
    refuse(&d, "and not 0");
    d.values = 0;
    refuse(&d, "either 'speeds' with 'restitutions', or a 'yield_speed'");
}

int main(int argc, char **argv)
{
    RUN(recursion);
    RUN(bounces);
    RUN(gas_cools);
    RUN(nonsense);
    return TEST_RESULT;
}
