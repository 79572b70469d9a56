/* Arches of wedge stones: they stand exactly where statics lets them.
 *
 * What is expected is found by limit analysis. An arch of equal stones between two fixed springers is symmetric, and so are the conditions, which are convex:
 * where there is an equilibrium there is a symmetric one. It has two unknowns, the thrust H at the crown and its moment K about the centre of the arch. Across
 * the joint at the angle φ from the crown, with W the weight between the two,
 *     N = H cos φ + W sin φ,     T = H sin φ − W cos φ,     M about the joint's middle is linear in H and K too,
 * and the joint holds when |T| ≤ μ N and |M| ≤ N t/2 (no tension, no crushing). Each is a half-plane in (H, K): an equilibrium exists when what they have in
 * common is not empty. With many stones and ample friction the least thickness must be the 0.1075 of the mean radius of Milankovitch (1907), which proves the
 * analysis itself. That no equilibrium means falling is certain; that an equilibrium means standing holds for an arch that starts at rest and is what rests on
 * the solver. */
#include "spatial.h"

/* ---- limit analysis ----------------------------------------------------------------------------------------------- */

typedef struct arch {
    int stones;
    double half_angle;        /* from the crown to a springing [rad] */
    double radius, thickness; /* of the middle line; radially [m]    */
} arch;

/* The corners of the part between two angles, in the plane x, z: inside, outside, outside, inside. */
static void part(const arch *a, double from, double to, double x[4][2])
{
    /* sides are straight between the stone's own corners, so that half a keystone ends in the middle of a chord: only its radii shrink */
    const double step = 2 * a->half_angle / a->stones, chord = fabs(to - from) < 0.75 * step ? cos(0.5 * step) : 1;
    const double inner = a->radius - a->thickness / 2, outer = a->radius + a->thickness / 2;
    for (int i = 0; i < 4; i++) {
        const double angle = i == 0 || i == 3 ? from : to, shrink = (i == 0 || i == 3) ? chord : 1, r = shrink * (i == 0 || i == 1 ? inner : outer);
        x[i][0] = r * sin(angle), x[i][1] = r * cos(angle);
    }
}

/* Area and moment ∫ x dA of a polygon. */
static void area_of(const double (*x)[2], int n, double *area, double *moment)
{
    *area = *moment = 0;
    for (int i = 0; i < n; i++) {
        const double *p = x[i], *q = x[(i + 1) % n], cross = p[0] * q[1] - p[1] * q[0];
        *area += cross / 2;
        *moment += cross * (p[0] + q[0]) / 6;
    }
    if (*area < 0) *area = -*area, *moment = -*moment;
}

enum { CORNERS = 4096 };
typedef struct region {
    int corners;
    double x[CORNERS][2];
} region;

/* Keeps what has a·x ≤ b. */
static void cut(region *r, double a0, double a1, double b)
{
    static region old;
    old.corners = r->corners;
    memcpy(old.x, r->x, (size_t)r->corners * sizeof r->x[0]);
    r->corners = 0;
    for (int i = 0; i < old.corners; i++) {
        const double *p = old.x[i], *q = old.x[(i + 1) % old.corners], u = a0 * p[0] + a1 * p[1] - b, v = a0 * q[0] + a1 * q[1] - b;
        if (u <= 0) memcpy(r->x[r->corners++], p, sizeof r->x[0]);
        if ((u <= 0) == (v <= 0)) continue;
        for (int k = 0; k < 2; k++) r->x[r->corners][k] = p[k] + u / (u - v) * (q[k] - p[k]);
        r->corners++;
    }
}

