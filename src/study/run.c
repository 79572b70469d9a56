/* One run of a study, in a process of its own (jobs.c): what it has to say goes to DIR/messages.txt. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "record/record.h"
#include "study/study.h"
#include "talus/record.h"
#include "talus/talus.h"

uint64_t tl_study_steps(double end, double h)
{
    const double steps = ceil(end / h * (1 - 1e-12) - 1e-6); /* an end that rounding puts behind the last step does not cost another */
    return !(end > 0) || !(steps <= TALUS_STEPS) ? 0 : steps < 1 ? 1 : (uint64_t)steps;
}

static bool advance(const talus_scene *scene, talus_world *w, talus_record *record, FILE *out)
{
    talus_step_report report;
    const uint64_t steps = tl_study_steps(talus_scene_end(scene), talus_world_step_size(w));
    const char *failure = NULL;
    bool over = false;
    while (!failure && !over && talus_world_steps(w) < steps) {
        if (talus_world_step(w, &report) != TALUS_OK || talus_scene_advance(scene, w, &over) != TALUS_OK) failure = talus_world_error(w);
        else if (talus_record_step(record, w, &report) != TALUS_OK) failure = talus_record_error(record);
    }
    if (failure) fprintf(out, "%s\n", failure);
    if (talus_record_close(record, w, failure ? failure : "done") == TALUS_OK) return !failure;
    fprintf(out, "%s\n", talus_record_error(record));
    return false;
}

int tl_study_run(const char *path, const char *const *settings, int count, const char *directory)
{
    char message[2048] = "", messages[4096];
    talus_scene *scene = NULL;
    talus_world *w = NULL;
    talus_record *record = NULL;
    talus_record_def def = talus_record_def_default();
    int code = 1;
    tl_error error;
    if (tl_directory_make(directory, &error) != TALUS_OK) return 1;
    snprintf(messages, sizeof messages, "%s/messages.txt", directory);
    FILE *out = fopen(messages, "w");
    if (!out) return 1;
    def.directory = directory;
    def.force = true; /* what is in the directories of a study is its own */
    if (talus_scene_load(path, settings, count, &scene) != TALUS_OK || talus_scene_build(scene, 1, &w) != TALUS_OK)
        fprintf(out, "%s\n", scene ? talus_scene_mistake(scene, 0) : "memory ran out");
    else if (talus_record_open(&def, scene, w, &record, message, sizeof message) != TALUS_OK) fprintf(out, "%s\n", message);
    else code = advance(scene, w, record, out) ? 0 : 1;
    talus_record_destroy(record);
    talus_world_destroy(w);
    talus_scene_destroy(scene);
    fclose(out);
    return code;
}
