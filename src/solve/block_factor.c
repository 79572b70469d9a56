/* The factor of what holds for good, and which of its rows say what others say (block.h).
 *
 * A small pivot of A = G M̃⁻¹ Gᵀ + Σ has one of two reasons. Rows say the same twice: the combination of rows that vanishes does so whatever the bodies weigh,
 * it is one of the geometry. Or a light part stands between heavy ones: 1/m of it is nearly all that rows at it have on their diagonal, and of two of them, at
 * both its ends, m/M of that is left. To tell one from the other rows are measured as geometry: forces, and moments about centres of mass over the longest arm
 * at that body; of mechanisms the rates of their coordinates, each over the largest that a row has of it. G Gᵀ of these, rows having the length 1, has a small
 * pivot only where rows say the same.
 *
 * It is asked only where A has a small pivot. Then
 *   - none say the same: A is taken as it is, with no more damping than rounding asks for, and answers are repeated;
 *   - some do, and the others alone leave A no small pivot: least impulses by A itself (block.h), as nothing is light;
 *   - some do, and there are light parts: rows are left out of A, one by one, until those that are left say everything once. Impulses are then made the least
 *     ones by G Gᵀ, which has no masses, unless rows contradict each other by so much that the light parts would be thrown about by it. */
#include <math.h>
#include <string.h>

#include "solve/block.h"

static const double DAMPING = 1e-11;  /* of the diagonal: added to A, so that joints which say the same twice leave it a factor */
static const double REDUNDANT = 1e-9; /* the same where they do: what rows differ by less than √REDUNDANT says nothing (block.h) */
static const double ROUNDING = 1e-15; /* the same where none do */
static const double LIGHT = 1e-6;     /* pivots from here on are well above REDUNDANT */
static const double SHORT = 1e-6;     /* of the longest arm: what is less is rounding */
static const double HARM = 0.1;       /* impulses that undo what least impulses do, of these */

static talus_status no_memory(const tl_step *step) { return tl_fail(step->error, TALUS_MEMORY, "no memory for the constraints of a step"); }

static int unknowns_of(const tl_block *k) { return (k->rows + 2) / 3; }

bool tl_block_rest(const tl_blocks *b, tl_step *step, tl_velocities *out)
{
    double **v = tl_arena_zero(step->arena, (size_t)b->matters + 1, sizeof *v);
    out->grain = tl_arena_zero(step->arena, (size_t)b->grains.bodies * (size_t)b->grains.stride + 1, sizeof(double));
    out->matter = v;
    for (int m = 1; v && m < b->matters; m++)
        if (!(v[m] = tl_arena_zero(step->arena, (size_t)b->matter[m]->nv + 1, sizeof **v))) return false;
    return v && out->grain;
}

void tl_blocks_drop_factor(tl_blocks *b)
{
    if (b->factor) tl_sparse3_destroy(b->spent), b->spent = b->factor;
    tl_sparse3_destroy(b->rank);
    b->factor = b->rank = NULL;
    b->redundant = b->rank_damping = 0;
    b->delicate = false;
}

void tl_blocks_keep_null(tl_blocks *b, tl_sparse3 *factor, double epsilon, double (*x)[3])
{
    enum { PASSES = 3 };
    for (int i = 0; i < PASSES; i++) {
        for (int u = 0; u < b->unknowns; u++)
            for (int r = 0; r < 3; r++) x[u][r] *= epsilon;
        tl_sparse3_solve(factor, x);
    }
}

/* ---- assembly --------------------------------------------------------------------------------------------------------------- */

/* Blocks that the factor solves, by group: those of g are member[begin[g]] … */
typedef struct ends_by {
    int *begin, *member, *owner; /* ends; the block of an end */
} ends_by;

/* s (left rightᵀ) s, by ends [rows][size], with s by rows. */
typedef struct product {
    tl_sparse3 *to;
    double (*scale)(const tl_block *, int row);
    double (*more)(const tl_block *, int row); /* on the diagonal */
    const double **left, **right;
} product;

