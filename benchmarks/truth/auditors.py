"""Auditors on scores whose exact epsilon is known: does a bound that holds with 95 % hold in 95 %?

A *case* draws scores of records that took part and of those that did not, and knows the exact epsilon of
this pair of laws.  On a *null* case both laws are one, and every positive bound is false.  A *broken twin*
claims less than it spends, and an auditor that never says so is of no use.
"""

import contextlib
import json
import sys
import warnings
from collections.abc import Callable
from importlib import metadata
from math import comb, log
from typing import Any, NamedTuple

import numpy as np

SIGNIFICANCE, DELTA, RUNS, SIZE = 0.05, 1e-5, 100, 500
Draw = Callable[[np.random.Generator, int], np.ndarray]


class Case(NamedTuple):
    """Two samplers, the exact epsilon at DELTA between their laws, and what is claimed for them."""

    name: str
    inside: Draw
    outside: Draw
    epsilon: float
    claimed: float
    null: bool = False
    gaussian: bool = False


def response(epsilon: float) -> tuple[Draw, Draw]:
    """Randomised response."""
    told = 1 / (1 + np.exp(-epsilon))
    return (
        lambda rng, n: (rng.random(n) < told).astype(float),
        lambda rng, n: (rng.random(n) >= told).astype(float),
    )


def laplace(centre: float) -> Draw:
    """Laplace noise of scale 1."""
    return lambda rng, n: rng.laplace(centre, 1, n)


def null(draw: Draw) -> tuple[Draw, Draw, float, float, bool]:
    """The same law twice, for which nothing is too small a claim."""
    return draw, draw, 0.0, 0.0, True


GAUSSIAN = (
    4.377178095681  # of mu = 1 at 1e-5: an entry of truth.json, which a test compares
)
CASES = [
    Case("null: normal scores", *null(lambda rng, n: rng.standard_normal(n))),
    Case("null: Cauchy scores", *null(lambda rng, n: rng.standard_cauchy(n))),
    Case(
        "null: three values", *null(lambda rng, n: rng.integers(0, 3, n).astype(float))
    ),
    Case("null: one value", *null(lambda _, n: np.zeros(n))),
    Case("randomised response, 1 as claimed", *response(1.0), 1.0, 1.0),
    Case("its twin, 2 claimed as 1", *response(2.0), 2.0, 1.0),
    Case("Laplace noise, 1 as claimed", laplace(1), laplace(0), 1.0, 1.0),
    Case("its twin, 4 claimed as 1", laplace(4), laplace(0), 4.0, 1.0),
    Case(
        "Gaussian noise, mu = 1",
        lambda rng, n: rng.normal(1, 1, n),
        lambda rng, n: rng.normal(0, 1, n),
        GAUSSIAN,
        GAUSSIAN,
        gaussian=True,
    ),
]


def limits(count: int, n: int, error: float) -> tuple[float, float]:
    """Clopper-Pearson."""
    from scipy.special import betaincinv

    low = betaincinv(count, n - count + 1, error) if count else 0.0
    high = betaincinv(count + 1, n - count, 1 - error) if count < n else 1.0
    return float(low), float(high)


def bound(inside: np.ndarray, outside: np.ndarray, cut: float, error: float) -> float:
    """From the event that a score is at least the cut."""
    p = limits(int((inside >= cut).sum()), inside.size, error / 2)[0]
    q = limits(int((outside >= cut).sum()), outside.size, error / 2)[1]
    return max(0.0, log((p - DELTA) / q)) if p > DELTA else 0.0


