/* checkpoint.h5: the state, field by field, and where the other files stood. Written beside and renamed: never half. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "record/record.h"

static hid_t field_type(talus_field_type type)
{
    return type == TALUS_FIELD_DOUBLE ? H5T_NATIVE_DOUBLE : type == TALUS_FIELD_INT32 ? H5T_NATIVE_INT32 : H5T_NATIVE_UINT64;
}

static bool write_state(hid_t file, const talus_field *fields, int count)
{
    bool done = true;
    for (int i = 0; done && i < count; i++) {
        const talus_field *f = &fields[i];
        char name[300];
        snprintf(name, sizeof name, "state/%.250s", f->name);
        const hsize_t shape[2] = {f->rows, f->columns};
        done = tl_h5_write(file, &(tl_h5_set){name, field_type(f->type), 2, shape, f->unit, f->meaning}, f->data);
    }
    return done;
}

/* The state as fields of the world; NULL without memory. */
static talus_field *fields_of(const talus_world *w)
{
    const int n = talus_state_count(w);
    talus_field *fields = calloc((size_t)n + 1, sizeof *fields);
    for (int i = 0; fields && i < n; i++) talus_state_field(w, i, &fields[i]);
    return fields;
}

enum { NUMBERS = 27, SIGNED = 20, FORMAT = 26, STAGES = 16 }; /* one of the numbers may be negative */
/* What the numbers of the state mean. It grows when that changes though their names and sizes do not, so that no run goes on from what it would misread. */
static const double MEANING = 3;

/* Sums of the run and the sizes of its files, as one row of doubles: counts stay exact below 2⁵³. */
static void pack_numbers(const talus_record *r, const talus_world *w, double out[NUMBERS])
{
    const tl_statistics *s = &r->statistics;
    const double list[NUMBERS] = {(double)(r->base_bytes >= 0 ? r->base_bytes : ftello(r->series)),
                                  (double)(r->base_bytes >= 0 ? r->base_frames : r->trajectory.frames),
                                  (double)s->steps,
                                  (double)s->contacts,
                                  (double)s->iterations,
                                  (double)s->contact_iterations,
                                  (double)s->missed.steps,
                                  (double)s->contacts_max,
                                  s->residual_max,
                                  s->penetration_max,
                                  s->wall_seconds,
                                  s->record_seconds,
                                  (double)r->next_row,
                                  (double)r->next_frame,
                                  talus_world_step_size(w),
                                  s->loop_error_max,
                                  r->row_written,
                                  r->frame_written,
                                  s->residual_sum,
                                  s->residual_mean_sum,
                                  s->drift_energy,
                                  s->missed.worst,
                                  s->missed.worst_time,
                                  s->missed.tolerance,
                                  (double)s->candidates,
                                  (double)s->candidates_max,
                                  MEANING};
    memcpy(out, list, sizeof list);
}

/* What a checkpoint holds beside the state. */
typedef struct sums {
    const double *numbers, *stages; /* [NUMBERS], [STAGES] */
    const uint64_t *missed;         /* [TL_MISSED_BINS]    */
    const char *warnings;
} sums;

/* Of everything that a resumed run goes on from, also of what is no part of the state's hash: first guesses, statistics, sizes of files. */
static uint64_t checksum(const talus_field *fields, int count, const sums *s)
{
    uint64_t sum = tl_hash(s->numbers, NUMBERS * sizeof *s->numbers, 0);
    sum = tl_hash(s->stages, STAGES * sizeof *s->stages, sum);
    sum = tl_hash(s->missed, TL_MISSED_BINS * sizeof *s->missed, sum);
    if (s->warnings) sum = tl_hash(s->warnings, strlen(s->warnings), sum);
    for (int i = 0; i < count; i++) {
        const talus_field *f = &fields[i];
        const uint64_t size[2] = {f->rows, f->columns};
        if (f->name) sum = tl_hash(f->name, strlen(f->name), sum);
        sum = tl_hash(size, sizeof size, sum);
        sum = tl_hash(f->data, f->rows * f->columns * (f->type == TALUS_FIELD_INT32 ? sizeof(int32_t) : sizeof(double)), sum);
    }
    return sum;
}

