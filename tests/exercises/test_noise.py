"""The checkers of the chapter on noise take right answers and refuse wrong ones."""

from statistics import NormalDist

import numpy as np
import pytest
from scipy.optimize import brentq

from privml.divergences import gaussian_delta, gaussian_mu
from privml.exercises import noise as exercises


@pytest.mark.source("LZCW21-def-41", "LZCW21-def-43")
def test_total_and_number():
    exercises.check_total_and_number(lambda largest: (largest + 1, np.sqrt(largest**2 + 1)))
    with pytest.raises(AssertionError, match="an L1 sensitivity of 2.0000, not 1.0000"):
        exercises.check_total_and_number(lambda largest: (largest, np.hypot(largest, 1)))
    with pytest.raises(AssertionError, match="L2 sensitivity"):
        exercises.check_total_and_number(lambda largest: (largest + 1, largest + 1))


def test_no_epsilon_at_all():
    exercises.check_no_epsilon(lambda delta: 1 / (2 * NormalDist().inv_cdf((1 + delta) / 2)))
    exercises.check_no_epsilon(lambda delta: 1 / gaussian_mu(0.0, delta))
    with pytest.raises(AssertionError, match="the least is"):
        exercises.check_no_epsilon(lambda delta: 1 / (delta * np.sqrt(2 * np.pi)))


def exact_crossing(delta):
    c = np.sqrt(2 * np.log(1.25 / delta))
    return brentq(lambda epsilon: np.log(gaussian_delta(epsilon, epsilon / c) / delta), 4, 15)


@pytest.mark.source("LZCW21-lem-44")
def test_where_the_classical_formula_ends():
    exercises.check_last_valid(exact_crossing)
    with pytest.raises(AssertionError, match="still kept"):
        exercises.check_last_valid(lambda delta: 1.0)
    with pytest.raises(AssertionError, match="already broken"):
        exercises.check_last_valid(lambda delta: 1.01 * exact_crossing(delta))


def split_width(n_samples, epsilon, beta):
    sampling = np.sqrt(np.log(4 / beta) / (2 * n_samples))
    ratio = np.exp(-epsilon)
    noise = np.ceil(np.log(4 / (beta * (1 + ratio))) / epsilon) - 1
    return sampling + noise / n_samples


@pytest.mark.source("LZCW21-lem-42", "L4-lem-hoeffding")
def test_a_share_of_a_population():
    exercises.check_share(split_width)
    with pytest.raises(AssertionError, match="is missed with probability"):
        exercises.check_share(lambda n, epsilon, beta: np.log(1 / beta) / (epsilon * n))
    with pytest.raises(AssertionError, match="half of your width"):
        exercises.check_share(lambda n, epsilon, beta: 2 * split_width(n, epsilon, beta))


def test_the_chance_to_miss_is_that_of_draws():
    rng, n, epsilon, share, width = np.random.default_rng(3), 40, 0.5, 0.3, 0.2
    counts = rng.binomial(n, share, size=200_000)
    ratio = np.exp(-epsilon)
    noise = rng.geometric(1 - ratio, size=(2, 200_000))
    drawn = np.abs((counts + noise[0] - noise[1]) / n - share) > width + 1e-12
    found = exercises._miss_probabilities(width, n, epsilon, np.array([share]))[0]
    assert abs(drawn.mean() - found) < 5 * np.sqrt(found / 200_000)


def test_from_how_many_counts_gaussian_noise_is_smaller():
    exercises.check_crossover(7, 1.0, 1e-5)
    with pytest.raises(AssertionError, match="Laplace noise is smaller"):
        exercises.check_crossover(6, 1.0, 1e-5)
    with pytest.raises(AssertionError, match="7 counts suffice"):
        exercises.check_crossover(8, 1.0, 1e-5)
    with pytest.raises(AssertionError, match="a number of counts"):
        exercises.check_crossover(0, 1.0, 1e-5)


def test_a_rounded_answer_gives_the_count_away():
    exercises.check_rounded((0, 1, -8), 1.0)
    exercises.check_rounded((5, 4, 13), 1.0)
    with pytest.raises(AssertionError, match="cannot come from 0 either"):
        exercises.check_rounded((0, 1, -9), 1.0)
    with pytest.raises(AssertionError, match="comes from 1 too"):
        exercises.check_rounded((0, 1, 0), 1.0)
    with pytest.raises(AssertionError, match="differ by 1, these by 2"):
        exercises.check_rounded((0, 2, -8), 1.0)
