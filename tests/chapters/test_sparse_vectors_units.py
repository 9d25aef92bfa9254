"""The small cases that the units compute by hand, and the distance of a median by enumeration."""

from fractions import Fraction
from itertools import product
from math import log

import numpy as np
import pytest

from book.tools.programme import tangled
from privml.mechanisms import DistanceToInstability, Noise, stability_radius, transcript_log_probabilities

chapter = tangled("sparse-vectors")
HALVING = Noise(1 / log(2), 1 / log(2))


def chance(values, transcript=-1, noise=HALVING):
    log_law = transcript_log_probabilities(np.asarray(values, dtype=float), noise, 1, redraw=False)
    return np.exp(log_law[transcript])


@pytest.mark.parametrize("n", [1, 2, 3, 6])
def test_with_halving_noise_n_values_at_the_threshold_stay_quiet_with_probability_one_over_n_plus_one(n):
    assert chance(np.zeros(n)) == pytest.approx(1 / (n + 1), abs=1e-12)
    assert 1 / 2 <= chance(np.ones(n)) * (n + 1) < 1


def test_three_quiet_answers_above_the_threshold_have_the_probability_of_three_integrals():
    """F(r - 1) as a function of u = F(r): u / 2, then 1 / (8 (1 - u)), then 2 u - 1."""
    exact = Fraction(1, 512) + Fraction(6, 512) + Fraction(60, 512)
    assert chance(np.ones(3)) == pytest.approx(float(exact), abs=1e-12)


def test_no_no_yes_costs_a_factor_of_eight_at_most_and_more_than_two():
    for n in (1, 2, 5, 11):  # transcript n: n times no, then yes
        first, second = chance([0] * (n + 1), n), chance([1] * n + [-1], n)
        assert 2 < first / second <= 8 * (1 + 1e-9)
    assert first / second > 7.5


def test_no_then_yes_without_query_noise_has_one_quarter_and_nothing():
    noise = Noise(1 / log(2), 0.0)
    assert chance([0, 1], 1, noise) == pytest.approx(1 / 4, abs=1e-12)
    assert chance([1, 0], 1, noise) == 0


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
