/* Solves with M̃ of a meshfree solid, which is never formed (theory §7.7): conjugate gradients, preconditioned by the nodes' own blocks (Hestenes and Stiefel
 * 1952). Waves go about a spacing in a step of vehicles, so that some ten products do, for any number of particles. */
#include <math.h>
#include <string.h>

#include "matter/solid_internal.h"

enum { LANES = 4 }; /* sums have so many parts, whatever the machine's registers are */

/* ---- fields ---------------------------------------------------------------------------------------------------------------------- */

talus_status tl_particles_make_room_to_solve(tl_solid *s, tl_error *error)
{
    tl_conjugate *c = &s->particles->solve;
    const tl_particle_box *box = &s->particles->fields.box;
    const tl_memory memory = s->matter.memory;
    const int n = s->mesh.nodes;
    if (box->particles == 0) {
        c->numbered = tl_alloc(memory, (size_t)n + 1, sizeof *c->numbered);
        if (!c->numbered) return tl_fail(error, TALUS_MEMORY, "no memory for %d particles", n);
        for (int i = 0; i < n; i++) c->numbered[i] = i;
    }
    c->slot = box->particles > 0 ? box->slot : c->numbered;
    c->slots = box->particles > 0 ? box->slots : (n + LANES - 1) / LANES * LANES;
    double **const field[] = {&c->is_free, &c->found, &c->left, &c->next, &c->way, &c->end};
    const size_t slots = (size_t)c->slots, room = 3 * slots + 2 * LANES;
    bool all = (c->inverse = tl_alloc(memory, 6 * slots, sizeof *c->inverse)) != NULL;
    all = (c->mass = tl_alloc(memory, slots, sizeof *c->mass)) && all;
    for (size_t i = 0; i < sizeof field / sizeof *field; i++) all = (*field[i] = tl_alloc(memory, room, sizeof(double))) && all;
    all = (c->u = tl_alloc(memory, (size_t)s->matter.nv + 1, sizeof *c->u)) && all;
    all = (c->f = tl_alloc(memory, (size_t)s->matter.nv + 1, sizeof *c->f)) && all;
    return all ? TALUS_OK : tl_fail(error, TALUS_MEMORY, "no memory for solves of %d particles", n);
}

void tl_particles_free_room_to_solve(tl_solid *s)
{
    tl_conjugate *c = &s->particles->solve;
    void *const all[] = {c->numbered, c->inverse, c->mass, c->is_free, c->found, c->left, c->next, c->way, c->end, c->u, c->f};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) tl_free(s->matter.memory, all[i]);
}

/* The component of particles that comes k-th in a field. */
static int component(const tl_solid *s, int k)
{
    const tl_particle_box *box = &s->particles->fields.box;
    return box->particles > 0 ? box->axis[k] : k;
}

static void to_field(const tl_solid *s, const double *u, double *field)
{
    const tl_conjugate *c = &s->particles->solve;
    const int d = tl_solid_axes(s);
    for (int k = 0; k < d; k++) {
        const int a = component(s, k);
        double *own = field + (size_t)k * (size_t)c->slots;
        for (int i = 0; i < s->mesh.nodes; i++) own[c->slot[i]] = u[d * i + a];
    }
}

static void of_field(const tl_solid *s, const double *field, double *u)
{
    const tl_conjugate *c = &s->particles->solve;
    const int d = tl_solid_axes(s);
    for (int k = 0; k < d; k++) {
        const int a = component(s, k);
        const double *own = field + (size_t)k * (size_t)c->slots;
        for (int i = 0; i < s->mesh.nodes; i++) u[d * i + a] = own[c->slot[i]];
    }
}

/* ---- blocks of nodes ------------------------------------------------------------------------------------------------------------- */

static const int PLACE[3][3] = {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}}; /* of a component among six */

