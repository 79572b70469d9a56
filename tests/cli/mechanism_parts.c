/* What is drawn of mechanisms (record/skeleton.h): its ends are where geometry says in every frame, every kind of joint has its part, older files open. */
#include "record/skeleton.h"
#include "shot.h"

typedef struct opened {
    tl_replay run;
    tl_replay_frame frame;
    tl_skeleton parts;
} opened;

static opened open_run(const char *name)
{
    opened o = {0};
    tl_error error = {0};
    char path[256];
    snprintf(path, sizeof path, "%s/%s", home, name);
    CHECK_OK(tl_replay_open(&o.run, path, &error), error.text);
    CHECK_OK(tl_skeleton_make(&o.parts, &o.run, &error), error.text);
    CHECK_OK(tl_replay_read(&o.run, 0, &o.frame, &error), error.text);
    return o;
}

static opened run_scene(const char *text)
{
    write_text("scene.yaml", text);
    talus("run scene.yaml -o run --force --quiet", NULL, 0);
    return open_run("run");
}

static void close_run(opened *o)
{
    tl_skeleton_free(&o->parts);
    tl_replay_frame_free(&o->frame);
    tl_replay_close(&o->run);
}

static void go_to(opened *o, int frame)
{
    tl_error error = {0};
    CHECK_OK(tl_replay_read(&o->run, frame, &o->frame, &error), error.text);
}

static int count(const opened *o, tl_part_kind kind)
{
    int n = 0;
    for (int i = 0; i < o->parts.parts; i++) n += o->parts.part[i].kind == kind;
    return n;
}

/* How many parts of a kind lead from here to there, either way, in the plane. */
static int between(const opened *o, tl_part_kind kind, double ax, double ay, double bx, double by)
{
    int n = 0;
    for (int i = 0; i < o->parts.parts; i++) {
        double e[2][3];
        if (o->parts.part[i].kind != kind) continue;
        tl_part_ends(&o->parts.part[i], &o->frame, e);
        const double there = hypot(e[0][0] - ax, e[0][1] - ay) + hypot(e[1][0] - bx, e[1][1] - by);
        const double back = hypot(e[1][0] - ax, e[1][1] - ay) + hypot(e[0][0] - bx, e[0][1] - by);
        n += fmin(there, back) < 1e-6;
    }
    return n;
}

static double part_length(const opened *o, const tl_part *p)
{
    double e[2][3];
    tl_part_ends(p, &o->frame, e);
    return sqrt(pow(e[1][0] - e[0][0], 2) + pow(e[1][1] - e[0][1], 2) + pow(e[1][2] - e[0][2], 2));
}

/* ---- in the plane ------------------------------------------------------------------------------------------------- */

/* Crank of 0.1 m turned at 10 rad/s, rod of 0.3 m, a slide along x. */
static const char CRANK[] =
    "dimension: 2\ngravity: [0, 0]\ntime: {end: 0.6 s, step: 1 ms}\nmechanisms:\n  m:\n"
    "    bodies:\n      crank: {mass: 1, inertia: 0.01, centre_of_mass: [0.05, 0]}\n      rod: {mass: 1, inertia: 0.01, centre_of_mass: [0.15, 0]}\n"
    "      slider: {mass: 1, inertia: 0.01}\n"
    "    joints:\n      a: {type: revolute, parent: ground, child: crank}\n      b: {type: revolute, parent: crank, at: [0.1, 0], child: rod}\n"
    "      s: {type: prismatic, parent: ground, child: slider, axis: [1, 0], position: 0.4}\n"
    "    loops:\n      c: {type: point, bodies: [rod, slider], at: [[0.3, 0], [0, 0]]}\n"
    "    drives:\n      motor: {joint: a, position: \"10 rad/s * t\"}\n"
    "output: {frames: {every: 20 ms}}\n";

