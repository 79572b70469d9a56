/* Help, man page and completion say the same: they come from one table. */
#include <stdbool.h>

#include "test.h"

/* What a shell command prints, and its exit code. */
static char *output(const char *command, int *code)
{
    char *text = calloc(1, 1 << 18);
    FILE *pipe = popen(command, "r");
    if (!text || !pipe) exit(1);
    const size_t got = fread(text, 1, (1 << 18) - 1, pipe);
    text[got] = '\0';
    const int status = pclose(pipe);
    *code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return text;
}

static char *talus(const char *arguments, int *code)
{
    char command[1024];
    snprintf(command, sizeof command, "'%s' %s 2>&1", TALUS_COMMAND, arguments);
    return output(command, code);
}

enum { MOST = 32 };

/* Names of the verbs, from the lines "  talus NAME   text". */
static int verbs(char name[MOST][32])
{
    int code, n = 0;
    char *text = talus("--help", &code);
    CHECK(code == 0);
    for (char *at = strstr(text, "\n  talus "); at && n < MOST; at = strstr(at + 1, "\n  talus ")) sscanf(at + 9, "%31s", name[n++]);
    free(text);
    CHECK(n >= 6);
    return n;
}

/* "--set" as troff writes it. */
static void escaped(const char *text, char *out)
{
    for (; *text; text++) {
        if (*text == '-') *out++ = '\\';
        *out++ = *text;
    }
    *out = '\0';
}

