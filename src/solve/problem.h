/* What a contact problem has in the plane and in space alike, and what is done to it without asking for the dimension; problem2.h and problem3.h begin with
 * it. Where the dimension counts, in how rows of grains are made, read and pushed, a table of functions knows it.
 *
 * Most contacts are between grains and lie in packs. Some are constraints (block_contacts.h). The others are coupled: those with other matter, and the spokes
 * of hubs (hub.h); they are swept one after the other, and most of what is here is theirs. */
#ifndef TL_PROBLEM_H
#define TL_PROBLEM_H

#include "law/law2.h"
#include "law/law3.h"
#include "law/spook.h"
#include "solve/block.h"
#include "solve/cluster.h"
#include "solve/condensed.h"
#include "solve/contact.h"
#include "solve/domains.h"
#include "solve/lanes.h"
#include "talus/solver.h"

/* Of a coupled contact in the plane: its ends at grains, m^{-1/2}, J^{-1/2} (r × n), J^{-1/2} (r × t); W and law. */
typedef struct tl_coupled_plane {
    double s[2], cn[2], ct[2];
    tl_delassus2 W;
    tl_coulomb2 law;
} tl_coupled_plane;

/* In space: its ends at grains, m^{-1/2}, J^{-1/2} Rᵀ (r × axis) for n, t, s; W and law. */
typedef struct tl_coupled_space {
    double m[2];
    tl_vec3 angular_row[2][3];
    tl_delassus3 W;
    tl_coulomb3 law;
} tl_coupled_space;

/* Impulses and velocities are along the axes of the contact; in the plane their last component is zero. */
typedef struct tl_coupled {
    int contact;
    tl_vec3 axis[3];           /* n, t, s; in the plane s is z                                  */
    int row[2];                /* grain row of end a, b; −1: not a moving grain                 */
    int matter[2];             /* its matter; 0: grains; of what is in a cluster that where its stand-in is */
    bool in_cluster[2];        /* cluster.h */
    tl_port port[2];           /* for matter > 0                                                */
    const double *H[2], *Y[2]; /* its rows, if it has them                                      */
    int nv[2];
    double shift[3], before[3], friction; /* before: V⁻ */
    double nn;                            /* of W, along n */
    double I[3], drift, goal;             /* of the drift: accumulated positional impulse; what V_n of w is to exceed, less its sign */
    union {
        tl_coupled_plane plane;
        tl_coupled_space space;
    };
} tl_coupled;

typedef struct tl_problem tl_problem;
struct tl_local_rows;
struct tl_global_group;
struct tl_guard;

/* Positional correction while it is swept: of each pack what velocities along n are measured from, and impulses; of other matter, or of its stand-ins. */
typedef struct tl_drift {
    tl_lanes *goal, *I;
    double *const *w;
} tl_drift;

/* What knows the dimension. Velocities are any in the scaling of the problem's rows. */
typedef struct tl_problem_ops {
    int axes;            /* of a contact: 2 in the plane, 3 in space */
    tl_grain_rows grain; /* but for whose they are */
    /* The row of a coupled contact's end at a moving grain; W, from what unit impulses along its axes do, W[axis] each, and its law. */
    void (*bind_end)(const tl_problem *, tl_coupled *, int side);
    void (*bind_law)(tl_coupled *, double W[3][3]);
    /* V = Hᵀ v of a coupled contact; v += M̃⁻¹ H I; the natural map of its law at the shifted velocity u [m/s]. */
    void (*velocity)(const tl_problem *, const tl_coupled *, const tl_velocities *, double V[3]);
    void (*impulse)(const tl_problem *, const tl_coupled *, const tl_velocities *, const double I[3]);
    tl_errors (*error)(const tl_coupled *, const double u[3]);
    /* Twice the kinetic energy that a grain has after this impulse and moment about its centre, world axes, from rest. */
    double (*gain)(const tl_problem *, int body, tl_vec3 impulse, tl_vec3 moment);
    const struct tl_pack_ops *packs;
} tl_problem_ops;

