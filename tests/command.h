/* The command run with words of C, in a folder of the test's own: what it wrote, and what it said. */
#ifndef TALUS_TEST_COMMAND_H
#define TALUS_TEST_COMMAND_H

#include <ftw.h>
#include <stdbool.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "test.h"

static char home[] = "/tmp/talus-test-XXXXXX";

static int remove_one(const char *path, const struct stat *s, int kind, struct FTW *walk)
{
    (void)s, (void)kind, (void)walk;
    return remove(path);
}

static inline void make_home(void)
{
    if (!mkdtemp(home)) TEST_STOP("cannot make '%s'", home);
}

static inline void remove_home(void) { nftw(home, remove_one, 16, FTW_DEPTH | FTW_PHYS); }

/* A path in it; the last eight are kept. */
static inline const char *in_home(const char *name)
{
    static char path[8][256];
    static int next;
    snprintf(path[next = (next + 1) % 8], sizeof path[0], "%s/%s", home, name);
    return path[next];
}

/* Runs the command with its words into home/output and home/errors; its exit code, −1 after a crash. */
static inline int execute(const char *const *arguments, rlim_t file_limit)
{
    const char *argv[16] = {TALUS_COMMAND};
    int status = 0;
    for (int i = 0; arguments[i] && i < 14; i++) argv[i + 1] = arguments[i];
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        if (!freopen(in_home("output"), "w", stdout) || !freopen(in_home("errors"), "w", stderr)) _exit(98);
        if (file_limit != RLIM_INFINITY) setrlimit(RLIMIT_FSIZE, &(struct rlimit){file_limit, file_limit});
        execv(TALUS_COMMAND, (char *const *)argv);
        _exit(99);
    }
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static inline const char *read_whole(const char *name)
{
    static char text[1 << 16];
    FILE *in = fopen(in_home(name), "r");
    if (!in) TEST_STOP("cannot read '%s'", name);
    text[fread(text, 1, sizeof text - 1, in)] = '\0';
    fclose(in);
    return text;
}

static inline bool says(const char *name, const char *what)
{
    const char *text = read_whole(name);
    if (!strstr(text, what)) fprintf(stderr, "not in %s: %s\n%s", name, what, text);
    return strstr(text, what) != NULL;
}

#endif
