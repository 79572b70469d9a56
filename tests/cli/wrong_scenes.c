/* Wrong scenes: `talus check` ends with code 2 and says where the mistake is and what was expected; no scene makes it crash. */
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>
#include <time.h>

#include "test.h"

enum { LONGEST = 60 }; /* seconds that any wrong scene may take, with sanitizers on a loaded machine */

static char folder[256], path[512], said[1 << 20]; /* said: stderr of the last run */

static void remove_folder(void)
{
    char command[300];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    if (system(command) != 0) fprintf(stderr, "%s stays\n", folder);
}

static void make_folder(void)
{
    const char *root = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/talus-wrong-XXXXXX", root ? root : "/tmp");
    if (!mkdtemp(folder)) abort();
    snprintf(path, sizeof path, "%s/scene.yaml", folder);
}

static void write_bytes(const char *name, const void *bytes, size_t length)
{
    char full[512];
    snprintf(full, sizeof full, "%s/%s", folder, name);
    FILE *file = fopen(full, "wb");
    if (!file || fwrite(bytes, 1, length, file) != length) abort();
    fclose(file);
}

static void write_scene(const char *text) { write_bytes("scene.yaml", text, strlen(text)); }

/* Exit code of `talus check FILE [--set …]`; 1000 + signal when it was killed. */
static int check_file(const char *file, const char *setting)
{
    char log[512];
    snprintf(log, sizeof log, "%s/stderr", folder);
    const pid_t child = fork();
    if (child == 0) {
        const int err = open(log, O_WRONLY | O_CREAT | O_TRUNC, 0600), null = open("/dev/null", O_RDWR);
        if (dup2(err, 2) < 0 || dup2(null, 1) < 0 || dup2(null, 0) < 0) _exit(99);
        alarm(LONGEST);
        if (setting) execl(TALUS_COMMAND, "talus", "check", file, "--set", setting, (char *)NULL);
        else execl(TALUS_COMMAND, "talus", "check", file, (char *)NULL);
        _exit(98);
    }
    int status = 0;
    waitpid(child, &status, 0);
    FILE *in = fopen(log, "rb");
    const size_t n = in ? fread(said, 1, sizeof said - 1, in) : 0;
    said[n] = '\0';
    if (in) fclose(in);
    return WIFSIGNALED(status) ? 1000 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* A line of stderr that begins with "file:line:" and a column, and holds the phrase. Line 0: begins with "file: ". */
static bool line_says(const char *file, int line, const char *phrase)
{
    char begin[600];
    snprintf(begin, sizeof begin, line ? "%s:%d:" : "%s: ", file, line);
    const size_t n = strlen(begin);
    for (const char *p = said; p && *p; p = strchr(p, '\n'), p = p ? p + 1 : NULL) {
        const size_t length = strcspn(p, "\n");
        const char *found = strstr(p, phrase), *at = strstr(p, begin);
        if (!at || at >= p + length || !found || found >= p + length) continue;
        if (line == 0 || (at[n] >= '1' && at[n] <= '9')) return true;
    }
    return false;
}

static void expect(const char *what, const char *file, int line, const char *phrase, int code)
{
    if (code != 2) TEST_FAIL("%s: ended with %d, expected 2; it said: %.1500s", what, code, said);
    else if (!line_says(file, line, phrase)) TEST_FAIL("%s: expected line %d and '%s'; it said: %.1500s", what, line, phrase, said);
}

typedef struct wrong {
    const char *what, *text;
    int line;
    const char *phrase, *setting; /* setting: "path=value", and then line 0 means that it is the one at fault */
} wrong;

static void expect_all(const wrong *list, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char place[600];
        write_scene(list[i].text);
        const int code = check_file(path, list[i].setting);
        snprintf(place, sizeof place, "--set %s", list[i].setting ? list[i].setting : "");
        expect(list[i].what, list[i].line ? path : place, list[i].line, list[i].phrase, code);
    }
}
#define EXPECT_ALL(list) expect_all(list, sizeof list / sizeof *list)

#define TIME  "time: {end: 1 s}\n"
#define STEEL TIME "materials: {steel: {density: 7800 kg/m^3}}\n"
#define BODY  STEEL "bodies:\n  ball:\n"

/* ---- text --------------------------------------------------------------------------------------------------------- */

TEST(text)
{
    static const wrong LIST[] = {
        {"empty file", "", 1, "the file is empty", NULL},
        {"only a comment", "# nothing\n", 1, "the file is empty", NULL},
        {"syntax", TIME "gravity: [0, -9.81\nsolver: {tolerance: 1}\n", 3, "not YAML", NULL},
        {"unclosed quote", TIME "gravity: [0, \"-9.81]\n", 3, "not YAML", NULL},
        {"tab", TIME "solver:\n\ttolerance: 1\n", 3, "a tab", NULL},
        {"second document", TIME "---\n" TIME, 2, "a second document", NULL},
        {"not a map", "- time\n- end\n", 1, "keys and values", NULL},
        {"alias", TIME "parameters: {a: &x 1 m, b: *x}\n", 2, "aliases", NULL},
        {"alias bomb",
         "parameters:\n  a: &a [1, 1, 1, 1, 1, 1, 1, 1, 1]\n  b: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a]\n  c: &c [*b, *b, *b, *b, *b, *b, *b, *b]\n", 3,
         "aliases", NULL},
        {"merge key", TIME "materials:\n  a: &x {density: 1}\n  b: {<<: *x}\n", 4, "aliases", NULL},
        {"key that is a list", TIME "[a, b]: 1\n", 2, "a key must be a word", NULL},
        {"duplicate key", TIME "gravity: [0, -9]\ngravity: [0, -10]\n", 3, "given twice; first in line 2", NULL},
        {"invalid UTF-8", TIME "\nparameters: {a: \xff\xfe}\n", 3, "not a text file", NULL},
        {"control character", TIME "parameters:\n  a: \x01\n", 3, "not a text file", NULL},
        {"NUL in a word", TIME "parameters:\n  a: \"1\\0 m\"\n", 3, "NUL", NULL},
    };
    EXPECT_ALL(LIST);
}

static void nest(const char *open, const char *close, int depth, char *out)
{
    char *p = out + sprintf(out, TIME "parameters: ");
    for (int i = 0; i < depth; i++) p += sprintf(p, "%s", open);
    p += sprintf(p, "1");
    for (int i = 0; i < depth; i++) p += sprintf(p, "%s", close);
    sprintf(p, "\n");
}

