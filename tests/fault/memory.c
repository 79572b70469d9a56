/* Memory that runs out at every single allocation: a status and a text, no crash, no leak, and a step that failed has not happened. */
#include <signal.h>
#include <stdbool.h>

#include "talus/talus.h"
#include "test.h"

/* ---- an allocator that counts, and fails on demand ----------------------------------------------------------------- */

typedef struct ledger {
    long calls;      /* requests for memory so far                              */
    long fail_first; /* requests from this one on (1 first) … 0: none           */
    long fail_last;  /* … to this one fail                                      */
    long live;       /* blocks not yet freed                                    */
    long failed;     /* requests that were refused                              */
    bool bad_free;   /* a block was given back that is not ours                 */
} ledger;

static const unsigned long long MARK = 0x7a6c75736d656d21ull;

typedef struct header {
    unsigned long long mark;
    size_t size;
} header;

static void *counted(void *user, void *pointer, size_t size)
{
    ledger *l = user;
    header *h = pointer ? (header *)pointer - 1 : NULL;
    if (h && h->mark != MARK) {
        l->bad_free = true;
        return NULL;
    }
    if (size == 0) {
        if (!h) return NULL;
        h->mark = 0;
        free(h);
        l->live--;
        return NULL;
    }
    l->calls++;
    if (l->fail_first > 0 && l->calls >= l->fail_first && l->calls <= l->fail_last) {
        l->failed++;
        return NULL;
    }
    header *block = malloc(sizeof *block + size); /* always another place: a stale pointer is found out */
    if (!block) abort();
    block->mark = MARK;
    block->size = size;
    if (h) {
        memcpy(block + 1, h + 1, h->size < size ? h->size : size);
        h->mark = 0;
        free(h);
    } else l->live++;
    return block + 1;
}

/* ---- a world with everything: grains of all shapes, walls that move, a four-bar that is driven and pushed, soil ------ */

static void shake(void *user, double t, double out[3])
{
    (void)user;
    out[0] = 0.01 * sin(40 * t);
    out[1] = 0.4 * cos(40 * t);
    out[2] = -16 * sin(40 * t);
}

static void turn(void *user, double t, double out[3])
{
    (void)user, (void)t;
    out[0] = 6, out[1] = 0, out[2] = 0;
}

static void push(void *user, double t, double out[3])
{
    (void)user;
    out[0] = 2 * cos(t), out[1] = out[2] = 0;
}

static void trickle(void *user, double t, double out[3])
{
    (void)user, (void)t;
    out[0] = 1e-5, out[1] = out[2] = 0;
}

static bool persistent; /* a definition that memory ran out for is tried once more */

#define TRY(call)                                                                                                                                              \
    do {                                                                                                                                                       \
        talus_status s_ = (call);                                                                                                                              \
        if (s_ == TALUS_MEMORY && persistent) s_ = (call);                                                                                                     \
        if (s_ != TALUS_OK) return s_;                                                                                                                         \
    } while (0)

static talus_status add_shapes(talus_world *w, talus_body_id b, talus_material_id m, int kind)
{
    static const double CORNERS[4][2] = {{-0.02, -0.02}, {0.02, -0.02}, {0.02, 0.02}, {-0.02, 0.02}};
    talus_shape_def s = talus_shape_def_default();
    s.material = m;
    if (kind == 0) {
        s.kind = TALUS_SHAPE_POLYGON, s.count = 4;
        memcpy(s.points, CORNERS, sizeof CORNERS);
    } else if (kind == 1) {
        s.kind = TALUS_SHAPE_SEGMENT, s.count = 2, s.radius = 0.02;
        s.points[0][0] = -0.004, s.points[1][0] = 0.004;
    } else s.radius = 0.02;
    TRY(talus_body_add_shape(w, b, &s));
    if (kind != 2) return TALUS_OK;
    s.points[0][0] = 0.008;
    TRY(talus_body_add_shape(w, b, &s));
    return TALUS_OK;
}

