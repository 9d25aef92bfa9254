"""Functions with which the tests of the Tsybakov condition compute exact laws, constants and rates."""

from itertools import product
from math import ceil, exp, expm1, log, log1p, sqrt

import numpy as np
import pandas as pd
from scipy.stats import poisson, skellam

from privml import bounds
from privml.hypotheses import Table
from privml.populations import (
    FinitePopulation,
    TsybakovLine,
    bernstein_constant,
    noise_margins,
)


def rises(true, false):
    """Law of the records labelled True less those labelled False, at each point."""
    top = max(true.max(), false.max())
    size = ceil(top + sqrt(69 * top) + 23) + 2  # beyond with chance below 1e-15
    counts, steps = np.arange(size), np.zeros((true.size, 2 * size - 1))
    ups, downs = (poisson.pmf(counts, rates[:, None]) for rates in (true, false))
    for count in counts:
        steps[:, count : count + size] += downs[:, size - 1 - count, None] * ups
    return steps


def threshold_erm_law(true, false):
    """Law of the cut with fewest mistakes, from Poisson counts with these means."""
    steps, height = rises(true, false), ceil(4 * sqrt((true + false).sum())) + 8
    while (law := lowest(steps, height)).sum() > 1 + 1e-10:
        height *= 2
    return law / law.sum()


def staying(steps, height, *, strict):
    """Chance that a walk with its last 0, 1, ... steps stays above 0, or at it."""
    reach = steps.shape[1] // 2
    stays = np.concatenate([np.zeros(reach), np.ones(height + 1 + reach)])
    yield 1.0
    for step in steps[::-1]:
        if strict:
            stays[reach] = 0.0
        stays[reach : reach + height + 1] = np.correlate(stays, step, "valid")
        yield float(stays[reach])


def lowest(steps, height):
    """Chance of each place to be the first lowest, or a little more."""
    right = np.fromiter(staying(steps, height, strict=False), float)[::-1]
    left = np.fromiter(staying(steps[::-1, ::-1], height, strict=True), float)
    return left * right


def cut_law(problem, n):
    """Law of the cut with fewest mistakes; Poisson many records, n on average."""
    each = n / problem.n_points  # records at each point, on average
    true = each * problem.regression
    return threshold_erm_law(true, each - true)


