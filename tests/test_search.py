"""The searches return a point at which the predicate has been seen to hold, and no smaller one."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privml import _search


@given(st.integers(1, 10**12), st.integers(1, 50))
def test_smallest_integer_is_the_threshold(threshold, lower):
    assert _search.smallest_integer(lambda n: n >= threshold, lower=lower) == max(threshold, lower)


def test_smallest_integer_asks_about_few_points():
    asked = []

    def holds(n):
        asked.append(n)
        return n >= 10**9

    assert _search.smallest_integer(holds) == 10**9
    assert len(asked) < 100


def test_an_unreachable_target_raises():
    with pytest.raises(ValueError, match="target must be reachable"):
        _search.smallest_integer(lambda n: False, upper=1000)
    with pytest.raises(ValueError, match="target must be reachable"):
        _search.smallest_float(lambda x: False, lower=0.0, upper=1.0)


@given(st.floats(1e-6, 1e6))
def test_smallest_float_is_exact_to_the_last_place(threshold):
    found = _search.smallest_float(lambda x: x >= threshold, lower=0.0, upper=1e7)
    assert found == threshold


@given(st.floats(1e-6, 1e6))
def test_largest_float_mirrors_it(threshold):
    found = _search.largest_float(lambda x: x <= threshold, lower=0.0, upper=1e7)
    assert found == threshold
    assert math.nextafter(found, math.inf) > threshold
