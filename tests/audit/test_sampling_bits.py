"""Audits by draws see what shown numbers hide: bits, types, long objects, rare records."""

import numpy as np
import pytest

from privml import audit


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
