/* Scenes and checkpoints that nobody would write: the examples, mutated by a fixed stream of random numbers. No input may crash talus, hang it, or be
 * refused without a word. An input that does is kept and its path printed; `test_fuzz_scene scenes` repeats all of them in the same order. SCENE_FUZZ_RUNS says
 * how many there are (default 3000). */
#include <fcntl.h>
#include <ftw.h>
#include <glob.h>
#include <hdf5.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/stat.h>

#include "talus/scene.h"
#include "talus/talus.h"
#include "test.h"

static char home[64];

enum { MOST_MUTATIONS = 3000, BATCH = 100, SEEDS = 96, ROOM = 1 << 16, SECONDS = 30, BAD_CHECK = 77 };

/* ---- random numbers, buffers, files ------------------------------------------------------------------------------- */

static uint64_t state;

static size_t below(size_t n)
{
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return n ? (size_t)(state >> 33) % n : 0;
}

typedef struct buffer {
    size_t size;
    char text[ROOM];
} buffer;

static buffer seed[SEEDS];
static char seed_path[SEEDS][128]; /* below home, as below examples */
static int seeds;

/* Puts `n` bytes in the place of `gone`; nothing when there is no room. */
static void replace(buffer *b, size_t at, size_t gone, const char *with, size_t n)
{
    if (at > b->size || gone > b->size - at || b->size - gone + n >= ROOM) return;
    memmove(b->text + at + n, b->text + at + gone, b->size - at - gone);
    memmove(b->text + at, with, n);
    b->size += n - gone;
}

static bool read_file(const char *path, buffer *b)
{
    FILE *in = fopen(path, "rb");
    if (!in) return false;
    b->size = fread(b->text, 1, ROOM - 1, in);
    fclose(in);
    return b->size < ROOM - 1;
}

static void write_file(const char *path, const char *text, size_t size)
{
    FILE *out = fopen(path, "wb");
    if (!out || fwrite(text, 1, size, out) != size || fclose(out) != 0) exit(1);
}

static int remove_one(const char *path, const struct stat *s, int kind, struct FTW *walk)
{
    (void)s, (void)kind, (void)walk;
    return remove(path);
}

/* Keeps the first `digits` digits of all numbers between `key` and `end`, wherever the text has them. */
static void shorten(buffer *b, const char *key, const char *end, size_t digits)
{
    for (char *at = strstr(b->text, key); at; at = strstr(at, key)) {
        for (at += strlen(key); *at && !strchr(end, *at); at++) {
            const size_t n = strspn(at, "0123456789");
            if (n > digits) replace(b, (size_t)(at - b->text) + digits, n - digits, "", 0);
            b->text[b->size] = '\0';
            if (n > 0) at += (n < digits ? n : digits) - 1;
        }
    }
}

/* All scenes of the examples, copied below home with their folders, so that includes are found; fewer grains and elements, to build them quickly. */
static void collect_seeds(void)
{
    glob_t found;
    if (glob(TALUS_SOURCE_DIR "/examples/*/*.yaml", 0, NULL, &found) != 0) exit(1);
    for (size_t i = 0; i < found.gl_pathc && seeds < SEEDS; i++) {
        buffer *b = &seed[seeds];
        char path[300], *slash;
        if (!read_file(found.gl_pathv[i], b)) continue;
        b->text[b->size] = '\0';
        shorten(b, "count: ", "\n", 2);
        shorten(b, "elements: [", "]", 1);
        char *mass = strstr(b->text, "mass: 0.5 kg"); /* that a hopper is filled with */
        if (mass) replace(b, (size_t)(mass - b->text), strlen("mass: 0.5"), "mass: .02", strlen("mass: .02"));
        snprintf(seed_path[seeds], sizeof seed_path[0], "%s", found.gl_pathv[i] + strlen(TALUS_SOURCE_DIR "/examples/"));
        snprintf(path, sizeof path, "%s/%s", home, seed_path[seeds]);
        slash = strrchr(path, '/');
        *slash = '\0';
        mkdir(path, 0777);
        *slash = '/';
        write_file(path, b->text, b->size);
        seeds++;
    }
    if ((size_t)seeds < found.gl_pathc) exit(1); /* an example has no room, or is not to be read */
    globfree(&found);
}

