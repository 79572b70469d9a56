/* Grains that come and go. A source has a pool of grains that are absent until it puts them into its region, where there is room; a sink makes grains
 * absent that come into its region; those of a source come again. What they have done is part of the world's state. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "scene/build.h"
#include "scene/copies.h"

enum {
    TRIES = 50,
    SOURCE_CREDIT = 0,
    SOURCE_NEXT,
    SOURCE_DRAWS,
    SOURCE_WARNED,
    SOURCE_NUMBER,
    SOURCE_MASS,
    SOURCE_SUMS,
    SINK_NUMBER = 0,
    SINK_MASS,
    SINK_SUMS
};

static double *memory_of(const talus_world *w, const char *what, int number)
{
    char name[64];
    snprintf(name, sizeof name, "%s.%d/sums", what, number);
    return talus_state_data(w, name);
}

static talus_status add_memory(tl_builder *b, const char *what, int number, int count, const char *meaning, const tl_node *node)
{
    char name[64];
    snprintf(name, sizeof name, "%s.%d/sums", what, number);
    const talus_field shape = {name, "1", meaning, TALUS_FIELD_DOUBLE, 1, (size_t)count, NULL};
    return tl_build_check(b, talus_state_add(b->world, &shape), node);
}

/* ---- reading ------------------------------------------------------------------------------------------------------ */

static bool is_source(const tl_node *grains) { return strcmp(tl_word(grains, "generator", ""), "source") == 0; }

bool tl_exchange_changes(const tl_builder *b, const char *group)
{
    const tl_node *grains = tl_node_get(b->scene->root, "grains"), *sinks = tl_node_get(b->scene->root, "sinks");
    if (group && is_source(tl_node_get(grains, group))) return true;
    for (int i = 0; sinks && sinks->kind == NODE_MAP && i < sinks->count; i++) {
        const char *of = tl_word(sinks->item[i], "grains", "all");
        if (strcmp(of, "all") == 0 || (group && strcmp(of, group) == 0)) return true;
    }
    return false;
}

talus_status tl_build_source_place(tl_builder *b, const tl_node *node, double centre[3], int *count)
{
    tl_zone zone;
    *count = (int)tl_quantity(b->r, tl_node_get(node, "count"), "", 0, false);
    if (!tl_node_get(node, "region") || *count < 1) {
        tl_mistake_key(&b->scene->mistakes, TALUS_INPUT, node, "a source needs a region, and a count: how many grains there can be at a time");
        return TALUS_INPUT;
    }
    TL_TRY(tl_build_zone(b, tl_node_get(node, "region"), &zone));
    double middle[3] = {0};
    for (int k = 0; k < 3 && zone.kind == TL_ZONE_BOX; k++) middle[k] = 0.5 * (zone.box.low[k] + zone.box.high[k]);
    tl_store3(centre, tl_add(zone.at.p, tl_mat3_apply(&zone.at.R, tl_load3(middle))));
    return TALUS_OK;
}

static talus_status read_source(tl_builder *b, const tl_node *node, int group, tl_source *s)
{
    const tl_node *rate = tl_node_get(node, "rate"), *mass_rate = tl_node_get(node, "mass_rate");
    *s = (tl_source){.name = node->key, .group = group, .seed = (uint64_t)tl_quantity(b->r, tl_node_get(node, "seed"), "", 1, false)};
    TL_TRY(tl_build_zone(b, tl_node_get(node, "region"), &s->zone));
    tl_vector(b, tl_node_get(node, "velocity"), "m/s", s->velocity);
    s->rate = tl_quantity(b->r, rate, "Hz", 0, false);
    s->mass_rate = tl_quantity(b->r, mass_rate, "kg/s", 0, false);
    s->from = tl_quantity(b->r, tl_node_get(node, "begin"), "s", 0, false);
    s->until = tl_quantity(b->r, tl_node_get(node, "end"), "s", (double)INFINITY, false);
    if (!rate == !mass_rate) {
        tl_mistake_key(&b->scene->mistakes, TALUS_INPUT, node, "a source has either a 'rate', grains per time, or a 'mass_rate'");
        return TALUS_INPUT;
    }
    return add_memory(b, "source", group, SOURCE_SUMS, "credit [grains or kg], next grain of the pool, draws, warned; number and mass [kg] so far", node);
}

