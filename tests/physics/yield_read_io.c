/* How soil has yielded, as scenes, probes and the library say it (theory §7.4): against closed forms of blocks whose strain is uniform and known, for finite
 * elements and meshfree solids, in the plane and in space. */
#include <math.h>

#include "solid_text.h"
#include "talus/solid.h"

static const double YOUNG = 10e6, POISSON = 0.3, COHESION = 10e3, FRICTION_DEGREES = 22, CAP = 200e3, RATIO = 4, COMPACTION = 0.2, HARDENING = 1e-6;
static const double PI = 3.14159265358979323846;

/* What is the same up to rounding: some hundred operations on numbers of one size, and what cancels between strains and stresses over the moduli. */
static const double ROUNDING = 1e-10;

/* A block of 1 m of which every node is held in every direction, so that its displacement is u = A x whatever it resists with: A's entries that are not 0 are
 * rates [1/s], along x and up. */
typedef struct block {
    int dimension;
    bool meshfree, capped;
    double A[3][3];
} block;

static const double END = 0.1;

static void put_motion(char text[ROOM], const block *b)
{
    put(text, "    motion:\n");
    for (int axis = 0; axis < b->dimension; axis++)
        for (int high = 0; high < 2; high++)
            put(text, "      - {group: %s, %c: \"%.17g*t/(1 s)*(1 m)\"}\n", side(b->dimension, axis, high), LETTER[axis], (high - 0.5) * b->A[axis][axis]);
}

/* Sheared along x over its height: its foot and its top are led, and all nodes are of these. */
static void put_shear(char text[ROOM], const block *b)
{
    const int up = b->dimension - 1;
    put(text, "    motion: [{group: top, x: \"%.17g*t/(1 s)*(1 m)\"}]\n", b->A[0][up]);
    put(text, "    fixed: [bottom, {group: top, along: %s}]\n", b->dimension == 3 ? "[y, z]" : "y");
}

static lab open_block(const block *b)
{
    static const char *const STRESS[] = {"xx", "yy", "xy", "mean", "zz", "yz", "xz"};
    char text[ROOM] = "";
    put(text, "dimension: %d\ntime: {end: %g s, step: 2 ms}\nintegrator: {theta: 1}\nsolids:\n  s:\n    box: {size: [1, 1%s], elements: 1}\n", b->dimension,
        END, b->dimension == 3 ? ", 1" : "");
    if (b->meshfree) put(text, "    meshfree: {}\n");
    put(text, "    material: {kind: drucker-prager, density: 1000, young: %g, poisson: %g, cohesion: %g, friction: %g deg, tension: 5 kPa", YOUNG, POISSON,
        COHESION, FRICTION_DEGREES);
    if (b->capped) put(text, ", cap: %g, cap_ratio: %g, compaction: %g, hardening: %g", CAP, RATIO, COMPACTION, HARDENING);
    put(text, "}\n");
    if (b->A[0][b->dimension - 1] != 0) put_shear(text, b);
    else put_motion(text, b);
    const char *at = b->dimension == 3 ? "[0.1, 0.1, -0.3]" : "[0.1, -0.3]";
    put(text, "probes:\n  strain: {solid_yield: s, at: %s}\n  cap: {solid_yield: s, quantity: cap, at: %s}\n", at, at);
    put(text, "  again: {solid_yield: s, quantity: plastic_strain, at: %s}\n", at);
    for (int k = 0; k < (b->dimension == 3 ? 7 : 4); k++) put(text, "  %s: {solid_stress: s, quantity: %s, at: %s}\n", STRESS[k], STRESS[k], at);
    return open_lab(text, 1);
}

/* ---- tensors ------------------------------------------------------------------------------------------------------------- */

typedef struct tensor {
    double m[3][3];
} tensor;

static tensor times(const tensor *a, const tensor *b, bool b_turned)
{
    tensor c = {0};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++) c.m[i][j] += a->m[i][k] * (b_turned ? b->m[j][k] : b->m[k][j]);
    return c;
}

