"""Algorithm 1 of damian2022 at finite size, its population gradient, kernels and rates. Section 4 of statements.md, unless said."""

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy import integrate

from pencils.errors import InputError, SimulationError
from theory.activations.polynomial import polynomial
from theory.entries import entry, figures
from theory.hessian import algorithm, concentration, figure, gradient_trial, moment_matrix, rates, step_trial
from theory.hessian import lower_bound_trial as csq_trial
from theory.hessian.algorithm import Link
from theory.hessian.monomials import relu_coefficient
from theory.register.record import Claim, Experiment, Statement
from theory.trial.experiment import run
from theory.trial.judgements import DrawsJudgement, MeanJudgement, judge_as_drawn, judge_rate
from theory.trial.plan import plan
from theory.trial.sizes import Sizes
from theory.trial.step import Samples

PAPER = "He2/2 + He4/sqrt(48)"
SETTING = {"teacher": PAPER, "target": "He3/sqrt(6)", "sigma_eps": Fraction(1), "eta": Fraction(1, 2), "width": Fraction(20)}


def drawn(n=60, d=4, m=10, noise=1.0, seed=3, teacher=PAPER):
    rng = np.random.default_rng(seed)
    link, u = Link.of(teacher), algorithm.direction(d, rng)
    X, y = algorithm.sample(link.along(u), n, d, noise, rng)
    W, a = algorithm.initialise(m, d, rng)
    return link, u, X, y, W, a, rng


def test_link_in_hermite_coefficients():
    """x^4 = He4 + 6 He2 + 3 (standard); kappa = 1/|E f''| = 1/12."""
    link = Link.of("x**4")
    assert link.coefficients == (3.0, 0.0, 6.0, 0.0, 1.0)
    assert link.kappa == pytest.approx(1 / 12) and link.energy() == pytest.approx(9 + 36 * 2 + 24)
    assert Link.of(PAPER).energy(3) == pytest.approx(0.5)  # 4!/48
    assert Link.of(PAPER).coefficients[0] == 0 and Link.of("He3").kappa == math.inf


@pytest.mark.parametrize("teacher", ["tanh", "He1", "3", "1/x"])
def test_a_teacher_that_is_no_polynomial_of_degree_two_is_refused(teacher):
    with pytest.raises(InputError) as error:
        Link.of(teacher)
    assert "\n" not in str(error.value)


def test_initialisation_is_mirrored_and_gives_zero_exactly():
    """a_j = -a_{m+1-j}, w_j = w_{m+1-j}; f = 0 in exact rational arithmetic on the floats themselves."""
    _, _, X, _, W, a, _ = drawn()
    assert (a == -a[::-1]).all() and np.array_equal(W, W[::-1]) and (np.abs(a) == 1).all()
    for x in X[:5]:
        total = Fraction(0)
        for weights, readout in zip(W, a, strict=True):
            before = sum(Fraction(float(p)) * Fraction(float(q)) for p, q in zip(weights, x, strict=True))
            total += Fraction(float(readout)) * max(before, Fraction(0))
        assert total == 0
    assert step_trial.output_at_start(W, a, X) == 0
    broken = a.copy()
    broken[0] *= -1
    assert step_trial.output_at_start(W, broken, X) > 0
    with pytest.raises(InputError, match="even width"):
        algorithm.initialise(5, 3, np.random.default_rng(0))


def test_gradient_is_that_of_the_loss():
    """Central differences of (1/n) sum (f - y)^2, written out here, at weights where f is not 0; a third of its value with 1/2."""
    _, _, X, y, W, a, rng = drawn()
    W = W + 0.3 * rng.standard_normal(W.shape)

    def loss(weights):
        return np.mean((np.maximum(X @ weights.T, 0) @ a - y) ** 2)

    found, h = algorithm.loss_gradient(W, a, X, y), 1e-7
    for j, c in ((0, 0), (3, 2), (9, 3)):
        moved = np.zeros_like(W)
        moved[j, c] = h
        assert (loss(W + moved) - loss(W - moved)) / (2 * h) == pytest.approx(found[j, c], rel=1e-5)


