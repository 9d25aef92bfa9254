"""Bounds in the cells of the chapter on sparse and kernel problems: covers, public points, features."""

from fractions import Fraction
from itertools import product
from math import ceil, comb, log, sqrt

import numpy as np
import pytest

from book.tools.chapter_code import chapter_module
from privml import audit
from privml.bounds.private_pac import representation_excess_risk
from privml.learners import RepresentationLearner
from privml.learners.best_subset import coefficient_lattice, subset_risks
from privml.learners.exponential import selection_mechanism
from privml.learners.penalised_erm import Ball, PenalisedRisk, SquaredLoss
from tests.chapters import sparse_and_kernel_problems_functions as more
from tests.measure_ratios import log_measure_ratio

chapter = chapter_module("sparse-and-kernel-problems")


@pytest.mark.source("LZCW21-rem-public-lower-bound")
def test_the_page_names_enough_public_points_and_private_records():
    gap = more.largest_gap(104)
    assert gap <= 0.05 < more.largest_gap(103)
    bound = representation_excess_risk(1300, 1.0, log(105), approximation=gap)
    assert bound < 0.1
    assert bound <= gap + 2 * log(105) / 1300 + sqrt(log(105) / 2600) + 1e-12


def _largest_gap_tail(n_public, alpha):
    """Exact probability that the largest of the n_public + 1 spacings exceeds alpha."""
    n_gaps = n_public + 1
    share = Fraction(alpha)
    few = range(1, min(n_gaps, ceil(1 / share) - 1) + 1)
    return sum(
        (-1) ** (j + 1) * comb(n_gaps, j) * (1 - j * share) ** n_public for j in few
    )


@pytest.mark.source("LZCW21-rem-public-lower-bound")
@pytest.mark.parametrize("n_public", [1, 2, 5, 20])
def test_the_largest_gap_between_public_points_is_as_small_as_promised(n_public):
    grid = [Fraction(k, 400) for k in range(1, 400)]
    tails = [_largest_gap_tail(n_public, alpha) for alpha in grid]
    bounds = [
        min(1.0, (n_public + 1) * (1 - float(alpha)) ** n_public) for alpha in grid
    ]
    assert all(tail <= bound + 1e-12 for tail, bound in zip(tails, bounds, strict=True))
    assert bounds[300] == pytest.approx(
        float(tails[300])
    )  # beyond 1/2 only one gap can be so large
    mean = (
        float(sum(tails) + Fraction(1, 2)) / 400
    )  # the trapezoidal rule; the tail is 1 at 0 and 0 at 1
    assert mean == pytest.approx(more.largest_gap(n_public), abs=2e-5)


@pytest.mark.source("WLF16-ex-23")
@pytest.mark.parametrize(("p", "n_buckets"), [(7, 2), (11, 3), (13, 5), (13, 12)])
def test_two_points_share_a_bucket_with_probability_at_most_one_over_their_number(
    monkeypatch, p, n_buckets
):
    """Exactly, over all partitions of the family with a small prime."""
    monkeypatch.setattr(more, "PRIME", p)
    pairs = list(product(range(1, p), range(p)))
    drawn = more.Buckets(np.array(pairs), n_buckets)
    labels = drawn.predict(np.arange(p)).reshape(len(pairs), n_buckets, p)
    assert (labels.sum(axis=1) == 1).all()
    together = np.einsum(
        "tjx,tjy->xy", labels.astype(float), labels.astype(float)
    ) / len(pairs)
    assert 0 < together[~np.eye(p, dtype=bool)].max() <= 1 / n_buckets + 1e-12


@pytest.mark.parametrize("k", [2, 3, 5])
def test_a_drawn_list_costs_its_distance_and_the_logarithm_of_its_length(k):
    p, epsilon, instances, found = (
        7,
        0.25,
        np.array([4, 4, 4, 0, 0, 2, 3, 5]),
        [],
    )  # labelled True at 4 only
    for a, b in product(range(1, p), range(p)):
        bucket = (a * instances + b) % p % k
        wrong = ((bucket == np.arange(k)[:, None]) != (instances == 4)).sum(axis=1)
        weights = np.exp(-epsilon * wrong / 2)
        found.append((wrong.min(), weights @ wrong / weights.sum()))
    best, drawn = np.mean(found, axis=0) / 8
    assert best <= 1 / k
    assert (
        (best if k == 2 else 1 / k) < drawn <= 1 / k + 2 * np.log(k) / (epsilon * 8)
    )  # the sum is needed


