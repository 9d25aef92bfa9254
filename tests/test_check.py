"""Every bad public parameter gives a ValueError with name, rule and value."""

import math

import numpy as np
import pytest

from privml import _check as check

NOT_NUMBERS = [math.nan, math.inf, -math.inf, None, "1", True, [1.0], 1j]


@pytest.mark.parametrize(
    ("rule", "bad"),
    [
        (check.positive, [0, -1.0, *NOT_NUMBERS]),
        (check.non_negative, [-1e-300, *NOT_NUMBERS]),
        (check.finite, NOT_NUMBERS),
        (check.probability_open, [0, 1, -0.1, 1.5, *NOT_NUMBERS]),
        (check.probability_half_open, [1, -0.1, 1.5, *NOT_NUMBERS]),
        (check.positive_integer, [0, -3, 1.0, 2.5, *NOT_NUMBERS]),
        (check.non_negative_integer, [-1, 1.0, *NOT_NUMBERS]),
    ],
)
def test_bad_numbers_are_refused_with_name_rule_and_value(rule, bad):
    for value in bad:
        with pytest.raises(ValueError, match="^parameter must be .*, got ") as caught:
            rule(parameter=value)
        assert repr(value) in str(caught.value)


def test_good_numbers_pass_whatever_their_type():
    check.positive(a=1, b=np.float32(0.5), c=np.int64(3))
    check.non_negative(a=0, b=0.0)
    check.finite(a=-1.5)
    check.probability_open(a=1e-300)
    check.probability_half_open(a=0)
    check.positive_integer(a=np.int32(1))
    check.non_negative_integer(a=0)


def test_one_of_and_instance_name_the_choices():
    with pytest.raises(ValueError, match="method must be one of 'a', 'b', got 'c'"):
        check.one_of(("a", "b"), method="c")
    with pytest.raises(ValueError, match="thing must be an instance of int, got 'x'"):
        check.instance(int, thing="x")


@pytest.mark.parametrize(
    ("bad", "rule"),
    [
        ([], "non-empty one-dimensional"),
        ([[1.0]], "non-empty one-dimensional"),
        (3.0, "non-empty one-dimensional"),
        ([1.0, math.nan, 2.0], "finite everywhere, got 'nan at index 1'"),
        ([1.0, math.inf], "finite everywhere, got 'inf at index 1'"),
        ([-math.inf, 0.0], "finite everywhere, got '-inf at index 0'"),
        (["a"], "an array of numbers"),
        (None, "an array of numbers|non-empty|finite"),
    ],
)
def test_finite_vector_refuses_what_is_not_a_vector_of_finite_numbers(bad, rule):
    with pytest.raises(ValueError, match=rule):
        check.finite_vector(scores=bad)


def test_finite_vector_returns_floats():
    assert check.finite_vector(scores=[1, 2]).dtype == float
