/* Coordinate partitioning (theory §3; D20 §2.5, eq. 19-25): the rates are independent u, dependent v or driven d, and the loops give
 *
 *     J_u v_u + J_v v_v + J_d v_d = 0   ⇒   v = T v_u + P v_d,   T = [1; −J_v⁻¹ J_u; 0],  P = [0; −J_v⁻¹ J_d; 1].
 *
 * Invariant: the equations `kept` (m of them) are independent, J_v of the kept rows and the dependent columns is square, and no dependent
 * rate is many times an independent one. That growth, the largest element of J_v⁻¹ J_u with angles measured as ways at the mechanism's reach,
 * is what a choice is judged by: an exchange of rates i and j multiplies det J_v by the element (i, j), so that the choice of the largest
 * determinant has no element above one, also where the linkage itself is near a branching point and every J_v is badly conditioned. It is
 * infinite at a dead point of a single equation as well, whose J_v is one number and hence always of condition one.
 * Closing a loop moves the dependent coordinates alone; only assembly, which chooses them, moves others. */
#include <float.h>
#include <stdio.h>
#include <string.h>

#include "matter/mechanism_internal.h"

static const double CLOSED = 1e-12;        /* m, rad: Newton's aim                                             */
static const double CLOSED_ENOUGH = 5e-11; /* what rounding may leave, and                                     */
static const double FAR_AWAY = 8;          /* roundings of where the mechanism is, far away from the origin    */
static const double RANK = 1e-9;           /* a pivot this much smaller than the first is a redundant equation */
static const double WORSE = 2;             /* dependent rates that grow beyond this are chosen anew            */
static const double BAD = 10;              /* named ones that grow this much more than the best are near a dead point */
static const double HOPELESS = 1e8;        /* an own choice this much worse than the best is refused           */
static const double DEAD = 30;             /* nor may a motion take it there: energy would be lost in silence  */
static const double GRAZING = 0.005;       /* a branching point that is this share of half a step from mid-step    */
static const double LARGEST_TURN = 0.5;    /* rad: of one iteration while the loops are assembled              */
enum { NEWTON = 60, ASSEMBLY_ITERATIONS = 300, ASSEMBLY_STARTS = 3 };

/* NaN counts as infinite. */
static const loop *worst_loop(const tl_mechanism *m, const double *h, double *error)
{
    const loop *worst = &m->loops[0];
    *error = 0;
    for (int i = 0; i < m->loop_count; i++)
        for (int k = 0; k < m->loops[i].rows; k++) {
            const double e = fabs(h[m->loops[i].first_row + k]), size = isfinite(e) ? e : (double)INFINITY;
            if (size > *error) *error = size, worst = &m->loops[i];
        }
    return worst;
}

static const loop *loop_of_row(const tl_mechanism *m, int row)
{
    int i = 0;
    while (i < m->loop_count - 1 && row >= m->loops[i].first_row + m->loops[i].rows) i++;
    return &m->loops[i];
}

static double closed_enough(const kinematics *kin) { return fmax(CLOSED_ENOUGH, FAR_AWAY * DBL_EPSILON * tl_norm(kin->about)); }

static double violation(tl_mechanism *m, const double *q, kinematics *kin)
{
    double size;
    tl_tree_place(m, q, kin);
    tl_loop_values(m, kin, q, m->h);
    (void)worst_loop(m, m->h, &size);
    return size;
}

void tl_partition_set_roles(tl_mechanism *m, const int32_t *roles)
{
    m->nu = m->nd = 0;
    int dependent = 0;
    m->matter.new_rates = false;
    for (int i = 0; i < m->n; i++) {
        m->matter.new_rates = m->matter.new_rates || m->role[i] != roles[i];
        m->role[i] = roles[i];
        if (roles[i] == ROLE_INDEPENDENT) m->u[m->nu++] = i;
        else if (roles[i] == ROLE_DRIVEN) m->d[m->nd++] = i;
        else m->dep[dependent++] = i;
    }
    m->matter.nv = m->nu;
}

