"""What several releases promise together, by whichever theorem of the package promises most.

:func:`compose` is a function of what it is given: nothing is counted elsewhere.  :func:`calibrate_noise_scale`
inverts it in the scale of the noise.
"""

import sys
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from json import dumps, loads
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
from privml.composition.steps import (
    SAMPLING_SCHEMES,
    FiniteStep,
    GaussianStep,
    LaplaceStep,
)
from privml.composition.sums import LARGEST_STEPS
from privml.divergences import gaussian_epsilon
from privml.guarantee import (
    BoundedRangeGuarantee,
    ConcentratedGuarantee,
    GaussianGuarantee,
    Guarantee,
)
from privml.guarantee.promises import require_guarantee, require_one_relation
from privml.mechanisms import GaussianMechanism, LaplaceMechanism, PermuteAndFlip

THEOREMS = {  # what may be used, with its source
    "basic": "basic composition (Dwork and Roth 2014, Theorem 3.16)",
    "optimal": "optimal composition of equal steps (Kairouz, Oh and Viswanath 2015, Theorem 3.3)",
    "concentrated": "concentrated composition (Bun and Steinke 2016, Lemma 2.3)",
    "gaussian": "composition of Gaussian noise (Balle and Wang 2018, Theorem 8)",
    "numerical": "convolution of privacy losses (Koskela, Jalko and Honkela 2020)",
}
FORMAT = "privml composition 1"  # of the text that holds a composition
NOISE_STEPS: dict[str, Any] = {"gaussian": GaussianStep, "laplace": LaplaceStep}
ROUNDED = (
    2.0**-50
)  # share by which deltas that add up to the one asked for may exceed it
LARGEST_FLOAT = sys.float_info.max
HUGE = 1e15  # epsilon of which no theorem saves more than rounding
GROWTH = 0.01  # of the logarithm of an epsilon: ten times what an account may be off


class _Part(NamedTuple):
    """What is known of one kind of release, and how often it is made."""

    times: int
    relation: tuple[Adjacency, int]
    guarantee: Guarantee | None
    rho: float | None
    mu: float | None
    loss: NumericalLoss | None


@dataclass(frozen=True)
class Composition:
    """The guarantee of several releases together, and the theorem that gives it.

    It is a release for :func:`compose` like any other, and nothing is lost: what it was made of is composed
    anew.  :meth:`to_json` and :meth:`from_json` keep it in a file.

    Parameters
    ----------
    guarantee : Guarantee
        What all releases promise together.
    theorem : str
        A key of ``THEOREMS``.
    n_releases : int
        Number of releases, a positive integer; a loss of k steps counts as k.

    Examples
    --------
    >>> spent = compose((Guarantee(0.05), 1000), delta=1e-5)
    >>> print(spent)
    (7.49285, 1e-05)-differential privacy (replace-one)
    of 1000 releases about the same records, by optimal composition of equal steps (Kairouz, Oh and Viswanath 2015, Theorem 3.3)
    >>> later = Composition.from_json(spent.to_json())
    >>> print(compose(later, Guarantee(0.5), delta=1e-5).guarantee)
    (7.83416, 1e-05)-differential privacy (replace-one)
    """

    guarantee: Guarantee
    theorem: str
    n_releases: int
    _parts: tuple[_Part, ...] = field(default=(), repr=False, compare=False)

    def __str__(self) -> str:
        many = "s about the same records" * (self.n_releases > 1)
        return f"{self.guarantee}\nof {self.n_releases} release{many}, by {THEOREMS[self.theorem]}"

    def _repr_html_(self) -> str:
        return html_card(str(self.guarantee), note=str(self).partition("\n")[2])

    def to_json(self) -> str:
        """What has been released so far, as a text in JSON: numbers about mechanisms, and none of records."""
        parts = [_written(part) for part in self._parts]
        return dumps(
            {"format": FORMAT, "delta": self.guarantee.delta, "parts": parts},
            allow_nan=False,
        )

    @classmethod
    def from_json(cls, text: str) -> "Composition":
        """The composition that :meth:`to_json` has written, its guarantee computed again from the parts.

        Parameters
        ----------
        text : str
            What :meth:`to_json` returned.

        Raises
        ------
        ValueError
            For a text that it has not written, or that another version has.
        """
        try:
            held = loads(text)
            if held["format"] != FORMAT:
                raise ValueError
            parts = [_read(part) for part in held["parts"]]
            delta = held["delta"]
        except (ValueError, KeyError, TypeError, AttributeError, IndexError):
            raise ValueError(
                f"text must be the output of Composition.to_json in format {FORMAT!r}, but got another text. If "
                "another version of privml wrote it, compose the releases again."
            ) from None
        return _composed(parts, delta)


