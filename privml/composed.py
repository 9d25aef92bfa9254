"""What several releases promise together, by whichever theorem of the package promises most.

:func:`compose` is a function of what it is given: nothing is counted elsewhere.  :func:`smallest_scale`
inverts it in the size of the noise.
"""

import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from math import exp, fsum, inf, log, log1p, sqrt
from typing import Any, NamedTuple

import numpy as np

from privml import _check as check
from privml._rounding import above, float_at_most, total
from privml._shown import card
from privml.adjacency import Adjacency
from privml.composition import (
    NumericalLoss,
    finite_loss,
    gaussian_loss,
    laplace_loss,
    numerical_composition,
)
from privml.composition.numerical import LARGEST_LOSS, LARGEST_MU
from privml.composition.optimal import LARGEST_OPTIMAL, optimal_epsilon
from privml.composition.sums import LARGEST_STEPS
from privml.divergences import gaussian_epsilon
from privml.guarantee import BoundedRangeGuarantee, ConcentratedGuarantee, Guarantee
from privml.guarantee.promises import promised, same_neighbours
from privml.mechanisms import GaussianMechanism, LaplaceMechanism, PermuteAndFlip

THEOREMS = {  # what may be used, with its source
    "basic": "basic composition (Dwork and Roth 2014, Theorem 3.16)",
    "optimal": "optimal composition of equal steps (Kairouz, Oh and Viswanath 2015, Theorem 3.3)",
    "concentrated": "concentrated composition (Bun and Steinke 2016, Lemma 2.3)",
    "gaussian": "composition of Gaussian noise (Balle and Wang 2018, Theorem 8)",
    "numerical": "convolution of privacy losses (Koskela, Jalko and Honkela 2020)",
}
ROUNDED = (
    2.0**-50
)  # share by which deltas that add up to the one asked for may exceed it
LARGEST_FLOAT = sys.float_info.max
HUGE = 1e15  # epsilon of which no theorem saves more than rounding
GROWTH = 0.01  # of the logarithm of an epsilon: ten times what an account may be off


@dataclass(frozen=True)
class Composed:
    """A promise of several releases together, and the theorem that it comes from.

    >>> print(compose((Guarantee(0.05), 1000), delta=1e-5))
    (7.49285, 1e-05)-differential privacy (replace-one)
    of 1000 releases about the same records, by optimal composition of equal steps (Kairouz, Oh and Viswanath 2015, Theorem 3.3)

    Parameters
    ----------
    guarantee, theorem : Guarantee, str
        What all releases promise together; a key of ``THEOREMS``.
    n_releases : int
        Number of releases, a positive integer; a loss of k steps counts as k.
    """

    guarantee: Guarantee
    theorem: str
    n_releases: int

    def __str__(self) -> str:
        many = "s about the same records" * (self.n_releases > 1)
        return f"{self.guarantee}\nof {self.n_releases} release{many}, by {THEOREMS[self.theorem]}"

    def _repr_html_(self) -> str:
        return card(str(self.guarantee), note=str(self).partition("\n")[2])


class _Part(NamedTuple):
    """What is known of one kind of release, and how often it is made."""

    times: int
    relation: tuple[Adjacency, int]
    guarantee: Guarantee | None
    rho: float | None
    mu: float | None
    loss: NumericalLoss | None


def _response(step: Guarantee, k: int) -> NumericalLoss:
    """The worst losses that a guarantee allows: randomised response, and an accident with chance delta."""
    log_rest, log_delta = log1p(-step.delta), log(step.delta) if step.delta else -np.inf
    keep = -log1p(exp(-step.epsilon))
    p = np.array([log_delta, log_rest + keep, log_rest + keep - step.epsilon, -np.inf])
    return finite_loss(p, p[::-1], k, logs=True, adjacency=step.adjacency)


