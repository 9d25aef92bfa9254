"""Randomised response: every record answers for itself, with coins.

The oldest private mechanism, and the worst one: between any two laws that are epsilon-close, an observer
sees no more than between two randomised responses, because the former can be made from the latter.
"""

from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml._records import numeric
from privml.adjacency import Adjacency
from privml.coins import UNIFORM_BITS, logistic_coin, uniform_words
from privml.distributions import Categorical
from privml.mechanisms.base import Mechanism

MOST_TABULATED = 10_000_000  # values in the table of a law: 80 MB


@dataclass(frozen=True)
class RandomisedResponse(Mechanism):
    r"""Answer for each record with the truth or, by chance, with one of the other values.

    Of k values the true one is given with probability :math:`p = e^\varepsilon / (e^\varepsilon + k - 1)`,
    each other one with probability :math:`q = 1 / (e^\varepsilon + k - 1)`.

    Parameters
    ----------
    epsilon : float
        Privacy parameter in nats, positive.
    n_values : int, default 2
        Number of values k of a record, which are 0 to k - 1; a positive integer, at least 2.

    Notes
    -----
    *Privacy.* The list of all answers together is epsilon-differentially private under ``REPLACE_ONE``.  Nothing is
    promised under ``ADD_OR_REMOVE_ONE``, since the list shows how many records there are.  Draws are exact
    (:mod:`privml.coins`), so that a lie stays possible where its probability is below the rounding of floats.

    *Accuracy.* The estimated share of a value has standard deviation ``1 / (2 sinh(epsilon / 2) sqrt(m))``
    for k = 2 and m records, whatever the records are.

    References
    ----------
    Warner (1965); WLF16-def-2.

    Examples
    --------
    >>> survey = RandomisedResponse(np.log(3))
    >>> survey.output_distribution(1).pmf().round(6).tolist()
    [0.25, 0.75]
    >>> answers = survey.release([1, 1, 0, 1], rng=0)
    >>> answers.tolist(), survey.share(answers)
    ([1, 1, 0, 1], 1.0)
    """

    epsilon: float
    n_values: int = 2
    adjacency: Adjacency = field(
        default=Adjacency.REPLACE_ONE, init=False, repr=False
    )  # all answer

    def __post_init__(self) -> None:
        check.standard_ranges(epsilon=self.epsilon, n_values=self.n_values)
        if not 2 <= self.n_values < 2**63:
            raise ValueError(
                f"n_values must be at least 2 and less than 2^63, but got {self.n_values}."
            )

    @property
    def keep(self) -> float:
        """Probability of the true value, as a float: it rounds to 1 where the draws do not."""
        return 1 / (1 + (self.n_values - 1) * float(np.exp(-self.epsilon)))

    def _records(self, value: ArrayLike) -> NDArray[np.int64]:
        """Each record as an integer from 0 to n_values - 1, whatever it is, so that none is refused."""
        records = numeric("value", value)
        if records.dtype.kind == "f":
            top = np.nextafter(
                float(self.n_values), 0
            )  # the largest float below n_values
            records = np.clip(np.nan_to_num(np.trunc(records)), 0, top)
        return np.clip(records, 0, self.n_values - 1).astype(np.int64)

    def output_distribution(self, value: int) -> Categorical:
        """Law of the answer of one record.

        Parameters
        ----------
        value : int
            What the record says, private: an integer from 0 to n_values - 1; another moves there.
        """
        record = self._records(value)
        if record.ndim:
            raise ValueError(
                f"value must be one record here, but got shape {record.shape}."
            )
        if self.n_values > MOST_TABULATED:
            raise ValueError(
                f"n_values must be at most {MOST_TABULATED} for a table, but got {self.n_values}."
            )
        return Categorical(
            np.where(np.arange(self.n_values) == record, self.epsilon, 0.0)
        )

    def release(
        self, value: ArrayLike, *, rng: np.random.Generator | int | None = None
    ) -> NDArray:
        """Answers of one record or of an array of records, independent of each other.

        Parameters
        ----------
        value : int or array_like
            What each record says, private: integers from 0 to n_values - 1; others move there, a gap to 0.
        rng : int or Generator, optional
            Generator for all calls, or None: fresh entropy.  A seed gives noise away; used twice, the data.
        """
        rng, records = np.random.default_rng(rng), self._records(value)
        reversed_words = 2**UNIFORM_BITS - 1 - uniform_words(rng.random(records.size))
        lie = logistic_coin(
            Fraction(float(self.epsilon)), int(self.n_values) - 1, UNIFORM_BITS
        )
        lies = lie.heads(reversed_words, rng)
        other = rng.integers(1, self.n_values, size=records.shape)
        other -= np.where(records >= self.n_values - other, self.n_values, 0)
        return np.where(lies.reshape(records.shape), records + other, records)

    def share(self, answers: ArrayLike, value: int = 1) -> float:
        """Unbiased estimate of the share of records with a value, from the answers of all.

        Parameters
        ----------
        answers, value : array_like, int
            What :meth:`release` gave for each record; the value that is counted, from 0 to n_values - 1.
        """
        check.non_negative_integer(value=value)
        if value >= self.n_values:
            raise ValueError(
                f"value must be an integer from 0 to {self.n_values - 1}, but got {value!r}."
            )
        answers = self._records(answers)
        if answers.size == 0:
            raise ValueError("answers must hold at least one answer, but got none.")
        other = float(np.exp(-self.epsilon)) * self.keep
        return float(
            (np.mean(answers == value) - other) / (-np.expm1(-self.epsilon) * self.keep)
        )


check.wrap_module(__name__)
