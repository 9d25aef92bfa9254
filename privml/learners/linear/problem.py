"""Linear loss over the simplex, on a population with finitely many examples."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from privml import _check as check
from privml.distributions import Categorical


@dataclass(frozen=True, eq=False)
class SimplexLinearProblem:
    """Choose theta in the simplex so that <theta, x> is small on average over examples x.

    The mean of a linear function of the example is the function of the mean, so everything is exact.

    **Source.** DR11-def-linear-erm.

    Parameters
    ----------
    examples : array_like of shape (n_examples, n_features)
        The possible examples, in [-1, 1]^d.
    probabilities : array_like of shape (n_examples,)
        Their probabilities, non-negative, with a positive sum, which is made 1.

    Examples
    --------
    >>> problem = SimplexLinearProblem([[1.0, -1.0], [-1.0, 1.0]], [0.75, 0.25])
    >>> problem.risks.tolist(), problem.best_vertex, problem.risk([0.5, 0.5])
    ([0.5, -0.5], 1, 0.0)
    """

    examples: NDArray[np.float64]
    probabilities: NDArray[np.float64]

    def __post_init__(self) -> None:
        examples = check.numbers(examples=self.examples)
        if examples.ndim != 2 or examples.size == 0:
            raise ValueError(f"examples must be of shape (n_examples, n_features), got {examples.shape}")
        if not (abs(examples) <= 1).all():
            raise ValueError(f"examples must lie in [-1, 1], got entries up to {abs(examples).max()!r}")
        law = check.finite_vector(probabilities=self.probabilities)
        if law.shape != (len(examples),) or (law < 0).any() or law.sum() <= 0:
            raise ValueError(f"probabilities must be a law on {len(examples)} examples, got {law!r}")
        object.__setattr__(self, "examples", examples)
        object.__setattr__(self, "probabilities", law / law.sum())

    @property
    def risks(self) -> NDArray[np.float64]:
        """Risk of every vertex: the mean example."""
        return self.probabilities @ self.examples

    @property
    def best_vertex(self) -> int:
        """The first vertex of least risk; no point of the simplex does better."""
        return int(np.argmin(self.risks))

    def risk(self, theta: ArrayLike) -> NDArray[np.float64] | float:
        """Mean loss of points of the simplex, of shape (..., n_features)."""
        theta = check.numbers(theta=theta)
        if not np.isfinite(theta).all():
            raise ValueError("theta must be finite everywhere, got NaN or infinity")
        risk = theta @ self.risks
        return float(risk) if risk.ndim == 0 else risk

    def excess(self, theta: ArrayLike) -> NDArray[np.float64] | float:
        """Risk above that of the best vertex."""
        return self.risk(theta) - float(self.risks.min())

    def sample(self, n_samples: int, *, rng: np.random.Generator | int | None = None) -> NDArray[np.float64]:
        """Independent examples, of shape (n_samples, n_features)."""
        check.positive_integer(n_samples=n_samples)
        with np.errstate(divide="ignore"):
            law = Categorical(np.log(self.probabilities))
        return self.examples[law.rvs(n_samples, rng=np.random.default_rng(rng))]
