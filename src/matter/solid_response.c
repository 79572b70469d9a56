/* What contacts see of a solid: M̃⁻¹ in the nodes where contacts are expected, column by column as they are touched first (theory §10.3). */
#include <math.h>
#include <string.h>

#include "base/products.h"
#include "matter/solid_internal.h"

/* Memory for all columns, at most [bytes]; where they would take more, contacts are condensed by a solve each. */
static const double MOST = 5e8;

static const double CLOSE = 1e-9; /* columns of what has no factor */

enum { LANES = 4 };
typedef double lanes __attribute__((vector_size(LANES * sizeof(double))));

void tl_solid_forget_response(tl_solid *s)
{
    for (int k = 0; k < s->dimension * s->expects; k++) {
        tl_free(s->matter.memory, s->column[k]);
        s->column[k] = NULL;
    }
}

static talus_status make_column(tl_solid *s, tl_step *step, int node, int axis)
{
    const int d = tl_solid_axes(s), n = d * s->expects, at = d * s->expected_at[node] + axis;
    double *b = s->column[at] = tl_alloc(s->matter.memory, (size_t)n + LANES, sizeof *b);
    if (!b) return tl_fail(step->error, TALUS_MEMORY, "no memory for what contacts see of solid '%s'", s->matter.name);
    if (s->is_held[d * node + axis]) return TALUS_OK;
    if (s->particles) {
        double *all = s->particles->unit;
        memset(all, 0, (size_t)s->matter.nv * sizeof *all);
        all[d * node + axis] = 1;
        tl_particles_solve(s, CLOSE, 0, all);
        for (int i = 0; i < s->mesh.nodes; i++)
            for (int a = 0; a < d && s->expected_at[i] >= 0; a++) b[d * s->expected_at[i] + a] = all[d * i + a];
        return TALUS_OK;
    }
    b[at] = 1;
    tl_factor_solve_last(s->factor, b);
    return TALUS_OK;
}

enum { RINGS = 256 };

static double apart(const tl_solid *s, int node, int other) { return tl_norm(tl_sub(tl_load3(s->mesh.x[other]), tl_load3(s->mesh.x[node]))); }

/* How far from a node its columns, without those of its own rows, add up to `share` of these: in rings about it. */
static double reach_of(const tl_solid *s, int node, double share)
{
    const int d = tl_solid_axes(s), at = s->expected_at[node];
    double ring[RINGS] = {0}, own = 0, farthest = 0, beyond = 0;
    for (int other = 0; other < s->mesh.nodes; other++)
        if (s->expected_at[other] >= 0) farthest = tl_larger(farthest, apart(s, node, other));
    for (int other = 0; other < s->mesh.nodes; other++) {
        const int place = s->expected_at[other];
        if (place < 0) continue;
        double size = 0;
        for (int a = 0; a < d; a++)
            for (int b = 0; b < d; b++) size += fabs(s->column[d * at + a][d * place + b]);
        if (other == node) own = size;
        else ring[(int)tl_smaller(RINGS - 1, RINGS * (apart(s, node, other) / farthest))] += size;
    }
    int k = RINGS;
    while (k > 0 && beyond + ring[k - 1] <= share * own) beyond += ring[--k];
    return k == RINGS ? (double)INFINITY : k * farthest / RINGS;
}

static talus_status know_node(tl_solid *s, tl_step *step, int node, double share)
{
    const int d = tl_solid_axes(s), at = s->expected_at[node];
    if (s->column[d * at + d - 1]) return TALUS_OK;
    for (int a = 0; a < d; a++)
        if (!s->column[d * at + a]) TL_TRY(make_column(s, step, node, a));
    s->reach[at] = reach_of(s, node, share);
    return TALUS_OK;
}

talus_status tl_solid_reach(tl_matter *matter, tl_step *step, const tl_ports *ports, double share, double *reach)
{
    tl_solid *s = (tl_solid *)matter;
    const double n = tl_solid_axes(s) * (double)s->expects;
    double most = 0;
    *reach = -1;
    if (8 * n * n > MOST) return TALUS_OK;
    for (int i = 0; i < ports->count; i++) {
        const tl_solid_row *r = &s->rows[ports->port[i].slot];
        for (int k = 0; k < r->nodes; k++) {
            if (s->expected_at[r->node[k]] < 0) return TALUS_OK;
            TL_TRY(know_node(s, step, r->node[k], share));
            most = tl_larger(most, s->reach[s->expected_at[r->node[k]]]);
        }
    }
    *reach = most;
    return TALUS_OK;
}

