/* Solids of large rotations as scenes describe them: the elastica, which small rotations do not know; a plank that topples onto a floor and carries its weight
 * there, with the same bits for any number of threads and from a state that is put back; a strip that swings, by two schemes. */
#include "solid_text.h"

#include <math.h>

/* A strip of 1 m by 1 cm, clamped at the left, with α = P L²/(E I) = 1 across its end: w/L = 0.30172, u/L = 0.05643 (Mattiasson 1981); for small rotations w/L
 * = 1/3 and no way along. The clamp takes P, and P (L − u) bends it, which the stress in its outer fibre says in the axes of the world. */
static void bend(int dimension, bool large)
{
    static const double H = 0.01, YOUNG = 12e6, P = 1; /* E I = 12e6 · 1e-6/12 = 1 N m² for a width of 1 m */
    char text[ROOM] = "";
    put(text, "dimension: %d\ntime: {end: 1 s, step: 1 ms}\nsolids:\n  s:\n    start: settled\n    rotations: %s\n", dimension, large ? "large" : "small");
    put(text, "    box: {size: [1, %s0.01], elements: [40, 1%s], at: [0.5, %s0]}\n", dimension == 3 ? "1, " : "", dimension == 3 ? ", 1" : "",
        dimension == 3 ? "0, " : "");
    put(text, "    material: {density: 1000, young: 12 MPa, poisson: 0}\n    fixed: left\n    loads: [{on: right, %c: %g Pa}]\n", LETTER[dimension - 1], P / H);
    put(text, "probes:\n  u: {displacement: s, quantity: x, on: right}\n  w: {displacement: s, quantity: %c, on: right}\n", LETTER[dimension - 1]);
    put(text, "  r: {resultant: s, quantity: %c, on: left}\n  elastic: {solid_energy: s, quantity: elastic}\n", LETTER[dimension - 1]);
    lab l = open_lab(text, 1);
    (void)lab_step(&l);
    CHECK_NEAR(lab_probe(&l, "w"), large ? 0.30172 : 1 / 3.0, 5e-4);
    CHECK_NEAR(lab_probe(&l, "u"), large ? -0.05643 : 0, 2e-4);
    CHECK_CLOSE(lab_probe(&l, "r"), -P, 1e-6);
    if (!large) CHECK_CLOSE(lab_probe(&l, "elastic"), P * P / (6 * YOUNG * pow(H, 3) / 12), 1e-3);
    close_lab(&l);
}
TEST(elastica) { bend(2, true), bend(2, false), bend(3, true), bend(3, false); }

static lab open_plank(int dimension, int threads)
{
    char text[ROOM] = "";
    const bool space = dimension == 3;
    put(text, "dimension: %d\ngravity: [0, %s-9.81]\ntime: {end: 3 s, step: 1 ms}\nmaterials: {rubber: {density: 1000}}\ninteractions: [{friction: 0.6}]\n",
        dimension, space ? "0, " : "");
    put(text, "bodies: {floor: {kind: fixed, shapes: [{%s: {point: [0, %s0], normal: [0, %s1], material: rubber}}]}}\n", space ? "half_space" : "half_plane",
        space ? "0, " : "", space ? "0, " : "");
    put(text,
        "solids:\n  s:\n    rotations: large\n    box: {size: [4 cm, %s30 cm], elements: [2, %s8], at: [0, %s30 cm]}\n    position: [0, %s8 mm]\n    %s\n",
        space ? "10 cm, " : "", space ? "2, " : "", space ? "0, " : "", space ? "0, " : "", space ? "orientation: {rpy_deg: [0, 20, 0]}" : "angle: -20 deg");
    put(text, "    material: {density: 1000, young: 500 kPa, poisson: 0.3}\n    damping: {stiffness: 2 ms}\n    contact: {material: rubber, as: nodes}\n");
    put(text, "probes:\n  push: {contact_force: s, from: floor, quantity: %c}\n  elastic: {solid_energy: s, quantity: elastic}\n", LETTER[dimension - 1]);
    return open_lab(text, threads);
}

