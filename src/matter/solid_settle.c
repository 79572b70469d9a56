/* Solids that start in equilibrium with their weight and loads (theory §10.6). */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "matter/solid_internal.h"

enum { MODES = 6, PASSES = 60, HALVINGS = 12, ITERATIVE = 2 };
static const double CLOSE = 1e-10; /* of the forces: what is left of them in equilibrium */
static const double NEARLY = 0.4;  /* what a pass leaves of the forces, at most, where the stiffness is nearly the tangent */
static const tl_solid_scales AT_REST = {0, 1, 0};
static const double ENOUGH = 1e-3; /* of a pass without a factor: what it leaves goes to the next, which sees it anyway (Dembo, Eisenstat & Steihaug 1982) */

/* ---- what is free --------------------------------------------------------------------------------------------------------------- */

/* Rigid motions of a part that what holds it excludes: an orthonormal basis of them, rotations measured as ways at the part's size. */
typedef struct grip {
    double basis[MODES][MODES], centre[3], size;
    int rank, nodes, first;
} grip;

/* Of a direction of a node: the share of each rigid motion (shifts along x, y, z; turns about x, y, z) in its displacement. */
static void add_row(grip *g, const double x[3], int axis)
{
    double row[MODES] = {0};
    const int b = (axis + 1) % 3, c = (axis + 2) % 3;
    const double r[3] = {(x[0] - g->centre[0]) / g->size, (x[1] - g->centre[1]) / g->size, (x[2] - g->centre[2]) / g->size};
    row[axis] = 1, row[3 + b] = r[c], row[3 + c] = -r[b]; /* (ω × r) along axis = ω_b r_c − ω_c r_b */
    for (int twice = 0; twice < 2; twice++)
        for (int k = 0; k < g->rank; k++) {
            double dot = 0;
            for (int i = 0; i < MODES; i++) dot += g->basis[k][i] * row[i];
            for (int i = 0; i < MODES; i++) row[i] -= dot * g->basis[k][i];
        }
    double size = 0;
    for (int i = 0; i < MODES; i++) size += row[i] * row[i];
    size = sqrt(size);
    if (!(size > 1e-8) || g->rank == MODES) return;
    for (int i = 0; i < MODES; i++) g->basis[g->rank][i] = row[i] / size;
    g->rank++;
}

static bool holds(const tl_solid *s, int node)
{
    bool out = false;
    for (int a = 0; a < s->dimension; a++) out = out || s->is_held[s->dimension * node + a];
    return out;
}

/* Turns are about the middle of the nodes that are held: where one node is, it is turns about it that are left. */
static grip grip_of(const tl_solid *s, int part)
{
    grip g = {.size = 0, .first = -1};
    double held = 0, middle[3] = {0, 0, 0};
    for (int i = 0; i < s->mesh.nodes; i++) {
        if (s->mesh.part_of[i] != part) continue;
        if (g.first < 0) g.first = i;
        g.nodes++;
        for (int a = 0; a < 3; a++) g.centre[a] += s->mesh.x[i][a];
        if (!holds(s, i)) continue;
        held++;
        for (int a = 0; a < 3; a++) middle[a] += s->mesh.x[i][a];
    }
    for (int a = 0; a < 3; a++) g.centre[a] = held > 0 ? middle[a] / held : g.centre[a] / g.nodes;
    for (int i = 0; i < s->mesh.nodes; i++)
        for (int a = 0; a < 3 && s->mesh.part_of[i] == part; a++) g.size = fmax(g.size, fabs(s->mesh.x[i][a] - g.centre[a]));
    for (int i = 0; i < s->mesh.nodes; i++)
        for (int a = 0; a < s->dimension; a++)
            if (s->is_held[s->dimension * i + a] && s->mesh.part_of[i] == part) add_row(&g, s->mesh.x[i], a);
    return g;
}

/* Names the motions that a part is left. */
static talus_status fail_free(const tl_solid *s, int part, const grip *g, tl_error *error)
{
    static const char *const NAME[MODES] = {"move along x", "move along y", "move along z", "turn about x", "turn about y", "turn about z"};
    char text[160] = "";
    for (int i = 0; i < MODES; i++) {
        double left = 1;
        if (s->dimension == 2 && i >= 2 && i < 5) continue;
        for (int k = 0; k < g->rank; k++) left -= g->basis[k][i] * g->basis[k][i];
        if (left < 1e-10) continue;
        const size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "%s%s", used ? ", " : "", NAME[i]);
    }
    if (s->mesh.parts == 1) return tl_fail(error, TALUS_SINGULAR, "solid '%s' cannot start at rest: it is not held: it can %s", s->matter.name, text);
    return tl_fail(error, TALUS_SINGULAR, "solid '%s' cannot start at rest: part %d of %d (%d nodes, the first is %d) is not held: it can %s", s->matter.name,
                   part + 1, s->mesh.parts, g->nodes, g->first + 1, text);
}

