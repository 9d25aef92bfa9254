r"""The discrete Gaussian law on the integers: normaliser, tails in log space, and an exact sampler.

**Sums.**  The normaliser :math:`Z = \sum_k e^{-k^2 / (2 v)}` is summed as it stands for small variance
parameters v; otherwise by Poisson's formula, :math:`Z = \sqrt{2 \pi v} \sum_k e^{-2 \pi^2 v k^2}`.  An upper
tail :math:`\sum_{k \ge a} e^{-k^2 / (2 v)}` is summed from its first, largest term on; where that would take
thousands of terms, the Euler-Maclaurin formula at the midpoint a - 1/2 replaces the sum by a Gaussian tail
and three corrections, and the rest is below one unit in the last place.

**Draws.**  Proposals of a discrete Laplace law are accepted by one exact coin per binary digit of an integer,
as the chapter on noise proves; about three in four are accepted when v is large.
"""

from dataclasses import dataclass, field
from fractions import Fraction
from math import isqrt

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml.coins import SMALLEST_RATE, exponential_coins, geometric
from privml.distributions.noise import SymmetricDistribution, both_tails, distance

PROPOSALS = 1 << 18  # at a time
EXACT_SQUARE = 1 << 31  # integers below this have products of 64 bits
NEGLIGIBLE = 40.0  # terms e^-40 below the largest do not change a sum of a few thousand


def _log_normaliser(variance: float) -> float:
    """Log of the sum of exp(-k^2 / (2 variance)) over all integers k."""
    k = np.arange(1, 13)
    if variance < 1:
        return float(np.log1p(2 * np.exp(-(k**2) / (2 * variance)).sum()))
    dual = np.exp(-2 * np.pi**2 * variance * k**2).sum()
    return float(np.log(2 * np.pi * variance) / 2 + np.log1p(2 * dual))


