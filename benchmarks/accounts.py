"""Questions of `benchmarks.peers` that are answered by a number."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.optimize import brentq
from scipy.special import gammaln, log_ndtr, ndtr

from benchmarks.questions import (
    DELTA,
    EPSILON,
    SIGMA,
    STEP,
    Answer,
    K,
    Question,
    opendp,
)


def gaussian_delta(epsilon: float, mu: float) -> float:
    """The textbook formula."""
    return float(
        ndtr(mu / 2 - epsilon / mu)
        - math.exp(epsilon + log_ndtr(-mu / 2 - epsilon / mu))
    )


def searched() -> Callable[[], Any]:
    """Of OpenDP: bisection over sigma, by concentrated privacy."""
    dp = opendp()
    space = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)

    def made(sigma: float) -> Any:
        curve = dp.c.make_zCDP_to_approxDP(dp.m.make_gaussian(*space, sigma))
        return dp.c.make_fix_delta(curve, DELTA)

    return lambda: dp.binary_search_param(
        made, 1.0, (EPSILON, DELTA), bounds=(1.0, 20.0)
    )


def calibration() -> Question:
    """Standard deviation of Gaussian noise for (1, 1e-5)."""

    def floor() -> Callable[[], Any]:
        def excess(log_sigma):
            return gaussian_delta(EPSILON, mu=math.exp(-log_sigma)) - DELTA

        return lambda: math.exp(brentq(excess, -3.0, 10.0, xtol=1e-14))

    def ours() -> Callable[[], Any]:
        from privml.mechanisms import gaussian_sigma

        return lambda: gaussian_sigma(EPSILON, DELTA, 1.0)

    def diffprivlib() -> Callable[[], Any]:
        from diffprivlib.mechanisms import GaussianAnalytic

        return lambda: (
            GaussianAnalytic(epsilon=EPSILON, delta=DELTA, sensitivity=1)._scale
        )

    def accounting() -> Callable[[], Any]:
        from dp_accounting import get_sigma_gaussian

        return lambda: get_sigma_gaussian(EPSILON, DELTA)

    def autodp() -> Callable[[], Any]:
        from autodp.calibrator_zoo import ana_gaussian_calibrator
        from autodp.mechanism_zoo import ExactGaussianMechanism

        calibrate = ana_gaussian_calibrator()
        return lambda: calibrate(ExactGaussianMechanism, EPSILON, DELTA).params["sigma"]

    tools = {
        "floor": floor,
        "privml": ours,
        "diffprivlib": diffprivlib,
        "dp_accounting": accounting,
    }
    answers = [Answer(tool, make, number=float) for tool, make in tools.items()]
    answers.append(Answer("autodp", autodp, number=float))
    answers.append(Answer("OpenDP", searched, number=float, note="by zCDP"))
    return Question("σ for (1, 1e-5)", answers)


def accounted(event: Callable[[Any], Any]) -> Callable[[], Callable[[], Any]]:
    """A thousand events by the privacy-loss distributions of dp_accounting."""

    def make() -> Callable[[], Any]:
        import dp_accounting
        from dp_accounting.pld import PLDAccountant

        def epsilon() -> float:
            accountant = PLDAccountant()
            accountant.compose(event(dp_accounting), K)
            return accountant.get_epsilon(DELTA)

        return epsilon

    return make


def prv(name: str, *arguments: float) -> Callable[[], Callable[[], Any]]:
    """A thousand steps by prv_accountant: its upper end, to a hundredth."""

    def make() -> Callable[[], Any]:
        from prv_accountant import PRVAccountant, privacy_random_variables

        kind = getattr(privacy_random_variables, name)
        options = {
            "max_self_compositions": [K],
            "eps_error": 0.01,
            "delta_error": DELTA / 1000,
        }
        return lambda: PRVAccountant(
            prvs=[kind(*arguments)], **options
        ).compute_epsilon(DELTA, [K])[2]

    return make


def autodp_steps(
    build: Callable, compose: str = "Composition"
) -> Callable[[], Callable[[], Any]]:
    """A thousand mechanisms of autodp."""

    def make() -> Callable[[], Any]:
        from autodp import mechanism_zoo, transformer_zoo

        composed = getattr(transformer_zoo, compose)
        return lambda: float(
            composed()([build(mechanism_zoo)], [K]).get_approxDP(DELTA)
        )

    return make


def opendp_steps(
    build: Callable[[Any], Any], distance: float = 1.0
) -> Callable[[], Callable[[], Any]]:
    """A thousand mechanisms of OpenDP, by concentrated privacy."""

    def make() -> Callable[[], Any]:
        dp = opendp()

        def epsilon() -> float:
            composed = dp.c.make_composition([build(dp)] * K)
            return dp.c.make_zCDP_to_approxDP(composed).map(distance).epsilon(DELTA)

        return epsilon

    return make


def scalar(dp: Any) -> tuple:
    """Of OpenDP: one float, by its absolute value."""
    return dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)


def ours_steps(
    name: str, *arguments: float, **named: float
) -> Callable[[], Callable[[], Any]]:
    """A function of ours, by its name."""

    def make() -> Callable[[], Any]:
        from privml import composition, divergences

        function = getattr(composition, name, None) or getattr(divergences, name)
        return lambda: function(*arguments, **named)

    return make


def gaussian_steps() -> Question:
    """A thousand releases with Gaussian noise of 50 sensitivities."""
    mu = math.sqrt(K) / SIGMA

    def floor() -> Callable[[], Any]:
        return lambda: brentq(
            lambda e: gaussian_delta(e, mu=mu) - DELTA,
            0,
            10 * mu * mu + 100 * mu,
            xtol=1e-13,
        )

    exactly = autodp_steps(lambda zoo: zoo.GaussianMechanism(SIGMA), "ComposeGaussian")
    answers = [
        Answer("floor", floor, number=float),
        Answer(
            "privml", ours_steps("gaussian_epsilon", delta=DELTA, mu=mu), number=float
        ),
        Answer(
            "OpenDP",
            opendp_steps(lambda dp: dp.m.make_gaussian(*scalar(dp), SIGMA)),
            number=float,
        ),
        Answer(
            "dp_accounting", accounted(lambda d: d.GaussianDpEvent(SIGMA)), number=float
        ),
        Answer("autodp", exactly, number=float),
        Answer("prv_accountant", prv("GaussianMechanism", SIGMA), number=float),
    ]
    return Question("ε of 1,000 Gaussian releases", answers)


def plain_responses() -> Callable[[], Any]:
    """Plain numpy and scipy: k-fold randomised response, inverted by Brent's method."""
    lies = np.arange(K + 1)

    def epsilon() -> float:
        log_p = gammaln(K + 1) - gammaln(lies + 1) - gammaln(K - lies + 1)
        log_p += -(K - lies) * np.log1p(math.exp(-STEP)) - lies * np.log1p(
            math.exp(STEP)
        )
        loss, p = (K - 2 * lies) * STEP, np.exp(log_p)

        def excess(e):
            return p @ -np.expm1(np.minimum(e - loss, 0.0)) - DELTA

        return brentq(excess, 0, K * STEP)

    return epsilon