static talus_status check_free(const tl_solid *s, tl_error *error)
{
    const int modes = s->dimension == 2 ? 3 : MODES;
    for (int part = 0; part < s->mesh.parts; part++) {
        const grip g = grip_of(s, part);
        if (g.rank < modes) return fail_free(s, part, &g, error);
    }
    return TALUS_OK;
}

/* ---- equilibrium ---------------------------------------------------------------------------------------------------------------- */

/* Forces that do not go with the solid, what share of all forces acts, and when that is. */
typedef struct settling {
    const double *f;
    double share, t;
} settling;

/* r = λ f_ext − f(u), zero where nodes are held; returns the larger of what acts and what resists. False through *found: no stress. */
static double unbalanced(tl_solid *s, const settling *at, double *r, bool *found)
{
    const int nv = s->matter.nv;
    double size = 0, *given = s->v_free;
    memset(r, 0, (size_t)nv * sizeof *r);
    *found = tl_solid_resist(s, s->before, s->u, r);
    for (int i = 0; i < nv; i++) given[i] = at->share * at->f[i];
    tl_solid_add_pressures(s, at->t, s->u, at->share, given);
    for (int i = 0; i < nv && *found; i++) {
        size = fmax(size, fmax(fabs(r[i]), fabs(given[i])));
        r[i] = s->is_held[i] ? 0 : r[i] + given[i];
    }
    return size;
}

static double largest(const double *v, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++) most = fmax(most, fabs(v[i]));
    return most;
}

/* Newton's method from s->u, with the tangent where it is positive definite and the elastic stiffness where not. *rest: it came to rest. Particles, whose
 * products with tangents cost many times those with the stiffness, go by this as long as it is nearly the tangent. */
static talus_status find_rest(tl_solid *s, const double *f, double share, tl_step *step, bool *rest)
{
    const int nv = s->matter.nv;
    double *r = s->work, before = (double)INFINITY;
    bool found = true, by_stiffness = s->particles != NULL;
    *rest = false;
    for (int pass = 0; pass < PASSES && found; pass++) {
        const double size = unbalanced(s, &(settling){f, share, step->t}, r, &found), left = largest(r, nv);
        if (!found || !isfinite(left)) return TALUS_OK;
        if (left <= CLOSE * size) {
            *rest = true;
            return TALUS_OK;
        }
        by_stiffness = by_stiffness && left < NEARLY * before, before = left;
        TL_TRY(by_stiffness ? tl_solid_factor(s, &AT_REST, step) : tl_solid_factor_tangent(s, share, step, &found));
        if (!found) return TALUS_OK;
        if (s->particles) tl_particles_solve(s, ENOUGH, 0, r);
        else tl_solid_solve(s, r);
        for (int i = 0; i < nv; i++) s->u[i] += r[i];
    }
    return TALUS_OK;
}

/* In shares of the load that are halved where no rest is found; what elements remember goes with it. */
static talus_status load_up(tl_solid *s, const double *f, tl_step *step)
{
    const int nv = s->matter.nv;
    double share = 0, part = 0.25, *back = s->v_next;
    memset(s->u, 0, (size_t)nv * sizeof *s->u);
    for (int halvings = 0; share < 1;) {
        const double next = fmin(1, share + part);
        bool rest = false;
        memcpy(back, s->u, (size_t)nv * sizeof *back);
        tl_solid_place_held(s, step->t, s->u);
        for (int k = 0; k < s->helds; k++) s->u[s->held[k].unknown] *= next;
        TL_TRY(find_rest(s, f, next, step, &rest));
        if (rest) {
            memcpy(s->before, s->after, (size_t)s->states * sizeof *s->before);
            share = next;
            continue;
        }
        memcpy(s->u, back, (size_t)nv * sizeof *back);
        part *= 0.5;
        if (++halvings > HALVINGS)
            return tl_fail(step->error, TALUS_DIVERGED,
                           "solid '%s' cannot start at rest: it yields%s and finds no equilibrium beyond %.4g of its weight and loads", s->matter.name,
                           s->large ? " or turns" : "", share);
    }
    return TALUS_OK;
}

/* K u = f, refined: what is left of the forces is of rounding. */
static talus_status solve_linear(tl_solid *s, const double *f, tl_step *step)
{
    bool found = true;
    memset(s->u, 0, (size_t)s->matter.nv * sizeof *s->u);
    tl_solid_place_held(s, step->t, s->u);
    TL_TRY(tl_solid_factor(s, &AT_REST, step));
    for (int pass = 0; pass <= ITERATIVE; pass++) {
        (void)unbalanced(s, &(settling){f, 1, step->t}, s->work, &found);
        tl_solid_solve(s, s->work);
        for (int i = 0; i < s->matter.nv; i++) s->u[i] += s->work[i];
    }
    return TALUS_OK;
}

