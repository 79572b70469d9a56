/* Hydraulic circuits: oil in lines and cylinders, pumps, motors, valves, accumulators, in one step with what they move (theory §9.7; docs/hydraulics.md).
 *
 * Pressures are relative to the atmosphere. Flows and contents are volumes of oil at atmospheric pressure; a drop of pressure is one of head, H(p) = ∫ v dp
 * with the volume v(p) of what is 1 at p = 0, which is p but for p²/2β. Names of lines, cylinders and components are unique within a world; ports are named: a
 * line, a chamber as cylinder.cap or cylinder.rod, or "tank", whose pressure is 0 (NULL too). A name has at most 100 bytes.
 *
 * Every maker below adds its part whole or not at all. INPUT: a name that is missing or taken (a cylinder takes those of its chambers, too), a circuit, port or
 * joint that does not exist, a number outside its range; MEMORY; UNSUPPORTED: after assembly.
 * A step ends with DIVERGED, and names circuit, part and time, where an opening, a share, a flow or a pressure is not a number, where a line or chamber runs
 * empty or its pressure reaches the bulk modulus, and where a cylinder whose motion is imposed is beyond its stroke. The state
 * stays that before the step. */
#ifndef TALUS_HYDRAULICS_H
#define TALUS_HYDRAULICS_H

#include "talus/joint.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct talus_circuit_id {
    uint32_t index1;
} talus_circuit_id;

/* Its oil: v(p) = (1 − air) exp(−p/β) + air (1 + p/p_a)^(−1/n), p_a = 101 325 Pa. */
typedef struct talus_circuit_def {
    uint32_t struct_size;
    const char *name;    /* needed, unique                                                   */
    double bulk_modulus; /* β of oil without air [Pa] > 0                      default 1.4e9 */
    double air;          /* share of the volume at atmospheric pressure [1], 0 … 0.5; 0: oil can be pulled apart by nothing   default 0.005 */
    double exponent;     /* n of the air [1], 1 … 2; 1: isothermal             default 1.4   */
} talus_circuit_def;

TALUS_API talus_circuit_def talus_circuit_def_default(void);
/* UNSUPPORTED at assembly: schemes other than Moreau's and SPOOK. */
TALUS_API TALUS_NODISCARD talus_status talus_circuit_create(talus_world *world, const talus_circuit_def *def, talus_circuit_id *out);

/* A volume of one pressure; with gas behind a bladder an accumulator: p V^n of the gas, from p_a + precharge and gas_volume, keeps. */
typedef struct talus_line_def {
    uint32_t struct_size;
    const char *name;    /* needed */
    double volume;       /* of oil beside what the accumulator takes [m³] > 0 */
    double pressure;     /* at the start [Pa]                                 */
    double gas_volume;   /* [m³] ≥ 0; 0: none                                  */
    double precharge;    /* pressure of the gas without oil [Pa], above 0 and at most 1e8 where there is gas */
    double gas_exponent; /* n of the gas [1], 1 … 2                default 1.4 */
} talus_line_def;

TALUS_API talus_line_def talus_line_def_default(void);
TALUS_API TALUS_NODISCARD talus_status talus_line_create(talus_world *world, talus_circuit_id circuit, const talus_line_def *def);

/* Two chambers, on a coordinate x that grows as the rod comes out: cap  V = dead + A x', A = π/4 bore², rod side  V = dead + (A − π/4 rod²)(stroke − x'),
 * x' = x − low. It pushes with  A p_cap − (A − A_rod) p_rod. On one of: a coordinate of a mechanism's joint, one of a joint between bodies, the distance of two
 * points of bodies.
 *
 * Whether a step resolves the swing of what moves on its oil is judged by how this answers to a pressure: with all joints between bodies, and loops of
 * mechanisms, holding, and with the stiffness of finite-element solids that are tied to it; contacts and stops do not count. */
typedef struct talus_cylinder_def {
    uint32_t struct_size;
    const char *name; /* needed; chambers are name.cap and name.rod */
    talus_joint_id joint;
    talus_body_joint_id body_joint;
    int coordinate;
    talus_body_id body_a, body_b;  /* if there is neither joint; {0}: the ground         */
    double point_a[3], point_b[3]; /* in the bodies' axes [m]                              */
    double bore, rod;              /* diameters [m]; rod < bore                            */
    double low, high;              /* the coordinate at both ends of the stroke, which are stops [m] */
    double restitution;            /* of the stops [1], 0 … 1                               */
    double dead_volume;            /* of each chamber at its end [m³] > 0                   */
    double pressure[2];            /* at the start, cap and rod side [Pa]                   */
    double friction;               /* dry [N]                                               */
    double leakage;                /* from chamber to chamber [m³/(s Pa)]                   */
    bool single;                   /* the rod side is at the tank: there is no such chamber, and its pressure is 0 */
} talus_cylinder_def;

