/* What scenes say of groups of grains: lattices, how full, of what mixture, as a run left them at a time; against areas, masses and closed forms. */
#include "lab.h"
#include "talus/record.h"

static const double PI = 3.14159265358979323846, G = 9.81;

static double mass_of(const lab *l, int i) { return talus_body_mass(l->world, talus_body_at(l->world, i)); }

static void place_of(const lab *l, int i, double x[3])
{
    double q[4];
    talus_body_pose(l->world, talus_body_at(l->world, i), x, q);
}

/* ---- lattices -------------------------------------------------------------------------------------------------------- */

/* Of touching disks cells of a square lattice are full by π/4, of a hexagonal one by π/√12, of balls by π/6; and each touches 4, 6, 6 others. */
TEST(patterns_of_a_lattice)
{
    static const struct {
        int dimension;
        const char *lattice, *region;
        double share;
        int neighbours;
    } CASES[] = {
        {2, "rows: 6, columns: 6, pattern: square, shape: disk", "[[1, 1], [4, 3]]", 3.14159265358979323846 / 4, 4},
        {2, "rows: 7, columns: 7, pattern: hexagonal, shape: disk", "[[1, 0.8660254037844386], [4, 4.330127018922193]]", 0.90689968211710892, 6},
        {3, "rows: 5, columns: 5, layers: 5, pattern: square, shape: sphere", "[[1, 1, 1], [3, 3, 2]]", 3.14159265358979323846 / 6, 6},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        char text[1024];
        snprintf(text, sizeof text,
                 "dimension: %d\ntime: {end: 1 s}\nmaterials: {m: {density: 1000}}\n"
                 "grains: {g: {generator: lattice, %s, spacing: 1, radius: 0.5, material: m}}\nprobes: {c: {compactness: g, region: %s}}\n",
                 CASES[i].dimension, CASES[i].lattice, CASES[i].region);
        lab l = open_lab(text, 1);
        CHECK_NEAR(lab_probe(&l, "c"), CASES[i].share, 1e-10);
        int most = 0;
        for (int a = 0; a < talus_body_count(l.world); a++) {
            double x[3], y[3];
            int near = 0;
            place_of(&l, a, x);
            for (int b = 0; b < talus_body_count(l.world); b++) {
                place_of(&l, b, y);
                const double square = (x[0] - y[0]) * (x[0] - y[0]) + (x[1] - y[1]) * (x[1] - y[1]) + (x[2] - y[2]) * (x[2] - y[2]);
                if (b != a) CHECK(square > 1 - 1e-12);
                near += b != a && square < 1 + 1e-12;
            }
            most = near > most ? near : most;
        }
        CHECK(most == CASES[i].neighbours);
        close_lab(&l);
    }
}

/* Jittered grains are where the lattice has them, by the jitter at most along each axis and by more than half of it for some; another seed puts them elsewhere,
 * the same one at the same places. */
TEST(jitter_and_seed)
{
    for (int d = 2; d <= 3; d++) {
        uint64_t hash[3];
        for (int k = 0; k < 3; k++) {
            char text[1024];
            snprintf(text, sizeof text,
                     "dimension: %d\ntime: {end: 1 s}\nmaterials: {m: {density: 1000}}\n"
                     "grains: {g: {generator: lattice, rows: 5, columns: 5, spacing: 1, jitter: 0.2 m, seed: %d, radius: 0.1, material: m}}\n",
                     d, k == 2 ? 8 : 7);
            lab l = open_lab(text, 1);
            double most[3] = {0};
            for (int i = 0; i < 25; i++) {
                double x[3];
                place_of(&l, i, x);
                const double off[3] = {fabs(x[0] - i % 5), fabs(x[1] - i / 5), fabs(x[2])};
                for (int c = 0; c < 3; c++) most[c] = fmax(most[c], off[c]);
            }
            for (int c = 0; c < d; c++) CHECK(most[c] > 0.1 && most[c] <= 0.2);
            if (d == 2) CHECK(most[2] == 0);
            hash[k] = talus_world_hash(l.world);
            close_lab(&l);
        }
        CHECK(hash[0] == hash[1] && hash[0] != hash[2]);
    }
}

/* ---- how full --------------------------------------------------------------------------------------------------------- */

