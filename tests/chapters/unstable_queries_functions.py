"""Functions with which the tests check the theorems of the chapter on unstable queries."""

from functools import partial
from itertools import product
from math import exp

import numpy as np
import pandas as pd
from scipy.optimize import brentq

from book.tools.chapter_code import chapter_module
from privml.mechanisms import (
    Noise,
    transcript_log_probabilities,
    transcripts,
)
from privml.pate import SparseVectorAggregator

answered = chapter_module("unstable-queries").answered

VARIANTS = {
    "source": {"calibration": "source", "split": "source"},
    "source, best split": {"calibration": "source", "split": "optimal"},
    "exact, printed split": {"calibration": "exact", "split": "source"},
    "exact": {"calibration": "exact", "split": "optimal"},
}


def service(
    variant: str, T: int, n_queries: int, epsilon: float, delta: float
) -> SparseVectorAggregator:
    """Four variants that lead from the source's constants to the sharp ones."""
    promise = {"epsilon": epsilon, "delta": delta} | VARIANTS[variant]
    return SparseVectorAggregator(cutoff=T, n_queries=n_queries, **promise)


def slip(w: float, noise: Noise) -> float:
    """Probability that a point of distance 0 passes the threshold w."""
    a, b = noise.threshold_scale, noise.query_scale
    return (b**2 * exp(-w / b) - a**2 * exp(-w / a)) / (2 * (b**2 - a**2))


def all_answered(sizes, n_points, T, epsilon, delta):
    """Probability that all points are answered, for each variant and number of teachers."""
    runs = {name: service(name, T, n_points, epsilon, delta) for name in VARIANTS}
    table = pd.DataFrame({"n_teachers": sizes})
    for name, run in runs.items():
        table[name] = [answered(run, K, n_points) for K in sizes]
    return table


def distances_near(run, n_first, width):
    """Distances of points of one kind, then of another, and their neighbours."""
    near = np.arange(-width, width + 1) + round(run.threshold)
    values = sorted({0, 1, *near[near >= 0].tolist()})
    states = np.array(list(product(values, repeat=2)))
    apart = np.abs(states[:, None] - states).max(axis=2)
    return np.repeat(states, [n_first, 1], axis=1), np.argwhere(apart <= 1)


class DistanceAudit:
    """Exact delta over all neighbours; another winner betrays all."""

    def __init__(self, run, n_first, width=8):
        distances, self.pairs = distances_near(run, n_first, width)
        noise = {"noise": run.noise, "cutoff": run.cutoff, "redraw": True}
        log_law = partial(transcript_log_probabilities, **noise)
        excess = run.threshold - distances.astype(float)
        self.laws = np.exp([log_law(row) for row in excess])
        halted = [False] * (n_first + 1)
        answers = [
            [not x for x in t] + halted[len(t) :]
            for t in transcripts(n_first + 1, run.cutoff)
        ]
        turned = (distances[self.pairs] == 0).all(axis=1)
        self.betrays = (turned[:, None] & np.array(answers)).any(axis=2)

    def delta(self, epsilon):
        p, q = (self.laws[self.pairs[:, side]] for side in (0, 1))
        kept = np.where(self.betrays, 0.0, q)
        return np.maximum(0.0, p - np.exp(epsilon) * kept).sum(axis=1).max()


def exact_epsilon(run, n_first):
    """Least epsilon at the claimed delta."""
    audit = DistanceAudit(run, n_first)

    def excess(level):
        return audit.delta(level) - run.delta

    return 0.0 if excess(0.0) <= 0 else brentq(excess, 0.0, run.epsilon, xtol=1e-14)


def audit_of_stable_labels(n_first, cutoffs, claims, delta):
    """Claimed and exact epsilon for the source's and the sharp constants."""
    columns = {"claimed": claims}
    for T, name in product(cutoffs, ("source", "exact")):
        runs = [service(name, T, n_first + 1, claim, delta) for claim in claims]
        columns[f"{name}, T = {T}"] = [exact_epsilon(run, n_first) for run in runs]
    return pd.DataFrame(columns)
