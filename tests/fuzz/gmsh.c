/* Damaged meshes of Gmsh: each is refused with its place, or read as a mesh that hangs together. */
#include "scene/gmsh.h"

#include <ctype.h>

#include "damage.h"

static char home[] = "/tmp/talus-fuzz-gmsh-XXXXXX";

/* Of a mesh that was read, as what makes a solid of it relies on. */
static bool hangs_together(const tl_gmsh *m)
{
    if (m->nodes < 0 || m->elements < 0 || m->groups < 0 || m->begin[0] != 0) return false;
    for (int e = 0; e < m->elements; e++) {
        int nodes;
        const char *name;
        if (tl_gmsh_type(m->type[e], &nodes, &name) < 0 || m->begin[e + 1] - m->begin[e] != nodes) return false;
        for (int k = m->begin[e]; k < m->begin[e + 1]; k++)
            if (m->node[k] < 0 || m->node[k] >= m->nodes) return false;
    }
    for (int i = 0; i < m->nodes; i++)
        for (int axis = 0; axis < 3; axis++)
            if (!isfinite(m->x[i][axis])) return false;
    for (int g = 0; g < m->groups; g++)
        for (int i = 0; i < m->group[g].elements; i++)
            if (m->group[g].element[i] < 0 || m->group[g].element[i] >= m->elements) return false;
    return true;
}

/* 0: read; 1: refused; 2: read, but it does not hang together; 3: refused without the file's name. */
static int read_mesh(const char *path)
{
    tl_gmsh m;
    tl_error error = {0};
    const talus_status status = tl_gmsh_read(&m, path, 1e-3, &error);
    if (status != TALUS_OK) return strstr(error.text, path) || status == TALUS_MEMORY ? 1 : 3;
    const int answer = hangs_together(&m) ? 0 : 2;
    tl_gmsh_free(&m);
    return answer;
}

/* One of the numbers of a text is another. */
static void damage_a_number(const damage_bytes *sound, const char *path, tl_random *random)
{
    static const char *const WILD[] = {"-1", "0", "1", "2", "19", "4294967296", "99999999999999999999", "1e400", "nan", "1e300", "-7", "x", ""};
    size_t from = (size_t)tl_random_int(random, (int)sound->size);
    while (from < sound->size && !isdigit(sound->at[from])) from++;
    size_t to = from;
    while (to < sound->size && !isspace(sound->at[to])) to++;
    const char *wild = WILD[tl_random_int(random, (int)(sizeof WILD / sizeof *WILD))];
    const size_t length = strlen(wild);
    damage_bytes b = {malloc(sound->size + length + 1), 0};
    if (!b.at) exit(1);
    memcpy(b.at, sound->at, from);
    memcpy(b.at + from, wild, length);
    memcpy(b.at + from + length, sound->at + to, sound->size - to);
    b.size = sound->size - (to - from) + length;
    damage_write(path, &b);
    free(b.at);
}

static void damage_mesh(const char *name, bool text)
{
    char from[4096], path[4096];
    snprintf(from, sizeof from, "%s/tests/meshes/%s", TALUS_SOURCE_DIR, name);
    snprintf(path, sizeof path, "%s/damaged.msh", home);
    const damage_bytes sound = damage_read(from);
    const int rounds = damage_rounds(300);
    tl_random random = tl_random_seed(23);
    int refused = 0;
    damage_write(path, &sound);
    CHECK(damage_try(read_mesh, path, name, -1) == 0);
    for (int i = 0; i < rounds; i++) {
        if (text && i % 2) damage_a_number(&sound, path, &random);
        else damage_some_bytes(&sound, path, &random);
        const int answer = damage_try(read_mesh, path, name, i);
        if (answer >= 2) TEST_FAIL("%s %d: %s", name, i, answer == 2 ? "what was read does not hang together" : "refused without the file's name");
        refused += answer == 1;
    }
    printf("%s: %d of %d refused\n", name, refused, rounds);
    CHECK(refused > rounds / 8);
    free(sound.at);
}

TEST(text_22) { damage_mesh("block22.msh", true); }
TEST(binary_22) { damage_mesh("block22b.msh", false); }
TEST(text_41) { damage_mesh("block41.msh", true); }
TEST(binary_41) { damage_mesh("block41b.msh", false); }
TEST(tetrahedra_binary_22) { damage_mesh("tet22b.msh", false); }
TEST(tetrahedra_41) { damage_mesh("tet41.msh", true); }

int main(int argc, char **argv)
{
    if (!mkdtemp(home)) return 1;
    RUN(text_22);
    RUN(binary_22);
    RUN(text_41);
    RUN(binary_41);
    RUN(tetrahedra_binary_22);
    RUN(tetrahedra_41);
    damage_clear(home);
    return TEST_RESULT;
}
