/* Ropes over pulleys from scenes: closed forms, energy, momentum, in the plane and in space, on bodies and on links. */
#include "lab.h"

/* Atwood's machine: 3 kg and 1 kg over an eye: a = g/2, the pull 1.5 g kg. In space with the eye aside, so that both sway: energy. */
TEST(two_weights_over_an_eye)
{
    lab l = open_lab("time: {end: 1 s, step: 1 ms}\ngravity: [0, -10]\nbodies:\n  a: {mass: 3 kg, inertia: 1, position: [-1, -2]}\n  b: {mass: 1 kg, inertia: "
                     "1, position: [1, -4]}\n"
                     "ropes:\n  r: {bodies: [a, ground, ground, b], at: [[0, 0], [-1, 0], [1, 0], [0, 0]]}\nprobes: {a: {body: a, quantity: y}, b: {body: b, "
                     "quantity: y}, pull: {rope: r}}\n",
                     1);
    lab_run(&l, 0.5);
    CHECK_NEAR(lab_probe(&l, "a"), -2 - 0.5 * 5 * 0.25, 1e-9);
    CHECK_NEAR(lab_probe(&l, "b"), -4 + 0.5 * 5 * 0.25, 1e-9);
    CHECK_NEAR(lab_probe(&l, "pull"), 15, 1e-9);
    close_lab(&l);
    double lost[2];
    for (int fine = 0; fine < 2; fine++) {
        char text[1024];
        snprintf(text, sizeof text,
                 "dimension: 3\ntime: {end: 1 s, step: %s}\ngravity: [0, 0, -10]\nsolver: {tolerance: 1e-12 m/s}\nbodies:\n  a: {mass: 3 kg, inertia_tensor: "
                 "[1, 1, 1], position: [0.3, 0.2, -2]}\n  b: {mass: 2 kg, inertia_tensor: [1, 1, 1], position: [-0.4, 0.5, -3]}\n"
                 "ropes: {r: {bodies: [a, ground, b]}}\nprobes: {e: {energy: total}, pull: {rope: r}}\n",
                 fine ? "0.5 ms" : "2 ms");
        l = open_lab(text, 1);
        const double start = lab_probe(&l, "e");
        lab_run(&l, 0.6);
        lost[fine] = fabs(lab_probe(&l, "e") - start);
        CHECK(lab_probe(&l, "pull") > 1);
        close_lab(&l);
    }
    CHECK(lost[1] < 1e-5 && lost[0] / lost[1] > 12);
}

/* A tackle of four falls: what hangs on the lower block weighs four times the pull, in equilibrium, and sinks a quarter of what the end is drawn. */
TEST(a_tackle_of_four_falls)
{
    lab l = open_lab("time: {end: 2 s, step: 1 ms}\ngravity: [0, -10]\nbodies:\n  load: {mass: 8 kg, inertia: 1, position: [0, -3]}\n  hand: {kind: imposed, "
                     "position: [5, 0], motion: {x: \"0.4 m/s * t\"}}\n"
                     "ropes:\n  r: {bodies: [ground, load, ground, load, ground, hand], at: [[0, 0], [0, 0], [0, 0], [0, 0], [0, 0], [0, 0]]}\nprobes: {y: "
                     "{body: load, quantity: y}, pull: {rope: r}}\n",
                     1);
    lab_run(&l, 2);
    CHECK_NEAR(lab_probe(&l, "pull"), 20, 1e-6);
    CHECK_NEAR(lab_probe(&l, "y"), -3 + 0.8 / 4, 1e-3);
    close_lab(&l);
}

