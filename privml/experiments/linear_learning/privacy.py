"""Tables on what LinearLearner gives away: exact audits, exact curves, learning rates."""

from collections.abc import Sequence
from itertools import product
from math import exp, log, sqrt

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from privml import audit
from privml.composition import nonadaptive_range_delta
from privml.distributions.binomial import binomial_logpmf
from privml.divergences import PrivacyCurve
from privml.learners.experts import action_probabilities
from privml.learners.linear import average_law, linear_eta, linear_guarantee, sequence_law
from privml.learners.linear.privacy import METHODS

FORTH, BACK = (-1.0, 1.0), (1.0, -1.0)


def extreme_pair(n_samples: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Two data sets in two coordinates: opposite first examples, then zeros.

    Examples
    --------
    >>> [X[:2].tolist() for X in extreme_pair(5)]
    [[[-1.0, 1.0], [0.0, 0.0]], [[1.0, -1.0], [0.0, 0.0]]]
    """
    pair = np.zeros((2, n_samples, 2))
    pair[0, 0], pair[1, 0] = FORTH, BACK
    return pair[0], pair[1]


def average_curve(eta: float, n_samples: int) -> PrivacyCurve:
    """Exact privacy curve of the released average on the extreme pair.

    The first draw is a fair coin, and each later one is the first coordinate with the same probability; so
    the count is binomial plus a coin, and that of the neighbour is its mirror image.

    Examples
    --------
    >>> round(average_curve(0.1, 50).delta(1.0), 6)
    0.276738
    """
    law = binomial_logpmf(n_samples - 1, 1 / (1 + exp(-2 * eta)))
    here = np.logaddexp(np.append(law, -np.inf), np.insert(law, 0, -np.inf)) - log(2)
    return PrivacyCurve.between(here, here[::-1])


def small_audits(eta: float) -> pd.DataFrame:
    """Exact epsilon of sequence and average over all ordered neighbours of small universes.

    Parameters
    ----------
    eta : float
        Learning rate.

    Returns
    -------
    DataFrame
        Columns ``universe``, ``n_samples``, ``n_pairs``, ``released``, ``exact`` (epsilon), ``two`` and
        ``four`` (2 and 4 times eta for each of the rounds but the first).

    Examples
    --------
    >>> small_audits(0.5)["n_pairs"].tolist()
    [1536, 1536, 8748, 8748, 5376, 5376]
    """
    cases = (("corners of the square", 2, (-1.0, 1.0), 4), ("square with middles", 2, (-1.0, 0.0, 1.0), 3))
    cases += (("corners of the cube", 3, (-1.0, 1.0), 3),)
    rows = []
    for name, n_features, values, n_samples in cases:
        universe = np.array(list(product(values, repeat=n_features)))
        for released, law in (("draws", sequence_law), ("average", average_law)):
            found = audit.exact(lambda X, law=law: law(X, eta), universe, n_samples, ordered=True)
            claims = (2 * eta * (n_samples - 1), 4 * eta * (n_samples - 1))
            rows.append((name, n_samples, found.n_pairs, released, found.epsilon, *claims))
    return pd.DataFrame(
        rows, columns=["universe", "n_samples", "n_pairs", "released", "exact", "two", "four"]
    )


def one_round(eta: float, sizes: Sequence[int]) -> pd.DataFrame:
    """Largest privacy loss of the second round when the first example is replaced, against d.

    Parameters
    ----------
    eta : float
        Learning rate.
    sizes : sequence of int
        Numbers of coordinates.

    Returns
    -------
    DataFrame
        Columns ``n_features``, ``loss``, ``over_eta``.

    Notes
    -----
    **Source.** DR11-alg-17: the sensitivity of losses in [-1, 1].

    Examples
    --------
    >>> one_round(0.1, [2, 1000]).round(3)["over_eta"].tolist()
    [2.0, 3.996]
    """
    rows = []
    for n_features in sizes:
        x = np.ones(n_features)
        x[0] = -1.0
        one, other = (action_probabilities([z, z], eta, lower=-1.0, upper=1.0)[1] for z in (x, -x))
        loss = float(np.log(one / other).max())
        rows.append((n_features, loss, loss / eta))
    return pd.DataFrame(rows, columns=["n_features", "loss", "over_eta"])


def rates(epsilon: float, delta: float, n_samples: int) -> pd.DataFrame:
    """The learning rates, and what each really costs.

    Parameters
    ----------
    epsilon, delta : float
        What is claimed.
    n_samples : int
        Number of examples.

    Returns
    -------
    DataFrame
        Columns ``method``, ``eta``, ``over_corrected``, ``advanced``, ``concentrated``, ``oblivious``:
        epsilon at delta by each accountant.

    Examples
    --------
    >>> rates(1.0, 1e-5, 1000).round(2)["over_corrected"].tolist()
    [1.0, 2.0, 4.75, 5.15]
    """
    rows = []
    for method in METHODS:
        eta = linear_eta(epsilon, delta, n_samples, method=method)
        spent = [
            linear_guarantee(eta, n_samples, delta, method=by).epsilon
            for by in ("advanced", "concentrated", "oblivious")
        ]
        rows.append((method, eta, eta / linear_eta(epsilon, delta, n_samples), *spent))
    columns = ["method", "eta", "over_corrected", "advanced", "concentrated", "oblivious"]
    return pd.DataFrame(rows, columns=columns)


def spent_curves(
    epsilon: float, delta: float, n_samples: int, epsilons: Sequence[float], methods: Sequence[str]
) -> pd.DataFrame:
    """Exact delta of the released average on the extreme pair, and the bound for all pairs and sequences.

    Parameters
    ----------
    epsilon, delta : float
        What the learning rates are made for.
    n_samples : int
        Number of examples.
    epsilons : sequence of float
        Where to evaluate.
    methods : sequence of str
        Learning rates.

    Returns
    -------
    DataFrame
        Columns ``method``, ``kind`` ("average, exact" or "draws, bound"), ``epsilon``, ``delta``.

    Examples
    --------
    >>> spent_curves(1.0, 1e-3, 200, [1.0], ["oblivious"]).round(6)["delta"].tolist()
    [0.000954, 0.001]
    """
    rows = []
    for method in methods:
        eta = linear_eta(epsilon, delta, n_samples, method=method)
        curve = average_curve(eta, n_samples)
        for at in epsilons:
            rows.append((method, "average, exact", at, float(curve.delta(at))))
            rows.append((method, "draws, bound", at, nonadaptive_range_delta(4 * eta, n_samples - 1, at)))
    return pd.DataFrame(rows, columns=["method", "kind", "epsilon", "delta"])


def beyond_the_limit(times: Sequence[float], delta: float, n_samples: int) -> pd.DataFrame:
    """Exact delta of the average at the printed rate and the claimed epsilon, where epsilon is large.

    Parameters
    ----------
    times : sequence of float
        Claimed epsilon over ln(1 / delta).
    delta : float
        Claimed.
    n_samples : int
        Number of examples.

    Returns
    -------
    DataFrame
        Columns ``times``, ``epsilon``, ``delta`` (exact), ``over_claim``.

    Notes
    -----
    **Source.** DR11-thm-11.5, whose statement has no limit.

    Examples
    --------
    >>> beyond_the_limit([8, 16], 0.4, 500).round(2)["over_claim"].tolist()
    [0.12, 1.05]
    """
    rows = []
    for factor in times:
        epsilon = factor * log(1 / delta)
        eta = epsilon / sqrt(32 * n_samples * log(1 / delta))
        exact = float(average_curve(eta, n_samples).delta(epsilon))
        rows.append((factor, epsilon, exact, exact / delta))
    return pd.DataFrame(rows, columns=["times", "epsilon", "delta", "over_claim"])
