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

/* ---- joints between bodies -------------------------------------------------------------------------------------------- */

static void ends_of(const opened *o, const tl_part *p, double e[2][3]) { tl_part_ends(p, &o->frame, e); }

static double apart(const double a[3], const double b[3]) { return sqrt(pow(a[0] - b[0], 2) + pow(a[1] - b[1], 2) + pow(a[2] - b[2], 2)); }

static const tl_part *only(const opened *o, tl_part_kind kind, const char *body)
{
    const tl_part *found = NULL;
    for (int i = 0; i < o->parts.parts; i++) {
        const tl_part *p = &o->parts.part[i];
        bool its = false;
        for (int k = 0; k < 2; k++) its |= p->body[k] >= 0 && strcmp(o->run.body[p->body[k]].name, body) == 0;
        its |= p->owner >= 0 && strcmp(o->run.body[p->owner].name, body) == 0;
        if (p->kind != kind || !its) continue;
        if (found) TEST_FAIL("more than one part of the kind");
        found = p;
    }
    if (!found) {
        TEST_FAIL("no part of the kind");
        printf("kind %d of %s\n", (int)kind, body);
        static const tl_part NONE = {.body = {-1, -1}};
        return &NONE;
    }
    return found;
}

/* Bodies of 0.2 m: each held at its middle, in its own place along x, but for the door, which turns about its edge with 2 rad/s. */
#define BLOCK(name, x) "  " name ": {position: [" x ", 0, 0], shapes: [{box: {size: [0.2, 0.2, 0.2], material: m}}]}\n"
static const char JOINTS[] =
    "dimension: 3\ngravity: [0, 0, 0]\ntime: {end: 0.5 s, step: 1 ms}\nmaterials: {m: {density: 1000}}\nbodies:\n"
    "  door: {position: [0, 0, 0], shapes: [{box: {size: [1, 0.04, 2], material: m}}]}\n" BLOCK("slider", "2") BLOCK("both", "3") BLOCK("ball", "4")
        BLOCK("cross", "5") BLOCK("flat", "6") BLOCK("held", "7") BLOCK("rod", "8")
            BLOCK("nut", "9") "joints:\n  a: {bodies: [ground, door], at: [-0.5, 0, 0], angle: {speed: 2 rad/s, stiffness: 1 N m/rad}}\n"
                              "  b: {type: prismatic, bodies: [ground, slider], at: [2, 0, 0], axis: [1, 0, 0], slide: {position: \"0.3 m/s * t\"}}\n"
                              "  c: {type: cylindrical, bodies: [ground, both], at: [3, 0, 0], axis: [0, 1, 0], slide: {stiffness: 10 N/m, rest: 0.1 m}}\n"
                              "  d: {type: spherical, bodies: [ground, ball], at: [4, 0, 0.1]}\n"
                              "  e: {type: universal, bodies: [ground, cross], at: [5, 0, 0.1], axis: [1, 0, 0], axis2: [0, 1, 0]}\n"
                              "  f: {type: planar, bodies: [ground, flat], at: [6, 0, -0.1], slide_2: {stiffness: 10 N/m}}\n"
                              "  g: {type: fixed, bodies: [ground, held], at: [7, 0, 0.1]}\n"
                              "  h: {type: distance, bodies: [ground, rod], at: [8, 0, 1], to: [8, 0, 0.1]}\n"
                              "  i: {type: screw, bodies: [ground, nut], at: [9, 0, 0], axis: [0, 0, 1], length: 0.1 m}\n"
                              "output: {frames: {every: 50 ms}}\n";

/* The axle of the door stands out above and below it, wherever it has turned to; its motor sits on the axle, its spring below. */
static void check_door(const opened *o)
{
    double pin[2][3], motor[2][3];
    ends_of(o, only(o, PART_FOOT, "door"), pin);
    ends_of(o, only(o, PART_MOTOR, "door"), motor);
    for (int k = 0; k < 2; k++) {
        CHECK_NEAR(pin[k][0], -0.5, 1e-6);
        CHECK_NEAR(pin[k][1], 0, 1e-6);
        CHECK(fabs(pin[k][2]) > 1 && fabs(motor[k][2]) > 1 && hypot(motor[k][0] + 0.5, motor[k][1]) < 1e-6);
    }
    CHECK(pin[0][2] * pin[1][2] < 0);
    double wound[TL_SPIRAL_POINTS][3];
    const tl_part *spring = only(o, PART_SPIRAL, "door");
    tl_part_spiral(spring, &o->frame, wound);
    for (int i = 0; i < TL_SPIRAL_POINTS; i++) CHECK(hypot(wound[i][0] + 0.5, wound[i][1]) < spring->radius * 1.0001 && fabs(wound[i][2]) > 1);
}

