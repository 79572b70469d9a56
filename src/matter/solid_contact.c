/* What contacts meet of a solid (theory §10.4): its nodes, and its surface as triangles that move with them.
 *
 * A quadrilateral face is four triangles about its middle, which goes with the mean of its corners; a face of six nodes is four triangles
 * between them. A point on a triangle moves as its corners' weights there say. So the gap that is detected and the velocity that contacts see are those of
 * one and the same surface, a split has no direction of its own, and impulses keep their sum and their moment. */
#include <string.h>

#include "matter/solid_internal.h"
#include "shape/shape3.h"

enum { MOST_TRIANGLES = 4 }; /* of a face */

/* Corners of a face's triangles, by its nodes as the kind of the face has them; node −1: the middle. */
static int split(int corners, int nodes, int triangle[MOST_TRIANGLES][3])
{
    static const int ONE[1][3] = {{0, 1, 2}}, SIX[4][3] = {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}, {3, 4, 5}},
                     FOUR[4][3] = {{0, 1, -1}, {1, 2, -1}, {2, 3, -1}, {3, 0, -1}};
    const bool plain = corners == 3 && nodes == 3;
    memcpy(triangle, plain ? ONE : corners == 3 ? SIX : FOUR, plain ? sizeof ONE : sizeof SIX);
    return plain ? 1 : MOST_TRIANGLES;
}

/* ---- making it --------------------------------------------------------------------------------------------------------- */

typedef struct surface_work {
    int *vertex_of; /* [nodes] 1 + the vertex of a node */
    int32_t (*triangle)[3];
    int vertices, triangles;
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
    int node[TL_FACE_NODES], triangle[MOST_TRIANGLES][3], middle = -1;
    const int nodes = tl_element_mesh_face_nodes(&s->mesh, face, node), corners = s->mesh.kind[face->element]->face[face->face].corners;
    const int count = split(corners, nodes, triangle);
    for (int t = 0; t < count; t++)
        for (int k = 0; k < 3; k++) {
            const int at = triangle[t][k];
            if (at < 0 && middle < 0) {
                middle = work->vertices++;
                s->surface.vertex[middle] = (tl_solid_vertex){4, {node[0], node[1], node[2], node[3]}};
            }
            work->triangle[work->triangles + t][k] = at < 0 ? middle : vertex_at(s, work, node[at]);
        }
    work->triangles += count;
}

/* Of the vertices, with displacements u. */
static void place_vertices(const tl_solid *s, const double *u)
{
    for (int i = 0; i < s->surface.vertices; i++) {
        const tl_solid_vertex *v = &s->surface.vertex[i];
        tl_vec3 sum = {0, 0, 0};
        for (int k = 0; k < v->nodes; k++) sum = tl_add(sum, tl_add(tl_load3(s->mesh.x[v->node[k]]), tl_load3(u + 3 * v->node[k])));
        s->surface.at[i] = v->nodes == 1 ? sum : tl_scale(1.0 / v->nodes, sum);
    }
}

static talus_status make_mesh(tl_solid *s, const surface_work *work, tl_shape3 *out, tl_error *error)
{
    s->surface.vertices = work->vertices;
    place_vertices(s, s->u);
    const tl_triangles3 of = {s->surface.at, work->vertices, (const int32_t(*)[3])work->triangle, work->triangles};
    const talus_status status = tl_shape3_mesh(out, s->matter.memory, &of, error);
    if (status != TALUS_OK) return status;
    if (out->mesh->vertices == work->vertices && out->mesh->triangles == work->triangles) {
        s->surface.mesh = out->mesh;
        return TALUS_OK;
    }
    const bool twice = out->mesh->vertices != work->vertices;
    tl_shape3_free(out, s->matter.memory);
    return tl_fail(error, TALUS_INPUT, "solid '%s': %s", s->matter.name,
                   twice ? "two nodes of the surface that takes contacts lie at one place" : "a face that takes contacts has no area");
}

talus_status tl_solid_make_surface(tl_matter *matter, const tl_outer_face *face, int faces, tl_shape3 *out, tl_error *error)
{
    tl_solid *s = (tl_solid *)matter;
    const tl_memory memory = matter->memory;
    const size_t most = (size_t)faces, room = (size_t)s->mesh.nodes + most;
    surface_work work = {.vertex_of = tl_alloc(memory, (size_t)s->mesh.nodes, sizeof *work.vertex_of),
                         .triangle = tl_alloc(memory, MOST_TRIANGLES * most + 1, sizeof *work.triangle)};
    s->surface.vertex = tl_alloc(memory, room, sizeof *s->surface.vertex);
    s->surface.at = tl_alloc(memory, room, sizeof *s->surface.at);
    talus_status status = TALUS_MEMORY;
    if (work.vertex_of && work.triangle && s->surface.vertex && s->surface.at) {
        for (int i = 0; i < faces; i++) add_face(s, &work, &face[i]);
        status = make_mesh(s, &work, out, error);
    } else {
        (void)tl_fail(error, status, "no memory for the surface of solid '%s'", matter->name);
    }
    tl_free(memory, work.vertex_of);
    tl_free(memory, work.triangle);
    return status;
}

talus_status tl_solid_expect_faces(tl_matter *matter, const tl_outer_face *face, int faces, tl_error *error)
{
    tl_solid *s = (tl_solid *)matter;
    s->touched = tl_alloc(matter->memory, (size_t)s->mesh.nodes, sizeof *s->touched);
    bool *known = tl_alloc(matter->memory, (size_t)s->mesh.nodes, sizeof *known);
    s->spacing = (double)INFINITY;
    if (!s->touched || !known) {
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
    tl_free(matter->memory, s->surface.vertex);
    tl_free(matter->memory, s->surface.at);
    s->touched = NULL, s->touches = 0;
    memset(&s->surface, 0, sizeof s->surface);
    memset(s->expected, 0, (size_t)s->mesh.nodes * sizeof *s->expected);
}

/* ---- in a step --------------------------------------------------------------------------------------------------------- */

bool tl_solid_place_surface(tl_solid *s, const double *u)
{
    if (!s->surface.mesh) return true;
    place_vertices(s, u);
    return tl_mesh3_move(s->surface.mesh, s->surface.at) == 0;
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

talus_status tl_solid_row_of(const tl_solid *s, const tl_port *port, tl_solid_row *out, tl_error *error)
{
    *out = (tl_solid_row){1, {port->item}, {1}};
    if (port->item < s->mesh.nodes) return TALUS_OK;
    if (port->item > s->mesh.nodes) {
        *out = s->point[port->item - s->mesh.nodes - 1];
        return TALUS_OK;
    }
    if (!s->surface.mesh)
        return tl_fail(error, TALUS_UNSUPPORTED, "solid '%s' is held or touched as a whole, but has no surface for contacts; take one of its nodes",
                       s->matter.name);
    const tl_mesh_foot3 foot = tl_mesh3_nearest(s->surface.mesh, tl_load3(port->x));
    if (foot.triangle < 0) return tl_fail(error, TALUS_DIVERGED, "solid '%s' is touched nowhere", s->matter.name);
    double share[3];
    shares(s->surface.mesh, foot.triangle, foot.at, share);
    out->nodes = 0;
    for (int k = 0; k < 3; k++) {
        const tl_solid_vertex *v = &s->surface.vertex[s->surface.mesh->corner[foot.triangle][k]];
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
