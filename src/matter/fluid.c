/* Oil in chambers and lines: pressures of a step, and how they answer to impulses (fluid.h). */
#include "matter/fluid.h"

#include <math.h>
#include <string.h>

/* Share of what a chamber's volume is off its pressure and content that a step takes back: the largest that does not overshoot. */
static const double TAKEN_BACK = 1.0 / 3;
enum { CAUTIOUS = 3 };              /* every so many rounds only half the way is gone: valves that open and close in turn come to rest */
static const double SCRAP = 1e-6;   /* of a content: a node that a linear network empties keeps it, for it to be solved again */
static const double MOST_ORDER = 8; /* θ of a node is 1/2 + (ωh)²/8 + (h/τ)²/8, at most 1 */
enum { PORT_AXES = 3 };

typedef struct node_state {
    double pressure, content, volume, mobility, head; /* head: of the last step */
} node_state;

typedef struct element_state {
    double flow, power, work;
} element_state;

/* Of a step. z is what impulses are h times of: of a chamber p_θ, of a line its head. */
typedef struct node_work {
    double theta, target; /* θ of the pressure; the volume that it starts from */
    double z, pressure;   /* where it is linearised, or, at the end, solved: z, p_θ */
    double after, scale;  /* p⁺; rate of the head by z */
    double from;          /* z where the network that was solved was linearised */
    double inflow, y;     /* Σ Q there; y that belongs to z */
    double expected;      /* Σ Q as the linear network had it */
} node_work;

struct tl_fluid {
    tl_matter base;
    tl_oil oil;
    tl_fluid_node *node;
    int nodes, node_capacity;
    tl_fluid_element *element;
    int elements, element_capacity;
    /* state, and what it becomes */
    node_state *now, *next;
    element_state *flow, *flow_next;
    double damped, damped_next;
    /* scratch */
    node_work *work;
    double *flows, *slopes;      /* [elements] Q and its rate by the drop of head */
    double *opening;             /* [elements] in this step: the factor on the gain; of what is given the flow */
    double *W, *y_free, *v_free; /* [nodes × nodes], [nodes] */
    double *impulse;             /* [nodes] of rows [N s] */
    double *H, *Y;               /* [nodes][3][nodes] of ports */
    double h, time, theta_q;     /* middle of the step; θ of the volumes' rates */
    bool asked;                  /* refine has been: impulses are those of a solve */
    bool still;                  /* the search for equilibrium: oil stays where it is, but that open valves let it pass between chambers and lines */
    int rounds;                  /* of this step: how often it has been linearised anew */
};

static const tl_matter_ops OPS;

static const char *circuit_of(const tl_fluid *f) { return f->base.name ? f->base.name : ""; }
static tl_fluid *of(tl_matter *m) { return (tl_fluid *)m; }
static const tl_fluid *of_const(const tl_matter *m) { return (const tl_fluid *)m; }

/* ---- definition ------------------------------------------------------------------------------------------------------------- */

tl_fluid *tl_fluid_create(tl_memory memory, const char *name, const tl_oil *oil)
{
    tl_fluid *f = tl_alloc(memory, 1, sizeof *f);
    if (!f) return NULL;
    *f = (tl_fluid){.base = {.ops = &OPS, .memory = memory}, .oil = *oil};
    if (name && *name && !(f->base.name = tl_strdup(memory, name))) {
        tl_free(memory, f);
        return NULL;
    }
    return f;
}

tl_matter *tl_fluid_matter(tl_fluid *f) { return &f->base; }
const tl_oil *tl_fluid_oil(const tl_fluid *f) { return &f->oil; }
int tl_fluid_nodes(const tl_fluid *f) { return f->nodes; }
tl_fluid_node *tl_fluid_node_at(tl_fluid *f, int node) { return &f->node[node]; }

talus_status tl_fluid_reserve(tl_fluid *f, int nodes, int elements)
{
    TL_TRY(tl_grow(f->base.memory, &f->node, &f->node_capacity, f->nodes + nodes, sizeof *f->node));
    return tl_grow(f->base.memory, &f->element, &f->element_capacity, f->elements + elements, sizeof *f->element);
}

int tl_fluid_add_node(tl_fluid *f, const tl_fluid_node *node)
{
    if (tl_grow(f->base.memory, &f->node, &f->node_capacity, f->nodes + 1, sizeof *f->node) != TALUS_OK) return -1;
    f->node[f->nodes] = *node;
    return f->nodes++;
}

