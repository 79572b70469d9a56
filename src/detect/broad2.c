/* Broad phase in the plane: a hashed grid for contactors of ordinary size, a list for the few large ones. */
#include "detect/broad2.h"

#include "detect/narrow2.h"

void tl_broad2_init(tl_broad2 *broad, tl_memory memory, const tl_cell *period) { *broad = (tl_broad2){.memory = memory, .period = period}; }

void tl_broad2_free(tl_broad2 *broad)
{
    tl_free(broad->memory, broad->fat);
    tl_free(broad->memory, broad->pairs);
    *broad = (tl_broad2){.memory = broad->memory, .period = broad->period};
}

static bool inside(const tl_box2 *inner, tl_vec2 origin, const tl_box2 *outer)
{
    return inner->low.x - origin.x >= outer->low.x && inner->low.y - origin.y >= outer->low.y && inner->high.x - origin.x <= outer->high.x &&
           inner->high.y - origin.y <= outer->high.y;
}

static double extent(const tl_box2 *box) { return fmax(box->high.x - box->low.x, box->high.y - box->low.y); }

/* ---- the grid: contactors sorted into hashed cells ---------------------------------------------------------------- */

typedef struct grid {
    const tl_contactor2 *contactors;
    const tl_box2 *fat;
    int n;
    const tl_cell *period;
    double cell;    /* ≥ the extent of every small contactor               */
    int cells[2];   /* along periodic directions, else 0                 */
    double size[2]; /* of a cell                                       */
    uint32_t mask;
    int *start;          /* [mask + 2] first entry of each bucket               */
    int *entry;          /* [n] small contactors, by bucket, ascending          */
    int32_t (*place)[2]; /* [n] cell of each small contactor                    */
    bool *large;         /* [n]                                                 */
    int *large_list, larges;
    int *count; /* [n + 1] partners per contactor, then their offsets  */
    tl_near *pairs;
} grid;

static uint32_t bucket(const grid *g, int32_t x, int32_t y)
{
    uint32_t h = (uint32_t)x * 0x9e3779b1u ^ (uint32_t)y * 0x85ebca77u;
    h ^= h >> 15;
    h *= 0xc2b2ae3du;
    return (h ^ h >> 13) & g->mask;
}

/* Cells are wide enough that 2³⁰ of them hold any scene that doubles resolve; beyond, everything shares the border cell. */
static int32_t cell_of(double x, double cell) { return (int32_t)fmax(-1e9, fmin(1e9, floor(x / cell))); }

static bool grid_alloc(grid *g, tl_arena *arena)
{
    uint32_t buckets = 64;
    while (buckets < 2 * (uint32_t)g->n) buckets *= 2;
    g->mask = buckets - 1;
    g->start = tl_arena_zero(arena, (size_t)buckets + 1, sizeof *g->start);
    g->entry = tl_arena_alloc(arena, (size_t)g->n, sizeof *g->entry);
    g->place = tl_arena_alloc(arena, (size_t)g->n, sizeof *g->place);
    g->large = tl_arena_alloc(arena, (size_t)g->n, sizeof *g->large);
    g->large_list = tl_arena_alloc(arena, (size_t)g->n, sizeof *g->large_list);
    g->count = tl_arena_zero(arena, (size_t)g->n + 1, sizeof *g->count);
    return g->start && g->entry && g->place && g->large && g->large_list && g->count;
}

/* Extent beyond which a contactor counts as large: four times the mean of those that are not, found in a few rounds. */
static double large_extent(const grid *g)
{
    double limit = (double)INFINITY;
    for (int round = 0; round < 4; round++) {
        double sum = 0;
        int count = 0;
        for (int i = 0; i < g->n; i++) {
            const double size = extent(&g->fat[i]);
            if (isfinite(size) && size <= limit) sum += size, count++;
        }
        limit = count > 0 ? 4 * sum / count : 0;
    }
    return limit;
}

static bool is_absent(const grid *g, int i) { return g->contactors[i].group == TL_GROUP2_ABSENT; }

