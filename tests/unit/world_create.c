/* Settings of a world, its life and readings at their borders. */
#include "unit/refuse.h"

/* Creating with one setting changed must fail and say so. */
static void refused_def(const talus_world_def *d, const char *word)
{
    talus_world *w = (talus_world *)1;
    char text[256] = "";
    CHECK(talus_world_create(d, &w, text, sizeof text) == TALUS_INPUT);
    CHECK(w == NULL);
    if (!strstr(text, word)) TEST_FAIL("says \"%s\", without \"%s\"", text, word);
    CHECK(talus_world_create(d, &w, NULL, 0) == TALUS_INPUT);
}

TEST(settings)
{
    const talus_world_def good = talus_world_def_default();
    talus_world_def d;
    memset(&d, 0, sizeof d);
    refused_def(&d, "talus_world_def_default");
    refused_def(NULL, "talus_world_def_default");
    struct {
        talus_world_def known;
        double unknown;
    } newer = {good, 1}; /* of a header that knows more, and asks for it */
    newer.known.struct_size = sizeof newer;
    refused_def(&newer.known, "talus_world_def_default");
    for (int k = 0; k < 4; k++) d = good, d.dimension = (int[]){0, 1, 4, -2}[k], refused_def(&d, "dimension");
    for (int k = 0; k < 4; k++) d = good, d.step = (double[]){0, -1e-3, NOT_A_NUMBER, ENDLESS}[k], refused_def(&d, "step");
    for (int k = 0; k < 4; k++) d = good, d.theta = (double[]){0.49, 1.01, NOT_A_NUMBER, -1}[k], refused_def(&d, "theta");
    for (int k = 0; k < 2; k++) d = good, d.threads = (int[]){0, -1}[k], refused_def(&d, "threads");
    for (int k = 0; k < 2; k++) d = good, d.solver.tolerance = (double[]){-1, NOT_A_NUMBER}[k], refused_def(&d, "tolerance");
    for (int k = 0; k < 2; k++) d = good, d.solver.max_iterations = (int[]){0, -5}[k], refused_def(&d, "max_iterations");
    for (int k = 0; k < 3; k++) d = good, d.alert_distance = (double[]){-1, NOT_A_NUMBER, ENDLESS}[k], refused_def(&d, "alert");
    for (int k = 0; k < 2; k++) d = good, d.penetration_slop = (double[]){-1, NOT_A_NUMBER}[k], refused_def(&d, "slop");
    for (int axis = 0; axis < 3; axis++) {
        d = good, d.gravity[axis] = NOT_A_NUMBER, refused_def(&d, "gravity");
        d = good, d.gravity[axis] = ENDLESS, refused_def(&d, "gravity");
    }
    char tiny[4] = "";
    talus_world *w;
    d = good, d.dimension = 7;
    CHECK(talus_world_create(&d, &w, tiny, sizeof tiny) == TALUS_INPUT && strlen(tiny) == 3); /* cut, not overrun */
    const double edges[] = {0.5, 1};
    for (int k = 0; k < 2; k++) {
        d = good, d.theta = edges[k];
        w = open_world(&d);
        CHECK(talus_world_error(w)[0] == 0 && talus_world_warnings(w)[0] == 0);
        talus_world_destroy(w);
    }
    talus_world_destroy(NULL);
}

/* Settings within a definition have a size of their own: what a caller does not know stays as it is by default, what the library does not know is refused. */
TEST(settings_of_another_header)
{
    const talus_world_def good = talus_world_def_default();
    talus_world_def d = good;
    CHECK(d.solver.struct_size == sizeof d.solver && d.solver.max_iterations == 2000 && d.solver.momentum);
    d.solver.struct_size = offsetof(talus_solver_settings, max_iterations); /* a header that ends before it */
    d.solver.max_iterations = -1;
    talus_world_destroy(open_world(&d));
    d.solver.tolerance = -1;
    refused_def(&d, "tolerance");
    d = good, d.solver.struct_size = 0;
    refused_def(&d, "talus_solver_settings_default");
    d = good, memset(d.solver_room + sizeof d.solver, 0, sizeof d.solver_room - sizeof d.solver);
    d.solver.struct_size = sizeof d.solver_room, d.solver_room[sizeof d.solver + 8] = 1; /* a header that knows more, and asks for it */
    refused_def(&d, "talus_solver_settings_default");
    d.solver_room[sizeof d.solver + 8] = 0;
    talus_world_destroy(open_world(&d));
    d.solver.struct_size = sizeof d.solver_room + 8;
    refused_def(&d, "talus_solver_settings_default");
}

