"""Functions with which the tests of active students compute what the chapter claims without showing it."""

from itertools import combinations_with_replacement, permutations, product

import numpy as np
import pandas as pd
from scipy.stats import fisher_exact

from privml.bounds import active_excess_error, active_slack
from privml.divergences import hockey_stick
from privml.hypotheses import Thresholds
from privml.pate import GaussianAggregator, version_space_learning, vote_counts

STREAM = np.array([1.5, 0.5, 2.5, 3.5])
RULES = Thresholds(np.arange(5.0)).predict(STREAM)


def asked_points(stream, cuts, truth):
    """One run with honest labels: the points that are asked about, and the cuts left by then."""
    table = cuts.predict(stream)
    labels = stream >= truth
    run = version_space_learning(table, labels.__getitem__)
    rows = []
    for j in run.queried:
        update = max(stage.n_seen for stage in run.stages if stage.n_seen <= j)
        known = run.queried[run.queried < update]
        left = cuts.cuts[(table[:, known] == labels[known]).all(axis=1)]
        rows.append((stream[j], labels[j], left.min(), left.max()))
    return pd.DataFrame(rows, columns=["x", "label", "lower", "upper"])


def worst_excess(noise, sizes, cuts, seed):
    """Excess error of the worst survivor on prefixes of a stream with flipped labels, and its bound."""
    rng = np.random.default_rng(seed)
    stream = rng.uniform(size=max(sizes))
    labels = (stream >= 0.5) ^ (rng.random(len(stream)) < noise)
    size = (cuts.n_hypotheses, 0.1)

    def slack(j):
        return active_slack(j, *size, best_error=noise) if noise else 0.0

    rows = []
    for m in sizes:
        table = cuts.predict(stream[:m])
        run = version_space_learning(table, labels.__getitem__, slack=slack)
        worst = np.abs(cuts.cuts[run.survivors] - 0.5).max()
        bound = active_excess_error(m, *size, best_error=noise)
        rows.append(((1 - 2 * noise) * worst, bound))
    return pd.DataFrame(rows, columns=["excess", "bound"])


def published_law(votes, sigma, active):
    """Law of the two questions and answers, from the votes of three teachers."""
    service = GaussianAggregator(n_queries=2, epsilon=50.0, delta=0.4, sigma=sigma)
    chances = service.label_distribution(vote_counts(votes.astype(int)))
    law = {}
    for labels in product([0, 1], repeat=2):
        answers = iter(labels)
        run = version_space_learning(
            RULES, lambda j, answers=answers: next(answers), n_queries=2
        )
        asked = tuple(run.queried.tolist()) if active else (0, 1)
        law[asked, labels] = np.prod(
            [chances[x, y] for x, y in zip(asked, labels, strict=True)]
        )
    return law


def worst_delta(sigma, epsilons, active):
    """Largest delta over all votes by thresholds, when one teacher changes."""
    worst = np.zeros(len(epsilons))
    for others in combinations_with_replacement(RULES, 2):
        votes = [np.vstack([*others, row]) for row in RULES]
        laws = [published_law(v, sigma, active) for v in votes]
        for p, q in permutations(laws, 2):
            outcomes = sorted(p | q)
            rows = [[law.get(o, 1e-300) for o in outcomes] for law in (p, q)]
            found = [hockey_stick(*rows, e) for e in epsilons]
            worst = np.maximum(worst, found)
    return worst


def contingency(unstable, queried):
    """How many points are asked about, unstable, both or neither, with Fisher's exact test."""
    asked = np.isin(np.arange(len(unstable)), queried)
    kinds = (unstable, ~unstable)
    counts = [[(a & kind).sum() for kind in kinds] for a in (asked, ~asked)]
    return np.array(counts), fisher_exact(counts)
