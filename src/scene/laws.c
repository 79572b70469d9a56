/* Laws of forces and rates of states: expressions that may name what their mechanism and the world's probes say.
 *
 *     q, v                    the coordinate of the force, and its rate
 *     q.arm, v.arm, v.base.x  coordinates of joints of the same mechanism, and their rates
 *     state.error             states of the same mechanism
 *     probe.pressure          a probe's value after the step before; 0 for what needs a step, such as a contact force, before the first
 *
 * Values of probes are an array of the world's state: so a run that is resumed goes on with the bits that it had. */
#include <stdio.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scene/build.h"

enum { MOST_READS = 64, MOST_NAMES = 4096 };
static const char PROBES[] = "laws/probes";

/* Whose names a law may use, and which coordinates it reads. */
typedef struct law_scope {
    tl_builder *b;
    const tl_node *mechanism, *law; /* law: where it stands */
    talus_coordinate reads[MOST_READS];
    const tl_node *joint[MOST_READS];
    int count;
    bool states;
} law_scope;

/* ---- names --------------------------------------------------------------------------------------------------------- */

static const tl_node *map_of(const tl_node *owner, const char *key)
{
    static const tl_node EMPTY = {.kind = NODE_MAP};
    const tl_node *map = tl_node_get(owner, key);
    return map && map->kind == NODE_MAP ? map : &EMPTY;
}

static tl_dimension dimension_of(const char *unit)
{
    tl_dimension d;
    double factor;
    char bad[32];
    (void)tl_unit_parse(unit, &factor, &d, bad);
    return d;
}

/* "there is no joint 'armm' …; did you mean 'q.arm'?" */
static bool unknown(const law_scope *s, const char *what, const char *prefix, const char *word, const tl_node *map, char why[TL_WHY])
{
    const char *names[MOST_NAMES];
    int n = 0;
    for (; n < map->count && n < MOST_NAMES; n++) names[n] = map->item[n]->key;
    const char *near = tl_nearest(word, names, n);
    const bool of_mechanism = strcmp(what, "probe") != 0;
    snprintf(why, TL_WHY, "there is no %s '%.60s'%s%.40s%s%s%s%.60s%s", what, word, of_mechanism ? " in mechanism '" : "",
             of_mechanism ? s->mechanism->key : "", of_mechanism ? "'" : "", near ? "; did you mean '" : "", near ? prefix : "", near ? near : "",
             near ? "'?" : "");
    return false;
}

/* Number of a coordinate among those that the law reads. */
static int read_index(law_scope *s, const tl_node *joint, int coordinate)
{
    for (int i = 0; i < s->count; i++)
        if (s->joint[i] == joint && s->reads[i].coordinate == coordinate) return i;
    if (s->count == MOST_READS) return -1;
    s->joint[s->count] = joint;
    s->reads[s->count] = (talus_coordinate){s->b->world ? talus_joint_find(s->b->world, joint->key) : (talus_joint_id){0}, coordinate};
    return s->count++;
}

/* "arm" or "base.x"; a joint's name may have dots of its own. */
static bool find_coordinate(law_scope *s, const char *word, bool rate, tl_name *out, char why[TL_WHY])
{
    const tl_node *joints = map_of(s->mechanism, "joints"), *joint = tl_mechanism_joint(s->mechanism, word);
    char name[128];
    snprintf(name, sizeof name, "%s", word);
    char *dot = joint ? NULL : strrchr(name, '.');
    if (dot) *dot = '\0';
    if (dot && !joint) joint = tl_mechanism_joint(s->mechanism, name);
    const tl_node *mechanisms = map_of(s->b->scene->root, "mechanisms");
    for (int i = 0; !joint && i < mechanisms->count; i++)
        if (tl_mechanism_joint(mechanisms->item[i], name)) {
            snprintf(why, TL_WHY, "joint '%.60s' is of mechanism '%.60s': of another mechanism a law reads probes, as in probe.NAME", name,
                     mechanisms->item[i]->key);
            return false;
        }
    if (!joint) return unknown(s, "joint", rate ? "v." : "q.", word, joints, why);
    const int coordinate = tl_joint_coordinate(joint, dot ? dot + 1 : NULL);
    if (coordinate < 0) {
        char list[100];
        tl_joint_coordinates(joint, list);
        snprintf(why, TL_WHY, "joint '%.60s' has %s%s; name one, as in %c.%.60s.%.*s", joint->key, *list ? "the coordinates " : "no coordinates", list,
                 rate ? 'v' : 'q', joint->key, (int)strcspn(list, ","), list);
        if (!*list) snprintf(why, TL_WHY, "joint '%.60s' has no coordinates", joint->key);
        return false;
    }
    if (!rate && tl_joint_is_ball_rate(joint, coordinate)) {
        snprintf(why, TL_WHY, "the rotations of joint '%.60s' have rates only: v.%.60s", joint->key, word);
        return false;
    }
    out->kind = rate ? TL_NAME_V : TL_NAME_Q;
    out->index = read_index(s, joint, coordinate);
    out->dimension = dimension_of(tl_joint_is_angle(joint, coordinate) ? "rad" : "m");
    if (rate) out->dimension.s -= 1;
    if (out->index < 0) snprintf(why, TL_WHY, "a law reads %d coordinates at most", (int)MOST_READS);
    return out->index >= 0;
}

