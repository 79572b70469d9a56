/* Scenes and checkpoints, damaged at random but always in the same way: a crash, a hang or a failure without a word is a defect. */
#include "command.h"
#include "talus/talus.h"
#include "talus/scene.h"

static const char *const SEEDS[] = {"examples/four-bar-in-disks/config1.yaml", "examples/four-bar-in-disks/config2.yaml", "examples/slider-crank/chain.yaml",
                                    "examples/slider-crank/loop-xy.yaml", "examples/slider-crank/loop-y.yaml"};
enum { SEED_COUNT = sizeof SEEDS / sizeof *SEEDS, ROUNDS = 1200, BATCH = 60, LONGEST = 20000 };

static const char *const NASTY[] = {
    "nan",          "-1",     "1e308",    "1e999",  "[]",   "{}",   "&a",   "*a", "0",        "1 parsec",   "-0.0",
    "[1, 2, 3, 4]", ":",      "- ",       "\t",     "'",    "\"",   "\\",   "#",  "\xff",     "1e-320",     "{table: [[0, 0], [1, 1]]}",
    "ground",       "t",      "sqrt(-1)", "((((((", "q",    "true", "null", "~",  "? a\n: b", "include: .", "!!binary x",
    "---\n",        "<<: {}", "1 m/s^99", "3",      "disk", "box"};

static uint64_t state;

static int draw(int n)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (int)((state >> 33) % (uint64_t)n);
}

static int cut(char *text, int length, int at, int count)
{
    if (count > length - at) count = length - at;
    memmove(text + at, text + at + count, (size_t)(length - at - count));
    return length - count;
}

static int put(char *text, int length, int at, const char *piece, int count)
{
    if (length + count >= LONGEST) return length;
    memmove(text + at + count, text + at, (size_t)(length - at));
    memcpy(text + at, piece, (size_t)count);
    return length + count;
}

static int line_at(const char *text, int at)
{
    while (at > 0 && text[at - 1] != '\n') at--;
    return at;
}

/* One to four wounds: bytes, words, lines. */
static int damage(char *text, int length)
{
    char line[400];
    for (int wounds = 1 + draw(4); wounds > 0 && length > 10; wounds--) {
        const int at = draw(length), begin = line_at(text, at), other = line_at(text, draw(length));
        int end = begin;
        while (end < length && text[end] != '\n' && end - begin < 398) end++;
        const int count = end - begin + (end < length);
        memcpy(line, text + begin, (size_t)count);
        switch (draw(7)) {
        case 0: text[at] = (char)draw(256); break;
        case 1: length = cut(text, length, begin, count); break;
        case 2: length = put(text, length, other, line, count); break;
        case 3: length = cut(text, length, at, 1 + draw(8)); break;
        case 4: length = put(text, length, at, NASTY[draw((int)(sizeof NASTY / sizeof *NASTY))], 1); break;
        default: { /* a value becomes something nasty */
            int from = at, to;
            while (from > 0 && !strchr(" ,[{\n", text[from - 1])) from--;
            for (to = from; to < length && !strchr(" ,]}\n", text[to]);) to++;
            const char *word = NASTY[draw((int)(sizeof NASTY / sizeof *NASTY))];
            length = cut(text, length, from, to - from);
            length = put(text, length, from, word, (int)strlen(word));
        }
        }
    }
    return length;
}

/* The seed with its include written out beside it. */
static int load_seed(int index, char *text)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", TALUS_SOURCE_DIR, SEEDS[index]);
    FILE *file = fopen(path, "rb");
    const int length = file ? (int)fread(text, 1, LONGEST / 2, file) : 0;
    if (file) fclose(file);
    char command[1200];
    snprintf(command, sizeof command, "cp '%.*s'/common.yaml '%s'", (int)(strrchr(path, '/') - path), path, folder);
    if (length == 0 || system(command) != 0) abort();
    return length;
}

static void load(const char *path)
{
    talus_scene *scene = NULL;
    talus_world *w = NULL;
    talus_status status = talus_scene_load(path, NULL, 0, &scene);
    if (status == TALUS_OK) status = talus_scene_build(scene, 1, &w);
    if (status != TALUS_OK && scene && (talus_scene_mistake_count(scene) == 0 || !talus_scene_mistake(scene, 0)[0])) {
        fprintf(stderr, "%s without a word\n", talus_status_name(status));
        abort();
    }
    for (int i = 0; w && i < 2; i++) (void)!talus_world_step(w, NULL);
    talus_world_destroy(w);
    talus_scene_destroy(scene);
}