/* How far the line from the middle of one end to that of the other has turned [rad]. */
static double turned(const lab *l, int dimension)
{
    static double u[4096][3];
    talus_solid_mesh m;
    const talus_solid_id id = talus_solid_find(l->world, "s");
    if (!talus_solid_get_mesh(l->world, id, &m) || m.nodes > 4096) exit(1);
    talus_solid_motion(l->world, id, u, NULL);
    double low[2] = {0, 0}, high[2] = {0, 0};
    const int up = dimension - 1;
    for (int i = 0; i < m.nodes; i++) {
        double *end = m.position[i][up] > 0.15 ? high : low;
        end[0] += m.position[i][0] + u[i][0], end[1] += m.position[i][up] + u[i][up];
    }
    return atan2(high[0] - low[0], high[1] - low[1]);
}

TEST(planks)
{
    for (int dimension = 2; dimension <= 3; dimension++) {
        lab l = open_plank(dimension, 1), again = open_plank(dimension, 3);
        talus_field field[64];
        while (fabs(turned(&l, dimension)) < 0.8) lab_step(&l); /* in the air */
        const int n = talus_state_count(l.world);
        for (int i = 0; i < n; i++) talus_state_field(l.world, i, &field[i]);
        CHECK_OK(talus_state_restore(again.world, field, n), talus_world_error(again.world));
        for (int i = 0; i < 400; i++) { /* and as it strikes */
            lab_step(&l), lab_step(&again);
            CHECK(talus_world_hash(l.world) == talus_world_hash(again.world));
        }
        (void)lab_run(&l, 2.5);
        const double weight = 1000 * 9.81 * 0.04 * 0.3 * (dimension == 3 ? 0.1 : 1);
        CHECK_NEAR(turned(&l, dimension), 0.5 * acos(-1.0), 1e-2);
        CHECK_CLOSE(lab_probe(&l, "push"), weight, 1e-3);
        close_lab(&l), close_lab(&again);
    }
}

/* A soft strip that swings down: by its own scheme and by another, which asks for accelerations, it does the same, and energy falls by what damps it alone. */
TEST(schemes)
{
    static const char *const SCHEME[2] = {"moreau", "generalized_alpha"};
    double at[2][2], before = 0, after[2];
    for (int k = 0; k < 2; k++) {
        char text[ROOM] = "";
        put(text, "gravity: [0, -9.81]\ntime: {end: 0.5 s, step: 0.2 ms}\nintegrator: {scheme: %s}\nsolids:\n  s:\n    rotations: large\n", SCHEME[k]);
        put(text, "    box: {size: [1, 5 cm], elements: [20, 1], at: [0.5, 0]}\n    material: {density: 1000, young: 1 MPa, poisson: 0.3}\n");
        put(text, "    damping: {stiffness: 0.1 ms}\n    fixed: left\n");
        put(text, "probes: {x: {displacement: s, quantity: x, on: right}, y: {displacement: s, quantity: y, on: right}}\n");
        lab l = open_lab(text, 1);
        double kinetic, potential;
        talus_world_energy(l.world, &kinetic, &potential);
        before = kinetic + potential;
        (void)lab_run(&l, 0.5);
        talus_world_energy(l.world, &kinetic, &potential);
        at[k][0] = lab_probe(&l, "x"), at[k][1] = lab_probe(&l, "y"), after[k] = kinetic + potential;
        close_lab(&l);
    }
    CHECK(at[0][0] < -0.5); /* far down */
    for (int a = 0; a < 2; a++) CHECK_NEAR(at[0][a], at[1][a], 1e-6);
    for (int k = 0; k < 2; k++) CHECK(after[k] < before && after[k] > before - 1); /* of 163 J that it has fallen through */
}

