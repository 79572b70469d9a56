/* A run's files: series.csv row by row, summary.json at the end, and when the trajectory and the checkpoint are due (docs/results.md). */
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "record/record.h"

talus_record_def talus_record_def_default(void) { return (talus_record_def){.struct_size = sizeof(talus_record_def)}; }

static void path_in(const talus_record *r, const char *name, char path[4096]) { snprintf(path, 4096, "%s/%s", r->directory, name); }

/* ---- series.csv --------------------------------------------------------------------------------------------------- */

static talus_status series_failed(talus_record *r) { return tl_fail(&r->error, TALUS_IO, "cannot write '%s/series.csv': %s", r->directory, strerror(errno)); }

static talus_status trajectory_failed(talus_record *r)
{
    return tl_fail(&r->error, TALUS_IO, "cannot write '%s/trajectory.h5': is the disk full?", r->directory);
}

static bool write_header(const talus_record *r, FILE *out)
{
    fputs("time", out);
    for (int i = 0; i < talus_scene_probe_count(r->scene); i++) fprintf(out, ",%s", talus_scene_probe_name(r->scene, i));
    fputs(",contacts,iterations,residual,penetration,kinetic_energy,potential_energy,candidates,tolerance\n", out);
    return !ferror(out);
}

static talus_status write_row(talus_record *r, const talus_world *w)
{
    double kinetic, potential;
    talus_world_energy(w, &kinetic, &potential);
    fprintf(r->series, "%.17g", talus_world_time(w));
    for (int i = 0; i < talus_scene_probe_count(r->scene); i++) fprintf(r->series, ",%.17g", talus_scene_probe_value(r->scene, w, i));
    const talus_step_report *s = &r->last;
    fprintf(r->series, ",%d,%d,%.17g,%.17g,%.17g,%.17g,%d,%.17g\n", s->touching, s->iterations, s->residual, s->penetration, kinetic, potential, s->contacts,
            s->tolerance);
    return ferror(r->series) ? series_failed(r) : TALUS_OK;
}

/* ---- what is due -------------------------------------------------------------------------------------------------- */

/* The k-th multiple of an interval is due at the first step that reaches it, within a thousandth of a step. */
static bool is_due(const talus_world *w, double interval, uint64_t *next)
{
    if (interval < 0) return false;
    const double now = talus_world_time(w) + 1e-3 * talus_world_step_size(w);
    if (interval > 0 && now < (double)*next * interval) return false;
    *next = interval > 1e-3 * talus_world_step_size(w) ? (uint64_t)(now / interval) + 1 : 0; /* shorter ones are due at every step */
    return true;
}

static talus_status write_due(talus_record *r, const talus_world *w, bool always)
{
    r->row_written = is_due(w, talus_scene_series_interval(r->scene), &r->next_row);
    if (r->row_written || always) TL_TRY(write_row(r, w));
    r->frame_written = is_due(w, talus_scene_frame_interval(r->scene), &r->next_frame);
    if (r->frame_written) TL_TRY(tl_trajectory_frame(&r->trajectory, w, &r->error));
    return TALUS_OK;
}

/* ---- opening ------------------------------------------------------------------------------------------------------ */

/* Whole or not at all: the next run asks it whose results these are. */
static talus_status write_scene(talus_record *r)
{
    char path[4096], beside[4096 + 8];
    path_in(r, "scene.yaml", path);
    snprintf(beside, sizeof beside, "%s.tmp", path);
    FILE *out = fopen(beside, "w");
    bool done = out && fputs(talus_scene_text(r->scene), out) >= 0;
    if (out) done = fclose(out) == 0 && done;
    if (done && rename(beside, path) == 0) return TALUS_OK;
    const talus_status status = tl_fail(&r->error, TALUS_IO, "cannot write '%s': %s", path, strerror(errno));
    unlink(beside);
    return status;
}

/* Contact problems of an earlier run, which nothing would tell from this one's. */
static void forget_problems(const talus_record *r)
{
    char folder[4096], path[4096 + 300];
    path_in(r, "problems", folder);
    DIR *all = opendir(folder);
    for (struct dirent *one; all && (one = readdir(all)) != NULL;) {
        const size_t length = strlen(one->d_name);
        if (strncmp(one->d_name, "step-", 5) != 0 || length < 5 || strcmp(one->d_name + length - 5, ".hdf5") != 0) continue;
        snprintf(path, sizeof path, "%s/%s", folder, one->d_name);
        unlink(path);
    }
    if (all) closedir(all);
}

