/* Trains, planetary gears and differentials: one relation between the coordinates of several joints. With inertias J, constant moments T and factors c,
 *
 *     J q'' = T + c λ,   Σ c q = offset,   λ = −Σ c T/J / Σ c²/J,
 *
 * so that accelerations are constant, and steps of every scheme find them exactly. In the plane and in space; the work of the moments is what turns. */
#include "lab.h"

enum { MOST = 4 };

typedef struct train {
    const char *loop; /* its keys but for the joints */
    int shafts;
    bool rack; /* the last slides */
    double J[MOST], T[MOST], c[MOST], q[MOST], v[MOST], offset;
} train;

/* 2 case = a + b, and with 0.6 of the moment on b: 1.6 case = a + 0.6 b. Sun + 2.5 ring = 3.5 carrier. Three shafts that drive a rack. */
static const train TRAINS[] = {
    {"type: differential", 3, false, {0.4, 0.1, 0.3}, {5, -0.5, 0.2}, {-2, 1, 1}, {0.3, 0.4, 0.2}, {1, 3, -1}, 0},
    {"type: differential, ratio: 0.6", 3, false, {0.4, 0.1, 0.3}, {5, -0.5, 0.2}, {-1.6, 1, 0.6}, {0, 0, 0}, {1, 1, 1}, 0},
    {"type: planetary, ratio: 2.5, offset: 0.7 rad", 3, false, {0.02, 0.3, 0.5}, {1, -4, 2}, {1, 2.5, -3.5}, {0, 1.4, 0.8}, {7, 0, 2}, 0.7},
    {"type: train, factors: [1, -2, 0.5, 12 rad/m], offset: -0.5 rad",
     4,
     true,
     {0.1, 0.2, 0.3, 9},
     {0.3, 0, -1, 4},
     {1, -2, 0.5, 12},
     {0.1, 0.3, 0, 0},
     {1, 2, 6, 0},
     -0.5},
};
enum { TRAINS_COUNT = sizeof TRAINS / sizeof *TRAINS };

static lab open_train(const train *t, int dimension, const char *scheme)
{
    char text[4096];
    int n = snprintf(text, sizeof text, "dimension: %d\ngravity: %s\ntime: {end: 1 s, step: 5 ms}\n%smechanisms:\n  m:\n    bodies:\n", dimension,
                     dimension == 2 ? "[0, 0]" : "[0, 0, 0]", scheme);
    for (int k = 0; k < t->shafts; k++) n += snprintf(text + n, sizeof text - (size_t)n, "      b%d: {mass: %.17g, inertia: %.17g}\n", k, t->J[k], t->J[k]);
    n += snprintf(text + n, sizeof text - (size_t)n, "    joints:\n");
    for (int k = 0; k < t->shafts; k++) {
        const bool slides = t->rack && k == t->shafts - 1;
        n += snprintf(text + n, sizeof text - (size_t)n, "      j%d: {type: %s, parent: ground, child: b%d, at: %s, position: %.17g %s, velocity: %.17g %s}\n",
                      k, slides ? "prismatic" : "revolute", k, dimension == 2 ? "[0, 0]" : "[0, 0, 0]", t->q[k], slides ? "m" : "rad", t->v[k],
                      slides ? "m/s" : "rad/s");
    }
    n += snprintf(text + n, sizeof text - (size_t)n, "    loops:\n      train: {%s, joints: [", t->loop);
    for (int k = 0; k < t->shafts; k++) n += snprintf(text + n, sizeof text - (size_t)n, "%sj%d", k > 0 ? ", " : "", k);
    n += snprintf(text + n, sizeof text - (size_t)n, "]}\n    forces:\n");
    for (int k = 0; k < t->shafts; k++)
        n += snprintf(text + n, sizeof text - (size_t)n, "      f%d: {joint: j%d, constant: %.17g %s}\n", k, k, t->T[k],
                      t->rack && k == t->shafts - 1 ? "N" : "N m");
    return open_lab(text, 1);
}

