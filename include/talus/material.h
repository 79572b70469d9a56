/* Materials, and what happens where two of them touch. */
#ifndef TALUS_MATERIAL_H
#define TALUS_MATERIAL_H

#include "talus/types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct talus_material_def {
    uint32_t struct_size;
    const char *name;
    double density;   /* [kg/m³]; ≥ 0, used only where a body states no mass of its own     default 0 */
    double thickness; /* extent of planar shapes along z [m]; > 0                           default 1 */
} talus_material_def;

TALUS_API talus_material_def talus_material_def_default(void);
/* INPUT: negative or non-finite density or thickness, or a name used twice. */
TALUS_API TALUS_NODISCARD talus_status talus_material_create(talus_world *world, const talus_material_def *def, talus_material_id *out);

/* When a contact enters the problem (theory §2.1). q_m: positions at mid-step, where contacts are looked for; g: the
 * gap; V⁻, V⁺: its rate before and after. */
typedef enum talus_activation {
    TALUS_ACTIVATION_AUTO,       /* anticipated where e = 0; e > 0: active when g(q_m) ≤ 0, or would be at the next q_m */
    TALUS_ACTIVATION_GAP,        /* active when g(q_m) ≤ 0: V⁺ + e V⁻ ≥ 0 (D20 eq. 32); also when else one body would go through the other */
    TALUS_ACTIVATION_ANTICIPATED /* every near pair is active, V⁺ + max(0, g)/h ≥ 0, and those that AUTO has bounce     */
} talus_activation;

/* ---- laws: a table that scenes, checkpoints, results and this interface read (src/law/) ---- */

/* A number of a law, a list of up to `most` numbers, or a word. */
typedef struct talus_law_key {
    const char *name, *unit; /* unit "": a plain number                                     */
    double fallback;         /* where it is not given; NaN: `text` says what holds then     */
    double low, high;        /* what is allowed                                             */
    bool positive;           /* and not 0                                                   */
    int most;                /* 1: a number                                                 */
    int dimension;           /* of the worlds that have it; 0: both                         */
    const char *text;
    const char *choices; /* words with spaces between them: it is one of these, and its number the place of that, from 0; NULL: it is none */
} talus_law_key;

/* What a law remembers of a pair of shapes from step to step. */
typedef struct talus_law_field {
    const char *name, *unit, *meaning;
} talus_law_field;

typedef struct talus_law {
    const char *name, *text;
    const talus_law_key *key;
    int keys;
    const talus_law_field *field;
    int fields;
} talus_law;

/* "coulomb", the first, is Signorini–Coulomb with Newton's restitution; NULL: there are not so many. */
TALUS_API const talus_law *talus_law_at(int index);

/* One key of a law. */
typedef struct talus_law_value {
    const char *key;
    const double *number; /* [numbers] SI */
    int numbers;
    const char *word; /* instead of numbers, of a key with choices */
} talus_law_value;

/* What holds between two materials. */
typedef struct talus_interaction_def {
    uint32_t struct_size;
    bool enabled;                /* false: the two materials pass through each other    default true   */
    double friction;             /* μ ≥ 0                                               default 0      */
    double restitution;          /* e, 0 … 1; acts on approaching contacts only         default 0      */
    talus_activation activation; /*                                                     default AUTO   */
    /* Penalty scheme (theory §2.5): f_n = K δ + D δ̇ ≥ 0, friction ∝ V_t below friction_velocity. SPOOK: K and D alone (theory §4.4); K = 0: rigid. */
    double stiffness;             /* K > 0 [N/m]                                           default 0      */
    double damping;               /* D ≥ 0 [N s/m]; NaN: of SPOOK K times the relaxation of its settings, of others none    default NaN */
    double friction_velocity;     /* > 0 [m/s]                                             default 1e-3   */
    const char *law;              /* of talus_law_at; NULL: "coulomb"                      default NULL   */
    const talus_law_value *value; /* [values] keys of the law; copied                   default none   */
    int values;
} talus_interaction_def;

TALUS_API talus_interaction_def talus_interaction_def_default(void);
/* Sets the law for the pair (a, b), in either order; {0} for both sets the law of all pairs that have none of their own. In an assembled world it holds
 * from the next step on; laws are not part of the state: after a restore those that were changed are to be set again. INPUT: μ < 0, e outside [0, 1], an
 * unknown material or law, a key that the law has not, is missing or out of its range. UNSUPPORTED, in an assembled world: moments of contacts where matter or
 * the method takes none. */
TALUS_API TALUS_NODISCARD talus_status talus_interaction_set(talus_world *world, talus_material_id a, talus_material_id b, const talus_interaction_def *def);
/* Would it be taken in a run, whose scheme may need more of it, or less? Nothing is set. */
TALUS_API TALUS_NODISCARD talus_status talus_interaction_check(talus_world *world, talus_material_id a, talus_material_id b, const talus_interaction_def *def);

/* Materials in order of creation: the i-th has the id {i + 1, 1}. */
TALUS_API int talus_material_count(const talus_world *world);
TALUS_API const char *talus_material_name(const talus_world *world, talus_material_id material); /* "" when it has none */

#ifdef __cplusplus
}
#endif
#endif
