/* Matter condensed over its ports (condensed.h). */
#include "solve/condensed.h"

#include <string.h>

enum {
    WAITING = 16, /* impulses that go to all ports together                             */
    MOST = 4500,  /* velocities of ports: C is of 162 MB then */
    SHARE = 1024  /* velocities that a thread takes at a time                           */
};

struct tl_condensed {
    tl_matter matter; /* first: the stand-in */
    tl_matter *of;
    int number, axes, ports; /* which of the matters */
    const tl_port *port;     /* [ports] */
    double *C;               /* [nv × nv] of the stand-in; a column is what a unit impulse does to all ports */
    double *given;           /* [of->nv] velocities at the start */
    double (*all)[3];        /* [ports] impulses that the matter gets together */
    /* impulses that `target` does not have yet */
    double *target;
    int waiting, first[WAITING];
    double I[WAITING][3];
    tl_threads *threads;
    tl_condensed *next;
};

/* ---- the stand-in --------------------------------------------------------------------------------------------------- */

static void deliver_range(void *context, int begin, int end, int worker)
{
    const tl_condensed *c = context;
    const size_t n = (size_t)c->matter.nv;
    double *restrict v = c->target;
    (void)worker;
    for (int k = 0; k < c->waiting; k++)
        for (int axis = 0; axis < c->axes; axis++) {
            const double I = c->I[k][axis];
            const double *restrict column = c->C + (size_t)(c->first[k] + axis) * n;
            for (int i = begin; i < end; i++) v[i] += column[i] * I;
        }
}

static void deliver(tl_condensed *c)
{
    if (c->waiting > 0) tl_parallel_for(c->threads, c->matter.nv, SHARE, deliver_range, c);
    c->waiting = 0;
}

/* C is symmetric: what waits acts by the port's own column, where neighbours lie side by side. */
static void velocity(const tl_matter *matter, const tl_port *port, const double *v, bool imposed, double V[3])
{
    const tl_condensed *c = (const tl_condensed *)matter;
    (void)imposed;
    V[0] = V[1] = V[2] = 0;
    for (int axis = 0; axis < c->axes; axis++) {
        const double *column = c->C + (size_t)(port->number + axis) * (size_t)matter->nv;
        double sum = v[port->number + axis];
        for (int k = 0; v == c->target && k < c->waiting; k++)
            for (int i = 0; i < c->axes; i++) sum += column[c->first[k] + i] * c->I[k][i];
        V[axis] = sum;
    }
}

static void impulse(const tl_matter *matter, const tl_port *port, const double I[3], double *v)
{
    tl_condensed *c = (tl_condensed *)(uintptr_t)matter; /* what waits is its own affair */
    bool any = false;
    for (int axis = 0; axis < c->axes; axis++) any = any || I[axis] != 0;
    if (!any) return;
    if (v != c->target || c->waiting == WAITING) deliver(c);
    c->target = v;
    c->first[c->waiting] = port->number;
    memcpy(c->I[c->waiting++], I, 3 * sizeof *I);
}

static const tl_matter_ops STAND_IN = {.kind = "condensed", .part = "port", .velocity = velocity, .impulse = impulse};

/* ---- making it ------------------------------------------------------------------------------------------------------ */

/* C by what unit impulses do, unless the matter has it. */
static talus_status form(tl_condensed *c, tl_step *step)
{
    bool known = false;
    if (c->of->ops->response) TL_TRY(c->of->ops->response(c->of, step, &(tl_ports){c->port, c->ports, c->axes}, c->C, &known));
    if (known) return TALUS_OK;
    const size_t n = (size_t)c->matter.nv, nv = (size_t)c->of->nv;
    const size_t mark = tl_arena_mark(step->arena);
    double *v = tl_arena_alloc(step->arena, nv + 1, sizeof *v);
    if (!v) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d contacts", c->ports);
    for (size_t k = 0; k < n; k++) {
        double *column = c->C + k * n, I[3] = {0, 0, 0};
        I[k % (size_t)c->axes] = 1;
        memset(v, 0, nv * sizeof *v);
        c->of->ops->impulse(c->of, &c->port[k / (size_t)c->axes], I, v);
        for (int i = 0; i < c->ports; i++) {
            double V[3];
            c->of->ops->velocity(c->of, &c->port[i], v, false, V);
            memcpy(column + i * c->axes, V, (size_t)c->axes * sizeof *V);
        }
    }
    tl_arena_release(step->arena, mark);
    return TALUS_OK;
}

