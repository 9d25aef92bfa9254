"""Amplification by subsampling: a mechanism that sees a random part of the data is more private.

With gamma the chance that a record is used, ``epsilon' = ln(1 + gamma (e^epsilon - 1))`` and
``delta' = gamma delta``.  Without repeats the mechanism must not care for the order of the records, which
WLF16 leaves out; what it states is here too, to be compared.
"""

from fractions import Fraction
from math import exp, expm1, inf, log, log1p
from typing import NamedTuple

import numpy as np

from privml import _check as check
from privml._rounding import above, float_at_least, product
from privml.adjacency import Adjacency
from privml.composition.sums import _approximate
from privml.guarantee import Guarantee
from privml.guarantee.conversions import log_expm1


def _checked_share(n_samples: int, subsample_size: int) -> float:
    """The share of the records in a subsample without repeats, rounded up; raises unless it is in (0, 1]."""
    check.positive_integer(n_samples=n_samples, subsample_size=subsample_size)
    check.at_most(n_samples, subsample_size=subsample_size)
    return float_at_least(Fraction(subsample_size, n_samples))


def _log_of_mixture(exponent: float, rate: float) -> float:
    """ln(1 + rate (e^exponent - 1)), also where e^exponent overflows."""
    if exponent > 700:
        root = exp(exponent / 2) if exponent < 1400 else inf
        mixed = rate * root * root  # beside which 1 - rate is 1
        return log1p(mixed) if mixed < inf else exponent + log(rate)
    mixed = log1p(rate * expm1(exponent))
    return (
        max(mixed, 5e-324) if exponent > 0 else mixed
    )  # a positive promise does not underflow to none


def _amplified(epsilon: float, rate: float) -> float:
    """The same for a promise: rounded up, and never above the epsilon itself."""
    return min(above(_log_of_mixture(epsilon, rate), 8), epsilon)


def amplified_epsilon(epsilon: float, sampling_rate: float) -> float:
    """Epsilon after subsampling: ln(1 + sampling_rate (e^epsilon - 1)).

    Parameters
    ----------
    epsilon : float
        Privacy parameter in nats, non-negative.
    sampling_rate : float
        Chance that a record is used, in (0, 1].

    Notes
    -----
    *Privacy.* For samples without repeats the mechanism must be symmetric, or receive the records in random order.

    References
    ----------
    Balle, Barthe and Gaboardi (2018), Theorems 8 and 9; sharpens WLF16-lem-34, WLF16-lem-4 and the privacy
    claim of WLF16-lem-10 (the rate floor(sqrt(n)) / n).

    Examples
    --------
    >>> round(amplified_epsilon(1.0, 0.01), 6)
    0.017037
    """
    check.non_negative(epsilon=epsilon)
    check.share(sampling_rate=sampling_rate)
    return _amplified(epsilon, sampling_rate)


class Amplified(NamedTuple):
    """Privacy parameters after subsampling."""

    epsilon: float
    delta: float


def amplified_epsilon_wlf16(
    epsilon: float, sampling_rate: float, *, form: str = "source"
) -> float:
    """Epsilon after subsampling without repeats, as WLF16 states it: 2 gamma (e^epsilon - e^-epsilon).

    Never below :func:`amplified_epsilon`; may exceed epsilon itself.

    Parameters
    ----------
    epsilon : float
        Privacy parameter in nats, non-negative.
    sampling_rate : float
        Chance that a record is used, in (0, 1].
    form : str
        One of "source" and "ratio".

    Returns
    -------
    float
        The epsilon of the lemma ("source"), or that of the sharper step of the lemma's proof ("ratio"), ``ln(1 + gamma (e^epsilon - 1))
        - ln(1 + gamma (e^-epsilon - 1))``.

    Notes
    -----
    *Privacy.* The mechanism must be symmetric, or the records shuffled, which the lemma does not say.

    References
    ----------
    WLF16-lem-34, Lemma 34, whose factor 2 is not needed.

    Examples
    --------
    >>> [round(amplified_epsilon_wlf16(1.0, 0.01, form=form), 5) for form in ("source", "ratio")]
    [0.04701, 0.02338]
    """
    check.one_of(("source", "ratio"), form=form)
    amplified = amplified_epsilon(epsilon, sampling_rate)
    if form == "ratio":
        return amplified - _log_of_mixture(-epsilon, sampling_rate)
    return 2 * sampling_rate * (exp(epsilon) - exp(-epsilon)) if epsilon < 700 else inf


