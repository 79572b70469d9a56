/* Every mistake of a scene at once, in the order of the file: also those in expressions, units and names that depend on the kind of a joint. */
#include "scenes.h"

static int lines_said(void)
{
    int n = 0;
    for (const char *p = said; (p = strchr(p, '\n')); p++) n++;
    return n;
}

TEST(of_joints)
{
    static const char *const EXPECTED[][2] = {{"scene.yaml:6:", "expected a length (m), got '500 s'"},
                                              {"scene.yaml:7:", "a prismatic joint has other coordinates"},
                                              {"scene.yaml:9:", "expected a velocity (m/s), got '3 rpm'"},
                                              {"scene.yaml:10:", "name a coordinate of joint 'H': position"},
                                              {"scene.yaml:11:", "expected a length (m), got '3 s'"},
                                              {"scene.yaml:13:", "do not add up"},
                                              {"scene.yaml:14:", "'W' is not known here"},
                                              {"scene.yaml:15:", "expected a stiffness (N/m), got '3 N'"},
                                              {"scene.yaml:15:", "expected a damping (N s/m), got '2 m'"},
                                              {"scene.yaml:16:", "there is no joint 'Q'"},
                                              {"scene.yaml:17:", "name a coordinate of joint 'H': position"},
                                              {"scene.yaml:17:", "there is no body 'nobody'"}};
    enum { COUNT = sizeof EXPECTED / sizeof *EXPECTED };
    refused("time: {end: 1 s, step: 1 ms}\nmechanisms:\n  press:\n    bodies: {top: {mass: 2 kg, inertia: 1}, side: {mass: 2 kg, inertia: 1}}\n    joints:\n"
            "      V: {type: prismatic, parent: ground, child: top, axis: [0, 1], position: 500 s}\n"
            "      H: {type: prismatic, parent: ground, child: side, axis: [1, 0], position: {angle: 2}}\n    drives:\n"
            "      a: {joint: V, speed: 3 rpm}\n      b: {joint: H.x, speed: 1}\n      c: {joint: H, position: {table: [[0 s, 0 mm], [1 s, 3 s]]}}\n"
            "    forces:\n      a: {joint: V, law: \"-3 N/m - 50 N s/m * v\"}\n      b: {joint: H, law: \"-3 N/m * W - 50 N s/m * v\"}\n"
            "      c: {joint: H, stiffness: 3 N, damping: 2 m}\n      d: {joint: Q, law: 3}\nprobes: {a: {joint: H.y}, b: {body: nobody}}\n",
            "scene.yaml", "nobody");
    for (int i = 0; i < COUNT; i++)
        if (!line_with(EXPECTED[i][0], EXPECTED[i][1])) TEST_FAIL("nothing of '%s' at %s; it said: %s", EXPECTED[i][1], EXPECTED[i][0], said);
    if (lines_said() != COUNT) TEST_FAIL("%d lines instead of %d: %s", lines_said(), (int)COUNT, said);
}

/* What only the world finds wrong: every body, every joint of a mechanism, every mechanism; and what is wrong only because of them is not said. */
TEST(of_the_world)
{
    refused("time: {end: 1 s, step: 1 ms}\nmaterials: {s: {density: 1, thickness: 1}}\nbodies:\n"
            "  a: {shapes: [{polygon: {points: [[0, 0], [0, 0], [0, 0]], material: s}}]}\n"
            "  b: {shapes: [{polygon: {points: [[0, 0], [1, 0], [2, 0]], material: s}}]}\n  c: {shapes: [{disk: {radius: 1, material: s}}]}\n"
            "mechanisms:\n  m:\n    bodies: {p: {mass: 1, inertia: 1}, q: {mass: 1, inertia: 1}}\n    joints:\n"
            "      A: {type: revolute, parent: p, child: p}\n      B: {type: revolute, parent: q, child: q}\n"
            "    drives: {d: {joint: A, speed: 1}}\n"
            "  n:\n    bodies: {u: {mass: 1, inertia: 1}}\n    joints: {C: {type: prismatic, axis: [0, 0], parent: ground, child: u}}\n"
            "loads: {l: {body: a, x: 1 N}}\nropes: {r: {bodies: [a, c], length: 1 m}}\n",
            "scene.yaml", "coincide");
    static const char *const EXPECTED[][2] = {{"scene.yaml:4:", "coincide"},
                                              {"scene.yaml:5:", "on one line"},
                                              {"scene.yaml:11:", "joins link 'p' to itself"},
                                              {"scene.yaml:12:", "joins link 'q' to itself"},
                                              {"scene.yaml:16:", "joint 'C' has no axis"}};
    enum { COUNT = sizeof EXPECTED / sizeof *EXPECTED };
    for (int i = 0; i < COUNT; i++)
        if (!line_with(EXPECTED[i][0], EXPECTED[i][1])) TEST_FAIL("nothing of '%s' at %s; it said: %s", EXPECTED[i][1], EXPECTED[i][0], said);
    if (lines_said() != COUNT) TEST_FAIL("%d lines instead of %d: %s", lines_said(), (int)COUNT, said);
}

/* What is right in each of these is not said to be wrong. */
TEST(nothing_else)
{
    accepted_without("time: {end: 1 s, step: 1 ms}\nmechanisms:\n  press:\n    bodies: {top: {mass: 2 kg, inertia: 1}}\n    joints:\n"
                     "      V: {type: prismatic, parent: ground, child: top, axis: [0, 1], position: {position: 20 mm}, velocity: 1 m/s}\n"
                     "    forces:\n      a: {joint: V, law: \"-3 N/m * q - 50 N s/m * v\", stiffness: 3 N/m, target: 1 mm * t/(1 s)}\n"
                     "probes: {a: {joint: V.position}}\n",
                     "expected");
}

int main(int argc, char **argv)
{
    make_folder();
    RUN(of_joints);
    RUN(of_the_world);
    RUN(nothing_else);
    remove_folder();
    return TEST_RESULT;
}
