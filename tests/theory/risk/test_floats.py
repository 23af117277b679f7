"""The risk before and after a small step: numbers of the sheet, two routes, limits, signs, errors (statements.md, 1, 2, 6)."""

from dataclasses import replace

import numpy as np
import pytest
import sympy as sp
from flint import arb

import theory
from pencils.errors import InputError
from pencils.exact.numbers import agreement, working_precision
from theory.commands.show import envelope
from theory.evidence.verify import verify_statement
from theory.handles import handle
from theory.register.evaluate import build_model, evaluate, value_of
from theory.register.forms import reading
from theory.risk.floats import effective_ridge, grid, risk

GAIN = theory.statement("ba2022.theorem-7").record
SETTING = {"psi1": "2", "psi2": "3/2", "eta": "2", "lam": "1/10", "sigma_eps": "1/2"}
NUMBERS = {"mu1": "3/5", "mu2": "3/10", "mu1_star": "9/10", "mu2_star": "1/5"}
POINT = {**SETTING, **NUMBERS}


def test_numbers_of_the_sheet():
    """Issue 5: delta begins 0.02180620959 and R0 0.22863748219; sheet: noise-free theta1 overstates delta."""
    data = envelope(evaluate(GAIN, {**SETTING, "activation": "tanh", "teacher": "tanh"}, 40))
    derived, printed = data["derived"], data["printed"]
    assert set(derived) >= {"R0", "R1", "delta", "bias", "variance", "theta1", "theta2", "ceiling"}
    assert derived["delta"].startswith("0.02180620959") and derived["R0"].startswith("0.22863748219")
    assert len(derived["delta"].lstrip("0.")) == 40
    assert float(printed["delta"]) > float(derived["delta"]) and printed["theta2"] == derived["theta2"]
    quiet = envelope(evaluate(GAIN, {**SETTING, "sigma_eps": "0", "activation": "tanh", "teacher": "tanh"}, 20))
    assert quiet["printed"]["delta"] == quiet["derived"]["delta"]


def test_missing_noise_term_as_simulated():
    """statements.md, section 2, erf/tanh, sigma_eps 1.5: .01749 with the noise term and .03237 without."""
    parameters = {"psi1": "3/2", "psi2": "3/2", "lam": "1/5", "eta": "2", "sigma_eps": "3/2"}
    parameters |= {"activation": "erf", "teacher": "tanh"}
    found = handle(GAIN).evaluate(12, **parameters)
    assert round(float(found["derived"]["delta"]), 5) == 0.01749
    assert round(float(found["printed"]["delta"]), 5) == 0.03237


@pytest.mark.parametrize(
    ("psi1", "psi2", "lam", "activation", "bias", "variance"),
    [
        ("2", "3", "1/10", "tanh", "0.123346", "0.516439"),
        ("5", "3/2", "1/100", "tanh", "0.145251", "0.292862"),
        ("7/10", "2", "1/20", "erf", "0.551378", "1.006105"),
    ],
)
def test_mei_numbers(psi1, psi2, lam, activation, bias, variance):
    """statements.md, section 6: bias and variance, by both columns."""
    mei = theory.statement("mei2019.risk")
    found = mei.evaluate(20, psi1=psi1, psi2=psi2, lam=lam, sigma_eps=0, activation=activation, teacher="x")
    for column in ("printed", "derived"):
        assert round(float(found[column]["bias"]), 6) == float(bias)
        assert round(float(found[column]["variance"]), 6) == float(variance)


@pytest.mark.parametrize(
    ("psi1", "psi2", "lam"),
    [
        pytest.param("2", "3/2", "1/1000000", marks=pytest.mark.slow),
        ("1/2", "1", "1000"),
        ("1", "1", "1/1000000"),
        ("1/2", "3/4", "1/1000"),
        ("3", "1/3", "1/1000000"),
        ("1/3", "3", "1/10"),
    ],
)
def test_both_routes_to_fifty_digits(psi1, psi2, lam):
    """Pencils in X~, W0, Z at once against the closed form: psi2 <, =, > 1 and psi1 <, =, > psi2, lambda from 1e-6 to 1e3."""
    from theory.risk import route as risk_pencil

    model = build_model(GAIN, {**POINT, "psi1": psi1, "psi2": psi2, "lam": lam})
    forms = reading(GAIN).forms("derived")
    for name, route in (
        ("bias", "bias"),
        ("variance", "variance"),
        ("R0", "r0"),
        ("delta", "delta"),
        ("R1", "r1"),
        ("ceiling", "ceiling"),
    ):
        first, second = value_of(forms[name], model, 55), getattr(risk_pencil, route)(model, 55)
        assert agreement(first, second, 50) == 50, name