static double trace(const tensor *a) { return a->m[0][0] + a->m[1][1] + a->m[2][2]; }

static double size(const tensor *a)
{
    double squares = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) squares += a->m[i][j] * a->m[i][j];
    return sqrt(squares);
}

/* √J₂ */
static double deviator(const tensor *a)
{
    tensor d = *a;
    for (int i = 0; i < 3; i++) d.m[i][i] -= trace(a) / 3;
    return size(&d) / sqrt(2);
}

/* Stress by the probes. */
static tensor stress_of(const lab *l, int dimension)
{
    tensor s = {0};
    s.m[0][0] = lab_probe(l, "xx"), s.m[1][1] = lab_probe(l, "yy"), s.m[0][1] = s.m[1][0] = lab_probe(l, "xy");
    s.m[2][2] = 3 * lab_probe(l, "mean") - s.m[0][0] - s.m[1][1];
    if (dimension == 3) s.m[1][2] = s.m[2][1] = lab_probe(l, "yz"), s.m[0][2] = s.m[2][0] = lab_probe(l, "xz");
    return s;
}

/* Of the material: strain, and the stress that belongs to it. */
typedef struct measured {
    tensor strain, stress, plastic;
} measured;

/* Elements have small strains. Particles have Green's, ½ (Fᵀ F − 1), and Piola's second stress, J F⁻¹ σ F⁻ᵀ; F is diagonal, or 1 with an angle. What is not
 * elastic by Hooke's law is plastic. */
static measured measure(const lab *l, const block *b)
{
    const double t = talus_world_time(l->world);
    measured out = {.stress = stress_of(l, b->dimension)};
    tensor F = {0}, inverse = {0};
    double J = 1;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            F.m[i][j] = b->A[i][j] * t + (i == j);
            out.strain.m[i][j] = 0.5 * (b->A[i][j] + b->A[j][i]) * t;
        }
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) inverse.m[i][j] = i == j ? 1 / F.m[i][i] : -F.m[i][j];
        J *= F.m[i][i];
    }
    if (b->meshfree) {
        const tensor half = times(&inverse, &out.stress, false);
        out.stress = times(&half, &inverse, true);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) {
                double sum = 0;
                for (int k = 0; k < 3; k++) sum += F.m[k][i] * F.m[k][j];
                out.strain.m[i][j] = 0.5 * (sum - (i == j));
                out.stress.m[i][j] *= J;
            }
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            out.plastic.m[i][j] = out.strain.m[i][j] - ((1 + POISSON) * out.stress.m[i][j] - (i == j) * POISSON * trace(&out.stress)) / YOUNG;
    return out;
}

/* ---- closed forms -------------------------------------------------------------------------------------------------------- */

/* κ = κ₀ − ln(1 + (tr ε + κ/(3K))/W)/D: hydrostatic stress stands on the vertex, I = −κ, and what I/(3K) leaves of the strain is compacted. By bisection; what
 * is on the right falls with κ. */
static double vertex(double strain)
{
    const double bulk = YOUNG / (3 * (1 - 2 * POISSON));
    double low = CAP, high = -3 * bulk * strain;
    for (int i = 0; i < 200; i++) {
        const double kappa = 0.5 * (low + high), left = strain + kappa / (3 * bulk);
        if (left <= -COMPACTION || CAP - log1p(left / COMPACTION) / HARDENING > kappa) low = kappa;
        else high = kappa;
    }
    return 0.5 * (low + high);
}

