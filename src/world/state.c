/* The state as named arrays: hash, checkpoint, restore. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "world/world.h"

enum { MATTER_FIELDS = 16, JOINT_FIELDS = 7, FIXED_FIELDS = 11 };

/* Columns of pairs/state: the fields of all laws. */
static void name_pair_state(talus_world *w)
{
    const talus_law *law;
    for (int i = 0; (law = talus_law_at(i)); i++)
        for (int k = 0; k < law->fields; k++) {
            const talus_law_field *f = &law->field[k];
            const size_t unit = strlen(w->pair_unit), meaning = strlen(w->pair_meaning);
            snprintf(w->pair_unit + unit, sizeof w->pair_unit - unit, "%s%s", unit ? ", " : "", f->unit);
            snprintf(w->pair_meaning + meaning, sizeof w->pair_meaning - meaning, "%s%s %s: %s", meaning ? "; " : "", law->name, f->name, f->meaning);
        }
}

/* Is that the name of a field of the world, or could it be? Those of matter are known from assembly on. */
static bool is_of_world(const talus_world *w, const char *name)
{
    static const char *const KEPT[] = {"clock/", "contacts/", "pairs/", "moments/", "joints/"};
    bool is = false;
    for (size_t i = 0; i < sizeof KEPT / sizeof *KEPT; i++) is = is || strncmp(name, KEPT[i], strlen(KEPT[i])) == 0;
    for (int i = 0; i < w->field_names; i++) is = is || strcmp(w->field_name[i], name) == 0;
    return is;
}

talus_status tl_world_name_fields(talus_world *w)
{
    name_pair_state(w);
    tl_field fields[MATTER_FIELDS];
    int total = 0;
    for (int m = 0; m < w->system->matters; m++) total += w->system->matter[m]->ops->fields(w->system->matter[m], fields, MATTER_FIELDS);
    w->field_name = tl_alloc(w->memory, (size_t)total + 1, sizeof *w->field_name);
    if (!w->field_name) return tl_world_out_of_memory(w);
    for (int m = 0; m < w->system->matters; m++) {
        const tl_matter *matter = w->system->matter[m];
        const int n = matter->ops->fields(matter, fields, MATTER_FIELDS);
        for (int i = 0; i < n; i++) {
            char name[256];
            snprintf(name, sizeof name, "%.120s/%.120s", matter->name ? matter->name : matter->ops->kind, fields[i].name);
            w->field_name[w->field_names] = tl_strdup(w->memory, name);
            if (!w->field_name[w->field_names]) return tl_world_out_of_memory(w);
            w->field_names++;
        }
    }
    for (int i = 0; i < w->own_fields; i++)
        if (is_of_world(w, w->own_field[i].name))
            return tl_fail(&w->error, TALUS_INPUT, "an array of the program's own has the name '%s' of one of the world's", w->own_field[i].name);
    return TALUS_OK;
}

/* ---- arrays of the user's own -------------------------------------------------------------------------------------- */

void *talus_state_data(const talus_world *w, const char *name)
{
    for (int i = 0; name && i < w->own_fields; i++)
        if (strcmp(w->own_field[i].name, name) == 0) return w->own_field[i].data;
    return NULL;
}

static void free_own_field(talus_world *w, tl_own_field *f)
{
    void *const parts[] = {f->name, f->unit, f->meaning, f->data};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) tl_free(w->memory, parts[i]);
}

void tl_world_free_own_fields(talus_world *w)
{
    for (int i = 0; i < w->own_fields; i++) free_own_field(w, &w->own_field[i]);
    tl_free(w->memory, w->own_field);
}

