/* What contacts meet of a solid (theory §10.4): its nodes, and its surface as triangles, in the plane as edges, that move with them.
 *
 * A quadrilateral face is four triangles about its middle, which goes with the mean of its corners; a face of six nodes is four triangles
 * between them, and a side of three nodes two edges. A point on such a piece moves as the weights of its corners there say. So the gap that is detected and the
 * velocity that contacts see are those of one and the same surface, a split has no direction of its own, and impulses keep their sum and their moment. */
#include <string.h>

#include "matter/solid_internal.h"

enum { MOST_PIECES = 4, PIECE_CORNERS = 3 }; /* of a face; of a piece, in the plane one less */

/* How faces of a kind are cut: corners of the pieces by the nodes of the face; −1: its middle. */
typedef struct cut {
    int corners, nodes, pieces;
    int piece[MOST_PIECES][PIECE_CORNERS];
} cut;

static const cut CUTS[] = {
    {2, 2, 1, {{0, 1}}},
    {2, 3, 2, {{0, 2}, {2, 1}}},
    {3, 3, 1, {{0, 1, 2}}},
    {3, 6, 4, {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}, {3, 4, 5}}},
    {4, 4, 4, {{0, 1, -1}, {1, 2, -1}, {2, 3, -1}, {3, 0, -1}}},
};

static const cut *cut_of(int corners, int nodes)
{
    const cut *c = CUTS;
    while (c->corners != corners || c->nodes != nodes) c++;
    return c;
}

/* ---- making it --------------------------------------------------------------------------------------------------------- */

typedef struct surface_work {
    int *vertex_of;                  /* [nodes] 1 + the vertex of a node                 */
    int32_t (*piece)[PIECE_CORNERS]; /* [pieces] vertices of triangles; in the plane of edges, in the first two */
    int vertices, pieces;
} surface_work;

static int vertex_at(tl_solid *s, surface_work *work, int node)
{
    if (work->vertex_of[node] > 0) return work->vertex_of[node] - 1;
    s->surface.vertex[work->vertices] = (tl_solid_vertex){1, {node}};
    work->vertex_of[node] = ++work->vertices;
    return work->vertices - 1;
}

static void add_face(tl_solid *s, surface_work *work, const tl_outer_face *face)
{
    int node[TL_FACE_NODES], middle = -1;
    const int nodes = tl_element_mesh_face_nodes(&s->mesh, face, node);
    const cut *c = cut_of(s->mesh.kind[face->element]->face[face->face].corners, nodes);
    for (int t = 0; t < c->pieces; t++)
        for (int k = 0; k < tl_solid_axes(s); k++) {
            const int at = c->piece[t][k];
            if (at < 0 && middle < 0) {
                middle = work->vertices++;
                s->surface.vertex[middle] = (tl_solid_vertex){4, {node[0], node[1], node[2], node[3]}};
            }
            work->piece[work->pieces + t][k] = at < 0 ? middle : vertex_at(s, work, node[at]);
        }
    work->pieces += c->pieces;
}

static tl_vec3 node_at(const tl_solid *s, int node, const double *u)
{
    const int d = tl_solid_axes(s);
    return tl_add(tl_load3(s->mesh.x[node]), tl_v3(u[d * node], u[d * node + 1], d == 3 ? u[d * node + 2] : 0));
}

/* Of the vertices, with displacements u. */
static void place_vertices(const tl_solid *s, const double *u)
{
    for (int i = 0; i < s->surface.vertices; i++) {
        const tl_solid_vertex *v = &s->surface.vertex[i];
        tl_vec3 sum = {0, 0, 0};
        for (int k = 0; k < v->nodes; k++) sum = tl_add(sum, node_at(s, v->node[k], u));
        s->surface.at[i] = v->nodes == 1 ? sum : tl_scale(1.0 / v->nodes, sum);
        if (s->surface.flat) s->surface.flat[i] = tl_v2(sum.x, sum.y);
    }
}

/* Faces become pieces, whose corners are placed; then the caller makes a shape of them. */
static talus_status cut_faces(tl_solid *s, const talus_solid_contact *contact, surface_work *work, tl_error *error)
{
    const tl_memory memory = s->matter.memory;
    const size_t most = (size_t)contact->faces, room = (size_t)s->mesh.nodes + most;
    const bool flat = tl_solid_axes(s) == 2;
    *work = (surface_work){.vertex_of = tl_alloc(memory, (size_t)s->mesh.nodes, sizeof *work->vertex_of),
                           .piece = tl_alloc(memory, MOST_PIECES * most + 1, sizeof *work->piece)};
    s->surface.vertex = tl_alloc(memory, room, sizeof *s->surface.vertex);
    s->surface.at = tl_alloc(memory, room, sizeof *s->surface.at);
    s->surface.flat = flat ? tl_alloc(memory, room, sizeof *s->surface.flat) : NULL;
    if (!work->vertex_of || !work->piece || !s->surface.vertex || !s->surface.at || (flat && !s->surface.flat))
        return tl_fail(error, TALUS_MEMORY, "no memory for the surface of solid '%s'", s->matter.name);
    for (int i = 0; i < contact->faces; i++) add_face(s, work, &contact->face[i]);
    s->surface.vertices = work->vertices;
    place_vertices(s, s->u);
    return TALUS_OK;
}

