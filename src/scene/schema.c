/* Checks a scene against the table of keys.c, or another file against its own: every mistake at once, each with its place and what was expected. */
#include "scene/schema.h"
#include "talus/material.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Products of several numbers of a scene, such as density times radius to the fifth, must stay far from where doubles end. */
static const double LARGEST = 1e30, SMALLEST = 1e-30; /* SI; SMALLEST: of what must be positive */

bool tl_schema_has_key(const char *name)
{
    tl_key room;
    return tl_schema_find(TL_SCENE_KEYS, name, &room) != NULL;
}

/* ---- quantities --------------------------------------------------------------------------------------------------- */

static tl_dimension dimension_of(const char *unit)
{
    tl_dimension d;
    double factor;
    char bad[32];
    (void)tl_unit_parse(unit, &factor, &d, bad);
    return d;
}

static void complain_dimension(tl_reading *r, const tl_node *node, tl_dimension given, tl_dimension wanted)
{
    char a[64], b[64];
    tl_dimension_text(wanted, a), tl_dimension_text(given, b);
    const bool rate = wanted.m == 0 && wanted.kg == 0 && wanted.s == -1, same = given.m == wanted.m && given.kg == wanted.kg && given.s == wanted.s;
    static const char *const HINT[] = {"", "; they differ by radians, as the work of a moment, N m rad, does from J: multiply or divide by (1 rad)",
                                       "; a rotation is counted in rad/s, rpm or turn/s"};
    tl_mistake(r->mistakes, TALUS_INPUT, node, "expected %s, got '%.80s', %s%s", a, node->text, b, HINT[given.hertz && wanted.rad == 1 ? 2 : same && !rate]);
}

tl_expression *tl_compile(tl_reading *r, const tl_node *node, const char *unit, const tl_scope *scope, bool complain)
{
    tl_error error = {0};
    tl_dimension given;
    if (node->kind != NODE_SCALAR) {
        if (complain) tl_mistake(r->mistakes, TALUS_INPUT, node, "expected a quantity such as '1 %s'", unit[0] == '?' ? "mm" : unit);
        return NULL;
    }
    tl_expression *e = tl_expression_compile(node->text, scope, r->arena, &given, &error);
    if (!e) {
        if (!error.text[0]) tl_mistake(r->mistakes, TALUS_MEMORY, node, "memory ran out"); /* nobody may go on with another number */
        else if (complain) tl_mistake(r->mistakes, TALUS_INPUT, node, "%s", error.text);
        return NULL;
    }
    const bool unitless = given.m == 0 && given.kg == 0 && given.s == 0 && given.rad == 0; /* a unitless number is SI */
    if (unit[0] != '?' && !unitless && !tl_dimension_fits(given, dimension_of(unit))) {
        if (complain) complain_dimension(r, node, given, dimension_of(unit));
        return NULL;
    }
    return e;
}

double tl_quantity(tl_reading *r, const tl_node *node, const char *unit, double fallback, bool complain)
{
    if (!node) return fallback;
    const tl_scope scope = {.names = r->names, .count = r->name_count};
    const tl_expression *e = tl_compile(r, node, unit, &scope, complain);
    double value[3];
    if (!e) return fallback;
    tl_expression_value(e, 0, value);
    if (fabs(value[0]) <= LARGEST) return value[0];
    if (complain && !isfinite(value[0])) tl_mistake(r->mistakes, TALUS_INPUT, node, "'%.80s' is not a finite number", node->text);
    else if (complain)
        tl_mistake(r->mistakes, TALUS_INPUT, node, "'%.80s' is %g in SI units; %g is the largest number of a scene", node->text, value[0], LARGEST);
    return fallback;
}

tl_expression *tl_function(tl_reading *r, const tl_node *node, const char *unit)
{
    const tl_scope scope = {.names = r->names, .count = tl_names_seen(r), .time = true, .stage_start = r->stage_start};
    return tl_compile(r, node, unit, &scope, true);
}

/* ---- names -------------------------------------------------------------------------------------------------------- */

