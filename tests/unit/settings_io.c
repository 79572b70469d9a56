/* Settings of the world by the table of scene keys: what a scene says is what the definition has, for every setting that the table has, and nothing else
 * changes. Solvers by the names of their own table. */
#include <stdio.h>
#include <string.h>

#include "lab.h"
#include "scene/build.h"

/* One key of the table: its map (NULL: the scene itself), and where it is. */
typedef struct setting {
    const char *map;
    const tl_key *key;
} setting;

static int list_settings(const char *map, const tl_key *keys, setting *out)
{
    int n = 0;
    for (const tl_key *k = keys; k->name; k++) {
        if (k->at > 0) out[n++] = (setting){map, k};
        if (k->type == KEY_OBJECT) n += list_settings(k->name, k->sub, out + n);
    }
    return n;
}

/* What a scene says that has this one line. */
static talus_world_def read_with(const setting *s, const char *value)
{
    char text[300];
    talus_world_def d;
    memset(&d, 0, sizeof d); /* its bytes are compared */
    if (!s->map) snprintf(text, sizeof text, "%s: %s\n", s->key->name, value);
    else snprintf(text, sizeof text, "%s: {%s: %s}\n", s->map, s->key->name, value);
    talus_scene *scene = load_lab(text);
    tl_read_settings(&scene->reading, scene->root, TL_SCENE_KEYS, &d);
    talus_scene_destroy(scene);
    return d;
}

/* Only this member, of so many bytes, may differ from zero. */
static void check_only(const setting *s, const talus_world_def *d, const void *wanted, size_t size)
{
    talus_world_def expected;
    memset(&expected, 0, sizeof expected);
    memcpy((char *)&expected + s->key->at, wanted, size);
    if (memcmp(d, &expected, sizeof expected) != 0) TEST_FAIL("'%s' is not what the scene says", s->key->name);
}

static void check_words(const setting *s)
{
    char list[TL_CHOICES], text[TL_CHOICES], *rest = list;
    snprintf(list, sizeof list, "%s", tl_key_choices(s->key, text));
    unsigned number = 0;
    for (char *word; (word = strsep(&rest, " ")); number++) {
        char *colon = strchr(word, ':');
        if (colon) *colon = '\0';
        const talus_world_def d = read_with(s, word);
        if (!s->key->words) check_only(s, &d, &number, sizeof number);
        if (!s->key->words) continue;
        const char *name; /* of the scene, which is gone: only that it is there */
        memcpy(&name, (const char *)&d + s->key->at, sizeof name);
        CHECK(name != NULL);
        check_only(s, &d, &name, sizeof name);
    }
    CHECK(number > 1);
}

TEST(each_setting)
{
    setting all[64];
    const int n = list_settings(NULL, TL_SCENE_KEYS, all);
    CHECK(n >= 16);
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < i; k++) CHECK(all[i].key->at != all[k].key->at);
        switch (all[i].key->type) {
        case KEY_QUANTITY: {
            const talus_world_def d = read_with(&all[i], "3/4");
            check_only(&all[i], &d, &(double){0.75}, sizeof(double));
            break;
        }
        case KEY_COUNT: {
            const talus_world_def d = read_with(&all[i], "3");
            check_only(&all[i], &d, &(int){3}, sizeof(int));
            break;
        }
        case KEY_FLAG: {
            const talus_world_def d = read_with(&all[i], "true");
            check_only(&all[i], &d, &(bool){true}, sizeof(bool));
            break;
        }
        case KEY_WORD: check_words(&all[i]); break;
        default: TEST_FAIL("'%s' cannot be a setting", all[i].key->name);
        }
    }
}

/* By name, for those whose place in the definition the table alone says. */
TEST(by_name)
{
    static const char TEXT[] =
        "dimension: 2\ntime: {end: 1 s, step: 2 ms}\nintegrator: {scheme: penalty_rk4, theta: 0.7, forces: explicit}\n"
        "solver: {method: ccp, momentum: false, convex: true, least_norm: true, tolerance: 1 mm/s, max_iterations: 7, acceptable: 1 m/s, "
        "unconverged: fail}\ndrift: {correct: false, slop: 2 um}\ndetection: {alert_distance: 3 mm}\n";
    talus_scene *s = load_lab(TEXT);
    talus_world_def d = talus_world_def_default();
    CHECK(talus_scene_mistake_count(s) == 0);
    tl_read_settings(&s->reading, s->root, TL_SCENE_KEYS, &d);
    CHECK(d.step == 2e-3 && d.scheme == TALUS_SCHEME_PENALTY_RK4 && d.theta == 0.7 && d.forces == TALUS_FORCES_EXPLICIT);
    CHECK(strcmp(d.solver.method, "ccp") == 0 && !d.solver.momentum && d.solver.convex && d.solver.least_norm);
    CHECK(d.solver.tolerance == 1e-3 && d.solver.max_iterations == 7 && d.solver.acceptable == 1 && d.solver.unconverged == TALUS_POLICY_FAIL);
    CHECK(!d.correct_drift && d.penetration_slop == 2e-6 && d.alert_distance == 3e-3);
    talus_scene_destroy(s);
}

