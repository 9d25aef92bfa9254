"""Each checker of the chapter on what cannot be learned takes the solution and refuses wrong answers."""

import numpy as np
import pytest

from privml.exercises import what_cannot_be_learned as exercises


def point_packing():
    return 4 * np.hstack([np.zeros((6, 6), dtype=int), np.eye(6, dtype=int)])


def test_a_packing_of_point_functions_is_accepted():
    exercises.check_points(point_packing())


@pytest.mark.parametrize(
    ("wrong", "hint"),
    [
        (point_packing()[:5], "shape"),
        (point_packing() // 2, "4 records"),
        (4 * np.eye(6, 12, dtype=int), "costs nothing"),
        (point_packing() // 2 + 2 * np.eye(6, 12, dtype=int)[[1, 2, 3, 4, 5, 0]], "is possible"),
    ],
)
def test_a_wrong_packing_of_point_functions_is_refused(wrong, hint):
    with pytest.raises(AssertionError, match=hint):
        exercises.check_points(wrong)


def test_the_number_of_digits_is_accepted_and_its_neighbours_are_not():
    [bits] = [b for b in range(100) if accepted(b)]
    with pytest.raises(AssertionError, match="below 0.1"):
        exercises.check_digits(bits - 1)
    with pytest.raises(AssertionError, match="enough, too"):
        exercises.check_digits(bits + 1)


def accepted(bits):
    try:
        exercises.check_digits(bits)
    except AssertionError:
        return False
    return True


def test_two_tied_ends_make_the_best_threshold_jump():
    ends = [(0.02, True), (0.98, False)]
    exercises.check_jump(([*ends, (0.5, True)], [*ends, (0.5, False)]))


@pytest.mark.parametrize(
    ("pair", "hint"),
    [
        (([(0.5, True)], [(0.5, False)]), "can be 0 apart"),
        (([(0.1, True), (0.2, True)], [(0.9, False), (0.8, False)]), "2 records differ"),
        (([(0.1, True)], [(0.1, True), (0.9, False)]), "keeps their number"),
        (([(1.5, True)], [(-0.5, False)]), "lie in"),
    ],
)
def test_a_pair_that_is_none_is_refused(pair, hint):
    with pytest.raises(AssertionError, match=hint):
        exercises.check_jump(pair)


def guessing_risk(universe, support, n, guesses, spare=0):
    same = 1 / support if n == 2 else 1.0
    terms = [(same, 1), (1 - same, 2)]
    return sum(c * (1 - seen / support) * (1 - guesses / (universe - seen + spare)) for c, seen in terms)


def test_the_risk_of_guessing_is_accepted():
    exercises.check_guess(guessing_risk)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda *sizes: guessing_risk(*sizes, spare=1),
        lambda universe, support, n, guesses: (1 - 1 / support) ** n,
    ],
)
def test_a_wrong_risk_of_guessing_is_refused(wrong):
    with pytest.raises(AssertionError, match="is not"):
        exercises.check_guess(wrong)
