"""Audits by draws see what shown numbers hide: bits, types, long objects, rare records."""

from fractions import Fraction

import numpy as np
import pytest

from privml import audit
from privml.audit import sampling


def record(data, size, rng):
    """A record published exactly with probability 1/100, in Gaussian noise that reaches beyond it."""
    published = rng.random(size) < 0.01
    return np.where(published, (17.25, 17.5)[data], rng.normal(0, 100, size))


def signed_zero(data, size, rng):
    return np.where(rng.random(size) < 0.5, (0.0, -0.0)[data], rng.normal(size=size))


def payload(data, size, rng):
    told = np.array([0x7FF8000000000001 + data], dtype="u8").view(float)[0]
    return np.where(rng.random(size) < 0.3, told, rng.normal(size=size))


def dtype(data, size, rng):
    return rng.normal(size=size).astype(("f4", "f8")[data])


class Long:
    """An output whose repr is cut off before it tells anything."""

    def __init__(self, record):
        self.content = [*range(50), record]

    def __repr__(self):
        return "Long([0, 1, ...])"


def long(data, *, rng):
    return Long(data)


@pytest.mark.parametrize("sample", [record, signed_zero, payload, dtype, long])
def test_what_tells_one_record_for_certain_is_found(sample):
    assert audit.monte_carlo(sample, (0, 1), 10_000, rng=0).epsilon > 1


@pytest.mark.parametrize("sample", [record, signed_zero, payload, dtype, long])
def test_the_same_sampler_on_one_data_set_is_not_accused(sample):
    accused = [
        audit.monte_carlo(sample, (0, 0), 100, rng=seed).epsilon > 0
        for seed in range(100)
    ]
    assert (
        sum(accused) <= 1 + 4
    )  # one in a hundred, at confidence 0.99, and four deviations


def test_a_record_is_named_bit_by_bit():
    assert audit.monte_carlo(signed_zero, (0, 1), 4000, rng=0).event.endswith(
        "0.0, bit by bit"
    )


RARE = {
    "fraction": Fraction(1, 3),
    "string": "none",
    "large integer": 2**70,
    "negative integer": -(2**70),
    "unsigned": np.uint64(2**63 + 1),
    "bool": True,
    "none": None,
    "integer": 3,
    "float": 0.5,
    "float32": np.float32(0.1),
    "date": np.datetime64("2020-01-01"),
}
USUAL = {
    "floats": lambda rng: float(rng.normal()),
    "integers": lambda rng: int(rng.integers(5)),
    "numpy": lambda rng: np.float64(rng.normal()),
    "words": lambda rng: "ab"[rng.integers(2)],
}


def draws_with(rare, usual, one_by_one):
    """A sampler that ignores the data and gives a rare output of another type in one of 600 draws."""

    def draw(rng):
        return rare if rng.random() < 1 / 600 else usual(rng)

    def many(data, size, rng):
        outputs = [draw(rng) for _ in range(size)]
        try:
            return np.array(outputs)
        except (TypeError, ValueError):
            return np.array(outputs, dtype=object)

    return (lambda data, *, rng: draw(rng)) if one_by_one else many


@pytest.mark.parametrize("one_by_one", [False, True])
@pytest.mark.parametrize("usual", USUAL.values(), ids=USUAL)
@pytest.mark.parametrize("rare", RARE.values(), ids=RARE)
def test_a_rare_output_of_another_type_convicts_nobody(rare, usual, one_by_one):
    """One in three of such audits was a conviction when an array of all draws was judged by its type."""
    sample = draws_with(rare, usual, one_by_one)
    found = [
        audit.monte_carlo(sample, (0, 1), 400, rng=seed).epsilon for seed in range(3, 7)
    ]
    assert max(found) == 0.0


@pytest.mark.parametrize("rare", RARE.values(), ids=RARE)
def test_a_frequent_output_of_another_type_is_found(rare):
    def sample(data, *, rng):
        return rare if rng.random() < (0.05, 0.6)[data] else float(rng.normal())

    found = audit.monte_carlo(sample, (0, 1), 3000, rng=1)
    assert 1.5 < found.epsilon < np.log(12)


def test_a_type_that_only_the_judged_half_shows_does_not_stop_the_audit():
    for late in (2**80, "text", Fraction(1, 7), np.float32(1)):
        calls = []

        def sample(data, *, rng, late=late, calls=calls):
            calls.append(data)
            return late if len(calls) == 3 else float(data + rng.normal())

        found = audit.monte_carlo(sample, (0.0, 4.0), 400, rng=0)
        assert 1 < found.epsilon < 8


def test_whole_numbers_are_an_array_only_where_64_bits_hold_all_of_them():
    assert sampling._kind_of([-(2**63), 0, 2**63 - 1]) is int
    for beyond in (2**63, -(2**63) - 1):
        assert sampling._kind_of([1, beyond]) is None


@pytest.mark.parametrize("value", [0.0, 0.5])
def test_an_output_of_another_type_is_none_of_the_values_that_repeat(value):
    draws = [["a", "b", value, value], ["b", value, value, value]]
    sides, events = sampling._views(draws, 2)[1]
    assert [event.name for event in events] == [f"output == {value}, bit by bit"]
    assert sides[0].tolist() == [-1, -1, 0, 0]
    assert sides[1].tolist() == [-1, 0, 0, 0]
