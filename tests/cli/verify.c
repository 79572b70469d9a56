/* talus verify as its user sees it: good cases hold; a broken constant is seen, by every kind of check; mistakes in a case are named with their
 * place; the page has every row and figure. */
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <time.h>

#include "test.h"

static char home[64]; /* everything happens below it */

/* ---- files and runs ----------------------------------------------------------------------------------------------- */

static char *read_file(const char *path)
{
    FILE *in = fopen(path, "rb");
    char *text = NULL;
    size_t size = 0, room = 0;
    for (size_t got = 1; in && got > 0; size += got) {
        if (size + 1 >= room) text = realloc(text, room = 2 * room + 4096);
        if (!text) exit(1);
        got = fread(text + size, 1, room - size - 1, in);
    }
    if (!in) return NULL;
    fclose(in);
    text[size] = '\0';
    return text;
}

static void write_file(const char *path, const char *text)
{
    FILE *out = fopen(path, "w");
    if (!out || fputs(text, out) < 0 || fclose(out) != 0) exit(1);
}

__attribute__((format(printf, 1, 2))) static int shell(const char *format, ...)
{
    char command[4096];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(command, sizeof command, format, arguments);
    va_end(arguments);
    const int status = system(command);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static char *out, *errors; /* of the last verification */

/* talus verify WORDS; what it says is in out and errors. */
static int verify(const char *words)
{
    char path[128];
    free(out), free(errors);
    const int code = shell("mkdir -p %s/tmp; TMPDIR=%s/tmp %s verify %s >%s/out.txt 2>%s/err.txt", home, home, TALUS_COMMAND, words, home, home);
    snprintf(path, sizeof path, "%s/out.txt", home);
    out = read_file(path);
    snprintf(path, sizeof path, "%s/err.txt", home);
    errors = read_file(path);
    if (!out || !errors) exit(1);
    CHECK(shell("test -z \"$(ls %s/tmp)\"", home) == 0); /* nothing is left behind */
    return code;
}

/* The verdict of a row, "" when the table has no such row. */
static const char *verdict(const char *name, const char *quantity)
{
    static char word[16];
    word[0] = '\0';
    for (const char *line = out; *line; line += strcspn(line, "\n") + (strchr(line, '\n') != NULL)) {
        char row[1024];
        snprintf(row, sizeof row, "%.*s", (int)strcspn(line, "\n"), line);
        const char *at = strstr(row, quantity), *whose = strstr(row, name);
        if (whose && strncmp(whose - 2, "  ", 2) == 0 && whose < at && strncmp(at + strlen(quantity), "  ", 2) == 0)
            snprintf(word, sizeof word, "%.*s", (int)strcspn(row, " "), row);
    }
    return word;
}

static int count(const char *text, const char *word)
{
    int n = 0;
    for (const char *at = text; (at = strstr(at, word)); at += strlen(word)) n++;
    return n;
}

/* ---- cases that hold, and those broken on purpose ----------------------------------------------------------------- */

TEST(holds)
{
    CHECK(verify("--cases " TALUS_SOURCE_DIR "/verify bouncing-ball incline projectile -j 2") == 0);
    CHECK(count(out, "\nholds ") == 21 && count(out, "\nFAILS ") == 0);
    CHECK(strcmp(verdict("bouncing-ball", "e = 0.7: apex after the first bounce"), "holds") == 0);
    CHECK(strcmp(verdict("incline", "μ = 0.5 tan α: distance after 1 s"), "holds") == 0);
    CHECK(strncmp(out, "verdict", 7) == 0 && strstr(out, "21 hold, 0 fail, 0 left out; 12 runs"));
    /* expected, obtained, tolerance and reason of a row, whose numbers are known */
    const char *row = strstr(out, "free fall: height at 0.4 s");
    CHECK(row && strstr(row, "0.2152 m") && strstr(row, "± 1e-12 m") && strstr(row, "exact in free flight"));
    CHECK(errors[0] == '\0');
}

typedef struct damage {
    const char *name, *file, *from, *to, *quantity;
} damage;

/* A copy of a case in which one thing is wrong: 1, and the right row says so. */
static void check_damage(const damage *d)
{
    char path[512], words[512];
    CHECK(shell("rm -rf %s/verify && mkdir -p %s/verify && cp -r %s/verify/%s %s/verify", home, home, TALUS_SOURCE_DIR, d->name, home) == 0);
    snprintf(path, sizeof path, "%s/verify/%s/%s", home, d->name, d->file);
    snprintf(words, sizeof words, "--cases %s/verify --quick", home);
    char *text = read_file(path), *at = text ? strstr(text, d->from) : NULL;
    if (!at) {
        TEST_FAIL("%s has no '%s'", path, d->from);
        return;
    }
    char *changed = calloc(strlen(text) + strlen(d->to) + 1, 1);
    if (!changed) exit(1);
    sprintf(changed, "%.*s%s%s", (int)(at - text), text, d->to, at + strlen(d->from));
    CHECK(verify(words) == 0);
    CHECK(strcmp(verdict(d->name, d->quantity), "holds") == 0);
    write_file(path, changed);
    const int code = verify(words);
    if (code != 1 || strcmp(verdict(d->name, d->quantity), "FAILS") != 0)
        TEST_FAIL("%s with '%s': exit code %d, '%s' %s\n%s", d->name, d->to, code, d->quantity, verdict(d->name, d->quantity), errors);
    free(text);
    free(changed);
}

TEST(sees_what_is_broken)
{
    static const damage DAMAGES[] = {
        /* takes: last, max, min, largest, mean and first */
        {"bouncing-ball", "ball.yaml", "-9.81", "-9.80", "free fall: height at 0.4 s"},
        {"bouncing-ball", "ball.yaml", "restitution: e", "restitution: e*0.99", "e = 0.7: velocity after the first bounce"},
        {"vibrating-plate", "plate.yaml", "[0, -9.81 m/s^2]", "[0, -9.5 m/s^2]", "k = 0.98: least force"}, /* above */
        {"projectile", "stone.yaml", "[3 m/s", "[3.001 m/s", "distance over time"},
        {"four-bar", "case.yaml", "gain - before", "gain - before + 0.01 J", "work of the motor in half a turn"},
        {"four-bar", "driven.yaml", "[0.9 m, 0]", "[0.9001 m, 0]", "angle of the rocker"}, /* functions of t */
        /* friction and its threshold; an expected number; a bound from above; one body's force on another */
        {"incline", "block.yaml", "friction: friction}", "friction: friction*1.01}", "μ = 0.5 tan α: distance after 1 s"},
        {"incline", "block.yaml", "friction: friction}", "friction: friction*0.99}", "μ = 1.005 tan α: distance"},
        {"rolling-disk", "case.yaml", "expected: 2*v0/3", "expected: 3*v0/4", "velocity of rolling"},
        {"tipping-box", "case.yaml", "below: \"", "below: \"0.9*", "α = 1.2 atan(a/b): has turned"},
        {"cradle", "cradle.yaml", "density: 2000", "density: 2001", "α = 45°: force of the left disk"},
        /* a table; another run beside it; an order of convergence; a published number */
        {"double-pendulum", "arms.yaml", "stiffness: 2.5", "stiffness: 2.501", "shoulder over time, h = 1 ms"},
        {"double-pendulum", "reference.csv", "-3.1935069459400097", "-3.1935169459400097", "extrapolated to h = 0"},
        {"oscillator", "slider.yaml", "time: {end: 1 s", "integrator: {theta: 0.6}\ntime: {end: 1 s", "order, 10 → 5 ms"},
        /* machines that drive: a ratio, a torque, a gear, a bulk modulus, a load on one side of a bound */
        {"planetary", "planetary.yaml", "ratio: i", "ratio: 1.001*i", "sun held: ring over carrier"},
        {"planetary", "differential.yaml", "inertia: 0.9", "inertia: 0.901", "open differential: right wheel after 1 s"},
        {"converter", "converter.yaml", "0.0038, 0.003", "0.0038, 0.00301", "ν = 0.8: torque of the pump"},
        {"hill-start", "converter.yaml", "ratio: -gear", "ratio: -0.97*gear", "slope of 0.98 of the stall torque: way in 1 s"},
        {"hill-start", "clutch.yaml", "mass: 1400 kg", "mass: 1401 kg", "clutch, slope of 0.8 of T i/r: acceleration from 4 to 5 s"},
        {"hydraulic-spring", "spring.yaml", "bulk_modulus: beta", "bulk_modulus: 1.01*beta", "order, h/2 to h/4"},
        {"hydraulic-spring", "accumulator.yaml", "exponent: n", "exponent: 1.001*n", "accumulator: pressure as it fills by half"},
        {"squeezer", "squeezer.yaml", "4530 N/m", "4531 N/m", "β at 0.03 s, extrapolated to h = 0"},
    };
    for (size_t i = 0; i < sizeof DAMAGES / sizeof *DAMAGES; i++) check_damage(&DAMAGES[i]);
}

/* ---- small cases of our own --------------------------------------------------------------------------------------- */

static const char BALL[] = "gravity: [0, -9.81]\n"
                           "time: {end: 0.1 s, step: 1 ms}\n"
                           "materials: {stone: {density: 2000 kg/m^3}}\n"
                           "bodies: {ball: {position: [0, 1], shapes: [{disk: {radius: 0.1, material: stone}}]}}\n"
                           "probes: {height: {body: ball, quantity: y}}\n";

/* Line 4 has the run, line 6 the check. */
#define HEAD "title: A ball\nsource: Galilei\nparameters: {g: 9.81 m/s^2}\nruns: {fall: {scene: ball.yaml}}\nchecks:\n"
#define GOOD HEAD "  - {quantity: height, run: fall, of: height, take: last, expected: 1 m - g*(0.1 s)^2/2, tolerance: 1e-9 m, because: exact}\n"

static int verify_text(const char *text, const char *more)
{
    char path[256], words[512];
    CHECK(shell("rm -rf %s/verify && mkdir -p %s/verify/mine", home, home) == 0);
    snprintf(path, sizeof path, "%s/verify/mine/ball.yaml", home);
    write_file(path, BALL);
    snprintf(path, sizeof path, "%s/verify/mine/table.csv", home);
    write_file(path, "time [s],y [mm],n\n0,1000,1\n1,2000,2\n");
    snprintf(path, sizeof path, "%s/verify/mine/case.yaml", home);
    write_file(path, text);
    snprintf(words, sizeof words, "--cases %s/verify %s", home, more);
    return verify(words);
}

typedef struct wrong {
    const char *what, *text;
    int line, column; /* column 0: any */
    const char *says;
} wrong;

TEST(wrong_cases)
{
    static const wrong WRONG[] = {
        {"empty", "", 1, 1, "the file is empty"},
        {"a list", "- 1\n", 1, 1, "keys and values"},
        {"unknown key", HEAD "  - {quantity: h, run: fall, of: height, take: last, expeted: 1 m, tolerance: 1 m, because: x}\n", 6, 0,
         "did you mean 'expected'?"},
        {"no title", "source: x\nruns: {fall: {scene: ball.yaml}}\nchecks: [{quantity: q, of: 1, above: 0, because: x}]\n", 1, 0, "'title' is missing"},
        {"unknown probe", HEAD "  - {quantity: h, run: fall, of: heigth, take: last, expected: 1 m, tolerance: 1 m, because: x}\n", 6, 34,
         "did you mean 'height'?"},
        {"unknown run", HEAD "  - {quantity: h, run: fal, of: height, take: last, expected: 1 m, tolerance: 1 m, because: x}\n", 6, 24,
         "there is no run 'fal'; did you mean 'fall'?"},
        {"unknown take", HEAD "  - {quantity: h, run: fall, of: height, take: lst, expected: 1 m, tolerance: 1 m, because: x}\n", 6, 48,
         "did you mean 'last'?"},
        {"wrong unit", HEAD "  - {quantity: h, run: fall, of: height, take: last, expected: 1 s, tolerance: 1 m, because: x}\n", 6, 64,
         "a time (s); what it is compared with is a length (m)"},
        {"wrong tolerance", HEAD "  - {quantity: h, run: fall, of: height, take: last, expected: 1 m, tolerance: 1 kg, because: x}\n", 6, 80, "a mass (kg)"},
        {"sum of kinds", HEAD "  - {quantity: h, run: fall, of: height + g, take: last, expected: 1 m, tolerance: 1 m, because: x}\n", 6, 34, "do not add up"},
        {"no reason", HEAD "  - {quantity: h, run: fall, of: height, take: last, expected: 1 m, tolerance: 1 m}\n", 6, 0, "'because' is missing"},
        {"no tolerance", HEAD "  - {quantity: h, run: fall, of: height, take: last, expected: 1 m, because: x}\n", 6, 5, "a check says"},
        {"two ways", HEAD "  - {quantity: h, run: fall, of: height, take: last, expected: 1 m, tolerance: 1 m, below: 1 m, because: x}\n", 6, 5,
         "a check says"},
        {"no take", HEAD "  - {quantity: h, run: fall, of: height, expected: 1 m, tolerance: 1 m, because: x}\n", 6, 5, "both, or neither"},
        {"rows without a run", HEAD "  - {quantity: h, of: height, expected: 1 m, tolerance: 1 m, because: x}\n", 6, 23, "'height' is not known here"},
        {"missing scene", "title: x\nsource: x\nruns:\n  fall: {scene: bal.yaml}\nchecks: [{quantity: q, of: 1, above: 0, because: x}]\n", 4, 17,
         "cannot read the scene"},
        {"bad setting",
         "title: x\nsource: x\nruns:\n  fall: {scene: ball.yaml, set: {time.stepp: 1 s}}\nchecks: [{quantity: q, of: 1, above: 0, because: x}]\n", 4, 17,
         "unknown key 'stepp'"},
        {"settings in a list", "title: x\nsource: x\nruns:\n  fall: {scene: ball.yaml, set: [1]}\nchecks: [{quantity: q, of: 1, above: 0, because: x}]\n", 4,
         33, "'set' wants names"},
        {"no checks", "title: x\nsource: x\nruns: {fall: {scene: ball.yaml}}\nchecks: []\n", 4, 1, "a case checks something"},
        {"missing table", HEAD "  - {quantity: q, of: 1, above: 0, because: x}\ntables: {exact: none.csv}\n", 7, 17, "cannot read"},
        {"table without time", HEAD "  - {quantity: q, of: 1, above: 0, because: x}\ntables: {exact: ball.yaml}\n", 7, 17, ""},
        {"two things of one name", HEAD "  - {quantity: q, of: 1, above: 0, because: x}\nfunctions: {height: 1 m}\n", 4, 0, "the name of two things"},
        {"function of a column", HEAD "  - {quantity: q, of: 1, above: 0, because: x}\nfunctions: {twice: 2*height}\n", 7, 20, "'height' is not known here"},
        {"value before it is taken", HEAD "  - {quantity: q, of: 1, above: 0, because: x}\nvalues: {a: {of: b}, b: {of: 1}}\n", 7, 18, "'b' is not known here"},
        {"curve of nothing", GOOD "figures: [{title: f, curves: [{run: fall}]}]\n", 7, 31, "a curve wants"},
        {"figure of nothing", GOOD "figures: [{title: f, curves: []}]\n", 7, 0, "1 to 32 curves"},
        {"curve with a wrong name", GOOD "figures: [{title: f, curves: [{run: fall, y: heigt}]}]\n", 7, 46, "did you mean 'height'?"},
        {"point of three", GOOD "figures: [{title: f, curves: [{points: [[1, 2, 3]]}]}]\n", 7, 41, "a point is [x, y]"},
        {"points that are none", GOOD "figures: [{title: f, curves: [{points: 3}]}]\n", 7, 0, "'points' wants a list"},
        {"title that is a map", "title: {a: b}\nsource: x\nruns: {fall: {scene: ball.yaml}}\nchecks: [{quantity: q, of: 1, above: 0, because: x}]\n", 1, 8,
         "'title' wants a text"},
    };
    for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++) {
        const wrong *w = &WRONG[i];
        char place[64];
        const int code = verify_text(w->text, "");
        snprintf(place, sizeof place, w->column ? "mine/case.yaml:%d:%d: " : "mine/case.yaml:%d:", w->line, w->column);
        if (code != 2 || !strstr(errors, place) || !strstr(errors, w->says) || out[0])
            TEST_FAIL("%s: exit code %d, expected '%s' and '%s' in: %s", w->what, code, place, w->says, errors);
    }
}

