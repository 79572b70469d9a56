/* The table of materials, and what they share (material.h). */
#include "solid/material.h"

#include <math.h>
#include <string.h>

static const tl_material_kind *const KINDS[] = {&TL_ELASTIC, &TL_DRUCKER_PRAGER};
enum { COUNT = sizeof KINDS / sizeof *KINDS };

int tl_material_kinds(void) { return COUNT; }

const tl_material_kind *tl_material_kind_at(int index) { return index >= 0 && index < COUNT ? KINDS[index] : NULL; }

const tl_material_kind *tl_material_kind_named(const char *name)
{
    for (int i = 0; i < COUNT; i++)
        if (strcmp(KINDS[i]->name, name) == 0) return KINDS[i];
    return NULL;
}

/* Angles are twice the tensor's shear strains, each of which stands in it twice: half of their squares. */
double tl_strain_norm(const double strain[6])
{
    double squares = 0;
    for (int i = 0; i < 6; i++) squares += (i < 3 ? 1 : 0.5) * strain[i] * strain[i];
    return sqrt(squares);
}

void tl_hooke(double lame, double shear, const double strain[6], double stress[6], double (*tangent)[6])
{
    const double pressure = lame * (strain[0] + strain[1] + strain[2]);
    for (int i = 0; i < 6; i++) stress[i] = i < 3 ? pressure + 2 * shear * strain[i] : shear * strain[i];
    if (!tangent) return;
    memset(tangent, 0, 6 * sizeof *tangent);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) tangent[i][j] = lame;
        tangent[i][i] += 2 * shear;
        tangent[3 + i][3 + i] = shear;
    }
}

double tl_hooke_energy(double lame, double shear, const double strain[6])
{
    double stress[6], sum = 0;
    tl_hooke(lame, shear, strain, stress, NULL);
    for (int i = 0; i < 6; i++) sum += 0.5 * stress[i] * strain[i];
    return sum;
}

/* The stress zz never falls as strain zz grows in a material that is stable, but it may hardly grow, where it yields: Newton's method between bounds, and no
 * farther than twice the strain where there are none yet. */
typedef struct search {
    double low, high;
} search;

static double next_strain(search *s, double at, double stress, double slope, double size)
{
    if (stress > 0) s->high = at;
    else s->low = at;
    const double most = 2 * size, way = slope > 0 ? -stress / slope : -copysign(most, stress), next = at + fmax(fmin(way, most), -most);
    return next > s->low && next < s->high ? next : 0.5 * (s->low + s->high);
}

bool tl_plane_stress(const tl_material *material, double strain[6], const double *before, double *after, double stress[6], double (*tangent)[6])
{
    enum { MOST = 200 };
    double own[6][6], (*D)[6] = tangent ? tangent : own, stiffest = 0;
    search within = {-(double)INFINITY, (double)INFINITY};
    bool found = false;
    for (int pass = 0; pass < MOST && !found; pass++) {
        if (!material->kind->stress(material->parameter, strain, before, after, stress, D)) return false;
        const double size = fabs(strain[0]) + fabs(strain[1]) + fabs(strain[2]) + fabs(strain[3]);
        stiffest = fmax(stiffest, D[2][2]);
        found = fabs(stress[2]) <= 1e-14 * stiffest * size;
        const double next = next_strain(&within, strain[2], stress[2], D[2][2], size);
        found = found || next == within.low || next == within.high;
        if (!found) strain[2] = next;
    }
    if (tangent && D[2][2] > 0) {
        double across[6], along[6];
        for (int i = 0; i < 6; i++) across[i] = D[2][i] / D[2][2], along[i] = D[i][2];
        for (int i = 0; i < 6; i++)
            for (int j = 0; j < 6; j++) D[i][j] -= along[i] * across[j];
    }
    stress[2] = 0;
    return found;
}
