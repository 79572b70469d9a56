/* Files that are no files, names that are no names, motions without bound: said at once, where the fault is, and no file's content is shown. */
#include <sys/stat.h>

#include "scenes.h"

#define HEAD "time: {end: 1 s, step: 10 ms}\n"

TEST(names)
{
    refused(HEAD "bodies:\n  \"\": {kind: fixed}\n", "scene.yaml:3:3", "a name is empty");
    refused(HEAD "bodies:\n  a: {kind: fixed}\nprobes:\n  p: {body: \"\"}\n", "scene.yaml:5:13", "there is no body ''");
    refused(HEAD "\"gravity\\0x\": [0, 1]\n", "scene.yaml:2:1", "a NUL byte in a key");
}

/* The law pushes with 1e6 N for each metre: x grows by the factor 1 + h² k/m = 101 or so a step, until nothing can hold it. */
TEST(divergence_names_what_diverges)
{
    write_file("scene.yaml", HEAD "mechanisms:\n  m:\n    bodies: {a: {mass: 1 kg, inertia: 0.1}, b: {mass: 1 kg, inertia: 0.1}}\n    joints:\n"
                                  "      quiet: {type: prismatic, parent: ground, child: b}\n"
                                  "      runaway: {type: prismatic, parent: ground, child: a, position: 1 m}\n"
                                  "    forces: {bad: {joint: runaway, law: \"1e6 N/m * q\"}}\nprobes: {x: {joint: runaway}, e: {energy: kinetic}}\n");
    CHECK(talus("run scene.yaml -o run") == 1);
    CHECK(line_with("mechanism 'm'", "'runaway'") && strstr(said, "the run diverges") && !strstr(said, "overlap"));
    CHECK(system("grep -qiE 'nan|inf' run/series.csv") != 0);
    write_file("scene.yaml", HEAD "materials: {s: {density: 1}}\nbodies: {a: {mass: 1, inertia: 1}, calm: {mass: 1, inertia: 1}}\n"
                                  "loads: {l: {body: a, x: \"1 N * exp(300 * t/(1 s))\"}}\n");
    CHECK(talus("run scene.yaml -o run2") == 1);
    CHECK(line_with("body 'a'", "the run diverges") && !strstr(said, "calm"));
    CHECK(system("grep -qiE 'nan|inf' run2/series.csv") != 0);
}

/* What was not written was not said. */
TEST(full_device)
{
    static const char *const VERBS[] = {"schema",     "schema --json",    "info",         "help", "help run", "--version", "--help",
                                        "run --help", "check scene.yaml", "verify --list"};
    write_file("scene.yaml", HEAD);
    for (size_t i = 0; i < sizeof VERBS / sizeof *VERBS; i++) {
        char command[512];
        snprintf(command, sizeof command, "'" TALUS_COMMAND "' %s >/dev/full 2>said", VERBS[i]);
        const int status = system(command);
        if (!WIFEXITED(status) || WEXITSTATUS(status) == 0) TEST_FAIL("talus %s into a full device ended with %d", VERBS[i], status);
    }
}

/* A pipe or a device has no end, and an STL file has no business with either. */
TEST(files_that_are_none)
{
    const char *scene = "dimension: 3\n" HEAD "materials: {s: {density: 1}}\nbodies:\n  a: {kind: fixed, shapes: [{mesh: {file: %s, material: s}}]}\n";
    static const char *const FILES[] = {"pipe.stl", "zero.stl", "folder.stl"};
    char text[512];
    CHECK(mkfifo("pipe.stl", 0600) == 0 && symlink("/dev/zero", "zero.stl") == 0 && mkdir("folder.stl", 0700) == 0);
    for (int i = 0; i < 3; i++) {
        snprintf(text, sizeof text, scene, FILES[i]);
        refused(text, "scene.yaml:5:43", "is not a file");
    }
    write_file("scene.yaml", HEAD "include: pipe.stl\n");
    CHECK(talus("check scene.yaml") == 2);
}

TEST(an_included_file_is_not_shown)
{
    write_file("secret", "alpha: the first secret\nbeta: the second secret\n");
    refused(HEAD "include: secret\n", "scene.yaml:2:10", "'secret' is not a scene");
    CHECK(!strstr(said, "alpha") && !strstr(said, "beta"));
    write_file("part.yaml", "gravity: [0, -9.81]\n");
    accepted_without(HEAD "include: part.yaml\n", "not a scene");
}

/* A hundred thousand names, each once; unit.world_define counts what is looked at. */
TEST(many_names)
{
    FILE *out = fopen("scene.yaml", "w");
    if (!out) abort();
    fputs(HEAD "materials: {s: {density: 1000}}\nbodies:\n", out);
    for (int i = 0; i < 100000; i++)
        fprintf(out, "  body_with_name_%d: {position: [%d, %d], shapes: [{disk: {radius: 0.4, material: s}}]}\n", i, i % 400, i / 400);
    fclose(out);
    CHECK(talus("check scene.yaml") == 0 && strstr(said, "100000 bodies"));
}

int main(int argc, char **argv)
{
    make_folder();
    RUN(names);
    RUN(divergence_names_what_diverges);
    RUN(full_device);
    RUN(files_that_are_none);
    RUN(an_included_file_is_not_shown);
    RUN(many_names);
    remove_folder();
    return TEST_RESULT;
}
