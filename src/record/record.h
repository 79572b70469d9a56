/* The parts of a record: series.csv and summary.json (record.c), trajectory.h5, checkpoint.h5. */
#ifndef TL_RECORD_H
#define TL_RECORD_H

#include <hdf5.h>
#include <stdio.h>

#include "base/base.h"
#include "talus/record.h"
#include "talus/talus.h"

enum { TL_MISSED_BINS = 4096 };

/* Steps above their tolerance (missed.c). */
typedef struct tl_missed {
    uint64_t steps, bin[TL_MISSED_BINS]; /* how many had such a residual      */
    double tolerance, worst, worst_time; /* largest of each; when [m/s, s]    */
} tl_missed;

/* Sums over the whole run, also across interruptions: part of the checkpoint. */
typedef struct tl_statistics {
    uint64_t steps, contacts, contacts_max; /* that press */
    uint64_t candidates, candidates_max;    /* near pairs: in the problem */
    uint64_t iterations, contact_iterations;
    tl_missed missed;
    double residual_max, residual_sum, residual_mean_sum, penetration_max, loop_error_max, drift_energy, wall_seconds, record_seconds;
} tl_statistics;

/* What grows with every frame, in the order of SETS in trajectory.c; frames/kind only where bodies may change theirs, frames/slide where the
 * cell is sheared. */
typedef enum tl_set {
    SET_TIME,
    SET_POSE,
    SET_VELOCITY,
    SET_CONTACT_END,
    SET_BODY,
    SET_POINT,
    SET_NORMAL,
    SET_GAP,
    SET_IMPULSE,
    SET_FORCE,
    SET_KIND,
    SET_STATE_OF,
    SET_STATE,
    SET_SLIDE,
    TL_SETS
} tl_set;

enum { TL_STATE_COLUMNS = 64 }; /* most fields of all laws together */

/* What grows with every frame of a finite-element solid (trajectory_solids.c); the last two only where its material yields. */
typedef enum tl_solid_set {
    SOLID_DISPLACEMENT,
    SOLID_VELOCITY,
    SOLID_STRAIN,
    SOLID_STRESS,
    SOLID_VON_MISES,
    SOLID_PLASTIC_STRAIN,
    SOLID_CAP,
    TL_SOLID_SETS
} tl_solid_set;

typedef struct tl_trajectory_solid {
    hid_t set[TL_SOLID_SETS]; /* −1: it has none */
    int nodes, elements;
} tl_trajectory_solid;

typedef struct tl_trajectory {
    hid_t file, set[TL_SETS];   /* open all the time: HDF5 then packs a chunk once, not at every frame */
    tl_trajectory_solid *solid; /* [solids] */
    int solids;
    int64_t frames, contacts;
    bool abandoned;    /* a write failed */
    int bodies, width; /* numbers per pose: 3 in the plane, 7 in space */
    bool kinds;        /* bodies may change their kind */
    bool sheared;      /* the cell is */
} tl_trajectory;

struct talus_record {
    const talus_scene *scene;
    char *directory;
    tl_error error;
    FILE *series;
    tl_trajectory trajectory;
    tl_statistics statistics;
    talus_step_report last;
    double stage_before[16];         /* seconds of earlier parts of this run */
    uint64_t next_row, next_frame;   /* multiples of the intervals that are due */
    double opened, begun;            /* wall clock: since the last checkpoint, and of this part of the run */
    double checkpoint_due;           /* wall clock */
    int lock;                        /* of the directory; −1: none */
    bool pending, damaged;           /* resumed, no step yet: the files are as they were; the old trajectory cannot be read */
    int64_t series_bytes;            /* where to go on in series.csv                                                        */
    int64_t base_bytes, base_frames; /* at the end: without the row and frame that only the end has, else −1                */
    bool row_written, frame_written; /* of the current step */
};

/* directory.c: a directory with those above it, as far as they are missing; IO. */
TALUS_NODISCARD talus_status tl_directory_make(const char *path, tl_error *);
/* Holds it until it is unlocked or the process ends, however it ends; IO: another process holds it, which the text names. */
TALUS_NODISCARD talus_status tl_directory_lock(const char *directory, int *lock, tl_error *);
void tl_directory_unlock(const char *directory, int *lock); /* lock −1: nothing */
/* May a file be written beside this path and take its place? Not the place of a device, a pipe or a directory. */
bool tl_may_replace(const char *path);
/* Does its scene.yaml say what the scene says, with all settings? */
bool tl_directory_has_scene(const char *directory, const talus_scene *);
/* May a run of this scene begin there? OK where nothing would be lost: nothing is there, or a run of the same scene that came to its end; with
 * `force` also otherwise, except where the scene itself would be overwritten. Else INPUT, and what to do. */
TALUS_NODISCARD talus_status tl_directory_is_free(const char *directory, const talus_scene *, bool force, tl_error *);

/* missed.c: a step that was made; `time` is its end. */
void tl_missed_add(tl_missed *, const talus_step_report *, double time);

