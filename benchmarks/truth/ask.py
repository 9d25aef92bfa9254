"""Ask one accountant all questions of the truth bench, in a process of its own.

``python -m benchmarks.truth.ask TOOL`` prints a line of JSON for the tool (its version, or why it cannot be
asked) and then one for each entry: its claims and the processor time of the first of them, with everything
that it builds for it; or that it refused, failed or took too long.
"""

import argparse
import contextlib
import io
import json
import signal
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from importlib import metadata
from pathlib import Path
from typing import Any

from benchmarks.truth.adapters import ACCOUNTANTS, HEAD
from benchmarks.truth.claims import Accountant, Refused, Unasked
from benchmarks.truth.entries import read

PATIENCE = 10  # seconds of the processor, which other work does not use up; for times its ticks are too coarse


class Late(Exception):
    """The patience for an entry is at its end."""


def _late(*_: Any) -> None:
    raise Late


@contextlib.contextmanager
def within(seconds: float) -> Iterator[None]:
    """Give up after so many seconds of processor time."""
    before = signal.signal(signal.SIGPROF, _late)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def number(claim: Callable[[float], float], at: float) -> float | None:
    """A claim as a float; None where the tool refuses this one."""
    try:
        return float(claim(at))
    except Refused:
        return None


def answers(entry: dict, made: Callable[[dict], Any]) -> dict:
    """What one tool says of one entry."""
    start = time.process_time()
    try:
        with (
            within(PATIENCE),
            warnings.catch_warnings(),
            contextlib.redirect_stdout(io.StringIO()),
        ):
            warnings.simplefilter("ignore")
            claims = made(entry)
            targets = [row[0] for row in entry["epsilon_at"]]
            epsilons = [number(claims.epsilon, targets[0])]
            seconds = time.process_time() - start
            epsilons += [number(claims.epsilon, delta) for delta in targets[1:]]
            deltas = (
                [number(claims.delta, e) for e, _, _ in entry["delta_at"]]
                if claims.delta
                else None
            )
        if set(epsilons) == {None}:
            raise Refused("every delta")
    except Refused as reason:
        return {"refused": str(reason)}
    except Unasked as reason:
        return {"unasked": str(reason)}
    except Late:
        return {"failed": f"more than {PATIENCE} s"}
    except Exception as error:  # whatever a tool raises
        return {"failed": type(error).__name__}
    return {"epsilon": epsilons, "delta": deltas, "seconds": round(seconds, 6)}


def about(tool: Accountant) -> dict:
    """The version of a tool, or that it is missing."""
    if tool.package is None:
        return {"version": "of this repository"}
    try:
        return {"version": metadata.version(tool.package)}
    except metadata.PackageNotFoundError:
        return {"missing": "not installed"}


def main() -> int:
    """Ask the tool that is named."""
    parser = argparse.ArgumentParser(
        prog="benchmarks.truth.ask", description=__doc__.splitlines()[0]
    )
    parser.add_argument("tool")
    parser.add_argument(
        "--known", default="", help="a file of answers: ask only what it does not have"
    )
    chosen = parser.parse_args()
    tool, known = ACCOUNTANTS[chosen.tool.removesuffix(HEAD)], set()
    if chosen.known:
        kept = json.loads(Path(chosen.known).read_text(encoding="utf-8"))["accountants"]
        known = set(kept.get(chosen.tool, {}).get("answers", ()))
    found = about(tool)
    print(json.dumps(found), flush=True)
    if "missing" not in found:
        for entry in (entry for entry in read() if entry["name"] not in known):
            print(
                json.dumps({"name": entry["name"]} | answers(entry, tool.made)),
                flush=True,
            )
    return 0


if __name__ == "__main__":
    sys.exit(main())
