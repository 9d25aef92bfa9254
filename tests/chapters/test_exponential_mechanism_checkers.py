"""The checkers of the chapter on the exponential mechanism take right answers and refuse wrong ones."""

import numpy as np
import pytest

from book.tools.programme import tangled
from privml.adjacency import Adjacency
from privml.queries import sensitivity_of

chapter = tangled("exponential-mechanism")


def test_a_safe_lead():
    chapter.check_lead(lambda k, epsilon, beta: 2 / epsilon * np.log((k - 1) * (1 - beta) / beta))
    with pytest.raises(AssertionError, match="not 0.95"):
        chapter.check_lead(lambda k, epsilon, beta: 2 / epsilon * np.log(k / beta))
    with pytest.raises(AssertionError, match="not 0.95"):
        chapter.check_lead(lambda k, epsilon, beta: np.log((k - 1) * (1 - beta) / beta) / epsilon)


@pytest.mark.source("L4-def-sensitivity")
def test_score_by_lead():
    chapter.check_lead_sensitivity(
        [sensitivity_of(chapter.lead_over_rivals, np.arange(3), 3, adjacency=a) for a in Adjacency]
    )
    with pytest.raises(AssertionError, match="smaller"):
        chapter.check_lead_sensitivity((1, 1))
    with pytest.raises(AssertionError, match="larger"):
        chapter.check_lead_sensitivity((2, 2))


def test_lead_over_rivals_subtracts_the_strongest_other_option():
    assert chapter.lead_over_rivals([2, 2, 2, 0], 3).tolist() == [-2, -3, 2]


def test_bounded_range():
    chapter.check_bounded_range(lambda epsilon: epsilon + np.log(2 - np.exp(-epsilon)))
    with pytest.raises(AssertionError, match="spread"):
        chapter.check_bounded_range(lambda epsilon: epsilon)
    with pytest.raises(AssertionError, match="spread"):
        chapter.check_bounded_range(lambda epsilon: 2 * epsilon)


def private_median(values, epsilon, lower, upper):
    edges = np.concatenate([[lower], np.sort(np.clip(values, lower, upper)), [upper]])
    ranks = np.arange(len(values) + 1)
    weights = np.diff(edges) * np.exp(-epsilon / 2 * np.abs(ranks - len(values) / 2))
    return weights / weights.sum()


@pytest.mark.source("S16-rem-normaliser")
def test_a_private_median():
    chapter.check_private_median(private_median)
    with pytest.raises(AssertionError, match="interval"):
        chapter.check_private_median(lambda v, epsilon, a, b: private_median(v, 2 * epsilon, a, b))
    with pytest.raises(AssertionError, match="interval"):
        chapter.check_private_median(lambda v, epsilon, a, b: np.full(len(v) + 1, 1 / (len(v) + 1)))
    with pytest.raises(AssertionError, match="make 4 intervals"):
        chapter.check_private_median(lambda v, epsilon, a, b: private_median(v[1:], epsilon, a, b))


@pytest.mark.source("S16-alg-2")
def test_a_clock_that_talks():
    tie, neighbour = chapter.tie_and_neighbour(5, 20).values()
    chapter.check_clock(16, tie, neighbour, 1.0)
    with pytest.raises(AssertionError, match="only"):
        chapter.check_clock(15, tie, neighbour, 1.0)
    with pytest.raises(AssertionError, match="fewer"):
        chapter.check_clock(17, tie, neighbour, 1.0)
    with pytest.raises(AssertionError, match="only"):
        chapter.check_clock(1000, tie, tie, 1.0)
    chapter.check_clock(1, *chapter.tie_and_neighbour(2, 20).values(), 1.0)


def test_only_evenings_that_somebody_named():
    chapter.check_named_options(([0, 0, 1], [0, 0, 0]))
    with pytest.raises(AssertionError, match="finite"):
        chapter.check_named_options(([0, 0, 0], [0, 0, 1]))
    with pytest.raises(AssertionError, match="finite"):
        chapter.check_named_options(([0, 0, 1, 1], [0, 0, 0, 1]))
    with pytest.raises(AssertionError, match="one vote"):
        chapter.check_named_options(([1, 1], [0, 0]))
    with pytest.raises(AssertionError, match="same number"):
        chapter.check_named_options(([0, 1], [0]))