/* ---- the choice --------------------------------------------------------------------------------------------------- */

/* Gauss elimination with full pivoting of J over some columns: rank, and rows and columns in order of their pivots. */
static int eliminate(const tl_mechanism *m, double *J, int *row_order, int *column_order, int columns)
{
    int rank = 0;
    double first = 0;
    for (int i = 0; i < m->rows; i++) row_order[i] = i;
    for (; rank < m->rows && rank < columns; rank++) {
        int r = rank, c = rank;
        for (int i = rank; i < m->rows; i++)
            for (int j = rank; j < columns; j++) /* by a clear margin only: the choice must not hang on rounding */
                if (fabs(J[row_order[i] * m->n + column_order[j]]) > (1 + 1e-9) * fabs(J[row_order[r] * m->n + column_order[c]])) r = i, c = j;
        const double pivot = J[row_order[r] * m->n + column_order[c]];
        if (rank == 0) first = fabs(pivot);
        if (!(fabs(pivot) > RANK * first) || !(first > 0)) break;
        const int row = row_order[r], column = column_order[c];
        row_order[r] = row_order[rank], row_order[rank] = row;
        column_order[c] = column_order[rank], column_order[rank] = column;
        for (int i = rank + 1; i < m->rows; i++) {
            const double factor = J[row_order[i] * m->n + column] / pivot;
            for (int j = 0; factor != 0 && j < m->n; j++) J[row_order[i] * m->n + j] -= factor * J[row * m->n + j];
        }
    }
    return rank;
}

/* The pivoted columns become dependent. Overwrites J. */
static int choose(tl_mechanism *m, const kinematics *kin, int32_t *roles)
{
    int columns = 0;
    for (int j = 0; j < m->n; j++)
        if (m->role[j] != ROLE_DRIVEN) m->column_order[columns++] = j;
    tl_loop_jacobian(m, kin, m->J);
    for (int j = 0; j < m->n; j++)
        for (int i = 0; i < m->rows; i++) m->J[i * m->n + j] /= tl_rate_length(m, j);
    const int rank = eliminate(m, m->J, m->row_order, m->column_order, columns);
    for (int i = 0; i < m->n; i++) roles[i] = m->role[i] == ROLE_DRIVEN ? ROLE_DRIVEN : ROLE_INDEPENDENT;
    for (int i = 0; i < rank; i++) roles[m->column_order[i]] = ROLE_DEPENDENT;
    return rank;
}

/* The largest rate of a dependent coordinate for an independent rate of one, both measured as ways. Overwrites J and J_v. */
static double growth(tl_mechanism *m, const kinematics *kin, const int32_t *roles)
{
    int column = 0;
    double largest = 0;
    tl_loop_jacobian(m, kin, m->J);
    for (int j = 0; j < m->n; j++) {
        if (roles[j] != ROLE_DEPENDENT) continue;
        for (int i = 0; i < m->m; i++) m->Jv[i * m->m + column] = m->J[m->kept[i] * m->n + j];
        m->column_order[column++] = j;
    }
    if (column != m->m || !tl_lu(m->Jv, m->m, m->pivot)) return (double)INFINITY;
    for (int j = 0; j < m->n; j++) {
        if (roles[j] != ROLE_INDEPENDENT) continue;
        for (int i = 0; i < m->m; i++) m->work[i] = m->J[m->kept[i] * m->n + j];
        tl_lu_solve(m->Jv, m->pivot, m->m, m->work);
        for (int i = 0; i < m->m; i++) largest = fmax(largest, fabs(m->work[i]) * tl_rate_length(m, m->column_order[i]) / tl_rate_length(m, j));
    }
    return largest;
}

/* The same of the present roles, where T has been factored. */
static double growth_of_T(const tl_mechanism *m)
{
    double largest = 0;
    for (int i = 0; i < m->m; i++)
        for (int j = 0; j < m->nu; j++) largest = fmax(largest, fabs(m->T[m->dep[i] * m->nu + j]) * tl_rate_length(m, m->dep[i]) / tl_rate_length(m, m->u[j]));
    return largest;
}

