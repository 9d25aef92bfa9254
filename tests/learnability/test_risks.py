"""AERM gaps, excess risks and the chain between them, against sums over all ordered samples."""

from itertools import product

import numpy as np
import pytest

from privml.learnability import (
    count_vectors,
    erm_learner,
    excess_empirical_risks,
    expected_excess_risk,
    expected_risks,
    exponential_learner,
    generalisation_gap,
    mean_excess_empirical_risk,
    on_average_stability,
    replace_one_stability,
    simplex_grid,
    worst_distribution,
    worst_excess_empirical_risk,
)
from privml.learnability.risks import loss_changes
from privml.learnability.stability import neighbourhood
from tests.learnability.problems import COIN, RANDOM, every_law, every_problem
from tests.refusals import refused


def distribution(problem, seed=1):
    return np.random.default_rng(seed).dirichlet(np.ones(problem.n_records))


def by_sequences(law, problem, p, n):
    """Risk, empirical risk, least empirical risk, mean change and its size, from all ordered samples."""
    risk = empirical = least = change = size = 0.0
    for sample in product(range(problem.n_records), repeat=n):
        weight = np.prod(p[list(sample)])
        counts = np.bincount(sample, minlength=problem.n_records)
        output, means = (
            law(counts[None])[0],
            problem.losses[:, list(sample)].mean(axis=1),
        )
        risk += weight * output @ (problem.losses @ p)
        empirical += weight * output @ means
        least += weight * means.min()
        for i, fresh in product(range(n), range(problem.n_records)):
            other = counts.copy()
            other[sample[i]] -= 1
            other[fresh] += 1
            step = (output - law(other[None])[0]) @ problem.losses[:, fresh]
            change += weight * p[fresh] / n * step
            size += weight * p[fresh] / n * abs(step)
    return risk, empirical, least, change, size


@pytest.mark.source("WLF16-def-consistency", "WLF16-thm-35")
@every_law
@every_problem
def test_expectations_agree_with_sums_over_all_ordered_samples(make, problem):
    law, p, n = make(problem), distribution(problem), 3
    risk, empirical, least, change, size = by_sequences(law, problem, p, n)
    found = expected_risks(law, problem, p, n)
    assert found == pytest.approx(
        (risk, empirical, problem.losses.dot(p).min(), least), abs=1e-13
    )
    assert on_average_stability(law, problem, p, n) == pytest.approx(change, abs=1e-13)
    weights, changes = loss_changes(
        neighbourhood(law, problem.n_records, n), problem, p
    )
    assert weights @ np.abs(changes) == pytest.approx(size, abs=1e-13)
    assert generalisation_gap(law, problem, p, n) == pytest.approx(
        risk - empirical, abs=1e-13
    )
    assert expected_excess_risk(law, problem, p, n) == pytest.approx(
        risk - (problem.losses @ p).min()
    )
    assert mean_excess_empirical_risk(law, problem, p, n) == pytest.approx(
        empirical - least, abs=1e-13
    )


@pytest.mark.source("WLF16-def-5")
@every_law
@every_problem
def test_the_always_gap_is_the_largest_gap_and_at_least_every_expected_one(
    make, problem
):
    law, n = make(problem), 4
    always = worst_excess_empirical_risk(law, problem, n)
    counts = count_vectors(problem.n_records, n)
    direct = max(
        law(row[None])[0] @ problem.excess_empirical_risk(row) for row in counts
    )
    assert always.value == pytest.approx(direct, abs=1e-14)
    assert excess_empirical_risks(law, problem, always.counts[None])[0] == always.value
    grid = simplex_grid(problem.n_records, 4)
    assert (
        mean_excess_empirical_risk(law, problem, grid, n).max() <= always.value + 1e-14
    )
    if make is erm_learner:
        assert always.value == pytest.approx(0, abs=1e-12)


def test_the_worst_distribution_is_the_worst_of_the_grid():
    law = exponential_learner(RANDOM, 1.0)
    found = worst_distribution(expected_excess_risk, law, RANDOM, 3, steps=5)
    values = [expected_excess_risk(law, RANDOM, p, 3) for p in simplex_grid(3, 5)]
    assert found.value == pytest.approx(max(values), rel=1e-13)
    assert expected_excess_risk(law, RANDOM, found.probabilities, 3) == pytest.approx(
        found.value
    )


def test_blocks_of_distributions_do_not_change_the_result(monkeypatch):
    from privml.learnability import risks, stability

    law, grid = exponential_learner(RANDOM, 1.0), simplex_grid(3, 6)
    whole = (
        expected_excess_risk(law, RANDOM, grid, 4),
        replace_one_stability(law, RANDOM, 4),
    )
    monkeypatch.setattr(risks, "_BLOCK_ENTRIES", 100)
    monkeypatch.setattr(stability, "_BLOCK_ENTRIES", 10)
    np.testing.assert_allclose(
        expected_excess_risk(law, RANDOM, grid, 4), whole[0], rtol=1e-13
    )
    again = replace_one_stability(law, RANDOM, 4)
    assert (again.value, again.record) == (whole[1].value, whole[1].record)
    assert again.first.tolist() == whole[1].first.tolist()


test_bad_input_is_refused_with_a_reason = refused(
    (lambda: expected_excess_risk(erm_learner(COIN), COIN, [0.5, 0.6], 3), "sum 1"),
    (lambda: on_average_stability(erm_learner(COIN), COIN, [0.5, 0.6], 3), "sum 1"),
    (
        lambda: on_average_stability(erm_learner(COIN), COIN, [[0.5, 0.5]], 3),
        "one distribution",
    ),
    (lambda: simplex_grid(2, 0), "steps must be a positive integer"),
    (lambda: simplex_grid(12, 12), "at most 500000 multisets .* got 1352078"),
    (lambda: excess_empirical_risks(erm_learner(COIN), COIN, [[0, 0]]), "at least one"),
)
