/* The elimination of a hub, in the plane and in space (hub.h). */
#include "solve/hub.h"

#include <math.h>
#include <string.h>

enum { PASSES = 24, RATES = TL_HUB_RATES, AXES = TL_HUB_AXES };

/* Of a body: moving neighbours, their mass [kg], and contacts that would stay in packs. */
typedef struct neighbours {
    double moving, mass;
    int packed;
} neighbours;

/* A grain among grains of its kind has 6 neighbours, in space 12, and some more that are near. */
enum { NEIGHBOURS = 24 };

static bool is_hub(const neighbours *n, int colors, double inverse_mass) { return n->moving > NEIGHBOURS && n->packed <= colors && n->mass * inverse_mass > 1; }

/* Has a body so many contacts that it may be a hub? Most problems have none, and are not looked at more closely. */
static talus_status is_crowded(const tl_problem *p, tl_step *step, bool *out)
{
    int *contacts = tl_arena_zero(step->arena, (size_t)p->bodies + 1, sizeof *contacts);
    if (!contacts) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d bodies", p->bodies);
    *out = false;
    for (int i = 0; i < p->contacts && !*out; i++) {
        const tl_contact *c = &p->contact[i];
        const tl_place end[2] = {c->a, c->b};
        for (int side = 0; side < 2 && end[0].matter == 0 && end[1].matter == 0; side++)
            if (tl_moves(p, end[side])) *out = ++contacts[end[side].item] > NEIGHBOURS || *out;
    }
    return TALUS_OK;
}

talus_status tl_hubs_find(tl_problem *p, tl_step *step, int colors)
{
    bool crowded = false;
    p->is_hub = NULL;
    TL_TRY(is_crowded(p, step, &crowded));
    if (!crowded) return TALUS_OK;
    neighbours *count = tl_arena_zero(step->arena, (size_t)p->bodies + 1, sizeof *count);
    bool *hub = tl_arena_alloc(step->arena, (size_t)p->bodies + 1, sizeof *hub), any = false;
    if (!count || !hub) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d bodies", p->bodies);
    for (int i = 0; i < p->contacts; i++) {
        const tl_contact *c = &p->contact[i];
        const tl_place end[2] = {c->a, c->b};
        for (int side = 0; side < 2 && !c->block && tl_is_among_grains(p, c); side++) {
            const double inverse_mass = p->inverse_mass[end[1 - side].item], points = c->points > 1 ? c->points : 1;
            neighbours *own = &count[end[side].item];
            if (tl_moves(p, end[1 - side]) && tl_may_be_spoke(p, c)) own->moving += 1 / points, own->mass += inverse_mass > 0 ? 1 / (points * inverse_mass) : 0;
            else own->packed++;
        }
    }
    for (int i = 0; i < p->bodies; i++) any |= hub[i] = is_hub(&count[i], colors, p->inverse_mass[i]);
    p->is_hub = any ? hub : NULL;
    return TALUS_OK;
}

talus_status tl_hubs_make(const tl_hub_ops *ops, tl_problem *s, tl_step *step, tl_hubs *out)
{
    *out = (tl_hubs){.problem = s, .ops = ops};
    if (!s->is_hub) return TALUS_OK;
    for (int i = 0; i < s->bodies; i++) out->count += s->is_hub[i];
    out->hub = tl_arena_zero(step->arena, (size_t)out->count + 1, sizeof *out->hub);
    out->of = tl_arena_zero(step->arena, (size_t)s->coupleds + 1, sizeof *out->of);
    tl_spoke *spoke = tl_arena_alloc(step->arena, (size_t)s->coupleds + 1, sizeof *spoke);
    if (!out->hub || !out->of || !spoke) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d contacts", s->coupleds);
    tl_hub *hub = out->hub;
    for (int body = 0; body < s->bodies; body++) {
        if (!s->is_hub[body]) continue;
        *hub = (tl_hub){.row = body, .spoke = spoke};
        for (int i = 0; i < s->coupleds; i++) {
            const int *row = s->coupled[i].row, side = row[0] == body ? 1 : 0;
            *spoke = (tl_spoke){.coupled = i, .side = side};
            if (out->of[i] || row[1 - side] != body || row[side] < 0 || !ops->bind(s, spoke)) continue;
            out->of[i] = hub;
            spoke++, hub->spokes++;
        }
        hub++;
    }
    return TALUS_OK;
}

/* x ← A⁻¹ x of n unknowns, with pivots. */
static void solve(int n, double A[RATES][RATES], double x[RATES])
{
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(A[i][k]) > fabs(A[best][k])) best = i;
        for (int j = 0; j < n && best != k; j++) {
            const double swap = A[k][j];
            A[k][j] = A[best][j], A[best][j] = swap;
        }
        const double swap = x[k];
        x[k] = x[best], x[best] = swap;
        for (int i = k + 1; i < n; i++) {
            const double share = A[i][k] / A[k][k];
            for (int j = k; j < n; j++) A[i][j] -= share * A[k][j];
            x[i] -= share * x[k];
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        for (int j = k + 1; j < n; j++) x[k] -= A[k][j] * x[j];
        x[k] /= A[k][k];
    }
}

