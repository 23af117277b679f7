"""The benchmark models as SymPy expressions: (expression, ensembles, parameter values). Nothing here is an answer."""

from __future__ import annotations

from typing import Any, NamedTuple

import sympy as sp

from pencils import Deterministic, Gaussian, Wigner, commuting

n, p, d, m, n0, n1, n2 = sp.symbols("n p d m n0 n1 n2", positive=True)
lam, s, sigma, eta, zeta, w = sp.symbols("lambda s sigma eta zeta w", positive=True)
z = sp.Symbol("z")
Z0 = sp.Rational(7, 10) + sp.I / 2
HALF = sp.Rational(1, 2)
SQRT = sp.sqrt


class Model(NamedTuple):
    """One benchmark."""

    expr: Any
    ensembles: dict[Any, Any]
    values: dict[Any, Any]


def matrix(name: str, rows: Any, cols: Any) -> sp.MatrixSymbol:
    return sp.MatrixSymbol(name, rows, cols)


def eye(size: Any) -> sp.Identity:
    return sp.Identity(size)


def p1(field: str = "complex") -> Model:
    W = matrix("W", n, n)
    return Model((W - z * eye(n)).inverse(), {W: Wigner(1 / n, field)}, {n: 1, z: Z0})


def p2() -> Model:
    X = matrix("X", p, n)
    return Model((X * X.T / n - z * eye(p)).inverse(), {X: Gaussian()}, {p: 1, n: 2, z: Z0})


def p3() -> Model:
    X, S = matrix("X", p, n), matrix("S", p, p)
    law = Deterministic(law=[(1, HALF), (SQRT(3), HALF)])
    return Model((S * X * X.T * S / n - z * eye(p)).inverse(), {X: Gaussian(), S: law}, {p: 1, n: 4, z: Z0})


def p4() -> Model:
    X, W = matrix("X", p, n), matrix("W", p, p)
    expr = (W + X * X.T / n - z * eye(p)).inverse()
    return Model(expr, {X: Gaussian(), W: Wigner(1 / p, "complex")}, {p: 1, n: 2, z: Z0})


def p5() -> Model:
    W, D = matrix("W", n, n), matrix("D", n, n)
    expr = (D + SQRT(s) * W - z * eye(n)).inverse()
    law = Deterministic(law=[(1, HALF), (-1, HALF)])
    return Model(expr, {W: Wigner(1 / n, "complex"), D: law}, {n: 1, s: HALF, z: Z0})


def p7(form: str = "anticommutator") -> Model:
    x, y = matrix("x", n, n), matrix("y", n, n)
    inner = x * y + y * x if form == "anticommutator" else sp.I * (x * y - y * x)
    laws = {x: Wigner(1 / n, "complex"), y: Wigner(1 / n, "complex")}
    return Model((inner - z * eye(n)).inverse(), laws, {n: 1, z: Z0})


def p9(count: int) -> Model:
    factors = [matrix(f"X{k}", n, n) for k in range(1, count + 1)]
    product = sp.MatMul(*factors) if count > 1 else factors[0]
    expr = (product * product.T - z * eye(n)).inverse()
    return Model(expr, {X: Gaussian(1 / n) for X in factors}, {n: 1, z: Z0})


def p12(trace: str = "t1") -> Model:
    W, X, T = matrix("W", n1, n0), matrix("X", n0, m), matrix("Theta", n1, m)
    F = SQRT(zeta) * W * X + SQRT(eta - zeta) * T
    K = (F.T * F / n1 + lam * eye(m)).inverse()
    expr = K if trace == "t1" else X.T * X * K / n0
    values = {n0: "3/2", m: 1, n1: "15/8", lam: "1/10", zeta: "1/4", eta: HALF - 1 / (2 * sp.pi)}
    return Model(expr, {W: Gaussian(1 / n0), X: Gaussian(), T: Gaussian()}, values)


