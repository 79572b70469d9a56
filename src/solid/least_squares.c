/* Neighbours, fits and ghosts (least_squares.h). */
#include "solid/least_squares.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/math.h"

enum { AROUND = 27, TERMS = 10 };

static const double SINGULAR = 1e-9; /* a pivot of a moment matrix, over its first, below which it has no answer */

/* ---- the fit -------------------------------------------------------------------------------------------------------------------- */

/* Points around a particle, in units of the spacing, and the gradient there of the fit to values at them. */
typedef struct fit {
    int dimension, points;
    double reach; /* l/a */
    double at[AROUND][3], slope[AROUND][3];
} fit;

/* (1, x, y, z, yz, xz, xy, x², y², z²) of the dimension, scaled by the reach: linear terms first. Returns how many. */
static int basis(const fit *f, const double at[3], bool quadratic, double p[TERMS])
{
    const int d = f->dimension;
    double x[3];
    int n = 0;
    for (int k = 0; k < d; k++) x[k] = at[k] / f->reach;
    p[n++] = 1;
    for (int k = 0; k < d; k++) p[n++] = x[k];
    for (int k = 0; quadratic && k < d; k++)
        for (int i = k; i < d; i++) p[n++] = x[k] * x[i];
    return n;
}

/* The weight of a point, (1 − r²/l²)³, and how it changes as the particle moves along an axis. */
static double weight(const fit *f, const double at[3], double slope[3])
{
    double r2 = 0;
    for (int k = 0; k < f->dimension; k++) r2 += at[k] * at[k];
    const double s = 1 - r2 / (f->reach * f->reach);
    for (int k = 0; k < 3; k++) slope[k] = s > 0 ? 6 * s * s * at[k] / (f->reach * f->reach) : 0;
    return s > 0 ? s * s * s : 0;
}

/* ∇Ψ_j = ∇pᵀ A⁻¹ p_j W_j − pᵀ A⁻¹ ∇A A⁻¹ p_j W_j + pᵀ A⁻¹ p_j ∇W_j at the particle, where p = (1, 0, …) (N18 eq. 22). False: A is singular. */
static bool solve(fit *f, bool quadratic)
{
    double A[TERMS * TERMS] = {0}, dA[3][TERMS * TERMS] = {{0}}, p[AROUND][TERMS], W[AROUND], dW[AROUND][3], first[TERMS] = {1}, largest = 0;
    int n = 0;
    for (int j = 0; j < f->points; j++) {
        n = basis(f, f->at[j], quadratic, p[j]);
        W[j] = weight(f, f->at[j], dW[j]);
        for (int a = 0; a < n; a++)
            for (int b = 0; b < n; b++) {
                A[a * n + b] += W[j] * p[j][a] * p[j][b];
                for (int k = 0; k < f->dimension; k++) dA[k][a * n + b] += dW[j][k] * p[j][a] * p[j][b];
            }
    }
    for (int a = 0; a < n; a++) largest = fmax(largest, A[a * n + a]);
    if (!tl_cholesky(A, n)) return false;
    for (int a = 0; a < n; a++)
        if (!(A[a * n + a] * A[a * n + a] > SINGULAR * largest)) return false;
    tl_cholesky_solve(A, n, first);
    for (int j = 0; j < f->points; j++) {
        double y[TERMS];
        memcpy(y, p[j], (size_t)n * sizeof *y);
        tl_cholesky_solve(A, n, y);
        for (int k = 0; k < 3; k++) f->slope[j][k] = 0;
        for (int k = 0; k < f->dimension; k++) {
            double moved = 0;
            for (int a = 0; a < n; a++)
                for (int b = 0; b < n; b++) moved += first[a] * dA[k][a * n + b] * y[b];
            f->slope[j][k] = W[j] * (y[1 + k] / f->reach - moved) + dW[j][k] * y[0];
        }
    }
    return true;
}

/* ---- who is where --------------------------------------------------------------------------------------------------------------- */

typedef struct placed {
    int site[3], particle;
} placed;

static int compare(const void *a, const void *b)
{
    const placed *x = a, *y = b;
    for (int k = 2; k >= 0; k--)
        if (x->site[k] != y->site[k]) return x->site[k] < y->site[k] ? -1 : 1;
    return 0;
}

typedef struct lattice {
    const tl_least_squares_def *def;
    placed *place; /* [particles] by their sites */
} lattice;

/* The particle at an offset from another one; −1: none. */
static int at_offset(const lattice *l, int particle, const int offset[3])
{
    placed key = {.particle = 0};
    for (int k = 0; k < 3; k++) key.site[k] = l->def->site[particle][k] + offset[k];
    const placed *found = bsearch(&key, l->place, (size_t)l->def->particles, sizeof *l->place, compare);
    return found ? found->particle : -1;
}

static int number_of(const int offset[3]) { return offset[0] + 1 + 3 * (offset[1] + 1) + 9 * (offset[2] + 1); }