static talus_status list_direct_ends(const tl_blocks *b, tl_step *step, ends_by *l)
{
    const int groups = b->grains.bodies + b->matters;
    l->begin = tl_arena_zero(step->arena, (size_t)groups + 2, sizeof *l->begin);
    l->member = tl_arena_alloc(step->arena, (size_t)b->ends + 1, sizeof *l->member);
    l->owner = tl_arena_alloc(step->arena, (size_t)b->ends + 1, sizeof *l->owner);
    if (!l->begin || !l->member || !l->owner) return no_memory(step);
    for (int i = 0; i < b->count; i++)
        for (int e = b->block[i].first; b->block[i].direct && e < b->block[i].first + b->block[i].ends; e++) l->begin[b->end[e].group + 2]++;
    for (int g = 0; g < groups; g++) l->begin[g + 2] += l->begin[g + 1];
    for (int i = 0; i < b->count; i++)
        for (int e = b->block[i].first; b->block[i].direct && e < b->block[i].first + b->block[i].ends; e++) {
            l->member[l->begin[b->end[e].group + 1]++] = e;
            l->owner[e] = i;
        }
    return TALUS_OK;
}

/* Block by block of three; of a block's own, the upper ones once. */
static void add_product(const tl_blocks *b, const ends_by *l, const product *p, int ea, int ec)
{
    const tl_block *ka = &b->block[l->owner[ea]], *kb = &b->block[l->owner[ec]];
    const double *a = p->left[ea], *c = p->right[ec];
    const int size = b->end[ea].size;
    for (int i = 0; i < unknowns_of(ka); i++)
        for (int j = 0; j < unknowns_of(kb); j++) {
            double block[9] = {0};
            if (ka == kb && j < i) continue;
            for (int r = 0; r < 3; r++)
                for (int q = 0; q < 3; q++) {
                    const int row = 3 * i + r, column = 3 * j + q;
                    double sum = 0;
                    for (int n = 0; row < ka->rows && column < kb->rows && n < size; n++) sum += a[row * size + n] * c[column * size + n];
                    block[3 * r + q] = p->scale(ka, row) * sum * p->scale(kb, column);
                }
            tl_sparse3_add(p->to, ka->unknown + i, kb->unknown + j, block);
        }
}

/* Rows that have no scale have 1 on the diagonal. */
static void add_diagonal(const tl_block *k, const product *p)
{
    for (int i = 0; i < unknowns_of(k); i++) {
        double block[9] = {0};
        for (int r = 0; r < 3; r++) block[4 * r] = p->scale(k, 3 * i + r) > 0 ? p->more(k, 3 * i + r) : 1;
        tl_sparse3_add(p->to, k->unknown + i, k->unknown + i, block);
    }
}

static void assemble(const tl_blocks *b, const ends_by *l, const product *p)
{
    tl_sparse3_clear(p->to);
    for (int i = 0; i < b->count; i++)
        if (b->block[i].direct) add_diagonal(&b->block[i], p);
    for (int g = 0; g < b->grains.bodies + b->matters; g++)
        for (int m = l->begin[g]; m < l->begin[g + 1]; m++)
            for (int n = m; n < l->begin[g + 1]; n++) add_product(b, l, p, l->member[m], l->member[n]);
}

static talus_status couple(const tl_blocks *b, const ends_by *l, tl_step *step, tl_sparse3 *to)
{
    const int groups = b->grains.bodies + b->matters;
    int *list = tl_arena_alloc(step->arena, (size_t)b->unknowns + 2, sizeof *list);
    if (!list) return no_memory(step);
    for (int i = 0; i < b->count; i++) {
        const tl_block *k = &b->block[i];
        for (int u = 0; k->direct && u < unknowns_of(k); u++) list[u] = k->unknown + u;
        if (k->direct) tl_sparse3_couple(to, list, unknowns_of(k));
    }
    for (int g = 0; g < groups; g++) {
        int n = 0;
        for (int m = l->begin[g]; m < l->begin[g + 1]; m++) {
            const tl_block *k = &b->block[l->owner[l->member[m]]];
            for (int u = 0; u < unknowns_of(k); u++) list[n++] = k->unknown + u;
        }
        if (n > 0) tl_sparse3_couple(to, list, n);
    }
    return TALUS_OK;
}

