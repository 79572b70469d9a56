/* A start in equilibrium: passes of step/still.c until the first step of the run would leave everything at rest (theory §4.7).
 *
 * How far a pass goes follows from what it finds. It may not move any point farther than the shapes are thick, or a part of the machine's size; then it is made
 * anew, shorter. It goes farther from one pass to the next, up to Newton's method, unless it has turned back, which shows a stiffness that it did not know. */
#include <stdio.h>
#include <string.h>

#include "step/still.h"
#include "world/world.h"

enum { REFUSALS = 60 };
static const double FIRST = 0.1, FARTHEST = 1, SHORTEST = 1e-7; /* what h is in passes [s]                                                      */
static const double TURN = 0.3;                                 /* no body turns farther in a pass [rad]: rows of joints are those of its start */
static const double SLOWER = 0.05, TOO_SLOW = 0.1;              /* of its speed a shaft that turns is to lose in a pass; may lose  */
static const double FARTHER = 2, SHORTER = 0.5;
static const double TURNED = -0.3;                     /* of a pass against the last one, as a share of that: more than this turns back */
static const double SHARE = 0.1;                       /* of the tolerance: contacts are solved up to it; of the machine's size: no point goes
                                                          farther in a pass */
static const double DEFAULT = 1e-4, WEIGHTLESS = 1e-3; /* tolerance: of gravity; where there is none [m/s²]                            */

typedef struct search {
    talus_world *w;
    double *size;                   /* [bodies] where spins are felt [m]         */
    double *mass;                   /* [bodies] [kg]; of what only turns J/size² */
    tl_still_motion *motion;        /* [bodies] of the present pass              */
    tl_still_motion *before;        /* [bodies] of the last that was accepted    */
    tl_vec3 *start;                 /* [bodies] where they were                  */
    double *turns;                  /* [bodies] speed of a shaft that turns from the start, else 0 [rad/s] */
    double tolerance, far, h, held; /* held: the h of the impulses that are remembered */
    double fastest, along, past;    /* of the pass: largest speed [m/s]; Σ m v·v', Σ m v'·v' with the v' of the last one */
    double leaving, turning;        /* of what is no shaft: largest speed [m/s], spin [rad/s] */
    double slowed;                  /* share of its speed that a shaft of `turns` would lose or gain, at most */
    double slowing;                 /* that share of the last pass, with its own inertia, over its h [1/s] */
    int worst;                      /* of bodies that the pass moves by more than the tolerance, else of all: that with the largest unbalanced force */
    double force, rate;             /* that force [N]; its acceleration [m/s²]            */
    double oil, flow;               /* of the pass: largest flow of a valve, over the area of what it feeds [m/s]; that flow [m³/s] */
    const char *valve;              /* its name */
    tl_depth depth;                 /* of contacts in the last step that was tried */
    bool closed;                    /* in that one nothing was deep that is to be taken back */
    double *memory;                 /* what materials remember at the start, one matter after the other */
    talus_equilibrium_report report;
} search;

talus_equilibrium_def talus_equilibrium_def_default(void) { return (talus_equilibrium_def){.struct_size = sizeof(talus_equilibrium_def), .max_passes = 500}; }

static tl_mass mass_of(const talus_world *w, int body)
{
    const tl_place place = w->body[body].place;
    return w->system->matter[place.matter]->ops->body_mass(w->system->matter[place.matter], place.item);
}

static double largest_inertia(const tl_mass *m) { return fmax(m->inertia.m[2][2], fmax(m->inertia.m[0][0], m->inertia.m[1][1])); }

/* It turns, weighs nothing and meets nothing: a shaft. */
static bool is_shaft(const talus_world *w, int body)
{
    const tl_mass mass = mass_of(w, body);
    return !(mass.mass > 0) && largest_inertia(&mass) > 0 && w->body[body].first_shape < 0;
}

/* How fast a body's origin is [m/s]; its spin [rad/s]. */
static double speed_of(const talus_world *w, int body, double *turns)
{
    const tl_place place = w->body[body].place;
    tl_vec3 v, spin;
    w->system->matter[place.matter]->ops->body_motion(w->system->matter[place.matter], place.item, tl_v3(0, 0, 0), &v, &spin);
    *turns = tl_norm(spin);
    return tl_norm(v);
}

/* ---- may it start at rest? --------------------------------------------------------------------------------------------------------- */

