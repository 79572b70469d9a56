/* Broad phase: a hashed grid for contactors of ordinary size, a list for the few large ones. */
#include "detect/broad.h"

#include <string.h>

void tl_broad_init(tl_broad *broad, tl_memory memory, const tl_cell *period, int dimension)
{
    *broad = (tl_broad){.memory = memory, .period = period, .dimension = dimension};
}

void tl_broad_free(tl_broad *broad)
{
    tl_free(broad->memory, broad->fat);
    tl_free(broad->memory, broad->pairs);
    tl_broad_init(broad, broad->memory, broad->period, broad->dimension);
}

void tl_broad_move(tl_broad *broad, tl_vec3 way) { broad->origin = tl_add(broad->origin, way); }

bool tl_broad_is_valid(const tl_broad *broad, int n) { return broad->valid && broad->n == n && broad->turns == tl_cell_turns(broad->period); }

static double extent(const tl_box3 *box) { return tl_larger(box->high.x - box->low.x, tl_larger(box->high.y - box->low.y, box->high.z - box->low.z)); }

/* ---- the grid: contactors sorted into hashed cells ---------------------------------------------------------------- */

/* Cells of the grid along a direction that are at least `least` wide, a whole number of them; 0: not periodic. */
static int grid_cells(const tl_cell *c, int direction, double least)
{
    if (!c->periodic || !(c->length[direction] > 0)) return 0;
    return (int)fmax(1, fmin(1e9, floor(c->length[direction] / (least * (1 + 1e-9)))));
}

static int32_t grid_wrap(double x, double size, int cells)
{
    const double at = floor(x / size);
    return (int32_t)(at - cells * floor(at / cells));
}

/* The cells beside one along a direction, itself among them; each once. Returns how many. */
static int grid_near(int32_t at, int cells, int32_t near[3])
{
    const int count = cells == 0 || cells > 3 ? 3 : cells;
    for (int i = 0; i < count; i++) near[i] = cells == 0 ? at + i - 1 : (at + i + cells - 1) % cells;
    return count;
}

enum { FEW = 12 }; /* partners of one contactor that are kept while they are counted */

/* Partners of one contactor: the first ones, as many as there is room for; and how many there are. */
typedef struct partner_list {
    tl_near *pair;
    int room, count;
} partner_list;

static inline void add(partner_list *list, tl_near pair)
{
    if (list->count < list->room) list->pair[list->count] = pair;
    list->count++;
}

typedef struct grid {
    const int *group, *kind;
    const bool *touches;
    int kinds;
    const tl_box3 *fat;
    int n, dimension;
    const tl_cell *period;
    double cell;    /* ≥ the extent of every small contactor               */
    int cells[3];   /* along periodic directions, else 0                 */
    double size[3]; /* of a cell                                       */
    uint32_t mask;
    int *start;          /* [mask + 2] first entry of each bucket               */
    int *lone;           /* [mask + 1] its first entry of the lone kind, which are its last */
    int *entry;          /* [n] small contactors, by bucket                     */
    int lone_kind;       /* the most frequent of those that never touch their own, −1: there is none */
    int32_t (*place)[3]; /* [n] cell of each small contactor                    */
    bool *large;         /* [n]                                                 */
    int *large_list, larges;
    int *count;            /* [n + 1] partners per contactor, then their offsets  */
    tl_near (*first)[FEW]; /* [n] */
    tl_near *pairs;
} grid;