/* Of contacts in packs, on rows of grains that are given or the problem's own. pack_ops2.c, pack_ops3.c. */
typedef struct tl_pack_ops {
    /* Sweeps to the tolerance; or the warm start alone. The error of the present impulses, as tl_problem_errors. Impulses and V⁺ of all contacts. */
    talus_status (*sweep)(tl_problem *, tl_step *);
    void (*start)(tl_problem *, tl_step *);
    double (*residual)(tl_problem *, tl_step *);
    void (*write_back)(tl_problem *, tl_step *);
    void (*push_back)(const tl_problem *, double *grain, tl_step *); /* what their impulses made is taken off */
    void (*join)(const tl_problem *, double *grain);                 /* parts of split grains to their mean velocity */
    void (*spread)(tl_problem *);                                    /* their velocity to all parts of split grains  */
    /* As rows of the problem as a value (local_rows.h), of those lanes that are not −1, from velocities without impulses; the end of a coupled contact at a
     * grain; a grain, of velocities without impulses, for the global problem. MEMORY. */
    talus_status (*add)(const tl_problem *, double *free, const int *lane, struct tl_local_rows *, tl_step *);
    talus_status (*add_grain_end)(const tl_problem *, const tl_coupled *, int side, struct tl_local_rows *, tl_step *);
    talus_status (*say_grain)(const tl_problem *, const double *free, int body, tl_step *, struct tl_global_group *);
    /* Impulses I [numbers][axes] instead of the present ones, where contacts have a number. */
    void (*change)(tl_problem *, const int *number, const double *I);
    void (*before)(const tl_problem *, int lane, double V[3]);                                /* V⁻ */
    void (*take_back)(tl_problem *, struct tl_guard *, const tl_velocities *free, tl_step *); /* guard.h */
} tl_pack_ops;

struct tl_problem {
    /* given: bodies */
    int bodies;
    const double *inverse_mass; /* [bodies] 0: boundary                                                         */
    const double *radius;       /* [bodies] of spheres that are their own centre of mass; 0: another shape. NULL: there are none */
    double *const *v;           /* [matters] velocities of the other matter, from 1; in v_free, out v⁺          */
    tl_matter *const *matter;   /* [matters]                                                                    */
    int matters;
    const tl_cell *cell; /* NULL: no direction is periodic */
    bool pulls;          /* some law has an offset */
    /* given: contacts */
    tl_contact *contact;
    int contacts;
    /* given: what else holds. blocks NULL: nothing does, and no law has moments */
    tl_blocks *blocks;
    const tl_constraint *constraint;
    int constraints;
    const tl_moments *moments; /* NULL: none has any */
    /* given: settings */
    double h, slop;
    bool drift_whole; /* what is deeper than the slop is taken back at once: in passes of a search for equilibrium */
    tl_holding holding;
    double back;                         /* tl_law_view */
    double relaxation;                   /* of contacts, GAPS [s] */
    double most_error;                   /* that a tolerance of forces may allow [m/s] */
    const talus_solver_settings *solver; /* tolerance > 0 or never reached; max_iterations: of this solve */
    /* made by bind */
    const tl_problem_ops *ops;
    tl_stand_ins given; /* matter and v as given: above are those of large matter that stand in for it */
    double *grain;      /* [rows] of the grains, ops->grain.stride numbers each                        */
    int rows;
    int *lane, lanes;            /* contact of each lane of the packs, −1: empty; after color                   */
    tl_lanes *give;              /* [packs] Σ along n [1/kg]; NULL: none gives; after color                     */
    bool *moves;                 /* [bodies] it has mass or inertia                                             */
    const tl_clusters *clusters; /* cluster.h; NULL: there are none */
    const tl_constraint *every;  /* [every_count] constraints that are given, then contacts that are such */
    int every_count;
    const bool *is_hub; /* [bodies] hub.h; NULL: none is                                               */
    tl_domains domains;
    tl_coupled *coupled;                /* in the order of their contacts */
    int coupleds, spokes;               /* spokes: those of hubs                                              */
    int *block_contact, block_contacts; /* contacts that are constraints: the last of those of `blocks`       */
    const bool *chosen_groups;          /* [groups] those of islands to which velocities of bodies are confined; NULL: they are not */
    /* result */
    int iterations;
    double residual, residual_mean; /* largest; sum over contacts by the number of those that press [m/s] */
    double gained;                  /* energy that blows with friction gave by Newton's e (theory §5.7) [J] */
    int gained_at;                  /* the contact that gave most */
    double impulse_mean;            /* of contacts that press, as velocities (tl_errors) [m/s]; 0: none does */
    bool converged;
};

/* ---- what is asked of a problem, from bind on --------------------------------------------------------------------------------- */

static inline tl_velocities tl_problem_velocities(const tl_problem *p) { return (tl_velocities){p->grain, p->v}; }

/* The error that is enough, by the tolerance and by that of forces [m/s] (theory §5.1). */
static inline double tl_problem_suffices(const tl_problem *p)
{
    return fmax(p->solver->tolerance, fmin(p->solver->force_tolerance * p->impulse_mean, p->most_error));
}

/* Axes of a contact: 2 or 3. */
static inline int tl_axes_of(const tl_problem *p) { return p->ops->axes == 2 ? 2 : 3; }

static inline bool tl_moves(const tl_problem *p, tl_place end) { return end.matter != 0 || p->moves[end.item]; }

