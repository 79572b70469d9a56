/* The world behind the public interface: tables of everything that was defined, the system that is stepped, the clock. */
#ifndef TL_WORLD_H
#define TL_WORLD_H

#include "step/schemes.h"
#include "step/system2.h"
#include "step/system3.h"
#include "talus/talus.h"

typedef struct tl_world_material {
    char *name;
    double density, thickness;
} tl_world_material;

typedef struct tl_body {
    char *name; /* NULL: none                                     */
    tl_place place;
    int first_shape;                        /* contactor, then along world.next_shape; −1     */
    int last_shape;                         /* where there is a first                          */
    bool own_mass, own_inertia, own_centre; /* stated by the user                      */
    tl_vec3 centre;                         /* of mass, in the user's axes, where it is stated */
    bool changes_kind;                      /* talus_body_set_kind may be called       */
    int machine;                            /* those of one number do not meet; 0: any */
} tl_body;

typedef struct tl_world_mechanism {
    struct tl_mechanism *mechanism; /* mechanisms.c alone looks into it               */
    int matter;                     /* its place in system.matter                     */
} tl_world_mechanism;

/* Bodies of a common name, one behind the other (names.c). */
typedef struct tl_body_group {
    char *name;
    int first, count;
} tl_body_group;

/* A deformable solid (solids.c). */
typedef struct tl_world_solid {
    int matter;           /* its place in system.matter */
    talus_body_id body;   /* that it is                 */
    uint8_t *kind;        /* [elements] numbers of the kinds, as they were given */
    bool touches;         /* talus_solid_add_contact has been called */
    bool warned_turned;   /* said: that it has turned too far        */
    bool warned_strained; /* said: that strains are not small      */
    bool warned_crept;    /* said: that what presses it has crept in */
    int warned_torn;      /* said: how many particles are torn       */
    double depth;         /* of what presses it in the first step [m] */
} tl_world_solid;

/* Joints and loops of all mechanisms, in order of creation. */
typedef struct tl_member {
    char *name;
    int mechanism, index;
} tl_member;

typedef struct tl_interaction_rule {
    int a, b; /* materials; −1: the default                     */
    tl_interaction holds;
} tl_interaction_rule;

/* An array of the state that is the user's own. */
typedef struct tl_own_field {
    char *name, *unit, *meaning;
    talus_field field; /* its texts are those above */
    void *data;
} tl_own_field;

/* A point whose acceleration is asked for, and its velocity as the step began. */
typedef struct tl_watch {
    talus_body_id body;
    double point[3], before[3];
} tl_watch;

struct talus_world {
    talus_world_def def;
    tl_memory memory;
    tl_error error;
    char *warnings;        /* lines, NULL: none              */
    size_t warnings_shown; /* bytes of them, by talus_world_warnings */
    bool assembled;
    talus_status assembly_failure; /* a world that did not assemble cannot be mended */
    uint64_t steps;
    bool stepped;                         /* the arena holds the last step      */
    talus_equilibrium_report equilibrium; /* passes 0: none was looked for */
    bool lost;                            /* a search for equilibrium has failed, and left it somewhere */
    bool kinds_changed;                   /* what follows from them is not settled */
    bool looked;                          /* a step has been since it began, or was restored: warnings.c */
    bool let_touch;                       /* an interaction has been enabled since the last step */
    bool warned_crossed, warned_apart, warned_opening, warned_chains, warned_springs, warned_gain, warned_wedge, warned_rule, warned_ropes, warned_thrown,
        warned_early, warned_throttle, warned_pressure;
    double fastest, fastest_before; /* speed of the fastest grain after this step and after the one before [m/s] */
    double fastest_free;            /* the same of this step without contacts, or as it is imposed [m/s] */
    int fastest_grain;              /* that of this step                                                   */
    tl_arena *arena;
    tl_threads *threads;
    tl_system *system; /* the base of the one of these that the world is */
    tl_system2 plane;
    tl_system3 space;
    tl_world_material *material;
    int materials, material_capacity;
    tl_interaction_rule *rule;
    int rules, rule_capacity;
    tl_interaction *law; /* [materials²], made at assembly                 */
    tl_body *body;
    int bodies, body_capacity;
    tl_body_group *group;
    int groups, group_capacity;
    uint32_t *name_slot; /* [name_room] index1 of bodies, by the hash of their names; 0: free (names.c) */
    int name_room;       /* a power of 2                                                              */
    int *next_shape;     /* [contactors]                                   */
    int next_capacity;
    tl_world_mechanism *mechanism;
    int mechanisms, mechanism_capacity;
    tl_world_solid *solid;
    int solids, solid_capacity;
    tl_member *joint, *loop;
    int joints, joint_capacity, loops, loop_capacity;
    struct tl_engine **engine; /* engines.c */
    int engines, engine_capacity;
    struct tl_converter **converter; /* converters.c */
    int converters, converter_capacity;
    talus_controller controller;
    talus_interrupt interrupt;
    tl_watch *watch;
    int watches, watch_capacity;
    uint32_t rope_ground; /* index1 of the body that ropes and joints to the ground are tied to; 0: none yet */
    char **field_name;    /* [field_names] "matter/field", made at assembly                */
    int field_names;
    char pair_unit[256], pair_meaning[2048]; /* of the state of laws */
    tl_own_field *own_field;
    int own_fields, own_field_capacity;
};