talus_status talus_state_add(talus_world *w, const talus_field *shape)
{
    if (!w || !shape) return TALUS_INPUT;
    const char *name = shape->name ? shape->name : "", *unit = shape->unit ? shape->unit : "1", *meaning = shape->meaning ? shape->meaning : "";
    size_t numbers, bytes;
    if (!*name || talus_state_data(w, name) || is_of_world(w, name))
        return tl_fail(&w->error, TALUS_INPUT, "the state has an array '%s' already, or its name is empty", name);
    if ((unsigned)shape->type > TALUS_FIELD_UINT64)
        return tl_fail(&w->error, TALUS_INPUT, "array '%s' of the state: there is no type %d", name, (int)shape->type);
    if (__builtin_mul_overflow(shape->rows, shape->columns, &numbers) || __builtin_mul_overflow(numbers, sizeof(double), &bytes) || bytes > PTRDIFF_MAX)
        return tl_fail(&w->error, TALUS_INPUT, "array '%s' of the state: no memory has room for %zu × %zu numbers", name, shape->rows, shape->columns);
    if (tl_grow(w->memory, &w->own_field, &w->own_field_capacity, w->own_fields + 1, sizeof *w->own_field) != TALUS_OK) return tl_world_out_of_memory(w);
    tl_own_field own = {.name = tl_strdup(w->memory, name),
                        .unit = tl_strdup(w->memory, unit),
                        .meaning = tl_strdup(w->memory, meaning),
                        .data = tl_alloc(w->memory, numbers + 1, shape->type == TALUS_FIELD_INT32 ? 4 : 8)};
    if (!own.name || !own.unit || !own.meaning || !own.data) {
        free_own_field(w, &own);
        return tl_world_out_of_memory(w);
    }
    own.field = (talus_field){own.name, own.unit, own.meaning, shape->type, shape->rows, shape->columns, own.data};
    w->own_field[w->own_fields++] = own;
    return TALUS_OK;
}

int talus_state_count(const talus_world *w) { return w->assembled ? w->field_names + FIXED_FIELDS + w->own_fields : 0; }

/* The matter's index-th field, counted over all matter. */
static bool matter_field(const talus_world *w, int index, tl_field *out)
{
    tl_field fields[MATTER_FIELDS];
    for (int m = 0; m < w->system->matters; m++) {
        const int n = w->system->matter[m]->ops->fields(w->system->matter[m], fields, MATTER_FIELDS);
        if (index < n) {
            *out = fields[index];
            return true;
        }
        index -= n;
    }
    return false;
}

void talus_state_field(const talus_world *w, int index, talus_field *out)
{
    const tl_memo *memo = &w->system->memo, *pairs = &w->system->pairs, *moments = &w->system->moments;
    const tl_joints *joints = &w->system->joints;
    const talus_field fixed[FIXED_FIELDS] = {
        {"clock/steps", "1", "steps done; time = steps × h", TALUS_FIELD_UINT64, 1, 1, &w->steps},
        {"contacts/key", "1", "contactor, contactor, feature", TALUS_FIELD_UINT64, (size_t)memo->count, 1, memo->key},
        {"contacts/impulse", "N s", "normal and tangential impulse of the last step", TALUS_FIELD_DOUBLE, (size_t)memo->count, (size_t)memo->width,
         memo->value},
        {"pairs/key", "1", "of contactors whose law has a state: contactor, contactor", TALUS_FIELD_UINT64, (size_t)pairs->count, 1, pairs->key},
        {"pairs/state", w->pair_unit, w->pair_meaning, TALUS_FIELD_DOUBLE, (size_t)pairs->count, (size_t)pairs->width, pairs->value},
        {"moments/key", "1", "of contacts whose law resists rolling or spinning, as in contacts/key", TALUS_FIELD_UINT64, (size_t)moments->count, 1,
         moments->key},
        {"moments/impulse", "N m s", "impulse of the moment in the last step, about normal and tangents", TALUS_FIELD_DOUBLE, (size_t)moments->count,
         (size_t)moments->width, moments->value},
        {"joints/memory", "N s, m, rad", "of joints between bodies: impulses of the last step, positions with turns; their sum along x, y, z, and its moment",
         TALUS_FIELD_DOUBLE, (size_t)joints->count, sizeof *joints->memory / sizeof(double), joints->memory},
        {"joints/coordinates", "N s, m, rad", "the same of coordinates of mechanisms with stops, friction or drives", TALUS_FIELD_DOUBLE,
         (size_t)joints->coordinates, sizeof *joints->coordinate_memory / sizeof(double), joints->coordinate_memory},
        {"joints/tackles", "N s", "impulses of ropes over pulleys", TALUS_FIELD_DOUBLE, (size_t)joints->tackles, 1, joints->tackle_memory},
        {"joints/actuators", "N s, m, rad", "of hydraulic cylinders, as of coordinates of mechanisms", TALUS_FIELD_DOUBLE, (size_t)joints->hydraulics.actuators,
         sizeof *joints->hydraulics.memory / sizeof(double), joints->hydraulics.memory},
    };
    memset(out, 0, sizeof *out);
    if (index < 0 || index >= talus_state_count(w)) return;
    if (index < FIXED_FIELDS) {
        *out = fixed[index];
        return;
    }
    if (index >= FIXED_FIELDS + w->field_names) {
        *out = w->own_field[index - FIXED_FIELDS - w->field_names].field;
        return;
    }
    tl_field f;
    if (!matter_field(w, index - FIXED_FIELDS, &f)) return;
    *out = (talus_field){
        w->field_name[index - FIXED_FIELDS], f.unit, f.meaning, f.integer ? TALUS_FIELD_INT32 : TALUS_FIELD_DOUBLE, (size_t)f.rows, (size_t)f.columns, f.data};
}

