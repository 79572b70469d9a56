/* Stages as the command shows them: the same series whether a run was interrupted in a stage or not, what summary.json and the last lines say, and
 * what `talus check` finds wrong with them. */
#include <stdbool.h>

#include "test.h"

static char folder[256], said[1 << 16];

static void write_text(const char *name, const char *text)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    if (!file || fputs(text, file) < 0 || fclose(file) != 0) abort();
}

static char *read_text(const char *name)
{
    char path[512];
    static char text[1 << 20];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "r");
    const size_t n = file ? fread(text, 1, sizeof text - 1, file) : 0;
    text[n] = '\0';
    if (file) fclose(file);
    return text;
}

/* Exit code of `talus …`, in the folder; what it said is in `said`. */
static int talus(const char *arguments)
{
    char command[1024];
    snprintf(command, sizeof command, "cd '%s' && '%s' %s > said.txt 2>&1", folder, TALUS_COMMAND, arguments);
    const int status = system(command);
    snprintf(said, sizeof said, "%.65000s", read_text("said.txt"));
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000;
}

static void begin(void)
{
    snprintf(folder, sizeof folder, "/tmp/talus-stages-XXXXXX");
    if (!mkdtemp(folder)) abort();
}

static void end(void)
{
    char command[300];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    if (system(command) != 0) fprintf(stderr, "%s stays\n", folder);
}

static const char SCENE[] = "time: {end: 1 s, step: 1 ms}\n"
                            "gravity: [0, -9.81]\n"
                            "materials: {stone: {density: 2500, thickness: 10 mm}}\n"
                            "interactions: [{friction: 0.5}]\n"
                            "bodies:\n"
                            "  floor: {kind: fixed, shapes: [{half_plane: {point: [0, 0], normal: [0, 1], material: stone}}]}\n"
                            "  lid: {kind: fixed, position: [0, 0.1 m], shapes: [{box: {size: [10 cm, 1 cm], material: stone}}]}\n"
                            "grains:\n"
                            "  heap: {generator: lattice, rows: 3, columns: 4, spacing: 21 mm, origin: [-31 mm, 12 cm], radius: 10 mm, material: stone}\n"
                            "probes: {ke: {energy: kinetic}, y: {body: lid, quantity: y}}\n"
                            "stages:\n"
                            "  settle: {until: {probe: ke, below: 1 mJ, for: 20 ms}}\n"
                            "  open: {until: {after: 50 ms}, bodies: {lid: {kind: imposed, motion: {x: -1 m/s * T}}}}\n"
                            "  fall: {until: {probe: ke, above: 10 J, at_most: 0.1 s}, bodies: {lid: {kind: free}}}\n"
                            "  last: {until: {after: 0.1 s}}\n";

TEST(interrupted_in_a_stage)
{
    static const char *const UNTIL[] = {"0.015", "0.12", "0.2"};
    char whole[1 << 18], hash[64];
    begin();
    write_text("scene.yaml", SCENE);
    CHECK(talus("run scene.yaml -o whole") == 0);
    CHECK(strstr(said, "the last stage, 'last', is done at t = ") != NULL);
    snprintf(whole, sizeof whole, "%s", read_text("whole/series.csv"));
    CHECK(strncmp(whole, "time,ke,y,stage,", 16) == 0);
    char *summary = read_text("whole/summary.json"), *found = strstr(summary, "\"state_hash\"");
    snprintf(hash, sizeof hash, "%.36s", found ? found : "none");
    CHECK(strstr(summary, "\"stages\": [{\"name\": \"settle\", \"start\": 0, \"end\": 0.") && strstr(summary, "\"ended\": \"the last stage"));
    for (int i = 0; i < 3; i++) {
        char command[128];
        snprintf(command, sizeof command, "run scene.yaml -o part%d --until %s --threads %d", i, UNTIL[i], i + 1);
        CHECK(talus(command) == 0);
        snprintf(command, sizeof command, "run scene.yaml -o part%d --resume", i);
        CHECK(talus(command) == 0);
        snprintf(command, sizeof command, "part%d/series.csv", i);
        CHECK(strcmp(read_text(command), whole) == 0);
        snprintf(command, sizeof command, "part%d/summary.json", i);
        CHECK(strstr(read_text(command), hash) != NULL);
    }
    CHECK(talus("run scene.yaml -o whole --resume") == 0); /* it is over: nothing is added */
    CHECK(strcmp(read_text("whole/series.csv"), whole) == 0);
    end();
}

