"""Public preprocessing: rows for private learners from declared numbers, without looking at the data.

Each row is a function of one record and of public numbers, so whatever is private in the rows is so in the
records.  No record is refused for its value: NaN counts as a middle or 0.
"""

from dataclasses import KW_ONLY, dataclass
from math import sqrt
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from privml import _check as check
from privml._records import features, numeric

LARGEST_ENTRY = 1e100  # the square of a row of such entries is a float
ADVICE = "Declare public ranges with bounds=(lower, upper), or pass bounds='unit' if the rows are already scaled."

OF_TARGETS = "Declare their public range with target_bounds=(lower, upper), or pass target_bounds='unit' if it is [-1, 1]."


def _table(X: ArrayLike) -> NDArray[np.float64]:
    values = numeric("X", X).astype(float)
    if values.ndim != 2 or values.shape[0] == 0 or values.shape[1] == 0:
        raise ValueError(
            f"X must be of shape (n_samples, n_features), but got shape {values.shape}."
        )
    return values


def unit_rows(X: ArrayLike) -> NDArray[np.float64]:
    """Rows of Euclidean norm at most 1: longer ones are scaled down, NaN counts as 0.

    Parameters
    ----------
    X : array_like
        Records of shape (n_samples, n_features).

    Returns
    -------
    ndarray
        Of shape (n_samples, n_features): the rows in the unit ball.

    References
    ----------
    Chaudhuri, Monteleoni and Sarwate (2011).

    Examples
    --------
    >>> unit_rows([[3.0, 4.0], [0.3, float("nan")]]).round(9).tolist()
    [[0.6, 0.8], [0.3, 0.0]]
    """
    values = np.clip(np.nan_to_num(_table(X)), -LARGEST_ENTRY, LARGEST_ENTRY)
    return values / np.maximum(np.linalg.norm(values, axis=1, keepdims=True), 1.0)


def centred_rows(
    X: ArrayLike, lower: ArrayLike = 0.0, upper: ArrayLike = 1.0, *, unit: bool = True
) -> NDArray[np.float64]:
    """Records centred at the middle of declared ranges and brought into the unit ball.

    A row of zeros stays one.

    Parameters
    ----------
    X : array_like
        Records of shape (n_samples, n_features).
    lower : float or array_like
        Declared ranges, of each feature if (n_features,).
    upper : float or array_like
        Entries outside are clipped, NaN is the middle.
    unit : bool
        Whether to give rows length exactly 1, or to divide all by the root of the number of features.

    Returns
    -------
    ndarray
        Of shape (n_samples, n_features): the rows in the unit ball.

    Raises
    ------
    ValueError
        If a range is not finite or empty, or `X` is no table of numbers.

    References
    ----------
    Ours.

    Examples
    --------
    >>> centred_rows([[0.0, 1.0], [0.5, 0.75]], unit=False).round(4).tolist()
    [[-0.7071, 0.7071], [0.0, 0.3536]]
    """
    lower, upper = check.numbers(lower=lower), check.numbers(upper=upper)
    middle, half = lower / 2 + upper / 2, upper / 2 - lower / 2
    if not (np.isfinite(lower).all() and np.isfinite(upper).all() and (half > 0).all()):
        raise ValueError(
            f"ranges must be finite with lower < upper, but got {lower!r} and {upper!r}."
        )
    check.flag(unit=unit)
    values = _table(X)
    rows = np.clip(
        (np.where(np.isnan(values), middle, values) - middle) / half, -1.0, 1.0
    )
    if not unit:
        return rows / sqrt(rows.shape[1])
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return rows / np.where(lengths > 0, lengths, 1.0)


class UnscaledWarning(UserWarning):
    """A fit without declared ranges: what is too large is cut off, and large features drown the others.

    It depends on parameters alone: one that looked at the records would tell of them.
    """


def _warn_if_unscaled(declared: object, effect: str, advice: str = ADVICE) -> None:
    """Warn if nothing is declared, at the line of the first caller outside of the package."""
    if declared is None:
        check.warn(f"{effect}. {advice}", UnscaledWarning)