TEST(nesting)
{
    static char text[200000];
    nest("[", "]", 10000, text);
    write_scene(text);
    expect("10000 lists", path, 2, "nested too deeply", check_file(path, NULL));
    nest("{a: ", "}", 10000, text);
    write_scene(text);
    expect("10000 maps", path, 2, "nested too deeply", check_file(path, NULL));
    char *p = text + sprintf(text, TIME);
    for (int i = 0; i < 400; i++) p += sprintf(p, "%*sa:\n", i, "");
    write_scene(text);
    expect("400 levels of indentation", path, 66, "nested too deeply", check_file(path, NULL));
    nest("(", ")", 10000, text);
    write_scene(text);
    expect("10000 parentheses", path, 2, "parameters are names with quantities", check_file(path, NULL));
    p = text + sprintf(text, "time: {end: ");
    for (int i = 0; i < 10000; i++) *p++ = '(';
    sprintf(p, "1}\n");
    write_scene(text);
    expect("10000 parentheses in a quantity", path, 1, "nested too deeply", check_file(path, NULL));
    p = text + sprintf(text, "time: {end: ");
    for (int i = 0; i < 10000; i++) *p++ = '-';
    sprintf(p, "1}\n");
    write_scene(text);
    expect("10000 signs", path, 1, "nested too deeply", check_file(path, NULL));
    p = text + sprintf(text, "time: {end: 1");
    for (int i = 0; i < 20000; i++) p += sprintf(p, " + 1");
    sprintf(p, "}\n");
    write_scene(text);
    expect("20000 terms", path, 1, "too long", check_file(path, NULL));
    memset(text, 'a', 100000);
    strcpy(text + 100000, ": 1\n" TIME);
    write_scene(text);
    expect("a word of 100000 letters", path, 1, "", check_file(path, NULL));
    memset(text, 'a', 100000);
    memcpy(text, TIME "parameters: {x: ", strlen(TIME "parameters: {x: "));
    strcpy(text + 100000, "}\n");
    write_scene(text);
    expect("a value of 100000 letters", path, 2, "not known", check_file(path, NULL));
}

/* ---- files -------------------------------------------------------------------------------------------------------- */

static uint64_t noise_state = 0x9e3779b97f4a7c15u;

static void fill_noise(unsigned char *bytes, size_t n, bool printable)
{
    for (size_t i = 0; i < n; i++) {
        noise_state = noise_state * 6364136223846793005u + 1442695040888963407u;
        const unsigned char byte = (unsigned char)(noise_state >> 56);
        bytes[i] = printable ? (unsigned char)(byte % 97 == 96 ? '\n' : ' ' + byte % 95) : byte;
    }
}

static void noise(const char *what, size_t megabytes, bool printable, const char *phrase)
{
    static unsigned char block[1 << 20];
    FILE *file = fopen(path, "wb");
    if (!file) abort();
    for (size_t i = 0; i < megabytes; i++) {
        fill_noise(block, sizeof block, printable);
        if (fwrite(block, 1, sizeof block, file) != sizeof block) abort();
    }
    fclose(file);
    const int code = check_file(path, NULL);
    unlink(path);
    if (code != 2 || !strstr(said, phrase)) TEST_FAIL("%s: ended with %d: %.300s", what, code, said);
    for (const unsigned char *c = (unsigned char *)said; *c; c++)
        if ((*c < ' ' && *c != '\n') || *c == 127) {
            TEST_FAIL("%s: a control character on the terminal", what);
            break;
        }
}

TEST(noise)
{
    noise("100 MB of bytes", 100, false, "more than 64 MB");
    noise("100 MB of letters", 100, true, "more than 64 MB");
    noise("20 MB of bytes", 20, false, "not a text file");
    for (int i = 0; i < 10; i++) noise("1 MB of letters", 1, true, ":");
}

TEST(entries)
{
    FILE *file = fopen(path, "wb"); /* 30 MB of perfect YAML */
    if (!file) abort();
    fprintf(file, TIME "gravity: [");
    for (int i = 0; i < 8000000; i++) fputs("1, ", file);
    fprintf(file, "1]\n");
    fclose(file);
    expect("eight million entries", path, 2, "two million", check_file(path, NULL));
    file = fopen(path, "wb");
    if (!file) abort();
    for (int i = 0; i < 60000; i++) fprintf(file, "a%d: 1\n", i);
    fclose(file);
    expect("60000 unknown keys", path, 100, "unknown key 'a99'", check_file(path, NULL));
    file = fopen(path, "wb");
    if (!file) abort();
    fprintf(file, TIME "parameters:\n");
    for (int i = 0; i < 60000; i++) fprintf(file, "  a%d: 1\n", i);
    fprintf(file, "  a59999: 2\n");
    fclose(file);
    expect("60000 parameters, one twice", path, 60003, "given twice; first in line 60002", check_file(path, NULL));
}

TEST(files)
{
    static const unsigned char BINARY[] = {0x7f, 'E', 'L', 'F', 2, 1, 1, 0, 0, 0, 0xde, 0xad};
    char other[512];
    write_bytes("scene.yaml", BINARY, sizeof BINARY);
    expect("binary file", path, 1, "not a text file", check_file(path, NULL));
    expect("the command itself", TALUS_COMMAND, 1, "not", check_file(TALUS_COMMAND, NULL));
    snprintf(other, sizeof other, "%s/nowhere.yaml", folder);
    expect("missing file", other, 1, "No such file", check_file(other, NULL));
    expect("directory", folder, 1, "is not a file", check_file(folder, NULL));
    expect("device", "/dev/zero", 1, "is not a file", check_file("/dev/zero", NULL));
    if (geteuid() != 0) { /* root reads everything */
        write_scene(TIME);
        chmod(path, 0);
        expect("unreadable file", path, 1, "ermission", check_file(path, NULL));
        chmod(path, 0600);
    }
}

