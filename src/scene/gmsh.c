/* Gmsh's files, versions 2.2 and 4.1, as its reference manual has them. The file is read as a whole; no count in it is believed. */
#include "scene/gmsh.h"
#include "scene/file.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

typedef struct kind {
    int dimension, nodes;
    const char *name;
} kind;

static const kind KIND[] = {
    [1] = {1, 2, "line"},
    [2] = {2, 3, "triangle"},
    [3] = {2, 4, "quadrilateral"},
    [4] = {3, 4, "tetrahedron"},
    [5] = {3, 8, "hexahedron"},
    [6] = {3, 6, "wedge"},
    [7] = {3, 5, "pyramid"},
    [8] = {1, 3, "line of 3 nodes"},
    [9] = {2, 6, "triangle of 6 nodes"},
    [10] = {2, 9, "quadrilateral of 9 nodes"},
    [11] = {3, 10, "tetrahedron of 10 nodes"},
    [12] = {3, 27, "hexahedron of 27 nodes"},
    [13] = {3, 18, "wedge of 18 nodes"},
    [14] = {3, 14, "pyramid of 14 nodes"},
    [15] = {0, 1, "point"},
    [16] = {2, 8, "quadrilateral of 8 nodes"},
    [17] = {3, 20, "hexahedron of 20 nodes"},
    [18] = {3, 15, "wedge of 15 nodes"},
    [19] = {3, 13, "pyramid of 13 nodes"},
};
enum { KINDS = sizeof KIND / sizeof *KIND, MOST_NODES = 27, MOST_GROUPS = 64, NAME = 256 };

int tl_gmsh_type(int type, int *nodes, const char **name)
{
    if (type < 1 || type >= KINDS) return -1;
    *nodes = KIND[type].nodes;
    *name = KIND[type].name;
    return KIND[type].dimension;
}

/* An entity of the model, whose elements belong to these groups. */
typedef struct entity {
    int dimension, tag, groups, group[MOST_GROUPS];
} entity;

typedef struct place {
    long long tag;
    int index;
} place;

typedef struct reading {
    tl_gmsh *out;
    const char *path;
    char *text; /* the file, and a 0 behind it */
    size_t size, at;
    bool binary, new_format;
    double scale;
    entity *entity;
    int entities, entity_room;
    place *place; /* [nodes] by tag, after the section of nodes */
    int node_room, element_room, list_room, group_room;
    tl_error *error;
} reading;

/* ---- what is wrong ------------------------------------------------------------------------------------------------------------ */

__attribute__((format(printf, 2, 3))) static talus_status wrong(reading *r, const char *format, ...)
{
    char what[400];
    va_list list;
    va_start(list, format);
    vsnprintf(what, sizeof what, format, list);
    va_end(list);
    if (r->binary) return tl_fail(r->error, TALUS_INPUT, "'%s', byte %zu: %s", r->path, r->at, what);
    int line = 1;
    for (size_t i = 0; i < r->at && i < r->size; i++) line += r->text[i] == '\n';
    return tl_fail(r->error, TALUS_INPUT, "'%s', line %d: %s", r->path, line, what);
}

static talus_status no_memory(reading *r) { return tl_fail(r->error, TALUS_MEMORY, "no memory for the mesh of '%s'", r->path); }

/* Room for one more. */
static talus_status grow(reading *r, void *array, int count, int *room, size_t size)
{
    return tl_grow(tl_memory_default(), array, room, count + 1, size) == TALUS_OK ? TALUS_OK : no_memory(r);
}

/* ---- numbers -------------------------------------------------------------------------------------------------------------------- */

static void skip_space(reading *r)
{
    while (r->at < r->size && (r->text[r->at] == ' ' || r->text[r->at] == '\n' || r->text[r->at] == '\r' || r->text[r->at] == '\t')) r->at++;
}

