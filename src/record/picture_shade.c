/* From samples to pixels: light from the upper left, lines where surfaces end or bend, glass, strokes of ink, means. */
#include <math.h>

#include "record/picture_raster.h"

static const tl_vec3 LIGHT = {-0.43, 0.72, 0.545}; /* towards it, in the axes of the camera */

/* The colour of what a sample shows, at its middle. */
static tl_colour painted(const tl_look *l, double column, double row)
{
    if (!l->valued) return l->colour;
    return tl_ramp(fmin(fmax((double)l->slope[0] * column + (double)l->slope[1] * row + (double)l->slope[2], (double)l->least), (double)l->most));
}

/* Some light comes from everywhere. */
static tl_colour lit(const tl_look *l, const tl_sample *s, tl_colour colour)
{
    static const tl_colour WHITE = {1, 1, 1};
    if (l->unlit) return colour;
    const double direct = (double)s->right * LIGHT.x + (double)s->up * LIGHT.y + (double)s->towards * LIGHT.z;
    const double full = 0.56 + 0.46 * fmax(direct, 0) + 0.08 * fmin(direct, 0), shade = l->valued ? 0.6 + 0.4 * full : full; /* a scale is to be read */
    const double far = direct * direct * direct * direct;
    return tl_mix(tl_darker(colour, shade < 1 ? shade : 1), WHITE, direct > 0 ? (double)l->gloss * far * far : 0);
}

/* ---- lines -------------------------------------------------------------------------------------------------------- */

typedef enum edge { INSIDE, CREASE, RIM } edge;

/* How much farther `to` is than the plane of `from` would be there; dx to the right, dy down. */
static float behind(const tl_sample *from, const tl_sample *to, float dx, float dy)
{
    const float steep = from->towards > 0.05F ? from->towards : 0.05F;
    return from->z - (from->right * dx - from->up * dy) / steep - to->z;
}

/* What lies between a sample and its neighbour. The rim of what is in front belongs to what is in front. */
static edge between(const tl_sample *s, const tl_sample *n, const tl_look *look, float dx, float dy)
{
    if (n->solid == RASTER_NOTHING) return RIM;
    const tl_look *l = &look[s->solid];
    if (look[n->solid].body != l->body) return s->z >= n->z ? RIM : INSIDE;
    if (n->solid == s->solid && l->round) return INSIDE;
    const float jump = 1.5F * RASTER_FINE;
    if (behind(s, n, dx, dy) > jump && -behind(n, s, -dx, -dy) > jump) return RIM;
    return s->right * n->right + s->up * n->up + s->towards * n->towards < l->crease ? CREASE : INSIDE;
}

static edge edge_at(const tl_band *b, const tl_look *look, int line, int row, int column)
{
    static const int STEP[8][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {1, -1}, {-1, 1}, {-1, -1}};
    const tl_sample *s = b->sample + (size_t)row * (size_t)b->width + column;
    const int slant = (7 * line + 5) / 10;
    edge found = INSIDE;
    for (int k = 0; k < 8 && found != RIM; k++) {
        const int reach = k < 4 ? line : slant, dx = STEP[k][0] * reach, dy = STEP[k][1] * reach;
        if (column + dx < 0 || column + dx >= b->width) continue;
        const edge e = between(s, s + (ptrdiff_t)dy * b->width + dx, look, (float)dx, (float)dy);
        found = e > found ? e : found;
    }
    return found;
}

/* ---- layers ------------------------------------------------------------------------------------------------------- */

static void store(float *out, tl_colour c) { out[0] = (float)c.r, out[1] = (float)c.g, out[2] = (float)c.b; }

static void blend(float *over, tl_colour c, double share)
{
    over[0] += (float)share * ((float)c.r - over[0]);
    over[1] += (float)share * ((float)c.g - over[1]);
    over[2] += (float)share * ((float)c.b - over[2]);
}

void tl_band_shade(const tl_band *b, const tl_look *look, int line, int margin, float *colour)
{
    static const double DARK[3] = {1, 0.80, 0.5};
    for (int i = margin; i < b->rows - margin; i++)
        for (int k = 0; k < b->width; k++) {
            const size_t at = (size_t)i * (size_t)b->width + (size_t)k;
            const tl_sample *s = &b->sample[at];
            if (s->solid == RASTER_NOTHING) {
                store(colour + 3 * at, TL_PAPER);
                continue;
            }
            const tl_look *l = &look[s->solid];
            const double dark = l->line > 0 ? DARK[edge_at(b, look, line, i, k)] : 1;
            store(colour + 3 * at, tl_darker(lit(l, s, painted(l, k + 0.5, b->first + i + 0.5)), 1 - (double)l->line * (1 - dark)));
        }
}

