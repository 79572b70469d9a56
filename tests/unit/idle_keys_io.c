/* Keys that say nothing beside the word of another key, or beside another key, are mistakes: each with its place and what it goes with. Where a scene overrides
 * the word of one that it includes, the keys of the old word go. */
#include "lab.h"

typedef struct idle {
    const char *text, *said; /* of a scene on one line after the head */
} idle;

static const char *const HEAD[2] = {"dimension: 2\ntime: {end: 1 s, step: 1 ms}\nmaterials: {m: {density: 1000}}\n",
                                    "dimension: 3\ntime: {end: 1 s, step: 1 ms}\nmaterials: {m: {density: 1000}}\n"};

static void expect(int dimension, const idle *list, int count)
{
    for (int i = 0; i < count; i++) {
        char text[2000];
        snprintf(text, sizeof text, "%s%s\n", HEAD[dimension - 2], list[i].text);
        talus_scene *scene;
        talus_world *world = NULL;
        if (try_lab(text, &scene) == TALUS_OK) (void)!talus_scene_build(scene, 1, &world);
        const int mistakes = talus_scene_mistake_count(scene);
        const char *said = mistakes > 0 ? talus_scene_mistake(scene, 0) : "nothing";
        if (mistakes != (list[i].said != NULL) || (list[i].said && (!strstr(said, list[i].said) || !strstr(said, ":4:"))))
            TEST_FAIL("dimension %d, scene %d: %d mistakes, the first: %s", dimension, i, mistakes, said);
        talus_world_destroy(world);
        talus_scene_destroy(scene);
    }
}

#define G2(keys) "grains: {g: {material: m, " keys "}}"

TEST(generators)
{
    static const idle PLANE[] = {
        {G2("generator: drop, region: [[0, 0], [1, 1]], count: 5, radius: 0.05"), NULL},
        {G2("generator: drop, region: [[0, 0], [1, 1]], count: 5, radius: 0.05, mass: 1 kg"),
         "'mass' says nothing where 'generator' is 'drop'; it goes with 'generator: fill'"},
        {G2("generator: drop, region: [[0, 0], [1, 1]], count: 5, radius: 0.05, inside: [{disk: {radius: 0.1}}]"), "'inside' says nothing"},
        {G2("generator: drop, region: [[0, 0], [1, 1]], count: 5, radius: 0.05, rate: 3 Hz"), "'rate' says nothing"},
        {G2("generator: list, positions: [[0, 0]], radius: 0.05, count: 7"), "'count' says nothing where 'generator' is 'list'"},
        {G2("generator: list, positions: [[0, 0]], radius: 0.05, spacing: 1"), "'spacing' says nothing"},
        {G2("generator: lattice, rows: 2, columns: 2, spacing: 1, radius: 0.1, region: [[0, 0], [1, 1]]"), "'region' says nothing"},
        {G2("generator: lattice, rows: 2, columns: 2, spacing: 1, radius: 0.1, from: out"), "'from' says nothing"},
        {G2("generator: settled, from: out, radius: 0.1"), "'radius' says nothing where 'generator' is 'settled'"},
        {G2("generator: list, positions: [[0, 0]], radius: 0.05, grading: {sizes: [0.02, 0.03], passing: [0, 1]}"),
         "'grading' stands instead of 'radius': only one of them can be"},
        {G2("generator: list, positions: [[0, 0]], radius: 0.05, sides: 6"), "'sides' is of polygons; the shape here is 'disk'"},
        {G2("generator: list, positions: [[0, 0]], radius: 0.05, shape: polygon, sides: 6"), NULL},
    };
    static const idle SPACE[] = {
        {G2("generator: list, positions: [[0, 0, 0]], radius: 0.05, corners: 12"), "'corners' is of stones; the shape here is 'sphere'"},
        {G2("generator: list, positions: [[0, 0, 0]], radius: 0.05, shape: coin, angularity: 0.3"),
         "'angularity' says nothing where 'shape' is 'coin'; it goes with 'shape: stone'"},
        {G2("generator: list, positions: [[0, 0, 0]], radius: 0.05, shape: stone, rounding: 0.3"),
         "'rounding' says nothing where 'shape' is 'stone'; it goes with 'shape: coin'"},
        {G2("generator: list, positions: [[0, 0, 0]], radius: 0.05, shape: sphere, flatness: [0.5, 1]"),
         "'flatness' says nothing where 'shape' is 'sphere'; it goes with 'shape: stone ellipsoid coin'"},
        {G2("generator: list, positions: [[0, 0, 0]], shape: stone, radius: 0.05, sieve: EN13450-31.5/50"), "'sieve' stands instead of 'radius'"},
        {G2("generator: list, positions: [[0, 0, 0]], shape: stone, radius: 0.05, corners: 12, angularity: 0.3, flatness: [0.5, 1]"), NULL},
        {G2("generator: fill, region: [[0, 0, 0], [1, 1, 1]], count: 2, radius: 0.1, corners: 12, mixture: [{share: 1}, {share: 1, shape: stone}]"), NULL},
        {G2("generator: fill, region: [[0, 0, 0], [1, 1, 1]], count: 2, radius: 0.1, mixture: [{share: 1}, {share: 1, corners: 12}]"),
         "'corners' is of stones"},
    };
    expect(2, PLANE, sizeof PLANE / sizeof *PLANE);
    expect(3, SPACE, sizeof SPACE / sizeof *SPACE);
}

