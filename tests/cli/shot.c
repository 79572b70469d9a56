/* talus shot: pixels are where geometry says that bodies are, and of the colours that they must have. No picture is compared with a stored one. */
#include "shot.h"

#include <unistd.h>

/* ---- in the plane ------------------------------------------------------------------------------------------------- */

/* A plate of 2.2 x 0.1 m carries a heavy stone; another stone flies; an arm without a shape hangs on a pivot. */
static const char SCENE[] = "gravity: [0, -9.81]\n"
                            "time: {end: 0.1 s, step: 1 ms}\n"
                            "materials: {stone: {density: 2000 kg/m^3}, steel: {density: 7800 kg/m^3}}\n"
                            "interactions:\n  - {friction: 0.5}\n"
                            "bodies:\n"
                            "  plate: {kind: fixed, position: [0, -0.05], shapes: [{box: {size: [2.2, 0.1], material: steel}}]}\n"
                            "  heavy: {position: [-0.6, 0.1], shapes: [{disk: {radius: 0.1, material: stone}}]}\n"
                            "  flyer: {position: [-0.3, 0.8], velocity: [1.5, 2], shapes: [{disk: {radius: 0.1, material: stone}}]}\n"
                            "mechanisms:\n  swing:\n    bodies:\n      arm: {mass: 1 kg, inertia: 0.1}\n"
                            "    joints:\n      pivot: {type: revolute, parent: ground, at: [0.6, 0.7], child: arm, child_at: [0.1, 0.4]}\n"
                            "    drives:\n      motor: {joint: pivot, speed: \"0\"}\n"
                            "output: {frames: {every: 50 ms}}\n";

/* From metres to pixels: what the outermost pixels of the plate say. */
typedef struct plane {
    double scale, left, bottom; /* bottom: the row of y = −0.1 m */
} plane;

static plane calibrate(const image *i)
{
    int low = i->width, high = -1, bottom = -1;
    for (int y = 0; y < i->height - i->width / 20; y++) /* without the strip */
        for (int x = 0; x < i->width; x++) {
            if (is_paper(pixel_at(i, x, y))) continue;
            if (y > i->height / 2 && x < low) low = x;
            if (y > i->height / 2 && x > high) high = x;
            bottom = y;
        }
    CHECK(high - low > i->width / 2);
    return (plane){(high + 1 - low) / 2.2, low, bottom + 1};
}

static pixel seen(const image *i, const plane *p, double x, double y) { return pixel_at(i, p->left + p->scale * (x + 1.1), p->bottom - p->scale * (y + 0.1)); }

static void planar_run(void)
{
    write_text("plane.yaml", SCENE);
    talus("run plane.yaml -o plane --quiet", NULL, 0);
}

static const double END[2] = {-0.3 + 1.5 * 0.1, 0.8 + 2 * 0.1 - 0.5 * 9.81 * 0.01}; /* of the flight */

/* Bodies, the paper between them, and the flying stone where it is at either time. */
TEST(bodies)
{
    planar_run();
    talus("shot plane -o end.png", NULL, 0);
    talus("shot plane --time 0.004 --no-forces -o begin.png", NULL, 0);
    for (int late = 0; late < 2; late++) {
        image i = open_image(late ? "end.png" : "begin.png");
        const plane p = calibrate(&i);
        CHECK(is_stone(seen(&i, &p, -0.56, 0.06)));
        CHECK(is_stone(seen(&i, &p, -0.6, 0.19)) && is_paper(seen(&i, &p, -0.6, 0.22))); /* the disk ends at y = 0.2 */
        CHECK(is_paper(seen(&i, &p, 0.9, 0.3)));
        const pixel plate = seen(&i, &p, 0.3, -0.05);
        CHECK(fabs(plate.r - plate.b) < 0.1 && plate.r < 0.6);
        CHECK(late ? is_paper(seen(&i, &p, -0.3, 0.72)) : is_stone(seen(&i, &p, -0.3, 0.72)));
        CHECK(late ? is_stone(seen(&i, &p, END[0], END[1] - 0.05)) : is_paper(seen(&i, &p, END[0], END[1] - 0.05)));
        /* the weight of the stone goes down to the plate: red, if forces are drawn */
        CHECK(is_red(seen(&i, &p, -0.6, 0.05)) == (late == 1));
        close_image(&i);
    }
}