/* Compressed from all sides, to far beyond the cap: nothing has yielded before, and from then on all that is read is known. */
TEST(from_all_sides)
{
    for (int meshfree = 0; meshfree < 2; meshfree++) {
        const block b = {3, meshfree, true, {{-0.5, 0, 0}, {0, -0.5, 0}, {0, 0, -0.5}}};
        const double bulk = YOUNG / (3 * (1 - 2 * POISSON));
        lab l = open_block(&b);
        int before = 0, beyond = 0;
        CHECK(lab_probe(&l, "strain") == 0 && lab_probe(&l, "cap") == CAP);
        while (talus_world_time(l.world) < END - 1e-3) {
            lab_step(&l);
            const measured m = measure(&l, &b);
            const double strain = trace(&m.strain), cap = lab_probe(&l, "cap"), size = lab_probe(&l, "strain");
            CHECK(size == lab_probe(&l, "again"));
            if (-3 * bulk * strain < CAP) {
                CHECK(size == 0 && cap == CAP);
                before++;
                continue;
            }
            CHECK_CLOSE(cap, vertex(strain), ROUNDING);
            CHECK_CLOSE(trace(&m.stress), -cap, ROUNDING);
            CHECK_CLOSE(size, fabs(strain + cap / (3 * bulk)) / sqrt(3), ROUNDING);
            beyond++;
        }
        CHECK(before > 0 && beyond > 20 && lab_probe(&l, "cap") > 3 * CAP);
        close_lab(&l);
    }
}

/* Compressed along some axes, held along the others: the stress has a deviator. On the ellipse left of its middle all plastic volume is compaction. */
TEST(from_some_sides)
{
    for (int i = 0; i < 4; i++) {
        const int dimension = 2 + i % 2;
        block b = {dimension, i >= 2, true, {{-0.5, 0, 0}}};
        b.A[dimension - 1][dimension - 1] = -0.3;
        const double sine = sin(FRICTION_DEGREES * PI / 180), cosine = cos(FRICTION_DEGREES * PI / 180), scale = 6 / (sqrt(3) * (3 - sine));
        const double k = scale * sine / 3, apex = scale * cosine * COHESION / k;
        lab l = open_block(&b);
        while (talus_world_time(l.world) < END - 1e-3) {
            lab_step(&l);
            const measured m = measure(&l, &b);
            const double cap = lab_probe(&l, "cap"), half = (apex + cap) / (RATIO + sqrt(1 + k * k * RATIO * RATIO) / k), middle = RATIO * half - cap;
            CHECK_NEAR(lab_probe(&l, "strain"), size(&m.plastic), ROUNDING * size(&m.strain));
            CHECK_CLOSE(cap, CAP - log1p(trace(&m.plastic) / COMPACTION) / HARDENING, ROUNDING);
            CHECK(trace(&m.stress) < middle || lab_probe(&l, "strain") == 0);
            const double out = hypot((trace(&m.stress) - middle) / RATIO, deviator(&m.stress)) - half;
            if (lab_probe(&l, "strain") > 0) CHECK_NEAR(out, 0, ROUNDING * cap);
            else CHECK(out <= 0 || trace(&m.stress) > middle);
        }
        CHECK(lab_probe(&l, "strain") > 0.01 && lab_probe(&l, "cap") > 1.5 * CAP);
        close_lab(&l);
    }
}

/* Sheared, without a cap: the plastic strain has an angle, the material remembers twice what stands in the tensor, and that twice. The stress stays on the
 * cone. */
TEST(sheared)
{
    for (int i = 0; i < 4; i++) {
        const int dimension = 2 + i % 2;
        block b = {dimension, i >= 2, false, {{0}}};
        b.A[0][dimension - 1] = 0.5;
        const double sine = sin(FRICTION_DEGREES * PI / 180), cosine = cos(FRICTION_DEGREES * PI / 180), scale = 6 / (sqrt(3) * (3 - sine));
        lab l = open_block(&b);
        while (talus_world_time(l.world) < END - 1e-3) {
            lab_step(&l);
            const measured m = measure(&l, &b);
            CHECK_NEAR(lab_probe(&l, "strain"), size(&m.plastic), ROUNDING * size(&m.strain));
            CHECK(lab_probe(&l, "cap") == 0);
        }
        const measured m = measure(&l, &b);
        CHECK_NEAR(deviator(&m.stress) + scale * sine / 3 * trace(&m.stress), scale * cosine * COHESION, ROUNDING * deviator(&m.stress));
        CHECK(fabs(m.plastic.m[0][dimension - 1]) > 0.005 && trace(&m.plastic) > 0);
        close_lab(&l);
    }
}

