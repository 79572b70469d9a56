/* What dry friction or a drive holds in a joint stays where it is on a carrier that turns freely. Rows within the step, without how they turn in it, would let it
 * slide out by ½ h ω² r, 50 mm/s here, whatever the friction. */
#include "lab.h"

static const double OMEGA = 10, STEP = 1e-3, SPAN = 0.5;

/* An arm of 10 kg turns with 10 rad/s about z; what it carries in a joint at 1 m has a moment of inertia small beside its own. */
#define PLANE                                                                                                                                                  \
    "time: {end: 2 s, step: %g s}\ngravity: [0, 0]\nintegrator: {scheme: %s}\nbodies:\n"                                                                       \
    "  arm: {mass: 10 kg, inertia: 20 kg m^2, centre_of_mass: [0, 0], angular_velocity: 10 rad/s}\n"                                                           \
    "  b: {mass: 1 kg, inertia: 0.01 kg m^2, centre_of_mass: [0, 0], position: [1, 0.1], velocity: [-1, 10], angular_velocity: 10 rad/s}\n"                    \
    "joints:\n  pin: {type: revolute, bodies: [ground, arm], at: [0, 0]}\n  j: {type: %s, bodies: [arm, b], at: [1, 0], axis: [1, 0.2]%s}\n"                   \
    "probes: {x: {body_joint: j.%s}, v: {body_joint: j.%s, quantity: velocity}, E: {energy: kinetic}}\n"

#define SPACE                                                                                                                                                  \
    "dimension: 3\ntime: {end: 2 s, step: %g s}\ngravity: [0, 0, 0]\nintegrator: {scheme: %s}\nbodies:\n"                                                      \
    "  arm: {mass: 10 kg, inertia_tensor: [20, 20, 20], centre_of_mass: [0, 0, 0], spin: [0, 0, 10]}\n"                                                        \
    "  b: {mass: 1 kg, inertia_tensor: [0.01, 0.01, 0.01], centre_of_mass: [0, 0, 0], position: [1, 0.1, 0.1], velocity: [-1, 10, 0], spin: [0, 0, 10]}\n"     \
    "joints:\n  pin: {type: revolute, bodies: [ground, arm], at: [0, 0, 0]}\n  j: {type: %s, bodies: [arm, b], at: [1, 0, 0], axis: [1, 0.2, 0]%s}\n"          \
    "probes: {x: {body_joint: j.%s}, v: {body_joint: j.%s, quantity: velocity}, E: {energy: kinetic}}\n"

typedef struct held {
    const char *type, *laws, *coordinate;
    bool space;
} held;

static const held HELD[] = {
    {"prismatic", ", slide: {friction: 1000 N}", "slide", false},
    {"prismatic", ", slide: {speed: 0 m/s}", "slide", false},
    {"prismatic", ", slide: {speed: 0 m/s, force: 1000 N}", "slide", false},
    {"prismatic", ", slide: {position: 0 m}", "slide", false},
    {"prismatic", ", slide: {position: 0 m, force: 1000 N}", "slide", false},
    {"slot", ", slide: {friction: 1000 N}", "slide", false},
    {"prismatic", ", slide: {friction: 1000 N}", "slide", true},
    {"prismatic", ", slide: {speed: 0 m/s}", "slide", true},
    {"prismatic", ", slide: {speed: 0 m/s, force: 1000 N}", "slide", true},
    {"prismatic", ", slide: {position: 0 m}", "slide", true},
    {"prismatic", ", slide: {position: 0 m, force: 1000 N}", "slide", true},
    {"cylindrical", ", slide: {friction: 1000 N}, angle: {friction: 1000 N m}", "slide", true},
    {"cylindrical", ", slide: {speed: 0 m/s}, angle: {speed: 0 rad/s}", "slide", true},
    {"slot", ", slide: {friction: 1000 N}", "slide", true},
    {"universal", ", axis2: [0, 0, 1], first: {friction: 1000 N m}, second: {friction: 1000 N m}", "first", true},
    {"universal", ", axis2: [0, 0, 1], first: {friction: 1000 N m}, second: {friction: 1000 N m}", "second", true},
    {"planar", ", axis2: [0, 0, 1], slide_1: {friction: 1000 N}, slide_2: {friction: 1000 N}, angle: {friction: 1000 N m}", "slide_2", true},
};

typedef struct outcome {
    double slid, gained, rate; /* farthest it has been from where it began; change of the energy, as a share; rate at the end */
} outcome;

static outcome carry(const held *of, const char *scheme, double step)
{
    char text[2048];
    const char *const format = of->space ? SPACE : PLANE;
    snprintf(text, sizeof text, format, step, scheme, of->type, of->laws, of->coordinate, of->coordinate); // NOLINT: one of the two above
    lab l = open_lab(text, 1);
    const double before = lab_probe(&l, "E");
    outcome out = {0, 0, 0};
    while (talus_world_time(l.world) < SPAN) {
        lab_step(&l);
        out.slid = fmax(out.slid, fabs(lab_probe(&l, "x")));
    }
    out.gained = fabs(lab_probe(&l, "E") / before - 1), out.rate = fabs(lab_probe(&l, "v"));
    close_lab(&l);
    return out;
}

/* What is left is of second order in the angle by which the arm turns in a step. */
static void stays(const held *of, const char *scheme)
{
    const double angle = OMEGA * STEP, far = 4 * angle * angle * OMEGA * SPAN; /* of an arm of 1 m; the fault: ½ angle Ω SPAN */
    const outcome fine = carry(of, scheme, STEP), coarse = carry(of, scheme, 2 * STEP);
    if (!(fine.slid < far && (coarse.slid < 0.1 * far || coarse.slid > 3 * fine.slid)))
        TEST_FAIL("%s%s in %s, %s: %g m, %g m in steps twice as long", of->type, of->laws, of->space ? "space" : "the plane", scheme, fine.slid, coarse.slid);
}

TEST(what_is_held_stays)
{
    for (size_t i = 0; i < sizeof HELD / sizeof *HELD; i++) {
        stays(&HELD[i], "moreau");
        stays(&HELD[i], "spook");
        stays(&HELD[i], "generalized_alpha");
    }
}

/* Friction and a drive that stands do no work, and both ends of the joint go on alike. */
TEST(what_holds_does_no_work)
{
    const double off = 4 * OMEGA * OMEGA * STEP * STEP;
    for (size_t i = 0; i < sizeof HELD / sizeof *HELD; i++) {
        const outcome o = carry(&HELD[i], "moreau", STEP);
        if (!(o.gained < off && o.rate < off * OMEGA))
            TEST_FAIL("%s%s in %s: energy off by %g, rate %g", HELD[i].type, HELD[i].laws, HELD[i].space ? "space" : "the plane", o.gained, o.rate);
    }
}

int main(int argc, char **argv)
{
    RUN(what_is_held_stays);
    RUN(what_holds_does_no_work);
    return TEST_RESULT;
}