static talus_status read_sink(tl_builder *b, const tl_node *node, int number, tl_sink *s)
{
    const tl_node *group = tl_node_get(node, "grains"), *region = tl_node_get(node, "region");
    *s = (tl_sink){.name = node->key, .group = !group || strcmp(group->text, "all") == 0 ? -1 : tl_build_group_named(b, group)};
    if (!region) return TALUS_INPUT; /* said already */
    TL_TRY(tl_build_zone(b, region, &s->zone));
    TL_TRY(tl_build_frame(b, tl_node_get(node, "frame"), &s->frame));
    return add_memory(b, "sink", number, SINK_SUMS, "number and mass [kg] of the grains that it took", node);
}

talus_status tl_build_exchange(tl_builder *b)
{
    talus_scene *s = b->scene;
    const tl_node *grains = tl_node_get(s->root, "grains"), *sinks = tl_node_get(s->root, "sinks");
    const int groups = grains && grains->kind == NODE_MAP ? grains->count : 0, sink_count = sinks && sinks->kind == NODE_MAP ? sinks->count : 0;
    s->sources = tl_arena_zero(s->arena, (size_t)groups + 1, sizeof *s->sources);
    s->sinks = tl_arena_zero(s->arena, (size_t)sink_count + 1, sizeof *s->sinks);
    if (!s->sources || !s->sinks) return TALUS_MEMORY;
    s->source_count = s->sink_count = 0;
    for (int i = 0; i < groups; i++)
        if (is_source(grains->item[i])) TL_TRY(read_source(b, grains->item[i], i, &s->sources[s->source_count++]));
    for (int i = 0; i < sink_count; i++) TL_TRY(read_sink(b, sinks->item[i], i, &s->sinks[s->sink_count++]));
    return TALUS_OK;
}

/* Distance of the farthest point of a body from its origin; half-planes and the like have none. */
static double reach_of(const talus_world *w, talus_body_id body)
{
    double corner[TALUS_HULL_POINTS][3], reach = 0;
    for (int k = 0; k < talus_body_shape_count(w, body); k++) {
        talus_shape_def shape;
        talus_body_shape(w, body, k, &shape);
        const int count = shape.kind == TALUS_SHAPE_HALF_PLANE ? 0 : talus_body_corners(w, body, k, corner, TALUS_HULL_POINTS);
        for (int i = 0; i < count && i < TALUS_HULL_POINTS; i++) reach = fmax(reach, shape.radius + tl_norm(tl_load3(corner[i])));
    }
    return reach;
}

talus_status tl_build_reach(tl_builder *b)
{
    talus_scene *s = b->scene;
    const int bodies = talus_body_count(b->world);
    if (s->source_count == 0) return TALUS_OK;
    s->reach = tl_arena_zero(s->arena, (size_t)bodies + 1, sizeof *s->reach);
    if (!s->reach) return TALUS_MEMORY;
    for (int i = 0; i < bodies; i++) s->reach[i] = reach_of(b->world, talus_body_at(b->world, i));
    return TALUS_OK;
}

/* ---- sinks -------------------------------------------------------------------------------------------------------- */

static talus_status drain(const talus_scene *s, talus_world *w, int number)
{
    const tl_sink *sink = &s->sinks[number];
    double *sums = memory_of(w, "sink", number);
    const tl_group all = {"all", 0, talus_body_count(w)}, *g = sink->group < 0 ? &all : &s->groups[sink->group];
    const tl_probe region = {.zone = sink->zone, .body = sink->frame};
    const tl_frame axes = tl_probe_axes(w, &region);
    for (int i = g->first; i < g->first + g->count; i++) {
        const talus_body_id body = talus_body_at(w, i);
        if (!tl_probe_counts(w, &axes, &region, body)) continue;
        sums[SINK_NUMBER]++;
        sums[SINK_MASS] += talus_body_mass(w, body);
        tl_probes_forget(s, w, i);
        TL_TRY(talus_body_set_kind(w, body, TALUS_BODY_ABSENT));
    }
    return TALUS_OK;
}

