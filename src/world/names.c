/* Bodies by their names: a hash table with linear probing, for scenes of many thousand names. A body that is taken back leaves its entry, which then
 * leads to no body, or to one of another name: every find compares. */
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