/* A link without a shape is a bar from its joint to its origin. */
TEST(bars)
{
    tl_replay run;
    tl_replay_frame frame = {0};
    tl_error error = {0};
    char directory[128];
    planar_run();
    snprintf(directory, sizeof directory, "%s/plane", home);
    CHECK_OK(tl_replay_open(&run, directory, &error), error.text);
    CHECK_OK(tl_replay_read(&run, run.frames - 1, &frame, &error), error.text);
    talus("shot plane -o bars.png", NULL, 0);
    image i = open_image("bars.png");
    const plane p = calibrate(&i);
    CHECK_NEAR(hypot(frame.pose[run.bodies - 1][0] - 0.6, frame.pose[run.bodies - 1][1] - 0.7), hypot(0.1, 0.4), 1e-9); /* the arm is the last */
    for (int b = 0; b < run.bodies; b++)
        if (run.body[b].link) {
            const double *at = frame.pose[b];
            for (int k = 1; k < 4; k++) CHECK(is_blue(seen(&i, &p, at[0] + 0.25 * k * (0.6 - at[0]), at[1] + 0.25 * k * (0.7 - at[1]))));
        }
    close_image(&i);
    tl_replay_frame_free(&frame);
    tl_replay_close(&run);
}

/* How many pixels are orange, as motors are. */
static int orange(const image *i)
{
    int count = 0;
    for (int y = 0; y < i->height; y++)
        for (int x = 0; x < i->width; x++) {
            const pixel p = pixel_at(i, x, y);
            if (p.r > 0.7 && p.g > 1.3 * p.b && p.r > 1.2 * p.g) count++;
        }
    return count;
}

/* Without joints the arm has no motor, and is yet a bar. */
TEST(joints_hidden)
{
    planar_run();
    talus("shot plane --no-forces -o with.png", NULL, 0);
    talus("shot plane --no-forces --hide joints -o without.png", NULL, 0);
    image with = open_image("with.png"), without = open_image("without.png");
    CHECK(orange(&with) > 5); /* a ring around the pivot */
    CHECK(orange(&without) == 0);
    const plane p = calibrate(&without);
    CHECK(is_blue(seen(&without, &p, 0.55, 0.5))); /* halfway from its origin, (0.5, 0.3), to the pivot */
    close_image(&with), close_image(&without);
}

/* By speed the flying stone is deep and the resting one pale; by force the other way round; materials differ. */
TEST(colours)
{
    planar_run();
    talus("shot plane --colour velocity -o velocity.png", NULL, 0);
    talus("shot plane --colour force -o force.png", NULL, 0);
    talus("shot plane --colour material -o material.png", NULL, 0);
    image v = open_image("velocity.png"), f = open_image("force.png"), m = open_image("material.png");
    const plane p = calibrate(&v);
    CHECK(seen(&v, &p, END[0], END[1] - 0.05).r < 0.3 && seen(&v, &p, -0.56, 0.06).r > 0.85);
    CHECK(seen(&f, &p, END[0], END[1] - 0.05).r > 0.85 && seen(&f, &p, -0.56, 0.06).r < 0.3);
    const pixel stone = seen(&m, &p, -0.56, 0.06), plate = seen(&m, &p, 0.3, -0.05), flyer = seen(&m, &p, END[0], END[1] - 0.05);
    CHECK(fabs(stone.r - plate.r) + fabs(stone.g - plate.g) + fabs(stone.b - plate.b) > 0.3);
    CHECK_NEAR(stone.r, flyer.r, 0.01);
    /* the legend below has both */
    int found[2] = {0};
    for (int x = 0; x < m.width; x++)
        for (int y = m.height - m.width / 30; y < m.height; y++) {
            const pixel c = pixel_at(&m, x, y);
            if (fabs(c.r - stone.r) + fabs(c.g - stone.g) + fabs(c.b - stone.b) < 0.02) found[0]++;
            if (fabs(c.r - plate.r) + fabs(c.g - plate.g) + fabs(c.b - plate.b) < 0.02) found[1]++;
        }
    CHECK(found[0] > 50 && found[1] > 50);
    close_image(&v), close_image(&f), close_image(&m);
}

