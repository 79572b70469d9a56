/* M v = H r + f, u = Hᵀ v + w from the rows of contacts (global_rows.h). */
#include "solve/global_rows.h"

#include <limits.h>
#include <math.h>
#include <string.h>

talus_status tl_global_grain(int size, const double *inverse_mass, const double *scaled_free, const double *scaled, tl_step *step, tl_global_group *out)
{
    double *room = tl_arena_alloc(step->arena, 3 * (size_t)size, sizeof *room);
    if (!room) return tl_fail(step->error, TALUS_MEMORY, "no memory for the velocities");
    for (int i = 0; i < size; i++) {
        const double root = sqrt(inverse_mass[i]);
        room[i] = inverse_mass[i] > 0 ? 1 / inverse_mass[i] : 1; /* what nothing turns: its rows are zero, any mass will do */
        room[size + i] = root * scaled_free[i];
        room[2 * size + i] = root * scaled[i];
    }
    *out = (tl_global_group){.size = size, .is_grain = true, .mass = room, .v_free = room + size, .v = room + 2 * size};
    return TALUS_OK;
}

talus_status tl_global_matter(const tl_matter *matter, const double *v_free, const double *v, tl_step *step, tl_global_group *out)
{
    const size_t n = (size_t)matter->nv;
    if (!matter->ops->mass) return tl_fail(step->error, TALUS_UNSUPPORTED, "matter '%s' does not say its mass", matter->ops->kind);
    double *mass = tl_arena_alloc(step->arena, n * n + 1, sizeof *mass);
    if (!mass) return tl_fail(step->error, TALUS_MEMORY, "no memory for a mass of %d x %d", matter->nv, matter->nv);
    matter->ops->mass(matter, mass);
    *out = (tl_global_group){.size = matter->nv, .mass = mass, .v_free = v_free, .v = v};
    return TALUS_OK;
}

typedef struct assembly {
    const tl_local_rows *r;
    const tl_global_group *group;
    int *first;     /* [groups] place of its velocity in v                          */
    int (*ends)[2]; /* [contacts] −1: none; a second one of the same group is added */
    int springs;    /* the first of their velocities */
    int velocities, mass_entries, entries;
} assembly;

/* Places and sizes; false: too many to number. */
static bool count(assembly *a)
{
    const tl_local_rows *r = a->r;
    double velocities = 0, mass = 0, entries = 0;
    for (int g = 0; g < r->groups; g++) {
        a->first[g] = (int)velocities;
        const double size = a->group[g].size;
        velocities += size;
        mass += a->group[g].is_grain ? size : size * size;
        if (velocities > INT_MAX / 2 || mass > INT_MAX / 2) return false;
    }
    a->springs = (int)velocities;
    for (int i = 0; i < r->contacts; i++) {
        a->ends[i][0] = a->ends[i][1] = -1;
        if (r->give[i] > 0) velocities++, mass++, entries++;
    }
    for (int e = 0; e < r->ends; e++) {
        int *ends = a->ends[r->end[e].contact];
        ends[ends[0] < 0 ? 0 : 1] = e;
        if (ends[1] != e || r->end[ends[0]].group != r->end[e].group) entries += r->dimension * r->end[e].size;
    }
    const bool few = velocities < INT_MAX && mass < INT_MAX && entries < INT_MAX;
    a->velocities = few ? (int)velocities : 0, a->mass_entries = few ? (int)mass : 0, a->entries = few ? (int)entries : 0;
    return few;
}

static void fill_mass(const assembly *a, int *begin, int *row, double *mass, double *f, double *v)
{
    int at = 0;
    for (int g = 0; g < a->r->groups; g++) {
        const tl_global_group *group = &a->group[g];
        const int n = group->size, first = a->first[g];
        for (int j = 0; j < n; j++) {
            begin[first + j] = at;
            f[first + j] = 0;
            v[first + j] = group->v[j];
            for (int i = group->is_grain ? j : 0; i < (group->is_grain ? j + 1 : n); i++) {
                row[at] = first + i;
                mass[at] = group->is_grain ? group->mass[j] : group->mass[i * n + j];
                f[first + j] += mass[at++] * group->v_free[i];
            }
        }
    }
    for (int i = 0, at_spring = a->springs; i < a->r->contacts; i++) {
        if (!(a->r->give[i] > 0)) continue;
        begin[at_spring] = at;
        f[at_spring] = 0;
        v[at_spring] = sqrt(a->r->give[i]) * a->r->I[i][0];
        row[at] = at_spring++;
        mass[at++] = 1;
    }
    begin[a->velocities] = at;
}

