/* Meshes of boxes and of files for solids: volumes, faces that look outwards, groups, layers that grow. */
#include "scene/grid.h"

#include "base/math.h"
#include "test.h"

#include <unistd.h>

static tl_arena *arena;

/* The vector area of a face, as seen from outside: of straight edges in the plane for a thickness of 1. */
static tl_vec3 area_of(const tl_grid *g, talus_solid_face f, tl_vec3 *middle)
{
    int node[TALUS_FACE_MOST_NODES];
    talus_element kind;
    tl_vec3 x[4], sum = {0, 0, 0};
    (void)tl_grid_face_nodes(g, f, node);
    CHECK(talus_element_get(g->kind[f.element], &kind));
    const int corners = kind.face_corners[f.face];
    *middle = sum;
    for (int i = 0; i < corners; i++) x[i] = tl_load3(g->x[node[i]]), *middle = tl_add(*middle, tl_scale(1.0 / corners, x[i]));
    if (corners == 2) return tl_v3(x[1].y - x[0].y, x[0].x - x[1].x, 0);
    for (int i = 2; i < corners; i++) sum = tl_add(sum, tl_scale(0.5, tl_cross(tl_sub(x[i - 1], x[0]), tl_sub(x[i], x[0]))));
    return sum;
}

/* By the divergence theorem, of faces that are plane. */
static double volume_in(const tl_grid *g, const talus_solid_face *face, int faces)
{
    double volume = 0;
    for (int f = 0; f < faces; f++) {
        tl_vec3 middle;
        const tl_vec3 area = area_of(g, face[f], &middle);
        volume += tl_dot(middle, area) / g->dimension;
    }
    return volume;
}

static double smallest_element(const tl_grid *g, double *sum)
{
    double least = (double)INFINITY;
    *sum = 0;
    for (int e = 0; e < g->elements; e++) {
        talus_element kind;
        talus_solid_face face[6];
        CHECK(talus_element_get(g->kind[e], &kind));
        for (int f = 0; f < kind.faces; f++) face[f] = (talus_solid_face){e, f};
        const double volume = volume_in(g, face, kind.faces);
        *sum += volume, least = fmin(least, volume);
    }
    return least;
}

static void check_group(const tl_grid *g, const char *name, tl_vec3 expected)
{
    const tl_grid_group *group = tl_grid_group_named(g, name);
    tl_vec3 sum = {0, 0, 0}, middle;
    CHECK(group != NULL);
    if (!group) return;
    for (int f = 0; f < group->faces; f++) sum = tl_add(sum, area_of(g, group->face[f], &middle));
    CHECK_NEAR(tl_norm(tl_sub(sum, expected)), 0, 1e-12 * tl_norm(expected));
}

/* Of whatever elements: their volumes are positive and fill the box, as does what the surface encloses; its six sides have their areas and look outwards. */
static void check_box(const char *element, int dimension, int elements, int nodes)
{
    const tl_grid_box_def d = {
        .dimension = dimension, .element = element, .size = {0.3, 0.5, 0.4}, .cells = {2, 3, 4}, .grading = {1, 0.5, 4}, .top = {1, 2, 3}};
    tl_grid g;
    tl_error error = {0};
    CHECK_OK(tl_grid_box(&d, arena, &g, &error), error.text);
    const double volume = dimension == 3 ? 0.06 : 0.15, z = dimension == 3 ? 0.4 : 1;
    double sum;
    CHECK(smallest_element(&g, &sum) > 0);
    CHECK_CLOSE(sum, volume, 1e-12);
    CHECK_CLOSE(volume_in(&g, g.face, g.faces), volume, 1e-12);
    CHECK(g.elements == elements && g.nodes == nodes && g.parts == 1);
    check_group(&g, "left", tl_v3(-0.5 * z, 0, 0)), check_group(&g, "right", tl_v3(0.5 * z, 0, 0));
    check_group(&g, dimension == 3 ? "front" : "bottom", tl_v3(0, -0.3 * z, 0)), check_group(&g, dimension == 3 ? "back" : "top", tl_v3(0, 0.3 * z, 0));
    if (dimension == 3) check_group(&g, "bottom", tl_v3(0, 0, -0.15)), check_group(&g, "top", tl_v3(0, 0, 0.15));
    const tl_grid_group *top = tl_grid_group_named(&g, "top"), *left = tl_grid_group_named(&g, "left");
    for (int i = 0; top && i < top->nodes; i++) CHECK_NEAR(g.x[top->node[i]][dimension - 1], d.top[dimension - 1], 1e-15);
    for (int i = 0; left && i < left->nodes; i++) CHECK_NEAR(g.x[left->node[i]][0], 1 - 0.15, 1e-15);
}

TEST(boxes)
{
    check_box("quadrilateral4", 2, 6, 12), check_box("triangle3", 2, 12, 12), check_box("triangle6", 2, 12, 5 * 7);
    check_box("hexahedron8", 3, 24, 60), check_box("wedge6", 3, 48, 60);
    check_box("tetrahedron4", 3, 144, 60), check_box("tetrahedron10", 3, 144, 5 * 7 * 9);
}

/* Four layers, the lowest eight times as thick as the highest: 8, 4, 2 and 1 of 15 parts. */
TEST(layers)
{
    const tl_grid_box_def d = {.dimension = 3, .element = "hexahedron8", .size = {1, 1, 15}, .cells = {1, 1, 4}, .grading = {1, 1, 8}};
    static const double LEVEL[] = {-15, -7, -3, -1, 0};
    tl_grid g;
    tl_error error = {0};
    CHECK_OK(tl_grid_box(&d, arena, &g, &error), error.text);
    for (int k = 0; k < 5; k++) CHECK_NEAR(g.x[4 * k][2], LEVEL[k], 1e-13);
}

