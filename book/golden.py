"""Two runs of the chapters compared: numbers of the prose, printed tables and lines, tables of figures.

    python -m book.golden OLD NEW [TOPIC ...]

OLD and NEW are folders of executed notebooks. What the old ones show must be in the new ones, in whatever
cell; more may be there. A number of the prose is compared by its name and shown text, a printed table by its
entries (columns may have other names, another order and new neighbours), the table of a figure by the
figure's name and its numbers, to one unit of the ninth digit, which is what is recorded. A figure's table may
be turned from one row a point into one column a curve or back: then its pairs of place and number are sought.
The exit status is 0 when nothing is missing or different, 1 when something is, 2 when a folder is not there.
"""

import argparse
import difflib
import html
import json
import math
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from privml.notebook import FIGURE_MIME, GLUE_PREFIX

RELATIVE = 1.01e-8  # numbers that differ by less than 1e-9 may be rounded to neighbours of nine digits
LARGEST_LIST = 6


class Table(NamedTuple):
    """A table as texts (printed) or as recorded (figure); `place` says where it was found."""

    place: str
    columns: list[str]
    rows: list[list[Any]]

    def column(self, number: int) -> list[Any]:
        """Entries of one column."""
        return [row[number] for row in self.rows]

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
    found = Shown({}, [], [], {})
    for number, cell in enumerate(notebook["cells"], 1):
        place = f"cell {number}"
        for output in cell.get("outputs", []):
            said = output.get("data", {}).items()
            data = {kind: "".join(text) if isinstance(text, list) else text for kind, text in said}
            plain = "".join(output.get("text", "")) or data.get("text/plain", "")
            if GLUE_PREFIX + "text/plain" in data:
                found.values[output["metadata"]["scrapbook"]["name"]] = data[GLUE_PREFIX + "text/plain"]
            elif FIGURE_MIME in data:
                name = (cell["metadata"].get("mystnb") or {}).get("figure", {}).get("name", place)
                record = data[FIGURE_MIME]
                found.figures[name] = Table(name, record["columns"], record["rows"])
            elif "<table" in data.get("text/html", ""):
                found.tables.extend(_printed(place, data["text/html"]))
            elif "text/markdown" not in data:
                found.lines.extend(line.rstrip() for line in plain.splitlines() if line.strip())
    return found


def _kind(entry: Any) -> Any:
    """An entry of a figure's table as a number, or as it is when it is text."""
    if entry is None or entry in ("inf", "-inf"):
        return math.nan if entry is None else float(entry)
    return float(entry) if isinstance(entry, bool | int | float) else entry


def _numbered(*tables: Table) -> list[Table]:
    """The same tables with equal numbers of all of them replaced by one whole number, NaN by None."""
    kinds = [[[_kind(entry) for entry in row] for row in table.rows] for table in tables]
    numbers = sorted({e for rows in kinds for row in rows for e in row if isinstance(e, float) and e == e})
    same, last = {}, -math.inf
    for place, number in enumerate(numbers):
        close = place and math.isclose(number, last, rel_tol=RELATIVE)
        same[number], last = (same[last] if close else place), number

    def label(entry: Any) -> Any:
        return same.get(entry) if isinstance(entry, float) else entry

    return [
        Table(table.place, table.columns, [list(map(label, row)) for row in rows])
        for table, rows in zip(tables, kinds, strict=True)
    ]


def _matched(old: Table, new: Table) -> dict[int, int]:
    """Columns of the new table that hold those of the old: of the same name first, then in order."""
    named = [[k for k, other in enumerate(new.columns) if other == name] for name in old.columns]
    found: dict[int, int] = {}
    for number, entries in enumerate(map(old.column, range(len(old.columns)))):
        for k in [*named[number], *range(len(new.columns))]:
            if k not in found.values() and new.column(k) == entries:
                found[number] = k
                break
    return found


def _is_label(entries: Iterable[Any]) -> bool:
    return all(isinstance(entry, str) for entry in entries)


def _pairs(table: Table) -> set[tuple[int, int]]:
    """All pairs of numbers that stand in one row."""
    rows = [[entry for entry in row if isinstance(entry, int)] for row in table.rows]
    return {(a, b) for row in rows for a in row for b in row}