def test_step_is_twice_eta1_a_g_and_holds_no_trace_of_the_start():
    _, _, X, y, W, a, _ = drawn()
    yhat = y - algorithm.Linear.fit(X, y)(X)
    moved = algorithm.step(W, a, X, yhat, 1.5)
    by_hand = np.array(
        [
            2 * 1.5 * readout * np.mean([t * x * (w @ x > 0) for x, t in zip(X, yhat, strict=True)], axis=0)
            for w, readout in zip(W, a, strict=True)
        ]
    )
    room = step_trial.allowance(W, a, X, yhat, 1.5)
    assert (np.abs(moved - by_hand) < room).all() and room.max() < 1e-12
    assert np.abs(algorithm.step(7 * W, a, X, yhat, 1.5) - moved).max() < 1e-14
    # A decay that is off by 10^-9 is seen.
    assert (np.abs(moved + 1e-9 * W - by_hand) > room).any()


def test_the_trial_measures_what_it_says():
    seen = step_trial.observe(SETTING, Sizes(6, 216, 20), np.random.default_rng(1))
    # not so generous either that a hundred times the rounding that happens would pass
    assert all(0.01 < seen[name] < 1 for name in ("step_error", "trace", "output_error"))


def test_a_decay_that_is_off_by_1e_12_exceeds_the_bounds(monkeypatch):
    right = algorithm.step
    monkeypatch.setattr(step_trial, "step", lambda W, *rest: right(W, *rest) + 1e-12 * W)
    seen = step_trial.observe(SETTING, Sizes(6, 216, 20), np.random.default_rng(1))
    assert seen["step_error"] > 1 and seen["trace"] > 1


@pytest.mark.parametrize("n", [200, 3200])
def test_rounding_is_allowed_its_own_size(n):
    """The step against the same sum in extended precision, and the allowance neither below the error nor far above it, at any n:
    errors of independent signs add up like a square root, where the worst case grows as n."""
    _, _, X, y, W, a, _ = drawn(n=n, d=6, m=20)
    yhat = y - algorithm.Linear.fit(X, y)(X)
    terms = (X @ W.T > 0).T.astype(np.longdouble) @ (X.astype(np.longdouble) * yhat[:, None]) / np.longdouble(n)
    error = np.abs(algorithm.step(W, a, X, yhat, 1.5) - 3 * a[:, None] * terms)
    worst = float(np.max(error / step_trial.allowance(W, a, X, yhat, 1.5)))
    assert 0.005 < worst < 1


def test_the_trial_stops_without_symmetry(monkeypatch):
    monkeypatch.setattr(step_trial, "initialise", lambda m, d, rng: (rng.standard_normal((m, d)), np.ones(m)))
    with pytest.raises(SimulationError, match="mirror"):
        step_trial.observe(SETTING, Sizes(6, 216, 20), np.random.default_rng(1))


@pytest.mark.parametrize("n, m", [(30, 12), (12, 30)])
def test_ridge_path_solves_its_normal_equations(n, m):
    rng = np.random.default_rng(0)
    features, y = rng.standard_normal((n, m)), rng.standard_normal(n)
    path = algorithm.ridge_path(features, y, np.array([0.01, 1.0]))
    for column, penalty in zip(path.T, (0.01, 1.0), strict=True):
        assert np.allclose(features.T @ (features @ column - y) / n + penalty * column, 0, atol=1e-10)


@pytest.mark.parametrize("k", range(7))
def test_relu_coefficients_by_quadrature(k):
    """E He_k(z) relu(z), integrated."""
    he = np.polynomial.hermite_e.HermiteE.basis(k)
    value = integrate.quad(lambda z: z * he(z) * math.exp(-z * z / 2) / math.sqrt(2 * math.pi), 0, 40)[0]
    assert float(relu_coefficient(k)) == pytest.approx(value, abs=1e-9)


def test_population_gradient_by_integration():
    """Lemma 13 against E[f*(x) x sigma'(w.x)] in the plane of u and w: f* of odd and even degrees, no mean and no linear part."""
    link = Link((0.0, 0.0, 0.5, 0.2, 0.1, 0.03))
    t = 0.6
    u, w = np.array([1.0, 0.0]), np.array([t, 0.8])
    nodes, weights = np.polynomial.hermite_e.hermegauss(20)
    weights = weights / math.sqrt(2 * math.pi)
    density = np.polynomial.legendre.leggauss(80)
    # x = s w + q w', s on the half-line s > 0: Legendre on [0, 14], Hermite in q
    s, ds = 7 * (density[0] + 1), 7 * density[1] * np.exp(-((7 * (density[0] + 1)) ** 2) / 2) / math.sqrt(2 * math.pi)
    orthogonal = np.array([0.8, -t])
    x = s[:, None, None] * w + nodes[None, :, None] * orthogonal
    expected = np.einsum("i,j,ij,ijc->c", ds, weights, link.along(u)(x.reshape(-1, 2)).reshape(80, 20), x)
    assert np.allclose(concentration.population_gradient(link, u, 3 * w[None])[0], expected, atol=1e-10)