static bool grid_fill(grid *g, tl_arena *arena)
{
    if (!grid_alloc(g, arena)) return false;
    const double limit = large_extent(g);
    g->cell = 0;
    for (int i = 0; i < g->n; i++) {
        const double size = extent(&g->fat[i]);
        const bool absent = is_absent(g, i); /* neither in the grid nor in the list */
        g->large[i] = absent || !(size <= limit) || !isfinite(size);
        if (absent) continue;
        if (g->large[i]) g->large_list[g->larges++] = i;
        else g->cell = fmax(g->cell, size);
    }
    if (!(g->cell > 0)) g->cell = 1;
    for (int k = 0; k < 2; k++) {
        g->cells[k] = tl_grid_cells(g->period, k, g->cell);
        g->size[k] = g->cells[k] > 0 ? g->period->length[k] / g->cells[k] : g->cell;
    }
    for (int i = 0; i < g->n; i++) {
        if (g->large[i]) continue;
        const double middle[2] = {0.5 * (g->fat[i].low.x + g->fat[i].high.x), 0.5 * (g->fat[i].low.y + g->fat[i].high.y)};
        for (int k = 0; k < 2; k++) g->place[i][k] = g->cells[k] > 0 ? tl_grid_wrap(middle[k], g->size[k], g->cells[k]) : cell_of(middle[k], g->size[k]);
        g->start[bucket(g, g->place[i][0], g->place[i][1])]++;
    }
    int sum = 0;
    for (uint32_t b = 0; b <= g->mask; b++) sum += g->start[b], g->start[b] = sum; /* ends; filling moves them to the starts */
    g->start[g->mask + 1] = sum;
    for (int i = g->n - 1; i >= 0; i--)
        if (!g->large[i]) g->entry[--g->start[bucket(g, g->place[i][0], g->place[i][1])]] = i;
    return true;
}

static bool overlap(const grid *g, const tl_near *pair)
{
    const tl_box2 *b = &g->fat[pair->b];
    if (!g->period->periodic) return tl_boxes2_overlap(&g->fat[pair->a], b);
    const double *length = g->period->length;
    const tl_vec2 shift = tl_v2(pair->image[0] * length[0], pair->image[1] * length[1]); /* in slanted axes nothing slides */
    const tl_box2 moved = {tl_add2(b->low, shift), tl_add2(b->high, shift)};
    return tl_boxes2_overlap(&g->fat[pair->a], &moved);
}

/* The image as it is, of one in slanted axes. */
static tl_near unslanted(const tl_cell *c, tl_near pair)
{
    if (c->sheared) pair.image[c->along] -= pair.image[c->across] * (int)tl_cell_turns(c);
    return pair;
}

/* Adds the images of a pair that may touch to `out`, unless that is NULL. Returns how many. */
static int propose(const grid *g, int a, int b, tl_near *out)
{
    tl_near pair = {.a = a, .b = b};
    if (g->contactors[a].group == g->contactors[b].group || is_absent(g, b)) return 0;
    if (!g->period->periodic) {
        const bool is = overlap(g, &pair);
        if (is && out) *out = pair;
        return is;
    }
    const tl_box2 *A = &g->fat[a], *B = &g->fat[b];
    const double of_a[2][2] = {{A->low.x, A->high.x}, {A->low.y, A->high.y}}, of_b[2][2] = {{B->low.x, B->high.x}, {B->low.y, B->high.y}};
    int range[2][2], count = 0;
    for (int k = 0; k < 2; k++) tl_image_range(g->period, k, of_a[k], of_b[k], range[k]);
    for (pair.image[0] = range[0][0]; pair.image[0] <= range[0][1]; pair.image[0]++)
        for (pair.image[1] = range[1][0]; pair.image[1] <= range[1][1]; pair.image[1]++) {
            if (!overlap(g, &pair)) continue;
            if (out) out[count] = unslanted(g->period, pair);
            count++;
        }
    return count;
}

static bool comes_before(const tl_near *p, const tl_near *q) { return p->b != q->b ? p->b < q->b : tl_image_code(p->image, 2) < tl_image_code(q->image, 2); }

/* Those in the cells around; returns their number. */
static int partners_near(const grid *g, int a, tl_near *out)
{
    int32_t near[2][3] = {{0}};
    int nears[2], count = 0;
    for (int k = 0; k < 2; k++) nears[k] = tl_grid_near(g->place[a][k], g->cells[k], near[k]);
    for (int y = 0; y < nears[1]; y++)
        for (int x = 0; x < nears[0]; x++) {
            const uint32_t h = bucket(g, near[0][x], near[1][y]);
            for (int k = g->start[h]; k < g->start[h + 1]; k++) {
                const int b = g->entry[k];
                if (b > a && g->place[b][0] == near[0][x] && g->place[b][1] == near[1][y]) count += propose(g, a, b, out ? out + count : NULL);
            }
        }
    return count;
}