def _reshaped(old: Table, new: Table) -> bool:
    """Whether for one column of the old table as place, all its pairs of place and number are in the new.

    Of two tables with the same columns and number of rows, the rows must be the same in some order.
    """
    if len(old.rows) == len(new.rows) and sorted(old.columns) == sorted(new.columns):
        order = [new.columns.index(name) for name in old.columns]
        return Counter(map(tuple, old.rows)) == Counter(tuple(row[k] for k in order) for row in new.rows)
    there = _pairs(new)
    numeric = [k for k in range(len(old.columns)) if not _is_label(old.column(k))]
    return any(
        all((row[place], row[k]) in there for row in old.rows for k in numeric if row[k] is not None)
        for place in numeric
        if None not in old.column(place)
    )


def _entries(old: Table, new: Table, told: Table, now: Table) -> list[str]:
    """Where two tables of one length differ, in columns of one name; `told`, `now` hold the shown entries."""
    found = []
    for number, name in enumerate(old.columns):
        k = new.columns.index(name) if name in new.columns else None
        pairs = [] if k is None else zip(old.column(number), new.column(k), strict=True)
        places = [row for row, (a, b) in enumerate(pairs) if a != b]
        found += [] if k is not None else [f"column {name} missing"]
        both = [(row, told.rows[row][number], now.rows[row][k]) for row in places]
        found += [f"row {row + 1}, {name}: was {a}, now {b}" for row, a, b in both]
    rest = len(found) - LARGEST_LIST
    return found[:LARGEST_LIST] + [f"and {rest} more"] * (rest > 0)


def _figure(old: Table, new: Table) -> Verdict:
    """How the table of a figure compares."""
    one, other = _numbered(old, new)
    found = _matched(one, other) if len(old.rows) == len(new.rows) else {}
    lost = [k for k in range(len(old.columns)) if k not in found]
    if not [k for k in lost if not _is_label(old.column(k))] and found:
        words = [f"{old.place}: words of column {old.columns[k]} differ" for k in lost]
        pairs = [(old.columns[k], new.columns[j]) for k, j in found.items()]
        renamed = ", ".join(f"{one} -> {other}" for one, other in pairs if one != other)
        return Verdict([], words + [f"{old.place}: columns {renamed}"] * bool(renamed))
    if _reshaped(one, other):
        return Verdict([], [f"{old.place}: {len(old.rows)} rows in another form, all their pairs are there"])
    if len(old.rows) != len(new.rows):
        lengths = f"{len(old.rows)} rows, now {len(new.rows)}"
        return Verdict([f"{old.place}: {lengths}, and not all pairs of numbers are there"], [])
    return Verdict([f"{old.place}: {'; '.join(_entries(one, other, old, new))}"], [])


def _best(table: Table, candidates: list[Table]) -> int | None:
    """The candidate with the same head, or the one that shares most entries with a table, at least half."""
    if (k := next((k for k, c in enumerate(candidates) if c.columns == table.columns), None)) is not None:
        return k
    entries = Counter(entry for row in table.rows for entry in row)
    shared = [(Counter(e for row in c.rows for e in row) & entries).total() for c in candidates]
    best = max(range(len(candidates)), key=shared.__getitem__, default=None)
    return best if best is not None and 2 * shared[best] >= entries.total() > 0 else None


def _holds(old: Table, new: Table) -> bool:
    """Whether a printed table has all columns of another, or all its rows below the same head."""
    if len(old.rows) == len(new.rows):
        return len(_matched(old, new)) == len(old.columns)
    rows = iter(new.rows)
    return old.columns == new.columns and all(row in rows for row in old.rows)


def _tables(old: list[Table], new: list[Table]) -> Verdict:
    """How the printed tables compare: each old one is sought among those of the new not yet taken."""
    verdict, left, free = Verdict([], []), [], list(new)
    for table in old:
        same = next((k for k, other in enumerate(free) if other[1:] == table[1:]), None)
        left += [table] if same is None else []
        free = free if same is None else free[:same] + free[same + 1 :]
    for table in left:
        k = next((k for k, other in enumerate(free) if _holds(table, other)), None)
        if k is not None:
            verdict.notes.append(f"{table}: now {free.pop(k)}")
        elif (k := _best(table, free)) is None:
            verdict.faults.append(f"{table}: missing")
        else:
            other = free.pop(k)
            lengths = f"{len(table.rows)} rows were, {len(other.rows)} are"
            same = len(table.rows) == len(other.rows)
            told = "; ".join(_entries(table, other, table, other)) if same else lengths
            verdict.faults.append(f"{table}: {told}")
    verdict.notes.extend(f"new: {table}" for table in free)
    return verdict


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
    for name, table in old.figures.items():
        gone = Verdict([f"{name}: missing"], [])
        parts.append(_figure(table, new.figures[name]) if name in new.figures else gone)
    parts.append(Verdict([], [f"new figure {name}" for name in new.figures.keys() - old.figures.keys()]))
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
