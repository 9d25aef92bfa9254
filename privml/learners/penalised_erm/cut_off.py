r"""Gaussians with covariance I / precision that are cut off at a ball or a box: their draws and their means.

A draw on a ball is a rejection whose rounds are bounded.  It may come back empty, with probability at most
one half wherever the mean lies: p, the squared distance from the axis through the mean, is drawn from a Gamma
with shape ``a = (d - 1) / 2`` whose mean is where its envelope touches.  From there down to 1 / rate below
it the envelope is at most e times too high, so a draw is accepted with probability at least

.. math:: \frac1e \Pr[a - 1 \le G \le a] , \qquad G \sim \mathrm{Gamma}(a) .
"""

from functools import cache
from math import ceil, exp, inf, log, log1p, pi, sqrt

import numpy as np
from numpy.typing import NDArray

from privml import _check as check

EDGE, TOP, TIGHT = 1e-9, 1e-6, 1e-12
"""Rounding allowed at the boundary, and of the place where an envelope touches, relative to the set."""
SMALLEST = 1e-300  # a square length that may be divided by
ZOOMS, PLACES, NODES, DEEP = 4, 65, 100, 50.0
"""Of a quadrature along the axis: how often the places shrink to those where the density is not tiny."""
WIDENING = 4  # candidates for each draw that is wanted


def rounds(dimension: int, size: int) -> int:
    """Rounds in which draws on a ball are tried: all fail with probability at most one half.

    Examples
    --------
    >>> rounds(2, 4), rounds(100, 4), rounds(10_000, 4)
    (1, 3, 21)
    """
    from scipy.special import gammainc

    if dimension == 1:
        return 1
    shape = (dimension - 1) / 2
    accepted = exp(-1) * float(
        gammainc(shape, shape) - gammainc(shape, max(shape - 1, 0.0))
    )
    return ceil(log(2) / (-log1p(-accepted) * WIDENING * size))


class Chords:
    """Across the axis of a Gaussian on a ball: p is the squared distance, its chord has half-length r(p).

    The mass of the chord is log-concave in p, so its tangent is an envelope, under which p is a Gamma.
    """

    def __init__(
        self, radius: float, dimension: int, far: float, precision: float
    ) -> None:
        self.radius, self.dimension, self.far = radius, dimension, far
        self.precision, self.root = precision, np.sqrt(precision)

    def half(self, p: NDArray | float) -> NDArray:
        """Half of the length of the chord."""
        return np.sqrt(np.maximum(self.radius**2 - p, (EDGE * self.radius) ** 2))

    def log_mass(self, p: NDArray | float) -> NDArray:
        """Logarithm of the Gaussian mass of the chord."""
        from scipy.special import log_ndtr

        upper, lower = (
            log_ndtr(self.root * (sign * self.half(p) - self.far)) for sign in (1, -1)
        )
        return upper + np.log(-np.expm1(lower - upper))

    def steepness(self, p: float) -> float:
        """Minus the derivative of `log_mass`."""
        half = self.half(p)
        ends = (
            -((self.root * (np.array([1, -1]) * half - self.far)) ** 2) / 2
            - log(2 * pi) / 2
        )
        return float(np.exp(ends - self.log_mass(p)).sum() * self.root / (2 * half))

    def draws(self, size: int, rng: np.random.Generator) -> NDArray:
        """At most `size` squared distances, none with probability at most one half."""
        from scipy.optimize import brentq

        d, top = self.dimension, (1 - TOP) * self.radius**2
        if d == 1:
            return np.zeros(size)
        p0 = brentq(
            lambda p: p * (self.precision + 2 * self.steepness(p)) - (d - 1),
            0.0,
            top,
            rtol=TIGHT,
        )
        slope, level = self.steepness(p0), self.log_mass(p0)
        for _ in range(rounds(d, size)):
            p = rng.gamma(
                (d - 1) / 2, 1 / (self.precision / 2 + slope), size=WIDENING * size
            )
            p = p[p < self.radius**2]
            p = p[
                np.log(rng.random(p.size)) < self.log_mass(p) - level + slope * (p - p0)
            ]
            if p.size:
                break
        return p[:size]


