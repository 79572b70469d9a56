/* Files of FCLIB: what is saved comes back; matrices by entries, columns and rows, made here with HDF5 alone; a global problem against M⁻¹ by elimination;
 * and files that say what cannot be, of which each is refused with its dataset's name. */
#include <fcntl.h>
#include <ftw.h>
#include <hdf5.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

#include "talus/fclib.h"
#include "test.h"

static char home[] = "/tmp/talus-test-fclib-XXXXXX";
enum { MOST = 64 }; /* rows */

static int remove_one(const char *path, const struct stat *s, int kind, struct FTW *walk)
{
    (void)s, (void)kind, (void)walk;
    return remove(path);
}

static const char *in_home(const char *name)
{
    static char path[4][256];
    static int next;
    snprintf(path[next = (next + 1) % 4], sizeof path[0], "%s/%s", home, name);
    return path[next];
}

static uint64_t state = 1;
static double uniform(void) /* −1 … 1 */
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (double)(state >> 11) / 4503599627370496.0 - 1;
}

static bool all_closed(void) { return H5Fget_obj_count((hid_t)H5F_OBJ_ALL, H5F_OBJ_ALL) == 0; }

#ifdef TL_SANITIZED
/* HDF5 1.10 loses what it had read of an object's header when its checksum is wrong; what we leave open is counted above. */
TALUS_API const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) { return "leak:libhdf5\n"; }
#endif

/* ---- files, by HDF5 alone -------------------------------------------------------------------------------------------- */

static void put(hid_t file, const char *name, hid_t type, int count, const void *data)
{
    const hsize_t shape = (hsize_t)count;
    const hid_t space = H5Screate_simple(1, &shape, NULL), make = H5Pcreate(H5P_LINK_CREATE);
    H5Pset_create_intermediate_group(make, 1);
    if (H5Lexists(file, name, H5P_DEFAULT) > 0) H5Ldelete(file, name, H5P_DEFAULT);
    const hid_t set = H5Dcreate2(file, name, type, space, make, H5P_DEFAULT, H5P_DEFAULT);
    if (set < 0 || (count > 0 && H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) < 0)) TEST_FAIL("cannot write %s", name);
    H5Dclose(set);
    H5Pclose(make);
    H5Sclose(space);
}
static void put_ints(hid_t file, const char *name, int count, const int *data) { put(file, name, H5T_NATIVE_INT, count, data); }
static void put_int(hid_t file, const char *name, int value) { put_ints(file, name, 1, &value); }
static void put_doubles(hid_t file, const char *name, int count, const double *data) { put(file, name, H5T_NATIVE_DOUBLE, count, data); }

static void put_in(hid_t file, const char *group, const char *name, hid_t type, int count, const void *data)
{
    char full[64];
    snprintf(full, sizeof full, "%s/%s", group, name);
    put(file, full, type, count, data);
}

/* A dense matrix [rows][columns] without its zeros: form −1 by columns, −2 by rows, 0 by entries from the last to the first, each in two parts. */
static void put_matrix(hid_t file, const char *group, int form, int rows, int columns, const double *a)
{
    int p[2 * MOST * MOST], i[2 * MOST * MOST], n = 0;
    double x[2 * MOST * MOST];
    const int lines = form == -1 ? columns : rows, width = form == -1 ? rows : columns;
    for (int line = 0; form && line < lines; line++) {
        p[line] = n;
        for (int k = 0; k < width; k++) {
            const double value = form == -1 ? a[k * columns + line] : a[line * columns + k];
            if (value != 0) i[n] = k, x[n++] = value;
        }
    }
    if (form) p[lines] = n;
    for (int e = rows * columns - 1; !form && e >= 0; e--)
        for (int part = 0; part < 2 && a[e] != 0; part++) i[n] = e / columns, p[n] = e % columns, x[n++] = part ? 0.25 * a[e] : 0.75 * a[e];
    const int nz = form ? form : n;
    put_in(file, group, "m", H5T_NATIVE_INT, 1, &rows);
    put_in(file, group, "n", H5T_NATIVE_INT, 1, &columns);
    put_in(file, group, "nz", H5T_NATIVE_INT, 1, &nz);
    put_in(file, group, "nzmax", H5T_NATIVE_INT, 1, &n);
    put_in(file, group, "p", H5T_NATIVE_INT, form ? lines + 1 : n, p);
    put_in(file, group, "i", H5T_NATIVE_INT, n, i);
    put_in(file, group, "x", H5T_NATIVE_DOUBLE, n, x);
}

