"""Ours, floors and the peers on the same questions, in turn: ``make bench PEERS=1``.

It runs in an environment of its own (`benchmarks/peers.txt`) and writes peers.csv and peers.json.  A peer
that is missing, or that fails, has a line that says so.  What a tool builds once is not timed.  In each
repetition all tools are asked one after another, and what is measured is processor time, of this process and
of those that it starts, so that other work on the machine changes little; the least of each counts.  Answers
that are numbers stand beside the times: a fast wrong answer is none.
"""

import argparse
import contextlib
import csv
import io
import json
import os
import platform
import resource
import sys
import time
import warnings
from collections.abc import Callable
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import NamedTuple

from benchmarks import accounts, draws, whole
from benchmarks.questions import Answer, Question
from benchmarks.timing import load, need_rest

HERE = Path(__file__).resolve().parent
PACKAGES = (
    "numpy",
    "scipy",
    "scikit-learn",
    "diffprivlib",
    "opendp",
    "dp-accounting",
    "autodp",
)
PACKAGES += ("prv-accountant",)
QUESTIONS = [*draws.QUESTIONS, *accounts.QUESTIONS, *whole.QUESTIONS]
ENOUGH = 5e-3  # seconds of calls in a row that make a measurement
COLUMNS = ("question", "tool", "seconds", "times_ours", "answer", "note")


class Asked(NamedTuple):
    """A tool that is ready to be timed: what to call, how often in a row, which share of the work it does."""

    tool: str
    call: Callable[[], object]
    calls: int
    share: float
    answer: float | None
    note: str


def spent() -> float:
    """Processor time so far, of this process and of those that it waited for, in seconds."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def seconds_of(call: Callable[[], object], calls: int) -> float:
    """Processor time of one call, over some calls in a row."""
    start = spent()
    for _ in range(calls):
        call()
    return (spent() - start) / calls


def quietly(function: Callable[[], object]) -> object:
    """Call without what the tool prints or warns of."""
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        with contextlib.redirect_stderr(io.StringIO()):
            return function()


def ready(answer: Answer) -> Asked | dict:
    """A tool made ready, with its first answer; or the line of one that cannot answer."""
    try:
        call = quietly(answer.make)
        found = quietly(call)
        calls = max(1, int(ENOUGH / max(quietly(lambda: seconds_of(call, 1)), 1e-7)))
    except Exception as error:  # a peer that is broken must not end the run
        missing = isinstance(error, ModuleNotFoundError)
        return {
            "tool": answer.tool,
            "note": "not installed" if missing else f"fails: {type(error).__name__}",
        }
    number = None if answer.number is None else float(answer.number(found))
    return Asked(answer.tool, call, calls, answer.share, number, answer.note)


def measured(question: Question, repetitions: int) -> list[dict]:
    """The lines of one question: the least time of each tool over repetitions that ask all in turn."""
    tools = [ready(answer) for answer in question.answers]
    asked = [tool for tool in tools if isinstance(tool, Asked)]
    least = dict.fromkeys((tool.tool for tool in asked), float("inf"))
    for _ in range(min(repetitions, question.most)):
        for tool in asked:
            seconds = quietly(lambda tool=tool: seconds_of(tool.call, tool.calls))
            least[tool.tool] = min(least[tool.tool], seconds / tool.share)
    ours = least["privml"]
    lines = []
    for tool in tools:
        line = {
            "question": question.name,
            "tool": tool["tool"] if isinstance(tool, dict) else tool.tool,
        }
        if isinstance(tool, dict):
            lines.append(line | {"note": tool["note"]})
            continue
        seconds = least[tool.tool]
        answer = "" if tool.answer is None else f"{tool.answer:.6g}"
        times = {"seconds": f"{seconds:.3g}", "times_ours": f"{seconds / ours:.3g}"}
        lines.append(line | times | {"answer": answer, "note": tool.note})
    return lines


def processor() -> str:
    """The name of the processor, where the system tells it."""
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8")
        named = (
            line.partition(":")
            for line in text.splitlines()
            if line.startswith("model name")
        )
        return next(named)[2].strip()
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def version(package: str) -> str | None:
    """Of an installed package."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def main() -> int:
    """Ask, print, and write the table; `benchmarks.table` makes the page and the picture of it."""
    parser = argparse.ArgumentParser(
        prog="benchmarks.peers", description=__doc__.splitlines()[0]
    )
    parser.add_argument("--repetitions", type=int, default=9)
    chosen = parser.parse_args()
    before, lines = load(), []
    need_rest(before)
    for question in QUESTIONS:
        lines += measured(question, chosen.repetitions)
        for line in (line for line in lines if line["question"] == question.name):
            print(
                "  ".join(str(line.get(column, "")) for column in COLUMNS), flush=True
            )
    after = load()
    need_rest(after)
    with (HERE / "peers.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n", restval="")
        writer.writeheader()
        writer.writerows(lines)
    about = {
        "command": "make bench PEERS=1",
        "date": datetime.now(UTC).date().isoformat(),
        "processor": processor(),
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "versions": {package: version(package) for package in PACKAGES},
        "repetitions": chosen.repetitions,
        "load_before": before,
        "load_after": after,
    }
    (HERE / "peers.json").write_text(
        json.dumps(about, indent=2) + "\n", encoding="utf-8"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
