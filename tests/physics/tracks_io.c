/* Tracks of a scene, in the plane and in space: the chain closes; hung in the air it pulls as a catenary does; on the ground it rolls as its shoes are laid;
 * mistakes. */
#include "lab.h"

static const double PITCH = 0.107, RADIUS = 0.3, THICKNESS = 0.03, MASS = 8;
enum { SHOES = 40 };

/* A carrier that is held, or free on the ground, with `force` in the chain's tension. */
static void write_scene(char *text, size_t size, int dimension, bool held, const char *more)
{
    const bool flat = dimension == 2;
    const char *zero = flat ? "0" : "0, 0", *width = flat ? "" : "width: 0.2 m, ";
    snprintf(
        text, size,
        "dimension: %d\ngravity: [%s, -9.81 m/s^2]\ntime: {end: 100 s, step: 5 ms}\nsolver: {tolerance: 1 mm/s}\n"
        "materials: {steel: {density: 7800 kg/m^3}, rubber: {density: 1200 kg/m^3}, ground: {density: 2000 kg/m^3}}\n"
        "interactions:\n  - {between: [steel, rubber], friction: %s}\n  - {between: [steel, ground], friction: 0.8}\n"
        "  - {between: [steel, steel], enabled: false}\n  - {between: [rubber, rubber], enabled: false}\n  - {between: [rubber, ground], enabled: false}\n"
        "%s%s%smechanisms:\n  m:\n    bodies:\n      frame: {mass: 800 kg, inertia: 60}\n    joints:\n      frame: {type: %s, parent: ground, child: "
        "frame%s}\n%s"
        "tracks:\n  t:\n    on: frame\n    at: [%s, 0]\n    wheels:\n"
        "      a: {at: [0.57 m, %s], radius: %g m, %smass: 60 kg, inertia: 2.7, material: rubber, tension: {force: 4 kN, stiffness: %s, damping: 2 kN s/m}}\n"
        "      b: {at: [-0.57 m, %s], radius: %g m, %smass: 60 kg, material: rubber}\n"
        "    shoes: {count: %d, pitch: %g m, thickness: %g m, %smass: %g kg, %smaterial: steel%s}\n",
        dimension, flat ? "0" : "0, 0", held ? "0" : "0.7", held ? "" : "bodies:\n  floor: {kind: fixed, material: ground, shapes: [",
        held   ? ""
        : flat ? "{half_plane: {point: [0, 0], normal: [0, 1]}}]}\n"
               : "{half_space: {point: [0, 0, 0], normal: [0, 0, 1]}}]}\n",
        "",
        held   ? "fixed"
        : flat ? "planar"
               : "free",
        held   ? ""
        : flat ? ", position: {y: 0.366 m}"
               : ", position: {z: 0.366 m}",
        held   ? ""
        : flat ? "    drives:\n      a: {joint: t_a, speed: \"-3.3 rad/s*ramp(t, 0, 0.5 s)\"}\n"
               : "    drives:\n      a: {joint: t_a, speed: \"3.3 rad/s*ramp(t, 0, 0.5 s)\"}\n",
        zero, zero, RADIUS, width, held ? "0" : "200 kN/m", zero, RADIUS, width, SHOES, PITCH, THICKNESS, flat ? "" : "width: 0.36 m, ", MASS,
        held   ? ""
        : flat ? "grouser: 30 mm, "
               : "grouser: 30 mm, horns: 80 mm, ",
        more);
}

static talus_body_joint_state pin(const lab *l, int number)
{
    char name[20];
    talus_body_joint_state state = {.error = (double)NAN};
    snprintf(name, sizeof name, "t_pin_%d", number);
    for (int i = 0; i < talus_body_joint_count(l->world); i++)
        if (strcmp(talus_body_joint_name(l->world, i), name) == 0) CHECK_OK(talus_body_joint_get(l->world, i, &state), "no such joint");
    return state;
}

/* Pull of the chain at the highest and at the lowest pin, and where they are, as means of a while. T_top + T_bottom is the force, T_top − T_bottom is w Δz of
 * what runs without friction, and the sag is that of a chain that leaves its wheels on tangents. */
