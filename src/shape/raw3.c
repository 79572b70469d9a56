/* The convex hull of points, by libqhull_r.
 *
 * Qhull keeps all that it knows in its qhT, so calls on several threads do not meet. It reports by printing and leaves by longjmp:
 * what it prints goes to a stream that keeps the first line for the error's text, and every call into it that may leave is made
 * with its jump set, so it can neither print nor exit. It allocates with malloc, not with the world's allocator; when that fails it
 * leaves with its code for memory, which becomes TALUS_MEMORY here, and what it had taken is given back
 * (but for one block when it fails in the two requests with which it sets up its own pool: qhull forgets it). */
#include <libqhull_r/qhull_ra.h>
#include <stdio.h>
#include <string.h>

#include "shape/hull3.h"

typedef struct sink {
    size_t used;
    char text[160];
} sink;

static ssize_t swallow(void *cookie, const char *bytes, size_t n)
{
    sink *s = cookie;
    for (size_t i = 0; i < n && s->used + 1 < sizeof s->text; i++) s->text[s->used++] = bytes[i];
    return (ssize_t)n;
}

static talus_status grow_corners(tl_raw3 *raw, tl_memory memory, int more)
{
    TL_TRY(tl_grow(memory, &raw->corner, &raw->corner_capacity, raw->corners + more, sizeof *raw->corner));
    return tl_grow(memory, &raw->begin, &raw->begin_capacity, raw->faces + 2, sizeof *raw->begin);
}

/* Faces out of qhull; ordering a face's corners may run out of memory in there, hence the jump. */
static talus_status collect(qhT *qh, tl_raw3 *raw, tl_memory memory)
{
    facetT *facet;
    if (setjmp(qh->errexit)) { /* NOLINT(cert-err52-cpp): the way in which qhull reports */
        qh->NOerrexit = True;
        return TALUS_MEMORY;
    }
    qh->NOerrexit = False;
    talus_status status = grow_corners(raw, memory, 0);
    FORALLfacets
    {
        vertexT *vertex, **vertexp;
        if (status != TALUS_OK) break;
        setT *around = qh_facet3vertex(qh, facet);
        status = grow_corners(raw, memory, qh_setsize(qh, around));
        if (status == TALUS_OK) {
            raw->begin[raw->faces++] = raw->corners;
            FOREACHvertex_(around) raw->corner[raw->corners++] = qh_pointid(qh, vertex->point);
            raw->begin[raw->faces] = raw->corners;
        }
        qh_settempfree(qh, &around);
    }
    qh->NOerrexit = True;
    return status;
}

static void release(qhT *qh)
{
    int blocks = 0, bytes = 0;
    if (setjmp(qh->errexit)) return; /* NOLINT(cert-err52-cpp): after damage it would rather exit than leak */
    qh->NOerrexit = False;
    qh_freeqhull(qh, !qh_ALL);
    qh_memfreeshort(qh, &blocks, &bytes);
}

/* Points [count], and where qhull's messages go. */
typedef struct cloud {
    tl_vec3 *points;
    int count;
    FILE *messages;
    const sink *told;
} cloud;

static talus_status run(qhT *qh, const cloud *c, tl_raw3 *raw, tl_memory memory, tl_error *error)
{
    char command[] = "qhull Pp";
    qh_zero(qh, c->messages);
    const int code = qh_new_qhull(qh, 3, c->count, &c->points->x, False, command, NULL, c->messages);
    talus_status status = TALUS_OK;
    if (code == qh_ERRmem) status = TALUS_MEMORY;
    else if (code == qh_ERRsingular) status = tl_fail(error, TALUS_INPUT, "the corners of a polyhedron lie in one plane, or nearly");
    else if (code != qh_ERRnone) {
        const int line = (int)strcspn(c->told->text, "\n");
        status = tl_fail(error, TALUS_INPUT, "no convex hull could be made of the corners of a polyhedron (%.*s)", line, c->told->text);
    }
    if (status == TALUS_OK) status = collect(qh, raw, memory);
    if (status == TALUS_MEMORY) status = tl_fail(error, TALUS_MEMORY, "no memory for the convex hull of %d points", c->count);
    release(qh);
    return status;
}

talus_status tl_raw3_hull(tl_raw3 *raw, tl_memory memory, tl_vec3 *points, int count, tl_error *error)
{
    sink told = {0};
    *raw = (tl_raw3){0};
    qhT *qh = tl_alloc(memory, 1, sizeof *qh);
    FILE *messages = qh ? fopencookie(&told, "w", (cookie_io_functions_t){.write = swallow}) : NULL;
    if (!messages) {
        tl_free(memory, qh);
        return tl_fail(error, TALUS_MEMORY, "no memory for the convex hull of %d points", count);
    }
    setvbuf(messages, NULL, _IONBF, 0);
    const talus_status status = run(qh, &(cloud){points, count, messages, &told}, raw, memory, error);
    fclose(messages);
    tl_free(memory, qh);
    return status;
}

void tl_raw3_free(tl_raw3 *raw, tl_memory memory)
{
    tl_free(memory, raw->begin);
    tl_free(memory, raw->corner);
    *raw = (tl_raw3){0};
}
