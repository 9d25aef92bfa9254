"""Each checker of the chapter on experts takes the solution and refuses wrong answers."""

from math import comb

import numpy as np
import pytest

from book.tools.programme import tangled
from privml._search import smallest_integer
from privml.bounds.experts import regret_bound
from privml.learners.experts import action_probabilities, private_eta

exercises = tangled("experts")


def choice_law(losses, eta):
    past = np.cumsum(losses, axis=0) - losses
    odds = np.exp(-eta * (past - past.min(axis=1, keepdims=True)))
    return odds / odds.sum(axis=1, keepdims=True)


def test_the_choice_law_is_accepted():
    exercises.check_choice_law(choice_law)
    exercises.check_choice_law(action_probabilities)


def naive(losses, eta):
    weights = np.exp(-eta * (np.cumsum(losses, axis=0) - losses))
    with np.errstate(invalid="ignore"):
        return weights / weights.sum(axis=1, keepdims=True)


@pytest.mark.parametrize(
    ("wrong", "hint"),
    [
        (naive, "eta = 2.0: round 3000"),
        (lambda losses, eta: choice_law(losses, -eta), "round 2"),
        (lambda losses, eta: choice_law(np.roll(losses, -1, axis=0), eta), "round 2"),
        (lambda losses, eta: choice_law(losses, eta).T, "shape"),
    ],
)
def test_a_wrong_choice_law_is_refused(wrong, hint):
    with pytest.raises(AssertionError, match=hint):
        exercises.check_choice_law(wrong)


def fair_coins(n_rounds):
    return comb(2 * n_rounds, n_rounds) / 4**n_rounds / 2


def test_the_regret_on_fair_coins_is_accepted():
    exercises.check_fair_coins(fair_coins)


@pytest.mark.parametrize(
    "wrong", [lambda n: 2 * fair_coins(n), lambda n: 0.5 / np.sqrt(np.pi * n), lambda n: fair_coins(n) * n]
)
def test_a_wrong_regret_on_fair_coins_is_refused(wrong):
    with pytest.raises(AssertionError, match="the regret is"):
        exercises.check_fair_coins(wrong)


def test_enough_rounds_are_accepted_and_their_neighbours_are_not():
    def holds(n_rounds):
        return regret_bound(private_eta(1.0, 1e-5, n_rounds), 60, n_rounds) <= 0.1

    enough = smallest_integer(holds)
    exercises.check_enough_rounds(enough)
    with pytest.raises(AssertionError, match="more than 0.1"):
        exercises.check_enough_rounds(enough - 1)
    with pytest.raises(AssertionError, match="is enough"):
        exercises.check_enough_rounds(enough + 1)


def opposite(rounds):
    first, second = np.zeros((rounds, 2)), np.zeros((rounds, 2))
    first[0], second[0] = (0, 1), (1, 0)
    return first, second


def test_neighbours_that_break_the_carried_weights_are_accepted():
    for rounds in (3, 7, 31):
        exercises.check_carried_weights(opposite(rounds))


@pytest.mark.parametrize(
    ("pair", "hint"),
    [
        (opposite(2), "was promised"),
        ((np.zeros((7, 2)), np.ones((7, 2))), "differ in 7"),
        ((np.zeros((7, 2)), np.zeros((7, 2))), "differ in 0"),
        ((np.zeros((7, 2)), np.zeros((6, 2))), "one shape"),
        (opposite(40), "at most 31"),
    ],
)
def test_other_pairs_are_refused(pair, hint):
    with pytest.raises(AssertionError, match=hint):
        exercises.check_carried_weights(pair)
