"""The checkers of the chapter on learnability in general take right answers and refuse wrong ones."""

from math import exp, inf, log, log1p

import numpy as np
import pytest

from book.tools.programme import tangled
from privml.composition import no_repeat_probability

chapter = tangled("learnability-in-general")


def test_a_rare_large_loss_that_clipping_hides_is_accepted():
    chapter.check_clipped([[0.0, 0.0, 9.0], [2.0, 2.0, 2.0]], 3.0)


@pytest.mark.parametrize(
    ("losses", "hint"),
    [
        ([[0.0, 9.0], [5.0, 5.0]], "best before and after"),
        ([[0.0, 4.0], [2.0, 2.0]], "are tied"),
        ([[0.0, inf], [2.0, 2.0]], "finite"),
        ([[0.0, -1.0], [2.0, 2.0]], "negative"),
    ],
)
def test_a_table_without_a_change_is_refused(losses, hint):
    with pytest.raises(AssertionError, match=hint):
        chapter.check_clipped(losses, 3.0)


def logistic(margins, labels):
    return np.logaddexp(0, -labels * margins)


def largest(r):
    return r + log1p(exp(-r))


@pytest.mark.parametrize(
    ("loss", "upper", "hint"),
    [
        (lambda m, y: np.log(1 + np.exp(-y * m)), largest, "not inf"),
        (lambda m, y: np.logaddexp(0, y * m), largest, "the loss is"),
        (lambda m, y: logistic(m, y).ravel(), largest, "shape"),
        (logistic, lambda r: r + log(2), "largest loss is"),
    ],
)
def test_a_wrong_logistic_row_is_refused_and_the_right_one_taken(loss, upper, hint):
    chapter.check_logistic(logistic, largest)
    with pytest.raises(AssertionError, match=hint):
        chapter.check_logistic(loss, upper)


@pytest.mark.parametrize(
    ("tail", "hint"),
    [
        (lambda x: 1 / (x + 1), "below 0.3"),
        (lambda x: 0.5 if x else 1.0, "does not seem to tend to 0"),
        (lambda x: 0.5 / (x + 1), r"tail\(0\) is 0.5"),
        (lambda x: 1.0 if x % 2 == 0 else 0.5, "must not increase"),
    ],
)
def test_a_tail_that_falls_too_fast_or_not_at_all_is_refused_and_a_slow_one_taken(tail, hint):
    chapter.check_slow_tail(lambda x: 1 / (1 + log(1 + log(1 + x))))
    with pytest.raises(AssertionError, match=hint):
        chapter.check_slow_tail(tail)


def gap_over_rate(n, k, epsilon):
    chance, high = no_repeat_probability(n, k), 1 / (1 + exp(-epsilon))
    return high / (chance * high + (1 - chance) * (1 - high))


@pytest.mark.parametrize(
    "wrong",
    [
        lambda n, k, epsilon: 1 / no_repeat_probability(n, k),
        lambda n, k, epsilon: gap_over_rate(n, k, -epsilon),
        lambda n, k, epsilon: 1 / gap_over_rate(n, k, epsilon),
    ],
)
def test_a_wrong_ratio_is_refused_and_the_right_one_taken(wrong):
    chapter.check_factor(gap_over_rate)
    with pytest.raises(AssertionError, match="the ratio is"):
        chapter.check_factor(wrong)
