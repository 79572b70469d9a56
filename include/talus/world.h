/* The world: settings, the step, energies, state. */
#ifndef TALUS_WORLD_H
#define TALUS_WORLD_H

#include "talus/solver.h"
#include "talus/types.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TALUS_VERSION "0.1.0"

/* X(id, name, dimension, settings, meaning): its name in scenes; 2 or 3 where it is for the plane or for space only,
 * else 0; which settings of `integrator` it looks at. The first one is the default. With penalty_rk4 the impulse of a
 * contact is h times its force at the end of the step. */
#define TALUS_SCHEME_LIST(X)                                                                                                                                   \
    X(MOREAU, "moreau", 0, "theta forces", "Moreau–Jean time stepping with nonsmooth laws")                                                                    \
    X(PENALTY_RK4, "penalty_rk4", 2, "", "explicit Runge–Kutta of order 4 with penalty contacts, to compare, for grains and ropes")                            \
    X(GENERALIZED_ALPHA, "generalized_alpha", 0, "spectral_radius",                                                                                            \
      "nonsmooth generalized-α, of order 2 between impacts, contacts and joints held at positions and velocities; not for laws with a state")                  \
    X(SPOOK, "spook", 0, "compliance relaxation forces",                                                                                                       \
      "semi-implicit Euler with constraints that give and are damped, for long steps (Lacoursière 2007); impacts first, in a stage of their own")

typedef enum talus_scheme {
#define TALUS_SCHEME_ENUM(id, name, dimension, settings, meaning) TALUS_SCHEME_##id,
    TALUS_SCHEME_LIST(TALUS_SCHEME_ENUM)
#undef TALUS_SCHEME_ENUM
} talus_scheme;

/* Names of the schemes, in the order of the list; NULL after the last one. */
TALUS_API const char *talus_scheme_name(int index);

typedef enum talus_forces {
    TALUS_FORCES_MIDPOINT, /* f(q_m, v at mid-step), by fixed-point passes                         default */
    TALUS_FORCES_EXPLICIT  /* f(q_m, v_n), as D20 eq. 28                                                   */
} talus_forces;

typedef struct talus_allocator {
    void *(*reallocate)(void *user, void *pointer, size_t size); /* size 0 frees; NULL on failure */
    void *user;
} talus_allocator;

typedef struct talus_world_def {
    uint32_t struct_size;
    int dimension;          /* 2 or 3                                                               default 2      */
    double gravity[3];      /* [m/s²]                                                               default 0      */
    double step;            /* h > 0 [s]                                                            default 1e-3   */
    double theta;           /* ½ … 1 (theory §4.1)                                                  default ½      */
    double spectral_radius; /* 0 … 1, of generalized_alpha at infinite frequency (theory §4.5)           default 0.8    */
    double compliance;      /* of spook: ε ≥ 0 of joints, stops and ropes over pulleys [m/N] (theory §4.4)  default 0      */
    double relaxation;      /* of spook: τ ≥ 0 in which constraints take back what they are off [s]; NaN: two steps
                                                                                                   default NaN    */
    talus_scheme scheme;    /*                                                                      default MOREAU */
    talus_forces forces;    /*                                                                      default MIDPOINT */
    int threads;            /* ≥ 1: so many at most, fewer while more do not pay; results do not depend on it
                                                                                                   default 1      */
    union {
        talus_solver_settings solver; /* of contacts (talus/solver.h)                                                 */
        char solver_room[128];        /* room for settings to come                                                    */
    };
    double alert_distance;     /* pairs nearer than this are candidates [m]; 0: from sizes and speeds  default 0      */
    double penetration_slop;   /* drift correction removes penetration beyond this, of ropes beyond 1/1000 of it [m]   */
    bool correct_drift;        /* positional projection after the velocity solve; adds no kinetic energy  default true */
    talus_allocator allocator; /* NULL function: the C heap                                                           */
    double periodic[3][2];     /* along x, y, z: where the cell begins and ends [m]; both 0: not periodic. Everything is again in every
                                  cell; positions are not wrapped into one (architecture)              default 0      */
} talus_world_def;