def test_a_broken_update_is_found(monkeypatch):
    """Mutation: Woodbury's identity with twice |mu1 X~ u|^2 no longer meets the closed form."""
    from theory.risk import route as risk_pencil
    from theory.risk import update as risk_update

    model = build_model(GAIN, POINT)
    form = reading(GAIN).forms("derived")["delta"]
    exact = value_of(form, model, 25)
    assert agreement(exact, risk_pencil.delta(model, 25), 20) == 20
    broken = risk_update.bias_after().subs(risk_update.RATIO, 2 * risk_update.RATIO)
    monkeypatch.setattr(risk_pencil, "bias_after", lambda: broken)
    risk_pencil._compiled.cache_clear()
    try:
        assert agreement(exact, risk_pencil.delta(model, 25), 20) < 3
    finally:
        risk_pencil._compiled.cache_clear()


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("variance", {"derived": "df2/(1 + df2)"}),
        ("delta", {"proof": "derivations.ba2022.risk:bias"}),
    ],
)
def test_broken_forms_are_found(name, changes):
    kept = [c for c in GAIN.claims if c.name in (name, "bias", "theta1", "theta2")]
    claims = tuple(replace(c, **changes) if c.name == name else c for c in kept)
    where = {"printed": {}, "derived": GAIN.where["derived"]}
    claims = tuple(replace(c, printed=None, route=None) for c in claims)
    rows = {row.claim: row.verdict for row in verify_statement(replace(GAIN, claims=claims, where=where), 20)}
    assert rows[name] == "derivation fails"


def test_a_binding_is_the_root_between_its_signs():
    """lambda(omega) = lambda to the digits asked for, and s > 0, df1 < 1 (the branch)."""
    model = build_model(GAIN, POINT)
    with working_precision(300):
        omega, psi1, psi2, m1, m2 = (model.ball(name, 260) for name in ("omega", "psi1", "psi2", "mu1", "mu2"))
        s = omega - m2**2 - psi2 * m1**2 * omega / (omega + m1**2)
        df1 = psi2 / psi1 * (m1**2 / (omega + m1**2) + m2**2 / (omega + (1 - psi2) * m1**2))
        assert s > 0 and df1 < 1 and abs(s * (1 - df1) - arb(1) / 10).upper() < 1e-70


def test_grid_in_double_precision():
    """10,000 models at once, lambda from 1e-6 to 1e3 and ratios from 1e-2 to 1e2, against certified values."""
    rng, size = np.random.default_rng(0), 10_000
    models = {
        "psi1": 10 ** rng.uniform(-2, 2, size),
        "psi2": 10 ** rng.uniform(-2, 2, size),
        "lam": 10 ** rng.uniform(-6, 3, size),
        "eta": 10 ** rng.uniform(-1, 1, size),
        "sigma_eps": rng.uniform(0, 1, size),
        "mu1": np.full(size, 0.6),
        "mu2": np.full(size, 0.3),
        "mu1_star": np.ones(size),
        "mu2_star": np.full(size, 0.5),
    }
    models["psi1"][:10] = models["psi2"][:10]  # the ridgeless peak
    models["lam"][:10] = 1e-6
    models["mu2"][10:20] = 0
    found = grid(**models)
    assert all(np.isfinite(values).all() for values in found.values())
    assert (found["delta"] > 0).all() and (found["delta"] < found["ceiling"]).all() and (found["R1"] > 0).all()
    for index in [*range(0, 20, 2), 5000]:
        certified = risk(18, **{name: values[index] for name, values in models.items()})
        for name, value in certified.items():
            assert abs(found[name][index] / float(value) - 1) < 1e-12, (name, index)


