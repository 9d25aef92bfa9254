"""Tables on sample sizes: what the theorems promise, and what is exactly needed on a hard population."""

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
import pandas as pd

from privml import pac
from privml.bounds import direct_pac, private_pac
from privml.bounds.price_of_privacy import free_privacy_ratio, price_of_privacy
from privml.bounds.uniform_convergence import agnostic_erm_sample_size
from privml.experiments.private_pac_learning.base import MARGIN, crowd, crowd_erm_law, crowd_law, rivals_of
from privml.experiments.private_pac_learning.independent import independent_size
from privml.hypotheses import Table
from privml.learners.exponential import exponential_law
from privml.populations import FinitePopulation

SIZES = {
    "L4": private_pac.private_pac_sample_size_l4,
    "S16": private_pac.private_pac_sample_size_s16,
    "DR11": private_pac.private_pac_sample_size_dr11,
    "one moment": direct_pac.private_pac_sample_size_direct,
}
EXCESSES = {
    "L4": private_pac.private_pac_excess_error_l4,
    "S16": private_pac.private_pac_excess_error_s16,
    "DR11": private_pac.private_pac_excess_error_dr11,
    "one moment": direct_pac.private_pac_excess_error_direct,
}


def promised_sizes(n_hypotheses: int, epsilon: float, alpha: float, beta: float) -> pd.DataFrame:
    """The sample sizes that the theorems promise, with the bound at that size and at one record less.

    Parameters
    ----------
    n_hypotheses : int
        Size of the class.
    epsilon : float
        Privacy parameter in nats.
    alpha, beta : float
        Excess error and failure probability.

    Returns
    -------
    DataFrame
        Columns ``theorem``, ``m``, ``bound_at_m``, ``bound_at_m_minus_1``.

    Examples
    --------
    >>> promised_sizes(16, 0.5, 0.1, 0.05)["m"].tolist()
    [19318, 5724, 1913, 1154]
    """
    rows = []
    for name, size in SIZES.items():
        m = size(n_hypotheses, epsilon, alpha, beta)
        rows.append((name, m, *(EXCESSES[name](n_hypotheses, n, epsilon, beta) for n in (m, m - 1))))
    return pd.DataFrame(rows, columns=["theorem", "m", "bound_at_m", "bound_at_m_minus_1"])


def _small_worlds(alpha: float) -> dict[str, tuple[Table, FinitePopulation]]:
    """Populations that leave three kinds of records at most, so that large samples can be enumerated."""
    gap = alpha + MARGIN
    two, coin = crowd(alpha)
    three = Table([[True, True], [False, True], [True, False]])
    apart = FinitePopulation([0, 0, 1], [True, False, True], [0.5, 0.5 - gap, gap])
    realizable = FinitePopulation([0, 1, 2], [True] * 3, [gap, gap, 1 - 2 * gap])
    halves = Table([[True, True, True], [False, True, True], [True, False, True], [False, False, True]])
    return {
        "two constants, one biased coin": (two, coin),
        "one best rule, two different rivals": (three, apart),
        "four rules, one of them without error": (halves, realizable),
    }


def failures_at_promised_sizes(epsilon: float, alpha: float, beta: float) -> pd.DataFrame:
    """Exact failure probability of the private learner at the sizes promised by DR11 and by one moment.

    Parameters
    ----------
    epsilon : float
        Privacy parameter in nats.
    alpha, beta : float
        Excess error and failure probability.

    Returns
    -------
    DataFrame
        Columns ``population``, ``n_hypotheses``, ``theorem``, ``m``, ``failure``.

    Examples
    --------
    >>> table = failures_at_promised_sizes(0.5, 0.2, 0.1)
    >>> table["m"].tolist()[:2], table["failure"].round(6).tolist()[:2]
    ([352, 150], [0.000229, 0.017032])
    """
    rows = []
    for name, (hypotheses, population) in _small_worlds(alpha).items():
        for theorem in ("DR11", "one moment"):
            m = SIZES[theorem](hypotheses.n_hypotheses, epsilon, alpha, beta)
            failure = pac.failure_probability(exponential_law(epsilon), hypotheses, population, m, alpha)
            rows.append((name, hypotheses.n_hypotheses, theorem, m, failure))
    return pd.DataFrame(rows, columns=["population", "n_hypotheses", "theorem", "m", "failure"])


