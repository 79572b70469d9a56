/* The boxes of `talus bench`: disks in the plane, through the library; spheres and stones in space, as scenes that a user can run as well.
 * So is soil of finite elements under spheres: the same spheres on more and more of them, and twice as many on the same.
 *
 * Planar: N disks of five radii on a jittered hexagonal lattice, which falls together under gravity. In space the lattice is about as dense as
 * the heap will be, so that it comes to rest soon: grains that overlap at first are parted by positions alone, without energy. On soil
 * they are filled in clear of each other: positions alone do not part grains from soil. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/base.h"
#include "cli/bench.h"

static const bench_case CASES[] = {
    {.name = "disks-1000", .family = "disks", .grains = 1000, .settle = 600, .steps = 400, .diameter = 0.016},
    {.name = "disks-10000", .family = "disks", .grains = 10000, .settle = 400, .steps = 40, .diameter = 0.016},
    {.name = "disks-100000", .family = "disks", .grains = 100000, .settle = 150, .steps = 12, .diameter = 0.016},
    {"spheres-1000", "spheres", 1000, 150, 100, 0.016, {10, 10, 10}, 0.98, {0}, false},
    {"spheres-8000", "spheres", 8000, 150, 20, 0.016, {20, 20, 20}, 0.98, {0}, false},
    {"spheres-27000", "spheres", 27000, 150, 10, 0.016, {30, 30, 30}, 0.98, {0}, false},
    {"spheres-1000000", "million", 1000000, 300, 2, 0.016, {125, 125, 64}, 0.98, {0}, true},
    {"stones-500", "stones", 500, 150, 40, 0.04, {10, 10, 5}, 0.95, {0}, false},
    {"stones-2000", "stones", 2000, 150, 15, 0.04, {20, 10, 10}, 0.95, {0}, false},
    {"stones-5000", "stones", 5000, 150, 8, 0.04, {25, 20, 10}, 0.95, {0}, false},
    {"soil-8x8x4", "soil", 288, 150, 40, 0.04, {12, 12, 2}, 0.98, {8, 8, 4}, false},
    {"soil-16x16x6", "soil", 288, 150, 15, 0.04, {12, 12, 2}, 0.98, {16, 16, 6}, false},
    {"soil-24x24x8", "soil", 288, 150, 8, 0.04, {12, 12, 2}, 0.98, {24, 24, 8}, false},
    {"soil-16x16x6-double", "soil", 578, 150, 10, 0.04 * 12 / 17, {17, 17, 2}, 0.98, {16, 16, 6}, false},
};

const bench_case *bench_cases(int *count)
{
    *count = (int)(sizeof CASES / sizeof *CASES);
    return CASES;
}

int bench_elements(const bench_case *c) { return c->elements[0] * c->elements[1] * c->elements[2]; }

bool bench_alike(const bench_case *a, const bench_case *b, bench_size size)
{
    if (strcmp(a->family, b->family) != 0 || (bench_elements(a) > 0) != (size != BENCH_GRAINS)) return false;
    return size == BENCH_ELEMENTS ? a->grains == b->grains : bench_elements(a) == bench_elements(b);
}

/* ---- the plane ------------------------------------------------------------------------------------------------------- */

static void move_wall(void *user, double t, double out[3])
{
    const bench_push *push = user;
    const bool moves = t > push->since;
    out[0] = moves ? push->speed * (t - push->since) : 0, out[1] = moves ? push->speed : 0, out[2] = 0;
}

/* push: NULL, it stands. */
static talus_status add_wall(talus_world *w, talus_material_id material, const double at[2], const double normal[2], bench_push *push)
{
    talus_body_def body = talus_body_def_default();
    talus_shape_def shape = talus_shape_def_default();
    talus_body_id id;
    body.kind = push ? TALUS_BODY_IMPOSED : TALUS_BODY_FIXED;
    if (push) body.motion[0] = (talus_motion){move_wall, push};
    shape.kind = TALUS_SHAPE_HALF_PLANE;
    shape.material = material;
    memcpy(shape.points[0], at, 2 * sizeof *at);
    memcpy(shape.points[1], normal, 2 * sizeof *normal);
    talus_status status = talus_body_create(w, &body, &id);
    return status == TALUS_OK ? talus_body_add_shape(w, id, &shape) : status;
}

