/* talus export: the files for ParaView, read again without VTK: header, offsets and packed blocks of every array, then what they say against the
 * trajectory, computed here by other means. A planar run of all shapes with a mechanism, and the synthetic run in space. */
#include <dirent.h>
#include <ftw.h>
#include <hdf5.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <zlib.h>

#include "test.h"

static char home[64];

static const char SCENE[] =
    "gravity: [0, -9.81]\n"
    "time: {end: 0.1 s, step: 1 ms}\n"
    "materials:\n"
    "  stone: {density: 2000 kg/m^3}\n"
    "  steel: {density: 7800 kg/m^3}\n"
    "interactions:\n"
    "  - {friction: 0.5}\n"
    "bodies:\n"
    "  floor: {kind: fixed, shapes: [{half_plane: {point: [-50, 0], normal: [0, 1], material: steel}}]}\n"
    "  disk: {position: [-1, 0.5], angle: 0.25, velocity: [1.5, 2], angular_velocity: -4, shapes: [{disk: {radius: 0.1, material: stone}}]}\n"
    "  lower: {position: [1, 0.1], mass: 3 kg, inertia: 0.02, shapes: [{box: {size: [0.4, 0.2], material: stone}}]}\n"
    "  upper: {position: [1, 0.32], mass: 2 kg, inertia: 0.02, shapes: [{box: {size: [0.4, 0.2], radius: 0.02, material: stone}}]}\n"
    "  capsule: {position: [0.3, 0.5], angle: 0.7, angular_velocity: 2, shapes: [{segment: {from: [-0.1, 0], to: [0.2, 0], radius: 0.05, material: stone}}]}\n"
    "mechanisms:\n"
    "  swing:\n"
    "    bodies:\n"
    "      arm: {mass: 1 kg, inertia: 0.1}\n"
    "      bob: {mass: 1 kg, inertia: 0.1, shapes: [{disk: {radius: 0.05, material: steel}}]}\n"
    "    joints:\n"
    "      pivot: {type: revolute, parent: ground, at: [0, 2], child: arm, angle: 0.4}\n"
    "      wrist: {type: revolute, parent: arm, at: [0, -0.5], child: bob}\n"
    "output:\n"
    "  frames: {every: 10 ms}\n";
enum { DISK = 1, LOWER = 2, UPPER = 3, CAPSULE = 4, FRAMES = 11 };

/* ---- runs --------------------------------------------------------------------------------------------------------- */

static int remove_one(const char *path, const struct stat *s, int kind, struct FTW *walk)
{
    (void)s, (void)kind, (void)walk;
    return remove(path);
}

/* Runs a program with its errors into home/errors; its exit code, −1 after a crash. */
static int execute(const char *program, const char *const *arguments, rlim_t file_limit)
{
    char path[128];
    const char *argv[16] = {program};
    int status = 0;
    snprintf(path, sizeof path, "%s/errors", home);
    for (int i = 0; arguments[i] && i < 14; i++) argv[i + 1] = arguments[i];
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        if (!freopen(path, "w", stderr)) _exit(98);
        if (file_limit != RLIM_INFINITY) setrlimit(RLIMIT_FSIZE, &(struct rlimit){file_limit, file_limit});
        execv(program, (char *const *)argv);
        _exit(99);
    }
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}
#define TALUS(...) execute(TALUS_COMMAND, (const char *const[]){__VA_ARGS__, NULL}, RLIM_INFINITY)

static char *read_whole(const char *path, size_t *size)
{
    FILE *in = fopen(path, "rb");
    struct stat s;
    if (!in || fstat(fileno(in), &s) != 0) {
        TEST_FAIL("cannot read '%s'", path);
        exit(1);
    }
    char *data = calloc(1, (size_t)s.st_size + 1);
    if (!data || fread(data, 1, (size_t)s.st_size, in) != (size_t)s.st_size) exit(1);
    fclose(in);
    *size = (size_t)s.st_size;
    return data;
}

static bool complains(const char *what)
{
    char path[128];
    size_t size;
    snprintf(path, sizeof path, "%s/errors", home);
    char *text = read_whole(path, &size);
    const bool found = strstr(text, what) != NULL;
    if (!found) fprintf(stderr, "it says: %s", text);
    free(text);
    return found;
}

static const char *in_home(const char *name)
{
    static char path[8][256];
    static int next;
    snprintf(path[next = (next + 1) % 8], sizeof path[0], "%s/%s", home, name);
    return path[next];
}

static void make_planar(void)
{
    FILE *out = fopen(in_home("planar.yaml"), "w");
    if (!out || fputs(SCENE, out) < 0 || fclose(out) != 0) exit(1);
    CHECK(TALUS("run", in_home("planar.yaml"), "-o", in_home("planar"), "--quiet") == 0);
}

static void make_space(void)
{
    const char *const arguments[] = {in_home("space"), "40", "7", NULL};
    CHECK(execute(TALUS_STONES, arguments, RLIM_INFINITY) == 0);
}

