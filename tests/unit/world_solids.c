/* Solids of finite elements through the public interface: what is refused, what is read back, a free flight. */
#include <math.h>

#include "unit/refuse.h"

static const double CORNER[8][3] = {{0, 0, 0}, {2, 0, 0}, {2, 3, 0}, {0, 3, 0}, {0, 0, 1}, {2, 0, 1}, {2, 3, 1}, {0, 3, 1}};
static const int NODE[8] = {0, 1, 2, 3, 4, 5, 6, 7};

static talus_solid_def brick(talus_solid_region *region, uint8_t *kind)
{
    *region = (talus_solid_region){.material = talus_solid_material_find("elastic"), .parameter = {1e6, 0.3}, .density = 10, .strain = TALUS_STRAIN_AUTO};
    *kind = (uint8_t)talus_element_find("hexahedron8");
    talus_solid_def d = talus_solid_def_default();
    d.name = "brick", d.nodes = 8, d.position = CORNER, d.elements = 1, d.kind = kind, d.node = NODE, d.regions = 1, d.region = region;
    return d;
}

static talus_world *space(void)
{
    talus_world_def d = talus_world_def_default();
    d.dimension = 3, d.step = 1e-3, d.gravity[1] = 0, d.gravity[2] = -10;
    talus_world *w = NULL;
    char text[256] = "";
    if (talus_world_create(&d, &w, text, sizeof text) != TALUS_OK) TEST_FAIL("%s", text);
    return w;
}

TEST(tables)
{
    talus_element e;
    CHECK(!talus_element_get(-1, &e) && talus_element_find("hexahedron9") == -1);
    for (int i = 0; talus_element_get(i, &e); i++) CHECK(talus_element_find(e.name) == i && e.nodes <= TALUS_ELEMENT_MOST_NODES && e.dimension >= 2);
    talus_solid_material m;
    CHECK(!talus_solid_material_get(-1, &m) && talus_solid_material_find("jelly") == -1);
    CHECK(talus_solid_material_get(talus_solid_material_find("elastic"), &m) && m.parameters == 2 && strcmp(m.parameter[0].unit, "Pa") == 0);
}

TEST(refused)
{
    talus_world *w = space();
    talus_solid_region region;
    uint8_t kind;
    talus_solid_id id;
    talus_solid_def d = brick(&region, &kind);
    d.struct_size = 0;
    REFUSED(talus_solid_create(w, &d, &id), TALUS_INPUT, "talus_solid_def_default");
    d = brick(&region, &kind), d.thickness = -1;
    REFUSED(talus_solid_create(w, &d, &id), TALUS_INPUT, "thickness");
    d = brick(&region, &kind), region.material = 77;
    REFUSED(talus_solid_create(w, &d, &id), TALUS_INPUT, "material");
    d = brick(&region, &kind), region.parameter[1] = 0.5;
    REFUSED(talus_solid_create(w, &d, &id), TALUS_INPUT, "brick");
    d = brick(&region, &kind), d.region_of = (const int[]){1};
    REFUSED(talus_solid_create(w, &d, &id), TALUS_INPUT, "region");
    d = brick(&region, &kind), kind = 99;
    REFUSED(talus_solid_create(w, &d, &id), TALUS_INPUT, "element 1");
    d = brick(&region, &kind), d.node = (const int[]){4, 5, 6, 7, 0, 1, 2, 3};
    REFUSED(talus_solid_create(w, &d, &id), TALUS_INPUT, "element 1");
    d = brick(&region, &kind);
    CHECK(talus_solid_create(w, &d, &id) == TALUS_OK);
    REFUSED(talus_solid_create(w, &d, &id), TALUS_INPUT, "brick");
    CHECK(talus_solid_count(w) == 1); /* what was refused left nothing */
    REFUSED(talus_solid_hold(w, id, 8, 0, NULL), TALUS_INPUT, "node");
    REFUSED(talus_solid_hold(w, id, 0, 3, NULL), TALUS_INPUT, "axis");
    REFUSED(talus_solid_hold(w, (talus_solid_id){2}, 0, 0, NULL), TALUS_INPUT, "does not exist");
    talus_world_destroy(w);
}

