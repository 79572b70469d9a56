/* The mesh of a solid as a scene describes it: a box, a file or what a closed surface encloses, and where it stands. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/math.h"
#include "scene/solid_reading.h"

static talus_status wrong(const tl_solid_reading *s, talus_status status, const tl_node *node, const char *text)
{
    tl_mistake(&s->b->scene->mistakes, status, node, "%s", text);
    return status;
}

static talus_status read_cells(tl_solid_reading *s, const tl_node *node, tl_grid_box_def *d)
{
    const bool list = node->kind == NODE_LIST;
    if (list && node->count != d->dimension) {
        tl_mistake(&s->b->scene->mistakes, TALUS_INPUT, node, "'elements' wants %d numbers, one for each axis, or a single one", d->dimension);
        return TALUS_INPUT;
    }
    for (int k = 0; k < d->dimension; k++) {
        const tl_node *number = list ? node->item[k] : node;
        const double value = tl_quantity(s->b->r, number, "", 1, false);
        if (value != floor(value)) {
            tl_mistake(&s->b->scene->mistakes, TALUS_INPUT, number, "'elements' is %g; it must be a whole number", value);
            return TALUS_INPUT;
        }
        d->cells[k] = (int)value;
    }
    return TALUS_OK;
}

/* A group that the mesh is given, of what lies in a region. */
static talus_status read_group(tl_solid_reading *s, const tl_node *group, const char *what)
{
    char text[200];
    tl_zone zone;
    tl_grid *g = &s->grid;
    bool *in = tl_arena_alloc(s->b->scene->arena, (size_t)g->nodes + 1, sizeof *in), any = false;
    if (!in) return TALUS_MEMORY;
    snprintf(text, sizeof text, "a %s has this group already", what);
    if (tl_grid_group_named(g, group->key)) return wrong(s, TALUS_INPUT, group, text);
    TL_TRY(tl_build_zone(s->b, tl_node_get(group, "region"), &zone));
    for (int i = 0; i < g->nodes; i++) in[i] = tl_zone_holds(&zone, tl_load3(g->x[i])), any = any || in[i];
    snprintf(text, sizeof text, "no node of the %s lies in this region", what);
    if (!any) return wrong(s, TALUS_INPUT, group, text);
    return tl_grid_add_group(g, group->key, in, s->b->scene->arena);
}

talus_status tl_read_parts(tl_solid_reading *s, const tl_node *groups, const char *what)
{
    for (int i = 0; groups && i < groups->count; i++) TL_TRY(read_group(s, groups->item[i], what));
    return TALUS_OK;
}

static talus_status read_box(tl_solid_reading *s, const tl_node *node)
{
    static const char *const AXIS[3] = {"x", "y", "z"};
    tl_grid_box_def d = {.dimension = s->b->r->dimension, .grading = {1, 1, 1}};
    tl_error error = {0};
    d.element = tl_word(node, "element", d.dimension == 3 ? "hexahedron8" : "quadrilateral4");
    tl_vector(s->b, tl_node_get(node, "size"), "m", d.size);
    tl_vector(s->b, tl_node_get(node, "at"), "m", d.top);
    TL_TRY(read_cells(s, tl_node_get(node, "elements"), &d));
    for (int k = 0; k < 3 && k < d.dimension; k++) {
        const tl_node *grading = tl_node_get(tl_node_get(node, "grading"), AXIS[k]);
        d.grading[k] = tl_quantity(s->b->r, grading, "", 1, false);
        if (!(d.size[k] > 0)) return wrong(s, TALUS_INPUT, tl_node_get(node, "size"), "the sizes of a box must be positive");
        if (d.cells[k] == 1 && d.grading[k] != 1) return wrong(s, TALUS_INPUT, grading, "along this axis there is one element only, which nothing grows from");
    }
    const talus_status status = tl_grid_box(&d, s->b->scene->arena, &s->grid, &error);
    if (status != TALUS_OK) return wrong(s, status, tl_node_get(node, "elements"), error.text);
    return tl_read_parts(s, tl_node_get(node, "groups"), "box");
}

