/* Several pictures of one run: from one camera, with one scale of colours; bodies left out, faded and cut. */
#include "shot.h"

/* A stone is thrown straight up at 6 m/s beside a fixed plate; g = 10 m/s², so that it has half that speed at 0.3 s and at 0.9 s, and none at 0.6 s. */
static const char THROW[] = "gravity: [0, -10]\n"
                            "time: {end: 1.2 s, step: 1 ms}\n"
                            "materials: {stone: {density: 2000 kg/m^3}, steel: {density: 7800 kg/m^3}}\n"
                            "bodies:\n"
                            "  plate: {kind: fixed, position: [0, -0.5], shapes: [{box: {size: [2.2, 0.2], material: steel}}]}\n"
                            "  stone: {position: [0.4, 0], velocity: [0, 6], shapes: [{disk: {radius: 0.15, material: stone}}]}\n"
                            "output: {frames: {every: 0.1 s}}\n";

/* A ball rolls by a fixed box, in space. */
static const char ROLL[] = "dimension: 3\ngravity: [0, 0, 0]\n"
                           "time: {end: 1 s, step: 2 ms}\n"
                           "materials: {sand: {density: 2000 kg/m^3}, slate: {density: 7800 kg/m^3}}\n"
                           "bodies:\n"
                           "  block: {kind: fixed, position: [0, 0, 0.5], shapes: [{box: {size: [1, 1, 1], material: slate}}]}\n"
                           "  core: {kind: fixed, position: [0, 0, 0.5], shapes: [{sphere: {radius: 0.3, material: sand}}]}\n"
                           "  ball: {position: [2, -2, 0.3], velocity: [0, 4, 0], shapes: [{sphere: {radius: 0.3, material: sand}}]}\n"
                           "interactions:\n  - {enabled: false}\n"
                           "output: {frames: {every: 0.25 s}}\n";

typedef struct box {
    int left, right, top, bottom, pixels;
} box;

/* Around all pixels of a kind, without the strip. */
static box around(const image *i, bool (*is)(pixel))
{
    box b = {i->width, -1, i->height, -1, 0};
    for (int y = 0; y < i->height - 45; y++)
        for (int x = 0; x < i->width; x++) {
            if (!is(pixel_at(i, x, y))) continue;
            b.left = x < b.left ? x : b.left, b.right = x > b.right ? x : b.right;
            b.top = y < b.top ? y : b.top, b.bottom = y > b.bottom ? y : b.bottom, b.pixels++;
        }
    return b;
}

static box of_picture(const char *name, bool (*is)(pixel), int *width, int *height)
{
    image i = open_image(name);
    const box b = around(&i, is);
    *width = i.width, *height = i.height;
    close_image(&i);
    return b;
}

static bool is_wall(pixel c) { return fabs(c.r - c.b) < 0.12 && c.r < 0.55 && c.b >= c.r; }
static bool is_slate(pixel c) { return c.b > c.r + 0.1; }
static bool is_sand(pixel c) { return c.r > c.b + 0.05; }

static bool is_dark_blue(pixel c) { return c.b > 0.3 && c.b < 0.45 && c.r < 0.25 && c.g < 0.25; }

static bool same(box a, box b) { return a.left == b.left && a.right == b.right && a.top == b.top && a.bottom == b.bottom; }

