/* Functions of time that stages may change (docs/scene.md, stages). The library sees one function from start to end; it looks up which stage it is.
 *
 * A speed or a force is the last one that was set. A position moves on: it is what the stage before made of it when this one began, plus the change
 * of this stage's function since then. So it never jumps, whenever a stage begins, and only the times at which stages began are state. */
#include <string.h>

#include "scene/build.h"

typedef struct staged {
    tl_stage_memory memory;
    bool moves;
    talus_motion base;
    talus_motion *piece; /* [stages] {NULL}: the stage does not set it */
    bool *is_table;      /* [stages] tables count the time since their stage began */
} staged;

static void piece_at(const staged *s, int stage, double t, double out[3])
{
    const talus_motion *motion = stage < 0 ? &s->base : &s->piece[stage];
    out[0] = out[1] = out[2] = 0;
    if (motion->value) motion->value(motion->user, stage >= 0 && s->is_table[stage] ? t - s->memory.span[stage][0] : t, out);
}

static void value_in(const staged *s, int stage, double t, double out[3])
{
    while (stage >= 0 && !s->piece[stage].value) stage--;
    piece_at(s, stage, t, out);
    if (stage < 0 || !s->moves) return;
    double first[3], before[3];
    const double since = s->memory.span[stage][0];
    piece_at(s, stage, since, first);
    value_in(s, stage - 1, since, before);
    out[0] = before[0] + (out[0] - first[0]);
}

static void staged_value(void *user, double t, double out[3])
{
    const staged *s = user;
    value_in(s, (int)s->memory.now[0], t, out);
}

/* What a stage says of a thing: stages.*.PART.NAME.KEY, of bodies stages.*.bodies.NAME.motion.KEY. */
static const tl_node *said(const tl_node *stage, const char *part, const char *name, const char *key)
{
    const tl_node *thing = tl_node_get(tl_node_get(stage, part), name);
    return tl_node_get(strcmp(part, "bodies") == 0 ? tl_node_get(thing, "motion") : thing, key);
}

/* A drive keeps its kind; a target needs the spring that pulls to it. */
static bool is_allowed(tl_builder *b, const tl_node *stage, const tl_node *base, const char *part, const char *name, bool moves)
{
    const bool drive = strcmp(part, "drives") == 0;
    const tl_node *wrong = drive ? said(stage, part, name, moves ? "speed" : "move") : NULL;
    if (wrong)
        tl_mistake_key(&b->scene->mistakes, TALUS_INPUT, wrong, "drive '%.80s' has a %s: a stage gives it a '%s'", name, moves ? "position" : "speed",
                       moves ? "move" : "speed");
    const tl_node *target = strcmp(part, "forces") == 0 && !base ? said(stage, part, name, "target") : NULL;
    if (target) tl_mistake_key(&b->scene->mistakes, TALUS_INPUT, target, "force '%.80s' has no target of its own that a stage could change", name);
    return !wrong && !target;
}

static bool is_input(const tl_stageable *what) { return strcmp(what->part, "inputs") == 0; }

/* Of functions inputs alone, and those of circuits, name probes. */
static talus_motion read_piece(tl_builder *b, const tl_stageable *what, const tl_node *node)
{
    return is_input(what) ? tl_build_probed(b, node, what->unit) : tl_build_motion(b, node, what->unit);
}

static talus_motion build_staged(tl_builder *b, const tl_stageable *what)
{
    const tl_node *base = what->base;
    const char *part = what->part, *name = what->name, *key = what->key, *unit = what->unit;
    const bool moves = what->moves;
    const talus_motion own = read_piece(b, what, base);
    const bool drives = moves && strcmp(part, "drives") == 0;
    const tl_node *stages = tl_node_get(b->scene->root, "stages");
    const int count = b->scene->stage_count, before = b->scene->mistakes.count;
    staged *s = NULL;
    if (drives && base) tl_build_check_corners(b, base, own, unit);
    for (int i = 0; i < count; i++) {
        const tl_node *node = said(stages->item[i], part, name, key);
        if (!is_allowed(b, stages->item[i], base, part, name, moves) || !node) continue;
        if (!s) {
            s = tl_arena_zero(b->scene->arena, 1, sizeof *s);
            if (!s) return own;
            *s = (staged){.memory = b->stage, .moves = moves, .base = own};
            s->piece = tl_arena_zero(b->scene->arena, (size_t)count, sizeof *s->piece);
            s->is_table = tl_arena_zero(b->scene->arena, (size_t)count, sizeof *s->is_table);
            if (!s->piece || !s->is_table) return own;
        }
        b->r->stage_start = b->stage.span[i];
        s->piece[i] = read_piece(b, what, node);
        b->r->stage_start = NULL;
        s->is_table[i] = node->kind != NODE_SCALAR;
        if (drives) tl_build_check_corners(b, node, s->piece[i], unit);
    }
    if (b->scene->mistakes.count > before) return (talus_motion){NULL, NULL};
    return s ? (talus_motion){staged_value, s} : own;
}

talus_motion tl_build_staged(tl_builder *b, const tl_stageable *what)
{
    b->r->no_inputs = what->moves || is_input(what);
    const talus_motion out = build_staged(b, what);
    b->r->no_inputs = false;
    return out;
}

talus_motion tl_build_path(tl_builder *b, const tl_node *node, const char *unit)
{
    b->r->no_inputs = true;
    const talus_motion out = tl_build_motion(b, node, unit);
    b->r->no_inputs = false;
    return out;
}
