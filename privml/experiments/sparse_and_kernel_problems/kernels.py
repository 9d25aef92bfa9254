"""Random Fourier features: errors of the kernel, lengths of rows, and risk against the number of features."""

from collections.abc import Sequence
from math import exp, sqrt

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.kernel_approximation import RBFSampler
from sklearn.linear_model import Ridge

from privml.bounds.fourier_features import fourier_best_pairs, fourier_erm_gap, fourier_kernel_variance
from privml.learners import ExponentialRidge, PublicFourierFeatures

GAMMA = 2.0
NONE, PRIVATE = "no privacy", "private"


def rings(n_samples: int, *, rng: np.random.Generator | int | None = None) -> tuple[NDArray, NDArray]:
    """Points near two circles of radius 0.4 (False) and 0.9 (True): no line separates them.

    Parameters
    ----------
    n_samples : int
        Number of records.
    rng : numpy.random.Generator or int, optional
        Source of randomness, or a seed for one.

    Returns
    -------
    (X, y) : ndarray of shape (n_samples, 2), ndarray of bool

    Examples
    --------
    >>> X, y = rings(1000, rng=0)
    >>> bool(np.linalg.norm(X[y], axis=1).min() > np.linalg.norm(X[~y], axis=1).mean())
    True
    """
    rng = np.random.default_rng(rng)
    y, angle = rng.integers(0, 2, n_samples) > 0, rng.uniform(0, 2 * np.pi, n_samples)
    radius = np.where(y, 0.9, 0.4) + rng.normal(0, 0.05, n_samples)
    return radius[:, None] * np.column_stack([np.cos(angle), np.sin(angle)]), y


def _measured(model: object, features: NDArray, labels: NDArray) -> tuple[float, float]:
    scores = model.predict(features)
    return float(((scores - (2.0 * labels - 1)) ** 2).mean()), float(((scores > 0) == labels).mean())


def risk_by_pairs(
    pairs: Sequence[int], n_samples: int, epsilon: float, *, n_seeds: int = 8, radius: float = 4.0
) -> pd.DataFrame:
    """Squared loss and accuracy on fresh points of the rings against the number of frequencies.

    Parameters
    ----------
    pairs : sequence of int
        Numbers of pairs of features.
    n_samples : int
        Number of records.
    epsilon : float
        Privacy parameter in nats of :class:`~privml.learners.ExponentialRidge`, whose draws are exact here.
    n_seeds : int, default 8
        Data sets, frequencies and draws; columns are means and standard errors over them.
    radius : float, default 4.0
        Of the ball of weights.

    Returns
    -------
    DataFrame
        Columns ``curve`` (no privacy: ridge regression), ``pairs``, ``risk``, ``error_of_risk``,
        ``accuracy``, ``exact`` (share of the draws that needed no Markov chain).

    Examples
    --------
    >>> risk_by_pairs([5], 300, 1.0, n_seeds=2)["curve"].tolist()
    ['no privacy', 'private']
    """
    rows = []
    for count in pairs:
        found: dict[str, list] = {NONE: [], PRIVATE: []}
        for seed in range(n_seeds):
            X, y = rings(n_samples, rng=[seed, 0])
            fresh, labels = rings(2000, rng=[seed, 1])
            features = PublicFourierFeatures(GAMMA, count, seed=seed).fit(X)
            rows_in, rows_out, targets = features.transform(X), features.transform(fresh), 2.0 * y - 1
            plain = Ridge(alpha=1.0, fit_intercept=False).fit(rows_in, targets)
            private = ExponentialRidge(epsilon, radius=radius).fit(rows_in, targets, rng=seed)
            found[NONE].append((*_measured(plain, rows_out, labels), 1.0))
            exact = float(private.diagnostics_.r_hat == 0)
            found[PRIVATE].append((*_measured(private, rows_out, labels), exact))
        for name, runs in found.items():
            risk, accuracy, exact = np.array(runs).T
            error = risk.std(ddof=1) / sqrt(n_seeds)
            rows.append((name, count, risk.mean(), error, accuracy.mean(), exact.mean()))
    names = ["curve", "pairs", "risk", "error_of_risk", "accuracy", "exact"]
    return pd.DataFrame(rows, columns=names)