static void free_work(const tl_solid *s, surface_work *work)
{
    tl_free(s->matter.memory, work->vertex_of);
    tl_free(s->matter.memory, work->piece);
}

/* Of the vertices: all but the middles of faces. */
static void mark_nodes(const tl_solid *s, uint8_t *presses)
{
    for (int i = 0; i < s->surface.vertices; i++) presses[i] = s->surface.vertex[i].nodes == 1;
}

static talus_status make_mesh(tl_solid *s, const surface_work *work, tl_shape3 *out, tl_error *error)
{
    const tl_triangles3 of = {s->surface.at, work->vertices, (const int32_t(*)[3])work->piece, work->pieces};
    const talus_status status = tl_shape3_mesh(out, s->matter.memory, &of, error);
    if (status != TALUS_OK) return status;
    if (out->mesh->vertices == work->vertices && out->mesh->triangles == work->pieces) {
        s->surface.mesh = out->mesh;
        return TALUS_OK;
    }
    const bool twice = out->mesh->vertices != work->vertices;
    tl_shape3_free(out, s->matter.memory);
    return tl_fail(error, TALUS_INPUT, "solid '%s': %s", s->matter.name,
                   twice ? "two nodes of the surface that takes contacts lie at one place" : "a face that takes contacts has no area");
}

talus_status tl_solid_make_surface(tl_matter *matter, const talus_solid_contact *contact, tl_shape3 *out, tl_error *error)
{
    tl_solid *s = (tl_solid *)matter;
    surface_work work;
    talus_status status = cut_faces(s, contact, &work, error);
    if (status == TALUS_OK) status = make_mesh(s, &work, out, error);
    if (status == TALUS_OK && contact->nodes) mark_nodes(s, out->mesh->presses);
    free_work(s, &work);
    return status;
}

static talus_status make_line(tl_solid *s, surface_work *work, tl_shape2 *out, tl_error *error)
{
    int32_t(*edge)[2] = tl_alloc(s->matter.memory, (size_t)work->pieces, sizeof *edge);
    if (!edge) return tl_fail(error, TALUS_MEMORY, "no memory for the outline of solid '%s'", s->matter.name);
    for (int i = 0; i < work->pieces; i++) edge[i][0] = work->piece[i][0], edge[i][1] = work->piece[i][1];
    const talus_status status =
        tl_shape2_mesh(out, s->matter.memory, &(tl_edges2){s->surface.flat, work->vertices, (const int32_t(*)[2])edge, work->pieces}, error);
    tl_free(s->matter.memory, edge);
    if (status == TALUS_OK) s->surface.outline = out->mesh;
    return status == TALUS_INPUT ? tl_fail(error, status, "solid '%s': two nodes of the outline that takes contacts lie at one place", s->matter.name) : status;
}

talus_status tl_solid_make_outline(tl_matter *matter, const talus_solid_contact *contact, tl_shape2 *out, tl_error *error)
{
    tl_solid *s = (tl_solid *)matter;
    surface_work work;
    talus_status status = cut_faces(s, contact, &work, error);
    if (status == TALUS_OK) status = make_line(s, &work, out, error);
    if (status == TALUS_OK && contact->nodes) mark_nodes(s, out->mesh->presses);
    free_work(s, &work);
    return status;
}

/* ---- the faces about a node -------------------------------------------------------------------------------------------- */

/* All outer faces of the mesh, whether contacts meet them or not. */
static talus_status list_faces(tl_solid *s)
{
    const size_t nodes = (size_t)s->mesh.nodes;
    int node[TL_FACE_NODES];
    s->faces_begin = tl_alloc(s->matter.memory, nodes + 2, sizeof *s->faces_begin);
    if (!s->faces_begin) return TALUS_MEMORY;
    for (int f = 0; f < s->mesh.faces; f++) {
        const int n = tl_element_mesh_face_nodes(&s->mesh, &s->mesh.face[f], node);
        for (int k = 0; k < n; k++) s->faces_begin[node[k] + 2]++;
    }
    for (size_t i = 0; i < nodes; i++) s->faces_begin[i + 2] += s->faces_begin[i + 1];
    s->faces_at = tl_alloc(s->matter.memory, (size_t)s->faces_begin[nodes + 1] + 1, sizeof *s->faces_at);
    if (!s->faces_at) return TALUS_MEMORY;
    for (int f = 0; f < s->mesh.faces; f++) {
        const int n = tl_element_mesh_face_nodes(&s->mesh, &s->mesh.face[f], node);
        for (int k = 0; k < n; k++) s->faces_at[s->faces_begin[node[k] + 1]++] = f;
    }
    return TALUS_OK;
}