static void check_catenary(int dimension)
{
    enum { MEAN = 800 };
    char text[4000];
    write_scene(text, sizeof text, dimension, true, "");
    lab l = open_lab(text, 1);
    const int up = dimension - 1;
    const double w = MASS * 9.81 / PITCH, r = hypot(RADIUS + 0.5 * THICKNESS, 0.5 * PITCH);
    double top = 0, bottom = 0, sag = 0, low = 0, span = 0;
    for (int i = 1; i <= SHOES; i++) CHECK(pin(&l, i).error < 1e-12);
    lab_run(&l, 3);
    for (int n = 0; n < MEAN; n++) {
        (void)lab_step(&l);
        talus_body_joint_state over = {.error = 0}, under = {.error = 0};
        double nearest[2] = {1, 1};
        const double axle = 0.57 + talus_joint_position(l.world, talus_joint_find(l.world, "t_a_slide"), 0);
        for (int i = 1; i <= SHOES; i++) {
            const talus_body_joint_state p = pin(&l, i);
            const int side = p.point[up] > 0 ? 0 : 1;
            const double off = fabs(p.point[0] - 0.5 * (axle - 0.57));
            if (off < nearest[side]) nearest[side] = off, *(side == 0 ? &over : &under) = p;
        }
        top += fabs(over.force[0]) / MEAN, bottom += fabs(under.force[0]) / MEAN, sag += (r - over.point[up]) / MEAN, low += under.point[up] / MEAN;
        span += (axle + 0.57) / MEAN;
    }
    printf("%d: pull %.5g above, %.5g below, sag %.4g over %.4g\n", dimension, top, bottom, sag, span);
    CHECK_NEAR(top + bottom, 4000, 40);
    CHECK_NEAR(top - bottom, w * (r - sag - low), 0.1 * w * 2 * r);
    double angle = 0;
    for (int k = 0; k < 50; k++) angle = atan(w * (span - 2 * r * sin(angle)) / (2 * top));
    const double free = span - 2 * r * sin(angle);
    CHECK_NEAR(sag, w * free * free / (8 * top) + r * (1 - cos(angle)), 0.06 * sag);
    close_lab(&l);
}

TEST(catenary)
{
    check_catenary(2);
    check_catenary(3);
}

/* One wheel drives, a quarter of a turn. Of a polygon of shoes around a wheel each takes 2 atan(p/(2R + t)) of its turn; rocking and slip are a few per cent.
 */
static void check_rolling(int dimension)
{
    char text[4000];
    write_scene(text, sizeof text, dimension, false, "");
    lab l = open_lab(text, 1);
    const talus_joint_id frame = talus_joint_find(l.world, "frame"), wheel = talus_joint_find(l.world, "t_a");
    CHECK(talus_scene_warnings(l.scene)[0] == '\0'); /* nothing overlaps */
    lab_run(&l, 0.75);
    const double turned = fabs(talus_joint_position(l.world, wheel, 0)), way = talus_joint_position(l.world, frame, 0);
    const double laid = turned * PITCH / (2 * atan(PITCH / (2 * RADIUS + THICKNESS)));
    printf("%d: %.4g m for %.4g m of chain\n", dimension, way, laid);
    CHECK_NEAR(turned, 3.3 * 0.5, 1e-6);
    CHECK_NEAR(way, laid, 0.06 * laid);
    if (dimension == 3) CHECK_NEAR(talus_joint_position(l.world, frame, 1), 0, 2e-3);
    for (int i = 1; i <= SHOES; i++) CHECK(pin(&l, i).error < 1e-4);
    close_lab(&l);
}

TEST(rolling)
{
    check_rolling(2);
    check_rolling(3);
}

enum { ROOM = 6000 };

/* One text for another, wherever it stands. */
static void replace(char text[ROOM], const char *old, const char *with)
{
    char out[ROOM] = "";
    size_t used = 0;
    const char *from = text, *at;
    CHECK(strstr(text, old) != NULL);
    for (; (at = strstr(from, old)) && used < ROOM; from = at + strlen(old))
        used += (size_t)snprintf(out + used, ROOM - used, "%.*s%s", (int)(at - from), from, with);
    if (used < ROOM) used += (size_t)snprintf(out + used, ROOM - used, "%s", from);
    if (used >= ROOM) TEST_STOP("no room for '%s'", with);
    memcpy(text, out, ROOM);
}

