"""Each checker of the chapter on experts takes the solution and refuses wrong answers."""

from math import comb

import numpy as np

from book.tools.programme import tangled
from privml._search import smallest_integer
from privml.bounds.experts import regret_bound
from privml.learners.experts import action_probabilities, private_eta
from tests.chapters.checkers import checkers

exercises = tangled("experts")


def choice_law(losses, eta):
    past = np.cumsum(losses, axis=0) - losses
    odds = np.exp(-eta * (past - past.min(axis=1, keepdims=True)))
    return odds / odds.sum(axis=1, keepdims=True)


def naive(losses, eta):
    weights = np.exp(-eta * (np.cumsum(losses, axis=0) - losses))
    with np.errstate(invalid="ignore"):
        return weights / weights.sum(axis=1, keepdims=True)


def fair_coins(n_rounds):
    return comb(2 * n_rounds, n_rounds) / 4**n_rounds / 2


def opposite(rounds):
    first, second = np.zeros((rounds, 2)), np.zeros((rounds, 2))
    first[0], second[0] = (0, 1), (1, 0)
    return first, second


def holds(n_rounds):
    return regret_bound(private_eta(1.0, 1e-5, n_rounds), n_experts=60, n_rounds=n_rounds) <= 0.1


ENOUGH = smallest_integer(holds)
test_a_checker_takes_right_answers_and_refuses_wrong_ones = checkers(
    {
        "choice_law": [
            (choice_law, None),
            (action_probabilities, None),
            (naive, "eta = 2.0: round 3000"),
            (lambda losses, eta: choice_law(losses, -eta), "round 2"),
            (lambda losses, eta: choice_law(np.roll(losses, -1, axis=0), eta), "round 2"),
            (lambda losses, eta: choice_law(losses, eta).T, "shape"),
        ],
        "fair_coins": [
            (fair_coins, None),
            (lambda n: 2 * fair_coins(n), "the regret is"),
            (lambda n: 0.5 / np.sqrt(np.pi * n), "the regret is"),
            (lambda n: fair_coins(n) * n, "the regret is"),
        ],
        "enough_rounds": [(ENOUGH, None), (ENOUGH - 1, "more than 0.1"), (ENOUGH + 1, "is enough")],
        "carried_weights": [
            (opposite(3), None),
            (opposite(7), None),
            (opposite(31), None),
            (opposite(2), "was promised"),
            ((np.zeros((7, 2)), np.ones((7, 2))), "differ in 7"),
            ((np.zeros((7, 2)), np.zeros((7, 2))), "differ in 0"),
            ((np.zeros((7, 2)), np.zeros((6, 2))), "one shape"),
            (opposite(40), "at most 31"),
        ],
    },
    exercises,
)
