/* From constraints to rows and W; condensing over the factor of what holds for good, which block_factor.c makes (block.h). */
#include <math.h>
#include <string.h>

#include "base/integers.h"
#include "solve/block.h"
#include "solve/cluster.h"

enum { PORT_ROWS = 3, DELICATE = 3 }; /* answers of joints to a row that is condensed, where the factor has few digits */

/* ---- bind: ends ------------------------------------------------------------------------------------------------------------- */

static double *new_rows(tl_step *step, int rows, int size) { return tl_arena_zero(step->arena, (size_t)(rows * size) + 1, sizeof(double)); }

static talus_status no_memory(const tl_step *step) { return tl_fail(step->error, TALUS_MEMORY, "no memory for the constraints of a step"); }

/* The end of the constraint at this group, with zeros where it is new. */
static talus_status end_at(tl_blocks *b, tl_block *k, int group, int size, tl_step *step, tl_block_end **out)
{
    for (int e = k->first; e < k->first + k->ends; e++)
        if (b->end[e].group == group) {
            *out = &b->end[e];
            return TALUS_OK;
        }
    double *H = new_rows(step, 2 * k->rows, size);
    if (!H) return no_memory(step);
    *out = &b->end[b->ends++];
    **out = (tl_block_end){.group = group, .size = size, .H = H, .Y = H + k->rows * size};
    k->ends++;
    return TALUS_OK;
}

static void add_rows(const tl_block_end *end, int first, int rows, const double *H, const double *Y)
{
    double *own_H = (double *)end->H + first * end->size, *own_Y = (double *)end->Y + first * end->size;
    for (int i = 0; i < rows * end->size; i++) own_H[i] += H[i], own_Y[i] += Y[i];
}

talus_status tl_block_bind_grain(tl_blocks *b, tl_block *k, const tl_grip *g, tl_block_binding *s, tl_step *step)
{
    enum { MOST = 8 };
    const tl_grain_rows *grains = &b->grains;
    tl_vec3 v = {0, 0, 0}, w = {0, 0, 0};
    const bool moves = grains->moves[g->item];
    for (int before = moves; before < 2; before++) {
        grains->twist(grains->problem, g->item, g->arm, before, &v, &w);
        for (int r = 0; r < k->rows; r++) (before ? s->before : s->imposed)[r] += tl_dot(g->row[r].force, v) + tl_dot(g->row[r].moment, w);
    }
    if (!moves) return TALUS_OK;
    tl_block_end *end = NULL;
    TL_TRY(end_at(b, k, g->item, grains->size, step, &end));
    for (int r = 0; r < k->rows; r++) {
        double H[MOST] = {0}, Y[MOST] = {0}, share = 1;
        grains->row(grains->problem, g->item, g->arm, &g->row[r], H, &share);
        for (int i = 0; i < grains->size; i++) Y[i] = share * H[i];
        add_rows(end, r, 1, H, Y);
    }
    return TALUS_OK;
}

static tl_port port_of(const tl_grip *g, int first, int rows)
{
    tl_port port = {.item = g->item, .rate1 = first == 0 ? g->rate1 : 0};
    tl_store3(port.x, g->at);
    for (int r = 0; r < PORT_ROWS && first + r < rows; r++) {
        tl_store3(port.axes[r], g->row[first + r].force);
        tl_store3(port.moments[r], g->row[first + r].moment);
    }
    return port;
}

/* Is the grip at matter whose ports are the constraint's own? Those of others say theirs in clusters. */
static bool is_at_matter(const tl_blocks *b, const tl_grip *g)
{
    return g->matter != 0 && tl_clusters_lead(b->clusters, &b->grains, (tl_place){g->matter, g->item}) <= 0;
}

static bool is_elsewhere(const tl_blocks *b, const tl_constraint *c) { return c->set == &TL_WHOLE_SPACE && tl_clusters_hold(b->clusters, &b->grains, c); }

