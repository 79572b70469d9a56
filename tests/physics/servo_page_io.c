/* The scenes of docs/servo.md, as they stand there, do what the page says. */
#include "lab.h"

static char page[65536], scene[8192];

/* Scene number `index` of the page. */
static const char *listing(int index)
{
    FILE *f = fopen(TALUS_SOURCE_DIR "/docs/servo.md", "r");
    if (!f) abort();
    page[fread(page, 1, sizeof page - 1, f)] = '\0';
    fclose(f);
    const char *p = page;
    for (int i = 0; i <= index; i++) {
        p = strstr(p, "```yaml\n");
        if (!p) TEST_FAIL("docs/servo.md has no scene %d", index);
        if (!p) exit(1);
        p += 8;
    }
    snprintf(scene, sizeof scene, "%.*s", (int)(strstr(p, "```") - p), p);
    return scene;
}

TEST(wall)
{
    lab l = open_lab(listing(0), 1);
    lab_run(&l, 2.5);
    while (talus_world_time(l.world) < 3) {
        (void)lab_step(&l);
        CHECK_NEAR(lab_probe(&l, "force"), 800, 0.8);
    }
    close_lab(&l);
}

/* It arrives, stays, and the oil bears the weight; on the way the valve is wide open: v = flow/area √(1 − p/supply), p area = m g + d v. */
TEST(lift)
{
    lab l = open_lab(listing(1), 1);
    double v = 0;
    for (int i = 0; i < 100; i++) v = 0.8 * sqrt(1 - (200 * 9.81 + 4000 * v) / (5e-4 * 12e6));
    lab_run(&l, 0.25);
    const double before = lab_probe(&l, "height");
    lab_run(&l, 0.3);
    CHECK_CLOSE((lab_probe(&l, "height") - before) / 0.05, v, 0.02);
    lab_run(&l, 3);
    CHECK_NEAR(lab_probe(&l, "height"), 0.3, 1e-3);
    CHECK_CLOSE(lab_probe(&l, "pressure"), 200 * 9.81 / 5e-4, 1e-3);
    close_lab(&l);
}

int main(int argc, char **argv)
{
    RUN(wall);
    RUN(lift);
    return TEST_RESULT;
}
