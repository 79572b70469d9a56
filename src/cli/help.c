/* Help, man page and shell completion from the table of verbs (cli/help.h says how its texts are read). */
#include "cli/help.h"

#include <stdbool.h>
#include <string.h>

#include "cli/bench.h"
#include "cli/cli.h"
#include "talus/problem.h"
#include "talus/world.h"

enum { MEANING = 23 }; /* column where the meaning of an option begins */

void tl_help_print(FILE *out, const verb *verbs, int count)
{
    fprintf(out, "talus %s: machines at work in stones and soil\n\n", TALUS_VERSION);
    for (int i = 0; i < count; i++) fprintf(out, "  talus %-7s %.*s\n", verbs[i].name, (int)strcspn(verbs[i].text, "\n"), verbs[i].text);
    fprintf(out, "\ntalus VERB --help tells more. Exit codes: 0 done, 1 the simulation failed, 2 bad input, 130 interrupted (state saved).\n");
}

void tl_help_verb(const verb *v) { printf("talus %s %s\n\n%s\n", v->name, v->usage, v->text); }

/* ---- reading the texts -------------------------------------------------------------------------------------------- */

typedef struct line {
    const char *text, *meaning; /* of an option: the option, and what it means */
    int length, meaning_length;
    bool option;
} line;

/* The line at *at, which moves on; false at the end. */
static bool next_line(const char **at, line *l)
{
    if (!**at) return false;
    const int whole = (int)strcspn(*at, "\n"), indent = (int)strspn(*at, " ");
    *l = (line){.text = *at + indent, .length = whole > indent ? whole - indent : 0};
    *at += whole + ((*at)[whole] == '\n');
    l->option = indent > 0 && l->length > 1 && l->text[0] == '-';
    if (!l->option) return true;
    const char *gap = strstr(l->text, "  ");
    int length = gap && gap < l->text + l->length ? (int)(gap - l->text) : l->length;
    if (whole > MEANING && l->text[MEANING - indent - 1] == ' ') length = MEANING - indent;
    l->meaning = l->text + length, l->meaning_length = l->length - length;
    while (l->meaning_length > 0 && *l->meaning == ' ') l->meaning++, l->meaning_length--;
    while (length > 0 && l->text[length - 1] == ' ') length--;
    l->length = length;
    return true;
}

/* Options among words such as "-o, --output DIR" or "[--threads N]"; argument: one follows it. */
typedef struct word {
    const char *text;
    int length;
    bool argument;
} word;

/* From *at on, which moves on, in a text that begins at `begin`. */
static bool next_option(const char *begin, const char **at, const char *end, word *w)
{
    static const char LETTERS[] = "-abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    for (; *at < end; (*at)++) {
        if (**at != '-' || (*at > begin && !strchr(" [|", (*at)[-1]))) continue;
        w->text = *at;
        w->length = (int)strspn(w->text, LETTERS);
        *at += w->length;
        const char *next = *at;
        while (next + 1 < end && next[0] == ',' && next[1] == ' ') next += 2 + strspn(next + 2, LETTERS); /* -o, --output DIR: both take it */
        w->argument = next + 1 < end && next[0] == ' ' && next[1] != '-' && next[1] != '[';
        if (w->length > 1) return true;
    }
    return false;
}

static const char *first_options(const verb *v) { return v->text + strcspn(v->text, "\n") + (strchr(v->text, '\n') != NULL); }

/* ---- the man page ------------------------------------------------------------------------------------------------- */

/* Text in which nothing is a command: hyphens are the ones that one types. */
static void put_escaped(const char *text, int length)
{
    if (length > 0 && (text[0] == '.' || text[0] == '\'')) fputs("\\&", stdout);
    for (int i = 0; i < length; i++)
        if (text[i] == '\\') fputs("\\e", stdout);
        else if (text[i] == '-') fputs("\\-", stdout);
        else putchar(text[i]);
}

/* Options bold, what they take italic. */
static void put_option(const char *text, int length)
{
    for (int i = 0; i < length;) {
        int n = 0;
        while (i + n < length && text[i + n] != ' ' && text[i + n] != ',') n++;
        if (n > 0) {
            printf("\\f%c", text[i] == '-' ? 'B' : 'I');
            put_escaped(text + i, n);
            fputs("\\fR", stdout);
        }
        i += n;
        if (i < length) putchar(text[i++]);
    }
    putchar('\n');
}

static void man_verb(const verb *v)
{
    line l;
    const char *at = v->text;
    printf(".SS %s\n.B talus %s\n", v->name, v->name);
    put_escaped(v->usage, (int)strlen(v->usage));
    putchar('\n');
    while (next_line(&at, &l)) {
        if (l.length == 0) continue;
        fputs(l.option ? ".TP\n" : ".PP\n", stdout);
        if (!l.option) put_escaped(l.text, l.length);
        else {
            put_option(l.text, l.length);
            put_escaped(l.meaning, l.meaning_length);
        }
        putchar('\n');
    }
}

