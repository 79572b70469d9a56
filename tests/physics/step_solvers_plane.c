/* Solvers of a step by name, in the plane, where a box for friction is Coulomb's cone: the same motion by rows of a complementarity problem as by the others.
 */
#include "physics/planar.h"
#include "physics/joints.h"

enum { BODIES = 4, STEPS = 60 };

typedef struct course {
    double x[STEPS][BODIES][3];
    int solved; /* steps before the first that ended above the tolerance */
    int contacts;
} course;

/* Disks and a box that collide under a link on a slide. */
static void collide(const char *solver, double friction, course *c)
{
    talus_world_def d = lab(1e-3);
    d.solver.method = solver;
    d.solver.tolerance = 1e-9;
    d.solver.max_iterations = 2000;
    talus_world *w = open_world(&d);
    const talus_material_id m = material(w, "stone", 2000);
    talus_body_id body[BODIES];
    law(w, friction, 0.2);
    (void)wall(w, m, 0, 0, 0, 1);
    for (int i = 0; i < BODIES; i++) {
        body[i] = moving(w, 0.205 * i - 0.3, 0.1 + 0.005 * i, 0.5 - 0.4 * i, -0.3, 2 - i);
        if (i == 3) add_box(w, body[i], m, 0.1, 0.08);
        else add_disk(w, body[i], m, 0, 0, 0.1);
    }
    add_box(w, ram(w, 20, 0.27, -0.5), m, 0.9, 0.05);
    *c = (course){.solved = 0};
    for (int k = 0; k < STEPS; k++) {
        talus_step_report r;
        CHECK_OK(talus_world_step(w, &r), talus_world_error(w));
        c->contacts += r.contacts;
        if (c->solved == k && r.converged) c->solved++;
        for (int i = 0; i < BODIES; i++) where(w, body[i], c->x[k][i]);
    }
    talus_world_destroy(w);
}

/* Of steps that both solved to 1e-9 m/s: each may move bodies by so much times h, and what turns them by more at their radius of a tenth. */
TEST(same_motion)
{
    static const char *const SOLVERS[] = {"nlgs", "auto", "pivot", "split", "pgs", "bodies"};
    static const double FRICTION[] = {0, 0.1, 0.3};
    static course first, c;
    for (int f = 0; f < 3; f++)
        for (int s = 0; s < 6; s++) {
            collide(SOLVERS[s], FRICTION[f], s ? &c : &first);
            const int steps = s == 0 || first.solved < c.solved ? first.solved : c.solved;
            CHECK(steps >= STEPS / 2 && first.contacts > 100);
            printf("friction %g, %s: the first %d steps\n", FRICTION[f], SOLVERS[s], steps);
            for (int k = 0; s > 0 && k < steps; k++)
                for (int i = 0; i < BODIES; i++)
                    for (int a = 0; a < 3; a++) CHECK_NEAR(c.x[k][i][a], first.x[k][i][a], 1e-7);
        }
}

int main(int argc, char **argv)
{
    RUN(same_motion);
    return TEST_RESULT;
}
