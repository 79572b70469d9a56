/* Stages and stop conditions of a scene: read, and checked against its probes and bodies. What they do while the world runs is in stage_run.c. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "scene/build.h"

static int count_of(const tl_node *map) { return map && map->kind == NODE_MAP ? map->count : 0; }

static talus_status wrong(tl_builder *b, const tl_node *node, const char *text)
{
    tl_mistake_key(&b->scene->mistakes, TALUS_INPUT, node, "%s", text);
    return TALUS_INPUT;
}

/* ---- memory ------------------------------------------------------------------------------------------------------- */

static talus_status add_array(tl_builder *b, const char *name, const char *meaning, int rows, int columns, double first)
{
    const talus_field shape = {name, "1", meaning, TALUS_FIELD_DOUBLE, (size_t)rows, (size_t)columns, NULL};
    TL_TRY(tl_build_check(b, talus_state_add(b->world, &shape), b->scene->root));
    double *data = talus_state_data(b->world, name);
    for (int i = 0; i < rows * columns; i++) data[i] = first;
    return TALUS_OK;
}

talus_status tl_build_stage_memory(tl_builder *b)
{
    talus_scene *s = b->scene;
    const tl_node *stages = tl_node_get(s->root, "stages"), *stops = tl_node_get(s->root, "stop");
    s->stage_count = count_of(stages), s->stop_count = count_of(stops);
    if (s->stage_count + s->stop_count == 0) return TALUS_OK;
    TL_TRY(add_array(b, "stages/now", "stage, from 0; over: 0 no, 1 all stages are done, 2 + i by stop i; the probe's value then", 1, 3, 0));
    TL_TRY(add_array(b, "stages/span", "when each began and ended [s]; -1: not yet", s->stage_count, 2, -1));
    TL_TRY(add_array(b, "stages/held", "since when the condition of each stage and stop holds [s]; -1: it does not", s->stage_count + s->stop_count, 1, -1));
    b->stage =
        (tl_stage_memory){talus_state_data(b->world, "stages/now"), talus_state_data(b->world, "stages/span"), talus_state_data(b->world, "stages/held")};
    return TALUS_OK;
}

/* ---- conditions --------------------------------------------------------------------------------------------------- */

static int probe_named(const talus_scene *s, const char *name)
{
    for (int i = 0; i < s->probe_count; i++)
        if (strcmp(s->probes[i].name, name) == 0) return i;
    return -1;
}

static talus_status read_condition(tl_builder *b, const tl_node *node, tl_condition *c)
{
    const tl_node *above = tl_node_get(node, "above"), *below = tl_node_get(node, "below");
    c->probe = probe_named(b->scene, tl_node_get(node, "probe")->text);
    if (c->probe < 0) return wrong(b, tl_node_get(node, "probe"), "this probe has cells: name one of them, as in series.csv");
    if (!above == !below) return wrong(b, node, "a probe is compared with one bound: 'above' or 'below'");
    const char *unit = b->scene->probes[c->probe].unit;
    const int before = b->scene->mistakes.count;
    c->above = above != NULL;
    c->bound = tl_quantity(b->r, above ? above : below, strcmp(unit, "1") == 0 ? "" : unit, 0, true);
    c->hold = tl_quantity(b->r, tl_node_get(node, "for"), "s", 0, false);
    return b->scene->mistakes.count > before ? TALUS_INPUT : TALUS_OK;
}

static talus_status read_until(tl_builder *b, const tl_node *stage, bool last, tl_stage_def *d)
{
    const tl_node *until = tl_node_get(stage, "until");
    const double never = (double)INFINITY;
    d->condition.probe = -1;
    d->at_most = d->after = d->time = never;
    if (!until) return last ? TALUS_OK : wrong(b, stage, "only the last stage may do without 'until'");
    const tl_node *probe = tl_node_get(until, "probe"), *after = tl_node_get(until, "after"), *time = tl_node_get(until, "time");
    if ((probe != NULL) + (after != NULL) + (time != NULL) != 1)
        return wrong(b, until, "a stage lasts until one thing: {probe: …, below: …}, {after: 1 s} or {time: 3 s}");
    static const char *const OF_PROBE[] = {"above", "below", "for", "at_most"};
    for (int i = 0; i < 4; i++)
        if (!probe && tl_node_get(until, OF_PROBE[i])) return wrong(b, tl_node_get(until, OF_PROBE[i]), "this belongs to a probe, and none is named");
    d->after = tl_quantity(b->r, after, "s", never, false);
    d->time = tl_quantity(b->r, time, "s", never, false);
    d->at_most = tl_quantity(b->r, tl_node_get(until, "at_most"), "s", never, false);
    return probe ? read_condition(b, until, &d->condition) : TALUS_OK;
}

