/* Text to tree (libyaml), includes, settings. Aliases are refused: a scene is plain data, and nothing can blow it up. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <yaml.h>

#include "scene/node.h"
#include "scene/schema.h"

enum { MAX_BYTES = 64 << 20, MAX_DEPTH = 64, MAX_NODES = 2000000, MAX_INCLUDES = 32, MAX_FILES = 256 };

const tl_node *tl_node_get(const tl_node *map, const char *key)
{
    for (int i = 0; map && map->kind == NODE_MAP && i < map->count; i++)
        if (strcmp(map->item[i]->key, key) == 0) return map->item[i];
    return NULL;
}

/* ---- reading ------------------------------------------------------------------------------------------------------ */

typedef struct reader {
    yaml_parser_t parser;
    const char *file, *text;
    size_t length;
    bool setting;
    tl_arena *arena;
    tl_mistakes *mistakes;
    int nodes, depth;
    bool failed;
} reader;

static char *keep(tl_arena *arena, const char *text, size_t length)
{
    char *copy = tl_arena_alloc(arena, length + 1, 1);
    if (!copy) return NULL;
    memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

static tl_node *new_node(reader *r, tl_node_kind kind, const yaml_mark_t *mark)
{
    tl_node *node = tl_arena_zero(r->arena, 1, sizeof *node);
    if (!node) {
        r->failed = true;
        return NULL;
    }
    *node = (tl_node){.kind = kind, .file = r->file, .line = r->setting ? 0 : (int)mark->line + 1, .column = (int)mark->column + 1};
    return node;
}

static void fail_here(reader *r, const yaml_mark_t *mark, const char *text)
{
    const tl_node here = {.file = r->file, .line = r->setting ? 0 : (int)mark->line + 1, .column = (int)mark->column + 1};
    if (!r->failed) tl_mistake(r->mistakes, TALUS_INPUT, &here, "%s", text);
    r->failed = true;
}

static bool append(reader *r, tl_node *parent, tl_node *child)
{
    if (parent->count == parent->capacity) {
        const int capacity = parent->capacity ? 2 * parent->capacity : 8;
        tl_node **grown = tl_arena_alloc(r->arena, (size_t)capacity, sizeof *grown);
        if (!grown) return !(r->failed = true);
        if (parent->count) memcpy(grown, parent->item, (size_t)parent->count * sizeof *grown);
        parent->item = grown;
        parent->capacity = capacity;
    }
    parent->item[parent->count++] = child;
    return true;
}

static tl_node *read_node(reader *r, yaml_event_t *event);

static yaml_mark_t place_of_byte(const reader *r, size_t offset)
{
    yaml_mark_t mark = {0, 0, 0};
    for (; mark.index < offset && mark.index < r->length; mark.index++, mark.column++)
        if (r->text[mark.index] == '\n') mark.line++, mark.column = (size_t)-1;
    return mark;
}

static bool is_tab(const reader *r, const yaml_mark_t *mark)
{
    const char *p = r->text;
    for (size_t line = 0; line < mark->line && (p = memchr(p, '\n', (size_t)(r->text + r->length - p))); line++) p++;
    return p && mark->column < (size_t)(r->text + r->length - p) && p[mark->column] == '\t';
}

static bool next_event(reader *r, yaml_event_t *event)
{
    if (yaml_parser_parse(&r->parser, event)) return true;
    char text[512];
    snprintf(text, sizeof text, "this is not YAML: %s%s%s", r->parser.problem ? r->parser.problem : "unreadable", r->parser.context ? ", " : "",
             r->parser.context ? r->parser.context : "");
    yaml_mark_t mark = r->parser.problem_mark;
    if (r->parser.error == YAML_READER_ERROR) {
        snprintf(text, sizeof text, "this is not a text file: %s (byte %zu)", r->parser.problem ? r->parser.problem : "", r->parser.problem_offset);
        mark = place_of_byte(r, r->parser.problem_offset);
    } else if (is_tab(r, &mark)) snprintf(text, sizeof text, "a tab; YAML is indented by spaces");
    fail_here(r, &mark, text);
    return false;
}

static void read_map_entry(reader *r, tl_node *map, yaml_event_t *event)
{
    if (event->type != YAML_SCALAR_EVENT) {
        fail_here(r, &event->start_mark, "a key must be a word");
        yaml_event_delete(event);
        return;
    }
    const char *key = keep(r->arena, (const char *)event->data.scalar.value, event->data.scalar.length);
    const yaml_mark_t mark = event->start_mark;
    if (key && strlen(key) != event->data.scalar.length) fail_here(r, &mark, "a NUL byte in a key");
    yaml_event_delete(event);
    if (r->failed) return;
    yaml_event_t value;
    if (!key || !next_event(r, &value)) {
        r->failed = true;
        return;
    }
    tl_node *child = read_node(r, &value);
    if (!child) return;
    child->key = key;
    child->key_line = (int)mark.line + 1;
    child->key_column = (int)mark.column + 1;
    append(r, map, child);
}

static int by_key(const void *a, const void *b)
{
    const tl_node *p = *(tl_node *const *)a, *q = *(tl_node *const *)b;
    const int order = strcmp(p->key, q->key);
    if (order != 0 || p == q) return order;
    return p->key_line != q->key_line ? (p->key_line < q->key_line ? -1 : 1) : (p->key_column < q->key_column ? -1 : 1);
}

static void find_twins(reader *r, const tl_node *map)
{
    tl_node **sorted = map->count > 1 ? malloc((size_t)map->count * sizeof *sorted) : NULL;
    if (!sorted) return;
    memcpy(sorted, map->item, (size_t)map->count * sizeof *sorted);
    qsort(sorted, (size_t)map->count, sizeof *sorted, by_key);
    for (int i = 1, first = 0; i < map->count; i++) {
        if (strcmp(sorted[i]->key, sorted[first]->key) != 0) first = i;
        else tl_mistake_key(r->mistakes, TALUS_INPUT, sorted[i], "'%.80s' is given twice; first in line %d", sorted[i]->key, sorted[first]->key_line);
    }
    free(sorted);
}

static tl_node *read_children(reader *r, tl_node *node, yaml_event_type_t end)
{
    for (;;) {
        yaml_event_t event;
        if (!next_event(r, &event)) return NULL;
        if (event.type == end) {
            yaml_event_delete(&event);
            break;
        }
        if (node->kind == NODE_MAP) read_map_entry(r, node, &event);
        else {
            tl_node *child = read_node(r, &event);
            if (child) append(r, node, child);
        }
        if (r->failed) return NULL;
    }
    r->depth--;
    if (node->kind == NODE_MAP) find_twins(r, node);
    return node;
}

/* Consumes the event. */
static tl_node *read_node(reader *r, yaml_event_t *event)
{
    tl_node *node = NULL;
    if (++r->nodes > MAX_NODES) fail_here(r, &event->start_mark, "more than two million entries");
    else if (event->type == YAML_ALIAS_EVENT) fail_here(r, &event->start_mark, "aliases (*name) are not part of the scene language; use include or parameters");
    else if (event->type == YAML_SCALAR_EVENT) {
        node = new_node(r, NODE_SCALAR, &event->start_mark);
        if (node) {
            node->text = keep(r->arena, (const char *)event->data.scalar.value, event->data.scalar.length);
            node->quoted = event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
            if (!node->text) r->failed = true, node = NULL;
            else if (strlen(node->text) != event->data.scalar.length) fail_here(r, &event->start_mark, "a NUL byte in a word"), node = NULL;
        }
    } else if (event->type == YAML_SEQUENCE_START_EVENT || event->type == YAML_MAPPING_START_EVENT) {
        const bool map = event->type == YAML_MAPPING_START_EVENT;
        node = new_node(r, map ? NODE_MAP : NODE_LIST, &event->start_mark);
        if (node && ++r->depth > MAX_DEPTH) fail_here(r, &event->start_mark, "nested too deeply; 64 levels are the limit"), node = NULL;
        yaml_event_delete(event);
        return node ? read_children(r, node, map ? YAML_MAPPING_END_EVENT : YAML_SEQUENCE_END_EVENT) : NULL;
    } else fail_here(r, &event->start_mark, "unexpected end");
    yaml_event_delete(event);
    return node;
}

static tl_node *parse(reader *r, const char *text, size_t length)
{
    tl_node *root = NULL;
    if (!yaml_parser_initialize(&r->parser)) return NULL;
    r->text = text, r->length = length;
    yaml_parser_set_input_string(&r->parser, (const unsigned char *)text, length);
    for (bool done = false; !done && !r->failed;) {
        yaml_event_t event;
        if (!next_event(r, &event)) break;
        if (event.type == YAML_STREAM_END_EVENT) done = true;
        if (event.type == YAML_DOCUMENT_START_EVENT && root) fail_here(r, &event.start_mark, "a second document; a scene is one");
        if (event.type == YAML_STREAM_START_EVENT || event.type == YAML_DOCUMENT_START_EVENT || event.type == YAML_DOCUMENT_END_EVENT || done) {
            yaml_event_delete(&event);
            continue;
        }
        root = read_node(r, &event);
    }
    yaml_parser_delete(&r->parser);
    return r->failed ? NULL : root;
}

/* Whole file, or NULL after a mistake at `from`. */
static char *read_file(const char *path, const tl_node *from, size_t *length, tl_mistakes *mistakes)
{
    struct stat info;
    if (stat(path, &info) != 0) {
        tl_mistake(mistakes, TALUS_IO, from, "cannot read '%s': %s", path, strerror(errno));
        return NULL;
    }
    if (!S_ISREG(info.st_mode) || info.st_size > MAX_BYTES) {
        tl_mistake(mistakes, TALUS_INPUT, from, S_ISREG(info.st_mode) ? "'%s' has more than 64 MB: not a scene" : "'%s' is not a file", path);
        return NULL;
    }
    FILE *file = fopen(path, "rb");
    char *text = file ? malloc((size_t)info.st_size + 1) : NULL;
    if (!text) tl_mistake(mistakes, TALUS_IO, from, "cannot read '%s': %s", path, strerror(errno));
    else *length = fread(text, 1, (size_t)info.st_size, file);
    if (file) fclose(file);
    return text;
}

/* ---- includes ----------------------------------------------------------------------------------------------------- */

typedef struct include_chain {
    const char *path;
    char *real; /* the same for all ways to write it; NULL: unknown */
    const struct include_chain *up;
    int depth, *files;
} include_chain;

static tl_node *load_file(const char *path, const tl_node *from, const include_chain *chain, tl_arena *arena, tl_mistakes *mistakes);

/* Maps merge, the rest replaces: `over` wins. */
static void merge(reader *r, tl_node *base, const tl_node *over)
{
    for (int i = 0; i < over->count; i++) {
        tl_node *theirs = over->item[i];
        int at = -1;
        for (int k = 0; k < base->count; k++)
            if (strcmp(base->item[k]->key, theirs->key) == 0) at = k;
        if (at < 0) append(r, base, theirs);
        else if (base->item[at]->kind == NODE_MAP && theirs->kind == NODE_MAP) merge(r, base->item[at], theirs);
        else base->item[at] = theirs;
    }
}

static const char *beside(const char *including, const char *name, tl_arena *arena)
{
    const char *slash = strrchr(including, '/');
    if (name[0] == '/' || !slash) return name;
    const size_t folder = (size_t)(slash - including) + 1, length = strlen(name);
    char *path = tl_arena_alloc(arena, folder + length + 1, 1);
    if (!path) return name;
    memcpy(path, including, folder);
    memcpy(path + folder, name, length + 1);
    return path;
}

static tl_node *resolve_includes(tl_node *root, const include_chain *chain, tl_arena *arena, tl_mistakes *mistakes)
{
    reader r = {.arena = arena, .mistakes = mistakes};
    const tl_node *include = tl_node_get(root, "include");
    if (!include) return root;
    tl_node *base = tl_arena_zero(arena, 1, sizeof *base);
    if (!base) return NULL;
    *base = *root;
    base->item = NULL;
    base->count = base->capacity = 0;
    const int n = include->kind == NODE_LIST ? include->count : 1;
    for (int i = 0; i < n; i++) {
        const tl_node *name = include->kind == NODE_LIST ? include->item[i] : include;
        if (name->kind != NODE_SCALAR) {
            tl_mistake(mistakes, TALUS_INPUT, name, "include wants the name of a file, or a list of names");
            continue;
        }
        const tl_node *other = load_file(beside(chain->path, name->text, arena), name, chain, arena, mistakes);
        if (other) merge(&r, base, other);
    }
    int kept = 0;
    for (int i = 0; i < root->count; i++)
        if (root->item[i] != include) root->item[kept++] = root->item[i];
    root->count = kept;
    merge(&r, base, root);
    return base;
}

static bool includes_itself(const include_chain *here)
{
    for (const include_chain *c = here->up; c; c = c->up)
        if (strcmp(c->path, here->path) == 0 || (c->real && here->real && strcmp(c->real, here->real) == 0)) return true;
    return here->depth > MAX_INCLUDES;
}

static tl_node *parse_file(const char *path, const tl_node *from, tl_arena *arena, tl_mistakes *mistakes)
{
    size_t length = 0;
    char *text = read_file(path, from, &length, mistakes);
    if (!text) return NULL;
    reader r = {.file = keep(arena, path, strlen(path)), .arena = arena, .mistakes = mistakes};
    const int before = mistakes->count;
    tl_node *root = r.file ? parse(&r, text, length) : NULL;
    free(text);
    const tl_node start = {.file = r.file ? r.file : "", .line = 1, .column = 1};
    if (!root && mistakes->count == before) tl_mistake(mistakes, TALUS_INPUT, &start, "the file is empty; it begins with keys such as 'time:' or 'bodies:'");
    if (!root || root->kind == NODE_MAP) return root;
    tl_mistake(mistakes, TALUS_INPUT, root, "keys and values are expected, such as 'time: {end: 1 s}'");
    return NULL;
}

static bool is_scene(const tl_node *root)
{
    for (int i = 0; i < root->count; i++)
        if (tl_schema_has_key(root->item[i]->key)) return true;
    return false;
}

static void set_depth(tl_node *node, int depth)
{
    node->depth = depth;
    for (int i = 0; i < node->count; i++) set_depth(node->item[i], depth);
}

static tl_node *load_file(const char *path, const tl_node *from, const include_chain *chain, tl_arena *arena, tl_mistakes *mistakes)
{
    int first = 0;
    const include_chain here = {path, realpath(path, NULL), chain, chain ? chain->depth + 1 : 0, chain ? chain->files : &first};
    tl_node *root = NULL;
    if (includes_itself(&here)) tl_mistake(mistakes, TALUS_INPUT, from, "'%s' includes itself, by way of '%s'", path, chain->path);
    else if (++*here.files > MAX_FILES) {
        if (*here.files == MAX_FILES + 1) tl_mistake(mistakes, TALUS_INPUT, from, "too many includes; %d files are the limit", MAX_FILES);
    } else if ((root = parse_file(path, from, arena, mistakes)) && chain && !is_scene(root)) {
        tl_mistake(mistakes, TALUS_INPUT, from, "'%s' is not a scene: it has none of a scene's keys", path); /* and is not shown here */
        root = NULL;
    } else if (root) {
        set_depth(root, here.depth);
        root = resolve_includes(root, &here, arena, mistakes);
    }
    free(here.real);
    return root;
}

/* ---- settings ----------------------------------------------------------------------------------------------------- */

static tl_node *child_for(reader *r, tl_node *at, const char *word, const tl_node *setting)
{
    if (at->kind == NODE_LIST) {
        char *end;
        const long index = strtol(word, &end, 10);
        if (*word && !*end && index >= 0 && index < at->count) return at->item[index];
        tl_mistake(r->mistakes, TALUS_INPUT, setting, "the list has no entry '%s'; it has 0 … %d", word, at->count - 1);
        return NULL;
    }
    if (at->kind != NODE_MAP) {
        tl_mistake(r->mistakes, TALUS_INPUT, setting, "'%s' would stand inside a single value", word);
        return NULL;
    }
    for (int i = 0; i < at->count; i++)
        if (strcmp(at->item[i]->key, word) == 0) return at->item[i];
    tl_node *child = tl_arena_zero(r->arena, 1, sizeof *child);
    if (!child) return NULL;
    *child = (tl_node){.kind = NODE_MAP, .file = r->file, .key = keep(r->arena, word, strlen(word))};
    return child->key && append(r, at, child) ? child : NULL;
}

/* The length of the next word of a path: of the longest key of this map that it begins with, for names may have dots; else up to the next dot. */
static size_t next_word(const tl_node *map, const char *path)
{
    size_t longest = 0;
    for (int i = 0; map && map->kind == NODE_MAP && i < map->count; i++) {
        const size_t n = strlen(map->item[i]->key);
        if (n > longest && strncmp(map->item[i]->key, path, n) == 0 && (path[n] == '.' || path[n] == '\0')) longest = n;
    }
    return longest > 0 ? longest : strcspn(path, ".");
}

/* A path whose first word is no key of the scene, or that begins with 'parameters', addresses a parameter, which must exist. */
static tl_node *parameter_target(reader *r, tl_node *root, const char *path, bool is_prefixed, const tl_node *setting)
{
    const tl_node *at = tl_node_get(root, "parameters");
    char word[128];
    for (const char *p = path; at && *p;) {
        const size_t length = next_word(at, p);
        snprintf(word, sizeof word, "%.*s", (int)length, p);
        const tl_node *child = tl_node_get(at, word);
        if (!child) {
            const char *names[64];
            int n = 0;
            for (int i = 0; at->kind == NODE_MAP && i < at->count && n < 64; i++) names[n++] = at->item[i]->key;
            const char *near = tl_nearest(word, names, n);
            tl_mistake(r->mistakes, TALUS_INPUT, setting, "'%s' is %s%s%s%s", word,
                       is_prefixed ? "none of the scene's parameters" : "neither a key of the scene nor one of its parameters", near ? "; did you mean '" : "",
                       near ? near : "", near ? "'?" : "");
            return NULL;
        }
        at = child;
        p += length + (p[length] == '.');
    }
    if (!at)
        tl_mistake(r->mistakes, TALUS_INPUT, setting,
                   is_prefixed ? "the scene has no parameters, thus no '%s'" : "'%s' is no key of the scene, and the scene has no parameters", path);
    return (tl_node *)(uintptr_t)at;
}

/* A parameter may be named as a key of scenes is: it is meant where the scene has it, and nothing else at that path. */
static bool names_parameter(const tl_node *root, const char *path)
{
    const tl_node *found[2] = {root, tl_node_get(root, "parameters")};
    char word[128];
    for (int i = 0; i < 2; i++)
        for (const char *p = path; *p;) {
            const size_t length = next_word(found[i], p);
            snprintf(word, sizeof word, "%.*s", (int)length, p);
            found[i] = found[i] && found[i]->kind == NODE_MAP ? tl_node_get(found[i], word) : NULL;
            p += length + (p[length] == '.');
        }
    return found[1] && !found[0];
}

static void apply_setting(tl_node *root, const char *setting, tl_arena *arena, tl_mistakes *mistakes)
{
    const size_t length = strlen(setting) + 7;
    char *name = tl_arena_alloc(arena, length, 1);
    if (!name) return;
    snprintf(name, length, "--set %s", setting);
    reader r = {.file = name, .setting = true, .arena = arena, .mistakes = mistakes};
    const tl_node here = {.file = name};
    const char *equals = strchr(setting, '=');
    if (!equals || equals == setting) {
        tl_mistake(mistakes, TALUS_INPUT, &here, "a setting is path=value, such as time.step=1e-4");
        return;
    }
    const char *path = keep(arena, setting, (size_t)(equals - setting));
    tl_node *value = parse(&r, equals + 1, strlen(equals + 1));
    if (!path || !value) {
        if (!r.failed) tl_mistake(mistakes, TALUS_INPUT, &here, "the value is empty");
        return;
    }
    const char *first = keep(arena, path, strcspn(path, "."));
    if (first && strcmp(first, "include") == 0) {
        tl_mistake(mistakes, TALUS_INPUT, &here, "an include cannot be set: it has been read by then");
        return;
    }
    static const char PARAMETERS[] = "parameters.";
    const bool is_prefixed = strncmp(path, PARAMETERS, sizeof PARAMETERS - 1) == 0;
    tl_node *at = root;
    if (!is_prefixed && first && tl_schema_has_key(first) && !names_parameter(root, path)) {
        for (const char *p = path; at && *p;) {
            const size_t n = next_word(at, p);
            const char *word = keep(arena, p, n);
            at = word ? child_for(&r, at, word, &here) : NULL;
            p += n + (p[n] == '.');
        }
    } else at = parameter_target(&r, root, is_prefixed ? path + sizeof PARAMETERS - 1 : path, is_prefixed, &here);
    if (!at) return;
    value->was = at->kind == NODE_SCALAR ? at->text : NULL;
    value->key = at->key;
    value->key_line = 0;
    *at = *value;
}

tl_node *tl_yaml_load(const char *path, const char *const *settings, int count, tl_arena *arena, tl_mistakes *mistakes)
{
    const tl_node start = {.file = path, .line = 1, .column = 1};
    tl_node *root = load_file(path, &start, NULL, arena, mistakes);
    for (int i = 0; root && i < count; i++) apply_setting(root, settings[i], arena, mistakes);
    return root;
}

static void move_to(tl_node *node, const tl_node *place)
{
    node->file = place->file, node->line = node->key_line = place->line, node->column = node->key_column = place->column;
    for (int i = 0; i < node->count; i++) move_to(node->item[i], place);
}

/* Maps of the scene hold maps of names, these the keys of a thing: what is of a name already is not another thing. */
static bool is_free(const tl_node *base, const tl_node *over, const tl_node *place, tl_mistakes *mistakes)
{
    for (int i = 0; i < over->count; i++) {
        const tl_node *theirs = over->item[i], *own = tl_node_get(base, theirs->key);
        if (!own) continue;
        const bool group = own->kind == NODE_MAP && theirs->kind == NODE_MAP && theirs->count > 0 && theirs->item[0]->kind == NODE_MAP;
        if (group && is_free(own, theirs, place, mistakes)) continue;
        if (!group) tl_mistake_key(mistakes, TALUS_INPUT, own, "there are two things named '%.80s': one is of '%.80s'", theirs->key, place->key);
        return false;
    }
    return true;
}

bool tl_yaml_add(tl_node *root, const char *text, const tl_node *place, tl_arena *arena, tl_mistakes *mistakes)
{
    reader r = {.file = place->file, .arena = arena, .mistakes = mistakes};
    const char *own = keep(arena, text, strlen(text));
    const int before = mistakes->count;
    tl_node *more = own ? parse(&r, own, strlen(own)) : NULL;
    if (more && !is_free(root, more, place, mistakes)) return false;
    if (more) {
        move_to(more, place);
        merge(&r, root, more);
    }
    if (more && !r.failed) return true;
    if (mistakes->count == before) tl_mistake_key(mistakes, TALUS_MEMORY, place, "memory ran out");
    return false;
}

/* ---- writing ------------------------------------------------------------------------------------------------------ */

void tl_yaml_quote(FILE *out, const char *text)
{
    fputc('"', out);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\') fputc('\\', out);
        if (*text == '\n') fputs("\\n", out);
        else fputc(*text, out);
    }
    fputc('"', out);
}

