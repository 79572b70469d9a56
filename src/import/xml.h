/* XML as a tree of elements that know where they stand. Texts between elements are left out. Entities outside of the file are never read. */
#ifndef TL_XML_H
#define TL_XML_H

#include "base/base.h"

typedef struct tl_xml {
    const char *name;
    const char **attribute; /* [2 × attributes] names and values, in turn */
    int attributes, line, column;
    struct tl_xml *parent, *child, *last, *next; /* first and last child, next sibling */
} tl_xml;

/* Everything lives in the arena. IO: the file cannot be read; INPUT: it is no XML: the text says file:line:column. */
TALUS_NODISCARD talus_status tl_xml_load(const char *path, tl_arena *, tl_xml **root, tl_error *);

/* Value of an attribute, NULL: it is not there. */
const char *tl_xml_get(const tl_xml *, const char *name);
/* The first child of this name, NULL: there is none. */
const tl_xml *tl_xml_child(const tl_xml *, const char *name);

#endif
