"""The exact composition of k bounded-range mechanisms that are fixed in advance.

The worst steps are all the same *skewed response*: loss t - epsilon with probability
``(e^t - 1) / (e^epsilon - 1)``, loss t otherwise.  With J small losses, binomial under both laws P and Q,
delta is the largest over l of ``F_l(t) = P_t(J <= l) - e^total Q_t(J <= l)``, and F_l has its maximum at
``t = (total + (l + 1) epsilon) / (k + 1)``: k candidates, each in closed form.  There the loss with l small
ones exceeds the total by epsilon - t, and F_l is a sum of positive terms in which no exponential grows.
"""

from math import inf, log

import numpy as np
from numpy.typing import NDArray

from privml import _check as check
from privml._rounding import product
from privml._search import crossing, last_crossing
from privml.composition.sums import _approximate, _log_target
from privml.distributions.binomial import inner_logpmf, log_excess
from privml.guarantee import BoundedRangeGuarantee, Guarantee

LARGEST_RANGE_COMPOSITION = (
    50_000  # most steps for which all candidates are gone through
)
_ROUNDING = 1e-11  # of the two distribution functions at 5,000 steps, relative; it grows with the steps
_BLOCK = 4  # parts into which a range of candidates is split when its bound is above the best so far
_POINTS = 32  # of a search for the top
_MOST_SUMS = 30  # of candidates too close to tell apart by a difference
_LEVELS = 60  # of the fraction for a tail below e^_DEEP
_DEEP = (
    -650.0
)  # logarithm of a tail below which the fraction replaces the distribution function


def _log_shares(
    step_epsilon: float, t: NDArray, gap: NDArray
) -> tuple[NDArray, NDArray, NDArray, NDArray]:
    """Logs of p and 1 - p, the chance of the small loss t - step_epsilon = -gap under both laws."""
    log_total = np.log(-np.expm1(-step_epsilon))
    log_q, log_rest = (
        np.log(-np.expm1(-t)) - log_total,
        np.log(-np.expm1(-gap)) - log_total,
    )
    return log_q - gap, log_rest, log_q, log_rest - t


