/* Wheels with teeth, in the plane and in space: two of them in a chain without any friction turn as their teeth are counted, and what the one takes the other
 * gives; on the ground a bogie goes as its shoes are laid, against a pull at which wheels that drive by friction slip; several carriers in one entry; mistakes.
 */
#include "lab.h"

static const double PITCH = 0.107, THICKNESS = 0.03, PLAY = 0.02;
static const double PI = 3.14159265358979323846;
enum { SHOES = 40, TEETH = 18, FEWER = 12 };

/* ---- two sprockets ------------------------------------------------------------------------------------------------------------- */

/* Carrier held, no gravity, no friction anywhere: nothing but teeth can turn b. It resists with `load`. */
static void write_pair(char *text, size_t size, int dimension, double load)
{
    const bool flat = dimension == 2;
    const char *zero = flat ? "0" : "0, 0", *width = flat ? "" : "width: 0.2 m, ";
    snprintf(text, size,
             "dimension: %d\ngravity: [%s, 0]\ntime: {end: 100 s, step: 2 ms}\nsolver: {tolerance: 0.1 mm/s}\n"
             "materials: {steel: {density: 7800}, drum: {density: 7800}, tooth: {density: 7800}, pin: {density: 7800}}\n"
             "interactions:\n  - {enabled: false}\n  - {between: [steel, drum], friction: 0}\n  - {between: [tooth, pin], friction: 0}\n"
             "mechanisms:\n  m:\n    bodies: {frame: {mass: 800 kg, inertia: 60}}\n    joints: {frame: {type: fixed, parent: ground, child: frame}}\n"
             "    drives: {a: {joint: t_a, speed: \"%s1 rad/s*ramp(t, 0, 0.5 s)\"}}\n"
             "    forces: {b: {joint: t_b, law: \"-%g N m*clamp(v/(0.02 rad/s), -1, 1)\"}}\n"
             "tracks:\n  t:\n    on: frame\n    wheels:\n"
             "      a: {at: [0.57 m, %s], teeth: {count: %d, material: tooth}, %smass: 60 kg, material: drum, tension: {force: 4 kN, stiffness: 400 kN/m, "
             "damping: 4 kN s/m}}\n"
             "      b: {at: [-0.57 m, %s], teeth: {count: %d, height: 14 mm, play: 2 mm, %smaterial: tooth}, %smass: 60 kg, material: drum}\n"
             "    shoes: {count: %d, pitch: %g m, thickness: %g m, %smass: 4 kg, pins: {radius: 10 mm, material: pin}, material: steel}\n",
             dimension, flat ? "0" : "0, 0", flat ? "-" : "", load, zero, TEETH, width, zero, FEWER, flat ? "" : "width: 90 mm, ", width, SHOES, PITCH,
             THICKNESS, flat ? "" : "width: 0.36 m, horns: 80 mm, ");
}

/* In pitches of chain, a has taken up more than b gave by at most the play of both, on both sides of a pin, and by what the sides of a polygon are longer than
 * its inner circle: one tooth is a pitch. Energy: what a takes is what b gives, less impacts of pins, ½ m (ω p)² each at most. */
static void check_pair(int dimension)
{
    const double load = 300;
    char text[4000];
    write_pair(text, sizeof text, dimension, load);
    lab l = open_lab(text, 1);
    CHECK(talus_world_warnings(l.world)[0] == 0); /* no tooth overlaps a pin */
    const talus_joint_id a = talus_joint_find(l.world, "t_a"), b = talus_joint_find(l.world, "t_b");
    double taken = 0, given = 0, worst = 0, before[2] = {0, 0};
    bool settled = false;
    while (talus_world_time(l.world) < 4.5) {
        (void)lab_step(&l);
        const double turn[2] = {talus_joint_position(l.world, a, 0), talus_joint_position(l.world, b, 0)};
        worst = fmax(worst, fabs(TEETH * turn[0] - FEWER * turn[1]) / (2 * PI));
        if (settled) taken += talus_joint_force(l.world, a, 0) * (turn[0] - before[0]), given += load * fabs(turn[1] - before[1]);
        settled = talus_world_time(l.world) > 1; /* all turns steadily */
        before[0] = turn[0], before[1] = turn[1];
    }
    printf("%d: a %.4g, b %.4g rad, apart by %.3g pitches at most; %.5g J taken, %.5g J given\n", dimension, before[0], before[1], worst, taken, given);
    CHECK_NEAR(fabs(before[0]), 4.25, 1e-3);
    CHECK(worst < 4 * PLAY + 1 / cos(PI / FEWER) - 1 + 0.02);
    CHECK(taken > 0.995 * given && taken < 1.03 * given);
    close_lab(&l);
}

