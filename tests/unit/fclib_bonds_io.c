/* Files of FCLIB with bilateral constraints beside the contacts, against the whole system solved at once. */
#include "unit/fclib.h"

enum { VELOCITIES = 9, CONTACTS = 6, BONDS = 3, ALL = VELOCITIES + BONDS };

typedef struct bound {
    double M[VELOCITIES * VELOCITIES], H[VELOCITIES * CONTACTS], G[VELOCITIES * BONDS], f[VELOCITIES], w[CONTACTS], b[BONDS], mu[2];
} bound;

/* The second column of G is free; a dependent third one is the sum of the others, and so is its b, but for `off`. */
static void random_bound(bound *p, bool dependent, double off)
{
    for (int i = 0; i < VELOCITIES; i++)
        for (int j = 0; j <= i; j++) p->M[i * VELOCITIES + j] = p->M[j * VELOCITIES + i] = i == j ? 7 : uniform();
    for (int i = 0; i < VELOCITIES * CONTACTS; i++) p->H[i] = uniform();
    for (int i = 0; i < VELOCITIES * BONDS; i++) p->G[i] = uniform();
    for (int i = 0; i < VELOCITIES; i++) p->f[i] = uniform();
    for (int i = 0; i < CONTACTS; i++) p->w[i] = uniform();
    for (int i = 0; i < BONDS; i++) p->b[i] = uniform();
    for (int i = 0; dependent && i < VELOCITIES; i++) p->G[i * BONDS + 2] = p->G[i * BONDS] + p->G[i * BONDS + 1];
    if (dependent) p->b[2] = p->b[0] + p->b[1] + off;
    p->mu[0] = p->mu[1] = 0.5;
}

/* W and q by the whole system at once, [M −G; Gᵀ 0] [v; λ] = [H r + f; −b], u = Hᵀ v + w, of the first `bonds` constraints. */
static void whole(const bound *p, int bonds, double *W, double *q)
{
    const int n = VELOCITIES + bonds;
    double A[ALL * ALL] = {0}, inverse[ALL * ALL];
    for (int i = 0; i < VELOCITIES; i++) {
        for (int j = 0; j < VELOCITIES; j++) A[i * n + j] = p->M[i * VELOCITIES + j];
        for (int j = 0; j < bonds; j++) A[i * n + VELOCITIES + j] = -p->G[i * BONDS + j], A[(VELOCITIES + j) * n + i] = p->G[i * BONDS + j];
    }
    invert(n, A, inverse);
    for (int i = 0; i < CONTACTS; i++) {
        q[i] = p->w[i];
        for (int j = 0; j < CONTACTS; j++) W[i * CONTACTS + j] = 0;
        for (int a = 0; a < VELOCITIES; a++) {
            for (int c = 0; c < n; c++) q[i] += p->H[a * CONTACTS + i] * inverse[a * n + c] * (c < VELOCITIES ? p->f[c] : -p->b[c - VELOCITIES]);
            for (int c = 0; c < VELOCITIES; c++)
                for (int j = 0; j < CONTACTS; j++) W[i * CONTACTS + j] += p->H[a * CONTACTS + i] * inverse[a * n + c] * p->H[c * CONTACTS + j];
        }
    }
}

static void put_bound(const char *path, int form, const bound *p)
{
    put_global(path, 3, form, VELOCITIES, CONTACTS, p->M, p->H, p->f, p->w, p->mu);
    const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    put_matrix(file, "fclib_global/G", form, VELOCITIES, BONDS, p->G);
    put_doubles(file, "fclib_global/vectors/b", BONDS, p->b);
    H5Fclose(file);
}

/* x = Aᵀ M⁻¹ B of matrices with so many columns. */
static void between(const double *A, int a, const double *inverse, const double *B, int b, double *x)
{
    for (int i = 0; i < a; i++)
        for (int j = 0; j < b; j++) {
            x[i * b + j] = 0;
            for (int k = 0; k < VELOCITIES; k++)
                for (int l = 0; l < VELOCITIES; l++) x[i * b + j] += A[k * a + i] * inverse[k * VELOCITIES + l] * B[l * b + j];
        }
}

