"""What is promised: a privacy guarantee together with its neighbouring relation.

A randomised algorithm A is (epsilon, delta)-differentially private when for all neighbouring data sets
z, z' and all events E::

    Pr[A(z) in E] <= exp(epsilon) * Pr[A(z') in E] + delta.

Two more kinds of promise, concentrated privacy and bounded range, compose better.  The relation is part of
each: it is printed, only like is compared with like, and conversions exist where a theorem allows them.
Numbers print rounded up.

**Post-processing.**  Whatever is done to the answer afterwards keeps the promise, if it does not look at the
data again: for a fixed function f the event "f(A(z)) in E" is the event "A(z) in f^-1(E)", and a randomised f
is a mixture of fixed ones (:func:`privml.divergences.after_channel` shows it on laws).
"""

from dataclasses import dataclass
from math import exp, log
from typing import Self

from privml import _check as check
from privml.adjacency import Adjacency
from privml.guarantee.approximate import concentrated_epsilon, concentrated_epsilon_simple
from privml.guarantee.base import Promise, log_expm1
from privml.guarantee.rho import bounded_range_rho, bounded_range_rho_simple, pure_rho, pure_rho_simple

_EPSILON = {"tight": concentrated_epsilon, "simple": concentrated_epsilon_simple}
_PURE = {"tight": pure_rho, "simple": pure_rho_simple}
_RANGE = {"tight": bounded_range_rho, "simple": bounded_range_rho_simple}


def _checked_pure(guarantee: "Guarantee") -> None:
    """Raise unless delta is 0: else some event may have an infinite privacy loss."""
    check.instance(Guarantee, guarantee=guarantee)
    if guarantee.delta > 0:
        raise ValueError(f"guarantee must be pure, got delta {guarantee.delta!r}")


@dataclass(frozen=True)
class Guarantee(Promise):
    """(epsilon, delta)-differential privacy under a neighbouring relation.

    **Source.** WLF16-def-2 and WLF16-def-27 (replace-one), LZCW21-def-1 (add-or-remove-one), LZCW21-lem-40
    (post-processing, see the module).

    Parameters
    ----------
    delta : float, default 0
        Additive slack in [0, 1]; 0 is pure differential privacy, 1 promises nothing.
    group_size : int, default 1
        The promise holds for data sets that many steps of the relation apart.

    Examples
    --------
    >>> print(Guarantee(0.5, 1e-6, Adjacency.ADD_OR_REMOVE_ONE))
    (0.5, 1e-06)-differential privacy (add-or-remove-one)
    """

    epsilon: float
    delta: float = 0.0
    adjacency: Adjacency = Adjacency.REPLACE_ONE
    group_size: int = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.delta > 1:
            raise ValueError(f"delta must be in the closed interval [0, 1], got {self.delta!r}")

    def __str__(self) -> str:
        return self._printed("differential privacy")

    def _after(self, k: int) -> dict[str, float]:
        """Delta is taken times 1 + e^epsilon + ... + e^((k - 1) epsilon)."""
        total = k * self.epsilon
        if self.delta == 0:
            return {"epsilon": total}
        growth = log(k) if self.epsilon == 0 else log_expm1(total) - log_expm1(self.epsilon)
        return {"epsilon": total, "delta": exp(min(0.0, log(self.delta) + growth))}