/* In the arena; −1 where memory runs out. */
static int names_of(tl_reading *r, const char *kind, const char ***names)
{
    const int count = tl_schema_names(r->root, kind, NULL, 0);
    *names = tl_arena_alloc(r->arena, (size_t)count + 1, sizeof **names);
    return *names ? tl_schema_names(r->root, kind, *names, count) : -1;
}

static bool is_among(const char **names, int count, const char *word)
{
    for (int i = 0; i < count; i++)
        if (strcmp(names[i], word) == 0) return true;
    return false;
}

/* "bolt.3" of a body `bolt` that is repeated. True when the word is about such a body; what is wrong with it is then said. */
static bool check_copy(tl_reading *r, const tl_node *node)
{
    const tl_node *bodies = tl_node_get(r->root, "bodies");
    for (int i = 0; bodies && bodies->kind == NODE_MAP && i < bodies->count; i++) {
        const tl_node *repeat = tl_node_get(bodies->item[i], "repeat");
        const char *name = bodies->item[i]->key;
        const size_t length = strlen(name);
        if (!repeat || strncmp(node->text, name, length) != 0 || (node->text[length] != '\0' && node->text[length] != '.')) continue;
        char *end = NULL;
        const bool numbered = node->text[length] == '.' && node->text[length + 1] >= '1' && node->text[length + 1] <= '9';
        const long number = numbered ? strtol(node->text + length + 1, &end, 10) : 0;
        const double count = tl_quantity(r, tl_node_get(repeat, "count"), "", 1, false);
        if (!numbered || *end || (double)number > count)
            tl_mistake(r->mistakes, TALUS_INPUT, node, "'%.80s': there are %.0f of '%.80s', the first is %.80s.1", node->text, count, name, name);
        return true;
    }
    return false;
}

/* NAME.3 or NAME.2.3 of a probe with cells; which there are is known when the probes are built. */
static bool has_cells(const tl_reading *r, const tl_node *node)
{
    const tl_node *probes = tl_node_get(r->root, "probes");
    for (int i = 0; probes && probes->kind == NODE_MAP && i < probes->count; i++) {
        const size_t n = strlen(probes->item[i]->key);
        if (tl_node_get(probes->item[i], "cells") && strncmp(node->text, probes->item[i]->key, n) == 0 && node->text[n] == '.') return true;
    }
    return false;
}

/* Would a track or a tyre have it, that could not be written out for mistakes of its own? Of several carriers in a list each would. */
static bool is_of_failed(const tl_reading *r, const char *kind, const char *word)
{
    const tl_node *all = tl_node_get(r->root, kind), *bodies = tl_node_get(r->root, "bodies");
    for (int i = 0; all && all->kind == NODE_MAP && i < all->count; i++) {
        const tl_node *on = tl_node_get(all->item[i], "on");
        const bool several = on && on->kind == NODE_LIST && on->count > 0;
        for (int k = 0; k < (several ? on->count : 1); k++) {
            const char *carrier = several && on->item[k]->text ? on->item[k]->text : "";
            char first[512];
            const int n = snprintf(first, sizeof first, "%.240s%s%.240s_1", all->item[i]->key, several ? "_" : "", carrier);
            if (strncmp(word, first, (size_t)n - 1) == 0 && !tl_node_get(bodies, first) && !tl_mechanism_with(r->root, first)) return true;
        }
    }
    return false;
}

