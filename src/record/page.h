/* The streams of a page (page.c): numbers packed so that a run fits into a mail. viewer/src/streams.js unpacks what page_pack.c packs.
 *
 * Every stream is deflated on its own. Three encodings:
 *   f32    little-endian floats, shuffled into byte planes
 *   u8     bytes
 *   codes  integers in rows: differences from the row before, zigzag (0, −1, 1, −2 …), then as many byte planes as the largest needs */
#ifndef TL_PAGE_H
#define TL_PAGE_H

#include "base/base.h"
#include "record/replay.h"
#include "record/skeleton.h"

typedef struct tl_stream {
    const char *name, *encoding;
    int rows, columns, planes;
    size_t bytes; /* packed */
    double step;  /* codes: value of one unit; other streams 0 */
} tl_stream;

enum { TL_STREAMS = 50 };

typedef struct tl_pack {
    unsigned char *data;
    size_t bytes, capacity;
    tl_stream stream[TL_STREAMS];
    int streams;
    bool failed; /* memory ran out: nothing is added any more */
} tl_pack;

void tl_pack_free(tl_pack *);
/* Floats with `bits` of mantissa kept (1 … 23). */
void tl_pack_reals(tl_pack *, const char *name, const double *value, int count, int bits);
void tl_pack_bytes(tl_pack *, const char *name, const uint8_t *value, int count);
/* codes[rows][columns]: overwritten. `step` is only written down. */
void tl_pack_codes(tl_pack *, const char *name, int32_t *codes, int rows, int columns, double step);

/* ---- page_motion.c: the frames of a run as streams ------------------------------------------------------------------- */

/* How finely: lengths in 2^-length of the run's extent, angles in 2^-angle rad; forces in steps of an octave's `force`-th part: with 700 and
 * more they are right to three digits, whatever the largest of the run is. */
enum { TL_PAGE_OCTAVES = 60 }; /* below the reference: what is weaker counts as this weak */

typedef struct tl_page_level {
    int length, angle, force, reals;
    bool velocity; /* else the page takes differences between frames */
} tl_page_level;

typedef struct tl_page_frames {
    int first, stride, count;    /* of the run's frames that are shown */
    int contacts_kept;           /* most of a frame                     */
    double extent, force;        /* of the run; a reference: the largest normal force of some frames */
    double displacement, stress; /* of solids: the largest of some frames [m], [Pa] */
    double plastic_strain, cap;  /* likewise [1], [Pa] */
    int64_t contacts, contacts_shown;
} tl_page_frames;

/* What does not move: bodies, shapes, parts of mechanisms. */
void tl_page_pack_shapes(tl_pack *, const tl_replay *, const tl_skeleton *, const tl_page_level *);
/* Extent and reference force, which the others need. */
TALUS_NODISCARD talus_status tl_page_measure(const tl_replay *, tl_page_frames *, tl_error *);
/* Poses, velocities, and the largest normal force on each body. */
TALUS_NODISCARD talus_status tl_page_pack_motion(tl_pack *, const tl_replay *, const tl_page_level *, tl_page_frames *, tl_error *);
/* The strongest `contacts_kept` contacts of each frame. */
TALUS_NODISCARD talus_status tl_page_pack_contacts(tl_pack *, const tl_replay *, const tl_page_level *, tl_page_frames *, tl_error *);

/* ---- page_solids.c: finite-element solids ------------------------------------------------------------------------------ */

int tl_page_solid_nodes(const tl_replay *); /* that are drawn, of all solids */
void tl_page_pack_solids(tl_pack *, const tl_replay *);
TALUS_NODISCARD talus_status tl_page_measure_solids(const tl_replay *, tl_page_frames *, tl_error *);
/* Displacements, and stresses at nodes; where a solid yields, how it has there. */
TALUS_NODISCARD talus_status tl_page_pack_solid_motion(tl_pack *, const tl_replay *, const tl_page_level *, const tl_page_frames *, tl_error *);

#endif
