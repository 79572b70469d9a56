/* The public face of scenes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scene/maximal.h"

/* A map without one of its keys. */
static tl_node *without(tl_arena *arena, const tl_node *map, const char *key)
{
    tl_node *copy = tl_arena_zero(arena, 1, sizeof *copy);
    if (!copy) return NULL;
    *copy = *map;
    copy->count = 0;
    copy->item = tl_arena_alloc(arena, (size_t)map->count + 1, sizeof *copy->item);
    for (int i = 0; copy->item && i < map->count; i++)
        if (strcmp(map->item[i]->key, key) != 0) copy->item[copy->count++] = map->item[i];
    return copy;
}

static char *physics_text(const talus_scene *s)
{
    tl_node *root = s->root->kind == NODE_MAP ? without(s->arena, s->root, "output") : NULL;
    for (int i = 0; root && i < root->count; i++)
        if (strcmp(root->item[i]->key, "time") == 0 && root->item[i]->kind == NODE_MAP) root->item[i] = without(s->arena, root->item[i], "end");
    return root ? tl_yaml_text(root) : NULL;
}

static double seconds(talus_scene *s, const tl_node *map, const char *key, double fallback)
{
    return tl_quantity(&s->reading, tl_node_get(map, key), "s", fallback, false);
}

/* Those that are asked for at every step. */
static void read_times(talus_scene *s)
{
    const tl_node *output = tl_node_get(s->root, "output");
    s->end = seconds(s, tl_node_get(s->root, "time"), "end", 0);
    s->series_interval = seconds(s, tl_node_get(output, "series"), "every", 0);
    s->frame_interval = seconds(s, tl_node_get(output, "frames"), "every", s->end / 500);
    s->checkpoint_interval = seconds(s, tl_node_get(output, "checkpoint"), "every", -1);
}

/* A number of steps that no counter holds would be a run of nothing. */
static void check_length(talus_scene *s)
{
    const tl_node *time = tl_node_get(s->root, "time"), *end = tl_node_get(time, "end");
    const double step = seconds(s, time, "step", talus_world_def_default().step), until = s->end;
    if (!end || !(step > 0) || until / step <= TALUS_STEPS) return;
    tl_mistake(&s->mistakes, TALUS_INPUT, end, "%g s in steps of %g s are %.3g steps; %g is the most, so give a shorter time or a longer step", until, step,
               until / step, TALUS_STEPS);
}

talus_status talus_scene_load(const char *path, const char *const *settings, int setting_count, talus_scene **out)
{
    if (!path || !out || (!settings && setting_count > 0)) return TALUS_INPUT;
    talus_scene *s = calloc(1, sizeof *s);
    *out = s;
    if (!s) return TALUS_MEMORY;
    s->arena = tl_arena_create(tl_memory_default(), (size_t)1 << 16);
    s->path = strdup(path);
    if (!s->arena || !s->path) {
        talus_scene_destroy(s);
        *out = NULL;
        return TALUS_MEMORY;
    }
    s->root = tl_yaml_load(path, settings, setting_count, s->arena, &s->mistakes);
    s->reading = (tl_reading){.arena = s->arena, .mistakes = &s->mistakes, .root = s->root};
    if (s->root) {
        tl_schema_supersede(s->root);
        s->text = tl_yaml_text(s->root);
        s->physics = physics_text(s);
        tl_schema_begin(&s->reading, TL_SCENE_KEYS); /* tracks may name parameters */
        tl_expand_tracks(&(tl_builder){.scene = s, .r = &s->reading});
        tl_expand_tyres(&(tl_builder){.scene = s, .r = &s->reading}); /* also on wheels of tracks */
        tl_schema_check(&s->reading, TL_SCENE_KEYS);
        tl_schema_check_unique(&s->reading);
        tl_check_joint_units(&(tl_builder){.scene = s, .r = &s->reading});
        read_times(s);
        check_length(s);
    }
    return s->mistakes.status;
}

void talus_scene_destroy(talus_scene *s)
{
    if (!s) return;
    tl_mistakes_free(&s->mistakes);
    tl_arena_destroy(s->arena);
    free(s->path);
    free(s->text);
    free(s->physics);
    free(s->warnings);
    free(s);
}

