"""Composition by convolving laws of the privacy loss, for what has no closed form.

The package dp_accounting does it on a grid, to which losses are moved so that the result is never too small.
"""

from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml.adjacency import Adjacency
from privml.distributions import Categorical
from privml.divergences import log_probabilities, privacy_loss
from privml.guarantee import Guarantee

INTERVAL = 1e-4
MOST_POINTS = 1e7
"""Most grid points that a law of the loss may need."""


@dataclass(frozen=True)
class NumericalLoss:
    """Law of a privacy loss on a grid, in both directions, with the neighbouring relation it is about.

    The law is a ``PrivacyLossDistribution`` of dp_accounting, pessimistic.
    """

    law: Any
    adjacency: Adjacency

    def __post_init__(self) -> None:
        check.instance(Adjacency, adjacency=self.adjacency)

    def delta(self, epsilon: float) -> float:
        """Delta at epsilon, never too small."""
        check.non_negative(epsilon=epsilon)
        return float(self.law.get_delta_for_epsilon(epsilon))


def _accounting() -> ModuleType:
    try:
        from dp_accounting.pld import privacy_loss_distribution
    except ImportError as error:
        advice = "install it with: pip install dp-accounting"
        raise ImportError(f"numerical composition needs the package dp-accounting; {advice}") from error
    return privacy_loss_distribution


def _checked_grid(interval: float, k: int, mean: float, deviation: float) -> None:
    """Raise unless k losses of that mean and deviation fit on the grid, with nine deviations either way."""
    check.positive(interval=interval)
    check.positive_integer(k=k)
    steps = float(min(k, 10**12))
    reach = (steps * mean + 9 * steps**0.5 * deviation) / interval
    if not (1e-9 <= interval <= 1 and k == steps and reach <= MOST_POINTS):
        rule = f"in [1e-09, 1] and leave at most {MOST_POINTS:g} points for these k losses"
        raise ValueError(f"interval must be {rule}, got {interval!r}")


def _on_a_grid(**named: float) -> None:
    """Raise unless the size of a loss can be put on a grid."""
    check.positive(**named)
    for name, value in named.items():
        if not 1e-6 <= value <= 1e3:
            raise ValueError(f"{name} must be in [1e-06, 1000] to be put on a grid, got {value!r}")


def _repeated(law: Any, k: int, adjacency: Adjacency) -> NumericalLoss:
    return NumericalLoss(law if k == 1 else law.self_compose(k), adjacency)


def gaussian_loss(
    mu: float,
    k: int = 1,
    *,
    sampling_rate: float = 1.0,
    interval: float = INTERVAL,
    adjacency: Adjacency | None = None,
) -> NumericalLoss:
    """Privacy loss of k releases with Gaussian noise, each possibly on a Poisson subsample of its own.

    Of the relation under which `mu` was computed, by default ``REPLACE_ONE``; on subsamples only
    ``ADD_OR_REMOVE_ONE``, since the pair of laws that is computed adds a record to the sample or not.
    **Source.** Without subsampling :func:`privml.divergences.gaussian_epsilon` is exact; for LZCW21-lem-44.

    >>> loss = gaussian_loss(1.0, 1000, sampling_rate=0.01)
    >>> print(numerical_composition(loss, delta=1e-5))
    (1.82825, 1e-05)-differential privacy (add-or-remove-one)
    """
    check.positive(sampling_rate=sampling_rate)
    check.at_most(1, sampling_rate=sampling_rate)
    if adjacency is None:
        adjacency = Adjacency.ADD_OR_REMOVE_ONE if sampling_rate < 1 else Adjacency.REPLACE_ONE
    check.instance(Adjacency, adjacency=adjacency)
    if sampling_rate < 1 and adjacency is Adjacency.REPLACE_ONE:
        raise ValueError(f"adjacency must be add-or-remove-one for Poisson subsamples, got {adjacency}")
    _on_a_grid(mu=mu)
    _checked_grid(interval, k, mu * mu / 2, mu)
    law = _accounting().from_gaussian_mechanism(
        1 / mu, sampling_prob=sampling_rate, value_discretization_interval=interval
    )
    return _repeated(law, k, adjacency)


