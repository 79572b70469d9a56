/* What every kind of matter owes to the step (architecture §3, src/matter/matter.h), asked of each kind through its table of
 * operations.
 *
 * A new kind joins by a line in SUBJECTS. Each check makes its own matter and lets it move for some steps first, so that nothing
 * is tested at a special configuration. */
#include "band.h"
#include "matter/grains2.h"
#include "matter/grains3.h"
#include "matter/mechanism.h"
#include "matter/solid.h"
#include "step/schemes.h"
#include "test.h"

/* ---- subjects ----------------------------------------------------------------------------------------------------- */

static void wave(void *user, double t, double out[3])
{
    const double *p = user; /* amplitude, ω, start */
    out[0] = p[2] + p[0] * sin(p[1] * t);
    out[1] = p[0] * p[1] * cos(p[1] * t);
    out[2] = -p[0] * p[1] * p[1] * sin(p[1] * t);
}
static const double GENTLE[3] = {0.1, 3, 0}, CRANK[3] = {0.5, 3, 1};

static talus_motion motion(const double *p) { return (talus_motion){wave, (void *)(uintptr_t)p}; }

static tl_matter *make_grains(void)
{
    tl_grains2 *g = tl_grains2_create(tl_memory_default());
    if (!g) TEST_STOP("no grains");
    for (int i = 0; i < 6; i++) {
        const int k = tl_grains2_add(g);
        g->kind[k] = i == 2 ? TALUS_BODY_IMPOSED : i == 4 ? TALUS_BODY_FIXED : TALUS_BODY_FREE;
        g->mass[k] = 0.5 + i, g->inertia[k] = 0.1 + 0.03 * i;
        g->inverse_mass[k] = g->kind[k] == TALUS_BODY_FREE ? 1 / g->mass[k] : 0;
        g->inverse_inertia[k] = g->kind[k] == TALUS_BODY_FREE ? 1 / g->inertia[k] : 0;
        g->q[k] = g->start[k] = (tl_twist2){0.3 * i, 0.1 * i * i, 0.4 * i};
        if (g->kind[k] == TALUS_BODY_FREE) g->v[k] = (tl_twist2){0.2 * i - 0.5, 1 - 0.3 * i, 2 - i};
    }
    g->motion[2][0] = g->motion[2][2] = motion(GENTLE);
    g->origin[2] = (tl_vec2){-0.1, 0.2};
    tl_grains2_place_boundaries(g, 0);
    return &g->matter;
}

static tl_matter *make_spatial_grains(void)
{
    tl_grains3 *g = tl_grains3_create(tl_memory_default());
    if (!g) TEST_STOP("no grains");
    for (int i = 0; i < 6; i++) {
        const int k = tl_grains3_add(g);
        const double shape = i == 3 ? 0 : 0.02 * i; /* one is round */
        g->kind[k] = i == 2 ? TALUS_BODY_IMPOSED : i == 4 ? TALUS_BODY_FIXED : TALUS_BODY_FREE;
        g->mass[k] = 0.5 + i, g->inertia[k] = tl_v3(0.1, 0.1 + shape, 0.1 + 0.5 * shape);
        tl_grains3_settle_kind(g, k);
        g->q[k].p = tl_v3(0.3 * i, 0.1 * i * i, -0.2 * i);
        g->q[k].q = tl_quat_exp(tl_v3(0.4 * i, -0.2 * i, 0.1));
        g->user[k] = (tl_pose3){tl_v3(-0.1 * i, 0.2, 0.05), tl_quat_exp(tl_v3(0.3, 0.2 * i, 0))};
        g->start[k] = (tl_pose3){tl_v3(0.3 * i, 0.1, 0.2), tl_quat_exp(tl_v3(0, 0.1 * i, 0.3))};
        if (g->kind[k] == TALUS_BODY_FREE) g->v[k] = (tl_twist3){tl_v3(0.2 * i - 0.5, 1 - 0.3 * i, 0.4), tl_v3(2 - i, 1, 0.5 * i)};
    }
    g->course[2].displacement[0] = g->course[2].turn = motion(GENTLE);
    g->course[2].axis = tl_normalize(tl_v3(0.3, 0.2, 1));
    tl_grains3_place_boundaries(g, 0);
    return &g->matter;
}

static int add_link(tl_mechanism *m, double mass, double cx, double cy, double cz)
{
    tl_error error;
    talus_link_def d = {.struct_size = sizeof d, .mass = mass, .centre_of_mass = {cx, cy, cz}};
    const double inertia[6] = {0.02 * mass, 0.03 * mass, 0.04 * mass, 0.002 * mass, -0.003 * mass, 0.001 * mass};
    memcpy(d.inertia, inertia, sizeof inertia);
    int link = -1;
    MUST(tl_mechanism_add_link(m, &d, &link, &error), error);
    return link;
}

static int add_joint(tl_mechanism *m, talus_joint_kind kind, int parent, int child, double at_x, const double axis[3], const double *position,
                     const double *velocity)
{
    tl_error error;
    talus_joint_def d = {.struct_size = sizeof d,
                         .kind = kind,
                         .parent_quat = {1, 0, 0, 0},
                         .parent_point = {at_x, 0, 0},
                         .axis = {axis[0], axis[1], axis[2]},
                         .axis2 = {1, 0, 0}};
    if (axis[0] != 0) d.axis2[0] = 0, d.axis2[1] = 1;
    memcpy(d.position, position, sizeof d.position);
    memcpy(d.velocity, velocity, sizeof d.velocity);
    int joint = -1;
    MUST(tl_mechanism_add_joint(m, &d, parent, child, &joint, &error), error);
    return joint;
}

static const double X[3] = {1, 0, 0}, Y[3] = {0, 1, 0}, Z[3] = {0, 0, 1};

static tl_mechanism *new_mechanism(const char *name, bool planar)
{
    tl_mechanism *m = tl_mechanism_create(tl_memory_default(), name, planar);
    if (!m) TEST_STOP("no mechanism");
    return m;
}

static void add_spring(tl_mechanism *m, int joint, double stiffness)
{
    tl_error error;
    talus_joint_force_def d = {.struct_size = sizeof d, .stiffness = stiffness, .limit = (double)INFINITY, .friction_velocity = 1e-3};
    MUST(tl_mechanism_add_force(m, joint, &d, NULL, &error), error);
}

static tl_matter *assembled(tl_mechanism *m)
{
    tl_error error = {0};
    const char *warnings = NULL;
    tl_matter *matter = tl_mechanism_matter(m);
    MUST(matter->ops->assemble(matter, 0, &warnings, &error), error);
    CHECK(warnings && !*warnings);
    return matter;
}

/* A ground pivot at 0, bars of the given lengths, the last end pinned to (1, 0). */
static tl_mechanism *bars(const char *name, int n, const double *length, const double *angle, double spin)
{
    tl_mechanism *m = new_mechanism(name, true);
    tl_error error;
    int link = -1;
    for (int i = 0; i < n; i++) {
        const int child = add_link(m, 1 + i, 0.5 * length[i], 0.02, 0);
        const double q[TALUS_JOINT_POSITIONS] = {angle[i]}, v[TALUS_JOINT_RATES] = {i == 0 ? spin : (double)NAN};
        const int joint = add_joint(m, TALUS_JOINT_REVOLUTE, link, child, i ? length[i - 1] : 0, Z, q, v);
        if (i == 1) add_spring(m, joint, 7);
        link = child;
    }
    talus_loop_def loop = {.struct_size = sizeof loop,
                           .kind = TALUS_LOOP_POINT,
                           .point_a = {length[n - 1], 0, 0},
                           .point_b = {1, 0, 0},
                           .axis_a = {0, 0, 1},
                           .axis_b = {0, 0, 1},
                           .quat_a = {1, 0, 0, 0},
                           .quat_b = {1, 0, 0, 0},
                           .ratio = 1};
    int index;
    MUST(tl_mechanism_add_loop(m, &loop, &(tl_loop_ends){{link, -1}, {-1, -1}}, &index, &error), error);
    return m;
}

