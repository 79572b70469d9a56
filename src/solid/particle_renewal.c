/* References that are renewed (particle_renewal.h). */
#include "solid/particle_renewal.h"

#include <math.h>
#include <string.h>

/* ---- the reference --------------------------------------------------------------------------------------------------------------- */

/* F_r⁻¹. */
static tl_mat3 inverse_of(const double *memory)
{
    tl_mat3 B;
    for (int k = 0; k < 9; k++) B.m[k / 3][k % 3] = memory[k] + (k % 4 == 0);
    return B;
}

tl_mat3 tl_particle_seen(const tl_mat3 *G, const double *memory, double *volume)
{
    const tl_mat3 B = inverse_of(memory);
    tl_mat3 seen = tl_mat3_mul(G, &B);
    for (int k = 0; k < 9; k++) seen.m[k / 3][k % 3] += memory[k]; /* (1 + G)(1 + A) − 1 = G (1 + A) + A: small strains keep their digits */
    *volume = 1 / tl_particle_volume(&B);
    return seen;
}

/* P ← J P' Bᵀ */
static void bring_back(const tl_mat3 *B, double volume, tl_mat3 *P)
{
    const tl_mat3 seen = *P;
    for (int i = 0; i < 3; i++)
        for (int J = 0; J < 3; J++) P->m[i][J] = volume * (seen.m[i][0] * B->m[J][0] + seen.m[i][1] * B->m[J][1] + seen.m[i][2] * B->m[J][2]);
}

/* J B_JM B_LN of dP'_iM/dF'_kN. */
static void bring_tangent_back(const tl_mat3 *B, double volume, double (*tangent)[9])
{
    double half[9][9];
    for (int i = 0; i < 3; i++)
        for (int J = 0; J < 3; J++)
            for (int c = 0; c < 9; c++) {
                half[3 * i + J][c] = 0;
                for (int M = 0; M < 3; M++) half[3 * i + J][c] += volume * B->m[J][M] * tangent[3 * i + M][c];
            }
    for (int r = 0; r < 9; r++)
        for (int k = 0; k < 3; k++)
            for (int L = 0; L < 3; L++) {
                tangent[r][3 * k + L] = 0;
                for (int N = 0; N < 3; N++) tangent[r][3 * k + L] += half[r][3 * k + N] * B->m[L][N];
            }
}

/* ---- stress ---------------------------------------------------------------------------------------------------------------------- */

bool tl_particle_stress_renewed(const tl_material *m, const tl_particle_motion *motion, const double *before, double *after, tl_mat3 *P, double (*tangent)[9])
{
    const double *memory = before + m->kind->states;
    memcpy(after + m->kind->states, memory, TL_RENEWAL_STATES * sizeof *after);
    if (memory[TL_RENEWAL_TORN] != 0) {
        *P = (tl_mat3){{{0}}};
        memcpy(after, before, (size_t)m->kind->states * sizeof *after);
        for (int r = 0; tangent && r < 9; r++) memset(tangent[r], 0, sizeof tangent[r]);
        return true;
    }
    double volume;
    const tl_mat3 B = inverse_of(memory), G = tl_particle_seen(motion->G, memory, &volume), rate = motion->rate ? tl_mat3_mul(motion->rate, &B) : G;
    if (!tl_particle_stress(m, &(tl_particle_motion){&G, motion->rate ? &rate : NULL, motion->damping}, before, after, P, tangent)) return false;
    bring_back(&B, volume, P);
    if (tangent) bring_tangent_back(&B, volume, tangent);
    return true;
}

/* ---- renewal --------------------------------------------------------------------------------------------------------------------- */

bool tl_particle_holds(const tl_material *m, const tl_mat3 *G, double stretch)
{
    static const double THIRD = 1.0 / 3;
    const double within = fmin(THIRD, 0.5 * (1 - 1 / (stretch * stretch)));
    double strain[6];
    tl_vec3 E;
    tl_mat3 axes;
    tl_particle_strain(G, strain);
    if (tl_strain_norm(strain) <= within) return true; /* no value of it is larger */
    const tl_mat3 tensor = {
        {{strain[0], 0.5 * strain[3], 0.5 * strain[5]}, {0.5 * strain[3], strain[1], 0.5 * strain[4]}, {0.5 * strain[5], 0.5 * strain[4], strain[2]}}};
    tl_mat3_eigen(&tensor, &E, &axes);
    const double least = 1 + 2 * fmin(E.x, fmin(E.y, E.z)), most = 1 + 2 * fmax(E.x, fmax(E.y, E.z)); /* squares of stretches */
    if (!m->kind->renew && least < THIRD) return false;
    return most < stretch * stretch && least * stretch * stretch > 1;
}

bool tl_particle_flows(const tl_material *m, const double *before, double *after)
{
    double change[TL_MATERIAL_STATES], strain, cap;
    const int states = m->kind->states;
    if (memcmp(before, after, (size_t)states * sizeof *before) == 0 || !m->kind->yielded) return false;
    for (int k = 0; k < states; k++) change[k] = after[k] - before[k];
    m->kind->yielded(m->parameter, change, &strain, &cap);
    after[states + TL_RENEWAL_FLOW] = before[states + TL_RENEWAL_FLOW] + strain;
    return true;
}

/* R S Rᵀ. */
static void turn(const tl_mat3 *R, const double S[6], double stress[6])
{
    const tl_mat3 tensor = {{{S[0], S[3], S[5]}, {S[3], S[1], S[4]}, {S[5], S[4], S[2]}}}, back = tl_mat3_transpose(R);
    const tl_mat3 half = tl_mat3_mul(R, &tensor), all = tl_mat3_mul(&half, &back);
    stress[0] = all.m[0][0], stress[1] = all.m[1][1], stress[2] = all.m[2][2], stress[3] = all.m[0][1], stress[4] = all.m[1][2], stress[5] = all.m[0][2];
}

bool tl_particle_renew(const tl_material *m, const tl_mat3 *G, double beyond, double *memory)
{
    double *reference = memory + m->kind->states, strain[6], S[6], stress[6], after[TL_MATERIAL_STATES], volume;
    tl_mat3 R;
    if (reference[TL_RENEWAL_TORN] != 0) return false;
    const tl_mat3 seen = tl_particle_seen(G, reference, &volume), F = tl_particle_deformation(&seen), B = inverse_of(reference);
    tl_particle_strain(&seen, strain);
    if (!(tl_strain_norm(strain) > beyond) || !tl_mat3_polar(&F, &R) || !m->kind->stress(m->parameter, strain, memory, after, S, NULL)) return false;
    turn(&R, S, stress);
    m->kind->renew(m->parameter, stress, memory);
    const tl_mat3 back = tl_mat3_inverse(&F, tl_particle_volume(&F)), renewed = tl_mat3_mul(&B, &back);
    for (int k = 0; k < 9; k++) reference[k] = renewed.m[k / 3][k % 3] - (k % 4 == 0);
    return true;
}
