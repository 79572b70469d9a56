/* What a run leaves in its directory (results §1, §3), read by other means than talus's own: columns, JSON, HDF5 with units and meanings. */
#include <fcntl.h>
#include <ftw.h>
#include <hdf5.h>
#include <stdbool.h>
#include <sys/stat.h>

#include "test.h"

static char home[64];

/* A stone in free flight beside two that lie on the floor, and a driven arm; rows every 3 ms, frames every 7 ms: 100 ms is a multiple of neither. */
static const char SCENE[] =
    "gravity: [0, -9.81]\n"
    "time: {end: 0.1 s, step: 1 ms}\n"
    "materials:\n"
    "  stone: {density: 2000 kg/m^3}\n"
    "interactions:\n"
    "  - {friction: 0.5}\n"
    "bodies:\n"
    "  floor: {kind: fixed, shapes: [{half_plane: {point: [0, 0], normal: [0, 1], material: stone}}]}\n"
    "  flyer: {position: [-2, 3], angle: 0.25, velocity: [1.5, 2], angular_velocity: -4, shapes: [{disk: {radius: 0.1, material: stone}}]}\n"
    "  lower: {position: [1, 0.1], mass: 3 kg, inertia: 0.02, shapes: [{box: {size: [0.4, 0.2], material: stone}}]}\n"
    "  upper: {position: [1, 0.3], mass: 2 kg, inertia: 0.02, shapes: [{box: {size: [0.4, 0.2], material: stone}}]}\n"
    "mechanisms:\n"
    "  swing:\n"
    "    bodies:\n"
    "      arm: {mass: 1 kg, inertia: 0.1}\n"
    "    joints:\n"
    "      pivot: {type: revolute, parent: ground, at: [0, 5], child: arm}\n"
    "    drives:\n"
    "      motor: {joint: pivot, speed: \"2\"}\n"
    "probes:\n"
    "  height: {body: flyer, quantity: y}\n"
    "  pivot angle: {joint: pivot}\n"
    "  a: {contact_force: lower, quantity: y}\n"
    "output:\n"
    "  series: {every: 3 ms}\n"
    "  frames: {every: 7 ms}\n";

static const double STEP = 1e-3;
enum { STEPS = 100 };

/* ---- files and runs ----------------------------------------------------------------------------------------------- */

static int remove_one(const char *path, const struct stat *s, int kind, struct FTW *walk)
{
    (void)s, (void)kind, (void)walk;
    return remove(path);
}

static char *read_text(const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", home, name);
    FILE *in = fopen(path, "rb");
    char *text = in ? calloc(1, 1 << 20) : NULL;
    if (!text) {
        TEST_FAIL("cannot read '%s'", path);
        exit(1);
    }
    const size_t got = fread(text, 1, (1 << 20) - 1, in);
    text[got] = '\0';
    fclose(in);
    return text;
}

/* Runs a scene into home/NAME; setting: a further path=value, or NULL. */
static void run_scene(const char *name, const char *setting)
{
    char scene[256], directory[256];
    snprintf(scene, sizeof scene, "%s/%s.yaml", home, name);
    snprintf(directory, sizeof directory, "%s/%s", home, name);
    FILE *out = fopen(scene, "w");
    if (!out || fputs(SCENE, out) < 0 || fclose(out) != 0) exit(1);
    int status = 0;
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        char *const end = NULL;
        execl(TALUS_COMMAND, "talus", "run", scene, "-o", directory, "--quiet", "--threads", "2", setting ? "--set" : end, setting, (char *)NULL);
        _exit(99);
    }
    waitpid(child, &status, 0);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

/* ---- series.csv --------------------------------------------------------------------------------------------------- */

enum { COLUMNS = 12 };

/* Rows of numbers under the header; checks that each has all columns and only numbers. */
static int read_rows(char *text, double row[][COLUMNS], int most)
{
    int rows = 0;
    char *at = strchr(text, '\n');
    for (at = at ? at + 1 : text; *at && rows < most; rows++) {
        for (int k = 0; k < COLUMNS; k++) {
            char *end;
            row[rows][k] = strtod(at, &end);
            const char wanted = k == COLUMNS - 1 ? '\n' : ',';
            if (end == at || *end != wanted || !isfinite(row[rows][k])) {
                TEST_FAIL("row %d, column %d is no number, or is followed by '%c'", rows, k, *end);
                return rows;
            }
            at = end + 1;
        }
    }
    CHECK(*at == '\0');
    return rows;
}

