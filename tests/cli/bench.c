/* talus bench on its smallest boxes: the numbers are what a settled packing and any machine can have. */
#include <math.h>

#include "test.h"

static char *slurp(const char *path)
{
    char *text = calloc(1, 1 << 16);
    FILE *file = fopen(path, "r");
    if (!text) exit(1);
    if (file) {
        const size_t got = fread(text, 1, (1 << 16) - 1, file);
        text[got] = '\0';
        fclose(file);
    }
    return text;
}

/* Runs the bench and gives back its JSON. */
static char *bench(const char *arguments)
{
    char command[1024], path[] = "/tmp/talus-bench-test-XXXXXX";
    const int handle = mkstemp(path);
    if (handle < 0) exit(1);
    close(handle);
    snprintf(command, sizeof command, "'%s' bench %s --json '%s' >'%s.txt' 2>&1", TALUS_COMMAND, arguments, path, path);
    if (system(command) != 0) TEST_FAIL("talus bench %s failed", arguments);
    char *json = slurp(path);
    unlink(path);
    snprintf(command, sizeof command, "%s.txt", path);
    unlink(command);
    return json;
}

/* The number after "key": behind the object that begins with `object`; NaN when there is none. */
static double number(const char *json, const char *object, const char *key)
{
    char quoted[64];
    const char *at = strstr(json, object), *end = at ? strchr(at, '\n') : NULL;
    snprintf(quoted, sizeof quoted, "\"%s\": ", key);
    const char *value = at ? strstr(at, quoted) : NULL;
    if (!value || (end && value > end)) {
        TEST_FAIL("no %s in %s", key, object);
        return (double)NAN;
    }
    return strtod(value + strlen(quoted), NULL);
}

static void within(const char *json, const char *object, const char *key, double low, double high)
{
    const double x = number(json, object, key);
    if (!(x >= low && x <= high)) TEST_FAIL("%s of %s is %g, not in %g … %g", key, object, x, low, high);
}

static void timing(const char *json, const char *name)
{
    char object[64];
    snprintf(object, sizeof object, "{\"name\": \"%s\"", name);
    within(json, object, "update_ns", 1, 1000);
    within(json, object, "bytes_per_grain", 64, 1e5);
    within(json, object, "bytes_per_contact", 64, 1e5);
    within(json, object, "resident_per_grain", 64, 1e5); /* 0 where the system does not say it, which Linux does */
    const double total = number(json, object, "step_ms");
    double sum = 0;
    static const char *const STAGE[] = {"predict", "detect", "bind", "color", "solve", "finish", "remember", "commit"};
    for (int i = 0; i < 8; i++) sum += number(json, object, STAGE[i]);
    CHECK(sum <= 1.0001 * total && sum >= 0.8 * total); /* between two stages the machine may be taken away */
}

/* At rest, and hardly overlapping: what the generator leaves at first is of the order of a tenth of a diameter. */
static void settled(const char *json, const char *name, double least, double most)
{
    char object[64];
    snprintf(object, sizeof object, "{\"packing\": \"%s\"", name);
    within(json, object, "settling_s", 1e-3, 1e3);
    within(json, object, "resident_per_grain", 64, 1e6); /* as in timing */
    within(json, object, "touching_per_grain", least, most);
    within(json, object, "energy_over_mgd", 0, 0.01);
    within(json, object, "overlap_over_d", 0, 0.01);
    CHECK(number(json, object, "300") < number(json, object, "10"));
    within(json, object, "warm_sweeps", 1, 9000); /* at most 3000, and again when contacts join: the solve has up to three rounds */
}

/* 9 × 9 × 5 nodes of three unknowns. A sphere meets soil that is nearly flat once, and the lowest spheres, of 50 mm at most, cover half of its 470 mm squared,
 * as loose disks do. The factor has at least the blocks of 3 × 3 of nodes that share an element, half of (3 · 9 − 2)² (3 · 5 − 2) and of the nodes themselves,
 * and less than a full matrix. */
