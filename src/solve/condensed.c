/* Matter condensed over its ports (condensed.h). */
#include "solve/condensed.h"
#include "base/curve.h"
#include "base/integers.h"
#include "base/products.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Memory for the near blocks of C, at most [numbers]: 500 MB. */
static const double MOST = 6.25e7;
/* Of what a unit impulse does at its own port: what it may do to all that are farther than the reach. They feel it when they are told (condensed.h). */
static const double FAR = 0.2;

enum {
    GROUP = 8, /* ports that are near one another, and are passed by together where none of them has an impulse */
    BITS = 10  /* of a coordinate in their order along a curve that fills space */
};

struct tl_condensed {
    tl_matter matter; /* first: the stand-in; its numbers [2 × numbers] are I − I_told of its ports, then their V_told */
    tl_matter *of;
    int number, axes, ports; /* which of the matters; of a cluster no ports */
    int numbers, always;     /* of all ports; the first groups of them that are passed by never */
    tl_port *port;           /* [ports] by their numbers */
    int *place;              /* [ports] which of these is the port that was listed there */
    int groups;              /* of GROUP ports by their numbers, the last of those that are left */
    int *near_begin, *near;  /* [groups + 1], groups that are near each, itself among them, ascending */
    int *length;             /* [groups] numbers of those */
    size_t *block;           /* [groups + 1] where its rows begin in C: of each of its numbers, those of near groups side by side */
    double *C;               /* C of near groups: symmetric, so rows of a port are columns, too */
    bool *formed;            /* [near] its block is there */
    bool says;               /* the matter says what ports do to one another: they are told */
    double *free;            /* [axes × ports] velocities of ports without impulses */
    double *given;           /* [of->nv] velocities at the start */
    double (*told)[3];       /* [ports] impulses that ports have been told of */
    double (*all)[3];        /* [ports] room: impulses that the matter gets together */
    double (*answer)[3];     /* [ports] room: what impulses do together */
    bool *used;              /* [groups] some port of the group may have an impulse */
    double *v;               /* [2 × numbers] */
    tl_condensed *next;      /* of the same problem */
    tl_condensed *before;    /* in the same step    */
};

/* ---- the stand-in --------------------------------------------------------------------------------------------------- */

static inline int numbers_of(const tl_condensed *c, int group)
{
    const int size = c->axes * GROUP, left = c->numbers - group * size;
    return left < size ? left : size;
}

/* Two ports by their axes: what one does to the other, in rows of the numbers of `from`, and the other to it; rows are so far apart. */
typedef struct two_ports {
    double *row, *mirror;
    size_t length, mirror_length;
} two_ports;

static void respond(const tl_matter *m, const tl_port *from, const tl_port *to, int axes, two_ports out)
{
    double B[3][3];
    m->ops->response(m, from, to, B);
    for (int i = 0; i < axes; i++)
        for (int j = 0; j < axes; j++) out.row[(size_t)i * out.length + (size_t)j] = out.mirror[(size_t)j * out.mirror_length + (size_t)i] = B[j][i];
}

/* What ports of a group do to those of its near group k, and these to it: C is symmetric. */
static void form_block(const tl_condensed *c, int group, int k)
{
    const int n = c->axes, size = n * GROUP, other = c->near[k];
    const int back = tl_first_not_below(c->near + c->near_begin[other], sizeof *c->near, c->near_begin[other + 1] - c->near_begin[other], group);
    if (other < group) { /* the same numbers, whoever asks first */
        form_block(c, other, c->near_begin[other] + back);
        return;
    }
    const int count = numbers_of(c, group) / n, others = numbers_of(c, other) / n;
    double *out = c->C + c->block[group] + size * (k - c->near_begin[group]), *mirror = c->C + c->block[other] + size * back;
    const size_t length = (size_t)c->length[group], mirror_length = (size_t)c->length[other];
    for (int p = 0; p < count; p++)
        for (int q = other == group ? p : 0; q < others; q++) {
            respond(c->of, &c->port[group * GROUP + p], &c->port[other * GROUP + q], n,
                    (two_ports){out + (size_t)(n * p) * length + n * q, mirror + (size_t)(n * q) * mirror_length + n * p, length, mirror_length});
        }
    c->formed[k] = c->formed[c->near_begin[other] + back] = true;
}

