/* What the files of `talus bench` share: the boxes, what is measured on them, and how their times grow with the number of grains. */
#ifndef TL_BENCH_H
#define TL_BENCH_H

#include <stdio.h>

#include "talus/scene.h"
#include "talus/talus.h"

enum { BENCH_STAGES = 16, BENCH_CURVE = 4, BENCH_SWEEPS = 50, BENCH_TIMED = 250, BENCH_BINS = 20 };

/* A box of grains. Planar ones are made through the library, spatial ones are scenes; their floor is a plane, or soil of finite elements. */
typedef struct bench_case {
    const char *name, *family;
    int grains, settle, steps; /* steps to fall together; steps that are measured */
    double diameter;           /* mean size of a grain [m]                        */
    int cells[3];              /* in space: the lattice along x, y, z             */
    double pitch;              /* in space: of the lattice, in diameters          */
    int elements[3];           /* of the soil along x, y, z; zeros: there is none */
    bool alone;                /* it takes an hour: only when it is asked for     */
} bench_case;

/* The wall at x = 0 moves in with this speed [m/s] from a time on [s]. */
typedef struct bench_push {
    double speed, since;
} bench_push;

/* Solver settings of a world; tolerance 0, method NULL: the default. */
typedef struct bench_settings {
    double tolerance;
    int max_iterations, threads;
    bool cold; /* the state is restored without its impulses */
    const char *method;
    bench_push push;
    double stiffness; /* of contacts that give, by SPOOK [N/m]; 0: they are rigid */
} bench_settings;

/* A world, and the scene that it was built from (NULL in the plane). It is not to be moved: the wall of a planar one is told by `push`. */
typedef struct bench_world {
    talus_world *world;
    talus_scene *scene;
    bench_push push;
} bench_world;

/* The settled box: its state, and what tells that it is settled. */
typedef struct bench_packing {
    talus_field *field; /* [fields] copies */
    int fields;
    double time;                  /* of the world then [s]                                                    */
    double seconds, resident;     /* that it took to fall together [s]; the most that was in memory meanwhile [bytes], 0: not known */
    double energy;                /* kinetic, per grain, over m g d                                           */
    double overlap;               /* mean of the contacts, over d                                             */
    double touching;              /* contacts that push, per grain: half of the mean coordination             */
    double iterations, tolerance; /* sweeps from the impulses of the step before to the default tolerance, mean of a few steps; that tolerance [m/s] */
    bool converged;               /* did all of these steps reach it                            */
    double curve[BENCH_CURVE];    /* residual after bench_sweeps(i) sweeps from no impulses [m/s] */
} bench_packing;

/* Steps of BENCH_TIMED sweeps each, as many as a machine at work needs, by threads. */
typedef struct bench_result {
    const bench_case *box;
    int threads, contacts; /* mean number in the problem                       */
    double step_ms, update_ns, outside, bytes_per_grain, bytes_per_contact, residual;
    double resident_per_grain; /* bytes: the most that the process had in memory, less what it had before the world was made; 0: not known */
    int stages;                /* of the world's scheme */
    const char *stage[BENCH_STAGES];
    double stage_ms[BENCH_STAGES];
    double once_s[BENCH_STAGES]; /* what the first step took longer than those after it: with soil, its factor and its columns of contacts */
    int soil_contacts, unknowns; /* mean number of contacts with soil; its degrees of freedom */
    double factor_bytes;         /* of its factor                                             */
} bench_result;

/* What N is: boxes grow by one of these while nothing else does. */
typedef enum bench_size { BENCH_GRAINS, BENCH_ELEMENTS, BENCH_CONTACTS, BENCH_SIZES } bench_size; /* CONTACTS: with soil */

/* A line through points, by least squares. */
typedef struct bench_line {
    double n, x, y, xx, xy;
} bench_line;

void bench_add_point(bench_line *, double x, double y);
double bench_slope(const bench_line *); /* 0: all x are the same */

/* Exponents a of time ~ N^a by least squares in logarithms. */
typedef struct bench_growth {
    int sizes;
    double stage[BENCH_STAGES], step;
} bench_growth;

/* All boxes, families together and each from small to large. */
const bench_case *bench_cases(int *count);
/* The scene of a box in space, to be freed; NULL without memory. */
char *bench_scene_text(const bench_case *);
/* On failure the text is in `message` and there is nothing to destroy. */
TALUS_NODISCARD talus_status bench_build(const bench_case *, const bench_settings *, bench_world *out, char *message, size_t size);
void bench_world_destroy(bench_world *);

int bench_sweeps(int index);
/* Lets the box fall together for `steps` steps and measures how many sweeps it takes. The packing is to be destroyed in any case. */
TALUS_NODISCARD talus_status bench_settle(const bench_case *, int steps, int threads, bench_packing *out, char *message, size_t size);
void bench_packing_destroy(bench_packing *);
/* The state of a world, to fields; MEMORY. To be destroyed in any case. */
TALUS_NODISCARD talus_status bench_keep(const talus_world *, bench_packing *);
/* A world in the packing's state; `cold` settings: without its impulses. */
TALUS_NODISCARD talus_status bench_restore(const bench_case *, const bench_settings *, const bench_packing *, bench_world *out, char *message, size_t size);
/* Times `steps` steps of out->box from its packing. */
TALUS_NODISCARD talus_status bench_measure(const bench_packing *, int threads, int steps, bench_result *out, char *message, size_t size);
/* Do both boxes belong to one series in which only this size grows? */
bool bench_alike(const bench_case *, const bench_case *, bench_size);
/* A scene's text as a file that load can read; it is gone when the scene is. */
TALUS_NODISCARD talus_status bench_load(const char *text, const char *const *settings, int count, talus_scene **out, char *message, size_t size);

