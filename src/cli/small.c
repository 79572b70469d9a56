/* The short verbs: schema, info; and where the files lie that came with talus. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "talus/scene.h"

void tl_shared_folder(char *out, size_t size, const char *name)
{
    char path[4096];
    const ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    path[n > 0 ? n : 0] = '\0';
    char *slash = strrchr(path, '/');
    if (slash) *slash = '\0';
    snprintf(out, size, "%s/../share/talus/%s", path, name);
}

int talus_schema(int argc, char **argv)
{
    const bool json = argc == 2 && strcmp(argv[1], "--json") == 0;
    const bool keys = argc == 2 && strcmp(argv[1], "--keys") == 0;
    if (argc > 1 && !json && !keys) return tl_usage("schema", "takes --json, --keys or nothing");
    char *text = keys ? talus_scene_keys(NULL) : talus_scene_reference(json);
    if (!text) return EXIT_FAILED;
    fputs(text, stdout);
    free(text);
    return EXIT_DONE;
}

int talus_info(int argc, char **argv)
{
    (void)argc, (void)argv;
    printf("talus %s\ncompiler: %s\nscenes: libyaml; robots: expat; results: HDF5; pictures: cairo\n", TALUS_VERSION, __VERSION__);
    return EXIT_DONE;
}
