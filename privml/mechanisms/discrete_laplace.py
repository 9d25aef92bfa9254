r"""Integer noise on integers: the discrete Laplace mechanism.

Counts are integers, and so may be their noise.  Then the answer can be drawn exactly, by integer arithmetic
from random bits (:mod:`privml.coins`), and what is proved of the law holds for what the computer does.
Real-valued statistics join in after rounding to a grid: multiply by a public factor, round, and take the
sensitivity of what results.

A parameter given as a float is read as the exact fraction that it is.
"""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml.adjacency import Adjacency
from privml.coins import SMALLEST_RATE
from privml.distributions import DiscreteLaplace, Product, joint
from privml.divergences.laplace import discrete_laplace_delta
from privml.guarantee import Guarantee
from privml.mechanisms.base import Mechanism, float_at_least


@dataclass(frozen=True, kw_only=True)
class DiscreteLaplaceMechanism(Mechanism):
    r"""Add discrete Laplace noise of scale sensitivity / epsilon to every integer coordinate.

    Each coordinate gets independent noise k with probability proportional to
    :math:`e^{-\varepsilon |k| / \vartheta}`.

    **Privacy.** epsilon-DP under `adjacency`, and not only on paper: draws are exact.  For a number
    :meth:`privacy_curve` is exact too.  The time a draw takes depends on the noise, as does its number of
    random bits; neither depends on the value.
    **Accuracy.** A coordinate is off by at least t, a positive integer, with probability
    ``2 r^t / (1 + r)``, ``r = exp(-epsilon / sensitivity)``.
    **Source.** LZCW21-lem-42 on the integers; Ghosh, Roughgarden and Sundararajan (2009).

    Parameters
    ----------
    sensitivity : int
        L1 sensitivity of the value: the largest sum of absolute changes of its coordinates.

    Examples
    --------
    >>> mechanism = DiscreteLaplaceMechanism(epsilon=0.5, sensitivity=1)
    >>> mechanism.release(100, rng=0), mechanism.release([3, 0, 7], rng=0).tolist()
    (99, [2, 0, 7])
    >>> print(mechanism.guarantee)
    0.5-differential privacy (replace-one)
    """

    epsilon: int | float | Fraction
    sensitivity: int
    adjacency: Adjacency = Adjacency.REPLACE_ONE

    def __post_init__(self) -> None:
        epsilon = check.positive_rational(epsilon=self.epsilon)
        check.positive_integer(sensitivity=self.sensitivity)
        check.instance(Adjacency, adjacency=self.adjacency)
        if epsilon < self.sensitivity * SMALLEST_RATE:
            least = float(self.sensitivity * SMALLEST_RATE)
            raise ValueError(f"epsilon must be at least {least!r} for this sensitivity, got {self.epsilon!r}")

    @property
    def guarantee(self) -> Guarantee:
        """epsilon-differential privacy under the mechanism's own relation."""
        epsilon = check.positive_rational(epsilon=self.epsilon)
        return Guarantee(float_at_least(epsilon), adjacency=self.adjacency)

    @property
    def scale(self) -> Fraction:
        """Scale of the noise, exactly."""
        return int(self.sensitivity) / check.positive_rational(epsilon=self.epsilon)

    def privacy_curve(self, epsilon: ArrayLike) -> NDArray[np.float64] | float:
        """Smallest delta at each epsilon: exact for a number, and an upper bound for a vector."""
        return discrete_laplace_delta(epsilon, self.sensitivity, self.scale)

    def output_distribution(self, value: ArrayLike) -> DiscreteLaplace | Product:
        """Law of the answer.

        Parameters
        ----------
        value : int or array_like of int, shape (n_coordinates,)
            The private value.

        Returns
        -------
        DiscreteLaplace or Product
        """
        return joint(DiscreteLaplace(check.integer_answer(value=value), scale=self.scale))
