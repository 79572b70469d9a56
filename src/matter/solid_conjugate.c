/* Solves with M̃ of a meshfree solid, which is never formed (theory §7.7): conjugate gradients, preconditioned by the nodes' own blocks (Hestenes and Stiefel
 * 1952). Waves go about a spacing in a step of vehicles, so that some ten products do, for any number of particles.
 *
 * They go in single precision, which takes half the time. Where more is wanted than it can hold, what is left is formed in double precision and solved again
 * (iterative refinement; Wilkinson 1963). */
#include <math.h>
#include <string.h>

#include "base/lanes.h"
#include "matter/solid_internal.h"

static const double ROUND = 1e-5;    /* how near a round comes, of where it began */
static const double STALLED = 0.25;  /* of r·z: rounds that leave more of it bring nothing */
static const double CLEARLY = 0.25;  /* of r·z that is wanted: what long rounds aim at, for more is left than they say */
static const float NOTHING = 1e-12f; /* of the largest of b: numbers far away would become the smallest there are, which are slow */
enum { TRUSTED = 50, ROUNDS = 20 };  /* passes of a round that tells truly what is left: the condition goes by their square */

/* ---- fields ---------------------------------------------------------------------------------------------------------------------- */

/* Slots go by parts, each with sums of its own, which are added in their order: threads do not show in the bits. */
enum { PART = 256, WORTH_PARTS = 8 };

static int parts_of(const tl_conjugate *c) { return (c->slots + PART - 1) / PART; }

/* The box whose order fields have; NULL: they have that of particles. */
static const tl_particle_box *box_of(const tl_solid *s) { return s->particles->fields.box.particles > 0 ? &s->particles->fields.box : NULL; }

talus_status tl_particles_make_room_to_solve(tl_solid *s, tl_error *error)
{
    tl_conjugate *c = &s->particles->solve;
    const tl_memory memory = s->matter.memory;
    const int n = s->mesh.nodes;
    c->slots = box_of(s) ? box_of(s)->slots : (n + TL_SINGLES - 1) / TL_SINGLES * TL_SINGLES;
    float **const field[] = {&c->is_free, &c->found, &c->left, &c->next, &c->way, &c->end};
    double **const room[] = {&c->u, &c->f, &c->x, &c->nearest};
    const size_t slots = (size_t)c->slots;
    bool all = (c->inverse = tl_alloc(memory, 6 * slots, sizeof *c->inverse)) != NULL;
    all = (c->mass = tl_alloc(memory, slots, sizeof *c->mass)) && all;
    all = (c->sum = tl_alloc(memory, (size_t)parts_of(c) + 1, sizeof *c->sum)) && all;
    all = (c->most = tl_alloc(memory, (size_t)parts_of(c) + 1, sizeof *c->most)) && all;
    for (size_t i = 0; i < sizeof field / sizeof *field; i++) all = (*field[i] = tl_alloc(memory, 3 * slots, sizeof(float))) && all;
    for (size_t i = 0; i < sizeof room / sizeof *room; i++) all = (*room[i] = tl_alloc(memory, (size_t)s->matter.nv + 1, sizeof(double))) && all;
    return all ? TALUS_OK : tl_fail(error, TALUS_MEMORY, "no memory for solves of %d particles", n);
}

void tl_particles_free_room_to_solve(tl_solid *s)
{
    tl_conjugate *c = &s->particles->solve;
    void *const all[] = {c->inverse, c->mass, c->is_free, c->found, c->left, c->next, c->way, c->end, c->u, c->f, c->x, c->nearest, c->sum, c->most};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) tl_free(s->matter.memory, all[i]);
}

/* Where numbers of particles stand in a field, and the axis of its component k. */
static int slot_of(const tl_particle_box *box, int particle) { return box ? box->slot[particle] : particle; }
static int axis_of(const tl_particle_box *box, int k) { return box ? box->axis[k] : k; }

static void to_field(const tl_solid *s, const double *u, double scale, float *field)
{
    const tl_particle_box *box = box_of(s);
    const int d = tl_solid_axes(s), slots = s->particles->solve.slots;
    for (int i = 0; i < s->mesh.nodes; i++)
        for (int k = 0; k < d; k++) field[k * slots + slot_of(box, i)] = (float)(scale * u[d * i + axis_of(box, k)]);
}

