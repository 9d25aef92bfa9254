"""The exact privacy of runs: enumeration, binomial sums, audits, and the inventory's counterexamples."""

import math
from itertools import product

import numpy as np
import pytest

from privml import audit
from privml.bounds.experts import private_eta_dr11
from privml.composition import nonadaptive_range_delta
from privml.divergences import hockey_stick
from privml.learners.experts import (
    action_sequence_distribution,
    log_action_probabilities,
    private_eta,
    run_curves,
)
from privml.learners.experts.runs import (
    _convolved,
    _grid,
    _on_grid,
    _sum,
    _SumDistribution,
)
from privml.mechanisms import ExponentialMechanism

EPSILONS = np.array([0.0, 0.05, 0.3, 1.0, 2.5])


def opposite(rounds, kind=float):
    """The pair whose later rounds are randomised response: losses (0, 1) against (1, 0), then nothing."""
    first, second = np.zeros((rounds, 2), kind), np.zeros((rounds, 2), kind)
    first[0], second[0] = (0, 1), (1, 0)
    return first, second


def enumerated(first, second, eta, epsilon):
    laws = [action_sequence_distribution(losses, eta) for losses in (first, second)]
    return max(
        float(hockey_stick(*laws, epsilon, logs=True)),
        float(hockey_stick(*laws[::-1], epsilon, logs=True)),
    )


@pytest.mark.source("DR11-def-loss-neighbours")
@pytest.mark.erratum("DR11-def-loss-neighbours")
@pytest.mark.parametrize(
    ("rounds", "k", "values"), [(3, 2, [0, 1]), (2, 3, [0, 0.5, 1]), (1, 1, [0, 1])]
)
def test_the_audit_compares_all_pairs_that_differ_in_one_round(rounds, k, values):
    vectors = np.array(list(product(values, repeat=k)))
    seen = []

    def law(losses):
        return seen.append(losses) or action_sequence_distribution(losses, 1.0)

    found = audit.exact(law, vectors, rounds, ordered=True)
    assert len(seen) == len(vectors) ** rounds
    assert found.n_pairs == len(seen) * rounds * (len(vectors) - 1) / 2
    assert (np.diff(found.pair, axis=0) != 0).any(axis=-1).sum() == 1


@pytest.mark.source("DR11-thm-11.2")
def test_the_law_of_sequences_is_the_product_of_the_rounds():
    losses = np.random.default_rng(1).random((4, 3))
    log = log_action_probabilities(losses, 0.9)
    expected = [
        sum(log[t, a] for t, a in enumerate(s)) for s in product(range(3), repeat=4)
    ]
    assert action_sequence_distribution(losses, 0.9).logpmf() == pytest.approx(
        np.array(expected)
    )


@pytest.mark.source("DR11-thm-11.2")
@pytest.mark.parametrize("eta", [0.1, 1.0, 4.0])
@pytest.mark.parametrize("values", [(0, 1), (0, 0.5, 1)])
def test_curves_on_a_grid_are_those_of_all_action_sequences(eta, values):
    rng = np.random.default_rng(2)
    first = rng.choice(values, (6, 3))
    second = first.copy()
    second[1] = rng.permutation(np.linspace(0, 1, 3))
    found = run_curves(first, second, eta)
    assert found.exact
    for epsilon in EPSILONS:
        assert found.delta(epsilon) == pytest.approx(
            enumerated(first, second, eta, epsilon), abs=1e-14
        )


@pytest.mark.source("DR11-thm-11.2")
@pytest.mark.parametrize("change", [0, 2, 5])
def test_two_experts_are_always_exact_and_the_last_round_is_free(change):
    rng = np.random.default_rng(3)
    first = rng.random((6, 2))
    second = first.copy()
    second[change] = rng.random(2)
    found = run_curves(first, second, 2.0)
    assert found.exact
    for epsilon in EPSILONS:
        assert found.delta(epsilon) == pytest.approx(
            enumerated(first, second, 2.0, epsilon), abs=1e-14
        )
    assert (found.delta(0.0) == 0) is (change == 5)


@pytest.mark.source("DR11-thm-11.2")
def test_off_the_grid_the_curve_is_an_upper_bound_that_closes_in():
    rng = np.random.default_rng(4)
    first = rng.random((7, 4))
    second = first.copy()
    second[0] = rng.random(4)
    exact = np.array([enumerated(first, second, 1.0, epsilon) for epsilon in EPSILONS])
    gaps = []
    for resolution in (5, 20, 80):
        found = run_curves(first, second, 1.0, resolution=resolution)
        assert not found.exact
        assert (found.delta(EPSILONS) >= exact - 1e-15).all()
        gaps.append(np.abs(found.delta(EPSILONS) - exact).max())
    assert gaps[2] < 1e-3
    assert gaps[0] / gaps[2] > 30


