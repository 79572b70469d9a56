/* Bodies that joints hold, in periodic and in sheared cells (theory §6.5): their contacts are condensed over their chains, and reach through the ends of the
 * cell. Where the seam is, and in which copy a chain is said to be, changes nothing; momentum is kept. In the plane and in space, from scenes. */
#include "base/base.h"
#include "lab.h"

enum { COLUMNS = 10, ROWS = 9, LINKS = 4, CHAINS = 2, MOST = COLUMNS * ROWS, STEPS = 240 };

static const double PITCH[2] = {0.12, 0.1}, LENGTH[2] = {1.2, 0.9}, START = 0.4, H = 1e-3;

typedef struct one {
    double x[3], v[3];
    int chain, image[2]; /* −1: alone; the cell in which it is given */
} one;

typedef struct packing {
    one body[MOST];
    int bodies;
    double rate; /* of shear [1/s]; 0: none */
} packing;

static void put(packing *p, tl_random *own, int column, int row, int chain)
{
    one *b = &p->body[p->bodies++];
    *b = (one){.x = {PITCH[0] * column, PITCH[1] * row, tl_random_uniform(own, -0.01, 0.01)}, .chain = chain};
    for (int k = 0; k < 2; k++) b->x[k] += chain < 0 ? tl_random_uniform(own, -0.008, 0.008) : 0;
    for (int k = 0; k < 3; k++) b->v[k] = tl_random_uniform(own, -1, 1);
    b->v[0] += p->rate * b->x[1];
}

/* Two chains, the first over the end along x, the second over that along y, among bodies that nearly touch. */
static packing pack(double rate)
{
    packing p = {.rate = rate};
    tl_random own = tl_random_seed(11);
    bool taken[COLUMNS][ROWS] = {{false}};
    for (int i = 0; i < LINKS; i++) {
        const int first = COLUMNS - LINKS / 2 + i, second = ROWS - LINKS / 2 + i;
        put(&p, &own, first, 3, 0);
        taken[first % COLUMNS][3] = true;
        put(&p, &own, 4, second, 1);
        taken[rate != 0 && second >= ROWS ? 4 - 3 : 4][second % ROWS] = true; /* START · LENGTH[1] is three columns */
    }
    for (int c = 0; c < COLUMNS; c++)
        for (int r = 0; r < ROWS; r++)
            if (!taken[c][r]) put(&p, &own, c, r, -1);
    return p;
}

/* In other cells: whole chains, and single bodies each by itself. */
static void scatter(packing *p, tl_random *random)
{
    int far[CHAINS][2];
    for (int c = 0; c < CHAINS; c++)
        for (int k = 0; k < 2; k++) far[c][k] = tl_random_int(random, 7) - 3;
    for (int i = 0; i < p->bodies; i++)
        for (int k = 0; k < 2; k++) p->body[i].image[k] = p->body[i].chain < 0 ? tl_random_int(random, 7) - 3 : far[p->body[i].chain][k];
}

/* By how much the place and the speed of a body that is given in another cell differ, at a time. */
static double shift_of(const packing *p, const one *b, int axis, double time)
{
    if (axis == 2) return 0;
    const double slid = axis == 0 && p->rate != 0 ? b->image[1] * LENGTH[1] * (START + p->rate * time) : 0;
    return b->image[axis] * LENGTH[axis] + slid;
}

static double slide_of(const packing *p, const one *b, int axis) { return axis == 0 ? b->image[1] * LENGTH[1] * p->rate : 0; }

static lab build(const packing *p, int dimension, const double move[2], const double cell[2])
{
    enum { ROOM = 1 << 16 };
    char *text = malloc(ROOM);
    size_t at = 0;
    if (!text) exit(1);
#define SAY(...) at += (size_t)snprintf(text + at, ROOM - at, __VA_ARGS__)
    SAY("dimension: %d\ntime: {end: 1 s, step: %g s}\nmaterials: {m: {density: 2000}}\nsolver: {tolerance: 1e-11 m/s, max_iterations: 100000}\n"
        "interactions: [{friction: 0.4, restitution: 0.3}]\nperiodic:\n  x: [%.17g, %.17g]\n  y: [%.17g, %.17g]\n",
        dimension, H, cell[0], cell[0] + LENGTH[0], cell[1], cell[1] + LENGTH[1]);
    if (p->rate != 0) SAY("  shear: {along: x, across: y, strain: %.17g + %.17g*t/(1 s)}\n", START, p->rate);
    SAY("bodies:\n");
    for (int i = 0; i < p->bodies; i++) {
        const one *b = &p->body[i];
        const double x = b->x[0] + move[0] + shift_of(p, b, 0, 0), y = b->x[1] + move[1] + shift_of(p, b, 1, 0), vx = b->v[0] + slide_of(p, b, 0);
        if (dimension == 2) SAY("  b%d: {position: [%.17g, %.17g], velocity: [%.17g, %.17g], ", i, x, y, vx, b->v[1]);
        else SAY("  b%d: {position: [%.17g, %.17g, %.17g], velocity: [%.17g, %.17g, %.17g], ", i, x, y, b->x[2], vx, b->v[1], b->v[2]);
        if (b->chain < 0) SAY("shapes: [{%s: {radius: 0.0415, material: m}}]}\n", dimension == 2 ? "disk" : "sphere");
        else SAY("shapes: [{box: {size: [0.08, 0.075%s], material: m}}]}\n", dimension == 2 ? "" : ", 0.075");
    }
    SAY("joints:\n");
    for (int i = 0; i < p->bodies; i++)
        for (int k = i + 1; k < p->bodies; k++) {
            const one *a = &p->body[i], *b = &p->body[k];
            if (a->chain < 0 || a->chain != b->chain || hypot(a->x[0] - b->x[0], a->x[1] - b->x[1]) > 1.01 * PITCH[0]) continue;
            const double x = 0.5 * (a->x[0] + b->x[0]) + move[0] + shift_of(p, a, 0, 0), y = 0.5 * (a->x[1] + b->x[1]) + move[1] + shift_of(p, a, 1, 0);
            if (dimension == 2) SAY("  j%d-%d: {bodies: [b%d, b%d], at: [%.17g, %.17g]}\n", i, k, i, k, x, y);
            else SAY("  j%d-%d: {type: spherical, bodies: [b%d, b%d], at: [%.17g, %.17g, %.17g]}\n", i, k, i, k, x, y, 0.5 * (a->x[2] + b->x[2]));
        }
#undef SAY
    if (at >= ROOM) exit(1);
    lab l = open_lab(text, 1);
    CHECK(talus_body_joint_count(l.world) == CHAINS * (LINKS - 1));
    free(text);
    return l;
}

