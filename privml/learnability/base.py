"""A learning problem as a table of losses, data sets as counts, and learners as laws.

In Vapnik's general setting a problem is a triple: a space of records z, a space of hypotheses h, and a loss
``l(h, z)``.  With finitely many of each, the loss is a table and everything else is linear algebra:

* the risk under a distribution p on the records is ``R(h) = sum over z of l(h, z) p(z)``;
* a data set of n records, up to order, is its *count vector* c, and its empirical risk is
  ``sum over z of l(h, z) c(z) / n``, the risk under the data set's own frequencies;
* a learner that ignores the order of its records is a map from count vectors to laws on hypotheses.

So suprema over data sets are maxima over finitely many count vectors, and expectations over samples are sums
with multinomial weights.  All losses lie in [0, 1].
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml.hypotheses import HypothesisClass

CountLaw = Callable[[NDArray[np.int64]], NDArray[np.float64]]
"""Law of a symmetric learner: counts (n_datasets, n_records) to probabilities (n_datasets, n_hypotheses)."""

OrderedLaw = Callable[[NDArray[np.intp]], NDArray[np.float64]]
"""Law of any learner: record indices (n_datasets, n_samples) to probabilities (n_datasets, n_hypotheses)."""

_SUM_TOLERANCE = 1e-9


def _read_only(array: NDArray) -> NDArray:
    array.flags.writeable = False
    return array


def _loss_table(losses: ArrayLike) -> NDArray[np.float64]:
    table = check.numbers(losses=losses)
    if table.ndim != 2 or table.size == 0:
        raise ValueError(f"losses must be a table (n_hypotheses, n_records), got shape {table.shape}")
    outside = ~((table >= 0) & (table <= 1))
    if outside.any():
        row, column = np.argwhere(outside)[0]
        raise ValueError(
            f"losses must be in [0, 1], got {table[row, column]!r} for hypothesis {row} and record {column}"
        )
    return _read_only(table)


def _names(names: ArrayLike | None, count: int, what: str) -> NDArray:
    array = np.arange(count) if names is None else np.array(names)
    if array.ndim == 0 or len(array) != count:
        raise ValueError(f"{what} must name all {count} of them, got shape {array.shape}")
    return _read_only(array)


@dataclass(frozen=True, eq=False)
class LearningProblem:
    """A finite learning problem: records, hypotheses and a loss in [0, 1].

    The arrays are copied and read-only.
    **Source.** WLF16-def-setting: the triple, the risk and the empirical risk; WLF16-cond-A1: the losses lie
    in [0, 1].

    Parameters
    ----------
    losses : array_like of shape (n_hypotheses, n_records)
        Loss of each hypothesis on each record, in [0, 1].
    hypotheses : array_like of length n_hypotheses, optional
        What the hypotheses are, for people and figures: parameters or names.  Indices by default.
    records : array_like of length n_records, optional
        What the records are.  Indices by default.

    Examples
    --------
    >>> problem = LearningProblem([[0.0, 1.0], [1.0, 0.0]])
    >>> problem.risk([0.75, 0.25]).tolist(), float(problem.best_risk([0.75, 0.25]))
    ([0.25, 0.75], 0.25)
    >>> problem.excess_empirical_risk([[3, 1], [2, 2]]).tolist()
    [[0.0, 0.5], [0.0, 0.0]]
    """

    losses: NDArray[np.float64]
    hypotheses: NDArray = None
    records: NDArray = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "losses", _loss_table(self.losses))
        object.__setattr__(self, "hypotheses", _names(self.hypotheses, self.n_hypotheses, "hypotheses"))
        object.__setattr__(self, "records", _names(self.records, self.n_records, "records"))

    @classmethod
    def of_class(cls, hypotheses: HypothesisClass, X: ArrayLike) -> "LearningProblem":
        """Classification with 0-1 loss: the records are the given instances with either label.

        **Returns.** LearningProblem: with ``2 n_points`` records: the instances labelled False, then the same
        labelled True; ``records`` holds their positions in `X` and labels, one row each.

        Parameters
        ----------
        X : array_like of shape (n_points, ...)
            Instances, as the class takes them.

        Examples
        --------
        >>> from privml.hypotheses import Thresholds
        >>> LearningProblem.of_class(Thresholds([0.5, 1.5]), [0.0, 1.0]).losses.tolist()
        [[0.0, 1.0, 1.0, 0.0], [0.0, 0.0, 1.0, 1.0]]
        """
        check.instance(HypothesisClass, hypotheses=hypotheses)
        labels = hypotheses.predict(X)
        names = [(point, label) for label in (0, 1) for point in range(labels.shape[1])]
        return cls(np.hstack([labels, ~labels]).astype(float), records=names)

    @property
    def n_hypotheses(self) -> int:
        """Number of hypotheses."""
        return self.losses.shape[0]

    @property
    def n_records(self) -> int:
        """Number of possible records: the size of the universe."""
        return self.losses.shape[1]

    def _distribution(self, probabilities: ArrayLike) -> NDArray[np.float64]:
        law = check.numbers(probabilities=probabilities)
        if law.ndim == 0 or law.shape[-1] != self.n_records:
            raise ValueError(f"probabilities must have {self.n_records} columns, got shape {law.shape}")
        if not ((law >= 0).all() and np.allclose(law.sum(axis=-1), 1, rtol=0, atol=_SUM_TOLERANCE)):
            raise ValueError(f"probabilities must be non-negative with sum 1, got {probabilities!r}")
        return law

    def risk(self, probabilities: ArrayLike) -> NDArray[np.float64]:
        """Risk of every hypothesis under distributions on the records.

        **Source.** WLF16-def-setting.

        Parameters
        ----------
        probabilities : array_like of shape (..., n_records)
            One distribution on the records a row.

        Returns
        -------
        ndarray of shape (..., n_hypotheses)
        """
        return self._distribution(probabilities) @ self.losses.T

    def best_risk(self, probabilities: ArrayLike) -> NDArray[np.float64] | float:
        """The least risk in the class, of shape (...)."""
        return self.risk(probabilities).min(axis=-1)

    def excess_risk(self, probabilities: ArrayLike) -> NDArray[np.float64]:
        """By how much the risk of every hypothesis exceeds the least one, of shape (..., n_hypotheses)."""
        risk = self.risk(probabilities)
        return risk - risk.min(axis=-1, keepdims=True)

    def empirical_risk(self, counts: ArrayLike) -> NDArray[np.float64]:
        """Empirical risk of every hypothesis on data sets.

        **Source.** WLF16-def-setting.

        Parameters
        ----------
        counts : array_like of int, shape (..., n_records)
            How often each record occurs in the data set, one data set a row.

        Returns
        -------
        ndarray of shape (..., n_hypotheses)
        """
        counts = np.asarray(counts)
        if counts.dtype.kind not in "iu" or counts.ndim == 0 or counts.shape[-1] != self.n_records:
            raise ValueError(
                f"counts must be integers of shape (..., {self.n_records}), got {counts.dtype} {counts.shape}"
            )
        sizes = counts.sum(axis=-1, keepdims=True)
        if (counts < 0).any() or (sizes == 0).any():
            raise ValueError("counts must be non-negative, at least one of them positive in each data set")
        return counts @ self.losses.T / sizes

    def best_empirical_risk(self, counts: ArrayLike) -> NDArray[np.float64] | float:
        """The least empirical risk on each data set, of shape (...)."""
        return self.empirical_risk(counts).min(axis=-1)

    def excess_empirical_risk(self, counts: ArrayLike) -> NDArray[np.float64]:
        """By how much every hypothesis misses the least empirical risk, of shape (..., n_hypotheses)."""
        risk = self.empirical_risk(counts)
        return risk - risk.min(axis=-1, keepdims=True)
