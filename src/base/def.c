/* Definitions of callers that were compiled with an older or a newer header: structs grow at their end. */
#include <string.h>

#include "base/base.h"

bool tl_take_def(void *own, size_t size, const void *given)
{
    uint32_t said = 0;
    if (!given) return false;
    memcpy(&said, given, sizeof said);
    if (said < sizeof said) return false; /* not begun with the defaults */
    for (size_t i = size; i < said; i++)
        if (((const unsigned char *)given)[i] != 0) return false; /* it asks for something that is not known here */
    memcpy(own, given, said < size ? said : size);
    const uint32_t known = (uint32_t)size;
    memcpy(own, &known, sizeof known);
    return true;
}
