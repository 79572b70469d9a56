/* Moving least squares on lattices (theory §7.1): fields whose gradients are known, and what makes constant stress exert no force inside. */
#include "base/base.h"
#include "solid/least_squares.h"
#include "test.h"

enum { MOST = 3000 };
static int site[MOST][3];

/* A block of sites; with `cut`, an octant (quadrant) of it is left out; with `hole`, one site inside. */
static int block(int dimension, int side, bool cut, bool hole)
{
    int n = 0;
    for (int z = 0; z < (dimension == 3 ? side : 1); z++)
        for (int y = 0; y < side; y++)
            for (int x = 0; x < side; x++) {
                const int half = side / 2;
                if (cut && x > half && y > half && (dimension == 2 || z > half)) continue;
                if (hole && x == 2 && y == 2 && (dimension == 2 || z == 2)) continue;
                site[n][0] = x - 7, site[n][1] = y + 3, site[n++][2] = z;
            }
    return n;
}

static tl_least_squares make(int dimension, int n, double spacing)
{
    tl_least_squares s;
    tl_error error;
    const tl_least_squares_def d = {dimension, n, (const int(*)[3])site, spacing, dimension == 3 ? 1.95 : 1.8};
    MUST(tl_least_squares_create(tl_memory_default(), &d, &s, &error), error);
    return s;
}

static bool has_all(const tl_least_squares *s, int i, int dimension) { return s->begin[i + 1] - s->begin[i] == (dimension == 3 ? 27 : 9); }

/* Linear fields everywhere, far from the origin too; quadratic ones inside. */
TEST(gradients)
{
    for (int dimension = 2; dimension <= 3; dimension++)
        for (int kind = 0; kind < 4; kind++) {
            const double a = 0.2;
            const int n = block(dimension, 8, kind & 1, kind & 2);
            tl_least_squares s = make(dimension, n, a);
            for (int i = 0; i < n; i++) {
                double linear[3] = {0}, square[3] = {0}, unity[3] = {0};
                for (int k = s.begin[i]; k < s.begin[i + 1]; k++) {
                    const int *at = site[s.neighbour[k]];
                    const double x = a * at[0] + 10, y = a * at[1], z = a * at[2], u = 3 + 2 * x - y + 0.5 * z, q = x * x - 2 * x * y + y * z + 0.3 * z * z;
                    for (int axis = 0; axis < 3; axis++) {
                        unity[axis] += s.gradient[k][axis];
                        linear[axis] += s.gradient[k][axis] * u;
                        square[axis] += s.gradient[k][axis] * q;
                    }
                }
                const double x = a * site[i][0] + 10, y = a * site[i][1], z = a * site[i][2];
                const double want[3] = {2, -1, dimension == 3 ? 0.5 : 0}, wanted[3] = {2 * x - 2 * y, -2 * x + z, dimension == 3 ? y + 0.6 * z : 0};
                for (int axis = 0; axis < 3; axis++) {
                    CHECK_NEAR(unity[axis], 0, 1e-11);
                    CHECK_NEAR(linear[axis], want[axis], 1e-10);
                    if (has_all(&s, i, dimension)) CHECK_NEAR(square[axis], wanted[axis], 1e-9);
                }
            }
            tl_least_squares_free(&s);
        }
}

/* Volumes add up to that of the body, and Σ_i V_i Λ_ij vanishes for j inside: constant stress exerts no force there, and on a face that on its area. */
TEST(constant_stress)
{
    for (int dimension = 2; dimension <= 3; dimension++)
        for (int side = 6; side <= 12; side += 2) {
            const double a = 0.1;
            const int n = block(dimension, side, false, false);
            static double force[MOST][3];
            double volume = 0, face = 0;
            tl_least_squares s = make(dimension, n, a);
            memset(force, 0, sizeof force);
            for (int i = 0; i < n; i++) {
                volume += s.volume[i];
                for (int k = s.begin[i]; k < s.begin[i + 1]; k++)
                    for (int axis = 0; axis < 3; axis++) force[s.neighbour[k]][axis] += s.volume[i] * s.gradient[k][axis];
            }
            CHECK_NEAR(volume, pow(a * (side - 1), dimension), 1e-12);
            for (int j = 0; j < n; j++) {
                bool inside = true;
                for (int axis = 0; axis < dimension; axis++) {
                    const int at = site[j][axis] - (axis == 0 ? -7 : axis == 1 ? 3 : 0);
                    inside = inside && at > 0 && at < side - 1;
                }
                for (int axis = 0; inside && axis < 3; axis++) CHECK_NEAR(force[j][axis], 0, 1e-14);
                if (site[j][0] == -7) face -= force[j][0];
            }
            CHECK_NEAR(face, pow(a * (side - 1), dimension - 1), 1e-12);
            CHECK(s.linear == 0 && s.ghosts > 0);
            tl_least_squares_free(&s);
        }
}

TEST(mistakes)
{
    tl_least_squares s;
    tl_error error;
    int n = block(2, 4, false, false);
    tl_least_squares_def d = {2, n, (const int(*)[3])site, 0.1, 1.2};
    CHECK(tl_least_squares_create(tl_memory_default(), &d, &s, &error) == TALUS_INPUT && strstr(error.text, "influence is 1.2"));
    d.influence = 1.8;
    memcpy(site[5], site[2], sizeof site[5]);
    CHECK(tl_least_squares_create(tl_memory_default(), &d, &s, &error) == TALUS_INPUT && strstr(error.text, "particles 3 and 6"));
    for (int i = 0; i < 4; i++) site[i][0] = i, site[i][1] = 0;
    d.particles = 4;
    CHECK(tl_least_squares_create(tl_memory_default(), &d, &s, &error) == TALUS_INPUT && strstr(error.text, "thinner than two spacings"));
}

int main(int argc, char **argv)
{
    RUN(gradients);
    RUN(constant_stress);
    RUN(mistakes);
    return TEST_RESULT;
}
