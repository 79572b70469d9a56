/* talus export: a finished run for another program. */
#include <getopt.h>
#include <stdio.h>

#include "cli/cli.h"
#include "talus/record.h"

int talus_export(int argc, char **argv)
{
    enum { FROM = 256, TO };
    static const struct option OPTIONS[] = {{"vtk", required_argument, NULL, 'o'},
                                            {"frames", required_argument, NULL, 'f'},
                                            {"from", required_argument, NULL, FROM},
                                            {"to", required_argument, NULL, TO},
                                            {NULL, 0, NULL, 0}};
    talus_vtk_def def = talus_vtk_def_default();
    char message[2048];
    int frames, range[3] = {def.first, def.last, def.stride};
    for (int c; (c = getopt_long(argc, argv, "o:f:", OPTIONS, NULL)) != -1;) {
        if (c == 'o') def.output = optarg;
        else if (c == 'f') {
            if (!tl_read_frames(optarg, range)) return tl_usage("export", "--frames wants FIRST:LAST:STRIDE, counted from 0, not '%s'", optarg);
        } else if (c == FROM || c == TO) {
            if (!tl_read_seconds(optarg, c == FROM ? &def.from : &def.to))
                return tl_usage("export", "--from and --to want a time in seconds, not '%s'", optarg);
        } else return tl_usage("export", "that option is not known, or misses its value");
    }
    if (optind != argc - 1) return tl_usage("export", optind == argc ? "which run?" : "one run at a time");
    if (!def.output) return tl_usage("export", "where to, and for whom? --vtk OUT writes what ParaView opens");
    def.directory = argv[optind];
    def.first = range[0], def.last = range[1], def.stride = range[2];
    if (talus_vtk_write(&def, &frames, message, sizeof message) != TALUS_OK) {
        fprintf(stderr, "talus export: %s\n", message);
        return EXIT_USAGE;
    }
    fprintf(stderr, "talus: %d frame%s in %s: open its .pvd files with ParaView\n", frames, frames == 1 ? "" : "s", def.output);
    return EXIT_DONE;
}