TEST(includes)
{
    char other[512];
    write_scene(TIME "include: nowhere.yaml\n");
    expect("missing include", path, 2, "nowhere.yaml", check_file(path, NULL));
    write_scene("include: scene.yaml\n");
    expect("include of itself", path, 1, "includes itself", check_file(path, NULL));
    write_scene("include: ./scene.yaml\n");
    expect("include of itself by another path", path, 1, "includes itself", check_file(path, NULL));
    write_scene("include: [./scene.yaml, ././scene.yaml, ./././scene.yaml, ./scene.yaml]\n");
    expect("include of itself many times", path, 1, "includes itself", check_file(path, NULL));
    write_scene("include: b.yaml\n");
    write_bytes("b.yaml", "\ninclude: c.yaml\n", 17);
    write_bytes("c.yaml", "\n\ninclude: scene.yaml\n", 22);
    snprintf(other, sizeof other, "%s/c.yaml", folder);
    expect("include cycle of three", other, 3, "includes itself", check_file(path, NULL));
    write_scene(TIME "include: [{a: b}]\n");
    expect("include of a map", path, 2, "name of a file", check_file(path, NULL));
    write_scene(TIME "include: .\n");
    expect("include of a directory", path, 2, "is not a file", check_file(path, NULL));
    write_bytes("b.yaml", TIME "gravty: [0, -9.81]\n", strlen(TIME) + 19);
    write_scene("include: b.yaml\n");
    snprintf(other, sizeof other, "%s/b.yaml", folder);
    expect("mistake in an include", other, 2, "gravity", check_file(path, NULL));
    for (int i = 0; i < 30; i++) { /* doubles at each level: 2^30 files if nothing stops it */
        char name[32], text[64];
        snprintf(name, sizeof name, "l%d.yaml", i);
        const int n = snprintf(text, sizeof text, "include: [l%d.yaml, l%d.yaml]\n", i + 1, i + 1);
        write_bytes(name, text, (size_t)n);
    }
    write_bytes("l30.yaml", TIME, strlen(TIME));
    snprintf(other, sizeof other, "%s/l0.yaml", folder);
    const int code = check_file(other, NULL);
    if (code != 2 || !strstr(said, "too many")) TEST_FAIL("doubling includes: ended with %d: %.300s", code, said);
}

/* ---- keys and values ---------------------------------------------------------------------------------------------- */

TEST(keys)
{
    static const wrong LIST[] = {
        {"unknown key", TIME "gravty: [0, -9.81 m/s^2]\n", 2, "did you mean 'gravity'?", NULL},
        {"unknown key inside", "time:\n  end: 1 s\n  stp: 1 ms\n", 3, "did you mean 'step'?", NULL},
        {"unknown key, nothing like it", TIME "zzzzzzzz: 1\n", 2, "expected one of: include, dimension", NULL},
        {"missing time", "gravity: [0, -9.81]\n", 1, "'time' is missing", NULL},
        {"missing key", "gravity: [0, 0]\ntime: {step: 1 ms}\n", 2, "'end' is missing", NULL},
        {"missing material", BODY "    shapes:\n      - disk: {radius: 1 mm}\n", 6, "'material' is missing", NULL},
        {"missing child", TIME "mechanisms:\n  m:\n    bodies: {a: {mass: 1}}\n    joints:\n      j: {type: revolute, parent: ground}\n", 6,
         "'child' is missing", NULL},
        {"list for a scalar", "time: {end: [1 s, 2 s]}\n", 1, "expected a quantity such as '1 s'", NULL},
        {"map for a scalar", "time:\n  end: {a: 1}\n", 2, "expected a quantity", NULL},
        {"scalar for a map", "time: 3 s\n", 1, "wants keys and values", NULL},
        {"list for a map", "time: [3 s]\n", 1, "wants keys and values", NULL},
        {"scalar for a list", STEEL "interactions: 4\n", 3, "a list", NULL},
        {"scalar for a vector", TIME "gravity: -9.81\n", 2, "two numbers", NULL},
        {"vector of one", TIME "gravity: [0]\n", 2, "two numbers", NULL},
        {"vector of four", TIME "gravity: [0, 0, 0, 0]\n", 2, "two numbers", NULL},
        {"scalar for names", TIME "bodies: ball\n", 2, "names, each with its keys", NULL},
        {"flag", TIME "drift: {correct: maybe}\n", 2, "either true or false", NULL},
        {"word", TIME "integrator: {forces: midpiont}\n", 2, "did you mean 'midpoint'?", NULL},
        {"word of another kind", TIME "solver: {method: magic}\n", 2, "expected one of: nlgs", NULL},
        {"list for a word", TIME "solver: {method: [nlgs]}\n", 2, "wants a word", NULL},
        {"fraction for a count", TIME "solver: {max_iterations: 1.5}\n", 2, "whole number", NULL},
        {"count out of range", TIME "dimension: 4\n", 2, "between 2 and 3", NULL},
        {"restitution", STEEL "interactions:\n  - {restitution: 1.5}\n", 4, "between 0 and 1", NULL},
        {"negative friction", STEEL "interactions:\n  - {friction: -0.1}\n", 4, "'friction' is -0.1", NULL},
        {"theta", TIME "integrator: {theta: 0.2}\n", 2, "between 0.5 and 1", NULL},
        {"negative mass", BODY "    mass: -1 kg\n", 5, "must be positive", NULL},
        {"negative link mass", TIME "mechanisms:\n  m:\n    bodies:\n      a: {mass: -1 kg}\n    joints: {}\n", 5, "0 or more", NULL},
        {"zero radius", BODY "    shapes:\n      - disk: {radius: 0 mm, material: steel}\n", 6, "must be positive", NULL},
        {"zero step", "time: {end: 1 s, step: 0 s}\n", 1, "must be positive", NULL},
        {"unknown material", BODY "    shapes:\n      - disk: {radius: 1 mm, material: stel}\n", 6, "did you mean 'steel'?", NULL},
        {"unknown material in a law", STEEL "interactions:\n  - {between: [steel, stone]}\n", 4, "there is no material 'stone'", NULL},
        {"one material in a law", STEEL "interactions:\n  - {between: [steel]}\n", 4, "two materials", NULL},
        {"missing body", TIME "probes:\n  p: {body: stone}\n", 3, "there is no body 'stone'", NULL},
        {"missing body of a load", TIME "loads:\n  l: {body: stone, x: 1 N}\n", 3, "there is no body 'stone'", NULL},
        {"missing joint", TIME "probes:\n  p: {joint: hinge}\n", 3, "there is no joint 'hinge'", NULL},
        {"list for a name", BODY "    shapes:\n      - disk: {radius: 1 mm, material: [steel]}\n", 6, "the name of a material", NULL},
        {"body named ground", TIME "bodies:\n  ground: {kind: fixed}\n", 3, "never moves", NULL},
        {"duplicate name", TIME "bodies:\n  a: {kind: fixed}\nmechanisms:\n  m:\n    bodies:\n      a: {mass: 1}\n    joints: {}\n", 7, "two things named 'a'",
         NULL},
    };
    EXPECT_ALL(LIST);
}

