"""The searches return a point at which the predicate has been seen to hold, and no smaller one."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privml import _search


@given(st.integers(1, 10**12), st.integers(1, 50))
def test_smallest_integer_is_the_threshold(threshold, lower):
    assert _search.smallest_integer(lambda n: n >= threshold, lower=lower) == max(
        threshold, lower
    )


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
    assert (
        _search.smallest_float(lambda x: x >= threshold, lower=0.0, upper=1e7)
        == threshold
    )


@given(st.floats(1e-12, 1e12), st.floats(0.2, 3.0))
def test_a_crossing_is_on_the_safe_side_and_within_rounding(root, power):
    def excess(x):
        return root**power - x**power

    found = _search.crossing(excess, lower=0.0, upper=1e13)
    assert excess(found) <= 0
    assert found == pytest.approx(root, rel=1e-13 / min(power, 1.0))


def test_a_crossing_survives_infinite_values_and_a_noisy_function():
    jump = _search.crossing(
        lambda x: -math.inf if x >= 0.3 else math.inf, lower=0.0, upper=1.0
    )
    assert 0.3 <= jump <= 0.3 * (1 + 1e-14)
    noisy = _search.crossing(
        lambda x: 0.5 - x + 1e-13 * math.sin(1e15 * x), lower=0.0, upper=1.0
    )
    assert 0.5 - noisy + 1e-13 * math.sin(1e15 * noisy) <= 0
    assert noisy == pytest.approx(0.5, abs=1e-11)


def test_a_crossing_at_or_beyond_the_ends():
    assert _search.crossing(lambda x: -1.0, lower=2.0, upper=3.0) == 2.0
    with pytest.raises(ValueError, match="target must be reachable"):
        _search.crossing(lambda x: 1.0, lower=0.0, upper=1.0)
    with pytest.raises(ValueError, match="target must be reachable"):
        _search.crossing(lambda x: math.nan, lower=0.0, upper=1.0)


@given(st.floats(1e-9, 1e9), st.floats(1e-6, 1.0))
def test_the_last_crossing_is_the_largest_point_that_is_still_good(root, share):
    found = _search.last_crossing(lambda x: x - root, lower=share * root)
    assert found <= root
    assert found == pytest.approx(root, rel=1e-14)