def test_the_effective_ridge_solves_its_equation():
    """The chain of two equivalents, with m~ = m/psi2 - (1 - 1/psi2)/z as in the sheet: lambda = s (1 - df1)."""
    psi1, psi2, lam, mu1, mu2 = (np.array([value]) for value in (2.0, 1.5, 0.1, 0.6, 0.3))
    s, a1 = effective_ridge(psi1, psi2, lam, mu1, mu2)
    z = -(mu2**2 + s) / mu1**2
    assert abs(1 / a1 + z - psi2 / (1 + a1)) < 1e-12
    companion = a1 / psi2 - (1 - 1 / psi2) / z
    assert abs(s * (1 - psi2 / psi1 * (1 - s / mu1**2 * companion)) - lam) < 1e-14


def test_against_brute_force():
    """Gaussian features of finite size, drawn and solved without any theory: |z| < 4 on R0 and on the paired gain."""
    d, draws, rng = 120, 150, np.random.default_rng(5)
    setting = {"psi1": 1.0, "psi2": 1.0, "lam": 0.3, "eta": 4.0, "sigma_eps": 0.2}
    setting |= {"mu1": 0.5, "mu2": 0.5, "mu1_star": 0.9, "mu2_star": 0.3}
    theory_values = grid(**setting)
    seen = np.array([_simulated(d, rng, **setting) for _ in range(draws)])
    gains = seen[:, 0] - seen[:, 1]
    for values, limit in ((seen[:, 0], theory_values["R0"]), (gains, theory_values["delta"])):
        error = values.std() / np.sqrt(draws)
        assert abs(values.mean() - limit) < 4 * error and error < 0.03 * limit
    noiseless = grid(**{**setting, "eta": 2.0})["delta"]  # power: another step size is far outside
    assert abs(gains.mean() - noiseless) > 8 * gains.std() / np.sqrt(draws)


def _simulated(d, rng, *, psi1, psi2, lam, eta, sigma_eps, mu1, mu2, mu1_star, mu2_star):
    n, width = int(psi1 * d), int(psi2 * d)
    start, readout = rng.normal(size=(d, width)) / np.sqrt(d), rng.normal(size=width) / np.sqrt(width)
    beta = np.eye(d)[0]

    def labels(inputs):
        return mu1_star * inputs @ beta + mu2_star * rng.normal(size=n) + sigma_eps * rng.normal(size=n)

    first, inputs = rng.normal(size=(n, d)), rng.normal(size=(n, d))
    step = eta * mu1 / n * first.T @ labels(first)
    y, noise = labels(inputs), rng.normal(size=(n, width))
    risks = []
    for weights in (start, start + np.outer(step, readout)):
        features = (mu1 * inputs @ weights + mu2 * noise) / np.sqrt(width)
        head = np.linalg.solve(features.T @ features + n * lam / width * np.eye(width), features.T @ y)
        linear = mu1_star * beta - mu1 / np.sqrt(width) * weights @ head
        risks.append(linear @ linear + mu2**2 / width * head @ head + mu2_star**2)
    return risks


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("lam", 0, r"lam must be greater than 0; at 0\+"),
        ("lam", "-1", r"at 0\+"),
        ("psi1", 0, "psi1 must be greater than 0"),
        ("psi2", "-2", "psi2 must be greater than 0"),
    ],
)
def test_errors(name, value, words):
    with pytest.raises(InputError, match=words):
        handle(GAIN).evaluate(**{**POINT, name: value})
    with pytest.raises(InputError, match=f"{name} = "):
        grid(**{key: float(sp.Rational(text)) for key, text in POINT.items() if key != name}, **{name: float(value)})


def test_a_teacher_without_linear_part_gains_nothing():
    """mu1* = 0: delta is 0, said and not failed."""
    result = evaluate(GAIN, {**SETTING, "activation": "tanh", "teacher": "He2"}, 20)
    data = envelope(result)
    assert data["derived"]["delta"] == "0" and data["hypotheses"]["mu1* != 0"] is False
    assert any("mu1* = 0 gives delta = 0" in note for note in data["notes"])
    assert data["derived"]["R0"] == data["derived"]["R1"]