static tl_matter *make_four_bar(void) { return assembled(bars("four bar", 3, (double[]){0.3, 0.9, 0.6}, (double[]){1.05, -0.7, -1.9}, 2)); }

/* Two degrees of freedom, one of them driven. */
static tl_matter *make_driven_five_bar(void)
{
    tl_mechanism *m = bars("five bar", 4, (double[]){0.3, 0.8, 0.8, 0.4}, (double[]){1, -0.2, -1.2, -1.2}, 1.5);
    tl_error error;
    const talus_drive_def drive = {.struct_size = sizeof drive, .position = motion(CRANK)};
    MUST(tl_mechanism_add_drive(m, 0, &drive, &error), error);
    return assembled(m);
}

static tl_mechanism *chain(const char *name)
{
    tl_mechanism *m = new_mechanism(name, false);
    const talus_joint_kind kinds[] = {TALUS_JOINT_SPHERICAL,   TALUS_JOINT_REVOLUTE,  TALUS_JOINT_UNIVERSAL,
                                      TALUS_JOINT_CYLINDRICAL, TALUS_JOINT_PRISMATIC, TALUS_JOINT_SCREW};
    const double *axes[] = {Z, Y, Y, X, Y, Z};
    int link = -1;
    for (int i = 0; i < 6; i++) {
        const int child = add_link(m, 2 - 0.2 * i, 0.2, 0.05 * i, -0.03);
        const double quaternion[TALUS_JOINT_POSITIONS] = {0.9, 0.1, -0.3, 0.2}, q[TALUS_JOINT_POSITIONS] = {0.3, 0.2};
        const double v[TALUS_JOINT_RATES] = {i == 5 ? (double)NAN : 0.5, -0.4, 0.3}; /* a loop may decide about the last one */
        const int joint = add_joint(m, kinds[i], link, child, i ? 0.4 : 0, axes[i], i ? q : quaternion, v);
        if (i) add_spring(m, joint, 20); /* nothing runs away */
        link = child;
    }
    const int loose = add_link(m, 0.7, 0.1, 0, 0);
    const double at[TALUS_JOINT_POSITIONS] = {1, 2, 3, 0.8, 0, 0.6, 0}, v[TALUS_JOINT_RATES] = {0.1, -0.2, 0.3, 1, -2, 0.5};
    add_joint(m, TALUS_JOINT_FREE, -1, loose, 0, Z, at, v);
    return m;
}

static tl_matter *make_chain(void) { return assembled(chain("chain")); }

/* The chain's end on a rod to the ground. */
static tl_matter *make_chain_on_rod(void)
{
    tl_mechanism *m = chain("chain on a rod");
    tl_error error;
    talus_loop_def loop = {.struct_size = sizeof loop,
                           .kind = TALUS_LOOP_ROD,
                           .point_a = {0.1, 0, 0},
                           .point_b = {0, 0, 2},
                           .length = 2,
                           .axis_a = {0, 0, 1},
                           .axis_b = {0, 0, 1},
                           .quat_a = {1, 0, 0, 0},
                           .quat_b = {1, 0, 0, 0},
                           .ratio = 1};
    int index;
    MUST(tl_mechanism_add_loop(m, &loop, &(tl_loop_ends){{5, -1}, {-1, -1}}, &index, &error), error);
    return assembled(m);
}

/* A matter of the tests alone, moving along and across itself. */
static tl_matter *make_band(const tl_matter_ops *ops, int dimension, bool held)
{
    band *b = new_band(ops, 6, dimension, 0.3, held);
    const char *warnings = NULL;
    tl_error error = {0};
    b->mass = 0.7, b->stiffness = 90;
    for (int i = 0; i < b->matter.nv; i++) b->q[i] += 0.1 * sin(2 * i), b->v[i] = cos(3 * i);
    MUST(ops->assemble(&b->matter, 0, &warnings, &error), error);
    CHECK(warnings && (*warnings == 0) == held);
    return &b->matter;
}
static tl_matter *make_planar_band(void) { return make_band(&BAND, 2, true); }
static tl_matter *make_spatial_band(void) { return make_band(&BAND_WITH_ROWS, 3, true); }
static tl_matter *make_loose_band(void) { return make_band(&BAND, 3, false); }

/* A bar of two elements along x, held at one end; in the plane of quadrilaterals, in space of hexahedra. The last node of the held end moves, or none does. Its
 * surface takes contacts where one is asked for. With large rotations its free nodes are turned by 0.3 rad, too. */
typedef struct bar {
    int dimension;
    bool driven, expecting, consistent, large;
} bar;

typedef struct solid_surface { /* of its dimension */
    tl_shape2 flat;
    tl_shape3 solid;
} solid_surface;