/* Finds every partner b > a; returns their number, writes them when `out` is given. */
static int partners(const grid *g, int a, tl_near *out)
{
    int count = 0;
    if (is_absent(g, a)) return 0;
    if (g->large[a]) {
        for (int b = a + 1; b < g->n; b++) count += propose(g, a, b, out ? out + count : NULL);
    } else {
        count = partners_near(g, a, out);
        for (int k = 0; k < g->larges; k++)
            if (g->large_list[k] > a) count += propose(g, a, g->large_list[k], out ? out + count : NULL);
    }
    for (int i = 1; out && i < count; i++) { /* few: insertion sort */
        const tl_near pair = out[i];
        int j = i;
        for (; j > 0 && comes_before(&pair, &out[j - 1]); j--) out[j] = out[j - 1];
        out[j] = pair;
    }
    return count;
}

static void count_range(void *context, int begin, int end, int worker)
{
    grid *g = context;
    (void)worker;
    for (int i = begin; i < end; i++) g->count[i + 1] = partners(g, i, NULL);
}

static void write_range(void *context, int begin, int end, int worker)
{
    grid *g = context;
    (void)worker;
    for (int i = begin; i < end; i++)
        if (g->count[i + 1] > g->count[i]) partners(g, i, g->pairs + g->count[i]);
}

static talus_status rebuild(tl_broad2 *broad, const tl_contactor2 *contactors, int n, tl_arena *arena, tl_threads *threads, tl_error *error)
{
    grid g = {.contactors = contactors, .fat = broad->fat, .n = n, .period = broad->period};
    if (!grid_fill(&g, arena)) return tl_fail(error, TALUS_MEMORY, "no memory for the grid of %d contactors", n);
    tl_parallel_for(threads, n, 2048, count_range, &g);
    int64_t total = 0;
    for (int i = 0; i < n; i++) {
        total += g.count[i + 1];
        if (total > INT32_MAX / 2) return tl_fail(error, TALUS_MEMORY, "more than a thousand million near pairs: check sizes and units");
        g.count[i + 1] = (int)total;
    }
    const talus_status grown = tl_grow(broad->memory, &broad->pairs, &broad->pair_capacity, (int)total, sizeof *broad->pairs);
    if (grown != TALUS_OK) return tl_fail(error, grown, "no memory for %d near pairs", (int)total);
    g.pairs = broad->pairs;
    tl_parallel_for(threads, n, 2048, write_range, &g);
    broad->pair_count = (int)total;
    broad->valid = true;
    broad->rebuilds++;
    return TALUS_OK;
}

/* Slack all round, and ahead of the motion. */
static tl_box2 fatten(const tl_box2 *box, double skin, tl_vec2 ahead)
{
    return (tl_box2){tl_v2(box->low.x - skin + fmin(ahead.x, 0), box->low.y - skin + fmin(ahead.y, 0)),
                     tl_v2(box->high.x + skin + fmax(ahead.x, 0), box->high.y + skin + fmax(ahead.y, 0))};
}

void tl_broad2_move(tl_broad2 *broad, tl_vec2 way) { broad->origin = tl_add2(broad->origin, way); }

talus_status tl_broad2_update(tl_broad2 *broad, const tl_contactor2 *contactors, int n, const tl_box2 *boxes, const tl_vec2 *ahead, double skin,
                              tl_arena *arena, tl_threads *threads, tl_error *error)
{
    bool fits = broad->valid && broad->n == n && broad->turns == tl_cell_turns(broad->period);
    for (int i = 0; fits && i < n; i++) fits = inside(&boxes[i], broad->origin, &broad->fat[i]);
    if (fits) return TALUS_OK;
    broad->valid = false;
    const talus_status grown = tl_grow(broad->memory, &broad->fat, &broad->capacity, n, sizeof *broad->fat);
    if (grown != TALUS_OK) return tl_fail(error, grown, "no memory for %d boxes", n);
    broad->n = n;
    broad->turns = tl_cell_turns(broad->period);
    broad->origin = tl_v2(0, 0);
    for (int i = 0; i < n; i++) broad->fat[i] = fatten(&boxes[i], skin, ahead[i]);
    const size_t mark = tl_arena_mark(arena);
    const talus_status status = n > 0 ? rebuild(broad, contactors, n, arena, threads, error) : TALUS_OK;
    tl_arena_release(arena, mark);
    if (n == 0) broad->pair_count = 0, broad->valid = true;
    return status;
}
