/* What is removed is there no more: joints, ropes and springs that tied something to it let go of that, which falls freely from then on, by closed forms; what
 * still holds goes on holding. In the plane and in space, in every scheme that knows joints. */
#include "lab.h"

#include <math.h>

static const double G = 10, H = 1e-3, GONE = 0.2;

static lab hang(int dimension, const char *scheme, const char *solver, const char *ties, const char *gone)
{
    char text[4000];
    const bool space = dimension == 3;
    snprintf(text, sizeof text,
             "dimension: %d\ngravity: %s\ntime: {end: 2 s, step: 1 ms}\nintegrator: {scheme: %s}\nsolver: {tolerance: 1e-10, method: %s}\nmaterials: {m: "
             "{density: 1000}}\n"
             "bodies:\n"
             "  a: {position: %s, mass: 2 kg, %s, material: m, shapes: [{%s: {radius: 0.05}}]}\n"
             "  b: {position: %s, mass: 1 kg, %s, material: m, shapes: [{%s: {radius: 0.05}}]}\n"
             "  far: {position: %s, mass: 1 kg, %s}\n"
             "%s"
             "stages: {one: {until: {after: 0.2 s}}, two: {bodies: {a: {kind: removed}}}}\n"
             "probes: {y: {body: b, quantity: y}, v: {body: b, quantity: vy}, e: {energy: total}, far: {body: far, quantity: y}%s}\n",
             dimension, space ? "[0, -10, 0]" : "[0, -10]", scheme, solver, space ? "[0, -1, 0]" : "[0, -1]",
             space ? "inertia_tensor: 0.1 kg m^2" : "inertia: 0.1 kg m^2", space ? "sphere" : "disk", space ? "[0, -2, 0]" : "[0, -2]",
             space ? "inertia_tensor: 0.1 kg m^2" : "inertia: 0.1 kg m^2", space ? "sphere" : "disk", space ? "[5, -1, 0]" : "[5, -1]",
             space ? "inertia_tensor: 0.1 kg m^2" : "inertia: 0.1 kg m^2", ties, gone);
    return open_lab(text, 1);
}

/* b hangs at rest until a is gone, and falls from then on: of its own accord, and without what the tie has stored. `far` hangs at the ground all the time. */
static void falls(int dimension, const char *scheme, const char *solver, const char *tie, const char *force)
{
    char ties[2000], gone[200];
    snprintf(ties, sizeof ties, "joints:\n  top: {type: fixed, bodies: [ground, a]}\n  hold: {type: fixed, bodies: [ground, far]}\n%s%s", tie,
             strncmp(tie, "ropes", 5) == 0 ? "  slack: {type: rope, bodies: [ground, a]}\n" : "ropes: {slack: {type: rope, bodies: [ground, a]}}\n");
    snprintf(gone, sizeof gone, ", slack: {rope: slack}, f: {%s: tie%s}", force, strcmp(force, "body_joint") == 0 ? ", quantity: magnitude" : "");
    lab l = hang(dimension, scheme, solver, ties, gone);
    (void)lab_run(&l, GONE - 2 * H);
    const double rest = lab_probe(&l, "y"), before = lab_probe(&l, "f");
    if (!(fabs(before - G) < 1e-3 * G)) TEST_FAIL("%d, %s, %s, %s: held with %g N instead of %g", dimension, scheme, solver, tie, before, G);
    (void)lab_run(&l, GONE + 0.1);
    double energy = lab_probe(&l, "e"), v = lab_probe(&l, "v");
    const double t = talus_world_time(l.world), off = lab_probe(&l, "y") - rest + 0.5 * G * (t - GONE) * (t - GONE);
    if (!(fabs(off) < 2 * G * 0.1 * H)) TEST_FAIL("%d, %s, %s, %s: is %g m off", dimension, scheme, solver, tie, off);
    (void)lab_run(&l, GONE + 0.5);
    CHECK_NEAR(lab_probe(&l, "v") - v, -G * (talus_world_time(l.world) - t), 1e-9);
    const double lost = strcmp(scheme, "spook") == 0 ? 0.5 * G * G * H * (talus_world_time(l.world) - t) : 0; /* of a fall in its staggered steps */
    CHECK_NEAR(lab_probe(&l, "e"), energy - lost, 1e-6);
    CHECK_NEAR(lab_probe(&l, "f"), 0, 1e-12);
    CHECK_NEAR(lab_probe(&l, "slack"), 0, 1e-12); /* between the ground and what is gone */
    CHECK_NEAR(lab_probe(&l, "far"), -1, 1e-9);
    close_lab(&l);
}

