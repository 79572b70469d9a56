/* Probes of finite-element solids: how a point is displaced, stress there, how it has yielded, what acts on nodes, energies. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/math.h"
#include "scene/solid_reading.h"

/* What a probe of a solid reads. */
struct tl_solid_probe {
    talus_solid_id id;
    int element; /* that its point lies in */
    int nodes;
    int *node;
    double *weight; /* of these */
};

/* How far beside the solid a point may lie, by the solid's size: what rounding does to a point on its surface. */
static const double BESIDE = 1e-9;

static talus_status begin(tl_builder *b, const tl_node *node, tl_probe *p, tl_solid_reading *s, tl_solid_probe **out)
{
    const tl_solid_reading *found = tl_solid_reading_of(b, tl_node_get(node, p->kind->key));
    p->solid = *out = tl_arena_zero(b->scene->arena, 1, sizeof **out);
    if (!*out) return TALUS_MEMORY;
    if (!found) return TALUS_INPUT; /* which has been said */
    *s = *found;
    (*out)->id = found->id;
    return TALUS_OK;
}

static talus_status make_room(tl_solid_reading *s, int nodes, tl_solid_probe *out)
{
    out->node = tl_arena_alloc(s->b->scene->arena, (size_t)nodes + 1, sizeof *out->node);
    out->weight = tl_arena_alloc(s->b->scene->arena, (size_t)nodes + 1, sizeof *out->weight);
    return out->node && out->weight ? TALUS_OK : TALUS_MEMORY;
}

static talus_status take_point(tl_solid_reading *s, const tl_node *at, const double x[3], tl_solid_probe *out)
{
    talus_solid_point point;
    if (!talus_solid_locate(s->b->world, s->id, x, &point) || point.away > BESIDE * tl_norm(tl_grid_sides(&s->grid))) {
        tl_mistake_key(&s->b->scene->mistakes, TALUS_INPUT, at, "this point lies outside of solid '%.80s', by %.3g m: it is one of the solid without strain",
                       s->node->key, point.away);
        return TALUS_INPUT;
    }
    TL_TRY(make_room(s, point.nodes, out));
    out->element = point.element, out->nodes = point.nodes;
    memcpy(out->node, point.node, (size_t)point.nodes * sizeof *out->node);
    memcpy(out->weight, point.weight, (size_t)point.nodes * sizeof *out->weight);
    return TALUS_OK;
}

/* Nodes of all groups, each once and all of one weight; of the whole solid where no group is named. */
static talus_status take_groups(tl_solid_reading *s, const tl_node *groups, tl_solid_probe *out)
{
    int *node = NULL, nodes = 0;
    TL_TRY(make_room(s, s->grid.nodes, out));
    TL_TRY(tl_group_nodes(s, groups, &node, &nodes));
    out->nodes = groups ? nodes : s->grid.nodes;
    for (int i = 0; i < out->nodes; i++) out->node[i] = groups ? node[i] : i;
    for (int i = 0; i < out->nodes; i++) out->weight[i] = 1.0 / out->nodes;
    return TALUS_OK;
}

talus_status tl_read_displacement_probe(tl_builder *b, const tl_node *node, tl_probe *p)
{
    const tl_node *at = tl_node_get(node, "at"), *groups = tl_node_get(node, "on");
    tl_solid_reading s;
    tl_solid_probe *out = NULL;
    TL_TRY(begin(b, node, p, &s, &out));
    if (at && !groups) return take_point(&s, at, p->at, out);
    if (groups && !at) return take_groups(&s, groups, out);
    tl_mistake_key(&b->scene->mistakes, TALUS_INPUT, node, "a displacement is that of a point, 'at', or the mean of the nodes of groups, 'on'");
    return TALUS_INPUT;
}

