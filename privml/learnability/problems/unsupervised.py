"""Losses without labels: densities, centres, and topics."""

from itertools import combinations
from math import log

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml.learnability.problems.base import RawProblem, square_grid

N_CELLS = 4
DOCUMENT_LENGTH = 2


def log_loss(densities: ArrayLike) -> NDArray[np.float64]:
    """The loss ``-ln h(z)`` of densities (n_hypotheses, n_records); infinite where a density is 0.

    **Source.** WLF16-tab-1, density estimation.

    >>> log_loss([[1.0, 0.5]]).round(4).tolist()
    [[-0.0, 0.6931]]
    """
    with np.errstate(divide="ignore"):
        return -np.log(np.asarray(densities, dtype=float))


def centres_loss(centres: ArrayLike, points: ArrayLike) -> NDArray[np.float64]:
    """The loss ``min over c in h of |c - z|^2`` of k-means.

    **Source.** WLF16-tab-1, k-means clustering.

    Parameters
    ----------
    centres : array_like of shape (n_hypotheses, k, n_dimensions)
        The k centres of each hypothesis.
    points : array_like of shape (n_records, n_dimensions)
        The records.

    Returns
    -------
    ndarray of shape (n_hypotheses, n_records)

    Examples
    --------
    >>> centres_loss([[[0.0], [3.0]]], [[1.0], [2.5]]).tolist()
    [[1.0, 0.25]]
    """
    centres, points = np.asarray(centres, dtype=float), np.asarray(points, dtype=float)
    return ((centres[:, :, None, :] - points) ** 2).sum(axis=-1).min(axis=1)


def topic_loss(topics: ArrayLike, documents: ArrayLike, mixtures: ArrayLike) -> NDArray[np.float64]:
    """The loss ``-max over b of sum over words w of ln P_{b, h}(w)`` of a topic model.

    **Source.** WLF16-tab-1, topic models, with finitely many mixtures.

    Parameters
    ----------
    topics : array_like of shape (n_hypotheses, n_topics, n_words)
        Law of the words in each topic.
    documents : array_like of int, shape (n_records, n_words)
        How often each word occurs in each document.
    mixtures : array_like of shape (n_mixtures, n_topics)
        The public mixtures of topics b to choose from; the maximum is over these.

    Returns
    -------
    ndarray of shape (n_hypotheses, n_records)

    Examples
    --------
    >>> topic_loss([[[0.9, 0.1], [0.1, 0.9]]], [[2, 0], [1, 1]], [[1.0, 0.0], [0.5, 0.5]]).round(4).tolist()
    [[0.2107, 1.3863]]
    """
    from scipy.special import xlogy

    words = np.asarray(mixtures, dtype=float) @ np.asarray(topics, dtype=float)
    documents = np.asarray(documents)
    return -xlogy(documents, words[:, :, None, :]).sum(axis=-1).max(axis=1)


def density_example(radius: float = 1.0) -> RawProblem:
    """Histograms on four cells of [0, 1]: each favours one cell or a pair, above a floor.

    A cell that is not favoured has the density ``1 / (5 radius)``, so that `radius` at least 1 says how
    small densities may become; the loss is in ``[-ln 4, ln(5 radius)]``.

    >>> density_example().losses.shape
    (10, 4)
    """
    check.positive(radius=radius)
    if radius < 1:
        raise ValueError(f"radius must be at least 1, got {radius!r}")
    floor = 1 / (5 * radius)
    favoured = [[cell] for cell in range(N_CELLS)] + [list(pair) for pair in combinations(range(N_CELLS), 2)]
    densities = np.full((len(favoured), N_CELLS), floor)
    for row, cells in enumerate(favoured):
        densities[row, cells] = (N_CELLS - floor * (N_CELLS - len(cells))) / len(cells)
    return RawProblem(log_loss(densities), log(5 * radius), -log(N_CELLS), hypotheses=densities)


def clustering_example(radius: float = 1.0) -> RawProblem:
    """Two centres among nine points of a grid in [-radius, radius]^2, which are also the records.

    The loss is at most the square of the diameter, ``8 radius^2``.

    >>> clustering_example().losses.shape
    (36, 9)
    """
    points = square_grid(radius)
    centres = points[np.array(list(combinations(range(len(points)), 2)))]
    return RawProblem(centres_loss(centres, points), 8 * radius**2, hypotheses=centres, records=points)


def topic_example(radius: float = 1.0) -> RawProblem:
    """Two topics over three words; documents of two words.

    A word that a topic avoids has there the probability ``1 / (10 radius)``, `radius` at least 1, so the loss
    is at most ``2 ln(10 radius)``.

    >>> topic_example().losses.shape
    (3, 6)
    """
    check.positive(radius=radius)
    if radius < 1:
        raise ValueError(f"radius must be at least 1, got {radius!r}")
    floor = 1 / (10 * radius)
    single = np.full((3, 3), floor) + (1 - 3 * floor) * np.eye(3)
    pairs = list(combinations(range(3), 2))
    words = np.array([[first, second] for first in range(3) for second in range(first, 3)])
    documents = (words[:, :, None] == np.arange(3)).sum(axis=1)
    mixtures = np.stack([np.linspace(0, 1, 5), np.linspace(1, 0, 5)], axis=1)
    losses = topic_loss(single[np.array(pairs)], documents, mixtures)
    return RawProblem(losses, DOCUMENT_LENGTH * log(1 / floor), hypotheses=np.array(pairs), records=documents)
