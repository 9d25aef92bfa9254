"""Exact deviation probabilities against enumeration of all ordered samples, and against the theorem."""

from functools import partial
from itertools import product
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privml import pac
from privml.bounds import (
    required_sample_size,
    uniform_convergence_failure,
    uniform_convergence_radius,
)
from privml.hypotheses import Table, Thresholds, boolean_cube
from privml.populations import FinitePopulation

POPULATION = FinitePopulation([0, 1, 2], [True, False, True], [0.2, 0.3, 0.5])
ALL_OF_THREE = Table(boolean_cube(3))


def ordered_samples(population, size):
    for sample in product(range(population.n_points), repeat=size):
        sample = list(sample)
        yield (
            np.prod(population.probabilities[sample]),
            population.X[sample],
            population.y[sample],
        )


@pytest.mark.source("L4-lem-error-count-binomial")
@pytest.mark.parametrize("size", range(1, 7))
def test_the_number_of_mistakes_is_binomial(size):
    """Against all |universe|^m samples."""
    by_enumeration = np.zeros((8, size + 1))
    for weight, X, y in ordered_samples(POPULATION, size):
        by_enumeration[np.arange(8), ALL_OF_THREE.mistakes(X, y)] += weight
    for index, error in enumerate(POPULATION.error_rates(ALL_OF_THREE)):
        law = pac.mistake_count_distribution(error, size)
        np.testing.assert_allclose(law, by_enumeration[index], rtol=1e-12, atol=1e-15)


@pytest.mark.source("L4-lem-error-count-binomial")
@pytest.mark.parametrize("error_rate", [0.0, 1e-9, 0.3, 0.5, 1.0])
@pytest.mark.parametrize("n_samples", [0, 1, 17, 1000])
def test_the_law_of_the_mistakes_has_the_mass_mean_and_terms_of_a_binomial(
    error_rate, n_samples
):
    law = pac.mistake_count_distribution(error_rate, n_samples)
    assert law.shape == (n_samples + 1,)
    assert law.sum() == pytest.approx(1, abs=1e-11)
    assert law @ np.arange(n_samples + 1) == pytest.approx(
        n_samples * error_rate, rel=1e-10, abs=1e-12
    )
    if n_samples <= 17:
        n, p = n_samples, error_rate
        terms = [comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1)]
        np.testing.assert_allclose(law, terms, rtol=1e-11, atol=1e-300)


@pytest.mark.parametrize(
    ("n_points", "size"), [(1, 0), (1, 5), (2, 7), (3, 6), (5, 3), (7, 1), (40, 2)]
)
def test_the_samples_up_to_order_are_all_there_once(n_points, size):
    total = comb(size + n_points - 1, size)
    counts = pac._count_vectors(n_points, size, np.arange(total))
    assert (counts >= 0).all()
    assert (counts.sum(axis=1) == size).all()
    assert len({tuple(row) for row in counts.tolist()}) == total


@pytest.mark.parametrize("n_samples", [1, 2, 25, 300])
@pytest.mark.parametrize("entries", [50, 1 << 21])
def test_the_probabilities_of_all_samples_sum_to_one_whatever_the_block_size(
    n_samples, entries, monkeypatch
):
    monkeypatch.setattr(
        pac, "_BLOCK_ENTRIES", entries if n_samples < 100 else max(entries, 5000)
    )
    kinds = pac.merged_points(ALL_OF_THREE, POPULATION)
    total, mean = 0.0, np.zeros(8)
    for weights, mistakes in pac.samples(kinds, n_samples):
        assert mistakes.dtype == np.int64
        total += weights.sum()
        mean += weights @ mistakes
    assert total == pytest.approx(1, abs=1e-11)
    np.testing.assert_allclose(
        mean, n_samples * POPULATION.error_rates(ALL_OF_THREE), rtol=1e-11
    )


def test_points_with_the_same_mistakes_are_merged_and_impossible_points_left_out():
    X, y = [0, 1, 2, 3, 4], [False, False, True, True, True]
    population = FinitePopulation(X, y, [0.125, 0.25, 0.5, 0.125, 0.0])
    kinds = pac.merged_points(Thresholds([1.5, 2.5]), population)
    assert sorted(kinds.probabilities.tolist()) == [
        0.5,
        0.5,
    ]  # {0, 1, 3} fool nobody, 2 fools one
    assert kinds.losses.shape == (2, 2)