def root_subsample_epsilon_wlf16(epsilon: float, n_samples: int) -> float:
    """Epsilon on floor(sqrt(n)) of n records as WLF16 states it: (2 / sqrt(n)) (e^epsilon - e^-epsilon).

    Parameters
    ----------
    epsilon : float
        Privacy parameter in nats, non-negative.
    n_samples : int
        Number of records, a positive integer.

    References
    ----------
    WLF16-lem-4, Lemma 4, which omits that the mechanism must be symmetric or the order random.

    Examples
    --------
    >>> round(root_subsample_epsilon_wlf16(1.0, 10_000), 5)
    0.04701
    """
    check.positive_integer(n_samples=n_samples)
    return amplified_epsilon_wlf16(epsilon, n_samples**-0.5)


def amplified_wlf16(epsilon: float, delta: float, sampling_rate: float) -> Amplified:
    """Privacy parameters after subsampling without repeats, as WLF16 states them for positive delta.

    ``ln(1 + gamma e^epsilon (e^epsilon - 1))`` and ``gamma e^epsilon delta``, each up to e^epsilon times
    the tight values, and not capped.

    Parameters
    ----------
    epsilon : float
        Privacy parameter in nats, non-negative, up to 300.
    delta : float
        Additive slack, in [0, 1].
    sampling_rate : float
        Chance that a record is used, in (0, 1].

    Notes
    -----
    *Privacy.* The lemma needs a symmetric mechanism or shuffled records, which it does not say.

    References
    ----------
    WLF16-lem-31, Lemma 31.

    Examples
    --------
    >>> tuple(round(value, 8) for value in amplified_wlf16(1.0, 1e-6, 0.01))
    (0.04564976, 3e-08)
    """
    check.non_negative(epsilon=epsilon)
    check.unit_interval(delta=delta)
    check.share(sampling_rate=sampling_rate)
    check.at_most(300, epsilon=epsilon)
    growth = exp(epsilon)
    return Amplified(
        log1p(sampling_rate * growth * expm1(epsilon)), sampling_rate * growth * delta
    )


def subsampling_alone(n_samples: int, subsample_size: int) -> Guarantee:
    """Guarantee of running any mechanism at all on a random subsample without repeats: (0, gamma).

    Parameters
    ----------
    n_samples : int
        Number of records, a positive integer.
    subsample_size : int
        Number of records drawn, a positive integer up to n_samples.

    Notes
    -----
    *Privacy.* Publishing the subsample attains the bound, so a delta of this size protects nobody.

    References
    ----------
    WLF16-lem-29, Lemma 29 (there with floor(sqrt(n)) of n records).

    Examples
    --------
    >>> print(subsampling_alone(10_000, 100))
    (0, 0.01)-differential privacy (replace-one)
    """
    return Guarantee(0.0, _checked_share(n_samples, subsample_size))


def no_repeat_probability(n_samples: int, subsample_size: int) -> float:
    """Probability that independent uniform draws of records are all different.

    Parameters
    ----------
    n_samples : int
        Number of records, a positive integer.
    subsample_size : int
        Number of records drawn, a positive integer.

    Returns
    -------
    float
        Above e^(-1/2) for floor(sqrt(n)) draws.

    References
    ----------
    Used in the proof of WLF16-lem-10, which bounds it by 1 / 2.

    Examples
    --------
    >>> [round(no_repeat_probability(n, m), 3) for n, m in ((4, 2), (16, 4), (100, 10), (10_000, 100))]
    [0.75, 0.667, 0.628, 0.609]
    """
    check.positive_integer(n_samples=n_samples, subsample_size=subsample_size)
    if (
        subsample_size > n_samples
        or subsample_size * (subsample_size - 1) > 1600 * n_samples
    ):
        return 0.0  # or below e^-800, since 1 - x <= e^-x
    check.at_most(10**7, subsample_size=subsample_size)
    return exp(np.log1p(-np.arange(subsample_size) / n_samples).sum())


def _single(guarantee: Guarantee, adjacency: Adjacency) -> None:
    """Raise unless a guarantee is about single steps of a relation."""
    check.instance(Guarantee, guarantee=guarantee)
    if guarantee.adjacency is not adjacency or guarantee.group_size > 1:
        raise ValueError(
            f"guarantee must be about single steps of {adjacency}, but got {guarantee}."
        )