/* A box twice as wide as the heap is high; radii 6 … 10 mm as L17. */
static talus_status fill_box(talus_world *w, int disks, double stiffness, bench_push *push)
{
    talus_material_def material = talus_material_def_default();
    talus_interaction_def law = talus_interaction_def_default();
    talus_material_id stone;
    talus_status status;
    material.density = 2710, material.thickness = 0.01;
    law.friction = 0.3;
    law.stiffness = stiffness;
    const double pitch = 0.021;
    const int columns = (int)ceil(sqrt(2.0 * disks));
    tl_random random = tl_random_seed(1);
    if ((status = talus_material_create(w, &material, &stone)) != TALUS_OK) return status;
    if ((status = talus_interaction_set(w, (talus_material_id){0}, (talus_material_id){0}, &law)) != TALUS_OK) return status;
    if ((status = add_wall(w, stone, (double[]){0, 0}, (double[]){0, 1}, NULL)) != TALUS_OK) return status;
    if ((status = add_wall(w, stone, (double[]){0, 0}, (double[]){1, 0}, push)) != TALUS_OK) return status;
    if ((status = add_wall(w, stone, (double[]){(columns + 0.5) * pitch, 0}, (double[]){-1, 0}, NULL)) != TALUS_OK) return status;
    for (int i = 0; i < disks; i++) {
        const int row = i / columns, column = i % columns;
        talus_body_def body = talus_body_def_default();
        talus_shape_def disk = talus_shape_def_default();
        talus_body_id id;
        disk.material = stone;
        disk.radius = 0.006 + 0.001 * tl_random_int(&random, 5);
        body.position[0] = (column + 0.5 + 0.5 * (row % 2)) * pitch + tl_random_uniform(&random, -2e-4, 2e-4);
        body.position[1] = (row + 0.5) * pitch * 0.9;
        if ((status = talus_body_create(w, &body, &id)) != TALUS_OK) return status;
        if ((status = talus_body_add_shape(w, id, &disk)) != TALUS_OK) return status;
    }
    return TALUS_OK;
}

static talus_status build_plane(const bench_case *c, const bench_settings *s, bench_world *out, char *message, size_t size)
{
    talus_world_def def = talus_world_def_default();
    def.gravity[1] = -9.81;
    def.step = 1e-3;
    def.threads = s->threads;
    def.solver.tolerance = s->tolerance;
    def.solver.method = s->method;
    def.solver.max_iterations = s->max_iterations;
    if (s->stiffness > 0) def.scheme = TALUS_SCHEME_SPOOK;
    const talus_status created = talus_world_create(&def, &out->world, message, size);
    if (created != TALUS_OK) return created;
    talus_status status = fill_box(out->world, c->grains, s->stiffness, &out->push);
    if (status == TALUS_OK) status = talus_world_assemble(out->world);
    if (status != TALUS_OK) snprintf(message, size, "%s", talus_world_error(out->world));
    return status;
}

/* ---- space ----------------------------------------------------------------------------------------------------------- */

/* The floor: soil on rollers along the walls, and at rest under its own weight; else a plane, which `put_walls` adds. Its nodes take no contacts: those
 * at its sides would meet the walls. */
static void put_soil(FILE *out, const bench_case *c, double x, double y)
{
    fprintf(out,
            "solids:\n  soil:\n    box: {size: [%.12g, %.12g, 0.2], elements: [%d, %d, %d]}\n    position: [%g, %g, 0]\n"
            "    material: {density: 1800 kg/m^3, young: 20 MPa, poisson: 0.3}\n    damping: {ratio: 7 %%, frequencies: [50 Hz, 250 Hz]}\n"
            "    fixed: [bottom, {group: [left, right], along: x}, {group: [front, back], along: y}]\n    start: settled\n"
            "    contact: {surface: top, as: antagonist, material: earth}\n",
            x, y, c->elements[0], c->elements[1], c->elements[2], 0.5 * x, 0.5 * y);
}

static void put_walls(FILE *out, bool floor, double x, double y)
{
    fprintf(out, "bodies:\n  box:\n    kind: fixed\n    shapes:\n");
    if (floor) fprintf(out, "      - half_space: {point: [0, 0, 0], normal: [0, 0, 1], material: rock}\n");
    fprintf(out,
            "      - half_space: {point: [%g, 0, 0], normal: [-1, 0, 0], material: rock}\n"
            "      - half_space: {point: [0, 0, 0], normal: [0, 1, 0], material: rock}\n"
            "      - half_space: {point: [0, %g, 0], normal: [0, -1, 0], material: rock}\n"
            "  wall:\n    kind: imposed\n    motion: {x: \"push * max(t - since, 0 s)\"}\n"
            "    shapes: [{half_space: {point: [0, 0, 0], normal: [1, 0, 0], material: rock}}]\n",
            x, y);
}

