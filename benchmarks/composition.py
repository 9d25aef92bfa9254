"""A thousand releases: epsilon by each theorem, its time, and the peers that can answer the same question.

Before anything is timed, the values are compared with the published ones: a fast wrong answer is none.
"""

import importlib.util
import math
from collections.abc import Callable

import numpy as np

from benchmarks.timing import Case
from privml.composed import calibrate_noise_scale
from privml.composition import (
    amplified_epsilon,
    bounded_range_composition,
    gaussian_loss,
    laplace_loss,
    nonadaptive_range_epsilon,
    nonadaptive_range_step_epsilon,
    optimal_epsilon,
    optimal_step_epsilon,
)
from privml.divergences import PrivacyCurve, gaussian_epsilon, gaussian_mu, hockey_stick
from privml.guarantee import BoundedRangeGuarantee, concentrated_epsilon

DELTA, K, STEP = 1e-5, 1000, 0.05
MU = math.sqrt(K) / 50
RANGES = [BoundedRangeGuarantee(STEP)] * K
LAWS = np.log(np.random.default_rng(0).dirichlet(np.ones(10_000), size=2))
EPSILONS = np.linspace(0, 3, 200)

VALUES = {
    "Gaussian, sigma 50": (gaussian_epsilon(delta=DELTA, mu=MU), 2.5944),
    "pure 0.05, optimum": (optimal_epsilon(STEP, K, DELTA), 7.4928),
    "exponential mechanisms 0.05, optimum": (
        nonadaptive_range_epsilon(STEP, K, DELTA),
        3.3404,
    ),
    "Gaussian, concentrated": (concentrated_epsilon(rho=K / 5000, delta=DELTA), 2.8136),
    "pure 0.05, concentrated epsilon^2 / 2": (
        concentrated_epsilon(rho=K * STEP**2 / 2, delta=DELTA),
        8.0784,
    ),
}
for _name, (_found, _published) in VALUES.items():
    if round(_found, 4) != _published:
        raise ValueError(f"{_name} must be {_published}, got {_found!r}")


def floor_randomised_response() -> float:
    """Plain numpy and scipy: k-fold randomised response, inverted by Brent's method, nothing checked."""
    from scipy.optimize import brentq
    from scipy.special import gammaln

    lies = np.arange(K + 1)
    log_p = gammaln(K + 1) - gammaln(lies + 1) - gammaln(K - lies + 1)
    log_p += -(K - lies) * np.log1p(math.exp(-STEP)) - lies * np.log1p(math.exp(STEP))
    loss, p = (K - 2 * lies) * STEP, np.exp(log_p)

    def excess(epsilon: float) -> float:
        above = loss > epsilon
        return float(np.sum(p[above] * -np.expm1(epsilon - loss[above]))) - DELTA

    return brentq(excess, 0, K * STEP)


def floor_gaussian() -> float:
    """Plain scipy: the textbook formula, inverted by Brent's method, nothing checked."""
    from scipy.optimize import brentq
    from scipy.special import log_ndtr, ndtr

    def excess(epsilon: float) -> float:
        tail = math.exp(epsilon + log_ndtr(-MU / 2 - epsilon / MU))
        return ndtr(MU / 2 - epsilon / MU) - tail - DELTA

    return brentq(excess, 0, 10 * MU * MU + 100 * MU, xtol=1e-13)


def peer(name: str, size: float, rate: float) -> Callable[[], object] | None:
    """A thousand steps by dp_accounting, where it is installed."""
    if not importlib.util.find_spec("dp_accounting"):
        return None
    from dp_accounting.pld import privacy_loss_distribution as pld

    make = getattr(pld, f"from_{name}_mechanism")
    return lambda: (
        make(1 / size, sampling_prob=rate).self_compose(K).get_epsilon_for_delta(DELTA)
    )


def sampled(k: int, **options: float | str) -> Callable[[], object]:
    """Both ends of k Gaussian releases, each on a hundredth of the records."""
    mu = options.pop("mu", 1.0)
    return lambda: gaussian_loss(mu, k, sampling_rate=0.01, **options).epsilon_bounds(
        DELTA
    )


CASES = [
    Case(
        "Gaussian sigma 50, a thousand, epsilon at 1e-5",
        lambda: gaussian_epsilon(delta=DELTA, mu=MU),
        floor_gaussian,
        most_seconds=2e-3,
    ),
    Case(
        "pure 0.05, a thousand, optimum at 1e-5",
        lambda: optimal_epsilon(STEP, K, DELTA),
        floor_randomised_response,
        most_seconds=2e-3,
    ),
    Case(
        "exponential mechanisms 0.05, a thousand, optimum at 1e-5",
        lambda: nonadaptive_range_epsilon(STEP, K, DELTA),
        most_seconds=0.1,
    ),
    Case(
        "the same, adaptively, as concentrated privacy",
        lambda: bounded_range_composition(*RANGES),
    ),
    Case(
        "concentrated privacy, tight epsilon",
        lambda: concentrated_epsilon(rho=0.2, delta=DELTA),
        most_seconds=2e-3,
    ),
    Case(
        "Gaussian, largest mu for (1, 1e-5)",
        lambda: gaussian_mu(1.0, DELTA),
        most_seconds=2e-3,
    ),
    Case(
        "pure, largest of a thousand steps",
        lambda: optimal_step_epsilon(1.0, K, DELTA),
        most_seconds=0.02,
    ),
    Case(
        "exponential mechanisms, largest of a thousand steps",
        lambda: nonadaptive_range_step_epsilon(1.0, K, DELTA),
        most_seconds=0.1,
    ),
    Case(
        "pure 0.001, a million, optimum at 1e-5",
        lambda: optimal_epsilon(1e-3, 10**6, DELTA),
        repeats=5,
    ),
    Case("amplification by subsampling", lambda: amplified_epsilon(1.0, 0.01)),
    Case(
        "privacy curve of 1e4 outcomes at 200 epsilons",
        lambda: PrivacyCurve.between(*LAWS, logs=True).delta(EPSILONS),
        lambda: [hockey_stick(*LAWS, epsilon, logs=True) for epsilon in EPSILONS],
        most_ratio=0.1,
    ),
    Case(
        "sampled Gaussian, a thousand, both ends; floor: dp_accounting",
        sampled(K),
        peer("gaussian", 1.0, 0.01),
        most_ratio=0.2,
        most_seconds=0.05,
        repeats=5,
    ),
    Case(
        "the same, sigma .8, both ends",
        sampled(K, mu=1.25),
        most_seconds=0.1,
        repeats=5,
    ),
    Case(
        "the same, 5,000 steps, both ends", sampled(5000), most_seconds=0.1, repeats=5
    ),
    Case(
        "the same on subsets of fixed size",
        sampled(K, scheme="subset"),
        most_seconds=0.05,
        repeats=5,
    ),
    Case(
        "sampled Laplace, a thousand, both ends; floor: dp_accounting",
        lambda: laplace_loss(1.0, K, sampling_rate=0.01).epsilon_bounds(DELTA),
        peer("laplace", 1.0, 0.01),
        most_seconds=0.05,
        repeats=5,
    ),
    Case(
        "noise of a thousand sampled steps for (1, 1e-5)",
        lambda: calibrate_noise_scale(
            lambda sigma: gaussian_loss(1 / sigma, K, sampling_rate=0.01), 1.0, DELTA
        ),
        most_seconds=0.5,
        repeats=3,
    ),
]