TEST(slider_crank)
{
    opened o = run_scene(CRANK);
    CHECK(o.run.frames == 31);
    CHECK(count(&o, PART_BAR) == 2 && count(&o, PART_RAIL) == 1 && count(&o, PART_SLEEVE) == 1 && count(&o, PART_PISTON) == 0);
    CHECK(count(&o, PART_MOTOR) == 1 && count(&o, PART_PIN) == 2 && count(&o, PART_FOOT) == 0);
    double low = 1, high = 0;
    for (int f = 0; f < o.run.frames; f++) {
        go_to(&o, f);
        const double angle = 10 * o.frame.time, px = 0.1 * cos(angle), py = 0.1 * sin(angle), x = px + sqrt(0.09 - py * py);
        CHECK(between(&o, PART_BAR, 0, 0, px, py) == 1);
        CHECK(between(&o, PART_BAR, px, py, x, 0) == 1);
        low = fmin(low, x), high = fmax(high, x);
    }
    for (int i = 0; i < o.parts.parts; i++) {
        double e[2][3];
        tl_part_ends(&o.parts.part[i], &o.frame, e);
        if (o.parts.part[i].kind == PART_RAIL) CHECK(fabs(e[0][1]) + fabs(e[1][1]) < 1e-12 && fmin(e[0][0], e[1][0]) < low && fmax(e[0][0], e[1][0]) > high);
    }
    close_run(&o);
}

/* A ram from (0.5, 0) lifts an arm of 0.6 m on the origin: its length is that of a triangle's third side. */
static const char RAM[] = "dimension: 2\ngravity: [0, 0]\ntime: {end: 0.5 s, step: 1 ms}\nmechanisms:\n  m:\n"
                          "    bodies:\n      arm: {mass: 1, inertia: 0.1}\n      barrel: {mass: 1, inertia: 0.01}\n      rod: {mass: 1, inertia: 0.01}\n"
                          "    joints:\n      a: {type: revolute, parent: ground, child: arm, angle: 60 deg}\n"
                          "      foot: {type: revolute, parent: ground, at: [0.5, 0], child: barrel, angle: 110 deg}\n"
                          "      ram: {type: prismatic, parent: barrel, child: rod, axis: [1, 0], position: 0.56}\n"
                          "    loops:\n      top: {type: point, bodies: [rod, arm], at: [[0, 0], [0.6, 0]]}\n"
                          "    drives:\n      up: {joint: a, position: \"60 deg + 1 rad/s * t\"}\n"
                          "output: {frames: {every: 50 ms}}\n";

/* The sleeve keeps its length, the ram's changes; the piston never leaves the sleeve. */
static void check_ram(opened *o)
{
    const tl_part *sleeve = NULL, *piston = NULL;
    for (int i = 0; i < o->parts.parts; i++) {
        if (o->parts.part[i].kind == PART_SLEEVE) sleeve = &o->parts.part[i];
        if (o->parts.part[i].kind == PART_PISTON) piston = &o->parts.part[i];
    }
    if (!sleeve || !piston) {
        TEST_FAIL("no ram");
        return;
    }
    go_to(o, 0);
    const double first = part_length(o, sleeve);
    for (int f = 0; f < o->run.frames; f++) {
        double s[2][3], p[2][3];
        go_to(o, f);
        const double angle = M_PI / 3 + o->frame.time, length = sqrt(0.36 + 0.25 - 2 * 0.6 * 0.5 * cos(angle));
        tl_part_ends(sleeve, &o->frame, s);
        tl_part_ends(piston, &o->frame, p);
        CHECK_NEAR(s[0][0], 0.5, 1e-9);
        CHECK_NEAR(s[0][1], 0, 1e-9);
        CHECK_NEAR(p[1][0], 0.6 * cos(angle), 1e-6);
        CHECK_NEAR(p[1][1], 0.6 * sin(angle), 1e-6);
        CHECK_NEAR(hypot(p[1][0] - s[0][0], p[1][1] - s[0][1]), length, 1e-6);
        CHECK_NEAR(part_length(o, sleeve), first, 1e-9);
        const double inside = hypot(p[0][0] - s[0][0], p[0][1] - s[0][1]);
        CHECK(inside < first && first < length);
    }
}

