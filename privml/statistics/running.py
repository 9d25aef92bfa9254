"""Running counts of records in ordered cells, with noise that nearby counts share."""

from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml._rounding import float_at_most, part
from privml.mechanisms import (
    FactorisationMechanism,
    square_root_strategy,
    tree_strategy,
)
from privml.statistics.counts import PrivateHistogram
from privml.statistics.estimates import PrivateEstimate, covering

STRATEGIES = {"tree": tree_strategy, "square root": square_root_strategy}


@dataclass(frozen=True, eq=False)
class RunningCounts(PrivateEstimate):
    """Private running counts, of which differences answer how many records are in a range of cells.

    The intervals of all running counts hold at once with the probability `coverage`; so do those of all ranges.

    Parameters
    ----------
    value, lower, upper : ndarray
        Estimated running counts, one for each cell with all cells before it, and the ends of their intervals.
    coverage : float
        Probability, over noise, that all intervals hold.
    guarantee : Guarantee
        What the release promises, with all answers that are computed from it.
    labels : sequence or None
        Names of the cells; None without names.
    mechanism : FactorisationMechanism
        Where the noise comes from.
    rounding : float
        What rounding may change of an estimate.
    """

    mechanism: FactorisationMechanism = field(kw_only=True, repr=False)
    rounding: float = field(kw_only=True)

    def range_count(self, first: int, last: int) -> PrivateEstimate:
        """How many records are in the cells from one position to another; it spends nothing.

        The interval is so wide that the intervals of all ranges hold at once: a range may be chosen after looking at
        the release.

        Parameters
        ----------
        first, last : int
            Positions of the first and the last cell, from 0, both included.
        """
        check.non_negative_integer(first=first, last=last)
        n_cells = len(self.value)
        if not first <= last < n_cells:
            raise ValueError(
                f"first and last must be positions with first <= last <= {n_cells - 1}, but got {first} and {last}."
            )
        combination = np.zeros((1, n_cells))
        combination[0, last] = 1
        if first > 0:
            combination[0, first - 1] = -1
        beta = float_at_most(1 - Fraction(cast(float, self.coverage)))
        width = _of_all_ranges(self.mechanism, combination, beta) + 2 * self.rounding
        count = float(combination[0] @ self.value)
        return PrivateEstimate(
            count, count - width, count + width, self.coverage, self.guarantee
        )


def _of_all_ranges(
    mechanism: FactorisationMechanism, combination: NDArray[np.float64], beta: float
) -> float:
    """Half the width of the interval of a range, where those of all ranges shall hold at once."""
    n_cells = combination.size
    each = part(beta, n_cells * (n_cells + 1) // 2)
    return float(mechanism.half_widths(combination, each)[0])


@dataclass(frozen=True, kw_only=True)
class PrivateRunningCounts(PrivateHistogram):
    r"""How many records there are up to each of some ordered cells, and in every range of cells.

    Each record counts in its own cell and in all later running counts.  Noise is added to sums of cells, of which each
    record moves only a few or each by little, and the running counts are assembled from them
    (:class:`privml.mechanisms.FactorisationMechanism`).  Their error grows with the logarithm of the number of cells,
    or a power of it, where that of the sums of a noisy histogram grows with the square root.

    Parameters
    ----------
    categories : sequence, optional
        The public categories in their order, such as all days of a year, None with edges.  Others count nowhere.
    edges : sequence of float, optional
        None, or instead: increasing public edges of cells [a, b), the last one with its upper end.
    epsilon : float
        Privacy parameter in nats of all running counts and ranges together, positive.
    beta : float, default 0.05
        Failure probability, in (0, 1): some interval misses.
    adjacency : Adjacency, default REPLACE_ONE
        The neighbouring relation.
    delta : float, default 0
        Additive slack, in [0, 1); 0 is for Laplace noise, more for Gaussian noise, which is smaller for many cells.
    strategy : {"tree", "square root"}, optional
        The sums that receive noise: blocks of the binary tree, or the square root of the matrix of running counts; None
        takes the one with the smaller largest variance, which does not depend on the data.

    Raises
    ------
    ValueError
        If not exactly one of `categories` and `edges` is given, if the categories are not distinct, or if the
        edges do not increase.

    Notes
    -----
    *Privacy.* The release is (epsilon, delta)-differentially private under `adjacency`, where a record is one event in
    one cell: a person with several events needs the guarantee of a group.  All noise is drawn at once, when all records
    are known.  This holds for the program as it runs, since the noise is drawn exactly.

    *Accuracy.* The estimates are unbiased, with the variances in :attr:`variances`.  With probability 1 - beta, all
    intervals contain their running counts at once, and with probability 1 - beta so do those of all ranges.

    References
    ----------
    Dwork, Naor, Pitassi and Rothblum (2010); Hay, Rastogi, Miklau and Suciu (2010) for the estimate of least squares
    from the tree; Fichtenberger, Henzinger and Upadhyay (2023) for the square root.

    Examples
    --------
    >>> days = np.repeat(np.arange(30), np.arange(30))  # t cases on day t
    >>> cases = PrivateRunningCounts(categories=range(30), epsilon=1.0, delta=1e-6).release(days, rng=0)
    >>> cases.value[[9, 19, 29]].round().tolist()
    [22.0, 203.0, 424.0]
    >>> print(cases.range_count(7, 13))
    66.7 in [20.8, 112.5] with probability 0.95; (1, 1e-06)-differential privacy (replace-one)
    """

    delta: float = 0.0
    strategy: str | None = None

    @cached_property
    def _mechanism(self) -> FactorisationMechanism:  # type: ignore[override]
        check.one_of((None, *STRATEGIES), strategy=self.strategy)
        kinds = STRATEGIES if self.strategy is None else [self.strategy]
        choices = [
            FactorisationMechanism(
                workload=np.tri(self._size),
                strategy=STRATEGIES[kind](self._size),
                epsilon=self.epsilon,
                delta=self.delta,
                adjacency=self.adjacency,
            )
            for kind in kinds
        ]
        return min(choices, key=lambda choice: np.diag(choice.covariance).max())

    @property
    def variances(self) -> NDArray[np.float64]:
        """Variance of the error of each running count, whatever the records are."""
        return np.diag(self._mechanism.covariance)

    def release(
        self, records: ArrayLike, *, rng: np.random.Generator | int | None = None
    ) -> RunningCounts:
        """One draw of all running counts with their intervals.  Each call spends the guarantee once.

        Parameters
        ----------
        records : array_like
            Private records, one value each; of edges numbers.
        rng : int or Generator, optional
            Generator for all calls, or None: fresh entropy.  A seed gives noise away; used twice, the data.
        """
        mechanism = self._mechanism
        sums = self.output_distribution(records).rvs(rng=rng)
        values = mechanism.estimates(sums)
        coverage, beta = covering(self.beta)
        everywhere = np.eye(self._size)
        widths = mechanism.half_widths(everywhere, part(beta, self._size))

        # Where the interval of the last count holds, there are no more records than its upper end.
        reach = _of_all_ranges(mechanism, everywhere[-1:], beta)
        rounding = mechanism.rounding(sums, n_most=2 * (abs(values[-1]) + reach))
        widths += rounding
        return RunningCounts(
            values,
            values - widths,
            values + widths,
            coverage,
            self.guarantee,
            self._labels,
            mechanism=mechanism,
            rounding=rounding,
        )


check.wrap_module(__name__)
