"""How many records a subsample has, and what a learner promises on it.

Privacy asks for a symmetric learner or a shuffled subsample.  What else is promised needs no function.  The
stability constant and the total variation of any learner are multiplied by the share of the records
(WLF16-lem-29 is the case of an arbitrary one).  The AERM gap on every data set is at most the learner's
excess risk on uniform laws, divided by the probability that no draw repeats (WLF16-lem-10).  The optimism of
minimisation is at most that excess risk plus the share (WLF16-rem-lem-10-alternative).
"""

from math import isqrt

from privml import _check as check
from privml.composition import subsampled_without_replacement
from privml.guarantee import Guarantee


def root_size(n_samples: int) -> int:
    """How many of n records the transformation uses: floor(sqrt(n)).

    >>> [root_size(n) for n in (1, 8, 9, 10_000)]
    [1, 2, 3, 100]
    """
    check.positive_integer(n_samples=n_samples)
    return isqrt(n_samples)


def checked_size(n_samples: int, subsample_size: int | None) -> int:
    """The size of the subset, which is not larger than the data set."""
    size = root_size(n_samples) if subsample_size is None else subsample_size
    check.positive_integer(n_samples=n_samples, subsample_size=size)
    if size > n_samples:
        raise ValueError(f"subsample_size must be at most n_samples = {n_samples}, got {size!r}")
    return int(size)


def subsample_guarantee(guarantee: Guarantee, n_samples: int, subsample_size: int | None = None) -> Guarantee:
    """Guarantee of a learner on a random subset, symmetric or shuffled: the tight one.

    **Returns.** Guarantee: epsilon ``ln(1 + gamma (e^epsilon - 1))`` and delta times gamma.  Printed in the
    source: :func:`privml.composition.root_subsample_epsilon_wlf16`.
    **Privacy.** Under ``REPLACE_ONE``, for symmetric or shuffled learners.
    **Source.** WLF16-lem-4 and WLF16-lem-10, the privacy claims, with the tight bound.

    Parameters
    ----------
    guarantee : Guarantee
        Of the learner on the subset, under ``REPLACE_ONE``.
    subsample_size : int, optional
        Records in the subset; floor(sqrt(n)) by default.

    Examples
    --------
    >>> print(subsample_guarantee(Guarantee(1.0), 10_000))
    0.0170369-differential privacy (replace-one)
    """
    size = checked_size(n_samples, subsample_size)
    return subsampled_without_replacement(guarantee, n_samples, size, symmetric=True)
