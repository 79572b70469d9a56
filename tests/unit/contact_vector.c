/* From a contact's axes to the world's (tl_contact_vector), against what talus/world.h says of these axes; a few roundings of numbers near 1. */
#include "random3.h"

/* In the plane t is n turned by +90°. */
TEST(plane)
{
    rnd = tl_random_seed(1);
    for (int k = 0; k < 200; k++) {
        const double angle = uniform(-7, 7), c = cos(angle), s = sin(angle);
        const double local[3] = {uniform(-1, 1), uniform(-1, 1), 0};
        const tl_vec3 out = tl_contact_vector(true, tl_v3(c, s, 0), local);
        CHECK_NEAR(out.x, c * local[0] - s * local[1], 1e-15);
        CHECK_NEAR(out.y, s * local[0] + c * local[1], 1e-15);
        CHECK(!(fabs(out.z) > 0));
    }
}

/* In space t = e × n / ‖e × n‖ with the first axis e whose component in n is below 0.57, and s = n × t. */
TEST(space)
{
    rnd = tl_random_seed(2);
    for (int k = 0; k < 200; k++) {
        const tl_vec3 n = random_direction(), local = random_direction();
        const double part[3] = {fabs(n.x), fabs(n.y), fabs(n.z)};
        int first = 0;
        while (first < 2 && !(part[first] < 0.57)) first++;
        const tl_vec3 cross = tl_cross(tl_v3(first == 0, first == 1, first == 2), n), t = tl_scale(1 / tl_norm(cross), cross), s = tl_cross(n, t);
        const tl_vec3 out = tl_contact_vector(false, n, (double[3]){local.x, local.y, local.z});
        CHECK_NEAR(tl_dot(n, out), local.x, 1e-14);
        CHECK_NEAR(tl_dot(t, out), local.y, 1e-14);
        CHECK_NEAR(tl_dot(s, out), local.z, 1e-14);
    }
}

int main(int argc, char **argv)
{
    RUN(plane);
    RUN(space);
    return TEST_RESULT;
}