/* The matrix of this pattern in an order, that of the step before if it still serves. One without an order is never kept. */
static talus_status find_order(tl_blocks *b, const ends_by *l, tl_step *step)
{
    tl_sparse3 *fresh = tl_sparse3_create(step->memory, b->unknowns);
    if (!fresh) return no_memory(step);
    talus_status status = couple(b, l, step, fresh);
    const bool serves = status == TALUS_OK && b->spent && tl_sparse3_is_ordered_as(b->spent, fresh);
    if (status == TALUS_OK && !serves) status = tl_sparse3_order(fresh, step->error);
    if (status == TALUS_OK) b->factor = serves ? b->spent : fresh;
    if (serves) b->spent = NULL;
    if (serves || status != TALUS_OK) tl_sparse3_destroy(fresh);
    return status;
}

/* ---- A ---------------------------------------------------------------------------------------------------------------------- */

static double give_of(const tl_block *k, int row)
{
    const double s = tl_block_scale(k, row);
    return s * s * k->give[row];
}

static talus_status make_product(const tl_blocks *b, const ends_by *l, tl_step *step, product *p)
{
    p->scale = tl_block_scale, p->more = give_of, p->to = b->factor;
    p->left = tl_arena_zero(step->arena, (size_t)b->ends + 1, sizeof *p->left);
    p->right = tl_arena_zero(step->arena, (size_t)b->ends + 1, sizeof *p->right);
    if (!p->left || !p->right) return no_memory(step);
    for (int m = 0; m < l->begin[b->grains.bodies + b->matters]; m++) {
        const int e = l->member[m];
        p->left[e] = b->end[e].H, p->right[e] = b->end[e].Y;
    }
    return TALUS_OK;
}

/* With the least of the dampings, each a hundred times the one before, that leave it a factor. */
static talus_status factor(tl_sparse3 *A, double *damping, tl_step *step)
{
    enum { MOST = 7 };
    for (int i = 0; i < MOST; i++, *damping *= 100)
        if (*damping < 1e-2 && tl_sparse3_factor(A, *damping)) return TALUS_OK;
    return tl_fail(step->error, TALUS_SINGULAR, "the joints between bodies have no finite operator: is a mass or an inertia not a number?");
}

/* ---- rows as geometry ------------------------------------------------------------------------------------------------------- */

static double measure_of(const tl_block *k, int row) { return row < k->rows && !k->repeated[row] ? k->measure[row] : 0; }

static double full_measure_of(const tl_block *k, int row) { return row < k->rows ? k->measure[row] : 0; }

/* Rows that give count as ones that nobody else says. */
static double softness_of(const tl_block *k, int row) { return row < k->rows && give_of(k, row) > ROUNDING ? 1 : 0; }

/* Force and moment about the centre of mass of a body, as many as its rows have numbers; out [size]. */
static void read_wrench(const tl_blocks *b, const tl_block *k, const tl_block_end *end, int row, double *out)
{
    tl_vec3 force = {0, 0, 0}, moment = {0, 0, 0};
    for (int i = 0; i < k->of->grips; i++) {
        const tl_grip *g = &k->of->grip[i];
        if (g->matter != 0 || g->item != end->group) continue;
        force = tl_add(force, g->row[row].force);
        moment = tl_add(moment, tl_add(tl_cross(g->arm, g->row[row].force), g->row[row].moment));
    }
    const int turns = end->size - (b->grains.size > 3 ? 3 : 1); /* from there on H is of spins: none where the body does not turn */
    bool spins = false;
    for (int i = turns; i < end->size; i++) spins |= end->H[row * end->size + i] != 0;
    out[0] = force.x, out[1] = force.y;
    if (b->grains.size > 3) out[2] = force.z;
    if (!spins) return;
    if (b->grains.size > 3) tl_store3(&out[turns], moment);
    else out[turns] = moment.z;
}

