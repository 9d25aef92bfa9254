"""What several releases promise together, by whichever theorem of the package promises most.

:func:`compose` is a function of what it is given: nothing is counted elsewhere.  :func:`calibrate_noise_scale`
inverts it in the scale of the noise.
"""

import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from math import exp, fsum, inf, log, log1p, sqrt
from typing import Any, NamedTuple

import numpy as np

from privml import _check as check
from privml._display import html_card
from privml._rounding import above, float_at_most, total
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
from privml.guarantee.promises import require_guarantee, require_one_relation
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
class Composition:
    """The guarantee of several releases together, and the theorem that gives it.

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
        return html_card(str(self.guarantee), note=str(self).partition("\n")[2])


class _Part(NamedTuple):
    """What is known of one kind of release, and how often it is made."""

    times: int
    relation: tuple[Adjacency, int]
    guarantee: Guarantee | None
    rho: float | None
    mu: float | None
    loss: NumericalLoss | None


def _worst_case_loss(step: Guarantee, k: int) -> NumericalLoss:
    """The worst losses that a guarantee allows: randomised response, and an accident with chance delta."""
    log_rest, log_delta = log1p(-step.delta), log(step.delta) if step.delta else -np.inf
    keep = -log1p(exp(-step.epsilon))
    p = np.array([log_delta, log_rest + keep, log_rest + keep - step.epsilon, -np.inf])
    return finite_loss(p, p[::-1], k, logs=True, adjacency=step.adjacency)


def _stated_with_guarantee(release: Any, attribute: str) -> Any:
    """What a class says beside its guarantee; None where a subclass has replaced the guarantee alone."""
    mro = type(release).__mro__
    home, guarantee_home = (
        next((i for i, k in enumerate(mro) if a in vars(k)), len(mro))
        for a in (attribute, "guarantee")
    )
    return getattr(release, attribute, None) if home <= guarantee_home else None


def _release_part(release: Any) -> _Part:
    """A release, or a pair of one and how often it is made, as what is known of it."""
    release, times = (
        release if isinstance(release, tuple) and len(release) == 2 else (release, 1)
    )
    check.positive_integer(count=times)
    check.at_most(LARGEST_STEPS, count=times)
    if isinstance(release, NumericalLoss):
        loss = replace(
            release, parts=tuple((step, k * times) for step, k in release.parts)
        )
        return _Part(
            sum(k for _, k in loss.parts),
            (release.adjacency, 1),
            None,
            None,
            None,
            loss,
        )
    if isinstance(release, ConcentratedGuarantee):
        return _Part(
            times,
            (release.adjacency, release.group_size),
            None,
            release.rho,
            None,
            None,
        )
    concentrated: Any = _stated_with_guarantee(release, "concentrated")
    if isinstance(release, BoundedRangeGuarantee):
        concentrated = release.concentrated()
        release = release.pure()
    elif (ranged := _stated_with_guarantee(release, "bounded_range")) is not None:
        concentrated = ranged.concentrated()
    expected = (
        "mechanisms, guarantees, fitted learners, losses, or pairs of one and a count"
    )
    advice = (
        "; hand a list over as compose(*releases, delta=delta)"
        if isinstance(release, list)
        else ""
    )
    advice = (
        "; its last step has one, or that of a private_pipeline"
        if hasattr(release, "steps")
        else advice
    )
    promise = require_guarantee("releases", release, expected, advice)
    if concentrated is None and promise.delta == 0 and promise.epsilon <= HUGE:
        concentrated = ConcentratedGuarantee.from_pure(promise)
    rho = concentrated.rho if isinstance(concentrated, ConcentratedGuarantee) else None
    mu = (
        release.mu if type(release) is GaussianMechanism else None
    )  # a subclass may promise something else
    relation = promise.adjacency, promise.group_size
    return _Part(times, relation, promise, rho, mu, _loss(release, promise, times))


def _loss(release: Any, promise: Guarantee, times: int) -> NumericalLoss | None:
    """The losses of a release, if they can be put on a lattice."""
    if type(release) is GaussianMechanism:
        return (
            gaussian_loss(release.mu, times, adjacency=release.adjacency)
            if release.mu <= LARGEST_MU
            else None
        )
    if type(release) is LaplaceMechanism and release.epsilon <= LARGEST_LOSS:
        return laplace_loss(
            release.sensitivity / release.scale, times, adjacency=release.adjacency
        )
    if (
        type(release) is PermuteAndFlip and release.epsilon <= LARGEST_LOSS
    ):  # proved in better selection
        return laplace_loss(release.epsilon, times, adjacency=release.adjacency)
    fits = promise.epsilon <= LARGEST_LOSS and promise.delta < 1
    return _worst_case_loss(promise, times) if fits else None


def _basic(parts: list[_Part], delta: float) -> float | None:
    guarantees = [
        (part.guarantee, part.times) for part in parts if part.guarantee is not None
    ]
    if len(guarantees) < len(parts) or total(
        (times, guarantee.delta) for guarantee, times in guarantees
    ) > delta * (1 + ROUNDED):
        return None
    return total((times, guarantee.epsilon) for guarantee, times in guarantees)


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
    if any(guarantee is None for guarantee, _ in others) or len(others) == len(parts):
        return None
    spent = sum(
        times * Fraction(guarantee.delta) for guarantee, times in others if guarantee
    )
    remaining_delta = float_at_most(Fraction(delta) - spent)
    rho = total((part.times, part.rho) for part in parts if part.rho is not None)
    if not remaining_delta > 0 or rho == inf:
        return None
    other_epsilon = total(
        (times, guarantee.epsilon) for guarantee, times in others if guarantee
    )
    found = ConcentratedGuarantee(rho).approximate(remaining_delta).epsilon
    return total([(1, found), (1, other_epsilon)])


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


_EPSILON_BY_THEOREM = dict(
    zip(THEOREMS, (_basic, _optimal, _concentrated, _gaussian, _numerical), strict=True)
)


def compose(*releases: Any, delta: float) -> Composition:
    """The least epsilon at a delta that the theorems of the package give for several releases together.

    **Returns.** Composition: the guarantee of all, and the name of the theorem that gives it.
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
    parts = [_release_part(release) for release in releases]
    adjacency, group_size = require_one_relation(
        "releases", {part.relation for part in parts}
    )
    held = [(part.times, part.guarantee.epsilon) for part in parts if part.guarantee]
    if sum(times * Fraction(epsilon) for times, epsilon in held) > LARGEST_FLOAT:
        raise ValueError(
            "releases must have epsilons that add up to a finite float. Their sum is "
            "larger than that, so leave out releases or give them smaller epsilons."
        )
    exact = all(part.mu is not None for part in parts)
    theorems = (
        ("basic",)
        if delta == 0
        else ("gaussian",)
        if exact
        else tuple(_EPSILON_BY_THEOREM)
    )
    results = {name: _EPSILON_BY_THEOREM[name](parts, delta) for name in theorems}
    epsilons = {
        name: epsilon for name, epsilon in results.items() if epsilon is not None
    }
    if not epsilons:
        own_delta = total((p.times, p.guarantee.delta) for p in parts if p.guarantee)
        reason = f"theirs add up to {own_delta!r}, without what a loss needs"
        raise ValueError(
            f"delta must be larger for these releases, got {delta!r}; {reason}"
        )
    best = min(epsilons, key=lambda name: epsilons[name])
    if (
        best == "basic"
    ):  # the sum of deltas, rounded up, where it is delta but for rounding
        deltas = total((p.times, p.guarantee.delta) for p in parts if p.guarantee)
        delta = max(delta, deltas)
    return Composition(
        Guarantee(epsilons[best], delta, adjacency, group_size),
        best,
        sum(p.times for p in parts),
    )


