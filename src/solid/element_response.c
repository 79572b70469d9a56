/* Forces, stiffness and mass of one element (element_response.h). */
#include "solid/element_response.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/math.h"

enum { N = TL_ELEMENT_UNKNOWNS, MODES = TL_ENHANCED_MODES, POINTS = 8 };

/* What strain is made of at a point: ε = B u + E α. */
typedef struct point_strain {
    double B[6][N], E[6][MODES];
    double volume; /* [m³] of the point */
} point_strain;

typedef struct element_strain {
    int unknowns, modes;
    point_strain point[POINTS];
} element_strain;

int tl_element_states(const tl_element *e)
{
    if (e->turns && e->material->kind->states == 0) return 0;
    return e->kind->points * e->material->kind->states + (e->strain == TALUS_STRAIN_ENHANCED ? e->kind->modes : 0);
}

/* Rows of x, y, z of a node whose shape function has the gradient g. */
static void strain_of_node(const double g[3], int dimension, int column, double (*B)[N])
{
    static const int AXES[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {0, 2}};
    for (int row = 0; row < 6; row++) {
        const int i = AXES[row][0], k = AXES[row][1];
        for (int axis = 0; axis < dimension; axis++) B[row][column + axis] = (axis == i ? g[k] : 0) + (axis == k && i != k ? g[i] : 0);
    }
}

/* dξ/dx; returns the volume over that in ξ, 0 of an element that is inside out there. */
static double inverse_jacobian(const tl_element *e, const double (*x)[3], const double (*dN)[3], double inverse[3][3])
{
    double J[3][3];
    const double det = tl_element_jacobian(e->kind, x, dN, J);
    if (!(det > 0)) return 0;
    if (e->kind->dimension == 2) J[2][2] = 1;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            const int a = (k + 1) % 3, b = (k + 2) % 3, c = (i + 1) % 3, d = (i + 2) % 3;
            inverse[i][k] = (J[a][c] * J[b][d] - J[a][d] * J[b][c]) / det;
        }
    return det * (e->kind->dimension == 2 ? e->thickness : 1);
}

/* dN/dx of all nodes; returns the volume over that in ξ. */
static double gradients(const tl_element *e, const double (*x)[3], const double xi[3], double (*g)[3])
{
    double dN[TL_ELEMENT_NODES][3] = {{0}}, inverse[3][3] = {{0}};
    e->kind->slope(xi, dN);
    const double volume = inverse_jacobian(e, x, (const double(*)[3])dN, inverse);
    if (!(volume > 0)) return 0;
    for (int n = 0; n < e->kind->nodes; n++)
        for (int k = 0; k < 3; k++) {
            g[n][k] = 0;
            for (int i = 0; i < e->kind->dimension; i++) g[n][k] += dN[n][i] * inverse[i][k];
        }
    return volume;
}

/* The element's mean gradients take the place of a point's in the change of volume. */
static void mean_volume(element_strain *s, int points)
{
    double mean[N] = {0}, volume = 0;
    for (int p = 0; p < points; p++) {
        const point_strain *at = &s->point[p];
        for (int c = 0; c < s->unknowns; c++) mean[c] += at->volume * (at->B[0][c] + at->B[1][c] + at->B[2][c]);
        volume += at->volume;
    }
    for (int p = 0; p < points; p++)
        for (int c = 0; c < s->unknowns; c++) {
            double(*B)[N] = s->point[p].B;
            const double more = (mean[c] / volume - (B[0][c] + B[1][c] + B[2][c])) / 3;
            for (int row = 0; row < 3; row++) B[row][c] += more;
        }
}

/* ε̃ = (j₀/j) J₀⁻ᵀ E(ξ) J₀⁻¹, with the Jacobian at the middle of the element: what is left of the patch test. */
static bool enhanced(const tl_element *e, const double (*x)[3], element_strain *s)
{
    static const double MIDDLE[3] = {0, 0, 0};
    double dN[TL_ELEMENT_NODES][3] = {{0}}, inverse[3][3] = {{0}};
    e->kind->slope(MIDDLE, dN);
    const double whole = inverse_jacobian(e, x, (const double(*)[3])dN, inverse);
    if (!(whole > 0)) return false;
    for (int p = 0; p < e->kind->points; p++) {
        const tl_quadrature_point *at = &e->kind->point[p];
        const double share = whole * at->weight / s->point[p].volume;
        for (int m = 0; m < e->kind->modes; m++) {
            const tl_enhanced_mode *mode = &e->kind->mode[m];
            const double value = share * at->xi[mode->along], *k = inverse[mode->row], *l = inverse[mode->column];
            double(*E)[MODES] = s->point[p].E;
            for (int i = 0; i < 3; i++) E[i][m] = value * k[i] * l[i];
            E[3][m] = value * (k[0] * l[1] + k[1] * l[0]);
            E[4][m] = value * (k[1] * l[2] + k[2] * l[1]);
            E[5][m] = value * (k[0] * l[2] + k[2] * l[0]);
        }
    }
    s->modes = e->kind->modes;
    return true;
}

