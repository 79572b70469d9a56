#!/usr/bin/env python3
"""The slider-crank of D20 §5 by events: the slider is pinned at its centre of mass and starts flat, so that both corners of a side meet the wall
together and it never turns: two angles (crank a, rod b, from the x axis) and |y| ≤ 1 mm at the pin. RK4 with steps of 1 µs, impacts located by
bisection, sliding along a wall as a mode of its own with its multiplier.

    python3 reference.py > reference.csv        (with steps of 2 µs it is the same to 1e-9 m and 1e-8 rad)
    python3 reference.py first-order            (how far schemes of first order may be from it, over their step)

A scheme with steps of h has its impacts up to h early (theory §2.1: a contact that would be closed at the next mid-step bounces at this one, where positions
turn). To first order the sum over all impacts of what each of them does to y when it alone is early bounds the error, until 50 ms. Then the slider meets the
wall with 0.5 mm/s as it is about to lift off: what is 0.2 µm farther away misses the wall, and errors are no longer in proportion to h, as long as they are
larger than that. Besides, where the slider lies on a wall and is held at velocities, J(q_m) v = 0, angles that go straight on take it v·∇J v h²/2 into the
wall or off it in a step. Off it the next step brings it back; into it it sinks, by what restitution does not give back: with V⁺ = −e V⁻ and
V⁻ = V⁺ − h v·∇J v, V⁺ settles at e/(1 + e) of h v·∇J v.
"""
import sys
from math import sin, cos

M1, M2, M3, I1, I2, L1, L2, G, E, C = 0.038, 0.038, 0.076, 7.5e-5, 5.9e-4, 0.153, 0.306, 10.0, 0.4, 1e-3
M11 = I1 + 0.25 * M1 * L1**2 + (M2 + M3) * L1**2
M22 = I2 + 0.25 * M2 * L2**2 + M3 * L2**2
K = (0.5 * M2 + M3) * L1 * L2


def mass_solve(a, b, r0, r1):
    m12 = K * cos(a - b)
    det = M11 * M22 - m12 * m12
    return (M22 * r0 - m12 * r1) / det, (M11 * r1 - m12 * r0) / det


def accelerate(y, wall):
    """Accelerations, and the force of the wall on the slider along y."""
    a, b, va, vb = y
    c = K * sin(a - b)
    f0 = -c * vb * vb - G * cos(a) * (0.5 * M1 + M2 + M3) * L1
    f1 = c * va * va - G * cos(b) * (0.5 * M2 + M3) * L2
    a0, a1 = mass_solve(a, b, f0, f1)
    if not wall:
        return a0, a1, 0.0
    j0, j1 = L1 * cos(a), L2 * cos(b)
    c0, c1 = mass_solve(a, b, j0, j1)
    bias = -L1 * sin(a) * va * va - L2 * sin(b) * vb * vb
    force = -(bias + j0 * a0 + j1 * a1) / (j0 * c0 + j1 * c1)
    return a0 + force * c0, a1 + force * c1, force


def height(y):
    return L1 * sin(y[0]) + L2 * sin(y[1])


def rise(y):
    return L1 * cos(y[0]) * y[2] + L2 * cos(y[1]) * y[3]


def runge_kutta(y, wall, h):
    a, b, va, vb = y
    p, q, _ = accelerate(y, wall)
    k1 = (va, vb, p, q)
    s = (a + h / 2 * k1[0], b + h / 2 * k1[1], va + h / 2 * k1[2], vb + h / 2 * k1[3])
    p, q, _ = accelerate(s, wall)
    k2 = (s[2], s[3], p, q)
    s = (a + h / 2 * k2[0], b + h / 2 * k2[1], va + h / 2 * k2[2], vb + h / 2 * k2[3])
    p, q, _ = accelerate(s, wall)
    k3 = (s[2], s[3], p, q)
    s = (a + h * k3[0], b + h * k3[1], va + h * k3[2], vb + h * k3[3])
    p, q, _ = accelerate(s, wall)
    k4 = (s[2], s[3], p, q)
    return tuple(y[i] + h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]) for i in range(4))


def free_lift(y):
    """Vertical acceleration of the pin in free motion."""
    a, b, va, vb = y
    p, q, _ = accelerate(y, 0)
    return L1 * (cos(a) * p - sin(a) * va * va) + L2 * (cos(b) * q - sin(b) * vb * vb)


def impact(y, side):
    a, b, va, vb = y
    j0, j1 = L1 * cos(a), L2 * cos(b)
    c0, c1 = mass_solve(a, b, j0, j1)
    p = -(1 + E) * rise(y) / (j0 * c0 + j1 * c1)
    y = (a, b, va + p * c0, vb + p * c1)
    # rebounds shrink like e^n: below a micrometre per second, and pushed, it stays
    return y, side if abs(rise(y)) < 1e-6 and side * free_lift(y) > 0 else 0


IMPACTS = {"count": 0, "early": -1, "by": 0.0}  # which one comes early, and by how much


def advance(y, wall, h):
    while h > 1e-15:
        if wall and wall * accelerate(y, wall)[2] >= 0:
            wall = 0  # the wall can only push
        after = runge_kutta(y, wall, h)
        at = height(after)
        side = 1 if at > C else -1 if at < -C else 0
        if wall or not side or side * rise(after) <= 0:
            return after, wall
        low, high = 0.0, h
        for _ in range(60):  # the last moment inside
            middle = (low + high) / 2
            if side * height(runge_kutta(y, wall, middle)) > C:
                high = middle
            else:
                low = middle
        if IMPACTS["count"] == IMPACTS["early"]:
            low -= IMPACTS["by"]
        IMPACTS["count"] += 1
        y, wall = impact(runge_kutta(y, wall, low), side)
        h -= low if low != 0 else 1e-12
    return y, wall


def sink(y, wall):
    """Speed over h at which the slider sinks into the wall that holds it at velocities only."""
    return max(0.0, wall * (-L1 * sin(y[0]) * y[2] ** 2 - L2 * sin(y[1]) * y[3] ** 2)) * (0.5 - E / (1 + E))


def run(rows, step, early=-1):
    """Rows of y, crank and how far it has sunk into walls over the step of a scheme, every 0.1 ms."""
    IMPACTS.update(count=0, early=early, by=1e-8)
    state, wall, sunk = (0.0, 0.0, 150.0, -75.0), 0, 0.0
    for _ in range(rows):
        yield height(state), state[0], sunk
        for _ in range(round(1e-4 / step)):
            sunk += sink(state, wall) * step
            state, wall = advance(state, wall, step)


if sys.argv[1:] == ["first-order"]:
    exact = list(run(501, 2e-6))
    moved = [list(run(501, 2e-6, i)) for i in range(IMPACTS["count"])]
    early = max(sum(abs(m[k][0] - exact[k][0]) for m in moved) for k in range(501)) / IMPACTS["by"]
    print(f"{len(moved)} impacts to 50 ms, a step early: {early:.3f} m/s; sunk into walls: {exact[-1][2]:.3f} m/s")
else:
    print("time [s],y [m],crank [rad]")
    for i, (y, crank, _) in enumerate(run(1371, 1e-6)):
        print(f"{i / 1e4:.4f},{y:.15g},{crank:.15g}")
