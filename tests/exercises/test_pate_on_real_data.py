"""Each checker of the chapter on PATE on real data takes the solution and refuses wrong answers."""

from math import sqrt

import numpy as np
import pytest

from privml.divergences import gaussian_epsilon, gaussian_mu
from privml.exercises import pate_on_real_data as exercises


def interval(values, ddof=1, power=0.5, quantile=1.96):
    half = quantile * np.std(values, ddof=ddof) / len(values) ** power
    return np.mean(values) - half, np.mean(values) + half


def test_the_interval_is_accepted():
    exercises.check_interval(interval)


@pytest.mark.parametrize("change", [{"ddof": 0}, {"power": 1.0}, {"quantile": 2.326}])
def test_another_interval_is_refused(change):
    with pytest.raises(AssertionError, match="half width"):
        exercises.check_interval(lambda values: interval(values, **change))


def test_an_interval_around_something_else_is_refused():
    with pytest.raises(AssertionError, match="middle"):
        exercises.check_interval(lambda values: (0.0, 1.0))


def spent(epsilon, delta, budget, used, share=sqrt):
    return gaussian_epsilon(delta, gaussian_mu(epsilon, delta) * share(used / budget))


def test_the_spent_epsilon_is_accepted():
    exercises.check_spent(spent)


@pytest.mark.parametrize("share", [lambda part: part, lambda part: 1.0])
def test_another_epsilon_is_refused(share):
    with pytest.raises(AssertionError, match="the profile gives"):
        exercises.check_spent(lambda *case: spent(*case, share=share))


def test_the_least_readable_epsilon_is_accepted_and_its_neighbours_are_not():
    exercises.check_readable(2.3)
    with pytest.raises(AssertionError, match="it takes"):
        exercises.check_readable(2.2)
    with pytest.raises(AssertionError, match="already"):
        exercises.check_readable(2.4)
    with pytest.raises(AssertionError, match="multiple"):
        exercises.check_readable(2.15)


def test_sequences_that_go_against_each_other_are_accepted():
    odd = np.arange(200) % 2
    exercises.check_line((0.5 * odd, 0.5 * (1 - odd)))


@pytest.mark.parametrize(
    ("pair", "hint"),
    [
        ((np.zeros(3), np.zeros(3)), "200"),
        ((np.full(200, 0.7), np.zeros(200)), "between 0 and 1/2"),
        ((np.zeros(200), np.zeros(200)), "constant"),
        ((np.arange(200) % 2 / 2, np.arange(200) % 2 / 2), "not below"),
        ((np.linspace(0, 0.5, 200), np.linspace(0.5, 0, 200)), "not above"),
    ],
)
def test_sequences_that_show_nothing_are_refused(pair, hint):
    with pytest.raises(AssertionError, match=hint):
        exercises.check_line(pair)
