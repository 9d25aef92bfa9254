"""Finite populations: exact errors, samples, label noise and bad input."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privml import populations
from privml.hypotheses import Table, Thresholds, base, boolean_cube
from privml.queries import empirical_error
from tests.refusals import refused

THRESHOLDS = Thresholds([0.5, 1.5, 2.5])
POPULATION = populations.FinitePopulation(
    [0, 1, 2], [True, False, True], [0.2, 0.3, 0.5]
)


def averages_over_samples(population, hypotheses, size):
    """Mean empirical error of each hypothesis, over all samples of the given size."""
    total = np.zeros(hypotheses.n_hypotheses)
    for sample in product(range(population.n_points), repeat=size):
        weight = np.prod(population.probabilities[list(sample)])
        total += weight * empirical_error(
            hypotheses, population.X[list(sample)], population.y[list(sample)]
        )
    return total


@pytest.mark.source("L4-def-true-error", "DR11-def-11.2")
@pytest.mark.parametrize("size", [1, 2, 3])
def test_the_true_error_is_the_mean_empirical_error(size):
    expected = averages_over_samples(POPULATION, THRESHOLDS, size)
    np.testing.assert_allclose(POPULATION.error_rates(THRESHOLDS), expected, rtol=1e-13)


@pytest.mark.source("L4-def-empirical-error", "DR11-def-11.2")
def test_the_empirical_error_is_the_true_error_of_the_empirical_distribution():
    rng = np.random.default_rng(3)
    X, y = rng.integers(0, 4, size=37), rng.random(37) < 0.5
    population = populations.FinitePopulation(X, y, np.full(37, 1 / 37))
    for index, cut in enumerate([0.5, 1.5, 2.5]):
        by_hand = (
            sum(bool(x >= cut) != label for x, label in zip(X, y.tolist(), strict=True))
            / 37
        )
        assert empirical_error(THRESHOLDS, X, y)[index] == by_hand
        assert population.error_rates(THRESHOLDS)[index] == pytest.approx(
            by_hand, abs=1e-14
        )


@pytest.mark.source("L4-def-empirical-error")
def test_the_empirical_error_moves_by_exactly_one_over_n_when_one_record_is_replaced():
    records = [(x, label) for x in range(3) for label in (False, True)]
    largest = 0.0
    for sample in product(range(6), repeat=3):
        for replacement in range(6):
            pair = [
                np.array([records[i] for i in z])
                for z in (sample, (replacement, *sample[1:]))
            ]
            errors = [
                empirical_error(THRESHOLDS, z[:, 0], z[:, 1].astype(bool)) for z in pair
            ]
            largest = max(largest, np.abs(errors[0] - errors[1]).max())
    assert largest == pytest.approx(1 / 3, abs=1e-15)


@pytest.mark.source("L4-def-setup", "DR11-def-11.1")
def test_a_population_is_realizable_exactly_when_some_hypothesis_has_error_zero():
    cube = boolean_cube(3)
    for chosen in range(1, 8):
        hypotheses = Table(cube[:chosen])
        for target in cube:
            best = populations.FinitePopulation(range(3), target, [0.2, 0.3, 0.5]).best(
                hypotheses
            )
            in_class = any((row == target).all() for row in cube[:chosen])
            assert (best.error == 0) == in_class
            if in_class:
                assert (hypotheses.predictions[best.index] == target).all()


@pytest.mark.source("L4-def-agnostic")
@settings(deadline=None)
@given(rate=st.floats(0, 0.499), target=st.integers(0, 2))
def test_label_noise_makes_the_least_error_the_noise_rate_and_keeps_the_best_hypothesis(
    rate, target
):
    labels = THRESHOLDS.predict([0, 1, 2, 3])[target]
    clean = populations.FinitePopulation(range(4), labels, [0.1, 0.2, 0.3, 0.4])
    noisy = clean.with_label_noise(rate)
    index, error = noisy.best(THRESHOLDS)
    assert error == pytest.approx(rate, abs=1e-12)
    assert index == target
    expected = clean.error_rates(THRESHOLDS) * (1 - 2 * rate) + rate
    np.testing.assert_allclose(noisy.error_rates(THRESHOLDS), expected, atol=1e-14)
    assert noisy.n_points == 8


@pytest.mark.source("L4-def-setup")
def test_samples_follow_the_population():
    n_samples = 20_000
    X, y = POPULATION.sample(n_samples, rng=5)
    for x, label, probability in zip(
        POPULATION.X, POPULATION.y, POPULATION.probabilities, strict=True
    ):
        share = np.mean((x == X) & (y == label))
        assert abs(share - probability) < 5 * np.sqrt(
            probability * (1 - probability) / n_samples
        )
    assert POPULATION.sample(0, rng=5)[0].shape == (0,)
    np.testing.assert_array_equal(X, POPULATION.sample(n_samples, rng=5)[0])


def test_instances_may_have_features():
    population = populations.FinitePopulation(boolean_cube(2), [True] * 4, [0.25] * 4)
    X, y = population.sample(7, rng=0)
    assert X.shape == (7, 2)
    assert y.shape == (7,)
    assert population.with_label_noise(0.1).X.shape == (8, 2)


def test_equal_errors_are_ties_even_when_sums_round_differently():
    probabilities = [0.1, 0.2, 0.3, 0.4]
    wrong_on = np.array(
        [[True, True, False, False], [False, False, True, False]]
    )  # 0.1 + 0.2 against 0.3
    population = populations.FinitePopulation(range(4), [False] * 4, probabilities)
    assert population.best(Table(wrong_on)).index == 0
    assert population.best(Table(wrong_on[::-1])).index == 0


def test_what_a_population_stores_cannot_be_changed():
    for array in (POPULATION.X, POPULATION.y, POPULATION.probabilities):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0


test_what_is_no_population_is_refused = refused(
    ([], [], [], "X must hold at least one point"),
    (3, True, 1.0, "X must hold at least one point"),
    ([0, 1], [True], [0.5, 0.5], "y must be a vector of 2 bools"),
    ([0, 1], [1, 0], [0.5, 0.5], "y must be a vector of 2 bools"),
    ([0, 1], [True, False], [1.0], "probabilities must be 2 numbers"),
    ([0, 1], [True, False], [0.5, 0.6], "and sum to 1, but got the sum 1.1"),
    ([0, 1], [True, False], [1.5, -0.5], "probabilities must be non-negative"),
    ([0, 1], [True, False], ["a", "b"], "probabilities must be an array of numbers"),
    call=populations.FinitePopulation,
)


def test_probabilities_that_nearly_sum_to_one_are_made_to_and_others_are_refused():
    law = populations.FinitePopulation(
        [0, 1], [True, False], [0.3, 0.7 + 5e-10]
    ).probabilities
    assert law.sum() == pytest.approx(1, abs=1e-15)
    for probabilities in ([0.3, 0.701], [0.3, 0.3, 0.4]):
        with pytest.raises(ValueError, match="probabilities must"):
            populations.FinitePopulation([0, 1], [True, False], probabilities)


def test_a_population_is_a_copy_and_leaves_the_arrays_that_it_was_given_alone():
    X, y, law = np.array([0.0, 1.0]), np.array([True, False]), np.array([0.5, 0.5])
    population = populations.FinitePopulation(X, y, law)
    X[0], y[0], law[0] = 9.0, False, 0.9
    assert (population.X[0], population.y[0], population.probabilities[0]) == (
        0.0,
        True,
        0.5,
    )


def test_samples_repeat_with_their_seed_and_differ_with_another():
    first, again, other = (
        POPULATION.sample(200, rng=seed)[0].tolist() for seed in (1, 1, 2)
    )
    assert first == again != other


def test_losses_and_errors_agree_with_the_predictions_whatever_the_blocks(monkeypatch):
    wrong = THRESHOLDS.predict(POPULATION.X) != POPULATION.y
    assert POPULATION.losses(THRESHOLDS).tolist() == wrong.tolist()
    monkeypatch.setattr(base, "BLOCK_BYTES", 1)  # a row at a time
    np.testing.assert_allclose(
        POPULATION.error_rates(THRESHOLDS), wrong @ POPULATION.probabilities
    )


test_what_is_outside_of_its_range_is_refused = refused(
    (lambda: POPULATION.with_label_noise(1.1), "rate must be"),
    (lambda: POPULATION.sample(2.0, rng=0), "n_samples must be a non-negative integer"),
    (
        lambda: populations.TsybakovLine(tau=0.5, n_points=4, scale=1.5),
        "scale must be in",
    ),
    (lambda: populations.TsybakovLine(tau=0.0, n_points=4), "tau must be in"),
    (
        lambda: populations.regression_population([0], [1.0], [-0.1]),
        "regression must be in the interval",
    ),
    (
        lambda: populations.voting_fails_example(best_error=0.55),
        "best_error must be at most 1/2",
    ),
    (lambda: populations.agnostic_line(4, 0.1), "n_points must be a multiple of 3"),
    (lambda: populations.agnostic_line(3, 0.6), "gap at most 1/2"),
)


def test_an_instance_without_mass_has_no_margin_and_any_exponent_zero_holds_with_one():
    population = populations.regression_population(
        [0, 1, 2], [0.5, 0.5, 0.0], [0.25, 1.0, 0.5]
    )
    margins, masses = populations.noise_margins(population)
    assert (sorted(margins), masses.tolist()) == ([0.25, 0.5], [0.5, 0.5])
    assert populations.tsybakov_constant(population, 0) == 1.0


def test_errors_that_differ_by_rounding_only_are_a_tie_without_a_bernstein_constant():
    masses = np.array([0.1, 0.2, 0.3, 0.4])  # 0.1 + 0.2 is not 0.3 in floats
    population = populations.FinitePopulation(
        np.arange(4), np.ones(4, dtype=bool), masses
    )
    rows = [[False, False, True, True], [True, True, False, True]]
    for tied in (rows, rows[::-1]):
        assert populations.bernstein_constant(Table(tied), population, 0.5) == np.inf


@pytest.mark.parametrize("tau", [0.2, 0.5, 0.9, 1.0])
def test_labels_of_a_line_get_surer_the_farther_they_are_from_the_middle(tau):
    regression = populations.TsybakovLine(tau=tau, n_points=8, scale=0.7).regression
    assert (np.diff(regression) >= 0).all()
    np.testing.assert_allclose(regression + regression[::-1], 1)
    assert regression[-1] == pytest.approx(0.85)


def test_the_examples_of_votes_have_the_errors_that_are_told():
    for error in (0.25, 0.5):
        hypotheses, population = populations.voting_fails_example(
            with_centre=True, best_error=error
        )
        np.testing.assert_allclose(
            population.error_rates(hypotheses), [error] * 3 + [1.5 * error]
        )
    hypotheses, population = populations.voting_wins_example()
    np.testing.assert_allclose(population.error_rates(hypotheses), [1 / 3] * 3)
    assert (hypotheses.predictions.sum(axis=0) >= 2).all()


@pytest.mark.parametrize(("mass", "margin"), [(0.5, 0.25), (1.0, 0.5), (0.1, 0.01)])
def test_of_the_pair_the_second_is_better_by_twice_the_margin_on_its_mass(mass, margin):
    population = populations.regression_population(
        [0, 1], [mass, 1 - mass], [0.5 + margin, 1.0]
    )
    worse, better = population.error_rates(Table([[False, True], [True, True]]))
    assert worse - better == pytest.approx(2 * margin * mass)
    assert better == pytest.approx(mass * (0.5 - margin))