TEST(own_cases)
{
    CHECK(verify_text(GOOD, "") == 0);
    CHECK(strcmp(verdict("mine", "height"), "holds") == 0);
    /* units of a table, interpolation, values of values, a parameter that goes to the scene */
    CHECK(verify_text("title: x\nsource: x\nparameters: {h: 2 ms, late: 5 s}\ntables: {line: table.csv}\n"
                      "runs: {fall: {scene: ball.yaml, set: {time.step: h}}}\n"
                      "values: {rows: {run: fall, of: time/h, take: last}, twice: {of: 2*rows}}\n"
                      "checks:\n"
                      "  - {quantity: steps, of: twice, expected: 100, tolerance: 1e-9, because: x}\n"
                      "  - {quantity: table, run: fall, of: line.y - 1 m - time*(1 m/s), take: largest, expected: 0 mm, tolerance: 1e-12 m, because: x}\n"
                      "  - {quantity: mean, run: fall, of: time, take: mean, from: h, to: 3*h, expected: 2*h, tolerance: 1e-12 s, because: x}\n",
                      "") == 0);
    CHECK(count(out, "holds  ") == 3);
    /* a row that is not a number, a window without rows, and times beyond a table do not hold */
    CHECK(verify_text("title: x\nsource: x\ntables: {line: table.csv}\nruns: {fall: {scene: ball.yaml, set: {time.end: 1.5 s}}}\n"
                      "checks:\n"
                      "  - {quantity: root, run: fall, of: sqrt(0.5 s - time), take: max, below: 1e9, because: x}\n"
                      "  - {quantity: window, run: fall, of: height, take: max, from: 2 s, below: 1e9 m, because: x}\n"
                      "  - {quantity: beyond, run: fall, of: line.y, take: min, above: -1e9 m, because: x}\n",
                      "") == 1);
    CHECK(count(out, "\nFAILS ") == 3 && strstr(out, "not a number") && strstr(out, "no row in this time"));
}

