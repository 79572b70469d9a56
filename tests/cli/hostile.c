/* A page of results that want to run script in it: names of bodies, materials and probes, the scene, and a summary.json of which every value is an
 * element with an error handler. None becomes an element; in Chromium, where it is installed, none runs. */
#include <sys/stat.h>

#include "scenes.h"

#define EVIL "<img src=x onerror='document.title=`hacked`'>"

static const char SCENE[] = "gravity: [0, -9.81]\n"
                            "time: {end: 5 ms, step: 1 ms}\n"
                            "materials: {\"</script>" EVIL "\": {density: 2000 kg/m^3}}\n"
                            "bodies:\n"
                            "  \"<!--<script>" EVIL "\": {position: [0, 1], shapes: [{disk: {radius: 0.1, material: \"</script>" EVIL "\"}}]}\n"
                            "  floor: {kind: fixed, shapes: [{half_plane: {point: [0, 0], normal: [0, 1], material: \"</script>" EVIL "\"}}]}\n"
                            "probes: {\"" EVIL "\": {energy: kinetic}}\n";

static const char *const KEYS[] = {"version",       "scene",           "status",          "steps",        "time_end",          "wall_seconds",
                                   "contacts_mean", "contacts_max",    "iterations_mean", "missed_steps", "unconverged_steps", "residual_max",
                                   "bodies",        "penetration_max", "threads",         "advice",       "state_hash",        "degrees_of_freedom"};

static void write_summary(const char *path)
{
    FILE *out = fopen(path, "w");
    if (!out) exit(1);
    fprintf(out, "{\"stage_seconds\": {\"" EVIL "\": \"" EVIL "\", \"detect\": 1}, \"probes\": {\"" EVIL "\": \"" EVIL "\"}, \"warnings\": [\"" EVIL "\"]");
    for (size_t i = 0; i < sizeof KEYS / sizeof *KEYS; i++) {
        if (i % 3 == 2) fprintf(out, ", \"%s\": {\"html\": \"%s" EVIL "\", \"text\": \"" EVIL "\"}", KEYS[i], KEYS[i]);
        else fprintf(out, ", \"%s\": \"</script>%s" EVIL "\"", KEYS[i], KEYS[i]);
    }
    fprintf(out, "}\n");
    fclose(out);
}

/* The whole file, ended by a zero. */
static char *read_whole(const char *path)
{
    struct stat s;
    FILE *in = fopen(path, "rb");
    if (!in || fstat(fileno(in), &s) != 0) exit(1);
    char *text = calloc((size_t)s.st_size + 1, 1);
    if (!text || fread(text, 1, (size_t)s.st_size, in) != (size_t)s.st_size) exit(1);
    fclose(in);
    return text;
}

TEST(page)
{
    write_file("evil.yaml", SCENE);
    CHECK(talus("run evil.yaml -o evil") == 0);
    write_summary("evil/summary.json");
    if (talus("view evil") != 0) {
        CHECK(strstr(said, "without its viewer") != NULL);
        printf("no viewer: not tried\n");
        return;
    }
    char *html = read_whole("evil/page.html");
    CHECK(strstr(html, "\\u003cimg src=x") != NULL); /* it is there, as text */
    CHECK(strstr(html, "<img src=x") == NULL);
    free(html);
    if (system("command -v chromium >/dev/null 2>&1") != 0) {
        printf("no Chromium: only the file was read\n");
        return;
    }
    const int code = system("timeout 100 chromium --headless=new --no-sandbox --use-angle=swiftshader --enable-unsafe-swiftshader --virtual-time-budget=20000"
                            " --dump-dom \"file://$PWD/evil/page.html\" >dom.html 2>/dev/null");
    char *dom = read_whole("dom.html");
    CHECK(code == 0 && strstr(dom, "evil") != NULL);
    CHECK(strstr(dom, "contacts_max&lt;") != NULL || strstr(dom, "steps&lt;") != NULL || strstr(dom, "status&lt;") != NULL || strstr(dom, "&lt;img") != NULL);
    CHECK(strstr(dom, "<img") == NULL);
    CHECK(strstr(dom, "<title>hacked") == NULL);
    free(dom);
}

int main(int argc, char **argv)
{
    make_folder();
    RUN(page);
    if (chdir("/") == 0) remove_folder();
    return TEST_RESULT;
}
