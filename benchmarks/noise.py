"""Noise against numpy's own generator, exact integer noise against its inexact floor, and calibration.

The floor of integer noise draws from a law that is only near: a difference of two of numpy's geometric
variables, or an inverse CDF in floating point.  Peers, where installed: diffprivlib, OpenDP, dp-accounting.
"""

import importlib.util
from collections.abc import Callable

import numpy as np

from benchmarks.timing import Case
from privml.distributions import DiscreteGaussian, DiscreteLaplace
from privml.mechanisms import (
    DiscreteGaussianMechanism,
    GaussianMechanism,
    LaplaceMechanism,
    gaussian_sigma,
)

RNG = np.random.default_rng(0)
MANY, BATCH = 1_000_000, 100_000
VALUES = np.zeros(MANY)
LAPLACE = LaplaceMechanism(epsilon=0.5, sensitivity=1.0)
GAUSSIAN = GaussianMechanism(epsilon=0.5, delta=1e-5, sensitivity=1.0)


def geometric_difference(scale: float) -> Callable[[], np.ndarray]:
    """Plain numpy: discrete Laplace up to rounding."""
    success = -np.expm1(-1 / scale)
    return lambda: RNG.geometric(success, BATCH) - RNG.geometric(success, BATCH)


def tabled_gaussian(sigma: float) -> Callable[[], np.ndarray]:
    """Plain numpy: discrete Gaussian up to rounding and truncation."""
    reach = np.arange(-int(10 * sigma) - 2, int(10 * sigma) + 3)
    total = np.cumsum(np.exp(-(reach**2) / (2 * sigma**2)))
    return lambda: reach[np.searchsorted(total, RNG.random(BATCH) * total[-1])]


def integer_case(
    name: str, law: DiscreteLaplace | DiscreteGaussian, floor: Callable | None
) -> Case:
    """One batch of exact noise, under a microsecond a value."""
    return Case(
        f"{name}, 1e5 exact",
        lambda: law.rvs(BATCH, rng=RNG),
        floor,
        most_seconds=BATCH * 1e-6,
    )


def peer_cases() -> list[Case]:
    """The same by each peer that is installed."""
    cases = []
    if importlib.util.find_spec("opendp"):
        import opendp.prelude as dp

        dp.enable_features("contrib")
        space = dp.vector_domain(dp.atom_domain(T=int)), dp.l1_distance(T=int)
        peer, zeros = space >> dp.m.then_laplace(10.0), [0] * 10_000
        cases.append(
            Case(
                "peer: OpenDP, 1e+04 discrete Laplace, scale 10",
                lambda: peer(zeros),
                repeats=5,
            )
        )
    if importlib.util.find_spec("diffprivlib"):
        from diffprivlib.mechanisms import GaussianDiscrete

        discrete = GaussianDiscrete(epsilon=1.0, delta=1e-5)
        cases.append(
            Case(
                "peer: diffprivlib, one discrete Gaussian",
                lambda: discrete.randomise(0),
            )
        )
    if importlib.util.find_spec("dp_accounting"):
        from dp_accounting import get_sigma_gaussian

        cases.append(
            Case(
                "peer: dp-accounting, sigma for (1, 1e-5)",
                lambda: get_sigma_gaussian(1.0, 1e-5),
            )
        )
    return cases


CASES = [
    Case(
        "Laplace mechanism, a vector of 1e6",
        lambda: LAPLACE.release(VALUES, rng=RNG),
        lambda: VALUES + RNG.laplace(0.0, 2.0, MANY),
        most_ratio=1.3,
    ),
    Case(
        "Laplace law, 1e6 draws",
        lambda: LAPLACE.output_distribution(0.0).rvs(MANY, rng=RNG),
        lambda: RNG.laplace(0.0, 2.0, MANY),
        most_ratio=1.3,
    ),
    Case(
        "Gaussian mechanism, a vector of 1e6",
        lambda: GAUSSIAN.release(VALUES, rng=RNG),
        lambda: VALUES + RNG.normal(0.0, GAUSSIAN.sigma, MANY),
        most_ratio=1.3,
    ),
    Case(
        "Gaussian law, 1e6 draws",
        lambda: GAUSSIAN.output_distribution(0.0).rvs(MANY, rng=RNG),
        lambda: RNG.normal(0.0, GAUSSIAN.sigma, MANY),
        most_ratio=1.3,
    ),
    *(
        integer_case(
            f"discrete Laplace, scale {scale}",
            DiscreteLaplace(0, scale=scale),
            geometric_difference(scale),
        )
        for scale in (1, 10, 1000)
    ),
    integer_case(
        "discrete Laplace, scale 2^40 / 3", DiscreteLaplace(0, scale=2**40 / 3), None
    ),
    *(
        integer_case(
            f"discrete Gaussian, sigma {sigma}",
            DiscreteGaussian(0, variance=sigma**2),
            tabled_gaussian(sigma),
        )
        for sigma in (1, 10, 1000)
    ),
    integer_case(
        "discrete Gaussian, sigma 2^30 / 3",
        DiscreteGaussian(0, variance=(2**30 / 3) ** 2),
        None,
    ),
    Case(
        "discrete Laplace, one release",
        lambda: DiscreteLaplace(0, scale=10).rvs(rng=RNG),
    ),
    Case("sigma for (1, 1e-5)", lambda: gaussian_sigma(1.0, 1e-5), most_seconds=2e-3),
    Case(
        "sigma for (100, 1e-30)",
        lambda: gaussian_sigma(100.0, 1e-30),
        most_seconds=2e-3,
    ),
    Case(
        "variance of discrete Gaussian noise for (1, 1e-5)",
        lambda: DiscreteGaussianMechanism(epsilon=1.0, delta=1e-5, sensitivity=1),
    ),
    *peer_cases(),
]