static talus_status add_grains(talus_world *w, talus_material_id m)
{
    for (int i = 0; i < 24; i++) {
        char name[16];
        talus_body_def d = talus_body_def_default();
        talus_body_id b;
        snprintf(name, sizeof name, "grain %d", i);
        d.name = name;
        d.position[0] = 0.03 + 0.055 * (i % 6), d.position[1] = 0.0201 + 0.0402 * (i / 6); /* rows touch from the first step on */
        d.velocity[1] = -0.5;
        TRY(talus_body_create(w, &d, &b));
        const talus_status shaped = add_shapes(w, b, m, i % 4);
        if (shaped != TALUS_OK) return shaped;
        if (i % 8) continue;
        talus_load_def load = talus_load_def_default();
        load.force[0] = (talus_motion){push, NULL};
        TRY(talus_body_add_load(w, b, &load));
    }
    return TALUS_OK;
}

static talus_status add_box(talus_world *w, talus_material_id m)
{
    static const double PLANES[3][4] = {{0, 0, 0, 1}, {0, 0, 1, 0}, {0.36, 0, -1, 0}};
    talus_body_def d = talus_body_def_default();
    talus_body_id b;
    d.name = "box", d.kind = TALUS_BODY_IMPOSED;
    d.motion[0] = (talus_motion){shake, NULL};
    TRY(talus_body_create(w, &d, &b));
    for (int i = 0; i < 3; i++) {
        talus_shape_def s = talus_shape_def_default();
        s.kind = TALUS_SHAPE_HALF_PLANE, s.material = m, s.count = 2;
        memcpy(s.points, PLANES[i], sizeof PLANES[i]);
        TRY(talus_body_add_shape(w, b, &s));
    }
    return TALUS_OK;
}

/* Crank 60 mm, coupler 200 mm, rocker 150 mm between A (−50, 300) and E (200, 300) mm; the rocker's blade reaches into the grains. */
static talus_status add_four_bar(talus_world *w, talus_material_id m)
{
    static const char *const LINKS[3] = {"crank", "coupler", "rocker"}, *const JOINTS[3] = {"A", "B", "C"};
    static const double AT[3][2] = {{-0.05, 0.3}, {0.06, 0}, {0.2, 0}}, ANGLE[3] = {1.5, -1.5, -1};
    const talus_body_id ground = {0};
    talus_mechanism_id four_bar;
    talus_body_id link[3];
    talus_joint_id joint[3];
    TRY(talus_mechanism_create(w, "four_bar", &four_bar));
    for (int i = 0; i < 3; i++) {
        talus_link_def l = talus_link_def_default();
        l.name = LINKS[i], l.mass = 0.3, l.inertia[5] = l.inertia[2] = 1e-3;
        TRY(talus_link_create(w, four_bar, &l, &link[i]));
        talus_joint_def j = talus_joint_def_default();
        j.name = JOINTS[i], j.parent = i ? link[i - 1] : ground, j.child = link[i], j.position[0] = ANGLE[i];
        memcpy(j.parent_point, AT[i], sizeof AT[i]);
        TRY(talus_joint_create(w, &j, &joint[i]));
    }
    talus_loop_def e = talus_loop_def_default();
    e.name = "E", e.body_a = link[2], e.point_a[0] = 0.15, e.point_b[0] = 0.2, e.point_b[1] = 0.3;
    talus_loop_id loop;
    TRY(talus_loop_create(w, four_bar, &e, &loop));
    talus_drive_def motor = talus_drive_def_default();
    motor.speed = (talus_motion){turn, NULL};
    TRY(talus_joint_drive(w, joint[0], &motor));
    talus_joint_force_def damper = talus_joint_force_def_default();
    damper.damping = 0.05, damper.stiffness = 0.1;
    TRY(talus_joint_add_force(w, joint[1], &damper));
    talus_spring_def spring = talus_spring_def_default();
    spring.body_a = link[1], spring.stiffness = 20, spring.damping = 0.1, spring.length = 0.1, spring.point_b[1] = 0.6;
    TRY(talus_spring_create(w, four_bar, &spring));
    talus_shape_def blade = talus_shape_def_default();
    blade.kind = TALUS_SHAPE_SEGMENT, blade.material = m, blade.count = 2, blade.radius = 0.008;
    blade.points[0][0] = 0.15, blade.points[1][0] = 0.4;
    TRY(talus_body_add_shape(w, link[2], &blade));
    return TALUS_OK;
}

