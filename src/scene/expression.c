/* Expressions: recursive descent to a stack program, run on second-order dual numbers (value, d/dt, d²/dt²). */
#include "scene/expression.h"
#include "scene/node.h"

#include <ctype.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum opcode { OP_NUMBER, OP_LIVE, OP_T, OP_Q, OP_V, OP_STATE, OP_INPUT, OP_ADD, OP_SUB, OP_MUL, OP_DIV, OP_POW, OP_NEG, OP_CALL } opcode;

typedef struct dual {
    double x, d, dd;
} dual;

typedef struct function {
    const char *name;
    int arguments;
    enum { SAME, NUMBER, ANGLE, ROOT, GATE } kind; /* what the arguments may be, what comes out */
    dual (*value)(const dual *);
} function;

typedef struct instruction {
    opcode op;
    double number;
    const function *call;
    const double *live;
    const tl_input *input;
    int index;
} instruction;

struct tl_expression {
    int count;
    instruction *code;
};

enum { MAX_CODE = 512, MAX_STACK = 64, MAX_NEST = 48 };

/* f(a) with f, f', f'' at a.x. What stands still has no rate, however steep the function is there: √0 of a constant. */
static dual chain(dual a, double f, double f1, double f2)
{
    const double rate = a.d != 0 ? f1 * a.d : 0, bend = a.d != 0 ? f2 * a.d * a.d : 0;
    return (dual){f, rate, (a.dd != 0 ? f1 * a.dd : 0) + bend};
}

static dual mul(dual a, dual b) { return (dual){a.x * b.x, a.d * b.x + a.x * b.d, a.dd * b.x + 2 * a.d * b.d + a.x * b.dd}; }

static dual reciprocal(dual a) { return chain(a, 1 / a.x, -1 / (a.x * a.x), 2 / (a.x * a.x * a.x)); }

static dual f_log(const dual *a) { return chain(*a, log(a->x), 1 / a->x, -1 / (a->x * a->x)); }
static dual f_exp(const dual *a) { return chain(*a, exp(a->x), exp(a->x), exp(a->x)); }

static dual power(dual a, dual b)
{
    if (b.d == 0 && b.dd == 0) { /* a constant exponent: any base */
        const double n = b.x;
        if (n == 0) return (dual){1, 0, 0};
        if (n == 1) return a;
        if (n == 2) return mul(a, a);
        return chain(a, pow(a.x, n), n * pow(a.x, n - 1), n * (n - 1) * pow(a.x, n - 2));
    }
    const dual product = mul(b, f_log(&a));
    return f_exp(&product);
}

static dual f_sin(const dual *a) { return chain(*a, sin(a->x), cos(a->x), -sin(a->x)); }
static dual f_cos(const dual *a) { return chain(*a, cos(a->x), -sin(a->x), -cos(a->x)); }
static dual f_tan(const dual *a)
{
    const double y = tan(a->x), s = 1 + y * y;
    return chain(*a, y, s, 2 * y * s);
}
static dual f_asin(const dual *a)
{
    const double c = sqrt(1 - a->x * a->x);
    return chain(*a, asin(a->x), 1 / c, a->x / (c * c * c));
}
static dual f_acos(const dual *a)
{
    const dual s = f_asin(a);
    return (dual){acos(a->x), -s.d, -s.dd};
}
static dual f_atan(const dual *a)
{
    const double s = 1 / (1 + a->x * a->x);
    return chain(*a, atan(a->x), s, -2 * a->x * s * s);
}
static dual f_atan2(const dual *a)
{
    const double r = a[0].x * a[0].x + a[1].x * a[1].x, w = (a[0].d * a[1].x - a[0].x * a[1].d) / r;
    const double dr = 2 * (a[0].x * a[0].d + a[1].x * a[1].d);
    if (a[0].d == 0 && a[1].d == 0 && a[0].dd == 0 && a[1].dd == 0) return (dual){atan2(a[0].x, a[1].x), 0, 0};
    return (dual){atan2(a[0].x, a[1].x), w, (a[0].dd * a[1].x - a[0].x * a[1].dd) / r - w * dr / r};
}
static dual f_sqrt(const dual *a)
{
    const double y = sqrt(a->x);
    return chain(*a, y, 0.5 / y, -0.25 / (y * a->x));
}
static dual f_abs(const dual *a) { return a->x < 0 ? (dual){-a->x, -a->d, -a->dd} : *a; }
static dual f_min(const dual *a) { return a[1].x < a[0].x ? a[1] : a[0]; }
static dual f_max(const dual *a) { return a[1].x > a[0].x ? a[1] : a[0]; }
static dual f_clamp(const dual *a) { return a[0].x < a[1].x ? a[1] : a[0].x > a[2].x ? a[2] : a[0]; }
static dual f_sign(const dual *a) { return (dual){(a->x > 0) - (a->x < 0), 0, 0}; }
/* x − a ⌊x/a⌋, in [0, a) for a > 0; what it jumps by is not in its rate. */
static dual f_mod(const dual *a)
{
    double left = fmod(a[0].x, a[1].x); /* exact: x − a ⌊x/a⌋ would be below 0 by rounding */
    if (left != 0 && (left < 0) != (a[1].x < 0)) left += a[1].x;
    const double whole = round((a[0].x - left) / a[1].x);
    return (dual){left, a[0].d - whole * a[1].d, a[0].dd - whole * a[1].dd};
}
static dual f_step(const dual *a) { return (dual){a->x >= 0 ? 1 : 0, 0, 0}; }