/* Does a near group tell anything? One whose impulses are all told is not worth a block that nobody has formed yet. */
static bool tells(const tl_condensed *c, int k, const double *v)
{
    const int group = c->near[k];
    const double *own = v + c->axes * GROUP * group;
    if (!c->used[group] || !c->says || c->formed[k]) return c->used[group];
    for (int i = 0; i < numbers_of(c, group); i++)
        if (own[i] != 0) return true;
    return false;
}

/* What near ports do to one of them, by runs of groups that lie side by side. */
static void add_near(const tl_condensed *c, const tl_port *port, const double *v, double sum[4])
{
    const int size = c->axes * GROUP, group = port->number / size, end = c->near_begin[group + 1];
    const double *row[4];
    if (c->says && !c->used[group]) return; /* open: it is where it was told to be */
    row[0] = c->C + c->block[group] + (size_t)(port->number - group * size) * (size_t)c->length[group];
    for (int axis = 1; axis < 4; axis++) row[axis] = row[0] + (size_t)(axis < c->axes ? axis : 0) * (size_t)c->length[group]; /* of one group */
    for (int k = c->near_begin[group], past; k < end; k = past) {
        const int first = c->near[k];
        const bool tell = tells(c, k, v);
        int at = size * (k - c->near_begin[group]), count = numbers_of(c, first);
        for (past = k + 1; past < end && c->near[past] == c->near[past - 1] + 1 && tells(c, past, v) == tell; past++) count += numbers_of(c, c->near[past]);
        if (!tell) continue;
        for (int i = k; c->says && i < past; i++)
            if (!c->formed[i]) form_block(c, group, i);
        tl_add_products((const double *const[]){row[0] + at, row[1] + at, row[2] + at, row[3] + at}, v + size * first, count, sum);
    }
}

static void velocity(const tl_matter *matter, const tl_port *port, const double *v, bool imposed, double V[3])
{
    const tl_condensed *c = (const tl_condensed *)matter;
    const double *others = v + c->numbers + port->number;
    double sum[4] = {0, 0, 0, 0};
    (void)imposed;
    add_near(c, port, v, sum);
    for (int axis = 0; axis < 3; axis++) V[axis] = axis < c->axes ? others[axis] + sum[axis] : 0;
}

static void impulse(const tl_matter *matter, const tl_port *port, const double I[3], double *v)
{
    const tl_condensed *c = (const tl_condensed *)matter;
    for (int axis = 0; axis < c->axes; axis++) v[port->number + axis] += I[axis];
    if (I[0] != 0 || I[1] != 0 || I[2] != 0) c->used[port->number / (c->axes * GROUP)] = c->used[(port->number + c->axes - 1) / (c->axes * GROUP)] = true;
}

static const tl_matter_ops STAND_IN = {.kind = "condensed", .part = "port", .velocity = velocity, .impulse = impulse};

/* ---- which ports are near ------------------------------------------------------------------------------------------- */

typedef struct extent {
    double low[3], high[3];
} extent;

static extent extent_of(const tl_port *port, int count)
{
    extent e = {{(double)INFINITY, (double)INFINITY, (double)INFINITY}, {-(double)INFINITY, -(double)INFINITY, -(double)INFINITY}};
    for (int i = 0; i < count; i++)
        for (int a = 0; a < 3; a++) e.low[a] = fmin(e.low[a], port[i].x[a]), e.high[a] = fmax(e.high[a], port[i].x[a]);
    return e;
}

/* Where a point lies along the curve. */
static uint64_t along_curve(const extent *e, const double x[3])
{
    const double size = fmax(fmax(e->high[0] - e->low[0], e->high[1] - e->low[1]), fmax(e->high[2] - e->low[2], DBL_MIN));
    return tl_curve_key((double[3]){(x[0] - e->low[0]) / size, (x[1] - e->low[1]) / size, (x[2] - e->low[2]) / size}, BITS);
}