/* A whole set of the trajectory as doubles, with its shape. */
static double *read_set(const char *run, const char *name, hsize_t shape[3])
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s/trajectory.h5", home, run);
    const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT), set = file < 0 ? -1 : H5Dopen2(file, name, H5P_DEFAULT);
    if (set < 0) {
        TEST_FAIL("'%s' has no '%s'", path, name);
        exit(1);
    }
    const hid_t space = H5Dget_space(set);
    shape[0] = shape[1] = shape[2] = 1;
    H5Sget_simple_extent_dims(space, shape, NULL);
    double *data = calloc(shape[0] * shape[1] * shape[2] + 1, sizeof *data);
    if (!data || H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) < 0) exit(1);
    H5Sclose(space);
    H5Dclose(set);
    H5Fclose(file);
    return data;
}

/* ---- a reader of .vtp that knows nothing of the writer --------------------------------------------------------------- */

typedef struct vtp {
    char *file;
    const char *data;
    size_t size, used; /* of the appended data */
    int points, vertices, lines, polygons;
} vtp;

static int attribute(const char *from, const char *name)
{
    char key[64];
    snprintf(key, sizeof key, "%s='", name);
    const char *at = strstr(from, key);
    return at ? atoi(at + strlen(key)) : -1;
}

static vtp open_vtp(const char *run, const char *part, int frame)
{
    char path[256];
    size_t size;
    vtp v = {0};
    snprintf(path, sizeof path, "%s/%s/%s/%05d.vtp", home, run, part, frame);
    v.file = read_whole(path, &size);
    const char *piece = strstr(v.file, "<Piece "), *appended = strstr(v.file, "<AppendedData encoding='raw'>\n_");
    static const char END[] = "\n</AppendedData>\n</VTKFile>\n";
    if (!piece || !appended || strcmp(v.file + size - strlen(END), END) != 0) {
        TEST_FAIL("'%s' is no PolyData file", path);
        exit(1);
    }
    CHECK(strncmp(v.file, "<?xml version='1.0'?>\n<VTKFile type='PolyData' ", 47) == 0);
    CHECK(strstr(v.file, "header_type='UInt64' compressor='vtkZLibDataCompressor'") != NULL);
    v.data = strchr(appended, '_') + 1;
    v.size = (size_t)(v.file + size - strlen(END) - v.data);
    v.points = attribute(piece, "NumberOfPoints"), v.vertices = attribute(piece, "NumberOfVerts");
    v.lines = attribute(piece, "NumberOfLines"), v.polygons = attribute(piece, "NumberOfPolys");
    return v;
}

/* Every byte belongs to an array. */
static void close_vtp(vtp *v)
{
    CHECK(v->used == v->size);
    free(v->file);
}

/* An array of a section as doubles; `tuples` must be its length (−1: any), which is returned. */
static double *array(vtp *v, const char *section, const char *name, int components, int *tuples)
{
    char open[64], key[64];
    snprintf(open, sizeof open, "<%s", section);
    snprintf(key, sizeof key, "Name='%s'", name);
    const char *at = strstr(v->file, open), *line = at ? strstr(at, key) : NULL;
    if (!line || attribute(line, "NumberOfComponents") != components) {
        TEST_FAIL("no %s of %d components in %s", name, components, section);
        exit(1);
    }
    while (*line != '<') line--;
    const int bytes = strncmp(line, "<DataArray type='Int8'", 22) == 0 ? 1 : strncmp(line, "<DataArray type='Float64'", 25) == 0 ? 8 : 4;
    const bool real = strncmp(line, "<DataArray type='Float32'", 25) == 0;
    const char *from = v->data + attribute(line, "offset");
    uint64_t head[3], packed, total = 0;
    memcpy(head, from, sizeof head);
    const size_t whole = head[0] ? (head[0] - (head[2] > 0)) * head[1] + head[2] : 0, n = whole / (size_t)bytes;
    unsigned char *raw = calloc(whole + 1, 1);
    double *out = calloc(n + 1, sizeof *out);
    for (uint64_t k = 0; k < head[0]; k++) {
        memcpy(&packed, from + (3 + k) * 8, sizeof packed);
        uLongf length = (uLongf)(whole - k * head[1]);
        if (uncompress(raw + k * head[1], &length, (const Bytef *)from + (3 + head[0]) * 8 + total, (uLong)packed) != Z_OK) TEST_FAIL("%s: block", name);
        CHECK(length == (k + 1 == head[0] && head[2] ? head[2] : head[1]));
        total += packed;
    }
    v->used += (3 + head[0]) * 8 + total;
    for (size_t i = 0; i < n; i++) {
        float f;
        int32_t word;
        memcpy(&f, raw + 4 * i * (bytes == 4), sizeof f), memcpy(&word, raw + 4 * i * (bytes == 4), sizeof word);
        if (bytes == 8) memcpy(out + i, raw + 8 * i, sizeof *out);
        else out[i] = real ? (double)f : bytes == 1 ? (double)(signed char)raw[i] : (double)word;
    }
    free(raw);
    CHECK(n % (size_t)components == 0 && (*tuples < 0 || (size_t)*tuples * (size_t)components == n));
    *tuples = (int)(n / (size_t)components);
    return out;
}

