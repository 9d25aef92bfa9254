"""Every committed chapter is in normal form and shows nothing of the machine that made it.

That it comes out again, nbval checks: it executes each chapter once and compares texts exactly and the tables
of figures as published tables are compared, with the small hook below.
"""

from pathlib import Path

import nbformat
import pytest
from nbval.plugin import IPyNbCell

from book.tools.chapters import Chapter, topics
from book.tools.normalise import machine_faults, normalised

ROOT = Path(__file__).resolve().parent.parent.parent
RECORD = {
    "draw": "curves",
    "options": {},
    "size": [6.4, 4],
    "columns": ["x", "y"],
    "rows": [[1, 0.5]],
}


@pytest.mark.parametrize("topic", topics(ROOT))
def test_a_committed_chapter_is_in_normal_form_and_shows_nothing_of_a_machine(topic):
    file = Chapter(ROOT, topic).notebook
    notebook = nbformat.read(file, nbformat.NO_CONVERT)
    assert machine_faults(notebook, home=str(ROOT)) == []
    assert normalised(notebook) == file.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("entry", "same"), [(0.5 * (1 + 1e-8), True), (0.5 * (1 + 1e-5), False), (1, False)]
)
def test_nbval_compares_tables_of_figures_up_to_rounding_and_texts_exactly(entry, same):
    shown = {"rows": [[1, entry]]}
    one, other = (
        IPyNbCell.sanitize(None, record) for record in (RECORD, RECORD | shown)
    )
    assert (one == other) is same
    assert (one != other) is not same
