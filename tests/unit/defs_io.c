/* The public face towards careless and older callers: NULL for any argument is a status, not a crash; a definition of an older header, shorter, takes
 * the defaults for what it lacks; one of a newer header, longer, is taken when it asks for nothing unknown. */
#include <stdbool.h>

#include "base/base.h"
#include "talus/fclib.h"
#include "talus/record.h"
#include "talus/scene.h"
#include "talus/talus.h"
#include "test.h"

#define REFUSED(call) CHECK((call) == TALUS_INPUT)

static talus_world *fresh(void)
{
    talus_world_def def = talus_world_def_default();
    talus_world *w = NULL;
    CHECK(talus_world_create(&def, &w, NULL, 0) == TALUS_OK);
    return w;
}

static const talus_material_id NO_MATERIAL;
static const talus_body_id NO_BODY;
static const talus_mechanism_id NO_MECHANISM;
static const talus_joint_id NO_JOINT;

TEST(null_for_the_world)
{
    char message[200] = "";
    double three[3] = {0};
    int number;
    bool over;
    talus_problem *problem;
    talus_global_problem global;
    talus_material_id material;
    talus_mechanism_id mechanism;
    talus_body_id body;
    talus_joint_id joint;
    talus_loop_id loop;
    talus_step_report report;
    const talus_material_def md = talus_material_def_default();
    const talus_interaction_def id = talus_interaction_def_default();
    const talus_body_def bd = talus_body_def_default();
    const talus_shape_def sd = talus_shape_def_default();
    const talus_load_def ld = talus_load_def_default();
    const talus_link_def kd = talus_link_def_default();
    const talus_joint_def jd = talus_joint_def_default();
    const talus_joint_force_def fd = talus_joint_force_def_default();
    const talus_spring_def pd = talus_spring_def_default();
    const talus_drive_def dd = talus_drive_def_default();
    const talus_loop_def od = talus_loop_def_default();
    const talus_rope_def rd = talus_rope_def_default();
    const talus_field field = {.name = "x"};
    REFUSED(talus_material_create(NULL, &md, &material));
    REFUSED(talus_interaction_set(NULL, NO_MATERIAL, NO_MATERIAL, &id));
    REFUSED(talus_body_create(NULL, &bd, &body));
    REFUSED(talus_body_add_shape(NULL, NO_BODY, &sd));
    REFUSED(talus_body_add_load(NULL, NO_BODY, &ld));
    REFUSED(talus_body_set_kind(NULL, NO_BODY, TALUS_BODY_FREE));
    REFUSED(talus_body_watch(NULL, NO_BODY, three, &number));
    REFUSED(talus_mechanism_create(NULL, "m", &mechanism));
    REFUSED(talus_link_create(NULL, NO_MECHANISM, &kd, &body));
    REFUSED(talus_joint_create(NULL, &jd, &joint));
    REFUSED(talus_joint_add_force(NULL, NO_JOINT, &fd));
    REFUSED(talus_joint_drive(NULL, NO_JOINT, &dd));
    REFUSED(talus_joint_set_dependent(NULL, NO_JOINT, 0));
    REFUSED(talus_spring_create(NULL, NO_MECHANISM, &pd));
    REFUSED(talus_loop_create(NULL, NO_MECHANISM, &od, &loop));
    REFUSED(talus_rope_create(NULL, &rd));
    const talus_shaft_def shaft = talus_shaft_def_default();
    const talus_engine_def engine = talus_engine_def_default();
    const talus_converter_def converter = talus_converter_def_default();
    REFUSED(talus_shaft_create(NULL, NO_MECHANISM, &shaft, &joint));
    REFUSED(talus_engine_create(NULL, &engine, &(talus_engine_id){0}));
    REFUSED(talus_converter_create(NULL, &converter, &(talus_converter_id){0}));
    REFUSED(talus_scene_input_set(NULL, NULL, 0, 0));
    REFUSED(talus_scene_input_release(NULL, NULL, 0));
    REFUSED(talus_world_assemble(NULL));
    REFUSED(talus_world_step(NULL, &report));
    REFUSED(talus_world_set_gravity(NULL, three));
    REFUSED(talus_world_overlaps(NULL, 0, NULL, 0, &number));
    REFUSED(talus_state_add(NULL, &field));
    REFUSED(talus_state_restore(NULL, NULL, 0));
    REFUSED(talus_world_problem(NULL, &problem, message, sizeof message));
    REFUSED(talus_world_global_problem(NULL, &global, message, sizeof message));
    REFUSED(talus_scene_build(NULL, 1, NULL));
    REFUSED(talus_scene_advance(NULL, NULL, &over));
    REFUSED(talus_scene_restored(NULL, NULL));
}

