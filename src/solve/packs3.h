/* The work on packs of spatial contacts, in one table for each instruction set: all give the same bits. */
#ifndef TL_PACKS3_H
#define TL_PACKS3_H

#include "solve/problem3.h"
#include "solve/sweeps.h"

/* Of the packs of one table: impulses before, how far each turned back, and Σ of its contacts. */
typedef struct tl_momentum3 {
    tl_lanes3 *before; /* in: those that I is extrapolated from by β; out: I as it was */
    double beta;
    double *reversal;
    const tl_lanes *give; /* NULL: none gives */
} tl_momentum3;

typedef struct tl_packs3 {
    /* A sweep over packs list[0 … count − 1] from impulses extrapolated by β (the velocities have been, already). Packs of one colour: a pack may be read
     * before the one in front of it is done. */
    void (*sweep)(tl_row3 *, tl_pack3 *, const tl_momentum3 *, const int *list, int count);
    void (*sweep_balls)(tl_row3 *, tl_balls3 *, const tl_momentum3 *, const int *list, int count);
    /* Packs begin … end − 1: v += M⁻¹ H I; natural-map errors, with Σ of each or NULL. */
    void (*start)(tl_row3 *, const tl_pack3 *, int begin, int end);
    void (*start_balls)(tl_row3 *, const tl_balls3 *, int begin, int end);
    void (*residual)(const tl_row3 *, const tl_pack3 *, const tl_lanes *give, int begin, int end, tl_errors *);
    void (*residual_balls)(const tl_row3 *, const tl_balls3 *, const tl_lanes *give, int begin, int end, tl_errors *);
    /* Frictionless positional impulses towards the goals (drift_3d.c). */
    void (*drift)(tl_row3 *, const tl_pack3 *, const tl_lanes *goals, tl_lanes *impulses, int begin, int end);
    void (*drift_balls)(tl_row3 *, const tl_balls3 *, const tl_lanes *goals, tl_lanes *impulses, int begin, int end);
    /* u = Hᵀ v + shift of one pack: along n, 1, 2; of balls along the world's axes. */
    void (*velocity)(const tl_row3 *, const tl_pack3 *, tl_lanes3 *u);
    void (*velocity_balls)(const tl_row3 *, const tl_balls3 *, tl_lanes3 *u);
    /* v += β (v − before), before = v, for numbers begin … end − 1. */
    void (*extrapolate)(double *restrict v, double *restrict before, double beta, int begin, int end);
} tl_packs3;

extern const tl_packs3 tl_packs3_any, tl_packs3_fma, tl_packs3_avx512;

/* The fastest that this machine can run. */
static inline const tl_packs3 *tl_packs3_of_this_machine(void)
{
    static const tl_packs3 *const TABLE[] = {[TL_SET_ANY] = &tl_packs3_any, [TL_SET_FMA] = &tl_packs3_fma, [TL_SET_AVX512] = &tl_packs3_avx512};
    return TABLE[tl_instruction_set()];
}

/* ---- one pack, by its number among all, those of balls first ------------------------------------------------------------------- */

/* Along n, 1, 2; of balls, here and below, along the world's axes. */
static inline tl_lanes3 *tl_impulses3(const tl_problem3 *p, int pack)
{
    const int balls = p->packs[TL_BALLS3];
    return pack < balls ? &p->ball[pack].I : &p->pack[pack - balls].I;
}

/* u = Hᵀ v + shift at these rows. */
static inline void tl_velocities3(const tl_problem3 *p, const tl_row3 *rows, int pack, tl_lanes3 *u)
{
    const int balls = p->packs[TL_BALLS3];
    if (pack < balls) p->kernels->velocity_balls(rows, &p->ball[pack], u);
    else p->kernels->velocity(rows, &p->pack[pack - balls], u);
}

/* v += M⁻¹ H I by other impulses than the pack's. */
static inline void tl_push3(const tl_problem3 *p, tl_row3 *rows, int pack, const tl_lanes3 *I)
{
    const int balls = p->packs[TL_BALLS3];
    if (pack < balls) {
        tl_balls3 other = p->ball[pack];
        other.I = *I;
        p->kernels->start_balls(rows, &other, 0, 1);
    } else {
        tl_pack3 other = p->pack[pack - balls];
        other.I = *I;
        p->kernels->start(rows, &other, 0, 1);
    }
}

#endif
