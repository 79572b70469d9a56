/* Units: the forty or so that scenes use, SI prefixes, products, quotients and whole powers. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scene/expression.h"

typedef struct unit {
    const char *name;
    double factor;
    signed char m, kg, s, rad;
    bool prefixed, hertz;
} unit;

static const unit UNITS[] = {
    {"m", 1, 1, 0, 0, 0, true, false},
    {"g", 1e-3, 0, 1, 0, 0, true, false},
    {"t", 1e3, 0, 1, 0, 0, false, false},
    {"s", 1, 0, 0, 1, 0, true, false},
    {"min", 60, 0, 0, 1, 0, false, false},
    {"h", 3600, 0, 0, 1, 0, false, false},
    {"rad", 1, 0, 0, 0, 1, true, false},
    {"deg", 0.017453292519943295, 0, 0, 0, 1, false, false},
    {"turn", 6.283185307179586, 0, 0, 0, 1, false, false},
    {"rpm", 0.10471975511965977, 0, 0, -1, 1, false, false},
    {"Hz", 1, 0, 0, -1, 0, true, true},
    {"N", 1, 1, 1, -2, 0, true, false},
    {"kgf", 9.80665, 1, 1, -2, 0, false, false},
    {"Pa", 1, -1, 1, -2, 0, true, false},
    {"bar", 1e5, -1, 1, -2, 0, true, false},
    {"J", 1, 2, 1, -2, 0, true, false},
    {"W", 1, 2, 1, -3, 0, true, false},
    {"Wh", 3600, 2, 1, -2, 0, true, false},
    {"L", 1e-3, 3, 0, 0, 0, true, false},
    {"l", 1e-3, 3, 0, 0, 0, true, false},
    {"in", 0.0254, 1, 0, 0, 0, false, false},
    {"ft", 0.3048, 1, 0, 0, 0, false, false},
    {"lb", 0.45359237, 0, 1, 0, 0, false, false},
    {"gravity", 9.80665, 1, 0, -2, 0, false, false},
    {"%", 0.01, 0, 0, 0, 0, false, false},
};

static const struct {
    const char *name;
    double factor;
} PREFIXES[] = {{"n", 1e-9}, {"u", 1e-6}, {"µ", 1e-6}, {"m", 1e-3}, {"c", 1e-2}, {"d", 1e-1}, {"k", 1e3}, {"M", 1e6}, {"G", 1e9}};

static bool find_unit(const char *word, double *factor, const unit **found)
{
    for (size_t i = 0; i < sizeof UNITS / sizeof *UNITS; i++)
        if (strcmp(UNITS[i].name, word) == 0) {
            *factor = UNITS[i].factor;
            *found = &UNITS[i];
            return true;
        }
    for (size_t p = 0; p < sizeof PREFIXES / sizeof *PREFIXES; p++) {
        const size_t n = strlen(PREFIXES[p].name);
        if (strncmp(word, PREFIXES[p].name, n) != 0) continue;
        for (size_t i = 0; i < sizeof UNITS / sizeof *UNITS; i++)
            if (UNITS[i].prefixed && strcmp(UNITS[i].name, word + n) == 0) {
                *factor = UNITS[i].factor * PREFIXES[p].factor;
                *found = &UNITS[i];
                return true;
            }
    }
    return false;
}

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '%' || (unsigned char)c >= 128; }

/* unit ::= word [^n] { (space | * | /) word [^n] } */
bool tl_unit_parse(const char *text, double *factor, tl_dimension *d, char bad[32])
{
    int side = 1;
    *factor = 1;
    *d = (tl_dimension){0};
    snprintf(bad, 32, "%.31s", text);
    for (const char *p = text; *p;) {
        while (*p == ' ' || *p == '*') p++;
        if (*p == '/') side = -1, p++;
        while (*p == ' ') p++;
        if (*p == '1' && !is_letter(p[1]) && side > 0) {
            p++;
            continue;
        }
        char word[32];
        size_t n = 0;
        while (is_letter(p[n]) && n < 31) word[n] = p[n], n++;
        word[n] = '\0';
        snprintf(bad, 32, "%s", n ? word : text);
        double one;
        const unit *u;
        if (n == 0 || !find_unit(word, &one, &u)) return false;
        p += n;
        long power = 1;
        if (*p == '^' || (*p >= '0' && *p <= '9')) {
            char *end;
            p += *p == '^';
            power = strtol(p, &end, 10);
            if (end == p || labs(power) > 9) return false;
            p = end;
        }
        power *= side;
        side = 1;
        for (long k = 0; k < labs(power); k++) *factor = power > 0 ? *factor * one : *factor / one;
        const double e = (double)power;
        d->m += u->m * e, d->kg += u->kg * e, d->s += u->s * e, d->rad += u->rad * e;
        d->hertz = d->hertz || u->hertz || (power < 0 && strcmp(word, "min") == 0); /* 1/min is the engineer's rpm and the physicist's rad/min */
        if (*p && *p != ' ' && *p != '*' && *p != '/') return false;
    }
    return true;
}

