/* talus film: as many pictures as the times ask for, from one camera; ffmpeg missing, failing, hanging; names that look like something else.
 * 77, skipped, where there is no ffmpeg, after what needs none. */
#include "shot.h"

#include <signal.h>

/* Thrown straight up at 6 m/s, g = 10 m/s², beside a fixed plate. */
static const char THROW[] = "gravity: [0, -10]\n"
                            "time: {end: 1.2 s, step: 1 ms}\n"
                            "bodies:\n"
                            "  plate: {kind: fixed, position: [0, -0.5], shapes: [{box: {size: [2.2, 0.2], material: stone}}]}\n"
                            "  stone: {position: [0.4, 0], velocity: [0, 6], shapes: [{disk: {radius: 0.15, material: stone}}]}\n"
                            "materials: {stone: {density: 2000 kg/m^3}}\n"
                            "output: {frames: {every: 20 ms}}\n";

static void throw_stone(void)
{
    write_text("throw.yaml", THROW);
    talus("run throw.yaml -o throw --quiet", NULL, 0);
}

static bool is_there(const char *name)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", home, name);
    return access(path, F_OK) == 0;
}

/* What a command of the shell prints, run in home. */
static size_t from_shell(const char *command, unsigned char *out, size_t room)
{
    char line[1024];
    snprintf(line, sizeof line, "cd '%s' && %s", home, command);
    FILE *pipe = popen(line, "r");
    if (!pipe) exit(1);
    size_t n = 0, got;
    while (n < room && (got = fread(out + n, 1, room - n, pipe)) > 0) n += got;
    pclose(pipe);
    return n;
}

/* ---- without ffmpeg ----------------------------------------------------------------------------------------------- */

TEST(missing)
{
    char said[2048];
    throw_stone();
    setenv("PATH", "/nowhere", 1);
    const int code = talus("film throw -o a.mp4", said, sizeof said);
    CHECK(code == 2 && strstr(said, "cannot run ffmpeg") && strstr(said, "apt install ffmpeg") && strstr(said, "talus shot throw --frames 0: -o picture.png"));
    CHECK(!is_there("a.mp4") && !is_there("a.mp4.part"));
}

/* A program by the name of ffmpeg that says its version, and then does what is wanted. */
static void pretend(const char *does)
{
    char text[512], path[1024];
    snprintf(path, sizeof path, "%s/bin", home);
    mkdir(path, 0777);
    snprintf(text, sizeof text, "#!/bin/sh\n[ \"$1\" = -version ] && exit 0\n%s\n", does);
    write_text("bin/ffmpeg", text);
    snprintf(path, sizeof path, "%s/bin/ffmpeg", home);
    chmod(path, 0777);
    snprintf(path, sizeof path, "%s/bin:%s", home, getenv("PATH"));
    setenv("PATH", path, 1);
}

/* What ffmpeg says is passed on; the old film stays. */
TEST(failing)
{
    char said[2048];
    throw_stone();
    pretend("for last; do :; done; echo half > \"${last#file:}\"; echo 'no such encoder here' >&2; exit 3");
    write_text("old.mp4", "an older film");
    const int code = talus("film throw -o old.mp4", said, sizeof said);
    CHECK(code == 2 && strstr(said, "no such encoder here") && strstr(said, "ended with code 3"));
    CHECK(from_shell("cat old.mp4", (unsigned char *)said, 13) == 13 && memcmp(said, "an older film", 13) == 0);
    CHECK(!is_there("old.mp4.part"));
}

