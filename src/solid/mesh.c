/* Meshes of finite elements (mesh.h). */
#include "solid/mesh.h"
#include "base/integers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void tl_element_mesh_places(const tl_element_mesh *m, int element, double (*x)[3])
{
    for (int k = m->begin[element]; k < m->begin[element + 1]; k++) memcpy(x[k - m->begin[element]], m->x[m->node[k]], sizeof *x);
}

int tl_element_mesh_face_nodes(const tl_element_mesh *m, const tl_outer_face *f, int node[TL_FACE_NODES])
{
    const tl_element_face *face = &m->kind[f->element]->face[f->face];
    for (int k = 0; k < face->nodes; k++) node[k] = m->node[m->begin[f->element] + face->node[k]];
    return face->nodes;
}

/* ---- what is wrong ------------------------------------------------------------------------------------------------------------ */

static talus_status check_element(const tl_element_mesh *m, int e, tl_error *error)
{
    const tl_element_kind *kind = m->kind[e];
    const int *node = m->node + m->begin[e];
    double x[TL_ELEMENT_NODES][3], dN[TL_ELEMENT_NODES][3], J[3][3], least = (double)INFINITY, most = -(double)INFINITY;
    for (int k = 0; k < kind->nodes; k++) {
        if (node[k] < 0 || node[k] >= m->nodes)
            return tl_fail(error, TALUS_INPUT, "element %d (%s) has node %d, and there are %d nodes", e + 1, kind->name, node[k] + 1, m->nodes);
        for (int i = 0; i < k; i++)
            if (node[i] == node[k]) return tl_fail(error, TALUS_INPUT, "element %d (%s) has node %d twice", e + 1, kind->name, node[k] + 1);
    }
    tl_element_mesh_places(m, e, x);
    for (int p = 0; p < kind->points; p++) {
        kind->slope(kind->point[p].xi, dN);
        const double det = tl_element_jacobian(kind, (const double(*)[3])x, (const double(*)[3])dN, J);
        least = fmin(least, det), most = fmax(most, det);
    }
    if (least > 0) return TALUS_OK;
    return tl_fail(error, TALUS_INPUT, "element %d (%s, nodes %d, %d, %d …) is %s", e + 1, kind->name, node[0] + 1, node[1] + 1, node[2] + 1,
                   most > 0   ? "folded: a part of it is inside out"
                   : most < 0 ? "inside out: its nodes are numbered the other way round"
                              : "flat: it has no volume");
}

static talus_status check(const tl_element_mesh *m, tl_error *error)
{
    bool *used = tl_alloc(m->memory, (size_t)m->nodes + 1, sizeof *used);
    talus_status status = TALUS_OK;
    if (!used) return tl_fail(error, TALUS_MEMORY, "no memory for %d nodes", m->nodes);
    for (int i = 0; i < m->nodes && status == TALUS_OK; i++)
        if (!isfinite(m->x[i][0] + m->x[i][1] + m->x[i][2]))
            status = tl_fail(error, TALUS_INPUT, "node %d is at (%g, %g, %g)", i + 1, m->x[i][0], m->x[i][1], m->x[i][2]);
    for (int e = 0; e < m->elements && status == TALUS_OK; e++) {
        status = check_element(m, e, error);
        for (int k = m->begin[e]; k < m->begin[e + 1] && status == TALUS_OK; k++) used[m->node[k]] = true;
    }
    for (int i = 0; i < m->nodes && status == TALUS_OK; i++)
        if (!used[i]) status = tl_fail(error, TALUS_INPUT, "node %d belongs to no element", i + 1);
    tl_free(m->memory, used);
    return status;
}

/* ---- surface -------------------------------------------------------------------------------------------------------------------- */

typedef struct face_key {
    int corner[4]; /* ascending; −1 first where there are fewer */
    tl_outer_face face;
} face_key;

static int by_corners(const void *a, const void *b)
{
    const face_key *x = a, *y = b;
    for (int k = 0; k < 4; k++)
        if (x->corner[k] != y->corner[k]) return x->corner[k] < y->corner[k] ? -1 : 1;
    if (x->face.element != y->face.element) return x->face.element < y->face.element ? -1 : 1;
    return x->face.face - y->face.face;
}

