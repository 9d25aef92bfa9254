"""From stability to consistency: Theorem 35 link by link, and against learners at random."""

from collections.abc import Sequence
from math import log, sqrt

import numpy as np
import pandas as pd

from privml.experiments.privacy_is_stability.base import problems
from privml.learnability import (
    LearningProblem,
    always_aerm_gap,
    consistency_chain,
    count_vectors,
    erm_law,
    expected_aerm_gap,
    expected_excess_risk,
    expected_risks,
    exponential_law,
    generalisation_gap,
    on_average_stability,
    replace_one_stability,
    root_size,
    simplex_grid,
    stability_from_bounded_range,
    stability_from_privacy,
    stability_from_privacy_wlf16,
    subsample_optimism,
    worst_distribution,
)

SKEWED = {
    "coin": (0.6, 0.4),
    "median": (0.4, 0.1, 0.1, 0.1, 0.3),
    "thresholds": (0.3, 0.1, 0.05, 0.05, 0.2, 0.3),
}
"""One distribution for each problem."""


def chain_links(name: str, n_samples: int, epsilon: float) -> pd.DataFrame:
    """Every step from the excess risk to privacy, for the exponential mechanism on one problem.

    Parameters
    ----------
    name : str
        Of the problem.
    n_samples : int
        Records in a sample.
    epsilon : float
        In nats.

    Returns
    -------
    DataFrame
        Columns ``left``, ``relation``, ``right``, ``left_value``, ``right_value`` and ``slack``.

    Examples
    --------
    >>> table = chain_links("coin", 3, 1.0)
    >>> len(table), bool((table["slack"] > -1e-12).all())
    (10, True)
    """
    problem = problems()[name]
    chain = consistency_chain(exponential_law(problem, epsilon), problem, SKEWED[name], n_samples)
    table = pd.DataFrame(chain.links)
    table["slack"] = [0.0 if abs(link.slack) < 1e-12 else link.slack for link in chain.links]
    return table


def identity_by_hand(n_samples: int, epsilon: float) -> tuple[float, float]:
    """Both sides of the replacement identity for the coin and the exponential mechanism.

    Examples
    --------
    >>> [round(side, 6) for side in identity_by_hand(3, 1.0)]
    [0.10513, 0.10513]
    """
    problem, law = problems()["coin"], SKEWED["coin"]
    learner = exponential_law(problem, epsilon)
    left = generalisation_gap(learner, problem, law, n_samples)
    return float(left), on_average_stability(learner, problem, law, n_samples)


def random_learners(n_samples: int, n_learners: int, seed: int) -> pd.DataFrame:
    """Excess risk against stability plus AERM gap, for random problems, learners and distributions.

    Parameters
    ----------
    n_samples : int
        Records in a sample, from a universe of three.
    n_learners : int
        How many.
    seed : int
        Of the random choices.

    Returns
    -------
    DataFrame
        Columns ``bound``, ``excess`` and ``kind``: laws drawn anew for each data set, or smooth ones that
        weigh the empirical risks.

    Examples
    --------
    >>> table = random_learners(2, 10, 0)
    >>> bool((table["excess"] <= table["bound"]).all())
    True
    """
    rng, rows = np.random.default_rng(seed), []
    counts = count_vectors(3, n_samples)
    position = {tuple(row): place for place, row in enumerate(counts.tolist())}
    for number in range(n_learners):
        problem = LearningProblem(rng.random((4, 3)) ** rng.uniform(0.3, 3))
        table = rng.dirichlet(np.full(4, rng.uniform(0.05, 2)), size=len(counts))
        if smooth := number % 2 == 1:
            law = exponential_law(problem, float(rng.uniform(0.1, 8)))
        else:
            law = lambda z, table=table: table[[position[tuple(row)] for row in z.tolist()]]  # noqa: E731
        p = rng.dirichlet(np.ones(3))
        bound = replace_one_stability(law, problem, n_samples).value
        bound += expected_aerm_gap(law, problem, p, n_samples)
        excess = expected_excess_risk(law, problem, p, n_samples)
        rows.append((bound, excess, "exponential" if smooth else "arbitrary"))
    return pd.DataFrame(rows, columns=["bound", "excess", "kind"])


def rates(name: str, n_samples: int, epsilons: Sequence[float], steps: int) -> pd.DataFrame:
    """Worst excess risk of the exponential mechanism over a grid of distributions, and bounds, by epsilon.

    Parameters
    ----------
    name : str
        Of the problem.
    n_samples : int
        Records in a sample.
    epsilons : sequence of float
        In nats.
    steps : int
        Of the grid of distributions.

    Returns
    -------
    DataFrame
        Columns ``epsilon``; ``excess`` and ``gap``, the largest over the grid; ``stable`` (gap plus exact
        stability), ``range``, ``tight`` and ``printed``, the gap plus what privacy promises.

    Examples
    --------
    >>> rates("coin", 3, [1.0], 10).round(4).iloc[0].tolist()
    [1.0, 0.1939, 0.1824, 0.4273, 0.4273, 0.6445, 1.9007]
    """
    problem, rows = problems()[name], []
    for epsilon in epsilons:
        law = exponential_law(problem, epsilon)
        excess = worst_distribution(expected_excess_risk, law, problem, n_samples, steps=steps).value
        gap = worst_distribution(expected_aerm_gap, law, problem, n_samples, steps=steps).value
        stability = replace_one_stability(law, problem, n_samples).value
        promised = [
            promise(epsilon)
            for promise in (
                stability_from_bounded_range,
                stability_from_privacy,
                stability_from_privacy_wlf16,
            )
        ]
        rows.append((epsilon, excess, gap, *(gap + term for term in (stability, *promised))))
    names = ["epsilon", "excess", "gap", "stable", "range", "tight", "printed"]
    return pd.DataFrame(rows, columns=names)