int tl_fluid_add_element(tl_fluid *f, const tl_fluid_element *element)
{
    if (tl_grow(f->base.memory, &f->element, &f->element_capacity, f->elements + 1, sizeof *f->element) != TALUS_OK) return -1;
    f->element[f->elements] = *element;
    return f->elements++;
}

int tl_fluid_find(const tl_fluid *f, const char *name)
{
    for (int i = 0; i < f->nodes; i++)
        if (strcmp(f->node[i].name, name) == 0) return i;
    return -2;
}

talus_status tl_fluid_settle(tl_fluid *f, const double *volume, tl_error *error)
{
    const tl_memory m = f->base.memory;
    const size_t n = (size_t)f->nodes, e = (size_t)f->elements;
    double slope;
    f->base.nv = f->nodes;
    f->now = tl_alloc(m, n + 1, sizeof *f->now), f->next = tl_alloc(m, n + 1, sizeof *f->next);
    f->flow = tl_alloc(m, e + 1, sizeof *f->flow), f->flow_next = tl_alloc(m, e + 1, sizeof *f->flow_next);
    f->work = tl_alloc(m, n + 1, sizeof *f->work);
    f->flows = tl_alloc(m, 3 * e + 1, sizeof *f->flows);
    f->W = tl_alloc(m, n * n + 3 * n + 1, sizeof *f->W);
    f->H = tl_alloc(m, 2 * PORT_AXES * n * n + 1, sizeof *f->H);
    if (!f->now || !f->next || !f->flow || !f->flow_next || !f->work || !f->flows || !f->W || !f->H)
        return tl_fail(error, TALUS_MEMORY, "no memory for %d chambers and lines", f->nodes);
    f->slopes = f->flows + e, f->opening = f->slopes + e;
    f->y_free = f->W + n * n, f->v_free = f->y_free + n, f->impulse = f->v_free + n;
    f->Y = f->H + PORT_AXES * n * n;
    f->base.v_free = f->v_free;
    for (size_t i = 0; i < n; i++) {
        const tl_fluid_node *node = &f->node[i];
        const double V = node->line ? node->volume : volume[i], oil = node->line ? tl_bladder_oil(&node->bladder, node->start, &slope) : 0;
        f->now[i] = (node_state){.pressure = node->start, .volume = V, .mobility = -1};
        f->now[i].content = (V + oil) / tl_oil_volume(&f->oil, node->start, &slope);
        f->now[i].head = tl_oil_head(&f->oil, node->start);
    }
    return TALUS_OK;
}

/* ---- flows ------------------------------------------------------------------------------------------------------------------ */

/* Openings in this step, at its middle. A valve is at most shut or open: beyond that an opening stays at its end, for one below 0 would make energy. While a
 * machine is looked for that stands, pumps do not run and the tank is shut off (nor does anything leak: find_flows). */
static talus_status find_openings(tl_fluid *f, tl_step *step)
{
    for (int k = 0; k < f->elements; k++) {
        tl_fluid_element *e = &f->element[k];
        const bool given = e->kind == TL_FLOW_GIVEN, shut = f->still && (given || e->a < 0 || e->b < 0);
        const double x = shut ? 0 : e->opening.value ? tl_motion_value(&e->opening, f->time) : 1;
        if (!isfinite(x))
            return tl_fail(step->error, TALUS_DIVERGED, "circuit '%s': the %s of '%s' is not a number at t = %.9g s", circuit_of(f), given ? "flow" : "opening",
                           e->name ? e->name : "", f->time);
        e->wanted = given || fabs(x - fmin(1, fmax(e->side == 0 ? 0 : -1, x))) <= 1e-9 ? (double)NAN : x;
        f->opening[k] = given ? x : fmin(1, fmax(0, e->side == 0 ? x : e->side * x));
    }
    return TALUS_OK;
}

