"""The simulator against the definition written out densely, and against the derivative of the loss itself."""

from __future__ import annotations

import math
import tracemalloc

import numpy as np
import pytest
from dense_step import FUNCTIONS, dense_step, function
from hypothesis import given, settings
from hypothesis import strategies as st
from threadpoolctl import threadpool_info

from pencils.errors import InputError, SimulationError
from theory.spike.trial import spike_observables, split_observables
from theory.trial import step as simulate
from theory.trial.singular_values import leading_triplets
from theory.trial.sizes import Sizes, sizes_for


def model(d, n, N, seed=0):
    rng = np.random.default_rng(seed)
    return rng.standard_normal((n, d)), rng.standard_normal(n), rng.standard_normal((d, N)), rng.standard_normal(N)


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
