"""What a picture is drawn on: saved at the end, closed in any case."""

import matplotlib.pyplot as plt
import pytest

from theory.pictures.canvas import canvas


def test_one_axis_is_saved_and_closed(tmp_path):
    target = tmp_path / "a.png"
    before = plt.get_fignums()
    with canvas(target, (2, 1)) as (figure, [[axis]]):
        axis.plot([0, 1], [1, 2])
        assert figure.axes == [axis] and not target.exists()
    assert target.read_bytes().startswith(b"\x89PNG") and plt.get_fignums() == before


def test_rows_and_columns(tmp_path):
    with canvas(tmp_path / "a.svg", (2, 1), 2, 3) as (figure, axes):
        assert axes.shape == (2, 3) and tuple(figure.get_size_inches()) == (2, 1)


def test_nothing_is_saved_after_an_error(tmp_path):
    target, before = tmp_path / "a.pdf", plt.get_fignums()
    with pytest.raises(ZeroDivisionError), canvas(target, (2, 1)):
        raise ZeroDivisionError
    assert not target.exists() and plt.get_fignums() == before
