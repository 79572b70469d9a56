/* Loads on faces and in the volume of solids (theory §10.5): shares of nodes by their shape functions, where nothing is strained. */
#include <string.h>

#include "matter/solid_internal.h"

static talus_status no_memory(const tl_solid *s, tl_error *error) { return tl_fail(error, TALUS_MEMORY, "no memory for a load on solid '%s'", s->matter.name); }

/* Only so many pushes are left. */
static void take_back(tl_solid *s, int pushes)
{
    for (; s->pushes > pushes; s->pushes--) {
        tl_free(s->matter.memory, s->push[s->pushes - 1].node);
        tl_free(s->matter.memory, s->push[s->pushes - 1].weight);
    }
}

talus_status tl_solid_add_push(tl_solid *s, int count, const int *node, const double (*weight)[3], const talus_motion motion[3], tl_error *error)
{
    const tl_memory memory = s->matter.memory;
    if (tl_grow(memory, &s->push, &s->push_capacity, s->pushes + 1, sizeof *s->push) != TALUS_OK) return no_memory(s, error);
    tl_push *p = &s->push[s->pushes++];
    *p = (tl_push){
        count, tl_alloc(memory, (size_t)count + 1, sizeof *p->node), tl_alloc(memory, (size_t)count + 1, sizeof *p->weight), {motion[0], motion[1], motion[2]}};
    if (!p->node || !p->weight) {
        take_back(s, s->pushes - 1);
        return no_memory(s, error);
    }
    memcpy(p->node, node, (size_t)count * sizeof *node);
    memcpy(p->weight, weight, (size_t)count * sizeof *weight);
    return TALUS_OK;
}

talus_status tl_solid_push(tl_matter *matter, int count, const int *node, const double (*weight)[3], const talus_motion *motion, tl_error *error)
{
    return tl_solid_add_push((tl_solid *)matter, count, node, weight, (talus_motion[3]){*motion, *motion, *motion}, error);
}

/* ---- faces ---------------------------------------------------------------------------------------------------------------------- */

/* Which of the surface it is; −1: none. */
static int outer_face(const tl_element_mesh *m, const talus_solid_face *f)
{
    int low = 0, high = m->faces;
    while (low < high) {
        const int middle = (low + high) / 2;
        const talus_solid_face *at = &m->face[middle];
        if (at->element < f->element || (at->element == f->element && at->face < f->face)) low = middle + 1;
        else high = middle;
    }
    return low < m->faces && m->face[low].element == f->element && m->face[low].face == f->face ? low : -1;
}

static talus_status check_face(const tl_matter *matter, const talus_solid_face *f, bool *taken, const char *what, tl_error *error)
{
    const tl_element_mesh *m = tl_solid_mesh(matter);
    const bool there = f->element >= 0 && f->element < m->elements && f->face >= 0 && f->face < m->kind[f->element]->faces;
    const int outer = there ? outer_face(m, f) : -1;
    if (outer >= 0 && !taken[outer]) {
        taken[outer] = true;
        return TALUS_OK;
    }
    return tl_fail(error, TALUS_INPUT, "solid '%s': %s on face %d of element %d, which %s", matter->name, what, f->face + 1, f->element + 1,
                   !there      ? "does not exist"
                   : outer < 0 ? "is not on the surface: another element is behind it"
                               : "is given twice");
}

talus_status tl_solid_check_faces(const tl_matter *matter, const talus_solid_face *face, int faces, const char *what, tl_error *error)
{
    bool *taken = tl_alloc(matter->memory, (size_t)tl_solid_mesh(matter)->faces + 1, sizeof *taken);
    if (!taken) return tl_fail(error, TALUS_MEMORY, "no memory for faces of solid '%s'", matter->name);
    talus_status status = TALUS_OK;
    for (int i = 0; i < faces && status == TALUS_OK; i++) status = check_face(matter, &face[i], taken, what, error);
    tl_free(matter->memory, taken);
    return status;
}

int tl_solid_face_points(const tl_solid *s, const talus_solid_face *f, int node[TL_FACE_NODES], tl_face_point *point)
{
    const int nodes = tl_element_mesh_face_nodes(&s->mesh, f, node);
    double x[TL_FACE_NODES][3] = {{0}};
    for (int k = 0; k < nodes; k++) memcpy(x[k], s->mesh.x[node[k]], sizeof x[k]);
    const int points = tl_face_points(&s->mesh.kind[f->element]->face[f->face], s->dimension, (const double(*)[3])x, point);
    const double thickness = s->element[f->element].thickness;
    for (int p = 0; p < points; p++)
        for (int i = 0; i < 3; i++) point[p].area[i] *= thickness;
    return points;
}