static hid_t create(const char *path) { return H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT); }

/* ---- problems --------------------------------------------------------------------------------------------------------- */

/* W of a problem as a dense matrix. */
static void dense(const talus_problem_def *def, double *out)
{
    const int d = def->dimension, n = def->contacts * d;
    memset(out, 0, (size_t)(n * n) * sizeof *out);
    for (int i = 0; i < def->contacts; i++)
        for (int k = def->row[i]; k < def->row[i + 1]; k++)
            for (int e = 0; e < d * d; e++) out[(i * d + e / d) * n + def->column[k] * d + e % d] += def->block[k * d * d + e];
}

/* A chain: contacts know their neighbours. symmetric, or not at all. */
static void chain(int d, int contacts, bool symmetric, double *W)
{
    const int n = d * contacts;
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            const bool near = i / d - j / d <= 1;
            W[i * n + j] = near ? uniform() + (i == j) * 8 : 0;
            W[j * n + i] = symmetric || i == j || !near ? W[i * n + j] : uniform();
        }
}

static talus_problem *load(const char *path)
{
    talus_problem *p = NULL;
    char message[1024] = "";
    CHECK_OK(talus_fclib_load(path, &p, message, sizeof message), message);
    if (!p) exit(1);
    return p;
}

static void round_trip(int d)
{
    enum { N = 9 };
    double W[MOST * MOST], back[MOST * MOST], block[N * N * 9], q[3 * N], mu[N], r[3 * N];
    int row[N + 1] = {0}, column[N * N], blocks = 0;
    chain(d, N, true, W);
    for (int i = 0; i < N; i++) {
        for (int j = N - 1; j >= 0; j--) { /* all blocks, also the zero ones, from the right */
            for (int e = 0; e < d * d; e++) block[blocks * d * d + e] = W[(i * d + e / d) * N * d + j * d + e % d];
            column[blocks++] = j;
        }
        row[i + 1] = blocks, mu[i] = 0.1 * i;
    }
    for (int i = 0; i < N * d; i++) q[i] = uniform(), r[i] = uniform();
    talus_problem_def def = talus_problem_def_default();
    def.dimension = d, def.contacts = N, def.row = row, def.column = column, def.block = block, def.q = q, def.friction = mu, def.impulse = r;
    talus_problem *p, *same;
    char message[512];
    CHECK_OK(talus_problem_create(&def, &p, message, sizeof message), message);
    const char *path = in_home("trip.hdf5");
    CHECK_OK(talus_fclib_save(p, path, "a chain", message, sizeof message), message);
    same = load(path);
    def = talus_problem_get(same);
    CHECK(def.dimension == d && def.contacts == N && def.row[N] == 3 * N - 2); /* zero blocks are gone */
    dense(&def, back);
    CHECK(memcmp(W, back, (size_t)(N * d * N * d) * sizeof *W) == 0);
    CHECK(memcmp(q, def.q, (size_t)(N * d) * sizeof *q) == 0 && memcmp(mu, def.friction, sizeof mu) == 0);
    CHECK(memcmp(r, def.impulse, (size_t)(N * d) * sizeof *r) == 0);
    const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT), set = H5Dopen2(file, "guesses/1/u", H5P_DEFAULT);
    double u[3 * N];
    CHECK(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, u) >= 0);
    for (int i = 0; i < N * d; i++) CHECK_NEAR(u[i], talus_problem_velocities(p)[i], 1e-13);
    H5Dclose(set);
    H5Fclose(file);
    CHECK(access(in_home("trip.hdf5.tmp"), F_OK) != 0);
    CHECK(talus_fclib_save(p, in_home("nowhere/trip.hdf5"), NULL, message, sizeof message) == TALUS_IO && strstr(message, "nowhere/trip.hdf5"));
    talus_problem_destroy(p);
    talus_problem_destroy(same);
}
TEST(planar_round_trip) { round_trip(2); }
TEST(spatial_round_trip) { round_trip(3); }

