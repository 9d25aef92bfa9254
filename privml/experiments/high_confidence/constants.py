"""The constants of boosting: the choice against its bound, the false claim, and Markov's bound beside it."""

from collections.abc import Sequence
from math import inf, log, sqrt

import numpy as np
import pandas as pd
from scipy.special import expit
from scipy.stats import binom

from privml._search import smallest_float
from privml.bounds.boosting import (
    boosted_excess_risk,
    boosting_claim_constant_wlf16,
    markov_excess_risk,
)
from privml.bounds.boosting_selection import (
    boosting_blocks,
    boosting_candidates,
    free_selection_epsilon,
    selection_gap,
)

MANY = 10**12
"""A number of records so large that no size is rounded noticeably."""


def worse_chosen(n_validation: int, epsilon: float, gap: float) -> float:
    """Chance to choose the worse of two candidates of which just one errs on each validation record.

    Examples
    --------
    >>> round(worse_chosen(5, 1e-9, 0.5), 13), round(worse_chosen(1, 2.0, 1.0), 6)
    (0.4999999996875, 0.268941)
    """
    first = np.arange(n_validation + 1)  # records on which the worse one errs
    chances = binom.pmf(first, n_validation, (1 + gap) / 2)
    return float(chances @ expit(-epsilon / 2 * (2 * first - n_validation)))


def choice_gaps(n_validation: int, beta: float, epsilons: Sequence[float]) -> pd.DataFrame:
    """Gap between two candidates at which the worse is chosen with probability beta: bound and exact.

    Parameters
    ----------
    n_validation : int
        Number of validation records.
    beta : float
        Failure probability.
    epsilons : sequence of float
        Privacy parameters of the choice, in nats.

    Returns
    -------
    DataFrame
        Columns ``epsilon``, ``bound``, ``without`` (the bound of the choice without privacy), ``exact`` (for
        the pair of :func:`worse_chosen`; 1 if no gap is enough) and ``free`` (epsilon from which on privacy
        costs nothing in the bound).

    Examples
    --------
    >>> table = choice_gaps(200, 0.01, [0.2, 1.0])
    >>> bool((table["exact"] <= table["bound"]).all())
    True
    """
    rows = []
    for epsilon in epsilons:

        def holds(gap: float, epsilon: float = epsilon) -> bool:
            return worse_chosen(n_validation, epsilon, gap) <= beta

        exact = smallest_float(holds, lower=0.0, upper=1.0) if holds(1.0) else 1.0
        rows.append((epsilon, selection_gap(n_validation, 2, epsilon, beta), exact))
    table = pd.DataFrame(rows, columns=["epsilon", "bound", "exact"])
    table["without"] = selection_gap(n_validation, 2, inf, beta)
    table["free"] = free_selection_epsilon(n_validation, 2, beta)
    return table


def claim_constants(betas: Sequence[float]) -> pd.DataFrame:
    """Constants that the claim of WLF16 would need, and those that are proved.

    Parameters
    ----------
    betas : sequence of float
        Failure probabilities below 1 / (2 e).

    Returns
    -------
    DataFrame
        Columns ``beta``, ``log`` (of 1 / beta), ``needed`` and ``needed_wlf16`` (with sensitivity 1, and 2
        as in the source: below this, ``C sqrt(ln(3 / beta) / n)`` is exceeded too often with equal blocks),
        ``needed_log`` (of the first, for ``C ln(3 / beta) / sqrt(n)``), ``proved_half`` (that C holds if half
        of the records validate).

    Examples
    --------
    >>> table = claim_constants([1e-2, 1e-300])
    >>> table[["needed_wlf16", "proved_half"]].round(2).to_numpy().tolist()
    [[2.8, 2.13], [52.41, 2.01]]
    """
    rows = []
    for beta in betas:
        root = sqrt(log(3) - log(beta))
        needed = [boosting_claim_constant_wlf16(beta, sensitivity_factor=s) for s in (1.0, 2.0)]
        half = boosted_excess_risk(lambda m: 0.0, MANY, inf, beta, validation="half")
        rows.append((beta, -log(beta), *needed, needed[0] / root, half * sqrt(MANY) / root))
    names = ["beta", "log", "needed", "needed_wlf16", "needed_log", "proved_half"]
    return pd.DataFrame(rows, columns=names)


