"""Each checker of the chapter on the Tsybakov condition takes the solution and refuses wrong answers."""

import numpy as np
import pytest

from privml.exercises import tsybakov_condition as exercises


def least_eta(masses, margins, tau, descending=False, factor=2):
    order = np.argsort(-margins if descending else margins)
    distance = np.cumsum(masses[order])
    excess = np.cumsum(factor * masses[order] * margins[order])
    return max(1.0, (distance / excess**tau).max())


def test_the_least_constant_is_accepted():
    exercises.check_least(least_eta)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda p, m, tau: least_eta(p, m, tau, descending=True),
        lambda p, m, tau: least_eta(p, m, tau, factor=1),
        lambda p, m, tau: max(1.0, 1 / (2 * m.min())),
    ],
)
def test_a_wrong_constant_is_refused(wrong):
    with pytest.raises(AssertionError, match="is not"):
        exercises.check_least(wrong)


def test_the_crossing_is_accepted_and_its_neighbours_are_not():
    exercises.check_crossing(13)
    with pytest.raises(AssertionError, match="Gaussian votes"):
        exercises.check_crossing(12)
    with pytest.raises(AssertionError, match="are enough"):
        exercises.check_crossing(14)


def test_a_trap_is_accepted():
    exercises.check_trap([False, True, False])


@pytest.mark.parametrize(
    ("wrong", "hint"),
    [
        ([False, True, True], "realizable"),
        ([False, True, True, False], "rival"),
        ([0.0, 1.0], "truth values"),
        ([[True]], "truth values"),
    ],
)
def test_what_is_no_trap_is_refused(wrong, hint):
    with pytest.raises(AssertionError, match=hint):
        exercises.check_trap(wrong)
