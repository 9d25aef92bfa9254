r"""How many records best subset selection takes: two stages, or one.

F is the mean of n losses of linear scores, each of oscillation w, so that replacing a record moves F, and its
least value over any set, by at most ``w / n``.  There are N supports, and G points on each.  By Gibbs'
variational principle an exponential mechanism over M options with privacy parameter e misses the best one
by at most ``2 w ln M / (n e)`` in expectation.  So with ``a = ln N``, ``b = ln G``

* *two stages*, a share p of epsilon on the support and the rest on the point:
  ``(2 w / (n epsilon)) (a / p + b / (1 - p))``, at best, for ``p = sqrt(a) / (sqrt(a) + sqrt(b))``,
  ``(2 w / (n epsilon)) (sqrt(a) + sqrt(b))^2``;
* *one stage* over all pairs of a support and a point: ``(2 w / (n epsilon)) (a + b)``, at most half as much
  if ``a = b``, and never more.

The points may be a lattice, so fine that it costs `lattice_gap` only.  If the loss is convex and the second
of two stages draws from the whole ball, then s takes the place of b: see
:func:`~privml.bounds.convex_sublevel.convex_utility_gap`.
"""

from math import sqrt

from privml import _check as check
from privml.bounds.vc import log_binomial_coefficient


def _sizes(n_features: int, n_selected: int, fit_cost: float) -> float:
    check.positive_integer(n_features=n_features, n_selected=n_selected)
    check.non_negative(fit_cost=fit_cost)
    if n_selected > n_features:
        raise ValueError(f"n_selected must be at most n_features ({n_features}), got {n_selected!r}")
    return log_binomial_coefficient(n_features, n_selected)


def best_subset_share(n_features: int, n_selected: int, fit_cost: float) -> float:
    """The share of epsilon that the choice of the support should get: the least sum of both stages' bounds.

    **Returns.** ``sqrt(a) / (sqrt(a) + sqrt(b))``; one half if there is nothing to choose.
    **Source.** WLF16-ex-22, which gives both stages the same.

    Parameters
    ----------
    n_features, n_selected : int
        Ambient dimension d, and size s of a support, ``1 <= s <= d``.
    fit_cost : float
        What the second stage costs, non-negative: the logarithm of the number of points on each support.

    Examples
    --------
    >>> from math import log
    >>> best_subset_share(16, 1, log(16)), best_subset_share(1, 1, 2.0)
    (0.5, 0.0)
    """
    supports = sqrt(_sizes(n_features, n_selected, fit_cost))
    total = supports + sqrt(fit_cost)
    return supports / total if total else 0.5


def best_subset_gap(
    n_samples: int,
    epsilon: float,
    *,
    n_features: int,
    n_selected: int,
    fit_cost: float,
    oscillation: float = 1.0,
    share: float | None = None,
) -> float:
    """Bound on the expected excess of F over its least value on all supports and points.

    **Accuracy.** In expectation over the draw, for every data set.
    **Source.** WLF16-ex-22, with constants, and without its ``log n`` in the first stage.

    Parameters
    ----------
    n_features, n_selected : int
        Ambient dimension d, and size s of a support, ``1 <= s <= d``.
    fit_cost : float
        What the second stage costs, non-negative: the logarithm of the number of points on each support.
    oscillation : float, default 1
        Largest change of one record's loss over all hypotheses, positive.
    share : float, optional
        Share of epsilon for the support, in (0, 1): two stages.  None: one stage over all pairs.

    Examples
    --------
    >>> from math import log
    >>> sizes = {"n_features": 100, "n_selected": 2, "fit_cost": log(50)}
    >>> [round(best_subset_gap(1000, 1.0, share=share, **sizes), 4) for share in (0.5, None)]
    [0.0497, 0.0248]
    """
    check.positive_integer(n_samples=n_samples)
    check.positive(epsilon=epsilon, oscillation=oscillation)
    supports = _sizes(n_features, n_selected, fit_cost)
    cost = supports + fit_cost
    if share is not None:
        check.probability_open(share=share)
        cost = supports / share + fit_cost / (1 - share)
    return 2 * oscillation * cost / (n_samples * epsilon)


def lattice_gap(n_selected: int, spacing: float, lipschitz: float) -> float:
    """What a lattice costs: the distance of its least value of F from the least one on the ball.

    **Returns.** ``lipschitz spacing sqrt(s)``: round the coordinates of a minimiser towards 0.  The rounded
    point is on the lattice, is not longer, and lies within ``spacing sqrt(s)``.
    **Source.** WLF16-ex-22 with the reduction to finite classes that WLF16-ex-20 mentions.

    Parameters
    ----------
    n_selected : int
        Dimension s, at least 1.
    spacing : float
        Distance of neighbouring points, positive.
    lipschitz : float
        Lipschitz constant of F in the Euclidean norm, positive.

    Examples
    --------
    >>> from math import log
    >>> lattice_gap(4, 0.125, 2.0)
    0.5
    """
    check.positive_integer(n_selected=n_selected)
    check.positive(spacing=spacing, lipschitz=lipschitz)
    return lipschitz * spacing * sqrt(n_selected)
