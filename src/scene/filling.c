/* The generator `fill`: grains bottom up, row by row, each at the first place where it overlaps nothing. A grain that does not fit waits for a place: sizes
 * stay as they were drawn. Along a row a grain goes from obstacle to obstacle: from another grain to where it touches that no more, from a wall by as much as
 * is missing, for no distance changes faster than the place. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/math.h"
#include "scene/filling.h"
#include "scene/solids.h"

enum { PARTS = 16, MOST_GRAINS = 5000000 };

static const double SLACK = 1e-3; /* of the radius: between grains, and to walls */
static const double FARTHER = 8;  /* roundings of a place, which the next is farther at least */

typedef struct filling {
    tl_builder *b;
    const tl_node *node;
    const talus_world *settled;
    tl_room room;
    tl_vessel vessel;
    talus_world *inside; /* its only body is the region; NULL: there is none */
    /* kinds of a mixture, what of the mass each is to have, and has */
    tl_grain_kind *kind;
    double share[PARTS], mass[PARTS], least, most, total;
    int kinds, placed, wanted;
    double wanted_mass;
    /* balls around the grains, by cells about as wide as the largest */
    struct ball {
        double x[3], r;
        int next;
    } * ball;
    int balls, ball_room, cells[3], *head;
    double cell, largest; /* ball */
    /* of a periodic cell: its lengths, 0 where it is not periodic; where the region is as long as the cell, so that grains reach through its ends; of a sheared
     * one how far along the next copy across is, less whole cells */
    double length[3], offset;
    bool around[3];
    int along, across;
    /* what is known of clearances, by coarser cells */
    int coarse_cells[3];
    double coarse;
    float *known;
} filling;

static talus_status wrong(filling *f, const tl_node *node, const char *text)
{
    tl_mistake_key(&f->b->scene->mistakes, TALUS_INPUT, node, "%s", text);
    return TALUS_INPUT;
}

/* ---- balls ---------------------------------------------------------------------------------------------------------- */

static int cell_of(const filling *f, int axis, double x)
{
    const double c = floor((x - f->room.low[axis]) / f->cell);
    return axis >= f->room.dimension ? 0 : (int)fmin(f->cells[axis] - 1, fmax(0, c));
}

/* The copies of a point one after the other, from `image` all zero: those in cells beside it, and two beside it along a sheared cell. False: there are no
 * more. */
static bool next_image(const filling *f, int image[3])
{
    for (int c = 0; c < 3; c++) {
        const int most = !(f->length[c] > 0) ? 0 : f->offset != 0 && c == f->along ? 2 : 1;
        image[c] = image[c] > 0 ? -image[c] : 1 - image[c]; /* 0, 1, −1, 2, −2 */
        if (image[c] <= most) return true;
        image[c] = 0;
    }
    return false;
}

static void copy_of(const filling *f, const double x[3], const int image[3], double out[3])
{
    for (int c = 0; c < 3; c++) out[c] = x[c] + image[c] * f->length[c];
    if (f->offset != 0) out[f->along] += image[f->across] * f->offset;
}

/* The copy that is in the cell which begins where the room does. */
static void wrap(const filling *f, double x[3])
{
    for (int turn = 0; turn < 3; turn++) {
        const int c = (f->across + turn) % 3;
        if (!(f->length[c] > 0)) continue;
        const double cells = -floor((x[c] - f->room.low[c]) / f->length[c]);
        x[c] += cells * f->length[c];
        if (f->offset != 0 && c == f->across) x[f->along] += cells * f->offset;
    }
}

static talus_status add_ball(filling *f, const double at[3], double r)
{
    double x[3] = {at[0], at[1], at[2]};
    wrap(f, x);
    if (tl_grow(tl_memory_default(), &f->ball, &f->ball_room, f->balls + 1, sizeof *f->ball) != TALUS_OK) return TALUS_MEMORY;
    int *head = &f->head[(cell_of(f, 2, x[2]) * f->cells[1] + cell_of(f, 1, x[1])) * f->cells[0] + cell_of(f, 0, x[0])];
    f->ball[f->balls] = (struct ball){{x[0], x[1], x[2]}, r, *head};
    *head = f->balls++;
    f->largest = fmax(f->largest, r);
    return TALUS_OK;
}