/* With a W that is not symmetric rows and columns cannot be taken for each other. */
TEST(forms)
{
    for (int d = 2; d <= 3; d++)
        for (int form = -2; form <= 0; form++) {
            enum { N = 5 };
            double W[MOST * MOST], back[MOST * MOST], q[3 * N] = {0}, mu[N] = {0};
            const int n = d * N;
            chain(d, N, false, W);
            const hid_t file = create(in_home("form.hdf5"));
            put_int(file, "fclib_local/spacedim", d);
            put_matrix(file, "fclib_local/W", form, n, n, W);
            put_doubles(file, "fclib_local/vectors/q", n, q);
            put_doubles(file, "fclib_local/vectors/mu", N, mu);
            H5Fclose(file);
            talus_problem *p = load(in_home("form.hdf5"));
            const talus_problem_def def = talus_problem_get(p);
            dense(&def, back);
            for (int e = 0; e < n * n; e++) CHECK_NEAR(back[e], W[e], 1e-15);
            for (int i = 0; i < n; i++) CHECK(def.impulse[i] == 0);
            talus_problem_destroy(p);
        }
}

/* ---- global problems -------------------------------------------------------------------------------------------------- */

/* Gauss and Jordan, with pivots. */
static void invert(int n, double *a, double *out)
{
    for (int i = 0; i < n * n; i++) out[i] = i / n == i % n;
    for (int c = 0; c < n; c++) {
        int best = c;
        for (int i = c; i < n; i++)
            if (fabs(a[i * n + c]) > fabs(a[best * n + c])) best = i;
        for (int k = 0; k < n; k++) {
            const double x = a[c * n + k], y = out[c * n + k];
            a[c * n + k] = a[best * n + k], a[best * n + k] = x;
            out[c * n + k] = out[best * n + k], out[best * n + k] = y;
        }
        const double pivot = a[c * n + c];
        for (int k = 0; k < n; k++) a[c * n + k] /= pivot, out[c * n + k] /= pivot;
        for (int i = 0; i < n; i++) {
            const double share = i == c ? 0 : a[i * n + c];
            for (int k = 0; k < n; k++) a[i * n + k] -= share * a[c * n + k], out[i * n + k] -= share * out[c * n + k];
        }
    }
}

static void put_global(const char *path, int d, int form, int v, int u, const double *M, const double *H, const double *f, const double *w, const double *mu)
{
    const hid_t file = create(path);
    put_int(file, "fclib_global/spacedim", d);
    put_matrix(file, "fclib_global/M", form, v, v, M);
    put_matrix(file, "fclib_global/H", form, v, u, H);
    put_doubles(file, "fclib_global/vectors/f", v, f);
    put_doubles(file, "fclib_global/vectors/w", u, w);
    put_doubles(file, "fclib_global/vectors/mu", u / d, mu);
    H5Fclose(file);
}

/* Two masses of 2 and 4 on top of each other, falling at 3 and 5: contact 0 with the floor, contact 1 between them. By hand. */
TEST(condensed_by_hand)
{
    const double M[16] = {2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 4, 0, 0, 0, 0, 4}; /* lower: normal, tangent; upper: the same */
    const double H[16] = {1, 0, -1, 0, 0, 1, 0, -1, 0, 0, 1, 0, 0, 0, 0, 1}, f[4] = {-6, 0, -20, 8}, w[4] = {0, 0.5, 0, 0}, mu[2] = {0.3, 0.4};
    const double W[16] = {0.5, 0, -0.5, 0, 0, 0.5, 0, -0.5, -0.5, 0, 0.75, 0, 0, -0.5, 0, 0.75}, q[4] = {-3, 0.5, -2, 2};
    double back[16];
    for (int form = -2; form <= 0; form++) {
        put_global(in_home("two.hdf5"), 2, form, 4, 4, M, H, f, w, mu);
        talus_problem *p = load(in_home("two.hdf5"));
        const talus_problem_def def = talus_problem_get(p);
        dense(&def, back);
        for (int e = 0; e < 16; e++) CHECK_NEAR(back[e], W[e], 1e-15);
        for (int i = 0; i < 4; i++) CHECK_NEAR(def.q[i], q[i], 1e-14);
        CHECK(def.contacts == 2 && def.friction[0] == 0.3 && def.friction[1] == 0.4);
        talus_problem_destroy(p);
    }
}

