/* The short verbs: shot, schema, info. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "talus/record.h"

int talus_shot(int argc, char **argv)
{
    static const struct option OPTIONS[] = {{"time", required_argument, NULL, 't'}, {"output", required_argument, NULL, 'o'}, {NULL, 0, NULL, 0}};
    const char *output = NULL;
    double time = 1e300;
    char message[2048], *end;
    for (int c; (c = getopt_long(argc, argv, "t:o:", OPTIONS, NULL)) != -1;) {
        if (c == 'o') output = optarg;
        else if (c == 't') {
            time = strtod(optarg, &end);
            if (*end || end == optarg) return tl_usage("shot", "--time wants a time in seconds, not '%s'", optarg);
        } else return tl_usage("shot", "that option is not known, or misses its value");
    }
    if (optind != argc - 1 || !output) return tl_usage("shot", "wants the directory of a run and -o PICTURE.svg");
    const size_t n = strlen(output);
    if (n < 4 || strcmp(output + n - 4, ".svg") != 0) return tl_usage("shot", "this version draws .svg, not '%s'", output);
    if (talus_picture_write(argv[optind], time, output, message, sizeof message) == TALUS_OK) return EXIT_DONE;
    fprintf(stderr, "talus shot: %s\n", message);
    return EXIT_USAGE;
}

int talus_schema(int argc, char **argv)
{
    const bool json = argc == 2 && strcmp(argv[1], "--json") == 0;
    if (argc > 1 && !json) return tl_usage("schema", "takes --json or nothing");
    char *text = talus_scene_reference(json);
    if (!text) return EXIT_FAILED;
    fputs(text, stdout);
    free(text);
    return EXIT_DONE;
}

int talus_info(int argc, char **argv)
{
    (void)argc, (void)argv;
    printf("talus %s\ncompiler: %s\nscenes: libyaml; results: HDF5\n", TALUS_VERSION, __VERSION__);
    return EXIT_DONE;
}