def _written(part: _Part) -> dict[str, Any]:
    """A part as what JSON can hold; each float is written so that it is read as the same float."""
    found: dict[str, Any] = {
        "times": part.times,
        "relation": [part.relation[0].value, part.relation[1]],
        "guarantee": part.guarantee and [part.guarantee.epsilon, part.guarantee.delta],
        "rho": part.rho,
        "mu": part.mu,
        "loss": None,
    }
    if part.loss is not None:
        steps = [[*_written_step(step), times] for step, times in part.loss.parts]
        found["loss"] = {
            "steps": steps,
            "adjacency": part.loss.adjacency.value,
            "interval": part.loss.interval,
        }
    return found


def _written_step(step: Any) -> tuple[str, list]:
    if isinstance(step, FiniteStep):
        return "finite", [step.losses.tolist(), step.atoms.tolist(), [*step.infinite]]
    name = next(name for name, kind in NOISE_STEPS.items() if type(step) is kind)
    return name, [step.size, step.rate, step.scheme, step.swapped]


def _read(held: dict[str, Any]) -> _Part:
    """The part that was written; every number is checked as if a user had given it."""
    adjacency, group_size = Adjacency(held["relation"][0]), held["relation"][1]
    check.positive_integer(times=held["times"], group_size=group_size)
    for name in ("rho", "mu"):
        if held[name] is not None:
            check.non_negative(**{name: held[name]})
    guarantee, loss = held["guarantee"], held["loss"]
    if guarantee is not None:
        epsilon, delta = guarantee
        guarantee = Guarantee(epsilon, delta, adjacency, group_size)
    if loss is not None:
        steps = tuple((_read_step(*step[:2]), step[2]) for step in loss["steps"])
        check.positive_integer(**{f"times[{i}]": k for i, (_, k) in enumerate(steps)})
        loss = NumericalLoss(steps, Adjacency(loss["adjacency"]), loss["interval"])
    return _Part(
        held["times"],
        (adjacency, group_size),
        guarantee,
        held["rho"],
        held["mu"],
        loss,
    )


def _read_step(name: str, held: list) -> Any:
    if name == "finite":
        losses, atoms, infinite = (check.numbers(step=values) for values in held)
        masses = np.append(atoms, infinite[0])
        finite = np.isfinite(losses).all() and losses.shape == atoms.shape
        if not (finite and infinite.shape == (2,) and (masses >= 0).all()):
            raise ValueError
        return FiniteStep(losses, atoms, (float(infinite[0]), float(infinite[1])))
    size, rate, scheme, swapped = held
    check.positive(size=size)
    check.share(rate=rate)
    check.one_of(SAMPLING_SCHEMES, scheme=scheme)
    check.flag(swapped=swapped)
    return NOISE_STEPS[name](size, rate, scheme, swapped)


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


def _release_parts(release: Any) -> list[_Part]:
    """A release, or a pair of one and how often it is made, as what is known of it."""
    release, times = (
        release if isinstance(release, tuple) and len(release) == 2 else (release, 1)
    )
    check.positive_integer(count=times)
    check.at_most(LARGEST_STEPS, count=times)
    if isinstance(release, Composition) and release._parts:
        return [_repeated(part, times) for part in release._parts]
    return [_release_part(release, times)]