/* Ports by their numbers: those that come first, then the others, each of both along the curve. */
static talus_status number_ports(const tl_condensed *c, const tl_port_list *list, tl_step *step)
{
    const extent e = extent_of(list->port, list->count);
    tl_keyed *order = tl_arena_alloc(step->arena, (size_t)list->count, sizeof *order);
    if (!order) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d contacts of one body", list->count);
    for (int i = 0; i < list->count; i++) order[i] = (tl_keyed){along_curve(&e, list->port[i].x) | (uint64_t)!list->first[i] << 3 * BITS, i};
    qsort(order, (size_t)list->count, sizeof *order, tl_by_key);
    for (int i = 0; i < list->count; i++) {
        list->port[order[i].number].number = c->axes * i;
        c->place[order[i].number] = i;
        c->port[i] = list->port[order[i].number];
    }
    return TALUS_OK;
}

static double square_apart(const extent *a, const extent *b)
{
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        const double gap = fmax(fmax(a->low[k] - b->high[k], b->low[k] - a->high[k]), 0);
        sum += gap * gap;
    }
    return sum;
}

/* Groups within reach of each other. */
static talus_status find_near(tl_condensed *c, double reach, tl_step *step)
{
    const size_t groups = (size_t)c->groups;
    extent *at = tl_arena_alloc(step->arena, groups + 1, sizeof *at);
    c->near_begin = tl_arena_zero(step->arena, groups + 1, sizeof *c->near_begin);
    c->length = tl_arena_zero(step->arena, groups + 1, sizeof *c->length);
    c->block = tl_arena_zero(step->arena, groups + 1, sizeof *c->block);
    if (!at || !c->near_begin || !c->length || !c->block) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d contacts of one body", c->ports);
    for (int g = 0; g < c->groups; g++) at[g] = c->ports > 0 ? extent_of(c->port + g * GROUP, numbers_of(c, g) / c->axes) : (extent){{0, 0, 0}, {0, 0, 0}};
    for (int turn = 0; turn < 2; turn++) { /* counted, then listed */
        int count = 0;
        for (int g = 0; g < c->groups; g++) {
            c->near_begin[g] = count;
            for (int other = 0; other < c->groups; other++) {
                if (!(square_apart(&at[g], &at[other]) <= reach * reach)) continue;
                if (turn == 1) c->near[count] = other, c->length[g] += numbers_of(c, other);
                count++;
            }
        }
        c->near_begin[c->groups] = count;
        if (turn == 1) break;
        c->near = tl_arena_alloc(step->arena, (size_t)count + 1, sizeof *c->near);
        if (!c->near) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d contacts of one body", c->ports);
    }
    for (int g = 0; g < c->groups; g++) c->block[g + 1] = c->block[g] + (size_t)numbers_of(c, g) * (size_t)c->length[g];
    return TALUS_OK;
}

/* ---- making it ------------------------------------------------------------------------------------------------------ */

/* C by what unit impulses do, of matter that cannot say it. */
static talus_status form_by_impulses(const tl_matter *m, const tl_ports *ports, double *C, tl_step *step)
{
    const size_t n = (size_t)ports->axes * (size_t)ports->count, nv = (size_t)m->nv;
    const tl_arena_place mark = tl_arena_mark(step->arena);
    double *v = tl_arena_alloc(step->arena, nv + 1, sizeof *v);
    if (!v) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d contacts", ports->count);
    for (size_t k = 0; k < n; k++) {
        double *column = C + k * n, I[3] = {0, 0, 0};
        I[k % (size_t)ports->axes] = 1;
        memset(v, 0, nv * sizeof *v);
        m->ops->impulse(m, &ports->port[k / (size_t)ports->axes], I, v);
        for (int i = 0; i < ports->count; i++) {
            double V[3];
            m->ops->velocity(m, &ports->port[i], v, false, V);
            memcpy(column + i * ports->axes, V, (size_t)ports->axes * sizeof *V);
        }
    }
    tl_arena_release(step->arena, mark);
    return TALUS_OK;
}

