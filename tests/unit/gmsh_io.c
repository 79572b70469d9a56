/* Meshes of Gmsh: what it wrote in each format (tests/meshes) is read alike; what is damaged is refused with the place. */
#include "scene/gmsh.h"

#include "test.h"

static char home[] = "/tmp/talus-gmsh-XXXXXX";

static const char *mesh_path(const char *name)
{
    static char path[4096];
    snprintf(path, sizeof path, "%s/tests/meshes/%s", TALUS_SOURCE_DIR, name);
    return path;
}

static const tl_gmsh_group *group_of(const tl_gmsh *m, const char *name)
{
    for (int i = 0; i < m->groups; i++)
        if (strcmp(m->group[i].name, name) == 0) return &m->group[i];
    TEST_FAIL("there is no group '%s'", name);
    exit(1);
}

/* Of 2 × 1 × 1 m in two layers: two hexahedra to the left, four wedges to the right. */
TEST(block)
{
    static const char *const FILE_OF[] = {"block22.msh", "block22b.msh", "block41.msh", "block41b.msh"};
    static const struct {
        const char *name;
        int dimension, elements;
        double x[2], z[2]; /* between which all its nodes are, and which some reach [m] */
    } GROUP[] = {{"clay", 3, 2, {0, 1}, {0, 1}}, {"sand", 3, 4, {1, 2}, {0, 1}}, {"bottom", 2, 3, {0, 2}, {0, 0}},
                 {"top", 2, 3, {0, 2}, {1, 1}},  {"all", 2, 6, {0, 2}, {0, 1}},  {"corner", 0, 1, {0, 0}, {0, 0}}};
    for (int f = 0; f < 4; f++) {
        tl_gmsh m;
        tl_error error = {0};
        CHECK_OK(tl_gmsh_read(&m, mesh_path(FILE_OF[f]), 0.5, &error), error.text);
        CHECK(m.nodes == 18 && m.groups == 6);
        int count[16] = {0};
        for (int e = 0; e < m.elements; e++) count[m.type[e]]++;
        CHECK(count[5] == 2 && count[6] == 4 && count[2] >= 4 && count[3] >= 2);
        for (size_t g = 0; g < sizeof GROUP / sizeof *GROUP; g++) {
            const tl_gmsh_group *group = group_of(&m, GROUP[g].name);
            double low[3] = {1e9, 1e9, 1e9}, high[3] = {-1e9, -1e9, -1e9};
            CHECK(group->dimension == GROUP[g].dimension && group->elements == GROUP[g].elements);
            for (int i = 0; i < group->elements; i++)
                for (int k = m.begin[group->element[i]]; k < m.begin[group->element[i] + 1]; k++)
                    for (int a = 0; a < 3; a++) low[a] = fmin(low[a], m.x[m.node[k]][a]), high[a] = fmax(high[a], m.x[m.node[k]][a]);
            CHECK(low[0] == 0.5 * GROUP[g].x[0] && high[0] == 0.5 * GROUP[g].x[1]);
            CHECK(low[2] == 0.5 * GROUP[g].z[0] && high[2] == 0.5 * GROUP[g].z[1]);
        }
        tl_gmsh_free(&m);
    }
}

static double determinant(const double *o, const double *a, const double *b, const double *c)
{
    double d[3][3];
    for (int i = 0; i < 3; i++) d[0][i] = a[i] - o[i], d[1][i] = b[i] - o[i], d[2][i] = c[i] - o[i];
    return d[0][0] * (d[1][1] * d[2][2] - d[1][2] * d[2][1]) - d[0][1] * (d[1][0] * d[2][2] - d[1][2] * d[2][0]) +
           d[0][2] * (d[1][0] * d[2][1] - d[1][1] * d[2][0]);
}

/* Tetrahedra of ten nodes fill the box of 1 × 2 × 3 m; Gmsh's last two nodes lie between corners 2 and 3, 1 and 3. */
TEST(tetrahedra)
{
    static const char *const FILE_OF[] = {"tet41.msh", "tet22b.msh"};
    static const int BETWEEN[6][2] = {{0, 1}, {1, 2}, {2, 0}, {3, 0}, {2, 3}, {1, 3}};
    for (int f = 0; f < 2; f++) {
        tl_gmsh m;
        tl_error error = {0};
        CHECK_OK(tl_gmsh_read(&m, mesh_path(FILE_OF[f]), 1, &error), error.text);
        double volume = 0;
        const tl_gmsh_group *body = group_of(&m, "body");
        for (int i = 0; i < body->elements; i++) {
            const int e = body->element[i], *n = m.node + m.begin[e];
            CHECK(m.type[e] == 11 && m.begin[e + 1] - m.begin[e] == 10);
            volume += determinant(m.x[n[0]], m.x[n[1]], m.x[n[2]], m.x[n[3]]) / 6;
            for (int k = 0; k < 6; k++)
                for (int a = 0; a < 3; a++) CHECK_NEAR(m.x[n[4 + k]][a], 0.5 * (m.x[n[BETWEEN[k][0]]][a] + m.x[n[BETWEEN[k][1]]][a]), 1e-12);
        }
        CHECK_NEAR(volume, 6, 1e-12);
        const tl_gmsh_group *floor = group_of(&m, "floor");
        for (int i = 0; i < floor->elements; i++)
            for (int k = m.begin[floor->element[i]]; k < m.begin[floor->element[i] + 1]; k++) CHECK(m.x[m.node[k]][2] == 0);
        tl_gmsh_free(&m);
    }
}

