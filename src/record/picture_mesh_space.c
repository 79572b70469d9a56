/* Finite-element solids in space: the faces of their surfaces as triangles, the faces where a plane cuts them open, which show what is inside, and the lines
 * between elements. */
#include <math.h>
#include <stdlib.h>

#include "record/picture_space.h"

static tl_vec3 seen(const tl_picture *p, const double x[3]) { return tl_to_camera(p, tl_load3(x)); }

/* Three corners are a triangle, more a fan around their middle. */
static bool add_loop(const tl_picture *p, tl_solids *s, int solid, int loop)
{
    const tl_picture_mesh *m = &p->mesh[solid];
    const int body = p->run->solid[solid].body;
    double x[TL_LOOP_NODES + 1][3], share[TL_LOOP_NODES + 1];
    const int n = tl_picture_mesh_loop(p, solid, loop, x, share);
    for (int k = 0; k < (n == 3 ? 1 : n); k++) {
        const int of[3] = {n == 3 ? 0 : n, n == 3 ? 1 : k, n == 3 ? 2 : (k + 1) % n};
        tl_vec3 corner[3];
        double value[3];
        for (int c = 0; c < 3; c++) corner[c] = seen(p, x[of[c]]), value[c] = share[of[c]];
        if (!tl_solids_add_polygon(s, body, corner, 3, m->valued ? value : NULL, m->colour)) return false;
    }
    return true;
}

bool tl_mesh_surfaces(const tl_picture *p, tl_solids *s)
{
    for (int i = 0; i < p->run->solids; i++)
        for (int f = 0; f < p->run->solid[i].faces && tl_picture_shows(p, p->run->solid[i].body); f++)
            if (!add_loop(p, s, i, f)) return false;
    return true;
}

/* ---- where they are cut --------------------------------------------------------------------------------------------- */

static bool is_cut(const tl_picture *p) { return p->def->cut[0] != 0 || p->def->cut[1] != 0 || p->def->cut[2] != 0; }

/* How far a point, world axes, lies beyond the plane; in the metric of the plane's vector. */
static double beyond(const tl_picture *p, const double x[3])
{
    const double at = tl_dot(tl_load3(p->def->cut), tl_load3(x)) - p->def->cut_at;
    return tl_dot(tl_load3(p->def->cut), p->toward) < 0 ? -at : at;
}

/* A node of an element that is cut. */
typedef struct corner {
    double x[3], share, beyond;
} corner;

static corner between(const corner *a, const corner *b)
{
    const double t = a->beyond / (a->beyond - b->beyond);
    corner out = {.share = a->share + t * (b->share - a->share)};
    for (int c = 0; c < 3; c++) out.x[c] = a->x[c] + t * (b->x[c] - a->x[c]);
    return out;
}

/* Elements as tetrahedra of their corners, by VTK's number. */
static int tetrahedra_of(int vtk, const int (**out)[4])
{
    static const int ONE[1][4] = {{0, 1, 2, 3}}, WEDGE[3][4] = {{0, 1, 2, 5}, {0, 1, 5, 4}, {0, 4, 5, 3}},
                     BOX[6][4] = {{0, 1, 2, 6}, {0, 2, 3, 6}, {0, 3, 7, 6}, {0, 7, 4, 6}, {0, 4, 5, 6}, {0, 5, 1, 6}};
    *out = vtk == 12 ? BOX : vtk == 13 ? WEDGE : ONE;
    return vtk == 12 ? 6 : vtk == 13 ? 3 : 1;
}

/* A tetrahedron is cut in a triangle, or in a quadrilateral whose corners go around in this order. */
static int cut_tetrahedron(const corner *const node[4], corner out[4])
{
    const corner *in[4], *off[4];
    int inside = 0, outside = 0, n = 0;
    for (int k = 0; k < 4; k++)
        if (node[k]->beyond > 0) off[outside++] = node[k];
        else in[inside++] = node[k];
    if (inside == 2) {
        static const int ORDER[4][2] = {{0, 0}, {0, 1}, {1, 1}, {1, 0}};
        for (; n < 4; n++) out[n] = between(in[ORDER[n][0]], off[ORDER[n][1]]);
        return n;
    }
    for (int i = 0; i < inside; i++)
        for (int k = 0; k < outside; k++) out[n++] = between(in[i], off[k]);
    return n;
}

/* The nodes of an element; false: it does not reach through the plane. */
static bool nodes_of(const tl_picture *p, int solid, int element, corner *node)
{
    const tl_replay_solid *s = &p->run->solid[solid];
    const int begin = tl_replay_element_begin(s, element);
    bool before = false, past = false;
    for (int k = begin; k < s->element_end[element]; k++) {
        corner *c = &node[k - begin];
        tl_replay_node(s, &p->mesh[solid].deformed, s->element_node[k], p->def->deform, c->x);
        c->share = tl_picture_share(p, p->mesh[solid].value[s->element_node[k]]), c->beyond = beyond(p, c->x);
        before = before || c->beyond <= 0, past = past || c->beyond > 0;
    }
    return before && past;
}