static bool find_state(law_scope *s, const char *word, tl_name *out, char why[TL_WHY])
{
    const tl_node *states = map_of(s->mechanism, "states");
    for (int i = 0; i < states->count; i++) {
        if (strcmp(states->item[i]->key, word) != 0) continue;
        s->states = true;
        *out = (tl_name){.name = out->name, .kind = TL_NAME_STATE, .index = i, .dimension = dimension_of(tl_word(states->item[i], "unit", ""))};
        return true;
    }
    return unknown(s, "state", "state.", word, states, why);
}

/* The probe of this name, or whose cell it names: NAME.2.3. */
static const tl_node *probe_node(const tl_node *probes, const char *word)
{
    char name[128];
    snprintf(name, sizeof name, "%s", word);
    const tl_node *probe = tl_node_get(probes, name);
    for (char *dot = strrchr(name, '.'); !probe && dot; dot = strrchr(name, '.')) {
        if (dot[1 + strspn(dot + 1, "0123456789")] != '\0') break;
        *dot = '\0';
        probe = tl_node_get(tl_node_get(probes, name), "cells") ? tl_node_get(probes, name) : NULL;
    }
    return probe;
}

/* Number of a probe among those that laws read; before the world is built it becomes one of them. −1: no memory. */
static int law_probe(law_scope *s, const char *word)
{
    talus_scene *scene = s->b->scene;
    for (int i = 0; i < scene->law_probe_count; i++)
        if (strcmp(scene->law_probes[i].name, word) == 0) return i;
    tl_law_probe *grown = tl_arena_alloc(scene->arena, (size_t)scene->law_probe_count + 1, sizeof *grown);
    char *name = tl_arena_alloc(scene->arena, strlen(word) + 1, 1);
    if (!grown || !name) return -1;
    if (scene->law_probe_count > 0) memcpy(grown, scene->law_probes, (size_t)scene->law_probe_count * sizeof *grown);
    grown[scene->law_probe_count] = (tl_law_probe){strcpy(name, word), s->law, -1};
    scene->law_probes = grown;
    return scene->law_probe_count++;
}

static bool find_probe(law_scope *s, const char *word, tl_name *out, char why[TL_WHY])
{
    static const double NOT_YET = 0;
    const tl_node *probes = map_of(s->b->scene->root, "probes"), *probe = probe_node(probes, word);
    if (!probe) return unknown(s, "probe", "probe.", word, probes, why);
    if (tl_node_get(probe, "cells") && strcmp(probe->key, word) == 0) {
        snprintf(why, TL_WHY, "probe '%.60s' has cells: name one of them, as in series.csv", word);
        return false;
    }
    const int number = law_probe(s, word);
    const double *values = s->b->world ? talus_state_data(s->b->world, PROBES) : NULL;
    if (number < 0) snprintf(why, TL_WHY, "memory ran out");
    out->live = values ? &values[number] : &NOT_YET;
    out->dimension = dimension_of(tl_probe_unit(s->b, probe));
    return number >= 0;
}

static bool find(void *user, const char *word, tl_name *out, char why[TL_WHY])
{
    law_scope *s = user;
    if (strncmp(word, "q.", 2) == 0 || strncmp(word, "v.", 2) == 0) return find_coordinate(s, word + 2, word[0] == 'v', out, why);
    if (strncmp(word, "state.", 6) == 0) return find_state(s, word + 6, out, why);
    if (strncmp(word, "probe.", 6) == 0) return find_probe(s, word + 6, out, why);
    const bool own = strcmp(word, "q") == 0 || strcmp(word, "v") == 0;
    if (own) snprintf(why, TL_WHY, "a state has no coordinate of its own: name one of a joint, as in %s.arm", word);
    else if (tl_mechanism_joint(s->mechanism, word)) snprintf(why, TL_WHY, "'%.60s' is a joint: write q.%.60s or v.%.60s", word, word, word);
    else if (tl_node_get(map_of(s->mechanism, "states"), word)) snprintf(why, TL_WHY, "'%.60s' is a state: write state.%.60s", word, word);
    else if (probe_node(map_of(s->b->scene->root, "probes"), word)) snprintf(why, TL_WHY, "'%.60s' is a probe: write probe.%.60s", word, word);
    return false;
}

