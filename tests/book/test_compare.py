"""Comparison of two runs of a chapter: `book.tools.compare`."""

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from book.tools.compare import agreement
from book.tools.normalise import normalised
from privml.notebook import FIGURE_MIME


def run(
    *, text="0.12", picture="cGljdHVyZQ==", rows=((1, 0.5),), code="draw()", extra=False
):
    """Normal form of a run with a text output and a figure."""
    record = {"draw": "line", "options": {}, "size": [4, 3], "columns": ["x", "y"]}
    record["rows"] = [list(row) for row in rows]
    bundles = {"text/plain": text}, {"image/png": picture, FIGURE_MIME: record}
    outputs = [new_output("display_data", bundle) for bundle in bundles]
    cells = [new_markdown_cell("# Title"), new_code_cell(code, outputs=outputs)]
    return normalised(new_notebook(cells=cells + [new_markdown_cell("end")] * extra))


def test_equal_runs_match_byte_for_byte(tmp_path):
    (tmp_path / "a.ipynb").write_text(run())
    assert agreement(tmp_path / "a.ipynb", run()) == (
        True,
        "matches the committed outputs byte for byte",
    )


@pytest.mark.parametrize("last", [0.5, 0.5000001])
def test_pictures_and_last_digits_of_tables_may_differ(tmp_path, last):
    (tmp_path / "a.ipynb").write_text(run())
    verdict = agreement(
        tmp_path / "a.ipynb", run(picture="b3RoZXI=", rows=((1, last),))
    )
    assert verdict == (
        True,
        "matches the committed texts and tables (pictures or last digits differ)",
    )


@pytest.mark.parametrize(
    ("other", "cells"),
    [
        (run(text="0.13"), [2]),
        (run(rows=((1, 0.500001),)), [2]),
        (run(rows=((1, 0.5), (2, 0.5))), [2]),
        (run(code="draw(2)"), [2]),
        (run(extra=True), [3]),
    ],
)
def test_texts_tables_code_and_number_of_cells_must_agree(tmp_path, other, cells):
    for old, new in ((run(), other), (other, run())):
        (tmp_path / "a.ipynb").write_text(old)
        verdict = agreement(tmp_path / "a.ipynb", new)
        assert verdict == (
            False,
            f"differs from the committed notebook in cells {cells[0]}",
        )


def test_a_chapter_that_was_never_committed_is_new(tmp_path):
    assert agreement(tmp_path / "none.ipynb", run()) == (
        False,
        "is new, nothing was committed",
    )
