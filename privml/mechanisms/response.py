"""Randomised response and unary encoding: every record answers for itself, with coins.

The oldest private mechanism, and the worst one: between any two laws that are epsilon-close, an observer
sees no more than between two randomised responses, because the former can be made from the latter.
"""

from dataclasses import dataclass, field
from fractions import Fraction
from functools import reduce

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml._records import numeric
from privml.adjacency import Adjacency
from privml.coins import UNIFORM_BITS, logistic_coin, uniform_words
from privml.distributions import Categorical
from privml.mechanisms.base import Mechanism

MOST_BITS = 20  # of the values in the table of a law
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

    @property
    def other(self) -> float:
        """Probability that an answer supports a value which is not the true one."""
        return float(np.exp(-self.epsilon)) * self.keep

    @property
    def gap(self) -> float:
        """By how much the true value is more likely to be supported than another one: `keep` less `other`."""
        return float(-np.expm1(-self.epsilon) * self.keep)

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
        supports = self.supports(answers, value)
        if supports.size == 0:
            raise ValueError("answers must hold at least one answer, but got none.")
        return float((np.mean(supports) - self.other) / self.gap)

    def supports(self, answers: ArrayLike, value: int) -> NDArray[np.bool_]:
        """Whether each answer supports a value.

        Parameters
        ----------
        answers, value : array_like, int
            What :meth:`release` gave for each record; the value, from 0 to n_values - 1.
        """
        self._check_value(value)
        return self._records(answers) == value

    def _check_value(self, value: int) -> None:
        """Refuse what is no value of a record."""
        check.non_negative_integer(value=value)
        if value >= self.n_values:
            raise ValueError(
                f"value must be an integer from 0 to {self.n_values - 1}, but got {value!r}."
            )

    def variance(self, frequency: float = 0.0) -> float:
        """Variance of the estimated frequency of a value times the number of records, whatever the records are.

        Parameters
        ----------
        frequency : float
            Share of the records that have the value, in [0, 1].
        """
        check.unit_interval(frequency=frequency)
        of_true = self.keep * (1 - self.keep)
        of_other = self.other * (1 - self.other)
        mixed = frequency * of_true + (1 - frequency) * of_other
        # The square of the gap may be 0, and for the least floats the gap itself.
        return mixed / self.gap / self.gap if self.gap else np.inf


