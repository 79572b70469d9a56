/* Solvers of a step by name, in space: the same motion by all of them, and by the convex relaxation what its own law says. */
#include "physics/spatial.h"

static talus_world *collide(const char *solver, int *lost)
{
    talus_world_def d = lab(1e-3);
    d.solver.method = solver;
    d.solver.tolerance = 1e-9;
    d.solver.max_iterations = 10000;
    talus_world *w = open_world(&d);
    const talus_material_id m = material(w, 2000);
    law(w, 0, 0);
    ground(w, m, 0, 0, 1);
    collision(w, m);
    *lost = 0;
    for (int k = 0; k < 60; k++) {
        talus_step_report r;
        CHECK_OK(talus_world_step(w, &r), talus_world_error(w));
        *lost += !r.converged;
        if (strcmp(solver, TALUS_SOLVER_BODIES) == 0) CHECK(r.iterations <= 60); /* without sweeps */
    }
    return w;
}

/* Grains and a link, without friction: velocities are unique. Newton's steps alone are not among them: without others before, they may stall. */
TEST(same_motion)
{
    static const char *const SOLVERS[] = {"nlgs", "auto", "ccp", "interior_point", "proximal", "pivot", "split", "pgs", "bodies"};
    double first[4][3] = {{0}};
    for (int s = 0; s < 9; s++) {
        int lost;
        talus_world *w = collide(SOLVERS[s], &lost);
        CHECK(talus_contact_count(w) > 0);
        CHECK(lost <= (s == 0 || s == 2 || s == 7 ? 6 : 0)); /* sweeps and gradients may not come so far */
        for (int i = 0; i < 4; i++) {
            double x[3];
            const talus_body_id body = {(uint32_t)i + 2};
            place(w, body, x);
            for (int k = 0; k < 3; k++) {
                if (s == 0) first[i][k] = x[k];
                else CHECK_NEAR(x[k], first[i][k], 1e-7);
            }
        }
        talus_world_destroy(w);
    }
    CHECK(fabs(first[0][0]) > 1e-3);
}

/* A block that slides: Coulomb's friction stops it after v²/(2 μ g) either way; convex, it flies meanwhile at the gap h μ v from which the law presses it, and
 * comes down as it slows. */
TEST(sliding_opens)
{
    static const char *const SOLVERS[] = {"nlgs", "bodies", "pivot", "split", "pgs", "ccp", "interior_point", "newton"};
    const double h = 1e-3, mu = 0.3, v0 = 1;
    for (int s = 0; s < 11; s++) {
        const bool convex = s > 7;
        talus_world_def d = lab(h);
        d.solver.method = SOLVERS[convex ? s - 3 : s];
        d.solver.convex = convex;
        d.correct_drift = 0;
        talus_world *w = open_world(&d);
        const talus_material_id m = material(w, 2000);
        law(w, mu, 0);
        ground(w, m, 0, 0, 1);
        talus_body_def b = talus_body_def_default();
        b.position[2] = 0.05;
        b.velocity[0] = v0;
        const talus_body_id block = add_body(w, &b);
        add_box(w, block, m, 0.2, 0.2, 0.1);
        double x[3], v[3], omega[3];
        run(w, 150);
        place(w, block, x);
        motion(w, block, v, omega);
        const double t = 150 * h;
        talus_problem *problem = NULL;
        char text[512] = "";
        CHECK_OK(talus_world_problem(w, &problem, text, sizeof text), text);
        CHECK(talus_problem_get(problem).convex == convex && talus_problem_error(problem) < 1e-6); /* as it was solved */
        talus_problem_destroy(problem);
        CHECK_NEAR(v[0], v0 - mu * G * t, convex ? mu * G * 2 * h : 1e-8); /* it loses a step or two as it leaves the ground */
        CHECK_NEAR(x[2], 0.05 + (convex ? h * mu * v[0] : 0), convex ? mu * h * h * G : 1e-8);
        run(w, 400);
        place(w, block, x);
        motion(w, block, v, omega);
        CHECK_NEAR(x[0], v0 * v0 / (2 * mu * G), 3 * v0 * h);
        CHECK_NEAR(v[0], 0, 1e-6);
        CHECK_NEAR(x[2], 0.05, 1e-8);
        talus_world_destroy(w);
    }
}

TEST(mistakes)
{
    talus_world_def d = lab(1e-3);
    talus_world *w = NULL;
    char text[512] = "";
    d.solver.method = "magic";
    CHECK(talus_world_create(&d, &w, text, sizeof text) == TALUS_INPUT && strstr(text, "no solver 'magic'"));
    static const char *const WITHOUT[] = {"pivot", "split", "pgs", "bodies"};
    d.solver.convex = 1;
    for (int i = 0; i < 4; i++) {
        char wanted[100];
        d.solver.method = WITHOUT[i];
        snprintf(wanted, sizeof wanted, "'%s' has no convex relaxation; these have: ccp", WITHOUT[i]);
        CHECK(talus_world_create(&d, &w, text, sizeof text) == TALUS_INPUT && strstr(text, wanted));
    }
    d.solver.method = "nlgs";
    CHECK(talus_world_create(&d, &w, text, sizeof text) == TALUS_INPUT && strstr(text, "'nlgs' has no convex relaxation"));
}

int main(int argc, char **argv)
{
    RUN(same_motion);
    RUN(sliding_opens);
    RUN(mistakes);
    return TEST_RESULT;
}
