/* Hydrodynamic torque converters: laws of two shafts (talus/driveline.h). */
#include "talus/driveline.h"

#include <math.h>
#include <string.h>

#include "world/world.h"

enum { SAMPLES = 1000 }; /* at which characteristics are looked at */

typedef struct tl_converter {
    char *name;
    talus_converter_def def;
    talus_coordinate reads[2];
} tl_converter;

talus_converter_def talus_converter_def_default(void) { return (talus_converter_def){.struct_size = sizeof(talus_converter_def)}; }

/* ---- the law ------------------------------------------------------------------------------------------------------- */

/* T_p, T_t, and their slopes in ω_p, ω_t. */
typedef struct torques {
    double pump, turbine, pump_slope[2], turbine_slope[2];
} torques;

static double at(const talus_characteristic *c, double x, double *slope)
{
    *slope = 0;
    return c->value(c->user, x, slope);
}

/* The pump drives: p > 0, 0 ≤ t ≤ p. With K = μ C: T_t = K p². */
static torques driving(const talus_converter_def *d, double p, double t)
{
    double C1, m1;
    const double x = t / p, C = at(&d->capacity, x, &C1), m = at(&d->ratio, x, &m1), K = m * C, K1 = m1 * C + m * C1;
    return (torques){C * p * p, K * p * p, {2 * C * p - C1 * t, C1 * p}, {2 * K * p - K1 * t, K1 * p}};
}

/* The turbine drives: t > p ≥ 0. */
static torques overrun(const talus_converter_def *d, double p, double t)
{
    double C1;
    const double C = at(&d->capacity, p / t, &C1), T = -C * t * t, by_p = -C1 * t, by_t = C1 * p - 2 * C * t;
    return (torques){T, T, {by_p, by_t}, {by_p, by_t}};
}

/* They turn against each other: p ≥ 0 > t. */
static torques opposed(const talus_converter_def *d, double p, double t)
{
    double ignored;
    const double C = at(&d->capacity, 0, &ignored), K = C * at(&d->ratio, 0, &ignored);
    return (torques){C * (p * p + t * t), K * p * p + C * t * t, {2 * C * p, 2 * C * t}, {2 * K * p, 2 * C * t}};
}

static torques torques_at(const talus_converter_def *d, double p, double t)
{
    const double side = p < 0 ? -1 : 1;
    torques T = {0};
    p *= side, t *= side;
    if (t < 0) T = opposed(d, p, t);
    else if (t > p) T = overrun(d, p, t);
    else if (p > 0) T = driving(d, p, t);
    T.pump *= side, T.turbine *= side; /* slopes of an odd function are even */
    return T;
}

static double pump_value(void *user, double t, const double *q, const double *v, const double *state)
{
    (void)t, (void)q, (void)state;
    return -torques_at(user, v[0], v[1]).pump;
}

static double turbine_value(void *user, double t, const double *q, const double *v, const double *state)
{
    (void)t, (void)q, (void)state;
    return torques_at(user, v[0], v[1]).turbine;
}

static void pump_slopes(void *user, double t, const double *q, const double *v, const double *state, double *out)
{
    const torques T = torques_at(user, v[0], v[1]);
    (void)t, (void)q, (void)state;
    for (int k = 0; k < 2; k++) out[k] = -T.pump_slope[k];
}

static void turbine_slopes(void *user, double t, const double *q, const double *v, const double *state, double *out)
{
    const torques T = torques_at(user, v[0], v[1]);
    (void)t, (void)q, (void)state;
    for (int k = 0; k < 2; k++) out[k] = T.turbine_slope[k];
}

/* ---- definition ---------------------------------------------------------------------------------------------------- */

static talus_status check_characteristics(talus_world *w, const talus_converter_def *d)
{
    static const double CLOSE = 1e-9;
    double slope, most = 0;
    for (int i = 0; i <= SAMPLES; i++) {
        const double x = (double)i / SAMPLES, C = at(&d->capacity, x, &slope), m = at(&d->ratio, x, &slope);
        if (!(C >= 0) || isinf(C))
            return tl_fail(&w->error, TALUS_INPUT, "converter '%s': its capacity at a speed ratio of %g is %g; it must not be negative", d->name, x, C);
        if (!(m > 0) || isinf(m))
            return tl_fail(&w->error, TALUS_INPUT, "converter '%s': its torque ratio at a speed ratio of %g is %g; it must be positive", d->name, x, m);
        if (m * x > 1 + CLOSE)
            return tl_fail(&w->error, TALUS_INPUT, "converter '%s': at a speed ratio of %g its efficiency would be %g: the torque ratio is too large there",
                           d->name, x, m * x);
        most = fmax(most, C);
    }
    if (at(&d->capacity, 1, &slope) <= CLOSE * most) return TALUS_OK;
    return tl_fail(&w->error, TALUS_INPUT,
                   "converter '%s': its capacity at a speed ratio of 1 is %g; without slip nothing is passed on: let it end with 0 at 1", d->name,
                   at(&d->capacity, 1, &slope));
}