TEST(two_sprockets)
{
    check_pair(2);
    check_pair(3);
}

/* ---- on the ground --------------------------------------------------------------------------------------------------------------- */

/* A bogie for each of the carriers, 4 m apart, held back by `pull`; wheel a drives, by teeth or by a friction of 0.1 alone. Two of them are to go alike to
 * 5 mm/s: what the solver leaves must be far less. */
static void write_bogies(char *text, size_t size, int dimension, bool toothed, double pull, const char *const *name, int bogies)
{
    const bool flat = dimension == 2;
    const char *zero = flat ? "0" : "0, 0", *width = flat ? "" : "width: 0.2 m, ", *up = flat ? "y" : "z";
    const char *drum = toothed ? "teeth: {count: 18, material: tooth}" : "radius: 0.2884 m";
    char bodies[400] = "", joints[600] = "", drives[600] = "", loads[400] = "";
    for (int i = 0; i < bogies; i++) {
        const char *of = bogies > 1 ? name[i] : "";
        size_t n = strlen(bodies);
        snprintf(bodies + n, sizeof bodies - n, "      %s: {mass: 800 kg, inertia: 60}\n", name[i]);
        n = strlen(joints);
        snprintf(joints + n, sizeof joints - n, "      %s: {type: %s, parent: ground, child: %s, position: {x: %d m, %s: 0.3544 m}}\n", name[i],
                 flat ? "planar" : "free", name[i], 4 * i, up);
        n = strlen(drives);
        snprintf(drives + n, sizeof drives - n, "      %s: {joint: t_%s%sa, speed: \"%s2 rad/s*ramp(t, 0.2 s, 0.6 s)\"}\n", name[i], of, bogies > 1 ? "_" : "",
                 flat ? "-" : "");
        n = strlen(loads);
        snprintf(loads + n, sizeof loads - n, "  %s: {body: %s, x: \"-%g N*ramp(t, 0, 0.2 s)\"}\n", name[i], name[i], pull);
    }
    snprintf(text, size,
             "dimension: %d\nparameters: {half: 0.57 m}\ngravity: [%s, -9.81 m/s^2]\ntime: {end: 100 s, step: 5 ms}\nsolver: {tolerance: %g mm/s}\n"
             "materials: {steel: {density: 7800}, drum: {density: 7800}, tooth: {density: 7800}, pin: {density: 7800}, ground: {density: 2000}}\n"
             "interactions:\n  - {enabled: false}\n  - {between: [steel, drum], friction: 0.1}\n  - {between: [tooth, pin], friction: 0.1}\n"
             "  - {between: [steel, ground], friction: 0.9}\n"
             "bodies:\n  floor: {kind: fixed, material: ground, shapes: [%s]}\n"
             "mechanisms:\n  m:\n    bodies:\n%s    joints:\n%s    drives:\n%sloads:\n%s"
             "tracks:\n  t:\n    on: [%s%s%s]\n    wheels:\n"
             "      a: {at: [half, %s], %s, %smass: 60 kg, material: drum, tension: {force: 4 kN, stiffness: 200 kN/m, damping: 2 kN s/m}}\n"
             "      b: {at: [-half, %s], radius: 0.2884 m, %smass: 60 kg, material: drum}\n"
             "    shoes: {count: %d, pitch: %g m, thickness: %g m, %smass: 8 kg, grouser: 30 mm, pins: {radius: 10 mm, material: pin}, material: steel}\n",
             dimension, flat ? "0" : "0, 0", bogies > 1 ? 0.2 : 1.0,
             flat ? "{half_plane: {point: [0, 0], normal: [0, 1]}}" : "{half_space: {point: [0, 0, 0], normal: [0, 0, 1]}}", bodies, joints, drives, loads,
             name[0], bogies > 1 ? ", " : "", bogies > 1 ? name[1] : "", zero, drum, width, zero, width, SHOES, PITCH, THICKNESS,
             flat ? "" : "width: 0.36 m, horns: 80 mm, ");
    if (bogies == 1) { /* one carrier by its name alone */
        char *list = strstr(text, "on: [");
        list[4] = ' ', *strchr(list, ']') = ' ';
    }
}

