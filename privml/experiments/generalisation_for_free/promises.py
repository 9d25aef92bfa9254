"""What privacy promises about one published query, beside what learners do."""

from collections.abc import Sequence
from math import exp, tanh

import numpy as np
import pandas as pd

from privml.learnability import (
    CountLaw,
    LearningProblem,
    exact_generalisation_tail,
    exact_privacy,
    expected_gap_from_privacy,
    exponential_law,
    generalisation_gap,
    generalisation_sample_size,
    generalisation_sample_size_wlf16,
    generalisation_tail,
    memoriser,
    memoriser_gap,
    memoriser_tail,
    monitor_sample_size,
    monitor_tail,
    permute_and_flip_law,
    posterior_mean,
    remembered_risks,
    simplex_grid,
    total_variation_stability,
)
from privml.learnability.problems import coin_problem, thresholds_problem

KINDS = 10**6


def mean_gaps(epsilons: Sequence[float], n_samples: int) -> pd.DataFrame:
    """Bounds on the expected gap against epsilon, and the gap of the memoriser among a million kinds.

    Parameters
    ----------
    epsilons : sequence of float
        In nats, positive.
    n_samples : int
        Records in a sample.

    Returns
    -------
    DataFrame
        Columns ``epsilon``, ``stability``, ``bound``, ``memoriser`` and ``coin``, the largest gap of the
        exponential mechanism on nine coins.

    Examples
    --------
    >>> mean_gaps([1.0], 1000).round(4)
       epsilon  stability   bound  memoriser    coin
    0      1.0     0.4621  0.2449     0.2447  0.0893
    """
    coin, rows = coin_problem(), []
    for epsilon in epsilons:
        gap = generalisation_gap(exponential_law(coin, epsilon), coin, simplex_grid(2, 40), 9)
        stable, bound = tanh(epsilon / 2), expected_gap_from_privacy(epsilon)
        rows.append((epsilon, stable, bound, memoriser_gap(KINDS, n_samples, epsilon), float(gap.max())))
    return pd.DataFrame(rows, columns=["epsilon", "stability", "bound", "memoriser", "coin"])


def _response() -> tuple[LearningProblem, CountLaw]:
    truth = np.full((3, 3), 1 / 6) + np.eye(3) / 2
    return LearningProblem(1 - np.eye(3)), lambda counts: np.asarray(counts) @ truth


def worst_gaps(epsilon: float) -> pd.DataFrame:
    """Largest gap over a grid of populations, exact privacy, and what it promises, for some learners.

    Parameters
    ----------
    epsilon : float
        Of the private learners, in nats; randomised response among three has 2 ln 2.

    Returns
    -------
    DataFrame
        Columns ``learner``, ``n_samples``, ``exact_epsilon``, ``total_variation``, ``gap``, ``bound``.

    Examples
    --------
    >>> worst_gaps(1.0).round(4)[["learner", "gap", "bound"]].tail(1)
                         learner     gap   bound
    4  response, three kinds      0.3333  0.3333
    """
    coin, cuts = coin_problem(), thresholds_problem(2)
    cases = [
        ("exponential, coin", 9, coin, exponential_law(coin, epsilon)),
        ("permute and flip, coin", 9, coin, permute_and_flip_law(coin, epsilon)),
        ("exponential, thresholds", 5, cuts, exponential_law(cuts, epsilon)),
        ("memoriser, five kinds", 2, *memoriser(5, 2, epsilon)),
        ("response, three kinds", 1, *_response()),
    ]
    rows = []
    for name, m, problem, law in cases:
        exact = exact_privacy(law, problem.n_records, m).value
        variation = total_variation_stability(law, problem.n_records, m).value
        grid = simplex_grid(problem.n_records, 40 if problem.n_records == 2 else 6)
        gap = float(np.max(generalisation_gap(law, problem, grid, m)))
        rows.append((name, m, exact, variation, gap, expected_gap_from_privacy(exact)))
    names = ["learner", "n_samples", "exact_epsilon", "total_variation", "gap", "bound"]
    return pd.DataFrame(rows, columns=names)


