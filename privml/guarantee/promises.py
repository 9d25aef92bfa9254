"""What is promised: a privacy guarantee together with its neighbouring relation.

A randomised algorithm A is (epsilon, delta)-differentially private when for all neighbouring data sets
z, z' and all events E::

    Pr[A(z) in E] <= exp(epsilon) * Pr[A(z') in E] + delta.

Three more kinds of promise, concentrated privacy, Gaussian privacy and bounded range, compose better.  Each is a
frozen value that prints its relation, with numbers rounded up, and compares only like with like.  Theorems
convert them, and each kind has the methods ``as_pure``, ``as_gaussian``, ``as_concentrated`` and
``as_approximate``, which raise where no theorem leads::

    bounded range  ->  pure  ->  Gaussian  ->  concentrated  ->  approximate

Several arrows may be taken at once, and where a theorem of its own is better, it is used.

**Post-processing**, all that does not look at the data again, keeps the promise (``divergences`` shows it).
"""

from abc import abstractmethod
from dataclasses import dataclass, fields, replace
from math import exp, expm1, inf, log, log1p
from typing import Self

from privml import _check as check
from privml._display import html_card, rounded_up
from privml._rounding import product
from privml._rounding import total as sum_up
from privml.adjacency import Adjacency
from privml.divergences.noise import gaussian_epsilon
from privml.guarantee.conversions import (
    CONVERSIONS,
    bounded_range_rho,
    concentrated_epsilon,
    gaussian_rho,
    log_expm1,
    pure_mu,
    pure_rho,
)

HOLDERS = "a guarantee, or a mechanism, an answer or a fitted learner that has one"


def require_one_relation(
    name: str, relations: set[tuple[Adjacency, int]]
) -> tuple[Adjacency, int]:
    """The one relation and group size of what is composed; of several, raise and say how to restate them."""
    if len(relations) > 1:
        different = " and ".join(
            sorted(f"{adjacency}, groups of {size}" for adjacency, size in relations)
        )
        mixed_relations, mixed_sizes = (
            len(set(values)) > 1 for values in zip(*relations, strict=True)
        )
        loss = "(a loss only after numerical_composition(loss, delta=...)) " * (
            name == "releases"
        )
        remedies = []
        if mixed_relations:
            remedies.append(
                f"those that add or remove records {loss}with guarantee.under(Adjacency.REPLACE_ONE)"
            )
        if mixed_sizes:
            remedies.append(
                "those about smaller groups with guarantee.for_group(k), until all sizes are equal"
            )
        convert = (
            "Construct all with one adjacency and its sensitivity, or convert"
            if mixed_relations
            else "Convert"
        )
        raise ValueError(
            f"{name} must be about the same neighbours, but got {different}. {convert} {' and '.join(remedies)}."
        )
    return next(iter(relations))


def require_guarantee(
    name: str, candidate: object, expected: str = HOLDERS, advice: str = ""
) -> "Guarantee":
    """A guarantee, or that of a mechanism, an answer or a fitted learner; of anything else raise."""
    guarantee = getattr(
        candidate, "guarantee", getattr(candidate, "privacy_", candidate)
    )
    if not isinstance(guarantee, Guarantee):
        raise ValueError(
            f"{name} must be {expected}, but got a value of type {type(candidate).__name__}.{advice}"
        )
    return guarantee


