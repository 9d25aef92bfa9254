"""What the chapter on sparse and kernel problems computes: brute force, orders, claims of the source."""

from itertools import combinations
from math import ceil, log, sqrt

import numpy as np
import pytest

from book.tools.chapter_code import chapter_module
from privml.datasets import load_breast_cancer
from privml.hypotheses import Table, Thresholds
from privml.learners import PrivateBestSubset
from privml.learners.best_subset import coefficient_lattice, subset_risks
from privml.learners.exponential import exponential_mistake_learner
from privml.learners.penalised_erm import SquaredLoss
from privml.learners.representation import (
    HypothesisSubset,
    greedy_cover,
    loss_distances,
)
from privml.pac import expected_excess_error
from privml.populations import FinitePopulation
from tests.chapters.checkers import checkers, several

chapter = chapter_module("sparse-and-kernel-problems")


@pytest.mark.source("WLF16-ex-22")
def test_the_risks_on_tumours_are_those_of_the_estimator_and_one_stage_is_as_good_as_twice_epsilon():
    cancer = load_breast_cancer()
    X, y = 2 * cancer.X - 1, np.where(cancer.y, 1.0, -1.0)
    lattice, width = coefficient_lattice(2, 1.0, 4), SquaredLoss().oscillation(sqrt(2))
    risks = subset_risks(X, y, list(combinations(range(30), 2)), lattice)
    sizes = {
        "n_features": 30,
        "n_selected": 2,
        "fit_cost": log(len(lattice)),
        "oscillation": width,
    }
    found = {}
    for way, share in chapter.shares(30, 2, log(len(lattice))).items():
        for epsilon in (0.5, 1.0, 2.0):
            found[way, epsilon], _ = chapter.expected_risk(
                risks, len(y), epsilon, share, width
            )
            bound = chapter.best_subset_gap(len(y), epsilon, share=share, **sizes)
            assert risks.min() <= found[way, epsilon] <= risks.min() + bound
    assert all(found["one stage", e] < found["two stages", e] for e in (0.5, 1.0, 2.0))
    assert found["two stages", 2.0] == pytest.approx(found["one stage", 1.0], rel=0.03)
    learner = PrivateBestSubset(1.0, 2, method="two-stage", cells=4)
    fits = [learner.fit(X, y, rng=seed).predict(X) for seed in range(60)]
    losses = [((scores - y) ** 2).mean() for scores in fits]
    assert abs(np.mean(losses) - found["two stages", 1.0]) < 5 * np.std(losses) / sqrt(
        60
    )
    assert learner.output_distribution(X, y).n_outcomes == 435 * 49


@pytest.mark.source("WLF16-ex-22")
def test_the_excess_grows_like_the_logarithm_of_the_number_of_features_and_below_its_bound():
    rows = [chapter.excesses(d, 300, 1.0, n_sets=2) for d in (4, 16, 64)]
    for way in ("one stage", "two stages", "two stages, best split"):
        curve = [row[way] for row in rows]
        assert all(0 < row[way] <= row[f"{way}, bound"] for row in rows)
        assert (np.diff(curve) > 0).all()
        assert np.diff(curve).max() < 0.2
    assert all(row["one stage"] < 0.5 * row["two stages"] for row in rows)


@pytest.mark.source("WLF16-ex-22")
@pytest.mark.parametrize("claim", [1.0, 10.0])
def test_every_claim_survives_the_audit(claim):
    two, one = (chapter.spent(claim, 3, share).epsilon for share in (1 / 3, None))
    assert two < one <= claim + 1e-12


@pytest.mark.erratum("WLF16-ex-22/2")
def test_the_printed_rate_grows_with_the_lipschitz_constant_and_the_corrected_one_with_its_logarithm():
    _, printed, corrected, ours = np.transpose(
        [chapter.rate_forms(L, 10**6) for L in (1.0, 10.0, 1000.0)]
    )
    assert np.diff(printed)[1] == pytest.approx(3 * 990 / 1000)
    assert np.diff(corrected)[1] == pytest.approx(3 * log(100) / 1000)
    assert len(set(ours)) == 1
    assert (corrected <= printed).all()


@pytest.mark.source("WLF16-ex-23")
@pytest.mark.parametrize(("epsilon", "n_samples"), [(1.0, 6), (0.3, 11)])
def test_the_error_of_points_is_that_of_the_exponential_mechanism_on_small_classes(
    epsilon, n_samples
):
    """By enumeration of all samples of the two points, for 8 point functions."""
    population = FinitePopulation(np.array([2, 5]), np.array([True, False]), [0.5, 0.5])
    law, tables = (
        exponential_mistake_learner(epsilon),
        [Table(np.eye(k, dtype=bool)) for k in (8, 6)],
    )
    exact, buckets = (
        expected_excess_error(law, table, population, n_samples) for table in tables
    )
    assert chapter.error_of_points(8, n_samples, epsilon) == pytest.approx(exact)
    assert chapter.error_of_buckets(6, n_samples, epsilon) == pytest.approx(
        5 / 6 * buckets + 1 / 12
    )


