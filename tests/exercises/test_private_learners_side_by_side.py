"""Each checker of the chapter that compares private learners takes the solution and refuses wrong answers."""

from math import exp, expm1

import numpy as np
import pytest

from privml.exercises import private_learners_side_by_side as exercises


def noise(d, scale, rng):
    direction = rng.standard_normal(d)
    return direction / np.linalg.norm(direction) * rng.gamma(d, scale)


def short(d, scale, rng):
    direction = rng.standard_normal(d)
    return direction / np.linalg.norm(direction) * rng.exponential(scale)


def cornered(d, scale, rng):
    return abs(noise(d, scale, rng))


def test_radial_noise_is_accepted():
    exercises.check_noise(noise)


@pytest.mark.parametrize(
    ("wrong", "hint"),
    [
        (short, "mean length"),
        (cornered, "not uniform"),
        (lambda d, scale, rng: rng.standard_normal(d) * scale, "mean length"),
        (lambda d, scale, rng: scale * noise(1, 1.0, rng), "shape"),
    ],
)
def test_other_noise_is_refused(wrong, hint):
    with pytest.raises(AssertionError, match=hint):
        exercises.check_noise(wrong)


def test_the_strength_that_leaves_a_share_is_accepted():
    exercises.check_budget(lambda epsilon, share: 0.25 / expm1((1 - share) * epsilon))


@pytest.mark.parametrize(
    "wrong",
    [
        lambda epsilon, share: 0.25 / expm1(share * epsilon),
        lambda epsilon, share: 0.25 / expm1((1 - share) * epsilon / 2),
        lambda epsilon, share: 0.25 / exp((1 - share) * epsilon),
    ],
)
def test_another_strength_is_refused(wrong):
    with pytest.raises(AssertionError, match="is left"):
        exercises.check_budget(wrong)


def test_the_first_radius_is_accepted_and_its_neighbours_are_not():
    exercises.check_radius(8)
    with pytest.raises(AssertionError, match="as claimed"):
        exercises.check_radius(7)
    with pytest.raises(AssertionError, match="too much already"):
        exercises.check_radius(9)


def test_a_lonely_record_moves_the_minimiser_far():
    exercises.check_apart([[0.0] * 9 + [1.0], [0.0] * 9 + [-1.0]])


@pytest.mark.parametrize(
    ("pair", "hint"),
    [
        (([1.0, 1.0], [1.0, -1.0]), "of the sensitivity"),
        (([1.0, 1.0], [-1.0, -1.0]), "differ in one place"),
        (([0.0, 2.0], [0.0, -2.0]), "lie in"),
        (([0.0], [0.0, 1.0]), "one size"),
    ],
)
def test_other_pairs_are_refused(pair, hint):
    with pytest.raises(AssertionError, match=hint):
        exercises.check_apart(pair)
