/* Probes of regions: how many grains are in them and what they weigh, stress and fabric by the contacts that press, grains that pass a plane. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/math.h"
#include "scene/build.h"
#include "scene/copies.h"

/* ---- what all probes of grains share ------------------------------------------------------------------------------- */

static tl_frame frame_of(const talus_world *w, talus_body_id body)
{
    double position[3], q[4];
    talus_body_pose(w, body, position, q);
    return (tl_frame){tl_load3(position), tl_mat3_from_quat((tl_quat){q[0], q[1], q[2], q[3]})};
}

tl_frame tl_probe_axes(const talus_world *w, const tl_probe *p) { return frame_of(w, p->body); }

static tl_vec3 into(const tl_frame *axes, tl_vec3 x) { return tl_mat3_apply_t(&axes->R, tl_sub(x, axes->p)); }

static tl_vec3 origin_of(const talus_world *w, talus_body_id body)
{
    double x[3], q[4];
    talus_body_pose(w, body, x, q);
    return tl_load3(x);
}

/* Where the origin was when contacts lay where they are said to. */
static tl_vec3 origin_met(const talus_world *w, talus_body_id body)
{
    static const double ORIGIN[3] = {0, 0, 0};
    double v[3], spin[3];
    talus_body_velocity(w, body, ORIGIN, v, spin);
    return tl_sub(origin_of(w, body), tl_scale(talus_world_contact_age(w), tl_load3(v)));
}

/* And how far the image was that a contact names: copies of a sheared cell slide. */
static tl_vec3 image_met(const talus_world *w, const int image[3])
{
    tl_vec3 shift = tl_image_of(w, image);
    int along, across;
    double offset, speed;
    if (talus_world_shear(w, &along, &across, &offset, &speed)) (&shift.x)[along] -= talus_world_contact_age(w) * image[across] * speed;
    return shift;
}

/* Is the point, or a copy of it, in the region? How much faster is that? */
static bool sees(const talus_world *w, const tl_frame *axes, const tl_probe *p, tl_vec3 x, tl_vec3 *faster)
{
    tl_vec3 shift;
    for (tl_copies c = tl_copies_of(w, &p->zone, axes, x, 0); tl_next_copy(&c, &shift, faster);)
        if (tl_zone_holds(&p->zone, into(axes, tl_add(x, shift)))) return true;
    return false;
}

bool tl_probe_counts_copy(const talus_world *w, const tl_frame *axes, const tl_probe *p, talus_body_id body, tl_vec3 *faster)
{
    *faster = tl_v3(0, 0, 0);
    if (talus_body_get_kind(w, body) != TALUS_BODY_FREE || talus_body_is_link(w, body)) return false;
    return p->zone.kind == TL_ZONE_EVERYWHERE || sees(w, axes, p, origin_of(w, body), faster);
}

bool tl_probe_counts(const talus_world *w, const tl_frame *axes, const tl_probe *p, talus_body_id body)
{
    tl_vec3 ignored;
    return tl_probe_counts_copy(w, axes, p, body, &ignored);
}

static double amount(const talus_world *w, const tl_group *g, const tl_probe *p, bool mass)
{
    const tl_frame axes = tl_probe_axes(w, p);
    double sum = 0;
    for (int i = g->first; i < g->first + g->count; i++) {
        const talus_body_id body = talus_body_at(w, i);
        if (tl_probe_counts(w, &axes, p, body)) sum += mass ? talus_body_mass(w, body) : 1;
    }
    return sum;
}

double tl_probe_number(const talus_world *w, const tl_group *g, const tl_probe *p) { return amount(w, g, p, false); }

double tl_probe_mass(const talus_world *w, const tl_group *g, const tl_probe *p) { return amount(w, g, p, true); }

/* ---- stress and fabric --------------------------------------------------------------------------------------------- */

static bool is_of(const talus_world *w, const tl_group *g, talus_body_id body)
{
    const int index = (int)body.index1 - 1;
    return index >= g->first && index < g->first + g->count && talus_body_get_kind(w, body) == TALUS_BODY_FREE && !talus_body_is_link(w, body);
}

/* The component that `quantity` names of a sum of dyads; mean: a third, in the plane half, of the trace. */
static double component(const char *quantity, double sum[3][3], int dimension)
{
    if (strcmp(quantity, "mean") == 0) return (sum[0][0] + sum[1][1] + (dimension == 3 ? sum[2][2] : 0)) / dimension;
    return sum[quantity[0] - 'x'][quantity[1] - 'x'];
}

static void add_dyad(double sum[3][3], tl_vec3 a, tl_vec3 b)
{
    const double u[3] = {a.x, a.y, a.z}, v[3] = {b.x, b.y, b.z};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) sum[i][k] += u[i] * v[k];
}

