"""The monitor of the chapter on generalisation: its privacy, what it finds, the tail that follows."""

from itertools import product
from math import ceil, exp, log

import numpy as np
import pytest
from scipy.stats import multinomial

from book.tools.chapter_code import chapter_module
from privml.learnability import (
    LearningProblem,
    constant_learner,
    erm_learner,
    exact_privacy,
    expected_gap_from_privacy,
    exponential_learner,
    generalisation_gap,
    permute_and_flip_learner,
)
from tests.chapters import generalisation_for_free_functions as functions

chapter = chapter_module("generalisation-for-free")
COIN = LearningProblem([[0.0, 1.0], [1.0, 0.0]])


def monitor_by_hand(law, problem, p, m, n_runs, eta):
    """Mean chosen gap by going through all data sets and outputs of every run."""
    datasets = [
        np.array(c)
        for c in product(range(m + 1), repeat=problem.n_records)
        if sum(c) == m
    ]
    counts = np.array(datasets)
    weights = multinomial.pmf(counts, m, p)
    laws, gaps = law(counts), problem.risk(p) - problem.empirical_risk(counts)
    cells = [
        (i, h)
        for i in range(len(counts))
        for h in range(problem.n_hypotheses)
        if laws[i, h] > 0
    ]
    chosen = largest = 0.0
    for runs in product(cells, repeat=n_runs):
        chance = np.prod([weights[i] * laws[i, h] for i, h in runs])
        seen = np.array([gaps[i, h] for i, h in runs] + [0.0])
        tilt = np.exp(eta * m * seen)
        chosen += chance * (tilt @ seen) / tilt.sum()
        largest += chance * seen.max()
    return chosen, largest


@pytest.mark.source("S16-rem-monitor")
@pytest.mark.parametrize("eta", [0.2, 3.0])
def test_what_the_monitor_finds_by_hand(eta):
    problem = LearningProblem(np.random.default_rng(1).random((3, 2)))
    law, p = exponential_learner(problem, 1.0), [0.3, 0.7]
    found = functions.monitored_gap(law, problem, p, 2, n_runs=3, eta=eta)
    chosen, largest = monitor_by_hand(law, problem, p, 2, 3, eta)
    assert found.chosen == pytest.approx(chosen)
    assert found.largest == pytest.approx(largest)
    assert found.mean == pytest.approx(generalisation_gap(law, problem, p, 2))


@pytest.mark.source("S16-rem-monitor")
@pytest.mark.parametrize("make", [exponential_learner, permute_and_flip_learner])
@pytest.mark.parametrize("eta", [0.3, 2.0, 1e2, 1e6])
def test_the_monitor_is_private(make, eta):
    rng = np.random.default_rng(3)
    for problem, p, m in (
        (COIN, [0.5, 0.5], 4),
        (LearningProblem(rng.random((3, 3))), [0.2, 0.3, 0.5], 2),
    ):
        law = make(problem, 1.0)
        spent = functions.monitor_privacy(law, problem, p, m, eta=eta)
        assert (
            0.3 * eta
            < spent
            <= exact_privacy(law, problem.n_records, m).value + eta * (1 + 1e-12)
        )
    assert (
        functions.monitor_privacy(
            constant_learner(COIN, 0), COIN, [0.5, 0.5], 1, eta=eta
        )
        > 0.5 * eta
    )


@pytest.mark.source("S16-rem-monitor")
@pytest.mark.parametrize("epsilon", [0.4, 2.0])
@pytest.mark.parametrize("n_runs", [1, 4, 16, 10**6])
def test_the_chosen_gap_is_between_the_two_bounds_of_the_proof(epsilon, n_runs):
    problem, law = functions.memoriser(4, 1, epsilon)
    cases = [
        (problem, law, [1 / 4] * 4, 1),
        (COIN, exponential_learner(COIN, epsilon), [0.5, 0.5], 9),
    ]
    for found, learner, p, m in cases:
        for eta in (0.2, 1.0, 5.0):
            gap = functions.monitored_gap(learner, found, p, m, n_runs=n_runs, eta=eta)
            assert gap.chosen >= gap.largest - log(n_runs + 1) / (eta * m)
            assert gap.chosen <= expected_gap_from_privacy(epsilon + eta)
            assert gap.largest >= gap.mean


