/* Definition calls refuse what is impossible and say what it was; what they accept reads back as it was given. */
#include "unit/refuse.h"
#include "world/world.h"

static talus_world *small_world(void)
{
    talus_world_def d = lab(1e-3);
    return open_world(&d);
}

/* Numbers of machines go where those of bodies and mechanisms do not: one that would not is refused, the largest that does not is one. */
TEST(machines)
{
    talus_world *w = small_world();
    talus_body_def d = talus_body_def_default();
    talus_body_id id;
    d.name = "lid", d.mass = d.inertia = 1;
    const int bad[] = {-1, 1000000001, 2147483647};
    for (int i = 0; i < 3; i++) {
        d.machine = bad[i];
        REFUSED(talus_body_create(w, &d, &id), TALUS_INPUT, "its machine is");
    }
    d.machine = 1000000000;
    CHECK_OK(talus_body_create(w, &d, &id), talus_world_error(w));
    CHECK_OK(talus_world_assemble(w), talus_world_error(w));
    talus_world_destroy(w);
}

TEST(materials)
{
    talus_world *w = small_world();
    talus_material_id id = {0};
    talus_material_def d;
    memset(&d, 0, sizeof d);
    REFUSED(talus_material_create(w, &d, &id), TALUS_INPUT, "talus_material_def_default");
    REFUSED(talus_material_create(w, NULL, &id), TALUS_INPUT, "talus_material_def_default");
    const double bad_density[] = {-1, NOT_A_NUMBER, ENDLESS}, bad_thickness[] = {0, -1, NOT_A_NUMBER, ENDLESS};
    for (int i = 0; i < 3; i++) {
        d = talus_material_def_default(), d.name = "lead", d.density = bad_density[i];
        REFUSED(talus_material_create(w, &d, &id), TALUS_INPUT, "'lead'");
        REFUSED(talus_material_create(w, &d, &id), TALUS_INPUT, "density");
    }
    for (int i = 0; i < 4; i++) {
        d = talus_material_def_default(), d.name = "lead", d.thickness = bad_thickness[i];
        REFUSED(talus_material_create(w, &d, &id), TALUS_INPUT, "thickness");
    }
    CHECK(id.index1 == 0); /* nothing was handed out */
    material(w, "stone", 2000);
    d = talus_material_def_default(), d.name = "stone";
    REFUSED(talus_material_create(w, &d, &id), TALUS_INPUT, "'stone'");
    d.name = NULL;
    CHECK_OK(talus_material_create(w, &d, &id), talus_world_error(w)); /* names are optional: two without are fine */
    CHECK_OK(talus_material_create(w, &d, &id), talus_world_error(w));
    talus_world_destroy(w);
}

TEST(interactions)
{
    talus_world *w = small_world();
    const talus_material_id a = material(w, "a", 1), none = {0}, unknown = {7};
    talus_interaction_def d;
    memset(&d, 0, sizeof d);
    REFUSED(talus_interaction_set(w, a, a, &d), TALUS_INPUT, "talus_interaction_def_default");
    const double bad_friction[] = {-0.1, NOT_A_NUMBER, ENDLESS}, bad_e[] = {-0.1, 1.1, NOT_A_NUMBER};
    for (int i = 0; i < 3; i++) {
        d = talus_interaction_def_default(), d.friction = bad_friction[i];
        REFUSED(talus_interaction_set(w, a, a, &d), TALUS_INPUT, "friction");
        d = talus_interaction_def_default(), d.restitution = bad_e[i];
        REFUSED(talus_interaction_set(w, a, a, &d), TALUS_INPUT, "restitution");
    }
    d = talus_interaction_def_default();
    REFUSED(talus_interaction_set(w, a, unknown, &d), TALUS_INPUT, "material");
    REFUSED(talus_interaction_set(w, unknown, a, &d), TALUS_INPUT, "material");
    REFUSED(talus_interaction_set(w, a, none, &d), TALUS_INPUT, "material");
    d.activation = (talus_activation)17;
    REFUSED(talus_interaction_set(w, a, a, &d), TALUS_INPUT, "activation");
    d = talus_interaction_def_default();
    CHECK_OK(talus_interaction_set(w, none, none, &d), talus_world_error(w));
    d.restitution = 1;
    CHECK_OK(talus_interaction_set(w, a, a, &d), talus_world_error(w));
    talus_world_destroy(w);
}

