/* Combustion engines: a torque over speed, what governs it, what it burns (talus/driveline.h). */
#include "talus/driveline.h"

#include <math.h>
#include <string.h>

#include "world/world.h"

static const double REST = 1e-6; /* [rad/s] what turns slower stands still */

typedef struct tl_engine {
    char *name;
    talus_engine_def def;
    double rest_drag; /* D(0), dry friction */
    int friction;     /* number of the coordinate in which it acts; −1: there is none */
    const talus_world *world;
    talus_mechanism_id mechanism;
    int total; /* number of the state that counts fuel */
} tl_engine;

talus_engine_def talus_engine_def_default(void)
{
    return (talus_engine_def){.struct_size = sizeof(talus_engine_def), .high = (double)INFINITY, .droop = 0.05, .stall = (double)NAN, .heating_value = 42.7e6};
}

/* ---- the law ------------------------------------------------------------------------------------------------------- */

/* What is negative is 0. */
static double at(const talus_characteristic *c, double x, double *slope)
{
    *slope = 0;
    const double value = c->value ? c->value(c->user, x, slope) : 0;
    if (!(value < 0)) return value;
    *slope = 0;
    return 0;
}

/* What is no number stays none, and the torque with it. */
static double throttle_at(const tl_engine *e, double t) { return e->def.throttle.value ? tl_within(0, tl_motion_value(&e->def.throttle, t), 1) : 0; }

/* r(set) and its slope in ω. */
static double droop(const tl_engine *e, double set, double speed, double *slope)
{
    const double width = e->def.droop * set, r = isinf(set) ? 1 : (set - speed) / width;
    *slope = r > 0 && r < 1 ? -1 / width : 0;
    return fmax(0, fmin(1, r));
}

static double rack_at(const tl_engine *e, double t, double speed, double *slope)
{
    const talus_engine_def *d = &e->def;
    const double throttle = throttle_at(e, t);
    double low_slope, high_slope;
    *slope = 0;
    if (speed < d->stall) return 0;
    if (d->governor == TALUS_GOVERNOR_NONE || isnan(throttle)) return throttle;
    if (d->governor == TALUS_GOVERNOR_ALL_SPEED) return droop(e, d->idle + throttle * (d->high - d->idle), speed, slope);
    const double low = droop(e, d->idle, speed, &low_slope), high = droop(e, d->high, speed, &high_slope);
    if (high < fmax(throttle, low)) {
        *slope = high_slope;
        return high;
    }
    if (low > throttle) *slope = low_slope;
    return fmax(throttle, low);
}

/* But for the drag at rest, which is friction of the coordinate. */
static double torque_at(const tl_engine *e, double t, double speed, double *slope)
{
    double rack_slope, T_slope, D_slope;
    const double rack = rack_at(e, t, speed, &rack_slope), T = at(&e->def.torque, speed, &T_slope), D = at(&e->def.drag, fabs(speed), &D_slope);
    *slope = rack_slope * (T + D) + rack * (T_slope + copysign(D_slope, speed)) - D_slope;
    return rack * (T + D) - copysign(D - e->rest_drag, speed);
}

static double law_value(void *user, double t, double q, double v)
{
    double slope;
    (void)q;
    return torque_at(user, t, v, &slope);
}

static double law_slope(void *user, double t, double q, double v)
{
    double slope;
    (void)q;
    (void)torque_at(user, t, v, &slope);
    return slope;
}

static double fuel_at(const tl_engine *e, double t, double speed)
{
    double slope;
    return speed > 0 ? rack_at(e, t, speed, &slope) * at(&e->def.consumption, speed, &slope) * at(&e->def.torque, speed, &slope) * speed : 0;
}

static double fuel_rate(void *user, double t, const double *q, const double *v, const double *state)
{
    (void)q, (void)state;
    return fuel_at(user, t, v[0]);
}

/* ---- definition ---------------------------------------------------------------------------------------------------- */