@pytest.mark.source("S16-rem-monitor")
def test_the_tail_is_the_contradiction_at_some_number_of_runs():
    """Recomputed without the grid of the library: no T and eta may give less than what the grid gives."""
    m, epsilon, tau, delta = 4000, 0.05, 0.2, 1e-7
    best = 1.0
    for runs in np.unique(np.geomspace(1, 1e7, 300).astype(int)):
        for eta in np.geomspace(1e-3, 2, 200):
            most = expected_gap_from_privacy(epsilon + eta, min(1, int(runs) * delta))
            most += log(runs + 1) / (eta * m)
            if most < tau:
                best = min(best, 1 - (1 - most / tau) ** (1 / runs))
    assert functions.monitor_tail(
        m, epsilon, tau, delta, two_sided=False
    ) == pytest.approx(best, rel=0.03)
    few = [
        0.1 + (1 - 0.1) * np.tanh(eta / 4) + log(2) / (3000 * eta)
        for eta in np.geomspace(1e-3, 2, 400)
    ]
    found = functions.monitor_tail(3000, 0.0, 0.5, 0.1, two_sided=False)
    assert found == pytest.approx(min(few) / 0.5, rel=1e-3)
    found = functions.monitor_tail(m, epsilon, tau, delta, two_sided=False)
    assert functions.monitor_tail(m, epsilon, tau, delta) == 2 * found


@pytest.mark.source("S16-rem-monitor")
@pytest.mark.parametrize("epsilon", [0.01, 0.1, 0.4])
@pytest.mark.parametrize("beta", [0.5, 0.05, 1e-6])
def test_the_round_constants_follow(epsilon, beta):
    tau, m, delta = functions.monitor_terms(epsilon, beta)
    runs = ceil(1 / beta)
    most = expected_gap_from_privacy(2 * epsilon, min(1, runs * delta)) + log(
        runs + 1
    ) / (epsilon * m)
    assert most <= 1.5 * epsilon
    assert tau * (1 - (1 - beta) ** runs) > most
    if tau < 1:
        assert functions.monitor_tail(m, epsilon, tau, delta, two_sided=False) < beta
    assert m == ceil(2 * log(2 + 1 / beta) / epsilon**2)
    assert (tau, delta) == (pytest.approx(2.4 * epsilon), epsilon * beta / 4)


def test_sizes_are_the_inverse_of_the_tail():
    m = functions.monitor_sample_size(0.2, 0.05, 0.01, 1e-6)
    assert (
        functions.monitor_tail(m, 0.05, 0.2, 1e-6)
        <= 0.01
        < functions.monitor_tail(m - 1, 0.05, 0.2, 1e-6)
    )
    assert functions.monitor_sample_size(0.2, 0.05, 0.01, 1e-6, two_sided=False) < m


def test_a_tail_says_nothing_where_epsilon_is_too_large():
    assert functions.monitor_tail(10**9, 1.0, 0.2) == 1
    assert functions.monitor_tail(10**9, 0.1, 0.2, 1.0) == 1
    assert functions.monitor_tail(1, 0.0, 0.5) == 1


@pytest.mark.source("S16-rem-monitor")
@pytest.mark.parametrize("eta", [1e-6, 0.5, 2.0, 100.0, 1e4, 1e6])
def test_a_choice_that_only_one_record_can_move_costs_eta_and_not_twice_that(eta):
    """Constant queries: one record of loss 1 in each run moves one of two gaps of 1 to 0."""
    problem = LearningProblem([[0.0, 1.0]])
    law, cases = constant_learner(problem, 0), ((0, 1), (1, 1), (1, 5), (1, 20))
    spent = [
        functions.monitor_privacy(law, problem, [1.0 - p, p], m, eta=eta)
        for p, m in cases
    ]
    assert spent[0] == pytest.approx(eta + log((2 + exp(-eta)) / 3))
    assert spent[1:] == sorted(spent[1:])
    assert spent[-1] <= eta * (1 + 1e-12)
    if eta == 0.5:
        spent.append(
            functions.monitor_privacy(
                constant_learner(problem, 0), problem, [1.0, 0.0], 20, eta=eta
            )
        )
        assert spent[-1] > 0.49


@pytest.mark.source("S16-rem-monitor")
@pytest.mark.parametrize("n_runs", [1, 3, 40])
def test_the_choice_tends_to_the_largest_gap_as_eta_grows(n_runs):
    law = erm_learner(COIN)
    for eta in (50.0, 1e3, 1e4):
        found = functions.monitored_gap(
            law, COIN, [0.5, 0.5], 3, n_runs=n_runs, eta=eta
        )
        assert found.chosen == pytest.approx(found.largest, rel=1e-9)


@pytest.mark.source("S16-rem-monitor")
def test_more_runs_than_floats_can_count_find_the_largest_gap_there_is():
    found = functions.monitored_gap(
        erm_learner(COIN), COIN, [0.5, 0.5], 3, n_runs=10**15, eta=9.0
    )
    gaps, weights = (
        np.array([1 / 2, 1 / 6]),
        np.array([1 / 4, 3 / 4]),
    )  # three equal records, or two
    tilted = weights * np.exp(27 * gaps)
    assert found.largest == pytest.approx(0.5)
    assert found.chosen == pytest.approx(tilted @ gaps / tilted.sum(), rel=1e-9)