TEST(stop_ends_a_run)
{
    begin();
    write_text("scene.yaml", SCENE);
    CHECK(talus("run scene.yaml -o out --set stop.lost.probe=y --set stop.lost.below=\"9 cm\" --set stop.lost.message=\"the lid is gone\"") == 0);
    CHECK(strstr(said, "stopped by 'lost' at t = ") && strstr(said, "below 0.09 m: the lid is gone"));
    CHECK(strstr(read_text("out/summary.json"), "\"status\": \"done\"") && strstr(read_text("out/summary.json"), "the lid is gone"));
    end();
}

static const char FED[] = "time: {end: 0.5 s, step: 1 ms}\n"
                          "gravity: [0, -9.81]\n"
                          "materials: {stone: {density: 2500, thickness: 10 mm}}\n"
                          "bodies: {floor: {kind: fixed, shapes: [{box: {size: [20 cm, 1 cm], material: stone}}]}}\n"
                          "grains:\n"
                          "  sand: {generator: source, count: 30, region: [[-6 cm, 10 cm], [6 cm, 20 cm]], rate: 200 Hz, radius: 5 mm, velocity: [1, -1 m/s],\n"
                          "         material: stone}\n"
                          "sinks: {out: {region: [[-9, -9], [9, -0.05]]}}\n"
                          "probes: {n: {number: sand}, q: {flow: sand, at: [0, -0.05], normal: [0, -1]}, gone: {sink: out}, come: {source: sand}}\n"
                          "output: {frames: {every: 10 ms}}\n";

static int disks_drawn(void)
{
    int count = 0;
    for (const char *p = read_text("shot.svg"); (p = strstr(p, "<path")); p++) count++;
    return count;
}

/* Those that wait for their turn are in no picture and in no file for others; a resumed run is the same. */
TEST(grains_that_come_and_go)
{
    char whole[1 << 18];
    begin();
    write_text("scene.yaml", FED);
    CHECK(talus("run scene.yaml -o whole") == 0);
    CHECK(!strstr(said, "is empty")); /* what the sink takes comes again */
    snprintf(whole, sizeof whole, "%s", read_text("whole/series.csv"));
    CHECK(talus("run scene.yaml -o part --until 0.233") == 0 && talus("run scene.yaml -o part --resume") == 0);
    CHECK(strcmp(read_text("part/series.csv"), whole) == 0);
    CHECK(talus("shot part --time 0 --no-forces -o shot.svg") == 0);
    const int none = disks_drawn();
    CHECK(talus("shot part --time 0.1 --no-forces -o shot.svg") == 0);
    CHECK(disks_drawn() >= none + 20); /* 20 have come by then, none has gone */
    CHECK(talus("export part --vtk vtk") == 0);
    write_text("next.yaml",
               "time: {end: 1 ms}\nmaterials: {stone: {density: 2500}}\ngrains: {old: {generator: settled, from: part, time: 0.05 s, material: stone}}\n"
               "probes: {n: {number: old}}\n");
    CHECK(talus("check next.yaml") == 0 && strstr(said, "10 bodies")); /* those that had come at 0.05 s */
    end();
}

