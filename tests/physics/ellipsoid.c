/* An ellipsoid that rocks on a plane without slipping, against the closed form. Half axes a, b, c along x, y, z: about its lowest point its curvature has the
 * radius a²/c, so its centre rises as a ball's would fall, and ω² = g (a²/c − c) m / (J + m c²) with J = m (a² + c²)/5. */
#include "spatial.h"

static talus_body_id egg(talus_world *w, talus_material_id m, const talus_body_def *d, double a, double b, double c)
{
    const double corner[4][3] = {{0, 0, 0}, {a, 0, 0}, {0, b, 0}, {0, 0, c}};
    const talus_body_id id = add_body(w, d);
    add_corners(w, id, m, TALUS_SHAPE_ELLIPSOID, corner, 4, 0);
    return id;
}

/* Share by which half a period is off, and by which the energy is at its end. */
static void rock(double h, double *period, double *energy)
{
    const double a = 0.15, b = 0.1, c = 0.08, tilt = 0.01;
    const double rate = sqrt(G * (a * a / c - c) / ((a * a + c * c) / 5 + c * c));
    talus_world_def def = lab(h);
    def.penetration_slop = 1e-9;
    talus_world *w = open_world(&def);
    const talus_material_id m = material(w, 1000);
    talus_body_def d = talus_body_def_default();
    double before[2], after[2], x[3], q[4], last = tilt, time = 0;
    law(w, 1, 0);
    ground(w, m, 0, 0, 1);
    turn(d.quaternion, tilt, 0, 1, 0);
    d.position[2] = sqrt(a * a * sin(tilt) * sin(tilt) + c * c * cos(tilt) * cos(tilt));
    const talus_body_id id = egg(w, m, &d, a, b, c);
    CHECK_OK(talus_world_assemble(w), talus_world_error(w));
    CHECK_CLOSE(talus_body_mass(w, id), 1000 * 4.0 / 3 * PI * a * b * c, 1e-13);
    talus_world_energy(w, &before[0], &before[1]);
    *period = 1;
    for (int i = 0; i < (int)(1.2 * PI / rate / h); i++) { /* to where it leans the other way as far: through 0 at a quarter of the period */
        run(w, 1);
        talus_body_pose(w, id, x, q);
        const double angle = 2 * atan2(q[2], q[0]);
        time += h;
        if (last > 0 && angle <= 0) *period = fabs((time - h * -angle / (last - angle)) * 2 * rate / PI - 1);
        last = angle;
    }
    talus_world_energy(w, &after[0], &after[1]);
    *energy = fabs(after[0] + after[1] - before[0] - before[1]) / (before[1] - talus_body_mass(w, id) * G * c);
    CHECK(fabs(x[1]) < 1e-9);
    talus_world_destroy(w);
}

TEST(rocking)
{
    double period, energy, finer_period, finer_energy;
    rock(1e-3, &period, &energy);
    rock(2.5e-4, &finer_period, &finer_energy);
    printf("rocking: period off by %.3g, %.3g; energy by %.3g, %.3g\n", period, finer_period, energy, finer_energy);
    CHECK(finer_period < 1e-3 && finer_energy < 0.05);
    CHECK(finer_energy < 0.5 * energy);
}

int main(int argc, char **argv)
{
    RUN(rocking);
    return TEST_RESULT;
}
