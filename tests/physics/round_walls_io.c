/* Walls made of many convex parts in scenes: how near their facets are to the round surface, where a ball comes to rest in them, what they weigh. */
#include "lab.h"

static const double PI = 3.14159265358979323846, G = 9.81;

/* A wall, and a ball or disk that falls onto it. */
static lab beside(int dimension, const char *shape, const char *gravity, const char *position, double radius)
{
    char text[4096];
    snprintf(
        text, sizeof text,
        "dimension: %d\ngravity: %s\ntime: {end: 10 s, step: 1 ms}\nsolver: {tolerance: 1e-7 m/s, max_iterations: 10000}\nmaterials: {m: {density: 1000}}\n"
        "interactions: [{friction: 0.5}]\n"
        "bodies:\n  wall: {kind: fixed, shapes: [%s]}\n  ball: {position: %s, shapes: [{%s: {radius: %.17g, material: m}}]}\n"
        "probes: {x: {body: ball}, y: {body: ball, quantity: y}, push: {contact_force: ball, quantity: magnitude}%s}\n",
        dimension, gravity, shape, position, dimension == 3 ? "sphere" : "disk", radius, dimension == 3 ? ", z: {body: ball, quantity: z}" : "");
    return open_lab(text, 1);
}

static double gap(const lab *l, double x, double y, double z)
{
    const double point[3] = {x, y, z};
    return talus_body_distance(l->world, talus_body_find(l->world, "wall"), point, 1);
}

/* ---- facets ---------------------------------------------------------------------------------------------------------- */

/* Surfaces turned about z: from the circle (radius, height) to another, seen from where there is nothing. */
static const struct {
    const char *shape; /* with the tolerance to come */
    double from[2], to[2];
} ROUND[] = {
    {"{tube: {from: [0, 0, 0], to: [0, 0, 0.4], radius: 0.3, thickness: 50 mm, material: m, tolerance: %g}}", {0.3, 0}, {0.3, 0.4}},
    {"{tube: {from: [0, 0, 0], to: [0, 0, 0.4], radius: 0.2, radius_to: 0.3, thickness: 50 mm, material: m, tolerance: %g}}", {0.2, 0}, {0.3, 0.4}},
    {"{tube: {from: [0, 0, 0.4], to: [0, 0, 0], radius: 0.3, thickness: 50 mm, material: m, tolerance: %g}}", {0.35, 0}, {0.35, 0.4}},
    {"{cone: {from: [0, 0, 0], to: [0, 0, 0.5], radius: 0.4, radius_to: 0.1, material: m, tolerance: %g}}", {0.4, 0}, {0.1, 0.5}},
    {"{hopper: {outlet: 0.1, inlet: 0.8, height: 0.5, thickness: 50 mm, material: m, tolerance: %g}}", {0.05, 0}, {0.4, 0.5}},
    {"{hopper: {outlet: 0.1, inlet: 0.8, height: 0.5, bin: 0.3, thickness: 50 mm, material: m, tolerance: %g}}", {0.4, 0.5}, {0.4, 0.8}},
    {"{revolution: {profile: [[0.2, 0], [0.5, 0.4]], thickness: 50 mm, material: m, tolerance: %g}}", {0.2, 0}, {0.5, 0.4}},
    {"{revolution: {profile: [[0, 0], [0.5, 0], [0.5, 0.4], [0, 0.4]], material: m, tolerance: %g}}", {0.5, 0}, {0.5, 0.4}},
};

/* No point of the round surface is farther from the facets than the tolerance; and no more facets are made than it takes: the worst is a quarter of it. */
TEST(facets_are_as_near_as_told)
{
    static const double TOLERANCE[] = {8e-3, 1e-3, 2e-4};
    for (size_t i = 0; i < sizeof ROUND / sizeof *ROUND; i++)
        for (int k = 0; k < 3; k++) {
            char shape[512];
            const double *a = ROUND[i].from, *b = ROUND[i].to;
            double worst = 0;
            snprintf(shape, sizeof shape, ROUND[i].shape, TOLERANCE[k]);
            lab l = beside(3, shape, "[0, 0, 0]", "[5, 0, 0]", 0.1);
            for (int n = 0; n < 1200; n++) {
                const double share = 0.3 + 0.1 * (n % 5), angle = 2 * PI * n / 1200, r = a[0] + share * (b[0] - a[0]);
                worst = fmax(worst, fabs(gap(&l, r * cos(angle), r * sin(angle), a[1] + share * (b[1] - a[1]))));
            }
            if (!(worst <= TOLERANCE[k] && worst >= 0.25 * TOLERANCE[k])) TEST_FAIL("%s: the worst is %g m", shape, worst);
            close_lab(&l);
        }
}

