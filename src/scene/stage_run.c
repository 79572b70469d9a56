/* Stages while the world runs: which one it is, when the next begins, when the run is over. All of it that a restart needs is in the state. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "scene/build.h"

enum { OVER_NOT, OVER_DONE, OVER_STOPPED };

static tl_stage_memory memory_of(const talus_world *w)
{
    return (tl_stage_memory){talus_state_data(w, "stages/now"), talus_state_data(w, "stages/span"), talus_state_data(w, "stages/held")};
}

static talus_status set_up(const tl_stage_def *d, talus_world *w)
{
    if (d->sets_gravity) TL_TRY(talus_world_set_gravity(w, d->gravity));
    for (int i = 0; i < d->law_count; i++) TL_TRY(talus_interaction_set(w, d->laws[i].pair[0], d->laws[i].pair[1], &d->laws[i].def));
    return TALUS_OK;
}

/* The kinds come last: what is imposed begins where it stands, by the motion of this stage. */
static talus_status enter(const talus_scene *s, talus_world *w, int stage)
{
    const tl_stage_memory m = memory_of(w);
    const tl_stage_def *d = &s->stages[stage];
    m.now[0] = stage;
    m.span[stage][0] = talus_world_time(w);
    TL_TRY(set_up(d, w));
    if (stage > 0) talus_world_forces_jump(w), tl_probes_begin_stage(s, w);
    for (int i = 0; i < d->kind_count; i++) TL_TRY(talus_body_set_kind(w, d->kinds[i].body, d->kinds[i].kind));
    return TALUS_OK;
}

talus_status tl_build_first_stage(tl_builder *b)
{
    if (b->scene->stage_count == 0) return TALUS_OK;
    return tl_build_check(b, enter(b->scene, b->world, 0), tl_node_get(b->scene->root, "stages")->item[0]);
}

talus_status talus_scene_restored(const talus_scene *s, talus_world *w)
{
    if (!s || !w) return TALUS_INPUT;
    const tl_stage_memory m = memory_of(w);
    if (s->stage_count == 0 || !m.now) return TALUS_OK;
    TL_TRY(set_up(&s->base, w));
    for (int i = 0; i <= (int)m.now[0] && i < s->stage_count; i++) TL_TRY(set_up(&s->stages[i], w));
    return TALUS_OK;
}

/* ---- conditions --------------------------------------------------------------------------------------------------- */

/* A millionth of a step, so that sums of steps reach what they should. */
static bool has_passed(const talus_world *w, double since, double span) { return talus_world_time(w) - since >= span - 1e-6 * talus_world_step_size(w); }

static bool is_met(const talus_scene *s, const talus_world *w, const tl_condition *c, double *held, double *value)
{
    *value = talus_scene_probe_value(s, w, c->probe);
    const bool holds = c->above ? *value > c->bound : *value < c->bound;
    if (!holds) *held = -1;
    else if (*held < 0) *held = talus_world_time(w);
    return holds && has_passed(w, *held, c->hold);
}

static void say_condition(const talus_scene *s, const tl_condition *c, double value, char *text, size_t size)
{
    const tl_probe *p = &s->probes[c->probe];
    const bool bare = strcmp(p->unit, "1") == 0, holds = c->above ? value > c->bound : value < c->bound;
    const char *unit = bare ? "" : p->unit, *gap = bare ? "" : " ", *no = holds ? "" : "not ";
    snprintf(text, size, "probe '%.80s' is %.6g%s%s, %s%s %.6g%s%s", p->name, value, gap, unit, no, c->above ? "above" : "below", c->bound, gap, unit);
}

static void warn_of(const talus_scene *s, talus_world *w, const tl_stage_def *d, double value, const char *what)
{
    char condition[320] = "", text[640];
    if (d->condition.probe >= 0) say_condition(s, &d->condition, value, condition, sizeof condition);
    snprintf(text, sizeof text, "stage '%.80s' %s at t = %.9g s, before its condition was met%s%s", d->name, what, talus_world_time(w), *condition ? ": " : "",
             condition);
    talus_world_warn(w, text);
}

