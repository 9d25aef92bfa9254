"""The exponential mechanism: wrong variants that an audit catches, what its sources have wrong, and the checkers."""

import numpy as np
import pytest

from book.tools.chapter_code import chapter_module
from privml import audit
from privml.adjacency import Adjacency, multisets
from privml.distributions import rejection_sample
from privml.mechanisms import ExponentialMechanism
from privml.queries import sensitivity_of
from tests.chapters.checkers import checkers, several
from tests.chapters.exponential_mechanism_functions import (
    clipped_after_scoring,
    half_sensitivity,
    tie_and_neighbour,
    two_option_epsilon,
    wrong_scale,
)

chapter = chapter_module("exponential-mechanism")


@pytest.mark.source("L4-def-sensitivity", "L4-exp-mech-privacy")
@pytest.mark.parametrize("epsilon", [0.25, 1.0])
@pytest.mark.parametrize("m", [1, 2, 9])
def test_the_gallery_is_caught_with_its_exact_epsilon_and_the_sound_variants_pass(
    epsilon, m
):
    bits, wild = np.array([0.0, 1.0]), np.array([0.0, 1.0, 1e9])

    def top(n):
        return np.logaddexp(0, n * epsilon / 2)

    sound = ExponentialMechanism(epsilon=epsilon, sensitivity=1.0)
    members = [
        (
            half_sensitivity(epsilon),
            bits,
            two_option_epsilon(2 * epsilon, m, 2),
        ),
        (
            wrong_scale(epsilon),
            bits,
            two_option_epsilon(m * epsilon, m, 2),
        ),
        (clipped_after_scoring(epsilon), wild, top(m) - np.log(2)),
        (
            lambda z: sound.output_distribution([0, np.clip(z, 0, 1).sum()]),
            wild,
            top(m) - top(m - 1),
        ),
    ]
    found = [audit.exact(law, universe, m).epsilon for law, universe, _ in members]
    np.testing.assert_allclose(found, [formula for *_, formula in members], rtol=1e-9)
    assert found[-1] <= epsilon / 2
    if m == 9:
        assert min(found[:-1]) > 1.5 * epsilon


def test_the_supremum_over_all_pairs_is_m_times_that_over_neighbours():
    def share(votes):
        return np.bincount(votes, minlength=2) / len(votes)

    assert (
        np.ptp(np.array([share(votes) for votes in multisets(2, 4)]), axis=0).max()
        == 1.0
    )
    assert sensitivity_of(share, np.arange(2), 4, order=np.inf) == 0.25


@pytest.mark.erratum("S16-alg-2")
@pytest.mark.parametrize("scores", [[0, 0, 0, 0], [0, 1, 2, 3], [0, 0, 0, 30]])
def test_algorithm_2_needs_as_many_rounds_as_there_are_options_whatever_the_scores(
    scores,
):
    law = ExponentialMechanism(epsilon=1.0, sensitivity=1.0).output_distribution(scores)
    assert abs(rejection_sample(law, 20_000, rng=7).rounds.mean() - 4) <= 4.5 * np.sqrt(
        12 / 20_000
    )


def test_lead_over_rivals_subtracts_the_strongest_other_option():
    assert chapter.lead_over_rivals([2, 2, 2, 0], 3).tolist() == [-2, -3, 2]


def private_median(values, epsilon, lower, upper):
    edges = np.concatenate([[lower], np.sort(np.clip(values, lower, upper)), [upper]])
    weights = np.diff(edges) * np.exp(
        -epsilon / 2 * np.abs(np.arange(len(values) + 1) - len(values) / 2)
    )
    return weights / weights.sum()


tie, neighbour = tie_and_neighbour(5, 20).values()
test_a_checker_takes_right_answers_and_refuses_wrong_ones = checkers(
    {
        "lead": [
            (
                lambda k, epsilon, beta: (
                    2 / epsilon * np.log((k - 1) * (1 - beta) / beta)
                ),
                None,
            ),
            (lambda k, epsilon, beta: 2 / epsilon * np.log(k / beta), "not 0.95"),
            (
                lambda k, epsilon, beta: np.log((k - 1) * (1 - beta) / beta) / epsilon,
                "not 0.95",
            ),
        ],
        "lead_sensitivity": [
            (
                [
                    sensitivity_of(
                        chapter.lead_over_rivals,
                        np.arange(3),
                        3,
                        order=np.inf,
                        adjacency=a,
                    )
                    for a in Adjacency
                ],
                None,
            ),
            ((1, 1), "smaller"),
            ((2, 2), "larger"),
        ],
        "bounded_range": [
            (lambda epsilon: epsilon + np.log(2 - np.exp(-epsilon)), None),
            (lambda epsilon: epsilon, "spread"),
            (lambda epsilon: 2 * epsilon, "spread"),
        ],
        "private_median": [
            (private_median, None),
            (lambda v, epsilon, a, b: private_median(v, 2 * epsilon, a, b), "interval"),
            (
                lambda v, epsilon, a, b: np.full(len(v) + 1, 1 / (len(v) + 1)),
                "interval",
            ),
            (
                lambda v, epsilon, a, b: private_median(v[1:], epsilon, a, b),
                "make 4 intervals",
            ),
        ],
        "clock": [
            (several(16, tie, neighbour, 1.0), None),
            (several(1, *tie_and_neighbour(2, 20).values(), 1.0), None),
            (several(15, tie, neighbour, 1.0), "only"),
            (several(17, tie, neighbour, 1.0), "fewer"),
            (several(1000, tie, tie, 1.0), "only"),
        ],
        "named_options": [
            (([0, 0, 1], [0, 0, 0]), None),
            (([0, 0, 0], [0, 0, 1]), "finite"),
            (([0, 0, 1, 1], [0, 0, 0, 1]), "finite"),
            (([1, 1], [0, 0]), "one vote"),
            (([0, 1], [0]), "same number"),
        ],
    },
    chapter,
)