/* How many times more rates grow, with the present roles by `own`, than with the best ones here, which are left in `best`. Overwrites J and J_v. */
static double disadvantage(tl_mechanism *m, const kinematics *kin, double own, int32_t *best)
{
    return choose(m, kin, best) == m->m ? own / fmax(1, growth(m, kin, best)) : 1;
}

/* Where the rates will have taken the mechanism after a time. */
static const kinematics *ahead(tl_mechanism *m, const double *q, const double *v, double time)
{
    memcpy(m->q_try, q, (size_t)m->nq * sizeof *q);
    for (int i = 0; i < m->n; i++) m->dv[i] = time * v[i];
    tl_tree_move(m, m->q_try, m->dv);
    tl_tree_place(m, m->q_try, &m->ahead);
    return &m->ahead;
}

/* A step may turn a crank by more than what separates a good choice from a dead point, hence the look ahead. */
void tl_partition_rechoose(tl_mechanism *m, const double *q, const double *v, double h)
{
    memcpy(m->role_next, m->role, (size_t)m->n * sizeof *m->role);
    if (m->own_choice || m->m == 0 || m->nu == 0) return;
    const double here = growth_of_T(m), there = growth(m, ahead(m, q, v, h), m->role);
    if (!(fmax(here, there) > WORSE)) return;
    const kinematics *midway = ahead(m, q, v, 0.5 * h);
    const bool better = choose(m, midway, m->role_next) == m->m && growth(m, midway, m->role_next) < fmax(here, there) / WORSE;
    if (!better) memcpy(m->role_next, m->role, (size_t)m->n * sizeof *m->role);
}

/* The user's dependent coordinates do not serve here: says which loop suffers and which ones would serve. */
static talus_status fail_choice(tl_mechanism *m, const kinematics *kin, talus_status status, tl_error *error)
{
    char advice[320] = "";
    size_t length = 0;
    (void)choose(m, kin, m->role_next);
    for (int i = 0; i < m->joint_count; i++)
        for (int k = 0; k < m->joints[i].nv; k++) {
            if (m->role_next[m->joints[i].iv + k] != ROLE_DEPENDENT || length + 1 >= sizeof advice) continue;
            const char *comma = length ? ", " : "";
            length +=
                (size_t)snprintf(advice + length, sizeof advice - length, m->joints[i].nv > 1 ? "%s%s coordinate %d" : "%s%s", comma, m->joints[i].name, k + 1);
        }
    /* the last row that the user's columns determine belongs to the loop that suffers */
    int columns = 0;
    for (int j = 0; j < m->n; j++)
        if (m->role[j] == ROLE_DEPENDENT) m->column_order[columns++] = j;
    tl_loop_jacobian(m, kin, m->J);
    const int rank = eliminate(m, m->J, m->row_order, m->column_order, columns);
    const loop *l = loop_of_row(m, m->row_order[rank < columns ? rank : columns - 1]);
    memcpy(m->role_next, m->role, (size_t)m->n * sizeof *m->role);
    return tl_fail(error, status, "mechanism '%s': the named dependent coordinates do not follow from loop '%s' here; name others (here: %s), or none", m->name,
                   l->name, advice);
}

/* ---- closing loops ------------------------------------------------------------------------------------------------ */

bool tl_partition_factor_dependent(tl_mechanism *m, const kinematics *kin)
{
    tl_loop_jacobian(m, kin, m->J);
    for (int i = 0; i < m->m; i++)
        for (int j = 0; j < m->m; j++) m->Jv[i * m->m + j] = m->J[m->kept[i] * m->n + m->dep[j]];
    return tl_lu(m->Jv, m->m, m->pivot);
}