static bool write_all(hid_t file, const talus_record *r, const talus_world *w, const talus_field *fields)
{
    double numbers[NUMBERS], stages[STAGES] = {0};
    const hsize_t one = 1, count = NUMBERS, stage_count = STAGES, bins = TL_MISSED_BINS;
    const sums s = {numbers, stages, r->statistics.missed.bin, talus_world_all_warnings(w)};
    const int n = talus_state_count(w);
    pack_numbers(r, w, numbers);
    for (int i = 0; i < talus_stage_count(w) && i < STAGES; i++) stages[i] = r->stage_before[i] + talus_stage_seconds(w, i);
    const uint64_t hash = talus_world_hash(w), sum = checksum(fields, n, &s);
    return write_state(file, fields, n) &&
           tl_h5_write(file, &(tl_h5_set){"state_hash", H5T_NATIVE_UINT64, 1, &one, NULL, "of the state: talus_world_hash"}, &hash) &&
           tl_h5_text(file, "scene", talus_scene_text(r->scene)) && tl_h5_text(file, "physics", talus_scene_physics(r->scene)) &&
           tl_h5_write(file, &(tl_h5_set){"record/numbers", H5T_NATIVE_DOUBLE, 1, &count, NULL, "sums over the run and sizes of its files"}, numbers) &&
           tl_h5_write(file, &(tl_h5_set){"record/missed", H5T_NATIVE_UINT64, 1, &bins, NULL, "steps above the tolerance, by their residual"}, s.missed) &&
           (!*s.warnings || tl_h5_text(file, "warnings", s.warnings)) &&
           tl_h5_write(file, &(tl_h5_set){"record/stage_seconds", H5T_NATIVE_DOUBLE, 1, &stage_count, "s", "time by stage"}, stages) &&
           tl_h5_write(file, &(tl_h5_set){"checksum", H5T_NATIVE_UINT64, 1, &one, NULL, "of record and state, with the contacts"}, &sum);
}

talus_status tl_checkpoint_write(const talus_record *r, const talus_world *w, const char *path, tl_error *error)
{
    char beside[4096];
    snprintf(beside, sizeof beside, "%s.tmp", path);
    const hid_t file = tl_h5_create(beside, error);
    if (file < 0) return TALUS_IO;
    talus_field *fields = fields_of(w);
    bool done = fields && write_all(file, r, w, fields);
    free(fields);
    done = H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0 && done;
    done = H5Fclose(file) >= 0 && done;
    const int handle = done ? open(beside, O_RDONLY) : -1;
    if (handle >= 0) done = fsync(handle) == 0, close(handle);
    if (!done || rename(beside, path) != 0) {
        unlink(beside);
        return tl_fail(error, TALUS_IO, "cannot write '%s': %s", path, errno ? strerror(errno) : "is the disk full?");
    }
    return TALUS_OK;
}

/* A record without a checkpoint knows nothing; with one, everything that the next row depends on. */
static void unpack_numbers(talus_record *r, const double in[NUMBERS], int64_t *series_bytes, int64_t *frames)
{
    *series_bytes = (int64_t)in[0];
    *frames = (int64_t)in[1];
    r->statistics = (tl_statistics){.steps = (uint64_t)in[2],
                                    .contacts = (uint64_t)in[3],
                                    .iterations = (uint64_t)in[4],
                                    .contact_iterations = (uint64_t)in[5],
                                    .missed = {.steps = (uint64_t)in[6], .worst = in[21], .worst_time = in[22], .tolerance = in[23]},
                                    .contacts_max = (uint64_t)in[7],
                                    .candidates = (uint64_t)in[24],
                                    .candidates_max = (uint64_t)in[25],
                                    .residual_max = in[8],
                                    .penetration_max = in[9],
                                    .wall_seconds = in[10],
                                    .record_seconds = in[11],
                                    .loop_error_max = in[15],
                                    .residual_sum = in[18],
                                    .residual_mean_sum = in[19],
                                    .drift_energy = in[SIGNED]};
    r->next_row = (uint64_t)in[12];
    r->next_frame = (uint64_t)in[13];
    r->row_written = in[16] != 0, r->frame_written = in[17] != 0;
}

static bool has_sum(hid_t file, const char *name, uint64_t wanted)
{
    hsize_t shape[3];
    uint64_t *sum = tl_h5_read(file, name, H5T_NATIVE_UINT64, shape);
    const bool same = sum && shape[0] == 1 && *sum == wanted;
    free(sum);
    return same;
}

/* The world's fields, with what the file has in place of their data: NULL from the first on that cannot be read. */
static talus_status read_fields(hid_t file, const char *path, talus_field *fields, int n, tl_error *error)
{
    for (int i = 0; i < n; i++) fields[i].data = NULL;
    for (int i = 0; i < n; i++) {
        char name[300];
        hsize_t shape[3];
        snprintf(name, sizeof name, "state/%.250s", fields[i].name);
        fields[i].data = tl_h5_read(file, name, field_type(fields[i].type), shape);
        if (!fields[i].data) return tl_fail(error, TALUS_INPUT, "'%s' is damaged, or of another scene: its '%s' cannot be read", path, name);
        fields[i].rows = shape[0], fields[i].columns = shape[1] * shape[2];
    }
    return TALUS_OK;
}