def exact_size(n_hypotheses: int, epsilon: float, alpha: float, beta: float) -> int:
    """Exact m(alpha, beta) of the private learner on the agnostic crowd.

    Parameters
    ----------
    n_hypotheses : int
        Size of the class, at least 2.
    epsilon : float
        Privacy parameter in nats; infinity stands for empirical risk minimisation.
    alpha, beta : float
        Excess error and failure probability.

    Returns
    -------
    int
        The least n such that the failure probability is at most beta from n on, up to the size that a
        theorem promises.

    Examples
    --------
    >>> exact_size(16, 0.5, 0.2, 0.05), exact_size(16, np.inf, 0.2, 0.05)
    (178, 75)
    """
    if np.isinf(epsilon):
        law, upper = crowd_erm_law(n_hypotheses), agnostic_erm_sample_size(n_hypotheses, alpha, beta)
    else:
        law = crowd_law(epsilon, rivals_of(n_hypotheses))
        upper = direct_pac.private_pac_sample_size_direct(n_hypotheses, epsilon, alpha, beta)
    return pac.smallest_sample_size(law, *crowd(alpha), alpha, beta, upper=upper)


def sample_sizes(n_hypotheses: int, epsilons: Sequence[float], alpha: float, beta: float) -> pd.DataFrame:
    """Promised and exact sample sizes against epsilon.

    Parameters
    ----------
    n_hypotheses : int
        Size of the class.
    epsilons : sequence of float
        Privacy parameters in nats.
    alpha, beta : float
        Excess error and failure probability.

    Returns
    -------
    DataFrame
        Columns ``epsilon``, ``curve``, ``n_samples``.

    Examples
    --------
    >>> sample_sizes(16, [0.5], 0.2, 0.05)["n_samples"].tolist()
    [4830, 1431, 588, 289, 178, 75]
    """
    without = exact_size(n_hypotheses, np.inf, alpha, beta)
    rows = []
    for epsilon in epsilons:
        rows += [(epsilon, name, size(n_hypotheses, epsilon, alpha, beta)) for name, size in SIZES.items()]
        rows.append((epsilon, "exact, private", exact_size(n_hypotheses, epsilon, alpha, beta)))
        rows.append((epsilon, "exact, ERM", without))
    return pd.DataFrame(rows, columns=["epsilon", "curve", "n_samples"])


def _independent_size(n_hypotheses: int, epsilon: float, alpha: float, beta: float) -> int:
    upper = direct_pac.private_pac_sample_size_direct(n_hypotheses, min(epsilon, 1.0), alpha, beta)
    return independent_size(n_hypotheses, epsilon, alpha, beta, upper=upper)


def _relative(
    size: Callable, n_hypotheses: int, alpha: float, beta: float, without: float = 1e9
) -> Callable[[float], float]:
    """A sample size as a function of epsilon, over its value at an epsilon that stands for no privacy."""
    erm = size(n_hypotheses, without, alpha, beta)
    return lambda epsilon: size(n_hypotheses, epsilon, alpha, beta) / erm


def prices(n_hypotheses: int, ratios: Sequence[float], alpha: float, beta: float) -> pd.DataFrame:
    """Private over non-private sample size against epsilon / alpha, with the knees of lecture 4.

    Parameters
    ----------
    n_hypotheses : int
        Size of the class.
    ratios : sequence of float
        Values of epsilon / alpha.
    alpha, beta : float
        Excess error and failure probability.

    Returns
    -------
    DataFrame
        Columns ``ratio``, ``curve``, ``price``, ``knee`` (the ratio above which the curve is flat; NaN
        where it has no knee in closed form).

    Examples
    --------
    >>> prices(16, [1.0], 0.2, 0.05).round(3)["price"].tolist()
    [1.0, 1.205, 2.738, 1.332, 4.627, 3.938]
    """
    arguments = n_hypotheses, alpha, beta
    sharp = partial(SIZES["L4"], constant="hoeffding")
    knees = [free_privacy_ratio(n_hypotheses, beta, constant=name) for name in ("lecture", "hoeffding")]
    curves = {
        "L4": _relative(SIZES["L4"], *arguments),
        "L4, Hoeffding": _relative(sharp, *arguments),
        "DR11": lambda epsilon: price_of_privacy(n_hypotheses, epsilon, alpha, beta),
        "one moment": _relative(SIZES["one moment"], *arguments),
        "exact, equal rivals": _relative(exact_size, *arguments, without=np.inf),
        "exact, independent rivals": _relative(_independent_size, *arguments, without=np.inf),
    }
    knee = dict(zip(curves, [*knees, np.nan, 2.0, np.nan, np.nan], strict=True))
    rows = [(r, name, price(r * alpha), knee[name]) for r in ratios for name, price in curves.items()]
    return pd.DataFrame(rows, columns=["ratio", "curve", "price", "knee"])
