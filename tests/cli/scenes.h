/* Scenes written to a folder of the test's own, the command run there, and what it said. */
#ifndef TALUS_TEST_SCENES_H
#define TALUS_TEST_SCENES_H

#include <stdarg.h>
#include <stdbool.h>

#include "test.h"

enum { LONGEST = 120 }; /* seconds that a command may take, with sanitizers on a loaded machine */

static char folder[256], said[1 << 20]; /* said: stdout and stderr of the last command */

static inline void make_folder(void)
{
    const char *root = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/talus-scenes-XXXXXX", root ? root : "/tmp");
    if (!mkdtemp(folder) || chdir(folder) != 0) abort();
}

static inline void remove_folder(void)
{
    char command[300];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    if (system(command) != 0) fprintf(stderr, "%s stays\n", folder);
}

static inline void write_bytes(const char *name, const void *bytes, size_t length)
{
    FILE *file = fopen(name, "wb");
    if (!file || fwrite(bytes, 1, length, file) != length || fclose(file) != 0) abort();
}

static inline void write_file(const char *name, const char *text) { write_bytes(name, text, strlen(text)); }

/* Runs `talus ARGUMENTS` in the folder, as the shell reads them; its exit code, 124 when it took too long, 128 + signal when it was killed. */
__attribute__((format(printf, 1, 2))) static inline int talus(const char *format, ...)
{
    char arguments[1024], command[2048];
    va_list list;
    va_start(list, format);
    vsnprintf(arguments, sizeof arguments, format, list);
    va_end(list);
    snprintf(command, sizeof command, "timeout %d '" TALUS_COMMAND "' %s >said 2>&1", LONGEST, arguments);
    const int status = system(command);
    FILE *in = fopen("said", "rb");
    const size_t n = in ? fread(said, 1, sizeof said - 1, in) : 0;
    said[n] = '\0';
    if (in) fclose(in);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* A line of what was said that holds both. */
static inline bool line_with(const char *a, const char *b)
{
    for (const char *p = said; p; p = strchr(p, '\n'), p = p ? p + 1 : NULL) {
        const char *end = p + strcspn(p, "\n"), *x = strstr(p, a), *y = strstr(p, b);
        if (x && y && x < end && y < end) return true;
    }
    return false;
}

/* `talus check` ends with 2 and a line that names the place and says the phrase. */
static inline void refused(const char *scene, const char *place, const char *phrase)
{
    write_file("scene.yaml", scene);
    const int code = talus("check scene.yaml");
    if (code != 2 || !line_with(place, phrase)) TEST_FAIL("exit %d, expected 2 and '%s' at %s of:\n%s\nit said: %.1500s", code, phrase, place, scene, said);
}

/* `talus check` ends with 0, and a line says both; NULL: nothing is said of `phrase`. */
static inline void warned(const char *scene, const char *place, const char *phrase)
{
    write_file("scene.yaml", scene);
    const int code = talus("check scene.yaml");
    if (code != 0 || !line_with(place, phrase)) TEST_FAIL("exit %d, expected 0 and '%s' with '%s' of:\n%s\nit said: %.1500s", code, place, phrase, scene, said);
}

static inline void accepted_without(const char *scene, const char *phrase)
{
    write_file("scene.yaml", scene);
    const int code = talus("check scene.yaml");
    if (code != 0 || strstr(said, phrase)) TEST_FAIL("exit %d, expected 0 and not '%s' of:\n%s\nit said: %.1500s", code, phrase, scene, said);
}

/* The first number in the last line of a table. */
static inline double last_number_of_column(const char *path)
{
    char line[4096];
    double last = (double)NAN;
    FILE *in = fopen(path, "r");
    while (in && fgets(line, sizeof line, in)) last = strtod(line, NULL);
    if (in) fclose(in);
    return last;
}

#endif