static talus_status open_new(talus_record *r, const talus_world *w)
{
    char path[4096];
    forget_problems(r);
    path_in(r, "checkpoint.h5", path);
    unlink(path); /* of an earlier run: it must not be resumed by mistake */
    path_in(r, "summary.json", path);
    unlink(path);
    TL_TRY(write_scene(r));
    path_in(r, "series.csv", path);
    r->series = fopen(path, "w");
    if (!r->series) return series_failed(r);
    if (!write_header(r, r->series)) return series_failed(r);
    path_in(r, "trajectory.h5", path);
    TL_TRY(tl_trajectory_create(&r->trajectory, path, w, &r->error));
    return write_due(r, w, true);
}

/* Does a row of this scene's columns end where the checkpoint says? */
static bool continues(const talus_record *r)
{
    bool same = r->series_bytes > 0 && fseeko(r->series, r->series_bytes - 1, SEEK_SET) == 0 && fgetc(r->series) == '\n';
    char *wanted = NULL;
    size_t size = 0;
    FILE *header = open_memstream(&wanted, &size);
    if (!header) return false;
    same = write_header(r, header) && same;
    fclose(header);
    rewind(r->series);
    for (size_t i = 0; same && i < size; i++) same = fgetc(r->series) == (unsigned char)wanted[i];
    free(wanted);
    return same;
}

/* Reads the checkpoint and makes ready; the files change with the first step. */
static talus_status open_again(talus_record *r, talus_world *w)
{
    char path[4096];
    int64_t frames = 0;
    path_in(r, "checkpoint.h5", path);
    TL_TRY(tl_checkpoint_read(r, w, path, &r->series_bytes, &frames, &r->error));
    path_in(r, "series.csv", path);
    r->series = fopen(path, "r+");
    if (!r->series || fseeko(r->series, 0, SEEK_END) != 0 || ftello(r->series) < r->series_bytes)
        return tl_fail(&r->error, TALUS_IO, "'%s' ends before the checkpoint: it cannot be continued", path);
    if (!continues(r))
        return tl_fail(&r->error, TALUS_INPUT,
                       "'%s' is not what this run wrote: it has other columns (of another version?), or no row that ends where the checkpoint says", path);
    path_in(r, "trajectory.h5", path);
    r->pending = true;
    return tl_trajectory_reopen(&r->trajectory, path, w, frames, &r->damaged, &r->error);
}

/* Cuts off what came after the checkpoint. */
static talus_status go_on(talus_record *r)
{
    char path[4096];
    if (!r->pending) return TALUS_OK;
    if (ftruncate(fileno(r->series), r->series_bytes) != 0 || fseeko(r->series, r->series_bytes, SEEK_SET) != 0) return series_failed(r);
    path_in(r, "trajectory.h5", path);
    TL_TRY(tl_trajectory_take_place(&r->trajectory, path, r->damaged, &r->error));
    r->pending = false;
    return TALUS_OK;
}

double tl_next_checkpoint(double every, double begun, double start, double end)
{
    return every >= 0 ? end + every : end + fmax(fmin(fmax(end - begun, 1), 60), 100 * (end - start));
}

talus_status talus_record_open(const talus_record_def *def, const talus_scene *scene, talus_world *world, talus_record **out, char *message,
                               size_t message_size)
{
    talus_record_def own = talus_record_def_default();
    const bool given = tl_take_def(&own, sizeof own, def) && own.directory && scene && world && out;
    if (out) *out = NULL;
    if (!given && message) snprintf(message, message_size, "record: begin with talus_record_def_default(); it wants a directory, a scene and a world");
    if (!given) return TALUS_INPUT;
    def = &own;
    talus_record *r = calloc(1, sizeof *r);
    if (!r) return TALUS_MEMORY;
    r->scene = scene;
    r->directory = strdup(def->directory);
    r->opened = r->begun = tl_clock();
    r->checkpoint_due = tl_next_checkpoint(talus_scene_checkpoint_interval(scene), r->begun, r->begun, r->begun);
    r->base_bytes = -1;
    r->lock = -1;
    talus_status status = r->directory ? tl_directory_make(def->directory, &r->error) : TALUS_MEMORY;
    if (status == TALUS_OK) status = tl_directory_lock(r->directory, &r->lock, &r->error);
    if (status == TALUS_OK && !def->resume) status = tl_directory_is_free(r->directory, scene, def->force, &r->error);
    if (status == TALUS_OK) status = def->resume ? open_again(r, world) : open_new(r, world);
    if (status == TALUS_OK) {
        if (message && r->damaged)
            snprintf(message, message_size,
                     "trajectory.h5 cannot be read to the checkpoint; it is kept as trajectory-damaged.h5, and a new one begins at t = %.9g s",
                     talus_world_time(world));
        *out = r;
        return TALUS_OK;
    }
    if (message) snprintf(message, message_size, "%s", r->error.text);
    talus_record_destroy(r);
    return status;
}

