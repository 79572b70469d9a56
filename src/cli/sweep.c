/* talus sweep: the command around src/study/sweep.c. */
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/cli.h"
#include "study/sweep.h"

/* getopt begins anew in the process of a run. */
static int run(int argc, char **argv)
{
    optind = 0;
    return talus_run(argc, argv);
}

static int parse(int argc, char **argv, tl_sweep_def *def, tl_settings *set, tl_settings *vary)
{
    static const struct option OPTIONS[] = {{"vary", required_argument, NULL, 'v'},   {"jobs", required_argument, NULL, 'j'},
                                            {"output", required_argument, NULL, 'o'}, {"set", required_argument, NULL, 's'},
                                            {"until", required_argument, NULL, 'u'},  {"resume", no_argument, NULL, 'r'},
                                            {"force", no_argument, NULL, 'f'},        {NULL, 0, NULL, 0}};
    char *end;
    for (int c; (c = getopt_long(argc, argv, "v:j:o:s:u:rf", OPTIONS, NULL)) != -1;) {
        if (c == 'o') def->directory = optarg;
        else if (c == 'r') def->resume = true;
        else if (c == 'f') def->force = true;
        else if (c == 'j') {
            const long jobs = strtol(optarg, &end, 10);
            if (*end || end == optarg || jobs < 1 || jobs > 1024) return tl_usage("sweep", "--jobs wants a number from 1 to 1024, not '%s'", optarg);
            def->parallel = (int)jobs;
        } else if (c == 'u') {
            if (!tl_read_seconds(optarg, &def->until) || !(def->until > 0) || !isfinite(def->until))
                return tl_usage("sweep", "--until wants a positive time in seconds, not '%s'", optarg);
        } else if ((c != 's' || !tl_settings_add(set, optarg)) && (c != 'v' || !tl_settings_add(vary, optarg)))
            return tl_usage("sweep", "that option is not known, or misses its value");
    }
    if (optind != argc - 1) return tl_usage("sweep", optind == argc ? "which scene?" : "one scene at a time");
    if (def->resume && def->force) return tl_usage("sweep", "--resume goes on with what is there, --force overwrites it: one of them");
    if (vary->count == 0) return tl_usage("sweep", "what is to vary? --vary path=a,b,c");
    if (set->count + vary->count > (int)(sizeof set->item / sizeof *set->item)) return tl_usage("sweep", "too many settings");
    def->scene = argv[optind];
    return EXIT_DONE;
}

/* Of the terminal that the table goes to; 80 letters where it goes elsewhere. */
static int terminal_width(void)
{
    struct winsize size;
    return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

int talus_sweep(int argc, char **argv)
{
    static const char *const NONE[1];
    tl_settings set = {.count = 0}, vary = {.count = 0};
    tl_sweep_def def = {.parallel = 1, .run = run, .messages = stderr, .table = stdout, .width = terminal_width()};
    char directory[1024];
    int failed;
    bool interrupted;
    tl_error error = {0};
    const int code = parse(argc, argv, &def, &set, &vary);
    if (code != EXIT_DONE || !def.scene) return code;
    if (!def.directory) {
        tl_default_directory(directory, sizeof directory, def.scene, "-sweep");
        def.directory = directory;
    }
    def.setting = set.count ? set.item : NONE, def.settings = set.count;
    def.vary = vary.item, def.varied = vary.count;
    if (tl_sweep_run_all(&def, &failed, &interrupted, &error) != TALUS_OK) {
        fprintf(stderr, "talus sweep: %s\n", error.text);
        return error.status == TALUS_MEMORY ? EXIT_FAILED : EXIT_USAGE;
    }
    fprintf(stderr, "talus: the comparison is in %s/sweep.csv and sweep.html\n", def.directory);
    if (interrupted) fprintf(stderr, "talus: interrupted; the same words with --resume go on\n");
    return interrupted ? EXIT_INTERRUPTED : failed ? EXIT_FAILED : EXIT_DONE;
}
