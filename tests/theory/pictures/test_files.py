"""Files that commands write."""

import pytest

from pencils.errors import InputError
from theory.pictures.files import book_file, picture_file


@pytest.mark.parametrize("path", ["book.doc", "book", "/nowhere/book.tex"])
def test_bad_targets(path):
    with pytest.raises(InputError, match=r"\.tex or \.md|does not exist"):
        book_file(path)


@pytest.mark.parametrize("path", ["a.gif", "a", "/nowhere/a.png"])
def test_bad_pictures(path):
    with pytest.raises(InputError, match=r"\.png or \.pdf or \.svg|does not exist"):
        picture_file(path)