typedef struct surfaces {
    vtp file;
    int cells;
    double *x, *body, *material, *role, *mass, *velocity, *angular, *speed, *corner, *end, *line;
} surfaces;

static surfaces open_surfaces(const char *run, int frame)
{
    surfaces s = {.file = open_vtp(run, "bodies", frame)};
    vtp *v = &s.file;
    int corners = -1, line_corners = 2 * v->lines, cells = s.cells = v->lines + v->polygons;
    s.body = array(v, "CellData", "body", 1, &cells), s.material = array(v, "CellData", "material", 1, &cells);
    s.role = array(v, "CellData", "role", 1, &cells), s.mass = array(v, "CellData", "mass", 1, &cells);
    s.velocity = array(v, "CellData", "velocity", 3, &cells), s.angular = array(v, "CellData", "angular_velocity", 3, &cells);
    s.speed = array(v, "CellData", "speed", 1, &cells);
    s.x = array(v, "Points>", "Points", 3, &v->points);
    s.line = array(v, "Lines", "connectivity", 1, &line_corners);
    s.corner = array(v, "Polys", "connectivity", 1, &corners);
    s.end = array(v, "Polys", "offsets", 1, &v->polygons);
    double *line_end = array(v, "Lines", "offsets", 1, &v->lines);
    for (int i = 0; i < v->lines; i++) CHECK_NEAR(line_end[i], 2 * (i + 1), 0);
    for (int i = 0; i < corners; i++) CHECK(s.corner[i] >= 0 && s.corner[i] < v->points);
    CHECK(v->polygons == 0 || (int)s.end[v->polygons - 1] == corners);
    free(line_end);
    return s;
}

static void close_surfaces(surfaces *s)
{
    close_vtp(&s->file);
    free(s->x), free(s->body), free(s->material), free(s->role), free(s->mass), free(s->velocity), free(s->angular), free(s->speed);
    free(s->corner), free(s->end), free(s->line);
}

/* Corners of a polygon, given by its number. */
static int polygon(const surfaces *s, int index, double x[64][3])
{
    const int begin = index ? (int)s->end[index - 1] : 0, n = (int)s->end[index] - begin;
    for (int k = 0; k < n && k < 64; k++) memcpy(x[k], s->x + 3 * (int)s->corner[begin + k], sizeof x[k]);
    return n < 64 ? n : 64;
}

/* The only polygon of a body in the plane. */
static int outline(const surfaces *s, int body, double x[64][3])
{
    int found = 0, n = 0;
    for (int i = 0; i < s->file.polygons; i++)
        if ((int)s->body[s->file.lines + i] == body) n = polygon(s, i, x), found++;
    CHECK(found == 1);
    return n;
}

static double area(double x[64][3], int n)
{
    double sum = 0;
    for (int k = 0; k < n; k++) sum += 0.5 * (x[k][0] * x[(k + 1) % n][1] - x[k][1] * x[(k + 1) % n][0]);
    return sum;
}

/* ---- tests -------------------------------------------------------------------------------------------------------- */

/* Every shape of the plane at its pose. */
TEST(planar_bodies)
{
    double x[64][3];
    hsize_t shape[3];
    make_planar();
    CHECK(TALUS("export", in_home("planar"), "--vtk", in_home("out")) == 0);
    double *pose = read_set("planar", "frames/pose", shape), *velocity = read_set("planar", "frames/velocity", shape);
    double *mass = read_set("planar", "bodies/mass", shape);
    for (int frame = 0; frame < FRAMES; frame += 5) {
        surfaces s = open_surfaces("out", frame);
        CHECK(s.file.polygons == 6 && s.file.lines == 2); /* the arm has no shape; two disks have radii */
        const double *q = pose + 3 * (7 * frame + DISK), *v = velocity + 3 * (7 * frame + DISK);
        const int n = outline(&s, DISK, x);
        CHECK(n == 32);
        for (int k = 0; k < n; k++) {
            CHECK_NEAR(x[k][0], q[0] + 0.1 * cos(q[2] + 2 * M_PI * k / 32), 1e-14);
            CHECK_NEAR(x[k][1], q[1] + 0.1 * sin(q[2] + 2 * M_PI * k / 32), 1e-14);
        }
        for (int i = 0; i < s.cells; i++) {
            const int body = (int)s.body[i];
            CHECK_NEAR(s.mass[i], mass[body], 1e-6 * mass[body]);
            CHECK_NEAR(s.role[i], body == 0 ? 1 : body >= 5 ? 3 : 0, 0);
            CHECK_NEAR(s.material[i], body == 0 || body == 6 ? 1 : 0, 0);
            if (body != DISK) continue;
            CHECK_NEAR(s.velocity[3 * i], v[0], 1e-6);
            CHECK_NEAR(s.velocity[3 * i + 1], v[1], 1e-6);
            CHECK_NEAR(s.velocity[3 * i + 2], 0, 0);
            CHECK_NEAR(s.angular[3 * i + 2], v[2], 1e-6);
            CHECK_NEAR(s.speed[i], hypot(v[0], v[1]), 1e-6);
        }
        /* its radius: from the centre to where the angle points */
        const double *from = s.x + 3 * (int)s.line[0], *to = s.x + 3 * (int)s.line[1];
        CHECK_NEAR(from[0], q[0], 3e-7);
        CHECK_NEAR(to[0], q[0] + 0.1 * cos(q[2]), 3e-7);
        CHECK_NEAR(to[1], q[1] + 0.1 * sin(q[2]), 3e-7);
        /* boxes: corners in order, counter-clockwise; the rounded one and the capsule by their area, which chords make a little smaller */
        q = pose + 3 * (7 * frame + LOWER);
        CHECK(outline(&s, LOWER, x) == 4);
        CHECK_NEAR(area(x, 4), 0.08, 1e-6);
        CHECK_NEAR(fabs(cos(q[2]) * (x[0][0] - q[0]) + sin(q[2]) * (x[0][1] - q[1])), 0.2, 1e-6);
        const double rounded = area(x, outline(&s, UPPER, x)), capsule = area(x, outline(&s, CAPSULE, x));
        CHECK_CLOSE(rounded, 0.08 + 2 * 0.6 * 0.02 + M_PI * 0.02 * 0.02, 2e-3);
        CHECK_CLOSE(capsule, 0.3 * 0.1 + M_PI * 0.05 * 0.05, 2e-3);
        close_surfaces(&s);
    }
    free(pose), free(velocity), free(mass);
}

