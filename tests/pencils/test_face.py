"""The face of the package: every name is there, and none is loaded before it is used."""

import subprocess
import sys

import pytest

import pencils


@pytest.mark.parametrize("name", pencils.__all__)
def test_every_name_is_there(name):
    found = getattr(pencils, name)
    assert found.__name__ == name and found.__doc__ and name in dir(pencils)


def test_errors_are_one_tree():
    errors = [getattr(pencils, name) for name in pencils.__all__ if name.endswith("Error")]
    assert len(errors) == 10 and all(issubclass(error, pencils.GradstepError) for error in errors)


def test_the_face_is_light():
    code = "import sys, pencils; pencils.InputError; sys.exit(bool({'sympy', 'numpy', 'flint'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_what_is_not_there():
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        pencils.nothing  # noqa: B018 - asked for
