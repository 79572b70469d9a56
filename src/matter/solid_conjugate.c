/* Solves with M̃ of a meshfree solid, which is never formed (theory §7.7): conjugate gradients, preconditioned by the nodes' own blocks (Hestenes and Stiefel
 * 1952). Waves go about a spacing in a step of vehicles, so that some ten products do, for any number of particles. */
#include <math.h>
#include <string.h>

#include "base/lanes.h"
#include "matter/solid_internal.h"

/* ---- fields ---------------------------------------------------------------------------------------------------------------------- */

/* Slots go by parts, each with sums of its own, which are added in their order: threads do not show in the bits. */
enum { PART = 1024, WORTH_PARTS = 8 };

static int parts_of(const tl_conjugate *c) { return (c->slots + PART - 1) / PART; }

/* The box whose order fields have; NULL: they have that of particles. */
static const tl_particle_box *box_of(const tl_solid *s) { return s->particles->fields.box.particles > 0 ? &s->particles->fields.box : NULL; }

talus_status tl_particles_make_room_to_solve(tl_solid *s, tl_error *error)
{
    tl_conjugate *c = &s->particles->solve;
    const tl_memory memory = s->matter.memory;
    const int n = s->mesh.nodes;
    c->slots = box_of(s) ? box_of(s)->slots : (n + TL_LANES - 1) / TL_LANES * TL_LANES;
    double **const field[] = {&c->is_free, &c->found, &c->left, &c->next, &c->way, &c->end};
    const size_t slots = (size_t)c->slots, room = 3 * slots + 2 * TL_LANES;
    bool all = (c->inverse = tl_alloc(memory, 6 * slots, sizeof *c->inverse)) != NULL;
    all = (c->mass = tl_alloc(memory, slots, sizeof *c->mass)) && all;
    all = (c->sum = tl_alloc(memory, (size_t)parts_of(c) + 1, sizeof *c->sum)) && all;
    all = (c->most = tl_alloc(memory, (size_t)parts_of(c) + 1, sizeof *c->most)) && all;
    for (size_t i = 0; i < sizeof field / sizeof *field; i++) all = (*field[i] = tl_alloc(memory, room, sizeof(double))) && all;
    all = (c->u = tl_alloc(memory, (size_t)s->matter.nv + 1, sizeof *c->u)) && all;
    all = (c->f = tl_alloc(memory, (size_t)s->matter.nv + 1, sizeof *c->f)) && all;
    return all ? TALUS_OK : tl_fail(error, TALUS_MEMORY, "no memory for solves of %d particles", n);
}

void tl_particles_free_room_to_solve(tl_solid *s)
{
    tl_conjugate *c = &s->particles->solve;
    void *const all[] = {c->inverse, c->mass, c->is_free, c->found, c->left, c->next, c->way, c->end, c->u, c->f, c->sum, c->most};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) tl_free(s->matter.memory, all[i]);
}

static void to_field(const tl_solid *s, const double *u, double *field)
{
    const int d = tl_solid_axes(s), slots = s->particles->solve.slots;
    if (box_of(s)) tl_box_field(box_of(s), u, field);
    else
        for (int i = 0; i < s->matter.nv; i++) field[i % d * slots + i / d] = u[i];
}

static void of_field(const tl_solid *s, const double *field, double *u)
{
    const int d = tl_solid_axes(s), slots = s->particles->solve.slots;
    if (box_of(s)) tl_box_particles(box_of(s), field, u);
    else
        for (int i = 0; i < s->matter.nv; i++) u[i] = field[i % d * slots + i / d];
}

/* ---- blocks of nodes ------------------------------------------------------------------------------------------------------------- */

