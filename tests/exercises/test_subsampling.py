"""The checkers of the chapter on subsampling take right answers and refuse wrong ones."""

from math import exp, expm1, log1p

import pytest

from privml.composition import amplified_epsilon, amplified_wlf16
from privml.exercises import subsampling as exercises


def test_one_drawn_answer():
    exercises.check_drawn_answer(lambda epsilon, m: log1p(expm1(epsilon) / m))
    with pytest.raises(AssertionError, match="the audit finds"):
        exercises.check_drawn_answer(lambda epsilon, m: epsilon / m)
    with pytest.raises(AssertionError, match="the audit finds"):
        exercises.check_drawn_answer(lambda epsilon, m: 2 * (exp(epsilon) - exp(-epsilon)) / m)


@pytest.mark.source("WLF16-lem-34", "WLF16-lem-31")
def test_the_largest_subset():
    def size(epsilon, target, m):
        return max((k for k in range(1, m + 1) if amplified_epsilon(epsilon, k / m) <= target), default=0)

    exercises.check_largest_subsample(size)
    exercises.check_largest_subsample(lambda e, t, m: min(m, int(m * expm1(t) / expm1(e))))
    with pytest.raises(AssertionError, match="is too large"):
        exercises.check_largest_subsample(lambda e, t, m: size(e, t, m) + 1)
    with pytest.raises(AssertionError, match="is not the largest"):
        exercises.check_largest_subsample(
            lambda e, t, m: max(
                (k for k in range(1, m + 1) if amplified_wlf16(e, 0.0, k / m)[0] <= t), default=0
            )
        )
    with pytest.raises(AssertionError, match="between 0 and m"):
        exercises.check_largest_subsample(lambda e, t, m: m + 1)


def test_when_repeats_eat_the_gain():
    exercises.check_breaks_even(59, 1.0, 100)
    with pytest.raises(AssertionError, match="still promises more"):
        exercises.check_breaks_even(58, 1.0, 100)
    with pytest.raises(AssertionError, match="already with"):
        exercises.check_breaks_even(60, 1.0, 100)


def test_the_director_is_always_asked():
    exercises.check_director(([1, 0, 0, 0], [0, 0, 0, 0]), 1.0, 2)
    with pytest.raises(AssertionError, match="the loss is"):
        exercises.check_director(([0, 1, 0, 0], [0, 0, 0, 0]), 1.0, 2)
    with pytest.raises(AssertionError, match="one record"):
        exercises.check_director(([1, 1, 0, 0], [0, 0, 0, 0]), 1.0, 2)
    with pytest.raises(AssertionError, match="more than 2 records"):
        exercises.check_director(([1, 0], [0, 0]), 1.0, 2)
    with pytest.raises(AssertionError, match="same length"):
        exercises.check_director(([1, 0, 0], [0, 0]), 1.0, 2)
    with pytest.raises(AssertionError, match="are bits"):
        exercises.check_director(([2, 0, 0], [0, 0, 0]), 1.0, 2)


def test_a_vote_swings_by_two():
    exercises.check_swung_votes(([1, 0, 0], [-1, 0, 0]), 1.0, 0.25)
    exercises.check_swung_votes(([-1], [1]), 1.0, 0.25)
    with pytest.raises(AssertionError, match="is possible"):
        exercises.check_swung_votes(([1, 0, 0], [0, 0, 0]), 1.0, 0.25)
    with pytest.raises(AssertionError, match="exactly one vote"):
        exercises.check_swung_votes(([1, 1, 0], [-1, 0, 0]), 1.0, 0.25)
    with pytest.raises(AssertionError, match="-1, 0 or 1"):
        exercises.check_swung_votes(([2, 0, 0], [-1, 0, 0]), 1.0, 0.25)
