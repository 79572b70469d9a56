/* The talus command: the table of its verbs, and their help. */
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "talus/world.h"

typedef struct verb {
    const char *name, *usage, *text;
    int (*run)(int, char **);
} verb;

static const verb VERBS[] = {
    {"run", "SCENE [-o DIR] [--threads N] [--until T] [--set path=value]... [--resume] [--quiet]",
     "run a scene; its results go to DIR (default out/NAME)\n"
     "  -o, --output DIR     where results go\n  -t, --threads N      threads; 0: all cores (default 1); results do not depend on it\n"
     "  -u, --until T        end at T seconds instead of the scene's end\n  -s, --set PATH=VALUE override a value of the scene, or a parameter\n"
     "  -r, --resume         continue an interrupted run from its checkpoint\n  -q, --quiet          no progress, no closing line",
     talus_run},
    {"check", "SCENE [--set path=value]...", "read a scene and list every mistake in it", talus_check},
    {"shot", "DIR [--time T] -o PICTURE.svg", "draw a frame of a run\n  -t, --time T         which (default: the last)\n  -o, --output FILE    the picture",
     talus_shot},
    {"verify", "[CASE]... [-o DIR] [-j N] [--quick] [--list] [--cases DIR]",
     "run the papers' and the closed-form cases, and compare: one table\n"
     "  -o, --output DIR     keep the results there, with the table and the figures in verify.html\n  -j, --jobs N         runs side by side (default 1)\n"
     "  -q, --quick          without the long runs\n  -l, --list           the cases and their titles\n"
     "  -c, --cases DIR      where the cases are (default: TALUS_VERIFY, or those that came with talus)",
     talus_verify},
    {"bench", "[NAME]... [--threads N] [--steps N] [--json FILE]", "measure this machine: disks-1000, disks-10000, disks-100000", talus_bench},
    {"schema", "[--json]", "print the reference of the scene language, or its JSON Schema", talus_schema},
    {"info", "", "print the version and what it was built with", talus_info},
};
enum { VERB_COUNT = sizeof VERBS / sizeof *VERBS };

static const char *const LATER[] = {"view", "export", "solve", "sweep"};

static void print_help(FILE *out)
{
    fprintf(out, "talus %s: machines at work in stones and soil\n\n", TALUS_VERSION);
    for (int i = 0; i < VERB_COUNT; i++) fprintf(out, "  talus %-7s %.*s\n", VERBS[i].name, (int)strcspn(VERBS[i].text, "\n"), VERBS[i].text);
    fprintf(out, "\ntalus VERB --help tells more. Exit codes: 0 done, 1 the simulation failed, 2 bad input, 130 interrupted (state saved).\n");
}

int tl_usage(const char *name, const char *format, ...)
{
    va_list arguments;
    fprintf(stderr, "talus %s: ", name);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fprintf(stderr, " (talus %s --help)\n", name);
    return EXIT_USAGE;
}

bool tl_settings_add(tl_settings *s, const char *text)
{
    if (s->count == (int)(sizeof s->item / sizeof *s->item)) return false;
    s->item[s->count++] = text;
    return true;
}

static int unknown_verb(const char *word)
{
    for (size_t i = 0; i < sizeof LATER / sizeof *LATER; i++)
        if (strcmp(LATER[i], word) == 0) {
            fprintf(stderr, "talus: this version has no '%s' yet\n", word);
            return EXIT_USAGE;
        }
    fprintf(stderr, "talus: there is no verb '%s'", word);
    for (int i = 0; i < VERB_COUNT; i++)
        if (VERBS[i].name[0] == word[0]) {
            fprintf(stderr, "; did you mean '%s'?", VERBS[i].name);
            break;
        }
    fprintf(stderr, "\n\n");
    print_help(stderr);
    return EXIT_USAGE;
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        print_help(stderr);
        return EXIT_USAGE;
    }
    if (strcmp(argv[1], "help") == 0 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        print_help(stdout);
        return EXIT_DONE;
    }
    if (strcmp(argv[1], "--version") == 0) {
        puts("talus " TALUS_VERSION);
        return EXIT_DONE;
    }
    for (int i = 0; i < VERB_COUNT; i++) {
        if (strcmp(VERBS[i].name, argv[1]) != 0) continue;
        for (int k = 2; k < argc; k++)
            if (strcmp(argv[k], "--help") == 0 || strcmp(argv[k], "-h") == 0) {
                printf("talus %s %s\n\n%s\n", VERBS[i].name, VERBS[i].usage, VERBS[i].text);
                return EXIT_DONE;
            }
        return VERBS[i].run(argc - 1, argv + 1);
    }
    return unknown_verb(argv[1]);
}
