"""Tables on noisy votes as a labelling service: errors, parameters of Theorem 22, an exact audit."""

from collections.abc import Sequence
from itertools import combinations_with_replacement, permutations, product
from math import sqrt

import numpy as np
import pandas as pd

from privml.bounds.active_pate import asq_teachers, noisy_vote_disagreement, noisy_vote_error
from privml.bounds.active_pate_parameters import asq_realizable_parameters
from privml.divergences import gaussian_delta, hockey_stick
from privml.hypotheses import Thresholds
from privml.pate import GaussianAggregator, version_space_learning, vote_counts, vote_sigma


def vote_errors(
    n_queries: int, n_samples: int, epsilon: float, delta: float, shares: Sequence[float]
) -> pd.DataFrame:
    """Probability that a noisy vote is wrong, by the share of wrong teachers, and three bounds on it.

    Parameters
    ----------
    n_queries : int
        Label budget, which sets the noise.
    n_samples : int
        Private records n.
    epsilon, delta : float
        Privacy parameters.
    shares : sequence of float
        Shares p of wrong teachers.

    Returns
    -------
    DataFrame
        Columns ``share``, ``exact``, ``printed`` (``3 p + 1 / n``), ``two_sided`` and ``one_sided`` (before
        rounding to 3), ``chord`` (p times the largest ratio of exact error and share).

    Examples
    --------
    >>> vote_errors(50, 10_000, 1.0, 1e-6, [0.0, 0.25, 0.4]).round(4)
       share   exact  printed  two_sided  one_sided   chord
    0   0.00  0.0000   0.0001     0.0001     0.0001  0.0000
    1   0.25  0.0000   0.7501     0.7498     0.7367  0.4252
    2   0.40  0.0038   1.0000     1.0000     1.0000  0.6803
    """
    sigma = vote_sigma(n_queries, epsilon, delta, calibration="source")
    teachers = asq_teachers(n_queries, n_samples, epsilon, delta)
    grid = np.linspace(1e-3, 1, 1000)
    ratio = max(noisy_vote_error(p, teachers, sigma) / p for p in grid.tolist())
    rows = []
    for p in np.asarray(shares, dtype=float).tolist():
        exact = noisy_vote_error(p, teachers, sigma)
        sides = [noisy_vote_disagreement(p, teachers, sigma, 1 / n_samples, sides=sides) for sides in (2, 1)]
        rows.append((p, exact, min(1.0, 3 * p + 1 / n_samples), *sides, ratio * p))
    return pd.DataFrame(rows, columns=["share", "exact", "printed", "two_sided", "one_sided", "chord"])


def realizable_parameters(
    sizes: Sequence[int], n_points: int, n_hypotheses: int, epsilon: float, delta: float
) -> pd.DataFrame:
    """What the theorem with explicit constants promises for thresholds, with failure probability 1/10.

    Parameters
    ----------
    sizes : sequence of int
        Numbers n of private records.
    n_points : int
        Public points m.
    n_hypotheses : int
        Thresholds in the class.
    epsilon, delta : float
        Privacy parameters.

    Returns
    -------
    DataFrame
        Columns ``n``, ``alpha``, ``n_queries``, ``n_teachers``.

    Examples
    --------
    >>> realizable_parameters([10**8], 2**14, 101, 1.0, 1e-6).round(4)
               n   alpha  n_queries  n_teachers
    0  100000000  0.0225       2244        9402
    """
    options = {"theta": lambda radius: 2.0}
    rows = [
        (n, *asq_realizable_parameters(n, n_points, n_hypotheses, epsilon, delta, 0.1, **options))
        for n in sizes
    ]
    return pd.DataFrame(rows, columns=["n", "alpha", "n_queries", "n_teachers"])


STREAM = np.array([1.5, 0.5, 2.5, 3.5])
TABLE = Thresholds(np.arange(5.0)).predict(STREAM)


def _law(votes: np.ndarray, sigma: float, *, active: bool) -> dict[tuple, float]:
    """Law of all that is released about a stream of four points with two labels: queries and labels."""
    aggregator = GaussianAggregator(n_queries=2, epsilon=50.0, delta=0.4, sigma=sigma)
    chances, law = aggregator.label_law(vote_counts(votes.astype(int))), {}
    for labels in product([False, True], repeat=2):
        answers = iter(labels)
        run = version_space_learning(TABLE, lambda j, answers=answers: next(answers), n_queries=2)
        queried = tuple(run.queried.tolist()) if active else (0, 1)
        law[queried, labels] = float(
            np.prod([chances[x, int(y)] for x, y in zip(queried, labels, strict=True)])
        )
    return law


def audited(sigma: float, epsilons: Sequence[float]) -> pd.DataFrame:
    """Exact delta of active and passive queries on a tiny stream, over all neighbours, beside the promise.

    Parameters
    ----------
    sigma : float
        Standard deviation of the noise in votes.
    epsilons : sequence of float
        Where to compute delta.

    Returns
    -------
    DataFrame
        Columns ``epsilon``, ``curve``, ``delta``: the worst case over all votes of three teachers that are
        thresholds, one of which changes.

    Examples
    --------
    >>> audited(2.0, [0.5]).round(4)
       epsilon                    curve   delta
    0      0.5       active, two labels  0.0929
    1      0.5      passive, two labels  0.0929
    2      0.5  promise for two answers  0.1237
    """
    rows = []
    for name, active in (("active, two labels", True), ("passive, two labels", False)):
        worst = np.zeros(len(epsilons))
        for others in combinations_with_replacement(TABLE, 2):
            laws = [_law(np.vstack([*others, row]), sigma, active=active) for row in TABLE]
            for p, q in permutations(laws, 2):
                outcomes = sorted(p | q)
                logs = [np.log([law.get(outcome, 1e-300) for outcome in outcomes]) for law in (p, q)]
                worst = np.maximum(worst, [float(hockey_stick(*logs, epsilon)) for epsilon in epsilons])
        rows += [(epsilon, name, value) for epsilon, value in zip(epsilons, worst.tolist(), strict=True)]
    mu = sqrt(2) / sigma
    rows += [(epsilon, "promise for two answers", float(gaussian_delta(epsilon, mu))) for epsilon in epsilons]
    return pd.DataFrame(rows, columns=["epsilon", "curve", "delta"])