/* A face by its corners. */
static tl_facet facet_of(const tl_solid *s, const tl_outer_face *face, const double *u)
{
    int node[TL_FACE_NODES];
    (void)tl_element_mesh_face_nodes(&s->mesh, face, node);
    tl_facet f = {.corners = s->mesh.kind[face->element]->face[face->face].corners};
    for (int k = 0; k < f.corners; k++) f.corner[k] = node_at(s, node[k], u);
    const tl_vec3 along = tl_sub(f.corner[1], f.corner[0]);
    if (f.corners == 2) f.normal = tl_normalize(tl_v3(along.y, -along.x, 0));
    else if (f.corners == 3) f.normal = tl_normalize(tl_cross(along, tl_sub(f.corner[2], f.corner[0])));
    else f.normal = tl_normalize(tl_cross(tl_sub(f.corner[2], f.corner[0]), tl_sub(f.corner[3], f.corner[1])));
    return f;
}

int tl_solid_facets(const tl_matter *matter, int item, tl_facet *out)
{
    const tl_solid *s = (const tl_solid *)matter;
    const int first = s->faces_begin[item], all = s->faces_begin[item + 1] - first, count = all < TL_FACETS ? all : TL_FACETS;
    const double *u = s->in_step ? s->u_m : s->u;
    for (int k = 0; k < count; k++) {
        out[k] = facet_of(s, &s->mesh.face[s->faces_at[first + k]], u);
        out[k].at = node_at(s, item, u);
    }
    return count;
}

talus_status tl_solid_expect_faces(tl_matter *matter, const tl_outer_face *face, int faces, tl_error *error)
{
    tl_solid *s = (tl_solid *)matter;
    s->touched = tl_alloc(matter->memory, (size_t)s->mesh.nodes, sizeof *s->touched);
    bool *known = tl_alloc(matter->memory, (size_t)s->mesh.nodes, sizeof *known);
    s->spacing = (double)INFINITY;
    if (!s->touched || !known || list_faces(s) != TALUS_OK) {
        tl_free(matter->memory, known);
        return tl_fail(error, TALUS_MEMORY, "no memory for the contacts of solid '%s'", matter->name);
    }
    for (int f = 0; f < faces; f++) {
        int node[TL_FACE_NODES];
        const int nodes = tl_element_mesh_face_nodes(&s->mesh, &face[f], node);
        for (int k = 0; k < nodes; k++) {
            for (int i = 0; i < k; i++) s->spacing = fmin(s->spacing, tl_norm(tl_sub(tl_load3(s->mesh.x[node[k]]), tl_load3(s->mesh.x[node[i]]))));
            if (known[node[k]]) continue;
            known[node[k]] = true;
            s->touched[s->touches++] = node[k];
            tl_solid_expect(matter, node[k]);
        }
    }
    tl_free(matter->memory, known);
    return TALUS_OK;
}

const int *tl_solid_touched(const tl_matter *matter, int *count, double *spacing)
{
    const tl_solid *s = (const tl_solid *)matter;
    *count = s->touches;
    *spacing = s->spacing;
    return s->touched;
}

void tl_solid_forget_faces(tl_matter *matter)
{
    tl_solid *s = (tl_solid *)matter;
    tl_free(matter->memory, s->touched);
    tl_free(matter->memory, s->faces_begin), tl_free(matter->memory, s->faces_at);
    tl_free(matter->memory, s->surface.vertex);
    tl_free(matter->memory, s->surface.at);
    tl_free(matter->memory, s->surface.flat);
    s->touched = s->faces_begin = s->faces_at = NULL, s->touches = 0;
    memset(&s->surface, 0, sizeof s->surface);
    memset(s->expected, 0, (size_t)s->mesh.nodes * sizeof *s->expected);
}

/* ---- in a step --------------------------------------------------------------------------------------------------------- */

bool tl_solid_place_surface(tl_solid *s, const double *u)
{
    if (!s->surface.mesh && !s->surface.outline) return true;
    place_vertices(s, u);
    return s->surface.mesh ? tl_mesh3_move(s->surface.mesh, s->surface.at) == 0 : tl_mesh2_move(s->surface.outline, s->surface.flat) == 0;
}

