/* Warnings of solids that were drawn in another unit, of grains that fall through their nodes, and of bodies that sink into their faces. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/math.h"
#include "scene/filling.h"
#include "scene/solid_reading.h"

/* Longest and shortest side of the box, along its own axes, of what moves by itself. */
typedef struct extent {
    double longest, shortest, across; /* across: the middle one of three sides, the longer one of two */
    double low[3], high[3];
} extent;

/* Of the shapes from first to end − 1. False: there is none, it has no end, or no memory is left to look at it. */
static bool measure(const talus_world *w, talus_body_id id, int first, int end, extent *out)
{
    double side[3], rim[3], *low = out->low, *high = out->high;
    for (int c = 0; c < 3; c++) low[c] = (double)INFINITY, high[c] = -(double)INFINITY;
    for (int k = first; k < end; k++) {
        talus_shape_def shape;
        talus_body_shape(w, id, k, &shape);
        const int n = talus_body_corners(w, id, k, NULL, 0);
        double(*corner)[3] = calloc((size_t)n + 1, sizeof *corner);
        if (corner) (void)talus_body_corners(w, id, k, corner, n);
        if (corner) tl_rims(&shape, (const double(*)[3])corner, rim);
        for (int i = 0; corner && i < n; i++)
            for (int c = 0; c < 3; c++) low[c] = fmin(low[c], corner[i][c] - rim[c]), high[c] = fmax(high[c], corner[i][c] + rim[c]);
        free(corner);
    }
    for (int c = 0; c < 3; c++) side[c] = high[c] - low[c];
    if (talus_world_dimension(w) == 2) side[2] = side[0];
    out->across = talus_world_dimension(w) == 2 ? fmax(side[0], side[1]) : fmax(fmin(side[0], side[1]), fmin(fmax(side[0], side[1]), side[2]));
    out->longest = fmax(side[0], fmax(side[1], side[2]));
    out->shortest = fmin(side[0], fmin(side[1], side[2]));
    return out->shortest > 0 && isfinite(out->longest);
}

/* What a solid is compared with: how thin the thinnest free body is, how long the longest, and how long that of the middle, which one large plate does not
 * change. */
typedef struct grain_sizes {
    int count;
    double thinnest, middle, longest;
} grain_sizes;

static grain_sizes sizes_of_grains(const talus_world *w)
{
    const int bodies = talus_body_count(w);
    double *longest = malloc(((size_t)bodies + 1) * sizeof *longest);
    grain_sizes out = {.thinnest = (double)INFINITY};
    for (int i = 0; longest && i < bodies; i++) {
        const talus_body_id id = talus_body_at(w, i);
        extent e;
        if (talus_body_get_kind(w, id) != TALUS_BODY_FREE || talus_solid_of_body(w, id).index1 || !measure(w, id, 0, talus_body_shape_count(w, id), &e))
            continue;
        longest[out.count++] = e.longest;
        out.thinnest = fmin(out.thinnest, e.shortest);
    }
    if (out.count > 0) {
        qsort(longest, (size_t)out.count, sizeof *longest, tl_rising);
        out.middle = longest[out.count / 2];
        out.longest = longest[out.count - 1];
    }
    free(longest);
    return out;
}

/* Does another shape of the body go on where this one ends? Of a row the single ones do not count as thin. */
static bool goes_on(const talus_world *w, talus_body_id id, int shape, const extent *own)
{
    static const double TOUCH = 1e-6; /* of its length */
    for (int k = 0; k < talus_body_shape_count(w, id); k++) {
        extent e;
        bool apart = k == shape;
        if (!apart) (void)measure(w, id, k, k + 1, &e);
        for (int c = 0; !apart && c < 3; c++) apart = e.low[c] > own->high[c] + TOUCH * own->longest || e.high[c] < own->low[c] - TOUCH * own->longest;
        if (!apart) return true;
    }
    return false;
}

/* What does not move by itself, links and what is fixed or moved, and begins no farther from the solid than this: sizes of its single shapes. What
 * is wide lies on nodes, however thin it is. */
static void add_tools(const tl_solid_reading *s, double near, grain_sizes *g)
{
    const talus_world *w = s->b->world;
    talus_solid_mesh mesh;
    double low[3] = {(double)INFINITY, (double)INFINITY, (double)INFINITY}, high[3] = {-(double)INFINITY, -(double)INFINITY, -(double)INFINITY};
    if (!talus_solid_get_mesh(w, s->id, &mesh)) return;
    for (int i = 0; i < mesh.nodes; i++)
        for (int c = 0; c < 3; c++) low[c] = fmin(low[c], mesh.position[i][c]), high[c] = fmax(high[c], mesh.position[i][c]);
    for (int i = 0; i < talus_body_count(w); i++) {
        const talus_body_id id = talus_body_at(w, i);
        double from[3] = {(double)INFINITY, (double)INFINITY, (double)INFINITY}, to[3] = {-(double)INFINITY, -(double)INFINITY, -(double)INFINITY};
        bool apart = false;
        if (talus_body_get_kind(w, id) == TALUS_BODY_FREE || talus_solid_of_body(w, id).index1 || !tl_extents(w, id, from, to)) continue;
        for (int c = 0; c < mesh.dimension; c++) apart = apart || from[c] > high[c] + near || to[c] < low[c] - near;
        for (int k = 0; !apart && k < talus_body_shape_count(w, id); k++) {
            extent e;
            if (!measure(w, id, k, k + 1, &e)) continue;
            g->longest = fmax(g->longest, e.longest);
            if (e.across < g->thinnest && !goes_on(w, id, k, &e)) g->thinnest = e.across;
        }
    }
}