TEST(quantities)
{
    static const wrong LIST[] = {
        {"time for a length", BODY "    shapes:\n      - disk: {radius: 1 s, material: steel}\n", 6, "expected a length (m), got '1 s', a time (s)", NULL},
        {"length for a time", "time:\n  end: 1 m\n", 2, "expected a time (s)", NULL},
        {"Hz for an angular speed", BODY "    angular_velocity: 5 Hz\n", 5, "rad/s, rpm or turn/s", NULL},
        {"unknown unit", "time: {end: 3 parsec}\n", 1, "'parsec' is not a known unit", NULL},
        {"NaN", "time: {end: NaN}\n", 1, "'NaN' is not known here", NULL},
        {"YAML's NaN", "time: {end: .nan}\n", 1, "a number", NULL},
        {"inf", "time:\n  end: inf\n", 2, "'inf' is not known here", NULL},
        {"YAML's inf", TIME "gravity: [0, -.inf]\n", 2, "a number", NULL},
        {"too large", "time: {end: 1e999}\n", 1, "not finite", NULL},
        {"grows too large", "time: {end: 1e300 * 1e300}\n", 1, "not a finite number", NULL},
        {"nothing", "time: {end: }\n", 1, "a number", NULL},
        {"two numbers", "time: {end: 1 2}\n", 1, "'2' is not expected here", NULL},
        {"division by zero", TIME "parameters:\n  a: 1 m / 0\n", 3, "not a finite number", NULL},
        {"root of a negative", TIME "parameters:\n  a: sqrt(-1)\n", 3, "not a finite number", NULL},
        {"unknown function", "time: {end: sine(1)}\n", 1, "'sine' is not known here", NULL},
        {"unclosed parenthesis", "time: {end: 2*(1 + 1}\n", 1, "a closing parenthesis is expected", NULL},
        {"unopened parenthesis", "time: {end: 1)}\n", 1, "not expected here", NULL},
        {"operator at the end", "time: {end: 1 +}\n", 1, "a number, a name or a parenthesis", NULL},
        {"argument missing", "time: {end: \"min(1 s)\"}\n", 1, "another argument", NULL},
        {"argument too many", "time: {end: \"abs(1 s, 2 s)\"}\n", 1, "a closing parenthesis", NULL},
        {"sum of unlike things", "time: {end: 1 s + 1 m}\n", 1, "a time (s) and a length (m) do not add up", NULL},
        {"sine of a length", TIME "parameters: {a: sin(1 m)}\n", 2, "a plain number or an angle", NULL},
        {"unlike arguments", TIME "parameters: {a: \"min(1 m, 1 s)\"}\n", 2, "different dimensions", NULL},
        {"unknown parameter", "time: {end: duration}\n", 1, "'duration' is not known here", NULL},
        {"parameter used before it", TIME "parameters: {a: b, b: 1}\n", 2, "'b' is not known here", NULL},
        {"parameter that is a list", TIME "parameters: {a: [1, 2]}\n", 2, "a parameter is a quantity", NULL},
        {"time in a constant", BODY "    mass: 1 kg * t\n", 5, "does not depend on time", NULL},
        {"state in a motion", BODY "    kind: imposed\n    motion: {x: q}\n", 6, "'q' is not known here", NULL},
        {"expression in a count", TIME "dimension: 1 + x\n", 2, "'x' is not known here", NULL},
        {"unit in a count", TIME "dimension: 2 m\n", 2, "a plain number", NULL},
        {"unit in a ratio", STEEL "interactions:\n  - {friction: 0.3 m}\n", 4, "a plain number", NULL},
        {"unit alone", "time: {end: s}\n", 1, "'s' is not known here", NULL},
        {"decimal comma", "time: {end: \"0,5 s\"}\n", 1, "not expected here", NULL},
        {"code", "time: {end: \"system('true')\"}\n", 1, "'system' is not known here", NULL},
    };
    EXPECT_ALL(LIST);
}

/* ---- meaning ------------------------------------------------------------------------------------------------------ */

#define TWO_BARS                                                                                                                                               \
    TIME "mechanisms:\n  m:\n    bodies:\n      a: {mass: 1 kg, inertia: 1 kg m^2}\n      b: {mass: 1 kg, inertia: 1 kg m^2}\n"                                \
         "    joints:\n      A: {type: revolute, parent: ground, child: a}\n      B: {type: revolute, parent: a, child: b, at: [1 m, 0]}\n"
#define SLIDER                                                                                                                                                 \
    TIME "mechanisms:\n  m:\n    bodies:\n      a: {mass: 1 kg, inertia: 1 kg m^2}\n    joints:\n      P: {type: prismatic, parent: ground, child: a}\n"