static int by_element(const void *a, const void *b)
{
    const tl_outer_face *x = a, *y = b;
    if (x->element != y->element) return x->element < y->element ? -1 : 1;
    return x->face - y->face;
}

static bool same_corners(const face_key *a, const face_key *b) { return memcmp(a->corner, b->corner, sizeof a->corner) == 0; }

static talus_status find_surface(tl_element_mesh *m, tl_error *error)
{
    size_t all = 0, count = 0;
    talus_status status = TALUS_OK;
    for (int e = 0; e < m->elements; e++) all += (size_t)m->kind[e]->faces;
    face_key *key = tl_alloc(m->memory, all + 1, sizeof *key);
    m->face = tl_alloc(m->memory, all + 1, sizeof *m->face);
    if (!key || !m->face) {
        tl_free(m->memory, key);
        return tl_fail(error, TALUS_MEMORY, "no memory for the surface of %d elements", m->elements);
    }
    for (int e = 0; e < m->elements; e++)
        for (int f = 0; f < m->kind[e]->faces; f++) {
            const tl_element_face *face = &m->kind[e]->face[f];
            face_key *k = &key[count++];
            *k = (face_key){{-1, -1, -1, -1}, {e, f}};
            for (int c = 0; c < face->corners; c++) k->corner[3 - c] = m->node[m->begin[e] + face->node[c]];
            qsort(k->corner, 4, sizeof *k->corner, tl_ascending);
        }
    qsort(key, count, sizeof *key, by_corners);
    for (size_t i = 0, end; i < count && status == TALUS_OK; i = end) {
        for (end = i + 1; end < count && same_corners(&key[i], &key[end]);) end++;
        if (end - i == 1) m->face[m->faces++] = key[i].face;
        if (end - i > 2)
            status = tl_fail(error, TALUS_INPUT, "elements %d, %d and %d share one face: the mesh overlaps itself", key[i].face.element + 1,
                             key[i + 1].face.element + 1, key[i + 2].face.element + 1);
    }
    qsort(m->face, (size_t)m->faces, sizeof *m->face, by_element);
    tl_free(m->memory, key);
    return status;
}

/* ---- which nodes are coupled -------------------------------------------------------------------------------------------------------- */

static talus_status find_pattern(tl_element_mesh *m, tl_error *error)
{
    const size_t n = (size_t)m->nodes;
    int *first = tl_alloc(m->memory, n + 2, sizeof *first), *of = tl_alloc(m->memory, (size_t)m->begin[m->elements] + 1, sizeof *of);
    int *mark = tl_alloc(m->memory, n + 1, sizeof *mark), capacity = 0, held = 0;
    talus_status status = first && of && mark ? TALUS_OK : TALUS_MEMORY;
    m->pattern.nodes = m->nodes;
    m->pattern.begin = tl_alloc(m->memory, n + 1, sizeof *m->pattern.begin);
    if (!m->pattern.begin) status = TALUS_MEMORY;
    if (status == TALUS_OK) { /* elements of each node */
        for (int k = 0; k < m->begin[m->elements]; k++) first[m->node[k] + 2]++;
        for (int i = 0; i < m->nodes; i++) first[i + 2] += first[i + 1];
        for (int e = 0; e < m->elements; e++)
            for (int k = m->begin[e]; k < m->begin[e + 1]; k++) of[first[m->node[k] + 1]++] = e;
    }
    for (int i = 0; i < m->nodes && status == TALUS_OK; i++) {
        m->pattern.begin[i] = held;
        for (int j = first[i]; j < first[i + 1] && status == TALUS_OK; j++) {
            const int e = of[j];
            status = tl_grow(m->memory, &m->pattern.neighbour, &capacity, held + TL_ELEMENT_NODES, sizeof *m->pattern.neighbour);
            for (int k = m->begin[e]; k < m->begin[e + 1] && status == TALUS_OK; k++)
                if (mark[m->node[k]] != i + 1) mark[m->node[k]] = i + 1, m->pattern.neighbour[held++] = m->node[k];
        }
        if (status == TALUS_OK) qsort(m->pattern.neighbour + m->pattern.begin[i], (size_t)(held - m->pattern.begin[i]), sizeof(int), tl_ascending);
    }
    if (status == TALUS_OK) m->pattern.begin[m->nodes] = held;
    tl_free(m->memory, first);
    tl_free(m->memory, of);
    tl_free(m->memory, mark);
    return status == TALUS_OK ? status : tl_fail(error, status, "no memory for the pattern of %d nodes", m->nodes);
}

