/* Inputs of a scene: numbers that functions of time and laws name as input.NAME, and that a program may set between steps. Whether each is set, and to what,
 * is an array of the world's state. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "scene/build.h"

static const char SET[] = "inputs/set";

static const tl_node *nodes_of(const tl_node *root)
{
    static const tl_node EMPTY = {.kind = NODE_MAP};
    const tl_node *inputs = tl_node_get(root, "inputs");
    return inputs && inputs->kind == NODE_MAP ? inputs : &EMPTY;
}

static const char *unit_of(const tl_node *node) { return tl_word(node, "unit", "1"); }

/* "": of a number. */
static const char *dimension_word(const tl_node *node) { return strcmp(unit_of(node), "1") == 0 ? "" : unit_of(node); }

void tl_inputs_name(tl_reading *r)
{
    static const double NOT_SET[2] = {0, 0};
    const tl_node *inputs = nodes_of(r->root);
    tl_input *none = tl_arena_zero(r->arena, 1, sizeof *none);
    r->input_count = 0;
    if (!none) {
        tl_mistake(r->mistakes, TALUS_MEMORY, inputs, "memory ran out");
        return;
    }
    none->set = NOT_SET;
    for (int i = 0; i < inputs->count; i++) {
        const tl_node *node = inputs->item[i];
        const size_t length = strlen(node->key) + 8;
        char *name = tl_arena_alloc(r->arena, length, 1), bad[32];
        tl_dimension dimension;
        double factor;
        if (!name) {
            tl_mistake(r->mistakes, TALUS_MEMORY, node, "memory ran out");
            return;
        }
        snprintf(name, length, "input.%s", node->key);
        if (!tl_unit_parse(unit_of(node), &factor, &dimension, bad)) {
            tl_mistake(r->mistakes, TALUS_INPUT, tl_node_get(node, "unit"), "'%.31s' is not a known unit", bad);
            dimension = (tl_dimension){0};
        }
        r->names[r->name_count + r->input_count++] = (tl_name){.name = name, .dimension = dimension, .kind = TL_NAME_INPUT, .input = none};
    }
}

static int stages_of(const tl_builder *b)
{
    const tl_node *stages = tl_node_get(b->scene->root, "stages");
    return stages && stages->kind == NODE_MAP ? stages->count : 0;
}

/* What a stage makes of an input, −1: what it is without one; NULL: nothing. */
static const tl_node *value_in(const tl_builder *b, const tl_node *node, int stage)
{
    if (stage < 0) return tl_node_get(node, "value");
    return tl_node_get(tl_node_get(tl_node_get(tl_node_get(b->scene->root, "stages")->item[stage], "inputs"), node->key), "value");
}

/* A function; tables are read when the world is built. */
static void check_value(tl_builder *b, const tl_node *value, const char *unit, const double *stage_start)
{
    if (!value || value->kind != NODE_SCALAR) return;
    b->r->no_inputs = true, b->r->stage_start = stage_start;
    (void)tl_build_probed(b, value, unit);
    b->r->no_inputs = false, b->r->stage_start = NULL;
}

void tl_check_inputs(tl_builder *b)
{
    static const double START = 0;
    const tl_node *inputs = nodes_of(b->scene->root);
    for (int i = 0; i < inputs->count; i++)
        for (int stage = -1; stage < stages_of(b); stage++)
            check_value(b, value_in(b, inputs->item[i], stage), dimension_word(inputs->item[i]), stage < 0 ? NULL : &START);
}