/* ---- running ------------------------------------------------------------------------------------------------------ */

talus_status talus_record_checkpoint(talus_record *r, const talus_world *w)
{
    if (!r || !w) return TALUS_INPUT;
    char path[4096];
    if (r->pending) return TALUS_OK; /* nothing since the last one */
    const double start = tl_clock();
    path_in(r, "checkpoint.h5", path);
    if (fflush(r->series) != 0) return series_failed(r);
    if (!tl_trajectory_flush(&r->trajectory)) return trajectory_failed(r);
    r->statistics.wall_seconds += start - r->opened;
    r->opened = start;
    TL_TRY(tl_checkpoint_write(r, w, path, &r->error));
    r->checkpoint_due = tl_next_checkpoint(talus_scene_checkpoint_interval(r->scene), r->begun, start, tl_clock());
    return TALUS_OK;
}

static void add_up(uint64_t n, uint64_t *sum, uint64_t *most)
{
    *sum += n;
    if (n > *most) *most = n;
}

talus_status talus_record_step(talus_record *r, const talus_world *w, const talus_step_report *report)
{
    if (!r || !w || !report) return TALUS_INPUT;
    const double start = tl_clock();
    tl_statistics *s = &r->statistics;
    TL_TRY(go_on(r));
    r->last = *report;
    s->steps++;
    add_up((uint64_t)report->touching, &s->contacts, &s->contacts_max);
    add_up((uint64_t)report->contacts, &s->candidates, &s->candidates_max);
    s->iterations += (uint64_t)report->iterations;
    s->contact_iterations += (uint64_t)report->iterations * (uint64_t)report->contacts;
    tl_missed_add(&s->missed, report, talus_world_time(w));
    s->residual_max = fmax(s->residual_max, report->residual);
    s->residual_sum += report->residual;
    s->residual_mean_sum += report->residual_mean;
    s->penetration_max = fmax(s->penetration_max, report->penetration);
    s->drift_energy += report->drift_energy;
    s->loop_error_max = fmax(s->loop_error_max, report->loop_error);
    TL_TRY(write_due(r, w, false));
    if (start > r->checkpoint_due) TL_TRY(talus_record_checkpoint(r, w));
    s->record_seconds += tl_clock() - start;
    return TALUS_OK;
}

/* ---- summary.json ------------------------------------------------------------------------------------------------- */

static void json_number(FILE *out, const char *name, double value)
{
    if (isfinite(value)) fprintf(out, ",\n  \"%s\": %.17g", name, value);
    else fprintf(out, ",\n  \"%s\": null", name);
}

static void json_count(FILE *out, const char *name, uint64_t value) { fprintf(out, ",\n  \"%s\": %" PRIu64, name, value); }

/* Names of the stages with their beginnings and ends, null where they have none; why the run was over before its time. */
static void write_stages(const talus_record *r, const talus_world *w, FILE *out)
{
    char ending[1024];
    if (talus_scene_stage_count(r->scene) > 0) fputs(",\n  \"stages\": [", out);
    for (int i = 0; i < talus_scene_stage_count(r->scene); i++) {
        double start, end;
        fputs(i ? ", {\"name\": " : "{\"name\": ", out);
        tl_json_text(out, talus_scene_stage(r->scene, w, i, &start, &end));
        fprintf(out, isfinite(start) ? ", \"start\": %.17g" : ", \"start\": null", start);
        fprintf(out, isfinite(end) ? ", \"end\": %.17g}" : ", \"end\": null}", end);
    }
    if (talus_scene_stage_count(r->scene) > 0) fputc(']', out);
    if (!talus_scene_ending(r->scene, w, ending, sizeof ending)) return;
    fputs(",\n  \"ended\": ", out);
    tl_json_text(out, ending);
}

/* Steps above their tolerance; all warnings of the run, a text each. */
static void write_missed(const talus_record *r, FILE *out)
{
    talus_missed missed;
    talus_record_missed(r, &missed);
    json_count(out, "missed_steps", missed.steps);
    json_number(out, "missed_tolerance", missed.tolerance);
    json_number(out, "missed_median", missed.median);
    json_number(out, "missed_worst", missed.worst);
    json_number(out, "missed_worst_time", missed.worst_time);
    fputs(",\n  \"advice\": ", out);
    tl_json_text(out, missed.advice);
}