def _stated(thing: Any, name: str) -> Any:
    """What a class says beside its guarantee; None where a subclass has replaced the guarantee alone."""
    mro = type(thing).__mro__
    home, promise = (
        next((i for i, k in enumerate(mro) if a in vars(k)), len(mro))
        for a in (name, "guarantee")
    )
    return getattr(thing, name, None) if home <= promise else None


def _part(thing: Any) -> _Part:
    """A release, or a pair of one and how often it is made, as what is known of it."""
    thing, times = thing if isinstance(thing, tuple) and len(thing) == 2 else (thing, 1)
    check.positive_integer(count=times)
    check.at_most(LARGEST_STEPS, count=times)
    if isinstance(thing, NumericalLoss):
        loss = replace(thing, parts=tuple((step, k * times) for step, k in thing.parts))
        return _Part(
            sum(k for _, k in loss.parts), (thing.adjacency, 1), None, None, None, loss
        )
    if isinstance(thing, ConcentratedGuarantee):
        return _Part(
            times, (thing.adjacency, thing.group_size), None, thing.rho, None, None
        )
    concentrated: Any = _stated(thing, "concentrated")
    if isinstance(thing, BoundedRangeGuarantee):
        concentrated = thing.concentrated()
        thing = thing.pure()
    elif (ranged := _stated(thing, "bounded_range")) is not None:
        concentrated = ranged.concentrated()
    rule = (
        "mechanisms, guarantees, fitted learners, losses, or pairs of one and a count"
    )
    way = (
        "; hand a list over as compose(*releases, delta=delta)"
        if isinstance(thing, list)
        else ""
    )
    way = (
        "; its last step has one, or that of a private_pipeline"
        if hasattr(thing, "steps")
        else way
    )
    promise = promised("releases", thing, rule, way)
    if concentrated is None and promise.delta == 0 and promise.epsilon <= HUGE:
        concentrated = ConcentratedGuarantee.from_pure(promise)
    rho = concentrated.rho if isinstance(concentrated, ConcentratedGuarantee) else None
    mu = (
        thing.mu if type(thing) is GaussianMechanism else None
    )  # a subclass may promise something else
    relation = promise.adjacency, promise.group_size
    return _Part(times, relation, promise, rho, mu, _loss(thing, promise, times))


def _loss(thing: Any, promise: Guarantee, times: int) -> NumericalLoss | None:
    """The losses of a release, if they can be put on a lattice."""
    if type(thing) is GaussianMechanism:
        return (
            gaussian_loss(thing.mu, times, adjacency=thing.adjacency)
            if thing.mu <= LARGEST_MU
            else None
        )
    if type(thing) is LaplaceMechanism and thing.epsilon <= LARGEST_LOSS:
        return laplace_loss(
            thing.sensitivity / thing.scale, times, adjacency=thing.adjacency
        )
    if (
        type(thing) is PermuteAndFlip and thing.epsilon <= LARGEST_LOSS
    ):  # proved in better selection
        return laplace_loss(thing.epsilon, times, adjacency=thing.adjacency)
    fits = (
        promise.group_size == 1
        and 0 < promise.epsilon <= LARGEST_LOSS
        and promise.delta < 1
    )
    return _response(promise, times) if fits else None


def _basic(parts: list[_Part], delta: float) -> float | None:
    promises = [
        (part.guarantee, part.times) for part in parts if part.guarantee is not None
    ]
    if len(promises) < len(parts) or total(
        (times, each.delta) for each, times in promises
    ) > delta * (1 + ROUNDED):
        return None
    return total((times, each.epsilon) for each, times in promises)


def _optimal(parts: list[_Part], delta: float) -> float | None:
    step, *others = {part.guarantee for part in parts}
    k = sum(part.times for part in parts)
    if (
        others
        or step is None
        or k > LARGEST_OPTIMAL
        or step.delta == 1
        or k * step.epsilon > HUGE
        or -np.expm1(k * log1p(-min(step.delta, 0.5))) >= delta
    ):
        return None
    return optimal_epsilon(step.epsilon, k, delta, step_delta=step.delta)