TEST(null_for_the_rest)
{
    char message[200] = "";
    talus_world *w = NULL;
    talus_world_def wd = talus_world_def_default();
    const talus_material_def md = talus_material_def_default();
    const talus_body_def bd = talus_body_def_default();
    talus_material_id material;
    talus_body_id body;
    talus_joint_id joint;
    talus_loop_id loop;
    REFUSED(talus_world_create(NULL, &w, message, sizeof message));
    REFUSED(talus_world_create(&wd, NULL, message, sizeof message));
    w = fresh();
    REFUSED(talus_material_create(w, NULL, &material));
    REFUSED(talus_material_create(w, &md, NULL));
    REFUSED(talus_interaction_set(w, NO_MATERIAL, NO_MATERIAL, NULL));
    REFUSED(talus_body_create(w, NULL, &body));
    REFUSED(talus_body_create(w, &bd, NULL));
    REFUSED(talus_body_add_shape(w, NO_BODY, NULL));
    REFUSED(talus_body_add_load(w, NO_BODY, NULL));
    REFUSED(talus_body_watch(w, NO_BODY, NULL, NULL));
    REFUSED(talus_mechanism_create(w, "m", NULL));
    REFUSED(talus_link_create(w, NO_MECHANISM, NULL, &body));
    REFUSED(talus_joint_create(w, NULL, &joint));
    REFUSED(talus_joint_add_force(w, NO_JOINT, NULL));
    REFUSED(talus_joint_drive(w, NO_JOINT, NULL));
    REFUSED(talus_spring_create(w, NO_MECHANISM, NULL));
    REFUSED(talus_loop_create(w, NO_MECHANISM, NULL, &loop));
    REFUSED(talus_rope_create(w, NULL));
    REFUSED(talus_shaft_create(w, NO_MECHANISM, NULL, &joint));
    REFUSED(talus_engine_create(w, NULL, &(talus_engine_id){0}));
    REFUSED(talus_engine_create(w, &(talus_engine_def){0}, &(talus_engine_id){0}));
    REFUSED(talus_converter_create(w, NULL, &(talus_converter_id){0}));
    REFUSED(talus_world_set_gravity(w, NULL));
    REFUSED(talus_world_overlaps(w, 0, NULL, 1, NULL));
    int number;
    REFUSED(talus_world_overlaps(w, -1, NULL, 0, &number));
    REFUSED(talus_state_add(w, NULL));
    REFUSED(talus_world_problem(w, NULL, message, sizeof message));
    REFUSED(talus_world_global_problem(w, NULL, message, sizeof message));
    CHECK(strlen(talus_world_error(w)) > 0);
    CHECK(talus_world_step(w, NULL) == TALUS_OK); /* nobody has to read the report */
    REFUSED(talus_state_restore(w, NULL, 3));
    talus_world_destroy(w);
}