def test_leading_term_is_the_hessian():
    """g(w) -> Hw/sqrt(2 pi) when w is nearly orthogonal to u, H = E grad^2 f* = 2 c2 u u^T."""
    u, w = np.eye(50)[0], np.ones((1, 50)) / math.sqrt(50)
    found = concentration.population_gradient(Link((0.0, 0.0, 0.5)), u, w)[0]
    assert found[0] == pytest.approx(2 * 0.5 * w[0, 0] / math.sqrt(2 * math.pi), rel=0.02)


@pytest.mark.parametrize("teacher, kappa, words", [("He2", 3, "above 2"), ("He2/10 + He3/100", 1.5, "energy 0.222 in He_2")])
def test_kappa_that_the_energy_does_not_allow_is_refused(teacher, kappa, words):
    """At degree 2 there is no other degree to take the energy; 1/(2 kappa^2) = 2/9 is more than 2/100 + 6/10^4."""
    with pytest.raises(InputError, match=words):
        concentration.with_kappa(Link.of(teacher), kappa)


def test_kappa_is_changed_and_energy_kept():
    link = concentration.with_kappa(Link.of(PAPER), 3.0)
    assert link.kappa == pytest.approx(3) and link.energy() == pytest.approx(1)


def test_kernel_is_the_covariance_of_wide_networks():
    """Monte Carlo over neurons of relu relu + relu' relu' (<x, x'>/d + 1), w ~ N(0, I/d), b ~ N(0, 1)."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((3, 5))
    before = X @ rng.standard_normal((5, 400_000)) / math.sqrt(5) + rng.standard_normal(400_000)
    both = np.maximum(before, 0) @ np.maximum(before, 0).T + (before > 0) @ (before > 0).T.astype(float) * (X @ X.T / 5 + 1)
    assert np.allclose(algorithm.neural_tangent_kernel(X, X), both / 400_000, rtol=0.02, atol=0.01)


def test_excess_of_the_absolute_loss():
    """E |f - y| - s = E max(|delta| - s, 0) with noise +-s: the mean of |delta + s| and |delta - s| is max(|delta|, s)."""
    delta, s = np.linspace(-3, 3, 61), 0.7
    assert np.allclose((np.abs(delta + s) + np.abs(delta - s)) / 2 - s, np.maximum(np.abs(delta) - s, 0))
    link, u = Link.of(PAPER), np.eye(3)[0]
    found = rates.errors(lambda X: link.along(u)(X) + 1.5, link, u, 1.0, np.random.default_rng(0))
    assert (found.absolute, found.excess) == (pytest.approx(1.5), pytest.approx(0.5))
    # nothing learnt: the energy of f*, exactly, because f*^2 is then the control itself
    assert rates.errors(lambda X: 0 * X[:, 0], link, u, 1.0, np.random.default_rng(0)).square == pytest.approx(1)


@pytest.mark.parametrize("key", ["algorithm-1", "concentration", "theorem-1", "theorem-3"])
def test_entries_have_experiments_that_can_be_planned(key):
    found = entry(f"damian2022.{key}")
    assert isinstance(found, Statement) and plan(found, {}).total >= 32


@pytest.mark.parametrize(
    "given, words",
    [
        ({"d": "2"}, "whole number from 3"),
        ({"draws": "1"}, "from 2"),
        ({"psi1": "2"}, "unk"),
        ({"teacher": "tanh"}, "polynomial"),
        ({"target": "He1"}, "^target He1"),
        ({"eta": "0"}, "eta > 0"),
    ],
)
def test_bad_input_to_the_figure(tmp_path, given, words):
    owner, found = figures()["damian2022.figure-1"]
    with pytest.raises(InputError, match=words) as error:
        figure.draw_figure(owner, found, given, tmp_path / "f.png")
    assert "\n" not in str(error.value)


def test_figure_is_drawn(tmp_path, monkeypatch):
    monkeypatch.setattr(figure, "WIDTHS", (10, 20))
    owner, found = figures()["damian2022.figure-1"]
    assert figure.draw_figure(owner, found, {"d": "3", "draws": "2"}, tmp_path / "f.png").stat().st_size > 10_000


FLAT, HESSIAN = {**SETTING, "teacher": "He3"}, {"k": 2, "tensor": polynomial("x1**2", "tensor")}
REFUSED = [
    (gradient_trial.observe, {"w": (3, 4, 0), "teacher": polynomial("x1**2")}, "3 coordinates, and d = 2"),
    (gradient_trial.observe_cosine, {"mu1_star": Fraction(0), "c0_star": Fraction(0)}, "no mean and no linear part"),
    (moment_matrix.observe, {**HESSIAN, "H": (Fraction(1), Fraction(0))}, "Assumption 2 fails"),
    (moment_matrix.observe, {**HESSIAN, "H": (Fraction(1),) * 3}, "dimension r = 3"),
    (csq_trial.correlation, {"degree": Fraction(3), "overlap": Fraction(3)}, "between -1 and 1"),
    (csq_trial.correlation, {"degree": Fraction(5, 2), "overlap": Fraction(1, 2)}, "whole number"),
    (csq_trial.correlation, {"degree": Fraction(400), "overlap": Fraction(1, 2)}, "at most"),
    (step_trial.observe, {**SETTING, "width": Fraction(5, 2)}, "even whole number"),
    (step_trial.observe, {**SETTING, "width": Fraction(3)}, "even whole number"),
    (step_trial.observe, FLAT, "Assumption 2 fails"),
    (rates.observe_theorem_1, FLAT, "Assumption 2 fails"),
    (rates.observe_theorem_1, {**SETTING, "teacher": "He2/10 + He3/100"}, "larger teacher"),
    (rates.observe_theorem_3, FLAT, "Assumption 2 fails"),
    (rates.observe_theorem_3, {**SETTING, "target": "He1"}, "target He1"),
    (concentration.observe, FLAT, "Assumption 2 fails"),
    (concentration.observe, {**SETTING, "teacher": "He2"}, "degree 2"),
]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("observe, parameters, words", REFUSED)
def test_what_cannot_be_observed_is_refused_in_one_line(observe, parameters, words):
    with pytest.raises(InputError, match=words) as error:
        observe(parameters, Sizes(2, 8, 4), np.random.default_rng(0))
    assert "\n" not in str(error.value)


def failing(parameters, sizes, rng):
    raise ZeroDivisionError("two\nlines")


def toy(observe, claims=()):
    return Statement(
        "toy",
        "t",
        "s",
        "derived",
        tuple(claims),
        experiment=Experiment(f"{__name__}:{observe}", {"eta": "1"}, (60, 70, 80, 90), 4, from_scratch=True, n="d", N="d"),
    )


def test_an_observation_that_breaks_is_answered_in_one_line_and_keeps_its_cause():
    with pytest.raises(SimulationError, match=r"toy at d = 60, n = 60, N = 60 with eta=1: ZeroDivisionError: two lines") as error:
        run(plan(toy("failing"), {}, jobs=1))
    assert "\n" not in str(error.value) and isinstance(error.value.__cause__, ZeroDivisionError)
    with pytest.raises(ZeroDivisionError):  # by hand it is not covered up
        failing({}, Sizes(2, 2, 2), None)


def bounded(parameters, sizes, rng):
    """1/2, but 3/2 at d = 60, whose mean over the sizes is below 1; and 2 - d/60 with a scatter."""
    return {"each": 0.5 + (sizes.d == 60), "falls": 2 - sizes.d / 60 + 0.001 * rng.standard_normal()}


def test_an_exact_inequality_is_judged_on_every_draw_and_a_finite_one_at_the_largest_size():
    claims = [
        Claim("each", "inequality", "x", "1", observable="each", seen="every draw"),
        Claim("falls", "inequality", "x", "0.6", observable="falls", seen="largest size"),
        Claim("fails", "inequality", "x", "0.4", observable="falls", seen="largest size"),
    ]
    report = run(plan(toy("bounded", claims), {}, jobs=1))
    each, falls, fails = (report.judgements[name] for name in ("each", "falls", "fails"))
    assert isinstance(each, DrawsJudgement) and (each.worst, each.at, each.draws) == (1.5, 60, 16)
    assert each.excluded == ("derived",) and "d = 60" in each.sentence() and "largest 1.5" in report.text()
    assert isinstance(falls, MeanJudgement) and falls.at == 90 and falls.mean == pytest.approx(0.5, abs=0.01)
    assert falls.excluded == () and fails.excluded == ("derived",)
    assert DrawsJudgement(1.0, 1.0, 60, 8).excluded == ()
    assert not report.trends
    with pytest.raises(InputError, match="only in an inequality"):
        Claim("c", "rate", "x", "1", seen="every draw")


def test_claims_of_exact_statements_are_seen_in_every_draw():
    found = {claim.name: claim for claim in entry("damian2022.algorithm-1").claims}
    assert {found[name].seen for name in ("output_at_start", "step_rounding", "trace_of_W0")} == {"every draw"}
    assert {found[name].seen for name in ("risk", "against_random_features")} == {"largest size"}
    broken = Samples(Sizes(8, 512, 100), 0, {"trace": (0.1, 0.2, 1.1)})
    assert judge_as_drawn(found["trace_of_W0"], [broken], [[0.1, 0.2, 1.1]]).excluded == ("derived",)


def test_what_no_draw_could_fail_has_no_observable():
    """d^(1/2) too much in a quantity bounded by d log^5 d lowers the fitted exponent by less than the logarithms do: over
    d = 16 .. 54, 5 log log 54 - 5 log log 16 = 1.82 against log(54/16)/2 = 0.61."""
    claims = {claim.name: claim for claim in entry("damian2022.concentration").claims}
    for name in ("supremum", "preactivation"):
        assert claims[name].logs == 0 and claims[name].observable and claims[name].printed is None
        assert claims[name + "_printed"].observable is None and claims[name + "_printed"].expected == "open"
    assert claims["crossing"].printed == "n > d**2*kappa_H**2*rank"  # Theorem 1 of the sheet: n >~ d^2 kappa^2 r
    plateau = entry("damian2022.theorem-1").claim("plateau")
    assert plateau.printed is None and "published" not in plateau.says


def test_preactivations_of_independent_points():
    """With the gradient of one sample set and the points of another the ratio is |g|^2 times the largest of n squares, over
    its typical size: near |g|^2, here of one neuron."""
    rng = np.random.default_rng(0)
    X, yhat, W = rng.standard_normal((4000, 6)), rng.standard_normal(4000), rng.standard_normal((1, 6))
    square = float(np.sum(algorithm.empirical_gradient(W, X, yhat) ** 2))
    assert 0.5 < concentration.preactivation(W, X, yhat) / square < 2


@pytest.mark.simulation
def test_what_is_larger_by_the_root_of_d_is_excluded():
    """The rates of supremum and preactivation have power: sqrt(d) times what is observed exceeds the bound, itself it does not."""
    owner = entry("damian2022.concentration")
    report = run(plan(owner, {}))
    for name in ("supremum", "preactivation"):
        columns = report.observed[name]
        larger = [[value * sizes.d**0.5 for value in column] for sizes, column in zip(report.plan.sizes, columns, strict=True)]
        assert report.judgements[name].excluded == ()
        assert judge_rate(owner.claim(name), list(report.samples), larger).excluded == ("derived",)


def test_exponents_of_the_figure_need_points_beyond_the_transition_and_draws():
    sizes = tuple(round(10**power) for power in figure.LOGS)
    rng = np.random.default_rng(0)
    values = tuple(tuple((n**-0.5 if n >= 1000 else 1) * np.exp(0.01 * rng.standard_normal(3))) for n in sizes)
    curve = figure.Curve("c", sizes, values)
    assert curve.exponent(10**figure.FITTED).exponent == pytest.approx(-0.5, abs=0.02)
    assert figure.Curve("c", sizes, tuple(one[:2] for one in values)).exponent(1000) is None
    assert figure.Curve("c", sizes[:-2], values[:-2]).exponent(1000) is None


@pytest.mark.simulation
def test_random_features_stop_at_the_plateau_that_algorithm_1_passes():
    """d = 10, n = 10^4, m = 1000: the energy of degree 4 is 1/2."""
    link, u, X, y, _, _, rng = drawn(n=10_000, d=10, m=2)
    plain = rates.errors(algorithm.random_features(X, y, 1000, rng), link, u, 1.0, rng).square
    learnt = rates.errors(algorithm.algorithm_1(X, y, 1000, 0.5 * math.sqrt(10), rng), link, u, 1.0, rng).square
    assert 0.45 < plain < 0.6 and learnt < 0.1
