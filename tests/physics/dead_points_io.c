/* Closed mechanisms of every kind of loop, turned through the dead points of whatever coordinates depend on the others, in plane and space. No force but
 * gravity acts, so that the energy stays: to second order in the step, and without a loss where a coordinate stops being able to follow
 * from the loops. The rate of a crank is the only one given. */
#include "talus/scene.h"
#include "talus/talus.h"
#include "test.h"

typedef struct closed {
    const char *name, *joint; /* the coordinate that must come far */
    double end, step, range;  /* s, s; of that coordinate          */
    double bound;             /* on the error of the energy at the smallest step, as a share of what goes to and fro */
    const char *text;
} closed;

#define PLANE        "dimension: 2\ngravity: [0, -9.81]\nmechanisms: {m: {"
#define SPACE        "dimension: 3\ngravity: [0, 0, -9.81]\nmechanisms: {m: {"
#define CRANK        "crank: {mass: 2 kg, inertia: 0.4, centre_of_mass: [0.1, 0]}"
#define ROD          "rod: {mass: 1 kg, inertia: 0.1, centre_of_mass: [0.5, 0]}"
#define CRANK_SPACE  "crank: {mass: 2 kg, inertia: 0.4, centre_of_mass: [0.1, 0, 0]}"
#define ROD_SPACE    "rod: {mass: 1 kg, inertia: 0.1, centre_of_mass: [0.5, 0, 0]}"
#define SLIDER       "slider: {mass: 1 kg, inertia: 0.1}"
#define CRANK_JOINT  "c: {type: revolute, parent: ground, child: crank, angle: 90 deg, velocity: 9}"
#define ROD_JOINT    "r: {type: revolute, parent: crank, child: rod, at: [0.4, 0], angle: -113.5781784782018 deg}"
#define SLIDE_JOINT  "s: {type: prismatic, parent: ground, child: slider, position: 0.9165151389911680 m}"
#define SLIDER_CRANK "bodies: {" CRANK ", " ROD ", " SLIDER "}, joints: {" CRANK_JOINT ", " ROD_JOINT ", " SLIDE_JOINT "}"