static talus_status check_engine(talus_world *w, const talus_engine_def *d)
{
    const bool governed = d->governor != TALUS_GOVERNOR_NONE;
    if (!d->name || !*d->name) return tl_fail(&w->error, TALUS_INPUT, "an engine has no name");
    if (talus_engine_find(w, d->name).index1) return tl_fail(&w->error, TALUS_INPUT, "there are two engines '%s'", d->name);
    if (d->joint.index1 == 0 || d->joint.index1 > (uint32_t)w->joints)
        return tl_fail(&w->error, TALUS_INPUT, "engine '%s' names a joint that does not exist", d->name);
    if (!d->torque.value) return tl_fail(&w->error, TALUS_INPUT, "engine '%s' has no torque at full load", d->name);
    if ((unsigned)d->governor > TALUS_GOVERNOR_LIMITS)
        return tl_fail(&w->error, TALUS_INPUT, "engine '%s': there is no governor %d", d->name, (int)d->governor);
    if (governed && !(d->idle > 0 && d->idle < d->high))
        return tl_fail(&w->error, TALUS_INPUT, "engine '%s': its governor holds from idle %g to high %g rad/s; give 0 < idle < high", d->name, d->idle,
                       d->high);
    if (d->governor == TALUS_GOVERNOR_ALL_SPEED && isinf(d->high))
        return tl_fail(&w->error, TALUS_INPUT, "engine '%s': its governor has no highest speed", d->name);
    if (governed && !(d->droop > 0 && d->droop <= 1))
        return tl_fail(&w->error, TALUS_INPUT, "engine '%s': the droop of its governor is %g; it is above 0, up to 1", d->name, d->droop);
    if (d->stall < 0 || isinf(d->stall) || (governed && d->stall >= d->idle))
        return tl_fail(&w->error, TALUS_INPUT, "engine '%s' stalls at %g rad/s; that is not negative, and below idle", d->name, d->stall);
    if (!(d->heating_value > 0) || isinf(d->heating_value))
        return tl_fail(&w->error, TALUS_INPUT, "engine '%s': the heating value of its fuel is %g J/kg; it must be positive", d->name, d->heating_value);
    return TALUS_OK;
}

static talus_status add_fuel(talus_world *w, tl_engine *e)
{
    const talus_coordinate read = {e->def.joint, e->def.coordinate};
    talus_state_def s = talus_state_def_default();
    char name[160];
    snprintf(name, sizeof name, "%.120s.fuel", e->name);
    s.name = name, s.unit = "kg";
    s.rate = (talus_coupled_law){.value = fuel_rate, .user = e, .reads = &read, .count = 1};
    return talus_mechanism_add_state(w, e->mechanism, &s, &e->total);
}

static talus_status add_torque(talus_world *w, tl_engine *e)
{
    talus_joint_force_def f = talus_joint_force_def_default();
    f.coordinate = e->def.coordinate;
    f.law = (talus_force_law){.value = law_value, .user = e, .slope = law_slope};
    TL_TRY(talus_joint_add_force(w, e->def.joint, &f));
    if (!(e->rest_drag > 0)) return TALUS_OK;
    talus_freedom_def friction = talus_freedom_def_default();
    friction.friction = e->rest_drag;
    TL_TRY(talus_joint_add_freedom(w, e->def.joint, e->def.coordinate, &friction));
    e->friction = w->system->joints.coordinates - 1;
    return TALUS_OK;
}

static void free_engine(talus_world *w, tl_engine *e)
{
    tl_free(w->memory, e->name);
    tl_free(w->memory, e);
}

