/* The talus command: one function a verb, argv[0] is the verb. They return the exit code: 0 done, 1 the simulation failed, 2 bad input or usage,
 * 130 interrupted with the state saved. */
#ifndef TL_CLI_H
#define TL_CLI_H

#include <stdbool.h>
#include <stddef.h>

enum { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_USAGE = 2, EXIT_INTERRUPTED = 130 };

int talus_run(int argc, char **argv);
int talus_check(int argc, char **argv);
int talus_view(int argc, char **argv);
int talus_shot(int argc, char **argv);
int talus_film(int argc, char **argv);
int talus_export(int argc, char **argv);
int talus_sweep(int argc, char **argv);
int talus_bench(int argc, char **argv);
int talus_solve(int argc, char **argv);
int talus_verify(int argc, char **argv);
int talus_import(int argc, char **argv);
int talus_schema(int argc, char **argv);
int talus_info(int argc, char **argv);

/* Prints "talus VERB: text" and how to get help; returns EXIT_USAGE. */
__attribute__((format(printf, 2, 3))) int tl_usage(const char *verb, const char *format, ...);

/* Where results go unless told: out/NAME with a suffix, NAME the scene's file without its ending. Cut to size bytes. */
void tl_default_directory(char *out, size_t size, const char *scene, const char *suffix);

/* The folder of this name that came with talus: beside an installed program, or one in its build folder. Cut to size bytes. */
void tl_shared_folder(char *out, size_t size, const char *name);

/* Writes the page of a run; path NULL: DIRECTORY/page.html; bytes 0: the default. */
int tl_view_directory(const char *directory, const char *path, double bytes);

/* A time in seconds, with or without its unit: "2", "2 s". False: it is none. */
bool tl_read_seconds(const char *text, double *out);

/* FIRST:LAST:STRIDE, of which each may be missing and then keeps its value in `range`; one number is one frame. False: it is none. */
bool tl_read_frames(const char *text, int range[3]);

/* Settings collected from --set. */
typedef struct tl_settings {
    const char *item[256];
    int count;
} tl_settings;
bool tl_settings_add(tl_settings *, const char *text);

#endif
