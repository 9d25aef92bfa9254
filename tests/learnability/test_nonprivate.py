"""Proposition 11: in every branch the privacy loss is infinite and the risk nearly unchanged."""

import numpy as np
import pytest

from privml.learnability import (
    LearningProblem,
    break_privacy,
    count_vectors,
    erm_law,
    exponential_law,
    neighbours,
    sample_probabilities,
    uniform_deviation,
)
from privml.learnability.problems import coin_problem, thresholds_problem

DOMINATED = LearningProblem([[0.0, 0.1], [0.5, 0.6]])


def worst_loss(law, n_records, n_samples):
    with np.errstate(divide="ignore", invalid="ignore"):
        table = np.log(law(count_vectors(n_records, n_samples)))
        pairs = neighbours(n_records, n_samples)
        losses = table[pairs[:, 0]] - table[pairs[:, 1]]
    return np.nanmax(np.abs(losses))


def half_used(problem):
    """A private law that never returns the last hypothesis."""
    inner = exponential_law(LearningProblem(problem.losses[:-1]), 1.0)
    return lambda counts: np.hstack([inner(counts), np.zeros((len(counts), 1))])


def uniform(problem):
    return lambda counts: np.full((len(counts), problem.n_hypotheses), 1 / problem.n_hypotheses)


THRESHOLDS = thresholds_problem(3)
CASES = [
    ("mixing", THRESHOLDS, half_used(THRESHOLDS), 3),
    ("mixing", THRESHOLDS, half_used(THRESHOLDS), 6),
    ("conditioning", THRESHOLDS, exponential_law(THRESHOLDS, 1.0), 3),
    ("conditioning", THRESHOLDS, uniform(THRESHOLDS), 2),
    ("erm", THRESHOLDS, exponential_law(THRESHOLDS, 1.0), 4),
    ("erm", coin_problem(), uniform(coin_problem()), 2),
    ("erm with mixing", DOMINATED, exponential_law(DOMINATED, 1.0), 5),
    ("erm with mixing", DOMINATED, exponential_law(DOMINATED, 1.0), 2),
]
EACH = pytest.mark.parametrize(("branch", "problem", "law", "n"), CASES)


@EACH
@pytest.mark.source("WLF16-prop-11")
def test_the_law_is_a_law_and_its_privacy_loss_is_infinite(branch, problem, law, n):
    assert worst_loss(law, problem.n_records, n) <= 1 + 1e-9
    for record in range(problem.n_records):
        broken = break_privacy(problem, law, record)
        assert broken.branch(n) == branch
        table = broken(count_vectors(problem.n_records, n))
        np.testing.assert_allclose(table.sum(axis=1), 1, rtol=1e-12)
        assert table.min() >= 0
        assert worst_loss(broken, problem.n_records, n) == np.inf


@EACH
@pytest.mark.source("WLF16-prop-11")
def test_mixing_and_conditioning_move_mass_at_most_one_over_n_and_only_where_the_record_occurs(
    branch, problem, law, n
):
    counts = count_vectors(problem.n_records, n)
    broken = break_privacy(problem, law, 1)
    reference = erm_law(problem) if branch.startswith("erm") else law
    moved = np.abs(broken(counts) - reference(counts)).sum(axis=1) / 2
    assert moved.max() <= 1 / n + 1e-12
    assert (moved[counts[:, 1] == 0] == 0).all()
    assert (moved[counts[:, 1] > 0] > 0).all() == (branch != "erm")


@EACH
@pytest.mark.source("WLF16-prop-11")
def test_the_expected_excess_risk_stays_within_the_bound_of_the_branch(branch, problem, law, n):
    counts = count_vectors(problem.n_records, n)
    for p in np.random.default_rng(4).dirichlet(np.ones(problem.n_records), size=20):
        weights = sample_probabilities(counts, p)
        excess, before = (
            weights @ table(counts) @ problem.excess_risk(p) for table in (break_privacy(problem, law), law)
        )
        if branch.startswith("erm"):
            mixing = (branch != "erm") / n
            assert excess <= 2 * uniform_deviation(problem, p, n) + mixing + 1e-12
        else:
            assert abs(excess - before) <= 1 / n + 1e-12


@pytest.mark.erratum("WLF16-prop-11")
def test_with_one_hypothesis_every_learner_is_private_and_there_is_nothing_to_break():
    single = LearningProblem([[0.2, 0.4]])
    assert worst_loss(erm_law(single), 2, 3) == 0
    with pytest.raises(ValueError, match="n_hypotheses must be at least 2, got 1"):
        break_privacy(single, erm_law(single))


@pytest.mark.erratum("WLF16-prop-11/2")
def test_minimisation_alone_may_be_constant_hence_private_and_the_rare_hypothesis_depends_on_the_data():
    assert worst_loss(erm_law(DOMINATED), 2, 4) == 0
    problem = LearningProblem(1 - np.eye(4))
    rarest = exponential_law(problem, 1.0)(np.array([[0, 1, 1, 0], [1, 0, 0, 1]])).argmin(axis=1)
    assert rarest.tolist() == [0, 1]
    assert break_privacy(THRESHOLDS, exponential_law(THRESHOLDS, 1.0)).branch(4) == "erm"  # |H| = n


def test_constant_minimisation_is_recognised_by_pure_data_sets():
    rng = np.random.default_rng(9)
    for _ in range(200):
        problem = LearningProblem(rng.integers(0, 3, size=(3, 3)) / 2)
        constant = len(np.unique(erm_law(problem)(count_vectors(3, 4)).argmax(axis=1))) == 1
        assert break_privacy(problem, uniform(problem))._constant_choice() == constant


@pytest.mark.parametrize(
    ("problem", "record", "message"),
    [
        (coin_problem(), 2, r"record must be in \[0, 2\), got 2"),
        (coin_problem(), -1, "record must be a non-negative integer"),
        (LearningProblem([[0.0], [1.0]]), 0, "n_records must be at least 2"),
    ],
)
def test_bad_parameters_are_refused(problem, record, message):
    with pytest.raises(ValueError, match=message):
        break_privacy(problem, uniform(problem), record)


def test_a_number_of_records_that_is_none_is_refused():
    with pytest.raises(ValueError, match="n_samples must be a positive integer"):
        break_privacy(coin_problem(), uniform(coin_problem())).branch(0)
