/* Matter condensed over its ports (condensed.h). */
#include "solve/condensed.h"
#include "base/products.h"

#include <string.h>

enum {
    MOST = 4500, /* numbers of ports: C is of 162 MB then */
    GROUP = 16   /* ports that are passed by together where none of them has an impulse */
};

struct tl_condensed {
    tl_matter matter; /* first: the stand-in; its numbers [2 × axes × ports] are impulses of ports, then their velocities without any of these */
    tl_matter *of;
    int number, axes, ports; /* which of the matters */
    tl_port *port;           /* [ports] by their numbers */
    double *C;               /* [axes ports]²; a column is what a unit impulse does to all ports */
    double *given;           /* [of->nv] velocities at the start */
    double (*all)[3];        /* [ports] impulses that the matter gets together */
    bool *used;              /* [ports / GROUP] some port of the group may have an impulse */
    tl_condensed *next;
};

/* ---- the stand-in --------------------------------------------------------------------------------------------------- */

/* C is symmetric: of a port, columns are rows, where neighbours lie side by side. */
static void velocity(const tl_matter *matter, const tl_port *port, const double *v, bool imposed, double V[3])
{
    const tl_condensed *c = (const tl_condensed *)matter;
    const int n = c->axes * c->ports, size = c->axes * GROUP, groups = (c->ports + GROUP - 1) / GROUP;
    const double *row[4], *free = v + n + port->number;
    double sum[4] = {0, 0, 0, 0};
    (void)imposed;
    for (int axis = 0; axis < 4; axis++) row[axis] = c->C + (size_t)(port->number + (axis < c->axes ? axis : 0)) * (size_t)n;
    for (int first = 0, end; first < groups; first = end) {
        for (end = first + 1; end < groups && c->used[end] == c->used[first];) end++;
        const int at = first * size, past = end < groups ? end * size : n;
        if (c->used[first]) tl_add_products((const double *const[]){row[0] + at, row[1] + at, row[2] + at, row[3] + at}, v + at, past - at, sum);
    }
    for (int axis = 0; axis < 3; axis++) V[axis] = axis < c->axes ? free[axis] + sum[axis] : 0;
}

static void impulse(const tl_matter *matter, const tl_port *port, const double I[3], double *v)
{
    const tl_condensed *c = (const tl_condensed *)matter;
    for (int axis = 0; axis < c->axes; axis++) v[port->number + axis] += I[axis];
    if (I[0] != 0 || I[1] != 0 || I[2] != 0) c->used[port->number / (c->axes * GROUP)] = true;
}

static const tl_matter_ops STAND_IN = {.kind = "condensed", .part = "port", .velocity = velocity, .impulse = impulse};

/* ---- making it ------------------------------------------------------------------------------------------------------ */

/* C by what unit impulses do, unless the matter has it. */
static talus_status form(tl_condensed *c, tl_step *step)
{
    bool known = false;
    if (c->of->ops->response) TL_TRY(c->of->ops->response(c->of, step, &(tl_ports){c->port, c->ports, c->axes}, c->C, &known));
    if (known) return TALUS_OK;
    const size_t n = (size_t)c->axes * (size_t)c->ports, nv = (size_t)c->of->nv;
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

/* Ports by their numbers: those that come first, then the others, each in their order. */
static void number_ports(const tl_condensed *c, tl_port *ports, const bool *first)
{
    int at = 0;
    for (int turn = 0; turn < 2; turn++)
        for (int i = 0; i < c->ports; i++) {
            if (first[i] != (turn == 0)) continue;
            ports[i].number = c->axes * at;
            c->port[at++] = ports[i];
        }
}

talus_status tl_condense(tl_stand_ins *s, int m, const tl_port_list *list, tl_step *step)
{
    const int numbers = list->axes * list->count;
    const size_t n = (size_t)list->count;
    if (s->of[m]->ops->rows || numbers > MOST) return TALUS_OK;
    TL_TRY(make_room(s, s->matters, step));
    tl_condensed *c = tl_arena_alloc(step->arena, 1, sizeof *c);
    if (!c) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d contacts of one body", list->count);
    *c = (tl_condensed){.matter = {.ops = &STAND_IN, .name = s->of[m]->name, .nv = 2 * numbers},
                        .of = s->of[m],
                        .number = m,
                        .axes = list->axes,
                        .ports = list->count,
                        .port = tl_arena_alloc(step->arena, n, sizeof *c->port),
                        .C = tl_arena_alloc(step->arena, (size_t)numbers * (size_t)numbers, sizeof *c->C),
                        .given = tl_arena_alloc(step->arena, (size_t)s->of[m]->nv + 1, sizeof *c->given),
                        .all = tl_arena_alloc(step->arena, n, sizeof *c->all),
                        .used = tl_arena_zero(step->arena, n / GROUP + 1, sizeof *c->used),
                        .next = s->first};
    s->v[m] = tl_arena_zero(step->arena, 2 * (size_t)numbers + 1, sizeof **s->v);
    if (!c->port || !c->C || !c->given || !c->all || !c->used || !s->v[m])
        return tl_fail(step->error, TALUS_MEMORY, "no memory for %d contacts of one body", list->count);
    number_ports(c, list->port, list->first);
    s->first = c;
    s->matter[m] = &c->matter;
    return form(c, step);
}

/* ---- in the solve --------------------------------------------------------------------------------------------------- */

void tl_stand_ins_start(tl_stand_ins *s)
{
    for (tl_condensed *c = s->first; c; c = c->next) {
        const double *v = s->v_of[c->number];
        const int n = c->axes * c->ports;
        double *own = s->v[c->number];
        memcpy(c->given, v, (size_t)c->of->nv * sizeof *v);
        memset(own, 0, (size_t)n * sizeof *own);
        for (int i = 0; i < c->ports; i++) {
            double V[3];
            c->of->ops->velocity(c->of, &c->port[i], v, false, V);
            memcpy(own + n + i * c->axes, V, (size_t)c->axes * sizeof *V);
        }
    }
    tl_stand_ins_forget(s);
}

void tl_stand_ins_forget(tl_stand_ins *s)
{
    for (tl_condensed *c = s->first; c; c = c->next) memset(c->used, 0, (size_t)(c->ports / GROUP + 1) * sizeof *c->used);
}

void tl_stand_ins_recall(tl_stand_ins *s, double *const *before)
{
    tl_stand_ins_forget(s);
    for (tl_condensed *c = s->first; c; c = c->next) {
        const double *now = s->v[c->number], *then = before[c->number];
        for (int i = 0; i < c->axes * c->ports; i++)
            if (now[i] != 0 || then[i] != 0) c->used[i / (c->axes * GROUP)] = true;
    }
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