@pytest.mark.source("WLF16-ex-23")
def test_the_best_number_of_buckets_asks_for_fewer_records_than_sixteen_bits():
    k = chapter.best_buckets(0.25, 1.0)
    needed = chapter.hashed_records(k, 0.25, 1.0)
    assert all(
        needed <= chapter.hashed_records(other, 0.25, 1.0)
        for other in (k - 1, k + 1, 2 * k)
    )
    whole = [chapter.records_for(0.25, 1.0, b * log(2)) for b in (4, 16, 64)]
    assert (np.diff(whole) > 0).all()
    assert needed < whole[1]


@pytest.mark.source("WLF16-ex-24")
def test_many_equal_thresholds_are_the_same_as_a_weight():
    readings = np.arange(5.0)
    population = FinitePopulation(readings, readings >= 2, chapter.DATA)
    exact = expected_excess_error(
        exponential_mistake_learner(1.0), Thresholds(np.arange(1, 33)), population, 6
    )
    found = chapter.excess_of_cuts(
        Thresholds(np.arange(1, 6)), [1, 1, 1, 1, 28], 6, 1.0
    )
    assert found == pytest.approx(exact)


@pytest.mark.source("WLF16-ex-24")
def test_behind_the_cover_the_number_of_bits_does_not_matter():
    whole = Thresholds(np.arange(1, 6))
    cover = HypothesisSubset(
        whole,
        greedy_cover(loss_distances(whole.predict(np.arange(5)), chapter.PUBLIC), 0.05),
    )
    covered = chapter.excess_of_cuts(cover, np.ones(4), 12, 1.0)
    every = [
        chapter.excess_of_cuts(whole, [1, 1, 1, 1, 2.0**b - 4], 12, 1.0)
        for b in (8, 64)
    ]
    assert cover.n_hypotheses == 4
    assert covered < every[0] < every[1]
    assert every[1] > 0.49


@pytest.mark.source("WLF16-ex-24")
@pytest.mark.parametrize("n_cuts", [51, 201])
@pytest.mark.parametrize("radius", [0.2, 0.05])
def test_greedy_covers_of_thresholds_are_about_one_over_twice_the_radius(
    n_cuts, radius
):
    *_, greedy, least, bound = chapter.covers(n_cuts, radius)
    assert ceil(1 / (2 * radius)) - 1 <= least <= greedy <= min(least + 2, bound)


@pytest.mark.source("WLF16-rem-infinite-domain")
def test_with_privacy_there_is_a_best_number_of_frequencies_and_the_draws_are_exact():
    runs = [
        [chapter.one_run(q, 1000, 1.0, seed) for seed in range(4)] for q in (2, 20, 100)
    ]
    plain, _, private, _, exact = np.mean(runs, axis=1).T
    assert private[1] < min(private[0], private[2])
    assert (np.diff(plain) < 0).all()
    assert (plain < private).all()
    assert (exact == 1).all()


@pytest.mark.parametrize("n_features", [20, 200])
def test_many_rows_with_phases_are_longer_than_one_and_no_row_of_pairs_is(n_features):
    _, longer, longest, pairs = chapter.row_lengths(n_features)
    assert 0.2 < longer < 0.9
    assert longest > 1.01
    assert pairs == pytest.approx(1.0)


def best_split(a, b):
    return sqrt(a) / (sqrt(a) + sqrt(b))


def test_a_law_between_two_members_is_accepted():
    found = []
    for target in range(1, 20):
        law = np.zeros(20)
        law[target - 1 : target + 1] = 0.5
        try:
            chapter.check_undominated(law, target)
            found.append(target)
        except AssertionError:
            pass
    assert found
    assert len(found) < 19


BUCKETS = min(range(2, 4000), key=lambda k: chapter.error_of_buckets(k, 60, 1.0))
NEAR = np.zeros((1000, 2))
NEAR[1] = 0.001
FAR = NEAR.copy()
FAR[0] = 1.0
test_a_checker_takes_right_answers_and_refuses_wrong_ones = checkers(
    {
        "split": [
            (best_split, None),
            (lambda a, b: 0.5, "the least is"),
            (lambda a, b: a / (a + b), "the least is"),
            (lambda a, b: 1 - best_split(a, b), "the least is"),
            (lambda a, b: 1.0, "between 0 and 1"),
        ],
        "buckets": [
            (BUCKETS, None),
            (2, "buckets: error"),
            (BUCKETS // 2, "buckets: error"),
            (BUCKETS - 5, "buckets: error"),
            (BUCKETS + 5, "buckets: error"),
            (2 * BUCKETS, "buckets: error"),
        ],
        "undominated": [
            (several(np.full(20, 0.05), 10), "below 2/5"),
            (several(np.full(20, 0.06), 10), "sum to 1"),
            (several(np.full(19, 1 / 19), 10), "20 probabilities"),
            (several(np.full(20, 0.05), 0), "from 1 to 19"),
        ],
        "scale": [
            ((NEAR, FAR), None),
            ((np.eye(2), np.zeros((2, 2))), "these in 2"),
            ((np.eye(2), np.eye(2)), "these in 0"),
            ((np.eye(2), np.array([[1.0, 0.5], [0.0, 1.0]])), "only"),
            ((np.eye(2), np.array([[9.0, 0.0], [0.0, 1.0]])), "in \\[-1, 1\\]"),
            ((np.zeros((1, 2)), np.ones((1, 2))), "two records"),
            ((np.zeros((2, 3)), np.ones((2, 3))), "one shape"),
        ],
    },
    chapter,
)