/* ---- means --------------------------------------------------------------------------------------------------------------- */

static const double *memory_of(const talus_world *w, int *rows)
{
    for (int i = 0; i < talus_state_count(w); i++) {
        talus_field f;
        talus_state_field(w, i, &f);
        if (strcmp(f.name, "s/memory") != 0) continue;
        *rows = (int)f.rows;
        return f.data;
    }
    TEST_STOP("nothing is remembered");
    return NULL;
}

/* Seven numbers of a point; κ₀ + c/D is the cap. */
static void add_point(const double *state, double *strain, double *cap)
{
    double squares = 0;
    for (int k = 0; k < 3; k++) squares += state[k] * state[k] + 2 * (state[3 + k] / 2) * (state[3 + k] / 2);
    *strain += sqrt(squares), *cap += CAP + state[6] / HARDENING;
}

/* Between plates that are led soil gives way at its free sides, and yields here more than there. What is read of an element is the mean of its four or eight
 * points, which lie one behind the other, or of its nodes. */
TEST(means)
{
    for (int i = 0; i < 4; i++) {
        const int dimension = 2 + i % 2, points = dimension == 2 ? 4 : 8;
        const bool meshfree = i >= 2;
        char text[ROOM] = "";
        put(text, "dimension: %d\ntime: {end: 1 s, step: 5 ms}\nintegrator: {theta: 1}\nsolids:\n  s:\n    box: {size: [%s], elements: %s}\n    %s\n",
            dimension, dimension == 2 ? "3, 2" : "3, 1, 2", dimension == 2 ? "[3, 2]" : "[3, 1, 2]", meshfree ? "meshfree: {}" : "strain: plain");
        put(text,
            "    material: {kind: drucker-prager, density: 1000, young: %g, poisson: %g, cohesion: %g, friction: %g deg, tension: 5 kPa, cap: %g, cap_ratio: "
            "%g, "
            "compaction: %g, hardening: %g}\n    damping: {mass: 20, stiffness: 2 ms}\n    fixed: bottom\n    motion: [{group: top, x: \"0.1 m*t/(1 s)\", %c: "
            "\"-0.3 m*t/(1 s)\"}]\n",
            YOUNG, POISSON, COHESION, FRICTION_DEGREES, CAP, RATIO, COMPACTION, HARDENING, LETTER[dimension - 1]);
        lab l = open_lab(text, 1);
        lab_run(&l, 0.2);
        const talus_solid_id s = talus_solid_find(l.world, "s");
        talus_solid_mesh mesh;
        int rows = 0;
        const double *memory = memory_of(l.world, &rows);
        CHECK(talus_solid_get_mesh(l.world, s, &mesh) && rows == 7 * (meshfree ? mesh.nodes : mesh.elements * points));
        double least = (double)INFINITY, most = 0;
        for (int e = 0; e < mesh.elements; e++) {
            double strain = 0, cap = 0, mean_strain = 0, mean_cap = 0;
            for (int k = 0; k < points; k++) add_point(memory + 7 * (meshfree ? mesh.node[mesh.begin[e] + k] : points * e + k), &mean_strain, &mean_cap);
            CHECK(talus_solid_yielded(l.world, s, e, &strain, &cap));
            CHECK_CLOSE(strain, mean_strain / points, ROUNDING);
            CHECK_CLOSE(cap, mean_cap / points, ROUNDING);
            least = fmin(least, strain), most = fmax(most, strain);
        }
        CHECK(most > 1e-3 && least < 0.9 * most);
        double strain = 1, cap = 1;
        CHECK(!talus_solid_yielded(l.world, s, mesh.elements, &strain, &cap) && strain == 0 && cap == 0);
        close_lab(&l);
    }
}

