/* Drivelines: shafts, engines and hydrodynamic converters of mechanisms. Gears are loops (talus/mechanism.h); clutches, brakes, elastic shafts and belts are
 * couplings, motors drives of bounded force (talus/joint.h). Speeds are rates of joints' angles [rad/s], moments act on what the joint carries and back on its
 * parent. The page is docs/driveline.md. */
#ifndef TALUS_DRIVELINE_H
#define TALUS_DRIVELINE_H

#include "talus/joint.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct talus_engine_id {
    uint32_t index1;
} talus_engine_id;
typedef struct talus_converter_id {
    uint32_t index1;
} talus_converter_id;

/* A body without mass that turns about an axis of another one: a link of inertia J about the axis and J/2 across, as of a thin disc, and a revolute joint. */
typedef struct talus_shaft_def {
    uint32_t struct_size;
    const char *name;    /* needed: of the link and of the joint                                         */
    talus_body_id on;    /* a link of the mechanism; {0}: the ground                                     */
    double point[3];     /* of the axis, in the axes of `on` [m]                                         */
    double axis[3];      /* in the axes of `on`, of any length but 0 [1]; in the plane z   default 0 0 1 */
    double inertia;      /* J ≥ 0 [kg m²]                                                                */
    double angle, speed; /* at t = 0 [rad, rad/s]; speed NaN: the least that closes the loops  default NaN */
} talus_shaft_def;

TALUS_API talus_shaft_def talus_shaft_def_default(void);
/* INPUT: no name, or one that a body or joint has; a negative inertia; no axis; in the plane one that leaves it. */
TALUS_API TALUS_NODISCARD talus_status talus_shaft_create(talus_world *world, talus_mechanism_id mechanism, const talus_shaft_def *def, talus_joint_id *out);

typedef enum talus_governor {
    TALUS_GOVERNOR_NONE,      /* rack = throttle [1]                                                              */
    TALUS_GOVERNOR_ALL_SPEED, /* rack = r(idle + throttle (high − idle))                                       */
    TALUS_GOVERNOR_LIMITS     /* rack = min(max(throttle, r(idle)), r(high)); an infinite `high` does not bound it */
} talus_governor;

/* A combustion engine at a coordinate of a joint that turns with ω:
 *     torque = rack (T(ω) + D(|ω|)) − D(|ω|) sign ω,      T = D = 0 in the first term below `stall`,
 * with r(s) = clamp((s − ω)/(droop s), 0, 1), rack and throttle from 0 to 1 [1], T and D in N m, ω and s in rad/s. Of the drag, D(0) is dry friction, which
 * sticks. The torque is implicit in ω (talus_joint_force_def): a step that is long against the time in which the full torque passes the droop, J droop s/T, has
 * the governor swing from one end of the rack to the other. Fuel, of a full-load consumption b(ω) [kg/J]: mass per time [kg/s] = rack b(ω) T(ω) ω. */
typedef struct talus_engine_def {
    uint32_t struct_size;
    const char *name; /* needed */
    talus_joint_id joint;
    int coordinate;
    talus_characteristic torque; /* T(ω) [N m over rad/s] at full load; needed; what is negative is 0         */
    talus_characteristic drag;   /* D(|ω|) [N m over rad/s], motoring torque; what is negative is 0 default none */
    talus_motion throttle;       /* 0 … 1 [1] over time [s]                                       default none, 0 */
    talus_governor governor;
    double idle, high, droop;         /* 0 < idle < high [rad/s]; 0 < droop ≤ 1 [1]                    default droop 0.05 */
    double stall;                     /* [rad/s]; NaN: half of idle, without a governor 0              default NaN  */
    talus_characteristic consumption; /* b(ω) [kg/J over rad/s] at full load; without it fuel is not counted: its total is a state, which moreau alone has */
    double heating_value;             /* of the fuel [J/kg]                                            default 42.7e6 */
} talus_engine_def;

TALUS_API talus_engine_def talus_engine_def_default(void);
/* INPUT: no name, or one used twice; no torque; a governor whose speeds or droop are out of range; as talus_joint_add_force. UNSUPPORTED: a consumption, or
 * drag, with a scheme that has no states of laws, or no dry friction. */
TALUS_API TALUS_NODISCARD talus_status talus_engine_create(talus_world *world, const talus_engine_def *def, talus_engine_id *out);
TALUS_API talus_engine_id talus_engine_find(const talus_world *world, const char *name); /* {0}: there is none */
TALUS_API bool talus_engine_counts_fuel(const talus_world *world, talus_engine_id engine);

typedef struct talus_engine_state {
    double speed, torque, power; /* ω, what acts on the joint, their product [rad/s, N m, W]                */
    double rack, throttle;       /* [1]                                                                        */
    double fuel, heat, total;    /* per time [kg/s], that times the heating value [W], since the start [kg]; NaN: it is not counted */
} talus_engine_state;

/* At the committed state; before assembly, and of none, all is NaN. */
TALUS_API talus_engine_state talus_engine_read(const talus_world *world, talus_engine_id engine);

/* A hydrodynamic torque converter between two shafts on one body, which feels what its stator holds: with ν = ω_t/ω_p from 0 to 1
 *     pump −T_p,  turbine +T_t,      T_p = C(ν) ω_p²,  T_t = μ(ν) T_p      [N m].
 * Beyond ν = 1 the turbine drives, without the stator: T_p = T_t = −C(1/ν) ω_t². Where the two turn against each other both are braked,
 * T_p = C(0) (ω_p² + ω_t²), T_t = C(0) (μ(0) ω_p² + ω_t²) for ω_p > 0 > ω_t. The other signs are the mirror image. */
typedef struct talus_converter_def {
    uint32_t struct_size;
    const char *name; /* needed */
    talus_joint_id pump, turbine;
    int pump_coordinate, turbine_coordinate;
    talus_characteristic capacity; /* C(ν) ≥ 0, 0 at ν = 1 [N m s²/rad² over 1] */
    talus_characteristic ratio;    /* μ(ν) > 0 with μ ν ≤ 1 [1 over 1]          */
} talus_converter_def;

TALUS_API talus_converter_def talus_converter_def_default(void);
/* INPUT: no name, or one used twice; joints of two mechanisms, on different bodies, or one twice; a characteristic that is missing, or out of range at one of a
 * thousand ν from 0 to 1. */
TALUS_API TALUS_NODISCARD talus_status talus_converter_create(talus_world *world, const talus_converter_def *def, talus_converter_id *out);
TALUS_API talus_converter_id talus_converter_find(const talus_world *world, const char *name); /* {0}: there is none */

typedef struct talus_converter_state {
    double pump, turbine; /* T_p, T_t [N m]                                                                     */
    double speed_ratio;   /* ν [1]; 0 where the pump rests                                                      */
    double efficiency;    /* what comes out over what goes in [1], whichever side drives; 0: nothing comes out  */
    double heat;          /* T_p ω_p − T_t ω_t ≥ 0 [W]                                                          */
} talus_converter_state;

/* At the committed state; before assembly, and of none, all is NaN. */
TALUS_API talus_converter_state talus_converter_read(const talus_world *world, talus_converter_id converter);

#ifdef __cplusplus
}
#endif
#endif
