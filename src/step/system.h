/* What a step works on, in the plane or in space: the matter, the laws, what is remembered of contacts. The geometry of contacts and their problem
 * differ: tl_system2 and tl_system3 begin with a tl_system and fill its table. Owned by the world, advanced by its scheme (schemes.h). */
#ifndef TL_SYSTEM_H
#define TL_SYSTEM_H

#include "law/law.h"
#include "matter/matter.h"
#include "solve/problem.h"
#include "step/found.h"
#include "step/joints.h"
#include "talus/material.h"
#include "talus/world.h"

/* Whose a contactor is: a shape on a body. */
typedef struct tl_owner {
    tl_place place;
    int body, material; /* of the world */
    int group;          /* those of one group never touch each other (detect/broad.h) */
    bool node;          /* a node of a solid: its shape is a point */
    int whole;          /* the contactor that stands for its surface in laws: of a solid, or of a shape of several parts, the first of its contactors,
                         which follow each other; else itself */
} tl_owner;

/* A rope: a contact without friction between two points (law/rope.h). */
typedef struct tl_rope_end {
    tl_place place;
    int body;      /* of the world */
    tl_vec3 point; /* in the axes of its body's frame [m] */
    tl_vec3 given; /* in the body's own axes, from its origin, as the user said it [m] */
} tl_rope_end;

typedef struct tl_rope {
    tl_rope_end end[2];
    double length;
    bool pushes;               /* a strut */
    double stiffness, damping; /* penalty scheme [N/m], [N s/m] */
} tl_rope;

/* What outlives a step, in order of keys. Part of the state. */
typedef struct tl_memo {
    uint64_t *key; /* [count]         */
    double *value; /* [count × width] */
    int count, width, key_capacity, value_capacity;
} tl_memo;

/* Of a contact what is read of it after its step; a contact itself is large (solve/contact.h). Its key is in the memo. */
typedef struct tl_met {
    tl_vec3 point, n;
    double I[3], V[3], gap;
    const tl_law *law; /* NULL: it has no state */
    const double *state;
    int contactor[2]; /* of a rope −1 */
    int image[3];
    bool resists;
} tl_met;

/* What the step has to say; the public report is made from it. */
typedef struct tl_outcome {
    int contacts, touching, iterations;
    double residual, residual_mean, tolerance, penetration, drift_energy;
    double force_tolerance;        /* share of the mean impulse that may be an error                               */
    double most_error;             /* but no more than this [m/s]                                                  */
    double impulse_mean, suffices; /* of the last solve: that, and the error that is enough by both tolerances [m/s] */
    bool converged;
    double crossed;           /* how deep a pair that is not in the problem will be, where that may be through the other [m]; 0: none is */
    int crossed_a, crossed_b; /* its contactors */
    double gained;            /* the most that blows with friction gave by Newton's e in a solve of the step [J] */
    int gained_a, gained_b;   /* contactors of the one that gave most */
    int lost_blows;           /* that no impulses could return (tl_contacts_lose_blows) */
    int lost_a, lost_b;       /* contactors of one of them */
    double fast;              /* penalty_rk4: ω h of its fastest contact, √(K W) h [1] */
    int fast_a, fast_b;       /* contactors of that */
} tl_outcome;

enum { TL_MOST_STAGES = 16 };

/* Where the motion of a body that is no grain is read. */
enum { TL_LINK_POINTS = 3 };
typedef struct tl_link {
    tl_port point[TL_LINK_POINTS];
} tl_link;

typedef struct tl_system tl_system;
typedef struct tl_scheme tl_scheme; /* schemes.h */

/* Velocities of a grain: v_n, with what is imposed then; v_free; as the solve left it. */
typedef enum tl_when { TL_BEFORE, TL_FREE, TL_SOLVED } tl_when;