static bool newton(tl_mechanism *m, double *q, kinematics *kin)
{
    double before = (double)INFINITY;
    for (int i = 0; i < NEWTON; i++) {
        const double size = violation(m, q, kin);
        if (size <= CLOSED || (size <= closed_enough(kin) && size >= 0.5 * before)) return true;
        if (!isfinite(size) || !tl_partition_factor_dependent(m, kin)) return false;
        before = size;
        for (int k = 0; k < m->m; k++) m->work[k] = -m->h[m->kept[k]];
        tl_lu_solve(m->Jv, m->pivot, m->m, m->work);
        memset(m->dv, 0, (size_t)m->n * sizeof *m->dv);
        for (int k = 0; k < m->m; k++) m->dv[m->dep[k]] = m->work[k];
        tl_tree_move(m, q, m->dv);
    }
    const double size = violation(m, q, kin);
    return size <= closed_enough(kin);
}

talus_status tl_partition_close(tl_mechanism *m, double *q, kinematics *kin, const char *when, tl_error *error)
{
    if (m->rows == 0) {
        tl_tree_place(m, q, kin);
        return TALUS_OK;
    }
    if (newton(m, q, kin)) return TALUS_OK;
    double size;
    const loop *worst = worst_loop(m, m->h, &size);
    if (m->assembled && m->own_choice && disadvantage(m, &m->now, growth(m, &m->now, m->role), m->role_next) > BAD)
        return fail_choice(m, &m->now, TALUS_SINGULAR, error);
    return tl_fail(error, TALUS_ASSEMBLY, "mechanism '%s': loop '%s' does not close %s: %.3g m (or rad) remain; %s", m->name, worst->name, when, size,
                   m->nd > 0 ? "can the linkage reach the position that its drive asks for? Else try a smaller step"
                             : "try a smaller step, or other dependent coordinates");
}

/* Sign of det J_v, from its factors. */
static int side_of(const tl_mechanism *m)
{
    bool negative = false;
    for (int i = 0; i < m->m; i++) negative ^= (m->Jv[i * m->m + i] < 0) ^ (m->pivot[i] != i);
    return negative ? -1 : 1;
}

/* Natural logarithm of |det J_v|, from its factors. */
static double size_of(const tl_mechanism *m)
{
    double sum = 0;
    for (int i = 0; i < m->m; i++) sum += log(fabs(m->Jv[i * m->m + i]));
    return sum;
}

/* det J_v goes through zero there. At that point itself T is the ratio of numbers that vanish together; beside it, what the closing of the loops has moved
 * q_m by, of second order, over the distance, is an error of the rates. Hence a step begins aside if it may. */
bool tl_partition_grazes(tl_mechanism *m)
{
    if (m->m == 0 || m->nu == 0) return false;
    if (!tl_partition_factor_dependent(m, &m->now)) return false;
    const double before = size_of(m);
    const int side = side_of(m);
    if (!tl_partition_factor_dependent(m, &m->mid)) return true;
    const double ratio = (side == side_of(m) ? 1 : -1) * exp(size_of(m) - before);
    return fabs(ratio) < GRAZING * fabs(1 - ratio);
}

talus_status tl_partition_factor(tl_mechanism *m, const kinematics *kin, tl_error *error)
{
    const int n = m->n, nu = m->nu, nd = m->nd;
    memset(m->T, 0, (size_t)(n * nu) * sizeof *m->T);
    memset(m->P, 0, (size_t)(n * nd) * sizeof *m->P);
    for (int j = 0; j < nu; j++) m->T[m->u[j] * nu + j] = 1;
    for (int j = 0; j < nd; j++) m->P[m->d[j] * nd + j] = 1;
    if (m->m == 0) return TALUS_OK;
    if (!tl_partition_factor_dependent(m, kin)) {
        if (m->own_choice) return fail_choice(m, kin, TALUS_SINGULAR, error);
        return tl_fail(error, TALUS_SINGULAR, "mechanism '%s': at a dead point of its loops (loop '%s') the motion is not determined; begin elsewhere", m->name,
                       loop_of_row(m, m->kept[m->m - 1])->name);
    }
    m->side_next = side_of(m);
    for (int j = 0; j < nu + nd; j++) {
        const int column = j < nu ? m->u[j] : m->d[j - nu];
        for (int i = 0; i < m->m; i++) m->work[i] = -m->J[m->kept[i] * n + column];
        tl_lu_solve(m->Jv, m->pivot, m->m, m->work);
        for (int i = 0; i < m->m; i++) {
            if (j < nu) m->T[m->dep[i] * nu + j] = m->work[i];
            else m->P[m->dep[i] * nd + (j - nu)] = m->work[i];
        }
    }
    return TALUS_OK;
}

