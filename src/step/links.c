/* The motion of bodies that are no grains: of rigid ones read at three points of each through the operations of their matter; others say it. */
#include "step/reach.h"

talus_status tl_link_bind(tl_matter *m, int item, tl_step *step, tl_link *out)
{
    const tl_vec3 p = m->ops->frame(m, item).p;
    for (int k = 0; k < TL_LINK_POINTS; k++)
        out->point[k] = (tl_port){.item = item, .x = {p.x + (k == 1), p.y + (k == 2), p.z}, .axes = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, .read_only = true};
    return m->ops->bind(m, step, out->point, TL_LINK_POINTS);
}

/* v(p + x) − v(p) = w × x */
void tl_link_read(const double V[TL_LINK_POINTS][3], tl_vec3 *velocity, tl_vec3 *spin)
{
    *velocity = tl_load3(V[0]);
    *spin = tl_v3(V[2][2] - V[0][2], V[0][2] - V[1][2], V[1][1] - V[0][1]);
}

static bool is_linked(const tl_system *s, int contactor)
{
    const int matter = s->owner[contactor].place.matter;
    return matter != 0 && !s->matter[matter]->ops->motion;
}

/* Links are large, and in most worlds few contactors have one: there is room from the first of these to the last. */
talus_status tl_links_bind(tl_system *s)
{
    int first = 0, end = s->contactors;
    while (first < end && !is_linked(s, first)) first++;
    while (end > first && !is_linked(s, end - 1)) end--;
    s->first_link = first;
    s->link = tl_arena_alloc(s->step.arena, (size_t)(end - first), sizeof *s->link);
    if (!s->link) return tl_fail(s->step.error, TALUS_MEMORY, "no memory for %d contactors", end - first);
    for (int i = first; i < end; i++) {
        const tl_place place = s->owner[i].place;
        tl_link *link = &s->link[i - first];
        if (!is_linked(s, i)) continue;
        if (i > first && s->owner[i - 1].place.matter == place.matter && s->owner[i - 1].place.item == place.item) {
            *link = link[-1]; /* another shape of the same body */
            continue;
        }
        TL_TRY(tl_link_bind(s->matter[place.matter], place.item, &s->step, link));
    }
    return TALUS_OK;
}

void tl_link_motion(const tl_system *s, int contactor, const double *v, tl_motion *out)
{
    const tl_place place = s->owner[contactor].place;
    const tl_matter *m = s->matter[place.matter];
    double V[TL_LINK_POINTS][3];
    if (m->ops->motion) {
        out->rim = m->ops->motion(m, place.item, v, true, &out->v);
        out->w = tl_v3(0, 0, 0);
        return;
    }
    for (int k = 0; k < TL_LINK_POINTS; k++) m->ops->velocity(m, &s->link[contactor - s->first_link].point[k], v, true, V[k]);
    tl_link_read((const double(*)[3])V, &out->v, &out->w);
    out->rim = tl_rim(out);
}

talus_status tl_point_velocity(tl_system *s, tl_when when, tl_place place, tl_vec3 point, tl_vec3 *out)
{
    tl_matter *m = s->matter[place.matter];
    tl_port port = {.item = place.item, .x = {point.x, point.y, point.z}, .axes = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, .read_only = true};
    double V[3];
    TL_TRY(m->ops->bind(m, &s->step, &port, 1));
    if (when == TL_BEFORE) m->ops->velocity_before(m, &port, V);
    else m->ops->velocity(m, &port, m->v_free, true, V);
    *out = tl_load3(V);
    return TALUS_OK;
}