static void soil(const char *json)
{
    static const char *const SOIL = "{\"name\": \"soil-8x8x4\"";
    const double blocks = 0.5 * (25 * 25 * 13 + 405), unknowns = 1215;
    within(json, SOIL, "elements", 256, 256);
    within(json, SOIL, "unknowns", unknowns, unknowns);
    within(json, SOIL, "soil_contacts", 0.5 * 0.47 * 0.47 / (3.1416 * 0.025 * 0.025), 288);
    within(json, SOIL, "factor_bytes", 8 * 9 * blocks, 8 * unknowns * unknowns);
    within(json, SOIL, "factor_s", 0, 100);
    within(json, SOIL, "columns_s", 0, 100);
}

/* Frictional packings: coordination from d + 1 to 2 d of disks (3 … 4) and spheres (4 … 6), walls on top, rattlers below; half of it are contacts per
 * grain. Stones touch in up to four points: a face on a face. Two layers of spheres may each rest on one contact. */
TEST(smallest)
{
    char *json = bench("--quick --threads 1 --steps 5");
    CHECK(!strstr(json, "spheres-1000000")); /* only where it is named */
    timing(json, "disks-1000");
    timing(json, "spheres-1000");
    timing(json, "stones-500");
    timing(json, "soil-8x8x4");
    settled(json, "disks-1000", 1.3, 2.2);
    settled(json, "spheres-1000", 2, 3.3);
    settled(json, "stones-500", 3, 12);
    settled(json, "soil-8x8x4", 1, 3.3);
    soil(json);
    within(json, "{\"plate\": \"plate-2100\"", "particles", 2100, 2100);
    within(json, "{\"plate\": \"plate-2100\"", "contacts", 4, 4 * 49 + 4); /* of a plate six spacings wide: its corners, and nodes under it */
    within(json, "{\"plate\": \"plate-2100\"", "residual", 0, 1e-3);
    within(json, "{\"plate\": \"plate-2100\"", "median_ms", 0.01, 1e4);
    within(json, "{\"scene\": \"vehicle-bogie\"", "steps", 5, 5);
    within(json, "{\"scene\": \"vehicle-bogie\"", "simulated_s", 0.05, 0.05);
    CHECK(!strstr(json, "growth") && !strstr(json, "vehicle-forest"));
    free(json);
}

/* Of two sizes the exponent is the slope between them. Fifteen steps: the median of three was once that of a machine taken away. */
TEST(growth_of_plates)
{
    char *json = bench("plate-2100 plate-8000 --threads 1 --steps 15");
    const char *const small = "{\"plate\": \"plate-2100\"", *const large = "{\"plate\": \"plate-8000\"";
    const double exponent = log(number(json, large, "median_ms") / number(json, small, "median_ms")) / log(8000.0 / 2100);
    within(json, "{\"growth\": \"plate\"", "sizes", 2, 2);
    within(json, "{\"growth\": \"plate\"", "step", exponent - 2e-3, exponent + 2e-3);
    within(json, "{\"growth\": \"plate\"", "step", 0.5, 1.7);
    free(json);
}

/* Work per grain does not change with their number, but caches do: exponents near 1; and they are those of the times printed above them. Forty steps: the
 * mean of five was once that of a machine taken away. */
TEST(growth)
{
    static const char *const LARGE = "{\"name\": \"disks-10000\"", *const SMALL = "{\"name\": \"disks-1000\"", *const GROWTH = "{\"growth\": \"disks\"";
    static const char *const KEY[] = {"detect", "solve", "step"}, *const TIME[] = {"detect", "solve", "step_ms"};
    char *json = bench("disks-1000 disks-10000 --threads 1 --settle 20 --steps 40");
    within(json, GROWTH, "sizes", 2, 2);
    const double grains = log(number(json, LARGE, "grains") / number(json, SMALL, "grains"));
    for (int i = 0; i < 3; i++) {
        const double exponent = log(number(json, LARGE, TIME[i]) / number(json, SMALL, TIME[i])) / grains;
        within(json, GROWTH, KEY[i], exponent - 2e-3, exponent + 2e-3); /* as exact as they are printed */
        within(json, GROWTH, KEY[i], 0.5, 1.7);
    }
    free(json);
}