@dataclass(frozen=True)
class ConcentratedGuarantee(Promise):
    """rho-concentrated (zero-concentrated) differential privacy under a neighbouring relation.

    For all neighbouring data sets and every order alpha > 1 the Renyi divergence between the output laws is
    at most ``rho alpha``.  Composition adds the rho.

    **Source.** LZCW21-def-50, Definition 50 with xi = 0.

    >>> print(ConcentratedGuarantee(0.2))
    0.2-concentrated differential privacy (replace-one)
    """

    rho: float
    adjacency: Adjacency = Adjacency.REPLACE_ONE
    group_size: int = 1

    def __str__(self) -> str:
        return self._printed("concentrated differential privacy")

    def _after(self, k: int) -> dict[str, float]:
        return {"rho": k * k * self.rho}

    @classmethod
    def from_pure(cls, guarantee: Guarantee, *, conversion: str = "tight") -> Self:
        """What a pure guarantee means as a concentrated one.

        **Source.** LZCW21-lem-52.

        Parameters
        ----------
        conversion : {"tight", "simple"}
            ``epsilon tanh(epsilon / 2)``, or the sources' ``epsilon^2 / 2``.

        Examples
        --------
        >>> print(ConcentratedGuarantee.from_pure(Guarantee(1.0)))
        0.462118-concentrated differential privacy (replace-one)
        """
        check.one_of(_PURE, conversion=conversion)
        _checked_pure(guarantee)
        return cls(_PURE[conversion](guarantee.epsilon), guarantee.adjacency, guarantee.group_size)

    def approximate(self, delta: float, *, conversion: str = "tight") -> Guarantee:
        """The approximate guarantee at a chosen positive delta; there is no pure one.

        **Source.** LZCW21-lem-51.

        Parameters
        ----------
        conversion : {"tight", "simple"}
            Best bound over all orders, or the sources' ``rho + 2 sqrt(rho ln(1 / delta))``.

        Examples
        --------
        >>> for conversion in ("tight", "simple"):
        ...     print(ConcentratedGuarantee(0.2).approximate(1e-5, conversion=conversion))
        (2.81364, 1e-05)-differential privacy (replace-one)
        (3.23486, 1e-05)-differential privacy (replace-one)
        """
        check.one_of(_EPSILON, conversion=conversion)
        if delta == 0 and not isinstance(delta, bool):
            raise ValueError(
                f"delta must be positive: concentrated privacy implies no pure one, got {delta!r}"
            )
        return Guarantee(_EPSILON[conversion](self.rho, delta), delta, self.adjacency, self.group_size)


@dataclass(frozen=True)
class BoundedRangeGuarantee(Promise):
    """epsilon-bounded-range privacy under a neighbouring relation.

    On neighbouring data sets the privacy losses of any two outcomes differ by at most epsilon.  Since the
    loss is somewhere at least 0 and somewhere at most 0, this implies epsilon-DP; and epsilon-DP, a loss in
    [-epsilon, epsilon], implies only a range of 2 epsilon.  The exponential mechanism has bounded range: its
    loss is a score difference, in [-epsilon / 2, epsilon / 2], plus one number that no outcome changes.

    **Source.** Durfee and Rogers (2019), Definition 3.1; for S16-thm-0.1 and L4-exp-mech-privacy.

    >>> print(BoundedRangeGuarantee.from_pure(Guarantee(1.0)))
    2-bounded-range privacy (replace-one)
    """

    epsilon: float
    adjacency: Adjacency = Adjacency.REPLACE_ONE
    group_size: int = 1

    def __str__(self) -> str:
        return self._printed("bounded-range privacy")

    def _after(self, k: int) -> dict[str, float]:
        return {"epsilon": k * self.epsilon}

    @classmethod
    def from_pure(cls, guarantee: Guarantee) -> Self:
        """What a pure guarantee means as a bounded range: twice its epsilon."""
        _checked_pure(guarantee)
        return cls(2 * guarantee.epsilon, guarantee.adjacency, guarantee.group_size)

    def pure(self) -> Guarantee:
        """The pure guarantee: the same epsilon."""
        return Guarantee(self.epsilon, 0.0, self.adjacency, self.group_size)

    def concentrated(self, *, conversion: str = "tight") -> ConcentratedGuarantee:
        """The concentrated guarantee, about four times better than that of a pure mechanism.

        Parameters
        ----------
        conversion : {"tight", "simple"}
            The smallest rho, or ``epsilon^2 / 8``.

        Examples
        --------
        >>> print(BoundedRangeGuarantee(1.0).concentrated())
        0.123302-concentrated differential privacy (replace-one)
        """
        check.one_of(_RANGE, conversion=conversion)
        return ConcentratedGuarantee(_RANGE[conversion](self.epsilon), self.adjacency, self.group_size)
