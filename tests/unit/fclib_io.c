/* Files of FCLIB: what is saved comes back; matrices by entries, columns and rows, made here with HDF5 alone; a global problem against M⁻¹ by elimination;
 * and files that say what cannot be, of which each is refused with its dataset's name. */
#include <fcntl.h>
#include <limits.h>

#include "unit/fclib.h"

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
    refused(file, "global.hdf5", TALUS_INPUT, "'fclib_global/vectors/f' has 3 numbers instead of 6001");
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
    RUN(wrong_global);
    RUN(no_problem);
    RUN(damaged);
    leave_home();
    return TEST_RESULT;
}
