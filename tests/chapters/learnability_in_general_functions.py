"""Functions with which the tests check the theorems on private learnability."""

from math import comb, log2

import numpy as np
import pandas as pd
from scipy.optimize import minimize_scalar
from scipy.special import expit

from privml.distributions.binomial import binomial_logpmf
from privml.learnability import (
    LearningProblem,
    coin_problem,
    constant_learner,
    count_vectors,
    erm_learner,
    exact_privacy,
    expected_excess_risk,
    exponential_learner,
    grid_packing,
    sample_probabilities,
    thresholds_problem,
    worst_distribution,
    worst_excess_empirical_risk,
)

# Two hypotheses for four records, one good and one bad.
GOOD_AND_BAD = LearningProblem([[0.0] * 4, [1.0] * 4])
TAILS = {  # probability of an instance above x
    "geometric": lambda x: 2.0**-x,
    "1 / (x + 1)": lambda x: 1 / (x + 1),
    "1 / log₂(x + 2)": lambda x: 1 / log2(x + 2),
}


def fineness(n_records):
    """Steps of a grid of at most 3000 distributions."""
    return max(s for s in range(1, 401) if comb(n_records + s - 1, s) <= 3000)


def worst_risk(law, problem, m, steps=None):
    """Largest expected excess risk over a grid of distributions."""
    steps = steps or fineness(problem.n_records)
    return worst_distribution(expected_excess_risk, law, problem, m, steps=steps).value


def coin_rates(sizes, epsilon):
    """Worst excess risk of three learners on two records."""
    problem = coin_problem()
    learners = {
        "minimisation": erm_learner(problem),
        "exponential mechanism": exponential_learner(problem, epsilon),
        "always 0": constant_learner(problem, 0),
    }
    table = pd.DataFrame({"m": sizes})
    for name, law in learners.items():
        table[name] = [worst_risk(law, problem, m) for m in sizes]
    return table


def switching(epsilon):
    """From two records: bad with the larger probability if they differ."""

    def law(counts):
        differ = counts.max(axis=1) == 1
        bad = np.where(differ, expit(epsilon), expit(-epsilon))
        return np.stack([1 - bad, bad], axis=1)

    return law


def all_labellings(k):
    """All functions from k points to {0, 1}; records labelled 0, then 1."""
    labels = np.arange(2**k)[:, None] >> np.arange(k) & 1
    return LearningProblem(np.hstack([labels, 1 - labels]))


def unavoidable(n_points, m):
    """Excess risk that every learner has for some labelling of a uniform law."""
    return (1 - 1 / n_points) ** m / 2