static bool moves(const talus_world *w, int body)
{
    const tl_place place = w->body[body].place;
    const talus_body_kind *kind = tl_is_planar(w) ? w->plane.grains->kind : w->space.grains->kind;
    return place.matter != 0 || kind[place.item] == TALUS_BODY_FREE;
}

static talus_status check_rest(talus_world *w)
{
    char text[128];
    for (int i = 0; i < w->bodies; i++) {
        if (tl_is_gone(w->system, w->body[i].place)) continue; /* what it will come with is no matter of the start */
        double turns;
        const double speed = speed_of(w, i, &turns);
        if (speed <= TL_AT_REST && (turns <= TL_AT_REST || is_shaft(w, i))) continue;
        return tl_fail(&w->error, TALUS_INPUT,
                       "a start in equilibrium is one at rest, but %s begins with %.4g %s; give it no velocity, and let what drives it begin from zero",
                       tl_world_describe(w, i, text), speed > TL_AT_REST ? speed : turns, speed > TL_AT_REST ? "m/s" : "rad/s");
    }
    return TALUS_OK;
}

static bool is_driven_at(const talus_freedom_def *f, double t, double *speed)
{
    *speed = f->speed.value ? tl_motion_value(&f->speed, t) : 0;
    if (f->position.value) (void)tl_motion_at(&f->position, t, speed);
    return *speed != 0;
}

static talus_status fail_driven(talus_world *w, const char *what, const char *name, double speed)
{
    return tl_fail(&w->error, TALUS_INPUT,
                   "a start in equilibrium is one at rest, but the drive of %s%s%s%s begins with %.4g m/s or rad/s; let it begin from zero, or a shaft with "
                   "that speed",
                   what, *name ? " '" : "", name, *name ? "'" : "", speed);
}

/* The drive of a shaft that turns from the start may go on with its speed. */
static bool has_rate(const talus_world *w, const tl_coordinate *c, double speed)
{
    double rate = 0;
    for (int k = 0; k < c->terms; k++) {
        const tl_matter *m = w->system->matter[c->term[k].matter];
        rate += c->term[k].factor * m->ops->rate(m, c->term[k].rate);
    }
    return fabs(speed - rate) <= TL_AT_REST * fmax(1, fabs(speed));
}

static talus_status check_drives(talus_world *w)
{
    const tl_joints *all = &w->system->joints;
    const double t = talus_world_time(w);
    double speed;
    for (int i = 0; i < all->count; i++)
        for (int k = 0; k < all->joint[i].kind->coordinates; k++)
            if (is_driven_at(&all->joint[i].freedom[k], t, &speed)) return fail_driven(w, "joint", all->joint[i].name ? all->joint[i].name : "", speed);
    for (int i = 0; i < all->coordinates; i++)
        if (is_driven_at(&all->coordinate[i].freedom, t, &speed) && !has_rate(w, &all->coordinate[i], speed))
            return fail_driven(w, all->coordinate[i].name ? "coupling" : "joint", all->coordinate[i].where, speed);
    return TALUS_OK;
}

static talus_status check(talus_world *w)
{
    const tl_scheme *scheme = w->system->scheme;
    const char *name = talus_scheme_name((int)w->def.scheme);
    if (w->steps > 0) return tl_fail(&w->error, TALUS_UNSUPPORTED, "a start in equilibrium is found before the first step");
    if (scheme != &TL_SCHEME_MOREAU)
        return tl_fail(&w->error, TALUS_UNSUPPORTED, "a start in equilibrium is one of scheme 'moreau'; under '%s' a machine comes to rest elsewhere", name);
    if (w->system->cell.sheared) return tl_fail(&w->error, TALUS_UNSUPPORTED, "a sheared cell flows: nothing in it starts in equilibrium");
    TL_TRY(check_rest(w));
    return check_drives(w);
}

/* ---- materials --------------------------------------------------------------------------------------------------------------------- */

enum { MOST_FIELDS = 16 };

/* What elements and particles remember: taken (`take`), or as it was. Numbers of it. A pass is no event: where it leads is reached from the start in one way,
 * strain by strain, so that soil does not harden by the passes of the search. */
static size_t put_memory(search *a, bool take)
{
    size_t at = 0;
    for (int m = 1; m < a->w->system->matters; m++) {
        const tl_matter *matter = a->w->system->matter[m];
        tl_field field[MOST_FIELDS];
        const int n = matter->ops->fields(matter, field, MOST_FIELDS);
        for (int i = 0; i < n && i < MOST_FIELDS; i++) {
            const size_t size = (size_t)field[i].rows * (size_t)field[i].columns;
            if (strcmp(field[i].name, "memory") != 0) continue;
            if (a->memory && take) memcpy(a->memory + at, field[i].data, size * sizeof(double));
            else if (a->memory) memcpy(field[i].data, a->memory + at, size * sizeof(double));
            at += size;
        }
    }
    return at;
}