static talus_status look_at_stage(const talus_scene *s, talus_world *w, tl_stage_memory *m)
{
    const int stage = (int)m->now[0];
    const tl_stage_def *d = &s->stages[stage];
    const double start = m->span[stage][0], h = talus_world_step_size(w);
    double value = 0;
    bool done = has_passed(w, start, d->after) || has_passed(w, 0, d->time);
    if (d->condition.probe >= 0) {
        done = is_met(s, w, &d->condition, &m->held[stage], &value);
        if (!done && has_passed(w, start, d->at_most)) {
            warn_of(s, w, d, value, "was ended by its at_most");
            done = true;
        }
    }
    const bool lasts = d->condition.probe < 0 && isinf(d->after) && isinf(d->time);
    if (!done && !lasts && talus_world_time(w) >= talus_scene_end(s) - 1e-6 * h) warn_of(s, w, d, value, "was ended by time.end");
    if (!done) return TALUS_OK;
    m->span[stage][1] = talus_world_time(w);
    if (stage + 1 < s->stage_count) return enter(s, w, stage + 1);
    m->now[1] = OVER_DONE;
    return TALUS_OK;
}

static bool is_looked_at(const talus_scene *s, const tl_stop_def *d, int stage)
{
    if (!d->during) return true;
    const int count = d->during->kind == NODE_LIST ? d->during->count : 1;
    for (int i = 0; i < count; i++)
        if (strcmp((d->during->kind == NODE_LIST ? d->during->item[i] : d->during)->text, s->stages[stage].name) == 0) return true;
    return false;
}

/* Stop conditions, then the stage. */
static talus_status look_at_conditions(const talus_scene *s, talus_world *w, bool *over)
{
    tl_stage_memory m = memory_of(w);
    if (!m.now) return TALUS_OK;
    for (int i = 0; i < s->stop_count && m.now[1] == OVER_NOT; i++) {
        double *held = &m.held[s->stage_count + i];
        if (!is_looked_at(s, &s->stops[i], (int)m.now[0])) *held = -1;
        else if (is_met(s, w, &s->stops[i].condition, held, &m.now[2])) m.now[1] = OVER_STOPPED + i;
    }
    if (m.now[1] == OVER_NOT) m.now[2] = 0;
    if (m.now[1] == OVER_NOT && s->stage_count > 0) TL_TRY(look_at_stage(s, w, &m));
    *over = m.now[1] != OVER_NOT;
    return TALUS_OK;
}

talus_status talus_scene_advance(const talus_scene *s, talus_world *w, bool *over)
{
    if (!s || !w || !over) return TALUS_INPUT;
    *over = false;
    tl_probes_look(s, w);
    TL_TRY(tl_exchange(s, w));
    TL_TRY(look_at_conditions(s, w, over));
    tl_laws_look(s, w);
    return TALUS_OK;
}

/* ---- reading ------------------------------------------------------------------------------------------------------ */

int talus_scene_stage_count(const talus_scene *s) { return s->stage_count; }

const char *talus_scene_stage(const talus_scene *s, const talus_world *w, int index, double *start, double *end)
{
    const tl_stage_memory m = memory_of(w);
    *start = *end = (double)NAN;
    if (!m.span || index < 0 || index >= s->stage_count) return "";
    if (m.span[index][0] >= 0) *start = m.span[index][0];
    if (m.span[index][1] >= 0) *end = m.span[index][1];
    return s->stages[index].name;
}

bool talus_scene_ending(const talus_scene *s, const talus_world *w, char *text, size_t size)
{
    const tl_stage_memory m = memory_of(w);
    const int over = m.now ? (int)m.now[1] : OVER_NOT, stop = over - OVER_STOPPED;
    if (size > 0) text[0] = '\0';
    if (over == OVER_NOT) return false;
    if (over == OVER_DONE && s->stage_count > 0)
        snprintf(text, size, "the last stage, '%.80s', is done at t = %.9g s", s->stages[s->stage_count - 1].name, talus_world_time(w));
    if (stop < 0 || stop >= s->stop_count) return true;
    char condition[320];
    const tl_stop_def *d = &s->stops[stop];
    say_condition(s, &d->condition, m.now[2], condition, sizeof condition);
    snprintf(text, size, "stopped by '%.80s' at t = %.9g s: %s%s%.300s", d->name, talus_world_time(w), condition, *d->message ? ": " : "", d->message);
    return true;
}
