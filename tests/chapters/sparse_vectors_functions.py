"""Functions with which the tests of the sparse vector technique check the theorems of the chapter."""

from math import exp, log, sqrt

import numpy as np
import pandas as pd
from scipy.optimize import brentq

from book.tools.chapter_code import chapter_module
from privml import audit
from privml.composition import optimal_delta
from privml.distributions import Laplace
from privml.divergences import hockey_stick
from privml.guarantee import concentrated_delta
from privml.mechanisms import (
    DistanceToInstability,
    Noise,
    RestartingSparseVector,
    SparseVector,
    stability_radius,
    threshold_quadrature,
    transcript_log_probabilities,
)

chapter = chapter_module("sparse-vectors")


def audited(mechanism, people, n_people, relation):
    """Largest loss over all data sets; the queries are the counts of the days."""

    def law(z):
        return mechanism.output_distribution(z.sum(axis=0))

    return audit.exact(law, people, n_people, adjacency=relation)


def gap_cells(values, noise, edges):
    """P(the first yes is query i, its gap in cell k), and P(no yes) at the end."""
    kinks = np.subtract.outer(values, edges).ravel()
    r, log_weights = threshold_quadrature(kinks, noise)
    tail = Laplace(scale=noise.query_scale).sf
    over = [[tail(r + e - v) for e in edges] for v in values]
    cells = -np.diff(over, axis=1, append=0)
    quiet = np.cumprod([np.ones(r.size), *(1 - np.array(over)[:, 0])], axis=0)
    yes = (quiet[:-1, None] * cells) @ np.exp(log_weights)
    return np.append(yes.ravel(), quiet[-1] @ np.exp(log_weights))


def deviations(cutoff, shares):
    """Standard deviation of a comparison for shares of the threshold."""
    parts = {"epsilon": chapter.epsilon, "cutoff": cutoff, "sensitivity": 1}
    forms = [SparseVector(threshold_share=share, **parts) for share in shares]
    return np.array([chapter.deviation(form.noise) for form in forms])


def best_share(cutoff):
    """Share of the threshold in the best split."""
    return 1 / (1 + (2 * cutoff) ** (2 / 3))


def quiet_failure(margin, n_queries, noise):
    """Probability that some of equal queries below the threshold cross."""
    r, log_weights = threshold_quadrature(np.array([-margin]), noise)
    quiet = Laplace(scale=noise.query_scale).logcdf(r + margin)
    return -np.expm1(n_queries * quiet) @ np.exp(log_weights)


def above_threshold_margin(n_queries, epsilon, beta):
    """The margin of Dwork and Roth, for one crossing and equal shares of epsilon."""
    return 8 * (log(n_queries) + log(2 / beta)) / epsilon


def exact_margin(n_queries, noise, beta, largest):
    """Distance at which equal queries all stay quiet with probability 1 - beta."""

    def misses(margin):
        return quiet_failure(margin, n_queries, noise) - beta

    return brentq(misses, 0.0, largest, xtol=1e-10 * largest)


def worst_curve(law, starts, n_queries, grid):
    """Largest delta at each epsilon, over equal values and all moves by 1."""
    worst = np.zeros(len(grid))
    moves = np.stack(np.meshgrid(*[(-1.0, 1.0)] * n_queries), axis=-1)
    moves = moves.reshape(-1, n_queries)
    for start in starts:
        there = np.array([law(start + move) for move in moves])
        here = np.broadcast_to(law(np.full(n_queries, start)), there.shape)
        for p, q in ((here, there), (there, here)):
            deltas = [hockey_stick(p, q, x, logs=True).max() for x in grid]
            worst = np.maximum(worst, deltas)
    return worst


def restarting_profile(T, n_queries, grid):
    """Exact delta of the restarting form at the claim (1, 1e-6), beside two bounds."""
    form = RestartingSparseVector(epsilon=1.0, delta=1e-6, cutoff=T, sensitivity=1)

    def law(values):
        return form.output_distribution(values).logpmf()

    scale = form.noise.threshold_scale
    step = 2 / scale
    rho = T * step**2 / 2
    return pd.DataFrame(
        {
            "epsilon": grid,
            "exact": worst_curve(law, np.linspace(-4, 4, 9) * scale, n_queries, grid),
            "composed": [optimal_delta(step, T, x) for x in grid],
            "concentrated": [concentrated_delta(rho=rho, epsilon=x) for x in grid],
        }
    )


def worst_delta(n_queries, scale, epsilon):
    """Largest delta(epsilon) of one run over a grid of values."""
    noise = Noise(scale, 2 * scale)

    def law(x):
        return transcript_log_probabilities(x, noise, 1, redraw=True)

    starts = np.linspace(-4, 4, 17) * scale
    return worst_curve(law, starts, n_queries, [epsilon])[0]


def printed_scale(epsilon, delta, n_queries):
    """The printed and the corrected scale of LZCW21's Algorithm 6, and the delta of each."""
    inside = 32 * log(1 / delta)
    scales = sqrt(inside / epsilon), sqrt(inside) / epsilon
    deltas = [worst_delta(n_queries, scale, epsilon) for scale in scales]
    return epsilon, scales[0], deltas[0], scales[1], deltas[1]


