"""Functions with which the tests of the chapter on learning without privacy check its statements and numbers."""

from math import ceil, log, log2

import numpy as np

from book.tools.chapter_code import chapter_module
from privml import audit, pac
from privml.bounds import agnostic_erm_excess_error, required_sample_size
from privml.hypotheses import Table
from privml.learners.erm import erm_mistake_learner
from privml.populations import FinitePopulation

chapter = chapter_module("learning-without-privacy")


def chain(hypotheses, population, m):
    """Largest excess error of a minimiser, and twice the largest gap, for each sample."""
    errors = population.error_rates(hypotheses)
    _, mistakes = chapter.all_samples(hypotheses, population, m)
    gap = np.abs(mistakes / m - errors).max(axis=1)
    minimal = mistakes == mistakes.min(axis=1, keepdims=True)
    worst = np.where(minimal, errors, -np.inf).max(axis=1)
    return worst - errors.min(), 2 * gap


def both_goals(n_points, m, alpha):
    """How often ERM that prefers False has a large empirical error, and how often a large true error.

    The class holds all rules on equally likely instances whose labels are all True.
    """
    points, law = np.arange(n_points), erm_mistake_learner("first")
    memory = Table((np.arange(2**n_points)[:, None] >> points) % 2 == 1)
    equal = np.full(n_points, 1 / n_points)
    all_true = FinitePopulation(points, points >= 0, equal)
    chances, mistakes = chapter.all_samples(memory, all_true, m)
    misses = (law(mistakes) * (mistakes / m > alpha + 1e-9)).sum(axis=1)
    fails = pac.failure_probability(law, memory, all_true, m, alpha)
    return chances @ misses, fails


def printed_sizes(alpha, beta):
    """Sample sizes for two rules as DR11 may be read, and as it should be."""
    natural, binary = ceil(log(2) / alpha**2), ceil(log2(2) / alpha**2 - 1e-9)
    corrected = required_sample_size(
        lambda m: agnostic_erm_excess_error(2, m, beta), alpha
    )
    return {"natural": natural, "binary": binary, "corrected": corrected}


def erm_audit(rules, points, tie_break, m):
    """Exact audit of ERM on m records with these instances and either label."""
    law = erm_mistake_learner(tie_break)
    universe = np.repeat(points, 2), np.tile([False, True], len(points))
    return audit.exact(lambda data: law(rules.mistakes(*data)), universe, m)
