"""Composition by adding up laws of the privacy loss, for what has no closed form.

Nothing is estimated: :mod:`privml.composition.bracket` proves an end below and an end above.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum, isfinite, sqrt
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from privml import _check as check
from privml._rounding import above
from privml.adjacency import Adjacency
from privml.composition.bracket import (
    TOLERANCE,
    DeltaSearch,
    EpsilonSearch,
    TwoSidedBound,
    UpperSearch,
    _refine_until_close,
)
from privml.composition.steps import (
    SAMPLING_SCHEMES,
    FiniteStep,
    GaussianStep,
    LaplaceStep,
)
from privml.composition.sums import LARGEST_STEPS
from privml.distributions import Categorical
from privml.divergences import gaussian_epsilon
from privml.divergences.finite import _aligned, loss_of_logs
from privml.guarantee import Guarantee

LARGEST_MU, LARGEST_SAMPLED_MU, LARGEST_LOSS = (
    1e3,
    20,
    300,
)  # of noise that is put on a lattice


MANY = 12  # different steps, from which on the sum is formed from above alone


@dataclass(frozen=True)
class NumericalLoss:
    """Privacy losses of steps, each with how often it is taken, and the neighbouring relation they are about.

    Made by :func:`gaussian_loss`, :func:`laplace_loss` and :func:`finite_loss`; + puts two together.

    Parameters
    ----------
    parts : tuple of (step, k)
        The steps and how often each is taken.
    adjacency : Adjacency
        The neighbouring relation of all of them.
    interval : float, optional
        Width of the lattice, positive; None chooses it so that the ends come together.

    Examples
    --------
    >>> loss = gaussian_loss(1.0, 1000, sampling_rate=0.01)
    >>> [round(end, 5) for end in loss.epsilon_bounds(1e-5, tolerance=1e-4)]
    [1.82818, 1.82826]
    >>> [f"{end:.1e}" for end in loss.delta_bounds(2.0)]
    ['2.7e-06', '2.7e-06']
    """

    parts: tuple[tuple[Any, int], ...]
    adjacency: Adjacency
    interval: float | None = None

    def __post_init__(self) -> None:
        check.instance(Adjacency, adjacency=self.adjacency)
        if self.interval is not None:
            check.positive(interval=self.interval)

    def __add__(self, other: "NumericalLoss") -> "NumericalLoss":
        if not isinstance(other, NumericalLoss):
            return NotImplemented
        return _together([self, other])

    def _gaussian(self) -> float | None:
        """The one mu of all steps together, where all are Gaussian noise on all records."""
        if all(
            isinstance(step, GaussianStep) and step.rate == 1 for step, _ in self.parts
        ):
            squares = fsum(times * step.size**2 for step, times in self.parts)
            return above(sqrt(squares))
        return None

    def _directions(self, kind: Any, target: float, tolerance: float) -> list:
        orders = [self.parts]
        if not all(step.symmetric for step, _ in self.parts):
            orders.append(tuple((step.other(), times) for step, times in self.parts))
        searches = [kind(parts, target, tolerance) for parts in orders]
        for search in searches if self.interval is not None else ():
            search.width, search.fixed = self.interval, True
        return searches

    def epsilon_bounds(
        self, delta: float, *, tolerance: float = TOLERANCE
    ) -> TwoSidedBound:
        """Bounds on the smallest epsilon at delta: neither end is wrong, by rounding or otherwise.

        Parameters
        ----------
        delta : float
            Additive slack of privacy, in (0, 1).
        tolerance : float
            How far apart the ends may be, as a share of the upper one, where floats allow it.
        """
        check.probability_open(delta=delta, tolerance=tolerance)
        return _refine_until_close(
            self._directions(EpsilonSearch, delta, tolerance), tolerance
        )

    def _upper_epsilon(self, delta: float, tolerance: float) -> float:
        """The upper end of :meth:`epsilon_bounds`; of many different steps much faster."""
        if len(self.parts) <= MANY or self.interval is not None:
            return self.epsilon_bounds(delta, tolerance=tolerance).upper
        return _refine_until_close(
            self._directions(UpperSearch, delta, tolerance), tolerance
        ).upper

    def delta_bounds(
        self, epsilon: float, *, tolerance: float = TOLERANCE
    ) -> TwoSidedBound:
        """Bounds on delta at an epsilon.

        Parameters
        ----------
        epsilon : float
            Privacy parameter in nats, non-negative.
        tolerance : float
            How far apart the ends may be, as a share of the upper one, where floats allow it.
        """
        check.non_negative(epsilon=epsilon)
        check.probability_open(tolerance=tolerance)
        return _refine_until_close(
            self._directions(DeltaSearch, epsilon, tolerance), tolerance
        )

    def delta(self, epsilon: float) -> float:
        """Delta at epsilon, never too small."""
        return min(1.0, self.delta_bounds(epsilon).upper)


def _together(losses: Sequence[NumericalLoss]) -> NumericalLoss:
    """All steps of some losses about one relation."""
    relations = sorted({str(loss.adjacency) for loss in losses})
    if len(relations) > 1:
        raise ValueError(
            f"losses must be about the same neighbours, but got {' and '.join(relations)}. Construct all of them "
            "with one "
            'adjacency and its shift; scheme="coins" needs add-or-remove-one.'
        )
    widths = [loss.interval for loss in losses if loss.interval is not None]
    counts: dict[Any, int] = {}
    for loss in losses:
        for step, times in loss.parts:  # equal steps as one: faster and closer
            counts[step] = counts.get(step, 0) + times
    parts = tuple(counts.items())
    return NumericalLoss(parts, losses[0].adjacency, min(widths, default=None))


def _noise(
    kind: Any,
    size: float,
    k: int,
    rate: float | None,
    scheme: str,
    interval: float | None,
    adjacency: Any,
) -> NumericalLoss:
    """A loss of one kind of noise, of the relation that its way of sampling is about."""
    sampling_rate = 1.0 if rate is None else rate
    check.share(sampling_rate=sampling_rate)
    check.positive_integer(k=k)
    check.at_most(LARGEST_STEPS, k=k)
    check.one_of(SAMPLING_SCHEMES, scheme=scheme)
    coins = scheme == "coins" and rate is not None
    if adjacency is None:
        adjacency = Adjacency.ADD_OR_REMOVE_ONE if coins else Adjacency.REPLACE_ONE
    check.instance(Adjacency, adjacency=adjacency)
    if coins and sampling_rate < 1 and adjacency is Adjacency.REPLACE_ONE:
        raise ValueError(
            f"adjacency must be add-or-remove-one for Poisson subsampling, but got {adjacency}. Convert the resulting "
            'guarantee with its method under(adjacency), or use scheme="subset" with the larger shift.'
        )
    if sampling_rate < 1 and not coins and adjacency is not Adjacency.REPLACE_ONE:
        raise ValueError(
            f"adjacency must be replace-one for subsets of fixed size, but got {adjacency}."
        )
    return NumericalLoss(((kind(size, sampling_rate, scheme), k),), adjacency, interval)


def gaussian_loss(
    mu: float,
    k: int = 1,
    *,
    sampling_rate: float | None = None,
    scheme: str = "coins",
    interval: float | None = None,
    adjacency: Adjacency | None = None,
) -> NumericalLoss:
    """Privacy loss of k releases with Gaussian noise, each possibly on a random part of the records.

    `mu` is the sensitivity over the standard deviation, so it goes with the relation: DP-SGD with noise of
    sigma times the length to which gradients are clipped has 1 / sigma where a record is added or removed,
    and 2 / sigma where one is replaced.  "coins" are only for ``ADD_OR_REMOVE_ONE``, a "subset" only for
    ``REPLACE_ONE``, the default without a rate.  Each batch is drawn afresh: batches cut from shuffled
    records are not covered.

    Parameters
    ----------
    mu : float
        Shift of Gaussian noise in standard deviations, positive, at most 20 if sampled.
    k : int
        Number of releases, a positive integer.
    sampling_rate : float, optional
        Chance that a record is used in a release, in (0, 1]; None is all records, without coins.
    scheme : {"coins", "subset"}
        Whether each record has a coin of its own, or a subset of fixed size is drawn.
    interval : float, optional
        Width of the lattice of losses, positive; None chooses it.
    adjacency : Adjacency, optional
        Neighbouring relation; None is add-or-remove-one for "coins" of any rate, 1 too, else replace-one.

    Notes
    -----
    *Privacy.* With subsets of fixed size, the mechanism must not depend on the order of the records.  The pair of
    distributions is then the best possible for one step, but no mechanism need attain it in all steps.

    References
    ----------
    Zhu, Dong and Wang (2022), Theorem 11 (coins) and Proposition 30 (subset); without sampling
    :func:`privml.divergences.gaussian_epsilon` is exact; for LZCW21-lem-44.

    Examples
    --------
    A noise multiplier of 2, on batches by coins, and on all records, of which one is replaced:

    >>> loss = gaussian_loss(1 / 2, 1000, sampling_rate=0.01)
    >>> print(numerical_composition(loss, delta=1e-5))
    (0.622154, 1e-05)-differential privacy (add-or-remove-one)
    >>> print(numerical_composition(gaussian_loss(2 / 2), delta=1e-5))
    (4.37718, 1e-05)-differential privacy (replace-one)
    """
    check.positive(mu=mu)
    check.at_most(
        LARGEST_MU if sampling_rate in (None, 1) else LARGEST_SAMPLED_MU, mu=mu
    )
    return _noise(GaussianStep, mu, k, sampling_rate, scheme, interval, adjacency)


def laplace_loss(
    epsilon: float,
    k: int = 1,
    *,
    sampling_rate: float | None = None,
    scheme: str = "coins",
    interval: float | None = None,
    adjacency: Adjacency | None = None,
) -> NumericalLoss:
    """Privacy loss of k releases with Laplace noise of scale sensitivity / epsilon, possibly on random parts.

    Relations and schemes as for :func:`gaussian_loss`.

    Parameters
    ----------
    epsilon : float
        Privacy parameter in nats, positive: sensitivity over scale, at most 300.
    k : int
        Number of releases, a positive integer.
    sampling_rate : float, optional
        Chance that a record is used in a release, in (0, 1]; None is all records, without coins.
    scheme : {"coins", "subset"}
        Whether each record has a coin of its own, or a subset of fixed size is drawn.
    interval : float, optional
        Width of the lattice of losses, positive; None chooses it.
    adjacency : Adjacency, optional
        Neighbouring relation; None is add-or-remove-one for "coins" of any rate, 1 too, else replace-one.

    References
    ----------
    Zhu, Dong and Wang (2022), Theorem 11 and Proposition 30; for LZCW21-lem-42.

    Examples
    --------
    >>> round(numerical_composition(laplace_loss(0.05, 1000), delta=1e-5).epsilon, 4)
    7.4213
    """
    check.positive(epsilon=epsilon)
    check.at_most(LARGEST_LOSS, epsilon=epsilon)
    return _noise(LaplaceStep, epsilon, k, sampling_rate, scheme, interval, adjacency)


def finite_loss(
    p: Categorical | ArrayLike,
    q: Categorical | ArrayLike,
    k: int = 1,
    *,
    logs: bool = False,
    interval: float | None = None,
    adjacency: Adjacency = Adjacency.REPLACE_ONE,
) -> NumericalLoss:
    """Privacy loss of k steps whose worst pair of laws is finite, in both directions.

    Parameters
    ----------
    p, q : Categorical or array-like of shape (n_outcomes,)
        The two laws, arrays as probabilities, which sum to 1.
    k : int
        Number of steps, a positive integer.
    logs : bool, default False
        Whether arrays hold natural logarithms of probabilities.
    interval : float, optional
        Width of the lattice of losses, positive; None chooses it.
    adjacency : Adjacency
        The neighbouring relation.

    Raises
    ------
    ValueError
        If p or q has more than one axis.

    Notes
    -----
    *Accuracy.* The upper end is as close as for noise, but the lower one only if all losses lie on one lattice.

    References
    ----------
    Doroshenko, Ghazi, Kamath, Kumar and Manurangsi (2022), for the upper end; for WLF16-def-27.

    Examples
    --------
    >>> p, q = [0.5, 0.5], [0.48, 0.52]
    >>> round(numerical_composition(finite_loss(p, q, 1000), delta=1e-5).epsilon, 3)
    5.756
    """
    check.instance(Adjacency, adjacency=adjacency)
    check.positive_integer(k=k)
    check.at_most(LARGEST_STEPS, k=k)
    log_p, log_q = _aligned(p, q, logs)
    loss = loss_of_logs(log_p, log_q)
    if loss.ndim != 1:
        raise ValueError(
            f"p and q must be distributions of one outcome, but got losses of shape {loss.shape}."
        )
    finite, distribution, other = np.isfinite(loss), np.exp(log_p), np.exp(log_q)
    infinite = (
        float(distribution[loss == np.inf].sum()),
        float(other[loss == -np.inf].sum()),
    )
    return NumericalLoss(
        ((FiniteStep(loss[finite], distribution[finite], infinite), k),),
        adjacency,
        interval,
    )


def numerical_composition(
    *losses: NumericalLoss, delta: float, tolerance: float = TOLERANCE
) -> Guarantee:
    """Guarantee of releasing everything whose privacy losses are given, never too optimistic.

    Parameters
    ----------
    *losses : NumericalLoss
        At least one, all about one relation.
    delta : float
        Additive slack of privacy, in (0, 1).
    tolerance : float
        Tolerance, in (0, 1): distance of the ends that is good enough, as a share of epsilon.

    Raises
    ------
    ValueError
        If the relations differ, or if delta does not exceed the probability of an infinite loss.

    Notes
    -----
    *Privacy.* The guarantee also holds for adaptive choices, if each step is dominated by its pair of distributions.

    References
    ----------
    Koskela, Jalko and Honkela (2020); Meiser and Mohammadi (2018); for WLF16-def-27.

    Examples
    --------
    >>> print(numerical_composition(gaussian_loss(0.5), laplace_loss(0.5), delta=1e-5))
    (2.41521, 1e-05)-differential privacy (replace-one)
    """
    check.probability_open(delta=delta, tolerance=tolerance)
    if not losses:
        raise ValueError("losses must contain at least one loss, but got none.")
    check.instance(
        NumericalLoss, **{f"losses[{i}]": loss for i, loss in enumerate(losses)}
    )
    total = _together(losses)
    mu = total._gaussian() if total.interval is None else None
    epsilon = (
        gaussian_epsilon(delta=delta, mu=mu)
        if mu
        else total._upper_epsilon(delta, tolerance)
    )
    if not isfinite(epsilon):
        raise ValueError(
            f"delta must exceed the probability of an infinite loss, but got {delta!r}."
        )
    return Guarantee(epsilon, delta, total.adjacency)


check.wrap_module(__name__)
