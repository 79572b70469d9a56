#!/usr/bin/env python3
"""Double pendulum by Lagrange's equations in absolute angles a, b, in 25 digits by mpmath's Taylor series (odefun).

    T = ½ A a'² + ½ B b'² + C cos(a − b − D2) a' b'
    V = m1 g R1 sin(a + D1) + m2 g (L sin a + R2 sin(b + D2)) + ½ k (b − a)²,   damping c (b' − a')

    python3 reference.py > reference.csv        all digits printed hold
"""
from mpmath import mp, mpf, sin, cos, odefun

mp.dps = 25
g, L, k, c = mpf("9.81"), mpf("0.7"), mpf("2.5"), mpf("0.05")
m1, i1, r1, d1 = mpf("1.3"), mpf("0.04"), mpf("0.35"), mpf("0.2")
m2, i2, r2, d2 = mpf("0.8"), mpf("0.015"), mpf("0.25"), mpf("-0.5")


def rates(t, y):
    a, b, va, vb = y
    coupling, phi = m2 * L * r2, a - b - d2
    m11, m22, m12 = i1 + m1 * r1**2 + m2 * L**2, i2 + m2 * r2**2, coupling * cos(phi)
    elbow = k * (b - a) + c * (vb - va)
    f1 = -coupling * sin(phi) * vb**2 - m1 * g * r1 * cos(a + d1) - m2 * g * L * cos(a) + elbow
    f2 = coupling * sin(phi) * va**2 - m2 * g * r2 * cos(b + d2) - elbow
    det = m11 * m22 - m12**2
    return [va, vb, (m22 * f1 - m12 * f2) / det, (m11 * f2 - m12 * f1) / det]


solution = odefun(rates, 0, [mpf("0.4"), mpf("1.5"), mpf(1), mpf(-2)])
print("time [s],shoulder [rad],elbow [rad]")
for i in range(21):
    a, b, _, _ = solution(mpf(i) / 20)
    print(f"{i / 20:.2f},{mp.nstr(a, 17)},{mp.nstr(b - a, 17)}")
