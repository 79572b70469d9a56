/* Packs of contacts between spheres, and with what is at rest, in world axes: without a frame. An impulse P at its surface gives a sphere the velocity s² P
 * and, times its radius, the spin k² P × n on either side; W is nn, the sum of s², along the normal and tt, that of s² + k², along every tangent, and stick or
 * slip have a closed form. Part of packs3_kernels.h. */

/* Part of a pack on its way through a sweep. */
typedef struct ball_visit {
    lanes3 n, y, u; /* normal, extrapolated impulse, velocity without the shift */
    lanes give;     /* Σ along n */
} ball_visit;

INLINE void velocity_of_balls(const tl_balls3 *p, const tl_row3 *rows, size_t part, ball_visit *k)
{
    const ends3 e = ENDS(p);
    const lanes3 n = AT3(p->n);
    lanes3 d;
    between_centres(rows, &e, &d);
#define SPIN(i) MADD(FACTOR(e.b, w, i), HALF(e.b, w, i), FACTOR(e.a, w, i) * HALF(e.a, w, i))
    lanes r[4] = {EACH_ROW(SPIN)};
    transpose(r);
    k->n = n;
    k->u.x = MADD(n.y, r[2], NMADD(n.z, r[1], d.x));
    k->u.y = MADD(n.z, r[0], NMADD(n.x, r[2], d.y));
    k->u.z = MADD(n.x, r[1], NMADD(n.y, r[0], d.z));
}

/* v += M⁻¹ H P. */
INLINE void push_balls(const tl_balls3 *p, tl_row3 *rows, size_t part, const lanes3 *P)
{
    const ends3 e = ENDS(p);
    const lanes3 n = AT3(p->n);
    lanes3 moment;
    lanes r[4];
    push(rows, &e, P);
    cross(P, &n, &moment);
    to_rows(&moment, r);
#define TURN(end, i) PUT_HALF(end, w, i, MADD(FACTOR(end, w, i), r[i], HALF(end, w, i)))
#define TURN_B(i)    TURN(e.b, i)
#define TURN_A(i)    TURN(e.a, i)
    EACH_ROW(TURN_B);
    EACH_ROW(TURN_A);
}

/* The law of law/law3.h: what stops the contact, its tangential part no longer than friction lets it be. Adds to `back` how far the sweep turned back
 * (packs3_kernels.h), as if W were tt along the normal too, and Σ. */
INLINE void obey_balls(tl_balls3 *p, tl_lanes3 *before, size_t part, const ball_visit *k, lanes3 *change, quad *back)
{
    const lanes3 n = k->n, y = k->y, u = k->u, I = AT3(p->I);
    const lanes zero = {0}, one = zero + 1, tiny = zero + DBL_MIN, inverse_tt = AT(p->inverse_tt);
    const lanes y_n = DOT(n, y), u_n = DOT(n, u), along = NMADD(inverse_tt, u_n, y_n);
    const lanes wanted = NMADD(AT(p->inverse_nn), MADD(k->give, y_n, u_n + AT(p->shift)), y_n), normal = MAX(wanted, zero);
    const lanes3 t = {NMADD(inverse_tt, u.x, y.x), NMADD(inverse_tt, u.y, y.y), NMADD(inverse_tt, u.z, y.z)};
    const lanes3 stick = {NMADD(along, n.x, t.x), NMADD(along, n.y, t.y), NMADD(along, n.z, t.z)};
    const lanes share = MIN(AT(p->friction) * normal / MAX(ROOT(DOT(stick, stick)), tiny), one);
    const lanes3 next = {MADD(share, stick.x, normal * n.x), MADD(share, stick.y, normal * n.y), MADD(share, stick.z, normal * n.z)};
    const lanes3 d = {next.x - y.x, next.y - y.y, next.z - y.z}, moved = {next.x - I.x, next.y - I.y, next.z - I.z};
    const lanes turned = MADD(k->give, (normal - y_n) * (normal - DOT(n, I)), AT(p->tt) * DOT(d, moved));
    ADD_QUADS(*back, turned);
    PUT(before->x, I.x), PUT(before->y, I.y), PUT(before->z, I.z);
    PUT(p->I.x, next.x), PUT(p->I.y, next.y), PUT(p->I.z, next.z);
    *change = d;
}

/* What a sweep reads before it writes. */
INLINE void begin_balls(const tl_row3 *rows, const tl_balls3 *packs, const tl_momentum3 *m, int pack, ball_visit k[PARTS])
{
    const tl_balls3 *p = &packs[pack];
    EACH_PART(part)
    {
        velocity_of_balls(p, rows, part, &k[NTH(part)]);
        const lanes3 I = AT3(p->I), last = AT3(m->before[pack]);
        extrapolate(&I, &last, m->beta, &k[NTH(part)].y);
        k[NTH(part)].give = AT(*give_of(m->give, pack));
    }
}