/* An engine whose fuel is counted drives a flywheel through a converter. */
static double falling(void *user, double x, double *slope)
{
    const double *line = user;
    *slope = -line[1];
    return line[0] - line[1] * x;
}

static talus_status add_driveline(talus_world *w)
{
    static double torque[2] = {100, 0.1}, drag[2] = {5, 0}, burns[2] = {6e-8, 0}, capacity[2] = {0.01, 0.01}, ratio[2] = {2, 1};
    static const char *const NAMES[2] = {"crankshaft", "flywheel"};
    talus_mechanism_id driveline;
    talus_joint_id shaft[2];
    talus_engine_def e = talus_engine_def_default();
    talus_converter_def c = talus_converter_def_default();
    talus_coupling_def k = talus_coupling_def_default();
    talus_engine_id engine;
    talus_converter_id converter;
    talus_coupling_id clutch;
    TRY(talus_mechanism_create(w, "driveline", &driveline));
    for (int i = 0; i < 2; i++) {
        talus_shaft_def s = talus_shaft_def_default();
        s.name = NAMES[i], s.inertia = 0.5, s.speed = 80 * (1 - i);
        TRY(talus_shaft_create(w, driveline, &s, &shaft[i]));
    }
    e.name = "engine", e.joint = shaft[0], e.torque = (talus_characteristic){falling, torque}, e.drag = (talus_characteristic){falling, drag};
    e.consumption = (talus_characteristic){falling, burns}, e.governor = TALUS_GOVERNOR_LIMITS, e.idle = 80;
    TRY(talus_engine_create(w, &e, &engine));
    c.name = "converter", c.pump = shaft[0], c.turbine = shaft[1];
    c.capacity = (talus_characteristic){falling, capacity}, c.ratio = (talus_characteristic){falling, ratio};
    TRY(talus_converter_create(w, &c, &converter));
    k.name = "clutch", k.terms = 2, k.term[0] = (talus_term){shaft[0], 0, 1}, k.term[1] = (talus_term){shaft[1], 0, -2};
    k.freedom.stiffness = 40, k.freedom.damping = 2, k.freedom.friction = 5, k.freedom.low = -1, k.freedom.high = 1;
    TRY(talus_coupling_create(w, &k, &clutch));
    return TALUS_OK;
}

/* A press: a cylinder between a line with gas and the tank, by a four-way valve, a pump, and a machine on the crankshaft. */
static talus_status add_hydraulics(talus_world *w)
{
    talus_mechanism_id press;
    talus_link_def ram = talus_link_def_default();
    talus_joint_def slide = talus_joint_def_default();
    talus_joint_id joint;
    TRY(talus_mechanism_create(w, "press", &press));
    ram.name = "ram", ram.mass = 2, ram.inertia[5] = ram.inertia[2] = 1e-3;
    TRY(talus_link_create(w, press, &ram, &slide.child));
    slide.name = "slide", slide.kind = TALUS_JOINT_PRISMATIC, slide.axis[0] = 1, slide.axis[2] = 0, slide.position[0] = 0.1, slide.parent_point[1] = 5;
    TRY(talus_joint_create(w, &slide, &joint));
    talus_circuit_def c = talus_circuit_def_default();
    talus_line_def line = talus_line_def_default();
    talus_cylinder_def cylinder = talus_cylinder_def_default();
    talus_valve_def valve = talus_valve_def_default(), pump = talus_valve_def_default();
    talus_machine_def machine = talus_machine_def_default();
    talus_circuit_id circuit;
    c.name = "oil";
    TRY(talus_circuit_create(w, &c, &circuit));
    line.name = "supply", line.volume = 1e-3, line.pressure = 5e6, line.gas_volume = 1e-3, line.precharge = 4e6;
    TRY(talus_line_create(w, circuit, &line));
    cylinder.name = "cylinder", cylinder.joint = joint, cylinder.bore = 0.05, cylinder.rod = 0.03, cylinder.high = 0.3, cylinder.dead_volume = 1e-5;
    cylinder.leakage = 1e-14, cylinder.friction = 10;
    TRY(talus_cylinder_create(w, circuit, &cylinder));
    valve.name = "spool", valve.kind = TALUS_VALVE_FOUR_WAY, valve.flow = 1e-4, valve.drop = 1e6;
    valve.port[0] = "supply", valve.port[2] = "cylinder.cap", valve.port[3] = "cylinder.rod";
    TRY(talus_valve_create(w, circuit, &valve));
    pump.name = "pump", pump.kind = TALUS_VALVE_PUMP, pump.port[1] = "supply", pump.opening = (talus_motion){trickle, NULL};
    TRY(talus_valve_create(w, circuit, &pump));
    machine.name = "machine", machine.from = "supply", machine.to = "tank", machine.displacement = 1e-6, machine.leakage = 1e-14;
    machine.joint = talus_joint_find(w, "crankshaft");
    TRY(talus_machine_create(w, circuit, &machine));
    return TALUS_OK;
}