TEST(runs_that_fail)
{
    char text[2048], path[256];
    snprintf(text, sizeof text, "%sloads: {push: {body: ball, x: 3 * sqrt(1 - 20 Hz*t)}}\n", BALL); /* not a number after 50 ms */
    CHECK(verify_text(GOOD, "") == 0);
    snprintf(path, sizeof path, "%s/verify/mine/ball.yaml", home);
    write_file(path, text);
    snprintf(text, sizeof text, "--cases %s/verify", home);
    CHECK(verify(text) == 1);
    CHECK(strcmp(verdict("mine", "height"), "FAILS") == 0 && strstr(out, "the run 'fall' failed") && strstr(out, "of which 1 failed"));
    CHECK(strstr(errors, "mine/fall: ") && strlen(errors) > 20); /* and why */
}

TEST(quick)
{
    static const char LONG[] = "title: x\nsource: x\nruns: {fall: {scene: ball.yaml}, slow: {scene: ball.yaml, long: true}}\n"
                               "values: {a: {run: slow, of: height, take: last}, b: {of: 2*a}}\n"
                               "checks:\n"
                               "  - {quantity: one, run: fall, of: height, take: last, above: 0 m, because: x}\n"
                               "  - {quantity: two, of: b, above: 0 m, because: x}\n"
                               "  - {quantity: three, run: fall, of: height - slow.height, take: largest, below: 1 m, because: x}\n"
                               "  - {quantity: four, run: fall, of: height, take: last, above: b - 9 m, because: x}\n";
    CHECK(verify_text(LONG, "") == 0 && count(out, "holds  ") == 4);
    CHECK(verify_text(LONG, "--quick") == 0);
    CHECK(count(out, "holds  ") == 1 && count(out, "\nleft out ") == 3 && strstr(out, "1 hold, 0 fail, 3 left out; 1 runs"));
}

