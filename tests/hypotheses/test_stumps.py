"""The combinatorics behind the VC dimension of decision stumps (see the module docstring of stumps)."""

from functools import cache
from math import comb

import numpy as np
import pytest

from privml.hypotheses import DecisionStumps, stumps


def partitions(total, largest):
    if total == 0:
        yield ()
    for part in range(min(total, largest), 0, -1):
        yield from ((part, *rest) for rest in partitions(total - part, part))


def chains_cover(n_points, sizes):
    """Whether the subsets of n points, up to complement, split into chains of exactly these sizes: search."""
    full = (1 << n_points) - 1

    def pair(
        subset,
    ):  # of two complements, the number of the one without the last point
        return min(subset, full ^ subset)

    def chains(size, free, below=0):
        if size == 0:
            yield free
            return
        for subset in by_size:
            fresh = subset & below == below and free >> pair(subset) & 1
            if fresh:
                yield from chains(size - 1, free & ~(1 << pair(subset)), subset)

    @cache
    def rest_covers(free, used):
        if used == len(sizes):
            return free == 0
        return any(
            rest_covers(left, used + 1) for left in set_once(chains(sizes[used], free))
        )

    def set_once(items):
        seen = set()
        for item in items:
            if item not in seen:
                seen.add(item)
                yield item

    by_size = sorted(range(full + 1), key=lambda subset: (subset.bit_count(), subset))
    return rest_covers((1 << (full + 1) // 2) - 1, 0)


@pytest.mark.parametrize("n_points", range(1, stumps._SEARCHED + 1))
def test_up_to_five_points_the_chain_condition_is_sufficient(n_points):
    """All splits of the 2^(m-1) complementary pairs that meet the condition are realised by chains.

    More cut points than needed never matter: taking one from the feature with the most keeps the
    condition as long as their sum, each counted up to m, stays at 2^(m-1).
    """
    every = partitions(1 << n_points - 1, n_points)
    allowed = [sizes for sizes in every if stumps._chain_condition(n_points, sizes)]
    assert len(allowed) == [1, 2, 4, 14, 85][n_points - 1]
    assert all(chains_cover(n_points, sizes) for sizes in allowed)


def test_the_search_for_chains_can_fail():
    assert chains_cover(3, (2, 2))
    assert not chains_cover(3, (4,))
    assert not chains_cover(4, (4, 4))


def gey(n_features):
    return max(m for m in range(1, 20) if comb(m, m // 2) <= 2 * n_features)


@pytest.mark.parametrize(
    "n_features", [1, 2, 3, 4, 5, 9, 10, 17, 18, 30, 35, 112, 500, 5000]
)
def test_with_enough_cut_points_the_vc_dimension_is_geys(n_features):
    assert DecisionStumps.on_grid(
        n_features, 0.0, 1.0, gey(n_features)
    ).vc_dimension == gey(n_features)
    assert DecisionStumps.on_grid(n_features, 0.0, 1.0, 100).vc_dimension == gey(
        n_features
    )


@pytest.mark.parametrize("n_features", [1, 2, 3, 4, 7, 8, 112, 1000])
def test_with_one_cut_point_each_the_vc_dimension_is_the_logarithm_of_the_class(
    n_features,
):
    hypotheses = DecisionStumps([[0.5]] * n_features)
    assert hypotheses.vc_dimension == int(np.log2(hypotheses.n_hypotheses))


def test_cut_points_that_the_theorems_leave_open_raise_with_the_range():
    with pytest.raises(
        ValueError,
        match="cut_points must determine the VC dimension, but got .* from 6 to 7",
    ):
        _ = DecisionStumps([[0.0, 1.0, 2.0]] * 22).vc_dimension


def test_mixed_binary_and_continuous_features_are_settled_by_cutting_chains():
    binary, continuous = [[0.5]] * 100, [np.arange(20)] * 6
    assert DecisionStumps(binary + continuous).vc_dimension == 8


@pytest.mark.parametrize("n_cuts", [4, 5])
def test_ten_features_with_fewer_cuts_than_points_leave_the_dimension_open(n_cuts):
    """Ten chains of six sets would shatter six points; shorter ones may not: their pieces do not fit."""
    with pytest.raises(ValueError, match="got .* from 5 to 6"):
        _ = DecisionStumps([list(range(n_cuts))] * 10).vc_dimension
