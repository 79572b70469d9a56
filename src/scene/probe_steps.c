/* Probes from step to step: their values, and what some keep in the state. */
#include <math.h>
#include <stdio.h>

#include "scene/build.h"

const tl_group *tl_probe_group(const talus_scene *s, const talus_world *w, const tl_probe *p, tl_group *all)
{
    *all = (tl_group){"all", 0, talus_body_count(w)};
    return p->group < 0 || p->group >= s->group_count ? all : &s->groups[p->group];
}

/* ---- means ---------------------------------------------------------------------------------------------------------------- */

/* What a step has of forces is one sample of them; what they do follows from their mean. */
enum { MEAN_SUM = 0, MEAN_STEPS, MEAN_BEFORE, MEAN_SPANS, MEAN_STEP, MEAN_SUMS };

static void mean_name(const tl_probe *p, char name[64]) { snprintf(name, 64, "mean.%d/sums", p->number); }

talus_status tl_build_probe_mean(tl_builder *b, const tl_node *node, tl_probe *p)
{
    char name[64];
    mean_name(p, name);
    p->over = tl_quantity(b->r, tl_node_get(node, "over"), "s", 0, false);
    const talus_field sums = {name,
                              "1",
                              "sum over the steps of this span, how many they are; mean of the last span, how many there were; the last step that was added",
                              TALUS_FIELD_DOUBLE,
                              1,
                              MEAN_SUMS,
                              NULL};
    return tl_build_check(b, talus_state_add(b->world, &sums), node);
}

static void add_to_mean(const talus_world *w, const tl_group *g, const tl_probe *p)
{
    char name[64];
    mean_name(p, name);
    double *sums = talus_state_data(w, name);
    const double h = talus_world_step_size(w), step = (double)talus_world_steps(w);
    if (!sums || step == sums[MEAN_STEP]) return;
    const double value = p->kind->value(w, g, p);
    sums[MEAN_STEP] = step;
    if (!isfinite(value)) return;
    sums[MEAN_SUM] += value, sums[MEAN_STEPS]++;
    if (sums[MEAN_STEPS] * h < p->over - 1e-6 * h) return;
    sums[MEAN_BEFORE] = sums[MEAN_SUM] / sums[MEAN_STEPS], sums[MEAN_SPANS]++;
    sums[MEAN_SUM] = sums[MEAN_STEPS] = 0;
}

static double mean_value(const talus_world *w, const tl_group *g, const tl_probe *p)
{
    char name[64];
    mean_name(p, name);
    const double *sums = talus_state_data(w, name);
    if (!sums) return (double)NAN;
    if (sums[MEAN_SPANS] > 0) return sums[MEAN_BEFORE];
    return sums[MEAN_STEPS] > 0 ? sums[MEAN_SUM] / sums[MEAN_STEPS] : p->kind->value(w, g, p);
}

/* ---- each step ------------------------------------------------------------------------------------------------------------ */

static bool is_flow(const tl_probe *p) { return p->kind->value == tl_probe_flow; }
static bool is_mean(const tl_probe *p) { return p->over > 0 && !is_flow(p); }

void tl_probes_look(const talus_scene *s, const talus_world *w)
{
    for (int i = 0; i < s->probe_count; i++) {
        const tl_probe *p = &s->probes[i];
        if (is_flow(p)) tl_probe_count_flow(w, tl_probe_group(s, w, p, &(tl_group){0}), p);
        if (p->kind->value == tl_probe_dissipation) tl_probe_add_dissipation(w, tl_probe_group(s, w, p, &(tl_group){0}), p);
        if (is_mean(p)) add_to_mean(w, tl_probe_group(s, w, p, &(tl_group){0}), p);
    }
}

void tl_probes_forget(const talus_scene *s, const talus_world *w, int body)
{
    for (int i = 0; i < s->probe_count; i++)
        if (is_flow(&s->probes[i])) tl_probe_forget_side(w, tl_probe_group(s, w, &s->probes[i], &(tl_group){0}), &s->probes[i], body);
}

void tl_probes_begin_stage(const talus_scene *s, const talus_world *w)
{
    for (int i = 0; i < s->probe_count; i++) {
        char name[64];
        if (!is_mean(&s->probes[i])) continue;
        mean_name(&s->probes[i], name);
        double *sums = talus_state_data(w, name);
        if (sums) sums[MEAN_SUM] = sums[MEAN_STEPS] = sums[MEAN_BEFORE] = sums[MEAN_SPANS] = 0;
    }
}

double talus_scene_probe_value(const talus_scene *scene, const talus_world *w, int index)
{
    const tl_probe *p = &scene->probes[index];
    tl_group all;
    const tl_group *g = tl_probe_group(scene, w, p, &all);
    return is_mean(p) ? mean_value(w, g, p) : p->kind->value(w, g, p);
}

int talus_scene_probe_count(const talus_scene *scene) { return scene->probe_count; }
const char *talus_scene_probe_name(const talus_scene *scene, int index) { return scene->probes[index].name; }
const char *talus_scene_probe_unit(const talus_scene *scene, int index) { return scene->probes[index].unit; }
