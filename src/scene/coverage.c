/* Which keys of the scene language there are and which a scene uses: what the tests have seen of it (scripts/check-keys.sh). A line is the dimension and
 * "container.key", of words "container.key=word". */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "scene/build.h"

enum { MAX_TABLES = 256 };

typedef struct listing {
    FILE *out;
    int dimension;
    const tl_key *seen[MAX_TABLES]; /* tables may hold themselves: shapes of arrays of shapes */
    int tables;
} listing;

static void put(const listing *l, const char *container, const char *key, const char *word)
{
    fprintf(l->out, "%d %s%s%s%s%s\n", l->dimension, container, *container ? "." : "", key, word ? "=" : "", word ? word : "");
}

/* "x z:3": the words of this dimension. */
static void put_words(const listing *l, const char *container, const tl_key *key)
{
    char words[TL_CHOICES], text[TL_CHOICES], *rest = words;
    snprintf(words, sizeof words, "%s", tl_key_choices(key, text));
    for (char *word; (word = strsep(&rest, " "));) {
        char *colon = strchr(word, ':');
        if (colon && colon[1] - '0' != l->dimension) continue;
        if (colon) *colon = '\0';
        put(l, container, key->name, word);
    }
}

static void put_laws(const listing *l, const char *container, const tl_key *key)
{
    const talus_law *law;
    for (int i = 0; (law = talus_law_at(i)); i++) put(l, container, key->name, law->name);
}

static void list_table(listing *l, const tl_key *keys, const char *container)
{
    for (int i = 0; i < l->tables; i++)
        if (l->seen[i] == keys) return;
    if (l->tables < MAX_TABLES) l->seen[l->tables++] = keys;
    tl_key room;
    const tl_key *k;
    for (int i = 0; (k = tl_schema_key(keys, i, &room)); i++) {
        if (k->dimension && k->dimension != l->dimension) continue;
        if (k->type == KEY_WORD) put_words(l, container, k);
        else if (k->type == KEY_LAW) put_laws(l, container, k);
        else put(l, container, k->name, NULL);
        if (k->sub) list_table(l, k->sub, k->name);
    }
}

static void use_object(const listing *l, const tl_node *node, const tl_key *keys, const char *container);

static void use_key(const listing *l, const tl_node *node, const tl_key *key, const char *container)
{
    const bool several = key->type == KEY_NAMED || key->type == KEY_OBJECTS || key->type == KEY_GROUPS;
    put(l, container, key->name, key->type == KEY_WORD || key->type == KEY_LAW ? node->text : NULL);
    for (int i = 0; key->sub && several && i < node->count; i++) use_object(l, node->item[i], key->sub, key->name);
    if (key->sub && !several) use_object(l, node, key->sub, key->name);
}

static void use_object(const listing *l, const tl_node *node, const tl_key *keys, const char *container)
{
    tl_key room;
    for (int i = 0; node->kind == NODE_MAP && i < node->count; i++) {
        const tl_key *key = tl_schema_find(keys, node->item[i]->key, &room);
        if (key) use_key(l, node->item[i], key, container);
    }
}

/* Includes are resolved when a scene is read: what is left of them are nodes of other files. A setting has no line. */
static bool is_of_other_file(const tl_node *node, const char *file)
{
    if (node->line > 0 && strcmp(node->file, file) != 0) return true;
    for (int i = 0; node->kind != NODE_SCALAR && i < node->count; i++)
        if (is_of_other_file(node->item[i], file)) return true;
    return false;
}

char *talus_scene_keys(const talus_scene *scene)
{
    char *text = NULL;
    size_t size = 0;
    listing l = {.out = open_memstream(&text, &size)};
    if (!l.out) return NULL;
    if (scene) {
        l.dimension = scene->reading.dimension;
        use_object(&l, scene->root, TL_SCENE_KEYS, "");
        if (is_of_other_file(scene->root, scene->path)) put(&l, "", "include", NULL);
    }
    for (l.dimension = 2; !scene && l.dimension <= 3; l.dimension++) {
        l.tables = 0;
        list_table(&l, TL_SCENE_KEYS, "");
    }
    return fclose(l.out) == 0 ? text : NULL;
}

/* Tests of physics tell here what they use of the language; in one write, for they run side by side. */
void tl_scene_note_keys(const talus_scene *scene)
{
    const char *path = getenv("TALUS_NOTE_KEYS");
    const int file = path ? open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666) : -1;
    char *text = file >= 0 ? talus_scene_keys(scene) : NULL;
    if (text) (void)!write(file, text, strlen(text)); /* a note that is lost shows in the check */
    if (file >= 0) close(file);
    free(text);
}
