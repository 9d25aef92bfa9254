"""A mechanism is a map from data to an output law, with a claim about privacy."""

import sys
from abc import ABC, abstractmethod
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np

from privml import _check as check
from privml.adjacency import Adjacency
from privml.guarantee import Guarantee


def float_at_least(value: Fraction) -> float:
    """The nearest float that is not smaller."""
    nearest = float(value)
    return nearest if Fraction(nearest) >= value else float(np.nextafter(nearest, np.inf))


@lru_cache(maxsize=1024)
def noise_scale(sensitivity: float, epsilon: float, share: float | Fraction = 1) -> float:
    """Scale of noise for a share of epsilon, rounded up, so that no loss exceeds the claim."""
    exact = check.positive_rational(sensitivity=sensitivity) / check.positive_rational(epsilon=epsilon)
    exact /= Fraction(share)
    if not sys.float_info.min <= exact <= sys.float_info.max:
        raise ValueError(f"epsilon must leave a noise scale of full precision, got {epsilon!r}")
    return float_at_least(exact)


class Mechanism(ABC):
    """A randomised answer to a value computed from private data.

    What an instance stores is public.  The private value, and the randomness, are only passed.

    A value that is no number, not finite or outside of what the mechanism takes is refused.  The message does
    not show it, but that there was one tells of it: clip what is computed from records before it comes here.
    """

    epsilon: float

    @property
    def guarantee(self) -> Guarantee:
        """The privacy of one release: epsilon and delta under the mechanism's own relation."""
        adjacency = getattr(self, "adjacency", Adjacency.REPLACE_ONE)
        return Guarantee(self.epsilon, getattr(self, "delta", 0.0), adjacency)

    @abstractmethod
    def output_distribution(self, value: Any) -> Any:
        """The exact law of the answer to a value."""

    def release(self, value: Any, *, rng: np.random.Generator | int | None = None) -> Any:
        """One draw of the law.  Each call spends the guarantee once.

        A seed in a real release gives the noise away.
        """
        return self.output_distribution(value).rvs(rng=rng)


check.doors(__name__)