static bool add_section(const tl_picture *p, tl_solids *s, int solid, int element)
{
    const tl_picture_mesh *m = &p->mesh[solid];
    const int(*part)[4];
    corner node[TALUS_ELEMENT_MOST_NODES] = {0}, cut[4];
    if (!nodes_of(p, solid, element, node)) return true;
    const int parts = tetrahedra_of(tl_replay_element_kind(&p->run->solid[solid], element)->vtk, &part);
    for (int i = 0; i < parts; i++) {
        const corner *const of[4] = {&node[part[i][0]], &node[part[i][1]], &node[part[i][2]], &node[part[i][3]]};
        const int n = cut_tetrahedron(of, cut);
        tl_vec3 at[4];
        double share[4];
        for (int k = 0; k < n; k++) at[k] = seen(p, cut[k].x), share[k] = cut[k].share;
        if (n >= 3 && !tl_solids_add_polygon(s, p->run->solid[solid].body, at, n, m->valued ? share : NULL, m->colour)) return false;
    }
    return true;
}

bool tl_mesh_sections(const tl_picture *p, tl_solids *s)
{
    for (int i = 0; is_cut(p) && i < p->run->solids; i++)
        for (int e = 0; e < p->run->solid[i].elements && tl_picture_shows(p, p->run->solid[i].body); e++)
            if (!add_section(p, s, i, e)) return false;
    return true;
}

/* ---- lines ---------------------------------------------------------------------------------------------------------- */

static bool add_line(const tl_picture *p, tl_mesh_lines *l, const double a[3], const double b[3], double ink)
{
    const tl_memory memory = tl_memory_default();
    if (tl_grow(memory, &l->end, &l->room, l->count + 1, sizeof *l->end) != TALUS_OK ||
        tl_grow(memory, &l->ink, &l->ink_room, l->count + 1, sizeof *l->ink) != TALUS_OK)
        return false;
    l->end[l->count][0] = seen(p, a), l->end[l->count][1] = seen(p, b);
    l->ink[l->count++] = ink;
    return true;
}

/* The part of a line that is not cut off. */
static bool add_cut_line(const tl_picture *p, tl_mesh_lines *l, const double a[3], const double b[3], double ink)
{
    if (!is_cut(p)) return add_line(p, l, a, b, ink);
    const corner from = {.x = {a[0], a[1], a[2]}, .beyond = beyond(p, a)}, to = {.x = {b[0], b[1], b[2]}, .beyond = beyond(p, b)};
    if (from.beyond > 0 && to.beyond > 0) return true;
    if (from.beyond <= 0 && to.beyond <= 0) return add_line(p, l, a, b, ink);
    const corner middle = between(&from, &to);
    return add_line(p, l, from.beyond > 0 ? b : a, middle.x, ink);
}

/* Every line lies between two faces of the surface, which go around it in opposite ways: one of them draws it. */
static bool add_lines_of_surface(const tl_picture *p, tl_mesh_lines *l, int solid, double ink)
{
    const tl_replay_solid *s = &p->run->solid[solid];
    double x[TL_LOOP_NODES + 1][3], share[TL_LOOP_NODES + 1];
    int32_t node[TL_LOOP_NODES];
    for (int f = 0; f < s->faces; f++) {
        const int n = tl_picture_mesh_loop(p, solid, f, x, share);
        (void)tl_replay_loop(p->run, s, f, node);
        for (int k = 0; k < n; k++)
            if (node[k] < node[(k + 1) % n] && !add_cut_line(p, l, x[k], x[(k + 1) % n], ink)) return false;
    }
    return true;
}

/* Where the plane cuts the faces of elements. Two elements share most of these faces, so that each draws them half. */
static bool add_lines_of_sections(const tl_picture *p, tl_mesh_lines *l, int solid, double ink)
{
    const tl_replay_solid *s = &p->run->solid[solid];
    corner node[TALUS_ELEMENT_MOST_NODES] = {0};
    for (int e = 0; e < s->elements; e++) {
        const talus_element *kind = tl_replay_element_kind(s, e);
        if (!nodes_of(p, solid, e, node)) continue;
        for (int f = 0; f < kind->faces; f++) {
            corner end[4];
            int n = 0;
            for (int k = 0; k < kind->face_corners[f]; k++) {
                const corner *a = &node[kind->face_node[f][k]], *b = &node[kind->face_node[f][(k + 1) % kind->face_corners[f]]];
                if ((a->beyond > 0) != (b->beyond > 0)) end[n++] = between(a, b);
            }
            if (n >= 2 && !add_line(p, l, end[0].x, end[1].x, 0.5 * ink)) return false;
        }
    }
    return true;
}

bool tl_mesh_lines_collect(const tl_picture *p, tl_mesh_lines *l)
{
    for (int i = 0; i < p->run->solids; i++) {
        const double ink = tl_picture_shows(p, p->run->solid[i].body) ? tl_picture_mesh_ink(p, i) : 0;
        if (!(ink > 0)) continue;
        if (!add_lines_of_surface(p, l, i, ink) || (is_cut(p) && !add_lines_of_sections(p, l, i, ink))) return false;
    }
    return true;
}

void tl_mesh_lines_free(tl_mesh_lines *l)
{
    tl_free(tl_memory_default(), l->end), tl_free(tl_memory_default(), l->ink);
    *l = (tl_mesh_lines){0};
}
