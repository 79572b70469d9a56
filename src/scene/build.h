/* A checked scene on its way to a world, through the public interface only. */
#ifndef TL_BUILD_H
#define TL_BUILD_H

#include "scene/zone.h"
#include "scene/schema.h"
#include "talus/scene.h"
#include "talus/talus.h"

/* What a group of grains became, bodies first … first + count − 1; and what ropes did. */
typedef struct tl_group {
    const char *name;
    int first, count;
} tl_group;

/* Ropes, struts, or rods, which are both: then each has two numbers, the first that of the rope. */
typedef struct tl_rope_group {
    const char *name;
    int first, count;
    bool pulls, pushes;
    int tackle1; /* 1 + its number among ropes over pulleys; 0: it is none */
} tl_rope_group;

typedef struct tl_probe tl_probe;
typedef struct tl_solid_probe tl_solid_probe; /* probe_solid.c */
typedef struct tl_builder tl_builder;

/* A kind of probe: what a probe that has its key reads. A new one is a line of the table in probe.c, and its key in keys.c. */
typedef struct tl_probe_kind {
    const char *key;        /* in scenes; it names what is read                                                        */
    const char *quantities; /* words of `quantity`, the first where none is given; NULL: none, or `read` looks at them */
    const char *unit;       /* NULL: unit_of                                                                           */
    const char *takes;      /* keys that say more of it, besides `quantity` where it has quantities, and region, cells and frame of grains; NULL: none */
    /* Takes what the probe names; b's world has all bodies. The probe has its kind, quantity, `at`, and where it is one of grains the group. A mistake is said.
     */
    talus_status (*read)(tl_builder *b, const tl_node *probe, tl_probe *out);
    /* For a quantity, of a probe that is not read yet and may be wrong; NULL: `unit` says it. */
    const char *(*unit_of)(tl_builder *b, const tl_node *probe, const char *quantity);
    /* Of the committed state; NaN where there is none. */
    double (*value)(const talus_world *, const tl_group *, const tl_probe *);
    bool of_grains;    /* the key names grains, or `all`                                              */
    bool across;       /* in the plane it has a zz                                                    */
    bool wants_region; /* of grains: it must have one */
} tl_probe_kind;

struct tl_probe {
    const char *name, *quantity, *unit;
    const tl_probe_kind *kind;
    const talus_scene *scene; /* of a source, a sink or an input */
    talus_joint_id joint;
    int coordinate;
    talus_loop_id loop;
    talus_coupling_id coupling;
    const char *hydraulic; /* name of a line, valve, cylinder … */
    talus_engine_id engine;
    talus_converter_id converter;
    talus_body_id body; /* or the region's frame */
    talus_body_id from; /* contact force: of this one only; {0}: of all */
    double at[3];
    talus_mechanism_id mechanism; /* of a state */
    int state;
    int group, rope, strut, tackle1, watch, body_joint, input; /* group −1: all free bodies */
    tl_zone zone;                                              /* in the axes of the frame */
    int number;                                                /* of the probe, for what it keeps in the state */
    tl_vec3 normal;                                            /* flow: of the plane through `at` */
    double over;                                               /* span of a mean, or of a flow's rate [s]; 0: none */
    const tl_solid_probe *solid;
};

/* exchange.c: grains that come, out of a pool of absent ones, and go. */
typedef struct tl_source {
    const char *name;
    int group;
    tl_zone zone;
    double velocity[3], rate, mass_rate, from, until; /* one of the rates is 0 */
    uint64_t seed;
} tl_source;

typedef struct tl_sink {
    const char *name;
    int group; /* −1: all */
    tl_zone zone;
    talus_body_id frame;
} tl_sink;

/* A bound on a probe that must hold for a while. */
typedef struct tl_condition {
    int probe; /* −1: none */
    bool above;
    double bound, hold;
} tl_condition;

typedef struct tl_law_change {
    talus_material_id pair[2];
    talus_interaction_def def;
} tl_law_change;

typedef struct tl_kind_change {
    talus_body_id body;
    talus_body_kind kind;
} tl_kind_change;