TEST(ram)
{
    opened o = run_scene(RAM);
    CHECK(count(&o, PART_SLEEVE) == 1 && count(&o, PART_PISTON) == 1 && count(&o, PART_RAIL) == 0 && count(&o, PART_BAR) == 1);
    check_ram(&o);
    close_run(&o);
}

/* A wheel of 2 kg and 0.04 kg m² is a disk of radius √(2 I / m); the same mass on a long arm is none. */
TEST(wheel)
{
    opened o = run_scene("dimension: 2\ngravity: [0, 0]\ntime: {end: 10 ms, step: 1 ms}\nmechanisms:\n  m:\n"
                         "    bodies: {wheel: {mass: 2, inertia: 0.04, centre_of_mass: [0.02, 0]}, bob: {mass: 2, inertia: 0.04, centre_of_mass: [0.5, 0]}}\n"
                         "    joints: {a: {type: revolute, parent: ground, child: wheel}, b: {type: revolute, parent: ground, at: [2, 0], child: bob}}\n");
    CHECK(count(&o, PART_WHEEL) == 1 && count(&o, PART_BAR) == 1 && between(&o, PART_BAR, 2, 0, 2.5, 0) == 1);
    for (int i = 0; i < o.parts.parts; i++)
        if (o.parts.part[i].kind == PART_WHEEL) CHECK_NEAR(o.parts.part[i].radius, 0.2, 1e-12);
    close_run(&o);
}

/* ---- every kind, in the plane and in space -------------------------------------------------------------------------- */

static const char KINDS[] = "dimension: %d\ngravity: [%s]\ntime: {end: 20 ms, step: 1 ms}\n"
                            "bodies:\n  ball: {position: [%s], shapes: [{%s: {radius: 0.1, material: m}}]}\nmaterials: {m: {density: 1000}}\n"
                            "mechanisms:\n  m:\n    bodies: {a: {mass: 1, inertia: 1}, b: {mass: 1, inertia: 1}, c: {mass: 1, inertia: 1}%s}\n"
                            "    joints:\n      r: {type: revolute, parent: ground, child: a, child_at: [%s]}\n"
                            "      p: {type: prismatic, parent: a, child: b, axis: [%s]}\n      f: {type: fixed, parent: b, at: [%s], child: c}\n%s"
                            "    springs:\n      s: {bodies: [ground, c], at: [[%s], [%s]], stiffness: 10 N/m, length: 1 m}\n"
                            "      d: {bodies: [ground, c], at: [[%s], [%s]], damping: 1 N s/m}\n"
                            "ropes:\n  taut: {bodies: [ground, ball], at: [[%s], [%s]]}\n  slack: {bodies: [ground, ball], at: [[%s], [%s]], length: 9 m}\n"
                            "  strut: {type: strut, bodies: [ground, ball], at: [[%s], [%s]]}\n";