static const char *write_file(const char *text, size_t size)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/mesh.msh", home);
    FILE *file = fopen(path, "wb");
    fwrite(text, 1, size, file);
    fclose(file);
    return path;
}

#define HEAD  "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
#define NODES "$Nodes\n3\n1 0 0 0\n2 1 0 0\n7 0 1 0\n$EndNodes\n"
#define TAIL  "$EndElements\n"

TEST(refusals)
{
    static const struct {
        const char *text, *says;
    } WRONG[] = {
        {"solid cube\n", "line 1: this is no file of Gmsh"},
        {"$MeshFormat\n3 0 8\n$EndMeshFormat\n", "version 3"},
        {"$MeshFormat\n4.1 0 4\n$EndMeshFormat\n", "4 bytes"},
        {HEAD "$Elements\n1\n1 2 1 1 1 2 7\n" TAIL, "elements come before nodes"},
        {HEAD NODES "$Elements\n1\n1 2 1 1 1 2 3\n" TAIL, "line 12: element 1 has node 3, which does not exist"},
        {HEAD NODES "$Elements\n1\n1 99 1 1 1 2 7\n" TAIL, "kind 99"},
        {HEAD NODES "$Elements\n2\n1 2 1 1 1 2 7\n" TAIL, "a whole number is expected"},
        {HEAD NODES "$Elements\n1\n1 2 1 1 1 2 7\n", "$EndElements is missing"},
        {HEAD NODES, "there is no element"},
        {HEAD NODES NODES, "second section of nodes"},
        {HEAD "$Nodes\n1000000000\n1 0 0 0\n$EndNodes\n", "cannot be 1000000000"},
        {HEAD "$Nodes\n2\n1 0 0 0\n1 1 0 0\n$EndNodes\n", "two nodes 1"},
        {HEAD "$Nodes\n1\n1 0 nan 0\n$EndNodes\n", "node 1 is not at a place"},
        {HEAD "$PhysicalNames\n1\n2 1 top\n$EndPhysicalNames\n", "line 6: a name in quotes"},
    };
    for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++) {
        tl_gmsh m;
        tl_error error = {0};
        CHECK(tl_gmsh_read(&m, write_file(WRONG[i].text, strlen(WRONG[i].text)), 1, &error) == TALUS_INPUT);
        CHECK(m.nodes == 0 && !m.x);
        if (!strstr(error.text, WRONG[i].says)) TEST_FAIL("'%s' is not in: %s", WRONG[i].says, error.text);
    }
    tl_gmsh m;
    tl_error error = {0};
    CHECK(tl_gmsh_read(&m, "/nowhere.msh", 1, &error) == TALUS_IO && strstr(error.text, "/nowhere.msh"));
    CHECK(tl_gmsh_read(&m, "/", 1, &error) == TALUS_INPUT && strstr(error.text, "is not a file"));
    CHECK(tl_gmsh_read(&m, "/dev/zero", 1, &error) == TALUS_INPUT && strstr(error.text, "is not a file")); /* it never ends */
}

/* Damaged bytes of every format: read or refused with a text, and never more memory than the file can speak of. */
TEST(damage)
{
    static const char *const FILE_OF[] = {"block22.msh", "block22b.msh", "block41.msh", "block41b.msh", "tet41.msh", "tet22b.msh"};
    tl_random random = tl_random_seed(3);
    int refused = 0;
    for (int round = 0; round < 3000; round++) {
        static char text[1 << 14];
        FILE *file = fopen(mesh_path(FILE_OF[round % 6]), "rb");
        size_t size = fread(text, 1, sizeof text, file);
        fclose(file);
        for (int k = tl_random_int(&random, 4); k >= 0; k--) text[tl_random_int(&random, (int)size)] = (char)tl_random_int(&random, 256);
        if (round % 5 == 0) size = (size_t)tl_random_int(&random, (int)size);
        tl_gmsh m;
        tl_error error = {0};
        if (tl_gmsh_read(&m, write_file(text, size), 1, &error) == TALUS_OK) {
            for (int k = 0; k < m.begin[m.elements]; k++) CHECK(m.node[k] >= 0 && m.node[k] < m.nodes);
            tl_gmsh_free(&m);
        } else {
            CHECK(error.text[0]);
            refused++;
        }
    }
    CHECK(refused > 1000);
}

int main(int argc, char **argv)
{
    if (!mkdtemp(home)) return 1;
    RUN(block);
    RUN(tetrahedra);
    RUN(refusals);
    RUN(damage);
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", home);
    return system(command) + TEST_RESULT;
}