/* The contract's columns, in its order; a row at t = 0, at each multiple of 3 ms and at the end; what the columns say is true. */
TEST(series)
{
    static double row[200][COLUMNS];
    static const char HEADER[] = "time,height,pivot angle,a,contacts,iterations,residual,penetration,kinetic_energy,potential_energy,candidates,tolerance\n";
    static const double TOLERANCE = 1e-8, FRICTION = 0.5;
    run_scene("series", "solver.tolerance=1e-8 m/s");
    char *text = read_text("series/series.csv");
    if (strncmp(text, HEADER, sizeof HEADER - 1) != 0) TEST_FAIL("the header is %.*s", (int)strcspn(text, "\n"), text);
    const int rows = read_rows(text, row, 200);
    double sweeps = 0;
    CHECK(rows == 35); /* 0, 3, …, 99, then 100 ms */
    for (int i = 0; i < rows && i < 35; i++) {
        const double t = i == 34 ? 0.1 : 3e-3 * i;
        CHECK_NEAR(row[i][0], t, 1e-12);
        CHECK_NEAR(row[i][1], 3 + 2 * t - 0.5 * 9.81 * t * t, 1e-12 + 9.81 * STEP * t); /* the scheme's order */
        CHECK_NEAR(row[i][2], 2 * t, 1e-12);
        CHECK(row[i][7] >= 0 && row[i][7] < 1e-3); /* largest penetration */
        CHECK(row[i][6] >= 0 && row[i][8] > 0);
        if (i == 0) continue;
        CHECK(row[i][10] >= 4 && row[i][10] <= 8); /* two faces, two corners each, seen from one side or both */
        CHECK(row[i][4] >= 2 && row[i][4] <= row[i][10]);
        CHECK(row[i][11] == TOLERANCE && row[i][6] <= TOLERANCE);
        CHECK(row[i][5] >= 0 && row[i][5] == floor(row[i][5]));
        sweeps += row[i][5]; /* 0 where the last impulses still fit */
        /* The boxes rest: all contacts of the lower one carry its weight, less 3 kg times the change of its speed over h. A contact that presses moves along
         * its normal by at most 1 + μ residuals, and gaps that the step before has left close: before and after within the tolerance. */
        CHECK_NEAR(row[i][3], 3 * 9.81, 1e-9 + 3 * (1 + FRICTION) * 3 * TOLERANCE / STEP);
    }
    CHECK(sweeps > 0);
    /* at the start: the flyer ½ (m v² + I ω²) and the arm ½ 0.1 2²; potential m g h of all, the arm at its pivot */
    const double m = 2000 * M_PI * 0.01, inertia = 0.5 * m * 0.01;
    CHECK_CLOSE(row[0][8], 0.5 * m * (1.5 * 1.5 + 4) + 0.5 * inertia * 16 + 0.2, 1e-12);
    const double fall = row[34][9] - row[0][9]; /* only the flyer moves up or down, but for the boxes' slop */
    CHECK_NEAR(fall, m * 9.81 * (row[34][1] - row[0][1]), 5 * 9.81 * 1e-3);
    free(text);
}

/* Every step, when nothing else is said. */
TEST(series_every_step)
{
    static double row[200][COLUMNS];
    run_scene("each", "output.series.every=0 s");
    char *text = read_text("each/series.csv");
    CHECK(read_rows(text, row, 200) == STEPS + 1);
    for (int i = 0; i <= STEPS; i++) CHECK_NEAR(row[i][0], i * STEP, 1e-12);
    free(text);
}

/* ---- summary.json: a strict reader (RFC 8259) that keeps what the object says at its first level -------------------- */

typedef struct json {
    const char *at;
    bool bad;
    int depth, count;
    char key[64][64], value[64][256];
} json;

static void blanks(json *j) { j->at += strspn(j->at, " \t\r\n"); }

