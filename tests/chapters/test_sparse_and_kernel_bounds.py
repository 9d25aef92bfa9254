"""Bounds in the cells of the chapter on sparse and kernel problems: covers, public points, features."""

from fractions import Fraction
from itertools import product
from math import comb, exp, log, sqrt

import numpy as np
import pytest

from book.tools.programme import tangled
from privml.bounds.fast_rates import sauer_shelah
from privml.bounds.private_pac import representation_excess_risk

chapter = tangled("sparse-and-kernel-problems")


@pytest.mark.parametrize(("alpha", "approximation"), [(0.3, 0.0), (0.02, 0.01)])
def test_the_sample_size_inverts_the_bound(alpha, approximation):
    n = chapter.records_for(alpha, 0.5, 4.0, approximation)
    bound = [representation_excess_risk(m, 0.5, 4.0, approximation=approximation) for m in (n, n - 1)]
    assert bound[0] <= alpha < bound[1]


@pytest.mark.source("WLF16-ex-23")
def test_numbers_of_buckets_and_repetitions_bring_the_failure_below_beta():
    for alpha, beta in product((0.5, 0.1, 0.013), (0.7, 0.25, 1e-6)):
        buckets, repeats = chapter.hashed_size(alpha, beta)
        assert (1 / (buckets * alpha)) ** repeats <= beta * (1 + 1e-12)
        assert 1 / ((buckets - 1) * alpha) > 0.5
        assert repeats == 1 or 0.5 ** (repeats - 1) > beta


@pytest.mark.source("WLF16-ex-24")
@pytest.mark.parametrize(("vc_dimension", "radius"), [(1, 0.3), (1, 0.01), (3, 0.1)])
def test_the_packing_bound_is_the_largest_number_that_sauer_allows(vc_dimension, radius):
    def possible(size):
        n_points = max(1, int(np.ceil(2 * log(size) / radius)))
        return size <= sauer_shelah(vc_dimension, n_points)

    bound = chapter.packing(vc_dimension, radius)[0]
    assert possible(bound)
    assert not any(possible(bound + step) for step in [1, 2, 10, bound, 10 * bound])


@pytest.mark.source("WLF16-ex-24")
def test_the_density_ratio_costs_a_logarithm():
    sizes = [chapter.behind_a_cover(c, 0.1, 1.0)[3] for c in (1.0, 10.0, 100.0)]
    assert sizes[0] < sizes[1] < sizes[2] < 3 * sizes[0]
    most, logarithm = chapter.packing(1, 0.05)
    assert logarithm == pytest.approx(log(most), abs=1e-3)
    assert sizes[0] == chapter.records_for(0.1, 1.0, log(most), 0.05)


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
    bounds = [min(1.0, (n_public + 1) * (1 - float(alpha)) ** n_public) for alpha in grid]
    assert all(tail <= bound + 1e-12 for tail, bound in zip(tails, bounds, strict=True))
    assert bounds[300] == pytest.approx(float(tails[300]))  # beyond 1/2 only one gap can be so large
    mean = float(sum(tails) + Fraction(1, 2)) / 400  # the trapezoidal rule; the tail is 1 at 0 and 0 at 1
    assert mean == pytest.approx(chapter.largest_gap(n_public), abs=2e-5)


SIZES = {"C": 4.0, "L": 1.0, "B": 4.0}


def kernels(n_pairs, delta, n_draws, paired):
    """Approximate Gaussian kernels ``exp(-delta^2 / 2)`` of two points, one a draw of the frequencies."""
    rng = np.random.default_rng(0)
    w, place = rng.normal(size=(n_draws, 2 * n_pairs)), 0.7
    if paired:
        return np.cos(w[:, :n_pairs] * delta).mean(axis=1)
    phases = rng.uniform(0, 2 * np.pi, size=w.shape)
    return 2 * (np.cos(w * place + phases) * np.cos(w * (place + delta) + phases)).mean(axis=1)


@pytest.mark.source("WLF16-rem-infinite-domain")
@pytest.mark.parametrize("paired", [True, False])
@pytest.mark.parametrize("delta", [0.3, 1.0, 3.0])
def test_the_kernel_is_right_on_average_and_its_variance_is_as_computed(delta, paired):
    draws, k = 20_000, exp(-(delta**2) / 2)
    found = kernels(5, delta, draws, paired)
    variance = chapter.kernel_errors(delta / sqrt(2), 10)[2 if paired else 3] ** 2
    assert abs(found.mean() - k) < 5 * sqrt(variance / draws)
    fourth = ((found - found.mean()) ** 4).mean()
    assert abs(found.var() - variance) < 5 * sqrt((fourth - variance**2) / draws)


def test_pairs_are_never_worse_for_the_gaussian_kernel():
    for distance in np.linspace(0, 4, 101):
        _, _, pairs, phases = chapter.kernel_errors(distance, 6)
        assert pairs <= phases + 1e-15


def test_the_gap_adds_approximation_and_dimension():
    gap = chapter.feature_gap(50, 10**6, 1.0, **SIZES)
    assert gap == pytest.approx(4 / sqrt(50) + 4 * 4.0 * 50 / 10**6)
    assert chapter.feature_gap(50, 10, 1.0, **SIZES) == pytest.approx(4 / sqrt(50) + 4.0)


@pytest.mark.parametrize("n_samples", [10, 2000, 10**6])
def test_the_best_number_of_features_is_best_among_all(n_samples):
    best = chapter.best_frequencies(n_samples, 1.0, **SIZES)
    gaps = [
        chapter.feature_gap(pairs, n_samples, 1.0, **SIZES)
        for pairs in range(1, min(n_samples, 3 * best + 3) + 1)
    ]
    assert 1 + int(np.argmin(gaps)) == best or min(gaps) == gaps[best - 1]


def test_the_rate_is_the_third_root():
    pairs = {n: chapter.best_frequencies(n, 1.0, **SIZES) for n in (10**6, 10**9)}
    gaps = [chapter.feature_gap(best, n, 1.0, **SIZES) for n, best in pairs.items()]
    assert log(gaps[0] / gaps[1]) / log(1000) == pytest.approx(1 / 3, rel=1e-3)