/* ---- sizes ------------------------------------------------------------------------------------------------------------------------- */

static tl_vec3 middle_of(const talus_world *w, int body)
{
    const tl_place place = w->body[body].place;
    const tl_matter *m = w->system->matter[place.matter];
    return m->ops->frame(m, place.item).p;
}

/* Where a body ends, or is heavy. What a shaft bears is told in N m, and its turning in rad/s²: as if it were felt at a metre. */
static double size_of(const talus_world *w, int body)
{
    const tl_system *s = w->system;
    const tl_mass mass = mass_of(w, body);
    const double inertia = largest_inertia(&mass);
    double size = is_shaft(w, body) ? 1 : mass.mass > 0 && isfinite(inertia) ? sqrt(inertia / mass.mass) : 0;
    for (int k = w->body[body].first_shape; k >= 0; k = w->next_shape[k]) {
        const double ball = s->geometry->ball(s, k);
        if (isfinite(ball)) size = fmax(size, ball);
    }
    return size;
}

/* No point goes farther in a pass: what has shapes would pass through others. */
static double far_of(const search *a)
{
    const talus_world *w = a->w;
    tl_vec3 low = {(double)INFINITY, (double)INFINITY, (double)INFINITY}, high = {-(double)INFINITY, -(double)INFINITY, -(double)INFINITY};
    double size = 0;
    for (int i = 0; i < w->bodies; i++) {
        const tl_vec3 p = middle_of(w, i);
        low = tl_v3(fmin(low.x, p.x), fmin(low.y, p.y), fmin(low.z, p.z));
        high = tl_v3(fmax(high.x, p.x), fmax(high.y, p.y), fmax(high.z, p.z));
        size = fmax(size, moves(w, i) && !is_shaft(w, i) ? a->size[i] : 0);
    }
    const double all = w->bodies > 0 ? fmax(size, tl_norm(tl_sub(high, low))) : 0;
    const double far = SHARE * (all > 0 ? all : 1);
    return w->system->contactors > 0 ? fmin(far, 2 * w->system->skin) : far;
}

static talus_status begin(search *a, const talus_equilibrium_def *def)
{
    talus_world *w = a->w;
    const double *g = w->def.gravity, gravity = sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
    const size_t n = (size_t)w->bodies + 1;
    a->size = tl_alloc(w->memory, n, sizeof *a->size);
    a->mass = tl_alloc(w->memory, n, sizeof *a->mass);
    a->motion = tl_alloc(w->memory, n, sizeof *a->motion);
    a->before = tl_alloc(w->memory, n, sizeof *a->before);
    a->start = tl_alloc(w->memory, n, sizeof *a->start);
    a->turns = tl_alloc(w->memory, n, sizeof *a->turns);
    a->memory = tl_alloc(w->memory, put_memory(a, true) + 1, sizeof *a->memory);
    if (a->memory) (void)put_memory(a, true);
    if (!a->size || !a->mass || !a->motion || !a->before || !a->start || !a->turns || !a->memory)
        return tl_fail(&w->error, TALUS_MEMORY, "no memory for a start in equilibrium");
    for (int i = 0; i < w->bodies; i++) {
        const tl_mass mass = mass_of(w, i);
        a->size[i] = size_of(w, i);
        a->mass[i] = mass.mass > 0 || !(a->size[i] > 0) ? mass.mass : largest_inertia(&mass) / (a->size[i] * a->size[i]);
        a->start[i] = middle_of(w, i);
        (void)speed_of(w, i, &a->turns[i]);
        if (!is_shaft(w, i) || a->turns[i] <= TL_AT_REST) a->turns[i] = 0;
    }
    a->tolerance = def->tolerance > 0 ? def->tolerance : gravity > 0 ? DEFAULT * gravity : WEIGHTLESS;
    a->far = far_of(a);
    a->h = FIRST, a->held = w->def.step;
    a->report.tolerance = a->tolerance;
    return TALUS_OK;
}

static void end(search *a)
{
    void *const parts[] = {a->size, a->mass, a->motion, a->before, a->start, a->turns, a->memory};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) tl_free(a->w->memory, parts[i]);
}

/* ---- passes ------------------------------------------------------------------------------------------------------------------------ */

