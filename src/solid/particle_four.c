/* The steps of particle_response.c and particle_renewal.c by lanes (particle_four.h). The wider registers of a machine hold the same numbers. */
#include "solid/particle_four.h"

#include "base/lanes.h"
#include "solid/particle_renewal.h"

typedef tl_lanes tensor[3][3];
TL_INLINE void gather(const tl_columns *of, tensor out)
{
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) out[i][k] = (tl_lanes){of[0][k][i], of[1][k][i], of[2][k][i], of[3][k][i]};
}

TL_INLINE tl_lanes determinant(tensor a)
{
    return a[0][0] * (a[1][1] * a[2][2] - a[1][2] * a[2][1]) - a[0][1] * (a[1][0] * a[2][2] - a[1][2] * a[2][0]) +
           a[0][2] * (a[1][0] * a[2][1] - a[1][1] * a[2][0]);
}

/* Number k of what follows the material's in memory. */
TL_INLINE tl_lanes reference_of(const tl_particle_four *at, int states, int k)
{
    const double *m = at->memory + states + k;
    return (tl_lanes){m[0], m[at->stride], m[2 * at->stride], m[3 * at->stride]};
}

/* G' = G B + (B − 1) in place of G, and dF' = dF B; B = F_r⁻¹. Returns J_r. */
TL_INLINE tl_lanes see(const tl_particle_four *at, int states, tensor B, tensor G, tensor rate)
{
    for (int k = 0; k < 9; k++) B[k / 3][k % 3] = reference_of(at, states, k) + (k % 4 == 0 ? 1.0 : 0.0);
    for (int i = 0; i < 3; i++) {
        tl_lanes own[3], moves[3];
        for (int k = 0; k < 3; k++) {
            own[k] = G[i][0] * B[0][k] + G[i][1] * B[1][k] + G[i][2] * B[2][k] + reference_of(at, states, 3 * i + k);
            moves[k] = rate[i][0] * B[0][k] + rate[i][1] * B[1][k] + rate[i][2] * B[2][k];
        }
        for (int k = 0; k < 3; k++) G[i][k] = own[k], rate[i][k] = moves[k];
    }
    return 1.0 / determinant(B);
}

/* E + β Ė, six numbers; G becomes F. */
TL_INLINE void strain_of(tensor G, double damping, tensor rate, double (*strain)[4])
{
    tl_lanes E[6];
    for (int a = 0; a < 3; a++)
        for (int b = a; b < 3; b++) {
            tl_lanes sum = G[a][b] + G[b][a];
            for (int i = 0; i < 3; i++) sum += G[i][a] * G[i][b];
            E[TL_PLACE[a][b]] = a == b ? 0.5 * sum : sum;
        }
    for (int k = 0; k < 3; k++) G[k][k] += 1.0;
    for (int a = 0; a < 3; a++)
        for (int b = a; b < 3; b++) {
            tl_lanes sum = {0};
            for (int i = 0; i < 3; i++) sum += G[i][a] * rate[i][b] + rate[i][a] * G[i][b];
            tl_store4(strain[TL_PLACE[a][b]], E[TL_PLACE[a][b]] + damping * (a == b ? 0.5 * sum : sum));
        }
}

/* P = F S, and back to the first places where B tells of others, J P Bᵀ. */
TL_INLINE void push_of(tensor F, double (*stress)[4], const tl_lanes *J, tensor B, tensor P)
{
    for (int i = 0; i < 3; i++) {
        tl_lanes own[3];
        for (int k = 0; k < 3; k++)
            own[k] = F[i][0] * tl_load4(stress[TL_PLACE[0][k]]) + F[i][1] * tl_load4(stress[TL_PLACE[1][k]]) + F[i][2] * tl_load4(stress[TL_PLACE[2][k]]);
        for (int k = 0; k < 3; k++) P[i][k] = J ? *J * (own[0] * B[k][0] + own[1] * B[k][1] + own[2] * B[k][2]) : own[k];
    }
}

TL_INLINE int find(const tl_material *m, const tl_particle_four *at, tl_columns *columns)
{
    const int states = m->kind->states;
    const double *memory[4];
    double strain[6][4], stress[6][4];
    tensor F, rate = {{{0}}}, B, P;
    tl_lanes J = {0};
    tl_lanes_bits whole = {-1, -1, -1, -1};
    for (int l = 0; l < 4; l++) memory[l] = at->memory + (size_t)l * (size_t)at->stride;
    gather((const tl_columns *)columns, F);
    if (at->rate) gather(at->rate, rate);
    if (at->renewed) J = see(at, states, B, F, rate), whole = reference_of(at, states, TL_RENEWAL_TORN) == 0.0;
    strain_of(F, at->damping, rate, strain);
    whole &= determinant(F) > 0.0;
    const int found = m->kind->four(m->parameter, (const double(*)[4])strain, memory, stress) & tl_lanes_which(whole);
    push_of(F, stress, at->renewed ? &J : NULL, B, P);
    for (int l = 0; l < 4; l++)
        for (int k = 0; k < 3 && (found >> l & 1); k++)
            for (int i = 0; i < 3; i++) columns[l][k][i] = P[i][k][l];
    return found;
}

typedef struct kernels {
    int (*find)(const tl_material *, const tl_particle_four *, tl_columns *);
} kernels;

#define KERNELS(name, set)                                                                                                                                     \
    static set int find_##name(const tl_material *m, const tl_particle_four *at, tl_columns *G) { return find(m, at, G); }                                     \
    static const kernels name##_kernels = {find_##name};

TL_FOR_EVERY_SET(KERNELS)

int tl_particle_stress_of_four(const tl_material *m, const tl_particle_four *at, tl_columns G[4])
{
    return m->kind->four ? TL_BEST_KERNELS->find(m, at, G) : 0;
}
