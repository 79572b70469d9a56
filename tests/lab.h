/* A scene from a text, its world, and its probes by name: for tests of what scenes say. */
#ifndef TALUS_LAB_H
#define TALUS_LAB_H

#include "talus/scene.h"
#include "talus/talus.h"
#include "test.h"

typedef struct lab {
    talus_scene *scene;
    talus_world *world;
} lab;

/* Read and checked, not built; it may have mistakes. */
static inline talus_status try_lab(const char *text, talus_scene **scene)
{
    char path[] = "lab-XXXXXX";
    const int file = mkstemp(path);
    if (file < 0 || write(file, text, strlen(text)) != (ssize_t)strlen(text)) abort();
    close(file);
    *scene = NULL;
    const talus_status status = talus_scene_load(path, NULL, 0, scene);
    unlink(path);
    if (!*scene) exit(1);
    return status;
}

static inline talus_scene *load_lab(const char *text)
{
    talus_scene *scene;
    (void)!try_lab(text, &scene);
    return scene;
}

static inline lab open_lab(const char *text, int threads)
{
    lab l = {load_lab(text), NULL};
    if (talus_scene_mistake_count(l.scene) > 0) TEST_FAIL("%s", talus_scene_mistake(l.scene, 0));
    else CHECK_OK(talus_scene_build(l.scene, threads, &l.world), talus_scene_mistake(l.scene, 0));
    if (!l.world) exit(1);
    return l;
}

static inline void close_lab(lab *l)
{
    talus_world_destroy(l->world);
    talus_scene_destroy(l->scene);
}

static inline double lab_probe(const lab *l, const char *name)
{
    for (int i = 0; i < talus_scene_probe_count(l->scene); i++)
        if (strcmp(talus_scene_probe_name(l->scene, i), name) == 0) return talus_scene_probe_value(l->scene, l->world, i);
    TEST_FAIL("no probe %s", name);
    return 0;
}

/* As talus run does it; true: the scene says that the run is over. */
static inline bool lab_step(const lab *l)
{
    bool over = false;
    if (talus_world_step(l->world, NULL) != TALUS_OK) {
        TEST_FAIL("%s", talus_world_error(l->world));
        exit(1); /* the time would never come */
    }
    CHECK_OK(talus_scene_advance(l->scene, l->world, &over), talus_world_error(l->world));
    return over;
}

/* To a time, or to the end that the scene knows. */
static inline bool lab_run(const lab *l, double time)
{
    bool over = false;
    while (!over && talus_world_time(l->world) < time - 0.5 * talus_world_step_size(l->world)) over = lab_step(l);
    return over;
}

/* A scene from a text is run until then: what this probe says at the end. */
static inline double lab_after(const char *text, double time, const char *probe)
{
    lab l = open_lab(text, 1);
    lab_run(&l, time);
    const double value = lab_probe(&l, probe);
    close_lab(&l);
    return value;
}

/* `to`, of the same scene, goes on from the state that `from` has now, as after a restart. */
static inline void lab_restore(const lab *from, const lab *to)
{
    const int fields = talus_state_count(from->world);
    talus_field *field = calloc((size_t)fields, sizeof *field);
    if (!field) exit(1);
    for (int i = 0; i < fields; i++) talus_state_field(from->world, i, &field[i]);
    CHECK_OK(talus_state_restore(to->world, field, fields), talus_world_error(to->world));
    free(field);
}

#endif
