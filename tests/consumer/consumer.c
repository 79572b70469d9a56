/* A program of someone else, in what C and C++ have in common: a ball falls for a second, by the library alone; then a scene is read, run and
 * recorded.   consumer SCENE DIRECTORY */
#include <math.h>
#include <stdio.h>

#include <talus/fclib.h>
#include <talus/record.h>
#include <talus/scene.h>
#include <talus/talus.h>

static int fail(const char *what, const char *why)
{
    fprintf(stderr, "%s: %s\n", what, why);
    return 1;
}

static int fall(void)
{
    talus_world_def def = talus_world_def_default();
    talus_body_def ball = talus_body_def_default();
    talus_world *world = NULL;
    talus_body_id body;
    talus_step_report report;
    double position[3], quaternion[4];
    char message[1000] = "";
    def.gravity[1] = -10;
    def.step = 1e-3;
    ball.mass = 2;
    ball.inertia = 1;
    if (talus_world_create(&def, &world, message, sizeof message) != TALUS_OK) return fail("world", message);
    if (talus_body_create(world, &ball, &body) != TALUS_OK) return fail("body", talus_world_error(world));
    for (int i = 0; i < 1000; i++)
        if (talus_world_step(world, &report) != TALUS_OK) return fail("step", talus_world_error(world));
    talus_body_pose(world, body, position, quaternion);
    talus_world_destroy(world);
    return fabs(position[1] + 5) < 0.01 ? 0 : fail("ball", "it did not fall five metres in a second"); /* g t² / 2, within g h t */
}

static int run(const char *path, const char *directory)
{
    talus_scene *scene = NULL;
    talus_world *world = NULL;
    talus_record *record = NULL;
    talus_step_report report;
    char message[1000] = "";
    talus_record_def def = talus_record_def_default();
    def.directory = directory;
    if (talus_scene_load(path, NULL, 0, &scene) != TALUS_OK || talus_scene_build(scene, 1, &world) != TALUS_OK)
        return fail(path, scene ? talus_scene_mistake(scene, 0) : "no memory");
    if (talus_record_open(&def, scene, world, &record, message, sizeof message) != TALUS_OK) return fail(directory, message);
    while (talus_world_time(world) < talus_scene_end(scene) - 0.5 * talus_world_step_size(world)) {
        if (talus_world_step(world, &report) != TALUS_OK) return fail("step", talus_world_error(world));
        if (talus_record_step(record, world, &report) != TALUS_OK) return fail("record", talus_record_error(record));
    }
    if (talus_record_close(record, world, "done") != TALUS_OK) return fail("record", talus_record_error(record));
    talus_record_destroy(record);
    talus_world_destroy(world);
    talus_scene_destroy(scene);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc != 3) return fail("consumer", "wants a scene and a directory");
    return fall() || run(argv[1], argv[2]);
}
