"""Populations: distributions over finitely many labelled points, so that every expectation is a sum.

Learning theory draws a sample i.i.d. from an unknown distribution D on labelled instances (x, y).  When D
has finitely many atoms, the true error of a hypothesis, ``Pr[h(x) != y]``, is a finite sum, and so is
every probability over the sample: theorems can be compared with the exact quantity that they bound.

In the *realizable* setting the labels are ``h*(x)`` for some h* in the class, and the best error is 0.  In
the *agnostic* setting they are whatever D says, and the benchmark is the least error in the class.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from privml import _check as check
from privml.hypotheses import HypothesisClass

_SUM_TOLERANCE = 1e-9
_TIE_TOLERANCE = 1e-12  # sums of the same probabilities may differ by rounding


class BestHypothesis(NamedTuple):
    """The first hypothesis of least true error, and that error."""

    index: int
    error: float


@dataclass(frozen=True, eq=False)
class FinitePopulation:
    """A distribution over finitely many labelled points.

    The arrays are copied and read-only.
    **Source.** L4-def-setup and L4-def-agnostic; DR11-def-11.1: a learning problem is a distribution on
    labelled examples.

    Parameters
    ----------
    X : array_like of shape (n_points, ...)
        Instances, as the hypothesis class takes them.
    y : array_like of bool, shape (n_points,)
        Their labels.  The same instance may occur with both.
    probabilities : array_like of float, shape (n_points,)
        Probability of each labelled point, non-negative, with sum 1 up to 1e-9; the sum is then made
        exact to rounding.

    Examples
    --------
    >>> from privml.hypotheses import Thresholds
    >>> population = FinitePopulation([0.0, 1.0, 2.0], [False, True, True], [0.5, 0.25, 0.25])
    >>> population.error_rates(Thresholds([0.5, 1.5])).tolist()
    [0.0, 0.25]
    >>> population.with_label_noise(0.1).best(Thresholds([0.5, 1.5]))
    BestHypothesis(index=0, error=0.1)
    """

    X: NDArray
    y: NDArray[np.bool_]
    probabilities: NDArray[np.float64]

    def __post_init__(self) -> None:
        X, y = np.array(self.X), np.array(self.y)
        if X.ndim == 0 or len(X) == 0:
            raise ValueError(f"X must hold at least one point, got shape {X.shape}")
        if y.dtype != bool or y.shape != (len(X),):
            raise ValueError(f"y must be a vector of {len(X)} bools, got shape {y.shape} of {y.dtype}")
        arrays = {"X": X, "y": y, "probabilities": _law(self.probabilities, len(X))}
        for name, array in arrays.items():
            array.flags.writeable = False
            object.__setattr__(self, name, array)

    @property
    def n_points(self) -> int:
        """Number of labelled points, those of probability zero included."""
        return len(self.y)

    def sample(
        self, n_samples: int, *, rng: int | np.random.Generator | None = None
    ) -> tuple[NDArray, NDArray[np.bool_]]:
        """An i.i.d. sample.

        **Source.** L4-def-setup and L4-def-agnostic: the training set.

        Returns
        -------
        X : ndarray of shape (n_samples, ...)
        y : ndarray of bool, shape (n_samples,)

        Raises
        ------
        ValueError
            If `n_samples` is not a non-negative integer.
        """
        rng = np.random.default_rng(rng)
        check.non_negative_integer(n_samples=n_samples)
        drawn = rng.choice(self.n_points, size=n_samples, p=self.probabilities)
        return self.X[drawn], self.y[drawn]

    def losses(self, hypotheses: HypothesisClass) -> NDArray[np.bool_]:
        """Which hypothesis is wrong on which point: bool array of shape (n_hypotheses, n_points)."""
        return hypotheses.predict(self.X) != self.y

    def error_rates(self, hypotheses: HypothesisClass) -> NDArray[np.float64]:
        """True error of every hypothesis.

        **Returns.** ndarray of float, shape (n_hypotheses,): ``err(h) = Pr[h(x) != y]``, a finite sum.
        **Source.** L4-def-true-error (printed with ">=", where a definition is meant); DR11-def-11.2.
        """
        check.instance(HypothesisClass, hypotheses=hypotheses)
        errors = np.empty(hypotheses.n_hypotheses)
        for rows, labels in hypotheses.blocks(self.X):
            errors[rows] = np.where(labels != self.y, self.probabilities, 0.0).sum(axis=1)
        return errors

    def best(self, hypotheses: HypothesisClass) -> BestHypothesis:
        """The first hypothesis of least true error, and that error.

        **Returns.** BestHypothesis: `index` and `error`.
        **Source.** L4-def-agnostic: the benchmark of agnostic learning.
        """
        errors = self.error_rates(hypotheses)
        index = int(np.argmax(errors <= errors.min() + _TIE_TOLERANCE))
        return BestHypothesis(index, float(errors[index]))

    def with_label_noise(self, rate: float) -> "FinitePopulation":
        """The same population with each label flipped, independently, with probability `rate`.

        **Returns.** FinitePopulation: with ``2 * n_points`` points: the old ones, then the same instances
        with the other label.
        **Accuracy.** An error e becomes ``e (1 - 2 rate) + rate``; below rate 1/2 the order of the
        hypotheses stays.
        **Source.** L4-def-agnostic: noise makes a realizable population agnostic.

        Parameters
        ----------
        rate : float
            Flip probability, from 0 to 1.

        Raises
        ------
        ValueError
            If `rate` is not in [0, 1].
        """
        check.non_negative(rate=rate)
        if rate > 1:
            raise ValueError(f"rate must be in the interval [0, 1], got {rate!r}")
        return FinitePopulation(
            np.concatenate([self.X, self.X]),
            np.concatenate([self.y, ~self.y]),
            np.concatenate([self.probabilities * (1 - rate), self.probabilities * rate]),
        )


def _law(probabilities: object, n_points: int) -> NDArray[np.float64]:
    law = check.finite_vector(probabilities=probabilities)
    if law.size != n_points:
        raise ValueError(f"probabilities must be {n_points} numbers, got {law.size}")
    if law.min() < 0:
        raise ValueError(f"probabilities must be non-negative, got {law.min()!r}")
    if abs(law.sum() - 1) > _SUM_TOLERANCE:
        raise ValueError(f"probabilities must sum to 1, got {law.sum()!r}")
    return law / law.sum()