static talus_status read_stop(tl_builder *b, const tl_node *node, tl_stop_def *d)
{
    *d = (tl_stop_def){.name = node->key, .message = tl_word(node, "message", ""), .during = tl_node_get(node, "during")};
    return read_condition(b, node, &d->condition);
}

/* ---- settings ----------------------------------------------------------------------------------------------------- */

static bool same_pair(const talus_material_id a[2], const talus_material_id b[2])
{
    return (a[0].index1 == b[0].index1 && a[1].index1 == b[1].index1) || (a[0].index1 == b[1].index1 && a[1].index1 == b[0].index1);
}

/* The last that was said of a pair before; NULL: nothing. */
static const talus_interaction_def *law_before(const talus_scene *s, int stage, const talus_material_id pair[2])
{
    for (int k = stage; k >= -1; k--) {
        const tl_stage_def *d = k < 0 ? &s->base : &s->stages[k];
        for (int i = d->law_count - 1; i >= 0; i--)
            if (same_pair(d->laws[i].pair, pair)) return &d->laws[i].def;
    }
    return NULL;
}

static talus_status read_laws(tl_builder *b, const tl_node *list, int stage)
{
    static const talus_material_id ANY[2] = {{0}, {0}};
    tl_stage_def *d = &b->scene->stages[stage];
    const int count = list ? list->count : 0;
    d->laws = tl_arena_zero(b->scene->arena, (size_t)count + 1, sizeof *d->laws);
    if (!d->laws) return TALUS_MEMORY;
    for (int i = 0; i < count; i++) {
        tl_law_change *law = &d->laws[d->law_count];
        TL_TRY(tl_build_interaction(b, list->item[i], law)); /* for the pair */
        const talus_interaction_def *before = law_before(b->scene, stage, law->pair);
        if (!before) before = law_before(b->scene, stage, ANY);
        law->def = before ? *before : talus_interaction_def_default();
        TL_TRY(tl_build_interaction(b, list->item[i], law));
        TL_TRY(tl_build_check(b, talus_interaction_check(b->world, law->pair[0], law->pair[1], &law->def), list->item[i]));
        d->law_count++;
    }
    return TALUS_OK;
}

static bool kind_named(const char *word, talus_body_kind *kind)
{
    static const char *const KINDS[] = {"free", "fixed", "imposed", "removed"}; /* in the order of talus_body_kind */
    for (int i = 0; i < 4; i++)
        if (strcmp(word, KINDS[i]) == 0) {
            *kind = (talus_body_kind)i;
            return true;
        }
    return false;
}

bool tl_stages_change_kind(const tl_builder *b, const char *body, bool *imposed)
{
    const tl_node *stages = tl_node_get(b->scene->root, "stages");
    bool changes = false;
    for (int i = 0; i < b->scene->stage_count; i++) {
        const tl_node *kind = tl_node_get(tl_node_get(tl_node_get(stages->item[i], "bodies"), body), "kind");
        changes = changes || kind != NULL;
        *imposed = *imposed || (kind && strcmp(kind->text, "imposed") == 0);
    }
    return changes;
}

/* The kind that a body has in a stage. */
static talus_body_kind kind_in(const tl_builder *b, const char *body, int stage)
{
    const tl_node *stages = tl_node_get(b->scene->root, "stages");
    talus_body_kind kind = TALUS_BODY_FREE;
    (void)kind_named(tl_word(tl_node_get(tl_node_get(b->scene->root, "bodies"), body), "kind", "free"), &kind);
    for (int i = 0; i <= stage; i++) (void)kind_named(tl_word(tl_node_get(tl_node_get(stages->item[i], "bodies"), body), "kind", ""), &kind);
    return kind;
}

/* The copies of a body that is repeated are called wall.1, wall.2, …; {0} beyond the last. */
static talus_body_id copy_named(const talus_world *w, const char *name, int copy)
{
    char text[512];
    const talus_body_id alone = talus_body_find(w, name);
    if (alone.index1 > 0) return copy == 0 ? alone : (talus_body_id){0};
    snprintf(text, sizeof text, "%.480s.%d", name, copy + 1);
    return talus_body_find(w, text);
}