/* What of a step knows whether the world is flat: shapes, grains, and the problem of their contacts. plane.c, space.c. */
typedef struct tl_geometry {
    int dimension;
    int contactor_bits, feature_bits; /* of a contact's key, which holds two contactors and a feature */
    const talus_body_kind *(*kinds)(const tl_system *, int *grains);
    /* Position, of q_n before and else of q_m; velocity and spin. World axes, with those of q_m. */
    void (*motion)(const tl_system *, tl_when, int grain, tl_vec3 *p, tl_vec3 *v, tl_vec3 *w);
    /* In this step h²/4 K resists changes of a free grain's spin, too: by the rows of K in its axes, where they are positive. */
    void (*stiffen)(tl_system *, int grain, const tl_mat3 *K);
    double (*ball)(const tl_system *, int contactor); /* radius of the ball about a shape [m] */
    /* detection: room for what it needs, false: no memory; of contactors where they are, found.box, and all of found.motion but the rim and what is of other
     * matter's velocities; the list of near pairs is a new one */
    bool (*begin)(tl_system *);
    void (*place)(tl_system *, int begin, int end);
    talus_status (*relisted)(tl_system *);
    /* Near pairs, some of a block: the most touches that they may have together, NULL: the list says it; theirs to found.touch, those in the
     * problem before others (tl_keep_touches), one pair behind the other in `out`. */
    int (*room)(const tl_system *, const int *pair, int count);
    void (*look)(tl_system *, const int *pair, int count, tl_touch *out);
    talus_status (*expect_looks)(tl_system *); /* before all of these, where found.touches marks those that will be looked at: room for what is kept of them */
    /* Touches of a near pair within another reach, returns how many. At more reach than it has to spare a pair may have more touches, not only further
     * ones: `more_touches`. */
    int (*touch)(const tl_system *, int pair, double reach, tl_touch *out);
    bool more_touches;
    /* Ways along which a pair that touches may pass (detect/narrow3.h). */
    void (*passes)(const tl_system *, const tl_near *, tl_passing *);
    /* the contact problem: v += M⁻¹ H I of the grains, by the first guesses of the impulses, of joints where no contact presses on what they hold together;
     * where one does, the body that it presses on has the spin of before. Scratch of the step; false: no memory. NULL: none of their forces depends on
     * velocities; contacts that share no grain side by side */
    bool (*push)(const tl_system *, double *v0);
    talus_status (*bind)(tl_system *);
    talus_status (*color)(tl_system *);
    talus_status (*drift)(tl_system *, double **w);    /* its positional correction, [matters][nv], zero on entry */
    void (*set_rows)(tl_system *, const double *v0);   /* after bind: v_free of the grains is this, [nv]          */
    void (*velocities)(const tl_system *, double *v0); /* v⁺ of the grains, [nv]                                  */
} tl_geometry;

struct tl_system {
    const tl_geometry *geometry;
    tl_problem *problem; /* of contacts, that of tl_system2 or tl_system3 */
    tl_memory memory;
    tl_step step;
    tl_matter **matter; /* [0] is the grains */
    int matters, matter_capacity;
    /* contactors and laws: fixed after assembly */
    tl_owner *owner; /* [contactors] */
    int contactors, owner_capacity;
    const tl_interaction *law; /* [materials × materials]                                       */
    int materials;
    tl_rope *rope;
    int ropes, rope_capacity;
    tl_joints joints;
    tl_cell cell;             /* periodic directions                                     */
    tl_broad broad;           /* near pairs of contactors                                */
    int *room, room_capacity; /* of these pairs, as in tl_near_list */
    talus_motion shear;       /* γ(t) of a sheared cell                                  */
    double mass;              /* of everything that moves [kg]                          */
    /* settings */
    const talus_world_def *def;       /* as the user said                                       */
    double reach;                     /* largest of the laws [m] */
    double alert, slop, skin;         /* lengths, from the user or from sizes [m]               */
    talus_solver_settings solver_now; /* of the next solve (tl_solver_now)                      */
    /* contacts */
    tl_memo memo;                  /* impulses of contacts: the next warm start                       */
    tl_memo pairs, pairs_next;     /* the state of laws, by pairs of surfaces                         */
    bool has_parts;                /* some shape is of several parts                                  */
    bool remembers, resists;       /* some law has a state; some law has moments                      */
    tl_memo moments, moments_next; /* of contacts whose law resists rolling or spinning, by their keys, as in tl_moments */
    tl_moments moments_now;        /* of this step; scratch */
    tl_law_stage pair_stage;       /* of this step                                                    */
    int pair_solves;
    tl_met *met; /* contacts of the last committed step, in the order of the memo */
    int met_count, met_capacity;
    bool weighs;       /* contacts are to know their work */
    double (*work)[3]; /* [met_count] of those contacts along n, along the tangents, by moments [J] */
    int work_capacity;
    double (*work_next)[3];   /* [next_count] of this step; scratch */
    tl_contact *contact_next; /* of this one; scratch                      */
    void *next_block;         /* where they lie: as tl_grow_lines has it */
    int next_count, next_capacity;
    double **v;    /* [matters][nv] velocities in the contact problem, from 1; those of the grains from finish on; scratch */
    tl_link *link; /* of contactors from first_link on, of what is no grain; scratch */
    int first_link;
    tl_found found; /* scratch */
    tl_outcome outcome;
    /* how it is stepped, and where the time goes */
    const tl_scheme *scheme;
    tl_holding holding;    /* of contacts in the next problem */
    bool overlaps_stay;    /* in this step, as nothing can take them back */
    double **scheme_state; /* [matters × its states], each [nv] or 1: part of the state */
    void *scheme_scratch;  /* its own, of the step */
    double stage_seconds[TL_MOST_STAGES];
    uint64_t stage_calls[TL_MOST_STAGES];
    double stage_since; /* when the present stage began */
    int stage;          /* of the scheme; −1: none      */
};

