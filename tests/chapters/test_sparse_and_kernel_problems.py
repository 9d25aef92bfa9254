"""What the chapter on sparse and kernel problems computes: brute force, orders, claims of the source."""

from itertools import combinations
from math import log, sqrt

import numpy as np
import pytest

from book.tools.chapter_code import chapter_module
from privml.datasets import load_breast_cancer
from privml.hypotheses import Table, Thresholds
from privml.learners import (
    ExponentialRidge,
    PrivateBestSubset,
    PublicFourierFeatures,
)
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
from tests.chapters import sparse_and_kernel_problems_functions as more
from tests.chapters.checkers import checkers, several

chapter = chapter_module("sparse-and-kernel-problems")


@pytest.mark.source("WLF16-ex-22")
def test_the_risks_on_tumours_are_those_of_the_estimator_and_one_stage_is_as_good_as_twice_epsilon():
    cancer = load_breast_cancer()
    X, y = 2 * cancer.X - 1, np.where(cancer.y, 1.0, -1.0)
    lattice, width = coefficient_lattice(2, 1.0, 4), SquaredLoss().oscillation(sqrt(2))
    assert width == pytest.approx((1 + sqrt(2)) ** 2)
    losses = subset_risks(X, y, list(combinations(range(30), 2)), lattice)
    found = {}
    for epsilon in (0.5, 1.0, 2.0):
        for law, share in ((chapter.one_stage, None), (chapter.two_stages, 0.5)):
            chances = law(losses, len(y), epsilon, width)
            library = more.law_of(losses, len(y), epsilon, share, width).pmf()
            assert chances.ravel() == pytest.approx(library, abs=1e-12)
            found[share, epsilon] = (chances * losses).sum()
            bound = more.best_subset_gap(
                len(y),
                epsilon,
                share=share,
                n_features=30,
                n_selected=2,
                fit_cost=log(len(lattice)),
                oscillation=width,
            )
            assert losses.min() <= found[share, epsilon] <= losses.min() + bound
        assert found[None, epsilon] < found[0.5, epsilon]
    assert found[0.5, 2.0] == pytest.approx(found[None, 1.0], rel=0.03)
    learner = PrivateBestSubset(1.0, 2, method="two-stage", cells=4)
    fits = [learner.fit(X, y, rng=seed).predict(X) for seed in range(60)]
    errors = [((scores - y) ** 2).mean() for scores in fits]
    assert abs(np.mean(errors) - found[0.5, 1.0]) < 5 * np.std(errors) / sqrt(60)
    assert learner.output_distribution(X, y).n_outcomes == 435 * 49


@pytest.mark.source("WLF16-ex-22")
def test_the_excess_grows_like_the_logarithm_of_the_number_of_features_and_below_its_bound():
    rows = [more.excesses(d, 300, 1.0, n_sets=2) for d in (4, 16, 64)]
    for way in ("one stage", "two stages", "two stages, best split"):
        curve = [row[way] for row in rows]
        assert all(0 < row[way] <= row[f"{way}, bound"] for row in rows)
        assert (np.diff(curve) > 0).all()
        assert np.diff(curve).max() < 0.2
    assert all(row["one stage"] < 0.5 * row["two stages"] for row in rows)


@pytest.mark.erratum("WLF16-ex-22/2")
def test_the_printed_rate_grows_with_the_lipschitz_constant_and_the_corrected_one_with_its_logarithm():
    printed, corrected, ours = np.transpose(
        [more.rate_forms(L, 10**6) for L in (1.0, 10.0, 1000.0)]
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


@pytest.mark.source("WLF16-ex-24")
def test_many_equal_thresholds_are_the_same_as_a_weight():
    readings = np.arange(5.0)
    population = FinitePopulation(readings, readings >= 2, more.DATA)
    exact = expected_excess_error(
        exponential_mistake_learner(1.0), Thresholds(np.arange(1, 33)), population, 6
    )
    found = more.excess_of_cuts(Thresholds(np.arange(1, 6)), [1, 1, 1, 1, 28], 6, 1.0)
    assert found == pytest.approx(exact)


@pytest.mark.source("WLF16-ex-24")
def test_behind_the_cover_the_number_of_bits_does_not_matter():
    whole = more.whole_of_cuts()
    distances = loss_distances(whole.predict(np.arange(5)), more.PUBLIC)
    assert (distances[:, :4].min(axis=1) <= 0.05 + 1e-12).all()  # the page's four
    cover = HypothesisSubset(whole, greedy_cover(distances, 0.05))
    covered = more.excess_of_cuts(cover, np.ones(4), 12, 1.0)
    every = [
        more.excess_of_cuts(whole, [1, 1, 1, 1, 2.0**b - 4], 12, 1.0) for b in (8, 64)
    ]
    assert cover.n_hypotheses == 4
    assert covered < every[0] < every[1]
    assert every[1] > 0.49


@pytest.mark.source("WLF16-rem-infinite-domain")
def test_with_privacy_there_is_a_best_number_of_frequencies_and_the_draws_are_exact():
    runs = [
        [chapter.one_run(q, 1000, 1.0, seed) for seed in range(4)] for q in (2, 20, 100)
    ]
    plain, private = np.mean(runs, axis=1).T
    assert private[1] < min(private[0], private[2])
    assert (np.diff(plain) < 0).all()
    assert (plain < private).all()
    X, outer = chapter.rings(1000, 0)
    features = PublicFourierFeatures(chapter.GAMMA, 20, seed=0).fit_transform(X)
    ridge = ExponentialRidge(1.0, 1e-6, radius=4.0, bounds="unit", target_bounds="unit")
    assert (
        ridge.fit(features, 2.0 * outer - 1, rng=0)
        .draw(features, 2.0 * outer - 1, rng=0)
        .exact
    )


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