/* Interrupted while ffmpeg does not read: both end, and nothing is left. */
TEST(interrupted)
{
    char said[256] = "", text[2048];
    throw_stone();
    pretend("echo $$ > pid; exec sleep 300");
    snprintf(text, sizeof text,
             "'%s' film throw -o a.mp4 >log 2>&1 & n=0; until [ -s pid ] || [ $n -gt 200 ]; do sleep 0.05; n=$((n+1)); done; sleep 0.2; kill -TERM $!; wait "
             "$!; echo $?",
             TALUS_COMMAND);
    from_shell(text, (unsigned char *)said, sizeof said - 1);
    CHECK(atoi(said) == 130);
    memset(said, 0, sizeof said);
    from_shell("cat pid", (unsigned char *)said, sizeof said - 1);
    CHECK(atoi(said) > 1 && kill(atoi(said), 0) != 0);
    CHECK(!is_there("a.mp4") && !is_there("a.mp4.part"));
    memset(said, 0, sizeof said);
    from_shell("cat log", (unsigned char *)said, sizeof said - 1);
    CHECK(strstr(said, "interrupted"));
}

/* What it is told: no shell reads a name, and none looks like an option. */
TEST(words)
{
    char said[4096] = "";
    throw_stone();
    pretend("for word; do echo \"<$word>\"; done > words; cat >/dev/null; for last; do :; done; echo film > \"${last#file:}\"");
    CHECK(talus("film throw --fps 30 --size 400x300 -o '-f $(touch pwned);x.webm'", said, sizeof said) == 0);
    CHECK(is_there("-f $(touch pwned);x.webm") && !is_there("pwned"));
    memset(said, 0, sizeof said);
    from_shell("cat words", (unsigned char *)said, sizeof said - 1);
    CHECK(strstr(said, "<file:-f $(touch pwned);x.webm.part>\n") && strstr(said, "<400x300>\n") && strstr(said, "<30>\n") && strstr(said, "<libvpx-vp9>\n"));
}

TEST(wrong)
{
    static const char *const CASES[][2] = {
        {"film throw", "-o FILM"},
        {"film -o a.mp4", "directory of a run"},
        {"film throw -o a.avi", "a film is a .mp4, .webm or .gif, which 'a.avi' is not"},
        {"film throw -o .mp4", "which '.mp4' is not"},
        {"film throw --fps 0 -o a.mp4", "--fps wants pictures a second, from 0.1 to 1000, not '0'"},
        {"film throw --fps 25x -o a.mp4", "not '25x'"},
        {"film throw --speed 0 -o a.mp4", "--speed wants"},
        {"film throw --speed nan -o a.mp4", "not 'nan'"},
        {"film throw --speed 1e-6 -o a.mp4", "30000001 pictures, more than a million"},
        {"film throw --fit frame -o a.mp4", "that option is not known"},
        {"film throw --from 5 -o a.mp4", "'throw' has no such frame; there are 0 to 60"},
        {"film throw --hide brick -o a.mp4", "no body is called 'brick'"},
        {"film nowhere -o a.mp4", "nowhere/trajectory.h5"},
        {"film throw -o dir.mp4", "'dir.mp4' is no file"},
        {"film throw -o /nowhere/a.gif", "ended with code 1"},
    };
    char said[4096];
    throw_stone();
    pretend("cat > /dev/null; for last; do :; done; echo film > \"${last#file:}\" || exit 1");
    snprintf(said, sizeof said, "%s/dir.mp4", home);
    mkdir(said, 0777);
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        const int code = talus(CASES[i][0], said, sizeof said);
        if (code != 2 || !strstr(said, CASES[i][1])) TEST_FAIL("talus %s: %d: %s", CASES[i][0], code, said);
        if (is_there("a.mp4") || is_there("a.mp4.part")) TEST_FAIL("talus %s left a film", CASES[i][0]);
    }
}

/* ---- with ffmpeg -------------------------------------------------------------------------------------------------- */

enum { WIDE = 320, HIGH = 481 }; /* a video of odd height gets one row more */

/* Pictures of a film as they are seen, decoded by ffmpeg, bytes of red, green, blue; how many. */
static int decode(const char *name, int height, unsigned char **out)
{
    char command[256];
    const size_t picture = 3 * (size_t)WIDE * (size_t)height, room = 300 * picture;
    *out = malloc(room);
    if (!*out) exit(1);
    snprintf(command, sizeof command, "ffmpeg -v error -nostdin -i 'file:%s' -f rawvideo -pix_fmt rgb24 pipe:1", name);
    const size_t n = from_shell(command, *out, room);
    CHECK(n % picture == 0);
    return (int)(n / picture);
}