static const closed CLOSED[] = {
    {"rod, a planar body turns over", "p.x", 4, 2e-3, 1.99, 2e-3,
     PLANE "bodies: {b: {mass: 1 kg, inertia: 0.1}}, joints: {p: {type: planar, parent: ground, child: b, position: {x: 0, y: -1}, velocity: {x: 7}}}, "
           "loops: {l: {type: rod, bodies: [ground, b], length: 1}}}}"},
    {"rod, a pendulum swings", "p.x", 4, 2e-3, 1.9, 1e-3,
     PLANE "bodies: {b: {mass: 1 kg, inertia: 0.1}}, joints: {p: {type: planar, parent: ground, child: b, position: {x: 1}}}, "
           "loops: {l: {type: rod, bodies: [ground, b], length: 1}}}}"},
    {"two rods in line", "p.x", 3, 5e-4, 1.5, 1e-3,
     PLANE "bodies: {b: {mass: 1 kg, inertia: 0.1}, c: {mass: 1 kg, inertia: 0.1}}, joints: {p: {type: planar, parent: ground, child: b, position: {x: 1}}, "
           "q: {type: planar, parent: ground, child: c, position: {x: 2}}}, "
           "loops: {l: {type: rod, bodies: [ground, b], length: 1}, k: {type: rod, bodies: [b, c], length: 1}}}}"},
    {"slider-crank, a rod without mass", "c", 2, 1e-3, 15, 1e-3,
     PLANE "bodies: {" CRANK ", " SLIDER "}, joints: {" CRANK_JOINT ", " SLIDE_JOINT "}, "
           "loops: {l: {type: rod, bodies: [crank, slider], at: [[0.4, 0], [0, 0]], length: 1}}}}"},
    {"slider-crank, points", "c", 2, 1e-3, 15, 1e-3, PLANE SLIDER_CRANK ", loops: {l: {type: point, bodies: [rod, slider], at: [[1, 0], [0, 0]]}}}}"},
    {"slider-crank, hinge", "c", 2, 1e-3, 15, 1e-3, PLANE SLIDER_CRANK ", loops: {l: {type: hinge, bodies: [rod, slider], at: [[1, 0], [0, 0]]}}}}"},
    {"slider-crank, body", "c", 2, 1e-3, 15, 1e-3,
     PLANE "bodies: {" CRANK ", " ROD ", " SLIDER ", guide: {mass: 0, inertia: 0}}, joints: {" CRANK_JOINT ", " ROD_JOINT ", "
           "s: {type: revolute, parent: rod, child: slider, at: [1, 0], angle: 23.5781784782018 deg}, "
           "g: {type: prismatic, parent: ground, child: guide, position: 0.916 m}}, "
           "loops: {l: {type: body, bodies: [slider, guide]}}}}"},
    {"gear on a slider-crank", "c", 2, 1e-3, 15, 1e-3,
     PLANE "bodies: {" CRANK ", " ROD ", " SLIDER ", wheel: {mass: 1 kg, inertia: 0.05, centre_of_mass: [0.1, 0]}}, joints: {" CRANK_JOINT ", " ROD_JOINT
           ", " SLIDE_JOINT ", w: {type: revolute, parent: ground, child: wheel, at: [-1, 0]}}, "
           "loops: {l: {type: point, bodies: [rod, slider], at: [[1, 0], [0, 0]]}, g: {type: gear, joints: [c, w], ratio: -0.5, offset: 90 deg}}}}"},
    {"screw between a wheel and a weight", "c", 2, 1e-3, 15, 1e-3,
     SPACE "bodies: {crank: {mass: 2 kg, inertia: 0.4}, weight: {mass: 1 kg, inertia: 0.1}}, "
           "joints: {c: {type: revolute, parent: ground, child: crank, velocity: 20}, s: {type: prismatic, parent: ground, child: weight, axis: [0, 0, 1]}}, "
           "loops: {l: {type: screw, joints: [s, c], ratio: 0.1 m/rad}}}}"},
    {"rod in space, a free body turns over", "p.x", 4, 2e-3, 1.9, 3e-3,
     SPACE "bodies: {b: {mass: 1 kg, inertia: [0.1, 0.2, 0.15]}}, joints: {p: {type: free, parent: ground, child: b, position: {z: -1}, velocity: {x: 7, y: 1, "
           "wx: 2, wy: 1, wz: 3}}}, loops: {l: {type: rod, bodies: [ground, b], length: 1}}}}"},
    {"rod in space, tied beside the centre", "p.z", 3, 1e-3, 1, 3e-3,
     SPACE "bodies: {b: {mass: 1 kg, inertia: [0.1, 0.2, 0.15]}}, joints: {p: {type: free, parent: ground, child: b, position: {x: 1.2}}}, "
           "loops: {l: {type: rod, bodies: [ground, b], at: [[0, 0, 0], [-0.2, 0, 0]], length: 1}}}}"},
    {"crank and rocker across, joined by a rod", "c", 2, 1e-3, 12, 2e-3,
     SPACE "bodies: {crank: {mass: 2 kg, inertia: 0.4, centre_of_mass: [0.1, 0, 0]}, rocker: {mass: 1 kg, inertia: 0.3, centre_of_mass: [0, 0, 0.5]}}, "
           "joints: {c: {type: revolute, parent: ground, child: crank, axis: [0, 0, 1], velocity: 9}, "
           "r: {type: revolute, parent: ground, child: rocker, at: [1.5, 0, 0], axis: [0, 1, 0], angle: 10 deg}}, "
           "loops: {l: {type: rod, bodies: [crank, rocker], at: [[0.3, 0, 0], [0, 0, 1]], length: 1.7}}}}"},
    {"slider-crank in space, hinge", "c", 2, 1e-3, 15, 1e-3,
     SPACE "bodies: {" CRANK_SPACE ", " ROD_SPACE ", " SLIDER
           "}, joints: {c: {type: revolute, parent: ground, child: crank, axis: [0, -1, 0], angle: 90 deg, velocity: 9}, "
           "r: {type: revolute, parent: crank, child: rod, at: [0.4, 0, 0], axis: [0, -1, 0], angle: -113.5781784782018 deg}, " SLIDE_JOINT "}, "
           "loops: {l: {type: hinge, bodies: [rod, slider], at: [[1, 0, 0], [0, 0, 0]], axes: [[0, -1, 0], [0, -1, 0]]}}}}"},
    {"slider-crank in space, ball joints on the rod", "c", 2, 1e-3, 15, 1e-3,
     SPACE "bodies: {" CRANK_SPACE ", " ROD_SPACE ", " SLIDER
           "}, joints: {c: {type: revolute, parent: ground, child: crank, axis: [0, -1, 0], angle: 90 deg, velocity: 9}, "
           "r: {type: universal, parent: crank, child: rod, at: [0.4, 0, 0], axis: [0, -1, 0], axis2: [0, 0, 1], position: {angle1: -113.5781784782018 "
           "deg}}, " SLIDE_JOINT "}, loops: {l: {type: point, bodies: [rod, slider], at: [[1, 0, 0], [0, 0, 0]]}}}}"},
    {"slider-crank in space, body", "c", 2, 1e-3, 15, 1e-3,
     SPACE "bodies: {" CRANK_SPACE ", " ROD_SPACE ", slider: {mass: 1 kg, inertia: 0.1}, guide: {mass: 0, inertia: 0}}, "
           "joints: {c: {type: revolute, parent: ground, child: crank, axis: [0, -1, 0], angle: 90 deg, velocity: 9}, "
           "r: {type: revolute, parent: crank, child: rod, at: [0.4, 0, 0], axis: [0, -1, 0], angle: -113.5781784782018 deg}, "
           "s: {type: revolute, parent: rod, child: slider, at: [1, 0, 0], axis: [0, -1, 0], angle: 23.5781784782018 deg}, "
           "g: {type: prismatic, parent: ground, child: guide, position: 0.916 m}}, loops: {l: {type: body, bodies: [slider, guide]}}}}"},
};