/* What is fixed is at the same pixels in every frame; fitted one by one it is not. */
TEST(one_camera)
{
    char name[64], said[512];
    int width[2], height[2];
    write_text("throw.yaml", THROW);
    talus("run throw.yaml -o throw --quiet", NULL, 0);
    CHECK(talus("shot throw --frames ::2 -o all.png", said, sizeof said) == 0 && strstr(said, "7 pictures, all-0000.png to all-0012.png"));
    const box first = of_picture("all-0000.png", is_wall, &width[0], &height[0]);
    CHECK(first.pixels > 1000);
    box stone = {0};
    for (int k = 0; k <= 12; k += 2) {
        snprintf(name, sizeof name, "all-%04d.png", k);
        CHECK(same(of_picture(name, is_wall, &width[1], &height[1]), first));
        CHECK(width[1] == width[0] && height[1] == height[0]);
        const box b = of_picture(name, is_stone, &width[1], &height[1]);
        CHECK(b.pixels > 100);
        if (k == 0) stone = b;
        /* y = 6 t − 5 t²; the disk's width is 0.3 m */
        const double t = 0.1 * k, rise = 6 * t - 5 * t * t, scale = (stone.right + 1 - stone.left) / 0.3;
        CHECK_NEAR(stone.bottom - b.bottom, rise * scale, 4 + 0.03 * rise * scale); /* the scale is known to a pixel in the width */
    }
    talus("shot throw --frames ::6 --fit frame -o each.png", NULL, 0);
    CHECK(!same(of_picture("each-0006.png", is_wall, &width[1], &height[1]), of_picture("each-0000.png", is_wall, &width[1], &height[1])));
    talus("shot throw --time 0 --fit run -o run.png", NULL, 0);
    CHECK(same(of_picture("run.png", is_wall, &width[1], &height[1]), first));
    talus("shot throw --time 0 --time 0.6 --time 0.61 -o two.png", NULL, 0);
    CHECK(same(of_picture("two-0000.png", is_wall, &width[1], &height[1]), of_picture("two-0006.png", is_wall, &width[1], &height[1])));
    talus("shot throw --from 0.55 --to 0.65 -o one.png", NULL, 0); /* one frame keeps the name */
    CHECK(of_picture("one.png", is_wall, &width[1], &height[1]).pixels > 0);
}

static pixel middle_of_stone(const char *name)
{
    image i = open_image(name);
    double x = 0, y = 0;
    int n = 0;
    for (int row = 0; row < i.height - 45; row++)
        for (int column = 0; column < i.width; column++) {
            const pixel c = pixel_at(&i, column, row);
            if (is_paper(c) || (fabs(c.r - c.b) < 0.12 && fabs(c.r - c.g) < 0.06)) continue; /* paper, plate */
            x += column, y += row, n++;
        }
    CHECK(n > 100);
    const pixel c = pixel_at(&i, x / n, y / n + 0.02 * i.width); /* beside the radius that is drawn */
    close_image(&i);
    return c;
}

static double apart(pixel a, pixel b) { return fabs(a.r - b.r) + fabs(a.g - b.g) + fabs(a.b - b.b); }

/* One scale for all: half the largest speed is the middle of the scale, going up and coming down. */
TEST(one_scale)
{
    write_text("throw.yaml", THROW);
    talus("run throw.yaml -o throw --quiet", NULL, 0);
    talus("shot throw --frames ::3 --colour velocity -o v.png", NULL, 0);
    talus("shot throw --frames 0 --colour velocity --limits 0:12 -o half.png", NULL, 0);
    talus("shot throw --frames 0 --colour velocity --limits 4:8 -o offset.png", NULL, 0);
    const pixel up = middle_of_stone("v-0003.png"), down = middle_of_stone("v-0009.png"), fast = middle_of_stone("v-0000.png"),
                still = middle_of_stone("v-0006.png");
    CHECK(apart(up, down) < 0.02);
    CHECK(apart(up, middle_of_stone("half.png")) < 0.02 && apart(up, middle_of_stone("offset.png")) < 0.02);
    CHECK(apart(up, fast) > 0.3 && apart(up, still) > 0.3);
}

/* In space: the block stays, the ball goes by; hidden it is gone, as glass it shows what is within, cut it is open. */
TEST(in_space)
{
    int w, h;
    char name[64];
    write_text("roll.yaml", ROLL);
    talus("run roll.yaml -o roll --quiet", NULL, 0);
    talus("shot roll --frames 0: --view 20,30 --colour material -o r.png", NULL, 0);
    const box block = of_picture("r-0000.png", is_slate, &w, &h), begin = of_picture("r-0000.png", is_sand, &w, &h);
    CHECK(block.pixels > 1000 && begin.pixels > 500);
    for (int k = 1; k < 5; k++) {
        snprintf(name, sizeof name, "r-%04d.png", k);
        const box b = of_picture(name, is_slate, &w, &h);
        if (k != 2 && !same(b, block))
            TEST_FAIL("%s: %d to %d and %d to %d, not %d to %d and %d to %d", name, b.left, b.right, b.top, b.bottom, block.left, block.right, block.top,
                      block.bottom);
        CHECK(of_picture(name, is_sand, &w, &h).right > begin.right + 20);
    }
    talus("shot roll --time 0 --fit run --view 20,30 --colour material --hide block -o hidden.png", NULL, 0);
    talus("shot roll --time 0 --fit run --view 20,30 --colour material --fade bl* -o faded.png", NULL, 0);
    talus("shot roll --time 0 --fit run --view 0,0 --colour material --cut x=0 --hide grains -o cut.png", NULL, 0);
    CHECK(of_picture("hidden.png", is_slate, &w, &h).pixels == 0);
    CHECK(of_picture("faded.png", is_sand, &w, &h).pixels > begin.pixels * 3 / 2); /* the core, too, which the block hid */
    /* Cut through the middle the block is a square of a metre, without the core, whose middle lies in the plane and stays. */
    const box square = of_picture("cut.png", is_slate, &w, &h), core = of_picture("cut.png", is_sand, &w, &h);
    CHECK_NEAR(square.right - square.left, square.bottom - square.top, 1.5);
    CHECK(core.pixels == 0 || core.right - core.left < square.right - square.left);
}