/* The floor passes through a point far away: it is drawn under the bodies, its upper side at y = 0, as wide as the run and not much wider. */
TEST(walls)
{
    double x[64][3], low = 1e9, high = -1e9, top = -1e9;
    make_planar();
    CHECK(TALUS("export", in_home("planar"), "--vtk", in_home("out"), "--frames", "3") == 0);
    surfaces s = open_surfaces("out", 3);
    const int n = outline(&s, 0, x);
    for (int k = 0; k < n; k++) low = fmin(low, x[k][0]), high = fmax(high, x[k][0]), top = fmax(top, x[k][1]);
    CHECK_NEAR(top, 0, 1e-6);
    CHECK(area(x, n) > 0);
    CHECK(low < -1.1 && low > -1.6 && high > 1.2 && high < 1.7);
    close_surfaces(&s);
}

static void check_list(const char *path, int files, double first, double last)
{
    size_t size;
    char *text = read_whole(path, &size), *at = text;
    double time = 0;
    int n = 0;
    for (; (at = strstr(at, "<DataSet timestep='")); at++, n++) {
        time = strtod(at + 19, NULL);
        if (n == 0) CHECK_NEAR(time, first, 1e-12);
        char *file = strstr(at, "file='") + 6, full[512];
        snprintf(full, sizeof full, "%.*s/%.*s", (int)(strrchr(path, '/') - path), path, (int)strcspn(file, "'"), file);
        if (access(full, R_OK) != 0) TEST_FAIL("'%s' is listed and not there", full);
    }
    CHECK(n == files);
    CHECK_NEAR(time, last, 1e-12);
    free(text);
}

/* --frames, --from and --to, alone and together. */
TEST(choice)
{
    make_planar();
    CHECK(TALUS("export", in_home("planar"), "--vtk", in_home("a"), "--frames", "2:8:3") == 0);
    check_list(in_home("a/bodies.pvd"), 3, 0.02, 0.08);
    CHECK(access(in_home("a/bodies/00003.vtp"), F_OK) != 0);
    CHECK(TALUS("export", in_home("planar"), "--vtk", in_home("b"), "--from", "0.03", "--to", "50 s") == 0);
    check_list(in_home("b/contacts.pvd"), 8, 0.03, 0.1);
    CHECK(TALUS("export", in_home("planar"), "--vtk", in_home("c"), "--frames", "::2", "--to", "0.05") == 0);
    check_list(in_home("c/forces.pvd"), 3, 0, 0.04);
    CHECK(TALUS("export", in_home("planar"), "--vtk", in_home("c"), "--frames", "9:") == 0); /* over the old one */
    check_list(in_home("c/mechanism.pvd"), 2, 0.09, 0.1);
}

