/* Steps whose contact problem stayed above its tolerance: how many, by how much, when, and what helps. A run of any length keeps their residuals
 * in bins, so that the median is known to 3 %. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "record/record.h"

enum { PARTS = 32, LEAST_EXPONENT = -64 }; /* bins per power of two; the first bin also holds all that is less */

static int bin_of(double residual)
{
    int exponent;
    const double mantissa = frexp(residual, &exponent); /* ½ … 1 */
    if (!isfinite(residual)) return TL_MISSED_BINS - 1;
    const int bin = (exponent - LEAST_EXPONENT) * PARTS + (int)((mantissa - 0.5) * 2 * PARTS);
    return !(residual > 0) || bin < 0 ? 0 : bin >= TL_MISSED_BINS ? TL_MISSED_BINS - 1 : bin;
}

static double middle_of(int bin) { return ldexp(0.5 + (bin % PARTS + 0.5) / (2 * PARTS), bin / PARTS + LEAST_EXPONENT); }

void tl_missed_add(tl_missed *m, const talus_step_report *report, double time)
{
    if (report->converged) return;
    m->bin[bin_of(report->residual)]++;
    m->tolerance = fmax(m->tolerance, report->tolerance);
    if (m->steps++ > 0 && report->residual <= m->worst) return;
    m->worst = report->residual;
    m->worst_time = time;
}

static double median(const tl_missed *m)
{
    uint64_t below = 0;
    for (int i = 0; i < TL_MISSED_BINS; i++)
        if ((below += m->bin[i]) * 2 > m->steps) return fmin(middle_of(i), m->worst);
    return m->worst;
}

/* What helps, by what was missed. */
static const char *advice(const talus_missed *m)
{
    if (m->steps == 0) return "";
    if (m->median <= 10 * m->tolerance)
        return "try more sweeps (solver.max_iterations) or a smaller time.step, or ask whether solver.tolerance need be so small (solver.force_tolerance)";
    return "the forces of these steps are inexact: try a smaller time.step, more sweeps (solver.max_iterations), 'solver.method: " TALUS_SOLVER_ALL
           "' if contacts are "
           "hundreds and not thousands, and look for a heavy body that rests or is pressed on "
           "light ones, or a light one that many heavy ones touch (is its inertia that of its shape?)";
}

void talus_record_missed(const talus_record *r, talus_missed *out)
{
    const tl_missed *m = &r->statistics.missed;
    *out = (talus_missed){.steps = m->steps, .all = r->statistics.steps, .tolerance = m->tolerance, .worst = m->worst, .worst_time = m->worst_time};
    if (m->steps > 0) out->median = median(m);
    out->advice = advice(out);
}