static bool strains(const tl_element *e, const double (*x)[3], element_strain *s)
{
    const tl_element_kind *kind = e->kind;
    s->unknowns = kind->dimension * kind->nodes;
    s->modes = 0;
    for (int p = 0; p < kind->points; p++) {
        double g[TL_ELEMENT_NODES][3] = {{0}};
        const double volume = gradients(e, x, kind->point[p].xi, g);
        if (!(volume > 0)) return false;
        s->point[p].volume = volume * kind->point[p].weight;
        for (int n = 0; n < kind->nodes; n++) strain_of_node(g[n], kind->dimension, kind->dimension * n, s->point[p].B);
    }
    if (e->strain == TALUS_STRAIN_MEAN_VOLUME) mean_volume(s, kind->points);
    return e->strain != TALUS_STRAIN_ENHANCED || enhanced(e, x, s);
}

static void strain_at(const element_strain *s, const point_strain *at, const double *u, const double *modes, double strain[6])
{
    for (int row = 0; row < 6; row++) {
        strain[row] = 0;
        for (int c = 0; c < s->unknowns; c++) strain[row] += at->B[row][c] * u[c];
        for (int m = 0; m < s->modes; m++) strain[row] += at->E[row][m] * modes[m];
    }
}

static bool stress_at(const tl_element *e, double strain[6], tl_element_history h, double stress[6], double (*D)[6])
{
    const tl_material *material = e->material;
    if (e->plane_stress && e->kind->dimension == 2) return tl_plane_stress(material, strain, h.before, h.after, stress, D);
    return material->kind->stress(material->parameter, strain, h.before, h.after, stress, D);
}

/* One u and one choice of modes. */
typedef struct trial {
    const element_strain *strain;
    const double *u;
    double modes[MODES];
    tl_element_history history;
} trial;

/* Sums over the points of an element at a trial. */
typedef struct element_sums {
    double f[N], r[MODES], work[MODES]; /* forces; what stress does on the modes, and the size of its parts */
    double rounding[MODES];             /* of that, where strain that is elastic is a small part of all strain */
    double uu[N][N], um[N][MODES], mu[MODES][N], mm[MODES][MODES];
} element_sums;

/* Forces of a point, and what its stress does on the modes; `noise`: stress of strains that the rounding of its strain may hide. */
static void add_forces(const element_strain *s, const point_strain *at, const double stress[6], double noise, element_sums *sums)
{
    for (int i = 0; i < 6; i++) {
        for (int a = 0; a < s->unknowns; a++) sums->f[a] += at->volume * at->B[i][a] * stress[i];
        for (int a = 0; a < s->modes; a++) {
            const double work = at->volume * at->E[i][a] * stress[i];
            sums->r[a] += work;
            sums->work[a] += fabs(work);
            sums->rounding[a] += at->volume * fabs(at->E[i][a]) * noise;
        }
    }
}

/* How these change with the modes, D being the tangent there; by displacements, too, where the stiffness is `wanted`. */
static void add_slopes(const element_strain *s, const point_strain *at, double (*D)[6], bool wanted, element_sums *sums)
{
    const int n = wanted ? s->unknowns : 0;
    double DB[6][N], DE[6][MODES];
    for (int i = 0; i < 6; i++) {
        for (int c = 0; c < n; c++) {
            DB[i][c] = 0;
            for (int k = 0; k < 6; k++) DB[i][c] += D[i][k] * at->B[k][c];
        }
        for (int m = 0; m < s->modes; m++) {
            DE[i][m] = 0;
            for (int k = 0; k < 6; k++) DE[i][m] += D[i][k] * at->E[k][m];
        }
    }
    for (int i = 0; i < 6; i++) {
        for (int a = 0; a < n; a++) {
            const double B = at->volume * at->B[i][a];
            for (int b = 0; b < n; b++) sums->uu[a][b] += B * DB[i][b];
            for (int m = 0; m < s->modes; m++) sums->um[a][m] += B * DE[i][m];
        }
        for (int a = 0; a < s->modes; a++) {
            const double E = at->volume * at->E[i][a];
            for (int b = 0; b < n; b++) sums->mu[a][b] += E * DB[i][b];
            for (int m = 0; m < s->modes; m++) sums->mm[a][m] += E * DE[i][m];
        }
    }
}