/* Mean row and column of the pixels of a picture that are dark (the plate) or as light as stone. */
static bool find(const unsigned char *rgb, int height, bool plate, double at[2])
{
    double n = 0;
    at[0] = at[1] = 0;
    for (int y = 0; y < height - 30; y++)
        for (int x = 0; x < WIDE; x++) {
            const unsigned char *c = rgb + 3 * ((size_t)y * WIDE + (size_t)x);
            const bool is = plate ? c[0] < 140 && c[2] < 160 && abs(c[0] - c[2]) < 40 : c[0] > 150 && c[0] < 240 && c[0] > c[2] + 6;
            if (is) at[0] += x, at[1] += y, n++;
        }
    for (int k = 0; k < 2; k++) at[k] /= n;
    return n > 50;
}

/* Every tenth picture: the plate is where it was, and the stone at 6 t − 5 t². */
static void check_motion(const unsigned char *film, int height, int pictures, double pace)
{
    double plate[2], begin[2], at[2];
    CHECK(find(film, height, true, plate) && find(film, height, false, begin));
    const double scale = (plate[1] - begin[1]) / 0.5; /* the plate lies 0.5 m below the stone */
    for (int k = 0; k < pictures; k += 10) {
        const unsigned char *rgb = film + 3 * (size_t)k * WIDE * (size_t)height;
        const double t = pace * k, rise = 6 * t - 5 * t * t;
        if (!find(rgb, height, true, at)) TEST_FAIL("no plate in picture %d", k);
        CHECK_NEAR(at[0], plate[0], 0.5);
        CHECK_NEAR(at[1], plate[1], 0.5);
        if (!find(rgb, height, false, at)) TEST_FAIL("no stone in picture %d", k);
        CHECK_NEAR(begin[1] - at[1], rise * scale, 2.5); /* pixels; the nearest frame is 10 ms away at most */
    }
}

/* 1.2 s, 25 pictures a second: 31. At a fifth of the speed 151; at 50 a second 61. */
TEST(films)
{
    static const struct {
        const char *arguments, *name;
        int pictures, height;
        double pace;
    } CASES[] = {{"film throw --size 320x481 -o a.mp4", "a.mp4", 31, HIGH + 1, 0.04},
                 {"film throw --size 320x481 --speed 0.2 -o b.webm", "b.webm", 151, HIGH + 1, 0.008},
                 {"film throw --size 320x481 --fps 50 --no-forces -o c.gif", "c.gif", 61, HIGH, 0.02},
                 {"film throw --size 320x481 --fps 50 --from 0.2 --to 0.6 -o -%d.mp4", "-%d.mp4", 21, HIGH + 1, 0}};
    throw_stone();
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        unsigned char *film;
        talus(CASES[i].arguments, NULL, 0);
        const int n = decode(CASES[i].name, CASES[i].height, &film);
        if (n != CASES[i].pictures) TEST_FAIL("%s has %d pictures, not %d", CASES[i].name, n, CASES[i].pictures);
        else if (CASES[i].pace > 0) check_motion(film, CASES[i].height, n, CASES[i].pace);
        free(film);
    }
    /* one that is there is replaced */
    unsigned char *film;
    talus("film throw --size 320x481 --fps 50 -o a.mp4", NULL, 0);
    CHECK(decode("a.mp4", HIGH + 1, &film) == 61);
    free(film);
}

int main(int argc, char **argv)
{
    snprintf(home, sizeof home, "/tmp/talus-film-XXXXXX");
    if (!mkdtemp(home)) return 1;
    const bool there = system("ffmpeg -version >/dev/null 2>&1") == 0;
    RUN(missing);
    RUN(failing);
    RUN(interrupted);
    RUN(words);
    RUN(wrong);
    if (there) RUN(films);
    nftw(home, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    const int result = TEST_RESULT;
    if (!there && result == 0) printf("skipped: ffmpeg is not installed\n");
    return there || result ? result : 77;
}
