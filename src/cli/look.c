/* Options of pictures and films. */
#include "cli/look.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/integers.h"

void tl_look_begin(tl_look *l)
{
    *l = (tl_look){.def = talus_picture_def_default(), .range = {0, INT_MAX, 1}, .from = -(double)INFINITY, .to = (double)INFINITY};
    l->def.hide = l->hide, l->def.fade = l->fade;
}

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

/* Index of a word; −1: it is none of them. */
static int word_of(const char *text, const char *const *word, int count)
{
    for (int i = 0; i < count; i++)
        if (strcmp(text, word[i]) == 0) return i;
    return -1;
}

static bool read_colour(const char *text, talus_picture_def *def)
{
    static const char *const NAME[] = {[TALUS_PICTURE_ROLE] = "role",
                                       [TALUS_PICTURE_VELOCITY] = "velocity",
                                       [TALUS_PICTURE_FORCE] = "force",
                                       [TALUS_PICTURE_MATERIAL] = "material",
                                       [TALUS_PICTURE_VON_MISES] = "von-mises",
                                       [TALUS_PICTURE_PRESSURE] = "pressure",
                                       [TALUS_PICTURE_DISPLACEMENT] = "displacement",
                                       [TALUS_PICTURE_PLASTIC_STRAIN] = "plastic-strain",
                                       [TALUS_PICTURE_CAP] = "cap"};
    const int found = word_of(text, NAME, sizeof NAME / sizeof *NAME);
    if (found >= 0) def->colour = (talus_picture_colour)found;
    return found >= 0;
}

static bool read_fit(const char *text, talus_picture_def *def)
{
    static const char *const NAME[] = {[TALUS_PICTURE_FIT_DRAWN] = "drawn", [TALUS_PICTURE_FIT_FRAME] = "frame", [TALUS_PICTURE_FIT_RUN] = "run"};
    const int found = word_of(text, NAME, sizeof NAME / sizeof *NAME);
    if (found >= 0) def->fit = (talus_picture_fit)found;
    return found >= 0;
}

static bool read_limits(const char *text, talus_picture_def *def)
{
    double limit[2];
    if (!two_numbers(text, ':', limit) || !(limit[0] < limit[1])) return false;
    def->low = limit[0], def->high = limit[1];
    return true;
}

/* x=0.1 */
static bool read_cut(const char *text, talus_picture_def *def)
{
    char *end;
    if (text[0] < 'x' || text[0] > 'z' || text[1] != '=') return false;
    def->cut_at = strtod(text + 2, &end);
    for (int k = 0; k < 3; k++) def->cut[k] = text[0] == 'x' + k;
    return end != text + 2 && *end == '\0' && isfinite(def->cut_at);
}

static bool read_deform(const char *text, talus_picture_def *def)
{
    char *end;
    def->deform = strtod(text, &end);
    return end != text && *end == '\0' && isfinite(def->deform);
}

/* One more list of names. */
static bool add_names(char *list, size_t size, const char *text)
{
    const size_t used = strlen(list);
    return (size_t)snprintf(list + used, size - used, "%s%s", used ? "," : "", text) < size - used;
}

static bool add_time(const char *text, tl_look *l) { return l->times < TL_LOOK_TIMES && tl_read_seconds(text, &l->time[l->times++]); }

bool tl_read_frames(const char *text, int range[3])
{
    if (*text == '\0') return false;
    for (int k = 0; k < 3; k++) {
        char *end = (char *)text;
        if (*text != ':' && *text != '\0') {
            const long value = strtol(text, &end, 10);
            if (end == text || value < (k == 2) || value > INT_MAX) return false;
            range[k] = (int)value;
        }
        if (*end == '\0') {
            if (k == 0) range[1] = range[0]; /* one number is one frame */
            return true;
        }
        if (*end != ':') return false;
        text = end + 1;
    }
    return false;
}

