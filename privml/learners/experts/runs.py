r"""Runs on losses that are fixed in advance: their regret, the law of their actions, and their exact privacy.

The rounds are independent, so the expected regret is a sum, and so is the privacy loss.  In round t the
choice of expert i has the loss

.. math:: \ln p_t(i) - \ln q_t(i) = c_t - \eta\,\Delta_i ,

where Delta is the difference of the past losses and c_t that of the normalisers.  If one round was changed,
Delta is the same in all later rounds: the loss of the run depends only on how often each value of Delta was
chosen.  Where the values lie on a common grid (always for two experts, and for losses of 0 and 1) a
convolution gives the law of the sum exactly; else each loss is split between two points of a fine grid such
that both its probabilities stay what they are, and the curve is an upper bound.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml._display import (
    POINTS,
    SHOWN_EPSILONS,
    Picture,
    curve_picture,
    html_card,
    rounded_up,
)
from privml.adjacency import LARGEST_ENUMERATION
from privml.distributions import Categorical
from privml.divergences import PrivacyCurve
from privml.learners.experts.base import (
    block_rows,
    checked_eta,
    checked_losses,
    past_blocks,
)
from privml.learners.experts.majority import log_action_probabilities

LARGEST_GRID = 200_000  # most points of the grid of a run; the convolution takes time like its square
SEPARATE = 64  # laws from which on sums are made one pair at a time, without what has become too small
SMALLEST_MASS = (
    1e-150  # dropped from laws of sums below this: products would lose their digits
)


def regret(
    losses: ArrayLike,
    actions: ArrayLike,
    *,
    lower: float | None = None,
    upper: float | None = None,
) -> float | NDArray[np.float64]:
    """Average loss of the learner less that of the best expert in hindsight, in the units of the losses.

    Parameters
    ----------
    losses : array_like
        Losses of shape (n_rounds, n_experts), measured as they are without `lower` and `upper`.
    actions : array_like
        Index of the expert chosen in each round, of shape (n_rounds,) or (n_runs, n_rounds).
    lower, upper : float, optional
        Public ends of the run's interval, finite, to move losses into it (None is 0 or 1 if one is given).

    Returns
    -------
    float or ndarray
        One number or of shape (n_runs,); negative where a run does better than every expert.

    Raises
    ------
    ValueError
        If `actions` are not one expert for each round.

    References
    ----------
    DR11-def-regret, DR11-def-average-loss.

    Examples
    --------
    >>> regret([[0, 1], [5, 0]], [[0, 1], [1, 0], [0, 0]]).tolist()
    [-0.5, 2.5, 2.0]
    """
    ends = {
        "lower": 0.0 if lower is None else lower,
        "upper": 1.0 if upper is None else upper,
    }
    losses = checked_losses(losses, **ends, cut=(lower, upper) != (None, None))
    actions = np.asarray(actions)
    if (
        actions.dtype.kind not in "iu"
        or actions.ndim not in (1, 2)
        or actions.shape[-1] != len(losses)
    ):
        rule = f"indices of experts, one per round ({len(losses)})"
        raise ValueError(
            f"actions must be {rule}, but got {actions.dtype} of shape {actions.shape}."
        )
    if actions.min() < 0 or actions.max() >= losses.shape[1]:
        raise ValueError(
            f"actions must be below n_experts = {losses.shape[1]}, but got {int(actions.max())!r}."
        )
    suffered = losses[np.arange(len(losses)), actions].mean(axis=-1, dtype=float)
    excess = suffered - losses.mean(axis=0, dtype=float).min()
    return float(excess) if actions.ndim == 1 else excess


def expected_regret(
    losses: ArrayLike, eta: ArrayLike, *, lower: float = 0.0, upper: float = 1.0
) -> float | NDArray[np.float64]:
    """Expected regret of randomised weighted majority on losses fixed in advance, exactly.

    Parameters
    ----------
    losses : array_like
        Losses of shape (n_rounds, n_experts), fixed in advance, moved into [lower, upper].
    eta : float or array_like
        Learning rate, positive, of all rounds, of each, or (n_runs, 1) of each run.
    lower, upper : float
        Public ends of the interval of the losses, finite, `lower` below `upper`.

    Returns
    -------
    float or ndarray
        Per round: one number, or of shape (n_runs,) where `eta` has a rate for each run.

    Notes
    -----
    *Accuracy.* At most :func:`~privml.bounds.experts.regret_bound`.

    References
    ----------
    DR11-def-regret and DR11-thm-11.1.

    Examples
    --------
    >>> np.round(expected_regret([[1, 0], [1, 0], [1, 0]], np.log([[2], [4]])), 6).tolist()
    [0.344444, 0.252941]
    """
    losses = checked_losses(losses, lower=lower, upper=upper)
    column = np.ndim(eta) == 2 and np.shape(eta)[1] == 1
    rates = [
        checked_eta(rate, len(losses)) for rate in (np.ravel(eta) if column else [eta])
    ]
    rows = block_rows(
        losses, max(rate.max() for rate in rates), max(abs(lower), abs(upper))
    )
    total, buffer = np.zeros(len(rates)), np.empty((rows, losses.shape[1]))
    for block, past in past_blocks(losses, rows):
        here, weights = losses[block].astype(float), buffer[: len(past)]
        for run, rate in enumerate(rates):
            np.multiply(past, -rate[0] if column else -rate[block, None], out=weights)
            np.exp(weights, out=weights)
            total[run] += (
                np.einsum("ti,ti->t", weights, here) / weights.sum(axis=1)
            ).sum()
    regrets = (total - float(losses.sum(axis=0, dtype=float).min())) / len(losses)
    return regrets if column else float(regrets[0])


def action_sequence_distribution(
    losses: ArrayLike, eta: ArrayLike, *, lower: float = 0.0, upper: float = 1.0
) -> Categorical:
    """Exact law of the whole sequence of choices, for few rounds and experts.

    Parameters
    ----------
    losses : array_like
        Losses of shape (n_rounds, n_experts), fixed in advance, moved into [lower, upper].
    eta : float or array_like
        Learning rate, positive, of all rounds or one for each.
    lower, upper : float
        Public ends of the interval of the losses, finite, `lower` below `upper`.

    Returns
    -------
    Categorical
        Over the ``n_experts ** n_rounds`` sequences in lexicographic order.

    Raises
    ------
    ValueError
        If sequences are too many to enumerate.

    Notes
    -----
    *Privacy.* ``audit.exact(law, vectors, n_rounds, ordered=True)`` compares it on all neighbours: loss
    sequences that differ in one round, there in as many entries as may be.

    References
    ----------
    DR11-thm-11.2, whose output it is; DR11-def-loss-neighbours.

    Examples
    --------
    >>> action_sequence_distribution([[1, 0], [0, 0]], np.log(3)).pmf().round(4).tolist()
    [0.125, 0.375, 0.125, 0.375]
    """
    rounds = log_action_probabilities(losses, eta, lower=lower, upper=upper)
    n_rounds, n_experts = rounds.shape
    if n_experts**n_rounds > LARGEST_ENUMERATION:
        most = f"at most {LARGEST_ENUMERATION} action sequences"
        raise ValueError(f"losses must have {most}, but got {n_experts}^{n_rounds}.")
    total = np.zeros(1)
    for row in rounds:
        total = np.add.outer(total, row).ravel()
    return Categorical(total)


class _SumDistribution(NamedTuple):
    """Law of a sum of whole numbers: smallest value, probabilities from there on, and what was lost."""

    start: int
    masses: NDArray[np.float64]
    lost: float


def _trimmed(start: int, masses: NDArray[np.float64], lost: float) -> _SumDistribution:
    tiny = masses < SMALLEST_MASS
    kept = np.flatnonzero(~tiny)
    inside = np.where(tiny, 0.0, masses)[kept[0] : kept[-1] + 1]
    return _SumDistribution(
        start + int(kept[0]),
        inside,
        lost + SMALLEST_MASS * np.count_nonzero(masses[tiny]),
    )


def _sum(a: _SumDistribution, b: _SumDistribution) -> _SumDistribution:
    return _trimmed(a.start + b.start, np.convolve(a.masses, b.masses), a.lost + b.lost)


def _paired(table: NDArray[np.float64]) -> NDArray[np.float64]:
    """Laws of the sums of two neighbouring rows, all at once; an odd last row is kept."""
    if len(table) % 2:
        table = np.vstack([table, np.eye(1, table.shape[1])])
    first, second, width = table[::2], table[1::2], table.shape[1]
    sums = np.zeros((len(first), 2 * width - 1))
    for place in range(width):
        sums[:, place : place + width] += first * second[:, place, None]
    return sums


def _convolved(rows: NDArray[np.float64]) -> _SumDistribution:
    """Law of a sum of independent variables on 0, 1, ..., each given as a row of probabilities.

    Sums of positive products in pairs, pairs of pairs and so on: no Fourier transform, so that tails of
    1e-140 keep their digits.  What was lost is an upper bound.
    """
    while len(rows) > SEPARATE:
        rows = _paired(rows)
    distributions = [_trimmed(0, row, 0.0) for row in rows]
    while len(distributions) > 1:
        distributions = [
            _sum(a, b)
            for a, b in zip(distributions[::2], distributions[1::2], strict=False)
        ] + distributions[len(distributions) // 2 * 2 :]
    return distributions[0]


class RunCurves(NamedTuple):
    """Privacy curves of a run on two loss sequences.

    Parameters
    ----------
    forth, back : PrivacyCurve
        Of the first sequence against the second, and the other way round.
    exact : bool
        Whether they are exact, or bounds from above.
    """

    forth: PrivacyCurve
    back: PrivacyCurve
    exact: bool

    def delta(self, epsilon: ArrayLike) -> float | NDArray[np.float64]:
        """The larger delta of the two directions at each epsilon."""
        larger = np.maximum(self.forth.delta(epsilon), self.back.delta(epsilon))
        return float(larger) if np.ndim(epsilon) == 0 else larger

    def _repr_html_(self) -> str:
        rows = [
            (f"{epsilon:g}", rounded_up(self.delta(epsilon), 4))
            for epsilon in SHOWN_EPSILONS
        ]
        kind = "exact" if self.exact else "bounds from above"
        return html_card("Privacy of a run", [("epsilon", "delta"), *rows], kind)

    def plot(self, axes: Any = None) -> Picture:
        """Picture of the larger delta at each epsilon, on `axes` if they are given."""
        places = np.linspace(0.0, SHOWN_EPSILONS[-1], POINTS)
        return curve_picture(
            places, self.delta(places), "epsilon", "delta", axes, ylim=(0, None)
        )

    def epsilon(self, delta: float) -> float:
        """The larger epsilon of the two directions at a delta."""
        return max(self.forth.epsilon(delta), self.back.epsilon(delta))


def _grid(above: NDArray[np.float64], resolution: int) -> tuple[float, bool]:
    """Step of a grid from 0, and whether all values are on it; the coarsest that fits, or the finest."""
    width = float(above.max())
    for parts in range(1, resolution + 1):
        places = above * (parts / width)
        if np.abs(places - np.rint(places)).max() < 1e-9:
            return width / parts, True
    return width / resolution, False


def _on_grid(
    above: NDArray, distribution: NDArray, step: float, exact: bool
) -> NDArray[np.float64]:
    """Law of the place on the grid in each round, shape (n_rounds, n_places); both probabilities kept."""
    places = np.rint(above / step) if exact else np.floor(above / step)
    share = np.clip(np.expm1(places * step - above) / np.expm1(-step), 0.0, 1.0)
    rows, places = np.arange(len(distribution)), places.astype(int)
    table = np.zeros((len(distribution), places.max() + 2))
    for i in range(distribution.shape[1]):
        table[rows, places[:, i]] += distribution[:, i] * (
            1 - share[:, i] * (not exact)
        )
        table[rows, places[:, i] + 1] += distribution[:, i] * share[:, i] * (not exact)
    return table[:, : np.flatnonzero(table.any(axis=0)).max() + 1]


def _curve(
    total: _SumDistribution, lowest: float, step: float, sign: int
) -> PrivacyCurve:
    """Curve from the law of the place on the grid; what was lost counts as infinite loss."""
    with np.errstate(divide="ignore"):
        masses = np.log(np.append(total.masses, total.lost))
    losses = lowest + step * (total.start + np.arange(total.masses.size))
    return PrivacyCurve(np.append(sign * losses, np.inf), masses)


def _curves(
    table: NDArray[np.float64], lowest: NDArray[np.float64], step: float, exact: bool
) -> RunCurves:
    """Both curves, each from its own law: a rare place of one may be a frequent one of the other."""
    losses, total = lowest[:, None] + step * np.arange(table.shape[1]), lowest.sum()
    forth = _curve(_convolved(table), float(total), step, 1)
    back = _curve(_convolved(table * np.exp(-losses)), float(total), step, -1)
    return RunCurves(forth, back, exact)


def run_curves(
    first: ArrayLike, second: ArrayLike, eta: ArrayLike, *, resolution: int = 64
) -> RunCurves:
    """Exact privacy curves of a whole run on two loss sequences fixed in advance.

    Parameters
    ----------
    first : array_like
        Losses of shape (n_rounds, n_experts), moved into [0, 1].
    second : array_like
        For privacy they differ in one round.
    eta : float or array_like
        Learning rate, positive, of all rounds, or one for each, of shape (n_rounds,).
    resolution : int
        Most points of the grid for one round, a positive integer, where no coarser one is exact.

    Returns
    -------
    RunCurves
        Upper bounds if not ``exact``, with an error that falls like the square of the resolution. Deltas
        below 1e-140 may be reported as that.

    Raises
    ------
    ValueError
        If shapes differ, or the grid has more than 200,000 points.

    Notes
    -----
    *Privacy.* The guarantee is for this pair; :func:`~privml.learners.experts.run_guarantee` holds for all.

    References
    ----------
    DR11-thm-11.2, made exact.

    Examples
    --------
    The pair that makes the choices of a thousand rounds randomised response:

    >>> first, second = np.zeros((1000, 2)), np.zeros((1000, 2))
    >>> first[0], second[0] = (0, 1), (1, 0)
    >>> curves = run_curves(first, second, 0.0016475)
    >>> curves.exact, round(curves.epsilon(1e-5), 6)
    (True, 0.167155)
    """
    check.positive_integer(resolution=resolution)
    log_p, log_q = (
        log_action_probabilities(first, eta),
        log_action_probabilities(second, eta),
    )
    if log_p.shape != log_q.shape:
        raise ValueError(
            f"second must have the shape of first, {log_p.shape}, but got {log_q.shape}."
        )
    loss = log_p - log_q
    lowest = loss.min(axis=1)
    above = loss - lowest[:, None]
    changed = above.max(axis=1) > 1e-14
    if not changed.any():
        nothing = PrivacyCurve([0.0], [0.0])
        return RunCurves(nothing, nothing, True)
    step, exact = _grid(above[changed], resolution)
    table = _on_grid(above[changed], np.exp(log_p[changed]), step, exact)
    if (size := table.shape[0] * (table.shape[1] - 1)) > LARGEST_GRID:
        raise ValueError(
            f"resolution must keep the grid of the run below {LARGEST_GRID}, but got {size} points."
        )
    return _curves(table, lowest[changed], step, exact)


check.wrap_module(__name__)