/* 0 before a, 1 after b, 10 s³ − 15 s⁴ + 6 s⁵ between: twice continuously differentiable. */
static dual f_ramp(const dual *a)
{
    const dual width = {a[2].x - a[1].x, a[2].d - a[1].d, a[2].dd - a[1].dd};
    const dual s = mul((dual){a[0].x - a[1].x, a[0].d - a[1].d, a[0].dd - a[1].dd}, reciprocal(width));
    if (!(s.x > 0)) return (dual){0, 0, 0};
    if (s.x >= 1) return (dual){1, 0, 0};
    const double x = s.x;
    return chain(s, x * x * x * (10 + x * (6 * x - 15)), 30 * x * x * (1 - x) * (1 - x), 60 * x * (1 - x) * (1 - 2 * x));
}

static const function FUNCTIONS[] = {
    {"sin", 1, ANGLE, f_sin},    {"cos", 1, ANGLE, f_cos},    {"tan", 1, ANGLE, f_tan},  {"asin", 1, NUMBER, f_asin}, {"acos", 1, NUMBER, f_acos},
    {"atan", 1, NUMBER, f_atan}, {"atan2", 2, GATE, f_atan2}, {"exp", 1, NUMBER, f_exp}, {"log", 1, NUMBER, f_log},   {"sqrt", 1, ROOT, f_sqrt},
    {"abs", 1, SAME, f_abs},     {"min", 2, SAME, f_min},     {"max", 2, SAME, f_max},   {"step", 1, GATE, f_step},   {"ramp", 3, GATE, f_ramp},
    {"clamp", 3, SAME, f_clamp}, {"sign", 1, GATE, f_sign},   {"mod", 2, SAME, f_mod},
};
enum { FUNCTION_COUNT = sizeof FUNCTIONS / sizeof *FUNCTIONS };

/* ---- compiling ---------------------------------------------------------------------------------------------------- */

typedef struct compiler {
    const char *start, *p;
    const tl_scope *scope;
    tl_error *error;
    bool failed;
    int count, depth, nest;
    instruction code[MAX_CODE];
} compiler;

static tl_dimension fail(compiler *c, const char *what)
{
    if (!c->failed) tl_fail(c->error, TALUS_INPUT, "%s (at character %d of '%.200s')", what, (int)(c->p - c->start) + 1, c->start);
    c->failed = true;
    return (tl_dimension){0};
}

static void emit(compiler *c, instruction i, int change)
{
    c->depth += change;
    if (c->count == MAX_CODE || c->depth >= MAX_STACK) fail(c, "the expression is too long");
    else c->code[c->count++] = i;
}

static void spaces(compiler *c)
{
    while (*c->p == ' ' || *c->p == '\t' || *c->p == '\n') c->p++;
}

static bool accept(compiler *c, char symbol)
{
    spaces(c);
    if (*c->p != symbol) return false;
    c->p++;
    return true;
}

static bool same(tl_dimension a, tl_dimension b) { return a.unitless || b.unitless || tl_dimension_fits(a, b) || tl_dimension_fits(b, a); }

static bool is_number(tl_dimension d) { return d.m == 0 && d.kg == 0 && d.s == 0; }

static tl_dimension expression(compiler *c);

/* Decimal number whatever the locale. */
static double read_number(const char *text, char **end)
{
    const locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    const double value = c ? strtod_l(text, end, c) : strtod(text, end);
    if (c) freelocale(c);
    return value;
}