/* `q_unit` NULL: of the rate of a state. */
static tl_expression *compile(law_scope *s, const tl_node *node, const char *unit, const char *q_unit)
{
    tl_reading *r = s->b->r;
    tl_scope scope = {.names = r->names,
                      .count = r->name_count + r->input_count,
                      .time = true,
                      .state = q_unit != NULL,
                      .stage_start = r->stage_start,
                      .find = find,
                      .user = s};
    if (q_unit) scope.q = scope.v = dimension_of(q_unit), scope.v.s -= 1;
    s->law = node;
    return tl_compile(r, node, unit, &scope, true);
}

/* ---- functions of time, inputs and probes ---------------------------------------------------------------------------------- */

static bool find_in_probes(void *user, const char *word, tl_name *out, char why[TL_WHY])
{
    law_scope *s = user;
    if (strncmp(word, "probe.", 6) == 0) return find_probe(s, word + 6, out, why);
    if (probe_node(map_of(s->b->scene->root, "probes"), word)) snprintf(why, TL_WHY, "'%.60s' is a probe: write probe.%.60s", word, word);
    return false;
}

static void probed_value(void *user, double t, double out[3]) { tl_expression_value(user, t, out); }

talus_motion tl_build_probed(tl_builder *b, const tl_node *node, const char *unit)
{
    law_scope s = {.b = b, .law = node};
    if (!node || node->kind != NODE_SCALAR) return tl_build_motion(b, node, unit);
    const tl_scope scope = {
        .names = b->r->names, .count = tl_names_seen(b->r), .time = true, .stage_start = b->r->stage_start, .find = find_in_probes, .user = &s};
    tl_expression *e = tl_compile(b->r, node, unit, &scope, true);
    return (talus_motion){e ? probed_value : NULL, e};
}

/* ---- a law ----------------------------------------------------------------------------------------------------------- */

/* Of a force, which stages may change, or the rate of a state. */
typedef struct law {
    tl_stage_memory memory;
    const tl_expression *base, **piece; /* [stages] NULL: not set */
    int slopes;                         /* of a rate: number of states; of a law: of coordinates */
    bool is_rate;
} law;

/* The law that holds now; NULL: none. */
static const tl_expression *present(const law *l)
{
    int stage = l->piece ? (int)l->memory.now[0] : -1;
    while (stage >= 0 && !l->piece[stage]) stage--;
    return stage < 0 ? l->base : l->piece[stage];
}

static double coupled_value(void *user, double t, const double *q, const double *v, const double *state)
{
    const tl_expression *e = present(user);
    return e ? tl_expression_at(e, &(tl_point){t, q, v, state}) : 0;
}

static void coupled_slopes(void *user, double t, const double *q, const double *v, const double *state, double *out)
{
    const law *l = user;
    const tl_expression *e = present(l);
    for (int i = 0; i < l->slopes; i++) out[i] = e ? tl_expression_slope(e, &(tl_point){t, q, v, state}, l->is_rate, i) : 0;
}

static double own_value(void *user, double t, double q, double v) { return coupled_value(user, t, &q, &v, NULL); }

static double own_slope(void *user, double t, double q, double v)
{
    double out = 0;
    coupled_slopes(user, t, &q, &v, NULL, &out);
    return out;
}

static const tl_node *stage_law(const tl_node *stage, const char *name) { return tl_node_get(tl_node_get(tl_node_get(stage, "forces"), name), "law"); }

