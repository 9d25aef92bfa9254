"""What a tool says of an entry, and what adapters need of its steps: the only one, its size, its laws."""

from collections.abc import Callable
from math import log
from typing import NamedTuple


class Refused(Exception):
    """The tool has no way to book this entry; the reason says what it lacks."""


class Unasked(Exception):
    """The tool may have a way, but the adapter has not: this says nothing of the tool."""


class Claims(NamedTuple):
    """What a tool says of one entry; `delta` is None where it answers in one direction alone."""

    epsilon: Callable[[float], float]
    delta: Callable[[float], float] | None = None


class Accountant(NamedTuple):
    """A tool: its package, None for what is here, from an entry to its claims, and in words how it is asked."""

    package: str | None
    made: Callable[[dict], Claims]
    asked: str


def booked(steps: list[dict]) -> list[dict]:
    """Steps as a tool books them that knows one number at a time: each coordinate is a release."""
    return [
        step | {"times": step["times"] * step.get("coordinates", 1)} for step in steps
    ]


def size(step: dict) -> float:
    """Sensitivity over sigma or scale, of one coordinate."""
    return step["sensitivity"] / step["sigma" if "sigma" in step else "scale"]


def pure_epsilon(step: dict) -> float:
    """The epsilon of a step that has one."""
    if step["mechanism"] in ("pure", "exponential", "permute and flip"):
        return step["epsilon"]
    if step["mechanism"] == "randomised response":
        lie = step["share"] / step["categories"]
        return log((1 - step["share"] + lie) / lie)
    if step["mechanism"] == "laplace" and "sampling_rate" not in step:
        return size(step)
    if step["mechanism"] == "discrete laplace" and "sampling_rate" not in step:
        return step["parameter"] * step["sensitivity"]
    raise Refused(step["mechanism"] + (", sampled" if "sampling_rate" in step else ""))


def pair(step: dict) -> tuple[list[float], list[float]]:
    """Log-probabilities of a finite step, in floats."""
    import numpy as np

    if step["mechanism"] == "discrete laplace":
        a, s = step["parameter"], step["sensitivity"]
        end, peak = -np.log1p(np.exp(-a)), np.log(np.tanh(a / 2))
        p = [end, *(peak - a * x for x in range(1, s)), end - a * s]
    elif step["mechanism"] == "randomised response":
        lie, m = step["share"] / step["categories"], step["categories"]
        told = 1 - step["share"] + lie
        rest = [np.log((m - 2) * lie)] if m > 2 else []
        return [np.log(told), np.log(lie), *rest], [np.log(lie), np.log(told), *rest]
    else:
        epsilon = pure_epsilon(step)
        p = [-np.log1p(np.exp(-epsilon)), -np.log1p(np.exp(-epsilon)) - epsilon]
    return p, p[::-1]
