/* The directory of a run: made where it is missing, held by one run at a time, and not taken from the results of another. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "record/record.h"

static bool is_directory(const char *path)
{
    struct stat s;
    return stat(path, &s) == 0 && S_ISDIR(s.st_mode);
}

talus_status tl_directory_make(const char *path, tl_error *error)
{
    char part[4096];
    const size_t n = strlen(path);
    if (n == 0 || n >= sizeof part) return tl_fail(error, TALUS_IO, "'%.200s' cannot be a directory", path);
    for (size_t i = 1; i <= n; i++) {
        if (path[i] != '/' && path[i] != '\0') continue;
        memcpy(part, path, i);
        part[i] = '\0';
        if (mkdir(part, 0777) == 0) continue;
        if (errno != EEXIST) return tl_fail(error, TALUS_IO, "cannot make the directory '%s': %s", part, strerror(errno));
        if (!is_directory(part)) return tl_fail(error, TALUS_IO, "cannot make the directory '%s': something else has that name", part);
    }
    return TALUS_OK;
}

/* ---- one at a time ---------------------------------------------------------------------------------------------------- */

static void lock_path(const char *directory, char path[4096]) { snprintf(path, 4096, "%s/run.lock", directory); }

/* Who holds it, for the one who has to wait. */
static void sign(int handle)
{
    char since[40] = "", host[65] = "", text[200];
    const time_t now = time(NULL);
    struct tm local;
    if (localtime_r(&now, &local)) strftime(since, sizeof since, "%Y-%m-%d %H:%M:%S", &local);
    (void)gethostname(host, sizeof host - 1);
    const int n = snprintf(text, sizeof text, "process %ld on %s, since %s\n", (long)getpid(), host, since);
    if (ftruncate(handle, 0) != 0 || pwrite(handle, text, (size_t)n, 0) != n) return; /* a full disk: the lock holds without a name */
}

static talus_status held(const char *directory, int handle, tl_error *error)
{
    char who[200] = "";
    const ssize_t n = pread(handle, who, sizeof who - 1, 0);
    who[n > 0 ? n : 0] = '\0';
    who[strcspn(who, "\n")] = '\0';
    return tl_fail(error, TALUS_IO, "another run writes to '%s' (%s): wait until it ends, or put the results elsewhere with -o DIR", directory,
                   who[0] ? who : "by a process that did not leave its name");
}

talus_status tl_directory_lock(const char *directory, int *lock, tl_error *error)
{
    char path[4096];
    lock_path(directory, path);
    for (;;) {
        struct stat own, there;
        const int handle = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        if (handle < 0) return tl_fail(error, TALUS_IO, "cannot write '%s': %s", path, strerror(errno));
        if (flock(handle, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
            const talus_status status = held(directory, handle, error);
            close(handle);
            return status;
        } /* a file system without locks goes without */
        if (fstat(handle, &own) == 0 && stat(path, &there) == 0 && own.st_dev == there.st_dev && own.st_ino == there.st_ino) {
            sign(handle);
            *lock = handle;
            return TALUS_OK;
        }
        close(handle); /* the one before took its file away in between: try with the new one */
    }
}

void tl_directory_unlock(const char *directory, int *lock)
{
    char path[4096];
    lock_path(directory, path);
    if (*lock < 0) return;
    unlink(path); /* before the lock is gone: nobody else can hold this file */
    close(*lock);
    *lock = -1;
}

bool tl_may_replace(const char *path)
{
    struct stat s;
    return stat(path, &s) != 0 || S_ISREG(s.st_mode);
}

/* ---- what is there already -------------------------------------------------------------------------------------------- */

static bool is_there(const char *directory, const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    return access(path, F_OK) == 0;
}

bool tl_directory_has_scene(const char *directory, const talus_scene *scene)
{
    char path[4096];
    const char *text = talus_scene_text(scene);
    snprintf(path, sizeof path, "%s/scene.yaml", directory);
    FILE *in = fopen(path, "r");
    bool same = in != NULL;
    for (; same && *text; text++) same = fgetc(in) == (unsigned char)*text;
    same = same && fgetc(in) == EOF;
    if (in) fclose(in);
    return same;
}

/* A summary whose status is "done", as write_summary writes it. */
static bool is_done(const char *directory)
{
    char path[4096], line[256];
    bool done = false;
    snprintf(path, sizeof path, "%s/summary.json", directory);
    FILE *in = fopen(path, "r");
    while (in && !done && fgets(line, sizeof line, in)) done = strstr(line, "\"status\": \"done\"") != NULL;
    if (in) fclose(in);
    return done;
}

static bool is_the_scene_itself(const char *directory, const char *scene)
{
    char path[4096];
    struct stat here, there;
    snprintf(path, sizeof path, "%s/scene.yaml", directory);
    return stat(path, &here) == 0 && stat(scene, &there) == 0 && here.st_dev == there.st_dev && here.st_ino == there.st_ino;
}

talus_status tl_directory_is_free(const char *directory, const talus_scene *scene, bool force, tl_error *error)
{
    static const char *const NAMES[] = {"series.csv", "summary.json", "trajectory.h5", "checkpoint.h5", "scene.yaml"};
    const char *found = NULL;
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES && !found; i++)
        if (is_there(directory, NAMES[i])) found = NAMES[i];
    if (!found) return TALUS_OK;
    if (is_the_scene_itself(directory, talus_scene_path(scene)))
        return tl_fail(error, TALUS_INPUT, "'%s/scene.yaml' is the scene itself, which a run would overwrite: put the results elsewhere with -o DIR",
                       directory);
    if (force) return TALUS_OK;
    if (!is_there(directory, "scene.yaml"))
        return tl_fail(error, TALUS_INPUT, "'%s/%s' is there, but no scene.yaml of a run: -o DIR puts the results elsewhere, --force overwrites it", directory,
                       found);
    if (!tl_directory_has_scene(directory, scene))
        return tl_fail(error, TALUS_INPUT,
                       "'%s' has the results of another scene, or of other settings (its scene.yaml differs): -o DIR puts the new ones elsewhere, "
                       "--force overwrites the old ones",
                       directory);
    if (is_there(directory, "checkpoint.h5") && !is_done(directory))
        return tl_fail(error, TALUS_INPUT, "'%s' has a run of this scene that did not come to its end: --resume goes on with it, --force begins anew",
                       directory);
    return TALUS_OK;
}