/* All expressions of the law of a force; nothing in `l` when there is none. */
static talus_status compile_all(law_scope *s, law *l, const tl_node *force, const char *unit, const char *q_unit)
{
    static const double START = 0;
    const tl_node *stages = map_of(s->b->scene->root, "stages"), *base = tl_node_get(force, "law");
    const int before = s->b->scene->mistakes.count;
    if (base) l->base = compile(s, base, unit, q_unit);
    for (int i = 0; i < stages->count; i++) {
        const tl_node *node = stage_law(stages->item[i], force->key);
        if (!node) continue;
        if (!l->piece) l->piece = tl_arena_zero(s->b->scene->arena, (size_t)stages->count, sizeof *l->piece);
        if (!l->piece) return TALUS_MEMORY;
        s->b->r->stage_start = s->b->stage.span ? s->b->stage.span[i] : &START;
        l->piece[i] = compile(s, node, unit, q_unit);
        s->b->r->stage_start = NULL;
    }
    return s->b->scene->mistakes.count > before ? TALUS_INPUT : TALUS_OK;
}

static talus_coordinate *kept(law_scope *s)
{
    talus_coordinate *reads = tl_arena_alloc(s->b->scene->arena, (size_t)s->count + 1, sizeof *reads);
    if (reads) memcpy(reads, s->reads, (size_t)s->count * sizeof *reads);
    return reads;
}

talus_status tl_build_law(tl_builder *b, const tl_node *mechanism, const tl_node *force, bool angle, talus_joint_force_def *d)
{
    law_scope s = {.b = b, .mechanism = mechanism};
    const tl_node *joint = tl_reference_joint(b, tl_node_get(force, "joint"));
    law *l = tl_arena_zero(b->scene->arena, 1, sizeof *l);
    if (!l || !joint) return l ? TALUS_INPUT : TALUS_MEMORY;
    l->memory = b->stage;
    (void)read_index(&s, joint, d->coordinate); /* the first of all: q and v */
    TL_TRY(compile_all(&s, l, force, angle ? "N m" : "N", angle ? "rad" : "m"));
    if (!l->base && !l->piece) return TALUS_OK;
    l->slopes = s.count;
    if (s.count == 1 && !s.states) {
        d->law = (talus_force_law){.value = own_value, .user = l, .slope = own_slope};
        return TALUS_OK;
    }
    d->coupled = (talus_coupled_law){.value = coupled_value, .user = l, .slopes = coupled_slopes, .reads = kept(&s), .count = s.count};
    return d->coupled.reads ? TALUS_OK : TALUS_MEMORY;
}

/* ---- states ---------------------------------------------------------------------------------------------------------- */

const char *tl_said_unit(const tl_builder *b, const char *unit)
{
    double factor;
    tl_dimension dimension;
    char bad[32];
    if (!tl_unit_parse(unit, &factor, &dimension, bad) || factor == 1) return unit;
    char *said = tl_arena_zero(b->scene->arena, 64, 1);
    if (said) tl_dimension_unit(dimension, said);
    return said ? said : "?";
}

void tl_check_number(tl_builder *b, const tl_node *value, const char *unit)
{
    double factor = 1;
    tl_dimension dimension;
    char bad[32], *end;
    if (!value || !tl_unit_parse(unit, &factor, &dimension, bad) || factor == 1) return;
    const tl_node *rows = value->kind == NODE_MAP ? tl_node_get(value, "table") : NULL;
    for (int i = 0; rows && rows->kind == NODE_LIST && i < rows->count; i++)
        if (rows->item[i]->kind == NODE_LIST && rows->item[i]->count == 2) tl_check_number(b, rows->item[i]->item[1], unit);
    if (value->kind != NODE_SCALAR) return;
    const double number = strtod(value->text, &end);
    if (end != value->text && *end == '\0' && number != 0 && isfinite(number))
        tl_mistake(&b->scene->mistakes, TALUS_INPUT, value,
                   "beside the unit %s it is not clear whether %s is in that or in SI, as numbers alone are: write '%s %s'", unit, value->text, value->text,
                   unit);
}

const char *tl_state_unit(const tl_builder *b, const char *name)
{
    const tl_node *state = tl_mechanism_part(b, "states", name);
    return state ? tl_said_unit(b, tl_word(state, "unit", "1")) : "1";
}

/* Its numbers and its rate; false: something is wrong, which is said. */
static bool read_state(tl_builder *b, const tl_node *mechanism, const tl_node *node, talus_state_def *d, law_scope *s, law *l)
{
    const int before = b->scene->mistakes.count;
    const char *unit = tl_word(node, "unit", "1");
    char per_second[96], bad[32];
    double factor;
    tl_dimension dimension;
    if (!tl_unit_parse(unit, &factor, &dimension, bad)) {
        tl_mistake(&b->scene->mistakes, TALUS_INPUT, tl_node_get(node, "unit"), "'%.31s' is not a known unit", bad);
        return false;
    }
    snprintf(per_second, sizeof per_second, "%.80s/s", unit);
    *s = (law_scope){.b = b, .mechanism = mechanism};
    *d = talus_state_def_default();
    d->name = node->key, d->unit = tl_said_unit(b, unit);
    tl_check_number(b, tl_node_get(node, "start"), unit);
    d->start = tl_quantity(b->r, tl_node_get(node, "start"), strcmp(unit, "1") == 0 ? "" : unit, 0, true);
    if (tl_node_get(node, "rate")) l->base = compile(s, tl_node_get(node, "rate"), per_second, NULL);
    l->is_rate = true;
    l->slopes = map_of(mechanism, "states")->count;
    return b->scene->mistakes.count == before && l->base;
}