#define B(keys)       "bodies: {b: {material: m, " keys "}}"
#define S(size, keys) "solids: {s: {box: {size: " size ", elements: 2}, material: {density: 2000, young: 1 MPa, poisson: 0.3}, fixed: bottom, " keys "}}"

TEST(bodies_and_solids)
{
    static const idle PLANE[] = {
        {B("velocity: [1, 0], shapes: [{disk: {radius: 1}}]"), NULL},
        {B("kind: free, velocity: [1, 0], shapes: [{disk: {radius: 1}}]"), NULL},
        {B("kind: fixed, velocity: [1, 0], shapes: [{disk: {radius: 1}}]"), "'velocity' says nothing where 'kind' is 'fixed'; it goes with 'kind: free'"},
        {B("kind: imposed, angular_velocity: 1 rad/s, shapes: [{disk: {radius: 1}}]"), "'angular_velocity' says nothing"},
        {S("[1, 1]", "velocity: [1, 0]"), NULL},
        {S("[1, 1]", "start: settled, velocity: [1, 0]"), "'velocity' says nothing where 'start' is 'settled'"},
        {S("[1, 1]", "meshfree: {}, strain: auto, mass: lumped"), NULL},
        {S("[1, 1]", "meshfree: {}, strain: plain"), "'strain: plain' is of finite elements"},
    };
    static const idle SPACE[] = {
        {B("kind: fixed, spin: [1, 0, 0], shapes: [{sphere: {radius: 1}}]"), "'spin' says nothing"},
        {S("[1, 1, 1]", "meshfree: {}, mass: consistent"), "'mass: consistent' is of finite elements"},
    };
    expect(2, PLANE, sizeof PLANE / sizeof *PLANE);
    expect(3, SPACE, sizeof SPACE / sizeof *SPACE);
}

TEST(across_the_plane)
{
    static const idle PLANE[] = {{"probes: {p: {stress: all, quantity: zz, region: [[0, 0], [1, 1]]}}", "in the plane only the stress of solids has a 'zz'"},
                                 {"probes: {p: {stress: all, quantity: yy, region: [[0, 0], [1, 1]]}}", NULL}};
    static const idle SPACE[] = {{"probes: {p: {stress: all, quantity: zz, region: [[0, 0, 0], [1, 1, 1]]}}", NULL}};
    expect(2, PLANE, 2);
    expect(3, SPACE, 1);
}

