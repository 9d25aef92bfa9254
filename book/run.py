"""A chapter with other parameters, and what changes: ``make run TOPIC=experts epsilon=0.3``.

    python -m book.run TOPIC NAME=VALUE ...

The chapter is executed from its source with these values in place of those of its parameters cell, into
``_build/run/<topic>.ipynb``; the committed notebook stays. Then comes what differs from it: each number of
the prose with its sentence, printed tables and lines, and the tables of figures; whole in a file beside it.
"""

import ast
import re
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from book.tools import command
from book.tools.chapters import Chapter, write_whole
from book.tools.compare import Shown, missing_outputs, read_shown, shown
from book.tools.execute import executed, unexecuted
from book.tools.figures import described, source
from book.tools.named_numbers import NAMED, parameters, typed_parameters
from book.tools.normalise import normalised

MOST, LONGEST = (
    5,
    200,
)  # printed lines of each kind, and characters of each; a file has all


def _value(text: str) -> Any:
    """What a value means: Python's notation, or plain text."""
    with suppress(SyntaxError, ValueError):
        return ast.literal_eval(text)
    return text


def committed(chapter: Chapter) -> dict[str, Any]:
    """The parameters of a chapter as it stands."""
    return parameters(unexecuted(chapter).cells)


def _plain(value: Any) -> Any:
    """A value as papermill can write it into a cell; of a tuple it would write the text."""
    if isinstance(value, list | tuple):
        return [_plain(entry) for entry in value]
    if isinstance(value, dict):
        return {key: _plain(entry) for key, entry in value.items()}
    if not isinstance(value, str | int | float | None):
        raise ValueError(
            f"a parameter must be made of numbers, text, lists and dicts, got {value!r}"
        )
    return value


def given(chapter: Chapter, words: list[str]) -> dict[str, Any]:
    """Parameters of a chapter from words NAME=VALUE; a value is Python's notation or plain text."""
    found, known = {}, list(committed(chapter))
    for word in words:
        name, equals, text = word.partition("=")
        if not equals:
            raise ValueError(f"a parameter must be given as NAME=VALUE, got {word!r}")
        command.one_of("a parameter", name, known)
        found[name] = _plain(_value(text))
    return found


def _words(cell: dict) -> list[str]:
    """Lines of prose, or the caption and the alternative text of a figure."""
    if cell["cell_type"] == "markdown":
        return source(cell).splitlines()
    said = described(cell)
    return [said["figure"].get("caption") or "", said["image"].get("alt") or ""]


def sentences(notebook: dict, old: Shown, new: Shown) -> list[str]:
    """Each line of prose or of a caption in which a number changed, with the former numbers in brackets."""

    def now(match: re.Match) -> str:
        name = match[1]
        before, after = old.values.get(name, "missing"), new.values.get(name, "missing")
        return after if before == after else f"{after} [was {before}]"

    prose = [line for cell in notebook["cells"] for line in _words(cell)]
    told = [NAMED.sub(now, line).strip() for line in prose]
    return [line for line in told if "[was " in line]


def _lines(cells: list[dict]) -> Iterator[str]:
    """Prose, captions and alternative texts before the exercises, whose values are their own."""
    for cell in cells:
        for line in _words(cell):
            if line.strip() == "## Exercises":
                return
            yield line.strip()


def typed(cells: list[dict], before: dict[str, Any]) -> list[str]:
    """Lines that type the number which a parameter was before: they may mean the parameter."""
    return [line for line in _lines(cells) if typed_parameters(line, before)]


def listing(
    kinds: dict[str, list[str]], most: int | None = None, longest: int | None = None
) -> str:
    """Each kind with its number of lines and these, or the first of them, cut to the longest allowed."""
    parts = []
    for kind, lines in kinds.items():
        short = [
            line[:longest] + " ..." * (line[:longest] != line) for line in lines[:most]
        ]
        short += [f"{len(lines) - len(short)} more"] * (len(short) < len(lines))
        parts += [f"\n{kind}: {len(lines)}", *[f"- {line}" for line in short]]
    return "\n".join(parts)


def report(chapter: Chapter, values: dict[str, Any]) -> int:
    """Execute a chapter with other parameters, keep the notebook, and print what changed; the exit status."""
    notebook = executed(chapter, parameters=values)
    target = chapter.root / "_build" / "run" / f"{chapter.topic}.ipynb"
    write_whole(target, normalised(notebook))
    old, new = read_shown(chapter.notebook), shown(notebook)
    before = {
        name: value for name, value in committed(chapter).items() if name in values
    }
    old_values = typed(unexecuted(chapter).cells, before)
    kinds = {
        "Lines of prose that differ": sentences(notebook, old, new),
        "Tables, printed lines and figures that differ": list(
            missing_outputs(old, new)
        ),
        "Lines that type a former value; those that mean the parameter are now wrong": old_values,
    }
    whole = target.with_suffix(".txt")
    write_whole(whole, listing(kinds) + "\n")
    print(listing(kinds, MOST, LONGEST))
    print(
        f"wrote {target.relative_to(chapter.root)}, and all that differs to {whole.name} beside it"
    )
    return 0


def run(root: Path, topic: str, words: list[str]) -> int:
    """Run a chapter with the parameters of words NAME=VALUE; the exit status."""
    chapter = command.chapter("TOPIC", root, topic)
    values, said = given(chapter, words), " ".join(words)
    return command.status_of("run", topic, lambda: report(chapter, values), said)


@command.exits_on_errors("run")
def main(arguments: list[str] | None = None) -> int:
    parser = command.parser("run", __doc__)
    parser.add_argument("topic", metavar="TOPIC", help="the chapter")
    parser.add_argument(
        "parameters", nargs="*", metavar="NAME=VALUE", help="other parameters"
    )
    options = parser.parse_args(arguments)
    return run(options.root, options.topic, options.parameters)


if __name__ == "__main__":
    sys.exit(main())