static char *bytes(const char *name, size_t *length)
{
    char path[256], *text = calloc(1, 1 << 22);
    snprintf(path, sizeof path, "%s/%s", home, name);
    FILE *in = fopen(path, "rb");
    if (!in || !text) {
        TEST_FAIL("cannot read '%s'", path);
        exit(1);
    }
    *length = fread(text, 1, (1 << 22) - 1, in);
    fclose(in);
    return text;
}

/* Sizes as asked; SVG and PDF are whole. */
TEST(formats)
{
    size_t n;
    planar_run();
    talus("shot plane --size 640x480 -o a.png", NULL, 0);
    talus("shot plane -o b.PNG", NULL, 0);
    talus("shot plane --size 640x480 -o a.svg", NULL, 0);
    talus("shot plane -o a.pdf", NULL, 0);
    image a = open_image("a.png"), b = open_image("b.PNG");
    CHECK(a.width == 640 && a.height == 480);
    CHECK(b.width == 1200 && b.height > 300 && b.height < 1300);
    close_image(&a), close_image(&b);
    char *svg = bytes("a.svg", &n);
    CHECK(strncmp(svg, "<?xml ", 6) == 0 && strstr(svg, "<svg ") && strstr(svg, "width=\"640px\" height=\"480px\""));
    CHECK(n > 7 && strcmp(svg + n - 7, "</svg>\n") == 0);
    free(svg);
    char *pdf = bytes("a.pdf", &n);
    CHECK(strncmp(pdf, "%PDF-1", 6) == 0 && n > 6 && memcmp(pdf + n - 6, "%%EOF\n", 6) == 0);
    free(pdf);
}

/* A machine without a single font: no crash, and everything but the look of the texts as before. */
TEST(no_fonts)
{
    planar_run();
    write_text("none.conf", "<?xml version=\"1.0\"?><!DOCTYPE fontconfig SYSTEM \"fonts.dtd\"><fontconfig><dir>/nowhere</dir></fontconfig>\n");
    char path[128];
    snprintf(path, sizeof path, "%s/none.conf", home);
    setenv("FONTCONFIG_FILE", path, 1);
    talus("shot plane -o bare.png", NULL, 0);
    talus("shot plane -o bare.pdf", NULL, 0);
    image i = open_image("bare.png");
    const plane p = calibrate(&i);
    CHECK(is_stone(seen(&i, &p, -0.56, 0.06)));
    close_image(&i);
}

/* ---- wrong usage -------------------------------------------------------------------------------------------------- */

typedef struct wrong {
    const char *arguments, *says;
} wrong;