static talus_status make_room(tl_stand_ins *s, int matters, tl_step *step)
{
    if (s->matter) return TALUS_OK;
    s->matter = tl_arena_alloc(step->arena, (size_t)matters, sizeof *s->matter);
    s->v = tl_arena_alloc(step->arena, (size_t)matters, sizeof *s->v);
    if (!s->matter || !s->v) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d kinds of matter", matters);
    for (int m = 0; m < matters; m++) s->matter[m] = s->of[m], s->v[m] = s->v_of[m];
    return TALUS_OK;
}

talus_status tl_condense(tl_stand_ins *s, int m, int axes, tl_port *ports, int n, tl_step *step)
{
    const int numbers = axes * n;
    if (s->of[m]->ops->rows || numbers > MOST) return TALUS_OK;
    TL_TRY(make_room(s, s->matters, step));
    tl_condensed *c = tl_arena_zero(step->arena, 1, sizeof *c);
    tl_port *own = tl_arena_alloc(step->arena, (size_t)n, sizeof *own);
    double *C = tl_arena_alloc(step->arena, (size_t)numbers * (size_t)numbers, sizeof *C);
    double *given = tl_arena_alloc(step->arena, (size_t)s->of[m]->nv + 1, sizeof *given);
    double(*all)[3] = tl_arena_alloc(step->arena, (size_t)n, sizeof *all);
    s->v[m] = tl_arena_zero(step->arena, (size_t)numbers + 1, sizeof **s->v);
    if (!c || !own || !C || !given || !all || !s->v[m]) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d contacts of one body", n);
    for (int i = 0; i < n; i++) ports[i].number = axes * i;
    memcpy(own, ports, (size_t)n * sizeof *own);
    *c = (tl_condensed){.matter = {.ops = &STAND_IN, .name = s->of[m]->name, .nv = numbers},
                        .of = s->of[m],
                        .number = m,
                        .axes = axes,
                        .ports = n,
                        .port = own,
                        .C = C,
                        .given = given,
                        .all = all,
                        .threads = step->threads,
                        .next = s->first};
    s->first = c;
    s->matter[m] = &c->matter;
    return form(c, step);
}

/* ---- in the solve --------------------------------------------------------------------------------------------------- */

void tl_stand_ins_start(tl_stand_ins *s)
{
    for (tl_condensed *c = s->first; c; c = c->next) {
        const double *v = s->v_of[c->number];
        memcpy(c->given, v, (size_t)c->of->nv * sizeof *v);
        for (int i = 0; i < c->ports; i++) {
            double V[3];
            c->of->ops->velocity(c->of, &c->port[i], v, false, V);
            memcpy(s->v[c->number] + i * c->axes, V, (size_t)c->axes * sizeof *V);
        }
    }
}

void tl_stand_ins_settle(tl_stand_ins *s)
{
    for (tl_condensed *c = s->first; c; c = c->next) deliver(c);
}

void tl_stand_ins_forget(tl_stand_ins *s)
{
    for (tl_condensed *c = s->first; c; c = c->next) c->waiting = 0;
}

static const tl_condensed *of_matter(const tl_stand_ins *s, int m)
{
    const tl_condensed *c = s->first;
    while (c && c->number != m) c = c->next;
    return c;
}

double (*tl_stand_ins_impulses(const tl_stand_ins *s, int m))[3]
{
    const tl_condensed *c = of_matter(s, m);
    if (!c) return NULL;
    memset(c->all, 0, (size_t)c->ports * sizeof *c->all);
    return c->all;
}

void tl_stand_ins_give(const tl_stand_ins *s, int m, double *v)
{
    const tl_condensed *c = of_matter(s, m);
    c->of->ops->impulses(c->of, &(tl_ports){c->port, c->ports, c->axes}, (const double(*)[3])c->all, v);
}

void tl_stand_ins_restore(tl_stand_ins *s)
{
    for (tl_condensed *c = s->first; c; c = c->next) memcpy(s->v_of[c->number], c->given, (size_t)c->of->nv * sizeof *c->given);
}

talus_status tl_stand_ins_zero(const tl_stand_ins *s, int matters, double *const *given, tl_step *step, double *const **out)
{
    *out = given;
    if (!s->first) return TALUS_OK;
    double **v = tl_arena_alloc(step->arena, (size_t)matters, sizeof *v);
    if (!v) return tl_fail(step->error, TALUS_MEMORY, "no memory for the drift correction");
    memcpy(v, given, (size_t)matters * sizeof *v);
    for (const tl_condensed *c = s->first; c; c = c->next) {
        v[c->number] = tl_arena_zero(step->arena, (size_t)c->matter.nv + 1, sizeof **v);
        if (!v[c->number]) return tl_fail(step->error, TALUS_MEMORY, "no memory for the drift correction");
    }
    *out = v;
    return TALUS_OK;
}
