"""Exact stability constants beside what privacy promises about them."""

from collections.abc import Sequence
from math import inf, nan

import numpy as np
import pandas as pd

from privml import counterexamples
from privml.composition import amplified_epsilon
from privml.divergences import total_variation
from privml.experiments.privacy_is_stability.base import learners, mean_law, problems
from privml.learnability import (
    LearningProblem,
    exact_privacy,
    exponential_law,
    extremal_pair,
    kullback_leibler_from_privacy,
    kullback_leibler_stability,
    replace_one_stability,
    root_size,
    stability_from_bounded_range,
    stability_from_privacy,
    stability_from_privacy_wlf16,
    subsample_stability,
    subsampled_law,
    subsampled_ordered_law,
    total_variation_stability,
)


def stability_table(n_samples: int, epsilon: float) -> pd.DataFrame:
    """Stability, total variation and privacy of the chapter's learners on its problems.

    Parameters
    ----------
    n_samples : int
        Records in a data set.
    epsilon : float
        Parameter of the private learners, in nats.

    Returns
    -------
    DataFrame
        Columns ``problem``, ``learner``, ``stability``, ``total_variation``, ``exact_epsilon`` and
        ``promised``, tanh of half the exact epsilon.

    Examples
    --------
    >>> stability_table(3, 1.0).round(4)[["learner", "stability", "promised"]].head(2)
                learner  stability  promised
    0       exponential     0.2449    0.3484
    1  permute and flip     0.3935    0.4621
    """
    rows = []
    for name, problem in problems().items():
        for learner, law in learners(problem, epsilon).items():
            found = exact_privacy(law, problem.n_records, n_samples).value
            variation = total_variation_stability(law, problem.n_records, n_samples).value
            uniform = replace_one_stability(law, problem, n_samples).value
            promised = stability_from_privacy(found) if found < inf else 1.0
            rows.append((name, learner, uniform, variation, found, promised))
    names = ["problem", "learner", "stability", "total_variation", "exact_epsilon", "promised"]
    return pd.DataFrame(rows, columns=names)


def response_stability(epsilon: float) -> float:
    """Exact stability of the learner that publishes its only record by randomised response.

    Examples
    --------
    >>> round(response_stability(1.0), 6)
    0.462117
    """
    p, q = (law[1:3] for law in extremal_pair(epsilon))
    response = lambda counts: np.where(np.asarray(counts)[:, :1] == 1, p, q)  # noqa: E731
    return replace_one_stability(response, LearningProblem([[1.0, 1.0], [0.0, 0.0]]), 1).value


def bounds_by_epsilon(epsilons: Sequence[float], n_samples: int) -> pd.DataFrame:
    """Bounds on stability against epsilon, and exact constants of two learners.

    Parameters
    ----------
    epsilons : sequence of float
        In nats.
    n_samples : int
        Records of the exponential mechanism, on the coin.

    Returns
    -------
    DataFrame
        Columns ``epsilon``; ``printed`` and ``linear``, the two bounds of Lemma 8 (the second up to 1);
        ``tight`` and ``range``; ``response`` and ``exponential``, exact constants.

    Examples
    --------
    >>> bounds_by_epsilon([1.0], 3).round(4).iloc[0].tolist()
    [1.0, 1.7183, 2.0, 0.4621, 0.2449, 0.4621, 0.2449]
    """
    coin, rows = problems()["coin"], []
    for epsilon in epsilons:
        rows.append(
            {
                "epsilon": epsilon,
                "printed": stability_from_privacy_wlf16(epsilon),
                "linear": stability_from_privacy_wlf16(epsilon, form="linear") if epsilon <= 1 else nan,
                "tight": stability_from_privacy(epsilon),
                "range": stability_from_bounded_range(epsilon),
                "response": response_stability(epsilon),
                "exponential": replace_one_stability(exponential_law(coin, epsilon), coin, n_samples).value,
            }
        )
    return pd.DataFrame(rows)


def bounds_with_delta(epsilon: float, deltas: Sequence[float]) -> pd.DataFrame:
    """Stability with a delta: as printed, tight, and exactly for the extremal pair of laws.

    Parameters
    ----------
    epsilon : float
        In nats.
    deltas : sequence of float
        In [0, 1].

    Returns
    -------
    DataFrame
        Columns ``delta``, ``printed``, ``tight`` and ``exact``.

    Examples
    --------
    >>> bounds_with_delta(1.0, [0.1]).round(4)
       delta  printed   tight   exact
    0    0.1   1.8183  0.5159  0.5159
    """
    rows = []
    for delta in deltas:
        with np.errstate(divide="ignore"):
            pair = [np.log(law) for law in extremal_pair(epsilon, delta)]
        exact = float(total_variation(*pair))
        printed = stability_from_privacy_wlf16(epsilon, delta)
        rows.append((delta, printed, stability_from_privacy(epsilon, delta), exact))
    return pd.DataFrame(rows, columns=["delta", "printed", "tight", "exact"])


