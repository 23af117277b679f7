"""Commands that read the register: values against plain arithmetic, lists, derivations."""

import json

import mpmath
import pytest

SPIKE = ["psi1=4", "psi2=2", "eta=5/2", "activation=tanh", "teacher=relu", "sigma_eps=2"]


def test_eval_of_the_spike_theorem(gradstep):
    code, out, _ = gradstep("eval", "ba2022.theorem-3", *SPIKE, "--digits", "40", "--json")
    data = json.loads(out)
    keys = {"theta1", "theta2", "singular_value", "overlap", "outlier"}
    assert code == 0 and set(data["printed"]) == set(data["derived"]) == keys
    assert {"key", "parameters", "provenance", "hypotheses", "digits", "version"} <= set(data)
    assert data["digits"] == 40 and data["provenance"] == "reported"
    assert data["parameters"]["eta"] == "5/2" and all(value is True for value in data["hypotheses"].values())
    # by hand: mu1 = E tanh'(z) by the trapezoid rule; relu: mu1* = 1/2, E f*^2 - mean^2 = 1/2 - 1/(2 pi)
    with mpmath.workdps(60):
        h = mpmath.mpf(1) / 40
        mu1 = h * mpmath.fsum(mpmath.sech(k * h) ** 2 * mpmath.npdf(k * h) for k in range(-800, 801))
        energy = mpmath.mpf(1) / 2 - 1 / (2 * mpmath.pi)
        for column, noise in (("printed", 0), ("derived", 4)):
            theta1 = mu1 * mpmath.mpf(5) / 2 * mpmath.sqrt((energy + noise) / 4 + mpmath.mpf(1) / 4)
            theta2 = mu1 * mpmath.mpf(5) / 4
            assert mpmath.almosteq(mpmath.mpf(data[column]["theta1"]), theta1, 1e-39)
            assert mpmath.almosteq(mpmath.mpf(data[column]["theta2"]), theta2, 1e-39)
            assert data[column]["outlier"] is bool(theta1**4 > 2)
            if theta1**4 > 2:  # statements.md, Theorem 3
                s1 = mpmath.sqrt((1 + theta1**2) * (2 + theta1**2)) / theta1
                overlap = theta2**2 / theta1**2 * (1 - (2 + theta1**2) / (theta1**2 * (theta1**2 + 1)))
            else:
                s1, overlap = 1 + mpmath.sqrt(2), 0
            assert mpmath.almosteq(mpmath.mpf(data[column]["singular_value"]), s1, 1e-39)
            assert abs(mpmath.mpf(data[column]["overlap"]) - overlap) < mpmath.mpf(10) ** -39
    assert any("teacher relu(x) centred: subtracted 0.3989422804" in note for note in data["notes"])
    assert any("tanh(x) centred: its mean is exactly 0" in note for note in data["notes"])


def test_eval_hermite(gradstep):
    code, out, _ = gradstep("eval", "hermite", "activation=softplus", "order=6", "--digits", "50", "--json")
    data = json.loads(out)
    assert code == 0 and len(data["coefficients"]) == 7 and isinstance(data["energy"], str)
    assert float(data["coefficients"][0]) == pytest.approx(0.80605918, abs=1e-7)  # uncentred: E softplus(z), quad
    # softplus(x) - x/2 is even, so that c_3 = c_5 = 0 exactly
    assert data["coefficients"][3] == data["coefficients"][5] == "0"
    shown = [text.lstrip("-0.").replace(".", "").partition("e")[0] for text in data["coefficients"] if text != "0"]
    assert [len(digits) for digits in shown] == [50] * 5


def test_derive_noise_term(gradstep):
    code, out, _ = gradstep("derive", "ba2022.noise-term")
    assert code == 0 and "sigma_eps**2" in out and "checked:" in out and "proved" in out
    code, out, _ = gradstep("derive", "ba2022.noise-term", "--latex")
    assert code == 0 and r"\sigma_\varepsilon" in out


def test_list_show_and_json(gradstep):
    code, out, _ = gradstep("list")
    assert code == 0 and "ba2022.theorem-3" in out
    code, out, _ = gradstep("list", "--json")
    assert {"key", "title", "source", "provenance"} <= set(json.loads(out)[0])
    code, out, _ = gradstep("show", "ba2022.theorem-3")
    assert code == 0 and "printed: " in out and "hypothesis" in out
    assert json.loads(gradstep("show", "ba2022.theorem-3", "--json")[1])["key"] == "ba2022.theorem-3"
