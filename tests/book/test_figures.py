"""Figures can be made again from their recorded call, and what is published follows from their tables."""

import io
import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from bs4 import BeautifulSoup
from PIL import Image

from book import figure as command
from book.extensions.figure_lines import vector
from book.tools import editions, figures
from book.tools.chapters import Chapter
from book.tools.execute import run
from book.tools.tables import compare
from privml.figures import DRAWINGS

ROOT = Path(__file__).resolve().parent.parent.parent
PUBLISHED = figures.published(ROOT)
NAME = "fig-a-chapter-line"
KNOWN = set(DRAWINGS)


def sample():
    """One figure of each chapter, that with the shortest programme; all if PRIVML_ALL_FIGURES is set.

    That every programme binds all its names is checked without running it (`book.check`), and that the cells
    give the published tables when the chapter is executed (nbval).
    """
    if os.environ.get("PRIVML_ALL_FIGURES"):
        return PUBLISHED
    by_length = sorted(
        PUBLISHED, key=lambda figure: len("".join(figure.before)) + len(figure.call)
    )
    return list({figure.topic: figure for figure in reversed(by_length)}.values())


def test_figures_made_again_by_their_programmes_alone_have_the_published_tables():
    mine = sample()
    assert len({figure.topic for figure in mine}) == len(
        {figure.topic for figure in PUBLISHED}
    )
    for figure, made in zip(mine, command.rerun(mine, ROOT), strict=True):
        assert compare(figure.record, made).differences == [], figure.place


@pytest.mark.parametrize(
    "figure",
    [figure for figure in PUBLISHED if figure.record["draw"] == "slider"],
    ids=lambda figure: figure.name,
)
def test_a_figure_that_moves_has_a_slider_worth_moving_and_its_picture_is_one_stop(
    figure,
):
    stops = list(dict.fromkeys(row[0] for row in figure.record["rows"]))
    assert figure.record["options"]["at"] in stops
    assert len(stops) >= 2
    assert len(figure.record["rows"]) <= 1100, "the table travels with the page"


@pytest.mark.parametrize("figure", PUBLISHED, ids=lambda figure: figure.name)
def test_every_figure_is_published_with_a_picture_of_its_table(figure):
    assert list(figures.published_faults(figure, KNOWN)) == []


@pytest.mark.parametrize("kind", ["svg", "pdf"])
@pytest.mark.parametrize("draw", DRAWINGS)
def test_a_picture_follows_from_the_table_alone(kind, draw):
    figure = next(figure for figure in PUBLISHED if figure.record["draw"] == draw)
    record = figure.record
    first = editions.picture(figure, kind, ROOT)
    assert first == editions.picture(
        replace(figure, record=json.loads(json.dumps(record))), kind, ROOT
    )
    rows = [[*row[:-1], row[-1] * 1.01] for row in record["rows"]]
    assert first != editions.picture(
        replace(figure, record=record | {"rows": rows}), kind, ROOT
    )
    assert b"atplotlib 3" not in first
    assert b"CreationDate" not in first


@pytest.fixture
def made(small_book):
    """The small book with its chapter executed, and its figure."""
    chapter = Chapter(small_book, "a-chapter")
    outcome = run(chapter)
    assert outcome.failure is None
    chapter.notebook.write_text(outcome.text)
    [figure] = figures.published(small_book)
    return small_book, figure


def publish(root, edit):
    """Change the record in the notebook; the published figure."""
    chapter = Chapter(root, "a-chapter")
    notebook = json.loads(chapter.notebook.read_text())
    for output in [
        output for cell in notebook["cells"] for output in cell.get("outputs", [])
    ]:
        if figures.FIGURE_MIME in output.get("data", {}):
            edit(output["data"])
    chapter.notebook.write_text(json.dumps(notebook))
    [figure] = figures.published(root)
    return figure


def test_a_page_shows_the_vector_picture_as_large_as_the_chapters_own():
    figure = replace(PUBLISHED[0], alt='A "line".')
    app = SimpleNamespace(
        builder=SimpleNamespace(get_target_uri=lambda name: f"{name}.html")
    )
    [shown] = BeautifulSoup(
        vector(app, figure.page, figure).astext(), "html.parser"
    ).find_all("img")
    width, height = Image.open(io.BytesIO(figure.picture)).size
    assert shown["src"] == f"../figures/{figure.name}.svg"
    assert (shown["width"], shown["height"], shown["alt"]) == (
        str(width),
        str(height),
        'A "line".',
    )


def test_a_figure_knows_its_place_its_parameters_and_its_seed(made):
    _, figure = made
    assert (figure.place, figure.name, figure.caption) == (
        "a-chapter: cell 6",
        NAME,
        "A line.",
    )
    assert (figure.given, figure.seed) == ({}, "")
    before = (
        "lost = k\ndef table(): return made(n)",
        "def made(n): return [seed for k in n]",
    )
    call, parameters = "k\nnotebook.figure(table())", "seed = 3\nn = [1, 2]\nk = 0"
    used = replace(figure, before=before, call=call, parameters=parameters)
    assert (used.given, used.seed) == ({"seed": "3", "n": "[1, 2]"}, "3")
    assert replace(figure, call="draw(seed=5)").seed == "5"


