r"""Guarantees of mechanisms that run on a random subsample, by how it is drawn.

The schemes, and what each needs, are compared in :mod:`~privml.composition.subsampling`.

**With repeats.**  Let P_k and P'_k be the output laws when the record occurs k times in the subsample of z
and of its neighbour, so P_0 = P'_0.  Replacing occurrences one at a time, by other records or by the
neighbour's, gives ``P_k <= e^(k epsilon) P'_j + delta_k`` for every j <= k, with
``delta_k = delta (e^(k epsilon) - 1) / (e^epsilon - 1)``.  The least of these P'_j falls with k, while
e^(k epsilon) rises; so by Chebyshev's sum inequality the mean of P_k over k is at most ``E e^(k epsilon)``
times the mean of P'_k, plus ``E delta_k``.  And k is binomial (m, 1 / n).
"""

from math import exp, log

from privml import _check as check
from privml.adjacency import Adjacency
from privml.composition.base import approximate, checked_rate, checked_share, log_of_mixture
from privml.guarantee import Guarantee, log_expm1


def _single(guarantee: Guarantee, adjacency: Adjacency) -> None:
    """Raise unless a guarantee is about single steps of a relation."""
    check.instance(Guarantee, guarantee=guarantee)
    if guarantee.adjacency is not adjacency or guarantee.group_size > 1:
        raise ValueError(f"guarantee must be about single steps of {adjacency}, got {guarantee}")


def subsampled_without_replacement(
    guarantee: Guarantee, n_samples: int, subsample_size: int, *, symmetric: bool
) -> Guarantee:
    """Guarantee of a mechanism that runs on a uniformly random subset of given size.

    Amplified if symmetric.  Otherwise epsilon as it was (no amplification is true in general), and delta
    times the sampling rate.

    **Privacy.** Proof for a symmetric mechanism: let P_1, P_0 be the output laws given that record i is, or
    is not, in the subset, and P'_1 that of the neighbour.  Then P_1 is (epsilon, delta)-close to P'_1, and to
    P_0 by giving the place of i to another record.  So ``P_1 <= e^epsilon min(P'_1, P_0) + delta`` and
    ``gamma P_1 + (1 - gamma) P_0 <= (1 + gamma (e^epsilon - 1)) (gamma P'_1 + (1 - gamma) P_0) + gamma
    delta``.
    **Source.** Balle, Barthe and Gaboardi (2018), Theorem 9; sharpens WLF16-lem-31 and WLF16-lem-34.

    Parameters
    ----------
    guarantee : Guarantee
        Of the mechanism on `subsample_size` records, under ``REPLACE_ONE``.
    symmetric : bool
        Promise that the order of the records does not matter to the mechanism, or that they are handed over
        in uniformly random order.

    Examples
    --------
    >>> print(subsampled_without_replacement(Guarantee(1.0, 1e-6), 10_000, 100, symmetric=True))
    (0.0170369, 1e-08)-differential privacy (replace-one)
    >>> print(subsampled_without_replacement(Guarantee(1.0, 1e-6), 10_000, 100, symmetric=False))
    (1, 1e-08)-differential privacy (replace-one)
    """
    check.flag(symmetric=symmetric)
    _single(guarantee, Adjacency.REPLACE_ONE)
    rate = checked_share(n_samples, subsample_size)
    epsilon = log_of_mixture(guarantee.epsilon, rate) if symmetric else guarantee.epsilon
    return approximate(guarantee, epsilon, rate * guarantee.delta)


def subsampled_with_replacement(guarantee: Guarantee, n_samples: int, subsample_size: int) -> Guarantee:
    """Guarantee of a mechanism that runs on independent uniform draws of records, repeats allowed.

    Epsilon ``m ln(1 + (e^epsilon - 1) / n)``, and delta ``(e^epsilon' - 1) / (e^epsilon - 1)`` times its
    own.

    **Privacy.** The records must be handed over in the order drawn, not sorted.  A record that is drawn often
    weighs more: epsilon exceeds that of a subset of the same size, and may exceed `guarantee.epsilon`.
    **Source.** Derived in the module's docstring; Balle, Barthe and Gaboardi (2018), Theorem 10.

    Parameters
    ----------
    guarantee : Guarantee
        Of the mechanism on `subsample_size` records, under ``REPLACE_ONE``.

    Examples
    --------
    >>> print(subsampled_with_replacement(Guarantee(1.0, 1e-6), 10_000, 100))
    (0.0171814, 1.00856e-08)-differential privacy (replace-one)
    """
    _single(guarantee, Adjacency.REPLACE_ONE)
    check.positive_integer(n_samples=n_samples, subsample_size=subsample_size)
    epsilon = subsample_size * log_of_mixture(guarantee.epsilon, 1 / n_samples)
    if guarantee.delta == 0:
        return approximate(guarantee, epsilon, 0.0)
    if guarantee.epsilon == 0:
        return approximate(guarantee, 0.0, guarantee.delta * subsample_size / n_samples)
    log_delta = log(guarantee.delta) + log_expm1(epsilon) - log_expm1(guarantee.epsilon)
    return approximate(guarantee, epsilon, exp(min(0.0, log_delta)))


def subsampled_poisson(guarantee: Guarantee, sampling_rate: float) -> Guarantee:
    """Guarantee of a mechanism that runs on the records whose own coin came up heads.

    **Privacy.** With the record, the law is a mixture of P_1 (it is used) and P_0; without it, it is P_0.  So
    no symmetry is needed.
    **Source.** Balle, Barthe and Gaboardi (2018), Theorem 8; for LZCW21-def-1.

    Parameters
    ----------
    guarantee : Guarantee
        Of the mechanism on data sets of every size, under ``ADD_OR_REMOVE_ONE``.

    Examples
    --------
    >>> added = Guarantee(1.0, 1e-6, Adjacency.ADD_OR_REMOVE_ONE)
    >>> print(subsampled_poisson(added, 0.01))
    (0.0170369, 1e-08)-differential privacy (add-or-remove-one)
    """
    _single(guarantee, Adjacency.ADD_OR_REMOVE_ONE)
    checked_rate(sampling_rate)
    epsilon = log_of_mixture(guarantee.epsilon, sampling_rate)
    return approximate(guarantee, epsilon, sampling_rate * guarantee.delta)