static uint32_t bucket(const grid *g, const int32_t cell[3])
{
    uint32_t h = (uint32_t)cell[0] * 0x9e3779b1u ^ (uint32_t)cell[1] * 0x85ebca77u ^ (uint32_t)cell[2] * 0x27d4eb2fu;
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
    g->lone = tl_arena_alloc(arena, (size_t)buckets, sizeof *g->lone);
    g->entry = tl_arena_alloc(arena, (size_t)g->n, sizeof *g->entry);
    g->place = tl_arena_alloc(arena, (size_t)g->n, sizeof *g->place);
    g->large = tl_arena_alloc(arena, (size_t)g->n, sizeof *g->large);
    g->large_list = tl_arena_alloc(arena, (size_t)g->n, sizeof *g->large_list);
    g->count = tl_arena_zero(arena, (size_t)g->n + 1, sizeof *g->count);
    g->first = tl_arena_alloc(arena, (size_t)g->n, sizeof *g->first);
    return g->start && g->lone && g->entry && g->place && g->large && g->large_list && g->count && g->first;
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

static bool is_absent(const grid *g, int i) { return g->group[i] == TL_GROUP_ABSENT; }

/* Shoes of tracks are many and touch wheels and ground, not each other: these are found without a look at other shoes. */
static bool find_lone_kind(grid *g, tl_arena *arena)
{
    g->lone_kind = -1;
    if (!g->touches) return true;
    int *count = tl_arena_zero(arena, (size_t)g->kinds + 1, sizeof *count);
    if (!count) return false;
    for (int i = 0; i < g->n; i++) count[g->kind[i]]++;
    for (int k = 0; k < g->kinds; k++)
        if (!g->touches[k * g->kinds + k] && count[k] > 0 && (g->lone_kind < 0 || count[k] > count[g->lone_kind])) g->lone_kind = k;
    return true;
}

static bool is_lone(const grid *g, int i) { return g->lone_kind >= 0 && g->kind[i] == g->lone_kind; }

/* Entries to their buckets, whose ends `start` holds and then their starts; those of the lone kind last. */
static void grid_enter(grid *g)
{
    for (int i = g->n - 1; i >= 0; i--)
        if (!g->large[i] && is_lone(g, i)) g->entry[--g->start[bucket(g, g->place[i])]] = i;
    memcpy(g->lone, g->start, ((size_t)g->mask + 1) * sizeof *g->lone);
    for (int i = g->n - 1; i >= 0; i--)
        if (!g->large[i] && !is_lone(g, i)) g->entry[--g->start[bucket(g, g->place[i])]] = i;
}

static bool grid_fill(grid *g, tl_arena *arena)
{
    if (!grid_alloc(g, arena) || !find_lone_kind(g, arena)) return false;
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
    for (int k = 0; k < 3; k++) {
        g->cells[k] = grid_cells(g->period, k, g->cell);
        g->size[k] = g->cells[k] > 0 ? g->period->length[k] / g->cells[k] : g->cell;
    }
    for (int i = 0; i < g->n; i++) {
        if (g->large[i]) continue;
        const double middle[3] = {0.5 * (g->fat[i].low.x + g->fat[i].high.x), 0.5 * (g->fat[i].low.y + g->fat[i].high.y),
                                  0.5 * (g->fat[i].low.z + g->fat[i].high.z)};
        for (int k = 0; k < 3; k++) g->place[i][k] = g->cells[k] > 0 ? grid_wrap(middle[k], g->size[k], g->cells[k]) : cell_of(middle[k], g->size[k]);
        g->start[bucket(g, g->place[i])]++;
    }
    int sum = 0;
    for (uint32_t b = 0; b <= g->mask; b++) sum += g->start[b], g->start[b] = sum; /* ends; filling moves them to the starts */
    g->start[g->mask + 1] = sum;
    grid_enter(g);
    return true;
}

static bool overlap(const grid *g, const tl_near *pair)
{
    const tl_box3 *b = &g->fat[pair->b];
    if (!g->period->periodic) return tl_boxes3_overlap(&g->fat[pair->a], b);
    const double *length = g->period->length;
    const tl_vec3 shift = tl_v3(pair->image[0] * length[0], pair->image[1] * length[1], pair->image[2] * length[2]); /* in slanted axes nothing slides */
    const tl_box3 moved = {tl_add(b->low, shift), tl_add(b->high, shift)};
    return tl_boxes3_overlap(&g->fat[pair->a], &moved);
}

/* The images of b along one direction whose boxes overlap that of a, [low, high]; one more on both sides than rounding can tell. */
static void image_range(const grid *g, int a, int b, int direction, int *low, int *high)
{
    const tl_box3 *A = &g->fat[a], *B = &g->fat[b];
    const double length = g->period->length[direction];
    const double first = ((&A->low.x)[direction] - (&B->high.x)[direction]) / length, last = ((&A->high.x)[direction] - (&B->low.x)[direction]) / length;
    *low = *high = 0;
    if (!(length > 0) || !isfinite(first) || !isfinite(last)) return; /* what has no end is its own image */
    *low = (int)fmax(-1e9, floor(first)), *high = (int)fmin(1e9, ceil(last));
}

/* The image as it is, of one in slanted axes. */
static tl_near unslanted(const tl_cell *c, tl_near pair)
{
    if (c->sheared) pair.image[c->along] -= pair.image[c->across] * (int)tl_cell_turns(c);
    return pair;
}

/* Do they ever touch, wherever they are? */
static inline bool may_touch(const grid *g, int a, int b)
{
    return g->group[a] != g->group[b] && !is_absent(g, b) && (!g->touches || g->touches[g->kind[a] * g->kinds + g->kind[b]]);
}

/* Adds the images of a pair that may touch. */
static void propose(const grid *g, int a, int b, partner_list *out)
{
    tl_near pair = {.a = a, .b = b};
    if (!may_touch(g, a, b)) return;
    if (!g->period->periodic) {
        if (overlap(g, &pair)) add(out, pair);
        return;
    }
    int low[3], high[3];
    for (int k = 0; k < 3; k++) image_range(g, a, b, k, &low[k], &high[k]);
    for (pair.image[0] = low[0]; pair.image[0] <= high[0]; pair.image[0]++)
        for (pair.image[1] = low[1]; pair.image[1] <= high[1]; pair.image[1]++)
            for (pair.image[2] = low[2]; pair.image[2] <= high[2]; pair.image[2]++)
                if (overlap(g, &pair)) add(out, unslanted(g->period, pair));
}

/* Images as the keys of contacts have them; of two with the same code, which cannot be met at one time, but may both be listed, by their numbers. */
bool tl_near_comes_before(const tl_near *p, const tl_near *q)
{
    if (p->a != q->a) return p->a < q->a;
    if (p->b != q->b) return p->b < q->b;
    const unsigned code[2] = {tl_image_code(p->image, 3), tl_image_code(q->image, 3)};
    if (code[0] != code[1]) return code[0] < code[1];
    for (int k = 0; k < 3; k++)
        if (p->image[k] != q->image[k]) return p->image[k] < q->image[k];
    return false;
}

static inline void partners_in(const grid *g, int a, const int32_t cell[3], partner_list *out)
{
    const uint32_t h = bucket(g, cell);
    const int end = is_lone(g, a) ? g->lone[h] : g->start[h + 1];
    for (int k = g->start[h]; k < end; k++) {
        const int b = g->entry[k];
        const int32_t *place = g->place[b];
        if (b > a && place[0] == cell[0] && place[1] == cell[1] && place[2] == cell[2]) propose(g, a, b, out);
    }
}

/* Those in the cells around. */
static void partners_near(const grid *g, int a, partner_list *out)
{
    int32_t near[3][3] = {{0}};
    int nears[3] = {1, 1, 1};
    for (int k = 0; k < g->dimension; k++) nears[k] = grid_near(g->place[a][k], g->cells[k], near[k]);
    for (int z = 0; z < nears[2]; z++) /* outermost: in the plane there is but one */
        for (int y = 0; y < nears[1]; y++)
            for (int x = 0; x < nears[0]; x++) partners_in(g, a, (int32_t[3]){near[0][x], near[1][y], near[2][z]}, out);
}

/* Finds every partner b > a. */
static void find_partners(const grid *g, int a, partner_list *out)
{
    if (is_absent(g, a)) return;
    if (g->large[a]) {
        for (int b = a + 1; b < g->n; b++) propose(g, a, b, out);
        return;
    }
    partners_near(g, a, out);
    for (int k = 0; k < g->larges; k++)
        if (g->large_list[k] > a) propose(g, a, g->large_list[k], out);
}

static void sort_few(tl_near *pairs, int count)
{
    for (int i = 1; i < count; i++) {
        const tl_near pair = pairs[i];
        int j = i;
        for (; j > 0 && tl_near_comes_before(&pair, &pairs[j - 1]); j--) pairs[j] = pairs[j - 1];
        pairs[j] = pair;
    }
}

static void count_range(void *context, int begin, int end, int worker)
{
    grid *g = context;
    (void)worker;
    for (int i = begin; i < end; i++) {
        partner_list found = {.pair = g->first[i], .room = FEW};
        find_partners(g, i, &found);
        g->count[i + 1] = found.count;
    }
}

/* What had room when they were counted need not be looked for again. */
static void write_range(void *context, int begin, int end, int worker)
{
    grid *g = context;
    (void)worker;
    for (int i = begin; i < end; i++) {
        if (g->count[i + 1] == g->count[i]) continue; /* where there are no pairs at all, there is no list */
        partner_list all = {.pair = g->pairs + g->count[i], .room = g->count[i + 1] - g->count[i]};
        if (all.room > FEW) find_partners(g, i, &all);
        else memcpy(all.pair, g->first[i], (size_t)all.room * sizeof *all.pair);
        sort_few(all.pair, all.room);
    }
}

/* Slack all round, and ahead of the motion. */
static tl_box3 fatten(const tl_box3 *box, double skin, tl_vec3 ahead)
{
    return (tl_box3){tl_v3(box->low.x - skin + tl_smaller(ahead.x, 0), box->low.y - skin + tl_smaller(ahead.y, 0), box->low.z - skin + tl_smaller(ahead.z, 0)),
                     tl_v3(box->high.x + skin + tl_larger(ahead.x, 0), box->high.y + skin + tl_larger(ahead.y, 0), box->high.z + skin + tl_larger(ahead.z, 0))};
}

/* What the list was, for those who follow it from one to the next. */
static talus_status keep_before(tl_broad *broad, tl_arena *arena, tl_error *error)
{
    const size_t count = (size_t)broad->pair_count;
    broad->before = tl_arena_alloc(arena, count, sizeof *broad->before);
    if (!broad->before) return tl_fail(error, TALUS_MEMORY, "no memory for %d near pairs", broad->pair_count);
    if (count > 0) memcpy(broad->before, broad->pairs, count * sizeof *broad->before);
    broad->before_count = broad->pair_count;
    return TALUS_OK;
}

static talus_status list_pairs(tl_broad *broad, grid *g, tl_arena *arena, tl_threads *threads, tl_error *error)
{
    if (!grid_fill(g, arena)) return tl_fail(error, TALUS_MEMORY, "no memory for the grid of %d contactors", g->n);
    tl_parallel_for(threads, g->n, 512, count_range, g);
    int64_t total = 0;
    for (int i = 0; i < g->n; i++) {
        total += g->count[i + 1];
        if (total > INT32_MAX / 2) return tl_fail(error, TALUS_MEMORY, "more than a thousand million near pairs: check sizes and units");
        g->count[i + 1] = (int)total;
    }
    const talus_status grown = tl_grow_little(broad->memory, &broad->pairs, &broad->pair_capacity, (int)total, sizeof *broad->pairs);
    if (grown != TALUS_OK) return tl_fail(error, grown, "no memory for %d near pairs", (int)total);
    g->pairs = broad->pairs;
    tl_parallel_for(threads, g->n, 2048, write_range, g);
    broad->pair_count = (int)total;
    broad->rebuilds++;
    return TALUS_OK;
}

talus_status tl_broad_rebuild(tl_broad *broad, const tl_broad_source *source, tl_arena *arena, tl_threads *threads, tl_error *error)
{
    const int n = source->n;
    broad->valid = false;
    const talus_status grown = tl_grow(broad->memory, &broad->fat, &broad->capacity, n, sizeof *broad->fat);
    if (grown != TALUS_OK) return tl_fail(error, grown, "no memory for %d boxes", n);
    broad->n = n;
    broad->turns = tl_cell_turns(broad->period);
    broad->origin = tl_v3(0, 0, 0);
    for (int i = 0; i < n; i++) broad->fat[i] = fatten(&source->box[i], source->skin[i], source->ahead[i]);
    grid g = {.group = source->group,
              .kind = source->kind,
              .touches = source->touches,
              .kinds = source->kinds,
              .fat = broad->fat,
              .n = n,
              .dimension = broad->dimension,
              .period = broad->period};
    TL_TRY(keep_before(broad, arena, error));
    const tl_arena_place mark = tl_arena_mark(arena);
    if (n > 0) TL_TRY(list_pairs(broad, &g, arena, threads, error));
    else broad->pair_count = 0;
    tl_arena_release(arena, mark);
    broad->valid = true;
    return TALUS_OK;
}
