"""What the exact risk after a large step says: cui2024's equations, bounds, the best parameters, pictures, experiments."""

from __future__ import annotations

from fractions import Fraction as Q

import numpy as np
import pytest
from scipy.special import erf

from pencils.errors import InputError, PrecisionError
from theory.activations.activation import activation
from theory.book.figures import draw_named
from theory.entries import entry
from theory.evidence.verify import verify_quantity
from theory.handles import handle
from theory.large_step import spiked_route
from theory.large_step.best import newton
from theory.large_step.draw import observe
from theory.large_step.general import General
from theory.large_step.neurons import Chance
from theory.large_step.risk import LargeStep, Solver
from theory.large_step.values import setting
from theory.register.parameters import check_parameters
from theory.register.record import Quantity
from theory.trial.experiment import run
from theory.trial.plan import plan, plans
from theory.trial.sizes import sizes_for

STEP = {
    "psi1": "4",
    "psi2": "1",
    "alpha0": "1/2",
    "etabar": "4",
    "lam": "1/10",
    "sigma_eps": "0",
    "activation": "tanh",
    "teacher": "tanh(2*x)",
}


def quantity(key: str) -> Quantity:
    found = entry(key)
    assert isinstance(found, Quantity)
    return found


def checked(**changes: str) -> dict:
    given = {**STEP, **changes}
    return check_parameters(given, given, "large-step.risk")


@pytest.mark.parametrize("key", ["cui2024.spiked-random-features", "dandi2025.bounds", "large-step.general-sigma"])
def test_verdicts(key: str) -> None:
    rows = verify_quantity(quantity(key), 30)
    assert all(row.as_expected for row in rows)
    assert rows[0].routes.digits == quantity(key).digits


def test_a_wrong_route_is_noticed_at_the_digits_declared(monkeypatch: pytest.MonkeyPatch) -> None:
    right = spiked_route.bounds

    def nearly(sample, digits):
        return {name: value * (1 + 1e-6) for name, value in right(sample, digits).items()}

    monkeypatch.setattr(spiked_route, "bounds", nearly)
    assert verify_quantity(quantity("dandi2025.bounds"))[0].verdict == "routes disagree"


def test_bounds_of_functions_worked_out() -> None:
    """A linear activation spans one line, A and k B both: E sin^2 - (E z sin)^2 = (1 - e^-2)/2 - 1/e is left. With erf and
    teacher x, A = erf(c k), c = kappa/sqrt 3: E k A = 2 c/sqrt(pi (1 + 2 c^2)), E A^2 = (2/pi) asin(2 c^2/(1 + 2 c^2))."""
    found = handle(quantity("dandi2025.bounds")).evaluate(8, etabar="1", activation="x", teacher="sin")
    assert float(found["upper"]) == pytest.approx((1 - np.exp(-2)) / 2 - np.exp(-1), rel=1e-7)
    assert found["upper"] == found["lower"] == found["lower_with_lengths"]
    found = handle(quantity("dandi2025.bounds")).evaluate(8, etabar="2", activation="erf", teacher="x")
    c2 = (4 / np.sqrt(3 * np.pi)) ** 2 / 3  # kappa = etabar E z erf(z)
    energy = 2 / np.pi * np.arcsin(2 * c2 / (1 + 2 * c2))
    assert float(found["upper"]) == pytest.approx(1 - 4 * c2 / np.pi / (1 + 2 * c2) / energy, rel=1e-7)


def test_a_step_goes_below_a_bound_for_neurons_of_equal_length() -> None:
    """n/d = 10^8, N/d = 20: with kappa given the risk obeys section 5's lower bound; the step's neurons differ in length too,
    and its risk obeys only the bound that knows this."""
    given = {
        "psi1": Q(10**8),
        "psi2": Q(20),
        "lam": Q(1, 100),
        "sigma_eps": Q(0),
        "activation": activation("tanh"),
        "teacher": activation("sin"),
        "rows": "sphere",
    }
    found = handle(quantity("dandi2025.bounds")).evaluate(6, etabar="6", activation="tanh", teacher="sin")
    bounds = {name: float(value) for name, value in found.items()}
    fixed = Solver(LargeStep(**given, kappa=((Q(bounds["kappa"]), Q(1)),))).solve().risk
    step = Solver(LargeStep(**given, etabar=Q(6))).solve().risk
    assert bounds["lower_with_lengths"] < step < bounds["lower"] < fixed < bounds["upper"]


def test_infinite_ridge_attains_the_upper_bound() -> None:
    bounds = handle(quantity("dandi2025.bounds")).evaluate(8, etabar="2", activation="tanh", teacher="sin")
    solver = Solver(setting(checked(alpha0="inf", etabar="2", teacher="sin", lam="1e9")))
    assert solver.solve().risk == pytest.approx(float(bounds["upper"]), rel=1e-6)
    assert solver.span() == pytest.approx(float(bounds["upper"]), rel=1e-7)


