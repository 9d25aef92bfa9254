"""From a table of raw losses to a learning problem: the range is enforced, by rescaling or by clipping.

Theorems about private learning assume losses in [0, 1].  A loss with values in a public range [a, b] becomes
``(l - a) / (b - a)``: an affine map, which keeps the order of all risks, so that the same hypotheses are best
and an excess risk is divided by b - a.  *Clipping* at b also gives a bounded loss, but of another problem: it
may have another best hypothesis.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml.learnability.base import LearningProblem

_ROUNDING = 1e-9


def _table(losses: ArrayLike) -> NDArray[np.float64]:
    table = check.numbers(losses=losses)
    if table.ndim != 2 or table.size == 0:
        raise ValueError(f"losses must be a table (n_hypotheses, n_records), got shape {table.shape}")
    if np.isnan(table).any():
        raise ValueError("losses must be numbers, got nan")
    return table


def _refuse_outside(table: NDArray, lower: float, upper: float) -> None:
    slack = _ROUNDING * (1 + abs(lower) + abs(upper))
    if table.min() < lower - slack or table.max() > upper + slack:
        raise ValueError(
            f"losses must be in [{lower:g}, {upper:g}], got [{table.min():g}, {table.max():g}]; "
            "give a wider range or clip=True"
        )


def rescaled_problem(
    losses: ArrayLike,
    *,
    upper: float,
    lower: float = 0.0,
    clip: bool = False,
    hypotheses: ArrayLike | None = None,
    records: ArrayLike | None = None,
) -> LearningProblem:
    """The learning problem with the losses of a public range moved to [0, 1].

    The bounds are public: read off the data, they would leak.
    **Returns.** LearningProblem: with losses ``(l - lower) / (upper - lower)``: risks are rescaled, and
    without clipping their order stays.
    **Source.** WLF16-tab-1, made to fit the assumption that all losses lie in [0, 1].

    Parameters
    ----------
    losses : array_like of shape (n_hypotheses, n_records)
        Raw losses.
    upper, lower : float
        Public bounds of the loss, finite, `lower` below `upper`.
    clip : bool, default False
        Whether losses outside the bounds are moved to the nearest one; they are refused otherwise.
    hypotheses, records : array_like, optional
        What they are, as for :class:`~privml.learnability.LearningProblem`.

    Examples
    --------
    >>> rescaled_problem([[0.0, 4.0], [1.0, 1.0]], upper=4.0).losses.tolist()
    [[0.0, 1.0], [0.25, 0.25]]
    >>> rescaled_problem([[0.0, 4.0], [1.0, 1.0]], upper=2.0, clip=True).losses.tolist()
    [[0.0, 1.0], [0.5, 0.5]]
    """
    check.finite(upper=upper, lower=lower)
    if not lower < upper:
        raise ValueError(f"upper must be above lower = {lower!r}, got {upper!r}")
    table = _table(losses)
    if not clip:
        _refuse_outside(table, lower, upper)
    scaled = (np.clip(table, lower, upper) - lower) / (upper - lower)
    return LearningProblem(np.clip(scaled, 0.0, 1.0), hypotheses=hypotheses, records=records)


class RawProblem(NamedTuple):
    """A finite instance before its losses are brought to [0, 1], with a proved public range.

    Attributes
    ----------
    losses : ndarray of shape (n_hypotheses, n_records)
        Raw losses.
    upper, lower : float
        Bounds of the loss that follow from the ranges of records and parameters, not from the table.
    hypotheses, records : array_like or None
        What they are.
    """

    losses: NDArray[np.float64]
    upper: float
    lower: float = 0.0
    hypotheses: NDArray | None = None
    records: NDArray | None = None

    def problem(self) -> LearningProblem:
        """The instance with losses in [0, 1].

        Returns
        -------
        LearningProblem

        Examples
        --------
        >>> RawProblem(np.array([[0.0, 3.0]]), upper=4.0).problem().losses.tolist()
        [[0.0, 0.75]]
        """
        return rescaled_problem(
            self.losses,
            upper=self.upper,
            lower=self.lower,
            hypotheses=self.hypotheses,
            records=self.records,
        )


def square_grid(radius: float, n_values: int = 3) -> NDArray[np.float64]:
    """Points of a square grid in [-radius, radius]^2, the records of several small instances.

    Parameters
    ----------
    radius : float
        Largest absolute value of a coordinate, positive.
    n_values : int, default 3
        Values of each coordinate, at least 2.

    Returns
    -------
    ndarray of shape (n_values ** 2, 2)

    Examples
    --------
    >>> square_grid(1.0, 2).tolist()
    [[-1.0, -1.0], [-1.0, 1.0], [1.0, -1.0], [1.0, 1.0]]
    """
    check.positive(radius=radius)
    check.positive_integer(n_values=n_values)
    if n_values < 2:
        raise ValueError(f"n_values must be at least 2, got {n_values!r}")
    values = np.linspace(-radius, radius, n_values)
    return np.stack(np.meshgrid(values, values, indexing="ij"), axis=-1).reshape(-1, 2)