/* Contacts as they stand in the trajectory; force vectors from normal and tangent parts. */
TEST(contacts)
{
    hsize_t shape[3];
    make_planar();
    CHECK(TALUS("export", in_home("planar"), "--vtk", in_home("out")) == 0);
    double *end = read_set("planar", "frames/contact_end", shape), *force = read_set("planar", "contacts/force", shape);
    double *point = read_set("planar", "contacts/point", shape), *normal = read_set("planar", "contacts/normal", shape);
    double *pair = read_set("planar", "contacts/body", shape), *pose = read_set("planar", "frames/pose", shape);
    const int first = (int)end[9], n = (int)end[10] - first;
    vtp v = open_vtp("out", "contacts", 10);
    CHECK(n >= 4 && v.points == n && v.vertices == n && v.lines == 0 && v.polygons == 0);
    double *x = array(&v, "Points>", "Points", 3, &v.points), *f = array(&v, "PointData", "force", 3, &v.points);
    double *m = array(&v, "PointData", "normal", 3, &v.points), *fn = array(&v, "PointData", "normal_force", 1, &v.points);
    double *candidate = array(&v, "PointData", "candidate", 1, &v.points), *antagonist = array(&v, "PointData", "antagonist", 1, &v.points);
    for (int i = 0; i < n; i++) {
        const double *p = force + 3 * (first + i), *u = normal + 3 * (first + i);
        for (int k = 0; k < 3; k++) {
            CHECK_NEAR(x[3 * i + k], point[3 * (first + i) + k], 3e-7);
            CHECK_NEAR(m[3 * i + k], u[k], 1e-6);
        }
        CHECK_NEAR(f[3 * i], p[0] * u[0] - p[1] * u[1], 1e-5);
        CHECK_NEAR(f[3 * i + 1], p[0] * u[1] + p[1] * u[0], 1e-5);
        CHECK_NEAR(fn[i], p[0], 1e-5);
        CHECK_NEAR(candidate[i], pair[2 * (first + i)], 0);
        CHECK_NEAR(antagonist[i], pair[2 * (first + i) + 1], 0);
    }
    int rest[4] = {v.points, v.points, v.points, v.points};
    free(array(&v, "PointData", "gap", 1, &rest[0])), free(array(&v, "PointData", "impulse", 3, &rest[1]));
    free(array(&v, "Verts", "connectivity", 1, &rest[2])), free(array(&v, "Verts", "offsets", 1, &rest[3]));
    close_vtp(&v);
    free(x), free(f), free(m), free(fn), free(candidate), free(antagonist);
    /* the network: the same forces from the centres of the boxes, on the floor's side from the contact */
    v = open_vtp("out", "forces", 10);
    CHECK(v.lines == n && v.points == 2 * n);
    x = array(&v, "Points>", "Points", 3, &v.points), fn = array(&v, "PointData", "normal_force", 1, &v.points);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 2; k++) {
            const int body = (int)pair[2 * (first + i) + k];
            const double *wanted = body == 0 ? point + 3 * (first + i) : pose + 3 * (7 * 10 + body);
            CHECK_NEAR(x[6 * i + 3 * k], wanted[0], 3e-7);
            CHECK_NEAR(x[6 * i + 3 * k + 1], wanted[1], 3e-7);
            CHECK_NEAR(fn[2 * i + k], force[3 * (first + i)], 1e-5);
        }
    free(x), free(fn), free(v.file);
    free(end), free(force), free(point), free(normal), free(pair), free(pose);
}

/* The arm from the pivot on the ground to the wrist; in the plane from its angle. */
TEST(mechanism)
{
    hsize_t shape[3];
    make_planar();
    CHECK(TALUS("export", in_home("planar"), "--vtk", in_home("out")) == 0);
    double *pose = read_set("planar", "frames/pose", shape);
    const double angle = pose[3 * (7 * 10 + 5) + 2], wrist[2] = {0.5 * sin(angle), 2 - 0.5 * cos(angle)};
    vtp v = open_vtp("out", "mechanism", 10);
    int corners = 2, cells = 5;
    CHECK(v.points == 4 && v.vertices == 4 && v.lines == 1);
    double *x = array(&v, "Points>", "Points", 3, &v.points), *line = array(&v, "Lines", "connectivity", 1, &corners);
    double *body = array(&v, "CellData", "body", 1, &cells);
    const double *a = x + 3 * (int)line[0], *b = x + 3 * (int)line[1];
    CHECK_NEAR(a[0], 0, 1e-6);
    CHECK_NEAR(a[1], 2, 1e-6);
    CHECK_NEAR(b[0], wrist[0], 1e-6);
    CHECK_NEAR(b[1], wrist[1], 1e-6);
    CHECK_NEAR(body[0], -1, 0);
    CHECK_NEAR(body[4], 5, 0);
    free(x), free(line), free(body), free(v.file), free(pose);
}

/* A block on a rail with a spring, a bob on a hinge, a ball on a point, a rope over a pulley to a weight: parts.pvd has them where the trajectory and the
 * scene say, in two frames; windings lie between the ends of the spring, at its radius. */
static const char MACHINE[] =
    "dimension: 3\ngravity: [0, 0, -10]\ntime: {end: 0.2 s, step: 1 ms}\nmaterials: {m: {density: 1000}}\nbodies:\n"
    "  block: {position: [0, 0, 0], shapes: [{box: {size: [0.2, 0.2, 0.2], material: m}}]}\n"
    "  bob: {position: [2, 0, 0], shapes: [{sphere: {radius: 0.1, material: m}}]}\n"
    "  ball: {position: [4, 0, 0], shapes: [{sphere: {radius: 0.1, material: m}}]}\n"
    "joints:\n  rail: {type: prismatic, bodies: [ground, block], at: [0, 0, 0], axis: [1, 0, 0], slide: {stiffness: 400 N/m, rest: 0.3 m}}\n"
    "  hinge: {bodies: [ground, bob], at: [2, 0, 1], axis: [0, 1, 0]}\n  point: {type: spherical, bodies: [ground, ball], at: [4, 0, 0.1]}\n"
    "ropes: {r: {bodies: [bob, ground, ball], at: [[0, 0, 0], [3, 0, 2], [0, 0, 0]]}}\noutput: {frames: {every: 0.1 s}}\n";
