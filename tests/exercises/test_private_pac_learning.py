"""Each checker of the chapter on private PAC learning takes the solution and refuses wrong answers."""

from math import log, sqrt

import numpy as np
import pytest

from privml._search import smallest_integer
from privml.exercises import private_pac_learning as exercises


def size(tails, n_hypotheses, epsilon, alpha, beta):
    def holds(m):
        radius = sqrt(log(2 * tails / beta) / (2 * m))
        return 2 * radius + 2 * log(2 * n_hypotheses / beta) / (epsilon * m) <= alpha

    return smallest_integer(holds)


def test_the_one_sided_sample_size_is_accepted():
    exercises.check_one_sided(lambda h, e, a, b: size(h + 1, h, e, a, b))


@pytest.mark.parametrize(
    ("wrong", "hint"),
    [
        (lambda h, e, a, b: size(2 * h, h, e, a, b), "would do"),
        (lambda h, e, a, b: size(1, h, e, a, b), "not enough"),
        (lambda h, e, a, b: size(h + 1, h, e, a, b) + 1, "would do"),
    ],
)
def test_a_wrong_one_sided_sample_size_is_refused(wrong, hint):
    with pytest.raises(AssertionError, match=hint):
        exercises.check_one_sided(wrong)


def label_probabilities(n_true, n_false, epsilon, factor=0.5):
    return 1 / (1 + np.exp(-factor * epsilon * (np.asarray(n_true) - n_false)))


def test_independent_labels_are_accepted():
    exercises.check_label_probabilities(label_probabilities)


@pytest.mark.parametrize(
    ("wrong", "hint"),
    [
        (lambda t, f, e: label_probabilities(t, f, e, factor=1.0), "wrong law"),
        (lambda t, f, e: label_probabilities(f, t, e), "wrong law"),
        (lambda t, f, e: label_probabilities(t[:3], f[:3], e), "10,000"),
    ],
)
def test_wrong_label_probabilities_are_refused(wrong, hint):
    with pytest.raises(AssertionError, match=hint):
        exercises.check_label_probabilities(wrong)


def test_the_free_epsilon_is_accepted_and_its_neighbours_are_not():
    exercises.check_free_epsilon(0.7)
    with pytest.raises(AssertionError, match="needs 152 records"):
        exercises.check_free_epsilon(0.65)
    with pytest.raises(AssertionError, match=r"already ε = 0\.70"):
        exercises.check_free_epsilon(0.75)
    with pytest.raises(AssertionError, match="multiple"):
        exercises.check_free_epsilon(0.71)


def test_a_reading_that_only_one_data_set_has_gives_it_away():
    exercises.check_own_cuts((([2, 7, 7], [False, True, True]), ([2, 6, 7], [False, True, True]))[::-1])


@pytest.mark.parametrize(
    ("pair", "hint"),
    [
        ((([2, 7], [False, True]), ([2, 7], [True, True])), "still finite"),
        ((([2, 7], [False, True]), ([3, 6], [False, True])), "differ in 2"),
        ((([2, 7], [False, True]), ([2, 7], [False, True])), "differ in 0"),
        ((([2, 7], [False, True]), ([2], [False])), "same size"),
    ],
)
def test_what_is_no_witness_is_refused(pair, hint):
    with pytest.raises(AssertionError, match=hint):
        exercises.check_own_cuts(pair)


def test_the_smallest_class_that_fails_is_accepted_and_others_are_not():
    exercises.check_no_class_size(102, 470, 1.0, 0.25)
    with pytest.raises(AssertionError, match="only"):
        exercises.check_no_class_size(101, 470, 1.0, 0.25)
    with pytest.raises(AssertionError, match="already"):
        exercises.check_no_class_size(103, 470, 1.0, 0.25)
