"""Randomised response: every record answers for itself, with coins.

The oldest private mechanism, and the worst one: between any two laws that are epsilon-close, an observer
sees no more than between two randomised responses, because the former can be made from the latter.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml.adjacency import Adjacency
from privml.distributions import Categorical
from privml.guarantee import Guarantee
from privml.mechanisms.base import Mechanism


@dataclass(frozen=True)
class RandomisedResponse(Mechanism):
    r"""Answer with the truth, or with one of the other values: each record by its own coins.

    Of k values the true one is given with probability :math:`p = e^\varepsilon / (e^\varepsilon + k - 1)`,
    each other one with probability :math:`q = 1 / (e^\varepsilon + k - 1)`.

    Parameters
    ----------
    epsilon : float
        Privacy parameter in nats, positive and finite.
    n_values : int, default 2
        Number of values k of a record, which are 0 to k - 1; at least 2.

    Raises
    ------
    ValueError
        If a parameter is out of range.

    Notes
    -----
    **Privacy.** epsilon-DP under ``REPLACE_ONE``, for the list of all answers together.  None under
    ``ADD_OR_REMOVE_ONE``: the list shows how many records there are.
    **Accuracy.** The estimated share of a value has standard deviation ``1 / (2 sinh(epsilon / 2) sqrt(m))``
    for k = 2 and m records, whatever the records are.
    **Source.** Warner (1965); WLF16-def-2.

    Examples
    --------
    >>> survey = RandomisedResponse(np.log(3))
    >>> survey.output_distribution(1).pmf().round(6).tolist()
    [0.25, 0.75]
    >>> survey.release([1, 1, 0, 1], rng=0).tolist()
    [1, 1, 0, 1]
    >>> print(survey.guarantee)
    1.09861-differential privacy (replace-one)
    """

    epsilon: float
    n_values: int = 2

    def __post_init__(self) -> None:
        check.positive(epsilon=self.epsilon)
        check.positive_integer(n_values=self.n_values)
        if self.n_values < 2:
            raise ValueError(f"n_values must be at least 2, got {self.n_values}")

    @property
    def guarantee(self) -> Guarantee:
        """epsilon-differential privacy under replace-one."""
        return Guarantee(self.epsilon, adjacency=Adjacency.REPLACE_ONE)

    @property
    def keep(self) -> float:
        """Probability of the true value."""
        return 1 / (1 + (self.n_values - 1) * float(np.exp(-self.epsilon)))

    def _records(self, value: ArrayLike) -> NDArray[np.int64]:
        records = np.asarray(value)
        if records.dtype.kind not in "biu" or not ((records >= 0) & (records < self.n_values)).all():
            raise ValueError(f"value must hold integers from 0 to {self.n_values - 1}, got {value!r}")
        return records.astype(np.int64)

    def output_distribution(self, value: int) -> Categorical:
        """Law of the answer of one record."""
        record = self._records(value)
        if record.ndim:
            raise ValueError(f"value must be one record here, got shape {record.shape}")
        return Categorical(np.where(np.arange(self.n_values) == record, self.epsilon, 0.0))

    def release(self, value: ArrayLike, *, rng: np.random.Generator | int | None = None) -> NDArray:
        """Answers of one record or of an array of records, independent of each other."""
        rng = np.random.default_rng(rng)
        records = self._records(value)
        honest = rng.random(records.shape) < self.keep
        other = rng.integers(1, self.n_values, size=records.shape)
        return np.where(honest, records, (records + other) % self.n_values)

    def share(self, answers: ArrayLike, value: int = 1) -> float:
        """Unbiased estimate of the share of records with a value, from the answers of all.

        Parameters
        ----------
        answers : array_like of int
            From :meth:`release`, at least one.
        value : int, default 1
            The value in question.

        Returns
        -------
        float
            May lie outside [0, 1].

        Examples
        --------
        >>> RandomisedResponse(np.log(3)).share([1, 1, 0, 1])
        1.0
        """
        answers, other = self._records(answers), (1 - self.keep) / (self.n_values - 1)
        if answers.size == 0:
            raise ValueError("answers must hold at least one answer, got none")
        return float((np.mean(answers == value) - other) / (self.keep - other))