static talus_status check_converter(talus_world *w, const talus_converter_def *d)
{
    const uint32_t joints = (uint32_t)w->joints, p = d->pump.index1, t = d->turbine.index1;
    talus_connection shaft[2];
    if (!d->name || !*d->name) return tl_fail(&w->error, TALUS_INPUT, "a converter has no name");
    if (talus_converter_find(w, d->name).index1) return tl_fail(&w->error, TALUS_INPUT, "there are two converters '%s'", d->name);
    if (p == 0 || t == 0 || p > joints || t > joints) return tl_fail(&w->error, TALUS_INPUT, "converter '%s' names a joint that does not exist", d->name);
    if (p == t) return tl_fail(&w->error, TALUS_INPUT, "converter '%s' names one joint twice", d->name);
    if (w->joint[p - 1].mechanism != w->joint[t - 1].mechanism)
        return tl_fail(&w->error, TALUS_INPUT, "converter '%s' is between shafts of two mechanisms; it needs both in one", d->name);
    (void)talus_connection_get(w, (int)p - 1, &shaft[0]);
    (void)talus_connection_get(w, (int)t - 1, &shaft[1]);
    if (shaft[0].body[0].index1 != shaft[1].body[0].index1)
        return tl_fail(&w->error, TALUS_INPUT, "converter '%s': its shafts turn on different bodies, and none could hold the stator; let both turn on one",
                       d->name);
    if (!d->capacity.value || !d->ratio.value) return tl_fail(&w->error, TALUS_INPUT, "converter '%s' has no capacity or no torque ratio", d->name);
    return check_characteristics(w, d);
}

static void free_converter(talus_world *w, tl_converter *c)
{
    tl_free(w->memory, c->name);
    tl_free(w->memory, c);
}

talus_status talus_converter_create(talus_world *w, const talus_converter_def *def, talus_converter_id *out)
{
    talus_converter_def d = talus_converter_def_default();
    TL_TRY(tl_world_open(w, &d, sizeof d, def, out, "converter"));
    TL_TRY(check_converter(w, &d));
    if (tl_grow(w->memory, &w->converter, &w->converter_capacity, w->converters + 1, sizeof *w->converter) != TALUS_OK) return tl_world_out_of_memory(w);
    tl_converter *c = tl_alloc(w->memory, 1, sizeof *c);
    if (!c) return tl_world_out_of_memory(w);
    *c = (tl_converter){.name = tl_strdup(w->memory, d.name), .def = d, .reads = {{d.pump, d.pump_coordinate}, {d.turbine, d.turbine_coordinate}}};
    c->def.name = c->name;
    talus_joint_force_def f = talus_joint_force_def_default();
    f.coordinate = d.pump_coordinate;
    f.coupled = (talus_coupled_law){.value = pump_value, .user = &c->def, .slopes = pump_slopes, .reads = c->reads, .count = 2};
    const tl_parts before = tl_world_parts(w, w->joint[d.pump.index1 - 1].mechanism);
    talus_status status = c->name ? talus_joint_add_force(w, d.pump, &f) : tl_world_out_of_memory(w);
    f.coordinate = d.turbine_coordinate;
    f.coupled.value = turbine_value, f.coupled.slopes = turbine_slopes;
    if (status == TALUS_OK) status = talus_joint_add_force(w, d.turbine, &f);
    if (status != TALUS_OK) {
        free_converter(w, c);
        return tl_world_take_back(w, before, status);
    }
    w->converter[w->converters++] = c;
    *out = (talus_converter_id){(uint32_t)w->converters};
    return TALUS_OK;
}

void tl_world_free_converters(talus_world *w)
{
    for (int i = 0; i < w->converters; i++) free_converter(w, w->converter[i]);
    tl_free(w->memory, w->converter);
}

/* ---- reading ------------------------------------------------------------------------------------------------------- */

talus_converter_id talus_converter_find(const talus_world *w, const char *name)
{
    for (int i = 0; name && i < w->converters; i++)
        if (w->converter[i]->name && strcmp(w->converter[i]->name, name) == 0) return (talus_converter_id){(uint32_t)i + 1};
    return (talus_converter_id){0};
}

talus_converter_state talus_converter_read(const talus_world *w, talus_converter_id converter)
{
    const double none = (double)NAN;
    if (!w || !w->assembled || converter.index1 == 0 || converter.index1 > (uint32_t)w->converters)
        return (talus_converter_state){none, none, none, none, none};
    const tl_converter *c = w->converter[converter.index1 - 1];
    const double p = talus_joint_velocity(w, c->def.pump, c->def.pump_coordinate), t = talus_joint_velocity(w, c->def.turbine, c->def.turbine_coordinate);
    const torques T = torques_at(&c->def, p, t);
    const double in = T.pump * p, out = T.turbine * t;
    const double efficiency = in > 0 && out > 0 ? out / in : in < 0 && out < 0 ? in / out : 0;
    return (talus_converter_state){T.pump, T.turbine, p != 0 ? t / p : 0, efficiency, in - out};
}