static void skip_line(reading *r)
{
    while (r->at < r->size && r->text[r->at] != '\n') r->at++;
    if (r->at < r->size) r->at++;
}

static talus_status take_text(reading *r, long long *out)
{
    char *end;
    skip_space(r);
    errno = 0;
    *out = strtoll(r->text + r->at, &end, 10);
    if (end == r->text + r->at || errno != 0) return wrong(r, "a whole number is expected here");
    r->at = (size_t)(end - r->text);
    return TALUS_OK;
}

static talus_status take_bytes(reading *r, void *out, size_t size)
{
    if (r->size - r->at < size) return wrong(r, "the file ends too early");
    memcpy(out, r->text + r->at, size);
    r->at += size;
    return TALUS_OK;
}

/* An `int` of the format. */
static talus_status take_int(reading *r, int *out)
{
    long long value = 0;
    *out = 0;
    if (r->binary) return take_bytes(r, out, sizeof *out);
    TL_TRY(take_text(r, &value));
    if (value < INT_MIN || value > INT_MAX) return wrong(r, "%lld is too large a number", value);
    *out = (int)value;
    return TALUS_OK;
}

/* A `size_t` of the format. */
static talus_status take_long(reading *r, long long *out)
{
    *out = 0;
    return r->binary ? take_bytes(r, out, sizeof *out) : take_text(r, out);
}

/* How many of something follow, each of which takes two bytes at least. */
static talus_status take_count(reading *r, bool is_long, int *out)
{
    long long count = 0;
    *out = 0;
    if (is_long) TL_TRY(take_long(r, &count));
    else {
        int few = 0;
        TL_TRY(take_int(r, &few));
        count = few;
    }
    if (count < 0 || (unsigned long long)count > r->size / 2) return wrong(r, "there cannot be %lld of them in a file of this size", count);
    *out = (int)count;
    return TALUS_OK;
}

/* The same where it is text in every file of version 2.2; what follows begins on the next line. */
static talus_status take_text_count(reading *r, int *out)
{
    const bool binary = r->binary;
    r->binary = false;
    const talus_status status = take_count(r, false, out);
    r->binary = binary;
    if (binary) skip_line(r);
    return status;
}

static talus_status take_double(reading *r, double *out)
{
    char *end;
    *out = 0;
    if (r->binary) return take_bytes(r, out, sizeof *out);
    skip_space(r);
    *out = strtod(r->text + r->at, &end);
    if (end == r->text + r->at) return wrong(r, "a number is expected here");
    r->at = (size_t)(end - r->text);
    return TALUS_OK;
}

static talus_status skip_doubles(reading *r, int count)
{
    double ignored;
    for (int i = 0; i < count; i++) TL_TRY(take_double(r, &ignored));
    return TALUS_OK;
}

/* ---- groups --------------------------------------------------------------------------------------------------------------------- */

static talus_status find_group(reading *r, int dimension, int tag, const char *name, int *out)
{
    tl_gmsh *m = r->out;
    char number[16];
    for (*out = 0; *out < m->groups; ++*out)
        if (m->group[*out].dimension == dimension && m->group[*out].tag == tag) return TALUS_OK;
    TL_TRY(grow(r, &m->group, m->groups, &r->group_room, sizeof *m->group));
    snprintf(number, sizeof number, "%d", tag);
    tl_gmsh_group *g = &m->group[m->groups];
    *g = (tl_gmsh_group){.name = strdup(name ? name : number), .dimension = dimension, .tag = tag};
    if (!g->name) return no_memory(r);
    *out = m->groups++;
    return TALUS_OK;
}

static talus_status add_to_group(reading *r, int group, int element)
{
    tl_gmsh_group *g = &r->out->group[group];
    if (g->elements > 0 && g->element[g->elements - 1] == element) return TALUS_OK;
    TL_TRY(grow(r, &g->element, g->elements, &g->room, sizeof *g->element));
    g->element[g->elements++] = element;
    return TALUS_OK;
}