/* A world without bodies steps; one without materials or shapes too. */
TEST(empty_worlds)
{
    for (int dimension = 2; dimension <= 3; dimension++) {
        talus_world_def d = talus_world_def_default();
        d.dimension = dimension;
        talus_world *w = open_world(&d);
        CHECK(talus_state_count(w) == 0); /* not assembled yet */
        run(w, 3);
        double kinetic, potential;
        talus_world_energy(w, &kinetic, &potential);
        CHECK(kinetic == 0 && potential == 0);
        CHECK(talus_world_dimension(w) == dimension && talus_world_steps(w) == 3 && talus_body_count(w) == 0);
        CHECK_NEAR(talus_world_time(w), 0.003, 1e-17);
        CHECK(talus_world_step_size(w) == 1e-3);
        CHECK(talus_contact_count(w) == 0 && talus_degrees_of_freedom(w) == 0);
        talus_world_destroy(w);
    }
    talus_world_def d = lab(1e-3);
    talus_world *w = open_world(&d);
    talus_body_def def = talus_body_def_default();
    talus_body_id bullet = {0};
    def.mass = 2;
    CHECK_OK(talus_body_create(w, &def, &bullet), talus_world_error(w));
    run(w, 1000);
    CHECK_NEAR(at(w, bullet, 1), -0.5 * G, 1e-12);
    CHECK(talus_body_mass(w, bullet) == 2 && talus_body_inertia(w, bullet) == 0 && talus_degrees_of_freedom(w) == 3);
    talus_world_destroy(w);
}

