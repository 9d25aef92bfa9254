"""Concentrated differential privacy: a bound on every Renyi divergence at once."""

from dataclasses import dataclass, replace

from privml import _check as check
from privml.adjacency import Adjacency
from privml.guarantee.approximate import concentrated_epsilon, concentrated_epsilon_simple
from privml.guarantee.base import Guarantee, rounded_up
from privml.guarantee.rho import pure_rho, pure_rho_simple

_CONVERSIONS = {"tight": concentrated_epsilon, "simple": concentrated_epsilon_simple}
_PURE = {"tight": pure_rho, "simple": pure_rho_simple}


@dataclass(frozen=True)
class ConcentratedGuarantee:
    """rho-concentrated (zero-concentrated) differential privacy under a neighbouring relation.

    For all neighbouring data sets and every order alpha > 1 the Renyi divergence between the output laws is
    at most ``rho alpha``.  Composition adds the rho.

    Parameters
    ----------
    group_size : int, default 1
        The promise holds for data sets that many steps of the relation apart.

    Notes
    -----
    **Source.** LZCW21-def-50, Definition 50 with xi = 0.

    Examples
    --------
    >>> print(ConcentratedGuarantee(0.2))
    0.2-concentrated differential privacy (replace-one)
    >>> print(ConcentratedGuarantee(0.2).approximate(1e-5))
    (2.81364, 1e-05)-differential privacy (replace-one)
    """

    rho: float
    adjacency: Adjacency = Adjacency.REPLACE_ONE
    group_size: int = 1

    def __post_init__(self) -> None:
        check.non_negative(rho=self.rho)
        check.instance(Adjacency, adjacency=self.adjacency)
        check.positive_integer(group_size=self.group_size)

    def __str__(self) -> str:
        groups = "" if self.group_size == 1 else f", groups of {self.group_size}"
        return f"{rounded_up(self.rho)}-concentrated differential privacy ({self.adjacency}{groups})"

    @classmethod
    def from_pure(cls, guarantee: Guarantee, *, conversion: str = "tight") -> "ConcentratedGuarantee":
        """What a pure guarantee means as a concentrated one.

        Parameters
        ----------
        guarantee : Guarantee
            With delta 0.
        conversion : {"tight", "simple"}
            ``epsilon tanh(epsilon / 2)``, or the sources' ``epsilon^2 / 2``.

        Returns
        -------
        ConcentratedGuarantee

        Raises
        ------
        ValueError
            If delta is positive: an event of probability delta may have an infinite privacy loss, and then
            every Renyi divergence is infinite.

        Notes
        -----
        **Source.** LZCW21-lem-52.

        Examples
        --------
        >>> print(ConcentratedGuarantee.from_pure(Guarantee(1.0)))
        0.462118-concentrated differential privacy (replace-one)
        """
        check.instance(Guarantee, guarantee=guarantee)
        check.one_of(_PURE, conversion=conversion)
        if guarantee.delta > 0:
            raise ValueError(f"guarantee must be pure to be concentrated, got delta {guarantee.delta!r}")
        return cls(_PURE[conversion](guarantee.epsilon), guarantee.adjacency, guarantee.group_size)

    def approximate(self, delta: float, *, conversion: str = "tight") -> Guarantee:
        """The approximate guarantee at a chosen delta.

        Parameters
        ----------
        conversion : {"tight", "simple"}
            Best bound over all orders, or the sources' ``rho + 2 sqrt(rho ln(1 / delta))``.

        Raises
        ------
        ValueError
            For delta = 0 as well: concentrated privacy lets the privacy loss be unbounded.

        Notes
        -----
        **Source.** LZCW21-lem-51.

        Examples
        --------
        >>> print(ConcentratedGuarantee(0.2).approximate(1e-5, conversion="simple"))
        (3.23486, 1e-05)-differential privacy (replace-one)
        """
        check.one_of(_CONVERSIONS, conversion=conversion)
        if delta == 0 and not isinstance(delta, bool):
            raise ValueError(
                f"delta must be positive: concentrated privacy implies no pure one, got {delta!r}"
            )
        return Guarantee(_CONVERSIONS[conversion](self.rho, delta), delta, self.adjacency, self.group_size)

    def implies(self, other: "ConcentratedGuarantee") -> bool:
        """Whether this guarantee is at least as strong as another one under the same relation.

        Examples
        --------
        >>> ConcentratedGuarantee(0.1).implies(ConcentratedGuarantee(0.2))
        True
        """
        check.instance(ConcentratedGuarantee, other=other)
        same = self.adjacency is other.adjacency and self.group_size >= other.group_size
        return same and self.rho <= other.rho

    def for_group(self, k: int) -> "ConcentratedGuarantee":
        """The guarantee for data sets `k` times as many steps apart: ``k^2 rho``.

        Returns
        -------
        ConcentratedGuarantee

        Notes
        -----
        **Source.** Bun and Steinke (2016), Proposition 1.9.

        Examples
        --------
        >>> print(ConcentratedGuarantee(0.1).for_group(3))
        0.9-concentrated differential privacy (replace-one, groups of 3)
        """
        check.positive_integer(k=k)
        return replace(self, rho=k * k * self.rho, group_size=k * self.group_size)

    def under(self, adjacency: Adjacency) -> "ConcentratedGuarantee":
        """The guarantee restated under another relation, where that is possible.

        Returns
        -------
        ConcentratedGuarantee
            Replacing is two steps of ``ADD_OR_REMOVE_ONE``, so four times the rho.

        Raises
        ------
        ValueError
            For the way back: a replace-one guarantee says nothing about data sets of different sizes.

        Examples
        --------
        >>> print(ConcentratedGuarantee(0.1, Adjacency.ADD_OR_REMOVE_ONE).under(Adjacency.REPLACE_ONE))
        0.4-concentrated differential privacy (replace-one)
        """
        check.instance(Adjacency, adjacency=adjacency)
        if adjacency is self.adjacency:
            return self
        if self.adjacency is Adjacency.REPLACE_ONE:
            raise ValueError(f"adjacency must be replace-one for a replace-one guarantee, got {adjacency}")
        return replace(self, rho=4 * self.rho, adjacency=adjacency)