/* How far to go along an axis from x until the ball touches none of those that it overlaps there. */
static double way_past_copies(const filling *f, const double x[3], double r, int along)
{
    const double window = (r + f->largest) * (1 + SLACK);
    double way = 0;
    int low[3], high[3];
    for (int c = 0; c < 3; c++)
        if (f->length[c] > 0 && (x[c] + window < f->room.low[c] || x[c] - window > f->room.low[c] + f->length[c])) return 0;
    for (int c = 0; c < 3; c++) low[c] = cell_of(f, c, x[c] - window), high[c] = cell_of(f, c, x[c] + window);
    for (int k = low[2]; k <= high[2]; k++)
        for (int j = low[1]; j <= high[1]; j++)
            for (int i = low[0]; i <= high[0]; i++)
                for (int n = f->head[(k * f->cells[1] + j) * f->cells[0] + i]; n >= 0; n = f->ball[n].next) {
                    const struct ball *o = &f->ball[n];
                    const tl_vec3 d = tl_sub(tl_load3(o->x), tl_load3(x));
                    const double reach = (r + o->r) * (1 + SLACK), ahead = o->x[along] - x[along], across = tl_dot(d, d) - ahead * ahead;
                    if (ahead * ahead + across >= reach * reach) continue;
                    way = fmax(way, ahead + sqrt(reach * reach - across) + 1e-12 * reach);
                }
    return way;
}

/* The same for all copies of the ball: 0, none overlaps anything. */
static double way_past_balls(const filling *f, const double x[3], double r, int along)
{
    int image[3] = {0};
    double way = way_past_copies(f, x, r, along), copy[3];
    while (next_image(f, image)) {
        copy_of(f, x, image, copy);
        way = fmax(way, way_past_copies(f, copy, r, along));
    }
    return way;
}

/* Bodies that were made after those of the settled world are grains of groups before this one. */
static talus_status add_earlier_grains(filling *f)
{
    const talus_world *w = f->b->world;
    for (int i = talus_body_count(f->settled); i < talus_body_count(w); i++) {
        const double big = (double)INFINITY;
        double low[3] = {big, big, big}, high[3] = {-big, -big, -big}, x[3], q[4], r = 0;
        talus_body_pose(w, talus_body_at(w, i), x, q);
        if (!tl_extents(w, talus_body_at(w, i), low, high)) continue;
        for (int c = 0; c < f->room.dimension; c++) r = fmax(r, fmax(high[c] - x[c], x[c] - low[c]));
        talus_shape_def d;
        talus_body_shape(w, talus_body_at(w, i), 0, &d);
        const bool round = talus_body_shape_count(w, talus_body_at(w, i)) == 1 && (d.kind == TALUS_SHAPE_DISK || d.kind == TALUS_SHAPE_SPHERE);
        if (!round) r *= f->room.dimension == 2 ? sqrt(2) : sqrt(3); /* a box around it is all that is known */
        TL_TRY(add_ball(f, x, r));
    }
    return TALUS_OK;
}

static talus_status make_coarse_cells(filling *f)
{
    size_t count = 1;
    f->coarse = 0.7 * f->most;
    for (int c = 0; c < 3; c++) {
        f->coarse_cells[c] = c < f->room.dimension ? (int)ceil((f->room.high[c] - f->room.low[c]) / f->coarse) : 1;
        if (f->coarse_cells[c] < 1) f->coarse_cells[c] = 1;
        count *= (size_t)f->coarse_cells[c];
    }
    f->known = malloc(count * sizeof *f->known);
    for (size_t i = 0; f->known && i < count; i++) f->known[i] = (float)NAN;
    return f->known ? TALUS_OK : TALUS_MEMORY;
}

