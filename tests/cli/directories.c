/* The directory of a run: one run at a time, nothing of others overwritten unasked, saved soon and by every signal, and never a device replaced. */
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <time.h>

#include "scenes.h"

static const char SCENE[] = "gravity: [0, -9.81]\n"
                            "time: {end: 50 ms, step: 1 ms}\n"
                            "materials: {stone: {density: 2000 kg/m^3}}\n"
                            "interactions: [{friction: 0.5}]\n"
                            "bodies:\n"
                            "  floor: {kind: fixed, shapes: [{half_plane: {point: [0, 0], normal: [0, 1], material: stone}}]}\n"
                            "  ball: {position: [0, 1], shapes: [{disk: {radius: 0.1, material: stone}}]}\n";
/* The same for longer than any test waits. */
static const char LONG[] = "gravity: [0, -9.81]\n"
                           "time: {end: 100000 s, step: 1 ms}\n"
                           "materials: {stone: {density: 2000 kg/m^3}}\n"
                           "interactions: [{friction: 0.5, restitution: 0.5}]\n"
                           "bodies:\n"
                           "  floor: {kind: fixed, shapes: [{half_plane: {point: [0, 0], normal: [0, 1], material: stone}}]}\n"
                           "  ball: {position: [0, 1], velocity: [1, 0], angular_velocity: 3, shapes: [{disk: {radius: 0.1, material: stone}}]}\n"
                           "output: {series: {every: 100 s}, frames: {every: 1000 s}}\n";

static bool is_there(const char *path) { return access(path, F_OK) == 0; }

static void pause_for(double seconds)
{
    const struct timespec t = {(time_t)seconds, (long)(1e9 * (seconds - floor(seconds)))};
    nanosleep(&t, NULL);
}

/* A file's text, its first 60000 bytes. */
static const char *text_of(const char *path)
{
    static char text[2][60000];
    static int next;
    char *out = text[next++ % 2];
    FILE *in = fopen(path, "rb");
    const size_t n = in ? fread(out, 1, sizeof text[0] - 1, in) : 0;
    out[n] = '\0';
    if (in) fclose(in);
    return out;
}

/* `talus run SCENE -o DIR`, in the background. */
static pid_t begin(const char *scene, const char *directory)
{
    fflush(NULL);
    const pid_t child = fork();
    if (child != 0) return child;
    const int silent = open("/dev/null", O_WRONLY);
    dup2(silent, 2);
    execl(TALUS_COMMAND, "talus", "run", scene, "-o", directory, "--quiet", (char *)NULL);
    _exit(99);
}

/* Waits at most so long for a file to be there. */
static bool appears(const char *path, double seconds)
{
    for (int i = 0; i < (int)(100 * seconds) && !is_there(path); i++) pause_for(0.01);
    return is_there(path);
}