static void of_field(const tl_solid *s, const float *field, double scale, double *u)
{
    const tl_particle_box *box = box_of(s);
    const int d = tl_solid_axes(s), slots = s->particles->solve.slots;
    for (int i = 0; i < s->mesh.nodes; i++)
        for (int k = 0; k < d; k++) u[d * i + axis_of(box, k)] = scale * (double)field[k * slots + slot_of(box, i)];
}

/* ---- blocks of nodes ------------------------------------------------------------------------------------------------------------- */

talus_status tl_particles_prepare(tl_solid *s, bool tangent, tl_error *error)
{
    tl_conjugate *c = &s->particles->solve;
    const tl_particle_box *box = box_of(s);
    const int d = tl_solid_axes(s);
    s->particles->tangent = tangent;
    for (int i = 0; i < s->mesh.nodes; i++) {
        const double *block = s->mixed + (size_t)i * (size_t)(d * d);
        double L[9], inverse[9] = {0};
        memcpy(L, block, (size_t)(d * d) * sizeof *L);
        if (tl_cholesky(L, d) != d) return tl_fail(error, TALUS_SINGULAR, "solid '%s': node %d gives way without resistance", s->matter.name, i + 1);
        for (int a = 0; a < d; a++) inverse[d * a + a] = 1, tl_cholesky_solve(L, d, inverse + d * a);
        const int slot = slot_of(box, i);
        for (int k = 0; k < d; k++) {
            c->is_free[k * c->slots + slot] = !s->is_held[d * i + axis_of(box, k)];
            for (int l = 0; l <= k; l++) c->inverse[TL_PLACE[k][l] * c->slots + slot] = (float)inverse[d * axis_of(box, k) + axis_of(box, l)];
        }
        c->mass[slot] = (float)s->M[i];
    }
    return TALUS_OK;
}

/* ---- kernels --------------------------------------------------------------------------------------------------------------------- */

typedef struct stage {
    const tl_conjugate *c;
    int d;
    float by; /* how far along the way; what is kept of it; what masses count */
} stage;

/* x and r so far along the way; z of r by the blocks; of each part r·z, and the largest of z. */
TL_INLINE void advance_part(const stage *s, int d, int part)
{
    const tl_conjugate *c = s->c;
    const size_t n = (size_t)c->slots, begin = (size_t)part * PART, end = begin + PART < n ? begin + PART : n;
    tl_singles sum = {0}, most = {0};
    for (size_t i = begin; i < end; i += TL_SINGLES) {
        tl_singles r[3] = {{0}};
        for (int k = 0; k < d; k++) {
            const size_t at = (size_t)k * n + i;
            tl_store8(c->found + at, tl_load8(c->found + at) + s->by * tl_load8(c->way + at));
            r[k] = tl_singles_but_small(tl_load8(c->left + at) - s->by * tl_load8(c->end + at), NOTHING);
            tl_store8(c->left + at, r[k]);
        }
        for (int k = 0; k < d; k++) {
            tl_singles z = {0};
            for (int l = 0; l < d; l++) z += tl_load8(c->inverse + (size_t)TL_PLACE[k][l] * n + i) * r[l];
            z *= tl_load8(c->is_free + (size_t)k * n + i);
            tl_store8(c->next + (size_t)k * n + i, z);
            sum += z * r[k];
            most = tl_singles_larger(tl_singles_larger(z, -z), most);
        }
    }
    c->sum[part] = tl_singles_sum(sum);
    c->most[part] = 0;
    for (int i = 0; i < TL_SINGLES; i++) c->most[part] = fmax(c->most[part], (double)most[i]);
}

/* The way goes on, and a share of it along as before. */
TL_INLINE void go_on_part(const stage *s, int d, int part)
{
    const tl_conjugate *c = s->c;
    const size_t n = (size_t)c->slots, begin = (size_t)part * PART, end = begin + PART < n ? begin + PART : n;
    for (int k = 0; k < d; k++)
        for (size_t i = (size_t)k * n + begin; i < (size_t)k * n + end; i += TL_SINGLES)
            tl_store8(c->way + i, tl_load8(c->next + i) + s->by * tl_load8(c->way + i));
}

