/* Loads on faces and in the volume of solids (theory §10.5): shares of nodes by their shape functions, where nothing is strained. */
#include <math.h>
#include <string.h>

#include "matter/solid_internal.h"
#include "matter/solid_particles.h"

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

/* Where nodes are with displacements u; NULL: without. */
static int face_points(const tl_solid *s, const talus_solid_face *f, const double *u, int node[TL_FACE_NODES], tl_face_point *point)
{
    const int d = tl_solid_axes(s), nodes = tl_element_mesh_face_nodes(&s->mesh, f, node);
    double x[TL_FACE_NODES][3] = {{0}};
    for (int k = 0; k < nodes && k < TL_FACE_NODES; k++) {
        memcpy(x[k], s->mesh.x[node[k]], sizeof x[k]);
        for (int a = 0; a < d && u; a++) x[k][a] += u[d * node[k] + a];
    }
    const int points = tl_face_points(&s->mesh.kind[f->element]->face[f->face], s->dimension, (const double(*)[3])x, point);
    const double thickness = s->element[f->element].thickness;
    for (int p = 0; p < points; p++)
        for (int i = 0; i < 3; i++) point[p].area[i] *= thickness;
    return points;
}

/* Particles share a face otherwise than bilinear fields do (solid_particles.c), by the axis of the lattice along which its normal is without strain. */
static int lattice_axis(const tl_solid *s, const talus_solid_face *f)
{
    int node[TL_FACE_NODES];
    tl_face_point point[TL_FACE_POINTS] = {0};
    (void)face_points(s, f, NULL, node, point);
    const tl_vec3 n = tl_mat3_apply_t(&s->particles->axes, tl_load3(point[0].area));
    return fabs(n.x) > fabs(n.y) && fabs(n.x) > fabs(n.z) ? 0 : fabs(n.y) > fabs(n.z) ? 1 : 2;
}

/* Of the k-th of its nodes what it has for each part that it would have of a bilinear field. */
static void find_shares(const tl_solid *s, const talus_solid_face *f, const int node[TL_FACE_NODES], double share[TL_FACE_NODES])
{
    const int nodes = s->mesh.kind[f->element]->face[f->face].nodes, axis = s->particles ? lattice_axis(s, f) : 0;
    for (int k = 0; k < nodes; k++) share[k] = s->particles ? s->particles->face_share[node[k]][axis] : 1;
}

/* What nodes have of it, where they are with displacements u; NULL: without. */
static int shared_points(const tl_solid *s, const talus_solid_face *f, const double *u, int node[TL_FACE_NODES], tl_face_point *point)
{
    double share[TL_FACE_NODES];
    const int points = face_points(s, f, u, node, point), nodes = s->mesh.kind[f->element]->face[f->face].nodes;
    find_shares(s, f, node, share);
    for (int p = 0; p < points; p++)
        for (int k = 0; k < nodes; k++) point[p].N[k] *= share[k];
    return points;
}

int tl_solid_face_points(const tl_solid *s, const talus_solid_face *f, int node[TL_FACE_NODES], tl_face_point *point)
{
    return shared_points(s, f, NULL, node, point);
}

/* Of each node the integrals of N dA and of N n dA. Shares of particles are of whole sides: by what they are multiplied where faces are not all of one. */
static double share_faces(const tl_solid *s, const talus_solid_face *face, int faces, double (*area)[3], double (*normal)[3])
{
    double given = 0, shared = 0;
    for (int f = 0; f < faces; f++) {
        int node[TL_FACE_NODES];
        tl_face_point point[TL_FACE_POINTS] = {0};
        const int points = tl_solid_face_points(s, &face[f], node, point), nodes = s->mesh.kind[face[f].element]->face[face[f].face].nodes;
        for (int p = 0; p < points; p++) {
            const double size = tl_norm(tl_load3(point[p].area));
            given += size;
            for (int a = 0; a < nodes; a++) {
                shared += point[p].N[a] * size;
                for (int i = 0; i < 3; i++) {
                    area[node[a]][i] += point[p].N[a] * size;
                    normal[node[a]][i] -= point[p].N[a] * point[p].area[i];
                }
            }
        }
    }
    for (int n = 0; s->particles && n < s->mesh.nodes; n++)
        for (int i = 0; i < 3; i++) area[n][i] *= given / shared, normal[n][i] *= given / shared;
    return s->particles ? given / shared : 1;
}

