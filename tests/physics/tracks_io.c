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
    CHECK(talus_world_warnings(l.world)[0] == 0); /* nothing overlaps */
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

/* The scene with one text for another is refused with `what`. */
static void refuse(const char *old, const char *text, const char *what)
{
    char scene[4000], with[4400];
    write_scene(scene, sizeof scene, 3, false, "");
    char *at = strstr(scene, old);
    CHECK(at != NULL);
    if (!at) return;
    snprintf(with, sizeof with, "%.*s%s%s", (int)(at - scene), scene, text, at + strlen(old));
    talus_scene *s = load_lab(with);
    if (!strstr(talus_scene_mistake(s, 0), what)) TEST_FAIL("'%s' for '%s': %s", text, old, talus_scene_mistake(s, 0));
    talus_scene_destroy(s);
}

TEST(mistakes)
{
    refuse("count: 40", "count: 20", "do not close around the wheels");
    refuse("tension:", "tensoin:", "tension");
    refuse(", tension: {force: 4 kN, stiffness: 200 kN/m, damping: 2 kN s/m}", "", "needs a tension");
    refuse("a: {at: [0.57 m", "a: {at: [0.1 m", "wheel");
    refuse("on: frame", "on: floor", "carried by a body of a mechanism");
    refuse("on: frame", "on: fram", "carried by a body of a mechanism");
    refuse("position: {z: 0.366 m}", "orientation: 0.1", "scene's axes at the start");
    refuse("bodies:\n  floor", "bodies:\n  t_7: {kind: fixed, shapes: [{sphere: {radius: 1}}]}\n  floor", "two things named 't_7'");
    refuse("width: 0.36 m, ", "", "width");
    refuse("pitch: 0.107 m", "pitch: -1 m", "pitch");
}

/* Numbers of a track may be parameters: it is there with all its pins. */
TEST(parameters)
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
    RUN(catenary);
    RUN(rolling);
    RUN(mistakes);
    RUN(parameters);
    return TEST_RESULT;
}
