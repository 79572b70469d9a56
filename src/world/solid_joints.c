/* Joints at points of deformable solids, and nodes that are glued (talus/joint.h). */
#include <math.h>
#include <string.h>

#include "matter/solid.h"
#include "world/world.h"

static const double BESIDE = 0.01; /* of an element's size: how far beside the mesh a point may lie, as nodes of another mesh do on a curved face */

static tl_matter *solid_at(const talus_world *w, const tl_joint_end *end)
{
    tl_matter *m = w->system->matter[end->matter];
    return m->ops->motion ? m : NULL;
}

/* Largest distance of two nodes of an element without strain. */
static double size_of(const tl_element_mesh *mesh, int element)
{
    double size = 0;
    for (int i = mesh->begin[element]; i < mesh->begin[element + 1]; i++)
        for (int k = mesh->begin[element]; k < i; k++) size = fmax(size, tl_norm(tl_sub(tl_load3(mesh->x[mesh->node[i]]), tl_load3(mesh->x[mesh->node[k]]))));
    return size;
}

/* The point of the mesh that lies at x, as an item. */
static talus_status take_point(talus_world *w, const char *text, tl_matter *m, const double x[3], int *item)
{
    talus_solid_point at;
    if (!tl_solid_locate(m, x, &at) || at.away > BESIDE * size_of(tl_solid_mesh(m), at.element))
        return tl_fail(&w->error, TALUS_INPUT, "%s: its point [%.6g, %.6g, %.6g] lies outside of solid '%s', by %.3g m: it is one of the solid without strain",
                       text, x[0], x[1], x[2], m->name, at.away);
    return tl_solid_add_point(m, &at, item, &w->error);
}

/* Rows of a kind in this world that hold a direction of its bodies. */
static bool holds_direction(const talus_world *w, const tl_joint_kind *kind)
{
    /* in the plane the first axis of frames is its normal, but for what slides */
    static const tl_mat3 UPRIGHT = {{{0, 1, 0}, {0, 0, 1}, {1, 0, 0}}}, LEVEL = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    const bool planar = tl_is_planar(w);
    const tl_frame a = {.R = planar && !kind->axis_in_plane ? UPRIGHT : LEVEL}, b = {tl_v3(1, 0, 0), a.R};
    tl_joint_row rows[TL_JOINT_ROWS];
    tl_joint_lock(kind, &a, &b, 1, rows);
    for (int r = 0; r < kind->rows; r++)
        if (planar ? rows[r].moment.z != 0 : tl_norm(rows[r].moment) > 0) return true;
    return false;
}

static talus_status check_kind(talus_world *w, const char *text, const tl_body_joint *j)
{
    const tl_matter *a = solid_at(w, &j->end[0]), *b = solid_at(w, &j->end[1]);
    const bool point = (j->kind->holds & TL_HOLD_POINT) == TL_HOLD_POINT || j->kind->measured;
    const char *kinds = tl_is_planar(w) ? "revolute, distance, slot" : "spherical, distance, slot";
    if (holds_direction(w, j->kind))
        return tl_fail(&w->error, TALUS_INPUT,
                       "%s is %s, but a point of solid '%s' has no directions; take one of %s, or glue a group of its nodes: type fixed", text, j->kind->name,
                       (a ? a : b)->name, kinds);
    if (!point && a)
        return tl_fail(&w->error, TALUS_INPUT, "%s is %s along an axis of its first body, but a point of solid '%s' has no directions; name the solid second",
                       text, j->kind->name, a->name);
    return TALUS_OK;
}

/* ---- glue ------------------------------------------------------------------------------------------------------------------- */

static talus_status check_nodes(talus_world *w, const char *text, const talus_body_joint_def *d, const tl_matter *m)
{
    const int nodes = tl_solid_mesh(m)->nodes;
    bool *seen = tl_alloc(w->memory, (size_t)nodes, sizeof *seen);
    if (!seen) return tl_world_out_of_memory(w);
    talus_status status = TALUS_OK;
    for (int i = 0; i < d->nodes && status == TALUS_OK; i++) {
        const int node = d->node[i];
        if (node < 0 || node >= nodes) status = tl_fail(&w->error, TALUS_INPUT, "%s: solid '%s' has no node %d", text, m->name, node + 1);
        else if (seen[node]) status = tl_fail(&w->error, TALUS_INPUT, "%s: node %d of solid '%s' is named twice", text, node + 1, m->name);
        else seen[node] = true;
    }
    tl_free(w->memory, seen);
    return status;
}