/* ---- mutations ---------------------------------------------------------------------------------------------------- */

static const char *const NASTY[] = {"nan",
                                    ".nan",
                                    ".inf",
                                    "-.inf",
                                    "-1",
                                    "0",
                                    "-0",
                                    "1e308",
                                    "-1e308",
                                    "1e-320",
                                    "1e400",
                                    "99999999999999999999",
                                    "2147483648",
                                    "-2147483649",
                                    "0x10",
                                    "1_000",
                                    "[]",
                                    "{}",
                                    "[[]]",
                                    "[{}]",
                                    "{a: {b: []}}",
                                    "{table: [[0 s, 0], [1 s, 1]], smooth: true}",
                                    "{table: [[0, 0 mm], [1e-300, 1e30 mm], [1, 0]], smooth: true}",
                                    "{table: [], smooth: true}",
                                    "&a",
                                    "*a",
                                    "&a [*a]",
                                    "&a {b: *a}",
                                    "<<: *a",
                                    "!!binary x",
                                    "!!str",
                                    "~",
                                    "null",
                                    "true",
                                    "\"\"",
                                    "''",
                                    "\"",
                                    "'",
                                    "150 mm",
                                    "15 rpm",
                                    "3 kg^99",
                                    "3 kg^-1e9",
                                    "m",
                                    "1 m m",
                                    "1 s/s/s",
                                    "2 N m^2/kg^0",
                                    "150mm",
                                    "150 parsec",
                                    "500 N/",
                                    "/s",
                                    "1e-3 kg m^2 m^2",
                                    "t",
                                    "1/0",
                                    "sqrt(-1)",
                                    "log(0)",
                                    "t^t^t",
                                    "((((((((",
                                    "))))",
                                    "sin",
                                    "sin()",
                                    "max(1, 2, 3)",
                                    "min(",
                                    "-",
                                    "+-+-1",
                                    "ramp(t, 0, 0)",
                                    "step(t",
                                    "2*pi*",
                                    "vibration",
                                    "ground",
                                    "lid",
                                    "A",
                                    "E",
                                    "disks",
                                    "include",
                                    "include: common.yaml",
                                    "include: config1.yaml",
                                    "parameters",
                                    "%s%n%s%n",
                                    "\xff\xfe",
                                    "\xc3",
                                    "\xe2\x82\xac",
                                    "\t",
                                    "\r\n",
                                    "...",
                                    "---",
                                    "- - - -",
                                    "? :",
                                    "#",
                                    "|",
                                    ">",
                                    "@",
                                    "`",
                                    "1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20",
                                    "lattice",
                                    "list",
                                    "spherical",
                                    "free",
                                    "imposed",
                                    "3",
                                    "2.5",
                                    "polygon",
                                    "cluster",
                                    "half_plane",
                                    "gear",
                                    "universal"};

static bool in_token(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.' || c == '-' || c == '+';
}

static void replace_token(buffer *b)
{
    static char large[6000];
    size_t from = below(b->size), to;
    while (from < b->size && !in_token(b->text[from])) from++;
    while (from > 0 && in_token(b->text[from - 1])) from--;
    for (to = from; to < b->size && in_token(b->text[to]);) to++;
    const size_t kind = below(20), n = 1 + below(sizeof large - 1);
    if (kind == 0) { /* a long word, or a deep nest */
        static const char FILL[] = "a9[{(-\"*";
        memset(large, FILL[below(sizeof FILL - 1)], n);
        replace(b, from, to - from, large, n);
    } else if (kind == 1 && to > from) { /* another token of the same text */
        size_t other = below(b->size), end;
        while (other < b->size && !in_token(b->text[other])) other++;
        for (end = other; end < b->size && in_token(b->text[end]) && end - other < 100;) end++;
        char copy[100];
        memcpy(copy, b->text + other, end - other);
        replace(b, from, to - from, copy, end - other);
    } else {
        const char *nasty = NASTY[below(sizeof NASTY / sizeof *NASTY)];
        replace(b, from, to - from, nasty, strlen(nasty));
    }
}