TEST(wrong_usage)
{
    static const wrong CASES[] = {
        {"shot nowhere -o a.png", "nowhere/trajectory.h5"},
        {"shot damaged -o a.png", "damaged/trajectory.h5"},
        {"shot cut -o a.png", "cut/trajectory.h5"},
        {"shot plane -o /nowhere/a.png", "/nowhere/a.png"},
        {"shot plane -o full.png", "full.png': No space"},
        {"shot plane -o full.svg", "full.svg': No space"},
        {"shot plane -o a.gif", ".png, .svg or .pdf, which 'a.gif' is not"},
        {"shot plane -o png", "'png'"},
        {"shot plane -o .png", "'.png'"},
        {"shot plane", "-o PICTURE"},
        {"shot -o a.png", "directory of a run"},
        {"shot plane extra -o a.png", "directory of a run"},
        {"shot plane --view 30 -o a.png", "--view wants AZIMUTH,ELEVATION in degrees, the elevation from -90 to 90, not '30'"},
        {"shot plane --view 30,91 -o a.png", "'30,91'"},
        {"shot plane --view 30,nan -o a.png", "'30,nan'"},
        {"shot plane --view 30,20x -o a.png", "'30,20x'"},
        {"shot plane --size 100 -o a.png", "--size wants WIDTHxHEIGHT, each from 64 to 10000 pixels, not '100'"},
        {"shot plane --size 10x100 -o a.png", "'10x100'"},
        {"shot plane --size 100x20000 -o a.png", "'100x20000'"},
        {"shot plane --size 100x100x -o a.png", "'100x100x'"},
        {"shot plane --size -100x100 -o a.png", "'-100x100'"},
        {"shot plane --colour pink -o a.png",
         "--colour wants velocity, force, von-mises, pressure, displacement, plastic-strain, cap, material or role, not 'pink'"},
        {"shot plane --fade joints -o a.png", "no body is called 'joints'"},
        {"shot plane --time soon -o a.png", "--time wants a time in seconds, not 'soon'"},
        {"shot plane --bright -o a.png", "that option is not known"},
    };
    char said[8192];
    planar_run();
    snprintf(said, sizeof said,
             "cd %s && mkdir -p damaged cut && echo nothing > damaged/trajectory.h5 && head -c 3000 plane/trajectory.h5 > cut/trajectory.h5 && "
             "ln -sf /dev/full full.png && ln -sf /dev/full full.svg",
             home);
    CHECK(system(said) == 0);
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        char left[128];
        snprintf(left, sizeof left, "%s/a.png", home);
        remove(left);
        const int code = talus(CASES[i].arguments, said, sizeof said);
        if (code != 2 || !strstr(said, CASES[i].says)) TEST_FAIL("talus %s: %d: %s", CASES[i].arguments, code, said);
        if (access(left, F_OK) == 0) TEST_FAIL("talus %s left a picture", CASES[i].arguments);
    }
}

/* The library says so, too; a structure that nobody filled in is refused. */
TEST(definition)
{
    char text[512];
    talus_picture_def def = talus_picture_def_default();
    CHECK(talus_picture_write(NULL, text, sizeof text) == TALUS_INPUT && strstr(text, "talus_picture_def_default"));
    CHECK(talus_picture_write(&(talus_picture_def){0}, text, sizeof text) == TALUS_INPUT);
    CHECK(talus_picture_write(&def, text, sizeof text) == TALUS_INPUT && strstr(text, "directory"));
    def.directory = "nowhere", def.path = "a.png", def.width = 100;
    CHECK(talus_picture_write(&def, text, sizeof text) == TALUS_INPUT && strstr(text, "100 x 0"));
    def.height = 100, def.colour = (talus_picture_colour)77;
    CHECK(talus_picture_write(&def, text, sizeof text) == TALUS_INPUT && strstr(text, "77"));
}

/* ---- in space ----------------------------------------------------------------------------------------------------- */

/* Of two balls, one before the other, the nearer is seen, from either side; beside them is paper. */
TEST(nearer_wins)
{
    static const body3 BODY[] = {{REPLAY_SPHERE, 2, {0, -6, 2.4}, {0.15}, false},
                                 {REPLAY_SPHERE, 2, {0, 6, 2.4}, {0.15}, false},
                                 {REPLAY_SPHERE, 0, {-1, 0, 1}, {0.8}, false},
                                 {REPLAY_SPHERE, 1, {1, 0.3, 1}, {0.8}, false}};
    write_run("balls", BODY, 4);
    for (int side = 0; side < 2; side++) {
        space s = look("balls", side ? 180 : 0, 0);
        const pixel both = in_space(&s, 0, 0.15, 1), beside = in_space(&s, 0, 2, 1);
        CHECK(is_blue(both) || both.b > both.r + 0.08 ? side == 0 : side == 1); /* slate at x = 1 is the nearer from azimuth 0 */
        CHECK(side == 0 || both.r > both.b + 0.1);                              /* else sand */
        CHECK(is_paper(beside));
        close_image(&s.i);
    }
}

/* A ball before one end of a long slab that runs away from the camera: its centre is farther than the slab's, and yet it hides the slab. From the
 * other side of the slab it is hidden. The middle of the slab, a polyhedron, is there from both. */