TEST(statuses_and_stages)
{
#define CHECK_STATUS(name, value, meaning)                                                                                                                     \
    CHECK(TALUS_##name == (value));                                                                                                                            \
    CHECK(strcmp(talus_status_name(TALUS_##name), #name) == 0);                                                                                                \
    CHECK(strcmp(talus_status_meaning(TALUS_##name), meaning) == 0);
    TALUS_STATUS_LIST(CHECK_STATUS)
    CHECK(strcmp(talus_status_name((talus_status)99), "?") == 0);
    CHECK(talus_status_meaning((talus_status)99) != NULL);
    talus_world_def d = lab(1e-3);
    talus_world *w = open_world(&d);
    CHECK(talus_stage_count(w) == 8);
    run(w, 2);
    for (int i = 0; i < talus_stage_count(w); i++) {
        CHECK(talus_stage_name(w, i)[0] != 0);
        CHECK(talus_stage_seconds(w, i) >= 0 && talus_stage_seconds(w, i) < 1);
    }
    CHECK(talus_stage_name(w, -1) != NULL && talus_stage_name(w, 1000) != NULL);
    CHECK(talus_stage_seconds(w, -1) == 0 && talus_stage_seconds(w, 1000) == 0);
    CHECK(talus_world_bytes(w) > 0);
    talus_world_destroy(w);
}

/* Null and foreign ids read as the ground or as nothing; they never crash. */
TEST(null_ids)
{
    talus_world_def d = lab(1e-3);
    talus_world *w = open_world(&d);
    const talus_material_id m = material(w, "stone", 2000);
    const talus_body_id disk = free_disk(w, m, 1, 2, 0.1);
    step(w);
    const talus_body_id ids[] = {{0}, {99}, {0xffffffff}};
    for (int i = 0; i < 3; i++) {
        double position[3] = {9, 9, 9}, quaternion[4], linear[3] = {9}, angular[3] = {9};
        talus_shape_def shape;
        CHECK(strcmp(talus_body_name(w, ids[i]), "") == 0);
        CHECK(talus_body_get_kind(w, ids[i]) == TALUS_BODY_FIXED);
        CHECK(!talus_body_is_link(w, ids[i]));
        CHECK(talus_body_mass(w, ids[i]) == 0 && talus_body_inertia(w, ids[i]) == 0 && talus_body_angle(w, ids[i]) == 0);
        talus_body_pose(w, ids[i], position, quaternion);
        CHECK(position[0] == 0 && position[1] == 0 && position[2] == 0 && quaternion[0] == 1 && quaternion[3] == 0);
        talus_body_velocity(w, ids[i], (double[3]){1, 2, 3}, linear, angular);
        CHECK(linear[0] == 0 && linear[1] == 0 && angular[2] == 0);
        CHECK(talus_body_shape_count(w, ids[i]) == 0);
        talus_body_shape(w, ids[i], 0, &shape);
        CHECK(shape.struct_size == sizeof shape);
        CHECK(isnan(talus_joint_position(w, (talus_joint_id){ids[i].index1}, 0)));
        CHECK(isnan(talus_joint_velocity(w, (talus_joint_id){ids[i].index1}, 0)));
        CHECK(isnan(talus_joint_force(w, (talus_joint_id){ids[i].index1}, 0)));
        CHECK(talus_joint_positions(w, (talus_joint_id){ids[i].index1}) == 0);
        CHECK(talus_joint_rates(w, (talus_joint_id){ids[i].index1}) == 0);
        CHECK(isnan(talus_loop_error(w, (talus_loop_id){ids[i].index1})));
        double reaction[6] = {9, 9, 9, 9, 9, 9};
        talus_loop_reaction(w, (talus_loop_id){ids[i].index1}, reaction);
        for (int k = 0; k < 6; k++) CHECK(reaction[k] == 0);
    }
    CHECK(talus_body_at(w, -1).index1 == 0 && talus_body_at(w, 1).index1 == 0 && same(talus_body_at(w, 0), disk));
    CHECK(talus_body_find(w, "nobody").index1 == 0 && talus_body_find(w, NULL).index1 == 0 && talus_body_find(w, "").index1 == 0);
    CHECK(talus_joint_find(w, "none").index1 == 0 && talus_loop_find(w, "none").index1 == 0 && talus_joint_find(w, NULL).index1 == 0);
    talus_contact c;
    talus_contact_get(w, 0, &c), talus_contact_get(w, -1, &c);
    CHECK(c.impulse[0] == 0 && c.candidate.index1 == 0);
    talus_field f;
    talus_state_field(w, -1, &f), talus_state_field(w, 1000, &f);
    CHECK(f.data == NULL && f.rows == 0);
    talus_world_destroy(w);
}

/* The user's allocator gets every request, gives all of it back, and may refuse any of them. */
typedef struct counter {
    long blocks, calls, refuse_at;
} counter;

static void *counted(void *user, void *pointer, size_t size)
{
    counter *c = user;
    if (size == 0) {
        if (pointer) c->blocks--;
        free(pointer);
        return NULL;
    }
    if (++c->calls == c->refuse_at) return NULL;
    void *block = realloc(pointer, size);
    if (block && !pointer) c->blocks++;
    return block;
}

static talus_status small_run(counter *c)
{
    talus_world_def d = lab(1e-3);
    d.allocator = (talus_allocator){counted, c};
    d.threads = 2;
    talus_world *w = NULL;
    talus_status status = talus_world_create(&d, &w, NULL, 0);
    if (status != TALUS_OK) return status;
    talus_material_def md = talus_material_def_default();
    talus_material_id m = {0};
    talus_body_id b = {0};
    md.density = 1000, md.name = "stone";
    status = talus_material_create(w, &md, &m);
    talus_interaction_def law_def = talus_interaction_def_default();
    if (status == TALUS_OK) status = talus_interaction_set(w, m, m, &law_def);
    for (int i = 0; i < 6 && status == TALUS_OK; i++) {
        talus_body_def bd = talus_body_def_default();
        char name[8] = {(char)('a' + i), 0};
        bd.name = name;
        bd.kind = i ? TALUS_BODY_FREE : TALUS_BODY_FIXED;
        bd.position[1] = 0.2 * i;
        status = talus_body_create(w, &bd, &b);
        if (status != TALUS_OK) break;
        talus_shape_def s = talus_shape_def_default();
        s.material = m, s.kind = TALUS_SHAPE_POLYGON, s.count = 4;
        const double box[4][2] = {{-0.1, -0.1}, {0.1, -0.1}, {0.1, 0.1}, {-0.1, 0.1}};
        memcpy(s.points, box, sizeof box);
        status = talus_body_add_shape(w, b, &s);
        talus_load_def load = talus_load_def_default();
        if (status == TALUS_OK) status = talus_body_add_load(w, b, &load);
    }
    for (int i = 0; i < 5 && status == TALUS_OK; i++) status = talus_world_step(w, NULL);
    talus_world_destroy(w);
    return status;
}

TEST(memory)
{
    counter c = {0};
    CHECK(small_run(&c) == TALUS_OK);
    CHECK(c.blocks == 0 && c.calls > 10);
    const long calls = c.calls;
    for (long k = 1; k <= calls; k++) { /* refuse the k-th request: MEMORY, no crash, nothing left behind */
        counter refusing = {.refuse_at = k};
        const talus_status status = small_run(&refusing);
        if (status != TALUS_MEMORY && status != TALUS_OK) TEST_FAIL("request %ld refused: %s", k, talus_status_name(status));
        if (refusing.blocks != 0) TEST_FAIL("request %ld refused: %ld blocks left", k, refusing.blocks);
    }
}

/* A warmed-up step does not allocate (architecture §4). */
TEST(steady_memory)
{
    counter c = {0};
    talus_world_def d = lab(1e-3);
    d.solver.tolerance = 0;
    d.allocator = (talus_allocator){counted, &c};
    talus_world *w = open_world(&d);
    const talus_material_id m = material(w, "stone", 2000);
    law(w, 0.3, 0);
    wall(w, m, 0, 0, 0, 1), wall(w, m, 0, 0, 1, 0), wall(w, m, 1, 0, -1, 0);
    for (int i = 0; i < 60; i++) free_disk(w, m, 0.1 + 0.1 * (i % 8) + 0.003 * (i / 8), 0.1 + 0.1 * (i / 8), 0.04);
    for (int i = 0; i < 1500; i++) step(w);
    const long warm = c.calls;
    for (int i = 0; i < 200; i++) step(w);
    CHECK(c.calls == warm);
    talus_world_destroy(w);
    CHECK(c.blocks == 0);
}

int main(int argc, char **argv)
{
    RUN(settings);
    RUN(settings_of_another_header);
    RUN(empty_worlds);
    RUN(statuses_and_stages);
    RUN(null_ids);
    RUN(memory);
    RUN(steady_memory);
    return TEST_RESULT;
}