/* The flight of an auger along z: its sheet's middle is at the height pitch × angle/2π, the angle counted from `begin`, and that from −y. */
TEST(flight_of_a_spiral)
{
    static const double TOLERANCE[] = {8e-3, 1e-3};
    const double pitch = 0.4, half = 5e-3, begin[2] = {0, 2.0};
    for (int k = 0; k < 4; k++) {
        char shape[512];
        double worst = 0, lowest = 1, tolerance = TOLERANCE[k % 2];
        snprintf(shape, sizeof shape,
                 "{spiral: {from: [0, 0, 0], to: [0, 0, 1], radius: 0.3, inner_radius: 0.1, pitch: 0.4, thickness: 10 mm, begin: %g rad, material: m, "
                 "tolerance: %g}}",
                 begin[k / 2], tolerance);
        lab l = beside(3, shape, "[0, 0, 0]", "[5, 0, 0]", 0.1);
        for (int n = 0; n < 1000; n++) {
            const double turned = 0.1 + 4 * PI * n / 1000, angle = -0.5 * PI + begin[k / 2] + turned, r = 0.12 + 0.16 * (n % 7) / 6.0;
            const double up = gap(&l, r * cos(angle), r * sin(angle), pitch * turned / (2 * PI) + half);
            const double down = gap(&l, r * cos(angle), r * sin(angle), pitch * turned / (2 * PI) - half);
            worst = fmax(worst, fmax(fabs(up), fabs(down)));
            lowest = fmin(lowest, gap(&l, r * cos(angle), r * sin(angle), pitch * turned / (2 * PI)));
        }
        if (!(worst <= tolerance && worst >= 0.1 * tolerance)) TEST_FAIL("%s: the worst is %g m", shape, worst);
        CHECK(lowest < 0);
        close_lab(&l);
    }
}

/* ---- a ball at rest ------------------------------------------------------------------------------------------------- */

/* A ball of radius r on the axis of a cone that is `narrow` at height 0 and opens with the angle α: it touches all around where R(z) cos α = r. Each wall is
 * where a user would put it: beside the origin, along an axis that leans. */
static void rests_in_a_cone(const char *shape, const char *gravity, const double at[3], const double axis[3], double narrow, double slope)
{
    const double r = 0.15, alpha = atan(slope), height = (r / cos(alpha) - narrow) / slope, allowed = (1e-3 + 2 * r / 1000) / sin(alpha);
    char start[128];
    snprintf(start, sizeof start, "[%g, %g, %g]", at[0] + (height + 5e-3) * axis[0], at[1] + (height + 5e-3) * axis[1], at[2] + (height + 5e-3) * axis[2]);
    lab l = beside(3, shape, gravity, start, r);
    lab_run(&l, 0.15);
    CHECK_NEAR(lab_probe(&l, "x"), at[0] + height * axis[0], allowed);
    CHECK_NEAR(lab_probe(&l, "y"), at[1] + height * axis[1], allowed);
    CHECK_NEAR(lab_probe(&l, "z"), at[2] + height * axis[2], allowed);
    CHECK_CLOSE(lab_probe(&l, "push"), 1000 * 4 * PI / 3 * r * r * r * G, 1e-4);
    close_lab(&l);
}