/* Two bodies of which the first is dense, and six contacts; H has more columns than rows. */
TEST(condensed)
{
    enum { V = 13, U = 18 };
    double M[V * V], copy[V * V], inverse[V * V], H[V * U], f[V], w[U], mu[6] = {0}, back[U * U], W[U * U] = {0}, q[U];
    for (int i = 0; i < V; i++)
        for (int j = 0; j <= i; j++) M[i * V + j] = M[j * V + i] = i == j ? 9 : i < 8 && j < 8 ? uniform() : i == 12 && j == 9 ? 2 : 0;
    for (int i = 0; i < V * U; i++) H[i] = (i / U + i) % 3 == 0 ? 0 : uniform();
    for (int i = 0; i < V; i++) f[i] = uniform();
    for (int i = 0; i < U; i++) w[i] = q[i] = uniform();
    memcpy(copy, M, sizeof M);
    invert(V, copy, inverse);
    for (int a = 0; a < V; a++)
        for (int b = 0; b < V; b++)
            for (int i = 0; i < U; i++) {
                q[i] += H[a * U + i] * inverse[a * V + b] * f[b];
                for (int j = 0; j < U; j++) W[i * U + j] += H[a * U + i] * inverse[a * V + b] * H[b * U + j];
            }
    for (int form = -2; form <= 0; form++) {
        put_global(in_home("many.hdf5"), 3, form, V, U, M, H, f, w, mu);
        talus_problem *p = load(in_home("many.hdf5"));
        const talus_problem_def def = talus_problem_get(p);
        dense(&def, back);
        for (int e = 0; e < U * U; e++) CHECK_NEAR(back[e], W[e], 1e-13);
        for (int i = 0; i < U; i++) CHECK_NEAR(def.q[i], q[i], 1e-13);
        talus_problem_destroy(p);
    }
}

/* ---- mistakes --------------------------------------------------------------------------------------------------------- */

/* Two contacts in space with W = 1, by entries, and a guess. */
static hid_t sound(void)
{
    const double x[6] = {1, 1, 1, 1, 1, 1};
    const int at[6] = {0, 1, 2, 3, 4, 5};
    const hid_t file = create(in_home("wrong.hdf5"));
    put_int(file, "fclib_local/spacedim", 3);
    put_int(file, "fclib_local/W/m", 6);
    put_int(file, "fclib_local/W/n", 6);
    put_int(file, "fclib_local/W/nz", 6);
    put_ints(file, "fclib_local/W/p", 6, at);
    put_ints(file, "fclib_local/W/i", 6, at);
    put_doubles(file, "fclib_local/W/x", 6, x);
    put_doubles(file, "fclib_local/vectors/q", 6, x);
    put_doubles(file, "fclib_local/vectors/mu", 2, x);
    put_int(file, "guesses/number_of_guesses", 1);
    put_doubles(file, "guesses/1/r", 6, x);
    return file;
}

/* Closes the file and checks what is said of it. */
static void refused(hid_t file, const char *name, talus_status status, const char *what)
{
    talus_problem *p = NULL;
    char message[1024] = "";
    if (file >= 0) H5Fclose(file);
    const talus_status got = talus_fclib_load(in_home(name), &p, message, sizeof message);
    if (got != status || p) TEST_FAIL("%s: %s instead of %s: %s", what, talus_status_name(got), talus_status_name(status), message);
    if (!strstr(message, what) || !strstr(message, name)) TEST_FAIL("'%s' in '%s' is not said: %s", what, name, message);
    if (!all_closed()) TEST_FAIL("%s: something is still open", what);
    talus_problem_destroy(p);
}

typedef struct mistake {
    const char *set;
    int ints, doubles; /* how many; neither: the set is taken away */
    double value[8];
    const char *what;
} mistake;

