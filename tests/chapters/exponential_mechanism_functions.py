"""Functions with which the tests of the exponential mechanism check the theorems of the chapter."""

import numpy as np
from scipy.special import logsumexp

from book.tools.chapter_code import chapter_module
from privml.adjacency import neighbouring_datasets
from privml.mechanisms import ExponentialDensity, ExponentialMechanism, PermuteAndFlip

chapter = chapter_module("exponential-mechanism")


def vote_distribution(mechanism, n_options):
    """Distribution of the choice, as a function of the ballots."""

    def distribution(ballots):
        return mechanism.output_distribution(np.bincount(ballots, minlength=n_options))

    return distribution


def two_option_epsilon(epsilon, m, moved):
    """Largest loss with two options; a step moves 2 counts, or 1 under add-or-remove-one."""
    x = epsilon / 2
    return np.logaddexp(0, m * x) - np.logaddexp(0, (m - moved) * x)


def loss_factors(n_options, m, epsilon, relation):
    """Logs of weight and normaliser ratio, for all neighbours, both ways, and all options."""
    options = np.arange(n_options)
    first, second, pairs = neighbouring_datasets(options, m, adjacency=relation)

    def log_weights(rows):
        return np.array([np.bincount(z, minlength=n_options) for z in rows]) * (
            epsilon / 2
        )

    u, v = log_weights(first), log_weights(second)
    totals = [logsumexp(w, axis=1, keepdims=True) for w in (u, v)]
    normaliser = totals[1][pairs[:, 1]] - totals[0][pairs[:, 0]]
    both = np.broadcast_arrays(u[pairs[:, 0]] - v[pairs[:, 1]], normaliser)
    one_way = np.stack(both, axis=-1).reshape(-1, 2)
    return np.concatenate([one_way, -one_way])


def distance_density(x, epsilon, ends):
    """Density of the mechanism whose score is minus the distance to x."""
    return ExponentialDensity(
        lambda y: -abs(y - x),
        epsilon=epsilon,
        sensitivity=1.0,
        lower=ends[0],
        upper=ends[1],
        breakpoints=[x],
    )


def random_case(rng):
    """Exact failure probability over the bound with ties, for random scores."""
    scores = rng.integers(0, 9, size=rng.integers(2, 13))
    epsilon, t = rng.uniform(0.1, 3.0, size=2)
    k_best = (scores == scores.max()).sum()
    gap = 2 / epsilon * (np.log(scores.size / k_best) + t)
    return chapter.failure(scores, gap, epsilon) / np.exp(-t)


def worst_scores(k, k_best, gap):
    """Scores for which a gap is most likely to be missed."""
    return np.where(np.arange(k) < k_best, 0.0, -gap)


def exact_at_worst(k, t, epsilon):
    """Failure probability at the gap of the accuracy theorem, one best option."""
    gap = 2 / epsilon * (np.log(k) + t)
    return chapter.failure(worst_scores(k, 1, gap), gap, epsilon)


def tie_and_neighbour(k, each):
    """Two leaders with the same number of ballots, and the same after one ballot has moved."""
    rest = [0] * (k - 2)
    return {"tie": [each, each, *rest], "neighbour": [each + 1, each - 1, *rest]}


def mean_rounds(distribution, envelope):
    """Expected number of rounds of a rejection sampler for one draw."""
    p = distribution.pmf()
    return 1 / (p if envelope == "normalised" else p / p.max()).mean()


def shortfalls(scores, epsilon):
    """Expected shortfalls of both mechanisms, their ratio, and its floor S / (1 + S)."""
    behind = max(scores) - np.array(scores)
    forms = [
        form(epsilon=epsilon, sensitivity=1.0)
        for form in (ExponentialMechanism, PermuteAndFlip)
    ]
    gaps = [form.output_distribution(scores).pmf() @ behind for form in forms]
    total = np.exp(-epsilon / 2 * behind).sum()
    return *gaps, gaps[1] / gaps[0], total / (1 + total)


def tally(z):
    """Ballots for the options 0 and 1."""
    return [(1 - z).sum(), z.sum()]


def half_sensitivity(epsilon):
    """A mistake: counts of two options, with sensitivity 1/2 declared instead of 1."""
    declared = ExponentialMechanism(epsilon=epsilon, sensitivity=0.5)
    return lambda z: declared.output_distribution(tally(z))


def wrong_scale(epsilon):
    """A mistake: counts, with the sensitivity of their averages."""
    return lambda z: ExponentialMechanism(
        epsilon=epsilon, sensitivity=1 / len(z)
    ).output_distribution(tally(z))


def clipped_after_scoring(epsilon):
    """A mistake: scores 0 and the sum of the records, clipped when finished."""
    declared = ExponentialMechanism(epsilon=epsilon, sensitivity=1.0)
    return lambda z: declared.output_distribution(np.clip([0.0, z.sum()], 0, len(z)))