/* Of a series the exponents are those of the times printed above it, with its own N. */
static void series(const char *json, const char *with, const char *size, const char *const name[2])
{
    static const char *const KEY[] = {"predict", "bind", "solve", "step"}, *const TIME[] = {"predict", "bind", "solve", "step_ms"};
    char growth[96], small[64], large[64];
    snprintf(growth, sizeof growth, "{\"growth\": \"soil\", \"with\": \"%s\"", with);
    snprintf(small, sizeof small, "{\"name\": \"%s\"", name[0]);
    snprintf(large, sizeof large, "{\"name\": \"%s\"", name[1]);
    const double ratio = log(number(json, large, size) / number(json, small, size));
    CHECK(ratio > 0.5);
    within(json, growth, "sizes", 2, 2);
    for (int i = 0; i < 4; i++) {
        const double exponent = log(number(json, large, TIME[i]) / number(json, small, TIME[i])) / ratio;
        within(json, growth, KEY[i], exponent - 2e-3, exponent + 2e-3);
    }
}

/* The same spheres on six times the elements, twice the spheres on the same elements: two series, none of them with all three boxes. */
TEST(growth_on_soil)
{
    char *json = bench("soil-8x8x4 soil-16x16x6 soil-16x16x6-double --threads 1 --settle 40 --steps 3");
    series(json, "elements", "elements", (const char *const[]){"soil-8x8x4", "soil-16x16x6"});
    series(json, "contacts", "soil_contacts", (const char *const[]){"soil-16x16x6", "soil-16x16x6-double"});
    CHECK(!strstr(json, "\"with\": \"grains\""));
    free(json);
}

/* A box to some tolerances: what is said to have come there has, both ways, and more digits take no fewer sweeps. */
TEST(exact)
{
    char *json = bench("stones-500 --exact --threads 1 --steps 3");
    double before = 0;
    for (int k = 0; k < 6; k++) { /* a box at rest, that both solve */
        char name[120];
        const double tolerance = (const double[]){1e-4, 1e-6, 1e-8}[k % 3];
        snprintf(name, sizeof name, "\"exact\": \"stones-500\", \"threads\": 1, \"method\": \"%s\", \"tolerance\": %.0e", k < 3 ? "nlgs" : "bodies", tolerance);
        within(json, name, "cold_s", 1e-6, 1e3);
        within(json, name, "then_s", 1e-6, 1e3);
        within(json, name, "cold_error", 0, tolerance);
        const double sweeps = number(json, name, "cold_iterations");
        CHECK(sweeps >= 1 && (k >= 3 || sweeps >= before));
        before = sweeps;
    }
    free(json);
}

/* At the default settings boxes meet the default tolerance in nearly all steps, disks and a few spheres also while a wall comes in, and stones where contacts
 * give. Of pushed stones chance decides: eleven boxes, which differ in how long they settled, by two versions had 88 to 100 % where contacts give (96 % in the
 * mean, standard deviation 4 %), and errors that 5 % of the steps exceed of 0.05 to 0.11 m/s where they do not. */
TEST(accuracy)
{
    static const struct {
        const char *box, *load;
        double least;
    } SHARE[] = {{"disks-1000", "at rest", 0.99},   {"disks-1000", "pushed", 0.98},  {"disks-1000", "gives", 0.98},
                 {"spheres-1000", "at rest", 0.98}, {"spheres-1000", "pushed", 0.9}, {"spheres-1000", "gives", 0.97},
                 {"stones-500", "at rest", 0.95},   {"stones-500", "pushed", 0},     {"stones-500", "gives", 0.85}};
    enum { SHARES = sizeof SHARE / sizeof *SHARE, STEPS = 60 };
    char *json = bench("disks-1000 spheres-1000 stones-500 --accuracy --threads 1 --steps 60");
    for (int k = 0; k < SHARES; k++) {
        char name[120];
        snprintf(name, sizeof name, "\"accuracy\": \"%s\", \"threads\": 1, \"load\": \"%s\"", SHARE[k].box, SHARE[k].load);
        within(json, name, "steps", STEPS, STEPS);
        within(json, name, "within", STEPS * SHARE[k].least, STEPS);
        within(json, name, "error_95", number(json, name, "error"), SHARE[k].least > 0 ? 0.1 : 0.2);
        within(json, name, "force_error", 1e-12, 2e-3);
        within(json, name, "force_error_95", number(json, name, "force_error"), 0.1);
        within(json, name, "sweeps", 1, 4000); /* 2000 by default; a step whose contacts turn out to be others is solved twice */
        within(json, name, "step_ms", 1e-3, 1e3);
    }
    CHECK(number(json, "\"accuracy\": \"spheres-1000\", \"threads\": 1, \"load\": \"pushed\"", "error") >
          number(json, "\"accuracy\": \"spheres-1000\", \"threads\": 1, \"load\": \"at rest\"", "error"));
    free(json);
}

