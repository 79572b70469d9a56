/* Packs of contacts between spheres, and with what is at rest, in world axes: without a frame. An impulse P at its surface gives a sphere the velocity s² P
 * and, times its radius, the spin k² P × n on either side; W is s² + k² along every tangent, and stick or slip have a closed form. Part of packs3_kernels.h. */

/* Part of a pack on its way through a sweep. */
typedef struct ball_visit {
    columns3 a, b;
    lanes3 n, y, u; /* normal, extrapolated impulse, velocity without the shift */
    lanes nn, kk;   /* W along n; what spin adds to it along tangents */
} ball_visit;

INLINE void velocity_of_balls(const tl_balls3 *p, const tl_row3 *rows, size_t part, ball_visit *k)
{
    gather_ends(rows, p->a, p->b, part, &k->a, &k->b);
    k->n = (lanes3)AT3(p->n);
    const half3 *wa = &k->a.w, *wb = &k->b.w;
    const lanes3 spin = {MADD(wb->more, wb->x, wa->more * wa->x), MADD(wb->more, wb->y, wa->more * wa->y), MADD(wb->more, wb->z, wa->more * wa->z)};
    lanes3 d;
    between_centres(&k->a.v, &k->b.v, &d);
    k->u.x = MADD(k->n.y, spin.z, MADD(-k->n.z, spin.y, d.x));
    k->u.y = MADD(k->n.z, spin.x, MADD(-k->n.x, spin.z, d.y));
    k->u.z = MADD(k->n.x, spin.y, MADD(-k->n.y, spin.x, d.z));
    const lanes sa = k->a.v.more, sb = k->b.v.more;
    k->nn = MADD(sa, sa, sb * sb);
    k->kk = MADD(wa->more, wa->more, wb->more * wb->more);
}

/* v += M⁻¹ H P. */
INLINE void push_balls(const tl_balls3 *p, tl_row3 *rows, size_t part, ball_visit *k, const lanes3 *P)
{
    const lanes back = -k->a.v.more;
    lanes3 moment;
    cross(P, &k->n, &moment);
    push(&k->b.v, &k->b.v.more, P);
    push(&k->b.w, &k->b.w.more, &moment);
    push(&k->a.v, &back, P);
    push(&k->a.w, &k->a.w.more, &moment);
    scatter_ends(rows, p->a, p->b, part, &k->a, &k->b);
}

/* The law of law/law3.h for W = nn along n, nn + kk across: with c the impulse without friction, times nn, and b the tangential velocity with it. Adds to
 * `back` how far the sweep turned back (packs3_kernels.h). */
INLINE void obey_balls(tl_balls3 *p, tl_lanes3 *before, size_t part, ball_visit *k, lanes3 *change, quad *back)
{
    const lanes3 n = k->n, y = k->y, I = AT3(p->I);
    const lanes zero = {0}, mu = AT(p->friction), across = k->nn + k->kk;
    const lanes3 t = {MADD(-across, y.x, k->u.x), MADD(-across, y.y, k->u.y), MADD(-across, y.z, k->u.z)};
    const lanes along = DOT(n, t), c = -(MADD(k->kk, DOT(n, y), along) + AT(p->shift));
    const lanes3 b = {MADD(-along, n.x, t.x), MADD(-along, n.y, t.y), MADD(-along, n.z, t.z)};
    const lanes speed = ROOT(DOT(b, b)), border = mu * c;
    const mask closed = LESS(zero, c), slides = LESS(border * across, speed * k->nn);
    const lanes below = SELECT(slides, speed, across), share = 1 / (k->nn * below);
    const lanes normal = ONLY(closed, c * below * share), minus = ONLY(closed, SELECT(slides, border, k->nn) * share);
    const lanes3 next = {MADD(-minus, b.x, normal * n.x), MADD(-minus, b.y, normal * n.y), MADD(-minus, b.z, normal * n.z)};
    const lanes3 d = {next.x - y.x, next.y - y.y, next.z - y.z}, moved = {next.x - I.x, next.y - I.y, next.z - I.z};
    const lanes turned = MADD(-(k->kk * DOT(n, d)), DOT(n, moved), across * DOT(d, moved));
    ADD_QUADS(*back, turned);
    PUT(before->x, I.x), PUT(before->y, I.y), PUT(before->z, I.z);
    PUT(p->I.x, next.x), PUT(p->I.y, next.y), PUT(p->I.z, next.z);
    *change = d;
}

