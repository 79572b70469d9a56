/* Settings of the world, from a scene's text to talus_world_def, by the table of keys alone. */
#include <string.h>

#include "scene/schema.h"

/* The number of a word among "a b:2 c". */
static unsigned number_of(const char *choices, const char *word)
{
    unsigned number = 0;
    const size_t length = strlen(word);
    for (const char *c = choices; c; c = strchr(c, ' '), number++) {
        if (*c == ' ') c++;
        if (strncmp(c, word, length) == 0 && (c[length] == '\0' || c[length] == ' ' || c[length] == ':')) return number;
    }
    return 0; /* the check has said what is wrong */
}

static void take_word(const tl_key *key, const char *word, void *to)
{
    const unsigned number = key->words ? 0 : number_of(key->choices, word);
    if (key->words) memcpy(to, &word, sizeof word);
    else memcpy(to, &number, sizeof number); /* an enum */
}

static void take(tl_reading *r, const tl_key *key, const tl_node *node, void *to)
{
    if (key->type == KEY_QUANTITY) *(double *)to = tl_quantity(r, node, key->unit, *(double *)to, false);
    else if (key->type == KEY_COUNT) *(int *)to = (int)tl_quantity(r, node, "", *(int *)to, false);
    else if (node->kind != NODE_SCALAR) return;
    else if (key->type == KEY_FLAG) *(bool *)to = strcmp(node->text, "true") == 0;
    else if (key->type == KEY_WORD) take_word(key, node->text, to);
}

void tl_read_settings(tl_reading *r, const tl_node *map, const tl_key *keys, talus_world_def *def)
{
    for (const tl_key *k = keys; map && k->name; k++) {
        const tl_node *node = tl_node_get(map, k->name);
        if (node && k->at > 0) take(r, k, node, (char *)def + k->at);
        if (node && k->type == KEY_OBJECT) tl_read_settings(r, node, k->sub, def);
    }
}