/* A += H D Hᵀ */
static void add_slope(const tl_hubs *s, const tl_spoke *k, double D[AXES][AXES], double A[RATES][RATES])
{
    for (int a = 0; a < s->ops->rates; a++)
        for (int j = 0; j < s->ops->axes; j++) {
            double share = 0;
            for (int i = 0; i < s->ops->axes; i++) share += k->H[i][a] * D[i][j];
            for (int b = 0; b < s->ops->rates; b++) A[a][b] += share * k->H[j][b];
        }
}

/* All spokes once, the hub at z: new impulses, what neighbours then do, what is left of the hub's equation, and its derivative. Returns the length of what is
 * left. */
static double visit(const tl_hubs *s, tl_hub *hub, const double free[RATES], const double z[RATES], double left[RATES], double A[RATES][RATES])
{
    for (int i = 0; i < s->ops->rates; i++) {
        left[i] = free[i] - z[i];
        for (int j = 0; j < s->ops->rates; j++) A[i][j] = i == j;
    }
    s->ops->place(s->problem, hub->row, z);
    for (int n = 0; n < hub->spokes; n++) {
        tl_spoke *k = &hub->spoke[n];
        double I[AXES] = {0}, D[AXES][AXES] = {{0}}, change[AXES] = {0};
        s->ops->answer(s->problem, k, I, D);
        for (int i = 0; i < s->ops->axes; i++) change[i] = I[i] - k->I[i], k->I[i] = I[i];
        s->ops->push(s->problem, k, change);
        for (int a = 0; a < s->ops->rates; a++)
            for (int i = 0; i < s->ops->axes; i++) left[a] += k->H[i][a] * I[i];
        add_slope(s, k, D, A);
    }
    double sum = 0;
    for (int i = 0; i < s->ops->rates; i++) sum += left[i] * left[i];
    return sqrt(sum);
}

/* z, from where it is, to `enough` or a thousandth of what is left of the equation at first. A step that leaves more than there was is halved. False: with
 * friction there are kinks where no step leaves less. */
static bool find_velocity(const tl_hubs *s, tl_hub *hub, const double free[RATES], double enough, double z[RATES])
{
    double left[RATES] = {0}, A[RATES][RATES] = {{0}}, now = visit(s, hub, free, z, left, A);
    const double goal = fmax(enough, 1e-3 * now);
    for (int pass = 0; pass < PASSES && now > goal;) {
        double step[RATES], from[RATES], share = 1, then;
        memcpy(step, left, sizeof step);
        memcpy(from, z, sizeof from);
        solve(s->ops->rates, A, step);
        do {
            for (int a = 0; a < s->ops->rates; a++) z[a] = from[a] + share * step[a];
            then = visit(s, hub, free, z, left, A);
            share *= 0.5, pass++;
        } while (!(then < now) && share > 0.05 && pass < PASSES);
        now = then;
    }
    for (int a = 0; a < s->ops->rates; a++) z[a] += left[a]; /* momentum is exact; laws hold as nearly as z was found */
    return now <= goal;
}

/* Everything as it was before the hub was solved. */
static void take_back(const tl_hubs *s, tl_hub *hub, const double z[RATES])
{
    s->ops->place(s->problem, hub->row, z);
    for (int n = 0; n < hub->spokes; n++) {
        double back[AXES] = {0};
        for (int i = 0; i < s->ops->axes; i++) back[i] = hub->spoke[n].y[i] - hub->spoke[n].I[i];
        s->ops->push(s->problem, &hub->spoke[n], back);
    }
}

double tl_hub_solve(const tl_hubs *s, tl_hub *hub, double (*before)[3], double beta)
{
    double free[RATES] = {0}, start[RATES] = {0}, z[RATES], fastest = 0, reversal = 0;
    s->ops->read(s->problem, hub->row, start);
    memcpy(z, start, sizeof z);
    memcpy(free, start, sizeof free);
    for (int n = 0; n < hub->spokes; n++) {
        tl_spoke *k = &hub->spoke[n];
        const double *I = s->problem->coupled[k->coupled].I, *was = before[k->coupled];
        double normal = 0;
        for (int i = 0; i < s->ops->axes; i++) k->y[i] = k->I[i] = I[i] + beta * (I[i] - was[i]);
        for (int a = 0; a < s->ops->rates; a++) {
            for (int i = 0; i < s->ops->axes; i++) free[a] -= k->H[i][a] * k->y[i];
            normal += k->H[0][a] * k->H[0][a];
        }
        fastest = fmax(fastest, normal);
    }
    hub->solved = find_velocity(s, hub, free, 0.1 * s->problem->solver->tolerance / sqrt(fastest > 0 ? fastest : 1), z);
    if (!hub->solved) {
        take_back(s, hub, start);
        return 0;
    }
    s->ops->place(s->problem, hub->row, z);
    for (int n = 0; n < hub->spokes; n++) {
        const tl_spoke *k = &hub->spoke[n];
        double *I = s->problem->coupled[k->coupled].I, back[AXES] = {0}, change[AXES] = {0};
        for (int i = 0; i < s->ops->axes; i++) {
            back[i] = k->y[i] - k->I[i], change[i] = k->I[i] - I[i];
            before[k->coupled][i] = I[i];
            I[i] = k->I[i];
        }
        reversal += s->ops->work(&s->problem->coupled[k->coupled], back, change);
    }
    return reversal;
}
