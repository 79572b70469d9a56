/* From neighbours to strain, from strain to forces (particle_response.h). */
#include "solid/particle_response.h"

#include <stddef.h>

tl_mat3 tl_particle_gradient(int neighbours, const double (*gradient)[3], const double (*u)[3])
{
    tl_mat3 G = {{{0}}};
    for (int j = 0; j < neighbours; j++)
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++) G.m[i][k] += u[j][i] * gradient[j][k];
    return G;
}

void tl_particle_strain(const tl_mat3 *G, double strain[6])
{
    for (int a = 0; a < 3; a++)
        for (int b = a; b < 3; b++) {
            double sum = G->m[a][b] + G->m[b][a];
            for (int i = 0; i < 3; i++) sum += G->m[i][a] * G->m[i][b];
            strain[TL_PLACE[a][b]] = a == b ? 0.5 * sum : sum; /* angles are twice the tensor's */
        }
}

void tl_particle_strain_rate(const tl_mat3 *F, const tl_mat3 *dF, double rate[6])
{
    for (int a = 0; a < 3; a++)
        for (int b = a; b < 3; b++) {
            double sum = 0;
            for (int i = 0; i < 3; i++) sum += F->m[i][a] * dF->m[i][b] + dF->m[i][a] * F->m[i][b];
            rate[TL_PLACE[a][b]] = a == b ? 0.5 * sum : sum;
        }
}

void tl_particle_push(const tl_mat3 *F, const double S[6], tl_mat3 *P)
{
    for (int i = 0; i < 3; i++)
        for (int J = 0; J < 3; J++) {
            P->m[i][J] = 0;
            for (int M = 0; M < 3; M++) P->m[i][J] += F->m[i][M] * S[TL_PLACE[M][J]];
        }
}

double tl_particle_volume(const tl_mat3 *F) { return tl_mat3_determinant(F); }

/* dP_iJ/dF_kL = F_iM C_MJNL F_kN + δ_ik S_JL, C symmetric in each of its pairs. */
static void derive(const tl_mat3 *F, const double S[6], double (*C)[6], double (*tangent)[9])
{
    double FC[9][6]; /* F_iM C_MJ.. */
    for (int i = 0; i < 3; i++)
        for (int J = 0; J < 3; J++)
            for (int q = 0; q < 6; q++) {
                FC[3 * i + J][q] = 0;
                for (int M = 0; M < 3; M++) FC[3 * i + J][q] += F->m[i][M] * C[TL_PLACE[M][J]][q];
            }
    for (int p = 0; p < 9; p++)
        for (int k = 0; k < 3; k++)
            for (int L = 0; L < 3; L++) {
                double sum = p / 3 == k ? S[TL_PLACE[p % 3][L]] : 0;
                for (int N = 0; N < 3; N++) sum += FC[p][TL_PLACE[N][L]] * F->m[k][N];
                tangent[p][3 * k + L] = sum;
            }
}

bool tl_particle_stress(const tl_material *material, const tl_particle_motion *at, const double *before, double *after, tl_mat3 *P, double (*tangent)[9])
{
    const tl_mat3 F = tl_particle_deformation(at->G);
    double strain[6], rate[6], S[6], C[6][6];
    if (!(tl_particle_volume(&F) > 0)) return false;
    tl_particle_strain(at->G, strain);
    if (at->rate) {
        tl_particle_strain_rate(&F, at->rate, rate);
        for (int i = 0; i < 6; i++) strain[i] += at->damping * rate[i];
    }
    if (!material->kind->stress(material->parameter, strain, before, after, S, tangent ? C : NULL)) return false;
    tl_particle_push(&F, S, P);
    if (tangent) derive(&F, S, C, tangent);
    return true;
}

void tl_particle_cauchy(const tl_mat3 *F, const tl_mat3 *P, double stress[6])
{
    const double J = tl_particle_volume(F);
    for (int a = 0; a < 3; a++)
        for (int b = a; b < 3; b++) {
            double sum = 0;
            for (int i = 0; i < 3; i++) sum += P->m[a][i] * F->m[b][i];
            stress[TL_PLACE[a][b]] = sum / J;
        }
}
