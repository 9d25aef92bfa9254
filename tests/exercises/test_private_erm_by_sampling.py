"""Each checker of the chapter on private ERM by sampling takes the solution and refuses wrong answers."""

import pytest

from privml.exercises import private_erm_by_sampling as exercises
from privml.experiments.private_erm_by_sampling import stopped


def test_the_oscillation_of_the_absolute_loss_is_accepted():
    exercises.check_absolute(lambda R: R + min(R, 1))


@pytest.mark.parametrize(
    ("wrong", "hint"), [(lambda R: R, "too small"), (lambda R: 2 * R, "more than"), (lambda R: 1 + R, "more")]
)
def test_a_wrong_oscillation_is_refused(wrong, hint):
    with pytest.raises(AssertionError, match=hint):
        exercises.check_absolute(wrong)


def test_the_number_of_tries_is_accepted():
    exercises.check_tries(lambda law: law.n_outcomes * law.pmf().max())


@pytest.mark.parametrize(
    ("wrong", "hint"),
    [
        (lambda law: law.n_outcomes, "equally likely"),
        (lambda law: 1.0, "should be"),
        (lambda law: law.pmf().max() / law.pmf().min(), "should be"),
    ],
)
def test_a_wrong_number_of_tries_is_refused(wrong, hint):
    with pytest.raises(AssertionError, match=hint):
        exercises.check_tries(wrong)


def test_the_number_of_steps_is_accepted_and_its_neighbours_are_not():
    steps = next(k for k in range(1200, 1400) if stopped([k], 8, 1.0)["delta_proved"][0] <= 1e-6)
    exercises.check_steps(steps)
    with pytest.raises(AssertionError, match="above"):
        exercises.check_steps(steps - 1)
    with pytest.raises(AssertionError, match="are enough"):
        exercises.check_steps(steps + 1)


def test_data_at_the_tie_break_the_peeking_learner():
    exercises.check_peeking([1] * 11 + [-1] * 10, [1] * 10 + [-1] * 11)


@pytest.mark.parametrize(
    ("first", "second", "hint"),
    [
        ([1] * 20 + [-1], [1] * 21, "penalty must change"),
        ([1, -1], [-1, -1, 1], "differ in one label"),
        ([1, 1, -1, -1], [-1, -1, -1, -1], "differ in one label"),
        ([1], [-1], "take more records"),
        ([1, 0], [1, 1], "labels 1 and -1"),
        ([], [], "list of labels"),
    ],
)
def test_pairs_that_break_nothing_are_refused(first, second, hint):
    with pytest.raises(AssertionError, match=hint):
        exercises.check_peeking(first, second)
