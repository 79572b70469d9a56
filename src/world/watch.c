/* Accelerometers: the change of a point's velocity over a step. */
#include <string.h>

#include "world/world.h"

/* What it measures from is the velocity that its point has now. */
static void look(const talus_world *w, tl_watch *p)
{
    double turn[3];
    talus_body_velocity(w, p->body, p->point, p->before, turn);
}

talus_status talus_body_watch(talus_world *w, talus_body_id body, const double point[3], int *watch)
{
    if (!w || !point || !watch) return TALUS_INPUT;
    *watch = -1;
    if (tl_is_none(body.index1) || body.index1 > (uint32_t)w->bodies) return tl_fail(&w->error, TALUS_INPUT, "there is no such body to watch");
    if (tl_grow(w->memory, &w->watch, &w->watch_capacity, w->watches + 1, sizeof *w->watch) != TALUS_OK) return tl_world_out_of_memory(w);
    *watch = w->watches++;
    w->watch[*watch] = (tl_watch){.body = body, .point = {point[0], point[1], point[2]}};
    if (w->stepped) look(w, &w->watch[*watch]); /* what this step began with is gone: as if it had not changed */
    return TALUS_OK;
}

void tl_world_look_anew(talus_world *w, talus_body_id body)
{
    for (int i = 0; i < w->watches; i++)
        if (w->watch[i].body.index1 == body.index1) look(w, &w->watch[i]);
}

void tl_world_look_past(talus_world *w, talus_body_id body, double share)
{
    for (int i = 0; i < w->watches; i++) {
        double now[3], turn[3];
        if (w->watch[i].body.index1 != body.index1) continue;
        talus_body_velocity(w, body, w->watch[i].point, now, turn);
        for (int k = 0; k < 3; k++) w->watch[i].before[k] += share * now[k];
    }
}

void tl_world_look(talus_world *w)
{
    for (int i = 0; i < w->watches; i++) look(w, &w->watch[i]);
}

void talus_watch_acceleration(const talus_world *w, int watch, double acceleration[3])
{
    double now[3], turn[3];
    memset(acceleration, 0, 3 * sizeof *acceleration);
    if (watch < 0 || watch >= w->watches || !w->stepped) return;
    const tl_watch *p = &w->watch[watch];
    talus_body_velocity(w, p->body, p->point, now, turn);
    for (int i = 0; i < 3; i++) acceleration[i] = (now[i] - p->before[i]) / w->def.step;
}