/* Ports of all constraints at a matter together, in the order of their turns: on all threads. */
static talus_status bind_together(tl_blocks *b, int m, const tl_constraint *constraint, int constraints, tl_step *step)
{
    int n = 0;
    for (int pass = 0; pass < 2; pass++) {
        if (pass == 1 && !(b->bound[m] = tl_arena_alloc(step->arena, (size_t)n + 1, sizeof **b->bound))) return no_memory(step);
        n = 0;
        for (int i = 0; i < constraints; i++) {
            const tl_constraint *c = &constraint[i];
            for (int e = 0; e < c->grips; e++) {
                if (c->grip[e].matter != m || is_elsewhere(b, c) || !is_at_matter(b, &c->grip[e])) continue;
                for (int first = 0; first < c->rows; first += PORT_ROWS, n++)
                    if (pass == 1) b->bound[m][n] = port_of(&c->grip[e], first, c->rows);
            }
        }
        if (n == 0) return TALUS_OK;
    }
    return b->matter[m]->ops->bind(b->matter[m], step, b->bound[m], n);
}

/* Of matter that says rows. */
static talus_status bind_ports(tl_blocks *b, const tl_constraint *constraint, int constraints, tl_step *step)
{
    b->bound = tl_arena_zero(step->arena, (size_t)b->matters + 1, sizeof *b->bound);
    if (!b->bound) return no_memory(step);
    for (int m = 1; m < b->matters; m++)
        if (b->matter[m]->ops->rows) TL_TRY(bind_together(b, m, constraint, constraints, step));
    return TALUS_OK;
}

/* Three rows at a time, as a port of the matter has. */
talus_status tl_block_bind_matter(tl_blocks *b, tl_block *k, const tl_grip *g, const tl_velocities *v, tl_block_binding *s, tl_step *step)
{
    tl_matter *m = b->matter[g->matter];
    tl_block_end *end = NULL;
    if (!m->ops->rows) return tl_fail(step->error, TALUS_UNSUPPORTED, "matter '%s' takes no joints, stops, drives or moments of contacts", m->ops->kind);
    TL_TRY(end_at(b, k, b->grains.bodies + g->matter, m->nv, step, &end));
    for (int first = 0; first < k->rows; first += PORT_ROWS) {
        const int rows = k->rows - first < PORT_ROWS ? k->rows - first : PORT_ROWS;
        tl_block_port *p = &b->port[b->ports++];
        const double *H = NULL, *Y = NULL;
        double moving[3] = {0}, still[3] = {0}, before[3] = {0};
        *p = (tl_block_port){.block = (int)(k - b->block), .matter = g->matter, .first = first};
        if (b->bound) p->port = *b->bound[g->matter]++;
        else {
            p->port = port_of(g, first, k->rows);
            TL_TRY(m->ops->bind(m, step, &p->port, 1));
        }
        m->ops->rows(m, &p->port, &H, &Y);
        add_rows(end, first, rows, H, Y);
        m->ops->velocity(m, &p->port, v->matter[g->matter], true, moving);
        m->ops->velocity(m, &p->port, v->matter[g->matter], false, still);
        m->ops->velocity_before(m, &p->port, before);
        for (int r = 0; r < rows; r++) s->imposed[first + r] += moving[r] - still[r], s->before[first + r] += before[r];
    }
    return TALUS_OK;
}

/* ---- bind: laws ------------------------------------------------------------------------------------------------------------- */

/* Where a stop would be passed in this step it bounces: early, so that it is met from outside, as contacts are (theory §2.1). */
static double stop_shift(const tl_constraint *c, double before, double free, double h)
{
    const double slack = fmax(c->gap[0], 0) / h;
    return c->restitution > 0 && before < 0 && c->gap[0] + h * free <= 0 ? c->restitution * before : slack;
}

/* Impulses of what nothing moves along its normal stay zero. */
static void bind_contact(tl_block *k, double before)
{
    const tl_constraint *c = k->of;
    tl_law_view view = c->view;
    view.before += before;
    k->bound = tl_law_bind(c->law, &view);
    k->shift[0] += k->bound.shift;
    if (c->length > 0) k->bound.rolling /= c->length, k->bound.spinning /= c->length;
    if (k->W[0] > 0) k->I[0] += k->bound.offset;
    else k->bound.offset = 0, memset(k->I, 0, sizeof k->I);
    memcpy(k->last, k->I, sizeof k->last);
}

/* What no impulse moves goes as it is told to, and its impulse follows from that: a spring has that of its strain, dry friction its most against the motion,
 * or what the step before has left where it stands still. Stops, and drives without a limit, can do nothing there. */