/* Numbers of a group that are measured together: the spins of a body; of a mechanism each rate by itself. */
static void measure_group(const tl_blocks *b, const ends_by *l, int group, double **G, double least)
{
    const bool grain = group < b->grains.bodies;
    const int size = b->end[l->member[l->begin[group]]].size, first = grain ? size - (size > 3 ? 3 : 1) : 0;
    double largest = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int i = first; i < size; i += grain ? size : 1) {
            double most = 0;
            for (int m = l->begin[group]; m < l->begin[group + 1]; m++)
                for (int r = 0; r < b->block[l->owner[l->member[m]]].rows; r++)
                    for (int j = i; j < (grain ? size : i + 1); j++) most = fmax(most, fabs(G[l->member[m]][r * size + j]));
            largest = fmax(largest, most);
            most = fmax(most, grain ? least : SHORT * largest);
            for (int m = l->begin[group]; pass == 1 && most > 0 && m < l->begin[group + 1]; m++)
                for (int r = 0; r < b->block[l->owner[l->member[m]]].rows; r++)
                    for (int j = i; j < (grain ? size : i + 1); j++) G[l->member[m]][r * size + j] /= most;
        }
}

static talus_status measure(tl_blocks *b, const ends_by *l, tl_step *step, product *p)
{
    const int groups = b->grains.bodies + b->matters;
    double **G = tl_arena_zero(step->arena, (size_t)b->ends + 1, sizeof *G), longest = 0;
    if (!G) return no_memory(step);
    for (int m = 0; m < l->begin[groups]; m++) {
        const int e = l->member[m];
        const tl_block_end *end = &b->end[e];
        const tl_block *k = &b->block[l->owner[e]];
        if (!(G[e] = tl_arena_zero(step->arena, (size_t)(k->rows * end->size) + 1, sizeof **G))) return no_memory(step);
        for (int r = 0; r < k->rows; r++) {
            double *own = G[e] + r * end->size;
            if (end->group < b->grains.bodies) read_wrench(b, k, end, r, own);
            else memcpy(own, end->H + r * end->size, (size_t)end->size * sizeof *own);
            for (int i = end->group < b->grains.bodies ? end->size - (end->size > 3 ? 3 : 1) : end->size; i < end->size; i++)
                longest = fmax(longest, fabs(own[i]));
        }
    }
    for (int g = 0; g < groups; g++)
        if (l->begin[g] < l->begin[g + 1]) measure_group(b, l, g, G, SHORT * longest);
    for (int i = 0; i < b->count; i++)
        for (int r = 0; b->block[i].direct && r < b->block[i].rows; r++) {
            tl_block *k = &b->block[i];
            double sum = 0;
            for (int e = k->first; e < k->first + k->ends; e++)
                for (int n = 0; n < b->end[e].size; n++) sum += G[e][r * b->end[e].size + n] * G[e][r * b->end[e].size + n];
            k->measure[r] = sum > 0 && k->W[r * k->rows + r] > 0 ? 1 / sqrt(sum) : 0;
        }
    *p = (product){b->factor, measure_of, softness_of, (const double **)G, (const double **)G};
    return TALUS_OK;
}

/* ---- rank ------------------------------------------------------------------------------------------------------------------- */

static double size_of(const tl_blocks *b, double (*x)[3])
{
    double sum = 0;
    for (int u = 0; u < b->unknowns; u++)
        for (int r = 0; r < 3; r++) sum += x[u][r] * x[u][r];
    return sqrt(sum);
}

/* The row that a combination which vanishes has most of. Such a combination is what is left of numbers to which none is orthogonal, and a further pass of A (A
 * + ε)⁻¹ leaves half of it or more: A has less than ε of it. False: there is none. */