TEST(bodies)
{
    talus_world *w = small_world();
    talus_body_id id = {0};
    talus_body_def d;
    memset(&d, 0, sizeof d);
    REFUSED(talus_body_create(w, &d, &id), TALUS_INPUT, "talus_body_def_default");
    const double bad[] = {NOT_A_NUMBER, ENDLESS};
    for (int i = 0; i < 2; i++) {
        d = talus_body_def_default(), d.name = "lid", d.position[1] = bad[i];
        REFUSED(talus_body_create(w, &d, &id), TALUS_INPUT, "'lid'");
        d = talus_body_def_default(), d.name = "lid", d.velocity[0] = bad[i];
        REFUSED(talus_body_create(w, &d, &id), TALUS_INPUT, "'lid'");
        d = talus_body_def_default(), d.name = "lid", d.angle = bad[i];
        REFUSED(talus_body_create(w, &d, &id), TALUS_INPUT, "'lid'");
        d = talus_body_def_default(), d.name = "lid", d.angular_velocity = bad[i];
        REFUSED(talus_body_create(w, &d, &id), TALUS_INPUT, "'lid'");
        d = talus_body_def_default(), d.name = "lid", d.mass = bad[i];
        REFUSED(talus_body_create(w, &d, &id), TALUS_INPUT, "mass");
    }
    d = talus_body_def_default(), d.name = "lid", d.mass = -1;
    REFUSED(talus_body_create(w, &d, &id), TALUS_INPUT, "'lid'");
    REFUSED(talus_body_create(w, &d, &id), TALUS_INPUT, "mass");
    d = talus_body_def_default(), d.name = "lid", d.inertia = -1;
    REFUSED(talus_body_create(w, &d, &id), TALUS_INPUT, "inertia");
    d = talus_body_def_default(), d.name = "lid", d.kind = (talus_body_kind)42;
    REFUSED(talus_body_create(w, &d, &id), TALUS_INPUT, "'lid'");
    CHECK(talus_body_count(w) == 0 && id.index1 == 0);
    d = talus_body_def_default(), d.name = "lid", d.kind = TALUS_BODY_FIXED;
    char name[] = "lid";
    d.name = name;
    CHECK_OK(talus_body_create(w, &d, &id), talus_world_error(w));
    name[0] = 'x'; /* strings are copied */
    CHECK(strcmp(talus_body_name(w, id), "lid") == 0 && same(talus_body_find(w, "lid"), id));
    d.name = "lid";
    REFUSED(talus_body_create(w, &d, &id), TALUS_INPUT, "'lid'");
    CHECK(talus_body_count(w) == 1 && talus_body_get_kind(w, id) == TALUS_BODY_FIXED);
    talus_world_destroy(w);
}

/* Names are looked up in a table that is at most half full: 1½ places are looked at in the mean (Knuth, The Art of Computer Programming 3, chapter 6.4), and
 * two hardly ever; were all names compared with all, it would be half of their number. */
TEST(many_names)
{
    enum { NAMES = 20000 };
    talus_world *w = small_world();
    talus_body_def d = talus_body_def_default();
    d.kind = TALUS_BODY_FIXED;
    long looked_at = 0;
    for (int i = 0; i < NAMES; i++) {
        char name[40];
        talus_body_id id = {0};
        snprintf(name, sizeof name, "body_with_name_%d", i);
        d.name = name;
        CHECK_OK(talus_body_create(w, &d, &id), talus_world_error(w));
        CHECK(same(talus_body_find(w, name), id));
    }
    const int last = w->name_room - 1;
    for (int place = 0; place <= last; place++) {
        if (w->name_slot[place] == 0) continue;
        const char *name = w->body[w->name_slot[place] - 1].name;
        const int home = (int)(tl_hash(name, strlen(name), 0) & (uint64_t)last);
        looked_at += ((place - home) & last) + 1;
    }
    if (looked_at < NAMES || looked_at > 2L * NAMES) TEST_FAIL("%ld places are looked at for %d names", looked_at, NAMES);
    talus_world_destroy(w);
}

