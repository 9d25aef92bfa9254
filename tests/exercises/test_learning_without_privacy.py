"""Each checker of the chapter on learning without privacy takes the solution and refuses wrong answers."""

from math import ceil, exp, log

import numpy as np
import pytest

from privml import pac
from privml.exercises import learning_without_privacy as exercises
from privml.hypotheses import Table, Thresholds
from privml.learners.erm import erm_law
from privml.populations import FinitePopulation


def test_the_realizable_sample_size_is_accepted():
    exercises.check_realizable(lambda size, alpha, beta: ceil(log(size / beta) / alpha))


@pytest.mark.parametrize(
    ("wrong", "hint"),
    [
        (lambda size, alpha, beta: ceil(log(size / beta) / alpha**2), "one sample fewer"),
        (lambda size, alpha, beta: ceil(log(1 / beta) / alpha), "still above beta"),
        (lambda size, alpha, beta: log(size / beta) / alpha, "whole number"),
    ],
)
def test_a_wrong_realizable_sample_size_is_refused(wrong, hint):
    with pytest.raises(AssertionError, match=hint):
        exercises.check_realizable(wrong)


def deviation(error_rate, n_samples, allowed, slack=1e-12):
    counts = np.arange(n_samples + 1)
    law = pac.mistake_count_distribution(error_rate, n_samples)
    return law[np.abs(counts / n_samples - error_rate) > allowed + slack].sum()


def test_the_exact_deviation_is_accepted():
    exercises.check_deviation(deviation)


@pytest.mark.parametrize(
    ("wrong", "hint"),
    [
        (lambda *case: deviation(*case, slack=-1e-12), "must not count"),
        (lambda *case: deviation(*case, slack=0.0), "rounding"),
        (lambda error, m, a: 2 * exp(-2 * m * a**2), "is off by"),
    ],
)
def test_a_wrong_deviation_is_refused(wrong, hint):
    with pytest.raises(AssertionError, match=hint):
        exercises.check_deviation(wrong)


def growing_class(tie_break="first"):
    found = {}
    for n_cuts in (3, 5, 9):
        points = np.arange(n_cuts + 1)
        rules = Thresholds(np.arange(n_cuts) + 0.5)
        truth = FinitePopulation(points, points > n_cuts // 2, np.full(n_cuts + 1, 1 / (n_cuts + 1)))
        found[n_cuts] = pac.failure_probability(erm_law(tie_break), rules, truth, 10, 0.2)
    return found


def test_the_failure_of_the_growing_class_is_accepted():
    exercises.check_growing_class(growing_class())


def test_wrong_failures_of_the_growing_class_are_refused():
    with pytest.raises(AssertionError, match="K = 3"):
        exercises.check_growing_class(growing_class("uniform"))
    with pytest.raises(AssertionError, match="3, 5, 9"):
        exercises.check_growing_class({3: 0.1})


def memoriser(n_points, n_samples, prefer_true=False):
    labels = (np.arange(1 << n_points)[:, None] >> np.arange(n_points)) & 1 == 1
    points = np.arange(n_points)
    truth = FinitePopulation(points, points >= 0, np.full(n_points, 1 / n_points))
    return Table(~labels if prefer_true else labels), truth, n_samples


def test_a_memoriser_is_accepted():
    exercises.check_memoriser(memoriser(8, 3))


@pytest.mark.parametrize(
    ("answer", "hint"),
    [
        (memoriser(8, 1), "at least 2"),
        (memoriser(6, 3), "within 1/2"),
        (memoriser(8, 3, prefer_true=True), "within 1/2"),
        ((Thresholds([0.5]), FinitePopulation([0, 0], [False, True], [0.5, 0.5]), 2), "training error"),
    ],
)
def test_what_does_not_memorise_is_refused(answer, hint):
    with pytest.raises(AssertionError, match=hint):
        exercises.check_memoriser(answer)


def test_the_right_blur_is_accepted():
    exercises.check_blurred_erm(lambda epsilon, size: size / (size + exp(epsilon) - 1))


@pytest.mark.parametrize(
    ("wrong", "hint"),
    [
        (lambda epsilon, size: 1 / (1 + exp(epsilon)), "more than"),
        (lambda epsilon, size: size / (size + exp(epsilon / 2) - 1), "less than"),
        (lambda epsilon, size: 0.0, "not 0"),
    ],
)
def test_a_wrong_blur_is_refused(wrong, hint):
    with pytest.raises(AssertionError, match=hint):
        exercises.check_blurred_erm(wrong)