/* A strip that stands on its end and falls over: small rotations are wrong in it, which is said once, with by how much; large ones are not, and it is not. */
TEST(told)
{
    for (int dimension = 2; dimension <= 3; dimension++)
        for (int large = 0; large < 2; large++) {
            char text[ROOM] = "";
            const char *space = dimension == 3 ? "0, " : "";
            put(text, "dimension: %d\ngravity: [0, %s-9.81]\ntime: {end: 1 s, step: 1 ms}\nsolids:\n  s:\n    rotations: %s\n", dimension, space,
                large ? "large" : "small");
            put(text, "    box: {size: [1, %s5 cm], elements: [20, %s1], at: [0.5, %s0]}\n", dimension == 3 ? "5 cm, " : "", dimension == 3 ? "1, " : "",
                space);
            put(text, "    material: {density: 1000, young: 1 MPa, poisson: 0.3}\n    fixed: left\n");
            put(text, "probes: {y: {displacement: s, quantity: %c, on: right}}\n", LETTER[dimension - 1]);
            lab l = open_lab(text, 1);
            (void)lab_run(&l, 0.032); /* it has just begun to fall: g t²/2 = 5 mm */
            CHECK(!strstr(talus_world_all_warnings(l.world), "rotations"));
            (void)lab_run(&l, 0.3);
            const char *said = strstr(talus_world_all_warnings(l.world), "solid 's' has turned by 0.1");
            CHECK(large ? !said : said && !strstr(strstr(said, "by"), "has turned"));
            close_lab(&l);
        }
}

/* A block between a fixed and a moving face, slowly: ε = u/L along, −ν u/L across, none of them small. ‖ε‖ of a quarter is said, whichever way it is strained,
 * of a tenth not; to be pressed by its own length ends the run as the element is turned inside out, with the step that it happens in named. */
TEST(strained)
{
    static const struct {
        double by; /* of its length */
        bool said, ended;
    } CASE[] = {{0.1, false, false}, {-0.1, false, false}, {0.4, true, false}, {-0.4, true, false}, {-1.2, true, true}};
    for (int dimension = 2; dimension <= 3; dimension++)
        for (size_t c = 0; c < sizeof CASE / sizeof *CASE; c++) {
            char text[ROOM] = "";
            const bool space = dimension == 3;
            put(text, "dimension: %d\ntime: {end: 1 s, step: 1 ms}\nsolids:\n  s:\n", dimension);
            put(text, "    box: {size: [0.2, %s0.2], elements: [2, %s2]}\n", space ? "0.2, " : "", space ? "2, " : "");
            put(text, "    material: {density: 1000, young: 1 MPa, poisson: 0.3}\n    damping: {mass: 100 Hz}\n");
            put(text, "    fixed: left\n    motion: [{group: right, x: \"%g m * t/(1 s)\"}]\n", 0.2 * CASE[c].by);
            lab l = open_lab(text, 1);
            bool failed = false;
            uint64_t steps = 0, hash = 0;
            while (!failed && talus_world_time(l.world) < 1 - 5e-4) {
                steps = talus_world_steps(l.world), hash = talus_world_hash(l.world);
                failed = talus_world_step(l.world, NULL) != TALUS_OK;
            }
            CHECK(!failed || (steps == talus_world_steps(l.world) && hash == talus_world_hash(l.world))); /* the state is that before the step */
            CHECK((strstr(talus_world_all_warnings(l.world), "solid 's' is strained by 0.2") != NULL) == CASE[c].said);
            CHECK(failed == CASE[c].ended);
            if (failed) CHECK(strstr(talus_world_error(l.world), "is turned inside out") && fabs(talus_world_time(l.world) - 1 / 1.2) < 0.1);
            close_lab(&l);
        }
}

int main(int argc, char **argv)
{
    RUN(strained);
    RUN(elastica);
    RUN(planks);
    RUN(schemes);
    RUN(told);
    return TEST_RESULT;
}
