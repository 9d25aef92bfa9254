"""A chapter with other parameters, and what changes: ``make run TOPIC=experts epsilon=0.3``.

    python -m book.run TOPIC NAME=VALUE ...

The chapter is executed from its source with these values in place of those of its parameters cell, into
``_build/run/<topic>.ipynb``; the committed notebook stays. Then comes what differs from it: each number of
the prose with its sentence, printed tables and lines, and the tables of figures. The exit status is 0 when
the chapter ran, 1 when a cell failed, 2 when there is no such chapter or parameter.
"""

import argparse
import ast
import difflib
import os
import re
import sys
from pathlib import Path
from typing import Any

from book.golden import Shown, compared, read, shown
from book.tools.chapters import Chapter, topics, write_whole
from book.tools.execute import executed, explanation, kernel_environment, unexecuted
from book.tools.figures import source, tags
from book.tools.normalise import normalised

ROOT = Path(__file__).resolve().parent.parent


def _one_of(word: str, name: str, known: list[str]) -> None:
    if name not in known:
        near = difflib.get_close_matches(name, known, 3, 0.3) or known
        raise ValueError(f"{word} must be one of {', '.join(known)}, got {name!r}; {', '.join(near)}?")


def given(chapter: Chapter, words: list[str]) -> dict[str, Any]:
    """Parameters from words NAME=VALUE; a value is Python's notation or plain text."""
    [cell] = [cell for cell in unexecuted(chapter).cells if "parameters" in tags(cell)]
    statements = ast.parse(source(cell)).body
    known = [target.id for line in statements if isinstance(line, ast.Assign) for target in line.targets]
    found = {}
    for word in words:
        name, equals, text = word.partition("=")
        if not equals:
            raise ValueError(f"a parameter must be given as NAME=VALUE, got {word!r}")
        _one_of("a parameter", name, known)
        try:
            found[name] = ast.literal_eval(text)
        except (SyntaxError, ValueError):
            found[name] = text
    return found


def sentences(notebook: dict, old: Shown, new: Shown) -> list[str]:
    """Each line of prose in which a number changed, with the former numbers in brackets."""

    def now(match: re.Match) -> str:
        name = match[1]
        before, after = old.values.get(name, "missing"), new.values.get(name, "missing")
        return after if before == after else f"{after} [was {before}]"

    prose = [
        line for c in notebook["cells"] if c["cell_type"] == "markdown" for line in source(c).splitlines()
    ]
    told = [re.sub(r"\{glue:text\}`([^`]+)`", now, line).strip() for line in prose]
    return [line for line in told if "[was " in line]


def report(chapter: Chapter, parameters: dict[str, Any]) -> None:
    """Execute a chapter with other parameters, keep the notebook, and print what changed."""
    os.environ.pop("PRIVML_DATA", None)
    os.environ.update(kernel_environment(chapter.root))
    notebook = executed(chapter, parameters=parameters)
    target = chapter.root / "_build" / "run" / f"{chapter.topic}.ipynb"
    write_whole(target, normalised(notebook))
    old, new = read(chapter.notebook), shown(notebook)
    told = sentences(notebook, old, new)
    rest = [fault for fault in compared(old, new).faults if not fault.startswith("value ")]
    for heading, lines in (("Lines of prose", told), ("Tables, printed lines and figures", rest)):
        print(f"\n{heading} that differ: {len(lines)}")
        print(*[f"- {line}" for line in lines], sep="\n")
    print(f"wrote {target.relative_to(chapter.root)}")


def main(arguments: list[str] | None = None) -> int:
    """Run the command; its exit status."""
    parser = argparse.ArgumentParser(prog="python -m book.run", description=__doc__.splitlines()[0])
    parser.add_argument("topic", metavar="TOPIC", help="the chapter")
    parser.add_argument("parameters", nargs="*", metavar="NAME=VALUE", help="other parameters")
    parser.add_argument("--root", type=Path, default=ROOT, help="folder with _toc.yml (default: this one)")
    options = parser.parse_args(arguments)
    chapter = Chapter(options.root.resolve(), options.topic)
    try:
        _one_of("TOPIC", options.topic, topics(chapter.root))
        parameters = given(chapter, options.parameters)
    except ValueError as error:
        print(f"run: {error}", file=sys.stderr)
        return 2
    try:
        report(chapter, parameters)
    except Exception as error:
        print(f"run: {explanation(chapter, error)}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