/* Text in every format. */
static talus_status read_names(reading *r)
{
    long long count = 0, dimension = 0, tag = 0;
    TL_TRY(take_text(r, &count));
    for (long long i = 0; i < count; i++) {
        char name[NAME];
        size_t n = 0;
        int group;
        TL_TRY(take_text(r, &dimension));
        TL_TRY(take_text(r, &tag));
        skip_space(r);
        if (r->at >= r->size || r->text[r->at] != '"') return wrong(r, "a name in quotes is expected here");
        for (r->at++; r->at < r->size && r->text[r->at] != '"' && r->text[r->at] != '\n' && n + 1 < sizeof name; r->at++) name[n++] = r->text[r->at];
        if (r->at >= r->size || r->text[r->at] != '"') return wrong(r, "a name does not end, or is longer than %d characters", NAME - 1);
        r->at++;
        name[n] = '\0';
        if (dimension < 0 || dimension > 3 || tag < INT_MIN || tag > INT_MAX) return wrong(r, "a group of dimension %lld, number %lld", dimension, tag);
        TL_TRY(find_group(r, (int)dimension, (int)tag, name, &group));
    }
    return TALUS_OK;
}

/* ---- entities (4.1) ---------------------------------------------------------------------------------------------------------------- */

static talus_status read_entity(reading *r, int dimension)
{
    int groups = 0, bounds = 0, tag = 0;
    TL_TRY(grow(r, &r->entity, r->entities, &r->entity_room, sizeof *r->entity));
    entity *e = &r->entity[r->entities];
    TL_TRY(take_int(r, &tag));
    *e = (entity){.dimension = dimension, .tag = tag};
    TL_TRY(skip_doubles(r, dimension == 0 ? 3 : 6));
    TL_TRY(take_count(r, true, &groups));
    if (groups > MOST_GROUPS) return wrong(r, "an entity is in %d groups; %d are read", groups, MOST_GROUPS);
    for (int k = 0; k < groups; k++) {
        int number = 0;
        TL_TRY(take_int(r, &number));
        TL_TRY(find_group(r, dimension, abs(number), NULL, &e->group[e->groups]));
        e->groups++;
    }
    if (dimension > 0) TL_TRY(take_count(r, true, &bounds));
    for (int k = 0; k < bounds; k++) TL_TRY(take_int(r, &tag));
    r->entities++;
    return TALUS_OK;
}

static talus_status read_entities(reading *r)
{
    int count[4];
    for (int d = 0; d < 4; d++) TL_TRY(take_count(r, true, &count[d]));
    for (int d = 0; d < 4; d++)
        for (int i = 0; i < count[d]; i++) TL_TRY(read_entity(r, d));
    return TALUS_OK;
}

/* ---- blocks (4.1) ------------------------------------------------------------------------------------------------------------------- */

/* What the sections of nodes and of elements begin with: how many blocks there are; how many numbers of theirs in all, and the bounds of these. */
static talus_status take_blocks(reading *r, int *blocks)
{
    int ignored = 0;
    long long bound = 0;
    TL_TRY(take_count(r, true, blocks));
    TL_TRY(take_count(r, true, &ignored));
    TL_TRY(take_long(r, &bound));
    return take_long(r, &bound);
}

/* Nodes or elements of one entity. */
typedef struct block {
    int dimension, tag, kind, count; /* kind: of elements; of nodes whether parameters of the entity stand behind their places */
} block;

static talus_status take_block(reading *r, block *out)
{
    TL_TRY(take_int(r, &out->dimension));
    TL_TRY(take_int(r, &out->tag));
    TL_TRY(take_int(r, &out->kind));
    return take_count(r, true, &out->count);
}

/* ---- nodes ---------------------------------------------------------------------------------------------------------------------- */

