/* What things of a kind a scene names. */
#include <string.h>

#include "scene/schema.h"

static int add_name(const char *name, const char **names, int count, int capacity)
{
    if (count < capacity) names[count] = name;
    return count + 1;
}

static int keys_of(const tl_node *map, const char **names, int count, int capacity)
{
    for (int i = 0; map && map->kind == NODE_MAP && i < map->count; i++) count = add_name(map->item[i]->key, names, count, capacity);
    return count;
}

int tl_schema_names(const tl_node *root, const char *kind, const char **names, int capacity)
{
    static const char *const MAP[][2] = {{"material", "materials"}, {"solid", "solids"}, {"grains", "grains"}, {"all, or grains", "grains"},
                                         {"rope", "ropes"},         {"probe", "probes"}, {"sink", "sinks"},    {"source", "grains"},
                                         {"stage", "stages"},       {"input", "inputs"}, {"load", "loads"},    {"run", "runs"}};
    int count = 0;
    const tl_node *mechanisms = tl_node_get(root, "mechanisms");
    if (strcmp(kind, "all, or grains") == 0) count = add_name("all", names, count, capacity);
    for (size_t i = 0; i < sizeof MAP / sizeof *MAP; i++)
        if (strcmp(kind, MAP[i][0]) == 0) return keys_of(tl_node_get(root, MAP[i][1]), names, count, capacity);
    if (strcmp(kind, "joint between bodies") == 0) {
        count = keys_of(tl_node_get(root, "joints"), names, 0, capacity);
        for (int i = 0; mechanisms && mechanisms->kind == NODE_MAP && i < mechanisms->count; i++) {
            const tl_node *m = mechanisms->item[i], *coordinates = tl_node_get(m, "coordinates");
            if (!coordinates || coordinates->kind != NODE_SCALAR || strcmp(coordinates->text, "maximal") != 0)
                continue; /* of the others they are written out (maximal.c) */
            count = keys_of(tl_node_get(m, "joints"), names, count, capacity);
            count = keys_of(tl_node_get(m, "loops"), names, count, capacity);
        }
        return count;
    }
    const bool body = strcmp(kind, "body") == 0 || strcmp(kind, "grain") == 0;
    if (body) {
        count = add_name("ground", names, count, capacity);
        count = keys_of(tl_node_get(root, "bodies"), names, count, capacity);
        count = keys_of(tl_node_get(root, "solids"), names, count, capacity);
    }
    const char *part = body                             ? "bodies"
                       : strcmp(kind, "loop") == 0      ? "loops"
                       : strcmp(kind, "coupling") == 0  ? "couplings"
                       : strcmp(kind, "drive") == 0     ? "drives"
                       : strcmp(kind, "force") == 0     ? "forces"
                       : strcmp(kind, "state") == 0     ? "states"
                       : strcmp(kind, "engine") == 0    ? "engines"
                       : strcmp(kind, "converter") == 0 ? "converters"
                                                        : "joints";
    for (int i = 0; mechanisms && mechanisms->kind == NODE_MAP && i < mechanisms->count; i++) {
        count = keys_of(tl_node_get(mechanisms->item[i], part), names, count, capacity);
        if (body || strcmp(part, "joints") == 0) count = keys_of(tl_node_get(mechanisms->item[i], "shafts"), names, count, capacity);
    }
    return count;
}
