/* What is wrong with a scene: every mistake at once, in the order of the files, each with its place; and the word that was perhaps meant. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scene/node.h"

enum { MAX_MISTAKES = 100 };

typedef struct place {
    const char *file;
    int line, column; /* 0: the whole file */
} place;

static void keep_mistake(tl_mistakes *m, talus_status status, place where, const char *format, va_list arguments)
{
    const char *file = where.file;
    const int line = where.line, column = where.column;
    char text[2048];
    if (m->status == TALUS_OK) m->status = status;
    m->overflow = m->overflow || m->count >= MAX_MISTAKES;
    if (m->overflow) return;
    int length = line > 0 ? snprintf(text, sizeof text, "%.1000s:%d:%d: ", file, line, column) : snprintf(text, sizeof text, "%.1000s: ", file);
    vsnprintf(text + length, sizeof text - (size_t)length, format, arguments);
    for (char *c = text; *c; c++) /* what came from a noisy file must not reach the terminal raw */
        if ((unsigned char)*c < ' ' || *c == 127) *c = '?';
    for (int i = 0; i < m->count; i++) /* found in two ways */
        if (strcmp(m->item[i].text, text) == 0) return;
    if (tl_grow(tl_memory_default(), &m->item, &m->capacity, m->count + 1, sizeof *m->item) != TALUS_OK) return;
    int at = m->count; /* behind those of its file that stand before it */
    while (at > 0 && m->item[at - 1].file == file && m->item[at - 1].line > line) at--;
    char *copy = tl_strdup(tl_memory_default(), text);
    if (!copy) return;
    memmove(&m->item[at + 1], &m->item[at], (size_t)(m->count - at) * sizeof *m->item);
    m->item[at] = (tl_place_of_mistake){copy, file, line};
    m->count++;
}

void tl_mistake(tl_mistakes *m, talus_status status, const tl_node *node, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    keep_mistake(m, status, (place){node->file, node->line, node->column}, format, arguments);
    va_end(arguments);
}

void tl_mistake_key(tl_mistakes *m, talus_status status, const tl_node *node, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const bool keyed = node->key != NULL;
    keep_mistake(m, status, keyed ? (place){node->file, node->key_line, node->key_column} : (place){node->file, node->line, node->column}, format, arguments);
    va_end(arguments);
}

void tl_mistakes_free(tl_mistakes *m)
{
    for (int i = 0; i < m->count; i++) free(m->item[i].text);
    free(m->item);
    memset(m, 0, sizeof *m);
}
