"""Tables on utility: exact tails of the chosen score against the theorem, and the scores that fail most."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml.bounds.exponential_mechanism import exponential_utility_failure
from privml.distributions import Categorical
from privml.mechanisms import ExponentialMechanism


def failure_probability(law: Categorical, scores: ArrayLike, gap: float) -> float:
    """Exact probability that the chosen score is at most ``max(scores) - gap``.

    Parameters
    ----------
    law : Categorical
        Law of the chosen outcome.
    scores : array_like of shape (n_outcomes,)
        Scores of the outcomes.
    gap : float
        Distance below the best score, in score units.

    Returns
    -------
    float
        Computed with a relative slack of 1e-12, so that a score at the cut-off counts as below it.

    Examples
    --------
    >>> round(failure_probability(Categorical(np.log([0.7, 0.2, 0.1])), [5.0, 3.0, 1.0], 2.0), 6)
    0.3
    """
    scores = check.finite_vector(scores=scores)
    below = scores.max() - scores >= gap * (1 - 1e-12)
    return float(law.pmf()[below].sum())


def utility_tail(n_options: int, n_best: int, epsilon: float, largest: int = 20) -> pd.DataFrame:
    """Exact tail of the chosen score against the bound with and without the number of best options.

    Parameters
    ----------
    n_options : int
        Number of options.
    n_best : int
        How many of them have the best score; the others are spread evenly over the scores below it.
    epsilon : float
        Privacy parameter in nats.
    largest : int, default 20
        The best score, in votes; the worst is 0.

    Returns
    -------
    DataFrame
        Columns ``gap`` (votes), ``exact``, ``bound``, ``bound_with_ties``.

    Examples
    --------
    >>> utility_tail(6, 2, 1.0, largest=4).round(4).tail(1)
       gap   exact  bound  bound_with_ties
    4    4  0.0406  0.812            0.406
    """
    others = np.linspace(0, largest - 1, n_options - n_best).round()
    scores = np.concatenate([np.full(n_best, largest), others])
    law = ExponentialMechanism(epsilon=epsilon, sensitivity=1.0).output_distribution(scores)
    rows = []
    for gap in range(largest + 1):
        bounds = [exponential_utility_failure(n_options, epsilon, gap, n_optimal=k) for k in (1, n_best)]
        rows.append((gap, failure_probability(law, scores, gap), *bounds))
    return pd.DataFrame(rows, columns=["gap", "exact", "bound", "bound_with_ties"])


def extremal_scores(n_outcomes: int, n_optimal: int, gap: float) -> NDArray[np.float64]:
    """The scores that fail most often: `n_optimal` best ones, all others exactly `gap` below.

    Parameters
    ----------
    n_outcomes, n_optimal : int
        Numbers of outcomes and of best ones.
    gap : float
        Distance between the two groups, in score units.

    Returns
    -------
    ndarray of shape (n_outcomes,)

    Examples
    --------
    >>> extremal_scores(3, 1, 2.0).tolist()
    [0.0, -2.0, -2.0]
    """
    return np.where(np.arange(n_outcomes) < n_optimal, 0.0, -float(gap))


def utility_tightness(
    outcome_counts: Sequence[int], exponents: Sequence[float], epsilon: float = 1.0
) -> pd.DataFrame:
    """Exact failure probability at the worst scores, divided by the utility theorem's e^(-t).

    Parameters
    ----------
    outcome_counts : sequence of int
        Numbers of outcomes k, at least 2; one of them is best.
    exponents : sequence of float
        Values of t, positive.
    epsilon : float, default 1
        Privacy parameter in nats; the ratio does not depend on it.

    Returns
    -------
    DataFrame
        Columns ``n_outcomes``, ``t``, ``exact``, ``bound``, ``ratio`` and ``formula`` for the ratio.

    Examples
    --------
    >>> utility_tightness([2, 256], [1.0]).round(4)
       n_outcomes    t   exact   bound   ratio  formula
    0           2  1.0  0.1554  0.3679  0.4223   0.4223
    1         256  1.0  0.2682  0.3679  0.7290   0.7290
    """
    rows = []
    mechanism = ExponentialMechanism(epsilon=epsilon, sensitivity=1.0)
    for n_outcomes in outcome_counts:
        for t in exponents:
            gap = 2 / epsilon * (np.log(n_outcomes) + t)
            scores = extremal_scores(n_outcomes, 1, gap)
            exact, bound = failure_probability(mechanism.output_distribution(scores), scores, gap), np.exp(-t)
            rest = 1 - 1 / n_outcomes
            rows.append((n_outcomes, float(t), exact, bound, exact / bound, rest / (1 + rest * bound)))
    return pd.DataFrame(rows, columns=["n_outcomes", "t", "exact", "bound", "ratio", "formula"])


def utility_random_cases(n_cases: int, seed: int) -> pd.DataFrame:
    """Exact failure probability against the utility theorem on random scores with ties.

    Parameters
    ----------
    n_cases : int
        Number of random score vectors, of 2 to 12 integers between 0 and 8.
    seed : int
        Seed of the random cases.

    Returns
    -------
    DataFrame
        Columns ``n_outcomes``, ``n_optimal``, ``epsilon``, ``t``, ``exact``, ``bound``, ``ratio``.

    Examples
    --------
    >>> bool((utility_random_cases(50, seed=0)["ratio"] <= 1).all())
    True
    """
    rng = np.random.default_rng(seed)
    rows = []
    for _ in range(n_cases):
        scores = rng.integers(0, 9, size=rng.integers(2, 13))
        epsilon, t = rng.uniform(0.1, 3.0, size=2)
        n_optimal = int((scores == scores.max()).sum())
        gap = 2 / epsilon * (np.log(scores.size / n_optimal) + t)
        law = ExponentialMechanism(epsilon=epsilon, sensitivity=1.0).output_distribution(scores)
        exact, bound = failure_probability(law, scores, gap), np.exp(-t)
        rows.append((scores.size, n_optimal, epsilon, t, exact, bound, exact / bound))
    return pd.DataFrame(rows, columns=["n_outcomes", "n_optimal", "epsilon", "t", "exact", "bound", "ratio"])