int talus_scene_mistake_count(const talus_scene *s) { return s->mistakes.count; }
const char *talus_scene_mistake(const talus_scene *s, int index) { return index >= 0 && index < s->mistakes.count ? s->mistakes.item[index].text : ""; }
const char *talus_scene_warnings(const talus_scene *s) { return s->warnings ? s->warnings : ""; }
const char *talus_scene_path(const talus_scene *s) { return s->path; }
const char *talus_scene_text(const talus_scene *s) { return s->text ? s->text : ""; }
const char *talus_scene_physics(const talus_scene *s) { return s->physics ? s->physics : ""; }

/* The first of these that the text of an error names, as "cylinder 'lift'" where `kinds` says what they are, cylinders; NULL: none. */
static const tl_node *named_as(const char *text, const tl_node *list, const char *kinds)
{
    char quoted[200];
    for (int k = 0; list && list->kind == NODE_MAP && k < list->count; k++) {
        snprintf(quoted, sizeof quoted, "%.*s%s'%.150s'", *kinds ? (int)strlen(kinds) - 1 : 0, kinds, *kinds ? " " : "", list->item[k]->key);
        if (strstr(text, quoted)) return list->item[k];
    }
    return NULL;
}

static const tl_node *named_in(const char *text, const tl_node *list) { return named_as(text, list, ""); }

/* The part of a machine, or whatever else an assembly error names, else the root. */
static const tl_node *place_of_failure(const talus_scene *s, const char *text)
{
    static const char *const PARTS[] = {"loops", "joints", "shafts", "bodies"}, *const LISTS[] = {"bodies", "solids", "joints", "ropes"};
    const tl_node *mechanisms = tl_node_get(s->root, "mechanisms"), *circuits = tl_node_get(s->root, "hydraulics"), *found = NULL;
    for (int i = 0; circuits && circuits->kind == NODE_MAP && !found && i < circuits->count; i++)
        for (int p = 0; p < circuits->item[i]->count && !found; p++) {
            const tl_node *parts = circuits->item[i]->item[p];
            found = named_as(text, parts, parts->key);
        }
    for (int i = 0; mechanisms && mechanisms->kind == NODE_MAP && !found && i < mechanisms->count; i++) {
        const tl_node *m = mechanisms->item[i];
        for (size_t p = 0; p < sizeof PARTS / sizeof *PARTS && !found; p++) found = named_in(text, tl_node_get(m, PARTS[p]));
    }
    const tl_node *machine = found ? NULL : named_in(text, mechanisms), *dependent = tl_node_get(machine, "dependent");
    if (machine) return strstr(text, "depend") && dependent ? dependent : machine;
    for (size_t p = 0; p < sizeof LISTS / sizeof *LISTS && !found; p++) found = named_in(text, tl_node_get(s->root, LISTS[p]));
    return found ? found : s->root;
}

/* The scene without its grains and probes. */
static talus_status build_frame(tl_builder *b, int threads)
{
    TL_TRY(tl_build_world(b, threads));
    TL_TRY(tl_build_stage_memory(b));
    TL_TRY(tl_build_law_memory(b));
    TL_TRY(tl_build_inputs(b));
    const talus_status bodies = tl_build_bodies(b);
    if (bodies == TALUS_MEMORY) return bodies;
    TL_TRY(tl_build_mechanisms(b)); /* also beside wrong bodies: all mistakes are said at once */
    TL_TRY(bodies);
    TL_TRY(tl_build_solids(b));
    return tl_build_loads(b);
}

static talus_status assemble(tl_builder *b)
{
    const talus_status status = talus_world_assemble(b->world);
    if (status != TALUS_OK)
        tl_mistake_key(&b->scene->mistakes, status, place_of_failure(b->scene, talus_world_error(b->world)), "%s", talus_world_error(b->world));
    return status;
}

/* What is said of mechanisms at the start: of coordinates that do not start where the scene says, and of tracks, whose carriers are links. */
static talus_status check_start(tl_builder *b)
{
    tl_build_check_coordinates(b);
    return tl_check_tracks(b);
}