static void warn(const tl_solid_reading *s, const tl_node *node, const char *text)
{
    char line[2048];
    snprintf(line, sizeof line, "%.800s:%d:%d: warning: %.1000s", node->file, node->key_line, node->key_column, text);
    talus_world_warn(s->b->world, line);
}

/* Soil of 30 m under stones of 3 cm: a layer that large has too few elements to see a stone. Railway sections of 5 m have a ratio of 200, a centimetre taken
 * for a metre makes 1000 and more. */
static const double OTHER_UNIT = 500;

static void check_unit(const tl_solid_reading *s, const grain_sizes *g)
{
    char text[1024];
    const tl_vec3 sides = tl_grid_sides(&s->grid);
    const double size = fmax(sides.x, fmax(sides.y, sides.z));
    if (size < OTHER_UNIT * g->middle) return;
    snprintf(text, sizeof text, "solid '%.80s' is %.3g m long, what moves beside it %.3g m: is its unit right?%s", s->node->key, size, g->middle,
             tl_node_get(s->node, "mesh") ? " 'scale: 1 mm' is that of a mesh drawn in mm" : "");
    warn(s, s->node, text);
}

/* The longest edge of the faces that take contacts: of a face with nodes between its corners half as long. */
static double longest_edge(const tl_solid_reading *s)
{
    double longest = 0;
    for (int f = 0; f < s->touching_faces; f++) {
        int node[TALUS_FACE_MOST_NODES];
        talus_element kind;
        const talus_solid_face face = s->touching[f];
        const int nodes = tl_grid_face_nodes(&s->grid, face, node);
        if (!talus_element_get(s->grid.kind[face.element], &kind)) continue;
        const int corners = kind.face_corners[face.face];
        for (int k = 0; k < corners && (corners > 2 || k < 1); k++) {
            const double *a = s->grid.x[node[k]], *b = s->grid.x[node[(k + 1) % corners]];
            longest = fmax(longest, tl_norm(tl_sub(tl_load3(a), tl_load3(b))) / (nodes > corners ? 2 : 1));
        }
    }
    return longest;
}

/* With nodes alone, what is thinner than they are apart falls between them (T15 Fig. 9, theory §10.4). */
static void check_nodes(const tl_solid_reading *s, const grain_sizes *g)
{
    grain_sizes met = *g;
    const double edge = longest_edge(s);
    add_tools(s, edge, &met);
    const double radius = 0.5 * met.thinnest;
    char text[1024];
    if (edge <= radius) return;
    snprintf(
        text, sizeof text,
        "nodes of solid '%.80s' that take contacts are up to %.3g m apart, and what lies on them has a radius of %.3g m: it falls through. Elements of half "
        "the radius hold it, or 'as: both', faces as well",
        s->node->key, edge, radius);
    warn(s, tl_node_get(s->node, "contact"), text);
}

/* What lies on so many elements in a row is held by faces alone at too few points, and sinks (theory §10.4): blocks as long as two elements rest where they
 * should, as long as four they sink in. */
static const double SPANS = 3;

static void check_faces(const tl_solid_reading *s, const grain_sizes *g)
{
    grain_sizes met = *g;
    const double edge = longest_edge(s);
    char text[1024];
    add_tools(s, edge, &met);
    if (met.longest <= SPANS * edge) return;
    snprintf(
        text, sizeof text,
        "elements of solid '%.80s' that take contacts are up to %.3g m long, and what lies on them %.3g m: where it presses on several at once, faces alone "
        "let it sink; 'as: both' holds it by nodes as well",
        s->node->key, edge, met.longest);
    warn(s, tl_node_get(s->node, "contact"), text);
}

void tl_build_check_solids(tl_builder *b)
{
    if (!b->solids) return;
    const grain_sizes g = sizes_of_grains(b->world);
    for (const tl_solid_reading *s = b->solids; s; s = s->next) {
        if (g.count > 0) check_unit(s, &g);
        if (s->by_nodes && !s->by_faces) check_nodes(s, &g);
        if (s->by_faces && !s->by_nodes) check_faces(s, &g);
    }
}