/* As in tl_block_end: grains, then other matter; −1: it does not move. */
static inline int tl_group_of(const tl_problem *p, tl_place end)
{
    if (end.matter != 0) return p->bodies + end.matter;
    return p->moves[end.item] ? end.item : -1;
}

/* That of its first end that moves. */
static inline int tl_group_of_contact(const tl_problem *p, const tl_contact *c)
{
    const int group = tl_group_of(p, c->a);
    return group >= 0 ? group : tl_group_of(p, c->b);
}

/* The matter at whose place a stand-in for this body's cluster is; 0: it is in none. */
static inline int tl_lead_of(const tl_problem *p, tl_place end)
{
    const int group = p->clusters ? tl_group_of(p, end) : -1;
    return group < 0 ? 0 : p->clusters->lead[group];
}

static inline bool tl_meets_cluster(const tl_problem *p, const tl_contact *c) { return tl_lead_of(p, c->a) > 0 || tl_lead_of(p, c->b) > 0; }

/* A body that deforms needs no help against an overlap. */
static inline tl_holding tl_holding_of(const tl_problem *p, const tl_contact *c)
{
    return c->gives && p->holding == TL_HOLD_GAPS ? TL_HOLD_VELOCITIES : p->holding;
}

/* Σ of the contact's spring under SPOOK, along n [1/kg]; 0: it has none. */
static inline double tl_give_of(const tl_problem *p, const tl_contact *c)
{
    const bool soft = c->law->stiffness > 0 && tl_holding_of(p, c) == TL_HOLD_GAPS;
    return soft ? tl_spook_of_contact(c->law, p->relaxation, p->h).give : 0;
}

/* Between grains that no cluster has: in a pack, unless it is a constraint, or a spoke. */
static inline bool tl_is_among_grains(const tl_problem *p, const tl_contact *c) { return c->a.matter == 0 && c->b.matter == 0 && !tl_meets_cluster(p, c); }

/* Hubs know nothing of springs. */
static inline bool tl_may_be_spoke(const tl_problem *p, const tl_contact *c) { return !c->block && tl_is_among_grains(p, c) && !(tl_give_of(p, c) > 0); }

static inline bool tl_is_spoke(const tl_problem *p, const tl_contact *c)
{
    if (!p->is_hub || !tl_may_be_spoke(p, c)) return false;
    return (p->is_hub[c->a.item] || p->is_hub[c->b.item]) && tl_moves(p, c->a) && tl_moves(p, c->b);
}

static inline bool tl_is_coupled(const tl_problem *p, const tl_contact *c)
{
    return !c->block && (c->a.matter != 0 || c->b.matter != 0 || tl_meets_cluster(p, c) || tl_is_spoke(p, c));
}

/* Contacts of packs are visited out of their order: that of the lane two packs on is fetched while this one is looked at. */
static inline void tl_problem_expect(const tl_problem *p, int lane)
{
    const int ahead = lane + 2 * TL_LANES;
    if (ahead < p->lanes && p->lane[ahead] >= 0) tl_fetch(&p->contact[p->lane[ahead]], 3 * TL_LINE);
}

/* Is it in a pack? What is not, nor coupled, is a constraint. */
static inline bool tl_is_packed(const tl_problem *p, const tl_contact *c) { return !c->block && !tl_is_coupled(p, c); }

/* Does V_n⁻ enter its law? */
static inline bool tl_recalls(const tl_problem *p, const tl_contact *c) { return c->struck || c->law->recalls || p->holding != TL_HOLD_VELOCITIES; }

/* Two that deform may come back in the step in which they go apart (tl_law_view). */
static inline double tl_back_of(const tl_problem *p, const tl_contact *c) { return c->gives == TL_GIVE_BOTH ? p->back : 0; }

/* The velocity with which an overlap may part under SPOOK: no work that was added by an unfinished solve. */
static inline double tl_parting_of(const tl_problem *p, const tl_contact *c)
{
    return tl_holding_of(p, c) == TL_HOLD_GAPS && tl_law_gap(c->law, c->state, c->gap) < 0 ? fmax(-c->shift, 0) : 0;
}

/* What the law says: what it adds to u_n, friction, offset. */
static inline void tl_bind_law(const tl_problem *p, tl_contact *c, double normal_velocity_before)
{
    const tl_law_view view = {.gap = c->gap,
                              .h = p->h,
                              .struck = c->struck,
                              .before = normal_velocity_before,
                              .share = tl_contact_share(c),
                              .weight = c->weight,
                              .state = c->state,
                              .holding = tl_holding_of(p, c),
                              .relaxation = p->relaxation,
                              .back = tl_back_of(p, c)};
    const tl_law_bound bound = tl_law_bind(c->law, &view);
    c->shift = bound.shift;
    c->friction = bound.friction;
    c->offset = bound.offset;
}

