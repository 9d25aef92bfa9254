"""Populations: distributions over finitely many labelled points, so that every expectation is a sum.

The *regression function* of a population is ``r(x) = Pr[y = 1 | x]``, its *noise margin* at x is
``|r(x) - 1/2|``, from 0 to 1/2: a label is a fair coin where it is 0.
"""

from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml.hypotheses import HypothesisClass

_SLACK = 1e-12  # sums of the same probabilities may differ by rounding


class BestHypothesis(NamedTuple):
    """The first hypothesis of least true error.

    Parameters
    ----------
    index, error : int, float
        Its index in the class; true error of a hypothesis, in [0, 1].
    """

    index: int  # type: ignore[assignment]  # in place of the method of tuples
    error: float


@dataclass(frozen=True, eq=False)
class FinitePopulation:
    """A distribution over finitely many labelled points.

    The arrays are copied and read-only.

    Parameters
    ----------
    X : array_like
        Here instances, as the class takes them, of shape (n_points, ...).
    y : array_like
        Their labels, bools.
    probabilities : array_like
        Probabilities of the points, non-negative, with sum 1 up to 1e-9; then made exact to rounding.

    Raises
    ------
    ValueError
        If there is no point, labels are no bools, or probabilities are no law.

    References
    ----------
    L4-def-setup and L4-def-agnostic; DR11-def-11.1: a learning problem is a distribution on labelled
    examples.

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

    if TYPE_CHECKING:  # what is given becomes arrays

        def __init__(
            self, X: ArrayLike, y: ArrayLike, probabilities: ArrayLike
        ) -> None: ...

    def __post_init__(self) -> None:
        X, y = np.array(self.X), np.array(self.y)
        if X.ndim == 0 or len(X) == 0:
            raise ValueError(
                f"X must hold at least one point, but got shape {X.shape}."
            )
        if y.dtype != bool or y.shape != (len(X),):
            raise ValueError(
                f"y must be a vector of {len(X)} bools, but got shape {y.shape} of {y.dtype}."
            )
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

        Parameters
        ----------
        n_samples : int
            Number of records, a non-negative integer.
        rng : int or Generator, optional
            Seed or Generator; None draws fresh entropy.

        References
        ----------
        L4-def-setup and L4-def-agnostic: the training set.
        """
        rng = np.random.default_rng(rng)
        check.non_negative_integer(n_samples=n_samples)
        drawn = rng.choice(self.n_points, size=n_samples, p=self.probabilities)
        return self.X[drawn], self.y[drawn]

    def losses(self, hypotheses: HypothesisClass) -> NDArray[np.bool_]:
        """Which of `hypotheses` is wrong on which point: bool array of shape (n_hypotheses, n_points)."""
        return hypotheses.predict(self.X) != self.y

    def error_rates(self, hypotheses: HypothesisClass) -> NDArray[np.float64]:
        """True error of each of `hypotheses`, a HypothesisClass.

        References
        ----------
        L4-def-true-error (printed with ">=", where a definition is meant); DR11-def-11.2.
        """
        check.instance(HypothesisClass, hypotheses=hypotheses)
        errors = np.empty(hypotheses.n_hypotheses)
        for rows, labels in hypotheses.blocks(self.X):
            errors[rows] = np.where(labels != self.y, self.probabilities, 0.0).sum(
                axis=1
            )
        return errors

    def best(self, hypotheses: HypothesisClass) -> BestHypothesis:
        """The first of `hypotheses` of least true error, and that error.

        References
        ----------
        L4-def-agnostic: the benchmark of agnostic learning.
        """
        errors = self.error_rates(hypotheses)
        index = int(np.argmax(errors <= errors.min() + _SLACK))
        return BestHypothesis(index, float(errors[index]))

    def with_label_noise(self, rate: float) -> "FinitePopulation":
        """The same population with each label flipped, independently, with probability `rate`.

        Returns
        -------
        FinitePopulation
            The old points, then the same instances with the other label.

        Notes
        -----
        *Accuracy.* An error e becomes ``e (1 - 2 rate) + rate``; below rate 1/2 the order of the hypotheses
        stays.

        References
        ----------
        L4-def-agnostic: noise makes a realizable population agnostic.
        """
        check.non_negative(rate=rate)
        if rate > 1:
            raise ValueError(f"rate must be in the interval [0, 1], but got {rate!r}.")
        twice = np.concatenate([self.X, self.X]), np.concatenate([self.y, ~self.y])
        distribution = np.concatenate(
            [self.probabilities * (1 - rate), self.probabilities * rate]
        )
        return FinitePopulation(*twice, distribution)


def _law(probabilities: ArrayLike, n_points: int) -> NDArray[np.float64]:
    distribution = check.finite_vector(probabilities=probabilities)
    if distribution.size != n_points:
        raise ValueError(
            f"probabilities must be {n_points} numbers, but got {distribution.size}."
        )
    check.distributions(probabilities=probabilities)
    return distribution / distribution.sum()


class NoiseMargins(NamedTuple):
    """Distance of the regression function from one half at each possible instance.

    Parameters
    ----------
    margins, masses : ndarray
        Distance from one half, from 0 to 1/2, in no particular order; probability of the instance.
    """

    margins: NDArray[np.float64]
    masses: NDArray[np.float64]