/* b moves away from a with 0.3 m/s along its rail, which does not move and reaches beyond it in every frame. */
static void check_slider(const opened *o)
{
    double rail[2][3];
    ends_of(o, only(o, PART_RAIL, "slider"), rail);
    const double x = 2 + 0.3 * o->frame.time;
    CHECK(fmin(rail[0][0], rail[1][0]) < 2 - 0.1 && fmax(rail[0][0], rail[1][0]) > x + 0.1);
    CHECK(fabs(rail[0][1]) + fabs(rail[1][1]) + fabs(rail[0][2]) + fabs(rail[1][2]) < 1e-9);
    CHECK(count(o, PART_MOTOR) == 2);
}

static void check_other_kinds(const opened *o)
{
    double e[2][3], f[2][3];
    ends_of(o, only(o, PART_SPRING, "both"), e); /* its second end goes with the body */
    ends_of(o, only(o, PART_RAIL, "both"), f);
    int both = -1;
    for (int i = 0; i < o->run.bodies; i++)
        if (strcmp(o->run.body[i].name, "both") == 0) both = i;
    CHECK_NEAR(e[1][1], o->frame.pose[both][1], 1e-9);
    CHECK_NEAR(e[0][1], fmin(f[0][1], f[1][1]), 1e-9);
    ends_of(o, only(o, PART_BALL, "ball"), e);
    CHECK(apart(e[0], (const double[3]){4, 0, 0.1}) < 1e-6);
    CHECK(count(o, PART_PIN) == 2); /* the bars of the cross: they cross at right angles at the joint */
    const tl_part *bar[2] = {NULL, NULL};
    for (int i = 0; i < o->parts.parts; i++)
        if (o->parts.part[i].kind == PART_PIN) bar[bar[0] != NULL] = &o->parts.part[i];
    ends_of(o, bar[0], e), ends_of(o, bar[1], f);
    CHECK_NEAR((e[1][0] - e[0][0]) * (f[1][0] - f[0][0]) + (e[1][1] - e[0][1]) * (f[1][1] - f[0][1]) + (e[1][2] - e[0][2]) * (f[1][2] - f[0][2]), 0, 1e-9);
    for (int k = 0; k < 3; k++) CHECK_NEAR((e[0][k] + e[1][k]) / 2, k == 0 ? 5 : k == 2 ? 0.1 : 0, 1e-6);
    for (int k = 0; k < 3; k++) CHECK_NEAR((f[0][k] + f[1][k]) / 2, k == 0 ? 5 : k == 2 ? 0.1 : 0, 1e-6);
    ends_of(o, only(o, PART_PLATE, "flat"), e);
    CHECK(fabs(e[0][2] + e[1][2] + 0.2) < 1e-6 && only(o, PART_PLATE, "flat")->radius > 0.1);
    (void)only(o, PART_SPRING, "flat");
    ends_of(o, only(o, PART_WELD, "held"), e);
    CHECK_NEAR((e[0][2] + e[1][2]) / 2, 0.1, 1e-6);
    ends_of(o, only(o, PART_STRUT, "rod"), e);
    CHECK_NEAR(apart(e[0], e[1]), 0.9, 1e-6);
    ends_of(o, only(o, PART_THREAD, "nut"), e);
    CHECK(fmin(e[0][2], e[1][2]) < -0.1 && fmax(e[0][2], e[1][2]) > 0.1);
}

TEST(joints_between_bodies)
{
    opened o = run_scene(JOINTS);
    CHECK(o.run.joints == 9 && o.run.frames == 11);
    for (int f = 0; f < o.run.frames; f++) {
        go_to(&o, f);
        check_door(&o);
        check_slider(&o);
        check_other_kinds(&o);
    }
    close_run(&o);
    talus("shot run -o joints.png", NULL, 0);
    talus("view run", NULL, 0);
}