/* Is there an equilibrium? Weights are areas. */
static bool holds(const arch *a, double mu)
{
    static region r;
    const double most = 1e3 * a->radius * a->thickness, step = 2 * a->half_angle / a->stones;
    const double all[4][2] = {{0, -most}, {most, -most}, {most, most}, {0, most}};
    memcpy(r.x, all, sizeof all);
    r.corners = 4;
    double weight = 0, moment = 0, from = 0;
    for (int j = (a->stones + 1) / 2; j <= a->stones && r.corners > 0; j++) { /* an even number has a joint at the crown */
        double x[4][2], area, first, to = -a->half_angle + step * j;
        part(a, from, to, x);
        area_of((const double(*)[2])x, 4, &area, &first);
        weight += area, moment += first, from = to;
        const double c = cos(to), s = sin(to), half = a->thickness / 2, lever = moment - weight * a->radius * s; /* M = R cos φ H − K − lever */
        for (int sign = -1; sign <= 1; sign += 2) {
            cut(&r, sign * s - mu * c, 0, (mu * s + sign * c) * weight);
            cut(&r, sign * a->radius * c - half * c, -sign, half * s * weight + sign * lever);
        }
    }
    return r.corners > 0;
}

static double least_friction(const arch *a)
{
    double low = 0, high = 5;
    CHECK(holds(a, high));
    for (int i = 0; i < 60; i++) *(holds(a, 0.5 * (low + high)) ? &high : &low) = 0.5 * (low + high);
    return high;
}

static double least_thickness(arch a, double mu)
{
    double low = 0.01 * a.radius, high = 0.5 * a.radius;
    for (int i = 0; i < 50; i++) {
        a.thickness = 0.5 * (low + high);
        *(holds(&a, mu) ? &high : &low) = a.thickness;
    }
    return high;
}

/* ---- the arch in the world ---------------------------------------------------------------------------------------- */

enum { STONES = 16 };
static const double TOLERANCE = 1e-9, WIDTH = 0.3, TIME = 0.4, STEP = 1e-3;

/* The arch stands along an azimuth that is no axis of the world. Stones −1 and a->stones are the springers. */
static talus_body_id stone(talus_world *w, talus_material_id m, const arch *a, int i)
{
    const double step = 2 * a->half_angle / a->stones, from = -a->half_angle + step * i, middle = from + step / 2, c = cos(0.7), s = sin(0.7);
    double x[4][2], corner[8][3];
    part(a, from, from + step, x);
    talus_body_def d = talus_body_def_default();
    d.kind = i < 0 || i >= a->stones ? TALUS_BODY_FIXED : TALUS_BODY_FREE;
    d.position[0] = c * a->radius * sin(middle), d.position[1] = s * a->radius * sin(middle), d.position[2] = a->radius * cos(middle);
    for (int k = 0; k < 8; k++) {
        const double along = x[k / 2][0], across = k % 2 ? WIDTH / 2 : -WIDTH / 2;
        corner[k][0] = c * along - s * across - d.position[0];
        corner[k][1] = s * along + c * across - d.position[1];
        corner[k][2] = x[k / 2][1] - d.position[2];
    }
    const talus_body_id id = add_body(w, &d);
    add_corners(w, id, m, TALUS_SHAPE_POLYHEDRON, (const double(*)[3])corner, 8, 0);
    return id;
}

typedef struct outcome {
    double moved, speed; /* largest over the stones [m], [m/s] */
    double residual;     /* largest over the steps [m/s] */
} outcome;

static outcome simulate(const arch *a, double mu)
{
    talus_world_def d = lab(STEP);
    d.solver.tolerance = TOLERANCE;
    talus_world *w = open_world(&d);
    const talus_material_id m = material(w, 2500);
    talus_body_id id[STONES + 2];
    double x0[STONES + 2][3];
    outcome o = {0};
    law(w, mu, 0);
    for (int i = -1; i <= a->stones; i++) id[i + 1] = stone(w, m, a, i);
    for (int i = 0; i < a->stones + 2; i++) place(w, id[i], x0[i]);
    for (int k = 0; k < (int)(TIME / d.step + 0.5); k++) {
        talus_step_report report = {0};
        CHECK_OK(talus_world_step(w, &report), talus_world_error(w));
        o.residual = fmax(o.residual, report.residual);
    }
    for (int i = 1; i <= a->stones; i++) {
        double x[3], v[3], omega[3];
        place(w, id[i], x);
        motion(w, id[i], v, omega);
        for (int k = 0; k < 3; k++) x[k] -= x0[i][k];
        o.moved = fmax(o.moved, size3(x));
        o.speed = fmax(o.speed, size3(v));
    }
    talus_world_destroy(w);
    return o;
}