static size_t field_bytes(const talus_field *f) { return f->rows * f->columns * (f->type == TALUS_FIELD_INT32 ? 4 : 8); }

/* Positions, velocities, clock and the state of laws; not the impulses of contacts, which are a first guess. */
uint64_t talus_world_hash(const talus_world *w)
{
    uint64_t hash = tl_hash(&w->steps, sizeof w->steps, 0);
    hash = tl_hash(&w->def.step, sizeof w->def.step, hash);
    const tl_memo *pairs = &w->system->pairs;
    if (pairs->count > 0) {
        hash = tl_hash(pairs->key, (size_t)pairs->count * sizeof *pairs->key, hash);
        hash = tl_hash(pairs->value, (size_t)pairs->count * (size_t)pairs->width * sizeof *pairs->value, hash);
    }
    for (int i = FIXED_FIELDS; i < talus_state_count(w); i++) {
        talus_field f;
        talus_state_field(w, i, &f);
        hash = tl_hash(f.data, field_bytes(&f), hash);
    }
    return hash;
}

static const talus_field *find_field(const talus_field *fields, int count, const char *name)
{
    for (int i = 0; i < count; i++)
        if (name && fields[i].name && strcmp(fields[i].name, name) == 0) return &fields[i];
    return NULL;
}

/* Kinds of bodies are among those that there are, reals are no NaN. */
static bool is_of_numbers(const talus_field *f)
{
    const size_t n = f->rows * f->columns;
    const bool kinds = f->type == TALUS_FIELD_INT32 && strcmp(f->name, "grains/kind") == 0;
    for (size_t i = 0; i < n; i++) {
        if (f->type == TALUS_FIELD_DOUBLE && isnan(((const double *)f->data)[i])) return false;
        if (kinds && ((const uint32_t *)f->data)[i] > TALUS_BODY_ABSENT) return false;
    }
    return true;
}