talus_status talus_engine_create(talus_world *w, const talus_engine_def *def, talus_engine_id *out)
{
    talus_engine_def d = talus_engine_def_default();
    double slope;
    TL_TRY(tl_world_open(w, &d, sizeof d, def, out, "engine"));
    TL_TRY(check_engine(w, &d));
    if (isnan(d.stall)) d.stall = d.governor == TALUS_GOVERNOR_NONE ? 0 : 0.5 * d.idle;
    if (tl_grow(w->memory, &w->engine, &w->engine_capacity, w->engines + 1, sizeof *w->engine) != TALUS_OK) return tl_world_out_of_memory(w);
    tl_engine *e = tl_alloc(w->memory, 1, sizeof *e);
    if (!e) return tl_world_out_of_memory(w);
    *e = (tl_engine){
        .name = tl_strdup(w->memory, d.name), .def = d, .friction = -1, .world = w, .mechanism = {(uint32_t)w->joint[d.joint.index1 - 1].mechanism + 1}};
    e->def.name = e->name;
    e->rest_drag = at(&d.drag, 0, &slope);
    const tl_parts before = tl_world_parts(w, w->joint[d.joint.index1 - 1].mechanism);
    talus_status status = e->name ? TALUS_OK : tl_world_out_of_memory(w);
    if (status == TALUS_OK && d.consumption.value) status = add_fuel(w, e);
    if (status == TALUS_OK) status = add_torque(w, e);
    if (status != TALUS_OK) {
        free_engine(w, e);
        return tl_world_take_back(w, before, status);
    }
    w->engine[w->engines++] = e;
    *out = (talus_engine_id){(uint32_t)w->engines};
    return TALUS_OK;
}

void tl_world_free_engines(talus_world *w)
{
    for (int i = 0; i < w->engines; i++) free_engine(w, w->engine[i]);
    tl_free(w->memory, w->engine);
}

/* ---- reading ------------------------------------------------------------------------------------------------------- */

const char *tl_world_throttle_beyond(const talus_world *w, double t, double *value)
{
    static const double ROUNDING = 1e-9;
    for (int i = 0; i < w->engines; i++) {
        *value = w->engine[i]->def.throttle.value ? tl_motion_value(&w->engine[i]->def.throttle, t) : 0;
        if (*value < -ROUNDING || *value > 1 + ROUNDING) return w->engine[i]->name;
    }
    return NULL;
}

talus_engine_id talus_engine_find(const talus_world *w, const char *name)
{
    for (int i = 0; name && i < w->engines; i++)
        if (w->engine[i]->name && strcmp(w->engine[i]->name, name) == 0) return (talus_engine_id){(uint32_t)i + 1};
    return (talus_engine_id){0};
}

bool talus_engine_counts_fuel(const talus_world *w, talus_engine_id engine)
{
    return w && engine.index1 > 0 && engine.index1 <= (uint32_t)w->engines && w->engine[engine.index1 - 1]->def.consumption.value;
}

/* Where it sticks it is what it was in the last step. */
static double friction_at(const tl_engine *e, double speed)
{
    if (e->friction < 0) return 0;
    const tl_joints *all = &e->world->system->joints;
    if (fabs(speed) > REST) return copysign(e->rest_drag, -speed);
    return all->coordinate_memory[e->friction].friction / talus_world_step_size(e->world);
}

talus_engine_state talus_engine_read(const talus_world *w, talus_engine_id engine)
{
    const double none = (double)NAN;
    if (!w || !w->assembled || engine.index1 == 0 || engine.index1 > (uint32_t)w->engines)
        return (talus_engine_state){none, none, none, none, none, none, none, none};
    const tl_engine *e = w->engine[engine.index1 - 1];
    const double t = talus_world_time(w), speed = talus_joint_velocity(w, e->def.joint, e->def.coordinate);
    double slope;
    talus_engine_state s = {.speed = speed, .rack = rack_at(e, t, speed, &slope), .throttle = throttle_at(e, t), .fuel = none, .heat = none, .total = none};
    s.torque = torque_at(e, t, speed, &slope) + friction_at(e, speed);
    s.power = s.torque * speed;
    if (!e->def.consumption.value) return s;
    s.fuel = fuel_at(e, t, speed);
    s.heat = s.fuel * e->def.heating_value;
    s.total = talus_mechanism_state(w, e->mechanism, e->total);
    return s;
}