/* Does oil still flow from one chamber or line to another? */
static void look_at_oil(search *a)
{
    const tl_hydraulics *all = &a->w->system->joints.hydraulics;
    a->oil = a->flow = 0, a->valve = "";
    for (int c = 0; c < all->circuits; c++) {
        tl_fluid *f = all->circuit[c].fluid;
        for (int k = 0; k < tl_fluid_elements(f); k++) {
            const tl_fluid_element *e = tl_fluid_element_at(f, k);
            if (e->kind == TL_FLOW_GIVEN || e->a < 0 || e->b < 0) continue;
            const double flow = fabs(tl_fluid_flow_in_step(f, k)), area = fmin(tl_fluid_node_at(f, e->a)->reference, tl_fluid_node_at(f, e->b)->reference);
            if (flow > area * a->oil) a->oil = flow / area, a->flow = flow, a->valve = e->name ? e->name : "";
        }
    }
}

/* Who moves how in the pass that has been solved. */
static talus_status look(search *a)
{
    talus_world *w = a->w;
    const double h = w->system->step.h;
    a->fastest = a->leaving = a->turning = a->slowed = a->along = a->past = a->force = a->rate = 0;
    a->worst = -1;
    for (int i = 0; i < w->bodies; i++) {
        const tl_place place = w->body[i].place;
        tl_still_motion *now = &a->motion[i];
        const tl_still_motion *old = &a->before[i];
        *now = (tl_still_motion){.rim = 0};
        if (!moves(w, i)) continue;
        TL_TRY(tl_still_body(w->system, place, now));
        if (a->turns[i] > 0) { /* what it bears nothing needs to balance */
            a->slowed = fmax(a->slowed, fabs(tl_norm(now->w) / a->turns[i] - 1));
            *now = (tl_still_motion){.rim = 0};
            continue;
        }
        const bool shaft = is_shaft(w, i);
        if (shaft) now->v = tl_v3(0, 0, 0); /* it goes where its carrier goes */
        const double mass = a->mass[i], r2 = a->size[i] * a->size[i];
        const double speed = tl_norm(now->v) + now->rim + a->size[i] * tl_norm(now->w);
        if (!isfinite(speed)) return tl_fail(&w->error, TALUS_DIVERGED, "a body left the representable numbers while its equilibrium was looked for");
        a->fastest = fmax(a->fastest, speed);
        if (!shaft) a->leaving = fmax(a->leaving, speed), a->turning = fmax(a->turning, tl_norm(now->w));
        a->along += mass * (tl_dot(now->v, old->v) + r2 * tl_dot(now->w, old->w));
        a->past += mass * (tl_dot(old->v, old->v) + r2 * tl_dot(old->w, old->w));
        const bool off = speed > a->tolerance * h, was_off = a->rate > a->tolerance;
        if (a->worst >= 0 && (off == was_off ? !(mass * speed / h > a->force) : was_off)) continue;
        a->worst = i, a->force = mass * speed / h, a->rate = speed / h;
    }
    look_at_oil(a);
    return TALUS_OK;
}

/* So many times its inertia keeps a shaft that turns at its speed, so that clutches that slip do so in a pass of h, too. More would hold geared shafts as if
 * they were welded to their carriers, which are to move. */
static double heavier(const search *a, double h) { return fmax(1, a->slowing * h / SLOWER); }

static talus_status solve(search *a, double h, bool stiff)
{
    talus_world *w = a->w;
    const double closing = SHARE * tl_still_depth(w->system) / (h * h), accuracy = SHARE * a->tolerance;
    tl_world_begin_step(w, h);
    if (h != a->held) tl_still_scale(w->system, h / a->held);
    a->held = h;
    const tl_still_pass pass = {stiff ? fmin(accuracy, closing) : accuracy, stiff, stiff ? heavier(a, h) : 1};
    const talus_status status = tl_still_solve(w->system, &pass);
    a->report.passes++;
    return status == TALUS_OK ? look(a) : status;
}

/* Are contacts no deeper than the slop, so that no step lifts what rests? Or as deep as before, all together: what is jammed does not come apart. */
static bool is_closed(search *a)
{
    static const double JAMMED = 1 - 1e-4;
    const double before = a->depth.sum;
    a->depth = tl_contacts_depth(a->w->system);
    return a->closed = a->depth.deepest <= tl_still_depth(a->w->system) || a->depth.sum > JAMMED * before;
}