/* Under a mechanism in maximal coordinates wheels are bodies, too: they roll as far as their shoes are laid, and as those in relative ones do. */
static void check_maximal(int dimension)
{
    char text[ROOM];
    double way[2];
    for (int maximal = 0; maximal < 2; maximal++) {
        write_scene(text, sizeof text, dimension, false, "");
        replace(text, "tracks:\n", "probes: {turn: {joint: t_a}, slide: {joint: t_a_slide}, x: {body: frame, quantity: x}}\ntracks:\n");
        if (maximal) replace(text, "  m:\n", "  m:\n    coordinates: maximal\n");
        lab l = open_lab(text, 1);
        CHECK(talus_scene_warnings(l.scene)[0] == '\0');
        CHECK((talus_joint_count(l.world) == 0) == maximal);
        lab_run(&l, 0.75);
        const double turned = fabs(lab_probe(&l, "turn")), laid = turned * PITCH / (2 * atan(PITCH / (2 * RADIUS + THICKNESS)));
        way[maximal] = lab_probe(&l, "x");
        printf("%d, %s: %.6g m for %.6g m of chain, tension at %.4g\n", dimension, maximal ? "maximal" : "relative", way[maximal], laid,
               lab_probe(&l, "slide"));
        CHECK_NEAR(turned, 3.3 * 0.5, 1e-4);
        CHECK_NEAR(way[maximal], laid, 0.06 * laid);
        for (int i = 1; i <= SHOES; i++) CHECK(pin(&l, i).error < 1e-4);
        close_lab(&l);
    }
    CHECK_NEAR(way[1], way[0], 0.02 * way[0]); /* rocking shoes scatter the way of each by 1 % from step to step */
}

TEST(maximal)
{
    char text[ROOM];
    check_maximal(2);
    check_maximal(3);
    write_scene(text, ROOM, 3, false, "");
    replace(text, "  m:\n", "  m:\n    coordinates: maximal\n");
    replace(text, "force: 4 kN", "force: 0 N");
    lab l = open_lab(text, 1);
    const char *slack = strstr(talus_scene_warnings(l.scene), "hangs slack at the start");
    CHECK(slack && !strstr(slack + 1, "hangs slack"));
    close_lab(&l);
    write_scene(text, ROOM, 3, false, "");
    replace(text, "  m:\n", "  m:\n    coordinates: maximal\n");
    replace(text, "stiffness: 200 kN/m", "stiffness: 0");
    talus_scene *scene = load_lab(text);
    talus_world *world = NULL;
    CHECK(talus_scene_mistake_count(scene) == 0);
    CHECK(talus_scene_build(scene, 1, &world) == TALUS_UNSUPPORTED);
    CHECK(strstr(talus_scene_mistake(scene, 0), "there are no constant forces without a spring, and 't_a_slide' has no stiffness") != NULL);
    talus_world_destroy(world);
    talus_scene_destroy(scene);
}

/* Where the middle of a track is said to be is no matter: outwards is away from the other wheels. The same chain about wheels that stand both on one side of
 * it, left and right, closes to the same slide, with the same pulls, of which the left and the right of a force are those of its two runs. */
TEST(the_middle_is_anywhere)
{
    static const char *const AT[][2] = {
        {"[0.57 m", "[-0.57 m"}, {"[1.57 m", "[0.43 m"}, {"[-0.43 m", "[-1.57 m"}, {"[-0.57 m", "[0.57 m"}, {"[0.43 m", "[1.57 m"}};
    for (int dimension = 2; dimension <= 3; dimension++) {
        double slide = 0, pull = 0;
        for (int i = 0; i < 5; i++) {
            char text[ROOM];
            const bool mirrored = i >= 3;
            write_scene(text, sizeof text, dimension, true, "");
            replace(text, "[0.57 m", "[A m"), replace(text, "[-0.57 m", "[B m");
            replace(text, "[A m", AT[i][0]), replace(text, "[B m", AT[i][1]);
            replace(text, "-9.81 m/s^2", "0");
            replace(text, "tracks:\n", "probes: {slide: {joint: t_a_slide}}\ntracks:\n");
            lab l = open_lab(text, 1);
            for (int k = 0; k < 20; k++) (void)lab_step(&l);
            double most = 0;
            for (int k = 1; k <= SHOES; k++) most = fmax(most, fabs(pin(&l, k).force[0]));
            if (i == 0) slide = lab_probe(&l, "slide"), pull = most;
            CHECK_NEAR(lab_probe(&l, "slide"), mirrored ? -slide : slide, 1e-5);
            CHECK_NEAR(most, pull, 0.02 * pull);
            CHECK_NEAR(pull, 2000, 100); /* half of the force, in each run */
            close_lab(&l);
        }
    }
}