/* Glue and joints at points; glued to the ground the brick hangs there from the first step. */
TEST(joined)
{
    static const double INSIDE[3] = {1, 1, 0.5}, OUTSIDE[3] = {1, 1, 2};
    talus_world *w = space();
    talus_solid_region region;
    uint8_t kind;
    talus_solid_id id;
    talus_body_joint_id joint;
    talus_body_joint_state state;
    const talus_solid_def brick_def = brick(&region, &kind);
    CHECK(talus_solid_create(w, &brick_def, &id) == TALUS_OK);
    talus_body_joint_def d = talus_body_joint_def_default();
    d.name = "glue", d.kind = "fixed", d.body_b = talus_solid_body(w, id);
    d.node = (const int[]){4, 8}, d.nodes = 2;
    REFUSED(talus_body_joint_create(w, &d, &joint), TALUS_INPUT, "solid 'brick' has no node 9");
    d.node = (const int[]){4, 4};
    REFUSED(talus_body_joint_create(w, &d, &joint), TALUS_INPUT, "node 5 of solid 'brick' is named twice");
    d.nodes = -1;
    REFUSED(talus_body_joint_create(w, &d, &joint), TALUS_INPUT, "glued by a joint of type fixed");
    d.nodes = 1, d.kind = "spherical";
    REFUSED(talus_body_joint_create(w, &d, &joint), TALUS_INPUT, "glued by a joint of type fixed");
    d.nodes = 0;
    memcpy(d.point, OUTSIDE, sizeof d.point);
    REFUSED(talus_body_joint_create(w, &d, &joint), TALUS_INPUT, "lies outside of solid 'brick', by 1 m");
    CHECK(talus_body_joint_count(w) == 0);
    d.kind = "fixed", d.node = (const int[]){4, 5, 6, 7}, d.nodes = 4;
    CHECK_OK(talus_body_joint_create(w, &d, &joint), talus_world_error(w));
    talus_body_def weight = talus_body_def_default();
    weight.mass = 5, weight.inertia_space[0] = weight.inertia_space[1] = weight.inertia_space[2] = 1;
    CHECK_OK(talus_body_create(w, &weight, &d.body_a), talus_world_error(w));
    d.name = "hook", d.kind = "spherical", d.nodes = 0;
    memcpy(d.point, INSIDE, sizeof d.point);
    CHECK_OK(talus_body_joint_create(w, &d, &joint), talus_world_error(w));
    CHECK_OK(talus_world_assemble(w), talus_world_error(w));
    CHECK_OK(talus_world_step(w, NULL), talus_world_error(w));
    CHECK(talus_body_joint_get(w, 0, &state) == TALUS_OK && state.error < 1e-15);
    CHECK(state.force[2] > 0 && state.force[2] < 10 * 60 + 50 && state.coordinates == 0);
    CHECK(talus_body_joint_get(w, 1, &state) == TALUS_OK && state.error < 1e-6);
    talus_world_destroy(w);
}

/* A free brick falls as a stone would, without strain */
TEST(free_flight)
{
    talus_world *w = space();
    talus_solid_region region;
    uint8_t kind;
    talus_solid_id id, none = {0};
    talus_solid_def d = brick(&region, &kind);
    d.velocity[0] = 3;
    CHECK(talus_solid_create(w, &d, &id) == TALUS_OK);
    CHECK(talus_solid_find(w, "brick").index1 == id.index1 && talus_solid_of_body(w, talus_solid_body(w, id)).index1 == id.index1);
    CHECK(talus_solid_find(w, "stone").index1 == none.index1);
    CHECK_NEAR(talus_body_mass(w, talus_solid_body(w, id)), 60, 1e-12);
    for (int i = 0; i < 100; i++) CHECK(talus_world_step(w, NULL) == TALUS_OK);
    double u[8][3], v[8][3], strain[6], stress[6];
    talus_solid_motion(w, id, u, v);
    for (int i = 0; i < 8; i++) {
        CHECK_NEAR(u[i][0], 0.3, 1e-12);
        CHECK_NEAR(u[i][2], -0.05, 1e-12); /* θ = ½: the parabola itself */
        CHECK_NEAR(v[i][2], -1, 1e-12);
    }
    CHECK(talus_solid_stress(w, id, 0, strain, stress) && !talus_solid_stress(w, id, 1, strain, stress));
    for (int k = 0; k < 6; k++) CHECK_NEAR(stress[k], 0, 1e-6); /* of 1 MPa: rounding */
    talus_solid_mesh mesh;
    CHECK(talus_solid_get_mesh(w, id, &mesh) && mesh.nodes == 8 && mesh.faces == 6 && mesh.kind[0] == kind && mesh.region_of[0] == 0);
    talus_world_destroy(w);
}

int main(int argc, char **argv)
{
    RUN(tables);
    RUN(refused);
    RUN(joined);
    RUN(free_flight);
    return TEST_RESULT;
}