/* A scene with one thing wrong, and what must be said about it, at which line and column. */
static const struct {
    const char *text, *place, *message;
} WRONG[] = {
    {"stages: {a: {until: {probe: kee, below: 1 J}}}\n", ":7:29:", "there is no probe 'kee'; did you mean 'ke'"},
    {"stages: {a: {until: {probe: ke, below: 1 m}}}\n", ":7:40:", "got '1 m', a length (m)"},
    {"stages: {a: {until: {probe: ke, below: 1 J, above: 2 J}}}\n", ":7:14:", "'above' or 'below'"},
    {"stages: {a: {until: {probe: ke}}}\n", ":7:14:", "'above' or 'below'"},
    {"stages: {a: {until: {after: 1 s, time: 2 s}}}\n", ":7:14:", "until one thing"},
    {"stages: {a: {until: {after: 1 s, at_most: 2 s}}}\n", ":7:34:", "belongs to a probe"},
    {"stages: {a: {gravity: [0, 1]}, b: {}}\n", ":7:10:", "only the last stage may do without 'until'"},
    {"stages: {a: {drives: {motr: {speed: 1 rad/s}}}}\n", ":7:23:", "there is no drive 'motr'; did you mean 'motor'"},
    {"stages: {a: {drives: {motor: {speed: 1 m/s}}}}\n", ":7:38:", "expected an angular velocity (rad/s)"},
    {"stages: {a: {drives: {motor: {move: 1 rad}}}}\n", ":7:31:", "drive 'motor' has a speed: a stage gives it a 'speed'"},
    {"stages: {a: {drives: {motor: {speed: 1 rad/s * Tt}}}}\n", ":7:38:", "'Tt' is not known"},
    {"stages: {a: {bodies: {lid: {motion: {x: 1 m/s * T}}}}}\n", ":7:29:", "say 'kind: imposed' too"},
    {"stages: {a: {bodies: {crank: {kind: fixed}}}}\n", ":7:23:", "links move by their drives"},
    {"stages: {a: {bodies: {lid: {kind: free}}}}\n", ":7:10:", "carries a half-plane"},
    {"stages: {a: {loads: {pull: {x: 1 N/s * T}}}}\n", ":7:22:", "there is no load 'pull'"},
    {"loads: {push: {body: lid, x: 1 N/s * T}}\n", ":7:30:", "the time since a stage began is known in functions of 'stages' only"},
    {"stop: {s: {probe: ke, above: 1 J, during: [b]}}\nstages: {a: {}}\n", ":7:44:", "there is no stage 'b'"},
    {"stop: {s: {above: 1 J}}\n", ":7:8:", "'probe' is missing here"},
    {"probes: {s: {stress: all}}\n", ":7:10:", "needs a region: [[x0, y0], [x1, y1]]"},
    {"probes: {s: {number: all, region: {sphere: {radius: 1}}}}\n", ":7:36:", "'sphere' is for space"},
    {"probes: {s: {number: all, region: [[0, 0], [1, 1]], cells: [2]}}\n", ":7:53:", "cells are 2 whole numbers"},
    {"probes: {s: {flow: all, at: [0, 0]}}\n", ":7:10:", "a flow passes a plane"},
    {"probes: {v: {number: all, region: [[0, 0], [1, 1]], cells: [2, 1]}}\nstop: {s: {probe: v, above: 1}}\n", ":8:12:", "this probe has cells"},
    {"grains: {s: {generator: source, radius: 1 m, material: wood, rate: 1 Hz, region: [[0, 0], [1, 1]]}}\n", ":7:10:", "and a count"},
    {"grains: {s: {generator: source, radius: 1 m, material: wood, count: 3, region: [[0, 0], [1, 1]]}}\n", ":7:10:", "either a 'rate'"},
    {"sinks: {out: {grains: sand, region: [[0, 0], [1, 1]]}}\n", ":7:23:", "there is no group of grains 'sand'"},
    {"sinks: {out: {grains: all}}\n", ":7:9:", "'region' is missing here"},
    {"probes: {stage: {energy: total}}\nstages: {a: {}}\n", ":7:10:", "cannot name a probe"},
};

TEST(wrong_stages_are_named)
{
    begin();
    for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++) {
        char text[2048];
        const bool probes = strncmp(WRONG[i].text, "probes", 6) == 0;
        snprintf(text, sizeof text,
                 "time: {end: 1 s}\n"
                 "materials: {wood: {density: 500}}\n"
                 "bodies: {lid: {kind: fixed, shapes: [{half_plane: {point: [0, 0], normal: [0, 1], material: wood}}]}}\n"
                 "mechanisms:\n"
                 "  m: {bodies: {crank: {mass: 1, inertia: 1}}, joints: {A: {type: revolute, parent: ground, child: crank}}, drives: {motor: {joint: A, speed: "
                 "0}}}\n"
                 "%s\n%s",
                 probes ? "" : "probes: {ke: {energy: kinetic}}", WRONG[i].text);
        write_text("scene.yaml", text);
        CHECK(talus("check scene.yaml") == 2);
        if (!strstr(said, WRONG[i].place) || !strstr(said, WRONG[i].message))
            TEST_FAIL("of\n%sit said\n%sexpected %s %s", WRONG[i].text, said, WRONG[i].place, WRONG[i].message);
    }
    end();
}

int main(int argc, char **argv)
{
    RUN(interrupted_in_a_stage);
    RUN(stop_ends_a_run);
    RUN(grains_that_come_and_go);
    RUN(wrong_stages_are_named);
    return TEST_RESULT;
}
