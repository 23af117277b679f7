"""Commands that write files."""


def test_plot_and_export_write_files(gradstep, tmp_path):
    picture, book = tmp_path / "p.png", tmp_path / "b.md"
    assert gradstep("plot", "ba2022.theorem-3", "eta=0:4:9", "-o", str(picture))[0] == 0
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert gradstep("export", "ba2022.theorem-3-bulk", "-o", str(book))[0] == 0
    assert r"second\_singular\_value" in book.read_text()
