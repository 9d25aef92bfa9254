"""Tables on active learning of thresholds: the interval that is left, and how many labels it takes."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from privml.bounds.active import active_excess_error, active_expected_queries, active_slack
from privml.hypotheses import Thresholds
from privml.pate import version_space_learning

BETA = 0.1


def _cuts(n_cuts: int) -> Thresholds:
    return Thresholds(np.arange(1, n_cuts + 1) / (n_cuts + 1))


def _theta(radius: float) -> float:
    """Disagreement coefficient of a threshold in the middle of the unit interval, under the uniform law."""
    return max(1.0, min(2.0, 1 / radius))


def shrinking_interval(n_stream: int, n_cuts: int, truth: float, *, seed: int) -> pd.DataFrame:
    """One clean run: the points that are asked, and the cuts that are left when they are.

    Parameters
    ----------
    n_stream : int
        Points, uniform on the unit interval.
    n_cuts : int
        Cuts, evenly spaced.
    truth : float
        The right cut.
    seed : int
        For the stream.

    Returns
    -------
    DataFrame
        One row per point that is asked: ``n_seen`` (its position, from 1), ``x``, ``label``, ``lower`` and
        ``upper`` (least and largest cut of the version space at that time).

    Examples
    --------
    >>> shrinking_interval(64, 15, 0.5, seed=0).tail(1).round(3)
       n_seen     x  label  lower  upper
    8      57  0.45  False  0.438    0.5
    """
    stream, cuts = np.random.default_rng(seed).uniform(size=n_stream), _cuts(n_cuts)
    table, labels = cuts.predict(stream), stream >= truth
    run = version_space_learning(table, lambda j: labels[j])
    ends = []
    for position in run.queried:
        last = max(stage.n_seen for stage in run.stages if stage.n_seen <= position)
        asked = run.queried[run.queried < last]
        left = cuts.cuts[(table[:, asked] == labels[asked]).all(axis=1)]
        ends.append((left.min(), left.max()))
    rows = pd.DataFrame(ends, columns=["lower", "upper"])
    asked = {"n_seen": run.queried + 1, "x": stream[run.queried], "label": run.labels}
    return pd.concat([pd.DataFrame(asked), rows], axis=1)


def label_counts(
    sizes: Sequence[int], noises: Sequence[float], n_cuts: int, *, n_runs: int, seed: int
) -> pd.DataFrame:
    """Labels that are asked of the first m points of a stream, and the error of what survives.

    Parameters
    ----------
    sizes : sequence of int
        Values of m, powers of two.
    noises : sequence of float
        Probabilities that a label is flipped, independently; the least error of the class.
    n_cuts : int
        Cuts, evenly spaced; an odd number puts one in the middle, which is the best.
    n_runs : int
        Runs to average over.
    seed : int
        For all runs.

    Returns
    -------
    DataFrame
        Columns ``noise``, ``m``, ``labels`` (mean), ``labels_bound``, ``excess`` (mean over runs of the worst
        survivor's excess error), ``excess_bound``.  Without noise the slack is 0, otherwise the explicit one
        for a failure probability of 1/10.

    Examples
    --------
    >>> label_counts([64, 1024], [0.0], 31, n_runs=3, seed=0).round(2)
       noise     m  labels  labels_bound  excess  excess_bound
    0    0.0    64    8.67         64.00    0.02          1.00
    1    0.0  1024   11.00        546.54    0.00          0.07
    """
    cuts, largest, rows = _cuts(n_cuts), max(sizes), []
    for noise in noises:
        labels, excess = np.zeros((n_runs, len(sizes))), np.zeros((n_runs, len(sizes)))
        for index, rng in enumerate(np.random.default_rng(seed).spawn(n_runs)):
            stream = rng.uniform(size=largest)
            answers = (stream >= 0.5) ^ (rng.random(largest) < noise)
            labels[index], excess[index] = _prefixes(cuts, stream, answers, noise, sizes)
        for m, mean, worst in zip(sizes, labels.mean(axis=0), excess.mean(axis=0), strict=True):
            bound = active_expected_queries(m, n_cuts, BETA, best_error=noise, theta=_theta)
            promised = active_excess_error(m, n_cuts, BETA, best_error=noise)
            rows.append((noise, m, mean, bound, worst, promised))
    columns = ["noise", "m", "labels", "labels_bound", "excess", "excess_bound"]
    return pd.DataFrame(rows, columns=columns)


def _prefixes(cuts: Thresholds, stream: np.ndarray, answers: np.ndarray, noise: float, sizes: Sequence[int]):
    """Labels asked and worst excess error among the survivors, for each prefix of the stream."""

    def slack(j: int) -> float:
        return active_slack(j, cuts.n_hypotheses, BETA, best_error=noise) if noise else 0.0

    table, excess = cuts.predict(stream), []
    for m in sizes:
        run = version_space_learning(table[:, :m], lambda j: answers[j], slack=slack)
        excess.append((1 - 2 * noise) * np.abs(cuts.cuts[run.survivors] - 0.5).max())
    return [(run.queried < m).sum() for m in sizes], excess