def _log_tail(
    l: NDArray, k: int, log_p: NDArray, log_rest: NDArray, instead: float | None = None
) -> NDArray[np.float64]:
    """Log of P(J <= l); below _DEEP by the fraction of the incomplete beta, or a bound `instead`."""
    from scipy.special import bdtr, bdtrc

    p, rest = np.exp(log_p), np.exp(log_rest)
    with np.errstate(divide="ignore"):
        value = np.log(np.where(p < 0.5, bdtr(l, k, p), bdtrc(k - l - 1, k, rest)))
    deep = np.flatnonzero(value < _DEEP)
    if instead is not None:
        value[deep] = instead
    elif deep.size:
        l, log_p, log_rest, x = l[deep], log_p[deep], log_rest[deep], rest[deep]
        a, fraction = k - l, np.zeros(deep.size)
        for m in range(_LEVELS, -1, -1):
            even = (m + 1) * (l - m) * x / ((a + 2 * m + 1) * (a + 2 * m + 2))
            odd = (a + m) * (k + 1 + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
            fraction = -odd / (1 + even / (1 + fraction))
        inner = inner_logpmf(np.maximum(l, 1.0), k, log_p, log_rest) if k > 1 else 0.0
        value[deep] = np.where(l == 0, k * log_rest, inner + log_p - np.log1p(fraction))
    return value


class _Candidates:
    """The k values of l at one total epsilon, each with its best t."""

    def __init__(self, step_epsilon: float, k: int, epsilon: float) -> None:
        self.step, self.k, self.epsilon = step_epsilon, k, epsilon
        self.floor = (
            _DEEP + epsilon + 40
        )  # where best is above it, e^epsilon times a deep tail is rounding
        # from l = k - epsilon / step on, the best t is the whole step and F_l is 0
        self.l = np.arange(min(k, max(0, int(np.ceil(k - epsilon / step_epsilon)))))
        self.gap = ((k - self.l) * step_epsilon - epsilon) / (k + 1)
        self.l, self.gap = self.l[self.gap > 0], self.gap[self.gap > 0]
        self.t = step_epsilon - self.gap
        low = (epsilon + (self.l + 1) * step_epsilon) / (k + 1)
        self.t = np.where(self.gap < step_epsilon / 2, self.t, low)

    def log_sum(self, index: int) -> float:
        """Log of F_l for one candidate, as its sum of positive terms."""
        l, t, gap = int(self.l[index]), self.t[index], self.gap[index]
        log_p, log_rest, _, _ = _log_shares(self.step, t, gap)
        return log_excess(self.k, float(log_p), float(log_rest), l, gap, self.step)

    def bounds(
        self, first: NDArray, last: NDArray, shallow: bool
    ) -> NDArray[np.float64]:
        """Upper bounds on ln F_l for all l from first to last, where t grows with l."""
        log_p, log_rest, _, _ = _log_shares(self.step, self.t[first], self.gap[first])
        _, _, log_q, log_rest_q = _log_shares(self.step, self.t[last], self.gap[last])
        log_total = _log_tail(
            self.l[last], self.k, log_p, log_rest, _DEEP if shallow else None
        )
        part = _log_tail(
            self.l[first], self.k, log_q, log_rest_q, -inf if shallow else None
        )
        part = np.minimum(self.epsilon + part - log_total, 0.0)
        rounding = _ROUNDING * (1 + self.k / 5000) * (1 + self.epsilon)
        share = -np.expm1(part) + rounding * (1 + np.exp(part))
        return log_total + np.log(np.minimum(share, 1.0))

    def log_near(self) -> float:
        """Log of F_l at an l that is best among its neighbours: the largest, if F_l rises to one top."""
        low, high = 0, self.l.size - 1
        while low <= high:
            width = (high - low) // _POINTS + 1
            index = np.arange(low, high + 1, width)
            bounds = self.bounds(index, index, True)
            if bounds.max() <= self.floor:
                bounds = self.bounds(index, index, False)
            top = int(index[np.argmax(bounds)])
            if width == 1:
                return self.log_sum(top)
            low, high = max(0, top - width), min(top + width, self.l.size - 1)
        return -inf

    def log_largest(self) -> float:
        """Log of the largest F_l: exact, or above it where differences cannot tell the candidates apart."""
        best, first, bounds = self.log_near(), np.zeros(1, dtype=int), np.empty(0)
        for level in range(int(log(max(1, self.l.size), _BLOCK)), -1, -1):
            first = np.add.outer(first, np.arange(_BLOCK) * _BLOCK**level).ravel()
            first = first[first < self.l.size]
            last = np.minimum(first + _BLOCK**level, self.l.size) - 1
            bounds = self.bounds(first, last, best > self.floor)
            first, bounds = first[bounds > best], bounds[bounds > best]
        order = np.argsort(-bounds)
        sums = [self.log_sum(index) for index in first[order[:_MOST_SUMS]]]
        return float(max([best, *sums, *bounds[order[_MOST_SUMS:]][:1]]))


def _log_delta(
    step_epsilon: float, k: int, epsilon: float, *, near: bool = False
) -> float:
    candidates = _Candidates(step_epsilon, k, epsilon)
    return min(candidates.log_near() if near else candidates.log_largest(), 0.0)


def _checked_steps(k: int) -> None:
    check.positive_integer(k=k)
    if k > LARGEST_RANGE_COMPOSITION:
        raise ValueError(
            f"k must be at most {LARGEST_RANGE_COMPOSITION}, but got {k!r}. For more steps, use "
            "concentrated_composition."
        )


def nonadaptive_range_delta(step_epsilon: float, k: int, epsilon: float) -> float:
    """Exact delta at epsilon of k bounded-range mechanisms that are fixed in advance.

    Parameters
    ----------
    step_epsilon : float
        Privacy parameter in nats of a step, positive.
    k : int
        Number of steps, a positive integer up to 50,000.
    epsilon : float
        Privacy parameter in nats, non-negative.

    Notes
    -----
    *Privacy.* The bound does not hold for adaptive choices.  Skewed responses attain it, so no theorem can give less.

    References
    ----------
    Dong, Durfee and Rogers (2020), Theorem 3; for mechanisms of S16-thm-0.1.

    Examples
    --------
    >>> round(nonadaptive_range_delta(0.05, 1000, 3.3404), 11)
    1.000111e-05
    """
    check.positive(step_epsilon=step_epsilon)
    check.non_negative(epsilon=epsilon)
    _checked_steps(k)
    return float(np.exp(_log_delta(step_epsilon, k, epsilon)))


def nonadaptive_range_epsilon(step_epsilon: float, k: int, delta: float) -> float:
    """Exact epsilon at delta of k bounded-range mechanisms that are fixed in advance.

    Parameters
    ----------
    step_epsilon : float
        Privacy parameter in nats of a step, positive.
    k : int
        Number of steps, a positive integer up to 50,000.
    delta : float
        Additive slack, in (0, 1).

    Notes
    -----
    *Privacy.* The bound does not hold for adaptive choices; see
    :func:`~privml.composition.bounded_range_composition`.

    References
    ----------
    Inverse of Dong, Durfee and Rogers (2020), Theorem 3; for mechanisms of S16-thm-0.1.

    Examples
    --------
    >>> round(nonadaptive_range_epsilon(0.05, 1000, 1e-5), 6)
    3.340421
    """
    check.positive(step_epsilon=step_epsilon)
    _checked_steps(k)
    check.probability_open(delta=delta)
    upper, target = product(k, step_epsilon), _log_target(delta)
    near = crossing(
        lambda e: _log_delta(step_epsilon, k, e, near=True) - target,
        lower=0.0,
        upper=upper,
    )
    return crossing(
        lambda e: _log_delta(step_epsilon, k, e) - target, lower=near, upper=upper
    )


def nonadaptive_range_step_epsilon(epsilon: float, k: int, delta: float) -> float:
    """Largest range of each of k mechanisms, fixed in advance, for which the total is (epsilon, delta).

    Parameters
    ----------
    epsilon : float
        Privacy parameter in nats, positive.
    k : int
        Number of steps, a positive integer up to 50,000.
    delta : float
        Additive slack, in (0, 1).

    References
    ----------
    Inverse of Dong, Durfee and Rogers (2020), Theorem 3; for mechanisms of S16-thm-0.1.

    Examples
    --------
    >>> round(nonadaptive_range_step_epsilon(1.0, 1000, 1e-5), 6)
    0.016955
    """
    check.positive(epsilon=epsilon)
    _checked_steps(k)
    check.probability_open(delta=delta)
    lower, target = epsilon / k * (1 - 1e-12), _log_target(delta)
    near = last_crossing(
        lambda step: _log_delta(step, k, epsilon, near=True) - target, lower=lower
    )
    if _log_delta(near, k, epsilon) <= target:
        return near
    return last_crossing(
        lambda step: _log_delta(step, k, epsilon) - target, lower=lower
    )


def nonadaptive_range_composition(
    step: BoundedRangeGuarantee, k: int, delta: float
) -> Guarantee:
    """Guarantee of k bounded-range mechanisms fixed in advance, with the smallest possible epsilon.

    Parameters
    ----------
    step : BoundedRangeGuarantee
        Promise of each step, also of range 0.
    k : int
        Number of steps, a positive integer up to 50,000.
    delta : float
        Additive slack, in (0, 1).

    Notes
    -----
    *Privacy.* The bound does not hold if mechanisms or queries are chosen in the light of earlier answers.

    References
    ----------
    Dong, Durfee and Rogers (2020), Theorem 3; for mechanisms of S16-thm-0.1.

    Examples
    --------
    >>> print(nonadaptive_range_composition(BoundedRangeGuarantee(0.05), 1000, 1e-5))
    (3.34043, 1e-05)-differential privacy (replace-one)
    """
    check.instance(BoundedRangeGuarantee, step=step)
    epsilon = (
        nonadaptive_range_epsilon(step.epsilon, k, delta) if step.epsilon > 0 else 0.0
    )
    return _approximate(step, epsilon, delta)


check.wrap_module(__name__)