/* As a user would write it: kg/(m s^2) as kg/m/s^2. */
static void tell_powers(tl_dimension d, char text[64])
{
    const struct {
        const char *name;
        double power;
    } UNIT[] = {{"kg", d.kg}, {"m", d.m}, {"rad", d.rad}, {"s", d.s}};
    int n = 0;
    for (int below = 0; below < 2; below++) {
        for (int i = 0; i < 4; i++) {
            const double power = below ? -UNIT[i].power : UNIT[i].power;
            if (!(power > 0)) continue;
            n += snprintf(text + n, 64 - (size_t)n, "%s%s", below ? "/" : n > 0 ? " " : "", UNIT[i].name);
            if (power != 1) n += snprintf(text + n, 64 - (size_t)n, "^%.4g", power);
        }
        if (n == 0) n = snprintf(text, 64, "1");
    }
}

typedef struct known {
    const char *name, *unit;
    double m, kg, s, rad;
} known;

static const known KNOWN[] = {{"a plain number", "1", 0, 0, 0, 0},
                              {"a length", "m", 1, 0, 0, 0},
                              {"a mass", "kg", 0, 1, 0, 0},
                              {"a time", "s", 0, 0, 1, 0},
                              {"an angle", "rad", 0, 0, 0, 1},
                              {"a velocity", "m/s", 1, 0, -1, 0},
                              {"an angular velocity", "rad/s", 0, 0, -1, 1},
                              {"a frequency", "1/s", 0, 0, -1, 0},
                              {"a force", "N", 1, 1, -2, 0},
                              {"a torque", "N m", 2, 1, -2, 0},
                              {"a power", "W", 2, 1, -3, 0},
                              {"an acceleration", "m/s^2", 1, 0, -2, 0},
                              {"an inertia", "kg m^2", 2, 1, 0, 0},
                              {"a density", "kg/m^3", -3, 1, 0, 0},
                              {"a stiffness", "N/m", 0, 1, -2, 0},
                              {"a damping", "N s/m", 0, 1, -1, 0},
                              {"a pressure", "Pa", -1, 1, -2, 0},
                              {"a force per volume", "N/m^3", -2, 1, -2, 0},
                              {"a compressibility", "1/Pa", 1, -1, 2, 0}};

/* NULL: it has no name. */
static const known *find_known(tl_dimension d)
{
    for (size_t i = 0; i < sizeof KNOWN / sizeof *KNOWN; i++)
        if (KNOWN[i].m == d.m && KNOWN[i].kg == d.kg && KNOWN[i].s == d.s && KNOWN[i].rad == d.rad) return &KNOWN[i];
    return NULL;
}

void tl_dimension_unit(tl_dimension d, char text[64])
{
    const known *k = find_known(d);
    if (k) snprintf(text, 64, "%s", k->unit);
    else tell_powers(d, text);
}

void tl_dimension_text(tl_dimension d, char text[64])
{
    const known *k = find_known(d);
    if (k && k != KNOWN) snprintf(text, 64, "%s (%s)", k->name, k->unit);
    else if (k) snprintf(text, 64, "%s", k->name);
    else tell_powers(d, text);
}

bool tl_dimension_fits(tl_dimension given, tl_dimension wanted)
{
    if (given.m != wanted.m || given.kg != wanted.kg || given.s != wanted.s) return false;
    return given.rad == wanted.rad || (given.rad == 0 && !given.hertz) || (wanted.rad == 0 && given.m == 0 && given.kg == 0 && given.s == 0) ||
           (wanted.rad != 0 && given.rad == 0 && !given.hertz);
}
