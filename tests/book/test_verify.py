"""A chapter executed again and compared cell by cell with what is committed: `book.verify`."""

import json

from book import verify
from book.tools.compare import fingerprint, with_published_digits
from privml.notebook import FIGURE_MIME

TOTAL, FIGURE = 5, 6  # cells of the small book


def cells(chapter):
    return json.loads(chapter.notebook.read_text())["cells"]


def planted(chapter, number, change):
    """Change the outputs of one cell of the committed notebook."""
    notebook = json.loads(chapter.notebook.read_text())
    for output in notebook["cells"][number - 1]["outputs"]:
        change(output)
    chapter.notebook.write_text(json.dumps(notebook))


def text_changed(output):
    if output["output_type"] == "stream":
        output["text"] = [
            line.replace("threads 1", "threads 2") for line in output["text"]
        ]


def table_changed(factor):
    def change(output):
        if record := output.get("data", {}).get(FIGURE_MIME):
            record["rows"][1][1] *= factor

    return change


def picture_changed(output):
    for kind in output.get("data", {}):
        if kind.startswith("image/"):
            output["data"][kind] = "b3RoZXI="


def said(chapter, capsys):
    """Exit status and words of the command."""
    return verify.main(
        [chapter.topic, "--root", str(chapter.root)]
    ), capsys.readouterr().out


def test_a_chapter_is_compared_cell_by_cell_with_what_is_committed(committed, capsys):
    before, page = committed.notebook.read_bytes(), fingerprint(cells(committed))
    status, words = said(committed, capsys)
    assert status == 0, words
    assert committed.notebook.read_bytes() == before
    assert f"cell {FIGURE}: agrees (texts 1, tables 1, pictures 1)" in words
    assert (
        f"2 cells with outputs agree, 0 cells differ\noutputs {page}, as committed"
        in words
    )

    planted(committed, FIGURE, picture_changed)
    planted(committed, FIGURE, table_changed(1 + 1e-8))
    status, words = said(committed, capsys)
    assert (status, "0 cells differ" in words) == (0, True)
    assert (
        f"cell {FIGURE}: agrees (texts 1, tables 1, pictures 1; last digits or pictures differ)"
        in words
    )
    assert f"outputs {fingerprint(cells(committed))}, as committed" in words

    planted(committed, FIGURE, table_changed(1 + 1e-5))
    planted(committed, TOTAL, text_changed)
    status, words = said(committed, capsys)
    assert status == 1
    assert f"cell {TOTAL}: DIFFERS\n    outputs: committed " in words
    assert "threads 2" in words
    assert f"cell {FIGURE}: DIFFERS\n    row 2, probability: published 0.3333" in words
    assert f"0 cells with outputs agree, 2 cells differ\noutputs {page}, not " in words


def test_the_hash_is_of_texts_and_tables_and_no_pictures(committed):
    known = {fingerprint(cells(committed))}
    planted(committed, FIGURE, picture_changed)
    assert {fingerprint(cells(committed))} == known
    for number, change in ((TOTAL, text_changed), (FIGURE, table_changed(1 + 1e-8))):
        old = cells(committed)
        planted(committed, number, change)
        known.add(fingerprint(cells(committed)))
        same = fingerprint(with_published_digits(old, cells(committed))) == fingerprint(
            old
        )
        assert same == (number == FIGURE), (
            "last digits of a table are settled by the committed ones"
        )
    assert len(known) == 3


def test_unknown_chapters_and_failing_cells_are_told(committed, capsys):
    options = ["--root", str(committed.root)]
    assert verify.main(["chapter", *options]) == 2
    assert "CHAPTER must be one of a-chapter, got 'chapter'" in capsys.readouterr().err
    committed.source.write_text(
        committed.source.read_text().replace("seed = 0", "seed = -1")
    )
    assert verify.main(["a-chapter", *options]) == 1
    assert "ValueError" in capsys.readouterr().err
    committed.notebook.unlink()
    assert verify.main(["a-chapter", *options]) == 2
    assert "must have a notebook" in capsys.readouterr().err