/* What is elastic has not yielded. */
TEST(elastic)
{
    lab l =
        open_lab("time: {end: 1 s, step: 5 ms}\nsolids:\n  s: {box: {size: [1, 1], elements: 2}, material: {density: 1000, young: 1e6, poisson: 0.3}, "
                 "fixed: bottom, motion: [{group: top, x: \"0.1 m*t/(1 s)\"}]}\nprobes: {e: {solid_yield: s, at: [0.1, -0.3]}, c: {solid_yield: s, quantity: "
                 "cap, at: [0.1, -0.3]}}\n",
                 1);
    double strain = 1, cap = 1;
    lab_run(&l, 0.5);
    CHECK(lab_probe(&l, "e") == 0 && lab_probe(&l, "c") == 0);
    CHECK(!talus_solid_yielded(l.world, talus_solid_find(l.world, "s"), 0, &strain, &cap) && strain == 0 && cap == 0);
    close_lab(&l);
}

/* Pressed a little, and sheared far at that height, in the plane and in space: soil that does not dilate keeps its pressure, comes to √J₂ = τ, I₁ = −3σ, and
 * bears τ = 3k σ; soil that does, by the normal, presses ever more on what keeps its height. */
TEST(without_dilation)
{
    const double sine = sin(FRICTION_DEGREES * PI / 180), k = 2 * sine / (sqrt(3) * (3 - sine)), pressed = 1e-3, sheared = 0.02, c = 1e-3;
    const double across = pressed * YOUNG * (1 - POISSON) / ((1 + POISSON) * (1 - 2 * POISSON));
    for (int dimension = 2; dimension <= 3; dimension++)
        for (int share = 0; share <= 1; share++) {
            char text[ROOM] = "";
            const char up = dimension == 3 ? 'z' : 'y';
            put(text, "dimension: %d\ntime: {end: 2 s, step: 5 ms}\nintegrator: {theta: 1}\nsolids:\n  s:\n    box: {size: [1, 1%s], elements: 1}\n", dimension,
                dimension == 3 ? ", 1" : "");
            put(text,
                "    material: {kind: drucker-prager, density: 1000, young: %g, poisson: %g, cohesion: %g, friction: %g deg, tension: %g, isochoric: %d}\n",
                YOUNG, POISSON, c, FRICTION_DEGREES, c, share);
            put(text, "    fixed: [bottom%s]\n", dimension == 3 ? ", {group: top, along: y}" : "");
            put(text, "    motion: [{group: top, x: \"%g*ramp(t, 1 s, 2 s)*(1 m)\", %c: \"-%g*ramp(t, 0 s, 1 s)*(1 m)\"}]\n", sheared, up, pressed);
            const char *at = dimension == 3 ? "[0, 0, -0.5]" : "[0, -0.5]", *plane = dimension == 3 ? "xz" : "xy";
            put(text, "probes:\n  along: {solid_stress: s, quantity: %s, at: %s}\n  down: {solid_stress: s, quantity: %c%c, at: %s}\n", plane, at, up, up, at);
            lab l = open_lab(text, 1);
            lab_run(&l, 2);
            const double along = lab_probe(&l, "along"), down = -lab_probe(&l, "down");
            if (share == 1) {
                CHECK_CLOSE(along / down, 3 * k, 1e-6); /* the way there is e^(−G γ/τ), e⁻¹⁹ */
                CHECK(down < across);                   /* what was pressed more along than across is alike all round */
            } else CHECK(down > 3 * across);
            close_lab(&l);
        }
}

int main(int argc, char **argv)
{
    RUN(from_all_sides);
    RUN(from_some_sides);
    RUN(sheared);
    RUN(means);
    RUN(elastic);
    RUN(without_dilation);
    return TEST_RESULT;
}