static double noise_of(const tl_element *e, const double strain[6])
{
    const double *p = e->material->parameter;
    double most = 0;
    for (int i = 0; i < 6; i++) most = fmax(most, fabs(strain[i]));
    return 4 * DBL_EPSILON * most * (tl_lame(p[0], p[1]) + 2 * tl_shear_modulus(p[0], p[1]));
}

/* Forces alone are had at a small part of the price of the stiffness, which is in the sums if it is `wanted`. */
static bool sum_points(const tl_element *e, const trial *at, bool wanted, element_sums *sums)
{
    const int states = e->material->kind->states;
    const bool slopes = wanted || at->strain->modes > 0;
    memset(sums, 0, sizeof *sums);
    for (int p = 0; p < e->kind->points; p++) {
        const point_strain *point = &at->strain->point[p];
        const tl_element_history *h = &at->history, own = {h->before ? h->before + p * states : NULL, h->after ? h->after + p * states : NULL};
        double strain[6], stress[6], D[6][6];
        strain_at(at->strain, point, at->u, at->modes, strain);
        if (!stress_at(e, strain, own, stress, slopes ? D : NULL)) return false;
        add_forces(at->strain, point, stress, noise_of(e, strain), sums);
        if (slopes) add_slopes(at->strain, point, D, wanted, sums);
    }
    return true;
}

static bool modes_at_rest(const element_sums *sums, int modes)
{
    double left = 0, size = 0;
    for (int m = 0; m < modes; m++) left = fmax(left, fabs(sums->r[m]) - sums->rounding[m]), size = fmax(size, sums->work[m]);
    return left <= 1e-12 * size;
}

/* The modes on which stress does no work, by Newton's method from those before. */
static bool find_modes(const tl_element *e, trial *at, bool wanted, element_sums *sums)
{
    enum { MOST = 30 };
    const int modes = at->strain->modes;
    for (int pass = 0; pass < MOST; pass++) {
        if (!sum_points(e, at, wanted, sums)) return false;
        if (modes_at_rest(sums, modes)) return true;
        double A[MODES * MODES], step[MODES];
        int pivot[MODES];
        for (int a = 0; a < modes; a++) {
            step[a] = sums->r[a];
            for (int b = 0; b < modes; b++) A[a * modes + b] = sums->mm[a][b];
        }
        if (!tl_lu(A, modes, pivot)) return false;
        tl_lu_solve(A, pivot, modes, step);
        for (int m = 0; m < modes; m++) at->modes[m] -= step[m];
    }
    return false;
}

/* K = K_uu − K_um K_mm⁻¹ K_mu */
static bool eliminate(const element_strain *s, element_sums *sums)
{
    const int modes = s->modes, n = s->unknowns;
    double A[MODES * MODES], column[MODES];
    int pivot[MODES];
    if (modes == 0) return true;
    for (int a = 0; a < modes; a++)
        for (int b = 0; b < modes; b++) A[a * modes + b] = sums->mm[a][b];
    if (!tl_lu(A, modes, pivot)) return false;
    for (int b = 0; b < n; b++) {
        for (int m = 0; m < modes; m++) column[m] = sums->mu[m][b];
        tl_lu_solve(A, pivot, modes, column);
        for (int a = 0; a < n; a++)
            for (int m = 0; m < modes; m++) sums->uu[a][b] -= sums->um[a][m] * column[m];
    }
    return true;
}

/* In the axes in which u is given. */
static bool respond(const tl_element *e, const double (*x)[3], const double *u, tl_element_history history, double *f, double *K)
{
    const int states = e->kind->points * e->material->kind->states;
    element_strain s = {0};
    trial at = {.strain = &s, .u = u, .history = history};
    element_sums sums;
    if (!strains(e, x, &s)) return false;
    for (int m = 0; m < s.modes && history.before; m++) at.modes[m] = history.before[states + m];
    if (!find_modes(e, &at, K != NULL, &sums)) return false;
    for (int m = 0; m < s.modes && history.after; m++) history.after[states + m] = at.modes[m];
    for (int a = 0; a < s.unknowns && f; a++) f[a] = sums.f[a];
    if (!K) return true;
    if (!eliminate(&s, &sums)) return false;
    for (int a = 0; a < s.unknowns; a++)
        for (int b = 0; b < s.unknowns; b++) K[a * s.unknowns + b] = sums.uu[a][b];
    return true;
}

/* ---- elements that turn ----------------------------------------------------------------------------------------------------------- */

