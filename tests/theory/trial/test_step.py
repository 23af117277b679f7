"""The simulator against the definition written out densely, and against the derivative of the loss itself."""

from __future__ import annotations

import math
import pickle
import tracemalloc

import numpy as np
import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, special
from threadpoolctl import threadpool_info

from pencils.errors import InputError, SimulationError
from theory.activations.floats import Nonlinearity, nonlinearity
from theory.spike.trial import spike_observables, split_observables
from theory.trial import step as simulate
from theory.trial import trend
from theory.trial.singular_values import leading_triplets
from theory.trial.sizes import Sizes, sizes_for

x = sp.Symbol("x")
# SymPy form, and sigma, sigma' written independently of it.
FUNCTIONS = {
    "tanh": (sp.tanh(x), np.tanh, lambda t: 1 / np.cosh(t) ** 2),
    "erf": (sp.erf(x), special.erf, lambda t: 2 * np.exp(-(t**2)) / math.sqrt(math.pi)),
    "softplus": (sp.log(1 + sp.exp(x)), lambda t: np.logaddexp(0, t), special.expit),
    "relu": (sp.Max(x, 0), lambda t: np.maximum(t, 0), lambda t: np.heaviside(t, 0.5)),
    "leaky": (
        sp.Piecewise((x, x > 0), (x / 10, True)),
        lambda t: np.where(t > 0, t, t / 10),
        lambda t: np.where(t > 0, 1.0, 0.1),
    ),
    "abs": (sp.Abs(x), np.abs, np.sign),
    "identity": (x, lambda t: t, np.ones_like),
    "half square": (x**2 / 2, lambda t: t**2 / 2, lambda t: t),
    "constant": (sp.Integer(2), lambda t: 2 * np.ones_like(t), np.zeros_like),
}


def function(name: str, shift: float = 0.0) -> Nonlinearity:
    return nonlinearity(FUNCTIONS[name][0], x, shift)


def model(d, n, N, seed=0):
    rng = np.random.default_rng(seed)
    return rng.standard_normal((n, d)), rng.standard_normal(n), rng.standard_normal((d, N)), rng.standard_normal(N)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_nonlinearity_and_its_derivative(name):
    points = np.array([[-2.5, -0.3, 0.7], [1.2, 3.0, -1e-9]])
    value, slope = function(name, shift=0.25).both(points)
    assert value.shape == slope.shape == points.shape
    np.testing.assert_allclose(value, FUNCTIONS[name][1](points) - 0.25, rtol=1e-14, atol=1e-15)
    np.testing.assert_allclose(slope, FUNCTIONS[name][2](points), rtol=1e-13, atol=1e-15)


def test_relu_slope_at_zero_is_one_half():
    # Heaviside(0) = 1/2, the convention of SymPy.
    assert function("relu").both(np.zeros(1))[1] == 0.5


def test_nonlinearity_travels_between_processes():
    ours = function("tanh", 0.5)
    ours.value(np.ones(2))
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(ours)).value(np.ones(2)), np.tanh(np.ones(2)) - 0.5)


@pytest.mark.parametrize(
    ("expr", "message"),
    [
        (sp.sign(x), "not a function"),
        (sp.Piecewise((1, x > 1), (0, True)), "jumps"),
        (sp.Piecewise((x + sp.Rational(1, 10), x > 0), (x, True)), "jumps"),
        (x * sp.Symbol("k"), "unknown symbols"),
        (1 / (x - 2), "not finite"),
        (sp.log(x), "not finite"),
    ],
)
@pytest.mark.filterwarnings("error")
def test_functions_without_a_step_are_refused(expr, message):
    with pytest.raises(InputError, match=message):
        nonlinearity(expr, x)


def test_sizes_are_rounded_and_say_so():
    sizes = sizes_for(1000, "1/3", 1.5)
    assert (sizes.n, sizes.N) == (333, 1500)
    assert (str(sizes.psi1), str(sizes.psi2)) == ("333/1000", "3/2")