TEST(filled_to_a_mass_or_a_level)
{
    static const char HEAD[] = "gravity: [0, -9.81]\ntime: {end: 1 s, step: 1 ms}\nmaterials: {m: {density: 2500}}\n";
    char text[1024];
    const double disk = 2500 * PI * 4e-4;
    snprintf(text, sizeof text, "%sgrains: {g: {generator: fill, region: [[0, 0], [1, 1]], radius: 2 cm, mass: 500 kg, material: m}}\nprobes: {m: {mass: g}}\n",
             HEAD);
    lab l = open_lab(text, 1);
    CHECK(lab_probe(&l, "m") >= 500 && lab_probe(&l, "m") < 500 + disk);
    CHECK(talus_body_count(l.world) == (int)ceil(500 / disk));
    close_lab(&l);
    snprintf(text, sizeof text, "%sgrains: {g: {generator: fill, region: [[0, 0], [1, 1]], radius: 2 cm, level: 40 cm, material: m}}\nprobes: {m: {mass: g}}\n",
             HEAD);
    l = open_lab(text, 1);
    double top = 0;
    for (int i = 0; i < talus_body_count(l.world); i++) {
        double x[3];
        place_of(&l, i, x);
        top = fmax(top, x[1] + 0.02);
    }
    CHECK(top <= 0.4 + 1e-12 && top > 0.4 - 0.02);
    /* more than one by one at random until none fits (0.547, Feder 1980), less than the densest random packing */
    CHECK(lab_probe(&l, "m") > 0.547 * 0.4 * 2500 && lab_probe(&l, "m") < 0.84 * 0.4 * 2500);
    close_lab(&l);
}

/* ---- mixtures --------------------------------------------------------------------------------------------------------- */

/* What a part says of its grains means what it means when the group says it: the same grains, to the bit, at the same places. */
static void same_as_group(int dimension, const char *looks)
{
    char text[1024];
    uint64_t hash[2];
    double mass[2];
    for (int k = 0; k < 2; k++) {
        snprintf(text, sizeof text,
                 "dimension: %d\ntime: {end: 1 s}\nmaterials: {other: {density: 1}, m: {density: 2500}}\n"
                 "grains: {g: {generator: fill, count: 60, seed: 7, region: %s, %s%s%s}}\nprobes: {m: {mass: g}}\n",
                 dimension, dimension == 2 ? "[[0, 0], [1, 1]]" : "[[0, 0, 0], [0.5, 0.5, 0.5]]",
                 k ? "radius: 3 cm, material: other, mixture: [{share: 3, " : "", looks, k ? "}]" : "");
        lab l = open_lab(text, 1);
        hash[k] = talus_world_hash(l.world);
        mass[k] = lab_probe(&l, "m");
        CHECK(talus_body_count(l.world) == 60);
        close_lab(&l);
    }
    if (hash[0] != hash[1] || mass[0] != mass[1]) TEST_FAIL("%s: %.17g and %.17g kg", looks, mass[0], mass[1]);
}

TEST(part_of_a_mixture_is_as_a_group)
{
    same_as_group(2, "shape: disk, radius: {uniform: [10 mm, 20 mm]}, material: m");
    same_as_group(2, "shape: disk, grading: {sizes: [10 mm, 20 mm, 50 mm], passing: [0, 0.3, 1]}, material: m");
    same_as_group(2, "shape: polygon, sides: 7, radius: {classes: [10 mm, 20 mm]}, material: m");
    same_as_group(2, "shape: cluster, radius: 15 mm, material: m");
    same_as_group(3, "shape: sphere, grading: {sizes: [10 mm, 20 mm, 50 mm], passing: [0, 0.3, 1]}, material: m");
    same_as_group(3, "shape: stone, corners: 12, angularity: 0.1, elongation: [0.5, 0.6], flatness: [0.8, 0.9], radius: 2 cm, material: m");
    same_as_group(3, "shape: stone, sieve: EN13450-31.5/50, material: m");
}

