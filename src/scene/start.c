/* What a scene says of its start, and what became of it: bodies in one another. */
#include <math.h>
#include <stdio.h>

#include "scene/build.h"

enum { NAMED = 5 }; /* of many pairs as many are named */

/* "body 'lid'", "grain 17 of 'ballast'", "body 3". */
static void describe(const tl_builder *b, talus_body_id id, char text[160])
{
    const char *name = talus_body_name(b->world, id);
    snprintf(text, 160, "body %u", (unsigned)id.index1 - 1);
    if (*name) snprintf(text, 160, "body '%.100s'", name);
    for (int i = 0; i < b->scene->group_count; i++) {
        const tl_group *g = &b->scene->groups[i];
        const int member = (int)id.index1 - g->first;
        if (member >= 1 && member <= g->count) snprintf(text, 160, "grain %d of '%.100s'", member, g->name);
    }
}

/* Where the scene speaks of a body: its own key, or that of its group. */
static const tl_node *node_of(const tl_builder *b, talus_body_id id)
{
    const tl_node *root = b->scene->root, *mechanisms = tl_node_get(root, "mechanisms"), *node;
    const char *name = talus_body_name(b->world, id);
    for (int i = 0; i < b->scene->group_count; i++) {
        const tl_group *g = &b->scene->groups[i];
        if ((int)id.index1 > g->first && (int)id.index1 <= g->first + g->count) return tl_node_get(tl_node_get(root, "grains"), g->name);
    }
    if ((node = tl_node_get(tl_node_get(root, "bodies"), name))) return node;
    for (int i = 0; mechanisms && mechanisms->kind == NODE_MAP && i < mechanisms->count; i++)
        if ((node = tl_node_get(tl_node_get(mechanisms->item[i], "bodies"), name))) return node;
    return root;
}

static void overlap_text(const tl_builder *b, const talus_overlap *o, char *text, size_t size)
{
    char one[160], other[160], z[32] = "";
    describe(b, o->a, one);
    describe(b, o->b, other);
    if (talus_world_dimension(b->world) == 3) snprintf(z, sizeof z, ", %.4g", o->point[2]);
    snprintf(text, size, "%s and %s overlap by %.3g m at [%.4g, %.4g%s]", one, other, o->depth, o->point[0], o->point[1], z);
}

/* The later of the two is what was put into the other. */
static const tl_node *place_of(const tl_builder *b, const talus_overlap *o)
{
    const tl_node *node = node_of(b, o->b);
    return node != b->scene->root ? node : node_of(b, o->a);
}

talus_status tl_build_check_overlaps(tl_builder *b)
{
    talus_overlap list[NAMED];
    int count;
    char text[512], line[2048];
    if (talus_world_overlaps(b->world, list, NAMED, &count) != TALUS_OK) return TALUS_OK; /* what is wrong, the first step says with its time */
    talus_status status = TALUS_OK;
    for (int i = 0; i < count && i < NAMED; i++) {
        const tl_node *node = place_of(b, &list[i]);
        overlap_text(b, &list[i], text, sizeof text);
        if (list[i].share > 1) {
            tl_mistake_key(&b->scene->mistakes, TALUS_INPUT, node, "%s at the start: the middle of the thinner one lies in the other; move them apart", text);
            status = TALUS_INPUT;
        } else {
            snprintf(line, sizeof line, "%.800s:%d:%d: warning: %s at the start; the first steps push them apart", node->file, node->key_line, node->key_column,
                     text);
            talus_world_warn(b->world, line);
        }
    }
    if (count <= NAMED) return status;
    snprintf(line, sizeof line, "%.800s: warning: %d pairs of bodies overlap at the start; the worst %d are named", b->scene->path, count, NAMED);
    if (status == TALUS_OK) talus_world_warn(b->world, line);
    else tl_mistake(&b->scene->mistakes, status, b->scene->root, "%d pairs of bodies overlap at the start; the worst %d are named", count, NAMED);
    return status;
}