class _Promise:
    """What the kinds of promise share: numbers, of which smaller ones promise more, and the neighbours."""

    _name = ""
    adjacency: Adjacency
    group_size: int

    def _numbers(self) -> dict[str, float]:
        names = (field.name for field in fields(self))  # type: ignore[arg-type]  # the kinds are dataclasses
        return {
            name: getattr(self, name)
            for name in names
            if name not in ("adjacency", "group_size")
        }

    def _group_numbers(self, k: int) -> dict[str, float]:
        """The numbers for data sets k times as many steps apart."""
        return {name: product(k, number) for name, number in self._numbers().items()}

    def __post_init__(self) -> None:
        check.non_negative(**self._numbers())
        check.instance(Adjacency, adjacency=self.adjacency)
        check.positive_integer(group_size=self.group_size)

    def __str__(self) -> str:
        groups = ""
        if self.group_size > 1:
            groups = f", a person or group with at most {self.group_size} records"
        texts = [
            rounded_up(number)
            for key, number in self._numbers().items()
            if key != "delta" or number
        ]
        numbers = texts[0] if len(texts) == 1 else f"({', '.join(texts)})"
        return f"{numbers}-{self._name} ({self.adjacency}{groups})"

    def _repr_html_(self) -> str:
        promise, _, relation = str(self).rpartition(" (")
        return html_card(promise, note=relation.removesuffix(")"))

    def implies(self, other: Self) -> bool:
        """Whether this is at least as strong as another promise of its kind under the same relation.

        False also when the relations differ; convert with :meth:`under` first.

        Parameters
        ----------
        other : Guarantee
            Promise of the same kind.
        """
        check.instance(type(self), other=other)
        same = self.adjacency is other.adjacency and self.group_size >= other.group_size
        theirs = other._numbers()
        return same and all(
            number <= theirs[name] for name, number in self._numbers().items()
        )

    def for_group(self, k: int) -> Self:
        """The promise for all records of a person who has at most `k`, or of a group of so many people.

        Data sets are then `k` times as many steps apart. This gives ``k epsilon`` and
        ``delta (e^(k epsilon) - 1) / (e^epsilon - 1)``; ``k mu``; ``k^2 rho``; a range ``k epsilon``.

        Parameters
        ----------
        k : int
            Number of records of a group, a positive integer.

        References
        ----------
        WLF16-eq-group-privacy; Bun and Steinke (2016), Proposition 1.9.

        Examples
        --------
        >>> print(Guarantee(0.5).for_group(3))
        1.5-differential privacy (replace-one, a person or group with at most 3 records)
        """
        check.positive_integer(k=k)
        check.at_most(10**12, k=k)  # far above any number of records
        return replace(self, **self._group_numbers(k), group_size=k * self.group_size)  # type: ignore[type-var]

    def under(self, adjacency: Adjacency) -> Self:
        """The promise restated under another relation, where that is possible.

        Replacing a record removes one and adds one, so two steps of ``ADD_OR_REMOVE_ONE``.  There is no way
        back: a replace-one promise says nothing about data sets of different sizes.

        Parameters
        ----------
        adjacency : Adjacency
            Neighbouring relation, replace-one.

        Examples
        --------
        >>> print(Guarantee(0.5, adjacency=Adjacency.ADD_OR_REMOVE_ONE).under(Adjacency.REPLACE_ONE))
        1-differential privacy (replace-one)
        """
        check.instance(Adjacency, adjacency=adjacency)
        if adjacency is self.adjacency:
            return self
        if self.adjacency is Adjacency.REPLACE_ONE:
            raise ValueError(
                f"adjacency must be replace-one for a replace-one guarantee, but got {adjacency}."
            )
        return replace(self, **self._group_numbers(2), adjacency=adjacency)  # type: ignore[type-var]

    def as_pure(self) -> "Guarantee":
        """The same promise as a pure one, with the smallest epsilon that it implies.

        Raises
        ------
        ValueError
            If the promise is neither pure nor of bounded range, since the others allow rare outcomes whose loss
            has no bound.
        """
        raise ValueError(
            f"guarantee must be pure or bounded-range for as_pure, but got {self}. Use as_approximate(delta) for a "
            "guarantee with a delta."
        )

    def as_gaussian(self) -> "GaussianGuarantee":
        """The same promise as a Gaussian one, with the smallest mu that follows from it.

        Raises
        ------
        ValueError
            If the promise is concentrated, or has a positive delta.
        """
        raise ValueError(
            f"guarantee must be pure, bounded-range or Gaussian for as_gaussian, but got {self}. To compose it, pass "
            "it to compose as it is."
        )

    def as_concentrated(self, *, conversion: str = "tight") -> "ConcentratedGuarantee":
        """The same promise as a concentrated one, with the smallest rho that follows from it.

        Parameters
        ----------
        conversion : str
            One of "tight" and "simple", which is what the sources print.

        Raises
        ------
        ValueError
            If delta is positive, since some loss may then be infinite.
        """
        raise ValueError(
            f"guarantee must be pure for as_concentrated, but got {self}. To compose it, pass it to compose as it is; "
            "a Gaussian mechanism has its own guarantee in the attribute concentrated."
        )

    @abstractmethod
    def as_approximate(self, delta: float) -> "Guarantee":
        """The same promise with a given delta, and the smallest epsilon that follows from it.

        Parameters
        ----------
        delta : float
            Additive slack, in [0, 1).

        Raises
        ------
        ValueError
            If `delta` is below the one that is promised, or if it is 0 and the promise is not pure.
        """