/* Q by the drop of head, and its slope, which is not negative. */
static double flow_of(const tl_fluid_element *e, double leakage, double drop, double x, double *slope)
{
    const double gain = e->kind == TL_FLOW_GIVEN ? 0 : x * e->gain, over = drop - e->opens;
    *slope = leakage;
    double Q = leakage * drop;
    if (e->kind == TL_FLOW_GIVEN) return x;
    if (e->kind == TL_FLOW_ORIFICE && gain > 0) { /* Δ (Δ² + δ²)^(−1/4) */
        const double square = drop * drop + e->laminar * e->laminar, root = sqrt(sqrt(square));
        Q += gain * drop / root;
        *slope += gain * (1 - 0.5 * drop * drop / square) / root;
    } else if (e->kind == TL_FLOW_LAMINAR) Q += gain * drop, *slope += gain;
    else if (e->kind == TL_FLOW_CHECK && over > 0) Q += gain * over, *slope += gain;
    return Q;
}

static double head_at(const tl_fluid *f, int node) { return node < 0 ? 0 : tl_oil_head(&f->oil, f->work[node].pressure); }

/* Q and slopes of all elements, their sums at nodes; at the pressures p_θ. */
static void find_flows(tl_fluid *f)
{
    for (int i = 0; i < f->nodes; i++) f->work[i].inflow = 0;
    for (int k = 0; k < f->elements; k++) {
        const tl_fluid_element *e = &f->element[k];
        f->flows[k] = flow_of(e, f->still ? 0 : e->leakage, head_at(f, e->a) - head_at(f, e->b), f->opening[k], &f->slopes[k]);
        if (e->a >= 0) f->work[e->a].inflow -= f->flows[k];
        if (e->b >= 0) f->work[e->b].inflow += f->flows[k];
    }
}

/* ---- a node in a step -------------------------------------------------------------------------------------------------------- */

/* p_θ and p⁺ of z, and z put right where the pressure would be below the least or above the most. */
static void set_z(const tl_fluid *f, int i, double z)
{
    node_work *w = &f->work[i];
    const double p = f->now[i].pressure, lowest = tl_oil_lowest(&f->oil), highest = tl_oil_highest(&f->oil);
    w->pressure = f->node[i].line ? tl_oil_pressure_of_head(&f->oil, z, w->pressure) : z;
    w->after = p + (w->pressure - p) / w->theta;
    w->z = z;
    if (!(w->after < lowest) && !(w->after > highest)) return;
    w->after = w->after < lowest ? lowest : highest;
    w->pressure = p + w->theta * (w->after - p);
    w->z = f->node[i].line ? tl_oil_head(&f->oil, w->pressure) : w->pressure;
}

/* y of z, and without flows its rate by z. After find_flows. */
static double rate_of(const tl_fluid *f, int i, double *slope)
{
    node_work *w = &f->work[i];
    const tl_fluid_node *node = &f->node[i];
    const double h = f->h, content = f->now[i].content + h * w->inflow;
    double v_slope, ignored, oil_slope;
    const double v = tl_oil_volume(&f->oil, w->after, &v_slope), v_mid = tl_oil_volume(&f->oil, w->pressure, &ignored);
    if (!node->line) {
        w->scale = sqrt(v * v_mid);
        *slope = -fmax(content, SCRAP * f->now[i].content) * v_slope / (h * f->theta_q * w->theta);
        return (w->target - content * v) / (h * f->theta_q);
    }
    const double V = node->volume + tl_bladder_oil(&node->bladder, w->after, &oil_slope);
    w->scale = 1;
    *slope = (oil_slope / v - V * v_slope / (v * v)) / (h * f->theta_q * w->theta * v_mid);
    return (V / v - content) / (h * f->theta_q);
}

/* W and y_free about the z of all nodes. */
static void linearise(tl_fluid *f)
{
    const int n = f->nodes;
    const double per = 1 / f->h;
    find_flows(f);
    memset(f->W, 0, (size_t)n * (size_t)n * sizeof *f->W);
    for (int i = 0; i < n; i++) {
        double slope;
        f->work[i].y = rate_of(f, i, &slope);
        f->W[i * n + i] = slope * per;
    }
    for (int k = 0; k < f->elements; k++) {
        const int a = f->element[k].a, b = f->element[k].b;
        const double g = f->slopes[k] * per / f->theta_q;
        if (a >= 0) f->W[a * n + a] += f->work[a].scale * g * f->work[a].scale;
        if (b >= 0) f->W[b * n + b] += f->work[b].scale * g * f->work[b].scale;
        if (a < 0 || b < 0) continue;
        f->W[a * n + b] -= f->work[a].scale * g * f->work[b].scale;
        f->W[b * n + a] = f->W[a * n + b];
    }
    for (int i = 0; i < n; i++) {
        f->y_free[i] = f->work[i].y;
        for (int j = 0; j < n; j++) f->y_free[i] -= f->W[i * n + j] * f->h * f->work[j].z;
    }
    memcpy(f->v_free, f->y_free, (size_t)n * sizeof *f->v_free);
}