/* det J_v keeps its sign along a motion, until the partition turns singular: a change means that a dead point of the named
 * coordinates was jumped over. So does a conditioning that doubles within a step while it is bad already: the last steps before one.
 * Where no coordinates would be better, the linkage itself is at a branching point, and passing it is not the user's fault. */
talus_status tl_partition_watch(tl_mechanism *m, const kinematics *kin, tl_error *error)
{
    if (!m->own_choice || m->m == 0) return TALUS_OK;
    const bool jumped = m->side_next != m->side;
    const double here = disadvantage(m, kin, growth_of_T(m), m->role_next);
    bool dead = here > DEAD;
    if (!dead && (jumped || here > BAD)) {
        const double before = disadvantage(m, &m->now, growth(m, &m->now, m->role), m->role_next);
        dead = (here > BAD && here > 2 * before) || (jumped && fmax(here, before) > BAD);
    }
    memcpy(m->role_next, m->role, (size_t)m->n * sizeof *m->role);
    return dead ? fail_choice(m, kin, TALUS_SINGULAR, error) : TALUS_OK;
}

/* ---- assembly ----------------------------------------------------------------------------------------------------- */

/* (J Jᵀ + λ) y = −h over the columns that are not driven, dq = Jᵀ y: of all corrections the least, also where equations are redundant. */
static bool least_correction(tl_mechanism *m, const kinematics *kin, double damping)
{
    double trace = 0, turn = 0;
    const int r = m->rows, n = m->n;
    tl_loop_jacobian(m, kin, m->J);
    for (int j = 0; j < n; j++)
        for (int i = 0; m->role[j] == ROLE_DRIVEN && i < r; i++) m->J[i * n + j] = 0;
    for (int i = 0; i < r; i++)
        for (int k = 0; k < r; k++) {
            double sum = 0;
            for (int j = 0; j < n; j++) sum += m->J[i * n + j] * m->J[k * n + j];
            m->Jv[i * r + k] = sum;
            if (i == k) trace += sum;
        }
    for (int i = 0; i < r; i++) m->Jv[i * r + i] += damping * trace / r, m->work[i] = -m->h[i];
    if (tl_cholesky(m->Jv, r) < r) return false;
    tl_cholesky_solve(m->Jv, r, m->work);
    for (int j = 0; j < n; j++) {
        m->dv[j] = 0;
        for (int i = 0; i < r; i++) m->dv[j] += m->J[i * n + j] * m->work[i];
    }
    for (int i = 0; i < m->node_count; i++)
        for (int j = m->nodes[i].iv; m->nodes[i].kind != NODE_PRISMATIC && j < m->nodes[i].iv + m->nodes[i].nv; j++) turn = fmax(turn, fabs(m->dv[j]));
    for (int j = 0; turn > LARGEST_TURN && j < n; j++) m->dv[j] *= LARGEST_TURN / turn;
    return true;
}

static double sum_of_squares(const double *x, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * x[i];
    return sum;
}

/* Levenberg–Marquardt from q, over all coordinates that are not driven: stays near the given ones, closes redundant loops too. */
static double close_freely(tl_mechanism *m, double *q, kinematics *kin)
{
    double damping = 1e-3, size = violation(m, q, kin);
    for (int i = 0; i < ASSEMBLY_ITERATIONS && size > CLOSED && damping < 1e6; i++) {
        const double before = sum_of_squares(m->h, m->rows);
        memcpy(m->q_try, q, (size_t)m->nq * sizeof *q);
        bool better = false;
        if (least_correction(m, kin, damping)) {
            tl_tree_move(m, m->q_try, m->dv);
            size = violation(m, m->q_try, kin);
            better = sum_of_squares(m->h, m->rows) < before;
        }
        if (better) memcpy(q, m->q_try, (size_t)m->nq * sizeof *q);
        else size = violation(m, q, kin);
        damping = better ? fmax(0.1 * damping, 1e-13) : 8 * damping;
    }
    return size;
}

