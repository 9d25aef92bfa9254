"""How many records a subsample has."""

from math import isqrt

from privml import _check as check


def root_size(n_samples: int) -> int:
    """How many of n records the transformation uses: floor(sqrt(n)).

    Examples
    --------
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
