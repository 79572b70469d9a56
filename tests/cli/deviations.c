/* Known deviations in talus verify: counted apart and no failure between their bounds, a failure beyond, and nothing special where what is expected is
 * met after all. Legends of its figures stand beside the frame of the curves. */
#include <sys/stat.h>

#include "scenes.h"

static const char BALL[] = "gravity: [0, -10]\n"
                           "time: {end: 0.01 s, step: 1 ms}\n"
                           "materials: {stone: {density: 2000 kg/m^3}}\n"
                           "bodies: {ball: {position: [0, 1], velocity: [3, 0], shapes: [{disk: {radius: 0.1, material: stone}}]}}\n"
                           "probes: {speed: {body: ball, quantity: vx}}\n";

/* The ball flies at 3 m/s, whatever someone has published. */
static int verify(const char *published, const char *more)
{
    char text[2000];
    snprintf(text, sizeof text,
             "title: x\nsource: x\nruns: {fall: {scene: ball.yaml}}\nchecks:\n"
             "  - {quantity: speed, run: fall, of: speed, take: last, expected: %s, tolerance: 0.1 m/s, because: published%s}\n"
             "  - {quantity: time, run: fall, of: time, take: last, expected: 10 ms, tolerance: 1 us, because: steps}\n"
             "figures:\n  - {title: f, curves: [{name: \"a curve with a name that is rather long\", run: fall, y: speed}, {name: b, points: [[1, 1]]}]}\n",
             published, more);
    mkdir("cases", 0777), mkdir("cases/one", 0777);
    write_file("cases/one/ball.yaml", BALL);
    write_file("cases/one/case.yaml", text);
    return talus("verify --cases cases -o results");
}

TEST(verdicts)
{
    static const char WHY[] = ", above: 2 m/s, below: 4 m/s, known_deviation: they measured in honey";
    CHECK(verify("5 m/s", "") == 1 && line_with("FAILS", "published"));
    CHECK(verify("5 m/s", WHY) == 0 && line_with("known deviation  one", "they measured in honey") && line_with("1 hold, 0 fail", ", 1 known deviation;"));
    FILE *page = fopen("results/verify.html", "r");
    static char html[1 << 18];
    html[page ? fread(html, 1, sizeof html - 1, page) : 0] = '\0';
    if (page) fclose(page);
    CHECK(strstr(html, "<td class='deviates' data-name='verdict'>known deviation</td>") && strstr(html, "1 is a known deviation") &&
          strstr(html, ".deviates{"));
    CHECK(verify("5 m/s", ", above: 3.5 m/s, known_deviation: they measured in honey") == 1 && line_with("FAILS", "published")); /* 3 m/s is beyond */
    CHECK(verify("3 m/s", WHY) == 0 && line_with("2 hold, 0 fail", "") && !strstr(said, "known deviation"));
    CHECK(verify("5 m/s", ", known_deviation: they measured in honey") == 2 && line_with("case.yaml:5:", "it wants all three"));
    CHECK(verify("5 m/s", ", above: 2 m/s") == 2);
}

/* "x='12'" behind a place; −1. */
static double number_behind(const char *at, const char *name)
{
    const char *found = at ? strstr(at, name) : NULL;
    return found ? strtod(found + strlen(name), NULL) : -1;
}

TEST(legends)
{
    CHECK(verify("3 m/s", "") == 0);
    FILE *page = fopen("results/verify.html", "r");
    static char html[1 << 18];
    html[page ? fread(html, 1, sizeof html - 1, page) : 0] = '\0';
    if (page) fclose(page);
    const char *figure = strstr(html, "<svg"), *frame = figure ? strstr(figure, "class='frame'") : NULL;
    const char *across = frame ? strchr(frame, 'H') : NULL;
    const double right = across ? strtod(across + 1, NULL) : -1, whole = number_behind(figure, "width='");
    int legends = 0;
    CHECK(right > 0 && whole > right);
    for (const char *at = figure; at && (at = strstr(at, "class='legend'")); at++, legends++) {
        const double x = number_behind(at, "x='");
        CHECK(x > right);
        const char *text = strchr(at, '>'), *end = text ? strchr(text, '<') : NULL;
        CHECK(text && end && x + 6.2 * (double)(end - text - 1) <= whole); /* a letter of sans at 13 px is 6 to 7 wide in the mean */
    }
    CHECK(legends == 2);
}

int main(int argc, char **argv)
{
    make_folder();
    RUN(verdicts);
    RUN(legends);
    if (chdir("/") == 0) remove_folder();
    return TEST_RESULT;
}
