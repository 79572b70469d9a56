/* Boxes of particles (particle_box.h) in single precision: for solves, where the next residual corrects what is rounded. */
#define NUMBER float
#define LANES  TL_SINGLES
#define VECTOR tl_singles
#define load   tl_load8
#define store  tl_store8
#define KIND   narrow
#include "solid/particle_box_kernels.h"

void tl_box_stiffness_single(tl_particle_box *b, tl_threads *threads, const tl_box_law *law, double scale, const float *x, float *y)
{
    take_field(b, threads, x);
    sweep(&(box_job){b, (float)law->lame, (float)law->shear, (float)law->holding, (float)scale, law->turned, .y = y}, threads);
}
