r"""The learner that remembers as much as privacy allows.

There are K kinds of records, all equally likely, and a query is any subset of the kinds.  A secret subset
is drawn by independent coins of bias p, with the coins of the kinds in the sample tilted to the bias q
whose log-odds are larger by epsilon.  To be exactly epsilon-DP when kinds repeat, every kind has m coins,
and a kind that occurs c times tilts the first c of them; only the first coin of each kind is
used.  Replacing a record then moves one tilt from a coin to another one, so that the ratio of any two laws
is at most ``e^epsilon``.

Each record of the sample satisfies the query with probability q, a fresh one with a probability that tends
to p as K grows.  With ``p = 1 / (1 + e^(epsilon / 2))`` the gap is ``tanh(epsilon / 4) (1 - 1 / K)^m``: the
bounds of this package cannot be improved.
"""

from itertools import product
from math import exp, tanh

import numpy as np
from numpy.typing import NDArray

from privml import _check as check
from privml.learnability.base import CountLaw, LearningProblem

MOST_COINS = 16


_SMALLEST = 700  # exp(-700) is a float with all its digits


def _half_odds(epsilon: float) -> float:
    """``1 / (1 + e^(epsilon / 2))`` without overflow."""
    return exp(-epsilon / 2) / (1 + exp(-epsilon / 2))


def memoriser(n_records: int, n_samples: int, epsilon: float) -> tuple[LearningProblem, CountLaw]:
    """The epsilon-DP learner that generalises worst, over a small universe, with its problem.

    Parameters
    ----------
    n_records : int
        Number K of kinds of records, at least 2.
    n_samples : int
        Number m of records in a data set; at most 16 coins, K m, are enumerated.

    Returns
    -------
    problem : LearningProblem
        One hypothesis for each outcome of all coins; the loss is 1 on the kinds that are not in the subset.
    law : callable
        The learner, on data sets of m records.

    Notes
    -----
    **Privacy.** epsilon-DP under ``REPLACE_ONE``, exactly.
    **Source.** Attains the sharp forms of S16-rem-recap and WLF16-lem-38 for large universes.

    Examples
    --------
    >>> problem, law = memoriser(3, 1, 1.0)
    >>> problem.n_hypotheses, law(np.array([[1, 0, 0]])).sum().round(12).item()
    (8, 1.0)
    """
    check.positive_integer(n_records=n_records, n_samples=n_samples)
    check.positive(epsilon=epsilon)
    if n_records < 2 or n_records * n_samples > MOST_COINS:
        raise ValueError(f"n_records * n_samples must be in [2, {MOST_COINS}], got {n_records * n_samples}")
    coins = np.array(list(product((0, 1), repeat=n_records * n_samples)), dtype=bool)
    coins = coins.reshape(len(coins), n_records, n_samples)
    if epsilon * n_records * n_samples / 2 > _SMALLEST:
        raise ValueError(
            f"epsilon * n_records * n_samples must be at most {2 * _SMALLEST} for floats to carry the law, "
            f"got {epsilon!r} * {n_records!r} * {n_samples!r}"
        )
    high, low = 1 / (1 + exp(-epsilon / 2)), _half_odds(epsilon)  # 1 - high would be 0 from 74 on

    def law(counts: NDArray[np.int64]) -> NDArray[np.float64]:
        tilted = np.arange(n_samples) < np.asarray(counts)[:, :, None]
        return np.where(coins == tilted[:, None], high, low).prod(axis=(2, 3))

    return LearningProblem(1.0 - coins[:, :, 0]), law


def memoriser_gap(n_records: int, n_samples: int, epsilon: float) -> float:
    """Expected generalisation gap of :func:`memoriser` under the uniform population, for any sizes.

    Parameters
    ----------
    n_records : int
        Number K of kinds of records, at least 2.

    Returns
    -------
    float
        ``tanh(epsilon / 4) (1 - 1 / K)^m``: it tends to the bound for every epsilon-DP learner.

    Notes
    -----
    **Source.** Sharpness of the bound behind S16-rem-recap.

    Examples
    --------
    >>> round(memoriser_gap(10**6, 1000, 1.0), 6)
    0.244674
    """
    check.positive_integer(n_records=n_records, n_samples=n_samples)
    check.positive(epsilon=epsilon)
    return tanh(epsilon / 4) * (1 - 1 / n_records) ** n_samples


def memoriser_tail(n_samples: int, epsilon: float, tau: float) -> float:
    """Probability that :func:`memoriser` overfits by tau or more, in the limit of large universes.

    Returns
    -------
    float
        ``P(Bin(m, q) >= m (p + tau))`` with ``p = 1 / (1 + e^(epsilon / 2))`` and ``q = 1 - p``.

    Notes
    -----
    **Source.** What WLF16-lem-38 has to allow for.

    Examples
    --------
    >>> round(memoriser_tail(1000, 0.2, 0.1), 6)
    0.000672
    """
    from scipy.special import betainc

    check.positive_integer(n_samples=n_samples)
    check.positive(epsilon=epsilon, tau=tau)
    p = _half_odds(epsilon)
    needed = int(np.ceil(n_samples * (p + tau) - 1e-9))
    if needed > n_samples:
        return 0.0
    return float(betainc(needed, n_samples - needed + 1, 1 / (1 + exp(-epsilon / 2))))