/* Settings of the next solve of this step: the user's, with the step's tolerance, and the sweeps that solves before left of max_iterations; at least a
 * quarter, for it begins from their impulses. They stay until the next call. */
static inline const talus_solver_settings *tl_solver_now(tl_system *s)
{
    const int all = s->def->solver.max_iterations, left = all - s->outcome.iterations, least = all - all / 4 * 3;
    s->solver_now = s->def->solver;
    s->solver_now.tolerance = s->outcome.tolerance;
    s->solver_now.force_tolerance = s->outcome.force_tolerance;
    s->solver_now.max_iterations = left > least ? left : least;
    return &s->solver_now;
}

/* contacts.c: of the contacts of what deforms (tl_law_view). */
double tl_contacts_back(const tl_system *);

/* τ of what has none of its own [s]: two steps, unless the user says it. */
static inline double tl_relaxation(const tl_system *s)
{
    if (s->overlaps_stay) return (double)INFINITY;
    return s->def->relaxation >= 0 ? s->def->relaxation : 2 * s->step.h;
}

/* The problem of this step, but for its grains. */
static inline tl_problem tl_problem_now(tl_system *s)
{
    return (tl_problem){.v = s->v,
                        .matter = s->matter,
                        .matters = s->matters,
                        .cell = &s->cell,
                        .pulls = s->reach > 0 || s->remembers,
                        .contact = s->contact_next,
                        .contacts = s->next_count,
                        .moments = &s->moments_now,
                        .blocks = &s->joints.blocks,
                        .constraint = s->joints.constraint,
                        .constraints = s->joints.constraints,
                        .h = s->step.h,
                        .slop = s->slop,
                        .drift_whole = s->step.still > 0,
                        .holding = s->holding,
                        .back = tl_contacts_back(s),
                        .relaxation = tl_relaxation(s),
                        .most_error = s->outcome.most_error,
                        .solver = tl_solver_now(s)};
}

/* A body that is there no more, or not yet. What is tied to it ties nothing. */
static inline bool tl_is_gone(const tl_system *s, tl_place place)
{
    int grains;
    return place.matter == 0 && s->geometry->kinds(s, &grains)[place.item] == TALUS_BODY_ABSENT;
}

/* Where a rope is tied, in the world: at q_m within a step. */
static inline tl_vec3 tl_rope_end_at(const tl_system *s, const tl_rope_end *end)
{
    const tl_matter *m = s->matter[end->place.matter];
    const tl_frame f = m->ops->frame(m, end->place.item);
    return tl_add(f.p, tl_mat3_apply(&f.R, end->point));
}

/* Ropes come after all other contacts: no contactors have such keys. */
static inline uint64_t tl_rope_key(const tl_system *s, int rope) { return UINT64_MAX - (uint64_t)(s->ropes - 1 - rope); }

/* memo.c. Room for n contacts; first remembered contact with key ≥ this one. */
TALUS_NODISCARD talus_status tl_memo_reserve(tl_memo *, tl_memory, int n, tl_error *);
int tl_memo_lower_bound(const tl_memo *, uint64_t key);
void tl_memo_free(tl_memo *, tl_memory);

/* moments.c. moments_now of the contacts that are found, as `known`, else 0; then moments_next. MEMORY. */
TALUS_NODISCARD talus_status tl_moments_find(tl_system *, const tl_memo *known);
TALUS_NODISCARD talus_status tl_moments_remember(tl_system *);