@dataclass(frozen=True)
class Guarantee(_Promise):
    """(epsilon, delta)-differential privacy under a neighbouring relation.

    Parameters
    ----------
    epsilon : float
        Privacy parameter in nats, non-negative and finite.
    delta : float, default 0
        Additive slack in [0, 1]; 0 is pure differential privacy, 1 promises nothing.
    adjacency : Adjacency
        Neighbouring relation.
    group_size : int
        Steps of the relation apart, a positive integer up to 10^12.

    References
    ----------
    WLF16-def-2, WLF16-def-27 (replace-one), LZCW21-def-1 (add-or-remove-one), LZCW21-lem-40.

    Examples
    --------
    >>> print(Guarantee(0.5, 1e-6, Adjacency.ADD_OR_REMOVE_ONE))
    (0.5, 1e-06)-differential privacy (add-or-remove-one)
    """

    epsilon: float
    delta: float = 0.0
    adjacency: Adjacency = Adjacency.REPLACE_ONE
    group_size: int = 1
    _name = "differential privacy"

    def __post_init__(self) -> None:
        super().__post_init__()
        check.unit_interval(delta=self.delta)

    def _group_numbers(self, k: int) -> dict[str, float]:
        """Delta is taken times 1 + e^epsilon + ... + e^((k - 1) epsilon)."""
        total = product(k, self.epsilon)
        if self.delta == 0 or total == inf:
            return {"epsilon": total}
        if self.epsilon == 0:
            return {"epsilon": total, "delta": min(1.0, product(k, self.delta))}
        terms = log_expm1(total), -log_expm1(self.epsilon), log(self.delta)
        slack = 2.0**-50 * (4 + total + sum(map(abs, terms)))  # bounds the rounding
        return {"epsilon": total, "delta": exp(min(0.0, sum(terms) + slack))}

    def as_pure(self) -> "Guarantee":
        return super().as_pure() if self.delta else self

    def as_gaussian(self) -> "GaussianGuarantee":
        """The Gaussian guarantee of a pure one, by :func:`~privml.guarantee.pure_mu`.

        Examples
        --------
        >>> print(Guarantee(1.0).as_gaussian())
        1.23204-Gaussian differential privacy (replace-one)
        """
        if self.delta:
            return super().as_gaussian()
        return GaussianGuarantee(pure_mu(self.epsilon), self.adjacency, self.group_size)

    def as_concentrated(self, *, conversion: str = "tight") -> "ConcentratedGuarantee":
        """The concentrated guarantee of a pure one, by :func:`~privml.guarantee.pure_rho`.

        Parameters
        ----------
        conversion : str
            One of "tight" and "simple", which is what the sources print.

        Examples
        --------
        >>> print(Guarantee(1.0).as_concentrated())
        0.462118-concentrated differential privacy (replace-one)
        """
        if self.delta:
            return super().as_concentrated(conversion=conversion)
        rho = pure_rho(self.epsilon, conversion=conversion)
        return ConcentratedGuarantee(rho, self.adjacency, self.group_size)

    def as_bounded_range(self) -> "BoundedRangeGuarantee":
        """The bounded range of a pure guarantee: twice its epsilon.

        Examples
        --------
        >>> print(Guarantee(1.0).as_bounded_range())
        2-bounded-range privacy (replace-one)
        """
        width = product(2, self.as_pure().epsilon)
        return BoundedRangeGuarantee(width, self.adjacency, self.group_size)

    def as_approximate(self, delta: float) -> "Guarantee":
        r"""The guarantee at a larger delta, with the smaller epsilon that it implies.

        The worst pair of distributions is randomised response with chance 1 - delta, and an accident else, so that
        :math:`e^{\varepsilon'} = e^{\varepsilon} - (1 + e^{\varepsilon}) (\delta' - \delta) / (1 - \delta)`.

        Parameters
        ----------
        delta : float
            Additive slack, in [0, 1), at least the one that is promised.

        References
        ----------
        Kairouz, Oh and Viswanath (2015), Theorem 3.3, for one step.

        Examples
        --------
        >>> print(Guarantee(1.0).as_approximate(0.1))
        (0.852906, 0.1)-differential privacy (replace-one)
        """
        check.probability_half_open(delta=delta)
        if delta < self.delta:
            raise ValueError(
                f"delta must be at least {self.delta!r} for this guarantee, but got {delta!r}."
            )
        share = (delta - self.delta) / (1 - self.delta)
        removed = share * (1 + exp(-self.epsilon))
        if removed >= -expm1(-self.epsilon):
            return replace(self, epsilon=0.0, delta=delta)
        smaller = self.epsilon + log1p(-removed)
        slack = 2.0**-49 * (1 + self.epsilon) / (1 - removed) if share else 0.0
        return replace(self, epsilon=min(self.epsilon, smaller + slack), delta=delta)

    def __add__(self, other: "Guarantee") -> "Guarantee":
        """Basic composition, of guarantees about the same neighbours: epsilons and deltas add up.

        Examples
        --------
        >>> print(Guarantee(0.5) + Guarantee(0.25, 1e-6))
        (0.75, 1e-06)-differential privacy (replace-one)
        """
        if not isinstance(other, Guarantee):
            return NotImplemented
        require_one_relation(
            "guarantees",
            {
                (guarantee.adjacency, guarantee.group_size)
                for guarantee in (self, other)
            },
        )
        return replace(
            self,
            epsilon=sum_up([(1, self.epsilon), (1, other.epsilon)]),
            delta=min(1.0, sum_up([(1, self.delta), (1, other.delta)])),
        )