def test_partitions_are_drawn_from_the_whole_family(monkeypatch):
    monkeypatch.setattr(more, "PRIME", 5)
    drawn = more.HashedPoints(2, 4000).draw(rng=0)
    counts = np.zeros((5, 5))
    np.add.at(counts, tuple(drawn.partitions.T), 1)
    assert (counts[0] == 0).all()
    assert abs(counts[1:] - 200).max() < 5 * np.sqrt(200)


def test_buckets_are_partitions_and_describe_themselves():
    drawn = more.HashedPoints(6, 3).draw(rng=1)
    labels = drawn.predict([0, 5, 10**9, 2**40, np.nan])
    assert labels.shape == (18, 5)
    assert (labels.reshape(3, 6, 5).sum(axis=1) == 1).all()
    assert (labels[:, 0] == labels[:, 4]).all()
    assert drawn.describe(7) == "bucket 1 of partition 1"
    assert drawn.vc_dimension is None


@pytest.mark.source("WLF16-ex-23")
def test_given_the_set_the_index_is_private_on_all_neighbours():
    drawn = more.HashedPoints(3, 2).draw(rng=0)
    X, y = (
        np.array([0, 1, 2, 0, 1, 2]),
        np.array([False, False, False, True, True, True]),
    )

    def law(data):
        scores = len(data[1]) - drawn.mistakes(*data)
        return selection_mechanism(1.3).output_distribution(scores)

    found = audit.exact(law, (X, y), 3)
    assert found.epsilon <= 1.3 + 1e-12
    assert found.epsilon > 0.5


@pytest.mark.source("WLF16-ex-23")
def test_a_point_of_a_billion_is_learned_from_records_that_say_nothing_about_a_billion():
    population = np.array([123_456_789, 5, 17, 999_999_937])
    X = population[np.arange(300) % 4][:, None]
    y = X[:, 0] == population[0]
    learner = RepresentationLearner(1.0, more.HashedPoints(40, 2))
    assert (
        np.mean([learner.fit(X, y, rng=seed).score(X, y) for seed in range(10)]) > 0.95
    )


def test_a_point_beyond_the_last_counts_as_the_last():
    points, y = more.HashedPoints(4, 2), [1, 0, 1, 0]
    for seed in range(3):
        learner = RepresentationLearner(50.0, points, classes=(0, 1))
        X = [[[2**31 - 2], [0], [far], [0]] for far in (2**31 - 2, 1e300)]
        last, beyond = (
            learner.fit(records, y, rng=seed).hypothesis_index_ for records in X
        )
        assert last == beyond


SUBSETS = {"n_features": 30, "n_selected": 3, "fit_cost": log(200)}


@pytest.mark.source("WLF16-ex-22")
def test_the_share_is_best_and_one_stage_is_never_worse():
    a, b = log(comb(30, 3)), log(200)
    best = sqrt(a) / (sqrt(a) + sqrt(b))
    at_best = more.best_subset_gap(100, 1.0, share=best, **SUBSETS)
    grid = [
        more.best_subset_gap(100, 1.0, share=share, **SUBSETS)
        for share in np.linspace(0.02, 0.98, 97)
    ]
    assert at_best <= min(grid)
    assert at_best == pytest.approx(2 / 100 * (sqrt(a) + sqrt(b)) ** 2)
    assert more.best_subset_gap(100, 1.0, **SUBSETS) == pytest.approx(2 / 100 * (a + b))


@pytest.mark.source("WLF16-ex-22")
def test_a_lattice_costs_at_most_its_gap():
    rng = np.random.default_rng(1)
    X, y = rng.uniform(-0.7, 0.7, size=(30, 2)), rng.uniform(-1, 1, size=30)
    grids = (coefficient_lattice(2, 1.0, cells) for cells in (60, 3))
    fine, coarse = (subset_risks(X, y, [[0, 1]], grid).min() for grid in grids)
    assert 0 < coarse - fine <= SquaredLoss().lipschitz(1.0) / 3 * sqrt(2)


@pytest.mark.erratum("WLF16-ex-22/1")
@pytest.mark.parametrize("dimension", [1, 2])
def test_in_the_second_stage_the_sublevel_sets_shrink_like_a_power_of_t(dimension):
    """On a ball rho is the size of the support, not 0: ten times lower, 10^s times rarer."""
    risk = PenalisedRisk(
        np.eye(dimension), np.zeros(dimension), SquaredLoss(), Ball(dimension)
    )
    H, weights = risk.domain.nodes(600)
    cone = np.sqrt(risk.value(H) * dimension)  # the norm of h, 1-Lipschitz
    ratios = [float(log_measure_ratio(cone, t, weights)) for t in (0.5, 0.05)]
    assert ratios[1] - ratios[0] == pytest.approx(dimension * log(10), rel=0.03)
