"""A chapter with other parameters: `book.run`."""

import os
import subprocess
from pathlib import Path

import nbformat
import numpy as np
import pytest

from book import run
from book.tools import live
from book.tools.chapters import Chapter, topics
from book.tools.execute import unexecuted

ROOT = Path(__file__).resolve().parent.parent.parent


def test_changed_numbers_are_told_in_their_sentences_and_the_committed_notebook_stays(
    committed, capsys
):
    before, options = committed.notebook.read_bytes(), ["--root", str(committed.root)]
    assert run.main(["a-chapter", "seed=1", *options]) == 0
    said = capsys.readouterr().out
    old, new = (
        f"{np.random.default_rng(seed).random(10).sum():.2f}" for seed in (0, 1)
    )
    assert f"- The sum is {new} [was {old}]; see {{prf:ref}}`l4-thm-one`." in said
    assert "Tables, printed lines and figures that differ: 0" in said
    folder = committed.root / "_build" / "run"
    assert (folder / "a-chapter.txt").read_text() in said
    made = nbformat.read(folder / "a-chapter.ipynb", 4)
    assert any("seed = 1" in cell.source for cell in made.cells)
    assert committed.notebook.read_bytes() == before
    assert run.main(["a-chapter", *options]) == 0
    assert "Lines of prose that differ: 0" in capsys.readouterr().out


def test_unknown_names_and_failing_cells_are_told(committed, capsys):
    options = ["--root", str(committed.root)]
    assert run.main(["chapter", *options]) == 2
    assert "TOPIC must be one of a-chapter, got 'chapter'" in capsys.readouterr().err
    assert (run.main(["sparse-vector"]), len(capsys.readouterr().err.splitlines())) == (
        2,
        2,
    )  # not all names
    assert run.main(["a-chapter", "sed=1", *options]) == 2
    assert "a parameter must be one of seed, got 'sed'" in capsys.readouterr().err
    assert run.main(["a-chapter", "seed", *options]) == 2
    assert run.main(["a-chapter", "seed=-1", *options]) == 1
    said = capsys.readouterr().err
    assert "run: with seed=-1, a-chapter: cell " in said
    assert "ValueError: " in said
    assert "Traceback" not in said


def test_of_much_that_differs_the_beginning_is_printed():
    kinds = {"Some": ["word " * 200] * 40, "None": []}
    few = ["", "Some: 40", *["- word word ..."] * 2, "- 38 more", "", "None: 0"]
    assert run.listing(kinds, 2, 9).split("\n") == few
    assert run.listing(kinds).count("word") == 40 * 200


def test_values_are_numbers_lists_or_words():
    chapter = Chapter(ROOT, "noise")
    found = run.given(
        chapter, ["epsilon=0.3", "seed=None", "delta=1e-7", "largest=many words"]
    )
    assert found == {
        "epsilon": 0.3,
        "seed": None,
        "delta": 1e-7,
        "largest": "many words",
    }


def test_lines_that_type_a_former_value_are_told():
    wrong = [
        r"At $\varepsilon = 1$ it is so.",
        r"Let $\delta = 10^{-5}$ be small.",
        r"With $\beta = 1 / 20$, or",
        r"with $\beta = \frac1{20}$.",
        "After $T = 1,000$ rounds.",
        "Noise for δ = 10⁻⁵.",
    ]
    right = [
        r"At $\varepsilon = 10$, $\varepsilon_0 = 1$ and $\beta = 0$.",
        "",
        "## Exercises",
    ]
    text = "\n".join([*wrong, *right, r"For $\varepsilon = 1$ find it."])
    figure = {"mystnb": {"figure": {"caption": "Noise for ε = 1."}}}
    cells = [
        {"cell_type": "code", "source": "draw()", "metadata": figure},
        {"cell_type": "markdown", "source": text, "metadata": {}},
    ]
    before = {
        "epsilon": 1.0,
        "delta": 1e-5,
        "beta": 0.05,
        "n_rounds": 1000,
        "seed": 0,
        "waits": [1],
    }
    assert run.typed(cells, before) == ["Noise for ε = 1.", *wrong]
    assert run.typed(cells, {"seed": 0}) == []


@pytest.mark.parametrize("topic", topics(ROOT))
def test_each_parameter_of_a_chapter_stands_in_a_line_of_its_own(topic):
    cells = unexecuted(Chapter(ROOT, topic)).cells
    for cell in [
        cell for cell in cells if "parameters" in cell.metadata.get("tags", [])
    ]:
        bound = {}
        exec(cell.source, bound)
        del bound["__builtins__"]
        assert [told["name"] for told in live.parameter_fields(cell.source)] == list(
            bound
        )
        assert run.committed(Chapter(ROOT, topic)) == bound


def words_of(folder, *command):
    """What the shell makes of the line that make would run: the words after the interpreter."""
    environment = {
        name: text for name, text in os.environ.items() if not name.startswith("MAKE")
    }
    done = subprocess.run(
        ["make", *command, "-n", "PYTHON=python", "JOBS=1"],
        cwd=ROOT, capture_output=True, text=True, check=True, env=environment,
    )  # fmt: skip
    _, _, rest = done.stdout.splitlines()[-1].partition(" -m ")
    printed = ["sh", "-c", "printf '%s\\n' " + rest]
    told = subprocess.run(
        printed, cwd=folder, capture_output=True, text=True, check=True
    )
    assert list(folder.iterdir()) == []
    return told.stdout.splitlines()


@pytest.mark.parametrize(
    "given",
    [
        ["epsilon=0.3", "waits=[0, 1]"],
        ["epsilon=1;id"],
        ["sizes=(1,2)"],
        ["epsilon=$(shell id)", "beta=`id`", "delta=$$(id)"],
        ["epsilon='1'", 'seed="0"', "waits=a\\ b \\", "sizes={1: 2} & id | id > made"],
    ],
)
def test_make_hands_the_other_variables_over_as_they_are(given, tmp_path):
    """The order of the words is that of their names; none is expanded, split or run."""
    assert words_of(tmp_path, "run", "TOPIC=noise", *given) == [
        "book.run",
        "noise",
        *sorted(given),
    ]
    assert words_of(tmp_path, "problems", "TOPIC=noise", *given, "URL=x") == [
        "book.in_class", "problems", "noise", *sorted(given),
    ]  # fmt: skip


def test_make_quotes_each_name_that_it_takes(tmp_path):
    odd = "a'; id; \"$(shell id)` b"
    assert words_of(tmp_path, "run", f"TOPIC={odd}") == ["book.run", odd]
    assert words_of(tmp_path, "figure", f"ID={odd}") == ["book.figure", odd]
    assert words_of(tmp_path, "verify", f"CHAPTER={odd}") == ["book.verify", odd]


def test_a_tuple_is_a_parameter(committed):
    """Not its text: a chapter that loops over its sizes gets numbers."""
    chapter = Chapter(committed.root, "a-chapter")
    assert run.given(chapter, ["seed=(1,2)"]) == {"seed": [1, 2]}
    with pytest.raises(ValueError, match="numbers, text, lists and dicts"):
        run.given(chapter, ["seed={1, 2}"])
    assert run.given(chapter, ["seed=((1, 2), [3, {'a': (4,)}])"]) == {
        "seed": [[1, 2], [3, {"a": [4]}]]
    }
