"""A finite learning problem: risks, the problems on a grid, data sets as counts, neighbours and cliques."""

from math import comb

import numpy as np
import pytest

from privml.adjacency import multisets, replacement_pairs
from privml.hypotheses import Thresholds
from privml.learnability import (
    LearningProblem,
    coin_problem,
    count_vector_rows,
    count_vectors,
    finite_subsets_problem,
    neighbour_cliques,
    neighbours,
    sample_probabilities,
    thresholds_problem,
)
from privml.populations import FinitePopulation
from tests.refusals import refused


@pytest.fixture
def problem(rng=7):
    return LearningProblem(np.random.default_rng(rng).random((4, 3)))


LAW = np.array([0.2, 0.5, 0.3])


@pytest.mark.source("WLF16-def-setting")
def test_the_empirical_risk_is_unbiased_and_its_minimum_is_too_low(problem):
    counts = count_vectors(3, 5)
    weights = sample_probabilities(counts, LAW)
    np.testing.assert_allclose(
        weights @ problem.empirical_risk(counts), problem.risk(LAW), rtol=1e-13
    )
    assert weights @ problem.best_empirical_risk(counts) < problem.best_risk(LAW)


def test_the_empirical_risk_is_the_mean_loss_over_the_records(problem):
    means = problem.losses[:, multisets(3, 4)].mean(axis=2).T
    np.testing.assert_allclose(
        problem.empirical_risk(count_vectors(3, 4)), means, rtol=1e-14
    )


def test_excess_risks_are_distances_to_the_least_risk(problem):
    np.testing.assert_allclose(
        problem.excess_risk(LAW), problem.losses @ LAW - min(problem.losses @ LAW)
    )
    counts = count_vectors(3, 2)
    excess = problem.excess_empirical_risk(counts)
    assert (excess.min(axis=1) == 0).all()
    assert (excess <= problem.empirical_risk(counts)).all()


def test_a_class_becomes_a_problem_whose_risk_is_its_error_rate():
    points, classes = np.arange(3.0), Thresholds([-0.5, 0.5, 1.5, 2.5])
    problem = LearningProblem.of_class(classes, points)
    law = np.array([0.1, 0.2, 0.1, 0.3, 0.1, 0.2])
    population = FinitePopulation(np.tile(points, 2), np.repeat([False, True], 3), law)
    np.testing.assert_allclose(
        problem.risk(law), population.error_rates(classes), rtol=1e-14
    )
    assert problem.records.tolist() == [[0, 0], [1, 0], [2, 0], [0, 1], [1, 1], [2, 1]]


def test_count_vectors_count_the_multisets_in_their_order():
    counts, rows = count_vectors(4, 3), multisets(4, 3)
    assert len(counts) == comb(6, 3)
    assert all(
        (np.bincount(row, minlength=4) == c).all()
        for row, c in zip(rows, counts, strict=True)
    )


@pytest.mark.source("WLF16-eq-3")
@pytest.mark.parametrize(
    ("n_records", "n_samples"), [(1, 3), (2, 1), (2, 7), (4, 1), (5, 4), (6, 3)]
)
def test_neighbours_from_what_they_share_are_those_of_the_auditor_in_its_order(
    n_records, n_samples
):
    expected = replacement_pairs(multisets(n_records, n_samples))
    assert neighbours(n_records, n_samples).tolist() == expected.tolist()


def test_sample_probabilities_are_a_law_and_agree_with_all_sequences():
    counts = count_vectors(2, 6)
    law = [comb(6, k) * 0.3**k * 0.7 ** (6 - k) for k in range(6, -1, -1)]
    np.testing.assert_allclose(sample_probabilities(counts, [0.3, 0.7]), law)
    many = sample_probabilities(counts, [[0.0, 1.0], [0.5, 0.5]])
    np.testing.assert_allclose(many.sum(axis=1), 1, rtol=1e-13)
    assert many[0, -1] == 1