def _has_ranges(bounds: object) -> bool:
    """Whether `bounds` are ranges, and not "unit" or None; anything else is refused."""
    scaled = bounds is None or (isinstance(bounds, str) and bounds == "unit")
    if not (scaled or (isinstance(bounds, tuple | list) and len(bounds) == 2)):
        raise ValueError(
            f"bounds must be a pair (lower, upper), 'unit' or None, but got {bounds!r}."
        )
    return not scaled


def _scaled(X: ArrayLike, bounds: Any, unit: bool) -> NDArray[np.float64]:
    for end in bounds if np.ndim(X) == 2 else ():
        if np.shape(end) not in ((), (1,), np.shape(X)[1:]):
            rule = f"a number or one for each of {np.shape(X)[1]} features"
            raise ValueError(f"ranges must be {rule}, but got {end!r}.")
    return centred_rows(X, *bounds, unit=unit)


def _cube_rows(X: Any, bounds: Any) -> Any:
    """Records brought near [-1, 1]^d by declared ranges, if there are any; who takes them clips them."""
    return (
        _scaled(X, bounds, unit=False) * sqrt(np.shape(X)[1])
        if _has_ranges(bounds)
        else X
    )


def _ball_rows(
    X: ArrayLike, bounds: Any, fit_intercept: bool = False, *, unit: bool = True
) -> NDArray[np.float64]:
    """Rows in the unit ball; an intercept is a constant feature, and all is divided by the root of 2.

    With declared ranges they get length 1, or, without `unit`, only longer ones do: a target then grows with
    a feature, of which length 1 would leave the direction alone.
    """
    if _has_ranges(bounds):
        X = _scaled(X, bounds, unit=True) if unit else _cube_rows(X, bounds)
    rows = unit_rows(X)
    return (
        np.column_stack([rows, np.ones(len(rows))]) / sqrt(2) if fit_intercept else rows
    )


def _target_range(target_bounds: Any) -> tuple[float, float]:
    """Middle and half of the length of the declared range of targets; [-1, 1] where none is."""
    if target_bounds is None or (
        isinstance(target_bounds, str) and target_bounds == "unit"
    ):
        return 0.0, 1.0
    try:
        lower, upper = target_bounds
        check.finite(lower=lower, upper=upper)
        if (half := upper / 2 - lower / 2) > 0:
            return lower / 2 + upper / 2, half
    except (TypeError, ValueError):
        pass
    rule = "a pair of finite numbers, the lower one first, 'unit' or None"
    raise ValueError(f"target_bounds must be {rule}, but got {target_bounds!r}.")


def _unit_targets(y: NDArray, target_bounds: Any) -> NDArray[np.float64]:
    """Targets moved into [-1, 1] by their declared range; NaN is the middle."""
    middle, half = _target_range(target_bounds)
    with np.errstate(all="ignore"):
        moved = (np.where(np.isnan(y), middle, y) - middle) / half
    return np.clip(moved, -1.0, 1.0)


def _in_range(scores: NDArray, target_bounds: Any) -> NDArray[np.float64]:
    """Predictions in the units of the targets."""
    middle, half = _target_range(target_bounds)
    return middle + half * scores


def _warn_of_targets(target_bounds: Any) -> None:
    _target_range(target_bounds)
    _warn_if_unscaled(
        target_bounds,
        "target_bounds is None, so targets outside of [-1, 1] are clipped",
        OF_TARGETS,
    )


class _Transformer(TransformerMixin, BaseEstimator):
    """Of the data `fit` uses the number of features only."""

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = tags.input_tags.string = True
        return tags