talus_status tl_particles_prepare(tl_solid *s, bool tangent, tl_error *error)
{
    tl_conjugate *c = &s->particles->solve;
    const int d = tl_solid_axes(s);
    const size_t slots = (size_t)c->slots;
    s->particles->tangent = tangent;
    for (int i = 0; i < s->mesh.nodes; i++) {
        const double *block = s->mixed + (size_t)i * (size_t)(d * d);
        double L[9], inverse[9] = {0};
        memcpy(L, block, (size_t)(d * d) * sizeof *L);
        if (tl_cholesky(L, d) != d) return tl_fail(error, TALUS_SINGULAR, "solid '%s': node %d gives way without resistance", s->matter.name, i + 1);
        for (int a = 0; a < d; a++) inverse[d * a + a] = 1, tl_cholesky_solve(L, d, inverse + d * a);
        for (int k = 0; k < d; k++) {
            const int a = component(s, k);
            c->is_free[(size_t)k * slots + (size_t)c->slot[i]] = !s->is_held[d * i + a];
            for (int l = 0; l <= k; l++) c->inverse[(size_t)PLACE[k][l] * slots + (size_t)c->slot[i]] = inverse[d * a + component(s, l)];
        }
        c->mass[c->slot[i]] = s->M[i];
    }
    return TALUS_OK;
}

/* ---- kernels --------------------------------------------------------------------------------------------------------------------- */

#define ALWAYS static inline __attribute__((always_inline))
typedef double lanes __attribute__((vector_size(LANES * sizeof(double))));
typedef int64_t bits __attribute__((vector_size(LANES * sizeof(double))));

ALWAYS lanes larger(lanes a, lanes b)
{
    const bits is_first = a > b;
    return (lanes)(((bits)a & is_first) | ((bits)b & ~is_first));
}

ALWAYS lanes load(const double *x)
{
    lanes out;
    memcpy(&out, x, sizeof out);
    return out;
}
ALWAYS void store(double *x, lanes value) { memcpy(x, &value, sizeof value); }
ALWAYS double total(lanes part) { return (part[0] + part[1]) + (part[2] + part[3]); }

/* z of r by the blocks; returns r·z, and the largest of z. */
ALWAYS double precondition(const tl_conjugate *c, int d, double *largest)
{
    const size_t n = (size_t)c->slots;
    const double *r = c->left;
    lanes sum = {0}, most = {0};
    for (int k = 0; k < d; k++) {
        const double *A = c->inverse + (size_t)PLACE[k][0] * n, *B = c->inverse + (size_t)PLACE[k][1] * n, *C = c->inverse + (size_t)PLACE[k][2] * n;
        const double *is_free = c->is_free + (size_t)k * n, *own = r + (size_t)k * n, *third = d == 3 ? r + 2 * n : r;
        double *out = c->next + (size_t)k * n;
        for (size_t i = 0; i < n; i += LANES) {
            const lanes z = load(is_free + i) * (load(A + i) * load(r + i) + load(B + i) * load(r + n + i) + load(C + i) * load(third + i));
            store(out + i, z);
            sum += z * load(own + i);
            most = larger(larger(z, -z), most);
        }
    }
    *largest = fmax(fmax(most[0], most[1]), fmax(most[2], most[3]));
    return total(sum);
}

/* x and r, so far along the way. */
ALWAYS void advance(const tl_conjugate *c, size_t n, double far)
{
    for (size_t i = 0; i < n; i += LANES) {
        store(c->found + i, load(c->found + i) + far * load(c->way + i));
        store(c->left + i, load(c->left + i) - far * load(c->end + i));
    }
}

/* The way goes on, and a share of it along as before. */
ALWAYS void go_on(const tl_conjugate *c, size_t n, double along)
{
    for (size_t i = 0; i < n; i += LANES) store(c->way + i, load(c->next + i) + along * load(c->way + i));
}

/* end += mass M way, of what is free. Returns their product. */
ALWAYS double add_masses(const tl_conjugate *c, int d, double mass)
{
    const size_t n = (size_t)c->slots;
    lanes sum = {0};
    for (int k = 0; k < d; k++) {
        const double *way = c->way + (size_t)k * n, *is_free = c->is_free + (size_t)k * n;
        double *end = c->end + (size_t)k * n;
        for (size_t i = 0; i < n; i += LANES) {
            const lanes own = load(way + i), all = load(is_free + i) * (load(end + i) + mass * load(c->mass + i) * own);
            store(end + i, all);
            sum += all * own;
        }
    }
    return total(sum);
}

typedef struct kernels {
    double (*precondition)(const tl_conjugate *, int d, double *largest), (*add_masses)(const tl_conjugate *, int d, double mass);
    void (*advance)(const tl_conjugate *, size_t n, double far), (*go_on)(const tl_conjugate *, size_t n, double along);
} kernels;

