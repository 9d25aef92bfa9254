r"""Amplification by subsampling: a mechanism that sees a random part of the data is more private.

Let A be (epsilon, delta)-DP, and let A' run it on a random subsample.  Whether a given record is used at all
is a coin; on the event that it is not, neighbours look the same.  With gamma the chance that it is used,

.. math:: \varepsilon' = \ln(1 + \gamma (e^{\varepsilon} - 1)), \qquad
          \delta' = \delta \, \frac{e^{\varepsilon'} - 1}{e^{\varepsilon} - 1} = \gamma \delta ,

and, when a record may be drawn more than once, the first form of delta' with another epsilon':

===================== ===================== ============================= ================================
scheme                relation              e^epsilon' - 1                beyond the guarantee it needs
===================== ===================== ============================= ================================
m of n, no repeats    ``REPLACE_ONE``       (m / n) (e^epsilon - 1)       a symmetric A or shuffled records
m draws with repeats  ``REPLACE_ONE``       (1 + (e^epsilon - 1)/n)^m - 1 records in the order drawn
each by its own coin  ``ADD_OR_REMOVE_ONE`` rate (e^epsilon - 1)          nothing
===================== ===================== ============================= ================================

**The hypothesis that WLF16 leaves out.**  To compare "record i is used" with "it is not" its place is given
to another record.  That is one replacement only if the order of the records does not matter.  If A reads the
subsample in index order, taking record 1 out moves all the others up by one place, and the lemmas fail
(:func:`privml.counterexamples.place_reader`).  What WLF16 states stands at the end, to be compared.
"""

from math import exp, expm1, inf, isqrt, log, log1p
from typing import NamedTuple

import numpy as np

from privml import _check as check
from privml.composition.base import checked_rate, checked_share, log_of_mixture
from privml.guarantee import Guarantee


def amplified_epsilon(epsilon: float, sampling_rate: float) -> float:
    """Epsilon after subsampling: ln(1 + sampling_rate (e^epsilon - 1)).

    Never above epsilon; about ``sampling_rate epsilon`` for small epsilon.

    **Privacy.** Without repeats the mechanism must be symmetric or get the records in random order.
    **Source.** Balle, Barthe and Gaboardi (2018), Theorems 8 and 9; sharpens WLF16-lem-34.

    >>> round(amplified_epsilon(1.0, 0.01), 6)
    0.017037
    """
    check.non_negative(epsilon=epsilon)
    checked_rate(sampling_rate)
    return log_of_mixture(epsilon, sampling_rate)


def unamplified_epsilon(epsilon: float, sampling_rate: float) -> float:
    """Largest epsilon on the subsample that subsampling brings down to a target.

    ``ln(1 + (e^epsilon - 1) / sampling_rate)``.

    **Source.** Inverse of the tight form of WLF16-lem-34.

    >>> round(unamplified_epsilon(0.1, 0.01), 6)
    2.443832
    """
    check.non_negative(epsilon=epsilon)
    checked_rate(sampling_rate)
    if epsilon > 1:
        return epsilon - log(sampling_rate) + log1p(-(1 - sampling_rate) * exp(-epsilon))
    return log1p(expm1(epsilon) / sampling_rate)


def root_subsample_epsilon(epsilon: float, n_samples: int) -> float:
    """Epsilon of a mechanism on floor(sqrt(n)) of n records: constant epsilon made to vanish.

    :func:`amplified_epsilon` at the rate ``floor(sqrt(n)) / n``, about ``(e^epsilon - 1) / sqrt(n)``.

    **Privacy.** For a symmetric mechanism, or with the subsample shuffled.
    **Accuracy.** The subsample is an i.i.d. sample of its size: what is learned from m records is learned
    from floor(sqrt(n)) of n.
    **Source.** WLF16-lem-4 and the privacy claim of WLF16-lem-10, with the tight bound.

    >>> round(root_subsample_epsilon(1.0, 10_000), 6)
    0.017037
    """
    check.positive_integer(n_samples=n_samples)
    return amplified_epsilon(epsilon, isqrt(n_samples) / n_samples)


def subsampling_alone(n_samples: int, subsample_size: int) -> Guarantee:
    """Guarantee of running any mechanism at all on a random subsample: (0, gamma).

    Epsilon 0 and delta ``subsample_size / n_samples``, under ``REPLACE_ONE``.

    **Privacy.** No hypothesis is needed, not even an order, and the bound is attained by publishing the
    subsample: a delta of this size protects nobody, since it lets one record in ``1 / delta`` be published.
    **Source.** WLF16-lem-29, Lemma 29 (there with floor(sqrt(n)) of n records).

    Parameters
    ----------
    subsample_size : int
        How many of them are used, without repeats; at least 1.

    Examples
    --------
    >>> print(subsampling_alone(10_000, 100))
    (0, 0.01)-differential privacy (replace-one)
    """
    return Guarantee(0.0, checked_share(n_samples, subsample_size))