static double impulse_of_imposed(const tl_constraint *c, double give, double shift, double I)
{
    if (give > 0 && c->set == &TL_WHOLE_SPACE) return -shift / give;
    if (c->set != &TL_INTERVAL || c->law || isinf(c->high)) return 0;
    if (give > 0) return fmax(c->low, fmin(c->high, -shift / give));
    return shift > 0 ? c->low : shift < 0 ? c->high : fmax(c->low, fmin(c->high, I));
}

/* Dry friction that is viscous below a speed: at the velocity that θ weighs, but nowhere so early in the step that it would turn the motion back that it is
 * to stop. Where velocities of the end alone are asked for, at those. */
static void bind_creep(tl_block *k, double theta, double before)
{
    const tl_constraint *c = k->of;
    const double D = c->high / c->creep, weight = theta > 0 ? fmax(theta, 1 - 1 / (D * k->W[0])) : 1;
    k->give[0] += 1 / (D * weight);
    k->shift[0] += (1 - weight) / weight * before;
}

void tl_block_bind_law(const tl_blocks *b, tl_block *k, const tl_block_binding *s, const tl_velocities *v, const tl_step *step)
{
    const tl_constraint *c = k->of;
    const double h = step->h, theta = step->theta, D = h * theta * (c->damping + 0.5 * c->stiffness * h);
    double V[TL_ROWS] = {0};
    for (int r = 0; r < k->rows; r++) k->imposed[r] = s->imposed[r] + (c->law ? c->shift[r] : 0); /* of contacts: of copies that slide */
    for (int r = 0; r < k->rows; r++) {
        k->before[r] = s->before[r];
        k->shift[r] = s->imposed[r] + c->shift[r] - c->recall[r] * s->before[r];
        k->give[r] = c->compliance[r] + (r == 0 && D > 0 ? 1 / D : 0);
        if (r == 0 && c->creep > 0 && c->high > 0) bind_creep(k, theta, s->before[0]);
        if (k->W[r * k->rows + r] > 0) k->W[r * k->rows + r] += k->give[r];
    }
    if (D > 0) k->shift[0] += h / D * (c->stiffness * c->gap[0] + (1 - theta) * (c->damping - 0.5 * c->stiffness * h) * s->before[0]);
    for (int r = 0; r < k->rows; r++)
        if (!(k->W[r * k->rows + r] > 0)) k->I[r] = k->last[r] = impulse_of_imposed(c, k->give[r], k->shift[r], c->I[r]);
    tl_block_read(b, k, v, V);
    for (int r = 0; c->V && r < k->rows; r++) c->V[r] = V[r] + s->imposed[r];
    if (c->law) bind_contact(k, s->before[0]);
    if (tl_is_one_sided(c)) k->shift[0] += stop_shift(c, s->before[0], V[0] + s->imposed[0], h);
}

/* ---- condensing ------------------------------------------------------------------------------------------------------------- */

/* Bodies that hang together by joints. */
typedef struct chains {
    int *root;          /* [groups] */
    int *begin, *group; /* groups of a chain: group[begin[root]] … begin[root + 1]; empty for what no joint touches */
    int *first, *joint; /* its joints, in the same way */
    tl_velocities work; /* zero but while a row is condensed */
} chains;

/* Joints by the root of their chain. */
static void list_joints(const tl_blocks *b, int groups, chains *c)
{
    for (int i = 0; i < b->count; i++)
        if (b->block[i].direct && b->block[i].ends > 0) c->first[c->root[b->end[b->block[i].first].group] + 2]++;
    for (int g = 0; g < groups; g++) c->first[g + 2] += c->first[g + 1];
    for (int i = 0; i < b->count; i++)
        if (b->block[i].direct && b->block[i].ends > 0) c->joint[c->first[c->root[b->end[b->block[i].first].group] + 1]++] = i;
}

