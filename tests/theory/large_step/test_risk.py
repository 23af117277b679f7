"""The risk after a large step: the sheet's numbers (statements.md, section 5a), its meeting points, sampled steps."""

from __future__ import annotations

from fractions import Fraction as Q
from functools import cache

import numpy as np
import pytest

from pencils.errors import InputError, PrecisionError
from theory.activations.activation import activation
from theory.large_step.neurons import Chance
from theory.large_step.risk import Errors, LargeStep, Solver

HALF = Q(70710678118654752440, 10**20)  # sqrt(1/2): the sheet gives sigma_eps^2
TANH_SIN = LargeStep(Q(3, 2), Q(1), Q(1, 100), Q(0), activation("tanh"), activation("sin"), Q(1), Q(1, 2))
TANH_TANH = LargeStep(Q(2), Q(2), Q(1, 100), HALF, activation("tanh"), activation("tanh(2*x)"), Q(4), Q(1, 2))
ERF_X = LargeStep(Q(2), Q(2), Q(1, 50), HALF, activation("erf"), activation("x"), Q(4), Q(1, 2))


class SheetSolver(Solver):
    """The covariances with which the sheet's numbers were made: sigma'_perp(X0 w) independent of w, S = 0; ``flat`` for its
    isotropic values."""

    flat = False

    def _chance(self, b):
        law, m = self.law, self.moments
        mean = law.mean(law.y**2) / self.alpha0
        # int h^2 dmu_H
        square = mean**2 + (0 if self.flat else law.mean(law.y**4) / self.alpha0**3)
        return Chance(2 + 4 * b**2 * m.hc * mean + 2 * b**4 * m.hc**2 * square, *[0 * b] * 5)


@cache
def errors(step: LargeStep, isotropic: bool = False, sheet: bool = False) -> Errors:
    solver = (SheetSolver if sheet else Solver)(step)
    solver.flat = isotropic
    return solver.solve(isotropic)


def population(kappa: Q, rows: str) -> LargeStep:
    noise = Q(31622776601683793320, 10**20)
    sine = activation("sin(3*x/2)")
    both = ((kappa, Q(1, 2)), (-kappa, Q(1, 2)))
    return LargeStep(Q(3, 2), Q(2), Q(1, 20), noise, activation("erf"), sine, rows=rows, kappa=both)


@pytest.mark.parametrize(
    ("kappa", "rows", "printed"),
    [(Q(1), "sphere", ".3426"), (Q(1), "gaussian", ".3328"), (Q(3, 2), "sphere", ".2473"), (Q(3, 2), "gaussian", ".2328")],
)
def test_population_direction(kappa: Q, rows: str, printed: str) -> None:
    assert f"{errors(population(kappa, rows)).risk:.4f}" == "0" + printed


@pytest.mark.parametrize(
    ("step", "risk", "isotropic"),
    [(TANH_SIN, "0.2799", "0.2744"), (TANH_TANH, "1.605", "1.682"), (ERF_X, "1.691", "1.627")],
)
def test_the_sheets_numbers_are_those_of_its_covariances(step: LargeStep, risk: str, isotropic: str) -> None:
    digits = len(risk) - 2
    assert f"{errors(step, sheet=True).risk:.{digits}f}" == risk
    assert f"{errors(step, True, sheet=True).risk:.{digits}f}" == isotropic


def test_the_steps_own_covariances_change_the_third_digit() -> None:
    # and much more at larger alpha0: test_sampled_step below
    assert errors(TANH_SIN).risk == pytest.approx(errors(TANH_SIN, sheet=True).risk, abs=1e-5)
    assert 4e-4 < errors(TANH_TANH, sheet=True).risk - errors(TANH_TANH).risk < 1e-3


def test_gaussian_readout() -> None:
    """The sheet: limit 1.379; finite-d form 1.386 (d 600), 1.384 (d 1000), which are these values cut, not rounded."""
    gaussian = {"readout": "gaussian", "size": None}
    limit = Solver(LargeStep(**{**vars(ERF_X), **gaussian})).solve().risk
    assert f"{limit:.3f}" == "1.379"
    finite = [SheetSolver(LargeStep(**{**vars(ERF_X), **gaussian, "size": d})).solve().risk for d in (600, 1000)]
    assert [int(1000 * value) for value in finite] == [1386, 1384]