static talus_status make_cells(filling *f)
{
    size_t count = 1;
    f->cell = 2 * f->most;
    for (int c = 0; c < 3; c++) {
        const double n = c < f->room.dimension ? ceil((f->room.high[c] - f->room.low[c]) / f->cell) : 1;
        if (n * (double)count > 2.0 * MOST_GRAINS) return wrong(f, f->node, "the region is too large for grains of this size; more than ten million would fit");
        f->cells[c] = n < 1 ? 1 : (int)n;
        count *= (size_t)f->cells[c];
    }
    f->head = malloc(count * sizeof *f->head);
    if (!f->head) return TALUS_MEMORY;
    for (size_t i = 0; i < count; i++) f->head[i] = -1;
    TL_TRY(make_coarse_cells(f));
    return add_earlier_grains(f);
}

/* ---- where ----------------------------------------------------------------------------------------------------------- */

/* Distance from a point to walls, and to the end of the region, where it is less than `within`. */
static double clearance(const filling *f, const double x[3], double within)
{
    int image[3] = {0};
    double free = tl_clearance(f->settled, x, within), copy[3];
    while (next_image(f, image)) {
        copy_of(f, x, image, copy);
        free = fmin(free, tl_clearance(f->settled, copy, within));
    }
    return f->inside ? fmin(free, -talus_body_distance(f->inside, talus_body_at(f->inside, 0), x, (double)INFINITY)) : free;
}

/* Bounds of the clearance, from that of the middle of a coarse cell, which is reckoned when it is first asked for. */
static void bound_clearance(filling *f, const double x[3], double *least, double *most)
{
    int cell[3] = {0};
    double middle[3] = {0}, square = 0;
    for (int c = 0; c < f->room.dimension; c++) {
        cell[c] = (int)fmin(f->coarse_cells[c] - 1, fmax(0, floor((x[c] - f->room.low[c]) / f->coarse)));
        middle[c] = f->room.low[c] + (cell[c] + 0.5) * f->coarse;
        square += (x[c] - middle[c]) * (x[c] - middle[c]);
    }
    float *known = &f->known[((size_t)cell[2] * (size_t)f->coarse_cells[1] + (size_t)cell[1]) * (size_t)f->coarse_cells[0] + (size_t)cell[0]];
    const double far = 4 * f->most;
    if (isnan(*known)) *known = (float)clearance(f, middle, far);
    const double grain = 1e-6 * (fabs((double)*known) + f->most); /* it is kept as a float */
    *least = (double)*known - sqrt(square) - grain;
    *most = (double)*known >= far * (1 - 1e-6) ? (double)INFINITY : (double)*known + sqrt(square) + grain;
}

/* How far the ball must go at least until it can be clear of walls, within the region and the vessel: 0, it is. */
static double way_past_walls(filling *f, const double x[3], double r)
{
    const double want = r * (1 + SLACK), step = 0.1 * r;
    double least, most;
    bound_clearance(f, x, &least, &most);
    if (most < want) return fmax(want - most, step);
    if (least < want) {
        const double free = clearance(f, x, want);
        if (free < want) return fmax(want - free, step);
    }
    double top[3] = {x[0], x[1], x[2]};
    top[f->room.up] += f->room.sense * r;
    return tl_vessel_holds(&f->vessel, &f->room, x, top) ? 0 : 0.5 * f->vessel.size;
}

/* A body of the shapes under `inside`, in a world of its own. */
static talus_status make_inside(filling *f, const tl_node *shapes)
{
    const tl_node *materials = tl_node_get(f->b->scene->root, "materials");
    talus_world_def d = talus_world_def_default();
    talus_body_def body = talus_body_def_default();
    talus_material_def material = talus_material_def_default();
    talus_material_id id;
    tl_builder own = *f->b;
    tl_node any = {.kind = NODE_SCALAR, .file = shapes->file, .text = ""};
    tl_owner owner = {.material = &any, .at = {{0, 0, 0}, tl_mat3_identity()}};
    char message[1024];
    d.dimension = f->room.dimension;
    body.kind = TALUS_BODY_FIXED;
    if (talus_world_create(&d, &f->inside, message, sizeof message) != TALUS_OK) return TALUS_MEMORY;
    own.world = f->inside;
    for (int i = 0; materials && materials->kind == NODE_MAP && i < materials->count; i++) {
        TL_TRY(tl_build_check(&own, talus_material_create(f->inside, &material, &id), shapes));
        any.text = materials->item[i]->key;
    }
    TL_TRY(tl_build_check(&own, talus_body_create(f->inside, &body, &owner.body), shapes));
    return tl_build_shape_list(&own, shapes, &owner);
}