def best(inside: np.ndarray, outside: np.ndarray) -> tuple[float, float]:
    """The largest bound of all cuts, and its cut, as if the cut had been chosen before."""
    cuts = np.unique(np.concatenate([inside, outside]))
    cuts = cuts[:: -(-cuts.size // 200)]
    return max((bound(inside, outside, cut, SIGNIFICANCE), cut) for cut in cuts)


def naive(inside: np.ndarray, outside: np.ndarray, rng: np.random.Generator) -> float:
    """The cut that looks best, judged by the scores by which it was chosen: the classic mistake."""
    return best(inside, outside)[0]


def counted(inside: np.ndarray, outside: np.ndarray, rng: np.random.Generator) -> float:
    """The largest ratio of the shares themselves, without limits: an estimate that some report."""
    cuts = np.unique(np.concatenate([inside, outside]))
    p = np.array([(inside >= cut).mean() for cut in cuts])
    q = np.array([(outside >= cut).mean() for cut in cuts])
    return max(0.0, float(np.log(p[q > 0] / q[q > 0]).max()))


def split(inside: np.ndarray, outside: np.ndarray, rng: np.random.Generator) -> float:
    """The cut from one half, the bound from the other."""
    half = inside.size // 2
    return bound(
        inside[half:],
        outside[half:],
        best(inside[:half], outside[:half])[1],
        SIGNIFICANCE,
    )


def privml(inside: np.ndarray, outside: np.ndarray, rng: np.random.Generator) -> float:
    """`privml.audit.monte_carlo` on the same scores."""
    from privml.audit import monte_carlo

    def draw(side, n, _):
        return (inside, outside)[side]

    return monte_carlo(
        draw, (0, 1), inside.size, delta=DELTA, confidence=1 - SIGNIFICANCE, rng=rng
    ).epsilon


def jax(method: str, **options: Any) -> Callable:
    """A method of jax_privacy's auditor of canaries."""

    def audit(
        inside: np.ndarray, outside: np.ndarray, rng: np.random.Generator
    ) -> float:
        from jax_privacy import auditing

        chosen = dict(options)
        if (strategy := chosen.pop("strategy", None)) is not None:
            chosen["threshold_strategy"] = getattr(auditing, strategy)(
                seed=int(rng.integers(2**31))
            )
        found = getattr(auditing.CanaryScoreAuditor(inside, outside), method)(
            delta=DELTA, **chosen
        )
        return float(found)

    return audit


class Auditor(NamedTuple):
    """From scores to a number; its package, None for what is here; and what its documentation promises."""

    audit: Callable
    package: str | None
    promise: str


BOUND = "a lower bound with 95 % confidence"
IF_GAUSSIAN = (  # the documentation names the method's paper, and a private function takes the Gaussian curve
    "a lower bound with 95 % confidence. It is computed under the assumption of a Gaussian trade-off curve, "
    "which the documentation does not mention; we hold it to the bound where the assumption is true"
)
AT_LEVEL = "an estimate, for Gaussian trade-off curves, with an allowed probability of failure of 5 %"
ESTIMATE = "an estimate without a stated confidence"


def promised(promise: str, case: Case) -> bool:
    """Whether it says anything of a case: laws that are equal are Gaussian of mean difference 0 to its eyes."""
    return promise == BOUND or (
        promise in (IF_GAUSSIAN, AT_LEVEL) and (case.null or case.gaussian)
    )


ALPHA = {"significance": SIGNIFICANCE}
JAX = "jax-privacy"
AUDITORS = {
    "privml.audit": Auditor(privml, None, BOUND),
    "Clopper-Pearson, split": Auditor(split, None, BOUND),
    "Clopper-Pearson, best cut": Auditor(naive, None, BOUND),
    "largest ratio of counts": Auditor(counted, None, ESTIMATE),
    "jax_privacy, Clopper-Pearson": Auditor(
        jax("epsilon_clopper_pearson", **ALPHA), JAX, BOUND
    ),
    "jax_privacy, split": Auditor(
        jax("epsilon_clopper_pearson", strategy="Split", **ALPHA), JAX, BOUND
    ),
    "jax_privacy, one run": Auditor(jax("epsilon_one_run", **ALPHA), JAX, BOUND),
    "jax_privacy, one run, f-DP": Auditor(
        jax("epsilon_one_run_fdp", **ALPHA), JAX, IF_GAUSSIAN
    ),
    "jax_privacy, from GDP": Auditor(jax("epsilon_from_gdp", **ALPHA), JAX, AT_LEVEL),
    "jax_privacy, raw counts": Auditor(jax("epsilon_raw_counts"), JAX, ESTIMATE),
}


def judged(bounds: list[float | None], case: Case) -> dict:
    """How often a bound exceeds the exact epsilon, and whether more often than it may.

    The chance of so many false ones or more, if each is false with the chance that was allowed.
    """
    found = [b for b in bounds if b is not None]
    false = sum(b > case.epsilon * (1 + 1e-9) for b in found)
    chance = sum(
        comb(len(found), i) * SIGNIFICANCE**i * (1 - SIGNIFICANCE) ** (len(found) - i)
        for i in range(false, len(found) + 1)
    )
    return {
        "runs": len(found),
        "false": false,
        "chance": chance,
        "caught": sum(b > case.claimed * (1 + 1e-9) for b in found),
        "median": float(np.median(found)) if found else None,
        "largest": max(found, default=None),
        "failed": len(bounds) - len(found),
    }


def audited(auditor: Callable, case: Case, runs: int = RUNS, size: int = SIZE) -> dict:
    """One auditor on one case, many times."""
    bounds: list[float | None] = []
    for rng in np.random.default_rng(1).spawn(runs):
        scores = case.inside(rng, size), case.outside(rng, size)
        try:
            with warnings.catch_warnings(), contextlib.redirect_stderr(None):
                warnings.simplefilter("ignore")
                bounds.append(float(auditor(*scores, rng)))
        except Exception:  # whatever a tool raises on such scores
            bounds.append(None)
    return judged(bounds, case)


def main() -> int:
    """All auditors on all cases, as JSON lines."""
    for name, (auditor, package, _) in AUDITORS.items():
        try:
            version = metadata.version(package) if package else None
        except metadata.PackageNotFoundError:
            print(json.dumps({"auditor": name, "missing": "not installed"}), flush=True)
            continue
        print(json.dumps({"auditor": name, "version": version}), flush=True)
        for case in CASES:
            print(
                json.dumps(
                    {"auditor": name, "case": case.name} | audited(auditor, case)
                ),
                flush=True,
            )
    return 0


if __name__ == "__main__":
    sys.exit(main())