static const mistake MISTAKES[] = {
    {"spacedim", 0, 0, {0}, "no dataset 'fclib_local/spacedim'"},
    {"spacedim", 1, 0, {4}, "'fclib_local/spacedim' is 4"},
    {"spacedim", 2, 0, {3, 3}, "'fclib_local/spacedim' has 2 numbers instead of 1"},
    {"spacedim", 0, 1, {3}, "'fclib_local/spacedim' is not an array of integers"},
    {"W/m", 0, 0, {0}, "no dataset 'fclib_local/W/m'"},
    {"W/m", 1, 0, {9}, "not square, but 9 x 6"},
    {"W/m", 1, 0, {0}, "'fclib_local/W' is a matrix of 0 x 6"},
    {"W/n", 1, 0, {-6}, "'fclib_local/W' is a matrix of 6 x -6"},
    {"W/m", 1, 0, {5}, "number 5 (from 0) of 'fclib_local/W/i' is 5, which is not in 0 ... 4"},
    {"W/n", 1, 0, {5}, "number 5 (from 0) of 'fclib_local/W/p' is 5"},
    {"W/nz", 1, 0, {-3}, "'fclib_local/W/nz' is -3"},
    {"W/nz", 1, 0, {7}, "'fclib_local/W/p' has 6 numbers instead of at least 7"},
    {"W/nz", 1, 0, {2147483647}, "'fclib_local/W/p' has 6 numbers instead of 2147483647"},
    {"W/nz", 1, 0, {-1}, "'fclib_local/W/p' has 6 numbers instead of 7"},
    {"W/i", 6, 0, {0, 1, 2, 3, 4, -1}, "'fclib_local/W/i' is -1"},
    {"W/i", 6, 0, {0, 1, 6, 3, 4, 5}, "number 2 (from 0) of 'fclib_local/W/i' is 6"},
    {"W/p", 6, 0, {0, 1, 6, 3, 4, 5}, "number 2 (from 0) of 'fclib_local/W/p' is 6"},
    {"W/i", 0, 6, {0, 1, 2, 3, 4, 5}, "'fclib_local/W/i' is not an array of integers"},
    {"W/x", 0, 5, {1, 1, 1, 1, 1}, "'fclib_local/W/x' has 5 numbers instead of at least 6"},
    {"W/x", 0, 6, {1, 1, 1, (double)NAN, 1, 1}, "number 3 (from 0) of 'fclib_local/W/x' is not finite"},
    {"W/x", 0, 6, {1, 1, 1, 0, 1, 1}, "contact 1"},
    {"W/x", 0, 0, {0}, "no dataset 'fclib_local/W/x'"},
    {"vectors/q", 0, 5, {1, 1, 1, 1, 1}, "'fclib_local/vectors/q' has 5 numbers instead of 6"},
    {"vectors/q", 0, 6, {1, 1, 1, 1, 1, (double)INFINITY}, "number 5 (from 0) of 'fclib_local/vectors/q' is not finite"},
    {"vectors/mu", 0, 6, {0}, "'fclib_local/vectors/mu' has 6 numbers instead of 2"},
    {"vectors/mu", 0, 2, {1, -0.5}, "friction is -0.5"},
    {"../guesses/1/r", 0, 3, {0}, "'guesses/1/r' has 3 numbers instead of 6"},
    {"../guesses/1/r", 0, 6, {(double)NAN}, "'guesses/1/r' is not finite"},
};

TEST(mistakes)
{
    for (size_t i = 0; i < sizeof MISTAKES / sizeof *MISTAKES; i++) {
        const mistake *m = &MISTAKES[i];
        const hid_t file = sound();
        char set[64];
        int ints[8];
        snprintf(set, sizeof set, "%s%s", m->set[0] == '.' ? "" : "fclib_local/", m->set[0] == '.' ? m->set + 3 : m->set);
        for (int k = 0; k < m->ints; k++) ints[k] = (int)m->value[k];
        if (m->ints) put_ints(file, set, m->ints, ints);
        else if (m->doubles) put_doubles(file, set, m->doubles, m->value);
        else H5Ldelete(file, set, H5P_DEFAULT);
        refused(file, "wrong.hdf5", TALUS_INPUT, m->what);
    }
    H5Fclose(sound()); /* and without any it is read */
    talus_problem_destroy(load(in_home("wrong.hdf5")));
}