/* mechanisms.c: what a definition of several parts has made so far is taken back where a later one fails, so that it may be tried again. */
typedef struct tl_parts {
    int mechanism, bodies, links, forces, states, coordinates;
} tl_parts;
tl_parts tl_world_parts(const talus_world *, int mechanism);
talus_status tl_world_take_back(talus_world *, tl_parts before, talus_status why);
/* engines.c, converters.c */
void tl_world_free_engines(talus_world *);
/* The name of an engine whose throttle is given beyond 0 to 1 at t, and that value; NULL: there is none. */
const char *tl_world_throttle_beyond(const talus_world *, double t, double *value);
void tl_world_free_converters(talus_world *);
/* names.c: makes the last body known by its name. MEMORY. */
TALUS_NODISCARD talus_status tl_world_index_name(talus_world *);
/* Definition calls begin with this: there is a world, which is still open, a definition, which goes over the defaults in `own`, and a place for what
 * is made (`out`; the world where nothing is handed back). */
TALUS_NODISCARD talus_status tl_world_open(talus_world *, void *own, size_t size, const void *def, const void *out, const char *what);
/* "body 'lid'", or "body 17" where it has no name. */
const char *tl_world_describe(const talus_world *, int body, char text[128]);
TALUS_NODISCARD talus_status tl_world_out_of_memory(talus_world *);
void tl_world_warn(talus_world *, const char *text);
/* warnings.c: of the step that has just been. */
void tl_world_warn_of_step(talus_world *);
/* The fastest grain of the step, as it was solved. */
void tl_world_find_fastest(talus_world *);
/* Solids whose strains count as small: what is not is said. DIVERGED: an element is inside out. */
TALUS_NODISCARD talus_status tl_world_look_at_solids(talus_world *);
/* Names of the state's fields (state.c). */
TALUS_NODISCARD talus_status tl_world_name_fields(talus_world *);
/* define.c: takes over a matter, whose number is system.matters − 1 then; the world destroys it. MEMORY. */
TALUS_NODISCARD talus_status tl_world_add_matter(talus_world *, tl_matter *);
/* define.c: makes a body of an item of a matter. INPUT: there is one of that name; MEMORY. */
TALUS_NODISCARD talus_status tl_world_add_body(talus_world *, const char *name, tl_place, talus_body_id *out);
/* define.c: room for more contactors; then one of them, whose tl_shape2 or tl_shape3 the world frees: the last shape of its body, but for nodes, which no
 * body shows. UNSUPPORTED: there are too many; MEMORY. */