TEST(shapes)
{
    talus_world *w = small_world();
    const talus_material_id m = material(w, "stone", 2000);
    talus_body_def bd = talus_body_def_default();
    talus_body_id b = {0};
    bd.name = "rock";
    CHECK_OK(talus_body_create(w, &bd, &b), talus_world_error(w));
    const talus_body_id fixed = body(w, TALUS_BODY_FIXED, 0, 0, 0), none = {0}, unknown = {17};
    talus_shape_def d;
    memset(&d, 0, sizeof d);
    REFUSED(talus_body_add_shape(w, b, &d), TALUS_INPUT, "talus_shape_def_default");
    d = talus_shape_def_default(), d.radius = 1;
    REFUSED(talus_body_add_shape(w, b, &d), TALUS_INPUT, "material");
    REFUSED(talus_body_add_shape(w, b, &d), TALUS_INPUT, "'rock'");
    d.material = (talus_material_id){9};
    REFUSED(talus_body_add_shape(w, b, &d), TALUS_INPUT, "material");
    d.material = m;
    REFUSED(talus_body_add_shape(w, none, &d), TALUS_INPUT, "body");
    REFUSED(talus_body_add_shape(w, unknown, &d), TALUS_INPUT, "body");
    const double bad_radius[] = {0, -1, NOT_A_NUMBER, ENDLESS};
    for (int i = 0; i < 4; i++) {
        d.radius = bad_radius[i];
        REFUSED(talus_body_add_shape(w, b, &d), TALUS_INPUT, "radius");
        REFUSED(talus_body_add_shape(w, b, &d), TALUS_INPUT, "'rock'");
    }
    d.radius = 1, d.points[0][0] = NOT_A_NUMBER;
    REFUSED(talus_body_add_shape(w, b, &d), TALUS_INPUT, "'rock'");
    const int kinds[] = {4, 77, -1, 1 << 20};
    for (int i = 0; i < 4; i++) {
        d = talus_shape_def_default(), d.material = m, d.radius = 1, d.kind = (talus_shape_kind)kinds[i];
        REFUSED(talus_body_add_shape(w, b, &d), TALUS_INPUT, "'rock'");
    }
    /* polygons: too few, too many, on a line, coinciding, not numbers */
    const int counts[] = {0, 1, 2, 17, -3, 1 << 30};
    for (int i = 0; i < 6; i++) {
        d = talus_shape_def_default(), d.material = m, d.kind = TALUS_SHAPE_POLYGON, d.count = counts[i];
        REFUSED(talus_body_add_shape(w, b, &d), TALUS_INPUT, "polygon");
    }
    const double line[3][2] = {{0, 0}, {1, 1}, {2, 2}}, point[3][2] = {{1, 1}, {1, 1}, {1, 1}}, odd[3][2] = {{0, 0}, {1, 0}, {0, (double)NAN}};
    const void *polygons[] = {line, point, odd};
    for (int i = 0; i < 3; i++) {
        d = talus_shape_def_default(), d.material = m, d.kind = TALUS_SHAPE_POLYGON, d.count = 3;
        memcpy(d.points, polygons[i], sizeof line);
        REFUSED(talus_body_add_shape(w, b, &d), TALUS_INPUT, "'rock'");
    }
    d = talus_shape_def_default(), d.material = m, d.kind = TALUS_SHAPE_SEGMENT, d.radius = 0.1; /* both ends at 0 */
    REFUSED(talus_body_add_shape(w, b, &d), TALUS_INPUT, "'rock'");
    d = talus_shape_def_default(), d.material = m, d.kind = TALUS_SHAPE_HALF_PLANE, d.count = 2, d.points[1][1] = 1;
    REFUSED(talus_body_add_shape(w, b, &d), TALUS_INPUT, "half-plane");
    REFUSED(talus_body_add_shape(w, b, &d), TALUS_INPUT, "'rock'");
    CHECK_OK(talus_body_add_shape(w, fixed, &d), talus_world_error(w));
    d.points[1][1] = 0;
    REFUSED(talus_body_add_shape(w, fixed, &d), TALUS_INPUT, "normal");
    CHECK(talus_body_shape_count(w, b) == 0 && talus_body_shape_count(w, fixed) == 1);
    talus_world_destroy(w);
}

