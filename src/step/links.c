/* The motion of bodies that are no grains, read at three points of each through the operations of their matter. */
#include "step/reach.h"

talus_status tl_link_bind(tl_matter *m, int item, tl_step *step, tl_link *out)
{
    const tl_vec3 p = m->ops->frame(m, item).p;
    for (int k = 0; k < TL_LINK_POINTS; k++)
        out->point[k] = (tl_port){.item = item, .x = {p.x + (k == 1), p.y + (k == 2), p.z}, .axes = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    return m->ops->bind(m, step, out->point, TL_LINK_POINTS);
}

/* v(p + x) − v(p) = w × x */
void tl_link_read(const double V[TL_LINK_POINTS][3], tl_vec3 *velocity, tl_vec3 *spin)
{
    *velocity = tl_load3(V[0]);
    *spin = tl_v3(V[2][2] - V[0][2], V[0][2] - V[1][2], V[1][1] - V[0][1]);
}

talus_status tl_link_motion_free(tl_system *s, tl_place place, tl_vec3 *velocity, tl_vec3 *spin)
{
    tl_matter *m = s->matter[place.matter];
    tl_link link = {0};
    double V[TL_LINK_POINTS][3] = {{0}};
    TL_TRY(tl_link_bind(m, place.item, &s->step, &link));
    for (int k = 0; k < TL_LINK_POINTS; k++) m->ops->velocity(m, &link.point[k], m->v_free, true, V[k]);
    tl_link_read((const double(*)[3])V, velocity, spin);
    return TALUS_OK;
}

talus_status tl_links_bind(tl_system *s)
{
    s->link = tl_arena_alloc(s->step.arena, (size_t)s->contactors, sizeof *s->link);
    if (!s->link) return tl_fail(s->step.error, TALUS_MEMORY, "no memory for %d contactors", s->contactors);
    for (int i = 0; i < s->contactors; i++) {
        const tl_place place = s->owner[i].place;
        if (place.matter == 0) continue;
        if (i > 0 && s->owner[i - 1].place.matter == place.matter && s->owner[i - 1].place.item == place.item) {
            s->link[i] = s->link[i - 1]; /* another shape of the same body */
            continue;
        }
        tl_matter *m = s->matter[place.matter];
        TL_TRY(tl_link_bind(m, place.item, &s->step, &s->link[i]));
    }
    return TALUS_OK;
}

void tl_link_motion(const tl_system *s, int contactor, const double *v, tl_vec3 *velocity, tl_vec3 *spin)
{
    const tl_matter *m = s->matter[s->owner[contactor].place.matter];
    double V[TL_LINK_POINTS][3];
    for (int k = 0; k < TL_LINK_POINTS; k++) m->ops->velocity(m, &s->link[contactor].point[k], v, true, V[k]);
    tl_link_read((const double(*)[3])V, velocity, spin);
}
