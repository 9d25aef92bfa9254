"""Functions with which the tests of the audits check the theorems of the chapter, and a study of another library."""

from math import exp, expm1, log

import numpy as np
from scipy.optimize import linprog
from scipy.special import bdtrc

from book.tools.chapter_code import chapter_module
from privml import audit
from privml.distributions import Laplace

chapter = chapter_module("evidence-against-a-claim")


def false_reports(epsilon, n_guesses, beta):
    """Exact chance that the limit exceeds the epsilon of randomised response."""
    v = np.arange(1, n_guesses + 1)
    above = [
        chapter.lower_limit(k, n_guesses, n_guesses, 0.0, beta) > epsilon for k in v
    ]
    first = v[np.argmax(above)] if any(above) else n_guesses + 1
    return float(bdtrc(first - 1, n_guesses, 1 / (1 + exp(-epsilon))))


def worst_game(v, r, m, epsilon, delta):
    """Largest Pr[W >= v] over all private games, by linear programming."""
    k, e = np.arange(r), exp(epsilon)
    matrix = np.zeros((2 * r + 1, 3 * r + 1))
    matrix[k, k + 1], matrix[k, k] = (k + 1) / r, -e * (r - k) / r
    matrix[r + k, k], matrix[r + k, k + 1] = (r - k) / r, -e * (k + 1) / r
    matrix[np.arange(2 * r), r + 1 + np.arange(2 * r)] = -1.0  # less the excess
    matrix[-1, r + 1 :] = 1.0
    limits = np.append(np.zeros(2 * r), delta * m / r)
    total = (np.arange(3 * r + 1) <= r)[None].astype(float)
    aim = -((np.arange(3 * r + 1) >= v) & (total[0] == 1)).astype(float)
    return -linprog(aim, matrix, limits, total, [1.0], method="highs").fun


def published(v, r, m, epsilon, delta):
    """The bound of Steinke, Nasr and Jagielski, by their code."""
    f = bdtrc(np.arange(-1, v), r, 1 / (1 + exp(-epsilon)))  # f_0, ..., f_v
    i = np.arange(1, v + 1)
    return f[v] + 2 * m * delta * ((f[v - i] - f[v]) / i).max()


def peer_rule(epsilon, data_sensitivity, alpha=1.0, function_sensitivity=0.25):
    """Scale of the noise and strength of the penalty, as diffprivlib 0.6.6 has them."""
    both = function_sensitivity * data_sensitivity  # a square is missing here
    epsilon_p, extra = epsilon - 2 * log(1 + both / alpha), 0.0
    if epsilon_p <= 0:
        extra = both / expm1(epsilon / 4) - alpha
        epsilon_p = epsilon / 2
    return data_sensitivity * 2 / epsilon_p, alpha + extra


def peer_weight_below(t, x, radius):
    """Pr[weight <= t] at a claim of 1, for the record (x, True) beside a record at 0."""
    scale, penalty = peer_rule(1.0, radius)
    level = x / (1 + np.exp(np.minimum(x * t, 700))) - penalty * t
    return Laplace(scale=scale).sf(level)


def peer_audit(radius):
    """Largest loss of the weight, rounded to two thousand cells."""
    cuts = np.linspace(-40, 40, 2001) / radius**2

    def law(rows):
        below = peer_weight_below(cuts, rows[0], radius)
        return np.diff(below, prepend=0, append=1).clip(0)

    return audit.exact(law, np.linspace(-radius, radius, 5), 1)