static void print_man(const verb *verbs, int count)
{
    printf(".TH TALUS 1 \"\" \"talus %s\" \"User Commands\"\n.SH NAME\ntalus \\- machines at work in stones and soil\n", TALUS_VERSION);
    fputs(".SH SYNOPSIS\n.B talus\n.I VERB\n.RI [ ARGUMENT ]...\n.br\n.B talus\n.B help\n.RI [ VERB ]\n.br\n.B talus \\-\\-version\n"
          ".SH DESCRIPTION\n.B talus\nsimulates articulated mechanisms at work among stones and grains, with nonsmooth contact, impact and dry friction.\n"
          "A scene is a text file; a run leaves its results in a directory; the other verbs read what a run left.\n"
          "Numbers of a scene have units; times on the command line are in seconds.\n.SH VERBS\n",
          stdout);
    for (int i = 0; i < count; i++) man_verb(&verbs[i]);
    fputs(".SH FILES\nIn the directory of a run:\n", stdout);
    static const char *const FILES[][2] = {{"series.csv", "one row per recorded step: time, probes, contacts, iterations, energies, near pairs"},
                                           {"summary.json", "counts, means and extremes of the run, and how it ended"},
                                           {"trajectory.h5", "shapes, and poses, velocities and contacts of every frame"},
                                           {"checkpoint.h5", "the state, from which an interrupted run goes on"},
                                           {"scene.yaml", "the scene, with what it includes and with its settings"}};
    for (size_t i = 0; i < sizeof FILES / sizeof *FILES; i++) printf(".TP\n.I %s\n%s\n", FILES[i][0], FILES[i][1]);
    fputs(".SH EXIT STATUS\n.TP\n.B 0\ndone\n.TP\n.B 1\nthe simulation failed\n.TP\n.B 2\nbad input or usage\n.TP\n.B 130\ninterrupted; the state is saved\n"
          ".SH EXAMPLES\n.nf\ntalus check heap.yaml\ntalus run heap.yaml \\-o out/heap \\-\\-set time.end=3\ntalus run heap.yaml \\-o out/heap \\-\\-resume\n"
          "talus shot out/heap \\-\\-time 1.5 \\-\\-colour velocity \\-o heap.png\n.fi\n"
          ".SH SEE ALSO\n.BR h5dump (1),\n.B talus schema\nfor the language of scenes.\n",
          stdout);
}

/* ---- completion --------------------------------------------------------------------------------------------------- */

/* Each option once, of the usage and of the option lines; with `arguments` only those that take one, each as a pattern. */
static void put_options(const verb *v, bool arguments)
{
    char seen[2048] = " ";
    for (int part = 0; part < 2; part++) {
        word w;
        line l = {.text = v->usage, .length = (int)strlen(v->usage), .option = true};
        const char *lines = first_options(v);
        while (part == 0 || next_line(&lines, &l)) {
            const char *at = l.text, *end = l.text + l.length;
            while (l.option && next_option(l.text, &at, end, &w)) {
                char name[66];
                snprintf(name, sizeof name, " %.*s ", w.length, w.text);
                if ((arguments && !w.argument) || strstr(seen, name) || strlen(seen) + sizeof name > sizeof seen) continue;
                strcat(seen, name + 1);
                if (arguments) printf("|%.*s", w.length, w.text);
                else printf("%.*s ", w.length, w.text);
            }
            if (part == 0) break;
        }
    }
}

/* What bash runs for the values of options, and for arguments (option NULL); $word is what is typed. */
static const struct {
    const char *verb, *option, *list;
} VALUES[] = {
    {"shot", "-c|--colour", "compgen -W 'role velocity force material von-mises pressure displacement plastic-strain cap' --"},
    {"shot", "--fit", "compgen -W 'drawn frame run' --"},
    {"shot", NULL, "compgen -d --"},
    {"film", "-c|--colour", "compgen -W 'role velocity force material von-mises pressure displacement plastic-strain cap' --"},
    {"film", NULL, "compgen -d --"},
    {"view", NULL, "compgen -d --"},
    {"export", NULL, "compgen -d --"},
    {"run", NULL, "compgen -d --; compgen -f -X '!*.y*ml' --"},
    {"check", NULL, "compgen -d --; compgen -f -X '!*.y*ml' --"},
    {"sweep", NULL, "compgen -d --; compgen -f -X '!*.y*ml' --"},
    {"verify", NULL, "compgen -W \"$(\"${COMP_WORDS[0]}\" verify --list 2>/dev/null | cut -d' ' -f1)\" --"},
    {"bench", NULL, "compgen -W 'BENCH VEHICLES' --"},
    {"bench", "-S|--scene", "compgen -W 'BENCH' --"},
    {"import", NULL, "compgen -d --; compgen -f -X '!*.urdf' --"},
    {"import", "-p|--package", "compgen -d --"},
    {"import", "--meshes", "compgen -W 'hull surface none' --"},
    {"solve", NULL, "compgen -d --; compgen -f -X '!*.hdf5' --"},
    {"solve", "-s|--solver", "compgen -W 'SOLVERS' --"},
};