/* What a stage says that is no function of time: functions are in the motions that drive the world. */
typedef struct tl_stage_def {
    const char *name;
    tl_condition condition;
    double at_most, after, time; /* infinite: not given */
    bool sets_gravity;
    double gravity[3];
    tl_law_change *laws;
    tl_kind_change *kinds;
    int law_count, kind_count;
} tl_stage_def;

typedef struct tl_stop_def {
    const char *name, *message;
    tl_condition condition;
    const tl_node *during; /* names of stages; NULL: always */
} tl_stop_def;

/* A probe that a law reads: its name there, where the first such law stands, its number among the probes. */
typedef struct tl_law_probe {
    const char *name;
    const tl_node *law;
    int probe;
} tl_law_probe;

/* The part of a world's state that stages live in. */
typedef struct tl_stage_memory {
    double *now;       /* [3] number of the stage; over: 0 no, 1 stages done, 2 + i stop i; the probe's value then */
    double (*span)[2]; /* [stages] start and end; −1: not yet                                                      */
    double *held;      /* [stages + stops] since when the condition holds; −1: it does not                         */
} tl_stage_memory;

struct talus_scene {
    tl_reading reading;
    tl_mistakes mistakes;
    tl_arena *arena;
    tl_node *root;
    char *path, *text, *physics, *warnings;
    const char *start_warnings;                                       /* of mechanisms that are written out; NULL: none are */
    double end, series_interval, frame_interval, checkpoint_interval; /* [s] as talus/scene.h has them */
    tl_group *groups;
    tl_rope_group *ropes;
    int group_count, rope_count;
    tl_probe *probes;
    int probe_count;
    tl_law_probe *law_probes;
    int law_probe_count;
    tl_stage_def base, *stages; /* base: what the scene itself says of the same */
    tl_stop_def *stops;
    int stage_count, stop_count;
    tl_source *sources;
    tl_sink *sinks;
    int source_count, sink_count;
    tl_input *inputs; /* [inputs] of the world that was built last: names and functions of time are those of all */
    int input_count;
    double *reach; /* [bodies] of the farthest point from the origin; where there are sources */
};

typedef struct tl_builder {
    talus_scene *scene;
    tl_reading *r;
    talus_world *world;
    tl_stage_memory stage;           /* of this world; all NULL: neither stages nor stops */
    bool parks, changes;             /* grains made now are absent at first; may become so      */
    talus_mechanism_id mechanism;    /* whose parts are built now */
    const tl_node *of_mechanism;     /* its node                  */
    int parts;                       /* of the shape of several parts that is built now */
    struct tl_solid_reading *solids; /* those that are built, the last first */
} tl_builder;

/* Passes a failure of the world on as a mistake at this node. */
talus_status tl_build_check(tl_builder *, talus_status, const tl_node *);
/* Builds every entry of a map (NULL: of none), also after one that is wrong, so that all mistakes are said at once. The first failure, or TALUS_OK; only a
 * want of memory ends it early. */
