/* Solves with M̃ of a meshfree solid, which is never formed (theory §7.7): conjugate gradients, preconditioned by the nodes' own blocks (Hestenes and Stiefel
 * 1952). Waves go about a spacing in a step of vehicles, so that some ten products do, for any number of particles. */
#include <math.h>
#include <string.h>

#include "matter/solid_internal.h"

/* ---- blocks of nodes ------------------------------------------------------------------------------------------------------------- */

talus_status tl_particles_prepare(tl_solid *s, bool tangent, tl_error *error)
{
    const int d = tl_solid_axes(s);
    s->particles->tangent = tangent;
    for (int i = 0; i < s->mesh.nodes; i++) {
        const double *block = s->mixed + (size_t)i * (size_t)(d * d);
        double L[9], *inverse = s->particles->inverse[i];
        memcpy(L, block, (size_t)(d * d) * sizeof *L);
        if (tl_cholesky(L, d) != d) return tl_fail(error, TALUS_SINGULAR, "solid '%s': node %d gives way without resistance", s->matter.name, i + 1);
        memset(inverse, 0, 9 * sizeof *inverse);
        for (int a = 0; a < d; a++) inverse[d * a + a] = 1, tl_cholesky_solve(L, d, inverse + d * a);
    }
    return TALUS_OK;
}

/* z of r by the blocks; returns r·z, and the largest of z. */
static double precondition(const tl_solid *s, const double *r, double *z, double *largest)
{
    const int d = tl_solid_axes(s);
    double sum = 0, most = 0;
    for (int i = 0; i < s->mesh.nodes; i++) {
        const double *B = s->particles->inverse[i], *own = r + d * i;
        for (int a = 0; a < d; a++) {
            double value = 0;
            for (int b = 0; b < d; b++) value += B[d * a + b] * own[b];
            z[d * i + a] = s->is_held[d * i + a] ? 0 : value;
            sum += z[d * i + a] * own[a];
            most = tl_larger(most, fabs(z[d * i + a]));
        }
    }
    *largest = most;
    return sum;
}

/* ---- the product ----------------------------------------------------------------------------------------------------------------- */

enum { WORTH = 500 }; /* particles */

/* Stress of gradients at rest, in their place, by Hooke's law. */
static void answer_at_rest(void *context, int begin, int end, int worker)
{
    const tl_solid *s = context;
    const double *m = s->region[0].material.parameter, lame = tl_lame(m[0], m[1]), shear = tl_shear_modulus(m[0], m[1]);
    (void)worker;
    for (int i = begin; i < end; i++) {
        double(*G)[TL_COLUMN] = s->particles->G[i];
        const double mean = lame * (G[0][0] + G[1][1] + G[2][2]), xy = shear * (G[0][1] + G[1][0]), yz = shear * (G[1][2] + G[2][1]),
                     xz = shear * (G[0][2] + G[2][0]);
        G[0][0] = mean + 2 * shear * G[0][0], G[1][1] = mean + 2 * shear * G[1][1], G[2][2] = mean + 2 * shear * G[2][2];
        G[0][1] = G[1][0] = xy, G[1][2] = G[2][1] = yz, G[0][2] = G[2][0] = xz;
    }
}

/* The same by tangents. */
static void answer_of_tangents(void *context, int begin, int end, int worker)
{
    const tl_solid *s = context;
    (void)worker;
    for (int i = begin; i < end; i++) {
        const double(*T)[9] = (const double(*)[9])s->particles->answers[i];
        double dF[9], dP[9];
        for (int k = 0; k < 9; k++) dF[k] = s->particles->G[i][k % 3][k / 3];
        for (int r = 0; r < 9; r++) {
            dP[r] = 0;
            for (int c = 0; c < 9; c++) dP[r] += T[r][c] * dF[c];
        }
        for (int k = 0; k < 9; k++) s->particles->G[i][k % 3][k / 3] = dP[k];
    }
}

/* y = M̃ x, where x vanishes at what is held, and y is left to vanish there too. Returns x·y. */
static double multiply(const tl_solid *s, const double *x, double *y)
{
    tl_solid_particles *p = s->particles;
    const int nv = s->matter.nv;
    const double stiffness = p->tangent ? 1 : s->scales.stiffness;
    double sum = 0;
    memset(y, 0, (size_t)nv * sizeof *y);
    tl_particle_gradients(&p->fields, s->threads, x, p->G);
    tl_parallel_for(s->threads, p->fit.particles, WORTH, p->tangent || p->turned ? answer_of_tangents : answer_at_rest, (void *)s);
    tl_particle_pushes(&p->fields, s->threads, (const tl_columns *)p->G, stiffness, y);
    tl_stabilisation_add(&p->rows, s->dimension, s->threads, &(tl_stabilisation_act){.c = stiffness * p->holding, .u = x}, y);
    if (!p->tangent) tl_solid_add_mass(s, s->scales.mass, x, y);
    if (!p->tangent) tl_solid_add_dampers(s, s->scales.damper, x, y);
    for (int i = 0; i < nv; i++) {
        if (s->is_held[i]) y[i] = 0;
        sum += x[i] * y[i];
    }
    return sum;
}

void tl_particles_add_product(const tl_solid *s, const double *x, double *y)
{
    double *product = s->particles->push;
    (void)multiply(s, x, product);
    for (int i = 0; i < s->matter.nv; i++) y[i] += product[i];
}

void tl_particles_solve(const tl_solid *s, double relative, double absolute, double *b)
{
    tl_solid_particles *p = s->particles;
    const int nv = s->matter.nv, most = nv + 100;
    double *x = b, *r = p->left, *z = p->next, *way = p->way, *q = p->push, largest;
    for (int i = 0; i < nv; i++) r[i] = s->is_held[i] ? 0 : b[i], x[i] = 0;
    double size = precondition(s, r, z, &largest);
    const double enough = relative * relative * size;
    memcpy(way, z, (size_t)nv * sizeof *way);
    if (!isfinite(size)) memcpy(x, r, (size_t)nv * sizeof *x); /* what is no number stays none */
    for (int pass = 0; pass < most && size > enough && largest > absolute; pass++) {
        const double resistance = multiply(s, way, q);
        if (!(resistance > 0)) { /* a tangent that softens: as far as it went */
            if (pass == 0) memcpy(x, z, (size_t)nv * sizeof *x);
            return;
        }
        const double far = size / resistance, before = size;
        for (int i = 0; i < nv; i++) x[i] += far * way[i], r[i] -= far * q[i];
        size = precondition(s, r, z, &largest);
        const double along = size / before;
        for (int i = 0; i < nv; i++) way[i] = z[i] + along * way[i];
    }
}

/* Impulses of a step hardly change where contacts are solved again: what they do is known but for the difference. */
void tl_particles_push(const tl_solid *s, double *b)
{
    tl_solid_particles *p = s->particles;
    const int nv = s->matter.nv;
    for (int i = 0; i < nv; i++) {
        const double all = b[i];
        b[i] -= p->pushed[i], p->pushed[i] = all;
    }
    tl_solid_solve(s, b);
    for (int i = 0; i < nv; i++) b[i] = p->moved[i] += b[i];
}
