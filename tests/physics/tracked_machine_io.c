/* A machine on a track as a whole, against statics and dynamics of one body: the slope at which it tips, how far it slides when its wheels are locked, the
 * slope that an engine with a torque converter pulls away on, and the load under which an engine with a clutch stalls. */
#include "lab.h"

static const double G = 9.81, PITCH = 0.107, THICKNESS = 0.03, RADIUS = 0.3, FRAME = 800, WHEEL = 60, SHOE = 8, HEIGHT = 0.331;
enum { SHOES = 40 };

typedef struct machine {
    int dimension;
    double slope, lean;       /* by which gravity is turned backwards, in space to the left */
    double centre;            /* of the frame's mass, above the axles */
    double friction;          /* of shoes on the ground */
    double tension;           /* twice the pull in the chain */
    const char *drive, *more; /* further keys of the mechanism and of the scene */
} machine;

static void write_machine(char *text, size_t size, const machine *m)
{
    const bool flat = m->dimension == 2;
    const char *zero = flat ? "0" : "0, 0", *width = flat ? "" : "width: 0.2 m, ";
    char gravity[120], centre[60];
    if (flat) snprintf(gravity, sizeof gravity, "%.15g, %.15g", -G * sin(m->slope), -G * cos(m->slope));
    else snprintf(gravity, sizeof gravity, "%.15g, %.15g, %.15g", -G * sin(m->slope), G * sin(m->lean), -G * cos(m->slope) * cos(m->lean));
    snprintf(centre, sizeof centre, flat ? "0, %g" : "0, 0, %g", m->centre);
    snprintf(text, size,
             "dimension: %d\ngravity: [%s]\ntime: {end: 100 s, step: 5 ms}\nsolver: {tolerance: 1 mm/s}\n"
             "materials: {steel: {density: 7800}, rubber: {density: 1200}, ground: {density: 2000}}\n"
             "interactions:\n  - {enabled: false}\n  - {between: [steel, rubber], friction: 0.9}\n  - {between: [steel, ground], friction: %g}\n"
             "bodies:\n  floor: {kind: fixed, material: ground, shapes: [%s]}\n"
             "mechanisms:\n  m:\n    bodies: {frame: {mass: %g kg, inertia: %s, centre_of_mass: [%s]}}\n"
             "    joints: {frame: {type: %s, parent: ground, child: frame, position: {%s: %g m}}}\n%s"
             "tracks:\n  t:\n    on: frame\n    wheels:\n"
             "      a: {at: [0.57 m, %s], radius: %g m, %smass: %g kg, material: rubber, tension: {force: %g N, stiffness: 400 kN/m, damping: 4 kN s/m}}\n"
             "      b: {at: [-0.57 m, %s], radius: %g m, %smass: %g kg, material: rubber}\n"
             "    shoes: {count: %d, pitch: %g m, thickness: %g m, %smass: %g kg, material: steel}\n%s",
             m->dimension, gravity, m->friction, flat ? "{half_plane: {point: [0, 0], normal: [0, 1]}}" : "{half_space: {point: [0, 0, 0], normal: [0, 0, 1]}}",
             FRAME, flat ? "80" : "[60, 80, 60]", centre, flat ? "planar" : "free", flat ? "y" : "z", HEIGHT, m->drive, zero, RADIUS, width, WHEEL, m->tension,
             zero, RADIUS, width, WHEEL, SHOES, PITCH, THICKNESS, flat ? "" : "width: 0.36 m, horns: 80 mm, ", SHOE, m->more);
}

static lab open_machine(const machine *m)
{
    char text[6000];
    write_machine(text, sizeof text, m);
    return open_lab(text, 1);
}

static const char LOCKED[] = "    drives: {a: {joint: t_a, speed: 0 rad/s}, b: {joint: t_b, speed: 0 rad/s}}\n";

static double mass(void) { return FRAME + 2 * WHEEL + SHOES * SHOE; }
/* Of the centre of all mass above the ground; shoes lie around the axles alike. */
static double height(double centre) { return HEIGHT + FRAME * centre / mass(); }

/* ---- statics: which slope tips it ------------------------------------------------------------------------------------------------ */