/* Where the line that holds a random byte begins, and how long it is with its end. */
static size_t pick_line(const buffer *b, size_t *length)
{
    size_t from = below(b->size), to = from;
    while (from > 0 && b->text[from - 1] != '\n') from--;
    while (to < b->size && b->text[to] != '\n') to++;
    *length = to - from + (to < b->size);
    return from;
}

static void mutate_lines(buffer *b, size_t kind)
{
    static char line[ROOM];
    size_t length, other_length;
    const size_t from = pick_line(b, &length);
    memcpy(line, b->text + from, length);
    if (kind == 0) replace(b, from, length, "", 0);
    else if (kind == 1) replace(b, from, 0, line, length);
    else if (kind == 2) { /* move it */ replace(b, from, length, "", 0);
        replace(b, pick_line(b, &other_length), 0, line, length);
    } else if (kind == 3) replace(b, from, 0, "        ", 1 + below(8)); /* indent it */
    else if (kind == 4) replace(b, from, strspn(line, " ") < length ? strspn(line, " ") : 0, "", 0);
    else { /* a line of another scene */ const buffer *s = &seed[below((size_t)seeds)];
        const size_t at = pick_line(s, &other_length);
        replace(b, from, kind == 5 ? length : 0, s->text + at, other_length);
    }
}

static void mutate(buffer *b)
{
    const size_t kind = below(16);
    if (b->size == 0) return;
    if (kind < 6) replace_token(b);
    else if (kind < 13) mutate_lines(b, kind - 6);
    else if (kind == 13) b->text[below(b->size)] = (char)below(256);
    else if (kind == 14) b->text[below(b->size)] ^= (char)(1 << below(8));
    else if (below(8) == 0) b->size = below(b->size);
    else replace(b, below(b->size), 1 + below(4), "", 0);
}

/* The k-th input; returns the seed that it replaces. */
static int make_input(int k, buffer *b)
{
    state = 0x9e3779b97f4a7c15ull * (unsigned)(k + 1);
    for (int i = 0; i < 4; i++) below(2);
    const int s = (int)below((size_t)seeds);
    *b = seed[s];
    for (size_t n = 1 + below(3); n > 0; n--) mutate(b);
    return s;
}

/* ---- one input ---------------------------------------------------------------------------------------------------- */

static bool is_expected(talus_status s)
{
    return s == TALUS_OK || s == TALUS_INPUT || s == TALUS_IO || s == TALUS_UNSUPPORTED || s == TALUS_ASSEMBLY || s == TALUS_SINGULAR;
}

static void check_mistakes(const talus_scene *scene, talus_status status, int k)
{
    const int n = talus_scene_mistake_count(scene);
    if (!is_expected(status)) TEST_FAIL("input %d: status %s", k, talus_status_name(status));
    if (status != TALUS_OK && n == 0) TEST_FAIL("input %d: %s without a mistake", k, talus_status_name(status));
    for (int i = 0; i < n; i++)
        if (strlen(talus_scene_mistake(scene, i)) < 5) TEST_FAIL("input %d: mistake '%s'", k, talus_scene_mistake(scene, i));
}

/* The text of a scene loads the same scene (talus/scene.h): its own text is the same. */
static void check_text(const talus_scene *scene, int k)
{
    char path[128];
    talus_scene *again = NULL;
    const char *text = talus_scene_text(scene);
    snprintf(path, sizeof path, "%s/again.yaml", home);
    write_file(path, text, strlen(text));
    const talus_status status = talus_scene_load(path, NULL, 0, &again);
    if (status != TALUS_OK)
        TEST_FAIL("input %d: its text does not load: %s", k, again && talus_scene_mistake_count(again) ? talus_scene_mistake(again, 0) : "?");
    else if (strcmp(talus_scene_text(again), text) != 0) TEST_FAIL("input %d: its text loads another scene", k);
    else if (talus_scene_end(again) != talus_scene_end(scene)) TEST_FAIL("input %d: its text loads another end", k);
    talus_scene_destroy(again);
}

