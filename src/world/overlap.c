/* What overlaps as the world stands, or will stand soon: the stages of a step that find its contacts, for a step of next to no time. */
#include <math.h>
#include <stdlib.h>

#include "world/world.h"

static const double TAKEN_BACK = 4;         /* slops: what is deeper is pushed out by the next step at once (solve/drift.h)  */
static const double NEXT_TO_NOTHING = 1e-9; /* of a step: nothing moves, and nothing is anticipated                                      */

/* One contact; `body` and `contactor` of both ends. */
typedef struct found {
    int body[2], contactor[2];
    tl_vec3 slide;            /* how much faster than the second its image is */
    tl_vec3 point[2], normal; /* of the first, of the second, which may be an image; from the first to the second */
    double gap;
} found;

static found contact_at(const talus_world *w, int i)
{
    const tl_cell *cell = &w->system->cell;
    const tl_contact *c = &w->system->contact_next[i];
    return (found){{w->system->owner[c->contactor_a].body, w->system->owner[c->contactor_b].body},
                   {c->contactor_a, c->contactor_b},
                   tl_cell_slide(cell, c->image, false),
                   {c->point, tl_add(c->point, tl_sub(tl_contact_at(c, 1, cell), tl_contact_at(c, 0, cell)))},
                   c->n,
                   tl_law_gap(c->law, c->state, c->gap)};
}

static tl_vec3 velocity_at(const talus_world *w, int body, tl_vec3 x)
{
    static const double ORIGIN[3];
    double v[3], spin[3], p[3], q[4];
    talus_body_velocity(w, talus_body_at(w, body), ORIGIN, v, spin);
    talus_body_pose(w, talus_body_at(w, body), p, q);
    return tl_add(tl_load3(v), tl_cross(tl_load3(spin), tl_sub(x, tl_load3(p))));
}

/* The gap after a while, if both go on as they do. */
static double gap_after(const talus_world *w, const found *f, double time)
{
    if (!(time > 0)) return f->gap;
    const tl_vec3 V = tl_add(tl_sub(velocity_at(w, f->body[1], f->point[1]), velocity_at(w, f->body[0], f->point[0])), f->slide);
    return f->gap + time * tl_dot(f->normal, V);
}

/* A shape without width has no middle. */
static double share_of(const talus_world *w, const found *f)
{
    double half = (double)INFINITY;
    for (int k = 0; k < 2; k++) {
        const double own = tl_world_half_width(w, f->contactor[k]);
        if (own > 0) half = fmin(half, own);
    }
    return -f->gap / half;
}

static int by_bodies(const void *a, const void *b)
{
    const talus_overlap *p = a, *q = b;
    if (p->a.index1 != q->a.index1) return p->a.index1 < q->a.index1 ? -1 : 1;
    if (p->b.index1 != q->b.index1) return p->b.index1 < q->b.index1 ? -1 : 1;
    return p->share != q->share ? (p->share > q->share ? -1 : 1) : 0;
}

static int by_share(const void *a, const void *b)
{
    const talus_overlap *p = a, *q = b;
    return p->share != q->share ? (p->share > q->share ? -1 : 1) : by_bodies(a, b);
}

static talus_status find(talus_world *w, double ahead, talus_overlap *list, int capacity, int *count)
{
    tl_system *s = w->system;
    TL_TRY(tl_step_predict(s));
    if (ahead > 0) s->step.h = ahead; /* nothing has moved, but all that may meet until then is looked at */
    TL_TRY(tl_contacts_detect(s));
    const int contacts = s->next_count - s->ropes;
    talus_overlap *all = tl_arena_alloc(w->arena, (size_t)contacts + 1, sizeof *all);
    if (!all) return tl_fail(&w->error, TALUS_MEMORY, "no memory for %d contacts", contacts);
    int deep = 0, kept = 0;
    for (int i = 0; i < contacts; i++) {
        found f = contact_at(w, i);
        f.gap = gap_after(w, &f, ahead);
        if (!(-f.gap > TAKEN_BACK * s->slop)) continue;
        all[deep] = (talus_overlap){.a = talus_body_at(w, f.body[0]), .b = talus_body_at(w, f.body[1]), .depth = -f.gap, .share = share_of(w, &f)};
        tl_store3(all[deep++].point, f.point[0]);
    }
    qsort(all, (size_t)deep, sizeof *all, by_bodies);
    for (int i = 0; i < deep; i++) /* of each pair the worst */
        if (i == 0 || all[i].a.index1 != all[i - 1].a.index1 || all[i].b.index1 != all[i - 1].b.index1) all[kept++] = all[i];
    qsort(all, (size_t)kept, sizeof *all, by_share);
    for (int i = 0; i < kept && i < capacity; i++) list[i] = all[i];
    *count = kept;
    return TALUS_OK;
}

talus_status talus_world_overlaps(talus_world *w, double ahead, talus_overlap *list, int capacity, int *count)
{
    tl_error ignored;
    if (!w) return TALUS_INPUT;
    if (!count || (!list && capacity > 0) || !(ahead >= 0 && isfinite(ahead)))
        return tl_fail(&w->error, TALUS_INPUT, "overlaps are asked for without a place for them, or %g s ahead", ahead);
    *count = 0;
    TL_TRY(talus_world_assemble(w));
    w->stepped = false;
    tl_world_begin_step(w, NEXT_TO_NOTHING * w->def.step);
    const talus_status status = find(w, ahead, list, capacity, count);
    for (int m = 0; m < w->system->matters; m++) (void)!w->system->matter[m]->ops->restored(w->system->matter[m], &ignored);
    w->system->broad.valid = false;
    return status;
}