/* ---- options ------------------------------------------------------------------------------------------------------ */

TEST(options)
{
    CHECK(verify("--list --cases " TALUS_SOURCE_DIR "/verify") == 0);
    CHECK(strstr(out, "slider-crank ") && strstr(out, "A ball") == NULL && strstr(out, "Block on an incline"));
    CHECK(verify("--list") == 0 && strstr(out, "Block on an incline")); /* those of the sources */
    CHECK(verify("inclin") == 2 && strstr(errors, "there is no case 'inclin'; did you mean 'incline'?"));
    CHECK(verify("--cases /nowhere") == 2 && strstr(errors, "there are no cases"));
    CHECK(verify("-j 0") == 2 && verify("-j x") == 2 && verify("--frobnicate") == 2);
    CHECK(verify("projectile -o /proc/none") == 2);
    CHECK(verify_text(GOOD, "") == 0);
    char words[512];
    snprintf(words, sizeof words, "%s/verify", home);
    setenv("TALUS_VERIFY", words, 1);
    CHECK(verify("") == 0 && strcmp(verdict("mine", "height"), "holds") == 0);
}

/* Interrupted: 130, and nothing is left. */
TEST(interrupted)
{
    char words[512], path[256], text[2048];
    CHECK(verify_text(GOOD, "") == 0);
    snprintf(path, sizeof path, "%s/verify/mine/ball.yaml", home);
    snprintf(text, sizeof text, "include: []\n%s", BALL);
    char *end = strstr(text, "end: 0.1 s");
    memcpy(end, "end: 1e7 s", 10);
    write_file(path, text);
    snprintf(words, sizeof words, "--cases %s/verify", home);
    const pid_t child = fork();
    if (child == 0) {
        setpgid(0, 0);
        snprintf(path, sizeof path, "%s/tmp", home);
        setenv("TMPDIR", path, 1);
        snprintf(path, sizeof path, "%s/verify", home);
        const int nothing = open("/dev/null", O_RDWR);
        dup2(nothing, 1), dup2(nothing, 2);
        execl(TALUS_COMMAND, "talus", "verify", "--cases", path, (char *)NULL);
        _exit(99);
    }
    for (int i = 0; i < 600 && shell("test -n \"$(ls %s/tmp/*/mine/fall/series.csv 2>/dev/null)\"", home) != 0; i++)
        nanosleep(&(struct timespec){0, 50000000}, NULL);
    kill(-child, SIGINT); /* as a terminal does: everyone in the group */
    int status;
    waitpid(child, &status, 0);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 130);
    CHECK(shell("test -z \"$(ls %s/tmp)\"", home) == 0);
}

