"""What a question of `benchmarks.peers` is, to ours, the floors and the peers.

A *floor* is plain numpy or scipy that checks nothing and promises nothing.  An answer is a function that
makes the tool ready and returns what is timed; imports stand inside, so that a missing peer fails alone.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

EPSILON, DELTA, K, STEP, SIGMA = 1.0, 1e-5, 1000, 0.05, 50.0
MANY = 100_000


class Answer(NamedTuple):
    """One tool: `make` returns the call to time, which does this share of the work."""

    tool: str
    make: Callable[[], Callable[[], Any]]
    share: float = 1.0
    number: Callable[[Any], float] | None = None
    note: str = ""


class Question(NamedTuple):
    """One question, the same to all; `most` bounds the repetitions of a slow one."""

    name: str
    answers: list[Answer]
    most: int = 99


def opendp():
    """OpenDP, with the features that its mechanisms ask for."""
    import opendp.prelude as dp

    dp.enable_features("contrib")
    return dp


def repeated(
    call: Callable[[float], Any], times: int, value: float = 0.0
) -> Callable[[], Any]:
    """A loop over a tool that gives one number a call."""
    return lambda: [call(value) for _ in range(times)]
