"""What the kinds of promise share: how they print, compare and are restated for other neighbours."""

from dataclasses import fields, replace
from decimal import ROUND_CEILING, Context
from math import exp, expm1, log, log1p
from typing import Self

from privml import _check as check
from privml.adjacency import Adjacency

LARGEST_GROUP = 10**12


def log_expm1(x: float) -> float:
    """Log of e^x - 1 for positive x, also where e^x overflows."""
    return x + log1p(-exp(-x)) if x > 1 else log(expm1(x))


def rounded_up(value: float, digits: int = 6) -> str:
    """Text of a parameter of a promise to some significant digits, never below the value itself.

    >>> rounded_up(0.5), rounded_up(1 / 3), rounded_up(1.0000000001e-6)
    ('0.5', '0.333334', '1.00001e-06')
    """
    above = Context(prec=digits, rounding=ROUND_CEILING).create_decimal(repr(float(value)))
    return f"{float(above):.{digits}g}"


class Promise:
    """What the kinds of promise share: numbers, of which smaller ones promise more, and the neighbours."""

    def _numbers(self) -> dict[str, float]:
        names = (field.name for field in fields(self))
        return {name: getattr(self, name) for name in names if name not in ("adjacency", "group_size")}

    def _after(self, k: int) -> dict[str, float]:
        """The numbers for data sets k times as many steps apart."""
        raise NotImplementedError

    def __post_init__(self) -> None:
        check.non_negative(**self._numbers())
        check.instance(Adjacency, adjacency=self.adjacency)
        check.positive_integer(group_size=self.group_size)

    def _printed(self, name: str) -> str:
        groups = "" if self.group_size == 1 else f", groups of {self.group_size}"
        shown = [rounded_up(number) for key, number in self._numbers().items() if key != "delta" or number]
        numbers = shown[0] if len(shown) == 1 else f"({', '.join(shown)})"
        return f"{numbers}-{name} ({self.adjacency}{groups})"

    def implies(self, other: Self) -> bool:
        """Whether this is at least as strong as another promise of its kind under the same relation.

        False also when the relations differ; convert with :meth:`under` first.

        >>> from privml.guarantee import Guarantee
        >>> Guarantee(0.5).implies(Guarantee(1.0, 1e-9))
        True
        """
        check.instance(type(self), other=other)
        same = self.adjacency is other.adjacency and self.group_size >= other.group_size
        theirs = other._numbers()
        return same and all(number <= theirs[name] for name, number in self._numbers().items())

    def for_group(self, k: int) -> Self:
        """The promise for data sets `k` times as many steps apart.

        ``k epsilon`` and ``delta (e^(k epsilon) - 1) / (e^epsilon - 1)``; ``k^2 rho``; a range ``k epsilon``.

        **Source.** WLF16-eq-group-privacy; Bun and Steinke (2016), Proposition 1.9.

        >>> from privml.guarantee import ConcentratedGuarantee, Guarantee
        >>> print(Guarantee(0.5).for_group(3))
        1.5-differential privacy (replace-one, groups of 3)
        >>> print(ConcentratedGuarantee(0.1).for_group(3))
        0.9-concentrated differential privacy (replace-one, groups of 3)
        """
        check.positive_integer(k=k)
        if k > LARGEST_GROUP:
            raise ValueError(f"k must be at most {LARGEST_GROUP}, got {k!r}")
        return replace(self, **self._after(k), group_size=k * self.group_size)

    def under(self, adjacency: Adjacency) -> Self:
        """The promise restated under another relation, where that is possible.

        Replacing a record removes one and adds one, so two steps of ``ADD_OR_REMOVE_ONE``.  There is no way
        back: a replace-one promise says nothing about data sets of different sizes.

        >>> from privml.guarantee import Guarantee
        >>> print(Guarantee(0.5, adjacency=Adjacency.ADD_OR_REMOVE_ONE).under(Adjacency.REPLACE_ONE))
        1-differential privacy (replace-one)
        """
        check.instance(Adjacency, adjacency=adjacency)
        if adjacency is self.adjacency:
            return self
        if self.adjacency is Adjacency.REPLACE_ONE:
            raise ValueError(f"adjacency must be replace-one for a replace-one guarantee, got {adjacency}")
        return replace(self, **self._after(2), adjacency=adjacency)
