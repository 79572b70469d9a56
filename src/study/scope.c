/* The names that the expressions of a case may use. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "study/verify.h"

const char *tl_case_text(tl_case *c, const char *format, ...)
{
    char *text = NULL, *copy = NULL;
    va_list arguments;
    va_start(arguments, format);
    const int n = vasprintf(&text, format, arguments);
    va_end(arguments);
    if (n >= 0 && (copy = tl_arena_alloc(c->arena, (size_t)n + 1, 1))) memcpy(copy, text, (size_t)n + 1);
    if (n >= 0) free(text);
    return copy ? copy : "";
}

void tl_unit_of(tl_dimension d, char text[64])
{
    static const char *const BASE[] = {"m", "kg", "rad", "s"};
    const double power[] = {d.m, d.kg, d.rad, d.s};
    char known[64], *open = NULL, *close = NULL;
    for (int angles = 1; angles >= 0 && !close; angles--) { /* else as if the angles were numbers */
        const double rad = angles ? d.rad : 0;
        tl_dimension_text((tl_dimension){d.m, d.kg, d.s, rad, false, false}, known);
        open = strchr(known, '(');
        close = open ? strchr(open, ')') : NULL;
    }
    if (close) *close = 0;
    snprintf(text, 64, "%s", close ? open + 1 : "");
    for (int i = 0, n = 0; !close && i < 4; i++)
        if (power[i] == 1) n += snprintf(text + n, 64 - (size_t)n, "%s%s", n ? " " : "", BASE[i]);
        else if (power[i] != 0) n += snprintf(text + n, 64 - (size_t)n, "%s%s^%g", n ? " " : "", BASE[i], power[i]);
}

static int put(tl_name *names, int count, const char *name, tl_dimension dimension, const double *live)
{
    names[count] = (tl_name){.name = name, .dimension = dimension, .live = live};
    return count + 1;
}

/* One name, one thing: what hides another would be compared with itself. */
static void refuse_twins(tl_case *c, const tl_node *where, const tl_name *names, int count)
{
    for (int i = 0; i < count; i++)
        for (int k = 0; k < i; k++)
            if (strcmp(names[i].name, names[k].name) == 0) {
                tl_mistake_key(&c->mistakes, TALUS_INPUT, where, "'%.80s' is the name of two things: of columns, functions, tables, parameters or values",
                               names[i].name);
                return;
            }
}

static int row_scope(tl_case *c, int run, tl_name *names)
{
    const tl_node *functions = tl_node_get(c->reading.root, "functions");
    int n = 0;
    for (int i = 0; i < c->reading.name_count; i++) names[n++] = c->reading.names[i];
    for (int k = 0; k < c->from[run].columns; k++) n = put(names, n, c->from[run].column[k], c->from[run].dimension[k], &c->from[run].slot[k]);
    for (int i = 0; i < c->functions; i++) /* their dimensions are put in when they are compiled */
        n = put(names, n, functions->item[i]->key, (tl_dimension){0}, &c->function_slot[i]);
    for (int s = 0; s < c->sources; s++)
        for (int k = 0; k < c->from[s].columns; k++)
            n = put(names, n, tl_case_text(c, "%s.%s", c->from[s].name, c->from[s].column[k]), c->from[s].dimension[k], &c->from[s].slot[k]);
    return n;
}

/* Functions use parameters and the functions above them. */
static void compile_functions(tl_case *c)
{
    const tl_node *functions = tl_node_get(c->reading.root, "functions");
    tl_name *names = tl_arena_zero(c->arena, (size_t)(c->reading.name_count + c->functions) + 1, sizeof *names);
    if (!names) return;
    int n = 0;
    for (; n < c->reading.name_count; n++) names[n] = c->reading.names[n];
    for (int i = 0; i < c->functions; i++) {
        const tl_node *node = functions->item[i];
        const tl_scope scope = {.names = names, .count = n, .time = true};
        tl_error error = {0};
        tl_dimension dimension = {0};
        if (node->kind == NODE_SCALAR) c->function[i] = tl_expression_compile(node->text, &scope, c->arena, &dimension, &error);
        if (!c->function[i]) tl_mistake(&c->mistakes, TALUS_INPUT, node, "%s", error.text[0] ? error.text : "an expression of t is expected");
        n = put(names, n, node->key, dimension, &c->function_slot[i]);
        for (int r = 0; r < c->runs; r++) c->row_names[r][c->reading.name_count + c->from[r].columns + i].dimension = dimension;
    }
}

