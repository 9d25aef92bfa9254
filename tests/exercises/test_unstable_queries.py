"""Each checker of the chapter on unstable queries takes the solution and refuses wrong answers."""

from math import log, sqrt

import pytest

from privml.exercises import unstable_queries as exercises
from privml.experiments.unstable_queries import margins_needed


def closed(cutoff, scale, slack, factor=6):
    ratio = factor * slack / cutoff
    return -2 * scale * log(ratio / (2 + sqrt(4 - ratio)))


def test_the_closed_threshold_is_accepted():
    exercises.check_threshold(closed)


@pytest.mark.parametrize("factor", [3, 12])
def test_a_wrong_constant_in_the_threshold_is_refused(factor):
    with pytest.raises(AssertionError, match="but it is"):
        exercises.check_threshold(lambda *arguments: closed(*arguments, factor))


def test_the_crossing_is_accepted_and_its_neighbours_are_not():
    low, high = 10, 10**6
    while high - low > 1:
        middle = (low + high) // 2
        margins = margins_needed([middle], [10], 2.0, 1e-6, 0.05)["margin"]
        low, high = (low, middle) if margins[1] < margins[0] else (middle, high)
    exercises.check_crossing(high)
    with pytest.raises(AssertionError, match="Gaussian noise needs the smaller margin"):
        exercises.check_crossing(high - 1)
    with pytest.raises(AssertionError, match="the cheaper one already"):
        exercises.check_crossing(high + 1)


def test_a_breach_is_accepted():
    exercises.check_halt(300, 20)


@pytest.mark.parametrize(("n_points", "distance"), [(1, 33), (8, 16), (5000, 20)])
def test_an_event_that_is_excused_is_refused(n_points, distance):
    with pytest.raises(AssertionError, match="no breach"):
        exercises.check_halt(n_points, distance)