/* Calls `each` with the verb and every option that its help names. */
static int options_of(const char *verb, void (*each)(const char *verb, const char *option, const char *context), const char *context)
{
    char arguments[64], option[64];
    int code, n = 0;
    snprintf(arguments, sizeof arguments, "%s --help", verb);
    char *text = talus(arguments, &code);
    CHECK(code == 0);
    for (char *at = strchr(text, '-'); at; at = strchr(at, '-')) {
        const size_t length = strspn(at, "-abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
        if (length > 1 && length < sizeof option && strchr(" [", at[-1])) {
            snprintf(option, sizeof option, "%.*s", (int)length, at);
            each(verb, option, context);
            n++;
        }
        at += length ? length : 1;
    }
    free(text);
    return n;
}

static void in_section(const char *verb, const char *option, const char *section)
{
    char wanted[128];
    escaped(option, wanted);
    if (!strstr(section, wanted)) TEST_FAIL("the man page says nothing of 'talus %s %s'", verb, option);
}

/* Every verb has a section with every option of its help. */
TEST(man_page)
{
    static const char *const SECTION[] = {"NAME", "SYNOPSIS", "DESCRIPTION", "VERBS", "FILES", "EXIT STATUS", "EXAMPLES", "SEE ALSO"};
    char name[MOST][32], heading[64];
    int code, options = 0;
    char *page = talus("help --man", &code);
    CHECK(code == 0);
    CHECK(strncmp(page, ".TH TALUS 1 ", 12) == 0);
    const char *before = page;
    for (size_t i = 0; i < sizeof SECTION / sizeof *SECTION; i++) {
        snprintf(heading, sizeof heading, "\n.SH %s\n", SECTION[i]);
        const char *at = strstr(before, heading);
        if (at) before = at;
        else TEST_FAIL("no section %s, or not in its place", SECTION[i]);
    }
    for (int i = 0, n = verbs(name); i < n; i++) {
        snprintf(heading, sizeof heading, "\n.SS %s\n", name[i]);
        const char *from = strstr(page, heading), *to = from ? strstr(from + 1, "\n.S") : NULL;
        if (!from || !to) {
            TEST_FAIL("no section of talus %s", name[i]);
            continue;
        }
        char *section = strndup(from, (size_t)(to - from));
        options += options_of(name[i], in_section, section);
        free(section);
    }
    CHECK(options >= 25);
    free(page);
}

/* troff has nothing to say against it. Needs groff, which a machine that only builds may not have. */
TEST(troff)
{
    int code;
    free(output("command -v groff", &code));
    if (code != 0) {
        printf("no groff here: the man page was not given to it\n");
        return;
    }
    char *said = output("'" TALUS_COMMAND "' help --man | groff -man -ww -z 2>&1", &code);
    if (code != 0 || said[0]) TEST_FAIL("groff: %s", said);
    free(said);
}

/* What bash would offer after these words, the last of which is being typed; one a line. */
static char *offered(const char *words, int *code)
{
    char command[2048];
    snprintf(command, sizeof command,
             "bash --norc -c 'eval \"$(\"%s\" help --completion bash)\"; COMP_WORDS=(talus %s); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _talus; "
             "printf \"%%s\\n\" \"${COMPREPLY[@]}\"; complete -p talus >/dev/null' 2>&1",
             TALUS_COMMAND, words);
    return output(command, code);
}

static void completes(const char *verb, const char *option, const char *context)
{
    char words[256], line[128];
    int code;
    (void)context;
    snprintf(words, sizeof words, "%s %s", verb, option);
    snprintf(line, sizeof line, "\n%s\n", option);
    char *got = offered(words, &code), *framed = NULL;
    if (code != 0 || asprintf(&framed, "\n%s", got) < 0 || !strstr(framed, line)) TEST_FAIL("after 'talus %s' bash offers: %s", words, got);
    free(got);
    free(framed);
}

TEST(completion)
{
    char name[MOST][32];
    int code;
    for (int i = 0, n = verbs(name); i < n; i++) {
        completes("", name[i], NULL);
        options_of(name[i], completes, NULL);
    }
    static const char *const CASES[][2] = {
        {"sho", "shot\n"},   {"run --res", "--resume\n"}, {"shot --no", "--no-forces\n"}, {"help --completion \"\"", "bash\n"}, {"run --output --", "\n"},
        {"run -o --", "\n"}, {"run scene", "\n"}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        char *got = offered(CASES[i][0], &code);
        if (code != 0 || strcmp(got, CASES[i][1]) != 0) TEST_FAIL("after 'talus %s' bash offers: %s", CASES[i][0], got);
        free(got);
    }
}

/* The values of options, and what a verb takes: names, scenes, results, in a folder that has one of each. */
TEST(values)
{
    char folder[] = "/tmp/talus-help-XXXXXX";
    int code;
    if (!mkdtemp(folder) || chdir(folder) != 0) abort();
    if (system("mkdir results; touch heap.yaml notes.txt step.hdf5; ln -s '" TALUS_COMMAND "' talus") != 0) abort();
    setenv("PATH", strcat(strcpy((char[4096]){0}, folder), ":/usr/bin:/bin"), 1);
    static const char *const CASES[][2] = {{"shot results --colour vel", "velocity\n"},
                                           {"shot -c m", "material\n"},
                                           {"solve --solver interior", "interior_point\n"},
                                           {"bench disks-100", "disks-1000\ndisks-10000\ndisks-100000\n"},
                                           {"bench vehicle-b", "vehicle-bogie\n"},
                                           {"bench plate-8", "plate-8000\nplate-80000\n"},
                                           {"bench --scene vehicle-b", "\n"},
                                           {"bench --scene stones-5", "stones-500\nstones-5000\n"},
                                           {"verify four", "four-bar\nfour-bar-energy\nfour-bar-in-disks\n"},
                                           {"run h", "heap.yaml\n"},
                                           {"check n", "\n"},
                                           {"view r", "results\n"},
                                           {"solve s", "step.hdf5\n"}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        char *got = offered(CASES[i][0], &code);
        if (code != 0 || strcmp(got, CASES[i][1]) != 0) TEST_FAIL("after 'talus %s' bash offers: %s", CASES[i][0], got);
        free(got);
    }
    if (system("rm -rf \"$PWD\"") != 0) fprintf(stderr, "%s stays\n", folder);
}

/* talus help VERB is talus VERB --help; nonsense is refused and named. */
TEST(help)
{
    int code;
    char *a = talus("help shot", &code), *b = talus("shot --help", &code), *c = talus("help", &code), *d = talus("--help", &code);
    CHECK(strcmp(a, b) == 0 && strstr(a, "--colour"));
    CHECK(strcmp(c, d) == 0);
    free(a), free(b), free(c), free(d);
    static const char *const WRONG[][2] = {{"help dig", "'dig'"}, {"help --completion fish", "'fish'"}, {"help --completion", "'--completion'"}};
    for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++) {
        char *said = talus(WRONG[i][0], &code);
        if (code != 2 || !strstr(said, WRONG[i][1])) TEST_FAIL("talus %s: %d, %s", WRONG[i][0], code, said);
        free(said);
    }
}

int main(int argc, char **argv)
{
    RUN(man_page);
    RUN(troff);
    RUN(completion);
    RUN(values);
    RUN(help);
    return TEST_RESULT;
}
