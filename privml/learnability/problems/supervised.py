"""Losses of prediction: classification, regression, and both with random features in place of a kernel.

Each loss is a function of what the hypotheses say about the records, vectorised: rows are hypotheses, columns
are records.  Below them stands a small instance of each, with a public bound of its loss.
"""

from math import sqrt

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml.hypotheses import Conjunctions
from privml.hypotheses.cube import boolean_cube
from privml.learnability.problems.base import RawProblem

N_FEATURES = 8


def zero_one_loss(predictions: ArrayLike, labels: ArrayLike) -> NDArray[np.float64]:
    """The loss ``1(h(x) != y)`` of predictions (n_hypotheses, n_records) and labels (n_records,).

    **Source.** WLF16-tab-1, binary classification.

    >>> zero_one_loss([[True, True], [False, True]], [True, False]).tolist()
    [[0.0, 1.0], [1.0, 1.0]]
    """
    return (np.asarray(predictions) != np.asarray(labels)).astype(float)


def squared_loss(predictions: ArrayLike, targets: ArrayLike) -> NDArray[np.float64]:
    """The loss ``(h(x) - y)^2`` of predictions (n_hypotheses, n_records) and targets (n_records,).

    **Source.** WLF16-tab-1, regression and RKHS regression.

    >>> squared_loss([[0.0, 1.0]], [0.5, -1.0]).tolist()
    [[0.25, 4.0]]
    """
    return (np.asarray(predictions, dtype=float) - np.asarray(targets, dtype=float)) ** 2


def hinge_loss(margins: ArrayLike, labels: ArrayLike) -> NDArray[np.float64]:
    """The loss ``max(0, 1 - y <x, h>)`` of inner products (n_hypotheses, n_records) and labels -1, +1.

    **Source.** WLF16-tab-1, RKHS classification, with the labels corrected.

    Parameters
    ----------
    margins : array_like of shape (n_hypotheses, n_records)
        Inner products ``<x, h>``.
    labels : array_like of shape (n_records,)
        Labels -1 or +1.  With labels 0 and 1, as the source prints, every record labelled 0 would have the
        loss 1 whatever the hypothesis.

    Returns
    -------
    ndarray of shape (n_hypotheses, n_records)

    Raises
    ------
    ValueError
        If a label is neither -1 nor +1: here the labels belong to the public table of possible records.

    Examples
    --------
    >>> hinge_loss([[0.5, 0.5], [2.0, 2.0]], [1, -1]).tolist()
    [[0.5, 1.5], [0.0, 3.0]]
    """
    labels = np.asarray(labels, dtype=float)
    if not np.isin(labels, (-1.0, 1.0)).all():
        raise ValueError("labels must be -1 or +1")
    return np.maximum(0.0, 1 - labels * np.asarray(margins, dtype=float))


def random_features(X: ArrayLike, n_features: int, *, bandwidth: float = 1.0, rng=None) -> NDArray:
    """Random Fourier features, whose inner products approximate a Gaussian kernel.

    **Returns.** ndarray of shape (n_points, n_features): ``sqrt(2 / k) cos(<w_j, x> / s + b_j)``; every row
    has norm at most ``sqrt(2)``.
    **Source.** Rahimi and Recht (2007); stands for the kernel space of two rows of WLF16-tab-1.

    Parameters
    ----------
    bandwidth : float, default 1
        Width s of the kernel ``exp(-|x - x'|^2 / (2 s^2))``, positive.
    rng : seed or Generator, optional
        Draws frequencies w and phases b; public.

    Examples
    --------
    >>> features = random_features([[0.0], [0.5]], 20_000, rng=0)
    >>> (features @ features.T).round(1).tolist()
    [[1.0, 0.9], [0.9, 1.0]]
    """
    check.positive_integer(n_features=n_features)
    check.positive(bandwidth=bandwidth)
    points = np.asarray(X, dtype=float)
    rng = np.random.default_rng(rng)
    frequencies = rng.standard_normal((points.shape[1], n_features)) / bandwidth
    phases = rng.uniform(0, 2 * np.pi, n_features)
    return sqrt(2 / n_features) * np.cos(points @ frequencies + phases)


def classification_example(radius: float = 1.0) -> RawProblem:
    """All conjunctions of two features on the four points of the cube, with 0-1 loss.

    The loss is bounded as it stands: `radius` changes nothing.

    >>> classification_example().losses.shape
    (10, 8)
    """
    check.positive(radius=radius)
    points = np.repeat(boolean_cube(2), 2, axis=0)
    labels = np.tile([False, True], 4)
    rules = Conjunctions(2)
    names = [rules.describe(index) for index in range(rules.n_hypotheses)]
    return RawProblem(zero_one_loss(rules.predict(points), labels), 1.0, hypotheses=np.array(names))


def regression_example(radius: float = 1.0) -> RawProblem:
    """Lines through the origin with slopes in [-radius, radius], x in [0, 1], y in [-radius, radius].

    The loss is at most ``(2 radius)^2``.

    >>> regression_example().problem().losses.shape
    (5, 9)
    """
    check.positive(radius=radius)
    slopes = np.linspace(-radius, radius, 5)
    x, y = np.repeat([0.0, 0.5, 1.0], 3), np.tile([-radius, 0.0, radius], 3)
    losses = squared_loss(slopes[:, None] * x, y)
    return RawProblem(losses, 4 * radius**2, hypotheses=slopes, records=np.stack([x, y], axis=1))


def _kernel_space(radius: float, n_weights: int = 6) -> tuple[NDArray, NDArray]:
    """Random features of four points, times `radius`, and weights of norm 1 in random directions."""
    check.positive(radius=radius)
    features = random_features(np.linspace(0, 3, 4)[:, None], N_FEATURES, rng=0)
    directions = np.random.default_rng(1).standard_normal((n_weights, N_FEATURES))
    return radius * features, directions / np.linalg.norm(directions, axis=1, keepdims=True)


def kernel_classification_example(radius: float = 1.0) -> RawProblem:
    """Hinge loss on random features times `radius`: weights of norm 1, labels -1 and +1.

    The features have norm at most ``sqrt(2) radius``, so the loss is at most ``1 + sqrt(2) radius``.

    >>> kernel_classification_example().problem().losses.shape
    (6, 8)
    """
    features, weights = _kernel_space(radius)
    margins = np.tile(weights @ features.T, 2)
    return RawProblem(hinge_loss(margins, np.repeat([-1, 1], 4)), 1 + sqrt(2) * radius)


def kernel_regression_example(radius: float = 1.0) -> RawProblem:
    """Squared loss on random features times `radius`: weights of norm 1, y in [-radius, radius].

    Predictions have absolute value at most ``sqrt(2) radius``, so the loss is at most
    ``((1 + sqrt(2)) radius)^2``.

    >>> kernel_regression_example().problem().losses.shape
    (6, 12)
    """
    features, weights = _kernel_space(radius)
    predictions = np.repeat(weights @ features.T, 3, axis=1)
    targets = np.tile([-radius, 0.0, radius], 4)
    return RawProblem(squared_loss(predictions, targets), ((1 + sqrt(2)) * radius) ** 2)
