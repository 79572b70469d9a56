/* Isotropic linear elasticity. */
#include "solid/material.h"

#include <stddef.h>

static const talus_solid_parameter PARAMETER[2] = {{"young", "Pa", "Young's modulus", false}, {"poisson", "1", "Poisson's ratio, between -1 and 1/2", false}};

static const char *wrong(const double *p, char *text)
{
    (void)text;
    if (!(p[0] > 0)) return "young is not above 0";
    if (!(p[1] > -1) || !(p[1] < 0.5)) return "poisson is not between -1 and 1/2";
    return NULL;
}

static bool stress(const double *p, const double strain[6], const double *before, double *after, double out[6], double (*tangent)[6])
{
    (void)before, (void)after;
    tl_hooke(tl_lame(p[0], p[1]), tl_shear_modulus(p[0], p[1]), strain, out, tangent);
    return true;
}

static int four(const double *p, const double (*strain)[4], const double *const before[4], double (*out)[4])
{
    (void)before;
    for (int l = 0; l < 4; l++) {
        double own[6], sigma[6];
        for (int i = 0; i < 6; i++) own[i] = strain[i][l];
        tl_hooke(tl_lame(p[0], p[1]), tl_shear_modulus(p[0], p[1]), own, sigma, NULL);
        for (int i = 0; i < 6; i++) out[i][l] = sigma[i];
    }
    return 15;
}

static double energy(const double *p, const double strain[6], const double *state)
{
    (void)state;
    return tl_hooke_energy(tl_lame(p[0], p[1]), tl_shear_modulus(p[0], p[1]), strain);
}

const tl_material_kind TL_ELASTIC = {
    .name = "elastic",
    .text = "isotropic linear elasticity",
    .parameters = 2,
    .parameter = PARAMETER,
    .wrong = wrong,
    .stress = stress,
    .four = four,
    .energy = energy,
};