static void keep_victim(const char *name)
{
    char command[700];
    snprintf(command, sizeof command, "cp '%s' '/tmp/talus-fuzz-%s'", in_folder(name), name);
    if (system(command) == 0) TEST_FAIL("the scene that did it is kept as /tmp/talus-fuzz-%s", name);
}

/* Batches in a process of their own; the file that a dead process left is the culprit. */
TEST(scenes)
{
    static char text[LONGEST + 16];
    for (int first = 0; first < ROUNDS; first += BATCH) {
        const int seed = (first / BATCH) % SEED_COUNT;
        const int original = load_seed(seed, text);
        char name[64];
        snprintf(name, sizeof name, "victim-%d.yaml", first);
        fflush(NULL);
        const pid_t child = fork();
        if (child == 0) {
            static char wounded[LONGEST + 16];
            state = (uint64_t)first + 1;
            for (int i = 0; i < BATCH; i++) {
                memcpy(wounded, text, (size_t)original);
                const int length = damage(wounded, original);
                FILE *file = fopen(in_folder(name), "wb");
                if (!file || fwrite(wounded, 1, (size_t)length, file) != (size_t)length || fclose(file) != 0) _exit(97);
                alarm(60);
                load(in_folder(name));
            }
            _exit(0);
        }
        int status;
        waitpid(child, &status, 0);
        if (status == 0) continue;
        TEST_FAIL("batch %d: %s %d", first, WIFSIGNALED(status) ? "signal" : "exit", WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
        keep_victim(name);
    }
}

static const char SMALL[] = "time: {end: 0.02 s, step: 1 ms}\ngravity: [0, -10]\nmaterials: {stone: {density: 2500}}\n"
                            "bodies:\n  floor: {kind: fixed, shapes: [{half_plane: {point: [0, 0], normal: [0, 1], material: stone}}]}\n"
                            "grains: {g: {generator: lattice, rows: 2, columns: 2, spacing: 0.2, origin: [0, 0.1], radius: 0.1, material: stone}}\n"
                            "mechanisms: {m: {bodies: {a: {mass: 1, inertia: 1}}, joints: {A: {type: revolute, parent: ground, child: a, angle: 1}}}}\n";

/* A damaged checkpoint or trajectory: resuming works or is refused. */
TEST(checkpoints)
{
    write_file("small.yaml", SMALL);
    CHECK_TALUS(0, NULL, "run", "small.yaml", "-o", "out", "-u", "0.01");
    static const char *const FILES[] = {"out/checkpoint.h5", "out/trajectory.h5"};
    for (int f = 0; f < 2; f++) {
        size_t length;
        char *whole = read_file(FILES[f], &length), command[700];
        CHECK(length > 1000);
        snprintf(command, sizeof command, "rm -rf '%s/try' && cp -r '%s/out' '%s/try'", folder, folder, folder);
        for (int i = 0; i < 60; i++) {
            if (system(command) != 0) abort();
            char *bytes = malloc(length);
            if (!bytes) abort();
            memcpy(bytes, whole, length);
            state = (uint64_t)(1000 * f + i + 7);
            const size_t kept = i % 3 == 0 ? (size_t)draw((int)length) : length;
            for (int k = i % 3 == 0 ? 0 : 1 + draw(20); k > 0; k--) bytes[draw((int)length)] = (char)draw(256);
            FILE *file = fopen(in_folder(f == 0 ? "try/checkpoint.h5" : "try/trajectory.h5"), "wb");
            if (!file || fwrite(bytes, 1, kept, file) != kept || fclose(file) != 0) abort();
            free(bytes);
            const int code = TALUS("run", "small.yaml", "-o", "try", "--resume");
            if (code > 2 || (code > 0 && !said[0])) TEST_FAIL("%s, damage %d: ended with %d: %.300s", FILES[f], i, code, said);
        }
        free(whole);
    }
}

int main(int argc, char **argv)
{
    make_folder("fuzz");
    RUN(scenes);
    RUN(checkpoints);
    remove_folder();
    return TEST_RESULT;
}
