"""The printed equations of a law at its certified solution."""

import mpmath as mp
import sympy as sp

DIGITS = 40


def check(law, values):
    """Equations, definitions and the value, with the certified traces of the full Dyson equation for the unknowns."""
    exact = law.system.exact(values)
    balls, _ = law.system.evaluator.solved(exact, DIGITS)
    solution = dict(zip(law.system.evaluator.pairs, balls, strict=True))
    formulas = [side for equation in [*law.equations, *law.definitions] for side in equation.args]
    symbols = [*exact, *law.reduced.pairs]
    with mp.workdps(DIGITS + 20):
        point = [_mpmath(*sp.N(v, DIGITS + 20).as_real_imag()) for v in exact.values()]
        point += [
            _mpmath(*(part.mid().str(DIGITS + 20, radius=False) for part in (ball.real, ball.imag)))
            for ball in (solution[pair] for pair in law.reduced.pairs.values())
        ]
        *sides, value = sp.lambdify(symbols, [*formulas, law.value], modules="mpmath", cse=True)(*point)
        for left, right in zip(sides[::2], sides[1::2], strict=True):
            assert abs(left - right) < mp.mpf(10) ** (5 - DIGITS) * (1 + abs(left))
        known = _mpmath(*law.evaluate(values, DIGITS).as_real_imag())
        assert abs(value - known) < mp.mpf(10) ** (2 - DIGITS) * (1 + abs(known))


def _mpmath(real, imaginary):
    real, imaginary = mp.mpf(str(real)), mp.mpf(str(imaginary))
    return mp.mpc(real, imaginary) if imaginary else real
