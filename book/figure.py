"""Make one figure again and compare it with what is published: ``make figure ID=fig-... [epsilon=0.3]``.

    python -m book.figure ID [NAME=VALUE ...] [--to FOLDER]

The figure's programme (parameters, imports, the cells it uses, its cell) runs in a fresh process. Its table
is compared with the published one, the one in the committed notebook: texts and whole numbers exactly, floats
to a relative 1e-6; with other parameters nothing is. New table and pictures are written whatever the outcome.
"""

import sys
from dataclasses import replace
from pathlib import Path

import yaml

from book.run import given
from book.tools import command, editions, figures
from book.tools.chapters import Chapter
from book.tools.rerun import rerun
from book.tools.tables import RELATIVE, compare, csv_text


def find(root: Path, name: str) -> figures.Figure:
    """The figure with a name, or a number such as 11.2; the ValueError for another one suggests names."""
    known = {figure.name: figure for figure in figures.published(root)}
    toc = yaml.safe_load((root / "_toc.yml").read_text(encoding="utf-8")).get("parts", [])
    pages = [entry["file"] for part in toc if part.get("numbered") for entry in part["chapters"]]
    found = [[figure.name for figure in known.values() if figure.page == page] for page in pages]
    numbers = {f"{n}.{k}": label for n, of in enumerate(found, 1) for k, label in enumerate(of, 1)}
    name = numbers.get(name.removeprefix("Figure "), name)
    command.one_of("ID", name, list(known), "A number will do, too: ID=11.2 is Figure 11.2.")
    return known[name]


def write(figure: figures.Figure, root: Path, folder: Path) -> list[Path]:
    """Write table and pictures of a figure; the files."""
    folder.mkdir(parents=True, exist_ok=True)
    made = {"csv": csv_text(figure.record).encode()}
    made |= {kind: editions.picture(figure, kind, root) for kind in ("svg", "pdf")}
    for kind, content in made.items():
        (folder / f"{figure.name}.{kind}").write_bytes(content)
    return [folder / f"{figure.name}.{kind}" for kind in made]


def changed(figure: figures.Figure, root: Path, words: list[str]) -> figures.Figure:
    """The figure with other parameters of its chapter, from words NAME=VALUE."""
    try:
        values = given(Chapter(root, figure.topic), words)
    except ValueError as error:
        used = ", ".join(figure.given) or "none of the parameters"
        raise ValueError(f"{error}\n{figure.name} of the chapter {figure.topic} uses {used}.") from None
    lines = [figure.parameters, *(f"{name} = {value!r}" for name, value in values.items())]
    return replace(figure, parameters="\n".join(lines))


def report(figure: figures.Figure, root: Path, folder: Path, words: list[str]) -> bool:
    """Make a figure again, write its files, print how it compares; whether the tables agree."""
    [made] = rerun([changed(figure, root, words)], root)
    of = f" with {', '.join(words)}" if words else ""
    if made.record is None:
        told = made.failure.splitlines()[-1:] if words else [made.failure]
        print(f"{figure.name} ({figure.place}) failed{of}:", *told, sep="\n", file=sys.stderr)
        return False
    for file in write(replace(figure, record=made.record), root, folder):
        print(f"wrote {file}")
    rows = f"{len(made.record['rows'])} rows of {', '.join(made.record['columns'])}"
    if words:
        other = "is equal" if made.record == figure.record else "is of other parameters, not compared"
        print(f"{figure.name}: {rows}{of}; the published table {other}")
        return True
    if figure.record is None:
        print(f"{figure.name} ({figure.place}) is not published: its notebook has no table", file=sys.stderr)
        return False
    found, largest = compare(figure.record, made.record)
    told = [f"{figure.name} ({figure.place}), {sentence}" for sentence in found[:10]]
    if told:
        told.append(f"{figure.name}: DIFFERS from the published table in {len(found)} places")
        print(*told, sep="\n", file=sys.stderr)
        return False
    allowed = f"relative differences at most {largest:.1e}, allowed {RELATIVE:.0e}"
    print(f"{figure.name}: {rows} agree with the published table ({allowed})")
    return True


def main(arguments: list[str] | None = None) -> int:
    parser = command.parser("figure", __doc__)
    parser.add_argument("name", metavar="ID", help="name of the figure, fig-..., or its number")
    parser.add_argument("parameters", nargs="*", metavar="NAME=VALUE", help="other parameters")
    parser.add_argument("--to", type=Path, help="folder for the files (default: _build/figures)")
    options = parser.parse_args(arguments)

    def act() -> int:
        figure, folder = find(options.root, options.name), options.to or options.root / "_build" / "figures"
        return 0 if report(figure, options.root, folder, options.parameters) else 1

    return command.answered("figure", act)


if __name__ == "__main__":
    sys.exit(main())