static talus_status add_node(reading *r, long long tag)
{
    tl_gmsh *m = r->out;
    int room[2] = {r->node_room, r->node_room};
    TL_TRY(grow(r, &m->x, m->nodes, &room[0], sizeof *m->x));
    TL_TRY(grow(r, &r->place, m->nodes, &room[1], sizeof *r->place));
    r->node_room = room[0];
    r->place[m->nodes] = (place){tag, m->nodes};
    m->x[m->nodes][0] = m->x[m->nodes][1] = m->x[m->nodes][2] = 0;
    m->nodes++;
    return TALUS_OK;
}

static talus_status read_place(reading *r, int node)
{
    for (int k = 0; k < 3; k++) {
        double x = 0;
        TL_TRY(take_double(r, &x));
        if (!isfinite(r->scale * x)) return wrong(r, "node %lld is not at a place", r->place[node].tag);
        r->out->x[node][k] = r->scale * x;
    }
    return TALUS_OK;
}

static talus_status read_nodes_new(reading *r)
{
    int blocks = 0;
    TL_TRY(take_blocks(r, &blocks));
    for (int b = 0; b < blocks; b++) {
        block of = {0};
        const int first = r->out->nodes;
        TL_TRY(take_block(r, &of));
        if (of.dimension < 0 || of.dimension > 3) return wrong(r, "nodes of an entity of dimension %d", of.dimension);
        for (int i = 0; i < of.count; i++) {
            long long number = 0;
            TL_TRY(take_long(r, &number));
            TL_TRY(add_node(r, number));
        }
        for (int i = 0; i < of.count; i++) {
            TL_TRY(read_place(r, first + i));
            if (of.kind) TL_TRY(skip_doubles(r, of.dimension)); /* parameters of the entity */
        }
    }
    return TALUS_OK;
}

static talus_status read_nodes_old(reading *r)
{
    int count = 0;
    TL_TRY(take_text_count(r, &count));
    for (int i = 0; i < count; i++) {
        int tag = 0;
        TL_TRY(take_int(r, &tag));
        TL_TRY(add_node(r, tag));
        TL_TRY(read_place(r, r->out->nodes - 1));
    }
    return TALUS_OK;
}

static int by_tag(const void *a, const void *b)
{
    const place *p = a, *q = b;
    return (p->tag > q->tag) - (p->tag < q->tag);
}

static talus_status read_nodes(reading *r)
{
    if (r->out->nodes > 0) return wrong(r, "there is a second section of nodes");
    TL_TRY(r->new_format ? read_nodes_new(r) : read_nodes_old(r));
    if (r->out->nodes == 0) return wrong(r, "there is no node");
    qsort(r->place, (size_t)r->out->nodes, sizeof *r->place, by_tag);
    for (int i = 1; i < r->out->nodes; i++)
        if (r->place[i].tag == r->place[i - 1].tag) return wrong(r, "there are two nodes %lld", r->place[i].tag);
    return TALUS_OK;
}

/* ---- elements ------------------------------------------------------------------------------------------------------------------- */

static talus_status begin_element(reading *r, int type, long long tag, int *nodes)
{
    tl_gmsh *m = r->out;
    const char *name;
    if (tl_gmsh_type(type, nodes, &name) < 0) return wrong(r, "element %lld is of kind %d, which is not known", tag, type);
    void *array[3] = {&m->type, &m->tag, &m->begin};
    const size_t size[3] = {sizeof *m->type, sizeof *m->tag, sizeof *m->begin};
    int room[3] = {r->element_room, r->element_room, r->element_room};
    for (int k = 0; k < 3; k++) TL_TRY(grow(r, array[k], m->elements + 1, &room[k], size[k]));
    r->element_room = room[0];
    m->begin[0] = 0;
    m->type[m->elements] = type;
    m->tag[m->elements] = tag;
    m->begin[m->elements + 1] = m->begin[m->elements];
    return TALUS_OK;
}

