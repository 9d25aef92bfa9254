r"""Packings: many data sets close to each other, each of which wants answers that the others cannot use.

Let :math:`z_1, \dots, z_K` be data sets, every two of them at most d replacements apart, and
:math:`G_1, \dots, G_K` disjoint sets of hypotheses, such that a hypothesis outside :math:`G_i` has excess
empirical risk at least r on :math:`z_i`.  Group privacy carries a share :math:`e^{-d \varepsilon}` of the
probability that a learner gives to :math:`G_j` on :math:`z_j` over to every other :math:`z_i`, where all
shares together are at most 1.  So no private learner puts much mass on :math:`G_i` for every i, and its worst
expected excess risk is at least

.. math:: r \, \frac{(K - 1) (1 - \delta_d)}{e^{d \varepsilon} + K - 1}, \qquad
   \delta_d = \frac{e^{d \varepsilon} - 1}{e^{\varepsilon} - 1} \, \delta .
"""

from math import ceil, exp, inf, log

from privml import _check as check
from privml._search import smallest_integer
from privml.guarantee import Guarantee

LARGEST_EXPONENT = 1e4
"""Largest distance * epsilon at which a number of data sets, about ``e^(distance epsilon)``, is counted."""


def checked_number(n_datasets: float) -> None:
    """Raise unless a number of data sets is a positive integer or infinity."""
    if n_datasets != inf:
        check.positive_integer(n_datasets=n_datasets)


def checked_privacy(epsilon: float, delta: float) -> None:
    """Raise unless epsilon is positive and delta in [0, 1]."""
    check.positive(epsilon=epsilon)
    Guarantee(epsilon, delta)


def checked_distance(distance: int | None, n_samples: int) -> int:
    """How many records differ, all of them if None; raises unless from 1 to n_samples."""
    check.positive_integer(n_samples=n_samples)
    distance = n_samples if distance is None else distance
    check.positive_integer(distance=distance)
    if distance > n_samples:
        raise ValueError(f"distance must be at most n_samples = {n_samples}, got {distance!r}")
    return distance


def checked_loss(loss: float) -> None:
    """Raise unless a loss is in (0, 1]."""
    check.positive(loss=loss)
    if loss > 1:
        raise ValueError(f"loss must be at most 1, got {loss!r}")


def failing_share(n_datasets: float, distance: int, epsilon: float, delta: float) -> float:
    """Least average probability of an answer outside of its own set, over the data sets of a packing."""
    if n_datasets == 1:
        return 0.0
    missed = Guarantee(epsilon, delta).for_group(distance).delta if distance else 0.0
    lead = inf if n_datasets == inf else log(n_datasets - 1) - distance * epsilon
    share = 1 / (1 + exp(-lead)) if lead > -700 else exp(lead)
    return share * (1 - missed)


def packing_excess_risk(
    n_datasets: float, distance: int, epsilon: float, *, delta: float = 0.0, loss: float = 0.5
) -> float:
    """Worst expected excess risk that no private learner avoids on a packing.

    Parameters
    ----------
    n_datasets : int or inf
        Number K of data sets, at least 1; inf stands for "as many as one likes".
    distance : int
        Largest number d of records that have to be replaced between two of them, at least 1.
    loss : float
        Least excess empirical risk r of a hypothesis outside of its data set's own answers, in (0, 1].

    Returns
    -------
    float
        ``r (K - 1)(1 - delta_d) / (e^(d epsilon) + K - 1)``: some data set of the packing has at least this
        expected excess empirical risk.

    Notes
    -----
    **Privacy.** For (epsilon, delta)-DP under ``REPLACE_ONE``.  Nothing larger follows from the
    factors between the K data sets alone, which randomised response among the K answers attains; the data
    sets in between may say more.
    **Source.** WLF16-prop-12 and WLF16-prop-33, whose constants are too large: both take 1 for the loss.

    Examples
    --------
    >>> [round(packing_excess_risk(K, 4, 0.5), 6) for K in (3, 5, 8)]
    [0.106507, 0.175607, 0.24324]
    >>> packing_excess_risk(float("inf"), 1000, 1.0)
    0.5
    """
    checked_number(n_datasets)
    check.positive_integer(distance=distance)
    checked_privacy(epsilon, delta)
    checked_loss(loss)
    return loss * failing_share(n_datasets, distance, epsilon, delta)


def packing_size(
    distance: int, epsilon: float, alpha: float, *, delta: float = 0.0, loss: float = 0.5
) -> int:
    """Number of data sets in a packing that puts an excess risk out of reach.

    Parameters
    ----------
    distance : int
        Number of records that have to be replaced between two data sets, at least 1.
    loss : float
        As in :func:`packing_excess_risk`.

    Returns
    -------
    int
        The smallest K with ``packing_excess_risk(K, ...) >= alpha``; about ``e^(distance epsilon)``.

    Notes
    -----
    **Source.** WLF16-prop-12: inverse of :func:`packing_excess_risk`.

    Examples
    --------
    >>> packing_size(10, 1.0, 0.25), round(packing_excess_risk(22028, 10, 1.0), 6)
    (22028, 0.250003)
    """
    check.probability_open(alpha=alpha)
    check.positive_integer(distance=distance)
    check.positive(epsilon=epsilon)
    if distance * epsilon > LARGEST_EXPONENT:
        raise ValueError(
            f"distance * epsilon must be at most {LARGEST_EXPONENT:g}, got {distance!r} * {epsilon!r}"
        )
    reach = packing_excess_risk(inf, distance, epsilon, delta=delta, loss=loss)
    if reach <= alpha:
        raise ValueError(f"alpha must be below {reach!r}, what packings reach, got {alpha!r}")

    def holds(n_datasets: int) -> bool:
        return packing_excess_risk(n_datasets, distance, epsilon, delta=delta, loss=loss) >= alpha

    return smallest_integer(holds, upper=2 ** ceil(1.5 * distance * epsilon + 1200))


def packing_distance(
    n_datasets: float, epsilon: float, alpha: float, *, delta: float = 0.0, loss: float = 0.5
) -> float:
    """Largest distance at which a packing of given size keeps an excess risk out of reach.

    Parameters
    ----------
    n_datasets : int or inf
        Number of data sets in the packing.
    loss : float
        As in :func:`packing_excess_risk`.

    Returns
    -------
    int or inf
        The largest d with ``packing_excess_risk(n_datasets, d, ...) >= alpha``: if all records differ, the
        largest number of records that is known not to be enough.  0 if there is none, inf if all are.

    Notes
    -----
    **Source.** WLF16-prop-12: inverse of :func:`packing_excess_risk` in the other parameter.

    Examples
    --------
    >>> packing_distance(2**20, 1.0, 0.25), packing_distance(float("inf"), 1.0, 0.25)
    (13, inf)
    """
    check.probability_open(alpha=alpha)

    def fails(distance: int) -> bool:
        return packing_excess_risk(n_datasets, distance, epsilon, delta=delta, loss=loss) < alpha

    if n_datasets == inf and delta == 0 and not fails(1):
        return inf
    return smallest_integer(fails) - 1