/* ---- sources ------------------------------------------------------------------------------------------------------ */

/* A point of the region: the same for the same number of the draw, whatever happened before. */
static tl_vec3 draw_point(const tl_source *s, double *draws)
{
    const tl_zone *z = &s->zone;
    for (;;) {
        tl_random random = tl_random_seed(s->seed ^ ((uint64_t)(*draws)++ * UINT64_C(0x9e3779b97f4a7c15)));
        double u[3] = {0, 0, 0};
        for (int k = 0; k < z->dimension; k++) {
            const bool round = z->kind == TL_ZONE_BALL || (z->kind == TL_ZONE_CYLINDER && k < 2);
            u[k] = tl_random_uniform(&random, round ? -z->radius : z->box.low[k], round ? z->radius : z->box.high[k]);
        }
        const tl_vec3 x = tl_add(z->at.p, tl_mat3_apply(&z->at.R, tl_load3(u)));
        if (z->kind == TL_ZONE_BOX || tl_zone_holds(z, x)) return x;
    }
}

static bool is_grain(const talus_scene *s, int body)
{
    for (int i = 0; i < s->group_count; i++)
        if (body >= s->groups[i].first && body < s->groups[i].first + s->groups[i].count) return true;
    return false;
}

/* Of a body by its shapes, in each copy that the region sees: an arm is long, and stands beside it all the same. */
static bool is_clear(const talus_world *w, const tl_source *source, talus_body_id body, double size, tl_vec3 x, double reach)
{
    const tl_frame axes = {.R = tl_mat3_identity()};
    double at[3], quat[4], seen[3];
    tl_vec3 shift;
    talus_body_pose(w, body, at, quat);
    for (tl_copies c = tl_copies_of(w, &source->zone, &axes, tl_load3(at), size + reach); tl_next_copy(&c, &shift, NULL);) {
        const tl_vec3 from = tl_sub(x, shift);
        if (tl_norm(tl_sub(from, tl_load3(at))) >= size + reach) continue;
        tl_store3(seen, from);
        if (talus_body_distance(w, body, seen, reach) < reach) return false;
    }
    return true;
}

/* Of other grains, by balls around them, and of what else moves, by its shapes. Walls the user keeps out of the region. */
static bool has_room(const talus_scene *s, const talus_world *w, const tl_source *source, tl_vec3 x, double reach)
{
    for (int i = 0; i < talus_body_count(w); i++) {
        const talus_body_id body = talus_body_at(w, i);
        double at[3], quat[4];
        if (s->reach[i] == 0 || (talus_body_get_kind(w, body) != TALUS_BODY_FREE && !talus_body_is_link(w, body))) continue;
        if (!is_grain(s, i)) {
            if (!is_clear(w, source, body, s->reach[i], x, reach)) return false;
            continue;
        }
        talus_body_pose(w, body, at, quat);
        if (tl_norm(tl_shortest_way(w, tl_sub(tl_load3(at), x))) < reach + s->reach[i]) return false;
    }
    return true;
}

/* The next grain of the pool that is absent; −1: all are in the world. */
static int next_grain(const talus_scene *s, const talus_world *w, const tl_source *source, const double *sums)
{
    const tl_group *g = &s->groups[source->group];
    for (int i = 0; i < g->count; i++) {
        const int at = g->first + ((int)sums[SOURCE_NEXT] + i) % g->count;
        if (talus_body_get_kind(w, talus_body_at(w, at)) == TALUS_BODY_ABSENT) return at;
    }
    return -1;
}

/* With a sink the pool is a circulation, and its size the most that may be in the run. */
static bool comes_back(const talus_scene *s, int group)
{
    for (int i = 0; i < s->sink_count; i++)
        if (s->sinks[i].group < 0 || s->sinks[i].group == group) return true;
    return false;
}

static void warn_empty(const talus_scene *s, talus_world *w, const tl_source *source, int count, double *sums)
{
    char text[320];
    if (sums[SOURCE_WARNED] != 0 || comes_back(s, source->group)) return;
    sums[SOURCE_WARNED] = 1;
    snprintf(text, sizeof text, "source '%.80s' is empty at t = %.9g s: all %d grains of its count are in the run; give it more, or a sink", source->name,
             talus_world_time(w), count);
    talus_world_warn(w, text);
}