/* Loads, builds, steps twice; returns whether it could be built. */
static bool try_input(const char *path, int k)
{
    talus_scene *scene = NULL;
    talus_world *w = NULL;
    bool built = false;
    talus_status status = talus_scene_load(path, NULL, 0, &scene);
    if (!scene) {
        TEST_FAIL("input %d: no scene, %s", k, talus_status_name(status));
        return false;
    }
    check_mistakes(scene, status, k);
    if (status == TALUS_OK) {
        check_text(scene, k);
        status = talus_scene_build(scene, 1, &w);
        check_mistakes(scene, status, k);
        built = status == TALUS_OK;
        if (built && !w) TEST_FAIL("input %d: OK, but no world", k);
    }
    for (int i = 0; built && w && i < 2 && status == TALUS_OK; i++) {
        status = talus_world_step(w, NULL);
        if (status != TALUS_OK && talus_world_error(w)[0] == '\0') TEST_FAIL("input %d: %s in a step, without a word", k, talus_status_name(status));
        for (int p = 0; status == TALUS_OK && p < talus_scene_probe_count(scene); p++) (void)talus_scene_probe_value(scene, w, p);
    }
    talus_world_destroy(w);
    talus_scene_destroy(scene);
    return built;
}

/* ---- batches ------------------------------------------------------------------------------------------------------ */

typedef struct shared {
    int at, tried, built;
} shared;

static void put_input(int k, char path[300])
{
    static buffer b;
    const int s = make_input(k, &b);
    snprintf(path, 300, "%s/%s", home, seed_path[s]);
    write_file(path, b.text, b.size);
}

static void put_back(const char *path)
{
    for (int i = 0; i < seeds; i++) {
        char name[300];
        snprintf(name, sizeof name, "%s/%s", home, seed_path[i]);
        if (strcmp(name, path) == 0) write_file(path, seed[i].text, seed[i].size);
    }
}

static void save_input(int k, const char *what)
{
    static buffer b;
    char path[128];
    const int s = make_input(k, &b);
    snprintf(path, sizeof path, "/tmp/talus-fuzz-%d.yaml", k);
    write_file(path, b.text, b.size);
    fprintf(stderr, "input %d %s: kept as %s (in the place of examples/%s)\n", k, what, path, seed_path[s]);
}

/* So much processor time from here on, whatever else runs on the machine, and twenty times as long by the clock, for what waits for ever; 0: without end. */
static void give_time(int seconds)
{
    setitimer(ITIMER_PROF, &(struct itimerval){.it_value.tv_sec = seconds}, NULL);
    alarm(20 * (unsigned)seconds);
}

static void batch(shared *now, int first, int last)
{
    test_failures = 0; /* those of the batches before are the parent's */
    for (int k = first; k < last; k++) {
        char path[300];
        const int before = test_failures;
        now->at = k;
        put_input(k, path);
        give_time(SECONDS);
        now->built += try_input(path, k);
        give_time(0);
        now->tried++;
        /* a mutated include is seen through the scenes that include it */
        for (int i = 0; strstr(path, "common.yaml") && i < seeds; i++) {
            char name[300];
            snprintf(name, sizeof name, "%s/%s", home, seed_path[i]);
            const char *slash = strrchr(path, '/');
            if (strcmp(name, path) == 0 || strncmp(name, path, (size_t)(slash - path) + 1) != 0) continue;
            give_time(SECONDS);
            now->built += try_input(name, k);
            give_time(0);
            break;
        }
        put_back(path);
        if (test_failures > before) save_input(k, "fails a check");
    }
    exit(test_failures ? BAD_CHECK : 0);
}