/* What of meshfree solids resists nothing any more. */
static void write_torn(const talus_world *w, FILE *out)
{
    bool any = false;
    for (int i = 0; i < talus_solid_count(w); i++) {
        double mass;
        const talus_solid_id solid = talus_solid_at(w, i);
        const int particles = talus_solid_torn(w, solid, &mass);
        if (particles == 0) continue;
        fputs(any ? ", {\"solid\": " : ",\n  \"torn\": [{\"solid\": ", out);
        tl_json_text(out, talus_solid_name(w, solid));
        fprintf(out, ", \"particles\": %d, \"mass\": %.17g}", particles, mass);
        any = true;
    }
    if (any) fputc(']', out);
}

static void write_warnings(const talus_world *w, FILE *out)
{
    fputs(",\n  \"warnings\": [", out);
    bool first = true;
    for (const char *line = talus_world_all_warnings(w), *end; (end = strchr(line, '\n')) != NULL; line = end + 1) {
        char *text = strndup(line, (size_t)(end - line));
        if (!first) fputs(", ", out);
        tl_json_text(out, text ? text : "memory ran out for a warning");
        first = false;
        free(text);
    }
    fputc(']', out);
}

static void write_start(const talus_world *w, FILE *out)
{
    talus_equilibrium_report e;
    if (!talus_world_equilibrium(w, &e)) return;
    fprintf(out,
            ",\n  \"start\": {\"equilibrium\": {\"passes\": %d, \"acceleration\": %.6g, \"unsolved\": %.6g, \"tolerance\": %.6g, \"force\": %.6g, \"body\": ",
            e.passes, e.acceleration, e.unsolved, e.tolerance, e.force);
    tl_json_text(out, e.worst.index1 > 0 ? talus_body_name(w, e.worst) : "");
    fprintf(out, ", \"moved\": %.6g}}", e.moved);
}

static void write_summary(const talus_record *r, const talus_world *w, const char *status, int threads, FILE *out)
{
    const tl_statistics *s = &r->statistics;
    const double steps = s->steps > 0 ? (double)s->steps : 1;
    fputs("{\n  \"version\": \"" TALUS_VERSION "\",\n  \"scene\": ", out);
    tl_json_text(out, talus_scene_path(r->scene));
    fputs(",\n  \"status\": ", out);
    tl_json_text(out, status);
    json_count(out, "steps", talus_world_steps(w));
    json_number(out, "time_end", talus_world_time(w));
    json_number(out, "wall_seconds", s->wall_seconds);
    write_stages(r, w, out);
    write_warnings(w, out);
    write_torn(w, out);
    write_start(w, out);
    fputs(",\n  \"stage_seconds\": {", out);
    for (int i = 0; i < talus_stage_count(w); i++)
        fprintf(out, "\"%s\": %.6f, ", talus_stage_name(w, i), (i < 16 ? r->stage_before[i] : 0) + talus_stage_seconds(w, i));
    fprintf(out, "\"record\": %.6f}", s->record_seconds);
    json_number(out, "contacts_mean", (double)s->contacts / steps);
    json_count(out, "contacts_max", s->contacts_max);
    json_number(out, "candidates_mean", (double)s->candidates / steps);
    json_count(out, "candidates_max", s->candidates_max);
    json_number(out, "iterations_mean", (double)s->iterations / steps);
    json_count(out, "contact_iterations", s->contact_iterations);
    json_count(out, "unconverged_steps", s->missed.steps);
    write_missed(r, out);
    json_number(out, "residual_max", s->residual_max);
    json_number(out, "residual_largest_mean", s->residual_sum / steps); /* of the largest of each step */
    json_number(out, "residual_mean", s->residual_mean_sum / steps);    /* over contacts that press, and steps */
    json_number(out, "penetration_max", s->penetration_max);
    json_number(out, "loop_error_max", s->loop_error_max);
    json_number(out, "drift_energy", s->drift_energy);
    json_count(out, "threads", (uint64_t)threads);
    json_count(out, "bodies", (uint64_t)talus_body_count(w));
    json_count(out, "degrees_of_freedom", (uint64_t)talus_degrees_of_freedom(w));
    fputs(",\n  \"probes\": {", out);
    for (int i = 0; i < talus_scene_probe_count(r->scene); i++) {
        if (i) fputs(", ", out);
        tl_json_text(out, talus_scene_probe_name(r->scene, i));
        fputs(": ", out);
        tl_json_text(out, talus_scene_probe_unit(r->scene, i));
    }
    fputc('}', out);
    fprintf(out, ",\n  \"state_hash\": \"%016" PRIx64 "\"\n}\n", talus_world_hash(w));
}