/* The same as a local problem: W, V, R. */
static void put_local(const char *path, int form, const bound *p)
{
    double copy[VELOCITIES * VELOCITIES], inverse[VELOCITIES * VELOCITIES], W[CONTACTS * CONTACTS], V[CONTACTS * BONDS], R[BONDS * BONDS], q[CONTACTS],
        s[BONDS];
    memcpy(copy, p->M, sizeof copy);
    invert(VELOCITIES, copy, inverse);
    between(p->H, CONTACTS, inverse, p->H, CONTACTS, W);
    between(p->H, CONTACTS, inverse, p->G, BONDS, V);
    between(p->G, BONDS, inverse, p->G, BONDS, R);
    between(p->H, CONTACTS, inverse, p->f, 1, q);
    between(p->G, BONDS, inverse, p->f, 1, s);
    for (int i = 0; i < CONTACTS; i++) q[i] += p->w[i];
    for (int i = 0; i < BONDS; i++) s[i] += p->b[i];
    const hid_t file = create(path);
    put_int(file, "fclib_local/spacedim", 3);
    put_matrix(file, "fclib_local/W", form, CONTACTS, CONTACTS, W);
    put_matrix(file, "fclib_local/V", form, CONTACTS, BONDS, V);
    put_matrix(file, "fclib_local/R", form, BONDS, BONDS, R);
    put_doubles(file, "fclib_local/vectors/q", CONTACTS, q);
    put_doubles(file, "fclib_local/vectors/s", BONDS, s);
    put_doubles(file, "fclib_local/vectors/mu", 2, p->mu);
    H5Fclose(file);
}

static void compare(const char *path, const double *W, const double *q)
{
    double back[CONTACTS * CONTACTS];
    talus_problem *p = load(path);
    const talus_problem_def def = talus_problem_get(p);
    CHECK(def.contacts == 2 && def.friction[1] == 0.5);
    dense(&def, back);
    for (int e = 0; e < CONTACTS * CONTACTS; e++) CHECK_NEAR(back[e], W[e], 1e-12);
    for (int i = 0; i < CONTACTS; i++) CHECK_NEAR(def.q[i], q[i], 1e-12);
    talus_problem_destroy(p);
}

/* Constraints are eliminated, whichever way the file has them; what depends on others is left out. */
TEST(constrained)
{
    double W[CONTACTS * CONTACTS], q[CONTACTS];
    bound p;
    for (int round = 0; round < 20; round++) {
        const bool dependent = round % 2;
        random_bound(&p, dependent, 0);
        whole(&p, dependent ? BONDS - 1 : BONDS, W, q);
        for (int form = -2; form <= 0; form++) {
            put_bound(in_home("bound.hdf5"), form, &p);
            compare(in_home("bound.hdf5"), W, q);
            put_local(in_home("bound.hdf5"), form, &p);
            compare(in_home("bound.hdf5"), W, q);
        }
    }
    /* free motion that keeps the constraints already, b and s but for rounding: dependent ones do not contradict */
    random_bound(&p, true, 0);
    double v[VELOCITIES], GG[BONDS - 1][BONDS - 1] = {{0}}, Gv[BONDS - 1] = {0};
    for (int i = 0; i < VELOCITIES; i++) v[i] = uniform();
    for (int a = 0; a < BONDS - 1; a++)
        for (int i = 0; i < VELOCITIES; i++) {
            Gv[a] += p.G[i * BONDS + a] * v[i];
            for (int b = 0; b < BONDS - 1; b++) GG[a][b] += p.G[i * BONDS + a] * p.G[i * BONDS + b];
        }
    const double det = GG[0][0] * GG[1][1] - GG[0][1] * GG[1][0];
    const double l[2] = {(Gv[0] * GG[1][1] - Gv[1] * GG[0][1]) / det, (Gv[1] * GG[0][0] - Gv[0] * GG[1][0]) / det};
    for (int i = 0; i < VELOCITIES; i++) v[i] -= p.G[i * BONDS] * l[0] + p.G[i * BONDS + 1] * l[1];
    for (int i = 0; i < VELOCITIES; i++) {
        p.f[i] = 0;
        for (int j = 0; j < VELOCITIES; j++) p.f[i] += p.M[i * VELOCITIES + j] * v[j];
    }
    memset(p.b, 0, sizeof p.b);
    whole(&p, BONDS - 1, W, q);
    put_bound(in_home("bound.hdf5"), -1, &p);
    compare(in_home("bound.hdf5"), W, q);
}