TEST(wrong)
{
    static const char *const CASES[][2] = {
        {"shot throw --frames 20: -o a.png", "'throw' has no such frame; there are 0 to 12, from 0 to 1.2 s"},
        {"shot throw --frames x -o a.png", "--frames wants FIRST:LAST:STRIDE, counted from 0, not 'x'"},
        {"shot throw --from 2 -o a.png", "no such frame"},
        {"shot throw --time 1 --frames 2 -o a.png", "--time is one way"},
        {"shot throw --fit all -o a.png", "--fit wants drawn, frame or run, not 'all'"},
        {"shot throw --limits 2:1 -o a.png", "--limits wants LOW:HIGH, the lower first, not '2:1'"},
        {"shot throw --limits 1 -o a.png", "not '1'"},
        {"shot throw --hide brick -o a.png", "no body is called 'brick' in 'throw'; there are plate, stone; and the groups grains, links and boundaries"},
        {"shot throw --fade plate,x -o a.png", "no body is called 'x'"},
        {"shot throw --cut x=1 -o a.png", "a run in the plane, which nothing cuts"},
        {"shot throw --cut w=1 -o a.png", "--cut wants x, y or z and where, as in x=0.1, in metres, not 'w=1'"},
        {"shot throw --frames 0: -o a.gif", "which 'a.gif' is not"},
    };
    char said[4096];
    write_text("throw.yaml", THROW);
    talus("run throw.yaml -o throw --quiet", NULL, 0);
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        const int code = talus(CASES[i][0], said, sizeof said);
        if (code != 2 || !strstr(said, CASES[i][1])) TEST_FAIL("talus %s: %d: %s", CASES[i][0], code, said);
    }
}

/* A body is fixed, and a stage lets it go: from then on its speed colours it, as it does what was always free. */
TEST(what_a_stage_frees)
{
    int width, height;
    write_text("freed.yaml", "gravity: [0, 0]\ntime: {end: 1 s, step: 1 ms}\nmaterials: {stone: {density: 1000 kg/m^3}}\n"
                             "bodies:\n  slow: {velocity: [0.1, 0], shapes: [{disk: {radius: 0.2, material: stone}}]}\n"
                             "  late: {kind: fixed, position: [0, 1], shapes: [{disk: {radius: 0.2, material: stone}}]}\n"
                             "loads: {push: {body: late, x: 50}}\nstages: {a: {until: {time: 0.5 s}}, b: {bodies: {late: {kind: free}}}}\n"
                             "output: {frames: {every: 0.1 s}}\n");
    talus("run freed.yaml -o freed --quiet", NULL, 0);
    talus("shot freed --time 0.4 --colour velocity -o held.png", NULL, 0);
    talus("shot freed --time 0.9 --colour velocity -o freed.png", NULL, 0);
    const box held = of_picture("held.png", is_wall, &width, &height), freed = of_picture("freed.png", is_dark_blue, &width, &height);
    CHECK(held.pixels > 1000);                                                                                     /* grey: no number colours it */
    CHECK(freed.pixels > 1000);                                                                                    /* the end of the scale: it is the fastest */
    CHECK(freed.bottom < height / 2 && of_picture("held.png", is_dark_blue, &width, &height).bottom > height / 2); /* before, the other one is */
}

int main(int argc, char **argv)
{
    snprintf(home, sizeof home, "/tmp/talus-frames-XXXXXX");
    if (!mkdtemp(home)) return 1;
    RUN(one_camera);
    RUN(one_scale);
    RUN(in_space);
    RUN(what_a_stage_frees);
    RUN(wrong);
    nftw(home, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    return TEST_RESULT;
}