TEST(null_for_files_and_problems)
{
    char message[200] = "";
    int frames;
    talus_scene *scene;
    talus_problem *problem;
    talus_problem_report report;
    talus_record *record;
    talus_settled *settled;
    const talus_problem_def pd = talus_problem_def_default();
    const talus_problem_settings settings = talus_problem_settings_default();
    const talus_picture_def picture = talus_picture_def_default();
    talus_pictures *pictures = NULL;
    const talus_page_def page = talus_page_def_default();
    const talus_vtk_def vtk = talus_vtk_def_default();
    const talus_record_def rd = talus_record_def_default();
    REFUSED(talus_scene_load(NULL, NULL, 0, &scene));
    REFUSED(talus_scene_load("x.yaml", NULL, 0, NULL));
    REFUSED(talus_scene_load("x.yaml", NULL, 2, &scene));
    REFUSED(talus_problem_create(NULL, &problem, message, sizeof message));
    REFUSED(talus_problem_create(&pd, NULL, message, sizeof message));
    REFUSED(talus_problem_solve(NULL, &settings, &report, message, sizeof message));
    REFUSED(talus_problem_solve(NULL, NULL, NULL, NULL, 0));
    REFUSED(talus_problem_least_norm(NULL, &settings, &report, message, sizeof message));
    REFUSED(talus_record_open(NULL, NULL, NULL, &record, message, sizeof message));
    REFUSED(talus_record_open(&rd, NULL, NULL, NULL, NULL, 0));
    REFUSED(talus_record_step(NULL, NULL, NULL));
    REFUSED(talus_record_checkpoint(NULL, NULL));
    REFUSED(talus_record_close(NULL, NULL, NULL));
    REFUSED(talus_settled_open(NULL, 0, &settled, message, sizeof message));
    REFUSED(talus_settled_open("x", 0, NULL, message, sizeof message));
    REFUSED(talus_picture_write(NULL, message, sizeof message));
    REFUSED(talus_picture_write(&picture, message, sizeof message));
    REFUSED(talus_pictures_open(&picture, &pictures, message, sizeof message));
    REFUSED(talus_pictures_open(&picture, NULL, message, sizeof message));
    REFUSED(talus_pictures_choose(NULL, (int[]){0}, 1, message, sizeof message));
    REFUSED(talus_pictures_write(NULL, 0, "a.png", message, sizeof message));
    REFUSED(talus_pictures_draw(NULL, 0, NULL, message, sizeof message));
    CHECK(pictures == NULL && talus_pictures_frame_count(NULL) == 0);
    REFUSED(talus_vtk_write(NULL, &frames, message, sizeof message));
    REFUSED(talus_vtk_write(&vtk, NULL, message, sizeof message));
    REFUSED(talus_page_write(NULL, message, sizeof message));
    REFUSED(talus_page_write(&page, message, sizeof message));
    REFUSED(talus_fclib_load(NULL, &problem, message, sizeof message));
    REFUSED(talus_fclib_load("x", NULL, message, sizeof message));
    REFUSED(talus_fclib_save(NULL, "x", "x", message, sizeof message));
    REFUSED(talus_fclib_save_global(NULL, "x", "x", message, sizeof message));
    talus_world_destroy(NULL);
    talus_scene_destroy(NULL);
    talus_record_destroy(NULL);
    talus_problem_destroy(NULL);
    talus_settled_close(NULL);
}

/* ---- other headers -------------------------------------------------------------------------------------------------------- */

/* A body as a header knew it that ended before its turn axis: what lies behind its end is not read. */
TEST(older_definitions)
{
    talus_world *w = fresh();
    talus_body_id body;
    talus_body_def def = talus_body_def_default();
    def.mass = 3, def.inertia = 1;
    def.struct_size = (uint32_t)offsetof(talus_body_def, turn_axis);
    memset((char *)&def + def.struct_size, 0xff, sizeof def - def.struct_size); /* somebody else's memory */
    CHECK(talus_body_create(w, &def, &body) == TALUS_OK);
    CHECK(talus_world_assemble(w) == TALUS_OK);
    CHECK_NEAR(talus_body_mass(w, body), 3, 0);
    talus_world_destroy(w);
    talus_world_def world = talus_world_def_default();
    world.gravity[1] = -7;
    world.struct_size = (uint32_t)(offsetof(talus_world_def, gravity) + sizeof world.gravity);
    memset((char *)&world + world.struct_size, 0xff, sizeof world - world.struct_size);
    CHECK(talus_world_create(&world, &w, NULL, 0) == TALUS_OK);
    CHECK_NEAR(talus_world_step_size(w), talus_world_def_default().step, 0);
    talus_world_destroy(w);
}

TEST(newer_definitions)
{
    struct {
        talus_material_def known;
        double unknown[2];
    } newer = {.known = talus_material_def_default()};
    talus_world *w = fresh();
    talus_material_id material;
    newer.known.struct_size = sizeof newer;
    newer.known.density = 2000;
    CHECK(talus_material_create(w, &newer.known, &material) == TALUS_OK);
    newer.unknown[1] = 1; /* it asks for something */
    REFUSED(talus_material_create(w, &newer.known, &material));
    CHECK(strstr(talus_world_error(w), "talus_material_def") != NULL);
    newer.known.struct_size = 0; /* it was not begun with the defaults */
    REFUSED(talus_material_create(w, &newer.known, &material));
    talus_world_destroy(w);
}

int main(int argc, char **argv)
{
    RUN(null_for_the_world);
    RUN(null_for_the_rest);
    RUN(null_for_files_and_problems);
    RUN(older_definitions);
    RUN(newer_definitions);
    return TEST_RESULT;
}