def _repeated(part: _Part, times: int) -> _Part:
    """A part that is made some times as often."""
    check.at_most(LARGEST_STEPS, count=part.times * times)
    loss = part.loss
    if loss is not None:
        loss = replace(loss, parts=tuple((step, k * times) for step, k in loss.parts))
    return part._replace(times=part.times * times, loss=loss)


def _release_part(release: Any, times: int) -> _Part:
    """What is known of one release that is made some times."""
    if isinstance(release, NumericalLoss):
        count = sum(k for _, k in release.parts)
        relation = release.adjacency, 1
        return _repeated(_Part(count, relation, None, None, None, release), times)
    if isinstance(release, ConcentratedGuarantee | GaussianGuarantee):
        relation = release.adjacency, release.group_size
        rho, mu = release.as_concentrated().rho, getattr(release, "mu", None)
        if 0 in release._numbers().values():  # the answer does not depend on the data
            return _release_part(Guarantee(0.0, 0.0, *relation), times)
        loss = None
        if mu is not None and 0 < mu <= LARGEST_MU:
            loss = gaussian_loss(mu, times, adjacency=release.adjacency)
        return _Part(times, relation, None, rho, mu, loss)
    concentrated: Any = _stated_with_guarantee(release, "concentrated")
    if isinstance(release, BoundedRangeGuarantee):
        concentrated = release.as_concentrated()
        release = release.as_pure()
    elif (ranged := _stated_with_guarantee(release, "bounded_range")) is not None:
        concentrated = ranged.as_concentrated()
    expected = (
        "mechanisms, guarantees, fitted learners, losses, or pairs of one and a count"
    )
    advice = (
        " Unpack a list with compose(*releases, delta=delta)."
        if isinstance(release, list)
        else ""
    )
    advice = (
        " Pass its last step, if that is private, or use a private_pipeline."
        if hasattr(release, "steps")
        else advice
    )
    promise = require_guarantee("releases", release, expected, advice)
    if concentrated is None and promise.delta == 0 and promise.epsilon <= HUGE:
        concentrated = promise.as_concentrated()
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
    found = ConcentratedGuarantee(rho).as_approximate(remaining_delta).epsilon
    return total([(1, found), (1, other_epsilon)])


def _gaussian(parts: list[_Part], delta: float) -> float | None:
    if any(part.mu is None for part in parts):
        return None
    mu = above(sqrt(fsum(part.times * part.mu**2 for part in parts if part.mu)))
    return gaussian_epsilon(delta=delta, mu=mu) if mu else 0.0


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


def compose(*releases: Any, delta: float | None = None) -> Composition:
    """The least epsilon at a delta that the theorems of the package give for several releases together.

    Parameters
    ----------
    *releases : mechanism, guarantee, fitted learner, NumericalLoss or Composition, or a pair (one of these, count)
        What is released, all about one relation.
    delta : float, optional
        Additive slack of privacy, in [0, 1); at 0 epsilons are added.  None is 0, for pure releases only.

    Returns
    -------
    Composition
        The guarantee of all, and the name of the theorem that gives it.

    Raises
    ------
    ValueError
        For mixed relations, and where no theorem reaches delta. Groups of unequal sizes, as a person with 3
        rows here and 1 there, are made equal by ``guarantee.for_group(3)`` of the smaller one.

    Notes
    -----
    *Privacy.* The guarantee also holds if answers decide what is released next; each has coins of its own: no seed twice. Every
    release must be about all the same records: of parts that depend on the records, such as the groups of a
    table, a replaced record changes two, and their sizes; see ``parallel_composition``.

    References
    ----------
    ``THEOREMS``; the other side of DR11-thm-3.20.

    Examples
    --------
    >>> count = LaplaceMechanism(epsilon=0.2, sensitivity=1.0)
    >>> mean = GaussianMechanism(epsilon=0.3, delta=1e-6, sensitivity=1.0)
    >>> print(compose(count, (mean, 10), delta=1e-5))
    (1.05872, 1e-05)-differential privacy (replace-one)
    of 11 releases about the same records, by convolution of privacy losses (Koskela, Jalko and Honkela 2020)

    What is pure needs no delta:

    >>> print(compose(Guarantee(0.25), (Guarantee(0.5), 2)).guarantee)
    1.25-differential privacy (replace-one)
    """
    if delta is not None:
        check.probability_half_open(delta=delta)
    if not releases:
        raise ValueError("releases must contain at least one release, but got none.")
    parts = [part for release in releases for part in _release_parts(release)]
    if delta is None:
        impure = [p for p in parts if p.guarantee is None or p.guarantee.delta > 0]
        if impure:
            raise ValueError(
                f"delta must be given unless all releases are pure, but got None, and {len(impure)} of the "
                f"{len(parts)} parts are not pure."
            )
        delta = 0.0
    return _composed(parts, delta)


