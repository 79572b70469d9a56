/* Functions given as tables: smooth ones drive without a blow, corners are said. */
#include "cli/scenes.h"

enum { ROWS = 10000, COLUMNS = 4 };
static double series[ROWS][COLUMNS]; /* time, torque, angle, rate */
static int rows;

/* A wheel of 2 kg m², driven along a table of angles. */
static void turn(const char *table)
{
    char text[1024];
    snprintf(text, sizeof text,
             "time: {end: 3 s, step: 1 ms}\nmechanisms:\n  m:\n    bodies: {wheel: {mass: 1 kg, inertia: 2 kg m^2}}\n"
             "    joints: {axle: {type: revolute, parent: ground, child: wheel}}\n    drives:\n      d: {joint: axle, position: %s}\n"
             "probes: {torque: {joint: axle, quantity: force}, angle: {joint: axle}, rate: {joint: axle, quantity: velocity}}\n",
             table);
    write_file("scene.yaml", text);
    CHECK(system("rm -rf run") == 0);
    if (talus("run scene.yaml -o run") != 0) TEST_FAIL("it said: %.1000s", said);
    FILE *in = fopen("run/series.csv", "r");
    char line[4096];
    rows = 0;
    while (in && rows < ROWS && fgets(line, sizeof line, in))
        if (sscanf(line, "%lf,%lf,%lf,%lf", &series[rows][0], &series[rows][1], &series[rows][2], &series[rows][3]) == COLUMNS) rows++;
    if (in) fclose(in);
    CHECK(rows == 3001);
}

/* From rest to rest between two rows the cubic is x = a + d (3 s² − 2 s³): the torque is J d (6 − 12 s)/T², here 24 − 48 s and its mirror image. A step's
 * mean lies within half a step of the value at its end: J x‴ h/2 = 0.024 N m, and twice that at the row where the torque changes its slope. */
TEST(torque_is_inertia_times_acceleration)
{
    turn("{table: [[0 s, 0 rad], [1 s, 2 rad], [2 s, 0 rad]], smooth: true}");
    CHECK(strstr(said, "corner") == NULL);
    double largest = 0;
    for (int i = 1; i < rows; i++) {
        const double t = series[i][0], s = t <= 1 ? t : t - 1, sign = t <= 1 + 1e-9 ? 1 : -1;
        largest = fmax(largest, fabs(series[i][1]));
        if (fabs(t - 1) < 2e-3 || fabs(t - 2) < 2e-3) continue;
        const double expected = t < 2 ? sign * 2 * (12 - 24 * s) : 0, x = t < 2 ? 2 * (3 * s * s - 2 * s * s * s) : 2;
        CHECK_NEAR(series[i][1], expected, 0.05);
        CHECK_NEAR(series[i][2], sign > 0 ? x : 2 - x, 1e-9);
    }
    CHECK(largest < 24.05); /* no more than the acceleration asks, at the rows too; a corner of 4 rad/s would be 8000 N m */
}

/* Rises of 1 and 2 in equal times meet with the harmonic mean 4/3; rows are met; nothing leaves the range of two rows. */
TEST(slopes_between_rows)
{
    turn("{table: [[0, 0], [1, 1], [2, 3], [3, 3]], smooth: true}");
    CHECK_NEAR(series[1000][2], 1, 1e-9);
    CHECK_NEAR(series[1000][3], 4.0 / 3, 4e-3);
    CHECK_NEAR(series[2000][2], 3, 1e-9);
    for (int i = 1; i < rows; i++) CHECK(series[i][2] >= series[i - 1][2] - 1e-9 && series[i][2] <= 3 + 1e-9);
}

TEST(corners_are_said)
{
    turn("{table: [[0, 0], [1, 0], [2, 3], [3, 1]]}");
    CHECK(line_with("scene.yaml:7:", "2 corners, the sharpest at t = 2 s, where its velocity jumps by -5 rad/s"));
    turn("{table: [[0, 0], [3, 0]]}");
    CHECK(strstr(said, "corner") == NULL);
    const char *staged =
        "time: {end: 1 s}\nmechanisms:\n  m:\n    bodies: {a: {mass: 1, inertia: 1}}\n    joints: {A: {type: prismatic, parent: ground, child: a}}\n"
        "    drives: {d: {joint: A, position: 0}}\nstages:\n  rest: {until: {after: 0.1}}\n"
        "  go: {until: {after: 0.5}, drives: {d: {move: {table: [[0, 0], [0.2, 0.1], [0.3, 0.1]]%s}}}}\n";
    char text[1024];
    snprintf(text, sizeof text, staged, "");
    warned(text, "scene.yaml:9:", "2 corners, the sharpest at t = 0 s, where its velocity jumps by 0.5 m/s");
    snprintf(text, sizeof text, staged, ", smooth: true");
    accepted_without(text, "corner");
}

TEST(mistakes)
{
    const char *head = "time: {end: 1 s}\nbodies:\n  a: {kind: imposed, motion: {x: %s}}\n";
    char text[512];
    snprintf(text, sizeof text, head, "{table: [[0, 0], [1, 1]], smooth: perhaps}");
    refused(text, "scene.yaml:3:", "'smooth' is either true or false");
    snprintf(text, sizeof text, head, "{table: [[0, 0], [1, 1]], soft: true}");
    refused(text, "scene.yaml:3:", "smooth: true");
    snprintf(text, sizeof text, head, "{table: [[0 s, 0 s], [1 s, 1 m]], smooth: true}");
    refused(text, "scene.yaml:3:", "a length");
    snprintf(text, sizeof text, head, "{table: [[0 s, 0 mm], [1 s, 1 mm]], smooth: true}");
    accepted_without(text, "corner");
}

int main(int argc, char **argv)
{
    make_folder();
    RUN(torque_is_inertia_times_acceleration);
    RUN(slopes_between_rows);
    RUN(corners_are_said);
    RUN(mistakes);
    remove_folder();
    return TEST_RESULT;
}
