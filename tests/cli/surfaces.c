/* Surfaces from files: what is torn or faces the wrong way is said, what is certain is mended, and a sphere then stays where it should. */
#include "scenes.h"

/* A cube of side 1 m, the lower face at z = −1, counter-clockwise from outside. */
static const int FACE[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                                {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};

/* `flip`: a bit for each triangle that is written the other way; the triangles from `first` on. */
static void write_cube(unsigned flip, int first, double size)
{
    FILE *out = fopen("cube.stl", "w");
    if (!out) abort();
    fputs("solid cube\n", out);
    for (int t = first; t < 12; t++) {
        fputs("facet normal 0 0 0\nouter loop\n", out);
        for (int k = 0; k < 3; k++) {
            const int v = FACE[t][flip >> t & 1 && k ? 3 - k : k];
            fprintf(out, "vertex %g %g %g\n", size * (v & 1), size * (v >> 1 & 1), size * ((v >> 2 & 1) - 1));
        }
        fputs("endloop\nendfacet\n", out);
    }
    fputs("endsolid\n", out);
    fclose(out);
}

#define SCENE(mesh)                                                                                                                                            \
    "dimension: 3\ngravity: [0, 0, -9.81]\ntime: {end: 0.5 s, step: 1 ms}\nmaterials: {s: {density: 1000}}\nbodies:\n"                                         \
    "  block: {kind: fixed, shapes: [{mesh: {file: cube.stl, material: s" mesh "}}]}\n"                                                                        \
    "  ball: {position: [0.4, 0.3, 0.12], shapes: [{sphere: {radius: 0.1, material: s}}]}\nprobes: {z: {body: ball, quantity: z}}\n"

/* Height of the ball at the end. */
static double lands_at(const char *scene)
{
    write_file("scene.yaml", scene);
    CHECK(system("rm -rf run") == 0);
    CHECK(talus("run scene.yaml -o run") == 0);
    FILE *in = fopen("run/series.csv", "r");
    char line[4096];
    double t, z = (double)NAN;
    while (in && fgets(line, sizeof line, in)) (void)!sscanf(line, "%lf,%lf", &t, &z);
    if (in) fclose(in);
    return z;
}

TEST(whole)
{
    write_cube(0, 0, 1);
    accepted_without(SCENE(""), "cube.stl'");
    CHECK_NEAR(lands_at(SCENE("")), 0.1, 1e-3);
    CHECK_NEAR(lands_at(SCENE(", facing: outward")), 0.1, 1e-3);
}

/* Any few triangles turned are turned back; the ball rests on top, which it fell through where a triangle there was turned. */
TEST(turned_triangles)
{
    for (int t = 0; t < 12; t++) {
        char expected[128];
        const unsigned flip = 1u << t | 1u << (t + 5) % 12;
        write_cube(flip, 0, 1);
        snprintf(expected, sizeof expected, "has 2 of 12 triangles that faced another way");
        warned(SCENE(""), "scene.yaml:6:", expected);
        if (t >= 2 && t < 4) CHECK_NEAR(lands_at(SCENE("")), 0.1, 1e-3);
    }
}

TEST(inside_out)
{
    write_cube(0xfff, 0, 1);
    warned(SCENE(""), "scene.yaml:6:", "is closed and faces inwards");
    accepted_without(SCENE(", facing: outward"), "inwards");
    CHECK_NEAR(lands_at(SCENE(", facing: outward")), 0.1, 1e-3);
    accepted_without(SCENE(", facing: inward"), "inwards");
}

TEST(open)
{
    write_cube(0, 2, 1); /* without its lower face: four sides of it are open */
    warned(SCENE(""), "scene.yaml:6:", "is open: 4 edges have one triangle only");
    refused(SCENE(", facing: outward"), "scene.yaml:6:", "'facing' is for closed surfaces");
}

/* Terrain is open, and nothing is said of it. */
TEST(terrain)
{
    write_file("cube.stl", "solid t\nfacet\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 1 1 -0.1\nendloop\nendfacet\n"
                           "facet\nouter loop\nvertex 0 0 0\nvertex 1 1 -0.1\nvertex 0 1 0\nendloop\nendfacet\nendsolid\n");
    accepted_without(SCENE(""), "warning: 'cube");
}

TEST(another_unit)
{
    write_cube(0, 0, 1000); /* millimetres */
    warned(SCENE(""), "scene.yaml:6:3", "was it drawn in mm?");
    accepted_without(SCENE(", scale: 1 mm"), "drawn in mm");
}

int main(int argc, char **argv)
{
    make_folder();
    RUN(whole);
    RUN(turned_triangles);
    RUN(inside_out);
    RUN(open);
    RUN(terrain);
    RUN(another_unit);
    remove_folder();
    return TEST_RESULT;
}
