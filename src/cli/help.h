/* Help, man page and shell completion, all from the one table of verbs. Of a verb's text the first line says what it does; a line that begins with
 * an option, "  -o, --output DIR     where results go", says what that means, from column 23 on. */
#ifndef TL_HELP_H
#define TL_HELP_H

#include <stdio.h>

typedef struct verb {
    const char *name, *usage, *text;
    int (*run)(int, char **);
} verb;

/* The list of verbs. */
void tl_help_print(FILE *, const verb *verbs, int count);
/* What `talus VERB --help` prints. */
void tl_help_verb(const verb *);
/* talus help [VERB] [--man] [--completion bash]; argv[0] is "help". Returns the exit code. */
int tl_help(int argc, char **argv, const verb *verbs, int count);

#endif