/* What the tolerance lets happen at rest: every joint may creep at the tolerance, and where the thrust is near a rim, a joint that gives by as much turns the
 * stones beyond it with a lever of R/t. */
static double creep(const arch *a) { return (a->stones + 1) * TOLERANCE * a->radius / a->thickness; }

static void stands(const arch *a, double mu)
{
    const outcome o = simulate(a, mu);
    printf("stands: %2d stones, t/R %.4f, friction %.4f: moved by %.2g m\n", a->stones, a->thickness / a->radius, mu, o.moved);
    CHECK(o.residual < 1e-4 * G * STEP); /* in a few steps of some arches sweeps do not come to the tolerance */
    CHECK_NEAR(o.moved, 0, TIME * creep(a));
    CHECK_NEAR(o.speed, 0, creep(a));
}

/* Without an equilibrium the stones gather speed: what is lacking is 5 %, and a twentieth of g over the time would make 4 cm. A joint slides or turns by a part
 * of it. */
static void falls(const arch *a, double mu)
{
    const outcome o = simulate(a, mu);
    printf("falls:  %2d stones, t/R %.4f, friction %.4f: moved by %.2g m, %.2g m/s\n", a->stones, a->thickness / a->radius, mu, o.moved, o.speed);
    CHECK(o.moved > 0.1 * 0.05 * G * TIME * TIME / 2);
    CHECK(o.speed > 0.1 * 0.05 * G * TIME);
}

/* ---- tests -------------------------------------------------------------------------------------------------------- */

/* The analysis itself. A semicircle of many stones, without slipping: 0.1075 of the mean radius, of which the printed digits are the tolerance. Three stones
 * that are thick enough: the half keystone, of weight W/2, must not slip down across φ = 30°, H ≥ W/2 cot(φ + δ), nor the next one out across the springing,
 * H ≤ 3W/2 cot(90° − δ), with μ = tan δ: both at once where μ² + 4/(3√3) μ = 1/3. */
TEST(analysis)
{
    const arch many = {1001, PI / 2, 1, 0}, three = {3, PI / 2, 1, 0.5};
    CHECK_NEAR(least_thickness(many, 5), 0.1075, 5e-5);
    CHECK_NEAR(least_friction(&three), (sqrt(13) - 2) / (3 * sqrt(3)), 1e-12);
}

TEST(friction)
{
    const arch arches[] = {{3, PI / 2, 1, 0.5}, {11, PI / 2, 1, 0.2}, {8, PI / 2, 1, 0.25}, {9, PI / 3, 1, 0.15}, {15, 1.3, 1, 0.2}};
    for (size_t i = 0; i < sizeof arches / sizeof *arches; i++) {
        const double least = least_friction(&arches[i]);
        stands(&arches[i], 1.05 * least);
        falls(&arches[i], 0.95 * least);
    }
}

/* Ample friction: the arch that is too thin opens at joints by turns inside and outside. */
TEST(thickness)
{
    for (int k = 0; k < 2; k++) {
        arch a = {k ? 15 : 10, PI / 2, 1, 0};
        const double least = least_thickness(a, 1);
        a.thickness = 1.05 * least;
        stands(&a, 1);
        a.thickness = 0.95 * least;
        falls(&a, 1);
    }
}

int main(int argc, char **argv)
{
    RUN(analysis);
    RUN(friction);
    RUN(thickness);
    return TEST_RESULT;
}
