/* Memory that is counted, and that refuses one request: for tests of what happens when it runs out. */
#ifndef TALUS_LEDGER_H
#define TALUS_LEDGER_H

#include <stdlib.h>

typedef struct ledger {
    long calls, fail, live; /* requests so far; the one that is refused, 1 first, 0: none; blocks that are not yet freed */
} ledger;

static inline void *counted(void *user, void *pointer, size_t size)
{
    ledger *l = user;
    if (size == 0) {
        l->live -= pointer != NULL;
        free(pointer);
        return NULL;
    }
    if (++l->calls == l->fail) return NULL;
    void *block = realloc(pointer, size);
    l->live += block && !pointer;
    return block;
}

#endif