def markov_or_boost(constant: float, n_samples: int, epsilon: float, betas: Sequence[float]) -> pd.DataFrame:
    """Three bounds on the excess risk at a failure probability, for a learner of rate ``C / sqrt(m)``.

    Parameters
    ----------
    constant : float
        C.
    n_samples : int
        Number of records in all.
    epsilon : float
        Privacy parameter of the choice in nats.
    betas : sequence of float
        Failure probabilities.

    Returns
    -------
    DataFrame
        Columns ``beta``, ``markov`` (one run on all records), ``equal`` and ``half`` (boosting).

    Examples
    --------
    >>> markov_or_boost(1.0, 10**6, 1.0, [0.5, 0.001]).round(3).to_numpy().tolist()
    [[0.5, 0.002, 0.007, 0.007], [0.001, 1.0, 0.021, 0.017]]
    """

    def rate(m: int) -> float:
        return constant / sqrt(m)

    rows = [
        (
            beta,
            markov_excess_risk(rate(n_samples), beta),
            *(boosted_excess_risk(rate, n_samples, epsilon, beta, validation=v) for v in ("equal", "half")),
        )
        for beta in betas
    ]
    return pd.DataFrame(rows, columns=["beta", "markov", "equal", "half"])


def crossings(constants: Sequence[float], n_samples: int, epsilon: float) -> pd.DataFrame:
    """Largest failure probability of a grid from which on, downwards, boosting has the better bound.

    Parameters
    ----------
    constants : sequence of float
        Of the rate ``C / sqrt(m)``.
    n_samples : int
        Number of records in all.
    epsilon : float
        Privacy parameter of the choice in nats.

    Returns
    -------
    DataFrame
        Columns ``constant`` and ``beta``, on a grid of 400 a decade.

    Examples
    --------
    >>> crossings([1.0], 10**6, 1.0)["beta"].round(3).tolist()
    [0.086]
    """
    betas = np.geomspace(0.9, 0.0009, 1201)
    rows = []
    for constant in constants:
        table = markov_or_boost(constant, n_samples, epsilon, betas)
        behind = np.flatnonzero(table[["equal", "half"]].min(axis=1) >= table["markov"])
        rows.append((constant, betas[behind[-1] + 1] if behind.size else betas[0]))
    return pd.DataFrame(rows, columns=["constant", "beta"])


def printed_deviation(n_samples: int, beta: float) -> pd.DataFrame:
    """How often a fair loss on the validation block leaves the deviation of WLF16 (21), and the right one.

    Parameters
    ----------
    n_samples : int
        Number of records in all, in a + 1 equal blocks with ``a = ceil(ln(3 / beta))``.
    beta : float
        Failure probability.

    Returns
    -------
    DataFrame
        Columns ``records`` (whose number stands in the deviation), ``deviation``, ``tail`` (exact), and
        ``allotted`` (beta / 3 over the number of candidates).

    Examples
    --------
    >>> printed_deviation(6000, 0.05)["tail"].round(4).tolist()
    [0.1372, 0.0003]
    """
    a = boosting_candidates(beta / 3)
    block = boosting_blocks(n_samples, a).learning
    rows = []
    for records, size in (("all, as printed", n_samples), ("the block", block)):
        deviation = sqrt(log(6 * a / beta) / (2 * size))
        tail = 2 * binom.sf(np.floor(block * (0.5 + deviation)), block, 0.5)
        rows.append((records, deviation, tail, beta / (3 * a)))
    return pd.DataFrame(rows, columns=["records", "deviation", "tail", "allotted"])
