/* talus shot: pictures of one frame, or of several that can be compared. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/look.h"

/* Of several pictures each has the number of its frame before the suffix. */
static void name_picture(char *out, size_t size, const char *path, int frame, bool several)
{
    const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
    if (several && dot) snprintf(out, size, "%.*s-%04d%s", (int)(dot - path), path, frame, dot);
    else snprintf(out, size, "%s", path);
}

static talus_status draw_frames(talus_pictures *p, const tl_look *l, const int *frame, int count, char *message, size_t size)
{
    char path[4096], first[4096];
    talus_status status = talus_pictures_choose(p, frame, count, message, size);
    name_picture(first, sizeof first, l->def.path, frame[0], count > 1);
    for (int i = 0; i < count && status == TALUS_OK; i++) {
        name_picture(path, sizeof path, l->def.path, frame[i], count > 1);
        status = talus_pictures_write(p, frame[i], path, message, size);
    }
    if (status == TALUS_OK && count > 1) fprintf(stderr, "talus: %d pictures, %s to %s\n", count, first, path);
    return status;
}

/* The frames that are wanted; the last, unless told. EXIT_DONE, or EXIT_USAGE after it was said what is wrong. */
static int draw_pictures(talus_pictures *p, const tl_look *l)
{
    char message[2048] = "memory ran out";
    const int all = talus_pictures_frame_count(p);
    int *frame = calloc((size_t)all + TL_LOOK_TIMES, sizeof *frame), count = 1;
    if (frame) frame[0] = all - 1;
    if (frame && (l->some || l->times)) count = tl_look_frames(l, p, frame);
    const bool none = frame && count == 0, done = frame && count > 0 && draw_frames(p, l, frame, count, message, sizeof message) == TALUS_OK;
    if (none)
        fprintf(stderr, "talus shot: '%s' has no such frame; there are 0 to %d, from %g to %g s\n", l->def.directory, all - 1, talus_pictures_time(p, 0),
                talus_pictures_time(p, all - 1));
    else if (!done) fprintf(stderr, "talus shot: %s\n", message);
    free(frame);
    return done ? EXIT_DONE : EXIT_USAGE;
}

int talus_shot(int argc, char **argv)
{
    static const struct option OPTIONS[] = {
        {"time", required_argument, NULL, 't'}, {"fit", required_argument, NULL, TL_LOOK_FIT}, TL_LOOK_OPTIONS, {NULL, 0, NULL, 0}};
    tl_look l;
    char message[2048];
    talus_pictures *pictures;
    tl_look_begin(&l);
    for (int c; (c = getopt_long(argc, argv, "t:" TL_LOOK_LETTERS, OPTIONS, NULL)) != -1;)
        if (tl_look_option(&l, "shot", c) != EXIT_DONE) return EXIT_USAGE;
    if (optind != argc - 1 || !l.def.path) return tl_usage("shot", "wants the directory of a run and -o PICTURE");
    if (l.times && l.some) return tl_usage("shot", "--time is one way to choose frames, --frames, --from and --to another");
    l.def.directory = argv[optind];
    if (talus_pictures_open(&l.def, &pictures, message, sizeof message) != TALUS_OK) {
        fprintf(stderr, "talus shot: %s\n", message);
        return EXIT_USAGE;
    }
    const int code = draw_pictures(pictures, &l);
    talus_pictures_close(pictures);
    return code;
}

#ifdef TL_SANITIZED
/* fontconfig, by which cairo finds fonts, keeps a few hundred bytes to the end of the process. Nothing else is excused. */
TALUS_API const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) { return "leak:libfontconfig\n"; }
#endif