@pytest.mark.source("DR11-thm-11.2")
@pytest.mark.parametrize("resolution", [3, 7])
def test_the_grid_keeps_both_probabilities_of_every_loss(resolution):
    """Mass and mass times e^-loss, round by round: then the pair before is made from the pair after."""
    rng = np.random.default_rng(11)
    above, law = rng.random((5, 4)), rng.dirichlet(np.ones(4), size=5)
    above[:, 0] = 0.0
    step, exact = _grid(above, resolution)
    table = _on_grid(above, law, step, exact)
    places = step * np.arange(table.shape[1])
    assert not exact
    assert table.sum(axis=1) == pytest.approx(np.ones(5))
    assert (table * np.exp(-places)).sum(axis=1) == pytest.approx(
        (law * np.exp(-above)).sum(axis=1)
    )


@pytest.mark.parametrize("rounds", [2, 5, 200])
def test_what_a_sum_drops_is_counted_as_lost(rounds):
    tiny = 1e-155
    found = _convolved(np.tile([1 - tiny, tiny], (rounds, 1)))
    assert found.masses.sum() == pytest.approx(1)
    kept = found.masses[1] if found.masses.size > 1 else 0.0
    assert found.lost + kept >= rounds * tiny * (1 - 1e-9)
    sure = _convolved(np.tile([0.25, 0.75], (rounds, 1)))
    assert sure.masses.sum() + sure.lost == pytest.approx(1)


def test_what_two_sums_have_dropped_adds_up():
    half = _SumDistribution(0, np.array([0.9]), 0.05)
    assert _sum(half, half).lost == pytest.approx(0.1, rel=1e-12)


@pytest.mark.parametrize("order", [1, -1])
def test_the_epsilon_of_a_run_is_that_of_its_worse_direction(order):
    losses = np.array([[0.0, 1.0, 1.0], [0.0, 0.0, 0.0]])
    curves = run_curves(*(losses, np.zeros_like(losses))[::order], 2.0)
    ends = curves.forth.epsilon(0.05), curves.back.epsilon(0.05)
    assert abs(ends[0] - ends[1]) > 0.1
    assert curves.epsilon(0.05) == max(ends)


@pytest.mark.source("DR11-thm-11.2")
def test_a_rate_for_each_round_and_several_changes():
    rng = np.random.default_rng(5)
    first, second, eta = (
        rng.random((5, 3)),
        rng.random((5, 3)),
        np.array([2.0, 1.0, 0.7, 0.5, 0.4]),
    )
    exact = np.array([enumerated(first, second, eta, epsilon) for epsilon in EPSILONS])
    found = run_curves(first, second, eta, resolution=300).delta(EPSILONS)
    assert (found >= exact - 1e-15).all()
    assert found == pytest.approx(exact, abs=1e-4)


@pytest.mark.source("DR11-thm-11.2")
@pytest.mark.parametrize("epsilon", [0.01, 0.1, 1.0])
def test_the_opposite_pair_is_randomised_response_in_all_rounds_but_the_first(epsilon):
    rounds, eta = 200, 0.02
    honest = 1 / (1 + math.exp(-eta))
    exact = 0.0
    for truths in range(rounds):
        loss = (2 * truths - (rounds - 1)) * eta
        mass = (
            math.comb(rounds - 1, truths)
            * honest**truths
            * (1 - honest) ** (rounds - 1 - truths)
        )
        exact += mass * max(0.0, -math.expm1(epsilon - loss))
    assert run_curves(*opposite(rounds), eta).delta(epsilon) == pytest.approx(
        exact, rel=1e-9
    )


@pytest.mark.source("DR11-thm-11.2")
@pytest.mark.erratum("DR11-thm-11.2")
@pytest.mark.parametrize(
    ("epsilon", "delta", "found"), [(70.0, 0.4, 0.833), (48.5, 0.5, 0.6333)]
)
def test_the_printed_rate_is_not_private_for_very_large_epsilon(epsilon, delta, found):
    rounds = 100_000
    with pytest.raises(ValueError, match="epsilon must be at most 48"):
        private_eta_dr11(epsilon, delta, rounds)
    eta = epsilon / math.sqrt(32 * rounds * math.log(1 / delta))
    exact = run_curves(*opposite(rounds, bool), eta).delta(epsilon)
    assert exact == pytest.approx(found, abs=5e-4)
    assert exact > delta


@pytest.mark.source("DR11-thm-11.2")
@pytest.mark.erratum("DR11-thm-11.2")
@pytest.mark.parametrize(("times", "delta"), [(56, 0.1), (52, 1e-3), (50, 1e-6)])
def test_no_multiple_of_the_logarithm_beyond_48_will_do(times, delta):
    rounds, epsilon = 20_000, times * math.log(1 / delta)
    eta = epsilon / math.sqrt(32 * rounds * math.log(1 / delta))
    assert run_curves(*opposite(rounds, bool), eta).delta(epsilon) > delta
    epsilon = 47.9 * math.log(1 / delta)
    at_limit = run_curves(
        *opposite(rounds, bool), private_eta_dr11(epsilon, delta, rounds)
    )
    assert at_limit.delta(epsilon) <= delta