/* At rest the impulses of the step before save most of the sweeps, and while a wall comes in, or all is shaken, a part of them. */
TEST(course)
{
    static const char *const LOAD[] = {"at rest", "pushed", "shaken"};
    char *json = bench("disks-1000 --course --threads 1 --steps 40");
    for (int k = 0; k < 3; k++)
        for (int t = 0; t < 2; t++) {
            char name[120];
            snprintf(name, sizeof name, "\"course\": \"disks-1000\", \"threads\": 1, \"load\": \"%s\", \"tolerance\": %s", LOAD[k], t ? "1e-06" : "1e-04");
            within(json, name, "steps", 40, 40);
            within(json, name, "within", t ? 0 : 36, 40);
            within(json, name, "none", 10, 5000);
            within(json, name, "carried", 1, (k == 0 ? 0.2 : 0.9) * number(json, name, "none"));
            within(json, name, "well", 10, 100000);
            within(json, name, "first", 0, k == 0 ? 0.2 * number(json, name, "none") : 5000);
            within(json, name, "after", 1, 5000);
        }
    free(json);
}

/* Beside a busy job everything is measured as without; it is said, and the job ends with the measurement. */
TEST(busy)
{
    char *json = bench("disks-1000 --busy --threads 2 --steps 20");
    within(json, "{\"busy\"", "busy", 1, 1);
    within(json, "{\"name\": \"disks-1000\"", "threads", 2, 2);
    within(json, "{\"name\": \"disks-1000\"", "step_ms", 1e-3, 1e3);
    free(json);
}

/* Vehicles by name, as far as they are asked for: their steps are counted as those of a scene are, and the longest is one of them. */
TEST(vehicles)
{
    char *json = bench("vehicle --until 0.03 --threads 1");
    static const char *const NAMES[] = {"{\"scene\": \"vehicle-bogie\"", "{\"scene\": \"vehicle-forest\"", "{\"scene\": \"vehicle-ditch\""};
    for (int i = 0; i < 3; i++) {
        within(json, NAMES[i], "steps", 3, 3);
        within(json, NAMES[i], "within", 0, 3);
        within(json, NAMES[i], "simulated_s", 0.03 - 1e-9, 0.03 + 1e-9);
        const double worst = number(json, NAMES[i], "worst_ms"), wall = number(json, NAMES[i], "wall_s"), at = number(json, NAMES[i], "worst_time");
        CHECK(worst >= number(json, NAMES[i], "median_ms") && worst <= 1e3 * wall * (1 + 1e-4) && 3 * worst >= 1e3 * wall * (1 - 1e-4));
        CHECK(at > 0.005 && at < 0.035);
    }
    free(json);
    json = bench("vehicle-forest --steps 1 --threads 1");
    within(json, NAMES[1], "steps", 1, 1);
    CHECK(!strstr(json, NAMES[0]));
    free(json);
}