def p14(what: str = "bias") -> Model:
    Q, T, X = matrix("S", p, p), matrix("Theta", p, p), matrix("Z", n, p)
    laws = {X: Gaussian(1 / n), **commuting({Q: [SQRT(HALF), SQRT(2)], T: [2, HALF]}, [HALF, HALF])}
    R = (Q * X.T * X * Q + lam * eye(p)).inverse()
    if what == "bias":
        expr = lam**2 * R * T * R * Q**2
    else:
        expr = p / n * Q**2 * R * Q * X.T * X * Q * R  # (1/n) Tr = (p/n) times the normalised trace
        laws.pop(T)
    return Model(expr, laws, {p: 2, n: 3, lam: "1/5"})


def p15() -> Model:
    A, X = matrix("A", p, n), matrix("X", p, n)
    laws = {A: Deterministic(singular_values=[(HALF, HALF), ("3/2", HALF)]), X: Gaussian(1 / n)}
    expr = ((A + sigma * X) * (A + sigma * X).T - z * eye(p)).inverse()
    return Model(expr, laws, {p: 1, n: 2, sigma: "4/5", z: Z0})


def p18() -> Model:
    X = matrix("X", n, n)
    expr = eta * ((X - w * eye(n)) * (X - w * eye(n)).T + eta**2 * eye(n)).inverse()
    return Model(expr, {X: Gaussian(1 / n)}, {n: 1, w: "3/5", eta: "3/10"})


def p22() -> Model:
    X = matrix("X", p, n)
    return Model(((X * X.T / n).inverse() + eye(p)).inverse(), {X: Gaussian()}, {p: 1, n: 2})


def e1() -> Model:
    X = matrix("Z", n, d)
    return Model((X.T * X + lam * eye(d)).inverse(), {X: Gaussian(1 / n)}, {d: 1, n: 2, lam: 1})


def e2() -> Model:
    X, S = matrix("Z", n, d), matrix("S", d, d)
    law = Deterministic(law=[(SQRT(HALF), HALF), (SQRT(2), HALF)])
    expr = (S * X.T * X * S + lam * eye(d)).inverse()
    return Model(expr, {X: Gaussian(1 / n), S: law}, {d: 2, n: 3, lam: "1/5"})


def e3() -> Model:
    """Z_g is n_g x d with entries N(0, 1/n), n = n1 + n2, n_g = p_g n, d = n/2."""
    Z1, Z2, S1, S2 = matrix("Z1", n1, d), matrix("Z2", n2, d), matrix("S1", d, d), matrix("S2", d, d)
    joint = commuting({S1: [1, SQRT(3)], S2: [SQRT(HALF), SQRT(2)]}, [HALF, HALF])
    expr = (S1 * Z1.T * Z1 * S1 + S2 * Z2.T * Z2 * S2 + lam * eye(d)).inverse()
    variance = Gaussian(1 / (n1 + n2))
    return Model(expr, {Z1: variance, Z2: variance, **joint}, {d: "1/2", n1: "1/3", n2: "2/3", lam: "1/5"})


def e6(form: str = "printed") -> Model:
    """The two-group bias; "transposed" and "cyclic" are other expressions with the same trace."""
    Z1, Z2 = matrix("Z1", n1, d), matrix("Z2", n2, d)
    S1, S2, T, W = matrix("S1", d, d), matrix("S2", d, d), matrix("Theta", d, d), matrix("W", d, m)
    joint = commuting({S1: [1, SQRT(3)], S2: [SQRT(HALF), SQRT(2)], T: [2, HALF]}, [HALF, HALF])
    M = (S1 * Z1.T * Z1 * S1 + S2 * Z2.T * Z2 * S2) / (n1 + n2)
    R = (W.T * M * W + lam * eye(m)).inverse()
    error = eye(d) - W * R * W.T * M
    flipped = eye(d) - M * W * R * W.T
    expr = {
        "printed": T * error.T * S1**2 * error,
        "cyclic": S1 * error * T * error.T * S1,
        "transposed": flipped * S1**2 * error * T,
    }[form]
    laws = {Z1: Gaussian(), Z2: Gaussian(), W: Gaussian(1 / d), **joint}
    return Model(expr, laws, {d: "1/2", m: "3/4", n1: "1/3", n2: "2/3", lam: "1/5"})
