/* talus solve: the table, the file that it writes against closed forms, its exit codes, its JSON, and what it says of bad input. */
#include "command.h"
#include "talus/fclib.h"

#define SOLVE(...) execute((const char *const[]){"solve", __VA_ARGS__, NULL}, RLIM_INFINITY)

/* Contacts in a row, each with its own W = diagonal `own` and coupled with the next along the normal. */
static void make(const char *name, int contacts, double own, double coupling, double friction, const double q[3])
{
    enum { MOST = 64 };
    int row[MOST + 1] = {0}, column[3 * MOST], blocks = 0;
    double block[3 * MOST][9] = {{0}}, vector[MOST][3], mu[MOST];
    for (int i = 0; i < contacts; i++) {
        for (int j = i - 1; j <= i + 1; j++) {
            if (j < 0 || j >= contacts) continue;
            for (int e = 0; e < 9; e += 4) block[blocks][e] = j == i ? own : e == 0 ? coupling : 0;
            column[blocks++] = j;
        }
        row[i + 1] = blocks, mu[i] = friction;
        memcpy(vector[i], q, sizeof vector[i]);
    }
    talus_problem_def def = talus_problem_def_default();
    def.contacts = contacts, def.row = row, def.column = column, def.block = block[0], def.q = vector[0], def.friction = mu;
    talus_problem *p;
    char message[512];
    CHECK_OK(talus_problem_create(&def, &p, message, sizeof message), message);
    CHECK_OK(talus_fclib_save(p, in_home(name), name, message, sizeof message), message);
    talus_problem_destroy(p);
}

static void check_impulse(const char *name, const double wanted[3])
{
    talus_problem *p = NULL;
    char message[512];
    CHECK_OK(talus_fclib_load(in_home(name), &p, message, sizeof message), message);
    if (!p) return;
    for (int k = 0; k < 3; k++) CHECK_NEAR(talus_problem_get(p).impulse[k], wanted[k], 1e-7);
    talus_problem_destroy(p);
}

static void make_three(void)
{
    make("stick.hdf5", 1, 2, 0, 0.5, (const double[]){-1, 0.3, -0.4});
    make("slip.hdf5", 1, 2, 0, 0.5, (const double[]){-1, 3, -4});
    make("open.hdf5", 1, 2, 0, 0.5, (const double[]){1, 3, -4});
}

/* One contact, W = 2: I = −q/2 where it sticks; I_n = 1/2 and I_t = −μ I_n q_t/‖q_t‖ where it slips; nothing where it opens. */
TEST(closed_forms)
{
    make_three();
    CHECK(SOLVE(in_home("stick.hdf5"), "-o", in_home("out.hdf5")) == 0);
    check_impulse("out.hdf5", (const double[]){0.5, -0.15, 0.2});
    CHECK(SOLVE(in_home("slip.hdf5"), "--output", in_home("out.hdf5")) == 0); /* replaces it */
    check_impulse("out.hdf5", (const double[]){0.5, -0.15, 0.2});
    CHECK(SOLVE(in_home("open.hdf5"), "-o", in_home("open.hdf5")) == 0);
    check_impulse("open.hdf5", (const double[]){0, 0, 0});
}

/* A header and a line each, in columns. */
TEST(table)
{
    make_three();
    make("a-rather-long-name.hdf5", 12, 2, 0.5, 0.3, (const double[]){-1, 1, 0.5});
    CHECK(SOLVE(in_home("stick.hdf5"), in_home("a-rather-long-name.hdf5"), in_home("open.hdf5")) == 0);
    char text[4096];
    const char *line[8];
    int lines = 0;
    snprintf(text, sizeof text, "%s", read_whole("output"));
    for (char *at = strtok(text, "\n"); at && lines < 8; at = strtok(NULL, "\n")) line[lines++] = at;
    CHECK(lines == 4);
    if (lines != 4) return;
    static const char *const HEAD[] = {"problem", "contacts", "course", "iterations", "error", "ms", "converged"};
    const char *last = line[0];
    for (int k = 0; k < 7; k++) {
        const char *at = strstr(line[0], HEAD[k]);
        CHECK(at && at >= last);
        if (at) last = at;
    }
    static const char *const NAME[] = {"stick.hdf5 ", "a-rather-long-name.hdf5 ", "open.hdf5 "};
    for (int k = 0; k < 3; k++) {
        CHECK(strncmp(line[k + 1], NAME[k], strlen(NAME[k])) == 0);
        CHECK((long)strlen(line[k + 1]) > last - line[0] && strcmp(line[k + 1] + (last - line[0]), "yes") == 0);
        const long end = strstr(line[0], "contacts") + 8 - line[0];
        CHECK(atoi(line[k + 1] + end - 2) == (k == 1 ? 12 : 1));
    }
}