/* Which way is up: against the largest component of gravity; along y, in space along z, without any. */
static void find_up(filling *f)
{
    double g[3] = {0};
    int up = f->room.dimension - 1;
    tl_vector(f->b, tl_node_get(f->b->scene->root, "gravity"), "m/s^2", g);
    for (int c = 0; c < f->room.dimension; c++)
        if (fabs(g[c]) > fabs(g[up])) up = c;
    f->room.up = up;
    f->room.sense = g[up] > 0 ? -1 : 1;
}

static void limit(tl_room *room, const double low[3], const double high[3])
{
    for (int c = 0; c < 3; c++) room->low[c] = fmax(room->low[c], low[c]), room->high[c] = fmin(room->high[c], high[c]);
}

static talus_status read_vessel(filling *f, const tl_node *names)
{
    const int count = names->kind == NODE_LIST ? names->count : 1;
    const double big = (double)INFINITY;
    double low[3] = {big, big, big}, high[3] = {-big, -big, -big};
    talus_body_id *body = calloc((size_t)count + 1, sizeof *body);
    bool bounded = false;
    if (!body) return TALUS_MEMORY;
    for (int i = 0; i < count; i++) {
        const tl_node *name = names->kind == NODE_LIST ? names->item[i] : names;
        body[i] = talus_body_find(f->settled, name->text);
        bounded = tl_extents(f->settled, body[i], low, high) || bounded;
    }
    talus_status status = bounded ? TALUS_OK : wrong(f, names, "a vessel has walls that end somewhere; these bodies have none");
    if (status == TALUS_OK) {
        limit(&f->room, low, high);
        tl_room whole = f->room;
        for (int c = 0; c < 3; c++) whole.low[c] = low[c], whole.high[c] = high[c];
        status = tl_vessel_make(&f->vessel, f->settled, body, count, 0.98 * f->least, &whole);
    }
    free(body);
    return status;
}

static talus_status read_cell(filling *f)
{
    const talus_world *w = f->b->world;
    double speed, low, high;
    if (talus_world_shear(w, &f->along, &f->across, &f->offset, &speed) && talus_world_periodic(w, f->along, &low, &high))
        f->offset = remainder(f->offset, high - low);
    for (int c = 0; c < f->room.dimension; c++) {
        if (!talus_world_periodic(w, c, &low, &high)) continue;
        f->length[c] = high - low;
        const double more = f->room.high[c] - f->room.low[c] - f->length[c];
        if (more > 1e-9 * f->length[c]) return wrong(f, f->node, "what is to be filled is longer than the periodic cell: it would be filled twice");
        f->around[c] = more >= -1e-9 * f->length[c];
    }
    return TALUS_OK;
}

static talus_status read_room(filling *f)
{
    const tl_node *region = tl_node_get(f->node, "region"), *inside = tl_node_get(f->node, "inside"), *vessel = tl_node_get(f->node, "vessel");
    const tl_node *level = tl_node_get(f->node, "level");
    const double big = (double)INFINITY;
    f->room = (tl_room){.dimension = talus_world_dimension(f->b->world), .low = {-big, -big, -big}, .high = {big, big, big}};
    find_up(f);
    if (region && (region->kind != NODE_LIST || region->count != 2)) return wrong(f, region, "a region has two corners");
    if (!region && !inside && !vessel) return wrong(f, f->node, "what is to be filled? give a 'region' (two corners), a shape 'inside' which, or a 'vessel'");
    if (region) {
        double a[3] = {0}, c[3] = {0}, low[3], high[3];
        tl_vector(f->b, region->item[0], "m", a);
        tl_vector(f->b, region->item[1], "m", c);
        for (int k = 0; k < 3; k++) low[k] = fmin(a[k], c[k]), high[k] = fmax(a[k], c[k]);
        limit(&f->room, low, high);
    }
    if (inside) {
        double low[3] = {big, big, big}, high[3] = {-big, -big, -big};
        TL_TRY(make_inside(f, inside));
        if (tl_extents(f->inside, talus_body_at(f->inside, 0), low, high)) limit(&f->room, low, high);
    }
    if (vessel) TL_TRY(read_vessel(f, vessel));
    if (level) {
        const double at = tl_quantity(f->b->r, level, "m", 0, false);
        double *end = f->room.sense > 0 ? f->room.high : f->room.low;
        end[f->room.up] = f->room.sense > 0 ? fmin(end[f->room.up], at) : fmax(end[f->room.up], at);
    }
    for (int c = 0; c < f->room.dimension; c++) {
        if (!(f->room.low[c] < f->room.high[c])) return wrong(f, f->node, "the region, the shape inside which and the vessel have nothing in common");
        if (!isfinite(f->room.low[c]) || !isfinite(f->room.high[c])) return wrong(f, f->node, "what is to be filled has no end; give a 'region' too");
    }
    if (f->room.dimension == 2) f->room.low[2] = f->room.high[2] = 0;
    return read_cell(f);
}