/* Disks, heptagons and clusters, two parts of the mass to one to one, within the heaviest of them. */
TEST(mixture_in_the_plane)
{
    lab l = open_lab("time: {end: 1 s}\nmaterials: {m: {density: 2500}, light: {density: 1000}}\n"
                     "grains: {g: {generator: fill, count: 900, region: [[0, 0], [2, 2]], material: m, mixture: [\n"
                     "  {share: 2, shape: disk, grading: {sizes: [10 mm, 20 mm, 50 mm], passing: [0, 0.3, 1]}},\n"
                     "  {share: 1, shape: polygon, sides: 7, radius: 15 mm, material: light},\n"
                     "  {share: 1, shape: cluster, radius: 20 mm}]}}\n",
                     1);
    const double heptagon = 1000 * 3.5 * 0.015 * 0.015 * sin(2 * PI / 7), cluster = 2500 * 2 * PI * 0.012 * 0.012;
    double mass[3] = {0}, fine = 0;
    for (int i = 0; i < talus_body_count(l.world); i++) {
        const talus_body_id id = talus_body_at(l.world, i);
        talus_shape_def d;
        talus_body_shape(l.world, id, 0, &d);
        const int kind = d.kind == TALUS_SHAPE_POLYGON ? 1 : talus_body_shape_count(l.world, id) == 2 ? 2 : 0;
        if (kind == 1) CHECK(d.count == 7);
        if (kind > 0) CHECK_CLOSE(mass_of(&l, i), kind == 1 ? heptagon : cluster, 1e-12);
        else CHECK_CLOSE(mass_of(&l, i), 2500 * PI * d.radius * d.radius, 1e-12);
        if (kind == 0 && d.radius < 0.01) fine += mass_of(&l, i);
        mass[kind] += mass_of(&l, i);
    }
    const double heaviest = 2500 * PI * 0.025 * 0.025;
    CHECK_NEAR(mass[1], 0.5 * mass[0], heaviest);
    CHECK_NEAR(mass[2], 0.5 * mass[0], heaviest);
    CHECK_NEAR(fine / mass[0], 0.3, 0.08); /* a sample of some 150 that weigh most */
    close_lab(&l);
}

/* Surface and volume of a convex body about a point inside. 36 π V²/S³ is 1 of a ball, and the less the more angular a stone is. */
static double roundness(const lab *l, talus_body_id id)
{
    static double corner[64][3];
    int32_t size[256], index[1024];
    int corners;
    const int n = talus_body_corners(l->world, id, 0, corner, 64), faces = talus_body_faces(l->world, id, 0, size, index, &corners);
    double surface = 0, volume = 0;
    if (n > 64 || faces > 256 || corners > 1024) abort();
    for (int f = 0, at = 0; f < faces; at += size[f++])
        for (int k = 1; k + 1 < size[f]; k++) {
            const double *a = corner[index[at]], *b = corner[index[at + k]], *c = corner[index[at + k + 1]];
            double u[3], v[3], cross[3];
            for (int i = 0; i < 3; i++) u[i] = b[i] - a[i], v[i] = c[i] - a[i];
            for (int i = 0; i < 3; i++) cross[i] = u[(i + 1) % 3] * v[(i + 2) % 3] - u[(i + 2) % 3] * v[(i + 1) % 3];
            surface += 0.5 * sqrt(cross[0] * cross[0] + cross[1] * cross[1] + cross[2] * cross[2]);
            volume += (a[0] * cross[0] + a[1] * cross[1] + a[2] * cross[2]) / 6;
        }
    return 36 * PI * volume * volume / (surface * surface * surface);
}