enum { BLOCK = 0, BOB = 1, BALL_BODY = 2, IS_BAR = 0, IS_WHEEL = 1, IS_RAIL = 4, IS_SPRING = 5, IS_ROPE = 7, IS_FOOT = 10, IS_BALL = 12 };

typedef struct parts {
    vtp file;
    double *x, *radius, *kind, *body, *corner, *end, *vertex, *one;
    int corners, lines, cells, vertices, ones;
} parts;

static parts open_parts(int frame)
{
    parts p = {.file = open_vtp("out", "parts", frame), .corners = -1};
    p.cells = p.file.vertices + p.file.lines, p.lines = p.file.lines, p.vertices = p.ones = p.file.vertices;
    p.radius = array(&p.file, "PointData", "radius", 1, &p.file.points);
    p.kind = array(&p.file, "CellData", "kind", 1, &p.cells), p.body = array(&p.file, "CellData", "body", 1, &p.cells);
    p.x = array(&p.file, "Points>", "Points", 3, &p.file.points);
    p.vertex = array(&p.file, "Verts", "connectivity", 1, &p.vertices), p.one = array(&p.file, "Verts", "offsets", 1, &p.ones);
    p.corner = array(&p.file, "Lines", "connectivity", 1, &p.corners), p.end = array(&p.file, "Lines", "offsets", 1, &p.lines);
    CHECK(p.lines > 0 && (int)p.end[p.lines - 1] == p.corners && p.corners + p.vertices == p.file.points);
    for (int i = 0; i < p.vertices; i++) CHECK((int)p.vertex[i] == i && (int)p.one[i] == i + 1);
    return p;
}

static void close_parts(parts *p)
{
    free(p->radius), free(p->kind), free(p->body), free(p->x), free(p->vertex), free(p->one), free(p->corner), free(p->end);
    close_vtp(&p->file);
}

/* First and last point of the n-th line of a kind; how many points it has, 0: there is none. */
static int line_of(const parts *p, int kind, int n, double first[3], double last[3])
{
    for (int i = 0; i < p->lines; i++) {
        if ((int)p->kind[p->vertices + i] != kind || n-- > 0) continue;
        const int begin = i ? (int)p->end[i - 1] : 0, end = (int)p->end[i];
        memcpy(first, p->x + 3 * (int)p->corner[begin], 3 * sizeof *first);
        memcpy(last, p->x + 3 * (int)p->corner[end - 1], 3 * sizeof *last);
        return end - begin;
    }
    return 0;
}

static double distance(const double a[3], const double b[3]) { return sqrt(pow(a[0] - b[0], 2) + pow(a[1] - b[1], 2) + pow(a[2] - b[2], 2)); }

static void check_machine(const parts *p, const double *pose)
{
    double a[3], b[3], low[3], high[3];
    CHECK(line_of(p, IS_RAIL, 0, low, high) == 2 && line_of(p, IS_RAIL, 1, a, b) == 0 && low[0] < -0.1 && high[0] > pose[0] + 0.1);
    const int windings = line_of(p, IS_SPRING, 0, a, b);
    CHECK(windings > 30 && distance(a, low) < 1e-6 && distance(b, pose) < 1e-6); /* from the end of the rail to the block */
    for (int i = 0; i < p->lines; i++)
        for (int k = i ? (int)p->end[i - 1] : 0; (int)p->kind[p->vertices + i] == IS_SPRING && k < (int)p->end[i]; k++) {
            const double *x = p->x + 3 * (int)p->corner[k];
            CHECK(x[0] > a[0] - 1e-6 && x[0] < b[0] + 1e-6 && hypot(x[1], x[2]) < 0.05);
        }
    CHECK(line_of(p, IS_FOOT, 0, a, b) == 2 && hypot(a[0] - 2, a[2] - 1) < 1e-3 && hypot(b[0] - 2, b[2] - 1) < 1e-3 && a[1] * b[1] < 0);
    CHECK(line_of(p, IS_ROPE, 0, a, b) == 2 && distance(a, pose + 7 * BOB) < 1e-6 && distance(b, (const double[3]){3, 0, 2}) < 1e-6);
    CHECK(line_of(p, IS_ROPE, 1, a, b) == 2 && distance(b, pose + 7 * BALL_BODY) < 1e-6 && distance(a, (const double[3]){3, 0, 2}) < 1e-6);
    CHECK(line_of(p, IS_WHEEL, 0, a, b) == 2 && fabs(a[1] + b[1]) < 1e-6 && fabs(a[0] - 3) + fabs(b[2] - 2) < 1e-6);
    CHECK(p->vertices == 1 && (int)p->kind[0] == IS_BALL && (int)p->body[0] == BALL_BODY && distance(p->x, (const double[3]){4, 0, 0.1}) < 1e-3);
    CHECK(line_of(p, IS_BAR, 0, a, b) == 2 && distance(b, pose + 7 * BOB) < 1e-6); /* from the hinge to the bob */
    for (int i = 0; i < p->file.points; i++) CHECK(p->radius[i] > 0 && p->radius[i] < 0.3);
}