static int which_frames(tl_look *l, const char *verb, int c)
{
    l->some = true;
    if (c == 'f') return tl_read_frames(optarg, l->range) ? EXIT_DONE : tl_usage(verb, "--frames wants FIRST:LAST:STRIDE, counted from 0, not '%s'", optarg);
    if (tl_read_seconds(optarg, c == TL_LOOK_FROM ? &l->from : &l->to)) return EXIT_DONE;
    return tl_usage(verb, "--from and --to want a time in seconds, not '%s'", optarg);
}

int tl_look_option(tl_look *l, const char *verb, int c)
{
    talus_picture_def *def = &l->def;
    switch (c) {
    case 'o': def->path = optarg; return EXIT_DONE;
    case 'n': def->hide_forces = true; return EXIT_DONE;
    case 'f':
    case TL_LOOK_FROM:
    case TL_LOOK_TO: return which_frames(l, verb, c);
    case 't': return add_time(optarg, l) ? EXIT_DONE : tl_usage(verb, "--time wants a time in seconds, not '%s'", optarg);
    case 'v':
        return read_view(optarg, def) ? EXIT_DONE : tl_usage(verb, "--view wants AZIMUTH,ELEVATION in degrees, the elevation from -90 to 90, not '%s'", optarg);
    case 'c':
        return read_colour(optarg, def)
                   ? EXIT_DONE
                   : tl_usage(verb, "--colour wants velocity, force, von-mises, pressure, displacement, plastic-strain, cap, material or role, not '%s'",
                              optarg);
    case 'S': return read_size(optarg, def) ? EXIT_DONE : tl_usage(verb, "--size wants WIDTHxHEIGHT, each from 64 to 10000 pixels, not '%s'", optarg);
    case TL_LOOK_FIT: return read_fit(optarg, def) ? EXIT_DONE : tl_usage(verb, "--fit wants drawn, frame or run, not '%s'", optarg);
    case TL_LOOK_LIMITS: return read_limits(optarg, def) ? EXIT_DONE : tl_usage(verb, "--limits wants LOW:HIGH, the lower first, not '%s'", optarg);
    case TL_LOOK_CUT: return read_cut(optarg, def) ? EXIT_DONE : tl_usage(verb, "--cut wants x, y or z and where, as in x=0.1, in metres, not '%s'", optarg);
    case TL_LOOK_DEFORM: return read_deform(optarg, def) ? EXIT_DONE : tl_usage(verb, "--deform wants a number, of times as large, not '%s'", optarg);
    case TL_LOOK_HIDE: return add_names(l->hide, sizeof l->hide, optarg) ? EXIT_DONE : tl_usage(verb, "--hide: too many names");
    case TL_LOOK_FADE: return add_names(l->fade, sizeof l->fade, optarg) ? EXIT_DONE : tl_usage(verb, "--fade: too many names");
    default: return tl_usage(verb, "that option is not known, or misses its value");
    }
}

/* Frames nearest to some times, each once. */
static int frames_of_times(const tl_look *l, const talus_pictures *p, int *frame)
{
    int nearest[TL_LOOK_TIMES], n = 0;
    for (int i = 0; i < l->times; i++) nearest[i] = talus_pictures_nearest(p, l->time[i]);
    qsort(nearest, (size_t)l->times, sizeof *nearest, tl_ascending);
    for (int i = 0; i < l->times; i++)
        if (n == 0 || frame[n - 1] != nearest[i]) frame[n++] = nearest[i];
    return n;
}

int tl_look_frames(const tl_look *l, const talus_pictures *p, int *frame)
{
    const int all = talus_pictures_frame_count(p);
    int n = 0;
    if (l->times > 0) return frames_of_times(l, p, frame);
    for (long long i = l->range[0]; i < all && i <= l->range[1]; i += l->range[2])
        if (talus_pictures_time(p, (int)i) >= l->from && talus_pictures_time(p, (int)i) <= l->to) frame[n++] = (int)i;
    return n;
}