TEST(kinds)
{
    char text[4096];
    snprintf(text, sizeof text, KINDS, 2, "0, 0", "3, 0", "disk", "", "0.5, 0", "1, 0", "0, 1", "", "2, 2", "0, 0", "2, 2", "0, 0", "3, 3", "0, 0", "3, 3",
             "0, 0", "3, -3", "0, 0");
    for (int solid = 0; solid < 2; solid++) {
        if (solid)
            snprintf(text, sizeof text, KINDS, 3, "0, 0, 0", "3, 0, 0", "sphere",
                     ", u: {mass: 1, inertia: 1}, v: {mass: 1, inertia: 1}, w: {mass: 1, inertia: 1}, x: {mass: 1, inertia: 1}", "0.5, 0, 0", "1, 0, 0",
                     "0, 0, 1",
                     "      u: {type: universal, parent: ground, at: [5, 0, 0], child: u, axis: [1, 0, 0], axis2: [0, 1, 0]}\n"
                     "      v: {type: spherical, parent: ground, at: [6, 0, 0], child: v}\n"
                     "      w: {type: cylindrical, parent: ground, at: [7, 0, 0], child: w, axis: [0, 0, 1]}\n"
                     "      x: {type: screw, parent: ground, at: [8, 0, 0], child: x, axis: [0, 0, 1], pitch: 1 mm}\n",
                     "2, 2, 0", "0, 0, 0", "2, 2, 0", "0, 0, 0", "3, 3, 0", "0, 0, 0", "3, 3, 0", "0, 0, 0", "3, -3, 0", "0, 0, 0");
        opened o = run_scene(text);
        int slack = 0;
        for (int i = 0; i < o.parts.parts; i++) slack += tl_part_is_slack(&o.parts.part[i], &o.frame);
        CHECK(count(&o, PART_SPRING) == 1 && count(&o, PART_DAMPER) == 1 && count(&o, PART_ROPE) == 2 && count(&o, PART_STRUT) == 1 && slack == 1);
        CHECK(count(&o, PART_FOOT) == (solid ? 2 : 1));                                              /* the revolute and the screw */
        CHECK(count(&o, PART_RAIL) == (solid ? 2 : 1) && count(&o, PART_SLEEVE) == (solid ? 2 : 1)); /* prismatic, and cylindrical */
        CHECK(count(&o, PART_BALL) >= (solid ? 2 : 0));
        go_to(&o, o.run.frames - 1);
        for (int i = 0; i < o.parts.parts; i++)
            if (o.parts.part[i].kind == PART_SPRING) CHECK(part_length(&o, &o.parts.part[i]) > 0);
        close_run(&o);
        talus("shot run -o kinds.png", NULL, 0);
        talus("shot run -o kinds.svg", NULL, 0);
        talus("view run", NULL, 0);
    }
}

/* ---- six legs ------------------------------------------------------------------------------------------------------- */

