/* Keys that go with some words of another key only. */
#include <string.h>

#include "scene/schema.h"

const tl_node *tl_key_idles(const tl_node *map, const tl_key *key)
{
    const char *words = key->when ? strchr(key->when, ':') : NULL;
    char other[32] = "";
    if (!words || words - key->when >= (ptrdiff_t)sizeof other) return NULL;
    memcpy(other, key->when, (size_t)(words - key->when));
    const tl_node *word = tl_node_get(map, other);
    if (!word || word->kind != NODE_SCALAR) return NULL;
    const size_t length = strlen(word->text);
    for (const char *p = strchr(words, ' '); p; p = strchr(p + 1, ' '))
        if (strncmp(p + 1, word->text, length) == 0 && (p[1 + length] == ' ' || p[1 + length] == '\0')) return NULL;
    return word;
}

/* The key of an included file beside a word that another file has put there. */
static bool is_superseded(const char *path, const tl_node *map, const tl_node *node, const tl_key *key)
{
    const tl_node *word = tl_key_idles(map, key);
    return word && strcmp(word->file, node->file) != 0 && strcmp(path, node->file) != 0 && node->line > 0;
}

void tl_schema_supersede(tl_node *root, const char *path)
{
    tl_key room;
    for (int i = 0; i < root->count; i++) {
        const tl_node *things = root->item[i];
        const tl_key *k = tl_schema_find(TL_SCENE_KEYS, things->key, &room);
        for (int n = 0; k && k->type == KEY_NAMED && things->kind == NODE_MAP && n < things->count; n++) {
            tl_node *thing = things->item[n];
            int kept = 0;
            for (int m = 0; thing->kind == NODE_MAP && m < thing->count; m++) {
                const tl_key *own = tl_schema_find(k->sub, thing->item[m]->key, &room);
                if (!own || !is_superseded(path, thing, thing->item[m], own)) thing->item[kept++] = thing->item[m];
            }
            if (thing->kind == NODE_MAP) thing->count = kept;
        }
    }
}