def test_newton_on_a_function_with_a_known_minimum() -> None:
    def bowl(x):
        return np.cosh(x[0] - 0.3) + 2 * np.cosh(x[1] + x[0])

    assert newton(bowl, (0.0, 0.0), 0.02) == pytest.approx([0.3, -0.3], abs=1e-6)
    assert newton(lambda x: -np.cosh(x[0]), (0.1,), 0.02) is None
    assert newton(lambda x: np.exp(-x[0]), (0.0,), 0.02) is None


@pytest.mark.slow
def test_no_step_is_the_best_large_step_at_few_samples() -> None:
    """tanh/sin, alpha0 1/2: the risk grows with etabar; at its end it is the ceiling of the small step at that lambda."""
    given = {"psi1": "3/2", "psi2": "1", "alpha0": "1/2", "sigma_eps": "0", "activation": "tanh", "teacher": "sin"}
    best = handle(quantity("large-step.best")).evaluate(4, **given)
    assert best["etabar"] == "0+"
    there = {**given, "lam": str(best["lam"])}
    ceiling = handle(quantity("large-step.risk")).evaluate(6, **there, etabar="1")["small_step_ceiling"]
    assert float(best["risk"]) == pytest.approx(float(ceiling), rel=1e-3)
    for lam in ("1/8", "1/12"):
        assert Solver(setting(checked(**{**there, "etabar": "1/100", "lam": lam}))).solve().risk > float(best["risk"])


@pytest.mark.slow
def test_the_best_place_is_stationary_by_the_second_route() -> None:
    from theory.large_step.route import risk_only

    given = {"psi1": "3/2", "psi2": "1", "alpha0": "2", "sigma_eps": "0", "activation": "tanh", "teacher": "sin"}
    best = handle(quantity("large-step.best")).evaluate(4, **given)
    at = {name: float(best[name]) for name in ("etabar", "lam")}

    def risk(**moved: float) -> float:
        p = check_parameters({**given, **{k: repr(v) for k, v in {**at, **moved}.items()}}, [*given, *at], "large-step.risk")
        return risk_only(p, 10)

    here = risk()
    assert here == pytest.approx(float(best["risk"]), rel=2e-3)
    for name, value in at.items():
        up, down = risk(**{name: value * 1.03}), risk(**{name: value / 1.03})
        assert up > here and down > here
        assert abs(up - down) < 0.05 * (up + down - 2 * here)


@pytest.mark.parametrize("readout", ["uniform", "gaussian", "1:1/3,-2:2/3"])
def test_forced_formulas_are_the_exact_ones_for_an_odd_activation(readout: str) -> None:
    parameters = checked(readout=readout)
    exact = Solver(setting(parameters), 12, 1.0, 6).solve()
    forced = General(setting(parameters, forced=True), 12, 1.0, 6).solve()
    assert forced.risk == pytest.approx(exact.risk, rel=1e-10)
    assert forced.training_error == pytest.approx(exact.training_error, rel=1e-10)


@pytest.mark.slow
def test_a_quantity_on_trial() -> None:
    report = run(plan(quantity("large-step.risk"), {"d": 60, "draws": 4}, seed=2, jobs=1))
    assert set(report.judgements) == {"risk", "training_error", "gamma"}
    assert set(report.judgements["risk"].forms) == {"risk", "risk_isotropic"}
    assert abs(report.judgements["risk"].z["risk"]) < 5
    assert report.trends["risk"].power == 1
    assert "z = " in report.text() and report.as_dict()["claims"]["gamma"]["trend"]
    again = run(plan(quantity("large-step.risk"), {"d": 60, "draws": 4}, seed=2, jobs=1))
    assert again.observed == report.observed
    assert len(plans(quantity("large-step.risk"), {})) == 6


def test_what_cannot_be_simulated() -> None:
    with pytest.raises(InputError, match="cannot be simulated"):
        run(plan(quantity("large-step.risk"), {"d": 100, "draws": 2, "alpha0": "inf"}, jobs=1))
    with pytest.raises(InputError, match="unknown parameter 'foo'"):
        plan(quantity("large-step.risk"), {"foo": 1})
    with pytest.raises(InputError, match="no experiment"):
        plan(quantity("dandi2025.bounds"), {})


def test_float64_says_what_it_can() -> None:
    given = {**STEP, "etabar": "1"}
    with pytest.raises(PrecisionError, match=r"20 digits .* in float64 1\d can be reached"):
        handle(quantity("cui2024.spiked-random-features")).evaluate(20, **given)


