/* How bodies of other matter than grains move: read at three points of each, through the table of their matter. */
#include "step/reach.h"

talus_status tl_links_bind(tl_system *s)
{
    s->link = tl_arena_alloc(s->step.arena, (size_t)s->contactors, sizeof *s->link);
    if (!s->link) return tl_fail(s->step.error, TALUS_MEMORY, "no memory for %d contactors", s->contactors);
    for (int i = 0; i < s->contactors; i++) {
        const tl_place place = s->contactor_place[i];
        if (place.matter == 0) continue;
        if (i > 0 && s->contactor_place[i - 1].matter == place.matter && s->contactor_place[i - 1].item == place.item) {
            s->link[i] = s->link[i - 1]; /* another shape of the same body */
            continue;
        }
        tl_matter *m = s->matter[place.matter];
        const tl_vec3 p = m->ops->frame(m, place.item).p;
        for (int k = 0; k < TL_LINK_POINTS; k++)
            s->link[i].point[k] = (tl_port){.item = place.item, .x = {p.x + (k == 1), p.y + (k == 2), p.z}, .axes = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
        TL_TRY(m->ops->bind(m, &s->step, s->link[i].point, TL_LINK_POINTS));
    }
    return TALUS_OK;
}

/* v(p + x) − v(p) = w × x */
void tl_link_motion(const tl_system *s, int contactor, const double *v, tl_vec3 *velocity, tl_vec3 *spin)
{
    const tl_matter *m = s->matter[s->contactor_place[contactor].matter];
    double V[TL_LINK_POINTS][3];
    for (int k = 0; k < TL_LINK_POINTS; k++) m->ops->velocity(m, &s->link[contactor].point[k], v, true, V[k]);
    *velocity = tl_load3(V[0]);
    *spin = tl_v3(V[2][2] - V[0][2], V[0][2] - V[1][2], V[1][1] - V[0][1]);
}