talus_status tl_build_each(tl_builder *, const tl_node *map, talus_status (*entry)(tl_builder *, const tl_node *));
talus_status tl_build_world(tl_builder *, int threads);
talus_status tl_build_bodies(tl_builder *);
talus_status tl_build_mechanisms(tl_builder *);
/* Solids of finite elements (build_solid.c); after the bodies. */
talus_status tl_build_solids(tl_builder *);
/* Without a world: the mistakes of coordinates, drives, forces and probes whose units depend on their joint. */
void tl_check_joint_units(tl_builder *);
talus_status tl_build_loads(tl_builder *);
/* Places the grains clear of what `settled` (the same scene without grains, assembled) has; NULL: nothing to avoid. */
talus_status tl_build_grains(tl_builder *, const talus_world *settled);
/* Definition of a grain to come. */
static inline talus_body_def tl_build_grain_def(const tl_builder *b)
{
    talus_body_def d = talus_body_def_default();
    d.changes_kind = b->changes;
    if (b->parks) d.kind = TALUS_BODY_ABSENT;
    return d;
}
/* May grains of this group, or (NULL) free bodies, come and go? */
bool tl_exchange_changes(const tl_builder *, const char *group);
/* Where the grains of a source wait, and how many. */
talus_status tl_build_source_place(tl_builder *, const tl_node *, double centre[3], int *count);
/* After the grains: sources and sinks; after assembly: sizes of what must have room. */
talus_status tl_build_exchange(tl_builder *);
talus_status tl_build_reach(tl_builder *);
/* After a step: what is in a sink goes, what is due comes. */
talus_status tl_exchange(const talus_scene *, talus_world *);
double tl_exchange_sum(const talus_scene *, const talus_world *, bool source, int index, bool mass);
/* A group of grains as they lay in another run (settled.c). */
talus_status tl_build_settled(tl_builder *, const tl_node *, const talus_world *settled);
/* What `start` asks for: everything goes to where it stands. */
talus_status tl_build_equilibrium(tl_builder *);
/* Of an assembled world: bodies in one another at the start are warnings, or mistakes when the middle of one lies in the other. */
talus_status tl_build_check_overlaps(tl_builder *);
/* Warns of meshes that seem to be drawn in another unit. */
void tl_build_check_sizes(tl_builder *);
/* The same of solids; and of grains that fall through the nodes of one. */
void tl_build_check_solids(tl_builder *);
/* Warns of coordinates that do not start where the scene says. */
void tl_build_check_coordinates(tl_builder *);
/* After the grains. */
talus_status tl_build_ropes(tl_builder *);
/* Joints between bodies; what probes read of them. */
talus_status tl_build_joints(tl_builder *);
talus_status tl_build_joint_probe(tl_builder *, const tl_node *, tl_probe *);
double tl_joint_probe_value(const talus_world *, const tl_group *, const tl_probe *);
double tl_probe_moment(const talus_world *, const double moment[3]); /* in the plane that about z, with its sign; in space its magnitude */
const char *tl_joint_probe_unit(tl_builder *, const tl_node *, const char *quantity);
/* Of a probe; it may be written wrongly, which is said elsewhere. */
const char *tl_probe_unit(tl_builder *, const tl_node *);
/* probe_cells.c. Into how many cells the region of a probe is cut along each axis; their number, 0 after a mistake. */
int tl_probe_read_cells(tl_builder *, const tl_node *, int cells[3]);
/* p is one of them, the others follow it in its array. */
TALUS_NODISCARD talus_status tl_probe_build_cells(tl_builder *, const tl_node *, tl_probe *p, const int cells[3], int count);
/* Number of the group of grains that a checked reference names. */
int tl_build_group_named(const tl_builder *, const tl_node *);
/* A body, or one of a group: ballast.17; numbers of a rope and of a strut: chain.3; −1: it is none, a rod is both. NULL: {0}. */
talus_status tl_build_grain_named(tl_builder *, const tl_node *, talus_body_id *out);
talus_status tl_build_rope_named(tl_builder *, const tl_node *, tl_probe *);
talus_status tl_build_probes(tl_builder *);
/* Values of the probes of grains (docs/scene.md). Coordination is NAN when there was no memory to count with. */
tl_frame tl_probe_axes(const talus_world *, const tl_probe *); /* of what the region moves with */
bool tl_probe_counts(const talus_world *, const tl_frame *axes, const tl_probe *, talus_body_id);
/* The same; how much faster than the body that copy of it is which the region sees [m/s]. */
bool tl_probe_counts_copy(const talus_world *, const tl_frame *axes, const tl_probe *, talus_body_id, tl_vec3 *faster);
double tl_probe_number(const talus_world *, const tl_group *, const tl_probe *);
double tl_probe_mass(const talus_world *, const tl_group *, const tl_probe *);
double tl_probe_stress(const talus_world *, const tl_group *, const tl_probe *);
double tl_probe_fabric(const talus_world *, const tl_group *, const tl_probe *);
double tl_probe_flow(const talus_world *, const tl_group *, const tl_probe *);
/* A flow keeps the side of every grain in the state; after every step it is looked at. */
double tl_probe_dissipation(const talus_world *, const tl_group *, const tl_probe *);
/* A probe of dissipation keeps its sums in the state, to which every step adds. */
talus_status tl_build_dissipation(tl_builder *, const tl_node *, const tl_probe *);
void tl_probe_add_dissipation(const talus_world *, const tl_group *, const tl_probe *);
talus_status tl_build_flow_memory(tl_builder *, const tl_node *, const tl_group *, const tl_probe *);
void tl_probe_count_flow(const talus_world *, const tl_group *, const tl_probe *);
/* The grains that a probe is of; `all` is room for those of no group. */
const tl_group *tl_probe_group(const talus_scene *, const talus_world *, const tl_probe *, tl_group *all);
/* Of a probe of another kind that says `over`; its sums are part of the state. Each step is added once, those of no number are not. Until the first span is
 * over its value is the mean of the steps so far, before the first step what it is then. */
