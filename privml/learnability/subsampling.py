"""Learners on a random part of the records: a subset, or a sample with replacement.

Their law on the whole is one matrix product.  Privacy is amplified only if the learner is symmetric, as a law
on counts is, or the subsample shuffled (:mod:`privml.composition.subsampling`).
"""

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from inspect import signature
from math import isqrt
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import gammaln
from sklearn.base import BaseEstimator, MetaEstimatorMixin, clone
from sklearn.utils.validation import check_is_fitted

from privml import _check as check
from privml.adjacency import Adjacency
from privml.composition import subsampled_without_replacement, subsampling_alone
from privml.guarantee import Guarantee
from privml.learnability.problem import (
    CountLearner,
    count_vectors,
    sample_probabilities,
)
from privml.learners import ExponentialPACLearner
from privml.learners.base import BinaryLearner

_BLOCK_ENTRIES = 1 << 21  # of a table of data sets by parts: 16 MiB


def root_size(n_samples: int) -> int:
    """How many of n records the transformation uses: floor(sqrt(n)).

    Parameters
    ----------
    n_samples : int
        Number of records, a positive integer.

    Examples
    --------
    >>> [root_size(n) for n in (1, 8, 9, 10_000)]
    [1, 2, 3, 100]
    """
    check.positive_integer(n_samples=n_samples)
    return isqrt(n_samples)


def _checked_size(n_samples: int, subsample_size: int | None) -> int:
    """The size of the subset, which is not larger than the data set."""
    size = root_size(n_samples) if subsample_size is None else subsample_size
    check.positive_integer(n_samples=n_samples, subsample_size=size)
    if size > n_samples:
        raise ValueError(
            f"subsample_size must be at most n_samples = {n_samples}, but got {size!r}."
        )
    return int(size)


def subsample_guarantee(
    guarantee: Guarantee, n_samples: int, subsample_size: int | None = None
) -> Guarantee:
    """Guarantee of a learner on a random subset of the records.

    The tight one, epsilon ``ln(1 + gamma (e^epsilon - 1))`` and delta times gamma.  Printed in the source:
    :func:`privml.composition.root_subsample_epsilon_wlf16`.

    Parameters
    ----------
    guarantee : Guarantee
        Of the learner on what it gets, replace-one.
    n_samples : int
        Number of records, a positive integer.
    subsample_size : int, optional
        Number of records drawn, a positive integer up to n; None is floor(sqrt(n)).

    Notes
    -----
    *Privacy.* The guarantee is under ``REPLACE_ONE``, for symmetric or shuffled learners.

    References
    ----------
    WLF16-lem-4 and WLF16-lem-10, the privacy claims, with the tight bound.

    Examples
    --------
    >>> print(subsample_guarantee(Guarantee(1.0), 10_000))
    0.0170369-differential privacy (replace-one)
    """
    size = _checked_size(n_samples, subsample_size)
    return subsampled_without_replacement(guarantee, n_samples, size, symmetric=True)


