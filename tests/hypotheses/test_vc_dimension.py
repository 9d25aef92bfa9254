"""Closed forms of VC dimensions against brute force, and brute force against the definition."""

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privml.bounds.fast_rates import sauer_shelah
from privml.hypotheses import (
    Conjunctions,
    DecisionStumps,
    Parities,
    Table,
    Thresholds,
    boolean_cube,
    vc_dimension_by_brute_force,
)
from tests.enumeration import growth_function


def labellings(predictions, points):
    return len({tuple(row[point] for point in points) for row in predictions})


def vc_dimension_by_definition(predictions):
    n_points = len(predictions[0])
    subsets = (
        points
        for size in range(n_points + 1)
        for points in combinations(range(n_points), size)
    )
    shattered = [
        len(points)
        for points in subsets
        if labellings(predictions, points) == 2 ** len(points)
    ]
    return max(shattered)


@settings(max_examples=150, deadline=None)
@given(
    st.integers(1, 5).flatmap(
        lambda n: st.lists(st.tuples(*[st.booleans()] * n), min_size=1, max_size=20)
    )
)
def test_brute_force_follows_the_definitions(rows):
    predictions = np.array(rows)
    assert vc_dimension_by_brute_force(predictions) == vc_dimension_by_definition(rows)
    assert Table(predictions).vc_dimension == vc_dimension_by_definition(rows)


LINE = np.arange(-0.5, 7.0)  # one point in every cell of the cuts 0, 1, ..., 6


@pytest.mark.parametrize("n_cuts", range(1, 8))
def test_on_the_line_the_closed_forms_are_right_for_every_number_of_cuts(n_cuts):
    hypotheses = Thresholds(np.arange(n_cuts))
    assert hypotheses.vc_dimension == vc_dimension_by_brute_force(
        hypotheses.predict(LINE)
    )


def on_the_cube(d):
    return Conjunctions(d), Conjunctions(d, monotone=True), Parities(d)


@pytest.mark.parametrize("n_features", [1, 2, 3, 4])
def test_on_the_cube_the_closed_forms_are_right(n_features):
    cube = boolean_cube(n_features)
    for hypotheses in on_the_cube(n_features):
        assert hypotheses.vc_dimension == vc_dimension_by_brute_force(
            hypotheses.predict(cube)
        )
    expected = 2 if n_features == 1 else n_features
    assert Conjunctions(n_features).vc_dimension == expected


def all_cells(counts):
    """One point in every cell of the cut points 0, 1, ..., count - 1 of each feature."""
    return np.array(list(product(*[np.arange(-0.5, count) for count in counts])))


COUNTS = [
    *[(k,) for k in range(1, 6)],
    *[(k, j) for k in range(1, 6) for j in range(1, k + 1)],
    *[
        (3, 0, 2),
        (1, 1, 1),
        (2, 1, 1),
        (2, 2, 1),
        (2, 2, 2),
        (3, 2, 1),
        (4, 1, 1),
        (3, 2, 2),
        (3, 3, 1),
    ],
    *[
        (4, 2, 2),
        (4, 3, 1),
        (5, 1, 1),
        (5, 2, 1),
        (1, 1, 1, 1),
        (2, 1, 1, 1),
        (2, 2, 1, 1),
        (1,) * 5,
    ],
]


@pytest.mark.parametrize("counts", COUNTS)
def test_of_stumps_the_vc_dimension_is_right_for_few_cut_points(counts):
    stumps = DecisionStumps([np.arange(count) for count in counts])
    assert stumps.vc_dimension == vc_dimension_by_brute_force(
        stumps.predict(all_cells(counts))
    )


@pytest.mark.source("DR11-cor-pac-iff-private-pac")
def test_every_class_on_three_points_obeys_sauer_and_shelah_and_some_attain_it():
    attained = set()
    cube = boolean_cube(3)
    for chosen in range(1, 256):
        predictions = cube[[row for row in range(8) if chosen >> row & 1]]
        dimension = vc_dimension_by_brute_force(predictions)
        for size in (1, 2, 3):
            growth = growth_function(predictions, size)
            assert growth <= sauer_shelah(dimension, size)
        assert len(predictions) == growth
        if growth == sauer_shelah(dimension, 3):
            attained.add(dimension)
    assert attained == {0, 1, 2, 3}


@pytest.mark.source("DR11-cor-pac-iff-private-pac")
@pytest.mark.parametrize("d", [1, 2, 3, 4])
def test_log_size_and_vc_dimension_differ_at_most_by_the_factor_of_the_corollary(d):
    """On {0, 1}^d: VC <= log2 |C| <= VC (d + 1), by |C| <= sum of C(2^d, i), i <= VC <= (2^d)^VC + 1."""
    cube = boolean_cube(d)
    for hypotheses in (*on_the_cube(d), Table(np.eye(2**d, dtype=bool))):
        X = np.arange(2**d) if hypotheses.n_features is None else cube
        n_distinct = len(np.unique(hypotheses.predict(X), axis=0))
        vc = hypotheses.vc_dimension
        assert (
            vc <= np.log2(n_distinct) <= np.log2(sauer_shelah(vc, 2**d)) <= vc * (d + 1)
        )


def test_one_hypothesis_shatters_nothing():
    for alone in (Thresholds([0.0]), Table([[True, False]])):
        assert (alone.n_hypotheses, alone.vc_dimension) == (1, 0)