static tl_matter *make_bar(const bar *of, solid_surface *surface)
{
    const int dimension = of->dimension;
    const bool driven = of->driven, expecting = of->expecting, consistent = of->consistent;
    static const double PLACE[12][3] = {{0, 0, 0}, {1, 0.1, 0}, {2, 0, 0}, {0, 1, 0}, {0.9, 1, 0}, {2.1, 1, 0},
                                        {0, 0, 1}, {1, 0, 1.1}, {2, 0, 1}, {0, 1, 1}, {0.9, 1, 1}, {2, 1.1, 1}};
    static const int QUADRILATERAL[8] = {0, 1, 4, 3, 1, 2, 5, 4}, HEXAHEDRON[16] = {0, 1, 4, 3, 6, 7, 10, 9, 1, 2, 5, 4, 7, 8, 11, 10};
    const tl_element_kind *kind[2] = {dimension == 2 ? &TL_QUADRILATERAL4 : &TL_HEXAHEDRON8, dimension == 2 ? &TL_QUADRILATERAL4 : &TL_HEXAHEDRON8};
    const tl_solid_region region = {.material = {&TL_ELASTIC, {40, 0.3}}, .strain = TALUS_STRAIN_ENHANCED, .density = 1.3};
    const tl_solid_def def = {.name = "bar",
                              .mesh = {dimension, dimension == 2 ? 6 : 12, 2, PLACE, kind, dimension == 2 ? QUADRILATERAL : HEXAHEDRON},
                              .regions = 1,
                              .region = &region,
                              .thickness = 0.8,
                              .consistent_mass = consistent,
                              .large_rotations = of->large};
    tl_matter *m = NULL;
    tl_error error = {0};
    const talus_motion gentle = motion(GENTLE);
    const char *warnings = NULL;
    MUST(tl_solid_create(tl_memory_default(), &def, &m, &error), error);
    for (int node = 0; node < def.mesh.nodes; node += 3)
        for (int axis = 0; axis < dimension; axis++) MUST(tl_solid_hold(m, node, axis, driven && node == 3 && axis == 0 ? &gentle : NULL, &error), error);
    for (int node = 0; expecting && node < def.mesh.nodes; node++) tl_solid_expect(m, node);
    const tl_element_mesh *mesh = tl_solid_mesh(m);
    if (surface) {
        MUST(tl_solid_expect_faces(m, mesh->face, mesh->faces, &error), error);
        const talus_solid_contact all = {.face = mesh->face, .faces = mesh->faces};
        if (dimension == 2) MUST(tl_solid_make_outline(m, &all, &surface->flat, &error), error);
        else MUST(tl_solid_make_surface(m, &all, &surface->solid, &error), error);
    }
    tl_field field[4];
    m->ops->fields(m, field, 4);
    for (int i = 0; i < m->nv; i++) ((double *)field[0].data)[i] = 0.05 * sin(2 * i), ((double *)field[1].data)[i] = 0.3 * cos(3 * i);
    const tl_mat3 Q = tl_mat3_rotation(tl_v3(0, 0, 1), 0.3);
    for (int i = 0; i < def.mesh.nodes && of->large; i++) { /* of what is held, as it is held */
        double at[3];
        tl_store3(at, tl_sub(tl_mat3_apply(&Q, tl_load3(PLACE[i])), tl_load3(PLACE[i])));
        for (int a = 0; a < dimension && i % 3 > 0; a++) ((double *)field[0].data)[dimension * i + a] += at[a];
    }
    MUST(m->ops->assemble(m, 0, &warnings, &error), error);
    CHECK(warnings && *warnings == 0);
    return m;
}
/* A lattice of 3 × 3 particles, in space of 3 × 3 × 3, held by one side; the free ones turned by 0.3 rad. */
static tl_matter *make_lattice(int dimension)
{
    static double place[27][3];
    static int node[64];
    static const tl_element_kind *kind[8];
    const int nodes = dimension == 2 ? 9 : 27, elements = dimension == 2 ? 4 : 8, corners = dimension == 2 ? 4 : 8;
    static const int CORNER[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
    for (int i = 0; i < nodes; i++) place[i][0] = i % 3, place[i][1] = i / 3 % 3, place[i][2] = i / 9;
    for (int e = 0; e < elements; e++) {
        kind[e] = dimension == 2 ? &TL_QUADRILATERAL4 : &TL_HEXAHEDRON8;
        for (int k = 0; k < corners; k++) node[corners * e + k] = e % 2 + CORNER[k][0] + 3 * (e / 2 % 2 + CORNER[k][1]) + 9 * (e / 4 + CORNER[k][2]);
    }
    const tl_solid_region region = {.material = {&TL_ELASTIC, {40, 0.3}}, .density = 1.3};
    const tl_solid_def def = {.name = "lattice",
                              .mesh = {dimension, nodes, elements, (const double(*)[3])place, kind, node},
                              .regions = 1,
                              .region = &region,
                              .thickness = 0.8,
                              .influence = dimension == 2 ? 1.8 : 1.95,
                              .stretch = 5};
    tl_matter *m = NULL;
    tl_error error = {0};
    const char *warnings = NULL;
    tl_field field[4];
    MUST(tl_solid_create(tl_memory_default(), &def, &m, &error), error);
    for (int i = 0; i < nodes; i += 3)
        for (int axis = 0; axis < dimension; axis++) MUST(tl_solid_hold(m, i, axis, NULL, &error), error);
    for (int i = 0; i < nodes; i++) tl_solid_expect(m, i);
    m->ops->fields(m, field, 4);
    const tl_mat3 Q = tl_mat3_rotation(tl_v3(0, 0, 1), 0.15);
    for (int i = 0; i < m->nv; i++) ((double *)field[0].data)[i] = 0.03 * sin(2 * i), ((double *)field[1].data)[i] = 0.3 * cos(3 * i);
    for (int i = 0; i < nodes; i++) {
        double at[3];
        tl_store3(at, tl_sub(tl_mat3_apply(&Q, tl_load3(place[i])), tl_load3(place[i])));
        for (int a = 0; a < dimension && i % 3 > 0; a++) ((double *)field[0].data)[dimension * i + a] += at[a];
    }
    MUST(m->ops->assemble(m, 0, &warnings, &error), error);
    CHECK(warnings && *warnings == 0);
    return m;
}
static tl_matter *make_planar_lattice(void) { return make_lattice(2); }
static tl_matter *make_spatial_lattice(void) { return make_lattice(3); }

static tl_matter *make_planar_solid(void) { return make_bar(&(bar){2, false, true, true, false}, NULL); }
static tl_matter *make_spatial_solid(void) { return make_bar(&(bar){3, false, true, false, false}, NULL); }
static tl_matter *make_planar_turning(void) { return make_bar(&(bar){2, false, true, false, true}, NULL); }
static tl_matter *make_spatial_turning(void) { return make_bar(&(bar){3, false, true, true, true}, NULL); }
static tl_matter *make_driven_solid(void) { return make_bar(&(bar){3, true, false, true, false}, NULL); }

typedef struct subject {
    const char *name;
    tl_matter *(*make)(void);
    int items;
    bool planar, conservative;
    int own;      /* > 0: an impulse on an item changes that many velocities, those of the item, only */
    bool points;  /* items do not turn: no torque on them */
    bool coupled; /* inertia lies between items, too */
    bool knows;   /* has the response of ports at less than a solve each */
} subject;

static const subject SUBJECTS[] = {
    {"grains", make_grains, 6, true, true, 3, false, false, false},
    {"spatial grains", make_spatial_grains, 6, false, true, 6, false, false, false},
    {"four bar", make_four_bar, 3, true, true, 0, false, false, false},
    {"driven five bar", make_driven_five_bar, 4, true, false, 0, false, false, false},
    {"spatial chain", make_chain, 7, false, true, 0, false, false, false},
    {"spatial chain on a rod", make_chain_on_rod, 7, false, true, 0, false, false, false},
    {"band", make_planar_band, 6, true, true, 0, false, false, false},
    {"spatial band that says rows", make_spatial_band, 6, false, true, 0, false, false, false},
    {"loose band", make_loose_band, 6, false, true, 0, false, false, false},
    {"planar solid", make_planar_solid, 6, true, true, 0, true, true, true},
    {"spatial solid", make_spatial_solid, 12, false, true, 0, true, false, true},
    {"planar solid of large rotations", make_planar_turning, 6, true, true, 0, true, false, true},
    {"spatial solid of large rotations", make_spatial_turning, 12, false, true, 0, true, true, true},
    {"driven solid", make_driven_solid, 12, false, false, 0, true, true, false},
    {"planar meshfree solid", make_planar_lattice, 9, true, true, 0, true, false, true},
    {"spatial meshfree solid", make_spatial_lattice, 27, false, true, 0, true, false, true},
};
enum { SUBJECT_COUNT = sizeof SUBJECTS / sizeof *SUBJECTS };

/* ---- the bench ---------------------------------------------------------------------------------------------------- */

static tl_random rnd;
static tl_arena *arena;
static tl_threads *threads;
static tl_error error_text;

static double uniform(double low, double high) { return tl_random_uniform(&rnd, low, high); }

static tl_step at_time(const subject *s, double t, double h)
{
    tl_arena_reset(arena);
    return (tl_step){.t = t,
                     .h = h,
                     .theta = 0.5,
                     .gravity = {0.5, -9.81, 0},
                     .force_passes = 2,
                     .planar = s->planar,
                     .arena = arena,
                     .threads = threads,
                     .error = &error_text};
}

static double *new_vector(int n)
{
    double *v = tl_arena_zero(arena, (size_t)n + 1, sizeof *v);
    if (!v) TEST_STOP("no memory");
    return v;
}

/* A step without contacts; with `w`, that positional correction. */
static void free_step(tl_matter *m, tl_step *step, const double *w)
{
    MUST(tl_moreau_predict(m, step), error_text);
    MUST(m->ops->bind(m, step, NULL, 0), error_text);
    double *v = new_vector(m->nv);
    if (m->nv) memcpy(v, m->v_free, (size_t)m->nv * sizeof *v);
    MUST(tl_moreau_finish(m, step, v, w), error_text);
    m->ops->commit(m, step);
}

/* Some steps of a random length into the motion; returns the time. */
static double warm_up(const subject *s, tl_matter *m, double h)
{
    for (int i = 0; i < 20; i++) {
        tl_step step = at_time(s, i * h, h);
        free_step(m, &step, NULL);
    }
    return 20 * h;
}

static tl_vec3 attached(const tl_matter *m, int item, tl_vec3 p)
{
    const tl_frame f = m->ops->frame(m, item);
    return tl_add(f.p, tl_mat3_apply(&f.R, p));
}

static tl_vec3 random_point(const subject *s) { return tl_v3(uniform(-0.5, 0.5), uniform(-0.5, 0.5), s->planar ? 0 : uniform(-0.5, 0.5)); }

/* A port where the point p of an item lies at q_m, with random axes (in the plane for planar matter). */
static tl_port make_port(const subject *s, const tl_matter *m, int item, tl_vec3 p, bool world_axes)
{
    tl_port port = {.item = item};
    tl_store3(port.x, attached(m, item, p));
    const double angle = uniform(-4, 4);
    const tl_vec3 about = s->planar ? tl_v3(0, 0, 1) : tl_normalize(tl_v3(uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)));
    const tl_mat3 R = world_axes ? tl_mat3_identity() : tl_mat3_rotation(about, angle);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) port.axes[i][k] = R.m[k][i];
    return port;
}