/* A scene from a file: its steps are all counted, in classes and as real time. */
TEST(scene_file)
{
    char *json = bench("'" TALUS_SOURCE_DIR "/examples/pendulums/two.yaml' --until 0.05 --threads 1");
    const char *found = strstr(json, "\"steps\": "), *list = strstr(json, "\"histogram\": [");
    double simulated = 0;
    int steps = 0, all = 0;
    CHECK(found && sscanf(found, "\"steps\": %d", &steps) == 1 && steps > 0);
    found = strstr(json, "\"simulated_s\": ");
    CHECK(found && sscanf(found, "\"simulated_s\": %lf", &simulated) == 1);
    CHECK_NEAR(simulated, 0.05, 1e-9);
    for (const char *at = list ? strchr(list, '[') + 1 : NULL; at && (at = strchr(at, '[')); at++) {
        double low;
        int count = 0;
        CHECK(sscanf(at, "[%lf, %d]", &low, &count) == 2);
        all += count;
    }
    CHECK(all == steps);
    free(json);
    CHECK(WEXITSTATUS(system("'" TALUS_COMMAND "' bench nowhere.yaml >/dev/null 2>&1")) == 2);
}

static char *said(const char *arguments, int code)
{
    char command[1024];
    snprintf(command, sizeof command, "'%s' bench %s >bench-said.txt 2>&1", TALUS_COMMAND, arguments);
    const int got = WEXITSTATUS(system(command));
    if (got != code) TEST_FAIL("talus bench %s: code %d, not %d", arguments, got, code);
    char *text = slurp("bench-said.txt");
    unlink("bench-said.txt");
    return text;
}

/* A stone that falls, of 20 steps: two bodies stand in one another at the start, and a stage ends before its condition is met. */
TEST(scene_says)
{
    static const char *const NAME = "bench \"said\".yaml";
    FILE *file = fopen(NAME, "w");
    CHECK(file != NULL);
    if (!file) return;
    fputs("time: {end: 0.2 s, step: 10 ms}\nmaterials: {stone: {density: 2000 kg/m^3}}\nbodies:\n"
          "  a: {kind: free, material: stone, shapes: [{disk: {radius: 1 m}}]}\n"
          "  b: {kind: free, material: stone, position: [1.9 m, 0], shapes: [{disk: {radius: 1 m}}]}\n"
          "probes: {x: {body: a, quantity: x}}\nstages: {first: {until: {probe: x, above: 9 m, at_most: 0.1 s}}, second: {}}\n",
          file);
    fclose(file);
    char *text = said("'bench \"said\".yaml' --threads 1 --json bench-said.json", 0), *json = slurp("bench-said.json");
    CHECK(strstr(text, "overlap") != NULL);
    CHECK(strstr(text, "'first' was ended by its at_most") != NULL);
    CHECK(strstr(text, "below    0.25 ms") != NULL);
    CHECK(strstr(json, "[\n  {\"scene\": \"bench \\\"said\\\".yaml\", \"threads\": 1, \"steps\": 20, ") == json);
    CHECK(strstr(json, "\"histogram\": [[0, ") != NULL && strstr(json, ", [0.25, ") != NULL);
    free(text), free(json);
    text = said("'bench \"said\".yaml' --threads 1 --until 1e-9 --json bench-said.json", 0), json = slurp("bench-said.json");
    CHECK(strstr(text, "no step") != NULL && !strstr(text, "nan"));
    CHECK(strstr(json, "\"steps\": 0, ") != NULL && !strstr(json, "nan"));
    free(text), free(json);
    unlink("bench-said.json"), unlink(NAME);
}