static talus_status find_chains(const tl_blocks *b, tl_step *step, chains *c)
{
    const int groups = b->grains.bodies + b->matters;
    bool *jointed = tl_arena_zero(step->arena, (size_t)groups + 1, sizeof *jointed);
    c->root = tl_arena_alloc(step->arena, (size_t)groups + 1, sizeof *c->root);
    c->begin = tl_arena_zero(step->arena, (size_t)groups + 2, sizeof *c->begin);
    c->group = tl_arena_alloc(step->arena, (size_t)groups + 1, sizeof *c->group);
    c->first = tl_arena_zero(step->arena, (size_t)groups + 2, sizeof *c->first);
    c->joint = tl_arena_alloc(step->arena, (size_t)b->count + 1, sizeof *c->joint);
    if (!jointed || !c->root || !c->begin || !c->group || !c->first || !c->joint || !tl_block_rest(b, step, &c->work)) return no_memory(step);
    for (int g = 0; g < groups; g++) c->root[g] = g;
    for (int i = 0; i < b->count; i++) {
        const tl_block *k = &b->block[i];
        for (int e = k->first; k->direct && e < k->first + k->ends; e++) {
            (void)tl_join(c->root, b->end[k->first].group, b->end[e].group);
            jointed[b->end[e].group] = true;
        }
    }
    tl_find_roots(c->root, groups);
    for (int g = 0; g < groups; g++) c->begin[c->root[g] + 2] += jointed[g];
    for (int g = 0; g < groups; g++) c->begin[g + 2] += c->begin[g + 1];
    for (int g = 0; g < groups; g++)
        if (jointed[g]) c->group[c->begin[c->root[g] + 1]++] = g;
    list_joints(b, groups, c);
    return TALUS_OK;
}

static int size_of(const tl_blocks *b, int group) { return group < b->grains.bodies ? b->grains.size : b->matter[group - b->grains.bodies]->nv; }

/* One row at unit impulse, all joints holding: its Y of every group that it moves, and what the joints answer. */
static void condense_row(tl_blocks *b, const chains *c, tl_block *k, int row)
{
    double unit[TL_ROWS] = {0};
    unit[row] = 1;
    tl_block_push_ends(b, k, k->first, k->ends, &c->work, unit);
    for (int pass = 0; pass < (b->delicate ? DELICATE : 1); pass++) {
        tl_blocks_ask(b, &c->work, tl_block_read);
        tl_blocks_answer(b, &c->work);
        for (int a = k->answer; a < k->answer + k->answers; a++) {
            const tl_block *joint = &b->block[b->answer[a].block];
            double *I = (double *)b->answer[a].I + row * joint->rows;
            for (int r = 0; r < joint->rows; r++) I[r] = (pass > 0 ? I[r] : 0) + b->x[joint->unknown + r / 3][r % 3];
        }
    }
    for (int e = k->first + k->ends; e < k->first + k->ends + k->pushed; e++) {
        const tl_block_end *end = &b->end[e];
        double *x = tl_block_numbers(b, &c->work, end->group);
        memcpy((double *)end->Y + row * end->size, x, (size_t)end->size * sizeof *x);
        memset(x, 0, (size_t)end->size * sizeof *x);
    }
}

static talus_status push_also(tl_blocks *b, tl_block *k, int group, tl_step *step)
{
    const int size = size_of(b, group);
    double *Y = new_rows(step, k->rows, size);
    if (!Y || tl_grow(step->memory, &b->end, &b->end_capacity, b->ends + 1, sizeof *b->end) != TALUS_OK) return no_memory(step);
    b->end[b->ends++] = (tl_block_end){.group = group, .size = size, .Y = Y};
    k->pushed++;
    return TALUS_OK;
}

static talus_status answer_also(tl_blocks *b, tl_block *k, int joint, tl_step *step)
{
    double *I = new_rows(step, k->rows, b->block[joint].rows);
    if (!I || tl_grow(step->memory, &b->answer, &b->answer_capacity, b->answers + 1, sizeof *b->answer) != TALUS_OK) return no_memory(step);
    b->answer[b->answers++] = (tl_block_answer){joint, I};
    k->answers++;
    return TALUS_OK;
}

/* What is moved with end e of a constraint: its chain, once, or it alone. */
static talus_status push_chain(tl_blocks *b, const chains *c, tl_block *k, int e, tl_step *step)
{
    const int group = b->end[e].group, root = c->root[group];
    for (int other = k->first; other < e; other++)
        if (c->root[b->end[other].group] == root) return TALUS_OK;
    if (c->begin[root] == c->begin[root + 1]) return push_also(b, k, group, step);
    for (int m = c->begin[root]; m < c->begin[root + 1]; m++) TL_TRY(push_also(b, k, c->group[m], step));
    for (int m = c->first[root]; m < c->first[root + 1]; m++) TL_TRY(answer_also(b, k, c->joint[m], step));
    return TALUS_OK;
}

