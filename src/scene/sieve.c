/* Sieve curves.
 *
 * Of a curve P(d), the fraction of mass below size d, each interval [a, b] between sieves holds the mass w = P(b) − P(a), spread evenly over
 * ln d: dP/d(ln d) = w / ln(b/a). Stones of one kind of shape weigh ∝ d³, so their number is dN/d(ln d) ∝ w / ln(b/a) · d⁻³, and over an interval
 *     N(a … d) ∝ w / ln(b/a) · (a⁻³ − d⁻³) / 3.
 * In the plane grains weigh ∝ d², and squares take the place of cubes.
 * A draw picks the interval by N(a … b), then solves N(a … d) = u N(a … b):  d⁻³ = a⁻³ − u (a⁻³ − b⁻³). */
#include <string.h>

#include "scene/stone.h"

/* EN 13450:2002, railway ballast 31.5 mm to 50 mm, table 1, grading category A, percentage passing by mass:
 *     63 mm: 100 · 50 mm: 70 … 99 · 40 mm: 30 … 65 · 31.5 mm: 1 … 25 · 22.4 mm: 0 … 3,
 * and at least half of the mass between 31.5 and 50 mm. This is the middle of those limits (84.5 − 13 = 71.5 % between 31.5 and 50 mm).
 * What passes 22.4 mm is taken to stay on 16 mm, the next sieve down. */
static const tl_sieve BALLAST = {6, {16e-3, 22.4e-3, 31.5e-3, 40e-3, 50e-3, 63e-3}, {0, 0.015, 0.13, 0.475, 0.845, 1}};

const tl_sieve *tl_sieve_named(const char *name) { return strcmp(name, "EN13450-31.5/50") == 0 ? &BALLAST : NULL; }

talus_status tl_sieve_check(const tl_sieve *s, tl_error *error)
{
    if (s->count < 2 || s->count > TL_SIEVES) return tl_fail(error, TALUS_INPUT, "a sieve curve has 2 to %d sieves, not %d", TL_SIEVES, s->count);
    for (int i = 0; i < s->count; i++) {
        const double before = i ? s->size[i - 1] : 0, passed = i ? s->passing[i - 1] : 0;
        if (!(s->size[i] > before) || !isfinite(s->size[i]))
            return tl_fail(error, TALUS_INPUT, "sieve %d of a curve has size %g m; sizes must be positive and increase", i + 1, s->size[i]);
        if (!(s->passing[i] >= passed) || !(s->passing[i] <= 1))
            return tl_fail(error, TALUS_INPUT, "%g of the mass passes sieve %d of a curve; this must not fall from sieve to sieve, nor exceed 1", s->passing[i],
                           i + 1);
    }
    if (s->passing[0] != 0 || s->passing[s->count - 1] != 1)
        return tl_fail(error, TALUS_INPUT, "a sieve curve begins with a size that nothing passes (0) and ends with one that all passes (1), not %g and %g",
                       s->passing[0], s->passing[s->count - 1]);
    return TALUS_OK;
}

double tl_sieve_passing(const tl_sieve *s, double size)
{
    if (size <= s->size[0]) return 0;
    for (int i = 1; i < s->count; i++)
        if (size < s->size[i]) return s->passing[i - 1] + (s->passing[i] - s->passing[i - 1]) * log(size / s->size[i - 1]) / log(s->size[i] / s->size[i - 1]);
    return 1;
}

static double power(double x, int n) { return n == 2 ? x * x : x * x * x; }

double tl_sieve_draw(tl_random *random, const tl_sieve *s, int dimension)
{
    const double unit = s->size[s->count - 1]; /* powers of sizes relative to the largest */
    double number[TL_SIEVES] = {0}, total = 0;
    int last = 1;
    for (int i = 1; i < s->count; i++) {
        const double a = unit / s->size[i - 1], b = unit / s->size[i];
        number[i] = (s->passing[i] - s->passing[i - 1]) / log(a / b) * (power(a, dimension) - power(b, dimension));
        total += number[i];
        if (number[i] > 0) last = i;
    }
    double left = tl_random_uniform(random, 0, total);
    int i = 1;
    while (i < last && left >= number[i]) left -= number[i++];
    const double a = power(unit / s->size[i - 1], dimension), b = power(unit / s->size[i], dimension);
    const double inverse = a - tl_random_uniform(random, 0, 1) * (a - b);
    return unit / (dimension == 2 ? sqrt(inverse) : cbrt(inverse));
}
