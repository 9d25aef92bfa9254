r"""The exact privacy of a run: laws of whole action sequences, and the privacy curve of two loss sequences.

For losses fixed in advance the rounds are independent, so the privacy loss of a run is a sum.  In round t the
choice of expert i has the loss

.. math:: \ln p_t(i) - \ln q_t(i) = c_t - \eta\,\Delta_i ,

where Delta is the difference of the past losses and c_t that of the normalisers.  If one round was changed,
Delta is the same in all later rounds: the loss of the run depends only on how often each value of Delta was
chosen.  Where the values lie on a common grid (always for two experts, and for losses of 0 and 1) a
convolution gives the law of the sum exactly; else each loss is split between two points of a fine grid such
that both its probabilities stay what they are, and the curve is an upper bound.
"""

from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml.adjacency import LARGEST_ENUMERATION
from privml.distributions import Categorical
from privml.divergences import PrivacyCurve
from privml.learners.experts.base import SumLaw, checked_eta, checked_losses, convolved
from privml.learners.experts.majority import log_action_probabilities

LARGEST_GRID = 200_000
"""Most points of the grid of a whole run; the convolution takes time in proportion to its square."""


class RunCurves(NamedTuple):
    """Privacy curves of a run on two loss sequences, each against the other, and whether they are exact."""

    forth: PrivacyCurve
    back: PrivacyCurve
    exact: bool

    def delta(self, epsilon: ArrayLike) -> float | NDArray[np.float64]:
        """The larger delta of the two directions at each epsilon."""
        found = np.maximum(self.forth.delta(epsilon), self.back.delta(epsilon))
        return float(found) if np.ndim(epsilon) == 0 else found

    def epsilon(self, delta: float) -> float:
        """The larger epsilon of the two directions at a delta."""
        return max(self.forth.epsilon(delta), self.back.epsilon(delta))


def loss_neighbours(losses: ArrayLike, values: ArrayLike) -> Iterator[NDArray[np.float64]]:
    """All loss sequences that differ from a given one in exactly one round, over a grid of losses.

    **Source.** DR11-def-loss-neighbours: the whole loss vector of one round may change.

    Parameters
    ----------
    losses : array_like of shape (n_rounds, n_experts)
        In [0, 1].
    values : array_like of shape (n_values,)
        The losses that a changed round may have, in [0, 1].

    Yields
    ------
    ndarray of shape (n_rounds, n_experts)
        A fresh array.  For n_values values, and losses among them, there are
        ``n_rounds (n_values ** n_experts - 1)`` neighbours.

    Raises
    ------
    ValueError
        If a value lies outside of [0, 1].

    Examples
    --------
    >>> [sequence.tolist() for sequence in loss_neighbours([[0, 0]], [0, 1])]
    [[[0.0, 1.0]], [[1.0, 0.0]], [[1.0, 1.0]]]
    """
    losses = checked_losses(losses).astype(float)
    values = check.finite_vector(values=values)
    if values.min() < 0 or values.max() > 1:
        raise ValueError(f"values must lie in [0, 1], got {values!r}")
    vectors = [np.array(vector, dtype=float) for vector in product(values.tolist(), repeat=losses.shape[1])]
    for t, kept in enumerate(losses):
        for vector in vectors:
            if (vector != kept).any():
                neighbour = losses.copy()
                neighbour[t] = vector
                yield neighbour


def action_sequence_law(losses: ArrayLike, eta: ArrayLike) -> Categorical:
    """Exact law of the whole sequence of choices, for few rounds and experts.

    **Returns.** Categorical: over the ``n_experts ** n_rounds`` sequences in lexicographic order.
    **Privacy.** This is the law that :func:`privml.audit.exact` compares on all neighbours.
    **Source.** DR11-thm-11.2, whose output it is.

    Parameters
    ----------
    losses : array_like of shape (n_rounds, n_experts)
        In [0, 1].
    eta : float or array_like of shape (n_rounds,)
        Learning rate, positive; one number, or one per round.

    Examples
    --------
    >>> action_sequence_law([[1, 0], [0, 0]], np.log(3)).pmf().round(4).tolist()
    [0.125, 0.375, 0.125, 0.375]
    """
    losses = checked_losses(losses)
    n_rounds, n_experts = losses.shape
    if n_experts**n_rounds > LARGEST_ENUMERATION:
        raise ValueError(
            f"losses must have at most {LARGEST_ENUMERATION} action sequences, got {n_experts}^{n_rounds}"
        )
    total = np.zeros(1)
    for row in log_action_probabilities(losses, eta):
        total = np.add.outer(total, row).ravel()
    return Categorical(total)