static void check_train(const train *t, int dimension, const char *scheme)
{
    lab l = open_train(t, dimension, scheme);
    double above = 0, below = 0, before, after, potential, work = 0, reaction[6];
    for (int k = 0; k < t->shafts; k++) above -= t->c[k] * t->T[k] / t->J[k], below += t->c[k] * t->c[k] / t->J[k];
    const double lambda = above / below, time = 0.5;
    CHECK(talus_degrees_of_freedom(l.world) == t->shafts - 1);
    talus_world_energy(l.world, &before, &potential);
    lab_run(&l, time);
    talus_world_energy(l.world, &after, &potential);
    for (int k = 0; k < t->shafts; k++) {
        char name[8];
        snprintf(name, sizeof name, "j%d", k);
        const talus_joint_id joint = talus_joint_find(l.world, name);
        const double a = (t->T[k] + t->c[k] * lambda) / t->J[k], moved = t->v[k] * time + 0.5 * a * time * time;
        CHECK_NEAR(talus_joint_velocity(l.world, joint, 0), t->v[k] + a * time, 1e-10 * (1 + fabs(a)));
        CHECK_NEAR(talus_joint_position(l.world, joint, 0), t->q[k] + moved, 1e-10 * (1 + fabs(a)));
        work += t->T[k] * moved;
    }
    CHECK_NEAR(after - before, work, 1e-10 * (1 + fabs(work)));
    talus_loop_reaction(l.world, talus_loop_find(l.world, "train"), reaction);
    CHECK_NEAR(reaction[0], lambda, 1e-9 * (1 + fabs(lambda)));
    close_lab(&l);
}

TEST(in_the_plane)
{
    for (int k = 0; k < TRAINS_COUNT; k++) check_train(&TRAINS[k], 2, "");
}

TEST(in_space)
{
    for (int k = 0; k < TRAINS_COUNT; k++) check_train(&TRAINS[k], 3, "");
}

TEST(generalized_alpha)
{
    for (int k = 0; k < TRAINS_COUNT; k++) check_train(&TRAINS[k], 2 + k % 2, "integrator: {scheme: generalized_alpha}\n");
}

/* One wheel is held: the other turns twice as fast as the case. Both are loose: moments are shared equally, whatever the wheels do. */
TEST(held_wheel)
{
    train t = TRAINS[0];
    t.J[1] = 1e9, t.v[0] = 1, t.v[1] = 0, t.v[2] = 2, t.q[0] = t.q[1] = t.q[2] = 0;
    lab l = open_train(&t, 2, "");
    lab_run(&l, 0.5);
    CHECK_NEAR(talus_joint_velocity(l.world, talus_joint_find(l.world, "j2"), 0), 2 * talus_joint_velocity(l.world, talus_joint_find(l.world, "j0"), 0), 1e-6);
    close_lab(&l);
}

static void refuse(const char *loop, const char *what)
{
    char text[1000];
    snprintf(text, sizeof text,
             "dimension: 2\ngravity: [0, 0]\ntime: {end: 1 s, step: 5 ms}\nmechanisms:\n  m:\n    bodies: {a: {mass: 1, inertia: 1}, b: {mass: 1, inertia: 1}, "
             "c: {mass: 1}}\n"
             "    joints:\n      a: {type: revolute, parent: ground, child: a}\n      b: {type: revolute, parent: ground, child: b}\n"
             "      c: {type: prismatic, parent: ground, child: c}\n    loops:\n      g: {%s}\n",
             loop);
    talus_scene *scene = load_lab(text);
    talus_world *w = NULL;
    if (talus_scene_mistake_count(scene) == 0) (void)!talus_scene_build(scene, 1, &w);
    CHECK(!w && talus_scene_mistake_count(scene) > 0);
    if (talus_scene_mistake_count(scene) > 0 && !strstr(talus_scene_mistake(scene, 0), what)) TEST_FAIL("%s: %s", loop, talus_scene_mistake(scene, 0));
    talus_world_destroy(w);
    talus_scene_destroy(scene);
}

TEST(mistakes)
{
    refuse("type: train, joints: [a, b]", "one factor for each");
    refuse("type: train, joints: [a, b], factors: [1]", "one factor for each");
    refuse("type: train, joints: [a, b], factors: [1, 0]", "another number than 0");
    refuse("type: train, joints: [a, a], factors: [1, 2]", "twice");
    refuse("type: train, joints: [a, c], factors: [1, 2 m/rad]", "rad/m");
    refuse("type: train, joints: [a], factors: [1]", "two to four");
    refuse("type: differential, joints: [a, b]", "case, a, b");
    refuse("type: planetary, joints: [a, b]", "sun, ring, carrier");
    refuse("type: planetary, joints: [a, b, c]", "is a length");
    refuse("type: planetary, joints: [a, b, c], factors: [1, 2, 3]", "takes 'ratio'");
    refuse("type: differential, joints: [a, b, a], ratio: -1", "positive");
    refuse("type: gear, joints: [a, a], ratio: 2", "ties a coordinate to itself");
}

int main(int argc, char **argv)
{
    RUN(in_the_plane);
    RUN(in_space);
    RUN(generalized_alpha);
    RUN(held_wheel);
    RUN(mistakes);
    return TEST_RESULT;
}
