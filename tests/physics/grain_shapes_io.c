/* Coins and ellipsoids as grains: their masses and sizes are those of geometry, fills leave no overlap, coins that fall come to lie flat. */
#include "lab.h"

enum { MOST = 1000 };

static const char HEAD[] = "dimension: 3\ngravity: [0, 0, -10]\nmaterials: {m: {density: 1000}}\ninteractions: [{friction: 0.5}]\n";

static talus_shape_def shape_of(const lab *l, int body, double (*corner)[3])
{
    talus_shape_def d;
    CHECK(talus_body_shape_count(l->world, talus_body_at(l->world, body)) == 1);
    talus_body_shape(l->world, talus_body_at(l->world, body), 0, &d);
    talus_body_corners(l->world, talus_body_at(l->world, body), 0, corner, MOST);
    d.corners = (const double(*)[3])corner;
    return d;
}

static double size(const double x[3]) { return sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]); }

/* A disk of radius R and thickness t whose edges are rounded by ρ: its sections are disks, of radius R − ρ + √(ρ² − u²) at u beyond where the side ends. */
static double volume_of_coin(double R, double t, double rim)
{
    const double core = R - rim;
    return M_PI * R * R * (t - 2 * rim) + 2 * M_PI * (core * core * rim + core * M_PI * rim * rim / 2 + 2 * rim * rim * rim / 3);
}

TEST(sizes)
{
    char text[1024];
    for (int coins = 0; coins < 2; coins++) {
        snprintf(text, sizeof text,
                 "%stime: {end: 1 s, step: 1 ms}\ngrains: {g: {generator: fill, region: [[0, 0, 0], [0.5, 0.5, 0.8]], count: 200, material: m, shape: %s}}\n",
                 HEAD,
                 coins ? "coin, radius: {uniform: [2 cm, 3 cm]}, flatness: [0.1, 0.3], rounding: 0.4"
                       : "ellipsoid, radius: {uniform: [2 cm, 3 cm]}, elongation: [0.5, 0.8], flatness: [0.6, 0.9]");
        lab l = open_lab(text, 1);
        CHECK(talus_body_count(l.world) == 200);
        double least = 1, most = 0;
        for (int i = 0; i < talus_body_count(l.world); i++) {
            double corner[MOST][3];
            const talus_shape_def d = shape_of(&l, i, corner);
            const double mass = talus_body_mass(l.world, talus_body_at(l.world, i));
            if (coins) {
                const double t =
                    size((const double[3]){d.corners[1][0] - d.corners[0][0], d.corners[1][1] - d.corners[0][1], d.corners[1][2] - d.corners[0][2]});
                CHECK(d.kind == TALUS_SHAPE_CYLINDER && d.radius >= 0.02 && d.radius <= 0.03 && t >= 0.2 * d.radius && t <= 0.6 * d.radius);
                CHECK_NEAR(d.rounding, 0.4 * t, 1e-12);
                CHECK_NEAR(mass, 1000 * volume_of_coin(d.radius, t, d.rounding), 1e-6 * mass);
                least = fmin(least, t / d.radius / 2), most = fmax(most, t / d.radius / 2);
            } else {
                double axis[3];
                for (int k = 0; k < 3; k++)
                    axis[k] = size(
                        (const double[3]){d.corners[1 + k][0] - d.corners[0][0], d.corners[1 + k][1] - d.corners[0][1], d.corners[1 + k][2] - d.corners[0][2]});
                CHECK(d.kind == TALUS_SHAPE_ELLIPSOID && axis[1] >= 0.02 - 1e-12 && axis[1] <= 0.03 + 1e-12);
                CHECK(axis[1] / axis[0] > 0.5 - 1e-9 && axis[1] / axis[0] < 0.8 + 1e-9 && axis[2] / axis[1] > 0.6 - 1e-9 && axis[2] / axis[1] < 0.9 + 1e-9);
                CHECK_NEAR(mass, 1000 * 4 * M_PI / 3 * axis[0] * axis[1] * axis[2], 1e-6 * mass);
                least = fmin(least, axis[2] / axis[1]), most = fmax(most, axis[2] / axis[1]);
            }
        }
        CHECK(coins ? least < 0.12 && most > 0.28 : least < 0.63 && most > 0.87); /* the whole range is used */
        close_lab(&l);
    }
}

