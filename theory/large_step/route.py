"""A second way to the errors after a large step, for a uniform readout: derivatives of the ridge objective alone.

Give the test distribution itself a weight tau in the regression: min (1/n) |y - f|^2 + (lambda/N) |a|^2 + tau E(f* - f)^2.
The derivative of the minimum at tau = 0 is the test error, and the training error is the minimum less lambda times its
derivative by lambda. No response of the fixed point is needed; with one value of b every integral over the spectrum of H
is its resolvent at one negative point. Source: the envelope theorem; section 5a of the sheet for the fixed point.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from pencils.errors import ConvergenceError
from pencils.exact.balls import compile_balls
from pencils.exact.numbers import as_ball, bits_for, to_ball, working_precision
from theory.large_step.ceiling_route import small_step_ceiling

_each = np.frompyfunc
_mid = _each(lambda v: v.mid(), 1, 1)


def large_step(parameters: Mapping[str, Any], digits: int) -> dict[str, Any]:
    """The values of ``gradstep eval large-step.risk`` at unchecked parameters, readout uniform."""

    from theory.register.parameters import check_parameters
    from theory.tau_star.route import tau_star

    p = check_parameters(parameters, parameters, "large-step.risk")
    with working_precision(bits_for(3 * digits // 2 + 25)):
        gamma, whole = _errors(p, digits, isotropic=False)
        _, mean = _errors(p, digits, isotropic=True)
        ceiling = small_step_ceiling(p, gamma)
        pair = {"activation": parameters["activation"], "teacher": parameters["teacher"]}
        tau = 10 * as_ball(tau_star(pair, digits)["tau"])
    return {
        "risk": whole[0],
        "risk_isotropic": mean[0],
        "training_error": whole[1],
        "gamma": gamma,
        "small_step_ceiling": ceiling,
        "tau_bound": tau,
    }


def risk_only(checked: Mapping[str, Any], digits: int) -> float:
    """The test error at checked parameters."""
    with working_precision(bits_for(3 * digits // 2 + 25)):
        return float(_errors(checked, digits, isotropic=False)[1][0])


def _normal(digits: int, step: float) -> tuple[Any, Any]:
    from flint import arb

    end = (4.7 * digits) ** 0.5 + 2
    z = np.array([arb(k) * arb(step) for k in range(-int(end / step), int(end / step) + 1)], dtype=object)
    return z, _mid(np.exp(-z * z / 2) * arb(step) / (2 * arb.pi()).sqrt())


def _function(activation: Any, digits: int, slope: bool = False) -> Callable[[Any], Any]:
    from theory.functions.language import variable

    expr = activation.centred().numeric(2 * digits + 30)
    return _each(compile_balls(expr.diff(variable()) if slope else expr, [variable()]), 1, 1)  # type: ignore[return-value]


@dataclass(frozen=True)
class _Problem:
    """Everything that does not depend on tau and lambda; arrays over the nodes of s, both signs."""

    psi1: Any
    psi2: Any
    noise: Any
    ds: Any
    A: Any
    B: Any
    C2: Any
    odd: tuple[Any, Any]  # s B(s), D2(s)
    g0: Any
    g1: Any
    rest: Any
    spread: Any
    forms: Callable[[Any], tuple[Any, Any]]  # x -> int 1/(x + h) of mu_H, and of M between u, beta_perp, v
    gram: Any
    link: tuple[Any, Any]  # Cov(delta/2, bulk) along u and v
    delta: Any
    delta_r: Any
    r: Any


def _errors(p: Mapping[str, Any], digits: int, isotropic: bool) -> tuple[Any, tuple[Any, Any]]:
    from flint import arb

    problem, gamma = _problem(p, digits, isotropic)
    lam, h = to_ball(p["lam"]), arb(10) ** -(digits // 2 + 4)
    start = [arb(1) / (1 + lam), arb(1)]
    value, start = _objective(problem, lam, arb(0), start)
    up, down = (_objective(problem, lam, sign * h, start)[0] for sign in (1, -1))
    more, less = (_objective(problem, lam * (1 + sign * h), arb(0), start)[0] for sign in (1, -1))
    return gamma, ((up - down) / (2 * h), value - (more - less) / (2 * h))


def _problem(p: Mapping[str, Any], digits: int, isotropic: bool) -> tuple[_Problem, Any]:
    from flint import arb

    sigma, slope = _function(p["activation"], digits), _function(p["activation"], digits, slope=True)
    teacher = _function(p["teacher"], digits)
    alpha0, noise, b = p["alpha0"], to_ball(p["sigma_eps"]) ** 2, to_ball(p["etabar"])
    if noise != 0 or p.get("readout", "uniform") != "uniform":
        raise ConvergenceError("this route is written for a uniform readout and labels without noise")
    z, w = _normal(digits, 1.2 / digits)
    y, f, s = teacher(z), sigma(z), slope(z)
    along, energy = (w * y * z).sum(), (w * y * y).sum()
    inverse = arb(0) if alpha0 is None else 1 / to_ball(alpha0)
    length = (along**2 + energy * inverse).sqrt()
    gamma = along / length
    mu1, m3 = (w * f * z).sum(), (w * f * (z**3 - 3 * z)).sum()
    s = s - mu1
    hc = (w * s * s).sum()
    mean, spread = energy * inverse, b * b * hc * (0 if alpha0 is None else 1)
    c = 1 + spread * mean
    root, kappa = c.sqrt(), b * mu1 * length
    nodes, ds = _normal(digits, 0.6 * 3.1 * (2 / (2.4 * digits)) ** 0.5 / (1 + 2 * float(kappa) ** 2 / float(c)) ** 0.5)
    zz, ww = _normal(digits, 1.2 / digits / max(1, float(root)))
    value = sigma(kappa * nodes[:, None] + root * zz)
    A, B = value @ ww, value @ (ww * zz) / root
    C2, D2 = (value * value) @ ww - A * A - c * B * B, value @ (ww * (zz * zz - 1)) / c
    if alpha0 is None:
        g0, g1, rest = teacher(gamma * nodes), 0 * nodes, 0 * nodes
    else:
        given = teacher(gamma * nodes[:, None] + (1 - gamma**2).sqrt() * z)
        g0, g1 = given @ w, given @ (w * z)
        rest = (given * given) @ w - g0**2 - g1**2
    # r = |w|^2 - 1 and delta = |bulk|^2 - c
    gaussian = p.get("rows", "gaussian") == "gaussian"
    rho = 1 + b * b * mean * (w * s * s * (z * z - 1)).sum() / 2 if gaussian else arb(0)
    delta = 2 * rho**2 + 4 * (b * m3 * length) ** 2
    if alpha0 is not None:
        delta += 4 * b * b * mean * ((w * (z * s) ** 2).sum() - m3**2) + 2 * (b * b * hc * mean) ** 2
        delta += b**4 * ((w * s**4).sum() - hc**2) * (w * y**4).sum() * inverse**3
    shift = b * length * m3 if gaussian else arb(0)
    law = (w, y, z, inverse, length, gamma)
    forms, gram = _resolvent(law, mean, isotropic or alpha0 is None)
    return _Problem(
        to_ball(p["psi1"]),
        to_ball(p["psi2"]),
        noise,
        ds,
        _mid(A),
        _mid(B),
        _mid(C2),
        (_mid(nodes * B), _mid(D2)),
        _mid(g0),
        _mid(g1),
        _mid(rest),
        spread,
        forms,
        gram,
        (b * m3 * length, b**3 * (w * s**3).sum() * inverse**2 / 2),
        delta / 4,
        rho * shift / 2,
        shift**2 / 2 if gaussian else arb(0),
    ), gamma


def _resolvent(law: tuple[Any, ...], mean: Any, isotropic: bool) -> tuple[Callable[[Any], tuple[Any, Any]], Any]:
    from flint import arb

    w, y, g, inverse, length, gamma = law
    t, D0 = _mid(y * y * inverse), inverse

    def between(r: Any, D: Any, cut: Any) -> Any:
        """Forms between u, beta_perp, v from those of beta, X0^T y/n0, X0^T y^3/n0."""
        weight = w * cut
        xi = [(weight * f * g).sum() for f in (y, y**3)]
        bu, b3 = r * xi[0] / length, r * xi[1]
        uu = (r * xi[0] ** 2 + D * (weight * y * y).sum()) / length**2
        u3 = (r * xi[0] * xi[1] + D * (weight * y**4).sum()) / length
        vv = r * xi[1] ** 2 + D * (weight * y**6).sum()
        if inverse == 0:
            return np.array([[uu, 0 * r, 0 * r], [0 * r, r, 0 * r], [0 * r, 0 * r, 0 * r]], dtype=object)
        rest = (1 - gamma**2).sqrt()
        ub, bb, b3 = (bu - gamma * uu) / rest, (r - 2 * gamma * bu + gamma**2 * uu) / rest**2, (b3 - gamma * u3) / rest
        return np.array([[uu, ub, u3], [ub, bb, b3], [u3, b3, vv]], dtype=object)

    gram = between(arb(1), D0, 0 * y + 1)
    last: list[Any] = [None]  # points are asked for in clusters: the last root is the next one's start

    def at(x: Any) -> tuple[Any, Any]:
        """int 1/(x + h) for x > 0: the resolvent at -x."""
        if isotropic:
            return 1 / (x + mean), gram / (x + mean)
        m = last[0] or arb(1) / (x + mean)
        for _ in range(300):  # Newton for q = 1/m: q - x - E[t q/(q + t/alpha0)] is convex, and q lies in (x, x + mean)
            q = 1 / m
            slope = 1 - (w * t * t * inverse / (q + t * inverse) ** 2).sum()
            change = (q - x - (w * t * q / (q + t * inverse)).sum()) / slope
            m = (1 / (q - change)).mid()
            if abs(change) < abs(q) * arb(2) ** (20 - _bits()):
                break
        last[0] = m
        cut = 1 / (1 + t * m * inverse)
        r = 1 / (x + (w * cut * t * g * g).sum())
        return m, between(r, m * inverse, cut)

    return at, gram


def _bits() -> int:
    import flint

    return int(flint.ctx.prec)


def _objective(q: _Problem, lam: Any, tau: Any, start: list[Any]) -> tuple[Any, list[Any]]:
    """The minimum, and the fixed point (G, y) where it was taken: y = int e/(1 + e psi2 G Beta) psi2 G."""
    from flint import arb, arb_mat

    def parts(G: Any, y: Any) -> tuple[Any, Any, Any, Any]:
        w = 1 / (1 + q.psi2 / q.psi1 * q.C2 * G + q.B**2 * y / q.psi1)
        W = q.ds * (w + tau)
        return w, W, (W * q.B**2).sum(), (W * q.C2).sum()

    def bulk(G: Any, beta: Any) -> tuple[Any, Any]:
        """int dmu_H and int dM of 1/(1 + g e), g = psi2 G Beta, e = 1 + spread h."""
        g = q.psi2 * G * beta
        if q.spread == 0:
            return 1 / (1 + g), q.gram / (1 + g)
        trace, forms = q.forms((1 + g) / (g * q.spread))
        return trace / (g * q.spread), forms / (g * q.spread)

    def gap(x: list[Any]) -> list[Any]:
        _, _, beta, noise = parts(*x)
        kept = (1 - bulk(x[0], beta)[0]) / beta  # int psi2 G e/(1 + g e)
        return [1 / x[0] - lam - noise - beta * kept / (q.psi2 * x[0]), x[1] - kept]

    x = _solve(gap, start)
    w, W, beta, _ = parts(*x)
    _, forms = bulk(x[0], beta)
    link = q.psi2 * x[0] * np.array([q.link[0], 0 * x[0], q.link[1]], dtype=object)
    P = np.zeros((4, 4), dtype=object) + arb(0)
    P[:2, :2] = ((q.gram - forms) / beta)[:2, :2]
    P[:2, 2] = P[2, :2] = (forms @ link)[:2]
    P[2, 2] = q.psi2 * x[0] * q.delta - beta * (link @ forms @ link)
    P[2, 3] = P[3, 2] = q.psi2 * x[0] * q.delta_r
    P[3, 3] = q.psi2 * x[0] * q.r
    # back to the covariance without the energy along u and beta, then the Gaussian regression in coefficients
    energy = np.diag(np.array([beta, beta, arb(0), arb(0)], dtype=object))
    eye = np.diag([arb(1)] * 4) + arb(0)
    free = np.array((arb_mat((eye - P @ energy).tolist()).inv() * arb_mat(P.tolist())).tolist(), dtype=object)
    sB, D2 = q.odd
    u = np.stack([sB, 0 * sB, D2, sB], 1)
    t = np.stack([0 * sB, q.B, 0 * sB, 0 * sB], 1)
    # alpha A is free of cost: take it out of everything by projection
    norm = (W * q.A * q.A).sum()
    u = u - q.A[:, None] * ((W * q.A) @ u / norm)
    g0 = q.g0 - q.A * ((W * q.A * q.g0).sum() / norm)
    gram = (u.T * W) @ u + (t.T * W) @ t
    source = (u.T * W) @ g0 + (t.T * W) @ q.g1
    inner = np.array(arb_mat((eye + gram @ free).tolist()).inv().tolist(), dtype=object)
    fit = (W * (g0 * g0 + q.g1 * q.g1)).sum() - source @ free @ inner @ source
    return fit + (W * q.rest).sum() + q.noise * (q.ds * w).sum(), x


def _solve(gap: Callable[[list[Any]], list[Any]], start: list[Any]) -> list[Any]:
    """Newton in logarithms with difference quotients, damped to stay where G and y are positive."""
    from flint import arb

    bits = _bits()
    x = [arb(v.mid()).log().mid() for v in start]

    def at(x: list[Any]) -> list[Any]:
        return [v.mid() for v in gap([v.exp() for v in x])]

    for _ in range(200):
        here = at(x)
        tiny = arb(2) ** (-bits // 2)
        columns = [
            [(a - b) / tiny for a, b in zip(at([v + tiny * (i == k) for i, v in enumerate(x)]), here, strict=True)] for k in (0, 1)
        ]
        (a, c), (b, d) = columns
        det = a * d - b * c
        step = [((d * here[0] - b * here[1]) / det).mid(), ((a * here[1] - c * here[0]) / det).mid()]
        size = max(abs(float(v)) for v in step)
        x = [(v - s * (arb(1) if size < 1 else arb(1 / size))).mid() for v, s in zip(x, step, strict=True)]
        if size < 2.0 ** (-bits * 0.9):
            return [v.exp().mid() for v in x]
    raise ConvergenceError(f"the fixed point after a large step (second route): last step {size:.1e}")
