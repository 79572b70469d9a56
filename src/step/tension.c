/* What joints pull with resists turning (theory §9.8): a body that is held by a force f at an arm r has the moment r × f, which changes as the arm turns with
 * the body,
 *
 *     ∂(r × f)/∂θ = −K,   K = (f·r) 1 − (r fᵀ + f rᵀ)/2 .
 *
 * Links of a taut chain, shoes of a track, swing at √(K/J), and rows of joints at q_m know nothing of it: beyond 2/h such a swing would grow. So it is taken
 * implicitly, at the mid-step of the motion itself: J + h²/4 K in place of J for what changes the spin in a step. To first order K is right where it is taken
 * from the last step's forces, and the scheme is of second order for any K; only its part that resists is taken, and as a diagonal in the principal axes that
 * is no smaller (row sums), so that inertia stays principal. */
#include <stdlib.h>

#include "step/joints.h"
#include "step/system.h"

/* Force of a joint on b in the last step. */
static tl_vec3 force_on_b(const tl_body_joint *j, const tl_joint_memory *m, const tl_frame *a, const tl_frame *b, double h)
{
    tl_joint_row row[TL_JOINT_ROWS];
    tl_vec3 sum = {0, 0, 0};
    tl_joint_lock(j->kind, a, b, j->length, row);
    for (int r = 0; r < j->kind->rows; r++) sum = tl_add(sum, tl_scale(m->lock[r] / h, row[r].force));
    return sum;
}

/* In the axes of the body. */
static void add(const tl_system *s, int body, tl_vec3 at, tl_vec3 force, tl_mat3 *K)
{
    const tl_frame f = s->matter[0]->ops->frame(s->matter[0], body);
    const tl_vec3 arm = tl_mat3_apply_t(&f.R, tl_sub(at, f.p)), push = tl_mat3_apply_t(&f.R, force);
    const double r[3] = {arm.x, arm.y, arm.z}, p[3] = {push.x, push.y, push.z};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) K->m[i][k] += (i == k ? tl_dot(arm, push) : 0) - 0.5 * (r[i] * p[k] + p[i] * r[k]);
}

/* A point of b stays on one of a, or on an axis of a without a direction of b being held. */
static bool pulls(const tl_body_joint *j)
{
    const unsigned holds = j->kind->holds;
    return !j->glued && ((holds & TL_HOLD_POINT) == TL_HOLD_POINT || holds == TL_HOLD_LINE);
}

static int by_body(const void *a, const void *b)
{
    const int p = ((const tl_held_body *)a)->body, q = ((const tl_held_body *)b)->body;
    return (p > q) - (p < q);
}

/* Free bodies that joints hold, each once, ascending: K is kept of these alone, however many grains there are. */
static talus_status list_held(tl_system *s)
{
    tl_joints *all = &s->joints;
    all->held = tl_arena_alloc(s->step.arena, 2 * (size_t)all->count + 1, sizeof *all->held);
    all->helds = 0;
    if (!all->held) return tl_fail(s->step.error, TALUS_MEMORY, "no memory for %d joints", all->count);
    for (int i = 0; i < all->count; i++)
        for (int e = 0; e < 2; e++)
            if (all->joint[i].end[e].matter == 0) all->held[all->helds++] = (tl_held_body){.body = all->joint[i].end[e].item};
    qsort(all->held, (size_t)all->helds, sizeof *all->held, by_body);
    int kept = 0;
    for (int i = 0; i < all->helds; i++)
        if (kept == 0 || all->held[kept - 1].body != all->held[i].body) all->held[kept++] = all->held[i];
    all->helds = kept;
    return TALUS_OK;
}

static tl_held_body *find_held(const tl_joints *all, int body)
{
    const tl_held_body key = {.body = body};
    return all->helds > 0 ? bsearch(&key, all->held, (size_t)all->helds, sizeof *all->held, by_body) : NULL;
}

bool tl_joints_hold(const tl_joints *all, int body) { return find_held(all, body) != NULL; }

/* It is listed: all ends are. */
static tl_mat3 *stiffness_of(tl_joints *all, int body) { return &find_held(all, body)->K; }

void tl_joints_resist(tl_system *s, bool pulled)
{
    static const tl_mat3 NONE = {{{0}}};
    const tl_joints *all = &s->joints;
    for (int i = 0; i < all->helds; i++) s->geometry->stiffen(s, all->held[i].body, pulled ? &all->held[i].K : &NONE);
}

talus_status tl_joints_stiffen(tl_system *s)
{
    tl_joints *all = &s->joints;
    all->helds = 0;
    if (all->count == 0) return TALUS_OK;
    TL_TRY(list_held(s));
    for (int i = 0; i < all->count; i++) {
        const tl_body_joint *j = &all->joint[i];
        tl_frame a, b;
        if (!pulls(j)) continue;
        tl_joint_frames(s, j, &a, &b);
        const tl_vec3 force = force_on_b(j, &all->memory[i], &a, &b, s->step.h);
        if (j->end[1].matter == 0) add(s, j->end[1].item, b.p, force, stiffness_of(all, j->end[1].item));
        if (j->end[0].matter == 0) add(s, j->end[0].item, b.p, tl_scale(-1, force), stiffness_of(all, j->end[0].item));
    }
    tl_joints_resist(s, true);
    return TALUS_OK;
}

int tl_joints_in_chain(const tl_system *s)
{
    const tl_joints *all = &s->joints;
    int grains;
    const talus_body_kind *kind = s->geometry->kinds(s, &grains);
    for (int i = 0; i < all->count; i++)
        for (int e = 0; e < 2; e++) {
            const tl_joint_end *end = &all->joint[i].end[e];
            int pulled = 0;
            if (end->matter != 0 || !pulls(&all->joint[i]) || end->item >= grains || kind[end->item] != TALUS_BODY_FREE) continue;
            for (int k = 0; k < all->count; k++)
                for (int g = 0; g < 2; g++) {
                    const tl_joint_end *other = &all->joint[k].end[g];
                    if (other->matter == 0 && other->item == end->item && pulls(&all->joint[k])) pulled++;
                }
            if (pulled > 1) return i;
        }
    return -1;
}