/* trajectory.c */
talus_status tl_trajectory_create(tl_trajectory *, const char *path, const talus_world *, tl_error *);
/* A new file beside the old one with its first frames; `damaged`: the old one cannot be read, the new one has none. The old one is
 * untouched until take_place: it is replaced, or kept as trajectory-damaged.h5. */
talus_status tl_trajectory_reopen(tl_trajectory *, const char *path, const talus_world *, int64_t frames, bool *damaged, tl_error *);
talus_status tl_trajectory_take_place(tl_trajectory *, const char *path, bool damaged, tl_error *);
void tl_trajectory_discard(tl_trajectory *, const char *path);
talus_status tl_trajectory_frame(tl_trajectory *, const talus_world *, tl_error *);
bool tl_trajectory_flush(tl_trajectory *);
bool tl_trajectory_close(tl_trajectory *); /* false: something could not be written */

/* trajectory_shapes.c: what bodies look like */
bool tl_trajectory_shapes(hid_t file, const talus_world *);
/* trajectory_joints.c */
TALUS_NODISCARD bool tl_trajectory_joints(hid_t file, const talus_world *);

/* trajectory_solids.c: meshes of finite-element solids, once, and what their nodes and elements do, a row a frame. False: it could not be written. */
TALUS_NODISCARD bool tl_trajectory_solids(tl_trajectory *, const talus_world *);
TALUS_NODISCARD bool tl_trajectory_solids_frame(tl_trajectory *, const talus_world *);
TALUS_NODISCARD bool tl_trajectory_solids_copy(tl_trajectory *, hid_t old, int64_t frames); /* from another file */
bool tl_trajectory_solids_close(tl_trajectory *);
/* What its sets are called, of solid `index`: solids/0/displacement … */
void tl_solid_set_name(int index, const char *set, char out[64]);
extern const char *const TL_SOLID_SET[TL_SOLID_SETS];

/* record.c: when the next checkpoint is due, on the clock [s] on which a run began and its last checkpoint was written, from `start` to `end`; of the
 * first, all three are the same. `every` is what the scene says. Unless it does (< 0): after a second, then whenever the run has taken twice as long, at
 * least every minute; but one that takes long waits until it is no more than a hundredth of the time. */
double tl_next_checkpoint(double every, double begun, double start, double end);

/* checkpoint.c */
talus_status tl_checkpoint_write(const talus_record *, const talus_world *, const char *path, tl_error *);
/* Restores the world; where to cut series (bytes) and trajectory (frames) back to. */
talus_status tl_checkpoint_read(talus_record *, talus_world *, const char *path, int64_t *series_bytes, int64_t *frames, tl_error *);

/* h5.c: our few uses of HDF5, quiet, with errors as texts. */
hid_t tl_h5_create(const char *path, tl_error *);
hid_t tl_h5_open(const char *path, tl_error *); /* to read; also what a killed run left */
/* From here only datasets made by tl_h5_growing change, in an order that leaves what was flushed if the writer is killed. */
bool tl_h5_start_growing(hid_t file);
/* Makes what a killed or stopped writer left a file that everyone can open: takes its mark off, gives it its full length. False: it is not. */
bool tl_h5_mend(const char *path);
bool tl_h5_group(hid_t file, const char *name);
/* A dataset: its path, type, axes (shape [rank]), unit and meaning, which may be NULL. */
typedef struct tl_h5_set {
    const char *name;
    hid_t type;
    int rank;
    const hsize_t *shape;
    const char *unit, *meaning;
} tl_h5_set;
bool tl_h5_write(hid_t file, const tl_h5_set *, const void *data);
/* Empty, [0 × shape…], and grows along its first axis: `rank` counts that one too, `shape` does not; open. */
hid_t tl_h5_growing(hid_t file, const tl_h5_set *);
bool tl_h5_append(hid_t set, hid_t type, int rank, hsize_t rows, const void *data);
/* Appends the first `rows` rows of a set of another file, some at a time. */
bool tl_h5_copy_rows(hid_t from, const char *name, hid_t to, hid_t type, int rank, int64_t rows);
/* Whole dataset, malloc'ed; shape of up to three axes. NULL when absent. */
void *tl_h5_read(hid_t file, const char *name, hid_t type, hsize_t shape[3]);
/* Rows first … first + count − 1, malloc'ed; `shape` is that of the whole. NULL when they are not there. */
void *tl_h5_read_rows(hid_t file, const char *name, hid_t type, hsize_t first, hsize_t count, hsize_t shape[3]);
/* Does it lie in its file, and is it no larger, nor a chunk of it, than what is stored there can unpack to? Else no memory is asked for. */
bool tl_h5_is_credible(hid_t set);
/* h5_texts.c: rows of UTF-8. Reading: a list of `count` texts to give to tl_h5_free_texts, or NULL. */
bool tl_h5_write_texts(hid_t file, const char *name, const char *const *text, hsize_t count, const char *meaning);
char **tl_h5_read_texts(hid_t file, const char *name, int count);
void tl_h5_free_texts(char **text, int count);
bool tl_h5_text(hid_t file, const char *name, const char *text);

#endif