talus_status tl_build_states(tl_builder *b, const tl_node *mechanism)
{
    const tl_node *states = map_of(mechanism, "states");
    talus_status first = TALUS_OK;
    for (int i = 0; i < states->count; i++) {
        talus_state_def d;
        law_scope s;
        int number;
        law *l = tl_arena_zero(b->scene->arena, 1, sizeof *l);
        if (!l) return TALUS_MEMORY;
        if (!read_state(b, mechanism, states->item[i], &d, &s, l)) {
            first = TALUS_INPUT;
            continue;
        }
        d.rate = (talus_coupled_law){.value = coupled_value, .user = l, .slopes = coupled_slopes, .reads = kept(&s), .count = s.count};
        if (!d.rate.reads) return TALUS_MEMORY;
        const talus_status status = tl_build_check(b, talus_mechanism_add_state(b->world, b->mechanism, &d, &number), states->item[i]);
        if (first == TALUS_OK) first = status;
    }
    return first;
}

void tl_check_laws(tl_builder *b, const tl_node *mechanism)
{
    const tl_node *states = map_of(mechanism, "states"), *forces = map_of(mechanism, "forces");
    for (int i = 0; i < states->count; i++) {
        talus_state_def d;
        law_scope s;
        (void)read_state(b, mechanism, states->item[i], &d, &s, &(law){.is_rate = true});
    }
    for (int i = 0; i < forces->count; i++) {
        const tl_node *reference = tl_node_get(forces->item[i], "joint");
        if (!reference || reference->kind != NODE_SCALAR || !tl_reference_joint(b, reference)) continue; /* said elsewhere */
        const bool angle = strcmp(tl_coordinate_unit(b, reference, -1), "rad") == 0;
        law_scope s = {.b = b, .mechanism = mechanism};
        (void)read_index(&s, tl_reference_joint(b, reference), tl_joint_coordinate_of(b, reference));
        (void)compile_all(&s, &(law){.base = NULL}, forces->item[i], angle ? "N m" : "N", angle ? "rad" : "m");
    }
}

/* ---- probes that laws read ------------------------------------------------------------------------------------------- */

talus_status tl_build_law_memory(tl_builder *b)
{
    const talus_scene *s = b->scene;
    if (s->law_probe_count == 0) return TALUS_OK;
    const talus_field shape = {.name = PROBES,
                               .unit = "of each its own",
                               .meaning = "values of the probes that laws read, of the last step",
                               .type = TALUS_FIELD_DOUBLE,
                               .rows = (size_t)s->law_probe_count,
                               .columns = 1};
    return tl_build_check(b, talus_state_add(b->world, &shape), s->root);
}

talus_status tl_build_law_probes(tl_builder *b)
{
    talus_scene *s = b->scene;
    for (int i = 0; i < s->law_probe_count; i++) {
        tl_law_probe *p = &s->law_probes[i];
        p->probe = -1;
        for (int k = 0; k < s->probe_count; k++)
            if (strcmp(s->probes[k].name, p->name) == 0) p->probe = k;
        if (p->probe >= 0) continue;
        tl_mistake(&s->mistakes, TALUS_INPUT, p->law, "probe '%.80s' has no such cell", p->name);
        return TALUS_INPUT;
    }
    return TALUS_OK;
}

void tl_laws_look(const talus_scene *s, const talus_world *w)
{
    double *values = talus_state_data(w, PROBES), *fresh = values ? calloc((size_t)s->law_probe_count + 1, sizeof *fresh) : NULL;
    double *to = fresh ? fresh : values;
    for (int i = 0; to && i < s->law_probe_count; i++) to[i] = talus_scene_probe_value(s, w, s->law_probes[i].probe);
    for (int i = 0; fresh && i < s->law_probe_count; i++) values[i] = fresh[i]; /* all at once: probes of inputs read them, too */
    free(fresh);
}