/* A body that is glued on the soil, and a weight that hangs on a pin in it. */
static talus_status add_joined(talus_world *w, talus_solid_id soil)
{
    static const int TOP[] = {11, 12, 13};
    talus_body_def d = talus_body_def_default();
    talus_body_joint_def joint = talus_body_joint_def_default();
    talus_body_joint_id id;
    d.name = "cap", d.mass = 2, d.inertia = 0.01, d.position[0] = 0.13, d.position[1] = 0.25, d.velocity[1] = -3;
    joint.name = "glue", joint.kind = "fixed", joint.body_a = talus_solid_body(w, soil), joint.node = TOP, joint.nodes = 3;
    TRY(talus_body_create(w, &d, &joint.body_b));
    TRY(talus_body_joint_create(w, &joint, &id));
    d.name = "weight", d.position[1] = 0.18, joint.point[0] = 0.13, joint.point[1] = 0.18;
    joint.name = "pin", joint.kind = "revolute", joint.node = NULL, joint.nodes = 0;
    TRY(talus_body_create(w, &d, &joint.body_b));
    TRY(talus_body_joint_create(w, &joint, &id));
    return TALUS_OK;
}

/* A block of soil that yields, of large rotations, drops onto the grains with its lower nodes; a corner above is held aside, its top is pressed and absorbs. */
static talus_status add_soil(talus_world *w, talus_material_id m)
{
    enum { ACROSS = 4, UP = 2 };
    double x[(ACROSS + 1) * (UP + 1)][3] = {{0}};
    uint8_t kind[ACROSS * UP];
    int node[ACROSS * UP][4];
    for (int j = 0; j <= UP; j++)
        for (int i = 0; i <= ACROSS; i++) x[i + (ACROSS + 1) * j][0] = 0.05 + 0.04 * i, x[i + (ACROSS + 1) * j][1] = 0.163 + 0.03 * j;
    for (int e = 0; e < ACROSS * UP; e++) {
        const int first = e % ACROSS + (ACROSS + 1) * (e / ACROSS);
        kind[e] = (uint8_t)talus_element_find("quadrilateral4");
        node[e][0] = first, node[e][1] = first + 1, node[e][2] = first + ACROSS + 2, node[e][3] = first + ACROSS + 1;
    }
    const talus_solid_region soil = {
        .material = talus_solid_material_find("drucker-prager"), .parameter = {2e6, 0.3, 500, 0.5, 300}, .density = 1800, .strain = TALUS_STRAIN_MEAN_VOLUME};
    const talus_solid_face top = {.element = ACROSS * UP - 1, .face = 2}, below[2] = {{0, 0}, {1, 0}};
    talus_solid_def d = talus_solid_def_default();
    talus_solid_load load = talus_solid_load_default();
    talus_solid_contact contact = talus_solid_contact_default();
    talus_solid_id s;
    d.name = "soil", d.nodes = (ACROSS + 1) * (UP + 1), d.position = (const double(*)[3])x;
    d.elements = ACROSS * UP, d.kind = kind, d.node = node[0], d.regions = 1, d.region = &soil;
    d.damping_stiffness = 1e-4, d.velocity[1] = -3, d.rotations = TALUS_ROTATIONS_LARGE;
    load.traction[0] = (talus_motion){push, NULL};
    contact.material = m, contact.surface = false, contact.nodes = true, contact.face = below, contact.faces = 2;
    TRY(talus_solid_create(w, &d, &s));
    TRY(talus_solid_hold(w, s, d.nodes - 1, 0, NULL));
    TRY(talus_solid_add_load(w, s, &load));
    load.face = &top, load.faces = 1, load.pressure = load.traction[0];
    TRY(talus_solid_add_load(w, s, &load));
    TRY(talus_solid_absorb(w, s, &top, 1));
    TRY(talus_solid_add_contact(w, s, &contact));
    return add_joined(w, s);
}