/* f ⊗ l for as much of the way l as lies in the region, over all its copies. */
static void add_branch(const talus_world *w, const tl_frame *axes, const tl_probe *p, tl_vec3 f, const tl_vec3 way[2], double sum[3][3])
{
    tl_vec3 shift;
    for (tl_copies c = tl_copies_of(w, &p->zone, axes, way[0], tl_norm(tl_sub(way[1], way[0]))); tl_next_copy(&c, &shift, NULL);) {
        const tl_vec3 from = into(axes, tl_add(way[0], shift)), to = into(axes, tl_add(way[1], shift));
        add_dyad(sum, f, tl_scale(tl_zone_share(&p->zone, from, to), tl_sub(to, from)));
    }
}

/* Σ f ⊗ l / V over the ways from each contact to the centres of the grains that it presses on, as far as these are in the region (Love 1927, Weber 1966;
 * the part of a branch that counts: Bagi 1996). f acts on the grain at the end of the way: a push is positive. */
double tl_probe_stress(const talus_world *w, const tl_group *g, const tl_probe *p)
{
    const tl_frame axes = tl_probe_axes(w, p);
    const int dimension = talus_world_dimension(w);
    double sum[3][3] = {{0}};
    for (int i = 0; i < talus_contact_count(w) - talus_rope_count(w); i++) {
        talus_contact c;
        talus_contact_get(w, i, &c);
        if (c.impulse[0] == 0) continue;
        const tl_vec3 force = tl_contact_vector(dimension == 2, tl_load3(c.normal), c.impulse), from = tl_load3(c.point);
        for (int end = 0; end < 2; end++) {
            const talus_body_id body = end ? c.antagonist : c.candidate;
            if (!is_of(w, g, body)) continue;
            const tl_vec3 f = tl_mat3_apply_t(&axes.R, tl_scale(end ? -1 : 1, force));
            const tl_vec3 to = end ? origin_met(w, body) : tl_add(origin_met(w, body), image_met(w, c.image));
            add_branch(w, &axes, p, f, (const tl_vec3[2]){from, to}, sum);
        }
    }
    return component(p->quantity, sum, dimension) / (tl_zone_size(&p->zone) * talus_world_step_size(w));
}

/* ⟨n ⊗ n⟩ over the contacts in the region that press on a grain of the group. */
double tl_probe_fabric(const talus_world *w, const tl_group *g, const tl_probe *p)
{
    const tl_frame axes = tl_probe_axes(w, p);
    double sum[3][3] = {{0}};
    int count = 0;
    for (int i = 0; i < talus_contact_count(w) - talus_rope_count(w); i++) {
        talus_contact c;
        talus_contact_get(w, i, &c);
        if (!(c.impulse[0] > 0) || !(is_of(w, g, c.candidate) || is_of(w, g, c.antagonist))) continue;
        if (p->zone.kind != TL_ZONE_EVERYWHERE && !sees(w, &axes, p, tl_load3(c.point), NULL)) continue;
        const tl_vec3 n = tl_mat3_apply_t(&axes.R, tl_load3(c.normal));
        add_dyad(sum, n, n);
        count++;
    }
    return count > 0 ? component(p->quantity, sum, 3) / count : 0;
}

/* ---- what contacts take ---------------------------------------------------------------------------------------------- */

enum { TAKEN_NORMAL, TAKEN_FRICTION, TAKEN_ROLLING, TAKEN_LAST, TAKEN_SUMS };

static void taken_name(const tl_probe *p, char name[64]) { snprintf(name, 64, "dissipation.%d/sums", p->number); }

talus_status tl_build_dissipation(tl_builder *b, const tl_node *node, const tl_probe *p)
{
    char name[64];
    taken_name(p, name);
    const talus_field sums = {name,       "J", "energy that contacts took along the normal, by friction, by moments; in the last step", TALUS_FIELD_DOUBLE, 1,
                              TAKEN_SUMS, NULL};
    TL_TRY(tl_build_check(b, talus_world_weigh_contacts(b->world), node));
    return tl_build_check(b, talus_state_add(b->world, &sums), node);
}

/* With a group those contacts that one of its bodies has, else all. */
void tl_probe_add_dissipation(const talus_world *w, const tl_group *g, const tl_probe *p)
{
    char name[64];
    taken_name(p, name);
    const tl_frame axes = tl_probe_axes(w, p);
    double *sums = talus_state_data(w, name), before = 0;
    if (!sums) return;
    for (int k = 0; k < TAKEN_LAST; k++) before += sums[k];
    for (int i = 0; i < talus_contact_count(w) - talus_rope_count(w); i++) {
        talus_contact c;
        talus_contact_get(w, i, &c);
        if (!c.work || (p->group >= 0 && !is_of(w, g, c.candidate) && !is_of(w, g, c.antagonist))) continue;
        if (p->zone.kind != TL_ZONE_EVERYWHERE && !sees(w, &axes, p, tl_load3(c.point), NULL)) continue;
        for (int k = 0; k < TAKEN_LAST; k++) sums[k] -= c.work[k];
    }
    sums[TAKEN_LAST] = sums[TAKEN_NORMAL] + sums[TAKEN_FRICTION] + sums[TAKEN_ROLLING] - before;
}