static void expect(json *j, char c)
{
    if (*j->at == c) j->at++;
    else j->bad = true;
}

static void json_string(json *j)
{
    expect(j, '"');
    while (!j->bad && *j->at != '"') {
        const unsigned char c = (unsigned char)*j->at++;
        if (c < ' ') j->bad = true;
        if (c != '\\') continue;
        const char escape = *j->at++;
        if (escape == 'u') {
            for (int i = 0; i < 4 && !j->bad; i++)
                if (!*j->at || !strchr("0123456789abcdefABCDEF", *j->at++)) j->bad = true;
        } else if (!escape || !strchr("\"\\/bfnrt", escape)) j->bad = true;
    }
    expect(j, '"');
}

static void digits(json *j)
{
    const size_t n = strspn(j->at, "0123456789");
    if (n == 0) j->bad = true;
    j->at += n;
}

static void json_number(json *j)
{
    if (*j->at == '-') j->at++;
    if (*j->at == '0') j->at++;
    else digits(j);
    if (*j->at == '.') j->at++, digits(j);
    if (*j->at == 'e' || *j->at == 'E') {
        j->at++;
        if (*j->at == '+' || *j->at == '-') j->at++;
        digits(j);
    }
}

static void json_value(json *j);

static void json_members(json *j, bool object)
{
    char key[64];
    j->at++;
    j->depth++;
    blanks(j);
    for (bool more = *j->at != (object ? '}' : ']'); more && !j->bad;) {
        blanks(j);
        const char *from = j->at;
        if (object) {
            json_string(j);
            snprintf(key, sizeof key, "%.*s", (int)(j->at - from), from);
            blanks(j);
            expect(j, ':');
        }
        blanks(j);
        from = j->at;
        json_value(j);
        if (object && j->depth == 1 && j->count < 64) {
            snprintf(j->key[j->count], sizeof j->key[0], "%s", key);
            snprintf(j->value[j->count++], sizeof j->value[0], "%.*s", (int)(j->at - from), from);
        }
        blanks(j);
        more = *j->at == ',';
        if (more) j->at++;
    }
    expect(j, object ? '}' : ']');
    j->depth--;
}

static void json_value(json *j)
{
    static const char *const WORDS[3] = {"true", "false", "null"};
    if (j->bad || j->depth > 10) j->bad = true;
    else if (*j->at == '{' || *j->at == '[') json_members(j, *j->at == '{');
    else if (*j->at == '"') json_string(j);
    else if (*j->at == '-' || (*j->at >= '0' && *j->at <= '9')) json_number(j);
    else {
        for (int i = 0; i < 3; i++)
            if (strncmp(j->at, WORDS[i], strlen(WORDS[i])) == 0) {
                j->at += strlen(WORDS[i]);
                return;
            }
        j->bad = true;
    }
}

static json read_json(char *text)
{
    json j = {.at = text};
    blanks(&j);
    json_value(&j);
    blanks(&j);
    if (j.bad || *j.at) TEST_FAIL("no JSON from byte %d: %.60s", (int)(j.at - text), j.at);
    return j;
}

static const char *json_get(const json *j, const char *key)
{
    char quoted[64];
    const char *found = "";
    snprintf(quoted, sizeof quoted, "\"%s\"", key);
    for (int i = 0; i < j->count; i++)
        if (strcmp(j->key[i], quoted) == 0) {
            if (found[0]) TEST_FAIL("'%s' is there twice", key);
            found = j->value[i];
        }
    if (!found[0]) TEST_FAIL("summary.json has no '%s'", key);
    return found;
}

static double json_get_number(const json *j, const char *key)
{
    char *end;
    const char *text = json_get(j, key);
    const double value = strtod(text, &end);
    if (end == text || *end) TEST_FAIL("%s is no number: %s", key, text);
    return value;
}