def regression_population(
    X: ArrayLike, masses: ArrayLike, regression: ArrayLike
) -> FinitePopulation:
    """The population with a given regression function.

    Parameters
    ----------
    X : array_like
        Here instances, as the class takes them, of shape (n_instances, ...).
    masses : array_like
        Probabilities of the instances.
    regression : array_like
        Of the label True at each, in [0, 1].

    Returns
    -------
    FinitePopulation
        With ``2 n_instances`` labelled points: all labelled True, then all labelled False.

    Raises
    ------
    ValueError
        If there are not as many masses and probabilities as instances.

    References
    ----------
    LZCW21-def-8: the regression function.

    Examples
    --------
    >>> regression_population([0.0, 1.0], [0.5, 0.5], [0.25, 1.0]).probabilities.tolist()
    [0.125, 0.5, 0.375, 0.0]
    """
    X = np.asarray(X)
    if X.ndim == 0:
        raise ValueError(f"X must be instances along the first axis, but got {X!r}.")
    masses, regression = (
        check.finite_vector(masses=masses),
        check.finite_vector(regression=regression),
    )
    if not len(X) == masses.size == regression.size:
        raise ValueError(
            f"regression must be {len(X)} numbers, as masses, but got {regression.size}."
        )
    if regression.min() < 0 or regression.max() > 1:
        raise ValueError(
            f"regression must be in the interval [0, 1] everywhere, but got values from {regression.min()!r} to "
            f"{regression.max()!r}."
        )
    labels = np.repeat([True, False], len(X))
    distribution = np.concatenate([masses * regression, masses * (1 - regression)])
    return FinitePopulation(np.concatenate([X, X]), labels, distribution)


def noise_margins(population: FinitePopulation) -> NoiseMargins:
    """Distance of the regression function from one half at each possible instance.

    Parameters
    ----------
    population : FinitePopulation
        Where records come from.

    References
    ----------
    LZCW21-def-8, with the distance from 1/2 in place of the printed ``|r(x)|``.

    Examples
    --------
    >>> noise_margins(regression_population([0, 1], [0.5, 0.5], [0.25, 1.0])).margins.tolist()
    [0.25, 0.5]
    """
    check.instance(FinitePopulation, population=population)
    _, instance = np.unique(
        population.X.reshape(population.n_points, -1), axis=0, return_inverse=True
    )
    instance, distribution = instance.ravel(), population.probabilities
    masses: NDArray[np.float64] = np.bincount(instance, weights=distribution).astype(
        float, copy=False
    )
    true = np.bincount(instance, weights=np.where(population.y, distribution, 0.0))
    possible = masses > 0
    return NoiseMargins(
        np.abs(true[possible] / masses[possible] - 0.5), masses[possible]
    )


def tsybakov_constant(population: FinitePopulation, tau: float) -> float:
    """Least C with ``Pr[|r(x) - 1/2| <= t] <= C t**(tau / (1 - tau))`` for all t.

    The supremum over t is attained at a margin.  A finite population without fair coins satisfies the
    condition for every tau; what the exponent means is seen over a range of t, or as the population grows.

    Parameters
    ----------
    population : FinitePopulation
        Where records come from.
    tau : float
        Here the exponent of the noise condition, in [0, 1).

    Returns
    -------
    float
        Infinite if a possible label is a fair coin and tau is positive.

    References
    ----------
    LZCW21-def-8.

    Examples
    --------
    >>> tsybakov_constant(regression_population([0, 1], [0.5, 0.5], [0.25, 1.0]), 0.5)
    2.0
    """
    check.instance(FinitePopulation, population=population)
    check.probability_half_open(tau=tau)
    margins, masses = noise_margins(population)
    order = np.argsort(margins)
    margins, below = margins[order], np.cumsum(masses[order])
    if tau == 0:
        return 1.0
    if margins[0] <= _SLACK:
        return inf
    return float((below / margins ** (tau / (1 - tau))).max())


def bernstein_constant(
    hypotheses: HypothesisClass, population: FinitePopulation, tau: float
) -> float:
    """Least eta, at least 1, with ``Dis(h, h*) <= eta (err(h) - err(h*))**tau`` for every h of the class.

    ``Dis(h, h*)`` is the probability of an instance on which they differ, and h* the first hypothesis of
    least true error.  Errors that agree up to 1e-12 count as equal.

    Parameters
    ----------
    hypotheses : HypothesisClass
        Candidates.
    population : FinitePopulation
        Where records come from.
    tau : float
        Exponent of the noise condition, non-negative, in [0, 1].

    Returns
    -------
    float
        Infinite if another hypothesis is as good as h* and differs from it, and tau is positive.

    References
    ----------
    LZCW21-lem-9, in the weaker form that LZCW21 uses: only hypotheses of the class, and its best one in
    place of the Bayes classifier.

    Examples
    --------
    Labels that are wrong with probability 1/10:

    >>> from privml.hypotheses import Thresholds
    >>> noisy = FinitePopulation([0.0, 1.0], [False, True], [0.5, 0.5]).with_label_noise(0.1)
    >>> round(bernstein_constant(Thresholds([-0.5, 0.5, 1.5]), noisy, 1.0), 12)
    1.25
    """
    check.instance(HypothesisClass, hypotheses=hypotheses)
    check.instance(FinitePopulation, population=population)
    check.non_negative(tau=tau)
    if tau > 1:
        raise ValueError(f"tau must be in the interval [0, 1], but got {tau!r}.")
    best = population.best(hypotheses)
    centre = hypotheses.predict(population.X, [best.index])
    excess = population.error_rates(hypotheses) - best.error
    distances = np.empty(hypotheses.n_hypotheses)
    for rows, labels in hypotheses.blocks(population.X):
        distances[rows] = np.where(labels != centre, population.probabilities, 0.0).sum(
            axis=1
        )
    excess = np.where(excess <= _SLACK, 0.0, excess)
    apart = distances > _SLACK
    if tau and (excess[apart] == 0).any():
        return inf
    return float(max(1.0, (distances[apart] / excess[apart] ** tau).max(initial=0.0)))


check.wrap_module(__name__)