TALUS_API talus_world_def talus_world_def_default(void);
/* INPUT: a setting outside its range (the text is in `message`, may be NULL). MEMORY. */
TALUS_API TALUS_NODISCARD talus_status talus_world_create(const talus_world_def *def, talus_world **out, char *message, size_t message_size);
TALUS_API void talus_world_destroy(talus_world *world);
/* Text of the last failure of a call on this world; "" when none. Valid until the next failure. */
TALUS_API const char *talus_world_error(const talus_world *world);
/* Text of the warnings since the last call, one per line, each said once in a world's life; "" when none (a dropped redundant loop equation, …).
 * Valid until the next warning. */
TALUS_API const char *talus_world_warnings(talus_world *world);
/* All of them, from the first on. */
TALUS_API const char *talus_world_all_warnings(const talus_world *world);
/* Adds lines to them, those that are not there yet. */
TALUS_API void talus_world_warn(talus_world *world, const char *text);

/* Ends the definition: masses, loops closed by Newton–Raphson, independent coordinates chosen, consistent velocities.
 * The first step does it by itself. ASSEMBLY or SINGULAR name the loop or the body. */
TALUS_API TALUS_NODISCARD talus_status talus_world_assemble(talus_world *world);

/* What one step did. */
typedef struct talus_step_report {
    int contacts;         /* in the problem                                                       */
    int touching;         /* of them with a normal impulse > 0                                    */
    int iterations;       /* sweeps, and steps of Newton's method over bodies (theory §5.8)       */
    double residual;      /* natural-map error, largest over contacts [m/s] (theory §5)           */
    double residual_mean; /* sum over contacts, divided by the number of those that touch [m/s]       */
    double tolerance;     /* that the residual was compared with [m/s]                            */
    bool converged;
    double penetration;  /* largest −g(q_m) [m]                                                  */
    double drift_energy; /* that grains gained against gravity when penetration was taken back, theory §6.4 [J] */
    double loop_error;   /* largest loop equation at the end of the step [m, rad]                */
    double impulse_mean; /* normal, of contacts that press, as velocities (theory §5.1) [m/s]    */
} talus_step_report;

/* From t to t + h. On failure the state is that of t, intact. `report` may be NULL.
 * DIVERGED (names the body), ASSEMBLY (a loop opened), SINGULAR, MEMORY. */
TALUS_API TALUS_NODISCARD talus_status talus_world_step(talus_world *world, talus_step_report *report);

/* From the next step on. Not part of the state: after a restore it is to be set again. INPUT: not a number. */
TALUS_API TALUS_NODISCARD talus_status talus_world_set_gravity(talus_world *world, const double gravity[3]);
/* Between two steps: loads, laws or drives are others from now on, so that forces jump. A scheme that remembers accelerations finds them anew; without this
 * half a step's worth of the jump stays in the momentum (theory §4.5). */
TALUS_API void talus_world_forces_jump(talus_world *world);
/* Is a direction (0 … 2: x, y, z) periodic, and where does its cell begin and end [m]? */
TALUS_API bool talus_world_periodic(const talus_world *world, int direction, double *low, double *high);
/* Shears the periodic cell (Lees & Edwards 1972; theory §6.5): copies that lie one cell of length L further `across` lie γ(t) L further `along`, and move
 * so with γ' L; both directions are periodic. Nothing else changes: a body keeps its own position and velocity wherever it goes, and where it is given in
 * another cell across, its velocity is that of its copy there. Before the world is assembled. INPUT: a direction that is not periodic, both the same,
 * γ without a value. UNSUPPORTED: a scheme other than MOREAU. */
TALUS_API TALUS_NODISCARD talus_status talus_world_set_shear(talus_world *world, int along, int across, const talus_motion *strain);
/* Is the cell sheared; along and across which directions; now: the offset γ L of the next copy across [m], and its velocity [m/s]. */
TALUS_API bool talus_world_shear(const talus_world *world, int *along, int *across, double *offset, double *velocity);
TALUS_API int talus_world_dimension(const talus_world *world);
TALUS_API double talus_world_time(const talus_world *world);
TALUS_API double talus_world_step_size(const talus_world *world);
TALUS_API uint64_t talus_world_steps(const talus_world *world);
/* How long ago bodies were where the contacts of the last step have met them [s]: contacts lie at positions of the middle of a step, poses are those of its
 * end. */
