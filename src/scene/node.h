/* A scene file as a tree: every node knows where it stands. Made by yaml.c; checked against the schema; read by the builders. */
#ifndef TL_NODE_H
#define TL_NODE_H

#include <stdio.h>

#include "base/base.h"

typedef enum tl_node_kind { NODE_SCALAR, NODE_LIST, NODE_MAP } tl_node_kind;

typedef struct tl_node {
    tl_node_kind kind;
    const char *file; /* path, or "--set path=value"; never NULL     */
    int line, column; /* from 1; 0: a setting                        */
    const char *text; /* scalar                                      */
    bool quoted;
    const char *was; /* a setting: the text that it replaced        */
    const char *key; /* of this node in its map, else NULL          */
    int key_line, key_column;
    int depth;           /* of its file: 0 the scene, 1 a file that it includes, and so on */
    int count, capacity; /* list, map                                   */
    struct tl_node **item;
} tl_node;

typedef struct tl_place_of_mistake {
    char *text;       /* "file:line:column: text"                    */
    const char *file; /* to sort by; lives as long as the tree       */
    int line;
} tl_place_of_mistake;

/* Mistakes, all of them, those of one file in the order of its lines. */
typedef struct tl_mistakes {
    tl_place_of_mistake *item;
    int count, capacity;
    talus_status status; /* of the first                                */
    bool overflow;       /* beyond the hundredth they are not kept      */
} tl_mistakes;

__attribute__((format(printf, 4, 5))) void tl_mistake(tl_mistakes *, talus_status, const tl_node *, const char *format, ...);
__attribute__((format(printf, 4, 5))) void tl_mistake_key(tl_mistakes *, talus_status, const tl_node *, const char *format, ...);
void tl_mistakes_free(tl_mistakes *);

/* Reads a file with its includes, then the settings. Nodes live in the arena. NULL after a mistake that leaves nothing to check. */
tl_node *tl_yaml_load(const char *path, const char *const *settings, int count, tl_arena *arena, tl_mistakes *mistakes);

/* What a text says, all as if it stood where `place` does, onto the tree: maps merge, as those of included files. False: a thing of that name is there, or no
 * memory; said. */
bool tl_yaml_add(tl_node *root, const char *text, const tl_node *place, tl_arena *arena, tl_mistakes *mistakes);

/* Of a part that tracks and tyres are written out as: key and value stand where the track or tyre does, which says what is wrong with its names. */
static inline bool tl_is_written(const tl_node *n) { return n->key && n->line > 0 && n->line == n->key_line && n->column == n->key_column; }
/* Child of a map, NULL if absent. */
const tl_node *tl_node_get(const tl_node *map, const char *key);
/* Writes a word in quotes, such that it reads back as the same word. */
void tl_yaml_quote(FILE *, const char *text);
/* Writes the tree as YAML that reads back as the same tree. */
char *tl_yaml_text(const tl_node *root);

#endif