/* Offsets −1 … 1 along each axis, by their number. */
static void offset_of(int number, int offset[3]) { offset[0] = number % 3 - 1, offset[1] = number / 3 % 3 - 1, offset[2] = number / 9 - 1; }

static bool is_of_dimension(const lattice *l, int number) { return l->def->dimension == 3 || number / 9 == 1; }

/* Cells of the lattice around a particle with particles at all corners, over all of them. */
static double volume_share(const lattice *l, const int *around)
{
    const int corners = 1 << l->def->dimension;
    int whole = 0;
    for (int cell = 0; cell < corners; cell++) {
        bool full = true;
        for (int corner = 0; corner < corners; corner++) {
            int offset[3] = {0, 0, 0};
            for (int k = 0; k < l->def->dimension; k++) offset[k] = (corner >> k & 1) * ((cell >> k & 1) ? 1 : -1);
            full = full && around[number_of(offset)] >= 0;
        }
        whole += full;
    }
    return (double)whole / corners;
}

/* ---- ghosts --------------------------------------------------------------------------------------------------------------------- */

/* Who stands for a site without a particle, and with what share. */
typedef struct stand_in {
    int number;
    double share;
} stand_in;
enum { STAND_INS = 12 };

/* Straight on along the axes of a set, one after the other: of each axis twice the particle before it less the one behind. Returns how many stand there; 0: not
 * all of them are there. */
static int go_straight(const int *around, const int offset[3], int set, stand_in *out)
{
    int count = 0;
    for (int choice = 0; choice < 8; choice++) {
        int at[3];
        double share = 1;
        if (choice & ~set) continue;
        for (int k = 0; k < 3; k++) {
            const bool along = set >> k & 1, behind = choice >> k & 1;
            if (along && offset[k] == 0) return 0;
            at[k] = !along ? offset[k] : behind ? -offset[k] : 0;
            if (along) share *= behind ? -1 : 2;
        }
        if (around[number_of(at)] < 0) return 0;
        out[count++] = (stand_in){number_of(at), share};
    }
    return count;
}

/* Along the fewest axes that lead there; where several do, their mean. */
static int stand_ins(const int *around, const int offset[3], stand_in *out)
{
    for (int axes = 1; axes <= 3; axes++) {
        int count = 0, ways = 0;
        for (int set = 1; set < 8; set++) {
            const int more = __builtin_popcount((unsigned)set) == axes ? go_straight(around, offset, set, out + count) : 0;
            count += more, ways += more > 0;
        }
        for (int i = 0; i < count; i++) out[i].share /= ways;
        if (count > 0) return count;
    }
    return 0;
}

/* Row of a particle: coefficients of the sites around it, ghosts spread over who stands for them. */
typedef struct row {
    double slope[AROUND][3];
    int ghosts;
    bool linear;
} row;

static bool make_row(const lattice *l, const fit *whole, const int *around, row *out)
{
    fit f = *whole;
    stand_in who[AROUND][STAND_INS];
    int number[AROUND], count = 0, stands[AROUND], missing = 0;
    *out = (row){.ghosts = 0};
    for (int n = 0; n < AROUND; n++) {
        int offset[3];
        if (!is_of_dimension(l, n)) continue;
        offset_of(n, offset);
        stands[n] = around[n] < 0 ? stand_ins(around, offset, who[n]) : 0;
        if (around[n] < 0 && stands[n] == 0) {
            missing++;
            continue;
        }
        out->ghosts += around[n] < 0;
        for (int k = 0; k < 3; k++) f.at[count][k] = offset[k];
        number[count++] = n;
    }
    f.points = count;
    if (missing > 0 && !solve(&f, true)) {
        out->linear = true;
        if (!solve(&f, false)) return false;
    }
    for (int i = 0; i < count; i++)
        for (int k = 0; k < 3; k++) {
            const int n = number[i];
            const double g = f.slope[i][k];
            if (around[n] >= 0) out->slope[n][k] += g;
            for (int s = 0; s < stands[n]; s++) out->slope[who[n][s].number][k] += who[n][s].share * g;
        }
    return true;
}

/* ---- all of them ---------------------------------------------------------------------------------------------------------------- */

static talus_status no_memory(const tl_least_squares_def *d, tl_error *error)
{
    return tl_fail(error, TALUS_MEMORY, "no memory for %d particles", d->particles);
}

static talus_status make_lattice(tl_memory memory, const tl_least_squares_def *d, lattice *l, tl_error *error)
{
    *l = (lattice){d, tl_alloc(memory, (size_t)d->particles + 1, sizeof *l->place)};
    if (!l->place) return no_memory(d, error);
    for (int i = 0; i < d->particles; i++) l->place[i] = (placed){{d->site[i][0], d->site[i][1], d->site[i][2]}, i};
    qsort(l->place, (size_t)d->particles, sizeof *l->place, compare);
    for (int i = 1; i < d->particles; i++)
        if (compare(&l->place[i - 1], &l->place[i]) == 0)
            return tl_fail(error, TALUS_INPUT, "particles %d and %d are at one place", l->place[i - 1].particle + 1, l->place[i].particle + 1);
    return TALUS_OK;
}