/* The latency of one part hides behind the other, that of both behind the next pack. */
static void sweep_balls(tl_row3 *rows, tl_balls3 *packs, const tl_momentum3 *m, const int *list, int count)
{
    tl_lanes3 *const before = m->before;
    double *const reversal = m->reversal;
    ball_visit k[PARTS];
    if (count > 0) begin_balls(rows, packs, m, list[0], k);
    for (int i = 0; i < count; i++) {
        if (i + AHEAD < count) {
            fetch(&packs[list[i + AHEAD]], sizeof *packs);
            fetch(&before[list[i + AHEAD]], sizeof *before);
        }
        if (i + ROWS_AHEAD + 1 < count) fetch_rows(rows, packs[list[i + ROWS_AHEAD + 1]].a, packs[list[i + ROWS_AHEAD + 1]].b);
        tl_balls3 *p = &packs[list[i]];
        quad back = {0, 0, 0, 0};
        lanes3 change[PARTS];
        EACH_PART(part) obey_balls(p, &before[list[i]], part, &k[NTH(part)], &change[NTH(part)], &back);
        if (i + 1 < count) begin_balls(rows, packs, m, list[i + 1], k);
        EACH_PART(part) push_balls(p, rows, part, &change[NTH(part)]);
        reversal[list[i]] = -sum_of(&back);
    }
}

static void start_balls(tl_row3 *rows, const tl_balls3 *packs, int begin, int end)
{
    for (int i = begin; i < end; i++) {
        const tl_balls3 *p = &packs[i];
        EACH_PART(part)
        {
            const lanes3 I = AT3(p->I);
            push_balls(p, rows, part, &I);
        }
    }
}

static void velocity_of_ball_pack(const tl_row3 *rows, const tl_balls3 *p, tl_lanes3 *u)
{
    EACH_PART(part)
    {
        ball_visit k;
        velocity_of_balls(p, rows, part, &k);
        const lanes shift = AT(p->shift);
        PUT(u->x, MADD(shift, k.n.x, k.u.x));
        PUT(u->y, MADD(shift, k.n.y, k.u.y));
        PUT(u->z, MADD(shift, k.n.z, k.u.z));
    }
}

static void residual_balls(const tl_row3 *rows, const tl_balls3 *packs, const tl_lanes *give, int begin, int end, tl_errors *error)
{
    for (int i = begin; i < end; i++) {
        const tl_balls3 *p = &packs[i];
        if (i + AHEAD < end) fetch(&packs[i + AHEAD], sizeof *packs);
        tally all = NO_TALLY;
        EACH_PART(part)
        {
            ball_visit k;
            velocity_of_balls(p, rows, part, &k);
            const lanes3 I = AT3(p->I);
            const lanes I_n = DOT(k.n, I), u_n = DOT(k.n, k.u), inverse_rho = (1 / AT(p->inverse_nn) + 2 * AT(p->tt)) / 3;
            const lanes3 I_t = {MADD(-I_n, k.n.x, I.x), MADD(-I_n, k.n.y, I.y), MADD(-I_n, k.n.z, I.z)};
            const lanes3 u_t = {MADD(-u_n, k.n.x, k.u.x), MADD(-u_n, k.n.y, k.u.y), MADD(-u_n, k.n.z, k.u.z)};
            const normal3 normal = {inverse_rho, AT(p->friction), I_n, MADD(AT(*give_of(give, i)), I_n, u_n + AT(p->shift))};
            add_errors(&normal, &I_t, &u_t, &all);
        }
        error[i] = errors_of(&all);
    }
}

/* Frictionless impulses do not turn spheres. */
static void drift_balls(tl_row3 *rows, const tl_balls3 *packs, const tl_lanes *goals, tl_lanes *impulses, int begin, int end)
{
    for (int i = begin; i < end; i++) {
        const tl_balls3 *p = &packs[i];
        EACH_PART(part)
        {
            const ends3 e = ENDS(p);
            const lanes3 n = AT3(p->n);
            lanes3 d;
            between_centres(rows, &e, &d);
            const lanes zero = {0}, before = AT(impulses[i]), wanted = NMADD(DOT(n, d) + AT(goals[i]), AT(p->inverse_nn), before);
            const lanes I = MAX(wanted, zero), dI = I - before;
            const lanes3 P = {n.x * dI, n.y * dI, n.z * dI};
            PUT(impulses[i], I);
            push(rows, &e, &P);
        }
    }
}