/* Bonds of the joint that is being made, from side `own` of it. The joint itself is where the node is that lies nearest to its point. */
static talus_status glue(talus_world *w, const char *text, const talus_body_joint_def *d, int own)
{
    tl_joints *all = &w->system->joints;
    tl_body_joint *j = &all->joint[all->count];
    tl_matter *m = solid_at(w, &j->end[own]), *other = solid_at(w, &j->end[1 - own]);
    const int before = all->bonds;
    double nearest = (double)INFINITY;
    TL_TRY(check_nodes(w, text, d, m));
    if (tl_grow(w->memory, &all->bond, &all->bond_capacity, all->bonds + d->nodes, sizeof *all->bond) != TALUS_OK) return tl_world_out_of_memory(w);
    for (int i = 0; i < d->nodes; i++) {
        const double *x = tl_solid_mesh(m)->x[d->node[i]];
        const double away = tl_norm(tl_sub(tl_load3(x), tl_load3(d->point)));
        tl_bond *bond = &all->bond[all->bonds];
        *bond = (tl_bond){.hold = {.kind = &TL_JOINT_SPHERICAL, .def = {.drifts = d->drifts}, .end = {j->end[own], j->end[1 - own]}, .arm = 1},
                          .joint = all->count,
                          .turned = own == 1};
        bond->hold.end[0].item = d->node[i];
        tl_solid_expect(m, d->node[i]);
        const talus_status status = other ? take_point(w, text, other, x, &bond->hold.end[1].item) : TALUS_OK;
        if (status != TALUS_OK) {
            all->bonds = before;
            return status;
        }
        if (away < nearest) j->end[own].item = d->node[i], j->end[1 - own].item = bond->hold.end[1].item, nearest = away;
        all->bonds++;
    }
    j->glued = true;
    return TALUS_OK;
}

talus_status tl_world_join_solids(talus_world *w, const char *text, const talus_body_joint_def *d)
{
    tl_joints *all = &w->system->joints;
    tl_body_joint *j = &all->joint[all->count];
    const bool solid[2] = {solid_at(w, &j->end[0]), solid_at(w, &j->end[1])};
    if (d->nodes != 0 && (d->nodes < 0 || !d->node || j->kind != &TL_JOINT_FIXED || !(solid[0] || solid[1])))
        return tl_fail(&w->error, TALUS_INPUT, "%s: nodes of a solid are glued by a joint of type fixed, one of whose bodies is that solid", text);
    if (d->nodes > 0) return glue(w, text, d, solid[0] ? 0 : 1);
    if (!solid[0] && !solid[1]) return TALUS_OK;
    TL_TRY(check_kind(w, text, j));
    for (int k = 0; k < 2; k++)
        if (solid[k]) TL_TRY(take_point(w, text, solid_at(w, &j->end[k]), k == 1 && j->kind == &TL_JOINT_DISTANCE ? d->point_b : d->point, &j->end[k].item));
    return TALUS_OK;
}

talus_status tl_world_check_solid_freedom(talus_world *w, const char *text, const tl_body_joint *j, int coordinate)
{
    const tl_matter *a = solid_at(w, &j->end[0]), *m = a ? a : solid_at(w, &j->end[1]);
    const tl_frame at = {.R = tl_mat3_identity()};
    if (!m || !j->kind->coordinate(&at, &at, coordinate).is_angle) return TALUS_OK;
    return tl_fail(&w->error, TALUS_INPUT, "%s: nothing acts in '%s', for a point of solid '%s' does not turn", text, j->kind->coordinate_name[coordinate],
                   m->name);
}

talus_status tl_world_settle_bonds(talus_world *w)
{
    tl_system *s = w->system;
    const bool moreau = w->def.scheme == TALUS_SCHEME_MOREAU;
    for (int i = 0; i < s->joints.count; i++)
        for (int k = 0; k < 2 && !moreau; k++)
            if (solid_at(w, &s->joints.joint[i].end[k]))
                return tl_fail(&w->error, TALUS_UNSUPPORTED, "scheme '%s' knows no joints of deformable solids; take '%s'",
                               talus_scheme_name((int)w->def.scheme), talus_scheme_name(TALUS_SCHEME_MOREAU));
    for (int i = 0; i < s->joints.bonds; i++) {
        tl_body_joint *j = &s->joints.bond[i].hold;
        const tl_vec3 at = s->matter[j->end[0].matter]->ops->frame(s->matter[j->end[0].matter], j->end[0].item).p;
        for (int k = 0; k < 2; k++) {
            const tl_frame f = s->matter[j->end[k].matter]->ops->frame(s->matter[j->end[k].matter], j->end[k].item);
            j->end[k].frame = (tl_frame){tl_mat3_apply_t(&f.R, tl_sub(at, f.p)), tl_mat3_transpose(&f.R)};
        }
    }
    return TALUS_OK;
}

double tl_world_bond_error(const talus_world *w, int joint)
{
    const tl_joints *all = &w->system->joints;
    double most = 0;
    for (int i = 0; i < all->bonds; i++) {
        tl_frame a, b;
        if (all->bond[i].joint != joint) continue;
        tl_joint_frames(w->system, &all->bond[i].hold, &a, &b);
        most = fmax(most, tl_norm(tl_sub(b.p, a.p)));
    }
    return most;
}