/* ---- pressures that go with faces ------------------------------------------------------------------------------------------------- */

void tl_solid_free_pressure(tl_solid *s, tl_pressure *p)
{
    const tl_memory memory = s->matter.memory;
    tl_free(memory, p->face), tl_free(memory, p->node), tl_free(memory, p->weight);
}

/* Which nodes of particles share it, and how, without strain. */
static talus_status list_sharers(tl_solid *s, tl_pressure *p, const double (*area)[3], tl_error *error)
{
    double sum = 0;
    for (int n = 0; n < s->mesh.nodes; n++) p->nodes += area[n][0] != 0, sum += area[n][0];
    p->node = tl_alloc(s->matter.memory, (size_t)p->nodes + 1, sizeof *p->node);
    p->weight = tl_alloc(s->matter.memory, (size_t)p->nodes + 1, sizeof *p->weight);
    if (!p->node || !p->weight) return no_memory(s, error);
    p->nodes = 0;
    for (int n = 0; n < s->mesh.nodes; n++)
        if (area[n][0] != 0) p->node[p->nodes] = n, p->weight[p->nodes++] = area[n][0] / sum;
    return TALUS_OK;
}

static talus_status add_pressure(tl_solid *s, const talus_solid_load *load, double share, const double (*area)[3], tl_error *error)
{
    const tl_memory memory = s->matter.memory;
    if (tl_grow(memory, &s->pressure, &s->pressure_capacity, s->pressures + 1, sizeof *s->pressure) != TALUS_OK) return no_memory(s, error);
    tl_pressure *p = &s->pressure[s->pressures];
    *p = (tl_pressure){load->faces, tl_alloc(memory, (size_t)load->faces, sizeof *p->face), load->pressure, share, NULL, 0, NULL};
    s->pressures++; /* what of it is there is taken back with it */
    if (!p->face) return no_memory(s, error);
    memcpy(p->face, load->face, (size_t)load->faces * sizeof *p->face);
    return s->particles ? list_sharers(s, p, area, error) : TALUS_OK;
}

/* Force, and moment about the origin. */
typedef struct resultant {
    tl_vec3 force, moment;
} resultant;

static void add_to(resultant *r, tl_vec3 at, tl_vec3 force) { r->force = tl_add(r->force, force), r->moment = tl_add(r->moment, tl_cross(at, force)); }

static tl_vec3 place_of(const tl_solid *s, const double *u, int node)
{
    const int d = tl_solid_axes(s);
    double x[3];
    memcpy(x, s->mesh.x[node], sizeof x);
    for (int a = 0; a < d; a++) x[a] += u[d * node + a];
    return tl_load3(x);
}

static bool is_torn(const tl_solid *s, int node) { return s->particles && tl_particle_is_torn(s, s->before + tl_particle_memory_of(s, node)); }

/* A face with a torn particle is a hole, through which a pressure goes. */
static bool is_hole(const tl_solid *s, const talus_solid_face *face)
{
    int node[TL_FACE_NODES];
    const int nodes = s->particles ? tl_element_mesh_face_nodes(&s->mesh, face, node) : 0;
    for (int k = 0; k < nodes; k++)
        if (is_torn(s, node[k])) return true;
    return false;
}