/* Parameters are numbers of tracks as of all else: the same world, bit by bit, also where a number may be left out. */
TEST(parameters)
{
    static const char *const PAIRS[][2] = {{"count: 40", "count: 2*half"},          {"pitch: 0.107 m", "pitch: shoe.pitch"},
                                           {"grouser: 30 mm", "grouser: shoe.bar"}, {"horns: 80 mm", "horns: shoe.horn"},
                                           {"force: 4 kN", "force: pull"},          {"at: [0.57 m", "at: [front"},
                                           {"radius: 0.3 m", "radius: r"},          {"position: {z: 0.366 m}", "position: {z: r + 66 mm}"},
                                           {"mass: 8 kg", "mass: shoe.mass"}};
    char text[2][ROOM];
    uint64_t hash[2];
    for (int i = 0; i < 2; i++) {
        write_scene(text[i], ROOM, 3, false, "");
        for (size_t k = 0; i > 0 && k < sizeof PAIRS / sizeof *PAIRS; k++) replace(text[i], PAIRS[k][0], PAIRS[k][1]);
        if (i > 0)
            replace(text[i], "dimension: 3\n",
                    "dimension: 3\nparameters: {half: 20, r: 0.3 m, front: 0.57 m, pull: 4 kN, shoe: {pitch: 0.107 m, bar: 30 mm, "
                    "horn: 80 mm, mass: 8 kg}}\n");
        lab l = open_lab(text[i], 1);
        for (int n = 0; n < 10; n++) (void)lab_step(&l);
        hash[i] = talus_world_hash(l.world);
        close_lab(&l);
    }
    CHECK(hash[0] == hash[1]);
}

static void poses(const lab *l, double out[3][3])
{
    static const char *const BODIES[] = {"frame", "t_b", "t_17"};
    double q[4];
    for (int i = 0; i < 3; i++) talus_body_pose(l->world, talus_body_find(l->world, BODIES[i]), out[i], q);
}

/* However the carrier is hung, its wheels and shoes are where they are under a free one. */
TEST(carriers)
{
    static const char *const HUNG[] = {"{type: prismatic, parent: ground, child: frame, axis: [0, 0, 2], position: {position: 0.366 m}}",
                                       "{type: prismatic, parent: ground, child: frame, axis: [0, 0, 1], at: [0, 0, 0.4 m], position: -34 mm}",
                                       "{type: cylindrical, parent: ground, child: frame, position: {position: 0.366 m, angle: 0}}",
                                       "{type: planar, parent: ground, child: frame, axis: [0, 1, 0], axis2: [0, 0, 1], position: {x: 0.366 m}}",
                                       "{type: planar, parent: ground, child: frame, axis: [1, 0, 0], axis2: [0, 1, 0], position: {y: 0.366 m}}",
                                       "{type: free, parent: ground, child: frame, at: [0, 0, 0.2 m], child_at: [0, 0, -0.1 m], position: {z: 0.066 m}}",
                                       "{type: revolute, parent: ground, child: frame, at: [0, 0, 0.366 m], axis: [0, 1, 0], angle: 0 deg}",
                                       "{type: fixed, parent: ground, child: frame, at: [0, 0, 0.366 m], rotation: {axis_angle_deg: [0, 1, 0, 0]}}",
                                       "{type: prismatic, parent: s, child: frame, axis: [0, 1, 0], at: [0, 0, 0.066 m]}"};
    double expected[3][3], got[3][3];
    char text[ROOM];
    write_scene(text, ROOM, 3, false, "");
    lab l = open_lab(text, 1);
    poses(&l, expected);
    close_lab(&l);
    for (size_t i = 0; i < sizeof HUNG / sizeof *HUNG; i++) {
        write_scene(text, ROOM, 3, false, "");
        replace(text, "{type: free, parent: ground, child: frame, position: {z: 0.366 m}}", HUNG[i]);
        if (strstr(HUNG[i], "parent: s")) replace(text, "    joints:\n", "    shafts: {s: {at: [0, 0, 0.3 m], inertia: 1}}\n    joints:\n");
        l = open_lab(text, 1);
        poses(&l, got);
        for (int k = 0; k < 9; k++) CHECK_NEAR(got[k / 3][k % 3], expected[k / 3][k % 3], 1e-12);
        CHECK(talus_scene_warnings(l.scene)[0] == '\0');
        close_lab(&l);
    }
    write_scene(text, ROOM, 3, false, "");
    replace(text, "frame", "\"my, {frame}: 1\""); /* names of others are theirs */
    replace(text, "  m:\n", "  \"m: 1\":\n");
    l = open_lab(text, 1);
    close_lab(&l);
}

