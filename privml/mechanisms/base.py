"""A mechanism is a map from data to an output law, with a claim about privacy."""

import sys
from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, ClassVar, Generic, TypeVar, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml._rounding import float_at_least
from privml.adjacency import Adjacency
from privml.guarantee import ConcentratedGuarantee, Guarantee

Number = TypeVar("Number", int, float)
LEAST_EXPONENT = (
    -1e300
)  # what overflows would be impossible, and its neighbours possible


@lru_cache(maxsize=1024)
def noise_scale(
    sensitivity: float, epsilon: float, share: float | Fraction = 1
) -> float:
    """Scale of noise for a share of epsilon, rounded up, so that no loss exceeds the claim."""
    exact = check.positive_rational(sensitivity=sensitivity) / check.positive_rational(
        epsilon=epsilon
    )
    exact /= Fraction(share)
    if not sys.float_info.min <= exact <= sys.float_info.max:
        raise ValueError(
            f"epsilon must leave a noise scale of full precision, but got {epsilon!r}."
        )
    return float_at_least(exact)


class Mechanism(ABC):
    """A randomised answer to a value computed from private data.

    What an instance stores is public.  The private value, and the randomness, are only passed.

    A value that is no number, not finite or outside of what the mechanism takes is refused.  The message does
    not show it, but that there was one tells of it: clip what is computed from records before it comes here.
    """

    epsilon: float
    adjacency: Adjacency
    sensitivity_order: ClassVar[float] = float("inf")
    """Norm of the sensitivity: of scores and queries the largest change of any one, in noise 1 or 2."""

    @property
    def guarantee(self) -> Guarantee:
        """The privacy of one release: epsilon, and delta if there is one, under the mechanism's relation."""
        return Guarantee(self.epsilon, getattr(self, "delta", 0.0), self.adjacency)

    @property
    def concentrated(self) -> ConcentratedGuarantee:
        """What the pure guarantee means as a concentrated one; subclasses may know better.

        A mechanism whose guarantee has a delta has this attribute only where a theorem gives it one.
        """
        if self.guarantee.delta:
            raise AttributeError(
                f"{type(self).__name__} has no concentrated guarantee. You can pass the mechanism itself to compose."
            )
        return self.guarantee.as_concentrated()

    @abstractmethod
    def output_distribution(self, value: Any) -> Any:
        """The exact law of the answer to a value.

        Parameters
        ----------
        value : object
            What is computed from the records, private: of noise a number or a vector, or integers.
        """

    def release(
        self, value: Any, *, rng: np.random.Generator | int | None = None
    ) -> Any:
        """One draw of the law, a number or an array as the value is.  Each call spends the guarantee once.

        Parameters
        ----------
        value : object
            Private value, as :meth:`output_distribution` takes it; a refusal tells of it: clip records first.
        rng : int or Generator, optional
            Generator for all calls, or None: fresh entropy.  A seed gives noise away; used twice, the data.
        """
        return self.output_distribution(value).rvs(rng=rng)


class NoiseMechanism(Mechanism, Generic[Number]):
    """A mechanism that adds noise: a number gives a number, a vector gives an array."""

    @overload
    def release(
        self, value: Number, *, rng: np.random.Generator | int | None = None
    ) -> Number: ...

    @overload
    def release(
        self, value: ArrayLike, *, rng: np.random.Generator | int | None = None
    ) -> NDArray: ...

    def release(
        self, value: ArrayLike, *, rng: np.random.Generator | int | None = None
    ) -> Any:
        return super().release(value, rng=rng)

    @abstractmethod
    def privacy_curve(self, epsilon: ArrayLike) -> NDArray[np.float64] | float:
        """Smallest delta at each epsilon, exactly, but for Laplace noise on a vector an upper bound.

        Parameters
        ----------
        epsilon : float or array_like
            Privacy parameter in nats, non-negative.
        """


class ApproximateMechanism(Mechanism):
    """A mechanism whose claim has a delta."""

    delta: float


def check_monotone(monotone: bool, adjacency: Adjacency) -> None:
    """Raise unless the promise that all values move in one direction can be kept under the relation."""
    check.flag(monotone=monotone)
    if monotone and adjacency is not Adjacency.ADD_OR_REMOVE_ONE:
        raise ValueError(
            f"monotone must be False under {adjacency}, but got True. Counts are monotone under "
            f"adjacency={Adjacency.ADD_OR_REMOVE_ONE.value!r}."
        )


@dataclass(frozen=True, kw_only=True)
class Selection(Mechanism):
    """Parameters shared by the selection mechanisms, and the exponent they give to each outcome.

    Parameters
    ----------
    epsilon, sensitivity : float
        Privacy parameter in nats, positive; largest change between neighbours of any one score, positive.
    adjacency : Adjacency
        Neighbouring relation.
    monotone : bool
        Whether adding a record moves all scores in one direction, under add-or-remove-one only.
    """

    epsilon: float
    sensitivity: float
    adjacency: Adjacency = Adjacency.REPLACE_ONE
    monotone: bool = False

    def __post_init__(self) -> None:
        check.positive(epsilon=self.epsilon, sensitivity=self.sensitivity)
        check.instance(Adjacency, adjacency=self.adjacency)
        check_monotone(self.monotone, self.adjacency)
        noise_scale(self.sensitivity, self.epsilon)

    @property
    def scale(self) -> float:
        """Score difference that changes an outcome's weight by a factor e, in score units."""
        return (1 if self.monotone else 2) * noise_scale(self.sensitivity, self.epsilon)

    def release(
        self, scores: ArrayLike, *, rng: np.random.Generator | int | None = None
    ) -> int:
        """The chosen index, one draw of the law.  Each call spends the guarantee once.

        Parameters
        ----------
        scores : array_like
            Private scores (n_outcomes,), finite, high is good; a refusal tells of them: clip records first.
        rng : int or Generator, optional
            Generator for all calls, or None: fresh entropy.  A seed gives noise away; used twice, the data.
        """
        return int(super().release(scores, rng=rng))

    def exponents(self, scores: ArrayLike) -> NDArray[np.float64]:
        """Scores less the largest one, in units of the scale: what the weights are exponentials of.

        Parameters
        ----------
        scores : array_like
            Private scores, finite, of shape (n_outcomes,), the higher the better.
        """
        scores = check.finite_vector(scores=scores)
        exponents = scores - scores.max()
        exponents /= self.scale
        return np.maximum(exponents, LEAST_EXPONENT, out=exponents)


check.wrap_module(__name__)
