"""How far a training error can be trusted: a class that can memorise anything, and real records."""

from collections.abc import Sequence
from math import inf, tanh

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from privml.datasets import load_breast_cancer
from privml.distributions.binomial import binomial_logpmf
from privml.hypotheses import DecisionStumps
from privml.learners.erm import erm_law
from privml.learners.exponential import exponential_law

MOST_COINCIDENCES = 60
"""Most records at one point; more have a probability below rounding wherever this module is used."""


def _wrong_per_point(epsilon: float, n_records: int) -> float:
    """Expected number of training mistakes at a point with this many records, their labels fair coins."""
    if n_records == 0:
        return 0.0
    true = np.arange(n_records + 1)
    weights = np.exp(binomial_logpmf(n_records, 0.5))
    lead = 2 * true - n_records
    if epsilon == inf:
        return float(weights @ np.minimum(true, n_records - true))
    says_true = 1 / (1 + np.exp(-epsilon * lead / 2))
    return float(weights @ (true * (1 - says_true) + (n_records - true) * says_true))


def memorising_error(epsilon: float, n_points: int, n_samples: int) -> float:
    """Expected training error of the exponential mechanism over all labellings of many points, on noise.

    Parameters
    ----------
    epsilon : float
        In nats under ``REPLACE_ONE``; infinite for empirical risk minimisation.
    n_points : int
        Points, equally likely; the class has 2^n_points rules.
    n_samples : int
        Number of records; their labels are fair coins, so the true error of every rule is one half.

    Returns
    -------
    float
        Exact: under this law the labels of the points are independent.

    Examples
    --------
    One record: its own label is more likely to be given.

    >>> round(memorising_error(1.0, 1000, 1), 6)
    0.377541
    """
    at_point = np.exp(binomial_logpmf(n_samples, 1 / n_points))[: MOST_COINCIDENCES + 1]
    wrong = [_wrong_per_point(epsilon, count) for count in range(len(at_point))]
    return float(n_points / n_samples * (at_point @ wrong))


def memorising(epsilons: Sequence[float], n_points: int, n_samples: int) -> pd.DataFrame:
    """Training error, true error and what privacy promises about their difference, against epsilon.

    Parameters
    ----------
    epsilons : sequence of float
        In nats under ``REPLACE_ONE``; may be infinite.
    n_points, n_samples : int
        As in :func:`memorising_error`.

    Returns
    -------
    DataFrame
        Columns ``epsilon``, ``training_error``, ``true_error``, ``gap`` and ``bound``, tanh(epsilon / 4).

    Examples
    --------
    >>> memorising([1.0], 10**6, 100).round(4)
       epsilon  training_error  true_error     gap   bound
    0      1.0          0.3775         0.5  0.1225  0.2449
    """
    rows = []
    for epsilon in epsilons:
        error = memorising_error(epsilon, n_points, n_samples)
        rows.append((epsilon, error, 0.5, 0.5 - error, tanh(epsilon / 4)))
    return pd.DataFrame(rows, columns=["epsilon", "training_error", "true_error", "gap", "bound"])


def _errors(laws: NDArray, mistakes: NDArray, n_samples: int) -> NDArray:
    return laws @ mistakes / n_samples


def tumour_gaps(epsilons: Sequence[float], *, n_cuts: int, n_splits: int, seed: int) -> pd.DataFrame:
    """Training and held-out error of a private stump on tumours, averaged over random splits.

    Parameters
    ----------
    epsilons : sequence of float
        In nats under ``REPLACE_ONE``; infinite for empirical risk minimisation.
    n_cuts : int
        Cut points for each measurement.
    n_splits, seed : int
        Splits into 70 % and 30 %, and their seed.

    Returns
    -------
    DataFrame
        Columns ``epsilon``, ``training_error``, ``held_out_error``, ``gap``, ``standard_error`` (of the gap,
        over the splits) and ``bound``.  No rule is drawn: the laws are exact.

    Examples
    --------
    >>> tumour_gaps([1.0], n_cuts=4, n_splits=2, seed=0).round(3)[["training_error", "bound"]]
       training_error  bound
    0           0.103  0.245
    """
    data = load_breast_cancer()
    stumps = DecisionStumps.on_grid(data.X.shape[1], 0.0, 1.0, n_cuts=n_cuts)
    laws = [erm_law() if epsilon == inf else exponential_law(epsilon) for epsilon in epsilons]
    n_test, errors = round(0.3 * len(data.y)), []
    for rng in np.random.default_rng(seed).spawn(n_splits):
        test, train = np.split(rng.permutation(len(data.y)), [n_test])
        seen, unseen = (stumps.mistakes(data.X[part], data.y[part]) for part in (train, test))
        chosen = np.array([law(seen[None])[0] for law in laws])
        errors.append((_errors(chosen, seen, len(train)), _errors(chosen, unseen, n_test)))
    training, held_out = np.array(errors).transpose(1, 0, 2)
    gaps = held_out - training
    return pd.DataFrame(
        {
            "epsilon": list(epsilons),
            "training_error": training.mean(axis=0),
            "held_out_error": held_out.mean(axis=0),
            "gap": gaps.mean(axis=0),
            "standard_error": gaps.std(axis=0, ddof=1) / np.sqrt(n_splits),
            "bound": [tanh(epsilon / 4) for epsilon in epsilons],
        }
    )
