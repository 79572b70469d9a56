/* Reads a case: the file against its table, its scenes (built once, to know their probes and every mistake before anything runs), its tables,
 * and every expression with its dimension. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "study/verify.h"
#include "talus/scene.h"

static const char *scalar(const tl_node *map, const char *key)
{
    const tl_node *node = tl_node_get(map, key);
    return node && node->kind == NODE_SCALAR ? node->text : "";
}

static int entries(const tl_node *node) { return node && node->kind != NODE_SCALAR ? node->count : 0; }

/* ---- runs and tables ---------------------------------------------------------------------------------------------- */

static bool make_columns(tl_case *c, tl_source *s, int columns)
{
    s->columns = columns;
    s->column = tl_arena_zero(c->arena, (size_t)columns + 1, sizeof *s->column);
    s->dimension = tl_arena_zero(c->arena, (size_t)columns + 1, sizeof *s->dimension);
    s->slot = tl_arena_zero(c->arena, (size_t)columns + 1, sizeof *s->slot);
    return s->column && s->dimension && s->slot;
}

static tl_dimension dimension_of(const char *unit)
{
    tl_dimension d = {0};
    double factor;
    char bad[32];
    (void)tl_unit_parse(unit, &factor, &d, bad);
    return d;
}

/* The columns of series.csv (docs/results.md). */
static void columns_of_run(tl_case *c, tl_source *s, const talus_scene *scene)
{
    static const char *const LAST[][2] = {{"contacts", ""},        {"iterations", ""},        {"residual", "m/s"}, {"penetration", "m"},
                                          {"kinetic_energy", "J"}, {"potential_energy", "J"}, {"candidates", ""},  {"tolerance", "m/s"}};
    const int probes = talus_scene_probe_count(scene), last = (int)(sizeof LAST / sizeof *LAST);
    if (!make_columns(c, s, 1 + probes + last)) return;
    s->column[0] = "time";
    s->dimension[0] = dimension_of("s");
    for (int k = 0; k < probes; k++) {
        s->column[1 + k] = tl_case_text(c, "%s", talus_scene_probe_name(scene, k));
        s->dimension[1 + k] = dimension_of(talus_scene_probe_unit(scene, k));
    }
    for (int k = 0; k < last; k++) {
        s->column[1 + probes + k] = LAST[k][0];
        s->dimension[1 + probes + k] = dimension_of(LAST[k][1]);
    }
}

static const char *beside(tl_case *c, const char *name) { return name[0] == '/' ? name : tl_case_text(c, "%s/%s", c->directory, name); }

/* A value that uses a parameter of the case goes to the scene as a number, any other as it stands. */
static const char *setting(tl_case *c, const tl_node *node)
{
    const tl_scope without = {.count = 0}, with = {.names = c->reading.names, .count = c->reading.name_count};
    tl_dimension dimension;
    tl_error error;
    if (node->kind != NODE_SCALAR) {
        tl_mistake(&c->mistakes, TALUS_INPUT, node, "a setting is one value: time.step: 1 ms");
        return "";
    }
    const tl_expression *e = NULL;
    if (!tl_expression_compile(node->text, &without, c->arena, &dimension, &error)) e = tl_expression_compile(node->text, &with, c->arena, &dimension, &error);
    return e ? tl_case_text(c, "%s=%.17g", node->key, tl_case_number(e)) : tl_case_text(c, "%s=%s", node->key, node->text);
}

static void read_run(tl_case *c, int index, const tl_node *node)
{
    tl_case_run *run = &c->run[index];
    const tl_node *set = tl_node_get(node, "set"), *file = tl_node_get(node, "scene");
    *run = (tl_case_run){.node = node, .code = -1, .large = strcmp(scalar(node, "long"), "true") == 0};
    c->from[index].name = node->key;
    if (!file) return;
    run->scene = beside(c, file->text);
    if (access(run->scene, R_OK) != 0) {
        tl_mistake(&c->mistakes, TALUS_INPUT, file, "cannot read the scene '%s': %s", run->scene, strerror(errno));
        return;
    }
    const char **list = tl_arena_zero(c->arena, (size_t)entries(set) + 1, sizeof *list);
    for (int i = 0; list && i < entries(set); i++) list[i] = setting(c, set->item[i]);
    run->setting = list;
    run->settings = list ? entries(set) : 0;
    talus_scene *scene = NULL;
    talus_world *world = NULL;
    const bool built = talus_scene_load(run->scene, run->setting, run->settings, &scene) == TALUS_OK && talus_scene_build(scene, 1, &world) == TALUS_OK;
    if (built) columns_of_run(c, &c->from[index], scene);
    for (int i = 0; scene && i < talus_scene_mistake_count(scene); i++)
        tl_mistake(&c->mistakes, TALUS_INPUT, file, "the scene of this run: %s", talus_scene_mistake(scene, i));
    talus_world_destroy(world);
    talus_scene_destroy(scene);
}

