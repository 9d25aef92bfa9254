"""Functions with which the tests of the best private learner check theorems and counterexamples of the chapter."""

import numpy as np

from privml.learnability import (
    LearningProblem,
    count_vectors,
    neighbours,
    optimal_learner,
    optimal_tradeoff,
    simplex_grid,
    thresholds_problem,
)


def geometric_rule(m, epsilon):
    """Probabilities of both answers, for rows (zeros, ones) of counts: down from the tie as steeply as allowed."""
    start = 1 / 2 if m % 2 == 0 else 1 / (1 + np.exp(epsilon))

    def rule(counts):
        lead = counts[:, 0] - counts[:, 1]
        losing = start * np.exp(-epsilon * (np.abs(lead) // 2))
        zero = np.where(lead >= 0, 1 - losing, losing)
        return np.stack([zero, 1 - zero], axis=1)

    return rule


def ordered_pairs(problem, m):
    """Ordered pairs of different neighbours, in the order of the chapter's linear program."""
    pairs = neighbours(problem.n_records, m)
    return np.stack([pairs, pairs[:, ::-1]], axis=1).reshape(-1, 2)


def certified(problem, m, epsilon, weights, multipliers):
    """What no private learner stays below, from weights of data sets and of (pair, hypothesis)."""
    brackets = weights[:, None] * problem.excess_empirical_risk(
        count_vectors(problem.n_records, m)
    )
    pairs = ordered_pairs(problem, m)
    np.add.at(brackets, pairs[:, 0], multipliers)
    np.add.at(brackets, pairs[:, 1], -np.exp(epsilon) * multipliers)
    return brackets.min(axis=1).sum()


def without_minimiser(k):
    """One record; hypotheses of loss 1/4 + 1/j for j up to k hedge."""
    hedges = np.repeat(0.25 + 1 / np.arange(4, k + 1), 2).reshape(-1, 2)
    best = optimal_tradeoff(LearningProblem(np.vstack([1 - np.eye(2), hedges])), 1)
    return best.objective, best.learner.epsilon


def point_masses(k, m):
    """Equation (7) for point masses on k records, loss 1 for a wrong name."""
    turns = [[*range(1, k), 0], [1, 0, *range(2, k)]]
    options = {"distributions": np.eye(k), "symmetries": turns, "tolerance": 5e-3}
    best = optimal_tradeoff(LearningProblem(1 - np.eye(k)), m, **options)
    return best.objective, best.learner.epsilon


def over_classes(N, m, epsilon):
    """Optima over all data sets, a grid of laws, and the realizable ones."""
    problem, symmetries = thresholds_problem(N), [np.arange(2 * N)[::-1]]
    grid = simplex_grid(problem.n_records, 4)
    realizable = grid[problem.best_risk(grid) < 1e-12]

    def optimum(laws):
        return optimal_learner(
            problem, m, epsilon, distributions=laws, symmetries=symmetries
        ).value

    return [optimum(laws) for laws in (None, grid, realizable)]
