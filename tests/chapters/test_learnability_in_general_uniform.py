"""Uniform convergence, and Proposition 11: no problem is learnable only privately.

Deviation and optimism are compared with sums over ordered samples; in every branch of the proof the privacy
loss is infinite and the risk nearly unchanged.
"""

from math import exp, inf, log

import numpy as np
import pytest

from book.tools.chapter_code import chapter_module
from privml import learnability
from privml.adjacency import sequences
from privml.composition import no_repeat_probability
from privml.datasets import load_breast_cancer
from privml.learnability import exponential_learner, rows, worst_excess_empirical_risk
from tests.chapters import learnability_in_general_functions as functions
from tests.chapters.checkers import checkers, several

chapter = chapter_module("learnability-in-general")
LAW = np.array([0.2, 0.5, 0.3])


def optimism(problem, probabilities, n_samples):
    """How far the expected least empirical risk lies below the least risk."""
    found = learnability.expected_risks(
        learnability.erm_learner(problem), problem, probabilities, n_samples
    )
    return found.best_risk - found.best_empirical_risk


@pytest.fixture
def problem():
    return learnability.LearningProblem(np.random.default_rng(3).random((4, 3)))


@pytest.mark.source("WLF16-rem-uniform-convergence")
def test_both_are_sums_over_ordered_samples(problem):
    samples = sequences(3, 4)
    weights = LAW[samples].prod(axis=1)
    empirical = problem.losses[:, samples].mean(axis=2)
    deviation = np.abs(empirical - problem.risk(LAW)[:, None]).max(axis=0)
    assert functions.uniform_deviation(problem, LAW, 4) == pytest.approx(
        weights @ deviation
    )
    least = problem.best_risk(LAW) - weights @ empirical.min(axis=0)
    assert optimism(problem, LAW, 4) == pytest.approx(least)


def test_all_labellings_are_all_of_them():
    problem = functions.all_labellings(3)
    assert len(np.unique(problem.losses, axis=0)) == 8
    assert (problem.losses[:, :3] + problem.losses[:, 3:] == 1).all()
    assert (problem.losses[5] == [1, 0, 1, 0, 1, 0]).all()


@pytest.mark.source("WLF16-rem-uniform-convergence")
def test_a_minorant_is_best_for_every_law_and_leaves_the_deviations_of_the_others():
    labellings = functions.all_labellings(3)
    problem = functions.with_minorant(labellings)
    np.testing.assert_allclose(problem.losses[1:], 0.5 + labellings.losses / 2)
    laws = np.random.default_rng(0).dirichlet(np.ones(6), size=20)
    assert (problem.excess_risk(laws)[:, 0] == 0).all()
    assert (
        learnability.constant_learner(problem, 0)(learnability.count_vectors(6, 2))[
            :, 0
        ]
        == 1
    ).all()
    for p in laws[:3]:
        halved = 0.5 * functions.uniform_deviation(labellings, p, 3)
        assert functions.uniform_deviation(problem, p, 3) == pytest.approx(halved)


DOMINATED = learnability.LearningProblem([[0.0, 0.1], [0.5, 0.6]])


def worst_loss(law, n_records, n_samples):
    with np.errstate(divide="ignore", invalid="ignore"):
        table = np.log(law(learnability.count_vectors(n_records, n_samples)))
        pairs = learnability.neighbours(n_records, n_samples)
        losses = table[pairs[:, 0]] - table[pairs[:, 1]]
    return np.nanmax(np.abs(losses))


def half_used(problem):
    """A private law that never returns the last hypothesis."""
    inner = learnability.exponential_learner(
        learnability.LearningProblem(problem.losses[:-1]), 1.0
    )
    return lambda counts: np.hstack([inner(counts), np.zeros((len(counts), 1))])


def uniform(problem):
    return lambda counts: np.full(
        (len(counts), problem.n_hypotheses), 1 / problem.n_hypotheses
    )


