/* Damaged cases of talus verify: whatever stands in case.yaml and its table, reading ends with a case or with mistakes that have a place.
 * CASE_FUZZ_RUNS says how many (default 2000). */
#include "study/verify.h"
#include "test.h"

static const char BALL[] = "gravity: [0, -9.81]\n"
                           "time: {end: 0.01 s, step: 1 ms}\n"
                           "materials: {stone: {density: 2000 kg/m^3}}\n"
                           "bodies: {ball: {position: [0, 1], shapes: [{disk: {radius: 0.1, material: stone}}]}}\n"
                           "probes: {height: {body: ball, quantity: y}}\n";
static const char CASE[] = "title: x\n"
                           "source: x\n"
                           "parameters: {h: 2 ms, late: 5 s}\n"
                           "tables: {line: table.csv}\n"
                           "functions: {f: 1 m - t*t*(5 m/s^2), g2: 2*f}\n"
                           "runs:\n"
                           "  fall: {scene: ball.yaml, set: {time.step: h}}\n"
                           "  slow: {scene: ball.yaml, long: true}\n"
                           "values: {rows: {run: fall, of: time/h, take: last}, twice: {of: 2*rows}}\n"
                           "checks:\n"
                           "  - {quantity: steps, of: twice, expected: 10, tolerance: 1e-9, because: x}\n"
                           "  - {quantity: table, run: fall, of: line.y - slow.height - g2, take: largest, from: h, to: 3*h, below: 1 m, because: x}\n"
                           "figures:\n"
                           "  - {title: a, x_label: b, log_y: true, curves: [{run: fall, x: time, y: height - f, style: dashed}, {points: [[1, rows]]}]}\n";
static const char TABLE[] = "time [s],y [mm],n\n0,1000,1\n1,2000,2\n";
static const char *const WORDS[] = {"{", "}", "[",    "]",      ":",     ",",  "run: fall",  "of: 1",      "null",       "- ",     "\n",     "  ",
                                    "t", "h", "rows", "line.y", "1e999", "''", "points: []", "curves: []", "take: min",  "{a: b}", "[1, 2]", "true",
                                    "s", "m", "#",    "\"",     "[",     "0",  "-",          "figures: 1", "values: []", "é",      "\x01"};

static char home[] = "/tmp/talus-fuzz-case-XXXXXX";

static void write_file(const char *name, const char *text)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", home, name);
    FILE *out = fopen(path, "w");
    if (!out || fputs(text, out) < 0 || fclose(out) != 0) exit(1);
}

/* One to three cuts, each with a word in its place. */
static void damage(char text[4096], tl_random *random)
{
    for (int k = 1 + tl_random_int(random, 3); k > 0; k--) {
        const int n = (int)strlen(text), at = tl_random_int(random, n + 1), most = tl_random_int(random, 4) ? 4 : 60;
        const int cut = tl_random_int(random, (n - at < most ? n - at : most) + 1);
        char rest[4096];
        snprintf(rest, sizeof rest, "%s", text + at + cut);
        const char *word = tl_random_int(random, 3) ? WORDS[tl_random_int(random, (int)(sizeof WORDS / sizeof *WORDS))] : "";
        snprintf(text + at, (size_t)(4096 - at), "%s%s", word, rest);
    }
}

static bool has_place(const char *mistake)
{
    for (const char *c = mistake; (c = strchr(c, ':')); c++) {
        char *end;
        if (strtol(c + 1, &end, 10) > 0 && *end == ':' && strtol(end + 1, &end, 10) > 0 && *end == ':') return true;
    }
    return false;
}

TEST(damaged_cases)
{
    const char *wanted = getenv("CASE_FUZZ_RUNS");
    tl_random random = tl_random_seed(7);
    int good = 0;
    write_file("ball.yaml", BALL);
    for (int i = 0; i < (wanted ? atoi(wanted) : 2000); i++) {
        char text[4096], table[4096];
        snprintf(text, sizeof text, "%s", CASE);
        snprintf(table, sizeof table, "%s", TABLE);
        if (i > 0) damage(tl_random_int(&random, 8) ? text : table, &random); /* the first is sound */
        write_file("case.yaml", text);
        write_file("table.csv", table);
        tl_case *c = tl_case_read(home, "fuzz", false);
        if (!c) exit(1);
        if (i == 0) CHECK(c->mistakes.count == 0 && c->checks == 2 && c->values == 2 && c->functions == 2 && c->runs == 2);
        CHECK((c->mistakes.status == TALUS_OK) == (c->mistakes.count == 0));
        for (int k = 0; k < c->mistakes.count; k++)
            if (!has_place(c->mistakes.item[k].text)) TEST_FAIL("no place: %s", c->mistakes.item[k].text);
        good += c->mistakes.count == 0;
        tl_case_free(c);
    }
    printf("%d of them were still cases\n", good);
}

int main(int argc, char **argv)
{
    if (!mkdtemp(home)) return 1;
    RUN(damaged_cases);
    const char *const names[] = {"ball.yaml", "case.yaml", "table.csv"};
    for (int i = 0; i < 3; i++) {
        char path[256];
        snprintf(path, sizeof path, "%s/%s", home, names[i]);
        remove(path);
    }
    rmdir(home);
    return TEST_RESULT;
}