TEST(ball_in_a_funnel)
{
    static const double UP[3] = {0, 0, 1}, LEANING[3] = {1.0 / 3, 2.0 / 3, 2.0 / 3}, AT[3] = {0.3, -0.2, 0.7};
    rests_in_a_cone("{hopper: {at: [0.3, -0.2, 0.7], outlet: 0.2, inlet: 0.8, height: 0.5, thickness: 20 mm, tolerance: 1 mm, material: m}}", "[0, 0, -9.81]",
                    AT, UP, 0.1, 0.6);
    rests_in_a_cone("{tube: {from: [0.3, -0.2, 0.7], to: [0.3, -0.2, 1.2], radius: 0.1, radius_to: 0.4, thickness: 20 mm, tolerance: 1 mm, material: m}}",
                    "[0, 0, -9.81]", AT, UP, 0.1, 0.6);
    rests_in_a_cone("{revolution: {at: [0.3, -0.2, 0.7], axis: [1, 2, 2], profile: [[0.1, 0], [0.4, 0.5]], thickness: 20 mm, tolerance: 1 mm, material: m}}",
                    "[-3.27, -6.54, -6.54]", AT, LEANING, 0.1, 0.6);
    /* solid, with the same hole: the outside is a cylinder */
    rests_in_a_cone("{revolution: {at: [0.3, -0.2, 0.7], axis: [1, 2, 2], profile: [[0.1, 0], [0.45, 0], [0.45, 0.5], [0.4, 0.5]], tolerance: 1 mm, "
                    "material: m}}",
                    "[-3.27, -6.54, -6.54]", AT, LEANING, 0.1, 0.6);
}

/* Between two plane walls the same, without facets. */
TEST(disk_in_a_funnel)
{
    const double r = 0.15, alpha = atan(0.6), height = (r / cos(alpha) - 0.1) / 0.6;
    lab l = beside(2, "{hopper: {at: [0.3, -0.2], outlet: 0.2, inlet: 0.8, height: 0.5, thickness: 20 mm, material: m}}", "[0, -9.81]", "[0.3, 0.1]", r);
    lab_run(&l, 0.4);
    CHECK_NEAR(lab_probe(&l, "x"), 0.3, 2 * r / 1000);
    CHECK_NEAR(lab_probe(&l, "y"), -0.2 + height, 2 * r / 1000 / sin(alpha));
    CHECK_CLOSE(lab_probe(&l, "push"), 1000 * PI * r * r * G, 1e-4);
    close_lab(&l);
}

/* A pipe upright, the ball inside: the end that is closed holds it where it falls, and it is `from` or `to` that is. */
TEST(ends_of_a_tube)
{
    static const char *const CLOSED[] = {"none", "from", "to", "both"};
    const double r = 0.1, t = 0.3;
    for (int k = 0; k < 4; k++)
        for (int up = -1; up <= 1; up += 2) {
            char shape[256], gravity[64];
            snprintf(shape, sizeof shape, "{tube: {from: [0, 0, -0.2], to: [0, 0, 0.2], radius: 0.2, thickness: 10 mm, closed: %s, material: m}}", CLOSED[k]);
            snprintf(gravity, sizeof gravity, "[0, 0, %g]", up * G);
            lab l = beside(3, shape, gravity, "[0, 0, 0]", r);
            lab_run(&l, t);
            const bool held = k == 3 || k == (up < 0 ? 1 : 2);
            CHECK_NEAR(lab_probe(&l, "z"), up * (held ? 0.2 - r : 0.5 * G * t * t), held ? 2 * r / 1000 : 1e-9);
            CHECK_NEAR(lab_probe(&l, "push"), held ? 1000 * 4 * PI / 3 * r * r * r * G : 0, 1e-3);
            close_lab(&l);
        }
}

/* ---- materials ------------------------------------------------------------------------------------------------------- */