THRESHOLDS = learnability.thresholds_problem(3)
CASES = [
    ("mixing", THRESHOLDS, half_used(THRESHOLDS), 3),
    ("mixing", THRESHOLDS, half_used(THRESHOLDS), 6),
    ("conditioning", THRESHOLDS, learnability.exponential_learner(THRESHOLDS, 1.0), 3),
    ("conditioning", THRESHOLDS, uniform(THRESHOLDS), 2),
    ("erm", THRESHOLDS, learnability.exponential_learner(THRESHOLDS, 1.0), 4),
    ("erm", learnability.coin_problem(), uniform(learnability.coin_problem()), 2),
    ("erm with mixing", DOMINATED, learnability.exponential_learner(DOMINATED, 1.0), 5),
    ("erm with mixing", DOMINATED, learnability.exponential_learner(DOMINATED, 1.0), 2),
]
EACH = pytest.mark.parametrize(("branch", "problem", "law", "n"), CASES)


@EACH
@pytest.mark.source("WLF16-prop-11")
def test_the_law_is_a_law_and_its_privacy_loss_is_infinite(branch, problem, law, n):
    assert worst_loss(law, problem.n_records, n) <= 1 + 1e-9
    for record in range(problem.n_records):
        broken = functions.break_privacy(problem, law, n, record)
        assert functions.branch_of(problem, law, n, record) == branch
        table = broken(learnability.count_vectors(problem.n_records, n))
        np.testing.assert_allclose(table.sum(axis=1), 1, rtol=1e-12)
        assert table.min() >= 0
        assert worst_loss(broken, problem.n_records, n) == np.inf


@EACH
@pytest.mark.source("WLF16-prop-11")
def test_mixing_and_conditioning_move_mass_at_most_one_over_n_and_only_where_the_record_occurs(
    branch, problem, law, n
):
    counts = learnability.count_vectors(problem.n_records, n)
    broken = functions.break_privacy(problem, law, n, 1)
    reference = learnability.erm_learner(problem) if branch.startswith("erm") else law
    moved = np.abs(broken(counts) - reference(counts)).sum(axis=1) / 2
    assert moved.max() <= 1 / n + 1e-12
    assert (moved[counts[:, 1] == 0] == 0).all()
    assert (moved[counts[:, 1] > 0] > 0).all() == (branch != "erm")


@pytest.mark.erratum("WLF16-prop-11")
def test_with_one_hypothesis_every_learner_is_private_and_there_is_nothing_to_break():
    assert (
        worst_loss(
            learnability.erm_learner(learnability.LearningProblem([[0.2, 0.4]])), 2, 3
        )
        == 0
    )


@pytest.mark.erratum("WLF16-prop-11/2")
def test_minimisation_alone_may_be_constant_hence_private_and_the_rare_hypothesis_depends_on_the_data():
    assert worst_loss(learnability.erm_learner(DOMINATED), 2, 4) == 0
    problem = learnability.LearningProblem(1 - np.eye(4))
    rarest = learnability.exponential_learner(problem, 1.0)(
        np.array([[0, 1, 1, 0], [1, 0, 0, 1]])
    ).argmin(axis=1)
    assert rarest.tolist() == [0, 1]
    assert (
        functions.branch_of(
            THRESHOLDS, learnability.exponential_learner(THRESHOLDS, 1.0), 4
        )
        == "erm"
    )  # |H| = n


def test_constant_minimisation_is_recognised_by_pure_data_sets():
    rng = np.random.default_rng(9)
    for _ in range(200):
        problem = learnability.LearningProblem(rng.integers(0, 3, size=(3, 3)) / 2)
        chosen = learnability.erm_learner(problem)(
            learnability.count_vectors(3, 4)
        ).argmax(axis=1)
        constant = len(set(chosen)) == 1
        assert (
            functions.branch_of(problem, uniform(problem), 4) == "erm with mixing"
        ) == constant


@pytest.mark.source("WLF16-tab-1")
def test_table_one_has_thirteen_rows_and_its_instances_can_be_learned_privately():
    assert len(rows()) == 13
    for row in rows():
        small, large = row.growth([1.0, 10.0])
        assert (small == large) == row.bounded
        problem = row.problem()
        gap = worst_excess_empirical_risk(
            exponential_learner(problem, 1.0), problem, 3
        ).value
        assert 0.05 < gap <= 2 * log(problem.n_hypotheses) / 3


