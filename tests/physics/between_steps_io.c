/* What a program or a stage does between two steps holds from the next on and does nothing else; a step that fails leaves the state of its start. */
#include "lab.h"

static const char *const SCHEME[] = {"moreau", "spook", "generalized_alpha", "penalty_rk4"};

/* A ball a millimetre above a floor whose pair does not touch; a stage lets it touch, and gravity act: it comes to rest on the floor, penetrates it by
 * m g/k where contacts give, and is never deeper than by g h² or twice that. */
TEST(a_pair_that_is_enabled)
{
    for (int i = 0; i < 7; i++) {
        const int scheme = i % 4;
        const bool flat = i < 4, soft = scheme == 3;
        const char *z = flat ? "" : ", 0", *kind = flat ? "disk" : "sphere", *half = flat ? "half_plane" : "half_space";
        char text[1500];
        snprintf(
            text, sizeof text,
            "dimension: %d\ntime: {end: 1 s, step: 1 ms}\nintegrator: {scheme: %s}\nmaterials: {a: {density: 1000}, b: {density: 1000}}\ninteractions: "
            "[{between: [a, b], enabled: false%s}, {between: [a, a]%s}, {between: [b, b]%s}]\nbodies:\n  f: {kind: fixed, shapes: [{%s: {point: [0, 0%s], "
            "normal: [0, 1%s], material: a}}]}\n  g: {position: [0, 0.101%s], shapes: [{%s: {radius: 0.1, material: b}}]}\nprobes: {y: {body: g, quantity: "
            "y}}\nstages: {one: {until: {after: 10 ms}}, two: {gravity: [0, -9.81%s], interactions: [{between: [a, b], enabled: true%s}]}}\n",
            flat ? 2 : 3, SCHEME[scheme], soft ? ", stiffness: 1 MN/m, damping: 1 kN s/m" : "", soft ? ", stiffness: 1 MN/m, damping: 1 kN s/m" : "",
            soft ? ", stiffness: 1 MN/m, damping: 1 kN s/m" : "", half, z, z, z, kind, z, soft ? ", stiffness: 1 MN/m, damping: 1 kN s/m" : "");
        lab l = open_lab(text, 1);
        double lowest = 1;
        while (talus_world_time(l.world) < 0.3) {
            lab_step(&l);
            lowest = fmin(lowest, lab_probe(&l, "y"));
        }
        const double weight = 9810 * 3.141592653589793 * 0.01; /* of the disk */
        CHECK_NEAR(lab_probe(&l, "y"), 0.1 - (soft ? weight / 1e6 : 0), 2e-5);
        CHECK(lowest > 0.1 - (soft ? 1.1e-3 : 2e-5));
        close_lab(&l);
    }
}

static bool has_entries(const talus_world *w, const char *name)
{
    bool any = false;
    for (int i = 0; i < talus_state_count(w); i++) {
        talus_field f;
        talus_state_field(w, i, &f);
        for (size_t k = 0; strcmp(f.name, name) == 0 && k < f.rows * f.columns; k++) any = any || ((const double *)f.data)[k] != 0;
    }
    return any;
}

/* Steps that fail, of which a gravity is the cause that is put back: then the run goes on with the same bits as one that has not failed, and so it does after
 * looks at what overlaps. Of bodies that slide and turn, of links, and of soil that is strained so far that its stiffness is taken anew. */