/* Each solver is a word of scenes with its meaning in their reference, and a name for worlds; a slip of the pen is told. */
TEST(solvers)
{
    char *reference = talus_scene_reference(false), wanted[200], text[600];
    int n = 0;
    for (; talus_problem_solver_name(n); n++) {
        const char *name = talus_problem_solver_name(n), *meaning = talus_problem_solver_meaning(n);
        snprintf(wanted, sizeof wanted, "; %s: %s", name, meaning ? meaning : "?");
        CHECK(reference && meaning && strstr(reference, wanted));
        snprintf(text, sizeof text, "time: {end: 1 s}\nsolver: {method: %s}\n", name);
        lab l = open_lab(text, 1);
        close_lab(&l);
    }
    CHECK(n >= 6 && !talus_problem_solver_meaning(n) && !talus_problem_solver_meaning(-1) && !talus_problem_solver_name(-1));
    /* steps have those of problems, and one that wants masses */
    for (int i = 0; i < n; i++)
        CHECK(strcmp(talus_solver_name(i), talus_problem_solver_name(i)) == 0 && talus_solver_meaning(i) == talus_problem_solver_meaning(i));
    CHECK(strcmp(talus_solver_name(n), TALUS_SOLVER_BODIES) == 0 && !talus_solver_name(n + 1) && !talus_solver_meaning(n + 1) && !talus_solver_meaning(-1));
    CHECK(reference && talus_solver_meaning(n) && strstr(reference, talus_solver_meaning(n)));
    free(reference);
    talus_world_def d = talus_world_def_default();
    talus_world *w = NULL;
    d.solver.method = "newtn";
    CHECK(talus_world_create(&d, &w, text, sizeof text) == TALUS_INPUT && strstr(text, "'newtn'; did you mean 'newton'? There are nlgs, "));
    d.solver.method = NULL, d.solver.convex = true;
    CHECK(talus_world_create(&d, &w, text, sizeof text) == TALUS_INPUT && strstr(text, "'nlgs' has no convex relaxation; these have: ccp, "));
    for (int i = 0; talus_problem_solver_name(i); i++) { /* the list of the message is true */
        const char *name = talus_problem_solver_name(i), *list = strstr(text, "these have: ");
        d.solver.method = name;
        const talus_status status = talus_world_create(&d, &w, NULL, 0);
        CHECK(list && (status == TALUS_OK) == (strstr(list, name) != NULL));
        talus_world_destroy(w);
    }
}

/* The page about solvers has a row for each, and none for what there is not. */
TEST(solvers_on_their_page)
{
    static char page[1 << 16];
    FILE *in = fopen(TALUS_SOURCE_DIR "/docs/solvers.md", "rb");
    page[in ? fread(page, 1, sizeof page - 1, in) : 0] = '\0';
    if (in) fclose(in);
    char *section = strstr(page, "\n## The solvers\n"), *end = section ? strstr(section + 1, "\n## ") : NULL;
    CHECK(section && end);
    if (!section || !end) return;
    *end = '\0';
    int rows = 0, solvers = 0;
    for (const char *at = section; (at = strstr(at, "\n| `")); at++) rows++;
    for (; talus_problem_solver_name(solvers); solvers++) {
        char row[80];
        snprintf(row, sizeof row, "\n| `%s` | ", talus_problem_solver_name(solvers));
        if (!strstr(section, row)) TEST_FAIL("docs/solvers.md has no row for %s", talus_problem_solver_name(solvers));
    }
    CHECK(rows == solvers);
}

int main(int argc, char **argv)
{
    RUN(each_setting);
    RUN(by_name);
    RUN(solvers);
    RUN(solvers_on_their_page);
    return TEST_RESULT;
}
