"""Functions with which the tests of report noisy max and sparse vectors check the theorems of the chapter."""

from collections import defaultdict
from itertools import combinations_with_replacement, count, product
from math import exp

import numpy as np
from scipy.integrate import quad
from scipy.optimize import linprog
from scipy.sparse import coo_array, hstack, vstack
from scipy.stats import expon

from book.tools.chapter_code import chapter_module

chapter = chapter_module("better-selection")


def leads(k, most):
    """Whole scores of k options, the best of them 0, none below -most."""
    scores = np.array(list(product(range(-most, 1), repeat=k)))
    return scores[scores.max(axis=1) == 0]


def score_states(k, most):
    """Sorted whole scores of k options, the best of them 0, none below -most."""
    others = combinations_with_replacement(range(-most, 1), k - 1)
    return [(*state, 0) for state in others]


def scores_near(change):
    """Each score moves by at most 1, and states are seen up to a common shift."""
    return change.max() - change.min() <= 2


def largest_loss(distribution, states):
    """Largest privacy loss over all pairs of states whose changes span at most 2."""
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = np.log([distribution(state) for state in states])
        losses = np.abs(logs[:, None] - logs)
    near = np.ptp(states[:, None] - states, axis=-1) <= 2
    return float(np.nanmax(losses[near]))


def gap_cells(scores, noise, scale, edges):
    """P(h wins, gap in a cell) for all h, cells beginning at the edges, the first of which is 0."""
    cells = []
    for h in range(len(scores)):
        over = [chapter.wins_by(scores, h, edge, noise, scale) for edge in edges]
        cells.extend(-np.diff(over, append=0))
    return np.array(cells)


def gap_density(others, s, scale):
    """Density of a gap g with exponential noise, where s is the score of the winner less g, by the maximum of the rivals."""
    f, F = expon(scale=scale).pdf, expon(scale=scale).cdf

    def density(m):
        at = range(len(others))
        return sum(f(m - others[j]) * F(m - np.delete(others, j)).prod() for j in at)

    def counted(m):
        return density(m) * f(m - s)

    low = max(s, others.max())  # one rival at least is never below its score
    return quad(counted, low, low + 60 * scale, points=[low + scale], limit=200)[0]


def fresh_cells(scores, noise, scale, edges):
    """Winner of one race, and its lead over the rest in a second race: the planted fault."""
    cells = []
    for h in range(len(scores)):
        over = [chapter.wins_by(scores, h, edge, noise, scale) for edge in edges]
        won = chapter.wins_by(scores, h, 0.0, noise, scale)
        cells.extend(won * -np.diff([1, *over, 0]))
    return np.array(cells)


def runs(values, noise, a, b):
    """Distribution of the first yes with threshold 0; the last entry is that of no yes at all."""
    values = np.asarray(values, float)
    x, weights = chapter.nodes(values / a)
    quiet = noise.cdf((a * x - values[:, None]) / b)
    before = np.cumprod(np.vstack([np.ones_like(x), quiet]), axis=0)
    answers = np.append(before[:-1] * (1 - quiet), before[-1:], axis=0)
    return answers @ (weights * noise.pdf(x))


def stream_loss(distribution, values):
    """Largest loss over all pairs of streams whose values differ by at most 1 each."""
    logs = np.log([distribution(v) for v in values])
    near = np.abs(values[:, None] - values).max(axis=-1) <= 1
    return float(np.abs(logs[:, None] - logs)[near].max())


def optimum(pairs, totals, losses, epsilon, worst):
    """Unknowns of the least largest (or mean) loss, with p[i] <= e^epsilon p[j] for each pair."""
    (rows, size), n = (len(pairs), len(losses)), totals.shape[1]
    at, ones = np.tile(np.arange(rows), 2), np.ones(rows)
    entries = np.r_[ones, -exp(epsilon) * ones], (at, np.array(pairs).T.ravel())
    limits = coo_array(entries, shape=(rows, n + 1))  # the last column: the bound
    if worst:
        bound = hstack([coo_array(losses), coo_array(-np.ones((size, 1)))])
        limits = vstack([limits, bound])
    cost = np.r_[np.zeros(n), 1] if worst else np.r_[losses.mean(axis=0), 0]
    found = linprog(
        cost,
        A_ub=limits.tocsr(),
        b_ub=np.zeros(limits.shape[0]),
        A_eq=np.c_[totals, np.zeros(len(totals))],
        b_eq=np.ones(len(totals)),
        bounds=(0, None),
    )
    return found.x[:n]


def stream_program(n, gamma, online):
    """Private pairs, sums that are 1 and mistakes on streams of margin gamma.

    An online method decides about a query before it sees the next, so that streams with a common
    beginning share the probability of a first yes there.
    """
    number = defaultdict(count().__next__)
    streams = list(product(range(-gamma, gamma + 1), repeat=n))

    def part(s, i):
        return i, (s[: i + 1] if online else s)

    own = {s: [number[part(s, i)] for i in range(n + 1)] for s in streams}
    moves = list(product((-1, 0, 1), repeat=n))
    pairs = {
        (i, j)
        for s in streams
        for m in moves
        if (t := tuple(x + y for x, y in zip(s, m, strict=True))) in own
        for i, j in zip(own[s], own[t], strict=True)
        if i != j
    }
    totals, wrong = np.zeros((len(streams), len(number))), []
    for row, s in zip(totals, streams, strict=True):
        row[own[s]] = 1
        right = next((i for i, v in enumerate(s) if v > -gamma), n)
        if right == n or s[right] == gamma:
            wrong.append(row.copy())
            wrong[-1][own[s][right]] = 0
    return list(pairs), totals, np.array(wrong)


def best_failure(n, gamma, epsilon, online):
    """Least worst probability of a mistake on streams of margin gamma."""
    *parts, wrong = stream_program(n, gamma, online)
    return (wrong @ optimum(*parts, wrong, epsilon, True)).max()
