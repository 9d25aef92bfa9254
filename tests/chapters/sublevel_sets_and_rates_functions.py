"""Functions with which the tests of the chapter on sublevel sets check its statements and errata."""

from math import exp, inf, log

import numpy as np

from privml.bounds import (
    SublevelCondition,
    finite_class_condition,
    lipschitz_condition,
    log_ball_volume,
    penalised_erm_utility_gap,
)


def shrinking_condition(d):
    """The condition of a convex loss in [0, 1]: K = 1, rho = d."""
    return SublevelCondition(log_constant=0.0, rho=float(d))


def source_utility(m, condition, c):
    """The form of WLF16 of the lemma, 2 B / c, where its hypotheses hold."""
    log_constant = max(condition.log_constant, -condition.rho * log(m))
    bracket = log_constant + (condition.rho + 2) * log(m)
    height = bracket / c
    if not (c < m * log(m) / 2 and height < condition.t_max):
        raise ValueError(f"c = {c} or the height {height:g} is out of range")
    return 2 * height


def printed_rate(m, epsilon, condition):
    """The rate (11) of the source, without a regulariser and without a check of its range."""
    bracket = condition.log_constant + (condition.rho + 2) * log(m)
    return 9 * bracket / (m * epsilon) + 2 * epsilon


def cone(d, p, t=0.1):
    """Volume of the sublevel set of a cone on the unit ball over t^d, ln K as printed and as it is."""
    volume = exp(log_ball_volume(d, t, order=p) - d * log(t))
    whole = log_ball_volume(d)
    options = {"regularity": 0.5, "order": p, "t_max": inf}
    condition = lipschitz_condition(1.0, d, log_volume=whole, **options)
    return volume, whole + log(2), condition.log_constant


def beyond(m, epsilon, size=1000, rho=21.2, t_max=0.01):
    """One hypothesis of loss 0, the others 1/2; the condition holds below t_max."""
    log_constant = log(size) + rho * log(t_max)
    condition = SublevelCondition(log_constant=log_constant, rho=rho, t_max=t_max)
    bad = (size - 1) * exp(-epsilon * m / 8)
    exact = bad / (1 + bad) / 2
    height = 4 * (log_constant + (rho + 2) * log(m)) / (m * epsilon)
    ours = penalised_erm_utility_gap(m, epsilon, condition, sensitivity_factor=2.0)
    return height, exact, printed_rate(m, epsilon, condition), ours


def changing_sign(size, m, epsilon):
    """Excess risk where the regulariser prefers the wrong one; the rate with it once and twice."""
    risk, penalty = np.array([0.0, 2 * size - 0.01]), np.array([size, -size])
    objective = risk + penalty
    weights = np.exp(-epsilon * m / 4 * (objective - objective.min()))
    excess = risk @ weights / weights.sum()
    rate = printed_rate(m, epsilon, finite_class_condition(2))
    return excess, rate + size, rate + 2 * size


def negative_infimum(largest, t, chance):
    """Mean utility, its printed and its corrected lower bound, if F* = -largest."""
    whole = largest - 2 * t
    left = whole * (1 - chance) - (1 + largest) * chance
    return left, whole - (1 + largest) * chance, whole - (1 + 2 * largest) * chance


def truncated_mean(m, limit):
    """E min(1/x, limit) for the least x of m uniform values, by its tail."""
    levels = np.geomspace(1.0, limit, 200_001)
    tail = np.r_[1.0, -np.expm1(m * np.log1p(-1 / levels[1:]))]
    return 1.0 + ((tail[1:] + tail[:-1]) / 2 * np.diff(levels)).sum()


def threshold_gap(m, epsilon, rng, n_draws):
    """Mean excess of the empirical risk for thresholds, uniform x and labels that are all 1."""
    lengths = rng.dirichlet(np.ones(m + 1), size=n_draws)
    errors = np.arange(m + 1) / m
    weights = lengths * np.exp(-epsilon * m / 2 * errors)
    return ((weights * errors).sum(axis=1) / weights.sum(axis=1)).mean()