/* Filled to the brim of a vessel, nothing overlaps: with gravity alone, the first step finds no penetration, and no grain begins to move but by falling. */
TEST(filled_without_overlap)
{
    static const char *const SHAPE[2] = {"coin, radius: 2 cm, flatness: [0.2, 0.2]", "ellipsoid, radius: 2 cm"};
    char text[1024];
    for (int k = 0; k < 2; k++) {
        snprintf(text, sizeof text,
                 "%stime: {end: 1 s, step: 1 ms}\nbodies: {floor: {kind: fixed, shapes: [{half_space: {point: [0, 0, 0], normal: [0, 0, 1], material: m}}]}}\n"
                 "grains: {g: {generator: fill, region: [[-0.2, -0.2, 0], [0.2, 0.2, 0.3]], material: m, shape: %s}}\n",
                 HEAD, SHAPE[k]);
        lab l = open_lab(text, 1);
        talus_step_report report = {0};
        CHECK(talus_body_count(l.world) > 100);
        CHECK_OK(talus_world_step(l.world, &report), talus_world_error(l.world));
        CHECK(report.penetration == 0);
        for (int i = 1; i < talus_body_count(l.world); i++) {
            static const double ORIGIN[3] = {0, 0, 0};
            double v[3], spin[3];
            talus_body_velocity(l.world, talus_body_at(l.world, i), ORIGIN, v, spin);
            CHECK(v[2] > -0.01 - 1e-9 && v[2] < 1e-9 && fabs(v[0]) + fabs(v[1]) + size(spin) < 1e-9);
        }
        close_lab(&l);
    }
}

/* Sixteen coins fall a little, each as it happens to be turned: they end flat, half their thickness above the floor, which carries their weight. */
TEST(coins_lie_flat)
{
    char text[1024];
    snprintf(text, sizeof text,
             "%stime: {end: 3 s, step: 1 ms}\nbodies: {floor: {kind: fixed, shapes: [{half_space: {point: [0, 0, 0], normal: [0, 0, 1], material: m}}]}}\n"
             "grains: {g: {generator: lattice, rows: 4, columns: 4, layers: 1, spacing: 10 cm, origin: [0, 0, 3 cm], radius: 2 cm, material: m, shape: coin, "
             "seed: 3}}\n"
             "probes: {f: {contact_force: floor, quantity: z}}\n",
             HEAD);
    lab l = open_lab(text, 1);
    double mass = 0;
    CHECK(talus_body_count(l.world) == 17);
    lab_run(&l, 3);
    for (int i = 1; i < talus_body_count(l.world); i++) {
        double x[3], q[4];
        talus_body_pose(l.world, talus_body_at(l.world, i), x, q);
        const double upright = 1 - 2 * (q[1] * q[1] + q[2] * q[2]); /* z of the coin's axis */
        CHECK_NEAR(fabs(upright), 1, 1e-3);
        CHECK_NEAR(x[2], 0.15 * 0.02, 2e-5);
        mass += talus_body_mass(l.world, talus_body_at(l.world, i));
    }
    CHECK_NEAR(fabs(lab_probe(&l, "f")), 10 * mass, 1e-3 * 10 * mass);
    close_lab(&l);
}

TEST(refused)
{
    char text[512];
    static const char *const WRONG[] = {"coin, radius: 2 cm, flatness: [0.3, 0.2]", "ellipsoid, radius: 2 cm, elongation: [0.7, 1.2]"};
    for (int i = 0; i < 2; i++) {
        snprintf(text, sizeof text,
                 "%stime: {end: 1 s, step: 1 ms}\ngrains: {g: {generator: fill, region: [[0, 0, 0], [1, 1, 1]], count: 2, material: m, shape: %s}}\n", HEAD,
                 WRONG[i]);
        lab l = {load_lab(text), NULL};
        if (talus_scene_mistake_count(l.scene) == 0) CHECK(talus_scene_build(l.scene, 1, &l.world) != TALUS_OK);
        CHECK(talus_scene_mistake_count(l.scene) > 0 && strstr(talus_scene_mistake(l.scene, 0), "elongation and flatness"));
        close_lab(&l);
    }
}

int main(int argc, char **argv)
{
    RUN(sizes);
    RUN(filled_without_overlap);
    RUN(coins_lie_flat);
    RUN(refused);
    return TEST_RESULT;
}