talus_status tl_particles_prepare(tl_solid *s, bool tangent, tl_error *error)
{
    static const int IN_ORDER[3] = {0, 1, 2};
    tl_conjugate *c = &s->particles->solve;
    const tl_particle_box *box = box_of(s);
    const int d = tl_solid_axes(s), *axis = box ? box->axis : IN_ORDER; /* of components in a field */
    s->particles->tangent = tangent;
    for (int i = 0; i < s->mesh.nodes; i++) {
        const double *block = s->mixed + (size_t)i * (size_t)(d * d);
        double L[9], inverse[9] = {0};
        memcpy(L, block, (size_t)(d * d) * sizeof *L);
        if (tl_cholesky(L, d) != d) return tl_fail(error, TALUS_SINGULAR, "solid '%s': node %d gives way without resistance", s->matter.name, i + 1);
        for (int a = 0; a < d; a++) inverse[d * a + a] = 1, tl_cholesky_solve(L, d, inverse + d * a);
        const int slot = box ? box->slot[i] : i;
        for (int k = 0; k < d; k++) {
            c->is_free[k * c->slots + slot] = !s->is_held[d * i + axis[k]];
            for (int l = 0; l <= k; l++) c->inverse[TL_PLACE[k][l] * c->slots + slot] = inverse[d * axis[k] + axis[l]];
        }
        c->mass[slot] = s->M[i];
    }
    return TALUS_OK;
}

/* ---- kernels --------------------------------------------------------------------------------------------------------------------- */

typedef struct stage {
    const tl_conjugate *c;
    int d;
    double by; /* how far along the way; what is kept of it; what masses count */
} stage;

/* x and r so far along the way; z of r by the blocks; of each part r·z, and the largest of z. */
TL_INLINE void advance_part(const stage *s, int d, int part)
{
    const tl_conjugate *c = s->c;
    const size_t n = (size_t)c->slots, begin = (size_t)part * PART, end = begin + PART < n ? begin + PART : n;
    tl_lanes sum = {0}, most = {0};
    for (size_t i = begin; i < end; i += TL_LANES) {
        tl_lanes r[3] = {{0}};
        for (int k = 0; k < d; k++) {
            const size_t at = (size_t)k * n + i;
            tl_store4(c->found + at, tl_load4(c->found + at) + s->by * tl_load4(c->way + at));
            r[k] = tl_load4(c->left + at) - s->by * tl_load4(c->end + at);
            tl_store4(c->left + at, r[k]);
        }
        for (int k = 0; k < d; k++) {
            tl_lanes z = {0};
            for (int l = 0; l < d; l++) z += tl_load4(c->inverse + (size_t)TL_PLACE[k][l] * n + i) * r[l];
            z *= tl_load4(c->is_free + (size_t)k * n + i);
            tl_store4(c->next + (size_t)k * n + i, z);
            sum += z * r[k];
            most = tl_lanes_larger(tl_lanes_larger(z, -z), most);
        }
    }
    c->sum[part] = tl_lanes_sum(sum);
    c->most[part] = fmax(fmax(most[0], most[1]), fmax(most[2], most[3]));
}

/* The way goes on, and a share of it along as before. */
TL_INLINE void go_on_part(const stage *s, int d, int part)
{
    const tl_conjugate *c = s->c;
    const size_t n = (size_t)c->slots, begin = (size_t)part * PART, end = begin + PART < n ? begin + PART : n;
    for (int k = 0; k < d; k++)
        for (size_t i = (size_t)k * n + begin; i < (size_t)k * n + end; i += TL_LANES)
            tl_store4(c->way + i, tl_load4(c->next + i) + s->by * tl_load4(c->way + i));
}

/* end += mass M way, of what is free; their product. */
TL_INLINE void add_masses_part(const stage *s, int d, int part)
{
    const tl_conjugate *c = s->c;
    const size_t n = (size_t)c->slots, begin = (size_t)part * PART, end = begin + PART < n ? begin + PART : n;
    tl_lanes sum = {0};
    for (int k = 0; k < d; k++)
        for (size_t i = begin; i < end; i += TL_LANES) {
            const size_t at = (size_t)k * n + i;
            const tl_lanes own = tl_load4(c->way + at), all = tl_load4(c->is_free + at) * (tl_load4(c->end + at) + s->by * tl_load4(c->mass + i) * own);
            tl_store4(c->end + at, all);
            sum += all * own;
        }
    c->sum[part] = tl_lanes_sum(sum);
}

