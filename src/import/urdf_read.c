/* Attributes of URDF elements, and notes about them. */
#include "import/urdf.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* Bytes of a letter of UTF-8 that scenes may have, 0: what begins here is none, as where a text was cut. */
static int letter_at(const unsigned char *c)
{
    const int n = *c < 0x80 ? 1 : (*c & 0xe0) == 0xc0 ? 2 : (*c & 0xf0) == 0xe0 ? 3 : (*c & 0xf8) == 0xf0 ? 4 : 0;
    unsigned code = n > 1 ? *c & (0x7fu >> n) : *c;
    for (int k = 1; k < n; k++) {
        if ((c[k] & 0xc0) != 0x80) return 0;
        code = code << 6 | (c[k] & 0x3f);
    }
    return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0xfeff || code == 0xfffe || code == 0xffff ? 0 : n;
}

void tl_clean_line(char *text)
{
    for (int n; *text; text += n > 0 ? n : 1)
        if ((n = letter_at((const unsigned char *)text)) == 0) *text = (unsigned char)*text < 0x80 ? ' ' : '?';
}

void tl_note_add(tl_notes *n, const tl_xml *at, bool mistake, const char *format, ...)
{
    char line[2048];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    tl_clean_line(line);
    n->mistakes += mistake;
    if (n->count == n->capacity) {
        const int room = 2 * n->capacity + 32;
        tl_note *larger = tl_arena_alloc(n->arena, (size_t)room, sizeof *larger);
        if (!larger) return;
        if (n->count > 0) memcpy(larger, n->item, (size_t)n->count * sizeof *larger);
        n->item = larger, n->capacity = room;
    }
    char *text = tl_arena_alloc(n->arena, strlen(line) + 1, 1);
    if (text) n->item[n->count++] = (tl_note){at->line, at->column, mistake, strcpy(text, line)};
}

static int by_place(const void *a, const void *b)
{
    const tl_note *p = a, *q = b;
    return p->line != q->line ? (p->line > q->line) - (p->line < q->line) : (p->column > q->column) - (p->column < q->column);
}

void tl_notes_sort(tl_notes *n)
{
    if (n->count > 1) qsort(n->item, (size_t)n->count, sizeof *n->item, by_place);
}

static const double MOST = 1e30; /* of scenes */

bool tl_urdf_numbers(tl_notes *n, const tl_xml *e, const char *name, int count, double *out)
{
    const char *text = tl_xml_get(e, name), *at = text;
    double value[3] = {0};
    int found = 0;
    if (!text) return false;
    for (; found < count; found++) {
        char *end;
        value[found] = strtod(at, &end);
        if (end == at || !(fabs(value[found]) <= MOST)) break;
        at = end;
    }
    while (isspace((unsigned char)*at)) at++;
    if (found < count || *at) {
        tl_note_add(n, e, true, "%s of <%s> wants %s, not '%.80s'", name, e->name, count == 1 ? "a finite number" : "three finite numbers", text);
        return false;
    }
    memcpy(out, value, (size_t)count * sizeof *out);
    return true;
}

double tl_urdf_number(tl_notes *n, const tl_xml *e, const char *name, double fallback)
{
    tl_urdf_numbers(n, e, name, 1, &fallback);
    return fallback;
}

double tl_urdf_required(tl_notes *n, const tl_xml *e, const char *name)
{
    if (!tl_xml_get(e, name)) tl_note_add(n, e, true, "<%s> has no attribute '%s'", e->name, name);
    return tl_urdf_number(n, e, name, 0);
}

tl_frame tl_urdf_origin(tl_notes *n, const tl_xml *owner, tl_vec3 *rpy)
{
    const tl_xml *e = tl_xml_child(owner, "origin");
    double xyz[3] = {0}, angle[3] = {0};
    if (e) {
        tl_urdf_check(n, e, "", "xyz rpy");
        tl_urdf_numbers(n, e, "xyz", 3, xyz);
        tl_urdf_numbers(n, e, "rpy", 3, angle);
    }
    const tl_mat3 X = tl_mat3_rotation(tl_v3(1, 0, 0), angle[0]), Y = tl_mat3_rotation(tl_v3(0, 1, 0), angle[1]),
                  Z = tl_mat3_rotation(tl_v3(0, 0, 1), angle[2]), YX = tl_mat3_mul(&Y, &X);
    *rpy = tl_load3(angle);
    return (tl_frame){tl_load3(xyz), tl_mat3_mul(&Z, &YX)};
}

/* Is a word in the list; `star`: with a star behind it. */
static bool listed(const char *list, const char *word, bool *star)
{
    const size_t n = strlen(word);
    for (const char *at = list; (at = strstr(at, word)); at += n) {
        if ((at > list && at[-1] != ' ') || !strchr(" *", at[n])) continue; /* the end of a text is found by strchr, too */
        *star = at[n] == '*';
        return true;
    }
    return false;
}

/* What tells it from others of its kind. */
static const char *label_of(const tl_xml *e)
{
    static const char *const NAMES[] = {"name", "reference", "type", "filename"};
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++)
        if (tl_xml_get(e, NAMES[i])) return tl_xml_get(e, NAMES[i]);
    return NULL;
}

void tl_urdf_check(tl_notes *n, const tl_xml *e, const char *children, const char *attributes)
{
    bool star = false;
    for (const tl_xml *c = e->child; c; c = c->next) {
        const char *label = label_of(c);
        if (!listed(children, c->name, &star))
            tl_note_add(n, c, false, "<%s%s%.80s> of <%s> is not used", c->name, label ? " " : "", label ? label : "", e->name);
        else if (!star && tl_xml_child(e, c->name) != c)
            tl_note_add(n, c, false, "<%s> has a second <%s>; the first one in line %d counts", e->name, c->name, tl_xml_child(e, c->name)->line);
    }
    for (int i = 0; i < e->attributes; i++)
        if (!listed(attributes, e->attribute[2 * i], &star) && strncmp(e->attribute[2 * i], "xmlns", 5) != 0)
            tl_note_add(n, e, false, "attribute '%.80s' of <%s> is not used", e->attribute[2 * i], e->name);
}