/* Shapes read back in the body's axes, before assembly and after it, when the body has moved to its centre of mass. */
TEST(shapes_read_back)
{
    talus_world *w = small_world();
    const talus_material_id m = material(w, "stone", 2000);
    talus_body_def bd = talus_body_def_default();
    talus_body_id b = {0};
    bd.position[0] = 5, bd.angle = 0.7;
    CHECK_OK(talus_body_create(w, &bd, &b), talus_world_error(w));
    double square[4][2] = {{1, 0}, {2, 0}, {2, 1}, {1, 1}};
    add_disk(w, b, m, 3, 4, 0.5);
    add_polygon(w, b, m, 4, square, 0.25);
    talus_shape_def s = talus_shape_def_default();
    s.kind = TALUS_SHAPE_SEGMENT, s.material = m, s.count = 2, s.radius = 0.1, s.points[0][1] = -1, s.points[1][0] = 2;
    CHECK_OK(talus_body_add_shape(w, b, &s), talus_world_error(w));
    const talus_body_id ground = wall(w, m, 1, 2, 0, 5);
    for (int assembled = 0; assembled < 2; assembled++) {
        talus_shape_def out;
        CHECK(talus_body_shape_count(w, b) == 3);
        talus_body_shape(w, b, 0, &out);
        CHECK(out.kind == TALUS_SHAPE_DISK && out.radius == 0.5 && out.material.index1 == m.index1);
        CHECK_NEAR(out.points[0][0], 3, 1e-14);
        CHECK_NEAR(out.points[0][1], 4, 1e-14);
        talus_body_shape(w, b, 1, &out);
        CHECK(out.kind == TALUS_SHAPE_POLYGON && out.count == 4 && out.radius == 0.25);
        double x = 0, y = 0;
        for (int i = 0; i < 4; i++) x += out.points[i][0], y += out.points[i][1];
        CHECK_NEAR(x, 6, 1e-13);
        CHECK_NEAR(y, 2, 1e-13);
        talus_body_shape(w, b, 2, &out);
        CHECK(out.kind == TALUS_SHAPE_SEGMENT && out.count == 2 && out.radius == 0.1);
        CHECK_NEAR(out.points[0][0] + out.points[1][0], 2, 1e-14);
        CHECK_NEAR(out.points[0][1] + out.points[1][1], -1, 1e-14);
        talus_body_shape(w, b, 3, &out);
        CHECK(out.struct_size == sizeof out); /* past the end: the default */
        talus_body_shape(w, b, -1, &out);
        talus_body_shape(w, ground, 0, &out);
        CHECK(out.kind == TALUS_SHAPE_HALF_PLANE);
        CHECK_NEAR(out.points[0][0], 1, 0);
        CHECK_NEAR(out.points[1][1], 1, 1e-15);
        double q[3];
        where(w, b, q);
        CHECK_NEAR(q[0], 5, 1e-14);
        CHECK_NEAR(q[1], 0, 1e-14);
        CHECK_NEAR(q[2], 0.7, 0);
        CHECK_OK(talus_world_assemble(w), talus_world_error(w));
    }
    talus_world_destroy(w);
}

TEST(loads_refused)
{
    talus_world *w = small_world();
    const talus_body_id b = body(w, TALUS_BODY_FREE, 0, 0, 0), none = {0}, unknown = {8};
    talus_load_def d;
    memset(&d, 0, sizeof d);
    REFUSED(talus_body_add_load(w, b, &d), TALUS_INPUT, "talus_load_def_default");
    d = talus_load_def_default();
    REFUSED(talus_body_add_load(w, none, &d), TALUS_INPUT, "body");
    REFUSED(talus_body_add_load(w, unknown, &d), TALUS_INPUT, "body");
    d.point[1] = NOT_A_NUMBER;
    REFUSED(talus_body_add_load(w, b, &d), TALUS_INPUT, "point");
    talus_world_destroy(w);
}