typedef struct kernels {
    tl_range_fn *advance, *go_on, *add_masses;
} kernels;

#define RANGE(name, what, set)                                                                                                                                 \
    static set void what##_##name(void *job, int begin, int end, int worker)                                                                                   \
    {                                                                                                                                                          \
        const stage *s = job;                                                                                                                                  \
        (void)worker;                                                                                                                                          \
        for (int part = begin; part < end; part++) s->d == 3 ? what##_part(s, 3, part) : what##_part(s, 2, part);                                              \
    }
#define KERNELS(name, set)                                                                                                                                     \
    RANGE(name, advance, set)                                                                                                                                  \
    RANGE(name, go_on, set)                                                                                                                                    \
    RANGE(name, add_masses, set) static const kernels name##_kernels = {advance_##name, go_on_##name, add_masses_##name};

TL_FOR_EVERY_SET(KERNELS)

static double of_parts(const tl_solid *s, tl_range_fn *kernel, double by)
{
    const tl_conjugate *c = &s->particles->solve;
    double sum = 0;
    tl_parallel_for(s->threads, parts_of(c), WORTH_PARTS, kernel, &(stage){c, tl_solid_axes(s), by});
    for (int part = 0; part < parts_of(c); part++) sum += c->sum[part];
    return sum;
}

/* Returns r·z, and the largest of z. */
static double advance(const tl_solid *s, double far, double *largest)
{
    const tl_conjugate *c = &s->particles->solve;
    const double sum = of_parts(s, TL_BEST_KERNELS->advance, far);
    *largest = 0;
    for (int part = 0; part < parts_of(c); part++) *largest = fmax(*largest, c->most[part]);
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
    return of_parts(s, TL_BEST_KERNELS->add_masses, p->tangent ? 0 : s->scales.mass);
}

void tl_particles_add_product(const tl_solid *s, const double *x, double *y)
{
    const tl_conjugate *c = &s->particles->solve;
    to_field(s, x, c->way);
    (void)multiply(s);
    of_field(s, c->end, c->u);
    for (int i = 0; i < s->matter.nv; i++) y[i] += c->u[i];
}

/* M̃ w is what makes w, but for what the solve left: where it is known, impulses themselves make R + p vanish, however nearly it was solved. */
void tl_particles_add_impulses(const tl_solid *s, const double *w, double *y)
{
    static const double ROUNDING = 1e-12; /* of velocities, whose difference w is */
    const double *pushed = s->particles->pushed, *moved = s->particles->moved;
    double apart = 0, size = 0;
    for (int i = 0; i < s->matter.nv; i++) apart = fmax(apart, fabs(w[i] - moved[i])), size = fmax(size, fabs(moved[i]) + fabs(s->v_free[i]));
    if (!(apart <= ROUNDING * size)) tl_particles_add_product(s, w, y);
    else
        for (int i = 0; i < s->matter.nv; i++) y[i] += pushed[i];
}

void tl_particles_solve(const tl_solid *s, double relative, double absolute, double *b)
{
    const tl_conjugate *c = &s->particles->solve;
    const int d = tl_solid_axes(s), most = s->matter.nv + 100;
    const size_t n = (size_t)d * (size_t)c->slots;
    double largest;
    memset(c->left, 0, n * sizeof *c->left); /* of nobody, too, whatever a solve before has left */
    to_field(s, b, c->left);
    for (size_t i = 0; i < n; i++) c->left[i] *= c->is_free[i], c->found[i] = 0;
    memset(c->way, 0, n * sizeof *c->way), memset(c->end, 0, n * sizeof *c->end);
    double size = advance(s, 0, &largest);
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
        size = advance(s, size / resistance, &largest);
        (void)of_parts(s, TL_BEST_KERNELS->go_on, size / before);
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
