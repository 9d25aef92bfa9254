"""The small cases that the units compute by hand, and the distance of a median by enumeration."""

from itertools import product
from math import log

import numpy as np
import pytest

from book.tools.programme import tangled
from privml.mechanisms import DistanceToInstability, stability_radius

chapter = tangled("sparse-vectors")


def test_the_table_of_votes_and_the_chances_of_an_answer_by_hand():
    radii = stability_radius(chapter.majority, np.arange(2), 7)
    assert {sum(bits): radius for bits, radius in radii.items()} == dict(enumerate([3, 2, 1, 0, 0, 1, 2, 3]))
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
