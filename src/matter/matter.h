/* Matter behind one table of functions (theory §1).
 *
 * Every kind of matter is a system  M̃(q) dv = f dt + H dI  with independent velocities v (nv). It says physics; time is
 * the scheme's (step/schemes.h). A scheme places matter at configurations q_m of its choice and asks there for forces and
 * inertia; contacts are met at the last of these: bind, then many times velocity and impulse, then accumulate. It ends with
 * arrive and commit. Only commit writes the state; everything before it writes scratch, so a failed step leaves the state
 * at t_n.
 *
 * Grain–grain contacts are the bulk of the work and do not go through this table (see solve/).
 */
#ifndef TL_MATTER_H
#define TL_MATTER_H

#include "base/base.h"
#include "base/math.h"
#include "shape/facet.h"
#include "talus/control.h"
#include "talus/types.h"

/* What the step tells the matter. */
typedef struct tl_step {
    double t, h, theta; /* start of the step [s], its length [s], θ of Moreau–Jean                           */
    double gravity[3];  /* [m/s²]                                                                            */
    int force_passes;   /* 0: f(q_m, v_n) as D20; k > 0: k fixed-point passes on f at the mid-step velocity  */
    double close;       /* velocities that differ by less are those of one motion [m/s], from bind on        */
    bool planar;        /* the world is the x–y plane                                                        */
    /* > 0: a pass of the search for equilibrium (step/still.c): all is at rest at t, and functions of time are those of t; h stands for how far the pass goes,
     * and contacts are solved up to this acceleration [m/s²]. */
    double still;
    bool stiff;       /* in such a pass: the inertia of mechanisms has h² times their stiffness, too           */
    double heavier;   /* in such a pass: shafts that turn from the start have so many times their inertia      */
    bool staggered;   /* velocities stand between positions: what deforms has the forces of q_n + h/4 (v⁺ − v_n) and v⁺ (theory §4.4) */
    bool halved;      /* impulses take a fall of ½ h² a back: what deforms meets them with ½ h² K (theory §4.5) */
    bool again;       /* contacts have been solved in this step: impulses within the tolerance are no first guess, and stay */
    tl_arena *arena;  /* lives until the end of the step                                                   */
    tl_memory memory; /* for what is not of the step's size                                                */
    tl_threads *threads;
    tl_error *error;           /* text of a failure                                                                 */
    talus_interrupt interrupt; /* asked wherever a step may take long (tl_step_go_on) */
    tl_arena_room packs;       /* of the contact problem: one that is made anew in this step takes the place of the one before */
    /* Large matter that was condensed in this step (solve/condensed.h), the last first: what its ports do to one another holds for later solves of the step,
     * until such a matter moves or its M̃ changes, which sets this to NULL. */
    struct tl_condensed *condensed;
} tl_step;

/* What is slower as a search for equilibrium begins is at rest: the rounding of loops' rates [m/s, rad/s]. */
#define TL_AT_REST 1e-9

/* INTERRUPTED where who runs the step wants no more of it: asked wherever a step may take long. */
static inline talus_status tl_step_go_on(const tl_step *step)
{
    if (!step->interrupt.asked || !step->interrupt.asked(step->interrupt.user)) return TALUS_OK;
    return tl_fail(step->error, TALUS_INTERRUPTED, "interrupted");
}

/* When what is imposed has its velocities, and where the step ends. */
static inline double tl_step_end(const tl_step *step) { return step->still > 0 ? step->t : step->t + step->h; }
/* Where forces that change with time are read, so that they act to second order. */
static inline double tl_step_middle(const tl_step *step) { return step->still > 0 ? step->t : step->t + 0.5 * step->h; }

/* A given function of time at t, and its rate; 0 where none is given. */
static inline double tl_motion_at(const talus_motion *motion, double t, double *rate)
{
    double out[3] = {0, 0, 0};
    if (motion->value) motion->value(motion->user, t, out);
    *rate = out[1];
    return out[0];
}

static inline double tl_motion_value(const talus_motion *motion, double t)
{
    double rate;
    return tl_motion_at(motion, t, &rate);
}

