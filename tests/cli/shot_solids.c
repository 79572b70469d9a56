/* Pictures of finite-element solids, of a run whose displacements and stresses are known (tests/solids/make_solids.c): what hides what, colours by stress
 * where it is uniform, and by how soil has yielded, displacements drawn larger, what a cut shows. */
#include "shot.h"

/* The share that a stretched block has of twice its own von Mises stress is a half: the middle of the scale. */
static const pixel MIDDLE = {0.290, 0.651, 0.604};

/* Of the stretched blocks at the end, by G of make_solids.c: von Mises of a linear elastic material sees the deviator of strain only. */
static double equivalent(void)
{
    static const double G[3][3] = {{0.02, 0.01, 0}, {0.03, -0.01, 0.02}, {-0.01, 0.005, 0.015}};
    const double shear = 20e6 / (2 * 1.3), mean = (G[0][0] + G[1][1] + G[2][2]) / 3;
    double sum = 0;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            const double e = 0.5 * (G[i][k] + G[k][i]) - (i == k ? mean : 0);
            sum += 4 * shear * shear * e * e;
        }
    return sqrt(1.5 * sum);
}

/* A picture from the front: x to the right, z up. Where x = from … to lie is found in it by a row of pixels. */
typedef struct front {
    image i;
    double left, scale, bottom;
} front;

static front look_from_front(const char *run, const char *options, double from, double to)
{
    char command[512];
    front f;
    snprintf(command, sizeof command, "shot %s --view -90,0 --no-forces %s -o front.png", run, options);
    talus(command, NULL, 0);
    f.i = open_image("front.png");
    int low = f.i.width, high = -1, bottom = 0;
    for (int y = 0; y < f.i.height - 60; y++) /* not the strip below, and not the axes */
        for (int x = y < f.i.height - 180 ? 0 : 120; x < f.i.width; x++)
            if (!is_paper(pixel_at(&f.i, x, y))) low = x < low ? x : low, high = x > high ? x : high, bottom = y;
    f.scale = (high + 1 - low) / (to - from), f.left = low - f.scale * from, f.bottom = bottom + 1;
    return f;
}

static pixel at(const front *f, double x, double z) { return pixel_at(&f->i, f->left + f->scale * x, f->bottom - f->scale * z); }
static bool is_soil(pixel p) { return !is_paper(p) && p.r > 1.2 * p.b && p.r < 1.35 * p.b; }
static bool is_ball(pixel p) { return !is_paper(p) && p.r > 1.01 * p.b && p.r < 1.17 * p.b; }

static bool is_middle(pixel p)
{
    const double sum = p.r + p.g + p.b, all = MIDDLE.r + MIDDLE.g + MIDDLE.b;
    return fabs(p.r / sum - MIDDLE.r / all) < 0.015 && fabs(p.g / sum - MIDDLE.g / all) < 0.015;
}

/* The balls are at x = 0.30 before and x = 0 behind the soil, which ends at x = 0; the block farthest right ends at 0.48 (1 + 0.02) + 0.24 · 0.01 m. */
TEST(depth)
{
    front f = look_from_front("solids", "", -0.03, 0.492);
    CHECK(is_soil(at(&f, 0.16, 0.06)));
    CHECK(is_ball(at(&f, 0.285, 0.105)) && is_ball(at(&f, 0.315, 0.105)));
    CHECK(is_ball(at(&f, -0.015, 0.12)) && is_soil(at(&f, 0.012, 0.12)));
    close_image(&f.i);
    f = look_from_front("solids", "--hide soil", -0.03, 0.492);
    CHECK(is_ball(at(&f, 0.012, 0.12)) && is_paper(at(&f, 0.16, 0.06)));
    close_image(&f.i);
}

/* Faces and what a cut through them shows have the colour of the stress; light does not change what a colour is. */
TEST(colour_by_stress)
{
    char options[256];
    snprintf(options, sizeof options, "--colour von-mises --limits 0:%.9g", 2 * equivalent());
    for (int cut = 0; cut < 2; cut++) {
        if (cut) strcat(options, " --cut y=0.22");
        front f = look_from_front("solids", options, -0.03, 0.492);
        for (double x = 0.412; x < 0.475; x += 0.0137)
            for (double z = 0.011; z < 0.07; z += 0.0137)
                if (!is_middle(at(&f, x, z)))
                    TEST_FAIL("%s: at %g, %g the colour is %g %g %g", cut ? "cut" : "whole", x, z, at(&f, x, z).r, at(&f, x, z).g, at(&f, x, z).b);
        close_image(&f.i);
    }
}