@pytest.mark.parametrize("eta", [0.05, 0.2])
def test_both_curves_of_a_run_keep_all_of_their_probability(eta):
    """Places that are too rare for one law to be kept are likely under the other."""
    first, second = opposite(20_000, bool)
    curves, swapped = run_curves(first, second, eta), run_curves(second, first, eta)
    for epsilon in (0.0, 1.0, 100.0, 300.0):
        wanted = swapped.forth.delta(epsilon)
        assert curves.back.delta(epsilon) == pytest.approx(wanted, rel=1e-9)


@pytest.mark.source("DR11-thm-11.2")
@pytest.mark.erratum("DR11-thm-11.2/2")
@pytest.mark.parametrize(
    ("delta", "found", "limit"), [(1e-5, 8.9e-91, 5.15), (1e-6, 7.9e-110, 4.99)]
)
def test_the_printed_rate_is_four_to_five_times_too_small(delta, found, limit):
    printed = private_eta(1.0, delta, 1000, method="dr11")
    assert run_curves(*opposite(1000), printed).delta(1.0) == pytest.approx(
        found, rel=0.01
    )
    times = np.array([limit - 0.01, limit + 0.01])
    exact = [run_curves(*opposite(1000), t * printed).delta(1.0) for t in times]
    assert exact[0] < delta < exact[1]
    for method in ("concentrated", "nonadaptive"):
        assert (
            run_curves(
                *opposite(1000), private_eta(1.0, delta, 1000, method=method)
            ).delta(1.0)
            <= delta
        )


@pytest.mark.source("DR11-thm-11.2")
@pytest.mark.parametrize(
    ("k", "rounds", "values"), [(2, 3, (0, 1)), (3, 2, (0, 1)), (2, 2, (0, 0.5, 1))]
)
@pytest.mark.parametrize("eta", [0.2, 1.5])
def test_an_audit_of_all_neighbours_finds_no_more_than_is_promised(
    k, rounds, values, eta
):
    vectors = np.array(list(product(values, repeat=k)))
    found = audit.exact(
        lambda losses: action_sequence_distribution(losses, eta),
        vectors,
        rounds,
        ordered=True,
    )
    steps = rounds - 1
    assert 0.4 * steps * 2 * eta < found.epsilon <= steps * 2 * eta
    for epsilon in (0.0, 0.1, 0.5 * found.epsilon):
        assert found.delta(epsilon) <= nonadaptive_range_delta(
            2 * eta, steps, epsilon
        ) * (1 + 1e-9)

    def law(losses):
        return action_sequence_distribution(np.ascontiguousarray(losses), 3 * eta)

    broken = audit.exact(law, vectors, rounds, ordered=True)
    assert broken.delta(0.0) > nonadaptive_range_delta(2 * eta, steps, 0.0)


@pytest.mark.source("DR11-lem-rwm-exp-mech")
@pytest.mark.parametrize("eta", [0.05, 0.5])
def test_a_round_is_the_exponential_mechanism_of_minus_the_past_losses(eta):
    losses = np.random.default_rng(7).random((5, 4))
    mechanism = ExponentialMechanism(epsilon=2 * eta, sensitivity=1.0)
    past = losses[:4].sum(axis=0)
    row = log_action_probabilities(losses, eta)[4]
    assert row == pytest.approx(mechanism.output_distribution(-past).logpmf())


@pytest.mark.source("DR11-lem-rwm-exp-mech")
@pytest.mark.erratum("DR11-lem-rwm-exp-mech")
def test_the_printed_sign_of_the_score_selects_the_worst_expert():
    past = np.array([3.0, 9.0])
    assert (
        ExponentialMechanism(epsilon=2.0, sensitivity=1.0)
        .output_distribution(past)
        .pmf()[1]
        > 0.99
    )
    assert (
        ExponentialMechanism(epsilon=2.0, sensitivity=1.0)
        .output_distribution(-past)
        .pmf()[0]
        > 0.99
    )


def test_equal_sequences_and_one_round_lose_nothing():
    losses = np.random.default_rng(8).random((4, 3))
    same = run_curves(losses, losses, 1.0)
    assert same.delta(0.0) == 0
    assert same.epsilon(1e-9) == 0
    assert run_curves(losses[:1], 1 - losses[:1], 5.0).delta(0.0) == 0


def test_bad_parameters_are_refused():
    with pytest.raises(
        ValueError, match=r"second must have the shape of first, \(2, 2\)"
    ):
        run_curves(np.zeros((2, 2)), np.zeros((2, 3)), 1.0)
    with pytest.raises(ValueError, match="resolution must be a positive integer"):
        run_curves(*opposite(3), 1.0, resolution=0)
    rng = np.random.default_rng(9)
    with pytest.raises(
        ValueError, match="resolution must keep the grid of the run below"
    ):
        run_curves(rng.random((3000, 3)), rng.random((3000, 3)), 1.0, resolution=100)
    with pytest.raises(ValueError, match="action sequences, but got 10"):
        action_sequence_distribution(np.zeros((6, 10)), 1.0)