static talus_status add_element_node(reading *r, long long tag)
{
    tl_gmsh *m = r->out;
    const place wanted = {tag, 0}, *found = bsearch(&wanted, r->place, (size_t)m->nodes, sizeof *r->place, by_tag);
    if (!found) return wrong(r, "element %lld has node %lld, which does not exist", m->tag[m->elements], tag);
    int *end = &m->begin[m->elements + 1];
    TL_TRY(grow(r, &m->node, *end, &r->list_room, sizeof *m->node));
    m->node[(*end)++] = found->index;
    return TALUS_OK;
}

/* Version 2.2 lists an element once for each group that it is in. */
static bool is_repeated(const tl_gmsh *m)
{
    const int e = m->elements, *begin = m->begin;
    return e > 0 && m->type[e] == m->type[e - 1] && begin[e + 1] - begin[e] == begin[e] - begin[e - 1] &&
           memcmp(m->node + begin[e], m->node + begin[e - 1], (size_t)(begin[e + 1] - begin[e]) * sizeof *m->node) == 0;
}

static const entity *find_entity(const reading *r, int dimension, int tag)
{
    for (int i = 0; i < r->entities; i++)
        if (r->entity[i].dimension == dimension && r->entity[i].tag == tag) return &r->entity[i];
    return NULL;
}

static talus_status read_elements_new(reading *r)
{
    int blocks = 0;
    TL_TRY(take_blocks(r, &blocks));
    for (int b = 0; b < blocks; b++) {
        block own = {0};
        TL_TRY(take_block(r, &own));
        const entity *of = find_entity(r, own.dimension, own.tag);
        for (int i = 0; i < own.count; i++) {
            long long number = 0;
            int nodes = 0;
            TL_TRY(take_long(r, &number));
            TL_TRY(begin_element(r, own.kind, number, &nodes));
            for (int k = 0; k < nodes; k++) {
                TL_TRY(take_long(r, &number));
                TL_TRY(add_element_node(r, number));
            }
            for (int k = 0; of && k < of->groups; k++) TL_TRY(add_to_group(r, of->group[k], r->out->elements));
            r->out->elements++;
        }
    }
    return TALUS_OK;
}

/* The tags and nodes of one element; the first tag is its group. */
static talus_status read_element_old(reading *r, int type, int tags)
{
    int number = 0, group_tag = 0, nodes = 0, group = 0;
    TL_TRY(take_int(r, &number));
    if (!r->binary) {
        TL_TRY(take_int(r, &type));
        TL_TRY(take_int(r, &tags));
    }
    TL_TRY(begin_element(r, type, number, &nodes));
    if (tags < 0 || tags > 100) return wrong(r, "element %d has %d tags", number, tags);
    for (int k = 0; k < tags; k++) {
        int tag = 0;
        TL_TRY(take_int(r, &tag));
        if (k == 0) group_tag = tag;
    }
    for (int k = 0; k < nodes; k++) {
        int node = 0;
        TL_TRY(take_int(r, &node));
        TL_TRY(add_element_node(r, node));
    }
    if (!is_repeated(r->out)) r->out->elements++;
    if (group_tag == 0) return TALUS_OK;
    TL_TRY(find_group(r, KIND[type].dimension, group_tag, NULL, &group));
    return add_to_group(r, group, r->out->elements - 1);
}

static talus_status read_elements_old(reading *r)
{
    int count = 0;
    TL_TRY(take_text_count(r, &count));
    for (int done = 0; done < count;) {
        int type = 0, follow = 1, tags = 0;
        if (r->binary) {
            TL_TRY(take_int(r, &type));
            TL_TRY(take_int(r, &follow));
            TL_TRY(take_int(r, &tags));
            if (follow < 1 || follow > count - done) return wrong(r, "%d elements follow, of %d that are left", follow, count - done);
        }
        for (int i = 0; i < follow; i++) TL_TRY(read_element_old(r, type, tags));
        done += follow;
    }
    return TALUS_OK;
}