talus_status tl_build_probe_mean(tl_builder *, const tl_node *, tl_probe *);
void tl_probes_look(const talus_scene *, const talus_world *);
void tl_probes_begin_stage(const talus_scene *, const talus_world *); /* means of the stage before are not of this one */
/* A body goes: when it comes again elsewhere, it has passed no plane. */
void tl_probes_forget(const talus_scene *, const talus_world *, int body);
void tl_probe_forget_side(const talus_world *, const tl_group *, const tl_probe *, int body);
/* zone_read.c: a region of a scene; NULL: everywhere. */
talus_status tl_build_zone(tl_builder *, const tl_node *region, tl_zone *);
double tl_probe_compactness(const talus_world *, const tl_group *, const tl_probe *);
double tl_probe_coordination(const talus_world *, const tl_group *, const tl_probe *);
double tl_probe_temperature(const talus_world *, const tl_group *, const tl_probe *);
double tl_probe_mean(const talus_world *, const tl_group *, const tl_probe *);
/* Those of solids. */
talus_status tl_read_displacement_probe(tl_builder *, const tl_node *, tl_probe *);
talus_status tl_read_solid_stress_probe(tl_builder *, const tl_node *, tl_probe *);
talus_status tl_read_solid_yield_probe(tl_builder *, const tl_node *, tl_probe *);
talus_status tl_read_resultant_probe(tl_builder *, const tl_node *, tl_probe *);
talus_status tl_read_whole_solid_probe(tl_builder *, const tl_node *, tl_probe *);
double tl_probe_displacement(const talus_world *, const tl_group *, const tl_probe *);
double tl_probe_solid_stress(const talus_world *, const tl_group *, const tl_probe *);
double tl_probe_solid_yield(const talus_world *, const tl_group *, const tl_probe *);
double tl_probe_resultant(const talus_world *, const tl_group *, const tl_probe *);
double tl_probe_solid_energy(const talus_world *, const tl_group *, const tl_probe *);
double tl_probe_solid_torn(const talus_world *, const tl_group *, const tl_probe *);
/* The shapes of a body or a link; more about them in solids.h. */
talus_status tl_build_shapes(tl_builder *, const tl_node *owner, talus_body_id body);
/* The spatial siblings. */
talus_status tl_build_body_space(tl_builder *, const tl_node *, talus_body_def *);
/* A tensor of inertia as xx, yy, zz, xy, xz, yz, given so, by its moments, in one number, or by its rows; and there is a body with such a one. */
talus_status tl_build_inertia(tl_builder *, const tl_node *, double tensor[6]);
talus_status tl_build_orientation(tl_builder *, const tl_node *, double quaternion[4]);
/* A function node as a motion; {NULL} for a NULL node. */
talus_motion tl_build_motion(tl_builder *, const tl_node *, const char *unit);
/* The same of a position, which no input may let jump. */
talus_motion tl_build_path(tl_builder *, const tl_node *, const char *unit);
/* What stages may change. */
typedef struct tl_stageable {
    const tl_node *base;     /* what the scene says; NULL: nothing                              */
    const char *part, *name; /* whose it is: drives, bodies, loads, forces; which of them       */
    const char *key, *unit;  /* its name in a stage                                             */
    bool moves;              /* a position, which a stage moves on from where it stands         */
} tl_stageable;
talus_motion tl_build_staged(tl_builder *, const tl_stageable *);
/* laws.c: what a force's law, here and in stages, says, into `d`, whose coordinate is known; the states of a mechanism; without a world, their mistakes, and
 * which probes laws read. */
talus_status tl_build_law(tl_builder *, const tl_node *mechanism, const tl_node *force, bool angle, talus_joint_force_def *d);
talus_status tl_build_states(tl_builder *, const tl_node *mechanism);
void tl_check_laws(tl_builder *, const tl_node *mechanism);
/* laws.c: a function of time that may name probes, of the step before. Without a world, its mistakes, and which probes it reads: of all in circuits, of all
 * inputs. */
