"""Thresholds on [0, 1]: the packing's data sets, its bound with and without delta, and on populations."""

from math import inf

import pytest

from privml.learnability.impossibility import packing_excess_risk, thresholds_excess_risk


@pytest.mark.source("WLF16-prop-12")
def test_on_the_whole_interval_no_number_of_records_helps_a_pure_private_learner():
    assert [thresholds_excess_risk(inf, n, 1.0) for n in (1, 2, 7, 10**6)] == [0, 0.5, 3 / 7, 0.5]


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
