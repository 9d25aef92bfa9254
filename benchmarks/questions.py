"""What ours, the floors and the peers are asked, for `benchmarks.peers`.

A *floor* is plain numpy or scipy that checks nothing and promises nothing.  An answer is a function that
makes the tool ready and returns what is timed; imports stand inside, so that a missing peer fails alone.
"""

import math
import subprocess
import sys
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import brentq
from scipy.special import gammaln, log_ndtr, ndtr

EPSILON, DELTA, K, STEP, SIGMA = 1.0, 1e-5, 1000, 0.05, 50.0
MANY = 100_000
RNG = np.random.default_rng(0)
SCORES = {n: RNG.uniform(0, 20, size=n) for n in (1000, 10_000, 1_000_000)}


class Answer(NamedTuple):
    """One tool: `make` returns the call to time, which does this share of the work."""

    tool: str
    make: Callable[[], Callable[[], Any]]
    share: float = 1.0
    number: Callable[[Any], float] | None = None
    note: str = ""


class Question(NamedTuple):
    """One question, the same to all; `most` bounds the repetitions of a slow one."""

    name: str
    answers: list[Answer]
    most: int = 99


def opendp():
    """OpenDP, with the features that its mechanisms ask for."""
    import opendp.prelude as dp

    dp.enable_features("contrib")
    return dp


def repeated(call: Callable[[float], Any], times: int, value: float = 0.0) -> Callable[[], Any]:
    """A loop over a tool that gives one number a call."""
    return lambda: [call(value) for _ in range(times)]


def choice_floor(n: int) -> Callable[[], Any]:
    """Exponentiate, sum up, search."""

    def draw() -> int:
        total = np.cumsum(np.exp((SCORES[n] - SCORES[n].max()) / 2))
        return int(np.searchsorted(total, RNG.random() * total[-1]))

    return draw


def choice_ours(n: int) -> Callable[[], Any]:
    """The mechanism of the library, made once."""
    from privml import ExponentialMechanism

    mechanism = ExponentialMechanism(epsilon=EPSILON, sensitivity=1.0)
    return lambda: mechanism.release(SCORES[n], rng=RNG)


def choice_diffprivlib(n: int) -> Callable[[], Any]:
    """Made once with its scores; a draw validates them again."""
    from diffprivlib.mechanisms import Exponential

    return Exponential(epsilon=EPSILON, sensitivity=1.0, utility=SCORES[n].tolist()).randomise


def choice_opendp(n: int) -> Callable[[], Any]:
    """Gumbel noise, exactly rounded."""
    dp = opendp()
    space = dp.vector_domain(dp.atom_domain(T=float, nan=False)), dp.linf_distance(T=float)
    mechanism = dp.m.make_noisy_max(*space, dp.zero_concentrated_divergence(), scale=2.0 / EPSILON)
    scores = SCORES[n].tolist()
    return lambda: mechanism(scores)


def choice(n: int, name: str, most: int = 99) -> Question:
    """One private choice among n options."""
    return Question(
        name,
        [
            Answer("floor", lambda: choice_floor(n)),
            Answer("privml", lambda: choice_ours(n)),
            Answer("diffprivlib", lambda: choice_diffprivlib(n)),
            Answer("OpenDP", lambda: choice_opendp(n), note="exact"),
        ],
        most,
    )


def many_choices() -> Question:
    """A hundred thousand choices among a thousand options."""

    def floor() -> Callable[[], Any]:
        def draw() -> Any:
            total = np.cumsum(np.exp((SCORES[1000] - SCORES[1000].max()) / 2))
            return np.searchsorted(total, RNG.random(MANY) * total[-1])

        return draw

    def ours() -> Callable[[], Any]:
        from privml import ExponentialMechanism

        mechanism = ExponentialMechanism(epsilon=EPSILON, sensitivity=1.0)
        return lambda: mechanism.output_distribution(SCORES[1000]).rvs(MANY, rng=RNG)

    def looped(make: Callable) -> Callable[[], Callable[[], Any]]:
        return lambda: (lambda call: lambda: [call() for _ in range(100)])(make(1000))

    return Question(
        "100,000 choices of 1,000",
        [
            Answer("floor", floor),
            Answer("privml", ours),
            Answer("diffprivlib", looped(choice_diffprivlib), share=100 / MANY),
            Answer("OpenDP", looped(choice_opendp), share=100 / MANY, note="exact"),
        ],
    )