talus_motion tl_build_probed(tl_builder *, const tl_node *, const char *unit);
void tl_check_hydraulics(tl_builder *);
void tl_check_inputs(tl_builder *);
const char *tl_state_unit(const tl_builder *, const char *name);
/* Values are in SI, and so is what is said of them: of a unit with a factor, such as kJ or %, that of its dimension; "?" where there is no memory for more. */
const char *tl_said_unit(const tl_builder *, const char *unit);
/* A number alone beside a unit with a factor is a mistake: it has to be said which of the two is meant. */
void tl_check_number(tl_builder *, const tl_node *value, const char *unit);
/* Room in the state for the probes that laws read; which ones these are; their values, after every step. */
talus_status tl_build_law_memory(tl_builder *);
talus_status tl_build_law_probes(tl_builder *);
void tl_laws_look(const talus_scene *, const talus_world *);
/* Does any stage give this body another kind? *imposed becomes true where it makes it imposed. */
bool tl_stages_change_kind(const tl_builder *, const char *body, bool *imposed);
/* Before the definition: the memory of stages. After the probes: conditions and settings. After assembly: the first stage begins. */
talus_status tl_build_stage_memory(tl_builder *);
talus_status tl_build_stages(tl_builder *);
talus_status tl_build_first_stage(tl_builder *);
/* Reads an entry of `interactions` over what it says already. */
talus_status tl_build_interaction(tl_builder *, const tl_node *, tl_law_change *);
/* The same of a node {table: …}; and a warning of the velocities that jump where such a function is a position. */
talus_motion tl_build_tabulated(tl_builder *, const tl_node *, const char *unit);
void tl_build_check_corners(tl_builder *, const tl_node *, talus_motion, const char *unit);
/* "joint" or "joint.coordinate" → joint and number of the coordinate; complains at the node. */
bool tl_build_coordinate(tl_builder *, const tl_node *, talus_joint_id *, int *coordinate);
/* Sums of coordinates (build_couplings.c): the unit of what makes one of another; is it an angle? Terms of a list of coordinates, with factors where there
 * is a list of these [joints->count]; false: what is wrong is said. An entry of `couplings`. */
const char *tl_factor_unit(bool from_angle, bool to_angle);
bool tl_is_angle(const tl_builder *, const tl_node *reference, int coordinate);
bool tl_build_terms(tl_builder *, const tl_node *joints, const tl_node *factors, talus_term *term);
talus_status tl_build_coupling(tl_builder *, const tl_node *);
/* build_hydraulics.c: circuits, after all joints; what probes read of them. */
talus_status tl_build_hydraulics(tl_builder *);
talus_status tl_build_hydraulic_probe(tl_builder *, const tl_node *, tl_probe *);
const char *tl_hydraulic_probe_unit(tl_builder *, const tl_node *, const char *quantity);
double tl_hydraulic_probe_value(const talus_world *, const tl_group *, const tl_probe *);
/* Number of a coordinate of a kind of joints between bodies, -1: it has none of that name. */
int tl_body_joint_coordinate(const char *kind, const char *name);
/* tracks.c: writes tracks out as bodies and joints, onto the tree, after the parameters are known and before the tree is checked. What is wrong is said. */
void tl_expand_tracks(tl_builder *);
/* Of the assembled world: a carrier that does not stand where its chain was laid is a mistake; a track that hangs slack is a warning. */
talus_status tl_check_tracks(tl_builder *);
/* tyres.c: the same of tyres, as links, joints and forces of mechanisms. */
void tl_expand_tyres(tl_builder *);
/* Of both: may parts be named after this `what`, a track, wheel or tyre? Names of parts stand in other entries without quotes, some with a coordinate behind a
 * dot. False: it has been said why not, or the name is empty, which is said elsewhere. */
bool tl_names_parts(tl_builder *, const tl_node *, const char *name, const char *what);
/* tracks.c: the k-th body that carries a track or a tyre, which names one in `on`, or a list of them; NULL after the last. What it is called there: of one by
 * its own name, of a list NAME_BODY; NULL: that is no name, or there is no memory, which is said of a `what`. */