/* Of the end's row H along an axis, number k. */
static double entry(const assembly *a, const tl_local_end *end, int axis, int k)
{
    const tl_global_group *group = &a->group[end->group];
    return end->sign * end->H[axis * end->size + k] * (group->is_grain ? sqrt(group->mass[k]) : 1);
}

/* Column by column of H; w is what u without impulses has beyond Hᵀ v_free. */
static void fill_directions(const assembly *a, int *begin, int *row, double *H, double *w)
{
    const tl_local_rows *r = a->r;
    int at = 0, spring = a->springs;
    for (int i = 0; i < r->contacts; i++)
        for (int axis = 0; axis < r->dimension; axis++) {
            const int column = i * r->dimension + axis;
            const tl_local_end *first = a->ends[i][0] < 0 ? NULL : &r->end[a->ends[i][0]], *second = a->ends[i][1] < 0 ? NULL : &r->end[a->ends[i][1]];
            const bool same = second && second->group == first->group;
            begin[column] = at;
            w[column] = r->q[i][axis];
            for (const tl_local_end *end = first; end; end = end == first && !same ? second : NULL)
                for (int k = 0; k < end->size; k++) {
                    row[at] = a->first[end->group] + k;
                    H[at] = entry(a, end, axis, k) + (same ? entry(a, second, axis, k) : 0);
                    w[column] -= H[at++] * a->group[end->group].v_free[k];
                }
            if (axis == 0 && r->give[i] > 0) {
                row[at] = spring++;
                H[at++] = sqrt(r->give[i]);
            }
        }
    begin[r->contacts * r->dimension] = at;
}

talus_status tl_global_rows_assemble(const tl_local_rows *r, const tl_global_group *group, tl_step *step, talus_global_problem *out)
{
    const size_t n = (size_t)r->contacts, numbers = n * (size_t)r->dimension;
    assembly a = {.r = r, .group = group};
    a.first = tl_arena_alloc(step->arena, (size_t)r->groups, sizeof *a.first);
    a.ends = tl_arena_alloc(step->arena, n, sizeof *a.ends);
    if (!a.first || !a.ends) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d contacts", r->contacts);
    if (!count(&a)) return tl_fail(step->error, TALUS_UNSUPPORTED, "the problem of %d contacts has more than 2^30 numbers", r->contacts);
    const size_t velocities = (size_t)a.velocities;
    int *begins = tl_arena_alloc(step->arena, velocities + numbers + 2, sizeof *begins);
    int *rows = tl_arena_alloc(step->arena, (size_t)a.mass_entries + (size_t)a.entries, sizeof *rows);
    double *values = tl_arena_alloc(step->arena, (size_t)a.mass_entries + (size_t)a.entries, sizeof *values);
    double *vectors = tl_arena_alloc(step->arena, 2 * velocities + 2 * numbers, sizeof *vectors);
    if (!begins || !rows || !values || !vectors) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d contacts", r->contacts);
    double *f = vectors, *v = f + velocities, *w = v + velocities, *impulse = w + numbers;
    fill_mass(&a, begins, rows, values, f, v);
    fill_directions(&a, begins + velocities + 1, rows + a.mass_entries, values + a.mass_entries, w);
    for (int i = 0; i < r->contacts; i++) memcpy(impulse + i * r->dimension, r->I[i], (size_t)r->dimension * sizeof *impulse);
    *out = (talus_global_problem){.dimension = r->dimension,
                                  .contacts = r->contacts,
                                  .velocities = a.velocities,
                                  .mass_begin = begins,
                                  .mass_row = rows,
                                  .mass = values,
                                  .begin = begins + velocities + 1,
                                  .row = rows + a.mass_entries,
                                  .direction = values + a.mass_entries,
                                  .f = f,
                                  .w = w,
                                  .friction = r->friction,
                                  .impulse = impulse,
                                  .v = v};
    return TALUS_OK;
}
