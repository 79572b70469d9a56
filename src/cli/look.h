/* What talus shot and talus film have in common: which frames of a run, from where, in which colours. */
#ifndef TL_LOOK_H
#define TL_LOOK_H

#include <getopt.h>

#include "cli/cli.h"
#include "talus/record.h"

enum { TL_LOOK_TIMES = 256 };

typedef struct tl_look {
    talus_picture_def def;
    int range[3]; /* frames first, last, stride */
    double from, to, time[TL_LOOK_TIMES];
    int times;
    bool some; /* a range of frames was asked for */
    char hide[1024], fade[1024];
} tl_look;

/* Codes of long options without a letter; those of a verb begin at TL_LOOK_OWN. */
enum { TL_LOOK_FROM = 256, TL_LOOK_TO, TL_LOOK_FIT, TL_LOOK_LIMITS, TL_LOOK_HIDE, TL_LOOK_FADE, TL_LOOK_CUT, TL_LOOK_DEFORM, TL_LOOK_OWN };
#define TL_LOOK_LETTERS "f:v:c:S:o:"
#define TL_LOOK_OPTIONS                                                                                                                                        \
    {"frames", required_argument, NULL, 'f'}, {"from", required_argument, NULL, TL_LOOK_FROM}, {"to", required_argument, NULL, TL_LOOK_TO},                    \
        {"view", required_argument, NULL, 'v'}, {"colour", required_argument, NULL, 'c'}, {"limits", required_argument, NULL, TL_LOOK_LIMITS},                 \
        {"size", required_argument, NULL, 'S'}, {"no-forces", no_argument, NULL, 'n'}, {"hide", required_argument, NULL, TL_LOOK_HIDE},                        \
        {"fade", required_argument, NULL, TL_LOOK_FADE}, {"cut", required_argument, NULL, TL_LOOK_CUT}, {"deform", required_argument, NULL, TL_LOOK_DEFORM},   \
    {                                                                                                                                                          \
        "output", required_argument, NULL, 'o'                                                                                                                 \
    }

void tl_look_begin(tl_look *);
/* Takes one option; EXIT_DONE, or EXIT_USAGE after it has said what is wrong, also with one that it does not know. */
int tl_look_option(tl_look *, const char *verb, int option);
/* The frames that were asked for, rising, each once; `frame` has room for all of the run. Returns how many; 0: none is left. */
int tl_look_frames(const tl_look *, const talus_pictures *, int *frame);

#endif