test_bad_input_is_refused_with_a_reason = refused(
    (
        lambda: LearningProblem([[0.5, 1.1]]),
        "in \\[0, 1\\], but got np.float64\\(1.1\\) for hypothesis 0 and record 1",
    ),
    (lambda: LearningProblem([[np.nan]]), "losses must be in \\[0, 1\\]"),
    (lambda: LearningProblem([0.5]), "table"),
    (lambda: LearningProblem([[0.5]], records=[1, 2]), "records must name all 1"),
    (lambda: LearningProblem([[0.5, 0.1]]).risk([0.5, 0.6]), "sum 1"),
    (lambda: LearningProblem([[0.5, 0.1]]).risk([1.0]), "2 columns"),
    (lambda: LearningProblem([[0.5, 0.1]]).risk([np.nan, 1.0]), "non-negative"),
    (lambda: LearningProblem([[0.5, 0.1]]).empirical_risk([[0, 0]]), "at least one"),
    (lambda: LearningProblem([[0.5, 0.1]]).empirical_risk([[2, -1]]), "non-negative"),
    (lambda: LearningProblem([[0.5, 0.1]]).empirical_risk([[0.5, 0.5]]), "integers"),
    (
        lambda: count_vectors(20, 20),
        "at most 500000 multisets to be enumerated, but got 68923264410",
    ),
    (lambda: sample_probabilities([[1, 1]], [0.2, 0.3, 0.5]), "fit"),
    (lambda: sample_probabilities([[1, 1]], [-0.5, 1.5]), "non-negative"),
)


def test_the_losses_cannot_be_changed(problem):
    with pytest.raises(ValueError, match="read-only"):
        problem.losses[0, 0] = 1


@pytest.mark.source("WLF16-prop-12")
def test_thresholds_err_where_the_label_is_not_whether_the_point_reaches_the_cut():
    problem = thresholds_problem(5)
    x, y = problem.records.T
    assert (problem.losses == ((x >= problem.hypotheses[:, None]) != (y == 1))).all()
    assert problem.losses.shape == (6, 10)
    assert len(np.unique(problem.losses, axis=0)) == 6


@pytest.mark.source("WLF16-ex-16")
def test_subsets_lose_what_they_do_not_contain_and_cover_any_sample_that_is_small_enough():
    problem = finite_subsets_problem(4, 2)
    assert problem.n_hypotheses == 1 + 4 + 6
    assert (problem.losses.sum(axis=1) == 4 - problem.hypotheses.sum(axis=1)).all()
    assert problem.best_empirical_risk(count_vectors(4, 2)).max() == 0
    assert problem.best_empirical_risk([[1, 1, 1, 0]]) == pytest.approx(1 / 3)
    assert finite_subsets_problem(3, 3).n_hypotheses == 8
    assert finite_subsets_problem(3, 0).losses.tolist() == [[1, 1, 1]]


def test_the_coin_is_guessed_right_or_wrong():
    assert coin_problem().risk([0.3, 0.7]).tolist() == [0.7, 0.3]


test_bad_parameters_are_refused = refused(
    (
        lambda: thresholds_problem(5000),
        "at most 5000000 entries, but got 5001 hypotheses times 10000",
    ),
    (
        lambda: finite_subsets_problem(3, 4),
        "largest must be at most n_points = 3, but got 4",
    ),
    (lambda: finite_subsets_problem(40, 20), "at most 5000000 entries"),
)


@pytest.mark.parametrize(
    ("n_records", "n_samples"), [(1, 3), (2, 1), (3, 4), (5, 3), (12, 2)]
)
def test_every_count_vector_is_found_where_it_stands(n_records, n_samples):
    counts = count_vectors(n_records, n_samples)
    shuffled = np.random.default_rng(0).permutation(len(counts))
    np.testing.assert_array_equal(count_vector_rows(counts[shuffled]), shuffled)


@pytest.mark.source("WLF16-eq-3")
@pytest.mark.parametrize(("n_records", "n_samples"), [(2, 1), (3, 4), (5, 3)])
def test_neighbours_are_the_pairs_within_cliques(n_records, n_samples):
    counts = count_vectors(n_records, n_samples)
    pairs = {
        (i, j)
        for row in neighbour_cliques(n_records, n_samples)
        for i in row
        for j in row
        if i < j
    }
    distances = np.abs(counts[:, None] - counts[None]).sum(axis=2)
    assert pairs == {(i, j) for i, j in np.argwhere(distances == 2) if i < j}
    assert pairs == set(map(tuple, neighbours(n_records, n_samples)))


@pytest.mark.parametrize("counts", [[[1, 2], [1, 1]], [[-1, 3]], [[0.5, 0.5]], [1, 2]])
def test_what_is_no_table_of_counts_is_refused(counts):
    with pytest.raises(ValueError, match="counts must"):
        count_vector_rows(np.array(counts))