def refresh_bound(epsilon, scale, T):
    """Log10 of a delta' that holds for the loop as printed, 0 if the bound says nothing.

    The printed loop has a noisy first threshold, later ones w + 1 without noise, and halts at T + 1 crossings.
    With eta = 1 / (2 scale) and K = exp(eta / ln 2) - 1, for every s > T it is (epsilon, delta')-DP with

        epsilon = 2 / scale + T eta + K s,    delta' = e^(T - s) (s / T)^T.

    Proof.  It is enough that the privacy loss exceeds epsilon with probability at most delta'.  The answers up
    to the first crossing are a run of cut-off 1, with loss at most 2 / scale.  Later answers are independent
    comparisons given the past.  Let t be the distance of a query above its threshold in units of 2 scale; it
    moves by at most eta.  A quiet answer has probability e^(-V(t)), with e^(-V) = 1 - e^(-t) / 2 for t >= 0 and
    e^t / 2 for t < 0.  A crossing has loss at most eta.  The loss of a quiet answer is at most V(t - eta) - V(t),
    and |V'| <= V / ln 2: for t < 0, V' = -1 and V >= ln 2; for t >= 0 and x = 1 / (1 - e^(-t) / 2) in [1, 2],
    V = ln x and |V'| = x - 1 <= log2 x by concavity.  Hence a quiet answer has loss at most K V(t).  There are
    at most T later crossings, and the loss is at most 2 / scale + T eta + K S, where S sums V over the later
    quiet answers.  For 0 < theta < 1, e^(theta S) (1 - theta)^(crossings) is a supermartingale: an answer that
    crosses with probability p multiplies it on average by (1 - p)^(1 - theta) + p (1 - theta) <= 1, by
    Bernoulli's inequality.  By Markov's inequality Pr[S > s] <= e^(-theta s) (1 - theta)^(-T); take
    theta = 1 - T / s.
    """
    eta = 1 / (2 * scale)
    s = (epsilon - 2 / scale - T * eta) / (exp(eta / log(2)) - 1)
    return (T - s + T * log(s / T)) / log(10) if s > T else 0.0


def refresh_event(epsilon, scale):
    """The number n of quiet answers that shows most against the printed loop, and log10 of its delta'.

    The first query crosses for certain; n queries follow with t = 0 on z and t = -eta on z'.  They stay quiet
    with probabilities 2^(-n) and 2^(-n) e^(-n eta), which requires delta' >= 2^(-n) (1 - e^(epsilon - n eta)).
    """
    eta = 1 / (2 * scale)
    first = int(epsilon / eta) + 1
    n = np.arange(first, first + int(4 / eta) + 4)
    with np.errstate(divide="ignore"):
        shown = np.log(-np.expm1(np.minimum(epsilon - n * eta, 0))) - n * log(2)
    return n[shown.argmax()], shown.max() / log(10)


def majority_delta(mechanism, relation, m):
    """Exact delta(epsilon) for the majority of m bits."""
    bits = np.arange(2)
    radii = stability_radius(chapter.majority, bits, m, adjacency=relation)
    radii |= stability_radius(chapter.majority, bits, m - 1, adjacency=relation)

    def law(z):
        return mechanism.output_distribution(
            (chapter.majority(z), radii[tuple(z.tolist())])
        )

    found = audit.exact(law, bits, m, adjacency=relation, ordered=False)
    return found.delta(mechanism.epsilon)


def answer_by_radius(epsilon, delta, largest):
    """Probability of an answer by radius: the best, and Laplace noise with both thresholds."""
    sharp = DistanceToInstability(epsilon=epsilon, delta=delta)
    printed = DistanceToInstability(
        epsilon=epsilon, delta=delta, threshold=log(1 / delta) / epsilon
    )
    radii = range(largest + 1)
    return pd.DataFrame(
        {
            "radius": radii,
            "best": chapter.best_answer(epsilon, delta, largest),
            "tight": [sharp.answer_probability(r) for r in radii],
            "printed": [printed.answer_probability(r) for r in radii],
        }
    )


def small_release(values):
    """Chance that only the last query crosses, with a released value up to 0."""
    noise = Noise(2 / chapter.epsilon, 2 / chapter.epsilon)
    r, log_weights = threshold_quadrature(values, noise)
    nu = Laplace(scale=noise.query_scale)
    crossing = nu.sf(r - values[:, None])
    small = np.maximum(crossing[-1] - nu.sf(-values[-1]), 0)
    quiet = np.prod(1 - crossing[:-1], axis=0)
    return quiet * small @ np.exp(log_weights)


def reused_loss(n_quiet):
    """Exact loss of the event in part 1."""
    here = small_release(np.append(np.zeros(n_quiet), 1.0))
    there = small_release(np.append(np.ones(n_quiet), 0.0))
    return log(here / there)


def gallery(n, T):
    """Exact losses after n quiet answers."""
    right = SparseVector(epsilon=chapter.epsilon, cutoff=T, sensitivity=1).noise
    fixed = Noise(4 / chapter.epsilon, 4 / (3 * chapter.epsilon))
    single = Noise(2 / chapter.epsilon, 2 / chapter.epsilon)
    return {
        "quiet": n,
        "right": chapter.shifted_loss(n, T, right),
        "noise ignores the cut-off": chapter.shifted_loss(n, T, fixed),
        "no cut-off": chapter.shifted_loss(n, n, single),
        "reused noise": reused_loss(n),
    }
