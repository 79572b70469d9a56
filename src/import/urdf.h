/* A robot as its URDF says it (wiki.ros.org/urdf/XML): links and joints in the axes of that format, in SI units, and notes of what was not understood.
 *
 * A joint's frame is that of its child, which `place` puts into the parent's; the child then moves along or about `axis`, given in its own frame. */
#ifndef TL_URDF_H
#define TL_URDF_H

#include "base/math.h"
#include "import/xml.h"

typedef struct tl_note {
    int line, column; /* of the URDF */
    bool mistake;     /* which ends the import; else something that is not used, or used otherwise */
    const char *text;
} tl_note;

typedef struct tl_notes {
    const char *path;
    tl_arena *arena;
    tl_note *item; /* in the arena, as the texts */
    int count, capacity, mistakes;
} tl_notes;

enum { TL_URDF_WORD = 100 }; /* bytes of a name in a scene, with its end */

typedef struct tl_urdf_link {
    const char *name;        /* as given               */
    char word[TL_URDF_WORD]; /* as scenes may have it  */
    const tl_xml *at;
    double mass;
    tl_vec3 centre;
    tl_mat3 inertia; /* about the centre, link axes */
    int joint;       /* to its parent, −1: the root  */
    bool inertial;
} tl_urdf_link;

typedef enum tl_urdf_kind { URDF_REVOLUTE, URDF_CONTINUOUS, URDF_PRISMATIC, URDF_FIXED, URDF_FLOATING, URDF_PLANAR } tl_urdf_kind;

typedef struct tl_urdf_joint {
    const char *name;
    char word[TL_URDF_WORD];
    const tl_xml *at;
    tl_urdf_kind kind;
    int parent, child; /* links */
    tl_frame place;
    tl_vec3 rpy, axis;
    double low, high;     /* infinite: no stop */
    double effort, speed; /* NaN: not given    */
    double damping, friction;
    const tl_xml *mimic;
    int leader; /* joint that it mimics: multiplier × its coordinate + offset; −1: none */
    double multiplier, offset;
    double start;
    bool still; /* nothing with inertia moves with it: it is written as a fixed one */
    bool held;  /* it mimics another one by a multiplier of 0: it stands at `offset` */
} tl_urdf_joint;

/* Has it one coordinate? */
static inline bool tl_urdf_has_one(const tl_urdf_joint *j) { return j->kind == URDF_REVOLUTE || j->kind == URDF_CONTINUOUS || j->kind == URDF_PRISMATIC; }

typedef enum tl_urdf_form { URDF_BOX, URDF_CYLINDER, URDF_SPHERE, URDF_CAPSULE, URDF_MESH } tl_urdf_form;

typedef struct tl_urdf_shape {
    tl_urdf_form form;
    const tl_xml *at;
    int link;
    bool visual;
    tl_frame place;
    tl_vec3 rpy, size;     /* of a box                       */
    double radius, length; /* of the others                  */
    const char *file;      /* of a mesh, as it is named      */
    tl_vec3 scale;
} tl_urdf_shape;

typedef struct tl_urdf {
    const char *name;
    char word[TL_URDF_WORD];
    tl_notes *notes;
    tl_urdf_link *link;
    tl_urdf_joint *joint;
    tl_urdf_shape *shape;
    int links, joints, shapes, root;
    int *order; /* [links] from the root, parents before children */
    int speeds; /* limits of effort or velocity, which are not used, and the first of them */
    const tl_xml *first_speed, *first_colour;
} tl_urdf;

/* Adds a note at an element. Notes without memory are left out. */
__attribute__((format(printf, 4, 5))) void tl_note_add(tl_notes *, const tl_xml *at, bool mistake, const char *format, ...);
void tl_notes_sort(tl_notes *);
/* Makes of a text one line that may stand in a scene's comment and on a terminal: of UTF-8, without control characters. */
void tl_clean_line(char *);

/* Reads a file; what is wrong in it are notes. Everything lives in the notes' arena. IO, INPUT: it is no XML, or no robot; MEMORY. */
TALUS_NODISCARD talus_status tl_urdf_load(tl_urdf *, tl_notes *, const char *path, tl_error *);

/* urdf_read.c. Attributes, NULL or wrong: the fallback. False: the element has no such attribute, or it is wrong. */
bool tl_urdf_numbers(tl_notes *, const tl_xml *, const char *name, int count, double *out);
double tl_urdf_number(tl_notes *, const tl_xml *, const char *name, double fallback);
/* The number that must be there. */
double tl_urdf_required(tl_notes *, const tl_xml *, const char *name);
/* <origin xyz rpy> of an element: roll, pitch, yaw about fixed axes. */
tl_frame tl_urdf_origin(tl_notes *, const tl_xml *owner, tl_vec3 *rpy);
/* Notes children and attributes beyond those in the lists, which are words with spaces between; a child with a star may come more than once. */
void tl_urdf_check(tl_notes *, const tl_xml *, const char *children, const char *attributes);
/* urdf_shape.c. A <collision> or <visual>; false: a mistake, or a form that is not known. */
bool tl_urdf_read_shape(tl_urdf *, const tl_xml *, int link);
/* urdf_joint.c. */
void tl_urdf_read_joint(tl_urdf *, const tl_xml *, tl_urdf_joint *);
int tl_urdf_find_link(const tl_urdf *, const char *name);
/* urdf_tree.c. Who hangs on whom, the order, which joints move nothing, where joints start. */
void tl_urdf_tree(tl_urdf *);

#endif
