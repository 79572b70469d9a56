/* Scenes of boxes of finite elements, put together piece by piece. */
#ifndef TALUS_SOLID_TEXT_H
#define TALUS_SOLID_TEXT_H

#include <stdarg.h>

#include "lab.h"

enum { ROOM = 6000 };

static const char LETTER[] = "xyz";

static void put(char text[ROOM], const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put(char text[ROOM], const char *format, ...)
{
    va_list list;
    const size_t n = strlen(text);
    va_start(list, format);
    vsnprintf(text + n, ROOM - n, format, list);
    va_end(list);
}

/* Sides of a box across an axis, where it is least and where it is largest. */
static inline const char *side(int dimension, int axis, int high)
{
    static const char *const NAME[2][6] = {{"left", "right", "bottom", "top"}, {"left", "right", "front", "back", "bottom", "top"}};
    return NAME[dimension - 2][2 * axis + high];
}

static inline double lab_number(const lab *l, const char *format, int letter)
{
    char name[32];
    snprintf(name, sizeof name, format, letter);
    return lab_probe(l, name);
}

#endif