/* Where some of them become bodies it is said before; all else the world to come says itself. */
static talus_status keep_start_warnings(tl_builder *start)
{
    (void)talus_world_warnings(start->world);
    TL_TRY(check_start(start));
    const char *fresh = talus_world_warnings(start->world);
    const size_t length = strlen(fresh) - (*fresh && fresh[strlen(fresh) - 1] == '\n');
    char *copy = tl_arena_zero(start->scene->arena, length + 1, 1);
    if (!copy) return TALUS_MEMORY;
    memcpy(copy, fresh, length);
    start->scene->start_warnings = copy;
    return TALUS_OK;
}

/* Mechanisms that are to be in maximal coordinates become bodies and joints, which begin as these mechanisms do. */
static talus_status expand_maximal(tl_builder *b)
{
    tl_builder start = {.scene = b->scene, .r = b->r};
    if (!tl_has_maximal(b->scene)) return TALUS_OK;
    talus_status status = build_frame(&start, 1);
    if (status == TALUS_OK) status = assemble(&start);
    if (status == TALUS_OK) status = keep_start_warnings(&start);
    if (status == TALUS_OK) status = tl_expand_maximal(b, start.world);
    talus_world_destroy(start.world);
    return status;
}

/* With grains, the rest is built and assembled first to know what they must keep clear of. */
static talus_status build(tl_builder *b, tl_builder *rough, int threads)
{
    const tl_node *grains = tl_node_get(b->scene->root, "grains");
    TL_TRY(expand_maximal(b));
    if (grains && grains->kind == NODE_MAP && grains->count > 0) {
        TL_TRY(build_frame(rough, 1));
        TL_TRY(assemble(rough));
    }
    TL_TRY(build_frame(b, threads));
    TL_TRY(tl_build_grains(b, rough->world));
    TL_TRY(tl_build_ropes(b));
    TL_TRY(tl_build_joints(b));
    TL_TRY(tl_build_hydraulics(b));
    TL_TRY(tl_build_exchange(b));
    TL_TRY(tl_build_probes(b));
    TL_TRY(tl_build_law_probes(b));
    TL_TRY(tl_build_stages(b));
    TL_TRY(assemble(b));
    TL_TRY(tl_build_reach(b));
    tl_probes_look(b->scene, b->world);
    TL_TRY(tl_build_first_stage(b));
    tl_laws_look(b->scene, b->world);
    if (!b->scene->start_warnings) TL_TRY(check_start(b));
    else if (*b->scene->start_warnings) talus_world_warn(b->world, b->scene->start_warnings);
    tl_build_check_sizes(b);
    tl_build_check_solids(b);
    TL_TRY(tl_build_check_overlaps(b));
    TL_TRY(tl_build_equilibrium(b));
    tl_probes_look(b->scene, b->world);
    tl_laws_look(b->scene, b->world);
    return TALUS_OK;
}

talus_status talus_scene_build(talus_scene *s, int threads, talus_world **out)
{
    if (!s || !out) return TALUS_INPUT;
    tl_builder b = {.scene = s, .r = &s->reading}, rough = b;
    *out = NULL;
    if (s->mistakes.status != TALUS_OK) return s->mistakes.status;
    talus_status status = build(&b, &rough, threads);
    if (status == TALUS_OK) status = s->mistakes.status;
    talus_world_destroy(rough.world);
    if (b.world) {
        free(s->warnings);
        s->warnings = strdup(talus_world_warnings(b.world));
    }
    if (status != TALUS_OK) {
        if (s->mistakes.count == 0 && s->root) tl_mistake(&s->mistakes, status, s->root, "%s", talus_status_meaning(status));
        talus_world_destroy(b.world);
        return status;
    }
    *out = b.world;
    tl_scene_note_keys(s);
    return TALUS_OK;
}

double talus_scene_end(const talus_scene *s) { return s->end; }
double talus_scene_series_interval(const talus_scene *s) { return s->series_interval; }
double talus_scene_frame_interval(const talus_scene *s) { return s->frame_interval; }
double talus_scene_checkpoint_interval(const talus_scene *s) { return s->checkpoint_interval; }