TEST(mechanisms)
{
    static const wrong LIST[] = {
        {"loop that cannot close", TWO_BARS "    loops:\n      far: {type: point, bodies: [b, ground], at: [[1 m, 0], [9 m, 0]]}\n", 11, "far", NULL},
        {"loop of one body", TWO_BARS "    loops:\n      l: {type: point, bodies: [b], at: [[1 m, 0], [2 m, 0]]}\n", 11, "two bodies", NULL},
        {"loop without bodies", TWO_BARS "    loops:\n      l: {type: point}\n", 11, "two bodies", NULL},
        {"loop with three points", TWO_BARS "    loops:\n      l: {type: point, bodies: [b, ground], at: [[1, 0], [2, 0], [3, 0]]}\n", 11, "two entries", NULL},
        {"rod without length", TWO_BARS "    loops:\n      l: {type: rod, bodies: [b, ground], at: [[1, 0], [2, 0]]}\n", 11, "length", NULL},
        {"gear without joints", TWO_BARS "    loops:\n      l: {type: gear}\n", 11, "two coordinates", NULL},
        {"gear of ratio 0", TWO_BARS "    loops:\n      l: {type: gear, joints: [A, B], ratio: 0}\n", 11, "ratio 0 would hold the first shaft", NULL},
        {"means of cells", TIME "probes:\n  p: {number: all, region: [[0, 0], [1, 1]], cells: [2, 1], over: 1 s}\n", 3, "no means over time", NULL},
        {"gear with a time for a ratio", TWO_BARS "    loops:\n      l: {type: gear, joints: [A, B], ratio: 2 s}\n", 11, "a plain number", NULL},
        {"gear with a length for an offset", TWO_BARS "    loops:\n      l: {type: gear, joints: [A, B], offset: 2 mm}\n", 11, "an angle", NULL},
        {"dependent joint unknown", TWO_BARS "    dependent: [A, C]\n", 10, "there is no joint 'C'", NULL},
        {"dependent too many", TWO_BARS "    loops:\n      l: {type: point, bodies: [b, ground], at: [[1 m, 0], [1 m, 1 m]]}\n    dependent: [A, B, A]\n", 12,
         "A", NULL},
        {"dependent without loops", TWO_BARS "    dependent: [A]\n", 10, "depend", NULL},
        {"dependent coordinate unknown", TWO_BARS "    dependent: [A.x]\n", 10, "name a coordinate of joint 'A': angle", NULL},
        {"joint ring", TWO_BARS "      C: {type: revolute, parent: b, child: a}\n", 10, "a", NULL},
        {"joint with itself", TIME "mechanisms:\n  m:\n    bodies:\n      a: {mass: 1}\n    joints:\n      A: {type: revolute, parent: a, child: a}\n", 7, "A",
         NULL},
        {"joint with the ground as child", TWO_BARS "      C: {type: revolute, parent: b, child: ground}\n", 10, "C", NULL},
        {"body without a joint", TWO_BARS "    loops: {}\n  n:\n    bodies: {c: {mass: 1}}\n    joints: {}\n", 12, "'c'", NULL},
        {"joint leaving the plane",
         TIME "mechanisms:\n  m:\n    bodies:\n      a: {mass: 1}\n    joints:\n      A: {type: revolute, parent: ground, child: a, axis: [1, 0, 0]}\n", 7,
         "plane", NULL},
        {"spatial joint in the plane",
         TIME "mechanisms:\n  m:\n    bodies:\n      a: {mass: 1}\n    joints:\n      A: {type: spherical, parent: ground, child: a}\n", 7, "plan", NULL},
        {"zero axis",
         TIME "dimension: 3\nmechanisms:\n  m:\n    bodies:\n      a: {mass: 1}\n    joints:\n      A: {type: revolute, parent: ground, child: a, axis: [0, 0, "
              "0]}\n",
         8, "axis", NULL},
        {"parent in a mechanism further down",
         TIME "mechanisms:\n  m:\n    bodies: {a: {mass: 1}}\n    joints:\n      A: {type: revolute, parent: b, child: a}\n"
              "  n:\n    bodies: {b: {mass: 1}}\n    joints:\n      B: {type: revolute, parent: ground, child: b}\n",
         6, "'b'", NULL},
        {"loop to a mechanism further down",
         TIME "mechanisms:\n  m:\n    bodies: {a: {mass: 1, inertia: 1}}\n    joints: {A: {type: revolute, parent: ground, child: a}}\n"
              "    loops:\n      l: {type: point, bodies: [a, b], at: [[0, 0], [0, 0]]}\n"
              "  n:\n    bodies: {b: {mass: 1, inertia: 1}}\n    joints:\n      B: {type: revolute, parent: ground, child: b}\n",
         7, "'b'", NULL},
        {"angle of a slider",
         TIME "mechanisms:\n  m:\n    bodies: {a: {mass: 1}}\n    joints:\n      P: {type: prismatic, parent: ground, child: a, angle: 1 rad}\n", 6, "'angle'",
         NULL},
        {"position with a time",
         TIME "mechanisms:\n  m:\n    bodies: {a: {mass: 1}}\n    joints:\n      P: {type: prismatic, parent: ground, child: a, position: 1 s}\n", 6,
         "a length", NULL},
        {"position of another coordinate",
         TIME "mechanisms:\n  m:\n    bodies: {a: {mass: 1}}\n    joints:\n      P: {type: prismatic, parent: ground, child: a, position: {x: 1 m}}\n", 6,
         "prismatic", NULL},
        {"position of a spherical joint",
         TIME
         "dimension: 3\nmechanisms:\n  m:\n    bodies: {a: {mass: 1}}\n    joints:\n      S: {type: spherical, parent: ground, child: a, position: {wx: 1}}\n",
         7, "orientation", NULL},
        {"two drives", SLIDER "    drives:\n      one: {joint: P, speed: 1 m/s}\n      two: {joint: P, speed: 2 m/s}\n", 10, "P", NULL},
        {"drive with both", SLIDER "    drives:\n      one: {joint: P, speed: 1 m/s, position: 1 m}\n", 9, "either a speed or a position", NULL},
        {"drive with neither", SLIDER "    drives:\n      one: {joint: P}\n", 9, "either a speed or a position", NULL},
        {"drive in the wrong dimension", SLIDER "    drives:\n      one: {joint: P, speed: 1 rpm}\n", 9, "expected a velocity", NULL},
        {"drive in Hz", TWO_BARS "    drives:\n      one: {joint: A, speed: 3 Hz}\n", 11, "rad/s, rpm or turn/s", NULL},
        {"drive with a bad table", SLIDER "    drives:\n      one: {joint: P, position: {table: [[0 s, 0 s], [1 s, 1 s]]}}\n", 9, "a length", NULL},
        {"table with decreasing times", SLIDER "    drives:\n      one:\n        joint: P\n        speed: {table: [[0 s, 0], [2 s, 1], [1 s, 2]]}\n", 11,
         "must increase", NULL},
        {"table with one row", SLIDER "    drives:\n      one: {joint: P, speed: {table: [[0, 0]]}}\n", 9, "table", NULL},
        {"table with a row of three", SLIDER "    drives:\n      one: {joint: P, speed: {table: [[0, 0, 0], [1, 1, 1]]}}\n", 9, "[time, value]", NULL},
        {"force in the wrong dimension", SLIDER "    forces:\n      f: {joint: P, stiffness: 5 N m/rad}\n", 9, "a stiffness (N/m)", NULL},
        {"law in the wrong dimension", SLIDER "    forces:\n      f: {joint: P, law: 5 N/m * v}\n", 9, "expected a force", NULL},
        {"spring with one end", SLIDER "    springs:\n      s: {bodies: [a], at: [[0, 0]]}\n", 9, "two bodies", NULL},
        {"link without mass", TIME "mechanisms:\n  m:\n    bodies:\n      a: {mass: 0}\n    joints:\n      P: {type: prismatic, parent: ground, child: a}\n", 7,
         "'a'", NULL},
    };
    EXPECT_ALL(LIST);
}