static void write_node(FILE *out, const tl_node *node, int indent)
{
    if (node->kind == NODE_SCALAR) {
        if (!node->quoted && !*node->text) return; /* nothing, as in "steel:" */
        if (node->quoted || strpbrk(node->text, ",:{}[]#&*!|>'\"%@`")) tl_yaml_quote(out, node->text);
        else fputs(node->text, out);
        return;
    }
    const bool map = node->kind == NODE_MAP;
    if (indent < 0 || node->count == 0) { /* on one line */
        fputc(map ? '{' : '[', out);
        for (int i = 0; i < node->count; i++) {
            if (i) fputs(", ", out);
            if (map) tl_yaml_quote(out, node->item[i]->key), fputs(": ", out);
            write_node(out, node->item[i], -1);
        }
        fputc(map ? '}' : ']', out);
        return;
    }
    for (int i = 0; i < node->count; i++) {
        fprintf(out, "%*s", indent, "");
        if (!map) fputs("- ", out), write_node(out, node->item[i], -1);
        else {
            const bool block = node->item[i]->kind == NODE_MAP && node->item[i]->count > 0;
            tl_yaml_quote(out, node->item[i]->key);
            fputs(block ? ":\n" : ": ", out);
            write_node(out, node->item[i], block ? indent + 2 : -1);
            if (block) continue;
        }
        fputc('\n', out);
    }
}

char *tl_yaml_text(const tl_node *root)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out) return NULL;
    write_node(out, root, 0);
    fclose(out);
    return text;
}