TALUS_NODISCARD talus_status tl_world_make_room(talus_world *, int contactors);
void tl_world_add_contactor(talus_world *, const tl_owner *, const void *shape);
/* read.c: the user's axes of a place in those of its frame; after assembly. */
tl_frame tl_world_user_axes(const talus_world *, tl_place);
/* mechanisms.c: rate and position of a coordinate in which stops, friction or a drive act; largest error of a loop equation [m, rad]; name of the joint of a
 * matter that moved fastest, "": it has none. */
/* A coordinate of a joint as the step knows it; `text` is whose it is. INPUT: there is none, a factor of 0. UNSUPPORTED: a rotation of a ball. */
TALUS_NODISCARD talus_status tl_world_term(talus_world *, const talus_term *, const char *text, tl_coordinate_term *out);
TALUS_NODISCARD talus_status tl_world_settle_coordinate(talus_world *, tl_coordinate *);
/* At assembly: a term gets its rate and position, and what it is; its rate in the committed state. */
typedef struct tl_term_is {
    bool driven, angle;
    const char *joint; /* name */
} tl_term_is;
TALUS_NODISCARD talus_status tl_world_place_term(talus_world *, tl_coordinate_term *, tl_term_is *);
double tl_world_term_rate(const talus_world *, const tl_coordinate_term *);
/* hydraulics.c. */
TALUS_NODISCARD talus_status tl_world_settle_hydraulics(talus_world *);
double tl_world_loop_error(const talus_world *);
const char *tl_world_fastest_joint(const talus_world *, int matter);
/* ropes.c: points to the bodies' frames, lengths from where they are. */
TALUS_NODISCARD talus_status tl_world_settle_ropes(talus_world *);
TALUS_NODISCARD talus_status tl_world_settle_tackles(talus_world *);
void tl_world_free_own_fields(talus_world *);
/* ropes.c: the ground that ropes and joints are tied to: a body that never moves and has no shape. */
TALUS_NODISCARD talus_status tl_world_ground(talus_world *, talus_body_id *out);
/* body_joints.c: what a freedom may be; `text` is what it is of. */
TALUS_NODISCARD talus_status tl_freedom_check(const char *text, const talus_freedom_def *, tl_error *);
/* Does it start within its stops? The position is in m or rad; kind: a joint or a coupling. */
TALUS_NODISCARD talus_status tl_freedom_check_start(const talus_freedom_def *, double position, const char *kind, const char *name, tl_error *);
/* body_joints.c: frames of joints from where their bodies are, and room for what is remembered of them. */
TALUS_NODISCARD talus_status tl_world_settle_joints(talus_world *);
/* A joint between bodies as talus_connection_get says it; false: there is none of this number. After assembly. */
bool tl_world_joint_connection(const talus_world *, int index, talus_connection *);
/* What springs of joints between bodies, of maximal coordinates and of couplings store [J]. Those of relative coordinates are their mechanism's. */
double tl_world_spring_energy(const talus_world *);
static inline bool tl_freedom_is_driven(const talus_freedom_def *d) { return d->speed.value || d->position.value; }
/* assemble.c: laws of all pairs from the rules; mass of all that moves, and which contactors never meet, both by the kinds that bodies have. */
void tl_world_settle_laws(talus_world *);
/* Matter that takes no moments of contacts meets no law that resists rolling or spinning. UNSUPPORTED, MEMORY. */
TALUS_NODISCARD talus_status tl_world_refuse_moments(talus_world *);
/* What the world's scheme asks of a law and it has not, as its key in scenes; NULL: nothing. */
const char *tl_world_law_lacks(const talus_world *, const tl_interaction *);
void tl_world_settle_kinds(talus_world *);
/* What the stages of a step begin with: an empty arena, the clock, a step of length h [s]. */
void tl_world_begin_step(talus_world *, double h);
/* Half the least width of a shape in the axes of its body; ∞: it has no end, or is a surface. */
double tl_world_half_width(const talus_world *, int contactor);
/* assemble.c: `what` is there beside contacts, or they are of what deforms; NULL: it is not. Methods that form W ask every matter for its rows, which what
 * deforms does not write, and know contacts alone: UNSUPPORTED. */
