/* Keys that go with some words of other keys only, or that stand instead of each other. */
#include <string.h>

#include "scene/schema.h"

/* Is the word among those from `list` on, up to a semicolon or the end? */
static bool is_among(const char *list, size_t length, const char *word)
{
    const size_t n = strlen(word);
    for (const char *p = list; p < list + length; p += strcspn(p, " ;"), p += strspn(p, " "))
        if (strncmp(p, word, n) == 0 && (p + n == list + length || p[n] == ' ')) return true;
    return false;
}

const tl_node *tl_key_idles(const tl_node *map, const tl_key *key)
{
    for (const char *p = key->when; p && *p; p += strspn(p, "; ")) {
        char other[32] = "";
        const size_t name = strcspn(p, ":"), all = strcspn(p, ";");
        if (name < sizeof other) memcpy(other, p, name);
        const tl_node *word = tl_node_get(map, other);
        if (word && word->kind == NODE_SCALAR && !is_among(p + name + 2, all - name - 2, word->text)) return word;
        p += all;
    }
    return NULL;
}

const tl_node *tl_key_rival(const tl_node *map, const tl_key *key)
{
    for (int i = 0; key->instead && i < map->count; i++)
        if (strcmp(map->item[i]->key, key->name) != 0 && is_among(key->instead, strlen(key->instead), map->item[i]->key)) return map->item[i];
    return NULL;
}

/* Does `over` override what `node` says? A setting does so in all files, a file in those that it includes. */
static bool is_over(const tl_node *over, const tl_node *node) { return node->line > 0 && (over->line == 0 || over->depth < node->depth); }

static bool is_superseded(const tl_node *map, const tl_node *node, const tl_key *key)
{
    if (!key) return false;
    const tl_node *word = tl_key_idles(map, key), *rival = tl_key_rival(map, key);
    return (word && is_over(word, node)) || (rival && is_over(rival, node));
}

void tl_schema_supersede(tl_node *root)
{
    tl_key room;
    for (int i = 0; i < root->count; i++) {
        const tl_node *things = root->item[i];
        const tl_key *k = tl_schema_find(TL_SCENE_KEYS, things->key, &room);
        const tl_key *keys = k && k->type == KEY_NAMED && things->kind == NODE_MAP ? k->sub : NULL;
        for (int n = 0; keys && n < things->count; n++) {
            tl_node *thing = things->item[n];
            int kept = 0;
            for (int m = 0; thing->kind == NODE_MAP && m < thing->count; m++)
                if (!is_superseded(thing, thing->item[m], tl_schema_find(keys, thing->item[m]->key, &room))) thing->item[kept++] = thing->item[m];
            if (thing->kind == NODE_MAP) thing->count = kept;
        }
    }
}