/* Loops that move a carrier at the start; a chain that nothing pulls. */
/* Where nothing pulls, what moves goes on as it does: wheels, shoes and carrier have one velocity from the start. `held`: a drive says the carrier's, of which
 * the joint says nothing. */
static lab flying(int dimension, bool maximal, bool held)
{
    char text[3000];
    const bool flat = dimension == 2;
    const char *width = flat ? "" : "width: 0.2 m, ";
    snprintf(text, sizeof text,
             "dimension: %d\ngravity: [0, 0%s]\ntime: {end: 1 s, step: 5 ms}\nmaterials: {rubber: {}, steel: {}}\n"
             "interactions: [{between: [rubber, steel], friction: 0.6}]\nmechanisms:\n  bogie:\n    coordinates: %s\n"
             "    bodies: {base: {mass: 10 kg, inertia: 1}, frame: {mass: 800 kg, inertia: 60}}\n    joints:\n"
             "      base: {type: %s, parent: ground, child: base, position: {y: 2 m}, velocity: {x: 0.25 m/s, y: -0.5 m/s}}\n"
             "      frame: {type: prismatic, parent: base, child: frame, axis: [1, 0%s]%s}\n%s"
             "tracks:\n  t:\n    on: frame\n    wheels:\n"
             "      a: {at: [0.57 m, 0%s], radius: 0.3 m, %smass: 60 kg, material: rubber, tension: {force: 4 kN, stiffness: 200 kN/m, damping: 2 kN s/m}}\n"
             "      b: {at: [-0.57 m, 0%s], radius: 0.3 m, %smass: 60 kg, material: rubber}\n"
             "    shoes: {count: 40, pitch: 107 mm, thickness: 30 mm, %smass: 8 kg, material: steel}\n"
             "probes: {x: {body: frame, quantity: vx}, y: {body: frame, quantity: vy}, shoe: {body: t_1, quantity: vx}, fall: {body: t_20, quantity: vy}}\n",
             dimension, flat ? "" : ", 0", maximal ? "maximal" : "relative", flat ? "planar" : "free", flat ? "" : ", 0", held ? "" : ", velocity: 0.75 m/s",
             held ? "    drives: {d: {joint: frame, speed: 0.75 m/s}}\n" : "", flat ? "" : ", 0", width, flat ? "" : ", 0", width,
             flat ? "" : "width: 0.36 m, ");
    return open_lab(text, 1);
}

TEST(a_carrier_that_moves)
{
    for (int kind = 0; kind < 4; kind++) {
        lab l = flying(2 + kind % 2, kind / 2, false);
        CHECK(talus_world_all_warnings(l.world)[0] == 0);
        for (int i = 0; i < 40; i++) {
            (void)lab_step(&l);
            CHECK_NEAR(lab_probe(&l, "x"), 1, 0.01); /* the chain settles on its wheels, and along it: momentum is that of all */
            CHECK_NEAR(lab_probe(&l, "y"), -0.5, 0.01);
        }
        CHECK_NEAR(lab_probe(&l, "shoe"), 1, 0.05);
        CHECK_NEAR(lab_probe(&l, "fall"), -0.5, 0.05);
        close_lab(&l);
    }
    lab l = flying(2, false, true);
    CHECK(strstr(talus_world_all_warnings(l.world), "the shoes of track 't' have another velocity than their carrier, by 0.75 m/s"));
    close_lab(&l);
}

TEST(said_at_the_start)
{
    char text[ROOM];
    write_scene(text, ROOM, 3, false, "");
    replace(text, "      frame: {mass: 800 kg, inertia: 60}\n", "      frame: {mass: 800 kg, inertia: 60}\n      other: {mass: 1 kg, inertia: 1}\n");
    replace(
        text, "{type: free, parent: ground, child: frame, position: {z: 0.366 m}}",
        "{type: prismatic, parent: ground, child: frame, axis: [0, 0, 1], position: 0.366 m}\n      other: {type: prismatic, parent: ground, child: other}\n"
        "    loops: {tie: {type: gear, joints: [frame, other], ratio: 1, offset: 0.5 m}}");
    talus_scene *scene = load_lab(text);
    talus_world *world = NULL;
    CHECK(talus_scene_mistake_count(scene) == 0);
    CHECK(talus_scene_build(scene, 1, &world) == TALUS_UNSUPPORTED);
    CHECK(strstr(talus_scene_mistake(scene, 0), "the loops or drives of its mechanism move it") != NULL);
    talus_world_destroy(world);
    talus_scene_destroy(scene);
    write_scene(text, ROOM, 3, false, "");
    replace(text, "force: 4 kN", "force: 0 N");
    lab l = open_lab(text, 1);
    CHECK(strstr(talus_scene_warnings(l.scene), "track 't' hangs slack at the start") != NULL);
    close_lab(&l);
}