static void sweep_balls(tl_row3 *rows, tl_balls3 *packs, tl_lanes3 *before, double beta, const int *list, int count, double *turn)
{
    for (int i = 0; i < count; i++) {
        if (i + AHEAD < count) {
            fetch(&packs[list[i + AHEAD]], sizeof *packs);
            fetch(&before[list[i + AHEAD]], sizeof *before);
        }
        if (i + 1 < count) fetch_rows(rows, packs[list[i + 1]].a, packs[list[i + 1]].b);
        tl_balls3 *p = &packs[list[i]];
        quad back = {0, 0, 0, 0};
        ball_visit k[PARTS];
        lanes3 change[PARTS];
        EACH_PART(part)
        {
            velocity_of_balls(p, rows, part, &k[NTH(part)]);
            const lanes3 I = AT3(p->I), last = AT3(before[list[i]]);
            extrapolate(&I, &last, beta, &k[NTH(part)].y);
        }
        EACH_PART(part) obey_balls(p, &before[list[i]], part, &k[NTH(part)], &change[NTH(part)], &back);
        EACH_PART(part) push_balls(p, rows, part, &k[NTH(part)], &change[NTH(part)]);
        turn[list[i]] = -sum_of(&back);
    }
}

static void start_balls(tl_row3 *rows, const tl_balls3 *packs, int begin, int end)
{
    for (int i = begin; i < end; i++) {
        const tl_balls3 *p = &packs[i];
        EACH_PART(part)
        {
            ball_visit k;
            const lanes3 I = AT3(p->I);
            velocity_of_balls(p, rows, part, &k);
            push_balls(p, rows, part, &k, &I);
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

static void residual_balls(const tl_row3 *rows, const tl_balls3 *packs, int begin, int end, tl_errors *error)
{
    for (int i = begin; i < end; i++) {
        const tl_balls3 *p = &packs[i];
        if (i + AHEAD < end) fetch(&packs[i + AHEAD], sizeof *packs);
        tally3 all = {{0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}};
        EACH_PART(part)
        {
            ball_visit k;
            velocity_of_balls(p, rows, part, &k);
            const lanes3 I = AT3(p->I);
            const lanes zero = {0}, two_thirds = zero + 2.0 / 3;
            const lanes I_n = DOT(k.n, I), u_n = DOT(k.n, k.u), inverse_rho = MADD(k.kk, two_thirds, k.nn);
            const lanes3 I_t = {MADD(-I_n, k.n.x, I.x), MADD(-I_n, k.n.y, I.y), MADD(-I_n, k.n.z, I.z)};
            const lanes3 u_t = {MADD(-u_n, k.n.x, k.u.x), MADD(-u_n, k.n.y, k.u.y), MADD(-u_n, k.n.z, k.u.z)};
            const normal3 normal = {inverse_rho, AT(p->friction), I_n, u_n + AT(p->shift)};
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
            half3 a, b;
            lanes3 d;
            gather_halves(rows, p->a, p->b, part, offsetof(tl_row3, v), &a, &b);
            between_centres(&a, &b, &d);
            const lanes3 n = AT3(p->n);
            const lanes zero = {0}, nn = MADD(a.more, a.more, b.more * b.more), back = -a.more;
            const lanes wanted = AT(impulses[i]) - (DOT(n, d) + AT(goals[i])) / SELECT(LESS(zero, nn), nn, zero + 1);
            const lanes I = ONLY(LESS(zero, wanted), wanted), dI = I - AT(impulses[i]);
            const lanes3 P = {n.x * dI, n.y * dI, n.z * dI};
            PUT(impulses[i], I);
            push(&b, &b.more, &P);
            push(&a, &back, &P);
            scatter_halves(rows, p->a, p->b, part, offsetof(tl_row3, v), &a, &b);
        }
    }
}
