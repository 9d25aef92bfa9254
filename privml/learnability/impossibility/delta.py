"""How small delta must be: sequences delta(n) with which everything, or not even thresholds, can be learned.

Above 1/n nothing is hard: a random share delta of the records may be published.  From e^(-c n) on, for any c,
thresholds on [0, 1] cannot be learned, as for delta = 0.  The source proves the latter for sequences below
``0.4 e^(-epsilon) e^(-epsilon(n^2) n^2) / n`` for every epsilon.
"""

from collections.abc import Callable
from math import exp, expm1, floor, isqrt, log, log1p

from privml import _check as check
from privml.composition.subsampling import amplified_epsilon
from privml.composition.subsampling_wlf16 import Amplified, amplified_wlf16


def approx_aerm_privacy(
    epsilon: float, delta: Callable[[int], float], n_samples: int, *, form: str = "tight"
) -> Amplified:
    """Privacy of an approximately private learner on floor(sqrt(n)) of n records.

    Parameters
    ----------
    epsilon : float
        Of the learner for every number of records, non-negative, at most 300.
    delta : callable
        From a number k of records to the learner's delta for samples of that size, in [0, 1].
    n_samples : int
        Number n of records, at least 1.
    form : {"tight", "printed"}
        ``(ln(1 + gamma (e^epsilon - 1)), gamma delta(k))`` with k = floor(sqrt(n)) and gamma = k / n, or the
        source's ``(ln(1 + gamma e^epsilon (e^epsilon - 1)), gamma e^epsilon delta(k))``.

    Returns
    -------
    Amplified
        Epsilon, which vanishes as n grows, and delta.

    Raises
    ------
    ValueError
        If a parameter is out of range.

    Notes
    -----
    **Privacy.** Under ``REPLACE_ONE``, for a symmetric learner or with the subsample shuffled.
    **Source.** WLF16-thm-32, Theorem 32, with the rate k / n in place of n^(-1/2).

    Examples
    --------
    >>> privacy = approx_aerm_privacy(1.0, lambda k: k**-2.0, 10_000)
    >>> round(privacy.epsilon, 6), round(privacy.delta, 9)
    (0.017037, 1e-06)
    """
    check.positive_integer(n_samples=n_samples)
    check.one_of(("tight", "printed"), form=form)
    check.function(delta=delta)
    size = isqrt(n_samples)
    rate, own = size / n_samples, delta(size)
    printed = amplified_wlf16(epsilon, own, rate)
    return printed if form == "printed" else Amplified(amplified_epsilon(epsilon, rate), rate * own)


def delta_subsample_size(n_samples: int, delta: float) -> int:
    """How many of n records a (0, delta)-DP learner may use as it likes.

    Parameters
    ----------
    n_samples : int
        Number n of records, at least 1.
    delta : float
        Privacy parameter in [0, 1].

    Returns
    -------
    int
        ``floor(delta n)``; 0 says that not even one record may be published.

    Raises
    ------
    ValueError
        If a parameter is out of range.

    Notes
    -----
    **Privacy.** Any learner on a random subset of that size is (0, delta)-DP under ``REPLACE_ONE``; see
    :func:`privml.composition.subsampling.subsampling_alone`.
    **Source.** WLF16-prop-33, first part.

    Examples
    --------
    >>> delta_subsample_size(10_000, 0.01), delta_subsample_size(99, 0.01)
    (100, 0)
    """
    check.positive_integer(n_samples=n_samples)
    check.non_negative(delta=delta)
    if delta > 1:
        raise ValueError(f"delta must be in the closed interval [0, 1], got {delta!r}")
    size = floor(delta * n_samples)
    return size + 1 if size < n_samples and (size + 1) / n_samples <= delta else size


def log_delta_limit(distance: int, epsilon: float) -> float:
    """Natural logarithm of the delta at which group privacy over a distance, and any packing, says nothing.

    Parameters
    ----------
    distance : int
        Number d of records that differ, at least 1.
    epsilon : float
        Privacy parameter in nats, positive.

    Returns
    -------
    float
        ``ln((e^epsilon - 1) / (e^(d epsilon) - 1))``, about ``-(d - 1) epsilon``.

    Raises
    ------
    ValueError
        If a parameter is out of range.

    Notes
    -----
    **Source.** WLF16-prop-33: where its packing bound vanishes.

    Examples
    --------
    >>> round(log_delta_limit(10, 1.0), 4)
    -9.4586
    """
    check.positive_integer(distance=distance)
    check.positive(epsilon=epsilon)
    return (1 - distance) * epsilon + log(-expm1(-epsilon)) - log(-expm1(-distance * epsilon))


def log_delta_limit_wlf16(n_samples: int, epsilon: float) -> float:
    """Natural logarithm of the delta(n) below which the source proves that thresholds cannot be learned.

    Parameters
    ----------
    n_samples : int
        Number n of records, at least 1.
    epsilon : float
        Privacy parameter in nats, positive, at most 300.

    Returns
    -------
    float
        ``ln(0.4 / n) - epsilon - n^2 ln(1 + e^epsilon (e^epsilon - 1) / n)``, the corrected form; at least
        ``ln(0.4 / n) - epsilon - e^epsilon (e^epsilon - 1) n``.

    Raises
    ------
    ValueError
        If a parameter is out of range.

    Notes
    -----
    **Source.** WLF16-prop-33, second part, which omits the constants and what epsilon(n^2) is: the epsilon of
    WLF16-thm-32 for n^2 records.

    Examples
    --------
    >>> [round(log_delta_limit_wlf16(n, 1.0) / n, 3) for n in (10, 100, 10_000)]
    [-4.255, -4.63, -4.671]
    """
    check.positive_integer(n_samples=n_samples)
    check.positive(epsilon=epsilon)
    if epsilon > 300:
        raise ValueError(f"epsilon must be at most 300, got {epsilon!r}")
    vanishing = log1p(exp(epsilon) * expm1(epsilon) / n_samples)
    return log(0.4 / n_samples) - epsilon - n_samples**2 * vanishing