/* What cannot be read does not keep the rest from being solved; the worst decides on the exit code. */
TEST(exit_codes)
{
    make_three();
    make("hard.hdf5", 40, 1, 0.49, 0.3, (const double[]){-1, 1, 0.5});
    CHECK(SOLVE(in_home("hard.hdf5"), in_home("stick.hdf5"), "--tolerance", "1e-30", "--max-iterations", "3", "--time-limit", "1") == 1);
    CHECK(says("output", " no\n"));
    CHECK(SOLVE(in_home("hard.hdf5"), "--tolerance", "1e-30", "-n", "3", "-t", "1", "-o", in_home("best.hdf5")) == 1);
    CHECK(access(in_home("best.hdf5"), F_OK) == 0);
    CHECK(SOLVE(in_home("hard.hdf5"), in_home("missing.hdf5"), in_home("stick.hdf5"), "-e", "1e-30", "-n", "3", "-t", "1", "-j", in_home("all.json")) == 2);
    CHECK(says("output", "hard.hdf5") && says("output", "stick.hdf5") && says("errors", "missing.hdf5"));
    CHECK(says("all.json", "missing.hdf5\", \"message\": ") && says("all.json", "\"converged\": false"));
}

TEST(json)
{
    make_three();
    CHECK(SOLVE(in_home("stick.hdf5"), in_home("slip.hdf5"), "--json", in_home("two.json")) == 0);
    const char *text = read_whole("two.json");
    CHECK(text[0] == '[' && strcmp(text + strlen(text) - 2, "]\n") == 0);
    int objects = 0;
    for (const char *at = text; (at = strchr(at, '{')); at++) objects++;
    CHECK(objects == 2);
    static const char *const KEY[] = {"\"file\": \"/tmp/", "\"dimension\": 3", "\"contacts\": 1", "\"solver\": \"",     "\"course\": \"",
                                      "\"iterations\": ",  "\"error\": ",      "\"seconds\": ",   "\"converged\": true"};
    for (size_t k = 0; k < sizeof KEY / sizeof *KEY; k++) CHECK(says("two.json", KEY[k]));
}

/* Every solver by its name comes to the same. */
TEST(solvers)
{
    for (int i = 0; talus_problem_solver_name(i); i++) {
        make_three();
        CHECK(SOLVE(in_home("slip.hdf5"), "--solver", talus_problem_solver_name(i), "-o", in_home("out.hdf5")) == 0);
        check_impulse("out.hdf5", (const double[]){0.5, -0.15, 0.2});
        CHECK(SOLVE(in_home("slip.hdf5"), "-s", "miracle") == 2 && says("errors", talus_problem_solver_name(i)));
    }
    CHECK(says("errors", "there is no solver 'miracle'") && says("errors", "auto"));
    CHECK(SOLVE(in_home("slip.hdf5"), "-s", "newtn") == 2 && says("errors", "did you mean 'newton'?"));
}

TEST(refusals)
{
    make_three();
    char stick[256];
    snprintf(stick, sizeof stick, "%s", in_home("stick.hdf5"));
    CHECK(execute((const char *const[]){"solve", NULL}, RLIM_INFINITY) == 2 && says("errors", "which problem"));
    CHECK(SOLVE(stick, stick, "-o", in_home("out.hdf5")) == 2 && says("errors", "-o writes one problem, and 2 are given"));
    CHECK(SOLVE(stick, "--tolerance", "0") == 2 && says("errors", "--tolerance wants"));
    CHECK(SOLVE(stick, "--tolerance", "tight") == 2 && says("errors", "'tight'"));
    CHECK(SOLVE(stick, "--max-iterations", "1.5") == 2 && says("errors", "'1.5'"));
    CHECK(SOLVE(stick, "--max-iterations", "-1") == 2 && says("errors", "'-1'"));
    CHECK(SOLVE(stick, "--time-limit", "nan") == 2 && says("errors", "'nan'"));
    CHECK(SOLVE(stick, "--speed") == 2 && says("errors", "not known"));
    CHECK(SOLVE(stick, "--json", in_home("nowhere/x.json")) == 2 && says("errors", "nowhere/x.json"));
    CHECK(SOLVE(stick, "-o", in_home("nowhere/x.hdf5")) == 2 && says("errors", "nowhere/x.hdf5") && says("output", "yes"));
    CHECK(SOLVE(in_home("output")) == 2 && says("errors", "not HDF5"));
    /* a disk that is full: the file that is there stays */
    make("large.hdf5", 60, 2, 0.5, 0.3, (const double[]){-1, 1, 0.5});
    struct stat before, after;
    CHECK(stat(in_home("large.hdf5"), &before) == 0);
    CHECK(execute((const char *const[]){"solve", in_home("large.hdf5"), "-o", in_home("large.hdf5"), NULL}, 4096) == 2);
    CHECK(says("errors", "cannot write") && stat(in_home("large.hdf5"), &after) == 0 && before.st_size == after.st_size);
    CHECK(SOLVE(in_home("large.hdf5")) == 0 && access(in_home("large.hdf5.tmp"), F_OK) != 0);
}

