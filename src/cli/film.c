/* talus film: frames of a run through a pipe to ffmpeg, which is run as a program, without a shell. A film takes the place of an older one only when it is
 * whole. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/look.h"

extern char **environ;

static volatile sig_atomic_t interrupted;

static void on_signal(int signal_number)
{
    (void)signal_number;
    interrupted = 1;
}

/* What ffmpeg is told of each kind of film. Videos have sides of even length and colours of HD television; a picture of a .gif has its own palette. */
#define EVEN "pad=ceil(iw/2)*2:ceil(ih/2)*2:0:0:0xFBFAF7,scale=out_color_matrix=bt709:out_range=tv"
#define HD   "-pix_fmt", "yuv420p", "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709", "-color_range", "tv"
enum { MOST_WORDS = 32 };
static const struct {
    const char *suffix, *word[MOST_WORDS];
} KINDS[] = {
    {".mp4", {"-vf", EVEN, "-c:v", "libx264", "-crf", "18", HD, "-movflags", "+faststart", "-f", "mp4"}},
    {".webm", {"-vf", EVEN, "-c:v", "libvpx-vp9", "-crf", "28", "-b:v", "0", "-row-mt", "1", "-cpu-used", "4", HD, "-f", "webm"}},
    {".gif", {"-filter_complex", "split[a][b];[a]palettegen=stats_mode=single[p];[b][p]paletteuse=new=1:dither=bayer:bayer_scale=4", "-f", "gif"}},
};
enum { KINDS_COUNT = sizeof KINDS / sizeof *KINDS };

typedef struct film {
    tl_look look;
    talus_pictures *pictures;
    double fps, speed;
    int kind;
    int *frame, *used; /* of the run, for each picture of the film; those that it has, each once */
    int count, distinct;
    int width, height;
    const char *path;
    char part[4096]; /* what is written until the film is whole */
    pid_t process;   /* of ffmpeg; 0: none */
    int pipe;        /* to it; −1: none */
    bool begun;      /* a film was */
} film;

/* ---- ffmpeg ------------------------------------------------------------------------------------------------------- */

/* Starts it with a pipe to its input, in a process group of its own: an interrupt is for talus, which knows what to do with it. Returns errno. */
static int start(film *f, char *const *argv)
{
    int ends[2], code;
    posix_spawn_file_actions_t files;
    posix_spawnattr_t how;
    sigset_t usual;
    if (pipe2(ends, O_CLOEXEC) != 0) return errno;
    sigemptyset(&usual);
    sigaddset(&usual, SIGPIPE), sigaddset(&usual, SIGINT), sigaddset(&usual, SIGTERM), sigaddset(&usual, SIGHUP);
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, ends[0], 0);
    posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0);
    posix_spawnattr_init(&how);
    posix_spawnattr_setflags(&how, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
    posix_spawnattr_setpgroup(&how, 0);
    posix_spawnattr_setsigdefault(&how, &usual);
    code = posix_spawnp(&f->process, argv[0], &files, &how, argv, environ);
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&how);
    close(ends[0]);
    if (code != 0) f->process = 0, close(ends[1]);
    else f->pipe = ends[1];
    return code;
}