def laplace_numbers() -> Question:
    """Continuous Laplace noise on a vector."""

    def ours() -> Callable[[], Any]:
        from privml import LaplaceMechanism

        mechanism = LaplaceMechanism(epsilon=EPSILON, sensitivity=1.0)
        return lambda: mechanism.release(np.zeros(MANY), rng=RNG)

    def diffprivlib() -> Callable[[], Any]:
        from diffprivlib.mechanisms import Laplace

        return repeated(Laplace(epsilon=EPSILON, sensitivity=1).randomise, 1000)

    def on_a_grid() -> Callable[[], Any]:
        dp = opendp()
        space = dp.vector_domain(dp.atom_domain(T=float, nan=False)), dp.l1_distance(T=float)
        mechanism, zeros = dp.m.make_laplace(*space, scale=1.0), [0.0] * 1000
        return lambda: mechanism(zeros)

    return Question(
        "100,000 Laplace numbers",
        [
            Answer("floor", lambda: lambda: np.zeros(MANY) + RNG.laplace(0.0, 1.0, MANY)),
            Answer("privml", ours),
            Answer("diffprivlib", diffprivlib, share=1000 / MANY),
            Answer("OpenDP", on_a_grid, share=1000 / MANY, note="exact on a grid"),
        ],
    )


def integer_noise(kind: str) -> Question:
    """Exact noise on integers, of scale 10; the floor and diffprivlib are not exact."""
    laplace = kind == "Laplace"

    def floor() -> Callable[[], Any]:
        if laplace:
            success = -math.expm1(-1 / 10)
            return lambda: RNG.geometric(success, MANY) - RNG.geometric(success, MANY)
        reach = np.arange(-120, 121)
        total = np.cumsum(np.exp(-(reach**2) / 200.0))
        return lambda: reach[np.searchsorted(total, RNG.random(MANY) * total[-1])]

    def ours() -> Callable[[], Any]:
        from privml.distributions import DiscreteGaussian, DiscreteLaplace

        law = DiscreteLaplace(0, scale=10) if laplace else DiscreteGaussian(0, variance=100)
        return lambda: law.rvs(MANY, rng=RNG)

    def diffprivlib() -> Callable[[], Any]:
        from diffprivlib.mechanisms import GaussianDiscrete, Geometric

        if laplace:
            return repeated(Geometric(epsilon=0.1, sensitivity=1).randomise, 200, 0)
        mechanism = GaussianDiscrete(epsilon=EPSILON, delta=DELTA, sensitivity=1)
        mechanism._scale = 10.0
        return repeated(mechanism.randomise, 200, 0)

    def exact() -> Callable[[], Any]:
        dp = opendp()
        space = dp.vector_domain(dp.atom_domain(T=int))
        distance = dp.l1_distance(T=int) if laplace else dp.l2_distance(T=int)
        make = dp.m.make_laplace if laplace else dp.m.make_gaussian
        mechanism, zeros = make(space, distance, scale=10.0), [0] * 1000
        return lambda: mechanism(zeros)

    return Question(
        f"100,000 discrete {kind}",
        [
            Answer("floor", floor, note="not exact"),
            Answer("privml", ours, note="exact"),
            Answer("diffprivlib", diffprivlib, share=200 / MANY, note="not exact"),
            Answer("OpenDP", exact, share=1000 / MANY, note="exact"),
        ],
    )


def sparse_vector() -> Question:
    """Above-threshold on 100,000 queries, none of which crosses: no peer answers it."""
    far = np.full(MANY, -1e6)

    def floor() -> Callable[[], Any]:
        def run() -> int:
            threshold = RNG.laplace(scale=2.0)
            return int((far + RNG.laplace(scale=4.0, size=MANY) > threshold).any())

        return run

    def ours() -> Callable[[], Any]:
        from privml.mechanisms import SparseVector

        mechanism = SparseVector(epsilon=EPSILON)
        return lambda: mechanism.run(far, rng=RNG)

    return Question("sparse vector, 100,000 queries", [Answer("floor", floor), Answer("privml", ours)])


def imports() -> Question:
    """A fresh interpreter that imports the package."""

    def fresh(code: str) -> Callable[[], Callable[[], Any]]:
        def make() -> Callable[[], Any]:
            command = [sys.executable, "-W", "ignore", "-c", code]
            return lambda: subprocess.run(command, check=True, capture_output=True)

        return make

    modules = {
        "privml": "privml",
        "diffprivlib": "diffprivlib.mechanisms",
        "OpenDP": "opendp.prelude",
        "dp_accounting": "dp_accounting",
        "autodp": "autodp.mechanism_zoo",
        "prv_accountant": "prv_accountant",
    }
    answers = [Answer(tool, fresh(f"import {module}")) for tool, module in modules.items()]
    return Question("start and import", [Answer("floor", fresh("")), *answers], 3)


def gaussian_delta(epsilon: float, mu: float) -> float:
    """The textbook formula."""
    return float(ndtr(mu / 2 - epsilon / mu) - math.exp(epsilon + log_ndtr(-mu / 2 - epsilon / mu)))


