/* Machines on more wheels than statics asks for: the loads of a symmetric one are symmetric, on whatever path it came to stand, and at the limit of its
 * traction it goes as all its wheels take it. In the plane on three wheels in a row, in space on four with two points each; as a mechanism, and as bodies that
 * joints hold. */
#include <math.h>

#include "lab.h"

enum { MOST_WHEELS = 4 };

/* Moments on all wheels, from BRAKED on; before, they are held. */
static const double BRAKED = 0.5, STEP = 5e-3, FRAME = 1000, WHEEL = 100, INERTIA = 12, RADIUS = 0.5, FRICTION = 0.5, G = 9.81;

typedef struct car {
    int dimension, wheels;
    double x[MOST_WHEELS], side[MOST_WHEELS]; /* of each wheel from the frame's centre */
} car;

static const car CARS[] = {{2, 3, {1, 0, -1}, {0}}, {3, 4, {1, 1, -1, -1}, {0.8, -0.8, 0.8, -0.8}}};

static double mass_of(const car *c) { return FRAME + c->wheels * WHEEL; }

/* What moments M on all wheels make of it that all have grip. */
static double acceleration(const car *c, double M) { return c->wheels * M / RADIUS / (mass_of(c) + c->wheels * INERTIA / (RADIUS * RADIUS)); }

/* It stands down from a height of its own, its brakes on. */
static lab open_car(const car *c, const char *coordinates, double M, double height)
{
    const bool space = c->dimension == 3;
    char text[6000], *end = text, *const over = text + sizeof text;
    end += snprintf(end, (size_t)(over - end),
                    "dimension: %d\ntime: {end: 10 s, step: %g s}\ngravity: [0, %s%g]\nmaterials: {steel: {density: 7800}, ground: {density: 2000}}\n"
                    "interactions: [{enabled: false}, {between: [steel, ground], friction: %g}]\n"
                    "bodies: {floor: {kind: fixed, material: ground, shapes: [{half_%s: {point: [0, 0%s], normal: [0, %s1]}}]}}\n"
                    "mechanisms:\n  car:\n    coordinates: %s\n    bodies:\n      frame: {mass: %g, inertia: %s, material: steel, shapes: [{%s}]}\n",
                    c->dimension, STEP, space ? "0, " : "", -G, FRICTION, space ? "space" : "plane", space ? ", 0" : "", space ? "0, " : "", coordinates, FRAME,
                    space ? "[200, 400, 500]" : "400", space ? "sphere: {radius: 0.1, centre: [0, 0, -0.399]}" : "disk: {radius: 0.1, centre: [0, -0.399]}");
    for (int i = 0; i < c->wheels; i++)
        end += snprintf(end, (size_t)(over - end), "      w%d: {mass: %g, inertia: %s%g%s, material: steel, shapes: [{%s, radius: %g%s}}]}\n", i, WHEEL,
                        space ? "[8, " : "", INERTIA, space ? ", 8]" : "", space ? "cylinder: {from: [0, -0.2, 0], to: [0, 0.2, 0]" : "disk: {centre: [0, 0]",
                        RADIUS, space ? ", rounding: 0.05" : "");
    end += snprintf(end, (size_t)(over - end), "    joints:\n      frame: {type: %s, parent: ground, child: frame, position: {%s: %g}}\n",
                    space ? "free" : "planar", space ? "z" : "y", RADIUS + height);
    for (int i = 0; i < c->wheels; i++)
        end += space ? snprintf(end, (size_t)(over - end), "      w%d: {type: revolute, parent: frame, at: [%g, %g, 0], child: w%d, axis: [0, 1, 0]}\n", i,
                                c->x[i], c->side[i], i)
                     : snprintf(end, (size_t)(over - end), "      w%d: {type: revolute, parent: frame, at: [%g, 0], child: w%d}\n", i, c->x[i], i);
    end += snprintf(end, (size_t)(over - end), "    drives:\n");
    for (int i = 0; i < c->wheels; i++)
        end += snprintf(end, (size_t)(over - end), "      d%d: {joint: w%d, speed: \"%s1000 rad/s*step(t - %g s)\", force: %g}\n", i, i, space ? "" : "-",
                        BRAKED, M);
    end += snprintf(end, (size_t)(over - end), "probes:\n  x: {body: frame, quantity: x}\n  f: {contact_force: frame}\n");
    for (int i = 0; i < c->wheels; i++)
        end += snprintf(end, (size_t)(over - end),
                        "  n%d: {contact_force: w%d, quantity: %s}\n  s%d: {contact_force: w%d, quantity: %s}\n  v%d: {joint: w%d, quantity: velocity}\n", i, i,
                        space ? "z" : "y", i, i, space ? "y" : "x", i, i);
    CHECK(end < over);
    return open_lab(text, 1);
}