/* A body without mass is found at assembly, by name; the world then stays unassembled and says so again. */
TEST(massless)
{
    talus_world *w = small_world();
    talus_body_def d = talus_body_def_default();
    talus_body_id b = {0};
    d.name = "ghost";
    CHECK_OK(talus_body_create(w, &d, &b), talus_world_error(w));
    add_disk(w, b, material(w, "nothing", 0), 0, 0, 1);
    REFUSED(talus_world_assemble(w), TALUS_INPUT, "'ghost'");
    REFUSED(talus_world_step(w, NULL), TALUS_INPUT, "'ghost'");
    CHECK(talus_world_steps(w) == 0);
    talus_world_destroy(w);
    w = small_world(); /* fixed bodies need none; a stated mass takes its inertia from the shapes */
    const talus_material_id m = material(w, "nothing", 0);
    add_disk(w, body(w, TALUS_BODY_FIXED, 5, 5, 0), m, 0, 0, 1);
    d.mass = 3, d.name = NULL;
    CHECK_OK(talus_body_create(w, &d, &b), talus_world_error(w));
    add_disk(w, b, m, 0, 0, 2);
    CHECK_OK(talus_world_assemble(w), talus_world_error(w));
    CHECK_CLOSE(talus_body_inertia(w, b), 0.5 * 3 * 4, 1e-14);
    talus_world_destroy(w);
}

/* Mass, centre and inertia of a cluster: two disks on a rod. */
TEST(cluster)
{
    talus_world *w = small_world();
    const talus_material_id heavy = material(w, "heavy", 3000), light = material(w, "light", 1000);
    const talus_body_id b = body(w, TALUS_BODY_FREE, 0, 0, 0);
    add_disk(w, b, heavy, 0, 0, 0.1);
    add_disk(w, b, light, 1, 0, 0.2);
    CHECK_OK(talus_world_assemble(w), talus_world_error(w));
    const double m1 = 3000 * PI * 0.01, m2 = 1000 * PI * 0.04, centre = m2 / (m1 + m2);
    CHECK_CLOSE(talus_body_mass(w, b), m1 + m2, 1e-14);
    CHECK_CLOSE(talus_body_inertia(w, b), 0.5 * m1 * 0.01 + 0.5 * m2 * 0.04 + m1 * centre * centre + m2 * (1 - centre) * (1 - centre), 1e-13);
    CHECK_NEAR(at(w, b, 0), 0, 1e-15);
    talus_world_destroy(w);
}

/* After assembly nothing can be added. */
TEST(closed)
{
    talus_world *w = small_world();
    const talus_material_id m = material(w, "stone", 2000);
    const talus_body_id b = free_disk(w, m, 0, 0, 0.1);
    CHECK_OK(talus_world_assemble(w), talus_world_error(w));
    CHECK_OK(talus_world_assemble(w), talus_world_error(w)); /* twice is once */
    talus_material_id new_material = {0};
    talus_body_id new_body = {0};
    talus_mechanism_id mechanism = {0};
    const talus_material_def md = talus_material_def_default();
    const talus_interaction_def id = talus_interaction_def_default();
    const talus_body_def bd = talus_body_def_default();
    talus_shape_def sd = talus_shape_def_default();
    sd.material = m, sd.radius = 1;
    const talus_load_def ld = talus_load_def_default();
    const talus_link_def link = talus_link_def_default();
    REFUSED(talus_material_create(w, &md, &new_material), TALUS_UNSUPPORTED, "assembled");
    CHECK_OK(talus_interaction_set(w, m, m, &id), talus_world_error(w)); /* laws may change between steps */
    REFUSED(talus_body_create(w, &bd, &new_body), TALUS_UNSUPPORTED, "assembled");
    REFUSED(talus_body_add_shape(w, b, &sd), TALUS_UNSUPPORTED, "assembled");
    REFUSED(talus_body_add_load(w, b, &ld), TALUS_UNSUPPORTED, "assembled");
    REFUSED(talus_mechanism_create(w, "late", &mechanism), TALUS_UNSUPPORTED, "assembled");
    REFUSED(talus_link_create(w, mechanism, &link, &new_body), TALUS_UNSUPPORTED, "assembled");
    CHECK(talus_body_count(w) == 1);
    run(w, 1);
    talus_world_destroy(w);
}