def log_odds(epsilon: float, n_samples: int) -> pd.DataFrame:
    """For every output on thresholds: its risk, the empirical risk that led to it, and the allowed range.

    Parameters
    ----------
    epsilon : float
        Of the exponential mechanism, in nats.
    n_samples : int
        Records in a sample.

    Returns
    -------
    DataFrame
        Columns ``cut``, ``probability``, ``lower``, ``remembered``, ``risk``, ``upper``.

    Examples
    --------
    >>> log_odds(1.0, 3).round(3).head(1)
       cut  probability  lower  remembered   risk  upper
    0  0.0        0.299  0.384       0.466  0.591   0.77
    """
    problem = thresholds_problem(2)
    law, p = exponential_law(problem, epsilon), _lopsided(problem.n_records)
    exact = exact_privacy(law, problem.n_records, n_samples).value
    found = remembered_risks(law, problem, p, n_samples)
    columns = {
        "cut": problem.hypotheses,
        "probability": found.probability,
        "lower": posterior_mean(found.risk, -exact),
        "remembered": found.empirical_risk,
        "risk": found.risk,
        "upper": posterior_mean(found.risk, exact),
    }
    return pd.DataFrame(columns)


def _lopsided(n_records: int) -> np.ndarray:
    weights = np.arange(n_records, 0, -1) + 3.0
    return weights / weights.sum()


def tails_by_deviation(n_samples: int, epsilon: float, taus: Sequence[float], delta: float) -> pd.DataFrame:
    """Probability of overfitting by tau: exact for the memoriser and the coin, and four bounds.

    Parameters
    ----------
    n_samples : int
        Records in a sample.
    epsilon : float
        In nats.
    taus : sequence of float
        Deviations.
    delta : float
        For the monitor's second column.

    Returns
    -------
    DataFrame
        Columns ``tau``, ``coin``, ``memoriser``, ``bound``, ``printed``, ``monitor`` (delta = 0) and
        ``monitor_delta``, all for one direction except ``printed``.

    Examples
    --------
    >>> tails_by_deviation(1000, 0.2, [0.1], 1e-9).round(4)[["memoriser", "bound", "printed"]]
       memoriser   bound  printed
    0     0.0007  0.0067      1.0
    """
    coin, rows = coin_problem(), []
    law = exponential_law(coin, epsilon)
    for tau in taus:
        printed = 4 * exp(-n_samples * tau**2 / 12) if epsilon < tau / 2 else 1.0
        bounds = [monitor_tail(n_samples, epsilon, tau, slack, two_sided=False) for slack in (0.0, delta)]
        mine = generalisation_tail(n_samples, epsilon, tau, two_sided=False)
        exact = exact_generalisation_tail(law, coin, [0.5, 0.5], n_samples, tau, two_sided=False)
        rows.append((tau, exact, memoriser_tail(n_samples, epsilon, tau), mine, min(1.0, printed), *bounds))
    names = ["tau", "coin", "memoriser", "bound", "printed", "monitor", "monitor_delta"]
    return pd.DataFrame(rows, columns=names)


def records_needed(taus: Sequence[float], beta: float, delta: float) -> pd.DataFrame:
    """Records that are enough for accuracy tau, for learners with epsilon = tau / 4.

    Parameters
    ----------
    taus : sequence of float
        Deviations.
    beta : float
        Failure probability.
    delta : float
        For the last column.

    Returns
    -------
    DataFrame
        Columns ``tau``, ``fixed`` (a query that does not look), ``bound``, ``printed``, ``monitor`` and
        ``monitor_delta``.

    Examples
    --------
    >>> records_needed([0.1], 0.05, 1e-9)
       tau  fixed  bound  printed  monitor  monitor_delta
    0  0.1    185    210     5259      600            600
    """
    rows = []
    for tau in taus:
        epsilon = tau / 4
        monitors = [monitor_sample_size(tau, epsilon, beta, slack) for slack in (0.0, delta)]
        mine = generalisation_sample_size(tau, epsilon, beta)
        fixed = generalisation_sample_size(tau, 0.0, beta)
        rows.append((tau, fixed, mine, generalisation_sample_size_wlf16(tau, beta), *monitors))
    names = ["tau", "fixed", "bound", "printed", "monitor", "monitor_delta"]
    return pd.DataFrame(rows, columns=names)