TEST(a_step_that_fails)
{
    static const char GRAINS[] =
        "bodies:\n  f: {kind: fixed, shapes: [{%s: {point: [0, 0%s], normal: [0, 1%s], material: m}}]}\n  g: {position: [0, 0.2%s], velocity: [1, "
        "0%s], shapes: [{box: {size: [0.2, 0.2%s], material: m}}]}\n  k: {position: [0.05, 0.6%s], velocity: [0, 0%s], shapes: [{box: {size: [0.2, "
        "0.2%s], material: m}}]}\n";
    static const char LINKS[] =
        "mechanisms: {m: {bodies: {a: {mass: 1, inertia: %s, centre_of_mass: [0.5, 0%s]}, b: {mass: 1, inertia: %s, centre_of_mass: [0.3, 0%s]}}, "
        "joints: {p: {type: revolute, parent: ground, child: a%s}, q: {type: revolute, parent: a, child: b, at: [1, 0%s]%s}}}}\n";
    static const char SOIL[] = "bodies: {f: {kind: fixed, shapes: [{%s: {point: [0, 0%s], normal: [0, 1%s], material: m}}]}}\nsolids: {s: {box: {size: [0.8, "
                               "0.4%s], elements: [8, 4%s], at: [0.4, "
                               "0.4%s]}, meshfree: {renewal: 0.005, stretch: 30}, material: {kind: drucker-prager, density: 2000, young: 1 MPa, poisson: 0.25, "
                               "cohesion: 50 Pa, friction: 25 deg, "
                               "tension: 50 Pa, isochoric: 1}, damping: {stiffness: 2 ms}, fixed: [{group: left, along: x}], contact: {surface: [bottom, "
                               "right, top], as: nodes, material: m}}}\n";
    for (int i = 0; i < 18; i++) {
        const bool flat = i % 2 == 0;
        const int what = i / 6, scheme = i / 2 % 3;
        const char *z = flat ? "" : ", 0", *deep = flat ? "" : ", 0.2", *J = flat ? "0.05" : "[0.05, 0.05, 0.05]", *axis = flat ? "" : ", axis: [0, 0, 1]";
        char text[3000], part[2000];
        if (what == 2 && scheme != 0) continue; /* what is remembered there is that of solids in all schemes */
        if (what == 0) snprintf(part, sizeof part, GRAINS, flat ? "half_plane" : "half_space", z, z, z, z, deep, z, z, deep);
        else if (what == 1) snprintf(part, sizeof part, LINKS, J, z, J, z, axis, z, axis);
        else snprintf(part, sizeof part, SOIL, flat ? "half_plane" : "half_space", z, z, deep, flat ? "" : ", 2", z);
        snprintf(text, sizeof text,
                 "dimension: %d\ntime: {end: 9 s, step: %s}\ngravity: [4, -9.81%s]\nintegrator: {scheme: %s}\nmaterials: {m: {density: 1000}}\ninteractions: "
                 "[{friction: 0.5}]\n%s",
                 flat ? 2 : 3, "2 ms", z, SCHEME[scheme], part);
        lab plain = open_lab(text, 1), other = open_lab(text, 1);
        const double gravity[3] = {4, -9.81, 0}, wild[3] = {1e200, 1e200, 0};
        for (int k = 0; k < 120; k++) {
            lab_step(&plain);
            if (k % 7 == 3 || k == 0) {
                const uint64_t before = talus_world_hash(other.world);
                CHECK(talus_world_set_gravity(other.world, wild) == TALUS_OK);
                const talus_status failed = talus_world_step(other.world, NULL);
                if (failed == TALUS_OK) TEST_FAIL("%s, %s, step %d: nothing fails", part, SCHEME[scheme], k);
                CHECK(talus_world_set_gravity(other.world, gravity) == TALUS_OK);
                CHECK(talus_world_hash(other.world) == before);
            }
            if (k % 5 == 2) {
                talus_overlap list[4];
                int count;
                const uint64_t before = talus_world_hash(other.world);
                CHECK(talus_world_overlaps(other.world, 0, list, 4, &count) == TALUS_OK && count == 0);
                CHECK(talus_world_hash(other.world) == before);
            }
            lab_step(&other);
            if (talus_world_hash(other.world) == talus_world_hash(plain.world)) continue;
            TEST_FAIL("%s, %s, step %d: other bits", part, SCHEME[scheme], k);
            break;
        }
        if (what == 2) CHECK(has_entries(plain.world, "s/turned"));
        close_lab(&plain), close_lab(&other);
    }
}

/* What is put somewhere while it is not there has its velocity when it is freed. A quaternion of any length is one, but for 0; what is refused changes nothing.
 */