/* Every key of the contract, with the type and the value that this scene must give. */
TEST(summary)
{
    static const char *const NUMBERS[] = {"wall_seconds",   "contacts_mean",      "contacts_max",      "iterations_mean", "candidates_mean",
                                          "candidates_max", "contact_iterations", "unconverged_steps", "residual_max",    "penetration_max"};
    run_scene("summary \"quoted\" \\ \t", NULL); /* its path needs escapes */
    char *text = read_text("summary \"quoted\" \\ \t/summary.json");
    const json j = read_json(text);
    for (size_t i = 0; i < sizeof NUMBERS / sizeof *NUMBERS; i++) CHECK(json_get_number(&j, NUMBERS[i]) >= 0);
    CHECK_NEAR(json_get_number(&j, "steps"), STEPS, 0);
    CHECK_NEAR(json_get_number(&j, "time_end"), 0.1, 1e-12);
    CHECK_NEAR(json_get_number(&j, "threads"), 2, 0);
    CHECK_NEAR(json_get_number(&j, "bodies"), 5, 0);
    CHECK_NEAR(json_get_number(&j, "degrees_of_freedom"), 9, 0); /* three free bodies; the arm is driven */
    const double mean = json_get_number(&j, "candidates_mean"), most = json_get_number(&j, "candidates_max");
    CHECK(json_get_number(&j, "contacts_mean") >= 2 && json_get_number(&j, "contacts_max") <= most);
    CHECK(mean >= 4 && mean <= most && most <= 8); /* of the two faces; corners count from either side */
    CHECK(json_get_number(&j, "contact_iterations") >= mean * STEPS);
    CHECK(json_get_number(&j, "iterations_mean") >= 1);
    CHECK(strcmp(json_get(&j, "status"), "\"done\"") == 0);
    CHECK(strstr(json_get(&j, "scene"), "summary \\\"quoted\\\" \\\\ ") != NULL);
    const char *hash = json_get(&j, "state_hash"), *version = json_get(&j, "version");
    CHECK(strlen(hash) == 18 && strspn(hash + 1, "0123456789abcdef") == 16);
    CHECK(version[0] == '"' && strlen(version) > 2);
    const char *stages = json_get(&j, "stage_seconds");
    CHECK(stages[0] == '{' && strstr(stages, "\"record\": ") && strstr(stages, "\"detect\": ") && strstr(stages, "\"solve\": "));
    free(text);
}

/* ---- trajectory.h5 ------------------------------------------------------------------------------------------------ */

static hid_t open_results(const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", home, name);
    const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    if (file < 0) {
        TEST_FAIL("'%s' is not HDF5", path);
        exit(1);
    }
    return file;
}

/* A whole set as doubles; its shape, at most three axes. */
static double *read_set(hid_t file, const char *name, hsize_t shape[3])
{
    const hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
    if (set < 0) {
        TEST_FAIL("there is no '%s'", name);
        exit(1);
    }
    const hid_t space = H5Dget_space(set);
    shape[0] = shape[1] = shape[2] = 1;
    CHECK(H5Sget_simple_extent_ndims(space) <= 3);
    H5Sget_simple_extent_dims(space, shape, NULL);
    double *data = calloc(shape[0] * shape[1] * shape[2] + 1, sizeof *data);
    if (!data || (shape[0] && H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) < 0)) TEST_FAIL("'%s' cannot be read", name);
    H5Sclose(space);
    H5Dclose(set);
    return data;
}

static bool text_attribute(hid_t set, const char *name, char *out, size_t room)
{
    if (H5Aexists(set, name) <= 0) return false;
    const hid_t a = H5Aopen(set, name, H5P_DEFAULT), type = H5Aget_type(a);
    const bool text = H5Tget_class(type) == H5T_STRING && !H5Tis_variable_str(type) && H5Tget_size(type) < room;
    memset(out, 0, room);
    const bool done = text && H5Aread(a, type, out) >= 0;
    H5Tclose(type);
    H5Aclose(a);
    return done;
}

/* Every set below a group; returns their number. */
static int check_described(hid_t group)
{
    H5G_info_t info = {.nlinks = 0};
    int sets = 0;
    H5Gget_info(group, &info);
    for (hsize_t i = 0; i < info.nlinks; i++) {
        char name[256] = "", unit[128] = "", meaning[1024] = "";
        H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, i, name, sizeof name, H5P_DEFAULT);
        const hid_t object = H5Oopen(group, name, H5P_DEFAULT);
        if (H5Iget_type(object) == H5I_GROUP) sets += check_described(object);
        else {
            if (!text_attribute(object, "unit", unit, sizeof unit) || !unit[0]) TEST_FAIL("'%s' has no unit", name);
            if (!text_attribute(object, "meaning", meaning, sizeof meaning) || !meaning[0]) TEST_FAIL("'%s' has no meaning", name);
            sets++;
        }
        H5Oclose(object);
    }
    return sets;
}