static int end_of(pid_t child)
{
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* ---- one at a time ------------------------------------------------------------------------------------------------------ */

TEST(two_runs_in_one_directory)
{
    char pid[40];
    write_file("long.yaml", LONG);
    const pid_t first = begin("long.yaml", "both");
    CHECK(appears("both/series.csv", 20));
    CHECK(talus("run long.yaml -o both --force") == 2);
    snprintf(pid, sizeof pid, "process %ld ", (long)first);
    CHECK(line_with("another run writes to 'both'", pid));
    CHECK(talus("run long.yaml -o both --resume") == 2 && line_with("another run writes to 'both'", pid));
    kill(first, SIGTERM);
    CHECK(end_of(first) == 130);
    CHECK(!is_there("both/run.lock"));
    /* what the first wrote is whole: it goes on from there */
    CHECK(talus("run long.yaml -o both --resume --until 1") == 0);
    const pid_t second = begin("long.yaml", "killed");
    CHECK(appears("killed/run.lock", 20) && appears("killed/trajectory.h5", 20));
    kill(second, SIGKILL); /* its lock goes with it */
    CHECK(end_of(second) == 128 + SIGKILL);
    CHECK(talus("run long.yaml -o killed --force --until 1") == 0);
}

TEST(two_sweeps_in_one_directory)
{
    write_file("long.yaml", LONG);
    fflush(NULL);
    const pid_t first = fork();
    if (first == 0) {
        const int silent = open("/dev/null", O_WRONLY);
        dup2(silent, 1), dup2(silent, 2);
        execl(TALUS_COMMAND, "talus", "sweep", "long.yaml", "--vary", "bodies.ball.angular_velocity=1,2", "-o", "sweep", (char *)NULL);
        _exit(99);
    }
    CHECK(appears("sweep/angular_velocity=1/series.csv", 20) || appears("sweep/bodies.ball.angular_velocity=1/series.csv", 5));
    CHECK(talus("sweep long.yaml --vary bodies.ball.angular_velocity=1,2 -o sweep --force") == 2 && line_with("another run writes to 'sweep'", "process"));
    kill(first, SIGHUP); /* the terminal is closed: all save what they have */
    CHECK(end_of(first) == 130);
}

/* ---- what is there stays -------------------------------------------------------------------------------------------------- */

TEST(results_of_others_stay)
{
    write_file("a.yaml", SCENE);
    mkdir("stranger", 0777);
    write_file("stranger/series.csv", "time,my years of work\n0,1\n");
    CHECK(talus("run a.yaml -o stranger") == 2 && line_with("'stranger/series.csv'", "--force"));
    CHECK(strcmp(text_of("stranger/series.csv"), "time,my years of work\n0,1\n") == 0 && !is_there("stranger/scene.yaml"));
    CHECK(talus("run a.yaml -o mine") == 0);
    CHECK(talus("run a.yaml -o mine") == 0); /* the same once more loses nothing */
    const char *before = text_of("mine/series.csv");
    CHECK(talus("run a.yaml -o mine --set bodies.ball.angle=0.5") == 2 && line_with("'mine'", "--force"));
    CHECK(talus("run a.yaml -o mine --resume --force") == 2 && line_with("--resume", "one of them"));
    CHECK(strcmp(before, text_of("mine/series.csv")) == 0 && strstr(text_of("mine/summary.json"), "\"done\""));
    CHECK(talus("run a.yaml -o mine --set bodies.ball.angle=0.5 --force") == 0);
    CHECK(talus("run a.yaml -o stranger --force") == 0 && !strstr(text_of("stranger/series.csv"), "years"));
    CHECK(talus("run a.yaml --set bodies.ball.angle=0.5") == 0 && talus("run a.yaml") == 2); /* out/a, twice */
}

TEST(a_scene_is_not_overwritten_by_its_run)
{
    mkdir("here", 0777);
    write_file("here/scene.yaml", SCENE);
    CHECK(talus("run here/scene.yaml -o here --force") == 2 && line_with("here/scene.yaml", "the scene itself"));
    CHECK(strcmp(text_of("here/scene.yaml"), SCENE) == 0);
}

TEST(sweeps_keep_what_others_left)
{
    write_file("a.yaml", SCENE);
    CHECK(talus("sweep a.yaml --vary bodies.ball.angle=0,1 -o swept") == 0);
    CHECK(talus("sweep a.yaml --vary bodies.ball.angle=0,1 -o swept") == 0);
    const char *row = "swept/bodies.ball.angle=1/summary.json";
    CHECK(is_there(row));
    CHECK(talus("sweep a.yaml --vary bodies.ball.angle=0,1 -o swept --set bodies.ball.angular_velocity=1") == 2 && line_with("swept/", "--force"));
    CHECK(is_there(row) && is_there("swept/bodies.ball.angle=0/series.csv"));
    CHECK(talus("sweep a.yaml --vary bodies.ball.angle=0,1 -o swept --set bodies.ball.angular_velocity=1 --force") == 0);
}

/* ---- saved in time ---------------------------------------------------------------------------------------------------------- */

static double time_in_summary(const char *path)
{
    const char *at = strstr(text_of(path), "\"time_end\": ");
    return at ? strtod(at + strlen("\"time_end\": "), NULL) : (double)NAN;
}

/* Killed: what is saved goes on to the bits of a run that was left alone. How soon it is saved, and how much of a run is: unit.checkpoint_due_io. */
TEST(killed_early)
{
    char hash[40] = "";
    write_file("long.yaml", LONG);
    const pid_t run = begin("long.yaml", "early");
    CHECK(appears("early/checkpoint.h5", 60));
    kill(run, SIGKILL);
    CHECK(end_of(run) == 128 + SIGKILL);
    CHECK(talus("run long.yaml -o early") == 2 && line_with("--resume", "--force")); /* not thrown away by a word forgotten */
    CHECK(talus("run long.yaml -o early --resume --until 0.001") == 0);              /* as it was saved, for it is past that time */
    const double saved = time_in_summary("early/summary.json");
    CHECK(saved > 0.001);
    CHECK(talus("run long.yaml -o early --resume --until %.17g", ceil(saved) + 1) == 0);
    const char *at = strstr(text_of("early/summary.json"), "\"state_hash\"");
    if (at) snprintf(hash, sizeof hash, "%.34s", at);
    CHECK(talus("run long.yaml -o whole --until %.17g", ceil(saved) + 1) == 0);
    CHECK(hash[0] && strstr(text_of("whole/summary.json"), hash));
}

static void saves_on(int number, const char *directory)
{
    write_file("long.yaml", LONG);
    const pid_t run = begin("long.yaml", directory);
    char path[64];
    snprintf(path, sizeof path, "%s/trajectory.h5", directory);
    CHECK(appears(path, 20));
    pause_for(0.3);
    kill(run, number);
    CHECK(end_of(run) == 130);
    snprintf(path, sizeof path, "%s/summary.json", directory);
    CHECK(strstr(text_of(path), "\"status\": \"interrupted\"") != NULL);
    CHECK(talus("run long.yaml -o %s --resume --until %.17g", directory, ceil(time_in_summary(path)) + 1) == 0);
}

TEST(closed_terminal) { saves_on(SIGHUP, "hangup"); }
TEST(terminated) { saves_on(SIGTERM, "term"); }

/* nohup: the hang-up is not for this run. A broken pipe of its messages is none of its business either. */
TEST(left_alone)
{
    write_file("long.yaml", LONG);
    signal(SIGHUP, SIG_IGN);
    const pid_t run = begin("long.yaml", "nohup");
    signal(SIGHUP, SIG_DFL);
    CHECK(appears("nohup/trajectory.h5", 20));
    pause_for(0.3);
    kill(run, SIGHUP);
    kill(run, SIGPIPE);
    pause_for(0.3);
    CHECK(waitpid(run, NULL, WNOHANG) == 0);
    kill(run, SIGINT);
    CHECK(end_of(run) == 130);
}

/* Contact problems of an earlier run would be taken for this one's. */
TEST(problems_of_another_run_go)
{
    struct stat s;
    write_file("a.yaml", SCENE);
    CHECK(talus("run a.yaml -o problems-run -f --dump-problems 0.03") == 0);
    (void)mkdir("problems-run/problems", 0777); /* it may be there */
    write_file("problems-run/problems/step-00099999.hdf5", "of another run");
    write_file("problems-run/problems/notes.txt", "the user's own");
    CHECK(talus("run a.yaml -o problems-run -f --set time.end=0.1") == 0);
    CHECK(stat("problems-run/problems/step-00099999.hdf5", &s) != 0 && stat("problems-run/problems/notes.txt", &s) == 0);
}

/* ---- devices and pipes ------------------------------------------------------------------------------------------------------ */

TEST(devices_stay_devices)
{
    struct stat s;
    write_file("a.yaml", SCENE);
    CHECK(talus("run a.yaml -o run --dump-problems 0.05") == 0);
    CHECK(mkfifo("pipe", 0666) == 0 && mkfifo("pipe.png", 0666) == 0);
    CHECK(talus("run a.yaml -o pipe") == 2 && line_with("'pipe'", "directory"));
    const int keep_open = open("pipe", O_RDWR), keep_png = open("pipe.png", O_RDWR); /* so that writing does not wait for a reader */
    fcntl(keep_open, F_SETPIPE_SZ, 1 << 20);
    CHECK(keep_open >= 0 && keep_png >= 0);
    if (talus("view run -o run/page.html") == 0) { /* where the viewer was built: what goes through the pipe is the page */
        stat("run/page.html", &s);
        const long size = (long)s.st_size;
        char *page = malloc((size_t)size + 1);
        const pid_t writer = fork();
        if (writer == 0) _exit(talus("view run -o pipe"));
        long got = 0;
        for (ssize_t n = 1; page && got < size && n > 0; got += n) n = read(keep_open, page + got, (size_t)(size - got));
        CHECK(got == size && end_of(writer) == 0);
        free(page);
    }
    (void)talus("shot run -o pipe.png");
    mkdir("problems", 0777);
    const char *problem = "run/problems/step-00000050.hdf5";
    if (is_there(problem)) CHECK(talus("solve %s -o pipe", problem) == 2 && line_with("'pipe'", "regular file"));
    CHECK(stat("pipe", &s) == 0 && S_ISFIFO(s.st_mode));
    CHECK(stat("pipe.png", &s) == 0 && S_ISFIFO(s.st_mode));
    CHECK(!is_there("pipe.tmp"));
    close(keep_open), close(keep_png);
}

int main(int argc, char **argv)
{
    make_folder();
    RUN(two_runs_in_one_directory);
    RUN(two_sweeps_in_one_directory);
    RUN(results_of_others_stay);
    RUN(a_scene_is_not_overwritten_by_its_run);
    RUN(sweeps_keep_what_others_left);
    RUN(killed_early);
    RUN(closed_terminal);
    RUN(terminated);
    RUN(left_alone);
    RUN(problems_of_another_run_go);
    RUN(devices_stay_devices);
    if (chdir("/") == 0) remove_folder();
    return TEST_RESULT;
}