/* One body: matter 0 is the grains. */
typedef struct tl_place {
    int matter, item;
} tl_place;

/* One end of one contact or constraint: where an impulse acts, and in which axes. */
typedef struct tl_port {
    int item;             /* which body of the matter                                                             */
    int rate1;            /* 1 + a rate that impulses act on, axes[k][0] each as generalized force; 0: a point        */
    int slot;             /* private row, written by bind()                                                       */
    int number;           /* of a condensed matter: of the port's first velocity (solve/condensed.h)              */
    double x[3];          /* the point, world axes, at q_m                                                    [m] */
    double axes[3][3];    /* unit axes n, t, s in world axes; of contacts in the plane s is z                     */
    double moments[3][3]; /* about the point, that go with unit impulses along the axes; of contacts 0     [m] */
    bool read_only;       /* velocities are asked for, and no impulse will act on it                              */
} tl_port;

/* Of these points of a matter that deforms a port's motion is made, at most. */
enum { TL_PORT_NODES = 10 };

/* Ports that are bound, and along how many of their axes they are asked for. */
typedef struct tl_ports {
    const tl_port *port;
    int count, axes;
} tl_ports;

/* Of a body: mass [kg], centre of mass [m] and inertia about it [kg m²], in the axes of its frame. */
typedef struct tl_mass {
    double mass;
    tl_vec3 centre;
    tl_mat3 inertia; /* of planar matter that about z alone */
} tl_mass;

/* A named array of the state: what a checkpoint holds, what a reader of results sees. */
typedef struct tl_field {
    const char *name;    /* "q", "v", … unique within its matter          */
    const char *unit;    /* "m, rad"                                      */
    const char *meaning; /* one line                                      */
    bool integer;        /* int32_t instead of double                     */
    int rows, columns;   /* shape                                         */
    void *data;          /* the live state: writable only for a restore   */
} tl_field;

/* As tl_matter_ops.fields says them. */
static inline int tl_fields_say(const tl_field *list, int count, tl_field *out, int capacity)
{
    for (int i = 0; i < count && i < capacity; i++) out[i] = list[i];
    return count;
}

/* A configuration that a scheme asks for: q_n ⊕ span v. */
typedef struct tl_move {
    double t;        /* what is imposed is where it is then [s] */
    double span;     /* [s]                                      */
    const double *v; /* [nv] NULL: the committed velocities      */
} tl_move;

typedef struct tl_matter tl_matter;

struct talus_load_def;

