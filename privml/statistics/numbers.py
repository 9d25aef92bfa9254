"""A mean and a sum of clipped numbers with integer noise, and a quantile as a private choice."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import log, sqrt
from typing import cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml._records import numeric, one_value_each
from privml._rounding import above, float_at_least, float_at_most, part
from privml.adjacency import Adjacency
from privml.distributions import Categorical, DiscreteLaplace, Product
from privml.guarantee import Guarantee
from privml.mechanisms import ExponentialMechanism
from privml.statistics.estimates import (
    IntegerNoise,
    PrivateEstimate,
    covering,
    half_width,
    per_interval_beta,
)

HALF_STEPS = 2**20  # of the grid of a mean, between the middle and an end of the bounds
SCORE_ROUNDING = (
    2.0**-49
)  # of a score of an end, and of its exponent, at two neighbours
LARGEST_ROUNDING = 0.5 + 1e-9  # steps by which a record is rounded: three roundings take 2^-30.4
LARGEST_BOUND = 1e250  # of a sum, so that sums of any number of records are floats


def _numbers(records: ArrayLike) -> NDArray[np.float64]:
    """One number for each record, NaN for what is no number."""
    values = numeric("records", one_value_each("records", records))
    return np.asarray(values, dtype=float).ravel()


def _floats(bounds: Sequence[float]) -> tuple[float, float]:
    """Bounds as floats, in which all steps are computed: narrower numbers would round or wrap around."""
    ends = check.finite_vector(bounds=bounds).tolist()
    if len(ends) != 2 or not 0 < ends[1] - ends[0] < np.inf:
        raise ValueError(
            f"bounds must be two increasing finite numbers, but got {bounds!r}."
        )
    return ends[0], ends[1]


def _steps(
    records: ArrayLike, bounds: tuple[float, float], ends: tuple[float, float]
) -> NDArray[np.int64]:
    """Clipped records as whole numbers: those at the two ends are -s and s."""
    values = _numbers(records)
    clipped = np.clip(np.where(np.isnan(values), bounds[0], values), *bounds)
    share = np.clip((clipped - ends[0]) / (ends[1] - ends[0]), 0.0, 1.0)
    return np.rint(2 * HALF_STEPS * share).astype(np.int64) - HALF_STEPS


@dataclass(frozen=True, kw_only=True)
class PrivateMean(IntegerNoise):
    r"""The mean of numbers that are clipped to public bounds.

    Each clipped value is rounded to a whole number from -s to s, where s = 2**20.  Under replace-one the number of
    records is public, and the total receives discrete Laplace noise of scale ``2 s / epsilon``.  Records that were
    selected by their content therefore need add-or-remove-one.  There the total, and s times the number of records,
    each receive noise of that scale; their joint L1 sensitivity is 2 s as well.

    Parameters
    ----------
    bounds : tuple of float
        Public (lower, upper); values outside are clipped, and what is no number counts as the lower one.
    epsilon : float
        Privacy parameter in nats, positive.
    beta : float, default 0.05
        Failure probability, in (0, 1): the interval misses.
    sampling : bool, default False
        Whether the interval is for the mean of the population from which the records are drawn independently.
    adjacency : Adjacency, default REPLACE_ONE
        The neighbouring relation.

    Raises
    ------
    ValueError
        If the bounds do not increase or are not finite.  The method `release` also raises it if there are no
        records under replace-one.

    Notes
    -----
    *Privacy.* The release is epsilon-differentially private under `adjacency`.  This holds for the program as it runs,
    because all arithmetic before the noise is done in whole numbers.

    *Accuracy.* With probability 1 - beta, the interval contains the mean of the clipped values or, with `sampling`, the
    mean of their population.  In the latter case half of beta is spent on Hoeffding's inequality.  Under
    add-or-remove-one this requires at least one record.

    References
    ----------
    LZCW21-lem-42; L4-lem-hoeffding for the sample.

    Examples
    --------
    >>> waits = [0, 1, 1, 2, 0, 3, 1, 4] * 50
    >>> print(PrivateMean(bounds=(0, 4), epsilon=1.0).release(waits, rng=3))
    1.4875 in [1.4575, 1.5175] with probability 0.95; 1-differential privacy (replace-one)
    """

    bounds: tuple[float, float]
    epsilon: float
    beta: float = 0.05
    sampling: bool = False
    adjacency: Adjacency = Adjacency.REPLACE_ONE
    _sensitivity = 2 * HALF_STEPS

    def __post_init__(self) -> None:
        object.__setattr__(self, "bounds", _floats(self.bounds))
        check.probability_open(beta=self.beta)
        check.flag(sampling=self.sampling)
        _ = self._mechanism

    def output_distribution(self, records: ArrayLike) -> Product:
        """The exact law of what is released, in whole steps: the total; under add-or-remove-one also s m.

        Parameters
        ----------
        records : array_like
            Private numbers, one each; a dtype of strings is refused.
        """
        steps = _steps(records, self.bounds, self.bounds)
        exact = [int(steps.sum()), HALF_STEPS * steps.size]
        released = exact[:1] if self.adjacency is Adjacency.REPLACE_ONE else exact
        return cast(
            Product,
            self._mechanism.output_distribution(np.array(released, dtype=np.int64)),
        )

    def release(
        self, records: ArrayLike, *, rng: np.random.Generator | int | None = None
    ) -> PrivateEstimate:
        """One draw of the noisy mean with its interval.  Each call spends the guarantee once.

        Parameters
        ----------
        records : array_like
            Private numbers, one each, at least one under replace-one; a dtype of strings is refused.
        rng : int or Generator, optional
            Generator for all calls, or None: fresh entropy.  A seed gives noise away; used twice, the data.
        """
        noise, public = (
            self.output_distribution(records),
            self.adjacency is Adjacency.REPLACE_ONE,
        )
        total, *counted = (int(entry) for entry in noise.rvs(rng=rng))
        n_samples = np.size(one_value_each("records", records)) if public else 1
        if not n_samples:
            raise ValueError(
                "records must contain at least one record under replace-one, where the number of records is public, "
                "but got none."
            )
        coverage, failure = covering(self.beta)
        beta = failure / 2 if self.sampling else failure
        reach = half_width(noise.marginals, per_interval_beta(beta, 1 if public else 2))  # type: ignore[arg-type]
        least = most = middle = HALF_STEPS * n_samples
        if counted:
            least, most = (
                max(HALF_STEPS, counted[0] + side) for side in (-reach, reach)
            )
            middle = max(HALF_STEPS, counted[0])
        extra = Fraction(LARGEST_ROUNDING / HALF_STEPS)
        if self.sampling:
            exponent = log(4) - log(failure)
            extra += Fraction(above(sqrt(2 * exponent * HALF_STEPS / least), 8))
        lower = min(Fraction(total - reach, size) for size in (least, most)) - extra
        upper = max(Fraction(total + reach, size) for size in (least, most)) + extra
        low, high = map(Fraction, self.bounds)
        value, lower, upper = (
            low + (high - low) * (1 + min(max(end, Fraction(-1)), Fraction(1))) / 2
            for end in (Fraction(total, middle), lower, upper)
        )
        ends = float_at_most(lower), float_at_least(upper)  # outwards
        return PrivateEstimate(float(value), *ends, coverage, self.guarantee)


@dataclass(frozen=True, kw_only=True)
class PrivateSum(IntegerNoise):
    r"""The sum of numbers that are clipped to public bounds.

    Each clipped value is rounded to a whole number of steps, and the total receives discrete Laplace noise.  Under
    replace-one the number of records is public, and a step is 2**-21 of the distance of the bounds, by which a record
    moves the sum at most.  Under add-or-remove-one a record moves the sum by at most its own size, and a step is 2**-20
    of the larger bound in absolute value: bounds that are far from 0 cost more noise.

    Parameters
    ----------
    bounds : tuple of float
        Public (lower, upper), up to 1e250 in size; values outside are clipped, and what is no number counts as the
        lower one.
    epsilon : float
        Privacy parameter in nats, positive.
    beta : float, default 0.05
        Failure probability, in (0, 1): the interval misses.
    adjacency : Adjacency, default REPLACE_ONE
        The neighbouring relation.

    Raises
    ------
    ValueError
        If the bounds do not increase or are too large.

    Notes
    -----
    *Privacy.* The release is epsilon-differentially private under `adjacency`.  This holds for the program as it runs,
    because all arithmetic before the noise is done in whole numbers.

    *Accuracy.* With probability 1 - beta, the interval contains the sum of the clipped values.  Under add-or-remove-one,
    where the number of records may not be used, this is the sum of the values after they were rounded to steps.

    References
    ----------
    LZCW21-lem-42.

    Examples
    --------
    >>> hours = [0, 1, 1, 2, 0, 3, 1, 4] * 50
    >>> print(PrivateSum(bounds=(0, 4), epsilon=1.0).release(hours, rng=3))
    595 in [583, 607] with probability 0.95; 1-differential privacy (replace-one)
    """

    bounds: tuple[float, float]
    epsilon: float
    beta: float = 0.05
    adjacency: Adjacency = Adjacency.REPLACE_ONE

    def __post_init__(self) -> None:
        object.__setattr__(self, "bounds", _floats(self.bounds))
        check.at_most(LARGEST_BOUND, bounds=max(map(abs, self.bounds)))
        check.probability_open(beta=self.beta)
        _ = self._mechanism

    @property
    def _sensitivity(self) -> int:  # type: ignore[override]
        replaced = self.adjacency is Adjacency.REPLACE_ONE
        return 2 * HALF_STEPS if replaced else HALF_STEPS

    @property
    def _ends(self) -> tuple[float, float]:
        """What stands at -s and s steps: under add-or-remove-one, 0 in the middle counts nothing."""
        if self.adjacency is Adjacency.REPLACE_ONE:
            return self.bounds
        largest = max(map(abs, self.bounds))
        return -largest, largest

    def output_distribution(self, records: ArrayLike) -> DiscreteLaplace:
        """The exact law of the total that is released, in whole steps.

        Parameters
        ----------
        records : array_like
            Private numbers, one each; a dtype of strings is refused.
        """
        total = int(_steps(records, self.bounds, self._ends).sum())
        return cast(DiscreteLaplace, self._mechanism.output_distribution(total))

    def release(
        self, records: ArrayLike, *, rng: np.random.Generator | int | None = None
    ) -> PrivateEstimate:
        """One draw of the noisy sum with its interval.  Each call spends the guarantee once.

        Parameters
        ----------
        records : array_like
            Private numbers, one each; a dtype of strings is refused.
        rng : int or Generator, optional
            Generator for all calls, or None: fresh entropy.  A seed gives noise away; used twice, the data.
        """
        law = self.output_distribution(records)
        total = int(law.rvs(rng=rng))
        coverage, beta = covering(self.beta)
        public = self.adjacency is Adjacency.REPLACE_ONE
        n_samples = np.size(one_value_each("records", records)) if public else 0
        reach = half_width(law, beta) + n_samples * Fraction(LARGEST_ROUNDING)
        low, high = map(Fraction, self._ends)
        value, lower, upper = (
            (low + high) / 2 * n_samples + (high - low) / 2 * steps / HALF_STEPS
            for steps in (Fraction(total), total - reach, total + reach)
        )
        ends = float_at_most(lower), float_at_least(upper)
        return PrivateEstimate(float(value), *ends, coverage, self.guarantee)


@dataclass(frozen=True, kw_only=True)
class PrivateQuantile:
    r"""A quantile of numbers, chosen among public options by the exponential mechanism.

    Each value is first moved to the nearest option.  Let m be the number of values, b(y) the number of values below
    the option y, and a(y) the number of values that are at most y.  The score of y is
    :math:`-\max\{0, b(y) - q m, q m - a(y)\}`, which is 0 if y is a q-quantile.  Its sensitivity is 1 under
    replace-one, and max(q, 1 - q) under add-or-remove-one.  For the median of an odd number of values, the score of
    the inverse sensitivity mechanism is the same at the median and smaller by 1/2 elsewhere: it is minus the number
    of values to replace before y is the median.

    Unless `beta` is None, two more choices produce the ends of an interval, and each of the three choices uses a third of
    epsilon.  The lower end aims at the rank q m - g and the upper end at q m + g, where g is a distance by which a
    choice falls short of the best score with probability at most beta / 2.  The chosen value is moved into the interval.

    Parameters
    ----------
    q : float
        Here the level, in [0, 1]: 0.5 for the median.
    options : sequence of float
        Increasing public numbers, at least two; what is no number counts as the lowest of them.
    epsilon : float
        Privacy parameter in nats of all choices together, positive.
    beta : float or None, default 0.05
        Failure probability, in (0, 1): the interval misses; None releases no interval, and a more accurate value.
    adjacency : Adjacency, default REPLACE_ONE
        The neighbouring relation.

    Raises
    ------
    ValueError
        If the options are not increasing finite numbers, q is not in [0, 1], or epsilon is below about 1e-13 with
        an interval, whose scores floats do not hold.

    Notes
    -----
    *Privacy.* All choices together are epsilon-differentially private under `adjacency`.  The rounding of scores is
    counted in their sensitivity, but for that of the number of values.

    *Accuracy.* With probability 1 - beta over the choices, the interval contains every q-quantile of the moved values,
    that is, every option y with b(y) <= q m <= a(y).  It speaks of the rank among these records: where the values
    have gaps, or few records are near the quantile, it is wide.  It does not cover the quantile of a population from
    which the records were drawn.

    References
    ----------
    L4-exp-mech-privacy and L4-exp-mech-utility; Smith (2011) for quantiles.

    Examples
    --------
    >>> ages = np.repeat([25, 34, 41, 52, 70], 40)
    >>> print(PrivateQuantile(q=0.5, options=range(18, 91), epsilon=2.0, beta=0.1).release(ages, rng=0))
    41 in [35, 41] with probability 0.9; 2-differential privacy (replace-one)
    """

    q: float
    options: Sequence[float]
    epsilon: float
    beta: float | None = 0.05
    adjacency: Adjacency = Adjacency.REPLACE_ONE

    def __post_init__(self) -> None:
        check.positive(epsilon=self.epsilon)
        options = check.finite_vector(options=self.options)
        if options.size < 2 or (np.diff(options) <= 0).any():
            raise ValueError(
                f"options must be two or more increasing numbers, but got {self.options!r}."
            )
        object.__setattr__(self, "options", tuple(options.tolist()))
        check.unit_interval(q=self.q)
        if self.beta is not None:
            check.probability_open(beta=self.beta)
        _ = self._mechanism

    @property
    def _sensitivity(self) -> float:
        return (
            1.0 if self.adjacency is Adjacency.REPLACE_ONE else max(self.q, 1 - self.q)
        )

    @cached_property
    def _mechanism(self) -> ExponentialMechanism:
        """Of each choice, for scores that are rounded: those of an end are as large as the distance g."""
        epsilon = self.epsilon if self.beta is None else part(self.epsilon, 3)
        rounding = SCORE_ROUNDING * 2 * self._exponent  # of g times epsilon
        if rounding > epsilon:
            raise ValueError(
                f"epsilon must be larger for an interval of so many options, but got {self.epsilon!r}."
            )
        return ExponentialMechanism(
            epsilon=epsilon,
            sensitivity=self._sensitivity * (1 + (rounding and rounding / epsilon)),
            adjacency=self.adjacency,
        )

    @property
    def _exponent(self) -> float:
        """Logarithm of the options and what stands before or after them, over half of beta; 0 without beta."""
        if self.beta is None:
            return 0.0
        return log(2 * (len(self.options) + 1)) - log(covering(self.beta)[1])

    @property
    def guarantee(self) -> Guarantee:
        """What one release promises, all choices together."""
        return Guarantee(self.epsilon, adjacency=self.adjacency)

    def _below(
        self, records: ArrayLike
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], int]:
        options = np.asarray(self.options)
        values = _numbers(records)
        values = np.where(np.isnan(values), options[0], values)
        places = np.searchsorted((options[1:] + options[:-1]) / 2, values)
        counts = np.bincount(places, minlength=options.size)
        upto = np.cumsum(counts)
        return upto - counts, upto, values.size

    def output_distribution(self, records: ArrayLike) -> tuple[Categorical, ...]:
        """The exact laws of the independent choices on `records`: of the value, and with `beta` of both ends.

        The ends have one outcome more, before the first option and after the last, which stands for it.
        """
        below, upto, size = self._below(records)
        rank, mechanism = self.q * size, self._mechanism

        def scores(aim: float) -> NDArray[np.float64]:
            return -np.maximum(0.0, np.maximum(below - aim, aim - upto))

        choices = [scores(rank)]
        if self.beta is not None:
            gap = above(mechanism.scale * self._exponent, 8)
            choices.append(np.append(-max(0.0, rank - gap), scores(rank - gap)))
            choices.append(
                np.append(scores(rank + gap), -max(0.0, size - (rank + gap)))
            )
        return tuple(map(mechanism.output_distribution, choices))

    def release(
        self, records: ArrayLike, *, rng: np.random.Generator | int | None = None
    ) -> PrivateEstimate:
        """One private choice, and its interval unless `beta` is None.  Each call spends the guarantee once.

        Parameters
        ----------
        records : array_like
            Private numbers, one each; a dtype of strings is refused.
        rng : int or Generator, optional
            Generator for all calls, or None: fresh entropy.  A seed gives noise away; used twice, the data.
        """
        rng = np.random.default_rng(rng)
        places = [
            int(noise.rvs(rng=rng)) for noise in self.output_distribution(records)
        ]
        value = self.options[places[0]]
        if self.beta is None:
            return PrivateEstimate(value, None, None, None, self.guarantee)
        ends = max(0, places[1] - 1), min(places[2], len(self.options) - 1)
        lower, upper = (self.options[place] for place in sorted(ends))
        value = min(max(value, lower), upper)
        return PrivateEstimate(
            value, lower, upper, covering(self.beta)[0], self.guarantee
        )


check.wrap_module(__name__)
