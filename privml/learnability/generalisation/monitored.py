"""The monitor itself, exactly: what it finds, and how private it is."""

from math import log
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml.learnability.base import CountLaw, LearningProblem
from privml.learnability.counts import count_vectors, neighbours, sample_probabilities
from privml.learnability.stability.base import fitting, probabilities_on

_MOST_OUTPUTS, _STEP, _LARGEST_RATE = 1 << 22, 0.02, 1e5


class MonitoredGap(NamedTuple):
    """What a monitor finds, exactly.

    Attributes
    ----------
    largest : float
        Expectation of the largest gap among the runs, or of 0 if all are negative.
    chosen : float
        Expectation of the gap that the monitor chooses.
    mean : float
        Expectation of the gap of one run.
    """

    largest: float
    chosen: float
    mean: float


def _gap_law(
    law: CountLaw, problem: LearningProblem, probabilities: ArrayLike, n_samples: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Values of risk minus empirical risk of the output, and their probabilities."""
    counts = count_vectors(problem.n_records, n_samples)
    laws = fitting(probabilities_on(law, counts), problem)
    joint = np.asarray(sample_probabilities(counts, probabilities))[:, None] * laws
    gaps = problem.risk(probabilities) - problem.empirical_risk(counts)
    values, where = np.unique(gaps.round(12), return_inverse=True)
    weights = np.bincount(where.ravel(), joint.ravel(), len(values))
    return values[weights > 0], weights[weights > 0]


def monitored_gap(
    law: CountLaw,
    problem: LearningProblem,
    probabilities: ArrayLike,
    n_samples: int,
    *,
    n_runs: int,
    eta: float,
) -> MonitoredGap:
    """Expected gap that the monitor of T runs finds, exactly.

    Parameters
    ----------
    law : callable
        Law of the learner.
    problem : LearningProblem
        The problem; the gap is risk minus empirical risk of the output.
    probabilities : array_like of shape (n_records,)
        Distribution on the records, which the monitor knows.
    n_runs : int
        Number T of samples.

    Returns
    -------
    MonitoredGap

    Notes
    -----
    A sum over all multisets of T gaps.  The choice has weights ``exp(eta m gap)``, with a further one of
    gap 0.
    **Source.** S16-rem-monitor, the monitor itself.

    Examples
    --------
    >>> from privml.learnability import erm_law
    >>> problem = LearningProblem([[0.0, 1.0], [1.0, 0.0]])
    >>> found = monitored_gap(erm_law(problem), problem, [0.5, 0.5], 3, n_runs=4, eta=1.0)
    >>> round(found.largest, 6), round(found.chosen, 6), round(found.mean, 6)
    (0.394531, 0.27206, 0.25)
    """
    check.instance(LearningProblem, problem=problem)
    check.positive_integer(n_runs=n_runs)
    check.positive(eta=eta)
    values, weights = _gap_law(law, problem, probabilities, n_samples)
    below = np.append(0.0, np.cumsum(weights)) ** n_runs
    largest = np.diff(below) @ np.maximum(values, 0)
    chosen = _chosen(values, weights, eta * n_samples, n_runs)
    return MonitoredGap(float(largest), chosen, float(values @ weights))


def _chosen(values: NDArray, weights: NDArray, rate: float, n_runs: int) -> float:
    """Mean of ``sum g w / (1 + sum w)`` over T independent gaps g with w = exp(rate g).

    As ``1 / a`` is the integral of ``exp(-s a)``, it is that of ``T E[g w e^(-s w)] E[e^(-s w)]^(T - 1)
    e^(-s)``. In ln s the integrand falls off at least exponentially on both sides, so that the trapezoid
    rule is exact to rounding.
    """
    highest = max(0.0, rate * values.max())
    if highest > _LARGEST_RATE:
        raise ValueError(f"eta * n_samples must be at most {_LARGEST_RATE:g} / the largest gap, got {rate:g}")
    low = -40 - log(n_runs) - highest
    u = np.linspace(low, 5, int((5 - low) / _STEP) + 1)
    mean = np.empty_like(u)
    for block in np.array_split(np.arange(len(u)), 1 + u.size * values.size // _MOST_OUTPUTS):
        x = np.minimum(u[block, None] + rate * values, 700)  # s w = e^x
        published = np.exp(x - np.exp(x)) @ (weights * values)
        others = (n_runs - 1) * np.log1p(np.maximum(weights @ np.expm1(-np.exp(x)).T, 1e-16 - 1))
        mean[block] = published * np.exp(others - np.exp(u[block]))
    return float(n_runs * mean.sum() * (5 - low) / (len(u) - 1))


def _monitor_laws(logs: NDArray[np.float64], scores: NDArray[np.float64], first: int) -> NDArray[np.float64]:
    """Logarithms of the law of (chosen query, its sample or none), for one first sample and every second."""
    joint = logs[first][:, None] + logs[:, None, :]
    one, two = scores[first][:, None], scores[:, None, :]
    joint = joint - np.logaddexp(np.logaddexp(one, two), 0.0)
    published = np.logaddexp.reduce(joint + one, axis=2), np.logaddexp.reduce(joint + two, axis=1)
    none = np.logaddexp.reduce(joint.reshape(len(joint), -1), axis=1)
    return np.column_stack([*published, none])


def monitor_privacy(
    law: CountLaw, problem: LearningProblem, probabilities: ArrayLike, n_samples: int, *, eta: float
) -> float:
    """Exact epsilon of the monitor of two runs, over all pairs of data sets and their neighbours.

    Parameters
    ----------
    law : callable
        Law of the learner.
    probabilities : array_like of shape (n_records,)
        The population that the monitor knows.

    Returns
    -------
    float
        Under ``REPLACE_ONE`` for the ``2 m`` records; at most that of the learner plus eta.

    Notes
    -----
    **Source.** S16-rem-monitor: the monitor is private, as one record belongs to one run.

    Examples
    --------
    >>> from privml.learnability import exponential_law
    >>> problem = LearningProblem([[0.0, 1.0], [1.0, 0.0]])
    >>> round(monitor_privacy(exponential_law(problem, 1.0), problem, [0.5, 0.5], 3, eta=0.5), 6)
    1.127052
    """
    check.instance(LearningProblem, problem=problem)
    check.positive(eta=eta)
    counts, pairs = count_vectors(problem.n_records, n_samples), neighbours(problem.n_records, n_samples)
    if len(counts) ** 2 * problem.n_hypotheses > _MOST_OUTPUTS:
        raise ValueError(
            f"at most {_MOST_OUTPUTS} outputs fit, got {len(counts) ** 2 * problem.n_hypotheses}"
        )
    with np.errstate(divide="ignore"):
        logs = np.log(fitting(probabilities_on(law, counts), problem))
    scores = eta * n_samples * (problem.risk(probabilities) - problem.empirical_risk(counts))
    published = np.array([_monitor_laws(logs, scores, first) for first in range(len(counts))])
    here, there = published[pairs[:, 0]], published[pairs[:, 1]]
    both = np.isfinite(here) | np.isfinite(there)
    return float(np.abs(np.subtract(here, there, where=both, out=np.zeros_like(here))).max())
