"""What a private statistic gives back: the answer, its interval, its guarantee."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Decimal
from math import ceil, exp, log, log1p
from typing import Any

import numpy as np

from privml import _check as check
from privml._shown import Picture, card, rounded_down, rounded_up
from privml.adjacency import Adjacency
from privml.distributions import DiscreteLaplace
from privml.guarantee import Guarantee
from privml.mechanisms import DiscreteLaplaceMechanism

ROOM = 40  # letters of labels that stand side by side in a picture
WIDTH_DIGITS = 3  # of the width of an interval, to which its ends are shown


@dataclass(frozen=True)
class Released:
    """A private answer with its interval and its guarantee; everything in it may be published.

    It shows whole numbers in full, others to three digits of the width, with ends rounded outwards: what is
    shown holds as often as what is stored.

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
        columns = (
            np.atleast_1d(each).tolist()
            for each in (self.value, self.lower, self.upper)
        )
        return [
            (label, *_texts(*one)) for label, *one in zip(labels, *columns, strict=True)
        ]

    def _sure(self, before: str) -> str:
        return "" if self.coverage is None else before + rounded_down(self.coverage)

    def __str__(self) -> str:
        shown = "; ".join(
            f"{label}: {value}{span and ' in ' + span}".removeprefix(": ")
            for label, value, span in self._rows()
        )
        return f"{shown}{self._sure(' with probability ')}; {self.guarantee}"

    def _repr_html_(self) -> str:
        sure = self._sure("; intervals hold with probability ")
        return card(type(self).__name__, self._rows(), f"{self.guarantee}{sure}")

    def plot(self, axes: Any = None) -> Picture:
        """Picture of the answer and its interval, which a notebook shows; its ``save(file)`` writes it.

        Parameters
        ----------
        axes : matplotlib axes, optional
            Where to draw; None makes a figure.
        """
        values = np.atleast_1d(self.value)
        reach = (
            None
            if self.coverage is None
            else np.abs([values - self.lower, values - self.upper])
        )

        def draw(axes: Any) -> None:
            axes.errorbar(np.arange(values.size), values, reach, fmt="o")
            labels = [label for label, *_ in self._rows()]
            axes.set_xticks(
                np.arange(values.size),
                labels,
                rotation=90 * (len("".join(labels)) > ROOM),
            )
            title = f"epsilon = {rounded_up(self.guarantee.epsilon)}"
            axes.set(
                ylabel="released answer",
                title=title + self._sure(", intervals with probability "),
            )

        return Picture(draw, axes)


def _texts(value: Any, low: Any, high: Any) -> tuple[str, str]:
    """A value and its interval in text: whole numbers in full, the ends of others rounded outwards."""
    if isinstance(value, int) or low is None:
        return repr(value).removesuffix(".0"), "" if low is None else f"[{low}, {high}]"
    numbers = [Decimal(repr(each)) for each in (value, low, high)]
    if width := numbers[2] - numbers[1]:
        unit = Decimal(1).scaleb(width.adjusted() - WIDTH_DIGITS + 1)
        ways = ROUND_HALF_EVEN, ROUND_FLOOR, ROUND_CEILING
        numbers = [
            (x / unit).to_integral_value(way) * unit
            for x, way in zip(numbers, ways, strict=True)
        ]
    shown, least, most = (
        repr(float(number) + 0.0).removesuffix(".0") for number in numbers
    )
    return shown, f"[{least}, {most}]"


class IntegerNoise:
    """What has discrete Laplace noise on integers that one record moves, all together, by at most `_by`."""

    epsilon: float
    adjacency: Adjacency
    _by = 1

    @property
    def _mechanism(self) -> DiscreteLaplaceMechanism:
        return DiscreteLaplaceMechanism(
            epsilon=self.epsilon, sensitivity=self._by, adjacency=self.adjacency
        )

    @property
    def guarantee(self) -> Guarantee:
        """What one release promises."""
        return self._mechanism.guarantee


def half_width(noise: DiscreteLaplace, beta: float) -> int:
    """Least t such that the noise is beyond -t, ..., t with probability at most beta."""
    rate = float(1 / noise.scale)
    return max(0, ceil((log(2 / beta) - log1p(exp(-rate))) / rate * (1 + 1e-12)) - 1)


def each_of(beta: float, count: int) -> float:
    """Failure probability of each of so many independent intervals that hold together but for beta."""
    return float(-np.expm1(np.log1p(-beta) / count))


check.doors(__name__)
