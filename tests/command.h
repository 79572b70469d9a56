/* Running the talus command in tests: a folder of its own, files in it, what the command said and how it ended. */
#ifndef TALUS_TEST_COMMAND_H
#define TALUS_TEST_COMMAND_H

#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>
#include <time.h>

#include "test.h"

static char folder[256], said[1 << 16]; /* said: stderr of the last command */

static inline void make_folder(const char *name)
{
    const char *root = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/talus-%s-XXXXXX", root ? root : "/tmp", name);
    if (!mkdtemp(folder)) abort();
}

static inline void remove_folder(void)
{
    char command[300];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    if (system(command) != 0) fprintf(stderr, "%s stays\n", folder);
}

/* Path of a file in the folder; four at a time. */
static inline const char *in_folder(const char *name)
{
    static char paths[4][512];
    static int next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

static inline void write_file(const char *name, const char *text)
{
    FILE *file = fopen(in_folder(name), "w");
    if (!file || fputs(text, file) < 0 || fclose(file) != 0) abort();
}

/* Whole file, malloc'ed; empty when it does not exist. */
static inline char *read_file(const char *name, size_t *length)
{
    FILE *file = fopen(in_folder(name), "rb");
    struct stat info;
    char *text = calloc(file && fstat(fileno(file), &info) == 0 ? (size_t)info.st_size + 1 : 1, 1);
    *length = file && text ? fread(text, 1, (size_t)info.st_size, file) : 0;
    if (file) fclose(file);
    if (!text) abort();
    return text;
}

/* Starts `talus` with these words, in the folder; stderr goes to the file "stderr". The list ends with NULL. */
static inline pid_t start_talus(const char *const *words)
{
    fflush(NULL);
    const pid_t child = fork();
    if (child != 0) return child;
    if (chdir(folder) != 0) _exit(99);
    const int err = open("stderr", O_WRONLY | O_CREAT | O_TRUNC, 0600), null = open("/dev/null", O_RDWR);
    if (dup2(err, 2) < 0 || dup2(null, 1) < 0 || dup2(null, 0) < 0) _exit(99);
    char *list[32] = {(char *)(uintptr_t) "talus"};
    for (int i = 0; words[i] && i < 30; i++) list[i + 1] = (char *)(uintptr_t)words[i];
    alarm(300);
    execv(TALUS_COMMAND, list);
    _exit(98);
}

/* Its exit code; 1000 + signal when it was killed. */
static inline int end_of(pid_t child)
{
    int status = 0;
    size_t length;
    waitpid(child, &status, 0);
    char *text = read_file("stderr", &length);
    snprintf(said, sizeof said, "%s", text);
    free(text);
    return WIFSIGNALED(status) ? 1000 + WTERMSIG(status) : WEXITSTATUS(status);
}

#define TALUS(...) end_of(start_talus((const char *const[]){__VA_ARGS__, NULL}))

/* How a command ended, and what it must have said (NULL: anything). */
#define CHECK_TALUS(code, phrase, ...)                                                                                                                         \
    do {                                                                                                                                                       \
        const int code_ = TALUS(__VA_ARGS__);                                                                                                                  \
        const char *phrase_ = (phrase);                                                                                                                        \
        if (code_ != (code)) TEST_FAIL("ended with %d, expected %d; it said: %.1000s", code_, (code), said);                                                   \
        else if (phrase_ && !strstr(said, phrase_)) TEST_FAIL("expected '%s'; it said: %.1000s", phrase_, said);                                               \
    } while (0)

static inline void pause_for(double seconds)
{
    const struct timespec t = {(time_t)seconds, (long)(1e9 * (seconds - floor(seconds)))};
    nanosleep(&t, NULL);
}

#endif
