"""Auditing by draws: a lower bound on epsilon for a mechanism whose law is not at hand.

Draw many outputs on two neighbouring data sets and look for an event that is much more frequent on the
one than on the other.  If it has probability p there and q here, then epsilon is at least
``ln((p - delta) / q)``.  The event is chosen on one half of the draws and judged on the other half, so the
choice costs nothing; Clopper-Pearson intervals, with the error budget split between p and q, make the
bound hold with the stated confidence.  It bounds from below: a low value proves nothing.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check

N_CUTS = 200


class MonteCarloAudit(NamedTuple):
    """What an audit by draws found."""

    epsilon: float
    event: str
    counts: tuple[int, int]
    n_judged: int
    confidence: float


def clopper_pearson(count: int, n_draws: int, error: float) -> tuple[float, float]:
    """Clopper-Pearson limits for a probability, each one missed with probability at most `error`.

    Parameters
    ----------
    count : int
        How often the event was seen, from 0 to n_draws.
    n_draws : int
        Number of draws, at least 1.
    error : float
        Error probability of each limit, in (0, 1).

    Returns
    -------
    tuple of float
        Lower and upper limit.

    Raises
    ------
    ValueError
        If a parameter is out of range.

    Examples
    --------
    >>> [round(limit, 4) for limit in clopper_pearson(0, 100, 0.05)]
    [0.0, 0.0295]
    """
    from scipy.special import betaincinv

    check.non_negative_integer(count=count)
    check.positive_integer(n_draws=n_draws)
    check.probability_open(error=error)
    if count > n_draws:
        raise ValueError(f"count must be at most n_draws ({n_draws}), got {count}")
    lower = 0.0 if count == 0 else float(betaincinv(count, n_draws - count + 1, error))
    upper = 1.0 if count == n_draws else float(betaincinv(count + 1, n_draws - count, 1 - error))
    return lower, upper


def _events(outputs: NDArray) -> list[tuple[str, Callable[[NDArray], NDArray]]]:
    """Candidate events: single values if there are few, else half-lines at quantiles."""
    values = np.unique(outputs)
    if values.size <= N_CUTS:
        singles = [(f"output == {value!r}", lambda x, v=value: x == v) for value in values.tolist()]
    else:
        singles = []
        values = np.quantile(outputs, np.linspace(0, 1, N_CUTS))
    below = [(f"output <= {value:.6g}", lambda x, v=value: x <= v) for value in values.tolist()]
    above = [(f"output >= {value:.6g}", lambda x, v=value: x >= v) for value in values.tolist()]
    return singles + below + above


def _bound(counts: tuple[int, int], n_draws: int, delta: float, error: float) -> float:
    """Lower limit of ln((p - delta) / q), at least 0."""
    low = clopper_pearson(counts[0], n_draws, error / 2)[0]
    high = clopper_pearson(counts[1], n_draws, error / 2)[1]
    return max(0.0, float(np.log(max(low - delta, 1e-300) / high)))


def monte_carlo(
    sample: Callable[[object, int, np.random.Generator], ArrayLike],
    pair: tuple[object, object],
    n_draws: int,
    *,
    delta: float = 0.0,
    confidence: float = 0.99,
    rng: np.random.Generator | int | None = None,
) -> MonteCarloAudit:
    """Lower bound on epsilon from draws on one pair of neighbouring data sets.

    Parameters
    ----------
    sample : callable
        ``sample(data, size, rng)`` gives `size` independent outputs, each a number, as an array.
    pair : tuple
        Two neighbouring data sets.
    n_draws : int
        Draws on each data set, at least 4; half of them choose the event.
    delta : float, default 0
        The delta of the claim under audit, in [0, 1).
    confidence : float, default 0.99
        Probability with which the bound holds.
    rng : numpy.random.Generator or int, optional
        Source of randomness, or a seed for one.

    Returns
    -------
    MonteCarloAudit
        The bound, the event that shows it, how often it was seen on the side where it is frequent and on
        the other, among `n_judged` draws each.

    Raises
    ------
    ValueError
        If a parameter is out of range.

    Notes
    -----
    **Privacy.** No (epsilon, delta)-DP mechanism with a smaller epsilon gives a bound this large with
    probability more than ``1 - confidence``.
    **Source.** Clopper and Pearson (1934); the split into choosing and judging is sample splitting.

    Examples
    --------
    >>> def response(bit, size, rng):
    ...     return np.where(rng.random(size) < 0.9, bit, 1 - bit)
    >>> found = monte_carlo(response, (0, 1), 20_000, rng=0)
    >>> bool(2.0 < found.epsilon < np.log(9))
    True
    """
    rng = np.random.default_rng(rng)
    check.positive_integer(n_draws=n_draws)
    check.probability_half_open(delta=delta)
    check.probability_open(confidence=confidence)
    if n_draws < 4:
        raise ValueError(f"n_draws must be at least 4, got {n_draws}")
    n_judged = n_draws // 2
    draws = [np.asarray(sample(data, n_draws, rng)) for data in pair]
    choosing, judging = ([side[n_judged:] for side in draws], [side[:n_judged] for side in draws])
    error = 1 - confidence
    name, event, order = max(
        ((name, event, order) for name, event in _events(np.concatenate(choosing)) for order in (1, -1)),
        key=lambda choice: _bound(_counts(choice[1], choosing[:: choice[2]]), len(choosing[0]), delta, error),
    )
    counts = _counts(event, judging[::order])
    return MonteCarloAudit(_bound(counts, n_judged, delta, error), name, counts, n_judged, confidence)


def _counts(event: Callable[[NDArray], NDArray], sides: list[NDArray]) -> tuple[int, int]:
    return int(event(sides[0]).sum()), int(event(sides[1]).sum())