def _concentrated(parts: list[_Part], delta: float) -> float | None:
    """The rho of those that have one add up; the epsilon and delta of the others are added afterwards."""
    others = [(part.guarantee, part.times) for part in parts if part.rho is None]
    if any(each is None for each, _ in others) or len(others) == len(parts):
        return None
    spent = sum(times * Fraction(each.delta) for each, times in others if each)
    left = float_at_most(Fraction(delta) - spent)
    rho = total((part.times, part.rho) for part in parts if part.rho is not None)
    if not left > 0 or rho == inf:
        return None
    rest = total((times, each.epsilon) for each, times in others if each)
    found = ConcentratedGuarantee(rho).approximate(left).epsilon
    return total([(1, found), (1, rest)])


def _gaussian(parts: list[_Part], delta: float) -> float | None:
    if any(part.mu is None for part in parts):
        return None
    return gaussian_epsilon(
        delta=delta,
        mu=above(sqrt(fsum(part.times * part.mu**2 for part in parts if part.mu))),
    )


def _numerical(parts: list[_Part], delta: float) -> float | None:
    losses = [part.loss for part in parts if part.loss is not None]
    if len(losses) < len(parts):
        return None
    try:
        return numerical_composition(*losses, delta=delta).epsilon
    except ValueError:  # more accidents than delta
        return None


_WAYS = dict(
    zip(THEOREMS, (_basic, _optimal, _concentrated, _gaussian, _numerical), strict=True)
)


def compose(*releases: Any, delta: float) -> Composed:
    """The least epsilon at a delta that the theorems of the package give for several releases together.

    **Returns.** Composed: the guarantee of all, and the name of the theorem that gives it.
    **Privacy.** Also if answers decide what is released next; each has coins of its own: no seed twice.
    Every release must be about all the same records: of parts that depend on the records, such as the groups
    of a table, a replaced record changes two, and their sizes; see ``parallel_composition``.
    **Raises.** ValueError for mixed relations, and where no theorem reaches delta.  Groups of unequal sizes,
    as a person with 3 rows here and 1 there, are made equal by ``guarantee.for_group(3)`` of the smaller one.
    **Source.** ``THEOREMS``; the other side of DR11-thm-3.20.

    >>> count = LaplaceMechanism(epsilon=0.2, sensitivity=1.0)
    >>> mean = GaussianMechanism(epsilon=0.3, delta=1e-6, sensitivity=1.0)
    >>> print(compose(count, (mean, 10), delta=1e-5))
    (1.05872, 1e-05)-differential privacy (replace-one)
    of 11 releases about the same records, by convolution of privacy losses (Koskela, Jalko and Honkela 2020)

    Parameters
    ----------
    *releases : mechanism, guarantee, fitted learner or NumericalLoss, or a pair (one of these, count)
        What is released, all about one relation.
    delta : float
        Additive slack of privacy, in [0, 1); at 0 epsilons are added.
    """
    check.probability_half_open(delta=delta)
    if not releases:
        raise ValueError("releases must be at least one, got none")
    parts = [_part(release) for release in releases]
    adjacency, group_size = same_neighbours(
        "releases", {part.relation for part in parts}
    )
    held = [(part.times, part.guarantee.epsilon) for part in parts if part.guarantee]
    if sum(times * Fraction(epsilon) for times, epsilon in held) > LARGEST_FLOAT:
        raise ValueError(
            "releases must have epsilons that add up to a finite float. Their sum is "
            "larger than that, so leave out releases or give them smaller epsilons."
        )
    exact = all(part.mu is not None for part in parts)
    ways = ("basic",) if delta == 0 else ("gaussian",) if exact else tuple(_WAYS)
    found = {name: _WAYS[name](parts, delta) for name in ways}
    known = {name: epsilon for name, epsilon in found.items() if epsilon is not None}
    if not known:
        own = total((p.times, p.guarantee.delta) for p in parts if p.guarantee)
        way = f"theirs add up to {own!r}, without what a loss needs"
        raise ValueError(
            f"delta must be larger for these releases, got {delta!r}; {way}"
        )
    best = min(known, key=lambda name: known[name])
    if (
        best == "basic"
    ):  # the sum of deltas, rounded up, where it is delta but for rounding
        deltas = total((p.times, p.guarantee.delta) for p in parts if p.guarantee)
        delta = max(delta, deltas)
    return Composed(
        Guarantee(known[best], delta, adjacency, group_size),
        best,
        sum(p.times for p in parts),
    )


