"""Timing two functions in turn, and the table that comes of it."""

import os
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

REST = 1.5  # at this load or more nothing is written


def load() -> list[float] | None:
    """How many processes wanted to run, on average over one, five and fifteen minutes."""
    return [round(x, 2) for x in os.getloadavg()] if hasattr(os, "getloadavg") else None


def need_rest(now: list[float] | None) -> None:
    """End the run where other work would be measured as well."""
    if now and now[0] >= REST:
        raise SystemExit(
            f"nothing is written: the load is {now[0]:g}, and at rest it is below {REST:g}"
        )


@dataclass(frozen=True)
class Case:
    """One comparison: `ours` against `floor` (a ratio), or against a limit in seconds alone."""

    name: str
    ours: Callable[[], object]
    floor: Callable[[], object] | None = None
    most_ratio: float | None = None
    most_seconds: float | None = None
    repeats: int = 15


@dataclass(frozen=True)
class Row:
    """What a case measured, in seconds."""

    name: str
    ours: float
    floor: float | None
    ratio: float | None
    target: str
    met: bool | None


def _seconds(function: Callable[[], object]) -> float:
    start = time.perf_counter()
    function()
    return time.perf_counter() - start


def _calls_for(function: Callable[[], object], at_least: float = 2e-3) -> int:
    """How many calls make a measurement long enough for the clock."""
    return max(1, int(at_least / max(_seconds(function), 1e-7)))


def measure(case: Case) -> Row:
    """Medians over repeats in which ours and the floor are called in turn, and the median of their ratios."""
    calls = _calls_for(case.ours)
    floor_calls = _calls_for(case.floor) if case.floor else 0
    ours, floors = [], []
    for _ in range(case.repeats):
        ours.append(_seconds(lambda: [case.ours() for _ in range(calls)]) / calls)
        if case.floor:
            floors.append(
                _seconds(lambda: [case.floor() for _ in range(floor_calls)])
                / floor_calls
            )
    ratio = (
        statistics.median(a / b for a, b in zip(ours, floors, strict=True))
        if floors
        else None
    )
    return _row(
        case,
        statistics.median(ours),
        statistics.median(floors) if floors else None,
        ratio,
    )


def _row(case: Case, ours: float, floor: float | None, ratio: float | None) -> Row:
    targets, met = [], []
    if case.most_ratio is not None:
        targets.append(f"<= {case.most_ratio:g} x")
        met.append(ratio <= case.most_ratio)
    if case.most_seconds is not None:
        targets.append(f"< {readable(case.most_seconds)}")
        met.append(ours < case.most_seconds)
    return Row(
        case.name, ours, floor, ratio, ", ".join(targets), all(met) if met else None
    )


def readable(seconds: float | None) -> str:
    """A duration with its unit, three digits."""
    if seconds is None:
        return "-"
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"


def line(row: Row) -> str:
    """One line of the table."""
    ratio = "-" if row.ratio is None else f"{row.ratio:.2f} x"
    verdict = {True: "met", False: "MISSED", None: ""}[row.met]
    times = f"{readable(row.ours):>10}{readable(row.floor):>10}{ratio:>10}"
    return f"{row.name:<62}{times}  {row.target:<12}{verdict}".rstrip()


HEADING = f"{'case':<62}{'ours':>10}{'floor':>10}{'ratio':>10}  target"
