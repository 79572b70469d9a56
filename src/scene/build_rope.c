/* Ropes, and what names one of several: ballast.17, chain.3. */
#include <stdlib.h>
#include <string.h>

#include "scene/build.h"

/* Number of the member that "name.number" says, from 1; 0: it is not of that name. A name may have dots of its own. */
static long member_of(const char *name, const char *text)
{
    const size_t length = strlen(name);
    char *end;
    if (strncmp(name, text, length) != 0 || text[length] != '.' || strchr(text + length + 1, '.')) return 0;
    const long number = strtol(text + length + 1, &end, 10);
    return end != text + length + 1 && *end == '\0' && number > 0 ? number : -1;
}

static talus_status no_member(tl_builder *b, const tl_node *node, const char *name, int count)
{
    tl_mistake(&b->scene->mistakes, TALUS_INPUT, node, "'%.80s': there are %d, the first is %s.1", node->text, count, name);
    return TALUS_INPUT;
}

int tl_build_group_named(const tl_builder *b, const tl_node *name)
{
    for (int i = 0; i < b->scene->group_count; i++)
        if (strcmp(b->scene->groups[i].name, name->text) == 0) return i;
    return 0;
}

talus_status tl_build_grain_named(tl_builder *b, const tl_node *node, talus_body_id *out)
{
    *out = tl_build_body_named(b, node);
    for (int i = 0; node && out->index1 == 0 && i < b->scene->group_count; i++) {
        const tl_group *g = &b->scene->groups[i];
        const long member = member_of(g->name, node->text);
        if (member == 0) continue;
        if (member < 0 || member > g->count) return no_member(b, node, g->name, g->count);
        *out = talus_body_at(b->world, g->first + (int)member - 1);
    }
    return TALUS_OK;
}

talus_status tl_build_rope_named(tl_builder *b, const tl_node *node, tl_probe *p)
{
    for (int i = 0; i < b->scene->rope_count; i++) {
        const tl_rope_group *g = &b->scene->ropes[i];
        const long member = strcmp(g->name, node->text) == 0 ? 1 : member_of(g->name, node->text);
        if (member == 0) continue;
        if (member < 0 || member > g->count) return no_member(b, node, g->name, g->count);
        const int first = g->first + ((int)member - 1) * (g->pulls && g->pushes ? 2 : 1);
        p->rope = g->pulls ? first : -1;
        p->strut = g->pushes ? first + g->pulls : -1;
        p->tackle1 = g->tackle1;
    }
    return TALUS_OK;
}

static talus_status wrong(tl_builder *b, const tl_node *node, const char *text)
{
    tl_mistake_key(&b->scene->mistakes, TALUS_INPUT, node, "%s", text);
    return TALUS_INPUT;
}

/* A rope, a strut, or for a rod one behind the other. */
static talus_status tie(tl_builder *b, const tl_node *node, const tl_rope_group *g, talus_rope_def *d)
{
    d->kind = TALUS_ROPE_PULLS;
    if (g->pulls) TL_TRY(tl_build_check(b, talus_rope_create(b->world, d), node));
    d->kind = TALUS_ROPE_PUSHES;
    return g->pushes ? tl_build_check(b, talus_rope_create(b->world, d), node) : TALUS_OK;
}

/* Over pulleys: all of `bodies`, from one end to the other. */
static talus_status build_tackle(tl_builder *b, const tl_node *node, tl_rope_group *g)
{
    const tl_node *bodies = tl_node_get(node, "bodies"), *at = tl_node_get(node, "at");
    const size_t n = (size_t)bodies->count;
    talus_tackle_def d = talus_tackle_def_default();
    talus_body_id *body = tl_arena_zero(b->scene->arena, n, sizeof *body);
    double(*point)[3] = tl_arena_zero(b->scene->arena, n, sizeof *point);
    if (!body || !point) return TALUS_MEMORY;
    if (g->pushes) return wrong(b, node, "only a rope runs over pulleys, no strut or rod");
    if (at && (at->kind != NODE_LIST || at->count > bodies->count)) return wrong(b, at, "'at' has a point for each of 'bodies', no more");
    for (int i = 0; i < bodies->count; i++) {
        TL_TRY(tl_build_grain_named(b, bodies->item[i], &body[i]));
        if (at && i < at->count) tl_vector(b, at->item[i], "m", point[i]);
    }
    d.count = bodies->count, d.bodies = body, d.points = (const double(*)[3])point;
    d.length = tl_quantity(b->r, tl_node_get(node, "length"), "m", 0, false);
    g->tackle1 = 1 + talus_tackle_count(b->world);
    return tl_build_check(b, talus_tackle_create(b->world, &d), node);
}

