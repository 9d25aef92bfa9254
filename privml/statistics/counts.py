"""A histogram and a count with integer noise."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml._records import (
    _finder,
    declared_kind,
    entries,
    kind_of,
    numeric,
    one_value_each,
    or_none,
)
from privml.adjacency import Adjacency
from privml.distributions import DiscreteLaplace, Product
from privml.statistics.estimates import (
    IntegerNoise,
    PrivateEstimate,
    covering,
    half_width,
    per_interval_beta,
)


@dataclass(frozen=True, kw_only=True)
class PrivateHistogram(IntegerNoise):
    r"""How many records are in each of some public categories.

    Independent discrete Laplace noise on each count, of scale 2 / epsilon under replace-one (a record
    that is replaced leaves one cell and enters another), and 1 / epsilon under add-or-remove-one.

    Parameters
    ----------
    categories : sequence, optional
        The public categories, None with edges; NaN, None or NA is that of all gaps.  Others count nowhere.
    edges : sequence of float, optional
        None, or instead: increasing public edges of cells [a, b), the last one with its upper end.
    epsilon : float
        Privacy parameter in nats of the whole histogram, positive.
    beta : float, default 0.05
        Failure probability, in (0, 1): some interval misses.
    adjacency : Adjacency, default REPLACE_ONE
        The neighbouring relation.

    Raises
    ------
    ValueError
        If not exactly one of `categories` and `edges` is given, if the categories are not distinct, or if the
        edges do not increase.

    Notes
    -----
    *Privacy.* The release is epsilon-differentially private under `adjacency`.  This holds for the program as it
    runs, since the noise is drawn exactly.

    *Accuracy.* With probability 1 - beta, all intervals contain their counts at once.

    References
    ----------
    LZCW21-lem-42 on the integers; Dwork and Roth (2014), example 3.2.

    Examples
    --------
    >>> votes = ["tea"] * 30 + ["coffee"] * 50
    >>> print(PrivateHistogram(categories=["tea", "coffee"], epsilon=1.0).release(votes, rng=0))
    tea: 29 in [22, 36]; coffee: 42 in [35, 49] with probability 0.95; 1-differential privacy (replace-one)
    """

    categories: Sequence[object] | None = None
    edges: Sequence[float] | None = None
    epsilon: float
    beta: float = 0.05
    adjacency: Adjacency = Adjacency.REPLACE_ONE

    def __post_init__(self) -> None:
        if (self.categories is None) == (self.edges is None):
            found = "neither" if self.edges is None else "both"
            raise ValueError(
                f"categories or edges must be given, and only one of them, but got {found}. Both are public."
            )
        if self.categories is not None:
            try:
                object.__setattr__(self, "categories", tuple(self.categories))
                distinct = (
                    len({*map(or_none, self.categories)}) == len(self.categories) > 0
                )
            except TypeError:  # no sequence, or of what has no hash
                distinct = False
            if not distinct:
                raise ValueError(
                    f"categories must be distinct, and at least one, but got {self.categories!r}."
                )
        else:
            edges = check.finite_vector(edges=np.asarray(self.edges))
            if edges.size < 2 or (np.diff(edges) <= 0).any():
                raise ValueError(
                    f"edges must be two or more increasing numbers, but got {self.edges!r}."
                )
            object.__setattr__(self, "edges", tuple(edges.tolist()))
        check.probability_open(beta=self.beta)
        _ = self._mechanism

    @property
    def _sensitivity(self) -> int:  # type: ignore[override]
        return 2 if self.adjacency is Adjacency.REPLACE_ONE and self._size > 1 else 1

    @property
    def _size(self) -> int:
        if self.categories is not None:
            return len(self.categories)
        return len(self.edges) - 1  # type: ignore[arg-type]

    @property
    def _labels(self) -> Sequence[object]:
        ends = self.edges or ()
        cells = [
            f"[{a:.15g}, {b:.15g}" + (")" if b < ends[-1] else "]")
            for a, b in pairwise(ends)
        ]
        return self.categories or cells

    def _counts(self, records: ArrayLike) -> NDArray[np.int64]:
        if self.categories is None:
            values = np.asarray(
                numeric("records", one_value_each("records", records)), dtype=float
            ).ravel()
            return np.histogram(
                values[np.isfinite(values)], bins=np.asarray(self.edges)
            )[0].astype(np.int64)
        positions = declared_kind(records)
        known = [c for c in self.categories if or_none(c) is not None]
        if positions is not None and known and positions not in map(kind_of, known):
            advice = (
                " To count numbers in intervals, use edges instead of categories."
                * (positions == "numbers")
            )
            raise ValueError(
                f"records must have the same type as the categories, but got {positions}.{advice}"
            )
        place = _finder(
            np.fromiter([object(), *self.categories], object)
        )  # 0 is of what is none of them
        values = one_value_each("records", records)
        dated = isinstance(values, np.ndarray) and values.dtype.kind in "mM"
        found = entries(values if dated else np.asarray(values, dtype=object))
        places = np.fromiter(map(place, found), np.intp, len(found))
        return np.bincount(places, minlength=self._size + 1)[1:]

    def output_distribution(self, records: ArrayLike) -> Product:
        """The exact law of the integers that are drawn: of a histogram the counts, of running counts noisy sums.

        Parameters
        ----------
        records : array_like
            Private records, one value each; of edges numbers.
        """
        return cast(Product, self._mechanism.output_distribution(self._counts(records)))

    def release(
        self, records: ArrayLike, *, rng: np.random.Generator | int | None = None
    ) -> PrivateEstimate:
        """One draw of noisy counts with their intervals.  Each call spends the guarantee once.

        Parameters
        ----------
        records : array_like
            Private records, one value each; of edges numbers.
        rng : int or Generator, optional
            Generator for all calls, or None: fresh entropy.  A seed gives noise away; used twice, the data.
        """
        counts = self.output_distribution(records).rvs(rng=rng)
        coverage, beta = covering(self.beta)
        reach = half_width(
            DiscreteLaplace(scale=self._mechanism.scale),
            per_interval_beta(beta, self._size),
        )
        return PrivateEstimate(
            counts,
            counts - reach,
            counts + reach,
            coverage,
            self.guarantee,
            self._labels,
        )


@dataclass(frozen=True, kw_only=True)
class PrivateCount(IntegerNoise):
    r"""How many records are true: discrete Laplace noise of scale 1 / epsilon under both relations.

    Parameters
    ----------
    epsilon : float
        Privacy parameter in nats, positive.
    beta : float, default 0.05
        Failure probability, in (0, 1): the interval misses.
    adjacency : Adjacency, default REPLACE_ONE
        The neighbouring relation.

    Notes
    -----
    *Privacy.* The release is epsilon-differentially private under `adjacency`.  This holds for the program as it
    runs, since the noise is drawn exactly.

    *Accuracy.* With probability 1 - beta, the interval contains the number of true records.

    References
    ----------
    LZCW21-lem-42 on the integers.

    Examples
    --------
    >>> print(PrivateCount(epsilon=0.5).release(np.arange(100) < 37, rng=0))
    36 in [30, 42] with probability 0.95; 0.5-differential privacy (replace-one)
    """

    epsilon: float
    beta: float = 0.05
    adjacency: Adjacency = Adjacency.REPLACE_ONE

    def __post_init__(self) -> None:
        check.probability_open(beta=self.beta)
        _ = self._mechanism

    def output_distribution(self, records: ArrayLike) -> DiscreteLaplace:
        """The exact law of the count that is released.

        Parameters
        ----------
        records : array_like
            Private truth values or numbers, one each, as `release` takes them.
        """
        values = one_value_each("records", records)
        if declared_kind(values) == "strings":  # as in a list
            values = np.asarray(values, dtype=object)
        values = np.nan_to_num(numeric("records", values))
        return cast(
            DiscreteLaplace,
            self._mechanism.output_distribution(np.count_nonzero(values)),
        )

    def release(
        self, records: ArrayLike, *, rng: np.random.Generator | int | None = None
    ) -> PrivateEstimate:
        """One draw of the noisy count with its interval.  Each call spends the guarantee once.

        Parameters
        ----------
        records : array_like
            Private truth values, one each, or numbers, of which those not 0 and not NaN count.  A string
            counts only if it spells such a number, as "1" does; count words by PrivateHistogram.
        rng : int or Generator, optional
            Generator for all calls, or None: fresh entropy.  A seed gives noise away; used twice, the data.
        """
        distribution, (coverage, beta) = (
            self.output_distribution(records),
            covering(self.beta),
        )
        count, reach = int(distribution.rvs(rng=rng)), half_width(distribution, beta)
        return PrivateEstimate(
            count, count - reach, count + reach, coverage, self.guarantee
        )


check.wrap_module(__name__)
