"""The exponential mechanism, hypothesis classes and exact audits against their floors.

The floor of a draw is the plain numpy inverse CDF: exponentiate, sum up, search.  Peers, where installed:
diffprivlib and OpenDP.
"""

import importlib.util
import subprocess
import sys

import numpy as np

from benchmarks.timing import Case
from privml import audit
from privml.adjacency import Adjacency
from privml.hypotheses import DecisionStumps, Thresholds
from privml.learners import ExponentialPACLearner
from privml.mechanisms import ExponentialMechanism, PermuteAndFlip

RNG = np.random.default_rng(0)
SCORES = {
    size: RNG.uniform(0, 100, size=size) for size in (100, 1000, 10_000, 1_000_000)
}
MECHANISM = ExponentialMechanism(epsilon=1.0, sensitivity=1.0)
FLIP = PermuteAndFlip(epsilon=1.0, sensitivity=1.0)


def floor_draw(scores: np.ndarray, size: int | None = None) -> np.ndarray:
    """Plain numpy: no checks, no law, one inverse CDF."""
    weights = np.exp((scores - scores.max()) / 2)
    total = np.cumsum(weights)
    return np.searchsorted(total, RNG.random(size) * total[-1])


def floor_flip(scores: np.ndarray) -> int:
    """Plain numpy: the largest score after exponential noise."""
    return int(np.argmax(scores + RNG.exponential(2.0, size=scores.size)))


def peer_cases() -> list[Case]:
    """One draw by each peer that is installed, against the same floor."""
    cases = []
    if importlib.util.find_spec("diffprivlib"):
        from diffprivlib.mechanisms import Exponential

        scores = SCORES[10_000].tolist()
        peer = Exponential(epsilon=1.0, sensitivity=1.0, utility=scores)
        cases.append(
            Case(
                "peer: diffprivlib Exponential, one of 1e4",
                peer.randomise,
                lambda: floor_draw(SCORES[10_000]),
            )
        )
    return cases


LEARNER = ExponentialPACLearner(
    1.0, Thresholds([-1.0, 0.5, 1.5, 2.5, 9.0]), classes=(False, True)
)
UNIVERSE = np.array([[0.0], [1.0], [2.0], [3.0]]), np.array([False, True, False, True])
STUMPS = DecisionStumps([np.sort(RNG.uniform(size=500)) for _ in range(10)])
RECORDS, LABELS = RNG.uniform(size=(10_000, 10)), RNG.random(10_000) < 0.5


def audit_learner(adjacency: Adjacency = Adjacency.REPLACE_ONE) -> float:
    """Exact epsilon of the private learner: 5 hypotheses, 4 labelled points, 5 records."""
    return audit.exact(
        lambda data: LEARNER.output_distribution(*data),
        UNIVERSE,
        5,
        adjacency=adjacency,
    ).epsilon


def import_package() -> None:
    """A fresh interpreter that imports privml."""
    subprocess.run([sys.executable, "-c", "import privml"], check=True)


def import_nothing() -> None:
    """A fresh interpreter that imports nothing."""
    subprocess.run([sys.executable, "-c", ""], check=True)


CASES = [
    Case(
        "exponential mechanism, one of 1e6",
        lambda: MECHANISM.release(SCORES[1_000_000], rng=RNG),
        lambda: floor_draw(SCORES[1_000_000]),
        most_ratio=1.5,
    ),
    Case(
        "exponential mechanism, one of 1e4",
        lambda: MECHANISM.release(SCORES[10_000], rng=RNG),
        lambda: floor_draw(SCORES[10_000]),
    ),
    Case(
        "exponential mechanism, one of 100",
        lambda: MECHANISM.release(SCORES[100], rng=RNG),
        lambda: floor_draw(SCORES[100]),
        most_seconds=20e-6,
    ),
    Case(
        "exponential mechanism, 1e5 draws of 1e3",
        lambda: MECHANISM.output_distribution(SCORES[1000]).rvs(100_000, rng=RNG),
        lambda: floor_draw(SCORES[1000], 100_000),
        most_ratio=3.0,
    ),
    Case(
        "permute-and-flip, one of 1e6",
        lambda: FLIP.release(SCORES[1_000_000], rng=RNG),
        lambda: floor_flip(SCORES[1_000_000]),
    ),
    Case(
        "permute-and-flip, exact law of 1e3",
        lambda: FLIP.output_distribution(SCORES[1000]),
    ),
    *peer_cases(),
    Case(
        "import privml in a fresh interpreter",
        import_package,
        import_nothing,
        most_seconds=0.15,
        repeats=7,
    ),
    Case(
        "exact audit of the private learner, replace-one",
        audit_learner,
        most_seconds=1.0,
    ),
    Case(
        "exact audit of the private learner, add-or-remove-one",
        lambda: audit_learner(Adjacency.ADD_OR_REMOVE_ONE),
        most_seconds=1.0,
    ),
    Case(
        f"mistakes of {STUMPS.n_hypotheses} stumps on 1e4 records",
        lambda: STUMPS.mistakes(RECORDS, LABELS),
        most_seconds=1.0,
        repeats=5,
    ),
    Case(
        f"predictions of {STUMPS.n_hypotheses} stumps on 1e4 records, in blocks",
        lambda: sum(int(block.sum()) for _, block in STUMPS.blocks(RECORDS)),
        most_seconds=1.0,
        repeats=5,
    ),
]
