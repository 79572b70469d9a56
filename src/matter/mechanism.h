/* A mechanism: tree of links in relative coordinates, loops eliminated by coordinate partitioning.
 * theory §3; D20 §2.4-2.5 and eq. 15-26; L17 §3.1.
 *
 * Use: create; add links, joints, forces, drives, loops; assemble; then the operations of matter.h (the tl_matter is the first
 * member). Before assembly everything may be added in any order, except that a joint needs its two links.
 * All indices are small integers in order of creation; link −1 is the ground.
 */
#ifndef TL_MECHANISM_H
#define TL_MECHANISM_H

#include "matter/matter.h"
#include "talus/mechanism.h" /* the definition structs, whose ids are replaced by the integers passed beside them */

typedef struct tl_mechanism tl_mechanism;

/* `error` receives the text of every failure, also later ones; names in messages are as given in the definitions. */
tl_mechanism *tl_mechanism_create(tl_memory memory, const char *name, bool planar);
tl_matter *tl_mechanism_matter(tl_mechanism *mechanism);

TALUS_NODISCARD talus_status tl_mechanism_add_link(tl_mechanism *, const talus_link_def *, int *link, tl_error *);
TALUS_NODISCARD talus_status tl_mechanism_add_joint(tl_mechanism *, const talus_joint_def *, int parent, int child, int *joint, tl_error *);
TALUS_NODISCARD talus_status tl_mechanism_add_force(tl_mechanism *, int joint, const talus_joint_force_def *, const int *reads, tl_error *);
/* `reads`: the joint of each coordinate that the law reads. */
TALUS_NODISCARD talus_status tl_mechanism_add_state(tl_mechanism *, const talus_state_def *, const int *reads, int *number, tl_error *);
TALUS_NODISCARD talus_status tl_mechanism_add_drive(tl_mechanism *, int joint, const talus_drive_def *, tl_error *);
TALUS_NODISCARD talus_status tl_mechanism_set_dependent(tl_mechanism *, int joint, int coordinate, tl_error *);
/* What a loop ties: two links (−1: the ground), or the joints of a screw or gear (else −1). */
typedef struct tl_loop_ends {
    int body[2], joint[TALUS_TERMS]; /* −1: none */
} tl_loop_ends;
TALUS_NODISCARD talus_status tl_mechanism_add_loop(tl_mechanism *, const talus_loop_def *, const tl_loop_ends *, int *loop, tl_error *);
TALUS_NODISCARD talus_status tl_mechanism_add_spring(tl_mechanism *, const talus_spring_def *, int body_a, int body_b, tl_error *);
/* How many of these there are; takes back those that came since, of which nothing else knows. */
typedef struct tl_mechanism_parts {
    int links, forces, states;
} tl_mechanism_parts;
tl_mechanism_parts tl_mechanism_count(const tl_mechanism *);
void tl_mechanism_take_back(tl_mechanism *, tl_mechanism_parts before);
/* `assemble` of the operations ends the definition: checks the tree, closes the loops, detects and drops redundant loop equations (one line each, naming the
 * loop, into warnings), partitions, makes the velocities consistent with loops and drives. */

/* Where a joint's coordinate is among rates and positions; after assembly; position −1: a rate of a ball, which has no coordinate. */
typedef struct tl_coordinate_place {
    int rate, position;
    bool is_driven, is_angle;
    const char *name; /* of the joint */
} tl_coordinate_place;
TALUS_NODISCARD talus_status tl_mechanism_coordinate(const tl_mechanism *, int joint, int coordinate, tl_coordinate_place *, tl_error *);

/* Reading the committed state. */
int tl_mechanism_rates(const tl_mechanism *); /* all rate coordinates, dependent and driven ones too   */
int tl_mechanism_joint_positions(const tl_mechanism *, int joint);
int tl_mechanism_joint_rates(const tl_mechanism *, int joint);
double tl_mechanism_position(const tl_mechanism *, int joint, int coordinate);
double tl_mechanism_velocity(const tl_mechanism *, int joint, int coordinate);
double tl_mechanism_state(const tl_mechanism *, int number);                    /* NaN: there is none */
bool tl_mechanism_is_driven(const tl_mechanism *, int joint, int coordinate);   /* by a drive without a limit of its force */
double tl_mechanism_force(const tl_mechanism *, int joint, int coordinate);     /* see talus_joint_force()    */
void tl_mechanism_reaction(const tl_mechanism *, int loop, double reaction[6]); /* see talus_loop_reaction() */
double tl_mechanism_loop_error(const tl_mechanism *, int loop);                 /* loop −1: the largest       */
/* What joins two links (−1: ground), but for the bodies' ids; of a loop of coordinates false. */
void tl_mechanism_joint_connection(const tl_mechanism *, int joint, int links[2], talus_connection *);
bool tl_mechanism_loop_connection(const tl_mechanism *, int loop, int links[2], talus_connection *);
int tl_mechanism_springs(const tl_mechanism *);
void tl_mechanism_spring_connection(const tl_mechanism *, int spring, int links[2], talus_connection *);

#endif