TEST(bodies)
{
    static const wrong LIST[] = {
        {"body without mass", TIME "bodies:\n  ball:\n    kind: free\n", 3, "'ball'", NULL},
        {"massless shape", TIME "materials: {air: }\nbodies:\n  ball:\n    shapes:\n      - disk: {radius: 1 mm, material: air}\n", 4, "mass", NULL},
        {"half-plane on a free body", BODY "    mass: 1\n    inertia: 1\n    shapes:\n      - half_plane: {point: [0, 0], normal: [0, 1], material: steel}\n",
         8, "half", NULL},
        {"half-plane without a direction", BODY "    kind: fixed\n    shapes:\n      - half_plane: {point: [0, 0], normal: [0, 0], material: steel}\n", 7,
         "normal", NULL},
        {"polygon of two points", BODY "    shapes:\n      - polygon: {points: [[0, 0], [1, 0]], material: steel}\n", 6, "polygon", NULL},
        {"polygon on a line", BODY "    shapes:\n      - polygon: {points: [[0, 0], [1, 0], [2, 0]], material: steel}\n", 6, "polygon", NULL},
        {"polygon of 17 points",
         BODY "    shapes:\n      - polygon: {points: [[0, 0], [1, 0], [2, 1], [0, 0], [0, 0], [0, 0], [0, 0], [0, 0], [0, 0], [0, 0], [0, 0], [0, 0], [0, 0], "
              "[0, 0], [0, 0], [0, 0], "
              "[0, 0]], material: steel}\n",
         6, "16", NULL},
        {"segment of no length", BODY "    kind: fixed\n    shapes:\n      - segment: {from: [1, 1], to: [1, 1], material: steel}\n", 7, "segment", NULL},
        {"box of no width", BODY "    shapes:\n      - box: {size: [0, 1 m], material: steel}\n", 6, "polygon", NULL},
        {"two shapes in one", BODY "    shapes:\n      - disk: {radius: 1, material: steel}\n        box: {size: [1, 1], material: steel}\n", 6,
         "a shape is one key", NULL},
        {"unknown shape", BODY "    shapes:\n      - dsk: {radius: 1, material: steel}\n", 6, "did you mean 'disk'?", NULL},
        {"empty shape", BODY "    mass: 1\n    shapes:\n      -\n", 7, "a shape is one key", NULL},
        {"motion of a free body", BODY "    mass: 1\n    inertia: 1\n    motion: {x: 1 m}\n", 7, "imposed", NULL},
        {"load in the wrong dimension", BODY "    mass: 1\n    inertia: 1\nloads:\n  l: {body: ball, torque: 5 N}\n", 8, "a torque", NULL},
        {"grains in space", STEEL "dimension: 3\nbodies:\n  b: {mass: 1 kg, inertia: 1, shapes: [{disk: {radius: 1, material: steel}}]}\n", 5, "plan", NULL},
    };
    EXPECT_ALL(LIST);
}

#define GRAINS STEEL "grains:\n  g:\n    material: steel\n"

TEST(grains)
{
    static const wrong LIST[] = {
        {"region too small", GRAINS "    generator: drop\n    region: [[0, 0], [1 m, 1 m]]\n    radius: 100 mm\n    count: 1000\n", 9, "of the 1000 grains fit",
         NULL},
        {"region narrower than a grain", GRAINS "    generator: drop\n    region: [[0, 0], [1 mm, 1 m]]\n    radius: 100 mm\n    count: 1\n", 9,
         "only 0 of the 1 grains", NULL},
        {"region missing", GRAINS "    generator: drop\n    radius: 100 mm\n    count: 1000\n", 4, "two corners", NULL},
        {"region of one corner", GRAINS "    generator: drop\n    region: [[0, 0]]\n    radius: 100 mm\n    count: 1000\n", 7, "two corners", NULL},
        {"count missing", GRAINS "    generator: drop\n    region: [[0, 0], [1 m, 1 m]]\n    radius: 100 mm\n", 4, "'count' is missing", NULL},
        {"count zero", GRAINS "    generator: drop\n    region: [[0, 0], [1 m, 1 m]]\n    radius: 100 mm\n    count: 0\n", 9, "'count' is 0", NULL},
        {"generator", GRAINS "    generator: rain\n    radius: 1 mm\n", 6, "expected one of: lattice drop list", NULL},
        {"lattice without spacing", GRAINS "    generator: lattice\n    rows: 3\n    columns: 2\n    radius: 1 mm\n", 4, "spacing", NULL},
        {"list without positions", GRAINS "    generator: list\n    radius: 1 mm\n", 4, "'positions' is missing", NULL},
        {"radius of a wrong form", GRAINS "    generator: list\n    positions: [[0, 0]]\n    radius: {uniform: [3 mm, 2 mm]}\n", 8, "smallest", NULL},
        {"radius of nothing", GRAINS "    generator: list\n    positions: [[0, 0]]\n    radius: {}\n", 8, "a radius is", NULL},
        {"radius negative", GRAINS "    generator: list\n    positions: [[0, 0]]\n    radius: -1 mm\n", 8, "must be positive", NULL},
        {"region far from the origin", GRAINS "    generator: drop\n    region: [[1e20, 0], [2e20, 1e20]]\n    radius: 1 mm\n    count: 10\n", 9, "fit", NULL},
        {"region as high as the sky behind a wall",
         STEEL "grains: {g: {material: steel, generator: drop, region: [[0, 0], [1, 1e9]], radius: 1e-6, count: 3}}\n"
               "bodies: {wall: {kind: fixed, shapes: [{half_plane: {point: [9, 0], normal: [1, 0], material: steel}}]}}\n",
         3, "fit", NULL},
    };
    EXPECT_ALL(LIST);
}