static const char *solver; /* of steps; NULL: the default */

static talus_status open_world(ledger *l, int threads, talus_world **w, char *text, size_t room)
{
    talus_world_def d = talus_world_def_default();
    d.gravity[1] = -9.81;
    d.solver.max_iterations = 50;
    d.solver.method = solver;
    d.threads = threads;
    d.allocator = (talus_allocator){counted, l};
    return talus_world_create(&d, w, text, room);
}

static talus_status define(talus_world *w)
{
    talus_material_def stone = talus_material_def_default();
    talus_interaction_def law = talus_interaction_def_default();
    talus_material_id m;
    const talus_material_id any = {0};
    stone.name = "stone", stone.density = 2000;
    law.friction = 0.4, law.restitution = 0.1;
    TRY(talus_material_create(w, &stone, &m));
    TRY(talus_interaction_set(w, any, any, &law));
    TRY(talus_interaction_set(w, m, m, &law));
    talus_status status = add_box(w, m);
    if (status == TALUS_OK) status = add_grains(w, m);
    if (solver) return status; /* what is held by joints and driven is swept */
    if (status == TALUS_OK) status = add_four_bar(w, m);
    if (status == TALUS_OK) status = add_driveline(w);
    if (status == TALUS_OK) status = add_hydraulics(w);
    return status == TALUS_OK ? add_soil(w, m) : status;
}

static talus_status furnish(talus_world *w)
{
    const talus_status status = define(w);
    return status == TALUS_OK ? talus_world_assemble(w) : status;
}

/* ---- tests -------------------------------------------------------------------------------------------------------- */

enum { STEPS = 5 };

/* With sanitizers a run takes fourteen times as long: there each single request is refused once, in `each_request`,
 * and in other ways one of seven. */
#ifdef TL_SANITIZED
enum { NEXT = 7 };
#else
enum { NEXT = 1 };
#endif

/* The sound run: its hashes after each step, and how many requests it makes until it is built, and until the end. */
typedef struct sound {
    uint64_t hash[STEPS + 1];
    long built, all;
    int contacts;
} sound;

static bool touches(const talus_world *w, talus_body_id body)
{
    for (int i = 0; i < talus_contact_count(w); i++) {
        talus_contact c;
        talus_contact_get(w, i, &c);
        if ((c.candidate.index1 == body.index1 || c.antagonist.index1 == body.index1) && c.impulse[0] > 0) return true;
    }
    return false;
}