TEST(hostile_shapes)
{
    hid_t file = sound();
    put_int(file, "fclib_local/W/m", 2147483646);
    put_int(file, "fclib_local/W/n", 2147483646);
    refused(file, "wrong.hdf5", TALUS_INPUT, "'fclib_local/vectors/q' has 6 numbers instead of 2147483646");
    file = sound();
    put_int(file, "fclib_local/spacedim", 2);
    put_int(file, "fclib_local/W/m", 7);
    put_int(file, "fclib_local/W/n", 7);
    refused(file, "wrong.hdf5", TALUS_INPUT, "'fclib_local/W/m' is 7, no multiple of spacedim = 2");
    file = sound();
    put(file, "fclib_local/vectors/q", H5T_C_S1, 6, "abcdef");
    refused(file, "wrong.hdf5", TALUS_INPUT, "'fclib_local/vectors/q' is not an array of numbers");
    /* a few bytes that say they are gigabytes: 2^30 numbers of which none is written */
    file = sound();
    const hsize_t shape[5] = {1 << 30, 1, 1, 1, 1}, chunk = 1 << 20;
    hid_t space = H5Screate_simple(1, shape, NULL), plan = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(plan, 1, &chunk);
    H5Ldelete(file, "fclib_local/W/x", H5P_DEFAULT);
    H5Dclose(H5Dcreate2(file, "fclib_local/W/x", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, plan, H5P_DEFAULT));
    H5Pclose(plan);
    H5Sclose(space);
    refused(file, "wrong.hdf5", TALUS_INPUT, "'fclib_local/W/x' says that it is larger than the file can hold");
    file = sound();
    space = H5Screate_simple(5, (const hsize_t[]){6, 1, 1, 1, 1}, NULL);
    H5Ldelete(file, "fclib_local/W/x", H5P_DEFAULT);
    H5Dclose(H5Dcreate2(file, "fclib_local/W/x", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    H5Sclose(space);
    refused(file, "wrong.hdf5", TALUS_INPUT, "'fclib_local/W/x' is not an array");
    static const int POINTERS[][7] = {{1, 1, 2, 3, 4, 5, 6}, {0, 2, 1, 3, 4, 5, 6}, {0, 1, 2, 3, 4, 5, 2147483647}, {0, -1, 2, 3, 4, 5, 6}};
    static const char *const WHAT[] = {"does not ascend from 0", "does not ascend from 0", "'fclib_local/W/i' has 6 numbers", "does not ascend from 0"};
    for (int form = -2; form <= -1; form++)
        for (int k = 0; k < 4; k++) {
            file = sound();
            put_int(file, "fclib_local/W/nz", form);
            put_ints(file, "fclib_local/W/p", 7, POINTERS[k]);
            refused(file, "wrong.hdf5", TALUS_INPUT, WHAT[k]);
        }
}

TEST(bilateral)
{
    hid_t file = sound();
    put_int(file, "fclib_local/V/n", 0); /* none */
    put_int(file, "fclib_local/R/n", 0);
    H5Fclose(file);
    talus_problem_destroy(load(in_home("wrong.hdf5")));
    file = sound();
    put_int(file, "fclib_local/V/n", 2);
    refused(file, "wrong.hdf5", TALUS_UNSUPPORTED, "'fclib_local/V' has bilateral constraints");
    const double M[4] = {2, 0, 0, 2}, H[4] = {1, 0, 0, 1}, zero[2] = {0};
    put_global(in_home("global.hdf5"), 2, 0, 2, 2, M, H, zero, zero, zero);
    file = H5Fopen(in_home("global.hdf5"), H5F_ACC_RDWR, H5P_DEFAULT);
    put_int(file, "fclib_global/G/n", 1);
    refused(file, "global.hdf5", TALUS_UNSUPPORTED, "'fclib_global/G' has bilateral constraints");
}

TEST(wrong_global)
{
    const double M[9] = {1, 1, 0, 1, 1, 0, 0, 0, 1}, skew[9] = {2, 1, 0, 0, 2, 0, 0, 0, 2}, H[6] = {1, 0, 0, 1, 0, 0}, zero[6] = {0};
    put_global(in_home("global.hdf5"), 2, -1, 3, 2, M, H, zero, zero, zero);
    refused(-1, "global.hdf5", TALUS_SINGULAR, "M is not positive definite: row 1");
    put_global(in_home("global.hdf5"), 2, -2, 3, 2, skew, H, zero, zero, zero);
    refused(-1, "global.hdf5", TALUS_INPUT, "M is not symmetric");
    hid_t file = H5Fopen(in_home("global.hdf5"), H5F_ACC_RDWR, H5P_DEFAULT);
    put_matrix(file, "fclib_global/H", 0, 2, 2, H);
    refused(file, "global.hdf5", TALUS_INPUT, "M has 3 rows, H has 2");
    file = H5Fopen(in_home("global.hdf5"), H5F_ACC_RDWR, H5P_DEFAULT);
    put_matrix(file, "fclib_global/M", 0, 3, 2, H);
    refused(file, "global.hdf5", TALUS_INPUT, "'fclib_global/M' is not square, but 3 x 2");
    file = H5Fopen(in_home("global.hdf5"), H5F_ACC_RDWR, H5P_DEFAULT);
    put_matrix(file, "fclib_global/M", 0, 3, 3, M);
    put_matrix(file, "fclib_global/H", 0, 3, 2, H);
    static const char *const SIZE[] = {"fclib_global/M/m", "fclib_global/M/n", "fclib_global/H/m"};
    for (int i = 0; i < 3; i++) put_int(file, SIZE[i], 6001);
    refused(file, "global.hdf5", TALUS_UNSUPPORTED, "'fclib_global/M' has 6001 rows");
}

TEST(no_problem)
{
    refused(-1, "missing.hdf5", TALUS_IO, "No such file");
    FILE *text = fopen(in_home("text.hdf5"), "w");
    CHECK(text && fputs("u = W r + q\n", text) >= 0 && fclose(text) == 0);
    refused(-1, "text.hdf5", TALUS_IO, "not HDF5");
    CHECK(mkdir(in_home("folder.hdf5"), 0700) == 0);
    refused(-1, "folder.hdf5", TALUS_IO, "cannot open");
    refused(create(in_home("empty.hdf5")), "empty.hdf5", TALUS_INPUT, "neither a group 'fclib_local' nor 'fclib_global'");
    const hid_t file = create(in_home("set.hdf5"));
    put_int(file, "fclib_local", 3);
    refused(file, "set.hdf5", TALUS_INPUT, "no dataset 'fclib_local/spacedim'");
}

/* A file with bytes that are not its own, or cut short: read or refused with a text, never a crash. */
TEST(damaged)
{
    static unsigned char bytes[1 << 17];
    H5Fclose(sound());
    talus_problem *p = load(in_home("wrong.hdf5"));
    char message[1024];
    CHECK_OK(talus_fclib_save(p, in_home("whole.hdf5"), NULL, message, sizeof message), message);
    talus_problem_destroy(p);
    FILE *in = fopen(in_home("whole.hdf5"), "rb");
    const size_t size = in ? fread(bytes, 1, sizeof bytes, in) : 0;
    CHECK(size > 1000 && size < sizeof bytes && fclose(in) == 0);
    for (int i = 0; i < 400; i++) {
        const size_t at = (size_t)((uniform() + 1) / 2 * (double)size), length = i % 8 == 0 ? at : size;
        const unsigned char kept = bytes[at];
        bytes[at] = (unsigned char)(127 * (uniform() + 1));
        FILE *out = fopen(in_home("damaged.hdf5"), "wb");
        CHECK(out && fwrite(bytes, 1, length, out) == length && fclose(out) == 0);
        bytes[at] = kept;
        *message = '\0';
        if (talus_fclib_load(in_home("damaged.hdf5"), &p, message, sizeof message) != TALUS_OK) CHECK(!p && strstr(message, "damaged.hdf5"));
        CHECK(all_closed());
        talus_problem_destroy(p);
    }
}

int main(int argc, char **argv)
{
    if (!mkdtemp(home)) return 1;
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    RUN(planar_round_trip);
    RUN(spatial_round_trip);
    RUN(forms);
    RUN(condensed_by_hand);
    RUN(condensed);
    RUN(mistakes);
    RUN(hostile_shapes);
    RUN(bilateral);
    RUN(wrong_global);
    RUN(no_problem);
    RUN(damaged);
    nftw(home, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    return TEST_RESULT;
}