/* Hash of the whole state. */
static uint64_t state_of(const tl_matter *m)
{
    tl_field f[16];
    const int n = m->ops->fields(m, f, 16);
    uint64_t hash = 1;
    CHECK(n > 0 && n <= 16);
    for (int i = 0; i < n && i < 16; i++) {
        CHECK(f[i].name && f[i].name[0] && f[i].unit && f[i].meaning);
        hash = tl_hash(f[i].data, (size_t)f[i].rows * (size_t)f[i].columns * (f[i].integer ? 4 : 8), hash);
    }
    return hash;
}

/* ---- the checks --------------------------------------------------------------------------------------------------- */

enum { PORTS = 5, ROWS = 3 * PORTS };

/* Is W + shift positive definite? */
static bool positive(double W[ROWS][ROWS], int n, double shift)
{
    double A[ROWS * ROWS];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) A[i * n + j] = 0.5 * (W[i][j] + W[j][i]) + (i == j ? shift : 0);
    return tl_cholesky(A, n);
}

/* M̃, symmetric, times a row of M̃⁻¹ H is that of H. */
/* What a matter says of its ports without a solve for each is W. */
static void check_response(const tl_matter *m, const tl_ports *ports, double (*W)[ROWS], double largest)
{
    const int axes = ports->axes;
    double I[PORTS][3] = {{0}}, V[PORTS][3], C[3][3];
    for (int i = 0; i < ports->count; i++)
        for (int a = 0; a < axes; a++) I[i][a] = uniform(-1, 1);
    m->ops->exchange(m, ports, (const double(*)[3])I, V);
    for (int i = 0; i < ports->count; i++) {
        double sum[3] = {0, 0, 0};
        for (int j = 0; j < ports->count; j++) {
            m->ops->response(m, &ports->port[j], &ports->port[i], C);
            for (int a = 0; a < axes; a++)
                for (int b = 0; b < axes; b++) {
                    CHECK_NEAR(C[a][b], W[axes * i + a][axes * j + b], 1e-12 * largest);
                    sum[a] += C[a][b] * I[j][b];
                }
        }
        for (int a = 0; a < axes; a++) CHECK_NEAR(V[i][a], sum[a], 1e-11 * largest);
    }
}

static void check_mass(const tl_matter *m, const double *H, const double *inverse_H)
{
    if (!m->ops->mass) return;
    const int nv = m->nv;
    double *M = new_vector(nv * nv + 1);
    M[nv * nv] = 1e300;
    m->ops->mass(m, M);
    CHECK(M[nv * nv] == 1e300);
    for (int i = 0; i < nv; i++) {
        double sum = 0, size = fabs(H[i]);
        for (int j = 0; j < nv; j++) {
            CHECK_NEAR(M[i * nv + j], M[j * nv + i], 1e-14 * (M[i * nv + i] + M[j * nv + j]));
            sum += M[i * nv + j] * inverse_H[j];
            size += fabs(M[i * nv + j] * inverse_H[j]);
        }
        CHECK_NEAR(sum, H[i], 1e-11 * size);
    }
}

/* W = Hᵀ M̃⁻¹ H over several ports: symmetric, positive semidefinite; velocity and impulse linear, impulse adding; rows()
 * and mass() agreeing; nothing written outside the nv numbers, nor to the state; and of the right size: an impulse changes the kinetic
 * energy by Iᵀ V + ½ Iᵀ W I, where energy() knows nothing of M̃⁻¹. */
static void check_delassus(const subject *s)
{
    for (int round = 0; round < 20; round++) {
        tl_matter *m = s->make();
        const double t = warm_up(s, m, uniform(1e-3, 5e-3)), h = 1e-9; /* so short that q stays where it is */
        tl_step step = at_time(s, t, h);
        memset(step.gravity, 0, sizeof step.gravity);
        double kinetic, after, potential;
        m->ops->energy(m, step.gravity, &kinetic, &potential);
        const uint64_t state = state_of(m);
        MUST(tl_moreau_predict(m, &step), error_text);
        tl_port ports[PORTS];
        for (int i = 0; i < PORTS; i++) ports[i] = make_port(s, m, tl_random_int(&rnd, s->items), random_point(s), false);
        MUST(m->ops->bind(m, &step, ports, PORTS), error_text);
        const int nv = m->nv, axes = s->planar ? 2 : 3, n = axes * PORTS;
        double W[ROWS][ROWS], largest = 0;
        double *guarded = new_vector(nv + 8), *v = guarded + 4;
        for (int j = 0; j < n; j++) {
            for (int i = 0; i < nv + 8; i++) guarded[i] = i < 4 || i >= nv + 4 ? 1e300 : 0;
            double I[3] = {0, 0, 0}, V[3];
            I[j % axes] = 1;
            const tl_port *p = &ports[j / axes];
            m->ops->impulse(m, p, I, v);
            for (int i = 0; i < 4; i++) CHECK(guarded[i] == 1e300 && guarded[nv + 4 + i] == 1e300);
            for (int i = 0; s->own > 0 && i < nv; i++) CHECK(i / s->own == p->item || v[i] == 0);
            for (int i = 0; i < n; i++) {
                m->ops->velocity(m, &ports[i / axes], v, false, V);
                W[i][j] = V[i % axes];
                largest = fmax(largest, fabs(V[i % axes]));
            }
            if (m->ops->rows) {
                const double *H, *inverse_H;
                m->ops->rows(m, p, &H, &inverse_H);
                for (int i = 0; i < nv; i++) CHECK_NEAR(inverse_H[(j % axes) * nv + i], v[i], 1e-13 * (1 + fabs(v[i])));
                double sum = 0;
                for (int i = 0; i < nv; i++) sum += H[(j % axes) * nv + i] * v[i];
                CHECK_NEAR(sum, W[j][j], 1e-13 * (1 + largest));
                check_mass(m, &H[(j % axes) * nv], &inverse_H[(j % axes) * nv]);
            }
        }
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) CHECK_NEAR(W[i][j], W[j][i], 1e-12 * largest);
        CHECK(positive(W, n, 1e-11 * largest + 1e-300));
        if (m->ops->reach) {
            const tl_ports all = {ports, PORTS, axes};
            double reach = 0;
            MUST(m->ops->reach(m, &step, &all, 0.1, &reach), error_text);
            CHECK((reach >= 0) == s->knows);
            if (reach >= 0) check_response(m, &all, W, largest);
        }
        /* the check would see a negative direction */
        double spoiled[ROWS][ROWS];
        memcpy(spoiled, W, sizeof W);
        for (int i = 0; i < n; i++) spoiled[0][i] *= -1, spoiled[i][0] *= -1;
        spoiled[0][0] = -W[0][0];
        if (W[0][0] > 1e-6 * largest) CHECK(!positive(spoiled, n, 1e-11 * largest + 1e-300));

        /* several impulses at once, on top of v_free: V = V_free + W I, ΔT = Iᵀ (V_free + ½ W I) */
        double I[ROWS], V_free[ROWS], work = 0, size = kinetic + 1e-3;
        for (int i = 0; i < nv; i++) v[i] = m->v_free[i];
        for (int i = 0; i < n; i++) {
            double V[3], without[3], U[3];
            I[i] = uniform(-1, 1);
            m->ops->velocity(m, &ports[i / axes], v, true, V);
            m->ops->velocity(m, &ports[i / axes], v, false, without);
            const double *zero = new_vector(nv);
            m->ops->velocity(m, &ports[i / axes], zero, true, U);
            CHECK_NEAR(V[i % axes], without[i % axes] + U[i % axes], 1e-13 * (1 + fabs(V[i % axes])));
            V_free[i] = without[i % axes]; /* on what is imposed an impulse works too, but that energy is the drive's */
        }
        double each[PORTS][3];
        for (int k = 0; k < PORTS; k++) {
            for (int axis = 0; axis < 3; axis++) each[k][axis] = axis < axes ? I[axes * k + axis] : 0;
            if (!m->ops->impulses) m->ops->impulse(m, &ports[k], each[k], v);
            m->ops->accumulate(m, &ports[k], each[k]);
        }
        if (m->ops->impulses) m->ops->impulses(m, &(tl_ports){ports, PORTS, axes}, (const double(*)[3])each, v);
        for (int i = 0; i < n; i++) {
            double V[3], WI = 0;
            m->ops->velocity(m, &ports[i / axes], v, false, V);
            for (int j = 0; j < n; j++) WI += W[i][j] * I[j];
            CHECK_NEAR(V[i % axes], V_free[i] + WI, 1e-12 * (1 + fabs(V_free[i]) + n * largest));
            work += I[i] * (V_free[i] + 0.5 * WI);
            size += fabs(I[i]) * (fabs(V_free[i]) + fabs(WI));
        }
        MUST(tl_moreau_finish(m, &step, v, NULL), error_text);
        CHECK(state_of(m) == state); /* all of this was scratch */
        m->ops->commit(m, &step);
        CHECK(state_of(m) != state);
        m->ops->energy(m, step.gravity, &after, &potential);
        if (s->conservative) CHECK_NEAR(after - kinetic, work, 1e-6 * size);
        m->ops->destroy(m);
    }
}