static talus_status read_elements(reading *r)
{
    if (r->out->nodes == 0) return wrong(r, "elements come before nodes");
    if (r->out->elements > 0) return wrong(r, "there is a second section of elements");
    return r->new_format ? read_elements_new(r) : read_elements_old(r);
}

/* ---- the file -------------------------------------------------------------------------------------------------------------------- */

static bool starts(const reading *r, const char *word) { return strncmp(r->text + r->at, word, strlen(word)) == 0; }

static talus_status read_format(reading *r)
{
    double version = 0;
    int kind_of_file = 0, size = 0, one = 0;
    TL_TRY(take_double(r, &version));
    TL_TRY(take_int(r, &kind_of_file));
    TL_TRY(take_int(r, &size));
    if (fabs(version - 2.2) > 1e-6 && fabs(version - 4.1) > 1e-6)
        return wrong(r, "this is version %g of the format; 2.2 and 4.1 are read: write it anew with 'gmsh FILE -save -format msh41'", version);
    if (size != 8) return wrong(r, "numbers of %d bytes; 8 are read", size);
    r->new_format = version > 3;
    skip_line(r);
    r->binary = kind_of_file == 1;
    if (!r->binary) return TALUS_OK;
    TL_TRY(take_int(r, &one));
    return one == 1 ? TALUS_OK : wrong(r, "it was written on a machine of the other order of bytes");
}

static talus_status read_sections(reading *r)
{
    static const struct {
        const char *name;
        talus_status (*read)(reading *);
    } SECTION[] = {{"$PhysicalNames", read_names}, {"$Entities", read_entities}, {"$Nodes", read_nodes}, {"$Elements", read_elements}};
    if (!starts(r, "$MeshFormat")) return wrong(r, "this is no file of Gmsh: it does not begin with $MeshFormat");
    skip_line(r);
    TL_TRY(read_format(r));
    while (r->at < r->size) {
        char end[64];
        skip_space(r);
        if (r->at >= r->size) break;
        if (r->text[r->at] != '$') return wrong(r, "the name of a section is expected here");
        if (starts(r, "$End")) {
            skip_line(r);
            continue;
        }
        size_t n = 1;
        while (r->at + n < r->size && n < 40 && r->text[r->at + n] > ' ') n++;
        snprintf(end, sizeof end, "$End%.*s", (int)(n - 1), r->text + r->at + 1);
        size_t k = 0;
        while (k < sizeof SECTION / sizeof *SECTION && !(strlen(SECTION[k].name) == n && starts(r, SECTION[k].name))) k++;
        skip_line(r);
        if (k < sizeof SECTION / sizeof *SECTION) TL_TRY(SECTION[k].read(r));
        const char *found = memmem(r->text + r->at, r->size - r->at, end, strlen(end));
        if (!found) return wrong(r, "%s is missing", end);
        r->at = (size_t)(found - r->text);
        skip_line(r);
    }
    return r->out->elements > 0 ? TALUS_OK : wrong(r, "there is no element");
}

void tl_gmsh_free(tl_gmsh *m)
{
    for (int i = 0; i < m->groups; i++) free(m->group[i].name), free(m->group[i].element);
    free(m->x);
    free(m->type);
    free(m->tag);
    free(m->begin);
    free(m->node);
    free(m->group);
    *m = (tl_gmsh){0};
}

talus_status tl_gmsh_read(tl_gmsh *out, const char *path, double scale, tl_error *error)
{
    *out = (tl_gmsh){0};
    reading r = {.out = out, .path = path, .scale = scale, .error = error};
    TL_TRY(tl_file_load(path, &r.text, &r.size, error));
    const talus_status status = read_sections(&r);
    free(r.text);
    free(r.entity);
    free(r.place);
    if (status != TALUS_OK) tl_gmsh_free(out);
    return status;
}