/* How far it has turned in two seconds with locked wheels: about the line across, or in space about the line along. */
static double tipped(int dimension, double centre, double tangent)
{
    const bool flat = dimension == 2;
    machine m = {.dimension = dimension, .centre = centre, .friction = 0.8, .tension = 8000, .drive = LOCKED, .more = ""};
    if (flat) m.slope = atan(tangent);
    else m.lean = atan(tangent);
    lab l = open_machine(&m);
    const talus_body_id frame = talus_body_find(l.world, "frame");
    double turned = 0;
    while (talus_world_time(l.world) < 2 && turned < 0.3) {
        (void)lab_step(&l);
        double position[3], quaternion[4];
        if (flat) turned = fabs(talus_joint_position(l.world, talus_joint_find(l.world, "frame"), 2));
        else talus_body_pose(l.world, frame, position, quaternion), turned = 2 * asin(fabs(quaternion[1]));
    }
    close_lab(&l);
    return turned;
}

/* Backwards about the shoe below the rear axle, half a pitch to and fro; to the side about the edge of the shoes, less the room between wheels and horns. */
TEST(tips)
{
    const double back = 0.57 / height(1.8), side = 0.18 / height(0.5), room = 0.5 * PITCH / 0.57, play = 0.01 / 0.18;
    const double plane[] = {tipped(2, 1.8, (1 - room - 0.03) * back), tipped(2, 1.8, (1 + room + 0.03) * back)};
    const double space[] = {tipped(3, 0.5, (1 - play - 0.03) * side), tipped(3, 0.5, 1.03 * side)};
    printf("backwards %.3g and %.3g, sidewards %.3g and %.3g\n", plane[0], plane[1], space[0], space[1]);
    CHECK(plane[0] < 0.1 && plane[1] > 0.3);
    CHECK(space[0] < 0.1 && space[1] > 0.3);
}

/* ---- dynamics: wheels are locked at a speed ---------------------------------------------------------------------------------------- */

/* What slides loses μ g per second, whatever is inside: v²/(2 μ g) to where it rests. The chain still swings as it begins: a few per cent of v. */
TEST(brakes)
{
    const double friction = 0.5, start = 1.5;
    for (int dimension = 2; dimension < 4; dimension++) {
        char drive[400];
        const char *sign = dimension == 2 ? "-" : "";
        snprintf(drive, sizeof drive,
                 "    drives: {a: {joint: t_a, speed: \"%s6 rad/s*(ramp(t, 0, 1.2 s) - step(t - %g s))\"}, b: {joint: t_b, speed: \"%s6 "
                 "rad/s*(ramp(t, 0, 1.2 s) - step(t - %g s))\"}}\n",
                 sign, start, sign, start);
        const machine m = {.dimension = dimension, .friction = friction, .tension = 8000, .drive = drive, .more = ""};
        lab l = open_machine(&m);
        const talus_joint_id frame = talus_joint_find(l.world, "frame");
        lab_run(&l, start - 0.3);
        double from = talus_joint_position(l.world, frame, 0);
        lab_run(&l, start);
        const double speed = (talus_joint_position(l.world, frame, 0) - from) / 0.3;
        from = talus_joint_position(l.world, frame, 0);
        lab_run(&l, start + 1);
        const double way = talus_joint_position(l.world, frame, 0) - from, expected = speed * speed / (2 * friction * G);
        printf("%d: %.4g m/s, stops within %.4g m, expected %.4g m\n", dimension, speed, way, expected);
        CHECK(speed > 1.7);
        CHECK_NEAR(way, expected, 0.06 * expected);
        CHECK_NEAR(talus_joint_velocity(l.world, frame, 0), 0, 0.02);
        close_lab(&l);
    }
}

/* ---- engine: what it pulls away on ------------------------------------------------------------------------------------------------- */

/* An engine of 45 N m from 100 to 250 rad/s, 14 turns of its shaft to one of the wheels; the plane's wheels go forward with negative rates. */
static const double TORQUE = 45, CAPACITY = 0.0015, STALL_RATIO = 2.2, GEAR = 14;

static void write_driveline(char *drive, size_t size, const char *between)
{
    snprintf(drive, size,
             "    shafts: {crank: {on: frame, inertia: 0.2 kg m^2, speed: 170 rad/s}, turbine: {on: frame, inertia: 0.02 kg m^2}}\n"
             "    engines:\n      diesel: {joint: crank, torque: {speed: [100 rad/s, 250 rad/s], torque: [%g, %g]}, drag: 5, throttle: 1, stall: 15 rad/s, "
             "governor: {idle: 80 rad/s, high: 250 rad/s}}\n"
             "    loops: {gear: {type: gear, joints: [turbine, t_b], ratio: -%g}, pair: {type: gear, joints: [t_a, t_b]}}\n%s",
             TORQUE, TORQUE, GEAR, between);
}