def no_repeat_probability(n_samples: int, subsample_size: int) -> float:
    """Probability that independent uniform draws of records are all different.

    ``prod (1 - i / n_samples)`` over i below `subsample_size`; above e^(-1/2) for floor(sqrt(n)) draws.

    **Source.** Used in the proof of WLF16-lem-10, which bounds it by 1 / 2.

    >>> [round(no_repeat_probability(n, m), 3) for n, m in ((4, 2), (16, 4), (100, 10), (10_000, 100))]
    [0.75, 0.667, 0.628, 0.609]
    """
    check.positive_integer(n_samples=n_samples, subsample_size=subsample_size)
    if subsample_size > n_samples:
        return 0.0
    if subsample_size * (subsample_size - 1) > 1600 * n_samples:
        return 0.0  # below e^-800, since 1 - x <= e^-x
    if subsample_size > 10**7:
        raise ValueError(f"subsample_size must be at most 10000000, got {subsample_size!r}")
    return exp(np.log1p(-np.arange(subsample_size) / n_samples).sum())


class Amplified(NamedTuple):
    """Privacy parameters after subsampling."""

    epsilon: float
    delta: float


def amplified_epsilon_wlf16(epsilon: float, sampling_rate: float, *, form: str = "printed") -> float:
    """Epsilon after subsampling without repeats, as WLF16 states it: 2 gamma (e^epsilon - e^-epsilon).

    Never below :func:`~privml.composition.subsampling.amplified_epsilon`; may exceed epsilon itself.

    **Privacy.** The lemma needs a symmetric mechanism or shuffled records, which it does not say.  The factor
    2 is not needed.
    **Source.** WLF16-lem-34, Lemma 34.

    Parameters
    ----------
    form : {"printed", "ratio"}
        The lemma's statement, or the sharper step of its proof,
        ``ln(1 + gamma (e^epsilon - 1)) - ln(1 + gamma (e^-epsilon - 1))``.

    Examples
    --------
    >>> [round(amplified_epsilon_wlf16(1.0, 0.01, form=form), 6) for form in ("printed", "ratio")]
    [0.047008, 0.023378]
    """
    check.non_negative(epsilon=epsilon)
    checked_rate(sampling_rate)
    check.one_of(("printed", "ratio"), form=form)
    if form == "ratio":
        return log_of_mixture(epsilon, sampling_rate) - log_of_mixture(-epsilon, sampling_rate)
    return 2 * sampling_rate * (exp(epsilon) - exp(-epsilon)) if epsilon < 700 else inf


def amplified_wlf16(epsilon: float, delta: float, sampling_rate: float) -> Amplified:
    """Privacy parameters after subsampling without repeats, as WLF16 states them for positive delta.

    ``ln(1 + gamma e^epsilon (e^epsilon - 1))`` and ``gamma e^epsilon delta``, each up to e^epsilon times
    the tight values, and not capped.

    **Privacy.** The lemma needs a symmetric mechanism or shuffled records, which it does not say.
    **Source.** WLF16-lem-31, Lemma 31.

    >>> tuple(round(value, 9) for value in amplified_wlf16(1.0, 1e-6, 0.01))
    (0.045649755, 2.7e-08)
    """
    check.non_negative(epsilon=epsilon, delta=delta)
    checked_rate(sampling_rate)
    if delta > 1:
        raise ValueError(f"delta must be in the closed interval [0, 1], got {delta!r}")
    if epsilon > 300:
        raise ValueError(f"epsilon must be at most 300, got {epsilon!r}")
    growth = exp(epsilon)
    return Amplified(log1p(sampling_rate * growth * expm1(epsilon)), sampling_rate * growth * delta)


def root_subsample_epsilon_wlf16(epsilon: float, n_samples: int) -> float:
    """Epsilon on floor(sqrt(n)) of n records as WLF16 states it: (2 / sqrt(n)) (e^epsilon - e^-epsilon).

    **Source.** WLF16-lem-4, Lemma 4, which omits that the mechanism must be symmetric or the order random.

    >>> round(root_subsample_epsilon_wlf16(1.0, 10_000), 6)
    0.047008
    """
    check.positive_integer(n_samples=n_samples)
    return amplified_epsilon_wlf16(epsilon, n_samples**-0.5)
