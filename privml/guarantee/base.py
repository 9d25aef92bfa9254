"""What is promised: a privacy guarantee together with its neighbouring relation.

A randomised algorithm A is (epsilon, delta)-differentially private when for all neighbouring data sets
z, z' and all events E::

    Pr[A(z) in E] <= exp(epsilon) * Pr[A(z') in E] + delta.

The relation is part of the statement; a :class:`Guarantee` prints it, compares only like with like, and
converts only where a theorem allows it.

**Post-processing.**  Whatever is done to the answer afterwards keeps the guarantee, with the same numbers, if
it does not look at the data again.  For a fixed function f the event "f(A(z)) in E" is the event "A(z) in
f^-1(E)", to which the promise applies; a randomised f is a mixture of fixed ones, and both sides of the
inequality average.  So no function here takes a guarantee through post-processing: it is the identity
(:func:`privml.divergences.after_channel` lets you see it on laws).
"""

from dataclasses import dataclass, replace
from decimal import ROUND_CEILING, Context
from math import exp, expm1, log, log1p

from privml import _check as check
from privml.adjacency import Adjacency

LARGEST_GROUP = 10**12


def log_expm1(x: float) -> float:
    """Log of e^x - 1 for positive x, also where e^x overflows."""
    return x + log1p(-exp(-x)) if x > 1 else log(expm1(x))


def rounded_up(value: float, digits: int = 6) -> str:
    """Text of a parameter of a promise to some significant digits, never below the value itself.

    Examples
    --------
    >>> rounded_up(0.5), rounded_up(1 / 3), rounded_up(1.0000000001e-6)
    ('0.5', '0.333334', '1.00001e-06')
    """
    above = Context(prec=digits, rounding=ROUND_CEILING).create_decimal(repr(float(value)))
    return f"{float(above):.{digits}g}"


@dataclass(frozen=True)
class Guarantee:
    """(epsilon, delta)-differential privacy under a neighbouring relation; printed rounded up.

    Parameters
    ----------
    delta : float, default 0
        Additive slack in [0, 1]; 0 is pure differential privacy, 1 promises nothing.
    group_size : int, default 1
        The promise holds for data sets that many steps of the relation apart.

    Notes
    -----
    **Source.** WLF16-def-2 and WLF16-def-27 (replace-one), LZCW21-def-1 (add-or-remove-one), LZCW21-lem-40
    (post-processing, see the module).

    Examples
    --------
    >>> print(Guarantee(0.5))
    0.5-differential privacy (replace-one)
    >>> print(Guarantee(0.5, 1e-6, Adjacency.ADD_OR_REMOVE_ONE))
    (0.5, 1e-06)-differential privacy (add-or-remove-one)
    """

    epsilon: float
    delta: float = 0.0
    adjacency: Adjacency = Adjacency.REPLACE_ONE
    group_size: int = 1

    def __post_init__(self) -> None:
        check.non_negative(epsilon=self.epsilon, delta=self.delta)
        if self.delta > 1:
            raise ValueError(f"delta must be in the closed interval [0, 1], got {self.delta!r}")
        check.instance(Adjacency, adjacency=self.adjacency)
        check.positive_integer(group_size=self.group_size)

    def __str__(self) -> str:
        epsilon, delta = rounded_up(self.epsilon), rounded_up(self.delta)
        name = epsilon if self.delta == 0 else f"({epsilon}, {delta})"
        groups = "" if self.group_size == 1 else f", groups of {self.group_size}"
        return f"{name}-differential privacy ({self.adjacency}{groups})"

    def implies(self, other: "Guarantee") -> bool:
        """Whether this guarantee is at least as strong as another one under the same relation.

        Parameters
        ----------
        other : Guarantee
            The guarantee wanted.

        Returns
        -------
        bool
            False also when the relations differ; convert with :meth:`under` first.

        Examples
        --------
        >>> Guarantee(0.5).implies(Guarantee(1.0, 1e-9))
        True
        """
        check.instance(Guarantee, other=other)
        return (
            self.adjacency is other.adjacency
            and self.group_size >= other.group_size
            and self.epsilon <= other.epsilon
            and self.delta <= other.delta
        )

    def _steps(self, k: int) -> tuple[float, float]:
        """After k steps: k epsilon, and delta times 1 + e^epsilon + ... + e^((k-1) epsilon)."""
        if k > LARGEST_GROUP:
            raise ValueError(f"k must be at most {LARGEST_GROUP}, got {k!r}")
        if self.delta == 0:
            return k * self.epsilon, 0.0
        log_total = log(k) if self.epsilon == 0 else log_expm1(k * self.epsilon) - log_expm1(self.epsilon)
        return k * self.epsilon, exp(min(0.0, log(self.delta) + log_total))

    def for_group(self, k: int) -> "Guarantee":
        """The guarantee for data sets `k` times as many steps apart.

        Returns
        -------
        Guarantee
            With epsilon k and delta (exp(k epsilon) - 1) / (exp(epsilon) - 1).

        Notes
        -----
        **Source.** WLF16-eq-group-privacy; the source then bounds the quotient by ``k exp((k - 1) epsilon)``.

        Examples
        --------
        >>> print(Guarantee(0.5).for_group(3))
        1.5-differential privacy (replace-one, groups of 3)
        """
        check.positive_integer(k=k)
        epsilon, delta = self._steps(k)
        return replace(self, epsilon=epsilon, delta=delta, group_size=k * self.group_size)

    def under(self, adjacency: Adjacency) -> "Guarantee":
        """The guarantee restated under another relation, where that is possible.

        Replacing a record removes one and adds one, so two steps of ``ADD_OR_REMOVE_ONE``.

        Raises
        ------
        ValueError
            For the way back: a replace-one guarantee says nothing about data sets of different sizes.

        Examples
        --------
        >>> print(Guarantee(0.5, adjacency=Adjacency.ADD_OR_REMOVE_ONE).under(Adjacency.REPLACE_ONE))
        1-differential privacy (replace-one)
        """
        check.instance(Adjacency, adjacency=adjacency)
        if adjacency is self.adjacency:
            return self
        if self.adjacency is Adjacency.REPLACE_ONE:
            raise ValueError(f"adjacency must be replace-one for a replace-one guarantee, got {adjacency}")
        epsilon, delta = self._steps(2)
        return replace(self, epsilon=epsilon, delta=delta, adjacency=adjacency)
