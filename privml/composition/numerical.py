"""Composition by convolving laws of the privacy loss, for what has no closed form.

The loss of independent steps is a sum, so its law is a convolution; the package dp_accounting computes it on
a grid by fast Fourier transforms.  Losses are moved to the grid so that the result is never too small (a
*pessimistic* estimate).  Any mix of steps will do: Gaussian noise, Laplace noise, Gaussian noise on Poisson
subsamples, and whatever has a finite pair of laws.  The steps may also be chosen adaptively, as long as each
is dominated by the pair that is given for it.

dp_accounting is not needed for anything else; without it these functions say how to get it.
"""

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


def _accounting() -> ModuleType:
    try:
        from dp_accounting.pld import privacy_loss_distribution
    except ImportError as error:
        advice = "install it with: pip install dp-accounting"
        raise ImportError(f"numerical composition needs the package dp-accounting; {advice}") from error
    return privacy_loss_distribution


def _repeated(loss: Any, k: int) -> Any:
    return loss if k == 1 else loss.self_compose(k)


def gaussian_loss(mu: float, k: int = 1, *, sampling_rate: float = 1.0, interval: float = INTERVAL) -> Any:
    """Privacy loss of k releases with Gaussian noise, each possibly on a Poisson subsample of its own.

    Parameters
    ----------
    mu : float
        Sensitivity over standard deviation, positive.
    k : int, default 1
        Number of releases.
    sampling_rate : float, default 1
        Chance in (0, 1] that a record is used in a release; below 1 the relation is ``ADD_OR_REMOVE_ONE``.
    interval : float
        Grid of the losses in nats.

    Returns
    -------
    dp_accounting.pld.privacy_loss_distribution.PrivacyLossDistribution

    Raises
    ------
    ValueError
        If a parameter is out of range.
    ImportError
        If dp_accounting is missing.

    Notes
    -----
    **Source.** Without subsampling :func:`privml.divergences.gaussian_epsilon` is exact; for LZCW21-lem-44.

    Examples
    --------
    >>> loss = gaussian_loss(1.0, 1000, sampling_rate=0.01)
    >>> round(numerical_composition(loss, delta=1e-5).epsilon, 3)
    1.828
    """
    check.positive(mu=mu, sampling_rate=sampling_rate, interval=interval)
    check.positive_integer(k=k)
    if sampling_rate > 1:
        raise ValueError(f"sampling_rate must be at most 1, got {sampling_rate!r}")
    loss = _accounting().from_gaussian_mechanism(
        1 / mu, sampling_prob=sampling_rate, value_discretization_interval=interval
    )
    return _repeated(loss, k)


def laplace_loss(epsilon: float, k: int = 1, *, interval: float = INTERVAL) -> Any:
    """Privacy loss of k releases with Laplace noise of scale sensitivity / epsilon.

    Parameters
    ----------
    epsilon : float
        Sensitivity over scale, positive.
    k : int, default 1
        Number of releases.
    interval : float
        Grid of the losses in nats.

    Returns
    -------
    dp_accounting.pld.privacy_loss_distribution.PrivacyLossDistribution

    Raises
    ------
    ValueError
        If a parameter is out of range.
    ImportError
        If dp_accounting is missing.

    Notes
    -----
    **Source.** For LZCW21-lem-42.

    Examples
    --------
    >>> round(numerical_composition(laplace_loss(0.05, 1000), delta=1e-5).epsilon, 3)
    7.421
    """
    check.positive(epsilon=epsilon, interval=interval)
    check.positive_integer(k=k)
    loss = _accounting().from_laplace_mechanism(1 / epsilon, value_discretization_interval=interval)
    return _repeated(loss, k)


def _on_grid(loss: NDArray, log_p: NDArray, interval: float) -> tuple[dict[int, float], float]:
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
    p: Categorical | ArrayLike, q: Categorical | ArrayLike, k: int = 1, *, interval: float = INTERVAL
) -> Any:
    """Privacy loss of k steps whose worst pair of laws is finite, in both directions.

    Parameters
    ----------
    p, q : Categorical or array_like of shape (n_outcomes,)
        Laws, or their log-probabilities.
    k : int, default 1
        Number of steps.
    interval : float
        Grid of the losses in nats.

    Returns
    -------
    dp_accounting.pld.privacy_loss_distribution.PrivacyLossDistribution

    Raises
    ------
    ValueError
        If the laws do not fit together or a parameter is out of range.
    ImportError
        If dp_accounting is missing.

    Notes
    -----
    **Source.** Doroshenko, Ghazi, Kamath, Kumar and Manurangsi (2022), for the grid; for WLF16-def-27.

    Examples
    --------
    Randomised response, a thousand times, without its binomial law:

    >>> honest = np.exp(0.05) / (1 + np.exp(0.05))
    >>> p, q = np.log([honest, 1 - honest]), np.log([1 - honest, honest])
    >>> round(numerical_composition(finite_loss(p, q, 1000), delta=1e-5).epsilon, 4)
    7.4928
    """
    check.positive(interval=interval)
    check.positive_integer(k=k)
    forth, forth_infinite = _on_grid(privacy_loss(p, q), log_probabilities(p), interval)
    back, back_infinite = _on_grid(privacy_loss(q, p), log_probabilities(q), interval)
    create = _accounting().PrivacyLossDistribution.create_from_rounded_probability
    loss = create(
        forth,
        forth_infinite,
        interval,
        symmetric=False,
        rounded_probability_mass_function_add=back,
        infinity_mass_add=back_infinite,
    )
    return _repeated(loss, k)


def numerical_composition(
    *losses: Any, delta: float, adjacency: Adjacency = Adjacency.REPLACE_ONE
) -> Guarantee:
    """Guarantee of releasing everything whose privacy losses are given, never too optimistic.

    Parameters
    ----------
    *losses : PrivacyLossDistribution
        From :func:`gaussian_loss`, :func:`laplace_loss`, :func:`finite_loss`, or dp_accounting itself.
    delta : float
        Total, in (0, 1).
    adjacency : Adjacency
        The relation under which all the losses were worked out.

    Returns
    -------
    Guarantee

    Raises
    ------
    ValueError
        If there is no loss, or delta is out of range or so small that the truncated tails exceed it.
    ImportError
        If dp_accounting is missing.

    Notes
    -----
    **Privacy.** An upper bound by construction; a finer `interval` of the losses makes it tighter and slower.
    **Source.** Koskela, Jalko and Honkela (2020); Meiser and Mohammadi (2018); for WLF16-def-27.

    Examples
    --------
    >>> print(numerical_composition(gaussian_loss(0.5), laplace_loss(0.5), delta=1e-5))
    (2.41519, 1e-05)-differential privacy (replace-one)
    """
    check.probability_open(delta=delta)
    check.instance(Adjacency, adjacency=adjacency)
    if not losses:
        raise ValueError("losses must be at least one, got none")
    total = losses[0]
    for loss in losses[1:]:
        total = total.compose(loss)
    epsilon = float(total.get_epsilon_for_delta(delta))
    if not np.isfinite(epsilon):
        raise ValueError(f"delta must exceed the mass of the truncated tails, got {delta!r}")
    return Guarantee(epsilon, delta, adjacency)
