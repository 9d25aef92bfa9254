"""Every bad public parameter gives a ValueError with name, rule and value."""

import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from privml import _check as check
from tests.refusals import refused


class Stubborn:
    """An object that raises whatever is asked of it."""

    def __repr__(self):
        return "Stubborn()"

    def _raise(self, *_):
        raise RuntimeError

    __eq__ = __lt__ = __gt__ = __array__ = __float__ = __len__ = __bool__ = _raise


NOT_NUMBERS = [
    *(
        math.nan,
        math.inf,
        -math.inf,
        None,
        "1",
        "a",
        True,
        np.True_,
        [1.0],
        1j,
        np.array([0.5]),
        {},
    ),
    *(Decimal("0.5"), np.datetime64("2020-01-01"), Stubborn()),
]
NOT_HELD = [Fraction(1, 2), 10**20]  # numbers, but numpy has no function of them


@pytest.mark.parametrize(
    ("rule", "bad"),
    [
        (check.positive, [0, -1.0, *NOT_NUMBERS]),
        (check.non_negative, [-1e-300, *NOT_NUMBERS]),
        (check.finite, NOT_NUMBERS),
        (check.unit_interval, [-0.1, 1.5, *NOT_NUMBERS]),
        (check.probability_open, [0, 1, -0.1, 1.5, *NOT_NUMBERS]),
        (check.probability_half_open, [1, -0.1, 1.5, *NOT_NUMBERS]),
        (check.positive_integer, [0, -3, 1.0, 2.5, *NOT_NUMBERS]),
        (check.non_negative_integer, [-1, 1.0, *NOT_NUMBERS]),
    ],
)
def test_bad_numbers_are_refused_with_name_rule_and_value(rule, bad):
    counts = rule in (check.positive_integer, check.non_negative_integer)
    for value in bad + (NOT_HELD[:1] if counts else NOT_HELD):
        with pytest.raises(
            ValueError, match="^parameter must be .*, but got "
        ) as caught:
            rule(parameter=value)
        assert repr(value) in str(caught.value)
    with pytest.raises(
        ValueError, match="parameter must be .*, but got a value of type int"
    ):
        rule(parameter=-(10**5000))


def test_a_flag_is_a_boolean():
    check.flag(two_sided=True, monotone=np.False_)
    for bad in ["yes", 1, 0, None, 1.0, *NOT_NUMBERS[7:]]:
        if not isinstance(bad, bool | np.bool_):
            with pytest.raises(
                ValueError, match="two_sided must be True or False, but got"
            ):
                check.flag(two_sided=bad)


def test_good_numbers_pass_whatever_their_type():
    check.positive(a=1, b=np.float32(0.5), c=np.int64(3))
    check.non_negative(a=0, b=0.0)
    check.finite(a=-1.5)
    check.probability_open(a=1e-300)
    check.probability_half_open(a=0)
    check.positive_integer(a=np.int32(1), b=2**1000)
    check.non_negative_integer(a=0)


def test_one_of_and_instance_name_the_choices():
    with pytest.raises(ValueError, match="method must be one of 'a', 'b', but got 'c'"):
        check.one_of(("a", "b"), method="c")
    for bad in [True, np.array([1, 2]), Stubborn(), "1", None]:
        with pytest.raises(ValueError, match="order must be one of 1, 2, but got"):
            check.one_of((1, 2), order=bad)
    check.one_of((1, 2), order=np.int64(2))
    with pytest.raises(
        ValueError, match="thing must be an instance of int, but got 'x'"
    ):
        check.instance(int, thing="x")


test_finite_vector_refuses_what_is_not_a_vector_of_finite_numbers = refused(
    ([], "non-empty one-dimensional"),
    ([[1.0]], "non-empty one-dimensional"),
    (3.0, "non-empty one-dimensional"),
    (["a"], "an array of numbers"),
    (["0.5"], "an array of numbers"),
    ([[1.0], [1.0, 2.0]], "an array of numbers"),
    (np.array(["2020-01-01"], dtype="datetime64[D]"), "an array of numbers"),
    (Stubborn(), "an array of numbers"),
    ([10**400], "an array of numbers"),
    call=lambda bad: check.finite_vector(weights=bad),
)


def test_finite_vector_returns_floats():
    assert check.finite_vector(scores=[1, 2]).dtype == float
    assert check.finite_vector(scores=[Fraction(1, 2), 10**20]).tolist() == [0.5, 1e20]


def test_a_positive_rational_is_read_exactly():
    assert check.positive_rational(scale=0.1) == Fraction(3602879701896397, 2**55)
    assert check.positive_rational(scale=np.int32(3)) == 3
    assert check.positive_rational(scale=Fraction(1, 3)) == Fraction(1, 3)
    assert check.positive_rational(scale=np.float32(0.5)) == Fraction(1, 2)
    for bad in [0, -1.0, Fraction(-1, 2), *NOT_NUMBERS]:
        with pytest.raises(
            ValueError, match="scale must be positive and finite, but got"
        ):
            check.positive_rational(scale=bad)


def test_an_answer_is_a_number_or_a_vector():
    assert check.finite_answer(value=3) == 3.0
    assert check.finite_answer(value=np.float32(0.5)) == 0.5
    assert check.finite_answer(value=[1, 2]).tolist() == [1.0, 2.0]
    for bad in [
        math.nan,
        None,
        "1",
        [],
        [[1.0]],
        [math.inf],
        True,
        ["1"],
        [[1.0], []],
        Stubborn(),
    ]:
        with pytest.raises(ValueError, match="value must be"):
            check.finite_answer(value=bad)


def test_an_integer_answer_is_an_integer_or_a_vector_of_integers():
    assert check.integer_answer(value=3) == 3
    assert type(check.integer_answer(value=np.int8(-3))) is int
    assert (
        check.integer_answer(value=np.array([1, 2], dtype=np.uint8)).dtype == np.int64
    )
    large = [2**63, 2**70, np.array([2**63], dtype=np.uint64)]
    for bad in [1.0, True, None, "1", [], [[1]], [0.5], *large, Stubborn()]:
        with pytest.raises(ValueError, match="value must be"):
            check.integer_answer(value=bad)
