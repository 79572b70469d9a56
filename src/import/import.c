/* A URDF becomes a scene: read, judged, its meshes copied, written, and read back as a check. */
#include "import/import.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "talus/scene.h"
#include "talus/world.h"

void tl_mesh_directory(const tl_import *o, char name[1024])
{
    const char *slash = strrchr(o->output, '/'), *base = slash ? slash + 1 : o->output, *dot = strrchr(base, '.');
    snprintf(name, 1024, "%.*s-meshes", dot && dot > base ? (int)(dot - base) : (int)strlen(base), base);
}

static talus_status make_directory(const tl_import *o, tl_error *error)
{
    char name[1024], path[4096];
    const char *slash = strrchr(o->output, '/');
    tl_mesh_directory(o, name);
    snprintf(path, sizeof path, "%.*s%s", slash ? (int)(slash - o->output) + 1 : 0, o->output, name);
    if (mkdir(path, 0777) == 0 || errno == EEXIST) return TALUS_OK;
    return tl_fail(error, TALUS_IO, "cannot make the directory '%s': %s", path, strerror(errno));
}

static talus_status copy_meshes(const tl_import *o, tl_urdf *r, tl_mesh_files *files, tl_error *error)
{
    bool made = false;
    for (int i = 0; i < r->shapes; i++) {
        if (r->shape[i].form != URDF_MESH) continue;
        if (o->meshes == TL_MESH_NONE && !r->shape[i].visual)
            tl_note_add(r->notes, r->shape[i].at, false, "mesh '%.300s' of link '%.100s' is left out: --meshes none", r->shape[i].file,
                        r->link[r->shape[i].link].name);
        if (!tl_shape_is_used(o, r, i)) continue;
        if (!made) TL_TRY(make_directory(o, error));
        made = true;
        TL_TRY(tl_mesh_files_write(o, r, i, &files[i], error));
    }
    return TALUS_OK;
}

/* Links that one would see and that nothing touches. */
static void note_visuals(const tl_import *o, tl_urdf *r)
{
    for (int link = 0; link < r->links; link++) {
        bool visual = false, collides = false;
        for (int i = 0; i < r->shapes; i++)
            if (r->shape[i].link == link) *(r->shape[i].visual ? &visual : &collides) = true;
        if (visual && !collides && !o->visuals)
            tl_note_add(r->notes, r->link[link].at, false, "link '%.100s' has a <visual> and no <collision>: nothing touches it; --visuals takes that",
                        r->link[link].name);
    }
}

static talus_status write_scene(const tl_import *o, const tl_urdf *r, const tl_mesh_files *files, tl_error *error)
{
    FILE *out = fopen(o->output, "w");
    if (!out) return tl_fail(error, TALUS_IO, "cannot write '%s': %s", o->output, strerror(errno));
    tl_scene_text(out, o, r, files);
    const bool done = ferror(out) == 0;
    return fclose(out) == 0 && done ? TALUS_OK : tl_fail(error, TALUS_IO, "cannot write '%s': %s", o->output, strerror(errno));
}

/* What the scene lacks to be run, such as the inertia of a chain of links, is said now. */
static talus_status check_scene(const tl_import *o, FILE *say, tl_error *error)
{
    talus_scene *scene = NULL;
    talus_world *world = NULL;
    talus_status status = talus_scene_load(o->output, NULL, 0, &scene);
    if (status == TALUS_OK) status = talus_scene_build(scene, 1, &world);
    if (status != TALUS_OK)
        (void)tl_fail(error, status, "the scene is written, and does not run yet: %s",
                      scene && talus_scene_mistake_count(scene) > 0 ? talus_scene_mistake(scene, 0) : "");
    else fputs(talus_scene_warnings(scene), say);
    talus_world_destroy(world);
    talus_scene_destroy(scene);
    return status;
}

static talus_status import_all(const tl_import *o, tl_urdf *r, FILE *say, tl_error *error)
{
    tl_mesh_files *files = tl_arena_zero(r->notes->arena, (size_t)r->shapes + 1, sizeof *files);
    if (!files) return tl_fail(error, TALUS_MEMORY, "no memory for the robot of '%s'", o->path);
    if (r->notes->mistakes == 0) {
        note_visuals(o, r);
        TL_TRY(copy_meshes(o, r, files, error));
    }
    const tl_notes *n = r->notes;
    tl_notes_sort(r->notes);
    for (int i = 0; i < n->count; i++)
        fprintf(say, "%s:%d:%d: %s%s\n", o->path, n->item[i].line, n->item[i].column, n->item[i].mistake ? "" : "note: ", n->item[i].text);
    if (n->mistakes > 0) return tl_fail(error, TALUS_INPUT, "'%s' has %d mistake%s; nothing is written", o->path, n->mistakes, n->mistakes == 1 ? "" : "s");
    TL_TRY(write_scene(o, r, files, error));
    return check_scene(o, say, error);
}

talus_status tl_import_urdf(const tl_import *o, FILE *say, tl_error *error)
{
    tl_notes notes = {.arena = tl_arena_create(tl_memory_default(), (size_t)1 << 16)};
    tl_urdf robot;
    if (!notes.arena) return tl_fail(error, TALUS_MEMORY, "no memory to read '%s'", o->path);
    talus_status status = tl_urdf_load(&robot, &notes, o->path, error);
    if (status == TALUS_OK) status = import_all(o, &robot, say, error);
    tl_arena_destroy(notes.arena);
    return status;
}