/* Every set has a unit and a meaning as attributes, those of the state in the checkpoint too. */
TEST(attributes)
{
    run_scene("attributes", NULL);
    hid_t file = open_results("attributes/trajectory.h5");
    CHECK(check_described(file) >= 12); /* bodies, shapes, frames, contacts */
    H5Fclose(file);
    file = open_results("attributes/checkpoint.h5");
    const hid_t state = H5Gopen2(file, "state", H5P_DEFAULT);
    CHECK(state >= 0);
    CHECK(check_described(state) >= 3);
    H5Gclose(state);
    H5Fclose(file);
}

static int body_named(hid_t file, const char *wanted)
{
    char name[5][64] = {{0}};
    const hid_t set = H5Dopen2(file, "bodies/name", H5P_DEFAULT), type = H5Dget_type(set), space = H5Dget_space(set), row = H5Tcopy(H5T_C_S1);
    int found = -1;
    CHECK(H5Sget_simple_extent_npoints(space) == 5 && H5Tis_variable_str(type) == 0 && H5Tget_cset(type) == H5T_CSET_UTF8);
    H5Tset_size(row, sizeof name[0]);
    H5Tset_cset(row, H5T_CSET_UTF8);
    if (H5Dread(set, row, H5S_ALL, H5S_ALL, H5P_DEFAULT, name) < 0) exit(1);
    for (int i = 0; i < 5; i++)
        if (strcmp(name[i], wanted) == 0) found = i;
    H5Tclose(row);
    H5Sclose(space);
    H5Tclose(type);
    H5Dclose(set);
    if (found < 0) {
        TEST_FAIL("no body '%s'", wanted);
        exit(1);
    }
    return found;
}

/* Frames at 0, 7, …, 98 ms and at the end. A flight is (theory §4.1, θ = ½: the positions of the closed form at whole steps are
 * those of midpoint velocities, exact for a constant acceleration but for at most one half step of g h) a parabola; the spin is constant. */
TEST(frames)
{
    hsize_t shape[3], times[3];
    run_scene("frames", NULL);
    const hid_t file = open_results("frames/trajectory.h5");
    double *time = read_set(file, "frames/time", times), *pose = read_set(file, "frames/pose", shape);
    CHECK(times[0] == 16);
    CHECK(shape[0] == 16 && shape[1] == 5 && shape[2] == 3);
    const int flyer = body_named(file, "flyer"), arm = body_named(file, "arm"), floor_body = body_named(file, "floor");
    for (hsize_t k = 0; k < times[0]; k++) {
        const double t = k == 15 ? 0.1 : 7e-3 * (double)k, *p = pose + (k * 5 + (hsize_t)flyer) * 3;
        CHECK_NEAR(time[k], t, 1e-12);
        CHECK_NEAR(p[0], -2 + 1.5 * t, 1e-12);
        CHECK_NEAR(p[1], 3 + 2 * t - 0.5 * 9.81 * t * t, 1e-12 + 0.5 * 9.81 * STEP * t);
        CHECK_NEAR(p[2], 0.25 - 4 * t, 1e-12);
        CHECK_NEAR(pose[(k * 5 + (hsize_t)arm) * 3 + 2], 2 * t, 1e-12);
        for (int i = 0; i < 3; i++) CHECK_NEAR(pose[(k * 5 + (hsize_t)floor_body) * 3 + (hsize_t)i], 0, 0);
    }
    free(time);
    free(pose);
    double *velocity = read_set(file, "frames/velocity", shape);
    CHECK(shape[0] == 16 && shape[1] == 5 && shape[2] == 3);
    for (hsize_t k = 0; k < shape[0]; k++) {
        const double t = k == 15 ? 0.1 : 7e-3 * (double)k, *v = velocity + (k * 5 + (hsize_t)flyer) * 3;
        CHECK_NEAR(v[0], 1.5, 1e-12);
        CHECK_NEAR(v[1], 2 - 9.81 * t, 1e-11);
        CHECK_NEAR(v[2], -4, 1e-12);
    }
    free(velocity);
    double *mass = read_set(file, "bodies/mass", shape);
    CHECK(shape[0] == 5);
    CHECK_CLOSE(mass[flyer], 2000 * M_PI * 0.01, 1e-12);
    CHECK_NEAR(mass[floor_body], 0, 0);
    free(mass);
    H5Fclose(file);
}