/* A platform on six driven rams: each is as long as its drive says. */
TEST(platform)
{
    char text[8192], *at = text, *const end = text + sizeof text;
    double length0 = 0;
    at += snprintf(at, (size_t)(end - at),
                   "dimension: 3\ngravity: [0, 0, -9.81]\ntime: {end: 0.2 s, step: 2 ms}\nmechanisms:\n  m:\n    bodies:\n"
                   "      top: {mass: 10, inertia: 1}\n");
    for (int i = 0; i < 6; i++) at += snprintf(at, (size_t)(end - at), "      b%d: {mass: 1, inertia: 0.01}\n      r%d: {mass: 1, inertia: 0.01}\n", i, i);
    at += snprintf(at, (size_t)(end - at), "    joints:\n      top: {type: free, parent: ground, child: top, position: {z: 0.8}}\n");
    for (int i = 0; i < 6; i++) {
        const double foot = 2 * M_PI / 3 * (i / 2) + (i % 2 ? 0.26 : -0.26), head = 2 * M_PI / 3 * (i / 2) + (i % 2 ? 0.84 : -0.84);
        const double x = 0.4 * cos(head) - 0.7 * cos(foot), y = 0.4 * sin(head) - 0.7 * sin(foot), q = sqrt(x * x + y * y + 0.64);
        length0 = q;
        at += snprintf(at, (size_t)(end - at),
                       "      f%d: {type: universal, parent: ground, at: [%.12f, %.12f, 0], child: b%d, axis: [1, 0, 0], axis2: [0, 1, 0], position: {angle1: "
                       "%.12f, angle2: "
                       "%.12f}}\n      p%d: {type: prismatic, parent: b%d, child: r%d, axis: [0, 0, 1], position: %.12f}\n",
                       i, 0.7 * cos(foot), 0.7 * sin(foot), i, atan2(-y / q, 0.8 / q), asin(x / q), i, i, i, q);
    }
    at += snprintf(at, (size_t)(end - at), "    loops:\n");
    for (int i = 0; i < 6; i++) {
        const double head = 2 * M_PI / 3 * (i / 2) + (i % 2 ? 0.84 : -0.84);
        at += snprintf(at, (size_t)(end - at), "      c%d: {type: point, bodies: [r%d, top], at: [[0, 0, 0], [%.12f, %.12f, 0]]}\n", i, i, 0.4 * cos(head),
                       0.4 * sin(head));
    }
    at += snprintf(at, (size_t)(end - at), "    drives:\n");
    for (int i = 0; i < 6; i++)
        at += snprintf(at, (size_t)(end - at), "      d%d: {joint: p%d, position: \"%.12f m + %d mm/s * t\"}\n", i, i, length0, 100 + 50 * (i % 3));
    snprintf(at, (size_t)(end - at), "output: {frames: {every: 20 ms}}\n");
    opened o = run_scene(text);
    CHECK(count(&o, PART_SLEEVE) == 6 && count(&o, PART_PISTON) == 6 && count(&o, PART_BALL) == 12 && count(&o, PART_BAR) == 6);
    for (int f = 0; f < o.run.frames; f++) {
        int legs = 0;
        go_to(&o, f);
        for (int i = 0; i < o.parts.parts; i++)
            for (int k = 0; o.parts.part[i].kind == PART_SLEEVE && k < o.parts.parts; k++) {
                double s[2][3], p[2][3];
                if (o.parts.part[k].kind != PART_PISTON || o.parts.part[k].body[0] != o.parts.part[i].body[0]) continue;
                tl_part_ends(&o.parts.part[i], &o.frame, s);
                tl_part_ends(&o.parts.part[k], &o.frame, p);
                CHECK_NEAR(sqrt(pow(p[1][0] - s[0][0], 2) + pow(p[1][1] - s[0][1], 2) + pow(p[1][2] - s[0][2], 2)),
                           length0 + 1e-3 * (100 + 50 * (legs++ % 3)) * o.frame.time, 1e-6);
            }
        CHECK(legs == 6);
    }
    close_run(&o);
    talus("shot run -o platform.png", NULL, 0);
}

/* ---- older files ------------------------------------------------------------------------------------------------------ */

/* Without kinds, axes and masses of links, joints are pins, and links are bars between them. */
TEST(older)
{
    char path[256];
    opened o = run_scene(CRANK);
    close_run(&o);
    snprintf(path, sizeof path, "%s/run/trajectory.h5", home);
    const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    static const char *const NEW[] = {"joints/kind", "joints/driven", "joints/axis", "joints/length", "links"};
    for (size_t i = 0; i < sizeof NEW / sizeof *NEW; i++) CHECK(H5Ldelete(file, NEW[i], H5P_DEFAULT) >= 0);
    H5Fclose(file);
    o = open_run("run");
    CHECK(count(&o, PART_BAR) == 2 && count(&o, PART_PIN) + count(&o, PART_FOOT) == 4);
    go_to(&o, 7);
    const double angle = 10 * o.frame.time;
    CHECK(between(&o, PART_BAR, 0, 0, 0.1 * cos(angle), 0.1 * sin(angle)) == 1);
    close_run(&o);
    talus("shot run -o old.png", NULL, 0);
    talus("view run", NULL, 0);
}

int main(int argc, char **argv)
{
    snprintf(home, sizeof home, "/tmp/talus-parts-XXXXXX");
    if (!mkdtemp(home)) return 1;
    RUN(slider_crank);
    RUN(ram);
    RUN(wheel);
    RUN(kinds);
    RUN(platform);
    RUN(older);
    nftw(home, remove_one, 8, FTW_DEPTH | FTW_PHYS);
    return TEST_RESULT;
}
