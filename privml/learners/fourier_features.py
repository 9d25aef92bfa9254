"""Random Fourier features with public frequencies, of norm exactly 1: kernels for private linear learners.

Scikit-learn's ``RBFSampler`` draws the frequencies.  It maps a record to cosines with random phases, whose
norm is 1 on average only: a learner that clips rows to length 1 changes about half of them.  The same
frequencies with a cosine and a sine each give norm 1 always, and for the Gaussian kernel a smaller error.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.kernel_approximation import RBFSampler
from sklearn.utils.validation import check_is_fitted

from privml import _check as check
from privml._records import features

LARGEST_COORDINATE = 1e100


class PublicFourierFeatures(TransformerMixin, BaseEstimator):
    """Pairs of cosine and sine at random frequencies: the inner product is about a Gaussian kernel.

    **Privacy.** No value of a record enters `fit`, and `transform` treats each record by itself: a learner
    behind it keeps its guarantee.  Records are never refused by value: NaN counts as 0, and coordinates are
    moved into [-1e100, 1e100].
    **Source.** WLF16-rem-infinite-domain; Rahimi and Recht (2007).

    Parameters
    ----------
    gamma : float, default 1.0
        The kernel is ``exp(-gamma |x - x'|^2)``; positive, and public: a number, never a rule that reads the
        data as ``RBFSampler(gamma="scale")`` does.
    n_pairs : int, default 50
        Number D of frequencies; there are 2 D features.

    Attributes
    ----------
    frequencies_ : ndarray of shape (n_features, n_pairs)
        From ``RBFSampler``; they depend on the parameters and the number of features only.

    Examples
    --------
    >>> features = PublicFourierFeatures(0.5, 2000).fit_transform([[0.0, 0.0], [1.0, 1.0]])
    >>> bool(abs(features[0] @ features[1] - np.exp(-1.0)) < 0.05)
    True
    >>> round(float(np.linalg.norm(features[1])), 12)
    1.0
    """

    def __init__(self, gamma: float = 1.0, n_pairs: int = 50, *, seed: int = 0) -> None:
        self.gamma = gamma
        self.n_pairs = n_pairs
        self.seed = seed

    def fit(self, X: ArrayLike, y: ArrayLike | None = None):
        """Draw the frequencies; of `X` only the number of columns is used."""
        check.positive(gamma=self.gamma)
        check.positive_integer(n_pairs=self.n_pairs)
        check.non_negative_integer(seed=self.seed)
        X = features(self, X, reset=True)
        sampler = RBFSampler(gamma=self.gamma, n_components=self.n_pairs, random_state=self.seed)
        self.frequencies_ = sampler.fit(np.zeros((1, X.shape[1]))).random_weights_
        return self

    def transform(self, X: ArrayLike) -> NDArray[np.float64]:
        """Features of each record, of shape (n_samples, 2 n_pairs)."""
        check_is_fitted(self, "frequencies_")
        X = features(self, X, reset=False).astype(float)
        rows = np.clip(np.nan_to_num(X, nan=0.0), -LARGEST_COORDINATE, LARGEST_COORDINATE)
        angles = rows @ self.frequencies_
        return np.column_stack([np.cos(angles), np.sin(angles)]) / np.sqrt(self.frequencies_.shape[1])

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = tags.input_tags.string = True
        return tags