/* The problem of a step of a run has the impulses that the step found: good enough from the start, for the step's tolerance. */
TEST(problems_of_a_run)
{
    char heap[256];
    snprintf(heap, sizeof heap, "%s", in_home("heap"));
    CHECK(execute((const char *const[]){"run", TALUS_SOURCE_DIR "/examples/stones/heap.yaml", "-u", "0.25", "-d", "0.125 s", "-q", "-o", heap, NULL},
                  RLIM_INFINITY) == 0);
    CHECK(access(in_home("heap/problems/step-00000250.hdf5"), F_OK) == 0 && access(in_home("heap/problems/step-00000249.hdf5"), F_OK) != 0);
    CHECK(SOLVE(in_home("heap/problems/step-00000250.hdf5"), "-e", "1e-2", "-j", in_home("heap.json")) == 0);
    CHECK(says("heap.json", "\"course\": \"\"") && says("heap.json", "\"converged\": true"));
    snprintf(heap, sizeof heap, "%s", in_home("global"));
    CHECK(execute((const char *const[]){"run", TALUS_SOURCE_DIR "/examples/stones/heap.yaml", "-u", "0.25", "-d", "0.25 s", "--global", "-q", "-o", heap, NULL},
                  RLIM_INFINITY) == 0);
    CHECK(SOLVE(in_home("global/problems/step-00000250.hdf5"), "-e", "1e-2", "-j", in_home("global.json")) == 0);
    CHECK(says("global.json", "\"course\": \"\"") && says("global.json", "\"converged\": true"));
    CHECK(execute((const char *const[]){"run", TALUS_SOURCE_DIR "/examples/stones/heap.yaml", "--global", NULL}, RLIM_INFINITY) == 2 &&
          says("errors", "--dump-problems"));
    CHECK(execute((const char *const[]){"run", TALUS_SOURCE_DIR "/examples/stones/heap.yaml", "-d", "soon", NULL}, RLIM_INFINITY) == 2 &&
          says("errors", "'soon'"));
}

/* Rows of a complementarity problem in a run: what is no contact is refused by name, the convex relaxation as well. */
TEST(rows_in_a_run)
{
    static const char *const SOLVER[] = {"pivot", "split", "pgs"};
    static const char SCENE[] =
        "dimension: 2\ngravity: [0, -9.81]\ntime: {end: 5 ms, step: 1 ms}\nmaterials: {m: {density: 1000}}\ninteractions: [{friction: 0.3}]\nbodies:\n"
        "  floor: {kind: fixed, shapes: [{half_plane: {point: [0, 0], normal: [0, 1], material: m}}]}\n"
        "  a: {position: [0, 0.1], shapes: [{disk: {radius: 0.1, material: m}}]}\n  b: {position: [0.3, 0.1], shapes: [{disk: {radius: 0.1, material: m}}]}\n";
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            char scene[256], out[256], wanted[100] = "joints between bodies";
            snprintf(scene, sizeof scene, "%s", in_home("rows.yaml"));
            snprintf(out, sizeof out, "%s", in_home("rows"));
            FILE *file = fopen(scene, "w");
            CHECK(file != NULL);
            if (!file) return;
            fprintf(file, "%ssolver: {method: %s%s}\n%s", SCENE, SOLVER[i], k == 2 ? ", convex: true" : "",
                    k == 1 ? "joints: {j: {type: revolute, bodies: [a, b], at: [0.15, 0.1]}}\n" : "");
            fclose(file);
            if (k == 2) snprintf(wanted, sizeof wanted, "solver '%s' has no convex relaxation", SOLVER[i]);
            const int code = execute((const char *const[]){"run", scene, "-q", "--force", "-o", out, NULL}, RLIM_INFINITY);
            CHECK(k == 0 ? code == 0 : code != 0 && says("errors", wanted));
        }
}

int main(int argc, char **argv)
{
    make_home();
    RUN(closed_forms);
    RUN(table);
    RUN(exit_codes);
    RUN(json);
    RUN(solvers);
    RUN(refusals);
    RUN(problems_of_a_run);
    RUN(rows_in_a_run);
    remove_home();
    return TEST_RESULT;
}