/* A loop that is stretched out at the start gives the iteration no direction: then begin a little aside. */
static bool assemble_loops(tl_mechanism *m)
{
    for (int start = 0; start < ASSEMBLY_STARTS; start++) {
        memcpy(m->q_m, m->q, (size_t)m->nq * sizeof *m->q);
        for (int i = 0; i < m->n; i++) m->dv[i] = m->role[i] == ROLE_DRIVEN ? 0 : start * 0.05 * (i % 2 ? -1 : 1) * (1 + 0.3 * (i % 5));
        if (start > 0) tl_tree_move(m, m->q_m, m->dv);
        const double off = close_freely(m, m->q_m, &m->mid);
        if (off <= closed_enough(&m->mid)) return true;
    }
    memcpy(m->q_m, m->q, (size_t)m->nq * sizeof *m->q);
    (void)close_freely(m, m->q_m, &m->mid); /* for the message */
    return false;
}

/* Rank of J here, and a little way along the motion: a dead point is not a redundant loop. Leaves rows and columns in order. */
static int generic_rank(tl_mechanism *m)
{
    const int rank = choose(m, &m->mid, m->role_next);
    memcpy(m->q_next, m->q_m, (size_t)m->nq * sizeof *m->q);
    memset(m->dv, 0, (size_t)m->n * sizeof *m->dv);
    for (int i = 0; i < m->n; i++)
        if (m->role_next[i] == ROLE_INDEPENDENT) m->dv[i] = 1e-3 * (1 + 0.1 * (i % 7));
    tl_tree_move(m, m->q_next, m->dv);
    const double off = close_freely(m, m->q_next, &m->next);
    const int nearby = off <= closed_enough(&m->next) ? choose(m, &m->next, m->role_next) : 0;
    return nearby > rank ? nearby : choose(m, &m->mid, m->role_next);
}

static bool is_dropped(const tl_mechanism *m, int row)
{
    for (int i = m->m; i < m->rows; i++)
        if (m->row_order[i] == row) return true;
    return false;
}

static talus_status add_warning(tl_mechanism *m, const char *text, tl_error *error)
{
    const size_t length = strlen(text), old = m->warnings ? strlen(m->warnings) : 0;
    char *joined = tl_alloc(m->matter.memory, old + length + 1, 1);
    if (!joined) return tl_fail(error, TALUS_MEMORY, "no memory for mechanism '%s'", m->name);
    if (old) memcpy(joined, m->warnings, old);
    memcpy(joined + old, text, length);
    tl_free(m->matter.memory, m->warnings);
    m->warnings = joined;
    return TALUS_OK;
}

/* A line a loop: "mechanism 'm': equations 3, 4, 5 of loop 'L' are redundant and dropped". */
static talus_status warn_redundant(tl_mechanism *m, tl_error *error)
{
    for (int k = 0; k < m->loop_count; k++) {
        const loop *l = &m->loops[k];
        char list[128] = "", text[512];
        int count = 0;
        for (int i = 0; i < l->rows; i++)
            if (is_dropped(m, l->first_row + i)) (void)snprintf(list + strlen(list), sizeof list - strlen(list), "%s%d", count++ ? ", " : "", i + 1);
        if (count == 0) continue;
        (void)snprintf(text, sizeof text, "mechanism '%s': equation%s %s of loop '%s' %s redundant and dropped\n", m->name, count > 1 ? "s" : "", list, l->name,
                       count > 1 ? "are" : "is");
        TL_TRY(add_warning(m, text, error));
    }
    return TALUS_OK;
}