def _refuse_growth(below: float, above: float, low: float, high: float) -> None:
    """Raise if a larger size costs more than a smaller one, by more than an account may be off."""
    if above > below + GROWTH:
        way = (
            "hand over the size of the noise, of what takes epsilon as epsilon=1 / size"
        )
        rule = f"release must lose less at the size {high:g} than at {low:g}"
        raise ValueError(f"{rule}, got {exp(above - below):.3g} times as much; {way}")


def smallest_scale(
    release: Callable[[float], Any],
    epsilon: float,
    delta: float,
    *,
    tolerance: float = 1e-3,
) -> float:
    """The least size of noise for which all releases together promise (epsilon, delta).

    **Privacy.** The promise has been evaluated at the very size that is returned.
    **Raises.** ValueError where no size up to 2^60 is enough.  Of sizes that are refused for being too small,
    the least that is not is taken.
    **Source.** Inverse of :func:`compose`; for LZCW21-lem-44.

    A thousand steps of gradient descent on a hundredth of the records each, for (1, 1e-5):

    >>> from privml.composition import gaussian_loss
    >>> step = lambda sigma: gaussian_loss(1 / sigma, 1000, sampling_rate=0.01)
    >>> round(smallest_scale(step, 1.0, 1e-5), 2)
    1.42

    Parameters
    ----------
    release : callable
        From a positive size of noise to what :func:`compose` takes, or a list; more noise is more private.
    epsilon, delta : float
        Privacy parameter in nats to reach, positive; additive slack of privacy, in [0, 1).
    tolerance : float
        Tolerance, in (0, 1): how far above the least the size may be, as a share of it.
    """
    check.function(release=release)
    check.positive(epsilon=epsilon)
    check.probability_half_open(delta=delta)
    check.probability_open(tolerance=tolerance)

    def excess(scale: float) -> float:
        made = release(scale)
        total = compose(
            *made if isinstance(made, list) else [made], delta=delta
        ).guarantee.epsilon
        return log(max(total, 1e-300) / epsilon)

    low = high = 1.0
    below = above = excess(1.0)
    while above > 0:
        low, below, high = high, above, 2 * high
        if high > 2.0**60:
            raise ValueError(
                f"epsilon must be reachable by a noise of at most 2^60, got {epsilon!r}"
            )
        above = excess(high)
        _refuse_growth(below, above, low, high)
    refused = 0.0  # the largest size that has no answer, as one that is too small to be put on a lattice
    while below <= 0:
        high, above = low, below
        smaller = sqrt(low * refused) if refused else low / 2
        if smaller < 2.0**-60 or low <= refused * (1 + tolerance):
            return high
        try:
            below = excess(smaller)
        except ValueError:
            refused = smaller
            continue
        low = smaller
        _refuse_growth(below, above, low, high)
    while high > low * (1 + tolerance):
        share = min(max(below / (below - above), 0.1), 0.9)
        middle = low * (high / low) ** share
        middle = min(
            max(middle * (1 + tolerance / 3), low * (1 + tolerance / 3)),
            high / (1 + tolerance / 3),
        )
        value = excess(middle)
        low, below, high, above = (
            (low, below, middle, value) if value <= 0 else (middle, value, high, above)
        )
    return high


check.doors(__name__)
