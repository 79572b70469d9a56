/* talus verify: options, and where the cases are. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "study/study.h"

/* TALUS_VERIFY, or those that came with talus. */
static const char *default_cases(char path[4096])
{
    const char *named = getenv("TALUS_VERIFY");
    if (named && *named) return named;
    tl_shared_folder(path, 4096, "verify");
    return path;
}

int talus_verify(int argc, char **argv)
{
    static const struct option OPTIONS[] = {{"output", required_argument, NULL, 'o'}, {"jobs", required_argument, NULL, 'j'},
                                            {"cases", required_argument, NULL, 'c'},  {"quick", no_argument, NULL, 'q'},
                                            {"list", no_argument, NULL, 'l'},         {NULL, 0, NULL, 0}};
    tl_verify_options o = {.parallel = 1, .progress = isatty(STDERR_FILENO)};
    char path[4096], *end;
    for (int c; (c = getopt_long(argc, argv, "o:j:c:ql", OPTIONS, NULL)) != -1;) {
        if (c == 'o') o.output = optarg;
        else if (c == 'c') o.cases = optarg;
        else if (c == 'q') o.quick = true;
        else if (c == 'l') o.list = true;
        else if (c == 'j') {
            const long jobs = strtol(optarg, &end, 10);
            if (*end || end == optarg || jobs < 1 || jobs > 1024) return tl_usage("verify", "--jobs wants a number from 1 to 1024, not '%s'", optarg);
            o.parallel = (int)jobs;
        } else return tl_usage("verify", "that option is not known, or misses its value");
    }
    if (!o.cases) o.cases = default_cases(path);
    o.names = (const char *const *)argv + optind;
    o.count = argc - optind;
    return tl_verify(&o);
}
