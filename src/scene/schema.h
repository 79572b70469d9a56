/* The scene language as one table: from it come the checks, the reference page and the JSON Schema. Other files of keys and values (the cases of
 * talus verify) are checked by tables of their own. */
#ifndef TL_SCHEMA_H
#define TL_SCHEMA_H

#include "scene/expression.h"
#include "scene/node.h"
#include "talus/world.h"

typedef enum tl_key_type {
    KEY_QUANTITY,    /* number with a unit, or an expression of parameters            */
    KEY_FUNCTION,    /* the same, also of t (and q, v), or {table: [[t, x], …]}        */
    KEY_COUNT,       /* whole number                                                  */
    KEY_FLAG,        /* true, false                                                   */
    KEY_WORD,        /* one of `choices`                                              */
    KEY_TEXT,        /* any word                                                      */
    KEY_VECTOR,      /* 2 or 3 quantities                                             */
    KEY_POINTS,      /* list of vectors                                               */
    KEY_QUANTITIES,  /* list of quantities                                            */
    KEY_TENSOR,      /* such a list, or the rows of a matrix                          */
    KEY_REFERENCE,   /* name of a thing of the kind `choices`                         */
    KEY_REFERENCES,  /* list of them                                                  */
    KEY_OBJECT,      /* map with the keys `sub`                                       */
    KEY_OBJECTS,     /* list of such maps                                             */
    KEY_NAMED,       /* map from names to such maps; `choices`: of things of this kind  */
    KEY_COORDINATES, /* quantity, or map from coordinate names to quantities         */
    KEY_REGION,      /* two corners of a box, or a map with one of the keys `sub`     */
    KEY_FREE,        /* parameters: nested names and quantities                       */
    KEY_LAW,         /* name of a law of contacts (talus/material.h)                 */
    KEY_GROUPS,      /* names of groups of a mesh: one, or a list, also of maps with the keys `sub`; with `choices` these words instead */
    KEY_JOINT,       /* only ends a table: maps with the keys `sub`, named as coordinates of joints between bodies (talus/joint.h) */
    KEY_MATTER       /* the same: quantities, the parameters of materials of solids (talus/solid.h) */
} tl_key_type;

typedef struct tl_key {
    const char *name;
    tl_key_type type;
    const char *unit;              /* dimension of quantities; "?" depends on the joint            */
    const char *choices;           /* words, "word:2" and "word:3" in that dimension only; or the kind of a reference */
    tl_words_fn *words, *meanings; /* instead of choices: words that the library has, and what each means */
    bool (*in_plane)(int);         /* which of them the plane has too; NULL: all */
    const struct tl_key *sub;
    int dimension;       /* 2: of planar scenes only, 3: of spatial ones only, 0: of both   */
    const char *other;   /* what stands for it in the other dimension                     */
    const char *when;    /* "generator: lattice drop; shape: stone": beside these words of those keys only; NULL: always */
    const char *instead; /* "radius grading": one of these only, itself among them                                      */
    int numbers;         /* of a vector. 0: the scene's dimension; 3: in the plane 2 or 3  */
    double low, high;    /* allowed range; low = high = 0: any                           */
    bool positive;       /* zero is not allowed either                                   */
    bool required;
    bool stage;                  /* a function also of T */
    const char *fallback, *text; /* for the reference                                    */
    const char *law;             /* of a key that laws bring: whose it is                */
    size_t at;                   /* of a setting: where talus_world_def has it (SETTING); 0: it is read elsewhere */
} tl_key;

/* The place of a setting in talus_world_def, of the type that it is read as (tl_read_settings). */
#define SETTING(type, member) _Generic(&((talus_world_def *)NULL)->member, type * : offsetof(talus_world_def, member))

extern const tl_key TL_SCENE_KEYS[];
extern const tl_key TL_SHAPE_KEYS[], TL_INTERACTION_KEYS[];
/* keys_solids.c: shapes of many convex parts, arrays */
extern const tl_key TL_RING_KEYS[], TL_OUTLINE_KEYS[], TL_ELLIPSE_KEYS[], TL_FRUSTUM_KEYS[], TL_CONE_KEYS[], TL_TUBE_KEYS[], TL_HOPPER_KEYS[], TL_SPIRAL_KEYS[],
    TL_REVOLUTION_KEYS[];