def test_a_discrete_readout_merges_signs_and_scales_weights() -> None:
    laws = [((Q(1), Q(1)),), ((Q(1), Q(3)), (Q(-1), Q(2))), "uniform"]
    one, two, three = (Solver(LargeStep(**{**vars(TANH_SIN), "readout": law})).solve().risk for law in laws)
    assert one == two == three
    two_values = Solver(LargeStep(**{**vars(TANH_SIN), "readout": ((Q(1), Q(1)), (Q(2), Q(1)))})).solve()
    assert 0 < two_values.training_error < two_values.objective


@pytest.mark.parametrize("step", [TANH_SIN, ERF_X, population(Q(1), "gaussian")])
def test_training_error_by_the_envelope_theorem(step: LargeStep) -> None:
    """min (1/n)|y - f|^2 + (lambda/N)|a|^2 = L: the first term at the minimum is L - lambda dL/dlambda."""
    h = Q(1, 1000)
    change = [Solver(LargeStep(**{**vars(step), "lam": step.lam * (1 + sign * h)})).solve().objective for sign in (2, 1, -1, -2)]
    slope = (-change[0] + 8 * change[1] - 8 * change[2] + change[3]) / (12 * float(h))
    assert errors(step).training_error == pytest.approx(errors(step).objective - slope, rel=1e-9)


def test_kinks_are_quadrature_s_business() -> None:
    """(|x + 1| - |x - 1|)/2 is odd; with kinks at +-1 two discretisations still agree to ten digits."""
    kinked = {"activation": activation("(Abs(x+1)-Abs(x-1))/2"), "teacher": activation("relu").centred()}
    step = LargeStep(**{**vars(TANH_SIN), **kinked})
    coarse, fine = (Solver(step, 9, refine).solve() for refine in (1.0, 1.3))
    assert coarse.risk == pytest.approx(fine.risk, rel=1e-10)
    assert coarse.training_error == pytest.approx(fine.training_error, rel=1e-10)


def test_spectrum_of_H_against_a_sampled_matrix() -> None:
    """(1/d) tr and the forms between u, beta_perp, v of (1 + 2H)^{-1}: d = 600, n0 = 300."""
    noisy = {"sigma_eps": Q(1, 2), "teacher": activation("tanh(2*x)"), "etabar": Q(6)}  # poles left of -1/2
    solver = Solver(LargeStep(**{**vars(TANH_SIN), **noisy}))
    rule = solver.rule(False)
    f = 1 / (1 + 2 * rule.nodes)
    expected = [(rule.weights * f).sum().real]
    expected += [(rule.M[:, i, j] * f).sum().real for i, j in ((0, 0), (0, 1), (1, 1), (0, 2), (1, 2), (2, 2))]
    rng, found, d, n0 = np.random.default_rng(0), [], 600, 300
    for _ in range(12):
        X = rng.standard_normal((n0, d))
        y = np.tanh(2 * X[:, 0]) + 0.5 * rng.standard_normal(n0)
        u, v = X.T @ y / np.linalg.norm(X.T @ y), X.T @ y**3 / n0
        side = np.eye(d)[0] - u[0] * u
        side /= np.linalg.norm(side)
        vectors = np.stack([u, side, v])
        R = np.linalg.inv(np.eye(d) + 2 * d / n0**2 * X.T @ (y[:, None] ** 2 * X))
        forms = vectors @ R @ vectors.T
        found.append([np.trace(R) / d, *forms[[0, 0, 1, 0, 1, 2], [0, 1, 1, 2, 2, 2]]])
    mean, error = np.mean(found, 0), np.std(found, 0, ddof=1) / np.sqrt(len(found))
    assert np.all(np.abs(mean - expected) < 4 * error + 4 / d)


def test_no_step_joins_the_ceiling_of_the_small_step() -> None:
    """etabar -> 0: R0 - mu1*^2 gamma^2 Bias (section 5a), to 15 digits; R0 and Bias by the second route's own formulas."""
    from theory.large_step.ceiling_route import small_step_ceiling

    step = LargeStep(**{**vars(TANH_SIN), "etabar": Q(1, 10**12), "sigma_eps": Q(1, 3)})
    solver = Solver(step, 22)
    found = solver.solve()
    with solver.field.precision():
        parameters = {name: getattr(step, name) for name in ("psi1", "psi2", "lam", "sigma_eps", "activation", "teacher")}
        expected = small_step_ceiling(parameters, found.gamma)
        assert abs(found.risk / expected - 1) < 1e-15


