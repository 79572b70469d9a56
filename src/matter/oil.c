/* Oil with a share of air, and gas behind a bladder. */
#include <math.h>

#include "matter/fluid.h"

/* Oil is as stiff at every pressure; its air follows p v^n, and none goes into solution (theory §9.7). */
static double gas_log(double p) { return log1p(p / TL_ATMOSPHERE); }

double tl_oil_lowest(const tl_oil *o) { return o->air > 0 ? -(1 - 1e-6) * TL_ATMOSPHERE : -(double)INFINITY; }

double tl_oil_highest(const tl_oil *o) { return o->bulk_modulus; }

double tl_oil_volume(const tl_oil *o, double p, double *slope)
{
    const double oil = (1 - o->air) * exp(-p / o->bulk_modulus);
    *slope = -oil / o->bulk_modulus;
    if (!(o->air > 0)) return oil;
    const double gas = o->air * exp(-gas_log(p) / o->exponent);
    *slope -= gas / (o->exponent * (TL_ATMOSPHERE + p));
    return oil + gas;
}

double tl_oil_head(const tl_oil *o, double p)
{
    const double oil = -(1 - o->air) * o->bulk_modulus * expm1(-p / o->bulk_modulus);
    if (!(o->air > 0)) return oil;
    const double k = 1 - 1 / o->exponent, x = gas_log(p);
    return oil + o->air * TL_ATMOSPHERE * (k > 1e-9 ? expm1(k * x) / k : x);
}

double tl_oil_energy(const tl_oil *o, double p)
{
    double slope;
    return tl_oil_head(o, p) - p * tl_oil_volume(o, p, &slope);
}

/* H is concave: from the left Newton's steps stay there. */
double tl_oil_pressure_of_head(const tl_oil *o, double head, double guess)
{
    enum { MOST = 50 };
    const double lowest = tl_oil_lowest(o), highest = tl_oil_highest(o);
    double p = fmin(fmax(guess, lowest), highest), slope;
    for (int i = 0; i < MOST; i++) {
        const double before = p;
        p = fmin(fmax(p + (head - tl_oil_head(o, p)) / tl_oil_volume(o, p, &slope), lowest), highest);
        if (fabs(p - before) <= 1e-15 * (fabs(p) + TL_ATMOSPHERE)) break;
    }
    return p;
}

/* v is convex and falls: from the left Newton's steps stay there. */
double tl_oil_pressure_of_volume(const tl_oil *o, double v, double guess)
{
    enum { MOST = 50 };
    static const double LEAST = 0.5; /* of v */
    const double lowest = tl_oil_lowest(o), wanted = fmax(v, LEAST);
    double p = fmax(guess, lowest);
    for (int i = 0; i < MOST; i++) {
        double slope;
        const double before = p, off = tl_oil_volume(o, p, &slope) - wanted;
        p = fmax(p - off / slope, lowest);
        if (fabs(p - before) <= 1e-15 * (fabs(p) + TL_ATMOSPHERE)) break;
    }
    return p;
}

double tl_bladder_oil(const tl_bladder *b, double p, double *slope)
{
    const double P = p + TL_ATMOSPHERE, P0 = b->precharge + TL_ATMOSPHERE;
    *slope = 0;
    if (!(b->volume > 0) || P <= P0) return 0;
    const double gas = b->volume * exp(-log(P / P0) / b->exponent);
    *slope = gas / (b->exponent * P);
    return b->volume - gas;
}

double tl_bladder_energy(const tl_bladder *b, double p)
{
    double slope;
    const double P = p + TL_ATMOSPHERE, P0 = b->precharge + TL_ATMOSPHERE, oil = tl_bladder_oil(b, p, &slope), gas = b->volume - oil;
    if (!(oil > 0)) return 0;
    const double work = b->exponent > 1 + 1e-9 ? (P * gas - P0 * b->volume) / (b->exponent - 1) : P0 * b->volume * log(b->volume / gas);
    return work - TL_ATMOSPHERE * oil;
}