def pure_steps() -> Question:
    """A thousand pure steps of 0.05."""

    def diffprivlib() -> Callable[[], Any]:
        from diffprivlib import BudgetAccountant

        def epsilon() -> float:
            accountant = BudgetAccountant(epsilon=float("inf"), delta=1.0, slack=DELTA)
            for _ in range(K):
                accountant.spend(STEP, 0)
            return accountant.total()[0]

        return epsilon

    def accounting() -> Callable[[], Any]:
        from dp_accounting.pld import common, privacy_loss_distribution

        step = common.DifferentialPrivacyParameters(STEP, 0.0)
        made = privacy_loss_distribution.from_privacy_parameters
        return lambda: made(step).self_compose(K).get_epsilon_for_delta(DELTA)

    answers = [
        Answer("floor", plain_responses, number=float),
        Answer("privml", ours_steps("optimal_epsilon", STEP, K, DELTA), number=float),
        Answer("diffprivlib", diffprivlib, number=float),
        Answer("dp_accounting", accounting, number=float),
        Answer(
            "autodp", autodp_steps(lambda zoo: zoo.PureDP_Mechanism(STEP)), number=float
        ),
        Answer("prv_accountant", prv("PureDPMechanism", STEP), number=float),
    ]
    return Question("ε of 1,000 pure steps", answers)


def choice_steps() -> Question:
    """A thousand choices by exponential mechanisms of 0.05, fixed in advance."""

    def noisy_max(dp: Any) -> Any:
        space = (
            dp.vector_domain(dp.atom_domain(T=float, nan=False)),
            dp.linf_distance(T=float),
        )
        return dp.m.make_noisy_max(
            *space, dp.zero_concentrated_divergence(), scale=2.0 / STEP
        )

    answers = [
        Answer(
            "privml",
            ours_steps("nonadaptive_range_epsilon", STEP, K, DELTA),
            number=float,
        ),
        Answer("OpenDP", opendp_steps(noisy_max), number=float),
        Answer(
            "autodp",
            autodp_steps(lambda zoo: zoo.ExponentialMechanism(STEP)),
            number=float,
        ),
    ]
    return Question("ε of 1,000 private choices", answers)


def subsampled_steps() -> Question:
    """A thousand Gaussian releases, each on a hundredth of the records."""

    def ours() -> Callable[[], Any]:
        from privml.composition import gaussian_loss, numerical_composition

        return lambda: (
            numerical_composition(
                gaussian_loss(1.0, K, sampling_rate=0.01), delta=DELTA
            ).epsilon
        )

    def autodp() -> Callable[[], Any]:
        from autodp import mechanism_zoo, transformer_zoo

        def epsilon() -> float:
            sampled = transformer_zoo.AmplificationBySampling()
            step = sampled(
                mechanism_zoo.GaussianMechanism(1.0), 0.01, improved_bound_flag=True
            )
            return float(transformer_zoo.Composition()([step], [K]).get_approxDP(DELTA))

        return epsilon

    event = accounted(lambda d: d.PoissonSampledDpEvent(0.01, d.GaussianDpEvent(1.0)))
    answers = [
        Answer("privml", ours, number=float, note="upper end, to 1e-3"),
        Answer("dp_accounting", event, number=float),
        Answer("autodp", autodp, number=float),
        Answer(
            "prv_accountant",
            prv("PoissonSubsampledGaussianMechanism", 0.01, 1.0),
            number=float,
        ),
    ]
    return Question("ε of 1,000 subsampled releases", answers, 5)


QUESTIONS = [
    calibration(),
    gaussian_steps(),
    pure_steps(),
    choice_steps(),
    subsampled_steps(),
]
