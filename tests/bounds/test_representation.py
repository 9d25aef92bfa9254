"""Public finite sets of hypotheses: the bound against exact risks, covers, and inverses."""

from fractions import Fraction
from itertools import product
from math import comb, log

import numpy as np
import pytest

from privml.bounds.representation import (
    expected_public_gap,
    hashed_points_size,
    packing_number_bound,
    public_gap_failure,
    reference_cover_sample_size,
    representation_excess_risk,
    representation_sample_size,
)
from privml.bounds.vc import sauer_shelah
from privml.hypotheses import Table, vc_dimension_by_brute_force
from privml.learners.exponential import exponential_law
from privml.pac import expected_excess_error
from privml.populations import FinitePopulation


@pytest.mark.source("WLF16-ex-23", "WLF16-ex-24")
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 8.0])
@pytest.mark.parametrize("n_samples", [4, 16])
def test_the_bound_holds_for_the_exact_expected_risk_of_random_classes(n_samples, epsilon):
    rng = np.random.default_rng(0)
    for _ in range(10):
        table = Table(rng.integers(0, 2, size=(6, 3)).astype(bool))
        population = FinitePopulation(np.arange(3), rng.integers(0, 2, 3) > 0, rng.dirichlet(np.ones(3)))
        budgets = [epsilon * share for share in (1.0, 0.5, 0.25, 0.1)]
        best = min(
            expected_excess_error(exponential_law(budget), table, population, n_samples) for budget in budgets
        )
        assert best <= representation_excess_risk(n_samples, epsilon, log(6))


@pytest.mark.source("WLF16-ex-23", "WLF16-ex-24")
def test_the_bound_is_the_smaller_of_privacy_and_uniform_convergence():
    for n_samples, epsilon, log_size in product((10, 1000, 10**6), (0.01, 0.3, 5.0), (0.7, 5.0, 40.0)):
        grid = np.geomspace(1e-5, epsilon, 4001)
        private = (2 * log_size / (n_samples * grid) + np.tanh(grid / 4)).min()
        uniform = 2 * log_size / (n_samples * epsilon) + np.sqrt(log_size / (2 * n_samples))
        found = representation_excess_risk(n_samples, epsilon, log_size)
        assert found == pytest.approx(min(private, uniform), rel=0.03)
        assert found <= uniform


@pytest.mark.source("WLF16-ex-23")
def test_the_largest_of_many_deviations_is_as_promised_and_the_constant_is_needed():
    """Independent fair coins: the expected largest mean of n above 1/2, against sqrt(ln K / (2 n))."""
    n_samples, size, draws = 400, 200, 400
    means = np.random.default_rng(0).binomial(n_samples, 0.5, size=(draws, size)) / n_samples
    found, promised = (means - 0.5).max(axis=1).mean(), np.sqrt(log(size) / (2 * n_samples))
    assert 0.8 * promised < found < promised


def test_more_records_and_more_budget_never_hurt_and_the_approximation_adds():
    sizes, budgets = (1, 10, 100, 10**4, 10**6), (0.01, 0.1, 1.0, 10.0)
    table = np.array([[representation_excess_risk(n, e, 3.0) for e in budgets] for n in sizes])
    assert (np.diff(table, axis=0) < 0).all()
    assert (np.diff(table, axis=1) <= 0).all()
    assert representation_excess_risk(50, 1.0, 2.0, approximation=0.25) == pytest.approx(
        0.25 + representation_excess_risk(50, 1.0, 2.0)
    )
    assert representation_excess_risk(50, 1.0, 0.0) == 0.0


@pytest.mark.parametrize(("alpha", "approximation"), [(0.3, 0.0), (0.02, 0.01)])
def test_the_sample_size_inverts_the_bound(alpha, approximation):
    n = representation_sample_size(alpha, 0.5, 4.0, approximation=approximation)
    bound = [representation_excess_risk(m, 0.5, 4.0, approximation=approximation) for m in (n, n - 1)]
    assert bound[0] <= alpha < bound[1]


@pytest.mark.source("WLF16-ex-23")
def test_numbers_of_buckets_and_repetitions_bring_the_failure_below_beta():
    for alpha, beta in product((0.5, 0.1, 0.013), (0.7, 0.25, 1e-6)):
        buckets, repeats = hashed_points_size(alpha, beta)
        assert (1 / (buckets * alpha)) ** repeats <= beta * (1 + 1e-12)
        assert 1 / ((buckets - 1) * alpha) > 0.5
        assert repeats == 1 or 0.5 ** (repeats - 1) > beta


@pytest.mark.source("WLF16-ex-24")
@pytest.mark.parametrize(("vc_dimension", "radius"), [(1, 0.3), (1, 0.01), (3, 0.1)])
def test_the_packing_bound_is_the_largest_number_that_sauer_allows(vc_dimension, radius):
    def possible(size):
        n_points = max(1, int(np.ceil(2 * log(size) / radius)))
        return size <= sauer_shelah(vc_dimension, n_points)

    bound = packing_number_bound(vc_dimension, radius)
    assert possible(bound)
    assert not any(possible(bound + step) for step in [1, 2, 10, bound, 10 * bound])