/* A line of names, "theta [rad]", with `time` among them. */
static void read_table(tl_case *c, tl_source *s, const tl_node *node)
{
    tl_error error = {0};
    s->name = node->key;
    s->known = BROKEN;
    if (node->kind != NODE_SCALAR || tl_series_read(&s->series, beside(c, node->text), &error) != TALUS_OK || !make_columns(c, s, s->series.columns)) {
        tl_mistake(&c->mistakes, TALUS_INPUT, node, "%s", error.text[0] ? error.text : "the name of a file is expected");
        return;
    }
    s->time = -1;
    for (int k = 0; k < s->columns; k++) {
        char *name = s->series.name[k], *open = strstr(name, " ["), *close = open ? strchr(open, ']') : NULL, bad[32];
        double factor = 1;
        if (close && !close[1]) {
            *open = *close = 0;
            if (!tl_unit_parse(open + 2, &factor, &s->dimension[k], bad))
                tl_mistake(&c->mistakes, TALUS_INPUT, node, "its column '%s': '%s' is not a known unit", name, bad);
        } else s->dimension[k] = (tl_dimension){.unitless = true};
        s->column[k] = name;
        if (strcmp(name, "time") == 0) s->time = k;
        for (int i = 0; i < s->series.rows; i++) s->series.value[k][i] *= factor;
    }
    for (int i = 1; s->time >= 0 && i < s->series.rows; i++)
        if (!(s->series.value[s->time][i] > s->series.value[s->time][i - 1])) {
            tl_mistake(&c->mistakes, TALUS_INPUT, node, "its times do not increase in row %d", i + 2);
            break;
        }
    if (s->time < 0 || s->series.rows < 2) tl_mistake(&c->mistakes, TALUS_INPUT, node, "a table wants a column 'time' and two rows");
    s->known = KNOWN;
}

static bool read_sources(tl_case *c)
{
    const tl_node *runs = tl_node_get(c->reading.root, "runs"), *tables = tl_node_get(c->reading.root, "tables");
    c->runs = entries(runs);
    c->sources = c->runs + entries(tables);
    c->run = tl_arena_zero(c->arena, (size_t)c->runs + 1, sizeof *c->run);
    c->from = tl_arena_zero(c->arena, (size_t)c->sources + 1, sizeof *c->from);
    if (!c->run || !c->from) return false;
    for (int i = 0; i < c->runs; i++) read_run(c, i, runs->item[i]);
    for (int i = c->runs; i < c->sources; i++) read_table(c, &c->from[i], tables->item[i - c->runs]);
    return true;
}

/* ---- values and checks -------------------------------------------------------------------------------------------- */

static int run_named(const tl_case *c, const char *name)
{
    for (int i = 0; i < c->runs; i++)
        if (strcmp(c->from[i].name, name) == 0) return i;
    return -1;
}

static void read_measure(tl_case *c, tl_measure *m, const tl_node *node, int values)
{
    static const char *const TAKES[] = {"", "first", "last", "min", "max", "largest", "mean"};
    const tl_node *run = tl_node_get(node, "run"), *take = tl_node_get(node, "take");
    *m = (tl_measure){.run = run ? run_named(c, run->text) : -1, .known = BROKEN};
    for (int i = 1; take && i < 7; i++)
        if (strcmp(take->text, TAKES[i]) == 0) m->take = (tl_take)i;
    if (!run != !take) tl_mistake(&c->mistakes, TALUS_INPUT, node, "'run' says whose rows, 'take' which of them: both, or neither");
    m->from = tl_quantity(&c->reading, tl_node_get(node, "from"), "s", -(double)INFINITY, false);
    m->to = tl_quantity(&c->reading, tl_node_get(node, "to"), "s", (double)INFINITY, false);
    m->of = tl_case_compile(c, tl_node_get(node, "of"), m->run, values, &m->dimension);
}

/* Angles may be left out, also of squares and torques; only a frequency in Hz is no angular velocity. */
static bool fits(tl_dimension a, tl_dimension b)
{
    if (a.unitless || b.unitless) return true;
    if ((a.hertz && b.rad != 0) || (b.hertz && a.rad != 0)) return false;
    return a.m == b.m && a.kg == b.kg && a.s == b.s;
}

/* A number to compare with: of the dimension of what it is compared with. */
static const tl_expression *read_bound(tl_case *c, const tl_node *check, const char *key, tl_case_check *k)
{
    const tl_node *node = tl_node_get(check, key);
    tl_dimension dimension = {0};
    const tl_expression *e = node ? tl_case_compile(c, node, -1, c->values, &dimension) : NULL;
    if (e && k->measure.of && !fits(dimension, k->measure.dimension)) {
        char a[64], b[64];
        tl_dimension_text(k->measure.dimension, a);
        tl_dimension_text(dimension, b);
        tl_mistake(&c->mistakes, TALUS_INPUT, node, "'%s' is %s; what it is compared with is %s", key, b, a);
    }
    if (e && (k->measure.dimension.unitless || (dimension.rad != 0 && k->measure.dimension.rad == 0)) && !dimension.unitless) k->measure.dimension = dimension;
    return e;
}