/* ---- what ------------------------------------------------------------------------------------------------------------ */

static talus_status read_kinds(filling *f)
{
    const tl_node *mixture = tl_node_get(f->node, "mixture");
    const uint64_t seed = (uint64_t)tl_quantity(f->b->r, tl_node_get(f->node, "seed"), "", 1, false);
    double all = 0;
    f->kinds = mixture && mixture->kind == NODE_LIST ? mixture->count : 1;
    if (f->kinds < 1 || f->kinds > PARTS) return wrong(f, mixture, "a mixture has 1 to 16 parts");
    f->kind = calloc((size_t)f->kinds, sizeof *f->kind);
    if (!f->kind) return TALUS_MEMORY;
    f->least = (double)INFINITY;
    for (int i = 0; i < f->kinds; i++) {
        const tl_node *part = mixture ? mixture->item[i] : f->node;
        double least, most;
        TL_TRY(tl_grain_read(f->b, part, mixture ? f->node : NULL, &f->kind[i]));
        if (i > 0) f->kind[i].random = tl_random_seed(seed + 1000003 * (uint64_t)i); /* parts are not drawn alike */
        TL_TRY(tl_grain_sample(f->b, &f->kind[i], &least, &most));
        f->least = fmin(f->least, least), f->most = fmax(f->most, most);
        f->share[i] = mixture ? tl_quantity(f->b->r, tl_node_get(part, "share"), "", 1, false) : 1;
        all += f->share[i];
    }
    for (int i = 0; i < f->kinds; i++) f->share[i] /= all;
    f->wanted = (int)tl_quantity(f->b->r, tl_node_get(f->node, "count"), "", 0, false);
    f->wanted_mass = tl_quantity(f->b->r, tl_node_get(f->node, "mass"), "kg", 0, false);
    return TALUS_OK;
}

/* The part of the mixture that lacks most of its share. */
static int next_kind(const filling *f)
{
    int best = 0;
    for (int i = 1; i < f->kinds; i++)
        if (f->share[i] * f->total - f->mass[i] > f->share[best] * f->total - f->mass[best]) best = i;
    for (int i = 0; i < f->kinds && f->total == 0; i++)
        if (f->share[i] > f->share[best]) best = i;
    return best;
}

static talus_status put(filling *f, int kind, const double x[3])
{
    tl_grain_kind *k = &f->kind[kind];
    TL_TRY(tl_grain_add(f->b, k, x));
    TL_TRY(add_ball(f, x, k->reach));
    const double mass = talus_body_mass(f->b->world, talus_body_at(f->b->world, talus_body_count(f->b->world) - 1));
    f->mass[kind] += mass, f->total += mass;
    f->placed++;
    if (!(mass > 0) && (f->kinds > 1 || f->wanted_mass > 0)) return wrong(f, f->node, "a mass takes a density: give the grains' material one");
    return f->placed <= MOST_GRAINS ? TALUS_OK : wrong(f, f->node, "more than five million grains; give a 'count', or fill less");
}

static bool is_done(const filling *f) { return (f->wanted > 0 && f->placed >= f->wanted) || (f->wanted_mass > 0 && f->total >= f->wanted_mass); }

/* ---- rows ------------------------------------------------------------------------------------------------------------ */

