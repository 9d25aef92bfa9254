"""Tables on learners with a delta: publishing a subsample, the best ones on a grid, and Theorem 32."""

from collections.abc import Callable, Sequence
from math import comb

import pandas as pd

from privml.learnability import LearningProblem, count_vectors, erm_law, exponential_law
from privml.learnability.impossibility import (
    approx_aerm_privacy,
    delta_subsample_size,
    grid_packing,
    thresholds_excess_risk,
)
from privml.learnability.optimal import optimal_approximate_learner
from privml.learnability.subsample import subsampled_law


def published(n_samples: int, sizes: Sequence[int], bits: int, epsilon: float) -> pd.DataFrame:
    """The learner that publishes the largest reading labelled False among a few records, on packed data.

    Parameters
    ----------
    n_samples : int
        Number of records, even; half lie just below the cut and half just above.
    sizes : sequence of int
        Numbers k of records that are used, at least 1.
    bits : int
        Binary digits of the readings, for the bound on pure private learners.
    epsilon : float
        Privacy parameter of these in nats.

    Returns
    -------
    DataFrame
        Columns ``k``, ``delta`` (k / n_samples, with epsilon 0), ``packed`` (exact expected error on packed
        data), ``worst`` (``1 / (k + 1)``, for every population with a rule without error), ``pure`` (what no
        pure private learner avoids on all packed data).

    Examples
    --------
    >>> published(1000, [1, 10], 10_000, 1.0).round(5)
        k  delta   packed    worst  pure
    0   1  0.001  0.25000  0.50000   0.5
    1  10  0.010  0.00047  0.09091   0.5
    """
    pure = thresholds_excess_risk(2**bits, n_samples, epsilon)
    rows = []
    for k in sizes:
        unlucky = comb(n_samples // 2, k) / comb(n_samples, k)
        rows.append((k, k / n_samples, unlucky / 2, 1 / (k + 1), pure))
    return pd.DataFrame(rows, columns=["k", "delta", "packed", "worst", "pure"])


def _worst(problem: LearningProblem, law: Callable, n_samples: int) -> float:
    counts = count_vectors(problem.n_records, n_samples)
    return float((law(counts) * problem.excess_empirical_risk(counts)).sum(axis=1).max())


def _published_law(problem: LearningProblem, n_samples: int, delta: float) -> Callable:
    size = delta_subsample_size(n_samples, delta)
    return subsampled_law(erm_law(problem), size) if size else exponential_law(problem, 1e-12)


def optimum_by_delta(n_points: int, n_samples: int, epsilon: float, deltas: Sequence[float]) -> pd.DataFrame:
    """Worst expected excess empirical risk on a grid of thresholds against delta.

    Parameters
    ----------
    n_points : int
        Points of the grid, at least 2.
    n_samples : int
        Number of records.
    epsilon : float
        Privacy parameter in nats under ``REPLACE_ONE``.
    deltas : sequence of float
        Values in (0, 1).

    Returns
    -------
    DataFrame
        Columns ``curve``, ``delta``, ``excess``: the packing bound (best number of records at the cut), the
        best learner, the best with epsilon 0, ERM on a random subset of floor(delta n) records (a uniform
        answer if that is 0), and the exponential mechanism, which uses no delta.

    Examples
    --------
    >>> optimum_by_delta(2, 2, 1.0, [0.5]).round(4)
                              curve  delta  excess
    0                 packing bound    0.5  0.0672
    1                  best learner    0.5  0.1060
    2        best learner for ε = 0    0.5  0.1667
    3          ERM on a few records    0.5  0.2500
    4  exponential mechanism, δ = 0    0.5  0.4239
    """
    packings = [grid_packing(n_points, n_samples, distance=d) for d in range(1, n_samples + 1)]
    problem = packings[0].problem
    pure = _worst(problem, exponential_law(problem, epsilon), n_samples)
    curves = {
        "packing bound": lambda t: max(packing.excess_risk(epsilon, delta=t) for packing in packings),
        "best learner": lambda t: optimal_approximate_learner(problem, n_samples, epsilon, t).value,
        "best learner for ε = 0": lambda t: optimal_approximate_learner(problem, n_samples, 0.0, t).value,
        "ERM on a few records": lambda t: _worst(problem, _published_law(problem, n_samples, t), n_samples),
        "exponential mechanism, δ = 0": lambda t: pure,
    }
    rows = [(name, delta, curve(delta)) for name, curve in curves.items() for delta in deltas]
    return pd.DataFrame(rows, columns=["curve", "delta", "excess"])


def aerm_parameters(epsilon: float, power: float, n_samples: Sequence[int]) -> pd.DataFrame:
    """Privacy after running a learner with delta(k) = k^-power on floor(sqrt(n)) of n records.

    Parameters
    ----------
    epsilon : float
        Of the learner, in nats.
    power : float
        How fast its delta falls.
    n_samples : sequence of int
        Numbers n of records.

    Returns
    -------
    DataFrame
        Columns ``n_samples``, ``epsilon``, ``delta``, ``epsilon_printed``, ``delta_printed``, and ``scaled``:
        n times delta, which tends to 0 if delta is o(1/n).

    Examples
    --------
    >>> aerm_parameters(1.0, 2.0, [10_000]).round(6)
       n_samples   epsilon     delta  epsilon_printed  delta_printed  scaled
    0      10000  0.017037  0.000001          0.04565       0.000003    0.01
    """
    rows = []
    for n in n_samples:
        tight = approx_aerm_privacy(epsilon, lambda k: k**-power, n)
        printed = approx_aerm_privacy(epsilon, lambda k: k**-power, n, form="printed")
        rows.append((n, *tight, *printed, n * tight.delta))
    names = ["n_samples", "epsilon", "delta", "epsilon_printed", "delta_printed", "scaled"]
    return pd.DataFrame(rows, columns=names)