/* θ of the pressure: 1/2 where the step resolves what its oil does with the masses that it moves, and with what lets it through; 1 where it does not. */
static void choose_thetas(tl_fluid *f, double theta)
{
    const double h = f->h;
    f->theta_q = 1;
    for (int i = 0; i < f->nodes; i++) {
        f->work[i].theta = 1;
        f->work[i].pressure = f->now[i].pressure;
        set_z(f, i, f->node[i].line ? tl_oil_head(&f->oil, f->now[i].pressure) : f->now[i].pressure);
    }
    find_flows(f);
    double most = theta;
    for (int i = 0; i < f->nodes; i++) {
        double slope, through = 0;
        node_work *w = &f->work[i];
        (void)rate_of(f, i, &slope);
        const double capacity = h * slope; /* at θ = 1 */
        for (int k = 0; k < f->elements; k++)
            if (f->element[k].a == i || f->element[k].b == i) through += f->slopes[k] * w->scale * w->scale;
        const double swing = h * h * f->now[i].mobility / capacity, fall = h * through / capacity;
        w->theta = f->still || (f->now[i].mobility < 0 && f->node[i].moved) ? 1 : fmin(1, 0.5 + (fmax(swing, 0) + fall * fall) / MOST_ORDER);
        if (f->node[i].moved) most = fmax(most, w->theta);
    }
    f->theta_q = most;
}

/* A force or a motion that is no number makes its chamber's pressure none. */
static talus_status check_numbers(const tl_fluid *f, const tl_step *step, const double *y)
{
    for (int i = 0; i < f->nodes; i++)
        if (!isfinite(f->work[i].after) || !isfinite(f->work[i].inflow) || !isfinite(f->impulse[i]) || !isfinite(y[i]))
            return tl_fail(step->error, TALUS_DIVERGED, "circuit '%s': the pressure of '%s' is not a number at t = %.9g s", circuit_of(f), f->node[i].name,
                           step->t + step->h);
    return TALUS_OK;
}

static talus_status free_velocity(tl_matter *m, tl_step *step, double theta)
{
    tl_fluid *f = of(m);
    f->h = step->h, f->time = step->t + 0.5 * step->h, f->asked = false, f->rounds = 0;
    f->still = step->still > 0;
    if (f->still) f->time = step->t;
    TL_TRY(find_openings(f, step));
    for (int i = 0; i < f->nodes; i++) {
        const node_state *s = &f->now[i];
        double slope;
        const double held = s->content * tl_oil_volume(&f->oil, s->pressure, &slope);
        f->work[i].target = held + (f->still ? 1 : TAKEN_BACK) * (s->volume - held);
    }
    choose_thetas(f, theta);
    for (int i = 0; i < f->nodes; i++) set_z(f, i, f->work[i].z), f->impulse[i] = f->h * f->node[i].reference * f->work[i].z;
    linearise(f);
    return check_numbers(f, step, f->y_free);
}

/* ---- what the solve has found ------------------------------------------------------------------------------------------------- */

/* Inflows that the linear network has at the impulses. */
static void expect_flows(tl_fluid *f)
{
    for (int i = 0; i < f->nodes; i++) f->work[i].expected = f->work[i].inflow, f->work[i].from = f->work[i].z;
    for (int k = 0; k < f->elements; k++) {
        double more = 0;
        const int end[2] = {f->element[k].a, f->element[k].b};
        for (int side = 0; side < 2; side++) {
            if (end[side] < 0) continue;
            const node_work *w = &f->work[end[side]];
            more += (side ? -1 : 1) * f->slopes[k] * w->scale * (f->impulse[end[side]] / (f->h * f->node[end[side]].reference) - w->z);
        }
        if (end[0] >= 0) f->work[end[0]].expected -= more;
        if (end[1] >= 0) f->work[end[1]].expected += more;
    }
}

