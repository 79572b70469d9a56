/* Wheels and coins of scenes: round cylinders roll, lie and are read back as closed forms say. */
#include "lab.h"

static const double G = 9.81;

/* A coin (radius a, its rim a torus) and a roller with rounded edges on a slope, both from rest: a = g sin α / (1 + J/(m a²)) with J by slices. */
static double gain(double radius, double length, double rounding, double slope)
{
    enum { SLICES = 100000 };
    double mass = 0, axial = 0;
    for (int i = 0; i < SLICES; i++) {
        const double z = length * ((i + 0.5) / SLICES - 0.5), beyond = fmax(0, fabs(z) - 0.5 * length + rounding);
        const double r = radius - rounding + sqrt(rounding * rounding - beyond * beyond), area = r * r;
        mass += area, axial += area * r * r / 2;
    }
    return G * sin(slope) / (1 + axial / (mass * radius * radius));
}

TEST(rollers)
{
    lab l = open_lab("dimension: 3\n"
                     "time: {end: 1 s, step: 1 ms}\n"
                     "gravity: [0.9793658173, 0, -9.7609908614]\n" /* 0.1 rad */
                     "materials: {steel: {density: 7800}}\n"
                     "interactions: [{between: [steel, steel], friction: 0.6}]\n"
                     "bodies:\n"
                     "  floor: {kind: fixed, shapes: [{half_space: {point: [0, 0, 0], normal: [0, 0, 1], material: steel}}]}\n"
                     "  coin:\n"
                     "    position: [0, 0, 0.1]\n"
                     "    shapes: [{cylinder: {from: [0, -0.01, 0], to: [0, 0.01, 0], radius: 0.1, rounding: 10 mm, material: steel}}]\n"
                     "  roller:\n"
                     "    position: [0, 1, 0.05]\n"
                     "    shapes: [{cylinder: {from: [0, -0.2, 0], to: [0, 0.2, 0], radius: 50 mm, rounding: 20 mm, material: steel}}]\n"
                     "probes:\n"
                     "  coin_v: {body: coin, quantity: vx}\n"
                     "  roller_v: {body: roller, quantity: vx}\n"
                     "  roller_z: {body: roller, quantity: z}\n"
                     "solver: {tolerance: 1e-10}\n",
                     1);
    lab_run(&l, 1);
    CHECK_CLOSE(lab_probe(&l, "coin_v"), gain(0.1, 0.02, 0.01, 0.1), 1e-7);
    CHECK_CLOSE(lab_probe(&l, "roller_v"), gain(0.05, 0.4, 0.02, 0.1), 1e-7);
    CHECK_NEAR(lab_probe(&l, "roller_z"), 0.05, 1e-8);
    close_lab(&l);
}

/* With sharp edges: rolls with 2/3 g sin α; stands on its end on the same slope, by friction, and does not fall. */
TEST(sharp_cylinder)
{
    lab l = open_lab("dimension: 3\n"
                     "time: {end: 1 s, step: 1 ms}\n"
                     "gravity: [0.9793658173, 0, -9.7609908614]\n" /* 0.1 rad */
                     "materials: {steel: {density: 7800}}\n"
                     "interactions: [{between: [steel, steel], friction: 0.6}]\n"
                     "bodies:\n"
                     "  floor: {kind: fixed, shapes: [{half_space: {point: [0, 0, 0], normal: [0, 0, 1], material: steel}}]}\n"
                     "  roller:\n"
                     "    position: [0, 1, 0.05]\n"
                     "    shapes: [{cylinder: {from: [0, -0.2, 0], to: [0, 0.2, 0], radius: 50 mm, material: steel}}]\n"
                     "  post:\n"
                     "    position: [0, -1, 0.1]\n"
                     "    shapes: [{cylinder: {from: [0, 0, -0.1], to: [0, 0, 0.1], radius: 50 mm, material: steel}}]\n"
                     "probes:\n"
                     "  roller_v: {body: roller, quantity: vx}\n"
                     "  roller_z: {body: roller, quantity: z}\n"
                     "  post_x: {body: post, quantity: x}\n"
                     "  post_z: {body: post, quantity: z}\n"
                     "solver: {tolerance: 1e-10}\n",
                     1);
    lab_run(&l, 1);
    CHECK_CLOSE(lab_probe(&l, "roller_v"), 2.0 / 3 * G * sin(0.1), 1e-7);
    CHECK_NEAR(lab_probe(&l, "roller_z"), 0.05, 1e-8);
    CHECK_NEAR(lab_probe(&l, "post_x"), 0, 1e-8);
    CHECK_NEAR(lab_probe(&l, "post_z"), 0.1, 1e-8);
    close_lab(&l);
}

/* A cone by its keys, with its tip and without: mass and place of its centre, and it stays where it stands on its wide end. On its side it rolls about its tip
 * (physics.frustum): half a turn on, its centre is on the other side. */
TEST(cones)
{
    lab l = open_lab("dimension: 3\n"
                     "time: {end: 2 s, step: 2 ms}\n"
                     "gravity: [0, 0, -9.81]\n"
                     "materials: {steel: {density: 7800}}\n"
                     "interactions: [{between: [steel, steel], friction: 1}]\n"
                     "bodies:\n"
                     "  floor: {kind: fixed, shapes: [{half_space: {point: [0, 0, 0], normal: [0, 0, 1], material: steel}}]}\n"
                     "  peg:\n"
                     "    position: [0, 1, 0]\n"
                     "    shapes: [{frustum: {from: [0, 0, 0], to: [0, 0, 0.1], radius: 60 mm, radius_to: 30 mm, material: steel}}]\n"
                     "  cone:\n"
                     "    orientation: {axis_angle_deg: [0, -1, 0, 30]}\n"
                     "    velocity: [0, 0.61215728543, 0]\n" /* Ω d cos 30° with Ω = π/s, d = ¾ 0.3 m; spin Ω cot 30° */
                     "    spin: [-5.44139809270, 0, 0]\n"
                     "    shapes: [{frustum: {from: [0.3, 0, 0], to: [0, 0, 0], radius: 0.173205080757, material: steel}}]\n"
                     "probes:\n"
                     "  peg_z: {body: peg, quantity: z}\n"
                     "  peg_x: {body: peg, quantity: x}\n"
                     "solver: {tolerance: 1e-10}\n",
                     1);
    const double pi = acos(-1), mass = 7800 * pi / 3 * 0.1 * (0.06 * 0.06 + 0.06 * 0.03 + 0.03 * 0.03);
    const talus_body_id cone = talus_body_find(l.world, "cone");
    double x[3], q[4];
    CHECK_CLOSE(talus_body_mass(l.world, talus_body_find(l.world, "peg")), mass, 1e-12);
    CHECK_CLOSE(talus_body_mass(l.world, cone), 7800 * pi / 3 * 0.3 * 0.03, 1e-10);
    lab_run(&l, 1);
    talus_body_pose(l.world, cone, x, q);
    const double ahead = atan2(2 * (q[1] * q[2] + q[0] * q[3]), 1 - 2 * (q[2] * q[2] + q[3] * q[3]));
    CHECK_NEAR(fabs(ahead), pi, 0.03);
    CHECK(sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]) < 1e-3); /* its tip */
    CHECK_NEAR(lab_probe(&l, "peg_z"), 0, 1e-8);
    CHECK_NEAR(lab_probe(&l, "peg_x"), 0, 1e-12);
    close_lab(&l);
}

int main(int argc, char **argv)
{
    RUN(rollers);
    RUN(sharp_cylinder);
    RUN(cones);
    return TEST_RESULT;
}