def student(problem, law, service, K, m, rng):
    """K cuts vote on m points, and the student cuts what is released."""
    votes = np.cumsum(rng.multinomial(K, law))[:-1]  # for True, at each point
    public = rng.integers(problem.n_points, size=m)
    counts = np.column_stack([K - votes[public], votes[public]])
    answers = service.answer_counts(counts, rng=rng).labels
    labels = np.where(answers < 0, rng.integers(2, size=m), answers)
    rise = np.bincount(public, 2 * labels - 1, minlength=problem.n_points)
    mistakes = np.append(0, np.cumsum(rise))  # of each cut, but for a constant
    best = np.flatnonzero(mistakes == mistakes.min())
    wrong = (labels != (public >= problem.n_points // 2)).mean()
    return problem.excess[best[len(best) // 2]], wrong


def margin_tails(taus, n_points, distances):
    """Probability of a margin of at most t, and the bound of the condition."""
    table = {"t": distances}
    for tau in taus:
        problem = TsybakovLine(tau=tau, n_points=n_points)
        margins, masses = noise_margins(problem.population)
        below = margins <= distances[:, None] + 1e-12
        table[f"τ = {tau:g}"] = below @ masses
        bound = problem.tail_constant * distances ** (tau / (1 - tau))
        table[f"bound, τ = {tau:g}"] = np.minimum(1.0, bound)
    return pd.DataFrame(table)


def bernstein_constants(tau, n_points):
    """Least eta over all labellings, over thresholds, and the proved one."""
    problem = TsybakovLine(tau=tau, n_points=n_points)
    drawn, places = problem.population, np.tile(np.arange(n_points), 2)
    indexed = FinitePopulation(places, drawn.y, drawn.probabilities)
    labellings = Table(np.array(list(product([False, True], repeat=n_points))))
    least = bernstein_constant(labellings, indexed, tau)
    cuts = bernstein_constant(problem.hypotheses, drawn, tau)
    C = problem.tail_constant
    return C, least, cuts, bounds.bernstein_from_tail(C, tau)


def condition_of(problem):
    """The condition of the thresholds of a line, with the eta that is proved."""
    eta = 1 / problem.scale
    if problem.tau < 1:
        C = problem.tail_constant
        eta = bounds.bernstein_from_tail(C, problem.tau)
    options = {"tau": problem.tau, "eta": eta, "n_hypotheses": problem.n_points + 1}
    return bounds.NoiseCondition(**options)


def erm_error(n, d, beta, *, best_error):
    """Part 2, proved."""
    empirical = bounds.bernstein_count(n, best_error, beta=beta / 2) / n
    growth = bounds.log_sauer_shelah(d, 2 * n)
    return bounds.uniform_bernstein_upper(
        empirical, n, beta=beta / 2, log_growth=growth
    )


def stated_error(n, d, beta, *, best_error):
    """Part 2, as the source states it."""
    unit = (d * log(n) + log(4 / beta)) / n
    return best_error + 2 * sqrt(best_error * unit) + 4 * unit


def problem_of(tau, n_points):
    """A line with this exponent; bounded noise of rate one quarter at 1."""
    return TsybakovLine(tau=tau, n_points=n_points, scale=0.5 if tau == 1 else 1.0)


def threshold_rates(taus, sizes, n_points, beta):
    """Exact mean and quantile of the excess error of thresholds, and the bound."""
    rows = []
    for tau, n in product(taus, sizes):
        problem = problem_of(tau, n_points)
        law, order = cut_law(problem, n), np.argsort(problem.excess)
        above = min(np.searchsorted(np.cumsum(law[order]), 1 - beta), n_points)
        found = law @ problem.excess, problem.excess[order][above]
        rows.append((tau, n, *found, condition_of(problem).excess(n, beta)))
    columns = ["tau", "n_samples", "mean", "quantile", "bound"]
    return pd.DataFrame(rows, columns=columns)


def slopes(table):
    """Slope of log mean excess between the last sizes, and the theorem's."""
    rows = []
    for tau, part in table.groupby("tau"):
        rise = np.log(part[["n_samples", "mean"]].tail(2)).diff().iloc[-1]
        rows.append((tau, rise["mean"] / rise["n_samples"], -1 / (2 - tau)))
    return pd.DataFrame(rows, columns=["tau", "slope", "theorem"])


def pair_rate(tau, n):
    """Largest mean excess over pairs as noisy as eta = 1 allows."""
    excess = np.logspace(-6, 0, 4001)
    distance = excess**tau
    for_worse, for_better = n * (distance - excess) / 2, n * (distance + excess) / 2
    clean = for_worse <= 1e-12  # then only the worse one errs
    lost = skellam.sf(-1, np.where(clean, 1.0, for_worse), for_better)
    return (excess * np.where(clean, np.exp(-for_better), lost)).max()


def printed_teachers(n, K, log_beta):
    """Quantile of the farthest of K teachers of two hypotheses, and the bounds."""
    one_wrong = -expm1(log1p(-exp(log_beta)) / K)  # for one teacher
    quantile = -expm1(log(one_wrong) * K / n)
    confidence = log(K) - log_beta
    corrected = K * (log(n / K) + confidence) / n
    return quantile, (K * log(n) + confidence) / n, corrected


def far_teachers(taus, n, sizes, n_points, beta):
    """Distance from h* of the farthest teacher (a quantile), of one, the bound."""
    distance = np.abs(np.arange(n_points + 1) - n_points // 2) / n_points
    order, rows = np.argsort(distance, kind="stable"), []
    for tau, K in product(taus, sizes):
        problem = problem_of(tau, n_points)
        law, condition = cut_law(problem, n // K), condition_of(problem)
        above = np.searchsorted(np.cumsum(law[order]) ** K, 1 - beta)
        found = distance[order][min(above, n_points)], law @ distance
        bound = condition.teacher_disagreement(n, K, beta)
        rows.append((tau, K, *found, bound))
    return pd.DataFrame(rows, columns=["tau", "K", "farthest", "mean", "bound"])


def third_of_votes(K, m, mistakes, rng):
    """Points with a third of wrong votes: at random, and at worst."""
    wrong = np.argsort(rng.random((K, m)), axis=1) < mistakes
    hostile = np.arange(m) // mistakes == np.arange(K)[:, None] * 3 // K
    return [int((3 * votes.sum(axis=0) >= K).sum()) for votes in (wrong, hostile)]


def rate_terms(votes, budget, m, d, tau):  # the budget is n epsilon
    """Private and public term of the excess error, with m labelled points."""
    powers = {"gaussian": tau / (2 - tau), "sparse_vector": 2 * tau / (4 - 3 * tau)}
    return (d * m**0.5 / budget) ** powers[votes], d / m


def equal_terms(votes, budget, d, tau):
    """The number of labelled points at which the two are equal."""
    if votes == "gaussian":
        return (d ** (2 - 2 * tau) * budget**tau) ** (2 / (4 - tau))
    return (d ** (4 - 5 * tau) * budget ** (2 * tau)) ** (1 / (4 - 2 * tau))
