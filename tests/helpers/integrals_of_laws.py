"""Integrals over the Marchenko-Pastur laws from their textbook density: nothing of the module that is tested but its parameters."""

from __future__ import annotations

import sympy as sp

from theory.marchenko_pastur.law import MarchenkoPastur

LAWS = [MarchenkoPastur(psi2, companion) for psi2 in ("1/2", "1", "2") for companion in (False, True)]
SPECTRAL = sp.Rational(7, 10) + sp.I / 2


def mpc(ctx, value: sp.Expr):
    real, imag = value.as_real_imag()
    return ctx.mpc(str(real), str(imag))


def integrate(ctx, law: MarchenkoPastur, f):
    """int f d(law) by Gauss-Legendre in the angle that opens both square roots of the textbook density."""
    psi2 = ctx.mpf(law.psi2.numerator) / law.psi2.denominator
    scale = psi2 if law.companion else 1
    atom = max(ctx.zero, 1 - 1 / psi2 if law.companion else 1 - psi2)

    def integrand(t):
        x = 1 + psi2 + 2 * ctx.sqrt(psi2) * ctx.cos(t)
        return f(x) * (2 * ctx.sqrt(psi2) * ctx.sin(t)) ** 2 / (2 * ctx.pi * scale * x)

    bulk = ctx.quad(integrand, ctx.linspace(0, ctx.pi, 9), method="gauss-legendre")
    return bulk + (atom * f(ctx.zero) if atom else 0)