typedef struct tl_matter_ops {
    const char *kind; /* "mechanism"                              */
    const char *part; /* what its bodies are called in messages: "link" */
    /* Ends the definition: what derives from it, at this time, and a state that agrees with it. *warnings: lines, "" when there are none; they live as long
     * as the matter. NULL: nothing to do. May fail. */
    talus_status (*assemble)(tl_matter *, double time, const char **warnings, tl_error *);
    /* v_n [nv] of the committed state. */
    void (*start_velocity)(const tl_matter *, double *v);
    /* The step starts from these independent velocities instead of v_n, which v_free becomes as well; NULL: from v_n again. It stays where it is placed.
     * MEMORY. */
    talus_status (*start_from)(tl_matter *, tl_step *, const double *v);
    /* q_m = q_n ⊕ span v, with its loops closed. Forgets ports. Writes scratch. May fail. */
    talus_status (*place)(tl_matter *, tl_step *, const tl_move *);
    /* Is q_m so near to a singularity of loops, which the step passes, that velocities there are a matter of rounding? NULL: never. */
    bool (*grazes)(tl_matter *);
    /* M̃(q_m) and its factor; with the dampers that act at v_n + θ Δv over `span`, implicitly; 0: the mass alone. NULL: it is constant. May fail. */
    talus_status (*inertia)(tl_matter *, tl_step *, double theta, double span);
    /* v_free = v_n + M̃⁻¹ h f, forces of the time t_n + (1−θ) h at q_m and, where they depend on it, at the velocity v_n + θ Δv that they lead to themselves
     * (step.force_passes); of a solid whose forces are not linear in it, to first order, for refine has the last word. What is imposed has the velocity of
     * t_n + h. Writes scratch. May fail. */
    talus_status (*free_velocity)(tl_matter *, tl_step *, double theta);
    /* a = M⁻¹ f(q_m, v, t) [nv], after inertia without dampers; what is imposed has the velocity of t. Writes scratch. May fail. */
    talus_status (*acceleration)(tl_matter *, tl_step *, double t, const double *v, double *a);
    /* y ← (M + rate C + way K)⁻¹ M y [nv] at q_m: what accelerations lack where forces follow them, of what they lack where forces stay. Where forces are not
     * linear, about. NULL: nobody knows C and K. MEMORY, SINGULAR, DIVERGED. */
    talus_status (*approach)(tl_matter *, tl_step *, double rate, double way, double *y);
    /* Rows of H for n ports at q_m. */
    talus_status (*bind)(tl_matter *, tl_step *, tl_port *ports, int n);
    /* V = Hᵀ v + V₀ along the port's axes: `v` is any vector of nv independent velocities; V₀ is the velocity that imposed motions
     * give this point at the end of the step (zero where nothing is imposed), added only when `imposed`. */
    void (*velocity)(const tl_matter *, const tl_port *, const double *v, bool imposed, double V[3]);
    /* Of a kind that deforms, without ports: the velocity of a body of it, as above; of one that has many points, the mean of those that contacts may meet.
     * Returns how much the velocity of one differs from it at most [m/s]. NULL: its bodies are rigid, and three points tell their motion. */
    double (*motion)(const tl_matter *, int item, const double *v, bool imposed, tl_vec3 *velocity);
    /* Of a kind that deforms: the faces about node `item`, where matter is [TL_FACETS]; returns how many. NULL where no node takes contacts by itself. */
    int (*facets)(const tl_matter *, int item, tl_facet *);
    /* v += M̃⁻¹ H I */
    void (*impulse)(const tl_matter *, const tl_port *, const double I[3], double *v);
    /* v += M̃⁻¹ Σ H I of many ports, I [ports]. NULL: nothing is gained by taking them together. */
    void (*impulses)(const tl_matter *, const tl_ports *, const double (*I)[3], double *v);
    /* Large matter that has C = Hᵀ M̃⁻¹ H of its ports at less than a solve for each; all three are NULL where it has not.
     * reach: makes what the others need, and says how far ports are apart that hardly know each other: what a unit impulse does beyond adds up to less than
     * `share` of what it does at its own place [m]; negative: C is not had for these ports. May fail.
     * response: C of two ports by their axes, what unit impulses at `from` do at `to`, C[axis of to][axis of from]. From any number of threads.
     * exchange: V = C I of all ports together [ports], exactly. */
    talus_status (*reach)(tl_matter *, tl_step *, const tl_ports *, double share, double *reach);
    void (*response)(const tl_matter *, const tl_port *from, const tl_port *to, double C[3][3]);
    void (*exchange)(const tl_matter *, const tl_ports *, const double (*I)[3], double (*V)[3]);
    /* The same between the points that carry ports, of which it has fewer than ports where contacts are dense; NULL where the three above are.
     * carriers: those of a port, and their weights, at most TL_PORT_NODES; returns how many.
     * node_response: what unit impulses along the world's axes at one do along these at another, C[axis of to][axis of from]; both carry ports of `reach`. */
    int (*carriers)(const tl_matter *, const tl_port *, int *node, double *weight);
    void (*node_response)(const tl_matter *, int from, int to, double C[3][3]);
    /* The port's rows H [3 × nv] and M̃⁻¹ H [3 × nv], row by row, for kinds whose nv is small: the sweep then calls nothing. May be NULL. */
    void (*rows)(const tl_matter *, const tl_port *, const double **H, const double **Y);
    /* M̃(q_m) [nv × nv], from inertia to the next; for kinds that say rows. May be NULL. */
    void (*mass)(const tl_matter *, double *M);
    /* Velocity of the port's point at the start of the step, from the committed v_n but with H(q_m): V⁻ of the restitution law. */
    void (*velocity_before)(const tl_matter *, const tl_port *, double V[3]);
    /* How the velocity of a body's origin and its spin change at q_m while the independent velocities stay v_n: (d/dt Hᵀ) v_n, after inertia. NULL: they do
     * not. MEMORY. */
    talus_status (*bias)(tl_matter *, tl_step *, int item, tl_vec3 *velocity, tl_vec3 *spin);
    /* The same of the rate of a coordinate [m/s^2, rad/s^2]. NULL where there are none. MEMORY. */
    talus_status (*rate_bias)(tl_matter *, tl_step *, int rate, double *change);
    /* The forces that depend on velocities are taken anew, at mid-step of the motion that ends at v⁺ (nv). Returns by how much the velocities of its points
     * differ for it [m/s]; v_free follows if `apply`, to within step.close where that takes passes. NULL: no such forces. */
    double (*refine)(tl_matter *, tl_step *, const double *v, bool apply);
    /* Tells the matter a final impulse, once per port, before arrive: for reactions. */
    void (*accumulate)(tl_matter *, const tl_port *, const double I[3]);
    /* From v⁺ (nv) and, unless NULL, a positional correction w (nv, velocity units: adds h w to the positions only):
     * q_{n+1} = q_m ⊕ h(θ v⁺ + w), dependent coordinates, reactions. Writes scratch. May fail. */
    talus_status (*arrive)(tl_matter *, tl_step *, double theta, const double *v, const double *w);
    /* The state moves to t_n + h. Cannot fail. */
    void (*commit)(tl_matter *, const tl_step *);
    /* Placement of a body: at q_m between place and commit, else at the committed state. */
    tl_frame (*frame)(const tl_matter *, int item);
    /* The user's axes of a body in those of its frame; after assembly. NULL: they are the same. */
    tl_frame (*user_axes)(const tl_matter *, int item);
    /* Of a body; 0 where it never moves by itself. Also before assembly. */
    tl_mass (*body_mass)(const tl_matter *, int item);
    /* Of the committed state, world axes: velocity of a point given in the axes of the body's frame, and the spin of the body. */
    void (*body_motion)(const tl_matter *, int item, tl_vec3 point, tl_vec3 *velocity, tl_vec3 *spin);
    /* Of the committed state: a body's angle about z counted through full turns [rad]; planar matter. NULL: 0. */
    double (*body_angle)(const tl_matter *, int item);
    /* A force on a body from now on, given in its user's axes. MEMORY, UNSUPPORTED. */
    talus_status (*add_load)(tl_matter *, int item, const struct talus_load_def *, tl_error *);
    /* A coordinate of the kinds that have such [m, rad]: at q_m between predict and commit, else at the committed state. May be NULL. */
    double (*coordinate)(const tl_matter *, int position);
    /* The rate of one, of the committed state [m/s, rad/s]. May be NULL. */
    double (*rate)(const tl_matter *, int rate);
    /* Kinetic and potential energy of the committed state (gravity; conservative joint forces) [J]. */
    void (*energy)(const tl_matter *, const double gravity[3], double *kinetic, double *potential);
    /* The state, field by field; returns the number of fields (at most `capacity` are written). */
    int (*fields)(const tl_matter *, tl_field *fields, int capacity);
    /* After a restore wrote the fields: recompute what derives from them. May fail. */
    talus_status (*restored)(tl_matter *, tl_error *);
    void (*destroy)(tl_matter *);
} tl_matter_ops;

/* The part that every kind begins with. */
struct tl_matter {
    const tl_matter_ops *ops;
    const char *name; /* NULL: the kind tells enough                */
    tl_memory memory;
    int nv;               /* independent velocities, after assembly            */
    const double *v_free; /* [nv], valid from free_velocity to commit          */
    bool steady;          /* its forces do not change with contacts: refine has nothing to say */
    bool new_rates;       /* since the last step other rates are independent     */
    double theta;         /* Moreau's of this step: a mechanism may begin it aside */
};

#endif
