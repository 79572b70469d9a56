/* Time stepping schemes. A scheme is a table of stages and what it asks of laws and matter; the world, the timing, the
 * reports and the scene language walk the list of talus/world.h. A new scheme is its file and a line of that list. */
#ifndef TL_SCHEMES_H
#define TL_SCHEMES_H

#include "step/system.h"
#include "talus/world.h"

/* A part of the step, with the name that it has in reports and timings. */
typedef struct tl_stage {
    const char *name;
    talus_status (*run)(tl_system *);
} tl_stage;

/* What a scheme has to remember of every matter beside its state. */
typedef struct tl_scheme_state {
    const char *name, *unit, *meaning;
    bool single; /* one number; else one by independent rate */
} tl_scheme_state;

/* Stages run one after the other. Only the last one writes the state, and it cannot fail: a step that fails before leaves
 * the state at t_n. When it begins, v holds the velocities at the end of the step, of the grains too. */
struct tl_scheme {
    const tl_stage *stage; /* [stages] */
    int stages;
    struct tl_stages_at {
        int detect, bind, color, solve;
    } at;                                      /* of what tl_step_solve_all repeats */
    double theta;                              /* > 0: θ of every step, else the user's                                                */
    bool staggered;                            /* velocities stand between positions (tl_step)                                         */
    bool weighs;                               /* what moves goes by h ((1−θ) v_n + θ v_{n+1}): Moreau's alone                          */
    void (*begin_anew)(tl_system *, tl_place); /* between two steps: a body has come, or moves otherwise at once; matter −1: all. May be NULL */
    void (*relax)(tl_system *);                /* constraints of a step as the scheme holds them, before they are bound. NULL: as they are made */
    bool springs;                              /* contacts may have springs and dampers                                                */
    bool grains_only;                          /* it moves no other matter                                                             */
    bool without_impulses;                     /* contacts have forces: there is no contact problem                                  */
    bool without_joints;                       /* no joints between bodies, no stops, friction or drives as constraints              */
    bool without_law_states;                   /* laws have no states                                                                  */
    bool once;                                 /* its contact problem is solved once, so no contacts join it later (reach.h)           */
    const tl_scheme_state *state;              /* [states] zero at first */
    int states;
    /* What a law or a rope must have under this scheme and has not: its key in scenes; NULL: nothing. May be NULL. */
    const char *(*law_lacks)(const tl_interaction *);
    const char *(*rope_lacks)(const tl_rope *);
};

/* Each in a file of its own. */
#define TL_SCHEME_EXTERN(id, name, dimension, settings, meaning) extern const tl_scheme TL_SCHEME_##id;
TALUS_SCHEME_LIST(TL_SCHEME_EXTERN)
#undef TL_SCHEME_EXTERN

typedef struct tl_scheme_entry {
    const char *name;
    int dimension; /* 2, 3; 0: both */
    const tl_scheme *scheme;
} tl_scheme_entry;

extern const tl_scheme_entry TL_SCHEMES[];
extern const int TL_SCHEME_COUNT;

/* From now on time is booked to this stage of the scheme; −1: to none. The world begins each one in its turn; a stage that
 * repeats others begins them. */
void tl_stage_begin(tl_system *, int stage);

/* A velocity of every matter, [matters][nv], zero; in the step's memory. NULL: there is none. */
double **tl_step_vectors(tl_system *);

/* moreau.c: one matter in a step of Moreau's: q_m, M̃ and v_free; then q_{n+1} from v⁺ and a positional correction. */
TALUS_NODISCARD talus_status tl_moreau_predict(tl_matter *, tl_step *);
TALUS_NODISCARD talus_status tl_moreau_finish(tl_matter *, tl_step *, const double *v, const double *w);

/* moreau.c: v of the system in v_free, in the step's memory: where a contact problem begins. */
TALUS_NODISCARD talus_status tl_step_start_velocities(tl_system *);
/* Up to which error contacts are solved, to the outcome: tolerance, force_tolerance and most_error (theory §5.1). A start in equilibrium has its own. */
void tl_step_aim(tl_system *);

/* moreau.c: impulses to tolerance, once, and what the outcome says of it; then v⁺ of the grains to v[0], in the step's memory; the same at the end of a step,
 * with what their forces miss that were not taken anew. */
TALUS_NODISCARD talus_status tl_step_solve(tl_system *);
TALUS_NODISCARD talus_status tl_step_read_grains(tl_system *);
TALUS_NODISCARD talus_status tl_step_end_grains(tl_system *);

/* moreau.c: stages that schemes share. They book time to stages of these names. */
talus_status tl_step_predict(tl_system *);
talus_status tl_step_detect(tl_system *);
talus_status tl_step_bind(tl_system *);
talus_status tl_step_color(tl_system *);
talus_status tl_step_solve_all(tl_system *);
talus_status tl_step_remember(tl_system *);
talus_status tl_step_commit(tl_system *);

#endif
