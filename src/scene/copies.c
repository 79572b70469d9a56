/* Which copies of a body in a periodic cell a region may see: those whose distance from its middle allows it. */
#include "scene/copies.h"

#include <math.h>

static double length_of(const talus_world *w, int direction)
{
    double low, high;
    return talus_world_periodic(w, direction, &low, &high) ? high - low : 0;
}

/* A ball about a zone, in the axes of what it moves with. */
static tl_vec3 ball_about(const tl_zone *z, double *radius)
{
    double middle[3] = {0, 0, 0}, half[3] = {0, 0, 0};
    *radius = z->radius;
    if (z->kind == TL_ZONE_BALL) return z->at.p;
    for (int k = 0; k < z->dimension && k < 3; k++) {
        if (z->kind == TL_ZONE_CYLINDER && k < 2) half[k] = z->radius;
        else middle[k] = 0.5 * (z->box.low[k] + z->box.high[k]), half[k] = 0.5 * (z->box.high[k] - z->box.low[k]);
    }
    *radius = sqrt(half[0] * half[0] + half[1] * half[1] + half[2] * half[2]);
    return tl_add(z->at.p, tl_mat3_apply(&z->at.R, tl_load3(middle)));
}

tl_copies tl_copies_of(const talus_world *w, const tl_zone *z, const tl_frame *axes, tl_vec3 x, double reach)
{
    tl_copies c = {.more = true};
    double radius, from[3];
    const tl_vec3 middle = tl_add(axes->p, tl_mat3_apply(&axes->R, ball_about(z, &radius)));
    tl_store3(from, tl_sub(middle, x));
    for (int i = 0; i < 3 && z->kind != TL_ZONE_EVERYWHERE; i++) {
        c.length[i] = length_of(w, i);
        if (!(c.length[i] > 0)) continue;
        c.low[i] = (int)floor((from[i] - radius - reach) / c.length[i]);
        c.high[i] = (int)ceil((from[i] + radius + reach) / c.length[i]);
    }
    if (z->kind != TL_ZONE_EVERYWHERE && talus_world_shear(w, &c.along, &c.across, &c.offset, &c.speed)) { /* as far as any copy across slides */
        const double low = from[c.along] - radius - reach, high = from[c.along] + radius + reach, length = c.length[c.along];
        const double first = c.low[c.across] * c.offset, last = c.high[c.across] * c.offset;
        c.low[c.along] = (int)floor((low - fmax(first, last)) / length);
        c.high[c.along] = (int)ceil((high - fmin(first, last)) / length);
    }
    for (int i = 0; i < 3; i++) c.at[i] = c.low[i];
    return c;
}

bool tl_next_copy(tl_copies *c, tl_vec3 *shift, tl_vec3 *faster)
{
    if (!c->more) return false;
    *shift = tl_v3(c->at[0] * c->length[0], c->at[1] * c->length[1], c->at[2] * c->length[2]);
    (&shift->x)[c->along] += c->at[c->across] * c->offset;
    if (faster) *faster = tl_v3(0, 0, 0), (&faster->x)[c->along] = c->at[c->across] * c->speed;
    int i = 0;
    while (i < 3 && c->at[i] == c->high[i]) c->at[i] = c->low[i], i++;
    c->more = i < 3;
    if (c->more) c->at[i]++;
    return true;
}

tl_vec3 tl_image_of(const talus_world *w, const int image[3])
{
    tl_vec3 shift = tl_v3(image[0] * length_of(w, 0), image[1] * length_of(w, 1), image[2] * length_of(w, 2));
    int along, across;
    double offset, speed;
    if (talus_world_shear(w, &along, &across, &offset, &speed)) (&shift.x)[along] += image[across] * offset;
    return shift;
}

void tl_add_flow(const talus_world *w, const double x[3], double velocity[3])
{
    int along, across;
    double offset, speed, low, high;
    if (!talus_world_shear(w, &along, &across, &offset, &speed) || !talus_world_periodic(w, across, &low, &high)) return;
    velocity[along] += speed * (x[across] - 0.5 * (low + high)) / (high - low);
}

double tl_copies_reach(const talus_world *w)
{
    double most = 0;
    for (int i = 0; i < 3; i++) most = fmax(most, 0.5 * length_of(w, i));
    return most;
}

static tl_vec3 shortest(const talus_world *w, tl_vec3 way)
{
    double d[3];
    tl_store3(d, way);
    for (int i = 0; i < 3; i++) {
        const double length = length_of(w, i);
        if (length > 0) d[i] -= length * floor(d[i] / length + 0.5);
    }
    return tl_load3(d);
}

tl_vec3 tl_shortest_way(const talus_world *w, tl_vec3 way)
{
    int along, across;
    double offset, speed;
    if (!talus_world_shear(w, &along, &across, &offset, &speed)) return shortest(w, way);
    const double from = (&way.x)[across], length = length_of(w, across), middle = floor(from / length + 0.5);
    tl_vec3 best = {0, 0, 0};
    for (int k = -1; k <= 1; k++) { /* copies across that are nearer than the others, each with its nearest one along */
        tl_vec3 d = way;
        (&d.x)[along] -= (middle + k) * offset, (&d.x)[across] = 0;
        d = shortest(w, d);
        (&d.x)[across] = from - (middle + k) * length;
        if (k == -1 || tl_dot(d, d) < tl_dot(best, best)) best = d;
    }
    return best;
}

enum { AHEAD = 1 << 20 }; /* cells: so that the number is never negative */

double tl_planes_passed(const talus_world *w, tl_vec3 n, double s)
{
    double normal[3], size = tl_norm(n);
    tl_store3(normal, n);
    for (int i = 0; i < 3; i++)
        if (length_of(w, i) > 0 && fabs(normal[i]) >= (1 - 1e-12) * size) return AHEAD + floor(s / (size * length_of(w, i))) + 1;
    return s > 0 ? 1 : 0;
}