/* The largest error of the energy as a share of what the kinetic energy changes by. */
static double energy_error(const closed *c, double h)
{
    static const char PATH[] = "dead_points.yaml";
    char settings[2][64], *setting[2] = {settings[0], settings[1]};
    talus_scene *scene;
    talus_world *w = NULL;
    FILE *file = fopen(PATH, "w");
    CHECK(file && fprintf(file, "%s\n", c->text) > 0 && fclose(file) == 0);
    snprintf(settings[0], sizeof settings[0], "time.end=%.17g", c->end);
    snprintf(settings[1], sizeof settings[1], "time.step=%.17g", h);
    if (talus_scene_load(PATH, (const char *const *)setting, 2, &scene) != TALUS_OK || talus_scene_build(scene, 1, &w) != TALUS_OK) {
        TEST_FAIL("%s: %s", c->name, talus_scene_mistake(scene, 0));
        return (double)NAN;
    }
    char joint[32];
    snprintf(joint, sizeof joint, "%.*s", (int)strcspn(c->joint, "."), c->joint);
    const int coordinate = strstr(c->joint, ".z") ? 2 : 0;
    const talus_joint_id id = talus_joint_find(w, joint);
    double kinetic, potential, low = (double)INFINITY, high = 0, worst = 0, from = (double)INFINITY, to = -(double)INFINITY;
    talus_world_energy(w, &kinetic, &potential);
    const double before = kinetic + potential;
    for (int k = 0; k < (int)(c->end / h + 0.5); k++) {
        if (talus_world_step(w, NULL) != TALUS_OK) {
            TEST_FAIL("%s: %s", c->name, talus_world_error(w));
            break;
        }
        talus_world_energy(w, &kinetic, &potential);
        worst = fmax(worst, fabs(kinetic + potential - before));
        low = fmin(low, kinetic), high = fmax(high, kinetic);
        from = fmin(from, talus_joint_position(w, id, coordinate)), to = fmax(to, talus_joint_position(w, id, coordinate));
    }
    if (!(to - from >= c->range)) TEST_FAIL("%s: '%s' came from %g to %g; it should have come %g", c->name, c->joint, from, to, c->range);
    talus_world_destroy(w);
    talus_scene_destroy(scene);
    return worst / (high - low);
}

TEST(energy_of_second_order)
{
    for (size_t i = 0; i < sizeof CLOSED / sizeof *CLOSED; i++) {
        const closed *c = &CLOSED[i];
        const double coarse = energy_error(c, c->step), fine = energy_error(c, c->step / 4), order = log2(coarse / fine) / 2;
        if (!(fine <= c->bound) || (coarse > 1e-10 && !(order >= 1.7 && order <= 2.6)))
            TEST_FAIL("%s: the energy is off by %.3g, with a quarter of the step by %.3g (order %.2f)", c->name, coarse, fine, order);
    }
}

/* Two parallelograms side by side turn through the position in which all bars lie in one line and each could turn into its mirror image. With a step of 5
 * s/11000 mid-step lies within a thousandth of a degree of it: the error of the energy must not stand out of those with other steps, of which it is that of
 * second order. */
TEST(no_step_size_stands_out)
{
#define BAR     "{mass: 1, inertia: 0.08333333333333333, centre_of_mass: [0, 0.5]}"
#define COUPLER "{mass: 1, inertia: 0.08333333333333333, centre_of_mass: [0.5, 0]}"
    static const closed FOUR_BARS = {
        "two parallelograms",
        "v0",
        4,
        2e-3,
        5,
        1,
        PLANE "bodies: {v0: " BAR ", v1: " BAR ", v2: " BAR ", c0: " COUPLER ", c1: " COUPLER
              "}, joints: {v0: {type: revolute, parent: ground, child: v0, velocity: -1}, "
              "v1: {type: revolute, parent: ground, at: [1, 0], child: v1}, v2: {type: revolute, parent: ground, at: [2, 0], child: v2}, "
              "c0: {type: revolute, parent: v0, at: [0, 1], child: c0}, c1: {type: revolute, parent: v1, at: [0, 1], child: c1}}, "
              "loops: {l0: {type: point, bodies: [c0, v1], at: [[1, 0], [0, 1]]}, l1: {type: point, bodies: [c1, v2], at: [[1, 0], [0, 1]]}}}}"};
    const double h = 5.0 / 11000, hit = energy_error(&FOUR_BARS, h);
    double others = 0;
    for (int i = 1; i <= 4; i++) others = fmax(others, energy_error(&FOUR_BARS, h * (1 + 0.001 * i)));
    if (!(hit <= 4 * others)) TEST_FAIL("the energy is off by %.3g at the branching point, by %.3g at most beside it", hit, others);
}

int main(int argc, char **argv)
{
    RUN(energy_of_second_order);
    RUN(no_step_size_stands_out);
    return TEST_RESULT;
}