@pytest.mark.parametrize(("psi2", "noise"), [(Q(1, 2), Q(0)), (Q(1), Q(1, 2)), (Q(2), Q(1, 2))])
def test_spiked_random_features_join_cui2024(psi2: Q, noise: Q) -> None:
    """Kappa given, rows on the sphere: the equations of section 5, implemented apart, to 10 digits."""
    from theory.large_step.spiked_features import SpikedFeatures, solve

    kappa, psi1, lam = Q(3, 2), Q(3, 2), Q(1, 20)
    tanh, sine = activation("tanh"), activation("sin")
    mine = Solver(LargeStep(psi1, psi2, lam, noise, tanh, sine, rows="sphere", kappa=[(kappa, Q(1))])).solve().risk
    theirs = SpikedFeatures(float(psi1), float(psi2), float(lam * psi1 / psi2), float(noise) ** 2, float(kappa), 1.0, 1.0)
    assert mine == pytest.approx(solve(theirs, np.tanh, np.sin)["risk"], rel=1e-10)


@pytest.mark.parametrize(("alpha", "printed"), [(0.5, ".0463"), (1.5, ".0379"), (3.0, ".0325")])
def test_cui2024_numbers(alpha: float, printed: str) -> None:
    """Section 5: tanh/sin, p = d, alpha0 20, eta 3, lambda .1."""
    from theory.large_step.spiked_features import SpikedFeatures, solve

    step = SpikedFeatures.of_step(
        np.tanh, lambda x: 1 / np.cosh(x) ** 2, np.sin, alpha=alpha, aspect=1.0, penalty=0.1, sigma_eps=0.0, eta=3.0, alpha0=20.0
    )
    assert f"{solve(step, np.tanh, np.sin)['risk']:.4f}" == "0" + printed


def test_covariances_of_a_sampled_step() -> None:
    """d Var delta, d Cov(delta, <bulk, u>) and d Cov(delta, r) over many neurons of one sampled step, d = 400; the sheet's
    d Var delta and its missing covariance are off by more than ten standard errors."""
    rng = np.random.default_rng(5)
    d, n0, neurons, b = 400, 200, 4000, 1.0
    sampled = []
    solver = Solver(TANH_SIN)
    mu1 = float(solver.moments.mu1)
    for _ in range(12):
        X = rng.standard_normal((n0, d))
        y = np.sin(X[:, 0])
        W = rng.standard_normal((d, neurons)) / np.sqrt(d)
        row = W + b * (X.T @ (y[:, None] * (1 / np.cosh(X @ W) ** 2 - mu1))) / n0
        u = X.T @ y / np.linalg.norm(X.T @ y)
        covariance = d * np.cov(np.stack([(row**2).sum(0), u @ row, (W**2).sum(0)]))
        sampled.append([covariance[0, 0], covariance[0, 1], covariance[0, 2]])
    b_ = np.array([b])
    chance = Chance.of_step(b_, solver.moments, solver.law, solver.direction, solver.alpha0, True)
    along_v = solver.direction.gram[0, 2]
    linked = chance.along_u + chance.along_v * along_v + chance.delta_r * chance.shift / 2
    expected = [chance.delta[0], linked[0], chance.delta_r[0]]
    mean, error = np.mean(sampled, 0), np.std(sampled, 0, ddof=1) / np.sqrt(len(sampled))
    slack = 4 * error + 3 * np.abs(expected) / d  # d = 400 is not the limit
    assert np.all(np.abs(mean - expected) < slack)
    sheet = SheetSolver(TANH_SIN)._chance(b_).delta[0]
    assert abs(mean[0] - sheet) > 8 * error[0]
    assert abs(mean[1] - chance.shift[0]) > 10 * error[1]