/* Of each node the integrals of N dA and of N n dA. */
static void share_faces(const tl_solid *s, const talus_solid_face *face, int faces, double (*area)[3], double (*normal)[3])
{
    for (int f = 0; f < faces; f++) {
        int node[TL_FACE_NODES];
        tl_face_point point[TL_FACE_POINTS] = {0};
        const int points = tl_solid_face_points(s, &face[f], node, point), nodes = s->mesh.kind[face[f].element]->face[face[f].face].nodes;
        for (int p = 0; p < points; p++) {
            const double size = tl_norm(tl_load3(point[p].area));
            for (int a = 0; a < nodes; a++)
                for (int i = 0; i < 3; i++) {
                    area[node[a]][i] += point[p].N[a] * size;
                    normal[node[a]][i] -= point[p].N[a] * point[p].area[i];
                }
        }
    }
}

/* Of each node the integral of N dV: the sums of rows of the consistent mass for a density of 1. */
static bool share_volume(const tl_solid *s, double (*volume)[3])
{
    for (int e = 0; e < s->mesh.elements; e++) {
        double x[TL_ELEMENT_NODES][3], M[TL_ELEMENT_NODES * TL_ELEMENT_NODES];
        tl_element element = s->element[e];
        const int nodes = element.kind->nodes, *node = s->mesh.node + s->mesh.begin[e];
        element.density = 1;
        tl_element_mesh_places(&s->mesh, e, x);
        if (!tl_element_mass(&element, (const double(*)[3])x, false, M)) return false;
        for (int a = 0; a < nodes; a++)
            for (int b = 0; b < nodes; b++)
                for (int i = 0; i < 3; i++) volume[node[a]][i] += M[a * nodes + b];
    }
    return true;
}

/* Room for the shares of nodes, all of it [nodes]. */
typedef struct load_room {
    double (*share)[3], (*normal)[3], (*packed)[3];
    int *node;
} load_room;

/* A push on those nodes that have a share, by motion [3]. */
static talus_status push(tl_solid *s, const double (*share)[3], const talus_motion *motion, const load_room *room, tl_error *error)
{
    int count = 0;
    for (int i = 0; i < s->mesh.nodes; i++) {
        if (share[i][0] == 0 && share[i][1] == 0 && share[i][2] == 0) continue;
        room->node[count] = i;
        memcpy(room->packed[count++], share[i], sizeof *room->packed);
    }
    return tl_solid_add_push(s, count, room->node, (const double(*)[3])room->packed, motion, error);
}

static bool is_pulled(const talus_solid_load *load) { return load->traction[0].value || load->traction[1].value || load->traction[2].value; }

static talus_status spread(tl_solid *s, const talus_solid_load *load, const load_room *room, tl_error *error)
{
    const talus_motion same[3] = {load->pressure, load->pressure, load->pressure};
    if (load->faces > 0) share_faces(s, load->face, load->faces, room->share, room->normal);
    else if (!share_volume(s, room->share)) return tl_fail(error, TALUS_INPUT, "solid '%s' has an element without volume", s->matter.name);
    if (load->pressure.value) TL_TRY(push(s, (const double(*)[3])room->normal, same, room, error));
    return is_pulled(load) ? push(s, (const double(*)[3])room->share, load->traction, room, error) : TALUS_OK;
}

talus_status tl_solid_add_load(tl_matter *matter, const talus_solid_load *load, tl_error *error)
{
    tl_solid *s = (tl_solid *)matter;
    const tl_memory memory = matter->memory;
    const size_t nodes = (size_t)s->mesh.nodes;
    const int before = s->pushes;
    if (load->pressure.value && load->faces <= 0) return tl_fail(error, TALUS_INPUT, "solid '%s': a pressure acts on faces, and none are given", matter->name);
    TL_TRY(tl_solid_check_faces(matter, load->face, load->faces, "a load", error));
    const load_room room = {.share = tl_alloc(memory, nodes, sizeof *room.share),
                            .normal = tl_alloc(memory, nodes, sizeof *room.normal),
                            .packed = tl_alloc(memory, nodes, sizeof *room.packed),
                            .node = tl_alloc(memory, nodes, sizeof *room.node)};
    const bool enough = room.share && room.normal && room.packed && room.node;
    const talus_status status = enough ? spread(s, load, &room, error) : no_memory(s, error);
    if (status != TALUS_OK) take_back(s, before); /* a load is pressure and traction, or nothing */
    tl_free(memory, room.share);
    tl_free(memory, room.normal);
    tl_free(memory, room.packed);
    tl_free(memory, room.node);
    return status;
}