/* Grains of ± a quarter of the mean size, in a box without a lid. */
char *bench_scene_text(const bench_case *c)
{
    const bool stones = strcmp(c->family, "stones") == 0, soil = bench_elements(c) > 0;
    const double pitch = c->pitch * c->diameter, x = c->cells[0] * pitch, y = c->cells[1] * pitch, r = 0.5 * c->diameter;
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out) return NULL;
    fprintf(out,
            "# A box of %d %s%s: %s of talus bench.\n"
            "dimension: 3\nparameters: {push: 0 m/s, since: 0 s}\ntime: {end: %g s, step: 1 ms}\ngravity: [0, 0, -9.81 m/s^2]\nmaterials:\n  rock: {density: "
            "2700 kg/m^3}\n%s"
            "interactions:\n  - {friction: %g}\nsolver: {max_iterations: %d}\n",
            c->grains, stones ? "stones" : "spheres", soil ? " on soil" : "", c->name, 1e-3 * c->settle, soil ? "  earth: {density: 1800 kg/m^3}\n" : "",
            stones ? 0.7 : 0.5, BENCH_SWEEPS);
    if (soil) put_soil(out, c, x, y);
    put_walls(out, !soil, x, y);
    fprintf(out, "grains:\n  heap:\n");
    if (soil) {
        fprintf(out, "    generator: fill\n    region: [[0, 0, 0], [%g, %g, %g]]\n    count: %d\n", x, y, 2 * c->cells[2] * pitch, c->grains);
    } else {
        fprintf(out, "    generator: lattice\n    origin: [%g, %g, %g]\n    columns: %d\n    rows: %d\n    layers: %d\n    spacing: %g\n    jitter: %g\n",
                0.5 * pitch, 0.5 * pitch, 0.5 * pitch, c->cells[0], c->cells[1], c->cells[2], pitch, 0.1 * pitch);
    }
    fprintf(out, "    shape: %s\n    radius: {uniform: [%g, %g]}\n    material: rock\n%s", stones ? "stone" : "sphere", 0.75 * r, 1.25 * r,
            stones ? "    corners: 25\n" : "");
    const bool failed = ferror(out) != 0;
    if (fclose(out) == 0 && !failed) return text;
    free(text);
    return NULL;
}

talus_status bench_load(const char *text, const char *const *settings, int count, talus_scene **out, char *message, size_t size)
{
    const char *folder = getenv("TMPDIR");
    char path[1024];
    snprintf(path, sizeof path, "%s/talus-bench-XXXXXX", folder && *folder ? folder : "/tmp");
    const int handle = mkstemp(path);
    FILE *file = handle < 0 ? NULL : fdopen(handle, "w");
    *out = NULL;
    if (!file) {
        snprintf(message, size, "cannot write %s", path);
        return TALUS_IO;
    }
    const bool written = fputs(text, file) >= 0;
    const bool closed = fclose(file) == 0;
    talus_status status = TALUS_IO;
    if (written && closed) status = talus_scene_load(path, settings, count, out);
    else snprintf(message, size, "cannot write %s", path);
    unlink(path);
    return status;
}

static talus_status build_space(const bench_case *c, const bench_settings *s, bench_world *out, char *message, size_t size)
{
    char tolerance[64], iterations[64], method[64], *text = bench_scene_text(c);
    char push[64], since[64], stiffness[64];
    const char *settings[] = {iterations, push, since, NULL, NULL, NULL, NULL};
    int count = 3;
    snprintf(push, sizeof push, "push=%g m/s", s->push.speed);
    snprintf(since, sizeof since, "since=%g s", s->push.since);
    snprintf(iterations, sizeof iterations, "solver.max_iterations=%d", s->max_iterations);
    snprintf(tolerance, sizeof tolerance, "solver.tolerance=%g", s->tolerance);
    snprintf(method, sizeof method, "solver.method=%s", s->method ? s->method : "");
    if (s->tolerance > 0) settings[count++] = tolerance;
    if (s->method) settings[count++] = method;
    snprintf(stiffness, sizeof stiffness, "interactions.0.stiffness=%g N/m", s->stiffness);
    if (s->stiffness > 0) settings[count++] = "integrator.scheme=spook", settings[count++] = stiffness;
    snprintf(message, size, "no memory for the scene");
    if (!text) return TALUS_MEMORY;
    talus_status status = bench_load(text, settings, count, &out->scene, message, size);
    free(text);
    if (status == TALUS_OK) status = talus_scene_build(out->scene, s->threads, &out->world);
    if (status != TALUS_OK && out->scene && talus_scene_mistake_count(out->scene) > 0) snprintf(message, size, "%s", talus_scene_mistake(out->scene, 0));
    return status;
}

talus_status bench_build(const bench_case *c, const bench_settings *s, bench_world *out, char *message, size_t size)
{
    *out = (bench_world){.push = s->push};
    const talus_status status = (c->cells[0] ? build_space : build_plane)(c, s, out, message, size);
    if (status != TALUS_OK) bench_world_destroy(out);
    return status;
}

void bench_world_destroy(bench_world *w)
{
    if (w->world) talus_world_destroy(w->world);
    if (w->scene) talus_scene_destroy(w->scene);
    *w = (bench_world){0};
}