TEST(machine)
{
    hsize_t shape[3];
    FILE *out = fopen(in_home("machine.yaml"), "w");
    if (!out || fputs(MACHINE, out) < 0 || fclose(out) != 0) exit(1);
    CHECK(TALUS("run", in_home("machine.yaml"), "-o", in_home("machine"), "--quiet") == 0);
    CHECK(TALUS("export", in_home("machine"), "--vtk", in_home("out")) == 0);
    double *pose = read_set("machine", "frames/pose", shape);
    for (int frame = 0; frame < 3; frame++) {
        parts p = open_parts(frame);
        check_machine(&p, pose + (hsize_t)frame * shape[1] * 7);
        close_parts(&p);
    }
    CHECK(shape[0] == 3 && fabs(pose[2 * shape[1] * 7]) > 0.05); /* the block has moved */
    free(pose);
}

/* v turned by a quaternion, without a matrix: v + 2 w (u × v) + 2 u × (u × v) */
static void turn(const double q[4], const double v[3], double out[3])
{
    const double *u = q + 1, c[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
    const double d[3] = {u[1] * c[2] - u[2] * c[1], u[2] * c[0] - u[0] * c[2], u[0] * c[1] - u[1] * c[0]};
    for (int k = 0; k < 3; k++) out[k] = v[k] + 2 * q[0] * c[k] + 2 * d[k];
}

/* Volume within the polygons of a body; every edge must be passed once in each direction, or it is not closed. */
static double volume(const surfaces *s, int body)
{
    enum { MOST = 2000 };
    static int edge[MOST][2];
    double x[64][3], six = 0;
    int edges = 0;
    for (int i = 0; i < s->file.polygons; i++) {
        if ((int)s->body[s->file.lines + i] != body) continue;
        const int n = polygon(s, i, x), begin = i ? (int)s->end[i - 1] : 0;
        for (int k = 1; k + 1 < n; k++)
            six += x[0][0] * (x[k][1] * x[k + 1][2] - x[k][2] * x[k + 1][1]) + x[0][1] * (x[k][2] * x[k + 1][0] - x[k][0] * x[k + 1][2]) +
                   x[0][2] * (x[k][0] * x[k + 1][1] - x[k][1] * x[k + 1][0]);
        for (int k = 0; k < n && edges < MOST; k++, edges++) edge[edges][0] = (int)s->corner[begin + k], edge[edges][1] = (int)s->corner[begin + (k + 1) % n];
    }
    for (int i = 0; i < edges; i++) {
        int same = 0, back = 0;
        for (int j = 0; j < edges; j++) {
            same += edge[i][0] == edge[j][0] && edge[i][1] == edge[j][1];
            back += edge[i][0] == edge[j][1] && edge[i][1] == edge[j][0];
        }
        if (same != 1 || back != 1) {
            TEST_FAIL("body %d is not closed", body);
            break;
        }
    }
    return six / 6;
}

/* Stones corner by corner; the round ones by their volume, of which chords take some percent. */
TEST(space)
{
    static const double DENSITY[3] = {2500, 2700, 3000};
    hsize_t shape[3];
    make_space();
    CHECK(TALUS("export", in_home("space"), "--vtk", in_home("out")) == 0);
    double *pose = read_set("space", "frames/pose", shape), *mass = read_set("space", "bodies/mass", shape),
           *points = read_set("space", "shapes/points", shape);
    double *first = read_set("space", "shapes/first_point", shape), *count = read_set("space", "shapes/point_count", shape);
    double *body = read_set("space", "shapes/body", shape), *material = read_set("space", "shapes/material", shape);
    double *end = read_set("space", "frames/contact_end", shape);
    surfaces s = open_surfaces("out", 4);
    int start = 0, contacts = (int)(end[4] - end[3]);
    CHECK(s.file.lines == 0);
    for (int i = 0; i < 45; i++) {
        const int b = (int)body[i];
        if (b < 6 || !(volume(&s, b) > 0)) continue;
        const double *q = pose + 7 * (46 * 4 + b);
        CHECK_CLOSE(volume(&s, b), mass[b] / DENSITY[(int)material[i]], 1e-4);
        if (start == 0) /* points stand body by body */
            for (int k = 0; k < s.file.polygons && !start; k++)
                if ((int)s.body[k] == b) {
                    start = s.file.points;
                    for (int c = k ? (int)s.end[k - 1] : 0; c < (int)s.end[k + 45]; c++) start = s.corner[c] < start ? (int)s.corner[c] : start;
                }
        for (int k = 0; k < (int)count[i]; k++, start++) {
            double wanted[3];
            turn(q + 3, points + 3 * ((int)first[i] + k), wanted);
            for (int d = 0; d < 3; d++) CHECK_NEAR(s.x[3 * start + d], q[d] + wanted[d], 3e-7);
        }
    }
    CHECK(start == s.file.points - 4); /* all stones were there; then comes the floor */
    CHECK_CLOSE(volume(&s, 2), 0.02 * 0.12 * 0.1, 1e-5);
    CHECK_CLOSE(volume(&s, 3), 4.0 / 3 * M_PI * pow(0.016, 3), 0.08);
    CHECK_CLOSE(volume(&s, 4), 4.0 / 3 * M_PI * 1e-6 + M_PI * 1e-4 * 0.04, 0.06);
    CHECK_CLOSE(volume(&s, 5), M_PI * 0.015 * 0.015 * 0.05, 0.03);
    double x[64][3];
    const int n = outline(&s, 0, x);
    CHECK(n == 4 && area(x, n) > 0.1); /* seen from above, in z = 0 */
    for (int k = 0; k < n; k++) CHECK_NEAR(x[k][2], 0, 1e-9);
    close_surfaces(&s);
    vtp v = open_vtp("out", "contacts", 4);
    CHECK(v.points == contacts && contacts > 50);
    free(v.file);
    free(pose), free(mass), free(points), free(first), free(count), free(body), free(material), free(end);
}

/* Wrong words, wrong runs, a disk that is full: exit code 2, and a text that says which. */
TEST(refusals)
{
    make_planar();
    char run[256];
    snprintf(run, sizeof run, "%s/planar", home);
    CHECK(TALUS("export", run) == 2 && complains("--vtk OUT"));
    CHECK(TALUS("export", "--vtk", in_home("o")) == 2 && complains("which run"));
    CHECK(TALUS("export", in_home("nowhere"), "--vtk", in_home("o")) == 2 && complains("nowhere/trajectory.h5"));
    static const char *const WRONG[] = {"a", "1:2:0", "-1", "1:2:3:4", "1,2", ""};
    for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++)
        CHECK(TALUS("export", run, "--vtk", in_home("o"), "--frames", WRONG[i]) == 2 && complains("FIRST:LAST:STRIDE"));
    CHECK(TALUS("export", run, "--vtk", in_home("o"), "--from", "noon") == 2 && complains("noon"));
    CHECK(TALUS("export", run, "--vtk", in_home("o"), "--frames", "11:") == 2 && complains("11 frames, from 0 s to 0.1 s"));
    CHECK(TALUS("export", run, "--vtk", in_home("o"), "--from", "0.061", "--to", "0.069") == 2 && complains("none of them"));
    CHECK(access(in_home("o"), F_OK) != 0); /* nothing was begun */
    CHECK(TALUS("export", run, "--vtk", in_home("planar.yaml/out")) == 2 && complains("planar.yaml"));
    FILE *out = fopen(in_home("planar/trajectory.h5"), "r+b"); /* the end of the file is gone */
    CHECK(out && ftruncate(fileno(out), 5000) == 0 && fclose(out) == 0);
    CHECK(TALUS("export", run, "--vtk", in_home("o")) == 2 && complains("trajectory.h5"));
    make_space();
    const char *const arguments[] = {"export", in_home("space"), "--vtk", in_home("full"), NULL};
    CHECK(execute(TALUS_COMMAND, arguments, 4096) == 2 && complains("cannot write") && complains("full/bodies/00000.vtp"));
    CHECK(access(in_home("full/bodies.pvd"), F_OK) != 0); /* no list of what is not there */
}

