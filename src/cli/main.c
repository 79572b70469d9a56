/* The talus command and the table of its verbs, from which help, man page and completion are made (help.c). */
#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/help.h"
#include "talus/world.h"

/* What pictures and films ask alike. */
#define HOW_IT_LOOKS                                                                                                                                           \
    "  -v, --view A,E       in space: from azimuth A and elevation E, in degrees (default 30,25)\n"                                                            \
    "  -c, --colour WHAT    what colours say: role, velocity, force or material (default role); of finite-element\n"                                           \
    "                       solids also von-mises, pressure, displacement, plastic-strain or cap\n"                                                            \
    "      --limits A:B     the scale of colours goes from A to B (default: from 0 to what is reached)\n"                                                      \
    "  -S, --size WxH       in pixels (default: 1200 along the longer side)\n"                                                                                 \
    "      --hide NAMES     without these bodies: names with commas between them, * for any text, or grains, links, solids, boundaries,\n"                     \
    "                       and joints: what is drawn of these\n"                                                                                              \
    "      --fade NAMES     these bodies as glass\n"                                                                                                           \
    "      --deform K       displacements of finite-element solids are drawn K times as large\n"                                                               \
    "      --cut AXIS=X     in space: without what lies between the plane x=0.1, y= or z= (in metres) and the camera\n"                                        \
    "      --no-forces      without the network of contact forces"