void tl_beside_scene(const tl_node *file, char path[4096])
{
    const char *slash = strrchr(file->file, '/');
    snprintf(path, 4096, "%.*s%s", slash && file->text[0] != '/' ? (int)(slash - file->file) + 1 : 0, file->file, file->text);
}

static talus_status read_file(tl_solid_reading *s, const tl_node *file)
{
    char path[4096];
    tl_error error = {0};
    tl_beside_scene(file, path);
    const double scale = tl_quantity(s->b->r, tl_node_get(s->node, "scale"), "m", 1, false);
    const talus_status status = tl_grid_file(path, scale, s->b->r->dimension, s->b->scene->arena, &s->grid, &error);
    if (status == TALUS_OK) return TALUS_OK;
    tl_mistake(&s->b->scene->mistakes, status, file, "'%.500s': %s", file->text, error.text);
    return status;
}

static talus_status place(tl_solid_reading *s)
{
    double position[3] = {0, 0, 0}, q[4] = {1, 0, 0, 0};
    const double angle = tl_quantity(s->b->r, tl_node_get(s->node, "angle"), "rad", 0, false);
    tl_vector(s->b, tl_node_get(s->node, "position"), "m", position);
    TL_TRY(tl_build_orientation(s->b, tl_node_get(s->node, "orientation"), q));
    if (s->b->r->dimension == 2) q[0] = cos(0.5 * angle), q[3] = sin(0.5 * angle);
    const bool turned = q[0] != 1;
    const tl_mat3 R = tl_mat3_from_quat((tl_quat){q[0], q[1], q[2], q[3]});
    for (int i = 0; i < s->grid.nodes; i++) {
        const tl_vec3 x = tl_load3(s->grid.x[i]);
        tl_store3(s->grid.x[i], tl_add(tl_load3(position), turned ? tl_mat3_apply(&R, x) : x));
    }
    return TALUS_OK;
}

/* Parts that share no node were often meant as one, whose nodes Gmsh made twice. */
static void warn_of_parts(const tl_solid_reading *s)
{
    const tl_grid *g = &s->grid;
    char line[2048];
    int e = 0;
    if (g->parts < 2) return;
    while (e + 1 < g->elements && g->part_of[g->node[g->begin[e]]] == 0) e++;
    const double *at = g->x[g->node[g->begin[e]]];
    if (g->site)
        snprintf(line, sizeof line,
                 "%.800s:%d:%d: warning: what solid '%.100s' fills is of %d parts that do not hang together; one of them is at [%.4g, %.4g, %.4g] m",
                 s->node->file, s->node->key_line, s->node->key_column, s->node->key, g->parts, at[0], at[1], at[2]);
    else
        snprintf(line, sizeof line,
                 "%.800s:%d:%d: warning: the mesh of solid '%.100s' is of %d parts that share no node: element %lld is not connected with element %lld; where "
                 "they were meant to be, 'Coherence;' in the file of Gmsh joins them",
                 s->node->file, s->node->key_line, s->node->key_column, s->node->key, g->parts, tl_grid_tag(g, e), tl_grid_tag(g, 0));
    talus_world_warn(s->b->world, line);
}

talus_status tl_read_grid(tl_solid_reading *s)
{
    const tl_node *box = tl_node_get(s->node, "box"), *file = tl_node_get(s->node, "mesh"), *fill = tl_node_get(s->node, "fill");
    if ((box != NULL) + (file != NULL) + (fill != NULL) != 1) {
        tl_mistake_key(&s->b->scene->mistakes, TALUS_INPUT, s->node, "a solid has either 'box' or 'mesh' or 'fill'");
        return TALUS_INPUT;
    }
    if (!file && !tl_node_get(fill, "surface") && tl_node_get(s->node, "scale"))
        return wrong(s, TALUS_INPUT, tl_node_get(s->node, "scale"), "'scale' is for a mesh from a file, or a surface; a box, or an outline, has its size");
    TL_TRY(box ? read_box(s, box) : file ? read_file(s, file) : tl_read_fill(s, fill));
    warn_of_parts(s);
    return place(s);
}

/* ---- groups --------------------------------------------------------------------------------------------------------- */