/* Of an included scene; keys that this one adds to what it includes are its own, and so are settings. */
TEST(overridden)
{
    static const char *const SETTING[] = {NULL, NULL, "grains.g.rate=5 Hz", "grains.g.grading={sizes: [0.02, 0.03], passing: [0, 1]}",
                                          "grains.g.shape=polygon"};
    char included[] = "included-XXXXXX", text[1000];
    const int file = mkstemp(included);
    FILE *out = file < 0 ? NULL : fdopen(file, "w");
    CHECK(out);
    fprintf(out, "%sgrains: {g: {material: m, generator: source, region: [[0, 0], [1, 1]], count: 5, radius: 0.05, rate: 3 Hz}}\n", HEAD[0]);
    fclose(out);
    for (int k = 0; k < 5; k++) {
        char path[] = "lab-XXXXXX";
        talus_scene *scene;
        snprintf(text, sizeof text, "include: %s\ngrains: {g: {generator: drop%s}}\n", included, k == 1 ? ", mass: 1 kg" : k == 4 ? ", shape: cluster" : "");
        const int again = mkstemp(path);
        if (again < 0 || write(again, text, strlen(text)) != (ssize_t)strlen(text)) abort();
        close(again);
        (void)!talus_scene_load(path, &SETTING[k], k >= 2, &scene);
        unlink(path);
        CHECK(talus_scene_mistake_count(scene) == (k == 1 || k == 2));
        if (k == 0) CHECK(!strstr(talus_scene_text(scene), "rate")); /* what is resumed is the scene without it */
        if (k == 3) CHECK(!strstr(talus_scene_text(scene), "radius"));
        if (k == 1 || k == 2) CHECK(strstr(talus_scene_mistake(scene, 0), k == 1 ? "'mass' says nothing" : "'rate' says nothing"));
        talus_scene_destroy(scene);
    }
    unlink(included);
}

/* What an included file adds to one that it includes itself is its own mistake. */
TEST(nested)
{
    char name[2][20] = {"inner-XXXXXX", "outer-XXXXXX"}, path[] = "lab-XXXXXX", text[1000];
    talus_scene *scene;
    for (int k = 0; k < 3; k++) {
        char *to = k < 2 ? name[k] : path;
        const int file = mkstemp(to);
        if (k == 0) snprintf(text, sizeof text, "%sgrains: {g: {material: m, generator: drop, region: [[0, 0], [1, 1]], count: 5, radius: 0.05}}\n", HEAD[0]);
        else if (k == 1) snprintf(text, sizeof text, "include: %s\ngrains: {g: {mass: 1 kg}}\n", name[0]);
        else snprintf(text, sizeof text, "include: %s\n", name[1]);
        if (file < 0 || write(file, text, strlen(text)) != (ssize_t)strlen(text)) abort();
        close(file);
    }
    (void)!talus_scene_load(path, NULL, 0, &scene);
    CHECK(talus_scene_mistake_count(scene) == 1 && strstr(talus_scene_mistake(scene, 0), "'mass' says nothing where 'generator' is 'drop'"));
    talus_scene_destroy(scene);
    unlink(name[0]), unlink(name[1]), unlink(path);
}

/* NAME.1, NAME.2 … are grains and repeated bodies: another thing of that name would hide one of them from probes. */
TEST(numbered_names)
{
    static const idle BOTH[] = {
        {"bodies: {g.2: {kind: fixed}, b: {repeat: {count: 2, step: [1, 0]}, mass: 1, inertia: 1}, c.2: {kind: fixed}, g.x: {kind: fixed}}", NULL},
        {"grains: {g: {generator: list, positions: [[0, 0]], radius: 0.05, material: m}}\nbodies: {g.2: {kind: fixed}}", NULL},
    };
    char said[400] = "";
    for (int i = 0; i < 2; i++) {
        char text[1000];
        talus_scene *scene;
        snprintf(text, sizeof text, "%s%s\n%s", HEAD[0], BOTH[i].text,
                 i == 0 ? "grains: {b: {generator: list, positions: [[0, 0]], radius: 0.05, material: m}}\n" : "");
        (void)!try_lab(text, &scene);
        for (int k = 0; k < talus_scene_mistake_count(scene); k++)
            snprintf(said + strlen(said), sizeof said - strlen(said), "%s\n", talus_scene_mistake(scene, k));
        talus_scene_destroy(scene);
    }
    if (!strstr(said, "'g.2' is one of 'g', which are numbered") || strstr(said, "c.2") || strstr(said, "g.x")) TEST_FAIL("%s", said);
}

int main(int argc, char **argv)
{
    RUN(generators);
    RUN(bodies_and_solids);
    RUN(across_the_plane);
    RUN(overridden);
    RUN(nested);
    RUN(numbered_names);
    return TEST_RESULT;
}