@dataclass(frozen=True)
class ConcentratedGuarantee(_Promise):
    """rho-concentrated (zero-concentrated) differential privacy under a neighbouring relation.

    For all neighbouring data sets and every order alpha > 1 the Renyi divergence between the output distributions is
    at most ``rho alpha``.  Composition adds the rho.

    Parameters
    ----------
    rho : float
        Parameter of concentrated privacy, non-negative and finite.
    adjacency : Adjacency
        Neighbouring relation.
    group_size : int
        Steps of the relation apart, a positive integer up to 10^12.

    References
    ----------
    LZCW21-def-50, Definition 50 with xi = 0.

    Examples
    --------
    >>> print(ConcentratedGuarantee(0.2))
    0.2-concentrated differential privacy (replace-one)
    """

    rho: float
    adjacency: Adjacency = Adjacency.REPLACE_ONE
    group_size: int = 1
    _name = "concentrated differential privacy"

    def _group_numbers(self, k: int) -> dict[str, float]:
        return {"rho": product(k * k, self.rho)}

    def as_concentrated(self, *, conversion: str = "tight") -> "ConcentratedGuarantee":
        check.one_of(CONVERSIONS, conversion=conversion)
        return self

    def as_approximate(self, delta: float, *, conversion: str = "tight") -> Guarantee:
        """The approximate guarantee at a delta, by :func:`~privml.guarantee.concentrated_epsilon`.

        Parameters
        ----------
        delta : float
            Additive slack, in (0, 1).
        conversion : str
            One of "tight" and "simple", which is what the sources print.

        Examples
        --------
        >>> print(ConcentratedGuarantee(0.2).as_approximate(1e-5))
        (2.81364, 1e-05)-differential privacy (replace-one)
        """
        if delta == 0 and not isinstance(delta, bool):
            raise ValueError(
                f"delta must be positive, since concentrated privacy implies no pure guarantee, but got {delta!r}."
            )
        epsilon = concentrated_epsilon(rho=self.rho, delta=delta, conversion=conversion)
        return Guarantee(epsilon, delta, self.adjacency, self.group_size)


