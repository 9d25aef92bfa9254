"""Checkers for the exercises of the chapter on paying only for unstable queries."""

from collections.abc import Callable
from math import exp

from privml.experiments.unstable_queries import margins_needed
from privml.mechanisms.sparse_vector.base import Noise
from privml.pate import SparseVectorAggregator, vote_threshold

__all__ = ["check_crossing", "check_halt", "check_threshold"]

CALIBRATED = {"cutoff": 1, "epsilon": 1.0, "delta": 1e-4}


def _demand(condition: bool, hint: str) -> None:
    if not condition:
        raise AssertionError(hint)


def check_threshold(closed_threshold: Callable[[int, float, float], float]) -> None:
    """Check a closed form of the least threshold for noises of scales a and 2 a.

    Parameters
    ----------
    closed_threshold : callable
        From (cutoff, scale, slack) to the threshold that points of distance 0 pass with probability
        ``slack / cutoff``.

    Raises
    ------
    AssertionError
        If it differs from the numerical solution.

    Examples
    --------
    >>> from math import log
    >>> check_threshold(lambda cutoff, scale, slack: 2 * scale * log(2 * cutoff / (3 * slack)))
    Traceback (most recent call last):
    AssertionError: T = 1, a = 1.0, γ = 0.1: 3.794240, but it is 3.714631
    """
    for cutoff, scale, slack in ((1, 1.0, 0.1), (20, 49.0, 5e-7), (3, 0.2, 1e-12)):
        exact = vote_threshold(cutoff, Noise(scale, 2 * scale), 2 * slack)
        given = closed_threshold(cutoff, scale, slack)
        case = f"T = {cutoff}, a = {scale}, γ = {slack:g}"
        _demand(abs(given - exact) < 1e-9 * exact, f"{case}: {given:.6f}, but it is {exact:.6f}")


def check_crossing(crossing: int) -> None:
    """Check the number of labels from which on a sparse vector needs a smaller margin than Gaussian noise.

    Parameters
    ----------
    crossing : int
        For cut-off 10, epsilon 2, delta 1e-6 and beta 1/20.

    Raises
    ------
    AssertionError
        If the sparse vector is not cheaper there, or was so before.

    Examples
    --------
    >>> check_crossing(100)
    Traceback (most recent call last):
    AssertionError: at 100 labels Gaussian noise needs the smaller margin
    """
    table = margins_needed([crossing - 1, crossing], [10], 2.0, 1e-6, 0.05)
    cheaper = table["margin"].to_numpy().reshape(2, 2) @ [1, -1] > 0
    _demand(bool(cheaper[1]), f"at {crossing} labels Gaussian noise needs the smaller margin")
    _demand(not cheaper[0], f"at {crossing - 1} labels the sparse vector is the cheaper one already")


def check_halt(n_points: int, distance: int) -> None:
    """Check an event that betrays a sparse vector that never halts.

    Parameters
    ----------
    n_points : int
        Number of equal points, all without an answer.
    distance : int
        Their distance on z; on z' it is one more.

    Raises
    ------
    AssertionError
        If the event is no breach of what is claimed.

    Examples
    --------
    >>> check_halt(2, 16)
    Traceback (most recent call last):
    AssertionError: P(E) = 0.988 and P'(E) = 0.984 are no breach: the excess is -1.69
    """
    one = SparseVectorAggregator(**CALIBRATED)
    chances = [one.label_law([[0, 2 * d + 2]])[0, -1] ** n_points for d in (distance, distance + 1)]
    excess = chances[0] - exp(CALIBRATED["epsilon"]) * chances[1]
    laws = f"P(E) = {chances[0]:.3g} and P'(E) = {chances[1]:.3g}"
    _demand(excess > CALIBRATED["delta"], f"{laws} are no breach: the excess is {excess:.3g}")