/* bench_exact.c: a step from no impulses, and the one after it, to some tolerances, by sweeps and in velocities of bodies. */
enum { BENCH_TOLERANCES = 3, BENCH_METHODS = 2 };

typedef struct bench_exact_step {
    double seconds, residual;
    int iterations;
    bool converged;
} bench_exact_step;

typedef struct bench_exact {
    const bench_case *box;
    int threads;
    bench_exact_step step[BENCH_METHODS][BENCH_TOLERANCES][2];
} bench_exact;

TALUS_NODISCARD talus_status bench_measure_exact(const bench_packing *, bench_exact *out, char *message, size_t size); /* of out->box, with out->threads */
void bench_print_exact(const bench_exact *, bool first);
void bench_write_exact(FILE *, const bench_exact *);

/* Of the wall that comes in [m/s]; stiffness over the mean diameter of contacts that give, 10 MN/m of a stone of 40 mm [Pa]. */
extern const double BENCH_SPEED, BENCH_YOUNG;

/* bench_accuracy.c: steps at the default settings, of a box at rest, while a wall is pushed in at 10 mm/s, and while it is pushed in against contacts that
 * give. `within` of `steps` meet the default tolerance; errors as velocities [m/s] and of the mean impulse, median and 95 %. */
enum { BENCH_LOADS = 3 };

typedef struct bench_share {
    int steps, within;
    double error[2], force_error[2], sweeps, step_ms;
} bench_share;

typedef struct bench_accuracy {
    const bench_case *box;
    int threads;
    bench_share load[BENCH_LOADS];
} bench_accuracy;

TALUS_NODISCARD talus_status bench_measure_accuracy(const bench_packing *, int steps, bench_accuracy *out, char *message, size_t size); /* as above; 0: 100 */
void bench_print_accuracy(const bench_accuracy *, bool first);
void bench_write_accuracy(FILE *, const bench_accuracy *);

/* bench_course.c: steps to some tolerances, of a box at rest, pushed and shaken: how many sweeps they take from the impulses of the step before (`carried`),
 * from none (now and then), and after one step that was solved well, in `well` sweeps. */
enum { BENCH_COURSE_LOADS = 3, BENCH_COURSE_TOLERANCES = 2 };

typedef struct bench_course_mean {
    double sweeps; /* a step */
    int first, within;
} bench_course_mean;

typedef struct bench_course_load {
    bench_course_mean carried, after;
    double none;
    int well;
} bench_course_load;

typedef struct bench_course {
    const bench_case *box;
    int threads, steps;
    bench_course_load load[BENCH_COURSE_LOADS][BENCH_COURSE_TOLERANCES];
} bench_course;

TALUS_NODISCARD talus_status bench_measure_course(const bench_packing *, int steps, bench_course *out, char *message, size_t size); /* 0: 1000 */
void bench_print_course(const bench_course *, bool first);
void bench_write_course(FILE *, const bench_course *);

/* bench_plate.c: a plate on soil of particles. */
typedef struct bench_plate {
    const char *name;
    int elements[3]; /* between particles */
} bench_plate;

typedef struct bench_plate_result {
    const bench_plate *plate;
    int threads, particles;
    double contacts, median_ms, worst_ms, residual; /* mean; of a step; the largest of those that are measured [m/s] */
    double once_s;                                  /* what the steps before took longer: columns of contacts, mostly */
} bench_plate_result;

const bench_plate *bench_plates(int *count); /* from small to large */
char *bench_plate_text(const bench_plate *); /* to be freed; NULL without memory */
TALUS_NODISCARD talus_status bench_measure_plate(const bench_plate *, int threads, int steps, bench_plate_result *out, char *message, size_t size);
/* The exponent a of median ~ particles^a, of those of so many threads; of less than two sizes 0. */
double bench_plate_growth(const bench_plate_result *results, int count, int threads, int *sizes);

/* bench_scene.c: any scene, to its end or as far as this says. Steps are counted by what they took, from bench_bin(i) to bench_bin(i + 1) [ms]. */
typedef struct bench_extent {
    double until; /* [s]; 0: to its end   */
    int steps;    /* 0: as many as it has */
} bench_extent;

typedef struct bench_scene_result {
    const char *name;            /* its path; of a vehicle its name */
    int threads, steps, within;  /* within: that met the tolerance */
    double simulated, wall;      /* [s] */
    double median_ms, high_ms;   /* high: 95 % take no longer */
    double worst_ms, worst_time; /* the longest step, and when it ended [s] */
    int worst_contacts, worst_iterations, bin[BENCH_BINS];
    bool built; /* else the scene could not be read, or has mistakes */
} bench_scene_result;

double bench_bin(int bin); /* 0 for the first; the last has no end */
/* Warnings go to stderr. */
TALUS_NODISCARD talus_status bench_measure_scene(const char *path, int threads, bench_extent, bench_scene_result *out, char *message, size_t size);
void bench_print_scene(const bench_scene_result *);
void bench_write_scene(FILE *, const bench_scene_result *);

/* bench_vehicle.c: machines that drive, scenes of examples/, by name. */
typedef struct bench_vehicle {
    const char *name, *file; /* below examples/ */
} bench_vehicle;

const bench_vehicle *bench_vehicles(int *count); /* from small to large */
TALUS_NODISCARD talus_status bench_measure_vehicle(const bench_vehicle *, int threads, bench_extent, bench_scene_result *out, char *message, size_t size);

int bench_elements(const bench_case *); /* all of them; 0: without soil */
/* Of the results of one series, that of `first`, and one number of threads. */
bench_growth bench_fit(const bench_result *results, int count, const bench_case *first, bench_size, int threads);

#endif