/* Options that are no numbers, or would change nothing of what is named, are refused before anything is run. */
TEST(refused)
{
    static const char *const WRONG[][2] = {
        {"nowhere.yaml --until abc", "--until wants a positive time in seconds, not 'abc'"},
        {"nowhere.yaml --until -1", "--until wants a positive time in seconds, not '-1'"},
        {"nowhere.yaml --until 0", "--until wants a positive time"},
        {"nowhere.yaml --until inf", "--until wants a positive time"},
        {"nowhere.yaml --until '1 m'", "not '1 m'"},
        {"--until 1", "--until is for scenes and vehicles"},
        {"disks-1000 --until 1", "'disks-1000' is neither"},
        {"nowhere.yaml plate --until 1", "'plate' is neither"},
        {"vehicle disks-1000 --until 1", "'disks-1000' is neither"},
        {"vehicle-bogie --settle 3", "--settle is for boxes: 'vehicle-bogie' is a vehicle"},
        {"vehicle-bogie --exact", "--exact is for boxes: 'vehicle-bogie' is a vehicle"},
        {"plate-2100 --exact", "--exact is for boxes: 'plate-2100' is a plate"},
        {"plate-2100 --accuracy", "--accuracy is for boxes: 'plate-2100' is a plate"},
        {"plate-2100 --course", "--course is for boxes: 'plate-2100' is a plate"},
        {"vehicle-bogie --accuracy", "--accuracy is for boxes: 'vehicle-bogie' is a vehicle"},
        {"nowhere.yaml --accuracy", "--accuracy is not for scenes"},
        {"nowhere.yaml --exact", "--exact is not for scenes"},
        {"vehicle-forest --quick", "'vehicle-forest' is none of them"},
        {"vehicle-lorry", "there is no benchmark 'vehicle-lorry'"},
        {"vehicle-lorry", "vehicle-bogie, vehicle-forest"},
        {"nowhere.yaml --steps 3", "--steps is not for scenes: 'nowhere.yaml' is one"},
        {"nowhere.yaml --quick", "--quick is not for scenes"},
        {"disks-1000 nowhere.yaml --settle 3", "--settle is not for scenes"},
        {"plate-2100 --settle 3", "--settle is for boxes: 'plate-2100' is a plate"},
        {"disks-10000 --quick", "'disks-10000' is none of them"},
        {"plate-8000 --quick", "'plate-8000' is none of them"},
        {"nowhere.yaml", "cannot read 'nowhere.yaml'"}, /* bad input, as for every command */
        {"disks-1000 --steps 1e3", "--steps wants a number from 1 to 1000000, not '1e3'"},
        {"disks-1000 --settle 0", "--settle wants a number"},
        {"disks-1000 --threads two", "--threads wants a number from 1 to 64, not 'two'"},
        {"disks-1000 --threads 65", "--threads wants a number"},
        {"--scene spheres-1000 --steps 3", "--scene prints a box as a scene"},
        {"--scene spheres-1000 disks-1000", "--scene prints a box as a scene"},
        {"--scene spheres-1000 --exact", "--scene prints a box as a scene"},
        {"--scene spheres-1000 --accuracy", "--scene prints a box as a scene"},
        {"--scene spheres-1000 --course", "--scene prints a box as a scene"},
        {"$(for i in $(seq 17); do echo nowhere.yaml; done)", "17 scenes are too many for one run with one and two threads: at most 16"},
        {"$(for i in $(seq 33); do echo nowhere.yaml; done) --threads 1", "33 scenes are too many for one run: at most 32"},
    };
    for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++) {
        char *text = said(WRONG[i][0], 2);
        if (!strstr(text, WRONG[i][1])) TEST_FAIL("talus bench %s: %s", WRONG[i][0], text);
        free(text);
    }
}

/* What the bench settles is a scene that anyone can run; nonsense is refused. */
TEST(scene)
{
    CHECK(system("'" TALUS_COMMAND "' bench --scene stones-500 >bench-scene.yaml && '" TALUS_COMMAND "' check bench-scene.yaml >/dev/null") == 0);
    unlink("bench-scene.yaml");
    CHECK(system("'" TALUS_COMMAND "' bench --scene soil-8x8x4 >bench-scene.yaml && '" TALUS_COMMAND "' check bench-scene.yaml >/dev/null") == 0);
    unlink("bench-scene.yaml");
    CHECK(WEXITSTATUS(system("'" TALUS_COMMAND "' bench --scene disks-1000 2>/dev/null")) == 2);
    CHECK(WEXITSTATUS(system("'" TALUS_COMMAND "' bench pebbles-7 2>/dev/null")) == 2);
}

int main(int argc, char **argv)
{
    RUN(smallest);
    RUN(growth);
    RUN(growth_on_soil);
    RUN(growth_of_plates);
    RUN(exact);
    RUN(accuracy);
    RUN(course);
    RUN(busy);
    RUN(vehicles);
    RUN(scene_file);
    RUN(scene_says);
    RUN(refused);
    RUN(scene);
    return TEST_RESULT;
}