/* A pendulum of a disk on a hinge 1 m above it: an arm leads to its rim's inside, whatever the angle; a cross where bodies are held fast. */
TEST(joints_in_the_plane)
{
    opened o = run_scene("time: {end: 0.5 s, step: 1 ms}\ngravity: [0, -10]\nmaterials: {m: {density: 1000, thickness: 1}}\nbodies:\n"
                         "  bob: {position: [1, 0], shapes: [{disk: {radius: 0.1, material: m}}]}\n"
                         "  weight: {position: [1, -0.2], shapes: [{disk: {radius: 0.1, material: m}}]}\n"
                         "joints:\n  a: {bodies: [ground, bob], at: [0, 0]}\n  b: {type: fixed, bodies: [bob, weight], at: [1, -0.1]}\n"
                         "output: {frames: {every: 50 ms}}\n");
    CHECK(count(&o, PART_FOOT) == 1 && count(&o, PART_BAR) == 1 && count(&o, PART_WELD) == 1 && o.parts.parts == 3);
    int bob = -1;
    for (int i = 0; i < o.run.bodies; i++)
        if (strcmp(o.run.body[i].name, "bob") == 0) bob = i;
    for (int f = 0; f < o.run.frames; f++) {
        go_to(&o, f);
        double e[2][3];
        ends_of(&o, only(&o, PART_BAR, "bob"), e);
        CHECK(hypot(e[0][0], e[0][1]) < 1e-4); /* as near as the joint holds */
        CHECK(hypot(e[1][0] - o.frame.pose[bob][0], e[1][1] - o.frame.pose[bob][1]) < 1e-9);
        CHECK_NEAR(part_length(&o, only(&o, PART_BAR, "bob")), 1, 1e-12);
    }
    close_run(&o);
    talus("shot run -o plane.png", NULL, 0);
    talus("view run", NULL, 0);
}

/* A bar hangs by a pin in a slot along x and drifts with 0.5 m/s: the pin stays on the slot's line, and within the rail, in every frame. */
TEST(slot)
{
    opened o = run_scene("time: {end: 0.5 s, step: 1 ms}\ngravity: [0, -10]\nmaterials: {m: {density: 1000, thickness: 1}}\nbodies:\n"
                         "  bar: {position: [0, 0], velocity: [0.5, 0], shapes: [{box: {size: [0.5, 0.1], material: m}}]}\n"
                         "joints: {j: {type: slot, bodies: [ground, bar], at: [-0.2, 0], axis: [1, 0]}}\noutput: {frames: {every: 50 ms}}\n");
    double first = 0, last = 0;
    CHECK(o.parts.parts == 2 && count(&o, PART_RAIL) == 1 && count(&o, PART_PIN) == 1);
    for (int f = 0; f < o.run.frames; f++) {
        double pin[2][3], rail[2][3];
        go_to(&o, f);
        ends_of(&o, only(&o, PART_PIN, "bar"), pin);
        ends_of(&o, only(&o, PART_RAIL, "bar"), rail);
        CHECK(fabs(pin[0][1]) < 1e-4 && fabs(rail[0][1]) + fabs(rail[1][1]) < 1e-12);
        CHECK(pin[0][0] > fmin(rail[0][0], rail[1][0]) && pin[0][0] < fmax(rail[0][0], rail[1][0]));
        if (f == 0) first = pin[0][0];
        last = pin[0][0];
    }
    CHECK_NEAR(first, -0.2, 1e-9);
    CHECK(last > first + 0.1);
    close_run(&o);
}

/* Over two pulleys, of which one hangs on a body that moves: three spans, each from point to point, a wheel at each of the two. */
TEST(rope_over_pulleys)
{
    opened o = run_scene("time: {end: 0.5 s, step: 1 ms}\ngravity: [0, -10]\nbodies:\n  load: {mass: 8 kg, inertia: 1, position: [1, -3]}\n"
                         "  hand: {kind: imposed, position: [5, 0], motion: {x: \"0.4 m/s * t\"}}\n"
                         "ropes: {r: {bodies: [ground, load, ground, hand], at: [[0, 0], [0, 0], [2, 0], [0, 0]]}}\noutput: {frames: {every: 50 ms}}\n");
    CHECK(count(&o, PART_ROPE) == 3 && count(&o, PART_WHEEL) == 2);
    for (int f = 0; f < o.run.frames; f++) {
        go_to(&o, f);
        int load = -1;
        for (int i = 0; i < o.run.bodies; i++)
            if (strcmp(o.run.body[i].name, "load") == 0) load = i;
        const double *x = o.frame.pose[load], hand = 5 + 0.4 * o.frame.time;
        CHECK(between(&o, PART_ROPE, 0, 0, x[0], x[1]) == 1 && between(&o, PART_ROPE, x[0], x[1], 2, 0) == 1 && between(&o, PART_ROPE, 2, 0, hand, 0) == 1);
        CHECK(between(&o, PART_WHEEL, x[0], x[1], x[0], x[1]) == 1 && between(&o, PART_WHEEL, 2, 0, 2, 0) == 1);
    }
    close_run(&o);
}