/* From impulses to z; by how much y is not that of z, as a velocity. */
static double take_impulses(tl_fluid *f, const double *y)
{
    double most = 0;
    expect_flows(f);
    for (int i = 0; i < f->nodes; i++) set_z(f, i, f->impulse[i] / (f->h * f->node[i].reference));
    find_flows(f);
    for (int i = 0; i < f->nodes; i++) {
        const double z = f->impulse[i] / (f->h * f->node[i].reference);
        double slope;
        const double off = fabs(rate_of(f, i, &slope) - y[i]) + fabs(slope * (z - f->work[i].z));
        most = fmax(most, off / f->node[i].reference);
    }
    return most;
}

/* What the content of a line comes to, with a bladder, by the linear network: the pressure there. Its way with the pressure has a corner at the precharge. */
static double pressure_of_content(const tl_fluid *f, int i, double content)
{
    enum { MOST = 100 };
    const tl_fluid_node *node = &f->node[i];
    double low = fmax(tl_oil_lowest(&f->oil), -f->oil.bulk_modulus), high = tl_oil_highest(&f->oil), p = f->work[i].after;
    for (int k = 0; k < MOST && high - low > 1e-14 * (fabs(p) + TL_ATMOSPHERE); k++) {
        double oil_slope, v_slope;
        p = fmin(fmax(p, low), high);
        const double V = node->volume + tl_bladder_oil(&node->bladder, p, &oil_slope), v = tl_oil_volume(&f->oil, p, &v_slope), off = V / v - content;
        *(off > 0 ? &high : &low) = p;
        p -= off / (oil_slope / v - V * v_slope / (v * v));
        if (!(p > low && p < high)) p = 0.5 * (low + high);
    }
    return p;
}

/* Where the impulses would pull the oil apart, or gas answers, it is the content that tells the pressure. */
static void set_from_content(tl_fluid *f, const double *y)
{
    for (int i = 0; i < f->nodes; i++) {
        node_work *w = &f->work[i];
        const tl_fluid_node *node = &f->node[i];
        const double p = f->now[i].pressure, content = f->now[i].content + f->h * w->expected;
        const bool gas = node->bladder.volume > 0, apart = f->oil.air > 0 && w->after < -0.5 * TL_ATMOSPHERE;
        if (!gas && !apart) continue;
        const double left = fmax(content, SCRAP * f->now[i].content);
        const double after = node->line ? pressure_of_content(f, i, content + f->h * f->theta_q * y[i])
                                        : tl_oil_pressure_of_volume(&f->oil, (w->target - f->h * f->theta_q * y[i]) / left, w->after);
        const double mid = p + w->theta * (after - p);
        set_z(f, i, node->line ? tl_oil_head(&f->oil, mid) : mid);
    }
}

static double refine(tl_matter *m, tl_step *step, const double *v, bool apply)
{
    tl_fluid *f = of(m);
    if (apply && !f->asked) return 0; /* before the first solve: it begins from the pressures as they are */
    f->asked = true;
    if (!apply) {
        const double off = take_impulses(f, v);
        return check_numbers(f, step, v) == TALUS_OK ? off : (double)INFINITY; /* the step ends */
    }
    set_from_content(f, v); /* after it has been asked with these velocities */
    if (++f->rounds % CAUTIOUS == 0)
        for (int i = 0; i < f->nodes; i++) set_z(f, i, 0.5 * (f->work[i].from + f->work[i].z));
    linearise(f);
    return 0;
}

static talus_status arrive(tl_matter *m, tl_step *step, double theta, const double *v, const double *w)
{
    tl_fluid *f = of(m);
    (void)theta, (void)w;
    (void)take_impulses(f, v);
    TL_TRY(check_numbers(f, step, v));
    f->damped_next = f->damped;
    for (int i = 0; i < f->nodes; i++) {
        const node_work *at = &f->work[i];
        node_state *s = &f->next[i];
        const double drawn = f->node[i].line && f->node[i].moved ? -f->theta_q * v[i] : 0;
        *s = f->now[i];
        s->content += f->h * (at->inflow - drawn);
        if (at->after >= tl_oil_highest(&f->oil))
            return tl_fail(step->error, TALUS_DIVERGED,
                           "circuit '%s': '%s' is filled to bursting at t = %.9g s: its pressure goes beyond %.4g Pa, the bulk modulus; where nothing takes "
                           "what flows in, a relief valve must",
                           circuit_of(f), f->node[i].name, step->t + step->h, tl_oil_highest(&f->oil));
        if (!(s->content > 0) && at->after > 0)
            return tl_fail(step->error, TALUS_DIVERGED,
                           "circuit '%s': no pressure of '%s' was found at t = %.9g s: more flows through it in a step than it holds; a shorter step, or a "
                           "larger volume, would resolve it",
                           circuit_of(f), f->node[i].name, step->t + step->h);
        if (!(s->content > 0))
            return tl_fail(step->error, TALUS_DIVERGED,
                           "circuit '%s': '%s' runs empty at t = %.9g s: more is taken out of it than it holds; a check valve from the tank would feed it",
                           circuit_of(f), f->node[i].name, step->t + step->h);
        s->pressure = at->after;
        s->head = tl_oil_head(&f->oil, at->pressure);
    }
    for (int k = 0; k < f->elements; k++) {
        const tl_fluid_element *e = &f->element[k];
        const double drop = head_at(f, e->a) - head_at(f, e->b);
        f->flow_next[k] = (element_state){f->flows[k], f->flows[k] * drop, f->flow[k].work + (f->still ? 0 : f->h * f->flows[k] * drop)};
    }
    return TALUS_OK;
}