/* Parts by number of their first node. */
static talus_status find_parts(tl_element_mesh *m, tl_error *error)
{
    int *stack = tl_alloc(m->memory, (size_t)m->nodes + 1, sizeof *stack);
    m->part_of = tl_alloc(m->memory, (size_t)m->nodes + 1, sizeof *m->part_of);
    if (!stack || !m->part_of) {
        tl_free(m->memory, stack);
        return tl_fail(error, TALUS_MEMORY, "no memory for %d nodes", m->nodes);
    }
    for (int i = 0; i < m->nodes; i++) m->part_of[i] = -1;
    for (int i = 0; i < m->nodes; i++) {
        if (m->part_of[i] >= 0) continue;
        int depth = 0;
        stack[depth++] = i, m->part_of[i] = m->parts;
        while (depth > 0) {
            const int at = stack[--depth];
            for (int k = m->pattern.begin[at]; k < m->pattern.begin[at + 1]; k++)
                if (m->part_of[m->pattern.neighbour[k]] < 0) m->part_of[m->pattern.neighbour[k]] = m->parts, stack[depth++] = m->pattern.neighbour[k];
        }
        m->parts++;
    }
    tl_free(m->memory, stack);
    return TALUS_OK;
}

/* ---- life ---------------------------------------------------------------------------------------------------------------------- */

void tl_element_mesh_free(tl_element_mesh *m)
{
    tl_free(m->memory, m->x);
    tl_free(m->memory, m->kind);
    tl_free(m->memory, m->begin);
    tl_free(m->memory, m->node);
    tl_free(m->memory, m->face);
    tl_free(m->memory, m->part_of);
    tl_free(m->memory, m->pattern.begin);
    tl_free(m->memory, m->pattern.neighbour);
    *m = (tl_element_mesh){.memory = m->memory};
}

static talus_status copy(tl_element_mesh *m, const tl_element_mesh_def *def, tl_error *error)
{
    m->begin = tl_alloc(m->memory, (size_t)def->elements + 1, sizeof *m->begin);
    m->kind = tl_alloc(m->memory, (size_t)def->elements + 1, sizeof *m->kind);
    m->x = tl_alloc(m->memory, (size_t)def->nodes + 1, sizeof *m->x);
    if (!m->begin || !m->kind || !m->x) return tl_fail(error, TALUS_MEMORY, "no memory for %d nodes and %d elements", def->nodes, def->elements);
    for (int e = 0; e < def->elements; e++) {
        m->kind[e] = def->kind[e];
        m->begin[e + 1] = m->begin[e] + def->kind[e]->nodes;
        if (def->kind[e]->dimension != def->dimension)
            return tl_fail(error, TALUS_INPUT, "element %d is a %s, of dimension %d in a solid of dimension %d", e + 1, def->kind[e]->name,
                           def->kind[e]->dimension, def->dimension);
    }
    m->node = tl_alloc(m->memory, (size_t)m->begin[def->elements] + 1, sizeof *m->node);
    if (!m->node) return tl_fail(error, TALUS_MEMORY, "no memory for %d elements", def->elements);
    memcpy(m->node, def->node, (size_t)m->begin[def->elements] * sizeof *m->node);
    memcpy(m->x, def->x, (size_t)def->nodes * sizeof *m->x);
    for (int i = 0; i < def->nodes && def->dimension == 2; i++) m->x[i][2] = 0;
    return TALUS_OK;
}

talus_status tl_element_mesh_create(tl_memory memory, const tl_element_mesh_def *def, tl_element_mesh *out, tl_error *error)
{
    *out = (tl_element_mesh){.memory = memory, .dimension = def->dimension, .nodes = def->nodes, .elements = def->elements};
    if (def->elements <= 0 || def->nodes <= 0) return tl_fail(error, TALUS_INPUT, "the mesh has no element");
    talus_status status = copy(out, def, error);
    if (status == TALUS_OK) status = check(out, error);
    if (status == TALUS_OK) status = find_surface(out, error);
    if (status == TALUS_OK) status = find_pattern(out, error);
    if (status == TALUS_OK) status = find_parts(out, error);
    if (status != TALUS_OK) tl_element_mesh_free(out);
    return status;
}
