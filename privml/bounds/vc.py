"""The Vapnik-Chervonenkis dimension and the size of a class."""

from math import comb

from privml import _check as check


def sauer_shelah(vc_dimension: int, n_points: int) -> int:
    """Largest number of labellings that a class of given VC dimension gives to n points.

    Parameters
    ----------
    vc_dimension : int
        VC dimension d, non-negative.
    n_points : int
        Number of points n, at least 1.

    Returns
    -------
    int
        ``C(n, 0) + C(n, 1) + ... + C(n, d)``.

    Raises
    ------
    ValueError
        If a parameter is out of range.

    Notes
    -----
    **Source.** Sauer (1972), Shelah (1972); the step that makes DR11-cor-pac-iff-private-pac true: over
    {0, 1}^d a class of VC dimension v has at most ``(e 2**d / v)**v`` members, so log|C| is at most of
    order d v.

    Examples
    --------
    >>> sauer_shelah(1, 8), sauer_shelah(3, 3)
    (9, 8)
    """
    check.non_negative_integer(vc_dimension=vc_dimension)
    check.positive_integer(n_points=n_points)
    return sum(comb(n_points, size) for size in range(min(vc_dimension, n_points) + 1))