static sound sound_run(int threads)
{
    sound s = {.built = 0};
    ledger l = {0};
    talus_world *w = NULL;
    char text[512] = "";
    CHECK_OK(open_world(&l, threads, &w, text, sizeof text), text);
    if (!w) exit(1);
    CHECK_OK(furnish(w), talus_world_error(w));
    s.built = l.calls;
    s.hash[0] = talus_world_hash(w);
    for (int i = 0; i < STEPS; i++) {
        talus_step_report r = {0};
        CHECK_OK(talus_world_step(w, &r), talus_world_error(w));
        s.hash[i + 1] = talus_world_hash(w);
        s.contacts = r.contacts;
    }
    s.all = l.calls;
    CHECK(solver || touches(w, talus_body_find(w, "soil")));
    const talus_coupling_state clutch = talus_coupling_read(w, talus_coupling_find(w, "clutch"));
    const double rate = talus_joint_velocity(w, talus_joint_find(w, "crankshaft"), 0) - 2 * talus_joint_velocity(w, talus_joint_find(w, "flywheel"), 0);
    CHECK(solver || (clutch.velocity == rate && rate != 0 && clutch.force != 0)); /* so that the runs below are of one that acts */
    talus_world_destroy(w);
    CHECK(l.live == 0 && !l.bad_free);
    CHECK(s.contacts > (solver ? 5 : 20));
    CHECK(s.built > 50 && s.all > s.built);
    if (test_failures) exit(1);
    return s;
}

/* A refused request is either survived with the same result, or told as MEMORY with a text. */
static void check_told(talus_status status, const char *text, long k, const char *where)
{
    if (status != TALUS_MEMORY) TEST_FAIL("request %d refused %s: %s, expected MEMORY: %s", (int)k, where, talus_status_name(status), text);
    else if (text[0] == '\0') TEST_FAIL("request %d refused %s: MEMORY without a text", (int)k, where);
}

/* Steps to the end with memory that fails within [first, last]; a failed step left the state alone and succeeds when tried again. */
static void step_through(talus_world *w, ledger *l, const sound *s, long k)
{
    for (int i = 0; i < STEPS; i++) {
        const long before = l->failed;
        talus_status status = talus_world_step(w, NULL);
        if (status != TALUS_OK) {
            if (l->failed == before) TEST_FAIL("request %d: a step failed that had its memory: %s", (int)k, talus_world_error(w));
            check_told(status, talus_world_error(w), k, "in a step");
            CHECK(talus_world_hash(w) == s->hash[i]);
            CHECK(talus_world_steps(w) == (uint64_t)i);
            l->fail_first = 0;
            status = talus_world_step(w, NULL);
            if (status != TALUS_OK) TEST_FAIL("request %d: the step fails again with memory: %s", (int)k, talus_world_error(w));
        }
        if (talus_world_hash(w) != s->hash[i + 1]) {
            TEST_FAIL("request %d: another state after step %d", (int)k, i + 1);
            return;
        }
    }
}

/* One world with requests first … last refused. */
static void one_world(const sound *s, int threads, long first, long last)
{
    ledger l = {.fail_first = first, .fail_last = last};
    talus_world *w = NULL;
    char text[512] = "";
    talus_status status = open_world(&l, threads, &w, text, sizeof text);
    if (status != TALUS_OK) {
        check_told(status, text, first, "in talus_world_create");
        CHECK(w == NULL);
    } else if ((status = furnish(w)) != TALUS_OK) check_told(status, talus_world_error(w), first, "while building");
    else step_through(w, &l, s, first);
    CHECK(first == 0 || l.failed > 0);
    talus_world_destroy(w);
    if (l.live != 0) TEST_FAIL("request %ld refused: %ld blocks are not freed", first, l.live);
    if (l.bad_free) TEST_FAIL("request %ld refused: a block was freed twice, or was never given", first);
}

TEST(each_request)
{
    const sound s = sound_run(1);
    for (long k = 1; k <= s.all && test_failures < 20; k++) one_world(&s, 1, k, k);
}

/* From the k-th on nothing is given any more: no path may hope for the next request. */
TEST(each_request_and_all_after)
{
    const sound s = sound_run(1);
    for (long k = 1; k <= s.all && test_failures < 20; k += NEXT) one_world(&s, 1, k, 1L << 40);
}

TEST(threads)
{
    const sound s = sound_run(3);
    for (long k = 1; k <= s.all && test_failures < 20; k += NEXT) one_world(&s, 3, k, k);
}

/* Those that form W and rows of it, or a matrix of bodies, ask for memory of their own in every step. */
TEST(solvers_by_value)
{
    static const char *const SOLVERS[] = {"pivot", "split", "pgs", "bodies"};
    for (int i = 0; i < 4; i++) {
        solver = SOLVERS[i];
        const sound s = sound_run(1);
        for (long k = s.built + 1; k <= s.all && test_failures < 20; k += NEXT) one_world(&s, 1, k, k);
    }
    solver = NULL;
}