TEST(placed_while_absent)
{
    for (int d = 2; d <= 3; d++) {
        char text[500];
        snprintf(text, sizeof text,
                 "dimension: %d\ntime: {end: 2 s, step: 1 ms}\nbodies: {g: {mass: 1, %s}}\nstages: {one: {until: {after: 9 s}}, two: {bodies: {g: {kind: "
                 "removed}}}}\n",
                 d, d == 2 ? "inertia: 1" : "inertia_tensor: [1, 1, 1]");
        lab l = open_lab(text, 1);
        const talus_body_id g = talus_body_find(l.world, "g");
        const double at[3] = {1, 2, 0}, turn[3][4] = {{0, 0, 0, 0}, {1e200, 0, 0, 1e200}, {1e-200, 0, 0, 1e-200}}, v[3] = {3, -1, 0}, w[3] = {0, 0, 5};
        double p[3], q[4];
        CHECK_OK(talus_body_set_kind(l.world, g, TALUS_BODY_ABSENT), talus_world_error(l.world));
        lab_step(&l);
        CHECK(talus_body_place(l.world, g, at, turn[0], v, w) == TALUS_INPUT && strstr(talus_world_error(l.world), "length 0"));
        CHECK(talus_body_place(l.world, g, NULL, turn[1], v, w) == TALUS_INPUT && talus_body_place(l.world, g, at, turn[1], v, NULL) == TALUS_INPUT);
        talus_body_pose(l.world, g, p, q);
        CHECK(p[0] == 0 && p[1] == 0 && q[0] == 1);
        for (int k = 1; k < 3; k++) {
            CHECK_OK(talus_body_place(l.world, g, at, turn[k], v, w), talus_world_error(l.world));
            talus_body_pose(l.world, g, p, q);
            CHECK_NEAR(q[0], sqrt(0.5), 1e-15);
            CHECK_NEAR(q[3], sqrt(0.5), 1e-15);
        }
        CHECK_OK(talus_body_set_kind(l.world, g, TALUS_BODY_FREE), talus_world_error(l.world));
        for (int k = 0; k < 1000; k++) lab_step(&l);
        double linear[3], angular[3];
        talus_body_pose(l.world, g, p, q);
        talus_body_velocity(l.world, g, (const double[3]){0}, linear, angular);
        CHECK_NEAR(p[0], 4, 1e-12);
        CHECK_NEAR(p[1], 1, 1e-12);
        CHECK_NEAR(angular[2], 5, 1e-14);
        close_lab(&l);
    }
}

/* The problem of a step is written with the masses that it had: after a body has been fixed they are gone, and M v = H I + f would not hold. */
TEST(a_problem_whose_bodies_change)
{
    for (int d = 2; d <= 3; d++) {
        char text[1000], message[300];
        const char *z = d == 2 ? "" : ", 0", *kind = d == 2 ? "disk" : "sphere";
        snprintf(text, sizeof text,
                 "dimension: %d\ntime: {end: 2 s, step: 1 ms}\nmaterials: {m: {density: 1000}}\nbodies: {a: {position: [0, 0%s], velocity: [1, 0%s], shapes: "
                 "[{%s: {radius: "
                 "0.1, material: m}}]}, b: {position: [0.2, 0%s], shapes: [{%s: {radius: 0.1, material: m}}]}}\nstages: {one: {until: {after: 9 s}}, two: "
                 "{bodies: {b: {kind: "
                 "removed}}}}\n",
                 d, z, z, kind, z, kind);
        lab l = open_lab(text, 1);
        lab_step(&l);
        talus_global_problem p;
        CHECK(talus_world_global_problem(l.world, &p, message, sizeof message) == TALUS_OK && p.contacts == 1);
        CHECK_OK(talus_body_set_kind(l.world, talus_body_find(l.world, "b"), TALUS_BODY_FIXED), talus_world_error(l.world));
        CHECK(talus_world_global_problem(l.world, &p, message, sizeof message) == TALUS_INPUT && strstr(message, "since the step"));
        close_lab(&l);
    }
}

