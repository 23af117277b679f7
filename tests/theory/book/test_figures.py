"""Pictures by name, and beside the book."""

import pytest

from pencils.errors import InputError
from theory.book.export import book
from theory.book.figures import draw_figures, draw_named
from theory.entries import entries


def test_figures_are_part_of_the_book(tmp_path, monkeypatch):
    drawn = []
    monkeypatch.setattr("theory.book.figures.draw_named", lambda name, given, path: drawn.append(name) or path)
    entry = entries()["ba2022.theorem-7"]
    files = draw_figures(tmp_path / "book.tex", [entry])
    assert drawn == ["risk", "risk-width", "delta"] and files["risk"] == "book-risk.pdf"
    monkeypatch.setattr("theory.book.export._chapters", lambda entry, told: [])
    assert r"\includegraphics[width=0.75\textwidth]{book-risk.pdf}" in book([entry], [], pictures=files)
    assert "![risk](book-risk.pdf)" in book([entry], [], True, files) and "includegraphics[" not in book([entry], [])


def test_a_picture_is_a_figure_or_an_entrys_own(tmp_path, monkeypatch):
    calls = []
    for name in ("draw", "draw_figure"):
        monkeypatch.setattr(f"theory.book.figures.{name}", lambda *given, name=name: calls.append((name, given[0].key)))
    for name in ("delta", "ba2022.theorem-3", "ba2022.tau-star"):
        draw_named(name, {}, tmp_path / "a.png")
    assert calls == [("draw_figure", "ba2022.theorem-7"), ("draw", "ba2022.theorem-3"), ("draw", "ba2022.tau-star")]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("nothing", "unknown picture 'nothing'; figures: "),
        ("no.thing", "unknown entry"),
        ("hermite", "a quantity without a picture"),
    ],
)
def test_unknown_pictures(tmp_path, name, said):
    with pytest.raises(InputError, match=said):
        draw_named(name, {}, tmp_path / "a.png")