@pytest.mark.parametrize("changes", [{"eta": "0"}, {"mu1": "0"}, {"mu1_star": "0"}])
def test_no_gain_exactly_where_it_is_said(changes):
    assert handle(GAIN).evaluate(20, **{**POINT, **changes})["derived"]["delta"] == 0


def test_limits_meet_the_full_form():
    """psi1 -> infinity, lambda -> 0 and the peak, in the grid's double precision, which shares no text with the forms."""
    numbers = {name: float(sp.Rational(text)) for name, text in POINT.items()}
    many = theory.statement("ba2022.theorem-31").evaluate(15, **{k: v for k, v in POINT.items() if k not in ("psi1", "sigma_eps")})
    far = grid(**{**numbers, "psi1": 1e9})
    assert abs(far["delta"] / float(many["derived"]["delta_population"]) - 1) < 1e-6
    ridgeless = theory.statement("ba2022.ridgeless").evaluate(15, **{k: v for k, v in POINT.items() if k != "lam"})
    assert abs(grid(**{**numbers, "lam": 1e-10})["R0"] / float(ridgeless["derived"]["R0"]) - 1) < 1e-6
    peak = theory.statement("ba2022.ridgeless-peak")
    constant = peak.evaluate(15, **{k: POINT[k] for k in ("psi2", "sigma_eps", *NUMBERS)})["derived"]["peak_constant"]
    at_peak = grid(**{**numbers, "psi1": 1.5, "lam": 1e-12})["R0"] * 1e-6
    assert abs(at_peak / float(constant) - 1) < 1e-4


@pytest.mark.simulation
def test_a_teacher_of_many_directions():
    """True tanh network, true gradient, f* = .6 x1 + .5 x2 + .5 x3 x4 + thirty weak squares: mu1* = |E f* x| and the rest of the
    variance are all that enters."""
    from theory.activations.hermite import HermiteExpansion

    expansion, rng = HermiteExpansion("tanh"), np.random.default_rng(3)
    mu1, mu2 = (float(moment.value(15)) for moment in (expansion.mu1, expansion.mu2))
    d, draws, ratio, lam, eta, noise = 300, 60, 1.5, 0.1, 3.0, 0.3

    def teacher(x):
        squares = 0.3 * (x[:, 4:34] ** 2 - 1).sum(1) / np.sqrt(60)
        return 0.6 * x[:, 0] + 0.5 * x[:, 1] + 0.5 * x[:, 2] * x[:, 3] + squares

    size, seen = int(ratio * d), []
    for _ in range(draws):
        start, readout = rng.normal(size=(d, size)) / np.sqrt(d), rng.normal(size=size) / np.sqrt(size)
        first, inputs, fresh = rng.normal(size=(size, d)), rng.normal(size=(size, d)), rng.normal(size=(6000, d))
        y0, y = (teacher(x) + noise * rng.normal(size=size) for x in (first, inputs))
        residual = (y0 - np.tanh(first @ start) @ readout / np.sqrt(size)) / np.sqrt(size)
        gradient = first.T @ (residual[:, None] * readout * (1 - np.tanh(first @ start) ** 2)) / size
        risks = []
        for weights in (start, start + eta * np.sqrt(size) * gradient):
            features = np.tanh(inputs @ weights) / np.sqrt(size)
            head = np.linalg.solve(features.T @ features + lam * np.eye(size), features.T @ y)
            risks.append(np.mean((np.tanh(fresh @ weights) @ head / np.sqrt(size) - teacher(fresh)) ** 2))
        seen.append(risks)
    gains = np.subtract(*np.transpose(seen))
    limit = grid(
        psi1=ratio,
        psi2=ratio,
        lam=lam,
        eta=eta,
        sigma_eps=noise,
        mu1=mu1,
        mu2=mu2,
        mu1_star=np.hypot(0.6, 0.5),
        mu2_star=np.sqrt(0.34),
    )
    for values, expected in ((np.transpose(seen)[0], limit["R0"]), (gains, limit["delta"])):
        assert abs(values.mean() - expected) < 4 * values.std() / np.sqrt(draws)
