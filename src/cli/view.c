/* talus view: the page of a run. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "cli/cli.h"
#include "talus/record.h"

int tl_view_directory(const char *directory, const char *path, double bytes)
{
    talus_page_def def = talus_page_def_default();
    char message[2048], default_path[4096];
    struct stat about;
    snprintf(default_path, sizeof default_path, "%s/page.html", directory);
    def.directory = directory;
    def.path = path ? path : default_path;
    if (bytes > 0) def.bytes = bytes;
    if (talus_page_write(&def, message, sizeof message) != TALUS_OK) {
        fprintf(stderr, "talus view: %s\n", message);
        return EXIT_USAGE;
    }
    if (stat(def.path, &about) == 0) fprintf(stderr, "talus: open %s in a browser (%.1f MB)\n", def.path, 1e-6 * (double)about.st_size);
    return EXIT_DONE;
}

int talus_view(int argc, char **argv)
{
    static const struct option OPTIONS[] = {{"output", required_argument, NULL, 'o'}, {"size", required_argument, NULL, 's'}, {NULL, 0, NULL, 0}};
    const char *path = NULL;
    double megabytes = 0;
    char *end;
    for (int c; (c = getopt_long(argc, argv, "o:s:", OPTIONS, NULL)) != -1;) {
        if (c == 'o') path = optarg;
        else if (c == 's') {
            megabytes = strtod(optarg, &end);
            if (*end || end == optarg || !(megabytes >= 1 && megabytes <= 1000)) return tl_usage("view", "--size wants 1 to 1000 megabytes, not '%s'", optarg);
        } else return tl_usage("view", "that option is not known, or misses its value");
    }
    if (optind != argc - 1) return tl_usage("view", optind == argc ? "which run? It wants the directory of its results" : "one run at a time");
    return tl_view_directory(argv[optind], path, 1e6 * megabytes);
}