TEST(scenes)
{
    const char *wanted = getenv("SCENE_FUZZ_RUNS");
    const int mutations = wanted ? atoi(wanted) : MOST_MUTATIONS;
    int crashes = 0;
    shared *now = mmap(NULL, sizeof *now, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (now == MAP_FAILED) exit(1);
    for (int first = 0; first < mutations && crashes < 20;) {
        const int last = first + BATCH < mutations ? first + BATCH : mutations;
        int status;
        fflush(NULL);
        const pid_t child = fork();
        if (child == 0) batch(now, first, last);
        waitpid(child, &status, 0);
        first = last;
        if (WIFEXITED(status) && WEXITSTATUS(status) == 0) continue;
        if (WIFEXITED(status) && WEXITSTATUS(status) == BAD_CHECK) {
            TEST_FAIL("checks failed in inputs %d to %d", last - BATCH, last - 1);
            continue;
        }
        const bool hung = WIFSIGNALED(status) && (WTERMSIG(status) == SIGPROF || WTERMSIG(status) == SIGALRM);
        if (hung) TEST_FAIL("input %d takes more than %d s", now->at, SECONDS);
        else
            TEST_FAIL("input %d crashes or leaks (%s %d)", now->at, WIFSIGNALED(status) ? "signal" : "exit code",
                      WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
        save_input(now->at, hung ? "hangs" : "crashes");
        char path[300];
        put_input(now->at, path);
        put_back(path);
        crashes++;
        if (now->at + 1 < last) first = now->at + 1;
    }
    printf("%d inputs, %d of them could be built\n", now->tried, now->built);
    CHECK(now->tried + crashes >= mutations || crashes >= 20);
    CHECK(now->built > mutations / 20 && now->built < mutations); /* neither all noise nor all harmless */
}

/* The seeds themselves load, build and say the same again: else the mutations test nothing. */
TEST(seeds)
{
    int built = 0;
    for (int i = 0; i < seeds; i++) {
        char path[300];
        snprintf(path, sizeof path, "%s/%s", home, seed_path[i]);
        built += try_input(path, -1 - i);
    }
    CHECK(built >= 4);
}

/* Texts that are small and want everything: each ends quickly, with a mistake that is told. */
TEST(bombs)
{
    static buffer b;
    char path[128];
    snprintf(path, sizeof path, "%s/bomb.yaml", home);
    for (int k = 0; k < 8; k++) {
        b.size = 0;
        const char *const head = "gravity: [0, 0]\ntime: {end: 1 s}\nparameters:\n  a: &a [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n";
        if (k == 0) replace(&b, 0, 0, "include: bomb.yaml\n", 19);
        if (k == 1) { /* every line ten times the one above: 10^20 */
            replace(&b, 0, 0, head, strlen(head));
            for (int i = 1; i < 20; i++) {
                char line[128];
                const int c = 'a' + i, p = c - 1;
                int n = snprintf(line, sizeof line, "  %c: &%c [*%c", c, c, p);
                for (int q = 0; q < 9; q++) n += snprintf(line + n, sizeof line - (size_t)n, ", *%c", p);
                replace(&b, b.size, 0, line, (size_t)n);
                replace(&b, b.size, 0, "]\n", 2);
            }
        }
        for (int i = 0; k >= 2 && i < 30000; i++) {
            static const char *const MORE[] = {"[", "{a: ", "- ", "(", "-", "2^"};
            if (i == 0 && k >= 5) replace(&b, 0, 0, "time: {end: \"", 13);
            replace(&b, b.size, 0, MORE[k - 2], strlen(MORE[k - 2]));
        }
        if (k >= 5) replace(&b, b.size, 0, "1\"}\n", 4);
        write_file(path, b.text, b.size);
        fflush(NULL);
        const pid_t child = fork();
        if (child == 0) {
            give_time(SECONDS);
            const bool built = try_input(path, 1000000 + k);
            exit(built || test_failures ? BAD_CHECK : 0);
        }
        int status;
        waitpid(child, &status, 0);
        if (WIFSIGNALED(status)) TEST_FAIL("bomb %d: signal %d", k, WTERMSIG(status));
        else if (WEXITSTATUS(status) != 0) TEST_FAIL("bomb %d: exit code %d", k, WEXITSTATUS(status));
    }
}

/* ---- checkpoints -------------------------------------------------------------------------------------------------- */

static const char DROPS[] = "gravity: [0, -9.81]\n"
                            "time: {end: 20 ms, step: 1 ms}\n"
                            "materials: {stone: {density: 2000}}\n"
                            "interactions: [{friction: 0.3}]\n"
                            "bodies:\n"
                            "  floor: {kind: fixed, shapes: [{half_plane: {point: [0, 0], normal: [0, 1], material: stone}}]}\n"
                            "grains:\n"
                            "  drops: {generator: lattice, origin: [0, 0.1], rows: 3, columns: 3, spacing: 0.21, radius: {classes: [0.1]},\n"
                            "          material: stone}\n"
                            "mechanisms:\n"
                            "  arm:\n"
                            "    bodies: {bar: {mass: 1, inertia: 1}}\n"
                            "    joints: {pin: {type: revolute, parent: ground, child: bar, velocity: 1}}\n";

/* talus run drops.yaml -o home/drops …; exit code, or −signal; its stderr in home/stderr. */
static int run_drops(const char *more, const char *value)
{
    char scene[128], directory[128], errors[128];
    int status;
    snprintf(scene, sizeof scene, "%s/drops.yaml", home);
    snprintf(directory, sizeof directory, "%s/drops", home);
    snprintf(errors, sizeof errors, "%s/stderr", home);
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        dup2(open(errors, O_WRONLY | O_CREAT | O_TRUNC, 0666), 2);
        give_time(SECONDS);
        execl(TALUS_COMMAND, "talus", "run", scene, "-o", directory, "--quiet", more, value, (char *)NULL);
        _exit(99);
    }
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

typedef struct half_run {
    buffer checkpoint, series, trajectory, whole_series;
    char hash[17];
} half_run;

static void read_result(const char *name, buffer *b)
{
    char path[128];
    snprintf(path, sizeof path, "%s/drops/%s", home, name);
    if (!read_file(path, b)) TEST_FAIL("'%s' cannot be read", path);
}

static void final_hash(char hash[17])
{
    static buffer b;
    read_result("summary.json", &b);
    b.text[b.size] = '\0';
    const char *at = strstr(b.text, "\"state_hash\": \"");
    snprintf(hash, 17, "%s", at ? at + 15 : "none");
}

/* A run that stopped half way, and what it looks like when it goes on undamaged. */
static half_run *begin_half(void)
{
    half_run *h = calloc(1, sizeof *h);
    char path[128];
    if (!h) exit(1);
    snprintf(path, sizeof path, "%s/drops.yaml", home);
    write_file(path, DROPS, sizeof DROPS - 1);
    CHECK(run_drops("--until", "0.01") == 0);
    read_result("checkpoint.h5", &h->checkpoint);
    read_result("series.csv", &h->series);
    read_result("trajectory.h5", &h->trajectory);
    CHECK(run_drops("--resume", NULL) == 0);
    read_result("series.csv", &h->whole_series);
    final_hash(h->hash);
    if (test_failures) exit(1);
    return h;
}

/* Resumes from a damaged checkpoint. Refused (2), failed (1), or, when `silently` counts, carried on as if undamaged. */
static void try_checkpoint(const half_run *h, const buffer *damaged, int k, const char *damage, bool silently)
{
    static const char *const NAMES[3] = {"checkpoint.h5", "series.csv", "trajectory.h5"};
    static buffer errors, series;
    const buffer *const files[3] = {damaged, &h->series, &h->trajectory};
    char path[128], hash[17];
    for (int i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "%s/drops/%s", home, NAMES[i]);
        write_file(path, files[i]->text, files[i]->size);
    }
    const int before = test_failures, code = run_drops("--resume", NULL);
    snprintf(path, sizeof path, "%s/stderr", home);
    read_file(path, &errors);
    errors.text[errors.size] = '\0';
    if (code < 0 || code > 2) TEST_FAIL("checkpoint %d (%s): exit code %d: %s", k, damage, code, errors.text);
    if (code > 0 && errors.size == 0) TEST_FAIL("checkpoint %d (%s): exit code %d without a word", k, damage, code);
    if (code == 0 && silently) {
        final_hash(hash);
        read_result("series.csv", &series);
        if (strcmp(hash, h->hash) != 0 || series.size != h->whole_series.size || memcmp(series.text, h->whole_series.text, series.size) != 0)
            TEST_FAIL("checkpoint %d (%s): taken, and the run ends otherwise than undamaged", k, damage);
    }
    if (test_failures == before) return;
    snprintf(path, sizeof path, "/tmp/talus-fuzz-checkpoint-%d.h5", k);
    write_file(path, damaged->text, damaged->size);
}

static void damage_checkpoint(const half_run *h, int k, buffer *b)
{
    state = 0xc0ffee123456789ull * (unsigned)(k + 1);
    for (int i = 0; i < 4; i++) below(2);
    *b = h->checkpoint;
    const size_t front = b->size < 4096 ? b->size : 4096;
    if (k % 4 == 0) {
        b->size = below(b->size);
        return;
    }
    for (size_t n = k % 4 == 1 ? 1 : 1 + below(16); n > 0; n--) b->text[below(k % 4 == 3 ? front : b->size)] = (char)below(256);
}

enum { CHECKPOINTS = 200 };

/* Truncated, one byte changed, several changed, several changed near the front where HDF5 keeps its tables: no crash, no hang, a word. */
TEST(checkpoints)
{
    static const char *const DAMAGE[4] = {"truncated", "one byte", "some bytes", "some bytes in front"};
    static buffer b;
    half_run *h = begin_half();
    for (int k = 0; k < CHECKPOINTS; k++) {
        damage_checkpoint(h, k, &b);
        try_checkpoint(h, &b, k, DAMAGE[k % 4], false);
    }
    free(h);
}

/* One byte of what is not zero, changed: a run never ends otherwise than it should without saying so. */
TEST(silent_damage)
{
    static buffer b;
    half_run *h = begin_half();
    for (int k = 0; k < CHECKPOINTS; k++) {
        state = 0xfeedface12345ull * (unsigned)(k + 1);
        b = h->checkpoint;
        size_t at = below(b.size);
        while (b.text[at] == 0) at = below(b.size);
        b.text[at] ^= (char)(1 << below(8));
        try_checkpoint(h, &b, 2000 + k, "one bit", true);
    }
    free(h);
}

/* A sound HDF5 file whose record is another: too short, not numbers, before the beginning, beyond the end of the files. Refused: exit code 2. */
TEST(foreign_numbers)
{
    static const double BAD[] = {-1, -1e300, 1e18, 1e300, (double)NAN, (double)INFINITY};
    static buffer b;
    half_run *h = begin_half();
    char path[128];
    snprintf(path, sizeof path, "%s/foreign.h5", home);
    for (int k = 0; k < 2 * (int)(sizeof BAD / sizeof *BAD) + 3; k++) {
        double numbers[64] = {0};
        hsize_t count = k < 3 ? (hsize_t)k : 0;
        write_file(path, h->checkpoint.text, h->checkpoint.size);
        const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
        hid_t set = H5Dopen2(file, "record/numbers", H5P_DEFAULT), space = H5Dget_space(set);
        if (k >= 3) count = (hsize_t)H5Sget_simple_extent_npoints(space);
        CHECK(file >= 0 && set >= 0 && count <= 64 && H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers) >= 0);
        H5Dclose(set);
        H5Sclose(space);
        if (k >= 3) numbers[(k - 3) % 2] = BAD[(k - 3) / 2]; /* bytes of series.csv, frames of trajectory.h5 */
        H5Ldelete(file, "record/numbers", H5P_DEFAULT);
        space = H5Screate_simple(1, &count, NULL);
        set = H5Dcreate2(file, "record/numbers", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        CHECK(set >= 0 && (count == 0 || H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers) >= 0));
        H5Sclose(space);
        H5Dclose(set);
        CHECK(H5Fclose(file) >= 0 && read_file(path, &b));
        char damage[64];
        snprintf(damage, sizeof damage, k < 3 ? "%d numbers" : "number %d is %g", k < 3 ? k : (k - 3) % 2, k < 3 ? 0 : BAD[(k - 3) / 2]);
        try_checkpoint(h, &b, 1000 + k, damage, true);
    }
    free(h);
}

int main(int argc, char **argv)
{
    setenv("ASAN_OPTIONS", "exitcode=99:allocator_may_return_null=1:detect_leaks=0", 1);                      /* of talus: HDF5 leaks what it cannot read */
    snprintf(home, sizeof home, "%s/talus-fuzz-XXXXXX", access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"); /* thousands of small files */
    if (!mkdtemp(home)) return 1;
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    collect_seeds();
    RUN(seeds);
    RUN(scenes);
    RUN(bombs);
    RUN(checkpoints);
    RUN(silent_damage);
    RUN(foreign_numbers);
    nftw(home, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    return TEST_RESULT;
}