TALUS_API talus_cylinder_def talus_cylinder_def_default(void);
TALUS_API TALUS_NODISCARD talus_status talus_cylinder_create(talus_world *world, talus_circuit_id circuit, const talus_cylinder_def *def);

/* A pump or motor on a shaft: the flow share × displacement × rate goes from one line to another, and the shaft has the moment share × displacement × the
 * drop of head. Lines only, no chambers: a pipe leads to these. */
typedef struct talus_machine_def {
    uint32_t struct_size;
    const char *name, *from, *to; /* needed */
    talus_joint_id joint;
    talus_body_joint_id body_joint;
    int coordinate;
    double displacement; /* [m³/rad] > 0; of a coordinate in m [m²]                     */
    talus_motion share;  /* [1] from −1 to 1, beyond which it stays at its end; none: 1 */
    double leakage;      /* from one side to the other [m³/(s Pa)]                      */
} talus_machine_def;

TALUS_API talus_machine_def talus_machine_def_default(void);
TALUS_API TALUS_NODISCARD talus_status talus_machine_create(talus_world *world, talus_circuit_id circuit, const talus_machine_def *def);

typedef enum talus_valve_kind {
    TALUS_VALVE_ORIFICE,  /* Q = flow × opening × Δ/√(drop √(Δ² + laminar²)): a root, and linear near 0 */
    TALUS_VALVE_LAMINAR,  /* Q = flow × opening × Δ/drop                                         */
    TALUS_VALVE_CHECK,    /* Q = flow × (Δ − opens)/drop where that is positive, else 0: check and relief valves */
    TALUS_VALVE_FOUR_WAY, /* four orifices: p → a and b → t where the opening is positive, p → b and a → t where it is negative */
    TALUS_VALVE_PUMP,     /* Q = the opening, in m³/s, whatever Δ is                              */
    TALUS_VALVE_KINDS
} talus_valve_kind;

typedef struct talus_valve_def {
    uint32_t struct_size;
    const char *name; /* needed                                                     */
    talus_valve_kind kind;
    const char *port[4]; /* from, to; of four-way valves p, t, a, b                    */
    double flow, drop;   /* at the opening 1 the flow at this drop [m³/s], [Pa]; of four-way valves of each edge */
    double opens;        /* drop from which a check valve is open [Pa]                 */
    double laminar;      /* below this drop [Pa]; 0: a hundredth of `drop`             */
    double leakage;      /* of every edge besides, both ways [m³/(s Pa)]               */
    talus_motion opening; /* [1] from 0 to 1, of four-way valves from −1 to 1, beyond which it stays at its end; of pumps [m³/s]; none: 1, of pumps an error */
} talus_valve_def;

TALUS_API talus_valve_def talus_valve_def_default(void);
TALUS_API TALUS_NODISCARD talus_status talus_valve_create(talus_world *world, talus_circuit_id circuit, const talus_valve_def *def);

/* Of the committed state; NaN: there is no line or chamber of this name. Pressure [Pa], of "tank", and of the rod side
 * of a single-acting cylinder, 0; oil in it as its volume at atmospheric pressure [m³], of
 * the tank NaN. */
TALUS_API double talus_pressure(const talus_world *world, const char *port);
TALUS_API double talus_oil(const talus_world *world, const char *port);

/* Of a valve, pump, or the leakage of a cylinder or machine, in the last step: flow from its first port [m³/s], power that is lost in it [W], of pumps less
 * than 0: what they give, and the sum of that over time [J]. False: there is none. */
typedef struct talus_component_state {
    double flow, power, work;
} talus_component_state;
TALUS_API bool talus_component_read(const talus_world *world, const char *name, talus_component_state *out);

/* Of a cylinder or machine. */
typedef struct talus_actuator_state {
    double position;   /* of the coordinate [m], of one that turns [rad]                                        */
    double rate;       /* [m/s], [rad/s]                                                                        */
    double force;      /* by the pressures, along the coordinate [N]; on one that turns the moment [N m]        */
    double resistance; /* of cylinders by friction and stops [N]                                                */
    double flow;       /* of machines by the rate [m³/s]                                                        */
} talus_actuator_state;
TALUS_API bool talus_actuator_read(const talus_world *world, const char *name, talus_actuator_state *out);

/* Energy in oil and gas of all circuits [J], which talus_world_energy() has in its potential energy, too; what the method has damped since the start: the
 * balance is  energy + work of all components + friction + damped = what was there and came from outside. */
TALUS_API double talus_oil_energy(const talus_world *world);
TALUS_API double talus_oil_damped(const talus_world *world);

#ifdef __cplusplus
}
#endif
#endif