def _grid(above: NDArray[np.float64], resolution: int) -> tuple[float, bool]:
    """Step of a grid from 0, and whether all values are on it; the coarsest that fits, or the finest."""
    width = float(above.max())
    for parts in range(1, resolution + 1):
        places = above * (parts / width)
        if np.abs(places - np.rint(places)).max() < 1e-9:
            return width / parts, True
    return width / resolution, False


def _on_grid(above: NDArray, law: NDArray, step: float, exact: bool) -> NDArray[np.float64]:
    """Law of the place on the grid in each round, shape (n_rounds, n_places); both probabilities kept."""
    places = np.rint(above / step) if exact else np.floor(above / step)
    share = np.clip(np.expm1(places * step - above) / np.expm1(-step), 0.0, 1.0)
    rows, places = np.arange(len(law)), places.astype(int)
    table = np.zeros((len(law), places.max() + 2))
    for i in range(law.shape[1]):
        table[rows, places[:, i]] += law[:, i] * (1 - share[:, i] * (not exact))
        table[rows, places[:, i] + 1] += law[:, i] * share[:, i] * (not exact)
    return table[:, : np.flatnonzero(table.any(axis=0)).max() + 1]


def _curves(total: SumLaw, lowest: float, step: float, exact: bool) -> RunCurves:
    """Curves from the law of the place on the grid; what was lost counts as infinite loss, both ways."""
    with np.errstate(divide="ignore"):
        masses = np.log(np.append(total.masses, total.lost))
    losses = lowest + step * (total.start + np.arange(total.masses.size))
    back = np.append(masses[:-1] - losses, masses[-1])
    return RunCurves(
        PrivacyCurve(np.append(losses, np.inf), masses), PrivacyCurve(np.append(-losses, np.inf), back), exact
    )


def run_curves(first: ArrayLike, second: ArrayLike, eta: ArrayLike, *, resolution: int = 64) -> RunCurves:
    """Exact privacy curves of a whole run on two loss sequences fixed in advance.

    **Returns.** RunCurves: ``delta(epsilon)`` and its inverse; upper bounds if not ``exact``, with an error
    that falls like the square of the resolution.  Deltas below 1e-140 may be reported as that.
    **Privacy.** For this pair; :func:`~privml.learners.experts.run_guarantee` holds for all.
    **Source.** DR11-thm-11.2, made exact.

    Parameters
    ----------
    first, second : array_like of shape (n_rounds, n_experts)
        In [0, 1]; for the promise of privacy they differ in one round, but any two will do.
    eta : float or array_like of shape (n_rounds,)
        Learning rate, positive; one number, or one per round.
    resolution : int, default 64
        Most points of the grid for one round, where no coarser one holds all losses exactly.

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
    first, second = checked_losses(first), checked_losses(second)
    if first.shape != second.shape:
        raise ValueError(f"second must have the shape of first, {first.shape}, got {second.shape}")
    checked_eta(eta, len(first))
    log_p, log_q = log_action_probabilities(first, eta), log_action_probabilities(second, eta)
    loss = log_p - log_q
    lowest = loss.min(axis=1)
    above = loss - lowest[:, None]
    changed = above.max(axis=1) > 1e-14
    if not changed.any():
        nothing = PrivacyCurve([0.0], [0.0])
        return RunCurves(nothing, nothing, True)
    step, exact = _grid(above[changed], resolution)
    table = _on_grid(above[changed], np.exp(log_p[changed]), step, exact)
    if table.shape[0] * (table.shape[1] - 1) > LARGEST_GRID:
        size = table.shape[0] * (table.shape[1] - 1)
        raise ValueError(f"resolution must keep the grid of the run below {LARGEST_GRID}, got {size} points")
    return _curves(convolved(table), float(lowest[changed].sum()), step, exact)
