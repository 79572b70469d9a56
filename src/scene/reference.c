/* The scene language written out from its table: Markdown for people, JSON Schema for editors. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scene/schema.h"
#include "talus/material.h"
#include "talus/scene.h"

static const char *type_text(const tl_key *k)
{
    switch (k->type) {
    case KEY_QUANTITY: return k->unit[0] == '?' ? "quantity" : k->unit[0] ? k->unit : "number";
    case KEY_FUNCTION: return "function of t";
    case KEY_COUNT: return "whole number";
    case KEY_FLAG: return "true, false";
    case KEY_TEXT: return "text";
    case KEY_VECTOR: return k->unit[0] ? k->unit : "vector";
    case KEY_POINTS: return "points";
    case KEY_QUANTITIES: return "quantities";
    case KEY_TENSOR: return "quantities, or rows";
    case KEY_REFERENCE: return k->choices;
    case KEY_REFERENCES: return "names";
    case KEY_OBJECT: return k->unit ? "quantity, or keys" : "keys";
    case KEY_OBJECTS: return "list of keys";
    case KEY_NAMED: return "names with keys";
    case KEY_COORDINATES: return "by coordinate";
    case KEY_REGION: return "two corners, or a shape";
    case KEY_FREE: return "names with quantities";
    case KEY_GROUPS: return k->sub ? "names, or keys" : "names";
    case KEY_LAW: break; /* its names */
    case KEY_JOINT:      /* no keys */
    case KEY_MATTER: break;
    case KEY_WORD: break; /* its words */
    }
    return "";
}

/* "x z:3" as text: x, z (space). */
static void put_words(FILE *out, const char *words)
{
    for (const char *c = words; *c; c++) {
        if (*c == ':') fputs(*++c == '2' ? " (plane)" : " (space)", out);
        else fputs(*c == ' ' ? ", " : (char[2]){*c, 0}, out);
    }
}

static void put_laws(FILE *out, const char *between)
{
    const talus_law *law;
    for (int i = 0; (law = talus_law_at(i)); i++) fprintf(out, "%s%s", i > 0 ? between : "", law->name);
}

static const char *dimension_text(const tl_key *k) { return k->dimension == 2 ? "plane" : k->dimension == 3 ? "space" : ""; }

static void markdown(FILE *out, const tl_key *keys, const char *title, int level)
{
    if (level > 2) fprintf(out, "\n### `%s`\n", title);
    fprintf(out, "\n| key | value | default | meaning |\n|---|---|---|---|\n");
    tl_key room;
    const tl_key *k;
    for (int i = 0; (k = tl_schema_key(keys, i, &room)); i++) {
        char words[TL_CHOICES];
        fprintf(out, "| `%s` | %s%s", k->name, type_text(k), k->type == KEY_VECTOR ? " (list)" : "");
        if (k->type == KEY_WORD) put_words(out, tl_key_choices(k, words));
        if (k->type == KEY_LAW) put_laws(out, ", ");
        fprintf(out, " | %s | %s%s%s%s%s",
                k->required   ? "**required**"
                : k->fallback ? k->fallback
                              : "",
                dimension_text(k), k->dimension && k->text && *k->text ? ": " : "", k->law ? k->law : "", k->law ? ": " : "", k->text ? k->text : "");
        for (int w = 0; k->meanings && k->words(w); w++) fprintf(out, "; %s: %s", k->words(w), k->meanings(w));
        fputs(" |\n", out);
    }
    const tl_key *last = NULL;
    for (int i = 0; (k = tl_schema_key(keys, i, &room)); i++) {
        char path[256];
        if (!k->sub || (k == &room && k->sub == last)) continue; /* coordinates of joints are alike, and written once */
        last = k->sub;
        snprintf(path, sizeof path, "%s%s%s%s", title, *title ? "." : "", k->name,
                 k->type == KEY_NAMED                              ? ".*"
                 : k->type == KEY_OBJECTS || k->type == KEY_GROUPS ? "[]"
                                                                   : "");
        if (k->sub == TL_SHAPE_KEYS && strcmp(path, "bodies.*.shapes[]") != 0) continue; /* written once */
        markdown(out, k->sub, path, level + 1);
    }
}

/* Shapes may hold shapes (repeat), so that their keys are written once, and referred to. */
static void json_schema(FILE *out, const tl_key *keys);

static void json_items(FILE *out, const tl_key *keys)
{
    if (keys == TL_SHAPE_KEYS) fprintf(out, "{\"$ref\": \"#/definitions/shape\"}");
    else json_schema(out, keys);
}

static void json_words(FILE *out, const char *words)
{
    fprintf(out, "{\"enum\": [\"");
    for (const char *c = words; *c; c += *c == ':' ? 2 : 1)
        if (*c != ':') fputs(*c == ' ' ? "\", \"" : (char[2]){*c, 0}, out);
    fprintf(out, "\"]}");
}