/* x(t+h) − x(t) = h/2 (V⁻ + V⁺) + O(h³) at points fixed in the bodies, for V by H at q_m. */
static double kinematic_error(const subject *s, double h, uint64_t seed)
{
    tl_matter *m = s->make();
    rnd = tl_random_seed(seed);
    const double t = warm_up(s, m, 4e-3);
    tl_vec3 point[PORTS], before[PORTS];
    tl_port port[PORTS];
    double worst = 0, V0[PORTS][3], V1[3];
    for (int i = 0; i < PORTS; i++) {
        point[i] = random_point(s);
        port[i].item = (int)((seed + (uint64_t)i) % (uint64_t)s->items);
        before[i] = attached(m, port[i].item, point[i]);
    }
    tl_step step = at_time(s, t, h);
    MUST(tl_moreau_predict(m, &step), error_text);
    for (int i = 0; i < PORTS; i++) port[i] = make_port(s, m, port[i].item, point[i], true);
    MUST(m->ops->bind(m, &step, port, PORTS), error_text);
    double *v = new_vector(m->nv);
    for (int i = 0; i < m->nv; i++) v[i] = m->v_free[i] + h * 3; /* some change of velocity on top */
    double V_after[PORTS][3];
    for (int i = 0; i < PORTS; i++) {
        m->ops->velocity_before(m, &port[i], V0[i]);
        m->ops->velocity(m, &port[i], v, true, V1);
        memcpy(V_after[i], V1, sizeof V1);
    }
    MUST(tl_moreau_finish(m, &step, v, NULL), error_text);
    m->ops->commit(m, &step);
    for (int i = 0; i < PORTS; i++) {
        const tl_vec3 now = attached(m, port[i].item, point[i]), way = tl_sub(now, before[i]);
        const double moved[3] = {way.x, way.y, way.z};
        for (int k = 0; k < (s->planar ? 2 : 3); k++) worst = fmax(worst, fabs(moved[k] / h - 0.5 * (V0[i][k] + V_after[i][k])));
    }
    m->ops->destroy(m);
    return worst;
}

static void check_kinematics(const subject *s)
{
    for (uint64_t seed = 1; seed <= 10; seed++) {
        const double coarse = kinematic_error(s, 4e-3, seed), fine = kinematic_error(s, 1e-3, seed);
        CHECK(coarse < 0.05); /* velocities are of order 1, (ωh)² ~ 1e-3 */
        /* second order: 16 times less; 10 leaves room for the next order; rounding of a place, 1e-15/h, and closed loops, 1e-12/h
         * */
        CHECK_NEAR(fine, 0, coarse / 10 + 2e-9);
    }
}

/* Free motion of a conservative system: the error of the total energy falls with h² (midpoint forces). That ties the forces to
 * the energies, and the inertia to the kinetic one. */
static double energy_error(const subject *s, double h)
{
    tl_matter *m = s->make();
    tl_step step = at_time(s, 0, h);
    double kinetic, potential, start, worst = 0;
    m->ops->energy(m, step.gravity, &kinetic, &potential);
    start = kinetic + potential;
    const int n = (int)lround(0.4 / h);
    for (int i = 0; i < n; i++) {
        step = at_time(s, i * h, h);
        free_step(m, &step, NULL);
        m->ops->energy(m, step.gravity, &kinetic, &potential);
        worst = fmax(worst, fabs(kinetic + potential - start));
    }
    m->ops->destroy(m);
    return worst;
}

static void check_energy(const subject *s)
{
    if (!s->conservative) return;
    const double coarse = energy_error(s, 2e-3), fine = energy_error(s, 5e-4);
    CHECK(coarse < 0.1); /* of tens of joules that are exchanged */
    CHECK_NEAR(fine, 0, coarse / 10 + 1e-9);
}

/* Velocities that change by h a and positions by h (v + h a/2) keep the energy of a conservative system but for h²: the
 * acceleration is that of the forces and the mass that the energies have. */
static double power_error(const subject *s, double h)
{
    tl_matter *m = s->make();
    const double t = warm_up(s, m, 3e-3);
    tl_step step = at_time(s, t, h);
    double kinetic, potential, before, *v = new_vector(m->nv), *a = new_vector(m->nv), *mean = new_vector(m->nv);
    m->ops->energy(m, step.gravity, &kinetic, &potential);
    before = kinetic + potential;
    m->ops->start_velocity(m, v);
    MUST(m->ops->place(m, &step, &(tl_move){.t = t}), error_text);
    if (m->ops->inertia) MUST(m->ops->inertia(m, &step, 1, 0), error_text);
    MUST(m->ops->acceleration(m, &step, t, v, a), error_text);
    for (int i = 0; i < m->nv; i++) mean[i] = v[i] + 0.5 * h * a[i], v[i] += h * a[i];
    MUST(m->ops->place(m, &step, &(tl_move){.t = t + h, .span = h, .v = mean}), error_text);
    if (m->ops->inertia) MUST(m->ops->inertia(m, &step, 0, 0), error_text);
    MUST(m->ops->arrive(m, &step, 0, v, NULL), error_text);
    m->ops->commit(m, &step);
    m->ops->energy(m, step.gravity, &kinetic, &potential);
    m->ops->destroy(m);
    return fabs(kinetic + potential - before);
}

static void check_power(const subject *s)
{
    if (!s->conservative) return;
    const double coarse = power_error(s, 4e-3), fine = power_error(s, 1e-3);
    CHECK(coarse < 0.1); /* of tens of joules that are exchanged */
    CHECK_NEAR(fine, 0, coarse / 10 + 1e-9);
}

/* A positional correction w moves each point by h H w and no velocity of the local kinds. */
static double correction_error(const subject *s, double h)
{
    tl_vec3 place[2][PORTS], point[PORTS];
    double wanted[PORTS][3], worst = 0;
    for (int corrected = 0; corrected < 2; corrected++) {
        rnd = tl_random_seed(77);
        tl_matter *m = s->make();
        const double t = warm_up(s, m, 4e-3);
        tl_step step = at_time(s, t, h);
        MUST(tl_moreau_predict(m, &step), error_text);
        tl_port port[PORTS];
        for (int i = 0; i < PORTS; i++) {
            point[i] = random_point(s);
            port[i] = make_port(s, m, i % s->items, point[i], true);
        }
        MUST(m->ops->bind(m, &step, port, PORTS), error_text);
        double *v = new_vector(m->nv), *w = new_vector(m->nv);
        for (int i = 0; i < m->nv; i++) v[i] = m->v_free[i], w[i] = uniform(-0.1, 0.1);
        for (int i = 0; i < PORTS; i++) m->ops->velocity(m, &port[i], w, false, wanted[i]);
        MUST(tl_moreau_finish(m, &step, v, corrected ? w : NULL), error_text);
        m->ops->commit(m, &step);
        for (int i = 0; i < PORTS; i++) place[corrected][i] = attached(m, port[i].item, point[i]);
        m->ops->destroy(m);
    }
    for (int i = 0; i < PORTS; i++) {
        const tl_vec3 moved = tl_sub(place[1][i], place[0][i]);
        const double way[3] = {moved.x, moved.y, moved.z};
        for (int k = 0; k < (s->planar ? 2 : 3); k++) worst = fmax(worst, fabs(way[k] / h - wanted[i][k]));
    }
    return worst;
}

