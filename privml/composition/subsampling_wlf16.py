"""Amplification by subsampling as WLF16 states it, to be compared with the tight bounds.

All of these are true for symmetric mechanisms, or if the subsample is shuffled, and false without: see
:mod:`~privml.composition.subsampling`.
"""

from math import exp, expm1, inf, log1p
from typing import NamedTuple

from privml import _check as check
from privml.composition.base import checked_rate, log_of_mixture


class Amplified(NamedTuple):
    """Privacy parameters after subsampling."""

    epsilon: float
    delta: float


def amplified_epsilon_wlf16(epsilon: float, sampling_rate: float, *, form: str = "printed") -> float:
    """Epsilon after subsampling without repeats, as WLF16 states it: 2 gamma (e^epsilon - e^-epsilon).

    Never below :func:`~privml.composition.subsampling.amplified_epsilon`; may exceed epsilon itself.

    Parameters
    ----------
    form : {"printed", "ratio"}
        The lemma's statement, or the sharper step of its proof,
        ``ln(1 + gamma (e^epsilon - 1)) - ln(1 + gamma (e^-epsilon - 1))``.

    Notes
    -----
    **Privacy.** The lemma needs a symmetric mechanism or shuffled records, which it does not say.  The factor
    2 is not needed.
    **Source.** WLF16-lem-34, Lemma 34.

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

    Notes
    -----
    **Privacy.** The lemma needs a symmetric mechanism or shuffled records, which it does not say.
    **Source.** WLF16-lem-31, Lemma 31.

    Examples
    --------
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

    Notes
    -----
    **Source.** WLF16-lem-4, Lemma 4, which omits that the mechanism must be symmetric or the order random.

    Examples
    --------
    >>> round(root_subsample_epsilon_wlf16(1.0, 10_000), 6)
    0.047008
    """
    check.positive_integer(n_samples=n_samples)
    return amplified_epsilon_wlf16(epsilon, n_samples**-0.5)