/* contacts.c. Contacts at q_m, in order of their keys. MEMORY. */
TALUS_NODISCARD talus_status tl_contacts_detect(tl_system *);
/* The same after a solve, of the touches that are found now: impulses of that solve are the first guesses. MEMORY. */
TALUS_NODISCARD talus_status tl_contacts_again(tl_system *);
/* Room for what commit keeps of them. MEMORY. */
TALUS_NODISCARD talus_status tl_contacts_remember(tl_system *);
void tl_contacts_commit(tl_system *);
/* overtake.c. Pairs that the solve makes meet and that were not in its problem: `more`, they are in it now. Not when it is `last`: then what is left is said
 * in outcome.crossed. */
TALUS_NODISCARD talus_status tl_contacts_overtake(tl_system *, bool last, bool *more);
/* By how much contacts will be deeper than the slop at the end of a step, as far as that is taken back [m]. */
typedef struct tl_depth {
    double deepest, sum; /* deepest < 0: none is deeper */
    int a, b;            /* contactors of the deepest one; −1: there is none */
} tl_depth;
/* contacts.c. Contacts, touching, penetration of the outcome; how deep they are; is that, or a joint, to be put right? */
enum { TL_LOSSES = 8 }; /* times in a step that blows are lost, at most */
/* Newton's law of impacts asks a body that friction holds in a wedge for what Coulomb's law does not let happen: no impulses solve the problem, and those that
 * sweeps come to grow beyond all bounds, and move nothing. After a solve that missed its tolerance, blows of such impulses that are far from bounced are not
 * returned in this step, and impulses are guessed anew. `some`: there are any, and all is to be bound and solved again. MEMORY. */
TALUS_NODISCARD talus_status tl_contacts_lose_blows(tl_system *, bool *some);
void tl_contacts_tally(tl_system *);
/* work.c. After a solve, where the step has one: `work`, if it is asked for. MEMORY. */
TALUS_NODISCARD talus_status tl_contacts_weigh(tl_system *);
tl_depth tl_contacts_depth(const tl_system *);
bool tl_contacts_are_deep(const tl_system *);
/* contacts.c. The problem of velocities that is bound next becomes one of displacements over h: contacts have the law of positions (law.h), about q_m, to
 * which v_free leads. After it is solved, those that press and that it closes to this gap, with how much nearer each would come by v_free [m], in the
 * step's memory: MEMORY. The widest gap of those among the contacts that are found now [m]. Of the contacts those with a gap below this and those that press,
 * as closed; ropes; and what a law reaches over. By how much those would come nearer of whose pair no contact is among these [m]; 0: there are none. */
TALUS_NODISCARD talus_status tl_contacts_aim(tl_system *);
TALUS_NODISCARD talus_status tl_contacts_note_pressing(tl_system *, double gap, tl_memo *out);
double tl_contacts_widest(const tl_system *, const tl_memo *pressing);
double tl_contacts_lost(const tl_system *, const tl_memo *pressing);
void tl_contacts_keep_closed(tl_system *, double gap, const tl_memo *pressing);

/* pairs.c. Pairs of surfaces: of two shapes, or of a shape and a solid, whose surface is one, whatever of it touches. After touches are found: found.state and
 * found.points; pairs_next, of those that touch and whose laws have a state, and of those that are remembered though they do not, in order of their keys.
 * After contacts are made: which pairs touch otherwise than `guess` recalls, and their weights. After a solve: the new state; `more`: contacts are to be bound
 * and solved again. */
TALUS_NODISCARD talus_status tl_pairs_find(tl_system *);
void tl_pairs_regroup(tl_system *, const tl_memo *guess);
TALUS_NODISCARD talus_status tl_pairs_weigh(tl_system *);
TALUS_NODISCARD talus_status tl_pairs_update(tl_system *, bool *more);
void tl_pairs_part(tl_system *);             /* before the step is committed */
void tl_pairs_forget(tl_system *, int body); /* between two steps: what is remembered of its pairs, while it is there */
static inline double *tl_state_at(const tl_system *s, int row, const tl_interaction *i)
{
    return s->pairs_next.value + (size_t)row * (size_t)s->pairs_next.width + tl_law_column(i->law);
}

#endif