TEST(bilateral)
{
    const double V[6] = {1, 0, 0, 0, 1, 0}, wide[8] = {1, 0, 0, 0, 1, 0, 0, 0}, R[1] = {2}, pair[4] = {1, 1, 1, 1}, skew[4] = {2, 1, 0, 2}, s[2] = {1, 2};
    hid_t file = sound();
    put_int(file, "fclib_local/V/n", 0); /* none */
    put_int(file, "fclib_local/R/n", 0);
    H5Fclose(file);
    talus_problem_destroy(load(in_home("wrong.hdf5")));
    file = sound();
    put_matrix(file, "fclib_local/V", 0, 6, 1, V);
    refused(file, "wrong.hdf5", TALUS_INPUT, "no dataset 'fclib_local/R/m'");
    file = sound();
    put_matrix(file, "fclib_local/R", 0, 1, 1, R);
    refused(file, "wrong.hdf5", TALUS_INPUT, "no dataset 'fclib_local/V/m'");
    file = sound();
    put_matrix(file, "fclib_local/V", 0, 4, 2, wide);
    put_matrix(file, "fclib_local/R", 0, 2, 2, skew);
    refused(file, "wrong.hdf5", TALUS_INPUT, "'fclib_local/V' is 4 x 2 instead of 6 x 2");
    file = sound();
    put_matrix(file, "fclib_local/V", 0, 6, 1, V);
    put_matrix(file, "fclib_local/R", 0, 1, 1, R);
    refused(file, "wrong.hdf5", TALUS_INPUT, "no dataset 'fclib_local/vectors/s'");
    double both[12] = {0};
    both[0] = both[1] = both[8] = both[9] = 1;
    for (int fault = 0; fault < 2; fault++) {
        file = sound();
        put_matrix(file, "fclib_local/V", -1, 6, 2, both);
        put_matrix(file, "fclib_local/R", -2, 2, 2, fault ? skew : pair);
        put_doubles(file, "fclib_local/vectors/s", 2, s);
        refused(file, "wrong.hdf5", TALUS_INPUT, fault ? "R is not symmetric" : "bilateral constraint 1 (from 0) contradicts those before");
    }
    /* r_n = 0 says nothing of velocities; R of the wrong sign */
    const double none[1] = {0}, minus[1] = {-5}, zeros[1] = {0};
    for (int fault = 0; fault < 2; fault++) {
        file = sound();
        put_matrix(file, "fclib_local/V", 0, 6, 1, V);
        put_matrix(file, "fclib_local/R", -1, 1, 1, fault ? minus : none);
        put_doubles(file, "fclib_local/vectors/s", 1, zeros);
        refused(file, "wrong.hdf5", fault ? TALUS_INPUT : TALUS_UNSUPPORTED,
                fault ? "R is not positive semidefinite" : "constraint 0 (from 0) is one of impulses alone");
    }
    const double M[4] = {2, 0, 0, 2}, H[4] = {1, 0, 0, 1}, G[3] = {1, 1, 1}, zero[2] = {0};
    put_global(in_home("global.hdf5"), 2, 0, 2, 2, M, H, zero, zero, zero);
    file = H5Fopen(in_home("global.hdf5"), H5F_ACC_RDWR, H5P_DEFAULT);
    put_matrix(file, "fclib_global/G", 0, 3, 1, G);
    refused(file, "global.hdf5", TALUS_INPUT, "H has 2 rows, G has 3");
    file = H5Fopen(in_home("global.hdf5"), H5F_ACC_RDWR, H5P_DEFAULT);
    put_int(file, "fclib_global/G/n", -3);
    refused(file, "global.hdf5", TALUS_INPUT, "'fclib_global/G' is a matrix of 3 x -3");
    bound p;
    random_bound(&p, true, 0.1);
    put_bound(in_home("bound.hdf5"), -1, &p);
    refused(-1, "bound.hdf5", TALUS_INPUT, "bilateral constraint 2 (from 0) contradicts those before");
}

int main(int argc, char **argv)
{
    if (!mkdtemp(home)) return 1;
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    RUN(constrained);
    RUN(bilateral);
    leave_home();
    return TEST_RESULT;
}
