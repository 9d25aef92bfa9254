"""Margins of sparse vectors against exact failure probabilities."""

from itertools import product
from math import log

import numpy as np
import pytest
from scipy.optimize import brentq

from book.tools.chapter_code import chapter_module
from privml.bounds import restarting_margin
from privml.distributions import Laplace
from privml.mechanisms import DistanceToInstability, SparseVector, stability_radius
from tests.chapters.checkers import checkers, several
from tests.chapters.sparse_vectors_functions import above_threshold_margin

chapter = chapter_module("sparse-vectors")
sparse_vector_margin = chapter.sparse_vector_margin


@pytest.mark.parametrize("beta", [0.5, 0.05])
@pytest.mark.parametrize("cutoff", [1, 3])
def test_beyond_the_margin_all_answers_are_right(cutoff, beta):
    mechanism = SparseVector(epsilon=1.0, cutoff=cutoff, sensitivity=1)
    noise = mechanism.noise
    margin = sparse_vector_margin(8, noise.threshold_scale, noise.query_scale, beta)
    values = np.array([-margin] * 8)
    values[[2, 5]] = margin
    law = mechanism.output_distribution(values).pmf()
    wanted = (False, False, True, False, False, True, False, False)
    wanted = wanted[:3] if cutoff == 1 else wanted
    assert 1 - beta <= law[mechanism.transcripts(8).index(wanted)] < 1


def test_a_quarter_of_the_margin_is_not_enough():
    mechanism = SparseVector(epsilon=1.0, sensitivity=1)
    noise = mechanism.noise
    margin = (
        sparse_vector_margin(12, noise.threshold_scale, noise.query_scale, 0.05) / 4
    )
    law = mechanism.output_distribution(np.full(12, -margin)).pmf()
    assert law[mechanism.transcripts(12).index((False,) * 12)] < 0.9


def test_dwork_and_roth_have_a_larger_margin_for_their_scales():
    for n_queries in (1, 50, 10**6):
        ours = sparse_vector_margin(n_queries, 2 / 0.7, 4 / 0.7, 0.1)
        assert ours <= 0.75 * above_threshold_margin(n_queries, 0.7, 0.1) + 1e-12


@pytest.mark.parametrize("n_queries", [1, 7, 10**6])
@pytest.mark.parametrize("beta", [0.3, 1e-6])
def test_the_margins_are_sums_of_the_quantiles_that_their_proofs_use(n_queries, beta):
    """Each noise beyond its part of the margin: half of beta for the threshold, half for all queries."""

    def outside(margin, scale):
        return 2 * Laplace(scale=scale).sf(margin)

    threshold, query = (
        brentq_tail(3.0, beta / 2),
        brentq_tail(5.0, beta / (2 * n_queries)),
    )
    assert sparse_vector_margin(n_queries, 3.0, 5.0, beta) == pytest.approx(
        threshold + query, rel=1e-9
    )
    for cutoff in (1, 4):
        phi = restarting_margin(n_queries, cutoff, 3.0, beta=beta)
        assert outside(phi / 2, 6.0) == pytest.approx(
            beta / (2 * n_queries * cutoff), rel=1e-9
        )
        failure = n_queries * outside(phi / 2, 6.0) + cutoff * outside(phi / 2, 3.0)
        assert failure <= beta
    published = above_threshold_margin(n_queries, 0.7, beta)
    thresholds, queries = (
        outside(published / 2, scale) for scale in (2 / 0.7, 4 / 0.7)
    )
    assert queries == pytest.approx(beta / (2 * n_queries), rel=1e-9)
    assert thresholds <= beta / 2


def brentq_tail(scale, probability):
    """Where Laplace noise of this scale exceeds in size with the probability."""

    def tail(x):
        return 2 * Laplace(scale=scale).sf(x) - probability

    return brentq(tail, 0, scale * 800, xtol=1e-12)


def test_the_table_of_votes_and_the_chances_of_an_answer_by_hand():
    radii = stability_radius(chapter.majority, np.arange(2), 7)
    assert {sum(bits): radius for bits, radius in radii.items()} == dict(
        enumerate([3, 2, 1, 0, 0, 1, 2, 3])
    )
    form = DistanceToInstability(epsilon=log(2), delta=1 / 16)
    assert form.threshold == pytest.approx(3)
    chances = [form.answer_probability(radius) for radius in range(4)]
    assert chances == pytest.approx([1 / 16, 1 / 8, 1 / 4, 1 / 2])