static talus_status unknown(const tl_solid_reading *s, const tl_node *name)
{
    enum { LISTED = 64 };
    const char *names[LISTED] = {NULL};
    char list[1024] = "";
    const int count = s->grid.groups < LISTED ? s->grid.groups : LISTED;
    for (int i = 0; i < count; i++) {
        names[i] = s->grid.group[i].name;
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%.100s", i ? ", " : "", names[i]);
    }
    const char *near = tl_nearest(name->text, names, count);
    tl_mistake(&s->b->scene->mistakes, TALUS_INPUT, name, "solid '%.80s' has no group '%.80s'; %s%s%s%s%s", s->node->key, name->text,
               count ? "it has: " : "its mesh has none: in Gmsh, Physical Surface(\"top\") = {…}; makes one", list, near ? "; did you mean '" : "",
               near ? near : "", near ? "'?" : "");
    return TALUS_INPUT;
}

talus_status tl_each_group(tl_solid_reading *s, const tl_node *names, tl_group_visit *visit, void *user)
{
    talus_status first = TALUS_OK;
    const bool list = names && names->kind == NODE_LIST;
    for (int i = 0; names && i < (list ? names->count : 1); i++) {
        const tl_node *name = list ? names->item[i] : names;
        if (name->kind != NODE_SCALAR) continue;
        const tl_grid_group *g = tl_grid_group_named(&s->grid, name->text);
        const talus_status status = g ? visit(s, g, name, user) : unknown(s, name);
        if (first == TALUS_OK) first = status;
    }
    return first;
}

typedef struct face_list {
    talus_solid_face *face;
    int faces;
} face_list;

static talus_status add_faces(tl_solid_reading *s, const tl_grid_group *g, const tl_node *name, void *user)
{
    face_list *l = user;
    if (g->faces == 0) {
        tl_mistake(&s->b->scene->mistakes, TALUS_INPUT, name, "group '%.80s' has no faces on the surface of solid '%.80s'", name->text, s->node->key);
        return TALUS_INPUT;
    }
    memcpy(&l->face[l->faces], g->face, (size_t)g->faces * sizeof *g->face);
    l->faces += g->faces;
    return TALUS_OK;
}

talus_status tl_group_faces(tl_solid_reading *s, const tl_node *names, talus_solid_face **face, int *faces)
{
    const int most = names->kind == NODE_LIST ? names->count : 1;
    face_list l = {tl_arena_alloc(s->b->scene->arena, (size_t)most * (size_t)s->grid.faces + 1, sizeof *l.face), 0};
    if (!l.face) return TALUS_MEMORY;
    TL_TRY(tl_each_group(s, names, add_faces, &l));
    qsort(l.face, (size_t)l.faces, sizeof *l.face, tl_faces_in_order);
    *face = l.face, *faces = 0;
    for (int i = 0; i < l.faces; i++) /* a face may be of several groups */
        if (i == 0 || tl_faces_in_order(&l.face[i - 1], &l.face[i]) != 0) l.face[(*faces)++] = l.face[i];
    return TALUS_OK;
}

static talus_status mark_nodes(tl_solid_reading *s, const tl_grid_group *g, const tl_node *name, void *user)
{
    (void)s, (void)name;
    for (int i = 0; i < g->nodes; i++) ((bool *)user)[g->node[i]] = true;
    return TALUS_OK;
}

talus_status tl_group_nodes(tl_solid_reading *s, const tl_node *names, int **node, int *nodes)
{
    bool *in = tl_arena_zero(s->b->scene->arena, (size_t)s->grid.nodes, sizeof *in);
    *node = tl_arena_alloc(s->b->scene->arena, (size_t)s->grid.nodes, sizeof **node);
    *nodes = 0;
    if (!in || !*node) return TALUS_MEMORY;
    TL_TRY(tl_each_group(s, names, mark_nodes, in));
    for (int i = 0; i < s->grid.nodes; i++)
        if (in[i]) (*node)[(*nodes)++] = i;
    return TALUS_OK;
}

tl_solid_reading *tl_solid_reading_of(const tl_builder *b, const tl_node *name)
{
    tl_solid_reading *s = b->solids;
    while (s && strcmp(s->node->key, name->text) != 0) s = s->next;
    return s;
}
