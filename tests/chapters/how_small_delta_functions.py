"""Functions with which the tests check the theorems on how small delta must be."""

from math import exp, isqrt, log, log1p

import numpy as np

from book.tools.chapter_code import chapter_module
from privml.composition import amplified_epsilon, amplified_wlf16
from privml.distributions.binomial import binomial_logpmf
from privml.learnability import (
    count_vectors,
    erm_learner,
    exponential_learner,
    grid_packing,
    optimal_approximate_learner,
    packing_excess_risk,
    subset_learner,
)

chapter = chapter_module("how-small-delta")


def packing_bound(K, d, r, epsilon, delta):
    """Excess empirical risk that no private learner avoids on a packing."""
    kept = max(1 - chapter.group_delta(d, epsilon, delta), 0)
    return r * kept * (K - 1) / (exp(d * epsilon) + K - 1)


def log_delta_limit(d, epsilon):
    """Logarithm of (e^epsilon - 1) / (e^(d epsilon) - 1), where delta_d is 1."""
    return (1 - d) * epsilon + log1p(-exp(-epsilon)) - log1p(-exp(-d * epsilon))


def population_risk(m, epsilon, mass, delta, K=np.inf):
    """The bound for K populations, with this mass on either side of the cut."""
    near = np.arange(m + 1)  # S, records around the cut
    with np.errstate(over="ignore"):
        missed = delta * np.expm1(near * epsilon) / np.expm1(epsilon)
    share = 1 if np.isinf(K) else (K - 1) / (np.exp(near * epsilon) + K - 1)
    law = np.exp(binomial_logpmf(m, 2 * mass))
    return mass * law @ (share * np.maximum(1 - missed, 0))


def lasting_risk(c, m, epsilon):
    """The largest of these bounds over 40 masses, for delta = e^(-c m)."""
    masses = min(0.5, c / (2 * epsilon)) * np.linspace(0, 1, 41)[1:]
    return max(population_risk(m, epsilon, mass, exp(-c * m)) for mass in masses)


def group_at_half(epsilon, delta):
    """L, up to which the delta of a group is at most one half."""
    return log((exp(epsilon) - 1) / (2 * delta)) / epsilon


def worst(problem, law, m):
    """Largest expected excess empirical risk over the data sets of m records."""
    counts = count_vectors(problem.n_records, m)
    return (law(counts) * problem.excess_empirical_risk(counts)).sum(axis=1).max()


def erm_on_a_share(problem, m, delta):
    """ERM on floor(delta m) random records; below one, a uniform answer."""
    size = int(delta * m + 1e-9)
    uniform = np.full(problem.n_hypotheses, 1 / problem.n_hypotheses)
    if size == 0:
        return lambda counts: np.tile(uniform, (len(counts), 1))
    return subset_learner(erm_learner(problem), size)


def optima(m, epsilon, delta):
    """Packing bound, best learners with epsilon and with 0, and two simple ones."""
    packings = [grid_packing(2, m, distance=d) for d in range(1, m + 1)]
    problem = packings[0].problem
    bound = max(packing.excess_risk(epsilon, delta=delta) for packing in packings)
    best = optimal_approximate_learner(problem, m, epsilon, delta).value
    none = optimal_approximate_learner(problem, m, 0.0, delta).value
    few = worst(problem, erm_on_a_share(problem, m, delta), m)
    mechanism = worst(problem, exponential_learner(problem, epsilon), m)
    return delta, bound, best, none, few, mechanism


def subtracted(m, epsilon, delta):
    """K e^(-epsilon) m delta for K = e^(epsilon m), and the packing bound."""
    term = exp(epsilon * m) * exp(-epsilon) * m * delta
    return term, packing_excess_risk(np.inf, m, epsilon, delta=delta)


def chain(t):
    """The last chain, m epsilon = t: outside as printed and as it is, risk."""
    outside = 0.8 * (1 - exp(-t)) - 0.4
    return t, 0.9 - 0.4, outside, outside / 2


def aerm_privacy(epsilon, delta, m):
    """Epsilon and delta on floor(sqrt(m)) of m records; then the source's."""
    k = isqrt(m)
    tight = amplified_epsilon(epsilon, k / m), k / m * delta(k)
    return *tight, *amplified_wlf16(epsilon, delta(k), k / m)