static talus_status read_kind(tl_builder *b, const tl_node *node, int stage)
{
    tl_stage_def *d = &b->scene->stages[stage];
    tl_kind_change change = {copy_named(b->world, node->key, 0), kind_in(b, node->key, stage)};
    if (change.body.index1 > 0 && strchr(node->key, '.') && !tl_node_get(tl_node_get(b->scene->root, "bodies"), node->key))
        return wrong(b, node, "a stage changes all copies of a body alike: leave the number out");
    if (change.body.index1 == 0 || talus_body_is_link(b->world, change.body))
        return wrong(b, node, "a stage changes free, fixed and imposed bodies; links move by their drives and forces, and the ground never does");
    if (tl_node_get(node, "motion") && change.kind != TALUS_BODY_IMPOSED)
        return wrong(b, tl_node_get(node, "motion"), "only a body of kind 'imposed' has a motion: say 'kind: imposed' too");
    for (int i = 1; tl_node_get(node, "kind") && change.body.index1 > 0; i++) {
        if (d->kinds) d->kinds[d->kind_count] = change;
        d->kind_count++;
        change.body = copy_named(b->world, node->key, i);
    }
    return TALUS_OK;
}

/* Once to count, once to write. */
static talus_status read_kinds(tl_builder *b, const tl_node *bodies, int stage)
{
    tl_stage_def *d = &b->scene->stages[stage];
    for (int i = 0; i < count_of(bodies); i++) TL_TRY(read_kind(b, bodies->item[i], stage));
    d->kinds = tl_arena_zero(b->scene->arena, (size_t)d->kind_count + 1, sizeof *d->kinds);
    if (!d->kinds) return TALUS_MEMORY;
    d->kind_count = 0;
    for (int i = 0; i < count_of(bodies); i++) TL_TRY(read_kind(b, bodies->item[i], stage));
    return TALUS_OK;
}

/* Names of drives and forces are those of one mechanism only as far as the schema goes. */
static talus_status check_single(tl_builder *b, const tl_node *stage, const char *part)
{
    const tl_node *things = tl_node_get(stage, part), *mechanisms = tl_node_get(b->scene->root, "mechanisms");
    for (int i = 0; i < count_of(things); i++) {
        int found = 0;
        for (int k = 0; k < count_of(mechanisms); k++) found += tl_node_get(tl_node_get(mechanisms->item[k], part), things->item[i]->key) != NULL;
        if (found > 1) return wrong(b, things->item[i], "several mechanisms have one of this name: give each its own");
    }
    return TALUS_OK;
}

static talus_status read_stage(tl_builder *b, const tl_node *node, int stage)
{
    tl_stage_def *d = &b->scene->stages[stage];
    const tl_node *gravity = tl_node_get(node, "gravity");
    *d = (tl_stage_def){.name = node->key, .sets_gravity = gravity != NULL};
    TL_TRY(read_until(b, node, stage == b->scene->stage_count - 1, d));
    tl_vector(b, gravity, "m/s^2", d->gravity);
    TL_TRY(read_laws(b, tl_node_get(node, "interactions"), stage));
    TL_TRY(read_kinds(b, tl_node_get(node, "bodies"), stage));
    TL_TRY(check_single(b, node, "drives"));
    return check_single(b, node, "forces");
}

talus_status tl_build_stages(tl_builder *b)
{
    talus_scene *s = b->scene;
    const tl_node *stages = tl_node_get(s->root, "stages"), *stops = tl_node_get(s->root, "stop");
    talus_status status = TALUS_OK;
    s->stages = tl_arena_zero(s->arena, (size_t)s->stage_count + 1, sizeof *s->stages);
    s->stops = tl_arena_zero(s->arena, (size_t)s->stop_count + 1, sizeof *s->stops);
    if (!s->stages || !s->stops) return TALUS_MEMORY;
    s->base.sets_gravity = true;
    tl_vector(b, tl_node_get(s->root, "gravity"), "m/s^2", s->base.gravity);
    for (int i = 0; i < s->stage_count; i++)
        if (read_stage(b, stages->item[i], i) != TALUS_OK) status = TALUS_INPUT;
    for (int i = 0; i < s->stop_count; i++)
        if (read_stop(b, stops->item[i], &s->stops[i]) != TALUS_OK) status = TALUS_INPUT;
    return status;
}