def kernel_errors(distances: Sequence[float], n_features: int) -> pd.DataFrame:
    """Exact standard deviations of the approximate Gaussian kernel: cosine and sine, or random phases.

    Parameters
    ----------
    distances : sequence of float
        Distances of two records; the kernel is ``exp(-distance^2)``.
    n_features : int
        Number of features of both, even.

    Returns
    -------
    DataFrame
        Columns ``distance``, ``kernel``, ``pairs``, ``phases``.

    Examples
    --------
    >>> kernel_errors([0.0, 1.0], 100).round(4)
       distance  kernel   pairs  phases
    0       0.0  1.0000  0.0000  0.0707
    1       1.0  0.3679  0.0865  0.0935
    """
    rows = []
    for distance in distances:
        k = exp(-(distance**2))
        both = [fourier_kernel_variance(k, k**4, n_features // 2, paired=paired) for paired in (True, False)]
        rows.append((distance, k, sqrt(both[0]), sqrt(both[1])))
    return pd.DataFrame(rows, columns=["distance", "kernel", "pairs", "phases"])


def row_lengths(n_features: Sequence[int], *, seed: int = 0) -> pd.DataFrame:
    """How long the rows of scikit-learn's RBFSampler are, on 2000 points of the rings.

    Parameters
    ----------
    n_features : sequence of int
        Numbers of features.
    seed : int, default 0
        Of the frequencies and phases.

    Returns
    -------
    DataFrame
        Columns ``n_features``, ``longer`` (share of rows longer than 1), ``longest``, ``pairs`` (the longest
        row of cosines and sines).

    Examples
    --------
    >>> table = row_lengths([100])
    >>> bool(0.3 < table["longer"][0] < 0.7), round(float(table["pairs"][0]), 9)
    (True, 1.0)
    """
    X, rows = rings(2000, rng=seed)[0], []
    for count in n_features:
        phases = RBFSampler(gamma=GAMMA, n_components=count, random_state=seed).fit_transform(X)
        lengths = np.linalg.norm(phases, axis=1)
        pairs = PublicFourierFeatures(GAMMA, count // 2, seed=seed).fit_transform(X)
        longest = np.linalg.norm(pairs, axis=1).max()
        rows.append((count, float((lengths > 1).mean()), float(lengths.max()), float(longest)))
    return pd.DataFrame(rows, columns=["n_features", "longer", "longest", "pairs"])


def feature_costs(n_samples: Sequence[int], epsilon: float, norm: float) -> pd.DataFrame:
    """The best number of frequencies and what is promised with it, for the logistic loss.

    Parameters
    ----------
    n_samples : sequence of int
        Numbers of records.
    epsilon : float
        Privacy parameter in nats.
    norm : float
        C, the radius of the ball.

    Returns
    -------
    DataFrame
        Columns ``n_samples``, ``pairs``, ``gap`` (bound on the expected excess empirical risk), ``product``
        (the gap times the third root of ``n epsilon``).

    Examples
    --------
    >>> feature_costs([10**6], 1.0, 4.0).round(3)
       n_samples  pairs   gap  product
    0    1000000   2500  0.12     12.0
    """
    sizes, rows = {"norm": norm, "lipschitz": 1.0, "oscillation": norm}, []
    for n in n_samples:
        pairs = fourier_best_pairs(n, epsilon, **sizes)
        gap = fourier_erm_gap(n, epsilon, pairs, **sizes)
        rows.append((n, pairs, gap, gap * (n * epsilon) ** (1 / 3)))
    return pd.DataFrame(rows, columns=["n_samples", "pairs", "gap", "product"])


def scale_rule(n_samples: int, outlier: float, *, seed: int = 0) -> pd.DataFrame:
    """The rule ``gamma="scale"`` of scikit-learn reads the records: frequencies before and after one changes.

    Parameters
    ----------
    n_samples : int
        Number of records of the rings.
    outlier : float
        Both coordinates of the record that replaces the first.
    seed : int, default 0
        Of records and frequencies.

    Returns
    -------
    DataFrame
        Columns ``rule``, ``before``, ``after``: the first frequency, for "scale" and for a public number.

    Examples
    --------
    >>> table = scale_rule(50, 100.0)
    >>> (table["before"] == table["after"]).tolist()
    [False, True]
    """
    X = rings(n_samples, rng=seed)[0]
    changed = X.copy()
    changed[0] = outlier
    rows = []
    for rule in ("scale", GAMMA):
        samplers = [RBFSampler(gamma=rule, random_state=seed).fit(data) for data in (X, changed)]
        rows.append((str(rule), *(sampler.random_weights_[0, 0] for sampler in samplers)))
    return pd.DataFrame(rows, columns=["rule", "before", "after"])