static void check_correction(const subject *s)
{
    const double coarse = correction_error(s, 4e-3), fine = correction_error(s, 1e-3);
    CHECK(coarse < 0.02); /* w ~ 0.1: what remains is h times the change of H over the step */
    CHECK_NEAR(fine, 0, coarse / 3 + 2e-9);
}

/* A step may start from other velocities: they are those before it, v_free, and what forces see; after that the state is what it was. */
static void check_start(const subject *s)
{
    tl_matter *m = s->make();
    const double t = warm_up(s, m, 0.003);
    tl_step step = at_time(s, t, 0.004);
    double *v0 = new_vector(m->nv), *v = new_vector(m->nv), *now = new_vector(m->nv), *free = new_vector(m->nv);
    const uint64_t before = state_of(m);
    MUST(tl_moreau_predict(m, &step), error_text);
    m->ops->start_velocity(m, v0);
    for (int i = 0; i < m->nv; i++) v[i] = v0[i] + (v0[i] != 0 ? uniform(-1, 1) : 0), free[i] = m->v_free[i];
    tl_port port = make_port(s, m, 0, random_point(s), false);
    double V0[3], V[3], change[3];
    MUST(m->ops->bind(m, &step, &port, 1), error_text);
    m->ops->velocity_before(m, &port, V0);
    MUST(m->ops->start_from(m, &step, v), error_text);
    int imposed = 0;
    for (int i = 0; i < m->nv; i++) imposed += m->v_free[i] != v[i]; /* of a boundary the velocity at the end stays */
    CHECK(imposed <= (s->own > 0 ? 2 * s->own : 0));
    MUST(m->ops->bind(m, &step, &port, 1), error_text);
    m->ops->velocity_before(m, &port, V);
    for (int i = 0; i < m->nv; i++) now[i] = v[i] - v0[i];
    m->ops->velocity(m, &port, now, false, change);
    for (int k = 0; k < 3; k++) CHECK_NEAR(V[k], V0[k] + change[k], 1e-12);
    MUST(m->ops->start_from(m, &step, v0), error_text);
    MUST(m->ops->free_velocity(m, &step, m->theta), error_text);
    for (int i = 0; i < m->nv; i++) CHECK_NEAR(m->v_free[i], free[i], 1e-10);
    MUST(m->ops->start_from(m, &step, NULL), error_text);
    m->ops->start_velocity(m, now);
    for (int i = 0; i < m->nv; i++) CHECK_NEAR(now[i], v0[i], 0);
    CHECK(state_of(m) == before);
    m->ops->destroy(m);
}

/* A step given up before commit leaves no trace: after restored() the next one has the same bits as without it. And the fields
 * are the whole state: put into another matter of the same making they continue it bit by bit. */
static void check_state(const subject *s)
{
    tl_matter *m = s->make(), *other = s->make(), *plain = s->make();
    double t = warm_up(s, m, 3e-3);
    warm_up(s, plain, 3e-3);
    CHECK(state_of(m) == state_of(plain));
    const uint64_t state = state_of(m);
    for (int stage = 1; stage <= 3; stage++) {
        tl_step step = at_time(s, t, 7e-3); /* a different step, given up after predict, bind, finish */
        MUST(tl_moreau_predict(m, &step), error_text);
        tl_port port = make_port(s, m, 0, random_point(s), false);
        if (stage > 1) MUST(m->ops->bind(m, &step, &port, 1), error_text);
        double *v = new_vector(m->nv);
        for (int i = 0; i < m->nv; i++) v[i] = m->v_free[i];
        if (stage > 2) {
            m->ops->impulse(m, &port, (double[]){1, 2, 3}, v);
            m->ops->accumulate(m, &port, (double[]){1, 2, 3});
            MUST(tl_moreau_finish(m, &step, v, v), error_text);
        }
        CHECK(state_of(m) == state);
        MUST(m->ops->restored(m, &error_text), error_text);
        CHECK(state_of(m) == state);
        for (int i = 0; i < s->items; i++) {
            const tl_frame f = m->ops->frame(m, i), g = plain->ops->frame(plain, i);
            CHECK(memcmp(&f, &g, sizeof f) == 0);
        }
    }
    tl_field from[16], into[16];
    const int n = m->ops->fields(m, from, 16);
    CHECK(other->ops->fields(other, into, 16) == n);
    for (int i = 0; i < n; i++) {
        const size_t numbers = (size_t)from[i].rows * (size_t)from[i].columns;
        memcpy(into[i].data, from[i].data, numbers * (from[i].integer ? 4 : 8));
    }
    MUST(other->ops->restored(other, &error_text), error_text);
    CHECK(state_of(other) == state);
    tl_matter *const all[3] = {m, other, plain};
    for (int k = 0; k < 30; k++, t += 3e-3) {
        for (int i = 0; i < 3; i++) {
            tl_step step = at_time(s, t, 3e-3);
            free_step(all[i], &step, NULL);
        }
        CHECK(state_of(m) == state_of(plain));
        CHECK(state_of(other) == state_of(plain));
    }
    for (int i = 0; i < 3; i++) all[i]->ops->destroy(all[i]);
}

/* What is read of bodies agrees with each other: their masses and motions are all of the kinetic energy, and of the potential one by gravity; a point moves
 * as a port there says; the angle is that of the frame. */
static void check_bodies(const subject *s)
{
    tl_matter *m = s->make();
    const double t = warm_up(s, m, 3e-3);
    tl_step step = at_time(s, t, 1e-3);
    double kinetic, potential, inner, ignored, by_motion = 0, by_height = 0;
    m->ops->energy(m, step.gravity, &kinetic, &potential);
    m->ops->energy(m, (const double[3]){0, 0, 0}, &ignored, &inner);
    MUST(m->ops->place(m, &step, &(tl_move){.t = t}), error_text); /* here and now */
    if (m->ops->inertia) MUST(m->ops->inertia(m, &step, 0.5, 0), error_text);
    CHECK(m->ops->kind[0] && m->ops->part[0]);
    for (int i = 0; i < s->items; i++) {
        const tl_mass mass = m->ops->body_mass(m, i);
        const tl_frame f = m->ops->frame(m, i);
        const tl_vec3 point = random_point(s);
        tl_vec3 velocity, spin, at;
        m->ops->body_motion(m, i, mass.centre, &velocity, &spin);
        const tl_vec3 turn = tl_mat3_apply_t(&f.R, spin);
        by_motion += 0.5 * mass.mass * tl_dot(velocity, velocity) + 0.5 * tl_dot(turn, tl_mat3_apply(&mass.inertia, turn));
        by_height -= mass.mass * tl_dot(tl_load3(step.gravity), attached(m, i, mass.centre));
        m->ops->body_motion(m, i, point, &at, &spin);
        const tl_vec3 arm = tl_mat3_apply(&f.R, tl_sub(point, mass.centre)), wanted = tl_add(velocity, tl_cross(spin, arm));
        CHECK_NEAR(tl_norm(tl_sub(at, wanted)), 0, 1e-13 * (1 + tl_norm(at)));
        tl_port port = make_port(s, m, i, point, true);
        double V[3];
        MUST(m->ops->bind(m, &step, &port, 1), error_text);
        m->ops->velocity_before(m, &port, V);
        CHECK_NEAR(V[0], at.x, 1e-11 * (1 + fabs(at.x)));
        CHECK_NEAR(V[1], at.y, 1e-11 * (1 + fabs(at.y)));
        if (!s->planar) CHECK_NEAR(V[2], at.z, 1e-11 * (1 + fabs(at.z)));
        if (!s->planar || !m->ops->body_angle) continue;
        CHECK_NEAR(cos(m->ops->body_angle(m, i)), f.R.m[0][0], 1e-13);
        CHECK_NEAR(sin(m->ops->body_angle(m, i)), f.R.m[1][0], 1e-13);
    }
    CHECK(kinetic > 1e-3 && fabs(potential - inner) > 1e-2);
    if (!s->coupled) CHECK_NEAR(by_motion, kinetic, 1e-12 * kinetic);
    CHECK_NEAR(by_height, potential - inner, 1e-12 * (1 + fabs(potential) + fabs(inner)));
    m->ops->destroy(m);
}