/* Its exit code, −1 where a signal ended it; ends it first, if it is not to come to its end. */
static int finish(film *f, bool at_once)
{
    int status = 0;
    if (f->process == 0) return -1;
    if (f->pipe >= 0) close(f->pipe);
    f->pipe = -1;
    if (at_once) kill(f->process, SIGKILL);
    while (waitpid(f->process, &status, 0) < 0 && errno == EINTR)
        if (interrupted) kill(f->process, SIGKILL);
    f->process = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Is there one at all? Asked first: all else takes time. */
static bool find_ffmpeg(film *f)
{
    char name[] = "ffmpeg", version[] = "-version";
    char *const argv[] = {name, version, NULL};
    const int code = start(f, argv);
    if (code == 0 && finish(f, false) == 0) return true;
    if (code == 0) fprintf(stderr, "talus film: ffmpeg is there, but 'ffmpeg -version' fails\n");
    else
        fprintf(stderr,
                "talus film: cannot run ffmpeg, which makes films of pictures: %s. Install it (Debian: apt install ffmpeg), "
                "or let 'talus shot %s --frames 0: -o picture.png' draw the pictures\n",
                strerror(code), f->look.def.directory);
    return false;
}

/* A path that begins with '-' or looks like an address is a file all the same: "file:" says so. */
static bool start_film(film *f)
{
    char size[32], rate[32], path[4200];
    const uint32_t one = 1;
    const char *const before[] = {"ffmpeg",
                                  "-hide_banner",
                                  "-loglevel",
                                  "error",
                                  "-nostdin",
                                  "-y",
                                  "-f",
                                  "rawvideo",
                                  "-pixel_format",
                                  *(const unsigned char *)&one ? "bgr0" : "0rgb",
                                  "-video_size",
                                  size,
                                  "-framerate",
                                  rate,
                                  "-i",
                                  "pipe:0",
                                  "-an"};
    enum { BEFORE = sizeof before / sizeof *before };
    const char *argv[BEFORE + MOST_WORDS + 2] = {NULL};
    int n = 0;
    snprintf(size, sizeof size, "%dx%d", f->width, f->height);
    snprintf(rate, sizeof rate, "%.6g", f->fps);
    snprintf(path, sizeof path, "file:%s", f->part);
    for (int i = 0; i < BEFORE; i++) argv[n++] = before[i];
    for (int i = 0; i < MOST_WORDS && KINDS[f->kind].word[i]; i++) argv[n++] = KINDS[f->kind].word[i];
    argv[n++] = path;
    const int code = start(f, (char *const *)(void *)argv);
    if (code != 0) fprintf(stderr, "talus film: cannot run ffmpeg: %s\n", strerror(code));
    f->begun = code == 0;
    return f->begun;
}

/* False: nobody reads it, or it was interrupted. */
static bool send_bytes(const film *f, const void *data, size_t bytes)
{
    const char *at = data;
    while (bytes > 0 && !interrupted) {
        const ssize_t n = write(f->pipe, at, bytes);
        if (n < 0 && errno != EINTR) return false;
        if (n > 0) at += n, bytes -= (size_t)n;
    }
    return !interrupted;
}

/* ---- the film ----------------------------------------------------------------------------------------------------- */

/* Which frame of the run each picture is: evenly spaced in time, the nearest of those that were asked for. */
static bool choose_frames(film *f)
{
    const int all = talus_pictures_frame_count(f->pictures);
    int *asked = calloc((size_t)all + TL_LOOK_TIMES, sizeof *asked);
    if (!asked) return false;
    const int n = tl_look_frames(&f->look, f->pictures, asked);
    double span = 0, pictures = 0;
    if (n > 0) {
        span = talus_pictures_time(f->pictures, asked[n - 1]) - talus_pictures_time(f->pictures, asked[0]);
        pictures = floor(span / f->speed * f->fps + 1e-6) + 1;
    }
    if (n == 0) fprintf(stderr, "talus film: '%s' has no such frame; there are 0 to %d\n", f->look.def.directory, all - 1);
    if (pictures > 1e6)
        fprintf(stderr, "talus film: %g s at --speed %g and --fps %g are %.0f pictures, more than a million\n", span, f->speed, f->fps, pictures);
    if (n > 0 && pictures <= 1e6) {
        f->frame = calloc((size_t)pictures, sizeof *f->frame);
        f->used = calloc((size_t)n, sizeof *f->used);
    }
    for (int i = 0, k = 0; f->frame && f->used && i < (int)pictures; i++) {
        const double t = talus_pictures_time(f->pictures, asked[0]) + i * f->speed / f->fps;
        while (k + 1 < n && fabs(talus_pictures_time(f->pictures, asked[k + 1]) - t) <= fabs(talus_pictures_time(f->pictures, asked[k]) - t)) k++;
        f->frame[f->count++] = asked[k];
        if (f->distinct == 0 || f->used[f->distinct - 1] != asked[k]) f->used[f->distinct++] = asked[k];
    }
    free(asked);
    return f->count > 0;
}

/* Draws and sends all pictures; EXIT_DONE, or EXIT_USAGE after it was said what is wrong, or EXIT_INTERRUPTED. */
static int send_pictures(film *f, char *message, size_t size)
{
    talus_pixels p = {0};
    const bool terminal = isatty(STDERR_FILENO);
    for (int i = 0; i < f->count && !interrupted; i++) {
        if (i == 0 || f->frame[i] != f->frame[i - 1])
            if (talus_pictures_draw(f->pictures, f->frame[i], &p, message, size) != TALUS_OK) {
                fprintf(stderr, "talus film: %s\n", message);
                return EXIT_USAGE;
            }
        f->width = p.width, f->height = p.height;
        if (i == 0 && !start_film(f)) return EXIT_USAGE;
        for (int y = 0; y < f->height; y++)
            if (!send_bytes(f, p.pixel + (size_t)y * (size_t)p.stride, 4 * (size_t)f->width)) return interrupted ? EXIT_INTERRUPTED : EXIT_FAILED;
        if (terminal) fprintf(stderr, "\rtalus: picture %d of %d ", i + 1, f->count);
    }
    if (terminal) fputs("\r\033[K", stderr);
    return interrupted ? EXIT_INTERRUPTED : EXIT_DONE;
}

static int make_film(film *f)
{
    char message[2048];
    struct stat about;
    if (talus_pictures_open(&f->look.def, &f->pictures, message, sizeof message) != TALUS_OK ||
        (choose_frames(f) && talus_pictures_choose(f->pictures, f->used, f->distinct, message, sizeof message) != TALUS_OK)) {
        fprintf(stderr, "talus film: %s\n", message);
        return EXIT_USAGE;
    }
    if (f->count == 0) return EXIT_USAGE;
    const int sent = send_pictures(f, message, sizeof message);
    const int said = finish(f, sent != EXIT_DONE && sent != EXIT_FAILED);
    if (sent == EXIT_INTERRUPTED || interrupted) {
        fprintf(stderr, "talus film: interrupted, no film was made\n");
        return EXIT_INTERRUPTED;
    }
    if (sent == EXIT_USAGE) return EXIT_USAGE;
    if (said != 0) {
        fprintf(stderr, said > 0 ? "talus film: ffmpeg made no film of it, and ended with code %d\n" : "talus film: ffmpeg was ended by a signal\n", said);
        return EXIT_USAGE;
    }
    if (stat(f->part, &about) != 0 || rename(f->part, f->path) != 0) {
        fprintf(stderr, "talus film: cannot write '%s': %s\n", f->path, strerror(errno));
        return EXIT_USAGE;
    }
    fprintf(stderr, "talus: %s: %.3g s, %d pictures of %d x %d, %.1f MB\n", f->path, f->count / f->fps, f->count, f->width, f->height,
            1e-6 * (double)about.st_size);
    return EXIT_DONE;
}

/* ---- the command -------------------------------------------------------------------------------------------------- */

static int kind_of(const char *path)
{
    const size_t length = strlen(path);
    for (int i = 0; i < KINDS_COUNT; i++) {
        const size_t own = strlen(KINDS[i].suffix);
        if (length > own && strcasecmp(path + length - own, KINDS[i].suffix) == 0) return i;
    }
    return -1;
}

static bool read_number(const char *text, double low, double high, double *out)
{
    char *end;
    *out = strtod(text, &end);
    return end != text && *end == '\0' && *out >= low && *out <= high;
}

static int check_path(film *f)
{
    struct stat about;
    f->kind = kind_of(f->path);
    if (f->kind < 0) return tl_usage("film", "a film is a .mp4, .webm or .gif, which '%s' is not", f->path);
    if (stat(f->path, &about) == 0 && !S_ISREG(about.st_mode)) return tl_usage("film", "'%s' is no file, and a film cannot take its place", f->path);
    if ((size_t)snprintf(f->part, sizeof f->part, "%s.part", f->path) >= sizeof f->part) return tl_usage("film", "that path is too long");
    return EXIT_DONE;
}

/* No SA_RESTART: a write that waits for ffmpeg ends. */
static void listen_to_signals(void)
{
    const struct sigaction stop = {.sa_handler = on_signal};
    struct sigaction before;
    sigaction(SIGINT, &stop, NULL);
    sigaction(SIGTERM, &stop, NULL);
    if (sigaction(SIGHUP, NULL, &before) == 0 && before.sa_handler != SIG_IGN) sigaction(SIGHUP, &stop, NULL);
    signal(SIGPIPE, SIG_IGN); /* ffmpeg's exit code says more */
}

int talus_film(int argc, char **argv)
{
    enum { FPS = TL_LOOK_OWN, SPEED };
    static const struct option OPTIONS[] = {
        {"fps", required_argument, NULL, FPS}, {"speed", required_argument, NULL, SPEED}, TL_LOOK_OPTIONS, {NULL, 0, NULL, 0}};
    film f = {.fps = 25, .speed = 1, .pipe = -1};
    int code = EXIT_DONE;
    tl_look_begin(&f.look);
    for (int c; code == EXIT_DONE && (c = getopt_long(argc, argv, TL_LOOK_LETTERS, OPTIONS, NULL)) != -1;) {
        if (c == FPS && !read_number(optarg, 0.1, 1000, &f.fps)) return tl_usage("film", "--fps wants pictures a second, from 0.1 to 1000, not '%s'", optarg);
        if (c == SPEED && !read_number(optarg, 1e-9, 1e9, &f.speed))
            return tl_usage("film", "--speed wants how many times faster than the run the film is, as 0.1 for slow motion, not '%s'", optarg);
        if (c != FPS && c != SPEED) code = tl_look_option(&f.look, "film", c);
    }
    if (code != EXIT_DONE) return code;
    f.path = f.look.def.path, f.look.def.path = NULL; /* pictures have none */
    if (optind != argc - 1 || !f.path) return tl_usage("film", "wants the directory of a run and -o FILM");
    code = check_path(&f);
    if (code != EXIT_DONE) return code;
    f.look.def.directory = argv[optind];
    listen_to_signals();
    if (!find_ffmpeg(&f)) return EXIT_USAGE;
    code = make_film(&f);
    if (code != EXIT_DONE && f.begun) unlink(f.part);
    talus_pictures_close(f.pictures);
    free(f.frame), free(f.used);
    return code;
}
