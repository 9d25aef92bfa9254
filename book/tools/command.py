"""What the commands of the book share: the option for the root, names to choose from, and the exit status.

It is 0 when all went well, 1 when something failed or differs, 2 when the request makes no sense.
"""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from book.tools.chapters import ROOT, Chapter, topics
from book.tools.execute import explanation
from book.tools.forms import similar_names


def parser(name: str, doc: str) -> argparse.ArgumentParser:
    """A parser for `book.<name>`, which says the first line of its module, with the option ``--root``."""
    made = argparse.ArgumentParser(
        prog=f"python -m book.{name}", description=doc.splitlines()[0]
    )
    told = "folder with _toc.yml (default: this one)"
    made.add_argument(
        "--root", type=lambda text: Path(text).resolve(), default=ROOT, help=told
    )
    return made


FEW = 12  # names that an error may list


def one_of(word: str, name: str, known: list[str], listed: str = "") -> None:
    """Refuse a name that is not known, with those that are near; of many, `listed` says where all are."""
    if name in known:
        return
    near = similar_names(name, known, 0.3)
    if len(known) <= FEW:
        raise ValueError(
            f"{word} must be one of {', '.join(known)}, got {name!r}{near}"
        )
    told = " ".join(filter(None, [near.removeprefix("; "), listed]))
    raise ValueError(
        f"{word} must be one of {len(known)} names, got {name!r}{told and chr(10)}{told}"
    )


def report_faults(faults: list[str]) -> bool:
    """Print the faults; whether there are none."""
    print(*[f"FAULT {fault}\n" for fault in faults], sep="", end="", file=sys.stderr)
    return not faults


def chapter(word: str, root: Path, topic: str) -> Chapter:
    one_of(word, topic, topics(root), "_toc.yml has all names, below notebooks/.")
    return Chapter(root, topic)


def exits_on_errors(name: str) -> Callable:
    """Let a command end with 2 and the reason when the request makes no sense: ValueError, a missing file."""

    def decorated(
        main: Callable[[list[str] | None], int],
    ) -> Callable[[list[str] | None], int]:
        def answered(arguments: list[str] | None = None) -> int:
            try:
                return main(arguments)
            except (FileNotFoundError, ValueError) as error:
                print(f"{name}: {error}", file=sys.stderr)
                return 2

        return answered

    return decorated


def status_of(name: str, of: str, act: Callable[[], int], values: str = "") -> int:
    """The exit status of an act that executes a chapter or figure: 1, with cell and error, when that failed.

    With other `values` of its parameters these are at fault, not the code: no traceback.
    """
    try:
        return act()
    except Exception as error:
        told = explanation(of, error)
        told = f"with {values}, {told.partition(chr(10))[0]}" if values else told
        print(f"{name}: {told}", file=sys.stderr)
        return 1