/* By how much of the chain that the wheel's teeth would have moved the carrier has gone, from 0.2 to 1.4 s. */
static double gone(const lab *l, const char *carrier, const char *wheel, double start)
{
    const double turned = fabs(talus_joint_position(l->world, talus_joint_find(l->world, wheel), 0));
    CHECK_NEAR(turned, 2 * (0.2 + 0.8), 0.02);
    return (talus_joint_position(l->world, talus_joint_find(l->world, carrier), 0) - start) / (turned * TEETH * PITCH / (2 * PI));
}

static double pulls(int dimension, bool toothed, double pull)
{
    static const char *const NAME[] = {"frame"};
    char text[5000];
    write_bogies(text, sizeof text, dimension, toothed, pull, NAME, 1);
    lab l = open_lab(text, 1);
    lab_run(&l, 1.4);
    const double share = gone(&l, "frame", "t_a", 0);
    close_lab(&l);
    return share;
}

/* 4.5 kN: wheels and the chain about them take 0.1 (1.24 t g) and 2 kN (e^{0.1 π} − 1), 2 kN together. The ground takes 0.9 · 1.24 t g = 11 kN. */
TEST(pull)
{
    for (int dimension = 2; dimension < 4; dimension++) {
        const double teeth = pulls(dimension, true, 4500), friction = pulls(dimension, false, 4500);
        printf("%d: %.4g of the chain's way by teeth, %.4g by friction\n", dimension, teeth, friction);
        CHECK_NEAR(teeth, 1, 0.08);
        CHECK(friction < 0.5);
    }
}

TEST(several)
{
    static const char *const NAME[] = {"left", "right"};
    for (int dimension = 2; dimension < 4; dimension++) {
        char text[5000];
        write_bogies(text, sizeof text, dimension, true, 0, NAME, 2);
        lab l = open_lab(text, 1);
        lab_run(&l, 1.4);
        const double left = gone(&l, "left", "t_left_a", 0), right = gone(&l, "right", "t_right_a", 4);
        printf("%d: %.4g and %.4g\n", dimension, left, right);
        CHECK_NEAR(left, 1, 0.08);
        CHECK_NEAR(right, left, 0.02); /* of 1.2 m: a fifth of a pitch, as pins may lie between their teeth */
        close_lab(&l);
    }
}

/* ---- mistakes -------------------------------------------------------------------------------------------------------------------- */

static void refuse(const char *old, const char *text, const char *what)
{
    char scene[4000], with[4400];
    write_pair(scene, sizeof scene, 3, 300);
    char *at = strstr(scene, old);
    CHECK(at != NULL);
    if (!at) return;
    snprintf(with, sizeof with, "%.*s%s%s", (int)(at - scene), scene, text, at + strlen(old));
    talus_scene *s = load_lab(with);
    bool said = false; /* besides that parts are named otherwise on a list */
    for (int i = 0; i < talus_scene_mistake_count(s); i++) said = said || strstr(talus_scene_mistake(s, i), what);
    if (!said) TEST_FAIL("'%s' for '%s': %s", text, old, talus_scene_mistake(s, 0));
    talus_scene_destroy(s);
}

TEST(mistakes)
{
    refuse("teeth: {count: 18", "radius: 0.3 m, teeth: {count: 18", "leave 'radius' out");
    refuse("pins: {radius: 10 mm, material: pin}, ", "", "teeth need pins");
    refuse("pins: {radius: 10 mm", "pins: {radius: 20 mm", "at most half the thickness");
    refuse("teeth: {count: 18, material: tooth}, ", "", "'radius' is missing here");
    refuse("teeth: {count: 18", "teeth: {height: 90 mm, count: 18", "no room between the pins");
    refuse("teeth: {count: 18", "teeth: {play: 50 mm, count: 18", "no room between the pins");
    refuse("count: 18", "count: 4", "'count' is 4; it must be between 5 and 200");
    refuse("count: 18", "count: 201", "'count' is 201; it must be between 5 and 200");
    refuse("width: 0.2 m, mass: 60 kg, material: drum, tension", "mass: 60 kg, material: drum, tension",
           "'width' is missing here: in space wheels and shoes have one");
    refuse("teeth: {count: 18", "teeth: {widht: 10 mm, count: 18", "unknown key 'widht'");
    refuse("on: frame", "on: [frame, fram]", "a track is carried by a body of a mechanism; 'fram' is none");
    refuse("on: frame", "on: [frame, frame]", "two things named 't_frame_a'");
    refuse("on: frame", "on: []", "here is none");
}

int main(int argc, char **argv)
{
    RUN(two_sprockets);
    RUN(pull);
    RUN(several);
    RUN(mistakes);
    return TEST_RESULT;
}
