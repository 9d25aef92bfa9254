"""Functions for the tests of the chapter on sparse and kernel problems that its page does not need."""

from dataclasses import dataclass
from itertools import combinations
from math import comb, log, sqrt

import numpy as np

from privml.hypotheses import Thresholds
from privml.hypotheses.base import HypothesisClass, point_indices
from privml.learners.best_subset import (
    coefficient_lattice,
    subset_risks,
    two_stage_distribution,
)
from privml.learners.penalised_erm import SquaredLoss, penalised_distribution
from privml.pac import expected_excess_error
from privml.populations import FinitePopulation

PRIME = 2**31 - 1
PUBLIC = np.array([0.4, 0.3, 0.15, 0.1, 0.05])  # law of the readings 0 to 4
DATA = np.array([0.25, 0.25, 0.25, 0.15, 0.1])  # at most twice the public one


def shares(d, s, log_points):
    """Share of epsilon for the support, by the name of the way."""
    supports, points = sqrt(log(comb(d, s))), sqrt(log_points)
    best = supports / (supports + points)
    return {"two stages": 0.5, "two stages, best split": best, "one stage": None}


def law_of(risks, m, epsilon, share, width):
    """The library's law of support and point: in one stage, or with a share for the support."""
    if share is None:
        return penalised_distribution(risks.ravel(), m, epsilon, loss_range=width)
    parts = share * epsilon, (1 - share) * epsilon
    return two_stage_distribution(risks, m, *parts, oscillation=width)


def expected_risk(risks, m, epsilon, share, width):
    """Mean risk of a draw."""
    law = law_of(risks, m, epsilon, share, width).pmf().reshape(risks.shape)
    return (law * risks).sum()


def best_subset_gap(
    m, epsilon, *, n_features, n_selected, fit_cost, oscillation=1.0, share=None
):
    """Bound of WLF16-ex-22: two stages with a share for the support, or one."""
    supports, points = log(comb(n_features, n_selected)), fit_cost
    if share is not None:
        supports, points = supports / share, points / (1 - share)
    return 2 * oscillation * (supports + points) / (m * epsilon)


def sparse_records(m, d, rng):
    """Features -1 and 1; half of the first minus half of the second, and noise."""
    X = rng.choice([-1.0, 1.0], size=(m, d))
    return X, 0.5 * X[:, 0] - 0.5 * X[:, 1] + rng.uniform(-0.25, 0.25, size=m)


def excesses(d, m, epsilon, n_sets):
    """Mean excess over the best pair, and its bound, by the name of the way."""
    lattice, pairs = coefficient_lattice(2, 1.0, 4), list(combinations(range(d), 2))
    width = SquaredLoss().oscillation(sqrt(2))
    streams = np.random.default_rng([0, d]).spawn(n_sets)
    data = [sparse_records(m, d, rng) for rng in streams]
    tables = [subset_risks(X, y, pairs, lattice) for X, y in data]
    sizes = {"n_features": d, "n_selected": 2, "fit_cost": log(len(lattice))}
    row = {}
    for name, share in shares(d, 2, log(len(lattice))).items():
        draws = [expected_risk(t, m, epsilon, share, width) for t in tables]
        row[name] = np.mean([r - t.min() for r, t in zip(draws, tables, strict=True)])
        options = {"oscillation": width, "share": share, **sizes}
        row[f"{name}, bound"] = best_subset_gap(m, epsilon, **options)
    return row


def rate_forms(L, m, d=100, s=3):
    """The rate of WLF16-ex-22 as printed, as corrected, and ours for convex losses."""
    root, logs = sqrt(m), log(d) + log(m)
    ours = 2 * (log(comb(d, s)) + s) / root
    return s / root * (logs + L), s / root * (logs + log(L)), ours


@dataclass(frozen=True)
class Buckets(HypothesisClass):
    """Bucket by bucket of some partitions, x in ((a x + b) mod p) mod k."""

    partitions: np.ndarray  # a row (a, b) for each
    n_buckets: int
    n_features = None
    vc_dimension = None  # not known: it depends on the partitions

    @property
    def n_hypotheses(self):
        return len(self.partitions) * self.n_buckets

    def _describe(self, index):
        return "bucket {1} of partition {0}".format(*divmod(index, self.n_buckets))

    def _records(self, X):
        return point_indices(X, PRIME)

    def _predictions(self, records, indices):
        which, bucket = np.divmod(indices, self.n_buckets)
        a, b = self.partitions[which, :, None].swapaxes(0, 1)
        return (a * records + b) % PRIME % self.n_buckets == bucket[:, None]


@dataclass(frozen=True)
class HashedPoints:
    """A representation: several independent partitions into buckets."""

    n_buckets: int
    n_repeats: int = 1

    def draw(self, n_features=1, *, rng=None):
        rng, size = np.random.default_rng(rng), self.n_repeats
        factors = rng.integers(1, PRIME, size=size)
        shifts = rng.integers(PRIME, size=size)
        return Buckets(np.stack([factors, shifts], axis=1), self.n_buckets)


def excess_of_cuts(hypotheses, multiplicity, m, epsilon):
    """Exact excess error of the mechanism on the registry, where a cut stands for many."""

    def law(mistakes):
        logs = np.log(multiplicity) - epsilon * np.asarray(mistakes, dtype=float) / 2
        weights = np.exp(logs - logs.max(axis=-1, keepdims=True))
        return weights / weights.sum(axis=-1, keepdims=True)

    readings = np.arange(5)
    population = FinitePopulation(readings.astype(float), readings >= 2, DATA)
    least = population.error_rates(hypotheses).min()
    return expected_excess_error(law, hypotheses, population, m) + least


def whole_of_cuts():
    """Thresholds at 1 to 5, the last of which stands for all above the readings."""
    return Thresholds(np.arange(1, 6))


def largest_gap(n):
    """Bound on the mean of the largest gap between n public points."""
    return sum(1 / j for j in range(1, n + 2)) / (n + 1)
