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

/* Newton on strain zz. The stress zz grows with it in every material that is stable, so few steps do. */
bool tl_plane_stress(const tl_material *material, double strain[6], const double *before, double *after, double stress[6], double (*tangent)[6])
{
    enum { MOST = 60 };
    double own[6][6], (*D)[6] = tangent ? tangent : own;
    bool found = false;
    for (int pass = 0; pass < MOST && !found; pass++) {
        if (!material->kind->stress(material->parameter, strain, before, after, stress, D)) return false;
        const double scale = fabs(D[2][2]) * (fabs(strain[0]) + fabs(strain[1]) + fabs(strain[2]) + fabs(strain[3]));
        found = fabs(stress[2]) <= 1e-14 * scale;
        if (!found && !(D[2][2] > 0)) return false;
        if (!found) strain[2] -= stress[2] / D[2][2];
    }
    if (tangent) {
        double across[6], along[6];
        for (int i = 0; i < 6; i++) across[i] = D[2][i] / D[2][2], along[i] = D[i][2];
        for (int i = 0; i < 6; i++)
            for (int j = 0; j < 6; j++) D[i][j] -= along[i] * across[j];
    }
    stress[2] = 0;
    return found;
}