static const verb VERBS[] = {
    {"run", "SCENE [-o DIR] [--threads N] [--until T] [--set path=value]... [--resume | --force] [--quiet] [--view] [--pace X] [--dump-problems T [--global]]",
     "run a scene; its results go to DIR (default out/NAME)\n"
     "  -o, --output DIR     where results go\n  -t, --threads N      threads, at most; 0: as many as there are cores (default: so many, up to 8); they rest "
     "where they do "
     "not pay; results do not depend on them\n"
     "  -u, --until T        end at T seconds instead of the scene's end\n  -s, --set PATH=VALUE override a value of the scene, or a parameter\n"
     "  -r, --resume         continue an interrupted run from its checkpoint\n"
     "  -f, --force          overwrite results of another scene, of other settings, or of a run that did not come to its end\n  -q, --quiet          no "
     "progress, no closing line; warnings and missed steps are said all the same\n"
     "  -v, --view           write the page of the run, too (talus view)\n"
     "  -p, --pace X         no faster than X times the clock, 1: real time; at the end it says by how much it fell behind\n"
     "  -d, --dump-problems T write the contact problem of a step every T seconds (0: of every step) to DIR/problems, for talus solve\n"
     "  -g, --global         these with masses and directions (fclib_global) instead of the Delassus operator (fclib_local)",
     talus_run},
    {"check", "SCENE [--set path=value]...", "read a scene and list every mistake in it\n  -s, --set PATH=VALUE override a value of the scene, or a parameter",
     talus_check},
    {"view", "DIR [-o PAGE.html] [--size MB]",
     "a run as one page for any browser: playback, forces, plots\n"
     "  -o, --output FILE    the page (default DIR/page.html)\n  -s, --size MB        the page is not larger (default 8)",
     talus_view},
    {"shot", "DIR [--time T]... [--frames FIRST:LAST:STRIDE] [--view AZIMUTH,ELEVATION] [--colour WHAT] [OPTION]... -o PICTURE",
     "draw frames of a run: .png, .svg or .pdf\n"
     "  -o, --output FILE    the picture; its suffix decides what it is; of several each has the number of its frame: picture-0042.png\n"
     "  -t, --time T         the frame nearest to T seconds; may be given again, for more pictures (default: the last)\n"
     "  -f, --frames F:L:S   frames F to L, every S-th, counted from 0; each may be left out\n"
     "      --from T, --to T only frames of these times, in seconds\n"
     "      --fit WHAT       camera and scales are for all frames drawn, for each frame, or for the whole run: drawn (default), frame or run\n" HOW_IT_LOOKS,
     talus_shot},
    {"film", "DIR [--fps N] [--speed S] [--frames FIRST:LAST:STRIDE] [--view AZIMUTH,ELEVATION] [--colour WHAT] [OPTION]... -o FILM",
     "make a film of a run: .mp4, .webm or .gif, by ffmpeg\n"
     "  -o, --output FILE    the film; its suffix decides what it is\n"
     "      --fps N          pictures a second (default 25)\n"
     "      --speed S        so many times faster than the run, as 0.1 for slow motion (default 1)\n"
     "  -f, --frames F:L:S   only frames F to L, every S-th, counted from 0; each may be left out\n"
     "      --from T, --to T only frames of these times, in seconds\n" HOW_IT_LOOKS,
     talus_film},
    {"export", "DIR --vtk OUT [--frames FIRST:LAST:STRIDE] [--from T] [--to T]",
     "write a run for ParaView\n  -o, --vtk OUT        where to: OUT/bodies.pvd, contacts.pvd, forces.pvd, mechanism.pvd, parts.pvd\n"
     "  -f, --frames F:L:S   frames F to L, every S-th, counted from 0; each may be left out\n      --from T, --to T only frames of these times, in seconds",
     talus_export},
    {"sweep", "SCENE --vary PATH=A,B,C [--vary PATH=...]... [-j N] [-o DIR] [--set path=value]... [--until T] [--resume | --force]",
     "run a scene once for each value, or each combination of values, and compare the runs\n"
     "  -v, --vary PATH=A,B,C values of a key of the scene, or of a parameter\n  -j, --jobs N         runs at once (default 1), which share the threads of "
     "one\n"
     "  -o, --output DIR     where to: a directory a run, sweep.csv, sweep.html (default out/NAME-sweep)\n"
     "  -s, --set PATH=VALUE as for run, for all of them\n  -u, --until T        end at T seconds instead of the scene's end\n"
     "  -r, --resume         leave what is finished, continue what is not\n"
     "  -f, --force          overwrite results of another scene, of other settings, or of runs that did not come to their end",
     talus_sweep},
    {"verify", "[CASE]... [-o DIR] [-j N] [--quick] [--list] [--cases DIR]",
     "run the papers' and the closed-form cases, and compare: one table\n"
     "  -o, --output DIR     keep the results there, with the table and the figures in verify.html\n  -j, --jobs N         runs side by side (default 1)\n"
     "  -q, --quick          without the long runs\n  -l, --list           the cases and their titles\n"
     "  -c, --cases DIR      where the cases are (default: TALUS_VERIFY, or those that came with talus)",
     talus_verify},
    {"bench",
     "[NAME | SCENE.yaml]... [--quick] [--threads N] [--steps N] [--settle N] [--until T] [--exact] [--accuracy] [--course] [--busy] [--json FILE] [--scene "
     "NAME]",
     "measure this machine on settled boxes of disks, spheres and stones, of spheres on soil of finite elements, on a plate on soil of particles,\n"
     "and on vehicles of the examples; or a scene: times real time, how many steps took how long, the longest one, how many met the tolerance\n"
     "Names are families, or one of disks-1000, disks-10000, disks-100000, spheres-1000, spheres-8000, spheres-27000, stones-500, stones-2000, stones-5000,\n"
     "soil-8x8x4, soil-16x16x6, soil-24x24x8 (elements), soil-16x16x6-double (spheres), plate-2100, plate-8000, plate-25230, plate-80000, plate-200000,\n"
     "vehicle-bogie, vehicle-forest, vehicle-ditch; and spheres-1000000, which takes an hour and runs only when it is named.\n"
     "  -q, --quick          the smallest of each family, not for scenes\n  -t, --threads N      threads (default: one, then two)\n"
     "  -s, --steps N        steps to measure, not of scenes; vehicles end after them\n  -f, --settle N       steps for boxes to fall together before "
     "(default: "
     "150 to 600, by box)\n"
     "  -u, --until T        of scenes and vehicles, up to this time [s] instead of their ends\n"
     "  -x, --exact          of boxes without soil, one step from no impulses and the next to 1e-4, 1e-6 and 1e-8 m/s, by sweeps and in velocities of bodies\n"
     "  -a, --accuracy       of boxes without soil, 100 steps (or --steps) at rest and 100 while a wall is pushed in, of rigid grains and of ones that give: "
     "how\n"
     "                       many meet the default tolerance\n"
     "  -c, --course         of boxes without soil, 1000 steps (or --steps) at rest, pushed and shaken, to 1e-4 and 1e-6 m/s: sweeps from the impulses of "
     "the\n"
     "                       step before, from none, and after one step solved to 1e-8 m/s\n"
     "  -b, --busy           all of it beside a job that keeps one core busy\n"
     "  -j, --json FILE      the numbers, for programs\n"
     "  -S, --scene NAME     print the scene of a box in space, to run it by itself",
     talus_bench},
    {"solve", "PROBLEM.hdf5... [--solver NAME] [--tolerance E] [--max-iterations N] [--time-limit T] [--convex] [-o OUT.hdf5] [--json FILE]",
     "solve contact problems from files of FCLIB: a line each\n"
     "The error is relative: that of the natural map over the norm of q. Exit code 1: one of them did not converge; 2: one of them could not be read.\n"
     "  -s, --solver NAME    " TALUS_SOLVER_ALL " (default), or one by name; a wrong one lists them\n"
     "  -e, --tolerance E    converged when the error is at most E (default 1e-8)\n"
     "  -n, --max-iterations N at most N sweeps (default: what the solver thinks right)\n"
     "  -t, --time-limit T   at most T seconds for each problem (default, and 0: none)\n"
     "  -c, --convex         the convex relaxation of the law: contacts open as they slide\n"
     "  -o, --output FILE    the problem with its impulses, as a file of FCLIB; of one problem only\n"
     "  -j, --json FILE      the lines, for programs",
     talus_solve},
    {"import", "ROBOT.urdf -o SCENE.yaml [--package DIR]... [--free] [--at X,Y,Z] [--floor Z] [--meshes hull|surface|none] [--visuals] [--force]",
     "write a robot that is described by a URDF as a scene, with its meshes in a directory beside it\n"
     "What of the URDF is not used is said line by line, and stands at the head of the scene. Files of xacro are to be expanded before.\n"
     "  -o, --output SCENE   the scene\n"
     "  -p, --package DIR    where package://NAME/ is: a directory in which NAME is, or NAME itself; may be given again; the directories\n"
     "                       around the URDF are looked at anyway\n"
     "  -F, --free           the root moves freely (default: it is fixed to the ground)\n"
     "      --at X,Y,Z       where the root is at the start, in metres (default 0,0,0)\n"
     "      --floor Z        with a floor at this height, in metres\n"
     "      --meshes WHAT    meshes that collide are hull: convex hulls, one for each piece (default); surface: as they are, for grains;\n"
     "                       or none\n"
     "      --visuals        links without a <collision> collide as their <visual>\n"
     "  -f, --force          overwrite a scene that is there",
     talus_import},
    {"schema", "[--json | --keys]",
     "print the reference of the scene language, its JSON Schema or its keys\n      --json           the JSON Schema, for editors\n      --keys           its "
     "keys and words, one a line, in the plane (2) and in space (3)",
     talus_schema},
    {"info", "", "print the version and what it was built with", talus_info},
};
enum { VERB_COUNT = sizeof VERBS / sizeof *VERBS };