TALUS_NODISCARD talus_status tl_world_check_method(talus_world *, const char *what);
/* watch.c: what a step begins with. */
void tl_world_look(talus_world *);
void tl_world_look_anew(talus_world *, talus_body_id);
/* −1 before a change of a body's velocity between steps and 1 after it: the acceleration of the last step stays what it was. */
void tl_world_look_past(talus_world *, talus_body_id, double share);
/* Mass of a body's shapes by their densities [kg]; before assembly. */
double tl_world_mass_of_shapes(const talus_world *, int body);
double tl_world_mass_of_shapes3(const talus_world *, int body);
/* Body of a place, −1 if none. */
int tl_world_body_at(const talus_world *, tl_place);

static inline bool tl_is_planar(const talus_world *w) { return w->def.dimension == 2; }

/* periodic.c: the cell of a definition; whether every body can stand in it, which the error names. */
TALUS_NODISCARD talus_status tl_world_check_cell(const talus_world_def *, tl_cell *, tl_error *);
TALUS_NODISCARD talus_status tl_world_settle_cell(talus_world *);

/* bodies3.c: what is different for bodies and shapes in space. */
TALUS_NODISCARD talus_status tl_world_check_body3(talus_world *, const talus_body_def *);
void tl_world_set_body3(talus_world *, int grain, const talus_body_def *);
TALUS_NODISCARD talus_status tl_world_make_shape3(talus_world *, const talus_shape_def *, tl_shape3 *, tl_error *);
TALUS_NODISCARD talus_status tl_world_settle_body3(talus_world *, int body);

/* passing.c. Warns of meshes on links, of solids with nodes or faces alone, and of segments, that pass through what they do not touch. */
void tl_world_warn_of_passing(talus_world *);
bool tl_world_is_convex(const talus_world *, int contactor); /* and bounded: a free body may carry it */

/* read.c. The contactor that is this shape of a body; −1: it has none. The outline of a planar solid is no shape that can be read. */
int tl_world_shape_at(const talus_world *, const tl_body *, int index);

/* solids.c. For calls that define a solid: not after assembly; `what` they do begins the text. */
TALUS_NODISCARD talus_status tl_world_open_solid(talus_world *, talus_solid_id, const char *what, tl_matter **out);
/* UNSUPPORTED: a body that comes later has no place that something could be tied to; `what` names that. */
TALUS_NODISCARD talus_status tl_world_refuse_absent(talus_world *, talus_body_id, const char *what);
/* The same, and where the body is a solid, which carries no ropes and cylinders. */
TALUS_NODISCARD talus_status tl_world_refuse_end(talus_world *, talus_body_id, const char *what);

static inline bool tl_is_none(uint32_t index1) { return index1 == 0; }

/* solid_loads.c. Solids that are to start in equilibrium do. SINGULAR, DIVERGED. */
TALUS_NODISCARD talus_status tl_world_settle_solids(talus_world *);
/* solids.c. The matter of a solid; NULL: there is none. */
tl_matter *tl_world_solid_matter(const talus_world *, talus_solid_id);

/* solid_joints.c. Of the joint that is being made, the last of all: where its ends are on solids, or which nodes it glues. INPUT, MEMORY. */
TALUS_NODISCARD talus_status tl_world_join_solids(talus_world *, const char *text, const talus_body_joint_def *);
/* INPUT: the coordinate is an angle, and a solid at one end. */
TALUS_NODISCARD talus_status tl_world_check_solid_freedom(talus_world *, const char *text, const tl_body_joint *, int coordinate);
/* At assembly. UNSUPPORTED: the scheme knows no joints of solids. */
TALUS_NODISCARD talus_status tl_world_settle_bonds(talus_world *);
/* How far the glued nodes of a joint are from where they belong, at most [m]. */
double tl_world_bond_error(const talus_world *, int joint);

/* An error text that is a number, which grains say of themselves, becomes the name of that grain and what is wrong with it in this stage. */
void tl_world_name_cause(talus_world *, const char *stage);
/* UNSUPPORTED: a search for equilibrium has failed in it. */
TALUS_NODISCARD talus_status tl_world_is_whole(talus_world *);

#endif