static const tl_name *listed(const compiler *c, const char *word)
{
    for (int i = 0; i < c->scope->count; i++)
        if (strcmp(c->scope->names[i].name, word) == 0) return &c->scope->names[i];
    return NULL;
}

static bool in_scope(const compiler *c, const char *word)
{
    return listed(c, word) || (c->scope->time && strcmp(word, "t") == 0) || (c->scope->stage_start && strcmp(word, "T") == 0) ||
           (c->scope->state && (strcmp(word, "q") == 0 || strcmp(word, "v") == 0));
}

/* Does a name of the scene, after the number before it and a stroke, say something that a unit says as well? "3 m/s" must not become another velocity because a
 * parameter is called s. */
static bool is_unit_too(compiler *c, const char *word)
{
    double one;
    tl_dimension trial;
    char bad[32], text[160];
    if (!tl_unit_parse(word, &one, &trial, bad)) return false;
    snprintf(text, sizeof text, "'%.15s' is a unit, and a name here: write (%.15s) for what is called so, or give it another name", word, word);
    fail(c, text);
    return true;
}

/* The unit after a number: as much as is units and not names; "5 N/m" but "5 N / mass"; also "5 1/s". */
static tl_dimension unit_after(compiler *c, double *value)
{
    char taken[64] = "", candidate[128], bad[32];
    tl_dimension dimension = {0}, trial;
    double factor = 1, one;
    const char *p = c->p;
    for (;;) {
        const char *q = p;
        char separator = '\0';
        while (*q == ' ') q++;
        const bool inverse = !*taken && q[0] == '1' && q[1] == '/';
        if (inverse) q += 2;
        if (*taken && *q == '/') separator = '/', q++;
        while (*q == ' ') q++;
        size_t n = 0;
        while (isalpha((unsigned char)q[n]) || q[n] == '%' || (unsigned char)q[n] >= 128) n++;
        if (n == 0 || n > 15 || q[n] == '(' || q[n] == '.' || q[n] == '_') break;
        char word[32];
        snprintf(word, sizeof word, "%.*s", (int)n, q);
        if ((inverse || (*taken && separator)) && in_scope(c, word)) {
            if (is_unit_too(c, word)) return dimension;
            break;
        }
        if (q[n] == '^' && (isdigit((unsigned char)q[n + 1]) || (q[n + 1] == '-' && isdigit((unsigned char)q[n + 2])))) {
            n += 2;
            while (isdigit((unsigned char)q[n])) n++;
        }
        snprintf(candidate, sizeof candidate, "%s%s%.*s", inverse ? "1" : taken, inverse || separator ? "/" : (*taken ? " " : ""), (int)n, q);
        if (strlen(candidate) >= sizeof taken || !tl_unit_parse(candidate, &one, &trial, bad)) break;
        memcpy(taken, candidate, strlen(candidate) + 1);
        factor = one;
        dimension = trial;
        p = q + n;
    }
    if (*taken) c->p = p;
    *value *= factor;
    return dimension;
}

static tl_dimension number(compiler *c)
{
    char *end;
    double value = read_number(c->p, &end);
    if (end == c->p) return fail(c, "a number, a name or a parenthesis is expected");
    c->p = end;
    const char *before = c->p;
    tl_dimension d = unit_after(c, &value);
    d.unitless = c->p == before;
    if (!isfinite(value)) return fail(c, "the number is not finite");
    emit(c, (instruction){.op = OP_NUMBER, .number = value}, 1);
    return d;
}

static tl_dimension call(compiler *c, const function *f)
{
    tl_dimension first = {0};
    for (int i = 0; i < f->arguments; i++) {
        if (i > 0 && !accept(c, ',')) return fail(c, "another argument is expected");
        const tl_dimension d = expression(c);
        if (i == 0) first = d;
        else if (!c->failed && !same(first, d)) return fail(c, "the arguments have different dimensions");
        else if (first.unitless) first = d;
    }
    if (!accept(c, ')')) return fail(c, "a closing parenthesis is expected");
    if (!c->failed && (f->kind == NUMBER || f->kind == ANGLE) && !is_number(first)) return fail(c, "the argument must be a plain number or an angle");
    emit(c, (instruction){.op = OP_CALL, .call = f}, 1 - f->arguments);
    if (f->kind == ROOT) return (tl_dimension){first.m / 2, first.kg / 2, first.s / 2, first.rad / 2, false, first.unitless};
    return f->kind == SAME ? first : (tl_dimension){0};
}

