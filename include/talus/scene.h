/* Scenes: a text file becomes a world (docs/scene.md). Part of libtalus_io.
 *
 *     talus_scene *scene;
 *     if (talus_scene_load("scene.yaml", NULL, 0, &scene) != TALUS_OK) ... talus_scene_mistake(scene, i) ...
 *     if (talus_scene_build(scene, threads, &world) != TALUS_OK)       ... talus_scene_mistake(scene, i) ...
 */
#ifndef TALUS_SCENE_H
#define TALUS_SCENE_H

#include "talus/world.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct talus_scene talus_scene;

/* Reads a scene, its includes, then the settings ("path=value", later ones win), and checks all of it against the schema: keys, types,
 * dimensions, ranges, references between names. Always returns a scene unless memory ran out, also on failure: it holds the mistakes.
 * INPUT, IO. */
TALUS_API TALUS_NODISCARD talus_status talus_scene_load(const char *path, const char *const *settings, int setting_count, talus_scene **out);
TALUS_API void talus_scene_destroy(talus_scene *scene);

/* Every mistake found, "file:line:column: what is wrong; what was expected", in order of the file. */
TALUS_API int talus_scene_mistake_count(const talus_scene *scene);
TALUS_API const char *talus_scene_mistake(const talus_scene *scene, int index);

/* Builds and assembles the world (threads ≥ 1). The scene must outlive the world: it holds the expressions that drive it.
 * INPUT, ASSEMBLY, ...: the mistake is appended, with the place in the file of the thing at fault where there is one. */
TALUS_API TALUS_NODISCARD talus_status talus_scene_build(talus_scene *scene, int threads, talus_world **out);
/* Warnings of loading and building, one per line; "" when none. */
TALUS_API const char *talus_scene_warnings(const talus_scene *scene);

/* What the scene says about the run. */
TALUS_API const char *talus_scene_path(const talus_scene *scene);
TALUS_API const char *talus_scene_text(const talus_scene *scene);           /* after includes and settings, as YAML that loads the same scene */
TALUS_API const char *talus_scene_physics(const talus_scene *scene);        /* the same without time.end and output: what a run keeps when it is resumed */
TALUS_API double talus_scene_end(const talus_scene *scene);                 /* [s]                                 */
TALUS_API double talus_scene_series_interval(const talus_scene *scene);     /* [s]; 0: every step                  */
TALUS_API double talus_scene_frame_interval(const talus_scene *scene);      /* trajectory [s]; 0: every step; < 0: none */
TALUS_API double talus_scene_checkpoint_interval(const talus_scene *scene); /* wall time [s]; < 0: as the record sees fit */

/* Probes: named scalars, in the scene's order. */
TALUS_API int talus_scene_probe_count(const talus_scene *scene);
TALUS_API const char *talus_scene_probe_name(const talus_scene *scene, int index);
TALUS_API const char *talus_scene_probe_unit(const talus_scene *scene, int index);
TALUS_API double talus_scene_probe_value(const talus_scene *scene, const talus_world *world, int index);

/* Inputs (docs/scene.md: inputs): numbers that functions of time and laws name, and that a program or its controller (talus/control.h) may set between
 * steps. What is set holds from the next step on until it is released; then the scene's own function of time holds again. Both are part of the world's state.
 * Values are in SI units. */
TALUS_API int talus_scene_input_count(const talus_scene *scene);
TALUS_API int talus_scene_input_find(const talus_scene *scene, const char *name); /* its number; −1: there is none */
TALUS_API const char *talus_scene_input_name(const talus_scene *scene, int index);
TALUS_API const char *talus_scene_input_unit(const talus_scene *scene, int index); /* as the scene has it */
/* As it is at the world's time; NaN: there is no such input. */
TALUS_API double talus_scene_input_value(const talus_scene *scene, const talus_world *world, int index);
/* INPUT: there is no such input; a value that is not finite. */
TALUS_API TALUS_NODISCARD talus_status talus_scene_input_set(const talus_scene *scene, talus_world *world, int index, double value);
TALUS_API TALUS_NODISCARD talus_status talus_scene_input_release(const talus_scene *scene, talus_world *world, int index);

/* Stages and stop conditions (docs/scene.md: stages, stop). talus_scene_build enters the first stage; then, after every step and before it is recorded,
 * talus_scene_advance looks at the conditions and begins the next stage where one is met. `over`: the last stage is done or a stop condition holds.
 * Which stage it is, since when, and for how long conditions have held is part of the world's state. A failure's text is that of the world. */
TALUS_API TALUS_NODISCARD talus_status talus_scene_advance(const talus_scene *scene, talus_world *world, bool *over);
/* After a restore: gravity and laws of the stage that the state is in. */
TALUS_API TALUS_NODISCARD talus_status talus_scene_restored(const talus_scene *scene, talus_world *world);
/* Name of a stage, and when it began and ended [s]; NaN where it has not. */
TALUS_API int talus_scene_stage_count(const talus_scene *scene);
TALUS_API const char *talus_scene_stage(const talus_scene *scene, const talus_world *world, int index, double *start, double *end);
/* Why the run is over, in a sentence; false: it is not. */
TALUS_API bool talus_scene_ending(const talus_scene *scene, const talus_world *world, char *text, size_t size);

/* The reference page of the scene language (Markdown) or its JSON Schema, made from the same table as the parser. The caller frees it. */
TALUS_API char *talus_scene_reference(bool json_schema);
/* The keys that a scene uses, or with NULL all that there are, one a line: the dimension and "container.key", of words "container.key=word". NULL: memory
 * ran out. The caller frees it. */
TALUS_API char *talus_scene_keys(const talus_scene *scene);

#ifdef __cplusplus
}
#endif
#endif