def ball_draws(
    radius: float, mean: NDArray, precision: float, size: int, rng: np.random.Generator
) -> NDArray[np.float64]:
    """Draws on the ball around 0, at most `size`: along the mean t, across it p."""
    from scipy.stats import truncnorm

    d, far = mean.size, float(np.linalg.norm(mean))
    along, chords = (
        mean / far if far else np.eye(d)[0],
        Chords(radius, d, far, precision),
    )
    p, scale = chords.draws(size, rng), precision**-0.5
    ends = chords.half(p)
    t = truncnorm.rvs(
        (-ends - far) / scale,
        (ends - far) / scale,
        far,
        scale,
        size=p.size,
        random_state=rng,
    )
    V = rng.normal(size=(p.size, d))
    V -= (V @ along)[:, None] * along
    V *= np.sqrt(p / np.maximum((V * V).sum(axis=1), SMALLEST))[:, None]
    return V + t[:, None] * along


def _log_inside(shape: float, x: NDArray) -> NDArray[np.float64]:
    """Logarithm of the regularised lower incomplete gamma function, also where that underflows."""
    from scipy.special import gammainc, gammaln, hyp1f1

    low = np.minimum(x, shape)
    with np.errstate(divide="ignore"):
        small = (
            shape * np.log(low)
            - low
            - gammaln(shape + 1)
            + np.log(hyp1f1(1.0, shape + 1, low))
        )
        return np.where(x < shape, small, np.log(gammainc(shape, x)))


@cache
def _rule() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    return np.polynomial.legendre.leggauss(NODES)


def ball_mean(radius: float, mean: NDArray, precision: float) -> NDArray[np.float64]:
    """Mean of the Gaussian on the ball around 0, by quadrature along the axis.

    Examples
    --------
    >>> ball_mean(1.0, np.array([0.5, 0.0]), 1e-9).round(6).tolist()  # about uniform
    [0.0, 0.0]
    >>> ball_mean(9.0, np.array([0.5, 0.0]), 100.0).round(6).tolist()
    [0.5, 0.0]
    """
    d, far = mean.size, float(np.linalg.norm(mean))
    if not far or d == 1:
        return (
            box_mean(np.array([-radius]), np.array([radius]), mean, precision)
            if far
            else np.zeros(d)
        )
    if (
        far < radius and precision * (radius - far) ** 2 > 2 * d + 4 * DEEP
    ):  # next to no mass outside
        return mean

    def log_density(t: NDArray) -> NDArray:
        left = np.maximum((radius - t) * (radius + t), 0.0)
        return (
            _log_inside((d - 1) / 2, precision * left / 2)
            - precision * t * (t - 2 * far) / 2
        )

    low, high = -radius, radius
    for _ in range(ZOOMS):
        places = np.linspace(low, high, PLACES)
        logs = log_density(places)
        relevant = np.flatnonzero(logs > logs.max() - DEEP)
        low, high = (
            places[max(relevant[0] - 1, 0)],
            places[min(relevant[-1] + 1, PLACES - 1)],
        )
    x, w = _rule()
    t = (low + high) / 2 + (high - low) / 2 * x
    logs = log_density(t)
    weights = w * np.exp(logs - logs.max())
    return float(weights @ t / weights.sum()) * mean / far


def box_mean(
    lower: NDArray, upper: NDArray, mean: NDArray, precision: float
) -> NDArray[np.float64]:
    """Mean of the Gaussian on a box, side by side.

    Examples
    --------
    >>> box_mean(np.array([0.0]), np.array([np.inf]), np.array([0.0]), 1.0).round(6).tolist()
    [0.797885]
    """
    from scipy.special import log_ndtr

    root = sqrt(precision)
    a, b = root * (lower - mean), root * (upper - mean)
    turned = a > 0  # into the lower tail, where logarithms are exact
    a, b, sign = (
        np.where(turned, -b, a),
        np.where(turned, -a, b),
        np.where(turned, -1.0, 1.0),
    )
    log_mass = log_ndtr(b) + np.log(-np.expm1(log_ndtr(a) - log_ndtr(b)))
    heights = [
        np.exp(np.where(abs(z) < inf, -z * z / 2, -inf) - log_mass) for z in (a, b)
    ]
    return np.clip(
        mean + sign * (heights[0] - heights[1]) / (root * sqrt(2 * pi)), lower, upper
    )


check.wrap_module(__name__)
