/* Links and joints as a tree: who hangs on whom, what has inertia, where joints start. */
#include "import/urdf.h"

#include <string.h>

/* Every link but one hangs on one joint, and all on the root. */
static bool hang(tl_urdf *r)
{
    tl_notes *n = r->notes;
    for (int i = 0; i < r->joints; i++) {
        tl_urdf_link *child = &r->link[r->joint[i].child];
        if (child->joint >= 0)
            tl_note_add(n, r->joint[i].at, true, "link '%.100s' hangs on joint '%.100s' already; a URDF is a tree", child->name, r->joint[child->joint].name);
        else child->joint = i;
    }
    for (int i = 0; i < r->links; i++) {
        if (r->link[i].joint >= 0) continue;
        if (r->root >= 0)
            tl_note_add(n, r->link[i].at, true, "neither link '%.100s' nor link '%.100s' is the child of a joint; a URDF has one root", r->link[r->root].name,
                        r->link[i].name);
        else r->root = i;
    }
    if (r->root < 0) tl_note_add(n, r->link[0].at, true, "every link is the child of a joint: they hang in a circle, and nothing is the root");
    return n->mistakes == 0;
}

/* Each link, then what hangs on it, in the order of the file. What is not reached hangs in a circle. */
static bool sort(tl_urdf *r)
{
    int count = 0;
    r->order[count++] = r->root;
    for (int i = 0; i < count; i++)
        for (int j = r->joints - 1, first = i + 1; j >= 0; j--) {
            if (r->joint[j].parent != r->order[i]) continue;
            memmove(&r->order[first + 1], &r->order[first], (size_t)(count - first) * sizeof *r->order);
            r->order[first] = r->joint[j].child;
            count++;
        }
    if (count == r->links) return true;
    for (int i = 0; i < r->links; i++) {
        bool reached = false;
        for (int k = 0; k < count && !reached; k++) reached = r->order[k] == i;
        if (reached) continue;
        tl_note_add(r->notes, r->link[i].at, true, "link '%.100s' hangs in a circle of joints, not on the root '%.100s'", r->link[i].name,
                    r->link[r->root].name);
        return false;
    }
    return true;
}

/* ---- who follows whom -------------------------------------------------------------------------------------------------- */

static void find_leader(tl_urdf *r, tl_urdf_joint *j)
{
    const char *name = tl_xml_get(j->mimic, "joint");
    for (int i = 0; name && i < r->joints; i++)
        if (strcmp(r->joint[i].name, name) == 0) j->leader = i;
    if (!name) tl_note_add(r->notes, j->mimic, true, "<mimic> names no joint");
    else if (j->leader < 0) tl_note_add(r->notes, j->mimic, true, "there is no joint '%.100s' to mimic", name);
    else if (!tl_urdf_has_one(&r->joint[j->leader])) {
        tl_note_add(r->notes, j->mimic, false, "joint '%.100s' mimics '%.100s', which does not move in one coordinate: it is free of it", j->name, name);
        j->leader = -1;
    } else if (j->multiplier == 0) {
        tl_note_add(r->notes, j->mimic, false, "joint '%.100s' mimics '%.100s' with a multiplier of 0: it is held at %g", j->name, name, j->offset);
        j->leader = -1, j->held = true;
        j->low = -(double)INFINITY, j->high = (double)INFINITY;
    }
}

/* The joint at the end of those that it mimics, one by another; itself where it mimics none, −1: they do so in a circle. */
static int first_of(const tl_urdf *r, int joint)
{
    for (int links = 0; r->joint[joint].leader >= 0; joint = r->joint[joint].leader)
        if (++links > r->joints) return -1;
    return joint;
}

static bool find_leaders(tl_urdf *r)
{
    for (int i = 0; i < r->joints; i++)
        if (r->joint[i].mimic) find_leader(r, &r->joint[i]);
    for (int i = 0; i < r->joints; i++)
        if (first_of(r, i) < 0)
            tl_note_add(r->notes, r->joint[i].at, true, "joint '%.100s' mimics itself, or joints that mimic one another in a circle", r->joint[i].name);
    return r->notes->mistakes == 0;
}

/* ---- what has inertia ------------------------------------------------------------------------------------------------ */

typedef struct bulk {
    double mass;
    tl_vec3 moment; /* Σ m x         */
    tl_mat3 I;      /* about an origin */
} bulk;

static bulk own_bulk(const tl_urdf_link *l)
{
    const double m = l->mass, *I = &l->inertia.m[0][0], c[3] = {l->centre.x, l->centre.y, l->centre.z}, cc = tl_dot(l->centre, l->centre);
    bulk b = {m, tl_scale(m, l->centre), {{{0}}}};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) b.I.m[i][k] = I[3 * i + k] + m * ((i == k ? cc : 0) - c[i] * c[k]);
    return b;
}