const tl_node *tl_carrier(const tl_node *, int k);
const char *tl_carried_name(tl_builder *, const tl_node *, const tl_node *on, const char *what);
/* tracks_write.c: appends the material that this node names, if it names one, to an entry that is being written. */
void tl_write_material(FILE *, const tl_node *of);
/* A quantity of a map, which may be NULL or lack it. */
static inline double tl_quantity_in(tl_builder *b, const tl_node *map, const char *key, const char *unit, double fallback)
{
    return tl_quantity(b->r, tl_node_get(map, key), unit, fallback, false);
}
/* Drivelines (build_driveline.c): what is known of a table's column; a table, or a number for all, as a function: NULL is none. False: what is wrong is said.
 */
typedef struct tl_column {
    const char *key, *unit;
} tl_column;
bool tl_build_characteristic(tl_builder *, const tl_node *, const tl_column *x, const tl_column *y, bool ends, talus_characteristic *out);
talus_status tl_build_shaft(tl_builder *, const tl_node *);
talus_status tl_build_engine(tl_builder *, const tl_node *);
talus_status tl_build_converter(tl_builder *, const tl_node *);
talus_status tl_read_engine_probe(tl_builder *, const tl_node *, tl_probe *);
talus_status tl_read_converter_probe(tl_builder *, const tl_node *, tl_probe *);
const char *tl_engine_probe_unit(tl_builder *, const tl_node *, const char *quantity);
const char *tl_converter_probe_unit(tl_builder *, const tl_node *, const char *quantity);
double tl_engine_probe_value(const talus_world *, const tl_group *, const tl_probe *);
double tl_converter_probe_value(const talus_world *, const tl_group *, const tl_probe *);
/* A body that exists by now, or none is named; complains at the name. */
bool tl_build_known_body(tl_builder *, const tl_node *name);
/* The node of a part of whichever mechanism has one of this name among its `parts`, as "loops" or "states"; NULL: none has. */
const tl_node *tl_mechanism_part(const tl_builder *, const char *parts, const char *name);
/* The node of a joint or shaft of a mechanism; NULL: it has none of this name. */
const tl_node *tl_mechanism_joint(const tl_node *mechanism, const char *name);
/* inputs.c: after the world, before all that may name them. */
talus_status tl_build_inputs(tl_builder *);
talus_status tl_read_input_probe(tl_builder *, const tl_node *, tl_probe *);
const char *tl_input_probe_unit(tl_builder *, const tl_node *, const char *quantity);
double tl_input_probe_value(const talus_world *, const tl_group *, const tl_probe *);
/* Of the joint that a reference names: its node; the number of the coordinate, 0 if it names none; the unit of a coordinate, −1: of that one. */
const tl_node *tl_reference_joint(const tl_builder *, const tl_node *reference);
int tl_joint_coordinate_of(const tl_builder *, const tl_node *reference);
const char *tl_coordinate_unit(const tl_builder *, const tl_node *reference, int coordinate);
/* Of a joint's node: number of a coordinate by its name, NULL: of the only one, −1: there is none; their names; is it an angle, or a rotation of a ball? */
int tl_joint_coordinate(const tl_node *joint, const char *name);
void tl_joint_coordinates(const tl_node *joint, char list[100]);
bool tl_joint_is_angle(const tl_node *joint, int coordinate);
bool tl_joint_is_ball_rate(const tl_node *joint, int coordinate);
/* Of a probe's position, velocity or force. */
const char *tl_coordinate_quantity_unit(bool angle, const char *quantity);
/* State of a mechanism by its name. */
talus_status tl_build_state_named(const tl_builder *, const tl_node *, talus_mechanism_id *, int *number);
void tl_vector(tl_builder *, const tl_node *, const char *unit, double out[3]);
talus_body_id tl_build_body_named(const tl_builder *, const tl_node *); /* {0} for ground */
/* The same of a body whose axes something is said in: a solid has none. */
talus_status tl_build_frame(tl_builder *, const tl_node *, talus_body_id *out);
talus_material_id tl_build_material(const tl_builder *, const tl_node *);
const char *tl_word(const tl_node *map, const char *key, const char *fallback);

/* coverage.c: appends the keys of a scene that was built to the file that the environment variable TALUS_NOTE_KEYS names, if it does. */
void tl_scene_note_keys(const talus_scene *);

#endif