/* The first step of the run from here: is everything at rest in it? Else nothing has happened. */
static talus_status try_step(search *a, bool *found)
{
    const talus_world *w = a->w;
    const tl_outcome *out = &w->system->outcome;
    const double h = w->def.step;
    TL_TRY(solve(a, h, false));
    a->report.acceleration = a->fastest / h, a->report.unsolved = out->residual / h;
    a->report.worst = a->worst >= 0 ? talus_body_at(w, a->worst) : (talus_body_id){0};
    a->report.force = a->force;
    *found = is_closed(a) && a->report.acceleration <= a->tolerance && a->report.unsolved <= a->tolerance && a->oil <= a->tolerance * h;
    if (*found) return tl_still_accept(w->system);
    tl_still_refuse(w->system);
    return TALUS_OK;
}

/* How far the pass goes; beyond 1 too far. Shafts pass through nothing. */
static double reach(const search *a) { return a->h * fmax(a->leaving / a->far, a->turning / TURN); }

/* One pass that is accepted, made shorter until it does not go too far, and everything can follow it: loops close, no line runs empty. */
static talus_status go(search *a)
{
    tl_system *s = a->w->system;
    for (int k = 0;; k++) {
        const bool last = k == REFUSALS || a->h <= SHORTEST;
        talus_status status = solve(a, a->h, true);
        const bool solved = status == TALUS_OK, far = solved && reach(a) > 1 && !last, slow = solved && a->slowed > TOO_SLOW && !last;
        if (solved) a->slowing = a->slowed * heavier(a, a->h) / a->h;
        if (solved && !far && !slow) status = tl_still_accept(s);
        if (status == TALUS_OK && !far && !slow) return put_memory(a, false), TALUS_OK;
        if (status == TALUS_MEMORY || last) return status;
        tl_still_refuse(s);
        if (far || !solved) a->h *= far ? fmax(0.1, fmin(0.9 / sqrt(reach(a)), 0.7)) : 0.1;
    }
}

/* A pass that turns back went too far. */
static void choose_next(search *a)
{
    tl_still_motion *const motion = a->motion;
    const bool turned = a->past > 0 && a->along < TURNED * a->past;
    a->h = fmax(SHORTEST, fmin(FARTHEST, a->h * (turned ? SHORTER : FARTHER)));
    a->motion = a->before, a->before = motion;
}

static double moved(const search *a, int *body)
{
    double most = 0;
    *body = -1;
    for (int i = 0; i < a->w->bodies; i++) {
        const double way = tl_norm(tl_sub(middle_of(a->w, i), a->start[i]));
        if (way > most) most = way, *body = i;
    }
    return most;
}

static void name_pair(const search *a, char pair[2][128])
{
    const tl_system *s = a->w->system;
    tl_world_describe(a->w, s->owner[a->depth.a].body, pair[0]), tl_world_describe(a->w, s->owner[a->depth.b].body, pair[1]);
}

static talus_status fail_search(search *a)
{
    talus_world *w = a->w;
    char worst[128] = "", name[128], far[256] = "";
    int body;
    const double way = moved(a, &body);
    if (a->report.worst.index1 > 0) tl_world_describe(w, (int)a->report.worst.index1 - 1, worst);
    if (body >= 0) snprintf(far, sizeof far, "; %s has come %.3g m from its start", tl_world_describe(w, body, name), way);
    const bool unsolved = a->report.acceleration <= a->tolerance;
    if (!a->closed && a->depth.a >= 0 && a->depth.b >= 0) {
        char pair[2][128];
        name_pair(a, pair);
        return tl_fail(
            &w->error, TALUS_DIVERGED,
            "no equilibrium was found in %d passes: %s and %s still overlap by %.3g m more than the slop; begin with less overlap, or give 'start.passes'",
            a->report.passes, pair[0], pair[1], a->depth.deepest);
    }
    if (unsolved && a->report.unsolved <= a->tolerance)
        return tl_fail(
            &w->error, TALUS_DIVERGED,
            "no equilibrium was found in %d passes: oil still flows through valve '%.100s', %.3g m³/s, as what it joins has not the same pressure; shut it, "
            "open it further, or begin with equal pressures",
            a->report.passes, a->valve, a->flow);
    if (unsolved)
        return tl_fail(
            &w->error, TALUS_DIVERGED,
            "no equilibrium was found in %d passes: contacts are solved up to %.3g m/s² only, the tolerance is %.3g m/s²; give 'start.tolerance', or "
            "the solver more iterations",
            a->report.passes, a->report.unsolved, a->tolerance);
    if (a->worst >= 0 && is_shaft(w, a->worst))
        return tl_fail(
            &w->error, TALUS_DIVERGED,
            "no equilibrium was found in %d passes: of what would move shaft '%.100s' has the largest moment that nothing balances, %.4g N m, and would "
            "turn with %.3g rad/s² (the tolerance is %.3g rad/s²)%s; one that turns from the start needs no balance: give it its 'speed'",
            a->report.passes, talus_body_name(w, talus_body_at(w, a->worst)), a->report.force, a->rate, a->tolerance, far);
    return tl_fail(&w->error, TALUS_DIVERGED,
                   "no equilibrium was found in %d passes: of what would move %s has the largest force that nothing balances, %.4g N, and would move with %.3g "
                   "m/s² (the tolerance is "
                   "%.3g m/s²)%s",
                   a->report.passes, worst, a->report.force, a->rate, a->tolerance, far);
}