int tl_usage(const char *name, const char *format, ...)
{
    va_list arguments;
    fprintf(stderr, "talus %s: ", name);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fprintf(stderr, " (talus %s --help)\n", name);
    return EXIT_USAGE;
}

void tl_default_directory(char *out, size_t size, const char *scene, const char *suffix)
{
    const char *slash = strrchr(scene, '/'), *name = slash ? slash + 1 : scene, *dot = strrchr(name, '.');
    snprintf(out, size, "out/%.*s%s", dot ? (int)(dot - name) : (int)strlen(name), name, suffix);
}

bool tl_read_seconds(const char *text, double *out)
{
    char *end;
    *out = strtod(text, &end);
    return end != text && (*end == '\0' || strcmp(end, "s") == 0 || strcmp(end, " s") == 0) && !isnan(*out);
}

bool tl_settings_add(tl_settings *s, const char *text)
{
    if (s->count == (int)(sizeof s->item / sizeof *s->item)) return false;
    s->item[s->count++] = text;
    return true;
}

static int unknown_verb(const char *word)
{
    fprintf(stderr, "talus: there is no verb '%s'", word);
    for (int i = 0; i < VERB_COUNT; i++)
        if (VERBS[i].name[0] == word[0]) {
            fprintf(stderr, "; did you mean '%s'?", VERBS[i].name);
            break;
        }
    fprintf(stderr, "\n\n");
    tl_help_print(stderr, VERBS, VERB_COUNT);
    return EXIT_USAGE;
}

static int run_verb(int argc, char **argv)
{
    if (argc < 2) {
        tl_help_print(stderr, VERBS, VERB_COUNT);
        return EXIT_USAGE;
    }
    if (strcmp(argv[1], "help") == 0) return tl_help(argc - 1, argv + 1, VERBS, VERB_COUNT);
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        tl_help_print(stdout, VERBS, VERB_COUNT);
        return EXIT_DONE;
    }
    if (strcmp(argv[1], "--version") == 0) {
        puts("talus " TALUS_VERSION);
        return EXIT_DONE;
    }
    for (int i = 0; i < VERB_COUNT; i++) {
        if (strcmp(VERBS[i].name, argv[1]) != 0) continue;
        for (int k = 2; k < argc; k++)
            if (strcmp(argv[k], "--help") == 0 || strcmp(argv[k], "-h") == 0) {
                tl_help_verb(&VERBS[i]);
                return EXIT_DONE;
            }
        return VERBS[i].run(argc - 1, argv + 1);
    }
    return unknown_verb(argv[1]);
}

/* What could not be written to a full device was not said. */
int main(int argc, char **argv)
{
    signal(SIGXFSZ, SIG_IGN); /* a file that may not grow is an error, not an end */
    const int code = run_verb(argc, argv);
    if (fflush(stdout) == 0 && !ferror(stdout)) return code;
    fprintf(stderr, "talus: cannot write to the standard output: %s\n", strerror(errno));
    return code == EXIT_DONE ? EXIT_FAILED : code;
}
