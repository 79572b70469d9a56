/* The work on packs of planar contacts, in one table for each instruction set: all give the same bits. */
#ifndef TL_PACKS2_H
#define TL_PACKS2_H

#include "solve/problem2.h"
#include "solve/sweeps.h"

/* Of the packs of one table: impulses before, how far each turned back, and Σ of its contacts. */
typedef struct tl_momentum2 {
    tl_lanes (*before)[2]; /* in: those that In, It are extrapolated from by β; out: In, It as they were */
    double beta;
    double *reversal;
    const tl_lanes *give; /* NULL: none gives */
} tl_momentum2;

typedef struct tl_packs2 {
    /* A sweep over packs begin … end − 1 from impulses extrapolated by β (the velocities have been, already). No two of them share a moving grain, as those of
     * one colour: a pack is read before the one in front of it is done. */
    void (*sweep)(tl_row2 *, tl_pack2 *, const tl_momentum2 *, int begin, int end);
    /* v += M⁻¹ H I; natural-map errors, with Σ of each or NULL. */
    void (*start)(tl_row2 *, const tl_pack2 *, int begin, int end);
    void (*residual)(const tl_row2 *, const tl_pack2 *, const tl_lanes *give, int begin, int end, tl_errors *);
    /* Frictionless positional impulses towards the goals (drift_2d.c). */
    void (*drift)(tl_row2 *, const tl_pack2 *, const tl_lanes *goals, tl_lanes *impulses, int begin, int end);
    /* u = Hᵀ v + shift of one pack. */
    void (*velocity)(const tl_row2 *, const tl_pack2 *, tl_lanes *u_n, tl_lanes *u_t);
    /* v += β (v − before), before = v, for numbers begin … end − 1. */
    void (*extrapolate)(double *restrict v, double *restrict before, double beta, int begin, int end);
} tl_packs2;

extern const tl_packs2 tl_packs2_any, tl_packs2_fma, tl_packs2_avx512;

/* The fastest that this machine can run. */
static inline const tl_packs2 *tl_packs2_of_this_machine(void)
{
    static const tl_packs2 *const TABLE[] = {[TL_SET_ANY] = &tl_packs2_any, [TL_SET_FMA] = &tl_packs2_fma, [TL_SET_AVX512] = &tl_packs2_avx512};
    return TABLE[tl_instruction_set()];
}

/* v += M⁻¹ H I by other impulses than the pack's. */
static inline void tl_push2(const tl_problem2 *p, tl_row2 *rows, int pack, tl_lanes I_n, tl_lanes I_t)
{
    tl_pack2 other = p->pack[pack];
    other.In = I_n, other.It = I_t;
    p->kernels->start(rows, &other, 0, 1);
}

#endif