static void warn_jammed(search *a)
{
    char pair[2][128], text[400];
    if (a->depth.a < 0 || a->depth.b < 0) return;
    name_pair(a, pair);
    snprintf(text, sizeof text,
             "a start in equilibrium: %s and %s overlap by %.3g m more than the slop, which the search does not bring down; steps may move them", pair[0],
             pair[1], a->depth.deepest);
    talus_world_warn(a->w, text);
}

/* Forces may read what the world tells: it must be in equilibrium with what it tells there. The second try is no pass: nothing has moved since the first. */
static talus_status try_steps(search *a, const talus_equilibrium_def *def, bool *found)
{
    TL_TRY(try_step(a, found));
    if (!*found || !def->look) return TALUS_OK;
    def->look(def->user, a->w);
    a->report.passes--;
    TL_TRY(try_step(a, found));
    if (!*found) (void)put_memory(a, false);
    return TALUS_OK;
}

static talus_status find(search *a, const talus_equilibrium_def *def)
{
    const int most = def->max_passes;
    bool found = false;
    if (def->look) def->look(def->user, a->w);
    TL_TRY(try_steps(a, def, &found));
    while (!found && a->report.passes < most) {
        TL_TRY(go(a));
        const bool still = a->fastest <= a->tolerance * a->h && a->oil <= a->tolerance * a->h;
        choose_next(a);
        if (def->look) def->look(def->user, a->w);
        if (still || a->report.passes + 1 >= most) TL_TRY(try_steps(a, def, &found));
    }
    if (!found) return fail_search(a);
    if (a->depth.deepest > tl_still_depth(a->w->system)) warn_jammed(a);
    if (a->report.passes > 1 && a->w->system->pairs.count > 0)
        talus_world_warn(
            a->w, "a start in equilibrium: laws of contact with a state (cohesion that breaks, bridges, plastic sinking, sliding that is remembered) have "
                  "taken the passes of the search for steps; what they remember at t = 0 depends on its way");
    return TALUS_OK;
}

talus_status talus_world_find_equilibrium(talus_world *w, const talus_equilibrium_def *def, talus_equilibrium_report *report)
{
    talus_equilibrium_def own = talus_equilibrium_def_default();
    search a = {.w = w, .depth.sum = (double)INFINITY};
    int body;
    TL_TRY(talus_world_assemble(w));
    TL_TRY(tl_world_is_whole(w));
    if (!tl_take_def(&own, sizeof own, def)) return tl_fail(&w->error, TALUS_INPUT, "begin with talus_equilibrium_def_default()");
    if (!(own.tolerance >= 0) || !isfinite(own.tolerance))
        return tl_fail(&w->error, TALUS_INPUT, "the tolerance is %g m/s²; it must not be negative", own.tolerance);
    if (own.max_passes < 1) return tl_fail(&w->error, TALUS_INPUT, "max_passes is %d; it must be at least 1", own.max_passes);
    if (w->kinds_changed) tl_world_settle_kinds(w);
    TL_TRY(check(w));
    w->stepped = false;
    talus_status status = begin(&a, &own);
    if (status == TALUS_OK) status = find(&a, &own);
    if (status == TALUS_OK) a.report.moved = moved(&a, &body);
    else {
        tl_world_name_cause(w, "predict");
        tl_still_refuse(w->system);
        w->lost = true;
    }
    end(&a);
    if (report) *report = a.report;
    if (status == TALUS_OK) w->equilibrium = a.report;
    return status;
}

bool talus_world_equilibrium(const talus_world *w, talus_equilibrium_report *report)
{
    if (report) *report = w->equilibrium;
    return w->equilibrium.passes > 0;
}