static int ascending(const void *a, const void *b) { return ((const int *)a)[0] - ((const int *)b)[0]; }

static talus_status add_row(tl_least_squares *s, const lattice *l, const fit *whole, int i, tl_error *error)
{
    int around[AROUND], sorted[AROUND][2], count = 0;
    row r;
    for (int n = 0; n < AROUND; n++) {
        int offset[3];
        offset_of(n, offset);
        around[n] = is_of_dimension(l, n) ? at_offset(l, i, offset) : -1;
    }
    if (!make_row(l, whole, around, &r))
        return tl_fail(error, TALUS_INPUT, "particle %d has no neighbours along some direction: the body is thinner than two spacings there", i + 1);
    s->volume[i] = volume_share(l, around) * pow(l->def->spacing, l->def->dimension);
    s->ghosts += r.ghosts, s->linear += r.linear;
    for (int n = 0; n < AROUND; n++)
        if (around[n] >= 0) sorted[count][0] = around[n], sorted[count++][1] = n;
    qsort(sorted, (size_t)count, sizeof *sorted, ascending);
    for (int k = 0; k < count; k++) {
        const int at = s->begin[i] + k;
        s->neighbour[at] = sorted[k][0];
        for (int axis = 0; axis < 3; axis++) s->gradient[at][axis] = r.slope[sorted[k][1]][axis] / l->def->spacing;
    }
    s->begin[i + 1] = s->begin[i] + count;
    return TALUS_OK;
}

/* As many particles as sites between the outermost fill a box. */
static void find_box(tl_least_squares *s, const lattice *l, const fit *whole)
{
    int count[3];
    double sites = 1;
    for (int k = 0; k < 3; k++) {
        int least = l->def->site[0][k], most = least;
        for (int i = 1; i < s->particles; i++) {
            const int at = l->def->site[i][k];
            least = at < least ? at : least, most = at > most ? at : most;
        }
        count[k] = most - least + 1, sites *= count[k];
    }
    for (int i = 0; i < s->particles; i++) s->by_site[i] = l->place[i].particle;
    if (l->def->dimension < 3 || s->linear > 0 || sites != s->particles) return;
    memcpy(s->box, count, sizeof s->box);
    for (int aside = 0; aside < 3; aside++) {
        const int offset[3] = {1, aside > 0, aside > 1};
        s->slope[aside] = whole->slope[number_of(offset)][0] / l->def->spacing;
    }
}

static talus_status fill(tl_least_squares *s, const lattice *l, tl_error *error)
{
    const tl_least_squares_def *d = l->def;
    const size_t n = (size_t)d->particles;
    fit whole = {.dimension = d->dimension, .reach = d->influence};
    s->volume = tl_alloc(s->memory, n + 1, sizeof *s->volume);
    s->begin = tl_alloc(s->memory, n + 1, sizeof *s->begin);
    s->neighbour = tl_alloc(s->memory, AROUND * n + 1, sizeof *s->neighbour);
    s->gradient = tl_alloc(s->memory, AROUND * n + 1, sizeof *s->gradient);
    s->by_site = tl_alloc(s->memory, n + 1, sizeof *s->by_site);
    if (!s->volume || !s->begin || !s->neighbour || !s->gradient || !s->by_site) return no_memory(d, error);
    for (int k = 0; k < AROUND; k++) {
        int offset[3];
        if (!is_of_dimension(l, k)) continue;
        offset_of(k, offset);
        for (int axis = 0; axis < 3; axis++) whole.at[whole.points][axis] = offset[axis];
        whole.points++;
    }
    if (!solve(&whole, true)) return tl_fail(error, TALUS_INPUT, "an influence of %g spacings is too short for a quadratic fit", d->influence);
    for (int i = 0; i < d->particles; i++) TL_TRY(add_row(s, l, &whole, i, error));
    find_box(s, l, &whole);
    return TALUS_OK;
}

talus_status tl_least_squares_create(tl_memory memory, const tl_least_squares_def *d, tl_least_squares *out, tl_error *error)
{
    lattice l = {d, NULL};
    *out = (tl_least_squares){.memory = memory, .particles = d->particles, .spacing = d->spacing};
    if (!(d->influence > sqrt(d->dimension)) || !(d->influence <= 2))
        return tl_fail(error, TALUS_INPUT, "the influence is %g spacings; it must be above %.4g, and 2 at most", d->influence, sqrt(d->dimension));
    talus_status status = make_lattice(memory, d, &l, error);
    if (status == TALUS_OK) status = fill(out, &l, error);
    tl_free(memory, l.place);
    if (status != TALUS_OK) tl_least_squares_free(out);
    return status;
}

void tl_least_squares_free(tl_least_squares *s)
{
    void *const all[] = {s->volume, s->begin, s->neighbour, s->gradient, s->by_site};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) tl_free(s->memory, all[i]);
    *s = (tl_least_squares){.memory = s->memory};
}