void tl_band_glass(const tl_band *glass, const tl_band *opaque, const tl_look *look, int line, int margin, float *colour)
{
    static const double OPACITY[3] = {0.10, 0.45, 0.65};
    for (int i = margin; i < glass->rows - margin; i++)
        for (int k = 0; k < glass->width; k++) {
            const size_t at = (size_t)i * (size_t)glass->width + (size_t)k;
            const tl_sample *s = &glass->sample[at];
            if (s->solid == RASTER_NOTHING || s->z <= opaque->sample[at].z) continue;
            const edge e = edge_at(glass, look, line, i, k);
            const tl_look *l = &look[s->solid];
            const tl_colour c = painted(l, k + 0.5, glass->first + i + 0.5);
            blend(colour + 3 * at, e == INSIDE ? lit(l, s, c) : c, OPACITY[e]);
        }
}

/* ---- strokes ------------------------------------------------------------------------------------------------------ */

/* Square of the distance on the page to a piece of a stroke; how high the nearest point of it is. */
static double distance2(const double a[3], const double b[3], double x, double y, double *z)
{
    const double dx = b[0] - a[0], dy = b[1] - a[1], size = dx * dx + dy * dy;
    const double t = size > 0 ? fmin(fmax(((x - a[0]) * dx + (y - a[1]) * dy) / size, 0), 1) : 0;
    const double ex = x - a[0] - t * dx, ey = y - a[1] - t * dy;
    *z = a[2] + t * (b[2] - a[2]);
    return ex * ex + ey * ey;
}

/* Columns that a piece of a stroke may cover in a row. */
static void reach_of(const double a[3], const double b[3], double width, double y, double out[2])
{
    const double low = fmin(a[1], b[1]) - width, high = fmax(a[1], b[1]) + width, dy = b[1] - a[1], length = hypot(b[0] - a[0], dy);
    if (y < low || y > high) return;
    double left = fmin(a[0], b[0]) - width, right = fmax(a[0], b[0]) + width;
    if (fabs(dy) > 1e-9) {
        const double middle = a[0] + (y - a[1]) * (b[0] - a[0]) / dy, half = width * length / fabs(dy);
        left = fmax(left, middle - half), right = fmin(right, middle + half);
    }
    out[0] = fmin(out[0], left), out[1] = fmax(out[1], right);
}

void tl_band_stroke(const tl_band *b, const tl_stroke *t, int margin, float *colour)
{
    for (int i = margin; i < b->rows - margin; i++) {
        const double y = b->first + i + 0.5;
        double span[2] = {(double)INFINITY, -(double)INFINITY};
        for (int k = 0; k + 1 < t->points; k++) reach_of(t->point[k], t->point[k + 1], t->width, y, span);
        if (!(span[0] < span[1])) continue;
        const int from = (int)fmin(fmax(floor(span[0]), 0), b->width), to = (int)fmin(fmax(ceil(span[1]), 0), b->width);
        for (int k = from; k < to; k++) {
            double z, best = (double)INFINITY, height = 0;
            for (int piece = 0; piece + 1 < t->points; piece++) {
                const double d = distance2(t->point[piece], t->point[piece + 1], k + 0.5, y, &z);
                if (d < best) best = d, height = z;
            }
            const size_t at = (size_t)i * (size_t)b->width + (size_t)k;
            if (best < t->width * t->width) blend(colour + 3 * at, t->colour, height + t->lift >= (double)b->sample[at].z ? t->opacity : t->hidden);
        }
    }
}

void tl_band_pixels(const tl_band *b, const float *colour, int margin, uint32_t *out, int stride)
{
    const int rows = (b->rows - 2 * margin) / RASTER_FINE, columns = b->width / RASTER_FINE;
    for (int i = 0; i < rows; i++)
        for (int k = 0; k < columns; k++) {
            float sum[3] = {0};
            for (int y = 0; y < RASTER_FINE; y++) {
                const float *from = colour + 3 * ((size_t)(margin + i * RASTER_FINE + y) * (size_t)b->width + (size_t)k * RASTER_FINE);
                for (int x = 0; x < 3 * RASTER_FINE; x++) sum[x % 3] += from[x];
            }
            uint32_t v = 255;
            for (int c = 0; c < 3; c++) v = v << 8 | (uint32_t)(sum[c] * (255.0F / (RASTER_FINE * RASTER_FINE)) + 0.5F);
            out[(size_t)i * (size_t)stride + (size_t)k] = v;
        }
}