/* The chains that a constraint touches, if they are not so large that joints had better be asked after the sweep. */
static talus_status condense(tl_blocks *b, const chains *c, tl_block *k, size_t *room, tl_step *step)
{
    size_t numbers = 0;
    bool touches = false;
    for (int e = k->first; e < k->first + k->ends; e++) {
        const int root = c->root[b->end[e].group], members = c->begin[root + 1] - c->begin[root];
        touches |= members > 0;
        numbers += (size_t)members * (size_t)(b->grains.size * k->rows);
    }
    if (!touches || numbers > *room) return TALUS_OK;
    *room -= numbers;
    const int own = b->ends; /* its ends move behind all others, so that those that are pushed follow them */
    for (int e = 0; e < k->ends; e++) {
        if (tl_grow(step->memory, &b->end, &b->end_capacity, b->ends + 1, sizeof *b->end) != TALUS_OK) return no_memory(step);
        b->end[b->ends++] = b->end[k->first + e];
    }
    k->first = own;
    k->answer = b->answers;
    for (int e = k->first; e < k->first + k->ends; e++) TL_TRY(push_chain(b, c, k, e, step));
    for (int r = 0; r < k->rows; r++) condense_row(b, c, k, r);
    return TALUS_OK;
}

/* ---- bind ------------------------------------------------------------------------------------------------------------------- */

/* W [rows × rows] of what unit impulses do. */
static void form_W(const tl_blocks *b, tl_block *k)
{
    const tl_block_end *pushed = &b->end[k->pushed > 0 ? k->first + k->ends : k->first];
    const int n = k->rows, count = k->pushed > 0 ? k->pushed : k->ends;
    for (int e = k->first; e < k->first + k->ends; e++)
        for (int f = 0; f < count; f++) {
            const tl_block_end *read = &b->end[e], *moved = &pushed[f];
            for (int r = 0; r < n && read->group == moved->group; r++)
                for (int c = 0; c < n; c++)
                    for (int i = 0; i < read->size; i++) k->W[r * n + c] += read->H[r * read->size + i] * moved->Y[c * moved->size + i];
        }
}

/* W, and the law on it. */
static void settle(const tl_blocks *b, tl_block *k, const tl_block_binding *s, const tl_velocities *v, const tl_step *step)
{
    form_W(b, k);
    tl_block_bind_law(b, k, s, v, step);
}

/* Rows at clusters: of what stands in for one, v = v_free + C I. */
static talus_status bind_clusters(tl_blocks *b, tl_block *k, tl_block_binding *s, tl_step *step)
{
    tl_cluster_rows at;
    for (int c = 0; tl_clusters_say(b->clusters, c, (int)(k - b->block), &at); c++) {
        if (at.number < 0) continue;
        const int n = at.numbers;
        tl_block_end *end = NULL;
        TL_TRY(end_at(b, k, b->grains.bodies + at.matter, 2 * n, step, &end));
        if (!end) return no_memory(step);
        end->in_cluster = true;
        for (int r = 0; r < k->rows; r++) {
            memcpy((double *)end->H + 2 * r * n, at.C + (size_t)(at.number + r) * (size_t)n, (size_t)n * sizeof *at.C);
            ((double *)end->H)[(2 * r + 1) * n + at.number + r] = 1;
            ((double *)end->Y)[2 * r * n + at.number + r] = 1;
            s->imposed[r] += at.binding->imposed[r], s->before[r] += at.binding->before[r];
        }
    }
    return TALUS_OK;
}

static talus_status bind_ends(tl_blocks *b, tl_block *k, const tl_velocities *v, tl_block_binding *s, tl_step *step)
{
    k->first = b->ends;
    if (tl_grow(step->memory, &b->end, &b->end_capacity, b->ends + k->of->grips, sizeof *b->end) != TALUS_OK) return no_memory(step);
    for (int i = 0; i < k->of->grips && k->rows > 0; i++) {
        const tl_grip *g = &k->of->grip[i];
        if (tl_clusters_lead(b->clusters, &b->grains, (tl_place){g->matter, g->item}) > 0) continue;
        TL_TRY(g->matter == 0 ? tl_block_bind_grain(b, k, g, s, step) : tl_block_bind_matter(b, k, g, v, s, step));
    }
    if (k->rows > 0) TL_TRY(bind_clusters(b, k, s, step));
    k->W = new_rows(step, k->rows, k->rows);
    return k->W ? TALUS_OK : no_memory(step);
}