TEST(lets_go)
{
    static const char *const SCHEME[] = {"moreau", "spook", "generalized_alpha"};
    static const char *const JOINT[] = {"{type: revolute, bodies: [a, b], at: [0, -1%s]}", "{type: fixed, bodies: [a, b]}",
                                        "{type: distance, bodies: [a, b], at: [0, -1%s], to: [0, -2%s]}", "{type: prismatic, bodies: [a, b], axis: [1, 0%s]}"};
    static const char *const ROPE[] = {"{type: rod, bodies: [a, b]}", "{type: rope, bodies: [a, b]}",
                                       "{bodies: [a, ground, b], at: [[0, 0%s], [0, 0%s], [0, 0%s]]}"};
    char tie[400], of[300];
    for (int dimension = 2; dimension <= 3; dimension++)
        for (int s = 0; s < 3; s++) {
            const char *const z = dimension == 3 ? ", 0" : "";
            for (int k = 0; k < 4; k++) {
                snprintf(of, sizeof of, JOINT[k], z, z);
                snprintf(tie, sizeof tie, "  tie: %s\n", of);
                falls(dimension, SCHEME[s], "auto", tie, "body_joint");
            }
            for (int k = 0; k < 3; k++) {
                snprintf(of, sizeof of, ROPE[k], z, z, z);
                snprintf(tie, sizeof tie, "ropes:\n  tie: %s\n", of);
                falls(dimension, SCHEME[s], "auto", tie, "rope");
            }
        }
}

TEST(solvers)
{
    static const char *const SOLVER[] = {"nlgs", "bodies"};
    for (int k = 0; k < 2; k++) falls(3, "moreau", SOLVER[k], "  tie: {type: revolute, bodies: [a, b], at: [0, -1, 0]}\n", "body_joint");
}

/* Of two chains side by side one loses its middle link: of that the lower part falls, the upper one, and the other chain, go on hanging. */
TEST(chain)
{
    for (int dimension = 2; dimension <= 3; dimension++) {
        char text[4000] = "";
        const bool space = dimension == 3;
        size_t n = (size_t)snprintf(text, sizeof text, "dimension: %d\ngravity: %s\ntime: {end: 2 s, step: 1 ms}\nsolver: {tolerance: 1e-10}\nbodies:\n",
                                    dimension, space ? "[0, -10, 0]" : "[0, -10]");
        for (int c = 0; c < 2; c++)
            for (int k = 1; k <= 5; k++)
                n += (size_t)snprintf(text + n, sizeof text - n, "  l%d%d: {position: [%d, -%d%s], mass: 1 kg, %s: 0.1 kg m^2}\n", c, k, 5 * c, k,
                                      space ? ", 0" : "", space ? "inertia_tensor" : "inertia");
        n += (size_t)snprintf(text + n, sizeof text - n, "joints:\n");
        for (int c = 0; c < 2; c++)
            for (int k = 1; k <= 5; k++) {
                char upper[20];
                snprintf(upper, sizeof upper, k == 1 ? "ground" : "l%d%d", c, k - 1);
                n += (size_t)snprintf(text + n, sizeof text - n, "  j%d%d: {type: revolute, bodies: [%s, l%d%d], at: [%d, -%d.5%s]}\n", c, k, upper, c, k,
                                      5 * c, k - 1, space ? ", 0" : "");
            }
        snprintf(text + n, sizeof text - n,
                 "stages: {one: {until: {after: 0.2 s}}, two: {bodies: {l03: {kind: removed}}}}\nprobes:\n"
                 "  top: {body_joint: j01, quantity: magnitude}\n  other: {body_joint: j11, quantity: magnitude}\n"
                 "  low: {body: l05, quantity: y}\n  within: {body_joint: j05, quantity: magnitude}\n");
        lab l = open_lab(text, 1);
        (void)lab_run(&l, 0.1);
        CHECK_NEAR(lab_probe(&l, "top"), 5 * G, 1e-6);
        (void)lab_run(&l, 0.7);
        const double t = talus_world_time(l.world) - GONE;
        CHECK_NEAR(lab_probe(&l, "top"), 2 * G, 1e-6);
        CHECK_NEAR(lab_probe(&l, "other"), 5 * G, 1e-6);
        CHECK_NEAR(lab_probe(&l, "within"), 0, 1e-6); /* what falls freely pulls at nothing */
        CHECK_NEAR(lab_probe(&l, "low"), -5 - 0.5 * G * t * t, 2 * G * t * H);
        close_lab(&l);
    }
}

/* A sink takes the upper of two that fall side by side on a rod; the other one falls on. */
TEST(sunk)
{
    for (int rope = 0; rope < 2; rope++) {
        char text[2000];
        snprintf(
            text, sizeof text,
            "gravity: [0, -10]\ntime: {end: 1 s, step: 1 ms}\nmaterials: {m: {density: 1000}}\nbodies:\n"
            "  a: {position: [0, 0], material: m, shapes: [{disk: {radius: 0.1}}]}\n  b: {position: [0.5, 2], material: m, shapes: [{disk: {radius: 0.1}}]}\n%s"
            "sinks: {s: {region: [[-3, -1.2], [3, -1]]}}\nprobes: {y: {body: b, quantity: y}, n: {number: all}}\n",
            rope ? "ropes: {j: {type: rod, bodies: [a, b]}}\n" : "joints: {j: {type: fixed, bodies: [a, b]}}\n");
        lab l = open_lab(text, 1);
        (void)lab_run(&l, 0.7);
        const double t = talus_world_time(l.world);
        CHECK_NEAR(lab_probe(&l, "n"), 1, 0);
        CHECK_NEAR(lab_probe(&l, "y"), 2 - 0.5 * G * t * t, 1e-9);
        close_lab(&l);
    }
}