static talus_status build_rope(tl_builder *b, const tl_node *node, tl_rope_group *g)
{
    const tl_node *bodies = tl_node_get(node, "bodies"), *at = tl_node_get(node, "at");
    const tl_node *name = tl_node_get(node, "along");
    const tl_group *along = name ? &b->scene->groups[tl_build_group_named(b, name)] : NULL;
    talus_rope_def d = talus_rope_def_default();
    const int named = !bodies ? 0 : bodies->kind == NODE_LIST ? bodies->count : 1, points = at && at->kind == NODE_LIST ? at->count : 0;
    if (!along && named > 2 && bodies->kind == NODE_LIST) return build_tackle(b, node, g);
    if (along ? named > 1 : named != 2)
        return wrong(b, bodies ? bodies : node,
                     along ? "with 'along', 'bodies' names one body at most: [ceiling]"
                           : "'bodies' names two bodies: [ceiling, ball]; or more, of which a rope runs over those between");
    if (points > named) return wrong(b, at, "'at' has a point for each of 'bodies', no more");
    d.length = tl_quantity(b->r, tl_node_get(node, "length"), "m", 0, false);
    d.stiffness = tl_quantity(b->r, tl_node_get(node, "stiffness"), "N/m", 0, false);
    d.damping = tl_quantity(b->r, tl_node_get(node, "damping"), "N s/m", 0, false);
    for (int i = 0; i < points; i++) tl_vector(b, at->item[i], "m", i == 0 ? d.point_a : d.point_b);
    if (named > 0) TL_TRY(tl_build_grain_named(b, bodies->kind == NODE_LIST ? bodies->item[0] : bodies, &d.body_a));
    if (!along) {
        TL_TRY(tl_build_grain_named(b, bodies->item[1], &d.body_b));
        return tie(b, node, g, &d);
    }
    for (int i = named > 0 ? 0 : 1; i < along->count; i++) {
        d.body_b = talus_body_at(b->world, along->first + i);
        if (i > 0) {
            d.body_a = talus_body_at(b->world, along->first + i - 1);
            memset(d.point_a, 0, sizeof d.point_a);
        }
        TL_TRY(tie(b, node, g, &d));
    }
    return TALUS_OK;
}

talus_status tl_build_ropes(tl_builder *b)
{
    const tl_node *ropes = tl_node_get(b->scene->root, "ropes");
    const int count = ropes && ropes->kind == NODE_MAP ? ropes->count : 0;
    b->scene->ropes = tl_arena_zero(b->scene->arena, (size_t)count + 1, sizeof *b->scene->ropes);
    if (!b->scene->ropes) return TALUS_MEMORY;
    b->scene->rope_count = count;
    talus_status first = TALUS_OK;
    for (int i = 0; i < count && first != TALUS_MEMORY; i++) { /* also after a wrong one */
        const char *type = tl_word(ropes->item[i], "type", "rope");
        tl_rope_group *g = &b->scene->ropes[i];
        *g = (tl_rope_group){.name = ropes->item[i]->key, .first = talus_rope_count(b->world), .pulls = strcmp(type, "strut") != 0};
        g->pushes = strcmp(type, "rope") != 0;
        const talus_status status = build_rope(b, ropes->item[i], g);
        if (first == TALUS_OK || status == TALUS_MEMORY) first = status;
        g->count = g->tackle1 ? 1 : (talus_rope_count(b->world) - g->first) / (g->pulls && g->pushes ? 2 : 1);
    }
    return first;
}