def small_cases(test):
    """A test at classes and populations on three points, sizes of samples and deviations."""
    case = given(
        chosen=st.sets(st.integers(0, 7), min_size=1),
        weights=st.lists(st.integers(1, 9), min_size=6, max_size=6),
        size=st.integers(1, 4),
        alpha=st.floats(0, 0.6),
    )
    return settings(max_examples=30, deadline=None)(case(test))


@small_cases
def test_the_uniform_deviation_probability_equals_a_sum_over_ordered_samples(
    chosen, weights, size, alpha
):
    hypotheses = Table(boolean_cube(3)[sorted(chosen)])
    law = np.array(weights) / sum(weights)
    population = FinitePopulation([0, 1, 2] * 2, [True] * 3 + [False] * 3, law)
    errors = population.error_rates(hypotheses)
    expected = 0.0
    for weight, X, y in ordered_samples(population, size):
        expected += weight * (
            np.abs(hypotheses.mistakes(X, y) / size - errors).max() > alpha + pac.SLACK
        )
    exact = pac.uniform_deviation_probability(hypotheses, population, size, alpha)
    assert exact == pytest.approx(expected, abs=1e-12)


def test_a_deviation_that_equals_alpha_up_to_rounding_is_no_deviation():
    fair = FinitePopulation([0, 0], [False, True], [0.3, 0.7])
    constant = Table([[True]])  # with n = 10, k mistakes: the gap is |k - 3| / 10
    law = pac.mistake_count_distribution(0.3, 10)
    for steps in (1, 2, 3):
        outside = law[np.abs(np.arange(11) - 3) > steps].sum()
        exact = pac.uniform_deviation_probability(constant, fair, 10, steps / 10)
        assert exact == pytest.approx(outside, rel=1e-11)


@pytest.mark.source("L4-thm-uniform-convergence")
@pytest.mark.parametrize("constant", ["hoeffding", "lecture"])
@pytest.mark.parametrize(("alpha", "beta"), [(0.5, 0.5), (0.4, 0.1), (0.25, 0.3)])
@pytest.mark.parametrize("law", [(0.2, 0.3, 0.5), (0.5, 0.5, 0.0), (0.01, 0.01, 0.98)])
def test_at_the_promised_sample_size_the_exact_deviation_probability_is_at_most_beta(
    constant, alpha, beta, law
):
    population = FinitePopulation([0, 1, 2], [True, False, True], law)
    for hypotheses in (
        ALL_OF_THREE,
        Thresholds([0.5, 1.5]),
        Table([[False] * 3, [True] * 3]),
    ):
        radius = partial(
            uniform_convergence_radius,
            hypotheses.n_hypotheses,
            beta=beta,
            constant=constant,
        )
        n_samples = required_sample_size(radius, alpha)
        assert (
            pac.uniform_deviation_probability(hypotheses, population, n_samples, alpha)
            <= beta
        )


@pytest.mark.source("L4-thm-uniform-convergence")
@pytest.mark.parametrize("constant", ["hoeffding", "lecture"])
def test_the_union_bound_lies_above_the_exact_probability_at_every_sample_size_and_is_not_vacuous(
    constant,
):
    below_one = 0
    for n_samples in range(1, 61):
        for alpha in (0.1, 0.3, 0.5):
            exact = pac.uniform_deviation_probability(
                ALL_OF_THREE, POPULATION, n_samples, alpha
            )
            bound = uniform_convergence_failure(8, n_samples, alpha, constant=constant)
            assert exact <= bound
            below_one += bound < 1
    assert below_one > 0


def test_too_many_samples_say_how_many_and_what_to_do():
    population = FinitePopulation(range(5), [True] * 5, [0.2] * 5)
    rule = rf"at most {pac.MOST_COUNT_VECTORS} .* got {comb(774, 4)} for n_samples=770 .* Use fewer records"
    with pytest.raises(ValueError, match=rule):
        pac.uniform_deviation_probability(Table(boolean_cube(5)), population, 770, 0.1)