/* What oil moves, or a solid holds, stays: said, with names, and what has been reached is kept. */
TEST(refused)
{
    static const char *const WHAT[4] = {
        "hydraulics: {c: {cylinders: {lift: {bodies: [ground, a], at: [[0, 0], [0, 0]], stroke: [0.5, 1.5], bore: 0.1 m, single_acting: true, dead_volume: 0.2 "
        "l, pressure: [0.1 MPa, 0]}}}}\n",
        "solids: {s: {box: {size: [1, 1], elements: 2}, material: {density: 1000, young: 1 MPa, poisson: 0.3}, fixed: bottom}}\n"
        "joints: {weld: {type: fixed, bodies: [s, a], group: top}}\n",
        "joints: {pin: {type: revolute, bodies: [ground, a]}}\n", "ropes: {r: {type: rope, bodies: [ground, a]}}\n"};
    static const char *const SAID[4] = {"is moved by 'lift', so it cannot be taken away", "is glued to a solid by joint 'weld', so it cannot be taken away",
                                        "was tied by a joint, which is cut since it was taken away, so it cannot come back",
                                        "was tied by a rope or rod, which is cut"};
    for (int k = 0; k < 4; k++) {
        char text[2000];
        snprintf(text, sizeof text,
                 "time: {end: 1 s, step: 1 ms}\nbodies: {a: {position: [0, 1], mass: 1 kg, inertia: 0.1 kg m^2}}\n%s"
                 "stages: {one: {until: {after: 0.01 s}}, two: {until: {after: 0.01 s}, bodies: {a: {kind: removed}}}, three: {bodies: {a: {kind: fixed}}}}\n",
                 WHAT[k]);
        lab l = open_lab(text, 1);
        talus_status status = TALUS_OK;
        bool over = false;
        for (int i = 0; i < 50 && status == TALUS_OK; i++) {
            status = talus_world_step(l.world, NULL);
            if (status == TALUS_OK) status = talus_scene_advance(l.scene, l.world, &over);
        }
        CHECK(status == TALUS_UNSUPPORTED && talus_world_time(l.world) < (k < 2 ? 0.015 : 0.025));
        CHECK(strstr(talus_world_error(l.world), SAID[k]) && strstr(talus_world_error(l.world), "'a'"));
        close_lab(&l);
    }
}

/* What a source lets come has no place yet: nothing can be tied to it, which is said before the run, where it stands. */
TEST(not_there_yet)
{
    static const char *const TIE[4] = {
        "ropes: {r: {bodies: [top, src.1], length: 1.5 m}}\n", "joints: {j: {type: revolute, bodies: [top, src.1], at: [%s]}}\n",
        "ropes: {r: {bodies: [top, src.1, low]}}\n",
        "hydraulics: {c: {cylinders: {lift: {bodies: [top, src.1], at: [[%s], [%s]], stroke: [0.5, 1.5], bore: 0.1 m, single_acting: true, dead_volume: 0.2 l, "
        "pressure: [0.1 MPa, 0]}}}}\n"};
    for (int dimension = 2; dimension <= 3; dimension++)
        for (int k = 0; k < 4; k++) {
            const char *z = dimension == 3 ? ", 0" : "";
            char text[2000], tie[800], at[16];
            (void)snprintf(at, sizeof at, "0, 2%s", z);
            (void)snprintf(tie, sizeof tie, TIE[k], at, at, at);
            (void)snprintf(
                text, sizeof text,
                "dimension: %d\ntime: {end: 2 s, step: 1 ms}\nmaterials: {s: {density: 1000 kg/m^3}}\nbodies: {top: {kind: fixed, position: [0, 3%s]}, low: "
                "{kind: fixed}}\n"
                "grains:\n  src: {generator: source, region: [[-0.2, 2.0%s], [0.2, 2.4%s]], rate: 2 Hz, count: 5, begin: 0.5 s, shape: %s, radius: 0.1, "
                "material: s}\n%s",
                dimension, z, dimension == 3 ? ", -0.2" : "", dimension == 3 ? ", 0.2" : "", dimension == 3 ? "sphere" : "disk", tie);
            talus_scene *scene = load_lab(text);
            talus_world *world = NULL;
            CHECK(talus_scene_mistake_count(scene) == 0 && talus_scene_build(scene, 1, &world) != TALUS_OK && !world);
            if (!strstr(talus_scene_mistake(scene, 0), "is not there yet")) TEST_FAIL("%s", talus_scene_mistake(scene, 0));
            talus_scene_destroy(scene);
        }
}

int main(int argc, char **argv)
{
    RUN(lets_go);
    RUN(solvers);
    RUN(chain);
    RUN(sunk);
    RUN(refused);
    RUN(not_there_yet);
    return TEST_RESULT;
}