talus_status tl_build_inputs(tl_builder *b)
{
    talus_scene *s = b->scene;
    const tl_node *inputs = nodes_of(s->root);
    const int count = inputs->count, before = s->mistakes.count;
    if (count == 0) return TALUS_OK;
    const talus_field shape = {.name = SET,
                               .unit = "1, and of each its own",
                               .meaning = "of each input: is it set, and to what",
                               .type = TALUS_FIELD_DOUBLE,
                               .rows = (size_t)count,
                               .columns = 2};
    TL_TRY(tl_build_check(b, talus_state_add(b->world, &shape), s->root));
    tl_input *input = tl_arena_zero(s->arena, (size_t)count, sizeof *input);
    if (!input) return TALUS_MEMORY;
    for (int i = 0; i < count; i++) {
        const tl_node *node = inputs->item[i];
        for (int stage = -1; stage < stages_of(b); stage++) tl_check_number(b, value_in(b, node, stage), unit_of(node));
        const tl_stageable value = {tl_node_get(node, "value"), "inputs", node->key, "value", dimension_word(node), false};
        input[i] = (tl_input){node->key, tl_build_staged(b, &value), (double *)talus_state_data(b->world, SET) + 2 * i};
    }
    for (int i = 0; i < count && i < b->r->input_count; i++) b->r->names[b->r->name_count + i].input = &input[i];
    s->inputs = input, s->input_count = count;
    return s->mistakes.count > before ? TALUS_INPUT : TALUS_OK;
}

/* ---- probes ---------------------------------------------------------------------------------------------------------- */

talus_status tl_read_input_probe(tl_builder *b, const tl_node *node, tl_probe *p)
{
    p->scene = b->scene;
    p->input = talus_scene_input_find(b->scene, tl_node_get(node, "input")->text);
    return TALUS_OK;
}

const char *tl_input_probe_unit(tl_builder *b, const tl_node *node, const char *quantity)
{
    const tl_node *name = tl_node_get(node, "input"), *input = name && name->kind == NODE_SCALAR ? tl_node_get(nodes_of(b->scene->root), name->text) : NULL;
    (void)quantity;
    return input ? tl_said_unit(b, unit_of(input)) : "1";
}

double tl_input_probe_value(const talus_world *w, const tl_group *g, const tl_probe *p)
{
    (void)g;
    return talus_scene_input_value(p->scene, w, p->input);
}

/* ---- the public face ------------------------------------------------------------------------------------------------- */

int talus_scene_input_count(const talus_scene *s) { return s && s->root ? nodes_of(s->root)->count : 0; }

const char *talus_scene_input_name(const talus_scene *s, int index)
{
    return index >= 0 && index < talus_scene_input_count(s) ? nodes_of(s->root)->item[index]->key : "";
}

const char *talus_scene_input_unit(const talus_scene *s, int index)
{
    return index >= 0 && index < talus_scene_input_count(s) ? unit_of(nodes_of(s->root)->item[index]) : "";
}

int talus_scene_input_find(const talus_scene *s, const char *name)
{
    for (int i = 0; name && i < talus_scene_input_count(s); i++)
        if (strcmp(talus_scene_input_name(s, i), name) == 0) return i;
    return -1;
}

/* Of this world; NULL: there is none. */
static double *set_of(const talus_scene *s, const talus_world *w, int index)
{
    double *all = s && w && index >= 0 && index < s->input_count ? talus_state_data(w, SET) : NULL;
    return all ? all + 2 * index : NULL;
}

double talus_scene_input_value(const talus_scene *s, const talus_world *w, int index)
{
    const double *set = set_of(s, w, index);
    double out[3] = {0, 0, 0};
    if (!set) return (double)NAN;
    if (set[0] != 0) return set[1];
    const talus_motion *motion = &s->inputs[index].motion;
    if (motion->value) motion->value(motion->user, talus_world_time(w), out);
    return out[0];
}

talus_status talus_scene_input_set(const talus_scene *s, talus_world *w, int index, double value)
{
    double *set = set_of(s, w, index);
    if (!set || !isfinite(value)) return TALUS_INPUT;
    set[0] = 1, set[1] = value;
    return TALUS_OK;
}

talus_status talus_scene_input_release(const talus_scene *s, talus_world *w, int index)
{
    double *set = set_of(s, w, index);
    if (!set) return TALUS_INPUT;
    set[0] = set[1] = 0;
    return TALUS_OK;
}