def forgetful_odds(m, epsilon):
    """Log-odds of h = 1 on data sets with 0, 1, ..., m ones."""
    ones = np.arange(m + 1)
    low = -np.minimum(np.abs(ones - m // 4), m / 2 - ones)
    return epsilon * np.where(ones <= m / 2, low, ones - m / 2)


def forgetful_epsilon(m, epsilon):
    """Exact privacy: neighbours differ by one in the number of ones."""
    odds = forgetful_odds(m, epsilon)
    steps = [np.diff(np.logaddexp(0, sign * odds)) for sign in (1, -1)]
    return np.abs(steps).max()


def forgetful_gaps(m, epsilon):
    """AERM gap on data sets with 0, 1, ..., m ones."""
    lead, odds = 1 - 2 * np.arange(m + 1) / m, forgetful_odds(m, epsilon)
    return np.where(lead > 0, lead * expit(odds), -lead * expit(-odds))


def forgetful_means(m, epsilon, p):
    """Expected gap and excess risk when a record is 1 with probability p."""
    weights, odds = np.exp(binomial_logpmf(m, p)), forgetful_odds(m, epsilon)
    wrong = weights @ expit(odds if p < 0.5 else -odds)
    return weights @ forgetful_gaps(m, epsilon), abs(1 - 2 * p) * wrong


def forgetful_worst(m, epsilon):
    """The largest of each over p: a grid, and a search around its best point."""
    grid, found = np.linspace(0, 1, 41), []
    values = np.array([forgetful_means(m, epsilon, p) for p in grid])
    for which in (0, 1):
        best = values[:, which].argmax()
        near = grid[max(best - 1, 0)], grid[min(best + 1, 40)]

        def loss(p, which=which):
            return -forgetful_means(m, epsilon, p)[which]

        refined = minimize_scalar(loss, bounds=near, method="bounded")
        found.append(max(values[best, which], -refined.fun))
    return found


def branch_of(problem, law, m, w=0):
    """Which part of the proof that privacy can be spoilt serves m records."""
    pure = m * np.eye(problem.n_records, dtype=int)  # one record m times
    if (law(pure)[w] == 0).any():
        return "mixing"
    if problem.n_hypotheses > m:
        return "conditioning"
    choices = erm_learner(problem)(pure).argmax(axis=1)
    return "erm with mixing" if np.ptp(choices) == 0 else "erm"


def break_privacy(problem, law, m, w=0):
    """A law on m records that is not private, from a private one."""
    branch = branch_of(problem, law, m, w)
    base = erm_learner(problem) if branch.startswith("erm") else law

    def changed(laws):
        if branch == "conditioning":
            rarest = np.eye(laws.shape[1])[laws.argmin(axis=1)]
            return laws * (1 - rarest) / (1 - laws.min(axis=1, keepdims=True))
        never = np.flatnonzero(laws[0] == 0)[0]
        return laws * (1 - 1 / m) + np.eye(laws.shape[1])[never] / m

    def broken_law(counts):
        laws, marked = base(counts), counts[:, [w]] > 0
        return laws if branch == "erm" else np.where(marked, changed(laws), laws)

    return broken_law


def without_last(problem, epsilon):
    """The exponential mechanism on all hypotheses but the last."""
    inner = exponential_learner(LearningProblem(problem.losses[:-1]), epsilon)
    return lambda counts: np.pad(inner(counts), ((0, 0), (0, 1)))


def broken(problem, law, m):
    """A branch of the proof: exact privacy before and after, and its price."""
    branch, made = branch_of(problem, law, m), break_privacy(problem, law, m)
    counts = count_vectors(problem.n_records, m)
    reference = erm_learner(problem) if branch.startswith("erm") else law
    change = np.abs((made(counts) - reference(counts)) @ problem.losses).max()
    spent = [exact_privacy(a, problem.n_records, m).value for a in (law, made)]
    return branch, problem.n_hypotheses, m, *spent, change, 1 / m


def uniform_deviation(problem, population, m):
    """Mean over samples of the largest |empirical risk - risk|, exactly."""
    counts = count_vectors(problem.n_records, m)
    off = np.abs(problem.empirical_risk(counts) - problem.risk(population))
    return sample_probabilities(counts, population) @ off.max(axis=1)


def with_minorant(problem):
    """Losses halved and raised by 1/2, below them a hypothesis of loss 0."""
    minorant = np.zeros(problem.n_records)
    return LearningProblem(np.vstack([minorant, (1 + problem.losses) / 2]))


def threshold_numbers(k, m, epsilon):
    """Deviation under the uniform law, least private gap, gap of the mechanism."""
    problem = thresholds_problem(k)
    deviation = uniform_deviation(problem, np.full(2 * k, 1 / (2 * k)), m)
    packings = [grid_packing(k, m, distance=d) for d in range(2, m + 1, 2)]
    least = max((packing.excess_risk(epsilon) for packing in packings), default=0.0)
    law = exponential_learner(problem, epsilon)
    gap = worst_excess_empirical_risk(law, problem, m).value
    return deviation, least, gap


def minorant_deviation(k, m):
    """Of all labellings of k points with a minorant, all labels 1."""
    problem = with_minorant(all_labellings(k))
    return uniform_deviation(problem, np.repeat([0, 1 / k], k), m)
