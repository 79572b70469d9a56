/* Paths of settings (talus run --set PATH=VALUE) reach what a scene has: keys, entries of lists, bodies and parameters whose names have dots. */
#include "lab.h"

static double mass_of(const char *setting, char said[500])
{
    static const char *const TEXT = "time: {end: 1 s, step: 1 ms}\n"
                                    "parameters: {load: {big: 2 kg, small.light: 3 kg}, load.one: 5 kg, x: 7 kg}\n"
                                    "bodies:\n"
                                    "  a.b: {mass: load.big, inertia: 1 kg m^2}\n"
                                    "  c: {mass: load.small.light, inertia: 1 kg m^2}\n"
                                    "  d: {mass: load.one + x, inertia: 1 kg m^2}\n";
    char path[] = "lab-XXXXXX";
    const int file = mkstemp(path);
    talus_scene *scene;
    talus_world *world = NULL;
    double mass = 0;
    if (file < 0 || write(file, TEXT, strlen(TEXT)) != (ssize_t)strlen(TEXT)) abort();
    close(file);
    if (talus_scene_load(path, &setting, setting != NULL, &scene) == TALUS_OK) (void)!talus_scene_build(scene, 1, &world);
    unlink(path);
    snprintf(said, 500, "%s", talus_scene_mistake_count(scene) > 0 ? talus_scene_mistake(scene, 0) : "");
    for (int i = 0; world && i < talus_body_count(world); i++) mass += talus_body_mass(world, talus_body_at(world, i));
    talus_world_destroy(world);
    talus_scene_destroy(scene);
    return mass;
}

TEST(names_with_dots)
{
    static const struct {
        const char *setting;
        double mass; /* of all bodies; 0: it is a mistake */
    } CASE[] = {{NULL, 17},     {"load.big=1 kg", 16},         {"load.small.light=1 kg", 15}, {"load.one=1 kg", 13},
                {"x=1 kg", 11}, {"bodies.a.b.mass=20 kg", 35}, {"bodies.c.mass=10 kg", 24},   {"load.none=1 kg", 0},
                {"y=1", 0},     {"parameters.x=1 kg", 11},     {"parameters.y=1", 0},         {"parameters.load.none=1 kg", 0}};
    for (size_t i = 0; i < sizeof CASE / sizeof *CASE; i++) {
        char said[500];
        const double mass = mass_of(CASE[i].setting, said);
        if (fabs(mass - CASE[i].mass) > 1e-12)
            TEST_FAIL("%s: bodies of %g kg, expected %g; %s", CASE[i].setting ? CASE[i].setting : "none", mass, CASE[i].mass, said);
        const bool prefixed = CASE[i].setting && strncmp(CASE[i].setting, "parameters.", 11) == 0;
        if (CASE[i].mass == 0) CHECK(strstr(said, prefixed ? "none of the scene's parameters" : "neither a key of the scene nor one of its parameters"));
    }
}

int main(int argc, char **argv)
{
    RUN(names_with_dots);
    return TEST_RESULT;
}
