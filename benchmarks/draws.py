"""Questions of `benchmarks.peers` that are answered by draws: choices, noise, a sparse vector."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.questions import (
    DELTA,
    EPSILON,
    MANY,
    Answer,
    Question,
    opendp,
    repeated,
)

RNG = np.random.default_rng(0)
SCORES = {n: RNG.uniform(0, 20, size=n) for n in (1000, 10_000, 1_000_000)}


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

    return Exponential(
        epsilon=EPSILON, sensitivity=1.0, utility=SCORES[n].tolist()
    ).randomise


def choice_opendp(n: int) -> Callable[[], Any]:
    """Gumbel noise, exactly rounded."""
    dp = opendp()
    space = (
        dp.vector_domain(dp.atom_domain(T=float, nan=False)),
        dp.linf_distance(T=float),
    )
    mechanism = dp.m.make_noisy_max(
        *space, dp.zero_concentrated_divergence(), scale=2.0 / EPSILON
    )
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
        space = (
            dp.vector_domain(dp.atom_domain(T=float, nan=False)),
            dp.l1_distance(T=float),
        )
        mechanism, zeros = dp.m.make_laplace(*space, scale=1.0), [0.0] * 1000
        return lambda: mechanism(zeros)

    return Question(
        "100,000 Laplace numbers",
        [
            Answer(
                "floor", lambda: lambda: np.zeros(MANY) + RNG.laplace(0.0, 1.0, MANY)
            ),
            Answer("privml", ours),
            Answer("diffprivlib", diffprivlib, share=1000 / MANY),
            Answer("OpenDP", on_a_grid, share=1000 / MANY, note="exact on a grid"),
        ],
    )


def integers_opendp(laplace: bool) -> Callable[[], Any]:
    """A vector of a thousand zeros with exact noise."""
    dp = opendp()
    space = dp.vector_domain(dp.atom_domain(T=int))
    distance = dp.l1_distance(T=int) if laplace else dp.l2_distance(T=int)
    make = dp.m.make_laplace if laplace else dp.m.make_gaussian
    mechanism, zeros = make(space, distance, scale=10.0), [0] * 1000
    return lambda: mechanism(zeros)


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

        law = (
            DiscreteLaplace(0, scale=10)
            if laplace
            else DiscreteGaussian(0, variance=100)
        )
        return lambda: law.rvs(MANY, rng=RNG)

    def diffprivlib() -> Callable[[], Any]:
        from diffprivlib.mechanisms import GaussianDiscrete, Geometric

        if laplace:
            return repeated(Geometric(epsilon=0.1, sensitivity=1).randomise, 200, 0)
        mechanism = GaussianDiscrete(epsilon=EPSILON, delta=DELTA, sensitivity=1)
        mechanism._scale = 10.0
        return repeated(mechanism.randomise, 200, 0)

    return Question(
        f"100,000 discrete {kind}",
        [
            Answer("floor", floor, note="not exact"),
            Answer("privml", ours, note="exact"),
            Answer("diffprivlib", diffprivlib, share=200 / MANY, note="not exact"),
            Answer(
                "OpenDP",
                lambda: integers_opendp(laplace),
                share=1000 / MANY,
                note="exact",
            ),
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

        mechanism = SparseVector(epsilon=EPSILON, sensitivity=1)
        return lambda: mechanism.run(far, rng=RNG)

    return Question(
        "sparse vector, 100,000 queries",
        [Answer("floor", floor), Answer("privml", ours)],
    )


QUESTIONS = [
    choice(10_000, "one choice of 10,000"),
    choice(1_000_000, "one choice of 1,000,000", 3),
    many_choices(),
    laplace_numbers(),
    integer_noise("Laplace"),
    integer_noise("Gaussian"),
    sparse_vector(),
]
