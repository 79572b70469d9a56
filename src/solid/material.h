/* What a solid is made of (theory §10.2): a kind is one file and one line of the table in material.c.
 *
 * A material gives stress from strain, and from what it remembers of every point of an element. Strains are small; those
 * of elements that turn far are measured in axes that turn with them (element_response.h). Symmetric tensors are six
 * numbers xx, yy, zz, xy, yz, xz, as VTK has them; of strains the last three are angles, twice the tensor's. */
#ifndef TL_MATERIAL_H
#define TL_MATERIAL_H

#include "talus/solid.h"

enum { TL_MATERIAL_PARAMETERS = TALUS_SOLID_MOST_PARAMETERS, TL_MATERIAL_STATES = 16 /* at most */, TL_WRONG_ROOM = 200 };

static const int TL_PLACE[3][3] = {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}}; /* of a component of a symmetric tensor among the six */

typedef struct tl_material_kind {
    const char *name, *text;
    int parameters;
    const talus_solid_parameter *parameter;
    int states; /* numbers remembered of a point; 0 at the start of a body's life */
    const talus_solid_parameter *state;
    /* NULL, or what is wrong with the parameters; where that has numbers it is written to `text` [TL_WRONG_ROOM]. */
    const char *(*wrong)(const double *parameters, char *text);
    /* Stress [Pa] at a strain that is reached from the state `before`; `after` [states] is what is remembered then. Where `tangent` is not NULL, the derivative
     * of stress by strain along this way. False: there is no answer to be found (strain is not finite). */
    bool (*stress)(const double *parameters, const double strain[6], const double *before, double *after, double stress[6], double (*tangent)[6]);
    /* The same of four points at once, [component][point], for what is quick to know of them: a bit for each that is found, the first's is 1. What they
     * remember afterwards is not told. NULL: none is found. */
    int (*four)(const double *parameters, const double (*strain)[4], const double *const before[4], double (*stress)[4]);
    /* Elastic energy [J/m³] that is stored at a strain with this state. */
    double (*energy)(const double *parameters, const double strain[6], const double *state);
    /* How it has yielded in this state: √(ε_p : ε_p) of its plastic strain [1], and the trace of stress, taken positive, at which it begins to compact now
     * [Pa], 0 where it has no cap. NULL: it does not yield. */
    void (*yielded)(const double *parameters, const double *state, double *strain, double *cap);
    /* Plastic strain in `state` such that strain 0 has this stress: what is there becomes the place that strains are measured from. NULL: it cannot. */
    void (*renew)(const double *parameters, const double stress[6], double *state);
} tl_material_kind;

typedef struct tl_material {
    const tl_material_kind *kind;
    double parameter[TL_MATERIAL_PARAMETERS];
} tl_material;

extern const tl_material_kind TL_ELASTIC, TL_DRUCKER_PRAGER;

int tl_material_kinds(void);
const tl_material_kind *tl_material_kind_at(int index);
const tl_material_kind *tl_material_kind_named(const char *name); /* NULL: none */

/* As `stress`, in plane stress: the strain zz is found for which the stress zz vanishes. strain[2] is a first guess, and the answer. */
bool tl_plane_stress(const tl_material *, double strain[6], const double *before, double *after, double stress[6], double (*tangent)[6]);

/* √(ε:ε) of a strain. */
double tl_strain_norm(const double strain[6]);
/* Of isotropic elasticity: Lamé's constants [Pa]. */
static inline double tl_lame(double young, double poisson) { return young * poisson / ((1 + poisson) * (1 - 2 * poisson)); }
static inline double tl_shear_modulus(double young, double poisson) { return young / (2 * (1 + poisson)); }
/* Hooke's law, λ tr ε 1 + 2 G ε, and its tangent unless NULL. */
void tl_hooke(double lame, double shear, const double strain[6], double stress[6], double (*tangent)[6]);
/* The energy that it stores [J/m³]. */
double tl_hooke_energy(double lame, double shear, const double strain[6]);

#endif