@dataclass(frozen=True)
class UnaryEncoding(RandomisedResponse):
    r"""Answer for each record with one noisy bit for each value, 1 for the true one before the noise.

    The bit of the true value is 1 with probability p, each other bit with probability q, independently.  The
    *symmetric* encoding flips each bit with the same probability, :math:`1 - p = q = 1 / (e^{\varepsilon / 2} + 1)`.
    The *optimised* one has :math:`p = 1/2` and :math:`q = 1 / (e^\varepsilon + 1)`, which minimises the variance for
    rare values.

    Parameters
    ----------
    epsilon : float
        Privacy parameter in nats, positive.
    n_values : int, default 2
        Number of values k of a record, which are 0 to k - 1; a positive integer, at least 2.
    symmetric : bool, default False
        Whether to flip all bits with the same probability.

    Notes
    -----
    *Privacy.* The answers of all records together are epsilon-differentially private under ``REPLACE_ONE``, with the
    loss epsilon at the two bits that a record changes.  Nothing is promised under ``ADD_OR_REMOVE_ONE``.  Draws are
    exact (:mod:`privml.coins`).

    *Accuracy.* The optimised encoding estimates a frequency near 0 from m records with variance
    ``1 / (m sinh(epsilon / 2)^2)``, for any number of values.

    References
    ----------
    Wang, Blocki, Li and Jha (2017); Erlingsson, Pihur and Korolova (2014) for the symmetric encoding.

    Examples
    --------
    >>> survey = UnaryEncoding(np.log(3), 3)
    >>> survey.release([0, 2], rng=0).astype(int).tolist()
    [[1, 0, 0], [0, 0, 1]]
    >>> round(survey.keep, 6), round(survey.other, 6), round(survey.variance(), 6)
    (0.5, 0.25, 3.0)
    """

    symmetric: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        check.flag(symmetric=self.symmetric)

    @property
    def _rate(self) -> Fraction:
        """Logarithm of the odds of a bit of another value to stay 0, exactly."""
        return Fraction(float(self.epsilon)) / (2 if self.symmetric else 1)

    @property
    def keep(self) -> float:
        """Probability of a 1 at the true value, as a float."""
        return 1 - self.other if self.symmetric else 0.5

    @property
    def other(self) -> float:
        """Probability of a 1 at any other value, as a float."""
        return float(np.exp(-np.logaddexp(0.0, float(self._rate))))

    @property
    def gap(self) -> float:
        """By how much a 1 is more likely at the true value: `keep` less `other`."""
        return float(np.tanh(float(self._rate) / 2)) / (1 if self.symmetric else 2)

    def output_distribution(self, value: int) -> Categorical:
        """Law of the bits of one record, read as a binary number whose first digit belongs to the value 0.

        Parameters
        ----------
        value : int
            What the record says, private: an integer from 0 to n_values - 1; another moves there.
        """
        if self.n_values > MOST_BITS:
            raise ValueError(
                f"n_values must be at most {MOST_BITS} for a table, but got {self.n_values}."
            )
        record = self._records(value)
        one = -np.logaddexp(0.0, float(self._rate))
        other = np.array([one + float(self._rate), one])
        true = other[::-1] if self.symmetric else np.log([0.5, 0.5])
        bits = [true if place == record else other for place in range(self.n_values)]
        return Categorical(reduce(np.add.outer, bits).ravel())

    def release(
        self, value: ArrayLike, *, rng: np.random.Generator | int | None = None
    ) -> NDArray:
        """Bits of all records, of the shape of the records and n_values, independent of each other.

        Parameters
        ----------
        value : int or array_like
            What each record says, private: integers from 0 to n_values - 1; others move there, a gap to 0.
        rng : int or Generator, optional
            Generator for all calls, or None: fresh entropy.  A seed gives noise away; used twice, the data.
        """
        rng, records = np.random.default_rng(rng), self._records(value)
        truth = records[..., None] == np.arange(self.n_values)
        flips = logistic_coin(self._rate).flip(truth.size, rng).reshape(truth.shape)
        if not self.symmetric:
            flips[truth] = rng.integers(0, 2, size=records.size, dtype=bool)
        return truth ^ flips

    def supports(self, answers: ArrayLike, value: int) -> NDArray[np.bool_]:
        """The bit of a value in each answer.

        Parameters
        ----------
        answers, value : array_like, int
            What :meth:`release` gave for all records; the value, from 0 to n_values - 1.
        """
        self._check_value(value)
        bits = np.asarray(answers, dtype=bool)
        if bits.ndim != 2 or bits.shape[1] != self.n_values:
            raise ValueError(
                f"answers must have one row of {self.n_values} bits for each record, but got shape {bits.shape}."
            )
        return bits[:, value]


def best_frequency_oracle(
    epsilon: float, n_values: int, *, frequency: float = 0.0
) -> RandomisedResponse:
    r"""The mechanism of this module that estimates the frequencies of values with the smallest variance.

    For rare values, randomised response is best if and only if :math:`k \le 3 e^\varepsilon + 2`, and otherwise the
    optimised unary encoding.

    Parameters
    ----------
    epsilon : float
        Privacy parameter in nats, positive.
    n_values : int
        Number of values k of a record, a positive integer, at least 2.
    frequency : float, default 0
        Frequency at which the variances are compared, in [0, 1].

    Returns
    -------
    RandomisedResponse or UnaryEncoding
        With ties, the one whose answers are shorter.

    References
    ----------
    Wang, Blocki, Li and Jha (2017).

    Examples
    --------
    >>> [best_frequency_oracle(1.0, k) for k in (10, 11)]
    [RandomisedResponse(epsilon=1.0, n_values=10), UnaryEncoding(epsilon=1.0, n_values=11, symmetric=False)]
    """
    choices = [RandomisedResponse(epsilon, n_values)]
    choices += [UnaryEncoding(epsilon, n_values, kind) for kind in (False, True)]
    return min(choices, key=lambda choice: choice.variance(frequency))


check.wrap_module(__name__)
