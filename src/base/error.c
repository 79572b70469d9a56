/* Status codes and the text that goes with a failure. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/base.h"

static const struct {
    talus_status status;
    const char *name, *meaning;
} STATUS[] = {
#define STATUS_ROW(name, value, meaning) {TALUS_##name, #name, meaning},
    TALUS_STATUS_LIST(STATUS_ROW)
#undef STATUS_ROW
};

const char *talus_status_name(talus_status status)
{
    for (size_t i = 0; i < sizeof STATUS / sizeof *STATUS; i++)
        if (STATUS[i].status == status) return STATUS[i].name;
    return "?";
}

const char *talus_status_meaning(talus_status status)
{
    for (size_t i = 0; i < sizeof STATUS / sizeof *STATUS; i++)
        if (STATUS[i].status == status) return STATUS[i].meaning;
    return "?";
}

talus_status tl_fail(tl_error *error, talus_status status, const char *format, ...)
{
    if (!error) return status;
    error->status = status;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
    return status;
}