static void json_value(FILE *out, const tl_key *k)
{
    if (k->type == KEY_OBJECT && k->unit) {
        fprintf(out, "{\"anyOf\": [{\"type\": [\"number\", \"string\"]}, ");
        json_schema(out, k->sub);
        fprintf(out, "]}");
    } else if (k->type == KEY_OBJECT) json_schema(out, k->sub);
    else if (k->type == KEY_OBJECTS) {
        fprintf(out, "{\"type\": \"array\", \"items\": ");
        json_items(out, k->sub);
        fprintf(out, "}");
    } else if (k->type == KEY_NAMED) {
        fprintf(out, "{\"type\": \"object\", \"additionalProperties\": ");
        json_schema(out, k->sub);
        fprintf(out, "}");
    } else if (k->type == KEY_WORD) {
        char words[TL_CHOICES];
        json_words(out, tl_key_choices(k, words));
    } else if (k->type == KEY_LAW) {
        fprintf(out, "{\"enum\": [\"");
        put_laws(out, "\", \"");
        fprintf(out, "\"]}");
    } else if (k->type == KEY_FLAG) fprintf(out, "{\"type\": \"boolean\"}");
    else if (k->type == KEY_FREE || k->type == KEY_COORDINATES || k->type == KEY_FUNCTION) fprintf(out, "{}");
    else if (k->type == KEY_QUANTITY || k->type == KEY_COUNT || k->type == KEY_REFERENCE) fprintf(out, "{\"type\": [\"number\", \"string\"]}");
    else if (k->type == KEY_VECTOR) fprintf(out, "{\"type\": \"array\", \"minItems\": 2, \"maxItems\": %d}", k->numbers == 2 ? 2 : 3);
    else fprintf(out, "{\"type\": [\"array\", \"string\", \"number\"]}");
}

static void json_schema(FILE *out, const tl_key *keys)
{
    fprintf(out, "{\"type\": \"object\", \"additionalProperties\": false, \"properties\": {");
    tl_key room, other;
    const tl_key *k;
    for (int i = 0; (k = tl_schema_key(keys, i, &room)); i++) {
        if (k->law && tl_schema_find(keys, k->name, &other)->law != k->law) continue; /* two laws have it: once */
        fprintf(out, "%s\"%s\": ", i == 0 ? "" : ", ", k->name);
        if (k->dimension) {
            fprintf(out, "{\"description\": \"%s only", dimension_text(k));
            if (k->other) fprintf(out, "; there is '%s' in the other dimension", k->other);
            fprintf(out, "\", \"allOf\": [");
        }
        json_value(out, k);
        if (k->dimension) fprintf(out, "]}");
    }
    fprintf(out, "}");
    if (keys == TL_SCENE_KEYS) {
        fprintf(out, ", \"definitions\": {\"shape\": ");
        json_schema(out, TL_SHAPE_KEYS);
        fprintf(out, "}");
    }
    fprintf(out, "}");
}

char *tl_schema_reference(bool json)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out) return NULL;
    if (json) {
        json_schema(out, TL_SCENE_KEYS);
        fputc('\n', out);
    } else {
        fprintf(out,
                "# Scenes: reference\n\nWritten by `talus schema`; the same table checks the files. A quantity is a plain SI number, a number with a unit "
                "(`150 mm`,\n"
                "`15 rpm`, `500 N/m`), or an expression of parameters (`lid.mass`). After a number what can be a unit is one: `3 m/s` where\n"
                "a parameter is called `s` is a mistake, that parameter is `3 m/(s)`. A function may also use `t`: `4 mm * sin(2*pi*f*t)`; or be a table,\n"
                "`{table: [[0 s, 0 mm], [1 s, 4 mm]]}`, which is linear between its rows and constant beyond them. `{table: […], smooth: true}` is a "
                "cubic between them\n"
                "(Fritsch & Butland 1984): its velocity has no jump and is 0 at both ends, and it never leaves the range of two neighbouring rows. In "
                "`stages` there is also `T`, the time since the stage began, which tables then count. "
                "Functions: sin cos tan asin acos atan atan2 exp log sqrt abs min max;\n"
                "`step(x)`: 0 below 0, 1 from there on; `sign(x)`: −1, 0 or 1; `clamp(x, a, b)`: a below a, b above b, else x; `ramp(x, a, b)`: 0 before a, "
                "1 beyond b (which may be the lower one: then it falls), between them 10 s³ − 15 s⁴ + 6 s⁵ with s = (x − a)/(b − a), without a jump of its "
                "velocity or acceleration; `mod(x, a)`: x − a ⌊x/a⌋, so that `step(0.2 s - mod(t, 1 s))` is a pulse of 0.2 s each second.\n"
                "Numbers are at most 1e30 in SI units; those that must be positive are 1e-30 or more.\n"
                "Angular speeds take rad/s, deg/s, rpm or turn/s; Hz is 1/s, and 1/min is not taken for rpm.\n");
        markdown(out, TL_SCENE_KEYS, "", 2);
    }
    fclose(out);
    return text;
}

char *talus_scene_reference(bool json) { return tl_schema_reference(json); }
