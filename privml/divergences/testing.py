"""Privacy as a hypothesis test: how well can anyone tell which of two neighbours was used?

An attacker sees one output and decides between law p (the data set z) and law q (its neighbour).  A *test*
has a level, its chance of a false alarm under p, and misses q with some chance.  The *trade-off function*
gives the least chance of a miss at each level.  It holds the same information as the privacy curve: a pair
is (epsilon, delta)-close both ways exactly when the trade-off stays above two straight lines
(:func:`privacy_trade_off`), the steeper of slope ``-e^epsilon``.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml.distributions import Categorical
from privml.divergences.base import log_probabilities, privacy_loss


def _levels(level: ArrayLike) -> NDArray[np.float64]:
    level = check.numbers(level=level)
    if not ((level >= 0) & (level <= 1)).all():
        raise ValueError(f"level must be in the closed interval [0, 1], got {level!r}")
    return level


def trade_off(p: Categorical | ArrayLike, q: Categorical | ArrayLike, level: ArrayLike) -> NDArray | float:
    """Least chance of missing law q for tests that raise a false alarm under p with chance `level`.

    Exact: by Neyman and Pearson the best tests reject where p / q is small, with a coin at the edge.

    **Source.** WLF16-def-27, as a test; Wasserman and Zhou (2010), Theorem 2.4.

    Parameters
    ----------
    level : array_like
        In [0, 1].

    Examples
    --------
    >>> trade_off(np.log([0.5, 0.5]), np.log([0.25, 0.75]), [0.0, 0.5, 1.0]).round(6).tolist()
    [1.0, 0.25, 0.0]
    """
    level = _levels(level)
    order = np.argsort(privacy_loss(p, q), kind="stable")
    false_alarms = np.concatenate([[0.0], np.cumsum(np.exp(log_probabilities(p)[order]))])
    caught = np.concatenate([[0.0], np.cumsum(np.exp(log_probabilities(q)[order]))])
    free = (
        np.searchsorted(false_alarms, 0.0, side="right") - 1
    )  # outcomes that p cannot produce cost no alarm
    missed = np.interp(level, false_alarms[free:], 1 - caught[free:] / caught[-1])
    return float(missed) if missed.ndim == 0 else missed


def privacy_trade_off(epsilon: float, delta: float, level: ArrayLike) -> NDArray | float:
    """Chance of a miss that (epsilon, delta)-differential privacy forces on every test of a level.

    The larger of ``1 - delta - e^epsilon level`` and ``e^-epsilon (1 - delta - level)``, at least 0.

    **Source.** WLF16-def-27, as a test; Wasserman and Zhou (2010), Theorem 2.4.

    Parameters
    ----------
    level : array_like
        Chance of a false alarm, in [0, 1].

    Examples
    --------
    At epsilon 1 a test with five percent false alarms misses at least 86 percent:

    >>> round(privacy_trade_off(1.0, 0.0, 0.05), 6)
    0.864086
    """
    check.non_negative(epsilon=epsilon, delta=delta)
    if delta > 1:
        raise ValueError(f"delta must be in the closed interval [0, 1], got {delta!r}")
    level = _levels(level)
    with np.errstate(over="ignore", divide="ignore"):
        steep = 1 - delta - np.exp(epsilon + np.log(level))
    missed = np.maximum(0.0, np.maximum(steep, np.exp(-epsilon) * (1 - delta - level)))
    return float(missed) if missed.ndim == 0 else missed