def test_losses_grow_as_their_names_say():
    growth = {row.name: np.array(row.growth([1.0, 10.0, 100.0])) for row in rows()}
    assert growth["binary classification"][2] == growth["binary classification"][1]
    assert growth["k-means"][2] == pytest.approx(100 * growth["k-means"][1])
    kernel = growth["kernel classification"]
    assert kernel[2] / kernel[1] == pytest.approx(9, abs=1)
    np.testing.assert_allclose(np.diff(growth["density estimation"]), log(10))


CANCER = load_breast_cancer()
X, Y = CANCER.X[:, :2], CANCER.y


@pytest.mark.parametrize(
    "name", ["malignant", "texture_by_size", "sizes", "two_kinds", "direction"]
)
def test_private_answers_about_tumours_approach_the_best_and_keep_to_the_bound(name):
    problem = getattr(chapter, name)(X, Y)
    for epsilon in (0.001, 0.3, 30.0):
        _, blind, excess = chapter.private_answer(problem, epsilon)
        assert excess <= 2 * log(problem.n_hypotheses) / (len(Y) * epsilon)
        if epsilon == 0.001:
            assert excess == pytest.approx(blind, rel=0.15)
    assert excess < 1e-3


def test_questions_about_tumours_are_scaled_by_public_ranges_and_not_by_what_occurs():
    clusters = chapter.two_kinds(X, Y)
    distances = ((clusters.hypotheses[7][:, None] - X) ** 2).sum(axis=-1).min(axis=0)
    np.testing.assert_allclose(
        clusters.losses[7] * 2, distances
    )  # the square has the diameter root 2
    lines = chapter.texture_by_size(X, Y)
    assert lines.losses.shape == (121, 569)
    left, right = lines.hypotheses[17]
    np.testing.assert_allclose(
        lines.losses[17], (left + (right - left) * X[:, 0] - X[:, 1]) ** 2, atol=1e-12
    )
    np.testing.assert_allclose(
        chapter.direction(X, Y).losses[0] / 2, (X[:, 1] - 0.5) ** 2, atol=1e-12
    )
    densities = chapter.sizes(X, Y)
    np.testing.assert_allclose(densities.hypotheses.sum(axis=1), 1)
    share = densities.hypotheses[5, np.minimum((X[:, 0] * 4).astype(int), 3)]
    raw = densities.losses[5] * (np.log(4) - np.log(0.2)) - np.log(4)
    np.testing.assert_allclose(raw, -np.log(4 * share), atol=1e-12)


def gap_over_rate(n, k, epsilon):
    chance, high = no_repeat_probability(n, k), 1 / (1 + exp(-epsilon))
    return high / (chance * high + (1 - chance) * (1 - high))


test_a_checker_takes_right_answers_and_refuses_wrong_ones = checkers(
    {
        "clipped": [
            (several([[0.0, 0.0, 9.0], [2.0, 2.0, 2.0]], 3.0), None),
            (several([[0.0, 9.0], [5.0, 5.0]], 3.0), "best before and after"),
            (several([[0.0, 4.0], [2.0, 2.0]], 3.0), "are tied"),
            (several([[0.0, inf], [2.0, 2.0]], 3.0), "finite"),
            (several([[0.0, -1.0], [2.0, 2.0]], 3.0), "negative"),
        ],
        "slow_tail": [
            (lambda x: 1 / (1 + log(1 + log(1 + x))), None),
            (lambda x: 1 / (x + 1), "below 0.3"),
            (lambda x: 0.5 if x else 1.0, "does not seem to tend to 0"),
            (lambda x: 0.5 / (x + 1), "tail\\(0\\) is 0.5"),
            (lambda x: 1.0 if x % 2 == 0 else 0.5, "must not increase"),
        ],
        "factor": [
            (gap_over_rate, None),
            (lambda n, k, epsilon: 1 / no_repeat_probability(n, k), "the ratio is"),
            (lambda n, k, epsilon: gap_over_rate(n, k, -epsilon), "the ratio is"),
            (lambda n, k, epsilon: 1 / gap_over_rate(n, k, epsilon), "the ratio is"),
        ],
    },
    chapter,
)
