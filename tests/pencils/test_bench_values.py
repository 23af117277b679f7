"""The benchmark values of pencils-benchmarks.md, from the expression alone; pencil sizes and numbers of unknowns."""

import mpmath
import numpy as np
import pytest
import sympy as sp
from benchmark_models import e1, e2, e3, e6, p1, p2, p3, p4, p5, p7, p9, p12, p14, p15, p18, p22, z

from pencils import expected_trace

# expected values as in the sheet; a pair is (real, imaginary)
VALUES = {
    "P1 GUE": (p1("complex"), ("-0.260135828383912522603390921206", "0.723691721922419150551739012195")),
    "P1 GOE": (p1("real"), ("-0.260135828383912522603390921206", "0.723691721922419150551739012195")),
    "P2": (p2(), ("0.0650862846614446826505907254294", "1.10398981595042949258429200579")),
    "P3": (p3(), ("0.315547492246971218459515960127", "0.844418180251805959119679645388")),
    "P4": (p4(), ("0.0560824181423941257726718442602", "0.677310248737358346804089814805")),
    "P5": (p5(), ("-0.0356609422368409009149800922534", "0.646018172012052445001310154947")),
    "P7 sum": (p7("anticommutator"), ("-0.228760650374020287040535291834", "0.602454304214378890006833369121")),
    "P7 difference": (p7("commutator"), ("-0.228760650374020287040535291834", "0.602454304214378890006833369121")),
    "P9 p=2": (p9(2), ("-0.347243901387521732531465893075", "0.825072880540295098197353639639")),
    "P9 p=3": (p9(3), ("-0.457648024269592508549381293251", "0.782586804864498722713076899363")),
    "P12 t1": (p12("t1"), ("3.59896303862117740808632966595", "0")),
    "P12 t2": (p12("t2"), ("2.57980382150769067491501940499", "0")),
    "P14 bias": (p14("bias"), ("0.160335583900129037929757829856", "0")),
    "P14 variance": (p14("variance"), ("0.524556569472450657845978384984", "0")),
    "P15": (p15(), ("0.14325090455256815468847973833", "0.791516347854227972170965019849")),
    "P18": (p18(), ("0.726208734813001186443123088359", "0")),
    "E1": (e1(), ("0.561552812808830274910704927987", "0")),
    "E2": (e2(), ("1.47265329005578097171350252121", "0")),
    "E3": (e3(), ("1.15029327837136463552560016045", "0")),
}


@pytest.mark.parametrize("name", VALUES)
def test_value_of_the_sheet(name):
    model, (real, imaginary) = VALUES[name]
    value = expected_trace(model.expr, model.ensembles).evaluate(model.values, digits=30)
    with mpmath.workdps(40):
        gap = mpmath.mpmathify(sp.re(value)) - mpmath.mpf(real), mpmath.mpmathify(sp.im(value)) - mpmath.mpf(imaginary)
        assert max(map(abs, gap)) < mpmath.mpf(10) ** -28


@pytest.mark.parametrize(
    ("model", "blocks", "unknowns"),
    [(e1(), 2, 1), (e2(), 4, 1), (e3(), 7, 2), (p12("t1"), 5, 2), (p14("bias"), 9, 1), (e6(), 25, None)],
    ids=["E1", "E2", "E3", "P12", "P14", "E6"],
)
def test_size_of_the_pencil_and_number_of_unknowns(model, blocks, unknowns):
    law = expected_trace(model.expr, model.ensembles)
    assert law.pencil.size <= blocks
    if unknowns is not None:
        assert len(law.equations) == unknowns and set(law.unknowns) >= {e.lhs for e in law.equations}


def test_closed_forms():
    """P2: m(-1) = (-3 + sqrt 17)/2 at c = 1/2; P22: tr (W^{-1} + 1)^{-1} = (5 - sqrt 17)/2."""
    model = p2()
    value = expected_trace(model.expr, model.ensembles).evaluate({**model.values, z: -1}, digits=1000)
    with mpmath.workdps(1010):
        assert abs(mpmath.mpmathify(value) - (-3 + mpmath.sqrt(17)) / 2) < mpmath.mpf(10) ** -999
    model = p22()
    value = expected_trace(model.expr, model.ensembles).evaluate(model.values, digits=40)
    with mpmath.workdps(50):
        assert abs(mpmath.mpmathify(value) - (5 - mpmath.sqrt(17)) / 2) < mpmath.mpf(10) ** -39


@pytest.mark.slow
def test_e6_is_the_same_from_two_expressions():
    """No printed value: the trace of the transposed expression has another pencil and must have the same value."""
    values = [expected_trace(m.expr, m.ensembles).evaluate(m.values, digits=20) for m in (e6(), e6("transposed"))]
    assert abs(values[0] - values[1]) < sp.Float("1e-19", 20)


@pytest.mark.parametrize("count", [3, 5])
def test_right_branch_on_the_axis(count):
    """P9, Fuss-Catalan: density at x = sin^{p+1}((p+1)t)/(sin t sin^p(p t)) is sin^2 t sin^{p-1}(p t)/(pi sin^p((p+1)t))."""
    model = p9(count)
    law = expected_trace(model.expr, model.ensembles)
    angles = np.linspace(0.05, 0.98, 12) * np.pi / (count + 1)
    xs = np.sin((count + 1) * angles) ** (count + 1) / (np.sin(angles) * np.sin(count * angles) ** count)
    density = np.sin(angles) ** 2 * np.sin(count * angles) ** (count - 1) / np.sin((count + 1) * angles) ** count / np.pi
    found = law.evaluate({**model.values, z: xs}).imag / np.pi
    assert np.max(np.abs(found / density - 1)) < 1e-9


def test_derivative_against_a_difference_quotient():
    for model, name in ((p12("t1"), "lambda"), (e3(), "n1")):
        law = expected_trace(model.expr, model.ensembles)
        symbol = next(s for s in law.parameters if s.name == name)
        step = sp.Rational(1, 10**12)
        sides = [law.evaluate({**model.values, symbol: sp.nsimplify(model.values[symbol]) + k * step}, digits=40) for k in (1, -1)]
        quotient = (sides[0] - sides[1]) / (2 * step)
        assert abs(law.diff(symbol).evaluate(model.values, digits=25) - quotient) < abs(quotient) * sp.Float("1e-20", 30)
