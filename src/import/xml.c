/* XML by expat, which checks what is well-formed and says where it is not. */
#include "import/xml.h"

#include <expat.h>
#include <stdlib.h>
#include <string.h>

#include "scene/file.h"

typedef struct parsing {
    XML_Parser parser;
    tl_arena *arena;
    tl_xml *root, *open; /* the element that is being read */
    bool no_memory;
} parsing;

static char *copy(parsing *p, const char *text)
{
    const size_t size = strlen(text) + 1;
    char *out = tl_arena_alloc(p->arena, size, 1);
    if (out) memcpy(out, text, size);
    else p->no_memory = true;
    return out;
}

static void XMLCALL on_start(void *data, const char *name, const char **attributes)
{
    parsing *p = data;
    int count = 0;
    if (p->no_memory) return;
    while (attributes[2 * count]) count++;
    tl_xml *e = tl_arena_zero(p->arena, 1, sizeof *e);
    if (e) e->attribute = tl_arena_zero(p->arena, (size_t)(2 * count + 1), sizeof *e->attribute);
    if (!e || !e->attribute || !(e->name = copy(p, name))) {
        p->no_memory = true;
        XML_StopParser(p->parser, XML_FALSE);
        return;
    }
    for (int i = 0; i < 2 * count; i++)
        if (!(e->attribute[i] = copy(p, attributes[i]))) {
            XML_StopParser(p->parser, XML_FALSE);
            return;
        }
    e->attributes = count;
    e->line = (int)XML_GetCurrentLineNumber(p->parser);
    e->column = (int)XML_GetCurrentColumnNumber(p->parser) + 1;
    e->parent = p->open;
    if (!p->open) p->root = e;
    else if (p->open->last) p->open->last->next = e;
    else p->open->child = e;
    if (p->open) p->open->last = e;
    p->open = e;
}

static void XMLCALL on_end(void *data, const char *name)
{
    parsing *p = data;
    (void)name;
    if (p->no_memory) return; /* the end of an empty element is told even so, and it may have no beginning */
    p->open = p->open->parent;
}

static talus_status parse(parsing *p, const char *path, const char *text, size_t size, tl_error *error)
{
    p->parser = XML_ParserCreate(NULL);
    if (!p->parser) return tl_fail(error, TALUS_MEMORY, "no memory to read '%s'", path);
    XML_SetUserData(p->parser, p);
    XML_SetElementHandler(p->parser, on_start, on_end);
    if (XML_Parse(p->parser, text, (int)size, XML_TRUE) == XML_STATUS_OK) return TALUS_OK;
    if (p->no_memory) return tl_fail(error, TALUS_MEMORY, "no memory to read '%s'", path);
    return tl_fail(error, TALUS_INPUT, "%s:%lu:%lu: this is no XML: %s", path, XML_GetCurrentLineNumber(p->parser), XML_GetCurrentColumnNumber(p->parser) + 1,
                   XML_ErrorString(XML_GetErrorCode(p->parser)));
}

talus_status tl_xml_load(const char *path, tl_arena *arena, tl_xml **root, tl_error *error)
{
    parsing p = {.arena = arena};
    char *text;
    size_t size;
    TL_TRY(tl_file_load(path, &text, &size, error));
    const talus_status status = size > (size_t)1 << 30 ? tl_fail(error, TALUS_INPUT, "'%s' is too large", path) : parse(&p, path, text, size, error);
    if (p.parser) XML_ParserFree(p.parser);
    free(text);
    *root = status == TALUS_OK ? p.root : NULL;
    return status;
}

const char *tl_xml_get(const tl_xml *e, const char *name)
{
    for (int i = 0; i < e->attributes; i++)
        if (strcmp(e->attribute[2 * i], name) == 0) return e->attribute[2 * i + 1];
    return NULL;
}

const tl_xml *tl_xml_child(const tl_xml *e, const char *name)
{
    for (const tl_xml *c = e->child; c; c = c->next)
        if (strcmp(c->name, name) == 0) return c;
    return NULL;
}
