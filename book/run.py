"""A chapter with other parameters, and what changes: ``make run TOPIC=experts epsilon=0.3``.

    python -m book.run TOPIC NAME=VALUE ...

The chapter is executed from its source with these values in place of those of its parameters cell, into
``_build/run/<topic>.ipynb``; the committed notebook stays. Then comes what differs from it: each number of
the prose with its sentence, printed tables and lines, and the tables of figures. The exit status is 0 when
the chapter ran, 1 when a cell failed, 2 when there is no such chapter or parameter.
"""

import ast
import os
import re
import sys
from pathlib import Path
from typing import Any

from book.golden import Shown, compared, read, shown
from book.tools import command
from book.tools.chapters import Chapter, write_whole
from book.tools.execute import executed, kernel_environment, unexecuted
from book.tools.figures import source, tags
from book.tools.normalise import normalised


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
        command.one_of("a parameter", name, known)
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


def report(chapter: Chapter, parameters: dict[str, Any]) -> int:
    """Execute a chapter with other parameters, keep the notebook, and print what changed; the exit status."""
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
    return 0


def run(root: Path, topic: str, words: list[str]) -> int:
    """Run a chapter with the parameters of words NAME=VALUE; the exit status."""
    chapter = command.chapter("TOPIC", root, topic)
    parameters = given(chapter, words)
    return command.executed("run", chapter, lambda: report(chapter, parameters))


def main(arguments: list[str] | None = None) -> int:
    """Run the command; its exit status."""
    parser = command.parser("run", __doc__)
    parser.add_argument("topic", metavar="TOPIC", help="the chapter")
    parser.add_argument("parameters", nargs="*", metavar="NAME=VALUE", help="other parameters")
    options = parser.parse_args(arguments)
    return command.answered("run", lambda: run(options.root, options.topic, options.parameters))


if __name__ == "__main__":
    sys.exit(main())