@pytest.mark.parametrize(
    "make",
    [
        lambda: sizes_for(100, -1, 1),
        lambda: sizes_for(100, "1/1000", 1),
        lambda: sizes_for("100", 1, 1),
        lambda: Sizes(1, 5, 5),
        lambda: Sizes(5, 5.0, 5),  # type: ignore[arg-type]
    ],
)
def test_bad_sizes_are_refused(make):
    with pytest.raises(InputError, match="give"):
        make()


@pytest.mark.parametrize("name", ["tanh", "erf", "softplus", "identity", "half square"])
def test_gradient_is_minus_the_derivative_of_the_loss(name):
    # Loss of ba2022 section 1, (1/n) sum (1/2)(f - y)^2 with f(x) = N^{-1/2} a^T sigma(W^T x), by central differences.
    d, n, N = 3, 6, 4
    X, y, W, a = model(d, n, N)

    def loss(weights):
        f = FUNCTIONS[name][1](X @ weights) @ a / math.sqrt(N)
        return ((f - y) ** 2).sum() / (2 * n)

    numeric, h = np.empty((d, N)), 1e-4
    for index in np.ndindex(d, N):
        shift = np.zeros((d, N))
        shift[index] = h
        # Fourth order, so that rounding and truncation are both far below the tolerance.
        numeric[index] = (8 * (loss(W + shift) - loss(W - shift)) - loss(W + 2 * shift) + loss(W - 2 * shift)) / (12 * h)
    ours = simulate.gradient(X, y, W, a, function(name))
    np.testing.assert_allclose(ours, -numeric, rtol=1e-8, atol=1e-10)


def dense_step(sizes, eta, sigma_eps, name, teacher, seed):
    """Section 1 of ba2022, word for word, from the same stream: beta, a, W0, eps, X."""
    d, n, N = sizes.d, sizes.n, sizes.N
    rng = np.random.default_rng(seed)
    beta = rng.standard_normal(d)
    beta = beta / math.sqrt((beta**2).sum())
    a = rng.standard_normal(N) / math.sqrt(N)
    W0 = rng.standard_normal((d, N)) / math.sqrt(d)
    eps = sigma_eps * rng.standard_normal(n)
    X = rng.standard_normal((n, d))
    _, sigma, slope = FUNCTIONS[name]
    y = FUNCTIONS[teacher][1](X @ beta) + eps
    residual = y - sigma(X @ W0) @ a / math.sqrt(N)
    G0 = X.T @ (np.outer(residual, a) / math.sqrt(N) * slope(X @ W0)) / n
    return X, y, W0, a, beta, W0 + eta * math.sqrt(N) * G0


@settings(derandomize=True, deadline=None, max_examples=25)
@given(
    d=st.integers(2, 7),
    n=st.integers(1, 9),
    N=st.integers(2, 6),
    block=st.integers(1, 11),
    seed=st.integers(0, 99),
    name=st.sampled_from(sorted(FUNCTIONS)),
    teacher=st.sampled_from(sorted(FUNCTIONS)),
)
def test_step_is_its_definition(d, n, N, block, seed, name, teacher):
    sizes = Sizes(d, n, N)
    step = simulate.one_step(sizes, "5/2", 0.5, function(name), function(teacher), np.random.default_rng(seed), block)
    X, y, W0, a, beta, W1 = dense_step(sizes, 2.5, 0.5, name, teacher, seed)
    for ours, expected in ((step.W0, W0), (step.a, a), (step.beta, beta), (step.xty, X.T @ y), (step.W1, W1)):
        np.testing.assert_allclose(ours, expected, rtol=1e-11, atol=1e-12)


@pytest.mark.parametrize("chunk", [1, 17, 10**6])
def test_blocks_and_chunks_change_rounding_only(chunk, monkeypatch):
    monkeypatch.setattr(simulate, "_CHUNK_ENTRIES", chunk)
    sizes = Sizes(12, 40, 9)
    _, _, _, _, _, W1 = dense_step(sizes, 3, 1.0, "tanh", "erf", 7)
    for block in (1, 13, 40, 1000):
        step = simulate.one_step(sizes, 3, 1, function("tanh"), function("erf"), np.random.default_rng(7), block)
        np.testing.assert_allclose(step.W1, W1, rtol=1e-11, atol=1e-12)


