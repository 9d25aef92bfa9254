r"""Answering exactly where the data are stable: the distance-to-instability mechanism.

A function f of the data is *k-stable* on z when it takes the same value on every data set within k steps
of z.  Its *stability radius* on z, the largest such k, changes by at most 1 between neighbours, whatever f
is.  So the radius may be compared privately with a threshold, and where it passes, f(z) itself may be
released without noise: a neighbour would have given the same answer.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import log
from typing import Any

import numpy as np

from privml import _check as check
from privml import adjacency as neighbours
from privml.adjacency import Adjacency
from privml.distributions import Categorical, Laplace
from privml.mechanisms.base import ApproximateMechanism


@dataclass(frozen=True, kw_only=True)
class DistanceToInstability(ApproximateMechanism):
    r"""Release f(z) if its noisy stability radius passes a threshold, else refuse.

    If ``radius`` is the stability radius of f on z, f(z) is released if :math:`\mathrm{radius} +
    \mathrm{Lap}(1/\varepsilon) > \Gamma` with :math:`\Gamma = \ln(1/(2\delta))/\varepsilon`.

    Parameters
    ----------
    epsilon : float
        Privacy parameter in nats, positive.
    delta : float
        Additive slack, in (0, 1), below 1/2.
    n_answers : int, default 2
        Number of values that f can take, a positive integer.
    threshold : float, optional
        Gamma, a finite number; None is the least that keeps the promise.
    adjacency : Adjacency
        Neighbouring relation.

    Raises
    ------
    ValueError
        If the threshold is too small for epsilon and delta.

    Notes
    -----
    *Privacy.* The release is (epsilon, delta)-differentially private under `adjacency`.  If f differs between two
    neighbours, both radii are 0, and an answer has probability ``exp(-epsilon Gamma) / 2``.

    *Accuracy.* See :func:`privml.bounds.stable_answer_radius`.

    References
    ----------
    LZCW21-alg-7, LZCW21-lem-48, whose threshold is larger by ``ln(2) / epsilon``; Smith and Thakurta
    (2013).

    Examples
    --------
    >>> mechanism = DistanceToInstability(epsilon=1.0, delta=1e-3)
    >>> mechanism.output_distribution((1, 12)).pmf().round(6).tolist()
    [0.0, 0.998464, 0.001536]
    """

    epsilon: float
    delta: float
    n_answers: int = 2
    threshold: float = None  # type: ignore[assignment]  # then the smallest
    adjacency: Adjacency = Adjacency.REPLACE_ONE

    def __post_init__(self) -> None:
        check.standard_ranges(
            epsilon=self.epsilon, delta=self.delta, n_answers=self.n_answers
        )
        if self.delta >= 0.5:
            raise ValueError(f"delta must be less than 1/2, but got {self.delta!r}.")
        check.instance(Adjacency, adjacency=self.adjacency)
        smallest = -log(2 * self.delta) / self.epsilon
        if self.threshold is None:
            object.__setattr__(self, "threshold", smallest)
        check.finite(threshold=self.threshold)
        if self.threshold < smallest:
            raise ValueError(
                f"threshold must be at least {smallest!r}, but got {self.threshold!r}."
            )

    def answer_probability(self, radius: int) -> float:
        """Probability that an answer with the stability `radius`, a non-negative integer, is released."""
        check.non_negative_integer(radius=radius)
        return float(
            Laplace(scale=1 / self.epsilon).sf(self.threshold - min(radius, 2**62))
        )

    def output_distribution(self, value: tuple[int, int]) -> Categorical:
        """Law over the answers and, last, the refusal; `value` is an answer's index and stability radius."""
        if not isinstance(value, tuple) or len(value) != 2:  # type: ignore[redundant-expr]
            raise ValueError(
                f"value must be a pair, the answer and its radius, but got {type(value)}."
            )
        answer, radius = value
        for entry in value:
            check.non_negative_integer(value=entry)
        if answer >= self.n_answers:
            raise ValueError(
                f"value must begin with an answer less than {self.n_answers}, but got a larger one."
            )
        noise, needed = (
            Laplace(scale=1 / self.epsilon),
            self.threshold - min(radius, 2**62),
        )
        log_distribution = np.full(self.n_answers + 1, -np.inf)
        log_distribution[answer], log_distribution[-1] = (
            noise.logsf(needed),
            noise.logcdf(needed),
        )
        return Categorical(log_distribution)


def stability_radius(
    function: Callable[[Any], object],
    universe: object,
    n_samples: int,
    *,
    adjacency: Adjacency = Adjacency.REPLACE_ONE,
    largest: int = 8,
) -> dict[tuple[int, ...], int]:
    """Stability radius of a symmetric function on every data set of one size, by brute force.

    Parameters
    ----------
    function : callable
        From a data set, in the structure of `universe`, to a value that can be compared.
    universe : ndarray or tuple of ndarray
        The possible records, along the first axis.
    n_samples : int
        Number of records, a positive integer.
    adjacency : Adjacency
        Neighbouring relation.
    largest : int, default 8
        Where to stop, a positive integer; a radius of `largest` means at least that.

    Returns
    -------
    dict
        From the sorted record indices of a data set to its radius, which is 0 if the value differs on some
        neighbour.

    Notes
    -----
    *Privacy.* The radius has sensitivity 1 under `adjacency`, whatever the function.

    References
    ----------
    LZCW21-def-47.

    Examples
    --------
    The majority of three bits, ties excluded:

    >>> radius = stability_radius(lambda z: z.sum() >= 2, np.array([0, 1]), 3)
    >>> sorted(radius.items())
    [((0, 0, 0), 1), ((0, 0, 1), 0), ((0, 1, 1), 0), ((1, 1, 1), 1)]
    """
    check.function(function=function)
    check.positive_integer(n_samples=n_samples, largest=largest)
    check.at_most(10**6, largest=largest)
    check.instance(Adjacency, adjacency=adjacency)
    spread = 0 if adjacency is Adjacency.REPLACE_ONE else largest
    sizes = range(max(0, n_samples - spread), n_samples + spread + 1)
    n_points = neighbours.universe_size(universe)
    datasets = [row for size in sizes for row in neighbours.multisets(n_points, size)]
    counts = np.array([np.bincount(row, minlength=n_points) for row in datasets])
    values = [function(neighbours.records(universe, row)) for row in datasets]
    differs, radii = np.array([[a != b for b in values] for a in values]), {}
    for row, count, other in zip(datasets, counts, differs, strict=True):
        if len(row) == n_samples:
            steps = np.abs(counts - count).sum(axis=1)
            steps = steps // 2 if adjacency is Adjacency.REPLACE_ONE else steps
            radii[tuple(row.tolist())] = int(
                min(steps[other].min(initial=largest + 1) - 1, largest)
            )
    return radii


check.wrap_module(__name__)