@pytest.mark.simulation
def test_sampled_step() -> None:
    """erf/x, alpha0 20, etabar 3, rows on the sphere: the step itself against ``cui2024`` and against the derived value."""
    rng = np.random.default_rng(1)
    from scipy.special import erf

    found = []
    d, n, N, n0, lam = 300, 450, 600, 6000, 0.01
    for _ in range(12):
        beta = np.eye(d)[0]
        W = rng.standard_normal((d, N))
        W /= np.linalg.norm(W, axis=0)
        X = rng.standard_normal((n0, d))
        a = np.ones(N) / np.sqrt(N)
        P = X @ W
        gap = X @ beta - erf(P) @ a / np.sqrt(N)
        W = W + 3 * np.sqrt(N) * (X.T @ (np.outer(gap, a) * 2 / np.sqrt(np.pi) * np.exp(-(P**2)))) / n0
        X = rng.standard_normal((n, d))
        Phi = erf(X @ W) / np.sqrt(N)
        head = np.linalg.solve(Phi.T @ Phi + n * lam / N * np.eye(N), Phi.T @ (X @ beta))
        X = rng.standard_normal((4000, d))
        found.append(np.mean((erf(X @ W) @ head / np.sqrt(N) - X @ beta) ** 2))
    mean, error = np.mean(found), np.std(found, ddof=1) / np.sqrt(len(found))
    step = LargeStep(Q(3, 2), Q(2), Q(1, 100), Q(0), activation("erf"), activation("x"), Q(3), Q(20), rows="sphere")
    exact = Solver(step).solve().risk
    assert abs(mean - exact) < 3 * error + 0.05 * exact  # finite size
    kappa = [(Q(str(float(Solver(step).neurons.b[0] * Solver(step).moments.mu1 * Solver(step).direction.p))), Q(1))]
    given = Solver(LargeStep(**{**vars(step), "kappa": kappa})).solve().risk
    assert abs(mean - given) > 6 * error


@pytest.mark.slow
def test_thirty_digits_need_two_discretisations() -> None:
    """Coarse and fine nodes in balls: 15 digits here in little time; 30 below and in tests/bench."""
    step = LargeStep(**{**vars(TANH_SIN), "alpha0": None, "rows": "sphere"})
    coarse, fine = (Solver(step, 15, refine).solve().risk for refine in (1.0, 1.3))
    assert abs(coarse - fine).abs_upper() < 1e-15


@pytest.mark.slow
def test_two_routes_to_thirty_digits() -> None:
    from dataclasses import replace

    from theory.entries import entry
    from theory.evidence.verify import verify_quantity

    row = verify_quantity(replace(entry("large-step.risk"), digits=None), 30)[0]
    assert row.routes.digits == 30 and row.verdict == "derived"


def test_refusals() -> None:
    with pytest.raises(InputError, match="odd"):
        LargeStep(**{**vars(TANH_SIN), "activation": activation("relu").centred()})
    with pytest.raises(InputError, match="mu1 = 0"):
        Solver(LargeStep(**{**vars(TANH_SIN), "activation": activation("x^3-3*x")})).solve()
    with pytest.raises(InputError, match="no direction"):
        Solver(LargeStep(**{**vars(TANH_SIN), "teacher": activation("x^2-1"), "alpha0": None})).solve()
    with pytest.raises(InputError, match="positive"):
        Solver(LargeStep(**{**vars(TANH_SIN), "readout": ((Q(1), Q(0)),)})).solve()
    from theory.large_step.values import with_errors

    with pytest.raises(PrecisionError, match=r"25 digits .* can be reached"):
        with_errors(LargeStep(**{**vars(TANH_SIN), "readout": "gaussian", "alpha0": None}), 25)


@pytest.mark.parametrize("text", ["1:", "one", "1:0", "0:1", "1:-1"])
def test_readout_text(text: str) -> None:
    from theory.register.parameters import check_parameters

    with pytest.raises(InputError):
        check_parameters({"readout": text}, ["readout"], "large-step.risk")


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param({}, marks=pytest.mark.slow),
        {"alpha0": "inf", "rows": "sphere", "etabar": "2"},
        {"rows": "sphere", "etabar": "3"},
    ],
)
def test_errors_as_derivatives_of_the_ridge_objective(changes: dict[str, str]) -> None:
    """The second route differentiates the minimum by the test distribution's weight and by lambda: no response, no J, no q0."""
    from theory.large_step.route import large_step
    from theory.large_step.values import setting
    from theory.register.parameters import check_parameters

    given = {
        "psi1": "3/2",
        "psi2": "1",
        "alpha0": "1/2",
        "etabar": "1",
        "lam": "1/100",
        "sigma_eps": "0",
        "activation": "tanh",
        "teacher": "sin",
        **changes,
    }
    route = large_step(given, 11)
    solver = Solver(setting(check_parameters(given, given, "large-step.risk")))
    assert float(route["risk"]) == pytest.approx(solver.solve().risk, rel=1e-10)
    assert float(route["training_error"]) == pytest.approx(solver.solve().training_error, rel=1e-10)
    assert float(route["risk_isotropic"]) == pytest.approx(solver.solve(isotropic=True).risk, rel=1e-10)