/* A child's, seen from its parent, at zero coordinates: I' = R I Rᵀ + (2 p·c' 1 − p ⊗ c' − c' ⊗ p) + m (p² 1 − p ⊗ p), c' = R Σ m x. */
static void add_bulk(bulk *parent, const bulk *child, const tl_frame *place)
{
    const tl_vec3 turned = tl_mat3_apply(&place->R, child->moment);
    const tl_mat3 Rt = tl_mat3_transpose(&place->R), RI = tl_mat3_mul(&place->R, &child->I), I = tl_mat3_mul(&RI, &Rt);
    const double p[3] = {place->p.x, place->p.y, place->p.z}, c[3] = {turned.x, turned.y, turned.z};
    const double round = 2 * tl_dot(place->p, turned) + child->mass * tl_dot(place->p, place->p);
    parent->mass += child->mass;
    parent->moment = tl_add(parent->moment, tl_add(turned, tl_scale(child->mass, place->p)));
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) parent->I.m[i][k] += I.m[i][k] + (i == k ? round : 0) - p[i] * c[k] - c[i] * p[k] - child->mass * p[i] * p[k];
}

/* Does nothing with inertia hang on it that its coordinates move? */
static bool is_light(const tl_urdf_joint *j, const bulk *b)
{
    const double turn = tl_dot(j->axis, tl_mat3_apply(&b->I, j->axis)), trace = b->I.m[0][0] + b->I.m[1][1] + b->I.m[2][2];
    if (j->kind == URDF_REVOLUTE || j->kind == URDF_CONTINUOUS) return !(turn > 1e-12 * trace);
    return j->kind != URDF_FIXED && !(b->mass > 0);
}

/* Joints with which nothing moves that has inertia have no equation of motion; those that mimic one another move as one. */
static void find_still(tl_urdf *r)
{
    bulk *all = tl_arena_zero(r->notes->arena, (size_t)r->links, sizeof *all);
    bool *moves = tl_arena_zero(r->notes->arena, (size_t)r->joints + 1, sizeof *moves);
    for (int i = r->links - 1; all && moves && i >= 0; i--) {
        const int link = r->order[i], joint = r->link[link].joint;
        const bulk own = own_bulk(&r->link[link]);
        add_bulk(&all[link], &own, &(tl_frame){{0, 0, 0}, tl_mat3_identity()});
        if (joint < 0) continue;
        const tl_urdf_joint *j = &r->joint[joint];
        add_bulk(&all[j->parent], &all[link], &j->place);
        if (!is_light(j, &all[link])) moves[first_of(r, joint)] = true;
    }
    for (int i = 0; moves && i < r->joints; i++) {
        tl_urdf_joint *j = &r->joint[i];
        j->still = !moves[first_of(r, i)] && !j->held;
        if (j->still)
            tl_note_add(r->notes, j->at, false,
                        "nothing with inertia moves with joint '%.100s', which is written as a fixed one; give link '%.100s' an <inertial>", j->name,
                        r->link[j->child].name);
    }
}

/* ---- where joints start ---------------------------------------------------------------------------------------------- */

static double inside(double x, double low, double high) { return fmin(fmax(x, low), high); }

/* At zero, or at the stop that is nearest; what mimics another one where that leads it. */
static void find_starts(tl_urdf *r)
{
    for (int i = 0; i < r->joints; i++) {
        tl_urdf_joint *j = &r->joint[i];
        const int first = first_of(r, i);
        double factor = 1, shift = 0; /* the coordinate is factor × that of the first + shift */
        const tl_urdf_joint *leads = &r->joint[first];
        for (int k = i; k != first; k = r->joint[k].leader) {
            shift += factor * r->joint[k].offset;
            factor *= r->joint[k].multiplier;
        }
        j->start = factor * (leads->held ? leads->offset : inside(0, leads->low, leads->high)) + shift;
        if (first == i && !j->held && j->start != 0 && !j->still)
            tl_note_add(r->notes, j->at, false, "joint '%.100s' starts at its stop %g, since its limits leave out 0", j->name, j->start);
        if (first == i || j->start == inside(j->start, j->low, j->high)) continue;
        tl_note_add(r->notes, j->mimic, false, "joint '%.100s' begins outside of its limits, at %g, where the joint that it mimics leads it: it has no stops",
                    j->name, j->start);
        j->low = -(double)INFINITY, j->high = (double)INFINITY;
    }
}

void tl_urdf_tree(tl_urdf *r)
{
    if (!hang(r) || !sort(r) || !find_leaders(r)) return;
    find_still(r);
    find_starts(r);
}
