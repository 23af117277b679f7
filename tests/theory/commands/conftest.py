"""The command line, run in the test's own process."""

import io
import sys
from contextlib import redirect_stderr, redirect_stdout

import pytest

from theory.commands.main import run


@pytest.fixture
def gradstep(monkeypatch):
    """words -> (exit status, standard output, standard error)."""

    def call(*words):
        out, err = io.StringIO(), io.StringIO()
        monkeypatch.setattr(sys, "argv", ["gradstep", *words])
        with redirect_stdout(out), redirect_stderr(err), pytest.raises(SystemExit) as stop:
            run()
        return stop.value.code or 0, out.getvalue(), err.getvalue()

    return call
