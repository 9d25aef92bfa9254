"""The two bounds on the price of privacy in *stochastic-convex-optimisation*, as functions of their numbers."""

from math import sinh, sqrt

from privml.divergences import gaussian_mu


def price(d: int, n: int, epsilon: float, delta: float = 1e-5) -> float:
    """Privacy term of the theorem on private learning by gradient descent, for L = R = 1."""
    return 2 * sqrt(d) / (n * gaussian_mu(epsilon, delta))


def floor(d: int, n: int, epsilon: float) -> float:
    """Lower bound by tracing on the excess of every private learner, for linear losses on the unit ball."""
    return min(1 / 8, sqrt(d) / (32 * n * sinh(epsilon)))