def subsampled_without_replacement(
    guarantee: Guarantee, n_samples: int, subsample_size: int, *, symmetric: bool
) -> Guarantee:
    """Guarantee of a mechanism that runs on a uniformly random subset of given size.

    Amplified if symmetric.  Otherwise epsilon as it was (no amplification is true in general), and delta
    times the sampling rate.

    Parameters
    ----------
    guarantee : Guarantee
        Promise of the mechanism on a subsample, under replace-one.
    n_samples : int
        Number of records, a positive integer.
    subsample_size : int
        Number of records drawn, a positive integer up to n_samples.
    symmetric : bool
        Whether the order of the records does not matter to the mechanism, or is uniformly random.

    Raises
    ------
    ValueError
        If the guarantee is about another relation or about groups.

    Notes
    -----
    *Privacy.* The mechanism must be symmetric, which is not checked.

    References
    ----------
    Balle, Barthe and Gaboardi (2018), Theorem 9; sharpens WLF16-lem-31 and WLF16-lem-34.

    Examples
    --------
    >>> print(subsampled_without_replacement(Guarantee(1.0, 1e-6), 10_000, 100, symmetric=True))
    (0.0170369, 1e-08)-differential privacy (replace-one)
    """
    check.flag(symmetric=symmetric)
    _single(guarantee, Adjacency.REPLACE_ONE)
    rate = _checked_share(n_samples, subsample_size)
    epsilon = _amplified(guarantee.epsilon, rate) if symmetric else guarantee.epsilon
    return _approximate(guarantee, epsilon, product(rate, guarantee.delta))


def subsampled_with_replacement(
    guarantee: Guarantee, n_samples: int, subsample_size: int
) -> Guarantee:
    """Guarantee of a mechanism that runs on independent uniform draws of records, repeats allowed.

    Epsilon ``m ln(1 + (e^epsilon - 1) / n)``, delta times ``(e^epsilon' - 1) / (e^epsilon - 1)``.

    Parameters
    ----------
    guarantee : Guarantee
        Promise of the mechanism on a subsample, under replace-one.
    n_samples : int
        Number of records, a positive integer.
    subsample_size : int
        Number of records drawn, a positive integer.

    Raises
    ------
    ValueError
        If the guarantee is about another relation or about groups.

    Notes
    -----
    *Privacy.* The mechanism must receive the records in the order in which they were drawn, not sorted. Epsilon exceeds that of a
    subset of the same size, and may exceed `guarantee.epsilon`.

    References
    ----------
    Balle, Barthe and Gaboardi (2018), Theorem 10.

    Examples
    --------
    >>> print(subsampled_with_replacement(Guarantee(1.0, 1e-6), 10_000, 100))
    (0.0171814, 1.00856e-08)-differential privacy (replace-one)
    """
    _single(guarantee, Adjacency.REPLACE_ONE)
    check.positive_integer(n_samples=n_samples, subsample_size=subsample_size)
    step = above(_log_of_mixture(guarantee.epsilon, 1 / n_samples), 8)
    epsilon = product(subsample_size, step)
    if guarantee.delta == 0 or guarantee.epsilon == 0:
        share = Fraction(subsample_size, n_samples) * Fraction(guarantee.delta)
        return _approximate(guarantee, epsilon, float_at_least(share))
    terms = log(guarantee.delta), log_expm1(epsilon), -log_expm1(guarantee.epsilon)
    slack = 2.0**-50 * (4 + epsilon + sum(map(abs, terms)))  # bounds the rounding
    return _approximate(guarantee, epsilon, exp(min(0.0, sum(terms) + slack)))


def subsampled_poisson(guarantee: Guarantee, sampling_rate: float) -> Guarantee:
    """Guarantee of a mechanism, private on every number of records, that runs on those whose coin is heads.

    Parameters
    ----------
    guarantee : Guarantee
        Promise of the mechanism on a subsample, under add-or-remove-one.
    sampling_rate : float
        Chance that a record is used, in (0, 1].

    Raises
    ------
    ValueError
        If the guarantee is about another relation or about groups.

    Notes
    -----
    *Privacy.* The mechanism need not be symmetric, since the distribution with the record is a mixture of the one without
    it and another.

    References
    ----------
    Balle, Barthe and Gaboardi (2018), Theorem 8; for LZCW21-def-1.

    Examples
    --------
    >>> added = Guarantee(1.0, 1e-6, Adjacency.ADD_OR_REMOVE_ONE)
    >>> print(subsampled_poisson(added, 0.01))
    (0.0170369, 1e-08)-differential privacy (add-or-remove-one)
    """
    _single(guarantee, Adjacency.ADD_OR_REMOVE_ONE)
    epsilon = amplified_epsilon(guarantee.epsilon, sampling_rate)
    return _approximate(guarantee, epsilon, product(sampling_rate, guarantee.delta))


check.wrap_module(__name__)