def calibration() -> Question:
    """Standard deviation of Gaussian noise for (1, 1e-5)."""

    def floor() -> Callable[[], Any]:
        excess = lambda log_sigma: gaussian_delta(EPSILON, math.exp(-log_sigma)) - DELTA  # noqa: E731
        return lambda: math.exp(brentq(excess, -3.0, 10.0, xtol=1e-14))

    def ours() -> Callable[[], Any]:
        from privml.mechanisms import gaussian_sigma

        return lambda: gaussian_sigma(EPSILON, DELTA, 1.0)

    def diffprivlib() -> Callable[[], Any]:
        from diffprivlib.mechanisms import GaussianAnalytic

        return lambda: GaussianAnalytic(epsilon=EPSILON, delta=DELTA, sensitivity=1)._scale

    def accounting() -> Callable[[], Any]:
        from dp_accounting import get_sigma_gaussian

        return lambda: get_sigma_gaussian(EPSILON, DELTA)

    def autodp() -> Callable[[], Any]:
        from autodp.calibrator_zoo import ana_gaussian_calibrator
        from autodp.mechanism_zoo import ExactGaussianMechanism

        calibrate = ana_gaussian_calibrator()
        return lambda: calibrate(ExactGaussianMechanism, EPSILON, DELTA).params["sigma"]

    def searched() -> Callable[[], Any]:
        dp = opendp()
        space = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)

        def made(sigma: float) -> Any:
            curve = dp.c.make_zCDP_to_approxDP(dp.m.make_gaussian(*space, sigma))
            return dp.c.make_fix_delta(curve, DELTA)

        return lambda: dp.binary_search_param(made, 1.0, (EPSILON, DELTA), bounds=(1.0, 20.0))

    tools = {"floor": floor, "privml": ours, "diffprivlib": diffprivlib, "dp_accounting": accounting}
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
        options = {"max_self_compositions": [K], "eps_error": 0.01, "delta_error": DELTA / 1000}
        return lambda: PRVAccountant(prvs=[kind(*arguments)], **options).compute_epsilon(DELTA, [K])[2]

    return make


def autodp_steps(build: Callable, compose: str = "Composition") -> Callable[[], Callable[[], Any]]:
    """A thousand mechanisms of autodp."""

    def make() -> Callable[[], Any]:
        from autodp import mechanism_zoo, transformer_zoo

        composed = getattr(transformer_zoo, compose)
        return lambda: float(composed()([build(mechanism_zoo)], [K]).get_approxDP(DELTA))

    return make


def opendp_steps(build: Callable[[Any], Any], distance: float = 1.0) -> Callable[[], Callable[[], Any]]:
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


def ours_steps(name: str, *arguments: float) -> Callable[[], Callable[[], Any]]:
    """A function of ours, by its name."""

    def make() -> Callable[[], Any]:
        from privml import composition, divergences

        function = getattr(composition, name, None) or getattr(divergences, name)
        return lambda: function(*arguments)

    return make


def gaussian_steps() -> Question:
    """A thousand releases with Gaussian noise of 50 sensitivities."""
    mu = math.sqrt(K) / SIGMA

    def floor() -> Callable[[], Any]:
        return lambda: brentq(lambda e: gaussian_delta(e, mu) - DELTA, 0, 10 * mu * mu + 100 * mu, xtol=1e-13)

    exactly = autodp_steps(lambda zoo: zoo.GaussianMechanism(SIGMA), "ComposeGaussian")
    answers = [
        Answer("floor", floor, number=float),
        Answer("privml", ours_steps("gaussian_epsilon", DELTA, mu), number=float),
        Answer("OpenDP", opendp_steps(lambda dp: dp.m.make_gaussian(*scalar(dp), SIGMA)), number=float),
        Answer("dp_accounting", accounted(lambda d: d.GaussianDpEvent(SIGMA)), number=float),
        Answer("autodp", exactly, number=float),
        Answer("prv_accountant", prv("GaussianMechanism", SIGMA), number=float),
    ]
    return Question("ε of 1,000 Gaussian releases", answers)


def pure_steps() -> Question:
    """A thousand pure steps of 0.05."""

    def floor() -> Callable[[], Any]:
        lies = np.arange(K + 1)

        def epsilon() -> float:
            log_p = gammaln(K + 1) - gammaln(lies + 1) - gammaln(K - lies + 1)
            log_p += -(K - lies) * np.log1p(math.exp(-STEP)) - lies * np.log1p(math.exp(STEP))
            loss, p = (K - 2 * lies) * STEP, np.exp(log_p)
            excess = lambda e: p @ -np.expm1(np.minimum(e - loss, 0.0)) - DELTA  # noqa: E731
            return brentq(excess, 0, K * STEP)

        return epsilon

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
        Answer("floor", floor, number=float),
        Answer("privml", ours_steps("optimal_epsilon", STEP, K, DELTA), number=float),
        Answer("diffprivlib", diffprivlib, number=float),
        Answer("dp_accounting", accounting, number=float),
        Answer("autodp", autodp_steps(lambda zoo: zoo.PureDP_Mechanism(STEP)), number=float),
        Answer("prv_accountant", prv("PureDPMechanism", STEP), number=float),
    ]
    return Question("ε of 1,000 pure steps", answers)