/* Of a list of carriers each is looked at as one alone: the second is turned, has a name that no part can be named after, is moved by a loop; the chains of
 * both hang slack, which is said once. */
TEST(several_carriers)
{
    static const char *const OTHER[][4] = {
        {"high", "{type: fixed, parent: ground, child: high, rotation: {axis_angle_deg: [0, 1, 0, 5]}}", "", "joint 'high' turns it"},
        {"\"my, high\"", "{type: fixed, parent: ground, child: \"my, high\"}", "", "the name of a carrier in a list is of letters, digits, _ and -"},
        {"high", "{type: prismatic, parent: ground, child: high, axis: [0, 0, 1], at: [0, 0, 2 m]}",
         "      more: {type: prismatic, parent: ground, child: more}\n    loops: {tie: {type: gear, joints: [high, more], ratio: 1, offset: 0.5 m}}\n",
         "the loops or drives of its mechanism move it"},
        {"high", "{type: fixed, parent: ground, child: high, at: [0, 0, 2 m]}", "", ""}};
    for (size_t i = 0; i < sizeof OTHER / sizeof *OTHER; i++) {
        char text[ROOM], with[1000];
        write_scene(text, ROOM, 3, false, "");
        snprintf(with, sizeof with, "on: [frame, %s]", OTHER[i][0]);
        replace(text, "on: frame", with);
        snprintf(with, sizeof with, "inertia: 60}\n      %s: {mass: 800 kg, inertia: 60}\n%s", OTHER[i][0],
                 OTHER[i][2][0] ? "      more: {mass: 1 kg, inertia: 1}\n" : "");
        replace(text, "inertia: 60}\n", with);
        snprintf(with, sizeof with, "position: {z: 0.366 m}}\n      high: %s\n%s", OTHER[i][1], OTHER[i][2]);
        replace(text, "position: {z: 0.366 m}}\n", with);
        replace(text, "joint: t_a,", "joint: t_frame_a,");
        replace(text, "force: 4 kN", "force: 0 N");
        talus_scene *scene = load_lab(text);
        talus_world *world = NULL;
        const bool loop = OTHER[i][2][0], sound = !OTHER[i][3][0];
        if (loop || sound) CHECK(talus_scene_mistake_count(scene) == 0);
        if (loop || sound) CHECK(talus_scene_build(scene, 1, &world) == (loop ? TALUS_UNSUPPORTED : TALUS_OK));
        bool said = sound;
        for (int k = 0; k < talus_scene_mistake_count(scene); k++) said = said || strstr(talus_scene_mistake(scene, k), OTHER[i][3]);
        if (!said) TEST_FAIL("not said: %s", OTHER[i][3]);
        const char *slack = sound ? strstr(talus_scene_warnings(scene), "hangs slack") : NULL;
        if (sound) CHECK(slack && !strstr(slack + 1, "hangs slack"));
        if (sound) CHECK(talus_body_find(world, "t_frame_40").index1 && talus_body_find(world, "t_high_40").index1);
        talus_world_destroy(world);
        talus_scene_destroy(scene);
    }
}

/* The scene with one text for another is refused with `what`. */
static void refuse(const char *old, const char *with, const char *what)
{
    char text[ROOM];
    bool said = false;
    write_scene(text, ROOM, 3, false, "");
    replace(text, old, with);
    talus_scene *s = load_lab(text);
    for (int i = 0; i < talus_scene_mistake_count(s); i++) said = said || strstr(talus_scene_mistake(s, i), what);
    if (!said) TEST_FAIL("'%s' for '%s': %s", with, old, talus_scene_mistake(s, 0));
    talus_scene_destroy(s);
}

