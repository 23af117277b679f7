"""The comparison of snapshots notices every byte, and leaves out only the fields that it is told to."""

import json
from pathlib import Path
from runpy import run_path

SNAPSHOT = run_path(str(Path(__file__).with_name("snapshot.py")))


def folder(path, **answers):
    path.mkdir()
    for name, text in answers.items():
        (path / f"{name}.json").write_text(text)
    return path


def answer(**data):
    return json.dumps(data, indent=2) + "\nexit 0\n"


def test_differences_are_found_and_named(tmp_path, capsys):
    before = folder(
        tmp_path / "before", same=answer(a=1), changed=answer(a=1, proof="old"), gone="exit 0\n", failed="E: 1\nexit 1\n"
    )
    after = folder(tmp_path / "after", same=answer(a=1), changed=answer(a=1, proof="new"), new="exit 0\n", failed="E: 2\nexit 1\n")
    assert SNAPSHOT["compare"](before, before, ()) == 0
    assert SNAPSHOT["compare"](before, after, ()) == 4
    assert SNAPSHOT["compare"](before, after, ("proof",)) == 3
    shown = capsys.readouterr().out
    assert (
        "changed.json: differs" in shown and "gone.json: only in" in shown and "new.json: only in" in shown and "same" not in shown
    )


def test_answers_are_written(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # restored afterwards: the answers are written from inside their folder
    SNAPSHOT["write"](tmp_path / "here", ("answers", "derive"), ("marchenko-pastur.law",))
    written = {path.name: path.read_text() for path in (tmp_path / "here").iterdir()}
    assert {
        "list.txt",
        "show-marchenko-pastur.law.json",
        "eval-marchenko-pastur.law-0.txt",
        "derive-marchenko-pastur.law.tex",
    } <= set(written)
    assert all(text.endswith("exit 0\n") for text in written.values())
