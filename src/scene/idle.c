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

/* The next condition of a key, and the key whose words it lists; NULL: there are no more. */
static const char *next_condition(const char *after, char other[32])
{
    const char *p = after + strspn(after, "; ");
    const size_t name = strcspn(p, ":");
    snprintf(other, 32, "%.*s", (int)name, p);
    return *p ? p + name + 2 : NULL;
}

bool tl_key_goes(const tl_key *key, const char *other, const char *word)
{
    char of[32];
    for (const char *p = key->when; p && (p = next_condition(p, of)); p += strcspn(p, ";"))
        if (strcmp(of, other) == 0) return is_among(p, strcspn(p, ";"), word);
    return true;
}

const tl_node *tl_key_idles(const tl_node *map, const tl_key *key)
{
    char other[32];
    for (const char *p = key->when; p && (p = next_condition(p, other)); p += strcspn(p, ";")) {
        const tl_node *word = tl_node_get(map, other);
        if (word && word->kind == NODE_SCALAR && !tl_key_goes(key, other, word->text)) return word;
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