TEST(mistakes)
{
    static const char FREE[] = "type: free, parent: ground, child: frame, position: {z: 0.366 m}";
    refuse("count: 40", "count: 20", "do not close around the wheels");
    refuse("count: 40", "count: 1e20", "'count' is 1e+20");
    refuse("tension:", "tensoin:", "unknown key 'tensoin'");
    refuse(", tension: {force: 4 kN, stiffness: 200 kN/m, damping: 2 kN s/m}", "", "needs a tension");
    refuse("a: {at: [0.57 m", "a: {at: [0.1 m", "40 shoes of 0.107 m do not close around the wheels");
    refuse("at: [0.57 m, 0,", "at: [0.57 m, 0.1,", "y = 0.1 m");
    refuse("on: frame", "on: floor", "carried by a body of a mechanism; 'floor' is none");
    refuse("on: frame", "on: fram", "carried by a body of a mechanism; 'fram' is none");
    refuse("    joints:\n", "    shafts: {frame: {inertia: 1}}\n    joints:\n", "two things named 'frame'");
    refuse("      frame: {mass: 800 kg, inertia: 60}\n    joints:\n", "      box: {mass: 1}\n    shafts: {frame: {inertia: 1}}\n    joints:\n",
           "'frame' is a shaft");
    refuse("position: {z: 0.366 m}", "orientation: 0.1", "scene's axes at the start; joint 'frame' turns it");
    refuse("on: frame", "on: [frame, floor]", "'floor' is none");
    refuse("on: frame", "on: [frame]", "there is no joint 't_a'"); /* which t_frame_a is */
    refuse("position: {z: 0.366 m}", "rotation: {axis_angle_deg: [0, 1, 0, 5]}", "joint 'frame' turns it");
    refuse(FREE, "type: revolute, parent: ground, child: frame, axis: [0, 1, 0], position: 0.1", "joint 'frame' turns it");
    refuse(FREE, "type: revolute, parent: ground, child: frame, axis: [0, 1, 0], position: {angle: 5 deg}", "joint 'frame' turns it");
    refuse(FREE, "type: cylindrical, parent: ground, child: frame, position: {angle: 0.1}", "joint 'frame' turns it");
    refuse("    joints:\n      frame: {type: free, parent: ground",
           "    shafts: {s: {inertia: 1, angle: 0.1}}\n    joints:\n      frame: {type: free, parent: s", "shaft 's' turns it");
    refuse("bodies:\n  floor", "bodies:\n  t_7: {kind: fixed, shapes: [{sphere: {radius: 1}}]}\n  floor", "two things named 't_7'");
    refuse("      b: {at", "      1: {at", "two things named 't_1'");
    refuse("  t:\n", "  t.left:\n", "of letters, digits, _ and -");
    refuse("      b: {at", "      \"b, c\": {at", "the name of a wheel is of letters, digits, _ and -");
    refuse("width: 0.36 m, ", "", "'width' is missing here: in space wheels and shoes have one");
    refuse("width: 0.36 m, ", "width: 0.23 m, ", "shoes of 0.23 m have no room for them and need 0.24 m");
    refuse("pitch: 0.107 m", "pitch: -1 m", "'pitch' is -1; it must be positive");
    refuse("mass: 60 kg, material: rubber}", "mass: 60 kg}", "'material' is missing here");
    refuse("horns: 80 mm, material: steel", "horns: 80 mm", "'material' is missing here");
}

/* Numbers of a track may be parameters: it is there with all its pins. */
TEST(numbers_are_parameters)
{
    char scene[4000], with[4400];
    write_scene(scene, sizeof scene, 2, true, "");
    const char *old = "pitch: 0.107 m", *at = strstr(scene, old);
    CHECK(at != NULL);
    if (!at) return;
    snprintf(with, sizeof with, "parameters: {p: 107 mm}\n%.*spitch: p%s", (int)(at - scene), scene, at + strlen(old));
    lab l = open_lab(with, 1);
    CHECK(talus_body_joint_count(l.world) == SHOES);
    close_lab(&l);
}

int main(int argc, char **argv)
{
    RUN(parameters);
    RUN(carriers);
    RUN(a_carrier_that_moves);
    RUN(said_at_the_start);
    RUN(several_carriers);
    RUN(catenary);
    RUN(rolling);
    RUN(maximal);
    RUN(the_middle_is_anywhere);
    RUN(mistakes);
    RUN(numbers_are_parameters);
    return TEST_RESULT;
}