/* A list with "$word" behind each "--", and the names that the program knows. */
static void put_list(const char *list)
{
    static const char *const MARKS[] = {"--;", "BENCH", "SOLVERS", "VEHICLES"};
    int boxes, plates, vehicles;
    const bench_case *box = bench_cases(&boxes);
    const bench_plate *plate = bench_plates(&plates);
    const bench_vehicle *vehicle = bench_vehicles(&vehicles);
    while (*list) {
        int mark = 0;
        while (mark < 4 && strncmp(list, MARKS[mark], strlen(MARKS[mark])) != 0) mark++;
        if (mark == 0) fputs("-- \"$word\";", stdout);
        for (int i = 0; mark == 1 && i < boxes; i++) printf("%s ", box[i].name);
        for (int i = 0; mark == 1 && i < plates; i++) printf("%s ", plate[i].name);
        for (int i = 0; mark == 3 && i < vehicles; i++) printf("%s ", vehicle[i].name);
        for (int i = 0; mark == 2 && talus_problem_solver_name(i); i++) printf("%s ", talus_problem_solver_name(i));
        if (mark == 4) putchar(*list++);
        else list += strlen(MARKS[mark]);
    }
    fputs(" \"$word\"", stdout);
}

/* Of one verb: its options with values, or, `arguments`, what is no option; then bash is done. */
static void put_values(const char *verb_name, bool arguments)
{
    for (size_t i = 0; i < sizeof VALUES / sizeof *VALUES; i++) {
        if (strcmp(VALUES[i].verb, verb_name) != 0 || (VALUES[i].option == NULL) != arguments) continue;
        if (arguments) printf("        case $word in\n        -*) ;;\n        *");
        else printf("        case $before in\n        %s", VALUES[i].option);
        fputs(") COMPREPLY=($(", stdout);
        put_list(VALUES[i].list);
        fputs(")); return ;;\n        esac\n", stdout);
    }
}

static void print_completion(const verb *verbs, int count)
{
    fputs("# bash completion of talus; made by: talus help --completion bash\n_talus()\n{\n    local word=${COMP_WORDS[COMP_CWORD]} before= options=\n"
          "    COMPREPLY=()\n    if [ \"$COMP_CWORD\" -eq 1 ]; then\n        COMPREPLY=($(compgen -W \"",
          stdout);
    for (int i = 0; i < count; i++) printf("%s ", verbs[i].name);
    fputs("help --help --version\" -- \"$word\"))\n        return\n    fi\n    before=${COMP_WORDS[COMP_CWORD-1]}\n    case ${COMP_WORDS[1]} in\n", stdout);
    for (int i = 0; i < count; i++) {
        printf("    %s)\n        options=\"", verbs[i].name);
        put_options(&verbs[i], false);
        fputs("--help\"\n", stdout);
        put_values(verbs[i].name, false);
        fputs("        case $before in\n        --", stdout); /* a bare -- ends the options; files follow it */
        put_options(&verbs[i], true);
        fputs(") return ;;\n        esac\n", stdout);
        put_values(verbs[i].name, true);
        fputs("        ;;\n", stdout);
    }
    fputs("    help)\n        options=\"", stdout);
    for (int i = 0; i < count; i++) printf("%s ", verbs[i].name);
    fputs("--man --completion\"\n        [ \"$before\" = --completion ] && options=bash\n"
          "        COMPREPLY=($(compgen -W \"$options\" -- \"$word\"))\n        return\n        ;;\n    esac\n"
          "    case $word in\n    -*) COMPREPLY=($(compgen -W \"$options\" -- \"$word\")) ;;\n    esac\n}\n"
          "complete -o default -F _talus talus\n",
          stdout);
}

int tl_help(int argc, char **argv, const verb *verbs, int count)
{
    if (argc == 1) tl_help_print(stdout, verbs, count);
    else if (argc == 2 && strcmp(argv[1], "--man") == 0) print_man(verbs, count);
    else if (argc == 3 && strcmp(argv[1], "--completion") == 0) {
        if (strcmp(argv[2], "bash") != 0) return tl_usage("help", "completes for bash, not for '%s'", argv[2]);
        print_completion(verbs, count);
    } else {
        for (int i = 0; i < count; i++)
            if (argc == 2 && strcmp(verbs[i].name, argv[1]) == 0) {
                tl_help_verb(&verbs[i]);
                return EXIT_DONE;
            }
        fprintf(stderr, "talus: help is about a verb, --man or --completion bash, not '%s'\n\n", argv[1]);
        tl_help_print(stderr, verbs, count);
        return EXIT_USAGE;
    }
    return fflush(stdout) == 0 ? EXIT_DONE : EXIT_FAILED;
}
