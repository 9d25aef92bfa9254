"""A mechanism is a map from data to an output law, with a claim about privacy."""

from abc import ABC, abstractmethod
from typing import Any

import numpy as np

from privml.guarantee import Guarantee


class Mechanism(ABC):
    """A randomised answer to a value computed from private data.

    What an instance stores is public.  The private value, and the randomness, are only passed.
    """

    @property
    @abstractmethod
    def guarantee(self) -> Guarantee:
        """The privacy of one release."""

    @abstractmethod
    def output_distribution(self, value: Any) -> Any:
        """The exact law of the answer to a value."""

    def release(self, value: Any, *, rng: np.random.Generator | int | None = None) -> Any:
        """One draw of the law.  Each call spends the guarantee once.

        Parameters
        ----------
        value : object
            The private value, as for :meth:`output_distribution`.
        rng : numpy.random.Generator or int, optional
            Source of randomness, or a seed for one.  A seed in a real release gives the noise away.

        Returns
        -------
        object
            The answer.
        """
        return self.output_distribution(value).rvs(rng=rng)
