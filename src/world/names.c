/* Bodies by their names, and groups of them that have one together. Names are in a hash table with linear probing, for scenes of many thousand names. A body
 * that is taken back leaves its entry, which then leads to no body, or to one of another name: every find compares. */
#include <stdio.h>
#include <string.h>

#include "world/world.h"

static int slot_of(const talus_world *w, const char *name) { return (int)(tl_hash(name, strlen(name), 0) & (uint64_t)(w->name_room - 1)); }

static void insert(talus_world *w, int body)
{
    int i = slot_of(w, w->body[body].name);
    while (w->name_slot[i] != 0) i = (i + 1) & (w->name_room - 1);
    w->name_slot[i] = (uint32_t)body + 1;
}

talus_status tl_world_index_name(talus_world *w)
{
    const int last = w->bodies - 1;
    if (!w->body[last].name) return TALUS_OK;
    if (2 * (last + 2) <= w->name_room) {
        insert(w, last);
        return TALUS_OK;
    }
    const int room = w->name_room ? 2 * w->name_room : 64;
    uint32_t *larger = tl_alloc(w->memory, (size_t)room, sizeof *larger);
    if (!larger) return TALUS_MEMORY;
    memset(larger, 0, (size_t)room * sizeof *larger);
    tl_free(w->memory, w->name_slot);
    w->name_slot = larger;
    w->name_room = room;
    for (int i = 0; i <= last; i++)
        if (w->body[i].name) insert(w, i);
    return TALUS_OK;
}

talus_body_id talus_body_find(const talus_world *w, const char *name)
{
    if (!name || !*name || w->name_room == 0) return (talus_body_id){0};
    for (int i = slot_of(w, name); w->name_slot[i] != 0; i = (i + 1) & (w->name_room - 1)) {
        const int body = (int)w->name_slot[i] - 1;
        if (body < w->bodies && w->body[body].name && strcmp(w->body[body].name, name) == 0) return talus_body_at(w, body);
    }
    return (talus_body_id){0};
}

/* ---- groups --------------------------------------------------------------------------------------------------------------------- */

talus_status talus_world_name_group(talus_world *w, const char *name, int count)
{
    if (!w || !name || !*name || count < 0 || count > w->bodies) return TALUS_INPUT;
    if (tl_grow(w->memory, &w->group, &w->group_capacity, w->groups + 1, sizeof *w->group) != TALUS_OK) return tl_world_out_of_memory(w);
    char *copy = tl_strdup(w->memory, name);
    if (!copy) return tl_world_out_of_memory(w);
    w->group[w->groups++] = (tl_body_group){copy, w->bodies - count, count};
    return TALUS_OK;
}

int talus_group_count(const talus_world *w) { return w ? w->groups : 0; }

const char *talus_group_at(const talus_world *w, int group, int *first, int *count)
{
    *first = *count = 0;
    if (!w || group < 0 || group >= w->groups) return NULL;
    *first = w->group[group].first, *count = w->group[group].count;
    return w->group[group].name;
}

/* NULL: it is of none. */
static const tl_body_group *group_of(const talus_world *w, int body)
{
    for (int i = 0; i < w->groups; i++)
        if (body >= w->group[i].first && body - w->group[i].first < w->group[i].count) return &w->group[i];
    return NULL;
}

const char *tl_world_describe(const talus_world *w, int body, char text[128])
{
    const tl_body_group *group = group_of(w, body);
    if (body >= 0 && body < w->bodies && w->body[body].name) snprintf(text, 128, "body '%.100s'", w->body[body].name);
    else if (body >= 0 && body + 1 == (int)w->rope_ground) snprintf(text, 128, "the ground");
    else if (group) snprintf(text, 128, "body '%.90s.%d'", group->name, body - group->first + 1);
    else snprintf(text, 128, "body %d", body);
    return text;
}