@pytest.mark.parametrize("proposed", [0, 1, 2, 3])
@pytest.mark.parametrize("n", [3, 5])
def test_the_distance_of_a_median_is_that_of_the_enumeration(n, proposed):
    largest = 4
    everything = np.array(list(product(range(largest + 1), repeat=n)))
    medians = np.median(everything, axis=1)
    away = (everything[:, None] != everything[None]).sum(axis=2) if n == 3 else None
    for row in range(0, len(everything), 1 if n == 3 else 97):
        steps = away[row] if n == 3 else (everything != everything[row]).sum(axis=1)
        unstable = np.inf
        for other in np.argsort(steps, kind="stable"):
            near = (everything != everything[other]).sum(axis=1) == 1
            if np.abs(medians[near] - medians[other]).max() > proposed:
                unstable = steps[other]
                break
        assert chapter.median_distance(everything[row], proposed, largest) == unstable


def test_a_bound_as_large_as_the_range_is_never_exceeded():
    assert chapter.median_distance(np.array([0, 0, 4]), 4, 4) == np.inf


def margin_share(n_queries, cutoff, beta):
    parts = np.sqrt([np.log(2 / beta), 2 * cutoff * np.log(2 * n_queries / beta)])
    return parts[0] / parts.sum()


def plurality_radius(votes):
    winner = int(np.argmax(votes))
    steps = [
        (votes[winner] - other + 1) // 2
        if rival < winner
        else (votes[winner] - other) // 2 + 1
        for rival, other in enumerate(votes)
        if rival != winner
    ]
    return min(steps) - 1


def test_skipping_zeros_leaves_a_law():
    for values in ([0, 0], [0, 3, 0, 1], [1, 1]):
        assert sum(chapter.skip_zeros_law(values, 0.5).values()) == pytest.approx(1.0)


test_a_checker_takes_right_answers_and_refuses_wrong_ones = checkers(
    {
        "both_quiet": [
            (lambda r: 1 / 2 - 1 / (2 * (1 + r)) + 1 / (4 * (1 + 2 * r)), None),
            (lambda r: 1 / 4, "the probability is"),
            (lambda r: 1 / 2 - 1 / (2 * (1 + r)), "the probability is"),
        ],
        "margin_share": [
            (margin_share, None),
            (lambda n, cutoff, beta: 1 / (1 + (2 * cutoff) ** (2 / 3)), "is possible"),
            (lambda n, cutoff, beta: 1 - margin_share(n, cutoff, beta), "is possible"),
            (lambda n, cutoff, beta: 2.0, "between 0 and 1"),
        ],
        "plurality_radius": [
            (plurality_radius, None),
            (lambda votes: sorted(votes)[-1] - sorted(votes)[-2], "the radius is"),
            (
                lambda votes: max(
                    (np.sort(votes)[-1] - np.sort(votes)[-2]) // 2 - 1, 0
                ),
                "the radius is",
            ),
        ],
        "cheaper_from": [
            (several(78, 1.0, 1e-6), None),
            (several(77, 1.0, 1e-6), "still less noisy"),
            (several(79, 1.0, 1e-6), "already less noisy"),
        ],
        "skip_zeros": [
            (([1], [0]), None),
            (([2, 1], [2, 0]), None),
            (([2, 1], [1, 1]), "is possible on the second"),
            (([0], [1]), "is possible on the second"),
            (([2], [0]), "by more than 1"),
            (([1, 0], [1]), "same queries"),
            (([0], [-1]), "not negative"),
        ],
        "gap_for_radius": [
            (several(([0, 1, 1, 1], [0, 0, 1, 1]), 1.0, 0.001), None),
            (several(([0, 0, 1], [0, 1, 1]), 1.0, 0.05), None),
            (several(([0] * 20, [0] * 19 + [1]), 1.0, 0.05), "within the claim"),
            (several(([0, 1], [0]), 1.0, 0.05), "same size"),
            (several(([0, 1], [0, 1]), 1.0, 0.05), "one bit"),
        ],
    },
    chapter,
)
