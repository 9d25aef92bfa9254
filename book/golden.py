"""Two runs of the chapters compared: numbers of the prose, printed tables and lines, tables of figures.

    python -m book.golden OLD NEW [TOPIC ...]

OLD and NEW are folders of executed notebooks. What the old ones show must be in the new ones, in whatever
cell; more may be there. A number of the prose is compared by its name and shown text, a printed table with
the first of the same head, the table of a figure by the figure's name, to one unit of the ninth digit, which
is what is recorded (`book.tools.tables`).
The exit status is 0 when nothing is missing or different, 1 when something is, 2 when a folder is not there.
"""

import argparse
import difflib
import html
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from book.tools import given
from book.tools.tables import compare_rows
from privml.notebook import FIGURE_MIME, GLUE_PREFIX

RELATIVE = 1.01e-8  # numbers that differ by less than 1e-9 may be rounded to neighbours of nine digits


class Table(NamedTuple):
    """A table as texts (printed) or as recorded (figure); `place` says where it was found."""

    place: str
    columns: list[str]
    rows: list[list[Any]]

    def __str__(self) -> str:
        return f"{self.place}, table of {', '.join(map(str, self.columns))} ({len(self.rows)} rows)"


class Shown(NamedTuple):
    """What a notebook shows: numbers of the prose by name, tables and lines in order, figures by name."""

    values: dict[str, str]
    tables: list[Table]
    lines: list[str]
    figures: dict[str, Table]


class Verdict(NamedTuple):
    """Sentences on what is missing or different, and on what is new or has another form."""

    faults: list[str]
    notes: list[str]


def _texts(row: str) -> list[str]:
    found = re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL)
    return [html.unescape(re.sub(r"<[^>]+>", "", text)).strip() for text in found]


def _printed(place: str, page: str) -> Iterator[Table]:
    """The tables of a piece of HTML."""
    for text in re.findall(r"<table.*?</table>", page, re.DOTALL):
        head, *rows = map(_texts, re.findall(r"<tr.*?</tr>", text, re.DOTALL))
        yield Table(place, head, rows)


def shown(notebook: dict) -> Shown:
    """What an executed notebook shows, from its JSON."""
    found = Shown(given.glued(notebook["cells"]), [], [], {})
    for number, cell in enumerate(notebook["cells"], 1):
        place = f"cell {number}"
        for output in cell.get("outputs", []):
            said = output.get("data", {}).items()
            data = {kind: "".join(text) if isinstance(text, list) else text for kind, text in said}
            plain = "".join(output.get("text", "")) or data.get("text/plain", "")
            if GLUE_PREFIX + "text/plain" in data:
                continue  # a number for the text
            if FIGURE_MIME in data:
                name = (cell["metadata"].get("mystnb") or {}).get("figure", {}).get("name", place)
                record = data[FIGURE_MIME]
                found.figures[name] = Table(name, record["columns"], record["rows"])
            elif "<table" in data.get("text/html", ""):
                found.tables.extend(_printed(place, data["text/html"]))
            elif "text/markdown" not in data:
                found.lines.extend(line.rstrip() for line in plain.splitlines() if line.strip())
    return found


def _tables(old: list[Table], new: list[Table]) -> Verdict:
    """How the printed tables compare: one that is not there as it was, with the first of its head left."""
    verdict, free = Verdict([], []), list(new)
    left = []
    for table in old:
        same = next((k for k, other in enumerate(free) if other[1:] == table[1:]), None)
        left += [table] if same is None else []
        free = free if same is None else free[:same] + free[same + 1 :]
    for table in left:
        k = next((k for k, other in enumerate(free) if set(table.columns) <= set(other.columns)), None)
        verdict.faults.extend(_compared(table, None if k is None else free.pop(k)))
    verdict.notes.extend(f"new: {table}" for table in free)
    return verdict


def _compared(old: Table, new: Table | None) -> list[str]:
    """What differs between two tables, nothing where only a column is new, in one sentence."""
    if new is None:
        return [f"{old}: missing"]
    found = compare_rows(old._asdict(), new._asdict(), RELATIVE).differences
    return [f"{old}: {'; '.join(found)}"] if found else []


def _lines(old: list[str], new: list[str]) -> Verdict:
    """How the printed lines compare."""
    lost = list((Counter(old) - Counter(new)).elements())
    more = list((Counter(new) - Counter(old)).elements())
    found = []
    for line in lost:
        near = difflib.get_close_matches(line, more, 1, 0.5)
        found.append(f"line {line!r}: {f'now {near[0]!r}' if near else 'missing'}")
    return Verdict(found, [f"new line: {line!r}" for line in more])


def compared(old: Shown, new: Shown) -> Verdict:
    """How two runs of one chapter compare."""
    verdict = Verdict([], [])
    for name, text in old.values.items():
        if new.values.get(name) != text:
            now = f"now {new.values[name]}" if name in new.values else "missing"
            verdict.faults.append(f"value {name}: was {text}, {now}")
    more = [name for name in new.values if name not in old.values]
    verdict.notes.extend(f"new value {name}: {new.values[name]}" for name in more)
    parts = [_tables(old.tables, new.tables), _lines(old.lines, new.lines)]
    figures = [
        line for name, table in old.figures.items() for line in _compared(table, new.figures.get(name))
    ]
    parts.append(Verdict(figures, [f"new figure {name}" for name in new.figures.keys() - old.figures.keys()]))
    return Verdict(*(sum(sentences, []) for sentences in zip(verdict, *parts, strict=True)))


def read(notebook: Path) -> Shown:
    """What a notebook file shows."""
    return shown(json.loads(notebook.read_text(encoding="utf-8")))


def compare_folders(old: Path, new: Path, topics: list[str]) -> dict[str, Verdict]:
    """How the chapters of two folders compare, those that are asked for or all."""
    found = {}
    for topic in topics or sorted(file.stem for file in old.glob("*.ipynb")):
        one, other = old / f"{topic}.ipynb", new / f"{topic}.ipynb"
        if missing := [str(file) for file in (one, other) if not file.exists()]:
            found[topic] = Verdict([f"no {file}" for file in missing], [])
        else:
            found[topic] = compared(read(one), read(other))
    return found


def main(arguments: list[str] | None = None) -> int:
    """Run the command; its exit status."""
    parser = argparse.ArgumentParser(prog="python -m book.golden", description=__doc__.splitlines()[0])
    parser.add_argument("old", type=Path, help="folder of the notebooks that are right")
    parser.add_argument("new", type=Path, help="folder of those to compare")
    parser.add_argument("topics", nargs="*", metavar="TOPIC", help="chapters (default: all of OLD)")
    parser.add_argument("--quiet", action="store_true", help="say only what is missing or different")
    options = parser.parse_args(arguments)
    for folder in (options.old, options.new):
        if not any(folder.glob("*.ipynb")):
            print(f"golden: {folder} must be a folder of notebooks", file=sys.stderr)
            return 2
    verdicts = compare_folders(options.old, options.new, options.topics)
    for topic, (faults, notes) in verdicts.items():
        told = faults if options.quiet else [*[f"({note})" for note in notes], *faults]
        print(*[f"{topic}: {line}\n" for line in told], sep="", end="")
    bad = [topic for topic, verdict in verdicts.items() if verdict.faults]
    print(f"{len(verdicts) - len(bad)} chapters agree, {len(bad)} differ", *bad)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
