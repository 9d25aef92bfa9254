"""Privacy curves of laws on the line that have densities, by quadrature with its error.

The value is the integral of ``max(0, p - e^epsilon q)``, which has a kink wherever the privacy loss crosses
epsilon.  An adaptive rule that does not know the kinks can be wrong by a thousand times its own estimate of
the error.  So the rule is run, the crossings are read off the nodes that it chose and refined, and it is run
again with the crossings as end points of its intervals, until no node shows a new one: on each interval the
integrand is smooth.

The densities are integrated on the same nodes: what their integrals lack of 1 is probability that the
quadrature has not seen, and it is added to the error.  Closed forms, where there are some, are preferred
(:mod:`~privml.divergences.gaussian`, :mod:`~privml.divergences.laplace`).
"""

from collections.abc import Callable, Sequence
from numbers import Real
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check

_ROUNDS = 6
_ROUNDING = 1e-12


class Estimate(NamedTuple):
    """A computed value and a bound on how far it may be from the exact one."""

    value: NDArray[np.float64] | float
    error: NDArray[np.float64] | float


class _Excess:
    """The integrand, which remembers the privacy loss at every node where it was asked."""

    def __init__(self, log_p: Callable, log_q: Callable, epsilon: NDArray) -> None:
        self._log_p, self._log_q, self._epsilon = log_p, log_q, epsilon
        self._losses: dict[float, float] = {}

    def loss(self, x: float) -> float:
        at_p, at_q = float(self._log_p(x)), float(self._log_q(x))
        return at_p - at_q if at_p > -np.inf else -np.inf

    def __call__(self, x: float) -> NDArray[np.float64]:
        """At x: the excess for each epsilon, then both densities."""
        at_p, at_q = float(self._log_p(x)), float(self._log_q(x))
        if at_p == -np.inf:
            return np.append(np.zeros(self._epsilon.size + 1), np.exp(at_q))
        self._losses[x] = at_p - at_q
        excess = -np.expm1(np.minimum(self._epsilon - (at_p - at_q), 0.0))
        return np.concatenate([np.exp(at_p) * excess, np.exp([at_p, at_q])])

    def crossings(self) -> list[float]:
        """Where the loss crosses an epsilon, between neighbouring nodes so far."""
        nodes = np.array(sorted(self._losses))
        losses = np.array([self._losses[x] for x in nodes])
        found = []
        for epsilon in self._epsilon:
            above = losses > epsilon
            far = np.abs(losses - epsilon) > _ROUNDING  # rounding on a plateau at epsilon is no crossing
            for left in np.flatnonzero((above[1:] != above[:-1]) & (far[1:] | far[:-1])):
                found.append(self._crossing(epsilon, nodes[left], nodes[left + 1]))
        return found

    def _crossing(self, epsilon: float, left: float, right: float) -> float:
        """A point where the loss goes from one side of epsilon to the other, to the last place."""
        is_above = self.loss(left) > epsilon
        while left < (middle := left + (right - left) / 2) < right:
            left, right = (middle, right) if (self.loss(middle) > epsilon) == is_above else (left, middle)
        return right


def _is_known(point: float, known: Sequence[float]) -> bool:
    return any(abs(point - other) <= 1e-12 * max(1.0, abs(other)) for other in known)


def density_hockey_stick(
    log_p: Callable[[float], float],
    log_q: Callable[[float], float],
    epsilon: ArrayLike,
    *,
    lower: float = -np.inf,
    upper: float = np.inf,
    breaks: Sequence[float] = (),
    tolerance: float = 1e-10,
) -> Estimate:
    """Hockey-stick divergence of two densities on an interval, with its error.

    **Returns.** Estimate: ``value`` and ``error``, floats or arrays like `epsilon`.  The error is the
    estimate of the adaptive rule, on smooth pieces usually several orders too large, plus the probability not
    seen.
    **Source.** WLF16-def-27 for continuous outputs.

    Parameters
    ----------
    log_p, log_q : callable
        Natural logarithms of the densities at a number; minus infinity where they vanish.
    epsilon : array_like
        In nats, any finite numbers; all are computed in one pass.
    lower, upper : float
        Ends of the interval that carries both laws; infinite by default.
    breaks : sequence of float
        Points where a density jumps, bends or peaks.
    tolerance : float
        Absolute error aimed at.

    Examples
    --------
    A normal density against one of another width, for which there is no simple formula:

    >>> from privml.distributions import Gaussian
    >>> wide, narrow = Gaussian(0.0, sigma=1.5), Gaussian(0.0, sigma=1.0)
    >>> found = density_hockey_stick(wide.logpdf, narrow.logpdf, [0.0, 1.0])
    >>> found.value.round(6).tolist(), bool((found.error < 1e-8).all())
    ([0.19358, 0.067155], True)
    """
    from scipy.integrate import quad_vec

    check.positive(tolerance=tolerance)
    check.function(log_p=log_p, log_q=log_q)
    breaks = check.numbers(breaks=breaks).ravel()
    if not (isinstance(lower, Real) and isinstance(upper, Real)):
        raise ValueError(f"lower and upper must be numbers, got {lower!r} and {upper!r}")
    epsilon = check.numbers(epsilon=epsilon)
    if not np.isfinite(epsilon).all():
        raise ValueError(f"epsilon must be finite, got {epsilon!r}")
    if not lower < upper:
        raise ValueError(f"lower must be below upper, got {lower!r} and {upper!r}")
    excess = _Excess(log_p, log_q, epsilon.ravel())
    ends = [float(point) for point in breaks if lower < point < upper]
    for _ in range(_ROUNDS):
        found, error = quad_vec(
            excess, lower, upper, epsabs=tolerance, epsrel=0.0, norm="max", limit=2000, points=ends or None
        )
        new = [point for point in excess.crossings() if not _is_known(point, ends)]
        if not new:
            break
        ends += new
    unseen = abs(1 - found[-2]) + np.minimum(np.exp(np.minimum(epsilon, 700.0)) * abs(1 - found[-1]), 1.0)
    value, bound = found[:-2].reshape(epsilon.shape), error + unseen
    return Estimate(float(value), float(bound)) if value.ndim == 0 else Estimate(value, bound)
