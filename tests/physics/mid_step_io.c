/* Forces that depend on velocities are those at mid-step of the motion with its contacts: steady motions on a floor against closed forms. */
#include "base/math.h"
#include "lab.h"

static const double G = 9.81;

/* A scene whose step is another one. */
static lab load(const char *text, double step)
{
    char whole[4096];
    const char *at = strstr(text, "step: 1e-3");
    snprintf(whole, sizeof whole, "%.*sstep: %.17g%s", (int)(at - text), text, step, at + strlen("step: 1e-3"));
    return open_lab(whole, 1);
}

static lab run(const char *text, double step)
{
    const lab l = load(text, step);
    lab_run(&l, talus_scene_end(l.scene));
    return l;
}

/* The normal force of the last step, of a single contact. */
static double force(const talus_world *w)
{
    talus_contact c;
    CHECK(talus_contact_count(w) == 1);
    talus_contact_get(w, 0, &c);
    return c.impulse[0] / talus_world_step_size(w);
}

/* A wheel that spins on an arm, which leans on the floor with a ball at its end and turns about an upright axis: the gyroscopic moment carries
 * a part of the weight, and no power flows. Of any step, for the motion is steady in the joints' coordinates. */
TEST(wheel_on_an_arm)
{
    static const char SCENE[] =
        "dimension: 3\ngravity: [0, 0, -9.81]\ntime: {end: 1, step: 1e-3}\nsolver: {tolerance: 1e-12}\ndrift: {correct: false}\nmaterials: {m: {}}\n"
        "interactions: [{friction: 0, restitution: 0}]\nbodies: {f: {kind: fixed, shapes: [{half_space: {point: [0, 0, 0], normal: [0, 0, 1], material: "
        "m}}]}}\n"
        "mechanisms: {m: {bodies: {o: {mass: 1e-6, inertia: 1e-6}, arm: {mass: 1e-6, inertia: 1e-6, shapes: [{sphere: {centre: [1, 0, 0], radius: 0.1, "
        "material: m}}]}, w: {mass: 1, inertia: [0.02, 0.015, 0.015]}}, joints: {z: {type: revolute, axis: [0, 0, 1], parent: ground, at: [0, 0, 0.1], child: "
        "o, "
        "velocity: 1.5}, y: {type: revolute, axis: [0, 1, 0], parent: o, child: arm}, x: {type: revolute, axis: [1, 0, 0], parent: arm, at: [0.6, 0, 0], "
        "child: w, velocity: 100}}}}\n";
    for (int i = 0; i < 3; i++) {
        const double step = (const double[]){2e-3, 1e-3, 5e-4}[i];
        lab l = run(SCENE, step);
        const talus_world *w = l.world;
        CHECK_NEAR(force(w), 0.6 * 1 * G - 0.02 * 100 * 1.5, 1e-9);
        CHECK_NEAR(talus_joint_velocity(w, talus_joint_find(w, "z"), 0), 1.5, 1e-9);
        CHECK_NEAR(talus_joint_position(w, talus_joint_find(w, "z"), 0), 1.5, 1e-9);
        close_lab(&l);
    }
}

/* A body pressed against a wall: what it would do without the wall must not stir its damper. The damper may be a law, with the wall hit a moment
 * before, in plane and space. */
TEST(law_of_the_velocity_at_rest)
{
    static const char *const SCENES[] = {
        "dimension: 2\ntime: {end: 0.05, step: 1e-3}\nsolver: {tolerance: 1e-12}\nmaterials: {m: {}}\ninteractions: [{friction: 0, restitution: 0}]\n"
        "bodies: {f: {kind: fixed, shapes: [{half_plane: {point: [0.101, 0], normal: [-1, 0], material: m}}]}}\n"
        "mechanisms: {m: {bodies: {b: {mass: 1, shapes: [{disk: {radius: 0.1, material: m}}]}}, joints: {p: {type: prismatic, parent: ground, child: b}}, "
        "forces: {f: {joint: p, constant: 100}, d: {joint: p, law: '-500 N s/m * v'}}}}\n",
        "dimension: 3\ntime: {end: 0.05, step: 1e-3}\nsolver: {tolerance: 1e-12}\nmaterials: {m: {}}\ninteractions: [{friction: 0.3, restitution: 0}]\n"
        "bodies: {f: {kind: fixed, shapes: [{half_space: {point: [0.101, 0, 0], normal: [-1, 0, 0], material: m}}]}}\n"
        "mechanisms: {m: {bodies: {b: {mass: 1, shapes: [{sphere: {radius: 0.1, material: m}}]}}, joints: {p: {type: prismatic, parent: ground, child: b}}, "
        "forces: {f: {joint: p, constant: 100}, d: {joint: p, law: '-500 N s/m * v'}}}}\n"};
    for (int i = 0; i < 2; i++) {
        lab l = run(SCENES[i], 1e-3);
        const talus_world *w = l.world;
        CHECK_NEAR(force(w), 100, 1e-9);
        CHECK_NEAR(talus_joint_force(w, talus_joint_find(w, "p"), 0), 100, 1e-9);
        close_lab(&l);
    }
}

/* The impulse of a contact on its candidate, world axes. */
static tl_vec3 impulse_of(const talus_contact *c) { return tl_contact_vector(false, tl_load3(c->normal), c->impulse); }

