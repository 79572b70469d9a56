/* A packing from a file: a line of names, then a grain a line. */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "scene/grain_kind.h"

enum { X, Y, Z, RADIUS, COLUMNS, MOST_COLUMNS = 64 };

static const char *const NAMES[COLUMNS] = {"x", "y", "z", "radius"};

typedef struct table {
    tl_builder *b;
    const tl_node *node; /* of the file's name */
    char path[4096];
    FILE *in;
    char *text;
    size_t room;
    int line, columns, meaning[MOST_COLUMNS]; /* which of NAMES a column is; COLUMNS: none */
} table;

__attribute__((format(printf, 2, 3))) static talus_status wrong(table *t, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (t->line > 0) tl_mistake(&t->b->scene->mistakes, TALUS_INPUT, t->node, "'%.1000s', line %d: %s", t->path, t->line, text);
    else tl_mistake(&t->b->scene->mistakes, TALUS_INPUT, t->node, "'%.1000s': %s", t->path, text);
    return TALUS_INPUT;
}

/* The next line that has something in it; comments begin with #. */
static char *next_line(table *t)
{
    while (getline(&t->text, &t->room, t->in) > 0) {
        char *at = t->text;
        t->line++;
        while (isspace((unsigned char)*at)) at++;
        if (*at && *at != '#') return at;
    }
    return NULL;
}

static char *next_word(char **rest)
{
    char *word = *rest + strspn(*rest, " \t,;\"\r\n");
    if (!*word) return NULL;
    *rest = word + strcspn(word, " \t,;\"\r\n");
    if (**rest) *(*rest)++ = '\0';
    return word;
}

static talus_status read_names(table *t, bool space, bool needs_radius)
{
    char *rest = next_line(t);
    bool found[COLUMNS + 1] = {false};
    if (!rest) return wrong(t, "it is empty; a line of names was expected, such as x,y,%sradius", space ? "z," : "");
    for (char *word; (word = next_word(&rest)) != NULL;) {
        int k = 0;
        if (t->columns == MOST_COLUMNS) return wrong(t, "more than %d columns", MOST_COLUMNS);
        while (k < COLUMNS && strcmp(word, NAMES[k]) != 0) k++;
        if (k < COLUMNS && found[k]) return wrong(t, "two columns are named '%s'", word);
        found[k] = true;
        t->meaning[t->columns++] = k;
    }
    for (int k = 0; k < COLUMNS; k++)
        if (!found[k] && (k != Z || space) && (k != RADIUS || needs_radius))
            return wrong(t, "there is no column '%s'; the first line names the columns, such as x,y,%sradius", NAMES[k], space ? "z," : "");
    return TALUS_OK;
}

static talus_status read_row(table *t, char *rest, double value[COLUMNS + 1])
{
    int column = 0;
    for (char *word, *end; (word = next_word(&rest)) != NULL; column++) {
        if (column >= t->columns) return wrong(t, "more than the %d numbers that the first line has names for", t->columns);
        const double x = strtod(word, &end);
        if (t->meaning[column] == COLUMNS) continue;
        if (*end || !isfinite(x)) return wrong(t, "'%.40s' is no number", word);
        value[t->meaning[column]] = x;
    }
    return column == t->columns ? TALUS_OK : wrong(t, "%d numbers, where the first line has %d names", column, t->columns);
}

static talus_status read_table(table *t, const tl_node *group)
{
    const bool space = talus_world_dimension(t->b->world) == 3;
    const bool sized = tl_node_get(group, "radius") || tl_node_get(group, "grading") || tl_node_get(group, "sieve");
    tl_grain_kind *kind = malloc(sizeof *kind);
    tl_node any = {.kind = NODE_SCALAR, .file = group->file, .line = group->line, .column = group->column, .text = "1", .key = "radius"};
    tl_node *items[1] = {&any};
    const tl_node radius = {.kind = NODE_MAP, .file = group->file, .key = group->key, .count = 1, .capacity = 1, .item = items};
    talus_status status = kind ? read_names(t, space, !sized) : TALUS_MEMORY;
    /* a group without sizes has those of the file: its kind is read with a size that none has */
    if (status == TALUS_OK) status = sized ? tl_grain_read(t->b, group, NULL, kind) : tl_grain_read(t->b, &radius, group, kind);
    for (char *row; status == TALUS_OK && (row = next_line(t)) != NULL;) {
        double value[COLUMNS + 1] = {0};
        status = read_row(t, row, value);
        if (status == TALUS_OK && (value[RADIUS] < 0 || (!sized && !(value[RADIUS] > 0))))
            status = wrong(t, "the radius is %g; it must be positive", value[RADIUS]);
        if (status == TALUS_OK) status = tl_grain_draw(t->b, kind, value[RADIUS]);
        if (status == TALUS_OK) status = tl_grain_add(t->b, kind, value);
    }
    free(kind);
    return status;
}

talus_status tl_build_table(tl_builder *b, const tl_node *group)
{
    table t = {.b = b, .node = tl_node_get(group, "file")};
    struct stat s;
    if (!t.node || t.node->kind != NODE_SCALAR) {
        tl_mistake_key(&b->scene->mistakes, TALUS_INPUT, group, "'file' is missing here: a table with the columns x, y%s and radius",
                       talus_world_dimension(b->world) == 3 ? ", z" : "");
        return TALUS_INPUT;
    }
    const char *slash = strrchr(t.node->file, '/');
    snprintf(t.path, sizeof t.path, "%.*s%s", slash && t.node->text[0] != '/' ? (int)(slash - t.node->file) + 1 : 0, t.node->file, t.node->text);
    if (stat(t.path, &s) != 0) return wrong(&t, "%s", strerror(errno));
    if (!S_ISREG(s.st_mode)) return wrong(&t, "it is no file");
    t.in = fopen(t.path, "r");
    if (!t.in) return wrong(&t, "%s", strerror(errno));
    const int before = talus_body_count(b->world);
    talus_status status = read_table(&t, group);
    if (status == TALUS_OK && talus_body_count(b->world) == before) status = wrong(&t, "it has no grains");
    free(t.text);
    fclose(t.in);
    return status;
}
