"""Make one figure again and compare it with what is published: ``make figure ID=fig-... [epsilon=0.3]``.

    python -m book.figure ID [NAME=VALUE ...] [--to FOLDER]

The figure's programme (parameters, imports, the cells it uses, its cell) runs in a fresh kernel. Its table
is compared with the published one, the one in the committed notebook: texts and whole numbers exactly, floats
to a relative 1e-6; with other parameters nothing is. New table and pictures are written whatever the outcome.
"""

import sys
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import yaml
from nbformat.v4 import new_code_cell, new_notebook

from book.run import given
from book.tools import command, editions, figures
from book.tools.chapters import Chapter, write_whole
from book.tools.execute import run_cells
from book.tools.tables import RELATIVE, compare, csv_text
from privml.notebook import FIGURE_MIME


def find(root: Path, name: str) -> figures.Figure:
    """The figure with a name, or a number such as 11.2; the ValueError for another one suggests names."""
    known = {figure.name: figure for figure in figures.published(root)}
    toc = yaml.safe_load((root / "_toc.yml").read_text(encoding="utf-8")).get(
        "parts", []
    )
    pages = [
        entry["file"]
        for part in toc
        if part.get("numbered")
        for entry in part["chapters"]
    ]
    found = [
        [figure.name for figure in known.values() if figure.page == page]
        for page in pages
    ]
    numbers = {
        f"{n}.{k}": label
        for n, of in enumerate(found, 1)
        for k, label in enumerate(of, 1)
    }
    name = numbers.get(name.removeprefix("Figure "), name)
    command.one_of(
        "ID", name, list(known), "A number will do, too: ID=11.2 is Figure 11.2."
    )
    return known[name]


def write(figure: figures.Figure, root: Path, folder: Path) -> list[Path]:
    """Write table and pictures of a figure; the files."""
    files = {kind: folder / f"{figure.name}.{kind}" for kind in ("csv", "svg", "pdf")}
    write_whole(files.pop("csv"), csv_text(figure.record))
    editions.draw(dict.fromkeys(files.values(), figure), root)
    return [folder / f"{figure.name}.csv", *files.values()]


def changed(figure: figures.Figure, root: Path, words: list[str]) -> figures.Figure:
    """The figure with other parameters of its chapter, from words NAME=VALUE."""
    try:
        values = given(Chapter(root, figure.topic), words)
    except ValueError as error:
        used = ", ".join(figure.given) or "none of the parameters"
        raise ValueError(
            f"{error}\n{figure.name} of the chapter {figure.topic} uses {used}."
        ) from None
    lines = [
        figure.parameters,
        *(f"{name} = {value!r}" for name, value in values.items()),
    ]
    return replace(figure, parameters="\n".join(lines))


def rerun(wanted: list[figures.Figure], root: Path) -> list[dict[str, Any]]:
    """Records of figures made anew in one kernel, each from nothing but its programme, in their order."""
    code = [
        ["%reset -f", one.parameters, one.imports, *one.before, one.call]
        for one in wanted
    ]
    made = run_cells(
        root,
        new_notebook(cells=[new_code_cell(text) for texts in code for text in texts]),
    )
    shown = [output.get("data", {}) for cell in made.cells for output in cell.outputs]
    return [data[FIGURE_MIME] for data in shown if FIGURE_MIME in data]


def report(
    figure: figures.Figure,
    asked: figures.Figure,
    folder: Path,
    root: Path,
    words: list[str],
) -> bool:
    """Make a figure again as it is asked for, write its files, print how it compares; whether it agrees."""
    [made] = rerun([asked], root)
    for file in write(replace(figure, record=made), root, folder):
        print(f"wrote {file}")
    rows = f"{len(made['rows'])} rows of {', '.join(made['columns'])}"
    if words:
        other = (
            "is equal"
            if made == figure.record
            else "is of other parameters, not compared"
        )
        print(
            f"{figure.name}: {rows} with {', '.join(words)}; the published table {other}"
        )
        return True
    if figure.record is None:
        print(
            f"{figure.name} ({figure.place}) is not published: its notebook has no table",
            file=sys.stderr,
        )
        return False
    found, largest = compare(figure.record, made)
    told = [f"{figure.name} ({figure.place}), {sentence}" for sentence in found[:10]]
    if told:
        told.append(
            f"{figure.name}: DIFFERS from the published table in {len(found)} places"
        )
        print(*told, sep="\n", file=sys.stderr)
        return False
    allowed = f"relative differences at most {largest:.1e}, allowed {RELATIVE:.0e}"
    print(f"{figure.name}: {rows} agree with the published table ({allowed})")
    return True


@command.exits_on_errors("figure")
def main(arguments: list[str] | None = None) -> int:
    parser = command.parser("figure", __doc__)
    parser.add_argument(
        "name", metavar="ID", help="name of the figure, fig-..., or its number"
    )
    parser.add_argument(
        "parameters", nargs="*", metavar="NAME=VALUE", help="other parameters"
    )
    parser.add_argument(
        "--to", type=Path, help="folder for the files (default: _build/figures)"
    )
    options = parser.parse_args(arguments)
    root, words, figure = (
        options.root,
        options.parameters,
        find(options.root, options.name),
    )
    asked, folder = (
        changed(figure, root, words),
        options.to or root / "_build" / "figures",
    )
    good = partial(report, figure, asked, folder, root, words)
    return command.status_of(
        "figure", figure.name, lambda: 0 if good() else 1, ", ".join(words)
    )


if __name__ == "__main__":
    sys.exit(main())