/* One face: what nodes get; returns what a field that is bilinear on it hands to them less that. */
static resultant press_face(const tl_solid *s, const talus_solid_face *face, double value, double share, const double *u, double *f)
{
    const int d = tl_solid_axes(s), nodes = s->mesh.kind[face->element]->face[face->face].nodes;
    int node[TL_FACE_NODES];
    double own[TL_FACE_NODES];
    tl_face_point point[TL_FACE_POINTS] = {0};
    const int points = face_points(s, face, u, node, point);
    resultant left = {{0, 0, 0}, {0, 0, 0}};
    find_shares(s, face, node, own);
    for (int p = 0; p < points; p++)
        for (int a = 0; a < nodes; a++) {
            const double plain = value * point[p].N[a], given = plain * share * own[a];
            for (int axis = 0; axis < d; axis++) f[d * node[a] + axis] -= given * point[p].area[axis];
            if (s->particles) add_to(&left, place_of(s, u, node[a]), tl_scale(given - plain, tl_load3(point[p].area)));
        }
    return left;
}

/* Particles share a side as they do without strain, which is exact where the strain is uniform. Where it is not, forces that act on nodes by their shares, a
 * push and a turn of them all, make sum and moment those of the faces as they are: a pressure from all sides moves nothing. */
static void mend_sum(const tl_solid *s, const tl_pressure *p, const resultant *left, const double *u, double *f)
{
    const int d = tl_solid_axes(s);
    tl_vec3 middle = {0, 0, 0}, turn = {0, 0, 0};
    tl_mat3 J = {{{0}}};
    double all = 0;
    for (int k = 0; k < p->nodes; k++) {
        const double weight = is_torn(s, p->node[k]) ? 0 : p->weight[k];
        middle = tl_add(middle, tl_scale(weight, place_of(s, u, p->node[k])));
        all += weight;
    }
    if (!(all > 0)) return;
    middle = tl_scale(1 / all, middle);
    for (int k = 0; k < p->nodes; k++) {
        if (is_torn(s, p->node[k])) continue;
        const tl_vec3 r = tl_sub(place_of(s, u, p->node[k]), middle);
        const double x[3] = {r.x, r.y, r.z};
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) J.m[i][j] += p->weight[k] / all * ((i == j ? tl_dot(r, r) : 0) - x[i] * x[j]);
    }
    const tl_vec3 moment = tl_sub(left->moment, tl_cross(middle, left->force));
    if (d == 2) turn.z = J.m[2][2] > 0 ? moment.z / J.m[2][2] : 0;
    else {
        const double determinant = tl_mat3_determinant(&J);
        const tl_mat3 inverse = determinant > 0 ? tl_mat3_inverse(&J, determinant) : (tl_mat3){{{0}}};
        turn = tl_mat3_apply(&inverse, moment);
    }
    for (int k = 0; k < p->nodes; k++) {
        if (is_torn(s, p->node[k])) continue;
        const tl_vec3 r = tl_sub(place_of(s, u, p->node[k]), middle), push = tl_scale(p->weight[k] / all, tl_add(left->force, tl_cross(turn, r)));
        const double more[3] = {push.x, push.y, push.z};
        for (int a = 0; a < d; a++) f[d * p->node[k] + a] += more[a];
    }
}

void tl_solid_add_pressures(const tl_solid *s, double t, const double *u, double scale, double *f)
{
    for (int k = 0; k < s->pressures; k++) {
        const tl_pressure *p = &s->pressure[k];
        const double value = scale * tl_motion_value(&p->motion, t);
        resultant left = {{0, 0, 0}, {0, 0, 0}};
        for (int i = 0; i < p->count && value != 0; i++) {
            if (is_hole(s, &p->face[i])) continue;
            const resultant own = press_face(s, &p->face[i], value, p->share, u, f);
            left = (resultant){tl_add(left.force, own.force), tl_add(left.moment, own.moment)};
        }
        if (s->particles && value != 0) mend_sum(s, p, &left, u, f);
    }
}

/* (t × e_j)_i and so on: entries of the matrix of δ ↦ δ × t. */
static double across(const double t[3], int i, int j) { return i == j ? 0 : (i + 1) % 3 == j ? t[(i + 2) % 3] : -t[(i + 1) % 3]; }

