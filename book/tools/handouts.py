"""Notebooks to download: a chapter in plain Markdown, for students without solutions, or with them.

Both run in plain Jupyter with nothing but the package installed. Outputs are left out, since running the
notebook makes them. For students each coded exercise is followed by a cell for the answer that says how to
check it.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import nbformat

from book.tools import exercises, figures, teaching
from book.tools.myst import Directive, blocks
from book.tools.normalise import KERNELSPEC
from book.tools.plain_markdown import References, markdown
from book.tools.short_path import STARRED

_STARRED = re.compile(r"^##.* \*$", re.MULTILINE)
_CITED = re.compile(r"\{cite(?::[tp])?\}`([^`]+)`")
_OTTER = Path(__file__).parents[1] / "lectures" / "otter_test.txt"


class Handout(NamedTuple):
    """What a handout is made from: topic, cells of the executed notebook, what its references say."""

    topic: str
    cells: list[dict]
    references: References
    origin: str = ""
    works: tuple[str, ...] = ()


def cited(cells: list[dict]) -> list[str]:
    """Keys of the works that a chapter cites."""
    texts = [figures.source(cell) for cell in cells if cell["cell_type"] == "markdown"]
    keys = [
        key.strip()
        for text in texts
        for found in _CITED.findall(text)
        for key in found.split(",")
    ]
    return list(dict.fromkeys(keys))


def _without_solutions(text: str, inside: bool) -> tuple[str, bool]:
    """A Markdown cell less what belongs to solutions; `inside` says whether one is open, before and after."""
    lines, kept, done = text.splitlines(), [], 0
    found = [block for block in blocks(lines) if isinstance(block, Directive)]
    for gate in [
        block
        for block in found
        if block.name in ("solution-start", "solution-end", "solution")
    ]:
        if not inside:
            kept += lines[done : gate.opened - 1]
        inside = gate.name == "solution-start"
        done = gate.line + len(gate.lines)
    return "\n".join(kept if inside else [*kept, *lines[done:]]), inside


def _markdown_cell(text: str, number: int, of: Handout) -> list[dict[str, Any]]:
    """The plain form of a Markdown cell; none when nothing is left of it."""
    try:
        plain = markdown(text, of.references)
    except ValueError as error:
        raise ValueError(f"{of.topic}: cell {number}: {error}") from None
    return [nbformat.v4.new_markdown_cell(plain)] if plain else []


def _cells(of: Handout, solutions: bool) -> Iterator[dict[str, Any]]:
    drawn = {figure.cell: figure for figure in figures.of_notebook(of.topic, of.cells)}
    coded = {
        e.solution.cell: e for e in exercises.of_chapter(of.topic, of.cells) if e.coded
    }
    inside = False
    for number, cell in enumerate(of.cells, 1):
        text = figures.source(cell)
        if cell["cell_type"] == "code":
            if solutions or not inside:
                kept = [tag for tag in figures.tags(cell) if tag == "parameters"]
                yield nbformat.v4.new_code_cell(
                    text, metadata={"tags": kept} if kept else {}
                )
                if number in drawn:
                    said = f"**{of.references.words(drawn[number].name)}.** {drawn[number].caption}"
                    yield nbformat.v4.new_markdown_cell(markdown(said, of.references))
            continue
        if not solutions:
            text, inside = _without_solutions(text, inside)
        yield from _markdown_cell(text, number, of)
        if number in coded and not solutions:
            yield nbformat.v4.new_code_cell(
                f"# Your answer. To check it:\n# {coded[number].check}"
            )


def notebook(of: Handout, *, solutions: bool) -> str:
    """Text of the notebook to download; ValueError names the cell where something has no plain form."""
    cells = list(_cells(of, solutions))
    texts = [cell["source"] for cell in cells if cell["cell_type"] == "markdown"]
    starred = any(map(_STARRED.search, texts)) and not any(
        STARRED in text for text in texts
    )
    head, _, rest = cells[0]["source"].partition("\n")
    head = "\n\n".join(
        filter(None, [head, of.origin, f"*{STARRED}*" if starred else ""])
    )
    cells[0]["source"] = "\n".join(filter(None, [head, rest]))
    if of.works:
        cells.append(
            nbformat.v4.new_markdown_cell("\n".join(["## Works cited", "", *of.works]))
        )
    return _written(cells)


def _written(cells: list[dict[str, Any]]) -> str:
    """Text of a notebook with these cells, without the layout that makes it a seventh longer."""
    for number, cell in enumerate(cells, 1):
        cell["id"] = f"cell-{number:03d}"
    made = nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": KERNELSPEC})
    nbformat.validate(made)
    return (
        json.dumps(made, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        + "\n"
    )


def proof_problems(of: Handout, title: str, answers: list[teaching.Answer]) -> str:
    """Text of a notebook for the teacher: each proof problem with its model answer and its rubric."""
    asked = {e.label: e for e in exercises.of_chapter(of.topic, of.cells) if e.proof}
    texts = [f"# {title}: proof problems with model answers", of.origin]
    for answer in answers:
        texts += [
            f"## {answer.title}",
            exercises.statement(asked[answer.label], of.cells),
        ]
        texts += [
            f"**Model answer.**\n\n{answer.text}",
            f"**Rubric**\n\n{answer.rubric}",
        ]
    return _written(
        [
            nbformat.v4.new_markdown_cell(markdown(text, of.references))
            for text in texts
            if text
        ]
    )


def otter_test(exercise: exercises.Exercise) -> str:
    """A test for otter-grader that calls the checker of a coded exercise on the student's answer."""
    name = exercise.checker.removeprefix("check_")
    return _OTTER.read_text(encoding="utf-8").format(
        label=exercise.label, name=name, call=exercise.check
    )
