"""The checkers of the chapter on sparse vectors take right answers and refuse wrong ones."""

import numpy as np
import pytest

from book.tools.programme import tangled
from tests.chapters.checkers import checkers, several

chapter = tangled("sparse-vectors")


def margin_share(n_queries, cutoff, beta):
    parts = np.sqrt([np.log(2 / beta), 2 * cutoff * np.log(2 * n_queries / beta)])
    return parts[0] / parts.sum()


def plurality_radius(votes):
    winner = int(np.argmax(votes))
    steps = [
        (votes[winner] - other + 1) // 2 if rival < winner else (votes[winner] - other) // 2 + 1
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
            (lambda votes: max((np.sort(votes)[-1] - np.sort(votes)[-2]) // 2 - 1, 0), "the radius is"),
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
