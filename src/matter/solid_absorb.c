/* Faces that let waves out: viscous dampers (Lysmer and Kuhlemeyer 1969; theory §10.6). */
#include <math.h>

#include "matter/solid_internal.h"

/* ρ c of compression and of shear. */
static void impedances(const tl_element *e, double *pressure, double *shear)
{
    const double young = e->material->parameter[0], poisson = e->material->parameter[1], G = tl_shear_modulus(young, poisson);
    const bool flat = e->plane_stress && e->kind->dimension == 2;
    *pressure = sqrt(e->density * (flat ? young / (1 - poisson * poisson) : tl_lame(young, poisson) + 2 * G));
    *shear = sqrt(e->density * G);
}

/* In shares of nodes, each for itself: as masses are that are lumped. */
static void add_face(tl_solid *s, const talus_solid_face *f)
{
    const int d = tl_solid_axes(s);
    int node[TL_FACE_NODES];
    double along, across;
    tl_face_point point[TL_FACE_POINTS] = {0};
    const int points = tl_solid_face_points(s, f, node, point), nodes = s->mesh.kind[f->element]->face[f->face].nodes;
    impedances(&s->element[f->element], &along, &across);
    for (int p = 0; p < points; p++) {
        const double size = tl_norm(tl_load3(point[p].area));
        for (int k = 0; k < nodes; k++)
            for (int a = 0; a < d; a++) {
                s->damper_normal[node[k]][a] += fabs(point[p].area[a]);
                for (int b = 0; b < d; b++) {
                    const double nn = point[p].area[a] * point[p].area[b] / (size * size);
                    s->damper[(node[k] * d + a) * d + b] += point[p].N[k] * size * (along * nn + across * ((a == b) - nn));
                }
            }
    }
}

talus_status tl_solid_absorb(tl_matter *matter, const talus_solid_face *face, int faces, tl_error *error)
{
    tl_solid *s = (tl_solid *)matter;
    const size_t nodes = (size_t)s->mesh.nodes;
    if (s->damper) return tl_fail(error, TALUS_INPUT, "solid '%s': absorbing faces are to be given at once", matter->name);
    TL_TRY(tl_solid_check_faces(matter, face, faces, "waves are absorbed", error));
    s->damper = tl_alloc(matter->memory, nodes * (size_t)(s->dimension * s->dimension), sizeof *s->damper);
    s->damper_normal = tl_alloc(matter->memory, nodes, sizeof *s->damper_normal);
    if (!s->damper || !s->damper_normal) {
        tl_free(matter->memory, s->damper);
        tl_free(matter->memory, s->damper_normal);
        s->damper = NULL, s->damper_normal = NULL;
        return tl_fail(error, TALUS_MEMORY, "no memory for absorbing faces of solid '%s'", matter->name);
    }
    for (int f = 0; f < faces; f++) add_face(s, &face[f]);
    return TALUS_OK;
}

void tl_solid_add_dampers(const tl_solid *s, double scale, const double *v, double *y)
{
    const int d = tl_solid_axes(s);
    for (int i = 0; i < s->mesh.nodes && s->damper; i++)
        for (int a = 0; a < d; a++)
            for (int b = 0; b < d; b++) y[d * i + a] += scale * s->damper[(d * i + a) * d + b] * v[d * i + b];
}