/* df_a = −p N_a w (dN_b0 δ_b × along₁ − dN_b1 δ_b × along₀) */
static void take_face(tl_solid *s, const talus_solid_face *face, double value)
{
    const int d = tl_solid_axes(s);
    int node[TL_FACE_NODES];
    tl_face_point point[TL_FACE_POINTS] = {0};
    const int points = shared_points(s, face, s->u, node, point), nodes = s->mesh.kind[face->element]->face[face->face].nodes;
    value *= s->element[face->element].thickness;
    for (int p = 0; p < points; p++)
        for (int a = 0; a < nodes; a++)
            for (int b = 0; b < nodes; b++) {
                const int here = tl_solid_block_at(s, node[a], node[b]), there = tl_solid_block_at(s, node[b], node[a]);
                for (int i = 0; i < d; i++)
                    for (int j = 0; j < d; j++) {
                        if (s->is_held[d * node[a] + i] || s->is_held[d * node[b] + j]) continue;
                        const double turn = point[p].dN[b][0] * across(point[p].along[1], i, j) - point[p].dN[b][1] * across(point[p].along[0], i, j);
                        const double half = 0.5 * value * point[p].weight * point[p].N[a] * turn;
                        s->mixed[(here * d + i) * d + j] += half;
                        s->mixed[(there * d + j) * d + i] += half;
                    }
            }
}

void tl_solid_take_pressures(tl_solid *s, double t, double scale)
{
    for (int k = 0; k < s->pressures; k++) {
        const double value = scale * s->pressure[k].share * tl_motion_value(&s->pressure[k].motion, t);
        for (int i = 0; i < s->pressure[k].count; i++)
            if (!is_hole(s, &s->pressure[k].face[i])) take_face(s, &s->pressure[k].face[i], value);
    }
}

/* ---- loads ----------------------------------------------------------------------------------------------------------------------- */

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
    double ratio = 1;
    if (load->faces > 0) ratio = share_faces(s, load->face, load->faces, room->share, room->normal);
    else if (!share_volume(s, room->share)) return tl_fail(error, TALUS_INPUT, "solid '%s' has an element without volume", s->matter.name);
    if (load->pressure.value && (s->large || s->particles)) TL_TRY(add_pressure(s, load, ratio, (const double(*)[3])room->share, error));
    else if (load->pressure.value) TL_TRY(push(s, (const double(*)[3])room->normal, same, room, error));
    return is_pulled(load) ? push(s, (const double(*)[3])room->share, load->traction, room, error) : TALUS_OK;
}

talus_status tl_solid_add_load(tl_matter *matter, const talus_solid_load *load, tl_error *error)
{
    tl_solid *s = (tl_solid *)matter;
    const tl_memory memory = matter->memory;
    const size_t nodes = (size_t)s->mesh.nodes;
    const int before = s->pushes, pressures = s->pressures;
    if (load->pressure.value && load->faces <= 0) return tl_fail(error, TALUS_INPUT, "solid '%s': a pressure acts on faces, and none are given", matter->name);
    TL_TRY(tl_solid_check_faces(matter, load->face, load->faces, "a load", error));
    const load_room room = {.share = tl_alloc(memory, nodes, sizeof *room.share),
                            .normal = tl_alloc(memory, nodes, sizeof *room.normal),
                            .packed = tl_alloc(memory, nodes, sizeof *room.packed),
                            .node = tl_alloc(memory, nodes, sizeof *room.node)};
    const bool enough = room.share && room.normal && room.packed && room.node;
    const talus_status status = enough ? spread(s, load, &room, error) : no_memory(s, error);
    if (status != TALUS_OK) { /* a load is pressure and traction, or nothing */
        take_back(s, before);
        for (; s->pressures > pressures; s->pressures--) tl_solid_free_pressure(s, &s->pressure[s->pressures - 1]);
    }
    tl_free(memory, room.share);
    tl_free(memory, room.normal);
    tl_free(memory, room.packed);
    tl_free(memory, room.node);
    return status;
}
