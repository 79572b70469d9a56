/* talus import: a robot of another format as a scene. */
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "cli/cli.h"
#include "import/import.h"

enum { FLOOR = 256, AT, MESHES, VISUALS };

/* A length in metres, with or without its unit, and what ends it. */
static bool read_metres(const char *text, char ending, double *out, const char **rest)
{
    char *end;
    *out = strtod(text, &end);
    if (end == text || !isfinite(*out)) return false;
    if (strncmp(end, " m", 2) == 0 || *end == 'm') end += *end == ' ' ? 2 : 1;
    *rest = end + (*end != '\0');
    return *end == ending;
}

static bool read_place(const char *text, double at[3])
{
    return read_metres(text, ',', &at[0], &text) && read_metres(text, ',', &at[1], &text) && read_metres(text, '\0', &at[2], &text);
}

/* EXIT_DONE or EXIT_USAGE. */
static int take_option(int c, tl_import *o)
{
    static const char *const USES[] = {"hull", "surface", "none"};
    const char *rest;
    switch (c) {
    case 'o': o->output = optarg; return EXIT_DONE;
    case 'p':
        if (o->packages == (int)(sizeof o->package / sizeof *o->package)) return tl_usage("import", "%d packages are the most", o->packages);
        o->package[o->packages++] = optarg;
        return EXIT_DONE;
    case 'F': o->free_root = true; return EXIT_DONE;
    case VISUALS: o->visuals = true; return EXIT_DONE;
    case FLOOR:
        if (!read_metres(optarg, '\0', &o->floor, &rest)) return tl_usage("import", "--floor wants a height in metres, not '%s'", optarg);
        o->has_floor = true;
        return EXIT_DONE;
    case AT: return read_place(optarg, o->at) ? EXIT_DONE : tl_usage("import", "--at wants three lengths in metres, X,Y,Z, not '%s'", optarg);
    case MESHES:
        for (int i = 0; i < 3; i++)
            if (strcmp(optarg, USES[i]) == 0) {
                o->meshes = (tl_mesh_use)i;
                return EXIT_DONE;
            }
        return tl_usage("import", "--meshes is hull, surface or none, not '%s'", optarg);
    default: return tl_usage("import", "that option is not known, or misses its value");
    }
}

static int check_options(const tl_import *o, bool force)
{
    struct stat about, urdf;
    if (!o->output) return tl_usage("import", "where to? -o SCENE.yaml");
    for (int i = 0; i < o->packages; i++)
        if (stat(o->package[i], &about) != 0 || !S_ISDIR(about.st_mode)) return tl_usage("import", "--package: there is no directory '%s'", o->package[i]);
    if (stat(o->output, &about) != 0) return EXIT_DONE;
    if (stat(o->path, &urdf) == 0 && urdf.st_dev == about.st_dev && urdf.st_ino == about.st_ino) return tl_usage("import", "-o is the URDF itself");
    if (!force) return tl_usage("import", "'%s' is there already; --force overwrites it", o->output);
    return EXIT_DONE;
}

int talus_import(int argc, char **argv)
{
    static const struct option OPTIONS[] = {
        {"output", required_argument, NULL, 'o'}, {"package", required_argument, NULL, 'p'}, {"free", no_argument, NULL, 'F'},
        {"at", required_argument, NULL, AT},      {"floor", required_argument, NULL, FLOOR}, {"meshes", required_argument, NULL, MESHES},
        {"visuals", no_argument, NULL, VISUALS},  {"force", no_argument, NULL, 'f'},         {NULL, 0, NULL, 0}};
    tl_import o = {.path = NULL};
    tl_error error = {0};
    bool force = false;
    for (int c; (c = getopt_long(argc, argv, "o:p:Ff", OPTIONS, NULL)) != -1;) {
        if (c == 'f') force = true;
        else if (take_option(c, &o) != EXIT_DONE) return EXIT_USAGE;
    }
    if (optind != argc - 1) return tl_usage("import", optind == argc ? "which robot? a URDF" : "one robot at a time");
    o.path = argv[optind];
    if (check_options(&o, force) != EXIT_DONE) return EXIT_USAGE;
    if (tl_import_urdf(&o, stderr, &error) != TALUS_OK) {
        fprintf(stderr, "talus import: %s\n", error.text);
        return EXIT_USAGE;
    }
    fprintf(stderr, "talus: %s is written: talus run %s\n", o.output, o.output);
    return EXIT_DONE;
}