/* A definition that failed for want of memory can be given again at once: the world is the same as if nothing had happened. */
TEST(defined_again)
{
    const sound s = sound_run(1);
    persistent = true;
    for (long k = 1; k <= s.built && test_failures < 20; k += NEXT) {
        ledger l = {0};
        talus_world *w = NULL;
        char text[512] = "";
        CHECK_OK(open_world(&l, 1, &w, text, sizeof text), text);
        l.fail_first = l.fail_last = k;
        CHECK_OK(define(w), talus_world_error(w));
        l.fail_first = 0;
        CHECK_OK(talus_world_assemble(w), talus_world_error(w));
        step_through(w, &l, &s, k);
        talus_world_destroy(w);
        CHECK(l.live == 0 && !l.bad_free);
    }
}

/* A world that did not assemble cannot be mended (src/world/world.h): it keeps saying so, and is freed whole. */
TEST(assembly)
{
    const sound s = sound_run(1);
    int refused = 0;
    for (long k = 1; k <= s.built && test_failures < 20; k++) {
        ledger l = {0};
        talus_world *w = NULL;
        char text[512] = "";
        CHECK_OK(open_world(&l, 1, &w, text, sizeof text), text);
        CHECK_OK(define(w), talus_world_error(w));
        l.fail_first = l.fail_last = l.calls + k;
        const talus_status status = talus_world_assemble(w);
        l.fail_first = 0;
        if (l.failed == 0) k = s.built; /* assembly asks no more often than that */
        if (status != TALUS_OK) {
            refused++;
            check_told(status, talus_world_error(w), k, "at assembly");
            check_told(talus_world_assemble(w), talus_world_error(w), k, "at assembly, the second time");
            check_told(talus_world_step(w, NULL), talus_world_error(w), k, "at assembly, then a step");
            CHECK(talus_world_steps(w) == 0);
        } else step_through(w, &l, &s, k);
        talus_world_destroy(w);
        CHECK(l.live == 0 && !l.bad_free);
    }
    CHECK(refused > 2);
}

/* A state that cannot be put back for want of memory leaves the present one. */
TEST(restored)
{
    const sound s = sound_run(1);
    ledger from = {0}, l = {0};
    talus_world *source = NULL, *w = NULL;
    char text[512] = "";
    CHECK_OK(open_world(&from, 1, &source, text, sizeof text), text);
    CHECK_OK(open_world(&l, 1, &w, text, sizeof text), text);
    CHECK_OK(furnish(source), talus_world_error(source));
    CHECK_OK(furnish(w), talus_world_error(w));
    for (int i = 0; i < STEPS; i++) CHECK_OK(talus_world_step(source, NULL), talus_world_error(source));
    talus_field field[32];
    const int n = talus_state_count(source);
    CHECK(n > 0 && n <= 32);
    for (int i = 0; i < n && i < 32; i++) talus_state_field(source, i, &field[i]);
    talus_status status = TALUS_MEMORY;
    for (long k = 1; k < 1000 && status != TALUS_OK; k++) {
        l.fail_first = l.fail_last = l.calls + k;
        status = talus_state_restore(w, field, n);
        if (status == TALUS_OK) break;
        check_told(status, talus_world_error(w), k, "in talus_state_restore");
        CHECK(talus_world_hash(w) == s.hash[0] && talus_world_steps(w) == 0);
    }
    CHECK_OK(status, talus_world_error(w));
    CHECK(talus_world_hash(w) == s.hash[STEPS]);
    talus_world_destroy(w);
    talus_world_destroy(source);
    CHECK(l.live == 0 && from.live == 0);
}

int main(int argc, char **argv)
{
    RUN(each_request);
    RUN(each_request_and_all_after);
    RUN(threads);
    RUN(solvers_by_value);
    RUN(defined_again);
    RUN(assembly);
    RUN(restored);
    return TEST_RESULT;
}