static int entries(const tl_node *map) { return map && map->kind == NODE_MAP ? map->count : 0; }

bool tl_case_scopes(tl_case *c)
{
    const tl_node *functions = tl_node_get(c->reading.root, "functions"), *values = tl_node_get(c->reading.root, "values");
    c->functions = entries(functions);
    c->values = entries(values);
    size_t most = (size_t)(c->reading.name_count + c->functions + c->values) + 1;
    for (int s = 0; s < c->sources; s++) most += 2 * (size_t)c->from[s].columns;
    c->function = tl_arena_zero(c->arena, (size_t)c->functions + 1, sizeof *c->function);
    c->function_slot = tl_arena_zero(c->arena, (size_t)c->functions + 1, sizeof(double));
    c->value = tl_arena_zero(c->arena, (size_t)c->values + 1, sizeof *c->value);
    c->value_slot = tl_arena_zero(c->arena, (size_t)c->values + 1, sizeof(double));
    c->row_names = tl_arena_zero(c->arena, (size_t)c->runs + 1, sizeof *c->row_names);
    c->row_count = tl_arena_zero(c->arena, (size_t)c->runs + 1, sizeof *c->row_count);
    c->number_names = tl_arena_zero(c->arena, most, sizeof *c->number_names);
    if (!c->function || !c->function_slot || !c->value || !c->value_slot || !c->row_names || !c->row_count || !c->number_names) return false;
    for (c->number_count = 0; c->number_count < c->reading.name_count; c->number_count++) c->number_names[c->number_count] = c->reading.names[c->number_count];
    for (int r = 0; r < c->runs; r++) {
        c->row_names[r] = tl_arena_zero(c->arena, most, sizeof **c->row_names);
        if (!c->row_names[r]) return false;
        c->row_count[r] = row_scope(c, r, c->row_names[r]);
        for (int v = 0; v < entries(values); v++) put(c->row_names[r], c->row_count[r] + v, values->item[v]->key, (tl_dimension){0}, &c->value_slot[v]);
        refuse_twins(c, c->run[r].node, c->row_names[r], c->row_count[r] + c->values);
    }
    for (int v = 0; v < entries(values); v++) put(c->number_names, c->number_count + v, values->item[v]->key, (tl_dimension){0}, &c->value_slot[v]);
    compile_functions(c);
    return true;
}

/* What an expression reads is wanted; a function wants nothing of its own. */
static void want(tl_case *c, const tl_expression *e)
{
    for (int s = 0; s < c->sources; s++)
        if (tl_expression_reads(e, c->from[s].slot, c->from[s].columns)) c->from[s].wanted = true;
}

tl_expression *tl_case_compile(tl_case *c, const tl_node *node, int run, int values, tl_dimension *dimension)
{
    tl_name *names = run < 0 ? c->number_names : c->row_names[run];
    const int own = run < 0 ? c->number_count : c->row_count[run];
    for (int v = 0; v < values; v++) names[own + v].dimension = c->value[v].dimension;
    const tl_scope scope = {.names = names, .count = own + values, .time = run >= 0};
    tl_error error = {0};
    tl_expression *e = tl_expression_compile(node->text, &scope, c->arena, dimension, &error);
    if (!e) tl_mistake(&c->mistakes, TALUS_INPUT, node, "%s", error.text[0] ? error.text : "memory ran out");
    else want(c, e);
    return e;
}
