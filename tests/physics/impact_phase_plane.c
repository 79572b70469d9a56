/* Where in its step an impact falls is chance: over many steps h it falls anywhere. What friction does then may not depend on it, but for what the scheme
 * allows: a jump of the velocity acts at the middle of its step, between a step before the bodies touch and that instant. */
#include "physics/planar.h"

enum { PER_DECADE = 60 };

static const double RADIUS = 0.05, LENGTH = 1, RESTITUTION[3] = {0, 0.5, 1}, FRICTION[3] = {0, 0.3, 1};

/* Steps from 1e-3 s down, at no simple ratio to one another. */
static double nth_step(int n) { return 1.00137e-3 * pow(10, -(double)n / PER_DECADE); }

/* A disk strikes a floor obliquely, without gravity. It sticks or slides by Coulomb's law for the whole impulse, however many steps that takes. */
static void strike(double h, double friction, double e, double spin)
{
    const double u = 1, v = 2, away = 0.0613, end = 0.06, k = 0.5;
    talus_world_def d = lab(h);
    d.gravity[1] = 0;
    talus_world *w = open_world(&d);
    const talus_material_id m = material(w, "stone", 1000);
    law(w, friction, e);
    (void)wall(w, m, 0, 0, 0, 1);
    const talus_body_id b = moving(w, 0, RADIUS + away, u, -v, spin);
    add_disk(w, b, m, 0, 0, RADIUS);
    CHECK_OK(talus_world_assemble(w), talus_world_error(w));
    run(w, (int)ceil(end / h));
    const double most = friction * (1 + e) * v, stick = (u + spin * RADIUS) * k / (1 + k), jump = -fmax(-most, fmin(most, stick));
    const double after = talus_world_time(w) - away / v, before = away / v;
    CHECK_NEAR(speed(w, b, 0), u + jump, 1e-9);
    CHECK_NEAR(speed(w, b, 1), e * v, 1e-9);
    CHECK_NEAR(speed(w, b, 2), spin + jump / (k * RADIUS), 1e-7);
    CHECK_NEAR(at(w, b, 0), u * before + (u + jump) * after, h * fabs(jump) + 1e-9);
    CHECK_NEAR(at(w, b, 1), RADIUS + e * v * after, (e > 0 ? h * (1 + e) * v : 0) + 1e-9);
    CHECK_NEAR(at(w, b, 2), spin * before + (spin + jump / (k * RADIUS)) * after, h * fabs(jump) / (k * RADIUS) + 1e-7);
    talus_world_destroy(w);
}

TEST(oblique_impact)
{
    const double spin[3] = {0, 30, -50}; /* V_t = 1, 2.5, −1.5 m/s, of which a third is what sticks: μ = 0.3 slides for some */
    for (int n = 0; n <= 2 * PER_DECADE; n += 5)
        for (int i = 0; i < 27; i++) strike(nth_step(n), FRICTION[i % 3], RESTITUTION[i / 3 % 3], spin[i / 9]);
}

static void tie(talus_world *w, talus_body_id b, double x)
{
    talus_rope_def d = talus_rope_def_default();
    d.body_b = b;
    d.point_a[0] = x;
    d.length = LENGTH;
    CHECK_OK(talus_rope_create(w, &d), talus_world_error(w));
}

/* Two balls on ropes; the left is let go from 45 degrees and meets the other at the bottom with v² = 2 g L (1 − cos 45°). Exactly, they touch with no sideways
 * speed, and friction spins neither. A rope is at most four of its slops, slop/1000, and the sagitta (h v)²/2L of a step too long. So one ball may be lower by
 * that: the normal is tilted by τ, and the approach has a sideways part v τ. Two balls that stick then spin by v τ/2R each. Where e > 0 they bounce up to a
 * step early, where the arc still goes down by h v/L. With e = 0 the impact is split over two steps, of which the second undoes what the first spins. */
static void collide(double h, double friction, double e)
{
    const double v2 = 2 * G * LENGTH * (1 - sqrt(0.5)), v = sqrt(v2), slop = 1e-3 * RADIUS, lower = 4e-3 * slop + h * h * v2 / (2 * LENGTH);
    const talus_world_def d = lab(h);
    talus_world *w = open_world(&d);
    const talus_material_id m = material(w, "stone", 1000);
    const talus_body_id left = free_disk(w, m, -RADIUS - LENGTH * sqrt(0.5), -LENGTH * sqrt(0.5), RADIUS), right = free_disk(w, m, RADIUS, -LENGTH, RADIUS);
    double stretch = 0;
    law(w, friction, e);
    tie(w, left, -RADIUS);
    tie(w, right, RADIUS);
    CHECK_OK(talus_world_assemble(w), talus_world_error(w));
    while (talus_world_time(w) < 0.6) { /* before they turn and meet again */
        run(w, 1);
        for (int i = 1; i <= 2; i++) {
            talus_contact rope;
            talus_contact_get(w, talus_contact_count(w) - i, &rope);
            stretch = fmax(stretch, -rope.gap);
        }
    }
    const double most = v * lower / (2 * RADIUS) / (2 * RADIUS) + (e > 0 ? v * h * v / LENGTH / (2 * RADIUS) : 0);
    CHECK_NEAR(stretch, 0, lower);
    CHECK_NEAR(speed(w, left, 2), 0, most);
    CHECK_NEAR(speed(w, right, 2), 0, most);
    talus_world_destroy(w);
}

TEST(balls_on_ropes)
{
    for (int n = 0; n <= PER_DECADE + PER_DECADE / 2; n++)
        for (int i = 0; i < 6; i++) collide(nth_step(n), FRICTION[1 + i % 2], RESTITUTION[i / 2]);
}

int main(int argc, char **argv)
{
    RUN(oblique_impact);
    RUN(balls_on_ropes);
    return TEST_RESULT;
}