/* A force at a point changes the acceleration as an impulse there changes velocities; a torque as a couple does. */
static void check_load(const subject *s)
{
    for (int item = 0; item < s->items; item++) {
        tl_matter *m = s->make();
        const double t = warm_up(s, m, 3e-3), torque[3] = {0, 1, 1.3};
        double force[3][3] = {{0, 1, 2}, {0, 1, -0.7}, {0, 1, s->planar ? 0 : 0.4}};
        talus_load_def load = {.struct_size = sizeof load,
                               .point = {0.2, -0.3, s->planar ? 0 : 0.1},
                               .follows_body = item % 2,
                               .torque = s->points ? (talus_motion){0} : motion(torque)};
        tl_step step = at_time(s, t, 1e-3);
        double *v = new_vector(m->nv), *without = new_vector(m->nv), *with = new_vector(m->nv);
        m->ops->start_velocity(m, v);
        for (int loaded = 0; loaded < 2; loaded++) {
            for (int k = 0; k < 3; k++) load.force[k] = motion(force[k]);
            if (loaded) MUST(m->ops->add_load(m, item, &load, &error_text), error_text);
            MUST(m->ops->place(m, &step, &(tl_move){.t = t}), error_text);
            if (m->ops->inertia) MUST(m->ops->inertia(m, &step, 0.5, 0), error_text);
            MUST(m->ops->acceleration(m, &step, t, v, loaded ? with : without), error_text);
        }
        const tl_frame f = m->ops->frame(m, item), user = m->ops->user_axes ? m->ops->user_axes(m, item) : (tl_frame){{0, 0, 0}, tl_mat3_identity()};
        const tl_mat3 axes = tl_mat3_mul(&f.R, &user.R);
        tl_vec3 F = tl_v3(force[0][2], force[1][2], force[2][2]), about = tl_v3(0, 0, 1);
        if (load.follows_body) F = tl_mat3_apply(&axes, F), about = tl_mat3_apply(&axes, about);
        const tl_vec3 point = tl_add(user.p, tl_mat3_apply(&user.R, tl_load3(load.point)));
        const tl_vec3 across = tl_normalize(tl_cross(about, fabs(about.x) < 0.5 ? tl_v3(1, 0, 0) : tl_v3(0, 1, 0))),
                      push = tl_scale(s->points ? 0 : torque[2], tl_cross(about, across));
        tl_port port[3];
        double P[3][3];
        for (int k = 0; k < 3; k++) port[k] = make_port(s, m, item, point, true);
        const tl_vec3 at = tl_load3(port[0].x);
        tl_store3(port[1].x, tl_add(at, tl_scale(0.5, across)));
        tl_store3(port[2].x, tl_sub(at, tl_scale(0.5, across)));
        tl_store3(P[0], F), tl_store3(P[1], push), tl_store3(P[2], tl_scale(-1, push));
        MUST(m->ops->bind(m, &step, port, 3), error_text);
        double size = 1;
        for (int k = 0; k < 3; k++) m->ops->impulse(m, &port[k], P[k], without);
        for (int i = 0; i < m->nv; i++) size = fmax(size, fabs(with[i]));
        for (int i = 0; i < m->nv; i++) CHECK_NEAR(with[i], without[i], 1e-11 * size);
        m->ops->destroy(m);
    }
}

/* ---- what only grains promise ------------------------------------------------------------------------------------- */

/* W of two ports of one body: δ/m + (r_i × n_i)(r_j × n_j)/J; of two bodies: zero; boundaries: zero. */
TEST(grains_closed_form)
{
    for (int round = 0; round < 200; round++) {
        tl_matter *m = make_grains();
        const subject *s = &SUBJECTS[0];
        tl_grains2 *g = (tl_grains2 *)m;
        tl_step step = at_time(s, 0, 1e-3);
        MUST(tl_moreau_predict(m, &step), error_text);
        const int a = tl_random_int(&rnd, 6), b = tl_random_int(&rnd, 6);
        tl_port port[2] = {make_port(s, m, a, random_point(s), false), make_port(s, m, b, random_point(s), false)};
        MUST(m->ops->bind(m, &step, port, 2), error_text);
        for (int i = 0; i < 2; i++)
            for (int j = 0; j < 2; j++) {
                double *v = new_vector(m->nv), V[3], I[3] = {0, 0, 0}, lever[2];
                I[j] = 1;
                m->ops->impulse(m, &port[1], I, v);
                m->ops->velocity(m, &port[0], v, false, V);
                for (int k = 0; k < 2; k++) {
                    const tl_port *p = &port[k];
                    const double *n = p->axes[k == 0 ? i : j];
                    lever[k] = (p->x[0] - g->q_m[p->item].x) * n[1] - (p->x[1] - g->q_m[p->item].y) * n[0];
                }
                const double cosine = port[0].axes[i][0] * port[1].axes[j][0] + port[0].axes[i][1] * port[1].axes[j][1];
                const bool free_body = g->kind[a] == TALUS_BODY_FREE;
                const double expected = a == b && free_body ? cosine / g->mass[a] + lever[0] * lever[1] / g->inertia[a] : 0;
                CHECK_NEAR(V[i], expected, 1e-13 * (1 + fabs(expected)));
            }
        m->ops->destroy(m);
    }
}

/* ---- what only mechanisms promise --------------------------------------------------------------------------------- */

/* Gyroscopic terms do no work, so the energy cannot tell whether they are right; momentum and its moment can. A tree that hangs
 * on nothing, under internal springs and no gravity: both stay, to O(h²). */
static void momentum_of(const tl_matter *m, int items, double P[3], double L[3])
{
    tl_vec3 sum = {0, 0, 0}, moments = {0, 0, 0};
    for (int i = 0; i < items; i++) {
        const tl_mass mass = m->ops->body_mass(m, i);
        const tl_frame f = m->ops->frame(m, i);
        tl_vec3 velocity, spin;
        m->ops->body_motion(m, i, mass.centre, &velocity, &spin);
        const tl_vec3 turn = tl_mat3_apply_t(&f.R, spin), p = tl_scale(mass.mass, velocity);
        sum = tl_add(sum, p);
        moments = tl_add(moments, tl_add(tl_cross(attached(m, i, mass.centre), p), tl_mat3_apply(&f.R, tl_mat3_apply(&mass.inertia, turn))));
    }
    tl_store3(P, sum);
    tl_store3(L, moments);
}