/* A brick that tumbles over a rough floor: the gyroscopic moment does no work, so that its kinetic energy changes in a step by the work of its weight and of
 * the contacts' impulses at the mean velocity alone. All are taken at mid-step, where the axes of rotation are those of both ends. */
TEST(gyroscopic_moments_do_no_work)
{
    static const char SCENE[] =
        "dimension: 3\ngravity: [0, 0, -9.81]\ntime: {end: 1, step: 1e-3}\nsolver: {tolerance: 1e-13}\ndrift: {correct: false}\nmaterials: {m: {density: "
        "1000}}\n"
        "interactions: [{friction: 0.5, restitution: 0}]\nbodies:\n  f: {kind: fixed, shapes: [{half_space: {point: [0, 0, 0], normal: [0, 0, 1], material: "
        "m}}]}\n"
        "  b: {position: [0, 0, 0.24], velocity: [1, 0, 0], spin: [4, 15, -6], shapes: [{box: {size: [0.1, 0.2, 0.4], material: m}}]}\n";
    const double h = 1e-3, origin[3] = {0};
    int touched = 0;
    double start, unused;
    lab l = load(SCENE, h);
    talus_world *w = l.world;
    talus_world_energy(w, &start, &unused);
    const talus_body_id b = talus_body_find(w, "b");
    const double m = talus_body_mass(w, b);
    for (int k = 0; k < 1000; k++) {
        double p[3], q[4], v[2][3], omega[2][3], kinetic[2], potential;
        talus_body_pose(w, b, p, q);
        talus_body_velocity(w, b, origin, v[0], omega[0]);
        talus_world_energy(w, &kinetic[0], &potential);
        CHECK_OK(talus_world_step(w, NULL), talus_world_error(w));
        talus_body_velocity(w, b, origin, v[1], omega[1]);
        talus_world_energy(w, &kinetic[1], &potential);
        const tl_vec3 mean = tl_scale(0.5, tl_add(tl_load3(v[0]), tl_load3(v[1]))), spin = tl_scale(0.5, tl_add(tl_load3(omega[0]), tl_load3(omega[1])));
        const tl_vec3 centre = tl_add(tl_load3(p), tl_scale(0.5 * h, tl_load3(v[0])));
        double work = -h * m * G * mean.z;
        for (int i = 0; i < talus_contact_count(w); i++) {
            talus_contact c;
            talus_contact_get(w, i, &c);
            const double sign = c.candidate.index1 == b.index1 ? 1 : -1;
            work += sign * tl_dot(impulse_of(&c), tl_add(mean, tl_cross(spin, tl_sub(tl_load3(c.point), centre))));
            touched += c.impulse[0] > 0;
        }
        CHECK_NEAR(kinetic[1] - kinetic[0], work, 1e-12 * start);
    }
    CHECK(touched > 100);
    close_lab(&l);
}

/* A law that slows down is as implicit as a damper: however stiff, free and against a wall. */
TEST(stiff_law_is_a_damper)
{
    static const char SCENE[] =
        "dimension: 2\ntime: {end: 0.05, step: 1e-3}\nmaterials: {m: {}}\ninteractions: [{friction: 0, restitution: 0.5}]\nsolver: {tolerance: 1e-12}\n"
        "bodies: {f: {kind: fixed, shapes: [{half_plane: {point: [0.12, 0], normal: [-1, 0], material: m}}]}}\n"
        "mechanisms:\n  m:\n    bodies: {b: {mass: 1, shapes: [{disk: {radius: 0.1, material: m}}]}, c: {mass: 1, shapes: [{disk: {centre: [0, 5], radius: "
        "0.1, "
        "material: m}}]}}\n    joints: {p: {type: prismatic, parent: ground, child: b, velocity: 5}, q: {type: prismatic, parent: ground, child: c, velocity: "
        "5}}\n    forces: {d: {joint: p, law: '-COEFFICIENT N s/m * v'}, e: {joint: q, damping: COEFFICIENT N s/m}}\n";
    for (int i = 0; i < 2; i++) {
        char text[2048] = "", *end = text;
        for (const char *p = SCENE; *p; p++) {
            if (strncmp(p, "COEFFICIENT", 11) == 0) end += sprintf(end, "%s", i ? "50000" : "200"), p += 10;
            else *end++ = *p;
        }
        *end = '\0';
        lab l = run(text, 1e-3);
        const talus_world *w = l.world;
        const talus_joint_id p = talus_joint_find(w, "p"), q = talus_joint_find(w, "q");
        CHECK_CLOSE(talus_joint_position(w, p, 0), talus_joint_position(w, q, 0), 1e-9);
        CHECK_NEAR(talus_joint_velocity(w, p, 0), talus_joint_velocity(w, q, 0), 1e-9);
        CHECK_NEAR(talus_joint_force(w, p, 0), talus_joint_force(w, q, 0), 1e-6);
        CHECK(talus_joint_position(w, p, 0) > 0 && talus_joint_position(w, p, 0) <= 0.0201);
        close_lab(&l);
    }
}

int main(int argc, char **argv)
{
    RUN(wheel_on_an_arm);
    RUN(law_of_the_velocity_at_rest);
    RUN(gyroscopic_moments_do_no_work);
    RUN(stiff_law_is_a_damper);
    return TEST_RESULT;
}
