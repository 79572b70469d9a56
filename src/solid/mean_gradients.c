/* Means of the gradients of elements (mean_gradients.h). */
#include "solid/mean_gradients.h"

#include <string.h>

#include "base/integers.h"
#include "base/math.h"

/* ∇N of the nodes of an element at a point of its quadrature; returns the volume that the point stands for. */
static double gradients_at(const tl_element_kind *kind, const double (*x)[3], int point, double (*slope)[3])
{
    const tl_quadrature_point *at = &kind->point[point];
    double dN[TL_ELEMENT_NODES][3] = {{0}}, J[3][3];
    kind->slope(at->xi, dN);
    const double determinant = tl_element_jacobian(kind, x, (const double(*)[3])dN, J);
    tl_mat3 M = tl_mat3_identity();
    for (int r = 0; r < kind->dimension; r++)
        for (int c = 0; c < kind->dimension; c++) M.m[r][c] = J[r][c];
    const tl_mat3 inverse = tl_mat3_inverse(&M, determinant);
    for (int a = 0; a < kind->nodes; a++) {
        const double own[3] = {dN[a][0], dN[a][1], kind->dimension == 3 ? dN[a][2] : 0};
        tl_store3(slope[a], tl_mat3_apply_t(&inverse, tl_load3(own)));
    }
    return at->weight * determinant;
}

static void add_element(const tl_element_mesh *m, int e, tl_least_squares *s)
{
    const tl_element_kind *kind = m->kind[e];
    const int *node = m->node + m->begin[e];
    double x[TL_ELEMENT_NODES][3], slope[TL_ELEMENT_NODES][3], N[TL_ELEMENT_NODES];
    int at[TL_ELEMENT_NODES][TL_ELEMENT_NODES];
    tl_element_mesh_places(m, e, x);
    for (int a = 0; a < kind->nodes; a++)
        for (int b = 0; b < kind->nodes; b++) {
            const int begin = s->begin[node[a]], count = s->begin[node[a] + 1] - begin;
            at[a][b] = begin + tl_first_not_below(s->neighbour + begin, sizeof *s->neighbour, count, node[b]);
        }
    for (int p = 0; p < kind->points; p++) {
        const double volume = gradients_at(kind, (const double(*)[3])x, p, slope);
        kind->shape(kind->point[p].xi, N);
        for (int a = 0; a < kind->nodes; a++) {
            s->volume[node[a]] += volume * N[a];
            for (int b = 0; b < kind->nodes; b++)
                for (int k = 0; k < 3; k++) s->gradient[at[a][b]][k] += volume * N[a] * slope[b][k];
        }
    }
}

talus_status tl_mean_gradients_create(tl_memory memory, const tl_element_mesh *m, tl_least_squares *out, tl_error *error)
{
    const tl_pattern *p = &m->pattern;
    const size_t n = (size_t)m->nodes, pairs = (size_t)p->begin[m->nodes];
    *out = (tl_least_squares){.memory = memory, .particles = m->nodes};
    out->volume = tl_alloc(memory, n + 1, sizeof *out->volume);
    out->begin = tl_alloc(memory, n + 1, sizeof *out->begin);
    out->neighbour = tl_alloc(memory, pairs + 1, sizeof *out->neighbour);
    out->gradient = tl_alloc(memory, pairs + 1, sizeof *out->gradient);
    if (!out->volume || !out->begin || !out->neighbour || !out->gradient) {
        tl_least_squares_free(out);
        return tl_fail(error, TALUS_MEMORY, "no memory for %d particles", m->nodes);
    }
    memcpy(out->begin, p->begin, (n + 1) * sizeof *out->begin);
    memcpy(out->neighbour, p->neighbour, pairs * sizeof *out->neighbour);
    for (int e = 0; e < m->elements; e++) add_element(m, e, out);
    for (int i = 0; i < m->nodes; i++)
        for (int k = out->begin[i]; k < out->begin[i + 1]; k++)
            for (int a = 0; a < 3; a++) out->gradient[k][a] /= out->volume[i];
    return TALUS_OK;
}