/* Arrays of a program's own, and states to restore: names, sizes and values are looked at before anything is written. */
TEST(states_that_are_refused)
{
    lab l = open_lab("time: {end: 1 s, step: 1 ms}\nbodies: {g: {mass: 1, inertia: 1, velocity: [1, 0]}}\n", 1);
    static const char *const NAME[] = {"clock/steps", "contacts/mine", "grains/position", ""};
    for (int i = 0; i < 4; i++) CHECK(talus_state_add(l.world, &(talus_field){NAME[i], "1", "", TALUS_FIELD_DOUBLE, 1, 1, NULL}) == TALUS_INPUT);
    CHECK(talus_state_add(l.world, &(talus_field){"large", "1", "", TALUS_FIELD_DOUBLE, (size_t)1 << 62, 4, NULL}) == TALUS_INPUT);
    CHECK(talus_state_add(l.world, &(talus_field){"odd", "1", "", (talus_field_type)17, 1, 1, NULL}) == TALUS_INPUT);
    CHECK_OK(talus_state_add(l.world, &(talus_field){"mine", "1", "", TALUS_FIELD_DOUBLE, 1, 1, NULL}), talus_world_error(l.world));
    lab_step(&l);
    const int count = talus_state_count(l.world);
    talus_field *field = calloc((size_t)count, sizeof *field);
    for (int i = 0; i < count; i++) talus_state_field(l.world, i, &field[i]);
    const uint64_t before = talus_world_hash(l.world);
    for (int i = 0; i < count; i++) {
        const talus_field right = field[i];
        const double nan[64] = {(double)NAN};
        const int32_t kind[] = {42};
        if (right.rows * right.columns == 0) continue;
        field[i].data = NULL;
        CHECK(talus_state_restore(l.world, field, count) == TALUS_INPUT && strstr(talus_world_error(l.world), right.name));
        field[i].data = right.type == TALUS_FIELD_INT32 ? (const void *)kind : nan;
        const bool wrong = strncmp(right.name, "grains/", 7) == 0;
        if (wrong) CHECK(talus_state_restore(l.world, field, count) == TALUS_INPUT && strstr(talus_world_error(l.world), right.name));
        field[i] = right;
        CHECK(talus_world_hash(l.world) == before);
    }
    CHECK_OK(talus_state_restore(l.world, field, count), talus_world_error(l.world));
    free(field);
    close_lab(&l);
}

/* A law that resists rolling cannot be given to a solid, before or after assembly: what was there goes on to hold. */
TEST(a_law_that_a_solid_does_not_take)
{
    static const char TEXT[] = "time: {end: 1 s, step: 1 ms}\nmaterials: {a: {density: 1000}, b: {density: 1000}}\ninteractions: [{friction: 0.5}]\n"
                               "solids: {s: {box: {size: [1, 0.5], elements: [4, 2]}, material: {density: 1000, young: 1 MPa, poisson: 0.3}, fixed: bottom, "
                               "contact: {surface: top, material: a}}}\nbodies: {g: {position: [0, 0.5], shapes: [{disk: {radius: 0.1, material: b}}]}}\n";
    lab l = open_lab(TEXT, 1);
    talus_interaction_def d = talus_interaction_def_default();
    const talus_material_id a = {1}, b = {2};
    lab_step(&l);
    const double arm = 0.01;
    const talus_law_value rolling = {"rolling", &arm, 1, NULL};
    d.law = "rolling", d.friction = 0.5, d.value = &rolling, d.values = 1;
    CHECK(talus_interaction_check(l.world, a, b, &d) == TALUS_UNSUPPORTED && talus_interaction_set(l.world, a, b, &d) == TALUS_UNSUPPORTED);
    CHECK(strstr(talus_world_error(l.world), "takes no moments of contacts") != NULL);
    lab_step(&l);
    d.law = "coulomb", d.values = 0;
    CHECK_OK(talus_interaction_set(l.world, a, b, &d), talus_world_error(l.world));
    close_lab(&l);
}

int main(int argc, char **argv)
{
    RUN(a_pair_that_is_enabled);
    RUN(a_step_that_fails);
    RUN(placed_while_absent);
    RUN(a_problem_whose_bodies_change);
    RUN(states_that_are_refused);
    RUN(a_law_that_a_solid_does_not_take);
    return TEST_RESULT;
}