static tl_dimension unknown_name(compiler *c, const char *word)
{
    const char *names[256], *near = NULL;
    char text[384];
    int n = 0;
    const bool is_probe = strncmp(word, "probe.", 6) == 0;
    const bool of_law = strncmp(word, "q.", 2) == 0 || strncmp(word, "v.", 2) == 0 || is_probe || strncmp(word, "state.", 6) == 0;
    for (; n < c->scope->count && n < 256; n++) names[n] = c->scope->names[n].name;
    const bool time = strcmp(word, "t") == 0, stage = strcmp(word, "T") == 0;
    if (!time && !stage) near = tl_nearest(word, names, n);
    snprintf(text, sizeof text, "'%.100s' is not known here%s%s%.100s%s", word,
             time    ? ": this value does not depend on time"
             : stage ? ": the time since a stage began is known in functions of 'stages' only"
             : strncmp(word, "input.", 6) == 0 && !near
                 ? ": inputs stand in laws, and in functions of time that are no positions, for a position would jump with its input"
             : is_probe && c->scope->time && !near
                 ? ": name it in an input, and that here, where this is no position: inputs: {name: {value: …}}, and input.name"
             : of_law && !near ? ": coordinates and states are known in laws of forces and rates of states, probes there, in inputs and in circuits of oil"
                               : "; parameters are written with their dots, as in vibration.frequency",
             near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
    return fail(c, text);
}

/* A word that the language has a meaning for here, and a parameter has, too. */
static bool is_parameter(compiler *c, const char *word, const char *meaning)
{
    char text[160];
    if (!listed(c, word)) return false;
    snprintf(text, sizeof text, "'%.8s' is %s here, and a parameter: give the parameter another name", word, meaning);
    fail(c, text);
    return true;
}

static tl_dimension emit_name(compiler *c, const tl_name *known, size_t length)
{
    static const opcode OPS[] = {[TL_NAME_Q] = OP_Q, [TL_NAME_V] = OP_V, [TL_NAME_STATE] = OP_STATE, [TL_NAME_INPUT] = OP_INPUT};
    c->p += length;
    const opcode op = known->kind != TL_NAME_NUMBER ? OPS[known->kind] : known->live ? OP_LIVE : OP_NUMBER;
    emit(c, (instruction){.op = op, .number = known->value, .live = known->live, .input = known->input, .index = known->index}, 1);
    return known->dimension;
}

/* A name that is not listed, or why it is none. */
static tl_dimension found_name(compiler *c, const char *word, size_t length)
{
    tl_name found = {.name = word};
    char why[TL_WHY] = "";
    if (c->scope->find && c->scope->find(c->scope->user, word, &found, why)) return emit_name(c, &found, length);
    return *why ? fail(c, why) : unknown_name(c, word);
}

static tl_dimension name(compiler *c)
{
    char word[128];
    size_t n = 0;
    while ((isalnum((unsigned char)c->p[n]) || c->p[n] == '_' || c->p[n] == '.') && n < sizeof word - 1) word[n] = c->p[n], n++;
    word[n] = '\0';
    const char *after = c->p + n;
    while (*after == ' ') after++;
    if (*after == '(') {
        for (int i = 0; i < FUNCTION_COUNT; i++)
            if (strcmp(FUNCTIONS[i].name, word) == 0) {
                c->p = after + 1;
                return call(c, &FUNCTIONS[i]);
            }
        return unknown_name(c, word);
    }
    if (strcmp(word, "pi") == 0) {
        if (is_parameter(c, word, "3.14159…")) return (tl_dimension){0};
        c->p += n;
        emit(c, (instruction){.op = OP_NUMBER, .number = 3.14159265358979323846}, 1);
        return (tl_dimension){.unitless = true};
    }
    if (c->scope->time && strcmp(word, "t") == 0) {
        if (is_parameter(c, word, "the time")) return (tl_dimension){0};
        c->p += n;
        emit(c, (instruction){.op = OP_T}, 1);
        return (tl_dimension){.s = 1};
    }
    if (c->scope->state && (strcmp(word, "q") == 0 || strcmp(word, "v") == 0)) {
        if (is_parameter(c, word, word[0] == 'q' ? "the joint's coordinate" : "the joint's rate")) return (tl_dimension){0};
        c->p += n;
        emit(c, (instruction){.op = word[0] == 'q' ? OP_Q : OP_V}, 1);
        return word[0] == 'q' ? c->scope->q : c->scope->v;
    }
    if (c->scope->stage_start && strcmp(word, "T") == 0) {
        if (is_parameter(c, word, "the time since the stage began")) return (tl_dimension){0};
        c->p += n;
        emit(c, (instruction){.op = OP_T}, 1);
        emit(c, (instruction){.op = OP_LIVE, .live = c->scope->stage_start}, 1);
        emit(c, (instruction){.op = OP_SUB}, -1);
        return (tl_dimension){.s = 1};
    }
    const tl_name *known = listed(c, word);
    if (!known) return found_name(c, word, n);
    char why[TL_WHY] = "", twice[160];
    snprintf(twice, sizeof twice, "'%.80s' is a parameter, and a name of the scene's parts: give the parameter another name", word);
    if (c->scope->find && c->scope->find(c->scope->user, word, &(tl_name){.name = word}, why)) return fail(c, twice);
    return emit_name(c, known, n);
}

static tl_dimension primary(compiler *c)
{
    if (++c->nest > MAX_NEST) return fail(c, "nested too deeply");
    tl_dimension d;
    if (accept(c, '(')) {
        d = expression(c);
        if (!c->failed && !accept(c, ')')) d = fail(c, "a closing parenthesis is expected");
    } else if (isalpha((unsigned char)*c->p) || *c->p == '_') d = name(c);
    else d = number(c);
    c->nest--;
    return d;
}

static tl_dimension unary(compiler *c);

/* A dimensioned base takes whole constant powers. */
static tl_dimension powered(compiler *c)
{
    const tl_dimension base = primary(c);
    if (c->failed || !accept(c, '^')) return base;
    const int at = c->count;
    const tl_dimension exponent = unary(c);
    if (c->failed) return base;
    if (!is_number(exponent)) return fail(c, "an exponent is a plain number");
    double n = c->code[at].number;
    const bool constant = c->code[at].op == OP_NUMBER && (c->count == at + 1 || (c->count == at + 2 && c->code[at + 1].op == OP_NEG));
    if (c->count == at + 2) n = -n;
    emit(c, (instruction){.op = OP_POW}, -1);
    if (is_number(base) && base.rad == 0) return (tl_dimension){.unitless = base.unitless};
    if (!constant) return fail(c, "a quantity with a unit takes a constant exponent");
    return (tl_dimension){base.m * n, base.kg * n, base.s * n, base.rad * n, false, false};
}

static tl_dimension unary(compiler *c)
{
    if (++c->nest > MAX_NEST) return fail(c, "nested too deeply");
    tl_dimension d;
    if (accept(c, '-')) {
        d = unary(c);
        emit(c, (instruction){.op = OP_NEG}, 0);
    } else {
        (void)accept(c, '+');
        d = powered(c);
    }
    c->nest--;
    return d;
}

static tl_dimension term(compiler *c)
{
    tl_dimension d = unary(c);
    while (!c->failed) {
        const bool times = accept(c, '*'), over = !times && accept(c, '/');
        if (!times && !over) break;
        const tl_dimension e = unary(c);
        const double sign = times ? 1 : -1;
        d = (tl_dimension){d.m + sign * e.m, d.kg + sign * e.kg, d.s + sign * e.s, d.rad + sign * e.rad, d.hertz && is_number(e), d.unitless && e.unitless};
        emit(c, (instruction){.op = times ? OP_MUL : OP_DIV}, -1);
    }
    return d;
}

static tl_dimension expression(compiler *c)
{
    tl_dimension d = term(c);
    while (!c->failed) {
        const bool plus = accept(c, '+'), minus = !plus && accept(c, '-');
        if (!plus && !minus) break;
        const tl_dimension e = term(c);
        if (!c->failed && !same(d, e)) {
            char a[64], b[64], text[192];
            tl_dimension_text(d, a);
            tl_dimension_text(e, b);
            snprintf(text, sizeof text, "%s and %s do not add up", a, b);
            return fail(c, text);
        }
        if (d.unitless) d = e;
        emit(c, (instruction){.op = plus ? OP_ADD : OP_SUB}, -1);
    }
    return d;
}

tl_expression *tl_expression_compile(const char *text, const tl_scope *scope, tl_arena *arena, tl_dimension *dimension, tl_error *error)
{
    compiler c = {.start = text, .p = text, .scope = scope, .error = error};
    *dimension = expression(&c);
    spaces(&c);
    if (!c.failed && *c.p) {
        char word[32], message[128], bad[32];
        size_t n = 0;
        while (n < 31 && c.p[n] && c.p[n] != ' ') word[n] = c.p[n], n++;
        word[n] = '\0';
        const bool unit_like = isalpha((unsigned char)word[0]) || (unsigned char)word[0] >= 128;
        double factor;
        tl_dimension d;
        snprintf(message, sizeof message, unit_like && !tl_unit_parse(word, &factor, &d, bad) ? "'%s' is not a known unit" : "'%s' is not expected here", word);
        fail(&c, message);
    }
    if (c.failed) return NULL;
    tl_expression *e = tl_arena_alloc(arena, 1, sizeof *e);
    instruction *code = tl_arena_alloc(arena, (size_t)c.count, sizeof *code);
    if (!e || !code) return NULL;
    memcpy(code, c.code, (size_t)c.count * sizeof *code);
    *e = (tl_expression){c.count, code};
    return e;
}

bool tl_expression_reads(const tl_expression *e, const double *live, int count)
{
    for (int i = 0; i < e->count; i++)
        for (int k = 0; k < count; k++)
            if (e->code[i].op == OP_LIVE && e->code[i].live == live + k) return true;
    return false;
}

/* What the derivatives are taken by: t, or one rate or state. */
typedef struct seed {
    bool time;
    opcode op;
    int index;
} seed;

static dual seeded(const seed *by, const instruction *k, double value) { return (dual){value, !by->time && by->op == k->op && by->index == k->index, 0}; }

static dual input_at(const tl_input *input, double t, const seed *by)
{
    double out[3] = {0, 0, 0};
    if (input->set[0] != 0) return (dual){input->set[1], 0, 0};
    if (input->motion.value) input->motion.value(input->motion.user, t, out);
    return by->time ? (dual){out[0], out[1], out[2]} : (dual){out[0], 0, 0};
}

static dual evaluate(const tl_expression *e, const tl_point *at, const seed *by)
{
    dual stack[MAX_STACK + 1] = {{0}};
    int top = 0;
    for (int i = 0; i < e->count; i++) {
        const instruction *k = &e->code[i];
        dual *a = &stack[top > 0 ? top - 1 : 0]; /* last operand */
        switch (k->op) {
        case OP_NUMBER: stack[top++] = (dual){k->number, 0, 0}; break;
        case OP_LIVE: stack[top++] = (dual){*k->live, 0, 0}; break;
        case OP_T: stack[top++] = (dual){at->t, by->time, 0}; break;
        case OP_Q: stack[top++] = (dual){at->q[k->index], 0, 0}; break;
        case OP_V: stack[top++] = seeded(by, k, at->v[k->index]); break;
        case OP_STATE: stack[top++] = seeded(by, k, at->state[k->index]); break;
        case OP_INPUT: stack[top++] = input_at(k->input, at->t, by); break;
        case OP_NEG: *a = (dual){-a->x, -a->d, -a->dd}; break;
        case OP_ADD: a[-1] = (dual){a[-1].x + a->x, a[-1].d + a->d, a[-1].dd + a->dd}, top--; break;
        case OP_SUB: a[-1] = (dual){a[-1].x - a->x, a[-1].d - a->d, a[-1].dd - a->dd}, top--; break;
        case OP_MUL: a[-1] = mul(a[-1], *a), top--; break;
        case OP_DIV: a[-1] = mul(a[-1], reciprocal(*a)), top--; break;
        case OP_POW: a[-1] = power(a[-1], *a), top--; break;
        case OP_CALL: top -= k->call->arguments, stack[top] = k->call->value(&stack[top]), top++; break;
        }
    }
    return stack[0];
}

void tl_expression_value(const tl_expression *e, double t, double out[3])
{
    static const double none[1]; /* a function of time alone names no coordinate, rate or state */
    const dual value = evaluate(e, &(tl_point){t, none, none, none}, &(seed){.time = true});
    out[0] = value.x, out[1] = value.d, out[2] = value.dd;
}

double tl_expression_at(const tl_expression *e, const tl_point *at) { return evaluate(e, at, &(seed){.time = true}).x; }

double tl_expression_slope(const tl_expression *e, const tl_point *at, bool of_state, int index)
{
    return evaluate(e, at, &(seed){.op = of_state ? OP_STATE : OP_V, .index = index}).d;
}
