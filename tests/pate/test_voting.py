"""The law of a teacher, and the majority of infinitely many."""

from itertools import product

import numpy as np
import pytest

from privml.hypotheses import Table
from privml.pate import (
    expected_margin,
    high_margin_mass,
    infinite_ensemble,
    teacher_distribution,
)
from privml.populations import TsybakovLine, voting_fails_example, voting_wins_example


def law_by_sequences(problem, n_samples, ties):
    """All ordered samples, one by one."""
    hypotheses, population = problem
    losses, total = population.losses(hypotheses), np.zeros(hypotheses.n_hypotheses)
    for sample in product(range(population.n_points), repeat=n_samples):
        mistakes = losses[:, list(sample)].sum(axis=1)
        best = np.flatnonzero(mistakes == mistakes.min())
        best = best[:1] if ties == "first" else best
        total[best] += population.probabilities[list(sample)].prod() / len(best)
    return total


@pytest.mark.source("LZCW21-def-infinite-ensemble")
@pytest.mark.parametrize("ties", ["uniform", "first"])
@pytest.mark.parametrize("n_samples", [0, 1, 3, 5])
def test_the_law_is_that_of_all_samples(ties, n_samples):
    problem = voting_fails_example(with_centre=True, best_error=0.2)
    law = teacher_distribution(*problem, n_samples, ties=ties)
    assert law == pytest.approx(law_by_sequences(problem, n_samples, ties), abs=1e-12)


def test_draws_estimate_the_law():
    line = TsybakovLine(tau=0.5, n_points=4)
    exact = teacher_distribution(line.hypotheses, line.population, 6)
    drawn = teacher_distribution(
        line.hypotheses, line.population, 6, n_draws=20_000, rng=3
    )
    assert np.abs(drawn - exact).max() < 4 * np.sqrt(0.25 / 20_000)


@pytest.mark.source("LZCW21-ex-1")
@pytest.mark.parametrize("n_samples", [1, 2, 7, 20])
def test_with_uniform_ties_a_teacher_is_uniform_and_the_infinite_ensemble_is_right_on_one_point(
    n_samples,
):
    problem = voting_fails_example()
    law = teacher_distribution(*problem, n_samples)
    assert law == pytest.approx([1 / 3] * 3)
    assert problem.population.error_rates(problem.hypotheses).tolist() == [0.5] * 3
    ensemble = infinite_ensemble(law, problem.hypotheses.predictions)
    assert ensemble.labels[:4].tolist() == [True, False, False, False]
    assert ((~ensemble.labels) @ problem.masses) == 0.75


@pytest.mark.erratum("LZCW21-ex-1/1")
def test_with_ties_to_the_first_one_record_a_teacher_gives_an_ensemble_of_error_one_half():
    problem = voting_fails_example()
    law = teacher_distribution(*problem, 1, ties="first")
    assert law == pytest.approx([0.5, 0.25, 0.25])
    ensemble = infinite_ensemble(law, problem.hypotheses.predictions)
    assert ensemble.labels[:4].tolist() == [True, True, False, False]


@pytest.mark.source("LZCW21-ex-2")
def test_where_voting_wins_the_infinite_ensemble_is_right_everywhere_and_no_hypothesis_is():
    problem = voting_wins_example()
    law = teacher_distribution(*problem, 9)
    assert law == pytest.approx([1 / 3] * 3)
    ensemble = infinite_ensemble(law, problem.hypotheses.predictions)
    assert ensemble.labels.all()
    assert ensemble.margins == pytest.approx([1 / 6] * 3)
    assert problem.population.best(problem.hypotheses).error == pytest.approx(1 / 3)


def test_a_mean_of_one_half_goes_to_one_in_spite_of_rounding():
    table = [[True], [False]]
    assert infinite_ensemble([0.5 - 1e-14, 0.5 + 1e-14], table).labels.all()
    assert not infinite_ensemble([0.5 - 1e-9, 0.5 + 1e-9], table).labels.any()


@pytest.mark.source("LZCW21-eq-4")
def test_the_margin_is_that_of_the_mean_prediction():
    line = TsybakovLine(tau=0.5, n_points=4)
    law = teacher_distribution(line.hypotheses, line.population, 5)
    table = line.hypotheses.predict(line.points)
    means = sum(chance * row for chance, row in zip(law, table, strict=True))
    assert expected_margin(law, table) == pytest.approx(np.abs(means - 0.5))
    assert (
        infinite_ensemble(law, table).labels.tolist() == (line.points >= 0.5).tolist()
    )


@pytest.mark.source("LZCW21-def-17")
@pytest.mark.erratum("LZCW21-def-17/1")
def test_the_mass_of_low_margins_is_a_distribution_function_and_the_printed_condition_is_its_tail():
    margins, masses = np.array([0.0, 0.2, 0.2, 0.5]), np.array([0.1, 0.2, 0.3, 0.4])
    found = high_margin_mass(margins, masses, np.linspace(0, 0.5, 11))
    assert found == pytest.approx([0.1] * 4 + [0.6] * 6 + [1.0])
    stable, unstable = np.full(4, 0.5), np.zeros(4)
    assert high_margin_mass(stable, masses, 0.4) == 0  # passes with nu = 0
    assert 1 - high_margin_mass(stable, masses, 0.4) == pytest.approx(
        1
    )  # as printed: nu = 1
    assert high_margin_mass(unstable, masses, 0.4) == pytest.approx(1)
    assert 1 - high_margin_mass(unstable, masses, 0.4) == pytest.approx(
        0
    )  # as printed: passes


def test_bad_parameters_are_refused():
    problem = voting_fails_example()
    with pytest.raises(ValueError, match="ties must be"):
        teacher_distribution(*problem, 3, ties="last")
    with pytest.raises(ValueError, match="predictions must be a bool matrix of 2 rows"):
        infinite_ensemble([0.5, 0.5], [[True]])
    with pytest.raises(ValueError, match="distribution must be"):
        expected_margin([0.5, 0.6], [[True], [True]])
    with pytest.raises(ValueError, match="masses must be 2 numbers"):
        high_margin_mass([0.1, 0.2], [1.0], 0.1)
    with pytest.raises(ValueError, match="best_error must be at most 1/2"):
        voting_fails_example(best_error=0.6)
    line = TsybakovLine(tau=0.5, n_points=50)
    with pytest.raises(ValueError, match="n_samples must leave at most"):
        teacher_distribution(line.hypotheses, line.population, 30)
    assert isinstance(problem.hypotheses, Table)