/* Pebbles, crushed slabs and balls, by number of corners: their axes are within the ranges, slabs are more angular, shares hold. */
TEST(mixture_in_space)
{
    lab l = open_lab("dimension: 3\ntime: {end: 1 s}\nmaterials: {m: {density: 2500}}\n"
                     "grains: {g: {generator: fill, count: 300, region: [[0, 0, 0], [1, 1, 1]], material: m, radius: {uniform: [15 mm, 20 mm]}, mixture: [\n"
                     "  {share: 50, shape: stone, corners: 40, angularity: 0, elongation: [0.8, 0.9], flatness: [0.8, 0.9]},\n"
                     "  {share: 30, shape: stone, corners: 16, angularity: 1, elongation: [0.8, 0.9], flatness: [0.8, 0.9]},\n"
                     "  {share: 10, shape: stone, corners: 20, elongation: [0.4, 0.5], flatness: [0.3, 0.6]},\n"
                     "  {share: 10, shape: sphere}]}}\n",
                     1);
    double mass[4] = {0}, round[4] = {0}, heaviest = 0;
    int count[4] = {0};
    for (int i = 0; i < talus_body_count(l.world); i++) {
        double corner[64][3], low[3] = {1, 1, 1}, high[3] = {-1, -1, -1};
        const talus_body_id id = talus_body_at(l.world, i);
        const int n = talus_body_corners(l.world, id, 0, corner, 64), kind = n == 40 ? 0 : n == 16 ? 1 : n == 20 ? 2 : 3;
        for (int k = 0; k < n * 3; k++) low[k % 3] = fmin(low[k % 3], corner[k / 3][k % 3]), high[k % 3] = fmax(high[k % 3], corner[k / 3][k % 3]);
        count[kind]++;
        mass[kind] += mass_of(&l, i);
        heaviest = fmax(heaviest, mass_of(&l, i));
        if (kind == 3) {
            CHECK(n == 1);
            continue;
        }
        const double elongation = (high[1] - low[1]) / (high[0] - low[0]), flatness = (high[2] - low[2]) / (high[1] - low[1]);
        if (kind < 2) CHECK(elongation > 0.8 - 1e-9 && elongation < 0.9 + 1e-9 && flatness > 0.8 - 1e-9 && flatness < 0.9 + 1e-9);
        else CHECK(elongation > 0.4 - 1e-9 && elongation < 0.5 + 1e-9 && flatness > 0.3 - 1e-9 && flatness < 0.6 + 1e-9);
        round[kind] += roundness(&l, id);
    }
    for (int k = 1; k < 4; k++) CHECK_NEAR(mass[k] / (k == 1 ? 30 : 10), mass[0] / 50, heaviest / 10);
    CHECK(round[0] / count[0] > round[1] / count[1] + 0.05);
    close_lab(&l);
}

/* ---- a time of another run ---------------------------------------------------------------------------------------------- */

static void record_fall(const char *directory)
{
    lab l = open_lab("gravity: [0, -9.81]\ntime: {end: 0.1, step: 1 ms}\nmaterials: {m: {density: 1000}}\noutput: {frames: {every: 10 ms}}\n"
                     "grains: {g: {generator: lattice, rows: 1, columns: 3, spacing: 1, radius: 0.1, material: m}}\n",
                     1);
    char message[512] = "";
    talus_record_def def = talus_record_def_default();
    talus_record *record;
    talus_step_report report;
    def.directory = directory;
    CHECK_OK(talus_record_open(&def, l.scene, l.world, &record, message, sizeof message), message);
    for (int i = 0; i < 100; i++) {
        CHECK_OK(talus_world_step(l.world, &report), talus_world_error(l.world));
        CHECK_OK(talus_record_step(record, l.world, &report), "record");
    }
    CHECK_OK(talus_record_close(record, l.world, "done"), "close");
    talus_record_destroy(record);
    close_lab(&l);
}

/* Disks that fall: taken over at 0.05 s, they begin ½ g t² below their start, at rest. */
TEST(settled_at_a_time)
{
    char directory[] = "/tmp/talus-groups-XXXXXX", text[1024];
    if (!mkdtemp(directory)) abort();
    record_fall(directory);
    snprintf(text, sizeof text,
             "gravity: [0, 0]\ntime: {end: 1 s, step: 1 ms}\nmaterials: {m: {density: 1000}}\n"
             "grains: {old: {generator: settled, from: %s, time: 50 ms, material: m}}\nprobes: {x: {body: old.2}, y: {body: old.2, quantity: y}}\n",
             directory);
    lab l = open_lab(text, 1);
    CHECK(talus_body_count(l.world) == 3);
    lab_run(&l, 0.1);
    CHECK_NEAR(lab_probe(&l, "x"), 1, 1e-12);
    CHECK_NEAR(lab_probe(&l, "y"), -0.5 * G * 0.05 * 0.05, 1e-12);
    close_lab(&l);
    snprintf(text, sizeof text, "rm -rf '%s'", directory);
    CHECK(system(text) == 0);
}

int main(int argc, char **argv)
{
    RUN(patterns_of_a_lattice);
    RUN(jitter_and_seed);
    RUN(filled_to_a_mass_or_a_level);
    RUN(part_of_a_mixture_is_as_a_group);
    RUN(mixture_in_the_plane);
    RUN(mixture_in_space);
    RUN(settled_at_a_time);
    return TEST_RESULT;
}