static talus_status restore(hid_t file, talus_world *w, const char *path, const sums *s, tl_error *error)
{
    const int n = talus_state_count(w);
    talus_field *fields = fields_of(w);
    if (!fields) return tl_fail(error, TALUS_MEMORY, "memory ran out");
    talus_status status = read_fields(file, path, fields, n, error);
    if (status == TALUS_OK && !has_sum(file, "checksum", checksum(fields, n, s)))
        status = tl_fail(error, TALUS_INPUT, "'%s' is damaged: it does not hold what was written (its checksum differs)", path);
    if (status == TALUS_OK) {
        status = talus_state_restore(w, fields, n);
        if (status != TALUS_OK) tl_fail(error, status, "'%s': %.900s", path, talus_world_error(w));
    }
    if (status == TALUS_OK && !has_sum(file, "state_hash", talus_world_hash(w)))
        status = tl_fail(error, TALUS_INPUT, "'%s' is damaged: its state is not the one that was written", path);
    for (int i = 0; i < n; i++) free((void *)(uintptr_t)fields[i].data);
    free(fields);
    return status;
}

static bool same_physics(hid_t file, const talus_scene *scene)
{
    hsize_t shape[3];
    char *text = tl_h5_read(file, "physics", H5T_NATIVE_CHAR, shape);
    const char *now = talus_scene_physics(scene);
    const bool same = text && shape[0] == strlen(now) && memcmp(text, now, shape[0]) == 0;
    free(text);
    return same;
}

/* A text of the file with an end; "" when there is none. NULL: no memory. */
static char *read_text(hid_t file, const char *name)
{
    hsize_t shape[3];
    char *text = tl_h5_read(file, name, H5T_NATIVE_CHAR, shape), *ended = calloc(text ? shape[0] + 1 : 1, 1);
    if (text && ended) memcpy(ended, text, shape[0]);
    free(text);
    return ended;
}

/* Is it complete, of this world and scene? Then the state and the warnings go to the world. */
static talus_status take(hid_t file, const talus_record *r, talus_world *w, const char *path, const sums *s, tl_error *error)
{
    if (s->numbers[14] != talus_world_step_size(w))
        return tl_fail(error, TALUS_INPUT, "'%s' was made with a time step of %g s; the scene says %g s", path, s->numbers[14], talus_world_step_size(w));
    if (!same_physics(file, r->scene))
        return tl_fail(error, TALUS_INPUT, "'%s' is of another scene: only time.end and output may change when a run is resumed", path);
    TL_TRY(restore(file, w, path, s, error));
    talus_world_warn(w, s->warnings);
    return talus_scene_restored(r->scene, w);
}

talus_status tl_checkpoint_read(talus_record *r, talus_world *w, const char *path, int64_t *series_bytes, int64_t *frames, tl_error *error)
{
    const hid_t file = tl_h5_open(path, error);
    if (file < 0) return tl_fail(error, TALUS_IO, "nothing to resume: cannot read '%s'", path);
    hsize_t shape[3], stage_shape[3], bins[3];
    double *numbers = tl_h5_read(file, "record/numbers", H5T_NATIVE_DOUBLE, shape);
    double *stages = tl_h5_read(file, "record/stage_seconds", H5T_NATIVE_DOUBLE, stage_shape);
    uint64_t *missed = tl_h5_read(file, "record/missed", H5T_NATIVE_UINT64, bins);
    char *warnings = read_text(file, "warnings");
    bool complete = numbers && stages && missed && warnings && shape[0] == NUMBERS && stage_shape[0] == STAGES && bins[0] == TL_MISSED_BINS;
    for (int i = 0; complete && i < NUMBERS; i++) complete = (numbers[i] >= 0 || i == SIGNED) && fabs(numbers[i]) < 9e15;
    complete = complete && numbers[FORMAT] == MEANING;
    talus_status status = complete ? take(file, r, w, path, &(sums){numbers, stages, missed, warnings}, error)
                                   : tl_fail(error, TALUS_INPUT, "'%s' is damaged, or not a checkpoint of this version of talus", path);
    if (status == TALUS_OK && numbers && stages && missed) {
        unpack_numbers(r, numbers, series_bytes, frames);
        memcpy(r->statistics.missed.bin, missed, sizeof r->statistics.missed.bin);
        for (int i = 0; i < STAGES; i++) r->stage_before[i] = stages[i];
    }
    free(numbers);
    free(stages);
    free(missed);
    free(warnings);
    H5Fclose(file);
    return status;
}
