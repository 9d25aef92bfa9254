"""What a learner promises when it runs on a uniformly random subset of its records."""

from privml import _check as check
from privml.composition import no_repeat_probability, subsampled_without_replacement
from privml.composition.base import checked_share
from privml.guarantee import Guarantee
from privml.learnability.subsample.base import checked_size


def subsample_guarantee(guarantee: Guarantee, n_samples: int, subsample_size: int | None = None) -> Guarantee:
    """Guarantee of a learner on a random subset, symmetric or shuffled: the tight one.

    Parameters
    ----------
    guarantee : Guarantee
        Of the learner on the subset, under ``REPLACE_ONE``.
    subsample_size : int, optional
        Records in the subset; floor(sqrt(n)) by default.

    Returns
    -------
    Guarantee
        Epsilon ``ln(1 + gamma (e^epsilon - 1))`` and delta times gamma.  Printed in the source:
        :func:`privml.composition.root_subsample_epsilon_wlf16`.

    Notes
    -----
    **Privacy.** Under ``REPLACE_ONE``, for symmetric or shuffled learners.
    **Source.** WLF16-lem-4 and WLF16-lem-10, the privacy claims, with the tight bound.

    Examples
    --------
    >>> print(subsample_guarantee(Guarantee(1.0), 10_000))
    0.0170369-differential privacy (replace-one)
    """
    size = checked_size(n_samples, subsample_size)
    return subsampled_without_replacement(guarantee, n_samples, size, symmetric=True)


def subsample_stability(stability: float, n_samples: int, subsample_size: int | None = None) -> float:
    """Stability constant of any learner on a random subset of its records: gamma times its own.

    Parameters
    ----------
    stability : float
        Of the learner on the subset, in [0, 1]; uniform stability or total variation.
    subsample_size : int, optional
        Records in the subset; floor(sqrt(n)) by default.

    Notes
    -----
    No symmetry and no shuffling is needed, unlike for privacy.
    **Source.** WLF16-lem-29 is the case of an arbitrary learner, stability 1.

    Examples
    --------
    >>> subsample_stability(0.5, 100)
    0.05
    """
    check.non_negative(stability=stability)
    if stability > 1:
        raise ValueError(f"stability must be in the closed interval [0, 1], got {stability!r}")
    return stability * checked_share(n_samples, checked_size(n_samples, subsample_size))


def subsample_aerm_gap(excess_risk: float, n_samples: int, subsample_size: int | None = None) -> float:
    """Always-AERM gap of a learner on a random subset, from its excess risk on uniform distributions.

    Parameters
    ----------
    excess_risk : float
        Largest expected excess risk of the learner from `subsample_size` records, over the uniform
        distributions on the records of a data set, repetitions counted.
    subsample_size : int, optional
        Records in the subset; floor(sqrt(n)) by default.

    Returns
    -------
    float
        `excess_risk` over :func:`~privml.composition.no_repeat_probability`: less than ``sqrt(e)`` times it
        for floor(sqrt(n)) records.

    Notes
    -----
    **Source.** WLF16-lem-10, whose proof has the factor 2 and whose statement has none.

    Examples
    --------
    >>> round(subsample_aerm_gap(0.1, 100), 6)
    0.159196
    """
    check.non_negative(excess_risk=excess_risk)
    return excess_risk / no_repeat_probability(n_samples, checked_size(n_samples, subsample_size))


def subsample_optimism(excess_risk: float, n_samples: int, subsample_size: int | None = None) -> float:
    """How far the expected least empirical risk can lie below the least risk, if the problem is learnable.

    Parameters
    ----------
    excess_risk : float
        Largest expected excess risk of some learner, private or not, from `subsample_size` records, over the
        uniform distributions on the records of a data set, repetitions counted.
    subsample_size : int, optional
        How many the learner of the proof gets; floor(sqrt(n)) by default.

    Returns
    -------
    float
        ``excess_risk + subsample_size / n_samples``, a bound on the optimism ``min R - E min R_Z``.

    Notes
    -----
    Added to the excess risk and the stability of a learner it bounds its expected AERM gap.
    **Source.** WLF16-rem-lem-10-alternative: a consistent learner that generalises is AERM.

    Examples
    --------
    >>> round(subsample_optimism(0.05, 100), 6)
    0.15
    """
    check.non_negative(excess_risk=excess_risk)
    return excess_risk + checked_share(n_samples, checked_size(n_samples, subsample_size))