typedef struct touched {
    double *end, *body, *normal, *impulse, *force, *point;
    hsize_t frames, contacts;
} touched;

static touched read_contacts(hid_t file)
{
    touched c;
    hsize_t shape[3];
    c.end = read_set(file, "frames/contact_end", shape);
    c.frames = shape[0];
    c.body = read_set(file, "contacts/body", shape);
    c.contacts = shape[0];
    CHECK(shape[1] == 2);
    double **const vectors[4] = {&c.point, &c.normal, &c.impulse, &c.force};
    static const char *const NAMES[4] = {"contacts/point", "contacts/normal", "contacts/impulse", "contacts/force"};
    for (int i = 0; i < 4; i++) {
        *vectors[i] = read_set(file, NAMES[i], shape);
        CHECK(shape[0] == c.contacts && shape[1] == 3);
    }
    return c;
}

/* After the first frame each has its contacts: impulses along unit normals that carry the two boxes, (3 + 2) g h on the floor and 2 g h
 * between them. Tolerance: what the solver's tolerance (its residual, a velocity) can hide: the masses times it. */
TEST(contacts)
{
    hsize_t first = 0;
    run_scene("contacts", "solver.tolerance=1e-10 m/s");
    const hid_t file = open_results("contacts/trajectory.h5");
    const int floor_body = body_named(file, "floor"), lower = body_named(file, "lower"), upper = body_named(file, "upper");
    touched c = read_contacts(file);
    CHECK(c.frames == 16 && c.contacts > 0);
    CHECK_NEAR(c.end[c.frames - 1], (double)c.contacts, 0);
    for (hsize_t k = 0; k < c.frames; k++) {
        const hsize_t end = (hsize_t)c.end[k];
        double on_floor = 0, between = 0;
        CHECK(end >= first && end <= c.contacts);
        for (hsize_t i = first; i < end; i++) {
            const double *n = c.normal + 3 * i, *p = c.impulse + 3 * i, *f = c.force + 3 * i;
            const int a = (int)c.body[2 * i], b = (int)c.body[2 * i + 1];
            CHECK_NEAR(n[0] * n[0] + n[1] * n[1], 1, 1e-12);
            CHECK(p[0] > 0);
            for (int s = 0; s < 3; s++) CHECK_NEAR(f[s], p[s] / STEP, 1e-9 * fabs(f[s]));
            CHECK(fabs(c.point[3 * i] - 1) < 0.21);
            const double up = fabs(n[1] * p[0] + n[0] * p[1]);
            if ((a == floor_body && b == lower) || (a == lower && b == floor_body)) on_floor += up;
            else if ((a == upper && b == lower) || (a == lower && b == upper)) between += up;
            else TEST_FAIL("bodies %d and %d do not touch", a, b);
        }
        if (k > 1) { /* at rest */
            CHECK_NEAR(on_floor, 5 * 9.81 * STEP, 1e-8);
            CHECK_NEAR(between, 2 * 9.81 * STEP, 1e-8);
        }
        first = end;
    }
    free(c.end), free(c.body), free(c.point), free(c.normal), free(c.impulse), free(c.force);
    H5Fclose(file);
}

int main(int argc, char **argv)
{
    snprintf(home, sizeof home, "/tmp/talus-results-XXXXXX");
    if (!mkdtemp(home)) return 1;
    RUN(series);
    RUN(series_every_step);
    RUN(summary);
    RUN(attributes);
    RUN(frames);
    RUN(contacts);
    nftw(home, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    return TEST_RESULT;
}
