"""Faults of the sources and of the notebooks, found before any page is made: ``python -m book.check``.

    python -m book.check [TOPIC ...]

Every fault is a sentence that begins with the file and the line, ``book/experts.md:120``. The build stops at
them; `make test` holds the committed book to them.
"""

import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from book.tools import (
    command,
    course,
    exercises,
    figures,
    forms,
    star_references,
    teaching,
    units,
)
from book.tools.chapter_code import source
from book.tools.chapters import Chapter, chapters, pages, source_of
from book.tools.citations import works
from book.tools.execute import unexecuted
from book.tools.myst import Directive, labels_in, walk
from privml.figures import DRAWINGS


def places(texts: dict[str, str]) -> dict[str, list[str]]:
    """Where each label stands, by file and line, among texts by their files."""
    found: dict[str, list[str]] = defaultdict(list)
    for file, text in texts.items():
        for label, line in labels_in(text):
            found[label.lower()].append(f"{file}:{line}")
    return found


def duplicates(at: dict[str, list[str]], asked: set[str]) -> Iterator[str]:
    """Labels that stand in two places, one of them in an asked file."""
    for label, where in at.items():
        if len(where) > 1 and asked & {place.rpartition(":")[0] for place in where}:
            yield f"{where[-1]}: the label {label} is also that of {', '.join(where[:-1])}"


def _invalid(topic: str, cells: list[dict]) -> Iterator[tuple[int, str]]:
    """Code cells that are not valid Python, by number."""
    for number, cell in enumerate(cells, 1):
        if cell["cell_type"] == "code":
            try:
                compile(cell["source"], topic, "exec")
            except SyntaxError as error:
                yield number, f"is not valid Python: {error}"


def _of_cells(root: Path, topic: str, cells: list[dict]) -> Iterator[tuple[int, str]]:
    """What is wrong with the cells, figures, exercises and errata of a chapter, by number of the cell."""
    family = course.family(root, topic)
    for number in [
        number for number, cell in enumerate(cells, 1) if figures.is_figure(cell)
    ]:
        yield from ((number, fault) for fault in figures.faults(cells, number, family))
    folder, stems = (
        root / "tests" / "chapters",
        [one.replace("-", "_") for one in family],
    )
    tests = [file for stem in stems for file in folder.glob(f"test_{stem}*.py")]
    yield from (
        exercises.untested(exercises.of_chapter(topic, cells), tests) if tests else ()
    )
    yield from exercises.faults(topic, cells)
    for number, cell in enumerate(cells, 1):
        found = (
            walk(source(cell).splitlines()) if cell["cell_type"] == "markdown" else ()
        )
        margins = [
            block
            for block in found
            if isinstance(block, Directive) and block.name == "margin"
        ]
        if any(
            "\n".join(one.lines).lstrip().startswith(("**Errat", "{erratum}`Errat"))
            for one in margins
        ):
            yield number, "an erratum belongs into the directive erratum"
    yield from ((1, fault) for fault in teaching.recap_faults(cells))


def chapter_faults(
    root: Path, topic: str, text: str, cells: list[dict]
) -> Iterator[tuple[int, str]]:
    """What is wrong with a chapter, by line: that of a cell, or that in its text."""
    lines, wrong = forms.first_lines(text), list(_invalid(topic, cells))
    for number, fault in wrong or _of_cells(root, topic, cells):
        yield lines[number - 1], fault
    yield from units.form_faults(text)
    yield from (
        ()
        if wrong
        else [*forms.cell_faults(text, cells), *forms.glue_faults(text, cells)]
    )


def text_faults(name: str, text: str, known: forms.Known, folder: str) -> Iterator[str]:
    """What is wrong with the text of a page or chapter, whatever its cells are."""
    for line, fault in [
        *forms.text_faults(text),
        *forms.reference_faults(text, known, folder),
    ]:
        yield f"{name}:{line}: {fault}"


def source_faults(root: Path, only: list[str] | None = None) -> list[str]:
    """Faults of the sources of all pages, or of some chapters only."""
    asked = [f"notebooks/{topic}" for topic in only or []] or pages(root)
    files = {
        page: source_of(root, page).relative_to(root).as_posix() for page in pages(root)
    }
    texts = {file: (root / file).read_text(encoding="utf-8") for file in files.values()}
    at = places(texts)
    known = (at, files, works(root / "book" / "references.bib"))
    found: list[str] = []
    for page in asked:
        topic, text = page.removeprefix("notebooks/"), texts[files[page]]
        if topic != page:
            cells = unexecuted(Chapter(root, topic)).cells
            wrong = chapter_faults(root, topic, text, cells)
            found += [f"{files[page]}:{line}: {fault}" for line, fault in wrong]
            found += teaching.answer_faults(root, topic, cells)
        found += text_faults(files[page], text, known, page.rpartition("/")[0])
    found += (
        []
        if only
        else course.faults(
            root, {label: Path(where[0]).stem for label, where in at.items()}
        )
    )
    lost = {
        fault.partition(":")[0] for fault in found if forms.LOST_STAR in fault
    }  # the rest would follow
    found += [
        str(one)
        for one in star_references.found(root, only or ())
        if f"book/{one.topic}.md" not in lost
    ]
    found += [
        *duplicates(at, {files[page] for page in asked}),
        *teaching.stray_files(root),
    ]
    return found


def _says(cell: dict) -> tuple:
    metadata = {key: value for key, value in cell["metadata"].items() if value}
    return cell["cell_type"], source(cell).rstrip(), metadata


def notebook_faults(root: Path) -> list[str]:
    """Faults of the executed notebooks: cells that are not the source's, figures without their table."""
    known, found = set(DRAWINGS), []
    for chapter in chapters(root):
        if not chapter.notebook.exists():
            found.append(f"{chapter.topic}: has no notebook: execute the chapter")
            continue
        cells, written = figures.cells_of(chapter.notebook), unexecuted(chapter).cells
        pairs = list(zip(cells, written, strict=False))
        stale = [
            n for n, (cell, new) in enumerate(pairs, 1) if _says(cell) != _says(new)
        ]
        stale += range(len(pairs) + 1, max(len(cells), len(written)) + 1)
        reason = f"is not the cell of book/{chapter.topic}.md: execute the chapter"
        found += [
            f"{chapter.topic}: cell {number} of the notebook {reason}"
            for number in stale
        ]
        for figure in figures.of_notebook(chapter.topic, cells):
            wrong = figures.published_faults(figure, known)
            found += [f"{figure.place}: {figure.name} {fault}" for fault in wrong]
    return found


@command.exits_on_errors("check")
def main(arguments: list[str] | None = None) -> int:
    """Print the faults; the exit status is 1 when there are any."""
    parser = command.parser("check", __doc__)
    parser.add_argument(
        "topics", nargs="*", metavar="TOPIC", help="chapters (default: the whole book)"
    )
    options = parser.parse_args(arguments)
    for topic in options.topics:
        command.chapter("TOPIC", options.root, topic)
    found = source_faults(options.root, options.topics)
    found += [] if options.topics else notebook_faults(options.root)
    return 0 if command.report_faults(found) else 1


if __name__ == "__main__":
    sys.exit(main())