/* ---- the page ----------------------------------------------------------------------------------------------------- */

/* Every tag is closed in its turn, and & and < stand for nothing else. */
static bool well_formed(const char *text)
{
    char stack[64][32];
    int depth = 0;
    for (const char *c = text; *c; c++) {
        if (*c == '&' && strcspn(c, ";") > 6) return false;
        if (*c != '<' || c[1] == '!') continue;
        const char *end = strchr(c, '>');
        const size_t n = strcspn(c + 1 + (c[1] == '/'), " />\n");
        if (!end || n == 0 || n > 31) return false;
        if (c[1] == '/') {
            if (depth == 0 || strncmp(stack[depth - 1], c + 2, n) != 0 || stack[depth - 1][n]) return false;
            depth--;
        } else if (end[-1] != '/') {
            if (depth == 64) return false;
            snprintf(stack[depth++], 32, "%.*s", (int)n, c + 1);
        }
        c = end;
    }
    return depth == 0;
}

TEST(page)
{
    char words[512], path[512];
    snprintf(words, sizeof words, "--cases %s/verify bouncing-ball oscillator column -o %s/page", TALUS_SOURCE_DIR, home);
    CHECK(verify(words) == 0);
    snprintf(path, sizeof path, "%s/page/verify.html", home);
    char *page = read_file(path);
    if (!page) {
        TEST_FAIL("there is no %s", path);
        return;
    }
    CHECK(well_formed(page));
    CHECK(count(page, "<svg ") == 4 && count(page, "<figure>") == 4); /* the figures of the three cases */
    CHECK(count(page, "<tr><td ") == 9 + 4 + 21 && count(page, "<section ") == 3);
    CHECK(strstr(page, "e = 0.7: flight after the first bounce") && strstr(page, "force under disk 20") && strstr(page, "Ball on a floor") &&
          strstr(page, "34 of 34 hold"));
    CHECK(strstr(page, "prefers-color-scheme:dark") && strstr(page, "width=device-width"));
    CHECK(count(page, "http://") == count(page, "http://www.w3.org/2000/svg") && !strstr(page, "https://") && !strstr(page, "src=")); /* self-contained */
    CHECK(shell("test -s %s/page/bouncing-ball/e07/series.csv && test -s %s/page/column/disks/summary.json", home, home) == 0);
    CHECK(!well_formed("<p><b></p></b>") && !well_formed("<p>a & b</p>") && well_formed("<p>a &amp; <i>b</i><br/></p>"));
    free(page);
    /* once more into the same place */
    CHECK(verify(words) == 0);
}

static int remove_one(const char *path, const struct stat *s, int kind, struct FTW *walk)
{
    (void)s, (void)kind, (void)walk;
    return remove(path);
}

int main(int argc, char **argv)
{
    snprintf(home, sizeof home, "/tmp/talus-test-verify-XXXXXX");
    if (!mkdtemp(home)) return 1;
    RUN(holds);
    RUN(sees_what_is_broken);
    RUN(wrong_cases);
    RUN(own_cases);
    RUN(runs_that_fail);
    RUN(quick);
    RUN(options);
    RUN(interrupted);
    RUN(page);
    nftw(home, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    return TEST_RESULT;
}