TEST(refused)
{
    tl_grid_box_def d = {.dimension = 2, .element = "hexahedron8", .size = {1, 1, 1}, .cells = {1, 1, 1}, .grading = {1, 1, 1}};
    tl_grid g;
    tl_error error = {0};
    CHECK(tl_grid_box(&d, arena, &g, &error) == TALUS_INPUT && strstr(error.text, "hexahedron8"));
    d.element = "triangle3", d.cells[0] = d.cells[1] = 1000000;
    CHECK(tl_grid_box(&d, arena, &g, &error) == TALUS_INPUT && strstr(error.text, "nodes"));
}

static talus_status read_mesh(const char *name, int dimension, tl_grid *g, tl_error *error)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/tests/meshes/%s", TALUS_SOURCE_DIR, name);
    return tl_grid_file(path, 0.5, dimension, arena, g, error);
}

/* tests/meshes/block.geo at half its size, 2 × 1 × 1 m³ in its own: of two hexahedra (clay) and four wedges (sand). */
TEST(files)
{
    static const char *const NAME[] = {"block22.msh", "block22b.msh", "block41.msh", "block41b.msh"};
    for (int i = 0; i < 4; i++) {
        tl_grid g;
        tl_error error = {0};
        double sum;
        CHECK_OK(read_mesh(NAME[i], 3, &g, &error), error.text);
        CHECK(smallest_element(&g, &sum) > 0);
        CHECK_CLOSE(sum, 0.25, 1e-12);
        CHECK_CLOSE(volume_in(&g, g.face, g.faces), sum, 1e-12);
        check_group(&g, "top", tl_v3(0, 0, 0.5)), check_group(&g, "bottom", tl_v3(0, 0, -0.5));
        const tl_grid_group *clay = tl_grid_group_named(&g, "clay"), *sand = tl_grid_group_named(&g, "sand"), *corner = tl_grid_group_named(&g, "corner");
        CHECK(clay && clay->elements == 2 && clay->faces == 0 && clay->nodes == 12);
        CHECK(sand && sand->elements == 4 && sand->dimension == 3);
        CHECK(corner && corner->nodes == 1 && corner->faces == 0 && g.x[corner->node[0]][0] == 0);
    }
}

/* Of second order the last two nodes of a tetrahedron are the other way round in Gmsh: each node between two corners is in their middle. */
TEST(tetrahedra_of_second_order)
{
    static const char *const NAME[] = {"tet22b.msh", "tet41.msh"};
    static const int EDGE[6][2] = {{0, 1}, {1, 2}, {0, 2}, {0, 3}, {1, 3}, {2, 3}};
    for (int i = 0; i < 2; i++) {
        tl_grid g;
        tl_error error = {0};
        double sum;
        CHECK_OK(read_mesh(NAME[i], 3, &g, &error), error.text);
        CHECK(smallest_element(&g, &sum) > 0);
        for (int e = 0; e < g.elements; e++) {
            const int *node = &g.node[g.begin[e]];
            if (g.kind[e] != talus_element_find("tetrahedron10")) continue;
            for (int k = 0; k < 6; k++)
                for (int a = 0; a < 3; a++) CHECK_NEAR(g.x[node[4 + k]][a], 0.5 * (g.x[node[EDGE[k][0]]][a] + g.x[node[EDGE[k][1]]][a]), 1e-12);
        }
    }
}

/* Three squares side by side; the group has the edges above the first and the last. That between them has both nodes in the group, but is not of it. */
TEST(faces_between_those_of_a_group)
{
    static const char MESH[] = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n1 1 \"feet\"\n$EndPhysicalNames\n"
                               "$Nodes\n8\n1 0 0 0\n2 1 0 0\n3 2 0 0\n4 3 0 0\n5 0 1 0\n6 1 1 0\n7 2 1 0\n8 3 1 0\n$EndNodes\n"
                               "$Elements\n5\n1 1 2 1 1 5 6\n2 1 2 1 1 8 7\n3 3 2 2 1 1 2 6 5\n4 3 2 2 1 2 3 7 6\n5 3 2 2 1 3 4 8 7\n$EndElements\n";
    tl_grid g;
    tl_error error = {0};
    FILE *file = fopen("feet.msh", "w");
    if (!file || fputs(MESH, file) < 0 || fclose(file) != 0) abort();
    CHECK_OK(tl_grid_file("feet.msh", 1, 2, arena, &g, &error), error.text);
    unlink("feet.msh");
    const tl_grid_group *feet = tl_grid_group_named(&g, "feet");
    CHECK(g.faces == 8 && feet && feet->faces == 2 && feet->nodes == 4);
    check_group(&g, "feet", tl_v3(0, 2, 0));
}

TEST(surfaces_alone_are_no_solid)
{
    tl_grid g;
    tl_error error = {0};
    CHECK(read_mesh("block41.msh", 2, &g, &error) == TALUS_INPUT && strstr(error.text, "plane"));
    CHECK(read_mesh("there.msh", 3, &g, &error) == TALUS_IO);
}

int main(int argc, char **argv)
{
    arena = tl_arena_create(tl_memory_default(), 1 << 20);
    RUN(boxes);
    RUN(layers);
    RUN(refused);
    RUN(files);
    RUN(tetrahedra_of_second_order);
    RUN(faces_between_those_of_a_group);
    RUN(surfaces_alone_are_no_solid);
    tl_arena_destroy(arena);
    return TEST_RESULT;
}
