/* A sheared cell as contacts see it (theory §6.5): a copy that lies one cell further across goes faster along than what it is a copy of. */
#ifndef TL_SLIDE_H
#define TL_SLIDE_H

#include <stdbool.h>

typedef struct tl_slide {
    bool sheared; /* else no copy slides */
    int along, across;
    double before, after; /* at the start and at the end of the step [m/s] */
} tl_slide;

/* Of the copy of b that a contact names, in one direction. */
static inline double tl_slide_of(const tl_slide *s, const int *image, int direction, bool before)
{
    return s->sheared && direction == s->along ? image[s->across] * (before ? s->before : s->after) : 0;
}

#endif