static void motion_of(const talus_world *w, int body, double x[3], double v[3])
{
    static const double ORIGIN[3] = {0, 0, 0};
    double q[4], spin[3];
    talus_body_pose(w, talus_body_at(w, body), x, q);
    talus_body_velocity(w, talus_body_at(w, body), ORIGIN, v, spin);
}

static void add_momentum(const talus_world *w, int bodies, double out[3])
{
    for (int i = 0; i < bodies; i++) {
        double x[3], v[3];
        motion_of(w, i, x, v);
        for (int k = 0; k < 3; k++) out[k] += talus_body_mass(w, talus_body_at(w, i)) * v[k];
    }
}

/* Contacts that press a chain through an end of the cell. */
static int count_through(const talus_world *w, const packing *p)
{
    int through = 0;
    for (int i = 0; i < talus_contact_count(w); i++) {
        talus_contact c;
        talus_contact_get(w, i, &c);
        const bool chained = p->body[c.candidate.index1 - 1].chain >= 0 || p->body[c.antagonist.index1 - 1].chain >= 0;
        through += chained && c.impulse[0] > 0 && (c.image[0] != 0 || c.image[1] != 0);
    }
    return through;
}

/* Of what goes on from equal states two runs differ by rounding and by 1e-11 m/s of each solve, which collisions and slip enlarge: by less than a
 * ten-thousandth of a collision's effect, which is some 0.1 m/s and 1e-3 m. */
static void compare(const lab *is, const packing *there, const lab *of, const packing *here, const double move[2])
{
    const double t = talus_world_time(is->world);
    CHECK(talus_contact_count(is->world) == talus_contact_count(of->world));
    for (int i = 0; i < here->bodies; i++) {
        double x[3], v[3], y[3], u[3];
        const one *b = &there->body[i];
        motion_of(is->world, i, x, v);
        motion_of(of->world, i, y, u);
        for (int k = 0; k < 3; k++) {
            CHECK_NEAR(x[k] - (k < 2 ? move[k] : 0) - shift_of(there, b, k, t), y[k], 1e-7);
            CHECK_NEAR(v[k] - slide_of(there, b, k), u[k], 1e-5);
        }
    }
}

static void the_seam_is_nowhere(double rate)
{
    static const double HERE[2] = {0, 0};
    tl_random random = tl_random_seed(3);
    for (int dimension = 2; dimension <= 3; dimension++) {
        const packing here = pack(rate);
        lab of = build(&here, dimension, HERE, HERE);
        double first[3] = {0}, now[3], mass = 0;
        int through = 0;
        add_momentum(of.world, here.bodies, first);
        for (int i = 0; i < here.bodies; i++) mass += talus_body_mass(of.world, talus_body_at(of.world, i));
        for (int i = 0; i < STEPS; i++) {
            lab_step(&of);
            through += count_through(of.world, &here);
            memset(now, 0, sizeof now);
            add_momentum(of.world, here.bodies, now);
            for (int k = 0; k < 3; k++) CHECK_NEAR(now[k], first[k], 1e-12 * mass); /* of velocities around 1 m/s: rounding */
        }
        CHECK(through >= 5); /* else it tells nothing */
        for (int k = 0; k < 4; k++) {
            packing there = here;
            /* at first the cell elsewhere, the bodies where they were; then both, and in the end each chain and body in a cell of its own */
            const double move[2] = {k == 0 ? 0 : tl_random_uniform(&random, -2, 2), k == 0 ? 0 : tl_random_uniform(&random, -2, 2)};
            const double cell[2] = {tl_random_uniform(&random, -2, 2), tl_random_uniform(&random, -2, 2)};
            if (k > 1) scatter(&there, &random);
            lab is = build(&there, dimension, move, cell);
            lab_run(&is, STEPS * H);
            compare(&is, &there, &of, &here, move);
            close_lab(&is);
        }
        close_lab(&of);
    }
}

TEST(periodic) { the_seam_is_nowhere(0); }

TEST(sheared) { the_seam_is_nowhere(1.5); }

int main(int argc, char **argv)
{
    RUN(periodic);
    RUN(sheared);
    return TEST_RESULT;
}