TALUS_API double talus_world_contact_age(const talus_world *world);
#define TALUS_STEPS 1e12 /* the most that a run may have: three years at 10 000 steps a second */
TALUS_API int talus_world_threads(const talus_world *world);
TALUS_API void talus_world_energy(const talus_world *world, double *kinetic, double *potential);
/* Hash of positions, velocities and clock: equal for equal states, whatever the number of threads, compiler or build. */
TALUS_API uint64_t talus_world_hash(const talus_world *world);
/* Bytes held for bodies, contacts and the step. */
TALUS_API size_t talus_world_bytes(const talus_world *world);

/* The stages of a step of the world's scheme, for timing: at most 16; their names, which live for ever, are in
 * docs/architecture.md; seconds since creation, and how often they were begun, of which more than once within a step
 * where something is repeated. */
TALUS_API int talus_stage_count(const talus_world *world);
TALUS_API const char *talus_stage_name(const talus_world *world, int stage);
TALUS_API double talus_stage_seconds(const talus_world *world, int stage);
TALUS_API uint64_t talus_stage_calls(const talus_world *world, int stage);

/* ---- contacts of the last step ---- */

typedef struct talus_contact {
    talus_body_id candidate, antagonist;
    double point[3];             /* [m]                                                               */
    double normal[3];            /* unit, from antagonist to candidate                                */
    double gap;                  /* at q_m [m]                                                        */
    double impulse[3];           /* along n, t, s [N s]; cohesion pulls: n < 0; in the plane t is n turned by +90°, in space t = e × n / ‖e × n‖ with e
                                    the first of the axes x and y whose component in n is below 0.57, else z, and s = n × t */
    double velocity[3];          /* V⁺ along n, t, s [m/s]                                            */
    int image[3];                /* with periodic directions: it is a copy of the candidate that is met, so many cells along x, y, z
                                    from the candidate itself; the point lies at that copy and at the antagonist itself */
    const struct talus_law *law; /* talus/material.h; NULL: its law has no state                  */
    const double *state;         /* [law->fields] of its pair of shapes; until the next step      */
    const double *moment;        /* [3] of a law that resists rolling or spinning: impulse of the moment on the candidate about n, t, s [N m s], in the plane
                                    about s = n × t alone, which is z; until the next step. NULL: another law */
    const double *work;          /* [3] of its impulse along n, along t and s, and of its moment on both bodies in the last step [J]: what motion loses is
                                    negative; until the next step. NULL: talus_world_weigh_contacts() was not called before it */
} talus_contact;

TALUS_API int talus_contact_count(const talus_world *world);
TALUS_API void talus_contact_get(const talus_world *world, int index, talus_contact *out); /* in order of the contact keys */

/* From the next step on contacts know their work, by the mean of the velocities before and after the step: kinetic energy changes by that and by what forces
 * do, exactly. UNSUPPORTED under schemes other than moreau. */
TALUS_API TALUS_NODISCARD talus_status talus_world_weigh_contacts(talus_world *world);

/* ---- a start in equilibrium ---- */

typedef struct talus_equilibrium_def {
    uint32_t struct_size;
    double tolerance; /* acceleration that may be left [m/s²]; 0: 1e-4 of gravity, without gravity 1e-3 m/s²           default 0   */
    int max_passes;   /* ≥ 1                                                                                           default 500 */
    void (*look)(void *user, const talus_world *world); /* before each pass, with the world as it stands: a program that has functions of forces which read
                                                           the world gives them here what they are to read; NULL: nothing     default NULL */
    void *user;
} talus_equilibrium_def;

typedef struct talus_equilibrium_report {
    int passes;          /* problems of contacts that were solved                                                            */
    double tolerance;    /* [m/s²]                                                                                           */
    double acceleration; /* largest of a point of a body in the first step of the run [m/s²]; of a shaft: rad/s²            */
    double unsolved;     /* the contact solver's error in that step, over the step [m/s²]                                    */
    talus_body_id worst; /* of bodies above the tolerance, if there are, that with the largest force that nothing balances; {0}: none */
    double force;        /* that force [N]; of a shaft: moment [N m]                                                         */
    double moved;        /* farthest that the search has moved the origin of a body's frame [m]                              */
} talus_equilibrium_report;