def hypergeometric_weights(
    counts: NDArray[np.int64], parts: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Probability that a random subset of a data set has each count vector.

    Parameters
    ----------
    counts : ndarray
        Here data sets of one size, (n_datasets, n_records).
    parts : ndarray
        Subsets of one size, (n_parts, n_records).

    Returns
    -------
    ndarray
        Of shape (n_datasets, n_parts): probabilities.

    Raises
    ------
    ValueError
        If they are no tables of integers.

    Examples
    --------
    >>> hypergeometric_weights(np.array([[2, 1]]), np.array([[2, 0], [1, 1], [0, 2]])).round(6).tolist()
    [[0.333333, 0.666667, 0.0]]
    """
    counts, parts = np.asarray(counts), np.asarray(parts)
    if not all(
        table.dtype.kind in "iu" and table.ndim == 2 for table in (counts, parts)
    ):
        raise ValueError(
            f"counts and parts must be tables of integers, but got {counts.shape}, {parts.shape}."
        )

    def log_binomial(
        n: NDArray, k: NDArray
    ) -> NDArray[np.float64]:  # gammaln is infinite for k > n
        return gammaln(n + 1.0) - gammaln(k + 1.0) - gammaln(n - k + 1.0)

    columns = zip(
        (np.unique(n, return_inverse=True) for n in counts.T), parts.T, strict=True
    )
    log_ways = [log_binomial(n[:, None], k)[place] for (n, place), k in columns]
    return np.exp(
        sum(log_ways) - log_binomial(counts.sum(axis=1)[:, None], parts.sum(axis=1))
    )


def _on_parts(
    learner: CountLearner, subsample_size: int | None, *, replace: bool
) -> CountLearner:
    """Law of the whole: that of the parts, with their probabilities as weights."""
    if subsample_size is not None:
        check.positive_integer(subsample_size=subsample_size)

    def subsampled(counts: NDArray[np.int64]) -> NDArray[np.float64]:
        counts = np.asarray(counts)
        sizes = np.unique(counts.sum(axis=1))
        if sizes.size != 1:
            raise ValueError(
                f"data sets must be of one size, but got sizes {sizes.tolist()}."
            )
        size = root_size(int(sizes[0])) if subsample_size is None else subsample_size
        parts = count_vectors(
            counts.shape[1], size if replace else _checked_size(int(sizes[0]), size)
        )
        outputs = np.asarray(learner(parts), dtype=float)
        step = max(1, _BLOCK_ENTRIES // parts.size)
        blocks = (counts[start : start + step] for start in range(0, len(counts), step))
        return np.concatenate([weights(block, parts) @ outputs for block in blocks])

    def weights(
        block: NDArray[np.int64], parts: NDArray[np.int64]
    ) -> NDArray[np.float64]:
        if replace:
            return sample_probabilities(parts, block / block.sum(axis=1, keepdims=True))
        return hypergeometric_weights(block, parts)

    return subsampled


def subset_learner(
    learner: CountLearner, subsample_size: int | None = None
) -> CountLearner:
    """Law of a symmetric learner on a random subset of the records.

    Exactly: all subsets up to order, with hypergeometric weights.

    Parameters
    ----------
    learner : callable
        The learner: from counts (n_datasets, n_records) to probabilities of hypotheses.
    subsample_size : int, optional
        Number of records drawn, a positive integer; None is floor(sqrt(n)).

    Returns
    -------
    CountLearner
        From counts (n_datasets, n_records) to probabilities (n_datasets, n_hypotheses).

    Notes
    -----
    *Privacy.* See :func:`subsample_guarantee`.

    References
    ----------
    The algorithm A' of WLF16-lem-4, WLF16-lem-10, WLF16-lem-14 and WLF16-lem-29.

    Examples
    --------
    >>> publish = subset_learner(lambda counts: counts / counts.sum(axis=1, keepdims=True), 1)
    >>> publish(np.array([[1, 3]])).round(6).tolist()
    [[0.25, 0.75]]
    """
    return _on_parts(learner, subsample_size, replace=False)


def resampled_learner(
    learner: CountLearner, subsample_size: int | None = None
) -> CountLearner:
    """Law of a learner on records drawn with replacement.

    Exactly: all samples up to order, with multinomial weights.  A learner that minds the order of its records
    counts with the law of the learner that shuffles first: the draws come in random order anyway.

    Parameters
    ----------
    learner : callable
        The learner: from counts (n_datasets, n_records) to probabilities of hypotheses.
    subsample_size : int, optional
        Number of records drawn, a positive integer; None is floor(sqrt(n)).

    Returns
    -------
    CountLearner
        From counts (n_datasets, n_records) to probabilities (n_datasets, n_hypotheses).

    Notes
    -----
    *Privacy.* See :func:`privml.composition.subsampled_with_replacement`, under replace-one.

    References
    ----------
    WLF16-lem-10, with draws with replacement.

    Examples
    --------
    >>> publish = resampled_learner(lambda counts: counts / counts.sum(axis=1, keepdims=True), 3)
    >>> publish(np.array([[3, 1]])).round(12).tolist()
    [[0.75, 0.25]]
    """
    return _on_parts(learner, subsample_size, replace=True)


@dataclass(eq=False, repr=False)
class SubsampledLearner(MetaEstimatorMixin, BinaryLearner):
    """Classifier that fits another one to a uniformly random subset of the records, in random order.

    The learner gets labels False and True, and ``classes=(False, True)`` if it has that parameter, so that a
    subset with one label only does not trouble it.

    Parameters
    ----------
    estimator : classifier, optional
        Classifier of scikit-learn, cloned, for two labels; None is ``ExponentialPACLearner()``.
    subsample_size : int, optional
        Number of records drawn, a positive integer up to n; None is floor(sqrt(n)).
    classes : sequence, optional
        Public labels, the negative one first; None reads them from `y`, so that their set is public.

    Attributes
    ----------
    estimator_, subsample_size_ : estimator, int
        The fitted learner, and how many records it got.
    classes_ : ndarray
        The two labels.
    privacy_ : Guarantee
        Promise of one fit.

    Notes
    -----
    *Privacy.* See :func:`subsample_guarantee` of the learner's own promise, under ``REPLACE_ONE``; for one
    without promise the ``(0, gamma)`` of subsampling alone, which protects nobody. The records are
    shuffled, so the learner need not be symmetric, and which ones were drawn is not kept.

    References
    ----------
    The transformation of WLF16-lem-4 and WLF16-lem-10.

    Examples
    --------
    >>> X, y = np.arange(10_000)[:, None] / 5_000 - 1, np.arange(10_000) >= 5_000
    >>> learner = SubsampledLearner(ExponentialPACLearner(1.0)).fit(X, y, rng=0)
    >>> print(learner.subsample_size_, learner.privacy_)
    100 0.0170369-differential privacy (replace-one)
    """

    estimator: BaseEstimator | None = None
    _: KW_ONLY
    subsample_size: int | None = None
    classes: Sequence | None = None

    def fit(
        self,
        X: ArrayLike,
        y: ArrayLike,
        *,
        rng: np.random.Generator | int | None = None,
    ) -> Self:
        draw, inner = np.random.default_rng(rng).spawn(2)
        learner = (
            ExponentialPACLearner() if self.estimator is None else clone(self.estimator)
        )
        if "classes" in learner.get_params():
            learner.set_params(classes=(False, True))
        X, labels, self.classes_ = self._prepared(X, y, reset=True)
        size = _checked_size(len(X), self.subsample_size)
        chosen = draw.permutation(len(X))[:size]
        self.estimator_ = _fitted(learner, X[chosen], labels[chosen], inner)
        self.subsample_size_ = size
        promise = getattr(self.estimator_, "privacy_", None)
        if promise is None:
            self.privacy_ = subsampling_alone(len(X), size)
        else:
            self.privacy_ = subsample_guarantee(
                promise.under(Adjacency.REPLACE_ONE), len(X), size
            )
        return self

    def predict(self, X: ArrayLike) -> NDArray:
        check_is_fitted(self, "estimator_")
        return self._labels(self.estimator_.predict(self._features(X)))


def _fitted(
    learner: BaseEstimator, X: NDArray, labels: NDArray, rng: np.random.Generator
) -> BaseEstimator:
    """Fit a learner with its own stream of randomness, however it takes it."""
    if "rng" in signature(learner.fit).parameters:
        return learner.fit(X, labels, rng=rng)
    if "random_state" in learner.get_params():
        learner.set_params(random_state=int(rng.integers(2**31)))
    return learner.fit(X, labels)


check.wrap_module(__name__)
