"""What a release shows: never an interval that holds less often than what it stores."""

import re
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest

from privml.distributions import Categorical
from privml.guarantee import Guarantee
from privml.statistics import (
    PrivateCount,
    PrivateHistogram,
    PrivateMean,
    PrivateQuantile,
)
from privml.statistics.estimates import (
    PrivateEstimate,
    covering,
    per_interval_beta,
)


def test_what_is_released_shows_and_draws_itself():
    released = PrivateHistogram(categories=("a", "b", "c"), epsilon=1.0).release(
        ["a", "<b>"], rng=0
    )
    assert "a: " in str(released)
    assert "1-differential" in str(released)
    page = (
        PrivateHistogram(categories=["<i>"], epsilon=1.0)
        .release([], rng=0)
        ._repr_html_()
    )
    assert "&lt;i&gt;" in page
    assert "<i>" not in page
    assert len(released.plot().axes.get_xticklabels()) == 3
    assert (
        released.plot().axes.get_title()
        == "epsilon = 1, intervals with probability 0.95"
    )
    cells = PrivateHistogram(edges=[0, 1, 2], epsilon=50.0).release(
        [2] * 9, rng=0
    )  # the last is closed
    assert list(cells.labels) == ["[0, 1)", "[1, 2]"]
    assert PrivateHistogram(edges=[0.1, 1_000_001], epsilon=1.0).release([]).labels == [
        "[0.1, 1000001]"
    ]
    assert cells.value.tolist() == [0, 9]
    median = PrivateQuantile(q=0.5, options=[0, 1], epsilon=1.0)
    assert isinstance(median.output_distribution([0])[0], Categorical)


def shown(released):
    """Value and ends as they are printed, and the probability."""
    text = str(released).partition(" with probability ")
    return *map(float, re.findall(r"[-+.\de]+", text[0])), float(
        text[2].partition(";")[0]
    )


@pytest.mark.parametrize(
    ("truth", "beta"), [(0, 0.05), (21_790, 0.05), (123_456, 1e-9), (10**9 + 7, 0.3)]
)
def test_the_printed_interval_of_a_count_holds_with_the_printed_probability(
    truth, beta
):
    count = PrivateCount(epsilon=1.0, beta=beta)
    noise, reach = (
        np.arange(-60, 61),
        count.release([1], rng=0).upper - count.release([1], rng=0).value,
    )
    held = 0.0
    for value, chance in zip(
        truth + noise, np.exp(count.output_distribution([]).logpmf(noise)), strict=True
    ):
        one = PrivateEstimate(
            value, value - reach, value + reach, 1 - beta, count.guarantee
        )
        middle, low, high, probability = shown(one)
        held += chance * (low <= truth <= high)
        assert (low, middle, high) == (value - reach, value, value + reach)
        assert f"{value} ".rstrip() in one._repr_html_()
    assert held >= 1 - beta >= probability


@pytest.mark.parametrize(
    "middle", [0.0, 0.5, 39_999.5, -1e300, 1e-300, 123_456.789, 2.0**52 - 0.5]
)
@pytest.mark.parametrize("half", [1e-12, 0.0307, 3.0, 995.0, 1e5, 1e299])
def test_what_is_printed_of_numbers_holds_all_of_the_interval_and_little_more(
    middle, half
):
    for value in (middle - half, middle, middle + half / 3):
        low, high = middle - half, middle + half
        printed = shown(PrivateEstimate(value, low, high, 0.95, Guarantee(1.0)))
        assert printed[1] <= low <= high <= printed[2]
        assert printed[1] <= printed[0] <= printed[2]
        assert printed[2] - printed[1] <= 1.021 * (high - low)


def test_means_print_what_they_store_rounded_outwards():
    mean = PrivateMean(bounds=(0, 100_000), epsilon=5.0)
    released = mean.release(np.arange(20_000.0) + 30_000, rng=1)
    printed = shown(released)
    assert printed[1] <= released.lower <= 39_999.5 <= released.upper <= printed[2]
    assert f"[{printed[1]}, {printed[2]}]" in released._repr_html_()
    assert str(PrivateEstimate(12_345.0, None, None, None, Guarantee(1.0))).startswith(
        "12345;"
    )
    sure = PrivateEstimate(1, 0, 2, 1 - 1e-9, Guarantee(1.0000001))
    assert "0.999999;" in str(sure)
    assert (
        sure.plot().axes.get_title()
        == "epsilon = 1.00001, intervals with probability 0.999999"
    )


@pytest.mark.parametrize(
    ("edges", "angle"), [((0, 40, 90), 0.0), (tuple(range(0, 101, 10)), 90.0)]
)
def test_labels_of_a_picture_do_not_lie_on_each_other(edges, angle):
    axes = (
        PrivateHistogram(edges=edges, epsilon=1.0)
        .release([30.0, 50.0], rng=0)
        .plot()
        .axes
    )
    axes.figure.draw_without_rendering()
    boxes = [label.get_window_extent() for label in axes.get_xticklabels()]
    assert not any(one.overlaps(other) for one, other in pairwise(boxes))
    assert {label.get_rotation() for label in axes.get_xticklabels()} == {angle}


def test_failure_probabilities_are_split_on_the_safe_side():
    """Exactly: a coverage and what it leaves are at most 1, and intervals together miss no more than that."""
    betas = [*np.random.default_rng(0).uniform(0, 1, 60).tolist(), 1e-3, 1e-9, 1e-17]
    for beta in betas:
        coverage, left = covering(beta)
        assert 0 < left <= beta
        assert Fraction(coverage) + Fraction(left) <= 1
        for count in (2, 3, 50):
            each = per_interval_beta(left, count)
            assert (1 - Fraction(each)) ** count >= 1 - Fraction(left)
            assert each >= left / count * (1 - 1e-12)
    assert per_interval_beta(0.3, 1) == 0.3