@pytest.mark.parametrize("name", ["tanh", "half square", "identity"])
def test_split_of_the_gradient(name):
    # ba2022 Proposition 2: A the mu1 part, B the sigma' - mu1 part, C the network's own output. Any mu1 will do.
    sizes, mu1 = Sizes(6, 11, 5), 0.7
    step = simulate.one_step(sizes, 2, 1, function(name), function("erf"), np.random.default_rng(3), 4, True, mu1)
    X, y, W0, a, _, W1 = dense_step(sizes, 2, 1.0, name, "erf", 3)
    n, N = sizes.n, sizes.N
    slope, output = FUNCTIONS[name][2](X @ W0), FUNCTIONS[name][1](X @ W0) @ a / math.sqrt(N)
    A = mu1 / (n * math.sqrt(N)) * np.outer(X.T @ y, a)
    B = X.T @ (np.outer(y, a) / math.sqrt(N) * (slope - mu1)) / n
    C = -X.T @ (np.outer(output, a) / math.sqrt(N) * slope) / n
    for ours, expected in ((step.A, A), (step.B, B), (step.C, C), (step.W1, W1)):
        np.testing.assert_allclose(ours, expected, rtol=1e-11, atol=1e-12)
    norms = {"A": np.linalg.norm(A, 2), "B": np.linalg.norm(B, 2), "C": np.linalg.norm(C, 2)}
    expected = norms | {
        "B_over_A": norms["B"] / norms["A"],
        "C_over_A": norms["C"] / norms["A"],
        "remainder_over_gradient": np.linalg.norm(B + C, 2) / np.linalg.norm(A + B + C, 2),
    }
    assert split_observables(step) == pytest.approx(expected, rel=1e-9, abs=1e-12)


def test_split_must_be_asked_for():
    sizes, rng = Sizes(4, 6, 4), np.random.default_rng(0)
    step = simulate.one_step(sizes, 1, 0, function("tanh"), function("tanh"), rng)
    with pytest.raises(InputError, match="parts=True"):
        split_observables(step)
    with pytest.raises(InputError, match="mu1"):
        simulate.one_step(sizes, 1, 0, function("tanh"), function("tanh"), rng, parts=True)
    with pytest.raises(InputError, match="sigma_eps"):
        simulate.one_step(sizes, 1, -1, function("tanh"), function("tanh"), rng)


def test_leading_triplets_are_those_of_the_full_decomposition():
    matrix = np.random.default_rng(0).standard_normal((40, 25))
    left, values, right = leading_triplets(matrix, 3, np.random.default_rng(1))
    np.testing.assert_allclose(values, np.linalg.svd(matrix, compute_uv=False)[:3], rtol=1e-12)
    np.testing.assert_allclose(matrix @ right, left * values, atol=1e-10)
    np.testing.assert_allclose(left.T @ left, np.eye(3), atol=1e-10)
    with pytest.raises(InputError, match="give 1 to 24"):
        leading_triplets(matrix, 25, np.random.default_rng(1))


def test_spike_observables_are_what_they_say():
    sizes = Sizes(30, 60, 40)
    step = simulate.one_step(sizes, 4, 1, function("erf"), function("tanh"), np.random.default_rng(5))
    X, y, _, a, beta, W1 = dense_step(sizes, 4, 1.0, "erf", "tanh", 5)
    U, s, Vt = np.linalg.svd(W1)
    direction = X.T @ y / sizes.n
    expected = {
        "singular_value": s[0],
        "second_singular_value": s[1],
        "overlap": (U[:, 0] @ beta) ** 2,
        "left_overlap": (U[:, 0] @ direction) ** 2 / (direction @ direction),
        "right_overlap": (Vt[0] @ a) ** 2 / (a @ a),
        "gradient_direction_squared": direction @ direction,
        "projection": direction @ beta,
    }
    assert spike_observables(step) == pytest.approx(expected, rel=1e-9)


