"""Bounded range: the privacy loss lies in an interval of known length, wherever that interval is."""

from dataclasses import dataclass, replace

from privml import _check as check
from privml.adjacency import Adjacency
from privml.guarantee.base import Guarantee, rounded_up
from privml.guarantee.concentrated import ConcentratedGuarantee
from privml.guarantee.rho import bounded_range_rho, bounded_range_rho_simple

_CONVERSIONS = {"tight": bounded_range_rho, "simple": bounded_range_rho_simple}


@dataclass(frozen=True)
class BoundedRangeGuarantee:
    """epsilon-bounded-range privacy under a neighbouring relation.

    On neighbouring data sets the privacy losses of any two outcomes differ by at most epsilon.  Since the
    loss is somewhere at least 0 and somewhere at most 0, this implies epsilon-DP; and epsilon-DP, a loss in
    [-epsilon, epsilon], implies only a range of 2 epsilon.  The exponential mechanism has bounded range: its
    loss is a score difference, in [-epsilon / 2, epsilon / 2], plus one number that no outcome changes.

    Parameters
    ----------
    group_size : int, default 1
        The promise holds for data sets that many steps of the relation apart.

    Notes
    -----
    **Source.** Durfee and Rogers (2019), Definition 3.1; for S16-thm-0.1 and L4-exp-mech-privacy.

    Examples
    --------
    >>> exponential = BoundedRangeGuarantee(1.0)
    >>> print(exponential)
    1-bounded-range privacy (replace-one)
    >>> print(exponential.concentrated())
    0.123302-concentrated differential privacy (replace-one)
    """

    epsilon: float
    adjacency: Adjacency = Adjacency.REPLACE_ONE
    group_size: int = 1

    def __post_init__(self) -> None:
        check.non_negative(epsilon=self.epsilon)
        check.instance(Adjacency, adjacency=self.adjacency)
        check.positive_integer(group_size=self.group_size)

    def __str__(self) -> str:
        groups = "" if self.group_size == 1 else f", groups of {self.group_size}"
        return f"{rounded_up(self.epsilon)}-bounded-range privacy ({self.adjacency}{groups})"

    @classmethod
    def from_pure(cls, guarantee: Guarantee) -> "BoundedRangeGuarantee":
        """What a pure guarantee means as a bounded range: twice its epsilon.

        Parameters
        ----------
        guarantee : Guarantee
            With delta 0.

        Returns
        -------
        BoundedRangeGuarantee

        Raises
        ------
        ValueError
            If delta is positive: an event of probability delta may have an infinite privacy loss.

        Examples
        --------
        >>> print(BoundedRangeGuarantee.from_pure(Guarantee(1.0)))
        2-bounded-range privacy (replace-one)
        """
        check.instance(Guarantee, guarantee=guarantee)
        if guarantee.delta > 0:
            raise ValueError(f"guarantee must be pure to have a bounded range, got delta {guarantee.delta!r}")
        return cls(2 * guarantee.epsilon, guarantee.adjacency, guarantee.group_size)

    def pure(self) -> Guarantee:
        """The pure guarantee: the same epsilon.

        Examples
        --------
        >>> print(BoundedRangeGuarantee(1.0).pure())
        1-differential privacy (replace-one)
        """
        return Guarantee(self.epsilon, 0.0, self.adjacency, self.group_size)

    def concentrated(self, *, conversion: str = "tight") -> ConcentratedGuarantee:
        """The concentrated guarantee, about four times better than that of a pure mechanism.

        Parameters
        ----------
        conversion : {"tight", "simple"}
            The smallest rho, or ``epsilon^2 / 8``.

        Returns
        -------
        ConcentratedGuarantee

        Raises
        ------
        ValueError
            If `conversion` is unknown.

        Examples
        --------
        >>> print(BoundedRangeGuarantee(1.0).concentrated(conversion="simple"))
        0.125-concentrated differential privacy (replace-one)
        """
        check.one_of(_CONVERSIONS, conversion=conversion)
        return ConcentratedGuarantee(_CONVERSIONS[conversion](self.epsilon), self.adjacency, self.group_size)

    def implies(self, other: "BoundedRangeGuarantee") -> bool:
        """Whether this guarantee is at least as strong as another one under the same relation.

        Examples
        --------
        >>> BoundedRangeGuarantee(0.5).implies(BoundedRangeGuarantee(1.0))
        True
        """
        check.instance(BoundedRangeGuarantee, other=other)
        same = self.adjacency is other.adjacency and self.group_size >= other.group_size
        return same and self.epsilon <= other.epsilon

    def for_group(self, k: int) -> "BoundedRangeGuarantee":
        """The guarantee for data sets `k` times as many steps apart: ranges add up to ``k epsilon``.

        Returns
        -------
        BoundedRangeGuarantee

        Examples
        --------
        >>> print(BoundedRangeGuarantee(0.5).for_group(2))
        1-bounded-range privacy (replace-one, groups of 2)
        """
        check.positive_integer(k=k)
        return replace(self, epsilon=k * self.epsilon, group_size=k * self.group_size)

    def under(self, adjacency: Adjacency) -> "BoundedRangeGuarantee":
        """The guarantee restated under another relation, where that is possible.

        Returns
        -------
        BoundedRangeGuarantee
            Replacing is two steps of ``ADD_OR_REMOVE_ONE``, so twice the range.

        Raises
        ------
        ValueError
            For the way back: a replace-one guarantee says nothing about data sets of different sizes.

        Examples
        --------
        >>> print(BoundedRangeGuarantee(0.5, Adjacency.ADD_OR_REMOVE_ONE).under(Adjacency.REPLACE_ONE))
        1-bounded-range privacy (replace-one)
        """
        check.instance(Adjacency, adjacency=adjacency)
        if adjacency is self.adjacency:
            return self
        if self.adjacency is Adjacency.REPLACE_ONE:
            raise ValueError(f"adjacency must be replace-one for a replace-one guarantee, got {adjacency}")
        return replace(self, epsilon=2 * self.epsilon, adjacency=adjacency)