static bool find_repeated(tl_blocks *b, tl_sparse3 *rank, double epsilon)
{
    double most = 0;
    tl_block *of = NULL;
    int row = 0;
    for (int u = 0; u < b->unknowns; u++)
        for (int r = 0; r < 3; r++) {
            const uint32_t hash = (uint32_t)(3 * u + r + 1) * 2654435761u;
            b->y[u][r] = 1 + (double)(hash >> 16) / 65536;
        }
    tl_blocks_keep_null(b, rank, epsilon, b->y);
    const double before = size_of(b, b->y);
    for (int u = 0; u < b->unknowns; u++)
        for (int r = 0; r < 3; r++) b->y[u][r] *= epsilon;
    tl_sparse3_solve(rank, b->y);
    if (!(size_of(b, b->y) > 0.5 * before)) return false;
    for (int i = 0; i < b->count; i++)
        for (int r = 0; b->block[i].direct && r < b->block[i].rows; r++) {
            tl_block *k = &b->block[i];
            const double x = fabs(b->y[k->unknown + r / 3][r % 3]);
            if (measure_of(k, r) > 0 && x > most) most = x, of = k, row = r;
        }
    if (of) of->repeated[row] = true;
    return of;
}

/* Rows that the others say, `repeated`, and how many. */
static talus_status find_rank(tl_blocks *b, const ends_by *l, const product *p, tl_step *step, int *repeated)
{
    for (*repeated = 0;; ++*repeated) {
        double epsilon = REDUNDANT;
        assemble(b, l, p);
        TL_TRY(factor(p->to, &epsilon, step));
        if (!find_repeated(b, p->to, epsilon)) return TALUS_OK;
    }
}

static double length_of(const tl_blocks *b, double (*x)[3], bool impulses)
{
    double sum = 0;
    for (int i = 0; i < b->count; i++)
        for (int r = 0; b->block[i].direct && r < b->block[i].rows; r++) {
            const tl_block *k = &b->block[i];
            const double one = x[k->unknown + r / 3][r % 3];
            const double y = !impulses ? one : k->measure[r] > 0 ? one * tl_block_scale(k, r) / k->measure[r] : 0;
            sum += y * y;
        }
    return sqrt(sum);
}

/* Would impulses against each other of rows that say the same, which are to do nothing, ask for others of a tenth of their size? */
static talus_status is_harmful(tl_blocks *b, tl_step *step, bool *harmful)
{
    tl_velocities work;
    *harmful = false;
    for (int i = 0; i < b->count && !*harmful; i++)
        for (int r = 0; b->block[i].direct && r < b->block[i].rows; r++) {
            if (!b->block[i].repeated[r]) continue;
            const tl_arena_place mark = tl_arena_mark(step->arena);
            if (!tl_block_rest(b, step, &work)) return no_memory(step);
            memset(b->y, 0, (size_t)b->unknowns * sizeof *b->y);
            b->y[b->block[i].unknown + r / 3][r % 3] = 1;
            tl_blocks_keep_null(b, b->rank, b->rank_damping, b->y);
            for (int j = 0; j < b->count; j++) {
                const tl_block *k = &b->block[j];
                double I[TL_ROWS] = {0};
                for (int q = 0; k->direct && q < k->rows; q++) I[q] = k->measure[q] * b->y[k->unknown + q / 3][q % 3];
                if (k->direct) tl_block_push_ends(b, k, k->first, k->ends, &work, I);
            }
            const double own = length_of(b, b->y, false);
            tl_blocks_ask(b, &work, tl_block_read);
            tl_sparse3_solve(b->factor, b->x);
            *harmful |= !(length_of(b, b->x, true) <= HARM * own);
            tl_arena_release(step->arena, mark);
        }
    return TALUS_OK;
}