static void commit(tl_matter *m, const tl_step *step)
{
    tl_fluid *f = of(m);
    node_state *const now = f->now;
    element_state *const flow = f->flow;
    (void)step;
    f->now = f->next, f->next = now;
    f->flow = f->flow_next, f->flow_next = flow;
    f->damped = f->damped_next;
}

static double stored(const tl_fluid *f, int i, const node_state *s)
{
    return s->content * tl_oil_energy(&f->oil, s->pressure) + (f->node[i].line ? tl_bladder_energy(&f->node[i].bladder, s->pressure) : 0);
}

/* What flows and pistons have brought, less what is stored, is what the method has taken. */
void tl_fluid_end(tl_fluid *f, int i, const tl_fluid_note *note)
{
    node_state *s = &f->now[i];
    const node_state *before = &f->next[i];
    const node_work *w = &f->work[i];
    s->mobility = note->mobility;
    if (!f->node[i].line) s->volume = note->volume;
    if (f->still) return; /* no time has passed */
    f->damped += f->h * (w->inflow * s->head - w->z * note->rate) - stored(f, i, s) + stored(f, i, before);
}

/* ---- ports -------------------------------------------------------------------------------------------------------------------- */

static talus_status bind(tl_matter *m, tl_step *step, tl_port *ports, int n)
{
    tl_fluid *f = of(m);
    (void)step;
    for (int k = 0; k < n; k++) {
        const int node = ports[k].slot = ports[k].rate1 - 1;
        double *H = f->H + PORT_AXES * node * f->nodes, *Y = f->Y + PORT_AXES * node * f->nodes;
        memset(H, 0, (size_t)(PORT_AXES * f->nodes) * sizeof *H);
        memset(Y, 0, (size_t)(PORT_AXES * f->nodes) * sizeof *Y);
        H[node] = ports[k].axes[0][0];
        for (int j = 0; j < f->nodes; j++) Y[j] = ports[k].axes[0][0] * f->W[j * f->nodes + node];
    }
    return TALUS_OK;
}

static void rows(const tl_matter *m, const tl_port *port, const double **H, const double **Y)
{
    const tl_fluid *f = of_const(m);
    *H = f->H + PORT_AXES * port->slot * f->nodes, *Y = f->Y + PORT_AXES * port->slot * f->nodes;
}

static void velocity(const tl_matter *m, const tl_port *port, const double *v, bool imposed, double V[3])
{
    (void)m, (void)imposed, V[0] = port->axes[0][0] * v[port->slot], V[1] = V[2] = 0;
}

static void velocity_before(const tl_matter *m, const tl_port *port, double V[3]) { (void)m, (void)port, V[0] = V[1] = V[2] = 0; }

/* W⁻¹; where nothing gives at some node, none. */
static void mass(const tl_matter *m, double *M)
{
    memcpy(M, of_const(m)->W, (size_t)(m->nv * m->nv) * sizeof *M);
    (void)tl_invert_positive(M, m->nv);
}

static void impulse(const tl_matter *m, const tl_port *port, const double I[3], double *v)
{
    const tl_fluid *f = of_const(m);
    const double *Y = f->Y + PORT_AXES * port->slot * f->nodes;
    for (int j = 0; j < f->nodes; j++) v[j] += Y[j] * I[0];
}

