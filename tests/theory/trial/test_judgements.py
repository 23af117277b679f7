"""What is judged on every draw and what at the largest size; a trial that breaks."""

import pytest

from pencils.errors import InputError, SimulationError
from theory.entries import entry
from theory.register.record import Claim, Experiment, Statement
from theory.trial.experiment import run
from theory.trial.judgements import DrawsJudgement, MeanJudgement, judge_as_drawn
from theory.trial.plan import plan
from theory.trial.sizes import Sizes
from theory.trial.step import Samples


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
        Claim("each", "x", "1", kind="inequality", observable="each", seen="every draw"),
        Claim("falls", "x", "0.6", kind="inequality", observable="falls", seen="largest size"),
        Claim("fails", "x", "0.4", kind="inequality", observable="falls", seen="largest size"),
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
        Claim("c", "x", "1", kind="rate", seen="every draw")


def test_claims_of_exact_statements_are_seen_in_every_draw():
    found = {claim.name: claim for claim in entry("damian2022.algorithm-1").claims}
    assert {found[name].seen for name in ("output_at_start", "step_rounding", "trace_of_W0")} == {"every draw"}
    assert {found[name].seen for name in ("risk", "against_random_features")} == {"largest size"}
    broken = Samples(Sizes(8, 512, 100), 0, {"trace": (0.1, 0.2, 1.1)})
    assert judge_as_drawn(found["trace_of_W0"], [broken], [[0.1, 0.2, 1.1]]).excluded == ("derived",)
