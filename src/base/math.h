/* Vectors, rotations, small dense matrices. Right-handed; quaternions scalar first; matrices row-major. */
#ifndef TL_MATH_H
#define TL_MATH_H

#include <math.h>
#include <stdbool.h>

#define TL_PI 3.14159265358979323846

/* Of two numbers that are numbers: fmax and fmin, which ask about that, are calls. */
static inline double tl_larger(double a, double b) { return a > b ? a : b; }
/* The nearest to x from low to high; what is no number stays none, as fmin and fmax would not have it. */
static inline double tl_within(double low, double x, double high) { return x < low ? low : x > high ? high : x; }
static inline double tl_smaller(double a, double b) { return a < b ? a : b; }

/* An angle plus as many turns as bring it next to another. */
static inline double tl_angle_near(double angle, double other) { return other + remainder(angle - other, 2 * TL_PI); }

/* For qsort of such double: ascending. */
static inline int tl_rising(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

typedef struct tl_vec2 {
    double x, y;
} tl_vec2;
typedef struct tl_vec3 {
    double x, y, z;
} tl_vec3;
typedef struct tl_quat {
    double w, x, y, z;
} tl_quat;
typedef struct tl_mat3 {
    double m[3][3];
} tl_mat3;

/* A rigid placement: x_world = R x_local + p. */
typedef struct tl_frame {
    tl_vec3 p;
    tl_mat3 R;
} tl_frame;

/* The same in the plane; the angle is not reduced to one turn. */
typedef struct tl_pose2 {
    double x, y, c, s, angle;
} tl_pose2;

/* Rates (or placement) of a planar body. */
typedef struct tl_twist2 {
    double x, y, w;
} tl_twist2;

static inline tl_vec2 tl_v2(double x, double y) { return (tl_vec2){x, y}; }
static inline tl_vec2 tl_add2(tl_vec2 a, tl_vec2 b) { return tl_v2(a.x + b.x, a.y + b.y); }
static inline tl_vec2 tl_sub2(tl_vec2 a, tl_vec2 b) { return tl_v2(a.x - b.x, a.y - b.y); }
static inline tl_vec2 tl_scale2(double s, tl_vec2 a) { return tl_v2(s * a.x, s * a.y); }
static inline double tl_dot2(tl_vec2 a, tl_vec2 b) { return a.x * b.x + a.y * b.y; }
static inline double tl_cross2(tl_vec2 a, tl_vec2 b) { return a.x * b.y - a.y * b.x; }
static inline double tl_norm2(tl_vec2 a) { return sqrt(a.x * a.x + a.y * a.y); }
static inline tl_pose2 tl_pose2_at(double x, double y, double angle) { return (tl_pose2){x, y, cos(angle), sin(angle), angle}; }
static inline tl_vec2 tl_rotate2(const tl_pose2 *p, tl_vec2 v) { return tl_v2(p->c * v.x - p->s * v.y, p->s * v.x + p->c * v.y); }
static inline tl_vec2 tl_unrotate2(const tl_pose2 *p, tl_vec2 v) { return tl_v2(p->c * v.x + p->s * v.y, p->c * v.y - p->s * v.x); }
static inline tl_vec2 tl_to_world2(const tl_pose2 *p, tl_vec2 v) { return tl_v2(p->x + (p->c * v.x - p->s * v.y), p->y + (p->s * v.x + p->c * v.y)); }
static inline tl_vec2 tl_to_local2(const tl_pose2 *p, tl_vec2 v) { return tl_unrotate2(p, tl_v2(v.x - p->x, v.y - p->y)); }

static inline tl_vec3 tl_v3(double x, double y, double z) { return (tl_vec3){x, y, z}; }
static inline tl_vec3 tl_load3(const double v[3]) { return (tl_vec3){v[0], v[1], v[2]}; }
static inline void tl_store3(double out[3], tl_vec3 v) { out[0] = v.x, out[1] = v.y, out[2] = v.z; }
static inline tl_vec3 tl_add(tl_vec3 a, tl_vec3 b) { return tl_v3(a.x + b.x, a.y + b.y, a.z + b.z); }
static inline tl_vec3 tl_sub(tl_vec3 a, tl_vec3 b) { return tl_v3(a.x - b.x, a.y - b.y, a.z - b.z); }
static inline tl_vec3 tl_scale(double s, tl_vec3 a) { return tl_v3(s * a.x, s * a.y, s * a.z); }
static inline double tl_dot(tl_vec3 a, tl_vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline tl_vec3 tl_cross(tl_vec3 a, tl_vec3 b) { return tl_v3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x); }
static inline double tl_norm(tl_vec3 a) { return sqrt(tl_dot(a, a)); }
tl_vec3 tl_normalize(tl_vec3 a);                      /* zero stays zero */
tl_vec3 tl_on_side3(tl_vec3 a, tl_vec3 b, tl_vec3 x); /* the point from a to b nearest to x */

tl_mat3 tl_mat3_identity(void);
tl_mat3 tl_mat3_mul(const tl_mat3 *a, const tl_mat3 *b);
tl_mat3 tl_mat3_transpose(const tl_mat3 *a);
static inline double tl_mat3_determinant(const tl_mat3 *a)
{
    return a->m[0][0] * (a->m[1][1] * a->m[2][2] - a->m[1][2] * a->m[2][1]) - a->m[0][1] * (a->m[1][0] * a->m[2][2] - a->m[1][2] * a->m[2][0]) +
           a->m[0][2] * (a->m[1][0] * a->m[2][1] - a->m[1][1] * a->m[2][0]);
}
tl_mat3 tl_mat3_inverse(const tl_mat3 *a, double determinant); /* that of a, not 0 */
tl_vec3 tl_mat3_apply(const tl_mat3 *a, tl_vec3 v);            /* A v  */
tl_vec3 tl_mat3_apply_t(const tl_mat3 *a, tl_vec3 v);          /* Aᵀ v */
tl_mat3 tl_mat3_rotation(tl_vec3 unit_axis, double angle);     /* Rodrigues */
tl_mat3 tl_mat3_from_quat(tl_quat q);                          /* q need not be normalised */
/* S = A diag(values) Aᵀ of a symmetric S, A a rotation (Jacobi's method). */
void tl_mat3_eigen(const tl_mat3 *S, tl_vec3 *values, tl_mat3 *A);
/* The rotation R of F = R U, U symmetric and positive definite (Newton's method, Higham 1986). False: det F is not above 0. */
bool tl_mat3_polar(const tl_mat3 *F, tl_mat3 *R);
tl_quat tl_quat_mul(tl_quat a, tl_quat b);
tl_quat tl_quat_normalize(tl_quat q);
tl_quat tl_quat_exp(tl_vec3 rotation_vector); /* exact exponential map, smooth at zero */
tl_quat tl_quat_from_mat3(const tl_mat3 *R);

/* Two unit tangents t, s that complete n to a right-handed frame (n, t, s). */
void tl_tangents(tl_vec3 n, tl_vec3 *t, tl_vec3 *s);
/* The vector whose components along a contact's n, t, s are `local`: in the plane t is n turned by +90° and s is z, in space they are tl_tangents'. */
tl_vec3 tl_contact_vector(bool planar, tl_vec3 n, const double local[3]);

/* ---- small dense algebra, row-major, order n --------------------------------------------------------------------- */

/* A = L Lᵀ in place (lower triangle). Returns the number of columns factored: n, or fewer where A is not positive
 * definite to rounding. */
int tl_cholesky(double *A, int n);
void tl_cholesky_solve(const double *L, int n, double *x);       /* b in, x out */
void tl_cholesky_solve_three(const double *L, int n, double *x); /* of three, one after the other in x, side by side: the same numbers in less time */

/* A⁻¹ in place; false, and zero, where A is not positive definite to rounding. */
bool tl_invert_positive(double *A, int n);

/* P A = L U in place with partial pivoting; pivot[n]. False when singular to rounding. */
bool tl_lu(double *A, int n, int *pivot);
void tl_lu_solve(const double *LU, const int *pivot, int n, double *x);
void tl_lu_solve_transposed(const double *LU, const int *pivot, int n, double *x);

#endif
