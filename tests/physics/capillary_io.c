/* Liquid bridges (theory §2.9) in scenes, in the plane and in space: what hangs from what, and what a scene may get wrong. */
#include <math.h>

#include "lab.h"

/* A wet ball of 1 kg under a ceiling falls exactly when it weighs more than the bridge holds; one that starts 2 mm lower is pulled up with F(2 mm), a fourth
 * and a half of it for l = 2 mm: 1 + 1.05 + 2.5 = 4.55. */
TEST(a_ceiling)
{
    for (int space = 0; space < 2; space++)
        for (int heavy = 0; heavy < 2; heavy++) {
            char text[2048];
            const char *y = space ? "0, 0, " : "0, ", *kind = space ? "half_space" : "half_plane", *ball = space ? "sphere" : "disk";
            snprintf(text, sizeof text,
                     "dimension: %d\ntime: {end: 1 s, step: 1 ms}\ngravity: [%s-%s]\nsolver: {tolerance: 1e-12 m/s}\nmaterials: {sand: {}}\n"
                     "interactions: [{law: capillary, bridge_force: 9.1 N, bridge_length: 2 mm, rupture: 4 mm, friction: 0.5}]\n"
                     "bodies:\n  ceiling: {kind: fixed, material: sand, shapes: [{%s: {point: [%s0], normal: [%s-1]}}]}\n"
                     "  held: {mass: 1 kg, material: sand, position: [%s-0.1], shapes: [{%s: {radius: 0.1}}]}\n"
                     "  near: {mass: 1 kg, material: sand, position: [3, %s-0.102], shapes: [{%s: {radius: 0.1}}]}\n"
                     "probes: {v: {body: held, quantity: v%s}, w: {body: near, quantity: v%s}}\n",
                     2 + space, y, heavy ? "9.1001" : "9.0999", kind, y, y, y, ball, space ? "0, " : "", ball, space ? "z" : "y", space ? "z" : "y");
            lab l = open_lab(text, 1);
            lab_step(&l);
            CHECK_NEAR(lab_probe(&l, "w"), 1e-3 * (2 - (heavy ? 9.1001 : 9.0999)), 1e-12);
            CHECK_NEAR(lab_probe(&l, "v"), heavy ? -1e-7 : 0, 1e-11);
            close_lab(&l);
        }
}

/* A load that grows by 10 N/s pulls a rounded bar off a bridge of 15 N, in steps of 2 ms in which it would fall off by half of the bridge's length. */
TEST(a_load_pulls_it_off)
{
    static const char *const SCHEME[] = {"moreau", "generalized_alpha", "spook"};
    for (int i = 0; i < 6; i++) {
        const int d = 2 + i % 2;
        const char *zero = d == 2 ? "0" : "0, 0", *up = d == 2 ? "y" : "z";
        char text[1200];
        snprintf(
            text, sizeof text,
            "dimension: %d\ntime: {end: 3 s, step: 2 ms}\nintegrator: {scheme: %s}\nmaterials: {s: {density: %s}, p: {}}\ninteractions: [{between: [s, p], "
            "law: capillary, bridge_force: 15 N, bridge_length: 0.1 mm, rupture: 0.2 mm}]\nbodies:\n  floor: {kind: fixed, material: p, shapes: [{%s: "
            "{point: [%s, 0], normal: [%s, 1]}}]}\n  b: {position: [%s, 0.05], material: s, shapes: [{%s: {radius: 0.05}}]}\nloads: {l: {body: b, %s: \"10 "
            "N/s*t\"}}\nprobes: {q: {body: b, quantity: %s}, f: {contact_force: b, quantity: %s}}\n",
            d, SCHEME[i / 2], d == 2 ? "70" : "1000", d == 2 ? "half_plane" : "half_space", zero, zero, zero, d == 2 ? "disk" : "sphere", up, up, up);
        lab l = open_lab(text, 1);
        double pull = 0;
        while (talus_world_time(l.world) < 1.49) {
            lab_step(&l);
            pull = fmin(pull, lab_probe(&l, "f"));
        }
        CHECK_NEAR(lab_probe(&l, "q"), 0.05, 1e-6);
        CHECK_NEAR(pull, -14.9, 0.05);
        lab_run(&l, 1.7);
        CHECK(lab_probe(&l, "q") > 0.0503 && lab_probe(&l, "f") == 0);
        close_lab(&l);
    }
}

TEST(what_is_missing_is_named)
{
    static const char *const KEY[] = {"bridge_force: 1 N", "bridge_length: 1 mm", "rupture: 1 mm"}, *const NAME[] = {"bridge_force", "bridge_length",
                                                                                                                     "rupture"};
    for (int missing = 0; missing < 3; missing++) {
        char text[1024], all[4096] = "", said[80];
        snprintf(text, sizeof text, "time: {end: 1 s, step: 1 ms}\ninteractions: [{law: capillary, %s, %s}]\n", KEY[(missing + 1) % 3], KEY[(missing + 2) % 3]);
        snprintf(said, sizeof said, "the law 'capillary' wants a '%s'", NAME[missing]);
        talus_scene *s = load_lab(text);
        talus_world *w = NULL;
        if (talus_scene_mistake_count(s) == 0) CHECK(talus_scene_build(s, 1, &w) != TALUS_OK);
        for (int k = 0; k < talus_scene_mistake_count(s); k++) strncat(all, talus_scene_mistake(s, k), sizeof all - strlen(all) - 1);
        if (!strstr(all, said)) TEST_FAIL("said '%s', not '%s'", all, said);
        talus_world_destroy(w);
        talus_scene_destroy(s);
    }
}

int main(int argc, char **argv)
{
    RUN(a_ceiling);
    RUN(a_load_pulls_it_off);
    RUN(what_is_missing_is_named);
    return TEST_RESULT;
}