static void add_weight(tl_solid_row *row, int node, double weight)
{
    int k = 0;
    while (k < row->nodes && row->node[k] != node) k++;
    if (k == row->nodes) row->node[row->nodes] = node, row->weight[row->nodes++] = 0;
    row->weight[k] += weight;
}

/* Shares of a triangle's corners at a point on it. */
static void shares(const tl_mesh3 *m, int triangle, tl_vec3 x, double share[3])
{
    const int32_t *c = m->corner[triangle];
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        const tl_vec3 p = tl_sub(m->vertex[c[(k + 1) % 3]], x), q = tl_sub(m->vertex[c[(k + 2) % 3]], x);
        share[k] = fmax(0, tl_dot(m->normal[triangle], tl_cross(p, q)));
        sum += share[k];
    }
    for (int k = 0; k < 3; k++) share[k] = sum > 0 ? share[k] / sum : 1.0 / 3;
}

/* Vertices of the piece of the surface that is nearest to x, and their shares there. Returns how many; 0: none is. */
static int vertices_at(const tl_solid *s, const double x[3], int32_t vertex[PIECE_CORNERS], double share[PIECE_CORNERS])
{
    if (s->surface.mesh) {
        const tl_mesh_foot3 foot = tl_mesh3_nearest(s->surface.mesh, tl_load3(x));
        if (foot.triangle < 0) return 0;
        shares(s->surface.mesh, foot.triangle, foot.at, share);
        memcpy(vertex, s->surface.mesh->corner[foot.triangle], 3 * sizeof *vertex);
        return 3;
    }
    const tl_mesh2 *m = s->surface.outline;
    const tl_mesh_foot2 foot = tl_mesh2_nearest(m, tl_v2(x[0], x[1]));
    if (foot.edge < 0) return 0;
    const tl_mesh_edge2 *e = &m->edge[foot.edge];
    vertex[0] = e->from, vertex[1] = e->to;
    share[1] = fmin(1, fmax(0, tl_dot2(e->along, tl_sub2(foot.at, m->vertex[e->from])) / e->length));
    share[0] = 1 - share[1];
    return 2;
}

talus_status tl_solid_row_of(const tl_solid *s, const tl_port *port, tl_solid_row *out, tl_error *error)
{
    *out = (tl_solid_row){1, {port->item}, {1}};
    if (port->item < s->mesh.nodes) return TALUS_OK;
    if (port->item > s->mesh.nodes) {
        *out = s->point[port->item - s->mesh.nodes - 1];
        return TALUS_OK;
    }
    if (!s->surface.mesh && !s->surface.outline)
        return tl_fail(error, TALUS_UNSUPPORTED, "solid '%s' is held or touched as a whole, but has no surface for contacts; take one of its nodes",
                       s->matter.name);
    int32_t vertex[PIECE_CORNERS];
    double share[PIECE_CORNERS];
    const int vertices = vertices_at(s, port->x, vertex, share);
    if (vertices == 0) return tl_fail(error, TALUS_DIVERGED, "solid '%s' is touched nowhere", s->matter.name);
    out->nodes = 0;
    for (int k = 0; k < vertices; k++) {
        const tl_solid_vertex *v = &s->surface.vertex[vertex[k]];
        for (int i = 0; i < v->nodes; i++) add_weight(out, v->node[i], share[k] / v->nodes);
    }
    return TALUS_OK;
}

static tl_vec3 node_velocity(const tl_solid *s, int node, const double *v, bool imposed)
{
    const int d = tl_solid_axes(s);
    double out[3] = {0, 0, 0};
    for (int a = 0; a < d; a++) out[a] = !s->is_held[d * node + a] ? v[d * node + a] : imposed ? s->v_held[d * node + a] : 0;
    return tl_load3(out);
}

double tl_solid_motion(const tl_matter *matter, int item, const double *v, bool imposed, tl_vec3 *velocity)
{
    const tl_solid *s = (const tl_solid *)matter;
    if (item < s->mesh.nodes) {
        *velocity = node_velocity(s, item, v, imposed);
        return 0;
    }
    tl_vec3 sum = {0, 0, 0};
    double most = 0;
    for (int i = 0; i < s->touches; i++) sum = tl_add(sum, node_velocity(s, s->touched[i], v, imposed));
    *velocity = tl_scale(s->touches > 0 ? 1.0 / s->touches : 0, sum);
    for (int i = 0; i < s->touches; i++) most = fmax(most, tl_norm(tl_sub(node_velocity(s, s->touched[i], v, imposed), *velocity)));
    return most;
}