def _log_tail_by_terms(first: NDArray, variance: float) -> NDArray[np.float64]:
    """Log of the sum of exp(-k^2 / (2 variance)) over k >= first >= 1, term by term."""
    lowest = float(first.min())
    n_terms = int(np.sqrt(lowest**2 + 2 * NEGLIGIBLE * variance) - lowest) + 2
    total, offsets = np.empty(first.size), np.arange(n_terms, dtype=float)
    rows = max(1, PROPOSALS // n_terms)
    for start in range(0, first.size, rows):
        block = first[start : start + rows, None]
        total[start : start + rows] = np.exp(
            -offsets * (2 * block + offsets) / (2 * variance)
        ).sum(axis=1)
    return np.log(total) - first**2 / (2 * variance)


def _log_tail_by_integral(first: NDArray, variance: float) -> NDArray[np.float64]:
    """The same by Euler-Maclaurin, for large variance and first / variance below 0.03."""
    from scipy.special import erfcx, log_ndtr

    sigma = np.sqrt(variance)
    u = (first - 0.5) / sigma
    corrections = -u / (24 * sigma) + 7 * (u**3 - 3 * u) / (5760 * sigma**3)
    corrections -= 31 * (u**5 - 10 * u**3 + 15 * u) / (967680 * sigma**5)
    integral = sigma * np.sqrt(np.pi / 2) * erfcx(u / np.sqrt(2))
    return (
        log_ndtr(-u)
        + np.log(2 * np.pi * variance) / 2
        + np.log1p(corrections / integral)
    )


def _log_tail(first: NDArray, variance: float) -> NDArray[np.float64]:
    by_integral = (first < 0.03 * variance) & (variance >= 2**16)
    total = np.empty(first.shape)
    for chosen, method in (
        (by_integral, _log_tail_by_integral),
        (~by_integral, _log_tail_by_terms),
    ):
        if chosen.any():
            total[chosen] = method(first[chosen], variance)
    return total


def _half_products(x: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Digits (high, low) in base 2^61 of x (x - 1) / 2, for integers of at most 61 bits."""
    x = np.maximum(x, 1 - x)  # the same product
    top, rest = x >> 31, x & (1 << 31) - 1
    middle = top * (
        2 * rest - 1
    )  # x (x - 1) / 2 = 2^61 top^2 + 2^30 middle + rest (rest - 1) / 2
    low = ((middle & (1 << 31) - 1) << 30) + (rest * (rest - 1) >> 1)
    return top * top + (middle >> 31) + (low >> 61), low & (1 << 61) - 1


@dataclass(frozen=True, eq=False)
class DiscreteGaussian(SymmetricDistribution):
    r"""Law on the integers with probability proportional to :math:`e^{-(k - a)^2 / (2 v)}`.

    Draws are exact; see the module.

    Parameters
    ----------
    location : int or ndarray of int
        The answer a without noise.
    variance : int, Fraction or float
        Variance parameter v, positive, at most 2^94, read as an exact fraction.  The variance of the law is
        slightly smaller; from v = 1 on the difference is below 10^-6.

    References
    ----------
    Canonne, Kamath and Steinke (2020), Definition 1; they draw by another algorithm.

    Examples
    --------
    >>> from fractions import Fraction
    >>> law = DiscreteGaussian(10, variance=Fraction(9, 4))
    >>> np.exp(law.logpmf([9, 10, 11])).round(6).tolist(), law.rvs(5, rng=1).tolist()
    ([0.212965, 0.265962, 0.212965], [11, 8, 11, 9, 9])
    """

    location: ArrayLike = field(default=0, repr=False)
    variance: Fraction = field(default=Fraction(1), kw_only=True)
    _step = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(
            self, "variance", check.positive_rational(variance=self.variance)
        )
        if self.variance * SMALLEST_RATE**2 * 4 > 1:
            raise ValueError(
                f"variance must be at most 2^94, but got {float(self.variance)!r}."
            )

    def logpmf(self, points: ArrayLike) -> NDArray[np.float64]:
        """Natural log-probability of each of `points`; minus infinity between the integers."""
        noise = distance(points, self.location).astype(float)
        variance = float(self.variance)
        logpmf = -(noise**2) / (2 * variance) - _log_normaliser(variance)
        return np.where(noise == np.floor(noise), logpmf, -np.inf)

    def _log_cdf(self, noise: NDArray) -> NDArray[np.float64]:
        below = np.less(noise, 0)
        first = np.where(below, np.negative(noise), np.add(noise, 1)).astype(float)
        variance = float(self.variance)
        return both_tails(below, _log_tail(first, variance) - _log_normaliser(variance))

    def _noise(
        self, shape: tuple[int, ...], rng: np.random.Generator
    ) -> NDArray[np.int64]:
        missing, accepted = int(np.prod(shape)), []
        while missing:
            drawn = self._accepted(min(PROPOSALS, missing + missing // 2 + 16), rng)[
                :missing
            ]
            accepted.append(drawn)
            missing -= drawn.size
        return np.concatenate(accepted or [np.empty(0, dtype=np.int64)]).reshape(shape)

    def _accepted(self, proposals: int, rng: np.random.Generator) -> NDArray[np.int64]:
        """Those of the proposals that are accepted."""
        mode = isqrt(int(self.variance))
        both = geometric((2 * mode + 1) / (2 * self.variance), 2 * proposals, rng)
        drawn = both[:proposals] - both[proposals:]
        excess = np.abs(drawn) - mode
        if np.abs(excess).max() < EXACT_SQUARE:
            return drawn[
                exponential_coins(1 / self.variance, excess * (excess - 1) >> 1, rng)
            ]
        high, low = _half_products(excess)
        kept = np.flatnonzero(exponential_coins(2**61 / self.variance, high, rng))
        return drawn[kept[exponential_coins(1 / self.variance, low[kept], rng)]]


check.wrap_module(__name__)
