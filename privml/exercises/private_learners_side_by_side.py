"""Checkers for the exercises of the chapter that compares private learners."""

from collections.abc import Callable, Sequence
from itertools import product
from math import log1p

import numpy as np
from numpy.typing import ArrayLike

from privml.experiments.private_learners_side_by_side import unsquared_losses
from privml.learners.perturbation import CutLogisticLoss, line_minimiser, output_sensitivity

__all__ = ["check_budget", "check_apart", "check_noise", "check_radius"]


def _demand(condition: bool, hint: str) -> None:
    if not condition:
        raise AssertionError(hint)


def check_noise(noise: Callable) -> None:
    """Check draws of radial Laplace noise.

    Parameters
    ----------
    noise : callable
        From (dimension, scale, rng) to one vector with density proportional to ``exp(-|b| / scale)``.

    Raises
    ------
    AssertionError
        If the mean length or the mean square is off, or a direction is preferred.

    Examples
    --------
    >>> check_noise(lambda dimension, scale, rng: rng.laplace(scale=scale, size=dimension))
    Traceback (most recent call last):
    AssertionError: d = 5: the mean length is 2.89 times the scale, should be 5
    """
    rng = np.random.default_rng(0)
    for d, scale in ((5, 2.0), (1, 0.5), (20, 1.0)):
        drawn = np.array([noise(d, scale, rng) for _ in range(3000)])
        _demand(drawn.shape == (3000, d), f"d = {d}: one draw should have shape ({d},)")
        lengths = np.linalg.norm(drawn, axis=1) / scale
        mean, square = lengths.mean(), (lengths**2).mean()
        _demand(
            abs(mean - d) < 5 * np.sqrt(d / 3000),
            f"d = {d}: the mean length is {mean:.2f} times the scale, should be {d}",
        )
        _demand(
            abs(square / (d * (d + 1)) - 1) < 0.15,
            f"d = {d}: the mean square is {square:.1f} times the squared scale, should be {d * (d + 1)}",
        )
        bias = abs(drawn.mean(axis=0)).max() / (scale * np.sqrt(d + 1))
        _demand(bias < 5 / np.sqrt(3000), f"d = {d}: the directions are not uniform")


def check_budget(total: Callable[[float, float], float]) -> None:
    """Check the least total strength that leaves a given share of epsilon for the tilt.

    Parameters
    ----------
    total : callable
        From (epsilon, share) to kappa, for smoothness 1/4.

    Raises
    ------
    AssertionError
        If another share is left.

    Examples
    --------
    >>> check_budget(lambda epsilon, share: 0.25 / ((1 - share) * epsilon))
    Traceback (most recent call last):
    AssertionError: ε = 0.5, share 0.5: with κ = 1 a share of 0.554 is left
    """
    for epsilon, share in product((0.5, 1.0, 3.0), (0.5, 0.9)):
        found = float(total(epsilon, share))
        left = 1 - log1p(0.25 / found) / epsilon
        _demand(
            abs(left - share) < 1e-9,
            f"ε = {epsilon}, share {share}: with κ = {found:.4g} a share of {left:.3f} is left",
        )


def check_radius(radius: int) -> None:
    """Check the first whole radius at which the rule without the square loses more than it claims.

    Parameters
    ----------
    radius : int
        Least R with an exact loss above 1, for a claim of 1 and a total strength of 1.

    Raises
    ------
    AssertionError
        If the loss is at most 1 there, or above 1 one step earlier.

    Examples
    --------
    >>> check_radius(5)
    Traceback (most recent call last):
    AssertionError: at R = 5 the exact loss is 0.80, as claimed
    """
    _demand(isinstance(radius, int | np.integer) and radius >= 2, "a whole number above 1 is wanted")
    before, here = unsquared_losses(1.0, [radius - 1.0, float(radius)])["without the square"]
    _demand(here > 1, f"at R = {radius} the exact loss is {here:.2f}, as claimed")
    _demand(before <= 1, f"at R = {radius - 1} the exact loss is {before:.2f}, too much already")


def check_apart(pair: Sequence[ArrayLike]) -> None:
    """Check two neighbouring data sets on a line whose minimisers are nearly as far apart as can be.

    Parameters
    ----------
    pair : sequence of two array_like
        Signed rows in [-1, 1], the same number, which differ in one place; strength 1, slope 1/2.

    Raises
    ------
    AssertionError
        If they are no neighbours, or their minimisers are less than 9/10 of the sensitivity apart.

    Examples
    --------
    >>> check_apart([[1.0, 1.0], [1.0, -1.0]])
    Traceback (most recent call last):
    AssertionError: the minimisers are 0.80 of the sensitivity apart
    """
    rows = [np.asarray(part, dtype=float) for part in pair]
    _demand(len(rows) == 2 and rows[0].shape == rows[1].shape, "two data sets of one size are wanted")
    _demand(all(abs(part).max() <= 1 for part in rows), "rows lie in [-1, 1]")
    _demand(int((rows[0] != rows[1]).sum()) == 1, "the data sets differ in one place")
    n = len(rows[0])
    found = [line_minimiser(part, CutLogisticLoss(0.5), float(n)) for part in rows]
    share = abs(found[0] - found[1]) / output_sensitivity(n, 1.0)
    _demand(share >= 0.9, f"the minimisers are {share:.2f} of the sensitivity apart")