@pytest.mark.source("WLF16-ex-24")
def test_thresholds_intervals_and_points_pack_no_more_than_the_bound():
    for radius in (0.05, 0.2):
        assert 1 / radius <= packing_number_bound(1, radius)
        assert 0.5 / radius**2 <= packing_number_bound(2, radius)


@pytest.mark.source("WLF16-ex-24")
def test_the_density_ratio_costs_a_logarithm():
    sizes = [
        reference_cover_sample_size(0.1, 1.0, vc_dimension=1, density_ratio=c) for c in (1.0, 10.0, 100.0)
    ]
    assert sizes[0] < sizes[1] < sizes[2] < 3 * sizes[0]
    assert sizes[0] == representation_sample_size(
        0.1, 1.0, log(packing_number_bound(1, 0.05)), approximation=0.05
    )


@pytest.mark.parametrize(
    "call",
    [
        lambda: representation_excess_risk(0, 1.0, 1.0),
        lambda: representation_excess_risk(5, 1.0, -1.0),
        lambda: representation_sample_size(0.1, 1.0, 1.0, approximation=0.1),
        lambda: hashed_points_size(1.0, 0.5),
        lambda: packing_number_bound(0, 0.5),
        lambda: packing_number_bound(1, 1.0),
        lambda: reference_cover_sample_size(0.1, 1.0, vc_dimension=1, density_ratio=0.5),
        lambda: reference_cover_sample_size(0.1, 1.0, vc_dimension=1, density_ratio=float("nan")),
    ],
)
def test_bad_parameters_raise(call):
    with pytest.raises(ValueError, match="must"):
        call()


def _largest_gap_tail(n_public, alpha):
    """Exact probability that the largest of the n_public + 1 spacings exceeds alpha."""
    n_gaps = n_public + 1
    share = Fraction(alpha)
    terms = [
        (-1) ** (j + 1) * comb(n_gaps, j) * (1 - j * share) ** n_public
        for j in range(1, n_gaps + 1)
        if j * share < 1
    ]
    return sum(terms)


@pytest.mark.source("LZCW21-rem-public-lower-bound")
@pytest.mark.parametrize("n_public", [1, 2, 5, 20])
def test_the_largest_gap_between_public_points_is_as_small_as_promised(n_public):
    grid = [Fraction(k, 400) for k in range(1, 400)]
    tails = [_largest_gap_tail(n_public, alpha) for alpha in grid]
    bounds = [public_gap_failure(n_public, float(alpha)) for alpha in grid]
    assert all(tail <= bound + 1e-12 for tail, bound in zip(tails, bounds, strict=True))
    assert bounds[300] == pytest.approx(float(tails[300]))  # beyond 1/2 only one gap can be so large
    mean = float(sum(tails) + Fraction(1, 2)) / 400  # the trapezoidal rule; the tail is 1 at 0 and 0 at 1
    assert mean == pytest.approx(expected_public_gap(n_public), abs=2e-5)


@pytest.mark.source("LZCW21-rem-public-lower-bound")
def test_thresholds_kept_for_public_points_are_as_near_as_the_largest_gap():
    rng = np.random.default_rng(0)
    cuts = np.arange(65) / 64
    instances = (np.arange(64) + 0.5) / 64
    labels = instances >= cuts[:, None]
    for _ in range(20):
        public = np.sort(rng.integers(64, size=6))
        kept = labels[np.unique(labels[:, public], axis=0, return_index=True)[1]]
        distance = (labels[:, None] != kept).mean(axis=2).min(axis=1).max()
        gaps = np.diff([-1, *public, 64]) - 1
        assert len(kept) <= 7
        assert distance <= gaps.max() / 64


@pytest.mark.erratum("LZCW21-rem-public-lower-bound")
@pytest.mark.parametrize("dimension", [2, 3, 4])
def test_how_many_public_points_are_needed_does_not_grow_with_the_dimension(dimension):
    thresholds = np.arange(9) >= np.arange(10)[:, None]
    rules = np.array(list(product([False, True], repeat=dimension - 1)))
    glued = np.array([np.append(a, b) for a in thresholds for b in rules])
    assert vc_dimension_by_brute_force(glued) == dimension
    public = [1, 4, 6]  # of the line only, for every dimension
    _, first = np.unique(thresholds[:, public], axis=0, return_index=True)
    kept = np.array([np.append(a, b) for a in thresholds[first] for b in rules])
    assert len(kept) == 4 * 2 ** (dimension - 1)
    apart = (glued[:, None] != kept).sum(axis=2).min(axis=1)
    assert apart.max() <= 2  # the largest gap holds two of the nine points
