"""What the chapter on experts defines about hard losses, four times the rate, totals and epochs."""

import math
from itertools import product

import numpy as np
import pytest

from book.tools.chapter_code import chapter_module
from privml import audit
from privml._search import smallest_integer
from privml.bounds import experts
from privml.bounds.experts import best_eta, best_regret_bound, regret_bound
from privml.distributions import Categorical
from privml.guarantee import concentrated_rho
from privml.learners.experts import (
    action_probabilities,
    action_sequence_distribution,
    expected_regret,
    private_eta,
    run_curves,
    run_guarantee,
)
from tests.chapters import experts_functions as functions
from tests.chapters.checkers import checkers

chapter = chapter_module("experts")


def test_random_losses_are_fair_but_for_the_first():
    losses = functions.random_losses(20_000, 3, 0, gap=0.2)
    assert losses.dtype == bool
    assert np.abs(losses.mean(axis=0) - [0.3, 0.5, 0.5]).max() < 5 * 0.5 / math.sqrt(
        20_000
    )


@pytest.mark.source("DR11-thm-11.1")
@pytest.mark.parametrize("eta", [0.2, 1.0])
def test_going_through_all_sequences_finds_the_worst(eta):
    every = [
        expected_regret(np.reshape(flat, (3, 2)), eta)
        for flat in product((0.0, 1.0), repeat=6)
    ]
    assert functions.worst_regret(3, 2, eta) == pytest.approx(max(every))
    signs = product((-1.0, 1.0), repeat=6)
    every = [
        expected_regret(np.reshape(flat, (3, 2)), eta, lower=-1.0) for flat in signs
    ]
    assert functions.worst_regret(3, 2, eta, values=(-1, 1)) == pytest.approx(
        max(every)
    )


@pytest.mark.source("DR11-thm-11.1")
@pytest.mark.parametrize("rounds", [1, 2, 5, 8])
@pytest.mark.parametrize("eta", [0.1, 0.7, 3.0])
def test_going_backwards_finds_the_worst_for_two_experts(rounds, eta):
    assert functions.worst_of_two(rounds, eta) == pytest.approx(
        functions.worst_regret(rounds, 2, eta)
    )


@pytest.mark.source("DR11-thm-11.2")
@pytest.mark.parametrize("epsilon", [0.05, 0.3, 1.0])
@pytest.mark.parametrize("delta", [0.5, 0.1, 1e-3, 1e-8])
def test_four_times_the_printed_rate_is_private_for_epsilon_up_to_one(epsilon, delta):
    assert functions.four_times_holds(epsilon, delta)
    for rounds in (2, 10, 1000):
        eta = 4 * private_eta(epsilon, delta, rounds, method="dr11")
        assert run_guarantee(eta, rounds, delta, adaptive=True).epsilon <= epsilon
        assert (
            run_curves(*functions.opposite_losses(rounds), eta).delta(epsilon) <= delta
        )


@pytest.mark.source("DR11-thm-11.2")
@pytest.mark.parametrize(("epsilon", "delta"), [(0.1, 0.1), (1.0, 1e-5), (4.0, 1e-6)])
@pytest.mark.parametrize("rounds", [2, 50, 3000])
def test_the_simple_rate_lies_between_the_printed_and_the_tight_one(
    epsilon, delta, rounds
):
    printed, tight, fixed = chapter.rates_of_a_run(epsilon, delta, rounds)
    simple = chapter.simple_eta(epsilon, delta, rounds)
    assert printed < simple < tight < fixed
    rho, log = (rounds - 1) * simple**2 / 2, math.log(1 / delta)
    assert rho + 2 * math.sqrt(rho * log) == pytest.approx(epsilon)


@pytest.mark.source("DR11-thm-11.4")
@pytest.mark.parametrize(("k", "rounds"), [(2, 7), (3, 5)])
def test_the_law_of_the_total_is_that_of_all_action_sequences(k, rounds):
    losses = np.random.default_rng(5).integers(0, 2, (rounds, k))
    law = action_probabilities(losses, 0.7)
    expected = np.zeros(rounds + 1)
    for sequence in product(range(k), repeat=rounds):
        steps = np.arange(rounds), np.array(sequence)
        expected[losses[steps].sum()] += law[steps].prod()
    assert functions.total_loss_law(losses, 0.7) == pytest.approx(expected, abs=1e-14)


@pytest.mark.parametrize("rounds", [1, 2, 3, 4, 7, 8, 1000])
def test_epochs_double_and_cover_every_round_once(rounds):
    epochs = functions.epochs(rounds)
    assert [
        t for start, _, played in epochs for t in range(start, start + played)
    ] == list(range(rounds))
    assert [length for _, length, _ in epochs] == [2**m for m in range(len(epochs))]
    assert all(played == length for _, length, played in epochs[:-1])


def test_every_epoch_starts_afresh_with_the_rate_of_its_full_length():
    losses = np.random.default_rng(0).random((11, 3))
    found = functions.doubling_probabilities(losses, lambda length: 1 / length)
    assert found[3:7] == pytest.approx(action_probabilities(losses[3:7], 1 / 4))
    assert found[7:] == pytest.approx(action_probabilities(losses[7:], 1 / 8))