@dataclass(frozen=True)
class GaussianGuarantee(_Promise):
    """mu-Gaussian differential privacy under a neighbouring relation.

    On neighbouring data sets the output distributions are no easier to tell apart than N(0, 1) and N(mu, 1): every
    test has errors of both kinds that a test of these two has.  Composition adds the squares of mu.

    Parameters
    ----------
    mu : float
        Shift of Gaussian noise in standard deviations, non-negative and finite.
    adjacency : Adjacency
        Neighbouring relation.
    group_size : int
        Steps of the relation apart, a positive integer up to 10^12.

    References
    ----------
    Dong, Roth and Su (2022), Definition 2.6; for LZCW21-lem-44.

    Examples
    --------
    >>> print(GaussianGuarantee(0.5))
    0.5-Gaussian differential privacy (replace-one)
    >>> print(GaussianGuarantee(0.5).as_approximate(1e-5))
    (1.9931, 1e-05)-differential privacy (replace-one)
    """

    mu: float
    adjacency: Adjacency = Adjacency.REPLACE_ONE
    group_size: int = 1
    _name = "Gaussian differential privacy"

    def as_gaussian(self) -> "GaussianGuarantee":
        return self

    def as_concentrated(self, *, conversion: str = "tight") -> ConcentratedGuarantee:
        """The concentrated guarantee: rho is mu^2 / 2, whatever the `conversion`.

        Parameters
        ----------
        conversion : str
            One of "tight" and "simple", which is what the sources print.

        Examples
        --------
        >>> print(GaussianGuarantee(0.5).as_concentrated())
        0.125-concentrated differential privacy (replace-one)
        """
        check.one_of(CONVERSIONS, conversion=conversion)
        return ConcentratedGuarantee(
            gaussian_rho(self.mu), self.adjacency, self.group_size
        )

    def as_approximate(self, delta: float) -> Guarantee:
        """The approximate guarantee at a delta, by :func:`~privml.divergences.gaussian_epsilon`.

        Parameters
        ----------
        delta : float
            Additive slack, in (0, 1).
        """
        check.probability_open(delta=delta)
        epsilon = gaussian_epsilon(delta=delta, mu=self.mu) if self.mu else 0.0
        return Guarantee(epsilon, delta, self.adjacency, self.group_size)


@dataclass(frozen=True)
class BoundedRangeGuarantee(_Promise):
    """epsilon-bounded-range privacy under a neighbouring relation.

    On neighbouring data sets the privacy losses of any two outcomes differ by at most epsilon.  Since the
    loss is somewhere at least 0 and somewhere at most 0, this implies epsilon-DP; and epsilon-DP, a loss in
    [-epsilon, epsilon], implies only a range of 2 epsilon.  The exponential mechanism has bounded range: its
    loss is a score difference, in [-epsilon / 2, epsilon / 2], plus one number that no outcome changes.

    Parameters
    ----------
    epsilon : float
        Privacy parameter in nats, non-negative and finite.
    adjacency : Adjacency
        Neighbouring relation.
    group_size : int
        Steps of the relation apart, a positive integer up to 10^12.

    References
    ----------
    Durfee and Rogers (2019), Definition 3.1; for S16-thm-0.1 and L4-exp-mech-privacy.

    Examples
    --------
    >>> print(BoundedRangeGuarantee(1.0))
    1-bounded-range privacy (replace-one)
    """

    epsilon: float
    adjacency: Adjacency = Adjacency.REPLACE_ONE
    group_size: int = 1
    _name = "bounded-range privacy"

    def as_pure(self) -> Guarantee:
        """The pure guarantee: the same epsilon."""
        return Guarantee(self.epsilon, 0.0, self.adjacency, self.group_size)

    def as_gaussian(self) -> GaussianGuarantee:
        """The Gaussian guarantee of the pure one."""
        return self.as_pure().as_gaussian()

    def as_concentrated(self, *, conversion: str = "tight") -> ConcentratedGuarantee:
        """The concentrated guarantee, by :func:`~privml.guarantee.bounded_range_rho`.

        Parameters
        ----------
        conversion : str
            One of "tight" and "simple", here epsilon^2 / 8.

        Examples
        --------
        >>> print(BoundedRangeGuarantee(1.0).as_concentrated())
        0.123302-concentrated differential privacy (replace-one)
        """
        rho = bounded_range_rho(self.epsilon, conversion=conversion)
        return ConcentratedGuarantee(rho, self.adjacency, self.group_size)

    def as_approximate(self, delta: float) -> Guarantee:
        """The approximate guarantee at a delta, by way of the pure or of the concentrated one.

        Parameters
        ----------
        delta : float
            Additive slack, in [0, 1).

        Examples
        --------
        >>> print(BoundedRangeGuarantee(1.0).as_approximate(1e-5))
        (0.999987, 1e-05)-differential privacy (replace-one)
        """
        pure = self.as_pure().as_approximate(delta)
        if delta == 0:
            return pure
        concentrated = self.as_concentrated().as_approximate(delta)
        return min(pure, concentrated, key=lambda found: found.epsilon)


check.wrap_module(__name__)