def test_memory_is_that_of_the_weights_and_one_block():
    sizes, block = Sizes(150, 8000, 100), 100
    sigma = function("tanh")
    simulate.one_step(Sizes(3, 3, 3), 1, 1, sigma, sigma, np.random.default_rng(0))  # imports and compiling
    tracemalloc.start()
    simulate.one_step(sizes, 1, 1, sigma, sigma, np.random.default_rng(0), block)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    allowed = 8 * (3 * sizes.d * sizes.N + 2 * block * (sizes.d + sizes.N) + 3 * sizes.n)
    assert peak < allowed < 8 * sizes.n * sizes.N


def few_draws(observe=spike_observables, **changes):
    given = {"eta": 3, "sigma_eps": 1, "sigma": function("erf"), "sigma_star": function("tanh"), "draws": 3, "seed": 4}
    sizes = [sizes_for(d, 2, 1) for d in (20, 30)]
    return simulate.draws(observe, **({"sizes": sizes} | given | changes))


def overlap_and_threads(step):
    pools = [pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"]
    return {"overlap": spike_observables(step)["overlap"], "threads": max(pools)}


def test_draws_do_not_depend_on_jobs_and_run_on_one_blas_thread():
    calls = []
    alone = few_draws(overlap_and_threads)
    together = few_draws(overlap_and_threads, jobs=2, progress=lambda *at: calls.append(at))
    assert [record.values for record in alone] == [record.values for record in together]
    assert {threads for record in alone for threads in record.values["threads"]} == {1}
    assert calls == [(done, 6) for done in range(1, 7)]


def test_draws_extend_and_follow_the_seed():
    for record, more, different in zip(few_draws(), few_draws(draws=5), few_draws(seed=5), strict=True):
        values = record.values["overlap"]
        assert more.values["overlap"][:3] == values
        assert len(set(values + different.values["overlap"])) == 6


def test_record_has_mean_and_standard_error():
    record = few_draws()[1]
    values = record.values["overlap"]
    mean = sum(values) / 3
    error = math.sqrt(sum((value - mean) ** 2 for value in values) / (2 * 3))
    shown = record.as_dict()
    assert (shown["d"], shown["n"], shown["N"], shown["psi1"], shown["draws"], shown["seed"]) == (30, 60, 30, "2", 3, 4)
    overlap = shown["observables"]["overlap"]
    assert (overlap["mean"], overlap["standard_error"]) == pytest.approx((mean, error))
    assert overlap["values"] == list(values)


@pytest.mark.parametrize("changes", [{"draws": 1}, {"jobs": 0}, {"seed": -1}, {"sizes": []}])
def test_bad_requests_are_refused(changes):
    with pytest.raises(InputError, match="at least"):
        few_draws(**changes)


def test_a_value_that_is_not_finite_is_an_error():
    with pytest.raises(SimulationError, match="not finite"):
        few_draws(lambda step: {"overlap": math.nan})


def spike_limits(eta, psi1, psi2, sigma_eps):
    """(s1, overlap) of ba2022 Theorem 3 for erf/tanh, theta1 as statements.md has it, with quadrature of its own."""

    def mean(f):
        return integrate.quad(lambda t: f(t) * math.exp(-t * t / 2) / math.sqrt(2 * math.pi), -12, 12)[0]

    mu1, mu1_star = 2 / math.sqrt(3 * math.pi), mean(lambda t: t * math.tanh(t))
    y_squared = mean(lambda t: math.tanh(t) ** 2) + sigma_eps**2
    first, second = (mu1 * eta) ** 2 * (y_squared / psi1 + mu1_star**2), (mu1 * mu1_star * eta) ** 2
    assert first > math.sqrt(psi2)
    value = math.sqrt((1 + first) * (psi2 + first) / first)
    return value, second / first * (1 - (psi2 + first) / (first * (first + 1)))


def spike_judgements(d_values, draws):
    sizes = [sizes_for(d, 2, 1) for d in d_values]
    records = simulate.draws(
        spike_observables,
        sizes,
        eta=3,
        sigma_eps="3/2",
        sigma=function("erf"),
        sigma_star=function("tanh"),
        draws=draws,
        seed=1,
    )
    with_noise, without = spike_limits(3, 2, 1, 1.5), spike_limits(3, 2, 1, 0)
    for name, one, other in zip(("singular_value", "overlap"), with_noise, without, strict=True):
        fit = trend.fit_trend(d_values, [record.values[name] for record in records])
        yield trend.judge(fit, {"with the noise": one, "without": other})


def test_spike_limits_are_those_of_the_sheet():
    # statements.md section 2, Theorem 3: with the noise term and without.
    assert spike_limits(3, 2, 1, 1.5) == pytest.approx((2.934, 0.1835), abs=6e-4)
    assert spike_limits(3, 2, 1, 0) == pytest.approx((2.149, 0.349), abs=6e-4)


def test_small_simulation_already_tells_the_noise_term():
    for judgement in spike_judgements((60, 90, 140, 220), draws=40):
        assert judgement.has_power
        assert judgement.excluded == ("without",), judgement.sentence()


@pytest.mark.simulation
def test_simulation_tells_the_noise_term():
    for judgement in spike_judgements((250, 500, 1000, 2000), draws=16):
        assert judgement.has_power
        assert judgement.excluded == ("without",), judgement.sentence()


def drop_by_own_output(step):
    """sqrt(d) times what the network's own output takes off s1(W1), here at eta = 3."""
    without = step.W1 - 3 * math.sqrt(step.sizes.N) * step.C
    drop = np.linalg.norm(without, 2) - np.linalg.norm(step.W1, 2)
    return {"scaled": math.sqrt(step.sizes.d) * drop}


def test_own_output_moves_the_singular_value_by_one_over_sqrt_d():
    # C adds -(eta mu1/n) X^T f a^T, f = N^{-1/2} mu1 X W0 a + ...: a direction of norm ~ N^{-1/2} along W0 a, on which
    # u1 leans too. The drop is then c/sqrt d with c > 0, which is why fit_trend extrapolates in d^(-1/2).
    d_values = (50, 80, 130, 200)
    records = simulate.draws(
        drop_by_own_output,
        [sizes_for(d, 2, 1) for d in d_values],
        eta=3,
        sigma_eps="3/2",
        sigma=function("erf"),
        sigma_star=function("tanh"),
        draws=30,
        seed=3,
        parts=True,
        mu1=2 / math.sqrt(3 * math.pi),
    )
    fit = trend.fit_trend(d_values, [record.values["scaled"] for record in records], scatter=0)
    assert fit.limit > 5 * fit.standard_error and fit.lack_of_fit_p > trend.FIT_LEVEL, fit


@pytest.mark.simulation
def test_rest_of_the_gradient_decays():
    # ba2022 Proposition 2: |G0 - A| <= C log^2(n)/sqrt(n) |G0|. The power of the logarithm is an upper bound only, and
    # at these sizes log^2 alone would be worth a slope of +.3; without any decay the slope would be 0.
    n_values = (250, 500, 1000, 2000)
    sizes = [sizes_for(n // 2, 2, 1) for n in n_values]
    records = simulate.draws(
        split_observables,
        sizes,
        eta=3,
        sigma_eps="3/2",
        sigma=function("erf"),
        sigma_star=function("tanh"),
        draws=8,
        seed=2,
        parts=True,
        mu1=2 / math.sqrt(3 * math.pi),
    )
    for name in ("B_over_A", "C_over_A", "remainder_over_gradient"):
        fit = trend.fit_exponent(n_values, [record.values[name] for record in records])
        assert fit.exponent + 5 * fit.standard_error < -0.1, (name, fit)