/* Negative: the matter does not say what its ports do to one another. */
static talus_status reach_of(tl_matter *m, const tl_ports *ports, tl_step *step, double *reach)
{
    *reach = -1;
    return m->ops->reach ? m->ops->reach(m, step, ports, FAR, reach) : TALUS_OK;
}

talus_status tl_matter_response(tl_matter *m, const tl_ports *ports, double *C, tl_step *step)
{
    const int axes = ports->axes;
    const size_t n = (size_t)axes * (size_t)ports->count;
    double reach;
    TL_TRY(reach_of(m, ports, step, &reach));
    if (reach < 0) return form_by_impulses(m, ports, C, step);
    for (int p = 0; p < ports->count; p++)
        for (int q = p; q < ports->count; q++) {
            double *row = C + (size_t)(axes * p) * n + axes * q, *mirror = C + (size_t)(axes * q) * n + axes * p;
            respond(m, &ports->port[p], &ports->port[q], axes, (two_ports){row, mirror, n, n});
        }
    return TALUS_OK;
}

typedef struct form_job {
    const tl_condensed *c;
    int pressed; /* groups */
} form_job;

/* Blocks of groups of which ports are expected to press; others are made when they are needed. */
static void form_range(void *context, int begin, int end, int worker)
{
    const form_job *j = context;
    const tl_condensed *c = j->c;
    (void)worker;
    for (int g = begin; g < end; g++)
        for (int k = c->near_begin[g]; k < c->near_begin[g + 1]; k++)
            if (c->near[k] >= g && c->near[k] < j->pressed) form_block(c, g, k); /* lower ones make it for both */
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

static void stand_in(tl_stand_ins *s, tl_condensed *c)
{
    s->v[c->number] = c->v;
    s->matter[c->number] = &c->matter;
    c->next = s->first, s->first = c;
}

static bool is_same(const tl_port *a, const tl_port *b)
{
    bool same = a->item == b->item && a->rate1 == b->rate1 && a->read_only == b->read_only;
    for (int i = 0; i < 3; i++) {
        same = same && a->x[i] == b->x[i];
        for (int k = 0; k < 3; k++) same = same && a->axes[i][k] == b->axes[i][k] && a->moments[i][k] == b->moments[i][k];
    }
    return same;
}

static bool is_over(const tl_condensed *c, const tl_matter *m, const tl_port_list *list)
{
    if (c->of != m || c->ports != list->count || c->axes != list->axes) return false;
    for (int i = 0; i < list->count; i++)
        if (!is_same(&c->port[c->place[i]], &list->port[i])) return false;
    return true;
}

bool tl_condense_again(tl_stand_ins *s, int m, const tl_port_list *list, tl_step *step)
{
    tl_condensed *c = step->condensed;
    while (c && !is_over(c, s->of[m], list)) c = c->before;
    if (!c || make_room(s, s->matters, step) != TALUS_OK) return false;
    for (int i = 0; i < list->count; i++) list->port[i] = c->port[c->place[i]];
    memset(c->v, 0, 2 * (size_t)c->numbers * sizeof *c->v);
    memset(c->used, 0, (size_t)c->groups * sizeof *c->used);
    stand_in(s, c);
    return true;
}

talus_status tl_condense(tl_stand_ins *s, int m, const tl_port_list *list, tl_step *step)
{
    const int numbers = list->axes * list->count;
    const size_t n = (size_t)list->count;
    double reach;
    if (s->of[m]->ops->rows) return TALUS_OK;
    TL_TRY(reach_of(s->of[m], &(tl_ports){list->port, list->count, list->axes}, step, &reach));
    TL_TRY(make_room(s, s->matters, step));
    tl_condensed *c = tl_arena_alloc(step->arena, 1, sizeof *c);
    if (!c) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d contacts of one body", list->count);
    *c = (tl_condensed){.matter = {.ops = &STAND_IN, .name = s->of[m]->name, .nv = 2 * numbers},
                        .of = s->of[m],
                        .number = m,
                        .axes = list->axes,
                        .ports = list->count,
                        .numbers = numbers,
                        .groups = (list->count + GROUP - 1) / GROUP,
                        .says = reach >= 0,
                        .port = tl_arena_alloc(step->arena, n, sizeof *c->port),
                        .place = tl_arena_alloc(step->arena, n, sizeof *c->place),
                        .free = tl_arena_alloc(step->arena, (size_t)numbers, sizeof *c->free),
                        .given = tl_arena_alloc(step->arena, (size_t)s->of[m]->nv + 1, sizeof *c->given),
                        .told = tl_arena_zero(step->arena, n, sizeof *c->told),
                        .all = tl_arena_alloc(step->arena, n, sizeof *c->all),
                        .answer = tl_arena_alloc(step->arena, n, sizeof *c->answer),
                        .v = tl_arena_zero(step->arena, 2 * (size_t)numbers + 1, sizeof *c->v)};
    if (!c->port || !c->place || !c->v || !c->free || !c->given || !c->told || !c->all || !c->answer)
        return tl_fail(step->error, TALUS_MEMORY, "no memory for %d contacts of one body", list->count);
    TL_TRY(number_ports(c, list, step));
    TL_TRY(find_near(c, c->says ? reach : (double)INFINITY, step));
    if ((double)c->block[c->groups] > MOST) return TALUS_OK;
    c->C = tl_arena_alloc(step->arena, c->block[c->groups], sizeof *c->C);
    c->used = tl_arena_zero(step->arena, (size_t)c->groups, sizeof *c->used);
    c->formed = tl_arena_zero(step->arena, (size_t)c->near_begin[c->groups], sizeof *c->formed);
    if (!c->C || !c->used || !c->formed) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d contacts of one body", list->count);
    stand_in(s, c);
    c->before = step->condensed, step->condensed = c;
    if (!c->says) return form_by_impulses(c->of, &(tl_ports){c->port, c->ports, c->axes}, c->C, step);
    int pressed = 0;
    for (int i = 0; i < list->count; i++) pressed += list->first[i];
    form_job job = {c, (pressed + GROUP - 1) / GROUP};
    tl_parallel_uneven(step->threads, job.pressed, 1, form_range, &job);
    return TALUS_OK;
}

talus_status tl_condense_rows(tl_stand_ins *s, int m, const tl_condensed_rows *rows, tl_step *step)
{
    TL_TRY(make_room(s, s->matters, step));
    tl_condensed *c = tl_arena_alloc(step->arena, 1, sizeof *c);
    const int size = rows->axes * GROUP;
    if (!c) return tl_fail(step->error, TALUS_MEMORY, "no memory for the constraints of a step");
    *c = (tl_condensed){.matter = {.ops = &STAND_IN, .name = s->of[m]->name, .nv = 2 * rows->numbers},
                        .of = s->of[m],
                        .number = m,
                        .axes = rows->axes,
                        .numbers = rows->numbers,
                        .groups = (rows->numbers + size - 1) / size,
                        .always = (rows->always + size - 1) / size,
                        .C = rows->C,
                        .given = tl_arena_alloc(step->arena, (size_t)s->of[m]->nv + 1, sizeof *c->given),
                        .v = tl_arena_zero(step->arena, 2 * (size_t)rows->numbers + 1, sizeof *c->v)};
    TL_TRY(find_near(c, (double)INFINITY, step)); /* all are: rows of C lie as they are given */
    c->used = tl_arena_zero(step->arena, (size_t)c->groups + 1, sizeof *c->used);
    if (!c->given || !c->used || !c->v) return tl_fail(step->error, TALUS_MEMORY, "no memory for the constraints of a step");
    stand_in(s, c);
    return TALUS_OK;
}

/* ---- in the solve --------------------------------------------------------------------------------------------------- */

void tl_stand_ins_start(tl_stand_ins *s)
{
    for (tl_condensed *c = s->first; c; c = c->next) {
        const double *v = s->v_of[c->number];
        const int n = c->numbers;
        double *own = s->v[c->number];
        memcpy(c->given, v, (size_t)c->of->nv * sizeof *v);
        memset(own, 0, (size_t)n * sizeof *own);
        for (int i = 0; i < c->ports; i++) {
            double V[3];
            c->of->ops->velocity(c->of, &c->port[i], v, false, V);
            memcpy(c->free + i * c->axes, V, (size_t)c->axes * sizeof *V);
        }
        if (c->ports > 0) {
            memcpy(own + n, c->free, (size_t)n * sizeof *own);
            memset(c->told, 0, (size_t)c->ports * sizeof *c->told);
        }
    }
    tl_stand_ins_forget(s);
}

void tl_stand_ins_free(const tl_stand_ins *s, double *const *v)
{
    for (const tl_condensed *c = s->first; c; c = c->next) {
        if (!c->says) continue;
        memset(v[c->number], 0, (size_t)c->numbers * sizeof *c->free);
        memcpy(v[c->number] + c->numbers, c->free, (size_t)c->numbers * sizeof *c->free);
    }
}

/* I_told ← I, and V_told as that makes it. */
static void tell(const tl_condensed *c, double *v, double *before)
{
    const int n = c->numbers;
    for (int i = 0; i < n; i++) c->told[i / c->axes][i % c->axes] += v[i];
    if (before)
        for (int i = 0; i < n; i++) before[i] -= v[i];
    memset(v, 0, (size_t)n * sizeof *v);
    c->of->ops->exchange(c->of, &(tl_ports){c->port, c->ports, c->axes}, (const double(*)[3])c->told, c->answer);
    for (int i = 0; i < n; i++) v[n + i] = c->free[i] + c->answer[i / c->axes][i % c->axes];
    if (before) memcpy(before + n, v + n, (size_t)n * sizeof *v);
}

void tl_stand_ins_tell(tl_stand_ins *s, double *const *before)
{
    tl_stand_ins_forget(s);
    for (tl_condensed *c = s->first; c; c = c->next) {
        double *now = s->v[c->number], *then = before ? before[c->number] : NULL;
        if (c->says) tell(c, now, then);
        for (int i = 0; i < c->numbers; i++) {
            const double told = c->says ? c->told[i / c->axes][i % c->axes] : 0;
            if (now[i] != 0 || told != 0 || (then && then[i] != 0)) c->used[i / (c->axes * GROUP)] = true;
        }
    }
}

void tl_stand_ins_forget(tl_stand_ins *s)
{
    for (tl_condensed *c = s->first; c; c = c->next)
        for (int g = 0; g < c->groups; g++) c->used[g] = g < c->always;
}

static const tl_condensed *of_matter(const tl_stand_ins *s, int m)
{
    const tl_condensed *c = s->first;
    while (c && c->number != m) c = c->next;
    return c;
}

void tl_stand_in_response(const tl_stand_ins *s, int m, const tl_port *from, const tl_port *to, double B[3][3])
{
    const tl_condensed *c = of_matter(s, m);
    const int size = c->axes * GROUP, group = from->number / size;
    if (c->says) {
        c->of->ops->response(c->of, from, to, B);
        return;
    }
    for (int i = 0; i < c->axes; i++) /* all groups are near, and their numbers lie side by side */
        for (int j = 0; j < c->axes; j++)
            B[j][i] = c->C[c->block[group] + (size_t)(from->number + i - group * size) * (size_t)c->length[group] + (size_t)(to->number + j)];
}

bool tl_stand_ins_say(const tl_stand_ins *s, int m)
{
    const tl_condensed *c = of_matter(s, m);
    return c && c->says;
}

double (*tl_stand_ins_impulses(const tl_stand_ins *s, int m))[3]
{
    const tl_condensed *c = of_matter(s, m);
    if (!c || !c->all) return NULL;
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