static void read_check(tl_case *c, tl_case_check *k, const tl_node *node)
{
    char unit[64];
    *k = (tl_case_check){.quantity = scalar(node, "quantity"), .because = scalar(node, "because")};
    if (tl_node_get(node, "known_deviation")) k->deviation = scalar(node, "known_deviation");
    read_measure(c, &k->measure, node, c->values);
    k->expected = read_bound(c, node, "expected", k);
    k->tolerance = read_bound(c, node, "tolerance", k);
    k->below = read_bound(c, node, "below", k);
    k->above = read_bound(c, node, "above", k);
    const bool near = tl_node_get(node, "expected"), within = tl_node_get(node, "tolerance"), bound = tl_node_get(node, "below") || tl_node_get(node, "above");
    if (k->deviation && !(near && within && bound))
        tl_mistake(&c->mistakes, TALUS_INPUT, node,
                   "a known deviation is one from what is 'expected' within a 'tolerance', and stays 'below' or 'above' a bound: it wants all three");
    else if (!k->deviation && (near != within || near == bound))
        tl_mistake(&c->mistakes, TALUS_INPUT, node, "a check says what is 'expected' within which 'tolerance', or what it must be 'below' or 'above'");
    tl_unit_of(k->measure.dimension, unit);
    k->unit = tl_case_text(c, "%s", unit);
}

static void read_checks(tl_case *c)
{
    const tl_node *values = tl_node_get(c->reading.root, "values"), *checks = tl_node_get(c->reading.root, "checks");
    for (int i = 0; i < c->values; i++) read_measure(c, &c->value[i], values->item[i], i);
    c->checks = entries(checks);
    c->check = tl_arena_zero(c->arena, (size_t)c->checks + 1, sizeof *c->check);
    for (int i = 0; c->check && i < c->checks; i++) read_check(c, &c->check[i], checks->item[i]);
}

/* ---- a case ------------------------------------------------------------------------------------------------------- */

static void want_map(tl_case *c, const tl_node *map, const char *key)
{
    const tl_node *node = tl_node_get(map, key);
    if (node && node->kind != NODE_MAP) tl_mistake(&c->mistakes, TALUS_INPUT, node, "'%s' wants names, each with what it stands for: {name: …}", key);
}

/* What the table of keys leaves open. */
static void want_maps(tl_case *c)
{
    const tl_node *root = c->reading.root, *runs = tl_node_get(root, "runs"), *checks = tl_node_get(root, "checks");
    want_map(c, root, "functions");
    want_map(c, root, "tables");
    for (int i = 0; i < entries(runs); i++) want_map(c, runs->item[i], "set");
    if (checks && entries(checks) == 0) tl_mistake_key(&c->mistakes, TALUS_INPUT, checks, "a case checks something");
}

tl_case *tl_case_read(const char *directory, const char *name, bool title_only)
{
    tl_case *c = calloc(1, sizeof *c);
    if (c) c->arena = tl_arena_create(tl_memory_default(), (size_t)1 << 16);
    if (!c || !c->arena) {
        free(c);
        return NULL;
    }
    c->name = tl_case_text(c, "%s", name);
    c->directory = tl_case_text(c, "%s", directory);
    c->reading = (tl_reading){.arena = c->arena, .mistakes = &c->mistakes};
    c->reading.root = tl_yaml_load(tl_case_text(c, "%s/case.yaml", directory), NULL, 0, c->arena, &c->mistakes);
    if (!c->reading.root) return c;
    c->title = scalar(c->reading.root, "title");
    c->source = scalar(c->reading.root, "source");
    if (title_only) return c;
    tl_schema_begin(&c->reading, TL_CASE_KEYS);
    tl_schema_check(&c->reading, TL_CASE_KEYS);
    want_maps(c);
    /* what follows takes the shape of the file for granted, and scenes for known */
    if (c->mistakes.count == 0 && !read_sources(c)) c->mistakes.status = TALUS_MEMORY;
    if (c->mistakes.count == 0 && !tl_case_scopes(c)) c->mistakes.status = TALUS_MEMORY;
    if (c->mistakes.count == 0) read_checks(c);
    if (c->mistakes.count == 0) tl_case_check_figures(c);
    return c;
}

void tl_case_free(tl_case *c)
{
    if (!c) return;
    for (int i = 0; i < c->sources; i++) tl_series_free(&c->from[i].series);
    tl_mistakes_free(&c->mistakes);
    tl_arena_destroy(c->arena);
    free(c);
}
