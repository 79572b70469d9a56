/* What a picture shows of a run: the camera, the extent of one frame or of many, scales, the page. */
#include <math.h>
#include <stdlib.h>

#include "record/picture.h"

enum { LONGER_SIDE = 1200 }; /* of a page [pixels] */

/* ---- the camera --------------------------------------------------------------------------------------------------- */

/* In space it stands in the direction (cos e cos a, cos e sin a, sin e), with z up. */
void tl_picture_aim(tl_picture *p)
{
    const double a = p->def->azimuth, e = p->def->elevation;
    p->right = tl_v3(1, 0, 0), p->up = tl_v3(0, 1, 0), p->toward = tl_v3(0, 0, 1);
    if (p->run->dimension == 2) return;
    p->right = tl_v3(-sin(a), cos(a), 0);
    p->up = tl_v3(-sin(e) * cos(a), -sin(e) * sin(a), cos(e));
    p->toward = tl_v3(cos(e) * cos(a), cos(e) * sin(a), sin(e));
}

void tl_picture_to_page(const tl_picture *p, const double x[3], double page[2])
{
    page[0] = p->left + p->scale * tl_dot(p->right, tl_load3(x));
    page[1] = p->top - p->scale * tl_dot(p->up, tl_load3(x));
}

void tl_picture_point(const tl_picture *p, int body, const double local[3], double page[2])
{
    double x[3];
    tl_replay_to_world(p->frame, body, local, x);
    tl_picture_to_page(p, x, page);
}

void tl_picture_include(tl_picture *p, const double x[3], double rim)
{
    const double seen[2] = {tl_dot(p->right, tl_load3(x)), tl_dot(p->up, tl_load3(x))};
    if (!isfinite(x[0]) || !isfinite(x[1]) || !isfinite(x[2]) || !isfinite(rim)) return;
    for (int k = 0; k < 2; k++) {
        p->low[k] = fmin(p->low[k], seen[k] - rim);
        p->high[k] = fmax(p->high[k], seen[k] + rim);
    }
    for (int k = 0; k < 3; k++) {
        p->corner[k] = fmin(p->corner[k], x[k] - rim);
        p->far[k] = fmax(p->far[k], x[k] + rim);
    }
}

/* ---- what is seen ------------------------------------------------------------------------------------------------- */

void tl_picture_survey_begin(tl_picture *p)
{
    for (int k = 0; k < 3; k++) p->corner[k] = (double)INFINITY, p->far[k] = -(double)INFINITY;
    for (int k = 0; k < 2; k++) p->low[k] = (double)INFINITY, p->high[k] = -(double)INFINITY;
    p->latest = 0;
}

/* What has an end decides what is seen; half-planes and half-spaces only pass through their points. */
static void include_bodies(tl_picture *p)
{
    double x[3];
    for (int i = 0; i < p->run->shapes; i++) {
        const tl_replay_shape *s = &p->run->shape[i];
        const bool endless = s->kind == REPLAY_HALF_PLANE || s->kind == REPLAY_HALF_SPACE;
        if (!tl_picture_shows(p, s->body)) continue;
        for (int k = 0; k < (endless ? 1 : s->points); k++) {
            tl_replay_to_world(p->frame, s->body, tl_picture_corner(p, s, k), x);
            if (!endless || p->run->dimension == 2) tl_picture_include(p, x, s->radius);
        }
    }
    tl_picture_include_meshes(p);
    for (int i = 0; i < p->skeleton.parts; i++) {
        double end[2][3];
        if (!tl_picture_shows_part(p, &p->skeleton.part[i])) continue;
        tl_part_ends(&p->skeleton.part[i], p->frame, end);
        for (int side = 0; side < 2; side++) tl_picture_include(p, end[side], p->skeleton.part[i].radius);
    }
}

bool tl_picture_survey_add(tl_picture *p, tl_picture_survey *s)
{
    const int n = s->frames++;
    double strongest = 0;
    tl_picture_range range;
    include_bodies(p);
    for (int i = 0; i < p->frame->contacts; i++) strongest = fmax(strongest, p->frame->force[i][0]);
    s->strongest[n] = strongest;
    if (!tl_picture_measure_colours(p, &range)) return false;
    s->value[n] = range.end, s->largest[n] = range.largest;
    s->least = n ? fmin(s->least, range.least) : range.least;
    s->begin = n ? fmin(s->begin, range.begin) : range.begin;
    p->latest = fmax(p->latest, fabs(p->frame->time));
    return true;
}

/* What one in ten exceeds; of fewer than ten the largest. */
static double usual(double *value, int n)
{
    qsort(value, (size_t)n, sizeof *value, tl_rising);
    return n ? value[n - 1 - n / 10] : 0;
}

static void set_scales(tl_picture *p, tl_picture_survey *s)
{
    const talus_picture_def *d = p->def;
    const bool forces = d->colour == TALUS_PICTURE_FORCE;
    double end = s->begin < 0 ? s->begin : 0, largest = end;
    for (int i = 0; i < s->frames; i++) end = fmax(end, s->value[i]), largest = fmax(largest, s->largest[i]);
    if (forces) end = usual(s->value, s->frames);
    const bool given = d->low < d->high;
    p->meaning.low = given ? d->low : s->begin, p->meaning.high = given ? d->high : end;
    p->meaning.below = s->least<p->meaning.low, p->meaning.above = largest> p->meaning.high;
    p->strongest = usual(s->strongest, s->frames);
}

void tl_picture_survey_end(tl_picture *p, tl_picture_survey *s)
{
    set_scales(p, s);
    for (int i = 0; i < p->run->bodies && !(p->low[0] <= p->high[0]); i++)
        if (tl_picture_shows(p, i)) tl_picture_include(p, p->frame->pose[i], 0.5);
    if (!(p->low[0] <= p->high[0])) tl_picture_include(p, (double[3]){0}, 0.5);
    if (p->run->dimension == 3) tl_picture_include_floors(p);
    const double rim = fmax(0.04 * fmax(p->high[0] - p->low[0], p->high[1] - p->low[1]), 1e-9);
    for (int k = 0; k < 2; k++) p->low[k] -= rim, p->high[k] += rim;
}

/* ---- the page ----------------------------------------------------------------------------------------------------- */

/* Size of the page, and where on it things are. The strip needs the scale, which needs the height of the strip: twice round is enough. */
void tl_picture_lay_out(tl_picture *p)
{
    const double wide = p->high[0] - p->low[0], tall = p->high[1] - p->low[1];
    const double given_width = p->def->width, given_height = p->def->height;
    int rows = 1;
    for (int round = 0; round < 3; round++) {
        p->width = given_width > 0 ? given_width : LONGER_SIDE * fmin(1, wide / tall);
        p->unit = (given_width > 0 ? fmax(given_width, given_height) : LONGER_SIDE) / LONGER_SIDE;
        p->width = fmax(p->width, 0.3 * LONGER_SIDE * p->unit); /* room for the texts */
        if (given_width > 0) p->width = given_width;
        p->strip = rows * tl_picture_row(p) + 6 * p->unit;
        p->height = given_height > 0 ? given_height : ceil(fmin(p->width * tall / wide, LONGER_SIDE) + p->strip);
        p->width = ceil(p->width);
        const double room = fmax(p->height - p->strip, 1);
        p->scale = fmin(p->width / wide, room / tall);
        p->left = (p->width - p->scale * (p->low[0] + p->high[0])) / 2;
        p->top = (room + p->scale * (p->low[1] + p->high[1])) / 2;
        const int before = rows;
        rows = tl_picture_strip(p, false);
        if (rows == before) break;
    }
}