@pytest.mark.parametrize("rounds", [1, 6, 100, 1000, 1025])
@pytest.mark.parametrize("k", [2, 30])
def test_the_regret_of_epochs_is_below_its_bound(rounds, k):
    bound = functions.doubling_bound(rounds, k, lambda n: best_eta(k, n))
    for losses in (
        functions.random_losses(rounds, k, 2),
        np.arange(k) == np.arange(rounds)[:, None] % k,
    ):
        law = functions.doubling_probabilities(losses, lambda n: best_eta(k, n))
        assert (law * losses).sum() / rounds - losses.mean(axis=0).min() <= bound
    doubled = math.sqrt(2) / (math.sqrt(2) - 1) * best_regret_bound(k, rounds)
    assert bound <= doubled * (1 + 1e-12)


@pytest.mark.parametrize("rounds", [3, 4])
def test_an_unlimited_run_in_epochs_is_as_private_as_its_epochs(rounds):
    """All neighbours; the epochs are exactly private at (0.2, 0.2), and so is the whole."""

    def rate(length):
        return private_eta(0.2, 0.2, length, method="nonadaptive")

    def law(losses):
        total = np.zeros(1)
        for row in np.log(functions.doubling_probabilities(losses, rate)):
            total = np.add.outer(total, row).ravel()
        return Categorical(total)

    vectors = np.array(list(product((0, 1), repeat=2)))
    assert 0.15 < audit.exact(law, vectors, rounds, ordered=True).delta(0.2) <= 0.2
    carried = audit.exact(
        lambda losses: action_sequence_distribution(losses, rate(2)),
        vectors,
        rounds,
        ordered=True,
    )
    assert carried.delta(0.2) > 0.2


@pytest.mark.source("DR11-lem-rwm-exp-mech")
def test_a_schedule_costs_the_sum_of_its_rounds_and_grows_without_limit_at_root_t():
    eta = 0.1 / np.sqrt(np.arange(1, 10_001))
    found = [functions.cost(eta[:n]) for n in (100, 1000, 10_000)]
    assert np.diff(found) == pytest.approx(0.005 * math.log(10) * np.ones(2), rel=0.01)
    exact = run_curves(*functions.opposite_losses(1000), eta[:1000], resolution=150)
    assert concentrated_rho(exact.epsilon(1e-5), 1e-5) <= found[1]


@pytest.mark.source("DR11-thm-11.3")
@pytest.mark.erratum("DR11-thm-11.3")
def test_the_conclusion_of_theorem_11_3_survives_longer_and_then_fails_exactly():
    k, delta, large = (
        2,
        0.5,
        math.sqrt(32 * 40 * math.log(2)),
    )  # about 29.8: then eta is 1 for 40 rounds
    printed = {e: math.sqrt(128 * math.log(2)) * math.log(2) / e for e in (5.0, large)}
    eta = experts.private_eta_dr11(5.0, delta, 100)
    worst = functions.worst_of_two(100, eta)
    assert worst == pytest.approx(0.074, abs=5e-4)
    assert worst <= printed[5.0] / 10
    eta = experts.private_eta_dr11(large, delta, 40)
    assert eta == pytest.approx(1.0)
    worst = functions.worst_of_two(40, eta)
    assert worst == pytest.approx(0.129, abs=5e-4)
    assert worst > printed[large] / math.sqrt(40)
    assert printed[large] / math.sqrt(40) == pytest.approx(0.0347, abs=5e-5)
    largest = experts.most_epsilon_closed(delta, k, constant="hoeffding")
    assert largest == pytest.approx(16 * math.log(2))


def choice_law(losses, eta):
    past = np.cumsum(losses, axis=0) - losses
    odds = np.exp(-eta * (past - past.min(axis=1, keepdims=True)))
    return odds / odds.sum(axis=1, keepdims=True)


def naive(losses, eta):
    weights = np.exp(-eta * (np.cumsum(losses, axis=0) - losses))
    with np.errstate(invalid="ignore"):
        return weights / weights.sum(axis=1, keepdims=True)


def holds(n_rounds):
    return (
        regret_bound(private_eta(1.0, 1e-5, n_rounds), n_experts=60, n_rounds=n_rounds)
        <= 0.1
    )


ENOUGH = smallest_integer(holds)
test_a_checker_takes_right_answers_and_refuses_wrong_ones = checkers(
    {
        "choice_law": [
            (choice_law, None),
            (action_probabilities, None),
            (naive, "eta = 2.0: round 3000"),
            (lambda losses, eta: choice_law(losses, -eta), "round 2"),
            (
                lambda losses, eta: choice_law(np.roll(losses, -1, axis=0), eta),
                "round 2",
            ),
            (lambda losses, eta: choice_law(losses, eta).T, "shape"),
        ],
        "enough_rounds": [
            (ENOUGH, None),
            (ENOUGH - 1, "more than 0.1"),
            (ENOUGH + 1, "is enough"),
        ],
        "carried_weights": [
            (functions.opposite_losses(3), None),
            (functions.opposite_losses(7), None),
            (functions.opposite_losses(31), None),
            (functions.opposite_losses(2), "was promised"),
            ((np.zeros((7, 2)), np.ones((7, 2))), "differ in 7"),
            ((np.zeros((7, 2)), np.zeros((7, 2))), "differ in 0"),
            ((np.zeros((7, 2)), np.zeros((6, 2))), "one shape"),
            (functions.opposite_losses(40), "at most 31"),
        ],
    },
    chapter,
)