double tl_probe_dissipation(const talus_world *w, const tl_group *g, const tl_probe *p)
{
    char name[64];
    taken_name(p, name);
    const double *sums = talus_state_data(w, name);
    (void)g;
    if (!sums) return (double)NAN;
    switch (p->quantity[0]) {
    case 'n': return sums[TAKEN_NORMAL];
    case 'f': return sums[TAKEN_FRICTION];
    case 'r': return sums[TAKEN_ROLLING];
    case 'p': return sums[TAKEN_LAST] / talus_world_step_size(w);
    default: return sums[TAKEN_NORMAL] + sums[TAKEN_FRICTION] + sums[TAKEN_ROLLING];
    }
}

/* ---- what passes a plane ------------------------------------------------------------------------------------------- */

enum { UNKNOWN = -1, FLOW_NUMBER = 0, FLOW_MASS, FLOW_SINCE, FLOW_MASS_THEN, FLOW_RATE, FLOW_SUMS };

static void flow_name(const tl_probe *p, const char *what, char name[64]) { snprintf(name, 64, "flow.%d/%s", p->number, what); }

static void *flow_data(const talus_world *w, const tl_probe *p, const char *what)
{
    char name[64];
    flow_name(p, what, name);
    return talus_state_data(w, name);
}

talus_status tl_build_flow_memory(tl_builder *b, const tl_node *node, const tl_group *g, const tl_probe *p)
{
    char name[64];
    flow_name(p, "sums", name);
    const talus_field sums = {name,      "1", "grains and mass [kg] that passed; since when [s], mass then [kg], rate before [kg/s]", TALUS_FIELD_DOUBLE, 1,
                              FLOW_SUMS, NULL};
    TL_TRY(tl_build_check(b, talus_state_add(b->world, &sums), node));
    flow_name(p, "side", name);
    const talus_field side = {
        name, "1", "of each grain: 1 beyond the plane, 0 before it, or how many copies of it are passed; -1 not known", TALUS_FIELD_INT32, (size_t)g->count,
        1,    NULL};
    TL_TRY(tl_build_check(b, talus_state_add(b->world, &side), node));
    int32_t *sides = flow_data(b->world, p, "side");
    for (int i = 0; i < g->count; i++) sides[i] = UNKNOWN;
    return TALUS_OK;
}

void tl_probe_count_flow(const talus_world *w, const tl_group *g, const tl_probe *p)
{
    const tl_frame axes = tl_probe_axes(w, p);
    double *sums = flow_data(w, p, "sums");
    int32_t *side = flow_data(w, p, "side");
    const tl_vec3 normal = tl_mat3_apply(&axes.R, p->normal);
    if (!sums || !side) return;
    for (int i = 0; i < g->count; i++) {
        const talus_body_id body = talus_body_at(w, g->first + i);
        const bool here = talus_body_get_kind(w, body) == TALUS_BODY_FREE && !talus_body_is_link(w, body);
        const tl_vec3 x = into(&axes, origin_of(w, body));
        const double ahead = tl_dot(p->normal, tl_sub(x, tl_load3(p->at)));
        const int32_t now = here ? (int32_t)tl_planes_passed(w, normal, ahead) : UNKNOWN, before = side[i];
        side[i] = now;
        if (now == before || now == UNKNOWN || before == UNKNOWN || !tl_probe_counts(w, &axes, p, body)) continue;
        sums[FLOW_NUMBER] += now - before;
        sums[FLOW_MASS] += (now - before) * talus_body_mass(w, body);
    }
    const double t = talus_world_time(w), span = t - sums[FLOW_SINCE];
    if (!(span > 0) || span < p->over - 1e-6 * talus_world_step_size(w)) return;
    sums[FLOW_RATE] = (sums[FLOW_MASS] - sums[FLOW_MASS_THEN]) / span;
    sums[FLOW_SINCE] = t, sums[FLOW_MASS_THEN] = sums[FLOW_MASS];
}

void tl_probe_forget_side(const talus_world *w, const tl_group *g, const tl_probe *p, int body)
{
    int32_t *side = flow_data(w, p, "side");
    if (side && body >= g->first && body < g->first + g->count) side[body - g->first] = UNKNOWN;
}

double tl_probe_flow(const talus_world *w, const tl_group *g, const tl_probe *p)
{
    (void)g;
    const double *sums = flow_data(w, p, "sums");
    if (!sums) return (double)NAN;
    return sums[strcmp(p->quantity, "number") == 0 ? FLOW_NUMBER : strcmp(p->quantity, "mass") == 0 ? FLOW_MASS : FLOW_RATE];
}