def choice_steps() -> Question:
    """A thousand choices by exponential mechanisms of 0.05, fixed in advance."""

    def noisy_max(dp: Any) -> Any:
        space = dp.vector_domain(dp.atom_domain(T=float, nan=False)), dp.linf_distance(T=float)
        return dp.m.make_noisy_max(*space, dp.zero_concentrated_divergence(), scale=2.0 / STEP)

    answers = [
        Answer("privml", ours_steps("nonadaptive_range_epsilon", STEP, K, DELTA), number=float),
        Answer("OpenDP", opendp_steps(noisy_max), number=float),
        Answer("autodp", autodp_steps(lambda zoo: zoo.ExponentialMechanism(STEP)), number=float),
    ]
    return Question("ε of 1,000 private choices", answers)


def subsampled_steps() -> Question:
    """A thousand Gaussian releases, each on a hundredth of the records."""

    def ours() -> Callable[[], Any]:
        from privml.composition import gaussian_loss, numerical_composition

        return lambda: numerical_composition(gaussian_loss(1.0, K, sampling_rate=0.01), delta=DELTA).epsilon

    def autodp() -> Callable[[], Any]:
        from autodp import mechanism_zoo, transformer_zoo

        def epsilon() -> float:
            sampled = transformer_zoo.AmplificationBySampling()
            step = sampled(mechanism_zoo.GaussianMechanism(1.0), 0.01, improved_bound_flag=True)
            return float(transformer_zoo.Composition()([step], [K]).get_approxDP(DELTA))

        return epsilon

    event = accounted(lambda d: d.PoissonSampledDpEvent(0.01, d.GaussianDpEvent(1.0)))
    answers = [
        Answer("privml", ours, number=float, note="by dp_accounting"),
        Answer("dp_accounting", event, number=float),
        Answer("autodp", autodp, number=float),
        Answer("prv_accountant", prv("PoissonSubsampledGaussianMechanism", 0.01, 1.0), number=float),
    ]
    return Question("ε of 1,000 subsampled releases", answers, 5)


def tumours() -> Question:
    """Mean accuracy of private linear rules for the tumours, pure epsilon = 1, over 20 splits."""
    from privml.datasets import load_breast_cancer

    data = load_breast_cancer()
    orders = [np.random.default_rng(seed).permutation(len(data.y)) for seed in range(20)]
    splits = [(order[:398], order[398:]) for order in orders]

    def mean(fitted: Callable[[Any, Any, int], Any]) -> Callable[[], float]:
        def run() -> float:
            models = [fitted(data.X[learn], data.y[learn], s) for s, (learn, _) in enumerate(splits)]
            scores = [m.score(data.X[t], data.y[t]) for m, (_, t) in zip(models, splits, strict=True)]
            return float(np.mean(scores))

        return run

    def floor() -> Callable[[], Any]:
        from sklearn.linear_model import LogisticRegression

        return mean(lambda X, y, seed: LogisticRegression(max_iter=2000).fit(X, y))

    def ours() -> Callable[[], Any]:
        from privml import ObjectivePerturbation

        options = {"bounds": (0.0, 1.0), "classes": (False, True)}
        return mean(lambda X, y, seed: ObjectivePerturbation(EPSILON, **options).fit(X, y, rng=seed))

    def diffprivlib() -> Callable[[], Any]:
        from diffprivlib.models import LogisticRegression

        options = {"epsilon": EPSILON, "data_norm": math.sqrt(data.X.shape[1]), "max_iter": 1000}
        return mean(lambda X, y, seed: LogisticRegression(random_state=seed, **options).fit(X, y))

    answers = [
        Answer("floor", floor, 20.0, float, "not private"),
        Answer("privml", ours, 20.0, float),
        Answer("diffprivlib", diffprivlib, 20.0, float, "defaults; its proof fails for this norm"),
    ]
    return Question("a linear rule for the tumours", answers, 3)


QUESTIONS = [
    choice(10_000, "one choice of 10,000"),
    choice(1_000_000, "one choice of 1,000,000", 3),
    many_choices(),
    laplace_numbers(),
    integer_noise("Laplace"),
    integer_noise("Gaussian"),
    sparse_vector(),
    calibration(),
    gaussian_steps(),
    pure_steps(),
    choice_steps(),
    subsampled_steps(),
    tumours(),
    imports(),
]
