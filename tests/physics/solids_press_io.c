/* Round solids that press each other without friction, and ring: by nothing but contacts, which do no work there, thus their energy may fall and never grow. */
#include "closed_shapes.h"
#include "solid_text.h"

static shape body;

static void put_solid(char text[ROOM], int dimension, const char *name, double spacing, double x, double up)
{
    const double held = up > 0 ? 0.05 : -0.2;
    put(text, "  %s:\n    fill: {", name);
    if (dimension == 2) {
        put(text, "outline: [");
        for (int i = 0; i < 40; i++) put(text, "%s[%.9g, %.9g]", i ? ", " : "", 0.1 * cos(TL_PI * i / 20), 0.1 * sin(TL_PI * i / 20));
        put(text, "], spacing: %g, groups: {held: {region: [[-0.2, %g], [0.2, %g]]}}}\n    position: [%g, %g]\n", spacing, held, held + 0.15, x, up);
    } else {
        put(text, "surface: pressed-ball.stl, spacing: %g, groups: {held: {region: [[-0.2, -0.2, %g], [0.2, 0.2, %g]]}}}\n    position: [%g, 0, %g]\n", spacing,
            held, held + 0.15, x, up);
    }
    put(text, "    material: {density: 1000, young: 1e6, poisson: 0.3}\n    contact: {as: both, material: m}\n");
}

/* The upper one comes down by 8 mm within 0.1 s, then its far side stays where it is. */
static lab press(int dimension, double spacing, const char *step, double theta, double x)
{
    static char text[ROOM];
    *text = 0;
    if (dimension == 3) shape_ball(&body, 0.1, 12);
    CHECK(dimension == 2 || shape_write(&body, "pressed-ball.stl", 0));
    put(text,
        "dimension: %d\ngravity: [0, 0%s]\ntime: {step: %s, end: 9 s}\nintegrator: {theta: %g}\nmaterials: {m: {density: 1000}}\ninteractions: [{friction: "
        "0}]\n",
        dimension, dimension == 3 ? ", 0" : "", step, theta);
    put(text, "probes: {f: {contact_force: a, quantity: %s}}\nsolids:\n", dimension == 3 ? "z" : "y");
    put_solid(text, dimension, "a", spacing, 0, 0);
    put(text, "    fixed: held\n");
    put_solid(text, dimension, "b", spacing, x, 0.2001);
    put(text, "    motion: [{group: held, %s: \"-8 mm*min(t/0.1 s,1)\", x: 0 m%s}]\n", dimension == 3 ? "z" : "y", dimension == 3 ? ", y: 0 m" : "");
    return open_lab(text, 1);
}

static double energy_of(const lab *l)
{
    double kinetic, potential;
    talus_world_energy(l->world, &kinetic, &potential);
    return kinetic + potential;
}

/* Steps in which a wave crosses several elements, on a surface that turns under what presses it. */
static void never_gains(int dimension, double spacing, const char *step, double x)
{
    lab l = press(dimension, spacing, step, 0.5, x);
    lab_run(&l, 0.1);
    lab_step(&l); /* the motion ends within the mean of a step */
    const double first = energy_of(&l);
    double lowest = first;
    CHECK(first > 0.1 && lab_probe(&l, "f") < -10);
    while (talus_world_time(l.world) < 0.3) {
        lab_step(&l);
        const double now = energy_of(&l);
        if (!(now <= lowest + 1e-5 * first)) {
            TEST_FAIL("in %d dimensions, t = %g s: %g J after %g J", dimension, talus_world_time(l.world), now, lowest);
            break;
        }
        lowest = fmin(lowest, now);
    }
    close_lab(&l);
}

TEST(energy_never_grows)
{
    never_gains(2, 0.01, "5 ms", 0.013);
    never_gains(2, 0.02, "5 ms", 0.013);
    never_gains(3, 0.02, "5 ms", 0.013);
    never_gains(3, 0.02, "5 ms", 0);
}

/* What rings out lasts; what such steps let in without that is said. */
static void lasts(int dimension, double spacing)
{
    double force[2];
    for (int i = 0; i < 2; i++) {
        lab l = press(dimension, spacing, i ? "2 ms" : "5 ms", 0.8, 0.013);
        lab_run(&l, 0.5);
        force[i] = lab_probe(&l, "f");
        CHECK(strstr(talus_world_all_warnings(l.world), "crept") == NULL);
        lab_run(&l, 0.8);
        CHECK_CLOSE(lab_probe(&l, "f"), force[i], 1e-3);
        close_lab(&l);
    }
    CHECK_CLOSE(force[0], force[1], 0.01);
    lab l = press(dimension, spacing, "5 ms", 0.5, 0.013);
    lab_run(&l, 0.5);
    CHECK(strstr(talus_world_all_warnings(l.world), "crept") != NULL);
    close_lab(&l);
}

TEST(the_force_lasts)
{
    lasts(2, 0.02);
#ifndef TL_SANITIZED /* a minute there */
    lasts(3, 0.02);
#endif
}

int main(int argc, char **argv)
{
    RUN(energy_never_grows);
    RUN(the_force_lasts);
    return TEST_RESULT;
}