/* Way of a wheel's turn: a shoe for each of 2 atan(p/(2R + t)). */
static double lever(void) { return PITCH / (2 * atan(PITCH / (2 * RADIUS + THICKNESS))); }

static double climbs(double share, double *stalled)
{
    char drive[1600], between[600];
    snprintf(between, sizeof between,
             "    couplings: {brake: {joints: [t_b], friction: \"20 kN m*(1 - step(t - 1.2 s))\"}}\n"
             "    converters:\n      c: {joints: [crank, turbine], capacity: {speed_ratio: [0, 0.5, 1], capacity: [%g, %g, 0]}, ratio: {speed_ratio: [0, 0.8], "
             "torque_ratio: [%g, 1]}}\n",
             CAPACITY, CAPACITY, STALL_RATIO);
    write_driveline(drive, sizeof drive, between);
    const double pull = STALL_RATIO * TORQUE * GEAR / lever();
    const machine m = {.dimension = 2, .slope = asin(share * pull / (mass() * G)), .friction = 0.9, .tension = 2000, .drive = drive, .more = ""};
    lab l = open_machine(&m);
    const talus_joint_id frame = talus_joint_find(l.world, "frame");
    lab_run(&l, 1.2);
    *stalled = talus_joint_velocity(l.world, talus_joint_find(l.world, "crank"), 0);
    const double from = talus_joint_position(l.world, frame, 0);
    lab_run(&l, 2.7);
    const double way = talus_joint_position(l.world, frame, 0) - from;
    close_lab(&l);
    return way;
}

/* Shoes are sides of a polygon: from side to corner a wheel moves out by 5 mm against the chain, which holds it at a slope by up to some 200 N, 5 %.
 * Held by the brake the engine turns where C ω² is its torque; freed it goes up what is less than the turbine's torque at rest, and down what is more. */
TEST(hill_start)
{
    double stalled[2];
    const double less = climbs(0.85, &stalled[0]), more = climbs(1.15, &stalled[1]);
    printf("stalled at %.5g rad/s; %.3g m on the lesser slope, %.3g m on the steeper\n", stalled[0], less, more);
    for (int i = 0; i < 2; i++) CHECK_NEAR(stalled[i], sqrt(TORQUE / CAPACITY), 2e-3 * sqrt(TORQUE / CAPACITY));
    CHECK(less > 0.1);
    CHECK(more < -0.1);
}

/* Through a clutch that is let in the engine holds what is less than its torque, up to where the blows of the chain take what is left, at some 60 rad/s; more
 * pulls it below `stall`, and it burns no more. */
TEST(engine_stalls)
{
    for (int i = 0; i < 2; i++) {
        char drive[1600];
        const double share = i == 0 ? 0.7 : 1.4, pull = TORQUE * GEAR / lever();
        write_driveline(drive, sizeof drive,
                        "    couplings: {clutch: {joints: [crank, turbine], friction: \"90 N m*ramp(t, 0.3 s, 2.5 s)\"}, "
                        "brake: {joints: [t_b], friction: \"20 kN m*(1 - step(t - 1.2 s))\"}}\n");
        const machine m = {.dimension = 2,
                           .slope = asin(share * pull / (mass() * G)),
                           .friction = 0.9,
                           .tension = 2000,
                           .drive = drive,
                           .more = "probes: {power: {engine: diesel, quantity: power}}\n"};
        lab l = open_machine(&m);
        const talus_joint_id shaft = talus_joint_find(l.world, "crank");
        lab_run(&l, 4);
        const double before = talus_joint_velocity(l.world, shaft, 0);
        lab_run(&l, 5);
        const double crank = talus_joint_velocity(l.world, shaft, 0), power = lab_probe(&l, "power");
        printf("load %.2g of the torque: %.4g rad/s, a second later %.4g rad/s, %.4g W\n", share, before, crank, power);
        if (i == 0) CHECK(crank > 0.95 * before && before > 30 && power > 0.9 * TORQUE * crank);
        else CHECK(before < 15 && crank < 15 && power <= 0);
        close_lab(&l);
    }
}

int main(int argc, char **argv)
{
    RUN(tips);
    RUN(brakes);
    RUN(hill_start);
    RUN(engine_stalls);
    return TEST_RESULT;
}
