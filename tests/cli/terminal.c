/* What the command says fits where it goes: the table of a sweep a terminal of 80 letters or as many as it has, the progress of a run a log. */
#include <fcntl.h>
#include <pty.h>
#include <signal.h>
#include <time.h>

#include "scenes.h"

static const char SCENE[] = "gravity: [0, -9.81]\n"
                            "time: {end: 10 ms, step: 1 ms}\n"
                            "parameters: {drop_height_of_the_ball: 1 m}\n"
                            "materials: {stone: {density: 2000 kg/m^3}}\n"
                            "bodies: {ball: {position: [0, drop_height_of_the_ball], shapes: [{disk: {radius: 0.1, material: stone}}]}}\n"
                            "probes: {height: {body: ball, quantity: y}, speed: {body: ball, quantity: vy}}\n";

/* Letters of the longest line; how many lines begin a block: with the name of what varies. */
static int longest_line(const char *text, int *blocks)
{
    int longest = 0;
    *blocks = 0;
    for (const char *line = text; *line;) {
        const size_t n = strcspn(line, "\r\n");
        longest = (int)n > longest ? (int)n : longest;
        const char *name = strstr(line, "drop_height_of_the_ball ");
        *blocks += name && name < line + n;
        line += n + (line[n] != '\0');
    }
    return longest;
}

/* The sweep with its table on a terminal of so many letters, or in a file. */
static const char *table(int columns)
{
    static char text[60000];
    int n = 0, master = -1, slave = -1;
    const struct winsize size = {.ws_row = 50, .ws_col = (unsigned short)columns};
    fflush(NULL);
    if (columns > 0) CHECK(openpty(&master, &slave, NULL, NULL, &size) == 0);
    else slave = open("table", O_RDWR | O_CREAT | O_TRUNC, 0666);
    const pid_t child = fork();
    if (child == 0) {
        const int silent = open("/dev/null", O_WRONLY);
        dup2(slave, 1), dup2(silent, 2);
        execl(TALUS_COMMAND, "talus", "sweep", "a.yaml", "--vary", "drop_height_of_the_ball=1,2", "-o", "sweep", "--force", (char *)NULL);
        _exit(99);
    }
    close(slave);
    if (columns <= 0) {
        waitpid(child, NULL, 0);
        master = open("table", O_RDONLY);
    }
    for (ssize_t got; (got = read(master, text + n, sizeof text - 1 - (size_t)n)) > 0;) n += (int)got; /* a terminal ends with EIO */
    text[n] = '\0';
    close(master);
    if (columns > 0) waitpid(child, NULL, 0);
    return text;
}

TEST(table_of_a_sweep)
{
    int blocks;
    write_file("a.yaml", SCENE);
    CHECK(longest_line(table(0), &blocks) <= 80 && blocks > 1);
    const int narrow = blocks;
    CHECK(longest_line(table(60), &blocks) <= 60 && blocks > narrow);
    CHECK(longest_line(table(120), &blocks) <= 120 && blocks < narrow);
    const char *wide = table(1000);
    const int all = longest_line(wide, &blocks);
    CHECK(all > 120 && all <= 1000 && blocks == 1);
    /* nothing is lost: every column of the comparison, in some block */
    static char head[4096];
    FILE *csv = fopen("sweep/sweep.csv", "r");
    CHECK(csv && fgets(head, sizeof head, csv));
    const char *narrow_table = table(60);
    for (char *word = strtok(head, ",\n"); word; word = strtok(NULL, ",\n"))
        if (!strstr(narrow_table, word)) TEST_FAIL("the table lacks the column '%s'", word);
    if (csv) fclose(csv);
}

/* A log gets whole lines, the first soon, and no letters that move a cursor. */
TEST(progress_in_a_log)
{
    static char log[60000];
    char scene[2000];
    snprintf(scene, sizeof scene, "%s%s", SCENE, "output: {series: {every: 100 s}, frames: {every: 1000 s}}\n");
    write_file("a.yaml", scene);
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        const int to = open("log", O_WRONLY | O_CREAT | O_TRUNC, 0666);
        dup2(to, 2);
        execl(TALUS_COMMAND, "talus", "run", "a.yaml", "-o", "logged", "--until", "100000", (char *)NULL);
        _exit(99);
    }
    for (int i = 0; i < 100 && !strchr(log, '\n'); i++) { /* ten seconds on a loaded machine */
        nanosleep(&(struct timespec){0, 100000000}, NULL);
        FILE *in = fopen("log", "r");
        log[in ? fread(log, 1, sizeof log - 1, in) : 0] = '\0';
        if (in) fclose(in);
    }
    kill(child, SIGTERM);
    waitpid(child, NULL, 0);
    CHECK(strstr(log, " of 1e+05 s   ") != NULL && strstr(log, " left\n") != NULL);
    CHECK(!strchr(log, '\r') && !strchr(log, '\033'));
}

int main(int argc, char **argv)
{
    make_folder();
    RUN(table_of_a_sweep);
    RUN(progress_in_a_log);
    if (chdir("/") == 0) remove_folder();
    return TEST_RESULT;
}