def test_the_files_of_a_figure_say_what_made_it(made):
    root, figure = made
    of = editions.book(root)
    texts = editions.texts(figure, "1.1", of)
    assert texts["csv"] == "n_samples,probability\n1,0.5\n2,0.333333333\n"
    assert "title        = {{Figure 1.1: A line}}" in texts["bib"]
    assert (
        r"note         = {notebooks/a-chapter.html\#fig-a-chapter-line}" in texts["bib"]
    )
    said = json.loads(texts["json"])
    assert said["id"] == NAME
    assert said["seed"] is None
    assert said["options"] == {"ylabel": "probability", "y_at": [0.1]}
    assert said["package"] == f"privml {of.version}"
    entry = editions.bibtex(figure, "1.1", editions.book(root, "https://book.example/"))
    assert "url          = {https://book.example/notebooks/a-chapter.html#fig" in entry


def test_the_published_call_is_a_program(made, tmp_path):
    root, figure = made
    (tmp_path / "call.py").write_text(editions.script(figure, editions.book(root)))
    call = [sys.executable, tmp_path / "call.py"]
    done = subprocess.run(
        call, capture_output=True, text=True, check=False, cwd=tmp_path
    )
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    assert Image.open(tmp_path / f"{NAME}.png").format == "PNG"


def test_a_figure_whose_table_holds_is_made_again(made, capsys):
    root, _ = made
    assert command.main([NAME, "--root", str(root)]) == 0
    said = capsys.readouterr().out
    assert "2 rows of n_samples, probability agree with the published table" in said
    for kind in ("csv", "svg", "pdf"):
        file = root / "_build" / "figures" / f"{NAME}.{kind}"
        assert f"wrote {file}" in said
        assert file.stat().st_size > 0


def test_a_figure_whose_table_changed_is_reported(made, capsys):
    root, _ = made
    publish(
        root, lambda data: data[figures.FIGURE_MIME]["rows"][1].__setitem__(1, 0.3334)
    )
    assert command.main([NAME, "--root", str(root), "--to", str(root / "out")]) == 1
    said = capsys.readouterr()
    assert (
        "a-chapter: cell 6), row 2, probability: published 0.3334, now 0.333333333"
        in said.err
    )
    assert "wrote" in said.out
    assert (root / "out" / f"{NAME}.csv").exists()


def test_a_call_that_fails_is_reported(made, capsys):
    root, _ = made
    text = Chapter(root, "a-chapter").notebook.read_text()
    Chapter(root, "a-chapter").notebook.write_text(
        text.replace("curves, table,", "lines, table,")
    )
    assert command.main([NAME, "--root", str(root)]) == 1
    assert "name 'lines' is not defined" in capsys.readouterr().err


def test_a_figure_with_other_parameters_is_made_and_not_compared(made, capsys):
    root, _ = made
    assert command.main([NAME, "seed=1", "--root", str(root)]) == 0
    assert "the published table is equal" in capsys.readouterr().out
    notebook = Chapter(root, "a-chapter").notebook
    notebook.write_text(notebook.read_text().replace("[0.5,", "[0.5 + seed,"))
    assert command.main([NAME, "seed=1", "--root", str(root)]) == 0
    told = "2 rows of n_samples, probability with seed=1; the published table is of other parameters, not"
    assert told in capsys.readouterr().out
    assert "1.5" in (root / "_build" / "figures" / f"{NAME}.csv").read_text()
    assert command.main([NAME, "seed=[]", "--root", str(root)]) == 1
    said = capsys.readouterr().err
    assert f"figure: with seed=[], {NAME}: cell " in said
    assert "failed with TypeError: " in said
    assert "Traceback" not in said
    for word in "sed=1", "seed":
        assert command.main([NAME, word, "--root", str(root)]) == 2
        first, second = capsys.readouterr().err.splitlines()
        assert first.startswith("figure: a parameter must be ")
        assert second == f"{NAME} of the chapter a-chapter uses seed."


def test_an_unknown_figure_is_explained(made, capsys):
    root, _ = made
    assert command.main(["fig-a-chapter-lime", "--root", str(root)]) == 2
    assert f"got 'fig-a-chapter-lime'; did you mean {NAME}?" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("edit", "fault"),
    [
        (
            lambda data: data[figures.FIGURE_MIME]["rows"][0].__setitem__(1, 0.6),
            "has a picture that was not drawn from the table beside it",
        ),
        (
            lambda data: data.pop("image/png"),
            "has a picture that was not drawn from the table beside it",
        ),
        (
            lambda data: data[figures.FIGURE_MIME].__setitem__("draw", "nothing"),
            "is drawn by 'nothing', no function of privml.figures or of its chapter",
        ),
        (lambda data: data.pop(figures.FIGURE_MIME), "has no table in its output"),
    ],
)
def test_a_table_and_a_picture_that_do_not_belong_together_are_seen(made, edit, fault):
    root, figure = made
    known = KNOWN
    assert list(figures.published_faults(figure, known)) == []
    assert any(
        found.startswith(fault)
        for found in figures.published_faults(publish(root, edit), known)
    )


def test_numbers_of_a_description_stand_in_the_code_or_in_the_table(made):
    _, figure = made
    for text in ("from 0.5 to 0.33", "above 0.1, at most 0.50"):
        assert list(figures.published_faults(replace(figure, alt=text), KNOWN)) == []
    [fault] = figures.published_faults(replace(figure, caption="down to 0.34"), KNOWN)
    assert "the number 0.34 in its caption" in fault