static void accumulate(tl_matter *m, const tl_port *port, const double I[3]) { (void)m, (void)port, (void)I; }
double tl_fluid_recall(const tl_fluid *f) { return -(1 - f->theta_q) / f->theta_q; }
double *tl_fluid_impulses(tl_fluid *f) { return f->impulse; }

double tl_fluid_response(const tl_fluid *f, int node) { return f->W[node * f->nodes + node] / (f->node[node].reference * f->node[node].reference); }

/* ---- the rest ------------------------------------------------------------------------------------------------------------------ */

static void start_velocity(const tl_matter *m, double *v) { memset(v, 0, (size_t)m->nv * sizeof *v); }

/* It has no velocity of its own that a step could start from. */
static talus_status start_from(tl_matter *m, tl_step *step, const double *v)
{
    (void)m, (void)step, (void)v;
    return TALUS_OK;
}

static talus_status place(tl_matter *m, tl_step *step, const tl_move *move) { return (void)m, (void)step, (void)move, TALUS_OK; }

static tl_frame frame(const tl_matter *m, int item)
{
    (void)m, (void)item;
    return (tl_frame){.R = tl_mat3_identity()};
}

static tl_mass body_mass(const tl_matter *m, int item)
{
    (void)m, (void)item;
    return (tl_mass){.mass = 0};
}

static void energy(const tl_matter *m, const double gravity[3], double *kinetic, double *potential)
{
    const tl_fluid *f = of_const(m);
    (void)gravity;
    *kinetic = *potential = 0;
    for (int i = 0; i < f->nodes; i++) *potential += stored(f, i, &f->now[i]);
}

static int fields(const tl_matter *m, tl_field *out, int capacity)
{
    const tl_fluid *f = of_const(m);
    const int columns = sizeof *f->now / sizeof(double), flows = sizeof *f->flow / sizeof(double);
    const tl_field list[] = {
        {"nodes", "Pa, m^3, m^3, m^3/(Pa s), Pa", "pressure, oil at atmospheric pressure, volume, what moves by a unit impulse, head of the last step", false,
         f->nodes, columns, f->now},
        {"flows", "m^3/s, W, J", "flow, power and energy lost", false, f->elements, flows, f->flow},
        {"damped", "J", "energy that the method has taken", false, 1, 1, (void *)(uintptr_t)&f->damped},
    };
    return tl_fields_say(list, 3, out, capacity);
}

static talus_status restored(tl_matter *m, tl_error *error) { return (void)m, (void)error, TALUS_OK; }

static void destroy(tl_matter *m)
{
    tl_fluid *f = of(m);
    const tl_memory memory = m->memory;
    for (int i = 0; i < f->nodes; i++) tl_free(memory, f->node[i].name);
    void *const parts[] = {f->node, f->element, f->now, f->next, f->flow, f->flow_next, f->work, f->flows, f->W, f->H, (void *)(uintptr_t)m->name};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) tl_free(memory, parts[i]);
    tl_free(memory, f);
}

static const tl_matter_ops OPS = {
    .kind = "hydraulics",
    .part = "chamber",
    .start_velocity = start_velocity,
    .start_from = start_from,
    .place = place,
    .free_velocity = free_velocity,
    .bind = bind,
    .velocity = velocity,
    .impulse = impulse,
    .rows = rows,
    .velocity_before = velocity_before,
    .mass = mass,
    .refine = refine,
    .accumulate = accumulate,
    .arrive = arrive,
    .commit = commit,
    .frame = frame,
    .body_mass = body_mass,
    .energy = energy,
    .fields = fields,
    .restored = restored,
    .destroy = destroy,
};

/* ---- reading ------------------------------------------------------------------------------------------------------------------- */

double tl_fluid_pressure(const tl_fluid *f, int node) { return node < 0 ? 0 : f->now[node].pressure; }
double tl_fluid_content(const tl_fluid *f, int node) { return node < 0 ? 0 : f->now[node].content; }

void tl_fluid_flow(const tl_fluid *f, int element, double *flow, double *power, double *work)
{
    *flow = f->flow[element].flow, *power = f->flow[element].power, *work = f->flow[element].work;
}

int tl_fluid_elements(const tl_fluid *f) { return f->elements; }
const tl_fluid_element *tl_fluid_element_at(const tl_fluid *f, int element) { return &f->element[element]; }
double tl_fluid_flow_in_step(const tl_fluid *f, int element) { return f->flows[element]; }
double tl_fluid_damped(const tl_fluid *f) { return f->damped; }