extern const tl_key TL_REPEAT_SHAPES_KEYS[], TL_REPEAT_KEYS[];
extern const tl_key TL_GRAIN_KEYS[];                                        /* keys_grains.c */
extern const tl_key TL_SOLID_KEYS[];                                        /* keys_matter.c: solids of finite elements */
extern const tl_key TL_SHAFT_KEYS[], TL_ENGINE_KEYS[], TL_CONVERTER_KEYS[]; /* keys_driveline.c */
extern const tl_key TL_ORIENTATION_KEYS[];
extern const tl_key TL_REGION_KEYS[], TL_PROBE_KEYS[]; /* keys_probes.c */
extern const tl_key TL_HYDRAULICS_KEYS[];              /* keys_hydraulics.c */
extern const tl_key TL_TRACK_KEYS[];                   /* keys_tracks.c */
extern const tl_key TL_TYRE_KEYS[];                    /* keys_tyres.c */

/* What reading needs everywhere. */
typedef struct tl_reading {
    tl_arena *arena;
    tl_mistakes *mistakes;
    const tl_node *root;
    tl_name *names;              /* parameters */
    int name_count, input_count; /* inputs follow the parameters; only functions of time and laws see them */
    bool no_inputs;              /* a function is an input, which names no other, or a position, which must not jump */
    const double *stage_start;   /* of functions also of T, else NULL */
    int dimension;               /* of the scene */
} tl_reading;

/* How many of the names a function of time sees. */
static inline int tl_names_seen(const tl_reading *r) { return r->name_count + (r->no_inputs ? 0 : r->input_count); }

/* The words of a KEY_WORD as `choices` has them. */
enum { TL_CHOICES = 1024 };
const char *tl_key_choices(const tl_key *, char text[TL_CHOICES]);

bool tl_schema_has_key(const char *name);
/* A table may end with keys that other tables bring, those of the laws of contacts (KEY_LAW), the coordinates of joints (KEY_JOINT) or the parameters of
 * materials of solids (KEY_MATTER): they are made in `room` (key_tables.c). The i-th key, NULL after the last; the one of a name, NULL: there is none. */
const tl_key *tl_schema_key(const tl_key *keys, int i, tl_key *room);
const tl_key *tl_schema_find(const tl_key *keys, const char *name, tl_key *room);
/* idle.c. Does a key go with this word of another key? Beside which word of another key it says nothing, NULL: it does say something; which key is there that
 * it stands instead of. */
bool tl_key_goes(const tl_key *, const char *other, const char *word);
const tl_node *tl_key_idles(const tl_node *map, const tl_key *);
const tl_node *tl_key_rival(const tl_node *map, const tl_key *);
/* Where a setting, or a file in those that it includes, overrides a word or puts a key instead of another, what that makes idle leaves the tree. */
void tl_schema_supersede(tl_node *root);
/* Evaluates the parameters and the dimension, which every quantity that is read later may need. */
void tl_schema_begin(tl_reading *, const tl_key *keys);
/* After that: checks everything below the root against a table: that of scenes, or another with the same kinds of keys. */
void tl_schema_check(tl_reading *, const tl_key *keys);
/* inputs.c: inputs as names after the parameters, for which there is room; those of a world come when it is built. */
void tl_inputs_name(tl_reading *);
/* Of a scene: one name, one body, joint or loop. */
void tl_schema_check_unique(tl_reading *);
/* Value of a quantity node in SI; `fallback` where the node is NULL or wrong. Wrong ones are mistakes only when `complain`. */
double tl_quantity(tl_reading *, const tl_node *, const char *unit, double fallback, bool complain);
/* The mechanism with a link of this name; NULL: none has it (tracks.c). */
const tl_node *tl_mechanism_with(const tl_node *root, const char *link);
/* Settings that a map gives, by the places that its table says; those that it does not give stay. Words go by their number among the choices, or, where
 * the library has them, as they are. */
void tl_read_settings(tl_reading *, const tl_node *map, const tl_key *keys, talus_world_def *);
/* Compiles an expression of the names in a scope; NULL where it is wrong, which is a mistake only when `complain`. */
tl_expression *tl_compile(tl_reading *, const tl_node *, const char *unit, const tl_scope *, bool complain);
/* Compiles a function of time. */
tl_expression *tl_function(tl_reading *, const tl_node *, const char *unit);
/* All names of a kind: "material", "body", "solid", "joint", "loop", "coupling", "engine", "converter", "grains", "probe", "drive", "force", "load", "stage",
 * "state"; in a case of talus verify, "run". Returns their number, of which no more than `capacity` are written. */
int tl_schema_names(const tl_node *root, const char *kind, const char **names, int capacity);
/* Markdown or JSON Schema; malloc'ed. */
char *tl_schema_reference(bool json);

#endif
