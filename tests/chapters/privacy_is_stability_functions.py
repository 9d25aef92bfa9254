"""Functions with which the tests of the chapter on stability check its theorems and inequalities."""

import numpy as np
import pandas as pd

from privml.divergences import kullback_leibler
from privml.learnability import (
    LearningProblem,
    count_vectors,
    erm_learner,
    exact_privacy,
    exponential_learner,
    neighbours,
    permute_and_flip_learner,
    stability_from_privacy,
    subset_learner,
    total_variation_stability,
    worst_excess_empirical_risk,
)
from privml.learnability.risks import expected_risks, loss_changes
from privml.learnability.stability import neighbourhood, stability_among


def learners(problem, epsilon):
    """Five learners for one problem, private ones first."""
    exponential, minimiser = exponential_learner(problem, epsilon), erm_learner(problem)
    return {
        "exponential": exponential,
        "permute and flip": permute_and_flip_learner(problem, epsilon),
        "exponential on a subsample": subset_learner(exponential),
        "ERM on a subsample": subset_learner(minimiser),
        "ERM": minimiser,
    }


def mean_of_bits(m):
    """The mean of m records 0 or 1, published as it is; the loss is |h - w|."""
    means = np.arange(m + 1) / m
    problem = LearningProblem(np.abs(means[:, None] - np.array([0, 1])))
    return problem, lambda counts: np.eye(m + 1)[counts[:, 1]]


def response(epsilon):
    """One record, 0 or 1, by randomised response."""
    truth = 1 / (1 + np.exp(-epsilon))
    choices = np.array([[truth, 1 - truth], [1 - truth, truth]])
    return lambda counts: choices[counts[:, 1]]


def divergence_stability(law, n_records, m):
    """Largest Kullback-Leibler divergence between neighbours, in either order."""
    laws = law(count_vectors(n_records, m))
    one, other = laws[neighbours(n_records, m)].swapaxes(0, 1)
    both = kullback_leibler(one, other), kullback_leibler(other, one)
    return float(np.max(both))


def terms(law, problem, population, m):
    """Terms of the theorem and of the promise of privacy, by name."""
    found = expected_risks(law, problem, population, m)
    sizes = problem.n_records, m
    around = neighbourhood(law, *sizes)
    weights, changes = loss_changes(around, problem, population)
    loss = min(exact_privacy(law, *sizes).value, 1e3)
    return {
        "excess risk": found.risk - found.best_risk,
        "generalisation gap": found.risk - found.empirical_risk,
        "AERM gap": found.empirical_risk - found.best_empirical_risk,
        "optimism": found.best_risk - found.best_empirical_risk,
        "on-average stability": weights @ changes,
        "mean change": weights @ abs(changes),
        "uniform stability": stability_among(around, problem).value,
        "total variation": total_variation_stability(law, *sizes).value,
        "tanh(ε/2)": stability_from_privacy(loss),
        "always AERM gap": worst_excess_empirical_risk(law, problem, m).value,
    }


STEPS = [
    ("excess risk", "=", "generalisation + AERM gap - optimism"),
    ("excess risk", "≤", "generalisation gap + AERM gap"),
    ("generalisation gap", "=", "on-average stability"),
    ("on-average stability", "≤", "mean change"),
    ("mean change", "≤", "uniform stability"),
    ("uniform stability", "≤", "total variation"),
    ("total variation", "≤", "tanh(ε/2)"),
    ("AERM gap", "≤", "always AERM gap"),
    ("excess risk", "≤", "uniform stability + AERM gap"),
    ("excess risk", "≤", "tanh(ε/2) + AERM gap"),
]


def links(law, problem, population, m):
    """Both sides of every step, and by how much the right one is larger."""
    of = terms(law, problem, population, m)
    for name in ("generalisation gap", "uniform stability", "tanh(ε/2)"):
        of[f"{name} + AERM gap"] = of[name] + of["AERM gap"]
    total = of["generalisation gap + AERM gap"] - of["optimism"]
    of["generalisation + AERM gap - optimism"] = total
    rows = [(*step, of[step[0]], of[step[2]]) for step in STEPS]
    names = ["left", "relation", "right", "left_value", "right_value"]
    table = pd.DataFrame(rows, columns=names)
    return table.assign(slack=table["right_value"] - table["left_value"])
