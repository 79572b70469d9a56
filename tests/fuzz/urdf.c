/* Damaged robots: each is refused with the place of what is wrong, or becomes a scene that can be read. */
#include "import/import.h"

#include "damage.h"
#include "talus/scene.h"

static char home[] = "/tmp/talus-fuzz-urdf-XXXXXX";

static const char ROBOT[] =
    "<?xml version=\"1.0\"?>\n<robot name=\"r\">\n<material name=\"red\"><color rgba=\"1 0 0 1\"/></material>\n<link name=\"base\"/>\n<link name=\"a\">\n"
    "<inertial><origin xyz=\"0 0 0.1\" rpy=\"0.1 0.2 0.3\"/><mass value=\"2\"/><inertia ixx=\"0.1\" iyy=\"0.2\" izz=\"0.25\" ixy=\"0.01\" ixz=\"0\" "
    "iyz=\"0\"/></inertial>\n"
    "<collision><origin xyz=\"0 1 0\" rpy=\"0 0 1\"/><geometry><box size=\"1 2 3\"/></geometry></collision>\n"
    "<collision><geometry><cylinder radius=\"0.1\" length=\"0.5\"/></geometry></collision>\n"
    "<collision><geometry><mesh filename=\"package://bag/x.stl\" scale=\"1 1 -1\"/></geometry></collision></link>\n"
    "<link name=\"b\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\"/></inertial><visual><geometry><sphere "
    "radius=\"1\"/></geometry></visual></link>\n"
    "<link name=\"c\"/>\n<link name=\"d\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\"/></inertial></link>\n"
    "<joint name=\"ja\" type=\"revolute\"><parent link=\"base\"/><child link=\"a\"/><origin xyz=\"0 0 1\" rpy=\"1 0 0\"/><axis xyz=\"0 0 1\"/>"
    "<limit lower=\"-1\" upper=\"1\" effort=\"5\" velocity=\"6\"/><dynamics damping=\"0.5\" friction=\"0.1\"/></joint>\n"
    "<joint name=\"jb\" type=\"prismatic\"><parent link=\"a\"/><child link=\"b\"/><limit lower=\"0\" upper=\"2\"/><mimic joint=\"ja\" multiplier=\"2\" "
    "offset=\"1\"/></joint>\n"
    "<joint name=\"jc\" type=\"fixed\"><parent link=\"b\"/><child link=\"c\"/></joint>\n"
    "<joint name=\"jd\" type=\"planar\"><parent link=\"base\"/><child link=\"d\"/><axis xyz=\"0 1 0\"/></joint>\n"
    "<transmission name=\"t\"/>\n<gazebo reference=\"a\"><mu1>1</mu1></gazebo>\n</robot>\n";

/* 0: read; 1: refused; 3: refused without a word. */
static int import_robot(const char *path)
{
    char scene[4096];
    tl_error error = {0};
    FILE *say = fopen("/dev/null", "w");
    snprintf(scene, sizeof scene, "%s/damaged.yaml", home);
    const tl_import o = {.path = path, .output = scene, .visuals = true};
    const talus_status status = say ? tl_import_urdf(&o, say, &error) : TALUS_IO;
    if (say) fclose(say);
    if (status != TALUS_OK) return *error.text || status == TALUS_MEMORY ? 1 : 3;
    return 0;
}

/* One of the attributes is another, one element has another name, or some bytes are others. */
static void damage_robot(const damage_bytes *sound, const char *path, tl_random *random)
{
    static const char *const WILD[] = {"-1", "0", "1e300", "nan", "x", "", "1 2", "base", "a", "d", "jb", "1e-300", "floating", "continuous", "ground", "\xff"};
    size_t from = (size_t)tl_random_int(random, (int)sound->size), to;
    while (from < sound->size && sound->at[from] != '"') from++;
    for (to = from + 1; to < sound->size && sound->at[to] != '"';) to++;
    if (to >= sound->size) {
        damage_some_bytes(sound, path, random);
        return;
    }
    const char *wild = WILD[tl_random_int(random, (int)(sizeof WILD / sizeof *WILD))];
    FILE *out = fopen(path, "wb");
    if (!out) exit(1);
    fwrite(sound->at, 1, from + 1, out);
    fputs(wild, out);
    fwrite(sound->at + to, 1, sound->size - to, out);
    if (fclose(out) != 0) exit(1);
}

TEST(damaged)
{
    char path[4096];
    damage_bytes sound = {malloc(sizeof ROBOT), sizeof ROBOT - 1};
    tl_random random = tl_random_seed(31);
    const int rounds = damage_rounds(600);
    int refused = 0;
    if (!sound.at) exit(1);
    memcpy(sound.at, ROBOT, sizeof ROBOT);
    snprintf(path, sizeof path, "%s/damaged.urdf", home);
    damage_write(path, &sound);
    CHECK(damage_try(import_robot, path, "robot", -1) == 0);
    for (int i = 0; i < rounds; i++) {
        if (i % 3) damage_robot(&sound, path, &random);
        else damage_some_bytes(&sound, path, &random);
        const int answer = damage_try(import_robot, path, "robot", i);
        if (answer >= 2) TEST_FAIL("robot %d: refused without a word", i);
        refused += answer == 1;
    }
    printf("robots: %d of %d refused\n", refused, rounds);
    CHECK(refused > rounds / 8);
    free(sound.at);
}

int main(int argc, char **argv)
{
    if (!mkdtemp(home)) return 1;
    RUN(damaged);
    damage_clear(home);
    return TEST_RESULT;
}
