"""Any bound inverted: the fewest records, and the smallest epsilon, at which it is at most a target."""

from collections.abc import Callable

from privml import _check as check
from privml._search import smallest_float, smallest_integer

LARGEST_SEARCHED_EPSILON = 2.0**20  # where the search for an epsilon gives up


def required_sample_size(
    bound: Callable[[int], float], target: float, *, least: int = 1
) -> int:
    """Smallest number of records, from `least` on, at which a bound that falls with it is at most a target.

    Parameters
    ----------
    bound : callable
        From a number of records to a number that does not grow with it.
    target : float
        What the bound is to reach, finite.
    least : int, default 1
        Where the search begins, a positive integer.

    Returns
    -------
    int
        The least such number, from `least` on.

    References
    ----------
    A search by doubling and halving; exact for every bound that falls.

    Examples
    --------
    >>> from privml.bounds import hoeffding_tail
    >>> required_sample_size(lambda m: hoeffding_tail(m, 0.1), 0.05)
    185
    """
    check.function(bound=bound)
    check.finite(target=target)
    check.positive_integer(least=least)
    return smallest_integer(lambda m: bound(m) <= target, lower=least)


def required_epsilon(bound: Callable[[float], float], target: float) -> float:
    """Smallest epsilon at which a bound that falls with it is at most a target, to the last bit.

    Epsilons above 1 are tried in powers of two, and a bound may refuse one that is too large for it.

    Parameters
    ----------
    bound : callable
        From an epsilon to a number that does not grow with it.
    target : float
        What the bound is to reach, finite.

    Raises
    ------
    ValueError
        If no epsilon up to 2^20 reaches the target.

    References
    ----------
    A search by doubling and halving; exact for every bound that falls.

    Examples
    --------
    >>> from privml.bounds import private_erm_gap
    >>> round(required_epsilon(lambda epsilon: private_erm_gap(16, 500, epsilon, beta=0.05), 0.1), 6)
    0.230733
    """
    check.function(bound=bound)
    check.finite(target=target)
    upper = 1.0
    while not bound(upper) <= target:
        upper *= 2
        if upper > LARGEST_SEARCHED_EPSILON:
            raise ValueError(
                f"target must be reachable, but no epsilon up to {LARGEST_SEARCHED_EPSILON:g} reaches {target!r}."
            )
    return smallest_float(
        lambda epsilon: bound(epsilon) <= target, lower=0.0, upper=upper
    )


check.wrap_module(__name__)