static talus_status make_rank(tl_blocks *b, const ends_by *l, product *p, tl_step *step)
{
    bool harmful;
    b->rank = p->to = tl_sparse3_create(step->memory, b->unknowns);
    if (!b->rank) return no_memory(step);
    TL_TRY(couple(b, l, step, b->rank));
    TL_TRY(tl_sparse3_order(b->rank, step->error));
    p->scale = full_measure_of;
    assemble(b, l, p);
    b->rank_damping = REDUNDANT;
    TL_TRY(factor(b->rank, &b->rank_damping, step));
    TL_TRY(is_harmful(b, step, &harmful));
    if (!harmful) return TALUS_OK;
    tl_sparse3_destroy(b->rank);
    b->rank = NULL;
    return TALUS_OK;
}

/* Are there ends that move more than 10⁴ times as easily as others? Else a small pivot is one of the geometry, and rank is not asked for, which takes a factor
 * for each row that repeats others. */
static bool has_light_parts(const tl_blocks *b)
{
    static const double MUCH = 1e4;
    double least = (double)INFINITY, most = 0;
    for (int i = 0; i < b->count; i++) {
        const tl_block *k = &b->block[i];
        for (int e = k->first; k->direct && e < k->first + k->ends; e++) {
            const tl_block_end *end = &b->end[e];
            double ease = 0;
            for (int m = 0; end->H && m < k->rows * end->size; m++) ease += end->H[m] * end->Y[m] / k->rows;
            if (ease > 0) least = fmin(least, ease), most = fmax(most, ease);
        }
    }
    return most > MUCH * least;
}

/* Least impulses by A itself: a larger damping than that which it has a factor with. */
static void damp(tl_blocks *b, const ends_by *l, const product *A, double damping)
{
    b->redundant = fmax(damping, REDUNDANT);
    assemble(b, l, A);
    (void)tl_sparse3_factor(b->factor, b->redundant);
}

/* A has a small pivot. */
static talus_status look_closer(tl_blocks *b, const ends_by *l, const product *A, double damping, tl_step *step)
{
    product rows;
    int repeated;
    double least = DAMPING;
    b->y = tl_arena_alloc(step->arena, (size_t)b->unknowns, sizeof *b->y);
    if (!b->y) return no_memory(step);
    if (!has_light_parts(b)) {
        damp(b, l, A, damping);
        return TALUS_OK;
    }
    TL_TRY(measure(b, l, step, &rows));
    TL_TRY(find_rank(b, l, &rows, step, &repeated));
    assemble(b, l, A);
    TL_TRY(factor(b->factor, &least, step));
    if (repeated > 0 && tl_sparse3_least_pivot(b->factor) >= LIGHT) {
        for (int i = 0; i < b->count; i++) memset(b->block[i].repeated, 0, sizeof b->block[i].repeated);
        damp(b, l, A, damping);
        return TALUS_OK;
    }
    b->delicate = true;
    least = ROUNDING;
    TL_TRY(factor(b->factor, &least, step));
    return repeated > 0 ? make_rank(b, l, &rows, step) : TALUS_OK;
}

talus_status tl_blocks_factor(tl_blocks *b, tl_step *step)
{
    ends_by list;
    product A;
    double damping = DAMPING;
    TL_TRY(list_direct_ends(b, step, &list));
    for (int i = 0; i < b->count; i++) {
        if (!b->block[i].direct) continue;
        b->block[i].unknown = b->unknowns;
        b->unknowns += unknowns_of(&b->block[i]);
    }
    if (b->unknowns == 0) return TALUS_OK;
    b->x = tl_arena_alloc(step->arena, (size_t)b->unknowns, sizeof *b->x);
    if (!b->x) return no_memory(step);
    TL_TRY(find_order(b, &list, step));
    TL_TRY(make_product(b, &list, step, &A));
    assemble(b, &list, &A);
    TL_TRY(factor(b->factor, &damping, step));
    return tl_sparse3_least_pivot(b->factor) >= REDUNDANT ? TALUS_OK : look_closer(b, &list, &A, damping, step);
}
