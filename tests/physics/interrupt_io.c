/* Steps that are interrupted (talus/control.h): wherever in a step it is asked whether to go on, it may end there, and has not happened: the state is that
 * before, and a run whose steps are interrupted over and over comes to the bits of one that nobody disturbed. Grains, joints between bodies, a mechanism with a
 * loop, dry friction and a state of its own, solids that flow, of elements and of particles; in all schemes, in the plane and in space. */
#include "solid_text.h"

/* Balls fall on a block of soil, which stands beside a slider-crank with a drive that a servo leads. */
static void write_scene(char text[ROOM], int dimension, const char *scheme, const char *kind, bool soft)
{
    const bool flat = dimension == 2, smooth = strcmp(scheme, "moreau") != 0;
    text[0] = '\0';
    put(text, "dimension: %d\ngravity: %s\ntime: {end: 1 s, step: 2 ms}\nintegrator: {scheme: %s}\n", dimension, flat ? "[0, -10]" : "[0, 0, -10]", scheme);
    put(text, "materials: {stone: {density: 2000}}\ninteractions: [{friction: 0.5, restitution: 0.2}]\nbodies:\n");
    for (int i = 0; i < 6; i++)
        put(text, "  b%d: {position: [%g, %s%g], material: stone, shapes: [{%s: {radius: 0.05}}]}\n", i, 0.05 + 0.11 * (i % 3) + 0.01 * i, flat ? "" : "0.12, ",
            i < 3 ? 0.36 : 0.48, flat ? "disk" : "sphere");
    if (!smooth) put(text, "joints: {j: {type: %s, bodies: [b0, b1], at: [0.1, %s0.36]}}\n", flat ? "revolute" : "spherical", flat ? "" : "0.12, ");
    put(text, "solids:\n  s:\n    box: {size: %s, elements: %s, at: %s}\n    fixed: bottom\n    contact: {surface: top, material: stone}\n%s",
        flat ? "[0.4, 0.2]" : "[0.4, 0.2, 0.2]", flat ? "[4, 2]" : "[4, 2, 2]", flat ? "[0.2, 0.3]" : "[0.2, 0.12, 0.3]", kind);
    put(text, "    material: {kind: drucker-prager, density: 1500, young: %s, poisson: 0.3, cohesion: 500 Pa, friction: 30 deg, tension: 300 Pa}\n",
        soft ? "1 MPa" : "4 MPa");
    put(text, "mechanisms:\n  m:\n    bodies: {crank: {mass: 1, inertia: %s}, rod: {mass: 1, inertia: %s}, slider: {mass: 2, inertia: %s}}\n",
        flat ? "0.01" : "[0.01, 0.01, 0.01]", flat ? "0.04" : "[0.04, 0.04, 0.04]", flat ? "0.01" : "[0.01, 0.01, 0.01]");
    put(text,
        "    joints:\n      c: {type: revolute, parent: ground, child: crank, at: %s}\n      r: {type: revolute, parent: crank, child: rod, at: %s, position: "
        "-0.3}\n"
        "      s: {type: prismatic, parent: ground, child: slider, at: %s, axis: %s, position: 0.5}\n",
        flat ? "[-1, 0]" : "[-1, 0, 0]", flat ? "[0.1, 0]" : "[0.1, 0, 0]", flat ? "[-1, 0]" : "[-1, 0, 0]", flat ? "[1, 0]" : "[1, 0, 0]");
    put(text, "    loops: {l: {type: point, bodies: [rod, slider], at: %s}}\n", flat ? "[[0.4, 0], [0, 0]]" : "[[0.4, 0, 0], [0, 0, 0]]");
    put(text,
        "    couplings: {f: {joints: [s], friction: 3}}\n%s"
        "    forces: {m: {joint: c, law: \"%s - 0.3 N m s/rad*v\"}}\n",
        strcmp(scheme, "generalized_alpha") == 0 ? "" : "    states: {e: {unit: rad, rate: 20 rad/s - v.c}}\n",
        strcmp(scheme, "generalized_alpha") == 0 ? "4 N m" : "2 N m/rad*state.e");
}

typedef struct disturber {
    int calls, from; /* from that call on the step is to end */
} disturber;

static bool asked(void *user)
{
    disturber *d = user;
    return ++d->calls >= d->from;
}

/* Each step is ended at its first question, at its second, …: at all of the first steps, at some of the others. */
static int run_disturbed(const lab *l, int steps)
{
    int ended = 0;
    for (int n = 0; n < steps; n++) {
        const uint64_t before = talus_world_hash(l->world);
        for (int from = 1;; from += n < 4 ? 1 : 1 + from) {
            disturber d = {0, from};
            talus_world_set_interrupt(l->world, &(talus_interrupt){asked, &d});
            const talus_status status = talus_world_step(l->world, NULL);
            CHECK(d.calls >= from ? status == TALUS_INTERRUPTED : status == TALUS_OK);
            if (status != TALUS_INTERRUPTED) break;
            ended++;
            CHECK(strstr(talus_world_error(l->world), "interrupted") != NULL);
            if (talus_world_hash(l->world) != before) TEST_FAIL("step %d, question %d: the state has changed", n, from);
        }
    }
    talus_world_set_interrupt(l->world, NULL);
    return ended;
}

TEST(nothing_has_happened)
{
    static const char *const SCHEME[] = {"moreau", "spook", "generalized_alpha"}, *const KIND[] = {"", "    meshfree: {}\n"};
    enum { STEPS = 30 };
    for (int dimension = 2; dimension <= 3; dimension++)
        for (int scheme = 0; scheme < 3; scheme++)
            for (int kind = 0; kind < 2; kind++) {
                if (dimension == 3 && kind != scheme % 2) continue; /* of both, which take long, one */
                char text[ROOM];
                write_scene(text, dimension, SCHEME[scheme], KIND[kind], kind == 1);
                lab quiet = open_lab(text, 1), other = open_lab(text, 1);
                const int ended = run_disturbed(&other, STEPS);
                int touched = 0;
                for (int n = 0; n < STEPS; n++) {
                    lab_step(&quiet);
                    touched += talus_contact_count(quiet.world) > 0;
                }
                CHECK(ended > 3 * STEPS && touched > 3);
                if (talus_world_hash(quiet.world) != talus_world_hash(other.world)) TEST_FAIL("%s in %d dimensions: other bits", SCHEME[scheme], dimension);
                close_lab(&quiet);
                close_lab(&other);
            }
}

int main(int argc, char **argv)
{
    RUN(nothing_has_happened);
    return TEST_RESULT;
}
