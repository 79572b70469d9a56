/* What is sharp of a closed surface (closed.h). */
#include <stdlib.h>
#include <string.h>

#include "scene/closed.h"

static const double TURNS = 0.766044443118978; /* cos 40° */

typedef struct side {
    int low, high, piece; /* points at its ends, and the triangle */
} side;

static int by_ends(const void *a, const void *b)
{
    const side *p = a, *q = b;
    if (p->low != q->low) return p->low < q->low ? -1 : 1;
    if (p->high != q->high) return p->high < q->high ? -1 : 1;
    return (p->piece > q->piece) - (p->piece < q->piece);
}

static tl_vec3 normal_of(const tl_closed *s, int piece)
{
    const int32_t *corner = s->corner[piece];
    const tl_vec3 a = tl_load3(s->point[corner[0]]), b = tl_sub(tl_load3(s->point[corner[1]]), a);
    return tl_normalize(s->dimension == 3 ? tl_cross(b, tl_sub(tl_load3(s->point[corner[2]]), a)) : tl_v3(b.y, -b.x, 0));
}

/* Do pieces face so different sides that what is between them is sharp? Those without size do not tell. */
static bool is_sharp(const tl_closed *s, int a, int b)
{
    const tl_vec3 n = normal_of(s, a), m = normal_of(s, b);
    return tl_dot(n, n) > 0.5 && tl_dot(m, m) > 0.5 && tl_dot(n, m) < TURNS;
}

static int find_edges(const tl_closed *s, const int *first, side *sides, int32_t (*edge)[3])
{
    int count = 0, edges = 0;
    for (int i = 0; i < s->pieces; i++)
        for (int c = 0; c < 3; c++) {
            const int a = first[s->corner[i][c]], b = first[s->corner[i][(c + 1) % 3]];
            if (a != b) sides[count++] = (side){a < b ? a : b, a < b ? b : a, i};
        }
    qsort(sides, (size_t)count, sizeof *sides, by_ends);
    for (int i = 0; i + 1 < count; i++) {
        if (sides[i].low != sides[i + 1].low || sides[i].high != sides[i + 1].high || !is_sharp(s, sides[i].piece, sides[i + 1].piece)) continue;
        edge[edges][0] = sides[i].low, edge[edges][1] = sides[i].high, edge[edges++][2] = -1;
    }
    return edges;
}

/* Ends of edges about a point: how many, and the directions of the first two. */
typedef struct ends {
    int count;
    tl_vec3 away[2];
} ends;

/* Corners are where not two edges meet, or two that turn. */
static int corners_of_edges(const tl_closed *s, const int32_t (*edge)[3], int edges, ends *at, int32_t (*corner)[3])
{
    int corners = 0;
    for (int i = 0; i < edges; i++)
        for (int c = 0; c < 2; c++) {
            ends *own = &at[edge[i][c]];
            if (own->count < 2) own->away[own->count] = tl_normalize(tl_sub(tl_load3(s->point[edge[i][1 - c]]), tl_load3(s->point[edge[i][c]])));
            own->count++;
        }
    for (int i = 0; i < s->points; i++) {
        if (at[i].count == 0 || (at[i].count == 2 && -tl_dot(at[i].away[0], at[i].away[1]) >= TURNS)) continue;
        corner[corners][0] = corner[corners][1] = i, corner[corners++][2] = -1;
    }
    return corners;
}

/* In the plane: points between edges that turn. */
static int corners_of_outline(const tl_closed *s, const int *first, int *before, int32_t (*corner)[3])
{
    int corners = 0;
    for (int i = 0; i < s->pieces; i++) before[first[s->corner[i][1]]] = i;
    for (int i = 0; i < s->pieces; i++) {
        const int at = first[s->corner[i][0]];
        if (!is_sharp(s, before[at], i)) continue;
        corner[corners][0] = corner[corners][1] = at, corner[corners++][2] = -1;
    }
    return corners;
}

talus_status tl_sharp_create(const tl_closed *s, tl_sharp *out)
{
    const size_t points = (size_t)s->points + 1, sides = 3 * (size_t)s->pieces + 1;
    int *first = malloc(points * sizeof *first), *before = calloc(points, sizeof *before), edges = 0, corners = 0;
    side *list = malloc(sides * sizeof *list);
    ends *at = calloc(points, sizeof *at);
    *out = (tl_sharp){.edge = malloc(sides * sizeof *out->edge), .corner = malloc(points * sizeof *out->corner)};
    talus_status status = first && before && list && at && out->edge && out->corner ? tl_closed_weld(s, first) : TALUS_MEMORY;
    if (status == TALUS_OK && s->dimension == 3) {
        edges = find_edges(s, first, list, out->edge);
        corners = corners_of_edges(s, (const int32_t(*)[3])out->edge, edges, at, out->corner);
    } else if (status == TALUS_OK) corners = corners_of_outline(s, first, before, out->corner);
    if (status == TALUS_OK && edges > 0) status = tl_closed_create(2, s->point, s->points, (const int32_t(*)[3])out->edge, edges, &out->edges);
    if (status == TALUS_OK && corners > 0) status = tl_closed_create(2, s->point, s->points, (const int32_t(*)[3])out->corner, corners, &out->corners);
    free(first), free(before), free(list), free(at);
    return status;
}

void tl_sharp_free(tl_sharp *s)
{
    tl_closed_free(&s->edges), tl_closed_free(&s->corners);
    free(s->edge), free(s->corner);
    *s = (tl_sharp){.edge = NULL};
}
