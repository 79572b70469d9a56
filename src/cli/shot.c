/* talus shot: a picture of one frame. */
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "talus/record.h"

/* Two numbers with a separator between them, and nothing else. */
static bool two_numbers(const char *text, char separator, double out[2])
{
    char *end;
    out[0] = strtod(text, &end);
    if (end == text || *end != separator) return false;
    text = end + 1;
    out[1] = strtod(text, &end);
    return end != text && *end == '\0' && isfinite(out[0]) && isfinite(out[1]);
}

static bool read_view(const char *text, talus_picture_def *def)
{
    double angle[2];
    if (!two_numbers(text, ',', angle) || fabs(angle[1]) > 90) return false;
    def->azimuth = angle[0] * M_PI / 180;
    def->elevation = angle[1] * M_PI / 180;
    return true;
}

static bool read_size(const char *text, talus_picture_def *def)
{
    int used = 0;
    return sscanf(text, "%5dx%5d%n", &def->width, &def->height, &used) == 2 && text[used] == '\0' && def->width >= 64 && def->height >= 64 &&
           def->width <= 10000 && def->height <= 10000;
}

static bool read_colour(const char *text, talus_picture_def *def)
{
    static const char *const NAME[] = {
        [TALUS_PICTURE_ROLE] = "role", [TALUS_PICTURE_VELOCITY] = "velocity", [TALUS_PICTURE_FORCE] = "force", [TALUS_PICTURE_MATERIAL] = "material"};
    for (size_t i = 0; i < sizeof NAME / sizeof *NAME; i++)
        if (strcmp(text, NAME[i]) == 0) {
            def->colour = (talus_picture_colour)i;
            return true;
        }
    return false;
}

static bool read_time(const char *text, talus_picture_def *def)
{
    char *end;
    def->time = strtod(text, &end);
    return end != text && *end == '\0' && !isnan(def->time);
}

/* One option; EXIT_DONE or EXIT_USAGE. */
static int take_option(int c, talus_picture_def *def)
{
    switch (c) {
    case 'o': def->path = optarg; return EXIT_DONE;
    case 'n': def->hide_forces = true; return EXIT_DONE;
    case 't': return read_time(optarg, def) ? EXIT_DONE : tl_usage("shot", "--time wants a time in seconds, not '%s'", optarg);
    case 'v':
        return read_view(optarg, def) ? EXIT_DONE
                                      : tl_usage("shot", "--view wants AZIMUTH,ELEVATION in degrees, the elevation from -90 to 90, not '%s'", optarg);
    case 'c': return read_colour(optarg, def) ? EXIT_DONE : tl_usage("shot", "--colour wants velocity, force, material or role, not '%s'", optarg);
    case 'S': return read_size(optarg, def) ? EXIT_DONE : tl_usage("shot", "--size wants WIDTHxHEIGHT, each from 64 to 10000 pixels, not '%s'", optarg);
    default: return tl_usage("shot", "that option is not known, or misses its value");
    }
}

int talus_shot(int argc, char **argv)
{
    static const struct option OPTIONS[] = {{"time", required_argument, NULL, 't'},
                                            {"view", required_argument, NULL, 'v'},
                                            {"colour", required_argument, NULL, 'c'},
                                            {"size", required_argument, NULL, 'S'},
                                            {"no-forces", no_argument, NULL, 'n'},
                                            {"output", required_argument, NULL, 'o'},
                                            {NULL, 0, NULL, 0}};
    talus_picture_def def = talus_picture_def_default();
    char message[2048];
    for (int c; (c = getopt_long(argc, argv, "t:v:c:S:o:", OPTIONS, NULL)) != -1;)
        if (take_option(c, &def) != EXIT_DONE) return EXIT_USAGE;
    if (optind != argc - 1 || !def.path) return tl_usage("shot", "wants the directory of a run and -o PICTURE");
    def.directory = argv[optind];
    if (talus_picture_write(&def, message, sizeof message) == TALUS_OK) return EXIT_DONE;
    fprintf(stderr, "talus shot: %s\n", message);
    return EXIT_USAGE;
}

#ifdef TL_SANITIZED
/* fontconfig, by which cairo finds fonts, keeps a few hundred bytes to the end of the process. Nothing else is excused. */
TALUS_API const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) { return "leak:libfontconfig\n"; }
#endif