/* What impulses along the world's axes a at one port do along the world's axes at another, B[a]: nodes by nodes. A column is read by lanes, of which the
 * last belong to the next node or to no one. */
static void between(const tl_solid *s, const tl_solid_row *from, const tl_solid_row *to, lanes B[3])
{
    const int d = tl_solid_axes(s);
    for (int a = 0; a < d; a++) B[a] = (lanes){0, 0, 0, 0};
    for (int k = 0; k < from->nodes; k++) {
        double *const *column = s->column + (size_t)d * (size_t)s->expected_at[from->node[k]];
        for (int l = 0; l < to->nodes; l++) {
            const double weight = from->weight[k] * to->weight[l];
            const size_t at = (size_t)d * (size_t)s->expected_at[to->node[l]];
            for (int a = 0; a < d; a++) {
                lanes b;
                memcpy(&b, column[a] + at, sizeof b);
                B[a] += weight * b;
            }
        }
    }
}

void tl_solid_response(const tl_matter *matter, const tl_port *from, const tl_port *to, double C[3][3])
{
    const tl_solid *s = (const tl_solid *)matter;
    const int d = tl_solid_axes(s);
    lanes B[3];
    between(s, &s->rows[from->slot], &s->rows[to->slot], B);
    for (int axis = 0; axis < d; axis++) {
        lanes V = from->axes[axis][0] * B[0] + from->axes[axis][1] * B[1];
        if (d == 3) V += from->axes[axis][2] * B[2];
        for (int i = 0; i < d; i++) {
            C[i][axis] = to->axes[i][0] * V[0] + to->axes[i][1] * V[1];
            if (d == 3) C[i][axis] += to->axes[i][2] * V[2];
        }
    }
}

typedef struct answer_job {
    const tl_solid *s;
    const double *b; /* [dimension × expects] */
} answer_job;

/* M̃⁻¹ b in unknowns of the nodes where contacts are expected, from begin to end: the columns of those that are pushed. */
static void answer_range(void *context, int begin, int end, int worker)
{
    enum { TOGETHER = 4 };
    const answer_job *j = context;
    const int n = tl_solid_axes(j->s) * j->s->expects;
    const double *a[TOGETHER];
    double x[TOGETHER], *out = j->s->answer + begin;
    int count = 0;
    (void)worker;
    memset(out, 0, (size_t)(end - begin) * sizeof *out);
    for (int k = 0; k < n; k++) {
        if (j->b[k] != 0) a[count] = j->s->column[k] + begin, x[count++] = j->b[k];
        if (count == 0 || (count < TOGETHER && k < n - 1)) continue;
        for (; count < TOGETHER; count++) a[count] = a[0], x[count] = 0;
        tl_add_rows(a, x, end - begin, out);
        count = 0;
    }
}

static const double *answer(const tl_solid *s, const double *b)
{
    enum { WORTH = 256 }; /* unknowns: their columns are some tens of microseconds */
    answer_job j = {s, b};
    tl_parallel_for(s->threads, tl_solid_axes(s) * s->expects, WORTH, answer_range, &j);
    return s->answer;
}

void tl_solid_exchange(const tl_matter *matter, const tl_ports *ports, const double (*I)[3], double (*V)[3])
{
    const tl_solid *s = (const tl_solid *)matter;
    const int d = tl_solid_axes(s);
    double *b = s->work;
    memset(b, 0, (size_t)(d * s->expects) * sizeof *b);
    for (int i = 0; i < ports->count; i++) {
        const tl_port *port = &ports->port[i];
        const tl_solid_row *r = &s->rows[port->slot];
        if (!(I[i][0] != 0 || I[i][1] != 0 || I[i][2] != 0)) continue;
        for (int a = 0; a < d; a++) {
            double push = 0;
            for (int axis = 0; axis < d; axis++) push += port->axes[axis][a] * I[i][axis];
            for (int k = 0; k < r->nodes; k++)
                if (!s->is_held[d * r->node[k] + a]) b[d * s->expected_at[r->node[k]] + a] += r->weight[k] * push;
        }
    }
    const double *u = answer(s, b);
    for (int i = 0; i < ports->count; i++) {
        const tl_port *port = &ports->port[i];
        const tl_solid_row *r = &s->rows[port->slot];
        double sum[3] = {0, 0, 0};
        for (int k = 0; k < r->nodes; k++)
            for (int a = 0; a < d; a++) sum[a] += r->weight[k] * u[d * s->expected_at[r->node[k]] + a];
        for (int axis = 0; axis < d; axis++) V[i][axis] = port->axes[axis][0] * sum[0] + port->axes[axis][1] * sum[1] + port->axes[axis][2] * sum[2];
    }
}
