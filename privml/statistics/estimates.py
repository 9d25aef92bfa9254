"""What a private statistic gives back: the answer, its interval, its guarantee."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Decimal
from fractions import Fraction
from math import ceil, exp, expm1, log, log1p, nextafter
from typing import Any

import numpy as np

from privml import _check as check
from privml._display import Picture, html_card, rounded_down, rounded_up
from privml._rounding import LEAST_FLOAT, below, float_at_most
from privml.adjacency import Adjacency
from privml.distributions import DiscreteLaplace
from privml.guarantee import Guarantee
from privml.mechanisms import DiscreteLaplaceMechanism

LABEL_LETTERS = 40  # letters of labels that stand side by side in a picture
WIDTH_DIGITS = 3  # of the width of an interval, to which its ends are shown


@dataclass(frozen=True, eq=False)
class PrivateEstimate:
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

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        pairs = zip(vars(self).values(), vars(other).values(), strict=True)
        return all(np.array_equal(one, another) for one, another in pairs)

    def __hash__(self) -> int:
        return hash((self.guarantee, self.coverage))

    def _rows(self) -> list[tuple[str, str, str]]:
        labels = [""] if self.labels is None else [str(label) for label in self.labels]
        columns = (
            np.atleast_1d(column).tolist()
            for column in (self.value, self.lower, self.upper)
        )
        return [
            (label, *_texts(*numbers))
            for label, *numbers in zip(labels, *columns, strict=True)
        ]

    def _coverage_text(self, before: str) -> str:
        return "" if self.coverage is None else before + rounded_down(self.coverage)

    def __str__(self) -> str:
        text = "; ".join(
            f"{label}: {value}{span and ' in ' + span}".removeprefix(": ")
            for label, value, span in self._rows()
        )
        return f"{text}{self._coverage_text(' with probability ')}; {self.guarantee}"

    def _repr_html_(self) -> str:
        coverage = self._coverage_text("; intervals hold with probability ")
        return html_card(
            type(self).__name__, self._rows(), f"{self.guarantee}{coverage}"
        )

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
                rotation=90 * (len("".join(labels)) > LABEL_LETTERS),
            )
            title = f"epsilon = {rounded_up(self.guarantee.epsilon)}"
            axes.set(
                ylabel="released answer",
                title=title + self._coverage_text(", intervals with probability "),
            )

        return Picture(draw, axes)


def _texts(value: Any, low: Any, high: Any) -> tuple[str, str]:
    """A value and its interval in text: whole numbers in full, the ends of others rounded outwards."""
    if isinstance(value, int) or low is None:
        return repr(value).removesuffix(".0"), "" if low is None else f"[{low}, {high}]"
    numbers = [Decimal(repr(number)) for number in (value, low, high)]
    if width := numbers[2] - numbers[1]:
        unit = Decimal(1).scaleb(width.adjusted() - WIDTH_DIGITS + 1)
        roundings = ROUND_HALF_EVEN, ROUND_FLOOR, ROUND_CEILING
        numbers = [
            (x / unit).to_integral_value(rounding) * unit
            for x, rounding in zip(numbers, roundings, strict=True)
        ]
    value_text, low_text, high_text = (
        repr(float(number) + 0.0).removesuffix(".0") for number in numbers
    )
    return value_text, f"[{low_text}, {high_text}]"


class IntegerNoise:
    """What has discrete Laplace noise on integers that one record moves, all together, by at most `_sensitivity`."""

    epsilon: float
    adjacency: Adjacency
    _sensitivity = 1

    @property
    def _mechanism(self) -> DiscreteLaplaceMechanism:
        return DiscreteLaplaceMechanism(
            epsilon=self.epsilon,
            sensitivity=self._sensitivity,
            adjacency=self.adjacency,
        )

    @property
    def guarantee(self) -> Guarantee:
        """What one release promises."""
        return self._mechanism.guarantee


def covering(beta: float) -> tuple[float, float]:
    """A coverage below 1 to promise for a failure probability, and the one that it leaves, at most beta."""
    coverage = min(1 - beta, nextafter(1.0, 0.0))
    return coverage, min(beta, float_at_most(1 - Fraction(coverage)))


def half_width(noise: DiscreteLaplace, beta: float) -> int:
    """Least t such that the noise is beyond -t, ..., t with probability at most beta, but for rounding."""
    rate = float(1 / noise.scale)
    exponent = log(2) - log(beta) - log1p(exp(-rate)) + 1e-15
    return max(0, ceil(exponent / rate * (1 + 1e-12)) - 1)


def per_interval_beta(beta: float, count: int) -> float:
    """Failure probability of each of so many independent intervals that hold together but for beta."""
    return beta if count == 1 else max(below(-expm1(log1p(-beta) / count)), LEAST_FLOAT)


check.wrap_module(__name__)