/* A flap that a cylinder between two points lifts: from point to point in every frame, its barrel as long from its first one, and the eye on the flap is an end
 * of the flap's bar. In the plane and in space. */
TEST(cylinder_between_points)
{
    for (int dimension = 2; dimension <= 3; dimension++) {
        char text[2000];
        const bool flat = dimension == 2;
        snprintf(
            text, sizeof text,
            "dimension: %d\ntime: {end: 1 s, step: 5 ms}\ngravity: [0, -9.81%s]\n"
            "mechanisms:\n  m:\n    bodies: {flap: {mass: 100, inertia: %s, centre_of_mass: [1, 0%s]}}\n"
            "    joints: {hinge: {type: revolute, parent: ground, child: flap}}\n"
            "hydraulics:\n  c:\n    lines: {p: {volume: 1 l, pressure: 20 bar}}\n"
            "    cylinders: {ram: {bodies: [ground, flap], at: [[0.5, -1%s], [1, 0%s]], stroke: [0.8 m, 1.5 m], bore: 60 mm, dead_volume: 0.1 l,\n"
            "        single_acting: true, pressure: [20 bar, 0]}}\n    pumps: {pump: {from: tank, to: p, flow: 10 l/min}}\n"
            "    valves: {v: {type: check, from: p, to: ram.cap, flow: 10 l/min, drop: 1 bar}, r: {type: relief, from: p, opens: 60 bar, flow: 20 l/min, drop: "
            "5 bar}}\nprobes: {q: {joint: hinge}}\noutput: {frames: {every: 100 ms}}\n",
            dimension, flat ? "" : ", 0", flat ? "10" : "[10, 10, 10]", flat ? "" : ", 0", flat ? "" : ", 0", flat ? "" : ", 0");
        opened o = run_scene(text);
        CHECK(count(&o, PART_RAM) == 1);
        double first = 0, last = 0;
        for (int f = 0; f < o.run.frames; f++) {
            go_to(&o, f);
            const tl_part *ram = NULL;
            for (int i = 0; i < o.parts.parts; i++)
                if (o.parts.part[i].kind == PART_RAM) ram = &o.parts.part[i];
            const double *q = o.frame.pose[ram->body[1]], turned = 2 * atan2(q[6], q[3]), x = cos(turned), y = sin(turned), now = part_length(&o, ram);
            CHECK(between(&o, PART_RAM, 0.5, -1, x, y) == 1);
            CHECK_NEAR(now, hypot(x - 0.5, y + 1), 1e-9);
            CHECK_NEAR(now * tl_part_barrel(ram, &o.frame), 0.9 * 0.8, 1e-9);
            if (f == 0) first = now;
            last = now;
        }
        CHECK(last > first + 0.02);
        close_run(&o);
        talus("shot run -o ram.png", NULL, 0);
        talus("view run", NULL, 0);
    }
}

/* In a mechanism's joints: a spring along a slide and about a pin, a drive of limited force, and a path that a spring follows are to be seen. */
TEST(forces_in_joints)
{
    opened o = run_scene(
        "time: {end: 20 ms, step: 1 ms}\nmechanisms:\n  m:\n    bodies: {a: {mass: 1, inertia: 1}, b: {mass: 1, inertia: 1}, c: {mass: 1, inertia: 1}}\n"
        "    joints:\n      p: {type: prismatic, parent: ground, child: a, axis: [1, 0], position: 0.5}\n"
        "      q: {type: revolute, parent: ground, at: [0, 1], child: b}\n      r: {type: revolute, parent: ground, at: [0, 2], child: c}\n"
        "    forces:\n      k: {joint: p, stiffness: 10 N/m, free: 0.5 m}\n      t: {joint: q, stiffness: 10 N m/rad}\n"
        "      s: {joint: r, stiffness: 10 N m/rad, target: \"1 rad/s * t\"}\n");
    CHECK(count(&o, PART_SPRING) == 1 && count(&o, PART_SPIRAL) == 1 && count(&o, PART_MOTOR) == 1 && count(&o, PART_FOOT) == 1);
    close_run(&o);
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
    static const char *const NEW[] = {"joints/kind", "joints/driven", "joints/axis", "joints/length", "joints/sprung", "joints/axis2", "links"};
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
    RUN(joints_between_bodies);
    RUN(joints_in_the_plane);
    RUN(slot);
    RUN(rope_over_pulleys);
    RUN(cylinder_between_points);
    RUN(forces_in_joints);
    RUN(older);
    nftw(home, remove_one, 8, FTW_DEPTH | FTW_PHYS);
    return TEST_RESULT;
}