/* A source whose region is shut from the beginning. */
static void warn_shut(talus_world *w, const tl_source *source, double price, double *sums)
{
    enum { MANY = 10 };
    char text[320];
    const double due = (source->rate > 0 ? source->rate : source->mass_rate) * (talus_world_time(w) - source->from);
    if (sums[SOURCE_WARNED] != 0 || sums[SOURCE_NUMBER] > 0 || due < MANY * price) return;
    sums[SOURCE_WARNED] = 1;
    snprintf(text, sizeof text,
             "source '%.80s' has given none of the %d grains that were due by t = %.9g s: it finds no room in its region; what stands there?", source->name,
             MANY, talus_world_time(w));
    talus_world_warn(w, text);
}

/* Puts one grain somewhere; *placed: there was room. */
static talus_status emit(const talus_scene *s, talus_world *w, const tl_source *source, int grain, double *sums, bool *placed)
{
    static const double STILL[3] = {0, 0, 0};
    const talus_body_id body = talus_body_at(w, grain);
    double at[3], quat[4];
    *placed = false;
    for (int i = 0; i < TRIES && !*placed; i++) {
        const tl_vec3 x = draw_point(source, &sums[SOURCE_DRAWS]);
        if (!has_room(s, w, source, x, s->reach[grain])) continue;
        talus_body_pose(w, body, at, quat);
        double velocity[3];
        memcpy(velocity, source->velocity, sizeof velocity);
        tl_store3(at, x);
        tl_add_flow(w, at, velocity);
        TL_TRY(talus_body_set_kind(w, body, TALUS_BODY_FREE));
        TL_TRY(talus_body_place(w, body, at, quat, velocity, STILL));
        *placed = true;
    }
    return TALUS_OK;
}

/* What is due adds up as credit; where there is no room, no more than the next grain is owed. */
static talus_status feed(const talus_scene *s, talus_world *w, const tl_source *source)
{
    double *sums = memory_of(w, "source", source->group);
    const tl_group *g = &s->groups[source->group];
    const double h = talus_world_step_size(w), t = talus_world_time(w);
    if (t < source->from + 0.5 * h || t > source->until + 0.5 * h) return TALUS_OK;
    sums[SOURCE_CREDIT] += h * (source->rate > 0 ? source->rate : source->mass_rate);
    for (;;) {
        const int grain = next_grain(s, w, source, sums);
        if (grain < 0) warn_empty(s, w, source, g->count, sums);
        const double mass = grain < 0 ? 0 : talus_body_mass(w, talus_body_at(w, grain)), price = source->rate > 0 ? 1 : mass;
        bool placed = false;
        if (grain >= 0 && sums[SOURCE_CREDIT] < price * (1 - 1e-9)) return TALUS_OK;
        if (grain >= 0) TL_TRY(emit(s, w, source, grain, sums, &placed));
        if (!placed) {
            sums[SOURCE_CREDIT] = fmin(sums[SOURCE_CREDIT], price);
            if (grain >= 0) warn_shut(w, source, price, sums);
            return TALUS_OK;
        }
        sums[SOURCE_CREDIT] -= price;
        sums[SOURCE_NEXT] = (grain - g->first + 1) % g->count;
        sums[SOURCE_NUMBER]++;
        sums[SOURCE_MASS] += mass;
    }
}

talus_status tl_exchange(const talus_scene *s, talus_world *w)
{
    for (int i = 0; i < s->sink_count; i++) TL_TRY(drain(s, w, i));
    for (int i = 0; i < s->source_count; i++) TL_TRY(feed(s, w, &s->sources[i]));
    return TALUS_OK;
}

double tl_exchange_sum(const talus_scene *s, const talus_world *w, bool source, int index, bool mass)
{
    const double *sums = source ? memory_of(w, "source", s->sources[index].group) : memory_of(w, "sink", index);
    return sums[source ? (mass ? SOURCE_MASS : SOURCE_NUMBER) : mass ? SINK_MASS : SINK_NUMBER];
}