tl_element_size tl_element_measure(const tl_element *e, const double (*x)[3], const double *u)
{
    double middle[3] = {0, 0, 0}, g[TL_ELEMENT_NODES][3], slope[3][3] = {{0}}, squares = 0;
    const int nodes = e->kind->nodes, d = e->kind->dimension == 2 ? 2 : 3;
    for (int k = 0; k < nodes; k++)
        for (int a = 0; a < d; a++) middle[a] += e->kind->corner[k][a] / nodes;
    (void)gradients(e, x, middle, g);
    for (int k = 0; k < nodes; k++)
        for (int i = 0; i < d; i++)
            for (int j = 0; j < d; j++) slope[i][j] += u[d * k + i] * g[k][j];
    const tl_mat3 F = {{{1 + slope[0][0], slope[0][1], slope[0][2]}, {slope[1][0], 1 + slope[1][1], slope[1][2]}, {slope[2][0], slope[2][1], 1 + slope[2][2]}}};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) squares += 0.25 * (slope[i][j] + slope[j][i]) * (slope[i][j] + slope[j][i]);
    return (tl_element_size){
        .turned = 0.5 * hypot(hypot(slope[2][1] - slope[1][2], slope[0][2] - slope[2][0]), slope[1][0] - slope[0][1]),
        .strained = sqrt(squares),
        .volume = tl_mat3_determinant(&F),
    };
}

bool tl_element_mean_gradients(const tl_element *e, const double (*x)[3], double (*mean)[3])
{
    const int nodes = e->kind->nodes;
    double whole = 0;
    memset(mean, 0, (size_t)nodes * sizeof *mean);
    for (int p = 0; p < e->kind->points; p++) {
        double g[TL_ELEMENT_NODES][3] = {{0}};
        const double volume = e->kind->point[p].weight * gradients(e, x, e->kind->point[p].xi, g);
        if (!(volume > 0)) return false;
        for (int a = 0; a < nodes; a++)
            for (int i = 0; i < 3; i++) mean[a][i] += volume * g[a][i];
        whole += volume;
    }
    for (int a = 0; a < nodes; a++)
        for (int i = 0; i < 3; i++) mean[a][i] /= whole;
    return true;
}

bool tl_element_turning(const tl_element *e, const double (*x)[3], const double *u, double (*mean)[3], tl_turning *out)
{
    if (e->mean) return tl_turning_find(e->kind, x, e->mean, u, out);
    return tl_element_mean_gradients(e, x, mean) && tl_turning_find(e->kind, x, (const double(*)[3])mean, u, out);
}

/* f = K u */
static void multiply(int n, const double *K, const double *u, double *f)
{
    for (int a = 0; a < n; a++) {
        f[a] = 0;
        for (int b = 0; b < n; b++) f[a] += K[a * n + b] * u[b];
    }
}

static bool respond_turned(const tl_element *e, const double (*x)[3], const double *u, tl_element_history history, double *f, double *K)
{
    const int n = e->kind->dimension * e->kind->nodes;
    double mean[TL_ELEMENT_NODES][3] = {{0}}, own[N];
    tl_turning t;
    if (!tl_element_turning(e, x, u, mean, &t)) return false;
    if (e->stiffness) multiply(n, e->stiffness, t.u, own);
    else if (!respond(e, x, t.u, history, own, K)) return false;
    if (K && e->stiffness) memcpy(K, e->stiffness, (size_t)(n * n) * sizeof *K);
    if (K) tl_turning_stiffness(&t, own, K);
    if (!f) return true;
    tl_turning_forces(&t, own);
    memcpy(f, own, (size_t)n * sizeof *f);
    return true;
}

bool tl_element_response(const tl_element *e, const double (*x)[3], const double *u, tl_element_history history, double *f, double *K)
{
    return e->turns ? respond_turned(e, x, u, history, f, K) : respond(e, x, u, history, f, K);
}

bool tl_element_damp(const tl_element *e, const double (*x)[3], const double *u, const double *v, double scale, double *f)
{
    const int n = e->kind->dimension * e->kind->nodes;
    double mean[TL_ELEMENT_NODES][3] = {{0}}, rate[N], own[N];
    tl_turning t;
    if (!tl_element_turning(e, x, u, mean, &t)) return false;
    tl_turning_rates(&t, v, rate);
    multiply(n, e->stiffness, rate, own);
    tl_turning_forces(&t, own);
    for (int a = 0; a < n; a++) f[a] += scale * own[a];
    return true;
}

/* ---- mass, stress and energy ------------------------------------------------------------------------------------------------------ */