static void look_up(tl_reading *r, const tl_node *node, const char *kind)
{
    const char **names = NULL;
    if (node->kind != NODE_SCALAR) {
        tl_mistake(r->mistakes, TALUS_INPUT, node, "expected the name of %s%s", strstr(kind, "grains") ? "" : strchr("aeiou", kind[0]) ? "an " : "a ", kind);
        return;
    }
    if ((strcmp(kind, "body") == 0 || strcmp(kind, "grain") == 0) && check_copy(r, node)) return;
    char *word = tl_arena_alloc(r->arena, strlen(node->text) + 1, 1);
    if (!word) {
        tl_mistake(r->mistakes, TALUS_MEMORY, node, "memory ran out");
        return;
    }
    strcpy(word, node->text);
    if (strcmp(kind, "probe") == 0 && has_cells(r, node)) return;
    const bool coordinate = strcmp(kind, "coordinate") == 0, member = strcmp(kind, "grain") == 0 || strcmp(kind, "rope") == 0;
    int n = member ? names_of(r, kind, &names) : 0;
    if (is_among(names, n, word)) return; /* a name may have a dot of its own */
    const bool cut = coordinate || strcmp(kind, "joint between bodies") == 0;
    char *dot = cut ? strchr(word, '.') : member ? strrchr(word, '.') : NULL;
    if (dot) *dot = '\0';
    if (dot && strcmp(kind, "grain") == 0) kind = "grains"; /* one of a group */
    const char *what = coordinate ? "joint" : strstr(kind, "grains") ? "group of grains" : strcmp(kind, "grain") == 0 ? "body" : kind;
    n = names_of(r, coordinate ? "joint" : kind, &names);
    if (is_among(names, n, word)) return;
    if (n < 0) {
        tl_mistake(r->mistakes, TALUS_MEMORY, node, "memory ran out");
        return;
    }
    if (is_of_failed(r, "tracks", word) || is_of_failed(r, "tyres", word) || (strcmp(kind, "material") == 0 && tl_is_written(node))) return;
    const char *near = tl_nearest(word, names, n);
    tl_mistake(r->mistakes, TALUS_INPUT, node, "there is no %s '%.80s'%s%s%s", what, word, near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

static void check_reference(tl_reading *r, const tl_node *node, const char *kind)
{
    const tl_arena_place mark = tl_arena_mark(r->arena);
    look_up(r, node, kind);
    tl_arena_release(r->arena, mark);
}

/* NAME.1, NAME.2 … are grains and repeated bodies. */
static void check_numbered(tl_reading *r, const tl_node *map)
{
    for (int i = 0; map && map->kind == NODE_MAP && i < map->count; i++) {
        const char *name = map->item[i]->key, *dot = strrchr(name, '.');
        char many[256];
        if (!dot || dot[1] < '1' || dot[1] > '9' || dot[1 + strspn(dot + 1, "0123456789")] || (size_t)(dot - name) >= sizeof many) continue;
        snprintf(many, sizeof many, "%.*s", (int)(dot - name), name);
        const tl_node *body = tl_node_get(tl_node_get(r->root, "bodies"), many);
        if (tl_node_get(tl_node_get(r->root, "grains"), many) || (body && tl_node_get(body, "repeat")))
            tl_mistake_key(r->mistakes, TALUS_INPUT, map->item[i], "'%.80s' is one of '%.80s', which are numbered: give it another name", name, many);
    }
}

/* Names are unique over the scene's bodies, and over its joints. */
static void check_unique(tl_reading *r, const char *kind, const char *part)
{
    const tl_node *mechanisms = tl_node_get(r->root, "mechanisms"), *maps[256];
    const bool shafts = strcmp(kind, "body") == 0 || strcmp(kind, "joint") == 0; /* which are both */
    int count = 0;
    if (strcmp(kind, "body") == 0) maps[count++] = tl_node_get(r->root, "bodies"), maps[count++] = tl_node_get(r->root, "solids");
    for (int i = 0; mechanisms && mechanisms->kind == NODE_MAP && i < mechanisms->count && count < 255; i++) {
        maps[count++] = tl_node_get(mechanisms->item[i], part);
        if (shafts) maps[count++] = tl_node_get(mechanisms->item[i], "shafts");
    }
    for (int a = 0; a < count; a++)
        for (int b = 0; b < a; b++)
            for (int i = 0; maps[a] && maps[a]->kind == NODE_MAP && i < maps[a]->count; i++) {
                const tl_node *twin = tl_node_get(maps[b], maps[a]->item[i]->key);
                if (twin)
                    tl_mistake_key(r->mistakes, TALUS_INPUT, maps[a]->item[i], "there are two things named '%.80s': the other in line %d", twin->key,
                                   twin->key_line);
            }
    for (int a = 0; a < count; a++) {
        if (strcmp(kind, "body") == 0) check_numbered(r, maps[a]);
        const tl_node *ground = tl_node_get(maps[a], "ground");
        if (ground) tl_mistake_key(r->mistakes, TALUS_INPUT, ground, "'ground' is the name of what never moves");
    }
}

/* ---- checking ----------------------------------------------------------------------------------------------------- */

static void check_object(tl_reading *r, const tl_node *node, const tl_key *keys, const char *what);

static bool want_kind(tl_reading *r, const tl_node *node, tl_node_kind kind, const tl_key *key, const char *expected)
{
    if (node->kind == kind) return true;
    tl_mistake(r->mistakes, TALUS_INPUT, node, "'%s' wants %s", key->name, expected);
    return false;
}

static void check_range(tl_reading *r, const tl_node *node, const tl_key *key, double value)
{
    if (key->positive && value > 0 && value < SMALLEST)
        tl_mistake(r->mistakes, TALUS_INPUT, node, "'%s' is %g in SI units; %g is the smallest that is not zero", key->name, value, SMALLEST);
    else if (key->positive && !(value > 0)) tl_mistake(r->mistakes, TALUS_INPUT, node, "'%s' is %g; it must be positive", key->name, value);
    else if (key->low < key->high && (value < key->low || value > key->high)) {
        if (key->high >= 1e15) tl_mistake(r->mistakes, TALUS_INPUT, node, "'%s' is %g; it must be %g or more", key->name, value, key->low);
        else tl_mistake(r->mistakes, TALUS_INPUT, node, "'%s' is %g; it must be between %g and %g", key->name, value, key->low, key->high);
    }
}

static void check_quantity(tl_reading *r, const tl_node *node, const tl_key *key)
{
    const int before = r->mistakes->count;
    const double value = tl_quantity(r, node, key->unit, 0, true);
    if (r->mistakes->count == before) check_range(r, node, key, value);
}

static void check_vector(tl_reading *r, const tl_node *node, const tl_key *key)
{
    const int most = key->numbers ? key->numbers : r->dimension, least = most < r->dimension ? most : r->dimension;
    if (node->kind != NODE_LIST || node->count < least || node->count > most) {
        tl_mistake(r->mistakes, TALUS_INPUT, node, "'%s' wants %s numbers%s, such as [0, %s1%s%s]", key->name, least == 2 ? "two" : "three",
                   key->numbers == 2   ? ""
                   : r->dimension == 2 ? " in the plane (space is 'dimension: 3')"
                                       : " in space",
                   least == 2 ? "" : "0, ", key->unit[0] ? " " : "", key->unit);
        return;
    }
    for (int i = 0; i < node->count; i++) (void)tl_quantity(r, node->item[i], key->unit, 0, true);
}

static void check_count(tl_reading *r, const tl_node *node, const tl_key *key)
{
    const int before = r->mistakes->count;
    const double value = tl_quantity(r, node, "", 0, true);
    if (r->mistakes->count > before) return;
    if (value != floor(value)) tl_mistake(r->mistakes, TALUS_INPUT, node, "'%s' is %g; it must be a whole number", key->name, value);
    else check_range(r, node, key, value);
}

static const char *dimension_text(int dimension) { return dimension == 2 ? "the plane" : "space"; }

static void check_word(tl_reading *r, const tl_node *node, const tl_key *key)
{
    char list[TL_CHOICES], allowed[TL_CHOICES] = "", text[TL_CHOICES];
    const char *words[64];
    int n = 0;
    snprintf(list, sizeof list, "%s", tl_key_choices(key, text));
    if (!want_kind(r, node, NODE_SCALAR, key, "a word")) return;
    char *rest = list;
    for (char *word; n < 64 && (word = strsep(&rest, " "));) {
        char *colon = strchr(word, ':');
        const int dimension = colon ? colon[1] - '0' : r->dimension;
        if (colon) *colon = '\0';
        if (strcmp(word, node->text) == 0) {
            if (dimension != r->dimension)
                tl_mistake(r->mistakes, TALUS_INPUT, node, "'%s' can be '%s' in %s only; this scene is in %s", key->name, word, dimension_text(dimension),
                           dimension_text(r->dimension));
            return;
        }
        if (dimension != r->dimension) continue;
        words[n++] = word;
        strcat(strcat(allowed, n > 1 ? " " : ""), word);
    }
    const char *near = tl_nearest(node->text, words, n);
    tl_mistake(r->mistakes, TALUS_INPUT, node, "'%s' cannot be '%.80s'; expected one of: %s%s%s%s", key->name, node->text, allowed,
               near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

static void check_law(tl_reading *r, const tl_node *node, const tl_key *key)
{
    const char *names[64];
    const talus_law *law;
    char all[512] = "";
    int n = 0;
    if (!want_kind(r, node, NODE_SCALAR, key, "the name of a law")) return;
    for (; n < 64 && (law = talus_law_at(n)); n++) {
        if (strcmp(law->name, node->text) == 0) return;
        snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", n > 0 ? ", " : "", law->name);
        names[n] = law->name;
    }
    const char *near = tl_nearest(node->text, names, n);
    tl_mistake(r->mistakes, TALUS_INPUT, node, "there is no law '%.80s'; there are: %s%s%s%s", node->text, all, near ? "; did you mean '" : "",
               near ? near : "", near ? "'?" : "");
}

static void check_flag(tl_reading *r, const tl_node *node, const char *name)
{
    if (node->kind != NODE_SCALAR || (strcmp(node->text, "true") != 0 && strcmp(node->text, "false") != 0))
        tl_mistake(r->mistakes, TALUS_INPUT, node, "'%s' is either true or false", name);
}

/* {table: [[t, x], …]}: times increase. */
static void check_table(tl_reading *r, const tl_node *node, const tl_key *key)
{
    const tl_node *table = tl_node_get(node, "table");
    const tl_node *smooth = tl_node_get(node, "smooth");
    if (!table || node->count != (smooth ? 2 : 1) || table->kind != NODE_LIST || table->count < 2) {
        tl_mistake(r->mistakes, TALUS_INPUT, node, "'%s' wants an expression of t, or {table: [[t, value], [t, value], …]}, also with smooth: true", key->name);
        return;
    }
    if (smooth) check_flag(r, smooth, "smooth");
    double before = -(double)INFINITY;
    for (int i = 0; i < table->count; i++) {
        const tl_node *row = table->item[i];
        if (row->kind != NODE_LIST || row->count != 2) {
            tl_mistake(r->mistakes, TALUS_INPUT, row, "a row of a table is [time, value]");
            return;
        }
        const double t = tl_quantity(r, row->item[0], "s", 0, true);
        (void)tl_quantity(r, row->item[1], key->unit, 0, true);
        if (!(t > before)) tl_mistake(r->mistakes, TALUS_INPUT, row, "the times of a table must increase");
        before = t;
    }
}

static void check_list(tl_reading *r, const tl_node *node, const tl_key *key)
{
    if (key->type == KEY_QUANTITIES && node->kind == NODE_SCALAR) {
        check_quantity(r, node, key);
        return;
    }
    if (key->type == KEY_REFERENCES && node->kind == NODE_SCALAR) {
        check_reference(r, node, key->choices);
        return;
    }
    if (!want_kind(r, node, NODE_LIST, key, "a list: […]")) return;
    for (int i = 0; i < node->count; i++) {
        if (key->type == KEY_POINTS) check_vector(r, node->item[i], key);
        else if (key->type == KEY_QUANTITIES) check_quantity(r, node->item[i], key);
        else if (key->type == KEY_REFERENCES) check_reference(r, node->item[i], key->choices);
        else check_object(r, node->item[i], key->sub, key->name);
    }
}

static void check_tensor(tl_reading *r, const tl_node *node, const tl_key *key)
{
    const tl_key entry = {.name = key->name, .type = KEY_QUANTITIES, .unit = key->unit};
    const bool rows = node->kind == NODE_LIST && node->count > 0 && node->item[0]->kind == NODE_LIST;
    for (int i = 0; rows && i < node->count; i++) check_list(r, node->item[i], &entry);
    if (!rows) check_list(r, node, &entry);
}

static void check_named(tl_reading *r, const tl_node *node, const tl_key *key)
{
    if (!want_kind(r, node, NODE_MAP, key, "names, each with its keys: {name: {…}}")) return;
    for (int i = 0; i < node->count; i++) {
        const tl_node *child = node->item[i];
        if (!*child->key) tl_mistake_key(r->mistakes, TALUS_INPUT, child, "a name is empty; nothing could be told of it");
        const tl_node name = {
            .kind = NODE_SCALAR, .file = child->file, .line = child->key_line, .column = child->key_column, .text = child->key, .key = child->key};
        const bool copies = key->choices && strcmp(key->choices, "body") == 0 && tl_node_get(tl_node_get(r->root, "bodies"), child->key); /* all of them */
        if (key->choices && !copies) check_reference(r, &name, key->choices);
        check_object(r, child, key->sub, key->name);
    }
}

static void check_function(tl_reading *r, const tl_node *node, const tl_key *key)
{
    static const double START = 0;
    r->stage_start = key->stage ? &START : NULL;
    if (node->kind != NODE_SCALAR) check_table(r, node, key);
    else if (key->unit[0] != '?') (void)tl_function(r, node, key->unit); /* others wait for their joint */
    r->stage_start = NULL;
}

/* A word or a list of them; where the key has keys of its own, of maps with these, too. Which groups there are, only the mesh knows. A list of nothing stands
 * only where what it lists may be left out as well. */
static void check_groups(tl_reading *r, const tl_node *node, const tl_key *key)
{
    if (node->kind == NODE_MAP) {
        tl_mistake(r->mistakes, TALUS_INPUT, node, "'%s' wants names, and a list where there is more to say: [name, {…}]", key->name);
        return;
    }
    if (node->kind == NODE_SCALAR && key->choices) check_word(r, node, key);
    if (node->kind == NODE_LIST && node->count == 0 && !key->sub)
        tl_mistake(r->mistakes, TALUS_INPUT, node, "'%s' wants names; there are none here", key->name);
    for (int i = 0; node->kind == NODE_LIST && i < node->count; i++) {
        const tl_node *item = node->item[i];
        if (item->kind == NODE_MAP && key->sub) check_object(r, item, key->sub, key->name);
        else if (item->kind != NODE_SCALAR) tl_mistake(r->mistakes, TALUS_INPUT, item, "'%s' wants names", key->name);
        else if (key->choices) check_word(r, item, key);
    }
}

static void check_key(tl_reading *r, const tl_node *node, const tl_key *key)
{
    switch (key->type) {
    case KEY_QUANTITY: check_quantity(r, node, key); break;
    case KEY_FUNCTION: check_function(r, node, key); break;
    case KEY_COUNT: check_count(r, node, key); break;
    case KEY_FLAG: check_flag(r, node, key->name); break;
    case KEY_WORD: check_word(r, node, key); break;
    case KEY_VECTOR: check_vector(r, node, key); break;
    case KEY_REFERENCE: check_reference(r, node, key->choices); break;
    case KEY_POINTS:
    case KEY_QUANTITIES:
    case KEY_REFERENCES:
    case KEY_OBJECTS: check_list(r, node, key); break;
    case KEY_OBJECT:
        if (node->kind == NODE_SCALAR && key->unit)
            check_quantity(r, node, &(tl_key){.name = key->name, .unit = key->unit, .low = key->low, .high = key->high, .positive = !(key->low < key->high)});
        else check_object(r, node, key->sub, key->name);
        break;
    case KEY_NAMED: check_named(r, node, key); break;
    case KEY_TENSOR: check_tensor(r, node, key); break;
    case KEY_COORDINATES:
        if (node->kind == NODE_LIST) tl_mistake(r->mistakes, TALUS_INPUT, node, "'%s' wants a value, or coordinates with their names: {x: 1 m}", key->name);
        for (int i = 0; node->kind == NODE_MAP && i < node->count; i++) (void)tl_quantity(r, node->item[i], "?", 0, true);
        if (node->kind == NODE_SCALAR) (void)tl_quantity(r, node, "?", 0, true);
        break;
    case KEY_REGION:
        if (node->kind == NODE_LIST) check_list(r, node, &(tl_key){.name = key->name, .type = KEY_POINTS, .unit = key->unit});
        else check_object(r, node, key->sub, key->name);
        break;
    case KEY_TEXT: (void)want_kind(r, node, NODE_SCALAR, key, "a text"); break;
    case KEY_LAW: check_law(r, node, key); break;
    case KEY_GROUPS: check_groups(r, node, key); break;
    case KEY_JOINT: /* no keys */
    case KEY_MATTER:
    case KEY_FREE: break;
    }
}

/* A key, beside what else is there. Of two that stand instead of each other the second is one too many. */
static void check_beside(tl_reading *r, const tl_node *map, const tl_node *node, const tl_key *key)
{
    const tl_node *word = tl_key_idles(map, key), *rival = tl_key_rival(map, key);
    for (int i = 0; rival && map->item[i] != rival; i++)
        if (map->item[i] == node) rival = NULL;
    if (word) {
        const char *with = strstr(key->when, word->key);
        tl_mistake_key(r->mistakes, TALUS_INPUT, node, "'%s' says nothing where '%s' is '%.60s'; it goes with '%.*s'", key->name, word->key, word->text,
                       (int)strcspn(with, ";"), with);
    } else if (rival) tl_mistake_key(r->mistakes, TALUS_INPUT, node, "'%s' stands instead of '%s': only one of them can be", key->name, rival->key);
    else check_key(r, node, key);
}

static void check_object(tl_reading *r, const tl_node *node, const tl_key *keys, const char *what)
{
    const char *names[64] = {""};
    int n = 0;
    tl_key room;
    const tl_key *k;
    for (int i = 0; (k = tl_schema_key(keys, i, &room)) && n < 64; i++)
        if (!k->dimension || k->dimension == r->dimension) names[n++] = k->name;
    if (node->kind == NODE_SCALAR && !node->text[0] && !node->quoted) { /* "steel:" with nothing behind it */
        for (k = keys; k->name; k++)
            if (k->required) tl_mistake_key(r->mistakes, TALUS_INPUT, node, "'%s' is missing here", k->name);
        return;
    }
    if (node->kind != NODE_MAP) {
        tl_mistake(r->mistakes, TALUS_INPUT, node, "'%s' wants keys and values: {%s: …}", node->key ? node->key : what, names[0]);
        return;
    }
    for (int i = 0; i < node->count; i++) {
        const tl_key *key = tl_schema_find(keys, node->item[i]->key, &room);
        if (key && key->dimension && key->dimension != r->dimension) {
            tl_mistake_key(r->mistakes, TALUS_INPUT, node->item[i], "'%s' is for %s; this scene is in %s%s%s%s%s", key->name, dimension_text(key->dimension),
                           dimension_text(r->dimension), r->dimension == 2 ? " ('dimension: 3' makes it spatial)" : "", key->other ? ", where it is '" : "",
                           key->other ? key->other : "", key->other ? "'" : "");
            continue;
        }
        if (key) {
            check_beside(r, node, node->item[i], key);
            continue;
        }
        const char *near = tl_nearest(node->item[i]->key, names, n);
        char list[512] = "";
        for (int j = 0; j < n && strlen(list) + strlen(names[j]) + 3 < sizeof list; j++) strcat(strcat(list, j ? ", " : ""), names[j]);
        tl_mistake_key(r->mistakes, TALUS_INPUT, node->item[i], "unknown key '%.80s'; expected one of: %s%s%s%s", node->item[i]->key, list,
                       near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
    }
    for (k = keys; k->name; k++)
        if (k->required && !tl_node_get(node, k->name)) tl_mistake_key(r->mistakes, TALUS_INPUT, node, "'%s' is missing here", k->name);
}

/* ---- parameters --------------------------------------------------------------------------------------------------- */

static int count_scalars(const tl_node *node)
{
    if (node->kind != NODE_MAP) return 1;
    int count = 0;
    for (int i = 0; i < node->count; i++) count += count_scalars(node->item[i]);
    return count;
}

/* Parameters may use those above them. */
static void read_parameters(tl_reading *r, const tl_node *node, const char *prefix)
{
    for (int i = 0; i < node->count; i++) {
        const tl_node *child = node->item[i];
        const size_t length = strlen(prefix) + strlen(child->key) + 2;
        char *name = tl_arena_alloc(r->arena, length, 1);
        if (!name) {
            tl_mistake(r->mistakes, TALUS_MEMORY, child, "memory ran out");
            return;
        }
        snprintf(name, length, "%s%s%s", prefix, *prefix ? "." : "", child->key);
        if (child->kind == NODE_MAP) {
            read_parameters(r, child, name);
            continue;
        }
        const tl_scope scope = {.names = r->names, .count = r->name_count};
        tl_dimension dimension = {0};
        tl_error error = {0};
        if (child->kind != NODE_SCALAR) {
            tl_mistake(r->mistakes, TALUS_INPUT, child, "a parameter is a quantity, or names with quantities");
            continue;
        }
        const tl_expression *e = tl_expression_compile(child->text, &scope, r->arena, &dimension, &error);
        double value[3] = {0, 0, 0};
        if (e) tl_expression_value(e, 0, value);
        if (!e && !error.text[0]) tl_mistake(r->mistakes, TALUS_MEMORY, child, "memory ran out");
        else if (!e) tl_mistake(r->mistakes, TALUS_INPUT, child, "%s", error.text);
        else if (!isfinite(value[0])) tl_mistake(r->mistakes, TALUS_INPUT, child, "'%.80s' is not a finite number", child->text);
        /* --set vibration.frequency=12 where the scene says 5 Hz: the plain number is of the same kind */
        tl_dimension before;
        if (e && dimension.unitless && child->was && tl_expression_compile(child->was, &scope, r->arena, &before, &error)) dimension = before;
        r->names[r->name_count++] = (tl_name){.name = name, .value = value[0], .dimension = dimension};
    }
}

void tl_schema_begin(tl_reading *r, const tl_key *keys)
{
    const tl_node *parameters = tl_node_get(r->root, "parameters");
    const tl_node *inputs = keys == TL_SCENE_KEYS ? tl_node_get(r->root, "inputs") : NULL;
    const size_t room = (parameters ? (size_t)count_scalars(parameters) : 0) + (inputs ? (size_t)inputs->count : 0) + 1;
    r->dimension = 2;
    r->names = tl_arena_zero(r->arena, room, sizeof *r->names);
    if (!r->names) {
        tl_mistake(r->mistakes, TALUS_MEMORY, r->root, "memory ran out");
        return;
    }
    if (parameters && parameters->kind == NODE_MAP) read_parameters(r, parameters, "");
    else if (parameters) tl_mistake(r->mistakes, TALUS_INPUT, parameters, "parameters are names with quantities");
    if (inputs) tl_inputs_name(r);
    r->dimension = tl_quantity(r, tl_node_get(r->root, "dimension"), "", 2, false) == 3 ? 3 : 2;
}

void tl_schema_check(tl_reading *r, const tl_key *keys) { check_object(r, r->root, keys, "scene"); }

void tl_schema_check_unique(tl_reading *r)
{
    check_unique(r, "body", "bodies");
    check_unique(r, "joint", "joints");
    check_unique(r, "loop", "loops");
    check_unique(r, "coupling", "couplings");
    check_unique(r, "state", "states");
    check_unique(r, "engine", "engines");
    check_unique(r, "converter", "converters");
}