def gaps_by_size(name: str, sizes: Sequence[int], steps: int) -> pd.DataFrame:
    """Always and universal AERM gaps, excess risk and stability against m, with epsilon = 2 / sqrt(m).

    Parameters
    ----------
    name : str
        Of the problem.
    sizes : sequence of int
        Numbers of records.
    steps : int
        Of the grid of distributions.

    Returns
    -------
    DataFrame
        Columns ``m``, ``epsilon``, ``always``, ``universal``, ``excess``, ``stability`` and ``bound``
        (universal gap plus tanh(epsilon / 4)).

    Examples
    --------
    >>> table = gaps_by_size("coin", [4, 16], 4)
    >>> bool((table["universal"] <= table["always"]).all()), table["epsilon"].tolist()
    (True, [1.0, 0.5])
    """
    problem, rows = problems()[name], []
    for m in map(int, sizes):
        epsilon = 2 / np.sqrt(m)
        law = exponential_law(problem, epsilon)
        universal = worst_distribution(expected_aerm_gap, law, problem, m, steps=steps).value
        rows.append(
            {
                "m": m,
                "epsilon": epsilon,
                "always": always_aerm_gap(law, problem, m).value,
                "universal": universal,
                "excess": worst_distribution(expected_excess_risk, law, problem, m, steps=steps).value,
                "stability": replace_one_stability(law, problem, m).value,
                "bound": universal + stability_from_bounded_range(epsilon),
            }
        )
    return pd.DataFrame(rows)


def finite_class_bound(n_hypotheses: int, n_samples: int, epsilon: float) -> float:
    """Bound on the mean excess risk of the exponential mechanism: 2 ln|H| / (epsilon m) + tanh(epsilon / 4).

    Examples
    --------
    >>> round(finite_class_bound(2, 1024, 0.0625), 6)
    0.037285
    """
    return 2 * log(n_hypotheses) / (epsilon * n_samples) + stability_from_bounded_range(epsilon)


def finite_class_table(sizes: Sequence[int], steps: int) -> pd.DataFrame:
    """The bound for finite classes at its best epsilon, and the exact worst excess risk of the coin there.

    Parameters
    ----------
    sizes : sequence of int
        Numbers of records.
    steps : int
        Of the grid of distributions.

    Returns
    -------
    DataFrame
        Columns ``m``, ``epsilon``, ``excess`` (exact), ``bound`` and ``simple``, sqrt(2 ln|H| / m).

    Examples
    --------
    >>> finite_class_table([100], 50).round(4)[["epsilon", "bound", "simple"]].iloc[0].tolist()
    [0.2355, 0.1177, 0.1177]
    """
    coin, rows = problems()["coin"], []
    for m in map(int, sizes):
        epsilon = sqrt(8 * log(2) / m)
        law = exponential_law(coin, epsilon)
        excess = worst_distribution(expected_excess_risk, law, coin, m, steps=steps).value
        rows.append((m, epsilon, excess, finite_class_bound(2, m, epsilon), sqrt(2 * log(2) / m)))
    return pd.DataFrame(rows, columns=["m", "epsilon", "excess", "bound", "simple"])


def optimism_table(sizes: Sequence[int]) -> pd.DataFrame:
    """Largest optimism over uniform distributions on m records, and its bound by learning from a root.

    Parameters
    ----------
    sizes : sequence of int
        Numbers of records m.

    Returns
    -------
    DataFrame
        Columns ``problem``, ``m``, ``k``, ``optimism`` and ``bound``; the learner of the bound is ERM.

    Examples
    --------
    >>> optimism_table([4]).round(4)[["problem", "optimism", "bound"]].head(1)
      problem  optimism   bound
    0    coin    0.1875  0.7188
    """
    rows = []
    for name, problem in problems().items():
        for m in map(int, sizes):
            uniform, learner = count_vectors(problem.n_records, m) / m, erm_law(problem)
            found = expected_risks(learner, problem, uniform, m)
            excess = expected_excess_risk(learner, problem, uniform, root_size(m)).max()
            largest = (found.best_risk - found.best_empirical_risk).max()
            rows.append((name, m, root_size(m), largest, subsample_optimism(float(excess), m)))
    return pd.DataFrame(rows, columns=["problem", "m", "k", "optimism", "bound"])


def grid_size(name: str, steps: int) -> int:
    """Number of distributions on the grid of a problem.

    Examples
    --------
    >>> grid_size("median", 6)
    210
    """
    return len(simplex_grid(problems()[name].n_records, steps))