static double of_wheel(const lab *l, const char *what, int wheel)
{
    char name[8];
    (void)snprintf(name, sizeof name, "%s%d", what, wheel);
    return lab_probe(l, name);
}

/* By symmetry: in space a quarter of the weight on each wheel, and the ground pushes none of them aside; in the plane the middle one may have any share, and
 * has one from the middle of what is possible, 0 to all. */
TEST(loads_of_what_stands)
{
    for (int k = 0; k < 4; k++) {
        const car *c = &CARS[k / 2];
        for (int drop = 0; drop < 2; drop++) {
            lab l = open_car(c, k % 2 ? "maximal" : "relative", 700, drop * 0.01);
            for (int n = 0; n < 80; n++) {
                lab_step(&l);
                CHECK(lab_probe(&l, "f") == 0); /* the frame is a millimetre above the ground, or more */
            }
            const double weight = mass_of(c) * G;
            double sum = 0;
            for (int i = 0; i < c->wheels; i++) sum += of_wheel(&l, "n", i);
            CHECK_NEAR(sum, weight, 1e-6 * weight);
            CHECK(talus_contact_count(l.world) > (c->dimension == 2 ? c->wheels : 2 * c->wheels));
            CHECK_NEAR(of_wheel(&l, "n", 0), of_wheel(&l, "n", c->wheels - 1), 1e-3 * weight);
            if (c->dimension == 2) CHECK(of_wheel(&l, "n", 1) > 0.2 * weight && of_wheel(&l, "n", 1) < 0.6 * weight);
            for (int i = 0; c->dimension == 3 && i < c->wheels; i++) {
                CHECK_NEAR(of_wheel(&l, "n", i), 0.25 * weight, 1e-3 * weight);
                CHECK_NEAR(of_wheel(&l, "s", i), 0, 1e-3 * weight);
            }
            close_lab(&l);
        }
    }
}

/* All wheels have grip as long as the least loaded one has: there the moments take off half of what turns the machine over, m a r + Σ I α, by the arm between
 * the axles. The way is that of constant acceleration from the step on in which the moments begin. */
TEST(way_at_the_limit_of_traction)
{
    for (int k = 0; k < 4; k++) {
        const car *c = &CARS[k / 2];
        const double M = c->dimension == 3 ? 700 : 760, a = acceleration(c, M), turning = mass_of(c) * a * RADIUS + c->wheels * INERTIA * a / RADIUS;
        const double front = mass_of(c) * G / c->wheels - turning / (c->dimension == 3 ? 4 : 2), traction = (M - INERTIA * a / RADIUS) / RADIUS;
        CHECK(traction > 0.8 * FRICTION * front && traction < 0.95 * FRICTION * front);
        for (int drop = 0; drop < 2; drop++) {
            lab l = open_car(c, k % 2 ? "maximal" : "relative", M, drop * 0.01);
            lab_run(&l, 2.5);
            const double t = 2.5 - BRAKED + STEP;
            CHECK_NEAR(lab_probe(&l, "x"), 0.5 * a * t * t, 1e-3);
            for (int i = 0; i < c->wheels; i++) CHECK_NEAR(fabs(of_wheel(&l, "v", i)), a * t / RADIUS, 1e-4);
            close_lab(&l);
        }
    }
}

int main(int argc, char **argv)
{
    RUN(loads_of_what_stands);
    RUN(way_at_the_limit_of_traction);
    return TEST_RESULT;
}