@pytest.mark.slow
def test_pictures(tmp_path) -> None:
    for name, given in (
        ("large-step", {"psi1": "1:4:2", "alpha0": "inf"}),
        ("dandi2025.bounds", {"etabar": "1:2:2"}),
    ):
        target = draw_named(name, given, tmp_path / "picture.png")
        assert target.stat().st_size > 10_000
    for given, said in (
        ({"psi1": "1:4", "lam": "1:2"}, "one parameter"),
        ({"psi1": "0:4"}, "0 < a"),
        ({"activation": "relu", "psi1": "1:2:2"}, "odd"),
        ({"readout": "uniform"}, "beside each other"),
        ({"psi1": "2"}, "nothing is left"),
        ({"rows": "1:2"}, "range is given to"),
        ({"psi1": "1:2:1"}, "number of points"),
    ):
        with pytest.raises(InputError, match=said):
            draw_named("large-step.risk", given, tmp_path / "picture.png")


def _surrogate(rng: np.random.Generator, d: int, n: int, N: int, n0: int, b: float, independent: bool):
    """W1 of erf/x: sigma'_perp(X0 W0), or in its place an independent Gaussian matrix of the same variance."""
    mu1 = 2 / np.sqrt(3 * np.pi)
    hc = 4 / np.pi / np.sqrt(5) - mu1**2  # E (2/sqrt(pi) exp(-z^2))^2 - mu1^2
    X, W = rng.standard_normal((n0, d)), rng.standard_normal((d, N)) / np.sqrt(d)
    y = X[:, 0]
    slope = np.sqrt(hc) * rng.standard_normal((n0, N)) if independent else 2 / np.sqrt(np.pi) * np.exp(-((X @ W) ** 2)) - mu1
    u = X.T @ y / n0
    bulk = W + b * X.T @ (y[:, None] * slope) / n0
    return bulk, b * mu1 * np.outer(u, np.ones(N))


def test_equivalence_in_spectrum() -> None:
    """(1/d) tr (bulk bulk^T)^k, k = 1, 2, 3, with sigma'_perp(X0 W0) and with a Gaussian matrix: alike as d grows. Not so the
    neurons' lengths, which test_equivalence_in_risk is about."""
    moments = {}
    for independent in (False, True):
        found = []
        for seed in range(6):
            bulk, _ = _surrogate(np.random.default_rng([seed, independent]), 300, 0, 300, 300, 3.0, independent)
            s = np.linalg.svd(bulk, compute_uv=False) ** 2
            found.append([np.mean(s**k) for k in (1, 2, 3)])
        moments[independent] = np.mean(found, 0), np.std(found, 0, ddof=1) / np.sqrt(len(found))
    gap = moments[False][0] - moments[True][0]
    error = np.hypot(moments[False][1], moments[True][1])
    assert np.all(np.abs(gap) < 4 * error + 0.02 * moments[True][0])


@pytest.mark.simulation
def test_equivalence_in_risk() -> None:
    """erf/x, alpha0 20, etabar 4: the step's risk is the derived one; with an independent Gaussian matrix in place of
    sigma'_perp(X0 W0) it is the one with the sheet's covariances, a third higher."""

    class Independent(Solver):
        def _chance(self, b):
            mean, hc = self.mean, self.moments.hc
            square = mean**2 + self.law.mean(self.law.y**4) / self.alpha0**3
            return Chance(2 + 4 * b**2 * hc * mean + 2 * b**4 * hc**2 * square, *[0 * b] * 5)

    step = LargeStep(Q(2), Q(1), Q(1, 100), Q(0), activation("erf"), activation("x"), Q(4), Q(20))
    limits = {False: Solver(step).solve().risk, True: Independent(step).solve().risk}
    d, n, N, n0 = 300, 600, 300, 6000
    for independent, limit in limits.items():
        found = []
        for seed in range(16):
            rng = np.random.default_rng([seed, independent])
            W1 = sum(_surrogate(rng, d, n, N, n0, 4.0, independent))
            X = rng.standard_normal((n + 8000, d))
            Phi = erf(X @ W1) / np.sqrt(N)
            train, fresh = Phi[:n], Phi[n:]
            head = np.linalg.solve(train.T @ train + n / 100 / N * np.eye(N), train.T @ X[:n, 0])
            found.append(np.mean((fresh @ head - X[n:, 0]) ** 2))
        mean, error = np.mean(found), np.std(found, ddof=1) / np.sqrt(len(found))
        assert abs(mean - limit) < 3 * error + 0.03 * limit  # finite size
        assert abs(mean - limits[not independent]) > 6 * error


def test_one_draw_is_ridge_regression() -> None:
    """With an enormous penalty the head is 0: risk and training error are the teacher's energy."""
    rng = np.random.default_rng(0)
    found = observe(checked(lam="1e12", alpha0="2", teacher="x"), sizes_for(60, 4, 1), rng)
    assert found["risk"] == pytest.approx(1, abs=0.05)
    assert found["training_error"] == pytest.approx(1, abs=0.4)
    assert 0 < found["gamma"] < 1