TEST(probes)
{
    static const wrong LIST[] = {
        {"probe with an unknown quantity", BODY "    mass: 1\n    inertia: 1\nprobes:\n  p: {body: ball, quantity: angel}\n", 8, "did you mean", NULL},
        {"probe with a quantity of another", BODY "    mass: 1\n    inertia: 1\nprobes:\n  p: {body: ball, quantity: force}\n", 8, "one of: x y z angle", NULL},
        {"probe named time", BODY "    mass: 1\n    inertia: 1\nprobes:\n  time: {body: ball}\n", 8, "cannot name a probe", NULL},
        {"probe named with a comma", BODY "    mass: 1\n    inertia: 1\nprobes:\n  \"a,b\": {body: ball}\n", 8, "cannot name a probe", NULL},
        {"force on the ground", BODY "    mass: 1\n    inertia: 1\nprobes:\n  p: {contact_force: ground}\n", 8, "the ground has no shapes that touch", NULL},
        {"force from the ground", BODY "    mass: 1\n    inertia: 1\nprobes:\n  p: {contact_force: ball, from: ground}\n", 8, "the ground has no shapes", NULL},
        {"force from itself", BODY "    mass: 1\n    inertia: 1\nprobes:\n  p: {contact_force: ball, from: ball}\n", 8, "'from' must name another body", NULL},
        {"parts of a rod's force",
         TIME "mechanisms: {m: {bodies: {a: {mass: 1}, b: {mass: 1}}, joints: {p: {type: prismatic, parent: ground, child: a}, q: {type: prismatic, parent: "
              "ground, child: b}}, loops: {r: {type: rod, bodies: [a, b], at: [[0, 0], [0, 0]], length: 1}}}}\nprobes:\n  p: {loop: r, quantity: x}\n",
         4, "a loop of type rod has one force", NULL},
        {"moment of a gear",
         TIME "mechanisms: {m: {bodies: {a: {mass: 1, inertia: 1}, b: {mass: 1, inertia: 1}}, joints: {p: {type: revolute, parent: ground, child: a}, q: "
              "{type: revolute, parent: ground, child: b}}, loops: {r: {type: gear, joints: [p, q], ratio: 2}}}}\nprobes:\n  p: {loop: r, quantity: moment}\n",
         4, "a loop of type gear has one force", NULL},
        {"probe of nothing", BODY "    mass: 1\n    inertia: 1\nprobes:\n  p: {quantity: x}\n", 8, "names what it reads", NULL},
        {"probe of two things", BODY "    mass: 1\n    inertia: 1\nprobes:\n  p: {body: ball, energy: total}\n", 8, "one thing", NULL},
        {"compactness without a region", GRAINS "    generator: list\n    positions: [[0, 0]]\n    radius: 1 mm\nprobes:\n  p: {compactness: g}\n", 10,
         "region", NULL},
        {"compactness of an empty region",
         GRAINS "    generator: list\n    positions: [[0, 0]]\n    radius: 1 mm\nprobes:\n  p: {compactness: g, region: [[0, 0], [0, 1]]}\n", 10, "no area",
         NULL},
        {"compactness of a region of three corners",
         GRAINS "    generator: list\n    positions: [[0, 0]]\n    radius: 1 mm\nprobes:\n  p: {compactness: g, region: [[0, 0], [0, 1], [1, 1]]}\n", 10,
         "[[x0, y0], [x1, y1]]", NULL},
        {"coordination of unknown grains", TIME "probes:\n  p: {coordination: stones}\n", 3, "there is no group of grains 'stones'", NULL},
        {"coordination with a quantity of another",
         GRAINS "    generator: list\n    positions: [[0, 0]]\n    radius: 1 mm\nprobes:\n  p: {coordination: g, quantity: x}\n", 10,
         "one of: all without_rattlers", NULL},
        {"coordination in an empty region",
         GRAINS "    generator: list\n    positions: [[0, 0]]\n    radius: 1 mm\nprobes:\n  p: {coordination: g, region: [[0, 0], [0, 1]]}\n", 10, "no area",
         NULL},
        {"compactness and coordination",
         GRAINS "    generator: list\n    positions: [[0, 0]]\n    radius: 1 mm\nprobes:\n  p: {compactness: g, coordination: g, region: [[0, 0], [1, 1]]}\n",
         10, "one thing only", NULL},
        {"grains with a quantity of another",
         GRAINS "    generator: list\n    positions: [[0, 0]]\n    radius: 1 mm\nprobes:\n  p: {grains: g, quantity: angle}\n", 10, "one of: x y z", NULL},
        {"compactness of unknown grains", TIME "probes:\n  p: {compactness: stones, region: [[0, 0], [1, 1]]}\n", 3, "there is no group of grains 'stones'",
         NULL},
        {"coordinate not named",
         TIME "mechanisms:\n  m:\n    bodies: {a: {mass: 1, inertia: 1}}\n    joints:\n      J: {type: planar, parent: ground, child: a}\nprobes:\n  p: "
              "{joint: J}\n",
         8, "name a coordinate of joint 'J': x, y, angle", NULL},
    };
    EXPECT_ALL(LIST);
}

TEST(settings)
{
    static const wrong LIST[] = {
        {"path of nothing", TIME, 0, "", "gravty.0=3"},
        {"path of an unknown parameter", TIME "parameters: {speed: 1 m/s}\n", 0, "did you mean 'speed'?", "sped=3"},
        {"path into a value", TIME, 0, "inside a single value", "time.end.x=3"},
        {"path beyond a list", TIME "gravity: [0, 0]\n", 0, "it has 0 … 1", "gravity.2=3"},
        {"path with an unknown key", TIME, 0, "did you mean 'step'?", "time.stp=1e-3"},
        {"value in a wrong dimension", TIME, 0, "expected a time (s)", "time.step=3 m"},
        {"value out of range", TIME, 0, "must be positive", "time.end=-1"},
        {"value that is not YAML", TIME, 0, "not YAML", "time.end=[1"},
        {"value that is empty", TIME, 0, "empty", "time.end="},
        {"no value", TIME, 0, "path=value", "time.end"},
        {"no path", TIME, 0, "path=value", "=3"},
        {"word out of a list", TIME, 0, "expected one of", "solver.unconverged=panic"},
        {"include too late", TIME, 0, "include", "include=other.yaml"},
    };
    EXPECT_ALL(LIST);
}