/* Of the element that a point lies in; `what` is read of it. */
static talus_status read_at_point(tl_builder *b, const tl_node *node, tl_probe *p, const char *what)
{
    const tl_node *at = tl_node_get(node, "at");
    tl_solid_reading s;
    tl_solid_probe *out = NULL;
    TL_TRY(begin(b, node, p, &s, &out));
    if (at) return take_point(&s, at, p->at, out);
    tl_mistake_key(&b->scene->mistakes, TALUS_INPUT, node, "'at' is missing here: the point %s", what);
    return TALUS_INPUT;
}

talus_status tl_read_solid_stress_probe(tl_builder *b, const tl_node *node, tl_probe *p) { return read_at_point(b, node, p, "whose stress it is"); }
talus_status tl_read_solid_yield_probe(tl_builder *b, const tl_node *node, tl_probe *p) { return read_at_point(b, node, p, "that has yielded"); }

talus_status tl_read_resultant_probe(tl_builder *b, const tl_node *node, tl_probe *p)
{
    tl_solid_reading s;
    tl_solid_probe *out = NULL;
    TL_TRY(begin(b, node, p, &s, &out));
    return take_groups(&s, tl_node_get(node, "on"), out);
}

talus_status tl_read_whole_solid_probe(tl_builder *b, const tl_node *node, tl_probe *p)
{
    tl_solid_reading s;
    tl_solid_probe *out = NULL;
    return begin(b, node, p, &s, &out);
}

/* ---- values ------------------------------------------------------------------------------------------------------------ */

double tl_probe_displacement(const talus_world *w, const tl_group *g, const tl_probe *p)
{
    double motion[2][3];
    const char *q = p->quantity;
    const bool rate = q[0] == 'v';
    (void)g;
    talus_solid_mean_motion(w, p->solid->id, p->solid->node, p->solid->weight, p->solid->nodes, motion);
    return motion[rate][q[rate] - 'x'];
}

double tl_probe_solid_stress(const talus_world *w, const tl_group *g, const tl_probe *p)
{
    static const char *const COMPONENT[6] = {"xx", "yy", "zz", "xy", "yz", "xz"};
    double s[6];
    (void)g;
    if (!talus_solid_stress(w, p->solid->id, p->solid->element, NULL, s)) return (double)NAN;
    for (int k = 0; k < 6; k++)
        if (strcmp(p->quantity, COMPONENT[k]) == 0) return s[k];
    const double mean = (s[0] + s[1] + s[2]) / 3, x = s[0] - mean, y = s[1] - mean, z = s[2] - mean;
    if (strcmp(p->quantity, "mean") == 0) return mean;
    return sqrt(1.5 * (x * x + y * y + z * z) + 3 * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5])); /* von Mises */
}

double tl_probe_solid_yield(const talus_world *w, const tl_group *g, const tl_probe *p)
{
    double strain, cap;
    (void)g;
    (void)talus_solid_yielded(w, p->solid->id, p->solid->element, &strain, &cap);
    return p->quantity[0] == 'c' ? cap : strain;
}

double tl_probe_resultant(const talus_world *w, const tl_group *g, const tl_probe *p)
{
    double force[3];
    (void)g;
    talus_solid_resultant(w, p->solid->id, p->solid->node, p->solid->nodes, force);
    return p->quantity[0] == 'm' ? tl_norm(tl_load3(force)) : force[p->quantity[0] - 'x'];
}

double tl_probe_solid_energy(const talus_world *w, const tl_group *g, const tl_probe *p)
{
    double kinetic, elastic, weight;
    (void)g;
    talus_solid_energy(w, p->solid->id, &kinetic, &elastic, &weight);
    return p->quantity[0] == 'k' ? kinetic : elastic;
}

double tl_probe_solid_torn(const talus_world *w, const tl_group *g, const tl_probe *p)
{
    double mass;
    (void)g;
    const int particles = talus_solid_torn(w, p->solid->id, &mass);
    return p->quantity[0] == 'n' ? particles : mass;
}