TEST(ball_and_slab)
{
    static const body3 BODY[] = {{REPLAY_SPHERE, 2, {0, -6, 2.4}, {0.15}, false},
                                 {REPLAY_SPHERE, 2, {0, 6, 2.4}, {0.15}, false},
                                 {REPLAY_POLYHEDRON, 0, {0, 1.1, 1}, {4, 0.1, 1}, false},
                                 {REPLAY_SPHERE, 1, {-3, 1.6, 1}, {0.3}, false}};
    write_run("slab", BODY, 4);
    for (int side = 0; side < 2; side++) {
        space s = look("slab", side ? -30 : 30, 0);
        const pixel ball = in_space(&s, -3, 1.6, 1), slab = in_space(&s, 0, 1.1, 1);
        CHECK((ball.b > ball.r + 0.05) == (side == 0));
        CHECK((ball.r > ball.b + 0.05) == (side == 1));
        CHECK(!is_paper(slab) && slab.r > slab.b + 0.05);
        close_image(&s.i);
    }
}

/* A wall that would hide everything is glass; from the other side, where it hides nothing, it is a wall. */
TEST(glass)
{
    static const body3 BODY[] = {{REPLAY_SPHERE, 2, {0, -6, 2.4}, {0.15}, false},
                                 {REPLAY_SPHERE, 2, {0, 6, 2.4}, {0.15}, false},
                                 {REPLAY_SPHERE, 1, {0, 0, 1}, {0.8}, false},
                                 {REPLAY_POLYHEDRON, 0, {2, 0, 1}, {0.05, 5, 1.2}, true}};
    write_run("wall", BODY, 4);
    for (int side = 0; side < 2; side++) {
        space s = look("wall", side ? 180 : 0, 0);
        const pixel ball = in_space(&s, 0, 0, 1), beside = in_space(&s, 0, 3, 1);
        CHECK(ball.b > ball.r + 0.08);
        CHECK(side ? beside.r < 0.85 : beside.r > 0.9);
        close_image(&s.i);
    }
}

/* A box is lit from the upper left: seen on an edge, its left side is brighter than its right one; seen from above, its top is the brightest. */
TEST(light)
{
    static const body3 BODY[] = {{REPLAY_SPHERE, 2, {0, -6, 2.4}, {0.15}, false},
                                 {REPLAY_SPHERE, 2, {0, 6, 2.4}, {0.15}, false},
                                 {REPLAY_POLYHEDRON, 0, {0, 0, 1}, {0.8, 0.8, 0.8}, false}};
    write_run("box", BODY, 3);
    space s = look("box", 45, 0);
    const pixel left = in_space(&s, 0.8, -0.3, 1), right = in_space(&s, -0.3, 0.8, 1);
    CHECK(left.r > right.r + 0.1);
    CHECK(is_paper(in_space(&s, 0, 0, 1.9)));
    close_image(&s.i);
}

/* Five thousand stones, each of many faces. */
TEST(five_thousand)
{
    char command[512];
    snprintf(command, sizeof command, "'%s' '%s/many' 5000 2", TALUS_MAKE_STONES, home);
    CHECK(system(command) == 0);
    talus("shot many --colour velocity -o many.png", NULL, 0);
    image i = open_image("many.png");
    int covered = 0;
    for (int y = 0; y < i.height; y++)
        for (int x = 0; x < i.width; x++) covered += !is_paper(pixel_at(&i, x, y));
    CHECK(covered > i.width * i.height / 5);
    close_image(&i);
}

int main(int argc, char **argv)
{
    snprintf(home, sizeof home, "/tmp/talus-shot-XXXXXX");
    if (!mkdtemp(home)) return 1;
    RUN(bodies);
    RUN(bars);
    RUN(joints_hidden);
    RUN(colours);
    RUN(formats);
    RUN(no_fonts);
    RUN(wrong_usage);
    RUN(definition);
    RUN(nearer_wins);
    RUN(ball_and_slab);
    RUN(glass);
    RUN(light);
    RUN(five_thousand);
    nftw(home, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    return TEST_RESULT;
}