TEST(several)
{
    write_scene("time: {step: 1 m}\n"                            /* 1: end missing, step a length */
                "gravty: [0, 0]\n"                               /* 2 */
                "materials: {steel: {density: -1}}\n"            /* 3 */
                "bodies:\n"                                      /* 4 */
                "  a:\n"                                         /* 5 */
                "    mass: 0 kg\n"                               /* 6 */
                "    shapes:\n"                                  /* 7 */
                "      - disk: {radius: 1 s, material: stone}\n" /* 8, twice */
                "    shapes: []\n"                               /* 9: twice */
                "probes: {p: {body: b}}\n");                     /* 10 */
    const int code = check_file(path, NULL);
    expect("end", path, 1, "'end' is missing", code);
    expect("step", path, 1, "expected a time", code);
    expect("gravty", path, 2, "did you mean 'gravity'?", code);
    expect("density", path, 3, "'density' is -1", code);
    expect("mass", path, 6, "must be positive", code);
    expect("radius", path, 8, "expected a length", code);
    expect("material", path, 8, "there is no material 'stone'", code);
    expect("shapes", path, 9, "given twice", code);
    expect("probe", path, 10, "there is no body 'b'", code);
    int last = 0, lines = 0;
    for (const char *p = said; p && *p; p = strchr(p, '\n'), p = p ? p + 1 : NULL) {
        const char *at = strstr(p, path);
        if (!at || at > p + strcspn(p, "\n")) continue;
        const int line = atoi(at + strlen(path) + 1);
        if (line < last) TEST_FAIL("line %d after line %d: not in the order of the file", line, last);
        last = line;
        lines++;
    }
    CHECK(lines == 9);
}

/* ---- space -------------------------------------------------------------------------------------------------------- */

#define SPACE "dimension: 3\n" STEEL "bodies:\n  ball:\n"
#define HEAP  "dimension: 3\n" STEEL "grains:\n  heap:\n"

TEST(space)
{
    static const wrong LIST[] = {
        {"disk in space", SPACE "    shapes: [{disk: {radius: 1, material: steel}}]\n", 6, "where it is 'sphere'", NULL},
        {"sphere in the plane", BODY "    shapes: [{sphere: {radius: 1, material: steel}}]\n", 5, "where it is 'disk'", NULL},
        {"stones in the plane", STEEL "grains:\n  heap: {generator: list, positions: [[0, 0]], shape: stone, radius: 1, material: steel}\n", 4,
         "'stone' in space only", NULL},
        {"half-space on a free body", SPACE "    shapes: [{half_space: {point: [0, 0, 0], normal: [0, 0, 1], material: steel}}]\n", 6, "no end", NULL},
        {"flat polyhedron", SPACE "    shapes: [{polyhedron: {points: [[0,0,0],[1,0,0],[0,1,0],[1,1,0]], material: steel}}]\n", 6, "plane", NULL},
        {"three points", SPACE "    shapes: [{polyhedron: {points: [[0,0,0],[1,0,0],[0,1,0]], material: steel}}]\n", 6, "at least 4", NULL},
        {"two orientations", SPACE "    orientation: {rpy_deg: [0, 0, 1], quat_wxyz: [1, 0, 0, 0]}\n", 6, "one of quat_wxyz", NULL},
        {"short quaternion", SPACE "    orientation: {quat_wxyz: [1, 0, 0]}\n", 6, "expected 4 numbers", NULL},
        {"zero quaternion", SPACE "    orientation: {quat_wxyz: [0, 0, 0, 0]}\n", 6, "must not be zero", NULL},
        {"unknown orientation", SPACE "    orientation: {euler: [0, 0, 0]}\n", 6, "unknown key 'euler'", NULL},
        {"impossible inertia", SPACE "    mass: 1\n    inertia_tensor: [1, 1, 3]\n", 7, "principal moments", NULL},
        {"inertia of two numbers", SPACE "    mass: 1\n    inertia_tensor: [1, 1]\n", 7, "xx, yy, zz", NULL},
        {"no mass", SPACE "    position: [0, 0, 1]\n", 5, "has no mass", NULL},
        {"disks in space", HEAP "    {generator: list, positions: [[0, 0, 0]], shape: disk, radius: 1, material: steel}\n", 6, "'disk' in the plane only",
         NULL},
        {"stones without size", HEAP "    {generator: list, positions: [[0, 0, 0]], shape: stone, material: steel}\n", 5, "a radius is a length", NULL},
        {"unknown sieve", HEAP "    {generator: list, positions: [[0, 0, 0]], shape: stone, sieve: EN, material: steel}\n", 6, "no sieve curve 'EN'", NULL},
        {"elongation beyond one", HEAP "    {generator: list, positions: [[0, 0, 0]], shape: stone, radius: 1, elongation: [0.5, 2], material: steel}\n", 5, "",
         NULL},
        {"flat region", HEAP "    {generator: drop, region: [[0, 0, 0], [1, 1, 0]], count: 3, shape: sphere, radius: 10 cm, material: steel}\n", 6,
         "only 0 of the 3", NULL},
        {"compactness without height",
         "dimension: 3\n" STEEL "grains: {heap: {generator: list, positions: [[0, 0, 0]], radius: 1, material: steel}}\nprobes:\n  c: {compactness: heap, "
         "region: [[0, 0, 0], [1, 1, 0]]}\n",
         6, "no volume", NULL},
        {"compactness of three corners",
         "dimension: 3\n" STEEL
         "grains: {heap: {generator: list, positions: [[0, 0, 0]], radius: 1, material: steel}}\nprobes:\n  c: {compactness: heap, region: [[0, 0, 0]]}\n",
         6, "[[x0, y0, z0], [x1, y1, z1]]", NULL},
        {"coordination in a flat region",
         "dimension: 3\n" STEEL "grains: {heap: {generator: list, positions: [[0, 0, 0]], radius: 1, material: steel}}\nprobes:\n  c: {coordination: heap, "
         "region: [[0, 0, 1], [1, 1, 1]]}\n",
         6, "no volume", NULL},
    };
    EXPECT_ALL(LIST);
}

int main(int argc, char **argv)
{
    make_folder();
    RUN(text);
    RUN(nesting);
    RUN(noise);
    RUN(entries);
    RUN(files);
    RUN(includes);
    RUN(keys);
    RUN(quantities);
    RUN(mechanisms);
    RUN(bodies);
    RUN(grains);
    RUN(probes);
    RUN(settings);
    RUN(several);
    RUN(space);
    remove_folder();
    return TEST_RESULT;
}