def _composed(parts: list[_Part], delta: float) -> Composition:
    """All parts together, by the best theorem."""
    check.probability_half_open(delta=delta)
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
        reason = f"Their own values of delta add up to {own_delta!r}, not counting what a loss needs."
        raise ValueError(
            f"delta must be larger for these releases, but got {delta!r}. {reason}"
        )
    best = min(epsilons, key=lambda name: epsilons[name])
    stated = delta
    if (
        best == "basic"
    ):  # the sum of deltas, rounded up, where it is delta but for rounding
        deltas = total((p.times, p.guarantee.delta) for p in parts if p.guarantee)
        stated = max(delta, deltas)
    return Composition(
        Guarantee(epsilons[best], stated, adjacency, group_size),
        best,
        sum(p.times for p in parts),
        tuple(parts),
    )


def _refuse_growth(
    excess_low: float, excess_high: float, low: float, high: float
) -> None:
    """Raise if a larger size costs more than a smaller one, by more than an account may be off."""
    if excess_high > excess_low + GROWTH:
        factor = exp(excess_high - excess_low)
        raise ValueError(
            f"release must lose less privacy at size {high:g} than at size {low:g}, but it loses {factor:.3g} times "
            "as much. Its argument is the size of the noise, so a mechanism that takes epsilon needs "
            "epsilon=1 / size."
        )


def calibrate_noise_scale(
    release: Callable[[float], Any],
    epsilon: float,
    delta: float,
    *,
    tolerance: float = 1e-3,
) -> float:
    """Smallest noise scale at which all releases together are (epsilon, delta)-differentially private.

    Parameters
    ----------
    release : callable
        From a positive size of noise to what :func:`compose` takes, or a list; more noise is more private.
    epsilon : float
        Privacy parameter in nats to reach, positive.
    delta : float
        Additive slack of privacy, in [0, 1).
    tolerance : float
        Tolerance, in (0, 1): how far above the least the size may be, as a share of it.

    Raises
    ------
    ValueError
        Where no size up to 2^60 is enough. Of sizes that are refused for being too small, the least that is
        not is taken.

    Notes
    -----
    *Privacy.* The promise has been evaluated at the very size that is returned.

    References
    ----------
    Inverse of :func:`compose`; for LZCW21-lem-44.

    Examples
    --------
    A thousand steps of gradient descent on a hundredth of the records each, for (1, 1e-5):

    >>> from privml.composition import gaussian_loss
    >>> step = lambda sigma: gaussian_loss(1 / sigma, 1000, sampling_rate=0.01)
    >>> round(calibrate_noise_scale(step, 1.0, 1e-5), 2)
    1.42
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
                f"epsilon must be reachable by a noise of at most 2^60, but got {epsilon!r}."
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