static talus_status save_summary(talus_record *r, const talus_world *w, const char *status)
{
    char path[4096], beside[4096 + 8];
    path_in(r, "summary.json", path);
    snprintf(beside, sizeof beside, "%s.tmp", path);
    FILE *out = fopen(beside, "w");
    if (!out) return tl_fail(&r->error, TALUS_IO, "cannot write '%s': %s", beside, strerror(errno));
    write_summary(r, w, status, talus_world_threads(w), out);
    bool done = fflush(out) == 0 && fsync(fileno(out)) == 0;
    done = fclose(out) == 0 && done;
    if (done && rename(beside, path) == 0) return TALUS_OK;
    return tl_fail(&r->error, TALUS_IO, "cannot write '%s': %s", path, strerror(errno));
}

static void leave_as_it_was(talus_record *r)
{
    char path[4096];
    path_in(r, "trajectory.h5", path);
    tl_trajectory_discard(&r->trajectory, path);
    (void)tl_h5_mend(path);
    fclose(r->series);
    r->series = NULL;
    r->pending = false;
}

/* Closing may fail without a word: a file counts as written when it opens again. */
static talus_status close_trajectory(talus_record *r)
{
    char path[4096];
    path_in(r, "trajectory.h5", path);
    return tl_trajectory_close(&r->trajectory) && tl_h5_mend(path) ? TALUS_OK : trajectory_failed(r);
}

/* The last frame stands outside the intervals, because it is the last. */
static bool ends_between_frames(const talus_record *r, const talus_world *w)
{
    const double interval = talus_scene_frame_interval(r->scene), h = talus_world_step_size(w);
    return interval > 0 && talus_world_time(w) - h + 1e-3 * h >= (double)(r->next_frame - 1) * interval;
}

/* A run that had ended is resumed: all stays as it was, except a trajectory that cannot be read, which is made anew from what can. */
static talus_status close_again(talus_record *r, const talus_world *w)
{
    char path[4096];
    path_in(r, "trajectory.h5", path);
    if (!r->damaged && tl_h5_mend(path)) {
        leave_as_it_was(r);
        return TALUS_OK;
    }
    TL_TRY(tl_trajectory_take_place(&r->trajectory, path, r->damaged, &r->error));
    r->pending = false;
    if (ends_between_frames(r, w)) TL_TRY(tl_trajectory_frame(&r->trajectory, w, &r->error));
    return close_trajectory(r);
}

talus_status talus_record_close(talus_record *r, const talus_world *w, const char *status)
{
    if (!r || !w || !status) return TALUS_INPUT;
    const bool finished = strcmp(status, "done") == 0;
    if (r->pending && !finished) { /* no step was made */
        leave_as_it_was(r);
        return TALUS_OK;
    }
    if (r->pending) {
        TL_TRY(close_again(r, w));
        return save_summary(r, w, status);
    }
    talus_status result = TALUS_OK;
    r->base_bytes = ftello(r->series), r->base_frames = r->trajectory.frames;
    if (finished && !r->row_written) result = write_row(r, w);
    if (finished && result == TALUS_OK && !r->frame_written && talus_scene_frame_interval(r->scene) >= 0)
        result = tl_trajectory_frame(&r->trajectory, w, &r->error);
    if (result == TALUS_OK) result = talus_record_checkpoint(r, w);
    if (fclose(r->series) != 0 && result == TALUS_OK) result = series_failed(r);
    r->series = NULL;
    const talus_status closed = close_trajectory(r);
    if (result == TALUS_OK) result = closed;
    char failure[sizeof r->error.text]; /* the summary comes last and knows of all that went wrong before it */
    snprintf(failure, sizeof failure, "%s", r->error.text);
    const talus_status summary = save_summary(r, w, result == TALUS_OK ? status : failure);
    return result == TALUS_OK ? summary : result;
}

void talus_record_destroy(talus_record *r)
{
    if (!r) return;
    if (r->pending) leave_as_it_was(r);
    if (r->series) fclose(r->series);
    (void)tl_trajectory_close(&r->trajectory);
    tl_directory_unlock(r->directory, &r->lock);
    free(r->directory);
    free(r);
}

const char *talus_record_error(const talus_record *r) { return r->error.text; }