@dataclass(eq=False, repr=False)
class PublicScaler(_Transformer):
    """Transformer by declared ranges, 0 to 1 where none are, with the rows of ``centred_rows``.

    Without `upper` a fit warns: of raw units beyond 1 nearly all rows become alike.

    Parameters
    ----------
    lower : float or array_like, optional
        Declared ranges, of each feature if (n_features,).
    upper : float or array_like, optional
        None is 1, and warns. Entries outside are clipped, NaN is the middle.
    unit : bool
        Whether to give rows length exactly 1, or to divide all by the root of the number of features.

    Notes
    -----
    *Privacy.* Nothing is learned or spent: each row depends on one record and on public numbers.

    References
    ----------
    Ours.

    Examples
    --------
    >>> PublicScaler(0.0, 16.0).fit_transform([[0.0, 16.0]]).round(4).tolist()
    [[-0.7071, 0.7071]]
    """

    public_step = True  # of a pipeline: the promise of this class alone, and not of its subclasses
    lower: ArrayLike = 0.0
    upper: ArrayLike | None = None
    _: KW_ONLY
    unit: bool = True

    def fit(self, X: ArrayLike, y: ArrayLike | None = None) -> Self:
        """Check the ranges and note the number of features.

        Parameters
        ----------
        X, y : array_like
            Records of shape (n_samples, n_features), non-numeric objects as gaps; labels are not looked at.
        """
        X, upper = (
            features(self, X, reset=True),
            1.0 if self.upper is None else self.upper,
        )
        _warn_if_unscaled(
            self.upper,
            "lower and upper are None, so entries above 1 are clipped",
            "Declare public ranges with lower and upper.",
        )
        _scaled(X[:1], (self.lower, upper), self.unit)
        return self

    def transform(self, X: ArrayLike) -> NDArray[np.float64]:
        """Rows in the unit ball.

        Parameters
        ----------
        X : array_like
            Records of shape (n_samples, n_features).
        """
        X, upper = (
            features(self, X, reset=False),
            1.0 if self.upper is None else self.upper,
        )
        return centred_rows(X, self.lower, upper, unit=self.unit)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.requires_fit = False
        return tags


@dataclass(eq=False, repr=False)
class PublicFourierFeatures(_Transformer):
    """Pairs of cosine and sine at random frequencies, of norm 1: inner products are about a Gaussian kernel.

    Parameters
    ----------
    gamma : float
        Of the kernel ``exp(-gamma |x - x'|^2)``, positive; a public number, never a rule that reads the data.
    n_pairs : int
        Number D of frequencies, a positive integer; there are 2 D features.
    seed : int
        Seed of the public frequencies, a non-negative integer.

    Attributes
    ----------
    frequencies_ : ndarray
        The random frequencies, of shape (n_features, n_pairs).

    Notes
    -----
    *Privacy.* Frequencies depend on parameters and the number of features only, and each record is treated
    by itself: a learner behind it keeps its guarantee.

    References
    ----------
    WLF16-rem-infinite-domain; Rahimi and Recht (2007).

    Examples
    --------
    >>> features = PublicFourierFeatures(0.5, 2000).fit_transform([[0.0, 0.0], [1.0, 1.0]])
    >>> round(float(features[0] @ features[1]), 1), round(float(np.linalg.norm(features[1])), 12)
    (0.4, 1.0)
    """

    public_step = True
    gamma: float = 1.0
    n_pairs: int = 50
    _: KW_ONLY
    seed: int = 0

    def fit(self, X: ArrayLike, y: ArrayLike | None = None) -> Self:
        """Draw the frequencies, `frequencies_` of shape (n_features, n_pairs).

        Parameters
        ----------
        X, y : array_like
            Records of shape (n_samples, n_features), non-numeric objects as gaps; labels are not looked at.
        """
        check.positive(gamma=self.gamma)
        check.positive_integer(n_pairs=self.n_pairs)
        check.non_negative_integer(seed=self.seed)
        X = features(self, X, reset=True)
        from sklearn.kernel_approximation import (
            RBFSampler,
        )  # brings all metrics, a second

        sampler = RBFSampler(
            gamma=self.gamma, n_components=self.n_pairs, random_state=self.seed
        )
        self.frequencies_ = sampler.fit(np.zeros((1, X.shape[1]))).random_weights_
        return self

    def transform(self, X: ArrayLike) -> NDArray[np.float64]:
        """Features of each record, of shape (n_samples, 2 n_pairs).

        Parameters
        ----------
        X : array_like
            Records of shape (n_samples, n_features).
        """
        check_is_fitted(self, "frequencies_")
        rows = np.nan_to_num(features(self, X, reset=False).astype(float), nan=0.0)
        angles = np.clip(rows, -LARGEST_ENTRY, LARGEST_ENTRY) @ self.frequencies_
        return np.column_stack([np.cos(angles), np.sin(angles)]) / np.sqrt(
            self.frequencies_.shape[1]
        )


check.wrap_module(__name__)