/* ---- ground that is far ------------------------------------------------------------------------------------------------------------ */

static void one(void *user, double t, double out[3])
{
    (void)user, (void)t;
    out[0] = 1, out[1] = out[2] = 0;
}

/* What is beyond absorbing faces carries them along their normals at rest. Holds them, or lets go of what only this held. */
static void hold_absorbing(tl_solid *s, bool hold)
{
    const int d = tl_solid_axes(s);
    for (int i = 0; i < s->mesh.nodes && s->damper; i++) {
        const double *n = s->damper_normal[i], size = fabs(n[0]) + fabs(n[1]) + fabs(n[2]);
        for (int a = 0; a < d; a++)
            if (fabs(n[a]) > 1e-6 * size) s->is_held[d * i + a] = hold;
    }
    for (int k = 0; k < s->helds; k++) s->is_held[s->held[k].unknown] = true;
    tl_solid_forget_factors(s, true);
}

/* Forces with which it carries them now, of those nodes that have some: `node`, `force` [nodes]. Returns how many. */
static int list_carried(tl_solid *s, const double *r, int *node, double (*force)[3])
{
    const int d = tl_solid_axes(s);
    int count = 0;
    for (int k = 0; k < s->helds; k++) s->is_held[s->held[k].unknown] = false; /* of these, what holds them says */
    for (int i = 0; i < s->mesh.nodes; i++) {
        bool carried = false;
        for (int a = 0; a < d; a++) {
            const bool here = s->is_held[d * i + a];
            force[count][a] = here ? -r[d * i + a] : 0;
            carried = carried || here;
        }
        if (carried) node[count++] = i;
    }
    for (int k = 0; k < s->helds; k++) s->is_held[s->held[k].unknown] = true;
    return count;
}

static talus_status carry(tl_solid *s, double t, int *node, double (*force)[3], tl_error *error)
{
    const talus_motion always = {one, NULL};
    double *r = s->work;
    memcpy(r, s->force, (size_t)s->matter.nv * sizeof *r);
    tl_solid_add_pressures(s, t, s->u, 1, r);
    if (!tl_solid_resist(s, s->before, s->u, r)) return tl_fail(error, TALUS_DIVERGED, "solid '%s' has no stress at rest", s->matter.name);
    const int count = list_carried(s, r, node, force);
    TL_TRY(tl_solid_add_push(s, count, node, (const double(*)[3])force, (talus_motion[3]){always, always, always}, error));
    s->carried1 = s->pushes;
    return TALUS_OK;
}

/* From now on the forces with which it carries them are loads. */
static talus_status keep_carried(tl_solid *s, double t, tl_error *error)
{
    const size_t nodes = (size_t)s->mesh.nodes;
    int *node = tl_alloc(s->matter.memory, nodes, sizeof *node);
    double(*force)[3] = tl_alloc(s->matter.memory, nodes, sizeof *force);
    const talus_status status =
        node && force ? carry(s, t, node, force, error) : tl_fail(error, TALUS_MEMORY, "no memory for what carries solid '%s'", s->matter.name);
    tl_free(s->matter.memory, node);
    tl_free(s->matter.memory, force);
    return status;
}

/* ---- the start ------------------------------------------------------------------------------------------------------------------ */

void tl_solid_start_settled(tl_matter *matter) { ((tl_solid *)matter)->settles = true; }

static talus_status find_start(tl_solid *s, tl_step *step)
{
    TL_TRY(check_free(s, step->error));
    memset(s->force, 0, (size_t)s->matter.nv * sizeof *s->force);
    tl_solid_add_given(s, step->t, step->gravity, s->force);
    const talus_status status = s->linear ? solve_linear(s, s->force, step) : load_up(s, s->force, step);
    if (status == TALUS_SINGULAR)
        return tl_fail(step->error, status, "solid '%s' cannot start at rest: parts of it hang together by an edge or a node only", s->matter.name);
    return status;
}

talus_status tl_solid_settle(tl_matter *matter, tl_step *step)
{
    tl_solid *s = (tl_solid *)matter;
    if (!s->settles) return TALUS_OK;
    s->settles = false;
    hold_absorbing(s, true);
    talus_status status = find_start(s, step);
    if (status == TALUS_OK && s->damper) status = keep_carried(s, step->t, step->error);
    hold_absorbing(s, false);
    TL_TRY(status);
    for (int i = 0; i < matter->nv; i++) s->v[i] = s->is_held[i] ? s->v[i] : 0;
    if (s->particles) s->particles->stresses_known = false;
    return tl_solid_place_surface(s, s->u) ? TALUS_OK
                                           : tl_fail(step->error, TALUS_INPUT, "solid '%s': a face of its surface has no area at rest", matter->name);
}