def laplace_loss(
    epsilon: float,
    k: int = 1,
    *,
    interval: float = INTERVAL,
    adjacency: Adjacency = Adjacency.REPLACE_ONE,
) -> NumericalLoss:
    """Privacy loss of k releases with Laplace noise of scale sensitivity / epsilon.

    **Source.** For LZCW21-lem-42.

    >>> round(numerical_composition(laplace_loss(0.05, 1000), delta=1e-5).epsilon, 3)
    7.421
    """
    _on_a_grid(epsilon=epsilon)
    check.instance(Adjacency, adjacency=adjacency)
    _checked_grid(interval, k, min(epsilon, epsilon**2), epsilon)
    law = _accounting().from_laplace_mechanism(1 / epsilon, value_discretization_interval=interval)
    return _repeated(law, k, adjacency)


def _rounded(loss: NDArray, log_p: NDArray, interval: float) -> tuple[dict[int, float], float]:
    """Law of a loss moved to multiples of the interval, and the probability that it is infinite.

    An outcome between two multiples is split among them so that both its probabilities stay what they are:
    the pair of laws before is a post-processing of the pair after.
    """
    if loss.ndim != 1:
        raise ValueError(f"p and q must be laws of one outcome, got losses of shape {loss.shape}")
    finite, probability = np.isfinite(loss), np.exp(log_p)
    infinite = float(probability[loss == np.inf].sum())
    loss, probability = loss[finite], probability[finite]
    below = np.floor(loss / interval)
    share = np.clip(np.expm1(below * interval - loss) / np.expm1(-interval), 0.0, 1.0)
    places = np.concatenate([below, below + 1]).astype(int)
    weights = np.concatenate([probability * (1 - share), probability * share])
    first = places.min()
    totals = np.bincount(places - first, weights=weights)
    return {int(first + index): float(totals[index]) for index in np.flatnonzero(totals)}, infinite


def finite_loss(
    p: Categorical | ArrayLike,
    q: Categorical | ArrayLike,
    k: int = 1,
    *,
    interval: float = INTERVAL,
    adjacency: Adjacency = Adjacency.REPLACE_ONE,
) -> NumericalLoss:
    """Privacy loss of k steps whose worst pair of laws is finite, in both directions.

    **Source.** Doroshenko, Ghazi, Kamath, Kumar and Manurangsi (2022), for the grid; for WLF16-def-27.

    >>> p, q = np.log([0.5, 0.5]), np.log([0.48, 0.52])
    >>> round(numerical_composition(finite_loss(p, q, 1000), delta=1e-5).epsilon, 3)
    5.756
    """
    check.instance(Adjacency, adjacency=adjacency)
    losses = privacy_loss(p, q), privacy_loss(q, p)
    largest = max(float(abs(loss[np.isfinite(loss)]).max(initial=0.0)) for loss in losses)
    _checked_grid(interval, k, largest if k == 1 else min(largest, largest**2), largest)
    forth, forth_infinite = _rounded(losses[0], log_probabilities(p), interval)
    back, back_infinite = _rounded(losses[1], log_probabilities(q), interval)
    law = _accounting().PrivacyLossDistribution.create_from_rounded_probability(
        forth,
        forth_infinite,
        interval,
        symmetric=False,
        rounded_probability_mass_function_add=back,
        infinity_mass_add=back_infinite,
    )
    return _repeated(law, k, adjacency)


def numerical_composition(*losses: NumericalLoss, delta: float) -> Guarantee:
    """Guarantee of releasing everything whose privacy losses are given, never too optimistic.

    **Privacy.** Also for adaptive choices, each step being dominated by the pair of laws given for it.
    **Source.** Koskela, Jalko and Honkela (2020); Meiser and Mohammadi (2018); for WLF16-def-27.

    >>> print(numerical_composition(gaussian_loss(0.5), laplace_loss(0.5), delta=1e-5))
    (2.41519, 1e-05)-differential privacy (replace-one)
    """
    check.probability_open(delta=delta)
    if not losses:
        raise ValueError("losses must be at least one, got none")
    check.instance(NumericalLoss, **{f"losses[{i}]": loss for i, loss in enumerate(losses)})
    relations = sorted({str(loss.adjacency) for loss in losses})
    if len(relations) > 1:
        raise ValueError(f"losses must be about one relation, got {' and '.join(relations)}")
    total = losses[0].law
    for loss in losses[1:]:
        total = total.compose(loss.law)
    epsilon = float(total.get_epsilon_for_delta(delta))
    if not np.isfinite(epsilon):
        raise ValueError(f"delta must exceed the mass of the truncated tails, got {delta!r}")
    return Guarantee(epsilon, delta, losses[0].adjacency)


check.doors(__name__)