/* end += mass M way, of what is free; their product. */
TL_INLINE void add_masses_part(const stage *s, int d, int part)
{
    const tl_conjugate *c = s->c;
    const size_t n = (size_t)c->slots, begin = (size_t)part * PART, end = begin + PART < n ? begin + PART : n;
    tl_singles sum = {0};
    for (int k = 0; k < d; k++)
        for (size_t i = begin; i < end; i += TL_SINGLES) {
            const size_t at = (size_t)k * n + i;
            const tl_singles own = tl_load8(c->way + at), all = tl_load8(c->is_free + at) * (tl_load8(c->end + at) + s->by * tl_load8(c->mass + i) * own);
            tl_store8(c->end + at, all);
            sum += all * own;
        }
    c->sum[part] = tl_singles_sum(sum);
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
    tl_parallel_for(s->threads, parts_of(c), WORTH_PARTS, kernel, &(stage){c, tl_solid_axes(s), (float)by});
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

static bool by_box(const tl_solid *s) { return box_of(s) && !s->particles->tangent; }
static double stiffness_of(const tl_solid *s) { return s->particles->tangent ? 1 : s->scales.stiffness; }
static double mass_of(const tl_solid *s) { return s->particles->tangent ? 0 : s->scales.mass; }

static tl_box_law law_of(const tl_solid *s)
{
    const double *m = s->region[0].material.parameter;
    return (tl_box_law){tl_lame(m[0], m[1]), tl_shear_modulus(m[0], m[1]), s->particles->holding, s->particles->turned};
}

/* f = K u as M̃ has it, and what dampers make of u, in the order of particles. */
static void resist(const tl_solid *s, const double *u, double *f)
{
    tl_solid_particles *p = s->particles;
    const double scale = stiffness_of(s);
    memset(f, 0, (size_t)s->matter.nv * sizeof *f);
    if (by_box(s)) {
        const tl_box_law law = law_of(s);
        tl_box_stiffness(&p->fields.box, s->threads, &law, scale, u, f);
    } else {
        tl_particle_gradients(&p->fields, s->threads, u, p->G);
        tl_parallel_for(s->threads, p->fit.particles, WORTH, p->tangent || p->turned ? answer_of_tangents : answer_at_rest, (void *)(uintptr_t)s);
        tl_particle_pushes(&p->fields, s->threads, (const tl_columns *)p->G, scale, f);
        tl_particles_hold(s, scale * p->holding, u, f);
    }
    if (!p->tangent && s->damper) tl_solid_add_dampers(s, s->scales.damper, u, f);
}

/* end = M̃ way, where the way vanishes at what is held, and the end is left to vanish there too. Returns their product. */
static double multiply(const tl_solid *s)
{
    const tl_conjugate *c = &s->particles->solve;
    if (by_box(s) && !s->damper) {
        const tl_box_law law = law_of(s);
        tl_box_stiffness_single(&s->particles->fields.box, s->threads, &law, stiffness_of(s), c->way, c->end);
    } else {
        of_field(s, c->way, 1, c->u);
        resist(s, c->u, c->f);
        to_field(s, c->f, 1, c->end);
    }
    return of_parts(s, TL_BEST_KERNELS->add_masses, mass_of(s));
}

/* y += scale M̃ x, of what is not held. */
static void add_product(const tl_solid *s, double scale, const double *x, double *y)
{
    const int d = tl_solid_axes(s);
    const double mass = mass_of(s), *f = s->particles->solve.f;
    resist(s, x, s->particles->solve.f);
    for (int i = 0; i < s->matter.nv; i++)
        if (!s->is_held[i]) y[i] += scale * (f[i] + mass * s->M[i / d] * x[i]);
}

void tl_particles_add_product(const tl_solid *s, const double *x, double *y) { add_product(s, 1, x, y); }

/* M̃ w is what makes w, but for what the solve left: where it is known, impulses themselves make R + p vanish, however nearly it was solved. */
void tl_particles_add_impulses(const tl_solid *s, const double *w, double *y)
{
    static const double ROUNDING = 1e-12; /* of velocities, whose difference w is */
    const double *pushed = s->particles->pushed, *moved = s->particles->moved;
    double apart = 0, size = 0;
    for (int i = 0; i < s->matter.nv; i++) apart = tl_larger(apart, fabs(w[i] - moved[i])), size = tl_larger(size, fabs(moved[i]) + fabs(s->v_free[i]));
    if (!(apart <= ROUNDING * size)) tl_particles_add_product(s, w, y);
    else
        for (int i = 0; i < s->matter.nv; i++) y[i] += pushed[i];
}

/* ---- solves ---------------------------------------------------------------------------------------------------------------------- */

/* How near a solve is: r·z, and the largest of z. */
typedef struct nearness {
    double size, largest;
} nearness;

static bool near_enough(const nearness *n, const nearness *wanted) { return isfinite(n->size) && (n->size <= wanted->size || n->largest <= wanted->largest); }

/* Its largest, of what is free; no number where one of them is none. */
static double largest_of(const tl_solid *s, const double *b)
{
    double largest = 0, sum = 0;
    for (int i = 0; i < s->matter.nv; i++)
        if (!s->is_held[i]) largest = tl_larger(largest, fabs(b[i])), sum += fabs(b[i]);
    return isfinite(sum) ? largest : (double)NAN;
}

static nearness of_unit(double unit, double size, double largest) { return (nearness){unit * unit * size, unit * largest}; }

/* Fields are those of b in units of its largest. */
static nearness begin_round(const tl_solid *s, const double *b, double unit)
{
    const tl_conjugate *c = &s->particles->solve;
    const size_t n = (size_t)tl_solid_axes(s) * (size_t)c->slots;
    double largest;
    memset(c->left, 0, n * sizeof *c->left); /* of nobody, too, whatever a solve before has left */
    to_field(s, b, 1 / unit, c->left);
    for (size_t i = 0; i < n; i++) c->left[i] = c->is_free[i] != 0 ? c->left[i] : 0, c->found[i] = 0;
    memset(c->way, 0, n * sizeof *c->way), memset(c->end, 0, n * sizeof *c->end);
    const double size = advance(s, 0, &largest);
    memcpy(c->way, c->next, n * sizeof *c->way);
    return of_unit(unit, size, largest);
}

/* c->found is as near as wanted, or as a round comes. Returns its passes; −1 where a tangent softens: then as far as it went, at first as far as blocks say. */
static int go_round(const tl_solid *s, double unit, const nearness *wanted, nearness *at)
{
    const tl_conjugate *c = &s->particles->solve;
    const int most = s->matter.nv + 100;
    nearness enough = {fmax(wanted->size, ROUND * ROUND * at->size), wanted->largest};
    double size = at->size / (unit * unit), largest;
    int pass = 0;
    for (; pass < most && !near_enough(at, &enough); pass++) {
        const double resistance = multiply(s), before = size;
        if (!(resistance > 0)) { /* by rounding, where M̃ is no tangent: the next residual tells */
            if (!s->particles->tangent) return most;
            if (pass == 0) memcpy(c->found, c->next, (size_t)tl_solid_axes(s) * (size_t)c->slots * sizeof *c->found);
            return -1;
        }
        size = advance(s, size / resistance, &largest);
        *at = of_unit(unit, size, largest);
        (void)of_parts(s, TL_BEST_KERNELS->go_on, size / before);
        if (pass == TRUSTED) enough.size *= CLEARLY;
    }
    return pass;
}

/* The nearest of what rounds have found: of a slender body's smooth answer rounding leaves more than there was at first, and the next round solves for that. */
void tl_particles_solve(const tl_solid *s, double relative, double absolute, double *b)
{
    const tl_conjugate *c = &s->particles->solve;
    const int nv = s->matter.nv;
    const size_t bytes = (size_t)nv * sizeof *b;
    const double *answer = c->nearest;
    nearness wanted = {0, absolute};
    double least = (double)INFINITY, before = (double)INFINITY;
    memset(c->x, 0, bytes);
    for (int round = 0, idle = 0; round < ROUNDS; round++) {
        const double unit = largest_of(s, b);
        nearness at = unit > 0 ? begin_round(s, b, unit) : of_unit(unit, 0, 0);
        if (!isfinite(at.size)) { /* what is no number stays none */
            for (int i = 0; i < nv; i++) c->nearest[i] = (double)NAN;
            break;
        }
        if (round == 0) wanted.size = relative * relative * at.size;
        if (at.size < least) least = at.size, memcpy(c->nearest, c->x, bytes);
        idle = at.size < STALLED * before ? 0 : idle + 1, before = at.size;
        if (near_enough(&at, &wanted) || idle > 1) break;
        const nearness certain = {ROUND * ROUND * at.size, ROUND * at.largest};
        const int passes = go_round(s, unit, &wanted, &at);
        of_field(s, c->found, unit, c->u);
        for (int i = 0; i < nv; i++) c->x[i] += c->u[i];
        if (passes < 0 || (passes <= TRUSTED && near_enough(&at, &wanted) && near_enough(&certain, &wanted))) {
            answer = c->x;
            break;
        }
        add_product(s, -1, c->u, b);
    }
    memcpy(b, answer, bytes);
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
