/* Domains (domains.h): grains in order along a curve that fills space, cut into runs of the same length. */
#include "solve/domains.h"

#include <float.h>
#include <math.h>

#include "base/curve.h"
#include "base/integers.h"
#include "solve/problem.h"

/* Velocities and contacts of 32 000 grains are in the third cache all the time, and their colours are long enough for all threads. Beyond, a sweep over 200 000
 * spheres takes three quarters of the time with domains, of 1000 grains as of 4000; smaller ones leave more lanes of packs empty. */
enum {
    GRAINS = 2000, /* of a domain */
    LEAST = 16,    /* domains */
    BITS = 10,     /* of a coordinate along the curve */
    DIGIT = 10     /* bits that are put in order at a time */
};

static const double FAR = 3; /* Deviations from the mean place beyond which a grain says nothing of where the others are: some fly away. */

/* Places of grains [count], and where most of them are. */
typedef struct places {
    tl_keyed *grain; /* [count] numbers; then their keys */
    tl_vec3 *at;     /* [bodies] */
    int count;
} places;

static talus_status find_places(const tl_problem *p, tl_step *step, int *of, places *out)
{
    *out = (places){.grain = tl_arena_alloc(step->arena, (size_t)p->bodies, sizeof *out->grain),
                    .at = tl_arena_alloc(step->arena, (size_t)p->bodies, sizeof *out->at)};
    if (!out->grain || !out->at) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d bodies", p->bodies);
    for (int i = 0; i < p->contacts; i++) {
        const tl_contact *c = &p->contact[i];
        if (!tl_is_packed(p, c)) continue;
        for (int side = 0; side < 2; side++) {
            const int body = side ? c->b.item : c->a.item;
            if (!p->moves[body] || of[body] >= 0) continue;
            of[body] = 0;
            out->at[body] = c->point;
            out->grain[out->count++].number = body;
        }
    }
    return TALUS_OK;
}

/* A cube: its centre and half its edge. */
typedef struct cube {
    tl_vec3 centre;
    double reach;
} cube;

static bool is_in(const cube *c, tl_vec3 at)
{
    const tl_vec3 d = tl_sub(at, c->centre);
    return fabs(d.x) <= c->reach && fabs(d.y) <= c->reach && fabs(d.z) <= c->reach; /* not where a place is no number */
}

/* FAR deviations about the mean place of those that are in another cube. */
static cube about(const places *p, const cube *other)
{
    tl_vec3 sum = tl_v3(0, 0, 0), squares = tl_v3(0, 0, 0);
    int count = 0;
    for (int i = 0; i < p->count; i++) {
        const tl_vec3 at = p->at[p->grain[i].number];
        if (is_in(other, at)) sum = tl_add(sum, at), count++;
    }
    const tl_vec3 mean = tl_scale(1.0 / (count > 0 ? count : 1), sum);
    for (int i = 0; i < p->count; i++) {
        const tl_vec3 at = p->at[p->grain[i].number], d = tl_sub(at, mean);
        if (is_in(other, at)) squares = tl_add(squares, tl_v3(d.x * d.x, d.y * d.y, d.z * d.z));
    }
    return (cube){mean, fmax(FAR * sqrt(fmax(fmax(squares.x, squares.y), squares.z) / (count > 0 ? count : 1)), DBL_MIN)};
}

/* What is outside counts as at the rim. */
static void find_keys(places *p)
{
    cube c = {tl_v3(0, 0, 0), DBL_MAX};
    for (int turn = 0; turn < 2; turn++) c = about(p, &c); /* without what is far away, even when that is very far */
    for (int i = 0; i < p->count; i++) {
        const tl_vec3 d = tl_scale(0.5 / c.reach, tl_sub(p->at[p->grain[i].number], c.centre));
        p->grain[i].key = tl_curve_key((double[3]){0.5 + d.x, 0.5 + d.y, 0.5 + d.z}, BITS);
    }
}

/* By keys, digit by digit from the last: what has the same key stays in its order. Returns where the result is, in one of the two. */
static tl_keyed *sort(tl_keyed *from, tl_keyed *to, int count)
{
    for (int shift = 0; shift < 3 * BITS; shift += DIGIT) {
        int begin[(1 << DIGIT) + 1] = {0};
        const uint64_t mask = (1 << DIGIT) - 1;
        for (int i = 0; i < count; i++) begin[(from[i].key >> shift & mask) + 1]++;
        for (int k = 0; k < 1 << DIGIT; k++) begin[k + 1] += begin[k];
        for (int i = 0; i < count; i++) to[begin[from[i].key >> shift & mask]++] = from[i];
        tl_keyed *swap = from;
        from = to, to = swap;
    }
    return from;
}

static talus_status find(const tl_problem *p, tl_step *step, tl_domains *out)
{
    places at;
    TL_TRY(find_places(p, step, out->of, &at));
    out->count = at.count / GRAINS;
    if (out->count < LEAST) {
        *out = (tl_domains){0};
        return TALUS_OK;
    }
    tl_keyed *room = tl_arena_alloc(step->arena, (size_t)at.count, sizeof *room);
    if (!room) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d bodies", at.count);
    find_keys(&at);
    const tl_keyed *grain = sort(at.grain, room, at.count);
    for (int i = 0; i < at.count; i++) out->of[grain[i].number] = (int)((int64_t)i * out->count / at.count);
    return TALUS_OK;
}

talus_status tl_domains_find(const tl_problem *p, tl_step *step, tl_domains *out)
{
    *out = (tl_domains){0};
    if (p->bodies < LEAST * GRAINS) return TALUS_OK;
    out->of = tl_arena_alloc(step->arena, (size_t)p->bodies + 1, sizeof *out->of);
    if (!out->of) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d bodies", p->bodies);
    for (int i = 0; i <= p->bodies; i++) out->of[i] = -1;
    const tl_arena_place mark = tl_arena_mark(step->arena);
    const talus_status status = find(p, step, out);
    tl_arena_release(step->arena, mark);
    return status;
}