static talus_status own_roles(tl_mechanism *m, int32_t *roles, tl_error *error)
{
    if (m->chosen_count != m->m)
        return tl_fail(error, TALUS_INPUT, "mechanism '%s': %d dependent coordinates are named, its loops have %d independent equations", m->name,
                       m->chosen_count, m->m);
    for (int i = 0; i < m->n; i++) roles[i] = m->role[i] == ROLE_DRIVEN ? ROLE_DRIVEN : ROLE_INDEPENDENT;
    for (int i = 0; i < m->chosen_count; i++) {
        const joint *j = &m->joints[m->chosen[i][0]];
        int32_t *own = &roles[j->iv + m->chosen[i][1]];
        if (*own != ROLE_INDEPENDENT)
            return tl_fail(error, TALUS_INPUT, "mechanism '%s': joint '%s' is named dependent but is %s", m->name, j->name,
                           *own == ROLE_DRIVEN ? "driven" : "named twice");
        *own = ROLE_DEPENDENT;
    }
    return TALUS_OK;
}

/* The independent coordinates keep the values that the user gave. */
static void restore_independent(const tl_mechanism *m, double *q)
{
    for (int i = 0; i < m->node_count; i++) {
        const node *k = &m->nodes[i];
        bool own = k->nv > 0;
        for (int j = k->iv; j < k->iv + k->nv; j++) own = own && m->role[j] == ROLE_INDEPENDENT;
        if (own) memcpy(&q[k->iq], &m->q[k->iq], (k->kind == NODE_BALL ? 4 : 1) * sizeof *q);
    }
}

/* The longest arm that a loop's point has about the nodes that carry it. */
static double reach_of_loops(const tl_mechanism *m, const kinematics *kin)
{
    double longest = 0;
    for (int i = 0; i < m->loop_count; i++) {
        int ends[2];
        talus_connection c;
        const bool has_points = tl_mechanism_loop_connection(m, i, ends, &c);
        for (int side = 0; has_points && side < 2; side++) {
            const tl_vec3 x = tl_tree_point(kin, ends[side], tl_load3(c.point[side]));
            for (int k = tl_tree_node_of(m, ends[side]); k >= 0; k = m->nodes[k].parent) longest = fmax(longest, tl_norm(tl_sub(x, kin->frame[k].p)));
        }
    }
    return longest > 0 ? longest : 1;
}

talus_status tl_partition_assemble(tl_mechanism *m, tl_error *error)
{
    m->own_choice = m->chosen_count > 0;
    if (m->rows == 0) {
        if (m->own_choice) return tl_fail(error, TALUS_INPUT, "mechanism '%s' has no loops, so no coordinate depends on others", m->name);
        tl_partition_set_roles(m, m->role);
        tl_tree_place(m, m->q, &m->mid);
        return TALUS_OK;
    }
    if (!assemble_loops(m)) {
        double size;
        const loop *worst = worst_loop(m, m->h, &size);
        return tl_fail(error, TALUS_ASSEMBLY,
                       "mechanism '%s': loop '%s' cannot be closed: %.3g m (or rad) remain; check its points and lengths, and begin nearer to the "
                       "assembled position",
                       m->name, worst->name, size);
    }
    m->reach = reach_of_loops(m, &m->mid);
    m->m = generic_rank(m);
    for (int i = 0; i < m->m; i++) m->kept[i] = m->row_order[i];
    TL_TRY(warn_redundant(m, error));
    if (m->own_choice) TL_TRY(own_roles(m, m->role_next, error));
    tl_partition_set_roles(m, m->role_next);
    if (m->own_choice && disadvantage(m, &m->mid, growth(m, &m->mid, m->role), m->role_next) > HOPELESS) return fail_choice(m, &m->mid, TALUS_INPUT, error);
    memcpy(m->q_next, m->q_m, (size_t)m->nq * sizeof *m->q);
    restore_independent(m, m->q_next);
    if (!newton(m, m->q_next, &m->mid)) {
        memcpy(m->q_next, m->q_m, (size_t)m->nq * sizeof *m->q);
        (void)violation(m, m->q_next, &m->mid);
    }
    memcpy(m->q, m->q_next, (size_t)m->nq * sizeof *m->q);
    return TALUS_OK;
}