#define KERNELS(name, set)                                                                                                                                     \
    static set double precondition_##name(const tl_conjugate *c, int d, double *largest) { return precondition(c, d, largest); }                               \
    static set double add_masses_##name(const tl_conjugate *c, int d, double mass) { return add_masses(c, d, mass); }                                          \
    static set void advance_##name(const tl_conjugate *c, size_t n, double far) { advance(c, n, far); }                                                        \
    static set void go_on_##name(const tl_conjugate *c, size_t n, double along) { go_on(c, n, along); }                                                        \
    static const kernels name##_kernels = {precondition_##name, add_masses_##name, advance_##name, go_on_##name};

KERNELS(any, )
#if defined(__x86_64__)
KERNELS(avx2, __attribute__((target("avx2"))))
#endif

static const kernels *best_kernels(void)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2")) return &avx2_kernels;
#endif
    return &any_kernels;
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

/* y = scale K x, particle by particle. */
static void resist_one_by_one(const tl_solid *s, double scale, const double *x, double *y)
{
    tl_solid_particles *p = s->particles;
    double *u = p->solve.u, *f = p->solve.f;
    of_field(s, x, u);
    memset(f, 0, (size_t)s->matter.nv * sizeof *f);
    tl_particle_gradients(&p->fields, s->threads, u, p->G);
    tl_parallel_for(s->threads, p->fit.particles, WORTH, p->tangent || p->turned ? answer_of_tangents : answer_at_rest, (void *)(uintptr_t)s);
    tl_particle_pushes(&p->fields, s->threads, (const tl_columns *)p->G, scale, f);
    tl_stabilisation_add(&p->rows, s->dimension, s->threads, scale * p->holding, u, f);
    to_field(s, f, y);
}

static void add_dampers(const tl_solid *s, const double *x, double *y)
{
    double *u = s->particles->solve.u, *f = s->particles->solve.f;
    if (!s->damper) return;
    of_field(s, x, u), of_field(s, y, f);
    tl_solid_add_dampers(s, s->scales.damper, u, f);
    to_field(s, f, y);
}

/* end = M̃ way, where the way vanishes at what is held, and the end is left to vanish there too. Returns their product. */
static double multiply(const tl_solid *s)
{
    tl_solid_particles *p = s->particles;
    const tl_conjugate *c = &p->solve;
    const double *m = s->region[0].material.parameter, scale = p->tangent ? 1 : s->scales.stiffness;
    const tl_box_law law = {tl_lame(m[0], m[1]), tl_shear_modulus(m[0], m[1]), p->holding, p->turned};
    if (p->fields.box.particles > 0 && !p->tangent) tl_box_stiffness(&p->fields.box, s->threads, &law, scale, c->way, c->end);
    else resist_one_by_one(s, scale, c->way, c->end);
    if (!p->tangent) add_dampers(s, c->way, c->end);
    return best_kernels()->add_masses(c, tl_solid_axes(s), p->tangent ? 0 : s->scales.mass);
}

void tl_particles_add_product(const tl_solid *s, const double *x, double *y)
{
    const tl_conjugate *c = &s->particles->solve;
    to_field(s, x, c->way);
    (void)multiply(s);
    of_field(s, c->end, c->u);
    for (int i = 0; i < s->matter.nv; i++) y[i] += c->u[i];
}

void tl_particles_solve(const tl_solid *s, double relative, double absolute, double *b)
{
    const tl_conjugate *c = &s->particles->solve;
    const kernels *k = best_kernels();
    const int d = tl_solid_axes(s), most = s->matter.nv + 100;
    const size_t n = (size_t)d * (size_t)c->slots;
    double largest;
    memset(c->left, 0, n * sizeof *c->left); /* of nobody, too, whatever a solve before has left */
    to_field(s, b, c->left);
    for (size_t i = 0; i < n; i++) c->left[i] *= c->is_free[i], c->found[i] = 0;
    double size = k->precondition(c, d, &largest);
    const double enough = relative * relative * size;
    memcpy(c->way, c->next, n * sizeof *c->way);
    if (!isfinite(size)) memcpy(c->found, c->left, n * sizeof *c->found); /* what is no number stays none */
    for (int pass = 0; pass < most && size > enough && largest > absolute; pass++) {
        const double resistance = multiply(s);
        if (!(resistance > 0)) { /* a tangent that softens: as far as it went */
            if (pass == 0) memcpy(c->found, c->next, n * sizeof *c->found);
            break;
        }
        const double before = size;
        k->advance(c, n, size / resistance);
        size = k->precondition(c, d, &largest);
        k->go_on(c, n, size / before);
    }
    of_field(s, c->found, b);
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