/* One row along the first axis: across at y (space), with the bottoms of grains at `bottom`. */
static talus_status fill_row(filling *f, int along, int across, double y, double bottom, int *kind)
{
    const tl_room *room = &f->room;
    tl_random *random = &f->kind[0].random;
    double place = room->low[along] + tl_random_uniform(random, 0, 0.5 * f->least); /* of the grain's near end */
    while (!is_done(f)) {
        const double r = f->kind[*kind].reach;
        double x[3] = {0};
        x[along] = place + r, x[room->up] = bottom + room->sense * r;
        if (across >= 0) x[across] = y;
        if (x[along] + (f->around[along] ? 0 : r) > room->high[along]) break;
        if (across >= 0 && !f->around[across] && (y - r < room->low[across] || y + r > room->high[across])) break;
        if (!f->around[room->up] && (x[room->up] + r > room->high[room->up] || x[room->up] - r < room->low[room->up])) break;
        double way = way_past_balls(f, x, r, along);
        if (!(way > 0)) way = way_past_walls(f, x, r);
        if (way > 0) {
            place += fmax(way, FARTHER * DBL_EPSILON * fabs(place)); /* far from the origin a way of rounding is none */
            continue;
        }
        TL_TRY(put(f, *kind, x));
        place += 2 * r * (1 + SLACK);
        *kind = next_kind(f);
        TL_TRY(tl_grain_draw(f->b, &f->kind[*kind], 0));
    }
    return TALUS_OK;
}

static talus_status fill_levels(filling *f)
{
    const tl_room *room = &f->room;
    const int along = room->up == 0 ? 1 : 0, across = room->dimension == 3 ? 3 - room->up - along : -1;
    const double step = fmax(0.2 * f->least, 0.05 * f->most), height = room->high[room->up] - room->low[room->up];
    int kind = next_kind(f);
    TL_TRY(tl_grain_draw(f->b, &f->kind[kind], 0));
    for (double h = 0; h + (f->around[room->up] ? 0 : 2 * f->least) <= height && !is_done(f); h += step) {
        const double bottom = room->sense > 0 ? room->low[room->up] + h : room->high[room->up] - h;
        const double first = across >= 0 ? room->low[across] + tl_random_uniform(&f->kind[0].random, 0, step) : 0, last = across >= 0 ? room->high[across] : 0;
        for (double y = first; y <= last && !is_done(f); y += step) TL_TRY(fill_row(f, along, across, y, bottom, &kind));
    }
    return TALUS_OK;
}

static talus_status say_what_is_missing(filling *f)
{
    const tl_node *count = tl_node_get(f->node, "count"), *mass = tl_node_get(f->node, "mass"), *vessel = tl_node_get(f->node, "vessel");
    tl_mistakes *m = &f->b->scene->mistakes;
    if (is_done(f) || (f->placed > 0 && !count && !mass)) return TALUS_OK;
    if (f->placed == 0 && vessel)
        return wrong(f, vessel,
                     "nothing stays in this vessel: grains of this size have a way out at its bottom, or do not fit in; name "
                     "what closes it too");
    if (f->placed == 0) return wrong(f, f->node, "not one grain fits into what is to be filled");
    if (count) tl_mistake_key(m, TALUS_INPUT, count, "only %d of the %d grains fit; enlarge what is to be filled, or ask for fewer", f->placed, f->wanted);
    else tl_mistake_key(m, TALUS_INPUT, mass, "only %.4g kg of the %.4g kg fit; enlarge what is to be filled, or ask for less", f->total, f->wanted_mass);
    return TALUS_INPUT;
}

talus_status tl_build_filling(tl_builder *b, const tl_node *node, const talus_world *settled)
{
    filling f = {.b = b, .node = node, .settled = settled};
    talus_status status = read_kinds(&f);
    if (status == TALUS_OK) status = read_room(&f);
    if (status == TALUS_OK) status = make_cells(&f);
    if (status == TALUS_OK) status = fill_levels(&f);
    if (status == TALUS_OK) status = say_what_is_missing(&f);
    tl_vessel_free(&f.vessel);
    talus_world_destroy(f.inside);
    tl_free(tl_memory_default(), f.ball);
    free(f.kind), free(f.head), free(f.known);
    return status;
}