TALUS_API talus_equilibrium_def talus_equilibrium_def_default(void);

/* Moves everything to where it stands at rest: springs carry, shut chambers have the pressure of their load, contacts have the forces of friction that hold,
 * drives stay where they are. A solve, not a motion: the time stays 0 (theory §4.7). Before the first step; assembles the world. The report may be NULL.
 * INPUT: something that is there has a velocity at the start. UNSUPPORTED: the world has been stepped; its scheme is not moreau. DIVERGED: there is no
 * equilibrium near, and the message names the body, or the valve, that is not at rest; the world is then of no use: steps are UNSUPPORTED, and the report says
 * how far it came. MEMORY, and as talus_world_step. */
TALUS_API TALUS_NODISCARD talus_status talus_world_find_equilibrium(talus_world *world, const talus_equilibrium_def *def, talus_equilibrium_report *report);
/* What the search has found; false: there was none. */
TALUS_API bool talus_world_equilibrium(const talus_world *world, talus_equilibrium_report *report);

/* ---- what overlaps ---- */

typedef struct talus_overlap {
    talus_body_id a, b;
    double point[3]; /* between the surfaces [m]                                                                                    */
    double depth;    /* [m]                                                                                                         */
    double share;    /* depth over half the least width of the thinner of the two: beyond 1 the middle of that one is in the other  */
} talus_overlap;

/* Pairs of bodies whose shapes lie deeper in one another than four times the penetration slop, which is what a step takes back at once. Pairs that
 * can never meet do not count, nor does what lies behind a mesh without touching it. `ahead` 0: as the world stands; else [s]: as it will stand then, if all
 * goes on as it moves now: pairs that will have passed through each other by then are deep too. The `capacity` worst by share go to `list`; `count` is the
 * number of all. Forgets the contact problem of the last step, and nothing else. As talus_world_step. */
TALUS_API TALUS_NODISCARD talus_status talus_world_overlaps(talus_world *world, double ahead, talus_overlap *list, int capacity, int *count);

/* ---- the state as named arrays: what a checkpoint holds ---- */

typedef enum talus_field_type { TALUS_FIELD_DOUBLE, TALUS_FIELD_INT32, TALUS_FIELD_UINT64 } talus_field_type;

typedef struct talus_field {
    const char *name;    /* path-like, unique: "grains/position", "four_bar/q", "contacts/key"   */
    const char *unit;    /* "m", "1"                                                             */
    const char *meaning; /* one line                                                             */
    talus_field_type type;
    size_t rows, columns;
    const void *data;
} talus_field;

/* Number of fields, and the i-th one (valid until the next step). */
TALUS_API int talus_state_count(const talus_world *world);
TALUS_API void talus_state_field(const talus_world *world, int index, talus_field *out);
/* Adds an array of the user's own to the state, zero at first: checkpoints hold it, a restore writes it, the hash knows it. `shape` says name, unit,
 * meaning, type, rows and columns; its data is not used. INPUT: a name used twice, one of the world's own fields (clock/…, contacts/…, pairs/…, moments/…,
 * joints/…; names of matter, which before assembly are looked at by it), an unknown type, more numbers than memory can have; MEMORY. */
TALUS_API TALUS_NODISCARD talus_status talus_state_add(talus_world *world, const talus_field *shape);
/* The array that was added under this name, which stays where it is; NULL: there is none. */
TALUS_API void *talus_state_data(const talus_world *world, const char *name);
/* Puts back a state taken from a world that was built by the same definitions. INPUT: a missing field or another shape, a field without data, a NaN or an
 * unknown kind of body in one of the world's (the state is untouched). */
TALUS_API TALUS_NODISCARD talus_status talus_state_restore(talus_world *world, const talus_field *fields, int count);

#ifdef __cplusplus
}
#endif
#endif