/* What is wrong with a body or shape in space is said, and nothing is left of it. */
TEST(bodies_in_space)
{
    talus_world_def def = lab(1e-3);
    def.dimension = 3;
    talus_world *w = open_world(&def);
    const talus_material_id m = material(w, "stone", 1000);
    talus_body_id b = {0};
    talus_body_def d = talus_body_def_default(), good = d;
    d.name = "stone";
    memset(d.quaternion, 0, sizeof d.quaternion);
    REFUSED(talus_body_create(w, &d, &b), TALUS_INPUT, "quaternion");
    d.quaternion[0] = 1;
    d.spin[1] = (double)NAN;
    REFUSED(talus_body_create(w, &d, &b), TALUS_INPUT, "spin");
    d.spin[1] = 0;
    d.inertia_space[0] = 1, d.inertia_space[1] = 1, d.inertia_space[2] = 2.5; /* no body: 2.5 > 1 + 1 */
    REFUSED(talus_body_create(w, &d, &b), TALUS_INPUT, "principal moments");
    CHECK(talus_body_count(w) == 0);
    CHECK_OK(talus_body_create(w, &good, &b), talus_world_error(w));

    const double corner[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    talus_shape_def s = talus_shape_def_default();
    s.material = m;
    s.radius = 1;
    REFUSED(talus_body_add_shape(w, b, &s), TALUS_INPUT, "planar"); /* a disk */
    s.kind = TALUS_SHAPE_SPHERE;
    REFUSED(talus_body_add_shape(w, b, &s), TALUS_INPUT, "corners");
    s.corners = corner;
    s.radius = 0;
    REFUSED(talus_body_add_shape(w, b, &s), TALUS_INPUT, "radius");
    s.kind = TALUS_SHAPE_HALF_SPACE;
    REFUSED(talus_body_add_shape(w, b, &s), TALUS_INPUT, "half-space");
    s.kind = TALUS_SHAPE_POLYHEDRON;
    s.count = 3;
    REFUSED(talus_body_add_shape(w, b, &s), TALUS_INPUT, "at least 4");
    CHECK(talus_body_shape_count(w, b) == 0);
    s.count = 4;
    CHECK_OK(talus_body_add_shape(w, b, &s), talus_world_error(w));
    CHECK_OK(talus_world_assemble(w), talus_world_error(w));
    CHECK_CLOSE(talus_body_mass(w, b), 1000 / 6.0, 1e-13);
    double x[4][3], p[3], q[4];
    CHECK(talus_body_corners(w, b, 0, x, 4) == 4); /* in the user's axes again, though the state is that of the principal ones */
    for (int i = 0; i < 4; i++) {
        int found = 0;
        for (int k = 0; k < 4; k++) found += fabs(x[i][0] - corner[k][0]) + fabs(x[i][1] - corner[k][1]) + fabs(x[i][2] - corner[k][2]) < 1e-14;
        CHECK(found == 1);
    }
    talus_body_pose(w, b, p, q);
    CHECK_NEAR(p[0] * p[0] + p[1] * p[1] + p[2] * p[2], 0, 1e-28);
    CHECK_NEAR(fabs(q[0]), 1, 1e-14);
    int corners;
    int32_t size[4], index[12];
    CHECK(talus_body_faces(w, b, 0, size, index, &corners) == 4 && corners == 12);
    talus_world_destroy(w);
}

int main(int argc, char **argv)
{
    RUN(machines);
    RUN(materials);
    RUN(interactions);
    RUN(bodies);
    RUN(many_names);
    RUN(shapes);
    RUN(shapes_read_back);
    RUN(loads_refused);
    RUN(massless);
    RUN(cluster);
    RUN(closed);
    RUN(bodies_in_space);
    return TEST_RESULT;
}
