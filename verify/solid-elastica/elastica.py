"""The elastica clamped at one end under a dead force at the other (Bisshopp and Drucker 1945): python3 elastica.py > elastica.csv

With m = (1 + sin phi)/2, phi the turn of the end, and sin a = 1/sqrt(2 m): sqrt(alpha) is the integral of 1/D and w/L = 1 - 2/sqrt(alpha) that of D,
both over t from a to pi/2, with D = sqrt(1 - m sin(t)^2); 1 - u/L = sqrt(2 sin(phi)/alpha). Simpson's rule and bisection.
"""
from math import asin, pi, sin, sqrt


def integral(f, low, high, parts=2000):
    step = (high - low) / parts
    inner = sum((4 if k % 2 else 2) * f(low + k * step) for k in range(1, parts))
    return (f(low) + inner + f(high)) * step / 3


def elastica(alpha):
    low, high = 0.0, pi / 2 - 1e-9
    for _ in range(60):
        phi = (low + high) / 2
        m = (1 + sin(phi)) / 2
        start = asin(1 / sqrt(2 * m))
        force = integral(lambda t: 1 / sqrt(1 - m * sin(t) ** 2), start, pi / 2) ** 2
        low, high = (phi, high) if force < alpha else (low, phi)
    down = 1 - 2 / sqrt(alpha) * integral(lambda t: sqrt(1 - m * sin(t) ** 2), start, pi / 2)
    return phi, down, 1 - sqrt(2 * sin(phi) / alpha)


print("alpha, phi [rad], down, back")
for alpha in (0.25, 0.5, 1, 2, 3, 5, 7.5, 10):
    print("%g, %.9f, %.9f, %.9f" % (alpha, *elastica(alpha)))
