"""The checkers of the chapter on the exponential mechanism take right answers and refuse wrong ones."""

import numpy as np

from book.tools.programme import tangled
from privml.adjacency import Adjacency
from privml.queries import sensitivity_of
from tests.chapters.checkers import checkers, several

chapter = tangled("exponential-mechanism")


def test_lead_over_rivals_subtracts_the_strongest_other_option():
    assert chapter.lead_over_rivals([2, 2, 2, 0], 3).tolist() == [-2, -3, 2]


def private_median(values, epsilon, lower, upper):
    edges = np.concatenate([[lower], np.sort(np.clip(values, lower, upper)), [upper]])
    ranks = np.arange(len(values) + 1)
    weights = np.diff(edges) * np.exp(-epsilon / 2 * np.abs(ranks - len(values) / 2))
    return weights / weights.sum()


tie, neighbour = chapter.tie_and_neighbour(5, 20).values()
test_a_checker_takes_right_answers_and_refuses_wrong_ones = checkers(
    {
        "lead": [
            (lambda k, epsilon, beta: 2 / epsilon * np.log((k - 1) * (1 - beta) / beta), None),
            (lambda k, epsilon, beta: 2 / epsilon * np.log(k / beta), "not 0.95"),
            (lambda k, epsilon, beta: np.log((k - 1) * (1 - beta) / beta) / epsilon, "not 0.95"),
        ],
        "lead_sensitivity": [
            (
                [
                    sensitivity_of(chapter.lead_over_rivals, np.arange(3), 3, order=np.inf, adjacency=a)
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
            (lambda v, epsilon, a, b: np.full(len(v) + 1, 1 / (len(v) + 1)), "interval"),
            (lambda v, epsilon, a, b: private_median(v[1:], epsilon, a, b), "make 4 intervals"),
        ],
        "clock": [
            (several(16, tie, neighbour, 1.0), None),
            (several(1, *chapter.tie_and_neighbour(2, 20).values(), 1.0), None),
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
