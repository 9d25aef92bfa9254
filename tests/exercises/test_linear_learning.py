"""Each checker of the chapter on linear learning takes the solution and refuses wrong answers."""

import math

import numpy as np
import pytest

from privml.exercises import linear_learning as exercises
from privml.learners.linear import average_law


def rate(epsilon, delta, n_samples, bound, divisor=128):
    return epsilon / (bound * math.sqrt(divisor * n_samples * math.log(1 / delta)))


def test_the_rate_for_a_range_is_accepted():
    exercises.check_rate_for_range(rate)


@pytest.mark.parametrize(
    "wrong", [lambda *a: rate(*a, divisor=32), lambda e, d, n, b: rate(e, d, n, 1.0), lambda *a: rate(*a) / 2]
)
def test_another_rate_is_refused(wrong):
    with pytest.raises(AssertionError, match="a round may cost"):
        exercises.check_rate_for_range(wrong)


def count_law(probabilities):
    law = np.ones(1)
    for p in probabilities:
        law = np.convolve(law, [1 - p, p])
    return law


def test_the_count_law_is_accepted_and_agrees_with_the_library():
    exercises.check_count_law(count_law)
    X = np.random.default_rng(0).uniform(-1, 1, size=(30, 2))
    behind = np.cumsum(X, axis=0) - X
    first = 1 / (1 + np.exp(0.4 * (behind[:, 0] - behind[:, 1])))
    np.testing.assert_allclose(average_law(X, 0.4).pmf(), count_law(first), atol=1e-12)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda p: count_law(p)[::-1],
        lambda p: count_law([np.mean(p)] * len(p)),
        lambda p: count_law(p)[1:],
        lambda p: count_law(p) if len(p) < 9 else count_law([0.5] * 999),
    ],
)
def test_another_count_law_is_refused(wrong):
    with pytest.raises(AssertionError):
        exercises.check_count_law(wrong)


def test_the_last_claim_is_accepted_and_its_neighbours_are_not():
    exercises.check_last_claim(9.5, 1e-3, 1000)
    with pytest.raises(AssertionError, match="more than the claimed"):
        exercises.check_last_claim(10.0, 1e-3, 1000)
    with pytest.raises(AssertionError, match="still holds"):
        exercises.check_last_claim(9.0, 1e-3, 1000)
    with pytest.raises(AssertionError, match="no multiple"):
        exercises.check_last_claim(9.3, 1e-3, 1000)


def test_neighbours_with_different_means_are_accepted():
    exercises.check_mean_law(([[1.0, 0.0], [0.0, 0.0]], [[0.5, 0.0], [0.0, 0.0]]))


@pytest.mark.parametrize(
    ("pair", "hint"),
    [
        (([[0.0, 0.0], [1.0, 0.0]], [[0.0, 0.0], [0.0, 1.0]]), "which rounds see"),
        (([[1.0, 0.0], [0.0, 0.0]], [[0.0, 0.0], [0.0, 1.0]]), "differ in 2"),
        (([[1.0, 0.0]], [[1.0, 0.0], [0.0, 0.0]]), "one shape"),
        (([[2.0, 0.0], [0.0, 0.0]], [[0.0, 0.0], [0.0, 0.0]]), "entries must be"),
    ],
)
def test_pairs_that_show_nothing_are_refused(pair, hint):
    with pytest.raises(AssertionError, match=hint):
        exercises.check_mean_law(pair)


def constant(eta, n_samples, n_features, start=0):
    past = np.arange(start, n_samples + start)
    return float(2 * ((n_features - 1) / (n_features - 1 + np.exp(2 * eta * past))).mean())


def test_the_constant_excess_is_accepted():
    exercises.check_constant_excess(constant)


@pytest.mark.parametrize(
    "wrong",
    [lambda *a: constant(*a, start=1), lambda *a: constant(*a) / 2, lambda e, n, d: constant(e / 2, n, d)],
)
def test_another_constant_excess_is_refused(wrong):
    with pytest.raises(AssertionError, match="where the laws give"):
        exercises.check_constant_excess(wrong)