def divergences(n_samples: int, epsilon: float) -> pd.DataFrame:
    """Kullback-Leibler stability of the private learners against its bound and Pinsker's inequality.

    Parameters
    ----------
    n_samples : int
        Records in a data set.
    epsilon : float
        Parameter of the learners, in nats.

    Returns
    -------
    DataFrame
        Columns ``problem``, ``learner``, ``divergence``, ``promised`` (at the exact epsilon),
        ``total_variation`` and ``pinsker``.

    Examples
    --------
    >>> divergences(3, 1.0).round(4).iloc[0, 2:].tolist()
    [0.1225, 0.2534, 0.2449, 0.2474]
    """
    rows = []
    for name, problem in problems().items():
        for learner, law in list(learners(problem, epsilon).items())[:3]:
            found = kullback_leibler_stability(law, problem.n_records, n_samples).value
            promised = exact_privacy(law, problem.n_records, n_samples).value
            variation = total_variation_stability(law, problem.n_records, n_samples).value
            bound = kullback_leibler_from_privacy(promised)
            rows.append((name, learner, found, bound, variation, np.sqrt(found / 2)))
    names = ["problem", "learner", "divergence", "promised", "total_variation", "pinsker"]
    return pd.DataFrame(rows, columns=names)


def stable_but_not_private(sizes: Sequence[int]) -> pd.DataFrame:
    """The exact mean of bits: its stability, total variation and exact epsilon.

    Parameters
    ----------
    sizes : sequence of int
        Numbers of records.

    Returns
    -------
    DataFrame
        Columns ``m``, ``stability``, ``total_variation``, ``divergence`` and ``exact_epsilon``.

    Examples
    --------
    >>> stable_but_not_private([4])
       m  stability  total_variation  divergence  exact_epsilon
    0  4       0.25              1.0         inf            inf
    """
    rows = []
    for m in map(int, sizes):
        problem, law = mean_law(m)
        uniform = replace_one_stability(law, problem, m).value
        others = [
            measure(law, 2, m).value
            for measure in (total_variation_stability, kullback_leibler_stability, exact_privacy)
        ]
        rows.append((m, uniform, *others))
    return pd.DataFrame(rows, columns=["m", "stability", "total_variation", "divergence", "exact_epsilon"])


def subsampled_constants(sizes: Sequence[int], epsilon: float) -> pd.DataFrame:
    """The exponential mechanism for the median on floor(sqrt(m)) of m records: exact and promised.

    Parameters
    ----------
    sizes : sequence of int
        Numbers of records.
    epsilon : float
        Of the learner on its subsample, in nats.

    Returns
    -------
    DataFrame
        Columns ``m``, ``k``, ``exact_epsilon``, ``promised_epsilon``, ``stability`` and
        ``promised_stability`` (the share times the learner's own exact constant).

    Examples
    --------
    >>> subsampled_constants([4], 1.0).round(4).iloc[0].tolist()
    [4.0, 2.0, 0.312, 0.6201, 0.049, 0.049]
    """
    problem, rows = problems()["median"], []
    law = exponential_law(problem, epsilon)
    for m in map(int, sizes):
        k, whole = root_size(m), subsampled_law(law)
        own = replace_one_stability(law, problem, k).value
        found = exact_privacy(whole, problem.n_records, m).value
        stability = replace_one_stability(whole, problem, m).value
        row = m, k, found, amplified_epsilon(epsilon, k / m), stability, subsample_stability(own, m)
        rows.append(row)
    names = ["m", "k", "exact_epsilon", "promised_epsilon", "stability", "promised_stability"]
    return pd.DataFrame(rows, columns=names)


def order_and_stability(epsilon: float, n_samples: int, subsample_size: int) -> pd.DataFrame:
    """The place reader on a subset in index order and shuffled: privacy and stability, exactly.

    Parameters
    ----------
    epsilon : float
        Of the place reader on its subset, in nats.
    n_samples, subsample_size : int
        Small: there are 4^n_samples data sets.

    Returns
    -------
    DataFrame
        Columns ``order``, ``exact_epsilon``, ``promised_epsilon`` (for shuffled subsets), ``stability`` (of
        the alarm) and ``promised_stability``.

    Examples
    --------
    >>> order_and_stability(2.0, 3, 2)["order"].tolist()
    ['index order', 'shuffled']
    """
    reader = counterexamples.place_reader(epsilon, subsample_size)
    law = lambda rows: np.array([reader(row).pmf() for row in rows])  # noqa: E731
    alarm = LearningProblem([[1.0] * 4, [0.0] * 4])
    own = replace_one_stability(law, alarm, subsample_size, ordered=True).value
    promised = amplified_epsilon(epsilon, subsample_size / n_samples)
    rows = []
    for name, shuffle in (("index order", False), ("shuffled", True)):
        whole = subsampled_ordered_law(law, subsample_size, shuffle=shuffle, study=True)
        found = exact_privacy(whole, 4, n_samples, ordered=True).value
        stability = replace_one_stability(whole, alarm, n_samples, ordered=True).value
        rows.append((name, found, promised, stability, subsample_stability(own, n_samples, subsample_size)))
    names = ["order", "exact_epsilon", "promised_epsilon", "stability", "promised_stability"]
    return pd.DataFrame(rows, columns=names)
