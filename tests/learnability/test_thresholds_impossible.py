"""Thresholds on [0, 1]: the packing's data sets, its bound with and without delta, and on populations."""

from math import exp, inf, log

import numpy as np
import pytest

from privml.hypotheses import Thresholds
from privml.learnability.impossibility import (
    packing_excess_risk,
    threshold_packing,
    thresholds_excess_risk,
    thresholds_impossible_size,
)


@pytest.mark.source("WLF16-prop-12")
@pytest.mark.parametrize(("n_datasets", "n_samples", "distance"), [(1, 4, None), (7, 6, None), (5, 9, 4)])
def test_only_thresholds_inside_of_the_interval_are_good_and_outside_half_of_the_group_is_wrong(
    n_datasets, n_samples, distance
):
    packing = threshold_packing(n_datasets, n_samples, distance=distance)
    candidates = Thresholds(np.linspace(1e-6, 1, 977))
    d = distance or n_samples
    for i, (low, high) in enumerate(packing.intervals):
        mistakes = candidates.mistakes(packing.X[i], packing.y[i])
        outside = (candidates.cuts < low) | (candidates.cuts > high)
        assert (mistakes[outside] == d // 2).all()
        assert packing.thresholds.mistakes(packing.X[i], packing.y[i])[i] == 0
    assert (packing.intervals[1:, 0] > packing.intervals[:-1, 1]).all()
    assert 0 <= packing.X.min() <= packing.X.max() <= 1


@pytest.mark.source("WLF16-prop-12")
def test_two_data_sets_of_the_packing_differ_in_the_records_around_the_cut_only():
    packing = threshold_packing(6, 10, distance=4)
    for i in range(6):
        for j in range(i):
            differ = (packing.X[i] != packing.X[j]) | (packing.y[i] != packing.y[j])
            assert differ.sum() == 4


@pytest.mark.erratum("WLF16-prop-12")
def test_outside_of_its_interval_a_threshold_is_wrong_on_half_of_the_records_and_not_on_all():
    packing = threshold_packing(3, 8)
    table = [packing.thresholds.mistakes(packing.X[i], packing.y[i]) / 8 for i in range(3)]
    np.testing.assert_allclose(table, 0.5 * (1 - np.eye(3)))
    # So a risk below 0.1 needs a probability inside of more than 0.8 only: 0.85 inside does it.
    assert 0.5 * (1 - 0.85) < 0.1
    assert 1 * (1 - 0.85) > 0.1


@pytest.mark.erratum("WLF16-prop-12/2")
@pytest.mark.parametrize("exponent", [0.5, 1.3, 4.0])
def test_the_sum_over_the_other_data_sets_falls_short_of_one_and_one_more_threshold_does_not_fit(exponent):
    n_datasets = int(np.ceil(exp(exponent)))
    assert (n_datasets - 1) * exp(-exponent) < 1 <= n_datasets * exp(-exponent)
    room = 1 / exp(-exponent)  # how many thresholds at this spacing have disjoint cells in [0, 1]
    assert n_datasets + 1 > room + 1 - 1e-12
    assert threshold_packing(n_datasets + 1, 2).intervals.max() < 1


@pytest.mark.source("WLF16-prop-12")
def test_on_the_whole_interval_no_number_of_records_helps_a_pure_private_learner():
    assert [thresholds_excess_risk(inf, n, 1.0) for n in (1, 2, 7, 10**6)] == [0, 0.5, 3 / 7, 0.5]
    assert thresholds_impossible_size(inf, 5.0, 0.499) == inf


@pytest.mark.parametrize("delta", [0.0, 1e-6])
@pytest.mark.parametrize(("n_thresholds", "epsilon"), [(1, 1.0), (2, 0.3), (1000, 1.0), (2**60, 0.2)])
def test_the_bound_is_the_largest_over_the_distances(n_thresholds, epsilon, delta):
    for n in (1, 2, 9, 40):
        best = max(
            (
                packing_excess_risk(n_thresholds, d, epsilon, delta=delta, loss=d // 2 / n)
                for d in range(2, n + 1)
            ),
            default=0.0,
        )
        found = thresholds_excess_risk(n_thresholds, n, epsilon, delta=delta)
        assert found == pytest.approx(best, abs=1e-15)


@pytest.mark.parametrize("delta", [0.0, 1e-9])
@pytest.mark.parametrize("n_thresholds", [1, 2, 50, 2**30, 2**200])
@pytest.mark.parametrize(("epsilon", "alpha"), [(0.2, 0.05), (1.0, 0.3), (3.0, 0.01)])
def test_the_impossible_size_is_the_largest_at_which_the_bound_reaches_alpha(
    n_thresholds, epsilon, alpha, delta
):
    size = thresholds_impossible_size(n_thresholds, epsilon, alpha, delta=delta)
    bounds = [
        thresholds_excess_risk(n_thresholds, n, epsilon, delta=delta) for n in range(size + 1, size + 40)
    ]
    assert max(bounds) < alpha
    assert size == 0 or thresholds_excess_risk(n_thresholds, size, epsilon, delta=delta) >= alpha


@pytest.mark.source("WLF16-prop-12")
def test_the_impossible_size_grows_with_the_logarithm_of_the_class():
    sizes = np.array([thresholds_impossible_size(2**k, 0.5, 0.1) for k in (50, 100, 200)])
    slopes = np.diff(sizes) / np.diff([50, 100, 200])
    np.testing.assert_allclose(slopes, log(2) / (2 * 0.1 * 0.5), rtol=0.05)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: threshold_packing(0, 1), "n_datasets"),
        (lambda: threshold_packing(2, 3, distance=4), "distance"),
        (lambda: thresholds_excess_risk(2.5, 3, 1.0), "n_datasets"),
        (lambda: thresholds_excess_risk(2, 3, 1.0, delta=float("nan")), "delta"),
        (lambda: thresholds_impossible_size(2, 1.0, 0.5), "alpha must be below 1/2"),
    ],
)
def test_parameters_out_of_range_raise(call, message):
    with pytest.raises(ValueError, match=message):
        call()
