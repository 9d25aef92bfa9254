"""The Sauer-Shelah number is attained and never exceeded by small classes."""

from itertools import combinations

import numpy as np
import pytest

from privml.bounds.vc import sauer_shelah
from privml.hypotheses import vc_dimension_by_brute_force


@pytest.mark.source("DR11-cor-pac-iff-private-pac")
def test_no_class_on_three_points_is_larger_than_its_dimension_allows():
    labellings = (np.arange(8)[:, None] >> np.arange(3)) % 2 == 1
    for size in range(1, 9):
        for chosen in combinations(range(8), size):
            dimension = vc_dimension_by_brute_force(labellings[list(chosen)])
            assert size <= sauer_shelah(dimension, 3)


@pytest.mark.parametrize(("dimension", "n_points"), [(0, 4), (1, 5), (2, 5), (5, 5)])
def test_all_small_sets_attain_it(dimension, n_points):
    everything = (np.arange(2**n_points)[:, None] >> np.arange(n_points)) % 2 == 1
    small = everything[everything.sum(axis=1) <= dimension]
    assert vc_dimension_by_brute_force(small) == dimension
    assert len(small) == sauer_shelah(dimension, n_points)


def test_bad_parameters_are_refused():
    with pytest.raises(ValueError, match="vc_dimension must be a non-negative integer"):
        sauer_shelah(-1, 3)
    with pytest.raises(ValueError, match="n_points must be a positive integer"):
        sauer_shelah(1, 0)
