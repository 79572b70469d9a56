/* Oil in chambers and lines, as matter (theory §9.7): nodes with a pressure each, between them what lets oil through.
 *
 * A chamber is bounded by pistons, a line has a volume of its own and what machines draw from it. The generalized velocity y of a node is the volume per time
 * (of a line: the oil at atmospheric pressure) that it takes from what moves mechanically, so that the rows of a step are  u = Σ f q̇⁺ + y = 0
 * (step/hydraulics.c), whose impulse is h times the pressure (of a line: its head). M̃⁻¹ is what the network makes of such impulses. */
#ifndef TL_FLUID_H
#define TL_FLUID_H

#include "matter/matter.h"

/* Volume per volume at atmospheric pressure, v(p), and what follows from it. */
typedef struct tl_oil {
    double bulk_modulus, air, exponent; /* [Pa]; share of gas at atmospheric pressure; of its polytropic law */
} tl_oil;

static const double TL_ATMOSPHERE = 101325; /* [Pa] */

double tl_oil_volume(const tl_oil *, double p, double *slope);
/* Head H = ∫ v dp from 0, and the pressure of a head; energy by volume at atmospheric pressure, H − p v; the pressure of a volume. */
double tl_oil_head(const tl_oil *, double p);
double tl_oil_pressure_of_head(const tl_oil *, double head, double guess);
double tl_oil_energy(const tl_oil *, double p);
double tl_oil_pressure_of_volume(const tl_oil *, double v, double guess);
double tl_oil_lowest(const tl_oil *); /* pressure; −∞: oil without air can be pulled */
/* The most that a step may come to [Pa]: the bulk modulus, at which oil has 1/e of its volume. Far above what the law of the oil is good for, but a pressure
 * that is sought needs a bound: without air the head has one, and beyond it there is no pressure. */
double tl_oil_highest(const tl_oil *);

/* Gas behind a bladder: volume [m³] and pressure before there is oil [Pa], both at first; polytropic exponent. */
typedef struct tl_bladder {
    double volume, precharge, exponent;
} tl_bladder;

double tl_bladder_oil(const tl_bladder *, double p, double *slope); /* volume of oil in it */
double tl_bladder_energy(const tl_bladder *, double p);

typedef struct tl_fluid_node {
    char *name;
    bool line;          /* else a chamber */
    double reference;   /* area by which the row's velocity is in m/s [m²] */
    double start;       /* pressure at first [Pa] */
    double volume;      /* of a line [m³] */
    tl_bladder bladder; /* of a line: volume 0: none */
    bool moved;         /* there are mechanical ends */
} tl_fluid_node;

typedef enum tl_fluid_kind { TL_FLOW_ORIFICE, TL_FLOW_LAMINAR, TL_FLOW_CHECK, TL_FLOW_GIVEN } tl_fluid_kind;

/* What lets oil through from a to b. −1: the tank, whose pressure is 0. */
typedef struct tl_fluid_element {
    tl_fluid_kind kind;
    int a, b;
    const char *name;      /* for messages; it lives as long as the fluid                               */
    double gain;           /* orifice [m³/s/√Pa], laminar, check [m³/s/Pa]; given: 1                    */
    double opens, laminar; /* heads: check: from which on it opens; orifice: below which it is laminar [Pa] */
    double leakage;        /* besides [m³/s/Pa] */
    talus_motion opening;  /* a factor on the gain, from 0 to 1; of what is given the flow [m³/s]          */
    int side;              /* of the opening, from −1 to 1: ±1: its positive or negative part; 0: there are no sides */
    double wanted;         /* of the last step: the opening that was asked for; NaN: it is within its range */
} tl_fluid_element;

typedef struct tl_fluid tl_fluid;

tl_fluid *tl_fluid_create(tl_memory, const char *name, const tl_oil *);
tl_matter *tl_fluid_matter(tl_fluid *);
const tl_oil *tl_fluid_oil(const tl_fluid *);
/* Room for so many more, so that adding them cannot fail. MEMORY, without a text. */
TALUS_NODISCARD talus_status tl_fluid_reserve(tl_fluid *, int nodes, int elements);
/* Takes over the name. Its number; −1: no memory. */
int tl_fluid_add_node(tl_fluid *, const tl_fluid_node *);
int tl_fluid_add_element(tl_fluid *, const tl_fluid_element *);
int tl_fluid_nodes(const tl_fluid *);
tl_fluid_node *tl_fluid_node_at(tl_fluid *, int node);
int tl_fluid_find(const tl_fluid *, const char *name); /* −2: there is none */
/* At assembly: volumes of chambers [nodes], those of lines are theirs; the content follows from the pressures at first. MEMORY. */
TALUS_NODISCARD talus_status tl_fluid_settle(tl_fluid *, const double *volume, tl_error *);

/* Of a step, between predict and commit: the share of V⁻ that rows recall (tl_constraint.recall); where their impulses go [nodes], as first guesses in it. */
double tl_fluid_recall(const tl_fluid *);
double *tl_fluid_impulses(tl_fluid *);
/* W of a node's own row [m/s per N s]. */
double tl_fluid_response(const tl_fluid *, int node);
/* After commit: of every node what a step has shown. */
typedef struct tl_fluid_note {
    double mobility; /* volume per time of its mechanical ends by a unit impulse of pressure [m³/s/(Pa s)] */
    double rate;     /* of their volume, as the mean of before and after [m³/s]                              */
    double volume;   /* of a chamber [m³]                                                                   */
} tl_fluid_note;
void tl_fluid_end(tl_fluid *, int node, const tl_fluid_note *);

/* Of the committed state. */
double tl_fluid_pressure(const tl_fluid *, int node);                                         /* node −1: 0 */
double tl_fluid_content(const tl_fluid *, int node);                                          /* [m³] at atmospheric pressure */
void tl_fluid_flow(const tl_fluid *, int element, double *flow, double *power, double *work); /* power and work: what is lost in it */
int tl_fluid_elements(const tl_fluid *);
const tl_fluid_element *tl_fluid_element_at(const tl_fluid *, int element);
double tl_fluid_flow_in_step(const tl_fluid *, int element); /* of a step that is solved [m³/s] */
double tl_fluid_damped(const tl_fluid *);                    /* energy that the method has taken [J] */

#endif