/* A shape's own material goes before the body's: it weighs, and rubs, as that. */
static const struct {
    int dimension;
    const char *shape;
    double volume;
} OWN[] = {
    {2, "{ring: {radius: 0.5, thickness: 0.1, material: heavy}}", 3.14159265358979323846 * 0.09},
    {2, "{outline: {points: [[0, 0], [3, 0], [3, 1], [1, 1], [1, 3], [0, 3]], material: heavy}}", 5},
    {2, "{hopper: {outlet: 0.2, inlet: 1, height: 1, bin: 0.5, thickness: 0.1, material: heavy}}", 0.3},
    {3, "{hopper: {outlet: [0.2, 0.4], inlet: [0.2, 0.4], height: 1, thickness: 0.1, material: heavy}}", 0.4 * 0.6 - 0.2 * 0.4},
    {3, "{tube: {from: [0, 0, 1], to: [0, 0, 3], radius: 0.4, thickness: 0.1, closed: from, material: heavy}}",
     3.14159265358979323846 * (0.09 * 2 + 0.25 * 0.1)},
    {3, "{cone: {from: [0, 0, 0], to: [0, 0, 3], radius: 1, material: heavy}}", 3.14159265358979323846},
    {3, "{spiral: {from: [0, 0, 0], to: [0, 0, 0.3], radius: 0.2, inner_radius: 0.05, pitch: 0.1, thickness: 5 mm, material: heavy}}",
     3 * 3.14159265358979323846 * (0.04 - 0.0025) * 0.005},
    {3, "{revolution: {profile: [[1.75, 0], [2.25, 0], [2.25, 0.5], [1.75, 0.5]], material: heavy}}", 3.14159265358979323846},
};

TEST(material_of_a_shape)
{
    for (size_t i = 0; i < sizeof OWN / sizeof *OWN; i++) {
        char text[1024];
        snprintf(text, sizeof text,
                 "dimension: %d\ntime: {end: 1 s}\nmaterials: {light: {density: 3}, heavy: {density: 7000}}\nbodies: {b: {material: light, shapes: [%s]}}\n",
                 OWN[i].dimension, OWN[i].shape);
        lab l = open_lab(text, 1);
        CHECK_CLOSE(talus_body_mass(l.world, talus_body_find(l.world, "b")), 7000 * OWN[i].volume, 1e-10);
        close_lab(&l);
    }
}

/* Thrown over a plate of ice that belongs to a body of rubber, a block slides with the ice's μ, in the plane and in space. */
TEST(friction_of_a_shape)
{
    static const char *const PLATE[] = {"outline: {points: [[-1, 0], [-1, -1], [9, -1], [9, 0]], material: ice}",
                                        "revolution: {profile: [[0, -1], [9, -1], [9, 0], [0, 0]], tolerance: 5 cm, material: ice}",
                                        "cone: {from: [0, 0, -1], to: [0, 0, 0], radius: 9, radius_to: 9, tolerance: 5 cm, material: ice}"};
    for (int k = 0; k < 3; k++) {
        char text[1024];
        snprintf(text, sizeof text,
                 "dimension: %d\ngravity: %s\ntime: {end: 1 s, step: 1 ms}\nsolver: {tolerance: 1e-9 m/s, max_iterations: 10000}\nmaterials: {rubber: "
                 "{density: 1000}, ice: {density: 900}}\n"
                 "interactions: [{between: [rubber, ice], friction: 0.1}, {friction: 0.9}]\n"
                 "bodies:\n  plate: {kind: fixed, material: rubber, shapes: [{%s}]}\n  block: {position: %s, velocity: %s, material: rubber, shapes: [{box: "
                 "{size: %s}}]}\n"
                 "probes: {vx: {body: block, quantity: vx}}\n",
                 k ? 3 : 2, k ? "[0, 0, -9.81]" : "[0, -9.81]", PLATE[k], k ? "[0, 0, 0.1]" : "[0, 0.1]", k ? "[2, 0, 0]" : "[2, 0]",
                 k ? "[0.6, 0.6, 0.2]" : "[0.6, 0.2]");
        lab l = open_lab(text, 1);
        lab_run(&l, 0.5);
        CHECK_NEAR(lab_probe(&l, "vx"), 2 - 0.1 * G * 0.5, 1e-3);
        close_lab(&l);
    }
}

int main(int argc, char **argv)
{
    RUN(facets_are_as_near_as_told);
    RUN(flight_of_a_spiral);
    RUN(ball_in_a_funnel);
    RUN(disk_in_a_funnel);
    RUN(ends_of_a_tube);
    RUN(material_of_a_shape);
    RUN(friction_of_a_shape);
    return TEST_RESULT;
}
