"""Laws of benchmark models that are known in closed form: what tests hold densities and branches against."""

import mpmath as mp
from benchmark_models import p1, p2, p3, p4, p5, p7


def fuss_catalan_density(p, x):
    """rho(x) with x = sin^{p+1}((p+1)t)/(sin t sin^p(p t)), which falls in t, solved by bisection; then
    rho = sin^2 t sin^{p-1}(p t)/(pi sin^p((p+1)t))."""
    low, high = mp.mpf(0), mp.pi / (p + 1)
    for _ in range(mp.mp.prec + 10):
        t = (low + high) / 2
        above = mp.sin((p + 1) * t) ** (p + 1) > x * mp.sin(t) * mp.sin(p * t) ** p
        low, high = (t, high) if above else (low, t)
    return mp.sin(t) ** 2 * mp.sin(p * t) ** (p - 1) / (mp.pi * mp.sin((p + 1) * t) ** p)


POLYNOMIALS = {  # of m at z, highest power first
    "P1": (p1(), lambda w: [1, w, 1]),
    "P2": (p2(), lambda w: [w / 2, w - mp.mpf("0.5"), 1]),
    "P3": (p3(), lambda w: [3 * w**2, 16 * w**2 - 18 * w, 16 * w**2 - 40 * w + 27, 16 * w - 24]),
    "P4": (p4(), lambda w: [mp.mpf("0.5"), w / 2 + 1, w - mp.mpf("0.5"), 1]),
    "P5": (p5(), lambda w: [mp.mpf("0.25"), w, w**2 - mp.mpf("0.5"), w]),
    "P7": (p7(), lambda w: [-w, 1, w, 1]),
}