static talus_status check_fields(talus_world *w, const talus_field *fields, int count)
{
    for (int i = 0; i < talus_state_count(w); i++) {
        talus_field own;
        talus_state_field(w, i, &own);
        const talus_field *given = find_field(fields, count, own.name);
        if (!given) return tl_fail(&w->error, TALUS_INPUT, "the state has no field '%s'", own.name);
        const bool any_rows = i > 0 && i < JOINT_FIELDS; /* contacts come and go */
        if (given->type != own.type || given->columns != own.columns || (!any_rows && given->rows != own.rows))
            return tl_fail(&w->error, TALUS_INPUT, "field '%s' of the state is %zu × %zu, here %zu × %zu is wanted: another scene?", own.name, given->rows,
                           given->columns, own.rows, own.columns);
        if (field_bytes(given) > 0 && !given->data) return tl_fail(&w->error, TALUS_INPUT, "field '%s' of the state has no data", own.name);
        if (i < FIXED_FIELDS + w->field_names && !is_of_numbers(given))
            return tl_fail(&w->error, TALUS_INPUT, "field '%s' of the state has an entry that is none of its values", own.name);
    }
    static const char *const REMEMBERED[3][2] = {{"contacts/key", "contacts/impulse"}, {"pairs/key", "pairs/state"}, {"moments/key", "moments/impulse"}};
    for (int i = 0; i < 3; i++)
        if (find_field(fields, count, REMEMBERED[i][0])->rows != find_field(fields, count, REMEMBERED[i][1])->rows)
            return tl_fail(&w->error, TALUS_INPUT, "the state's %s and %s differ in length", REMEMBERED[i][0], REMEMBERED[i][1]);
    return TALUS_OK;
}

static talus_status restore_memo(talus_world *w, tl_memo *memo, const talus_field *key, const talus_field *value)
{
    const int n = (int)key->rows;
    TL_TRY(tl_memo_reserve(memo, w->memory, n, &w->error));
    if (n > 0) {
        memcpy(memo->key, key->data, field_bytes(key));
        memcpy(memo->value, value->data, field_bytes(value));
    }
    memo->count = n;
    return TALUS_OK;
}

talus_status talus_state_restore(talus_world *w, const talus_field *fields, int count)
{
    TL_TRY(talus_world_assemble(w));
    if (!fields && count > 0) return tl_fail(&w->error, TALUS_INPUT, "there are no fields to restore: a NULL was given");
    TL_TRY(check_fields(w, fields, count));
    w->stepped = w->looked = false;
    w->system->met_count = 0;
    TL_TRY(restore_memo(w, &w->system->memo, find_field(fields, count, "contacts/key"), find_field(fields, count, "contacts/impulse")));
    TL_TRY(restore_memo(w, &w->system->pairs, find_field(fields, count, "pairs/key"), find_field(fields, count, "pairs/state")));
    TL_TRY(restore_memo(w, &w->system->moments, find_field(fields, count, "moments/key"), find_field(fields, count, "moments/impulse")));
    memcpy(&w->steps, find_field(fields, count, "clock/steps")->data, sizeof w->steps);
    for (int i = JOINT_FIELDS; i < FIXED_FIELDS; i++) {
        talus_field own;
        talus_state_field(w, i, &own);
        const talus_field *given = find_field(fields, count, own.name);
        if (own.rows > 0) memcpy((void *)(uintptr_t)own.data, given->data, field_bytes(&own));
    }
    for (int i = 0; i < w->own_fields; i++) {
        const talus_field *own = &w->own_field[i].field, *given = find_field(fields, count, own->name);
        if (field_bytes(own) > 0) memcpy(w->own_field[i].data, given->data, field_bytes(own));
    }
    for (int i = FIXED_FIELDS; i < FIXED_FIELDS + w->field_names; i++) {
        tl_field own;
        if (!matter_field(w, i - FIXED_FIELDS, &own)) continue;
        const talus_field *given = find_field(fields, count, w->field_name[i - FIXED_FIELDS]);
        if (own.data && own.rows > 0) memcpy(own.data, given->data, field_bytes(given));
    }
    for (int m = 0; m < w->system->matters; m++) TL_TRY(w->system->matter[m]->ops->restored(w->system->matter[m], &w->error));
    w->kinds_changed = true;
    return TALUS_OK;
}