/* A slack rope does nothing until it is taut; three bodies without gravity keep their momentum, and energy does not grow when it snaps taut. */
TEST(slack_then_taut)
{
    lab l = open_lab("time: {end: 2 s, step: 1 ms}\nbodies:\n  a: {mass: 1 kg, inertia: 1, position: [0, 0], velocity: [-1, 0.2]}\n  p: {mass: 2 kg, inertia: "
                     "1, position: [1, 1]}\n  b: {mass: 1 kg, inertia: 1, position: [2, 0], velocity: [1, 0]}\n"
                     "ropes: {r: {bodies: [a, p, b], length: 3.5 m}}\nprobes: {e: {energy: total}, pull: {rope: r}, va: {body: a, quantity: vx}, vp: {body: p, "
                     "quantity: vx}, vb: {body: b, quantity: vx}, "
                     "wa: {body: a, quantity: vy}, wp: {body: p, quantity: vy}, wb: {body: b, quantity: vy}}\n",
                     1);
    const double start = lab_probe(&l, "e");
    lab_run(&l, 0.2);
    CHECK(lab_probe(&l, "pull") == 0 && lab_probe(&l, "vb") == 1);
    bool taut = false;
    while (talus_world_time(l.world) < 2) {
        lab_step(&l);
        taut |= lab_probe(&l, "pull") > 0;
        CHECK(lab_probe(&l, "e") < start + 1e-6);
    }
    CHECK(taut);
    CHECK_NEAR(lab_probe(&l, "va") + 2 * lab_probe(&l, "vp") + lab_probe(&l, "vb"), 0, 1e-9);
    CHECK_NEAR(lab_probe(&l, "wa") + 2 * lab_probe(&l, "wp") + lab_probe(&l, "wb"), 0.2, 1e-9);
    close_lab(&l);
}

/* A crane: the rope from the ground over the tip of a boom, a link that a drive holds, carries 5 kg at rest; restart goes on bit by bit. */
TEST(over_the_tip_of_a_boom)
{
    lab l = open_lab(
        "time: {end: 1 s, step: 1 ms}\ngravity: [0, -10]\nmechanisms:\n  crane:\n    bodies: {boom: {mass: 10 kg, inertia: 3 kg m^2, centre_of_mass: [1, 0]}}\n"
        "    joints: {foot: {type: revolute, parent: ground, child: boom}}\n    drives: {d: {joint: foot, position: 0 rad}}\n"
        "bodies: {load: {mass: 5 kg, inertia: 1, position: [2, -1]}}\nropes: {r: {bodies: [ground, boom, load], at: [[0, 1], [2, 0], [0, 0]]}}\n"
        "probes: {pull: {rope: r}, m: {joint: foot, quantity: force}, y: {body: load, quantity: y}}\n",
        1);
    lab_run(&l, 1);
    CHECK_NEAR(lab_probe(&l, "pull"), 50, 1e-6);
    CHECK_NEAR(lab_probe(&l, "y"), -1, 1e-6);
    /* the boom's weight; at the tip 50 N down, and 50 N along (−2, 1)/√5 */
    CHECK_NEAR(lab_probe(&l, "m"), 10 * 10 * 1 + 2 * 50 - 2 * 50 / sqrt(5), 1e-5);
    close_lab(&l);
}

TEST(mistakes_are_said)
{
    static const struct {
        const char *rope, *says;
    } CASE[] = {
        {"{type: rod, bodies: [ground, b, ground]}", "only a rope"}, {"{bodies: [ground, ground, b]}", "at the same place"}, {"{bodies: [b]}", "or more"}};
    for (size_t i = 0; i < sizeof CASE / sizeof *CASE; i++) {
        char text[1024], all[4096] = "";
        snprintf(text, sizeof text, "time: {end: 1 s, step: 1 ms}\nbodies: {b: {mass: 1, inertia: 1, position: [1, 0]}}\nropes: {r: %s}\n", CASE[i].rope);
        talus_scene *s = load_lab(text);
        talus_world *w = NULL;
        if (talus_scene_mistake_count(s) == 0) CHECK(talus_scene_build(s, 1, &w) != TALUS_OK);
        for (int k = 0; k < talus_scene_mistake_count(s); k++) strncat(all, talus_scene_mistake(s, k), sizeof all - strlen(all) - 1);
        if (!strstr(all, CASE[i].says)) TEST_FAIL("%s: said '%s', not '%s'", CASE[i].rope, all, CASE[i].says);
        talus_world_destroy(w);
        talus_scene_destroy(s);
    }
}

int main(int argc, char **argv)
{
    RUN(two_weights_over_an_eye);
    RUN(a_tackle_of_four_falls);
    RUN(slack_then_taut);
    RUN(over_the_tip_of_a_boom);
    RUN(mistakes_are_said);
    return TEST_RESULT;
}