/* Far from the origin of a map points have all their digits; in a periodic cell a copy has the row of its body, and the outline of the cell none. */
TEST(periodic_on_a_map)
{
    static const char TEXT[] = "time: {end: 0.1 s, step: 10 ms}\nmaterials: {m: {density: 1000}}\nperiodic: {x: [500000, 500002]}\nbodies:\n"
                               "  a: {position: [500000.0625, 5000000.001], shapes: [{box: {size: [0.5, 0.5], material: m}}]}\n"
                               "  b: {position: [500001, 5000002.125], shapes: [{box: {size: [0.5, 0.25], material: m}}]}\n";
    FILE *out = fopen(in_home("map.yaml"), "w");
    if (!out || fputs(TEXT, out) < 0 || fclose(out) != 0) exit(1);
    CHECK(TALUS("run", in_home("map.yaml"), "-o", in_home("map"), "--quiet") == 0);
    CHECK(TALUS("export", in_home("map"), "--vtk", in_home("maps"), "--frames", "0") == 0);
    surfaces s = open_surfaces("maps", 0);
    int seen[3] = {0};
    for (int i = 0; i < s.cells; i++) {
        const int body = (int)s.body[i];
        CHECK(body >= -1 && body < 2);
        if (s.role[i] == 0) seen[body + 1]++;
    }
    CHECK(seen[1] == 2 && seen[2] == 1); /* a on both sides */
    double least = 1e9;
    for (int i = 0; i < s.file.points; i++) least = fmin(least, hypot(s.x[3 * i] - 500000.3125, s.x[3 * i + 1] - 5000000.251));
    CHECK_NEAR(least, 0, 2e-9);
    close_surfaces(&s);
}

int main(int argc, char **argv)
{
    snprintf(home, sizeof home, "/tmp/talus-export-XXXXXX");
    if (!mkdtemp(home)) return 1;
    RUN(planar_bodies);
    RUN(walls);
    RUN(choice);
    RUN(contacts);
    RUN(mechanism);
    RUN(machine);
    RUN(space);
    RUN(periodic_on_a_map);
    RUN(refusals);
    nftw(home, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    return TEST_RESULT;
}
