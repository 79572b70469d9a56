/* Tensors of inertia with products, by six numbers and by rows, of bodies and links: the kinetic energy ½ ω·Jω of a spin,. */
#include <stdlib.h>

#include "lab.h"

/* A body that no axis of its own suits. */
static const double J[3][3] = {{0.9, -0.2, 0.1}, {-0.2, 0.7, 0.15}, {0.1, 0.15, 0.5}};
#define SIX  "[0.9, 0.7, 0.5, -0.2, 0.1, 0.15]"
#define ROWS "[[0.9, -0.2, 0.1], [-0.2, 0.7, 0.15], [0.1, 0.15, 0.5]]"
#define HEAD "dimension: 3\ngravity: [0, 0, 0]\ntime: {end: 1 s, step: 1e-5}\n"

static void kinetic(const char *tensor)
{
    const double w[3] = {1, -2, 3};
    double expected = 0;
    char text[2000];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) expected += 0.5 * w[i] * J[i][k] * w[k];
    snprintf(text, sizeof text, HEAD "bodies: {b: {mass: 2, inertia_tensor: %s, spin: [1, -2, 3]}}\nprobes: {e: {energy: kinetic}}\n", tensor);
    lab l = open_lab(text, 1);
    lab_run(&l, 1e-5);
    CHECK_CLOSE(lab_probe(&l, "e"), expected, 1e-9);
    close_lab(&l);
    /* about a fixed axis through the centre of mass, a link has the moment u·Ju */
    const double u[3] = {2.0 / 3, -1.0 / 3, 2.0 / 3};
    expected = 0;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) expected += 0.5 * 4 * 4 * u[i] * J[i][k] * u[k];
    snprintf(text, sizeof text,
             HEAD "mechanisms: {m: {bodies: {b: {mass: 2, inertia: %s}}, joints: {j: {type: revolute, parent: ground, child: b, axis: [2, -1, 2], "
                  "velocity: 4}}}}\nprobes: {e: {energy: kinetic}}\n",
             tensor);
    l = open_lab(text, 1);
    lab_run(&l, 1e-5);
    CHECK_CLOSE(lab_probe(&l, "e"), expected, 1e-12);
    close_lab(&l);
}

TEST(six_numbers) { kinetic(SIX); }
TEST(rows) { kinetic(ROWS); }

static void refused(const char *tensor, const char *where, const char *why)
{
    char text[2000], path[] = "tensor-XXXXXX";
    talus_scene *scene = NULL;
    snprintf(text, sizeof text, HEAD "bodies:\n  b:\n    mass: 2\n    inertia_tensor: %s\n", tensor);
    const int file = mkstemp(path);
    if (file < 0 || write(file, text, strlen(text)) != (ssize_t)strlen(text)) abort();
    close(file);
    talus_world *world = NULL;
    talus_status status = talus_scene_load(path, NULL, 0, &scene);
    if (status == TALUS_OK) status = talus_scene_build(scene, 1, &world);
    CHECK(status == TALUS_INPUT);
    CHECK(talus_scene_mistake_count(scene) == 1);
    const char *mistake = talus_scene_mistake(scene, 0);
    if (!strstr(mistake, where) || !strstr(mistake, why)) TEST_FAIL("%s: %s, where %s: %s was expected", tensor, mistake, where, why);
    talus_world_destroy(world);
    talus_scene_destroy(scene);
    unlink(path);
}

TEST(mistakes)
{
    refused("[[0.9, -0.2, 0.1], [0.2, 0.7, 0.15], [0.1, 0.15, 0.5]]", ":7:41:", "row 1 has -0.2 kg m² in column 2, and row 2 has 0.2 kg m² in column 1");
    refused("[[0.9, 0, 0], [0, 0.7, 0], [0, 0, 1.7]]", ":7:21:", "no body has the principal moments of inertia");
    refused("[[0.9, 0.9, 0], [0.9, 0.7, 0], [0, 0, 0.5]]", ":7:21:", "no body has the principal moments of inertia");
    refused("[[0.9, 0], [0, 0.7]]", ":7:21:", "three rows of three numbers");
    refused("[1, 2]", ":7:21:", "not 2 numbers");
    refused("[[1, 0, 0], [0, 1 m, 0], [0, 0, 1]]", ":7:37:", "kg m^2");
}

int main(int argc, char **argv)
{
    RUN(six_numbers);
    RUN(rows);
    RUN(mistakes);
    return TEST_RESULT;
}