bool tl_element_mass(const tl_element *e, const double (*x)[3], bool lumped, double *M)
{
    const int n = e->kind->nodes;
    double whole = 0, diagonal = 0;
    memset(M, 0, (size_t)(n * n) * sizeof *M);
    for (int p = 0; p < e->kind->mass_points; p++) {
        double shape[TL_ELEMENT_NODES] = {0}, g[TL_ELEMENT_NODES][3] = {{0}};
        const tl_quadrature_point *at = &e->kind->mass_point[p];
        const double mass = e->density * at->weight * gradients(e, x, at->xi, g);
        if (!(mass > 0)) return false;
        e->kind->shape(at->xi, shape);
        for (int a = 0; a < n; a++)
            for (int b = 0; b < n; b++) M[a * n + b] += mass * shape[a] * shape[b];
        whole += mass;
    }
    if (!lumped) return true;
    for (int a = 0; a < n; a++) diagonal += M[a * n + a];
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++) M[a * n + b] = a == b ? M[a * n + a] * whole / diagonal : 0;
    return true;
}

/* Strain where the material's memory `state` is; *volume is the point's. */
static bool recall(const tl_element *e, const element_strain *s, const double *u, const double *state, int point, tl_stress *out)
{
    const int states = e->material->kind->states;
    double unused[TL_MATERIAL_STATES + 1];
    const double *modes = state ? state + e->kind->points * states : NULL;
    const tl_element_history own = {state ? state + point * states : NULL, unused};
    strain_at(s, &s->point[point], u, modes, out->strain);
    return stress_at(e, out->strain, own, out->stress, NULL);
}

/* Displacements along the element's axes, and those axes: `t` of an element that turns. */
static bool own_axes(const tl_element *e, const double (*x)[3], const double **u, tl_turning *t)
{
    double mean[TL_ELEMENT_NODES][3] = {{0}};
    if (!e->turns) return true;
    if (!tl_element_turning(e, x, *u, mean, t)) return false;
    t->mean = NULL; /* of forces, which are not asked for */
    *u = t->u;
    return true;
}

static void to_world(const tl_element *e, const tl_turning *t, tl_stress *s)
{
    if (!e->turns) return;
    tl_turning_tensor(t, true, s->strain);
    tl_turning_tensor(t, false, s->stress);
}

bool tl_element_stress(const tl_element *e, const double (*x)[3], const double *u, const double *state, int point, tl_stress *out)
{
    element_strain s = {0};
    tl_turning t;
    if (!own_axes(e, x, &u, &t) || !strains(e, x, &s) || !recall(e, &s, u, state, point, out)) return false;
    to_world(e, &t, out);
    return true;
}

bool tl_element_mean_stress(const tl_element *e, const double (*x)[3], const double *u, const double *state, tl_stress *out, double *volume)
{
    tl_element known = *e;
    element_strain s = {0};
    *out = (tl_stress){0};
    *volume = 0;
    tl_turning t;
    if (!state && e->strain == TALUS_STRAIN_ENHANCED) known.strain = TALUS_STRAIN_PLAIN;
    if (!own_axes(e, x, &u, &t) || !strains(&known, x, &s)) return false;
    for (int p = 0; p < e->kind->points; p++) {
        tl_stress at = {0};
        if (!recall(&known, &s, u, state, p, &at)) return false;
        for (int k = 0; k < 6; k++) {
            out->strain[k] += s.point[p].volume * at.strain[k];
            out->stress[k] += s.point[p].volume * at.stress[k];
        }
        *volume += s.point[p].volume;
    }
    for (int k = 0; k < 6; k++) out->strain[k] /= *volume, out->stress[k] /= *volume;
    to_world(e, &t, out);
    return true;
}

double tl_element_energy(const tl_element *e, const double (*x)[3], const double *u, const double *state)
{
    const tl_material *material = e->material;
    double energy = 0;
    element_strain s = {0};
    tl_turning t;
    if (!own_axes(e, x, &u, &t)) return 0;
    if (e->stiffness) {
        const int n = e->kind->dimension * e->kind->nodes;
        double f[N];
        multiply(n, e->stiffness, u, f);
        for (int a = 0; a < n; a++) energy += 0.5 * f[a] * u[a];
        return energy;
    }
    if (!strains(e, x, &s)) return 0;
    for (int p = 0; p < e->kind->points; p++) {
        tl_stress at;
        if (!recall(e, &s, u, state, p, &at)) return 0;
        energy += s.point[p].volume * material->kind->energy(material->parameter, at.strain, state ? state + p * material->kind->states : NULL);
    }
    return energy;
}
