"""Commands that judge: a reader's formula, the verdicts of an entry, their exit statuses."""

import json


def test_compare(gradstep):
    code, out, _ = gradstep("compare", "ba2022.theorem-3.singular_value", "sqrt((1+theta1**2)*(psi2+theta1**2))/theta1")
    assert code == 0 and out.startswith("identical") and "theta1 > psi2**(1/4)" in out
    code, out, _ = gradstep("compare", "ba2022.theorem-3.singular_value", "sqrt(1+theta1**2)", "--json")
    data = json.loads(out)
    assert code == 1 and data["verdict"] == "different" and data["witness"] and len(data["values"]) == 2


def test_verify_one_entry_as_json(gradstep):
    code, out, _ = gradstep("verify", "marchenko-pastur.law", "--json")
    rows = json.loads(out)
    assert code == 0 and [row["claim"] for row in rows] == ["companion", "second_moment", "edge"]
    assert all(row["as_expected"] for row in rows)