static talus_status condense_all(tl_blocks *b, tl_step *step)
{
    enum { ROOM = 4 << 20 }; /* numbers */
    size_t room = ROOM;
    chains c;
    if (b->unknowns == 0) return TALUS_OK;
    TL_TRY(find_chains(b, step, &c));
    for (int i = 0; i < b->count; i++)
        if (!b->block[i].direct && b->block[i].ends > 0) TL_TRY(condense(b, &c, &b->block[i], &room, step));
    return TALUS_OK;
}

talus_status tl_blocks_bind(tl_blocks *b, const tl_constraint *constraint, int constraints, const tl_velocities *v, tl_step *step)
{
    int ports = 0;
    b->h = step->h;
    tl_blocks_drop_factor(b);
    b->count = b->ends = b->answers = b->ports = b->unknowns = 0;
    b->is_late = false;
    if (constraints == 0) return TALUS_OK;
    for (int i = 0; i < constraints; i++) ports += 2 * constraint[i].grips;
    b->block = tl_arena_alloc(step->arena, (size_t)constraints, sizeof *b->block); /* each is set whole as its turn comes */
    b->port = tl_arena_alloc(step->arena, (size_t)ports + 1, sizeof *b->port);
    tl_block_binding *s = tl_arena_zero(step->arena, (size_t)constraints, sizeof *s);
    if (!b->block || !b->port || !s) return no_memory(step);
    TL_TRY(bind_ports(b, constraint, constraints, step));
    for (int i = 0; i < constraints; i++) {
        tl_block *k = &b->block[i];
        b->count++;
        *k = (tl_block){.of = &constraint[i], .rows = constraint[i].rows, .direct = constraint[i].set == &TL_WHOLE_SPACE};
        if (is_elsewhere(b, &constraint[i])) k->elsewhere = true, k->direct = false, k->rows = 0;
        memcpy(k->I, constraint[i].I, (size_t)k->rows * sizeof *k->I);
        memcpy(k->last, k->I, sizeof k->last);
        TL_TRY(bind_ends(b, k, v, &s[i], step));
        if (k->direct) settle(b, k, &s[i], v, step);
    }
    TL_TRY(tl_blocks_factor(b, step));
    b->is_late = b->late && b->unknowns > 0;
    if (!b->is_late) TL_TRY(condense_all(b, step));
    for (int i = 0; i < constraints; i++)
        if (!b->block[i].direct && !b->block[i].elsewhere) settle(b, &b->block[i], &s[i], v, step);
    return TALUS_OK;
}

static void renew_W(const tl_blocks *b, tl_block *k)
{
    memset(k->W, 0, (size_t)(k->rows * k->rows) * sizeof *k->W);
    form_W(b, k);
    for (int r = 0; r < k->rows; r++)
        if (k->W[r * k->rows + r] > 0) k->W[r * k->rows + r] += k->give[r];
}

talus_status tl_blocks_condense(tl_blocks *b, tl_step *step)
{
    if (!b->is_late) return TALUS_OK;
    b->is_late = false;
    TL_TRY(condense_all(b, step));
    for (int i = 0; i < b->count; i++)
        if (b->block[i].pushed > 0) renew_W(b, &b->block[i]);
    return TALUS_OK;
}

void tl_blocks_separate(tl_blocks *b)
{
    b->is_late = b->unknowns > 0;
    for (int i = 0; i < b->count; i++) {
        tl_block *k = &b->block[i];
        if (k->pushed == 0) continue;
        k->pushed = k->answers = 0;
        renew_W(b, k);
    }
}

void tl_blocks_destroy(tl_blocks *b, tl_memory memory)
{
    tl_cluster_factors_free(b, memory);
    tl_blocks_drop_factor(b);
    tl_sparse3_destroy(b->spent);
    b->spent = NULL;
    tl_free(memory, b->end);
    tl_free(memory, b->answer);
    b->end = NULL;
    b->answer = NULL;
    b->count = b->end_capacity = b->answer_capacity = 0;
}
