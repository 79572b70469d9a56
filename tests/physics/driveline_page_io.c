/* The scene of docs/driveline.md, as it stands there, does what the page says. */
#include "lab.h"

static char *scene_of_page(void)
{
    static char text[40000];
    FILE *f = fopen(TALUS_SOURCE_DIR "/docs/driveline.md", "r");
    const size_t n = f ? fread(text, 1, sizeof text - 1, f) : 0;
    if (!f || n == 0) TEST_STOP("docs/driveline.md is not there");
    fclose(f);
    text[n] = '\0';
    char *start = strstr(text, "# pull.yaml"), *end = start ? strstr(start, "```") : NULL;
    if (!end) TEST_STOP("docs/driveline.md has no scene pull.yaml");
    *end = '\0';
    return start;
}

TEST(pulls_away)
{
    lab l = open_lab(scene_of_page(), 1);
    lab_run(&l, 0.9);
    CHECK_NEAR(lab_probe(&l, "left"), 0, 1e-9);
    const double crank = lab_probe(&l, "engine");
    CHECK_CLOSE(lab_probe(&l, "turbine"), 2.4 * 0.016 * crank * crank, 1e-9); /* stall */
    lab_run(&l, 30);
    CHECK_NEAR(lab_probe(&l, "left"), lab_probe(&l, "right"), 1e-6);
    CHECK(lab_probe(&l, "left") > 10);
    CHECK_NEAR(lab_probe(&l, "turbine"), 450, 0.5);
    CHECK_NEAR(fabs(lab_probe(&l, "rub")), 300, 0.5);
    CHECK(lab_probe(&l, "fuel") > 0);
    close_lab(&l);
}

int main(int argc, char **argv)
{
    RUN(pulls_away);
    return TEST_RESULT;
}
