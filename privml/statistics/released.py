"""What a private statistic gives back: the answer, its interval, its guarantee."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, exp, log, log1p
from typing import Any

import numpy as np

from privml import _check as check
from privml._shown import Picture, card
from privml.distributions import DiscreteLaplace
from privml.guarantee import Guarantee


@dataclass(frozen=True)
class Released:
    """A private answer with its interval and its guarantee; everything in it may be published.

    Parameters
    ----------
    value : int, float or ndarray
        The answer.
    lower, upper : int, float, ndarray or None
        Ends of the interval; of a histogram all intervals hold at once.  None where none was asked for.
    coverage : float or None
        Probability, over noise (and sampling, if asked), that the interval holds.
    guarantee : Guarantee
        What the release promises, all its parts together.
    labels : sequence or None
        Names of the entries of a histogram.
    """

    value: Any
    lower: Any
    upper: Any
    coverage: float | None
    guarantee: Guarantee
    labels: Sequence[object] | None = None

    def _rows(self) -> list[tuple[str, str, str]]:
        labels = [""] if self.labels is None else [str(label) for label in self.labels]
        pairs = zip(np.atleast_1d(self.lower), np.atleast_1d(self.upper), strict=True)
        spans = ["" if self.coverage is None else f"[{low:.4g}, {high:.4g}]" for low, high in pairs]
        return list(zip(labels, [f"{value:.4g}" for value in np.atleast_1d(self.value)], spans, strict=True))

    def __str__(self) -> str:
        shown = "; ".join(
            f"{label}: {value}{span and ' in ' + span}".removeprefix(": ")
            for label, value, span in self._rows()
        )
        sure = "" if self.coverage is None else f" with probability {self.coverage:g}"
        return f"{shown}{sure}; {self.guarantee}"

    def _repr_html_(self) -> str:
        sure = "" if self.coverage is None else f"; intervals hold with probability {self.coverage:g}"
        return card(type(self).__name__, self._rows(), f"{self.guarantee}{sure}")

    def plot(self, axes: Any = None) -> Picture:
        """Picture of the answer and its interval, which a notebook shows; its ``save(file)`` writes it.

        Parameters
        ----------
        axes : matplotlib axes, optional
            Where to draw; None makes a figure.
        """
        values = np.atleast_1d(self.value)
        reach = None if self.coverage is None else np.abs([values - self.lower, values - self.upper])

        def draw(axes: Any) -> None:
            axes.errorbar(np.arange(values.size), values, reach, fmt="o")
            axes.set_xticks(np.arange(values.size), [label for label, *_ in self._rows()])
            sure = "" if self.coverage is None else f", intervals with probability {self.coverage:g}"
            axes.set(ylabel="released answer", title=f"epsilon = {self.guarantee.epsilon:g}{sure}")

        return Picture(draw, axes)


def half_width(noise: DiscreteLaplace, beta: float) -> int:
    """Least t such that the noise is beyond -t, ..., t with probability at most beta."""
    rate = float(1 / noise.scale)
    return max(0, ceil((log(2 / beta) - log1p(exp(-rate))) / rate * (1 + 1e-12)) - 1)


def each_of(beta: float, count: int) -> float:
    """Failure probability of each of so many independent intervals that hold together but for beta."""
    return float(-np.expm1(np.log1p(-beta) / count))


check.doors(__name__)