def _refuse_growth(
    excess_low: float, excess_high: float, low: float, high: float
) -> None:
    """Raise if a larger size costs more than a smaller one, by more than an account may be off."""
    if excess_high > excess_low + GROWTH:
        advice = (
            "hand over the size of the noise, of what takes epsilon as epsilon=1 / size"
        )
        expected = f"release must lose less at the size {high:g} than at {low:g}"
        raise ValueError(
            f"{expected}, got {exp(excess_high - excess_low):.3g} times as much; {advice}"
        )


def calibrate_noise_scale(
    release: Callable[[float], Any],
    epsilon: float,
    delta: float,
    *,
    tolerance: float = 1e-3,
) -> float:
    """Smallest noise scale at which all releases together are (epsilon, delta)-differentially private.

    **Privacy.** The promise has been evaluated at the very size that is returned.
    **Raises.** ValueError where no size up to 2^60 is enough.  Of sizes that are refused for being too small,
    the least that is not is taken.
    **Source.** Inverse of :func:`compose`; for LZCW21-lem-44.

    A thousand steps of gradient descent on a hundredth of the records each, for (1, 1e-5):

    >>> from privml.composition import gaussian_loss
    >>> step = lambda sigma: gaussian_loss(1 / sigma, 1000, sampling_rate=0.01)
    >>> round(calibrate_noise_scale(step, 1.0, 1e-5), 2)
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
        released = release(scale)
        total = compose(
            *released if isinstance(released, list) else [released], delta=delta
        ).guarantee.epsilon
        return log(max(total, 1e-300) / epsilon)

    low = high = 1.0
    excess_low = excess_high = excess(1.0)
    while excess_high > 0:
        low, excess_low, high = high, excess_high, 2 * high
        if high > 2.0**60:
            raise ValueError(
                f"epsilon must be reachable by a noise of at most 2^60, got {epsilon!r}"
            )
        excess_high = excess(high)
        _refuse_growth(excess_low, excess_high, low, high)
    refused = 0.0  # the largest size that has no answer, as one that is too small to be put on a lattice
    while excess_low <= 0:
        high, excess_high = low, excess_low
        smaller = sqrt(low * refused) if refused else low / 2
        if smaller < 2.0**-60 or low <= refused * (1 + tolerance):
            return high
        try:
            excess_low = excess(smaller)
        except ValueError:
            refused = smaller
            continue
        low = smaller
        _refuse_growth(excess_low, excess_high, low, high)
    while high > low * (1 + tolerance):
        fraction = min(max(excess_low / (excess_low - excess_high), 0.1), 0.9)
        middle = low * (high / low) ** fraction
        middle = min(
            max(middle * (1 + tolerance / 3), low * (1 + tolerance / 3)),
            high / (1 + tolerance / 3),
        )
        excess_middle = excess(middle)
        low, excess_low, high, excess_high = (
            (low, excess_low, middle, excess_middle)
            if excess_middle <= 0
            else (middle, excess_middle, high, excess_high)
        )
    return high


check.wrap_module(__name__)
