/* Texts as JSON has them. */
#include "base/base.h"

void tl_json_text(FILE *out, const char *text)
{
    fputc('"', out);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\') fputc('\\', out);
        if ((unsigned char)*text < ' ' || *text == '<') /* so that it may stand in a page */
            fprintf(out, "\\u%04x", (unsigned)*text);
        else fputc(*text, out);
    }
    fputc('"', out);
}