static double momentum_error(double h)
{
    tl_mechanism *m = new_mechanism("floating", false);
    const talus_joint_kind kinds[] = {TALUS_JOINT_FREE, TALUS_JOINT_SPHERICAL, TALUS_JOINT_REVOLUTE, TALUS_JOINT_UNIVERSAL, TALUS_JOINT_SCREW};
    const double *axes[] = {Z, Z, Y, Y, X};
    int link = -1;
    for (int i = 0; i < 5; i++) {
        const int child = add_link(m, 2 - 0.2 * i, 0.2, 0.05 * i, -0.03);
        const double pose[TALUS_JOINT_POSITIONS] = {0.1, 0.2, 0.3, 0.8, 0, 0.6, 0};
        const double turn[TALUS_JOINT_POSITIONS] = {0.9, 0.1, -0.3, 0.2};
        const double angles[TALUS_JOINT_POSITIONS] = {0.3, 0.2}, v[TALUS_JOINT_RATES] = {1, -1.5, 2, 0.5, 1, -2};
        const int joint = add_joint(m, kinds[i], link, child, i ? 0.4 : 0, axes[i], i == 0 ? pose : i == 1 ? turn : angles, v);
        if (i > 1) add_spring(m, joint, 5);
        link = child;
    }
    tl_matter *matter = assembled(m);
    double P[3], L[3], P_now[3], L_now[3], worst = 0;
    momentum_of(matter, 5, P, L);
    CHECK(fabs(P[0]) + fabs(P[1]) + fabs(P[2]) > 1 && fabs(L[0]) + fabs(L[1]) + fabs(L[2]) > 1);
    for (int i = 0; i < (int)lround(0.3 / h); i++) {
        tl_step step = at_time(&SUBJECTS[4], i * h, h);
        memset(step.gravity, 0, sizeof step.gravity);
        free_step(matter, &step, NULL);
        momentum_of(matter, 5, P_now, L_now);
        for (int k = 0; k < 3; k++) worst = fmax(worst, fmax(fabs(P_now[k] - P[k]), fabs(L_now[k] - L[k])));
    }
    matter->ops->destroy(matter);
    return worst;
}

TEST(floating_tree)
{
    const double coarse = momentum_error(2e-3), fine = momentum_error(5e-4);
    CHECK(coarse < 0.02); /* of 10 kg m/s */
    CHECK_NEAR(fine, 0, coarse / 10 + 1e-9);
}

#define FOR_ALL(check)                                                                                                                                         \
    for (int i = 0; i < SUBJECT_COUNT; i++) {                                                                                                                  \
        const int before = test_failures;                                                                                                                      \
        check(&SUBJECTS[i]);                                                                                                                                   \
        if (test_failures > before) fprintf(stderr, "  ... in %s\n", SUBJECTS[i].name);                                                                        \
    }

TEST(delassus){FOR_ALL(check_delassus)} TEST(kinematics){FOR_ALL(check_kinematics)} TEST(start){FOR_ALL(check_start)} TEST(energy){
    FOR_ALL(check_energy)} TEST(power){FOR_ALL(check_power)} TEST(bodies){FOR_ALL(check_bodies)} TEST(load){FOR_ALL(check_load)} TEST(correction){
    FOR_ALL(check_correction)} TEST(state)
{
    FOR_ALL(check_state)
}

/* A port on the surface of a solid moves as the surface does, and impulses there keep their sum: the same surface is detected, bound and moved. */
static int pieces_of(const solid_surface *s, int dimension) { return dimension == 2 ? s->flat.mesh->edges : s->solid.mesh->triangles; }

static tl_vec3 piece_normal(const solid_surface *s, int dimension, int piece)
{
    if (dimension == 3) return s->solid.mesh->normal[piece];
    return tl_v3(s->flat.mesh->edge[piece].n.x, s->flat.mesh->edge[piece].n.y, 0);
}

/* The point of a piece at shares of its corners. */
static tl_vec3 piece_point(const solid_surface *s, int dimension, int piece, const double share[3])
{
    tl_vec3 sum = {0, 0, 0};
    for (int k = 0; k < dimension; k++) {
        const tl_mesh_edge2 *e = dimension == 2 ? &s->flat.mesh->edge[piece] : NULL;
        const tl_vec2 flat = e ? s->flat.mesh->vertex[k ? e->to : e->from] : tl_v2(0, 0);
        sum = tl_add(sum, tl_scale(share[k], e ? tl_v3(flat.x, flat.y, 0) : s->solid.mesh->vertex[s->solid.mesh->corner[piece][k]]));
    }
    return sum;
}

static void check_faces(int dimension, bool large)
{
    enum { POINTS = 40 };
    solid_surface surface = {0};
    tl_matter *m = make_bar(&(bar){dimension, true, false, false, large}, &surface);
    const subject s = {"solid with a surface", NULL, dimension == 2 ? 6 : 12, dimension == 2, false, 0, true, true, false};
    const double h = 1e-2;
    tl_step step = at_time(&s, warm_up(&s, m, h), h);
    const int whole = tl_solid_items(m) - 1;
    double share[POINTS][3], *v = calloc((size_t)m->nv, sizeof *v), reach = 0;
    tl_vec3 before[POINTS];
    int piece[POINTS];
    tl_port port[POINTS];
    MUST(m->ops->place(m, &step, &(tl_move){.t = step.t, .span = 0}), error_text);
    MUST(m->ops->inertia(m, &step, 0.5, h), error_text);
    for (int i = 0; i < POINTS; i++) {
        piece[i] = tl_random_int(&rnd, pieces_of(&surface, dimension));
        const double a = uniform(0.05, 0.5), b = dimension == 2 ? 1 - a : uniform(0.05, 0.45);
        share[i][0] = a, share[i][1] = b, share[i][2] = 1 - a - b;
        before[i] = piece_point(&surface, dimension, piece[i], share[i]);
        const tl_vec3 off = tl_add(before[i], tl_scale(uniform(-0.02, 0.02), piece_normal(&surface, dimension, piece[i])));
        port[i] = (tl_port){.item = whole, .axes = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
        tl_store3(port[i].x, off);
    }
    MUST(m->ops->bind(m, &step, port, POINTS), error_text);
    MUST(m->ops->reach(m, &step, &(tl_ports){port, POINTS, dimension}, 0.1, &reach), error_text);
    CHECK(reach >= 0);
    for (int i = 0; i < dimension * POINTS; i++) {
        const int along = i % dimension, from = i / dimension;
        double I[3] = {along == 0, along == 1, along == 2}, V[3], C[3][3], back[3][3];
        memset(v, 0, (size_t)m->nv * sizeof *v);
        m->ops->impulse(m, &port[from], I, v);
        for (int j = 0; j < POINTS; j++) {
            m->ops->velocity(m, &port[j], v, false, V);
            m->ops->response(m, &port[from], &port[j], C);
            m->ops->response(m, &port[j], &port[from], back);
            for (int a = 0; a < dimension; a++) {
                CHECK_NEAR(C[a][along], V[a], 1e-10 * (1 + fabs(V[a])));
                CHECK_NEAR(C[a][along], back[along][a], 1e-10 * (1 + fabs(V[a])));
            }
        }
    }
    double V[POINTS][3];
    for (int i = 0; i < m->nv; i++) v[i] = uniform(-1, 1);
    for (int i = 0; i < POINTS; i++) m->ops->velocity(m, &port[i], v, false, V[i]);
    const double span = 1e-3;
    MUST(m->ops->place(m, &step, &(tl_move){.t = step.t, .span = span, .v = v}), error_text);
    for (int i = 0; i < POINTS; i++) {
        double rate[3];
        tl_store3(rate, tl_scale(1 / span, tl_sub(piece_point(&surface, dimension, piece[i], share[i]), before[i])));
        for (int a = 0; a < dimension; a++) CHECK_NEAR(rate[a], V[i][a], 1e-8);
    }
    free(v);
    tl_shape2_free(&surface.flat, tl_memory_default());
    tl_shape3_free(&surface.solid, tl_memory_default());
    m->ops->destroy(m);
}
TEST(faces_of_solids)
{
    for (int dimension = 2; dimension <= 3; dimension++) check_faces(dimension, false), check_faces(dimension, true);
}

int main(int argc, char **argv)
{
    rnd = tl_random_seed(21);
    arena = tl_arena_create(tl_memory_default(), 1 << 20);
    threads = tl_threads_create(tl_memory_default(), 1);
    RUN(delassus);
    RUN(kinematics);
    RUN(start);
    RUN(energy);
    RUN(power);
    RUN(bodies);
    RUN(load);
    RUN(correction);
    RUN(state);
    RUN(grains_closed_form);
    RUN(floating_tree);
    RUN(faces_of_solids);
    tl_threads_destroy(threads);
    tl_arena_destroy(arena);
    return TEST_RESULT;
}