/* Under the stamp, which has gone down by 6 mm, of the soil cut in its middle. Its foot, 0.3 m wide, is held. */
TEST(deformed)
{
    static const double TIMES[3] = {0, 1, 4};
    for (int k = 0; k < 3; k++) {
        char options[256];
        snprintf(options, sizeof options, "--hide near,grains,wedges,tetrahedra,simplices --cut y=0.12 --deform %g", TIMES[k]);
        front f = look_from_front("solids", options, 0, 0.3);
        int low = f.i.width, high = -1;
        for (int x = 0; x < f.i.width; x++)
            if (!is_paper(pixel_at(&f.i, x, f.bottom - 3))) low = x < low ? x : low, high = x > high ? x : high;
        f.scale = (high + 1 - low) / 0.3, f.left = low;
        const double top = 0.15 - 0.006 * TIMES[k], rim = 2.5 / f.scale;
        const pixel above = at(&f, 0.16, top + rim), below = at(&f, 0.16, top - rim); /* the cut looks away from the light, the hollow behind it does not */
        CHECK(is_soil(below) && above.r > below.r + 0.05);
        close_image(&f.i);
    }
}

/* Soil that is pressed until its cap is at 400 kPa, as the scene says, and has the plastic strain W (1 - exp(-D (κ - κ₀)))/√3; beside it what is elastic has
 * the colour of 0. So have solids of a run that does not say how they have yielded. */
TEST(yielded)
{
    static const char *const COLOUR[2] = {"cap", "plastic-strain"};
    static const pixel NONE = {0.957, 0.925, 0.820};
    const double reached[2] = {400e3, 0.2 * (1 - exp(-0.2)) / sqrt(3)};
    talus("run '" TALUS_SOURCE_DIR "/tests/solids/pressed.yaml' -o pressed --quiet", NULL, 0);
    for (int k = 0; k < 2; k++) {
        char options[256];
        snprintf(options, sizeof options, "--colour %s --limits 0:%.9g", COLOUR[k], 2 * reached[k]);
        front f = look_from_front("pressed", options, -0.4913, 2);
        const pixel pad = at(&f, 1.3, 0.4), soil = at(&f, 0.2, 0.4);
        if (!is_middle(soil)) TEST_FAIL("%s: the soil is %g %g %g", COLOUR[k], soil.r, soil.g, soil.b);
        if (fabs(pad.r / pad.b - NONE.r / NONE.b) > 0.03 || fabs(pad.g / pad.b - NONE.g / NONE.b) > 0.03)
            TEST_FAIL("%s: the pad is %g %g %g", COLOUR[k], pad.r, pad.g, pad.b);
        close_image(&f.i);
        f = look_from_front("solids", options, -0.03, 0.492);
        CHECK(!is_middle(at(&f, 0.412, 0.011)));
        close_image(&f.i);
    }
}

TEST(refused)
{
    char said[1024];
    CHECK(talus("shot stones -c pressure -o x.png", said, sizeof said) == 2 && strstr(said, "finite-element"));
    CHECK(talus("shot solids --deform much -o x.png", said, sizeof said) == 2 && strstr(said, "--deform wants a number"));
    CHECK(talus("shot solids --deform nan -o x.png", said, sizeof said) == 2);
}

int main(int argc, char **argv)
{
    char command[512];
    snprintf(home, sizeof home, "/tmp/talus-solids-XXXXXX");
    if (!mkdtemp(home)) return 1;
    snprintf(command, sizeof command, "cd '%s' && '%s' solids 3 3 && '%s' stones 4 2", home, TALUS_SOLIDS, TALUS_STONES);
    if (system(command) != 0) return 1;
    RUN(depth);
    RUN(colour_by_stress);
    RUN(deformed);
    RUN(yielded);
    RUN(refused);
    nftw(home, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    return TEST_RESULT;
}