static inline bool tl_is_sheared(const tl_problem *p) { return p->cell && p->cell->sheared; }

/* How much faster than b its copy is, at the start of the step or at its end; world axes. */
static inline tl_vec3 tl_slide_at(const tl_problem *p, const tl_contact *c, bool before)
{
    return tl_is_sheared(p) ? tl_cell_slide(p->cell, c->image, before) : tl_v3(0, 0, 0);
}

/* ---- for the files of this room ----------------------------------------------------------------------------------------------- */

/* Axes n, t, s of a contact; in the plane s is z. */
void tl_problem_axes(const tl_problem *, const tl_contact *, tl_vec3 axis[3]);
/* Groups [bodies + matters] that hang together by joints, each by its root; those that any joint holds are marked in `held`, all false at first. */
void tl_problem_join_held(const tl_problem *, int *root, bool *held);
int tl_problem_group_of_grip(const void *problem, const tl_grip *); /* tl_group_of */
/* Σ of all packs, once their lanes are known. MEMORY. */
TALUS_NODISCARD talus_status tl_problem_find_give(tl_problem *, tl_step *);
/* Rows, ports, W and shifts of all coupled contacts. MEMORY, or what the matter says. */
TALUS_NODISCARD talus_status tl_problem_bind_coupled(tl_problem *, tl_step *);
/* Adds errors of coupled contacts and constraints to those of the packs; sets residual_mean and impulse_mean, returns the largest. */
double tl_problem_errors(tl_problem *, tl_errors *);
/* After the packs: impulses and V⁺ of coupled contacts and of constraints; large matter gets its velocities. */
void tl_problem_write_back_coupled(tl_problem *);
/* Positions (drift.h): where sweeps begin, of packs and of other matter, whose corrections w [matters] are zero; one sweep over coupled contacts. MEMORY. */
TALUS_NODISCARD talus_status tl_problem_drift_begin(tl_problem *, double *const *w, tl_step *, tl_drift *);
void tl_problem_drift_coupled(tl_problem *, const tl_velocities *w);
/* Of large matter, after the solve: the given velocities from the impulses, and from those of positions. */
void tl_problem_recover(tl_problem *);
void tl_problem_recover_drift(tl_problem *, const tl_velocities *w);
/* What stands in begins: no impulses, velocities of its rows from those given. */
void tl_problem_start_stand_ins(tl_problem *);
/* The impulse of a coupled contact on one of its ends, along its axes; drift: what a correction of positions does to it. */
void tl_coupled_on_end(const tl_problem *, const tl_coupled *, int side, bool drift, double out[3]);

/* Ends and friction of a coupled contact, for the problem as a value (local_rows.h). UNSUPPORTED: matter without rows; MEMORY. */
TALUS_NODISCARD talus_status tl_coupled_add_ends(const tl_problem *, const tl_coupled *, struct tl_local_rows *, tl_step *);

/* Rows of contacts that are no constraints, of all or of those that are chosen [contacts], at the present velocities, without ends at matter that says no rows;
 * impulses I [numbers][axes] of those that have a number, instead of the present ones. MEMORY, and as tl_coupled_add_ends. */
TALUS_NODISCARD talus_status tl_problem_rows(const tl_problem *, const bool *chosen, tl_step *, struct tl_local_rows *);
void tl_problem_change(tl_problem *, const int *number, const double *I);

/* ---- of a bound problem, for the step ----------------------------------------------------------------------------------------- */

/* v += M̃⁻¹ H I of other matter whose forces change with contacts, [matters][nv] from 1, with the impulses that these have after bind: their first guesses. */
void tl_problem_push(tl_problem *, double *const *v);
/* Tells other matter its final impulses (accumulate), once per port. */
void tl_problem_accumulate(const tl_problem *);
/* Some contacts of the same two bodies, in the same order. */
typedef struct tl_contacts_of_pair {
    const int *contact; /* [count] */
    int count;
} tl_contacts_of_pair;
/* The velocity V_n, weighted, that a unit impulse shared by their weights gives to the two [1/kg], of what joints and a mechanism that has both would add
 * nothing. */
TALUS_NODISCARD talus_status tl_problem_mobility(const tl_problem *, tl_step *, tl_contacts_of_pair, double *mobility);

/* problem_solve.c. To the tolerance, by the solver asked for; impulses to contact[].I, velocities to contact[].V and v. UNSUPPORTED: matter without rows, by a
 * solver that forms W; INPUT: no such solver. */
TALUS_NODISCARD talus_status tl_problem_solve(tl_problem *, tl_step *);

#endif
